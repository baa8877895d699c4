"""PPO by self-play, from top to bottom: play whole games, tell what each decision was worth, make good ones likelier.

One network plays both seats and learns from both (``opponents: {self: 1}``); in the games against others it learns
from its own seat. With ``magnet_coef`` above 0 the policy is also drawn towards a slow copy of itself, which is
magnetic mirror descent (Sokota et al., 2023): with a constant entropy bonus or magnet, self-play comes near an
equilibrium in games of hidden information, which plain policy gradients need not.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from experiments.config import ExperimentConfig, PPOConfig
from experiments.learn.learner import (
    Iteration,
    PastSelf,
    generator_text,
    learning_rates,
    seed_number,
    set_generator,
)
from experiments.learn.networks import NEVER, ActionNetwork, Critic, find_device, network_shape
from experiments.learn.selfplay import Asked, Rollout, SelfPlay, advantages


class PPO:
    """The learner of ``algorithm.type: ppo``.

    Args:
        config: of the experiment.
        past: the run's own checkpoints, for games against ``past``.

    Attributes:
        steps: decisions it has learned from.
    """

    def __init__(self, config: ExperimentConfig, past: PastSelf) -> None:
        """Make games, networks and optimizer, everything seeded."""
        algorithm = config.algorithm
        assert isinstance(algorithm, PPOConfig)
        self.algorithm = algorithm
        first, games, draws = np.random.SeedSequence(config.seed).spawn(3)
        self.device = find_device(algorithm.device)
        self.games = SelfPlay(config, past, both_views=algorithm.critic == "open")
        self.generator = np.random.default_rng(games)  # deals, opponents, order of the minibatches
        self.sampling = torch.Generator(self.device).manual_seed(seed_number(draws))
        torch.manual_seed(seed_number(first))  # layers begin from torch's own generator
        self.actor = ActionNetwork(config.variant, algorithm, gain=0.01).to(self.device)
        self.critic = Critic(config.variant, algorithm).to(self.device)
        self.magnet = copy.deepcopy(self.actor) if algorithm.magnet_coef else None
        self.optimizer = torch.optim.Adam(
            [*self.actor.parameters(), *self.critic.parameters()], algorithm.learning_rate, eps=1e-5
        )
        self.rate = learning_rates(config)
        self.teacher = self.games.agent(algorithm.imitate) if algorithm.imitate else None
        self.steps = 0

    # ------------------------------------------------------------------------------------------ one iteration

    def iterate(self) -> Iteration:
        """Play N games with the policy as it is (or the teacher), and learn from them."""
        began = time.perf_counter()
        taught = self.steps < self.algorithm.imitate_steps
        kept: list[tuple[Tensor, Tensor]] = []

        @torch.no_grad()
        def decide(asked: Asked) -> NDArray[np.int64]:
            observation = torch.from_numpy(asked.observation).to(self.device)
            other = torch.from_numpy(asked.other).to(self.device)
            value = self.critic(observation, other)
            if taught:
                assert self.teacher is not None
                seats = self.games.batch.seat[asked.rows]
                kept.append((value, torch.zeros_like(value)))
                return self.games.ask(self.teacher, asked.rows, seats)
            mask = torch.from_numpy(asked.mask).to(self.device)
            log_probs = torch.log_softmax(self.actor(observation).masked_fill(~mask, NEVER), 1)
            # The largest of log-probability + Gumbel noise is a draw from the policy.
            noise = torch.empty_like(log_probs).exponential_(generator=self.sampling).log_()
            action = (log_probs - noise).masked_fill(~mask, -torch.inf).argmax(1)
            kept.append((value, log_probs.gather(1, action[:, None]).squeeze(1)))
            return action.cpu().numpy()

        rollout = self.games.play(decide, self.generator)
        played = time.perf_counter()
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate(self.steps)
        values, likely = (torch.cat(column) for column in zip(*kept, strict=True))
        figures = self.learn(rollout, values, likely, taught)
        self.steps += len(rollout)
        done = time.perf_counter()
        return Iteration({**rollout.figures, **figures}, played - began, done - played)

    def learn(self, rollout: Rollout, values: Tensor, likely: Tensor, taught: bool) -> dict[str, float]:
        """Go over a rollout a few times in minibatches; return the means of what was seen.

        Args:
            rollout: of whole games.
            values: float32 [M], what the critic said while it was played.
            likely: float32 [M], log-probabilities of the actions then.
            taught: the actions are a teacher's: make them likelier, whatever they brought.
        """
        algorithm, device = self.algorithm, self.device
        reward = rollout.reward * np.float32(algorithm.reward_scale)
        gain = advantages(
            reward, values.cpu().numpy(), rollout.next, rollout.rounds, algorithm.gamma, algorithm.gae_lambda
        )
        advantage = torch.from_numpy(gain).to(device)
        target = advantage + values
        observation, other, mask, action = (
            torch.from_numpy(array).to(device)
            for array in (rollout.observation, rollout.other, rollout.mask, rollout.action)
        )
        seen: dict[str, list[Tensor]] = {}

        def note(**numbers: Tensor) -> None:
            for name, number in numbers.items():
                seen.setdefault(name, []).append(number.detach())

        for _ in range(algorithm.n_epochs):
            order = torch.from_numpy(self.generator.permutation(len(rollout))).to(device)
            for picked in torch.split(order, algorithm.batch_size):
                with torch.autocast(device.type, torch.bfloat16, enabled=algorithm.mixed_precision):
                    logits = self.actor(observation[picked])
                    value = self.critic(observation[picked], other[picked])
                log_probs = torch.log_softmax(logits.masked_fill(~mask[picked], NEVER), 1)
                log_prob = log_probs.gather(1, action[picked, None]).squeeze(1)
                entropy = -(log_probs.exp() * log_probs).sum(1).mean()
                value_loss = 0.5 * (value - target[picked]).square().mean()
                if taught:
                    policy_loss = -log_prob.mean()
                    note(probability_of_teacher=log_prob.exp().mean())
                else:
                    ratio = (log_prob - likely[picked]).exp()
                    centred = advantage[picked] - advantage[picked].mean()
                    centred = centred / (advantage[picked].std(correction=0) + 1e-8)
                    low, high = 1 - algorithm.clip_range, 1 + algorithm.clip_range
                    policy_loss = -torch.min(centred * ratio, centred * ratio.clamp(low, high)).mean()
                    note(
                        clip_fraction=((ratio - 1).abs() > algorithm.clip_range).float().mean(),
                        approx_kl=((ratio - 1) - ratio.log()).mean(),
                    )
                loss = policy_loss + algorithm.vf_coef * value_loss - algorithm.ent_coef * entropy
                if self.magnet is not None and not taught:
                    with torch.no_grad():
                        slow = torch.log_softmax(
                            self.magnet(observation[picked]).masked_fill(~mask[picked], NEVER), 1
                        )
                    magnet_kl = (log_probs.exp() * (log_probs - slow)).sum(1).mean()
                    loss = loss + algorithm.magnet_coef * magnet_kl
                    note(magnet_kl=magnet_kl)
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.optimizer.param_groups[0]["params"], algorithm.max_grad_norm)
                self.optimizer.step()
                note(policy_loss=policy_loss, value_loss=value_loss, entropy=entropy)
        if self.magnet is not None:
            with torch.no_grad():
                for slow_one, fast_one in zip(self.magnet.parameters(), self.actor.parameters(), strict=True):
                    slow_one.lerp_(fast_one, algorithm.magnet_rate)
        figures = {f"train/{name}": float(torch.stack(numbers).mean()) for name, numbers in seen.items()}
        spread = float(target.var(correction=0))
        figures["train/explained_variance"] = (
            1.0 - float(advantage.var(correction=0)) / spread if spread else 0.0
        )
        figures["train/learning_rate"] = self.optimizer.param_groups[0]["lr"]
        return figures

    # -------------------------------------------------------------------------------------------- checkpoints

    def network(self) -> dict[str, Any]:
        """Return the shape of the policy's network."""
        return network_shape(self.algorithm, "logits")

    def policy(self) -> Mapping[str, Tensor]:
        """Return the tensors of the policy."""
        return {name: tensor.cpu() for name, tensor in self.actor.state_dict().items()}

    def state(self) -> dict[str, Any]:
        """Return all else that decides how the learning goes on."""
        return {
            "critic": self.critic.state_dict(),
            "magnet": self.magnet.state_dict() if self.magnet is not None else {},
            "optimizer": self.optimizer.state_dict(),
            "sampling_generator": self.sampling.get_state(),
            "games_generator": generator_text(self.generator),
        }

    def restore(self, content: Mapping[str, Any]) -> None:
        """Go on from a checkpoint."""
        self.actor.load_state_dict(content["policy"])
        self.critic.load_state_dict(content["critic"])
        if self.magnet is not None:
            self.magnet.load_state_dict(content["magnet"])
        self.optimizer.load_state_dict(content["optimizer"])
        self.sampling.set_state(content["sampling_generator"])
        set_generator(self.generator, content["games_generator"])
        self.steps = content["steps"]

    def close(self) -> None:
        """Let the games go."""
        self.games.close()
