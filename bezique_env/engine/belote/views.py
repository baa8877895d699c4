"""What a seat may know of a game, and games that a seat cannot tell from its own.

:func:`project` is the only way from a state to anything seen. :func:`resample` goes back from a view to a full
state; the truth is never an input of it.
"""

from __future__ import annotations

import numpy as np

from bezique_env.engine.belote.declarations import declarations
from bezique_env.engine.belote.kernels import PAIR, bit, first_packets
from bezique_env.engine.belote.state import (
    ANNOUNCE,
    CONTESTS,
    DECK,
    EXCHANGE,
    KEY_SHIFTS,
    MAX_BIDS,
    MAX_EVENTS,
    SAID_NOTHING,
    SAID_VALUE,
    SEATS,
    STEP_ANNOUNCE,
    STEP_EXCHANGE_AGAIN,
    TO_DEALER,
    TO_ELDER,
)
from bezique_env.engine.cache import kernel
from bezique_env.engine.common import BETWEEN_DEALS, NO_TRUMP, NONE, PUBLIC
from bezique_env.engine.rng import bounded, next_u64, shuffle
from bezique_env.rules.belote import index as ix

WORK_ROWS, WORK_COLUMNS = 2, 32
"""Shape of the uint8 scratch of :func:`resample`: the cards that no place holds, the hand drawn from them."""


@kernel(inner=True)
def copy_public(a, b):
    """Copy the fields that everyone may know, from a state to a view or back."""
    for s in range(SEATS):
        b.scores[s] = a.scores[s]
        b.known[s] = a.known[s]
        b.absent[s] = a.absent[s]
        b.played[s] = a.played[s]
        b.won[s] = a.won[s]
        b.tricks[s] = a.tricks[s]
        b.pair_said[s] = a.pair_said[s]
        b.pair_paid[s] = a.pair_paid[s]
        b.trick_card[s] = a.trick_card[s]
    for c in range(CONTESTS):
        b.said[c] = a.said[c]
        b.shown[c] = a.shown[c]
        b.declared[c] = a.declared[c]
        b.stage[c] = a.stage[c]
        b.outcome[c] = a.outcome[c]
        b.paid[c] = a.paid[c]
    for k in range(MAX_BIDS):
        b.bids[k] = a.bids[k]
    b.bids_n = a.bids_n
    b.held = a.held
    b.deal_no = a.deal_no
    b.redeals = a.redeals
    b.round = a.round
    b.naming = a.naming
    b.saying = a.saying
    b.step = a.step
    b.late_exchange = a.late_exchange
    b.exchanged = a.exchanged
    b.taker = a.taker
    b.bottom = a.bottom
    b.episode = a.episode
    b.draws = a.draws
    b.dealer = a.dealer
    b.leader = a.leader
    b.to_act = a.to_act
    b.trump = a.trump
    b.turn_up = a.turn_up
    b.given = a.given
    b.winner = a.winner
    b.phase = a.phase


