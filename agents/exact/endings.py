"""Exact values of positions in which nothing is hidden, by minimax with a table of what was solved.

The table is keyed by 128 bits of everything that has an influence on the rest (:func:`agents.exact.families.forget`
clears the rest): with ten million positions the chance that any two of them share a key is below 1e-24.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.exact.families import forget
from bezique_env.engine import play
from bezique_env.engine.cache import kernel
from bezique_env.engine.common import OVER, SCORE_DIFFERENCE
from bezique_env.engine.rng import mix

DEPTH = 96
"""More decisions than any ending has."""
VALUE, LOW, HIGH = 0, 1, 2
"""What is known of a position: its minimax value, the least and the greatest final difference that can come of it."""
_FIRST, _SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_S29, _S32 = np.uint64(29), np.uint64(32)


class Endings(NamedTuple):
    """The table of solved endings and the scratch of its solver; made by :func:`make_endings`."""

    games: NDArray[Any]
    """A line of play, one state a decision, DEPTH long."""
    one: NDArray[Any]
    """One state, and..."""
    words: NDArray[np.uint64]
    """... its bytes as whole words."""
    keys: NDArray[np.uint64]
    """[slots, 2], 0 0 where a slot is free."""
    values: NDArray[np.int32]
    """[slots, 3]: VALUE, LOW, HIGH of the rest, seat 0's points less seat 1's."""
    filled: NDArray[np.int64]
    """[1], slots that are taken."""
    line_keys: NDArray[np.uint64]
    best: NDArray[np.int64]
    """[DEPTH, 3], of the decisions of the line, as far as their actions are solved."""
    base: NDArray[np.int64]
    """[DEPTH], points set aside when the line came to the decision."""
    mover: NDArray[np.int64]
    masks: NDArray[np.int8]
    next: NDArray[np.int64]


def make_endings(state: np.dtype[np.void], actions: int, slots: int = 1 << 16) -> Endings:
    """Return an empty table.

    Args:
        state: the record of a game.
        actions: size of the table of actions.
        slots: of the table, a power of two; :func:`grow_endings` doubles them.
    """
    words = np.zeros(-(-state.itemsize // 8), np.uint64)
    return Endings(
        np.zeros(DEPTH, state),
        words.view(np.uint8)[: state.itemsize].view(state),
        words,
        np.zeros((slots, 2), np.uint64),
        np.zeros((slots, 3), np.int32),
        np.zeros(1, np.int64),
        np.zeros((DEPTH, 2), np.uint64),
        np.zeros((DEPTH, 3), np.int64),
        np.zeros(DEPTH, np.int64),
        np.zeros(DEPTH, np.int64),
        np.zeros((DEPTH, actions), np.int8),
        np.zeros(DEPTH, np.int64),
    )


@kernel(inner=True)
def hash_words(words, start, factor):
    """Return a hash of a row of words, different for different ``start`` and odd ``factor``."""
    x = start
    for k in range(words.shape[0]):
        x = (x ^ words[k]) * factor
        x ^= x >> _S29
    return mix(x)


@kernel(inner=True)
def find_slot(keys, first, second):
    """Return the slot of a key, or the free one where it belongs."""
    last = np.uint64(keys.shape[0] - 1)
    at = first & last
    while (keys[at, 0] != 0 or keys[at, 1] != 0) and (keys[at, 0] != first or keys[at, 1] != second):
        at = (at + np.uint64(1)) & last
    return np.int64(at)


@kernel
def rehash_endings(keys, values, more_keys, more_values):
    """Move a table into a larger one."""
    for k in range(keys.shape[0]):
        if keys[k, 0] != 0 or keys[k, 1] != 0:
            at = find_slot(more_keys, keys[k, 0], keys[k, 1])
            more_keys[at] = keys[k]
            more_values[at] = values[k]


def grow_endings(endings: Endings) -> Endings:
    """Return the same table with twice the slots."""
    keys = np.zeros((2 * len(endings.keys), 2), np.uint64)
    values = np.zeros((2 * len(endings.keys), 3), np.int32)
    rehash_endings(endings.keys, endings.values, keys, values)
    return endings._replace(keys=keys, values=values)


@kernel(inner=True)
def enter(e, level, rules, out, tmp):
    """Look at the state at a level of the line; returns True where ``out`` now holds its values (VALUE, LOW, HIGH).

    Otherwise the level is ready for its actions to be tried.
    """
    g = e.games[level]
    if g.phase == OVER:
        value = np.int64(play.final_return(g, rules, SCORE_DIFFERENCE))
        for k in range(3):
            out[k] = value
        return True
    e.base[level] = forget(g, rules)
    e.one[0] = e.games[level]
    e.line_keys[level, 0] = hash_words(e.words, np.uint64(1), _FIRST)
    e.line_keys[level, 1] = hash_words(e.words, np.uint64(2), _SECOND)
    at = find_slot(e.keys, e.line_keys[level, 0], e.line_keys[level, 1])
    if e.keys[at, 0] != 0 or e.keys[at, 1] != 0:
        for k in range(3):
            out[k] = e.base[level] + np.int64(e.values[at, k])
        return True
    play.write_mask(g, rules, e.masks[level], tmp)
    e.mover[level] = g.to_act
    e.next[level] = 0
    e.best[level, VALUE] = -(1 << 40) if g.to_act == 0 else 1 << 40
    e.best[level, LOW] = 1 << 40
    e.best[level, HIGH] = -(1 << 40)
    return False


@kernel(inner=True)
def solve_line(e, rules, out, tmp):
    """Write VALUE, LOW and HIGH of the position ``e.games[0]`` into ``out``; False where the line is too long.

    The table takes what was solved while it is less than three quarters full.
    """
    if enter(e, 0, rules, out, tmp):
        return True
    level = 0
    while level >= 0:
        action = e.next[level]
        while action < e.masks.shape[1] and e.masks[level, action] == 0:
            action += 1
        if action < e.masks.shape[1]:
            e.next[level] = action + 1
            if level + 1 == DEPTH:
                return False
            e.games[level + 1] = e.games[level]
            play.apply(e.games[level + 1], rules, action, tmp)
            if not enter(e, level + 1, rules, out, tmp):
                level += 1
                continue
        else:
            if 4 * e.filled[0] < 3 * e.keys.shape[0]:
                at = find_slot(e.keys, e.line_keys[level, 0], e.line_keys[level, 1])
                e.keys[at] = e.line_keys[level]
                for k in range(3):
                    e.values[at, k] = e.best[level, k]
                e.filled[0] += 1
            for k in range(3):
                out[k] = e.base[level] + e.best[level, k]
            level -= 1
            if level < 0:
                return True
        better = out[VALUE] > e.best[level, VALUE] if e.mover[level] == 0 else out[VALUE] < e.best[level, VALUE]
        if better:
            e.best[level, VALUE] = out[VALUE]
        e.best[level, LOW] = min(e.best[level, LOW], out[LOW])
        e.best[level, HIGH] = max(e.best[level, HIGH], out[HIGH])
    return True
