"""What every registered agent promises: no peeking, legal actions, the same games in any batch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agents.play import AgentMistake, play_games
from agents.protocol import NeedsRules
from agents.registry import make_agent, names
from agents.scripted.random_agent import RandomAgent
from bezique_env.engine.engines import engine_of
from bezique_env.envs.batch import make_batch
from bezique_env.envs.single_agent import GameSingle
from bezique_env.envs.vector import GameVectorEnv
from bezique_env.rules import Rules, get_rules, variants
from experiments.evaluation import decks_from_seed, play_pairs
from tests.agents.duels import PRESETS, RULE_SETS, duel, duplicate_batch, random_states, rules_id
from tests.agents.promises import play_legal

AGENTS = names(without_parameters=True)
VIEWS = {name: engine_of(name).view_dtype(get_rules(name).shape) for name in variants()}
ACTIONS = {name: engine_of(name).actions.size for name in variants()}


def _no_peek(name: str, rule_set: dict[str, Any], games: int, seed: int) -> None:
    agent = make_agent(name)
    rng = np.random.default_rng(seed)
    compared = hidden_differs = 0
    for game in random_states(rule_set, games, 8, seed):
        seat = game.seat_to_act
        twin = game.resample(seat, int(rng.integers(2**32)))
        keys = rng.integers(2**64, size=1, dtype=np.uint64)
        mine = agent.act(game.view_record(seat), game.legal_mask(seat)[None], keys)
        other = agent.act(twin.view_record(seat), twin.legal_mask(seat)[None], keys)
        assert mine.shape == (1,)
        assert mine.dtype == np.int64
        assert mine[0] == other[0], game.to_record()
        compared += 1
        hidden_differs += game.hand(1 - seat) != twin.hand(1 - seat)
    assert compared >= 4 * games
    # Of few cards not many ways are left to hold them.
    assert hidden_differs > compared / (4 if len(game.rules.pack) >= 32 else 12)


@pytest.mark.parametrize("rule_set", RULE_SETS, ids=rules_id)
@pytest.mark.parametrize("name", AGENTS)
def test_a_resampled_twin_gets_the_same_action(name: str, rule_set: dict[str, Any]) -> None:
    _no_peek(name, rule_set, games=6, seed=11)


@pytest.mark.slow
@pytest.mark.parametrize("rule_set", RULE_SETS, ids=rules_id)
@pytest.mark.parametrize("name", AGENTS)
def test_a_resampled_twin_gets_the_same_action_many(name: str, rule_set: dict[str, Any]) -> None:
    _no_peek(name, rule_set, games=50, seed=12)


def _all_legal(name: str, num_games: int) -> None:
    for number, rule_set in enumerate(RULE_SETS):
        play_legal(name, num_games // len(RULE_SETS), rule_set, seed=100 + number)


@pytest.mark.parametrize("name", AGENTS)
def test_500_games_without_an_illegal_move(name: str) -> None:
    _all_legal(name, 500)


@pytest.mark.slow
@pytest.mark.parametrize("name", AGENTS)
def test_10000_games_without_an_illegal_move(name: str) -> None:
    _all_legal(name, 10_000)


@pytest.mark.parametrize("variant", ["two_pack", "belote"])
@pytest.mark.parametrize("name", AGENTS)
def test_matches_of_many_deals_are_played_to_their_end(name: str, variant: str) -> None:
    batch = make_batch(variant, num_games=20, seed=3, episode="match", reward="win")
    played = play_games(batch, [make_agent(name), make_agent("random")])
    assert batch.done.all()
    assert np.abs(played.returns).min() >= 1


@pytest.mark.parametrize("variant", VIEWS)
@pytest.mark.parametrize("name", AGENTS)
def test_the_order_of_rows_changes_nothing(name: str, variant: str) -> None:
    agent = make_agent(name)
    batch = make_batch(variant, num_games=64, seed=2)
    walker = make_agent("random")
    rng = np.random.default_rng(5)
    for _ in range(60):
        views, masks, keys = batch.views(), batch.mask.copy(), batch.keys(0)
        before = views.tobytes(), masks.tobytes(), keys.tobytes()
        actions = agent.act(views, masks, keys)
        order = rng.permutation(64)
        assert np.array_equal(agent.act(views[order], masks[order], keys[order]), actions[order])
        assert before == (views.tobytes(), masks.tobytes(), keys.tobytes())
        batch.step(walker.act(views, masks, keys))


@pytest.mark.parametrize("variant", VIEWS)
@pytest.mark.parametrize("name", AGENTS)
def test_no_rows_and_rows_without_a_legal_action(name: str, variant: str) -> None:
    agent = make_agent(name)
    for count in (0, 3):
        actions = agent.act(
            np.zeros(count, VIEWS[variant]),
            np.zeros((count, ACTIONS[variant]), np.int8),
            np.zeros(count, np.uint64),
        )
        assert actions.dtype == np.int64
        assert actions.tolist() == [-1] * count


def test_random_is_uniform_over_the_legal_actions() -> None:
    agent = make_agent("random")
    rng = np.random.default_rng(8)
    draws = 60_000
    size = ACTIONS["two_pack"]
    for legal in ([5], [0, 95], [3, 40, 64, 95], list(range(7)), list(range(size))):
        mask = np.zeros(size, np.int8)
        mask[legal] = 1
        actions = agent.act(
            np.zeros(draws, VIEWS["two_pack"]),
            np.tile(mask, (draws, 1)),
            rng.integers(2**64, size=draws, dtype=np.uint64),
        )
        counts = np.bincount(actions, minlength=size)
        assert counts.sum() == counts[legal].sum()
        expected = draws / len(legal)
        chi2 = float(((counts[legal] - expected) ** 2 / expected).sum())
        free = len(legal) - 1
        assert chi2 <= free + 5 * np.sqrt(2 * free) + 1e-9


MARGIN = {
    "two_pack": 140,
    "rubicon": 700,
    "chinese": 2000,
    "eight_pack": 5000,
    "fildinski": 250,
    "belote": 20,
    "mini_bezique": 2,
    "mini_belote": 2,
}
"""Points a deal by which greedy is to beat random at least."""


@pytest.mark.parametrize("rule_set", PRESETS, ids=rules_id)
def test_greedy_beats_random_by_a_wide_margin(rule_set: dict[str, Any]) -> None:
    """On duplicate deals; the 95% interval lies above the margin, so it excludes zero by far."""
    variant = rule_set["variant"]
    decks = {"two_pack": 300, "belote": 300, "mini_bezique": 2000, "mini_belote": 2000}.get(variant, 40)
    points, half_width, _ = duel("greedy", "random", decks, seed=21, rules=rule_set["rules"], variant=variant)
    assert points - half_width > MARGIN[variant]


def test_greedy_refuses_records_that_are_no_views() -> None:
    with pytest.raises(ValueError, match="views of no variant"):
        make_agent("greedy").act(
            np.zeros(1, [("seat", "u1")]), np.zeros((1, 96), np.int8), np.zeros(1, np.uint64)
        )


@pytest.mark.parametrize("variant", VIEWS)
def test_seats_of_equal_agents_are_even_on_duplicate_decks(variant: str) -> None:
    points, _, _ = duel("greedy", "greedy", 20, seed=4, variant=variant)
    assert points == 0  # a deterministic player meets itself twice on each deck


def test_play_games_refuses_illegal_actions_and_wrong_seatings() -> None:
    class Wrong:
        name = "wrong"

        def act(self, views: Any, masks: Any, keys: Any) -> Any:
            return np.full(len(masks), 94, np.int64)

    with pytest.raises(AgentMistake, match=r"'wrong' chose the illegal action 94 in game [01] "):
        play_games(make_batch(num_games=2, seed=0), [Wrong(), Wrong()])
    greedy = make_agent("greedy")
    with pytest.raises(ValueError, match="one for each seat"):
        play_games(make_batch(), [greedy])
    with pytest.raises(ValueError, match="shape"):
        play_games(make_batch(num_games=3), [greedy, greedy], np.zeros((2, 2), np.int64))
    with pytest.raises(ValueError, match=r"outside 0\.\.1"):
        play_games(make_batch(), [greedy, greedy], np.array([[0, 2]]))
    with pytest.raises(ValueError, match="autoreset"):
        play_games(make_batch(autoreset=True), [greedy, greedy])


def test_a_duplicate_batch_seats_each_agent_once_a_deck() -> None:
    batch, seating = duplicate_batch(4, 0)
    assert np.array_equal(batch.games["deck"][:4], batch.games["deck"][4:])
    assert np.array_equal(seating[:4], seating[4:, ::-1])


class Asks:
    """Has to know the rules; plays the legal action with the lowest id."""

    name = "asks"

    def __init__(self, rules: Rules | None = None) -> None:
        self.rules = rules

    def with_rules(self, rules: Rules) -> Asks:
        return Asks(rules)

    def act(self, views: Any, masks: Any, keys: Any) -> Any:
        assert self.rules is not None and self.rules.preset == "finnish", "nobody told the rules"
        return masks.argmax(axis=1).astype(np.int64)


def test_whoever_plays_games_tells_an_agent_the_rules() -> None:
    assert isinstance(Asks(), NeedsRules)
    played = play_games(make_batch("two_pack", num_games=3, seed=1, rules="finnish"), [Asks(), Asks()])
    assert all(played.decisions)
    decks = decks_from_seed(1, 2)
    results = play_pairs(Asks(), RandomAgent(), decks, rules="finnish")
    assert results.first == "asks"
    single = GameSingle("two_pack", rules="finnish", opponent=Asks())
    single.reset(seed=3)
    for _ in range(20):
        single.step(int(single.action_masks().argmax()))
    many = GameVectorEnv("two_pack", 4, rules="finnish", opponent={Asks(): 1, RandomAgent(): 1})
    _, infos = many.reset(seed=3)
    for _ in range(20):
        *_, infos = many.step(infos["action_mask"].argmax(axis=1))
    assert {agent.name for agent in many.opponents} == {"asks", "random"}
