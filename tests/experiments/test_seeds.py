"""Several runs side by side: settings, interquartile means and curves over training seeds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from experiments.config import load_config
from experiments.evaluation import marked
from experiments.seeds import FinishedRun, read_finished, seed_rows, setting_curve, settings
from experiments.statistics import common_grid, estimate_iqm, interquartile_mean, iqm_curve
from experiments.strength import trained_against


def test_an_interquartile_mean_is_the_mean_of_the_middle_half() -> None:
    scores = np.array([100.0, 1.0, 3.0, 5.0, 4.0, -90.0, 2.0, 6.0])
    assert interquartile_mean(scores) == (2 + 3 + 4 + 5) / 4
    assert interquartile_mean(np.array([9.0, 1.0, 2.0, 3.0, -7.0])) == 2.0, "a quarter of five is one"
    assert interquartile_mean(np.array([9.0, 1.0, 2.0])) == 4.0, "of three it is the mean"
    table = np.array([[0.0, 10.0], [1.0, 11.0], [2.0, 12.0], [30.0, -40.0]])
    assert interquartile_mean(table, axis=0).tolist() == [1.5, 10.5]
    assert interquartile_mean(table) == (1 + 2 + 10 + 11) / 4


def test_an_estimate_holds_both_means_and_is_repeatable() -> None:
    found = estimate_iqm(np.array([1.0, 2.0, 3.0, 4.0, 90.0]))
    assert (found.iqm, found.mean, found.runs) == (3.0, 20.0, 5)
    assert found.low <= found.iqm <= found.high
    assert found == estimate_iqm(np.array([1.0, 2.0, 3.0, 4.0, 90.0]))
    for wrong in (np.array([1.0]), np.zeros((1, 4)), np.zeros((3, 0)), np.zeros((2, 2, 2))):
        with pytest.raises(ValueError, match="runs"):
            estimate_iqm(wrong)


def test_the_bootstrap_is_stratified_by_task() -> None:
    """Runs that are all alike leave no doubt, however far apart the tasks are; unstratified they would."""
    found = estimate_iqm(np.array([[0.0, 10.0, 20.0, 30.0]] * 5), resamples=499)
    assert found.low == found.iqm == found.high == 15.0


@pytest.mark.parametrize(("runs", "least"), [(5, 0.80), (12, 0.90)])
def test_intervals_cover_the_interquartile_mean(runs: int, least: float) -> None:
    rng = np.random.default_rng(runs)
    trials, inside = 400, 0
    for trial in range(trials):
        found = estimate_iqm(rng.normal(7.0, 3.0, (runs, 2)), 0.95, 399, seed=trial)
        inside += found.low <= 7.0 <= found.high
    assert least <= inside / trials <= 0.98


def test_a_common_grid_lies_where_all_runs_are() -> None:
    one = (np.array([0.0, 10.0, 20.0, 30.0]), np.array([0.0, 1.0, 2.0, 3.0]))
    places, values = common_grid([one, one])
    assert places.tolist() == [0, 10, 20, 30]
    assert values.tolist() == [[0, 1, 2, 3]] * 2
    places, values = common_grid([one, (np.array([5.0, 25.0]), np.array([100.0, 300.0]))])
    assert places.tolist() == [5, 10, 20, 25]
    assert values.tolist() == [[0.5, 1, 2, 2.5], [100, 150, 250, 300]]
    assert not len(common_grid([one, (np.array([40.0, 50.0]), np.zeros(2))])[0])
    many = (np.arange(1000.0), np.arange(1000.0))
    assert len(common_grid([many, many], points=7)[0]) == 7


def test_a_curve_has_its_interval_at_each_point() -> None:
    rng = np.random.default_rng(0)
    values = np.linspace(0, 50, 20) + rng.normal(0, 1, (8, 20))
    middle, low, high = iqm_curve(values)
    assert np.all((low <= middle) & (middle <= high)) and np.all(high - low < 3)
    assert middle == pytest.approx(interquartile_mean(values, axis=0))
    assert np.array_equal(iqm_curve(values[:1]), np.repeat(values[:1], 3, axis=0))


# ------------------------------------------------------------------------------------------------------ runs


def made_up(folder: Path, seed: int, points: float, **changes: Any) -> FinishedRun:
    """A finished run that nobody has run."""
    folder.mkdir(parents=True)
    config: dict[str, Any] = {
        "name": "made_up",
        "seed": seed,
        "opponents": {"greedy": 1},
        "algorithm": {"lr": 0.1},
    }
    config |= changes
    (folder / "config.yaml").write_text(yaml.safe_dump(config))
    match = {"opponent": "greedy", "points_per_deal": {"mean": points, "confidence": 0.95}}
    result = {"name": "made_up", "seed": seed, "matches": [match], "trained_against": ["greedy"]}
    (folder / "result.json").write_text(json.dumps(result))
    for name, key, value in (("metrics", "gain", points), ("timing", "learn_seconds", 0.5)):
        rows = [{"step": step, key: value} for step in (10, 20, 30)]
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return read_finished(folder)


def test_a_setting_is_what_differs_in_nothing_but_the_seed(tmp_path: Path) -> None:
    runs = [made_up(tmp_path / f"a{seed}", seed, float(seed), output_dir=str(seed)) for seed in range(5)]
    assert {label: len(group) for label, group in settings(runs).items()} == {"made_up": 5}
    (row,) = seed_rows(settings(runs))
    assert row[:2] == ["made_up", "greedy (trained against it)"]
    assert row[2].startswith("+2.0 [") and row[4:] == ["5", "enough"]

    runs += [made_up(tmp_path / f"b{seed}", seed, 9.0, algorithm={"lr": 0.2}) for seed in range(2)]
    runs.append(made_up(tmp_path / "again", 1, 9.0, algorithm={"lr": 0.2}))
    found = settings(runs)
    assert {label: len(group) for label, group in found.items()} == {
        "algorithm.lr=0.1": 5,
        "algorithm.lr=0.2": 2,
    }
    assert [row[5] for row in seed_rows(found)] == ["enough", "no: fewer than 5"]


def test_runs_of_several_experiments_keep_their_names(tmp_path: Path) -> None:
    runs = [
        made_up(tmp_path / "a", 0, 1.0),
        made_up(tmp_path / "b", 0, 2.0, name="other", algorithm={"lr": 3}),
    ]
    assert list(settings(runs)) == ["made_up", "other"]
    assert seed_rows(settings(runs))[0][2] == "+1.0 (one seed)"


def test_a_curve_goes_over_steps_or_seconds(tmp_path: Path) -> None:
    runs = [made_up(tmp_path / str(seed), seed, float(seed)) for seed in range(3)]
    for clock, wanted in ((False, [10, 20, 30]), (True, [0.5, 1.0, 1.5])):
        found = setting_curve(runs, "gain", clock)
        assert found is not None
        assert found[0].tolist() == wanted
        assert found[1][0].tolist() == [1.0, 1.0, 1.0]
    assert setting_curve(runs, "loss", False) is None


# ------------------------------------------------------------------------------------------- trained against


def test_a_config_tells_what_a_policy_is_trained_against() -> None:
    def against(*overrides: str) -> tuple[str, ...]:
        return trained_against(load_config("smoke/two_pack_ppo", overrides))

    assert against() == ("greedy",)
    assert against("opponents={random: 1, greedy: 0}") == ("random",)
    assert against("opponents={greedy(): 1, greedy: 1}") == ("greedy",)
    taught = ("algorithm.imitate=expert", "algorithm.imitate_steps=8192")
    assert against(*taught) == ("greedy", "expert")


def test_only_what_was_trained_against_is_marked() -> None:
    assert marked("greedy", ["greedy"]) == "greedy (trained against it)"
    assert marked("greedy", ["expert"]) == "greedy"
