"""A run killed at random moments, and resumed each time, ends with the bytes of an undisturbed one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from experiments.checkpoint import checkpoints_in, file_hash
from experiments.config import load_config
from experiments.files import write_json

ALGORITHMS = {
    "smoke/two_pack_selfplay": ["algorithm.total_steps=16000", "opponents={self: 1, past: 1}"],
    "smoke/two_pack_dmc": ["algorithm.total_steps=16000", "evaluation.curve_pairs=5"],
}
"""Config -> what makes it small besides :data:`OVERRIDES`: some twenty rows of metrics in a few seconds."""
OVERRIDES = [
    "algorithm.num_envs=16",
    "algorithm.batch_size=64",
    "algorithm.net_arch=[16, 16]",
    "checkpoint_every=512",
    "evaluation.deal_pairs=400",
]


def start(arguments: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "experiments.cli", "run", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )


def lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.is_file() else 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ALGORITHMS)  # the first at every moment, the others in training
def test_killed_at_random_moments_a_run_ends_with_the_same_bytes(tmp_path: Path, name: str) -> None:
    """Each kill comes a random while after something is seen to have happened, so that none depends on the machine."""
    given = [name, *OVERRIDES, *ALGORITHMS[name]]
    total = load_config(name, given[1:]).algorithm.total_steps
    whole = start([*given, f"output_dir={tmp_path / 'whole'}"])
    root = tmp_path / "killed"
    rng = np.random.default_rng(20261201)

    def folder() -> Path:
        return next(root.iterdir(), root) if root.is_dir() else root

    def rows(count: int) -> Callable[[], bool]:
        return lambda: lines(folder() / "metrics.jsonl") >= count

    def evaluates() -> bool:
        checkpoints = checkpoints_in(folder() / "checkpoints")
        return bool(checkpoints) and int(checkpoints[-1].stem.removeprefix("step_")) >= total

    moments: list[tuple[Callable[[], bool], float]] = [
        (lambda: True, 1.0),  # while it is imported
        (root.is_dir, 0.05),  # while the run directory is made
        (rows(1), 0.05),
        (rows(int(rng.integers(4, 12))), 0.2),
        (evaluates, 0.3),
    ]
    if name != next(iter(ALGORITHMS)):
        moments = moments[3:4]
    killed = 0
    for happened, longest in moments:
        process = start(
            ["--resume", str(folder())]
            if (folder() / "config.yaml").is_file()
            else [*given, f"output_dir={root}"]
        )
        deadline = time.monotonic() + 120
        while not happened() and process.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.002)
        time.sleep(float(rng.uniform(0, longest)))
        process.kill()
        _, told = process.communicate()
        assert process.returncode in (0, -9), told.decode()
        killed += process.returncode == -9
        if not (folder() / "config.yaml").is_file() and folder() != root:
            shutil.rmtree(folder())  # killed between making the directory and writing the config: begin anew
    assert killed >= min(3, len(moments))
    last = start(["--resume", str(folder())])
    for process in (last, whole):
        _, told = process.communicate(timeout=200)
        assert process.returncode == 0, told.decode()

    (one,), other = (tmp_path / "whole").iterdir(), folder()
    hashes = [{p.name: file_hash(p) for p in checkpoints_in(run / "checkpoints")} for run in (one, other)]
    assert hashes[0] == hashes[1] and len(hashes[0]) > 3
    for file in ("metrics.jsonl", "pairs.csv", "games.jsonl", "result.json"):
        assert (one / file).read_bytes() == (other / file).read_bytes(), file
    assert lines(one / "metrics.jsonl") > 3


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "result.json"
    write_json(path, {"steps": 1})

    def killed(self: Path, target: Path) -> Path:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", killed)
    with pytest.raises(KeyboardInterrupt):
        write_json(path, {"steps": 2})
    assert path.read_text() == '{\n  "steps": 1\n}\n'
