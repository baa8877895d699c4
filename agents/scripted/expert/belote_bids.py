"""The auction of the expert of the Belote family: the worth of a hand, and what each action of the auction is worth."""

from __future__ import annotations

import numpy as np

from agents.scripted.expert import belote_weights as at
from agents.scripted.expert.belote_facts import COUNT
from bezique_env.engine.belote.actions import ACCEPT, NAME, PASS, PROPOSE, REFUSE
from bezique_env.engine.belote.declarations import RUN_VALUES
from bezique_env.engine.belote.kernels import PAIR, TRUMP_POINTS
from bezique_env.engine.cache import kernel
from bezique_env.rules.belote import index as ix

NINE, TEN, JACK, KING, ACE = 2, 3, 4, 6, 7


@kernel(inner=True)
def worth_of_trumps(w, ranks):
    """Return what the trumps of a hand are worth (H30).

    The jack and the nine win most tricks and most points; a nine without the jack and without company is caught by
    it; length wins the last tricks; king and queen bring their 20 points.
    """
    value = 0.0
    for rank in range(8):
        if (ranks >> rank) & 1:
            value += w[at.WORTH + rank]
    length = COUNT[ranks]
    if (ranks >> NINE) & 1 and not (ranks >> JACK) & 1 and length < 3:
        value += w[at.LONE_NINE]
    if length > 3:
        value += w[at.LONG_TRUMPS] * (length - 3)
    if (ranks >> JACK) & 1 and (ranks >> NINE) & 1:
        value += w[at.JACK_NINE]
    if ranks & PAIR == PAIR:
        value += w[at.PAIR_WORTH]
    return value


@kernel(inner=True)
def worth_of_side(w, ranks, trumps):
    """Return what the cards of a suit outside trumps are worth beside a number of trumps (H30).

    An ace wins its trick before it can be trumped, a ten behind its ace or behind a guard likewise; a suit without
    a card is trumped.
    """
    if ranks == 0:
        return w[at.VOID_WORTH] if trumps >= 3 else 0.0
    value = 0.0
    ace = (ranks >> ACE) & 1
    if ace:
        value += w[at.SIDE_ACE]
    if (ranks >> TEN) & 1:
        if ace:
            value += w[at.SIDE_ACE_TEN]
        elif ranks == 1 << TEN:
            value += w[at.SIDE_BARE_TEN]
        else:
            value += w[at.SIDE_GUARDED_TEN]
    if (ranks >> KING) & 1:
        value += w[at.SIDE_KING]
    return value


@kernel(inner=True)
def points_of_runs(rules, ranks):
    """Return the points of the sequences among the cards of a suit: a taker counts them towards what he needs."""
    points = np.int64(0)
    length = np.int64(0)
    for rank in range(9):
        if rank < 8 and (ranks >> rank) & 1:
            length += 1
            continue
        if length >= 3:
            points += RUN_VALUES[rules[ix.RUN_VALUES], min(length, 5) - 3]
        length = np.int64(0)
    return points


@kernel(inner=True)
def worth_of_turned(w, rules, hand, turn_up):
    """Return what the turned card adds to its suit as trump: whoever holds the seven gets it."""
    rank = turn_up & 7
    if rules[ix.EXCHANGE_SEVEN] != ix.EXCHANGE_OFF and (hand >> (turn_up - rank)) & 1:
        return w[at.EXCHANGE_WORTH] * TRUMP_POINTS[rank]
    return w[at.TURNED] * TRUMP_POINTS[rank]


@kernel(inner=True)
def worth(w, rules, hand, trump, turn_up):
    """Return the worth of a hand of the auction with a suit as trump, about the points that a taker makes with it."""
    trumps = (hand >> (8 * trump)) & 255
    value = worth_of_trumps(w, trumps)
    for suit in range(4):
        ranks = (hand >> (8 * suit)) & 255
        value += w[at.RUN_WORTH] * points_of_runs(rules, ranks)
        if suit != trump and (rules[ix.KINDS] >> (8 * suit)) & 255:
            value += worth_of_side(w, ranks, COUNT[trumps])
    if turn_up >> 3 == trump:
        value += worth_of_turned(w, rules, hand, turn_up)
    return value


@kernel(inline_always=True)
def leaning(w, place, first, second):
    """Return a weight, and the two behind it for each point of two worths."""
    return w[place] + w[place + 1] * first + w[place + 2] * second


@kernel(inner=True)
def value_of_bid(f, w, rules, action, turned, best, others):
    """Return the points that a seat expects of an action of the auction; an agreed new deal is worth 0.

    To take pays by the worth of the hand. A pass leaves the choice to the other side, which a weak hand fears. A
    proposal of a new deal saves such a hand, or is refused by a strong other one; refusing one pays with a hand that
    defends well.

    Args:
        f: the facts.
        w: the weights.
        rules: the vector of the rules.
        action: a legal action; naming stands for the best suit.
        turned: the worth with the turned suit as trump.
        best: that with the best other suit.
        others: that of all other suits on the mean.
    """
    if action == ACCEPT:
        return turned - w[at.NEED_ACCEPT_ELDER if f.elder else at.NEED_ACCEPT_DEALER]
    if action == NAME:
        return best - w[at.NEED_NAME_ELDER if f.elder else at.NEED_NAME_DEALER]
    if action == PASS and f.round == 1:
        return leaning(w, at.PASS_ELDER_1 if f.elder else at.PASS_DEALER_1, turned, others)
    if action == PASS and f.elder:
        return leaning(w, at.PASS_ELDER_2, best, others)
    if action == PROPOSE and f.round == 1:
        return leaning(w, at.PROPOSE_ELDER_1 if f.elder else at.PROPOSE_DEALER_1, turned, others)
    if action == PROPOSE:
        return leaning(w, at.PROPOSE_ELDER_2 if f.elder else at.PROPOSE_DEALER_2, best, others)
    if action == REFUSE and f.round == 2:
        return leaning(w, at.REFUSE_2, turned, others)
    if action == REFUSE and rules[ix.SCHMEISS_REFUSED_MAKES] == ix.MAKES_PROPOSER:
        return leaning(w, at.REFUSE_1, turned, others)
    if action == REFUSE:
        return turned - w[at.NEED_REFUSE]
    return 0.0


@kernel(inner=True)
def worths(f, w, rules):
    """Return the worth of the turned suit as trump, of the best other suit, of the others on the mean; and which."""
    best = 0.0
    others = 0.0
    suits = np.int64(0)
    suit = np.int64(-1)
    for s in range(4):
        if s == f.turn_up >> 3 or (rules[ix.KINDS] >> (8 * s)) & 255 == 0:
            continue
        value = worth(w, rules, f.hand, s, f.turn_up)
        others += value
        suits += 1
        if suit < 0 or value > best:
            suit = np.int64(s)
            best = value
    return worth(w, rules, f.hand, f.turn_up >> 3, f.turn_up), best, others / max(suits, 1), suit


@kernel(inner=True)
def choose_bid(f, mask, w, rules):
    """Choose in the auction: the action of which most points are expected."""
    turned, best, others, suit = worths(f, w, rules)
    chosen = np.int64(-1)
    most = 0.0
    for action in range(ACCEPT, NAME + 1):
        place = NAME + suit if action == NAME and suit >= 0 else action
        if mask[place] == 0:
            continue
        value = value_of_bid(f, w, rules, action, turned, best, others)
        if chosen < 0 or value > most:
            chosen = np.int64(place)
            most = value
    return chosen
