"""What the adapters of one game share: dealing it with the options of a reset, and drawing its table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bezique_env.faces.faces import face_of
from bezique_env.game import Game
from bezique_env.render.renderers import renderer_of
from bezique_env.rules import Rules

RENDER_MODES = (None, "ansi", "human")


def deal_game(rules: Rules, seed: int, options: Mapping[str, Any], given: Mapping[str, Any]) -> Game:
    """Deal a game for one episode.

    Args:
        rules: the rules of the environment.
        seed: of the game.
        options: what the environment was made with (`episode`, `draws`, `dealer`).
        given: the options of the reset: `deck`, `dealer` and, where the rules score a cut of the pack, `cut`
            replace the environment's for this game; others are ignored.
    """
    names = ("deck", "dealer", "cut") if face_of(rules.variant).scores_cut(rules) else ("deck", "dealer")
    chosen = {**options, **{name: given[name] for name in names if name in given}}
    return Game(rules.variant, rules=rules, seed=seed, **chosen)


def draw_table(game: Game, seat: int, mode: str) -> str | None:
    """Return a seat's table as text (`mode="ansi"`), or print it in colour (`"human"`)."""
    legal = [game.action_text(a) for a in game.legal_actions()] if seat == game.seat_to_act else []
    text = renderer_of(game.variant).render(game.view(seat), color=mode == "human", legal=legal)
    if mode == "human":
        print(text)
        return None
    return text
