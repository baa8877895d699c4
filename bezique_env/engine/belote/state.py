"""The flat record of one game, and the record of what one seat may know of it.

One game is one record of :func:`state_dtype`; N games are one array. A copy of the record is a clone of the
game. Sets of cards are bit masks (bit ``8 * suit + rank``): the pack holds every card once. Only
:func:`bezique_env.engine.belote.views.project` turns a state into a view (:func:`view_dtype`); whatever a
player, a network or a renderer sees is made from a view. 255 stands for "no card", "nobody" or "hidden".
"""

from __future__ import annotations

import functools

import numpy as np

from bezique_env.rules.belote.shape import Shape

SEATS = 2
MAX_EVENTS = 10
"""The most changes of scores that one action causes (the last trick, with everything that it brings)."""
MAX_BIDS = 8
"""Places for the actions of an auction; the longest has six."""
SCRATCH = 1
"""Bytes of scratch that a kernel needs: none is used."""
DECK = 32
"""Ids of cards; places of a whole pack."""

# Phases; OVER and BETWEEN_DEALS (6 and 7) are those of every family.
BID, ANSWER, EXCHANGE, ANNOUNCE, LEAD, FOLLOW = range(6)
PHASE_NAMES = ("bid", "answer", "exchange", "announce", "lead", "follow", "over", "between_deals")

# Steps between the auction and the first lead.
STEP_EXCHANGE, STEP_ANNOUNCE, STEP_EXCHANGE_AGAIN, STEP_PLAY = 0, 2, 4, 6
"""Elder is asked at these steps and the dealer at the next."""

# The contests of announcements, and how they end.
SEQUENCES, FOURS = 0, 1
CONTESTS = 2
UNDECIDED, TO_ELDER, TO_DEALER, TO_NOBODY = 0, 1, 2, 3

# What a declaration is compared by, as a number: value, four of a kind, length, top rank, trump.
KEY_SHIFTS = (20, 16, 8, 4, 0)
VALUE_SHIFT, FOUR_SHIFT, LENGTH_SHIFT, TOP_SHIFT, TRUMP_SHIFT = KEY_SHIFTS
SAID_NOTHING, SAID_VALUE, SAID_FOUR, SAID_LENGTH, SAID_TOP, SAID_TRUMP = range(6)
"""How far the dialogue went: the last part of the key that was said (``stage``)."""


def _public() -> list[tuple[str, str] | tuple[str, str, tuple[int, ...]]]:
    """Return the fields that everyone may know; they stand in the state and in every view alike."""
    return [
        ("scores", "i4", (SEATS,)),  # this deal
        ("held", "i4"),  # points of earlier, tied deals that this deal decides
        ("deal_no", "u4"),  # hands dealt before this one
        ("known", "u4", (SEATS,)),  # concealed cards that everyone knows
        ("absent", "u4", (SEATS,)),  # cards that the plays of the seat have shown not to be in its hand
        ("played", "u4", (SEATS,)),
        ("won", "u4", (SEATS,)),
        ("said", "u4", (CONTESTS,)),  # elder's key as far as it was said
        ("shown", "u4", (CONTESTS,)),  # cards of the declarations that the winner showed
        ("declared", "i4", (CONTESTS,)),  # points that the winner of the contest has for it
        ("stage", "u1", (CONTESTS,)),
        ("outcome", "u1", (CONTESTS,)),
        ("paid", "u1", (CONTESTS,)),  # 1: the points are credited (they wait for a trick by option)
        ("redeals", "u4"),  # of this deal
        ("tricks", "u1", (SEATS,)),
        ("pair_said", "u1", (SEATS,)),  # words said of the pair
        ("pair_paid", "u1", (SEATS,)),
        ("trick_card", "u1", (SEATS,)),
        ("bids", "u1", (MAX_BIDS,)),  # action ids of the auction, 255 empty
        ("bids_n", "u1"),
        ("round", "u1"),  # of the auction, 1 or 2
        ("naming", "u1"),  # 1: the seat to bid must name a suit
        ("saying", "u1"),  # 1: the pair was just said, one of its cards must be played
        ("step", "u1"),
        ("late_exchange", "u1"),  # 1: the seven was exchanged after the announcements
        ("exchanged", "u1"),  # seat that exchanged the seven
        ("taker", "u1"),
        ("bottom", "u1"),  # bottom card of the pack, once it is shown
        ("episode", "u1"),
        ("draws", "u1"),
        ("dealer", "u1"),
        ("leader", "u1"),
        ("to_act", "u1"),
        ("trump", "u1"),
        ("turn_up", "u1"),
        ("given", "u1"),  # 1: the deck was set from outside, so that it is not dealt again
        ("winner", "u1"),
    ]


@functools.cache
def state_dtype(shape: Shape) -> np.dtype[np.void]:
    """Return the record of one game, hidden cards included."""
    return np.dtype(
        [
            ("seed", "u8"),
            ("match_scores", "i4", (SEATS,)),  # earlier deals of the match
            ("ev_points", "i4", (MAX_EVENTS,)),  # score changes of the last action
            ("steps", "u4"),  # decisions taken in the game
            *_public(),
            ("hand", "u4", (SEATS,)),
            ("deck", "u1", (shape.deck,)),
            ("ev_seat", "u1", (MAX_EVENTS,)),
            ("ev_what", "u1", (MAX_EVENTS,)),
            ("ev_n", "u1"),
            ("announced", "u1", (SEATS,)),
            ("pair_seat", "u1"),  # who held king and queen of trumps when play began
            ("manual", "u1"),  # decks of later deals are set from outside
            ("phase", "u1"),
        ]
    )


@functools.cache
def view_dtype(shape: Shape) -> np.dtype[np.void]:
    """Return the record of what one seat may know of one game."""
    return np.dtype(
        [
            ("match_scores", "i4", (SEATS,)),  # this deal included
            *_public(),
            ("hand", "u4"),
            ("unseen", "u4"),  # cards that may be in the other hand or out of play
            ("concealed_n", "u1", (SEATS,)),
            (
                "deck",
                "u1",
                (shape.deck,),
            ),  # the places whose card the seat was dealt or shown, 255 the others
            ("phase", "u1"),
            ("seat", "u1"),
        ]
    )
