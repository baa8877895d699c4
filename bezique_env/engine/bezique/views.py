"""What a seat may know of a game, and games that a seat cannot tell from its own.

:func:`project` is the only way from a state to anything seen. :func:`resample_state` goes back from a view to
a full state; the truth is never an input of it.
"""

from __future__ import annotations

import numpy as np

from bezique_env.engine.bezique.kernels import is_court
from bezique_env.engine.bezique.melds import bezique_pair, window_actions
from bezique_env.engine.bezique.state import (
    CARD_BITS,
    CARTE_BLANCHE,
    DECLARE,
    HIDDEN_CARD,
    MAX_EVENTS,
    MAX_SELECTED,
    MELD_KINDS,
    OWNER_NONE,
    OWNER_PUBLIC,
    OWNER_SHIFT,
    SEATS,
    SELECT,
)
from bezique_env.engine.bezique.told import clue_cards, read_log
from bezique_env.engine.cache import kernel
from bezique_env.engine.common import BETWEEN_DEALS, NONE
from bezique_env.engine.rng import bounded, next_u64, shuffle
from bezique_env.rules.bezique import index as ix

POOL, SHOWN_AT, PLACES, CARDS, FIRST, LAST, ABSENT, CLUE, CLUE_PLACES, CLUE_SHOWN, BEFORE = range(11)
WORK_ROWS, WORK_COLUMNS = 11, 256
"""Shape of the uint8 scratch of :func:`resample_state`; its rows are named above."""
SWAPS_PER_PLACE = 20


@kernel(inner=True)
def copy_board(a, b):
    """Copy the public fields that show the game as it stands, from a state to a view or back."""
    for s in range(SEATS):
        b.scores[s] = a.scores[s]
        b.brisques[s] = a.brisques[s]
        b.table_n[s] = a.table_n[s]
        b.sevens_scored[s] = a.sevens_scored[s]
        b.trick_card[s] = a.trick_card[s]
        b.carte[s] = a.carte[s]
        b.cut[s] = a.cut[s]
        for t in range(a.table_card.shape[1]):
            b.table_card[s, t] = a.table_card[s, t]
            b.table_uses[s, t] = a.table_uses[s, t]
            b.table_served[s, t] = a.table_served[s, t]
        for t in range(a.table_melds.shape[1]):
            for kind in range(MELD_KINDS):
                b.table_melds[s, t, kind] = a.table_melds[s, t, kind]
        for c in range(32):
            b.known[s, c] = a.known[s, c]
            b.table_count[s, c] = a.table_count[s, c]
            b.won[s, c] = a.won[s, c]
    b.episode = a.episode
    b.draws = a.draws
    b.dealer = a.dealer
    b.leader = a.leader
    b.to_act = a.to_act
    b.trump = a.trump
    b.last_trump = a.last_trump
    b.turn_up = a.turn_up
    b.turn_up_scored = a.turn_up_scored
    b.led_scored = a.led_scored
    b.seven_won = a.seven_won
    b.stock_next = a.stock_next
    b.stock_left = a.stock_left
    b.declared = a.declared
    b.exchanged = a.exchanged
    b.first_over = a.first_over
    b.winner = a.winner
    b.double = a.double
    b.deal_no = a.deal_no


@kernel(inner=True)
def copy_history(a, b):
    """Copy the public fields that only resampling needs: how cards came to be shown."""
    for s in range(SEATS):
        b.places[s] = a.places[s]
        b.taken[s] = a.taken[s]
        b.shown_n[s] = a.shown_n[s]
        b.told_n[s] = a.told_n[s]
        b.told_places[s] = a.told_places[s]
        for k in range(a.told.shape[1]):
            b.told[s, k] = a.told[s, k]


