"""The VecEnv gives each learner exactly what its games are worth, and legal masks at every step."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

from agents.registry import make_agent
from bezique_env.engine.bezique.actions import NUM_ACTIONS
from bezique_env.envs.sb3_vec import GameVecEnv
from bezique_env.rules import RulesError


def choose(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return one legal action a row, uniformly."""
    counts = np.cumsum(masks, axis=1)
    return np.argmax(counts > (rng.random(len(masks)) * counts[:, -1])[:, None], axis=1)


def play(env: GameVecEnv, games: int, seed: int = 0) -> list[dict]:
    """Play random actions until so many games are over; check the rewards of each against its return."""
    rng = np.random.default_rng(seed)
    env.reset()
    sums = np.zeros(env.num_envs)
    lengths = np.zeros(env.num_envs, int)
    told: list[dict] = []
    while len(told) < games:
        masks = np.stack(env.env_method("action_masks"))
        assert np.all(masks.any(axis=1))
        assert np.array_equal(env.batch.seat, env.learner)
        actions = choose(masks, rng)
        observation, rewards, dones, infos = env.step(actions)
        sums += rewards
        lengths += 1
        assert observation.dtype == rewards.dtype == np.float32
        for i in np.flatnonzero(dones):
            end = infos[i]["episode"]
            assert end["r"] * env.reward_scale == pytest.approx(sums[i], abs=1e-3)
            assert end["l"] == lengths[i]
            assert infos[i]["TimeLimit.truncated"] is False
            told.append({**infos[i], "row": int(i)})
            sums[i], lengths[i] = 0.0, 0
    return told


@pytest.mark.parametrize("reward", ["dense", "score_difference"])
def test_rewards_sum_to_the_score_difference_of_ten_thousand_games(reward: str) -> None:
    env = GameVecEnv(num_envs=512, seed=3, opponents={"random": 0.5, "greedy": 0.5}, reward=reward)
    last: dict[int, float] = {}
    tell = env._tell_ends

    def watched(ended: np.ndarray, infos: list) -> None:
        """Compare with the score board before the games are replaced."""
        tell(ended, infos)
        for i in ended:
            scores = env.batch.games[i]["scores"].astype(int) + env.batch.games[i]["match_scores"]
            mine = env.learner[i]
            assert infos[i]["episode"]["r"] == scores[mine] - scores[1 - mine]
            last[len(last)] = infos[i]["episode"]["r"]

    env._tell_ends = watched  # type: ignore[method-assign]
    told = play(env, 10_000)
    assert len(last) == len(told)
    assert abs(np.mean([end["seat"] for end in told]) - 0.5) < 0.02
    assert abs(np.mean([end["opponent"] == "greedy" for end in told]) - 0.5) < 0.03


@pytest.mark.parametrize("reward", ["win", "settlement"])
def test_win_and_settlement_are_paid_at_the_end_only(reward: str) -> None:
    env = GameVecEnv(num_envs=64, seed=1, opponents="random", reward=reward)
    assert {end["episode"]["r"] for end in play(env, 200)} <= {-2.0, -1.0, 0.0, 1.0, 2.0}


def test_whole_matches_are_paid_too() -> None:
    env = GameVecEnv(num_envs=32, seed=1, opponents="greedy", episode="match", reward_scale=0.01)
    assert play(env, 40)[0]["episode"]["l"] > 60


def test_other_presets_play() -> None:
    for preset in ("saari", "finnish", "dutch", "no_ready_trump", "shifting"):
        assert play(GameVecEnv(num_envs=32, seed=1, rules=preset), 32)


def test_the_learners_seat_alternates_in_every_row() -> None:
    told = play(GameVecEnv(num_envs=8, seed=1, opponents="random"), 60)
    for row in range(8):
        seats = [end["seat"] for end in told if end["row"] == row]
        assert seats == [(row + game) % 2 for game in range(len(seats))]


def test_the_last_observation_is_the_learners_own() -> None:
    end = play(GameVecEnv(num_envs=8, seed=2, opponents="random"), 1)[0]
    env = GameVecEnv(num_envs=1)
    assert env.observation_space.contains(end["terminal_observation"])


