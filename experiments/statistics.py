"""Means with bootstrap intervals over deal pairs."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import bootstrap


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
        form = f"{{:{'+' if sign else ''}.{digits}f}}"
        return f"{form.format(self.mean)} [{form.format(self.low)}, {form.format(self.high)}]"

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
