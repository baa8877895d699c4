"""Which moves are looked at in more worlds, and which one is taken: successive halving with the same worlds for all.

Every move is played out in the same worlds, so two moves are compared world by world: what differs between
them varies half as much as their values do. Nothing here depends on the game.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bezique_env.engine.cache import kernel

SURE = 2.5
"""Standard errors by which a move must be behind the best one to be dropped before its time..."""
SURE_WORLDS = 8
"""...of at least so many worlds."""
PRIOR_WORLDS = 50.0
"""Worlds that the prior counts for: at two packs its worths are off by 11 points, a world's difference by 80."""
PRIOR_SPREADS = 0.1
"""Where it says no worths, a move that it never takes counts as worse by this part of the spread between two moves."""


def plan(worlds: int) -> NDArray[np.int64]:
    """Return when moves are dropped: int64 [looks, 2], worlds by then and halvings of the moves by then.

    All moves are looked at in a quarter of the worlds, half of them in half, a quarter of them, two at least, in all.
    """
    looks = sorted({max(1, worlds * part // 16) for part in (1, 2, 4, 6, 8, 12, 16)})
    ends = [max(1, worlds // part) for part in (4, 2, 1)]
    return np.array([(n, sum(end <= n for end in ends)) for n in looks], np.int64)


@kernel(inner=True)
def gap(values, a, b, n):
    """Return mean and standard deviation of what move a brings above move b in the first n worlds."""
    total = np.int64(0)
    squares = np.int64(0)
    for w in range(n):
        d = np.int64(values[a, w]) - np.int64(values[b, w])
        total += d
        squares += d * d
    mean = total / n
    return mean, np.sqrt(max(0.0, squares / n - mean * mean))


@kernel(inner=True)
def standing(values, prior, worths, a, b, n):
    """Return (what move a is held to bring above move b after n worlds, standard error of that).

    The prior counts for PRIOR_WORLDS worlds. Where it does not say what moves are worth, it is taken to hold
    the one that it likes less for worse by a part of the spread.
    """
    mean, spread = gap(values, a, b, n)
    told = worths[a] - worths[b]
    if np.isnan(told):
        likes = max(prior[a], prior[b])
        told = PRIOR_SPREADS * spread * (prior[a] - prior[b]) / likes if likes > 0.0 else 0.0
    return (n * mean + PRIOR_WORLDS * told) / (n + PRIOR_WORLDS), spread / np.sqrt(n + PRIOR_WORLDS)


@kernel(inner=True)
def best_of(values, alive, prior, worths, n):
    """Return the move that is held to bring most after n worlds; among equals the prior's."""
    first = np.int64(-1)
    for a in range(alive.shape[0]):
        if alive[a] and (first < 0 or prior[a] > prior[first]):
            first = np.int64(a)
    best = first
    most = 0.0
    for a in range(alive.shape[0]):
        if alive[a] and a != first:
            above, _ = standing(values, prior, worths, a, first, n)
            if above > most:
                most = above
                best = np.int64(a)
    return best


@kernel(inner=True)
def moves_alive(alive):
    """Return how many moves of a row are still looked at."""
    count = 0
    for a in range(alive.shape[0]):
        count += 1 if alive[a] else 0
    return count


@kernel
def drop_rows(values, alive, prior, worths, worlds, halvings, legal, best):
    """Drop moves of every row, surely worse ones first, then the worst; write the best move of each row.

    Args:
        values: int32 [k, actions, worlds], what a move brought in a world, to the seat that decides.
        alive: int8 [k, actions], 1 for each move still looked at; changed.
        prior: float64 [k, actions], how likely a policy takes each move.
        worths: float64 [k, actions], what it holds each move to be worth, not a number where it does not say.
        worlds: worlds that have been looked at.
        halvings: how often the number of moves is to be halved by now.
        legal: int64 [k], legal moves.
        best: int64 [k], what is written; rows with fewer than two moves alive are left as they are.

    Returns:
        Rows with two moves alive or more.
    """
    open_rows = 0
    for i in range(alive.shape[0]):
        left = moves_alive(alive[i])
        if left < 2:
            continue
        top = best_of(values[i], alive[i], prior[i], worths[i], worlds)
        best[i] = top
        for a in range(alive.shape[1]):
            if alive[i, a] and a != top:
                above, error = standing(values[i], prior[i], worths[i], a, top, worlds)
                if worlds >= SURE_WORLDS and above + SURE * error < 0.0:
                    alive[i, a] = 0
                    left -= 1
        most = max(2, (legal[i] + (1 << halvings) - 1) >> halvings)
        while left > most:
            worst = np.int64(-1)
            least = 0.0
            for a in range(alive.shape[1]):
                if alive[i, a] and a != top:
                    above, _ = standing(values[i], prior[i], worths[i], a, top, worlds)
                    if worst < 0 or above < least:
                        least = above
                        worst = np.int64(a)
            alive[i, worst] = 0
            left -= 1
        open_rows += 1 if left > 1 else 0
    return open_rows
