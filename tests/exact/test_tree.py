"""Trees of the small games: counts, information sets, draws, folded endings, agents."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from agents.exact import walk as kn
from agents.exact.cfr import Solver, Strategy, exploitability, uniform, value
from agents.exact.strategies import strategies_of, strategy_of
from agents.exact.tree import Side, Tree, TreeError, build_tree, walk_through
from agents.registry import AgentError, make_agent
from bezique_env.engine.engines import engine_of
from bezique_env.rules import get_rules
from bezique_env.rules.belote import index as ix
from tests.exact.games import Fold, Walker, never, playing, stock_gone
from tests.exact.plain import Node, best_value, make_tree, uniform_policy, value_of

ROOT = Path(__file__).resolve().parents[2]
# What exact enumeration by a program of its own gave: information sets, decision nodes, leaves; folded or not.
COUNTS = {
    ("mini_bezique/qj3", True): (242, 598, 930),
    ("mini_bezique/qj2", True): (2_196, 7_752, 8_712),
    ("mini_bezique/kqj4", True): (533_848, 4_337_892, 7_871_688),
    # From here on what this tree had when it was written.
    ("mini_bezique/qj3", False): (17_310, 24_498, 6_338),
    ("mini_bezique/qj2", False): (28_228, 73_296, 20_336),
    ("mini_belote/jqk2", True): (120, 480, 2_880),
    ("mini_belote/jqk2", False): (15_384, 31_008, 10_656),
    ("mini_belote/jqka2", True): (225_424, 782_976, 266_496),
    ("mini_belote/jqka3", True): (2_784, 13_056, 46_656),
}
SLOW = pytest.mark.slow
SMALL = [case for case in COUNTS if case != ("mini_bezique/kqj4", True)]


@functools.cache
def tree_of(name: str, fold: bool = True, dealer: int = 1) -> Tree:
    variant, _, preset = name.partition("/")
    return build_tree(get_rules(variant, preset), fold_endings=fold, dealer=dealer)


def both_uniform(tree: Tree) -> tuple[Strategy, Strategy]:
    return uniform(tree.sides[0]), uniform(tree.sides[1])


@functools.cache
def walked(name: str, fold: Fold) -> tuple[Walker, Node]:
    variant, _, preset = name.partition("/")
    walker = Walker(get_rules(variant, preset), fold)
    return walker, walker.root()


@pytest.mark.parametrize(("name", "fold"), SMALL)
def test_counts_are_pinned(name: str, fold: bool) -> None:
    tree = tree_of(name, fold)
    assert (tree.sets, tree.decisions, tree.leaves) == COUNTS[name, fold]


def check_against_game(name: str, fold: Fold) -> None:
    """The tree of the kernels beside one that ``Game`` makes: the same sets in the same places, the same values."""
    walker, root = walked(name, fold)
    plain, texts = make_tree(root)  # asserts perfect recall of the texts
    tree = tree_of(name, fold is not never)
    assert (tree.decisions, tree.leaves, tree.sets) == (plain.decisions, plain.leaves, plain.sets)
    # The n-th decision of both walks: sets numbered by first appearance are the same ones exactly when the n-th
    # text and the n-th set stand for each other, one-to-one.
    assert np.array_equal(tree.visits, plain.visits)
    for mine, theirs, names in zip(tree.sides, plain.sides, texts, strict=True):
        assert np.array_equal(mine.parent, theirs.parent)
        assert np.array_equal(mine.first, theirs.first)
        assert np.array_equal(mine.actions, theirs.actions)
        assert mine.views is not None
        for view, text in zip(mine.views, names, strict=True):
            assert view.tobytes() == walker.views[str(text)].tobytes()
    for mine_, theirs_ in zip(tree.payoffs, plain.payoffs, strict=True):
        assert np.array_equal(mine_.start, theirs_.start) and np.array_equal(mine_.column, theirs_.column)
        assert np.abs(mine_.weight - theirs_.weight).max() < 1e-12


@pytest.mark.parametrize(
    ("name", "fold"),
    [("mini_bezique/qj3", stock_gone), ("mini_bezique/qj2", stock_gone), ("mini_belote/jqk2", playing)],
)
def test_information_sets_are_the_texts_of_game(name: str, fold: Fold) -> None:
    check_against_game(name, fold)


@SLOW
def test_information_sets_are_the_texts_of_game_to_the_end() -> None:
    check_against_game("mini_bezique/qj3", never)


@pytest.mark.parametrize(("name", "fold"), SMALL)
def test_sets_stand_behind_the_sequences_that_lead_to_them(name: str, fold: bool) -> None:
    """Perfect recall: a set has one last own sequence, of a set before it."""
    for side in tree_of(name, fold).sides:
        assert np.all(side.parent < side.first[:-1])
        assert np.all(np.diff(side.first) > 0) and side.first[0] == 1 and side.first[-1] == side.sequences


@pytest.mark.parametrize(
    "name", ["mini_bezique/qj3", "mini_bezique/qj2", "mini_belote/jqk2", "mini_belote/jqka3"]
)
def test_the_probabilities_of_all_leaves_sum_to_one(name: str) -> None:
    variant, _, preset = name.partition("/")
    tree = tree_of(name)
    walk = walk_through(get_rules(variant, preset), 1, True)
    leaves = walk.leaves[: walk.counts[kn.LEAVES]]
    total = leaves["chance"].copy()
    for seat, side in enumerate(tree.sides):
        plan = np.ones(side.sequences)
        for k in range(side.sets):
            own = slice(side.first[k], side.first[k + 1])
            plan[own] = plan[side.parent[k]] / (side.first[k + 1] - side.first[k])
        total *= plan[leaves["sequence"][:, seat]]
    assert total.sum() == pytest.approx(1.0, abs=1e-12)


def solved(tree: Tree, iterations: int) -> tuple[float, float]:
    """Bounds of the value of a game."""
    solver = Solver(tree, "cfr+")
    solver.run(iterations)
    gap = solver.exploitability()
    return -gap.responses[1], gap.responses[0]


@pytest.mark.parametrize("name", ["mini_bezique/qj3", "mini_bezique/qj2", "mini_belote/jqk2"])
def test_folded_endings_change_nothing_of_the_value(name: str) -> None:
    folded, whole = tree_of(name, True), tree_of(name, False)
    low, high = solved(folded, 400)
    other_low, other_high = solved(whole, 400)
    assert high - low < 0.01 and other_high - other_low < 0.01
    assert max(low, other_low) <= min(high, other_high)
    assert (folded.low, folded.high) == (whole.low, whole.high)


def test_the_value_of_the_smallest_games() -> None:
    for name, points in (("mini_bezique/qj2", -0.571), ("mini_bezique/qj3", -1.072)):
        low, high = solved(tree_of(name), 1000)
        assert low - 1e-3 <= points <= high + 1e-3 and high - low < 1e-3


@pytest.mark.parametrize("name", ["mini_bezique/qj2", "mini_belote/jqk2"])
def test_the_dealers_seat_does_not_matter(name: str) -> None:
    first, second = tree_of(name), tree_of(name, True, 0)
    assert first.sides[0].sets == second.sides[1].sets and first.sides[1].sets == second.sides[0].sets
    assert (first.decisions, first.leaves) == (second.decisions, second.leaves)
    assert value(first, both_uniform(first)) == pytest.approx(-value(second, both_uniform(second)), abs=1e-12)
    one, two = exploitability(first, both_uniform(first)), exploitability(second, both_uniform(second))
    assert one.responses == pytest.approx(two.responses[::-1], abs=1e-12)


@pytest.mark.parametrize(("name", "fold"), [("mini_bezique/qj3", stock_gone), ("mini_belote/jqk2", playing)])
def test_agents_are_exploited_as_brute_force_says(name: str, fold: Fold) -> None:
    walker, root = walked(name, fold)
    tree = tree_of(name)
    size = engine_of(name.partition("/")[0]).actions.size
    for agent, policy in (
        (make_agent("random"), uniform_policy(root)),
        (make_agent("greedy"), walker.policy(make_agent("greedy"))),
    ):
        pair = strategies_of(agent, tree, size)
        assert value(tree, pair) == pytest.approx(value_of(root, policy), abs=1e-12)
        gap = exploitability(tree, pair)
        for seat in (0, 1):
            assert gap.responses[seat] == pytest.approx(best_value(root, seat, policy), abs=1e-12)
        assert gap.points > 0


def test_hands_that_are_dealt_again() -> None:
    """A second hand after two rounds of passes is a game of its own, with the other dealer."""
    rules = get_rules("mini_belote", "jqk2")

    def build(redeals: int, dealer: int) -> Tree:
        vector = rules.vector.copy()
        vector[ix.ALL_PASS], vector[ix.MAX_REDEALS] = ix.PASS_NEXT_DEALER, redeals
        return build_tree(dataclasses.replace(rules, vector=vector), dealer=dealer)

    once, other, twice = build(0, 1), build(0, 0), build(1, 1)
    # Uniform play passes four times with 1/2 (accept or pass) and 1/2 (name the other suit or pass).
    passed = 1 / 2**4
    assert value(twice, both_uniform(twice)) == pytest.approx(
        value(once, both_uniform(once)) + passed * value(other, both_uniform(other)), abs=1e-12
    )
    deals = once.chances  # one deal, and one more draw for each way in which it is taken
    assert twice.sets > once.sets and twice.decisions > 50 * once.decisions and deals > 1


DIGEST = """
import hashlib
from agents.exact.cfr import Solver
from agents.exact.tree import build_tree
from bezique_env.rules import get_rules

