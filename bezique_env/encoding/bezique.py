"""The observation of the Bezique family: named fields in one flat float32 row, made from a view.

The row of a seat holds what the seat may know, itself first (``own``), the other seat second (``opp``).
Copies of equal cards on a table are numbered in the order laid. Tables in docs/ are generated from
:data:`OBSERVATION_FIELDS`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np

from bezique_env.engine.cache import kernel
from bezique_env.engine.state import (
    SLOTS,
    USED_BEZIQUE,
    USED_DOUBLE,
    USED_FOUR,
    USED_MARRIAGE,
    USED_NOW,
    USED_SEQUENCE,
    USED_SEVEN,
)


@dataclass(frozen=True)
class Field:
    """One named piece of the observation: ``row[start:stop]``, its unit, range and meaning."""

    name: str
    start: int
    stop: int
    unit: str
    low: float
    high: float
    meaning: str


_SIZES: list[tuple[str, int, str, float, float, str]] = [
    ("hand_one", 32, "0/1 per card id", 0, 1, "own concealed cards: at least one copy"),
    ("hand_two", 32, "0/1 per card id", 0, 1, "own concealed cards: two copies"),
    ("known_own", 32, "copies / 2 per card id", 0, 1, "own concealed cards that the other seat knows"),
    ("known_opp", 32, "copies / 2 per card id", 0, 1, "cards that the other seat is known to hold concealed"),
    ("unseen", 32, "copies / 2 per card id", 0, 1, "copies in the other hand (not known) or in the stock"),
    ("won_own", 32, "copies / 2 per card id", 0, 1, "cards in the tricks won by this seat"),
    ("won_opp", 32, "copies / 2 per card id", 0, 1, "cards in the tricks won by the other seat"),
    (
        "table_own",
        48,
        "0/1; copy 1 then copy 2; rank 7 J Q K T A by suit S H D C",
        0,
        1,
        "own cards on the table",
    ),
    (
        "table_opp",
        48,
        "0/1; copy 1 then copy 2; rank 7 J Q K T A by suit S H D C",
        0,
        1,
        "the other seat's table",
    ),
    (
        "uses_own",
        84,
        "0/1, bezique in thirds; see docs",
        0,
        1,
        "scored melds in which own table cards have served",
    ),
    ("uses_opp", 84, "0/1, bezique in thirds; see docs", 0, 1, "the same of the other seat's table"),
    ("slots_own", 8, "(card id + 1) / 32, 0 empty", 0, 1, "own table in the order laid"),
    ("slots_opp", 8, "(card id + 1) / 32, 0 empty", 0, 1, "the other seat's table in the order laid"),
    ("served_now_own", 8, "0/1 per place", 0, 1, "own table cards that served in the open window"),
    ("served_now_opp", 8, "0/1 per place", 0, 1, "the other seat's cards that served in the open window"),
    ("trick_own", 12, "one-hot rank 7 8 9 J Q K T A, then suit S H D C", 0, 1, "own card in the trick"),
    (
        "trick_opp",
        12,
        "one-hot rank 7 8 9 J Q K T A, then suit S H D C",
        0,
        1,
        "the other seat's card in the trick",
    ),
    ("trump", 5, "one-hot S H D C none", 0, 1, "trump suit"),
    ("last_trump", 5, "one-hot S H D C none", 0, 1, "trump of the previous deal of the match"),
    (
        "turn_up",
        13,
        "one-hot rank 7 8 9 J Q K T A, then suit S H D C, then scored",
        0,
        1,
        "the turn-up while it lies there",
    ),
    ("bezique_pair", 4, "one-hot suit of the queen S H D C", 0, 1, "queen that now makes a bezique"),
    (
        "phase",
        8,
        "one-hot lead follow declare select endgame_lead endgame_follow over between_deals",
        0,
        1,
        "phase",
    ),
    ("to_act", 2, "0/1 own, opp", 0, 1, "whose decision it is"),
    ("dealer", 1, "0/1", 0, 1, "whether this seat dealt"),
    ("leader", 1, "0/1", 0, 1, "whether this seat leads the trick or has won the last one"),
    (
        "stock",
        3,
        "left / 48, min(1, left / 12), min(1, left / 4)",
        0,
        1,
        "cards left in the stock, turn-up included",
    ),
    ("scores", 3, "points / 1000: own, opp, difference", -100, 100, "points of this deal"),
    ("totals", 2, "points / 1000: own, opp", -100, 200, "points of the match, this deal included"),
    ("brisques", 2, "count / 16: own, opp", 0, 1, "aces and tens won"),
    ("concealed", 2, "cards / 8: own, opp", 0, 1, "concealed cards"),
    ("sevens_scored", 2, "copies / 2: own, opp", 0, 1, "scored trump sevens among the concealed cards"),
    ("window", 2, "0/1 declared, exchanged", 0, 1, "what was done in the open window"),
    ("first_over", 2, "0/1 own, opp", 0, 1, "who reached the target first"),
    ("result", 3, "0/1 own win, opp win, double", 0, 1, "result when the game is over"),
    ("deal_number", 1, "deals before this one / 16", 0, 256, "number of the deal in the match"),
    (
        "selection",
        26,
        "one-hot action 64..81, then chosen copies (code + 1) / 128",
        0,
        1,
        "own selection under way",
    ),
]


def _layout() -> list[Field]:
    fields, start = [], 0
    for name, size, unit, low, high, meaning in _SIZES:
        fields.append(Field(name, start, start + size, unit, low, high, meaning))
        start += size
    return fields


OBSERVATION_FIELDS: list[Field] = _layout()
OBSERVATION_SIZE = OBSERVATION_FIELDS[-1].stop
layout_hash = hashlib.sha256(repr(_SIZES).encode()).hexdigest()[:12]
"""Changes whenever the layout changes; checkpoints carry it."""

_AT = {field.name: field.start for field in OBSERVATION_FIELDS}
_HAND_ONE, _HAND_TWO, _KNOWN, _UNSEEN = _AT["hand_one"], _AT["hand_two"], _AT["known_own"], _AT["unseen"]
_WON, _TABLE, _USES, _SLOTS = _AT["won_own"], _AT["table_own"], _AT["uses_own"], _AT["slots_own"]
_NOW, _TRICK, _TRUMP, _LAST_TRUMP = _AT["served_now_own"], _AT["trick_own"], _AT["trump"], _AT["last_trump"]
_TURN_UP, _PAIR, _PHASE, _TO_ACT = _AT["turn_up"], _AT["bezique_pair"], _AT["phase"], _AT["to_act"]
_DEALER, _LEADER, _STOCK, _SCORES = _AT["dealer"], _AT["leader"], _AT["stock"], _AT["scores"]
_TOTALS, _BRISQUES, _CONCEALED, _SEVENS = (
    _AT["totals"],
    _AT["brisques"],
    _AT["concealed"],
    _AT["sevens_scored"],
)
_WINDOW, _FIRST_OVER, _RESULT, _DEAL, _SELECTION = (
    _AT["window"],
    _AT["first_over"],
    _AT["result"],
    _AT["deal_number"],
    _AT["selection"],
)
_SIZE = OBSERVATION_SIZE
_NONE = 255
# Inside ``uses``: per copy marriage (K Q by suit), sequence (A T K Q J), bezique (Q J by suit), four, seven.
_COPY = 42
_U_SEQUENCE, _U_BEZIQUE, _U_FOUR, _U_SEVEN = 8, 13, 21, 41
_RANK_PLACE = np.array([0, 0, 0, 1, 2, 3, 4, 5], np.int64)
_HALF, _THIRD = np.float32(0.5), np.float32(1 / 3)


@kernel(inline_always=True)
def _one_card(card, row, at):
    """Write a card as one-hot rank and suit."""
    row[at + (card & 7)] = 1.0
    row[at + 8 + (card >> 3)] = 1.0


@kernel(inline_always=True)
def _halves(counts, row, at):
    """Write counts of two packs in halves (by comparison: that compiles to vector instructions)."""
    for c in range(32):
        row[at + c] = np.float32(counts[c] > 0) * _HALF + np.float32(counts[c] > 1) * _HALF


@kernel(inline_always=True)
def _table(v, s, side, row):
    """Write the table of a seat (``side`` 0 own, 1 opp)."""
    for t in range(v.table_n[s]):
        card = np.int64(v.table_card[s, t])
        uses = np.int64(v.table_uses[s, t])
        rank = card & 7
        suit = card >> 3
        copy = 0
        for earlier in range(t):
            if v.table_card[s, earlier] == card:
                copy += 1
        row[_SLOTS + SLOTS * side + t] = np.float32(card + 1) / np.float32(32)
        row[_TABLE + 48 * side + 24 * copy + 4 * _RANK_PLACE[rank] + suit] = 1.0
        if uses & USED_NOW:
            row[_NOW + SLOTS * side + t] = 1.0
        if uses & 63:
            base = _USES + 84 * side + _COPY * copy
            if uses & USED_MARRIAGE:
                row[base + 4 * (rank - 4) + suit] = 1.0
            if uses & USED_SEQUENCE:
                row[base + _U_SEQUENCE + rank - 3] = 1.0
            level = (1 if uses & USED_BEZIQUE else 0) + (2 if uses & USED_DOUBLE else 0)
            if level > 0:
                row[base + _U_BEZIQUE + 4 * (rank - 3) + suit] = np.float32(level) * _THIRD
            if uses & USED_FOUR:
                row[base + _U_FOUR + 4 * (rank - 3) + suit] = 1.0
            if uses & USED_SEVEN:
                row[base + _U_SEVEN] = 1.0


@kernel(inline_always=True)
def encode(v, row):
    """Write the observation of a VIEW record into ``row`` (float32, ``OBSERVATION_SIZE``)."""
    own = np.int64(v.seat)
    opp = 1 - own
    for k in range(_TABLE, _SIZE):  # the fields before are written whole
        row[k] = 0.0
    for c in range(32):
        row[_HAND_ONE + c] = np.float32(v.hand[c] > 0)
        row[_HAND_TWO + c] = np.float32(v.hand[c] > 1)
    _halves(v.unseen, row, _UNSEEN)
    _halves(v.known[own], row, _KNOWN)
    _halves(v.known[opp], row, _KNOWN + 32)
    _halves(v.won[own], row, _WON)
    _halves(v.won[opp], row, _WON + 32)
    _table(v, own, 0, row)
    _table(v, opp, 1, row)
    if v.trick_card[own] != _NONE:
        _one_card(np.int64(v.trick_card[own]), row, _TRICK)
    if v.trick_card[opp] != _NONE:
        _one_card(np.int64(v.trick_card[opp]), row, _TRICK + 12)
    row[_TRUMP + v.trump] = 1.0
    row[_LAST_TRUMP + v.last_trump] = 1.0
    if v.turn_up != _NONE:
        _one_card(np.int64(v.turn_up), row, _TURN_UP)
        row[_TURN_UP + 12] = np.float32(v.turn_up_scored)
    if v.bezique_q != _NONE:
        row[_PAIR + (v.bezique_q >> 3)] = 1.0
    row[_PHASE + v.phase] = 1.0
    if v.to_act == own:
        row[_TO_ACT] = 1.0
    elif v.to_act == opp:
        row[_TO_ACT + 1] = 1.0
    row[_DEALER] = np.float32(v.dealer == own)
    row[_LEADER] = np.float32(v.leader == own)
    left = np.float32(v.stock_left)
    row[_STOCK] = left / np.float32(48)
    row[_STOCK + 1] = min(np.float32(1), left / np.float32(12))
    row[_STOCK + 2] = min(np.float32(1), left / np.float32(4))
    row[_SCORES] = np.float32(v.scores[own]) / np.float32(1000)
    row[_SCORES + 1] = np.float32(v.scores[opp]) / np.float32(1000)
    row[_SCORES + 2] = np.float32(v.scores[own] - v.scores[opp]) / np.float32(1000)
    row[_TOTALS] = np.float32(v.match_scores[own]) / np.float32(1000)
    row[_TOTALS + 1] = np.float32(v.match_scores[opp]) / np.float32(1000)
    row[_BRISQUES] = np.float32(v.brisques[own]) / np.float32(16)
    row[_BRISQUES + 1] = np.float32(v.brisques[opp]) / np.float32(16)
    row[_CONCEALED] = np.float32(v.concealed_n[own]) / np.float32(8)
    row[_CONCEALED + 1] = np.float32(v.concealed_n[opp]) / np.float32(8)
    row[_SEVENS] = np.float32(v.sevens_scored[own]) * _HALF
    row[_SEVENS + 1] = np.float32(v.sevens_scored[opp]) * _HALF
    row[_WINDOW] = np.float32(v.declared)
    row[_WINDOW + 1] = np.float32(v.exchanged)
    if v.first_over == own:
        row[_FIRST_OVER] = 1.0
    elif v.first_over == opp:
        row[_FIRST_OVER + 1] = 1.0
    if v.winner == own:
        row[_RESULT] = 1.0
    elif v.winner == opp:
        row[_RESULT + 1] = 1.0
    row[_RESULT + 2] = np.float32(v.double)
    row[_DEAL] = np.float32(v.deal_no) / np.float32(16)
    if v.sel_action != _NONE:
        row[_SELECTION + v.sel_action - 64] = 1.0
        for k in range(v.sel_n):
            row[_SELECTION + 18 + k] = np.float32(v.sel_code[k] + 1) / np.float32(128)


@kernel
def encode_row(views, i, row):
    """Encode view i into one row."""
    encode(views[i], row)
