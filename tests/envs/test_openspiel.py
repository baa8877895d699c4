"""The games of OpenSpiel: its own generic tests, our texts, perfect recall over whole trees, solvers."""

from __future__ import annotations

import collections
import copy
import itertools
import math
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="extra 'openspiel'")

from open_spiel.python import observation as spiel_observation  # noqa: E402
from open_spiel.python import policy as spiel_policy  # noqa: E402
from open_spiel.python.algorithms import (  # noqa: E402
    best_response,
    cfr,
    exploitability,
    external_sampling_mccfr,
    ismcts,
    mcts,
)

from bezique_env.envs import openspiel as osp  # noqa: E402
from bezique_env.game import Game  # noqa: E402
from bezique_env.rules import RulesError, variants  # noqa: E402
from tests import throwaway  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
VARIANTS = list(variants())
WAYS = [
    "bezique_env_two_pack(rules=saari,dealer=-1)",
    "bezique_env_two_pack(rules=finnish,draws=queues,reward=dense)",
    "bezique_env_two_pack(overrides=selection:explicit,reward=win)",
    "bezique_env_mini_bezique(deal=hands,rules=kqj4)",
    "bezique_env_mini_bezique(rules=qj2,dealer=0,reward=dense)",
    "bezique_env_belote(rules=bicycle,deal=hands,reward=settlement)",
    "bezique_env_belote(redeals=true,overrides=max_redeals:3,dealer=-1)",
    "bezique_env_mini_belote(rules=jqka3,deal=hands)",
]
"""Parameters of every kind."""


def load(name: str) -> Any:
    return pyspiel.load_game(name)


def play(game: Any, rng: np.random.Generator) -> Iterator[Any]:
    """Every state of a random game, the last included; chance by its probabilities."""
    state = game.new_initial_state()
    while not state.is_terminal():
        yield state
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(outcomes, p=chances)))
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))
    yield state


# ------------------------------------------------------------------------------- OpenSpiel's own tests


@pytest.mark.parametrize("variant", VARIANTS)
def test_openspiel_plays_every_variant(variant: str) -> None:
    pyspiel.random_sim_test(load(osp.PREFIX + variant), 1, True, False)


@pytest.mark.parametrize("name", WAYS)
def test_openspiel_plays_with_every_kind_of_parameter(name: str) -> None:
    pyspiel.random_sim_test(load(name), 2, True, False)


def test_the_rules_with_a_cut_are_played_too() -> None:
    game = load("bezique_env_chinese(overrides=cut_bonus:on)")
    state = game.new_initial_state()
    assert [outcome for outcome, _ in state.chance_outcomes()] == list(range(16, 33))
    assert state.action_to_string(-1, 24) == "lift 24"
    state.apply_action(24)
    state.apply_action(20)
    pyspiel.random_sim_test(game, 1, False, False)
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    assert '"cut":[24,20]' in state.information_state_string(0)


@pytest.mark.parametrize("variant", ["two_pack", "belote", "mini_bezique", "mini_belote"])
def test_its_facts_are_stated_truly(variant: str) -> None:
    game = load(osp.PREFIX + variant)
    kind = game.get_type()
    assert kind.dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL
    assert kind.chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    assert kind.information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    assert kind.utility == pyspiel.GameType.Utility.ZERO_SUM
    assert kind.reward_model == pyspiel.GameType.RewardModel.TERMINAL
    dense = load(f"{osp.PREFIX}{variant}(reward=dense)").get_type()
    assert dense.reward_model == pyspiel.GameType.RewardModel.REWARDS
    rng = np.random.default_rng(3)
    for state in play(game, rng):
        assert len(state.full_history()) <= game.max_history_length()
        assert state.move_number() <= game.max_move_number()
        chances = sum(item.player == pyspiel.PlayerId.CHANCE for item in state.full_history())
        assert chances <= game.max_chance_nodes_in_history()
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert math.isclose(sum(chance for _, chance in outcomes), 1, abs_tol=1e-12)
            assert all(type(outcome) is int and chance > 0 for outcome, chance in outcomes)
            assert [outcome for outcome, _ in outcomes] == sorted({outcome for outcome, _ in outcomes})
            with pytest.raises(RuntimeError):
                state.information_state_string()
        elif not state.is_terminal():
            assert state.legal_actions() == sorted(state.legal_actions())
            assert state.legal_actions(1 - state.current_player()) == []
        with pytest.raises(RuntimeError, match="player"):
            state.information_state_string(2)


