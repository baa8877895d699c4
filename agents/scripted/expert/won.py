"""Rule-based play where melds are made from the cards won, which lie open (Fildinski).

A trick is worth its brisques and what its cards add to the open cards of whoever takes it; what the other side
would gain is seen and counted like one's own gain (a house rule of this project; no published advice is known).
"""

from __future__ import annotations

import numpy as np

from agents.scripted.expert import names as at
from agents.scripted.facts import chance_unbeaten, wins
from agents.scripted.open_cards import (
    FOUR_PLACE,
    double_others,
    may_come,
    quartet_others,
    sequence_others,
    unused,
)
from bezique_env.cards import NO_CARD, NO_SUIT
from bezique_env.engine.bezique.actions import BEZIQUE, EXCHANGE, FOUR, MARRIAGE, PLAY_TABLE, SEQUENCE
from bezique_env.engine.bezique.state import (
    FOLLOW,
    USED_BEZIQUE,
    USED_DOUBLE,
    USED_MARRIAGE,
    USED_SEQUENCE,
)
from bezique_env.engine.cache import kernel
from bezique_env.rules.bezique.cards import JACK, KING, QUEEN, SEVEN, TEN


@kernel(inline_always=True)
def later(f, w):
    """Factor of what is not complete, which falls with the stock."""
    tricks = np.float64(f.stock_left) / 2.0
    return w[at.OPEN_LATER] * tricks / (tricks + max(0.1, w[at.OPEN_HALF]))


@kernel(inner=True)
def lines_worth(f, points, w, seat, card, mate):
    """What a card won is worth towards marriage and sequence (H11, H13)."""
    suit = card >> 3
    rank = card & 7
    worth = 0.0
    royal = 1 if suit == f.trump or f.trump == NO_SUIT else 0
    if rank in (KING, QUEEN):
        partner = 8 * suit + (KING + QUEEN - rank)
        value = points[royal, MARRIAGE + suit]
        if unused(f, seat, partner, USED_MARRIAGE | USED_SEQUENCE) > 0 or mate == partner:
            worth += value
        elif may_come(f, seat, partner):
            worth += later(f, w) * w[at.OPEN_MARRIAGE] * value
    if royal == 1 and rank >= JACK:
        others, alive = sequence_others(f, seat, card, mate)
        if others == 4:
            worth += points[1, SEQUENCE + suit]
        elif alive:
            worth += points[1, SEQUENCE + suit] * w[at.OPEN_SEQUENCE + others] * later(f, w)
    return worth


@kernel(inner=True)
def bezique_worth(f, points, w, seat, card, mate):
    """What a card won is worth towards the beziques (H9, H12)."""
    worth = 0.0
    if card != f.bezique_q and card != f.bezique_j:
        return worth
    partner = f.bezique_j if card == f.bezique_q else f.bezique_q
    if unused(f, seat, partner, USED_BEZIQUE | USED_DOUBLE) > 0 or mate == partner:
        worth += points[0, BEZIQUE]
    elif may_come(f, seat, partner):
        worth += later(f, w) * w[at.OPEN_BEZIQUE] * points[0, BEZIQUE]
    there, alive = double_others(f, seat, card, partner)
    if there == 3:
        worth += points[0, BEZIQUE + 1]
    elif alive:
        worth += later(f, w) * w[at.OPEN_DOUBLE + there] * points[0, BEZIQUE + 1]
    return worth


@kernel(inner=True)
def quartet_worth(f, points, w, seat, rank):
    """What a card won is worth towards four of its rank (H14)."""
    if FOUR_PLACE[rank] < 0:
        return 0.0
    others, left = quartet_others(f, seat, rank)
    value = np.float64(points[0, FOUR + FOUR_PLACE[rank]])
    if others >= 3:
        return value
    return later(f, w) * value * w[at.OPEN_QUARTET + others] if others + left >= 3 else 0.0


@kernel(inner=True)
def card_worth(f, points, w, seat, card, mate):
    """What a card won is worth to a seat as an open card; ``mate``: the other card of the trick, or NO_CARD."""
    return (
        lines_worth(f, points, w, seat, card, mate)
        + bezique_worth(f, points, w, seat, card, mate)
        + quartet_worth(f, points, w, seat, card & 7)
    )


@kernel(inner=True)
def trick_worth(f, points, w, seat, card, mate, brisque):
    """What a card of a trick is worth to the seat that takes it, the turn-up for its trump seven included (H8)."""
    worth = card_worth(f, points, w, seat, card, mate)
    if card & 7 >= TEN:
        worth += w[at.OPEN_BRISQUE] * brisque
    if card & 7 == SEVEN and card >> 3 == f.trump:
        worth += points[0, EXCHANGE]
        if f.turn_up != NO_CARD and f.turn_up & 7 != SEVEN:
            worth += card_worth(f, points, w, seat, f.turn_up, np.int64(NO_CARD))
    return worth


@kernel(inner=True)
def play(f, mask, points, w, brisque):
    """Choose a card in the stock phase."""
    seat = f.seat
    other = 1 - seat
    best = np.int64(-1)
    most = 0.0
    tricks = np.float64(f.stock_left) / 2.0
    stage = tricks / (tricks + 5.0)
    lead = w[at.OPEN_EARLY] * stage + w[at.OPEN_LATE] * (1.0 - stage)
    alone = np.int64(NO_CARD)
    for a in range(PLAY_TABLE):
        if mask[a] == 0:
            continue
        card = np.int64(a)
        value = -w[(at.OPEN_TRUMP if card >> 3 == f.trump else at.OPEN_PLAIN) + (card & 7)]
        if f.phase == FOLLOW:
            if wins(f.trump, f.led, card):
                value += trick_worth(f, points, w, seat, card, f.led, brisque) + lead
                value += trick_worth(f, points, w, seat, f.led, alone, brisque)
            else:
                lost = trick_worth(f, points, w, other, card, f.led, brisque)
                value -= w[at.OPEN_OTHER] * (lost + trick_worth(f, points, w, other, f.led, alone, brisque))
        else:
            chance = 1.0 - (1.0 - chance_unbeaten(f, card)) * w[at.OPEN_TAKES]
            value += chance * (trick_worth(f, points, w, seat, card, alone, brisque) + lead)
            value -= (
                (1.0 - chance) * w[at.OPEN_OTHER] * trick_worth(f, points, w, other, card, alone, brisque)
            )
        if best < 0 or value > most:
            most = value
            best = card
    return best
