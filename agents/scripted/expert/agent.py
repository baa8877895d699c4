"""The agent of the rule-based players."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.protocol import Actions, Keys, Masks, Probabilities, Views, certain
from agents.scripted.expert.weights import ExpertWeights, read_weights
from agents.scripted.policies import choose_expert, expert_weights, policy_scratch, weight_groups
from bezique_env.engine.cache import kernel
from bezique_env.engine.engines import engine_of
from bezique_env.rules import Rules, get_rules
from bezique_env.rules.families import all_variants


@kernel
def expert_rows(views, masks, weights, scratch, actions):
    """Write the choice of every row; -1 where no action is legal."""
    for i in range(views.shape[0]):
        actions[i] = choose_expert(views[i], masks[i], weights, scratch)


def _variants() -> dict[np.dtype[Any], str]:
    """Return the variant of each view record."""
    return {engine_of(name).view_dtype(variant.shape): name for name, variant in all_variants().items()}


class ExpertAgent:
    """Plays by published advice, weighed by tuned weights; deterministic.

    It plays every variant and every preset. Told the rules (:meth:`with_rules`) it counts their points, else
    those of the variant's first preset.

    Args:
        weights: file of weights, for one variant; those shipped with the package by default.
    """

    def __init__(self, weights: str = "") -> None:
        self.name = f"expert({weights})" if weights else "expert"
        self._file = weights
        self._rules: Rules | None = None
        self._known: dict[str, ExpertWeights] = {}

    def with_rules(self, rules: Rules) -> ExpertAgent:
        """Return the agent that plays under these rules.

        Raises:
            WeightsError: the file of weights is none of the variant's.
        """
        agent = ExpertAgent(self._file)
        agent._rules = rules
        agent._weights(rules)
        return agent

    def _weights(self, rules: Rules) -> ExpertWeights:
        key = f"{rules.variant} {rules.hash}"
        if key not in self._known:
            own = read_weights(self._file, weight_groups(rules.variant)) if self._file else None
            self._known[key] = expert_weights(rules, own)
        return self._known[key]

    def act(self, views: Views, masks: Masks, keys: Keys) -> Actions:
        """Return one legal action for every row; see :mod:`agents.protocol`.

        Raises:
            ValueError: the records are views of no variant.
            WeightsError: the file of weights is none of the variant's.
        """
        variant = _variants().get(views.dtype)
        if variant is None:
            raise ValueError(f"these records are views of no variant: {views.dtype}")
        rules = (
            self._rules if self._rules is not None and self._rules.variant == variant else get_rules(variant)
        )
        actions = np.empty(len(masks), np.int64)
        expert_rows(views, masks, self._weights(rules), policy_scratch(), actions)
        return actions

    def probabilities(self, views: Views, masks: Masks) -> Probabilities:
        """Return 1 for the action that it takes, which no key changes."""
        return certain(self.act(views, masks, np.zeros(len(masks), np.uint64)), masks)