@pytest.mark.parametrize("name", WAYS)
def test_a_state_comes_back_from_bytes_and_a_clone_goes_its_own_way(name: str) -> None:
    game, rng = load(name), np.random.default_rng(4)
    for number, state in enumerate(play(game, rng)):
        if number % 7 and not state.is_terminal():
            continue
        again, twin = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
        assert str(again) == str(game)
        assert twin.history() == state.history()
        assert str(twin) == str(state)
        assert pickle.loads(pickle.dumps(state.node)).path() == state.node.path() == tuple(state.history())
        assert copy.deepcopy(state.node) is state.node
        if not state.is_terminal():
            clone, before = state.clone(), str(state)
            clone.apply_action(clone.legal_actions()[-1])
            assert str(state) == before != str(clone)
            with pytest.raises(RuntimeError):
                state.undo_action(state.current_player(), state.legal_actions()[0])


# ------------------------------------------------------------------------------------ our texts and tables


def known_deck(node: Any) -> list[str]:
    texts = node.table.rules.family.cards.texts
    return [texts[card] for card in node.decks()[-1]]


@pytest.mark.parametrize(
    "name",
    [
        *(osp.PREFIX + variant for variant in VARIANTS),
        *(way for way in WAYS if "redeals" not in way),
        "bezique_env_rubicon(overrides=selection:explicit)",
    ],
)
def test_texts_and_observations_are_those_of_the_game_on_that_deck(name: str) -> None:
    game, rng = load(name), np.random.default_rng(5)
    *_, end = play(game, rng)
    node, table = end.node, game.table
    history = [n for n in _back(node) if n.games is not None]
    twin = Game(
        table.variant,
        rules=table.rules,
        deck=known_deck(node),
        dealer=int(history[0].games[0]["dealer"]),
        draws=table.parameters["draws"],
    )
    for k, now in enumerate(history):
        if k:
            twin.apply(now.last_action)
        step = 1 if len(table.pack) <= 64 else 9
        for seat in (0, 1):
            if k % step == 0 or now.is_over:
                assert now.information_text(seat) == twin.information_text(seat)
            row = np.zeros(table.observation_size, np.float32)
            now.observation(seat, row)
            assert np.array_equal(row, twin.observation(seat))
        if not now.is_over:
            assert now.to_act == twin.seat_to_act
            assert now.legal() == twin.legal_actions()
            assert [now.move_text(a) for a in now.legal()] == [twin.action_text(a) for a in now.legal()]
    assert end.returns() == list(twin.returns(table.parameters["reward"]))


def _back(node: Any) -> list[Any]:
    found = []
    while node is not None:
        found.append(node)
        node = node.previous
    return found[::-1]


def test_hands_that_are_dealt_again_are_told_as_the_game_tells_them() -> None:
    game = load("bezique_env_belote(redeals=true,overrides=max_redeals:2)")
    state, rng = game.new_initial_state(), np.random.default_rng(6)
    ids = {text: k for k, text in enumerate(game.table.engine.actions.texts)}
    seen = set()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(int(rng.choice(state.legal_actions())))
            continue
        twin = state.node.game()
        assert len(twin.deals) == len(state.node.deals)
        seen.add(len(twin.deals))
        for seat in (0, 1):
            assert state.information_state_string(seat) == twin.information_text(seat)
        state.apply_action(ids["pass"])
    assert seen == {0, 1, 2}
    assert state.returns() == [0.0, 0.0]


