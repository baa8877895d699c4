"""What hidden cards of the Belote family tell."""

from __future__ import annotations

from bezique_env.engine.cache import kernel

FEATURES: tuple[str, ...] = ()
BLOCKS: tuple[str, ...] = ()


@kernel(inner=True)
def tells(v):
    """Whether the play so far is read."""
    return False


@kernel(inner=True)
def place(v):
    """Return (block, next block, part)."""
    return 0, 0, 0.0


@kernel(inner=True)
def describe(v, g, t, out):
    """Write the features of a world that agrees with a view."""
