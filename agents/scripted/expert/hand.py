"""Rule-based play of the stock phase where melds come from the hand: every card and declaration gets a worth.

A card is worth what the trick brings, what winning it would allow, and less what is lost by parting with it: the
cards that stay are worth their declarations, each times its chance, and their strength (AGENTS: "score every
card, play the best").
"""

from __future__ import annotations

import numpy as np

from agents.scripted.expert import names as at
from agents.scripted.expert import once, reform
from agents.scripted.expert.slots import (
    BASE,
    READY,
    SLOTS,
    SOON,
    WORTHS,
    chances,
    fold,
    kept,
    strength,
    tempo,
    windows_left,
)
from agents.scripted.facts import as_other, chance_unbeaten, played_place, wins
from agents.scripted.values import REFORMED
from bezique_env.cards import NO_CARD, NO_SUIT
from bezique_env.engine.bezique.actions import BEZIQUE, EXCHANGE, MARRIAGE, PASS, PLAY_TABLE, SEVEN_SCORE
from bezique_env.engine.bezique.state import FOLLOW, USED_NOW
from bezique_env.engine.cache import kernel
from bezique_env.rules.bezique.cards import JACK, TEN


@kernel(inner=True)
def unseen_cards(f):
    """Return how many cards the seat has not seen."""
    n = np.int64(0)
    for c in range(32):
        n += np.int64(f.unseen[c])
    return n


@kernel(inner=True)
def prospects(f, style, points, w, s, x):
    """Write what every declaration is worth with the hand of the facts, and count its copies in ``s``."""
    if style == REFORMED:
        for c in range(32):
            s[c] = np.int64(f.hand[c])
        reform.prospects(f, points, w, s, x)
    else:
        once.count_copies(f, f.seat, f.hand, s)
        once.prospects(f, points, w, s, x)


@kernel(inner=True)
def danger(f, style, points, w, s, x):
    """Return the points that the other side is expected to hold ready (H21, H22): what winning a trick denies.

    Its table is seen, its hidden cards are equally likely any that are unseen.
    Source: Britannica, 9th ed.; an annotated deal of an expert.
    """
    other = 1 - f.seat
    hidden = np.int64(f.concealed_n[other])
    for c in range(32):
        hidden -= np.int64(f.known[other, c])
    chances(f, np.float64(hidden) / max(1, unseen_cards(f)), x)
    prospects(as_other(f, f.known[other]), style, points, w, s, x)
    total = 0.0
    for k in range(SLOTS):
        total += x[SOON + k]
    return total


@kernel(inner=True)
def chance_to_win(f, w, card):
    """Return how likely a led card takes the trick (H18, H19): the other side cannot beat it, or does not care to."""
    if card >> 3 == f.trump:
        takes = w[at.TAKES_TRUMP]
    elif card & 7 >= TEN:
        takes = w[at.TAKES_BRISQUE]
    else:
        takes = w[at.TAKES_PLAIN]
    return 1.0 - (1.0 - chance_unbeaten(f, card)) * takes


@kernel(inner=True)
def gives_brisque(f, w, card):
    """Return what a low card that is led costs where the other side can take it with an ace or ten (H2, H18)."""
    if card >> 3 == f.trump or card & 7 >= TEN:
        return 0.0
    suit = card & 24
    return w[at.LED_SUIT] * np.float64(np.int64(f.unseen[suit + TEN]) + np.int64(f.unseen[suit + 7]))


@kernel(inner=True)
def turn_up_lost(f, w, stage):
    """Return what winning the last trick of the stock costs: the loser gets the turn-up (H23)."""
    if f.stock_left == 2 and f.turn_up != NO_CARD:
        return w[at.TURN_UP] * strength(f, w, f.turn_up, stage)
    return 0.0


@kernel(inner=True)
def worth_of_window(w, t, x):
    """Return (worth of what is ready and may come, gain of a window now): H4, H6.

    The best that is ready is declared in the next window that is won; what waits for later ones keeps a part.
    """
    first, second, total, later = fold(x)
    keep_best = kept(t, w[at.BEST])
    keep_rest = kept(t, w[at.REST]) * (total - first - second)
    now = keep_best * first + kept(t, w[at.SECOND]) * second + keep_rest
    after = keep_best * second + keep_rest
    return now + keep_best * later, first + after - now


