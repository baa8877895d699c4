"""The settlement and the values of the Belote family as text."""

from __future__ import annotations

from typing import Any

from bezique_env.rules.family import Table

_SETTLEMENT = (
    ("more", "", "", "own", "own", "PRIMARY"),
    ("equal", "two_hand_tie", "taker_zero", "0", "own", "PRIMARY; A24"),
    (
        "equal",
        "two_hand_tie",
        "hold_over",
        "0; the points wait for the seat with more in the next deal that is not tied",
        "own",
        "MCNEELY",
    ),
    ("equal", "two_hand_tie", "fall", "as less", "as less", "SWISS500, HR23"),
    ("less", "two_hand_fail", "opponent_sum", "0", "own and the taker's", "PRIMARY, SWISS500"),
    ("less", "two_hand_fail", "taker_loses_only", "0", "own", "BICYCLE"),
    (
        "equal or less",
        "belote_prenable",
        False,
        "20, where he announced the pair",
        "the same without these 20",
        "FFB16",
    ),
)
"""Taker against opponent, the option and its value on which the row hangs, what both write, and the source."""


def value_text(option: str, value: Any) -> str:
    """Return an option value as it is written in YAML."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def settlement_rows(rules: Any) -> Table:
    """Return what taker and opponent write for a deal, with what holds under given rules."""
    rows = []
    for result, option, value, taker, other, source in _SETTLEMENT:
        text = f"{option}: {value_text(option, value)}" if option else "always"
        holds = not option or getattr(rules, option) == value
        rows.append([result, text, "yes" if holds else "", taker, other, source])
    return ["taker has", "option", "here", "taker writes", "opponent writes", "source"], rows


def settlement_note(rules: Any) -> str:
    """Return the sentence above the table of settlements."""
    return (
        "A seat's points are those of the cards it won, the last trick, its declarations and its pair. A match "
        f"goes to {rules.target}: after a deal the higher total of at least as much wins, equal totals play on."
    )
