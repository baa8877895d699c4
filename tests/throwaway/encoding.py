"""The observation of the throw-away family."""

from __future__ import annotations

import functools

import numpy as np

from bezique_env.encoding.encoders import Encoder
from bezique_env.encoding.layout import make_layout
from bezique_env.engine.cache import kernel
from bezique_env.engine.common import NONE
from tests.throwaway.rules import Shape

_FLAGS = "0/1 per card id"
_SPEC = [
    ("hand", 32, _FLAGS, 0, 1, "own cards"),
    ("unseen", 32, _FLAGS, 0, 1, "cards that may be in the other hand or out of play"),
    ("voids_opp", 32, _FLAGS, 0, 1, "cards of the suits that the other seat could not follow"),
    ("led", 32, _FLAGS, 0, 1, "card that the other seat has led"),
    ("points", 2, "points / 8", 0, 1, "points of this deal: own, other's"),
]


@functools.cache
def layout_of(shape):
    """Return the layout of the rows."""
    return make_layout("StartsDuel", shape, _SPEC, 8)


_AT = layout_of(Shape()).at


@kernel(inline_always=True)
def encode(v, row):
    """Write the observation of a view."""
    opp = 1 - v.seat
    for card in range(32):
        row[_AT.hand + card] = np.float32((v.hand >> card) & 1)
        row[_AT.unseen + card] = np.float32((v.unseen >> card) & 1)
        row[_AT.voids_opp + card] = np.float32((v.voids[opp] >> card) & 1)
        row[_AT.led + card] = 0
    if v.trick_card[opp] != NONE:
        row[_AT.led + v.trick_card[opp]] = 1
    row[_AT.points] = v.scores[v.seat] / np.float32(8)
    row[_AT.points + 1] = v.scores[opp] / np.float32(8)


ENCODER = Encoder(layout_of, lambda lengths: encode)