@kernel(inner=True)
def play(f, mask, style, points, w, scratch):
    """Choose a card in the stock phase."""
    s = scratch.whole
    x = scratch.real
    t = windows_left(f)
    stage = kept(t, w[at.STAGE])
    fear = w[at.DANGER_EARLY] * stage + w[at.DANGER_LATE] * (1.0 - stage)
    lead = tempo(w, t) - turn_up_lost(f, w, stage) + fear * danger(f, style, points, w, s, x)
    chances(f, np.float64(t) / max(1, unseen_cards(f)), x)
    prospects(f, style, points, w, s, x)
    for k in range(2 * SLOTS):
        x[BASE + k] = x[READY + k]
    best = np.int64(-1)
    most = 0.0
    for a in range(2 * PLAY_TABLE):
        if mask[a] == 0:
            continue
        card = np.int64(a & 31)
        place = np.int64(-1)
        if a >= PLAY_TABLE:
            place = np.int64(played_place(f, card))
        if card & 7 >= JACK:
            if style == REFORMED:
                n = 1 if place < 0 else 0
                s[card] -= n
                reform.prospects_without(f, points, w, card, place, s, x)
                s[card] += n
            else:
                uses = np.int64(0) if place < 0 else np.int64(f.table_uses[f.seat, place])
                once.add_copies(f, s, card, uses, np.int64(-1))
                once.prospects_of(f, points, w, card, s, x)
                once.add_copies(f, s, card, uses, np.int64(1))
        value, gain = worth_of_window(w, t, x)
        for k in range(2 * SLOTS):
            x[READY + k] = x[BASE + k]
        value -= strength(f, w, card, stage)
        if place >= 0:
            value += w[at.EXPOSED]
        gain += lead
        own = w[at.BRISQUE] if card & 7 >= TEN else 0.0
        if f.phase == FOLLOW:  # a brisque that changes hands counts twice (H3)
            stake = own + (w[at.BRISQUE] if f.led & 7 >= TEN else 0.0)
            value += stake + gain if wins(f.trump, f.led, card) else -stake
        else:
            chance = chance_to_win(f, w, card)
            value += chance * (own + gain) - (1.0 - chance) * own - gives_brisque(f, w, card)
        x[WORTHS + a] = value
        if best < 0 or value > most:
            most = value
            best = np.int64(a)
    return best


@kernel(inner=True)
def points_of(f, points, action):
    """Return the points of a declaration that is legal."""
    if action < BEZIQUE:
        suit = (action - MARRIAGE) & 3
        return np.float64(points[1 if suit == f.trump or f.trump == NO_SUIT else 0, action])
    return np.float64(points[0, action])


@kernel(inner=True)
def may_score(f):
    """Whether the open window still scores: the first declaration, or any where a window takes many."""
    scores = f.declared == 0
    for t in range(np.int64(f.table_n[f.seat])):
        if f.table_uses[f.seat, t] & USED_NOW:
            scores = True
    return scores


@kernel(inner=True)
def declare_once(f, mask, points, w, scratch):
    """Choose in the declaring window where copies serve once (H5, H7, H8).

    The small before the large while windows are left: marriage before sequence, single before double bezique;
    the turn-up for its rank. Each declaration is judged by its points and what is left to declare afterwards.
    """
    s = scratch.whole
    x = scratch.real
    t = windows_left(f)
    stage = kept(t, w[at.STAGE])
    chances(f, np.float64(t) / max(1, unseen_cards(f)), x)
    scores = may_score(f)
    best = np.int64(-1)
    most = 0.0
    for a in range(MARRIAGE, PASS + 1):
        if mask[a] == 0 or (a < SEVEN_SCORE and not scores):
            continue
        once.count_copies(f, f.seat, f.hand, s)
        value = 0.0 if a == PASS else points_of(f, points, a)
        if a == EXCHANGE:
            value += (
                strength(f, w, f.turn_up, stage) - strength(f, w, 8 * f.trump, stage) + w[at.EXCHANGE_GAIN]
            )
        once.declare_copies(f, s, a)
        once.prospects(f, points, w, s, x)
        value += worth_of_window(w, t, x)[0]
        x[WORTHS + a] = value
        if best < 0 or value > most:
            most = value
            best = np.int64(a)
    return best


@kernel(inner=True)
def suit_worth(f, w, suit):
    """What naming a suit trump is worth beside the points of it (H27): the nearest sequence, the most cards."""
    worth = 0.0
    for r in range(8):
        have = np.int64(f.hand[8 * suit + r]) + np.int64(f.table_count[f.seat, 8 * suit + r])
        worth += w[at.LENGTH] * have
        if r >= JACK and have > 0:
            worth += w[at.SEQUENCE_HELD]
    return worth


@kernel(inner=True)
def declare_again(f, mask, points, w, scratch):
    """Choose in the declaring window where melds score again (H5, H27).

    Each declaration is judged by its points and by what else is ready that it leaves possible: a sequence ends
    the marriages of its king and queen, a higher bezique the lower ones.
    """
    x = scratch.real
    t = windows_left(f)
    best = np.int64(PASS if mask[PASS] != 0 else -1)
    most = 0.0
    for k in range(2 * SLOTS):
        x[READY + k] = 0.0
    for a in range(MARRIAGE, PASS):
        if mask[a] == 0:
            continue
        own, rung = reform.ladder(a)
        for b in range(MARRIAGE, SEVEN_SCORE):
            other, lower = reform.ladder(b)
            ends = own >= 0 and other == own and lower < rung
            open_still = mask[b] != 0 and b != a and not ends
            x[READY + b - MARRIAGE] = points_of(f, points, b) if open_still else 0.0
        value = points_of(f, points, a) + worth_of_window(w, t, x)[0]
        if f.trump == NO_SUIT and a < BEZIQUE:
            value += suit_worth(f, w, (a - MARRIAGE) & 3)
        x[WORTHS + a] = value
        if points_of(f, points, a) > 0.0 and (best < 0 or best == PASS or value > most):
            most = value
            best = np.int64(a)
    return best
