"""CFR+ and discounted CFR over a tree in sequence form, and exact best responses.

Everything is computed in a fixed order without random numbers, so the same tree gives the same bits. An iteration
updates seat 0, then seat 1 against what seat 0 plays now. The average strategy weights each strategy with how
likely its own decisions lead to a set, which needs the sequences alone, never the tree.

References: Zinkevich et al., "Regret Minimization in Games with Incomplete Information" (2007); Tammelin, "Solving
Large Imperfect Information Games Using CFR+" (2014); Brown and Sandholm, "Solving Imperfect-Information Games via
Discounted Regret Minimization" (2019), whose recommended exponents are the defaults.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from agents.exact.sweeps import average_strategy, gradient, improve, plan_of, respond
from agents.exact.tree import Side, Tree

METHODS = ("cfr+", "dcfr", "cfr")
Strategy: TypeAlias = NDArray[np.float64]
"""Probability of the last action of each sequence at its set; float64 [sequences], that of the empty one is 1."""


class SolverError(ValueError):
    """Arguments of a solver that cannot be used; the message says which are allowed."""


def uniform(side: Side) -> Strategy:
    """Return the strategy that takes every legal action with the same probability."""
    return np.append(1.0, np.repeat(1.0 / np.diff(side.first), np.diff(side.first)))


def check_strategy(side: Side, strategy: Strategy) -> Strategy:
    """Return a strategy as float64.

    Raises:
        SolverError: it has another length, or its numbers are no probabilities that sum to 1 at every set.
    """
    checked = np.ascontiguousarray(strategy, np.float64)
    if checked.shape != (side.sequences,):
        raise SolverError(f"a strategy of the shape {checked.shape} is not one of {side.sequences} sequences")
    sums = np.add.reduceat(checked[1:], side.first[:-1] - 1) if side.sets else np.ones(0)
    if not (np.all(checked >= 0) and np.all(np.abs(sums - 1) < 1e-9)):
        raise SolverError("a strategy gives every action a probability, and those of a set sum to 1")
    return checked


def _plan(side: Side, strategy: Strategy) -> NDArray[np.float64]:
    """Return how likely a seat's own decisions make each of its sequences, float64 [sequences]."""
    plan = np.ones(side.sequences)
    plan_of(side.parent, side.first, strategy, plan)
    return plan


def value(tree: Tree, strategies: tuple[Strategy, Strategy]) -> float:
    """Return the expected score difference, seat 0's points less seat 1's, of a pair of strategies."""
    plans = [_plan(side, check_strategy(side, one)) for side, one in zip(tree.sides, strategies, strict=True)]
    sums = np.empty(tree.sides[0].sequences)
    gradient(*_fields(tree, 0), plans[1], sums)
    return float(plans[0] @ sums)


def _fields(tree: Tree, seat: int) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
    payoffs = tree.payoffs[seat]
    return payoffs.start, payoffs.column, payoffs.weight


@dataclass(frozen=True)
class BestResponse:
    """What a seat can reach at most against a strategy of the other.

    Attributes:
        value: its expected score difference, from its own side.
        strategy: one that reaches it; of equally good actions the first.
        worth: what comes of each of its sequences when it plays best from then on, times how likely the draws and the
            other seat let it happen; float64 [sequences].
    """

    value: float
    strategy: Strategy
    worth: NDArray[np.float64]


def best_response(tree: Tree, seat: int, opponent: Strategy) -> BestResponse:
    """Return the exact best response of a seat to a strategy of the other seat.

    Raises:
        SolverError: the opponent's strategy is not one of the other seat.
    """
    other, side = tree.sides[1 - seat], tree.sides[seat]
    plan = _plan(other, check_strategy(other, opponent))
    sums, chosen = np.empty(side.sequences), np.zeros(side.sequences)
    gradient(*_fields(tree, seat), plan, sums)
    best = respond(side.parent, side.first, sums, chosen)
    return BestResponse(float(best), chosen, sums)


