"""Walking through every deal, draw and action of a small game, over the play kernels.

The walk goes down a line of *spots*: decisions, and chance spots where cards come into play. Cards that go to
the same seat at the same time are drawn as a multiset, in ascending order, with the number of physical orders as
weight. It writes down the information sets, the sequences of actions of each seat, and the leaves
(:mod:`agents.exact.tree` says what they are), and can be stopped and resumed whenever an array must grow.

An information set is what its seat saw since the game began. The walk keeps it as the seat's last own sequence
(which stands for all that it saw before), the actions that it has noticed since, and its view now; all three are
compared whenever a set is found again, so that no two different ones can fall together.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.exact.endings import HIGH, LOW, VALUE, Endings, hash_words, solve_line
from agents.exact.families import deal_again, hears, knows_all
from bezique_env.engine import play
from bezique_env.engine.cache import kernel
from bezique_env.engine.common import BETWEEN_DEALS, DRAWS_SHARED, EPISODE_DEAL, OVER, SCORE_DIFFERENCE

DEPTH = 128
"""More spots than any line has."""
CARD = 31
"""The part of a byte of a deck that is the card, in every family."""
PUBLIC = 2
DECISION, CHANCE = 0, 1
DEAL, NEXT_DEAL = -1, -2
"""What the cards of a chance spot are for, beside the actions, which draw them."""
HEARD_BASE = np.uint64(128)
HEARD_MOST = 9
"""Actions that can be noticed between two own decisions: more would not fit into 64 bits."""
_FACTOR = np.uint64(0x9E3779B97F4A7C15)

DONE, GROW_SETS, GROW_SEQUENCES, GROW_LEAVES, GROW_VISITS, GROW_ENDINGS = range(6)
TOO_DEEP, TOO_MUCH_HEARD, ACTIONS_DIFFER, ENDING_TOO_DEEP = -1, -2, -3, -4
"""How a stretch of the walk ends: done, what must grow before it goes on, what is wrong."""

AT, SETS, LEAVES, VISITS, CHANCES, MIN_SCORE, MAX_SCORE, STEPS, SEQUENCES = range(9)
"""Places of ``Walk.counts``: level of the line (-1 when done), then what was counted; of SEQUENCES there are two."""
COUNTS = 10


class Line(NamedTuple):
    """The spots from the root to where the walk is, [DEPTH, ...]."""

    games: NDArray[Any]
    kind: NDArray[np.uint8]
    chance: NDArray[np.float64]
    """Product of the probabilities of the draws so far."""
    sequence: NDArray[np.int64]
    """[DEPTH, 2], the last sequence of each seat."""
    heard: NDArray[np.uint64]
    """[DEPTH, 2], what each seat has noticed since, as digits to the base HEARD_BASE; how many in ..."""
    heard_n: NDArray[np.int64]
    item: NDArray[np.int64]
    """Information set, or what the cards are for."""
    mask: NDArray[np.int8]
    next: NDArray[np.int64]
    """Next action to try; of a chance spot 0 before its first draw."""
    places: NDArray[np.uint8]
    owners: NDArray[np.uint8]
    cards: NDArray[np.uint8]
    """Of a chance spot: places that come into play, by owner, and the cards they get now."""
    drawn: NDArray[np.int64]
    left: NDArray[np.int64]
    """[DEPTH, 32], copies of each card that have not come into play."""


class Walk(NamedTuple):
    """All arrays of a walk. The growing ones: sets, sequences, leaves, visits."""

    rules: NDArray[Any]
    pack: NDArray[np.uint8]
    line: Line
    view: NDArray[Any]
    other_view: NDArray[Any]
    words: NDArray[np.uint64]
    """The bytes of ``view`` as whole words."""
    places: NDArray[np.uint8]
    owners: NDArray[np.uint8]
    tmp: NDArray[np.uint8]
    out: NDArray[np.int64]
    counts: NDArray[np.int64]
    slots: NDArray[np.int32]
    """Hash table of the information sets, -1 where free."""
    set_seat: NDArray[np.uint8]
    set_hash: NDArray[np.uint64]
    set_parent: NDArray[np.int32]
    set_heard: NDArray[np.uint64]
    set_first: NDArray[np.int32]
    set_count: NDArray[np.uint8]
    set_view: NDArray[np.uint64]
    actions: NDArray[np.uint8]
    """[2, sequences], the last action of each sequence."""
    leaf_rows: NDArray[np.int32]
    leaf_columns: NDArray[np.int32]
    leaf_chance: NDArray[np.float64]
    leaf_value: NDArray[np.int32]
    visits: NDArray[np.int32]
    """The information set of each decision, in the order of the walk."""


@kernel(inner=True)
def new_places(w, level):
    """Find the places that came into play from a spot to the next one, by owner; return their number."""
    line = w.line
    item = line.item[level]
    before = np.int64(0)
    if item != DEAL and item != NEXT_DEAL:
        before = play.dealt(line.games[level], w.rules, line.places[level], line.owners[level])
    after = play.dealt(line.games[level + 1], w.rules, w.places, w.owners)
    if after == before:
        return np.int64(0)
    old = np.int64(0)
    fresh = np.int64(0)
    for k in range(after):
        if old < before and line.places[level, old] == w.places[k]:
            old += 1
        else:
            w.places[fresh] = w.places[k]
            w.owners[fresh] = w.owners[k]
            fresh += 1
    n = 0
    for owner in range(PUBLIC + 1):
        for k in range(fresh):
            if w.owners[k] == owner:
                line.places[level, n] = w.places[k]
                line.owners[level, n] = owner
                n += 1
    return np.int64(n)


@kernel(inner=True)
def begin_chance(w, level, n):
    """Make a chance spot of the spot at a level, whose next n places of the deck are to be drawn."""
    line = w.line
    line.kind[level] = CHANCE
    line.drawn[level] = n
    line.next[level] = 0
    for c in range(32):
        line.left[level, c] = 0
    for k in range(w.pack.shape[0]):
        line.left[level, line.games[level].deck[k] & CARD] += 1
    if line.item[level] == DEAL or line.item[level] == NEXT_DEAL:
        return
    # The spot's own places were overwritten by the new ones, so what had come into play is asked again.
    before = play.dealt(line.games[level], w.rules, w.places, w.owners)
    for k in range(before):
        line.left[level, line.games[level].deck[w.places[k]] & CARD] -= 1


@kernel(inner=True)
def next_draw(w, level):
    """Go on to the next cards of a chance spot; return their probability, 0 when all were seen.

    Places of one owner hold ascending cards; everyone sees which public place holds what.
    """
    line = w.line
    n = line.drawn[level]
    cards, owners, left = line.cards[level], line.owners[level], line.left[level]
    if line.next[level] == 0:
        line.next[level] = 1
        k = np.int64(0)
        card = np.int64(0)
    else:
        k = n - 1
        left[cards[k]] += 1
        card = np.int64(cards[k]) + 1
    while k < n:
        while card < 32 and left[card] == 0:
            card += 1
        if card == 32:
            k -= 1
            if k < 0:
                return 0.0
            left[cards[k]] += 1
            card = np.int64(cards[k]) + 1
            continue
        cards[k] = card
        left[card] -= 1
        k += 1
        if k < n and (owners[k] != owners[k - 1] or owners[k] == PUBLIC):
            card = np.int64(0)
    # Draw by draw, copies left over cards left, times the orders of each owner's cards.
    total = np.int64(0)
    for c in range(32):
        total += left[c]
    probability = 1.0
    for k in range(n - 1, -1, -1):
        left[cards[k]] += 1
        total += 1
        probability *= left[cards[k]] / total
    group = np.int64(0)
    run = np.int64(0)
    for k in range(n):
        same = k > 0 and owners[k] == owners[k - 1] and owners[k] != PUBLIC
        run = run + 1 if same and cards[k] == cards[k - 1] else np.int64(1)
        group = group + 1 if same else np.int64(1)
        probability *= group / run
        left[cards[k]] -= 1
    return probability


@kernel(inner=True)
def put_cards(w, level):
    """Put the cards drawn at a chance spot into the state of the next level, a copy; the deck stays a whole pack."""
    line = w.line
    g = line.games[level + 1]
    n = line.drawn[level]
    fresh = line.item[level] == DEAL or line.item[level] == NEXT_DEAL
    in_play = np.int64(0)
    if not fresh:
        in_play = play.dealt(g, w.rules, w.places, w.owners)
    for i in range(n):
        place = np.int64(line.places[level, i])
        card = np.int64(line.cards[level, i])
        held = np.int64(g.deck[place]) & CARD
        if held == card:
            continue
        for k in range(w.pack.shape[0]):
            free = np.int64(g.deck[k]) & CARD == card
            for j in range(in_play):
                free = free and w.places[j] != k
            for j in range(i):
                free = free and line.places[level, j] != k
            if free:
                if fresh:
                    g.deck[k] = held
                    g.deck[place] = card
                else:
                    play.put_card(g, w.rules, k, held)
                    play.put_card(g, w.rules, place, card)
                break


@kernel(inner=True)
def follow_on(w, level):
    """Let the state of the next level go on by what is done at a spot: an action, or a deal."""
    g = w.line.games[level + 1]
    item = w.line.item[level]
    if item == DEAL:
        dealer = np.int64(g.dealer)
        play.start_game(g, w.rules, np.uint64(0), dealer, DRAWS_SHARED, EPISODE_DEAL, np.int64(1))
        deal_again(g)
    elif item == NEXT_DEAL:
        play.next_deal(g, w.rules)
    else:
        play.apply(g, w.rules, item, w.tmp)


@kernel(inner=True)
def find_set(w, level, seat):
    """Return the information set of a decision of a seat, made if it is new; -1 where it cannot be."""
    line = w.line
    parent = line.sequence[level, seat]
    heard = line.heard[level, seat]
    code = hash_words(w.words, np.uint64(parent) * _FACTOR + np.uint64(seat), _FACTOR) ^ heard
    code = code * _FACTOR
    last = np.uint64(w.slots.shape[0] - 1)
    at = (code >> np.uint64(20)) & last
    mask = line.mask[level]
    while w.slots[at] >= 0:
        k = np.int64(w.slots[at])
        if w.set_hash[k] == code and w.set_parent[k] == parent and w.set_heard[k] == heard:
            same = True
            for j in range(w.words.shape[0]):
                if w.set_view[k, j] != w.words[j]:
                    same = False
            if same:
                n = np.int64(0)
                for a in range(mask.shape[0]):
                    if mask[a]:
                        if n == w.set_count[k] or w.actions[seat, w.set_first[k] + n] != a:
                            return np.int64(-1)
                        n += 1
                return k if n == w.set_count[k] else np.int64(-1)
        at = (at + np.uint64(1)) & last
    k = w.counts[SETS]
    w.counts[SETS] += 1
    w.slots[at] = k
    w.set_seat[k] = seat
    w.set_hash[k] = code
    w.set_parent[k] = parent
    w.set_heard[k] = heard
    w.set_first[k] = w.counts[SEQUENCES + seat]
    n = np.int64(0)
    for a in range(mask.shape[0]):
        if mask[a]:
            w.actions[seat, w.set_first[k] + n] = a
            n += 1
    w.set_count[k] = n
    w.counts[SEQUENCES + seat] += n
    for j in range(w.words.shape[0]):
        w.set_view[k, j] = w.words[j]
    return k


@kernel(inner=True)
def add_leaf(w, level, value, low, high):
    """Write a leaf down."""
    k = w.counts[LEAVES]
    w.counts[LEAVES] += 1
    w.leaf_rows[k] = w.line.sequence[level, 0]
    w.leaf_columns[k] = w.line.sequence[level, 1]
    w.leaf_chance[k] = w.line.chance[level]
    w.leaf_value[k] = value
    w.counts[MIN_SCORE] = min(w.counts[MIN_SCORE], low)
    w.counts[MAX_SCORE] = max(w.counts[MAX_SCORE], high)


@kernel(inner=True)
def arrive(w, e, level, fold):
    """Look at the state that a level of the line has come to: a leaf, a decision, or a deal to come.

    Returns the level at which the walk goes on; below -1: what is wrong, less one.
    """
    line = w.line
    g = line.games[level]
    if g.phase == OVER:
        value = np.int64(play.final_return(g, w.rules, SCORE_DIFFERENCE))
        add_leaf(w, level, value, value, value)
        return level - 1
    if g.phase == BETWEEN_DEALS:
        line.item[level] = NEXT_DEAL
        line.games[level + 1] = line.games[level]
        follow_on(w, level)
        n = new_places(w, level)
        begin_chance(w, level, n)
        w.counts[CHANCES] += 1
        return level
    seat = np.int64(g.to_act)
    play.project(g, w.rules, seat, w.view[0])
    if fold and knows_all(w.view[0]):
        play.project(g, w.rules, 1 - seat, w.other_view[0])
        if knows_all(w.other_view[0]):
            e.games[0] = line.games[level]
            if not solve_line(e, w.rules, w.out, w.tmp):
                return np.int64(ENDING_TOO_DEEP - 1)
            add_leaf(w, level, w.out[VALUE], w.out[LOW], w.out[HIGH])
            return level - 1
    play.write_mask(g, w.rules, line.mask[level], w.tmp)
    k = find_set(w, level, seat)
    if k < 0:
        return np.int64(ACTIONS_DIFFER - 1)
    w.visits[w.counts[VISITS]] = k
    w.counts[VISITS] += 1
    line.kind[level] = DECISION
    line.item[level] = k
    line.next[level] = 0
    return level


@kernel(inner=True)
def hand_down(w, level):
    """Give the next level what this one has come with."""
    line = w.line
    line.chance[level + 1] = line.chance[level]
    for s in range(2):
        line.sequence[level + 1, s] = line.sequence[level, s]
        line.heard[level + 1, s] = line.heard[level, s]
        line.heard_n[level + 1, s] = line.heard_n[level, s]


@kernel(inner=True)
def note_action(w, level, action):
    """Note on the next level what both seats learn by an action; False where one has noticed too many."""
    line = w.line
    g = line.games[level]
    seat = np.int64(g.to_act)
    k = line.item[level]
    chosen = np.int64(0)
    for a in range(action):
        chosen += line.mask[level, a] != 0
    line.sequence[level + 1, seat] = w.set_first[k] + chosen
    line.heard[level + 1, seat] = 0
    line.heard_n[level + 1, seat] = 0
    if hears(g, action):
        line.heard[level + 1, 1 - seat] = line.heard[level, 1 - seat] * HEARD_BASE + np.uint64(action + 1)
        line.heard_n[level + 1, 1 - seat] += 1
        return line.heard_n[level + 1, 1 - seat] <= HEARD_MOST
    return True


@kernel
def start_walk(w, dealer):
    """Make the root: the deal, from the pack in any order."""
    line = w.line
    line.item[0] = DEAL
    line.chance[0] = 1.0
    line.games[0].dealer = dealer
    for k in range(w.pack.shape[0]):
        line.games[0].deck[k] = w.pack[k]
    line.games[1] = line.games[0]
    follow_on(w, 0)
    n = new_places(w, 0)
    begin_chance(w, 0, n)
    w.counts[CHANCES] = 1
    w.counts[AT] = 0


@kernel
def walk(w, e, fold, steps):
    """Walk on for some steps; return DONE, what must grow, or what is wrong.

    Args:
        w: the walk; its root is made by :func:`start_walk`.
        e: the endings.
        fold: whether endings in which nothing is hidden become leaves.
        steps: how many to take at most; the walk is over when ``counts[AT]`` is -1.
    """
    line = w.line
    actions = line.mask.shape[1]
    level = w.counts[AT]
    while level >= 0 and steps > 0:
        w.counts[AT] = level
        if w.counts[SETS] + 1 >= w.set_seat.shape[0]:
            return GROW_SETS
        if max(w.counts[SEQUENCES], w.counts[SEQUENCES + 1]) + actions >= w.actions.shape[1]:
            return GROW_SEQUENCES
        if w.counts[LEAVES] + 1 >= w.leaf_rows.shape[0]:
            return GROW_LEAVES
        if w.counts[VISITS] + 1 >= w.visits.shape[0]:
            return GROW_VISITS
        if 2 * e.filled[0] > e.keys.shape[0]:
            return GROW_ENDINGS
        if level + 2 >= DEPTH:
            return TOO_DEEP
        steps -= 1
        w.counts[STEPS] += 1
        hand_down(w, level)
        if line.kind[level] == CHANCE:
            probability = next_draw(w, level)
            if probability == 0.0:
                level -= 1
                continue
            line.games[level + 1] = line.games[level]
            put_cards(w, level)
            follow_on(w, level)
            line.chance[level + 1] = line.chance[level] * probability
        else:
            action = line.next[level]
            while action < actions and line.mask[level, action] == 0:
                line.next[level] = action = action + 1
            if action == actions:
                level -= 1
                continue
            line.next[level] = action + 1
            if not note_action(w, level, action):
                return TOO_MUCH_HEARD
            line.games[level + 1] = line.games[level]
            play.apply(line.games[level + 1], w.rules, action, w.tmp)
            before = play.dealt(line.games[level], w.rules, w.places, w.owners)
            if play.dealt(line.games[level + 1], w.rules, w.places, w.owners) > before:
                # The action draws: a chance spot of the state before it, with the action still to be done.
                level += 1
                line.item[level] = action
                line.games[level + 1] = line.games[level]
                line.games[level] = line.games[level - 1]
                n = new_places(w, level)
                begin_chance(w, level, n)
                w.counts[CHANCES] += 1
                continue
        level = arrive(w, e, level + 1, fold)
        if level < -1:
            return level + 1
    w.counts[AT] = level
    return DONE


@kernel
def rehash_sets(slots, hashes, sets):
    """Enter the information sets into a larger, empty hash table."""
    last = np.uint64(slots.shape[0] - 1)
    for k in range(sets):
        at = (hashes[k] >> np.uint64(20)) & last
        while slots[at] >= 0:
            at = (at + np.uint64(1)) & last
        slots[at] = k
