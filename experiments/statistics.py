"""Means with bootstrap intervals over deal pairs, what pairs are worth, and when a match may stop.

Of a match the unit is the *pair*: both games on one deck. Its two games share their luck, so they are not
independent, and single games are never resampled. Of an algorithm the unit is the *run* with a training seed of
its own: interquartile means over runs with stratified bootstrap intervals, by the formulas of Agarwal et al.
(2021, Deep RL at the edge of the statistical precipice) and of their library rliable.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.stats import bootstrap, trim_mean

SEEDS_FOR_A_CLAIM = 5
"""Fewer training seeds than this say too little about an algorithm."""


def interval_text(middle: float, low: float, high: float, digits: int = 1, sign: bool = True) -> str:
    """Return a figure and the ends of its interval as ``+12.3 [+10.1, +14.6]``."""
    form = f"{{:{'+' if sign else ''}.{digits}f}}"
    return f"{form.format(middle)} [{form.format(low)}, {form.format(high)}]"


@dataclass(frozen=True)
class Estimate:
    """A mean with its interval over ``n`` independent units."""

    mean: float
    low: float
    high: float
    confidence: float
    n: int

    def text(self, digits: int = 1, sign: bool = True) -> str:
        """Return it as ``+12.3 [+10.1, +14.6]``."""
        return interval_text(self.mean, self.low, self.high, digits, sign)

    def to_dict(self) -> dict[str, float]:
        """Return it for JSON."""
        return asdict(self)


def _mean(values: NDArray[np.float64], axis: int = -1) -> NDArray[np.float64]:
    result: NDArray[np.float64] = np.mean(values, axis=axis)
    return result


def estimate(
    values: NDArray[np.float64], confidence: float = 0.95, resamples: int = 9999, seed: int = 0
) -> Estimate:
    """Return the mean of independent values with a bias-corrected accelerated (BCa) bootstrap interval.

    The values are one for each independent unit: for duplicate deals the mean of a *pair*, never single games.

    Args:
        values: float [n], n at least 2.
        confidence: probability that the interval covers the true mean, about.
        resamples: of the bootstrap.
        seed: of the resampling; the same values give the same interval.

    Raises:
        ValueError: fewer than two values.
    """
    values = np.asarray(values, np.float64)
    if values.ndim != 1 or len(values) < 2:
        raise ValueError(f"an interval needs at least two independent values, not {values.shape}")
    mean = float(values.mean())
    if np.ptp(values) == 0:
        return Estimate(mean, mean, mean, confidence, len(values))
    found = bootstrap(
        (values,),
        _mean,
        n_resamples=resamples,
        batch=max(1, 4_000_000 // len(values)),
        confidence_level=confidence,
        method="BCa",
        vectorized=True,
        rng=np.random.default_rng(seed),
    )
    interval = found.confidence_interval
    return Estimate(mean, float(interval.low), float(interval.high), confidence, len(values))


@dataclass(frozen=True)
class IqmEstimate:
    """An interquartile mean over ``runs`` training seeds with its interval; ``mean`` is the mean of all."""

    iqm: float
    low: float
    high: float
    mean: float
    confidence: float
    runs: int

    def text(self, digits: int = 1, sign: bool = True) -> str:
        """Return it as ``+12.3 [+10.1, +14.6]``."""
        return interval_text(self.iqm, self.low, self.high, digits, sign)


def interquartile_mean(scores: NDArray[np.float64], axis: int | None = None) -> NDArray[np.float64]:
    """Return the mean without the lowest and the highest quarter of the values, each rounded down.

    Of fewer than four values that is their mean.

    Args:
        scores: float, of any shape.
        axis: along which; over all values without it.
    """
    result: NDArray[np.float64] = trim_mean(scores, 0.25, axis=axis)
    return result


def estimate_iqm(
    scores: NDArray[np.float64], confidence: float = 0.95, resamples: int = 9999, seed: int = 0
) -> IqmEstimate:
    """Return the interquartile mean over runs and tasks with a stratified percentile bootstrap interval.

    The runs of each task are resampled on their own; the interquartile mean is over all values of a resample.
    With few runs the interval is narrower than it says (docs/experiments.md has figures).

    Args:
        scores: float [runs, tasks], or [runs] for one task; at least two runs. Tasks must have one scale.
        confidence: probability that the interval covers the true interquartile mean, about.
        resamples: of the bootstrap.
        seed: of the resampling; the same scores give the same interval.

    Raises:
        ValueError: fewer than two runs, or another shape.
    """
    values = np.asarray(scores, np.float64)
    values = values[:, None] if values.ndim == 1 else values
    if values.ndim != 2 or len(values) < 2 or not values.shape[1]:
        raise ValueError(f"an interval over runs needs scores [runs >= 2, tasks], not {np.shape(scores)}")
    rng = np.random.default_rng(seed)
    chosen = rng.integers(len(values), size=(resamples, *values.shape))
    resampled = values[chosen, np.arange(values.shape[1])].reshape(resamples, -1)
    low, high = _middle(interquartile_mean(resampled, axis=1), confidence)
    return IqmEstimate(
        float(interquartile_mean(values)),
        float(low),
        float(high),
        float(values.mean()),
        confidence,
        len(values),
    )


def common_grid(
    curves: Sequence[tuple[NDArray[np.float64], NDArray[np.float64]]], points: int = 200
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Set the curves of several runs on a common grid, linearly between their points.

    The grid has the places of all runs in the range that each of them covers, so that runs with equal places keep
    their values as they are; of many places ``points`` are chosen evenly.

    Args:
        curves: of each run the places (increasing) and the values, float [n] each.
        points: of the grid, at most.

    Returns:
        The grid, float [m], and the values, float [runs, m]; m is 0 where the runs have no range in common.
    """
    low, high = max(x[0] for x, _ in curves), min(x[-1] for x, _ in curves)
    places = np.unique(np.concatenate([x for x, _ in curves]))
    places = places[(places >= low) & (places <= high)]
    if len(places) > points:
        places = places[np.linspace(0, len(places) - 1, points).round().astype(np.int64)]
    return places, np.stack([np.interp(places, x, y) for x, y in curves])


