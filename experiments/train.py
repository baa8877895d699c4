"""Training: a learner of the config's algorithm, iterated until its decisions are done.

Everything random comes from ``config.seed`` through ``SeedSequence.spawn``; with the same number of threads on
the same machine and versions the run gives the same bytes. Checkpoints are written between rollouts and carry
all that decides how the learning goes on, so that a resumed run gives the bytes of an undisturbed one.
What is promised stands in docs/reproducibility.md.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch.utils.tensorboard import SummaryWriter

from bezique_env.encoding import layout_hash
from bezique_env.engine.version import ENGINE_VERSION
from bezique_env.rules import get_rules
from experiments.checkpoint import (
    CHECKPOINT_FORMAT,
    CheckpointError,
    checkpoints_in,
    read_checkpoint,
    tensors_hash,
    write_checkpoint,
)
from experiments.config import PAST, ExperimentConfig
from experiments.files import append_row, read_rows, write_text
from experiments.learn.dmc import DMC
from experiments.learn.learner import Learner, PastSelf
from experiments.learn.maskable import Maskable
from experiments.learn.ppo import PPO
from experiments.stopping import Interrupted, stop_request
from experiments.strength import checkpoint_strength, trained_against

LEARNERS: dict[str, Callable[[ExperimentConfig, PastSelf], Learner]] = {
    "maskable_ppo": Maskable,
    "ppo": PPO,
    "dmc": DMC,
}
"""`algorithm.type` -> what makes its learner; the keys stand in `experiments.config.ALGORITHMS`."""


@dataclass(frozen=True)
class TrainResult:
    """What a training left: the last checkpoint, a hash of the policy's tensors, and how long it took."""

    checkpoint: Path
    policy_hash: str
    steps: int
    seconds: float


def train(
    config: ExperimentConfig,
    run_dir: Path,
    *,
    resume: bool = False,
    progress: Callable[[int, int, dict[str, float]], None] | None = None,
    stop_after: int | None = None,
) -> TrainResult:
    """Train a policy, writing metrics and checkpoints into a run directory.

    Args:
        config: what to do.
        run_dir: gets ``metrics.jsonl`` (the same in every equal run), ``timing.jsonl`` (clock times, which are
            not), ``tensorboard/`` and ``checkpoints/``.
        resume: go on from the last checkpoint there, if there is one.
        progress: called after each rollout with the steps done, the total and the figures.
        stop_after: stop as if interrupted once this many steps are done (for tests).

    Raises:
        Interrupted: SIGINT, SIGTERM or ``stop_after`` came; a checkpoint has been written.
    """
    began = time.perf_counter()
    total = config.algorithm.total_steps
    folder = run_dir / "checkpoints"
    with torch_settings(config.threads), stop_request() as asked:
        past = PastSelf(config.past_checkpoints)
        learner = LEARNERS[config.algorithm.type](config, past)
        earlier = checkpoints_in(folder) if resume else []
        path = earlier[-1] if earlier else folder / "none"
        if earlier:
            content = read_checkpoint(path)
            _check(content, config)
            learner.restore(content)
            for steps in content["league"]:
                past.add(_checkpoint_path(folder, steps))
        elif config.opponents.get(PAST):
            path = _checkpoint_path(folder, 0)  # the first past to play against has learned nothing yet
            past.add(path)
            write_checkpoint(path, _checkpoint(config, learner, past))
        _forget_after(run_dir / "metrics.jsonl", learner.steps)
        _forget_after(run_dir / "timing.jsonl", learner.steps)
        board = SummaryWriter(str(run_dir / "tensorboard"), purge_step=learner.steps)
        if progress is not None and earlier:
            progress(learner.steps, total, {})
        while learner.steps < total:
            before = learner.steps
            done = learner.iterate()
            step, figures = learner.steps, dict(done.figures)
            stopping = bool(asked) or (stop_after is not None and step >= stop_after)
            regular = step // config.checkpoint_every > before // config.checkpoint_every
            due = stopping or step >= total or regular
            if due:
                path = _checkpoint_path(folder, step)
                if regular:  # one that is only there because the run was stopped is nobody's opponent
                    past.add(path)
                content = _checkpoint(config, learner, past)
                if regular or step >= total:
                    figures |= checkpoint_strength(config, content)
            append_row(run_dir / "metrics.jsonl", {"step": step, **figures})
            times = {
                "play_seconds": done.play_seconds,
                "learn_seconds": done.learn_seconds,
                "steps_per_second": (step - before) / (done.play_seconds + done.learn_seconds),
            }
            append_row(run_dir / "timing.jsonl", {"step": step, **times})
            for name, value in figures.items():
                board.add_scalar(name, value, step)
            board.add_scalar("time/steps_per_second", times["steps_per_second"], step)
            if due:
                write_checkpoint(path, content)
                board.flush()
            if progress is not None:
                progress(step, total, figures)
            if stopping and step < total:
                board.close()
                raise Interrupted(str(path))
        board.close()
        learner.close()
        return TrainResult(path, tensors_hash(learner.policy()), learner.steps, time.perf_counter() - began)


