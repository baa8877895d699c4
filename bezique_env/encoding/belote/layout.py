"""The layout of the observations of the Belote family."""

from __future__ import annotations

import functools

from bezique_env.encoding.layout import Layout, Spec, make_layout
from bezique_env.rules.belote.shape import Shape

SCORE_SCALE = 100
"""Points that stand for 1.0: about what a deal brings."""
_FLAGS = "0/1 per card id"
_SPEC: Spec = [
    ("hand", 32, _FLAGS, 0, 1, "own concealed cards"),
    ("known_own", 32, _FLAGS, 0, 1, "own concealed cards that the other seat knows"),
    ("known_opp", 32, _FLAGS, 0, 1, "cards that the other seat is known to hold concealed"),
    ("unseen", 32, _FLAGS, 0, 1, "cards that may be in the other hand or out of play"),
    ("absent_own", 32, _FLAGS, 0, 1, "cards that own plays have shown not to be in the hand"),
    ("absent_opp", 32, _FLAGS, 0, 1, "cards that the other seat's plays have shown not to be in its hand"),
    ("played_own", 32, _FLAGS, 0, 1, "cards that this seat has played"),
    ("played_opp", 32, _FLAGS, 0, 1, "cards that the other seat has played"),
    ("won_own", 32, _FLAGS, 0, 1, "cards in the tricks won by this seat"),
    ("won_opp", 32, _FLAGS, 0, 1, "cards in the tricks won by the other seat"),
]


@functools.cache
def layout_of(shape: Shape) -> Layout:
    """Return the layout of the rows that are made from view records of a shape."""
    return make_layout(f"StartsBelote{shape.seats}", shape, _SPEC, SCORE_SCALE)
