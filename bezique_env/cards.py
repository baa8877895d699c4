"""Cards of the 32-card piquet pack: numbers and texts.

A card id is ``8 * suit + rank`` with suits in the order S H D C. Ranks of the Bezique family stand in
the order of their strength: 7 8 9 J Q K T A (T is the ten).
"""

from __future__ import annotations

import difflib

SUITS = "SHDC"
RANKS = "789JQKTA"
NUM_CARDS = 32
"""Kinds of card in one pack."""

SEVEN, EIGHT, NINE, JACK, QUEEN, KING, TEN, ACE = range(8)
SPADES, HEARTS, DIAMONDS, CLUBS = range(4)
NO_CARD = 255
"""The card id that stands for "none" or "hidden" in records."""
NO_SUIT = 4
"""The suit number that stands for "no trump fixed"."""

CARD_TEXTS: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
_IDS = {text: number for number, text in enumerate(CARD_TEXTS)}


def card_text(card: int) -> str:
    """Return the text of a card id, ``"KS"`` for the king of spades.

    Raises:
        ValueError: the id is outside 0..31.
    """
    if not 0 <= card < NUM_CARDS:
        raise ValueError(f"card id {card} is outside 0..{NUM_CARDS - 1}")
    return CARD_TEXTS[card]


def card_id(text: str) -> int:
    """Return the id of a card text.

    Raises:
        ValueError: no card has this text; the message names the nearest spelling.
    """
    found = _IDS.get(text)
    if found is None:
        swapped = str(text)[::-1].upper()
        near = [swapped] if swapped in _IDS else difflib.get_close_matches(str(text).upper(), CARD_TEXTS, 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise ValueError(
            f"unknown card {text!r}: rank one of {' '.join(RANKS[::-1])}, then suit one of S H D C{hint}"
        )
    return found
