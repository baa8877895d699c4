"""Every action of many decisions tried on the same deal: what the weights of the Belote expert are fitted to."""

from __future__ import annotations

import numpy as np

from agents.scripted.expert import belote_weights as at
from agents.scripted.expert.belote_bids import worth, worths
from agents.scripted.expert.belote_cards import chance_of_trump, expected_trumps, value_of_card
from agents.scripted.expert.belote_facts import facts_of
from agents.scripted.policies import choose_expert
from bezique_env.engine import play
from bezique_env.engine.belote.actions import ACCEPT, EXCHANGE, NAME
from bezique_env.engine.belote.state import ANSWER, DECK, LEAD
from bezique_env.engine.cache import kernel
from bezique_env.engine.common import DRAWS_QUEUES, EPISODE_DEAL, OVER
from bezique_env.engine.rng import bounded

WORTHS = at.NEED_ACCEPT_ELDER - at.WORTH
"""Weights of the worth of a hand."""
PLAYS = len(at.PLAY)
ACTION, ROUND, ELDER, TURNED, BEST, OTHERS, BID_FEATURES = range(7)
"""Columns of a row of the auction: the action, where it was taken, the three worths, then a feature for each weight."""
ROLE, FIXED, GROUP, CARD_FEATURES = range(4)
"""Columns of a row of the play: where the role's weights begin, the part without weights, the decision, features."""
STRAY_BIDS, JUDGED, STRAY_CARDS = 50, 60, 25
"""Of a hundred decisions: bids taken at random, decisions of the play that are judged, cards played at random."""
ROWS_A_DECK = 24
"""Rows that are kept of a deck on the mean, at most."""


@kernel(inner=True)
def begin(g, rules, deck, dealer):
    """Begin a deal with a given deck."""
    for k in range(deck.shape[0]):
        g.deck[k] = deck[k]
    play.start_game(
        g, rules, np.uint64(1), dealer, np.int64(EPISODE_DEAL), np.int64(DRAWS_QUEUES), np.int64(1)
    )


@kernel(inner=True)
def look(g, rules, mask, tmp, v):
    """Write mask and view of the seat to act, and return the seat."""
    play.write_mask(g, rules, mask, tmp)
    play.project_board(g, rules, np.int64(g.to_act), v)
    return np.int64(g.to_act)


@kernel(inner=True)
def outcome(games, views, masks, rules, tmp, weights, scratch, seat, action):
    """Return what an action brings the seat to act in game 0, played out in game 1."""
    games[1] = games[0]
    c = games[1]
    play.apply(c, rules, action, tmp)
    while c.phase != OVER:
        look(c, rules, masks[1], tmp, views[1])
        play.apply(c, rules, choose_expert(views[1], masks[1], weights, scratch), tmp)
    return np.int64(c.scores[seat]) - np.int64(c.scores[1 - seat])


@kernel(inner=True)
def nth_legal(mask, first, last, n):
    """Return the n-th legal action within a range."""
    for a in range(first, last):
        if mask[a]:
            if n == 0:
                return np.int64(a)
            n -= 1
    return np.int64(-1)


@kernel
def auction_rows(games, views, masks, rules, tmp, weights, scratch, decks, units, rows, points, key):
    """Try every bid of every decision in the auctions of deals; returns the number of rows."""
    n = 0
    g = games[0]
    for i in range(decks.shape[0]):
        begin(g, rules, decks[i], np.int64(i & 1))
        while g.phase <= ANSWER:
            seat = look(g, rules, masks[0], tmp, views[0])
            f = facts_of(views[0])
            turned, best, others, _ = worths(f, weights.values, rules)
            chosen = choose_expert(views[0], masks[0], weights, scratch)
            legal = 0
            for a in range(ACCEPT, EXCHANGE):
                if masks[0, a] == 0:
                    continue
                if n >= rows.shape[0]:
                    return n
                legal += 1
                points[n] = outcome(games, views, masks, rules, tmp, weights, scratch, seat, np.int64(a))
                rows[n, ACTION] = min(a, NAME)
                rows[n, ROUND] = f.round
                rows[n, ELDER] = f.elder
                rows[n, TURNED] = turned
                rows[n, BEST] = best
                rows[n, OTHERS] = others
                suit = np.int64(a - NAME) if a >= NAME else f.turn_up >> 3
                for k in range(units.shape[0]):
                    rows[n, BID_FEATURES + k] = worth(units[k], rules, f.hand, suit, f.turn_up)
                n += 1
            key, roll = bounded(key, 100)
            if roll < STRAY_BIDS:
                key, roll = bounded(key, legal)
                chosen = nth_legal(masks[0], ACCEPT, EXCHANGE, roll)
            play.apply(g, rules, chosen, tmp)
    return n


@kernel
def play_rows(games, views, masks, rules, tmp, weights, scratch, decks, units, rows, points, key):
    """Try every card of some decisions in the play of deals; returns the number of rows."""
    n = 0
    group = 0
    g = games[0]
    w = weights.values
    for i in range(decks.shape[0]):
        begin(g, rules, decks[i], np.int64(i & 1))
        while g.phase != OVER:
            seat = look(g, rules, masks[0], tmp, views[0])
            chosen = choose_expert(views[0], masks[0], weights, scratch)
            f = facts_of(views[0])
            legal = 0
            for a in range(DECK):
                legal += masks[0, a]
            if g.phase >= LEAD and chosen < DECK and legal > 1 and f.cards > 2:
                key, roll = bounded(key, 100)
                if roll < JUDGED:
                    group += 1
                    base = np.int64(at.TAKER if f.taker == seat else at.DEFENDER)
                    trumps, expected = chance_of_trump(f, w, base), expected_trumps(f)
                    for k in range(units.shape[0]):
                        units[k, base + at.OTHER_TRUMPS] = w[base + at.OTHER_TRUMPS]
                    for a in range(DECK):
                        if masks[0, a] == 0:
                            continue
                        if n >= rows.shape[0]:
                            return n
                        card = np.int64(a)
                        points[n] = outcome(games, views, masks, rules, tmp, weights, scratch, seat, card)
                        rows[n, ROLE] = base
                        rows[n, GROUP] = group
                        fixed = value_of_card(f, units[PLAYS], base, card, trumps, expected)
                        rows[n, FIXED] = fixed
                        for k in range(PLAYS):
                            if k == at.OTHER_TRUMPS:
                                continue
                            units[k, base + k] = 1.0
                            value = value_of_card(f, units[k], base, card, trumps, expected)
                            units[k, base + k] = 0.0
                            rows[n, CARD_FEATURES + k] = value - fixed
                        n += 1
                key, roll = bounded(key, 100)
                if roll < STRAY_CARDS:
                    key, roll = bounded(key, legal)
                    chosen = nth_legal(masks[0], 0, DECK, roll)
            play.apply(g, rules, chosen, tmp)
    return n
