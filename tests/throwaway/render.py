"""The games of the throw-away family as text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bezique_env.render.renderers import Renderer


def hand_order(card: str, trump: str | None = None) -> tuple[int, int]:
    """Return the sorting key of a card: S H D C, high ranks first."""
    return "SHDC".index(card[1]), "AKQJT987".index(card[0])


def pretty_action(text: str, color: bool = True) -> str:
    """Return an action text as it is."""
    return text


def render(view: Any, color: bool = True, legal: Iterable[str] = ()) -> str:
    """Draw the table as the seat of the view sees it."""
    trick = ", ".join(f"seat {seat} {card}" for seat, card in view.trick) or "nothing"
    return "\n".join(
        [
            f"hand of seat {view.seat}: {' '.join(sorted(view.hand, key=hand_order))}",
            f"on the table: {trick}; points {view.scores}",
            f"legal: {', '.join(legal)}" if legal else f"seat {view.to_act} is to act",
        ]
    )


RENDERER = Renderer(render, pretty_action, hand_order)
