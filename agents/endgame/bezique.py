"""Endings of the Bezique family: what the solver reads of a record, and what its values mean."""

from __future__ import annotations

import numpy as np

from agents.endgame.bits import lowest
from agents.endgame.core import (
    CARDS,
    FIRST,
    FIRST_0,
    FIRST_1,
    HEAD_PLAIN,
    HEAD_TRUMP,
    HELD_0,
    LAST,
    LEADER,
    LED,
    NO_VALUE,
    PAYING,
    RANKS,
    RUFF,
    SEATS,
    SUITS,
    TRUMPS,
    card_values,
    position_value,
    prepare,
)
from bezique_env.engine.bezique.kernels import seven_scores
from bezique_env.engine.bezique.melds import won_sevens
from bezique_env.engine.bezique.state import ENDGAME_FOLLOW, ENDGAME_LEAD
from bezique_env.engine.cache import kernel
from bezique_env.engine.common import NO_TRUMP, NONE
from bezique_env.rules.bezique import index as ix

STRICT_PHASES = (ENDGAME_LEAD, ENDGAME_FOLLOW)
"""The strict phase begins when the stock has been seen to its end."""

PHASE, TO_ACT, TRUMP, TRICK, LED_SCORED, SCORES, MATCH, BRISQUES, SEVENS, BASE = (
    0,
    1,
    2,
    3,
    4,
    5,
    7,
    9,
    11,
    13,
)
"""Places of ``given``; SCORES to SEVENS have one for each seat. BASE: points of the deal that do not depend on play."""


@kernel(inner=True)
def read_common(g, s):
    """Read what a state and a view have in common."""
    given = s.given
    given[PHASE] = g.phase
    given[TO_ACT] = g.to_act
    given[TRUMP] = g.trump
    given[TRICK] = g.trick_card[1 - g.to_act] if g.phase == ENDGAME_FOLLOW else NONE
    given[LED_SCORED] = g.led_scored
    for seat in range(SEATS):
        given[SCORES + seat] = g.scores[seat]
        given[BRISQUES + seat] = g.brisques[seat]
        given[SEVENS + seat] = g.sevens_scored[seat]


@kernel(inner=True)
def read_state(g, s):
    """Read a state record; returns False outside the strict phase."""
    if g.phase != ENDGAME_LEAD and g.phase != ENDGAME_FOLLOW:
        return False
    read_common(g, s)
    for seat in range(SEATS):
        s.given[MATCH + seat] = g.match_scores[seat]
        for card in range(CARDS):
            s.cards[seat, card] = g.hand[seat, card]
    return True


@kernel(inner=True)
def read_view(v, s):
    """Read a view record; returns False outside the strict phase. There every card unseen is in the other hand."""
    if v.phase != ENDGAME_LEAD and v.phase != ENDGAME_FOLLOW:
        return False
    read_common(v, s)
    seat = np.int64(v.seat)
    for k in range(SEATS):
        s.given[MATCH + k] = v.match_scores[k] - v.scores[k]
    for card in range(CARDS):
        s.cards[seat, card] = v.hand[card]
        s.cards[1 - seat, card] = np.int64(v.known[1 - seat, card]) + np.int64(v.unseen[card])
    return True


