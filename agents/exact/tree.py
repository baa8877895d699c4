"""The game tree of a small game in sequence form: what is needed to solve it exactly, and no more.

With perfect recall a leaf is reached by three things that do not depend on each other: the draws, the last
*sequence* of seat 0 (its own decisions on the way, an information set and an action each) and that of seat 1. So
the tree is kept as the information sets of both seats, parents before children, and as a sparse matrix: for each
pair of sequences that end in a leaf, the probability of the draws times the points. The values of every action of
a seat are one product with that matrix and one pass over its sets, from the last to the first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.exact import walk as kn
from agents.exact.endings import Endings, grow_endings, make_endings
from bezique_env.engine.cache import announce_compilation
from bezique_env.engine.engines import engine_of
from bezique_env.rules import Rules

MAX_NODES = 40_000_000
"""Decisions and leaves that a tree may have; the largest mini game with exact figures has twelve million."""
_STRETCH = 500_000


class TreeError(ValueError):
    """A game whose tree cannot be built; the message says why."""


@dataclass(frozen=True)
class Side:
    """The information sets of one seat, parents before children, and its sequences.

    Sequence 0 is the empty one; those of set k are ``first[k]`` to ``first[k + 1] - 1``, an action each.

    Attributes:
        parent: int64 [sets], the seat's sequence before the set.
        first: int64 [sets + 1].
        actions: int64 [sequences], the last action of each; -1 of the empty one.
        views: what the seat sees at each set, [sets]; None of trees that were not made from the rules.
    """

    parent: NDArray[np.int64]
    first: NDArray[np.int64]
    actions: NDArray[np.int64]
    views: NDArray[Any] | None = None

    @property
    def sets(self) -> int:
        """Number of information sets."""
        return len(self.parent)

    @property
    def sequences(self) -> int:
        """Number of sequences, the empty one included."""
        return len(self.actions)

    def masks(self, size: int, begin: int = 0, end: int | None = None) -> NDArray[np.int8]:
        """Return the legal actions of the sets from ``begin`` to ``end``, int8 [end - begin, size]."""
        stop = self.sets if end is None else end
        masks = np.zeros((stop - begin, size), np.int8)
        rows = np.repeat(np.arange(stop - begin), np.diff(self.first[begin : stop + 1]))
        masks[rows, self.actions[self.first[begin] : self.first[stop]]] = 1
        return masks


@dataclass(frozen=True)
class Payoffs:
    """A sparse matrix of one seat's payoffs, a row for each of its sequences.

    Attributes:
        start: int64 [sequences + 1]; the entries of a row are ``start[row]`` to ``start[row + 1] - 1``.
        column: int32 [entries], the sequence of the other seat.
        weight: float64 [entries], probability of the draws times the points of this seat.
    """

    start: NDArray[np.int64]
    column: NDArray[np.int32]
    weight: NDArray[np.float64]


@dataclass(frozen=True)
class Tree:
    """A two-player zero-sum game in sequence form.

    Attributes:
        sides: the information sets of seat 0 and of seat 1.
        payoffs: the payoffs of seat 0 by its sequences, those of seat 1 by its own.
        decisions: number of decision nodes.
        chances: number of chance nodes.
        leaves: number of leaves.
        low: least final score difference, seat 0's points less seat 1's.
        high: greatest one.
        folded: whether endings in which nothing is hidden are leaves, of their exact value.
        visits: information set of each decision node in the order of the walk (depth first, draws and actions
            ascending), numbered over both seats by first appearance; int32 [decisions].
    """

    sides: tuple[Side, Side]
    payoffs: tuple[Payoffs, Payoffs]
    decisions: int
    chances: int
    leaves: int
    low: int
    high: int
    folded: bool
    visits: NDArray[np.int32]

    @property
    def sets(self) -> int:
        """Information sets of both seats."""
        return self.sides[0].sets + self.sides[1].sets

    @property
    def score_range(self) -> int:
        """The greatest final score difference less the least."""
        return self.high - self.low


def make_payoffs(
    rows: NDArray[np.int32], columns: NDArray[np.int32], weights: NDArray[np.float64], sizes: tuple[int, int]
) -> tuple[Payoffs, Payoffs]:
    """Return the payoffs of both seats from the leaves: sequences of seat 0 and 1, chance times its points.

    Leaves with the same two sequences become one entry.
    """
    found = []
    for own, other, sign, size in ((rows, columns, 1.0, sizes[0]), (columns, rows, -1.0, sizes[1])):
        keys = own.astype(np.int64) << 32 | other
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        begins = np.flatnonzero(np.diff(keys, prepend=-1))
        sums = np.add.reduceat(weights[order], begins) if len(begins) else np.zeros(0)
        keys = keys[begins]
        start = np.searchsorted(keys >> 32, np.arange(size + 1)).astype(np.int64)
        found.append(Payoffs(start, (keys & 0xFFFFFFFF).astype(np.int32), sign * sums))
    return found[0], found[1]


def walk_arrays(rules: Rules, open_endings: int = 0) -> tuple[kn.Walk, Endings]:
    """Return the arrays of a walk that has not begun, and its endings.

    Args:
        rules: of the game.
        open_endings: how many endings are handed out at a time to be valued; 0: the walk values them itself.
    """
    engine = engine_of(rules.variant)
    state, view = engine.state_dtype(rules.shape), engine.view_dtype(rules.shape)
    size, deck = engine.actions.size, len(np.zeros(1, state)["deck"][0])
    words = np.zeros(-(-view.itemsize // 8), np.uint64)
    counts = np.zeros(kn.COUNTS, np.int64)
    counts[kn.MIN_SCORE], counts[kn.MAX_SCORE] = 1 << 40, -(1 << 40)
    counts[kn.SEQUENCES :] = 1
    room = 1 << 12
    walk = kn.Walk(
        rules=rules.vector.copy(),
        pack=np.ascontiguousarray(rules.pack, np.uint8),
        games=np.zeros(kn.DEPTH, state),
        spots=np.zeros(kn.DEPTH, kn.spot_dtype(deck, size)),
        seen=words.view(np.uint8)[: view.itemsize].view(view),
        other_seen=np.zeros(1, view),
        words=words,
        places=np.zeros(deck, np.uint8),
        owners=np.zeros(deck, np.uint8),
        tmp=np.zeros(engine.scratch, np.uint8),
        out=np.zeros(3, np.int64),
        counts=counts,
        slots=np.full(4 * room, -1, np.int32),
        sets=np.zeros(room, kn.SET_DTYPE),
        set_views=np.zeros((room, len(words)), np.uint64),
        actions=np.zeros((2, room), np.uint8),
        leaves=np.zeros(room, kn.LEAF_DTYPE),
        visits=np.zeros(room, np.int32),
        open_games=np.zeros(open_endings, state),
        open_leaves=np.zeros(open_endings, np.int32),
    )
    return walk, make_endings(state, size)


_GROWING = {
    kn.GROW_SETS: ("sets", "set_views"),
    kn.GROW_SEQUENCES: ("actions",),
    kn.GROW_LEAVES: ("leaves",),
    kn.GROW_VISITS: ("visits",),
}
_WRONG = {
    kn.TOO_DEEP: f"a line of more than {kn.DEPTH - 2} decisions and draws: its hands may be dealt again too often",
    kn.TOO_MUCH_HEARD: f"a seat notices more than {kn.HEARD_MOST} actions between two decisions of its own",
    kn.ACTIONS_DIFFER: "two decisions that look the same to the seat to act allow different actions",
    kn.ENDING_TOO_DEEP: "an ending of too many decisions",
}


def _grown(walk: kn.Walk, code: int) -> kn.Walk:
    """Return the walk with the arrays that are full made larger by half (along their last growing axis)."""
    more: dict[str, NDArray[Any]] = {}
    for name in _GROWING[code]:
        old = getattr(walk, name)
        axis = 1 if name == "actions" else 0
        room = list(old.shape)
        room[axis] = old.shape[axis] // 2
        more[name] = np.concatenate([old, np.zeros(room, old.dtype)], axis)
    if code == kn.GROW_SETS:
        size = 1 << (2 * len(more["sets"]) - 1).bit_length()
        if size > len(walk.slots):
            slots = np.full(size, -1, np.int32)
            kn.rehash_sets(slots, walk.sets, int(walk.counts[kn.SETS]))
            more["slots"] = slots
    return walk._replace(**more)


def build_tree(
    rules: Rules,
    *,
    dealer: int = 1,
    fold_endings: bool = True,
    max_nodes: int = MAX_NODES,
    progress: Callable[[int, int], None] | None = None,
) -> Tree:
    """Return the whole tree of one deal, valued by the score difference.

    Args:
        rules: of a small game.
        dealer: seat that deals; the other one leads, or bids first.
        fold_endings: make a leaf of every position in which both seats can tell where all cards are, with its
            exact value; False goes on to the end of the deal.
        max_nodes: decisions and leaves; a larger tree is refused when this many were seen.
        progress: called now and then with the numbers of decisions and leaves so far.

    Raises:
        TreeError: the tree has more nodes, or cannot be built; the message says why.
    """
    return finish_tree(walk_through(rules, dealer, fold_endings, max_nodes, progress), fold_endings)


def walk_through(
    rules: Rules,
    dealer: int,
    fold_endings: bool,
    max_nodes: int = MAX_NODES,
    progress: Callable[[int, int], None] | None = None,
) -> kn.Walk:
    """Return the walk through the whole tree; see :func:`build_tree`."""
    if dealer not in (0, 1):
        raise TreeError(f"dealer: {dealer!r} is not allowed: 0 or 1")
    announce_compilation()
    walk, endings = walk_arrays(rules)
    kn.start_walk(walk, dealer)
    name = f"{rules.variant} {rules.preset}"
    return walk_on(walk, endings, name, fold_endings, max_nodes, progress)[0]


def walk_on(
    walk: kn.Walk,
    endings: Endings,
    name: str,
    fold: bool,
    max_nodes: int = MAX_NODES,
    progress: Callable[[int, int], None] | None = None,
    solve_open: Callable[[NDArray[Any]], NDArray[np.int64]] | None = None,
) -> tuple[kn.Walk, Endings]:
    """Walk on from where a walk is until it is over; return its arrays, some of them larger ones.

    Args:
        walk: see :func:`walk_arrays`.
        endings: made with it.
        name: what messages call the game.
        fold: whether endings in which nothing is hidden are leaves.
        max_nodes: decisions and leaves.
        progress: called now and then with the numbers of decisions and leaves so far.
        solve_open: gives the final score differences of endings (states [k]), seat 0's points less seat 1's, int64 [k];
            needed where the walk was made to hand them out.

    Raises:
        TreeError: the tree has more nodes, or cannot be built; the message says why.
    """
    while walk.counts[kn.AT] >= 0:
        code = int(kn.walk(walk, endings, fold, _STRETCH))
        if code == kn.GROW_ENDINGS:
            endings = grow_endings(endings)
        elif code in _GROWING:
            walk = _grown(walk, code)
        elif code != kn.DONE and code != kn.OPEN_FULL:
            raise TreeError(f"{name}: no exact tree: {_WRONG[code]}")
        count = int(walk.counts[kn.OPEN])
        if count and (code == kn.OPEN_FULL or walk.counts[kn.AT] < 0):
            assert solve_open is not None
            values = solve_open(walk.open_games[:count])
            walk.leaves["value"][walk.open_leaves[:count]] = values
            walk.counts[kn.MIN_SCORE] = min(int(walk.counts[kn.MIN_SCORE]), int(values.min()))
            walk.counts[kn.MAX_SCORE] = max(int(walk.counts[kn.MAX_SCORE]), int(values.max()))
            walk.counts[kn.OPEN] = 0
        decisions, leaves = int(walk.counts[kn.VISITS]), int(walk.counts[kn.LEAVES])
        if decisions + leaves > max_nodes:
            raise TreeError(
                f"{name}: the tree has more than {max_nodes:,} decisions and leaves: too large to be solved "
                "exactly; the small games are the variants mini_bezique and mini_belote"
            )
        if progress is not None:
            progress(decisions, leaves)
    return walk, endings


def finish_tree(walk: kn.Walk, folded: bool) -> Tree:
    """Return the tree of a walk that is over; ``folded``: whether endings are leaves."""
    counts = walk.counts
    sets, leaves, decisions = (
        walk.sets[: counts[kn.SETS]],
        walk.leaves[: counts[kn.LEAVES]],
        int(counts[kn.VISITS]),
    )
    view = walk.seen.dtype
    sides = []
    for seat in (0, 1):
        own = np.flatnonzero(sets["seat"] == seat)
        sequences = int(counts[kn.SEQUENCES + seat])
        first = np.append(sets["first"][own], sequences).astype(np.int64)
        actions = walk.actions[seat, :sequences].astype(np.int64)
        actions[0] = -1
        raw = np.ascontiguousarray(walk.set_views.view(np.uint8)[own, : view.itemsize])
        sides.append(Side(sets["parent"][own].astype(np.int64), first, actions, raw.reshape(-1).view(view)))
    rows, columns = np.ascontiguousarray(leaves["sequence"].T)
    payoffs = make_payoffs(
        rows, columns, leaves["chance"] * leaves["value"], (sides[0].sequences, sides[1].sequences)
    )
    return Tree(
        (sides[0], sides[1]),
        payoffs,
        decisions,
        int(counts[kn.CHANCES]),
        len(leaves),
        int(counts[kn.MIN_SCORE]),
        int(counts[kn.MAX_SCORE]),
        folded,
        walk.visits[:decisions].copy(),
    )
