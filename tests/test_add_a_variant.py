"""docs/add_a_variant.md holds: its member of a family and a family made by its tables play in every room.

Both are added in a fixture and taken out again. Nothing below knows which of them it plays: what they pass, any
member and any family passes that is added in the same way.
"""

from __future__ import annotations

import ast
import copy
import pickle
import re
import runpy
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test
from rich.console import Console

from agents.play import play_games
from agents.registry import make_agent
from bezique_env.encoding import layout_hash, observation_fields, observation_size
from bezique_env.engine.engines import engine_of
from bezique_env.envs.aec import GameAEC
from bezique_env.envs.batch import make_batch
from bezique_env.envs.modules import env_functions
from bezique_env.envs.registration import SINGLE_AGENT_IDS, register_envs
from bezique_env.game import Game, IllegalAction
from bezique_env.position import PositionError
from bezique_env.record import read_records
from bezique_env.rules import RulesError, fields, get_rules, settle, tables, variants
from bezique_env.rules.families import family_of
from experiments import bench, evaluation
from experiments.play import play_command
from tests import throwaway
from tests.envs.battery import play_and_check
from tests.experiments.test_play import Script
from tests.test_architecture import FAMILIES, LISTS

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "add_a_variant.md").read_text(encoding="utf-8")
ENV_ID = "bezique_env/ThrowAway-v0"


@contextmanager
def a_member() -> Iterator[str]:
    """Add the member of a family that the page adds, by the very code of the page."""
    (code,) = re.findall(r"```python\n(# A new member.*?)```", PAGE, re.S)
    before = set(variants())
    exec(compile(code, "docs/add_a_variant.md", "exec"), {})
    (name,) = set(variants()) - before
    try:
        yield name
    finally:
        del family_of(name).variants[name]


@contextmanager
def a_family() -> Iterator[str]:
    """Add the family of tests/throwaway to every list."""
    with throwaway.installed():
        yield "duel"


ADDED = {"member": a_member, "family": a_family}


@pytest.fixture(scope="module", params=ADDED)
def variant(request: pytest.FixtureRequest) -> Iterator[str]:
    """The id of a variant that is there, with its names, as long as tests need it, and then is gone."""
    before = list(variants())
    with ADDED[request.param]() as name:
        SINGLE_AGENT_IDS[ENV_ID] = name
        register_envs()
        yield name
        del SINGLE_AGENT_IDS[ENV_ID], gymnasium.registry[ENV_ID]
    assert name not in before
    assert list(variants()) == before
    with pytest.raises(RulesError, match="unknown variant"):
        Game(name)


def play(game: Game, rng: np.random.Generator, decisions: int = 10**6) -> Game:
    """Play random actions, to the end or so many."""
    while not game.is_over and decisions > 0:
        legal = game.legal_actions()
        game.apply(legal[rng.integers(len(legal))])
        decisions -= 1
    return game


# ------------------------------------------------------------------------------------------- the page itself


def _words(code: str) -> list[str]:
    return re.findall(r"[A-Za-z_]\w+", code)


def _names_of_the_house() -> set[str]:
    """Return every name that a source of the house gives to something, and every word that it writes as text."""
    names: set[str] = set()
    sources = [
        path
        for room in ("bezique_env", "agents", "experiments", "docs")
        for path in (ROOT / room).rglob("*.py")
    ]
    for path in [*sources, ROOT / "tests/test_architecture.py", ROOT / "tests/envs/cases.py"]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.keyword(arg=str(name)):
                    names.add(name)
                case ast.Name(id=name) | ast.arg(arg=name):
                    names.add(name)
                case ast.Constant(value=str(text)):
                    names.update(_words(text) if " " not in text else ())
    return names


def test_whatever_the_page_names_exists() -> None:
    known = _names_of_the_house()
    prose = re.sub(r"^```.*?^```", "", PAGE, flags=re.S | re.M)
    for code in re.findall(r"`([^`]+)`", prose):
        if "/" in code or code.endswith((".py", ".md")):
            for family in FAMILIES if "<family>" in code else ("",):
                path = code.replace("<family>", family)
                assert (ROOT / path).exists() or (ROOT / "bezique_env" / path).exists(), code
        else:
            assert set(_words(code)) <= known, code


