"""Solve a small game exactly: ``bezique solve-mini``.

The whole tree is built, CFR+ runs on it until its average strategy is exploited by little, and the exploitability
of agents is measured in the same tree. Nothing here is random and nothing is sampled.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from agents.exact.cfr import METHODS, Exploitability, Solver, exploitability, uniform, value
from agents.exact.files import save_strategies
from agents.exact.strategies import strategies_of
from agents.exact.tree import Tree, build_tree
from agents.protocol import TellsProbabilities
from agents.registry import make_agent
from bezique_env.engine.engines import engine_of
from bezique_env.engine.version import ENGINE_VERSION
from bezique_env.envs.opponents import with_rules
from bezique_env.rules import Rules, get_rules, variants
from bezique_env.rules.families import family_of
from bezique_env.rules.registry import nearest

DEALER = 1
"""Seat 1 deals, so seat 0 leads."""
MOST_CARDS = 16
"""Cards of a pack; the trees of larger ones are out of reach."""
MOST_ITERATIONS = 1_000_000
TARGET = 0.1


def small_games() -> list[str]:
    """Return the names that :func:`solve_mini` takes, ``variant/preset``."""
    return [
        f"{variant}/{preset}"
        for variant in variants()
        for preset in family_of(variant).variants[variant].presets
        if len(get_rules(variant, preset).pack) <= MOST_CARDS
    ]


def small_rules(name: str) -> Rules:
    """Return the rules of a small game by its name, ``variant`` (its first preset) or ``variant/preset``.

    Raises:
        ValueError: no game has this name, or its pack is too large; the message names the nearest and all.
    """
    games = small_games()
    by_name = {game: game for game in reversed(games)} | {
        game.split("/")[0]: game for game in reversed(games)
    }
    if name not in by_name:
        known = f"the games that can be solved are {', '.join(games)}"
        large = name.split("/")[0] in set(variants()) - {game.split("/")[0] for game in games}
        if large:
            raise ValueError(f"solve-mini: {name!r} has too many cards for an exact tree: {known}")
        raise ValueError(f"solve-mini: there is no small game {name!r}: {known}{nearest(name, by_name)}")
    variant, _, preset = by_name[name].partition("/")
    return get_rules(variant, preset)


def _measured(tree: Tree, gap: Exploitability, points: float) -> dict[str, Any]:
    """Return the figures of a pair of strategies."""
    return {
        "exploitability": gap.points,
        "percent_of_range": 100 * gap.points / tree.score_range,
        "nash_conv": gap.nash_conv,
        "best_response_values": list(gap.responses),
        "value": points,
    }


def _next_check(iteration: int) -> int:
    """Return the iteration after which the average is measured next: by a quarter more each time."""
    return max(iteration + 1, iteration * 5 // 4)


def solve(
    tree: Tree,
    *,
    method: str = "cfr+",
    iterations: int | None = None,
    target: float | None = None,
    tell: Callable[[dict[str, Any]], None] | None = None,
) -> tuple[Solver, list[dict[str, Any]]]:
    """Run CFR until the exploitability is at most ``target`` percent of the score range, or for some iterations.

    Args:
        tree: the game.
        method: one of :data:`agents.exact.cfr.METHODS`.
        iterations: at most this many.
        target: in percent of the score range; without it all ``iterations`` are run.
        tell: called with the figures of the average whenever it is measured.

    Returns:
        The solver, and the figures in order: ``iteration``, ``seconds``, ``exploitability``,
        ``percent_of_range``, ``value``.
    """
    solver = Solver(tree, method)
    last = MOST_ITERATIONS if iterations is None else iterations
    begin = time.perf_counter()
    history: list[dict[str, Any]] = []
    while solver.iterations < last:
        solver.run(min(_next_check(solver.iterations), last) - solver.iterations)
        pair = solver.average()
        figures = _measured(tree, exploitability(tree, pair), value(tree, pair))
        history.append({"iteration": solver.iterations, "seconds": time.perf_counter() - begin, **figures})
        if tell is not None:
            tell(history[-1])
        if target is not None and figures["percent_of_range"] <= target:
            break
    return solver, history


def _build(rules: Rules, fold: bool, console: Console) -> Tree:
    """Build the tree and show how far it is."""
    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("tree", total=None)

        def tell(decisions: int, leaves: int) -> None:
            bar.update(task, description=f"tree: {decisions:,} decisions, {leaves:,} leaves")

        return build_tree(rules, dealer=DEALER, fold_endings=fold, progress=tell)


def _line(figures: dict[str, Any]) -> str:
    return (
        f"iteration {figures['iteration']:>6,}  {figures['seconds']:7.1f} s  exploitability "
        f"{figures['exploitability']:10.5f} points = {figures['percent_of_range']:9.5f} % of the score range  "
        f"value {figures['value']:+.5f}"
    )


def solve_mini(
    name: str,
    *,
    iterations: int | None = None,
    target: float | None = None,
    method: str = "cfr+",
    agents: Sequence[str] = ("random", "greedy"),
    fold: bool = True,
    out: str | Path | None = None,
    console: Console | None = None,
) -> dict[str, Any]:
    """Solve a small game and measure agents in it; print as it goes and return the results.

    Args:
        name: ``mini_bezique``, ``mini_bezique/kqj4``, ...: see :func:`small_games`.
        iterations: of CFR, at most.
        target: stop when the average strategy is exploited for at most this many percent of the score range;
            0.1 where neither is given.
        method: one of :data:`agents.exact.cfr.METHODS`.
        agents: whose exploitability is measured as well.
        fold: play endings in which nothing is hidden perfectly, for everyone; False: whatever is measured
            plays to the end of the deal by itself.
        out: an .npz file for the average strategy, see :mod:`agents.exact.files`.
        console: where to print.

    Raises:
        ValueError: an unknown game, method or agent, or numbers out of range.
    """
    if iterations is not None and iterations < 1:
        raise ValueError(f"solve-mini: --iterations {iterations} must be at least 1")
    if target is not None and not 0 < target < 100:
        raise ValueError(
            f"solve-mini: --target {target} must be above 0 and below 100 (percent of the score range)"
        )
    if method not in METHODS:
        raise ValueError(f"solve-mini: --method {method!r} is not allowed: one of {', '.join(METHODS)}")
    if out is not None and Path(out).suffix != ".npz":
        raise ValueError(f"solve-mini: --out {out} must end in .npz")
    if iterations is None and target is None:
        target = TARGET
    rules = small_rules(name)
    players = [with_rules(make_agent(text), rules) for text in agents]
    for player in players:
        if not isinstance(player, TellsProbabilities):
            raise ValueError(f"solve-mini: agent {player.name!r} does not tell how likely it takes an action")
    show = console or Console()
    tree = _build(rules, fold, show)
    endings = (
        "endings in which nothing is hidden are leaves: everyone plays them perfectly"
        if fold
        else "every deal is played to its end"
    )
    show.print(
        Text(
            f"{rules.variant}/{rules.preset}: {tree.decisions:,} decision nodes, {tree.sets:,} information sets "
            f"({tree.sides[0].sets:,} + {tree.sides[1].sets:,}), {tree.leaves:,} leaves, {tree.chances:,} chance "
            f"nodes\nscores differ by {tree.low:+d} to {tree.high:+d}, a range of {tree.score_range}; {endings}"
        )
    )
    solver, history = solve(
        tree,
        method=method,
        iterations=iterations,
        target=target,
        tell=lambda figures: show.print(Text(_line(figures))),
    )
    last = history[-1]
    high, low = last["best_response_values"][0], -last["best_response_values"][1]
    show.print(
        Text(
            f"value of the game: {last['value']:+.4f} points for seat 0, who leads (between {low:+.4f} and "
            f"{high:+.4f})"
        )
    )
    flat = uniform(tree.sides[0]), uniform(tree.sides[1])
    even = exploitability(tree, flat)
    rows = [{"agent": "uniform play", **_measured(tree, even, value(tree, flat))}]
    for player in players:
        pair = strategies_of(player, tree, engine_of(rules.variant).actions.size)
        rows.append({"agent": player.name, **_measured(tree, exploitability(tree, pair), value(tree, pair))})
    rows.append({"agent": f"average of {method}", **{key: last[key] for key in rows[0] if key != "agent"}})
    for row in rows:
        row["percent_of_uniform"] = 100 * row["exploitability"] / even.points
    show.print(_agents_table(rows, fold))
    if out is not None:
        save_strategies(out, rules, tree, solver.average())
        show.print(Text(f"the average strategy is in {out}: agents.exact.files.load_strategies reads it"))
    return {
        "variant": rules.variant,
        "preset": rules.preset,
        "rules_hash": rules.hash,
        "engine_version": ENGINE_VERSION,
        "dealer": DEALER,
        "endings_folded": fold,
        "decision_nodes": tree.decisions,
        "chance_nodes": tree.chances,
        "leaves": tree.leaves,
        "information_sets": [side.sets for side in tree.sides],
        "score_difference": [tree.low, tree.high],
        "method": method,
        "value": last["value"],
        "value_bounds": [low, high],
        "history": history,
        "agents": rows,
    }


def _agents_table(rows: Sequence[dict[str, Any]], fold: bool) -> Table:
    """Return the exploitability of agents as a table."""
    title = "Exact exploitability, points a deal against a best response, the mean over both seats"
    if fold:
        title += "; endings in which nothing is hidden are played perfectly by both, not by the agent"
    table = Table(title=title, title_justify="left")
    for header in (
        "agent",
        "exploitability",
        "% of uniform play",
        "% of the score range",
        "value to the leader",
    ):
        table.add_column(header, justify="left" if header == "agent" else "right")
    for row in rows:
        table.add_row(
            Text(row["agent"]),
            f"{row['exploitability']:.4f}",
            f"{row['percent_of_uniform']:.3f}",
            f"{row['percent_of_range']:.4f}",
            f"{row['value']:+.4f}",
        )
    return table


def solve_command(name: str, *, as_json: bool, **options: Any) -> None:
    """Run ``bezique solve-mini``: tables, or JSON alone with the progress on standard error."""
    console = Console(stderr=as_json)
    if not console.is_terminal:
        console.width = 200
    result = solve_mini(name, console=console, **options)
    if as_json:
        print(json.dumps(result, indent=2))
