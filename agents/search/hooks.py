"""Any agent as the player of roll-outs or as a prior: games that a search plays out through its ``act``."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.protocol import Agent, Masks, Probabilities, TellsProbabilities, Views, certain
from agents.registry import AgentError, make_agent
from agents.search.kernels import answer_rows, ask_rows, value_rows
from agents.search.tools import Tools
from bezique_env.envs.opponents import with_rules
from bezique_env.rules import Rules

BLOCK = 4096
"""States played out side by side."""


def agent_for(text: str, rules: Rules, what: str) -> Agent:
    """Return the agent that a text names, as it plays under these rules.

    Raises:
        AgentError: no agent has this name, or it thinks ahead itself.
        ValueError: it plays another variant only.
    """
    agent = make_agent(text)
    if getattr(agent, "searches", False):
        raise AgentError(f"{what}={text} is not allowed: a search in every step of a search would not end")
    bound: Agent = with_rules(agent, rules)
    return bound


def prior_of(agent: Agent, views: Views, masks: Masks) -> Probabilities:
    """Return how likely an agent takes each action: what it tells, or 1 for what it does with key 0."""
    if isinstance(agent, TellsProbabilities):
        return agent.probabilities(views, masks)
    return certain(agent.act(views, masks, np.zeros(len(masks), np.uint64)), masks)


class PlayOuts:
    """Plays states to the end of the deal through an agent's ``act``, many at once."""

    def __init__(self, agent: Agent, tools: Tools) -> None:
        """Take the agent of both seats."""
        self._agent = agent
        self._tools = tools
        actions = len(tools.mask)
        self._views = np.zeros(BLOCK, tools.seen.dtype)
        self._masks = np.zeros((BLOCK, actions), np.int8)
        self._asked = np.zeros(BLOCK, np.uint64)
        self._rows = np.zeros(BLOCK, np.int64)

    def values(self, games: NDArray[Any], keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Play states out, which are changed; returns seat 0's points less seat 1's, int64 [k].

        Args:
            games: states [k].
            keys: uint64 [k]; states with the same key meet the same randomness.
        """
        result = np.zeros(len(games), np.int64)
        for start in range(0, len(games), BLOCK):
            block = games[start : start + BLOCK]
            while True:
                n = ask_rows(
                    block,
                    keys[start : start + BLOCK],
                    self._tools,
                    self._rows,
                    self._views,
                    self._masks,
                    self._asked,
                )
                if n == 0:
                    break
                actions = self._agent.act(self._views[:n], self._masks[:n], self._asked[:n])
                answer_rows(block, self._tools, self._rows[:n], np.ascontiguousarray(actions, np.int64))
            value_rows(block, self._tools, result[start : start + BLOCK])
        return result
