"""Which games end in a strict phase that a seat can play exactly, because nothing is hidden from it any more."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.endgame.kernels import PLACES
from bezique_env.engine.engines import engine_of
from bezique_env.rules import Rules


def strict_phases(variant: str) -> tuple[int, ...]:
    """Return the phases of a variant's records in which both hands are known; none in the Belote family."""
    return tuple(PLACES[engine_of(variant).family].STRICT_PHASES)


def in_strict_phase(phases: NDArray[np.uint8], variant: str) -> NDArray[np.bool_]:
    """Return which records are in their strict phase, bool [k], by their field ``phase``, [k]."""
    return np.isin(phases, strict_phases(variant))


def endings_problem(rules: Rules) -> str | None:
    """Return where and why a seat cannot play endings exactly (``in belote: ...``), None where it can."""
    if not strict_phases(rules.variant):
        return (
            f"in {rules.variant}: cards stay out of play there, unseen by both seats; as cards stay hidden to the end, "
            "a seat seldom knows the other hand and no phase can be solved"
        )
    if getattr(rules, "fildinski_endgame", "off") == "on":
        return "under fildinski_endgame 'on': melds between the tricks of the strict phase are not solved"
    return None
