"""What declarations are worth where a meld scores again once a card of it was played (four packs and more).

A meld on the table that is intact bars its cards from another of its kind; the card that is to be played breaks
those that it belongs to. ``gone`` is its place on the table, -1 where it comes from the hand; ``hand`` (int64
[32], in ``scratch.whole``) holds the concealed copies that are left.
"""

from __future__ import annotations

import numpy as np

from agents.scripted.copies import (
    bezique_copies,
    marriage_copies,
    quartet_copies,
    sequence_copies,
    trump_copies,
)
from agents.scripted.expert import names as at
from agents.scripted.expert.slots import (
    COME,
    FOUR_PLACE,
    READY,
    SLOT_BEZIQUE,
    SLOT_FIVE_TRUMP,
    SLOT_FOUR,
    SLOT_FOUR_TRUMP,
    SLOT_SEQUENCE,
    TAIL,
    TAIL_PAIR,
    TAIL_TRUMP,
    lies_in_trumps,
    note,
)
from bezique_env.cards import NO_CARD, NO_SUIT
from bezique_env.engine.bezique.actions import (
    BEZIQUE,
    FIVE_TRUMP,
    FOUR,
    FOUR_TRUMP,
    MARRIAGE,
    SEQUENCE,
    SEVEN_SCORE,
)
from bezique_env.engine.bezique.melds import FOUR_RANKS
from bezique_env.engine.cache import kernel
from bezique_env.rules.bezique.cards import JACK, KING, QUEEN


@kernel(inner=True)
def quartet(f, points, w, k, gone, hand, x):
    """Four of a rank (H14, H25), in the k-th place of the quartets.

    With four on the table one is played and a fifth added, so a spare ace or king is worth much of the quartet.
    """
    rank = FOUR_RANKS[k]
    slot = SLOT_FOUR + k
    v = np.float64(points[0, FOUR + k])
    free, bound = quartet_copies(f, rank, gone, hand)
    if free >= 4:
        note(x, slot, v, 0.0, v)
    elif bound >= 4 and free > 0:
        note(x, slot, 0.0, w[at.AGAIN_QUARTET] * v, 0.0)
    else:
        have = min(4, free + (3 if bound >= 4 else 0))
        chance = 0.0
        if have > 0:
            chance = x[TAIL + 8 * (3 - have) + rank]
            note(x, slot, 0.0, v * w[at.QUARTET + 3 - have] * chance, v * chance if bound < 4 else 0.0)
        else:
            note(x, slot, 0.0, 0.0, 0.0)


@kernel(inner=True)
def trump_quartet(f, points, w, k, gone, hand, x):
    """Four and five of a kind in trumps (H25), in the k-th place of the quartets."""
    rank = FOUR_RANKS[k]
    card = 8 * f.trump + rank
    have = hand[card] + np.int64(f.table_count[f.seat, card])
    if gone >= 0 and f.table_card[f.seat, gone] == card:
        have -= 1
    for rung in range(2):
        slot = (SLOT_FIVE_TRUMP if rung else SLOT_FOUR_TRUMP) + k
        v = np.float64(points[1, slot + MARRIAGE])
        if v == 0.0 or have == 0:
            note(x, slot, 0.0, 0.0, 0.0)
            continue
        need = 4 + rung
        free, bound, fours = trump_copies(f, card, rung == 1, gone, hand)
        if free >= need and not (rung == 0 and free == 4 and fours == 4):
            note(x, slot, v, 0.0, v)
        elif bound >= need and free > 0:
            note(x, slot, 0.0, w[at.AGAIN_TRUMPS] * v, 0.0)
        else:
            there = min(need - 1, free + (need - 1 if bound >= need else 0))
            missing = need - there
            if there > 0 and missing <= 4:
                chance = x[TAIL_TRUMP + 8 * (missing - 1) + rank]
                note(
                    x,
                    slot,
                    0.0,
                    v * w[at.TRUMP_QUARTET + missing - 1] * chance,
                    v * chance if bound < need else 0.0,
                )
            else:
                note(x, slot, 0.0, 0.0, 0.0)


@kernel(inner=True)
def sequence(f, points, w, suit, gone, hand, x):
    """The sequence of a suit (H11, H25): a spare card lets it score again when its like is played."""
    slot = SLOT_SEQUENCE + suit
    royal = lies_in_trumps(f, suit)
    v = np.float64(points[1 if royal else 0, SEQUENCE + suit])
    note(x, slot, 0.0, 0.0, 0.0)
    if v == 0.0:
        return
    chance = 1.0
    missing = 0
    bound = 0
    spare = 0
    alone = 1.0
    for r in range(JACK, 8):
        card = 8 * suit + r
        free, laid = sequence_copies(f, card, gone, hand)
        bound += laid
        if free == 0:
            missing += 1
            chance *= x[COME + card]
        else:
            spare += 1
        alone *= 1.0 - x[COME + card]
    if missing == 0:
        note(x, slot, v, 0.0, v)
    elif bound >= 5:
        if spare > 0:
            note(x, slot, 0.0, w[at.AGAIN_SEQUENCE] * v, 0.0)
        else:
            note(x, slot, 0.0, w[at.AGAIN_WAITING] * v * (1.0 - alone), 0.0)
    elif missing < 5:
        note(
            x,
            slot,
            0.0,
            v * w[(at.SEQUENCE if royal else at.SEQUENCE_PLAIN) + missing - 1] * chance,
            v * chance,
        )


