"""The searching players: ``pimc``, ``ismcts``, and the ``oracle``, which cheats."""

from __future__ import annotations

import time
from typing import Any, NamedTuple, Self, cast

import numpy as np
from numpy.typing import NDArray

from agents.endgame.core import NO_VALUE
from agents.endgame.kernels import solve_rows, view_rows
from agents.endgame.strict import strict_phases
from agents.protocol import Actions, Agent, Keys, Masks, Probabilities, Views
from agents.registry import AgentError, register
from agents.search.belief.kernels import STREAM_WORLD
from agents.search.halving import drop_rows, plan
from agents.search.hooks import PlayOuts, agent_for, prior_of
from agents.search.kernels import rule_rows, search_rows
from agents.search.tools import Tools, make_tools
from agents.search.tree import Tree, hand_up_all, make_tree
from bezique_env.engine.rng import key_of
from bezique_env.rules import Rules

EXPERT, NOBODY = "expert", "none"
"""The compiled rule-based player, and no prior."""
BLOCK = 64
"""Rows whose values lie side by side in memory."""
MOST_WORLDS = 4096
"""Worlds after which a decision by time alone ends."""
MOST_NODES = 1 << 18
"""Nodes of a tree at most; a full one grows no further, but its counts go on."""
LEAVES = 32
"""Leaves that are played out side by side where an agent's ``act`` plays them out."""
STEPS = 16
"""Looks at the clock in a decision by time, about."""


class Rows(NamedTuple):
    """Decisions that are searched side by side, [k] each.

    Attributes:
        views: what the deciding seats may know; empty where ``truth`` is given.
        truth: states, for the oracle; empty for everybody else.
        seats: that decide.
        keys: uint64.
        alive: int8 [k, actions], the moves that are looked at; changed.
        prior: float64 [k, actions], how likely the prior takes each move.
        worths: float64 [k, actions], what it holds it to be worth, not a number where it does not say.
        chosen: int64, written: the move that is taken.
    """

    views: Views
    truth: NDArray[Any]
    seats: NDArray[Any]
    keys: Keys
    alive: Masks
    prior: Probabilities
    worths: NDArray[np.float64]
    chosen: Actions

    def part(self, first: int, count: int) -> Rows:
        """Return some of the rows, not copied."""
        return Rows._make(field[first : first + count] for field in self)


class SearchAgent:
    """What the searching players have in common.

    Attributes:
        name: the text that makes the agent.
        rules: what it plays under, None until it is told.
    """

    searches = True
    method = ""
    unit = ""
    prior = EXPERT

    def __init__(self, budget: int, ms: int, rollout: str, prior: str) -> None:
        """Check and keep what the text says.

        Raises:
            AgentError: no budget, or a negative one.
        """
        for what, value in ((self.unit, budget), ("ms", ms)):
            if value < 0:
                raise AgentError(f"{self.method}: {what}={value} is not allowed: it must be 1 or more")
        if not (budget or ms):
            raise AgentError(
                f"{self.method}: say how long it may think: {self.method}({self.unit}=200), "
                f"{self.method}(ms=50), or both"
            )
        parts = {self.unit: budget, "ms": ms}
        said = [f"{key}={value}" for key, value in parts.items() if value]
        players = (("rollout", rollout, EXPERT), ("prior", prior, self.prior))
        said += [f"{key}={value}" for key, value, usual in players if value != usual]
        self.name = f"{self.method}({', '.join(said)})"
        self.rules: Rules | None = None
        self._given: dict[str, Any] = {**parts, "rollout": rollout, "prior": prior}
        self._budget, self._ms, self._prior_text = budget, ms, prior

    def with_rules(self, rules: Rules) -> Self:
        """Return the agent that plays under these rules.

        Raises:
            AgentError: the player of roll-outs or priors does not exist, or thinks ahead itself.
            ValueError: it plays another variant only.
        """
        bound = type(self)(**self._given)
        bound.rules = rules
        bound._tools = tools = make_tools(rules)
        rollout, prior = self._given["rollout"], self._prior_text
        bound._play_outs = (
            None if rollout == EXPERT else PlayOuts(agent_for(rollout, rules, "rollout"), tools)
        )
        bound._prior = None if prior in (EXPERT, NOBODY) else agent_for(prior, rules, "prior")
        return bound

    _tools: Tools
    _tree: Tree
    _play_outs: PlayOuts | None
    _prior: Agent | None

    def _check(self, dtype: np.dtype[Any], kind: str) -> None:
        if self.rules is None:
            raise ValueError(
                f"agent {self.name!r} has not been told the rules: "
                "bezique_env.envs.opponents.with_rules(agent, rules) returns the one that plays"
            )
        if dtype != getattr(self._tools, kind).dtype:
            raise ValueError(
                f"agent {self.name!r} plays {self.rules.variant}: these are records of another game"
            )

    def _decide(
        self, views: Views, truth: NDArray[Any], seats: NDArray[Any], masks: Masks, keys: Keys
    ) -> Actions:
        masks = np.ascontiguousarray(masks, np.int8)
        keys = np.ascontiguousarray(keys, np.uint64)
        legal = (masks != 0).sum(axis=1)
        chosen = np.where(legal > 0, masks.argmax(axis=1), -1).astype(np.int64)
        if (legal > 1).any():
            self._solve(views, truth, masks, legal, chosen)
        if not (legal > 1).any():
            return chosen
        prior, worths = self._priors(views, masks)
        alive = masks.copy()
        alive[legal < 2] = 0
        rows = Rows(views, truth, seats, keys, alive, prior, worths, chosen)
        count = 1 if self._ms else BLOCK
        for first in range(0, len(masks), count):
            self._search(rows.part(first, count))
        return chosen

    def _solve(
        self, views: Views, truth: NDArray[Any], masks: Masks, legal: NDArray[np.int64], chosen: Actions
    ) -> None:
        """Take the best move where nothing is hidden and the solver knows it; such rows count as decided."""
        t = self._tools
        worth = np.zeros(masks.shape, np.int64)
        best = np.full(len(masks), NO_VALUE, np.int64)
        if len(truth):
            solve_rows(truth, t.rules, t.scratch.solver, worth, best)
        else:
            view_rows(views, t.rules, t.scratch.solver, worth, best)
        known = np.flatnonzero((best != NO_VALUE) & (legal > 1))
        chosen[known] = worth[known].argmax(axis=1)
        legal[known] = 1

    def _priors(self, views: Views, masks: Masks) -> tuple[Probabilities, NDArray[np.float64]]:
        """Return how likely the prior takes each move, and what it holds it to be worth where it says so."""
        worths = np.full(masks.shape, np.nan)
        if self._prior is not None:
            return prior_of(self._prior, views, masks), worths
        prior = np.zeros(masks.shape, np.float64)
        if self._prior_text == EXPERT:
            rule_rows(views, masks, self._tools, prior, worths)
        return prior, worths

    def _search(self, rows: Rows) -> None:
        """Decide a block of rows; with a budget of time one row."""
        raise NotImplementedError

    def _look(
        self, rows: Rows, first: int, last: int, values: NDArray[np.int32], states: NDArray[Any]
    ) -> int:
        """Look at some worlds for every row; see :func:`agents.search.kernels.search_rows`."""
        count: int = search_rows(
            rows.views,
            rows.truth,
            rows.keys,
            first,
            last,
            rows.alive,
            rows.prior,
            rows.worths,
            values,
            self._tree,
            states,
            self._tools,
            rows.chosen,
        )
        return count


