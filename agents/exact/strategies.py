"""The strategies of agents on a tree: what they say of their own probabilities, at every information set."""

from __future__ import annotations

import numpy as np

from agents.exact.cfr import Strategy
from agents.exact.tree import Side, Tree
from agents.protocol import Agent, TellsProbabilities
from agents.registry import AgentError

_ROWS = 4096
"""Information sets that an agent is asked about at a time."""


def strategy_of(agent: Agent, side: Side, actions: int) -> Strategy:
    """Return how an agent plays one seat of a game.

    Args:
        agent: one with ``probabilities``.
        side: of a tree that was made from the rules.
        actions: size of the table of actions.

    Raises:
        AgentError: it does not tell its probabilities, or they are none over the legal actions.
        ValueError: the side has no views.
    """
    if not isinstance(agent, TellsProbabilities):
        raise AgentError(
            f"agent {agent.name!r} does not tell how likely it takes an action: it needs the method "
            "probabilities(views, masks) of agents.protocol.TellsProbabilities"
        )
    if side.views is None:
        raise ValueError("a tree that was not made from the rules has no views to ask an agent about")
    strategy = np.ones(side.sequences)
    for begin in range(0, side.sets, _ROWS):
        end = min(begin + _ROWS, side.sets)
        masks = side.masks(actions, begin, end)
        table = np.asarray(agent.probabilities(side.views[begin:end], masks))
        if table.shape != masks.shape:
            raise AgentError(
                f"agent {agent.name!r} gave probabilities of the shape {table.shape}, not {masks.shape}"
            )
        legal = np.where(masks != 0, table, 0.0)
        if np.any(table < 0) or np.any(np.abs(legal.sum(axis=1) - 1) > 1e-9) or np.any(legal != table):
            raise AgentError(f"agent {agent.name!r}: its probabilities of the legal actions do not sum to 1")
        rows = np.repeat(np.arange(end - begin), np.diff(side.first[begin : end + 1]))
        own = slice(side.first[begin], side.first[end])
        strategy[own] = legal[rows, side.actions[own]]
    return strategy


def strategies_of(agent: Agent, tree: Tree, actions: int) -> tuple[Strategy, Strategy]:
    """Return how an agent plays both seats; see :func:`strategy_of`."""
    return strategy_of(agent, tree.sides[0], actions), strategy_of(agent, tree.sides[1], actions)