def test_the_page_names_every_list_of_families() -> None:
    for module in LISTS:
        room, *rest = module.split(".")
        path = "/".join(rest if room == "bezique_env" else (room, *rest))
        assert f"`{path}.py`" in PAGE


# ---------------------------------------------------------------------------------------------------- rules


def test_presets_options_and_refusals_are_found(variant: str) -> None:
    info = variants()[variant]
    hashes = {get_rules(variant, preset).hash for preset in info.presets}
    assert len(hashes) == len(info.presets)
    assert get_rules(variant) == get_rules(variant, info.default_preset)
    for field in fields(variant):
        assert field.meaning
        assert field.source
        for value in field.allowed or ():
            try:
                assert getattr(get_rules(variant, overrides={field.name: value}), field.name) == value
            except RulesError as error:  # two options that cannot stand together
                assert str(error)
        with pytest.raises(RulesError, match=field.name):
            get_rules(variant, overrides={field.name: [object()]})
    with pytest.raises(RulesError, match=r"unknown option 'targe'.*did you mean 'target'"):
        get_rules(variant, overrides={"targe": 5})
    with pytest.raises(RulesError, match="unknown preset"):
        get_rules(variant, "nobody's")
    with pytest.raises(ValueError, match="scores"):
        settle(get_rules(variant), (-1, 0))


def test_the_tables_of_its_rules_are_written(variant: str) -> None:
    assert [row[0] for row in tables.variants_rows()[1]].count(variant) == len(variants()[variant].presets)
    for table in (
        tables.rules_rows,
        tables.options_rows,
        tables.presets_rows,
        tables.fixed_rows,
        tables.scores_rows,
        tables.settlement_rows,
        tables.sources_rows,
    ):
        headers, rows = table(variant)
        assert all(len(row) == len(headers) for row in rows)
        assert all(isinstance(cell, str) for row in rows for cell in row)


def test_its_pages_are_written(variant: str) -> None:
    render = runpy.run_path(str(ROOT / "docs" / "generate.py"))["render"]
    pages = render()
    for page in (f"rules_{variant}.md", f"observation_{variant}.md"):
        assert pages[page].startswith(f"# {page.split('_')[0].capitalize()} of `{variant}`")
    assert f"| {variant} |" in pages["variants.md"]


# ----------------------------------------------------------------------------------------------------- Game


@pytest.mark.parametrize("episode", ["deal", "match"])
def test_games_end_and_their_records_replay(variant: str, episode: str) -> None:
    rng = np.random.default_rng(1)
    for preset in variants()[variant].presets:
        for seed in range(4):
            game = play(Game(variant, rules=preset, seed=seed, episode=episode), rng)
            record = game.to_record()
            assert Game.replay(record).to_record() == record
            again = Game.load(game.save())
            assert again.to_record() == record
            assert sum(game.returns()) == 0
            assert game.seat_to_act == -1
            assert not game.legal_actions()


def test_what_is_illegal_is_refused_with_a_reason_and_changes_nothing(variant: str) -> None:
    rng = np.random.default_rng(2)
    game = Game(variant, seed=2)
    while not game.is_over:
        before = game.save()
        for action in set(range(game.num_actions)) - set(game.legal_actions()):
            reason = game.why_illegal(action)
            assert reason is not None
            assert reason.endswith(".")
            with pytest.raises(IllegalAction, match=re.escape(reason)):
                game.apply(action)
        assert game.save() == before
        play(game, rng, 1)
    assert game.why_illegal(0) == "the game is over."
    assert [game.action_id(game.action_text(a)) for a in range(game.num_actions)] == [
        *range(game.num_actions)
    ]


