"""From a view of the Bezique family to its observation row.

Where a field stands comes from :mod:`bezique_env.encoding.bezique.layout`. A kernel is made for each layout, so
that the starts of its fields are constants: then the loops compile to vector instructions. Copies of equal cards
on a table are numbered in the order laid.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from bezique_env.encoding.bezique.layout import OPEN_CELLS, PLACE_CARD, PLACE_USES, layout_of, stock_start
from bezique_env.encoding.layout import Layout
from bezique_env.engine.bezique.state import (
    MELD_KINDS,
    USED_BEZIQUE,
    USED_BEZIQUE_NOW,
    USED_DOUBLE,
    USED_FOUR,
    USED_LINE_NOW,
    USED_MARRIAGE,
    USED_NOW,
    USED_SEQUENCE,
    USED_SEVEN,
    USED_TRICK,
    USED_WINDOW,
)
from bezique_env.engine.cache import kernel
from bezique_env.rules.bezique.variants import VARIANTS

_NONE = 255
# Inside ``uses`` of two packs: per copy marriage (K Q by suit), sequence (A T K Q J), bezique (Q J by suit),
# four, and (not in Fildinski) seven.
_COPY, _OPEN_COPY = 42, 41
_U_SEQUENCE, _U_BEZIQUE, _U_FOUR, _U_SEVEN = 8, 13, 21, 41
_RANK_PLACE = np.array([0, 0, 0, 1, 2, 3, 4, 5], np.int64)
_ONE, _HALF, _THIRD = np.float32(1), np.float32(0.5), np.float32(1 / 3)


# ------------------------------------------------------------------------------------- every layout


@kernel(inline_always=True)
def _one_card(card, row, start):
    """Write a card as one-hot rank and suit."""
    row[start + (card & 7)] = 1.0
    row[start + 8 + (card >> 3)] = 1.0


@kernel(inline_always=True)
def _own_and_opp(values, own, opp, unit, row, start):
    """Write a value of both seats, divided by a unit."""
    row[start] = np.float32(values[own]) / unit
    row[start + 1] = np.float32(values[opp]) / unit


@kernel(inline_always=True)
def _selection(v, row, start, actions):
    """Write the own selection under way: its action, then the copies chosen."""
    if v.sel_action != _NONE:
        row[start + v.sel_action - 64] = 1.0
        for k in range(v.sel_n):
            row[start + actions + k] = np.float32(v.sel_code[k] + 1) / np.float32(128)


def _situation_kernel(layout: Layout) -> Any:
    """Return the kernel of what stands in every layout under the same name, piles and tables apart."""
    at, scale, packs = layout.at, np.float32(layout.score_scale), layout.shape.packs
    start, brisques = np.float32(stock_start(layout.shape)), np.float32(8 * packs)
    concealed = np.float32(layout.shape.hand)

    @kernel(inline_always=True)
    def situation(v, own, opp, row):
        if v.trick_card[own] != _NONE:
            _one_card(np.int64(v.trick_card[own]), row, at.trick_own)
        if v.trick_card[opp] != _NONE:
            _one_card(np.int64(v.trick_card[opp]), row, at.trick_opp)
        row[at.trump + v.trump] = 1.0
        if v.bezique_q != _NONE:
            row[at.bezique_pair + (v.bezique_q >> 3)] = 1.0
        row[at.phase + v.phase] = 1.0
        if v.to_act == own:
            row[at.to_act] = 1.0
        elif v.to_act == opp:
            row[at.to_act + 1] = 1.0
        row[at.dealer] = np.float32(v.dealer == own)
        row[at.leader] = np.float32(v.leader == own)
        left = np.float32(v.stock_left)
        row[at.stock] = left / start
        row[at.stock + 1] = min(_ONE, left / np.float32(12))
        row[at.stock + 2] = min(_ONE, left / np.float32(4))
        _own_and_opp(v.scores, own, opp, scale, row, at.scores)
        row[at.scores + 2] = np.float32(v.scores[own] - v.scores[opp]) / scale
        _own_and_opp(v.brisques, own, opp, brisques, row, at.brisques)
        _own_and_opp(v.concealed_n, own, opp, concealed, row, at.concealed)
        row[at.window] = np.float32(v.declared)
        if v.winner == own:
            row[at.result] = 1.0
        elif v.winner == opp:
            row[at.result + 1] = 1.0

    return situation


# ---------------------------------------------------------------------------------------- two packs


@kernel(inline_always=True)
def _uses_of_copy(uses, rank, suit, row, base):
    """Write in which kinds of scored meld a copy has served."""
    if uses & USED_MARRIAGE:
        row[base + 4 * (rank - 4) + suit] = 1.0
    if uses & USED_SEQUENCE:
        row[base + _U_SEQUENCE + rank - 3] = 1.0
    level = (1 if uses & USED_BEZIQUE else 0) + (2 if uses & USED_DOUBLE else 0)
    if level > 0:
        row[base + _U_BEZIQUE + 4 * (rank - 3) + suit] = np.float32(level) * _THIRD
    if uses & USED_FOUR:
        row[base + _U_FOUR + 4 * (rank - 3) + suit] = 1.0


def _two_pack_table(layout: Layout) -> Any:
    """Return the kernel that writes the table of a seat of the two-pack game (``side`` 0 own, 1 opp)."""
    at, slots = layout.at, layout.shape.slots

    @kernel(inline_always=True)
    def table(v, s, side, row):
        for t in range(v.table_n[s]):
            card = np.int64(v.table_card[s, t])
            uses = np.int64(v.table_uses[s, t])
            rank = card & 7
            suit = card >> 3
            copy = 0
            for earlier in range(t):
                if v.table_card[s, earlier] == card:
                    copy += 1
            row[at.slots_own + slots * side + t] = np.float32(card + 1) / np.float32(32)
            row[at.table_own + 48 * side + 24 * copy + 4 * _RANK_PLACE[rank] + suit] = 1.0
            if uses & USED_NOW:
                row[at.served_now_own + slots * side + t] = 1.0
            if uses & 63:
                base = at.uses_own + 84 * side + _COPY * copy
                _uses_of_copy(uses, rank, suit, row, base)
                if uses & USED_SEVEN:
                    row[base + _U_SEVEN] = 1.0

    return table


def _open_cards(layout: Layout) -> Any:
    """Return the kernel that writes the open cards of a seat of Fildinski (``side`` 0 own, 1 opp)."""
    at, slots, half = layout.at, layout.shape.slots, OPEN_CELLS // 2

    @kernel(inline_always=True)
    def open_cards(v, s, side, row):
        for t in range(v.table_n[s]):
            card = np.int64(v.table_card[s, t])
            uses = np.int64(v.table_uses[s, t])
            rank = card & 7
            suit = card >> 3
            cell = OPEN_CELLS * side + 4 * (rank - 3) + suit
            copy = np.int64(row[at.table_own + cell] > 0)
            cell += half * copy
            row[at.slots_own + slots * side + t] = np.float32(card + 1) / np.float32(32)
            row[at.table_own + cell] = 1.0
            if uses & 63:
                _uses_of_copy(uses, rank, suit, row, at.uses_own + _OPEN_COPY * (2 * side + copy))
            if uses & USED_WINDOW:
                row[at.won_now_own + cell] = np.float32(uses & USED_TRICK > 0)
                row[at.served_now_own + cell] = np.float32(uses & USED_NOW > 0)
                row[at.line_now_own + cell] = np.float32(uses & USED_LINE_NOW > 0)
                row[at.bezique_now_own + cell] = np.float32(uses & USED_BEZIQUE_NOW > 0)

    return open_cards


def _two_pack_kernel(layout: Layout, table: Any) -> Any:
    """Return the kernel of a layout with two packs: the two-pack game, or Fildinski."""
    at, size, scale = layout.at, layout.size, np.float32(layout.score_scale)
    situation = _situation_kernel(layout)

    @kernel(inline_always=True)
    def encode_two_packs(v, row):
        own = np.int64(v.seat)
        opp = 1 - own
        for k in range(at.table_own, size):  # the fields before are written whole
            row[k] = 0.0
        for c in range(32):
            row[at.hand_one + c] = np.float32(v.hand[c] > 0)
            row[at.hand_two + c] = np.float32(v.hand[c] > 1)
            row[at.known_own + c] = np.float32(v.known[own, c]) * _HALF
            row[at.known_opp + c] = np.float32(v.known[opp, c]) * _HALF
            row[at.unseen + c] = np.float32(v.unseen[c]) * _HALF
            row[at.won_own + c] = np.float32(v.won[own, c]) * _HALF
            row[at.won_opp + c] = np.float32(v.won[opp, c]) * _HALF
        table(v, own, np.int64(0), row)
        table(v, opp, np.int64(1), row)
        situation(v, own, opp, row)
        row[at.last_trump + v.last_trump] = 1.0
        if v.turn_up != _NONE:
            _one_card(np.int64(v.turn_up), row, at.turn_up)
            row[at.turn_up + 12] = np.float32(v.turn_up_scored)
        _own_and_opp(v.match_scores, own, opp, scale, row, at.totals)
        _own_and_opp(v.sevens_scored, own, opp, np.float32(2), row, at.sevens_scored)
        row[at.window + 1] = np.float32(v.exchanged)
        if v.first_over == own:
            row[at.first_over] = 1.0
        elif v.first_over == opp:
            row[at.first_over + 1] = 1.0
        row[at.result + 2] = np.float32(v.double)
        row[at.deal_number] = np.float32(v.deal_no) / np.float32(16)
        _selection(v, row, at.selection, np.int64(18))

    return encode_two_packs


def _fildinski_kernel(layout: Layout) -> Any:
    """Return the kernel of Fildinski: two packs, and what is known of trump sevens in the trick."""
    at, shared = layout.at, _two_pack_kernel(layout, _open_cards(layout))

    @kernel(inline_always=True)
    def encode_fildinski(v, row):
        shared(v, row)
        row[at.seven_won] = np.float32(v.seven_won)
        row[at.led_scored] = np.float32(v.led_scored)

    return encode_fildinski


# -------------------------------------------------------------------------- four, six and eight packs


def _places(layout: Layout) -> Any:
    """Return the kernel that writes the table of a seat place by place (``side`` 0 own, 1 opp)."""
    at, slots, mask_unit = layout.at, layout.shape.slots, np.float32(2.0**-layout.shape.slots)

    @kernel(inline_always=True)
    def places(v, s, side, row):
        for t in range(v.table_n[s]):
            place = slots * side + t
            card = np.int64(v.table_card[s, t])
            base = at.table_own + PLACE_CARD * place
            row[base + (card & 7) - 3] = 1.0
            row[base + 5 + (card >> 3)] = 1.0
            row[at.served_own + place] = np.float32(v.table_served[s, t]) * np.float32(1 / 16)
            uses = np.int64(v.table_uses[s, t])
            if uses:
                base = at.uses_own + PLACE_USES * place
                for k in range(5):  # marriage to four are the bits 0..4, triple to five trump 8..12
                    row[base + k] = np.float32((uses >> k) & 1)
                    row[base + 5 + k] = np.float32((uses >> (8 + k)) & 1)
                intact = at.intact_own + MELD_KINDS * place
                melds = at.melds_own + MELD_KINDS * place
                for kind in range(MELD_KINDS):
                    mask = v.table_melds[s, t, kind]
                    row[intact + kind] = np.float32(mask > 0)
                    row[melds + kind] = np.float32(mask) * mask_unit

    return places


def _multi_pack_kernel(layout: Layout) -> Any:
    """Return the kernel of the games with four, six and eight packs."""
    at, size, unit = layout.at, layout.size, np.float32(1 / layout.shape.packs)
    situation, table = _situation_kernel(layout), _places(layout)

    @kernel(inline_always=True)
    def encode_multi_pack(v, row):
        own = np.int64(v.seat)
        opp = 1 - own
        for k in range(at.table_own, size):  # the fields before are written whole
            row[k] = 0.0
        for c in range(32):
            row[at.hand_one + c] = np.float32(v.hand[c] > 0)
            row[at.hand_two + c] = np.float32(v.hand[c] > 1)
            row[at.hand_three + c] = np.float32(v.hand[c] > 2)
            row[at.hand_four + c] = np.float32(v.hand[c] > 3)
            row[at.hand_count + c] = np.float32(v.hand[c]) * unit
            row[at.known_own + c] = np.float32(v.known[own, c]) * unit
            row[at.known_opp + c] = np.float32(v.known[opp, c]) * unit
            row[at.unseen + c] = np.float32(v.unseen[c]) * unit
            row[at.won_own + c] = np.float32(v.won[own, c]) * unit
            row[at.won_opp + c] = np.float32(v.won[opp, c]) * unit
        table(v, own, np.int64(0), row)
        table(v, opp, np.int64(1), row)
        situation(v, own, opp, row)
        _own_and_opp(v.carte, own, opp, _ONE, row, at.carte)
        row[at.cut] = np.float32(v.cut[0]) / np.float32(32)
        row[at.cut + 1] = np.float32(v.cut[1]) / np.float32(32)
        _selection(v, row, at.selection, np.int64(28))

    return encode_multi_pack


# -------------------------------------------------------------------------------------------- entry


def kernel_for(lengths: Callable[[str], tuple[int, ...]]) -> Any:
    """Return the kernel for view records; ``lengths`` gives the shape of a field of theirs."""
    return _kernel_of(lengths("deck")[0], lengths("table_card")[1])


@functools.cache
def _kernel_of(deck: int, slots: int) -> Any:
    """Return the kernel for records with these lengths of ``deck`` and tables."""
    for variant in VARIANTS.values():
        shape = variant.shape
        if (shape.deck, shape.slots) == (deck, slots):
            layout = layout_of(shape)
            if shape.reform:
                return _multi_pack_kernel(layout)
            if "won_now_own" in layout.at._fields:
                return _fildinski_kernel(layout)
            return _two_pack_kernel(layout, _two_pack_table(layout))
    raise TypeError(f"no variant has records with a deck of {deck} cards and {slots} places on a table")
