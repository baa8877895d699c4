"""Rule-based play of the Belote family: the auction, what stands between it and the first lead, the cards."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.scripted import belote as greedy
from agents.scripted.expert import belote_weights as at
from agents.scripted.expert.belote_bids import choose_bid, points_of_runs
from agents.scripted.expert.belote_cards import choose_card
from agents.scripted.expert.belote_endings import MOST_CARDS, choose_last_card, number_of_hands
from agents.scripted.expert.belote_facts import facts_of
from agents.scripted.expert.weights import ExpertWeights, Groups, shipped_weights
from bezique_env.engine.belote.actions import ANNOUNCE, BELOTE, EXCHANGE, PASS
from bezique_env.engine.belote.kernels import PAIR, card_points
from bezique_env.engine.belote.state import ANSWER, BID, DECK
from bezique_env.engine.cache import kernel
from bezique_env.rules import Rules
from bezique_env.rules.belote import index as ix


@kernel(inner=True)
def exchanges(f, w, rules):
    """Whether the seven of trumps is given for the turned card: not where a sequence is worth more."""
    base = np.int64(at.TAKER if f.taker == f.seat else at.DEFENDER)
    rank = f.turn_up & 7
    ranks = (f.hand >> (8 * f.trump)) & 255
    gain = w[base + at.TRUMP + rank] - w[base + at.TRUMP]
    return gain + points_of_runs(rules, ranks ^ 1 ^ (1 << rank)) - points_of_runs(rules, ranks) > 0


@kernel(inner=True)
def says_pair(f, rules):
    """Whether the pair is said now.

    Not before its first card where its second will do, as it tells what the hand holds; and not by a taker who has
    lost whatever comes, where the other side gets all that he makes.
    """
    pair = np.int64(PAIR) << (8 * f.trump)
    if f.hand & pair == pair and rules[ix.BELOTE_CALL_DEADLINE] == ix.DEADLINE_SECOND:
        return False
    if (
        f.taker != f.seat
        or rules[ix.TWO_HAND_FAIL] != ix.FAIL_OPPONENT_SUM
        or rules[ix.BELOTE_PRENABLE] != ix.YES
    ):
        return True
    most = rules[ix.VALUE_PAIR] + rules[ix.VALUE_LAST_TRICK] + f.own_waiting
    if f.other_tricks == 0:
        most += rules[ix.ALL_TRICKS_BONUS]
    for card in range(DECK):
        if ((f.hand | f.known | f.pool) >> card) & 1:
            most += card_points(f.trump, card)
    return f.scores[f.seat] + most > f.scores[1 - f.seat]


@kernel(inner=True)
def forced(mask):
    """Return the card of a mask with a single card, -1 for none, -2 for several."""
    found = np.int64(-1)
    for card in range(DECK):
        if mask[card]:
            if found >= 0:
                return np.int64(-2)
            found = np.int64(card)
    return found


@kernel(inner=True)
def choose_facts(f, mask, weights, scratch):
    """Return the choice of one view by its facts; -1 where no action is legal."""
    w = weights.values
    rules = weights.rules
    if f.phase == BID or f.phase == ANSWER:
        return choose_bid(f, mask, w, rules)
    if mask[EXCHANGE]:
        return np.int64(EXCHANGE) if exchanges(f, w, rules) else np.int64(PASS)
    if mask[ANNOUNCE]:
        return np.int64(ANNOUNCE)
    if mask[BELOTE] and says_pair(f, rules):
        return np.int64(BELOTE)
    only = forced(mask)
    if only > -2:
        return only
    if f.cards <= MOST_CARDS and number_of_hands(f) <= w[at.MOST_HANDS]:
        return choose_last_card(f, mask, rules, scratch)
    return choose_card(f, mask, w)


@kernel(inner=True)
def choose_expert(v, mask, weights, scratch):
    """Return the choice of one view; -1 where no action is legal."""
    return choose_facts(facts_of(v), mask, weights, scratch)


@kernel(inner=True)
def rate_expert(v, mask, weights, scratch, out):
    """Write what actions are worth, not a number where the player does not say, and return its choice."""
    for a in range(out.shape[0]):
        out[a] = np.nan
    return choose_expert(v, mask, weights, scratch)


@kernel(inner=True)
def choose_greedy(v, mask, weights, scratch):
    """Return what ``greedy`` chooses of one view; -1 where no action is legal."""
    return greedy.choose_row(v, mask)


def weight_groups(variant: str) -> Groups:
    """Return the names of the weights of a variant, and what they mean: the same for all."""
    return at.GROUPS


def weights_for(rules: Rules, values: NDArray[np.float64] | None = None) -> ExpertWeights:
    """Return what the player of a game plays by; a variant without a file of weights has those of `belote`."""
    if values is None:
        values = shipped_weights(rules.variant, "belote", at.GROUPS)
    return ExpertWeights(np.zeros((2, 1), np.int64), rules.vector.copy(), values)
