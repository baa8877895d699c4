"""Rule-based play of the Bezique family."""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray

from agents.endgame.core import NO_VALUE
from agents.endgame.kernels import view_values
from agents.scripted.expert import hand, won
from agents.scripted.expert.names import MELDS, OPEN
from agents.scripted.expert.slots import WORTHS
from agents.scripted.expert.weights import ExpertWeights, Groups, shipped_weights
from agents.scripted.facts import facts_of, first_legal
from agents.scripted.open_cards import declare_open, play_open
from agents.scripted.reform import declare_reformed, play_for_last_trick, play_reformed
from agents.scripted.scored_once import declare_once, play_endgame, play_once
from agents.scripted.values import OPEN_CARDS, REFORMED, SCORED_ONCE, values_of, values_under
from bezique_env.engine.bezique.actions import NUM_ACTIONS
from bezique_env.engine.bezique.state import DECLARE, ENDGAME_FOLLOW, ENDGAME_LEAD, FOLLOW
from bezique_env.engine.cache import kernel
from bezique_env.rules import Rules
from bezique_env.rules.bezique import index as ix

STYLE = ix.SIZE
"""Place of the style of :mod:`agents.scripted.values` behind the rules vector, which stands there whole."""
_MODELS = {SCORED_ONCE: "two_pack", REFORMED: "rubicon", OPEN_CARDS: "fildinski"}
VALUES = 128
"""Where in ``scratch.whole`` the values of the actions of the strict phase are written."""


def weight_groups(variant: str) -> Groups:
    """Return the names of the weights of a variant."""
    return OPEN if values_of(variant).style == OPEN_CARDS else MELDS


@functools.cache
def _shipped(variant: str) -> NDArray[np.float64]:
    """Return the weights of a variant; one without a file has those of the game that is most like it."""
    return shipped_weights(variant, _MODELS[values_of(variant).style], weight_groups(variant))


def weights_for(rules: Rules, values: NDArray[np.float64] | None = None) -> ExpertWeights:
    """Return what the player of a game plays by: the points of its rules, and its weights or those shipped."""
    known = values_under(rules)
    own = _shipped(rules.variant) if values is None else values
    return ExpertWeights(known.points.copy(), np.append(rules.vector, known.style), np.array(own, np.float64))


@kernel(inner=True)
def choose_ending(f, mask, style):
    """Choose a card in the strict phase where the solver does not know the rules (H24, H29): masters, then low ones."""
    return play_for_last_trick(f, mask) if style == REFORMED else play_endgame(f, mask)


@kernel(inner=True)
def choose_facts(f, mask, weights, scratch):
    """Return the choice of one view by its facts; -1 where no action is legal."""
    style = weights.rules[STYLE]
    points = weights.points
    w = weights.values
    if f.phase in (ENDGAME_LEAD, ENDGAME_FOLLOW):
        return choose_ending(f, mask, style)
    if f.phase == DECLARE:
        if style == REFORMED:
            return hand.declare_again(f, mask, points, w, scratch)
        if style == OPEN_CARDS:
            return declare_open(f, mask, points)
        return hand.declare_once(f, mask, points, w, scratch)
    if f.phase <= FOLLOW:
        if style == OPEN_CARDS:
            return won.play(f, mask, points, w, weights.rules[ix.VALUE_BRISQUE])
        return hand.play(f, mask, style, points, w, scratch)
    return np.int64(first_legal(mask))


@kernel(inner=True)
def choose_expert(v, mask, weights, scratch):
    """Return the choice of one view; -1 where no action is legal. The strict phase is played exactly (H24)."""
    if v.phase == ENDGAME_LEAD or v.phase == ENDGAME_FOLLOW:
        values = scratch.whole[VALUES : VALUES + NUM_ACTIONS]
        best = view_values(v, weights.rules, scratch.solver, values)
        if best != NO_VALUE:
            for a in range(NUM_ACTIONS):
                if values[a] == best:
                    return np.int64(a)
    return choose_facts(facts_of(v), mask, weights, scratch)


@kernel(inner=True)
def rate_expert(v, mask, weights, scratch, out):
    """Write what actions are worth, not a number where the player does not say, and return its choice."""
    for a in range(NUM_ACTIONS):
        scratch.real[WORTHS + a] = np.nan
    action = choose_expert(v, mask, weights, scratch)
    for a in range(NUM_ACTIONS):
        out[a] = scratch.real[WORTHS + a] if mask[a] != 0 else np.nan
    return action


@kernel(inner=True)
def greedy_facts(f, mask, weights, scratch):
    """Return what ``greedy`` chooses of one view by its facts; -1 where no action is legal."""
    style = weights.rules[STYLE]
    points = weights.points
    if f.phase in (ENDGAME_LEAD, ENDGAME_FOLLOW):
        return choose_ending(f, mask, style)
    if f.phase == DECLARE:
        if style == REFORMED:
            return declare_reformed(f, mask, points)
        if style == OPEN_CARDS:
            return declare_open(f, mask, points)
        return declare_once(f, mask, points)
    if f.phase <= FOLLOW:
        if style == REFORMED:
            return play_reformed(f, mask, points, scratch.whole)
        if style == OPEN_CARDS:
            return play_open(f, mask, points, weights.rules[ix.VALUE_BRISQUE])
        return play_once(f, mask, scratch.whole)
    return np.int64(first_legal(mask))


@kernel(inner=True)
def choose_greedy(v, mask, weights, scratch):
    """Return what ``greedy`` chooses of one view; -1 where no action is legal."""
    return greedy_facts(facts_of(v), mask, weights, scratch)
