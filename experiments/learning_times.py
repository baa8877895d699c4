"""``bezique bench --learning``: how much of the time of a training is its network's own.

The native learner, the bare network and MaskablePPO take turns with networks of the same size. The bare network is
what no learner of these decisions can do without: a forward pass for each of them in the batches of play, then for
each epoch forward, backward and a step of Adam in the same minibatches, over arrays that are already there.
"""

from __future__ import annotations

import json as json_module
import statistics
import time
from typing import NamedTuple

import numpy as np
import torch
from rich.console import Console
from rich.table import Table

from bezique_env.encoding import observation_size
from bezique_env.engine.engines import engine_of
from experiments.config import ConfigError, ExperimentConfig, PPOConfig, load_config
from experiments.learn.learner import Learner, PastSelf
from experiments.learn.networks import ActionNetwork, Critic
from experiments.train import LEARNERS, torch_settings

SETTINGS = [
    "algorithm.critic=own",
    "algorithm.card_embedding=0",
    "algorithm.torso=mlp",
    "algorithm.device=cpu",
]
"""What the learners must have in common for their times to be compared."""


class Times(NamedTuple):
    """Microseconds of processor time a decision, the median over the rounds, and times those of the bare network."""

    what: str
    microseconds: float
    times_bare: float


class BareNetwork:
    """Passes of a PPO learner's networks over decisions that are already there.

    Args:
        config: of the native PPO learner that it is compared with.
    """

    def __init__(self, config: ExperimentConfig) -> None:
        """Make the networks and their optimizer."""
        assert isinstance(config.algorithm, PPOConfig)
        self.algorithm = config.algorithm
        self.inputs, self.actions = observation_size(config.variant), engine_of(config.variant).actions.size
        self.actor = ActionNetwork(config.variant, self.algorithm, 0.01)
        self.critic = Critic(config.variant, self.algorithm)
        self.optimizer = torch.optim.Adam([*self.actor.parameters(), *self.critic.parameters()], 1e-9)

    def seconds(self, decisions: int) -> float:
        """Return how long the passes for so many decisions take."""
        observation = (torch.rand(decisions, self.inputs) < 0.1).float()
        nothing = torch.zeros(decisions, 0)
        began = time.process_time()
        with torch.no_grad():
            for batch in torch.split(observation, self.algorithm.num_envs):
                self.actor(batch)
                self.critic(batch, nothing[: len(batch)])
        for _ in range(self.algorithm.n_epochs):
            for batch in torch.split(observation, self.algorithm.batch_size):
                loss = (
                    self.actor(batch).square().mean()
                    + self.critic(batch, nothing[: len(batch)]).square().mean()
                )
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
        return time.process_time() - began


def _seconds(learner: Learner) -> tuple[float, int]:
    """Return the processor time of one iteration and the decisions in it."""
    before, began = learner.steps, time.process_time()
    learner.iterate()
    return time.process_time() - began, learner.steps - before


def learning_times(
    variant: str = "two_pack", rounds: int = 5, overrides: tuple[str, ...] = ()
) -> list[Times]:
    """Return the times of the native PPO, of the bare network and of MaskablePPO, measured in turns.

    Args:
        variant: whose config ``VARIANT/ppo_selfplay`` is taken.
        rounds: iterations of each; the first of all is not counted.
        overrides: changes to the config.

    Raises:
        ConfigError: there is no such config, or an override is wrong.
    """
    config = load_config(f"{variant}/ppo_selfplay", [*SETTINGS, *overrides])
    ppo = config.algorithm
    if not isinstance(ppo, PPOConfig):
        raise ConfigError(f"{variant}/ppo_selfplay: its algorithm is {ppo.type}, not ppo")
    steps = 64
    sb3 = load_config(
        f"{variant}/maskable_ppo",
        [
            f"algorithm.num_envs={ppo.num_envs}",
            f"algorithm.n_steps={steps}",
            f"algorithm.batch_size={ppo.num_envs * steps // max(1, round(ppo.num_envs * steps / ppo.batch_size))}",
            f"algorithm.n_epochs={ppo.n_epochs}",
            f"algorithm.net_arch={list(ppo.net_arch)}",
            "opponents={random: 1, greedy: 0, expert: 0, past: 0}",
        ],
    )
    told: dict[str, list[float]] = {}
    with torch_settings(config.threads):
        native, other = (LEARNERS[c.algorithm.type](c, PastSelf(1)) for c in (config, sb3))
        bare = BareNetwork(config)
        for number in range(rounds + 1):
            for name, learner in (("native PPO, both seats", native), ("MaskablePPO, one seat", other)):
                seconds, decisions = _seconds(learner)
                if number:
                    told.setdefault(name, []).append(seconds / decisions)
                    told.setdefault(f"bare network beside {name}", []).append(
                        bare.seconds(decisions) / decisions
                    )
        native.close()
        other.close()
    result = []
    for name in [name for name in told if not name.startswith("bare")]:
        beside = told[f"bare network beside {name}"]
        ratio = statistics.median(np.divide(told[name], beside).tolist())
        result.append(Times(name, 1e6 * statistics.median(told[name]), ratio))
        result.append(Times(f"bare network beside {name}", 1e6 * statistics.median(beside), 1.0))
    return result


def learning_times_command(variant: str, *, json: bool = False) -> None:
    """Print the times as a table, or as JSON."""
    told = learning_times(variant)
    if json:
        print(json_module.dumps([row._asdict() for row in told]))
        return
    table = Table(title=f"Learning {variant}: processor time a decision, one thread", title_justify="left")
    for header in ("what", "µs a decision", "× bare network"):
        table.add_column(header, justify="left" if header == "what" else "right")
    for row in told:
        table.add_row(row.what, f"{row.microseconds:.1f}", f"{row.times_bare:.2f}")
    Console().print(table)
