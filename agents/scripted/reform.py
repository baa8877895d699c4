"""Greedy play where melds may be scored again after a card of theirs was played (four packs and more).

Each card that may be played is judged by what is left: the best declaration that would be ready if the trick
is won, and what the rest of the cards may still become. Melds on the table that the card breaks can score
again with a copy in its place, so the cards of a scored meld that has a spare copy are the first to go.
"""

from __future__ import annotations

import numpy as np

from agents.scripted.copies import (
    bezique_copies,
    marriage_copies,
    quartet_copies,
    sequence_copies,
    trump_copies,
)
from agents.scripted.facts import chance_unbeaten, played_place, wins
from bezique_env.cards import NO_CARD, NO_SUIT
from bezique_env.engine.bezique.actions import (
    BEZIQUE,
    FIVE_TRUMP,
    FOUR,
    FOUR_TRUMP,
    MARRIAGE,
    PASS,
    PLAY_TABLE,
    SEQUENCE,
    SEVEN_SCORE,
)
from bezique_env.engine.bezique.melds import FOUR_RANKS
from bezique_env.engine.bezique.state import FOLLOW
from bezique_env.engine.cache import kernel
from bezique_env.rules.bezique.cards import JACK, KING, QUEEN

# Judgement, in points unless said otherwise.
STRENGTH = np.array([0, 0, 1, 2, 3, 4, 6, 8], np.float64)
"""What a card is worth as a winner of tricks, by rank (7 8 9 J Q K T A)."""
TRUMP_STRENGTH = 8.0
"""Added for a trump."""
TEMPO = 30.0
"""What the lead of a window is worth in itself: the other side has none."""
HORIZON = 16.0
"""Own draws that one waits for a card; what comes later is worth little."""
READY = 0.85
"""Part of its points that a meld in the hand is worth while many tricks remain."""
AGAIN = 0.7
"""The same for a meld that scores again once a card of it is played."""
LADDER_STOCK = 30
"""Cards of the stock from which on the highest rung of a ladder is declared first."""
LADDER_POINTS = 400
"""A rung of fewer points is not worth a window of its own."""


@kernel(inline_always=True)
def _draw(copies, unseen, draws):
    """Return the worth of waiting for one of some copies among the unseen cards: 0 (never) to 1 (at once)."""
    if copies <= 0 or unseen <= 0:
        return 0.0
    expected = min(draws, HORIZON) * copies / unseen
    return expected / (1.0 + expected)


@kernel(inline_always=True)
def _wait(missing, copies, unseen, draws):
    """Return the worth of waiting for several copies of one kind."""
    worth = 1.0
    for k in range(missing):
        worth *= _draw(copies - k, unseen, draws)
    return worth


@kernel(inner=True)
def _quartets(f, points, gone, hand, unseen, draws, best):
    """Return (points of the best quartet that is ready, worth of those to come)."""
    worth = 0.0
    ready = READY * draws / (draws + 2.0)
    for k in range(5):
        rank = FOUR_RANKS[k]
        value = points[0, FOUR + k]
        if rank == 6:  # plain tens count by an option only that no view tells
            continue
        free, bound = quartet_copies(f, rank, gone, hand)
        left = 0
        for suit in range(4):
            left += np.int64(f.unseen[8 * suit + rank])
        if free >= 4:
            worth += ready * value
            best = max(best, value)
        elif bound >= 4 and free > 0:
            worth += AGAIN * ready * value
        else:
            have = min(4, free + (3 if bound >= 4 else 0))
            if have > 0:
                worth += ready * value * _wait(4 - have, left, unseen, draws)
    return best, worth


