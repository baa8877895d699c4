"""A run is run again, and every kind of difference is found and named."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from rich.console import Console
from typer.testing import CliRunner

import experiments.reproduce as module
from experiments.checkpoint import checkpoints_in, read_checkpoint, write_checkpoint
from experiments.cli import app
from experiments.config import ConfigError
from experiments.reproduce import changed_versions, compare_runs, differences_of
from experiments.run import run_experiment
from tests.experiments.test_train import TINY

runner = CliRunner()
LAST = "step_000000000768.pt"


@pytest.fixture(scope="module")
def run_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("runs")
    return run_experiment("smoke/two_pack_ppo", [*TINY, f"output_dir={root}"], Console(quiet=True))


@pytest.fixture
def copy(run_dir: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(run_dir, tmp_path / "copy"))


def change_rows(path: Path, change: Callable[[list[dict]], None]) -> None:  # type: ignore[type-arg]
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    change(rows)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def change_checkpoint(folder: Path, name: str, change: Callable[[torch.Tensor], torch.Tensor]) -> None:
    path = folder / "checkpoints" / name
    content = read_checkpoint(path)
    content["policy"]["action_net.bias"] = change(content["policy"]["action_net.bias"])
    write_checkpoint(path, content)


def test_a_run_is_reproduced_to_the_byte(run_dir: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    done = runner.invoke(app, ["reproduce", str(run_dir), "--out", str(again)])
    assert done.exit_code == 0, done.output
    assert "identical" in done.output.splitlines()[-1]
    assert (again / "metrics.jsonl").read_bytes() == (run_dir / "metrics.jsonl").read_bytes()
    # What is there already is compared, so a second call is cheap; a doctored row ends it with code 1.
    change_rows(again / "metrics.jsonl", lambda rows: rows[1].update({"train/value_loss": 7.5}))
    done = runner.invoke(app, ["reproduce", str(run_dir), "--out", str(again)])
    assert done.exit_code == 1, done.output
    assert "only compared" in done.output
    last = done.output.splitlines()[-1]
    assert "different: first at metrics.jsonl: step 512, train/value_loss" in last and "7.5" in last


def test_checkpoints_that_a_stop_left_are_no_difference(run_dir: Path, copy: Path) -> None:
    extra = copy / "checkpoints" / "step_000000000300.pt"
    shutil.copy(copy / "checkpoints" / LAST, extra)
    found = compare_runs(copy, run_dir)
    assert found.verdict == "identical"
    assert found.notes == ("only the first run has checkpoints/step_000000000300.pt: it was stopped there",)
    assert "second run" in compare_runs(run_dir, copy).notes[0]


def test_the_last_checkpoint_must_be_in_both(run_dir: Path, copy: Path) -> None:
    (copy / "checkpoints" / LAST).unlink()
    found = compare_runs(run_dir, copy)
    assert found.verdict == "different"
    assert found.differences[0].file == f"checkpoints/{LAST}"
    assert found.differences[0].second == "nothing"


def test_small_differences_are_equal_within_the_tolerance(run_dir: Path, copy: Path) -> None:
    change_rows(
        copy / "metrics.jsonl",
        lambda rows: rows[2].update({"train/value_loss": rows[2]["train/value_loss"] * (1 + 2e-5)}),
    )
    change_checkpoint(copy, LAST, lambda bias: bias + 1e-7)
    result = json.loads((copy / "result.json").read_text())
    (copy / "result.json").write_text(json.dumps({**result, "policy_hash": "f" * 64}))
    found = compare_runs(run_dir, copy)
    assert found.verdict == "equal"
    assert [d.file for d in found.differences] == ["metrics.jsonl", f"checkpoints/{LAST}", "result.json"]
    strict = compare_runs(run_dir, copy, 1e-6)
    assert strict.verdict == "different"
    assert strict.differences[0].place == "step 768, train/value_loss"


def test_a_doctored_checkpoint_is_found_and_named(run_dir: Path, copy: Path) -> None:
    name = checkpoints_in(copy / "checkpoints")[1].name

    def one_weight(bias: torch.Tensor) -> torch.Tensor:
        changed = bias.clone()
        changed[3] += 0.5
        return changed

    change_checkpoint(copy, name, one_weight)
    (found,) = compare_runs(run_dir, copy).differences
    assert (found.file, found.place) == (f"checkpoints/{name}", "policy.action_net.bias[3]")
    assert float(found.second) - float(found.first) == pytest.approx(0.5)
    path = copy / "checkpoints" / name
    path.write_bytes(path.read_bytes()[:-100])
    (found,) = compare_runs(run_dir, copy).differences
    assert found.file == f"checkpoints/{name}" and "no checkpoint" in found.place


def test_games_and_points_have_no_tolerance(run_dir: Path, copy: Path) -> None:
    with (copy / "pairs.csv").open(newline="") as file:
        rows = list(csv.reader(file))
    at = rows[0].index("points_per_deal")
    was, rows[4][at] = rows[4][at], str(float(rows[4][at]) + 1e-9)
    with (copy / "pairs.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    (found,) = compare_runs(run_dir, copy).differences
    assert (found.file, found.place, found.first) == ("pairs.csv", "row 4, points_per_deal", repr(was))
    shutil.copy(run_dir / "pairs.csv", copy / "pairs.csv")

    change_rows(copy / "games.jsonl", lambda rows: rows[1]["deals"][0]["scores"].__setitem__(0, -5))
    (found,) = compare_runs(run_dir, copy).differences
    assert (found.file, found.place, found.second) == ("games.jsonl", "row 2, deals[0].scores[0]", "-5")


def test_rows_that_are_missing_are_a_difference(run_dir: Path, copy: Path) -> None:
    change_rows(copy / "metrics.jsonl", lambda rows: rows.pop())
    (found,) = compare_runs(run_dir, copy).differences
    assert (found.place, found.first, found.second) == ("rows", "3", "2")
    change_rows(copy / "metrics.jsonl", lambda rows: rows[0].pop("train/loss"))
    assert compare_runs(run_dir, copy).differences[0].second == "'nothing'"


def test_numbers_are_compared_as_they_should_be() -> None:
    def found(first: object, second: object) -> list[bool]:
        return [within for *_, within in differences_of(first, second, 1e-4)]

    nan = float("nan")
    assert found(nan, nan) == [] and found(1.0, nan) == [False]
    assert found(1000.0, 1000.05) == [True] and found(1000.0, 1000.5) == [False]
    assert found(0.0, 5e-7) == [True] and found(0.0, 5e-6) == [False]
    assert found(3, 4) == [False] and found("a", "b") == [False] and found([1], [1, 2]) == [False]
    zeros = torch.zeros(3)
    assert found(zeros, zeros + nan) == [False] and found(zeros + nan, zeros + nan) == []
    assert found(zeros, torch.zeros(4)) == [False] and found(zeros, zeros.double()) == [False]
    assert found(zeros.to(torch.uint8), torch.tensor([0, 255, 0], dtype=torch.uint8)) == [False]
    assert found(zeros, 0) == [False]


def test_versions_that_differ_are_told_before_anything_starts(
    run_dir: Path, copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    versions = json.loads((copy / "versions.json").read_text())
    versions["packages"]["numpy"] = "0.1"
    (copy / "versions.json").write_text(json.dumps(versions))
    told: list[str] = []

    class Starts(Exception):
        pass

    def starts(*arguments: object) -> None:
        told.append("starts")
        raise Starts

    monkeypatch.setattr(module, "run_in", starts)
    monkeypatch.setattr(Console, "print", lambda self, text, **options: told.append(str(text)))
    with pytest.raises(Starts):
        module.reproduce(copy, tmp_path / "again")
    assert told[0].startswith("Versions differ: packages.numpy: 0.1 then, ") and told[-1] == "starts"
    assert changed_versions(versions, versions) == []


def test_what_cannot_be_reproduced_is_refused(run_dir: Path, copy: Path, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("mine")
    result = (copy / "result.json").read_text()
    for arguments, words in (
        ([str(tmp_path / "none")], "no run directory"),
        ([str(run_dir), "--out", str(run_dir)], "the run itself"),
        ([str(run_dir), "--out", str(tmp_path / "full")], "something else"),
        ([str(run_dir), "--tolerance", "-1"], "at least 0"),
    ):
        done = runner.invoke(app, ["reproduce", *arguments])
        assert done.exit_code == 2, done.output
        assert words in " ".join(done.output.split())
    (copy / "result.json").write_text(result.replace(json.loads(result)["decks"]["hash"], "0" * 16))
    with pytest.raises(ConfigError, match="hash '0000"):
        module.reproduce(copy)
    (copy / "result.json").unlink()
    with pytest.raises(ConfigError, match="bezique run --resume"):
        module.reproduce(copy)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy", "full"], "nothing was made"


def test_a_changed_file_of_decks_is_refused(tmp_path: Path) -> None:
    decks = tmp_path / "decks.json"
    make = ["decks", "two_pack", str(decks), "--count", "5", "--seed"]
    assert runner.invoke(app, [*make, "3"]).exit_code == 0
    run_dir = run_experiment(
        "smoke/two_pack_ppo",
        [
            *TINY,
            "algorithm.total_steps=256",
            f"output_dir={tmp_path}",
            "evaluation.seed=null",
            f"evaluation.decks={decks}",
        ],
        Console(quiet=True),
    )
    assert runner.invoke(app, [*make, "4"]).exit_code == 0
    with pytest.raises(ConfigError, match=r"decks \(file decks.json\) had the hash"):
        module.reproduce(run_dir)
