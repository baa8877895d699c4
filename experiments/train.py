"""Training: sb3-contrib's MaskablePPO against fixed opponents, one readable loop.

Everything random comes from ``config.seed`` through ``SeedSequence.spawn``; with the same number of threads on
the same machine and versions the run gives the same bytes. Checkpoints are written between rollouts and carry
network, optimizer, generators and games, so that a resumed run gives the bytes of an undisturbed one.
What is promised stands in docs/reproducibility.md.
"""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger
from torch.utils.tensorboard import SummaryWriter

from agents.protocol import Agent
from agents.registry import make_agent
from bezique_env.encoding import layout_hash
from bezique_env.engine.version import ENGINE_VERSION
from bezique_env.envs.sb3_vec import GameVecEnv
from bezique_env.rules import get_rules
from experiments.checkpoint import (
    CHECKPOINT_FORMAT,
    CheckpointError,
    array_tensor,
    checkpoints_in,
    read_checkpoint,
    tensor_array,
    tensors_hash,
    write_checkpoint,
)
from experiments.config import ExperimentConfig
from experiments.files import append_row, read_rows, write_text
from experiments.stopping import Interrupted, stop_request

ACTIVATIONS = {"relu": torch.nn.ReLU, "tanh": torch.nn.Tanh}


@dataclass(frozen=True)
class TrainResult:
    """What a training left: the last checkpoint, a hash of the policy's tensors, and how long it took."""

    checkpoint: Path
    policy_hash: str
    steps: int
    seconds: float


class SeededBuffer(MaskableRolloutBuffer):
    """The rollout buffer of sb3-contrib, shuffled by a generator of its own instead of NumPy's global one."""

    def __init__(self, *args: Any, generator: np.random.Generator, **kwargs: Any) -> None:
        self.generator = generator
        super().__init__(*args, **kwargs)

    def get(self, batch_size: int | None = None) -> Iterator[MaskableRolloutBufferSamples]:  # type: ignore[override]
        """Yield the rollout in batches, in random order."""
        if not self.generator_ready:
            for name in (
                "observations",
                "actions",
                "values",
                "log_probs",
                "advantages",
                "returns",
                "action_masks",
            ):
                setattr(self, name, self.swap_and_flatten(getattr(self, name)))
            self.generator_ready = True
        total = self.buffer_size * self.n_envs
        order = self.generator.permutation(total)
        for start in range(0, total, batch_size or total):
            yield self._get_samples(order[start : start + (batch_size or total)])

    def to_torch(self, array: NDArray[Any], copy: bool = True) -> torch.Tensor:
        """Return a batch as a tensor; indexing has copied it already."""
        return torch.from_numpy(array)


class EpisodeStatistics(BaseCallback):
    """Collects the finished games of a rollout."""

    def __init__(self) -> None:
        super().__init__()
        self.returns: dict[str, list[float]] = defaultdict(list)
        self.lengths: list[int] = []

    def _on_step(self) -> bool:
        infos = self.locals["infos"]
        for i in np.flatnonzero(self.locals["dones"]):
            self.returns[infos[i]["opponent"]].append(infos[i]["episode"]["r"])
            self.lengths.append(infos[i]["episode"]["l"])
        return True

    def take(self) -> dict[str, float]:
        """Return the figures of the games since the last call, and forget them."""
        figures: dict[str, float] = {"games": float(len(self.lengths))}
        everything = np.array([value for values in self.returns.values() for value in values])
        if len(everything):
            figures["return_mean"] = float(everything.mean())
            figures["win_rate"] = float(((np.sign(everything) + 1) / 2).mean())
            figures["decisions_mean"] = float(np.mean(self.lengths))
            for name in sorted(self.returns):
                figures[f"return_mean_against/{name}"] = float(np.mean(self.returns[name]))
        self.returns.clear()
        self.lengths.clear()
        return figures


