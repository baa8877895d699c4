"""Agreement with OpenSpiel's own solvers to 1e-9 (where OpenSpiel is installed)."""

from __future__ import annotations

import functools
from collections.abc import Hashable
from typing import Any

import numpy as np
import pytest

from agents.exact.cfr import Solver, Strategy, exploitability, uniform, value
from agents.exact.tree import Tree, build_tree
from bezique_env.rules import get_rules
from tests.exact.plain import from_openspiel, make_tree

pyspiel = pytest.importorskip("pyspiel")
cfr = pytest.importorskip("open_spiel.python.algorithms.cfr")
discounted_cfr = pytest.importorskip("open_spiel.python.algorithms.discounted_cfr")
theirs = pytest.importorskip("open_spiel.python.algorithms.exploitability")
expected_game_score = pytest.importorskip("open_spiel.python.algorithms.expected_game_score")
policy_lib = pytest.importorskip("open_spiel.python.policy")

CLOSE = 1e-9
GAMES = ["kuhn_poker", "leduc_poker"]
Keys = tuple[list[Hashable], list[Hashable]]


@pytest.fixture(scope="module", params=GAMES)
def game(request: pytest.FixtureRequest) -> tuple[Any, Tree, Keys]:
    loaded = pyspiel.load_game(request.param)
    return loaded, *make_tree(from_openspiel(loaded.new_initial_state()))


def tabular(game: Any, tree: Tree, keys: Keys, pair: tuple[Strategy, Strategy]) -> Any:
    """Our strategies as a policy of OpenSpiel."""
    table = policy_lib.TabularPolicy(game)
    for side, names, strategy in zip(tree.sides, keys, pair, strict=True):
        for k, name in enumerate(names):
            row = table.policy_for_key(name)
            row[:] = 0
            for q in range(side.first[k], side.first[k + 1]):
                row[side.actions[q]] = strategy[q]
    return table


def assert_same_policy(tree: Tree, keys: Keys, pair: tuple[Strategy, Strategy], table: Any) -> None:
    for side, names, strategy in zip(tree.sides, keys, pair, strict=True):
        for k, name in enumerate(names):
            row = table.policy_for_key(name)
            own = slice(side.first[k], side.first[k + 1])
            assert np.abs(row[side.actions[own]] - strategy[own]).max() < CLOSE, name


def check_measures(game: Any, tree: Tree, keys: Keys, pair: tuple[Strategy, Strategy]) -> Any:
    """Compare exploitability, NashConv and the gains of both best responses; return the policy of OpenSpiel."""
    table = tabular(game, tree, keys, pair)
    gap = exploitability(tree, pair)
    full = theirs.nash_conv(game, table, return_only_nash_conv=False)
    assert gap.points == pytest.approx(full.nash_conv / 2, abs=CLOSE)
    assert gap.nash_conv == pytest.approx(full.nash_conv, abs=CLOSE)
    own = value(tree, pair)
    for seat, sign in ((0, 1), (1, -1)):
        assert gap.responses[seat] - sign * own == pytest.approx(full.player_improvements[seat], abs=CLOSE)
    return table


def check_value(game: Any, tree: Tree, pair: tuple[Strategy, Strategy], table: Any) -> None:
    score = expected_game_score.policy_value(game.new_initial_state(), [table, table])
    assert value(tree, pair) == pytest.approx(score[0], abs=CLOSE)
    assert exploitability(tree, pair).points == pytest.approx(theirs.exploitability(game, table), abs=CLOSE)


@pytest.mark.parametrize(("method", "iterations"), [("cfr", 12), ("cfr+", 12), ("dcfr", 12)])
def test_the_same_strategies_after_every_iteration(
    game: tuple[Any, Tree, Keys], method: str, iterations: int
) -> None:
    loaded, tree, keys = game
    makers = {"cfr": cfr.CFRSolver, "cfr+": cfr.CFRPlusSolver, "dcfr": discounted_cfr.DCFRSolver}
    other = makers[method](loaded)
    solver = Solver(tree, method)
    for _ in range(iterations):
        other.evaluate_and_update_policy()
        solver.run()
        assert_same_policy(tree, keys, solver.current(), other.current_policy())
        assert_same_policy(tree, keys, solver.average(), other.average_policy())


def test_the_same_exploitability_values_and_best_responses(game: tuple[Any, Tree, Keys]) -> None:
    loaded, tree, keys = game
    solver = Solver(tree, "cfr+")
    pairs = [(uniform(tree.sides[0]), uniform(tree.sides[1]))]
    for iterations in (1, 5, 60):
        solver.run(iterations)
        pairs += [solver.average(), solver.current()]
    for pair in pairs:
        check_value(loaded, tree, pair, check_measures(loaded, tree, keys, pair))


# ------------------------------------------------------------------------- the small games, to the last card


@functools.cache
def compiled(name: str, preset: str) -> tuple[Any, Tree, Keys]:
    """A small game as OpenSpiel has it, and our tree of it with the texts of its information sets."""
    pytest.importorskip("bezique_env.envs.openspiel")
    # Hands are dealt at once, each in ascending order: the same draws in the same order as in our tree.
    loaded = pyspiel.load_game(f"bezique_env_{name}(rules={preset},deal=hands)")
    plain, keys = make_tree(from_openspiel(loaded.new_initial_state()))
    tree = build_tree(get_rules(name, preset), fold_endings=False)
    # One-to-one: the n-th decision of both walks is in the same set, sets numbered by first appearance.
    assert np.array_equal(tree.visits, plain.visits)
    for mine, their in zip(tree.sides, plain.sides, strict=True):
        assert np.array_equal(mine.parent, their.parent)
        assert np.array_equal(mine.first, their.first) and np.array_equal(mine.actions, their.actions)
    for one, other in zip(tree.payoffs, plain.payoffs, strict=True):
        assert np.array_equal(one.column, other.column) and np.abs(one.weight - other.weight).max() < 1e-12
    # Best responses of OpenSpiel walk the game again and again, the Python game once.
    return pyspiel.convert_to_cached_tree(loaded), tree, keys


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.xdist_group("openspiel_minis")
@pytest.mark.parametrize(
    ("name", "preset", "iterations"),
    [("mini_bezique", "qj3", 0), ("mini_belote", "jqk2", 30)],
)
def test_small_games_to_the_last_card(name: str, preset: str, iterations: int) -> None:
    """Uniform play (no iterations) and our CFR+ average are exploited in OpenSpiel as here."""
    loaded, tree, keys = compiled(name, preset)
    solver = Solver(tree, "cfr+")
    solver.run(iterations)
    check_measures(loaded, tree, keys, solver.average())
