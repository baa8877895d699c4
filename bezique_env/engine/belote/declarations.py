"""Runs and fours of a kind in a hand: what they are worth and how they are compared (sections 2.4, 3.2)."""

from __future__ import annotations

import numpy as np

from bezique_env.engine.belote.state import (
    FOUR_SHIFT,
    FOURS,
    LENGTH_SHIFT,
    TOP_SHIFT,
    VALUE_SHIFT,
)
from bezique_env.engine.cache import kernel
from bezique_env.rules.belote import index as ix

SHORTEST_RUN = 3
RUN_VALUES = np.array([[20, 50, 50], [20, 40, 50], [20, 50, 100]], np.int64)
"""By option ``run_values``: runs of three, four, five and more cards."""
FOUR_VALUES = np.array(
    [
        [0, 0, 0, 0, 0, 0, 0, 0],
        [0, 0, 100, 100, 200, 100, 100, 100],
        [0, 0, 150, 100, 200, 100, 100, 100],
        [0, 0, 0, 0, 200, 100, 100, 100],
    ],
    np.int64,
)
"""By option ``four_of_a_kind``: the ranks 7 8 9 T J Q K A."""


@kernel(inner=True)
def declarations(hand, rules, trump, contest):
    """Return (key of the best, points of all, cards of all) of what a hand declares in a contest; 0, 0, 0 for none.

    The best is the one with the highest key: value, four of a kind, length (by option), top rank, trump.
    Bicycle's fours are a contest of their own; the other fours stand in one contest with the runs.
    """
    best = np.int64(0)
    points = np.int64(0)
    cards = np.int64(0)
    fours = rules[ix.FOUR_OF_A_KIND]
    if contest != FOURS:
        for suit in range(4):
            ranks = (hand >> (8 * suit)) & 255
            length = np.int64(0)
            for rank in range(9):
                if rank < 8 and (ranks >> rank) & 1:
                    length += 1
                    continue
                if length >= SHORTEST_RUN:
                    value = RUN_VALUES[rules[ix.RUN_VALUES], min(length, 5) - SHORTEST_RUN]
                    key = (value << VALUE_SHIFT) | ((rank - 1) << TOP_SHIFT)
                    if rules[ix.SEQ_LENGTH_BREAKS_TIE] == ix.YES:
                        key |= length << LENGTH_SHIFT
                    if suit == trump:
                        key |= 1
                    best = max(best, key)
                    points += value
                    cards |= ((np.int64(1) << length) - 1) << (8 * suit + rank - length)
                length = np.int64(0)
    if (contest == FOURS) == (fours == ix.FOURS_BICYCLE):
        for rank in range(8):
            four = np.int64(0x01010101) << rank
            value = FOUR_VALUES[fours, rank]
            if value > 0 and hand & four == four:
                best = max(best, (value << VALUE_SHIFT) | (np.int64(1) << FOUR_SHIFT) | (rank << TOP_SHIFT))
                points += value
                cards |= four
    return best, points, cards
