"""Exact play of the last stock trick of the Bezique family, where not everything is known yet.

With one stock trick left a seat does not know the concealed cards of the other that were never shown, nor what
lies face down in the stock. Both seats know which cards these are between them, so there are not many ways in which
they can lie: the *joint deals*. Over all of them the last stock trick, its declarations and its draws are a small
game of imperfect information; once the stock is gone nothing is hidden, and a position has its exact value. The game
is walked through and kept as the mini games are (:mod:`agents.exact.tree`) and solved by CFR+
(:mod:`agents.exact.cfr`) until two exact best responses say that it is solved.

Assumption: all joint deals are equally likely, copy by copy. What the seats did before tells nothing of what they
hold, but where the rules do: a declaring window stands open only before a seat that can declare something.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.endgame.core import NO_VALUE, make_solver
from agents.endgame.kernels import value_rows
from agents.exact import walk as kn
from agents.exact.cfr import Solver, best_response
from agents.exact.tree import Tree, finish_tree, walk_arrays, walk_on
from bezique_env.engine import play
from bezique_env.engine.bezique.actions import PASS
from bezique_env.engine.bezique.state import (
    CARD_BITS,
    DECLARE,
    ENDGAME_FOLLOW,
    ENDGAME_LEAD,
    FOLLOW,
    LEAD,
    OWNER_NONE,
    OWNER_SHIFT,
    PHASE_NAMES,
    SEATS,
)
from bezique_env.engine.cache import announce_compilation
from bezique_env.engine.common import EPISODE_DEAL, NONE, OVER, SCORE_DIFFERENCE
from bezique_env.engine.engines import engine_of
from bezique_env.game import Game
from bezique_env.rules import Rules

MOST_DEALS = 3_000
"""Joint deals that are solved when nothing else is asked for."""
TARGET = 0.05
"""Points that both best responses together may gain."""
MOST_ITERATIONS = 5_000
_OPEN = 1 << 12
"""Endings that are valued at a time."""
_CHECK = 20
"""Iterations between two looks at the best responses."""


class LastDrawError(ValueError):
    """A position that is not one of the last stock trick, or has too many joint deals; the message says which."""


@dataclass(frozen=True)
class LastDraw:
    """How the seat to act plays the last stock trick.

    Points are those of the whole deal, what is already scored included: this seat's less the other's.

    Attributes:
        seat: to act.
        actions: its legal actions, ascending; int64 [k].
        probabilities: how often the equilibrium that was found takes each; float64 [k].
        values: expected points after each, and the best play from then on, against the other seat's
            equilibrium strategy; float64 [k].
        game_value: expected points over all joint deals, not only those with this seat's hand.
        gap: what exact best responses of both seats gain together over all joint deals; the value of the game
            differs from ``game_value`` by no more.
        deals: joint deals.
        iterations: of CFR+.
        sets: information sets of both seats.
        leaves: of the tree.
    """

    seat: int
    actions: NDArray[np.int64]
    probabilities: NDArray[np.float64]
    values: NDArray[np.float64]
    game_value: float
    gap: float
    deals: int
    iterations: int
    sets: int
    leaves: int

    @property
    def value(self) -> float:
        """Expected points of the equilibrium that was found, with this seat's hand."""
        return float(self.probabilities @ self.values)


