"""Ratings find the truth that matches were made from, and their intervals share the luck that matches share."""

from __future__ import annotations

import numpy as np
import pytest

from experiments.ratings import SCALE, Match, connected, rate, resampled_counts
from tests.experiments.coverage import ratings_coverage


def exact(first: int, second: int, strengths: list[float], points: list[float], pairs: int = 400) -> Match:
    """A match without noise beyond what an interval needs."""
    wobble = np.tile([1.0, -1.0], pairs // 2)
    share = 1 / (1 + np.exp(strengths[second] - strengths[first]))
    return Match(first, second, points[first] - points[second] + wobble, np.full(pairs, share))


def test_ratings_are_those_that_the_matches_were_made_from() -> None:
    strengths, points = [0.0, 1.5, -0.7, 2.0], [0.0, 60.0, -20.0, 75.0]
    matches = [exact(i, j, strengths, points) for i, j in ((1, 0), (1, 2), (3, 1), (0, 2))]
    found = rate(4, matches, anchor=2, resamples=99)
    for place in range(4):
        truth = 1000 + SCALE * (strengths[place] - strengths[2])
        assert found.bradley_terry[place].mean == pytest.approx(truth, abs=2)  # half a draw was added
        assert found.points[place].mean == pytest.approx(points[place] - points[2])
        assert found.points[place].low <= found.points[place].mean <= found.points[place].high
    assert found.bradley_terry[2].low == found.bradley_terry[2].high == 1000
    assert found.misfit == pytest.approx(0, abs=1e-9)


def test_strength_in_a_circle_shows_as_a_misfit() -> None:
    rows = [Match(i, j, np.tile([29.0, 31.0], 50), np.full(100, 0.6)) for i, j in ((0, 1), (1, 2), (2, 0))]
    found = rate(3, rows, resamples=99)
    assert found.misfit == pytest.approx(30)
    assert [round(row.mean) for row in found.points] == [0, 0, 0]


def test_luck_that_two_matches_share_is_not_averaged_away() -> None:
    luck = np.random.default_rng(2).normal(0, 40, 500)
    wins = np.full(500, 0.5)
    shared = [Match(0, 1, luck, wins), Match(1, 2, luck, wins)]
    apart = [Match(0, 1, luck, wins), Match(1, 2, -luck, wins)]
    two = rate(3, shared, resamples=400).points[2]
    half = (two.high - two.low) / 2
    assert half == pytest.approx(1.96 * 2 * luck.std(ddof=1) / np.sqrt(500), rel=0.15)
    none = rate(3, apart, resamples=400).points[2]
    assert none.high - none.low == pytest.approx(0, abs=1e-9)


def test_whoever_lost_every_deal_is_rated_too() -> None:
    found = rate(2, [Match(0, 1, np.array([-10.0, -12.0, -9.0]), np.zeros(3))], resamples=99)
    assert np.isfinite([found.bradley_terry[1].mean, found.bradley_terry[1].high]).all()
    assert found.bradley_terry[1].mean > 1300


def test_resamples_keep_the_length_of_every_match() -> None:
    lengths = [30, 10, 30, 22]
    drawn = np.concatenate(list(resampled_counts(lengths, 250, np.random.default_rng(0))))
    assert drawn.shape == (250, 30)
    for n in lengths:
        assert (drawn[:, :n].sum(axis=1) == n).all()
    assert drawn.mean(axis=0) == pytest.approx(1, abs=0.3)


def test_agents_that_nothing_connects_are_not_compared() -> None:
    rows = [Match(0, 1, np.zeros(3), np.zeros(3)), Match(2, 3, np.zeros(3), np.zeros(3))]
    assert not connected(4, rows)
    assert connected(2, rows[:1])
    with pytest.raises(ValueError, match="unconnected"):
        rate(4, rows)


def test_intervals_of_ratings_cover_the_truth() -> None:
    bradley_terry, points = ratings_coverage(40, 100, 149)
    assert bradley_terry >= 0.87 and points >= 0.87