@kernel(inner=True)
def lay_out(s, rules):
    """Make the position of what was read; returns False where the search does not know its rules.

    Those are windows between the tricks of the strict phase (``fildinski_endgame: on``) and games that may end
    at a credit before the last trick (``game_end: immediate`` with a seat near the target).
    """
    if rules[ix.FILDINSKI_ENDGAME] == ix.FILDINSKI_ENDGAME_ON:
        return False
    given, nums = s.given, s.nums
    trump = given[TRUMP]
    has_trump = trump != NO_TRUMP
    nums[TRUMPS] = 1 if has_trump else 0
    follower = given[TO_ACT]
    leader = follower
    if given[TRICK] != NONE:
        leader = 1 - follower
        s.cards[leader, given[TRICK]] += 1
    counted = rules[ix.BRISQUES] == ix.BRISQUES_AT_TRICK or rules[ix.BRISQUES] == ix.BRISQUES_AT_HAND_END
    brisque = rules[ix.VALUE_BRISQUE] if counted else np.int64(0)
    total = np.int64(0)
    for k in range(SUITS):
        suit = np.int64(k)
        if has_trump:
            suit = trump if k == 0 else np.int64(k - 1 if k <= trump else k)
        for rank in range(RANKS):
            card, own = suit * RANKS + rank, k * RANKS + rank
            s.actions[own] = card
            s.rank_points[own] = brisque if rank >= rules[ix.BRISQUES_FROM] else 0
            for seat in range(SEATS):
                s.hands[seat, own] = s.cards[seat, card]
                total += s.cards[seat, card] * s.rank_points[own]
    given[BASE] = given[SCORES] - given[SCORES + 1]
    if rules[ix.BRISQUES] == ix.BRISQUES_AT_HAND_END:
        given[BASE] += (given[BRISQUES] - given[BRISQUES + 1]) * brisque
    nums[PAYING] = 0
    for seat in range(SEATS):
        s.paying[seat] = 0
        if has_trump and seven_scores(rules, True):
            sevens = s.cards[seat, RANKS * trump]
            if (
                given[TRICK] == RANKS * trump
                and seat == leader
                and (not won_sevens(rules) or given[LED_SCORED])
            ):
                sevens -= 1  # it has paid
            pays = max(np.int64(0), sevens - given[SEVENS + seat])
            total += pays * rules[ix.VALUE_SEVEN]
            if won_sevens(rules):
                nums[PAYING] = rules[ix.VALUE_SEVEN]
                s.paying[seat] = pays
            elif seat == 0:
                given[BASE] += pays * rules[ix.VALUE_SEVEN]
            else:
                given[BASE] -= pays * rules[ix.VALUE_SEVEN]
    nums[LAST] = rules[ix.VALUE_LAST_TRICK] if rules[ix.LAST_TRICK] == ix.LAST_TRICK_FINAL else 0
    if rules[ix.GAME_END] == ix.IMMEDIATE:
        total += nums[LAST]
        for seat in range(SEATS):
            most = given[MATCH + seat] + given[SCORES + seat] + total
            if rules[ix.BRISQUES] == ix.BRISQUES_AT_HAND_END:
                most += given[BRISQUES + seat] * brisque
            if most >= rules[ix.TARGET]:
                return False
    duty = rules[ix.ENDGAME]
    nums[HEAD_TRUMP] = 1 if duty == ix.FOLLOW_TRUMP_HEAD else 0
    nums[HEAD_PLAIN] = nums[HEAD_TRUMP]
    nums[RUFF] = 1 if duty != ix.FOLLOW_ONLY else 0
    nums[FIRST] = 0
    nums[FIRST_0] = 0
    nums[FIRST_1] = 0
    if not prepare(s):
        return False
    nums[LEADER] = leader
    nums[LED] = -1
    if given[TRICK] != NONE:
        for own in range(CARDS):
            if s.actions[own] == given[TRICK]:
                nums[LED] = lowest(s.card_set[own] & nums[HELD_0 + leader])
    return True


@kernel(inner=True)
def final_value(s, rules):
    """Return the final difference of points of the deal, seat 0 less seat 1."""
    value = position_value(s)
    return s.given[BASE] + (value if s.nums[LEADER] == 0 else -value)


@kernel(inner=True)
def final_values(s, rules, out):
    """Write the final difference of every action, for the seat to act; return the best."""
    card_values(s)
    base = s.given[BASE] if s.given[TO_ACT] == 0 else -s.given[BASE]
    best = np.int64(NO_VALUE)
    for own in range(CARDS):
        if s.found[own] != NO_VALUE:
            out[s.actions[own]] = base + s.found[own]
            best = max(best, base + s.found[own])
    return best


@kernel(inner=True)
def load_state(g, rules, s):
    """Make the position of a state record; returns whether it can be solved."""
    return read_state(g, s) and lay_out(s, rules)


@kernel(inner=True)
def load_view(v, rules, s):
    """Make the position that a view record determines; returns whether it can be solved."""
    return read_view(v, s) and lay_out(s, rules)


@kernel(inner=True)
def loaded_value(g, rules, s):
    """Do :func:`final_value` for the position that was made of ``g``."""
    return final_value(s, rules)


@kernel(inner=True)
def loaded_values(g, rules, s, out):
    """Do :func:`final_values` for the position that was made of ``g``."""
    return final_values(s, rules, out)
