"""The network of a checkpoint: read, checked, and run row by row in compiled code.

``content["network"]`` of a checkpoint says what ``content["policy"]`` holds:

==================  ====================================================================================
key                 meaning
==================  ====================================================================================
``torso``           ``mlp`` (default): dense layers, or ``residual``: one, then blocks around which the input is kept
``net_arch``        widths of the hidden layers; of a residual torso the first layer's, then each block's, all equal
``activation``      ``relu`` or ``tanh``
``card_embedding``  numbers that stand for a suit, made by weights that all suits share; 0 (default): no embedding
``output``          ``logits`` (default), or ``values``: what actions are worth
==================  ====================================================================================

Tensors are those of ``torch.nn.Linear`` (weights [outputs, inputs]); an mlp has the names of Stable-Baselines3.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.registry import AgentError
from bezique_env.encoding import observation_size, other_columns, suit_columns
from bezique_env.encoding.rows import encode
from bezique_env.engine.cache import kernel
from bezique_env.engine.engines import engine_of
from bezique_env.rules.registry import nearest

PLAIN, KEEP, ADD = range(3)
"""What a layer does beside its sum: nothing; keep its input; add what was kept before the activation."""
_CHOICES = {"torso": ("mlp", "residual"), "activation": ("relu", "tanh"), "output": ("logits", "values")}
_DEFAULTS = {"torso": "mlp", "card_embedding": 0, "output": "logits"}
_HIDDEN, _OUT, _EMBEDDING = "mlp_extractor.policy_net", "action_net", "mlp_extractor.policy_embedding.weight"


class Network(NamedTuple):
    """The layers as the kernels take them.

    Attributes:
        weights: float32, the layers one after another, each [inputs, outputs].
        biases: float32, likewise.
        sizes: int64 [layers + 1], the widths from the observation to the actions.
        extras: int64 [layers], ``PLAIN``, ``KEEP`` or ``ADD``.
        tanh: the activation is tanh, else relu; the last layer has none.
    """

    weights: NDArray[np.float32]
    biases: NDArray[np.float32]
    sizes: NDArray[np.int64]
    extras: NDArray[np.int64]
    tanh: bool


class Scratch(NamedTuple):
    """Room for one row, float32.

    Attributes:
        row: an observation.
        above: what goes into a layer.
        below: what comes out of it; in the end a number for every action.
        kept: what went into a residual block.
    """

    row: NDArray[np.float32]
    above: NDArray[np.float32]
    below: NDArray[np.float32]
    kept: NDArray[np.float32]


def make_scratch(network: Network) -> Scratch:
    """Return room for a network's rows."""
    width = int(network.sizes.max())
    return Scratch(*(np.zeros(size, np.float32) for size in (int(network.sizes[0]), width, width, width)))


@kernel(inner=True)
def forward(view, network, scratch):  # type: ignore[no-untyped-def]
    """Write the network's number for every action into ``scratch.below``."""
    weights, biases, sizes = network.weights, network.biases, network.sizes
    above, below, kept = scratch.above, scratch.below, scratch.kept
    layers = sizes.shape[0] - 1
    encode(view, scratch.row)
    for i in range(sizes[0]):
        above[i] = scratch.row[i]
    at = 0
    bias_at = 0
    for layer in range(layers):
        inputs, outputs = sizes[layer], sizes[layer + 1]
        if network.extras[layer] == KEEP:
            for i in range(inputs):
                kept[i] = above[i]
        for j in range(outputs):
            below[j] = biases[bias_at + j]
        for i in range(inputs):
            x = above[i]
            if x != 0.0:
                line = weights[at + i * outputs : at + (i + 1) * outputs]
                for j in range(outputs):
                    below[j] += x * line[j]
        if network.extras[layer] == ADD:
            for j in range(outputs):
                below[j] += kept[j]
        at += inputs * outputs
        bias_at += outputs
        if layer < layers - 1:
            for j in range(outputs):
                above[j] = np.tanh(below[j]) if network.tanh else max(below[j], np.float32(0.0))


# ------------------------------------------------------------------------------------------- reading


