"""Agents that tell their probabilities: they are those with which ``act`` chooses over random keys."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from agents.protocol import Agent, TellsProbabilities
from agents.registry import AgentError, make_agent, split_agents
from bezique_env import make_batch
from bezique_env.encoding import observation_size
from bezique_env.engine.engines import engine_of

VARIANTS = ["two_pack", "belote"]
KEYS = 20_000


def decisions(variant: str, count: int = 12) -> tuple[NDArray[Any], NDArray[np.int8]]:
    """Views and masks of some decisions of games under way, one row of nobody's turn among them."""
    batch = make_batch(variant, num_games=count, seed=4)
    player = make_agent("random")
    for _ in range(9):
        batch.step(player.act(batch.views(), batch.mask, batch.keys(0)))
    views, masks = batch.views(), batch.mask.copy()
    masks[0] = 0
    return views, masks


def frequencies(agent: Agent, views: NDArray[Any], masks: NDArray[np.int8], row: int) -> NDArray[np.float64]:
    """How often an agent takes each action of a row over many keys."""
    keys = np.random.default_rng(row).integers(0, 2**64, KEYS, np.uint64)
    one = np.repeat(views[row : row + 1], KEYS)
    chosen = agent.act(one, np.repeat(masks[row : row + 1], KEYS, axis=0), keys)
    return np.bincount(chosen, minlength=masks.shape[1]) / KEYS


def check(agent: Agent, variant: str) -> None:
    assert isinstance(agent, TellsProbabilities)
    views, masks = decisions(variant)
    before = views.tobytes(), masks.tobytes()
    table = agent.probabilities(views, masks)
    assert table.shape == masks.shape and table.dtype == np.float64
    assert (views.tobytes(), masks.tobytes()) == before
    assert not table[0].any()
    assert np.abs(table[1:].sum(axis=1) - 1).max() < 1e-12 and np.all(table[masks == 0] == 0)
    for row in range(1, len(views)):
        found = frequencies(agent, views, masks, row)
        slack = 5 * np.sqrt(table[row] * (1 - table[row]) / KEYS)  # 5 sigma; none where it is certain
        assert np.all(np.abs(found - table[row]) <= slack), row


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", ["random", "greedy"])
def test_the_scripted_agents_do_what_they_say(name: str, variant: str) -> None:
    check(make_agent(name), variant)


@pytest.mark.parametrize("action", ["argmax", "sample"])
def test_a_policy_does_what_it_says(action: str) -> None:
    torch = pytest.importorskip("torch")
    from agents.learned.policy import PolicyAgent

    variant, generator = "two_pack", torch.Generator().manual_seed(3)
    sizes = [observation_size(variant), 16, engine_of(variant).actions.size]
    weights = [0.5 * torch.randn(b, a, generator=generator) for a, b in itertools.pairwise(sizes)]
    names = ["mlp_extractor.policy_net.0", "action_net"]
    content = {
        "variant": variant,
        "rules": {},
        "rules_hash": "",
        "steps": 0,
        "network": {"net_arch": [16], "activation": "tanh"},
        "policy": {f"{name}.weight": weight for name, weight in zip(names, weights, strict=True)}
        | {f"{name}.bias": torch.zeros(size) for name, size in zip(names, sizes[1:], strict=True)},
    }
    agent = PolicyAgent("policy(test)", content, action)
    check(agent, variant)
    views, masks = decisions(variant)
    most = agent.probabilities(views, masks).max(axis=1)[1:]
    assert np.all(most == 1) if action == "argmax" else np.any(most < 0.9)


def test_lists_of_agents_are_split_outside_of_brackets() -> None:
    assert split_agents("random, greedy,policy(runs/a, action=sample)") == [
        "random",
        "greedy",
        "policy(runs/a, action=sample)",
    ]
    with pytest.raises(AgentError, match="an empty name"):
        split_agents("random,,greedy")
    with pytest.raises(AgentError, match="bracket"):
        split_agents("policy(a")
