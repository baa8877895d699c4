"""What an agent is: one method that decides for many games at once, from views alone.

Shapes and types of a call ``agent.act(views, masks, keys)`` for k decisions:

=========  ============  ===========================  ====================================================
argument   shape         dtype                        meaning
=========  ============  ===========================  ====================================================
views      [k]           the variant's view record    what the seat to act knows, one record a decision
masks      [k, actions]  int8                         1 for each legal action of that seat
keys       [k]           uint64                       the only source of randomness, one key a decision
returns    [k]           int64                        action ids; -1 for a row without a legal action
=========  ============  ===========================  ====================================================

The seat that decides is ``views["seat"]`` and may differ from row to row. An agent keeps nothing between
calls that could change an action: the answer for a row depends on that row's view, mask and key only, so
results never depend on the size of a batch or on the order of the games. It never writes to its arguments.
"""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from bezique_env.rules import Rules

Views: TypeAlias = NDArray[Any]
"""Structured array of view records (``view_dtype`` of :class:`bezique_env.engine.engine.Engine`), shape [k]."""
Masks: TypeAlias = NDArray[np.int8]
"""Legal actions, shape [k, actions of the variant's family]."""
Keys: TypeAlias = NDArray[np.uint64]
"""Random keys, shape [k]."""
Actions: TypeAlias = NDArray[np.int64]
"""Action ids, shape [k]."""
Probabilities: TypeAlias = NDArray[np.float64]
"""How likely each action is, shape [k, actions of the variant's family]."""


@runtime_checkable
class Agent(Protocol):
    """What plays a seat. Inheriting is not needed: whatever has ``name`` and ``act`` is an agent."""

    @property
    def name(self) -> str:
        """The text under which :func:`agents.registry.make_agent` makes the same agent."""

    def act(self, views: Views, masks: Masks, keys: Keys) -> Actions:
        """Return one legal action for every row; see the module for shapes and promises."""


@runtime_checkable
class TellsProbabilities(Agent, Protocol):
    """An agent that can say how likely it takes each action; what is measured exactly needs it."""

    def probabilities(self, views: Views, masks: Masks) -> Probabilities:
        """Return how often ``act`` takes each action of each row, over keys drawn at random.

        Rows sum to 1; a row without a legal action is all zero. An agent that never looks at its keys gives 1
        to the action that it takes.
        """


@runtime_checkable
class NeedsRules(Protocol):
    """An agent that has to know the rules of the games it plays, which no view tells; search does.

    Whoever plays games asks :func:`bezique_env.envs.opponents.with_rules` for the agent that plays them.
    """

    @property
    def name(self) -> str:
        """The text under which the registry makes the same agent."""

    def with_rules(self, rules: Rules) -> Agent:
        """Return the agent that plays under these rules."""


def certain(actions: Actions, masks: Masks) -> Probabilities:
    """Return the probabilities of an agent that takes these actions whatever the keys; -1 takes none."""
    table = np.zeros(np.shape(masks), np.float64)
    rows = np.flatnonzero(actions >= 0)
    table[rows, actions[rows]] = 1.0
    return table
