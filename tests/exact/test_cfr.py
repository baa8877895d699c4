"""CFR+, DCFR, best responses and values, on trees that are known."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from agents.exact.cfr import (
    METHODS,
    Solver,
    SolverError,
    best_response,
    exploitability,
    uniform,
    value,
)
from agents.exact.tree import Tree
from tests.exact.plain import (
    Chance,
    Decision,
    Leaf,
    Node,
    best_of_all_plans,
    best_value,
    kuhn,
    make_tree,
    policy_of,
    strategy_of,
    uniform_policy,
    value_of,
)


def matching_pennies(stake: int) -> Node:
    """Seat 0 hides a coin, seat 1 guesses; heads pay more, so that heads are hidden and guessed more rarely."""

    def guess(coin: int) -> Node:
        won = stake if coin == 0 else 1
        return Decision(1, "guess", tuple((g, Leaf(-won if g == coin else won)) for g in (0, 1)))

    return Decision(0, "hide", tuple((coin, guess(coin)) for coin in (0, 1)))


def random_game(seed: int) -> Node:
    """A random game of two hidden cards and three bets each, with actions that are there for some cards only."""
    generator = np.random.default_rng(seed)
    values = generator.integers(-9, 10, 10_000)
    used = iter(values.tolist())

    def play(cards: tuple[int, int], seen: tuple[int, ...]) -> Node:
        if len(seen) == 4:
            return Leaf(float(next(used)))
        seat = (0, 1, 1, 0)[len(seen)]
        actions = range(1 + (cards[seat] + len(seen)) % 3)
        return Decision(seat, (seat, cards[seat], seen), tuple((a, play(cards, (*seen, a))) for a in actions))

    weights = generator.random((3, 3))
    weights /= weights.sum()
    return Chance(tuple((float(weights[a, b]), play((a, b), ())) for a in range(3) for b in range(3)))


@pytest.mark.parametrize("method", METHODS)
def test_kuhn_has_the_known_value(method: str) -> None:
    tree, _ = make_tree(kuhn())
    solver = Solver(tree, method)
    solver.run(5000)
    gap = solver.exploitability()
    assert gap.points < (1e-3 if method != "cfr" else 1e-2)
    assert abs(solver.game_value() + 1 / 18) <= gap.nash_conv
    assert gap.responses[0] >= -1 / 18 and gap.responses[1] >= 1 / 18


def test_the_known_equilibrium_of_kuhn_loses_nothing() -> None:
    root = kuhn()
    tree, keys = make_tree(root)
    for bluff in (0.0, 0.2, 1 / 3):
        policy = uniform_policy(root) | {
            (0, 0, ""): {0: 1 - bluff, 1: bluff},
            (0, 1, ""): {0: 1.0, 1: 0.0},
            (0, 2, ""): {0: 1 - 3 * bluff, 1: 3 * bluff},
            (0, 0, "pb"): {0: 1.0, 1: 0.0},
            (0, 1, "pb"): {0: 2 / 3 - bluff, 1: 1 / 3 + bluff},
            (0, 2, "pb"): {0: 0.0, 1: 1.0},
            (1, 0, "p"): {0: 2 / 3, 1: 1 / 3},
            (1, 1, "p"): {0: 1.0, 1: 0.0},
            (1, 2, "p"): {0: 0.0, 1: 1.0},
            (1, 0, "b"): {0: 1.0, 1: 0.0},
            (1, 1, "b"): {0: 2 / 3, 1: 1 / 3},
            (1, 2, "b"): {0: 0.0, 1: 1.0},
        }
        pair = tuple(strategy_of(side, k, policy) for side, k in zip(tree.sides, keys, strict=True))
        assert abs(exploitability(tree, pair).points) < 1e-12
        assert value(tree, pair) == pytest.approx(-1 / 18, abs=1e-12)


def test_pennies_are_hidden_by_the_stake() -> None:
    tree, _ = make_tree(matching_pennies(3))
    solver = Solver(tree, "cfr+")
    solver.run(20_000)
    hide, guess = solver.average()
    # Seat 1 must win and lose as much whatever it guesses: 3h = 1 - h; likewise seat 0: it gains 0.
    assert hide[1:] == pytest.approx([0.25, 0.75], abs=2e-3)
    assert guess[1:] == pytest.approx([0.5, 0.5], abs=2e-3)
    assert abs(solver.game_value()) < 1e-3


@pytest.mark.parametrize("seed", range(5))
def test_values_and_best_responses_are_those_of_brute_force(seed: int) -> None:
    root = random_game(seed)
    tree, keys = make_tree(root)
    policies = [uniform_policy(root)]
    solver = Solver(tree, "dcfr")
    solver.run(7)
    for pair in (solver.current(), solver.average()):
        policies.append(
            {
                **policy_of(tree.sides[0], keys[0], pair[0]),
                **policy_of(tree.sides[1], keys[1], pair[1]),
            }
        )
    for policy in policies:
        pair = tuple(strategy_of(side, k, policy) for side, k in zip(tree.sides, keys, strict=True))
        assert value(tree, pair) == pytest.approx(value_of(root, policy), abs=1e-12)
        gap = exploitability(tree, pair)
        for seat in (0, 1):
            assert gap.responses[seat] == pytest.approx(best_value(root, seat, policy), abs=1e-12)
            best = best_response(tree, seat, pair[1 - seat])
            reached = value(tree, (best.strategy, pair[1]) if seat == 0 else (pair[0], best.strategy))
            assert best.value == pytest.approx(reached if seat == 0 else -reached, abs=1e-12)
        assert gap.responses[0] >= value_of(root, policy) - 1e-12
        assert gap.responses[1] >= -value_of(root, policy) - 1e-12
        assert gap.points >= -1e-12


def test_best_responses_are_the_best_of_all_pure_plans() -> None:
    root = kuhn()
    policy = uniform_policy(root)
    tree, keys = make_tree(root)
    pair = tuple(strategy_of(side, k, policy) for side, k in zip(tree.sides, keys, strict=True))
    gap = exploitability(tree, pair)
    for seat in (0, 1):
        assert gap.responses[seat] == pytest.approx(best_of_all_plans(root, seat, policy), abs=1e-12)


@pytest.mark.parametrize("method", ["cfr+", "dcfr"])
def test_the_average_is_exploited_less_and_less(method: str) -> None:
    tree, _ = make_tree(random_game(1))
    solver = Solver(tree, method)
    found = []
    for _ in range(6):
        solver.run(2 ** len(found) * 10)
        found.append(solver.exploitability().points)
    assert all(later < earlier for earlier, later in itertools.pairwise(found))
    assert found[-1] < 0.02 * found[0]


def test_the_same_run_gives_the_same_bits() -> None:
    def bits(pieces: tuple[int, ...]) -> bytes:
        solver = Solver(make_tree(random_game(3))[0], "cfr+")
        for piece in pieces:
            solver.run(piece)
        return b"".join(one.tobytes() for one in solver.average() + solver.current())

    assert bits((50,)) == bits((50,)) == bits((1, 9, 40))


def test_the_order_in_which_a_tree_is_given_does_not_matter() -> None:
    def turned(node: Node) -> Node:
        if isinstance(node, Chance):
            return Chance(tuple((p, turned(child)) for p, child in reversed(node.draws)))
        if isinstance(node, Decision):
            return Decision(
                node.seat, node.key, tuple((a, turned(child)) for a, child in reversed(node.actions))
            )
        return node

    def solved(root: Node) -> tuple[Tree, float, float]:
        tree, _ = make_tree(root)
        solver = Solver(tree, "cfr+")
        solver.run(100)
        return tree, solver.game_value(), solver.exploitability().points

    tree, points, gap = solved(random_game(2))
    other, other_points, other_gap = solved(turned(random_game(2)))
    assert (tree.decisions, tree.leaves, tree.sets) == (other.decisions, other.leaves, other.sets)
    assert points == pytest.approx(other_points, abs=1e-9) and gap == pytest.approx(other_gap, abs=1e-9)


def test_mistakes_are_named() -> None:
    tree, _ = make_tree(kuhn())
    with pytest.raises(SolverError, match=r"method: 'cfr\+\+' is not allowed: one of cfr\+, dcfr, cfr"):
        Solver(tree, "cfr++")
    good = uniform(tree.sides[0])
    with pytest.raises(SolverError, match="not one of 13 sequences"):
        value(tree, (good[:-1], uniform(tree.sides[1])))
    with pytest.raises(SolverError, match="sum to 1"):
        value(tree, (2 * good, uniform(tree.sides[1])))
