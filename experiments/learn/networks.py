"""Networks of the native learners; `agents.learned.policy` plays what they learned, without torch.

The names of their tensors are those of sb3-contrib's policies, so one agent reads the checkpoints of all.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from bezique_env.encoding import observation_size, other_columns, suit_columns
from bezique_env.engine.engines import engine_of
from experiments.config import DMCConfig, PPOConfig

ACTIVATIONS: dict[str, type[nn.Module]] = {"relu": nn.ReLU, "tanh": nn.Tanh}

NEVER = -1e9
"""Logit of an illegal action: its probability is exactly 0, and no infinity spoils a gradient."""


def linear(inputs: int, outputs: int, gain: float) -> nn.Linear:
    """Return a layer with orthogonal weights and no bias to begin with."""
    made = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(made.weight, gain)
    nn.init.zeros_(made.bias)
    return made


class Block(nn.Module):
    """Two layers that add to what goes in: ``activation(x + outer(activation(inner(x))))``."""

    def __init__(self, width: int, activation: type[nn.Module]) -> None:
        """Make the layers; the outer one begins small, so that a block begins as next to nothing."""
        super().__init__()
        self.inner = linear(width, width, 2**0.5)
        self.outer = linear(width, width, 0.1)
        self.activation = activation()

    def forward(self, x: Tensor) -> Tensor:
        """Return [k, width]."""
        result: Tensor = self.activation(x + self.outer(self.activation(self.inner(x))))
        return result


class CardEmbedding(nn.Module):
    """Stands a few numbers for the cards of each suit, by one matrix for all suits; the rest goes through.

    Args:
        variant: whose observations go in.
        size: numbers that stand for a suit.
    """

    def __init__(self, variant: str, size: int) -> None:
        """Make the matrix."""
        super().__init__()
        suits, others = suit_columns(variant), other_columns(variant)
        self.register_buffer("suits", torch.tensor(suits), persistent=False)
        self.register_buffer("others", torch.tensor(others), persistent=False)
        self.weight = nn.Parameter(torch.empty(size, suits.shape[1]))
        nn.init.orthogonal_(self.weight)
        self.outputs = len(suits) * size + len(others)

    def forward(self, x: Tensor) -> Tensor:
        """Return [k, 4 * size + others]."""
        suits, others = self.get_buffer("suits"), self.get_buffer("others")
        embedded = x[:, suits] @ self.weight.T
        return torch.cat([embedded.flatten(1), x[:, others]], 1)


def torso(algorithm: PPOConfig | DMCConfig, inputs: int) -> nn.Sequential:
    """Return the hidden layers of a config, from ``inputs`` numbers to ``net_arch[-1]``."""
    activation = ACTIVATIONS[algorithm.activation]
    sizes = algorithm.net_arch
    if algorithm.torso == "residual":
        first: list[nn.Module] = [linear(inputs, sizes[0], 2**0.5), activation()]
        for width in sizes[1:]:
            first += [Block(width, activation), nn.Identity()]  # layer i is number 2 i in either torso
        return nn.Sequential(*first)
    layers: list[nn.Module] = []
    for before, after in zip((inputs, *sizes), sizes, strict=False):
        layers += [linear(before, after, 2**0.5), activation()]
    return nn.Sequential(*layers)


class ActionNetwork(nn.Module):
    """From an observation to a number for every action: logits of a policy, or action values.

    Args:
        variant: whose observations and actions.
        algorithm: what the network is to be like.
        gain: of the last layer's weights to begin with.
    """

    def __init__(self, variant: str, algorithm: PPOConfig | DMCConfig, gain: float) -> None:
        """Make the layers."""
        super().__init__()
        size = observation_size(variant)
        parts: dict[str, nn.Module] = {}
        if algorithm.card_embedding:
            embedding = CardEmbedding(variant, algorithm.card_embedding)
            parts["policy_embedding"] = embedding
            size = embedding.outputs
        parts["policy_net"] = torso(algorithm, size)
        self.mlp_extractor = nn.ModuleDict(parts)
        last = algorithm.net_arch[-1] if algorithm.net_arch else size
        self.action_net = linear(last, engine_of(variant).actions.size, gain)

    def forward(self, observation: Tensor) -> Tensor:
        """Return float32 [k, A] for observations float32 [k, F]."""
        for part in self.mlp_extractor.values():
            observation = part(observation)
        result: Tensor = self.action_net(observation)
        return result.float()


class Critic(nn.Module):
    """From what is seen to its value: of one seat, or of both while learning.

    Args:
        variant: whose observations.
        algorithm: ``critic`` says whether the other seat's observation comes behind one's own.
    """

    def __init__(self, variant: str, algorithm: PPOConfig | DMCConfig) -> None:
        """Make the layers."""
        super().__init__()
        size = observation_size(variant) * (2 if algorithm.critic == "open" else 1)
        self.body = torso(algorithm, size)
        self.value_net = linear(algorithm.net_arch[-1] if algorithm.net_arch else size, 1, 1.0)

    def forward(self, observation: Tensor, other: Tensor) -> Tensor:
        """Return float32 [k] for observations of both seats, float32 [k, F] (the other's may be [k, 0])."""
        result: Tensor = self.value_net(self.body(torch.cat([observation, other], 1))).squeeze(1)
        return result.float()


def network_shape(algorithm: PPOConfig | DMCConfig, output: str) -> dict[str, Any]:
    """Return what a checkpoint tells of an :class:`ActionNetwork`; ``output`` is ``logits`` or ``values``."""
    return {
        "torso": algorithm.torso,
        "net_arch": list(algorithm.net_arch),
        "activation": algorithm.activation,
        "card_embedding": algorithm.card_embedding,
        "output": output,
    }


def find_device(name: str) -> torch.device:
    """Return the device of a config; ``auto`` takes a GPU where there is one."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    return torch.device(name)
