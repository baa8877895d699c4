"""Takes what scores most now, without looking further ahead: one set of rules for each family.

Deterministic; of equals the lowest action id. It knows nothing but what view and mask show and the points of
the game, so it plays every variant and every preset.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from agents.protocol import Actions, Keys, Masks, Probabilities, Views, certain
from agents.scripted import belote, bezique
from bezique_env.engine.engines import engine_of_fields

PLAYERS: dict[str, Callable[[Views, Masks], Actions]] = {"bezique": bezique.choose, "belote": belote.choose}
"""The greedy play of each family of :data:`bezique_env.rules.families.FAMILIES`, by its id."""


class GreedyAgent:
    """Best declaration at once, cheap captures, otherwise the least useful card."""

    name = "greedy"

    def act(self, views: Views, masks: Masks, keys: Keys) -> Actions:
        """Return one legal action for every row; see :mod:`agents.protocol`.

        Raises:
            ValueError: the records are views of no variant.
        """
        try:
            engine = engine_of_fields(views.dtype.names or ())
        except LookupError:
            raise ValueError(f"these records are views of no variant: {views.dtype}") from None
        return PLAYERS[engine.family](views, masks)

    def probabilities(self, views: Views, masks: Masks) -> Probabilities:
        """Return 1 for the action that it takes, which no key changes.

        Raises:
            ValueError: the records are views of no variant.
        """
        return certain(self.act(views, masks, np.zeros(len(masks), np.uint64)), masks)
