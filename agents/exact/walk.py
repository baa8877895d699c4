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

from agents.exact.endings import HIGH, LOW, VALUE, hash_words, solve_line
from agents.exact.families import deal_again, hears, knows_all
from bezique_env.engine import play
from bezique_env.engine.cache import kernel
from bezique_env.engine.common import (
    BETWEEN_DEALS,
    DRAWS_SHARED,
    EPISODE_DEAL,
    OVER,
    PUBLIC,
    SCORE_DIFFERENCE,
)

DEPTH = 128
"""More spots than any line has."""
CARD = 31
"""The part of a byte of a deck that is the card, in every family."""
DECISION, CHANCE, UNSEEN = 0, 1, 2
"""Kinds of spots; the state of an unseen one, where a walk may begin, has not been looked at."""
DEAL, NEXT_DEAL = -1, -2
"""What the cards of a chance spot are for, beside the actions, which draw them."""
HEARD_BASE = np.uint64(128)
HEARD_MOST = 9
"""Actions that can be noticed between two own decisions: more would not fit into 64 bits."""
_FACTOR, _S20 = np.uint64(0x9E3779B97F4A7C15), np.uint64(20)

DONE, GROW_SETS, GROW_SEQUENCES, GROW_LEAVES, GROW_VISITS, GROW_ENDINGS, OPEN_FULL = range(7)
TOO_DEEP, TOO_MUCH_HEARD, ACTIONS_DIFFER, ENDING_TOO_DEEP = -1, -2, -3, -4
"""How a stretch of the walk ends: done, what must grow (or be valued) before it goes on, what is wrong."""

AT, SETS, LEAVES, VISITS, CHANCES, MIN_SCORE, MAX_SCORE, OPEN, SEQUENCES = range(9)
"""Places of ``Walk.counts``: level of the line (-1 when done), then what was counted; of SEQUENCES there are two."""
COUNTS = 10

SET_DTYPE = np.dtype(
    [
        ("hash", "u8"),
        ("heard", "u8"),  # actions noticed since the last own one
        ("parent", "i4"),  # last own sequence
        ("first", "i4"),  # the sequences of its actions begin here
        ("count", "u1"),
        ("seat", "u1"),
    ]
)
"""An information set; its view stands in ``Walk.set_views``."""
LEAF_DTYPE = np.dtype([("chance", "f8"), ("sequence", "i4", (2,)), ("value", "i4")])
"""A leaf: probability of its draws, last sequence of each seat, seat 0's points less seat 1's."""


def spot_dtype(deck: int, actions: int) -> np.dtype[np.void]:
    """Return the record of a spot of the line.

    Args:
        deck: places of the deck.
        actions: size of the table of actions.
    """
    return np.dtype(
        [
            ("chance", "f8"),  # product of the probabilities of the draws so far
            (
                "heard",
                "u8",
                (2,),
            ),  # what each seat has noticed since its own last action, digits to HEARD_BASE
            ("sequence", "i8", (2,)),  # last one of each seat
            ("heard_n", "i8", (2,)),
            ("item", "i8"),  # information set, or what the cards are for
            ("next", "i8"),  # action to try next; of a chance spot 0 before its first draw
            ("drawn", "i8"),  # of a chance spot: how many places come into play
            ("left", "i8", (32,)),  # copies of each card that have not come into play
            ("kind", "u1"),
            ("places", "u1", (deck,)),  # that come into play, by owner
            ("owners", "u1", (deck,)),
            ("cards", "u1", (deck,)),  # that they get now
            ("mask", "i1", (actions,)),  # of a decision
        ]
    )


class Walk(NamedTuple):
    """All arrays of a walk. Those that grow: slots, sets and set_views; actions; leaves; visits."""

    rules: NDArray[Any]
    pack: NDArray[np.uint8]
    games: NDArray[Any]
    """States from the root to where the walk is, [DEPTH]."""
    spots: NDArray[Any]
    """What is done there, [DEPTH]."""
    seen: NDArray[Any]
    """What the seat to act sees, one view."""
    other_seen: NDArray[Any]
    words: NDArray[np.uint64]
    """The bytes of ``seen`` as whole words."""
    places: NDArray[np.uint8]
    owners: NDArray[np.uint8]
    tmp: NDArray[np.uint8]
    out: NDArray[np.int64]
    counts: NDArray[np.int64]
    slots: NDArray[np.int32]
    """Hash table of the information sets, -1 where free."""
    sets: NDArray[Any]
    set_views: NDArray[np.uint64]
    """[sets, words]"""
    actions: NDArray[np.uint8]
    """[2, sequences], the last action of each sequence."""
    leaves: NDArray[Any]
    visits: NDArray[np.int32]
    """The information set of each decision, in the order of the walk."""
    open_games: NDArray[Any]
    """Endings that the caller values, many at a time, and..."""
    open_leaves: NDArray[np.int32]
    """... their leaves; both of length 0 where the walk values them itself."""


