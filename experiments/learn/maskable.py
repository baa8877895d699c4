"""sb3-contrib's MaskablePPO as a learner: one seat of each game learns, agents or its own past play the other."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger

from agents.protocol import Agent
from agents.registry import make_agent
from bezique_env.envs.sb3_vec import GameVecEnv
from experiments.checkpoint import array_tensor, tensor_array
from experiments.config import PAST, ExperimentConfig, MaskablePPOConfig
from experiments.learn.learner import (
    Iteration,
    PastSelf,
    generator_text,
    learning_rates,
    return_figures,
    set_generator,
)
from experiments.learn.networks import ACTIVATIONS


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
        returns = {name: np.array(values) for name, values in self.returns.items()}
        figures = return_figures(returns, np.array(self.lengths))
        self.returns.clear()
        self.lengths.clear()
        return figures


def whole_rollouts(steps: int, rollout: int) -> int:
    """Return steps rounded up to whole rollouts."""
    return -(-steps // rollout) * rollout


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


class Maskable:
    """The learner of ``algorithm.type: maskable_ppo``.

    Args:
        config: of the experiment.
        past: the run's own checkpoints, for games against ``past``.

    Attributes:
        steps: decisions it has learned from.
    """

    def __init__(self, config: ExperimentConfig, past: PastSelf) -> None:
        """Make the games and the learner of a config, everything seeded."""
        algorithm = config.algorithm
        assert isinstance(algorithm, MaskablePPOConfig)
        self.algorithm = algorithm
        network, games, shuffle, league = np.random.SeedSequence(config.seed).spawn(4)
        self.env = GameVecEnv(
            config.variant,
            num_envs=algorithm.num_envs,
            seed=int(games.generate_state(1, np.uint64)[0]),
            rules=config.rules.preset,
            overrides=config.rules.overrides,
            opponents={past if name == PAST else name: weight for name, weight in config.opponents.items()},
            episode=config.episode,
            draws=config.draws,
            reward=config.reward,
            reward_scale=algorithm.reward_scale,
        )
        self.generator = np.random.default_rng(shuffle)
        # SB3 samples from torch's own generator.
        torch.manual_seed(int(network.generate_state(1, np.uint32)[0]))
        self.rollout = algorithm.num_envs * algorithm.n_steps
        self.total = whole_rollouts(algorithm.total_steps, self.rollout)
        rate = learning_rates(config, lambda steps: whole_rollouts(steps, self.rollout))
        self.model = MaskablePPO(
            "MlpPolicy",
            self.env,
            learning_rate=lambda remaining: rate(round((1.0 - remaining) * self.total)),
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
            rollout_buffer_kwargs={"generator": self.generator},
            policy_kwargs={
                "net_arch": list(algorithm.net_arch),
                "activation_fn": ACTIVATIONS[algorithm.activation],
            },
            device="cpu",
        )
        self.model.set_logger(Logger(folder=None, output_formats=[]))  # we write the metrics ourselves
        self.teacher = make_agent(algorithm.imitate) if algorithm.imitate else None
        self.statistics = EpisodeStatistics()
        self.model._setup_learn(self.total, callback=self.statistics, reset_num_timesteps=True)
        self.statistics.init_callback(self.model)
        self.past = past if config.opponents.get(PAST) else None
        self.league = np.random.default_rng(league)  # which checkpoint plays; a game may see it change

    @property
    def steps(self) -> int:
        """Decisions it has learned from."""
        return int(self.model.num_timesteps)

    def iterate(self) -> Iteration:
        """Play one rollout with the policy as it is (or the teacher), and learn from it."""
        model, began = self.model, time.perf_counter()
        if self.past is not None:
            self.past.choose(self.league)
        if self.teacher is not None and self.steps < self.algorithm.imitate_steps:
            collect_from_teacher(self.teacher, self.env, model, self.statistics)
            played = time.perf_counter()
            model._update_current_progress_remaining(self.steps - self.rollout, self.total)
            learn_from_teacher(model)
        else:
            model.collect_rollouts(
                self.env, self.statistics, model.rollout_buffer, self.algorithm.n_steps, use_masking=True
            )
            played = time.perf_counter()
            model._update_current_progress_remaining(self.steps - self.rollout, self.total)
            model.train()
        done = time.perf_counter()
        figures = self.statistics.take()
        figures |= {name: float(value) for name, value in model.logger.name_to_value.items()}
        model.logger.name_to_value.clear()
        if "train/entropy_loss" in figures:
            figures["train/entropy"] = -figures.pop("train/entropy_loss")
        return Iteration(figures, played - began, done - played)

    # -------------------------------------------------------------------------------------------- checkpoints

    def network(self) -> dict[str, Any]:
        """Return the shape of the policy's network."""
        return {"net_arch": list(self.algorithm.net_arch), "activation": self.algorithm.activation}

    def policy(self) -> Mapping[str, torch.Tensor]:
        """Return the tensors of the policy."""
        return self.model.policy.state_dict()

    def state(self) -> dict[str, Any]:
        """Return all else that decides how the learning goes on."""
        return {
            "optimizer": self.model.policy.optimizer.state_dict(),
            "updates": int(self.model._n_updates),
            "torch_generator": torch.get_rng_state(),
            "shuffle_generator": generator_text(self.generator),
            "league_generator": generator_text(self.league),
            "games": {name: array_tensor(array) for name, array in self.env.get_state().items()},
            "episode_starts": array_tensor(np.asarray(self.model._last_episode_starts, np.float32)),
        }

    def restore(self, content: Mapping[str, Any]) -> None:
        """Go on from a checkpoint."""
        model, env = self.model, self.env
        model.policy.load_state_dict(content["policy"])
        model.policy.optimizer.load_state_dict(content["optimizer"])
        model.num_timesteps, model._n_updates = content["steps"], content["updates"]
        now = env.get_state()
        env.set_state({name: tensor_array(stored, now[name]) for name, stored in content["games"].items()})
        model._last_obs = env.batch.observation.copy()
        starts = np.zeros(env.num_envs, np.float32)
        model._last_episode_starts = tensor_array(content["episode_starts"], starts).astype(np.float32)
        set_generator(self.generator, content["shuffle_generator"])
        set_generator(self.league, content["league_generator"])
        torch.set_rng_state(content["torch_generator"])

    def close(self) -> None:
        """Let the games go."""
        self.env.close()