@kernel(inner=True)
def _trump_quartets(f, points, gone, hand, unseen, draws, best):
    """Return (points of the best meld that is ready, worth of those to come) of four and five of the trump suit."""
    worth = 0.0
    ready = READY * draws / (draws + 2.0)
    for k in range(5):
        card = 8 * f.trump + FOUR_RANKS[k]
        have = hand[card] + np.int64(f.table_count[f.seat, card])
        if gone >= 0 and f.table_card[f.seat, gone] == card:
            have -= 1
        if have == 0:
            continue
        left = np.int64(f.unseen[card])
        for rung in range(2):
            value = points[1, (FIVE_TRUMP if rung else FOUR_TRUMP) + k]
            if value == 0:
                continue
            need = 4 + rung
            free, bound, fours = trump_copies(f, card, rung == 1, gone, hand)
            if free >= need and not (rung == 0 and free == 4 and fours == 4):
                worth += ready * value
                best = max(best, value)
            elif bound >= need and free > 0:
                worth += AGAIN * ready * value
            else:
                have = min(need, free + (need - 1 if bound >= need else 0))
                worth += ready * value * _wait(need - have, left, unseen, draws)
    return best, worth


@kernel(inner=True)
def _sequences(f, points, gone, hand, unseen, draws, best):
    """Return (points of the best sequence that is ready, worth of those to come)."""
    worth = 0.0
    ready = READY * draws / (draws + 2.0)
    for suit in range(4):
        value = points[1 if suit == f.trump or f.trump == NO_SUIT else 0, SEQUENCE + suit]
        chance = 1.0
        missing = 0
        bound = 0
        spare = 0
        for r in range(JACK, 8):
            card = 8 * suit + r
            free, laid = sequence_copies(f, card, gone, hand)
            bound += laid
            if free == 0:
                missing += 1
                chance *= _draw(np.int64(f.unseen[card]), unseen, draws)
            else:
                spare += 1
        if missing == 0:
            worth += ready * value
            best = max(best, value)
        elif bound >= 5:
            if spare > 0:
                worth += AGAIN * ready * value
            else:
                left = 0
                for r in range(JACK, 8):
                    left += np.int64(f.unseen[8 * suit + r])
                worth += AGAIN * ready * value * _draw(left, unseen, draws)
        elif missing < 5:
            worth += ready * value * chance
    return best, worth


@kernel(inner=True)
def _marriages(f, points, gone, hand, unseen, draws, best):
    """Return (points of the best marriage that is ready, worth of those to come)."""
    worth = 0.0
    ready = READY * draws / (draws + 2.0)
    for suit in range(4):
        king = 8 * suit + KING
        queen = 8 * suit + QUEEN
        married, kings, queens = marriage_copies(f, suit, gone, hand)
        value = points[1 if suit == f.trump or f.trump == NO_SUIT else 0, MARRIAGE + suit]
        if married:
            best = max(best, value)
            worth += ready * value
        elif kings > 0:
            worth += ready * value * _draw(np.int64(f.unseen[queen]), unseen, draws)
        elif queens > 0:
            worth += ready * value * _draw(np.int64(f.unseen[king]), unseen, draws)
    return best, worth


@kernel(inner=True)
def _beziques(f, points, gone, hand, unseen, draws, best):
    """Return (points of the best bezique that is ready, worth of those to come)."""
    worth = 0.0
    if f.bezique_q == NO_CARD:
        return best, worth
    ready = READY * draws / (draws + 2.0)
    for level in range(5):
        value = points[0, BEZIQUE + level]
        if value == 0:
            break
        need = level + 1
        queens, jacks, bound_queens = bezique_copies(f, level, gone, hand)
        if queens >= need and jacks >= need:
            worth += ready * value
            best = max(best, value)
        elif bound_queens >= need and queens + jacks > 0:
            worth += AGAIN * ready * value  # one of them is played, the spare one takes its place
        elif queens + jacks > 0:
            worth += (
                ready
                * value
                * _wait(max(0, need - queens), np.int64(f.unseen[f.bezique_q]), unseen, draws)
                * _wait(max(0, need - jacks), np.int64(f.unseen[f.bezique_j]), unseen, draws)
            )
    return best, worth