# -------------------------------------------------------------------------------------------------- draws


@kernel(inner=True)
def new_places(g, after, spot, rules, places, owners):
    """Find the places of the deck that came into play from a state to the one after it, by owner."""
    before = np.int64(0)
    if spot.item != DEAL and spot.item != NEXT_DEAL:
        before = np.int64(play.dealt(g, rules, spot.places, spot.owners))
    total = np.int64(play.dealt(after, rules, places, owners))
    old = np.int64(0)
    fresh = np.int64(0)
    for k in range(total):
        if old < before and spot.places[old] == places[k]:
            old += 1
        else:
            places[fresh] = places[k]
            owners[fresh] = owners[k]
            fresh += 1
    n = np.int64(0)
    for owner in range(PUBLIC + 1):
        for k in range(fresh):
            if owners[k] == owner:
                spot.places[n] = places[k]
                spot.owners[n] = owner
                n += 1
    spot.drawn = n


@kernel(inner=True)
def begin_chance(g, spot, rules, pack, places, owners):
    """Make a chance spot of one whose places are found."""
    spot.kind = CHANCE
    spot.next = 0
    for c in range(32):
        spot.left[c] = 0
    for k in range(pack.shape[0]):
        spot.left[g.deck[k] & CARD] += 1
    if spot.item != DEAL and spot.item != NEXT_DEAL:
        for k in range(play.dealt(g, rules, places, owners)):
            spot.left[g.deck[places[k]] & CARD] -= 1


@kernel(inner=True)
def next_draw(spot):
    """Go on to the next cards of a chance spot; return their probability, 0 when all were drawn.

    Places of one owner hold ascending cards; everyone sees which public place holds what.
    """
    n = np.int64(spot.drawn)
    cards, owners, left = spot.cards, spot.owners, spot.left
    k = np.int64(0)
    card = np.int64(0)
    if spot.next == 0:
        spot.next = 1
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
    # Place by place, copies left over cards left, times the orders of each owner's cards.
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
def put_cards(g, spot, rules, pack, places, owners):
    """Put the cards drawn at a chance spot into a copy of its state; the deck stays a whole pack."""
    fresh = spot.item == DEAL or spot.item == NEXT_DEAL
    in_play = np.int64(0)
    if not fresh:
        in_play = np.int64(play.dealt(g, rules, places, owners))
    for i in range(spot.drawn):
        place = np.int64(spot.places[i])
        card = np.int64(spot.cards[i])
        held = np.int64(g.deck[place]) & CARD
        if held == card:
            continue
        for k in range(pack.shape[0]):
            free = np.int64(g.deck[k]) & CARD == card
            for j in range(in_play):
                free = free and places[j] != k
            for j in range(i):
                free = free and spot.places[j] != k
            if free:
                if fresh:
                    g.deck[k] = held
                    g.deck[place] = card
                else:
                    play.put_card(g, rules, k, held)
                    play.put_card(g, rules, place, card)
                break


@kernel(inner=True)
def follow_on(g, item, rules, tmp):
    """Let a state go on by what is done at its spot: an action, or a deal."""
    if item == DEAL:
        dealer = np.int64(g.dealer)
        play.start_game(g, rules, np.uint64(0), dealer, EPISODE_DEAL, DRAWS_SHARED, np.int64(1))
        deal_again(g)
    elif item == NEXT_DEAL:
        play.next_deal(g, rules)
    else:
        play.apply(g, rules, item, tmp)


# ------------------------------------------------------------------------------ decisions, sets and leaves


@kernel(inner=True)
def hand_down(spot, following):
    """Give the next spot what this one has come with."""
    following.chance = spot.chance
    for s in range(2):
        following.sequence[s] = spot.sequence[s]
        following.heard[s] = spot.heard[s]
        following.heard_n[s] = spot.heard_n[s]


