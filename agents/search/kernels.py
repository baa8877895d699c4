"""The search over the records of a variant: compiled once for each, so all that differs is asked inside.

Worlds come from :func:`bezique_env.engine.play.resample`, which reads a view alone; from there on both seats are
played by the rule-based player, each from what it may know in that world. The deal is the end of a world: of a
match nothing further is played.
"""

from __future__ import annotations

import numpy as np

from agents.endgame.core import NO_VALUE
from agents.endgame.kernels import solvable, value_state
from agents.exact.families import hears
from agents.scripted.policies import choose_expert, rate_expert
from agents.search.belief.kernels import draw_world
from agents.search.halving import moves_alive
from agents.search.tree import (
    EXPLORE,
    LONGEST,
    ROOT,
    add_child,
    chosen_move,
    clear,
    hand_up,
    select,
    spread,
    untried,
)
from bezique_env.engine import play
from bezique_env.engine.cache import kernel
from bezique_env.engine.common import BETWEEN_DEALS, OVER, SCORE_DIFFERENCE
from bezique_env.engine.rng import STREAM_AGENT, stream_key

STREAM_TREE = 2
"""Stream of the key of a decision for choices among equals in the tree."""


@kernel(inline_always=True)
def ended(g):
    """Whether the deal is over."""
    return g.phase == OVER or g.phase == BETWEEN_DEALS


@kernel(inner=True)
def only_action(mask):
    """Return the legal action where there is one alone, else -1."""
    found = np.int64(-1)
    for a in range(mask.shape[0]):
        if mask[a]:
            if found >= 0:
                return np.int64(-1)
            found = np.int64(a)
    return found


@kernel(inner=True)
def play_out(g, t):
    """Let the rules play a state on until the solver knows the rest; returns seat 0's points less seat 1's."""
    while not ended(g):
        if t.exact[0]:
            value = value_state(g, t.rules, t.scratch.solver)
            if value != NO_VALUE:
                return value + np.int64(g.match_scores[0]) - np.int64(g.match_scores[1])
        play.write_mask(g, t.rules, t.mask, t.tmp)
        action = only_action(t.mask)
        if action < 0:
            play.project_board(g, t.rules, np.int64(g.to_act), t.seen[0])
            action = choose_expert(t.seen[0], t.mask, t.weights, t.scratch)
        play.apply(g, t.rules, action, t.tmp)
    return np.int64(play.final_return(g, t.rules, SCORE_DIFFERENCE))


@kernel(inner=True)
def descend(g, tree, leaf, key, worths, t):
    """Go down from the root with a world until an action is new or the rest is known; the state is played on."""
    seat = np.int64(g.to_act)
    node = np.int64(ROOT)
    n = np.int64(0)
    explore = EXPLORE * spread(tree)
    # Where the solver knows the worlds of the root already (the play of Belote), their cards are still hidden.
    stops = t.exact[0] and not solvable(g, t.rules, t.scratch.solver)
    while not ended(g) and n < LONGEST and not (stops and solvable(g, t.rules, t.scratch.solver)):
        play.write_mask(g, t.rules, t.moves, t.tmp)
        mover = np.int64(g.to_act)
        child = select(tree, node, t.moves, mover == seat, explore, worths)
        new = child == 0
        if new:
            play.project_board(g, t.rules, mover, t.seen[0])
            for a in range(t.moves.shape[0]):
                t.mask[a] = 1 if t.moves[a] else 0
            rule = choose_expert(t.seen[0], t.mask, t.weights, t.scratch)
            child = add_child(tree, node, untried(t.moves, rule, stream_key(key, STREAM_TREE, n)))
            if child == 0:
                break
        action = np.int64(tree.action[child])
        heard = mover == seat or hears(g, action)
        play.apply(g, t.rules, action, t.tmp)
        tree.visits[child] += 1
        tree.path[leaf, n] = child
        n += 1
        if heard:
            node = child
        if new:
            break
    tree.length[leaf] = n


