"""How much the slow tests look at: what CI has time for, or with BEZIQUE_THOROUGH=1 what a release is tested with."""

from __future__ import annotations

import os

THOROUGH = os.environ.get("BEZIQUE_THOROUGH", "") not in ("", "0")


def often(usual: int, thorough: int) -> int:
    """Return how often a slow test repeats what it does: the same checks, on fewer or more seeds."""
    return thorough if THOROUGH else usual