@dataclass(frozen=True)
class Exploitability:
    """How much a pair of strategies loses to exact best responses.

    Attributes:
        responses: value of the best response of seat 0 (to seat 1's strategy) and of seat 1, each from its own side.
    """

    responses: tuple[float, float]

    @property
    def nash_conv(self) -> float:
        """Sum of both: what the two best responses gain together; 0 at an equilibrium."""
        return self.responses[0] + self.responses[1]

    @property
    def points(self) -> float:
        """The exploitability: half of it, what a best responder gains a deal who sits at either seat in turn."""
        return self.nash_conv / 2


def exploitability(tree: Tree, strategies: tuple[Strategy, Strategy]) -> Exploitability:
    """Return the exact exploitability of a strategy for each seat.

    Raises:
        SolverError: a strategy is not one of its seat.
    """
    return Exploitability(
        (best_response(tree, 0, strategies[1]).value, best_response(tree, 1, strategies[0]).value)
    )


class Solver:
    """Counterfactual regret minimisation on a tree.

    Args:
        tree: the game.
        method: ``cfr+`` (regrets never below zero, strategies averaged with the number of the iteration as
            weight), ``dcfr`` (regrets and averages discounted) or ``cfr`` (neither).
        alpha: of ``dcfr``: positive regrets are multiplied by t**alpha / (t**alpha + 1).
        beta: of ``dcfr``: negative ones by the same with beta.
        gamma: of ``dcfr``: iteration t has the weight t**gamma in the average.

    Attributes:
        iterations: how many were run.

    Raises:
        SolverError: an unknown method.
    """

    def __init__(
        self, tree: Tree, method: str = "cfr+", *, alpha: float = 1.5, beta: float = 0.0, gamma: float = 2.0
    ) -> None:
        if method not in METHODS:
            raise SolverError(f"method: {method!r} is not allowed: one of {', '.join(METHODS)}")
        self.tree = tree
        self.method = method
        self.iterations = 0
        self._exponents = alpha, beta, gamma
        self._regrets = [np.zeros(side.sequences) for side in tree.sides]
        self._sums = [np.zeros(side.sequences) for side in tree.sides]
        self._now = [uniform(side) for side in tree.sides]
        self._plans = [_plan(side, one) for side, one in zip(tree.sides, self._now, strict=True)]
        self._scratch = [np.zeros(side.sequences) for side in tree.sides]

    def run(self, iterations: int = 1) -> None:
        """Run some more iterations."""
        alpha, beta, gamma = self._exponents
        for _ in range(iterations):
            self.iterations += 1
            t = float(self.iterations)
            weight, up, down, floor = 1.0, 1.0, 1.0, False
            if self.method == "cfr+":
                weight, floor = t, True
            elif self.method == "dcfr":
                weight = t**gamma
                up, down = t**alpha / (t**alpha + 1), t**beta / (t**beta + 1)
            for seat, side in enumerate(self.tree.sides):
                gradient(*_fields(self.tree, seat), self._plans[1 - seat], self._scratch[seat])
                improve(
                    side.parent,
                    side.first,
                    self._scratch[seat],
                    self._plans[seat],
                    self._regrets[seat],
                    self._sums[seat],
                    self._now[seat],
                    weight,
                    up,
                    down,
                    floor,
                )

    def current(self) -> tuple[Strategy, Strategy]:
        """Return the strategies of the present iteration (copies)."""
        return self._now[0].copy(), self._now[1].copy()

    def average(self) -> tuple[Strategy, Strategy]:
        """Return the average strategies, which approach an equilibrium; uniform where a set was never reached."""
        found = []
        for side, sums in zip(self.tree.sides, self._sums, strict=True):
            strategy = np.ones(side.sequences)
            average_strategy(side.first, sums, strategy)
            found.append(strategy)
        return found[0], found[1]

    def exploitability(self) -> Exploitability:
        """Return the exact exploitability of the average strategies."""
        return exploitability(self.tree, self.average())

    def game_value(self) -> float:
        """Return the value of the average strategies for seat 0.

        It differs from the value of the game by no more than the sum of both best responses.
        """
        return value(self.tree, self.average())
