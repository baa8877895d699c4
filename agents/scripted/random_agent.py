"""A player that takes every legal action with the same probability: the measure of zero skill."""

from __future__ import annotations

import numpy as np

from agents.protocol import Actions, Keys, Masks, Probabilities, Views
from bezique_env.engine.cache import kernel
from bezique_env.engine.rng import bounded


@kernel
def choose_uniform(masks, keys, actions):
    """Write into each row of actions a legal one, exactly uniform; -1 where none is legal."""
    for i in range(masks.shape[0]):
        count = 0
        for a in range(masks.shape[1]):
            count += masks[i, a] != 0
        actions[i] = -1
        if count == 0:
            continue
        left = np.int64(0)
        if count > 1:
            _, left = bounded(keys[i], count)
        for a in range(masks.shape[1]):
            if masks[i, a] != 0:
                if left == 0:
                    actions[i] = a
                    break
                left -= 1


class RandomAgent:
    """Uniform over the legal actions, from the key of the row alone."""

    name = "random"

    def act(self, views: Views, masks: Masks, keys: Keys) -> Actions:
        """Return one legal action for every row; see :mod:`agents.protocol`."""
        actions = np.empty(len(masks), np.int64)
        choose_uniform(masks, keys, actions)
        return actions

    def probabilities(self, views: Views, masks: Masks) -> Probabilities:
        """Return the same probability for every legal action of a row."""
        legal = masks != 0
        return legal / np.maximum(legal.sum(axis=1, keepdims=True), 1)
