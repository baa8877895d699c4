"""The vector of learners for Gymnasium: row by row what gymnasium makes of as many single environments."""

from __future__ import annotations

import copy
import itertools
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import vector as wrappers

from bezique_env.encoding import layout_hash, observation_size
from bezique_env.engine.engines import engine_of
from bezique_env.engine.version import ENGINE_VERSION
from bezique_env.envs import batch as batch_module
from bezique_env.envs.learner import IllegalInRow
from bezique_env.envs.single_agent import GameSingle
from bezique_env.envs.vector import GameVectorEnv
from bezique_env.game import IllegalAction
from bezique_env.rules import get_rules
from tests.envs.cases import ENV_IDS, REWARDS, every_variant
from tests.envs.simple_agents import ByKey, FirstLegal

every_mode = pytest.mark.parametrize("mode", AutoresetMode)


def assert_same(ours: Any, theirs: Any, where: str = "") -> None:
    """Compare what two environments returned: types, keys, dtypes, values."""
    assert type(ours) is type(theirs), where
    if isinstance(ours, tuple):
        assert len(ours) == len(theirs)
        for place, (one, two) in enumerate(zip(ours, theirs, strict=True)):
            assert_same(one, two, f"{where}[{place}]")
    elif isinstance(ours, dict):
        assert set(ours) == set(theirs), where
        for key, value in ours.items():
            assert_same(value, theirs[key], f"{where}[{key!r}]")
    elif isinstance(ours, np.ndarray):
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape), where
        if ours.dtype == object:
            assert_same(tuple(ours), tuple(theirs), where)
        else:
            np.testing.assert_array_equal(ours, theirs, err_msg=where)
    else:
        assert ours == theirs, where


def both(variant: str, num_envs: int, mode: AutoresetMode, **options: Any) -> tuple[Any, Any]:
    """Return the native vector and gymnasium's own over single environments."""
    env_id = ENV_IDS[variant]
    ours = gymnasium.make_vec(env_id, num_envs=num_envs, autoreset_mode=mode, **options)
    theirs = gymnasium.make_vec(
        env_id,
        num_envs=num_envs,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": mode},
        **options,
    )
    assert type(ours) is GameVectorEnv and type(theirs) is SyncVectorEnv
    return ours, theirs


def choose(masks: np.ndarray, rng: np.random.Generator, wild: float = 0.0) -> np.ndarray:
    """Return an action a row: a legal one, or with a chance of ``wild`` any."""
    noise = rng.random(masks.shape)
    legal = (noise * masks).argmax(axis=1)
    return np.where(rng.random(len(masks)) < wild, noise.argmax(axis=1), legal)


def play_both(ours: Any, theirs: Any, steps: int, ends: int, wild: float = 0.1) -> None:
    """Step both with the same actions until some steps are done and some games are over."""
    rng, done, ended = np.random.default_rng(0), 0, 0
    while done < steps or ended < ends:
        actions = choose(ours.unwrapped.action_masks(), rng, wild)
        result = ours.step(actions)
        assert_same(result, theirs.step(actions), f"step {done} ")
        done += 1
        ended += int(result[2].sum())
        if ours.metadata["autoreset_mode"] == AutoresetMode.DISABLED and result[2].any():
            mask = result[2]
            assert_same(
                ours.reset(options={"reset_mask": mask.copy()}),
                theirs.reset(options={"reset_mask": mask.copy()}),
                f"reset after step {done} ",
            )


# ---------------------------------------------------------------------- the same as gymnasium's own vector


@every_variant
@every_mode
def test_it_is_what_gymnasium_makes_of_single_environments(variant, mode):
    """Observations, rewards, ends, infos with their masks, spaces: at the end of a game, and after it."""
    ours, theirs = both(
        variant, 3, mode, opponent={FirstLegal(): 1, ByKey(): 2}, reward="dense", seat="alternate"
    )
    for name in ("single_observation_space", "observation_space", "single_action_space", "action_space"):
        assert getattr(ours, name) == getattr(theirs, name)
    assert ours.metadata["autoreset_mode"] is theirs.metadata["autoreset_mode"] is mode
    assert_same(ours.reset(seed=3), theirs.reset(seed=3))
    play_both(ours, theirs, 40, 5)
    assert_same(ours.reset(), theirs.reset())
    assert_same(ours.reset(seed=[7, None, 1]), theirs.reset(seed=[7, None, 1]))
    play_both(ours, theirs, 5, 0)


