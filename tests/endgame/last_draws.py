"""How long the last stock trick takes to solve, over deals of a variant; not a test.

``python -m tests.endgame.last_draws two_pack 60``: plays deals by the greedy player up to the lead of the last stock
trick, solves those with few joint deals, and prints how many there were and the times of one core.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from agents.endgame.lastdraw import MOST_DEALS, LastDrawError, average_last_draw, hidden_of, solve_last_draw
from agents.registry import make_agent
from bezique_env.game import Game


def positions(variant: str, count: int, agent: str = "greedy") -> list[Game]:
    """Deals of seeds 0, 1, ... up to the lead of the last stock trick."""
    player = make_agent(agent)
    found = []
    for seed in range(count):
        game = Game(variant, seed=seed)
        while not (game.state["stock_left"] == 2 and game.phase == "lead"):
            seat = game.seat_to_act
            view, mask = game.view_record(seat), game.legal_mask(seat)[None]
            game.apply(int(player.act(view, mask, np.zeros(1, np.uint64))[0]))
        found.append(game)
    return found


def main(variant: str, count: int) -> None:
    games = positions(variant, count)
    deals = np.array([hidden_of(game)[0].count_deals() for game in games])
    marks = [1, 10, 50, 90, 99]
    print(f"{variant}: joint deals, percentiles {marks}: {np.percentile(deals, marks).astype(int).tolist()}")
    small = [game for game, n in zip(games, deals, strict=True) if n <= MOST_DEALS]
    print(f"{len(small)} of {count} positions have at most {MOST_DEALS:,}")
    by_size = sorted(small, key=lambda game: hidden_of(game)[0].count_deals())
    solve_last_draw(by_size[0])  # compiles
    average_last_draw(by_size[0])
    exact, average, gaps, agree = [], [], [], 0
    for game in small:
        began = time.process_time()
        solved = solve_last_draw(game)
        exact.append(time.process_time() - began)
        began = time.process_time()
        mean = average_last_draw(game)
        average.append(time.process_time() - began)
        gaps.append(solved.gap)
        # What the action that the average prefers loses against the equilibrium of the other seat.
        agree += bool(solved.values[np.argmax(mean.values)] > solved.values.max() - 0.5)
    for name, seconds in (("solved", exact), ("average of open cards", average)):
        told = ", ".join(f"{np.percentile(seconds, mark):.2f}" for mark in (50, 90, 100))
        print(f"{name}: mean {np.mean(seconds):.2f} s; median, p90, most: {told} s")
    print(
        f"largest gap {max(gaps):.3f} points; the average's action is within half a point in {agree} of {len(small)}"
    )


if __name__ == "__main__":
    try:
        main(sys.argv[1], int(sys.argv[2]))
    except LastDrawError as error:
        sys.exit(str(error))
