"""The Gymnasium environment for one learner: rewards, seats, opponents, illegal actions (checkers: tests/clients)."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence

import bezique_env  # noqa: F401  (registers the ids)
from bezique_env.envs.registration import register_envs
from bezique_env.envs.single_agent import GameSingle
from bezique_env.game import Game, IllegalAction
from tests.envs.cases import ENV_IDS, REWARDS, every_preset, every_variant, start_of
from tests.envs.simple_agents import ByKey, FirstLegal

ENV_ID = ENV_IDS["two_pack"]


def make(variant="two_pack", **arguments):
    arguments.setdefault("opponent", ByKey())
    return gymnasium.make(ENV_IDS[variant], **arguments)


def test_registration_is_there_after_import_and_harmless_twice():
    before = gymnasium.spec(ENV_ID)
    register_envs()
    assert gymnasium.spec(ENV_ID) is before
    code = (
        "import gymnasium, sys, bezique_env\n"
        "assert 'bezique_env.envs.single_agent' not in sys.modules\n"
        f"print(gymnasium.spec({ENV_ID!r}).id)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ENV_ID


def play(env, rng, seed=None, masked=True):
    """Play one episode; return the rewards and the infos."""
    observation, info = env.reset(seed=seed)
    rewards, infos, rows = [], [info], [observation]
    over = False
    while not over:
        np.testing.assert_array_equal(env.unwrapped.action_masks(), info["action_mask"].astype(bool))
        legal = np.flatnonzero(info["action_mask"])
        action = int(rng.choice(legal)) if masked else int(rng.integers(env.action_space.n))
        observation, reward, over, truncated, info = env.step(action)
        assert isinstance(reward, float) and truncated is False
        assert observation in env.observation_space
        rewards.append(reward)
        infos.append(info)
        rows.append(observation)
    assert not info["action_mask"].any()
    return rewards, infos, rows


@every_preset
@pytest.mark.parametrize("episode", ["deal", "match"])
def test_rewards_sum_to_the_return(variant, preset, episode):
    rng = start_of(variant, preset)
    for reward in REWARDS:
        env = make(variant, rules=preset, episode=episode, reward=reward)
        for game in range(4 if variant == "two_pack" and episode == "deal" else 1):
            rewards, infos, _ = play(env, rng, None if game else 0)
            core = env.unwrapped
            assert sum(rewards) == core.game.returns(reward)[core.seat]
            if reward != "dense":
                assert not any(rewards[:-1])
            np.testing.assert_array_equal(
                infos[-1]["scores"],
                [core.game.match_scores[core.seat], core.game.match_scores[1 - core.seat]],
            )
            assert not any(info["illegal_action"] for info in infos)


def _sums(reward, games):
    env = GameSingle(opponent=ByKey(), reward=reward, seat="alternate")
    rng = np.random.default_rng(2)
    for game in range(games):
        env.reset(seed=None if game else 0)
        total, over = 0.0, False
        while not over:
            legal = np.flatnonzero(env.action_masks())
            _, got, over, _, _ = env.step(legal[int(rng.random() * len(legal))])
            total += got
        assert total == env.game.returns(reward)[env.seat]


@pytest.mark.parametrize("reward", REWARDS)
def test_rewards_sum_to_the_return_in_many_games(reward):
    _sums(reward, 100)


@pytest.mark.slow
@pytest.mark.parametrize("reward", REWARDS)
def test_rewards_sum_to_the_return_over_1000_games(reward):
    _sums(reward, 1_000)


def test_dense_reward_is_what_happened_since_the_last_decision():
    env = make(reward="dense", seat="alternate")
    rng = np.random.default_rng(4)
    for seed in range(20):
        _, info = env.reset(seed=seed)
        total, over = 0.0, False
        core = env.unwrapped
        while not over:
            _, reward, over, _, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
            total += reward
            assert total == core.game.scores[core.seat] - core.game.scores[1 - core.seat]
            assert over or core.game.seat_to_act == core.seat


def test_observations_are_the_learners_decisions_in_a_row():
    env = make(seat=1)
    rng = np.random.default_rng(0)
    _, info = env.reset(seed=3)
    over = False
    while not over:
        core = env.unwrapped
        assert core.game.seat_to_act == 1 == info["seat"]
        observation, _, over, _, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
        np.testing.assert_array_equal(observation, core.game.observation(1))


def test_seat_rules():
    env = make(seat="alternate")
    for seed in range(6):
        assert env.reset(seed=seed)[1]["seat"] == seed % 2
    assert [env.reset()[1]["seat"] for _ in range(4)] == [0, 1, 0, 1]
    assert env.reset(seed=0, options={"seat": 1})[1]["seat"] == 1
    for seat in (0, 1):
        env = make(seat=seat)
        assert {env.reset()[1]["seat"] for _ in range(5)} == {seat}
    env = make(seat="random")
    first = [env.reset(seed=9)[1]["seat"], *(env.reset()[1]["seat"] for _ in range(30))]
    again = [env.reset(seed=9)[1]["seat"], *(env.reset()[1]["seat"] for _ in range(30))]
    assert first == again and set(first) == {0, 1}


@every_variant
def test_a_seed_deals_what_game_deals(variant):
    env = make(variant, dealer=1)
    for seed in (0, 1, 2**63):
        env.reset(seed=seed)
        deck = env.unwrapped.game.to_record()["deals"][0]["deck"]
        assert deck == Game(variant, seed=seed, dealer=1).to_record()["deals"][0]["deck"]
    env.reset(seed=5, options={"deck": deck, "dealer": 0, "options": 1})
    assert env.unwrapped.game.to_record()["deals"][0]["deck"] == deck
    assert env.unwrapped.game.dealer == 0


def test_episodes_are_determined_by_the_seed():
    def run(env):
        rng = np.random.default_rng(7)
        return [
            np.concatenate(play(env, rng, 21 if game == 0 else None, masked=False)[2]) for game in range(3)
        ]

    first, second = run(make(seat="random", reward="dense")), run(make(seat="random", reward="dense"))
    for a, b in zip(first, second, strict=True):
        np.testing.assert_array_equal(a, b)
    assert not np.array_equal(first[0][:500], first[1][:500])


def test_illegal_actions_are_replaced_and_flagged():
    env = make()
    rng = np.random.default_rng(1)
    flagged = 0
    for seed in range(5):
        _, infos, _ = play(env, rng, seed, masked=False)
        flagged += sum(info["illegal_action"] for info in infos)
        assert env.unwrapped.game.is_over
    assert flagged > 50


def test_illegal_actions_raise_by_option():
    env = make(illegal="raise")
    _, info = env.reset(seed=2)
    before = env.unwrapped.game.save()
    with pytest.raises(IllegalAction):
        env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    assert env.unwrapped.game.save() == before
    for illegal in ("raise", "replace"):
        env = make(illegal=illegal)
        env.reset(seed=2)
        with pytest.raises(ValueError, match="outside"):
            env.unwrapped.step(96)
        with pytest.raises(TypeError):
            env.unwrapped.step(1.5)
    play(env, np.random.default_rng(0))
    with pytest.raises(ValueError, match="reset"):
        env.unwrapped.step(0)


def test_returned_arrays_are_the_callers():
    for kind in ("flat", "dict"):
        env = make(observation=kind)
        observation, info = env.reset(seed=1)
        kept = copy.deepcopy((observation, info))
        rows = [observation if kind == "flat" else observation["observation"]]
        for _ in range(10):
            observation, _, _, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
            row = observation if kind == "flat" else observation["observation"]
            assert not any(np.shares_memory(row, old) for old in rows)
            rows.append(row)
            mask = info["action_mask"].copy()
            info["action_mask"][:] = 1
            row[:] = -1
            np.testing.assert_array_equal(env.unwrapped.action_masks(), mask.astype(bool))
            info["action_mask"][:] = mask
        again, _ = env.reset(seed=1)
        assert data_equivalence(again, kept[0], exact=True)


def test_the_opponent_sees_its_own_view_and_gets_a_key_for_every_decision():
    agent = ByKey()
    env = make(opponent=agent, seat=0)
    play(env, np.random.default_rng(0), 4)
    assert set(agent.seats) == {1}
    assert len(set(agent.keys)) == len(agent.keys) > 20
    first = agent.keys.copy()
    play(env, np.random.default_rng(0), 4)
    assert agent.keys == first * 2, "the keys follow from the seed"
    play(env, np.random.default_rng(0), 5)
    assert agent.keys[-3:] != first[-3:]


@every_variant
def test_copies_keep_the_game(variant):
    env = GameSingle(variant, opponent=ByKey(), reward="dense")
    env.reset(seed=6)
    for _ in range(9 if len(env.game.rules.pack) >= 32 else 0):
        env.step(int(np.flatnonzero(env.action_masks())[0]))
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        source, rng_a, rng_b = copy.deepcopy(env), np.random.default_rng(1), np.random.default_rng(1)
        compared, over = 0, False
        while compared < 8 and not over:  # illegal actions draw from the environment's own generator
            ours = source.step(int(rng_a.integers(env.action_space.n)))
            theirs = twin.step(int(rng_b.integers(env.action_space.n)))
            compared, over = compared + 1, ours[2]
            np.testing.assert_array_equal(ours[0], theirs[0])
            assert ours[1:4] == theirs[1:4]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"seat": 2}, "alternate"),
        ({"seat": "alternating"}, "did you mean 'alternate'"),
        ({"illegal": "replaced"}, "did you mean 'replace'"),
        ({"observation": "box"}, "flat"),
        ({"reward": "points"}, "score_difference"),
        ({"rules": "sari"}, "saari"),
        ({"overrides": {"endgam": 1}}, "endgame"),
        ({"episode": "day"}, "deal"),
        ({"render_mode": "rgb"}, "ansi"),
    ],
)
def test_mistakes_are_refused_when_the_env_is_made(arguments, words):
    with pytest.raises(ValueError, match=words):
        GameSingle(opponent=FirstLegal(), **arguments)


def test_wrong_opponents_are_refused():
    with pytest.raises(TypeError, match="act"):
        GameSingle(opponent=object())


def test_names_need_the_package_agents(monkeypatch):
    monkeypatch.setitem(sys.modules, "agents", None)
    monkeypatch.delitem(sys.modules, "agents.registry", raising=False)
    with pytest.raises(ImportError, match="agents"):
        GameSingle(opponent="greedy")


def test_the_cut_is_set_by_reset():
    env = make("chinese", overrides={"cut_bonus": "on"}, reward="dense", seat=0)
    env.reset(seed=3, options={"cut": (24, 24), "dealer": 0})
    assert env.unwrapped.game.scores == (250, 150)


@every_variant
@pytest.mark.parametrize("name", ["random", "greedy"])
def test_opponents_by_name(variant, name):
    pytest.importorskip("agents.registry")
    env = make(variant, opponent=name)
    for seed in range(3):
        play(env, np.random.default_rng(0), seed)


def test_unknown_opponent_names_are_refused():
    pytest.importorskip("agents.registry")
    with pytest.raises(ValueError, match="greedy"):
        make(opponent="greddy")


def test_render(capsys):
    env = make(render_mode="ansi", seat=1)
    env.reset(seed=1)
    text = env.render()
    assert isinstance(text, str) and "YOU" in text and "seat 1" in text
    env = make(render_mode="human")
    env.reset(seed=1)
    assert "YOU" in capsys.readouterr().out
    env.step(int(np.flatnonzero(env.unwrapped.action_masks())[0]))
    assert "YOU" in capsys.readouterr().out
