"""What the kernels of search work with: scratch, the numbers of a decision, and how the rules play a state out."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.scripted.policies import PolicyScratch, expert_weights, policy_scratch
from agents.search.belief.weights import shipped_belief
from bezique_env.engine.engines import engine_of
from bezique_env.rules import Rules

EXACT_PACKS = 6
"""Packs up to which roll-outs end in the solver; with more of them an ending takes longer than a roll-out."""


class Tools(NamedTuple):
    """Scratch of the kernels, and what the rule-based player of the roll-outs plays by; one for each thread.

    Attributes:
        world: one state, the world that is looked at.
        game: one state, the world as it is played on.
        seen: one view, for the rule-based player.
        mask: int8 [actions], the legal actions of a roll-out.
        moves: int8 [actions], the legal actions at a node of a tree.
        work: uint8, scratch of resampling.
        tmp: uint8, scratch of the rules.
        rules: int64, the vector of the rules.
        weights: of :func:`agents.scripted.policies.expert_weights`.
        scratch: of :func:`agents.scripted.policies.policy_scratch`; its solver ends the roll-outs.
        exact: int64 [1], whether a roll-out ends where the solver knows the value.
        kept: one state, the candidate for a world that is kept so far.
        features: float64 [features], what a world is described by.
        belief: float64 [blocks, features], the weights of the features; no blocks: all worlds are equally likely.
    """

    world: NDArray[Any]
    game: NDArray[Any]
    seen: NDArray[Any]
    mask: NDArray[np.int8]
    moves: NDArray[np.int8]
    work: NDArray[np.uint8]
    tmp: NDArray[np.uint8]
    rules: NDArray[np.int64]
    weights: Any
    scratch: PolicyScratch
    exact: NDArray[np.int64]
    kept: NDArray[Any]
    features: NDArray[np.float64]
    belief: NDArray[np.float64]


def make_tools(rules: Rules, belief: NDArray[np.float64] | None = None) -> Tools:
    """Return the scratch for games under these rules.

    Args:
        rules: of the games.
        belief: weights of worlds; those shipped by default.
    """
    belief = shipped_belief(rules) if belief is None else belief
    engine = engine_of(rules.variant)
    state, view = engine.state_dtype(rules.shape), engine.view_dtype(rules.shape)
    return Tools(
        np.zeros(1, state),
        np.zeros(1, state),
        np.zeros(1, view),
        np.zeros(engine.actions.size, np.int8),
        np.zeros(engine.actions.size, np.int8),
        np.zeros(engine.work, np.uint8),
        np.zeros(engine.scratch, np.uint8),
        rules.vector.copy(),  # writable, as in every other caller: else all the rules are compiled once more
        expert_weights(rules),
        policy_scratch(),
        np.full(1, rules.shape.packs <= EXACT_PACKS, np.int64),
        np.zeros(1, state),
        np.zeros(belief.shape[1], np.float64),
        np.ascontiguousarray(belief),
    )
