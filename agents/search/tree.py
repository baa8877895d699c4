"""The tree of information-set Monte-Carlo tree search: going down, playing out, handing the value up.

One tree stands for what the deciding seat can tell apart (Cowling, Powley and Whitehouse 2012, single observer):
each iteration draws a new world and goes down along the actions that are legal in it; a branch is weighed by how
often it was legal there, not by how often its parent was visited. What the seat does not notice, such as a
window that the other seat passes, leads to no other node. The cards it draws make no branches of their own: a
node stands for all draws.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bezique_env.engine.cache import kernel
from bezique_env.engine.rng import bounded

EXPLORE = 0.7
"""Weight of trying what was tried little (UCB1), in spreads of the values of the root."""
LONGEST = 256
"""More decisions than a path through the tree takes."""
_FAR = 1e300
ROOT = 0
PRIOR_VISITS = 300
"""Visits that the prior counts for at the root where it says what moves are worth: at two packs it is off by about
11 points, a value by about 200."""


class Tree(NamedTuple):
    """The tree of one decision; node 0 is the root, every other one is an action at its parent.

    Attributes:
        child: int32 [nodes], first child, 0 where there is none.
        sibling: int32 [nodes], next child of the same parent, 0 behind the last.
        action: int16 [nodes], the action that leads to the node.
        visits: int32 [nodes], how often it was taken.
        legal: int32 [nodes], how often it could be taken.
        total: int64 [nodes], sum of the points of the deciding seat less the other's.
        path: int32 [leaves, LONGEST], nodes visited in each iteration that waits for its value.
        length: int64 [leaves], how many.
        sums: int64 [3], nodes in use, values at the root, sum of their squares.
    """

    child: NDArray[np.int32]
    sibling: NDArray[np.int32]
    action: NDArray[np.int16]
    visits: NDArray[np.int32]
    legal: NDArray[np.int32]
    total: NDArray[np.int64]
    path: NDArray[np.int32]
    length: NDArray[np.int64]
    sums: NDArray[np.int64]


NODES, VALUES, SQUARES = range(3)


def make_tree(nodes: int, leaves: int = 1) -> Tree:
    """Return a tree with room for so many nodes, and for so many iterations that wait for their values."""
    return Tree(
        np.zeros(nodes, np.int32),
        np.zeros(nodes, np.int32),
        np.zeros(nodes, np.int16),
        np.zeros(nodes, np.int32),
        np.zeros(nodes, np.int32),
        np.zeros(nodes, np.int64),
        np.zeros((leaves, LONGEST), np.int32),
        np.zeros(leaves, np.int64),
        np.zeros(3, np.int64),
    )


@kernel(inner=True)
def clear(tree):
    """Forget everything but the room."""
    tree.child[ROOT] = 0
    tree.total[ROOT] = 0
    tree.sums[NODES] = 1
    tree.sums[VALUES] = 0
    tree.sums[SQUARES] = 0


@kernel(inner=True)
def add_child(tree, parent, action):
    """Return a new child of a node for an action; 0 where the tree is full."""
    node = tree.sums[NODES]
    if node == tree.child.shape[0]:
        return np.int64(0)
    tree.sums[NODES] = node + 1
    tree.child[node] = 0
    tree.sibling[node] = tree.child[parent]
    tree.action[node] = action
    tree.visits[node] = 0
    tree.legal[node] = 1
    tree.total[node] = 0
    tree.child[parent] = node
    return node


@kernel(inner=True)
def spread(tree):
    """Return the standard deviation of the values handed to the root."""
    n = tree.sums[VALUES]
    if n == 0:
        return 1.0
    mean = tree.total[ROOT] / n
    return max(1.0, np.sqrt(max(0.0, tree.sums[SQUARES] / n - mean * mean)))


@kernel(inner=True)
def most_worth(worths):
    """Return the highest of the worths of the prior, not a number where it says none."""
    top = np.nan
    for a in range(worths.shape[0]):
        if not np.isnan(worths[a]) and (np.isnan(top) or worths[a] > top):
            top = worths[a]
    return top


@kernel(inner=True)
def shrunk(tree, child, worth, top):
    """Return what a move of the root brings, shrunk towards what the prior holds it to be worth beside the best."""
    base = tree.total[ROOT] / max(1, tree.sums[VALUES])
    n = tree.visits[child]
    return (tree.total[child] + PRIOR_VISITS * (base + worth - top)) / (n + PRIOR_VISITS)


@kernel(inner=True)
def select(tree, node, moves, own, explore, worths):
    """Return the child to go down to among the legal ``moves``, 0 where one of them has none yet.

    Moves that have a child are marked 2, and noted as legal once more. At the root ``worths`` count as visits.
    """
    top = most_worth(worths) if node == ROOT else np.nan
    best = np.int64(0)
    most = -_FAR
    child = np.int64(tree.child[node])
    while child != 0:
        a = tree.action[child]
        if moves[a]:
            moves[a] = 2
            tree.legal[child] += 1
            n = tree.visits[child]
            if not np.isnan(top) and not np.isnan(worths[a]):
                luck = explore * np.sqrt(np.log(tree.legal[child] + PRIOR_VISITS) / (n + PRIOR_VISITS))
                worth = shrunk(tree, child, worths[a], top) + luck
            elif n == 0:
                worth = _FAR
            else:
                mean = tree.total[child] / n
                worth = (mean if own else -mean) + explore * np.sqrt(np.log(tree.legal[child]) / n)
            if best == 0 or worth > most:
                most = worth
                best = child
        child = np.int64(tree.sibling[child])
    for a in range(moves.shape[0]):
        if moves[a] == 1:
            return np.int64(0)
    return best


@kernel(inner=True)
def untried(moves, rule, key):
    """Return a move without a child: the rule's choice if it is one, else one drawn at random."""
    if moves[rule] == 1:
        return np.int64(rule)
    count = 0
    for a in range(moves.shape[0]):
        count += 1 if moves[a] == 1 else 0
    _, k = bounded(key, count)
    for a in range(moves.shape[0]):
        if moves[a] == 1:
            if k == 0:
                return np.int64(a)
            k -= 1
    return np.int64(-1)


@kernel(inner=True)
def hand_up(tree, leaf, value):
    """Add the value of a waiting iteration to the root and to all nodes of its path; the visits count already."""
    tree.sums[VALUES] += 1
    tree.sums[SQUARES] += value * value
    tree.total[ROOT] += value
    for k in range(tree.length[leaf]):
        tree.total[tree.path[leaf, k]] += value


@kernel
def hand_up_all(tree, values):
    """Add the values of iterations that waited, int64 [leaves]."""
    for leaf in range(values.shape[0]):
        hand_up(tree, leaf, values[leaf])


@kernel(inner=True)
def chosen_move(tree, prior, worths):
    """Return the move of the root that brings most where the prior says what all are worth, else the one taken most.

    Among equals the one that the prior likes more.
    """
    top = most_worth(worths)
    said = not np.isnan(top)
    child = np.int64(tree.child[ROOT])
    while child != 0:
        said = said and not np.isnan(worths[tree.action[child]])
        child = np.int64(tree.sibling[child])
    best = np.int64(-1)
    most = -_FAR
    child = np.int64(tree.child[ROOT])
    while child != 0:
        a = np.int64(tree.action[child])
        value = shrunk(tree, child, worths[a], top) if said else np.float64(tree.visits[child])
        if value > most or (value == most and prior[a] > prior[best]):
            most = value
            best = a
        child = np.int64(tree.sibling[child])
    return best
