"""The copies of a seat where a meld scores again once a card of it was played: which are free, which are bound.

``gone`` is the place on the table of the copy that is to be played, -1 where it comes from the hand; ``hand``
(int64 [32]) holds the concealed copies that are left. A copy is bound by a meld of the kind in question that stays
intact; the others are free for a new one.
"""

from __future__ import annotations

import numpy as np

from bezique_env.engine.bezique.melds import HIGHER_LEVEL, LEVEL_MARK
from bezique_env.engine.bezique.state import (
    IN_BEZIQUE,
    IN_FIVE_TRUMP,
    IN_FOUR,
    IN_FOUR_TRUMP,
    IN_MARRIAGE,
    IN_SEQUENCE,
    USED_FIVE_TRUMP,
    USED_FOUR_TRUMP,
    USED_MARRIAGE,
    USED_SEQUENCE,
)
from bezique_env.engine.cache import kernel
from bezique_env.rules.bezique.cards import KING, QUEEN


@kernel(inline_always=True)
def spent(f, place, kind, gone):
    """Whether a copy on the table belongs to a meld of a kind that stays intact without the copy ``gone``."""
    mask = np.int64(f.table_melds[f.seat, place, kind])
    return mask != 0 and (gone < 0 or (mask >> gone) & 1 == 0)


@kernel(inner=True)
def quartet_copies(f, rank, gone, hand):
    """Return (free, bound) copies of a rank for four of it."""
    free = hand[rank] + hand[8 + rank] + hand[16 + rank] + hand[24 + rank]
    bound = 0
    for t in range(np.int64(f.table_n[f.seat])):
        if t != gone and f.table_card[f.seat, t] & 7 == rank:
            if np.int64(f.table_uses[f.seat, t]) & (USED_FOUR_TRUMP | USED_FIVE_TRUMP):
                continue
            if spent(f, t, IN_FOUR, gone):
                bound += 1
            else:
                free += 1
    return free, bound


@kernel(inner=True)
def trump_copies(f, card, five, gone, hand):
    """Return (free, bound, those of the free that four of the rank bind) of a trump for four or ``five`` of it."""
    kind = IN_FIVE_TRUMP if five else IN_FOUR_TRUMP
    free = hand[card]
    bound = 0
    fours = 0
    for t in range(np.int64(f.table_n[f.seat])):
        if t != gone and f.table_card[f.seat, t] == card:
            if not five and np.int64(f.table_uses[f.seat, t]) & USED_FIVE_TRUMP:
                continue
            if spent(f, t, kind, gone):
                bound += 1
            else:
                free += 1
                fours += spent(f, t, IN_FOUR, gone)
    return free, bound, fours


@kernel(inner=True)
def sequence_copies(f, card, gone, hand):
    """Return (free, bound) copies of a card for a sequence."""
    free = hand[card]
    bound = 0
    if f.table_count[f.seat, card] > 0:
        for t in range(np.int64(f.table_n[f.seat])):
            if t != gone and f.table_card[f.seat, t] == card:
                if spent(f, t, IN_SEQUENCE, gone):
                    bound += 1
                else:
                    free += 1
    return free, bound


@kernel(inner=True)
def marriage_copies(f, suit, gone, hand):
    """Return (whether a marriage is ready, kings that may still marry, queens that may)."""
    king = 8 * suit + KING
    queen = 8 * suit + QUEEN
    # Copies never married, widowed, married: kings, then queens.
    kings = hand[king]
    queens = hand[queen]
    lone_kings = 0
    lone_queens = 0
    bound_kings = 0
    bound_queens = 0
    crossed = False
    if f.table_count[f.seat, king] > 0 or f.table_count[f.seat, queen] > 0:
        for t in range(np.int64(f.table_n[f.seat])):
            card = f.table_card[f.seat, t]
            uses = np.int64(f.table_uses[f.seat, t])
            if t == gone or (card != king and card != queen) or uses & USED_SEQUENCE:
                continue
            mask = np.int64(f.table_melds[f.seat, t, IN_MARRIAGE])
            if gone >= 0:
                mask &= ~(np.int64(1) << gone)
            if uses & USED_MARRIAGE == 0:
                kings += card == king
                queens += card == queen
            elif mask == 0:
                lone_kings += card == king
                lone_queens += card == queen
            elif card == king:
                bound_kings += 1
                for q in range(np.int64(f.table_n[f.seat])):
                    if (
                        q != gone
                        and f.table_card[f.seat, q] == queen
                        and f.table_melds[f.seat, q, IN_MARRIAGE] != 0
                        and np.int64(f.table_uses[f.seat, q]) & USED_SEQUENCE == 0
                        and (mask >> q) & 1 == 0
                    ):
                        crossed = True
            else:
                bound_queens += 1
    ready = (
        (kings > 0 and queens > 0)
        or (lone_kings > 0 and queens + lone_queens + bound_queens > 0)
        or (lone_queens > 0 and kings + lone_kings + bound_kings > 0)
        or crossed
    )
    return ready, kings + lone_kings, queens + lone_queens


@kernel(inner=True)
def bezique_copies(f, level, gone, hand):
    """Return (free queens, free jacks, bound queens) of the pair for a bezique of a level, 0 the single one."""
    queens = hand[f.bezique_q]
    jacks = hand[f.bezique_j]
    bound_queens = 0
    for t in range(np.int64(f.table_n[f.seat])):
        card = f.table_card[f.seat, t]
        if t == gone or (card != f.bezique_q and card != f.bezique_j):
            continue
        uses = np.int64(f.table_uses[f.seat, t])
        if uses & HIGHER_LEVEL[level]:
            continue
        if uses & LEVEL_MARK[level] and spent(f, t, IN_BEZIQUE, gone):
            bound_queens += card == f.bezique_q
        else:
            queens += card == f.bezique_q
            jacks += card == f.bezique_j
    return queens, jacks, bound_queens
