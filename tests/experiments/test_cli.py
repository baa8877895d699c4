"""The command, as its user sees it."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from experiments.cli import app
from experiments.config import load_config
from tests.experiments.test_train import TINY

runner = CliRunner()


@pytest.fixture(scope="module")
def run_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One tiny run through the command."""
    root = tmp_path_factory.mktemp("runs")
    done = runner.invoke(app, ["run", "smoke/two_pack_ppo", *TINY, f"output_dir={root}"])
    assert done.exit_code == 0, done.output
    assert "points a deal" in done.output
    assert "greedy" in done.output
    (path,) = root.iterdir()
    return path


def test_a_run_directory_holds_what_the_design_asks(run_dir: Path) -> None:
    for name in (
        "config.yaml",
        "versions.json",
        "metrics.jsonl",
        "timing.jsonl",
        "pairs.csv",
        "games.jsonl",
        "result.json",
        "report.html",
        "learning.png",
        "pairs.png",
    ):
        assert (run_dir / name).stat().st_size > 0, name
    assert list((run_dir / "tensorboard").iterdir())
    assert load_config(run_dir / "config.yaml").algorithm.num_envs == 16
    versions = json.loads((run_dir / "versions.json").read_text())
    assert {"engine_version", "rules_hash", "layout_hash", "packages"} <= versions.keys()
    result = json.loads((run_dir / "result.json").read_text())
    assert [match["opponent"] for match in result["matches"]] == ["random", "greedy"]
    for match in result["matches"]:
        points = match["points_per_deal"]
        assert points["low"] <= points["mean"] <= points["high"]
        assert points["n"] == match["deal_pairs"] == 5
    with (run_dir / "pairs.csv").open() as file:
        assert len(list(csv.DictReader(file))) == 10
    report = (run_dir / "report.html").read_text()
    assert "data:image/png" in report
    assert result["policy_hash"] in report


def test_the_recorded_games_replay(run_dir: Path) -> None:
    done = runner.invoke(app, ["replay", str(run_dir / "games.jsonl")])
    assert done.exit_code == 0, done.output
    assert "4 records replay" in " ".join(done.output.split())


def test_a_changed_record_is_refused(run_dir: Path, tmp_path: Path) -> None:
    record = json.loads((run_dir / "games.jsonl").read_text().splitlines()[0])
    record["deals"][0]["scores"][0] += 10
    path = tmp_path / "bad.jsonl"
    path.write_text(json.dumps(record) + "\n")
    done = runner.invoke(app, ["replay", str(path)])
    assert done.exit_code == 2
    assert "do not replay" in done.output
    assert runner.invoke(app, ["replay", str(tmp_path / "none.jsonl")]).exit_code == 2


def test_a_finished_run_can_be_evaluated_again_to_the_same_result(run_dir: Path) -> None:
    before = (run_dir / "result.json").read_text()
    done = runner.invoke(app, ["run", "--resume", str(run_dir)])
    assert done.exit_code == 0, done.output
    assert (run_dir / "result.json").read_text() == before


def test_reports_of_one_and_of_several_runs(run_dir: Path, tmp_path: Path) -> None:
    done = runner.invoke(app, ["report", str(run_dir)])
    assert done.exit_code == 0, done.output
    out = tmp_path / "both.html"
    done = runner.invoke(app, ["report", str(run_dir), str(run_dir), "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert "2 runs" in out.read_text()
    done = runner.invoke(app, ["report", str(tmp_path)])
    assert done.exit_code == 2
    assert "no finished run" in done.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", "smoke/two_pack_pp"], "did you mean 'smoke/two_pack_ppo'?"),
        (["run", "smoke/two_pack_ppo", "algorithm.n_step=3"], "did you mean 'n_steps'?"),
        (["run"], "name a config"),
        (["run", "seed=3"], "name a config"),
        (["run", "--resume", "nowhere"], "no run directory"),
        (["run", "smoke/two_pack_ppo", "--resume", "x"], "leave out"),
        (["rules", "two_pak"], "did you mean 'two_pack'?"),
        (["rules", "two_pack", "--preset", "sari"], "did you mean 'saari'?"),
        (["play", "two_pack", "--opponent", "gredy"], "did you mean 'greedy'?"),
        (["play", "two_pack", "--seat", "3"], "seat"),
        (["play", "two_pack", "--override", "endgam=x"], "did you mean 'endgame'?"),
        (["tournament", "random"], "at least two agents"),
        (["tournament", "random", "greedy"], "exactly one"),
        (["tournament", "random", "gredy", "--seed", "1"], "did you mean 'greedy'?"),
        (
            ["tournament", "random", "greedy", "--seed", "1", "--variant", "rubikon"],
            "did you mean 'rubicon'?",
        ),
        (["run", "smoke/rubicon_ppo", "rules.preset=portlan"], "did you mean 'portland'?"),
        (["run", "smoke/rubicon_ppo", "rules.overrides.target=500"], "no meaning in rubicon"),
        (["bench", "--variant", "two_pak"], "did you mean 'two_pack'?"),
        (["bench", "--seconds", "0"], "a positive number"),
    ],
)
def test_mistakes_get_one_clear_message_and_code_2(arguments: list[str], words: str) -> None:
    done = runner.invoke(app, arguments)
    assert done.exit_code == 2, done.output
    assert words in done.output
    assert "Traceback" not in done.output


