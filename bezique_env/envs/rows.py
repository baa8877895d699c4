"""Kernels over the rows of a batch: step, begin, show. They hold nothing; :mod:`bezique_env.envs.batch` owns all.

Each works on some rows of arrays that all rows share, with scratch that belongs to one call, so that calls over
different rows may run at the same time. An observation is written in many small pieces. Where the observations of
all rows do not fit into a cache they are put together in ``lines`` of one row, which does, and copied in one go;
otherwise ``lines`` is the array of the observations itself.
"""

from __future__ import annotations

import numpy as np

from bezique_env.encoding.rows import encode
from bezique_env.engine import play
from bezique_env.engine.cache import kernel
from bezique_env.engine.common import DENSE, NONE, OVER
from bezique_env.engine.rng import STREAM_AGENT, STREAM_BATCH, bounded, stream_key

BLOCK = 8
"""Actions counted at a time when one is chosen."""
ROWS = 16
"""Rows that are moved before they are shown: their records are still near, and calls are few."""


@kernel(inner=True)
def show(games, rules, rows, count, views, lines, observation, mask, watched, tmp, level):
    """Write what ``count`` rows show: the mask of the seat to act (level 1), the observation too (level 2).

    Where one seat is watched the observation is that seat's, and is written when it is to act or the game is over.
    """
    apart = lines.shape[0] != observation.shape[0]
    for k in range(count):
        i = rows[k]
        g = games[i]
        if level > 0:
            play.write_mask(games[i], rules, mask[i], tmp)
        if level < 2:
            continue
        over = g.phase == OVER
        who = watched[i]
        if who < 0:
            who = np.int64(0) if over else np.int64(g.to_act)
        elif not over and who != g.to_act:
            continue
        play.project_board(g, rules, who, views[0])  # one view for all rows: it stays in the cache
        encode(views[0], lines[0 if apart else i])
        if apart:
            line = lines[0]
            row = observation[i]
            for c in range(line.shape[0]):
                row[c] = line[c]


@kernel(allocates=True)
def step_rows(
    games,
    rules,
    rows,
    actions,
    views,
    lines,
    observation,
    mask,
    seat,
    reward,
    earned,
    done,
    illegal,
    watched,
    first,
    episodes,
    mode,
    again,
    dealer,
    tmp,
):
    """Step rows in place; finished rows are left alone, illegal actions are marked and left."""
    moved = np.empty(ROWS, np.int64)
    n = 0
    last = rows.shape[0] - 1
    for k in range(rows.shape[0]):
        i = rows[k]
        illegal[i] = False
        reward[i, 0] = 0.0
        reward[i, 1] = 0.0
        a = actions[k]
        if again or not done[i]:
            if a < 0 or a >= mask.shape[1] or mask[i, a] == 0:
                illegal[i] = True
            else:
                g = games[i]
                gained = 0.0
                if mode == DENSE and g.steps == 0:
                    # What the deal itself scored (a turned seven, the cut) is paid with the first step.
                    for e in range(g.ev_n):
                        gained += g.ev_points[e] if g.ev_seat[e] == 0 else -g.ev_points[e]
                play.apply(games[i], rules, a, tmp)
                over = g.phase == OVER
                if mode == DENSE:
                    for e in range(g.ev_n):
                        gained += g.ev_points[e] if g.ev_seat[e] == 0 else -g.ev_points[e]
                    reward[i, 0] = gained
                    reward[i, 1] = -gained
                elif over:
                    result = np.float64(play.final_return(g, rules, mode))
                    reward[i, 0] = result
                    reward[i, 1] = -result
                if watched[i] >= 0:
                    earned[i] += reward[i, watched[i]]
                done[i] = over
                if over and again:
                    episodes[i] += 1
                    seed = stream_key(first[i], STREAM_BATCH, episodes[i])
                    play.start_game(
                        g, rules, seed, dealer, np.int64(g.episode), np.int64(g.draws), np.int64(0)
                    )
                    over = g.phase == OVER
                seat[i] = -1 if over else np.int64(g.to_act)
                moved[n] = i
                n += 1
        if n == ROWS or (k == last and n > 0):
            show(games, rules, moved, n, views, lines, observation, mask, watched, tmp, np.int64(2))
            n = 0


@kernel
def show_rows(games, rules, rows, views, lines, observation, mask, seat, done, watched, tmp):
    """Write all that rows show, as after their games or the seats that are watched were set from outside."""
    for k in range(rows.shape[0]):
        i = rows[k]
        done[i] = games[i].phase == OVER
        seat[i] = -1 if done[i] else np.int64(games[i].to_act)
    show(games, rules, rows, rows.shape[0], views, lines, observation, mask, watched, tmp, np.int64(2))


@kernel
def begin_rows(
    games,
    rules,
    rows,
    seeds,
    dealers,
    decks,
    episode,
    draws,
    views,
    lines,
    observation,
    mask,
    seat,
    reward,
    earned,
    done,
    illegal,
    watched,
    tmp,
):
    """Start new games in rows; with ``decks`` (at least one row) the decks are given."""
    given = decks.shape[0] > 0
    for k in range(rows.shape[0]):
        i = rows[k]
        if given:
            for c in range(decks.shape[1]):
                games[i].deck[c] = decks[k, c]
            play.clear_setup(games[i])
        play.start_game(games[i], rules, seeds[k], dealers[k], episode, draws, np.int64(1 if given else 0))
        games[i].manual = 0
        illegal[i] = False
        earned[i] = 0.0
        reward[i, 0] = 0.0
        reward[i, 1] = 0.0
    show_rows(games, rules, rows, views, lines, observation, mask, seat, done, watched, tmp)