tree = build_tree(get_rules("mini_bezique", "qj2"))
solver = Solver(tree, "cfr+")
solver.run(20)
digest = hashlib.sha256()
for side, payoffs, strategy in zip(tree.sides, tree.payoffs, solver.average()):
    for array in (side.parent, side.first, side.actions, side.views, payoffs.start, payoffs.column,
                  payoffs.weight, strategy, tree.visits):
        digest.update(array.tobytes())
print(digest.hexdigest())
"""


def test_the_tree_does_not_depend_on_hash_seeds() -> None:
    tree_of("mini_bezique/qj2")  # compiled before two processes need it
    found = set()
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", DIGEST],
            capture_output=True,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            timeout=280,
        )
        found.add(done.stdout)
    assert len(found) == 1 and len(found.pop()) == 2 * hashlib.sha256().digest_size + 1


def test_what_cannot_be_built_is_refused() -> None:
    rules = get_rules("mini_bezique", "kqj4")
    with pytest.raises(TreeError, match="mini_bezique kqj4: the tree has more than 1,000 decisions"):
        build_tree(rules, max_nodes=1000)
    with pytest.raises(TreeError, match="dealer: 2 is not allowed"):
        build_tree(rules, dealer=2)


class Strange:
    """An agent whose probabilities are none."""

    name = "strange"

    def act(self, views, masks, keys):  # type: ignore[no-untyped-def]
        return masks.argmax(axis=1)

    def probabilities(self, views, masks):  # type: ignore[no-untyped-def]
        return np.full(masks.shape, 0.5)


class Silent:
    name = "silent"

    def act(self, views, masks, keys):  # type: ignore[no-untyped-def]
        return masks.argmax(axis=1)


def test_agents_that_do_not_tell_are_refused() -> None:
    side: Side = tree_of("mini_bezique/qj3").sides[0]
    with pytest.raises(AgentError, match="'strange': its probabilities of the legal actions do not sum to 1"):
        strategy_of(Strange(), side, 96)
    with pytest.raises(AgentError, match="'silent' does not tell how likely"):
        strategy_of(Silent(), side, 96)  # type: ignore[arg-type]


@SLOW
def test_the_game_of_half_a_million_sets_is_solved() -> None:
    name = "mini_bezique/kqj4"
    began = time.process_time()
    tree = build_tree(get_rules("mini_bezique", "kqj4"))
    assert (tree.sets, tree.decisions, tree.leaves) == COUNTS[name, True]
    even = exploitability(tree, both_uniform(tree))
    assert even.points == pytest.approx(30.525, abs=1e-3)
    solver = Solver(tree, "cfr+")
    solver.run(81)
    gap = solver.exploitability()
    assert gap.points < 0.001 * tree.score_range and gap.points == pytest.approx(0.021, abs=1e-3)
    assert -gap.responses[1] < -3.70 < gap.responses[0]
    assert time.process_time() - began < 150  # seconds of one core, compiling included; usually a fifth
