"""Rule-based play of the Bezique family."""

from __future__ import annotations

import numpy as np

from agents.scripted.expert.weights import ExpertWeights
from agents.scripted.facts import facts_of, first_legal
from agents.scripted.open_cards import declare_open, play_open
from agents.scripted.reform import declare_reformed, play_for_last_trick, play_reformed
from agents.scripted.scored_once import declare_once, play_endgame, play_once
from agents.scripted.values import OPEN_CARDS, REFORMED, values_of
from bezique_env.engine.bezique.state import DECLARE, ENDGAME_FOLLOW, ENDGAME_LEAD, FOLLOW
from bezique_env.engine.cache import kernel
from bezique_env.rules import Rules

STYLE, BRISQUE, LAST_TRICK = range(3)
"""Places of :attr:`agents.scripted.expert.weights.ExpertWeights.rules`."""


def weights_for(rules: Rules) -> ExpertWeights:
    """Return what the player of a game plays by."""
    known = values_of(rules.variant)
    facts = np.zeros(8, np.int64)
    facts[[STYLE, BRISQUE, LAST_TRICK]] = known.style, known.brisque, known.last_trick
    return ExpertWeights(known.points.copy(), facts, np.zeros(1, np.float64))


@kernel(inner=True)
def choose_facts(f, mask, weights, scratch):
    """Return the choice of one view by its facts; -1 where no action is legal."""
    style = weights.rules[STYLE]
    if f.phase in (ENDGAME_LEAD, ENDGAME_FOLLOW):
        return play_for_last_trick(f, mask) if style == REFORMED else play_endgame(f, mask)
    if f.phase == DECLARE:
        if style == REFORMED:
            return declare_reformed(f, mask, weights.points)
        if style == OPEN_CARDS:
            return declare_open(f, mask, weights.points)
        return declare_once(f, mask, weights.points)
    if f.phase <= FOLLOW:
        if style == REFORMED:
            return play_reformed(f, mask, weights.points, scratch.whole)
        if style == OPEN_CARDS:
            return play_open(f, mask, weights.points, weights.rules[BRISQUE])
        return play_once(f, mask, scratch.whole)
    return np.int64(first_legal(mask))


@kernel(inner=True)
def choose_row(v, mask, weights, scratch):
    """Return the choice of one view; -1 where no action is legal."""
    return choose_facts(facts_of(v), mask, weights, scratch)
