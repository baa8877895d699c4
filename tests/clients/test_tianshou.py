"""Tianshou: its PettingZoo wrapper with masked random agents, and DQN on the environment with one learner."""

from __future__ import annotations

import pytest

pytest.importorskip("tianshou")
pytest.importorskip("agents.registry")

import gymnasium
import numpy as np
import torch
from gymnasium import spaces
from gymnasium.wrappers import TransformObservation
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Batch, Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.utils.net.common import Net
from tianshou.utils.torch_utils import policy_within_training_step

import bezique_env  # noqa: F401  (registers the ids)
from tests.envs.cases import ENV_IDS, MODULES, every_variant


@pytest.fixture(autouse=True)
def one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        yield
    torch.set_num_threads(threads)


@every_variant
def test_pettingzoo_wrapper(variant):
    """The wrapper's own loop: keys, masks, whose turn it is, and rewards that add up to the return."""
    env = PettingZooEnv(MODULES[variant].raw_env(reward="dense"))
    rng = np.random.default_rng(0)
    for seed in range(3):
        observation, _ = env.reset(seed=seed)
        game, over, sums = env.env.unwrapped.game, False, np.zeros(2)
        while not over:
            assert set(observation) == {"agent_id", "obs", "mask"}
            assert observation["agent_id"] == f"player_{game.seat_to_act}"
            legal = np.flatnonzero(observation["mask"])
            assert legal.tolist() == game.legal_actions()
            observation, rewards, over, truncated, _ = env.step(int(rng.choice(legal)))
            sums += rewards
            assert not truncated
        assert tuple(sums) == tuple(map(float, game.returns("dense")))


@every_variant
def test_collector_of_two_masked_random_agents(variant):
    def make():
        return PettingZooEnv(MODULES[variant].raw_env(reward="dense"))  # an illegal action would raise

    env = make()
    agents = [MARLRandomDiscreteMaskedOffPolicyAlgorithm(action_space=env.action_space) for _ in env.agents]
    venv = DummyVectorEnv([make for _ in range(2)])
    collector = Collector(
        MultiAgentOffPolicyAlgorithm(algorithms=agents, env=env), venv, VectorReplayBuffer(4000, 2)
    )
    collector.reset()
    collected = collector.collect(n_episode=4)
    assert collected.returns.shape == (4, 2)
    np.testing.assert_array_equal(collected.returns.sum(axis=1), 0)
    assert collected.lens.min() >= 4


def masked(env_id, **arguments):
    """Return the environment with one learner under the names that Tianshou's policies look for."""
    env = gymnasium.make(env_id, observation="dict", **arguments)
    parts = env.observation_space
    return TransformObservation(
        env,
        lambda seen: {"obs": seen["observation"], "mask": seen["action_mask"]},
        spaces.Dict({"obs": parts["observation"], "mask": parts["action_mask"]}),
    )


@pytest.mark.parametrize("variant", ["two_pack", "belote", "mini_bezique"])
def test_dqn_learns_a_few_steps_with_masks(variant):
    def make():
        return masked(ENV_IDS[variant], opponent="random", illegal="raise", reward="win")

    env, venv = make(), DummyVectorEnv([make for _ in range(2)])
    net = Net(
        state_shape=env.observation_space["obs"].shape, action_shape=env.action_space.n, hidden_sizes=[32]
    )
    policy = DiscreteQLearningPolicy(model=net, action_space=env.action_space, eps_training=0.3)
    algorithm = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), target_update_freq=20)
    before = [tensor.clone() for tensor in net.parameters()]
    # DQN explores within the mask as well; the environment raises on anything else.
    collector = Collector(algorithm, venv, VectorReplayBuffer(2000, 2), exploration_noise=True)
    collector.reset()
    for _ in range(2):
        collected = collector.collect(n_step=100)
        with policy_within_training_step(policy):
            algorithm.update(buffer=collector.buffer, sample_size=64)
    assert collected.n_collected_steps >= 100
    assert any(not torch.equal(a, b) for a, b in zip(before, net.parameters(), strict=True))
    seen, _ = env.reset(seed=0)
    over = False
    while not over:  # the greedy choice is legal too
        batch = Batch(obs=Batch(obs=seen["obs"][None], mask=seen["mask"][None]), info=Batch())
        seen, _, over, _, _ = env.step(int(policy(batch).act[0]))
