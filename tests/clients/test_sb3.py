"""MaskablePPO of sb3-contrib on single environments in a DummyVecEnv and on the native vector: masks, evaluation."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest

pytest.importorskip("sb3_contrib")
pytest.importorskip("agents.registry")

import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from sb3_contrib.common.wrappers import ActionMasker
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import DummyVecEnv, VecCheckNan, VecMonitor

from bezique_env.envs.sb3_vec import GameVecEnv
from tests.envs.cases import ENV_IDS

VARIANTS = ("two_pack", "belote", "mini_bezique")
every_client_variant = pytest.mark.parametrize("variant", VARIANTS)


@pytest.fixture(autouse=True)
def one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    with torch.random.fork_rng(devices=[]):
        yield
    torch.set_num_threads(threads)


pytestmark = pytest.mark.filterwarnings("ignore:.*render_mode='rgb_array'")


class Watch(BaseCallback):
    """Counts what the games say about illegal actions, and looks at every action against the mask it had."""

    def __init__(self):
        super().__init__()
        self.flagged = self.outside = self.steps = self.ends = 0

    def _on_step(self):
        masks, actions = self.locals["action_masks"], self.locals["actions"]
        self.outside += int((~masks[np.arange(len(actions)), actions]).sum())
        self.flagged += sum(bool(info.get("illegal_action")) for info in self.locals["infos"])
        self.ends += int(self.locals["dones"].sum())
        self.steps += len(actions)
        return True


def ppo(env, **arguments):
    settings = {"n_steps": 64, "batch_size": 64, "n_epochs": 2, "seed": 0, "device": "cpu"} | arguments
    return MaskablePPO("MlpPolicy", env, policy_kwargs={"net_arch": [32]}, **settings)


def learns(model, steps):
    """Learn; return what was watched, after a look at whether the network has moved."""
    before = [tensor.clone() for tensor in model.policy.state_dict().values()]
    watch = Watch()
    model.learn(steps, callback=watch)
    after = model.policy.state_dict().values()
    assert any(not torch.equal(a, b) for a, b in zip(before, after, strict=True))
    assert all(torch.isfinite(tensor).all() for tensor in after)
    assert watch.steps >= steps and watch.ends > 0
    assert (watch.flagged, watch.outside) == (0, 0)
    return watch


def predicts_legally(model, env, decisions=150):
    """Play by `predict` with masks; without one it would leave the legal actions soon."""
    observation = env.reset()
    for step in range(decisions):
        masks = get_action_masks(env)
        actions, _ = model.predict(observation, action_masks=masks, deterministic=bool(step % 2))
        assert masks[np.arange(env.num_envs), actions].all()
        observation, _, _, infos = env.step(actions)
        assert not any(info.get("illegal_action") for info in infos)


@every_client_variant
@pytest.mark.parametrize("observation", ["flat", "dict"])
def test_maskable_ppo_on_single_environments(variant, observation):
    env = make_vec_env(
        ENV_IDS[variant],
        n_envs=2,
        seed=3,
        env_kwargs={"opponent": "random", "reward": "win", "observation": observation},
    )
    assert isinstance(env, DummyVecEnv) and is_masking_supported(env)
    assert env.render_mode is None  # it asks for pictures first, and goes without
    policy = "MlpPolicy" if observation == "flat" else "MultiInputPolicy"
    model = MaskablePPO(policy, env, n_steps=64, batch_size=64, n_epochs=1, seed=0, device="cpu")
    learns(model, 256)
    predicts_legally(model, env)


@every_client_variant
def test_maskable_ppo_raises_on_nothing_where_illegal_actions_raise(variant):
    """The environment that refuses illegal actions is learned in, so the masks hold for every sampled action."""
    env = gymnasium.make(ENV_IDS[variant], opponent="random", illegal="raise")
    model = ppo(env, n_epochs=1)
    model.learn(200)
    observation, info = env.reset(seed=0)
    action, _ = model.predict(observation, action_masks=info["action_mask"], deterministic=True)
    env.step(int(action))


def test_the_mask_may_come_from_the_info_by_sb3s_wrapper():
    """`ActionMasker` is for environments without `action_masks`; with it the answer is the same."""
    env = gymnasium.make(ENV_IDS["belote"], opponent="random", illegal="raise")
    wrapped = ActionMasker(env, lambda inner: inner.unwrapped.action_masks())
    learns(ppo(wrapped), 128)


@every_client_variant
def test_maskable_ppo_on_the_native_vector(variant):
    env = GameVecEnv(variant, num_envs=8, seed=1, opponents={"random": 1, "greedy": 1}, reward_scale=0.01)
    assert is_masking_supported(env)
    model = ppo(env, n_steps=32)
    learns(model, 1024)  # a sampled action outside of the mask would also raise there
    predicts_legally(model, env)


@every_client_variant
def test_evaluate_policy(variant):
    env = GameVecEnv(variant, num_envs=4, seed=1, opponents="random", reward="win")
    model = ppo(env)
    rewards, lengths = evaluate_policy(
        model, VecMonitor(env), n_eval_episodes=12, return_episode_rewards=True, deterministic=False
    )
    assert len(rewards) == 12 and set(rewards) <= {-2.0, -1.0, 0.0, 1.0, 2.0}
    single = make_vec_env(
        ENV_IDS[variant], n_envs=1, seed=1, env_kwargs={"opponent": "random", "illegal": "raise"}
    )
    mean, deviation = evaluate_policy(model, single, n_eval_episodes=3)
    assert np.isfinite([mean, deviation]).all() and min(lengths) >= 1


def test_an_unmasked_choice_is_refused_by_the_native_vector():
    env = GameVecEnv("belote", num_envs=2, seed=0)
    env.reset()
    wrong = (~env.action_masks()).argmax(axis=1)
    with pytest.raises(ValueError, match="illegal; legal"):
        env.step(wrong)


def test_the_native_vector_stands_sb3s_wrappers():
    env = VecCheckNan(VecMonitor(GameVecEnv("two_pack", num_envs=4, seed=2)), raise_exception=True)
    observation = env.reset()
    ended = []
    rng = np.random.default_rng(0)
    while len(ended) < 4:
        masks = np.stack(env.env_method("action_masks"))
        observation, _, dones, infos = env.step((rng.random(masks.shape) * masks).argmax(axis=1))
        for row in np.flatnonzero(dones):
            ended.append(infos[row])
            assert env.observation_space.contains(infos[row]["terminal_observation"])
            assert infos[row]["TimeLimit.truncated"] is False
            assert not np.array_equal(infos[row]["terminal_observation"], observation[row])
    assert all(end["episode"]["l"] > 5 for end in ended)


@pytest.mark.parametrize("native", [False, True])
def test_a_saved_model_plays_on(native, tmp_path):
    if native:
        env = GameVecEnv("mini_bezique", num_envs=2, seed=1, opponents="random")
    else:
        env = make_vec_env(ENV_IDS["mini_bezique"], n_envs=2, seed=1, env_kwargs={"opponent": "random"})
    model = ppo(env)
    model.learn(128)
    model.save(tmp_path / "model.zip")
    again = MaskablePPO.load(tmp_path / "model.zip", env=env, device="cpu")
    observation = env.reset()
    masks = get_action_masks(env)
    ours, _ = model.predict(observation, action_masks=masks, deterministic=True)
    theirs, _ = again.predict(observation, action_masks=masks, deterministic=True)
    np.testing.assert_array_equal(ours, theirs)
    again.learn(128, reset_num_timesteps=False)
