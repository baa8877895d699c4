"""Greedy play where melds are made from the cards won, which lie open (Fildinski).

A trick is worth its brisques and what its cards add to the open cards of whoever takes it: the cards of both
seats are seen, so what the other side would gain is counted like what one gains oneself.
"""

from __future__ import annotations

import numpy as np

from agents.scripted.facts import chance_unbeaten, wins
from bezique_env.cards import NO_CARD, NO_SUIT
from bezique_env.engine.bezique.actions import BEZIQUE, EXCHANGE, FOUR, MARRIAGE, PASS, PLAY_TABLE, SEQUENCE
from bezique_env.engine.bezique.state import (
    FOLLOW,
    USED_BEZIQUE,
    USED_DOUBLE,
    USED_FOUR,
    USED_MARRIAGE,
    USED_SEQUENCE,
)
from bezique_env.engine.cache import kernel
from bezique_env.rules.bezique.cards import JACK, KING, QUEEN, SEVEN, TEN

FOUR_PLACE = np.array([-1, -1, -1, 4, 3, 2, -1, 0], np.int64)
"""Place of a rank among the quartets; plain tens count by an option only that no view tells."""

# Judgement: parts of a meld's points that a card is worth, by how many of its other cards lie there unused.
TOWARDS_SEQUENCE = np.array([0.01, 0.04, 0.12, 0.35, 1.0], np.float64)
TOWARDS_FOUR = np.array([0.03, 0.12, 0.35, 1.0], np.float64)
TOWARDS_PAIR = np.array([0.25, 1.0], np.float64)
TOWARDS_DOUBLE = np.array([0.01, 0.04, 0.2, 1.0], np.float64)
LATER = 0.9
"""Factor of what is not complete yet, while many tricks remain."""

# What a card is worth as a winner of later tricks, in points, by its rank (7 8 9 J Q K T A).
STRENGTH = np.array([0, 0, 1, 2, 3, 4, 6, 8], np.float64)
TRUMP_STRENGTH = 9.0


@kernel(inline_always=True)
def unused(f, seat, card, marks):
    """Open copies of a card at a seat that have served in none of the kinds marked."""
    count = 0
    if f.table_count[seat, card] > 0:
        for t in range(np.int64(f.table_n[seat])):
            if f.table_card[seat, t] == card and np.int64(f.table_uses[seat, t]) & marks == 0:
                count += 1
    return count


@kernel(inline_always=True)
def may_come(f, seat, card):
    """Whether a card may still be won: it is in a hand or in the stock."""
    return (
        np.int64(f.unseen[card])
        + np.int64(f.known[0, card])
        + np.int64(f.known[1, card])
        + np.int64(f.hand[card])
        + (1 if f.turn_up == card else 0)
        > 0
    )


@kernel(inner=True)
def sequence_others(f, seat, card, mate):
    """Return (other cards of the sequence of a card that lie unused, whether those that do not may still come)."""
    first = (card & ~7) + JACK
    others = 0
    alive = True
    for other in range(first, first + 8 - JACK):
        if other != card:
            if unused(f, seat, other, USED_SEQUENCE) > 0 or mate == other:
                others += 1
            elif not may_come(f, seat, other):
                alive = False
    return others, alive


@kernel(inner=True)
def double_others(f, seat, card, partner):
    """Return (unused cards of a double bezique beside a card of it, whether those that lack may still come)."""
    same = unused(f, seat, card, USED_DOUBLE)
    partners = unused(f, seat, partner, USED_DOUBLE)
    alive = (same > 0 or may_come(f, seat, card)) and (partners > 1 or may_come(f, seat, partner))
    return min(1, same) + min(2, partners), alive


@kernel(inner=True)
def quartet_others(f, seat, rank):
    """Return (unused cards of a rank, those that may still be won)."""
    others = 0
    left = 0
    for s in range(4):
        other = 8 * s + rank
        others += unused(f, seat, other, USED_FOUR)
        left += (
            np.int64(f.unseen[other])
            + np.int64(f.known[0, other])
            + np.int64(f.known[1, other])
            + np.int64(f.hand[other])
        )
    return others, left


