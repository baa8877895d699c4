"""The flat record of one game, and the record of what one seat may know of it.

One game is one record of :data:`STATE`; N games are one array. A copy of the record is a clone of the
game. Only :func:`bezique_env.engine.kernels.project` turns a state into a :data:`VIEW`; whatever a player,
a network or a renderer sees is made from a view. 255 stands for "no card" or "hidden".
"""

from __future__ import annotations

import numpy as np

SEATS = 2
SLOTS = 8
"""Places on a seat's table (never more than a hand)."""
DECK = 64
SHARE = 32
"""The most places of the deck that one seat can receive."""
MAX_EVENTS = 12
MAX_CLUES = 12

# Phases.
LEAD, FOLLOW, DECLARE, SELECT, ENDGAME_LEAD, ENDGAME_FOLLOW, OVER, BETWEEN_DEALS = range(8)
PHASE_NAMES = (
    "lead",
    "follow",
    "declare",
    "select",
    "endgame_lead",
    "endgame_follow",
    "over",
    "between_deals",
)

# Bits of table_uses: in which kinds of scored meld a copy has served.
USED_MARRIAGE, USED_SEQUENCE, USED_BEZIQUE, USED_DOUBLE, USED_FOUR, USED_SEVEN = 1, 2, 4, 8, 16, 32
USED_NOW = 128
"""Served in a meld of the window that is open (only ``declare: many_disjoint`` sets it)."""
USE_NAMES = ("marriage", "sequence", "bezique", "bezique 2", "four", "seven")

EPISODE_DEAL, EPISODE_MATCH = 0, 1
DRAWS_SHARED, DRAWS_QUEUES = 0, 1
OWNER_PUBLIC = 254
"""Owner of a deck place whose card everyone knows (turn-up; cards of set-up positions)."""

STATE = np.dtype(
    [
        ("seed", "u8"),
        ("scores", "i4", (SEATS,)),  # this deal
        ("match_scores", "i4", (SEATS,)),  # earlier deals of the match
        ("ev_points", "i4", (MAX_EVENTS,)),  # score changes of the last action
        ("clue_cards", "u4", (SEATS, MAX_CLUES)),  # cards not all hidden in the hand at that time
        ("steps", "u4"),  # decisions taken in the game
        ("deal_no", "u4"),
        ("table_uses", "u2", (SEATS, SLOTS)),
        ("hand", "u1", (SEATS, 32)),  # concealed copies
        ("known", "u1", (SEATS, 32)),  # those of them that everyone knows
        ("table_count", "u1", (SEATS, 32)),
        ("won", "u1", (SEATS, 32)),
        (
            "absent",
            "u1",
            (SEATS, 32),
        ),  # while this many places were dealt to the seat, it held no hidden copy
        ("shown_card", "u1", (SEATS, SHARE)),  # hidden cards in the order they left the hand
        ("shown_from", "u1", (SEATS, SHARE)),  # they came from a place of the seat in [from, to)
        ("shown_to", "u1", (SEATS, SHARE)),
        ("deck", "u1", (DECK,)),
        ("owner", "u1", (DECK,)),
        ("table_card", "u1", (SEATS, SLOTS)),  # in the order laid
        ("table_n", "u1", (SEATS,)),
        ("places", "u1", (SEATS,)),  # deck places received
        ("shown_n", "u1", (SEATS,)),
        ("sevens_scored", "u1", (SEATS,)),  # trump sevens among the concealed cards that have scored
        ("brisques", "u1", (SEATS,)),
        ("taken", "u1", (SEATS,)),  # queue draws so far
        ("trick_card", "u1", (SEATS,)),
        ("clue_places", "u1", (SEATS, MAX_CLUES)),
        ("clue_shown", "u1", (SEATS, MAX_CLUES)),
        ("clue_n", "u1", (SEATS,)),
        ("sel_code", "u1", (8,)),  # copies chosen so far in a selection
        ("sel_n", "u1"),
        ("sel_action", "u1"),
        ("ev_seat", "u1", (MAX_EVENTS,)),
        ("ev_what", "u1", (MAX_EVENTS,)),
        ("ev_n", "u1"),
        ("episode", "u1"),
        ("draws", "u1"),
        ("manual", "u1"),  # decks of later deals are set from outside
        ("dealer", "u1"),
        ("leader", "u1"),
        ("to_act", "u1"),
        ("phase", "u1"),
        ("trump", "u1"),
        ("last_trump", "u1"),
        ("turn_up", "u1"),
        ("turn_up_scored", "u1"),
        ("stock_next", "u1"),
        ("stock_left", "u1"),
        ("declared", "u1"),
        ("exchanged", "u1"),
        ("first_over", "u1"),
        ("winner", "u1"),
        ("double", "u1"),
    ]
)
"""One game, hidden cards included."""

VIEW = np.dtype(
    [
        ("scores", "i4", (SEATS,)),
        ("match_scores", "i4", (SEATS,)),  # this deal included
        ("brisques", "i4", (SEATS,)),
        ("clue_cards", "u4", (SEATS, MAX_CLUES)),
        ("table_uses", "u2", (SEATS, SLOTS)),
        ("hand", "u1", (32,)),  # own concealed copies
        ("known", "u1", (SEATS, 32)),
        ("table_count", "u1", (SEATS, 32)),
        ("won", "u1", (SEATS, 32)),
        ("unseen", "u1", (32,)),  # copies that may be in another hand or in the stock
        ("absent", "u1", (SEATS, 32)),
        ("shown_card", "u1", (SEATS, SHARE)),
        ("shown_from", "u1", (SEATS, SHARE)),
        ("shown_to", "u1", (SEATS, SHARE)),
        ("deck", "u1", (DECK,)),  # 255 where the seat does not know the card
        ("owner", "u1", (DECK,)),
        ("table_card", "u1", (SEATS, SLOTS)),
        ("table_n", "u1", (SEATS,)),
        ("concealed_n", "u1", (SEATS,)),
        ("places", "u1", (SEATS,)),
        ("shown_n", "u1", (SEATS,)),
        ("sevens_scored", "u1", (SEATS,)),
        ("taken", "u1", (SEATS,)),
        ("trick_card", "u1", (SEATS,)),
        ("clue_places", "u1", (SEATS, MAX_CLUES)),
        ("clue_shown", "u1", (SEATS, MAX_CLUES)),
        ("clue_n", "u1", (SEATS,)),
        ("sel_code", "u1", (8,)),  # own selection only
        ("sel_n", "u1"),
        ("sel_action", "u1"),
        ("seat", "u1"),
        ("episode", "u1"),
        ("draws", "u1"),
        ("dealer", "u1"),
        ("leader", "u1"),
        ("to_act", "u1"),
        ("phase", "u1"),
        ("trump", "u1"),
        ("last_trump", "u1"),
        ("turn_up", "u1"),
        ("turn_up_scored", "u1"),
        ("stock_next", "u1"),
        ("stock_left", "u1"),
        ("declared", "u1"),
        ("exchanged", "u1"),
        ("first_over", "u1"),
        ("winner", "u1"),
        ("double", "u1"),
        ("bezique_q", "u1"),  # the queen and jack of the bezique pair, 255 while none is fixed
        ("bezique_j", "u1"),
        ("deal_no", "u4"),
    ]
)
"""What one seat may know of one game."""
