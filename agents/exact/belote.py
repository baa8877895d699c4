"""What the exact solver asks about a game of the Belote family."""

from __future__ import annotations

import numpy as np

from bezique_env.engine.belote.state import ANNOUNCE, EXCHANGE, LEAD, SEATS
from bezique_env.engine.belote.views import count
from bezique_env.engine.cache import kernel


@kernel(inner=True)
def hears(g, action):
    """Whether the other seat notices an action as such.

    An exchange or an announcement may be passed unseen, and a dealer may announce unheard: the view tells what
    came of them.
    """
    return g.phase != EXCHANGE and g.phase != ANNOUNCE


@kernel(inner=True)
def knows_all(v):
    """Whether a view leaves nothing open: play has begun and every card that the other hand may hold is in it."""
    if v.phase < LEAD:
        return False
    other = 1 - v.seat
    hidden = int(v.concealed_n[other]) - count(np.int64(v.known[other]))
    return hidden == count(np.int64(v.unseen) & ~np.int64(v.absent[other]))


@kernel(inner=True)
def forget(g, rules):
    """Clear what has no influence on what follows once nothing is hidden.

    Returns:
        0: the points so far decide with those to come who wins the deal, so they stay.
    """
    g.seed = 0
    g.steps = 0
    g.ev_n = 0
    for k in range(g.ev_points.shape[0]):
        g.ev_points[k] = 0
        g.ev_seat[k] = 0
        g.ev_what[k] = 0
    for s in range(SEATS):
        g.known[s] = 0
        g.absent[s] = 0
        g.played[s] = 0
        g.won[s] = 0
        g.tricks[s] = 1 if g.tricks[s] > 0 else 0
    for k in range(g.bids.shape[0]):
        g.bids[k] = 0
    for k in range(g.deck.shape[0]):
        g.deck[k] = 0
    g.bids_n = 0
    return 0


@kernel(inner=True)
def deal_again(g):
    """Let a hand that is annulled be dealt again, although the deck of the first one was set from outside."""
    g.given = 0