@every_mode
@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize(("seat", "observation"), [("random", "dict"), (1, "flat")])
def test_it_is_so_with_every_reward_seat_and_observation(mode, reward, seat, observation):
    ours, theirs = both(
        "belote", 4, mode, opponent=ByKey(), reward=reward, seat=seat, observation=observation, dealer=1
    )
    assert_same(ours.reset(seed=0), theirs.reset(seed=0))
    play_both(ours, theirs, 40, 8)


@pytest.mark.parametrize("variant", ["two_pack", "belote"])
def test_it_is_so_over_whole_matches(variant):
    pytest.importorskip("agents.registry")
    ours, theirs = both(
        variant, 2, AutoresetMode.SAME_STEP, opponent="greedy", episode="match", reward="dense"
    )
    assert_same(ours.reset(seed=5), theirs.reset(seed=5))
    play_both(ours, theirs, 100, 2, wild=0.02)


@every_mode
def test_set_up_deals_are_the_same(mode):
    ours, theirs = both("chinese", 3, mode, opponent=FirstLegal(), overrides={"cut_bonus": "on"})
    assert_same(ours.reset(seed=1), theirs.reset(seed=1))
    deck = GameSingle("chinese", opponent=FirstLegal()).game.to_record()["deals"][0]["deck"]
    for options in (
        {"deck": deck, "dealer": 1},
        {"dealer": 0, "seat": 1, "other": 3},
        {"cut": (24, 24)},
        {"reset_mask": np.array([True, False, True]), "seat": 0, "deck": deck},
        None,
    ):
        assert_same(
            ours.reset(options=copy.deepcopy(options)),
            theirs.reset(options=copy.deepcopy(options)),
            f"{options} ",
        )
        play_both(ours, theirs, 10, 0)


def test_rows_are_single_environments_game_by_game():
    """Without gymnasium's vector: each game of each row beside a single environment with that game's seed."""
    pytest.importorskip("agents.registry")
    env = GameVectorEnv(
        "two_pack", 7, opponent="greedy", reward="dense", seat="random", autoreset_mode="SameStep"
    )
    singles = [GameSingle("two_pack", opponent="greedy", reward="dense", seat="random") for _ in range(7)]

    def start(row: int) -> None:
        seed = int(env.core.batch.games["seed"][row])
        observation, told = singles[row].reset(seed=seed)
        np.testing.assert_array_equal(observation, rows[row])
        np.testing.assert_array_equal(told["action_mask"], infos["action_mask"][row])
        assert told["seat"] == infos["seat"][row]

    rows, infos = env.reset(seed=11)
    for row in range(7):
        start(row)
    rng, ended = np.random.default_rng(1), 0
    while ended < 14:
        actions = choose(infos["action_mask"], rng)
        rows, rewards, terminated, truncated, infos = env.step(actions)
        assert not truncated.any()
        for row, single in enumerate(singles):
            observation, reward, over, _, told = single.step(actions[row])
            assert (reward, over) == (rewards[row], terminated[row])
            if over:
                np.testing.assert_array_equal(observation, infos["final_obs"][row])
                assert not infos["final_info"]["action_mask"][row].any()
                np.testing.assert_array_equal(told["scores"], infos["final_info"]["scores"][row])
                start(row)
                ended += 1
            else:
                np.testing.assert_array_equal(observation, rows[row])
                np.testing.assert_array_equal(told["action_mask"], infos["action_mask"][row])


# ------------------------------------------------------------------------------- gymnasium's own wrappers