class FromViews(SearchAgent):
    """A searching player that is an agent: it reads views alone."""

    def act(self, views: Views, masks: Masks, keys: Keys) -> Actions:
        """Return one legal action for every row, -1 where there is none; see :mod:`agents.protocol`.

        Raises:
            ValueError: nobody told the rules, or the records are views of another variant.
        """
        self._check(views.dtype, "seen")
        views = np.ascontiguousarray(views)
        return self._decide(views, self._tools.world[:0], np.asarray(views["seat"]), masks, keys)


def _world_keys(key: np.uint64, first: int, last: int) -> NDArray[np.uint64]:
    return np.array([key_of(key, STREAM_WORLD, w) for w in range(first, last)], np.uint64)


class PimcAgent(FromViews):
    """Plays every move out in the same worlds; see :mod:`agents.search.halving`.

    Args:
        worlds: for the last moves; all are looked at in a quarter of them. 0: as many as time allows.
        ms: milliseconds a decision, 0 for no limit. What is decided then depends on the machine.
        rollout: who plays both seats on: ``expert`` (compiled), or the text of any agent.
        prior: whose choice a move must beat by some points: ``expert``, the text of any agent, or ``none``.
    """

    method, unit = "pimc", "worlds"

    def __init__(self, worlds: int = 0, ms: int = 0, rollout: str = EXPERT, prior: str = EXPERT) -> None:
        """See the class; raises :class:`agents.registry.AgentError` for what is not allowed."""
        super().__init__(worlds, ms, rollout, prior)
        self._tree = make_tree(1)

    def with_rules(self, rules: Rules) -> Self:
        """Return the agent that plays under these rules; see :meth:`SearchAgent.with_rules`."""
        bound = super().with_rules(rules)
        bound._tools.exact[0] &= bool(strict_phases(rules.variant))
        return bound

    def _search(self, rows: Rows) -> None:
        worlds = self._budget or MOST_WORLDS
        alive = rows.alive
        values = np.zeros((len(alive), alive.shape[1], worlds), np.int32)
        legal = (alive != 0).sum(axis=1).astype(np.int64)
        done = 0
        if not self._ms:
            for worlds, halvings in plan(self._budget).tolist():
                self._fill(rows, done, worlds, values)
                done = worlds
                if drop_rows(values, alive, rows.prior, rows.worths, done, halvings, legal, rows.chosen) == 0:
                    return
            return
        began = time.perf_counter()
        step = 1
        while done < worlds and alive.sum() > 1:
            step = min(step, worlds - done)
            self._fill(rows, done, done + step, values)
            done += step
            spent = 1000 * (time.perf_counter() - began) / self._ms
            halvings = sum(spent >= share for share in (1 / 4, 1 / 2, 1))
            if done >= 8 or spent >= 1:
                drop_rows(values, alive, rows.prior, rows.worths, done, halvings, legal, rows.chosen)
            if spent >= 1:
                return
            step = int(np.clip(done / spent / STEPS, 1, 4 * done))

    def _fill(self, rows: Rows, first: int, last: int, values: NDArray[np.int32]) -> None:
        """Fill in what the moves that are alive bring in some worlds."""
        if self._play_outs is None:
            self._look(rows, first, last, values, self._tools.world[:0])
            return
        places = [
            (i, a, w)
            for i, alive in enumerate(rows.alive)
            if alive.sum() > 1
            for w in range(first, last)
            for a in np.flatnonzero(alive)
        ]
        if not places:
            return
        which, moves, worlds = np.array(places).T
        states = np.zeros(len(places), self._tools.world.dtype)
        self._look(rows, first, last, values, states)
        world_keys = np.array([_world_keys(key, first, last) for key in rows.keys])
        results = self._play_outs.values(states, world_keys[which, worlds - first])
        values[which, moves, worlds] = np.where(rows.seats[which] == 0, results, -results)


