"""What the adapters of one game share: dealing it with the options of a reset, and drawing its table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bezique_env.game import Game
from bezique_env.render.ansi import render as render_ansi
from bezique_env.rules import Rules
from bezique_env.rules.bezique import index as ix

RENDER_MODES = (None, "ansi", "human")


def deal_game(rules: Rules, seed: int, options: Mapping[str, Any], given: Mapping[str, Any]) -> Game:
    """Deal a game for one episode.

    Args:
        rules: the rules of the environment.
        seed: of the game.
        options: what the environment was made with (`episode`, `draws`, `dealer`).
        given: the options of the reset: `deck`, `dealer` and, where the rules have the cut bonus, `cut` replace
            the environment's for this game; others are ignored.
    """
    names = ("deck", "dealer", "cut") if rules.vector[ix.CUT_BONUS] == ix.CUT_ON else ("deck", "dealer")
    chosen = {**options, **{name: given[name] for name in names if name in given}}
    return Game(rules.variant, rules=rules, seed=seed, **chosen)


def draw_table(game: Game, seat: int, mode: str) -> str | None:
    """Return a seat's table as text (`mode="ansi"`), or print it in colour (`"human"`)."""
    legal = [game.action_text(a) for a in game.legal_actions()] if seat == game.seat_to_act else []
    text = render_ansi(game.view(seat), color=mode == "human", legal=legal)
    if mode == "human":
        print(text)
        return None
    return text