def test_equal_seeds_give_equal_games_whatever_the_number_of_rows() -> None:
    def course(num_envs: int) -> list[np.ndarray]:
        env = GameVecEnv(num_envs=num_envs, seed=5, opponents={"random": 1, "greedy": 1})
        seen = [env.reset()[:3]]
        for _ in range(120):
            seen.append(env.step(env.action_masks().argmax(axis=1))[0][:3])
        return seen

    few, many = course(3), course(40)
    assert all(np.array_equal(a, b) for a, b in zip(few, many, strict=True))


def test_seeds_and_resets() -> None:
    env = GameVecEnv(num_envs=4, seed=5)
    first = env.reset()
    assert not np.array_equal(first, env.reset())
    env.seed(11)
    again = env.reset()
    env.seed(11)
    assert np.array_equal(again, env.reset())
    assert len({row.tobytes() for row in again}) == 4


def test_a_saved_state_goes_on_the_same() -> None:
    env = GameVecEnv(num_envs=16, seed=5, opponents={"random": 1, "greedy": 1})
    rng = np.random.default_rng(0)
    env.reset()
    for _ in range(100):
        env.step(choose(env.action_masks(), rng))
    state = env.get_state()
    other = GameVecEnv(num_envs=16, seed=99, opponents={"random": 1, "greedy": 1})
    other.set_state(state)
    for _ in range(100):
        actions = env.action_masks().argmax(axis=1)
        for one, two in zip(env.step(actions)[:3], other.step(actions)[:3], strict=True):
            assert np.array_equal(one, two)
    with pytest.raises(ValueError, match="other games"):
        GameVecEnv(num_envs=8, opponents={"random": 1, "greedy": 1}).set_state(state)
    with pytest.raises(ValueError, match="other games"):
        GameVecEnv(num_envs=16, rules="saari", opponents={"random": 1, "greedy": 1}).set_state(state)


def test_what_sb3_asks_of_a_vecenv_is_answered() -> None:
    env = GameVecEnv(num_envs=6)
    observation = env.reset()
    assert env.observation_space.shape == observation.shape[1:]
    assert env.action_space.n == NUM_ACTIONS
    assert is_masking_supported(env)
    assert get_action_masks(env).shape == (6, NUM_ACTIONS)
    assert len(env.env_method("action_masks", indices=[1, 4])) == 2
    assert env.render_mode is None
    assert env.get_attr("render_mode") == [None] * 6
    assert env.get_attr("reward_scale", [0, 2]) == [1.0, 1.0]
    assert not env.has_attr("nothing")
    assert env.env_is_wrapped(object) == [False] * 6
    with pytest.raises(AttributeError):
        env.set_attr("x", 1)
    with pytest.raises(AttributeError):
        env.env_method("nothing")


def test_an_illegal_action_is_refused_with_its_text() -> None:
    env = GameVecEnv(num_envs=2)
    env.reset()
    illegal = int(np.flatnonzero(~env.action_masks()[0])[0])
    with pytest.raises(ValueError, match=r"row 0, learner: action .* is illegal; legal: "):
        env.step(np.array([illegal, int(env.action_masks()[1].argmax())]))


def test_wrong_arguments_are_refused_with_the_nearest_spelling() -> None:
    with pytest.raises(ValueError, match="did you mean 'greedy'"):
        GameVecEnv(opponents="gredy")
    with pytest.raises(ValueError, match="did you mean 'dense'"):
        GameVecEnv(reward="dens")
    with pytest.raises(RulesError, match="did you mean 'saari'"):
        GameVecEnv(rules="sari")
    with pytest.raises(ValueError, match="weights"):
        GameVecEnv(opponents={"random": 0.0})
    assert GameVecEnv(opponents=make_agent("random")).opponents[0].name == "random"


def test_only_this_module_imports_stable_baselines() -> None:
    code = (
        "import sys, bezique_env, bezique_env.envs.batch, agents.registry\n"
        "print([n for n in ('torch', 'stable_baselines3') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
