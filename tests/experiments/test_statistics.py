"""The intervals cover what they say they cover."""

from __future__ import annotations

import numpy as np
import pytest

from experiments.statistics import SequentialTest, estimate, worth_of_pairs
from tests.experiments.coverage import games, interval_coverage, sequential_errors


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


@pytest.mark.parametrize("kind", ["cancels", "adds"])
def test_intervals_over_pairs_hold_what_they_promise_and_over_deals_they_do_not(kind: str) -> None:
    assert 0.92 <= interval_coverage(300, 100, kind, "pair") <= 0.98
    wrong = interval_coverage(150, 100, kind, "deal")
    assert wrong > 0.99 if kind == "cancels" else wrong < 0.9


def test_a_pair_is_worth_more_where_luck_cancels_and_less_where_it_adds() -> None:
    rng = np.random.default_rng(4)
    assert worth_of_pairs(rng.normal(0, 10, (20_000, 2))) == pytest.approx(1, abs=0.05)
    noise, shared = 60.0**2, 80.0**2 + 0.08 * 250.0**2
    cancels = worth_of_pairs(games(rng, 5.0, 20_000, "cancels"))
    assert cancels == pytest.approx((shared + noise) / noise, rel=0.05)
    adds = worth_of_pairs(games(rng, 5.0, 20_000, "adds"))
    assert adds == pytest.approx((shared + noise) / (2 * shared + noise), rel=0.05)


def test_the_worth_of_pairs_without_noise() -> None:
    assert worth_of_pairs(np.array([[5.0, -5.0], [30.0, -30.0]])) == np.inf
    assert worth_of_pairs(np.full((3, 2), 7.0)) == 1.0
    with pytest.raises(ValueError, match="at least two pairs"):
        worth_of_pairs(np.zeros((1, 2)))


def test_a_sequential_test_errs_no_more_often_than_it_says() -> None:
    test = SequentialTest(0.0, 10.0, alpha=0.05, beta=0.1, min_pairs=20, every=10)
    high, low, length = sequential_errors(300, 0.0, test, 3000)
    assert high <= 0.075 and high + low == 1
    other_high, other_low, _ = sequential_errors(300, 10.0, test, 3000)
    assert other_low <= 0.135 and other_high + other_low == 1
    assert length < 300, "far fewer than a test of fixed length with these errors would need"


def test_the_log_ratio_is_that_of_two_normal_models() -> None:
    values = np.random.default_rng(3).normal(4, 50, 400)
    variance = values.var(ddof=1)
    ratio = (((values - 0.0) ** 2).sum() - ((values - 5.0) ** 2).sum()) / (2 * variance)
    assert SequentialTest(0.0, 5.0).log_ratio(values) == pytest.approx(ratio)
    assert SequentialTest(0.0, 5.0).log_ratio(np.full(9, 3.0)) == np.inf
    assert SequentialTest(0.0, 5.0).log_ratio(np.full(9, 2.5)) == 0.0


def test_a_sequential_test_looks_at_fixed_numbers_only() -> None:
    test = SequentialTest(0.0, 5.0, min_pairs=30, every=20)
    values = np.random.default_rng(6).normal(20, 40, 500)
    whole = test.verdict(values)
    assert whole.accepted == "high" and whole.pairs in list(test.looks(500))
    for known in range(whole.pairs, 500, 33):
        assert test.verdict(values[:known]) == whole
    assert test.verdict(values[:29]).pairs == 0
