"""Greedy play of the Bezique family: declares at once, catches aces and tens cheaply, throws its least useful card.

Beside view and mask it knows the points of the variant, so it plays every preset. What a card is worth keeping
depends on how melds are made: :mod:`agents.scripted.scored_once`, :mod:`agents.scripted.reform`,
:mod:`agents.scripted.open_cards`.
"""

from __future__ import annotations

import numpy as np

from agents.protocol import Actions, Masks, Views
from agents.scripted.facts import facts_of, first_legal
from agents.scripted.open_cards import declare_open, play_open
from agents.scripted.reform import declare_reformed, play_for_last_trick, play_reformed
from agents.scripted.scored_once import declare_once, play_endgame, play_once
from agents.scripted.values import OPEN_CARDS, REFORMED, SCORED_ONCE, values_for
from bezique_env.engine.bezique.state import DECLARE, ENDGAME_FOLLOW, ENDGAME_LEAD, FOLLOW
from bezique_env.engine.cache import kernel


@kernel(allocates=True)
def once_rows(views, masks, points, brisque, actions):
    """Write the choice of every row where melds score once; -1 where no action is legal."""
    work = np.zeros(8, np.int64)
    for i in range(views.shape[0]):
        f, mask = facts_of(views[i]), masks[i]
        if f.phase <= FOLLOW:
            actions[i] = play_once(f, mask, work)
        elif f.phase == DECLARE:
            actions[i] = declare_once(f, mask, points)
        elif f.phase in (ENDGAME_LEAD, ENDGAME_FOLLOW):
            actions[i] = play_endgame(f, mask)
        else:
            actions[i] = first_legal(mask)


@kernel(allocates=True)
def reformed_rows(views, masks, points, brisque, actions):
    """Write the choice of every row where melds may score again; -1 where no action is legal."""
    work = np.zeros(32, np.int64)
    for i in range(views.shape[0]):
        f, mask = facts_of(views[i]), masks[i]
        if f.phase <= FOLLOW:
            actions[i] = play_reformed(f, mask, points, work)
        elif f.phase == DECLARE:
            actions[i] = declare_reformed(f, mask, points)
        elif f.phase in (ENDGAME_LEAD, ENDGAME_FOLLOW):
            actions[i] = play_for_last_trick(f, mask)
        else:
            actions[i] = first_legal(mask)


@kernel
def open_rows(views, masks, points, brisque, actions):
    """Write the choice of every row where melds come from won cards; -1 where no action is legal."""
    for i in range(views.shape[0]):
        f, mask = facts_of(views[i]), masks[i]
        if f.phase <= FOLLOW:
            actions[i] = play_open(f, mask, points, brisque)
        elif f.phase == DECLARE:
            actions[i] = declare_open(f, mask, points)
        elif f.phase in (ENDGAME_LEAD, ENDGAME_FOLLOW):
            actions[i] = play_endgame(f, mask)
        else:
            actions[i] = first_legal(mask)


_ROWS = {SCORED_ONCE: once_rows, REFORMED: reformed_rows, OPEN_CARDS: open_rows}


def choose(views: Views, masks: Masks) -> Actions:
    """Return one legal action for every row, -1 where there is none."""
    actions = np.empty(len(masks), np.int64)
    values = values_for(views)
    _ROWS[values.style](views, masks, values.points, values.brisque, actions)
    return actions
