"""PPO with action masks over the vector environment, in one file to read and to change.

``python -m experiments.ppo_vector --variant two_pack --num-envs 256 --total-steps 500000`` trains a policy and
leaves a checkpoint, which ``bezique tournament "policy(runs/ppo_vector)" random`` then measures. In the manner of
CleanRL: a rollout, advantages, a few passes over it, again. For experiments that resume and report themselves,
take ``bezique run``; this program is the shortest way through `GameVectorEnv`.
"""

from __future__ import annotations

import dataclasses
import inspect
import typing
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import gymnasium
import numpy as np
import torch
import typer
from torch import Tensor, nn

from bezique_env.encoding import layout_hash, observation_size
from bezique_env.engine.engines import engine_of
from bezique_env.engine.version import ENGINE_VERSION
from bezique_env.envs.registration import SINGLE_AGENT_IDS
from bezique_env.rules import get_rules
from experiments.checkpoint import CHECKPOINT_FORMAT, write_checkpoint

NEVER = -1e9
"""Logit of an illegal action. Its probability is exactly 0, and a row without legal actions (one that is over)
is uniform instead of not-a-number, which minus infinity would make it."""


@dataclass(frozen=True)
class Config:
    """What to train, and how; every field is an option of the command line."""

    variant: str = "two_pack"
    rules: str = ""  # a preset; empty: the first
    opponent: str = "random"  # who plays the other seat
    num_envs: int = 256  # games side by side
    num_steps: int = 32  # decisions of each in a rollout
    total_steps: int = 500_000  # steps of all rows together, rounded up to whole rollouts
    epochs: int = 3  # passes over a rollout
    minibatch: int = 2048  # decisions in a gradient step
    learning_rate: float = 1e-3  # of Adam; falls to zero
    gamma: float = 1.0  # a deal has an end: nothing is discounted
    gae_lambda: float = 0.95
    clip: float = 0.2  # of the policy ratio
    entropy: float = 0.01  # weight of the entropy bonus
    value: float = 0.5  # weight of the value loss
    max_grad_norm: float = 0.5
    reward_scale: float = 0.01  # points are hundreds; a value network wants ones
    width: int = 128  # of the two hidden layers
    seed: int = 0  # everything random comes from it
    threads: int = 1  # of torch; two busy ones are slower than one
    out: Path = Path("runs/ppo_vector")  # gets checkpoints/step_*.pt


