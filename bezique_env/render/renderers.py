"""The renderers of the families: the list that a new family extends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bezique_env.render import belote, bezique
from bezique_env.rules.families import family_of


@dataclass(frozen=True)
class Renderer:
    """What draws the games of a family as text.

    Attributes:
        render: the table of a view; ``render(view, color=True, legal=())``, where ``legal`` are the texts of
            the legal actions, gives lines of at most 80 columns.
        pretty_action: an action text for the eye; ``pretty_action(text, color=True)``.
        hand_order: the sorting key of a card text in a hand; ``hand_order(card, trump)``.
    """

    render: Callable[..., str]
    pretty_action: Callable[..., str]
    hand_order: Callable[[str, str | None], tuple[int, int]]


RENDERERS: dict[str, Renderer] = {
    "bezique": Renderer(bezique.render, bezique.pretty_action, bezique.hand_order),
    "belote": Renderer(belote.render, belote.pretty_action, belote.hand_order),
}
"""The renderer of each family of :data:`bezique_env.rules.families.FAMILIES`, by its id."""


def renderer_of(variant: str) -> Renderer:
    """Return the renderer of a variant.

    Raises:
        KeyError: no family has a variant of this id.
    """
    return RENDERERS[family_of(variant).name]