@kernel
def project_rows(games, rules, rows, seats, views):
    """Project rows for given seats into consecutive views."""
    for k in range(rows.shape[0]):
        play.project(games[rows[k]], rules, seats[k], views[k])


@kernel
def write_keys(games, rows, streams, keys):
    """Write a random key per row that depends on the game's seed, the stream and the decisions so far.

    ``streams`` has one number for all rows, or one for each.
    """
    last = streams.shape[0] - 1
    for k in range(rows.shape[0]):
        g = games[rows[k]]
        keys[k] = stream_key(g.seed, STREAM_AGENT + streams[min(k, last)], g.steps)


# ----------------------------------------------------------------------------- without records of games


@kernel
def first_seeds(seed, rows, first):
    """Write the seed of each row: it depends on (seed, row) alone."""
    for k in range(rows.shape[0]):
        first[rows[k]] = stream_key(seed, STREAM_BATCH, rows[k])


@kernel
def next_seeds(rows, first, episodes, seeds):
    """Go on to the next game of each row: write its seed, by the row's own sequence."""
    for k in range(rows.shape[0]):
        i = rows[k]
        episodes[i] += 1
        seeds[k] = stream_key(first[i], STREAM_BATCH, episodes[i])


@kernel
def find_wrong_row(rows, marks):
    """Return the place of the first row that is outside of a batch or stands twice, -1 if there is none.

    ``marks`` has a zero for each row of the batch, and has again afterwards.
    """
    wrong = -1
    seen = 0
    for k in range(rows.shape[0]):
        i = rows[k]
        if i < 0 or i >= marks.shape[0] or marks[i]:
            wrong = k
            break
        marks[i] = 1
        seen += 1
    for k in range(seen):
        marks[rows[k]] = 0
    return wrong


@kernel
def find_waiting(rows, seat, watched, waiting):
    """Write those rows where a seat that is not watched is to act, and return how many they are."""
    n = 0
    for k in range(rows.shape[0]):
        i = rows[k]
        if seat[i] >= 0 and seat[i] != watched[i]:
            waiting[n] = i
            n += 1
    return n


@kernel
def find_illegal(rows, actions, mask, wrong):
    """Write the rows whose action is illegal and return how many they are; -1 - row where one is no action."""
    n = 0
    for k in range(rows.shape[0]):
        i = rows[k]
        a = actions[i]
        if a < 0 or a >= mask.shape[1]:
            return -1 - i
        if mask[i, a] == 0:
            wrong[n] = i
            n += 1
    return n


@kernel(inline_always=True)
def choose_uniformly(row, key):
    """Return (a legal action of a mask row, each equally likely; new key)."""
    legal = 0
    for a in range(row.shape[0]):
        legal += row[a]
    key, pick = bounded(key, legal)
    block = 0
    while block + BLOCK <= row.shape[0]:
        count = 0
        for a in range(block, block + BLOCK):
            count += row[a]
        if pick < count:
            break
        pick -= count
        block += BLOCK
    action = block
    while row[action] == 0 or pick > 0:
        pick -= row[action]
        action += 1
    return action, key


@kernel
def choose_legal(rows, mask, keys, actions):
    """Write a legal action for each of some rows, each equally likely, by the row's key."""
    for k in range(rows.shape[0]):
        actions[rows[k]], _ = choose_uniformly(mask[rows[k]], keys[k])


@kernel(allocates=True)
def run_random(
    games, rules, decisions, key, views, lines, observation, mask, seat, done, watched, tmp, level
):
    """Play uniformly random actions over all rows inside one compiled loop; finished games start again.

    ``level`` 0 writes the mask of the moving row only as scratch for choosing, 1 keeps it per row, 2 also
    writes the observation. Returns the number of decisions taken.
    """
    rows = np.arange(games.shape[0])
    show(games, rules, rows, rows.shape[0], views, lines, observation, mask, watched, tmp, np.int64(1))
    taken = 0
    i = 0
    while taken < decisions:
        count = min(ROWS, rows.shape[0] - i, decisions - taken)
        for k in range(i, i + count):
            g = games[k]
            if level == 0:
                play.write_mask(games[k], rules, mask[k], tmp)
            action, key = choose_uniformly(mask[k], key)
            play.apply(games[k], rules, action, tmp)
            if g.phase == OVER:
                again = stream_key(g.seed, STREAM_BATCH, 1)
                play.start_game(
                    g, rules, again, np.int64(NONE), np.int64(g.episode), np.int64(g.draws), np.int64(0)
                )
            done[k] = g.phase == OVER
            seat[k] = -1 if done[k] else np.int64(g.to_act)
        show(games, rules, rows[i : i + count], count, views, lines, observation, mask, watched, tmp, level)
        taken += count
        i += count
        if i == rows.shape[0]:
            i = 0
    return taken
