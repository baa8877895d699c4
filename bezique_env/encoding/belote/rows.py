"""From a view of the Belote family to its observation row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bezique_env.encoding.belote.layout import layout_of
from bezique_env.engine.cache import kernel
from bezique_env.rules.belote.shape import Shape

_AT = layout_of(Shape(2)).at


@kernel(inline_always=True)
def _flags(mask, row, start):
    """Write a set of cards, a number for each card."""
    for card in range(32):
        row[start + card] = np.float32((mask >> card) & 1)


@kernel(inline_always=True)
def encode_two_seats(v, row):
    """Write the observation of a view of the two-handed game."""
    own = np.int64(v.seat)
    opp = 1 - own
    _flags(v.hand, row, _AT.hand)
    _flags(v.known[own], row, _AT.known_own)
    _flags(v.known[opp], row, _AT.known_opp)
    _flags(v.unseen, row, _AT.unseen)
    _flags(v.absent[own], row, _AT.absent_own)
    _flags(v.absent[opp], row, _AT.absent_opp)
    _flags(v.played[own], row, _AT.played_own)
    _flags(v.played[opp], row, _AT.played_opp)
    _flags(v.won[own], row, _AT.won_own)
    _flags(v.won[opp], row, _AT.won_opp)


def kernel_for(lengths: Callable[[str], tuple[int, ...]]) -> Any:
    """Return the kernel for view records; ``lengths`` gives the shape of a field of theirs."""
    if lengths("hand") != ():
        raise TypeError(f"no variant has views with hands of the shape {lengths('hand')}")
    return encode_two_seats
