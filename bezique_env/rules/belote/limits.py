"""What a game of the Belote family cannot exceed: decisions and points, derived from the numbers of its rules."""

from __future__ import annotations

from bezique_env.rules.belote import index as ix
from bezique_env.rules.family import Limits, Vector

AUCTION = 8
"""Actions of an auction (the longest has six)."""
_ASKED = 6
"""Times that a seat is asked to exchange or to announce: each twice, and again to exchange."""
_WORDS = 2
"""Words of the pair."""
_TRUMP_POINTS = (0, 0, 14, 10, 20, 3, 4, 11)
_PLAIN_POINTS = (0, 0, 0, 10, 2, 3, 4, 11)
_RUNS = ((20, 50, 50), (20, 40, 50), (20, 50, 100))
"""By option ``run_values``: of three, four, five and more cards."""
_BEST_FOUR, _NEXT_FOUR = 200, 150
_ROUNDED = 5


def limits(vector: Vector) -> Limits:
    """Return what a deal cannot exceed: as if one seat made all that the cards in play and declarations are worth."""
    hand = int(vector[ix.HAND_SIZE])
    kinds = [card for card in range(32) if int(vector[ix.KINDS]) >> card & 1]
    best = 0
    for trump in {card >> 3 for card in kinds}:
        worth = [(_TRUMP_POINTS if card >> 3 == trump else _PLAIN_POINTS)[card & 7] for card in kinds]
        best = max(best, sum(sorted(worth, reverse=True)[: 2 * hand]))
    points = best + int(vector[ix.VALUE_LAST_TRICK]) + int(vector[ix.ALL_TRICKS_BONUS])
    points += int(vector[ix.VALUE_PAIR]) + _run_points(vector, hand)
    if vector[ix.FOUR_OF_A_KIND] != ix.FOURS_OFF and hand >= 4:
        points += _BEST_FOUR + _NEXT_FOUR * (hand // 4 - 1)
    if vector[ix.ROUNDING] != ix.ROUNDING_NONE:
        points += _ROUNDED
    return Limits(AUCTION + _ASKED + _WORDS + 2 * hand, AUCTION, points, points, 1)


def _run_points(vector: Vector, hand: int) -> int:
    """Return the most that the runs of one hand are worth."""
    values = _RUNS[int(vector[ix.RUN_VALUES])]
    best = [0] * (hand + 1)
    for cards in range(1, hand + 1):
        best[cards] = max(
            [best[cards - 1]]
            + [best[cards - length] + values[min(length, 5) - 3] for length in range(3, cards + 1)]
        )
    return best[hand]
