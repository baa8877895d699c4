"""What declarations are worth and what cards are worth keeping: the tables the scripted players read.

The points come from the rules (:func:`bezique_env.rules.get_rules`), keyed by action id. They only rank what
is legal; the engine scores. The keeping values are judgement, in points.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bezique_env.engine.bezique import actions as act
from bezique_env.engine.bezique.state import view_dtype
from bezique_env.rules import Rules, get_rules
from bezique_env.rules.bezique import index as ix
from bezique_env.rules.bezique.variants import VARIANTS

SCORED_ONCE, REFORMED, OPEN_CARDS = 0, 1, 2
"""How the melds of a game are made: from the hand and once, from the hand and again, from won cards."""


class Values(NamedTuple):
    """What a player knows of the points of a variant.

    Attributes:
        points: int64 [2, 96], points by action id: in a plain suit, and in trump (or while none is fixed).
        style: SCORED_ONCE, REFORMED or OPEN_CARDS.
        brisque: points of an ace or ten won.
        last_trick: points of the last trick.
    """

    points: NDArray[np.int64]
    style: int
    brisque: int
    last_trick: int


def values_under(rules: Rules) -> Values:
    """Return the points under given rules of the Bezique family."""
    vector = rules.vector
    points = np.zeros((2, act.NUM_ACTIONS), np.int64)
    points[:, act.MARRIAGE : act.SEQUENCE] = vector[[ix.VALUE_MARRIAGE, ix.VALUE_ROYAL_MARRIAGE], None]
    points[:, act.SEQUENCE : act.BEZIQUE] = vector[[ix.VALUE_PLAIN_SEQUENCE, ix.VALUE_SEQUENCE], None]
    places = (
        (act.BEZIQUE, act.FOUR, ix.VALUE_BEZIQUE),
        (act.FOUR, act.FOUR_TRUMP, ix.VALUE_FOUR),
        (act.FOUR_TRUMP, act.FIVE_TRUMP, ix.VALUE_FOUR_TRUMP),
        (act.FIVE_TRUMP, act.SEVEN_SCORE, ix.VALUE_FIVE_TRUMP),
    )
    for start, stop, place in places:
        points[:, start:stop] = vector[place : place + stop - start]
    points[:, [act.SEVEN_SCORE, act.EXCHANGE]] = vector[ix.VALUE_SEVEN]
    points[:, act.CARTE_BLANCHE] = vector[ix.VALUE_CARTE_BLANCHE]
    points.flags.writeable = False
    style = REFORMED if rules.shape.reform else SCORED_ONCE
    if vector[ix.MELDS_FROM] == ix.MELDS_FROM_WON:
        style = OPEN_CARDS
    return Values(points, style, int(vector[ix.VALUE_BRISQUE]), int(vector[ix.VALUE_LAST_TRICK]))


@functools.cache
def values_of(variant: str) -> Values:
    """Return the points of a variant; four tens have theirs as if the option allowed them."""
    return values_under(
        get_rules(variant, None, {} if "four_tens" in VARIANTS[variant].fixed else {"four_tens": 90})
    )


@functools.cache
def _by_view() -> dict[np.dtype[Any], Values]:
    return {view_dtype(get_rules(name).shape): values_of(name) for name in VARIANTS}


def values_for(views: NDArray[Any]) -> Values:
    """Return the points of the variant whose views these are.

    Raises:
        ValueError: they are views of no variant.
    """
    found = _by_view().get(views.dtype)
    if found is None:
        raise ValueError(f"these records are views of no variant: {views.dtype}")
    return found


TWO_PACK = values_of("two_pack")
BRISQUE_POINTS = TWO_PACK.brisque
"""Points of an ace or ten won, in the games in which they count."""

# Keeping values of the games whose melds score once. Ranks stand in the order 7 8 9 J Q K T A.
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
