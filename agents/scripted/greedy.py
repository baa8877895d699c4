"""Takes what scores most now, without looking further ahead: one set of rules for each family.

Deterministic; of equals the lowest action id. It knows nothing but what view and mask show and the points of
the game, so it plays every variant and every preset.
"""

from __future__ import annotations

from collections.abc import Callable

from agents.protocol import Actions, Keys, Masks, Views
from agents.scripted import belote, bezique
from bezique_env.engine.engines import ENGINES

PLAYERS: dict[str, Callable[[Views, Masks], Actions]] = {"bezique": bezique.choose, "belote": belote.choose}
"""The greedy play of each family of :data:`bezique_env.rules.families.FAMILIES`, by its id."""


def family_of_views(views: Views) -> str:
    """Return the id of the family whose views these are.

    Raises:
        ValueError: they are views of no variant.
    """
    for engine in ENGINES:
        if engine.mark in (views.dtype.names or ()):
            return engine.family
    raise ValueError(f"these records are views of no variant: {views.dtype}")


class GreedyAgent:
    """Best declaration at once, cheap captures, otherwise the least useful card."""

    name = "greedy"

    def act(self, views: Views, masks: Masks, keys: Keys) -> Actions:
        """Return one legal action for every row; see :mod:`agents.protocol`."""
        return PLAYERS[family_of_views(views)](views, masks)
