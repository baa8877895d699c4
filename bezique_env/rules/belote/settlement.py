"""What a deal pays: the settlement of the Belote family over the rules vector.

``settle_deal`` is plain integer code over the vector, called as it stands from Python and compiled as it
stands by the kernels; it is whole in itself for that reason.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bezique_env.rules.belote import index as ix
from bezique_env.rules.family import score_pair

TEN = 10
"""Scores are rounded to multiples of this."""
REVOKE = 50
"""Points of a revoke (PRIMARY; A21)."""


def settle_deal(
    vector: NDArray[np.int64], taker_points: int, other_points: int, taker_pair: int, held: int
) -> tuple[int, int, int]:
    """Return what taker and opponent write for a deal, and the points held over to the next one.

    Args:
        vector: the numbers of the rules.
        taker_points: all the taker made: cards, last trick, declarations, pair, all tricks.
        other_points: likewise of the opponent.
        taker_pair: points of the pair among the taker's, 0 where he announced none.
        held: points held over from tied deals (option ``two_hand_tie: hold_over``).
    """
    made, tied = taker_points > other_points, taker_points == other_points
    falls = not made and (not tied or vector[ix.TWO_HAND_TIE] == ix.TIE_FALL)
    stays = 0 if vector[ix.BELOTE_PRENABLE] == ix.YES else taker_pair
    taker, other = taker_points if made else stays, other_points
    if falls and vector[ix.TWO_HAND_FAIL] == ix.FAIL_OPPONENT_SUM:
        other += taker_points - stays

    if vector[ix.ROUNDING] != ix.ROUNDING_NONE:
        carry = 5 if vector[ix.ROUNDING] == ix.ROUNDING_UP else 4
        taker = (taker + carry) // TEN * TEN
        other = (other + carry) // TEN * TEN

    if tied:
        kept = taker_points - stays if vector[ix.TWO_HAND_TIE] == ix.TIE_HOLD_OVER else 0
        return taker, other, held + kept
    if made:
        return taker + held, other, 0
    return taker, other + held, 0


def _points(name: str, value: Any) -> int:
    """Return a whole number that is not negative."""
    try:
        found = operator.index(value)
    except TypeError:
        found = -1
    if found < 0:
        raise ValueError(f"{name}: {value!r} must be a whole number of 0 or more")
    return found


def _seat(name: str, value: Any) -> int:
    if isinstance(value, bool) or value not in (0, 1):
        raise ValueError(f"{name}: {value!r} is no seat: it must be 0 or 1")
    return int(value)


def settle(
    rules: Any,
    scores: Sequence[int],
    *,
    taker: int | None = None,
    pairs: Sequence[int] = (0, 0),
    held: int = 0,
    revokes: Sequence[int] = (),
) -> tuple[int, int]:
    """Return what each seat writes down for a deal.

    Args:
        rules: the rules of the game.
        scores: all that each seat made in the deal, the pair included.
        taker: the seat that undertook to make more than the other.
        pairs: points of the pair among the scores of each seat.
        held: points held over from tied deals; only under ``two_hand_tie: hold_over``.
        revokes: the seats that revoked, once for each time; each costs what ``revoke_penalty`` says, after
            the settlement.

    Raises:
        ValueError: no taker, not two scores or pairs, a pair that is not in the scores, points held where
            none can be, or a revoke of no seat.
    """
    made = score_pair("scores", scores)
    said = score_pair("pairs", pairs)
    seat = _seat("taker", taker)
    waiting = _points("held", held)
    guilty = [_seat("revokes", one) for one in revokes]
    pair = int(rules.vector[ix.VALUE_PAIR])
    for who in (0, 1):
        if said[who] not in (0, pair) or said[who] > made[who]:
            raise ValueError(
                f"pairs: {said[who]} of seat {who} must be 0 or {pair}, and within its score of {made[who]}"
            )
    if all(said):
        raise ValueError("pairs: only one seat can hold king and queen of trumps")
    if waiting and rules.vector[ix.TWO_HAND_TIE] != ix.TIE_HOLD_OVER:
        raise ValueError(
            f"held: {waiting} points cannot wait under two_hand_tie {rules.two_hand_tie!r}: it must be "
            "'hold_over', or held 0"
        )
    taker_gets, other_gets, _ = settle_deal(rules.vector, made[seat], made[1 - seat], said[seat], waiting)
    written = [int(other_gets), int(other_gets)]
    written[seat] = int(taker_gets)
    for one in guilty:
        if rules.revoke_penalty == "offender_minus_50":
            written[one] -= REVOKE
        elif rules.revoke_penalty == "opponent_plus_50":
            written[1 - one] += REVOKE
    return written[0], written[1]