@kernel(inline_always=True)
def place_of(rules, dealer, k):
    """Return who is dealt the k-th card: a seat, or 255 for the turn-up and what stays in the pack."""
    elder = 1 - dealer
    first = first_packets(rules)
    more = rules[ix.MORE_CARDS]
    if k < first:
        return elder if (k // more) & 1 == 0 else 1 - elder
    if k == first or k > first + 2 * more:
        return np.int64(NONE)
    return elder if k <= first + more else 1 - elder


@kernel(inline_always=True)
def count(mask):
    """Return the number of cards of a mask."""
    total = np.int64(0)
    while mask:
        mask &= mask - 1
        total += 1
    return total


@kernel(inner=True)
def project_board(g, rules, seat, v):
    """Write the part of a view that an observation is made of."""
    copy_public(g, v)
    other = 1 - seat
    for s in range(SEATS):
        v.match_scores[s] = g.match_scores[s] + g.scores[s]
        v.concealed_n[s] = count(np.int64(g.hand[s]))
    v.hand = g.hand[seat]
    seen = np.int64(g.hand[seat]) | np.int64(g.known[other]) | np.int64(g.played[0]) | np.int64(g.played[1])
    seen |= bit(g.turn_up)
    if g.bottom != NONE:
        seen |= bit(g.bottom)
    v.unseen = rules[ix.KINDS] & ~seen
    v.seat = seat


@kernel(inner=True)
def project(g, rules, seat, v):
    """Write what a seat may know into a view record. The only way from a state to anything seen."""
    project_board(g, rules, seat, v)
    dealer = np.int64(g.dealer)
    more = g.trump != NO_TRUMP
    first = first_packets(rules)
    for k in range(g.deck.shape[0]):
        own = place_of(rules, dealer, k) == seat and (more or k < first)
        shown = k == first or (k == rules[ix.KIND_COUNT] - 1 and more)
        v.deck[k] = g.deck[k] if own or shown else NONE


# ------------------------------------------------------------------------------------------- the lazy deck


@kernel(inner=True)
def dealt(g, rules, places, owners):
    """Write the places of the deck whose cards have come into play, ascending, and who got each.

    ``owners``: a seat, or 2 where everyone saw the card. Returns their number; none before the deck of a
    further hand is dealt. Both arrays are as long as the deck.
    """
    n = 0
    if g.phase == BETWEEN_DEALS:
        return n
    more = g.trump != NO_TRUMP
    first = first_packets(rules)
    for k in range(rules[ix.KIND_COUNT]):
        owner = place_of(rules, np.int64(g.dealer), k)
        shown = k == first or (k == rules[ix.KIND_COUNT] - 1 and more)
        if shown or (owner != NONE and (more or k < first)):
            places[n] = k
            owners[n] = PUBLIC if shown else owner
            n += 1
    return n


@kernel(inner=True)
def put_card(g, rules, place, card):
    """Set the card of a place that has not come into play; the caller keeps the deck a whole pack."""
    g.deck[place] = card


# -------------------------------------------------------------------------------------------- resampling


@kernel(inner=True)
def agrees(v, rules, other, hand):
    """Whether a hand of the other seat would have led to the dialogue that was heard and to what is asked now.

    ``hand`` is the hand with which it announced. Silence says nothing: a seat that took no part may hold
    anything, and so may a dealer who found elder's value good.
    """
    trump = np.int64(v.trump)
    is_elder = other != v.dealer
    own_win = TO_ELDER if is_elder else TO_DEALER
    heard = False  # whether the seat is known to have announced, so that it took part in every contest
    for c in range(CONTESTS):
        if is_elder:
            heard |= v.stage[c] > SAID_NOTHING
        else:
            heard |= v.stage[c] > SAID_VALUE or v.outcome[c] > TO_ELDER
    for c in range(CONTESTS if heard else 0):
        outcome = np.int64(v.outcome[c])
        own, points, cards = declarations(hand, rules, trump, c)
        if outcome == own_win:
            if points != v.declared[c]:
                return False
            if rules[ix.SHOW_WINNING_SEQUENCES] == ix.YES and cards != v.shown[c]:
                return False
        if v.stage[c] == SAID_NOTHING:  # elder had nothing to say, or said nothing
            if own > 0 and outcome != own_win:
                return False
            continue
        step = np.int64(v.stage[c]) - SAID_VALUE
        shift = KEY_SHIFTS[step]
        mine = own >> shift
        said = np.int64(v.said[c]) >> shift
        if is_elder:
            if mine != said:
                return False
            continue
        if step > 0 and own >> KEY_SHIFTS[step - 1] != np.int64(v.said[c]) >> KEY_SHIFTS[step - 1]:
            return False
        if outcome == TO_DEALER and mine <= said:
            return False
        if outcome == TO_ELDER and (
            mine > said or (mine == said and shift > 0)
        ):  # by run_tie a tie is elder's
            return False
        if outcome > TO_DEALER and mine != said:
            return False
    if v.phase == ANNOUNCE and v.to_act == other:
        any_key = np.int64(0)
        for c in range(CONTESTS):
            key, _, _ = declarations(hand, rules, trump, c)
            any_key |= key
        if any_key == 0:
            return False
    return True


@kernel(inner=True)
def resample(v, g, rules, key, work, tmp):
    """Write into ``g`` a state drawn from the deals that agree with the view, each deck equally likely.

    Hands of the other seat are proposed uniformly from the cards that its plays do not deny and kept when
    they agree with the dialogue of the announcements; then its cards go to its places of the deck, and the
    rest of the pack is shuffled. ``work`` is uint8 scratch of shape (WORK_ROWS, WORK_COLUMNS).
    """
    copy_public(v, g)
    seat = np.int64(v.seat)
    other = 1 - seat
    dealer = np.int64(v.dealer)
    trump = np.int64(v.trump)
    first = first_packets(rules)
    pool = work[0]
    places = work[1]
    for s in range(SEATS):
        g.match_scores[s] = v.match_scores[s] - v.scores[s]
        g.announced[s] = 0
    for k in range(MAX_EVENTS):
        g.ev_points[k] = 0
        g.ev_seat[k] = 0
        g.ev_what[k] = 0
    g.ev_n = 0
    g.steps = 0
    g.manual = 0
    asked_seven = v.phase == EXCHANGE and v.to_act == other
    fixed = np.int64(v.known[other])
    if asked_seven:
        fixed |= bit(8 * trump)
    possible = np.int64(v.unseen) & ~np.int64(v.absent[other]) & ~fixed
    n = 0
    for c in range(DECK):
        if (possible >> c) & 1:
            pool[n] = c
            n += 1
    drawn = np.int64(v.concealed_n[other]) - count(fixed)
    hand = fixed
    while True:
        hand = fixed
        for k in range(drawn):
            key, j = bounded(key, n - k)
            j += k
            card = pool[k]
            pool[k] = pool[j]
            pool[j] = card
            hand |= bit(pool[k])
        then = hand | np.int64(v.played[other])
        if v.late_exchange and v.exchanged == other:
            then ^= bit(8 * trump) | bit(v.deck[first])
        if agrees(v, rules, other, then):
            break
    g.hand[seat] = v.hand
    g.hand[other] = hand
    # What the other seat was dealt, then what stayed in the pack, in any order.
    dealt = hand | np.int64(v.played[other])
    if v.exchanged == other:
        dealt ^= bit(8 * trump) | bit(v.deck[first])
    n = 0
    for c in range(DECK):
        if (dealt >> c) & 1:
            places[n] = c
            n += 1
    key = shuffle(places, np.int64(n), key)
    first_six = rules[ix.EXCHANGE_SEVEN_FROM] == ix.FROM_FIRST_SIX and (asked_seven or v.exchanged == other)
    if first_six:
        for k in range(first // 2, n):
            if places[k] == 8 * trump:
                key, j = bounded(key, first // 2)
                places[k] = places[j]
                places[j] = 8 * trump
                break
    rest = rules[ix.KINDS] & ~dealt
    for k in range(g.deck.shape[0]):
        if v.deck[k] != NONE:
            rest &= ~bit(v.deck[k])
    m = 0
    for c in range(DECK):
        if (rest >> c) & 1:
            pool[m] = c
            m += 1
    key = shuffle(pool, np.int64(m), key)
    given = 0
    left = 0
    more = v.trump != NO_TRUMP
    for k in range(rules[ix.KIND_COUNT], g.deck.shape[0]):
        g.deck[k] = 0
    for k in range(rules[ix.KIND_COUNT]):
        if v.deck[k] != NONE:
            g.deck[k] = v.deck[k]
        elif place_of(rules, dealer, k) == other and (more or k < first):
            g.deck[k] = places[given]
            given += 1
        else:
            g.deck[k] = pool[left]
            left += 1
    pair = np.int64(PAIR) << (8 * trump) if more else np.int64(0)
    g.pair_seat = NONE
    if more:
        for s in range(SEATS):
            held = np.int64(g.hand[s]) | np.int64(g.played[s])
            if held & pair == pair:
                g.pair_seat = s
    # The announcements under way: what elder has said is all that the comparison to come needs.
    elder = 1 - dealer
    if v.step > STEP_ANNOUNCE and v.step < STEP_EXCHANGE_AGAIN:
        g.announced[elder] = 1 if v.stage[0] + v.stage[1] > 0 else 0
    key, g.seed = next_u64(key)
