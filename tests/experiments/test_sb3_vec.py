"""The VecEnv gives each learner exactly what its games are worth, and legal masks at every step."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

from agents.registry import make_agent
from bezique_env.engine.bezique.actions import NUM_ACTIONS
from bezique_env.envs import batch as batch_module
from bezique_env.envs.sb3_vec import GameVecEnv
from bezique_env.envs.vector import GameVectorEnv
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


@pytest.mark.parametrize("variant", ["two_pack", "belote", "rubicon"])
def test_rows_and_threads_change_nothing_in_a_game(variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_module, "ROWS_A_THREAD", 1)

    def course(num_envs: int, threads: int) -> list[list[bytes]]:
        mixture = {"random": 1, "greedy": 1}
        env = GameVecEnv(variant, num_envs, seed=5, opponents=mixture, threads=threads, illegal="replace")
        seen = [env.reset()]
        for _ in range(150):
            keys = env.batch.keys(50)
            actions = np.where(keys % 5 == 0, keys % 7, env.action_masks().argmax(axis=1).astype(np.uint64))
            rows, rewards, dones, infos = env.step(actions)
            told = [repr({k: v for k, v in info.items() if k != "terminal_observation"}) for info in infos]
            last = [info.get("terminal_observation", rows[0] * 0) for info in infos]
            seen += [rows, rewards, dones, np.array(told, "U200"), np.array(last)]
        env.close()
        return [[row.tobytes() for row in part[:7]] for part in seen]

    whole = course(64, 1)
    assert course(64, 2) == whole
    assert course(7, 2) == whole
    assert course(1, 2) == [part[:1] for part in whole]


def test_it_earns_what_the_vector_of_gymnasium_does() -> None:
    """Both adapters stand on one core: the same seeds, actions and opponent give the same games."""
    ours = GameVecEnv("belote", 6, seed=3, opponents="greedy", reward="win", seat="random")
    rows = ours.reset()
    theirs = GameVectorEnv(
        "belote", 6, opponent="greedy", reward="win", seat="random", autoreset_mode="SameStep"
    )
    others, infos = theirs.reset(seed=ours.batch.games["seed"].tolist())
    rng, ended = np.random.default_rng(0), 0
    while ended < 30:
        np.testing.assert_array_equal(rows, others)
        np.testing.assert_array_equal(ours.action_masks(), infos["action_mask"])
        actions = choose(ours.action_masks(), rng)
        rows, rewards, dones, told = ours.step(actions)
        others, earned, over, _, infos = theirs.step(actions)
        np.testing.assert_array_equal(rewards, earned.astype(np.float32))
        np.testing.assert_array_equal(dones, over)
        for row in np.flatnonzero(dones):
            np.testing.assert_array_equal(told[row]["terminal_observation"], infos["final_obs"][row])
            ended += 1


@pytest.mark.parametrize("seat", [0, 1, "random"])
def test_the_learners_seat_can_be_fixed_or_drawn(seat: int | str) -> None:
    told = play(GameVecEnv("belote", 16, seed=1, opponents="random", seat=seat), 200)
    seats = [end["seat"] for end in told]
    assert set(seats) == ({seat} if seat != "random" else {0, 1})
    assert seat != "random" or 0.4 < np.mean(seats) < 0.6


def test_illegal_actions_are_replaced_where_that_is_wanted() -> None:
    env = GameVecEnv("belote", 8, illegal="replace", opponents="random")
    env.reset()
    for _ in range(40):
        wrong = np.arange(8) % 2 == 0
        masks = env.action_masks()
        _, _, _, infos = env.step(np.where(wrong, masks.argmin(axis=1), masks.argmax(axis=1)))
        assert [info.get("illegal_action", False) for info in infos] == wrong.tolist()


@pytest.mark.parametrize(
    ("actions", "error", "words"),
    [
        (np.zeros(2), TypeError, "whole numbers, not float64"),
        (np.zeros(3, int), ValueError, "shape"),
        (np.array([0, 96]), ValueError, "row 1: action 96 is outside"),
    ],
)
def test_wrong_actions_are_refused_and_change_nothing(
    actions: np.ndarray, error: type[Exception], words: str
) -> None:
    env = GameVecEnv(num_envs=2)
    env.reset()
    before = env.get_state()
    with pytest.raises(error, match=words):
        env.step(actions)
    for name, array in env.get_state().items():
        np.testing.assert_array_equal(array, before[name])


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
    for wrong in (
        {"num_envs": 0},
        {"threads": 0},
        {"reward_scale": float("nan")},
        {"seat": 2},
        {"illegal": "x"},
    ):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            GameVecEnv(**wrong)
    assert GameVecEnv(opponents=make_agent("random")).opponents[0].name == "random"


def test_only_this_module_imports_stable_baselines() -> None:
    code = (
        "import sys, bezique_env, bezique_env.envs.batch, agents.registry\n"
        "print([n for n in ('torch', 'stable_baselines3') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