def network_kind(name: str, stored: Any) -> dict[str, Any]:
    """Return what a checkpoint says of its network, with the defaults of keys that it lacks.

    Args:
        name: of the agent, for the message.
        stored: ``content["network"]``.

    Raises:
        AgentError: a value is not allowed; the message names it and what is.
    """
    if not isinstance(stored, Mapping):
        raise AgentError(f"agent {name!r}: `network` must hold keys and values, not {stored!r}")
    kind = {**_DEFAULTS, **stored}
    for key, allowed in _CHOICES.items():
        if kind.get(key) not in allowed:
            raise AgentError(
                f"agent {name!r}: its network has {key} {kind.get(key)!r}: one of {', '.join(allowed)} is allowed"
                f"{nearest(kind.get(key), allowed)}"
            )
    widths, embedding = kind.get("net_arch"), kind["card_embedding"]
    if not (isinstance(widths, (list, tuple)) and all(type(w) is int and w > 0 for w in widths)):
        raise AgentError(f"agent {name!r}: its network has net_arch {widths!r}: a list of widths is allowed")
    if kind["torso"] == "residual" and len(set(widths)) != 1:
        raise AgentError(
            f"agent {name!r}: its network has net_arch {list(widths)}: "
            "a residual torso has at least one width, and all of them equal"
        )
    if type(embedding) is not int or embedding < 0:
        raise AgentError(
            f"agent {name!r}: its network has card_embedding {embedding!r}: an integer, 0 or more, is allowed"
        )
    return kind


def read_network(name: str, variant: str, kind: Mapping[str, Any], tensors: Mapping[str, Any]) -> Network:
    """Return the network of a checkpoint.

    An embedding is linear: it is multiplied into the first layer, in float64.

    Args:
        name: of the agent, for the message.
        variant: whose observation goes in and whose actions come out.
        kind: of :func:`network_kind`.
        tensors: ``content["policy"]``.

    Raises:
        AgentError: a tensor is missing, has another shape than the variant and the widths ask for, holds numbers
            that are not finite, or belongs to no layer; the message names it.
    """
    left = {key for key in tensors if key.startswith(("mlp_extractor.policy_", f"{_OUT}."))}

    def take(key: str, *shape: int) -> NDArray[np.float32]:
        if key not in tensors:
            there = ", ".join(sorted(left)) or "none"
            raise AgentError(
                f"agent {name!r}: its checkpoint lacks the tensor {key!r} {list(shape)}; left are {there}"
            )
        left.discard(key)
        found = tuple(getattr(tensors[key], "shape", ()))
        if found != shape:
            raise AgentError(
                f"agent {name!r}: its tensor {key!r} has the shape {list(found)}, not {list(shape)}"
            )
        array: NDArray[np.float32] = tensors[key].detach().float().numpy()
        if not np.isfinite(array).all():
            raise AgentError(f"agent {name!r}: its tensor {key!r} holds numbers that are not finite")
        return array

    size, widths = observation_size(variant), list(kind["net_arch"])
    embedding, columns, others = kind["card_embedding"], suit_columns(variant), other_columns(variant)
    parts = [(f"{_HIDDEN}.0", PLAIN)] if widths else []
    for i in range(1, len(widths)):
        if kind["torso"] == "residual":
            parts += [(f"{_HIDDEN}.{2 * i}.inner", KEEP), (f"{_HIDDEN}.{2 * i}.outer", ADD)]
        else:
            parts.append((f"{_HIDDEN}.{2 * i}", PLAIN))
    parts.append((_OUT, PLAIN))
    sizes = [len(columns) * embedding + len(others) if embedding else size]
    sizes += [widths[0]] * (len(parts) - 1) if kind["torso"] == "residual" else widths
    sizes.append(engine_of(variant).actions.size)
    weights, biases = [], []
    for k, (part, _) in enumerate(parts):
        weights.append(take(f"{part}.weight", sizes[k + 1], sizes[k]).T)
        biases.append(take(f"{part}.bias", sizes[k + 1]))
    if embedding:
        of_suit = take(_EMBEDDING, embedding, columns.shape[1]).T.astype(np.float64)
        first = np.zeros((size, sizes[1]))
        for suit, places in enumerate(columns):
            for k in range(embedding):  # matrix products sum in an order that differs between machines
                first[places] += np.multiply.outer(of_suit[:, k], weights[0][suit * embedding + k])
        first[others] = weights[0][len(columns) * embedding :]
        weights[0], sizes[0] = first.astype(np.float32), size
    if left:
        raise AgentError(
            f"agent {name!r}: its checkpoint holds the tensor {min(left)!r}, which belongs to no layer of a "
            f"{kind['torso']} of {widths} with card_embedding {embedding}"
        )
    return Network(
        np.concatenate([np.ascontiguousarray(matrix).ravel() for matrix in weights]),
        np.concatenate(biases),
        np.array(sizes, np.int64),
        np.array([extra for _, extra in parts], np.int64),
        kind["activation"] == "tanh",
    )
