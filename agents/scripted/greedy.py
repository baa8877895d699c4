"""Takes what scores most now: declares at once, catches aces and tens cheaply, throws its least useful card.

One compiled function over VIEW records and masks. Deterministic; of equals the lowest action id.
It knows nothing of the rules but what view and mask show, so it plays every preset.
"""

from __future__ import annotations

import numpy as np

from agents.protocol import Actions, Keys, Masks, Views
from agents.scripted.values import (
    BRISQUE_POINTS,
    DECLARATION_POINTS,
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
    ROYAL_MARRIAGE_POINTS,
)
from bezique_env.cards import JACK, KING, NO_CARD, NO_SUIT, QUEEN, TEN
from bezique_env.engine.actions import (
    EXCHANGE,
    FIVE_TRUMP,
    MARRIAGE,
    NUM_ACTIONS,
    PASS,
    PLAY_TABLE,
    SEQUENCE,
)
from bezique_env.engine.cache import kernel
from bezique_env.engine.state import (
    DECLARE,
    ENDGAME_FOLLOW,
    ENDGAME_LEAD,
    FOLLOW,
    USED_BEZIQUE,
    USED_DOUBLE,
    USED_FOUR,
    USED_MARRIAGE,
    USED_NOW,
    USED_SEQUENCE,
)

_NEVER = -1_000_000


@kernel(inline_always=True)
def held(v, seat, card):
    """Copies of a card that the seat has, hand and table."""
    return np.int64(v.hand[card]) + np.int64(v.table_count[seat, card])


@kernel(inline_always=True)
def in_reach(v, seat, card):
    """Copies that the seat has or may still draw."""
    return held(v, seat, card) + np.int64(v.unseen[card]) + (1 if v.turn_up == card else 0)


@kernel(inline_always=True)
def wins(trump, led, card):
    """Whether a card takes the trick led with another (an equal card does not)."""
    if card >> 3 == led >> 3:
        return card > led
    return card >> 3 == trump


@kernel
def declare(v, mask):
    """Choose in the declaring window: what scores most; nothing that only lays cards."""
    seat = np.int64(v.seat)
    scores = v.declared == 0
    if not scores:  # a second declaration scores only where a window takes many; the used copies show that
        for t in range(v.table_n[seat]):
            if v.table_uses[seat, t] & USED_NOW:
                scores = True
    best = PASS if mask[PASS] != 0 else -1
    most = 0
    for a in range(MARRIAGE, PASS):
        if mask[a] == 0:
            continue
        points = DECLARATION_POINTS[a]
        if a < SEQUENCE and (a - MARRIAGE == v.trump or v.trump == NO_SUIT):
            points = ROYAL_MARRIAGE_POINTS
        elif a == EXCHANGE:
            points += EXCHANGE_RANK[v.turn_up & 7]
        if a < FIVE_TRUMP + 5 and not scores:
            continue
        if points > most or best < 0:
            most = points
            best = a
    return best


@kernel
def keep_value(v, seat, card, uses, quartets):
    """What a copy is worth keeping, in points, from what it has not served for and what can still come.

    ``uses``: the marks of the copy; ``quartets``: copies by rank that may still serve in a quartet.
    """
    suit = card >> 3
    rank = card & 7
    trump = np.int64(v.trump)
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
                if held(v, seat, base + r) > 0:
                    others += 1
                elif in_reach(v, seat, base + r) == 0:
                    alive = False
        if alive:
            value += KEEP_SEQUENCE + KEEP_SEQUENCE_STEP * others
    if rank in (KING, QUEEN) and uses & (USED_MARRIAGE | USED_SEQUENCE) == 0:
        partner = base + (KING + QUEEN - rank)
        worth = 0
        if held(v, seat, partner) > 0:
            worth = KEEP_MARRIAGE + KEEP_MARRIAGE_PARTNER
        elif in_reach(v, seat, partner) > 0:
            worth = KEEP_MARRIAGE
        value += worth * (KEEP_ROYAL if suit == trump or trump == NO_SUIT else 1)
    if card == v.bezique_q or card == v.bezique_j:
        partner = np.int64(v.bezique_j) if card == v.bezique_q else np.int64(v.bezique_q)
        if uses & USED_BEZIQUE == 0 and uses & USED_DOUBLE == 0 and in_reach(v, seat, partner) > 0:
            value += KEEP_BEZIQUE + (KEEP_BEZIQUE_PARTNER if held(v, seat, partner) > 0 else 0)
        elif uses & USED_DOUBLE == 0 and in_reach(v, seat, partner) > 1 and in_reach(v, seat, card) > 1:
            value += KEEP_BEZIQUE + KEEP_BEZIQUE_PARTNER
    if uses & USED_FOUR == 0:
        near = 0
        for s in range(4):
            near += np.int64(v.unseen[8 * s + rank])
        have = quartets[rank]
        if have + near >= 4 and have > 0:
            value += KEEP_QUARTET[rank, min(have, 4) - 1]
    return value