@dataclass(frozen=True)
class Hidden:
    """What is not known of a position, seen from the seat to act, and who knows how much of it.

    Attributes:
        view: the view record of the seat to act, [1].
        own: its own cards that the other seat does not know; int64 [32], copies of each card.
        pool: these, the other seat's, and those face down in the stock; int64 [32].
        sizes: how many hidden cards each seat has, seat 0 first.
    """

    view: NDArray[Any]
    own: NDArray[np.int64]
    pool: NDArray[np.int64]
    sizes: tuple[int, int]

    @property
    def seat(self) -> int:
        """The seat to act."""
        return int(self.view[0]["seat"])

    def count_deals(self) -> int:
        """Return the number of joint deals: which copies of a card lie where makes no difference."""
        ways = {(0, 0): 1}
        for copies in self.pool.tolist():
            more: dict[tuple[int, int], int] = {}
            for (first, second), count in ways.items():
                for a in range(min(copies, self.sizes[0] - first) + 1):
                    for b in range(min(copies - a, self.sizes[1] - second) + 1):
                        key = first + a, second + b
                        more[key] = more.get(key, 0) + count
            ways = more
        return ways.get(self.sizes, 0)

    def deals(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return all joint deals: both seats' hidden cards, int64 [n, 2, 32], and in how many ways each can lie."""
        held = np.zeros((1, SEATS, 32), np.int64)
        ways = np.ones(1)
        for card in np.flatnonzero(self.pool):
            copies, later = int(self.pool[card]), int(self.pool[card + 1 :].sum())
            parts = []
            for a in range(copies + 1):
                for b in range(copies - a + 1):
                    lacking = np.array(self.sizes) - held.sum(axis=2) - (a, b)
                    fits = np.all(lacking >= 0, axis=1) & (lacking.sum(axis=1) <= later)
                    part = held[fits]
                    part[:, :, card] = a, b
                    parts.append((part, ways[fits] * (comb(copies, a) * comb(copies - a, b))))
            held = np.concatenate([part for part, _ in parts])
            ways = np.concatenate([share for _, share in parts])
        return held, ways


def hidden_of(position: Game | NDArray[Any], rules: Rules | None = None) -> tuple[Hidden, Rules]:
    """Return what is hidden in a position with one stock trick left, and its rules.

    Args:
        position: a game, of which only what the seat to act sees is used; or that seat's view record, [1].
        rules: of a view record.

    Raises:
        LastDrawError: the position is not one of the last stock trick of the Bezique family.
        TypeError: a view record without rules.
    """
    if isinstance(position, Game):
        rules = position.rules
        if position.is_over:
            raise LastDrawError("the game is over: nobody is to act")
        view = position.view_record(position.seat_to_act)
    else:
        view = np.array(position).reshape(1)
    if rules is None:
        raise TypeError("solve_last_draw: a view record does not tell its rules: give rules=get_rules(...)")
    if rules.family.name != "bezique":
        raise LastDrawError(
            f"{rules.variant} has no stock from which both seats draw: only the Bezique family has"
        )
    v = view[0]
    stock, phase, seat = int(v["stock_left"]), int(v["phase"]), int(v["seat"])
    if stock != SEATS:
        raise LastDrawError(f"the stock holds {stock} cards: with one stock trick left it holds {SEATS}")
    if phase not in (LEAD, FOLLOW, DECLARE):
        raise LastDrawError(
            f"the phase is {PHASE_NAMES[phase]}: the last stock trick is solved from lead, follow or declare"
        )
    if v["to_act"] != seat:
        raise LastDrawError(f"seat {seat} is not to act: give what seat {int(v['to_act'])} sees")
    own = v["hand"].astype(np.int64) - v["known"][seat]
    others = int(v["concealed_n"][1 - seat]) - int(v["known"][1 - seat].sum())
    sizes = (int(own.sum()), others) if seat == 0 else (others, int(own.sum()))
    return Hidden(view, own, own + v["unseen"], sizes), rules


def _deal_states(hidden: Hidden, rules: Rules, held: NDArray[np.int64]) -> NDArray[Any]:
    """Return the states of joint deals, [n]; made from the view alone."""
    engine = engine_of(rules.variant)
    base = np.zeros(1, engine.state_dtype(rules.shape))
    work, tmp = np.zeros(engine.work, np.uint8), np.zeros(engine.scratch, np.uint8)
    play.resample_row(hidden.view, 0, base, 0, rules.vector, np.uint64(0), work, tmp)
    g = base[0]
    g["episode"] = EPISODE_DEAL  # its points are what counts
    deck = g["deck"]
    # The hidden cards of the drawn state give their places to those of each joint deal, in ascending order: a seat
    # that holds the same then sees the same, whatever the other holds.
    places: list[NDArray[np.int64]] = []
    for s in range(SEATS):
        free = g["hand"][s].astype(np.int64) - g["known"][s]
        taken = []
        for place in range(len(deck) - 1, -1, -1):
            card = deck[place] & CARD_BITS
            if deck[place] >> OWNER_SHIFT == s and free[card] > 0:
                free[card] -= 1
                taken.append(place)
        places.append(np.array(sorted(taken), np.int64))
    in_stock = np.arange(len(deck)) < len(rules.pack)
    places.append(np.flatnonzero(in_stock & (deck >> OWNER_SHIFT == OWNER_NONE)))
    states = np.repeat(base, len(held))
    rest = hidden.pool - held.sum(axis=1)
    for owner, cards in enumerate((held[:, 0], held[:, 1], rest)):
        size = len(places[owner])
        texts = np.repeat(np.tile(np.arange(32, dtype=np.uint8), len(held)), cards.ravel()).reshape(-1, size)
        mark = np.uint8((owner if owner < SEATS else OWNER_NONE) << OWNER_SHIFT)
        states["deck"][:, places[owner]] = texts | mark
        if owner < SEATS:
            states["hand"][:, owner] = g["known"][owner] + cards
    return states


def _may_be(states: NDArray[Any], rules: Rules) -> NDArray[np.bool_]:
    """Return which states are possible: a window stands open only where something can be declared."""
    engine = engine_of(rules.variant)
    mask, tmp = np.zeros(engine.actions.size, np.int8), np.zeros(engine.scratch, np.uint8)
    possible = np.ones(len(states), np.bool_)
    if states["phase"][0] == DECLARE:
        for i in range(len(states)):
            play.mask_row(states, i, rules.vector, mask, tmp)
            mask[PASS] = 0
            possible[i] = mask.any()
    return possible


def _earlier(hidden: Hidden) -> int:
    """Return the points of earlier deals of the match, those of the seat to act less the other's."""
    v, seat = hidden.view[0], hidden.seat
    before = v["match_scores"].astype(np.int64) - v["scores"]
    return int(before[seat] - before[1 - seat])


class _Unsolvable(Exception):
    """An ending that the fast solver does not take."""


def _values_of_endings(rules: Rules) -> Callable[[NDArray[Any]], NDArray[np.int64]]:
    """Return what values endings, states [k], by the final score differences of the game, int64 [k]."""
    solver = make_solver(1 << 18)

    def values_of(states: NDArray[Any]) -> NDArray[np.int64]:
        values = np.zeros(len(states), np.int64)
        value_rows(states, rules.vector, solver, values)
        if (values == NO_VALUE).any():
            raise _Unsolvable
        values += states["match_scores"][:, 0]
        values -= states["match_scores"][:, 1]
        return values

    return values_of


def _build(
    rules: Rules,
    states: NDArray[Any],
    chances: NDArray[np.float64],
    progress: Callable[[int, int], None] | None,
    fast: bool,
) -> Tree:
    """Return the tree of joint deals, of which each comes with its chance."""
    walk, endings = walk_arrays(rules, _OPEN if fast else 0)
    values_of = _values_of_endings(rules) if fast else None
    name = f"{rules.variant} {rules.preset}, last stock trick"
    for k in range(len(states)):
        walk.games[0] = states[k]
        walk.spots[:1] = np.zeros(1, walk.spots.dtype)
        walk.spots[0]["chance"], walk.spots[0]["kind"] = chances[k], kn.UNSEEN
        walk.counts[kn.AT] = 0
        walk, endings = walk_on(walk, endings, name, True, solve_open=values_of)
        if progress is not None:
            progress(k + 1, len(states))
    return finish_tree(walk, True)


def solve_last_draw(
    position: Game | NDArray[Any],
    rules: Rules | None = None,
    *,
    most_deals: int = MOST_DEALS,
    target: float = TARGET,
    most_iterations: int = MOST_ITERATIONS,
    progress: Callable[[int, int], None] | None = None,
) -> LastDraw:
    """Solve the last stock trick for the seat to act, as a game of imperfect information.

    Args:
        position: a game with one stock trick left (its hidden cards are not looked at), or the view record of the
            seat to act, [1].
        rules: of a view record.
        most_deals: refuse more joint deals than this; time and memory grow in proportion.
        target: stop when exact best responses of both seats gain no more than this together, in points.
        most_iterations: of CFR+, at most.
        progress: called with the joint deals walked through and their number.

    Raises:
        LastDrawError: it is not a position of the last stock trick, or has too many joint deals.
        TypeError: a view record without rules.
    """
    hidden, rules = hidden_of(position, rules)
    count = hidden.count_deals()
    if count > most_deals:
        raise LastDrawError(
            f"{count:,} joint deals are more than most_deals={most_deals:,}: raise it (time and memory grow in "
            "proportion), or take the average over this seat's worlds"
        )
    announce_compilation()
    held, ways = hidden.deals()
    states = _deal_states(hidden, rules, held)
    possible = _may_be(states, rules)
    held, ways, states = held[possible], ways[possible], states[possible]
    chances = ways / ways.sum()
    try:
        tree = _build(rules, states, chances, progress, True)
    except _Unsolvable:
        tree = _build(rules, states, chances, progress, False)
    solver = Solver(tree)
    while True:
        solver.run(_CHECK)
        gap = solver.exploitability().nash_conv
        if gap <= target or solver.iterations >= most_iterations:
            break
    seat = hidden.seat
    side, pair = tree.sides[seat], solver.average()
    same_hand = np.flatnonzero((held[:, seat] == hidden.own).all(axis=1))
    seen = np.zeros(1, hidden.view.dtype)
    play.project_row(states, same_hand[0], rules.vector, seat, seen, 0)
    assert side.views is not None
    looks = side.views.view(np.uint8).reshape(side.sets, -1)
    own_set = np.flatnonzero((side.parent == 0) & (looks == seen.view(np.uint8)).all(axis=1))[0]
    own = slice(side.first[own_set], side.first[own_set + 1])
    worth = best_response(tree, seat, pair[1 - seat]).worth[own] / chances[same_hand].sum()
    earlier = _earlier(hidden)
    sign = 1 if seat == 0 else -1
    return LastDraw(
        seat,
        side.actions[own],
        pair[seat][own],
        worth - earlier,
        sign * solver.game_value() - earlier,
        gap,
        len(states),
        solver.iterations,
        tree.sets,
        tree.leaves,
    )


@dataclass(frozen=True)
class OpenAverage:
    """What each action is worth when everyone sees all cards, in the mean over what the seat to act may be facing.

    Attributes:
        seat: to act.
        actions: its legal actions, ascending; int64 [k].
        values: points of the deal, this seat's less the other's; float64 [k].
        worlds: how many different ones there are; where both last cards of the stock lie face down, their order
            makes different ones.
    """

    seat: int
    actions: NDArray[np.int64]
    values: NDArray[np.float64]
    worlds: int


def average_last_draw(position: Game | NDArray[Any], rules: Rules | None = None) -> OpenAverage:
    """Return the exact mean of the open-card values of every action in the last stock trick.

    Cheaper than :func:`solve_last_draw` by the number of hands that this seat might have held, and not the same: it
    takes for granted that the other seat sees this seat's hand, and that this seat will see the other's.

    Args:
        position: as in :func:`solve_last_draw`.
        rules: of a view record.

    Raises:
        LastDrawError: it is not a position of the last stock trick, or its endings are not those of the solver.
        TypeError: a view record without rules.
    """
    hidden, rules = hidden_of(position, rules)
    seat, engine = hidden.seat, engine_of(rules.variant)
    free = Hidden(hidden.view, hidden.own, hidden.pool - hidden.own, _with(hidden.sizes, seat, 0))
    held, ways = free.deals()
    held[:, seat] = hidden.own
    states = _deal_states(hidden, rules, held)
    possible = _may_be(states, rules)
    states, ways = states[possible], ways[possible]
    if hidden.view[0]["turn_up"] == NONE:
        # Both cards of the stock lie face down: either may come to either seat.
        swapped = states.copy()
        in_stock = np.flatnonzero((states["deck"][0] >> OWNER_SHIFT == OWNER_NONE)[: len(rules.pack)])
        swapped["deck"][:, in_stock] = states["deck"][:, in_stock[::-1]]
        differ = (swapped["deck"] != states["deck"]).any(axis=1)
        ways = np.concatenate([ways / np.where(differ, 2, 1), ways[differ] / 2])
        states = np.concatenate([states, swapped[differ]])
    values_of = _values_of_endings(rules)
    tmp = np.zeros(engine.scratch, np.uint8)
    levels: list[tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]] = []
    actions = np.zeros(0, np.int64)
    while True:
        over = np.isin(states["phase"], (OVER, ENDGAME_LEAD, ENDGAME_FOLLOW))
        open_rows = np.flatnonzero(~over)
        values = np.zeros(len(states), np.int64)
        try:
            values[over] = _values_at_end(states[over], rules, values_of)
        except _Unsolvable:
            raise LastDrawError(
                f"{rules.variant} {rules.preset}: its endings have declaring windows, or end at a credit: the solver "
                "of endings does not take them"
            ) from None
        masks = np.zeros((len(open_rows), engine.actions.size), np.int8)
        for k, row in enumerate(open_rows.tolist()):
            play.mask_row(states, row, rules.vector, masks[k], tmp)
        parent, action = np.nonzero(masks)
        levels.append((states["to_act"], values, open_rows[parent]))
        if not len(open_rows):
            break
        if len(levels) == 1:
            actions = np.flatnonzero(masks[0])
        states = states[open_rows[parent]]
        for row, chosen in enumerate(action.tolist()):
            play.apply_row(states, row, rules.vector, chosen, tmp)
    for depth in range(len(levels) - 2, 0, -1):
        movers, values, parents = levels[depth]
        first = np.flatnonzero(np.diff(parents, prepend=-1))
        below = levels[depth + 1][1]
        most, least = np.maximum.reduceat(below, first), np.minimum.reduceat(below, first)
        values[parents[first]] = np.where(movers[parents[first]] == 0, most, least)
    table = levels[1][1].reshape(-1, len(actions))
    sign = 1 if seat == 0 else -1
    return OpenAverage(seat, actions, sign * (ways @ table) / ways.sum() - _earlier(hidden), len(table))


def _with(sizes: tuple[int, int], seat: int, size: int) -> tuple[int, int]:
    """Return the sizes with that of a seat put in."""
    return (size, sizes[1]) if seat == 0 else (sizes[0], size)


def _values_at_end(
    states: NDArray[Any], rules: Rules, values_of: Callable[[NDArray[Any]], NDArray[np.int64]]
) -> NDArray[np.int64]:
    """Return the final score differences of endings and of games that are over."""
    values = np.zeros(len(states), np.int64)
    over = states["phase"] == OVER
    for row in np.flatnonzero(over).tolist():
        values[row] = play.return_row(states, row, rules.vector, SCORE_DIFFERENCE)
    if not over.all():
        values[~over] = values_of(states[~over])
    return values
