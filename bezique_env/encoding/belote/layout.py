"""The layout of the observations of the Belote family."""

from __future__ import annotations

import functools

from bezique_env.encoding.layout import BY_CARD, ONE_CARD, ONE_SUIT, Layout, Spec, Suited, make_layout
from bezique_env.rules.belote.shape import Shape

SCORE_SCALE = 100
"""Points that stand for 1.0: about what a deal brings."""
TOTAL_SCALE = 500
"""Points of a match that stand for 1.0: its target."""
BID_PLACES = 6
"""The actions of the longest auction."""
FIRST_BID, BID_KINDS = 32, 9
"""The first action of the auction, and how many there are: accept to name C."""
STAGES = 6

_FLAGS = "0/1 per card id"
_CARD = "one-hot rank 7 8 9 T J Q K A, then suit S H D C"
_CONTESTS = "sequences, fours"
_SPEC: Spec = [
    ("hand", 32, _FLAGS, 0, 1, "own concealed cards"),
    ("known_own", 32, _FLAGS, 0, 1, "own concealed cards that the other seat knows"),
    ("known_opp", 32, _FLAGS, 0, 1, "cards that the other seat is known to hold concealed"),
    ("unseen", 32, _FLAGS, 0, 1, "cards that may be in the other hand or out of play"),
    ("absent_own", 32, _FLAGS, 0, 1, "cards that own plays have shown not to be in the hand"),
    ("absent_opp", 32, _FLAGS, 0, 1, "cards that the other seat's plays have shown not to be in its hand"),
    ("played_own", 32, _FLAGS, 0, 1, "cards that this seat has played"),
    ("played_opp", 32, _FLAGS, 0, 1, "cards that the other seat has played"),
    ("won_own", 32, _FLAGS, 0, 1, "cards in the tricks won by this seat"),
    ("won_opp", 32, _FLAGS, 0, 1, "cards in the tricks won by the other seat"),
    ("trick_own", 12, _CARD, 0, 1, "own card in the trick"),
    ("trick_opp", 12, _CARD, 0, 1, "the other seat's card in the trick"),
    ("trump", 5, "one-hot S H D C none", 0, 1, "trump suit"),
    ("turn_up", 12, _CARD, 0, 1, "the turned card; after an exchange the seven"),
    ("bottom", 12, _CARD, 0, 1, "the bottom card of the pack, once it is shown"),
    (
        "phase",
        8,
        "one-hot bid answer exchange announce lead follow over between_deals",
        0,
        1,
        "phase",
    ),
    ("to_act", 2, "0/1 own, opp", 0, 1, "whose decision it is"),
    ("dealer", 1, "0/1", 0, 1, "whether this seat dealt"),
    ("leader", 1, "0/1", 0, 1, "whether this seat leads the trick or has won the last one"),
    ("taker", 3, "one-hot own opp none", 0, 1, "who undertook to score more"),
    (
        "bids",
        BID_PLACES * BID_KINDS,
        f"{BID_PLACES} places: one-hot accept pass propose agree refuse name S, H, D, C",
        0,
        1,
        "actions of the auction in order, elder's first",
    ),
    ("round", 1, "0/1", 0, 1, "round 2 of the auction"),
    ("naming", 1, "0/1", 0, 1, "the seat to bid must name a suit"),
    ("saying", 1, "0/1", 0, 1, "the pair was just said: one of its cards must be played"),
    ("compared", 1, "0/1", 0, 1, "the announcements are over"),
    (
        "stage",
        2 * STAGES,
        f"{_CONTESTS}: one-hot nothing value four length top trump",
        0,
        1,
        "how far the talk about declarations went",
    ),
    ("said_value", 2, f"points / 200: {_CONTESTS}", 0, 1, "value of elder's best declaration, if said"),
    ("said_four", 2, f"0/1: {_CONTESTS}", 0, 1, "whether he said that it is a four of a kind"),
    ("said_length", 2, f"cards / 9: {_CONTESTS}", 0, 1, "its length, if said and compared"),
    ("said_top", 16, f"{_CONTESTS}: one-hot 7 8 9 T J Q K A", 0, 1, "its top rank, if said"),
    ("said_trump", 2, f"0/1: {_CONTESTS}", 0, 1, "whether he said that it is in trumps"),
    (
        "outcome",
        6,
        f"{_CONTESTS}: one-hot own opp nobody",
        0,
        1,
        "who scores declarations, once it is decided",
    ),
    ("declared", 2, f"points / {SCORE_SCALE}: {_CONTESTS}", 0, 10, "points of the winner's declarations"),
    ("paid", 2, f"0/1: {_CONTESTS}", 0, 1, "whether they are credited"),
    ("shown", 64, f"{_CONTESTS}: {_FLAGS}", 0, 1, "cards of the declarations that the winner showed"),
    ("exchanged", 2, "0/1 own, opp", 0, 1, "who exchanged the seven of trumps"),
    ("late_exchange", 1, "0/1", 0, 1, "it was exchanged after the announcements"),
    ("pair_said", 2, "words / 2: own, opp", 0, 1, "words said of the pair"),
    ("pair_paid", 2, "0/1 own, opp", 0, 1, "who has scored the pair"),
    ("tricks", 2, "tricks / 9: own, opp", 0, 1, "tricks won"),
    ("concealed", 2, "cards / 9: own, opp", 0, 1, "concealed cards"),
    ("scores", 3, f"points / {SCORE_SCALE}: own, opp, difference", -100, 100, "points of this deal"),
    (
        "totals",
        2,
        f"points / {TOTAL_SCALE}: own, opp",
        0,
        400,
        "points of the match, this deal included",
    ),
    ("held", 1, f"points / {SCORE_SCALE}", 0, 100, "points of tied deals that the next deal decides"),
    ("redeals", 1, "number / 16", 0, 8192, "how often this deal was dealt again"),
    ("deal_number", 1, "hands before this one / 16", 0, 65536, "number of the hand in the match"),
    ("result", 2, "0/1 own win, opp win", 0, 1, "result when the game is over"),
]
_SUITED: Suited = {
    **{name: BY_CARD for name, _, unit, *_ in _SPEC if unit == _FLAGS},
    **{name: ONE_CARD for name, _, unit, *_ in _SPEC if unit == _CARD},
    "trump": ONE_SUIT,
    "bids": (range(5, BID_PLACES * BID_KINDS, BID_KINDS), 1),  # name S, H, D, C
    "shown": ([32 * contest + rank for contest in range(2) for rank in range(8)], 8),
}


@functools.cache
def layout_of(shape: Shape) -> Layout:
    """Return the layout of the rows that are made from view records of a shape."""
    return make_layout(f"StartsBelote{shape.seats}", shape, _SPEC, SCORE_SCALE, _SUITED)
