"""The flat record of one game, and the record of what one seat may know of it.

One game is one record of :func:`state_dtype`; N games are one array. A copy of the record is a clone of
the game. Every variant has the same fields; only the lengths of the arrays follow the packs and the hand
(:class:`Shape`), so the kernels are one source and are compiled once for each shape. Only
:func:`bezique_env.engine.bezique.kernels.project` turns a state into a view (:func:`view_dtype`); whatever a
player, a network or a renderer sees is made from a view. 255 stands for "no card" or "hidden".
"""

from __future__ import annotations

import functools

import numpy as np

from bezique_env.engine.common import PUBLIC
from bezique_env.rules.bezique.shape import Shape

SEATS = 2
MAX_EVENTS = 6
"""The most changes of scores that one action causes."""
MAX_SELECTED = 10
"""The most cards of one declaration (a quintuple bezique)."""
SCRATCH = 160
"""Bytes of scratch that a kernel needs."""

# Phases; OVER and BETWEEN_DEALS (6 and 7) are those of every family.
LEAD, FOLLOW, DECLARE, SELECT, ENDGAME_LEAD, ENDGAME_FOLLOW, CARTE_BLANCHE = 0, 1, 2, 3, 4, 5, 8
PHASE_NAMES = (
    "lead",
    "follow",
    "declare",
    "select",
    "endgame_lead",
    "endgame_follow",
    "over",
    "between_deals",
    "carte_blanche",
)

# Bits of table_uses: in which kinds of scored meld a copy has ever served.
USED_MARRIAGE, USED_SEQUENCE, USED_BEZIQUE, USED_DOUBLE, USED_FOUR, USED_SEVEN = 1, 2, 4, 8, 16, 32
USED_TRICK = 64
"""Won in the trick whose window is open (Fildinski)."""
USED_NOW = 128
"""Served in a meld of the window that is open, where no copy may serve in two of them."""
USED_TRIPLE, USED_QUADRUPLE, USED_QUINTUPLE, USED_FOUR_TRUMP, USED_FIVE_TRUMP = 256, 512, 1024, 2048, 4096
USED_LINE_NOW, USED_BEZIQUE_NOW = 8192, 16384
"""Served in the open window in the class of marriages and sequences, of beziques (``fildinski_reuse: by_class``)."""
USED_WINDOW = USED_TRICK | USED_NOW | USED_LINE_NOW | USED_BEZIQUE_NOW
"""The bits that the end of a window wipes out."""
USE_NAMES = {
    USED_MARRIAGE: "marriage",
    USED_SEQUENCE: "sequence",
    USED_BEZIQUE: "bezique",
    USED_DOUBLE: "bezique 2",
    USED_FOUR: "four",
    USED_SEVEN: "seven",
    USED_TRIPLE: "bezique 3",
    USED_QUADRUPLE: "bezique 4",
    USED_QUINTUPLE: "bezique 5",
    USED_FOUR_TRUMP: "four trump",
    USED_FIVE_TRUMP: "five trump",
}

# Kinds of scored meld that stay intact until a card of theirs is played (second last index of table_melds).
IN_MARRIAGE, IN_SEQUENCE, IN_BEZIQUE, IN_FOUR, IN_FOUR_TRUMP, IN_FIVE_TRUMP = range(6)
MELD_KINDS = 6
MELD_NAMES = ("marriage", "sequence", "bezique", "four", "four trump", "five trump")

CARD_BITS = 31
"""Part of a byte of ``deck`` that is the card id; above it stands who received the card:"""
OWNER_SHIFT = 5
OWNER_PUBLIC, OWNER_NONE = PUBLIC, 3
"""Owners 0 and 1 are seats; public: everyone knows the card (turn-up, set-up positions); none: in the stock."""
HIDDEN_CARD = 128
"""Bit of a byte of a view's ``deck``: the seat does not know the card (its id then reads 0)."""

