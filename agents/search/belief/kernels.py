"""Worlds drawn by how likely the other side would have come to them, inside kernels.

Of some worlds that agree with a view one is taken, each with a chance in proportion to the exponential of its
features times their weights. ``t`` is a :class:`agents.search.tools.Tools`; a variant without a file of
weights takes every world that agrees with the view as equally likely.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.search.belief import belote, bezique
from bezique_env.engine import play
from bezique_env.engine.cache import kernel
from bezique_env.engine.dispatch import by_family
from bezique_env.engine.engine import Engine
from bezique_env.engine.rng import next_u64, stream_key

PLACES: dict[str, Any] = {"bezique": bezique, "belote": belote}
"""The module of each family of :data:`bezique_env.rules.families.FAMILIES`, by its id."""
CANDIDATES = 8
"""Worlds of which one is taken."""
STREAM_WORLD = 1
"""Stream of the key of a decision from which its worlds come, by their number."""


def _own(engine: Engine, name: str) -> Any:
    return getattr(PLACES[engine.family], name)


_by_family = by_family(_own)


@_by_family
def tells(v):
    """Whether anything is read from the play that led to a view."""


@_by_family
def place(v):
    """Return (block, next block, part): the weights of a view are those of a block and in part those of the next."""


@_by_family
def describe(v, g, t, out):
    """Write the features of a state that agrees with a view: float64 [features]."""


@kernel(inner=True)
def log_odds(v, g, t):
    """Return the logarithm of how likely a world is beside others that agree with the view."""
    describe(v, g, t, t.features)
    block, following, part = place(v)
    total = 0.0
    for k in range(t.features.shape[0]):
        if t.features[k] != 0.0:
            total += t.features[k] * ((1.0 - part) * t.belief[block, k] + part * t.belief[following, k])
    return total


@kernel(inner=True)
def draw_world(v, t, key, number):
    """Write into ``t.world`` the world of a number, which depends on view, key and number alone."""
    world = t.world[0]
    key = stream_key(key, STREAM_WORLD, number)
    play.resample(v, world, t.rules, key, t.work, t.tmp)
    if t.belief.shape[0] == 0 or not tells(v):
        return
    most = -np.inf
    for k in range(CANDIDATES):
        if k > 0:
            play.resample(v, world, t.rules, stream_key(key, STREAM_WORLD, k), t.work, t.tmp)
        _, bits = next_u64(stream_key(key, STREAM_WORLD + 1, k))
        # The largest of such sums falls on each with a chance in proportion to its odds (Gumbel).
        luck = -np.log(-np.log((np.float64(bits >> np.uint64(11)) + 0.5) / 9007199254740992.0))
        odds = log_odds(v, world, t) + luck
        if odds > most:
            most = odds
            t.kept[0] = world
    t.world[0] = t.kept[0]