def test_without_redeals_an_annulled_hand_ends_the_game() -> None:
    game = load("bezique_env_belote")
    state, rng = game.new_initial_state(), np.random.default_rng(6)
    while state.is_chance_node():
        state.apply_action(int(rng.choice(state.legal_actions())))
    for _ in range(4):
        state.apply_action(game.table.engine.actions.id("pass"))
    assert state.is_terminal()
    assert state.returns() == [0.0, 0.0]


def test_dense_rewards_sum_to_the_returns() -> None:
    game, rng = load("bezique_env_two_pack(rules=standard,reward=dense)"), np.random.default_rng(7)
    for _ in range(5):
        total = np.zeros(2)
        for state in play(game, rng):
            total += state.rewards()
            assert state.is_chance_node() or np.array_equal(total, state.returns())
        assert state.returns()[0] == state.node.game().returns()[0]


def test_a_random_dealer_is_a_chance_node_of_two() -> None:
    state = load("bezique_env_two_pack(dealer=-1)").new_initial_state()
    assert state.chance_outcomes() == [(0, 0.5), (1, 0.5)]
    assert state.action_to_string(-1, 1) == "dealer 1"
    state.apply_action(1)
    assert state.action_to_string(-1, 7) == "deal AS"
    for dealer in (0, 1):
        state = load(f"bezique_env_mini_bezique(dealer={dealer})").new_initial_state()
        while state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
        assert state.current_player() == 1 - dealer


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("bezique_env_two_pack(rules=sari)", "did you mean 'saari'"),
        ("bezique_env_two_pack(dealer=2)", "dealer: 2 is not allowed"),
        ("bezique_env_two_pack(reward=scores)", "score_difference"),
        ("bezique_env_two_pack(deal=hand)", "did you mean 'hands'"),
        ("bezique_env_two_pack(overrides=selection)", "no 'option:value'"),
        ("bezique_env_two_pack(overrides=selektion:auto)", "did you mean 'selection'"),
        ("bezique_env_two_pack(redeals=true)", "no hand is annulled"),
        ("bezique_env_belote(redeals=true)", "max_redeals:50"),
    ],
)
def test_a_wrong_parameter_is_named(name: str, message: str) -> None:
    with pytest.raises((ValueError, RulesError), match=re.escape(message)):
        load(name)


def test_observers_have_named_pieces() -> None:
    game = load("bezique_env_two_pack")
    state = next(s for s in play(game, np.random.default_rng(8)) if not s.is_chance_node())
    seen = spiel_observation.make_observation(game)
    seen.set_from(state, 1)
    assert list(seen.dict)[:3] == ["player", "hand_one", "hand_two"]
    assert seen.dict["player"].tolist() == [0, 1]
    assert int(seen.dict["hand_one"].sum() + seen.dict["hand_two"].sum()) == 8
    assert np.array_equal(seen.tensor, np.float32(state.observation_tensor(1)))
    recall = spiel_observation.make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    recall.set_from(state, 1)
    assert recall.string_from(state, 1) == state.information_state_string(1)
    assert recall.dict["history"].shape == (game.table.most_marks, game.table.mark_size)
    own = pyspiel.IIGObservationType(
        public_info=False, perfect_recall=False, private_info=pyspiel.PrivateInfoType.SINGLE_PLAYER
    )
    private = spiel_observation.make_observation(game, own)
    private.set_from(state, 0)
    assert private.dict["hand"].sum() * 2 == 8
    assert private.string_from(state, 0).startswith("seat 0 hand ")
    nobody = pyspiel.IIGObservationType(
        public_info=True, perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE
    )
    assert spiel_observation.make_observation(game, nobody) is None


# -------------------------------------------------------------------------------------------- resampling


