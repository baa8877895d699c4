"""Deep Monte-Carlo, from top to bottom: play by action values, learn what came of the actions that were taken.

After DouZero (Zha et al., 2021), with one output for each action instead of actions as inputs. The best action is
played but for a share `epsilon` that is drawn at random; the target of an action's value is what its seat earned
from there to the end of the game, with nothing bootstrapped. With a `critic` the target is what that was beyond
what the critic expected, so that not every action has to learn the luck of the deal. It finds strong play, not an
equilibrium: a policy that always takes the best action against itself can be exploited, however long it trains.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from experiments.checkpoint import pack_array, unpack_array
from experiments.config import DMCConfig, ExperimentConfig
from experiments.learn.learner import (
    Iteration,
    PastSelf,
    generator_text,
    learning_rates,
    seed_number,
    set_generator,
)
from experiments.learn.networks import ActionNetwork, Critic, find_device, network_shape
from experiments.learn.selfplay import Asked, SelfPlay


class DMC:
    """The learner of ``algorithm.type: dmc``.

    Args:
        config: of the experiment.
        past: the run's own checkpoints, for games against ``past``.

    Attributes:
        steps: decisions it has learned from.
    """

    def __init__(self, config: ExperimentConfig, past: PastSelf) -> None:
        """Make games, network and optimizer, everything seeded."""
        algorithm = config.algorithm
        assert isinstance(algorithm, DMCConfig)
        self.algorithm = algorithm
        first, games = np.random.SeedSequence(config.seed).spawn(2)
        self.device = find_device(algorithm.device)
        self.games = SelfPlay(config, past, both_views=algorithm.critic == "open")
        self.generator = np.random.default_rng(games)  # deals, opponents, exploration, minibatches
        torch.manual_seed(seed_number(first))  # layers begin from torch's own generator
        self.values = ActionNetwork(config.variant, algorithm, gain=0.1).to(self.device)
        self.critic = (
            None if algorithm.critic == "none" else Critic(config.variant, algorithm).to(self.device)
        )
        learned = [*self.values.parameters(), *(self.critic.parameters() if self.critic else ())]
        self.optimizer = torch.optim.Adam(learned, algorithm.learning_rate)
        self.rate = learning_rates(config)
        # Observations, those of the other seat, actions and returns (scaled) of the last rollouts.
        self.replay: deque[tuple[NDArray[Any], ...]] = deque(maxlen=algorithm.replay)
        self.steps = 0

    # ------------------------------------------------------------------------------------------ one iteration

    @property
    def epsilon(self) -> float:
        """The share of random actions now: falls evenly over the first half of the training."""
        done = min(1.0, 2.0 * self.steps / self.algorithm.total_steps)
        return self.algorithm.epsilon + done * (self.algorithm.epsilon_end - self.algorithm.epsilon)

    def iterate(self) -> Iteration:
        """Play N games by the values as they are, and learn from the last rollouts."""
        began, epsilon = time.perf_counter(), self.epsilon

        @torch.no_grad()
        def decide(asked: Asked) -> NDArray[np.int64]:
            value = self.values(torch.from_numpy(asked.observation).to(self.device)).cpu().numpy()
            explores = self.generator.random(len(value)) < epsilon
            value[explores] = self.generator.random((int(explores.sum()), value.shape[1]), np.float32)
            chosen: NDArray[np.int64] = np.where(asked.mask, value, -np.inf).argmax(1)
            return chosen

        rollout = self.games.play(decide, self.generator)
        scaled = rollout.returns() * np.float32(self.algorithm.reward_scale)
        self.replay.append((rollout.observation, rollout.other, rollout.action, scaled))
        played = time.perf_counter()
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate(self.steps)
        figures = self.learn()
        self.steps += len(rollout)
        done = time.perf_counter()
        return Iteration(
            {**rollout.figures, **figures, "train/epsilon": epsilon}, played - began, done - played
        )

    def learn(self) -> dict[str, float]:
        """Take gradient steps on decisions drawn from the replay; return the means of what was seen."""
        algorithm = self.algorithm
        starts = np.concatenate([[0], np.cumsum([len(kept[-1]) for kept in self.replay])])
        losses, spreads = [], []
        for _ in range(algorithm.updates):
            drawn = np.sort(self.generator.integers(0, starts[-1], algorithm.batch_size))
            owner = np.searchsorted(starts, drawn, "right") - 1
            columns: list[list[NDArray[Any]]] = [[], [], [], []]
            for number, kept in enumerate(self.replay):
                within = drawn[owner == number] - starts[number]
                for column, array in zip(columns, kept, strict=True):
                    column.append(array[within])
            observation, other, action, target = (
                torch.from_numpy(np.concatenate(column)).to(self.device) for column in columns
            )
            with torch.autocast(self.device.type, torch.bfloat16, enabled=algorithm.mixed_precision):
                value = self.values(observation).gather(1, action[:, None]).squeeze(1)
                expected = (
                    torch.zeros_like(target) if self.critic is None else self.critic(observation, other)
                )
            # Points are the aim, so the mean is: no robust loss.
            loss = (value - (target - expected.detach())).square().mean()
            whole = loss if self.critic is None else loss + (expected - target).square().mean()
            self.optimizer.zero_grad()
            whole.backward()
            nn.utils.clip_grad_norm_(self.optimizer.param_groups[0]["params"], algorithm.max_grad_norm)
            self.optimizer.step()
            losses.append(loss.detach())
            spreads.append(target.var(correction=0))
        loss, spread = float(torch.stack(losses).mean()), float(torch.stack(spreads).mean())
        return {
            "train/value_loss": loss,
            "train/explained_variance": 1.0 - loss / spread if spread else 0.0,
            "train/learning_rate": self.optimizer.param_groups[0]["lr"],
        }

    # -------------------------------------------------------------------------------------------- checkpoints

    def network(self) -> dict[str, Any]:
        """Return the shape of the network; its numbers are action values."""
        return network_shape(self.algorithm, "values")

    def policy(self) -> Mapping[str, Tensor]:
        """Return the tensors of the network."""
        return {name: tensor.cpu() for name, tensor in self.values.state_dict().items()}

    def state(self) -> dict[str, Any]:
        """Return all else that decides how the learning goes on."""
        return {
            "critic": self.critic.state_dict() if self.critic else {},
            "optimizer": self.optimizer.state_dict(),
            "games_generator": generator_text(self.generator),
            "replay": [[pack_array(array) for array in kept] for kept in self.replay],
        }

    def restore(self, content: Mapping[str, Any]) -> None:
        """Go on from a checkpoint."""
        self.values.load_state_dict(content["policy"])
        if self.critic:
            self.critic.load_state_dict(content["critic"])
        self.optimizer.load_state_dict(content["optimizer"])
        set_generator(self.generator, content["games_generator"])
        self.replay.clear()
        self.replay.extend(tuple(unpack_array(array) for array in kept) for kept in content["replay"])
        self.steps = content["steps"]

    def close(self) -> None:
        """Let the games go."""
        self.games.close()
