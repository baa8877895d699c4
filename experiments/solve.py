"""``bezique solve``: a position under best play, move by move."""

from __future__ import annotations

import json as json_module
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from agents.endgame.lastdraw import MOST_DEALS, average_last_draw, hidden_of, solve_last_draw
from agents.endgame.solve import Solution, solve
from bezique_env.game import Game
from bezique_env.position import SEATS


def solution_report(game: Game, solution: Solution) -> dict[str, Any]:
    """Return a solution with the texts of its actions, as JSON takes it."""
    return {
        "variant": game.variant,
        "seat": solution.seat,
        "value": solution.value,
        "moves": [
            {"action": game.action_text(action), "value": value, "loses": solution.regret(action)}
            for action, value in sorted(solution.values.items(), key=lambda item: (-item[1], item[0]))
        ],
        "line": [{"seat": seat, "action": game.action_text(action)} for seat, action in solution.line],
    }


def last_draw_report(game: Game) -> dict[str, Any]:
    """Return what there is to say of a position with one stock trick left, where cards are hidden.

    The equilibrium over all joint deals where they are few enough, else the mean of the open-card values over the
    deals that the seat to act may be facing.
    """
    deals = hidden_of(game)[0].count_deals()
    if deals > MOST_DEALS:
        mean = average_last_draw(game)
        moves: list[dict[str, Any]] = [
            {"action": game.action_text(int(action)), "mean": float(value)}
            for action, value in zip(mean.actions, mean.values, strict=True)
        ]
        moves.sort(key=lambda move: -move["mean"])
        return {
            "variant": game.variant,
            "seat": mean.seat,
            "moves": moves,
            "worlds": mean.worlds,
            "joint_deals": deals,
        }
    found = solve_last_draw(game)
    rows: list[dict[str, Any]] = [
        {"action": game.action_text(int(action)), "probability": float(often), "points": float(points)}
        for action, often, points in zip(found.actions, found.probabilities, found.values, strict=True)
    ]
    rows.sort(key=lambda row: (-row["probability"], -row["points"]))
    return {
        "variant": game.variant,
        "seat": found.seat,
        "moves": rows,
        "joint_deals": found.deals,
        "information_sets": found.sets,
        "gap": found.gap,
    }


def _table(title: str, headers: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    console = Console()
    if not console.is_terminal:
        console.width = 100
    table = Table(title=title, title_justify="left")
    for k, header in enumerate(headers):
        table.add_column(header, justify="right" if k else "left")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console.print(table)


def _print_ending(report: dict[str, Any]) -> None:
    seat = report["seat"]
    _table(
        f"{report['variant']}, seat {seat} to act",
        ("move", f"final points, seat {seat} less seat {1 - seat}", "loses"),
        [(move["action"], f"{move['value']:+}", str(move["loses"])) for move in report["moves"]],
    )
    print("A best line (seat: move): " + ", ".join(f"{m['seat']}: {m['action']}" for m in report["line"]))


def _print_last_draw(report: dict[str, Any]) -> None:
    seat = report["seat"]
    title = f"{report['variant']}, the last stock trick, seat {seat} to act"
    points = f"points, seat {seat} less seat {1 - seat}"
    if "worlds" in report:
        _table(title, ("move", points), [(m["action"], f"{m['mean']:+.2f}") for m in report["moves"]])
        print(
            f"{report['joint_deals']:,} joint deals are more than {MOST_DEALS:,}: these are means over the "
            f"{report['worlds']:,} deals that the seat may face, each with open cards"
        )
        return
    _table(
        title,
        ("move", "how often", points),
        [(m["action"], f"{m['probability']:.1%}", f"{m['points']:+.2f}") for m in report["moves"]],
    )
    print(
        f"{report['joint_deals']:,} joint deals, equally likely; {report['information_sets']:,} information sets; "
        f"best responses gain {report['gap']:.3f} points together"
    )


def solve_command(position: Path, *, json: bool = False) -> None:
    """Print what every move of a position is worth, and a best line where nothing is hidden.

    Args:
        position: a YAML or JSON file.
        json: print JSON instead of a table.

    Raises:
        ValueError: the position is impossible, or none that can be solved exactly; the message says why.
    """
    game = Game.from_position(position)
    hidden = "stock_left" in game.state.dtype.names and int(game.state["stock_left"]) == SEATS
    report = last_draw_report(game) if hidden else solution_report(game, solve(game))
    if json:
        print(json_module.dumps(report, indent=2))
    elif hidden:
        _print_last_draw(report)
    else:
        _print_ending(report)
