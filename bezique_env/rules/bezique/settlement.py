"""What a game pays: the settlements of the family over the rules vector.

``decide`` and ``settle_points`` are plain integer code over the vector, called as they stand from Python and
compiled as they stand by the kernels; each is whole in itself for that reason. Every sum that is not a place
of the vector belongs to one settlement and is named here after its law.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bezique_env.rules.bezique import index as ix
from bezique_env.rules.family import score_pair

NOBODY = 255
"""Nobody wins."""

HUNDRED = 100
"""Scores are compared as they are and then rounded down to the hundred."""
BRISQUE = 10
"""An ace or ten won, where brisques join the scores (POR 60, 61)."""
PORTLAND_RUBICON = 1300
"""Added for a rubicon (POR 58): 1,000 for the game and 300 for all brisques (HOF)."""
PORTLAND_UNDER_HUNDRED = 100
"""Added further where the rubiconed score is under a hundred (POR 59)."""
PORTLAND_LONG_HAND = 900
"""The most that is added of the score of a seat that is rubiconed for an over-long hand (POR 17)."""
BICYCLE_RUBICON = 1320
"""Added for a rubicon (BIC-R): 1,000 for the game and 320 for all brisques."""


def decide(
    vector: NDArray[np.int64], first: int, second: int, brisques_first: int, brisques_second: int
) -> int:
    """Return the seat that wins a single deal, :data:`NOBODY` when none does.

    The higher score wins as it stands, not rounded; the majority of brisques breaks a tie where option ``tie``
    says so (POR 61, SAARI 32).
    """
    ahead = first - second
    if ahead == 0 and vector[ix.TIE] == ix.TIE_BRISQUES:
        ahead = brisques_first - brisques_second
    if ahead == 0:
        return NOBODY
    return 0 if ahead > 0 else 1


def settle_points(
    vector: NDArray[np.int64], first: int, second: int, brisques_first: int, brisques_second: int
) -> int:
    """Return what the game pays seat 0 (seat 1 gets the negative of it)."""
    ahead = first - second
    tied = ahead == 0
    if tied and vector[ix.TIE] == ix.TIE_BRISQUES:
        ahead = brisques_first - brisques_second
    if ahead == 0:
        return 0
    side = 1 if ahead > 0 else -1
    high, low = max(first, second), min(first, second)
    kind = vector[ix.SETTLEMENT]

    if kind == ix.SETTLE_GAMES:  # SAARI 20, FINN 16
        doubled = high >= vector[ix.TARGET] and low < vector[ix.DOUBLE_WIN_UNDER]
        return side * 2 if doubled else side

    rubiconed = low < vector[ix.RUBICON]
    if kind == ix.SETTLE_PORTLAND:
        won = BRISQUE * (brisques_first if side > 0 else brisques_second)
        lost = BRISQUE * (brisques_second if side > 0 else brisques_first)
        saved = (
            rubiconed
            and vector[ix.BRISQUES] == ix.BRISQUES_TIEBREAK_RUBICON
            and low + lost >= vector[ix.RUBICON]
        )
        if saved or (tied and not rubiconed):  # POR 60; POR 61
            high, low = high + won, low + lost
            rubiconed = False
    high_hundreds, low_hundreds = high - high % HUNDRED, low - low % HUNDRED
    difference, both = high_hundreds - low_hundreds, high_hundreds + low_hundreds

    if kind == ix.SETTLE_PORTLAND:
        if rubiconed:  # POR 58, 59
            points = both + PORTLAND_RUBICON + (PORTLAND_UNDER_HUNDRED if low < HUNDRED else 0)
        else:  # POR 57
            points = max(HUNDRED, difference) + vector[ix.GAME_BONUS]
    elif kind == ix.SETTLE_BICYCLE:
        points = both + BICYCLE_RUBICON if rubiconed else difference + vector[ix.GAME_BONUS]
    elif kind == ix.SETTLE_SUM:
        points = (both if rubiconed else difference) + vector[ix.GAME_BONUS]
    else:  # SAARI 33, 34
        points = difference
        if rubiconed:
            points += vector[ix.RUBICON_BONUS] if vector[ix.RUBICON_BONUS] else low_hundreds
        if kind == ix.SETTLE_SAARI_TABLE:
            points += vector[ix.GAME_BONUS]
    return side * points


def long_hand_points(winner: int, loser: int) -> int:
    """Return what the winner gets when the loser played with too many cards (POR 17): it is rubiconed."""
    points = winner - winner % HUNDRED + min(PORTLAND_LONG_HAND, loser - loser % HUNDRED) + PORTLAND_RUBICON
    return points + (PORTLAND_UNDER_HUNDRED if loser < HUNDRED else 0)


def brisques_matter(vector: NDArray[np.int64], first: int, second: int) -> bool:
    """Return whether the brisques won may change what two final scores pay."""
    if first == second and vector[ix.TIE] == ix.TIE_BRISQUES:
        return True
    low, rubicon = min(first, second), int(vector[ix.RUBICON])
    return bool(
        first != second
        and vector[ix.SETTLEMENT] == ix.SETTLE_PORTLAND
        and vector[ix.BRISQUES] == ix.BRISQUES_TIEBREAK_RUBICON
        and rubicon - BRISQUE * all_brisques(vector) <= low < rubicon
    )


def all_brisques(vector: NDArray[np.int64]) -> int:
    """Return how many aces and tens the pack holds."""
    return 8 * int(vector[ix.PACKS])


def settle(
    rules: Any,
    scores: Sequence[int],
    brisques: Sequence[int] | None = None,
    long_hand: int | None = None,
) -> tuple[int, int]:
    """Return what the game pays each seat for final scores.

    Two-pack Bezique and Fildinski pay one game, two where the winner reached the target and the loser stayed
    under ``double_win_under`` (SAARI 20, FINN 16); equal scores pay nothing. The games of one deal pay what
    option ``settlement`` says, see the functions above.

    Args:
        rules: the rules of the game.
        scores: final points of both seats.
        brisques: aces and tens won by both seats (their number, not their points). They may be left out
            where they cannot change the result.
        long_hand: the seat that played with too many cards (POR 17, settlement ``portland`` only): it loses
            and is rubiconed, whatever the scores.

    Raises:
        ValueError: not two scores or brisques, a negative number, more brisques than the pack holds, no
            brisques although they decide, or a long hand where no law provides for it.
    """
    first, second = score_pair("scores", scores)
    vector = rules.vector
    if brisques is not None:
        won = score_pair("brisques", brisques)
        most = all_brisques(vector)
        if sum(won) > most:
            raise ValueError(f"brisques: {won[0]} and {won[1]} are more than the {most} of the pack")
    if long_hand is not None:
        if vector[ix.SETTLEMENT] != ix.SETTLE_PORTLAND:
            raise ValueError(
                f"long_hand: law 17 belongs to settlement 'portland'; {rules.variant} with settlement "
                f"{rules.settlement!r} has no over-long hand"
            )
        if isinstance(long_hand, bool) or long_hand not in (0, 1):
            raise ValueError(f"long_hand: {long_hand!r} is no seat: it must be 0 or 1")
        loser, winner = (first, second) if long_hand == 0 else (second, first)
        points = long_hand_points(winner, loser)
    elif brisques is None:
        if brisques_matter(vector, first, second):
            why = "break the tie" if first == second else "may save the rubicon (POR 60)"
            raise ValueError(f"brisques: the scores {first} and {second} need them: they {why}")
        points = int(settle_points(vector, first, second, 0, 0))
    else:
        points = int(settle_points(vector, first, second, *won))
    if long_hand is not None:
        return (-points, points) if long_hand == 0 else (points, -points)
    return points, -points
