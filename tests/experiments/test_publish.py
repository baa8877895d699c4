"""What is published of runs: results with everything to repeat them, and a policy that plays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agents.learned import policy
from agents.registry import make_agent
from bezique_env.envs.batch import make_batch
from experiments.config import ConfigError
from experiments.publish import POLICY_KEYS, results_markdown, results_of, ship
from experiments.sweep import run_sweep

TINY = [
    "algorithm.total_steps=1200",
    "algorithm.num_envs=8",
    "algorithm.batch_size=256",
    "algorithm.net_arch=[8]",
    "algorithm.imitate=greedy",
    "algorithm.imitate_steps=1",
    "checkpoint_every=500",
    "evaluation.deal_pairs=20",
    "evaluation.curve_pairs=10",
    "evaluation.records=0",
    "evaluation.resamples=99",
]
NAME = "smoke/two_pack_selfplay"


@pytest.fixture(scope="module")
def sweep(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("sweep")
    return run_sweep(NAME, [*TINY, f"output_dir={root}"], seeds="2")


def test_results_hold_what_was_run_and_what_came_of_it(sweep: Path) -> None:
    content = json.loads(json.dumps(results_of(sweep)))
    assert content["name"] == "smoke_two_pack_selfplay" and content["trained_against"] == ["greedy"]
    assert content["command"].startswith(f"bezique run {NAME} algorithm.total_steps=1200")
    assert content["command"].endswith("--seeds 1,2,")
    assert "seed" not in content["config"]
    first, second = content["runs"]
    assert (first["seed"], second["seed"]) == (1, 2) and first["policy_hash"] != second["policy_hash"]
    assert [match["opponent"] for match in first["matches"]] == ["random", "greedy"]
    assert [set(point["points"]) for point in first["curve"]] == [{"random", "greedy"}] * len(first["curve"])
    steps = [point["step"] for point in first["curve"]]
    assert steps[-1] == first["steps"] >= 1200 and steps == sorted(steps) and len(steps) >= 2


def test_the_page_marks_what_was_trained_against_and_too_few_seeds(sweep: Path) -> None:
    text = results_markdown(results_of(sweep))
    assert "2 training seeds (fewer than 5: no claim)" in text
    assert "| greedy (trained against it) |" in text and "| random |" in text
    assert "million decisions" in text


def test_the_policy_of_a_run_ships_and_plays_alike(
    sweep: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_dir = sorted(path for path in sweep.iterdir() if path.is_dir())[0]
    monkeypatch.setattr(policy, "SHIPPED", tmp_path)
    path = ship(run_dir, tmp_path)
    assert path.name == "two_pack.pt" and path.stat().st_size < 200_000
    shipped, whole = make_agent("policy:two_pack"), make_agent(f'policy("{run_dir}")')
    assert shipped.trained_against == ("greedy",)
    assert shipped.rules_hash == whole.rules_hash and shipped.steps == whole.steps
    assert "optimizer" not in POLICY_KEYS
    batch = make_batch("two_pack", num_games=50, seed=3)
    for _ in range(40):
        views, masks, keys = batch.views(), batch.mask.copy(), batch.keys(0)
        actions = shipped.act(views, masks, keys)
        assert (actions == whole.act(views, masks, keys)).all()
        batch.step(actions)


def test_a_policy_that_is_too_large_does_not_ship(
    sweep: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("experiments.publish.SHIPPED_BYTES", 1000)
    run_dir = sorted(path for path in sweep.iterdir() if path.is_dir())[0]
    with pytest.raises(ConfigError, match="at most 1,000"):
        ship(run_dir, tmp_path)
    assert not list(tmp_path.iterdir())


def test_an_unfinished_run_is_not_published(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no finished run"):
        results_of(tmp_path)


def test_settings_are_published_one_at_a_time(tmp_path: Path) -> None:
    folder = run_sweep(
        NAME, [*TINY, f"output_dir={tmp_path}"], seeds="1,", sweep=["algorithm.ent_coef=0.1,0.2"]
    )
    with pytest.raises(ConfigError, match="several settings"):
        results_of(folder)
