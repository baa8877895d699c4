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
_FAR = 1 << 40
_FIRST, _SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
_ZERO, _S29 = np.uint64(0), np.uint64(29)


class Endings(NamedTuple):
    """The table of solved endings and the scratch of its solver; made by :func:`make_endings`."""

    games: NDArray[Any]
    """A line of play, one state a decision, DEPTH long."""
    tries: NDArray[Any]
    """What was tried at each decision of the line: records of :func:`_try_dtype`."""
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


def _try_dtype(actions: int) -> np.dtype[np.void]:
    """Return the record of a decision of the line.

    ``key``: of its position; ``best``: VALUE, LOW and HIGH of the actions so far; ``base``: points set aside on
    coming to it; ``mover``: seat to act; ``next``: next action to try.
    """
    return np.dtype(
        [
            ("key", "u8", (2,)),
            ("best", "i8", (3,)),
            ("base", "i8"),
            ("mover", "i8"),
            ("next", "i8"),
            ("mask", "i1", (actions,)),
        ]
    )


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
        np.zeros(DEPTH, _try_dtype(actions)),
        words.view(np.uint8)[: state.itemsize].view(state),
        words,
        np.zeros((slots, 2), np.uint64),
        np.zeros((slots, 3), np.int32),
        np.zeros(1, np.int64),
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
    while (keys[at, 0] != _ZERO or keys[at, 1] != _ZERO) and (keys[at, 0] != first or keys[at, 1] != second):
        at = (at + np.uint64(1)) & last
    return np.int64(at)


@kernel
def rehash_endings(keys, values, more_keys, more_values):
    """Move a table into a larger one."""
    for k in range(keys.shape[0]):
        if keys[k, 0] != _ZERO or keys[k, 1] != _ZERO:
            at = find_slot(more_keys, keys[k, 0], keys[k, 1])
            for j in range(2):
                more_keys[at, j] = keys[k, j]
            for j in range(3):
                more_values[at, j] = values[k, j]


def grow_endings(endings: Endings) -> Endings:
    """Return the same table with twice the slots."""
    keys = np.zeros((2 * len(endings.keys), 2), np.uint64)
    values = np.zeros((2 * len(endings.keys), 3), np.int32)
    rehash_endings(endings.keys, endings.values, keys, values)
    return endings._replace(keys=keys, values=values)


@kernel(inner=True)
def enter(games, level, one, words, trial, rules, keys, values, out, tmp):
    """Look at the state at a level of the line; returns True where ``out`` now holds its values (VALUE, LOW, HIGH).

    Otherwise ``trial`` is ready for its actions to be tried.
    """
    if games[level].phase == OVER:
        value = np.int64(play.final_return(games[level], rules, SCORE_DIFFERENCE))
        for k in range(3):
            out[k] = value
        return True
    trial.base = forget(games[level], rules)
    one[0] = games[level]
    trial.key[0] = hash_words(words, np.uint64(1), _FIRST)
    trial.key[1] = hash_words(words, np.uint64(2), _SECOND)
    at = find_slot(keys, trial.key[0], trial.key[1])
    if keys[at, 0] != _ZERO or keys[at, 1] != _ZERO:
        for k in range(3):
            out[k] = trial.base + np.int64(values[at, k])
        return True
    play.write_mask(games[level], rules, trial.mask, tmp)
    trial.mover = games[level].to_act
    trial.next = 0
    trial.best[VALUE] = -_FAR if trial.mover == 0 else _FAR
    trial.best[LOW] = _FAR
    trial.best[HIGH] = -_FAR
    return False


@kernel(inner=True)
def solve_line(e, rules, out, tmp):
    """Write VALUE, LOW and HIGH of the position ``e.games[0]`` into ``out``; False where the line is too long.

    The table takes what was solved while it is less than three quarters full.
    """
    games, tries, keys, values = e.games, e.tries, e.keys, e.values
    if enter(games, 0, e.one, e.words, tries[0], rules, keys, values, out, tmp):
        return True
    level = 0
    while True:
        trial = tries[level]
        action = np.int64(trial.next)
        while action < trial.mask.shape[0] and trial.mask[action] == 0:
            action += 1
        if action < trial.mask.shape[0]:
            trial.next = action + 1
            if level + 1 == DEPTH:
                return False
            games[level + 1] = games[level]
            play.apply(games[level + 1], rules, action, tmp)
            if not enter(games, level + 1, e.one, e.words, tries[level + 1], rules, keys, values, out, tmp):
                level += 1
                continue
        else:
            if 4 * e.filled[0] < 3 * keys.shape[0]:
                at = find_slot(keys, trial.key[0], trial.key[1])
                for k in range(2):
                    keys[at, k] = trial.key[k]
                for k in range(3):
                    values[at, k] = trial.best[k]
                e.filled[0] += 1
            for k in range(3):
                out[k] = trial.base + trial.best[k]
            level -= 1
            if level < 0:
                return True
        above = tries[level]
        if (out[VALUE] > above.best[VALUE]) == (above.mover == 0):
            above.best[VALUE] = out[VALUE]
        above.best[LOW] = min(above.best[LOW], out[LOW])
        above.best[HIGH] = max(above.best[HIGH], out[HIGH])
