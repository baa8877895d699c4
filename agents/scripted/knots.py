"""Weights that stand at a few numbers and are interpolated between them."""

from __future__ import annotations

import numpy as np

from bezique_env.engine.cache import kernel


@kernel(inner=True)
def between(knots, x):
    """Return (place, part): x lies between two knots, by that part away from the first; beyond the ends, at them."""
    last = len(knots) - 2
    x = min(max(np.int64(x), knots[0]), knots[last + 1])
    k = np.int64(0)
    while k < last and x >= knots[k + 1]:
        k += 1
    return k, np.float64(x - knots[k]) / np.float64(knots[k + 1] - knots[k])
