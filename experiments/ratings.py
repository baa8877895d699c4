"""Ratings of a field of agents from its matches on common decks.

Two models, both relative to one agent, the anchor. *Bradley-Terry* (fitted by ``choix``) explains win rates:
a rating 400 above another wins ten deals for each it loses. *Points* (least squares) explains points a deal. The
intervals come from one bootstrap over decks, which resamples a deck for all matches that played it at once, so
that luck which the matches share stays shared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import choix
import numpy as np
from numpy.typing import NDArray

from experiments.statistics import Estimate

ANCHOR_RATING = 1000.0
SCALE = 400.0 / np.log(10.0)
HALF_A_DRAW = 0.25
"""Wins that each side of a match is given beside its own: half a drawn deal, so that whoever lost every deal
has a rating too."""


@dataclass(frozen=True)
class Match:
    """A match of two agents of the field on the first decks of the tournament.

    Attributes:
        first: place of the first agent in the field.
        second: place of its opponent.
        points: float [pairs], the first agent's points a deal above the second's, a mean for each pair.
        wins: float [pairs], the part of the pair's deals that the first agent won.
    """

    first: int
    second: int
    points: NDArray[np.float64]
    wins: NDArray[np.float64]


@dataclass(frozen=True)
class Ratings:
    """Where the agents stand.

    Attributes:
        anchor: place of the agent that the others are compared with.
        bradley_terry: a rating for each agent, the anchor's 1000.
        points: points a deal for each agent, the anchor's 0.
        misfit: points, the largest difference between a match and what the points model says of it; large
            where strength goes in circles.
    """

    anchor: int
    bradley_terry: list[Estimate]
    points: list[Estimate]
    misfit: float


def connected(agents: int, matches: Sequence[Match]) -> bool:
    """Return whether matches connect all agents, so that all can be compared."""
    reached = {0}
    for _ in range(agents):
        for match in matches:
            if {match.first, match.second} & reached:
                reached |= {match.first, match.second}
    return len(reached) == agents


def resampled_counts(
    lengths: Sequence[int], resamples: int, rng: np.random.Generator, batch: int = 100
) -> Iterator[NDArray[np.float64]]:
    """Yield how often each deck stands in each resample, float [up to ``batch``, decks].

    Matches play the first decks, some fewer than others. Decks are drawn among those that the same matches
    played, so that every match keeps its length in every resample.

    Args:
        lengths: pairs of each match.
        resamples: how many.
        rng: draws the decks.
        batch: resamples at a time.
    """
    ends = sorted(set(lengths))
    for begun in range(0, resamples, batch):
        rows = min(batch, resamples - begun)
        parts = [
            rng.multinomial(end - start, np.full(end - start, 1 / (end - start)), size=rows)
            for start, end in zip([0, *ends[:-1]], ends, strict=True)
        ]
        yield np.concatenate(parts, axis=1).astype(np.float64)


def _fit_wins(wins: NDArray[np.float64], start: NDArray[np.float64] | None) -> NDArray[np.float64]:
    """Return Bradley-Terry strengths (natural logarithms) from the deals each agent won of each other."""
    fitted: NDArray[np.float64] = choix.ilsr_pairwise_dense(
        wins, initial_params=start, max_iter=10_000, tol=1e-7
    )
    return fitted


def _table(agents: int, matches: Sequence[Match], rates: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the deals that each agent won of each other, from win rates float [matches]."""
    wins = np.zeros((agents, agents))
    for match, rate in zip(matches, rates, strict=True):
        deals = 2 * len(match.wins)
        wins[match.first, match.second] += deals * rate + HALF_A_DRAW
        wins[match.second, match.first] += deals * (1 - rate) + HALF_A_DRAW
    return wins


def rate(
    agents: int,
    matches: Sequence[Match],
    *,
    anchor: int = 0,
    confidence: float = 0.95,
    resamples: int = 999,
    seed: int = 0,
) -> Ratings:
    """Return the ratings of a field, with percentile intervals of the joint bootstrap over decks.

    Args:
        agents: how many there are.
        matches: at least one; they must connect all agents.
        anchor: place of the agent that the others are compared with.
        confidence: of the intervals, each for one agent against the anchor.
        resamples: of the bootstrap.
        seed: of the bootstrap.

    Raises:
        ValueError: the matches leave an agent apart from the others.
    """
    if not connected(agents, matches):
        raise ValueError("ratings: the matches leave some agents unconnected, which cannot be compared")
    lengths = [len(match.points) for match in matches]
    means = np.array([match.points.mean() for match in matches])
    rates = np.array([match.wins.mean() for match in matches])

    design = np.zeros((len(matches), agents))
    for row, match in enumerate(matches):
        design[row, match.first], design[row, match.second] = 1.0, -1.0
    spread = np.array([match.points.var(ddof=1) for match in matches]) / lengths
    spread = np.maximum(
        spread, 1e-6 * max(1.0, float(spread.max()))
    )  # a match without noise is not the only one
    root = 1 / np.sqrt(spread)
    solve = (
        np.linalg.pinv(design * root[:, None]) * root
    )  # the weighted least squares solution is linear in the means
    points = solve @ means
    strengths = _fit_wins(_table(agents, matches, rates), None)

    rng = np.random.default_rng(seed)
    drawn_points, drawn_strengths = [], []
    for counts in resampled_counts(lengths, resamples, rng):
        some = [counts[:, :n] for n in lengths]
        columns = [part @ match.points / n for part, match, n in zip(some, matches, lengths, strict=True)]
        drawn_points.append(np.stack(columns, axis=1) @ solve.T)
        columns = [part @ match.wins / n for part, match, n in zip(some, matches, lengths, strict=True)]
        drawn_strengths += [
            _fit_wins(_table(agents, matches, row), strengths) for row in np.stack(columns, axis=1)
        ]

    def estimates(
        found: NDArray[np.float64], drawn: NDArray[np.float64], scale: float, zero: float
    ) -> list[Estimate]:
        found = zero + scale * (found - found[anchor])
        drawn = zero + scale * (drawn - drawn[:, [anchor]])
        tail = (1 - confidence) / 2
        low, high = np.quantile(drawn, tail, axis=0), np.quantile(drawn, 1 - tail, axis=0)
        n = max(lengths)
        return [
            Estimate(float(found[i]), float(low[i]), float(high[i]), confidence, n) for i in range(agents)
        ]

    return Ratings(
        anchor,
        estimates(strengths, np.array(drawn_strengths), SCALE, ANCHOR_RATING),
        estimates(points, np.concatenate(drawn_points), 1.0, 0.0),
        float(np.abs(design @ points - means).max()),
    )
