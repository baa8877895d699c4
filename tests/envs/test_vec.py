"""The vector of learners' games: every variant, rewards, opponents, and saving it in the middle."""

from __future__ import annotations

import numpy as np
import pytest

from tests.envs.cases import every_variant
from tests.envs.simple_agents import ByKey
from tests.envs.test_batch import choose

pytest.importorskip("stable_baselines3")

from bezique_env.envs.sb3_vec import GameVecEnv
from bezique_env.envs.spaces import observation_box


@every_variant
@pytest.mark.parametrize("reward", ["dense", "settlement"])
def test_rewards_add_up_and_observations_are_the_learners(variant, reward):
    rng = np.random.default_rng(0)
    env = GameVecEnv(variant, num_envs=4, seed=2, opponents=ByKey(), reward=reward, reward_scale=0.5)
    assert env.observation_space == observation_box(variant)
    observation = env.reset()
    sums, ended, seats = np.zeros(4), 0, set()
    while ended < 8:
        assert all(map(env.observation_space.contains, observation))
        assert (env.batch.seat == env.learner).all()
        observation, rewards, dones, infos = env.step(choose(env.action_masks(), rng))
        sums += rewards
        for row in np.flatnonzero(dones):
            assert sums[row] == pytest.approx(infos[row]["episode"]["r"] * 0.5, abs=0.01)
            assert env.observation_space.contains(infos[row]["terminal_observation"])
            seats.add(infos[row]["seat"])
            sums[row] = 0
            ended += 1
    assert seats == {0, 1}


@every_variant
def test_a_saved_vector_goes_on(variant):
    first = GameVecEnv(variant, num_envs=3, seed=2, opponents=ByKey())
    second = GameVecEnv(variant, num_envs=3, seed=7, opponents=ByKey())
    first.reset()
    rng = np.random.default_rng(1)
    for _ in range(15):
        first.step(choose(first.action_masks(), rng))
    second.set_state(first.get_state())
    for _ in range(15):
        actions = choose(first.action_masks(), rng)
        for ours, theirs in zip(first.step(actions)[:3], second.step(actions)[:3], strict=True):
            np.testing.assert_array_equal(ours, theirs)


@every_variant
def test_named_opponents_play(variant):
    pytest.importorskip("agents.registry")
    rng = np.random.default_rng(3)
    env = GameVecEnv(variant, num_envs=8, seed=1, opponents={"random": 1, "greedy": 1})
    env.reset()
    told = []
    while len(told) < 8:
        _, _, dones, infos = env.step(choose(env.action_masks(), rng))
        told += [infos[row]["opponent"] for row in np.flatnonzero(dones)]
    assert set(told) == {"random", "greedy"}