class _TreeSearch(SearchAgent):
    """What ``ismcts`` and ``oracle`` have in common."""

    def __init__(self, budget: int, ms: int, rollout: str, prior: str) -> None:
        super().__init__(budget, ms, rollout, prior)
        nodes = min(budget + 1, MOST_NODES) if budget else MOST_NODES
        self._tree = make_tree(nodes, 1 if rollout == EXPERT else LEAVES)

    def _search(self, rows: Rows) -> None:
        most = self._budget or np.iinfo(np.int32).max
        if not self._ms:
            if self._play_outs is None:
                self._grow(rows, 0, most)
                return
            for i in range(len(rows.alive)):
                for first in range(0, most, LEAVES):
                    self._grow(rows.part(i, 1), first, min(first + LEAVES, most))
            return
        began = time.perf_counter()
        done, step, spent = 0, LEAVES, 0.0
        while done < most and spent < 1:
            step = min(step, most - done)
            self._grow(rows, done, done + step)
            done += step
            spent = 1000 * (time.perf_counter() - began) / self._ms
            step = int(np.clip(done / spent / STEPS, 1, LEAVES if self._play_outs else 4 * done))

    def _grow(self, rows: Rows, first: int, last: int) -> None:
        """Run some iterations for every row; with an agent as the player of roll-outs, for one row."""
        states = np.zeros(0 if self._play_outs is None else last - first, self._tools.world.dtype)
        count = self._look(rows, first, last, np.zeros((0, 0, 0), np.int32), states)
        if self._play_outs is not None and count:
            results = self._play_outs.values(states, _world_keys(rows.keys[0], first, last))
            hand_up_all(self._tree, results if rows.seats[0] == 0 else -results)


class IsmctsAgent(FromViews, _TreeSearch):
    """Grows one tree over what the deciding seat can tell apart; see :mod:`agents.search.tree`.

    Args:
        iterations: each in a world of its own. 0: as many as time allows.
        ms: milliseconds a decision, 0 for no limit. What is decided then depends on the machine.
        rollout: who plays from a leaf on: ``expert`` (compiled), or the text of any agent (many leaves at once).
        prior: who decides between moves that were taken equally often: ``expert``, the text of any agent, ``none``.
    """

    method, unit = "ismcts", "iterations"

    def __init__(self, iterations: int = 0, ms: int = 0, rollout: str = EXPERT, prior: str = EXPERT) -> None:
        """See the class; raises :class:`agents.registry.AgentError` for what is not allowed."""
        super().__init__(iterations, ms, rollout, prior)


class OracleAgent(_TreeSearch):
    """Searches like ``ismcts``, but in the true state, hidden cards and stock included: the ceiling, no player.

    It has no ``act``: whoever measures it has to hand it the states.

    Args:
        worlds: iterations, all in the one true world.
    """

    method, unit, prior = "oracle", "worlds", NOBODY
    cheats = True

    def __init__(self, worlds: int = 0, ms: int = 0, rollout: str = EXPERT) -> None:
        """See the class; raises :class:`agents.registry.AgentError` for what is not allowed."""
        super().__init__(worlds, ms, rollout, NOBODY)
        del self._given["prior"]

    def act_states(self, games: NDArray[Any], rules: Rules, masks: Masks, keys: Keys) -> Actions:
        """Return one legal action for every row, -1 where there is none.

        Args:
            games: states, one for each decision; hidden cards are read.
            rules: of the games.
            masks: int8 [k, actions].
            keys: uint64 [k].

        Raises:
            ValueError: the records are states of another variant.
        """
        if self.rules != rules:
            return self.with_rules(rules).act_states(games, rules, masks, keys)
        self._check(games.dtype, "world")
        seats = np.asarray(games["to_act"])
        return self._decide(self._tools.seen[:0], np.ascontiguousarray(games), seats, masks, keys)


register("pimc", PimcAgent, bare=False)
register("ismcts", IsmctsAgent, bare=False)
register("oracle", cast(Any, OracleAgent), bare=False)
