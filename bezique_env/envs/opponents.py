"""Who sits at the seats that do not learn: one agent, or a mixture from which each game draws its own."""

from __future__ import annotations

import importlib
import math
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from bezique_env.rules import Rules


class Opponent(Protocol):
    """What can play a seat: the protocol of `agents.protocol.Agent`, for many games at once."""

    @property
    def name(self) -> str:
        """What the agent is called."""

    def act(
        self, views: NDArray[Any], masks: NDArray[np.int8], keys: NDArray[np.uint64]
    ) -> NDArray[np.int64]:
        """Return one legal action for each view; all randomness comes from the keys, one for each row."""


def resolve_opponent(opponent: Any) -> Opponent:
    """Return an agent: the object itself, or the one a text names in `agents.registry`.

    Raises:
        ImportError: a text was given and the package `agents` is not installed.
        ValueError: no agent has this name, or it sees what no player may see (``cheats``).
        TypeError: neither a text nor something with an `act` method.
    """
    if isinstance(opponent, str):
        try:
            registry = importlib.import_module("agents.registry")
        except ModuleNotFoundError as error:
            if error.name not in ("agents", "agents.registry"):
                raise
            raise ImportError(
                f"opponent={opponent!r} is looked up in the package 'agents', which is not installed: "
                "pass an object with act(views, masks, keys) instead of a name"
            ) from error
        agent: Opponent = registry.make_agent(opponent)
        opponent = agent
    if getattr(opponent, "cheats", False):
        raise ValueError(f"opponent {opponent.name!r} sees all cards: it can be measured, not played against")
    if not callable(getattr(opponent, "act", None)):
        raise TypeError(f"opponent must be a name or have act(views, masks, keys), not {opponent!r}")
    found: Opponent = opponent
    return found


def with_rules(agent: Any, rules: Rules) -> Any:
    """Return an agent as it plays under given rules.

    An agent that thinks ahead has to know the rules, which no view tells: it has a method ``with_rules(rules)``
    that returns an agent for them (`agents.protocol.NeedsRules`). Any other agent is returned as it is.

    Raises:
        ValueError: the agent plays another variant only.
    """
    own = getattr(agent, "variant", rules.variant)
    if own != rules.variant:
        raise ValueError(
            f"agent {agent.name!r} plays {own}, not {rules.variant}: it was made for that game alone"
        )
    bind = getattr(agent, "with_rules", None)
    return bind(rules) if callable(bind) else agent


class Mixture:
    """Agents with weights; each game draws one of them.

    Args:
        rules: of the game that they are to play.
        given: an agent (a name such as `"greedy"` or `"policy(PATH)"`, or an object with
            `act(views, masks, keys)`), or a mapping from agents to weights.

    Attributes:
        agents: the agents, in the order given.
        weights: float64 [agents], their shares, which sum to 1.

    Raises:
        TypeError: something given is no agent, or a weight is no number.
        ValueError: a name is unknown, a weight is negative or not finite, none is above 0, or an agent plays
            another variant only.
    """

    def __init__(self, rules: Rules, given: Any) -> None:
        """Make the agents; see the class."""
        mixture: Mapping[Any, Any] = given if isinstance(given, Mapping) else {given: 1.0}
        for agent, weight in mixture.items():
            if isinstance(weight, bool) or not isinstance(weight, (int, float, np.integer, np.floating)):
                raise TypeError(f"opponents: the weight of {agent!r} must be a number, not {weight!r}")
        told = list(mixture.values())
        if not any(weight > 0 for weight in told) or not all(w >= 0 and math.isfinite(w) for w in told):
            raise ValueError(f"opponents: the weights {told} must be 0 or more, one of them above 0")
        self.agents: list[Opponent] = [with_rules(resolve_opponent(agent), rules) for agent in mixture]
        weights = np.array(told, np.float64)
        self.weights = weights / weights.sum()
        self._bounds = np.cumsum(weights) / weights.sum()

    @property
    def names(self) -> list[str]:
        """What the agents are called."""
        return [agent.name for agent in self.agents]

    def draw(self, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return the place of an agent for each random key, int64 [k]."""
        share = (keys >> np.uint64(11)) * 2.0**-53
        return np.minimum(np.searchsorted(self._bounds, share, "right"), len(self.agents) - 1)