@kernel(inner=True)
def marriage(f, points, w, suit, gone, hand, x):
    """King and queen of a suit (H13, H25): fresh, widowed, or married to others."""
    king = 8 * suit + KING
    queen = 8 * suit + QUEEN
    ready, kings, queens = marriage_copies(f, suit, gone, hand)
    royal = lies_in_trumps(f, suit)
    v = np.float64(points[1 if royal else 0, MARRIAGE + suit])
    if ready:
        note(x, suit, v, 0.0, v)
    else:
        chance = 0.0
        if kings > 0:
            chance = x[COME + queen]
        elif queens > 0:
            chance = x[COME + king]
        note(x, suit, 0.0, v * chance * w[at.MARRIAGE_ROYAL if royal else at.MARRIAGE_PLAIN], v * chance)


@kernel(inner=True)
def beziques(f, points, w, gone, hand, x):
    """Beziques of every level (H9, H12, H28): the larger the nearer, its cards are held almost at any price.

    A higher level bars its cards from the lower ones.
    """
    if f.bezique_q == NO_CARD:
        for level in range(5):
            note(x, SLOT_BEZIQUE + level, 0.0, 0.0, 0.0)
        return
    for level in range(5):
        v = np.float64(points[0, BEZIQUE + level])
        slot = SLOT_BEZIQUE + level
        note(x, slot, 0.0, 0.0, 0.0)
        if v == 0.0:
            continue
        need = level + 1
        queens, jacks, bound_queens = bezique_copies(f, level, gone, hand)
        if queens >= need and jacks >= need:
            note(x, slot, v, 0.0, v)
        elif bound_queens >= need and queens + jacks > 0:
            note(x, slot, 0.0, w[at.AGAIN_BEZIQUE] * v, 0.0)
        elif queens + jacks > 0:
            mq = max(0, need - queens)
            mj = max(0, need - jacks)
            if mq <= 4 and mj <= 4:
                chance = 1.0
                if mq > 0:
                    chance *= x[TAIL_PAIR + 8 * (mq - 1)]
                if mj > 0:
                    chance *= x[TAIL_PAIR + 1 + 8 * (mj - 1)]
                worth = v * chance * w[at.BEZIQUE + level] * w[at.BEZIQUE_MISSING + min(3, mq + mj) - 1]
                note(x, slot, 0.0, worth, v * chance if bound_queens < need else 0.0)


@kernel(inline_always=True)
def has_trump_quartets(f, points):
    """Whether four or five of a kind in trumps score in this game now."""
    return f.trump != NO_SUIT and (points[1, FOUR_TRUMP] > 0 or points[1, FOUR_TRUMP + 4] > 0)


@kernel(inner=True)
def prospects(f, points, w, hand, x):
    """Write every slot."""
    for k in range(3 * 32):
        x[READY + k] = 0.0
    beziques(f, points, w, -1, hand, x)
    for k in range(5):
        quartet(f, points, w, k, -1, hand, x)
        if has_trump_quartets(f, points):
            trump_quartet(f, points, w, k, -1, hand, x)
    for suit in range(4):
        sequence(f, points, w, suit, -1, hand, x)
        marriage(f, points, w, suit, -1, hand, x)


@kernel(inner=True)
def prospects_without(f, points, w, card, gone, hand, x):
    """Write the slots again to which a card can belong that has left the hand or the place ``gone``."""
    rank = card & 7
    suit = card >> 3
    if rank < JACK:
        return
    k = FOUR_PLACE[rank]
    quartet(f, points, w, k, gone, hand, x)
    sequence(f, points, w, suit, gone, hand, x)
    if rank in (KING, QUEEN):
        marriage(f, points, w, suit, gone, hand, x)
    if card == f.bezique_q or card == f.bezique_j:
        beziques(f, points, w, gone, hand, x)
    if suit == f.trump and has_trump_quartets(f, points):
        trump_quartet(f, points, w, k, gone, hand, x)


@kernel(inner=True)
def ladder(action):
    """Return (ladder, rung) of a declaration, ladder -1 for none: after a higher rung its cards cannot serve lower."""
    if action < SEQUENCE:
        return action - MARRIAGE, 0
    if action < BEZIQUE:
        return action - SEQUENCE, 1
    if action < FOUR:
        return 4, action - BEZIQUE
    if FOUR_TRUMP <= action < FIVE_TRUMP:
        return 5 + action - FOUR_TRUMP, 0
    if FIVE_TRUMP <= action < SEVEN_SCORE:
        return 5 + action - FIVE_TRUMP, 1
    return -1, 0
