"""The last tricks of the Belote family over every hand that the other seat may hold (H32): counting, finished exactly.

For every hand that agrees with the plays so far the rest of the deal is played out by both seats at their best,
with all cards open, and paid as the rules settle it; the card with the best mean is taken. Where the view leaves
nothing open there is one such hand, and the play is exact.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bezique_env.engine.belote.kernels import PAIR, STRONGER_TRUMPS, beats, card_points, settle_deal
from bezique_env.engine.belote.state import DECK, FOLLOW
from bezique_env.engine.cache import kernel
from bezique_env.rules.belote import index as ix

MOST_CARDS = 3
"""Cards of the other hand up to which the rest of a deal is played out."""
FAR = 1 << 40
"""More than any deal pays."""


class Ending(NamedTuple):
    """What the end of a deal is paid by; int64 all but the rules.

    Attributes:
        rules: the vector of the rules.
        trump: suit.
        takes: 1 where the seat to act is the taker.
        taker_pair: points of the taker's pair that is paid.
        taker_to_come: points of the taker's pair that he may still announce, or keep silent about.
        held: points of earlier, tied deals.
        own_waiting: points of declarations that wait for a trick of the seat to act.
        other_waiting: likewise of the other seat.
    """

    rules: Any
    trump: Any
    takes: Any
    taker_pair: Any
    taker_to_come: Any
    held: Any
    own_waiting: Any
    other_waiting: Any


@kernel(inner=True)
def replies(trump, hand, led):
    """Return the cards of a hand with which a led card may be answered (section 2.7)."""
    same = hand & (np.int64(255) << (8 * (led >> 3)))
    trumps = np.int64(255) << (8 * trump)
    if same == 0:
        return hand & trumps if hand & trumps else hand
    if led >> 3 == trump:
        over = hand & (STRONGER_TRUMPS[led & 7] << (8 * trump))
        return over if over else same
    return same


@kernel(inner=True)
def pays(e, own_hand, other_hand, leads, own, other, own_tricks, other_tricks):
    """Return what a played deal pays the seat to act above the other."""
    last = e.rules[ix.VALUE_LAST_TRICK]
    own += last if leads else 0
    other += 0 if leads else last
    if own_tricks:
        own += e.own_waiting
    else:
        other += e.rules[ix.ALL_TRICKS_BONUS]
    if other_tricks:
        other += e.other_waiting
    else:
        own += e.rules[ix.ALL_TRICKS_BONUS]
    made, against = (own, other) if e.takes else (other, own)
    taker, opponent, _ = settle_deal(e.rules, made, against, e.taker_pair, e.held)
    value = taker - opponent
    if e.taker_to_come:
        made += e.taker_to_come
        taker, opponent, _ = settle_deal(e.rules, made, against, e.taker_pair + e.taker_to_come, e.held)
        value = max(value, taker - opponent)
    return value if e.takes else -value


def _tricks_before(rest: Any) -> Any:
    """Return the kernel that plays one trick at its best and then goes on with another kernel."""

    @kernel(inner=True)
    def trick(e, own_hand, other_hand, leads, own, other, own_tricks, other_tricks):
        first = own_hand if leads else other_hand
        second = other_hand if leads else own_hand
        best = -FAR
        for led in range(DECK):
            if (first >> led) & 1 == 0:
                continue
            least = FAR
            answers = replies(e.trump, second, led)
            for card in range(DECK):
                if (answers >> card) & 1 == 0:
                    continue
                points = card_points(e.trump, led) + card_points(e.trump, card)
                mine = (leads != 0) != beats(e.trump, led, card)
                value = rest(
                    e,
                    own_hand & ~(np.int64(1) << (led if leads else card)),
                    other_hand & ~(np.int64(1) << (card if leads else led)),
                    np.int64(mine),
                    own + (points if mine else 0),
                    other + (0 if mine else points),
                    own_tricks + (1 if mine else 0),
                    other_tricks + (0 if mine else 1),
                )
                least = min(least, value if leads else -value)
                if least <= best:
                    break
            best = max(best, least)
        return best if leads else -best

    return trick


one_trick = _tricks_before(pays)
two_tricks = _tricks_before(one_trick)


@kernel(inner=True)
def plays_out(e, cards, own_hand, other_hand, leads, own, other, own_tricks, other_tricks):
    """Return what the rest of a deal with up to two cards a hand pays at its best."""
    if cards == 0:
        return pays(e, own_hand, other_hand, leads, own, other, own_tricks, other_tricks)
    if cards == 1:
        return one_trick(e, own_hand, other_hand, leads, own, other, own_tricks, other_tricks)
    return two_tricks(e, own_hand, other_hand, leads, own, other, own_tricks, other_tricks)


@kernel(inner=True)
def pair_to_come(rules, hand, pair, paid, said):
    """Return the points of a pair that its seat will still announce; ``pair`` is 0 for a seat that was not dealt it."""
    held = hand & pair
    if paid or held == 0:
        return np.int64(0)
    if held != pair:
        deadline = rules[ix.BELOTE_CALL_DEADLINE]
        if rules[ix.BELOTE_AUTO] == ix.YES or deadline == ix.DEADLINE_FIRST:
            return np.int64(0)
        if deadline == ix.DEADLINE_BOTH and said == 0:
            return np.int64(0)
    return rules[ix.VALUE_PAIR]


@kernel(inner=True)
def number_of_hands(f):
    """Return how many hands the other seat may hold, of those up to a few cards."""
    total = np.int64(1)
    for k in range(f.hidden):
        total = total * (f.size - k) // (k + 1)
    return total


@kernel(inner=True)
def choose_last_card(f, mask, rules, scratch):
    """Return the card with the best mean over all hands of the other seat; those that it holds for certain included.

    Writes into the first 64 places of both parts of the scratch.
    """
    pool = scratch.whole
    means = scratch.real
    pair = np.int64(PAIR) << (8 * f.trump)
    n = 0
    for card in range(DECK):
        means[card] = 0.0
        if (f.pool >> card) & 1:
            pool[n] = card
            n += 1
    takes = np.int64(f.taker == f.seat)
    own_pair = pair if (f.hand | f.own_played) & pair == pair else np.int64(0)
    own_to_come = pair_to_come(rules, f.hand, own_pair, f.own_paid, f.own_said)
    own = np.int64(f.scores[f.seat]) + (0 if takes else own_to_come)
    paid = f.own_paid if takes else f.other_paid
    taker_pair = rules[ix.VALUE_PAIR] if paid else np.int64(0)
    left = f.cards - 1
    chosen = (np.int64(1) << f.hidden) - 1
    while chosen < np.int64(1) << n:
        hand = f.known
        for k in range(n):
            if (chosen >> k) & 1:
                hand |= np.int64(1) << pool[k]
        other_pair = pair if (hand | f.other_played) & pair == pair else np.int64(0)
        to_come = pair_to_come(rules, hand, other_pair, f.other_paid, f.other_said)
        other = np.int64(f.scores[1 - f.seat]) + (to_come if takes else 0)
        e = Ending(
            rules,
            f.trump,
            takes,
            taker_pair,
            own_to_come if takes else to_come,
            f.held,
            f.own_waiting,
            f.other_waiting,
        )
        for card in range(DECK):
            if mask[card] == 0:
                continue
            rest = f.hand & ~(np.int64(1) << card)
            if f.phase == FOLLOW:
                points = card_points(f.trump, f.led) + card_points(f.trump, card)
                mine = beats(f.trump, f.led, card)
                means[card] += plays_out(
                    e,
                    left,
                    rest,
                    hand,
                    np.int64(mine),
                    own + (points if mine else 0),
                    other + (0 if mine else points),
                    f.own_tricks + (1 if mine else 0),
                    f.other_tricks + (0 if mine else 1),
                )
                continue
            answers = replies(f.trump, hand, card)
            least = FAR
            for reply in range(DECK):
                if (answers >> reply) & 1 == 0:
                    continue
                points = card_points(f.trump, card) + card_points(f.trump, reply)
                mine = not beats(f.trump, card, reply)
                value = plays_out(
                    e,
                    left,
                    rest,
                    hand & ~(np.int64(1) << reply),
                    np.int64(mine),
                    own + (points if mine else 0),
                    other + (0 if mine else points),
                    f.own_tricks + (1 if mine else 0),
                    f.other_tricks + (0 if mine else 1),
                )
                least = min(least, value)
            means[card] += least
        if chosen == 0:
            break
        lowest = chosen & -chosen
        ripple = chosen + lowest
        chosen = (((chosen ^ ripple) >> 2) // lowest) | ripple
    best = np.int64(-1)
    for card in range(DECK):
        if mask[card] and (best < 0 or means[card] > means[best]):
            best = np.int64(card)
    return best