# ------------------------------------------------------------------------------------------- checkpoints


def _checkpoint_path(folder: Path, steps: int) -> Path:
    return folder / f"step_{steps:012d}.pt"


def _checkpoint(config: ExperimentConfig, learner: Learner, past: PastSelf) -> dict[str, Any]:
    rules = get_rules(config.variant, config.rules.preset, config.rules.overrides)
    return {
        "format": CHECKPOINT_FORMAT,
        "engine_version": ENGINE_VERSION,
        "variant": rules.variant,
        "rules": rules.to_dict(),
        "rules_hash": rules.hash,
        "layout_hash": layout_hash(rules.variant),
        "episode": config.episode,
        "endgame": getattr(config.algorithm, "endgame", "own"),
        "network": learner.network(),
        "policy": dict(learner.policy()),
        "steps": learner.steps,
        "trained_against": list(trained_against(config)),
        "training": training_key(config),
        "league": past.steps,
        **learner.state(),
    }


def _check(content: Mapping[str, Any], config: ExperimentConfig) -> None:
    rules = get_rules(config.variant, config.rules.preset, config.rules.overrides)
    for name, mine in (
        ("engine_version", ENGINE_VERSION),
        ("rules_hash", rules.hash),
        ("layout_hash", layout_hash(rules.variant)),
        ("training", training_key(config)),
    ):
        if content[name] != mine:
            raise CheckpointError(
                f"the checkpoint cannot be continued: its {name} is {content[name]!r}, here {mine!r}"
            )


def training_key(config: ExperimentConfig) -> str:
    """Return what of a config decides the training, as text; a resumed run must have the same."""
    apart = {"name", "output_dir", "evaluation"}  # nothing that is measured changes what is learned
    if not config.opponents.get(PAST):
        apart |= {"checkpoint_every", "past_checkpoints"}  # else they decide who is played against
    plain = config.model_dump(mode="json", exclude=apart)
    return json.dumps(plain, sort_keys=True)


# --------------------------------------------------------------------------------------------- small help


@contextmanager
def torch_settings(threads: int) -> Iterator[None]:
    """Set torch up for bits that repeat, and put it back afterwards."""
    before = torch.get_num_threads()
    torch.set_num_threads(threads)  # sums are split by threads, so their number decides the last bits
    # Torch would check at every step that masked probabilities sum to one within 1e-6, which float32 sums over
    # many actions do not always do: hours into a run it raises (sb3-contrib #81). The masks are exact without it.
    validate = torch.distributions.Distribution._validate_args
    torch.distributions.Distribution.set_default_validate_args(False)
    try:
        with torch.random.fork_rng(devices=[]):
            yield
    finally:
        torch.set_num_threads(before)
        torch.distributions.Distribution.set_default_validate_args(validate)


def _forget_after(path: Path, step: int) -> None:
    """Drop the rows of a table that lie after the checkpoint a run goes on from."""
    if path.is_file():
        kept = [row for row in read_rows(path) if row["step"] <= step]
        write_text(path, "".join(json.dumps(row) + "\n" for row in kept))
