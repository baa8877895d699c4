"""The log of what everyone saw of a seat's hidden cards, one byte a token.

Resampling needs more than the cards that are known now: when a card was shown that the others had not known
to be there, and what the fixed order of choice told about the rest of the hand. Tokens, in order of time:

====================  =====================================================================================
``card``              a hidden copy of the card was shown
``32 + card``         the seat received one more place of the deck, then a hidden copy of the card was shown
``64 + card``         no hidden copy of the card is in the hand now
``96 + n``            the seat received n more places (1..31)
``128 + 16r + s``     of the cards of rank r in the suits of the bit mask s, not all are hidden in the hand now;
                      with r = 0: not both the queen of suit s and the jack that makes a bezique with it
``144 + 4(r-3) + s``  (for ranks from the jack up, r >= 3, suits s >= 1) no hidden copy of rank r in a suit
                      before s is in the hand now
====================  =====================================================================================
"""

from __future__ import annotations

import numpy as np

from bezique_env.engine.bezique.state import (
    TOLD_ABSENT,
    TOLD_BELOW,
    TOLD_CLUE,
    TOLD_DRAWN,
    TOLD_DRAWN_SHOWN,
    TOLD_SHOWN,
)
from bezique_env.engine.cache import kernel

QUEEN, JACK = 4, 3


@kernel(inner=True)
def tell_places(g, seat):
    """Write down the places received since the last token."""
    more = np.int64(g.places[seat]) - np.int64(g.told_places[seat])
    n = np.int64(g.told_n[seat])
    while more > 0:
        part = min(more, 31)
        g.told[seat, n] = TOLD_DRAWN + part
        n += 1
        more -= part
    g.told_n[seat] = n
    g.told_places[seat] = g.places[seat]


@kernel(inline_always=True)
def tell_shown(g, seat, card):
    """Write down that a hidden copy is shown."""
    token = TOLD_SHOWN
    more = np.int64(g.places[seat]) - np.int64(g.told_places[seat])
    if more == 1:
        g.told_places[seat] += 1
        token = TOLD_DRAWN_SHOWN
    elif more > 1:
        tell_places(g, seat)
    n = np.int64(g.told_n[seat])
    g.told[seat, n] = token + card
    g.told_n[seat] = n + 1
    g.shown_n[seat] += 1


@kernel(inner=True)
def tell(g, seat, token):
    """Write down a note, unless it says nothing new or the room left is needed for the cards still to be shown.

    A note says nothing new where no card of the hand is hidden, or where the seat has received none since it
    was last written down.
    """
    if g.places[seat] == g.shown_n[seat]:
        return
    if g.told_places[seat] == g.places[seat]:
        for k in range(np.int64(g.told_n[seat]) - 1, -1, -1):
            earlier = g.told[seat, k]
            if earlier == token:
                return
            if TOLD_DRAWN_SHOWN <= earlier < TOLD_ABSENT or TOLD_DRAWN <= earlier < TOLD_CLUE:
                break
    share = g.deck.shape[0] // 2
    waiting = np.int64(g.places[seat]) - np.int64(g.told_places[seat])
    later = share - np.int64(g.shown_n[seat]) + (share - np.int64(g.places[seat])) // 2 + 1
    if np.int64(g.told_n[seat]) + 1 + (1 if waiting > 0 else 0) + later > g.told.shape[1]:
        return
    tell_places(g, seat)
    n = np.int64(g.told_n[seat])
    g.told[seat, n] = token
    g.told_n[seat] = n + 1


@kernel(inline_always=True)
def tell_absent(g, seat, card):
    """Write down that no hidden copy of the card is in the hand now."""
    tell(g, seat, np.int64(TOLD_ABSENT) + card)


@kernel(inline_always=True)
def tell_below(g, seat, rank, suit):
    """Write down that no hidden copy of a rank (jack or higher) in a suit before this is in the hand now."""
    if suit == 1:
        tell(g, seat, np.int64(TOLD_ABSENT) + rank)
    elif suit > 1:
        tell(g, seat, np.int64(TOLD_BELOW) + 4 * (rank - JACK) + suit)


@kernel(inner=True)
def tell_clue(g, seat, rank, suits):
    """Write down that not all cards of a rank in the suits (bit mask) are hidden in the hand now."""
    if rank > 0:
        for suit in range(4):
            if suits == 1 << suit:
                tell(g, seat, np.int64(TOLD_ABSENT) + 8 * suit + rank)
                return
    tell(g, seat, np.int64(TOLD_CLUE) + 16 * rank + suits)


@kernel(inner=True)
def read_log(v, seat, card, first, last, absent, clue, clue_places, clue_shown):
    """Read the log of a seat; returns (cards shown, clues).

    ``card[k]``, ``first[k]``, ``last[k]``: the k-th shown card came from a place of the seat in
    [first, last). ``absent[c]``: while this many places were dealt to the seat it held no hidden copy of c.
    ``clue[q]`` is a token of the log, true when ``clue_places[q]`` places were dealt and ``clue_shown[q]``
    cards shown.
    """
    for c in range(32):
        absent[c] = 0
    places = 0
    shown = 0
    clues = 0
    for k in range(v.told_n[seat]):
        token = np.int64(v.told[seat, k])
        if TOLD_BELOW <= token < TOLD_BELOW + 20:
            rank = JACK + ((token - TOLD_BELOW) >> 2)
            for suit in range((token - TOLD_BELOW) & 3):
                absent[8 * suit + rank] = places
        elif token >= TOLD_CLUE:
            clue[clues] = token
            clue_places[clues] = places
            clue_shown[clues] = shown
            clues += 1
        elif token >= TOLD_DRAWN:
            places += token - TOLD_DRAWN
        elif token >= TOLD_ABSENT:
            absent[token - TOLD_ABSENT] = places
        else:
            if token >= TOLD_DRAWN_SHOWN:
                places += 1
            card[shown] = token & 31
            first[shown] = absent[token & 31]
            last[shown] = places
            shown += 1
    return shown, clues


@kernel(inner=True)
def clue_cards(token):
    """Return the cards of a clue as a bit mask: not all of them were hidden in the hand."""
    rank = (token >> 4) & 7
    suits = token & 15
    if rank == 0:
        return (np.int64(1) << (8 * suits + QUEEN)) | (np.int64(1) << (8 * (suits ^ 2) + JACK))
    cards = np.int64(0)
    for suit in range(4):
        if (suits >> suit) & 1:
            cards |= np.int64(1) << (8 * suit + rank)
    return cards
