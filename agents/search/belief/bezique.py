"""What hidden cards of the Bezique family tell: which kinds are kept, what would have been declared, what was led.

A hand is described by counts of its cards, by what it could declare at once, by how far its sequence, quartets and
double bezique have come, and by whether the rules would have led from it the card that was led. A player
throws low cards and declares what it can, so hidden cards are no random ones.
"""

from __future__ import annotations

import numpy as np

from agents.scripted.expert.bezique import STYLE, choose_facts
from agents.scripted.expert.hand import prospects
from agents.scripted.expert.names import RANKS
from agents.scripted.expert.slots import (
    READY,
    SLOT_BEZIQUE,
    SLOT_FOUR,
    SLOT_MARRIAGE,
    SLOT_SEQUENCE,
    windows_left,
)
from agents.scripted.facts import as_other, facts_of, held, wins
from agents.scripted.knots import between
from agents.scripted.values import OPEN_CARDS
from bezique_env.cards import NO_CARD, NO_SUIT
from bezique_env.engine import play
from bezique_env.engine.bezique.actions import PLAY_TABLE
from bezique_env.engine.bezique.state import CARD_BITS, DECLARE, FOLLOW, LEAD, TOLD_ABSENT
from bezique_env.engine.cache import kernel
from bezique_env.rules.bezique.cards import JACK, KING, QUEEN, TEN

_FOURS = ("aces", "tens", "kings", "queens", "jacks")
FEATURES = (
    *(f"trump {r}" for r in RANKS),
    *(f"plain {r}" for r in RANKS),
    "queen of the bezique",
    "jack of the bezique",
    "ready: marriage",
    "ready: royal marriage",
    "ready: sequence",
    *(f"ready: bezique {n}" for n in range(1, 6)),
    *(f"ready: four {r}" for r in _FOURS),
    *(f"sequence: {n} of 5 ranks" for n in range(6)),
    *(f"{n} {r}" for r in _FOURS if r != "tens" for n in range(5)),
    *(f"double bezique: {n} of 4 cards" for n in range(5)),
    "leads otherwise",
    *(f"{r} of which it has thrown another" for r in RANKS),
    *(f"{r} of a rank that it has thrown lately" for r in RANKS),
    "king whose queen it has thrown",
    "queen whose king it has thrown",
    "card that beats the last one of the seat, trump",
    "card that beats the last one of the seat, same suit",
)
"""What a world is described by, in the order of the numbers."""
(
    _TRUMPS,
    _PLAIN,
    _PAIR,
    _READY,
    _BEZIQUES,
    _FOUR,
    _LINE,
    _RANK,
    _DOUBLE,
    _LEAD,
    _THROWN,
    _LATELY,
    _WIDOW,
    _BEATS,
) = (
    0,
    8,
    16,
    18,
    21,
    26,
    31,
    37,
    57,
    62,
    63,
    71,
    79,
    81,
)
_LATE_CARDS = 4
"""Cards of the other side that count as thrown lately."""
_KNOTS = np.array([0, 2, 5, 10, 20, 50], np.int64)
BLOCKS = tuple(
    f"{windows} windows left, {who} leads" for who in ("the seat", "the other") for windows in _KNOTS.tolist()
)
"""Situations that have weights of their own; between two numbers of windows they are interpolated."""


@kernel(inner=True)
def tells(v):
    """Whether the play so far is read: in the stock phase."""
    return v.phase <= DECLARE and v.stock_left > 0


@kernel(inner=True)
def place(v):
    """Return (block, next block, part): the weights are those of the block, and by that part those of the next."""
    k, part = between(_KNOTS, windows_left(facts_of(v)))
    first = k + (len(_KNOTS) if v.phase == FOLLOW else 0)
    return first, first + 1, part


@kernel(inner=True)
def hidden(f, hand, card):
    """Return the copies of a card in a hand of the other side that nobody has shown."""
    return np.int64(hand[card]) - np.int64(f.known[1 - f.seat, card])