@pytest.mark.parametrize(
    "name",
    [
        "bezique_env_two_pack",
        "bezique_env_mini_bezique(rules=kqj4)",
        "bezique_env_mini_belote(rules=jqka3,deal=hands)",
        "bezique_env_belote",
        *WAYS,
    ],
)
def test_a_resampled_state_looks_the_same(name: str) -> None:
    """What OpenSpiel's ResampleInfostateTest checks of its games in C++."""
    game, rng = load(name), np.random.default_rng(9)
    different = 0
    for number, state in enumerate(play(game, rng)):
        if state.is_chance_node() or (number % 5 and len(game.table.pack) > 12):
            continue
        for seat in (0, 1):
            twin = state.resample_from_infostate(seat, rng.random)
            assert twin.information_state_string(seat) == state.information_state_string(seat)
            assert twin.information_state_tensor(seat) == state.information_state_tensor(seat)
            assert twin.current_player() == state.current_player()
            different += str(twin) != str(state)
    assert different


def test_resampling_draws_each_deck_that_agrees_alike() -> None:
    """Against all histories of the tree with this text: how often the other seat holds which hand."""
    table = osp.Table("mini_bezique", {"rules": "qj2", "deal": "hands"})
    node = table.root
    rng = np.random.default_rng(10)
    while node.chance is not None or len(node.actions()) < 3:
        moves = [m for m, _ in node.outcomes()] if node.chance is not None else node.legal()
        node = node.child(int(rng.choice(moves)))
    seat = node.to_act
    text = node.information_text(seat)
    exact: collections.Counter[str] = collections.Counter()
    decks = set()

    def walk(now: Any, chance: float) -> None:
        if now.chance is not None:
            for outcome, p in now.outcomes():
                walk(now.child(outcome), chance * p)
            return
        if len(now.actions()) > len(node.actions()) + 2 or now.is_over:
            return
        if now.information_text(seat) == text:
            cards = tuple(m for m, n in zip(now.path(), _back(now), strict=False) if n.chance is not None)
            if cards not in decks:  # one deck, whatever the other seat passed unseen
                decks.add(cards)
                exact[" ".join(table.face.hand(now.games[0], 1 - seat))] += chance  # type: ignore[assignment]
            return
        for action in now.legal():
            walk(now.child(action), chance)

    walk(table.root, 1.0)
    assert len(exact) > 1
    total, draws = sum(exact.values()), 1500
    found: collections.Counter[str] = collections.Counter()
    for seed in range(draws):
        twin = table.root
        for move in node.twin(seat, seed):
            twin = twin.child(move)
        found[" ".join(table.face.hand(twin.games[0], 1 - seat))] += 1
    assert set(found) <= set(exact)
    for hand, weight in exact.items():
        share = weight / total
        assert abs(found[hand] - draws * share) < 4.5 * math.sqrt(draws * share * (1 - share)) + 1


# ------------------------------------------------------------------------------------------ whole trees


