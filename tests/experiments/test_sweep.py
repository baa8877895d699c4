"""Sweeps: what is planned, that nothing starts before all is checked, and that a stopped sweep goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from experiments.checkpoint import checkpoints_in, file_hash
from experiments.cli import app
from experiments.config import ConfigError, dump_config, load_config
from experiments.sweep import parse_seeds, parse_sweep, plan, runs_in
from tests.experiments.test_train import TINY

runner = CliRunner()
SHORT = [*TINY, "algorithm.total_steps=512"]


def test_seeds_are_a_number_or_a_list() -> None:
    assert parse_seeds("3", 5) == [5, 6, 7]
    assert parse_seeds("1, 2,7", 5) == [1, 2, 7]
    assert parse_seeds("7,", 5) == [7]
    for wrong in ("0", "", "two", "-1", "1,,2", "1.5", "1,1", ","):
        with pytest.raises(ConfigError, match="--seeds"):
            parse_seeds(wrong, 0)


def test_values_are_items_of_a_yaml_list() -> None:
    found = parse_sweep(["algorithm.learning_rate=1e-3,3e-4", "algorithm.net_arch=[64, 64],[8]"])
    assert found == {"algorithm.learning_rate": [1e-3, 3e-4], "algorithm.net_arch": [[64, 64], [8]]}
    assert parse_sweep(["algorithm.imitate=null,'policy(a, b)'"]) == {
        "algorithm.imitate": [None, "policy(a, b)"]
    }
    for wrong, words in (
        (["algorithm.gamma"], "key=value,value"),
        (["algorithm.gamma="], "key=value,value"),
        (["seed=1,2"], "use --seeds"),
        (["output_dir=a,b"], "holds the sweep"),
        (["algorithm.gamma=1,1"], "twice"),
        (["algorithm.gamma=1,[2"], "YAML list"),
        (["algorithm.gamma=1", "algorithm.gamma=0.9"], "twice"),
    ):
        with pytest.raises(ConfigError, match=words):
            parse_sweep(wrong)


def test_every_value_is_planned_with_every_seed() -> None:
    sweep = ["algorithm.gamma=1,0.9", "opponents={greedy: 1},{random: 1}"]
    runs = plan("smoke/two_pack_ppo", [], "2", sweep)
    assert len({run.directory for run in runs}) == len(runs) == 8
    assert [(run.config.algorithm.gamma, *run.config.opponents, run.config.seed) for run in runs[:5]] == [
        (1.0, "greedy", 1),
        (1.0, "greedy", 2),
        (1.0, "random", 1),
        (1.0, "random", 2),
        (0.9, "greedy", 1),
    ]
    assert runs[0].directory.startswith("001-gamma=1-opponents=") and runs[0].directory.endswith("-seed1")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--sweep", "algorithm.gama=1,0.9"], "did you mean 'gamma'?"),
        (["--sweep", "algorithm.gamma=0.9,7"], "override 'algorithm.gamma=7'"),
        (["--sweep", "evaluation.opponents=[gredy],[greedy]"], "did you mean 'greedy'?"),
        (["--seeds", "many"], "a number of seeds such as 5"),
        (["--seeds", "1,9223372036854775808"], "seed"),
        (["algorithm.gamma=0.9", "--sweep", "algorithm.gamma=1,0.9"], "is swept over"),
        (["--workers", "2"], "--workers goes with"),
    ],
)
def test_nothing_starts_when_one_of_the_runs_is_refused(
    tmp_path: Path, arguments: list[str], words: str
) -> None:
    done = runner.invoke(
        app, ["run", "smoke/two_pack_ppo", *SHORT, f"output_dir={tmp_path / 'runs'}", *arguments]
    )
    assert done.exit_code == 2, done.output
    assert words in done.output
    assert not (tmp_path / "runs").exists()


def test_a_sweep_is_run_stopped_and_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import experiments.train as train_module

    whole, begun = train_module.train, []

    def stops_in_the_second(config, folder, **options):  # type: ignore[no-untyped-def]
        begun.append(folder.name)
        return whole(config, folder, stop_after=256 if len(begun) == 2 else None, **options)

    monkeypatch.setattr(train_module, "train", stops_in_the_second)
    rates = "algorithm.learning_rate=1e-3,3e-4"
    done = runner.invoke(
        app,
        ["run", "smoke/two_pack_ppo", *SHORT, f"output_dir={tmp_path}", "--seeds", "1,2", "--sweep", rates],
    )
    assert done.exit_code == 130, done.output
    (sweep,) = tmp_path.iterdir()
    assert sweep.name == "smoke_two_pack_ppo-sweep-001"
    assert f"bezique run --resume {sweep}" in " ".join(done.output.split())
    names = [path.name for path in runs_in(sweep)]
    assert begun == names[:2], "a stop ends the whole sweep"
    done = runner.invoke(app, ["report", str(sweep)])
    assert done.exit_code == 2 and "no finished run" in done.output

    done = runner.invoke(app, ["run", "--resume", str(sweep)])
    assert done.exit_code == 0, done.output
    assert begun == [*names[:2], *names[1:]], "the finished run is left alone"
    report = (sweep / "report.html").read_text()
    assert "algorithm.learning_rate=0.001" in report and "greedy (trained against it)" in report
    assert "no: fewer than 5" in report and "Learning by the clock" in report
    found = json.loads((sweep / names[1] / "result.json").read_text())
    assert (found["seed"], found["trained_against"]) == (2, ["random", "greedy"])

    again = whole(load_config(sweep / names[1] / "config.yaml"), tmp_path)
    assert file_hash(again.checkpoint) == file_hash(checkpoints_in(sweep / names[1] / "checkpoints")[-1])


@pytest.mark.slow
def test_runs_side_by_side_are_the_same_runs(tmp_path: Path) -> None:
    folders = []
    for workers in ("1", "2"):
        root = tmp_path / workers
        done = runner.invoke(
            app,
            ["run", "smoke/two_pack_ppo", *SHORT, f"output_dir={root}", "--seeds", "2", "--workers", workers],
        )
        assert done.exit_code == 0, done.output
        folders.append(next(root.iterdir()))
    for one, other in zip(*map(runs_in, folders), strict=True):
        assert one.name == other.name
        for name in ("metrics.jsonl", "pairs.csv", "result.json", "checkpoints/step_000000000512.pt"):
            assert (one / name).read_bytes() == (other / name).read_bytes(), name
    assert "points a deal" in (runs_in(folders[1])[0] / "log.txt").read_text()


@pytest.mark.slow
def test_a_run_that_fails_beside_others_is_named(tmp_path: Path) -> None:
    names = ["lost", "gone"]
    for name in names:
        (tmp_path / name).mkdir()  # without a config
    content = {"format": "bezique-sweep/1", "runs": [{"directory": name} for name in names]}
    (tmp_path / "sweep.json").write_text(json.dumps(content))
    done = runner.invoke(app, ["run", "--resume", str(tmp_path), "--workers", "2"])
    assert done.exit_code == 2
    assert "ended with code 1" in done.output and "log.txt" in done.output
    logs = [tmp_path / name / "log.txt" for name in names]
    assert any("no config.yaml" in log.read_text() for log in logs if log.exists())


def test_a_run_is_held_by_one_process(tmp_path: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    (tmp_path / "config.yaml").write_text(dump_config(load_config("smoke/two_pack_ppo", SHORT)))
    with (tmp_path / ".lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        done = runner.invoke(app, ["run", "--resume", str(tmp_path)])
    assert done.exit_code == 2
    assert "another process is running it" in done.output
    assert not (tmp_path / "versions.json").exists()
