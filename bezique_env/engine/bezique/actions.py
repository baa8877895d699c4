"""The action table of the Bezique family: 96 ids, the same meaning in every member."""

from __future__ import annotations

from bezique_env.cards import SUITS
from bezique_env.engine.actions import ActionTable
from bezique_env.rules.bezique.cards import CARD_TEXTS

NUM_ACTIONS = 96
PLAY = 0
PLAY_TABLE = 32
MARRIAGE = 64
SEQUENCE = 68
BEZIQUE = 72
FOUR = 77
FOUR_TRUMP = 82
FIVE_TRUMP = 87
SEVEN_SCORE = 92
EXCHANGE = 93
CARTE_BLANCHE = 94
PASS = 95
QUARTET_RANKS = "ATKQJ"
"""Ranks of the quartet actions, in the order of their ids."""


def _texts() -> tuple[str, ...]:
    texts = [f"play {card}" for card in CARD_TEXTS]
    texts += [f"play {card} table" for card in CARD_TEXTS]
    texts += [f"marriage {suit}" for suit in SUITS]
    texts += [f"sequence {suit}" for suit in SUITS]
    texts += [f"bezique {level}" for level in range(1, 6)]
    for prefix in ("four", "four trump", "five trump"):
        texts += [f"{prefix} {rank}" for rank in QUARTET_RANKS]
    return (*texts, "seven", "exchange", "carte blanche", "pass")


ACTION_TEXTS: tuple[str, ...] = _texts()
"""Text of every action id outside a selection."""
SELECT_TEXTS: tuple[str, ...] = tuple(text.replace("play", "use", 1) for text in ACTION_TEXTS[:64])
"""Texts of the ids 0..63 while the cards of a declaration are chosen (``selection: explicit``)."""
ACTIONS = ActionTable(ACTION_TEXTS, SELECT_TEXTS)
action_text = ACTIONS.text
action_id = ACTIONS.id

# What an event was for: declarations use their action id, the rest these codes.
EVENT_TRUMP_SEVEN = 100
EVENT_BRISQUES = 101
EVENT_LAST_TRICK = 102
EVENT_TURNED_SEVEN = 103
EVENT_WITHDRAWN = 104
EVENT_CUT = 105
EVENT_CUT_GUESS = 106
EVENT_TEXTS: dict[int, str] = {
    **dict(enumerate(ACTION_TEXTS)),
    EVENT_TRUMP_SEVEN: "trump seven",
    EVENT_BRISQUES: "brisques",
    EVENT_LAST_TRICK: "last trick",
    EVENT_TURNED_SEVEN: "turned seven",
    EVENT_WITHDRAWN: "bezique withdrawn",
    EVENT_CUT: "cut",
    EVENT_CUT_GUESS: "cut guess",
}
