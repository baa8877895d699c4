"""RLlib, where it is installed beside our pins (docs/clients.md says how): PPO with its masking module."""

from __future__ import annotations

import os

import pytest

pytest.importorskip("ray.rllib.algorithms.ppo", exc_type=ImportError)
pytest.importorskip("agents.registry")

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_AUTH_MODE", "disabled")

import gymnasium
import numpy as np
import ray
import torch
from gymnasium import spaces
from gymnasium.wrappers import TransformObservation
from pettingzoo.utils.wrappers import BaseWrapper
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

import bezique_env  # noqa: F401  (registers the ids)
from tests.envs.cases import ENV_IDS, MODULES, every_variant

SEATS = ("player_0", "player_1")
MODULE = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config={"fcnet_hiddens": [32]})


def space_of(part):
    """Return the space with the names and the type that RLlib's masking module wants."""
    mask = spaces.Box(0.0, 1.0, part["action_mask"].shape, np.float32)
    return spaces.Dict({"observations": part["observation"], "action_mask": mask})


def named(seen):
    """Return an observation under RLlib's names."""
    return {"observations": seen["observation"], "action_mask": seen["action_mask"].astype(np.float32)}


class Names(BaseWrapper):
    """The same for a PettingZoo environment."""

    def observation_space(self, agent):
        return space_of(super().observation_space(agent))

    def observe(self, agent):
        return named(super().observe(agent))


def turns(variant):
    return PettingZooEnv(Names(MODULES[variant].raw_env(reward="dense")))  # an illegal action would raise


@pytest.fixture(scope="module")
def cluster():
    threads = torch.get_num_threads()
    ray.init(
        num_cpus=1,
        include_dashboard=False,
        log_to_driver=False,
        object_store_memory=100 * 2**20,
        _node_ip_address="127.0.0.1",
    )
    yield
    ray.shutdown()
    torch.set_num_threads(threads)


def small(config):
    return (
        config.env_runners(num_env_runners=0)
        .learners(num_learners=0)
        .training(train_batch_size_per_learner=128, minibatch_size=64, num_epochs=1)
        .debugging(seed=0)
    )


@every_variant
def test_pettingzoo_wrapper(variant):
    """RLlib's own wrapper of PettingZoo: one seat at a time, and rewards that add up to the return."""
    env, rng = turns(variant), np.random.default_rng(0)
    for seed in range(3):
        seen, _ = env.reset(seed=seed)
        game, over, sums = env.env.unwrapped.game, False, dict.fromkeys(SEATS, 0.0)
        while not over:
            ((agent, own),) = seen.items()
            legal = np.flatnonzero(own["action_mask"])
            assert legal.tolist() == game.legal_actions()
            seen, rewards, terminated, truncated, _ = env.step({agent: int(rng.choice(legal))})
            over = terminated["__all__"]
            assert not any(truncated.values())
            for name, points in rewards.items():
                sums[name] += points
        assert tuple(sums.values()) == tuple(map(float, game.returns("dense")))


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["two_pack", "belote"])
def test_ppo_on_the_environment_with_one_learner(variant, cluster):
    def make(config):
        env = gymnasium.make(
            ENV_IDS[variant], observation="dict", opponent="random", illegal="raise", reward="win"
        )
        return TransformObservation(env, named, space_of(env.observation_space))

    register_env(f"single_{variant}", make)
    config = small(PPOConfig().environment(f"single_{variant}").rl_module(rl_module_spec=MODULE))
    algorithm = config.build_algo()
    for _ in range(2):
        found = algorithm.train()["env_runners"]
    assert found["num_env_steps_sampled_lifetime"] >= 256
    assert -2 <= found["episode_return_mean"] <= 2
    algorithm.stop()


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["two_pack", "belote"])
def test_ppo_of_two_seats(variant, cluster):
    register_env(f"turns_{variant}", lambda config: turns(variant))
    modules = MultiRLModuleSpec(rl_module_specs=dict.fromkeys(SEATS, MODULE))
    config = small(
        # RLlib's check of an environment chooses without masks, which the raw environment refuses.
        PPOConfig()
        .environment(f"turns_{variant}", disable_env_checking=True)
        .multi_agent(policies=set(SEATS), policy_mapping_fn=lambda agent, episode, **others: agent)
        .rl_module(rl_module_spec=modules)
    )
    algorithm = config.build_algo()
    for _ in range(2):
        found = algorithm.train()["env_runners"]
    means = found["agent_episode_returns_mean"]
    assert set(means) == set(SEATS) and means["player_0"] == pytest.approx(-means["player_1"])
    algorithm.stop()
