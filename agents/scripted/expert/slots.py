"""What every declaration is worth to a seat as things stand, a slot each, and what is common to all games.

A slot holds the points that are ready to be declared, the worth of what may still come, and the points that may
be ready at once, of which the other side's are guessed. The slots lie in ``scratch.real``, beside the chances
that cards come.
"""

from __future__ import annotations

import numpy as np

from agents.scripted.expert import names as at
from agents.scripted.knots import between
from bezique_env.cards import NO_CARD, NO_SUIT
from bezique_env.engine.bezique.actions import BEZIQUE, FIVE_TRUMP, FOUR, FOUR_TRUMP, MARRIAGE, SEQUENCE
from bezique_env.engine.cache import kernel
from bezique_env.rules.bezique.cards import JACK

# Places of scratch.real. Of TAIL and TAIL_TRUMP eight a row, by rank; of TAIL_PAIR two (queen, jack), eight apart.
TAIL, TAIL_TRUMP, TAIL_PAIR, COME = 0, 32, 64, 96
"""Chances that at least 1, 2, 3, 4 copies come: of a rank, of a trump, of the bezique pair; one of each card."""
READY, LATER, SOON, BASE = 128, 160, 192, 224
"""The slots, 32 places each; READY and LATER are kept at BASE while single cards are taken away."""
WORTHS = 288
"""Where the worth of each action is written, as many places as there are actions."""
SLOTS = 32
SLOT_MARRIAGE, SLOT_SEQUENCE, SLOT_BEZIQUE = 0, SEQUENCE - MARRIAGE, BEZIQUE - MARRIAGE
SLOT_FOUR, SLOT_FOUR_TRUMP, SLOT_FIVE_TRUMP = FOUR - MARRIAGE, FOUR_TRUMP - MARRIAGE, FIVE_TRUMP - MARRIAGE
SLOT_MARRIAGE_2, SLOT_BEZIQUE_2 = SLOT_FOUR_TRUMP, SLOT_FIVE_TRUMP
"""A second marriage of a suit and a second single bezique, in games without melds of the trump suit."""
KNOTS = np.array([0, 1, 2, 4, 8, 20, 50], np.int64)
"""Windows left at which the worth of a trick has a weight; between them it is interpolated."""
FOUR_PLACE = np.array([-1, -1, -1, 4, 3, 2, 1, 0], np.int64)
"""Place of a rank among the quartets, by rank."""


@kernel(inline_always=True)
def note(x, slot, ready, later, soon):
    """Write a slot."""
    x[READY + slot] = ready
    x[LATER + slot] = later
    x[SOON + slot] = soon


@kernel(inner=True)
def fold(x):
    """Return (best that is ready, second best, sum of all that is ready, worth of what may come)."""
    best = 0.0
    second = 0.0
    total = 0.0
    later = 0.0
    for k in range(SLOTS):
        later += x[LATER + k]
        v = x[READY + k]
        if v > 0.0:
            total += v
            if v > best:
                second = best
                best = v
            elif v > second:
                second = v
    return best, second, total, later


@kernel(inner=True)
def tails(n, p, x, place):
    """Write the chances that at least 1, 2, 3 and 4 of n cards come, each with chance p, eight places apart."""
    q = max(1e-9, 1.0 - p)
    term = 1.0
    for _ in range(n):
        term *= q
    rest = 1.0
    for m in range(4):
        rest -= term
        x[place + 8 * m] = max(0.0, rest) if n > m else 0.0
        term *= np.float64(n - m) / np.float64(m + 1) * p / q


@kernel(inner=True)
def chances(f, p, x):
    """Write how likely unseen cards come, each with chance p."""
    for c in range(32):
        none = 1.0
        for _ in range(np.int64(f.unseen[c])):
            none *= 1.0 - p
        x[COME + c] = 1.0 - none
    for r in range(JACK, 8):
        n = np.int64(0)
        for suit in range(4):
            n += np.int64(f.unseen[8 * suit + r])
        tails(n, p, x, TAIL + r)
        if f.trump != NO_SUIT:
            tails(np.int64(f.unseen[8 * f.trump + r]), p, x, TAIL_TRUMP + r)
    if f.bezique_q != NO_CARD:
        tails(np.int64(f.unseen[f.bezique_q]), p, x, TAIL_PAIR)
        tails(np.int64(f.unseen[f.bezique_j]), p, x, TAIL_PAIR + 1)


@kernel(inline_always=True)
def windows_left(f):
    """Declaring windows after that of the trick on the table."""
    return f.stock_left // 2 - 1


@kernel(inline_always=True)
def kept(t, half):
    """Part of its points that a declaration keeps that waits for one of t windows (H4, H6): none where t is 0."""
    return np.float64(t) / (t + max(0.1, half))


@kernel(inline_always=True)
def lies_in_trumps(f, suit):
    """Whether declarations of a suit count as those of trumps: it is trump, or would become it."""
    return suit == f.trump or f.trump == NO_SUIT


@kernel(inner=True)
def strength(f, w, card, stage):
    """What a card that stays may win later (H2, H16, H17, H23), from early (stage 1) to late (stage 0).

    Low trumps are the means of winning when a declaration is ready; plain sevens, eights and nines are thrown
    first; high cards gain towards the end of the stock, for the strict phase.
    Source: *Hoyle's Games Modernized*; Britannica, 9th ed.
    """
    r = card & 7
    if card >> 3 == f.trump:
        return w[at.TRUMP + r] * stage + w[at.TRUMP_LATE + r] * (1.0 - stage)
    return w[at.PLAIN + r] * stage + w[at.PLAIN_LATE + r] * (1.0 - stage)


@kernel(inner=True)
def tempo(w, t):
    """What winning a trick is worth in itself (H1, H22): the lead is a liability, yet near the end it denies windows.

    Source: Britannica, 9th ed.; *Hoyle's Games Modernized* ("the last four or five tricks").
    """
    k, part = between(KNOTS, t)
    return w[at.TEMPO + k] * (1.0 - part) + w[at.TEMPO + k + 1] * part
