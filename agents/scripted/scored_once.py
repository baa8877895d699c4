"""Greedy play where a copy serves once in each kind of meld (two packs): cheap captures, else the least useful card."""

from __future__ import annotations

import numpy as np

from agents.scripted.facts import held, in_reach, played_place, wins
from agents.scripted.values import (
    BRISQUE_POINTS,
    EXCHANGE_RANK,
    KEEP_BEZIQUE,
    KEEP_BEZIQUE_PARTNER,
    KEEP_BRISQUE,
    KEEP_MARRIAGE,
    KEEP_MARRIAGE_PARTNER,
    KEEP_QUARTET,
    KEEP_RANK,
    KEEP_ROYAL,
    KEEP_SEQUENCE,
    KEEP_SEQUENCE_STEP,
    KEEP_TRUMP,
)
from bezique_env.cards import NO_CARD, NO_SUIT
from bezique_env.engine.bezique.actions import BEZIQUE, EXCHANGE, FIVE_TRUMP, MARRIAGE, PASS, PLAY_TABLE
from bezique_env.engine.bezique.state import (
    ENDGAME_FOLLOW,
    FOLLOW,
    USED_BEZIQUE,
    USED_DOUBLE,
    USED_FOUR,
    USED_MARRIAGE,
    USED_NOW,
    USED_SEQUENCE,
)
from bezique_env.engine.cache import kernel
from bezique_env.rules.bezique.cards import JACK, KING, QUEEN, TEN

_NEVER = -1_000_000


@kernel(inner=True)
def declare_once(f, mask, points):
    """Choose in the declaring window: what scores most; nothing that only lays cards."""
    seat = f.seat
    scores = f.declared == 0
    if not scores:  # a second declaration scores only where a window takes many; the used copies show that
        for t in range(np.int64(f.table_n[seat])):
            if f.table_uses[seat, t] & USED_NOW:
                scores = True
    best = np.int64(PASS if mask[PASS] != 0 else -1)
    most = np.int64(0)
    for a in range(MARRIAGE, PASS):
        if mask[a] == 0:
            continue
        royal = a < BEZIQUE and ((a - MARRIAGE) & 3 == f.trump or f.trump == NO_SUIT)
        value = points[1 if royal else 0, a]
        if a == EXCHANGE:
            value += EXCHANGE_RANK[f.turn_up & 7]
        if a < FIVE_TRUMP + 5 and not scores:
            continue
        if value > most or best < 0:
            most = value
            best = np.int64(a)
    return best


@kernel(inner=True)
def keep_value(f, seat, card, uses, quartets):
    """What a copy is worth keeping, in points, from what it has not served for and what can still come.

    ``uses``: the marks of the copy; ``quartets``: copies by rank that may still serve in a quartet.
    """
    suit = card >> 3
    rank = card & 7
    trump = f.trump
    value = KEEP_RANK[rank]
    if suit == trump:
        value += KEEP_TRUMP[rank]
    if rank >= TEN:
        value += KEEP_BRISQUE
    base = 8 * suit
    if suit == trump and rank >= JACK and uses & USED_SEQUENCE == 0:
        others = 0
        alive = True
        for r in range(JACK, 8):
            if r != rank:
                if held(f, seat, base + r) > 0:
                    others += 1
                elif in_reach(f, seat, base + r) == 0:
                    alive = False
        if alive:
            value += KEEP_SEQUENCE + KEEP_SEQUENCE_STEP * others
    if rank in (KING, QUEEN) and uses & (USED_MARRIAGE | USED_SEQUENCE) == 0:
        partner = base + (KING + QUEEN - rank)
        worth = 0
        if held(f, seat, partner) > 0:
            worth = KEEP_MARRIAGE + KEEP_MARRIAGE_PARTNER
        elif in_reach(f, seat, partner) > 0:
            worth = KEEP_MARRIAGE
        value += worth * (KEEP_ROYAL if suit == trump or trump == NO_SUIT else 1)
    if card == f.bezique_q or card == f.bezique_j:
        partner = f.bezique_j if card == f.bezique_q else f.bezique_q
        if uses & USED_BEZIQUE == 0 and uses & USED_DOUBLE == 0 and in_reach(f, seat, partner) > 0:
            value += KEEP_BEZIQUE + (KEEP_BEZIQUE_PARTNER if held(f, seat, partner) > 0 else 0)
        elif uses & USED_DOUBLE == 0 and in_reach(f, seat, partner) > 1 and in_reach(f, seat, card) > 1:
            value += KEEP_BEZIQUE + KEEP_BEZIQUE_PARTNER
    if uses & USED_FOUR == 0:
        near = 0
        for s in range(4):
            near += np.int64(f.unseen[8 * s + rank])
        have = quartets[rank]
        if have + near >= 4 and have > 0:
            value += KEEP_QUARTET[rank, min(have, 4) - 1]
    return value