@kernel(inner=True)
def outlook(f, points, gone, hand):
    """Return (points of the best declaration that is ready, worth of what may come) after a card has gone.

    Args:
        f: the facts.
        points: points by action id, see :mod:`agents.scripted.values`.
        gone: place of the table whose copy is played, -1 for none.
        hand: int64 [32], the concealed copies that are left.
    """
    unseen = 0
    for c in range(32):
        unseen += np.int64(f.unseen[c])
    draws = np.float64(f.stock_left) / 2.0
    best = np.int64(0)
    best, worth = _beziques(f, points, gone, hand, unseen, draws, best)
    best, more = _quartets(f, points, gone, hand, unseen, draws, best)
    worth += more
    best, more = _sequences(f, points, gone, hand, unseen, draws, best)
    worth += more
    best, more = _marriages(f, points, gone, hand, unseen, draws, best)
    worth += more
    if f.trump != NO_SUIT and points[1, FOUR_TRUMP] > 0:
        best, more = _trump_quartets(f, points, gone, hand, unseen, draws, best)
        worth += more
    return best, worth


@kernel(inner=True)
def play_reformed(f, mask, points, hand):
    """Choose a card in the stock phase."""
    for c in range(32):
        hand[c] = f.hand[c]
    draws = np.float64(f.stock_left) / 2.0
    keeps = READY * draws / (draws + 2.0)
    best = np.int64(-1)
    most = 0.0
    for a in range(2 * PLAY_TABLE):
        if mask[a] == 0:
            continue
        card = np.int64(a & 31)
        gone = np.int64(-1)
        if a >= PLAY_TABLE:
            gone = np.int64(played_place(f, card))
        else:
            hand[card] -= 1
        ready, value = outlook(f, points, gone, hand)
        if a < PLAY_TABLE:
            hand[card] += 1
        value -= STRENGTH[card & 7]
        if card >> 3 == f.trump:
            value -= TRUMP_STRENGTH
        if f.phase == FOLLOW:
            chance = 1.0 if wins(f.trump, f.led, card) else 0.0
        else:
            chance = chance_unbeaten(f, card)
        value += chance * (TEMPO + (1.0 - keeps) * ready)
        if best < 0 or value > most:
            most = value
            best = np.int64(a)
    return best


@kernel(inner=True)
def _rung(action):
    """Return (ladder, rung) of a declaration that stands on one, ladder -1 for others."""
    if BEZIQUE <= action < FOUR:
        return 0, action - BEZIQUE
    if FOUR_TRUMP <= action < FIVE_TRUMP:
        return 1 + action - FOUR_TRUMP, 0
    if FIVE_TRUMP <= action < SEVEN_SCORE:
        return 1 + action - FIVE_TRUMP, 1
    return -1, 0


@kernel(inner=True)
def declare_reformed(f, mask, points):
    """Choose in the declaring window: what scores most; a lower rung of the same ladder first while time is left.

    Of equal marriages before trump is fixed, the one of the suit with the most cards of the sequence.
    """
    best = np.int64(PASS if mask[PASS] != 0 else -1)
    most = np.int64(0)
    for a in range(MARRIAGE, PASS):
        if mask[a] == 0:
            continue
        value = 16 * points[0, a]
        if a < BEZIQUE:
            suit = (a - MARRIAGE) & 3
            value = 16 * points[1 if suit == f.trump or f.trump == NO_SUIT else 0, a]
            if f.trump == NO_SUIT:
                for r in range(JACK, 8):
                    if np.int64(f.hand[8 * suit + r]) + np.int64(f.table_count[f.seat, 8 * suit + r]) > 0:
                        value += 1
        if value > most or best < 0:
            most = value
            best = np.int64(a)
    ladder, rung = _rung(best)
    if ladder >= 0 and f.stock_left > LADDER_STOCK:
        for a in range(MARRIAGE, PASS):
            if mask[a] != 0 and points[0, a] >= LADDER_POINTS:
                other, lower = _rung(a)
                if other == ladder and lower < rung:
                    best, rung = np.int64(a), lower
    return best


@kernel(inner=True)
def play_for_last_trick(f, mask):
    """Choose a card with the stock gone where only the last trick counts: the strongest cards stay."""
    best = np.int64(-1)
    least = 0
    for card in range(PLAY_TABLE):
        if mask[card] != 0:
            value = (card & 7) + (8 if card >> 3 == f.trump else 0)
            if best < 0 or value < least:
                least = value
                best = np.int64(card)
    return best
