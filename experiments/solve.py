"""``bezique solve``: a position under best play, move by move."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from agents.endgame.solve import Solution, solve
from bezique_env.game import Game


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


def solve_command(position: Path, *, json: bool = False) -> None:
    """Print what every move of a position is worth and a best line.

    Args:
        position: a YAML or JSON file.
        json: print JSON instead of a table.

    Raises:
        ValueError: the position is impossible, or none that can be solved exactly; the message says why.
    """
    game = Game.from_position(position)
    report = solution_report(game, solve(game))
    if json:
        print(json_module.dumps(report, indent=2))
        return
    console = Console()
    if not console.is_terminal:
        console.width = 100
    seat = report["seat"]
    table = Table(title=f"{game.variant}, seat {seat} to act", title_justify="left")
    table.add_column("move")
    table.add_column(f"final points, seat {seat} less seat {1 - seat}", justify="right")
    table.add_column("loses", justify="right")
    for move in report["moves"]:
        table.add_row(Text(move["action"]), f"{move['value']:+}", str(move["loses"]))
    console.print(table)
    line = ", ".join(f"{step['seat']}: {step['action']}" for step in report["line"])
    console.print(Text(f"A best line (seat: move): {line}."))
