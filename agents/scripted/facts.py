"""What the scripted players read of a view, in types that are the same for every variant.

A view's arrays have other lengths in every variant, so whatever is compiled over a view is compiled once for
each. :func:`facts_of` alone is; the players are compiled over :class:`Facts` and serve all variants.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bezique_env.engine.cache import kernel


class Facts(NamedTuple):
    """Fields of a view under their own names (see :mod:`bezique_env.engine.bezique.state`); arrays are not copied."""

    hand: Any
    table_count: Any
    unseen: Any
    known: Any
    concealed_n: Any
    table_card: Any
    table_uses: Any
    table_served: Any
    table_melds: Any
    table_n: Any
    seat: Any
    phase: Any
    trump: Any
    turn_up: Any
    led: Any
    """Card that the other seat has led, NO_CARD when it has not."""
    stock_left: Any
    declared: Any
    bezique_q: Any
    bezique_j: Any


@kernel(inline_always=True)
def facts_of(v):
    """Return the facts of a view record; slices have types without lengths."""
    return Facts(
        v.hand[:],
        v.table_count[:],
        v.unseen[:],
        v.known[:],
        v.concealed_n[:],
        v.table_card[:],
        v.table_uses[:],
        v.table_served[:],
        v.table_melds[:],
        v.table_n[:],
        np.int64(v.seat),
        np.int64(v.phase),
        np.int64(v.trump),
        np.int64(v.turn_up),
        np.int64(v.trick_card[1 - v.seat]),
        np.int64(v.stock_left),
        np.int64(v.declared),
        np.int64(v.bezique_q),
        np.int64(v.bezique_j),
    )


@kernel(inner=True)
def as_other(f, hand):
    """Return the facts as if the other seat were to act with a hand that it may hold."""
    other = 1 - f.seat
    return Facts(
        hand,
        f.table_count,
        f.unseen,
        f.known,
        f.concealed_n,
        f.table_card,
        f.table_uses,
        f.table_served,
        f.table_melds,
        f.table_n,
        other,
        f.phase,
        f.trump,
        f.turn_up,
        f.led,
        f.stock_left,
        f.declared,
        f.bezique_q,
        f.bezique_j,
    )


@kernel(inline_always=True)
def held(f, seat, card):
    """Copies of a card that the seat to act has, hand and table."""
    return np.int64(f.hand[card]) + np.int64(f.table_count[seat, card])


@kernel(inline_always=True)
def in_reach(f, seat, card):
    """Copies that the seat to act has or may still draw."""
    return held(f, seat, card) + np.int64(f.unseen[card]) + (1 if f.turn_up == card else 0)


@kernel(inline_always=True)
def wins(trump, led, card):
    """Whether a card takes the trick led with another (an equal card does not)."""
    if card >> 3 == led >> 3:
        return card > led
    return card >> 3 == trump


@kernel(inner=True)
def chance_unbeaten(f, card):
    """Return how likely the other seat holds no card that beats a led one, 0 where it is seen to hold one."""
    other = 1 - f.seat
    beating = 0
    unseen = 0
    for c in range(32):
        unseen += np.int64(f.unseen[c])
        if wins(f.trump, card, c):
            if f.known[other, c] > 0 or f.table_count[other, c] > 0:
                return 0.0
            beating += np.int64(f.unseen[c])
    hidden = np.int64(f.concealed_n[other])
    for c in range(32):
        hidden -= np.int64(f.known[other, c])
    chance = 1.0
    for k in range(hidden):
        left = unseen - k
        if left <= 0:
            break
        chance *= max(0.0, np.float64(left - beating) / np.float64(left))
    return chance


@kernel(inner=True)
def played_place(f, card):
    """Place of the copy that ``play ... table`` plays: the one that served most, then the earliest laid."""
    place = np.int64(-1)
    most = np.int64(-1)
    for t in range(np.int64(f.table_n[f.seat])):
        if f.table_card[f.seat, t] == card and np.int64(f.table_served[f.seat, t]) > most:
            most = np.int64(f.table_served[f.seat, t])
            place = np.int64(t)
    return place


@kernel(inner=True)
def first_legal(mask):
    """The lowest legal action, -1 where there is none."""
    for a in range(mask.shape[0]):
        if mask[a] != 0:
            return a
    return -1