@kernel(inner=True)
def play_once(f, mask, quartets):
    """Choose a card in the stock phase."""
    seat = f.seat
    for r in range(8):
        quartets[r] = 0
    for c in range(32):
        quartets[c & 7] += f.hand[c]
    for t in range(np.int64(f.table_n[seat])):
        if f.table_uses[seat, t] & USED_FOUR == 0:
            quartets[f.table_card[seat, t] & 7] += 1
    following = f.phase == FOLLOW
    led = f.led
    trump = f.trump
    best = np.int64(-1)
    most = np.int64(_NEVER)
    for a in range(2 * PLAY_TABLE):
        if mask[a] == 0:
            continue
        card = np.int64(a & 31)
        marks = np.int64(0)
        if a >= PLAY_TABLE:
            marks = np.int64(f.table_uses[seat, played_place(f, card)])
        value = -keep_value(f, seat, card, marks, quartets)
        own = BRISQUE_POINTS if card & 7 >= TEN else 0
        if not following:
            value -= own  # it may be caught
        elif wins(trump, led, card):
            if led & 7 >= TEN:
                value += 2 * BRISQUE_POINTS  # caught: the other side does not get it
            value += own
        else:
            value -= own
        if value > most:
            most = value
            best = a
    return best


@kernel(inline_always=True)
def unbeaten(f, seat, card):
    """Whether no card of the other seat beats a led one (with the stock gone, what is unseen is there)."""
    other = 1 - seat
    suit = card >> 3
    follows = False
    for c in range(8 * suit, 8 * suit + 8):
        if f.unseen[c] + f.known[other, c] > 0:
            if c > card:
                return False
            follows = True
    trump = f.trump
    if follows or suit == trump or trump == NO_SUIT:
        return True
    trumps = 0
    for c in range(8 * trump, 8 * trump + 8):
        trumps += f.unseen[c] + f.known[other, c]
    return trumps == 0


@kernel(inner=True)
def play_endgame(f, mask):
    """Choose a card with the stock gone: masters, brisques first; else the lowest, plain suits before trumps."""
    seat = f.seat
    trump = f.trump
    led = f.led if f.phase == ENDGAME_FOLLOW else np.int64(NO_CARD)
    best = np.int64(-1)
    most = np.int64(_NEVER)
    for card in range(PLAY_TABLE):
        if mask[card] == 0:
            continue
        own = BRISQUE_POINTS if card & 7 >= TEN else 0
        value = -(card & 7) - (8 if card >> 3 == trump else 0)
        if led == NO_CARD:
            if unbeaten(f, seat, np.int64(card)):
                value += 3 * BRISQUE_POINTS + own
            else:
                value -= 2 * own
        elif wins(trump, led, card):
            if led & 7 >= TEN:
                value += 2 * BRISQUE_POINTS
            value += 2 * own
        else:
            value -= 2 * own
        if value > most:
            most = value
            best = np.int64(card)
    return best