class Network(nn.Module):
    """Policy and value of an observation; its tensors have the names that `policy(PATH)` reads.

    Args:
        inputs: numbers in an observation.
        actions: number of actions.
        width: of each of the two hidden layers.
    """

    def __init__(self, inputs: int, actions: int, width: int) -> None:
        """Make the layers, orthogonal as PPO likes them."""
        super().__init__()

        def layer(inputs: int, outputs: int, gain: float) -> nn.Linear:
            made = nn.Linear(inputs, outputs)
            nn.init.orthogonal_(made.weight, gain)
            nn.init.zeros_(made.bias)
            return made

        def body() -> nn.Sequential:
            first, second = layer(inputs, width, 2**0.5), layer(width, width, 2**0.5)
            return nn.Sequential(first, nn.ReLU(), second, nn.ReLU())

        self.mlp_extractor = nn.ModuleDict({"policy_net": body(), "value_net": body()})
        self.action_net = layer(width, actions, 0.01)
        self.value_net = layer(width, 1, 1.0)

    def forward(self, observation: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return log-probabilities [N, A] (of legal actions, the others about `NEVER`) and values [N]."""
        logits = self.action_net(self.mlp_extractor["policy_net"](observation))
        value = self.value_net(self.mlp_extractor["value_net"](observation)).squeeze(1)
        return torch.log_softmax(logits.masked_fill(~mask, NEVER), 1), value


def advantages(
    rewards: Tensor, values: Tensor, ended: Tensor, last: Tensor, gamma: float, lam: float
) -> Tensor:
    """Return generalised advantage estimates, float32 [T, N].

    Args:
        rewards: of step t, float32 [T, N].
        values: of the observation before step t, float32 [T, N].
        ended: step t ended its game, bool [T, N]: what follows belongs to another game.
        last: value of the observation after the last step, float32 [N].
        gamma: discount.
        lam: lambda of the estimate.
    """
    result, running, after = torch.zeros_like(rewards), torch.zeros_like(last), last
    for t in reversed(range(len(rewards))):
        goes_on = (~ended[t]).float()
        running = rewards[t] + gamma * goes_on * after - values[t] + gamma * lam * goes_on * running
        result[t], after = running, values[t]
    return result


def train(config: Config, tell: Callable[[str], None] = print) -> Path:
    """Train a policy and return its checkpoint.

    Args:
        config: what to do.
        tell: called with a line of figures after each rollout.

    Raises:
        ValueError: the variant, the rules or the opponent are not known.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(config.threads)
    try:
        return _train(config, tell)
    finally:
        torch.set_num_threads(before)


def _train(config: Config, tell: Callable[[str], None]) -> Path:
    rules = get_rules(config.variant, config.rules or None)
    env_id = next(name for name, variant in SINGLE_AGENT_IDS.items() if variant == config.variant)
    n, steps = config.num_envs, config.num_steps
    size, actions = observation_size(config.variant), engine_of(config.variant).actions.size
    env = gymnasium.make_vec(
        env_id, n, rules=rules, opponent=config.opponent, reward="dense", illegal="raise"
    )

    generator = torch.Generator().manual_seed(config.seed)  # samples actions and shuffles rollouts
    with torch.random.fork_rng(devices=[]):  # layers begin from torch's own generator: seeded, then put back
        torch.manual_seed(config.seed)
        network = Network(size, actions, config.width)
    optimizer = torch.optim.Adam(network.parameters(), config.learning_rate, eps=1e-5)

    observations, masks = torch.zeros(steps, n, size), torch.zeros(steps, n, actions, dtype=torch.bool)
    chosen, likely = torch.zeros(steps, n, dtype=torch.int64), torch.zeros(steps, n)
    rewards, values = torch.zeros(steps, n), torch.zeros(steps, n)
    resets, ended = (torch.zeros(steps, n, dtype=torch.bool) for _ in range(2))

    row, infos = env.reset(seed=config.seed)
    over, earned = np.zeros(n, np.bool_), np.zeros(n)
    rollouts = -(-config.total_steps // (n * steps))
    for rollout in range(rollouts):
        optimizer.param_groups[0]["lr"] = config.learning_rate * (1 - rollout / rollouts)
        returns: list[float] = []
        for t in range(steps):
            observations[t], masks[t] = torch.from_numpy(row), torch.from_numpy(infos["action_mask"]).bool()
            # Autoreset is NEXT_STEP: a row whose game ended in the last step ignores its action in this one and
            # deals anew. Its "transition" leads from the end of one game to the beginning of the next with reward
            # 0 and no choice made, so it is marked here, and left out of everything that is learned below.
            resets[t] = torch.from_numpy(over)
            with torch.no_grad():
                log_probs, values[t] = network(observations[t], masks[t])
            chosen[t] = torch.multinomial(log_probs.exp(), 1, generator=generator).squeeze(1)
            likely[t] = log_probs.gather(1, chosen[t, :, None]).squeeze(1)
            row, reward, over, _, infos = env.step(
                chosen[t].numpy()
            )  # games end by their rules: never truncated
            rewards[t], ended[t] = torch.from_numpy(reward * config.reward_scale), torch.from_numpy(over)
            earned += reward
            returns += earned[over].tolist()
            earned[over] = 0.0
        with torch.no_grad():
            _, last = network(torch.from_numpy(row), torch.from_numpy(infos["action_mask"]).bool())

        gain = advantages(rewards, values, ended, last, config.gamma, config.gae_lambda)
        targets = gain + values
        learned = (~resets).flatten().nonzero().squeeze(1)  # the decisions: every step but the resets
        flat = [x.flatten(0, 1) for x in (observations, masks, chosen, likely, gain, targets)]
        for _ in range(config.epochs):
            order = learned[torch.randperm(len(learned), generator=generator)]
            for picked in torch.split(order, config.minibatch):
                seen, mask, action, old, advantage, target = (x[picked] for x in flat)
                log_probs, value = network(seen, mask)
                ratio = (log_probs.gather(1, action[:, None]).squeeze(1) - old).exp()
                advantage = (advantage - advantage.mean()) / (advantage.std(correction=0) + 1e-8)
                clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
                policy_loss = -torch.min(advantage * ratio, advantage * clipped).mean()
                value_loss = 0.5 * (value - target).square().mean()
                entropy = -(log_probs.exp() * log_probs).sum(1).mean()
                loss = policy_loss + config.value * value_loss - config.entropy * entropy
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(network.parameters(), config.max_grad_norm)
                optimizer.step()
        mean = f"{np.mean(returns):+8.2f}" if returns else "       -"
        tell(
            f"step {(rollout + 1) * n * steps:>9,}  return against {config.opponent} {mean} ({len(returns)} games)"
            f"  entropy {entropy.item():.3f}  value loss {value_loss.item():.3f}"
        )
    env.close()

    path = config.out / "checkpoints" / f"step_{rollouts * n * steps:012d}.pt"
    content = {
        "format": CHECKPOINT_FORMAT,
        "engine_version": ENGINE_VERSION,
        "variant": rules.variant,
        "rules": rules.to_dict(),
        "rules_hash": rules.hash,
        "layout_hash": layout_hash(rules.variant),
        "episode": "deal",
        "network": {"net_arch": [config.width, config.width], "activation": "relu"},
        "policy": network.state_dict(),
        "steps": rollouts * n * steps,
    }
    write_checkpoint(path, content)
    return path


def main() -> None:
    """Train by the command line: every field of `Config` is an option."""

    def command(**given: typing.Any) -> None:
        path = train(Config(**given))
        typer.echo(
            f'{path}\nmeasure it: bezique tournament "policy({path})" random --variant {given["variant"]}'
        )

    hints = typing.get_type_hints(Config)
    options = [
        inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default)
        for field in dataclasses.fields(Config)
    ]
    command.__dict__["__signature__"] = inspect.Signature(options)
    command.__annotations__ = hints
    command.__doc__ = "Train a policy by PPO with action masks over the vector environment."
    typer.run(command)


if __name__ == "__main__":
    main()