@kernel(inner=True)
def note_action(g, spot, following, action, first):
    """Note on the next spot what both seats learn by an action; False where one has noticed too many."""
    seat = np.int64(g.to_act)
    chosen = np.int64(0)
    for a in range(action):
        chosen += spot.mask[a] != 0
    following.sequence[seat] = first + chosen
    following.heard[seat] = 0
    following.heard_n[seat] = 0
    if not hears(g, action):
        return True
    following.heard[1 - seat] = np.uint64(spot.heard[1 - seat]) * HEARD_BASE + np.uint64(action + 1)
    following.heard_n[1 - seat] += 1
    return following.heard_n[1 - seat] <= HEARD_MOST


@kernel(inner=True)
def allows(actions, found, mask):
    """Whether the actions of an information set are those of a mask."""
    n = np.int64(0)
    for a in range(mask.shape[0]):
        if mask[a]:
            if n == found.count or actions[found.first + n] != a:
                return False
            n += 1
    return n == found.count


@kernel(inner=True)
def find_set(spot, seat, words, slots, sets, set_views, actions, counts):
    """Return the information set of a decision of a seat, made if it is new; -1 where its actions are others."""
    parent = np.int64(spot.sequence[seat])
    heard = np.uint64(spot.heard[seat])
    code = (hash_words(words, np.uint64(parent) * _FACTOR + np.uint64(seat), _FACTOR) ^ heard) * _FACTOR
    last = np.uint64(slots.shape[0] - 1)
    at = (code >> _S20) & last
    while slots[at] >= 0:
        k = np.int64(slots[at])
        if (
            sets[k].hash == code
            and sets[k].parent == parent
            and sets[k].heard == heard
            and sets[k].seat == seat
        ):
            same = True
            for j in range(words.shape[0]):
                if set_views[k, j] != words[j]:
                    same = False
            if same:
                return k if allows(actions[seat], sets[k], spot.mask) else np.int64(-1)
        at = (at + np.uint64(1)) & last
    k = counts[SETS]
    counts[SETS] += 1
    slots[at] = k
    found = sets[k]
    found.hash = code
    found.heard = heard
    found.parent = parent
    found.seat = seat
    found.first = counts[SEQUENCES + seat]
    n = np.int64(0)
    for a in range(spot.mask.shape[0]):
        if spot.mask[a]:
            actions[seat, found.first + n] = a
            n += 1
    found.count = n
    counts[SEQUENCES + seat] += n
    for j in range(words.shape[0]):
        set_views[k, j] = words[j]
    return k


@kernel(inner=True)
def add_leaf(leaves, counts, spot, value, low, high):
    """Write a leaf down."""
    leaf = leaves[counts[LEAVES]]
    counts[LEAVES] += 1
    for s in range(2):
        leaf.sequence[s] = spot.sequence[s]
    leaf.chance = spot.chance
    leaf.value = value
    counts[MIN_SCORE] = min(counts[MIN_SCORE], low)
    counts[MAX_SCORE] = max(counts[MAX_SCORE], high)


@kernel(inner=True)
def arrive(w, e, level, fold):
    """Look at the state that a level of the line has come to: a leaf, a decision, or a deal to come.

    Returns the level at which the walk goes on; below -1: what is wrong, less one.
    """
    g, spot = w.games[level], w.spots[level]
    if g.phase == OVER:
        value = np.int64(play.final_return(g, w.rules, SCORE_DIFFERENCE))
        add_leaf(w.leaves, w.counts, spot, value, value, value)
        return level - 1
    if g.phase == BETWEEN_DEALS:
        spot.item = NEXT_DEAL
        w.games[level + 1] = w.games[level]
        follow_on(w.games[level + 1], NEXT_DEAL, w.rules, w.tmp)
        new_places(g, w.games[level + 1], spot, w.rules, w.places, w.owners)
        begin_chance(g, spot, w.rules, w.pack, w.places, w.owners)
        w.counts[CHANCES] += 1
        return level
    seat = np.int64(g.to_act)
    play.project(g, w.rules, seat, w.seen[0])
    if fold and knows_all(w.seen[0]):
        play.project(g, w.rules, 1 - seat, w.other_seen[0])
        if knows_all(w.other_seen[0]):
            if w.open_games.shape[0] > 0:
                w.open_games[w.counts[OPEN]] = g
                w.open_leaves[w.counts[OPEN]] = w.counts[LEAVES]
                w.counts[OPEN] += 1
                add_leaf(w.leaves, w.counts, spot, np.int64(0), w.counts[MIN_SCORE], w.counts[MAX_SCORE])
                return level - 1
            e.games[0] = w.games[level]
            if not solve_line(e, w.rules, w.out, w.tmp):
                return np.int64(ENDING_TOO_DEEP - 1)
            add_leaf(w.leaves, w.counts, spot, w.out[VALUE], w.out[LOW], w.out[HIGH])
            return level - 1
    play.write_mask(g, w.rules, spot.mask, w.tmp)
    k = find_set(spot, seat, w.words, w.slots, w.sets, w.set_views, w.actions, w.counts)
    if k < 0:
        return np.int64(ACTIONS_DIFFER - 1)
    w.visits[w.counts[VISITS]] = k
    w.counts[VISITS] += 1
    spot.kind = DECISION
    spot.item = k
    spot.next = 0
    return level