# Tokens of ``told``: what was seen of the cards of a seat, in order, one byte each (see told.py).
TOLD_SHOWN, TOLD_DRAWN_SHOWN, TOLD_ABSENT, TOLD_DRAWN, TOLD_CLUE, TOLD_BELOW = 0, 32, 64, 96, 128, 144


def _public(shape: Shape) -> list[tuple[str, str] | tuple[str, str, tuple[int, ...]]]:
    """Return the fields that everyone may know; they stand in the state and in every view alike."""
    melds = shape.slots if shape.reform else 1
    return [
        ("scores", "i4", (SEATS,)),  # this deal
        ("deal_no", "u4"),
        ("table_uses", "u2", (SEATS, shape.slots)),
        (
            "table_melds",
            "u2",
            (SEATS, melds, MELD_KINDS),
        ),  # partners of a copy in an intact meld, a bit per place
        ("known", "u1", (SEATS, 32)),  # concealed copies that everyone knows
        ("table_count", "u1", (SEATS, 32)),
        ("won", "u1", (SEATS, 32)),
        ("table_card", "u1", (SEATS, shape.slots)),  # in the order laid
        ("table_served", "u1", (SEATS, shape.slots)),  # scored melds in which the copy has served
        ("table_n", "u1", (SEATS,)),
        ("told", "u1", (SEATS, shape.told)),
        ("told_n", "u1", (SEATS,)),
        ("places", "u1", (SEATS,)),  # deck places received
        ("told_places", "u1", (SEATS,)),  # those of them that the log has noted
        ("shown_n", "u1", (SEATS,)),  # hidden cards that were shown
        ("sevens_scored", "u1", (SEATS,)),  # trump sevens among the concealed cards that have scored
        ("brisques", "u1", (SEATS,)),
        ("taken", "u1", (SEATS,)),  # queue draws so far
        ("carte", "u1", (SEATS,)),  # 1: showed carte blanche and goes on showing
        ("trick_card", "u1", (SEATS,)),
        ("led_scored", "u1"),  # the led card is a trump seven that has scored (Fildinski)
        ("seven_won", "u1"),  # the trick whose window is open holds a trump seven (Fildinski)
        ("cut", "u1", (SEATS,)),  # cards lifted by the dealer, number guessed by the other (0: no cut bonus)
        ("episode", "u1"),
        ("draws", "u1"),
        ("dealer", "u1"),
        ("leader", "u1"),
        ("to_act", "u1"),
        ("trump", "u1"),
        ("last_trump", "u1"),
        ("turn_up", "u1"),
        ("turn_up_scored", "u1"),
        ("stock_next", "u2"),
        ("stock_left", "u1"),
        ("declared", "u1"),
        ("exchanged", "u1"),
        ("first_over", "u1"),
        ("winner", "u1"),
        ("double", "u1"),
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
            *_public(shape),
            ("hand", "u1", (SEATS, 32)),  # concealed copies
            ("deck", "u1", (shape.deck,)),  # card, and who received it
            ("ev_seat", "u1", (MAX_EVENTS,)),
            ("ev_what", "u1", (MAX_EVENTS,)),
            ("ev_n", "u1"),
            ("sel_code", "u1", (MAX_SELECTED,)),  # copies chosen so far in a selection
            ("sel_n", "u1"),
            ("sel_action", "u1"),
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
            *_public(shape),
            ("hand", "u1", (32,)),  # own concealed copies
            ("unseen", "u1", (32,)),  # copies that may be in another hand or in the stock
            ("concealed_n", "u1", (SEATS,)),
            ("deck", "u1", (shape.deck,)),  # as in the state; bit 128 where the seat does not know the card
            ("sel_code", "u1", (MAX_SELECTED,)),  # own selection only
            ("sel_n", "u1"),
            ("sel_action", "u1"),
            ("phase", "u1"),
            ("seat", "u1"),
            ("bezique_q", "u1"),  # the queen and jack of the bezique pair, 255 while none is fixed
            ("bezique_j", "u1"),
        ]
    )
