"""The solver over records of every family: exact values of what follows once nothing is hidden.

Inside kernels and from Python alike. ``s`` is a :class:`agents.endgame.core.Solver`, which a caller keeps for as
long as he likes (its table serves every game of every family); no two threads may share one.
The choice of the family falls while compiling, by the type of the record.
"""

from __future__ import annotations

from typing import Any

from agents.endgame import belote, bezique
from agents.endgame.core import NO_VALUE
from bezique_env.engine.cache import kernel
from bezique_env.engine.dispatch import by_family
from bezique_env.engine.engine import Engine

PLACES: dict[str, Any] = {"bezique": bezique, "belote": belote}
"""The module of each family of :data:`bezique_env.rules.families.FAMILIES`, by its id.

``STRICT_PHASES`` of a module are the phases in which a seat that has counted knows both hands, wherever the solver
knows the rules; empty where there is none.
"""


def _own(engine: Engine, name: str) -> Any:
    return getattr(PLACES[engine.family], name)


_by_family = by_family(_own)


@_by_family
def load_state(g, rules, s):
    """Make the position of a state; returns whether it is one of open cards that the solver knows."""


@_by_family
def load_view(v, rules, s):
    """Make the position that a view determines; returns whether there is one that the solver knows."""


@_by_family
def loaded_value(g, rules, s):
    """Return the value of the position that was made of ``g``: the final difference, seat 0 less seat 1."""


@_by_family
def loaded_values(g, rules, s, out):
    """Write the value of every action of the position that was made of ``g``, to the seat to act; return the best."""


@kernel(inner=True)
def solvable(g, rules, s):
    """Whether :func:`value_state` solves a state: its strict phase (Bezique) or its play (Belote) has begun.

    Not solved: windows between the tricks of the strict phase (``fildinski_endgame: on``), ``game_end: immediate``
    with a seat that may reach the target in this deal, hands of more than 16 cards. ``s`` is overwritten.
    """
    return load_state(g, rules, s)


@kernel(inner=True)
def value_state(g, rules, s):
    """Return the final difference of points of the deal under best play of both seats, seat 0 less seat 1.

    Args:
        g: a state record, not changed.
        rules: int64 [SIZE], the rules vector.
        s: the solver.

    Returns:
        What the deal's final scores will differ by, in points, those already scored included; NO_VALUE where the
        position is not :func:`solvable`.
    """
    if not load_state(g, rules, s):
        return NO_VALUE
    return loaded_value(g, rules, s)


@kernel(inner=True)
def solve_state(g, rules, s, out):
    """Write the final difference of every action, seat to act less the other, and return the best.

    Args:
        g: a state record, not changed.
        rules: int64 [SIZE], the rules vector.
        s: the solver.
        out: int64 [actions]; NO_VALUE where an action is illegal, and everywhere where the position is not solvable.
    """
    for k in range(out.shape[0]):
        out[k] = NO_VALUE
    if not load_state(g, rules, s):
        return NO_VALUE
    return loaded_values(g, rules, s, out)


@kernel(inner=True)
def view_values(v, rules, s, out):
    """Do as :func:`solve_state` from what the seat to act sees; NO_VALUE where its view leaves anything open.

    Args:
        v: a view record of the seat to act.
        rules: int64 [SIZE], the rules vector.
        s: the solver.
        out: int64 [actions].
    """
    for k in range(out.shape[0]):
        out[k] = NO_VALUE
    if v.to_act != v.seat or not load_view(v, rules, s):
        return NO_VALUE
    return loaded_values(v, rules, s, out)


@kernel
def solve_rows(games, rules, s, out, values):
    """Do :func:`solve_state` for every row: ``out`` int64 [rows, actions], ``values`` int64 [rows]."""
    for i in range(games.shape[0]):
        values[i] = solve_state(games[i], rules, s, out[i])


@kernel
def value_rows(games, rules, s, values):
    """Do :func:`value_state` for every row: ``values`` int64 [rows]."""
    for i in range(games.shape[0]):
        values[i] = value_state(games[i], rules, s)


@kernel
def view_rows(views, rules, s, out, values):
    """Do :func:`view_values` for every row: ``out`` int64 [rows, actions], ``values`` int64 [rows]."""
    for i in range(views.shape[0]):
        values[i] = view_values(views[i], rules, s, out[i])
