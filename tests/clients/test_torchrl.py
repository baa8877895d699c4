"""TorchRL's wrappers: specs, rollouts with masks, and what the rewards of a rollout add up to."""

from __future__ import annotations

import warnings

import pytest

pytest.importorskip("torchrl")

import gymnasium
import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import (
    ActionMask,
    Compose,
    DTypeCastTransform,
    GymEnv,
    GymWrapper,
    PettingZooEnv,
    PettingZooWrapper,
    TransformedEnv,
    check_env_specs,
)
from torchrl.modules import MaskedCategorical, ProbabilisticActor

import bezique_env  # noqa: F401  (registers the ids)
from tests.envs.cases import ENV_IDS, MODULES, every_variant

SEATS = ("player_0", "player_1")
every_client_variant = pytest.mark.parametrize("variant", ("two_pack", "belote", "mini_bezique"))


@pytest.fixture(autouse=True)
def settings():
    """One thread, a seeded generator of torch's, and no word about the PettingZoo that TorchRL was tested with."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    with torch.random.fork_rng(devices=[]), warnings.catch_warnings():
        torch.manual_seed(0)
        warnings.filterwarnings("ignore", message="PettingZoo in TorchRL is tested using version")
        yield
    torch.set_num_threads(threads)


def turns(variant, name="raw_env", **arguments):
    arguments.setdefault("categorical_actions", True)
    return PettingZooWrapper(getattr(MODULES[variant], name)(reward="dense"), use_mask=True, **arguments)


@every_variant
@pytest.mark.parametrize("categorical", [True, False])
def test_pettingzoo_wrapper_check_env_specs(variant, categorical):
    check_env_specs(turns(variant, "env", categorical_actions=categorical, seed=0))


@every_variant
def test_pettingzoo_wrapper_rollout(variant):
    """A masked random policy plays whole games: every action is legal, and the rewards are the return."""
    env = turns(variant)  # `raw_env` raises on an illegal action
    size = env.action_spec["player_0", "action"].space.n
    for seed in range(3):
        env.set_seed(seed)
        played = env.rollout(2000)
        game = env._env.unwrapped.game
        assert game.is_over and played["next", "done"][-1].all()
        total = 0
        for seat, name in enumerate(SEATS):
            mine = played[name, "mask"].squeeze(1)  # when this seat is to act
            total += int(mine.sum())
            masks, actions = played[name, "action_mask"].squeeze(1), played[name, "action"].squeeze(1)
            assert masks.shape == (len(played), size) and masks.dtype == torch.bool
            assert masks[mine].gather(1, actions[mine, None]).all()
            assert masks[~mine].all(), (
                "TorchRL shows a seat that is not to act everything as legal: read `mask`"
            )
            assert played["next", name, "reward"].sum() == game.returns("dense")[seat]
            seen = played[name, "observation", "observation"]
            assert seen.dtype == torch.float32 and torch.isfinite(seen).all()
        assert total == len(played), "one seat acts at a time"


def test_pettingzoo_wrapper_state():
    """A critic may see what both seats know."""
    env = PettingZooWrapper(
        MODULES["belote"].raw_env(), use_mask=True, return_state=True, categorical_actions=True
    )
    check_env_specs(env)
    played = env.rollout(100)
    both = torch.cat([played[name, "observation", "observation"].squeeze(1) for name in SEATS], 1)
    assert torch.equal(played["state"], both)


def test_pettingzoo_env_knows_only_pettingzoos_own_games():
    """`PettingZooEnv("name")` imports PettingZoo's own games (and what they need); ours go through the wrapper."""
    with warnings.catch_warnings(), pytest.raises((ImportError, RuntimeError)):
        warnings.simplefilter("ignore")
        PettingZooEnv("two_pack_v0", parallel=False, use_mask=True)


def actor(inputs, actions):
    """Return a policy that draws from the legal actions of a single environment."""
    network = nn.Sequential(nn.Linear(inputs, 32), nn.ReLU(), nn.Linear(32, actions))
    return ProbabilisticActor(
        TensorDictModule(network, in_keys=["observation"], out_keys=["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )


def single(variant, **arguments):
    env = GymEnv(
        ENV_IDS[variant], opponent="random", observation="dict", categorical_action_encoding=True, **arguments
    )
    # TorchRL's distributions want masks of bools; `ActionMask` alone would take our int8 as well.
    cast = DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"])
    return TransformedEnv(env, Compose(cast, ActionMask()))


@every_variant
def test_gym_env_check_env_specs(variant):
    pytest.importorskip("agents.registry")
    # A match: a deal of a mini game may be over after the checker's three steps, and then it asks for a fourth.
    check_env_specs(single(variant, illegal="raise", episode="match"), seed=0)
    check_env_specs(GymWrapper(gymnasium.make(ENV_IDS[variant], opponent="random")))  # flat, illegal replaced


@every_client_variant
def test_gym_env_rollout_with_masks(variant):
    pytest.importorskip("agents.registry")
    env = single(variant, reward="dense", illegal="raise")
    random = env.rollout(200)
    assert random["next", "done"][-1]
    policy = actor(random["observation"].shape[-1], env.action_spec.n)
    played = env.rollout(200, policy)
    assert played["next", "done"][-1]
    assert played["action_mask"].gather(1, played["action"][:, None]).all()
    core = env.base_env._env.unwrapped
    assert played["next", "reward"].sum() == core.game.returns("dense")[core.seat]


def test_a_collector_collects():
    pytest.importorskip("agents.registry")
    env = single("mini_bezique", illegal="raise", reward="win")
    policy = actor(env.observation_spec["observation"].shape[-1], env.action_spec.n)
    collector = Collector(env, policy, frames_per_batch=64, total_frames=192)
    rewards = [data["next", "reward"].sum() for data in collector]
    assert len(rewards) == 3
    collector.shutdown()
