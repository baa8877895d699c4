"""Two-pack Bezique as a PettingZoo environment: ``two_pack_v0.env(rules="finnish")``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pettingzoo import AECEnv

from bezique_env.envs.aec import BeziqueAEC, Observation, wrap

__all__ = ["env", "raw_env"]


def raw_env(
    rules: str = "standard",
    overrides: Mapping[str, Any] | None = None,
    episode: Literal["deal", "match"] = "deal",
    reward: Literal["score_difference", "dense", "settlement", "win"] = "score_difference",
    render_mode: Literal["ansi", "human"] | None = None,
    draws: Literal["shared", "queues"] = "shared",
    dealer: Literal["random", 0, 1] = "random",
    render_seat: int | None = None,
) -> BeziqueAEC:
    """Return the environment without wrappers: an illegal action raises `IllegalAction`.

    Args:
        rules: a preset of `two_pack`.
        overrides: options of the preset to change, for example ``{"target": 1500}``.
        episode: `"deal"`, or `"match"` to the target, the dealer alternating.
        reward: `"score_difference"`, `"dense"`, `"settlement"` or `"win"`.
        render_mode: None, `"ansi"` or `"human"`.
        draws: `"shared"` or `"queues"`.
        dealer: 0, 1 or `"random"`.
        render_seat: the seat whose view is drawn; None draws for the seat to act.
    """
    return BeziqueAEC(
        "two_pack",
        rules=rules,
        overrides=overrides,
        episode=episode,
        reward=reward,
        render_mode=render_mode,
        render_seat=render_seat,
        draws=draws,
        dealer=dealer,
    )


def env(
    rules: str = "standard",
    overrides: Mapping[str, Any] | None = None,
    episode: Literal["deal", "match"] = "deal",
    reward: Literal["score_difference", "dense", "settlement", "win"] = "score_difference",
    render_mode: Literal["ansi", "human"] | None = None,
    draws: Literal["shared", "queues"] = "shared",
    dealer: Literal["random", 0, 1] = "random",
    render_seat: int | None = None,
) -> AECEnv[str, Observation, int]:
    """Return the environment in PettingZoo's wrappers; the arguments are those of `raw_env`."""
    return wrap(
        raw_env(
            rules=rules,
            overrides=overrides,
            episode=episode,
            reward=reward,
            render_mode=render_mode,
            draws=draws,
            dealer=dealer,
            render_seat=render_seat,
        )
    )
