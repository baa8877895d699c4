"""From a view of the Belote family to its observation row.

Where a field stands comes from :mod:`bezique_env.encoding.belote.layout`; the starts of the fields are constants
of the kernel, so that its loops compile to vector instructions. What stands behind the sets of cards is mostly 0:
it is zeroed at once, and only numbers that may differ are written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bezique_env.encoding.belote.layout import (
    BID_KINDS,
    FIRST_BID,
    SCORE_SCALE,
    STAGES,
    TOTAL_SCALE,
    layout_of,
)
from bezique_env.engine.belote.state import (
    CONTESTS,
    FOUR_SHIFT,
    LENGTH_SHIFT,
    SAID_TOP,
    STEP_EXCHANGE_AGAIN,
    TO_DEALER,
    TO_ELDER,
    TOP_SHIFT,
    UNDECIDED,
    VALUE_SHIFT,
)
from bezique_env.engine.cache import kernel
from bezique_env.rules.belote.shape import Shape

_NONE = 255
_LAYOUT = layout_of(Shape(2))
_AT, _SIZE = _LAYOUT.at, _LAYOUT.size
_BYTES = np.array([[byte >> k & 1 for k in range(8)] for byte in range(256)], np.float32)
"""The ranks of a suit as numbers: a set of cards is four loads and stores of a vector register."""
_POINTS, _TOTAL, _NINE = np.float32(1 / SCORE_SCALE), np.float32(1 / TOTAL_SCALE), np.float32(1 / 9)


@kernel(inline_always=True)
def _flags(mask, row, start):
    """Write a set of cards, a number for each card."""
    mask = np.int64(mask)
    for suit in range(4):
        ranks = (mask >> (8 * suit)) & 255
        for rank in range(8):
            row[start + 8 * suit + rank] = _BYTES[ranks, rank]


@kernel(inline_always=True)
def _one_card(card, row, start):
    """Write a card as one-hot rank and suit."""
    card = np.int64(card)
    row[start + (card & 7)] = 1.0
    row[start + 8 + (card >> 3)] = 1.0


@kernel(inner=True)
def _contest(v, c, elder, own, row):
    """Write what became known of a contest of announcements, where anything did."""
    stage = np.int64(v.stage[c])
    if stage:
        said = np.int64(v.said[c])
        row[_AT.said_value + c] = np.float32(said >> VALUE_SHIFT) * np.float32(1 / 200)
        row[_AT.said_four + c] = np.float32((said >> FOUR_SHIFT) & 1)
        row[_AT.said_length + c] = np.float32((said >> LENGTH_SHIFT) & 15) * _NINE
        if stage >= SAID_TOP:
            row[_AT.said_top + 8 * c + ((said >> TOP_SHIFT) & 7)] = 1.0
        row[_AT.said_trump + c] = np.float32(said & 1)
    outcome = np.int64(v.outcome[c])
    if outcome == UNDECIDED:
        return
    if outcome in (TO_ELDER, TO_DEALER):
        winner = elder if outcome == TO_ELDER else 1 - elder
        row[_AT.outcome + 3 * c + (0 if winner == own else 1)] = 1.0
        row[_AT.declared + c] = np.float32(v.declared[c]) * _POINTS
        row[_AT.paid + c] = np.float32(v.paid[c])
        if v.shown[c]:
            _flags(v.shown[c], row, _AT.shown + 32 * c)
    else:
        row[_AT.outcome + 3 * c + 2] = 1.0


@kernel(inline_always=True)
def encode_two_seats(v, row):
    """Write the observation of a view of the two-handed game."""
    own = np.int64(v.seat)
    opp = 1 - own
    for k in range(_AT.trick_own, _SIZE):  # the fields before are written whole
        row[k] = 0.0
    _flags(v.hand, row, _AT.hand)
    _flags(v.known[own], row, _AT.known_own)
    _flags(v.known[opp], row, _AT.known_opp)
    _flags(v.unseen, row, _AT.unseen)
    _flags(v.absent[own], row, _AT.absent_own)
    _flags(v.absent[opp], row, _AT.absent_opp)
    _flags(v.played[own], row, _AT.played_own)
    _flags(v.played[opp], row, _AT.played_opp)
    _flags(v.won[own], row, _AT.won_own)
    _flags(v.won[opp], row, _AT.won_opp)
    if v.trick_card[own] != _NONE:
        _one_card(v.trick_card[own], row, _AT.trick_own)
    if v.trick_card[opp] != _NONE:
        _one_card(v.trick_card[opp], row, _AT.trick_opp)
    row[_AT.trump + v.trump] = 1.0
    _one_card(v.turn_up, row, _AT.turn_up)
    if v.bottom != _NONE:
        _one_card(v.bottom, row, _AT.bottom)
    row[_AT.phase + v.phase] = 1.0
    if v.to_act == own:
        row[_AT.to_act] = 1.0
    elif v.to_act == opp:
        row[_AT.to_act + 1] = 1.0
    row[_AT.dealer] = np.float32(v.dealer == own)
    row[_AT.leader] = np.float32(v.leader == own)
    row[_AT.taker + (2 if v.taker == _NONE else 0 if v.taker == own else 1)] = 1.0
    for k in range(v.bids_n):
        row[_AT.bids + BID_KINDS * k + np.int64(v.bids[k]) - FIRST_BID] = 1.0
    row[_AT.round] = np.float32(v.round > 1)
    row[_AT.naming] = np.float32(v.naming)
    row[_AT.saying] = np.float32(v.saying)
    row[_AT.compared] = np.float32(v.step >= STEP_EXCHANGE_AGAIN)
    for c in range(CONTESTS):
        row[_AT.stage + STAGES * c + v.stage[c]] = 1.0
        if v.stage[c] + v.outcome[c] > 0:
            _contest(v, c, 1 - np.int64(v.dealer), own, row)
    if v.exchanged != _NONE:
        row[_AT.exchanged + (0 if v.exchanged == own else 1)] = 1.0
        row[_AT.late_exchange] = np.float32(v.late_exchange)
    row[_AT.pair_said] = np.float32(v.pair_said[own]) * np.float32(0.5)
    row[_AT.pair_said + 1] = np.float32(v.pair_said[opp]) * np.float32(0.5)
    row[_AT.pair_paid] = np.float32(v.pair_paid[own])
    row[_AT.pair_paid + 1] = np.float32(v.pair_paid[opp])
    row[_AT.tricks] = np.float32(v.tricks[own]) * _NINE
    row[_AT.tricks + 1] = np.float32(v.tricks[opp]) * _NINE
    row[_AT.concealed] = np.float32(v.concealed_n[own]) * _NINE
    row[_AT.concealed + 1] = np.float32(v.concealed_n[opp]) * _NINE
    row[_AT.scores] = np.float32(v.scores[own]) * _POINTS
    row[_AT.scores + 1] = np.float32(v.scores[opp]) * _POINTS
    row[_AT.scores + 2] = np.float32(v.scores[own] - v.scores[opp]) * _POINTS
    row[_AT.totals] = np.float32(v.match_scores[own]) * _TOTAL
    row[_AT.totals + 1] = np.float32(v.match_scores[opp]) * _TOTAL
    row[_AT.held] = np.float32(v.held) * _POINTS
    row[_AT.redeals] = np.float32(v.redeals) * np.float32(1 / 16)
    row[_AT.deal_number] = np.float32(v.deal_no) * np.float32(1 / 16)
    if v.winner == own:
        row[_AT.result] = 1.0
    elif v.winner == opp:
        row[_AT.result + 1] = 1.0


def kernel_for(lengths: Callable[[str], tuple[int, ...]]) -> Any:
    """Return the kernel for view records; ``lengths`` gives the shape of a field of theirs."""
    if lengths("hand") != ():
        raise TypeError(f"no variant has views with hands of the shape {lengths('hand')}")
    return encode_two_seats
