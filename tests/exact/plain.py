"""Trees in plain Python, for games that are given as nested nodes, and their values by brute force.

This is the referee of the compiled solver: nothing here knows sequences or sparse matrices but :func:`make_tree`.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from agents.exact.tree import Side, Tree, make_payoffs


@dataclass(frozen=True)
class Leaf:
    value: float


@dataclass(frozen=True)
class Chance:
    draws: tuple[tuple[float, Node], ...]


@dataclass(frozen=True)
class Decision:
    seat: int
    key: Hashable
    """Of the information set; distinct for the two seats."""
    actions: tuple[tuple[int, Node], ...]


Node: TypeAlias = Leaf | Chance | Decision
Policy: TypeAlias = Mapping[Hashable, Mapping[int, float]]
"""Information set -> action -> probability."""


def nodes(node: Node) -> Iterator[Node]:
    """Depth first, parents first."""
    yield node
    if isinstance(node, Chance):
        for _, child in node.draws:
            yield from nodes(child)
    elif isinstance(node, Decision):
        for _, child in node.actions:
            yield from nodes(child)


def sets_of(root: Node) -> dict[Hashable, tuple[int, tuple[int, ...]]]:
    """Information set -> (seat, actions), by first appearance."""
    found: dict[Hashable, tuple[int, tuple[int, ...]]] = {}
    for node in nodes(root):
        if isinstance(node, Decision):
            actions = tuple(action for action, _ in node.actions)
            assert found.setdefault(node.key, (node.seat, actions)) == (node.seat, actions)
    return found


def uniform_policy(root: Node) -> dict[Hashable, dict[int, float]]:
    return {key: {a: 1 / len(actions) for a in actions} for key, (_, actions) in sets_of(root).items()}


def value_of(node: Node, policy: Policy) -> float:
    """Expected value for seat 0."""
    if isinstance(node, Leaf):
        return node.value
    if isinstance(node, Chance):
        return sum(p * value_of(child, policy) for p, child in node.draws)
    return sum(policy[node.key][action] * value_of(child, policy) for action, child in node.actions)


def best_value(root: Node, seat: int, policy: Policy) -> float:
    """Value of the best response of a seat, for itself: for each of its sets, all nodes of it are weighed together."""
    sign = 1 if seat == 0 else -1
    members: dict[Hashable, list[tuple[float, Decision]]] = {}

    def collect(node: Node, reach: float) -> None:
        if isinstance(node, Chance):
            for p, child in node.draws:
                collect(child, reach * p)
        elif isinstance(node, Decision):
            if node.seat == seat:
                members.setdefault(node.key, []).append((reach, node))
            for action, child in node.actions:
                collect(child, reach * (1 if node.seat == seat else policy[node.key][action]))

    collect(root, 1.0)
    chosen: dict[Hashable, int] = {}

    def choose(key: Hashable) -> int:
        if key not in chosen:
            group = members[key]
            scores = [
                sum(reach * value(node.actions[k][1]) for reach, node in group)
                for k in range(len(group[0][1].actions))
            ]
            chosen[key] = max(range(len(scores)), key=lambda k: scores[k])
        return chosen[key]

    def value(node: Node) -> float:
        if isinstance(node, Leaf):
            return sign * node.value
        if isinstance(node, Chance):
            return sum(p * value(child) for p, child in node.draws)
        if node.seat == seat:
            return value(node.actions[choose(node.key)][1])
        return sum(policy[node.key][action] * value(child) for action, child in node.actions)

    return value(root)


def best_of_all_plans(root: Node, seat: int, policy: Policy) -> float:
    """The same by trying every pure strategy of the seat, for games with very few."""
    own = [(key, actions) for key, (who, actions) in sets_of(root).items() if who == seat]
    sign = 1 if seat == 0 else -1
    best = -np.inf
    for choice in itertools.product(*(actions for _, actions in own)):
        pure = {key: {a: float(a == c) for a in acts} for (key, acts), c in zip(own, choice, strict=True)}
        best = max(best, sign * value_of(root, {**policy, **pure}))
    return float(best)


def make_tree(root: Node) -> tuple[Tree, tuple[list[Hashable], list[Hashable]]]:
    """The tree in sequence form, and the information sets of both seats in its order."""
    place: tuple[dict[Hashable, int], dict[Hashable, int]] = ({}, {})
    parent: tuple[list[int], list[int]] = ([], [])
    actions: tuple[list[int], list[int]] = ([-1], [-1])
    first: tuple[list[int], list[int]] = ([], [])
    leaves: list[tuple[int, int, float]] = []
    counts = [0, 0, 0]
    order: dict[Hashable, int] = {}
    visits: list[int] = []
    values: list[float] = []

    def go(node: Node, last: tuple[int, int], chance: float) -> None:
        if isinstance(node, Leaf):
            counts[2] += 1
            values.append(node.value)
            leaves.append((*last, chance * node.value))
            return
        if isinstance(node, Chance):
            counts[1] += 1
            assert abs(sum(p for p, _ in node.draws) - 1) < 1e-12
            for p, child in node.draws:
                go(child, last, chance * p)
            return
        counts[0] += 1
        s = node.seat
        visits.append(order.setdefault(node.key, len(order)))
        if node.key not in place[s]:
            place[s][node.key] = len(parent[s])
            parent[s].append(last[s])
            first[s].append(len(actions[s]))
            actions[s].extend(action for action, _ in node.actions)
        k = place[s][node.key]
        assert parent[s][k] == last[s], "perfect recall"
        for j, (action, child) in enumerate(node.actions):
            assert actions[s][first[s][k] + j] == action
            mine = first[s][k] + j
            go(child, (mine, last[1]) if s == 0 else (last[0], mine), chance)

    go(root, (0, 0), 1.0)
    sides = tuple(
        Side(
            np.array(parent[s], np.int64),
            np.array([*first[s], len(actions[s])], np.int64),
            np.array(actions[s], np.int64),
        )
        for s in (0, 1)
    )
    payoffs = make_payoffs(
        np.array([row for row, _, _ in leaves], np.int32),
        np.array([column for _, column, _ in leaves], np.int32),
        np.array([weight for _, _, weight in leaves], np.float64),
        (sides[0].sequences, sides[1].sequences),
    )
    low, high = int(np.floor(min(values))), int(np.ceil(max(values)))
    tree = Tree((sides[0], sides[1]), payoffs, *counts, low, high, False, np.array(visits, np.int32))
    return tree, (list(place[0]), list(place[1]))


def strategy_of(side: Side, keys: list[Hashable], policy: Policy) -> np.ndarray:
    """A policy as a strategy of a side whose sets are the keys."""
    strategy = np.ones(side.sequences)
    for k, key in enumerate(keys):
        for q in range(side.first[k], side.first[k + 1]):
            strategy[q] = policy[key][int(side.actions[q])]
    return strategy


def policy_of(side: Side, keys: list[Hashable], strategy: np.ndarray) -> dict[Hashable, dict[int, float]]:
    return {
        key: {int(side.actions[q]): float(strategy[q]) for q in range(side.first[k], side.first[k + 1])}
        for k, key in enumerate(keys)
    }


def kuhn() -> Node:
    """Kuhn's poker: three cards, one bet; its value for the first player is -1/18."""

    def leaf(cards: tuple[int, int], stake: int) -> Leaf:
        return Leaf(stake if cards[0] > cards[1] else -stake)

    def game(cards: tuple[int, int]) -> Node:
        a, b = cards
        call = Decision(0, (0, a, "pb"), ((0, Leaf(-1)), (1, leaf(cards, 2))))
        checked = Decision(1, (1, b, "p"), ((0, leaf(cards, 1)), (1, call)))
        bet = Decision(1, (1, b, "b"), ((0, Leaf(1)), (1, leaf(cards, 2))))
        return Decision(0, (0, a, ""), ((0, checked), (1, bet)))

    return Chance(tuple((1 / 6, game(cards)) for cards in itertools.permutations(range(3), 2)))


def from_openspiel(state: object) -> Node:
    """The nodes of a game of OpenSpiel; information sets are its own texts."""
    if state.is_terminal():  # type: ignore[attr-defined]
        return Leaf(state.returns()[0])  # type: ignore[attr-defined]
    if state.is_chance_node():  # type: ignore[attr-defined]
        return Chance(tuple((p, from_openspiel(state.child(a))) for a, p in state.chance_outcomes()))  # type: ignore[attr-defined]
    seat = state.current_player()  # type: ignore[attr-defined]
    return Decision(
        seat,
        state.information_state_string(seat),  # type: ignore[attr-defined]
        tuple((a, from_openspiel(state.child(a))) for a in state.legal_actions()),  # type: ignore[attr-defined]
    )