@every_mode
def test_wrappers_that_gymnasium_offers_for_a_mode_work(mode):
    """In the order that gymnasium asks for; beside the same wrappers over its own vector."""
    ours, theirs = both("belote", 3, mode, opponent=ByKey(), reward="dense")

    def wrapped(env: Any) -> Any:
        env = wrappers.RecordEpisodeStatistics(env)
        env = wrappers.NormalizeReward(env)
        env = wrappers.ClipReward(env, -1.0, 1.0)
        if mode == AutoresetMode.NEXT_STEP:
            env = wrappers.NormalizeObservation(env)
        if mode != AutoresetMode.SAME_STEP:
            env = wrappers.TransformObservation(env, lambda rows: rows + 1)
            double = {"func": lambda row: row * 2, "observation_space": None}
            env = wrappers.VectorizeTransformObservation(
                env, gymnasium.wrappers.TransformObservation, **double
            )
        return wrappers.DictInfoToList(env)

    ours, theirs = wrapped(ours), wrapped(theirs)
    rng, told = np.random.default_rng(0), []
    first, second = ours.reset(seed=2), theirs.reset(seed=2)
    np.testing.assert_array_equal(first[0], second[0])
    for _ in range(60):
        actions = choose(ours.unwrapped.action_masks(), rng)
        first, second = ours.step(actions), theirs.step(actions)
        for one, two in zip(first[:4], second[:4], strict=True):
            np.testing.assert_array_equal(one, two)
        for one, two in zip(first[4], second[4], strict=True):
            assert set(one) == set(two)
            if "episode" in one:
                # Over gymnasium's own vector, which takes the mask out of the options, a reset of some rows
                # makes this wrapper forget the games of all.
                if mode != AutoresetMode.DISABLED:
                    assert one["episode"]["r"] == two["episode"]["r"]
                    assert one["episode"]["l"] == two["episode"]["l"]
                told.append(one["episode"]["r"])
        if mode == AutoresetMode.DISABLED and first[2].any():
            for env in (ours, theirs):
                env.reset(options={"reset_mask": first[2].copy()})
    assert len(told) > 5


@every_mode
def test_recorded_returns_are_those_of_the_games(mode):
    env = wrappers.RecordEpisodeStatistics(
        GameVectorEnv("belote", 5, opponent=ByKey(), reward="dense", autoreset_mode=mode)
    )
    env.reset(seed=4)
    rng, ended = np.random.default_rng(0), 0
    while ended < 20:
        _, _, terminated, _, infos = env.step(choose(env.unwrapped.action_masks(), rng))
        if not terminated.any():
            continue
        scores = infos["final_info"]["scores"] if mode == AutoresetMode.SAME_STEP else infos["scores"]
        difference = scores[:, 0] - scores[:, 1]
        np.testing.assert_array_equal(infos["episode"]["r"][terminated], difference[terminated])
        ended += int(terminated.sum())
        if mode == AutoresetMode.DISABLED:
            env.reset(options={"reset_mask": terminated})


# ---------------------------------------------------------------- N, order, threads; buffers; copies


