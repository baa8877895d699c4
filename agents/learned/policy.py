"""A trained policy as an agent: ``policy(checkpoint)``, or ``policy:<variant>``, the one that ships with the package.

The weights are read without running code from the file; the forward pass is compiled and sums in a fixed order,
row by row, so that a row's action depends neither on the batch around it nor on the machine.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
import torch
from numpy.typing import NDArray

from agents.endgame.core import NO_VALUE, Solver, make_solver
from agents.endgame.kernels import view_rows
from agents.endgame.strict import endings_problem
from agents.learned.network import forward, make_scratch, network_kind, read_network
from agents.protocol import Actions, Keys, Masks, Probabilities, Views, certain
from agents.registry import AgentError, register
from bezique_env.encoding import layout_hash
from bezique_env.engine.cache import kernel
from bezique_env.engine.engines import engine_of
from bezique_env.engine.rng import next_u64
from bezique_env.engine.version import ENGINE_VERSION
from bezique_env.rules import Rules, get_rules, variants
from bezique_env.rules.registry import nearest

CHECKPOINT_FORMAT = "bezique-checkpoint/1"
SHIPPED = Path(__file__).parent / "shipped"
"""The checkpoints that come with the package: ``<variant>.pt``."""


@kernel
def _choose(views, network, scratch, masks, keys, sample, chosen):  # type: ignore[no-untyped-def]
    """Choose an action for every view."""
    for k in range(views.shape[0]):
        forward(views[k], network, scratch)
        best = -1
        key = keys[k]
        score = np.float64(0.0)
        for a in range(masks.shape[1]):
            if masks[k, a]:
                value = np.float64(scratch.below[a])
                if sample:  # the largest of logit + Gumbel noise is a draw from the softmax
                    key, number = next_u64(key)
                    uniform = (np.float64(number >> np.uint64(11)) + 0.5) * 2.0**-53
                    value -= np.log(-np.log(uniform))
                if best < 0 or value > score:
                    best = a
                    score = value
        chosen[k] = best


@kernel
def _softmax(views, network, scratch, masks, table):  # type: ignore[no-untyped-def]
    """Write how likely a draw takes each legal action of every view."""
    for k in range(views.shape[0]):
        forward(views[k], network, scratch)
        most = -np.inf
        for a in range(masks.shape[1]):
            table[k, a] = 0.0
            if masks[k, a]:
                most = max(most, np.float64(scratch.below[a]))
        total = 0.0
        for a in range(masks.shape[1]):
            if masks[k, a]:
                table[k, a] = np.exp(np.float64(scratch.below[a]) - most)
                total += table[k, a]
        if total > 0.0:
            for a in range(masks.shape[1]):
                table[k, a] /= total


@kernel
def _numbers(views, network, scratch, table):  # type: ignore[no-untyped-def]
    """Write the network's number for every action of every view."""
    for k in range(views.shape[0]):
        forward(views[k], network, scratch)
        for a in range(table.shape[1]):
            table[k, a] = scratch.below[a]


