"""Rule-based play of the Belote family."""

from __future__ import annotations

import numpy as np

from agents.scripted import belote
from agents.scripted.expert.weights import ExpertWeights
from bezique_env.engine.cache import kernel
from bezique_env.rules import Rules


def weights_for(rules: Rules) -> ExpertWeights:
    """Return what the player of a game plays by."""
    return ExpertWeights(np.zeros((2, 1), np.int64), np.zeros(8, np.int64), np.zeros(1, np.float64))


@kernel(inner=True)
def choose_row(v, mask, weights, scratch):
    """Return the choice of one view; -1 where no action is legal."""
    return belote.choose_row(v, mask)
