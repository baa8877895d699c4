"""``bezique bench --endgame``: how long the exact solver takes, over fixed deals of random hands.

Each deal is solved several times in one call with an empty table each time (its keys are salted by the number of the
call), and the mean is the time of the deal; so the times of calling from Python and of a warm table are left out.
"""

from __future__ import annotations

import json as json_module
import time
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table

from agents.endgame.core import (
    CARDS,
    DEAL,
    FIRST,
    FIRST_0,
    FIRST_1,
    HEAD_PLAIN,
    HEAD_TRUMP,
    LAST,
    LEADER,
    LED,
    NODES,
    PAYING,
    RANKS,
    RUFF,
    SALT,
    SEATS,
    TRUMPS,
    card_values,
    make_solver,
    position_value,
    prepare,
)
from bezique_env.engine.cache import announce_compilation, kernel

SEED = 20261130
SLOTS = 1 << 14
SIZES = ((8, 2, 1000, 0.06), (9, 4, 500, 0.1), (12, 6, 200, 0.5), (15, 8, 60, 3.0))
"""Cards a hand, packs, deals, and the mean that is aimed at in milliseconds."""
PAYS = (("brisques 10, last trick 10", 10, 10), ("last trick alone", 0, 50))
WHOLE, MOVES = "value", "every move"


class Times(NamedTuple):
    """Milliseconds a deal."""

    cards: int
    packs: int
    pays: str
    what: str
    aim: float
    deals: int
    mean: float
    median: float
    p99: float
    nodes: float


@kernel
def solve_again(s: Any, hands: Any, brisque: int, last: int, moves: bool, repeats: int) -> int:
    """Solve the deal ``hands`` (int64 [seats, cards], trumps first) so many times; returns positions visited."""
    nums = s.nums
    nodes = 0
    for _ in range(repeats):
        for seat in range(SEATS):
            s.paying[seat] = 0
            for card in range(CARDS):
                s.hands[seat, card] = hands[seat, card]
        for card in range(CARDS):
            s.rank_points[card] = brisque if card % RANKS >= RANKS - 2 else 0
        nums[LAST] = last
        nums[TRUMPS] = 1
        nums[HEAD_TRUMP] = 1
        nums[HEAD_PLAIN] = 1
        nums[RUFF] = 1
        nums[FIRST_0] = 0
        nums[FIRST_1] = 0
        nums[PAYING] = 0
        prepare(s)
        nums[SALT] += nums[DEAL] * np.int64(0x5DEECE66D1234567)
        nums[LEADER] = 0
        nums[LED] = -1
        nums[FIRST] = 0
        if moves:
            card_values(s)
        else:
            position_value(s)
        nodes += nums[NODES]
    return nodes


def endgame_times(scale: float = 1.0) -> list[Times]:
    """Measure every size; ``scale`` changes the number of deals."""
    announce_compilation()
    solver = make_solver(SLOTS)
    rng = np.random.default_rng(SEED)
    told = []
    for cards, packs, deals, aim in SIZES:
        count = max(3, int(deals * scale))
        pack = np.repeat(np.arange(CARDS), packs)
        hands = np.zeros((count, SEATS, CARDS), np.int64)
        for deal in hands:
            drawn = rng.permutation(pack)[: SEATS * cards]
            for seat in range(SEATS):
                np.add.at(deal[seat], drawn[seat::SEATS], 1)
        repeats = max(1, 4000 // cards**3)
        for pays, brisque, last in PAYS:
            for what in (WHOLE, MOVES):
                solve_again(solver, hands[0], brisque, last, what == MOVES, 1)
                times, nodes = np.zeros(count), np.zeros(count)
                for k in range(count):
                    began = time.process_time_ns()
                    nodes[k] = solve_again(solver, hands[k], brisque, last, what == MOVES, repeats) / repeats
                    times[k] = (time.process_time_ns() - began) / repeats / 1e6
                told.append(
                    Times(
                        cards,
                        packs,
                        pays,
                        what,
                        aim,
                        count,
                        float(times.mean()),
                        float(np.median(times)),
                        float(np.percentile(times, 99)),
                        float(nodes.mean()),
                    )
                )
    return told


def endgame_times_command(*, json: bool = False) -> None:
    """Print the times of the solver."""
    told = endgame_times()
    if json:
        print(json_module.dumps([row._asdict() for row in told], indent=2))
        return
    table = Table(
        title="Exact endings: milliseconds of processor time a deal, empty table", title_justify="left"
    )
    for header in ("cards a hand", "packs", "what pays", "asked", "deals"):
        table.add_column(header)
    for header in ("mean", "median", "p99", "aim (mean, value)", "positions"):
        table.add_column(header, justify="right")
    for row in told:
        table.add_row(
            *(str(x) for x in (row.cards, row.packs, row.pays, row.what, row.deals)),
            *(f"{x:.3f}" for x in (row.mean, row.median, row.p99)),
            f"{row.aim:g}" if row.what == WHOLE else "",
            f"{row.nodes:,.0f}",
        )
    console = Console()
    if not console.is_terminal:
        console.width = 140
    console.print(table)