# --------------------------------------------------------------------------------------------- the walk


@kernel
def start_walk(w, dealer):
    """Make the root: the deal, from the pack in any order."""
    spot = w.spots[0]
    spot.item = DEAL
    spot.chance = 1.0
    w.games[0].dealer = dealer
    for k in range(w.pack.shape[0]):
        w.games[0].deck[k] = w.pack[k]
    w.games[1] = w.games[0]
    follow_on(w.games[1], DEAL, w.rules, w.tmp)
    new_places(w.games[0], w.games[1], spot, w.rules, w.places, w.owners)
    begin_chance(w.games[0], spot, w.rules, w.pack, w.places, w.owners)
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
    games, spots, rules, counts, tmp = w.games, w.spots, w.rules, w.counts, w.tmp
    pack, places, owners = w.pack, w.places, w.owners
    actions = spots[0].mask.shape[0]
    level = counts[AT]
    while level >= 0 and steps > 0:
        counts[AT] = level
        if counts[SETS] + 1 >= w.sets.shape[0]:
            return GROW_SETS
        if max(counts[SEQUENCES], counts[SEQUENCES + 1]) + actions >= w.actions.shape[1]:
            return GROW_SEQUENCES
        if counts[LEAVES] + 1 >= w.leaves.shape[0]:
            return GROW_LEAVES
        if counts[VISITS] + 1 >= w.visits.shape[0]:
            return GROW_VISITS
        if 2 * e.filled[0] > e.keys.shape[0]:
            return GROW_ENDINGS
        if w.open_games.shape[0] > 0 and counts[OPEN] == w.open_games.shape[0]:
            return OPEN_FULL
        if level + 3 >= DEPTH:
            return TOO_DEEP
        steps -= 1
        spot, following = spots[level], spots[level + 1]
        reached = level + 1
        if spot.kind == UNSEEN:
            reached = level
        elif spot.kind == CHANCE:
            probability = next_draw(spot)
            if probability == 0.0:
                level -= 1
                continue
            hand_down(spot, following)
            following.chance *= probability
            games[level + 1] = games[level]
            put_cards(games[level + 1], spot, rules, pack, places, owners)
            follow_on(games[level + 1], np.int64(spot.item), rules, tmp)
        else:
            action = np.int64(spot.next)
            while action < actions and spot.mask[action] == 0:
                action += 1
            if action == actions:
                level -= 1
                continue
            spot.next = action + 1
            hand_down(spot, following)
            if not note_action(games[level], spot, following, action, np.int64(w.sets[spot.item].first)):
                return TOO_MUCH_HEARD
            games[level + 1] = games[level]
            play.apply(games[level + 1], rules, action, tmp)
            before = play.dealt(games[level], rules, places, owners)
            if play.dealt(games[level + 1], rules, places, owners) > before:
                # The action draws: a chance spot of the state before it, with the action still to be done.
                level += 1
                following.item = action
                new_places(games[level - 1], games[level], following, rules, places, owners)
                games[level] = games[level - 1]
                begin_chance(games[level], following, rules, pack, places, owners)
                counts[CHANCES] += 1
                continue
        level = arrive(w, e, reached, fold)
        if level < -1:
            return level + 1
    counts[AT] = level
    return DONE


@kernel
def rehash_sets(slots, sets, count):
    """Enter the information sets into a larger, empty hash table."""
    last = np.uint64(slots.shape[0] - 1)
    for k in range(count):
        at = (sets[k].hash >> _S20) & last
        while slots[at] >= 0:
            at = (at + np.uint64(1)) & last
        slots[at] = k