@kernel
def played_uses(v, seat, card):
    """Marks of the table copy that ``play ... table`` plays: the one with the most, then the earliest laid."""
    marks = np.int64(0)
    most = -1
    for t in range(v.table_n[seat]):
        if v.table_card[seat, t] == card:
            count = 0
            bits = np.int64(v.table_uses[seat, t]) & (USED_NOW - 1)
            left = bits
            while left:
                count += left & 1
                left >>= 1
            if count > most:
                most = count
                marks = bits
    return marks


@kernel
def play(v, mask, quartets):
    """Choose a card in the stock phase."""
    seat = np.int64(v.seat)
    for r in range(8):
        quartets[r] = 0
    for c in range(32):
        quartets[c & 7] += v.hand[c]
    for t in range(v.table_n[seat]):
        if v.table_uses[seat, t] & USED_FOUR == 0:
            quartets[v.table_card[seat, t] & 7] += 1
    following = v.phase == FOLLOW
    led = np.int64(v.trick_card[1 - seat]) if following else np.int64(NO_CARD)
    trump = np.int64(v.trump)
    best = np.int64(-1)
    most = np.int64(_NEVER)
    for a in range(2 * PLAY_TABLE):
        if mask[a] == 0:
            continue
        card = np.int64(a & 31)
        marks = np.int64(0)
        if a >= PLAY_TABLE:
            marks = played_uses(v, seat, card)
        value = -keep_value(v, seat, card, marks, quartets)
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
def unbeaten(v, seat, card):
    """Whether no card of the other seat beats a led one (with the stock gone, what is unseen is there)."""
    other = 1 - seat
    suit = card >> 3
    follows = False
    for c in range(8 * suit, 8 * suit + 8):
        if v.unseen[c] + v.known[other, c] > 0:
            if c > card:
                return False
            follows = True
    trump = np.int64(v.trump)
    if follows or suit == trump or trump == NO_SUIT:
        return True
    trumps = 0
    for c in range(8 * trump, 8 * trump + 8):
        trumps += v.unseen[c] + v.known[other, c]
    return trumps == 0


@kernel
def play_endgame(v, mask):
    """Choose a card with the stock gone: masters, brisques first; else the lowest, plain suits before trumps."""
    seat = np.int64(v.seat)
    trump = np.int64(v.trump)
    led = np.int64(v.trick_card[1 - seat]) if v.phase == ENDGAME_FOLLOW else np.int64(NO_CARD)
    best = np.int64(-1)
    most = np.int64(_NEVER)
    for card in range(PLAY_TABLE):
        if mask[card] == 0:
            continue
        own = BRISQUE_POINTS if card & 7 >= TEN else 0
        value = -(card & 7) - (8 if card >> 3 == trump else 0)
        if led == NO_CARD:
            if unbeaten(v, seat, np.int64(card)):
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


@kernel
def first_legal(mask):
    """The lowest legal action, -1 where there is none."""
    for a in range(NUM_ACTIONS):
        if mask[a] != 0:
            return a
    return -1


@kernel
def choose_greedy(views, masks, actions):
    """Write the choice of every row; -1 where no action is legal."""
    quartets = np.zeros(8, np.int64)
    for i in range(views.shape[0]):
        v = views[i]
        mask = masks[i]
        phase = v.phase
        if first_legal(mask) < 0:
            actions[i] = -1
        elif phase <= FOLLOW:
            actions[i] = play(v, mask, quartets)
        elif phase == DECLARE:
            actions[i] = declare(v, mask)
        elif phase in (ENDGAME_LEAD, ENDGAME_FOLLOW):
            actions[i] = play_endgame(v, mask)
        else:
            actions[i] = first_legal(mask)


class GreedyAgent:
    """Best declaration at once, cheap captures, otherwise the least useful card."""

    name = "greedy"

    def act(self, views: Views, masks: Masks, keys: Keys) -> Actions:
        """Return one legal action for every row; see :mod:`agents.protocol`."""
        actions = np.empty(len(masks), np.int64)
        choose_greedy(views, masks, actions)
        return actions
