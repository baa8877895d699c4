"""Gymnasium's and Stable-Baselines3's checkers on the environment with one learner: every variant, flat and dict."""

from __future__ import annotations

import functools
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env as gymnasium_check_env
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv

import bezique_env  # noqa: F401  (registers the ids)
from tests.envs.cases import ENV_IDS, PRESETS, every_variant
from tests.envs.simple_agents import ByKey, FirstLegal


def make(variant="two_pack", **arguments):
    arguments.setdefault("opponent", ByKey())
    return gymnasium.make(ENV_IDS[variant], **arguments)


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@every_variant
@pytest.mark.parametrize(
    "arguments",
    [{}, {"observation": "dict"}, {"episode": "match", "reward": "dense"}, {"seat": "random"}, {"seat": 1}],
)
def test_gymnasium_check_env(variant, arguments):
    # The checker compares the env with ones it makes from the spec; an agent cannot stand in a spec's JSON.
    gymnasium_check_env(make(variant, **arguments).unwrapped)


@every_variant
def test_gymnasium_check_env_with_rendering(variant):
    env = make(variant, opponent=FirstLegal(), render_mode="ansi", rules=PRESETS[variant][-1])
    gymnasium_check_env(env.unwrapped, skip_render_check=False)


@every_variant
@pytest.mark.parametrize("opponent", ["random", "greedy"])
def test_gymnasium_check_env_by_name_and_from_its_spec(variant, opponent):
    pytest.importorskip("agents.registry")
    env_id = ENV_IDS[variant]
    # With a name the spec is whole, so the checker also makes the environment anew in every render mode.
    gymnasium_check_env(gymnasium.make(env_id, opponent=opponent).unwrapped)
    again = gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(gymnasium.spec(env_id).to_json()))
    _, info = again.reset(seed=1)
    over = False
    while not over:
        _, _, over, _, info = again.step(again.action_space.sample(info["action_mask"]))


@every_variant
@pytest.mark.parametrize("observation", ["flat", "dict"])
def test_sb3_check_env(variant, observation):
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    checker.check_env(make(variant, observation=observation))
    checker.check_env(make(variant, observation=observation, episode="match", reward="dense", seat="random"))


@every_variant
def test_gymnasium_make_vec_of_single_environments(variant):
    """Gymnasium's own vector of our single environment: the fallback where the native one does not fit."""
    pytest.importorskip("agents.registry")
    venv = gymnasium.make_vec(ENV_IDS[variant], num_envs=2, vectorization_mode="sync", opponent="random")
    observations, infos = venv.reset(seed=0)
    assert observations.shape[0] == 2 and infos["seat"].tolist() == [0, 1]


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_gymnasium_sync_vector(mode):
    venv = SyncVectorEnv([functools.partial(make, reward="dense")] * 3, autoreset_mode=mode)
    _, infos = venv.reset(seed=3)
    assert infos["action_mask"].shape == (3, 96)
    rng = np.random.default_rng(0)
    ends = 0
    for _ in range(120):
        actions = (rng.random((3, 96)) * infos["action_mask"]).argmax(axis=1)
        _, rewards, over, _, infos = venv.step(actions)
        assert rewards.shape == over.shape == (3,)
        ends += over.sum()
        if mode is AutoresetMode.DISABLED and over.any():
            _, fresh = venv.reset(options={"reset_mask": over})
            infos["action_mask"][over] = fresh["action_mask"][over]
    assert ends >= 3


@pytest.mark.slow
def test_gymnasium_async_vector():
    warnings.simplefilter("ignore")  # numba and fork: the processes are spawned
    pytest.importorskip("agents.registry")
    # With the module before the id, a process that has imported nothing finds it.
    env_id = f"bezique_env:{ENV_IDS['two_pack']}"
    make_one = functools.partial(gymnasium.make, env_id, opponent="random", reward="dense")
    venv = AsyncVectorEnv([make_one] * 2, context="spawn")
    try:
        one = SyncVectorEnv([make_one] * 2)
        (ours, infos), (theirs, _) = venv.reset(seed=3), one.reset(seed=3)
        np.testing.assert_array_equal(ours, theirs)
        for _ in range(40):
            actions = infos["action_mask"].argmax(axis=1)
            ours, rewards, _, _, infos = venv.step(actions)
            theirs, same, *_ = one.step(actions)
            np.testing.assert_array_equal(ours, theirs)
            np.testing.assert_array_equal(rewards, same)
    finally:
        venv.close()
