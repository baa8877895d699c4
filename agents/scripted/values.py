"""What declarations are worth and what cards are worth keeping: the tables the scripted players read.

The points of declarations come from the rules' score table (:data:`bezique_env.rules.bezique.SCORES`), keyed
by action id. They only rank what is legal; the engine scores. The keeping values are judgement, in points.
"""

from __future__ import annotations

import numpy as np

from bezique_env.engine import actions as act
from bezique_env.rules import index as ix
from bezique_env.rules.bezique import SCORES

_FOUR_TENS = 90
"""Points of four tens where the option allows them (rules section 6.2); otherwise never legal."""


def _points(place: int) -> int:
    return SCORES[place][0]


def _declaration_points() -> np.ndarray:
    table = np.zeros(act.NUM_ACTIONS, np.int64)
    table[act.MARRIAGE : act.SEQUENCE] = _points(ix.VALUE_MARRIAGE)
    table[act.SEQUENCE : act.BEZIQUE] = _points(ix.VALUE_SEQUENCE)
    table[act.BEZIQUE] = _points(ix.VALUE_BEZIQUE)
    table[act.BEZIQUE + 1] = _points(ix.VALUE_DOUBLE_BEZIQUE)
    for place, rank in enumerate(act.QUARTET_RANKS):
        table[act.FOUR + place] = _FOUR_TENS if rank == "T" else _points(ix.VALUE_FOUR + place)
    table[act.SEVEN_SCORE] = _points(ix.VALUE_SEVEN)
    table[act.EXCHANGE] = _points(ix.VALUE_SEVEN)
    return table


DECLARATION_POINTS = _declaration_points()
"""Points by action id, int64 [96]: plain marriages, `seven` and `exchange` as the trump seven scores."""
ROYAL_MARRIAGE_POINTS = _points(ix.VALUE_ROYAL_MARRIAGE)
"""Points of a marriage that is or becomes trump."""
BRISQUE_POINTS = _points(ix.VALUE_BRISQUE)
LAST_TRICK_POINTS = _points(ix.VALUE_LAST_TRICK)

# Keeping values. Ranks stand in the order 7 8 9 J Q K T A.

KEEP_RANK = np.array([0, 1, 2, 3, 5, 6, 4, 6], np.int64)
"""Any card, by its rank: sevens, eights, nines and plain jacks are thrown first; an ace is risked before a court
card only through the values below (aces make tricks, queens and kings make melds)."""
KEEP_TRUMP = np.array([14, 10, 11, 12, 12, 12, 12, 12], np.int64)
"""Added for a trump, by its rank: trumps regain the lead; the seven scores or is exchanged."""
KEEP_SEQUENCE = 16
"""Added for a card of the trump sequence that can still serve in one."""
KEEP_SEQUENCE_STEP = 6
"""Added to that for each other rank of the sequence held."""
KEEP_BEZIQUE = 26
"""Added for a bezique card that can still make a single bezique or be added to one."""
KEEP_BEZIQUE_PARTNER = 14
"""Added to that while its partner is held, or while it waits for a double after a single has scored."""
KEEP_MARRIAGE = 4
"""Added for a king or queen that can still marry."""
KEEP_MARRIAGE_PARTNER = 10
"""Added to that while the partner is held."""
KEEP_ROYAL = 2
"""Factor of the two marriage values in the trump suit (or while no trump is fixed)."""
KEEP_QUARTET = np.array(
    # copies held that may serve: 1, 2, 3, 4 and more
    [
        [0, 0, 0, 0],  # 7
        [0, 0, 0, 0],  # 8
        [0, 0, 0, 0],  # 9
        [0, 1, 8, 20],  # J
        [0, 2, 11, 30],  # Q
        [1, 4, 15, 40],  # K
        [0, 0, 0, 0],  # T
        [1, 5, 18, 50],  # A
    ],
    np.int64,
)
"""Added for a card of a quartet in progress, by rank and by the number of copies held that may serve."""
KEEP_BRISQUE = 2
"""Added for an ace or ten: it can bring itself home later. Little, so that one that wins now is used."""

EXCHANGE_RANK = np.array([0, 3, 3, 8, 15, 15, 20, 20], np.int64)
"""Added to the points of `exchange`, by the rank of the turn-up: what the card is worth in the hand."""
