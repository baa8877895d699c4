"""A trained policy as an agent: ``policy(checkpoint)``.

The weights are read without running code from the file; the forward pass is compiled and sums in a fixed order,
row by row, so that a row's action depends neither on the batch around it nor on the machine.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray

from agents.protocol import Actions, Keys, Masks, Probabilities, Views, certain
from agents.registry import AgentError, register
from bezique_env.encoding import layout_hash, observation_size
from bezique_env.encoding.rows import encode
from bezique_env.engine.cache import kernel
from bezique_env.engine.engines import engine_of
from bezique_env.engine.rng import next_u64
from bezique_env.engine.version import ENGINE_VERSION
from bezique_env.rules import get_rules

CHECKPOINT_FORMAT = "bezique-checkpoint/1"


@kernel(inner=True)
def _logits(view, weights, biases, sizes, tanh, row, above, below):  # type: ignore[no-untyped-def]
    """Write the network's number for every action into ``below``.

    ``weights`` holds the layers one after another, each [inputs, outputs]; ``sizes`` the widths from the
    observation to the actions.
    """
    layers = sizes.shape[0] - 1
    encode(view, row)
    for i in range(sizes[0]):
        above[i] = row[i]
    at = 0
    bias_at = 0
    for layer in range(layers):
        inputs, outputs = sizes[layer], sizes[layer + 1]
        for j in range(outputs):
            below[j] = biases[bias_at + j]
        for i in range(inputs):
            x = above[i]
            if x != 0.0:
                line = weights[at + i * outputs : at + (i + 1) * outputs]
                for j in range(outputs):
                    below[j] += x * line[j]
        at += inputs * outputs
        bias_at += outputs
        if layer < layers - 1:
            for j in range(outputs):
                above[j] = np.tanh(below[j]) if tanh else max(below[j], np.float32(0.0))


@kernel
def _forward(views, weights, biases, sizes, tanh, masks, keys, sample, row, above, below, chosen):  # type: ignore[no-untyped-def]
    """Choose an action for every view."""
    for k in range(views.shape[0]):
        _logits(views[k], weights, biases, sizes, tanh, row, above, below)
        best = -1
        key = keys[k]
        score = np.float64(0.0)
        for a in range(masks.shape[1]):
            if masks[k, a]:
                value = np.float64(below[a])
                if sample:  # the largest of logit + Gumbel noise is a draw from the softmax
                    key, number = next_u64(key)
                    uniform = (np.float64(number >> np.uint64(11)) + 0.5) * 2.0**-53
                    value -= np.log(-np.log(uniform))
                if best < 0 or value > score:
                    best = a
                    score = value
        chosen[k] = best


@kernel
def _softmax(views, weights, biases, sizes, tanh, masks, row, above, below, table):  # type: ignore[no-untyped-def]
    """Write how likely a draw takes each legal action of every view."""
    for k in range(views.shape[0]):
        _logits(views[k], weights, biases, sizes, tanh, row, above, below)
        most = -np.inf
        for a in range(masks.shape[1]):
            table[k, a] = 0.0
            if masks[k, a]:
                most = max(most, np.float64(below[a]))
        total = 0.0
        for a in range(masks.shape[1]):
            if masks[k, a]:
                table[k, a] = np.exp(np.float64(below[a]) - most)
                total += table[k, a]
        if total > 0.0:
            for a in range(masks.shape[1]):
                table[k, a] /= total


class PolicyAgent:
    """Plays by the network of a checkpoint, the variant it was trained for and no other.

    Args:
        name: what the agent is called.
        content: a checkpoint as read.
        action: ``argmax`` takes the likeliest legal action, ``sample`` draws one by the row's key.
    """

    def __init__(self, name: str, content: dict[str, Any], action: str) -> None:
        self.name = name
        self.variant: str = content["variant"]
        self.rules: dict[str, Any] = content["rules"]
        self.rules_hash: str = content["rules_hash"]
        self.steps: int = content["steps"]
        tensors = content["policy"]
        depth = len(content["network"]["net_arch"])
        parts = [f"mlp_extractor.policy_net.{2 * i}" for i in range(depth)] + ["action_net"]
        matrices = [tensors[f"{part}.weight"].numpy().T for part in parts]
        self._sizes = np.array([matrices[0].shape[0]] + [m.shape[1] for m in matrices], np.int64)
        engine, size = engine_of(self.variant), observation_size(self.variant)
        if self._sizes[0] != size or self._sizes[-1] != engine.actions.size:
            raise AgentError(
                f"agent {name!r}: its network goes from {self._sizes[0]} numbers to {self._sizes[-1]} actions, "
                f"not from {size} to {engine.actions.size}"
            )
        self._view = engine.view_dtype(get_rules(self.variant).shape)
        self._weights = np.concatenate([np.ascontiguousarray(m, np.float32).ravel() for m in matrices])
        self._biases = np.concatenate([tensors[f"{part}.bias"].numpy().astype(np.float32) for part in parts])
        self._tanh = content["network"]["activation"] == "tanh"
        self._sample = action == "sample"

    def _network(self, views: Views) -> tuple[Any, ...]:
        """Return the views as the kernels take them, and the network.

        Raises:
            AgentError: the views are of another variant.
        """
        if views.dtype != self._view:
            raise AgentError(
                f"agent {self.name!r} was trained for {self.variant}; these are views of another game"
            )
        return np.ascontiguousarray(views), self._weights, self._biases, self._sizes, self._tanh

    def _rows(self) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
        """Return scratch: an observation, what goes into a layer, what comes out of it."""
        width = int(self._sizes.max())
        return (
            np.zeros(int(self._sizes[0]), np.float32),
            np.zeros(width, np.float32),
            np.zeros(width, np.float32),
        )

    def act(self, views: Views, masks: Masks, keys: Keys) -> Actions:
        """Return one legal action for every row (-1 where there is none).

        Raises:
            AgentError: the views are of another variant.
        """
        chosen: NDArray[np.int64] = np.empty(len(views), np.int64)
        _forward(
            *self._network(views),
            np.ascontiguousarray(masks, np.int8),
            np.ascontiguousarray(keys, np.uint64),
            self._sample,
            *self._rows(),
            chosen,
        )
        return chosen

    def probabilities(self, views: Views, masks: Masks) -> Probabilities:
        """Return the softmax over the legal actions under ``action=sample``, else 1 for the likeliest action.

        Raises:
            AgentError: the views are of another variant.
        """
        if not self._sample:
            return certain(self.act(views, masks, np.zeros(len(masks), np.uint64)), masks)
        table = np.empty(np.shape(masks), np.float64)
        _softmax(*self._network(views), np.ascontiguousarray(masks, np.int8), *self._rows(), table)
        return table


def find_checkpoint(path: str | Path) -> Path:
    """Return a checkpoint file: the path itself, or the latest of a run directory.

    Raises:
        AgentError: there is none.
    """
    where = Path(path)
    if where.is_dir():
        found = sorted(where.glob("checkpoints/step_*.pt")) or sorted(where.glob("step_*.pt"))
        if not found:
            raise AgentError(f"policy: the folder {where} holds no checkpoint (checkpoints/step_*.pt)")
        return found[-1]
    if not where.is_file():
        raise AgentError(f"policy: there is no file {where}")
    return where


def make_policy(path: str, action: Literal["argmax", "sample"] = "argmax") -> PolicyAgent:
    """Load the policy of a checkpoint.

    Args:
        path: a checkpoint file, or a run directory (its latest checkpoint).
        action: take the likeliest action, or draw one.

    Raises:
        AgentError: no such file, no checkpoint, or one of another engine version or observation layout.
    """
    file = find_checkpoint(path)
    try:
        content = torch.load(file, map_location="cpu", weights_only=True)
    except Exception as error:  # torch raises many kinds
        raise AgentError(f"policy: {file} is no checkpoint ({type(error).__name__})") from None
    if not isinstance(content, dict) or content.get("format") != CHECKPOINT_FORMAT:
        raise AgentError(f"policy: {file} is no checkpoint of the format {CHECKPOINT_FORMAT!r}")
    try:
        layout = layout_hash(str(content.get("variant")))
    except ValueError as error:
        raise AgentError(f"policy: {file}: {error}") from None
    for key, mine in (("layout_hash", layout), ("engine_version", ENGINE_VERSION)):
        if content.get(key) != mine:
            raise AgentError(
                f"policy: {file} was trained with {key} {content.get(key)!r}, here it is {mine!r}: "
                "the policy would read its observation wrongly; train it anew"
            )
    suffix = "" if action == "argmax" else f", action={action}"
    return PolicyAgent(f"policy({path}{suffix})", content, action)


register("policy", make_policy)
