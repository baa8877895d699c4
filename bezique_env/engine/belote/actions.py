"""The action table of the Belote family: the same meaning in every member; later members append to it."""

from __future__ import annotations

from bezique_env.cards import SUITS
from bezique_env.engine.actions import ActionTable
from bezique_env.rules.belote.cards import CARD_TEXTS

PLAY = 0
ACCEPT = 32
PASS = 33
PROPOSE = 34
AGREE = 35
REFUSE = 36
NAME = 37
EXCHANGE = 41
ANNOUNCE = 42
BELOTE = 43
NUM_ACTIONS = 44

ACTION_TEXTS: tuple[str, ...] = (
    *(f"play {card}" for card in CARD_TEXTS),
    "accept",
    "pass",
    "propose",
    "agree",
    "refuse",
    *(f"name {suit}" for suit in SUITS),
    "exchange",
    "announce",
    "belote",
)
"""Text of every action id."""
ACTIONS = ActionTable(ACTION_TEXTS)
action_text = ACTIONS.text
action_id = ACTIONS.id

# What an event was for.
(
    EVENT_TRICK,
    EVENT_LAST_TRICK,
    EVENT_SEQUENCES,
    EVENT_FOURS,
    EVENT_PAIR,
    EVENT_ALL_TRICKS,
    EVENT_SETTLEMENT,
    EVENT_HELD,
) = range(8)
EVENT_TEXTS: dict[int, str] = {
    EVENT_TRICK: "trick",
    EVENT_LAST_TRICK: "last trick",
    EVENT_SEQUENCES: "sequences",
    EVENT_FOURS: "fours",
    EVENT_PAIR: "pair",
    EVENT_ALL_TRICKS: "all tricks",
    EVENT_SETTLEMENT: "settlement",
    EVENT_HELD: "held",
}
