"""Rule-based play of the Belote family."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.scripted import belote
from agents.scripted.expert.weights import ExpertWeights, Groups
from bezique_env.engine.cache import kernel
from bezique_env.rules import Rules


def weight_groups(variant: str) -> Groups:
    """Return the names of the weights of a variant: none yet."""
    return {}


def weights_for(rules: Rules, values: NDArray[np.float64] | None = None) -> ExpertWeights:
    """Return what the player of a game plays by."""
    return ExpertWeights(np.zeros((2, 1), np.int64), np.zeros(8, np.int64), np.zeros(1, np.float64))


@kernel(inner=True)
def choose_expert(v, mask, weights, scratch):
    """Return the choice of one view; -1 where no action is legal."""
    return belote.choose_row(v, mask)


@kernel(inner=True)
def choose_greedy(v, mask, weights, scratch):
    """Return what ``greedy`` chooses of one view; -1 where no action is legal."""
    return belote.choose_row(v, mask)
