"""What the exact solver asks about a game of the Bezique family."""

from __future__ import annotations

from bezique_env.engine.bezique.actions import PASS
from bezique_env.engine.bezique.state import SEATS, SELECT
from bezique_env.engine.cache import kernel
from bezique_env.engine.common import NONE
from bezique_env.rules.bezique import index as ix


@kernel(inner=True)
def hears(g, action):
    """Whether the other seat notices an action as such.

    It does not notice that a window was passed, nor the single steps of a selection: its view tells what came
    of them.
    """
    return action != PASS and g.phase != SELECT


@kernel(inner=True)
def knows_all(v):
    """Whether a view leaves nothing open: every card that may be in the other hand or in the stock is in that hand."""
    other = 1 - v.seat
    hidden = int(v.concealed_n[other])
    unseen = 0
    for c in range(32):
        hidden -= int(v.known[other, c])
        unseen += int(v.unseen[c])
    return hidden == unseen


@kernel(inner=True)
def forget(g, rules):
    """Clear what has no influence on what follows once nothing is hidden.

    Returns:
        What the points so far give seat 0, where they only add to what follows; they are then cleared as well.
    """
    g.seed = 0
    g.steps = 0
    g.ev_n = 0
    for k in range(g.ev_points.shape[0]):
        g.ev_points[k] = 0
        g.ev_seat[k] = 0
        g.ev_what[k] = 0
    g.deal_no = 0
    g.last_trump = 0
    g.first_over = NONE
    for s in range(SEATS):
        for k in range(g.told.shape[1]):
            g.told[s, k] = 0
        g.told_n[s] = 0
        g.told_places[s] = 0
        g.places[s] = 0
        g.shown_n[s] = 0
        g.taken[s] = 0
        for c in range(32):
            g.known[s, c] = 0
            g.won[s, c] = 0
        if rules[ix.BRISQUES] == ix.BRISQUES_AT_TRICK:
            g.brisques[s] = 0
    if g.stock_left == 0 and not (g.carte[0] or g.carte[1]):
        for k in range(g.deck.shape[0]):
            g.deck[k] = 0
    if rules[ix.GAME_END] == ix.IMMEDIATE:
        return 0
    points = int(g.match_scores[0] + g.scores[0]) - int(g.match_scores[1] + g.scores[1])
    for s in range(SEATS):
        g.match_scores[s] = 0
        g.scores[s] = 0
    return points


@kernel(inner=True)
def deal_again(g):
    """Do nothing: no hand of this family is annulled."""