@kernel(inner=True)
def open_worth(f, points, seat, card, mate):
    """Return what a card won is worth to a seat as an open card, in points.

    ``mate``: the other card of the trick, which lies there too; NO_CARD leaves it out.
    """
    suit = card >> 3
    rank = card & 7
    trump = f.trump
    worth = 0.0
    tricks = np.float64(f.stock_left) / 2.0
    later = LATER * tricks / (tricks + 3.0)
    royal = 1 if suit == trump or trump == NO_SUIT else 0
    if rank in (KING, QUEEN):
        partner = 8 * suit + (KING + QUEEN - rank)
        value = points[royal, MARRIAGE + suit]
        if unused(f, seat, partner, USED_MARRIAGE | USED_SEQUENCE) > 0 or mate == partner:
            worth += value
        elif may_come(f, seat, partner):
            worth += later * TOWARDS_PAIR[0] * value
    if royal == 1 and rank >= JACK:
        others, alive = sequence_others(f, seat, card, mate)
        if alive:
            worth += points[1, SEQUENCE + suit] * TOWARDS_SEQUENCE[others] * (1.0 if others == 4 else later)
    if card == f.bezique_q or card == f.bezique_j:
        partner = f.bezique_j if card == f.bezique_q else f.bezique_q
        fresh = unused(f, seat, partner, USED_BEZIQUE | USED_DOUBLE)
        if fresh > 0 or mate == partner:
            worth += points[0, BEZIQUE]
        elif may_come(f, seat, partner):
            worth += later * TOWARDS_PAIR[0] * points[0, BEZIQUE]
        there, alive = double_others(f, seat, card, partner)
        if there == 3:
            worth += points[0, BEZIQUE + 1]
        elif alive:
            worth += later * TOWARDS_DOUBLE[there] * points[0, BEZIQUE + 1]
    if FOUR_PLACE[rank] >= 0:
        others, left = quartet_others(f, seat, rank)
        others = min(3, others)
        value = points[0, FOUR + FOUR_PLACE[rank]]
        if others == 3:
            worth += value
        elif others + left >= 3:
            worth += later * value * TOWARDS_FOUR[others]
    return worth


@kernel(inner=True)
def trick_worth(f, points, seat, card, mate, brisque):
    """Return what a card of a trick is worth to the seat that takes it."""
    worth = open_worth(f, points, seat, card, mate)
    if card & 7 >= TEN:
        worth += brisque
    if card & 7 == SEVEN and card >> 3 == f.trump:
        worth += points[0, EXCHANGE]
        if f.turn_up != NO_CARD and f.turn_up & 7 != SEVEN:
            worth += open_worth(f, points, seat, f.turn_up, np.int64(NO_CARD))
    return worth


@kernel(inner=True)
def play_open(f, mask, points, brisque):
    """Choose a card in the stock phase."""
    seat = f.seat
    other = 1 - seat
    best = np.int64(-1)
    most = 0.0
    for card in range(PLAY_TABLE):
        if mask[card] == 0:
            continue
        card = np.int64(card)
        value = -STRENGTH[card & 7]
        if card >> 3 == f.trump:
            value -= TRUMP_STRENGTH
        if f.phase == FOLLOW:
            taker = seat if wins(f.trump, f.led, card) else other
            trick = trick_worth(f, points, taker, card, f.led, brisque)
            trick += trick_worth(f, points, taker, f.led, np.int64(NO_CARD), brisque)
            value += trick if taker == seat else -trick
        else:
            chance = chance_unbeaten(f, card)
            value += chance * trick_worth(f, points, seat, card, np.int64(NO_CARD), brisque)
            value -= (1.0 - chance) * trick_worth(f, points, other, card, np.int64(NO_CARD), brisque)
        if best < 0 or value > most:
            most = value
            best = card
    return best


@kernel(inner=True)
def declare_open(f, mask, points):
    """Choose in the declaring window: what scores most, for every declaration there is scores."""
    best = np.int64(PASS if mask[PASS] != 0 else -1)
    most = np.int64(-1)
    for a in range(MARRIAGE, PASS):
        if mask[a] != 0:
            value = points[1 if a < BEZIQUE and ((a - MARRIAGE) & 3) == f.trump else 0, a]
            if value > most:
                most = value
                best = np.int64(a)
    return best
