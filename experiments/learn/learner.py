"""What the training loop asks of a learner, and what all learners share."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray

from agents.learned.policy import PolicyAgent
from agents.protocol import Actions, Agent, Keys, Masks, Views
from agents.registry import make_agent
from experiments.checkpoint import read_checkpoint
from experiments.config import PAST, ExperimentConfig, ProximalConfig


@dataclass(frozen=True)
class Iteration:
    """What came of one rollout and of learning from it.

    Attributes:
        figures: by name, the same in every equal run; points before ``reward_scale``.
        play_seconds: wall time of the rollout.
        learn_seconds: wall time of the gradient steps.
    """

    figures: dict[str, float]
    play_seconds: float
    learn_seconds: float


class Learner(Protocol):
    """What learns; made by a function of a config, run by :func:`experiments.train.train`."""

    @property
    def steps(self) -> int:
        """Decisions it has learned from so far."""

    def iterate(self) -> Iteration:
        """Play one rollout and learn from it."""

    def network(self) -> dict[str, Any]:
        """Return the shape of the policy's network: numbers and texts that `agents.learned.policy` reads."""

    def policy(self) -> Mapping[str, torch.Tensor]:
        """Return the tensors of the policy, by the names that `agents.learned.policy` reads."""

    def state(self) -> dict[str, Any]:
        """Return all else that decides how the learning goes on: tensors, numbers and texts."""

    def restore(self, content: Mapping[str, Any]) -> None:
        """Go on from a checkpoint: what `policy` and `state` returned, in one mapping."""

    def close(self) -> None:
        """Let the games go."""


class PastSelf:
    """Plays as one of the run's own checkpoints, by the probabilities of its network.

    Which one is drawn for each rollout: :meth:`choose`. It takes part in a mixture of opponents as ``past``.

    Args:
        last: one of the last so many checkpoints is drawn.
    """

    name = PAST

    def __init__(self, last: int) -> None:
        """Begin without a checkpoint."""
        self._last = last
        self._paths: list[Path] = []
        self._path: Path | None = None
        self._agent = make_agent("random")

    @property
    def steps(self) -> list[int]:
        """The decisions after which the checkpoints were taken."""
        return [int(path.stem.removeprefix("step_")) for path in self._paths]

    def add(self, path: Path) -> None:
        """Let a checkpoint of the run be drawn from now on."""
        self._paths = [*self._paths, path][-self._last :]

    def choose(self, generator: np.random.Generator) -> None:
        """Draw the checkpoint that plays from now on."""
        path = self._paths[int(generator.integers(len(self._paths)))]
        if self._path != path:
            self._path, self._agent = path, checkpoint_agent(path)

    def act(self, views: Views, masks: Masks, keys: Keys) -> Actions:
        """Return one legal action for every row: as the checkpoint that was chosen, at random before there is one."""
        return self._agent.act(views, masks, keys)


def checkpoint_agent(path: Path) -> Agent:
    """Return the agent of a checkpoint; policies draw their actions, action values take the best one.

    It plays to the end by its network: where endings are exact, `SelfPlay` hands them to the solver itself.
    """
    content = read_checkpoint(path)
    action = "argmax" if content["network"].get("output") == "values" else "sample"
    return PolicyAgent(f"policy({path}, action={action})", content, action, endgame="own")


def learning_rates(config: ExperimentConfig, whole: Callable[[int], int] = int) -> Callable[[int], float]:
    """Return the learning rate as a function of the decisions done.

    Args:
        config: of the experiment; a teacher, where there is one, has a phase and a rate of its own.
        whole: rounds numbers of decisions up to rollouts.
    """
    algorithm = config.algorithm
    total = whole(algorithm.total_steps)
    teacher = algorithm if isinstance(algorithm, ProximalConfig) else None
    first = min(total, whole(teacher.imitate_steps)) if teacher else 0

    def rate(done: int) -> float:
        if teacher and done < first:
            return float(teacher.imitate_learning_rate * (1.0 - 0.9 * done / first))
        left = max(0, total - done) / max(1, total - first)
        return float(
            algorithm.learning_rate * (left if algorithm.learning_rate_schedule == "linear" else 1.0)
        )

    return rate


def generator_text(generator: np.random.Generator) -> str:
    """Return the state of a generator as text."""
    return json.dumps(generator.bit_generator.state, sort_keys=True)


def set_generator(generator: np.random.Generator, text: str) -> None:
    """Put a generator back into a state told by :func:`generator_text`."""
    generator.bit_generator.state = json.loads(text)


def seed_number(sequence: np.random.SeedSequence) -> int:
    """Return a seed for a generator of torch or a batch of games, 0..2**63-1."""
    return int(sequence.generate_state(1, np.uint64)[0] >> np.uint64(1))


def return_figures(
    returns: Mapping[str, NDArray[np.float64]], lengths: NDArray[np.int64]
) -> dict[str, float]:
    """Return the figures of the games of a rollout.

    Args:
        returns: by opponent, float64 [games], what the learner gained.
        lengths: int64 [games], the learner's decisions in each.
    """
    figures = {"rollout/games": float(len(lengths))}
    everything = np.concatenate(
        [np.asarray(values, np.float64) for values in returns.values()] or [np.zeros(0)]
    )
    if len(everything):
        figures["rollout/return_mean"] = float(everything.mean())
        figures["rollout/win_rate"] = float(((np.sign(everything) + 1) / 2).mean())
        figures["rollout/decisions_mean"] = float(np.mean(lengths))
        for name in sorted(returns):
            if len(returns[name]):
                figures[f"rollout/return_mean_against/{name}"] = float(np.mean(returns[name]))
    return figures
