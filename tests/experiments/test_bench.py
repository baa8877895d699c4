"""The bench covers every variant and says how each stands to two packs; speeds themselves are not judged here."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from bezique_env.encoding import observation_size
from bezique_env.rules import variants
from experiments import bench
from experiments.cli import app

BYTES = {"rubicon": 1024, "eight_pack": 2048}
"""A game is to take less than this (issue 3)."""


@pytest.mark.parametrize("variant", variants())
def test_the_bytes_of_a_game(variant: str) -> None:
    sizes = bench.sizes(variant)
    assert sizes["state of a game (bytes)"] < BYTES.get(variant, 2048)
    assert sizes["view of a seat (bytes)"] < sizes["state of a game (bytes)"]
    assert sizes["observation (bytes)"] == 4 * observation_size(variant)


def test_recorded_deals_are_played_again_to_the_last_decision() -> None:
    loop = bench.Loop("two_pack", seed=3, rows=8)
    lengths = loop._recorded[2]
    assert loop.decisions_a_deal == lengths.mean() > 40
    whole = bench.replay_actions(loop._one, loop._rules, *loop._recorded, 8, loop._tmp)
    assert whole == lengths.sum()
    for level in bench.LEVELS:
        assert loop.play(4, level) > 100


def test_the_vectors_of_learners_are_measured() -> None:
    pytest.importorskip("stable_baselines3")
    rates = bench.learner_rates("belote", 0.01, num_envs=4)
    assert [rate.what.split(",")[0] for rate in rates] == ["GameVectorEnv", "GameVecEnv (SB3)"] * 2
    assert all(rate.per_second > 0 and rate.unit == "steps" for rate in rates)


@pytest.mark.slow  # compiles the loops of every variant
def test_every_variant_stands_beside_two_packs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table and the JSON of the command, with the slow parts left out."""
    monkeypatch.setattr(bench, "loop_rates", lambda variant, seconds: [])
    monkeypatch.setattr(bench, "batch_rates", lambda variant, seconds: [])
    monkeypatch.setattr(bench, "learner_rates", lambda variant, seconds: [])
    monkeypatch.setattr(bench, "aec_rates", lambda variant, seconds: [])
    monkeypatch.setattr(bench, "start_up", lambda variant: {})
    runner = CliRunner()
    done = runner.invoke(app, ["bench", "--seconds", "0.01", "--json"])
    assert done.exit_code == 0, done.output
    report = json.loads(done.output[done.output.index("{") :])
    assert list(report["variants"]) == list(variants())
    for found in report["variants"].values():
        assert set(found["speed"]) == set(bench.LEVELS.values())
        assert min(found["speed"].values()) > 0
    assert set(bench.eight_to_two(report)) == set(bench.LEVELS.values())
    done = runner.invoke(app, ["bench", "--seconds", "0.01"])
    assert done.exit_code == 0, done.output
    assert "eight packs : two packs" in " ".join(done.output.split())


def test_one_variant_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("loop_rates", "batch_rates", "learner_rates", "aec_rates"):
        monkeypatch.setattr(bench, name, lambda variant, seconds: [])
    monkeypatch.setattr(bench, "start_up", lambda variant: {"variant": variant})
    report = bench.measure("two_pack", 0.01)
    assert list(report["variants"]) == ["two_pack"]
    assert report["start_up"] == {"variant": "two_pack"}
    assert bench.eight_to_two(report) == {}


@pytest.mark.slow
def test_a_decision_with_eight_packs_costs_at_most_four_of_two_packs() -> None:
    """Issue 3: the cost must not grow faster than the hand. A ratio of two loops run in turns, not a time."""
    cost = bench.eight_to_two({"variants": bench.compare(["eight_pack"], 2.0)})
    assert max(cost.values()) <= 4.0, cost