@kernel(inner=True)
def project_board(g, rules, seat, v):
    """Write the part of a view that shows the game as it stands: all that an observation is made of."""
    copy_board(g, v)
    for s in range(SEATS):
        v.match_scores[s] = g.match_scores[s] + g.scores[s]
        total = 0
        for c in range(32):
            total += g.hand[s, c]
        v.concealed_n[s] = total
    packs, kinds = rules[ix.PACKS], rules[ix.KINDS]
    other = 1 - seat
    for c in range(32):
        v.hand[c] = g.hand[seat, c]
        v.unseen[c] = packs * ((kinds >> c) & 1) - (
            g.hand[seat, c]
            + g.known[other, c]
            + g.table_count[0, c]
            + g.table_count[1, c]
            + g.won[0, c]
            + g.won[1, c]
        )
    for s in range(SEATS):
        if g.trick_card[s] != NONE:
            v.unseen[g.trick_card[s]] -= 1
    if g.turn_up != NONE:
        v.unseen[g.turn_up] -= 1
    acting = g.to_act == seat
    for k in range(MAX_SELECTED):
        v.sel_code[k] = g.sel_code[k] if acting else NONE
    v.sel_n = g.sel_n if acting else 0
    v.sel_action = g.sel_action if acting else NONE
    v.phase = DECLARE if g.phase == SELECT and not acting else g.phase
    v.seat = seat
    queen, jack = bezique_pair(rules, np.int64(g.trump))
    v.bezique_q = queen
    v.bezique_j = jack


@kernel(inner=True)
def project(g, rules, seat, v):
    """Write what a seat may know into a view record. The only way from a state to anything seen."""
    project_board(g, rules, seat, v)
    copy_history(g, v)
    for k in range(g.deck.shape[0]):
        owner = g.deck[k] >> OWNER_SHIFT
        hidden = owner != seat and owner != OWNER_PUBLIC
        v.deck[k] = (owner << OWNER_SHIFT) | HIDDEN_CARD if hidden else g.deck[k]


@kernel(inner=True)
def restore_public(v, g):
    """Write everything public of a view into a state record (the hidden parts are filled in later)."""
    copy_board(v, g)
    copy_history(v, g)
    for s in range(SEATS):
        g.match_scores[s] = v.match_scores[s] - v.scores[s]
        for c in range(32):
            g.hand[s, c] = v.hand[c] if s == v.seat else v.known[s, c]
    for k in range(g.deck.shape[0]):
        g.deck[k] = v.deck[k] & (HIDDEN_CARD - 1)
    for k in range(MAX_SELECTED):
        g.sel_code[k] = v.sel_code[k]
    for k in range(MAX_EVENTS):
        g.ev_seat[k] = 0
        g.ev_what[k] = 0
        g.ev_points[k] = 0
    g.ev_n = 0
    g.steps = 0
    g.sel_n = v.sel_n
    g.sel_action = v.sel_action
    g.manual = 0
    g.phase = v.phase


# ------------------------------------------------------------------------------------------- the lazy deck


@kernel(inner=True)
def dealt(g, rules, places, owners):
    """Write the places of the deck whose cards have come into play, ascending, and who got each.

    ``owners``: a seat, or 2 where everyone saw the card. Returns their number; none before the deck of a
    further deal is dealt. Both arrays are as long as the deck.
    """
    n = 0
    if g.phase == BETWEEN_DEALS:
        return n
    for k in range(g.deck.shape[0]):
        owner = g.deck[k] >> OWNER_SHIFT
        if owner != OWNER_NONE:
            places[n] = k
            owners[n] = owner
            n += 1
    return n


@kernel(inner=True)
def put_card(g, rules, place, card):
    """Set the card of a place that has not come into play; the caller keeps the deck a whole pack."""
    g.deck[place] = (g.deck[place] & (255 - CARD_BITS)) | card


# -------------------------------------------------------------------------------------------- resampling


@kernel(inner=True)
def draw_places(work, n_shown, n_places, n_pool, key):
    """Propose a deck: shuffle the pool, give each shown card a place among those that it can have come from.

    Uniform over the pairs (deck, explanation of what was shown). Returns (key, whether every shown card came
    late enough).
    """
    key = shuffle(work[POOL], n_pool, key)
    pool = work[POOL]
    for p in range(n_places):
        work[PLACES, p] = 0
    ok = True
    for k in range(n_shown):
        key, r = bounded(key, np.int64(work[LAST, k]) - k)
        p = 0
        while True:
            if work[PLACES, p] == 0:
                if r == 0:
                    break
                r -= 1
            p += 1
        work[PLACES, p] = 1
        work[SHOWN_AT, k] = p
        if p < work[FIRST, k]:
            ok = False
    if not ok:
        return key, False
    n = 0
    for p in range(n_places):
        if work[PLACES, p] == 0:
            work[PLACES, p] = pool[n]
            n += 1
        else:
            work[PLACES, p] = NONE
    for k in range(n_shown):
        work[PLACES, work[SHOWN_AT, k]] = work[CARDS, k]
    return key, True


