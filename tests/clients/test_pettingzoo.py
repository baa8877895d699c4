"""Every function of `pettingzoo.test`: those that can run, run; for the others it is shown why they cannot.

`UPSTREAM` lists them all, so a release of PettingZoo with a new one fails here, and so does one that repairs a
broken one. What upstream does not look at is in tests/envs/battery.py and tests/envs/test_aec.py.
"""

from __future__ import annotations

import importlib
import itertools
import re
import types
import warnings

import numpy as np
import pettingzoo.test
import pytest
from pettingzoo.test import (
    api_test,
    bombardment_test,
    collect_render_results,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    performance_benchmark,
    render_test,
    seed_test,
    state_test,
)
from pettingzoo.test.example_envs import generated_agents_env_v0
from pettingzoo.utils.conversions import aec_to_parallel, turn_based_aec_to_parallel
from pettingzoo.utils.env_logger import EnvLogger
from pettingzoo.utils.wrappers import BaseWrapper

from bezique_env.envs.spaces import observation_box
from tests.envs.cases import MODULES, PRESETS, REWARDS, every_variant

UPSTREAM = {
    "api_test": "runs",
    "seed_test": "runs",
    "render_test": "runs",
    "collect_render_results": "runs",
    "performance_benchmark": "runs",
    "state_test": "runs, the environment standing for the parallel one as well",
    "bombardment_test": "runs behind a wrapper that shows rows without masks and returns the next one from `step`",
    "test_save_obs": "runs, but only says that an observation is no picture",
    "max_cycles_test": "cannot run: it needs `parallel_env(max_cycles=...)`",
    "parallel_api_test": "runs on PettingZoo's own conversion of turns",
    "parallel_seed_test": "runs on PettingZoo's own conversion of turns",
    "manual_control_test": "cannot run: it types keys into a window (pynput)",
}
"""What becomes of each function; docs/clients.md says the same, with more words."""


@pytest.fixture(autouse=True)
def quiet_logger():
    EnvLogger.suppress_output()
    yield
    EnvLogger.unsuppress_output()


@pytest.fixture(autouse=True)
def known_warnings():
    """Only the warnings that every environment with a mask in a Dict gets are allowed."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        warnings.filterwarnings("ignore", message="Observation space for each agent probably")
        warnings.filterwarnings("ignore", message="Action mask numpy array is all zeros")
        warnings.simplefilter("ignore", DeprecationWarning)
        yield


def test_no_function_of_upstream_is_left_out():
    functions = {name for name, thing in vars(pettingzoo.test).items() if callable(thing)}
    assert functions == set(UPSTREAM)


@pytest.mark.parametrize(
    ("variant", "reward"),
    [
        (variant, reward)
        for variant in MODULES
        for reward in (REWARDS if variant == "two_pack" else ("dense", "settlement"))
    ],
)
def test_api_test(variant, reward):
    module = MODULES[variant]
    for make in (module.env, module.raw_env):
        api_test(make(reward=reward), num_cycles=400)
        api_test(make(reward=reward, rules=PRESETS[variant][-1], episode="match"), num_cycles=400)


@every_variant
def test_seed_test(variant):
    make = MODULES[variant].env
    seed_test(make, num_cycles=500)
    seed_test(lambda: make(episode="match", reward="dense", rules=PRESETS[variant][-1]), num_cycles=1500)


@every_variant
def test_render_test(variant, capsys):
    render_test(MODULES[variant].env, custom_tests={"ansi": lambda text: "hand" in text})
    assert "hand" in capsys.readouterr().out  # human mode prints the table
    for results in (
        collect_render_results(MODULES[variant].raw_env(render_mode="ansi", rules=preset))
        for preset in PRESETS[variant]
    ):
        # It makes two decisions between two pictures; the smallest games are over after four.
        assert len(set(results)) >= (3 if variant.startswith("mini") else 5), (
            "the table changes with the game"
        )


@every_variant
def test_performance_benchmark(variant, capsys, monkeypatch):
    module = importlib.import_module("pettingzoo.test.performance_benchmark")
    ticks = itertools.count(0.0, 0.02)  # instead of five seconds: so many readings of the clock
    monkeypatch.setattr(module, "time", types.SimpleNamespace(time=lambda: next(ticks)))
    performance_benchmark(MODULES[variant].raw_env(reward="dense"))
    turns = float(re.search(r"([\d.]+) turns per second", capsys.readouterr().out)[1])
    assert 90 <= turns <= 110


@every_variant
def test_state_test(variant):
    env = MODULES[variant].env()
    state_test(env, env, num_cycles=200)  # it steps without masks, so games end early by the convention


@every_variant
def test_the_state_is_what_both_seats_know(variant):
    env = MODULES[variant].env(reward="dense")
    env.reset(seed=4)
    size = observation_box(variant).shape[0]
    states = []
    for agent in env.agent_iter():
        both = [env.observe(name)["observation"] for name in env.possible_agents]
        state = env.state()
        assert state.dtype == np.float32 and state.shape == (2 * size,) == env.state_space.shape
        np.testing.assert_array_equal(state, np.concatenate(both))
        assert env.state_space.contains(state)
        states.append(state.tobytes())
        observation, _, over, _, _ = env.last()
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
    assert len(set(states)) > 3


class _Rows(BaseWrapper):
    """Shows rows without masks, and returns the next one from `step`, as `bombardment_test` takes for granted."""

    def observation_space(self, agent):
        return super().observation_space(agent)["observation"]

    def observe(self, agent):
        return super().observe(agent)["observation"]

    def step(self, action):
        super().step(action)
        return self.observe(self.agent_selection)


@every_variant
def test_bombardment_test(variant):
    bombardment_test(_Rows(MODULES[variant].env()), cycles=25)


@pytest.mark.filterwarnings("ignore:.*Casting input x")
@pytest.mark.parametrize(
    ("make", "error"),
    [
        (MODULES["two_pack"].env, AttributeError),  # looks for `.shape` on a Dict
        (generated_agents_env_v0.env, AssertionError),  # takes what `step` returns, None, for an observation
    ],
)
def test_bombardment_test_alone_fails(make, error):
    with warnings.catch_warnings(), pytest.raises(error):
        warnings.simplefilter("ignore")
        bombardment_test(make(), cycles=1)


def test_test_save_obs_stops_at_the_space(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pettingzoo.test.test_save_obs(MODULES["two_pack"].env())
    assert "must be Box to save observations as image" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())


def test_max_cycles_test_wants_what_a_card_game_has_not():
    for module in MODULES.values():
        assert not hasattr(module, "parallel_env")
        with pytest.raises(AttributeError, match="parallel_env"):
            max_cycles_test(module)
        with pytest.raises(TypeError, match="max_cycles"):
            module.env(max_cycles=4)


@every_variant
def test_parallel_tests_of_turns(variant):
    """PettingZoo can show turns as parallel steps: all seats answer, one answer counts."""

    def make():
        return turn_based_aec_to_parallel(MODULES[variant].env(reward="dense"))

    parallel_api_test(make(), num_cycles=300)
    parallel_seed_test(make, num_cycles=50)  # it chooses without masks: the convention ends the games early


def test_there_is_no_parallel_environment():
    env = MODULES["two_pack"].env()
    with pytest.raises(AssertionError, match="parallel"):
        aec_to_parallel(env)  # seats do not move at once, and the metadata say so


def test_manual_control_test_is_for_windows():
    assert not any(hasattr(module, "manual_control") for module in MODULES.values())