class Tree:
    """Everything that is counted and compared over all histories of a small game.

    With ``hand`` only over those in which the first seat that is dealt cards is dealt this hand.
    """

    def __init__(self, variant: str, rules: str, overrides: str = "", hand: str = "") -> None:
        self.table = osp.Table(variant, {"rules": rules, "deal": "hands", "overrides": overrides})
        self.hand = [self.table.rules.family.cards.id(card) for card in hand.split()]
        self.counts: collections.Counter[str] = collections.Counter()
        self.recall: dict[str, tuple[Any, ...]] = {}
        self.tensor_of: dict[str, bytes] = {}
        self.observed: dict[bytes, set[str]] = collections.defaultdict(set)
        self.stock_sets: set[str] = set()
        self.chance = 0.0
        self.value = 0.0
        self.longest = 0
        self.best = 0.0
        kind = pyspiel.IIGObservationType(perfect_recall=True)
        self.observer = osp.SpielObserver(self.table, kind)
        self._walk(self.table.root, 1.0, ((), ()))

    def _walk(self, node: Any, chance: float, own: tuple[tuple[Any, ...], tuple[Any, ...]]) -> None:
        if node.chance is not None:
            self.counts["chance"] += 1
            for outcome, p in node.outcomes():
                k = len(node.chance.drawn)
                if node.chance.base is not None or k >= len(self.hand) or outcome == self.hand[k]:
                    self._walk(node.child(outcome), chance * p, own)
            return
        self.longest = max(self.longest, max(len(node.marks(seat)) for seat in (0, 1)))
        if node.is_over:
            self.counts["terminal"] += 1
            self.chance += chance
            self.value += chance * node.result()[0]
            self.best = max(self.best, abs(node.result()[0]))
            return
        seat = node.to_act
        text = node.information_text(seat)
        self.counts["decision"] += 1
        assert self.recall.setdefault(text, own[seat]) == own[seat], text
        if not self.table.engine.phases[int(node.games[0]["phase"])].startswith("endgame"):
            self.counts["stock"] += 1
            self.stock_sets.add(text)
        self._look(node, seat, text)
        legal = node.legal()
        for action in legal:
            mine = (*own[seat], (text, action))
            parts = (mine, own[1]) if seat == 0 else (own[0], mine)
            self._walk(node.child(action), chance / len(legal), parts)

    def _look(self, node: Any, seat: int, text: str) -> None:
        state = _Seen(node)
        self.observer.set_from(state, seat)
        digest = self.observer.tensor.tobytes()
        key = hash(digest).to_bytes(8, "little", signed=True)
        assert self.tensor_of.setdefault(text, key) == key, text
        row = self.observer.tensor[: 2 + self.table.observation_size].tobytes()
        self.observed[hash(row).to_bytes(8, "little", signed=True)].add(text)

    @property
    def tensors_are_one_to_one(self) -> bool:
        return len(set(self.tensor_of.values())) == len(self.tensor_of)

    @property
    def observations(self) -> int:
        return len(self.observed)


class _Seen:
    """What an observer needs of a state."""

    def __init__(self, node: Any) -> None:
        self.node = node


# decision nodes, information sets, terminal histories, chance nodes; those of the stock phase
COUNTS = {
    ("mini_bezique", "qj3"): (24_498, 17_310, 6_338, 1_143, 598, 242),
    ("mini_bezique", "qj2"): (73_296, 28_228, 20_336, 10_872, 7_752, 2_196),
    ("mini_belote", "jqk2"): (31_008, 15_384, 10_656, 4_837, 31_008, 15_384),
}


@pytest.fixture(scope="module")
def tree(request: pytest.FixtureRequest) -> Tree:
    return Tree(*request.param)


@pytest.mark.parametrize(
    "tree",
    [
        pytest.param(("mini_bezique", "qj3"), id="qj3"),
        pytest.param(("mini_bezique", "qj2"), id="qj2", marks=pytest.mark.slow),
        pytest.param(("mini_belote", "jqk2"), id="jqk2", marks=pytest.mark.slow),
    ],
    indirect=True,
    scope="module",
)
def test_a_whole_tree(tree: Tree) -> None:
    """Perfect recall was asserted at every decision of the walk; here what was counted."""
    table = tree.table
    counts = (
        tree.counts["decision"],
        len(tree.recall),
        tree.counts["terminal"],
        tree.counts["chance"],
        tree.counts["stock"],
        len(tree.stock_sets),
    )
    assert counts == COUNTS[table.variant, table.parameters["rules"]]
    assert math.isclose(tree.chance, 1, abs_tol=1e-9)
    assert tree.longest <= table.most_marks
    assert tree.best <= table.limits.points
    assert tree.tensors_are_one_to_one
    together = sum(len(texts) > 1 for texts in tree.observed.values())
    assert (tree.observations, together) == OBSERVATIONS[table.parameters["rules"]]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variant", "rules", "overrides", "hand"),
    [
        ("mini_belote", "jqka3", "belote_call_deadline:both_words;show_winning_sequences:false", "QH KH"),
        ("mini_bezique", "qj2", "selection:explicit", "QS JD"),
    ],
)
def test_part_of_a_tree_under_other_rules(variant: str, rules: str, overrides: str, hand: str) -> None:
    """One hand of one seat: announcements, choices of cards, melds laid without scoring."""
    tree = Tree(variant, rules, overrides, hand)
    assert tree.counts["decision"] > 1000
    assert tree.tensors_are_one_to_one
    assert tree.longest <= tree.table.most_marks
    assert tree.best <= tree.table.limits.points