def iqm_curve(
    values: NDArray[np.float64], confidence: float = 0.95, resamples: int = 999, seed: int = 0
) -> NDArray[np.float64]:
    """Return the interquartile mean over runs at each point with its pointwise bootstrap interval.

    Args:
        values: float [runs, points].
        confidence: of the interval at each point, not of the whole band.
        resamples: of the bootstrap; whole runs are resampled.
        seed: of the resampling.

    Returns:
        float [3, points]: the interquartile mean, the lower and the upper end. Of one run they are its values.
    """
    rng = np.random.default_rng(seed)
    chosen = rng.integers(len(values), size=(resamples, len(values)))
    means = interquartile_mean(values[chosen], axis=1)
    return np.stack([interquartile_mean(values, axis=0), *_middle(means, confidence)])


def _middle(resampled: NDArray[np.float64], confidence: float) -> NDArray[np.float64]:
    """Return the percentiles, [2, ...], between which the middle part of resampled figures lies."""
    outside = (1 - confidence) / 2
    result: NDArray[np.float64] = np.quantile(resampled, (outside, 1 - outside), axis=0)
    return result


def worth_of_pairs(differences: NDArray[np.float64]) -> float:
    """Return how many pairs of independent deals a duplicate pair is worth.

    That is the variance of the mean of two independent deals, one at each seat, over the variance of the mean
    of a pair: 1 where playing the same deck twice helps nothing, infinity where the pairs are all alike.

    Args:
        differences: float [pairs, 2 games], the first agent's points less the second's.

    Raises:
        ValueError: fewer than two pairs.
    """
    values = np.asarray(differences, np.float64)
    if values.ndim != 2 or values.shape[1] != 2 or len(values) < 2:
        raise ValueError(f"variances need at least two pairs of games, not an array {values.shape}")
    independent = float(values.var(axis=0, ddof=1).sum()) / 4
    paired = float(values.mean(axis=1).var(ddof=1))
    if paired == 0:
        return math.inf if independent > 0 else 1.0
    return independent / paired


@dataclass(frozen=True)
class Verdict:
    """What a sequential test says of a match.

    Attributes:
        accepted: ``high`` or ``low``, the hypothesis that is accepted, or ``none`` yet.
        pairs: the pairs it looked at last; those beyond do not count.
        log_ratio: of the likelihoods of ``high`` and ``low`` there.
    """

    accepted: Literal["high", "low", "none"]
    pairs: int
    log_ratio: float


@dataclass(frozen=True)
class SequentialTest:
    """A generalised sequential probability ratio test (GSPRT) on the means of deal pairs.

    It decides between a true mean of ``low`` and one of ``high`` points a deal. After n pairs with the mean m
    and the variance v the log likelihood ratio of the normal model with v plugged in is
    ``n (high - low) / v * (m - (low + high) / 2)``, which is what testing frameworks of chess engines use
    (Van den Bergh, A Practical Introduction to the GSPRT). It looks at fixed numbers of pairs only, in the order
    of the decks, so that the end does not depend on what is played side by side. The mean of a match that was
    stopped is biased away from the middle; tables of strength want matches of a fixed length.

    Attributes:
        low: points a deal.
        high: points a deal, above ``low``.
        alpha: probability of accepting ``high`` where ``low`` is true, about.
        beta: probability of accepting ``low`` where ``high`` is true, about.
        min_pairs: the first look; the variance has to be known by then.
        every: pairs from one look to the next.
    """

    low: float
    high: float
    alpha: float = 0.05
    beta: float = 0.05
    min_pairs: int = 200
    every: int = 100

    def looks(self, total: int) -> Iterator[int]:
        """Yield the numbers of pairs at which the test looks, up to ``total``."""
        yield from range(self.min_pairs, total + 1, self.every)

    def log_ratio(self, values: NDArray[np.float64]) -> float:
        """Return the log likelihood ratio after these means of pairs, float [n]."""
        ahead = float(values.mean()) - (self.low + self.high) / 2
        variance = float(values.var(ddof=1))
        if variance == 0:
            return math.copysign(math.inf, ahead) if ahead else 0.0
        return len(values) * (self.high - self.low) / variance * ahead

    def verdict(self, values: NDArray[np.float64]) -> Verdict:
        """Return what the test says of a match whose first pairs, in order, had these means, float [n]."""
        upper = math.log((1 - self.beta) / self.alpha)
        lower = math.log(self.beta / (1 - self.alpha))
        found = Verdict("none", 0, 0.0)
        for pairs in self.looks(len(values)):
            ratio = self.log_ratio(values[:pairs])
            if ratio >= upper:
                return Verdict("high", pairs, ratio)
            if ratio <= lower:
                return Verdict("low", pairs, ratio)
            found = Verdict("none", pairs, ratio)
        return found
