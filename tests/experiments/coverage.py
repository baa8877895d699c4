"""How often intervals and tests hold what they promise, by simulation: ``python -m tests.experiments.coverage 1000``.

The games of a pair share the luck of their deck. It cancels when the seats are swapped (``cancels``), or it
falls on the same agent in both games (``adds``); tails are heavy, as a double bezique makes them.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.ratings import Match, rate
from experiments.statistics import SequentialTest, estimate

FIELD = np.array([0.0, 30.0, 45.0])
"""True points a deal of three simulated agents, and, divided by 40, their true strengths in win rates."""


def luck(rng: np.random.Generator, shape: Any) -> NDArray[np.float64]:
    """Return heavy-tailed luck with mean 0."""
    rare = rng.random(shape) < 0.08
    return rng.normal(0, 80, shape) + np.where(rare, rng.choice([-250.0, 250.0], shape), 0.0)


def games(rng: np.random.Generator, mean: float, pairs: int, kind: str) -> NDArray[np.float64]:
    """Return the differences of both games of each pair, float [pairs, 2]."""
    shared = luck(rng, pairs)
    other = -shared if kind == "cancels" else shared
    return mean + np.stack([shared, other], axis=1) + rng.normal(0, 60, (pairs, 2))


def interval_coverage(trials: int, pairs: int, kind: str, unit: str, resamples: int = 399) -> float:
    """Return how often the 95% interval covers the true mean when pairs, or wrongly single deals, are the unit."""
    inside = 0
    for trial in range(trials):
        both = games(np.random.default_rng((trial, pairs, len(kind))), 10.0, pairs, kind)
        values = both.mean(axis=1) if unit == "pair" else both.ravel()
        found = estimate(values, 0.95, resamples, seed=trial)
        inside += found.low <= 10.0 <= found.high
    return inside / trials


def ratings_coverage(trials: int, pairs: int, resamples: int = 199) -> tuple[float, float]:
    """Return how often the intervals of Bradley-Terry and of points cover the truth, over all agents.

    All three matches play the same decks, and the luck of a deck falls on all of them; the last plays only
    the first half.
    """
    inside = np.zeros(2)
    scale = 400 / np.log(10)
    for trial in range(trials):
        rng = np.random.default_rng((trial, pairs, 7))
        deck, coin = luck(rng, pairs) / 4, rng.random(pairs)
        matches = []
        for i, j in ((0, 1), (1, 2), (0, 2)):
            n = pairs if (i, j) != (0, 2) else pairs // 2
            ahead = FIELD[i] - FIELD[j]
            won = np.stack([coin, rng.random(pairs)], axis=1) < 1 / (1 + np.exp(-ahead / 40))
            points = ahead + deck + rng.normal(0, 60, pairs)
            matches.append(Match(i, j, points[:n], won.mean(axis=1)[:n]))
        found = rate(3, matches, anchor=0, resamples=resamples, seed=trial)
        for place in (1, 2):
            truth = 1000 + scale * FIELD[place] / 40
            inside[0] += found.bradley_terry[place].low <= truth <= found.bradley_terry[place].high
            inside[1] += found.points[place].low <= FIELD[place] <= found.points[place].high
    bradley_terry, points = inside / (2 * trials)
    return float(bradley_terry), float(points)


def sequential_errors(
    trials: int, mean: float, test: SequentialTest, most: int
) -> tuple[float, float, float]:
    """Return how often the test accepts ``high`` and ``low`` where ``mean`` is true, and its mean length in pairs."""
    accepted = {"high": 0, "low": 0, "none": 0}
    pairs = 0
    for trial in range(trials):
        rng = np.random.default_rng((trial, most))
        verdict = test.verdict(games(rng, mean, most, "cancels").mean(axis=1))
        accepted[verdict.accepted] += 1
        pairs += verdict.pairs
    return accepted["high"] / trials, accepted["low"] / trials, pairs / trials


def main(trials: int) -> None:
    """Print everything with many trials."""
    for pairs in (50, 100, 400):
        for kind in ("cancels", "adds"):
            told = [f"{interval_coverage(trials, pairs, kind, unit):.3f}" for unit in ("pair", "deal")]
            print(f"95% interval, {pairs} pairs, luck {kind}: over pairs {told[0]}, over deals {told[1]}")
    for pairs in (100, 400):
        bradley_terry, points = ratings_coverage(max(1, trials // 4), pairs)
        print(f"95% ratings, {pairs} decks: Bradley-Terry {bradley_terry:.3f}, points {points:.3f}")
    test = SequentialTest(0.0, 10.0)
    for mean in (0.0, 5.0, 10.0):
        high, low, length = sequential_errors(trials, mean, test, 6000)
        print(f"sequential [0, 10] at {mean:g}: high {high:.3f}, low {low:.3f}, {length:.0f} pairs")


if __name__ == "__main__":
    main(int(sys.argv[1]))
