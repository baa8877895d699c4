"""The intervals cover what they say they cover."""

from __future__ import annotations

import numpy as np
import pytest

from experiments.statistics import estimate


@pytest.mark.parametrize("kind", ["normal", "heavy"])
def test_intervals_cover_the_true_mean_as_often_as_they_say(kind: str) -> None:
    rng = np.random.default_rng(5)
    trials, inside = 300, 0
    for trial in range(trials):
        values = (
            rng.normal(3.0, 10.0, 80)
            if kind == "normal"
            else rng.exponential(3.0, 80) * rng.choice([0, 1, 1], 80)
        )
        true = 3.0 if kind == "normal" else 2.0
        found = estimate(values, 0.9, 399, seed=trial)
        inside += found.low <= true <= found.high
    assert 0.84 <= inside / trials <= 0.95


def test_the_mean_lies_inside_and_more_pairs_narrow_the_interval() -> None:
    rng = np.random.default_rng(1)
    small, large = estimate(rng.normal(0, 1, 100)), estimate(rng.normal(0, 1, 2500))
    for found in (small, large):
        assert found.low < found.mean < found.high
    assert (large.high - large.low) < 0.3 * (small.high - small.low)


def test_the_interval_is_near_the_one_of_theory() -> None:
    values = np.random.default_rng(2).normal(0, 50, 1000)
    found = estimate(values)
    half = 1.96 * values.std(ddof=1) / np.sqrt(len(values))
    assert found.low == pytest.approx(values.mean() - half, abs=0.15 * half)
    assert found.high == pytest.approx(values.mean() + half, abs=0.15 * half)


def test_the_same_values_give_the_same_interval_and_equal_values_a_point() -> None:
    values = np.random.default_rng(3).normal(0, 1, 50)
    assert estimate(values) == estimate(values)
    point = estimate(np.full(10, 0.5))
    assert (point.low, point.mean, point.high) == (0.5, 0.5, 0.5)
    with pytest.raises(ValueError, match="at least two"):
        estimate(np.array([1.0]))