# Rows of the observation alone (without history) over all information sets; rows that several sets share.
OBSERVATIONS = {"qj3": (6_971, 3_393), "qj2": (5_452, 4_744), "jqk2": (7_512, 7_392)}


def _deals(deal: str) -> dict[tuple[str, ...], float]:
    """How likely the two hands and the turn-up of qj3 are."""
    table = osp.Table("mini_bezique", {"rules": "qj3", "deal": deal})
    found: dict[tuple[str, ...], float] = collections.defaultdict(float)

    def walk(node: Any, chance: float) -> None:
        if node.chance is None:
            hands = [" ".join(table.face.hand(node.games[0], seat)) for seat in (0, 1)]
            found[hands[0], hands[1], str(int(node.games[0]["turn_up"]))] += chance
            return
        for outcome, p in node.outcomes():
            walk(node.child(outcome), chance * p)

    walk(table.root, 1.0)
    return found


def test_hands_in_ascending_order_are_as_likely_as_card_by_card() -> None:
    cards, hands = _deals("cards"), _deals("hands")
    assert len(cards) == len(hands) == 148
    assert cards.keys() == hands.keys()
    assert all(math.isclose(cards[deal], hands[deal], rel_tol=1e-12) for deal in cards)


def test_the_next_card_of_a_hand_in_ascending_order_by_brute_force() -> None:
    for copies, size in (((2, 2, 1), 3), ((1, 3, 2, 2), 4), ((4, 1), 2)):
        deck = [card for card, count in enumerate(copies) for _ in range(count)]
        hands = [tuple(sorted(hand)) for hand in itertools.combinations(deck, size)]
        for start in range(size):
            for told in {hand[:start] for hand in hands}:
                agree = [hand for hand in hands if hand[:start] == told]
                left = {card: count - told.count(card) for card, count in enumerate(copies)}
                under_way = (told[-1], told.count(told[-1]), size - start) if told else (0, 0, size)
                got = dict(osp._ascending({c: n for c, n in left.items() if n}, under_way))
                want = collections.Counter(hand[start] for hand in agree)
                assert got.keys() == want.keys()
                assert all(math.isclose(got[c], n / len(agree)) for c, n in want.items())


# --------------------------------------------------------------------------------------------- solvers

UNIFORM = {"mini_bezique": 18.65575396825397, "mini_belote": 10.970833333333333}
"""Exploitability of uniform play: `(best response to seat 1 + to seat 0) / 2` of the smallest sizes."""


@pytest.mark.parametrize("variant", ["mini_bezique", pytest.param("mini_belote", marks=pytest.mark.slow)])
def test_cfr_plus_solves_the_smallest_size(variant: str) -> None:
    """On a cached tree an iteration takes a tenth of a second."""
    game = pyspiel.convert_to_cached_tree(load(f"{osp.PREFIX}{variant}(deal=hands)"))
    uniform = pyspiel.exploitability(game, pyspiel.UniformRandomPolicy(game))
    assert math.isclose(uniform, UNIFORM[variant], rel_tol=1e-9)
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(30):
        solver.evaluate_and_update_policy()
    assert pyspiel.exploitability(game, solver.average_policy()) < 0.01 * uniform


