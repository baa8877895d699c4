"""Endgame regret: the points a deal that an agent's moves lose once nothing is hidden from it, exactly.

At every decision at which the seat's view leaves nothing open (the strict phase of the Bezique family once the stock
is out; Belote when the other hand is known) the exact solver gives the value of every move under best play
of both seats from there on. What the move that was played lacks of the best one is lost for certain: the figure has
no luck of the cards in it, only that of which endings were reached.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.endgame.core import NO_VALUE, make_solver
from agents.endgame.kernels import view_rows
from agents.protocol import Actions, Views
from bezique_env.engine.engines import engine_of
from bezique_env.rules import Rules


class Judge:
    """Says what moves lost.

    Args:
        rules: of the games.
    """

    def __init__(self, rules: Rules) -> None:
        self._solver = make_solver()
        self._rules: NDArray[Any] = rules.vector.copy()
        self._actions = engine_of(rules.variant).actions.size

    def lost(self, views: Views, chosen: Actions) -> NDArray[np.float64]:
        """Return the points that each move lost, 0 where something is hidden, float [k].

        Args:
            views: of the seats to act, before their moves.
            chosen: legal actions, int64 [k].
        """
        values = np.zeros((len(views), self._actions), np.int64)
        best = np.zeros(len(views), np.int64)
        view_rows(np.ascontiguousarray(views), self._rules, self._solver, values, best)
        known = best != NO_VALUE
        lost = np.zeros(len(views))
        lost[known] = best[known] - values[known, chosen[known]]
        return lost
