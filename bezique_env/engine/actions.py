"""The action table of the Bezique family: 96 ids, the same meaning in every member."""

from __future__ import annotations

import difflib

from bezique_env.cards import CARD_TEXTS, SUITS

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
_IDS = {text: number for number, text in enumerate(ACTION_TEXTS)}
_SELECT_IDS = {text: number for number, text in enumerate(SELECT_TEXTS)}

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


def action_text(action: int, selecting: bool = False) -> str:
    """Return the text of an action id; while selecting, ids 0..63 read ``use ...``.

    Raises:
        ValueError: the id is outside 0..95.
    """
    if not 0 <= action < NUM_ACTIONS:
        raise ValueError(f"action id {action} is outside 0..{NUM_ACTIONS - 1}")
    return SELECT_TEXTS[action] if selecting and action < MARRIAGE else ACTION_TEXTS[action]


def action_id(text: str) -> int:
    """Return the id of an action text (``play``, or ``use`` inside a selection).

    Raises:
        ValueError: no action has this text; the message names the nearest spelling.
    """
    words = " ".join(str(text).split())
    found = _IDS.get(words, _SELECT_IDS.get(words))
    if found is None:
        folded = {text.lower(): text for text in (*ACTION_TEXTS, *SELECT_TEXTS)}
        near = difflib.get_close_matches(words.lower(), folded, 1, 0.5)
        hint = f"; did you mean {folded[near[0]]!r}?" if near else ""
        raise ValueError(f"unknown action {text!r}{hint}")
    return found
