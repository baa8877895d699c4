"""Exact values of endings from Python: one game, many states, what moves lose.

A position is solved once nothing of it is hidden from the solver: the strict phase of the Bezique family, the play of
tricks of the Belote family. Values are differences of the points of the deal in the end, those already scored
included; in Belote as the settlement writes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.endgame.core import NO_VALUE, Solver, make_solver
from agents.endgame.kernels import solve_rows
from bezique_env.engine.cache import announce_compilation
from bezique_env.engine.common import DRAWS_SHARED, EPISODE_DEAL, copy_records
from bezique_env.engine.engines import engine_of
from bezique_env.game import Game
from bezique_env.rules import Rules

SLOTS = 1 << 16
"""Entries of the table of a solver that is made here."""


class EndgameError(ValueError):
    """A position that is not solved exactly; the message says why."""


@dataclass(frozen=True)
class Solution:
    """An ending under best play of both seats.

    Attributes:
        value: what the deal's final scores will differ by, seat 0 less seat 1, in points.
        seat: seat to act.
        values: for each legal action, ascending, the final difference to the seat to act.
        line: a best line to the end of the deal: seats and actions. Of equal actions it takes the lowest.
    """

    value: int
    seat: int
    values: dict[int, int]
    line: tuple[tuple[int, int], ...]

    def regret(self, action: int) -> int:
        """Return the points that an action loses against the best one.

        Raises:
            KeyError: the action is not legal.
        """
        return max(self.values.values()) - self.values[action]


def solve_batch(
    states: NDArray[Any], rules: Rules, *, solver: Solver | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Solve many endings.

    Args:
        states: state records, [n]; they are not changed.
        rules: of all of them.
        solver: table and scratch to use again; a new one without it.

    Returns:
        For every state the final difference of every action, to the seat to act, int64 [n, actions], ``NO_VALUE``
        where an action is illegal or the position is not solved; and the best of each, int64 [n].
    """
    announce_compilation()
    used = make_solver(SLOTS) if solver is None else solver
    values = np.empty((len(states), engine_of(rules.variant).actions.size), np.int64)
    best = np.empty(len(states), np.int64)
    solve_rows(states, rules.vector, used, values, best)
    return values, best


def regrets(
    states: NDArray[Any], actions: NDArray[np.int64], rules: Rules, *, solver: Solver | None = None
) -> NDArray[np.int64]:
    """Return the points that actions lose against the best ones.

    Args:
        states: the states in which they were taken, [n].
        actions: int64 [n].
        rules: of all of them.
        solver: table and scratch to use again; a new one without it.

    Returns:
        int64 [n], 0 for a best action; -1 where the position is not solved.

    Raises:
        ValueError: an action is not legal in its state; the message names the row.
    """
    values, best = solve_batch(states, rules, solver=solver)
    taken = values[np.arange(len(states)), actions]
    solved = best != NO_VALUE
    wrong = np.flatnonzero(solved & (taken == NO_VALUE))
    if len(wrong):
        raise ValueError(f"actions: {actions[wrong[0]]} of row {wrong[0]} is not legal in its state")
    return np.where(solved, best - taken, -1)


def solve(game: Game, *, solver: Solver | None = None) -> Solution:
    """Solve the position of a game.

    Args:
        game: in an ending; it is not changed. Its hidden cards are used: this is analysis, not play.
        solver: table and scratch to use again; a new one without it.

    Raises:
        EndgameError: the position is none that the solver knows.
    """
    if game.is_over:
        raise EndgameError("the game is over: nobody is to act")
    used = make_solver(SLOTS) if solver is None else solver
    state = copy_records(_record(game))
    values, best = solve_batch(state, game.rules, solver=used)
    if best[0] == NO_VALUE:
        raise EndgameError(_why(game))
    seat = game.seat_to_act
    legal = np.flatnonzero(values[0] != NO_VALUE)
    line = []
    state["episode"] = EPISODE_DEAL  # the line ends with the deal
    ahead = Game.from_state(game.rules, state, EPISODE_DEAL, DRAWS_SHARED)
    while not ahead.is_over:
        now, _ = solve_batch(_record(ahead), game.rules, solver=used)
        action = int(np.argmax(now[0]))
        line.append((ahead.seat_to_act, action))
        ahead.play_on(action)
    return Solution(
        int(best[0]) if seat == 0 else -int(best[0]),
        seat,
        {int(action): int(values[0, action]) for action in legal},
        tuple(line),
    )


def _record(game: Game) -> NDArray[Any]:
    return np.asarray(game.state).reshape(1)


def _why(game: Game) -> str:
    """Return why the position of a game is not solved."""
    if game.rules.family.name == "belote":
        if game.phase not in ("lead", "follow"):
            return f"the phase is {game.phase!r}: Belote is solved once the play of tricks has begun"
        return (
            "the taker's declarations wait for a trick, and he would lose less without one: the points of the "
            "tricks do not tell the best play"
        )
    if game.phase not in ("endgame_lead", "endgame_follow"):
        return (
            f"the phase is {game.phase!r}: a position is solved in the strict phase ('endgame_lead', "
            "'endgame_follow'), when the stock is gone"
        )
    if getattr(game.rules, "fildinski_endgame", "off") == "on":
        return "fildinski_endgame is 'on': melds between the tricks of the strict phase are not solved"
    if game.rules.game_end == "immediate":
        return "game_end is 'immediate' and a seat may reach the target in this deal: that end is not solved"
    return "the hands are unequal or larger than 16 cards"