@pytest.mark.slow
def test_the_solvers_in_python_agree() -> None:
    game = pyspiel.convert_to_cached_tree(load("bezique_env_mini_bezique(deal=hands)"))
    random = spiel_policy.UniformRandomPolicy(game)
    assert math.isclose(exploitability.exploitability(game, random), UNIFORM["mini_bezique"], rel_tol=1e-9)
    best = best_response.BestResponsePolicy(game, 0, random)
    assert best.value(game.new_initial_state()) > 0
    solver = cfr.CFRSolver(game)
    for _ in range(5):
        solver.evaluate_and_update_policy()
    assert exploitability.exploitability(game, solver.average_policy()) < UNIFORM["mini_bezique"]


@pytest.mark.slow
def test_sampling_and_search_run_on_the_large_game() -> None:
    game = load("bezique_env_two_pack")
    np.random.seed(11)  # noqa: NPY002 - OpenSpiel's samplers have no other source
    solver = external_sampling_mccfr.ExternalSamplingSolver(load("bezique_env_mini_belote"))
    solver.iteration()
    rng = np.random.RandomState(12)
    state = next(s for s in play(game, np.random.default_rng(13)) if not s.is_chance_node())
    bot = ismcts.ISMCTSBot(
        game=game,
        uct_c=200.0,
        evaluator=mcts.RandomRolloutEvaluator(1, rng),
        max_simulations=4,
        random_state=rng,
    )
    assert bot.step(state) in state.legal_actions()


@pytest.mark.slow
def test_ismcts_in_cpp_cannot_be_used_with_games_in_python() -> None:
    """Its resampling is not handed on to Python by OpenSpiel 2.0: docs say so, and this test that it is still so."""
    done = subprocess.run(
        [sys.executable, "-c", CPP_ISMCTS], capture_output=True, text=True, cwd=ROOT, timeout=250, check=False
    )
    assert done.returncode != 0
    assert "played" not in done.stdout


CPP_ISMCTS = """
import pyspiel
import bezique_env.envs.openspiel

game = pyspiel.load_game("bezique_env_mini_bezique")
state = game.new_initial_state()
while state.is_chance_node():
    state.apply_action(state.legal_actions()[0])
bot = pyspiel.ISMCTSBot(1, pyspiel.RandomRolloutEvaluator(1, 1), 1.0, 10, -1,
                        pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT, False, False)
bot.step(state)
print("played")
"""


# ------------------------------------------------------------------------------------------ import, docs


def test_the_library_does_not_load_openspiel() -> None:
    code = (
        "import sys, bezique_env; from bezique_env import Game, make_batch; print('pyspiel' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == "False"


def test_registering_again_changes_nothing() -> None:
    assert osp.register_games() == osp.GAMES == [osp.PREFIX + variant for variant in VARIANTS]
    assert set(osp.GAMES) <= set(pyspiel.registered_names())


def test_a_family_that_was_added_is_a_game_too() -> None:
    with throwaway.installed():
        table = osp.Table("duel", {"deal": "hands"})
        rng, node = np.random.default_rng(14), table.root
        while not node.is_over:
            moves = [m for m, _ in node.outcomes()] if node.chance is not None else node.legal()
            node = node.child(int(rng.choice(moves)))
        assert len(node.actions()) == table.limits.decisions
        twin = Game("duel", deck=known_deck(node), dealer=1)
        for _, action in node.actions():
            twin.apply(action)
        assert [node.information_text(s) for s in (0, 1)] == [twin.information_text(s) for s in (0, 1)]
        assert node.result() == twin.returns()


def test_the_page_runs_and_names_every_game() -> None:
    page = (ROOT / "docs" / "openspiel.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.S)
    assert len(blocks) >= 4
    for block in blocks:
        exec(compile(block, "docs/openspiel.md", "exec"), {"__name__": "page"})
    for name in osp.GAMES:
        assert f"`{name}`" in page
    for parameter in osp.PARAMETERS:
        assert f"`{parameter}`" in page
