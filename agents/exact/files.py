"""Strategies in files: an .npz with the strategy of both seats and what it belongs to.

Sets and sequences stand in the order of :func:`agents.exact.tree.build_tree`, which is the same on every machine, so
a tree that is built again fits the file.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from agents.exact.cfr import Strategy, check_strategy
from agents.exact.tree import Tree
from bezique_env.engine.version import ENGINE_VERSION
from bezique_env.rules import Rules

STRATEGY_FORMAT = "bezique-strategy/1"


def _facts(rules: Rules, tree: Tree) -> dict[str, Any]:
    """Return what a file and a tree must agree in."""
    return {
        "format": STRATEGY_FORMAT,
        "engine_version": ENGINE_VERSION,
        "variant": rules.variant,
        "rules_hash": rules.hash,
        "folded": tree.folded,
        "sequences": [side.sequences for side in tree.sides],
    }


def save_strategies(
    path: str | Path, rules: Rules, tree: Tree, strategies: tuple[Strategy, Strategy]
) -> None:
    """Write the strategies of both seats.

    Args:
        path: the file, ending in ``.npz``.
        rules: of the tree.
        tree: the game.
        strategies: of seat 0 and of seat 1.

    Raises:
        ValueError: the name ends otherwise.
        SolverError: a strategy is not one of its seat.
    """
    if Path(path).suffix != ".npz":
        raise ValueError(f"strategies: {path} must end in .npz")
    arrays: dict[str, Any] = {name: np.array(fact) for name, fact in _facts(rules, tree).items()}
    for seat, (side, strategy) in enumerate(zip(tree.sides, strategies, strict=True)):
        arrays[f"strategy_{seat}"] = check_strategy(side, strategy)
    np.savez_compressed(path, **arrays)


def load_strategies(path: str | Path, rules: Rules, tree: Tree) -> tuple[Strategy, Strategy]:
    """Return the strategies of a file that :func:`save_strategies` wrote for the same tree.

    Raises:
        ValueError: no such file of strategies, or one of another game, engine version or kind of tree; the message
            names what differs.
    """
    try:
        with np.load(path, allow_pickle=False) as content:
            found = {name: content[name].tolist() for name in _facts(rules, tree)}
            strategies = [content[f"strategy_{seat}"] for seat in (0, 1)]
    except (KeyError, ValueError) as error:
        raise ValueError(f"{path} is no file of strategies: {error}") from None
    for name, mine in _facts(rules, tree).items():
        if found[name] != mine:
            raise ValueError(f"{path} was written with {name} {found[name]!r}, here it is {mine!r}")
    return check_strategy(tree.sides[0], strategies[0]), check_strategy(tree.sides[1], strategies[1])
