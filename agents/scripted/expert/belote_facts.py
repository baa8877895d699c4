"""What the expert of the Belote family reads of a view, in types that are the same for every variant.

A view's arrays have other lengths in every variant. :func:`facts_of` alone is compiled for each; everything
that decides is compiled over :class:`BeloteFacts` and serves all.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bezique_env.engine.belote.kernels import PLAIN_STRENGTH
from bezique_env.engine.belote.state import CONTESTS, TO_DEALER, TO_ELDER
from bezique_env.engine.belote.views import count
from bezique_env.engine.cache import kernel

STRONGER_PLAIN = np.array(
    [sum(1 << b for b in range(8) if PLAIN_STRENGTH[b] > PLAIN_STRENGTH[a]) for a in range(8)], np.int64
)
"""For each rank the ranks of a plain suit that beat it, as a mask."""
COUNT = np.array([bin(ranks).count("1") for ranks in range(256)], np.int64)
"""Cards of a suit given as a mask of ranks."""
_MOST_UNSEEN, _MOST_HIDDEN = 32, 9


def _chances_of_none() -> Any:
    table = np.zeros((_MOST_UNSEEN + 1, _MOST_UNSEEN + 1, _MOST_HIDDEN + 1))
    for size in range(_MOST_UNSEEN + 1):
        for wanted in range(size + 1):
            chance = 1.0
            for hidden in range(_MOST_HIDDEN + 1):
                table[size, wanted, hidden] = chance
                left = size - hidden
                chance *= max(0.0, (left - wanted) / left) if left > 0 else 1.0
    return table


NONE_OF = _chances_of_none()
"""How likely a hand holds none of some cards: by the cards that it is drawn from, those wanted, those drawn."""


class BeloteFacts(NamedTuple):
    """Fields of a view under their own names (see :mod:`bezique_env.engine.belote.state`), and what follows from them.

    The first four are sets of cards (bit ``8 * suit + rank``), ``scores`` is int32 [seats], all others int64.
    """

    hand: Any
    pool: Any
    """Cards that may be among the hidden ones of the other hand."""
    known: Any
    """Cards that are known to be in the other hand."""
    out: Any
    """Played by either seat."""
    scores: Any
    size: Any
    """Cards of the pool."""
    hidden: Any
    """Cards of the other hand that nobody has shown."""
    cards: Any
    """Cards of the own hand."""
    seat: Any
    phase: Any
    trump: Any
    taker: Any
    turn_up: Any
    led: Any
    """Card that the other seat has led; 255 when it has not."""
    round: Any
    elder: Any
    """1: the seat to act is elder."""
    own_played: Any
    other_played: Any
    own_tricks: Any
    other_tricks: Any
    own_paid: Any
    other_paid: Any
    """1: the seat's pair is paid."""
    own_said: Any
    other_said: Any
    """Words that the seat has said of its pair."""
    own_waiting: Any
    other_waiting: Any
    """Points of declarations that wait for the seat's first trick."""
    held: Any


@kernel(inline_always=True)
def waiting(v, seat):
    """Return the points of the declarations of a seat that wait for its first trick."""
    points = np.int64(0)
    side = TO_ELDER if v.dealer != seat else TO_DEALER
    for c in range(CONTESTS):
        if v.paid[c] == 0 and v.outcome[c] == side:
            points += np.int64(v.declared[c])
    return points


@kernel(inline_always=True)
def facts_of(v):
    """Return the facts of a view record."""
    seat = np.int64(v.seat)
    other = 1 - seat
    known = np.int64(v.known[other])
    pool = np.int64(v.unseen) & ~np.int64(v.absent[other]) & ~known
    own_played = np.int64(v.played[seat])
    other_played = np.int64(v.played[other])
    return BeloteFacts(
        np.int64(v.hand),
        pool,
        known,
        own_played | other_played,
        v.scores[:],
        count(pool),
        np.int64(v.concealed_n[other]) - count(known),
        np.int64(v.concealed_n[seat]),
        seat,
        np.int64(v.phase),
        np.int64(v.trump),
        np.int64(v.taker),
        np.int64(v.turn_up),
        np.int64(v.trick_card[other]),
        np.int64(v.round),
        np.int64(1) if v.dealer != seat else np.int64(0),
        own_played,
        other_played,
        np.int64(v.tricks[seat]),
        np.int64(v.tricks[other]),
        np.int64(v.pair_paid[seat]),
        np.int64(v.pair_paid[other]),
        np.int64(v.pair_said[seat]),
        np.int64(v.pair_said[other]),
        waiting(v, seat),
        waiting(v, other),
        np.int64(v.held),
    )