def test_nothing_is_made_when_a_config_is_refused(tmp_path: Path) -> None:
    done = runner.invoke(
        app, ["run", "smoke/two_pack_ppo", "opponents.gredy=1", f"output_dir={tmp_path / 'runs'}"]
    )
    assert done.exit_code == 2
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("variant", "words"),
    [
        ("two_pack", ["dix_exchange", "double bezique", "two games"]),
        ("rubicon", ["marriage_rematch", "quadruple bezique", "W + L + 1300"]),
        ("chinese", ["cut_bonus", "four aces of trump", "W + L + 1000"]),
        ("eight_pack", ["four_tens", "quintuple bezique", "the loser's points"]),
        ("fildinski", ["fildinski_reuse", "trump seven", "two games"]),
        ("belote", ["schmeiss", "pair of king and queen", "own and the taker's"]),
    ],
)
def test_rules_of_every_variant_are_told(variant: str, words: list[str]) -> None:
    done = runner.invoke(app, ["rules", variant])
    assert done.exit_code == 0, done.output
    for word in words:
        assert word in done.output


def test_variants_and_rules_are_told() -> None:
    done = runner.invoke(app, ["variants"])
    assert done.exit_code == 0
    for preset in ("standard", "saari", "finnish", "dutch", "no_ready_trump", "shifting"):
        assert preset in done.output
    done = runner.invoke(app, ["rules", "two_pack", "--preset", "finnish"])
    assert done.exit_code == 0
    assert "many_disjoint" in done.output
    assert "SAARI" in done.output


def test_a_tournament_sets_every_agent_against_every_other(run_dir: Path, tmp_path: Path) -> None:
    out = tmp_path / "result.json"
    policy = f"policy({run_dir})"
    done = runner.invoke(
        app, ["tournament", "random", "greedy", policy, "--seed", "3", "--pairs", "20", "--out", str(out)]
    )
    assert done.exit_code == 0, done.output
    matches = json.loads(out.read_text())["matches"]
    assert [(m["first"], m["opponent"]) for m in matches] == [
        ("random", "greedy"),
        ("random", policy),
        ("greedy", policy),
    ]
    assert matches[0]["points_per_deal"]["high"] < 0


def test_a_policy_plays_its_own_variant_only(run_dir: Path, tmp_path: Path) -> None:
    policy = f"policy({run_dir})"
    for arguments in (
        ["tournament", "random", policy, "--seed", "3", "--variant", "rubicon"],
        ["run", "smoke/rubicon_ppo", f"opponents={{'{policy}': 1}}", f"output_dir={tmp_path}"],
        ["play", "rubicon", "--opponent", policy],
    ):
        done = runner.invoke(app, arguments)
        assert done.exit_code == 2, done.output
        assert "plays two_pack, not rubicon" in " ".join(done.output.split())


def test_light_commands_import_neither_torch_nor_numba_kernels() -> None:
    code = (
        "import sys\n"
        "from typer.testing import CliRunner\n"
        "from experiments.cli import app\n"
        "for words in (['variants'], ['rules', 'two_pack'], ['rules', 'belote'], ['--help']):\n"
        "    assert CliRunner().invoke(app, words).exit_code == 0\n"
        "heavy = ('torch', 'stable_baselines3', 'matplotlib', 'scipy', 'bezique_env.engine.play')\n"
        "heavy += tuple(f'bezique_env.engine.{family}.kernels' for family in ('bezique', 'belote'))\n"
        "print([n for n in heavy if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_stopped_run_is_resumed_by_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_dir: Path
) -> None:
    import experiments.run as run_module
    import experiments.train as train_module

    whole = train_module.train

    def stops(config, folder, **options):  # type: ignore[no-untyped-def]
        return whole(config, folder, stop_after=256, **options)

    monkeypatch.setattr(train_module, "train", stops)
    done = runner.invoke(app, ["run", "smoke/two_pack_ppo", *TINY, f"output_dir={tmp_path}"])
    assert done.exit_code == 130
    assert "bezique run --resume" in done.output
    (path,) = tmp_path.iterdir()
    monkeypatch.setattr(train_module, "train", whole)
    resumed = run_module.resume_experiment(path)
    for name in ("metrics.jsonl", "pairs.csv", "games.jsonl"):
        assert (resumed / name).read_bytes() == (run_dir / name).read_bytes()
    ends = [json.loads((p / "result.json").read_text())["policy_hash"] for p in (resumed, run_dir)]
    assert ends[0] == ends[1]