def whole_rollouts(steps: int, rollout: int) -> int:
    """Return steps rounded up to whole rollouts."""
    return -(-steps // rollout) * rollout


def build(config: ExperimentConfig) -> tuple[GameVecEnv, MaskablePPO, np.random.Generator]:
    """Make the games and the learner of a config, everything seeded."""
    algorithm = config.algorithm
    network, games, shuffle = np.random.SeedSequence(config.seed).spawn(3)
    env = GameVecEnv(
        config.variant,
        num_envs=algorithm.num_envs,
        seed=int(games.generate_state(1, np.uint64)[0]),
        rules=config.rules.preset,
        overrides=config.rules.overrides,
        opponents=config.opponents,
        episode=config.episode,
        draws=config.draws,
        reward=config.reward,
        reward_scale=algorithm.reward_scale,
    )
    generator = np.random.default_rng(shuffle)
    torch.manual_seed(int(network.generate_state(1, np.uint32)[0]))  # SB3 samples from torch's own generator
    rollout = algorithm.num_envs * algorithm.n_steps
    total = whole_rollouts(algorithm.total_steps, rollout)
    first = min(total, whole_rollouts(algorithm.imitate_steps, rollout))

    def learning_rate(remaining: float) -> float:
        """Return the rate at a part of the whole run that remains; each of the two phases has its own."""
        done = round((1.0 - remaining) * total)
        if done < first:
            return algorithm.imitate_learning_rate * (1.0 - 0.9 * done / first)
        left = (total - done) / max(1, total - first)
        return algorithm.learning_rate * (left if algorithm.learning_rate_schedule == "linear" else 1.0)

    model = MaskablePPO(
        "MlpPolicy",
        env,
        learning_rate=learning_rate,
        n_steps=algorithm.n_steps,
        batch_size=algorithm.batch_size,
        n_epochs=algorithm.n_epochs,
        gamma=algorithm.gamma,
        gae_lambda=algorithm.gae_lambda,
        clip_range=algorithm.clip_range,
        ent_coef=algorithm.ent_coef,
        vf_coef=algorithm.vf_coef,
        max_grad_norm=algorithm.max_grad_norm,
        rollout_buffer_class=SeededBuffer,
        rollout_buffer_kwargs={"generator": generator},
        policy_kwargs={
            "net_arch": list(algorithm.net_arch),
            "activation_fn": ACTIVATIONS[algorithm.activation],
        },
        device="cpu",
    )
    model.set_logger(Logger(folder=None, output_formats=[]))  # we write the metrics ourselves
    return env, model, generator


def collect_from_teacher(
    teacher: Agent, env: GameVecEnv, model: MaskablePPO, statistics: EpisodeStatistics
) -> None:
    """Fill the rollout buffer with the decisions of an agent that plays the learner's seat."""
    buffer = cast(SeededBuffer, model.rollout_buffer)
    buffer.reset()
    no_log_prob = torch.zeros(env.num_envs)
    dones: NDArray[np.bool_] = np.zeros(env.num_envs, np.bool_)
    for _ in range(model.n_steps):
        observation = cast(NDArray[np.float32], model._last_obs)
        with torch.no_grad():
            values = model.policy.predict_values(torch.from_numpy(observation))
        masks = env.action_masks()
        actions = env.ask(teacher)
        after, rewards, dones, infos = env.step(actions)
        model.num_timesteps += env.num_envs
        statistics.locals = {"infos": infos, "dones": dones}
        statistics.on_step()
        starts = cast(NDArray[np.bool_], model._last_episode_starts)
        buffer.add(
            observation, actions.reshape(-1, 1), rewards, starts, values, no_log_prob, action_masks=masks
        )
        model._last_obs, model._last_episode_starts = cast(NDArray[np.float32], after), dones
    with torch.no_grad():
        values = model.policy.predict_values(torch.from_numpy(cast(NDArray[np.float32], model._last_obs)))
    buffer.compute_returns_and_advantage(last_values=values, dones=dones)


def learn_from_teacher(model: MaskablePPO) -> None:
    """Make the decisions in the rollout buffer likelier, and learn what they are worth."""
    policy = model.policy
    policy.set_training_mode(True)
    model._update_learning_rate(policy.optimizer)
    losses, likely = [], []
    for _ in range(model.n_epochs):
        for data in cast(SeededBuffer, model.rollout_buffer).get(model.batch_size):
            values, log_prob, entropy = policy.evaluate_actions(
                data.observations, data.actions.long().flatten(), action_masks=data.action_masks
            )
            assert entropy is not None
            value_loss = torch.nn.functional.mse_loss(data.returns, values.flatten())
            loss = -log_prob.mean() - model.ent_coef * entropy.mean() + model.vf_coef * value_loss
            policy.optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(policy.parameters(), model.max_grad_norm)
            policy.optimizer.step()
            losses.append(value_loss.item())
            likely.append(log_prob.exp().mean().item())
        model._n_updates += 1
    model.logger.record("train/value_loss", float(np.mean(losses)))
    model.logger.record("train/probability_of_teacher", float(np.mean(likely)))


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
    algorithm = config.algorithm
    rollout = algorithm.num_envs * algorithm.n_steps
    total = whole_rollouts(algorithm.total_steps, rollout)
    folder = run_dir / "checkpoints"
    with _torch_settings(config.threads), stop_request() as asked:
        env, model, generator = build(config)
        teacher = make_agent(algorithm.imitate) if algorithm.imitate else None
        statistics = EpisodeStatistics()
        model._setup_learn(total, callback=statistics, reset_num_timesteps=True)
        statistics.init_callback(model)
        earlier = checkpoints_in(folder) if resume else []
        if earlier:
            _restore(read_checkpoint(earlier[-1]), config, env, model, generator)
        _forget_after(run_dir / "metrics.jsonl", model.num_timesteps)
        _forget_after(run_dir / "timing.jsonl", model.num_timesteps)
        board = SummaryWriter(str(run_dir / "tensorboard"), purge_step=model.num_timesteps)
        path = earlier[-1] if earlier else folder / "none"
        if progress is not None and earlier:
            progress(model.num_timesteps, total, {})
        while model.num_timesteps < total:
            at = time.perf_counter()
            if teacher is not None and model.num_timesteps < algorithm.imitate_steps:
                collect_from_teacher(teacher, env, model, statistics)
                played = time.perf_counter()
                model._update_current_progress_remaining(model.num_timesteps - rollout, total)
                learn_from_teacher(model)
            else:
                model.collect_rollouts(
                    env, statistics, model.rollout_buffer, algorithm.n_steps, use_masking=True
                )
                played = time.perf_counter()
                model._update_current_progress_remaining(model.num_timesteps - rollout, total)
                model.train()
            done = time.perf_counter()

            step = model.num_timesteps
            figures = {f"rollout/{name}": value for name, value in statistics.take().items()}
            figures |= {name: float(value) for name, value in model.logger.name_to_value.items()}
            model.logger.name_to_value.clear()
            append_row(run_dir / "metrics.jsonl", {"step": step, **figures})
            times = {
                "play_seconds": played - at,
                "learn_seconds": done - played,
                "steps_per_second": rollout / (done - at),
            }
            append_row(run_dir / "timing.jsonl", {"step": step, **times})
            for name, value in figures.items():
                board.add_scalar(name, value, step)
            board.add_scalar("time/steps_per_second", times["steps_per_second"], step)

            stopping = bool(asked) or (stop_after is not None and step >= stop_after)
            if (
                stopping
                or step >= total
                or step // config.checkpoint_every > (step - rollout) // config.checkpoint_every
            ):
                path = folder / f"step_{step:012d}.pt"
                write_checkpoint(path, _checkpoint(config, env, model, generator))
                board.flush()
            if progress is not None:
                progress(step, total, figures)
            if stopping and step < total:
                board.close()
                raise Interrupted(str(path))
        board.close()
        env.close()
        return TrainResult(
            path, tensors_hash(model.policy.state_dict()), model.num_timesteps, time.perf_counter() - began
        )


# ------------------------------------------------------------------------------------------- checkpoints


def _checkpoint(
    config: ExperimentConfig, env: GameVecEnv, model: MaskablePPO, generator: np.random.Generator
) -> dict[str, Any]:
    rules = get_rules(config.variant, config.rules.preset, config.rules.overrides)
    return {
        "format": CHECKPOINT_FORMAT,
        "engine_version": ENGINE_VERSION,
        "variant": rules.variant,
        "rules": rules.to_dict(),
        "rules_hash": rules.hash,
        "layout_hash": layout_hash(rules.variant),
        "episode": config.episode,
        "network": {"net_arch": list(config.algorithm.net_arch), "activation": config.algorithm.activation},
        "policy": model.policy.state_dict(),
        "optimizer": model.policy.optimizer.state_dict(),
        "steps": int(model.num_timesteps),
        "updates": int(model._n_updates),
        "training": training_key(config),
        "torch_generator": torch.get_rng_state(),
        "shuffle_generator": json.dumps(generator.bit_generator.state, sort_keys=True),
        "games": {name: array_tensor(array) for name, array in env.get_state().items()},
        "episode_starts": array_tensor(np.asarray(model._last_episode_starts, np.float32)),
    }


def _restore(
    content: dict[str, Any],
    config: ExperimentConfig,
    env: GameVecEnv,
    model: MaskablePPO,
    generator: np.random.Generator,
) -> None:
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
    model.policy.load_state_dict(content["policy"])
    model.policy.optimizer.load_state_dict(content["optimizer"])
    model.num_timesteps, model._n_updates = content["steps"], content["updates"]
    now = env.get_state()
    env.set_state({name: tensor_array(stored, now[name]) for name, stored in content["games"].items()})
    model._last_obs = env.batch.observation.copy()
    starts = np.zeros(env.num_envs, np.float32)
    model._last_episode_starts = tensor_array(content["episode_starts"], starts).astype(np.float32)
    generator.bit_generator.state = json.loads(content["shuffle_generator"])
    torch.set_rng_state(content["torch_generator"])


def training_key(config: ExperimentConfig) -> str:
    """Return what of a config decides the training, as text; a resumed run must have the same."""
    plain = config.model_dump(mode="json", exclude={"name", "output_dir", "evaluation", "checkpoint_every"})
    return json.dumps(plain, sort_keys=True)


# --------------------------------------------------------------------------------------------- small help


@contextmanager
def _torch_settings(threads: int) -> Iterator[None]:
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
