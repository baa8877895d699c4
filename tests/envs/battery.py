"""Our own conformance battery for turn-based environments with masks.

Upstream's checkers stop at shapes; these checks hold at every seat and every state of random games: masks,
spaces, purity of `observe`, one end for all, and that what is delivered adds up to the return.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv


def check_observation(env: AECEnv, agent: str, to_act: bool) -> dict[str, NDArray[Any]]:
    """Check one seat's observation at one state and return it."""
    space = env.observation_space(agent)
    first, second = env.observe(agent), env.observe(agent)
    assert set(first) == {"observation", "action_mask"}
    for key in first:
        assert isinstance(first[key], np.ndarray), key
        assert first[key] is not second[key], f"{key}: the same array was handed out twice"
        assert not np.shares_memory(first[key], second[key]), f"{key}: two observations share memory"
        assert first[key].flags.writeable and first[key].flags.c_contiguous
        np.testing.assert_array_equal(first[key], second[key], err_msg=f"observe is not pure: {key}")
        assert first[key].dtype == space[key].dtype, key
        assert first[key].shape == space[key].shape, key
    mask = first["action_mask"]
    assert mask.dtype == np.int8
    assert set(np.unique(mask)) <= {0, 1}
    assert bool(mask.any()) == to_act, f"{agent}: the mask must be zero if and only if the seat is not to act"
    assert np.isfinite(first["observation"]).all()
    assert space.contains(first), _outside(first, space)
    info_mask = env.infos[agent]["action_mask"]
    assert info_mask.dtype == np.int8
    np.testing.assert_array_equal(info_mask, mask, err_msg="the mask in infos differs")
    assert info_mask is not mask
    first["observation"][:] = 7.0  # what was handed out is the caller's
    first["action_mask"][:] = 1
    third = env.observe(agent)
    for key in third:
        np.testing.assert_array_equal(
            third[key], second[key], err_msg=f"{key}: a caller can write into the env"
        )
    return second


def _outside(observation: Mapping[str, NDArray[Any]], space: Any) -> str:
    row, box = observation["observation"], space["observation"]
    wrong = np.flatnonzero((row < box.low) | (row > box.high))
    return f"outside the space at {[(int(i), float(row[i]), float(box.low[i]), float(box.high[i])) for i in wrong]}"


def play_and_check(
    env: AECEnv, seed: int | None, rng: np.random.Generator, reward: str, every: int = 1
) -> int:
    """Play one random game through `last()` and `step()`, checking every `every`-th state; return its decisions.

    Args:
        env: a two-seat environment of this library, wrapped or raw.
        seed: of the reset.
        rng: chooses the actions.
        reward: the environment's reward mode, to compare what was delivered with the game's own return.
        every: distance between fully checked states (the first and the last are always checked).
    """
    env.reset(seed=seed)
    agents = list(env.agents)
    assert agents == ["player_0", "player_1"] == list(env.possible_agents)
    delivered = dict.fromkeys(agents, 0.0)
    raw = env.unwrapped
    decisions = 0
    assert all(env.rewards[a] == 0 for a in agents)
    while env.agents:
        agent = env.agent_selection
        over = raw.game.is_over
        assert env.terminations[agent] == over
        if decisions % every == 0 or over:
            for seat in env.agents:
                check_observation(env, seat, to_act=seat == agent and not over)
                assert isinstance(env.terminations[seat], bool)
                assert isinstance(env.truncations[seat], bool)
                assert env.terminations[seat] == over, "all seats end together"
                assert not env.truncations[seat]
            assert set(env.infos) == set(env.rewards) == set(env.terminations) == set(env.agents)
        observation, got, terminated, truncated, info = env.last()
        assert isinstance(got, float)
        delivered[agent] += got
        if terminated or truncated:
            assert not observation["action_mask"].any()
            env.step(None)
            continue
        assert agent == f"player_{raw.game.seat_to_act}"
        legal = np.flatnonzero(observation["action_mask"])
        np.testing.assert_array_equal(legal, raw.game.legal_actions())
        np.testing.assert_array_equal(info["action_mask"], observation["action_mask"])
        env.step(legal[rng.integers(len(legal))])
        decisions += 1
        if env.agents and not raw.game.is_over and reward != "dense":
            assert all(env.rewards[a] == 0 for a in agents)
        assert sum(env.rewards.values()) == 0
    expected = raw.game.returns(reward)
    assert tuple(delivered.values()) == tuple(float(x) for x in expected)
    assert expected[0] == -expected[1]
    return decisions


def fast_game(env: AECEnv, seed: int | None, rng: np.random.Generator) -> tuple[float, float]:
    """Play one random game as quickly as the interface allows; return what `last()` delivered."""
    env.reset(seed=seed)
    delivered = dict.fromkeys(env.agents, 0.0)
    while env.agents:
        agent = env.agent_selection
        _, got, terminated, _, info = env.last(observe=False)
        delivered[agent] += got
        if terminated:
            env.step(None)
        else:
            legal = np.flatnonzero(info["action_mask"])
            env.step(int(legal[int(rng.random() * len(legal))]))
    return delivered["player_0"], delivered["player_1"]