@pytest.mark.parametrize("variant", ["two_pack", "belote", "fildinski"])
def test_rows_and_threads_change_nothing_in_a_game(variant, monkeypatch):
    monkeypatch.setattr(batch_module, "ROWS_A_THREAD", 1)

    def course(num_envs: int, threads: int) -> list[tuple[Any, ...]]:
        env = GameVectorEnv(
            variant,
            num_envs,
            opponent={ByKey(): 1, FirstLegal(): 1},
            seat="random",
            reward="dense",
            threads=threads,
        )
        rows, infos = env.reset(seed=20)
        seen = []
        for _ in range(130):
            keys = env.core.batch.keys(77)
            legal = infos["action_mask"].argmax(axis=1)
            actions = np.where(keys % 5 == 0, keys % 7, legal.astype(np.uint64))
            rows, rewards, terminated, _, infos = env.step(actions)
            parts = (rows, rewards, terminated, infos["action_mask"], infos["seat"], infos["opponent"])
            seen.append(tuple(part[0 if num_envs == 1 else slice(0, 7)].tobytes() for part in parts))
        env.close()
        return seen

    whole = course(64, 1)
    assert course(64, 2) == whole
    assert course(7, 1) == course(7, 2) == whole
    alone = course(1, 2)
    assert len({step[0] for step in alone}) > 50
    assert alone == [tuple(part[: len(part) // 7] for part in step) for step in whole]


def test_buffers_are_owned_once():
    env = GameVectorEnv("belote", 8, opponent=ByKey(), copy=False, autoreset_mode="SameStep")
    batch = env.core.batch
    rows, infos = env.reset(seed=0)

    def places() -> list[int]:
        arrays = [*vars(batch).values(), *vars(env.core).values(), *vars(env).values()]
        return [a.__array_interface__["data"][0] for a in arrays if isinstance(a, np.ndarray)]

    before, rng = places(), np.random.default_rng(0)
    for _ in range(60):
        again, _, _, _, told = env.step(choose(infos["action_mask"], rng))
        assert again is rows and told["action_mask"] is infos["action_mask"]
    env.reset()
    env.reset(seed=4)
    assert places() == before


@pytest.mark.parametrize("observation", ["flat", "dict"])
@every_mode
def test_returned_arrays_are_the_callers(mode, observation):
    def arrays(given: Any) -> list[np.ndarray]:
        if isinstance(given, dict):
            given = tuple(given.values())
        if isinstance(given, tuple):
            return [array for part in given for array in arrays(part)]
        return [given] if isinstance(given, np.ndarray) and given.dtype != object else []

    env = GameVectorEnv("belote", 3, opponent=ByKey(), observation=observation, autoreset_mode=mode)
    kept = [env.reset(seed=1)]
    rng, ended = np.random.default_rng(0), 0
    while ended < 3:
        result = env.step(choose(env.action_masks(), rng))
        kept.append(result)
        ended += int(result[2].sum())
        if mode == AutoresetMode.DISABLED and result[2].any():
            kept.append(env.reset(options={"reset_mask": result[2]}))
    own = [
        v
        for part in (env, env.core, env.core.batch)
        for v in vars(part).values()
        if isinstance(v, np.ndarray)
    ]
    handed = arrays(tuple(kept))
    assert not any(np.shares_memory(one, two) for one in handed for two in own)
    assert not any(np.shares_memory(*pair) for pair in itertools.pairwise(handed))


@pytest.mark.parametrize("twin", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_go_on_the_same(twin):
    env = GameVectorEnv("two_pack", 3, opponent=ByKey(), seat="random", threads=2)
    env.reset(seed=6)
    rng = np.random.default_rng(1)
    for _ in range(9):
        env.step(choose(env.action_masks(), rng))
    other = twin(env)
    for _ in range(60):
        actions = choose(env.action_masks(), rng, 0.2)
        assert_same(env.step(actions), other.step(actions))


# ------------------------------------------------------------------------------------------- mixtures


def test_mixtures_are_drawn_per_game_by_weight_and_told():
    first, second = ByKey(), FirstLegal()
    env = GameVectorEnv("belote", 64, opponent={first: 3, second: 1}, autoreset_mode="SameStep")
    assert env.opponents == [first, second]
    _, infos = env.reset(seed=0)
    rng, drawn = np.random.default_rng(0), []
    while len(drawn) < 1500:
        _, _, terminated, _, infos = env.step(choose(infos["action_mask"], rng))
        if terminated.any():
            drawn += infos["final_info"]["opponent"][terminated].tolist()
    assert abs(np.mean(drawn) - 0.25) < 0.04


def test_checkpoints_play(tmp_path):
    torch = pytest.importorskip("torch")
    policy = pytest.importorskip("agents.learned.policy")
    size, actions, rules = observation_size("belote"), engine_of("belote").actions.size, get_rules("belote")
    path = tmp_path / "some.pt"
    tensors = {
        "action_net.weight": torch.zeros(actions, size),
        "action_net.bias": torch.arange(float(actions)),
    }
    content = {
        "format": policy.CHECKPOINT_FORMAT,
        "variant": "belote",
        "rules": rules.to_dict(),
        "rules_hash": rules.hash,
        "layout_hash": layout_hash("belote"),
        "engine_version": ENGINE_VERSION,
        "steps": 0,
        "network": {"net_arch": [], "activation": "tanh"},
        "policy": tensors,
    }
    torch.save(content, path)
    opponent = {f"policy({path})": 1, "random": 1, ByKey(): 1}
    env = gymnasium.make_vec(ENV_IDS["belote"], num_envs=8, opponent=opponent)
    _, infos = env.reset(seed=0)
    for _ in range(30):
        _, _, _, _, infos = env.step(infos["action_mask"].argmax(axis=1))
    assert len(env.unwrapped.opponents) == 3
    with pytest.raises(ValueError, match="plays belote, not two_pack"):
        GameVectorEnv("two_pack", 2, opponent=f"policy({path})")


# -------------------------------------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"num_envs": 0}, "num_envs"),
        ({"num_envs": 2.0}, "num_envs"),
        ({"num_envs": True}, "num_envs"),
        ({"threads": 0}, "threads"),
        ({"threads": "two"}, "threads"),
        ({"seat": 2}, "alternate"),
        ({"seat": "alternating"}, "did you mean 'alternate'"),
        ({"illegal": "replaced"}, "did you mean 'replace'"),
        ({"observation": "box"}, "flat"),
        ({"reward": "points"}, "score_difference"),
        ({"rules": "sari"}, "saari"),
        ({"overrides": {"endgam": 1}}, "endgame"),
        ({"episode": "day"}, "deal"),
        ({"render_mode": "human"}, "ansi"),
        ({"autoreset_mode": "NextStp"}, "did you mean 'NextStep'"),
        ({"autoreset_mode": 1}, "SameStep"),
        ({"dealer": 2}, "dealer"),
        ({"dealer": "me"}, "random"),
        ({"copy": 2}, "copy"),
        ({"opponent": {}}, "weights"),
        ({"opponent": {FirstLegal(): -1}}, "weights"),
        ({"opponent": {FirstLegal(): float("nan")}}, "weights"),
    ],
)
def test_wrong_arguments_are_refused(arguments, words):
    with pytest.raises(ValueError, match=words):
        GameVectorEnv(**{"opponent": FirstLegal(), **arguments})


@pytest.mark.parametrize("opponent", [object(), 3, None, {FirstLegal(): "much"}, {FirstLegal(): True}])
def test_wrong_opponents_are_refused(opponent):
    with pytest.raises(TypeError, match="opponent"):
        GameVectorEnv(opponent=opponent)


def test_unknown_names_are_refused():
    pytest.importorskip("agents.registry")
    with pytest.raises(ValueError, match="greedy"):
        GameVectorEnv(opponent={"greddy": 1})


@pytest.mark.parametrize("illegal", ["replace", "raise"])
def test_wrong_steps_are_refused_and_change_nothing(illegal):
    env = GameVectorEnv("belote", 3, opponent=FirstLegal(), illegal=illegal, autoreset_mode="Disabled")
    with pytest.raises(ValueError, match="reset"):
        env.step(np.zeros(3, np.int64))
    env.reset(seed=1)
    before = pickle.dumps(env.core.get_state())
    legal = env.action_masks().argmax(axis=1)
    for wrong, error, words in [
        (legal.astype(np.float64), TypeError, "whole numbers, not float64"),
        (legal > 0, TypeError, "bool"),
        (legal[:2], ValueError, "shape"),
        (legal[None], ValueError, "shape"),
        (int(legal[0]), ValueError, "shape"),
        ([*legal[:2], 44], ValueError, "row 2: action 44 is outside"),
        ([-1, *legal[1:]], ValueError, "row 0: action -1 is outside"),
    ]:
        with pytest.raises(error, match=words):
            env.step(wrong)
        assert pickle.dumps(env.core.get_state()) == before
    if illegal == "raise":
        with pytest.raises(IllegalAction, match="row 1, learner: action") as caught:
            env.step([legal[0], int(np.flatnonzero(~env.action_masks()[1])[0]), legal[2]])
        assert pickle.dumps(env.core.get_state()) == before
        again = pickle.loads(pickle.dumps(caught.value))
        assert isinstance(again, IllegalInRow) and str(again) == str(caught.value)
        assert (again.row, again.legal) == (1, caught.value.legal)
    while not env.core.batch.done.any():
        env.step(env.action_masks().argmax(axis=1))
    before = pickle.dumps(env.core.get_state())
    with pytest.raises(ValueError, match="are over: reset"):
        env.step(env.action_masks().argmax(axis=1))
    assert pickle.dumps(env.core.get_state()) == before


def test_illegal_actions_are_replaced_and_flagged():
    env = GameVectorEnv("belote", 16, opponent=FirstLegal())
    _, infos = env.reset(seed=1)
    for _ in range(10):
        wrong = (1 - infos["action_mask"]).argmax(axis=1)
        legal = infos["action_mask"].argmax(axis=1)
        actions = np.where(np.arange(16) % 2, wrong, legal)
        over = env.core.batch.done.copy()
        _, _, _, _, infos = env.step(actions)
        np.testing.assert_array_equal(infos["illegal_action"], (np.arange(16) % 2 == 1) & ~over)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"seed": -1}, ValueError, "seed"),
        ({"seed": 1.5}, ValueError, "seed"),
        ({"seed": "one"}, ValueError, "seed"),
        ({"seed": 2**64 - 2}, ValueError, "seed"),
        ({"seed": [1, 2]}, ValueError, "2 seeds for 3 rows"),
        ({"seed": [1, 2, -3]}, ValueError, "seed"),
        ({"options": {"reset_mask": [True] * 3}}, TypeError, "reset_mask"),
        ({"options": {"reset_mask": np.ones(3)}}, TypeError, "reset_mask"),
        ({"options": {"reset_mask": np.ones(2, bool)}}, ValueError, "shape"),
        ({"options": {"reset_mask": np.zeros(3, bool)}}, ValueError, "no row"),
        ({"options": {"seat": 2}}, ValueError, "seat"),
        ({"options": {"seat": "random"}}, ValueError, "seat"),
        ({"options": {"dealer": 5}}, ValueError, "dealer"),
        ({"options": {"deck": ["AS"]}}, ValueError, "deck"),
    ],
)
def test_wrong_resets_are_refused_and_change_nothing(arguments, error, words):
    env = GameVectorEnv("two_pack", 3, opponent=FirstLegal())
    env.reset(seed=1)
    before = pickle.dumps(env.core.get_state())
    with pytest.raises(error, match=words):
        env.reset(**arguments)
    assert pickle.dumps(env.core.get_state()) == before