def agents_met(content: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the agents that a checkpoint's policy met in training, itself left out.

    ``trained_against`` says it; where that is missing, the opponents and the teacher of ``training``.

    Args:
        content: a checkpoint as read.
    """
    if "trained_against" in content:
        return tuple(str(name) for name in content["trained_against"])
    config = json.loads(content.get("training", "{}"))
    teacher = config.get("algorithm", {}).get("imitate")
    met = [name for name, weight in config.get("opponents", {}).items() if weight > 0]
    return tuple(dict.fromkeys([*met, *([teacher] if teacher else [])]))


class PolicyAgent:
    """Plays by the network of a checkpoint, the variant it was trained for and no other.

    With ``endgame="exact"`` it has to be told the rules (:meth:`with_rules`).

    Args:
        name: what the agent is called.
        content: a checkpoint as read.
        action: ``argmax`` takes the likeliest legal action, ``sample`` draws one by the row's key.
        endgame: ``own``: the network plays to the end; ``exact``: the exact solver plays wherever the view leaves
            nothing open and the solver knows the value, whatever ``action`` says; ``trained``: as in its training.

    Attributes:
        name: what the agent is called.
        variant: the game that it plays.
        rules: preset and overrides that it was trained under.
        rules_hash: hash of those.
        steps: decisions that it was trained for.
        trained_against: the agents that it met in training, itself left out.

    Raises:
        AgentError: the network does not fit the variant, or ``action`` or ``endgame`` the network or the variant.
    """

    def __init__(self, name: str, content: dict[str, Any], action: str, endgame: str = "trained") -> None:
        self.name = name
        self.variant: str = content["variant"]
        self.rules: dict[str, Any] = content["rules"]
        self.rules_hash: str = content["rules_hash"]
        self.steps: int = content["steps"]
        self.trained_against = agents_met(content)
        kind = network_kind(name, content.get("network"))
        if action == "sample" and kind["output"] == "values":
            raise AgentError(
                f"agent {name!r}: action=sample is not allowed: the numbers of its network are what actions are "
                "worth, not logits to draw by; action=argmax takes the best"
            )
        rules = get_rules(self.variant)
        if endgame == "trained":
            endgame = str(content.get("endgame", "own"))
        self._view = engine_of(self.variant).view_dtype(rules.shape)
        self._network = read_network(name, self.variant, kind, content.get("policy", {}))
        self._sample = action == "sample"
        self._exact = endgame == "exact"
        self._check_endings(rules)
        self._rules: Rules | None = None
        self._solver: Solver | None = None

    def with_rules(self, rules: Rules) -> Self:
        """Return the agent that plays under these rules.

        Raises:
            AgentError: it was trained for another variant, or it is to play endings exactly that are not solved
                under these rules.
        """
        if rules.variant != self.variant:
            raise AgentError(f"agent {self.name!r} was trained for {self.variant}, not for {rules.variant}")
        if not self._exact:
            return self
        self._check_endings(rules)
        bound = copy.copy(self)
        bound._rules, bound._solver = rules, make_solver()
        return bound

    def _check_endings(self, rules: Rules) -> None:
        """Refuse to play endings exactly where they are not solved."""
        problem = endings_problem(rules) if self._exact else None
        if problem:
            raise AgentError(f"agent {self.name!r}: endgame=exact is not allowed {problem}; leave it out")

    def _check(self, views: Views) -> Views:
        if views.dtype != self._view:
            raise AgentError(
                f"agent {self.name!r} was trained for {self.variant}; these are views of another game"
            )
        return np.ascontiguousarray(views)

    def _endings(self, views: Views, masks: Masks) -> tuple[NDArray[np.int64], Actions]:
        """Return the rows that the solver plays, and its moves there: of equal ones the lowest."""
        if not self._exact:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        if self._rules is None or self._solver is None:
            raise AgentError(
                f"agent {self.name!r} has not been told the rules, which endgame=exact needs: "
                "bezique_env.envs.opponents.with_rules(agent, rules) returns the one that plays"
            )
        worth = np.empty(masks.shape, np.int64)
        best = np.empty(len(masks), np.int64)
        view_rows(views, self._rules.vector, self._solver, worth, best)
        rows = np.flatnonzero((best != NO_VALUE) & masks.any(axis=1))
        return rows, np.where(masks[rows] != 0, worth[rows], NO_VALUE).argmax(axis=1)

    def act(self, views: Views, masks: Masks, keys: Keys) -> Actions:
        """Return one legal action for every row (-1 where there is none).

        Args:
            views: records of the variant, [k].
            masks: int8 [k, actions].
            keys: uint64 [k].

        Raises:
            AgentError: the views are of another variant, or nobody told the rules that ``endgame=exact`` needs.
        """
        views, masks = self._check(views), np.ascontiguousarray(masks, np.int8)
        chosen: NDArray[np.int64] = np.empty(len(views), np.int64)
        keys = np.ascontiguousarray(keys, np.uint64)
        _choose(views, self._network, make_scratch(self._network), masks, keys, self._sample, chosen)
        rows, moves = self._endings(views, masks)
        chosen[rows] = moves
        return chosen

    def probabilities(self, views: Views, masks: Masks) -> Probabilities:
        """Return the softmax over the legal actions under ``action=sample``, else 1 for the likeliest action.

        Args:
            views: records of the variant, [k].
            masks: int8 [k, actions].

        Returns:
            float64 [k, actions]; 1 for the solver's move where the solver plays.

        Raises:
            AgentError: the views are of another variant, or nobody told the rules that ``endgame=exact`` needs.
        """
        views, masks = self._check(views), np.ascontiguousarray(masks, np.int8)
        if not self._sample:
            return certain(self.act(views, masks, np.zeros(len(masks), np.uint64)), masks)
        table = np.empty(masks.shape, np.float64)
        _softmax(views, self._network, make_scratch(self._network), masks, table)
        rows, moves = self._endings(views, masks)
        table[rows] = certain(moves, masks[rows])
        return table

    def numbers(self, views: Views) -> NDArray[np.float32]:
        """Return what the network says of every action, legal or not: logits, or values.

        Args:
            views: records of the variant, [k].

        Returns:
            float32 [k, actions].

        Raises:
            AgentError: the views are of another variant.
        """
        table = np.empty((len(views), int(self._network.sizes[-1])), np.float32)
        _numbers(self._check(views), self._network, make_scratch(self._network), table)
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


def _read(file: Path) -> dict[str, Any]:
    """Return what a checkpoint holds.

    Raises:
        AgentError: no checkpoint, or one of another engine version or observation layout.
    """
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
    return content


def _given(action: str, endgame: str) -> list[str]:
    """Return the parameters that differ from their defaults, as a text says them."""
    parts = (("action", action, "argmax"), ("endgame", endgame, "trained"))
    return [f"{key}={value}" for key, value, usual in parts if value != usual]


def make_policy(
    path: str,
    action: Literal["argmax", "sample"] = "argmax",
    endgame: Literal["trained", "own", "exact"] = "trained",
) -> PolicyAgent:
    """Load the policy of a checkpoint.

    Args:
        path: a checkpoint file, or a run directory (its latest checkpoint).
        action: take the likeliest action, or draw one.
        endgame: who plays once nothing is hidden: the network, the exact solver, or who did in training.

    Raises:
        AgentError: no such file, no checkpoint, one of another engine version or observation layout, one whose
            tensors do not fit what it says of its network, or a parameter that it cannot be played with.
    """
    content = _read(find_checkpoint(path))
    return PolicyAgent(f"policy({', '.join([path, *_given(action, endgame)])})", content, action, endgame)


def shipped_policies() -> dict[str, Path]:
    """Return the checkpoints that come with the package: variant -> file."""
    return {file.stem: file for file in sorted(SHIPPED.glob("*.pt"))}


def make_shipped_policy(
    variant: str,
    action: Literal["argmax", "sample"] = "argmax",
    endgame: Literal["trained", "own", "exact"] = "trained",
) -> PolicyAgent:
    """Load the policy of a variant that comes with the package, ``policy:<variant>``.

    Args:
        variant: id of the variant.
        action: take the likeliest action, or draw one.
        endgame: who plays once nothing is hidden: the network, the exact solver, or who did in training.

    Raises:
        AgentError: none comes with the package for that variant, or as of :func:`make_policy`.
    """
    shipped = shipped_policies()
    if variant not in variants():
        raise AgentError(
            f"agent 'policy:{variant}': unknown variant {variant!r}: known are {', '.join(variants())}"
            f"{nearest(variant, variants())}"
        )
    if variant not in shipped:
        raise AgentError(
            f"agent 'policy:{variant}': no policy of {variant} comes with the package, only of: "
            f"{', '.join(shipped) or 'none yet'}; `bezique run smoke/{variant}_ppo` (or a longer config, see "
            "docs/experiments.md) trains one, which policy(RUN_DIR) plays"
        )
    content = _read(shipped[variant])
    if content["variant"] != variant:
        raise AgentError(f"policy: {shipped[variant]} was trained for {content['variant']}, not {variant}")
    given = _given(action, endgame)
    name = f"policy:{variant}({', '.join(given)})" if given else f"policy:{variant}"
    return PolicyAgent(name, content, action, endgame)


register("policy", make_policy, of_variant=make_shipped_policy)