@kernel(inner=True)
def canonical(work, n_shown):
    """Whether each shown card came from the lowest place that explains it.

    Where a seat held several copies of a card, several places explain the one that it showed first. Counting
    one of them makes the proposal uniform over decks.
    """
    for k in range(n_shown):
        for p in range(work[SHOWN_AT, k]):
            if work[PLACES, p] == work[CARDS, k]:
                taken = False
                for earlier in range(k):
                    if work[SHOWN_AT, earlier] == p:
                        taken = True
                if not taken:
                    return False
    return True


@kernel(inner=True)
def kind_fits(work, card, n_shown, n_places):
    """Whether the places that hold a card explain when it was shown and when it was known to be absent.

    The k-th place with the card explains its k-th showing; what is over is hidden in the hand.
    """
    k = 0
    for p in range(n_places):
        if work[PLACES, p] != card:
            continue
        while k < n_shown and work[CARDS, k] != card:
            k += 1
        if k < n_shown:
            if p < work[FIRST, k] or p >= work[LAST, k]:
                return False
            k += 1
        elif p < work[ABSENT, card]:
            return False
    while k < n_shown:
        if work[CARDS, k] == card:
            return False
        k += 1
    return True


@kernel(inner=True)
def broken_clues(work, n_clues):
    """Return how many clues the places contradict: all the cards of the clue were hidden at that time."""
    broken = 0
    for q in range(n_clues):
        cards = clue_cards(np.int64(work[CLUE, q]))
        together = True
        for c in range(32):
            if (cards >> c) & 1:
                hidden = 0
                for p in range(work[CLUE_PLACES, q]):
                    if work[PLACES, p] == c:
                        hidden += 1
                for k in range(work[CLUE_SHOWN, q]):
                    if work[CARDS, k] == c:
                        hidden -= 1
                if hidden <= 0:
                    together = False
        if together:
            broken += 1
    return broken


@kernel(inner=True)
def explain(work, rules, n_shown, n_places, n_pool, new_card, key):
    """Write one deck that explains what was shown; returns (key, cards left in the pool).

    Place by place: the shown card that must have come soonest, else a random card of the pool that may have
    come so early. ``new_card``: the last place holds no court card (its owner is asked for carte blanche).
    """
    pool = work[POOL]
    for k in range(n_shown):
        work[BEFORE, k] = 0
    last = NONE
    if new_card:
        key, start = bounded(key, n_pool)
        k = start
        while is_court(rules, np.int64(pool[k])):
            k = (k + 1) % n_pool
        last = np.int64(pool[k])
        n_pool -= 1
        pool[k] = pool[n_pool]
    for p in range(n_places):
        if new_card and p == n_places - 1:
            work[PLACES, p] = last
            break
        best = -1
        for k in range(n_shown):
            fits = work[BEFORE, k] == 0 and work[FIRST, k] <= p and p < work[LAST, k]
            if fits and (best < 0 or work[LAST, k] < work[LAST, best]):
                best = k
        if best >= 0:
            work[BEFORE, best] = 1
            work[PLACES, p] = work[CARDS, best]
            continue
        key, start = bounded(key, n_pool)
        k = start
        while work[ABSENT, pool[k]] > p:
            k = (k + 1) % n_pool
            if k == start:
                break
        work[PLACES, p] = pool[k]
        n_pool -= 1
        pool[k] = pool[n_pool]
    return key, n_pool


@kernel(inner=True)
def stir(work, rules, n_shown, n_places, n_pool, n_clues, new_card, key):
    """Swap cards of the seat with each other and with the pool, keeping what explains the view.

    A symmetric walk over the decks that agree with the view: uniform in the long run. Half of the swaps are
    with the pool, however small it has become.
    """
    broken = broken_clues(work, n_clues)
    swaps = SWAPS_PER_PLACE * n_places
    while swaps > 0 or broken > 0:
        swaps -= 1
        key, i = bounded(key, n_places)
        key, j = bounded(key, 2 * n_places)
        if j >= n_places and n_pool > 0:
            key, j = bounded(key, n_pool)
            j += n_places
        elif j >= n_places:
            j -= n_places
        if new_card and (i == n_places - 1) != (j == n_places - 1):
            other = i if j == n_places - 1 else j
            moved = (
                np.int64(work[PLACES, other]) if other < n_places else np.int64(work[POOL, other - n_places])
            )
            if is_court(rules, moved):
                continue
        first = work[PLACES, i]
        second = work[PLACES, j] if j < n_places else work[POOL, j - n_places]
        if first == second:
            continue
        work[PLACES, i] = second
        if j < n_places:
            work[PLACES, j] = first
        else:
            work[POOL, j - n_places] = first
        ok = kind_fits(work, first, n_shown, n_places) and kind_fits(work, second, n_shown, n_places)
        if ok and n_clues > 0:
            now = broken_clues(work, n_clues)
            ok = now <= broken
            if ok:
                broken = now
        if not ok:
            work[PLACES, i] = first
            if j < n_places:
                work[PLACES, j] = second
            else:
                work[POOL, j - n_places] = second
    return key