@kernel
def search_rows(views, truth, keys, first, last, alive, prior, worths, values, tree, states, t, chosen):
    """Look at the worlds ``first`` to ``last - 1`` for every row with two moves alive or more.

    Args:
        views: [k], what the deciding seats may know; not read where ``truth`` is given.
        truth: states [k] for the oracle, whose worlds are all the true one; empty for everybody else.
        keys: uint64 [k].
        first: number of the first world.
        last: number behind the last one.
        alive: int8 [k, actions], the moves that are looked at.
        prior: float64 [k, actions], decides between equals in a tree.
        worths: float64 [k, actions], what the prior holds moves to be worth; counts as visits at the root of a tree.
        values: int32 [k, actions, worlds]: what each move brings in each world is written there; or, where it is
            empty, an iteration of the tree is run in each world.
        tree: the tree; it is cleared before world 0.
        states: where it is not empty, nothing is played out: the states after the moves, world by world, or at the
            leaves, are written there instead.
        t: scratch.
        chosen: int64 [k], with a tree the action taken most so far.

    Returns:
        Worlds played out, or states written.
    """
    count = 0
    for i in range(alive.shape[0]):
        if moves_alive(alive[i]) < 2:
            continue
        if values.shape[0] == 0 and first == 0:
            clear(tree)
        for w in range(first, last):
            if truth.shape[0] > 0:
                t.world[0] = truth[i]
            else:
                draw_world(views[i], t, keys[i], np.int64(w))
            t.world[0].manual = 1  # no further deal
            own = t.world[0].to_act == 0
            for a in range(alive.shape[1] if values.shape[0] > 0 else 1):
                t.game[0] = t.world[0]
                if values.shape[0] == 0:
                    leaf = np.int64(w - first if states.shape[0] > 0 else 0)
                    descend(t.game[0], tree, leaf, stream_key(keys[i], STREAM_TREE, w), worths[i], t)
                elif alive[i, a]:
                    play.apply(t.game[0], t.rules, np.int64(a), t.tmp)
                else:
                    continue
                if states.shape[0] > 0:
                    states[count] = t.game[0]
                else:
                    value = play_out(t.game[0], t)
                    value = value if own else -value
                    if values.shape[0] > 0:
                        values[i, a, w] = value
                    else:
                        hand_up(tree, 0, value)
                count += 1
        if values.shape[0] == 0:
            chosen[i] = chosen_move(tree, prior[i], worths[i])
    return count


@kernel
def rule_rows(views, masks, t, prior, worths):
    """Write 1 for the rule-based player's choice in every row, 0 elsewhere, and what it holds actions to be worth.

    ``prior`` and ``worths`` are float64 [k, actions], the latter as of :func:`rate_expert`.
    """
    for i in range(views.shape[0]):
        for a in range(masks.shape[1]):
            prior[i, a] = 0.0
        action = rate_expert(views[i], masks[i], t.weights, t.scratch, worths[i])
        if action >= 0:
            prior[i, action] = 1.0


@kernel
def ask_rows(games, keys, t, rows, views, masks, asked):
    """Play forced moves, then write view, mask and key of every row whose game is to be decided; returns their number.

    ``rows``: int64 [k], written: which games they are. ``asked``: uint64 [k], a key made from that of the game,
    the seat and the number of the decision.
    """
    n = 0
    for i in range(games.shape[0]):
        g = games[i]
        while not ended(g):
            play.write_mask(g, t.rules, masks[n], t.tmp)
            action = only_action(masks[n])
            if action < 0:
                seat = np.int64(g.to_act)
                play.project(g, t.rules, seat, views[n])
                asked[n] = stream_key(keys[i], STREAM_AGENT + seat, g.steps)
                rows[n] = i
                n += 1
                break
            play.apply(g, t.rules, action, t.tmp)
    return n


@kernel
def answer_rows(games, t, rows, actions):
    """Apply an action to each of some games."""
    for k in range(rows.shape[0]):
        play.apply(games[rows[k]], t.rules, actions[k], t.tmp)


@kernel
def value_rows(games, t, values):
    """Write seat 0's points less seat 1's of finished deals."""
    for i in range(games.shape[0]):
        values[i] = play.final_return(games[i], t.rules, SCORE_DIFFERENCE)