def test_copies_go_their_own_way(variant: str) -> None:
    game = play(Game(variant, seed=3), np.random.default_rng(3), 5)
    for twin in (game.clone(), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        before = game.save()
        assert twin.save() == before
        play(twin, np.random.default_rng(4))
        assert game.save() == before


def test_a_resampled_game_looks_the_same_and_plays_on(variant: str) -> None:
    rng = np.random.default_rng(5)
    for episode, preset in zip(("deal", "match"), variants()[variant].presets, strict=False):
        game = Game(variant, rules=preset, seed=6, episode=episode)
        other_hands = set()
        while not game.is_over and game.state["steps"] < 60:
            for seat in (0, 1):
                twin = game.resample(seat, int(rng.integers(2**63)))
                assert twin.view(seat).to_dict() == game.view(seat).to_dict()
                assert twin.view_record(seat).tobytes() == game.view_record(seat).tobytes()
                assert twin.information_text(seat) == game.information_text(seat)
                assert (twin.legal_mask(seat) == game.legal_mask(seat)).all()
                assert (twin.observation(seat) == game.observation(seat)).all()
                other_hands.add(tuple(twin.hand(1 - seat)))
            record = play(twin, np.random.default_rng(7)).to_record()
            assert Game.replay(record).to_record() == record
            play(game, rng, 1)
        assert len(other_hands) > 20


def test_what_a_seat_sees_depends_on_nothing_hidden(variant: str) -> None:
    game = play(Game(variant, seed=8), np.random.default_rng(8), 6)
    for seat in (0, 1):
        seen = {game.resample(seat, k).observation(seat).tobytes() for k in range(20)}
        assert seen == {game.observation(seat).tobytes()}
        row = game.observation(seat)
        assert row.shape == (observation_size(variant),)
        for field in observation_fields(variant):
            assert (row[field.start : field.stop] >= field.low).all()
            assert (row[field.start : field.stop] <= field.high).all()
    assert re.fullmatch("[0-9a-f]{12}", layout_hash(variant))


# -------------------------------------------------------------------------------------- positions of a game

POSITIONS = {
    "member": {
        "trump": "H",
        "taker": 0,
        "to_act": 1,
        "hands": [["AH", "7S"], ["TS", "8S"]],
        "rest": 0,
        "scores": [60, 20],
        "episode": "match",
    },
    "family": {
        "to_act": 0,
        "hands": [["AH", "7S"], ["TS"]],
        "played": [["7H", "8H", "9H", "TH", "JH", "QH"], ["7D", "8D", "9D", "TD", "JD", "QD"]],
        "trick": [[1, "AS"]],
        "scores": [4, 2],
    },
}


def test_positions_are_set_up_played_on_and_recorded(variant: str, request: pytest.FixtureRequest) -> None:
    kind = request.node.callspec.params["variant"]
    position = {"variant": variant, **POSITIONS[kind]}
    game = Game.from_position(position)
    assert [game.hand(seat) for seat in (0, 1)] == [sorted(h, key=game.cards.id) for h in position["hands"]]
    assert list(game.scores) == position["scores"]
    twin = game.resample(0, 1)
    assert twin.information_text(0) == game.information_text(0)
    record = play(game, np.random.default_rng(9)).to_record()
    assert record["deals"][0]["position"] == position
    assert Game.replay(record).to_record() == record
    for wrong in (
        {**position, "hand": []},
        {**position, "hands": [["AH"], ["AH"]]},
        {**position, "to_act": 2},
    ):
        with pytest.raises(PositionError):
            Game.from_position(wrong)


# ------------------------------------------------------------------------------------------- environments


def test_a_batch_plays_as_single_games_do(variant: str) -> None:
    batch = make_batch(variant, num_games=6, seed=10, reward="dense")
    games = [Game(variant, seed=int(seed)) for seed in batch.games["seed"]]
    assert batch.mask.shape == (6, engine_of(variant).actions.size)
    rng = np.random.default_rng(11)
    earned = np.zeros((6, 2))
    while not batch.done.all():
        actions = np.zeros(6, np.int64)
        for row, game in enumerate(games):
            assert batch.seat[row] == game.seat_to_act
            if game.is_over:
                continue
            np.testing.assert_array_equal(batch.mask[row], game.legal_mask(game.seat_to_act))
            np.testing.assert_array_equal(batch.observation[row], game.observation(game.seat_to_act))
            legal = game.legal_actions()
            actions[row] = legal[rng.integers(len(legal))]
            game.apply(int(actions[row]))
        batch.step(actions)
        earned += batch.reward
    np.testing.assert_array_equal(earned, [game.returns() for game in games])
    np.testing.assert_array_equal(batch.returns(), earned)
    batch.reset(10)
    assert batch.games.tobytes() == make_batch(variant, num_games=6, seed=10).games.tobytes()


def test_agents_play_batches(variant: str) -> None:
    batch = make_batch(variant, num_games=200, seed=12)
    played = play_games(batch, [make_agent("greedy"), make_agent("random")])
    assert (played.returns.sum(axis=1) == 0).all()
    assert played.returns[:, 0].sum() > 0


def test_pettingzoo_takes_it(variant: str) -> None:
    env, raw_env = env_functions(GameAEC, variant)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        warnings.filterwarnings("ignore", message="Observation space for each agent probably")
        warnings.filterwarnings("ignore", message="Action mask numpy array is all zeros")
        warnings.simplefilter("ignore", DeprecationWarning)
        api_test(env(episode="match"), num_cycles=200)
        api_test(raw_env(rules=list(variants()[variant].presets)[-1], reward="dense"), num_cycles=200)
    for reward in ("score_difference", "dense", "settlement", "win"):
        play_and_check(env(reward=reward), 13, np.random.default_rng(13), reward)


def test_gymnasium_takes_it(variant: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(ENV_ID, opponent="random").unwrapped)


def test_the_vector_of_learners_takes_it(variant: str) -> None:
    vec = pytest.importorskip("bezique_env.envs.sb3_vec")
    env = vec.GameVecEnv(variant, num_envs=4, seed=14, opponents="random")
    observation = env.reset()
    ended = 0
    while ended < 4:
        assert observation.shape == (4, observation_size(variant))
        observation, _, dones, _ = env.step(env.action_masks().argmax(axis=1))
        ended += int(dones.sum())


def test_tables_are_drawn(variant: str) -> None:
    env = env_functions(GameAEC, variant)[1](render_mode="ansi")
    env.reset(seed=15)
    for _ in range(8):
        seat = env.game.seat_to_act
        text = env.render()
        assert text is not None
        assert all(card[0] in text for card in env.game.hand(seat))
        env.step(env.game.legal_actions()[-1])


# -------------------------------------------------------------------------------------------- experiments


def test_duplicate_deals_measure_agents(variant: str) -> None:
    decks = evaluation.decks_from_seed(16, 10, get_rules(variant))
    agent = make_agent("greedy")
    found = evaluation.play_pairs(agent, agent, decks, variant=variant, records=1)
    assert not found.points.any()
    assert found.scores.any()
    for record in found.records:
        assert Game.replay(record).to_record() == record


def test_its_speed_is_measured(variant: str) -> None:
    loop = bench.Loop(variant, seed=17, rows=4)
    for level in bench.LEVELS:
        assert loop.play(1, level) >= 32


def test_a_person_plays_it_in_the_terminal(variant: str) -> None:
    script = Script(["help", "why 1", "rules"], seed=18, melding=False)
    assert play_command(variant, seed=18, opponent="greedy", read=script.read, write=script.write) == 0
    assert "The opponent" in script.text


@pytest.mark.slow
def test_an_experiment_trains_measures_and_reports(variant: str, tmp_path: Path) -> None:
    pytest.importorskip("sb3_contrib")
    from experiments.run import run_experiment

    small = [
        "algorithm.total_steps=256",
        "algorithm.num_envs=16",
        "algorithm.n_steps=16",
        "algorithm.batch_size=64",
        "algorithm.net_arch=[16, 16]",
        "opponents={random: 1}",
        "evaluation.opponents=[random]",
        "evaluation.deal_pairs=5",
        "evaluation.resamples=99",
        "evaluation.records=1",
    ]
    changes = [f"variant={variant}", f"output_dir={tmp_path}", *small]
    run_dir = run_experiment("smoke/two_pack_ppo", changes, Console(quiet=True))
    assert (run_dir / "report.html").is_file()
    for record in read_records(run_dir / "games.jsonl"):
        assert record["variant"] == variant
        assert Game.replay(record).is_over