@kernel(inner=True)
def hold_hidden(v, g, work, other, n_shown, n_places):
    """Give the other seat the hand that its places and what was shown leave it."""
    for c in range(32):
        g.hand[other, c] = v.known[other, c]
    for p in range(n_places):
        g.hand[other, work[PLACES, p]] += 1
    for k in range(n_shown):
        g.hand[other, work[CARDS, k]] -= 1


@kernel(inner=True)
def resample_state(v, g, rules, key, work, tmp):
    """Write into ``g`` a state drawn from the deals that agree with the view.

    Each deck of distinct physical cards under which the same would have been seen is equally likely. With two
    packs by proposal and rejection, which is exact. With more packs rejection would not end, so a random walk
    over the decks that agree with the view takes its place; it starts anew for each call and is uniform in the
    limit of many swaps (at SWAPS_PER_PLACE no difference was found in thousands of samples). ``work`` is uint8
    scratch of shape (WORK_ROWS, WORK_COLUMNS); the truth is never an input.
    """
    restore_public(v, g)
    other = 1 - np.int64(v.seat)
    n_pool = 0
    for c in range(32):
        for _ in range(v.unseen[c]):
            work[POOL, n_pool] = c
            n_pool += 1
    n_shown, n_clues = read_log(
        v,
        other,
        work[CARDS],
        work[FIRST],
        work[LAST],
        work[ABSENT],
        work[CLUE],
        work[CLUE_PLACES],
        work[CLUE_SHOWN],
    )
    n_places = np.int64(v.places[other])
    asked = v.phase == CARTE_BLANCHE and v.to_act == other
    fresh_hand = asked and v.carte[other] == 0
    if fresh_hand:
        for c in range(32):
            if is_court(rules, c):
                work[ABSENT, c] = n_places
    new_card = asked and not fresh_hand
    in_window = g.phase == DECLARE and g.to_act == other
    if rules[ix.PACKS] == 2:
        while True:
            key, ok = draw_places(work, n_shown, n_places, n_pool, key)
            if not ok or not canonical(work, n_shown):
                continue
            for c in range(32):
                ok = ok and kind_fits(work, c, n_shown, n_places)
            if not ok or broken_clues(work, n_clues) > 0:
                continue
            hold_hidden(v, g, work, other, n_shown, n_places)
            if not in_window or window_actions(g, rules, other, np.int64(1), tmp) != 0:
                break  # if a window is open, something can be declared
        hidden = n_places - n_shown
        n_pool -= hidden
        for k in range(n_pool):
            work[POOL, k] = work[POOL, hidden + k]
    else:
        key, n_pool = explain(work, rules, n_shown, n_places, n_pool, new_card, key)
        while True:
            key = stir(work, rules, n_shown, n_places, n_pool, n_clues, new_card, key)
            hold_hidden(v, g, work, other, n_shown, n_places)
            if not in_window or window_actions(g, rules, other, np.int64(1), tmp) != 0:
                break
        key = shuffle(work[POOL], n_pool, key)
    # Write the deck: the other seat's places in order, then the stock.
    p = 0
    rest = 0
    for place in range(g.deck.shape[0]):
        owner = g.deck[place] >> OWNER_SHIFT
        if owner == other:
            g.deck[place] = work[PLACES, p] | (owner << OWNER_SHIFT)
            p += 1
        elif owner > OWNER_PUBLIC and rest < n_pool:  # places behind the pack are not used
            g.deck[place] = work[POOL, rest] | (owner << OWNER_SHIFT)
            rest += 1
    key, g.seed = next_u64(key)