@kernel(inner=True)
def leads_otherwise(v, g, t):
    """Whether the rules would have led another card from this hand than the one that was led."""
    other = 1 - np.int64(v.seat)
    led = np.int64(v.trick_card[other])
    t.game[0] = g
    before = t.game[0]
    before.phase = LEAD
    before.to_act = other
    before.leader = other
    before.trick_card[other] = NO_CARD
    before.hand[other, led] += 1
    play.write_mask(before, t.rules, t.mask, t.tmp)
    play.project_board(before, t.rules, other, t.seen[0])
    choice = choose_facts(facts_of(t.seen[0]), t.mask, t.weights, t.scratch)
    return choice >= 0 and choice % PLAY_TABLE != led


@kernel(inner=True)
def shown_card(token):
    """Return the card that a token of the log says was shown, -1 for another token."""
    return np.int64(token) & CARD_BITS if token < TOLD_ABSENT else np.int64(-1)


@kernel(inner=True)
def describe_thrown(v, f, hand, out):
    """Write which hidden cards are like those that the other side has thrown (its log: ``told``)."""
    other = 1 - f.seat
    shown = 0
    for k in range(np.int64(v.told_n[other]) - 1, -1, -1):
        card = shown_card(v.told[other, k])
        if card < 0:
            continue
        shown += 1
        if f.table_count[other, card] > 0 or card == v.trick_card[other]:
            continue
        rank = card & 7
        out[_THROWN + rank] += hidden(f, hand, card)
        if rank == QUEEN:
            out[_WIDOW] += hidden(f, hand, card + 1)
        elif rank == KING:
            out[_WIDOW + 1] += hidden(f, hand, card - 1)
        if shown <= _LATE_CARDS:
            for suit in range(4):
                out[_LATELY + rank] += hidden(f, hand, 8 * suit + rank)
    if f.phase == FOLLOW:
        return
    for k in range(np.int64(v.told_n[f.seat]) - 1, -1, -1):
        last = shown_card(v.told[f.seat, k])
        if last >= 0:
            for c in range(32):
                if wins(f.trump, last, c):
                    out[_BEATS + (0 if c >> 3 == f.trump else 1)] += hidden(f, hand, c)
            return


@kernel(inner=True)
def describe(v, g, t, out):
    """Write the features of a world that agrees with a view: float64 [FEATURES]."""
    for k in range(out.shape[0]):
        out[k] = 0.0
    f = facts_of(v)
    other = 1 - f.seat
    h = as_other(f, g.hand[other])
    for c in range(32):
        n = np.float64(hidden(f, h.hand, c))
        if n > 0.0:
            out[(_TRUMPS if c >> 3 == f.trump else _PLAIN) + (c & 7)] += n
            if c == f.bezique_q:
                out[_PAIR] += n
            elif c == f.bezique_j:
                out[_PAIR + 1] += n
    style = t.weights.rules[STYLE]
    if style != OPEN_CARDS:
        x = t.scratch.real
        for k in range(READY):
            x[k] = 0.0  # what may still come is left out
        prospects(h, style, t.weights.points, t.weights.values, t.scratch.whole, x)
        for suit in range(4):
            if x[READY + SLOT_MARRIAGE + suit] > 0.0:
                out[_READY + (1 if suit == f.trump else 0)] += 1.0
            if x[READY + SLOT_SEQUENCE + suit] > 0.0:
                out[_READY + 2] += 1.0
        for k in range(5):
            if x[READY + SLOT_BEZIQUE + k] > 0.0:
                out[_BEZIQUES + k] = 1.0
            if x[READY + SLOT_FOUR + k] > 0.0:
                out[_FOUR + k] = 1.0
        if f.trump != NO_SUIT:
            n = 0
            for r in range(JACK, 8):
                n += 1 if held(h, other, 8 * f.trump + r) > 0 else 0
            out[_LINE + n] = 1.0
        kind = 0
        for r in range(7, JACK - 1, -1):
            if r != TEN:
                n = 0
                for suit in range(4):
                    n += held(h, other, 8 * suit + r)
                out[_RANK + 5 * kind + min(4, n)] = 1.0
                kind += 1
        if f.bezique_q != NO_CARD:
            n = min(2, held(h, other, f.bezique_q)) + min(2, held(h, other, f.bezique_j))
            out[_DOUBLE + n] = 1.0
    if f.phase == FOLLOW and leads_otherwise(v, g, t):
        out[_LEAD] = 1.0
    describe_thrown(v, f, h.hand, out)
