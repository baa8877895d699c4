"""The same config and seed give the same bytes, also when the run was stopped and resumed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch

from agents.play import play_games
from agents.registry import make_agent
from bezique_env.encoding import layout_hash
from bezique_env.envs.batch import make_batch
from bezique_env.rules import variants
from experiments.checkpoint import CheckpointError, checkpoints_in, file_hash, read_checkpoint, tensors_hash
from experiments.config import ExperimentConfig, dump_config, load_config
from experiments.stopping import Interrupted
from experiments.train import train

TINY = [
    "algorithm.total_steps=768",
    "algorithm.num_envs=16",
    "algorithm.n_steps=16",
    "algorithm.batch_size=64",
    "algorithm.net_arch=[16, 16]",
    "opponents={random: 1, greedy: 1}",
    "checkpoint_every=256",
    "evaluation.deal_pairs=5",
    "evaluation.resamples=99",
    "evaluation.records=1",
]


def tiny(*more: str) -> ExperimentConfig:
    return load_config("smoke/two_pack_ppo", [*TINY, *more])


def trained(folder: Path, *more: str) -> tuple[Path, str]:
    folder.mkdir()
    result = train(tiny(*more), folder)
    return result.checkpoint, (folder / "metrics.jsonl").read_text()


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    return trained(tmp_path_factory.mktemp("train") / "once")


def test_the_same_seed_gives_the_same_bytes(once: tuple[Path, str], tmp_path: Path) -> None:
    checkpoint, metrics = once
    torch.manual_seed(99)  # neither torch's global generator nor what ran before matters
    np.random.random(5)  # noqa: NPY002
    again, metrics_again = trained(tmp_path / "again")
    assert metrics == metrics_again
    assert file_hash(checkpoint) == file_hash(again)


def test_another_seed_gives_another_policy(once: tuple[Path, str], tmp_path: Path) -> None:
    other, metrics = trained(tmp_path / "other", "seed=2")
    assert metrics != once[1]
    hashes = {tensors_hash(read_checkpoint(path)["policy"]) for path in (once[0], other)}
    assert len(hashes) == 2


@pytest.mark.parametrize("stop", [256, 512])
def test_a_stopped_run_goes_on_to_the_same_bytes(once: tuple[Path, str], tmp_path: Path, stop: int) -> None:
    folder = tmp_path / "stopped"
    folder.mkdir()
    with pytest.raises(Interrupted, match="step_"):
        train(tiny(), folder, stop_after=stop)
    assert checkpoints_in(folder / "checkpoints")[-1].name == f"step_{stop:012d}.pt"
    with (folder / "metrics.jsonl").open("a") as file:
        file.write('{"step": 999999, "rollout/ga')  # what a kill may leave
    result = train(tiny(), folder, resume=True)
    assert file_hash(result.checkpoint) == file_hash(once[0])
    assert (folder / "metrics.jsonl").read_text() == once[1]


def stopped_and_resumed(tmp_path: Path, stop: int, *more: str) -> tuple[Path, str]:
    """Train whole, and stopped and resumed; return checkpoint and metrics, which are the same."""
    checkpoint, metrics = trained(tmp_path / "whole", *more)
    folder = tmp_path / "stopped"
    folder.mkdir()
    with pytest.raises(Interrupted):
        train(tiny(*more), folder, stop_after=stop)
    result = train(tiny(*more), folder, resume=True)
    assert file_hash(result.checkpoint) == file_hash(checkpoint)
    assert (folder / "metrics.jsonl").read_text() == metrics
    return checkpoint, metrics


def test_a_run_that_learns_from_a_teacher_first_can_be_stopped_too(tmp_path: Path) -> None:
    _, metrics = stopped_and_resumed(tmp_path, 256, "algorithm.imitate=greedy", "algorithm.imitate_steps=512")
    assert "train/probability_of_teacher" in metrics


def test_a_run_against_its_own_past_can_be_stopped_too(tmp_path: Path) -> None:
    checkpoint, metrics = stopped_and_resumed(tmp_path, 512, "opponents={past: 2, random: 1, greedy: 0}")
    assert "rollout/return_mean_against/past" in metrics
    assert read_checkpoint(checkpoint)["league"] == [0, 256, 512, 768]


@pytest.mark.parametrize("variant", [name for name in variants() if name != "two_pack"])
def test_every_variant_trains_resumes_and_plays(tmp_path: Path, variant: str) -> None:
    config = load_config(f"smoke/{variant}_ppo", [*TINY, "algorithm.total_steps=512"])
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    for folder in (whole, stopped):
        folder.mkdir()
    checkpoint = train(config, whole).checkpoint
    with pytest.raises(Interrupted):
        train(config, stopped, stop_after=256)
    assert file_hash(train(config, stopped, resume=True).checkpoint) == file_hash(checkpoint)
    content = read_checkpoint(checkpoint)
    assert (content["variant"], content["layout_hash"]) == (variant, layout_hash(variant))
    agent = make_agent(f"policy({checkpoint})")
    batch = make_batch(variant, num_games=8, seed=1)
    played = play_games(batch, [agent, make_agent("random")])  # refuses an illegal action
    assert batch.done.all() and min(played.decisions) > 0
    with pytest.raises(ValueError, match=f"was trained for {variant}"):
        agent.act(make_batch("two_pack").views(), np.ones((1, 96), np.int8), np.zeros(1, np.uint64))


def test_another_config_cannot_go_on_with_a_checkpoint(tmp_path: Path) -> None:
    folder = tmp_path / "stopped"
    folder.mkdir()
    with pytest.raises(Interrupted):
        train(tiny(), folder, stop_after=256)
    with pytest.raises(CheckpointError, match="training"):
        train(tiny("algorithm.gamma=0.9"), folder, resume=True)


def test_metrics_hold_no_clock_and_timing_holds_it(once: tuple[Path, str]) -> None:
    rows = [json.loads(line) for line in once[1].splitlines()]
    assert [row["step"] for row in rows] == [256, 512, 768]
    assert not [key for key in rows[0] if "second" in key or "time" in key]
    timing = (once[0].parent.parent / "timing.jsonl").read_text().splitlines()
    assert json.loads(timing[0])["steps_per_second"] > 0


def test_a_checkpoint_is_read_without_running_code(tmp_path: Path, once: tuple[Path, str]) -> None:
    content = read_checkpoint(once[0])
    assert content["steps"] == 768
    bad = tmp_path / "bad.pt"
    torch.save({"format": "bezique-checkpoint/1", "x": Path("/")}, bad)
    for path in (bad, tmp_path / "none.pt"):
        with pytest.raises(CheckpointError):
            read_checkpoint(path)


# ------------------------------------------------------------------------------------------ the policy agent


def decisions(rows: int = 200):
    batch = make_batch("two_pack", num_games=rows, seed=4)
    rng = np.random.default_rng(0)
    for _ in range(30):
        counts = np.cumsum(batch.mask, axis=1)
        batch.step(np.argmax(counts > (rng.random(rows) * counts[:, -1])[:, None], axis=1))
    return batch.views(), batch.mask.copy(), batch.keys(0), batch.observation.copy()


def test_a_policy_agent_plays_as_its_network_says(once: tuple[Path, str]) -> None:
    views, masks, keys, observations = decisions()
    agent = make_agent(f"policy({once[0]})")
    chosen = agent.act(views, masks, keys)
    state = read_checkpoint(once[0])["policy"]
    hidden = torch.from_numpy(observations)
    for layer in (0, 2):
        weight, bias = (state[f"mlp_extractor.policy_net.{layer}.{part}"] for part in ("weight", "bias"))
        hidden = torch.relu(hidden @ weight.T + bias)
    logits = hidden @ state["action_net.weight"].T + state["action_net.bias"]
    wanted = torch.where(torch.from_numpy(masks) > 0, logits, -torch.inf).argmax(dim=1).numpy()
    assert (chosen == wanted).mean() > 0.99  # other orders of summation may decide a near tie


@pytest.mark.parametrize("action", ["argmax", "sample"])
def test_a_policy_agents_choice_depends_on_its_row_alone(once: tuple[Path, str], action: str) -> None:
    views, masks, keys, _ = decisions()
    agent = make_agent(f"policy({once[0]}, action={action})")
    chosen = agent.act(views, masks, keys)
    assert np.all(masks[np.arange(len(chosen)), chosen] == 1)
    one_by_one = [
        agent.act(views[i : i + 1], masks[i : i + 1], keys[i : i + 1])[0] for i in range(len(views))
    ]
    assert chosen.tolist() == one_by_one
    other_keys = agent.act(views, masks, keys + np.uint64(1))
    assert np.array_equal(other_keys, chosen) == (action == "argmax")


def test_sampling_follows_the_probabilities(once: tuple[Path, str]) -> None:
    views, masks, _, _ = decisions(1)
    agent = make_agent(f"policy({once[0]}, action=sample)")
    n = 20_000
    keys = np.arange(n, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    chosen = agent.act(np.repeat(views, n), np.repeat(masks, n, axis=0), keys)
    shares = np.bincount(chosen, minlength=96) / n
    legal = np.flatnonzero(masks[0])
    assert shares[legal].sum() == 1.0
    assert np.all(shares[legal] > 0.25 / len(legal))  # a network that has hardly learned is nearly uniform


def test_a_run_directory_names_its_latest_checkpoint(once: tuple[Path, str]) -> None:
    agent = make_agent(f"policy({once[0].parent.parent})")
    assert agent.steps == 768  # type: ignore[attr-defined]


def test_a_checkpoint_of_another_layout_or_engine_is_refused(once: tuple[Path, str], tmp_path: Path) -> None:
    content = read_checkpoint(once[0])
    for key, value in (("layout_hash", "abc"), ("engine_version", 99), ("variant", "whist")):
        path = tmp_path / f"{key}.pt"
        torch.save({**content, key: value}, path)
        with pytest.raises(ValueError, match=key):
            make_agent(f"policy({path})")
    for path in (tmp_path / "none.pt", tmp_path):
        with pytest.raises(ValueError, match="policy"):
            make_agent(f"policy({path})")
    (tmp_path / "text.pt").write_text("no archive")
    with pytest.raises(ValueError, match="no checkpoint"):
        make_agent(f"policy({tmp_path / 'text.pt'})")


# ------------------------------------------------------------------------------------------------------ slow

SMOKE_PART = ["algorithm.total_steps=16_384", "checkpoint_every=8_192"]


@pytest.mark.slow
def test_the_smoke_config_gives_the_same_bytes_in_two_processes(tmp_path: Path) -> None:
    """A part of the smoke run (networks and batches of its size), twice."""
    found = []
    for name, hash_seed in (("one", "1"), ("two", "2")):
        folder = tmp_path / name
        folder.mkdir()
        code = (
            "import pathlib, sys\n"
            "from experiments.config import load_config\n"
            "from experiments.train import train\n"
            "print(train(load_config('smoke/two_pack_ppo', sys.argv[2:]), pathlib.Path(sys.argv[1])).policy_hash)"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, str(folder), *SMOKE_PART],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": hash_seed, **_environment()},
        )
        checkpoint = checkpoints_in(folder / "checkpoints")[-1]
        found.append((done.stdout.strip(), file_hash(checkpoint), (folder / "metrics.jsonl").read_text()))
    assert found[0] == found[1]


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_run_ended_by_a_signal_goes_on_to_the_same_bytes(tmp_path: Path, how: signal.Signals) -> None:
    """SIGINT goes the way of SIGTERM; kills at random moments of whole runs: test_kill.py."""
    config = load_config("smoke/two_pack_ppo", [*TINY, "algorithm.total_steps=12_800"])
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    for folder in (whole, stopped):
        folder.mkdir()
        (folder / "config.yaml").write_text(dump_config(config))
    wanted = train(config, whole)
    code = (
        "import pathlib, sys\n"
        "from experiments.config import load_config\n"
        "from experiments.train import train\n"
        "folder = pathlib.Path(sys.argv[1])\n"
        "train(load_config(folder / 'config.yaml'), folder)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(stopped)], env=_environment(), stderr=subprocess.PIPE
    )
    deadline = time.monotonic() + 200
    while len(checkpoints_in(stopped / "checkpoints")) < 3:
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.02)
    process.send_signal(how)
    process.communicate(timeout=60)
    assert process.returncode != 0
    assert checkpoints_in(stopped / "checkpoints")[-1].name < wanted.checkpoint.name
    result = train(config, stopped, resume=True)
    assert file_hash(result.checkpoint) == file_hash(wanted.checkpoint)
    assert (stopped / "metrics.jsonl").read_text() == (whole / "metrics.jsonl").read_text()


def _environment() -> dict[str, str]:
    import os

    return {key: value for key, value in os.environ.items() if key != "PYTHONHASHSEED"}