class Wrong:
    """An agent that answers wrongly."""

    name = "wrong"

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def act(self, views, masks, keys):
        return self.answer(masks)


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (lambda masks: masks.argmin(axis=1), IllegalAction, "wrong: action"),
        (lambda masks: np.full(len(masks), 99), ValueError, "outside 0..43"),
        (lambda masks: masks.argmax(axis=1)[:-1], ValueError, "shape"),
        (lambda masks: masks.argmax(axis=1) * 1.0, TypeError, "whole numbers"),
    ],
)
def test_agents_that_answer_wrongly_are_named(answer, error, words):
    env = GameVectorEnv("belote", 2, opponent=Wrong(answer), seat=0, dealer=0)
    with pytest.raises(error, match=words):
        env.reset(seed=1)


# ------------------------------------------------------------------------------------------- the rest


def test_make_vec_knows_it():
    env = gymnasium.make_vec("bezique_env/TwoPack-v0", num_envs=8, opponent=FirstLegal())
    assert isinstance(env, GameVectorEnv) and env.num_envs == 8
    assert env.spec is not None and env.spec.id == "bezique_env/TwoPack-v0"
    assert "TwoPack" in repr(env)
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    observation, infos = env.reset(seed=0)
    assert observation in env.observation_space
    assert env.action_space.sample(tuple(m for m in infos["action_mask"])) in env.action_space
    env.close()


def test_unseeded_rows_differ_and_follow_from_the_generator():
    env = GameVectorEnv("belote", 4, opponent=FirstLegal())
    first, _ = env.reset()
    assert len({row.tobytes() for row in first}) > 1
    assert not np.array_equal(first, GameVectorEnv("belote", 4, opponent=FirstLegal()).reset()[0])
    assert not np.array_equal(env.reset(seed=3)[0], env.reset()[0])


def test_tables_are_drawn_for_the_learners():
    env = GameVectorEnv("two_pack", 3, opponent=FirstLegal(), render_mode="ansi")
    env.reset(seed=2)
    texts = env.render()
    assert len(texts) == 3 and ["seat 0" in texts[0], "seat 1" in texts[1]] == [True, True]
    assert GameVectorEnv("two_pack", 1, opponent=FirstLegal()).render() is None
