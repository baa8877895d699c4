"""Cards of the 32-card piquet pack: numbers and texts.

A card id is ``8 * suit + rank`` with suits in the order S H D C. The order of the ranks belongs to the family
(:class:`CardSet`): 7 8 9 J Q K T A by strength in Bezique, 7 8 9 T J Q K A in Belote, where strength depends
on trump (T is the ten).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

import numpy as np

SUITS = "SHDC"
NUM_CARDS = 32
"""Kinds of card in one pack."""

SPADES, HEARTS, DIAMONDS, CLUBS = range(4)
NO_CARD = 255
"""The card id that stands for "none" or "hidden" in records."""
NO_SUIT = 4
"""The suit number that stands for "no trump fixed"."""


class CardSet:
    """The cards of a family: ranks in the order of the ids, and the texts made of them.

    Attributes:
        ranks: rank letters by number.
        texts: card texts by id.
    """

    def __init__(self, ranks: str) -> None:
        """Number the cards of the ranks in every suit."""
        self.ranks = ranks
        self.texts: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in ranks)
        self._ids = {text: number for number, text in enumerate(self.texts)}

    def text(self, card: int) -> str:
        """Return the text of a card id, ``"KS"`` for the king of spades.

        Raises:
            ValueError: the id is outside 0..31.
        """
        if not 0 <= card < len(self.texts):
            raise ValueError(f"card id {card} is outside 0..{len(self.texts) - 1}")
        return self.texts[card]

    def id(self, text: str) -> int:
        """Return the id of a card text.

        Raises:
            ValueError: no card has this text; the message names the nearest spelling.
        """
        found = self._ids.get(text)
        if found is None:
            swapped = str(text)[::-1].upper()
            near = (
                [swapped]
                if swapped in self._ids
                else difflib.get_close_matches(str(text).upper(), self.texts, 1)
            )
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise ValueError(
                f"unknown card {text!r}: rank one of {' '.join(self.ranks[::-1])}, then suit one of S H D C{hint}"
            )
        return found

    def listed(self, counts: Any) -> list[str]:
        """Return the card texts of a row of 32 counts, by card id, copies repeated."""
        return [self.texts[card] for card in np.flatnonzero(counts) for _ in range(int(counts[card]))]

    def of_mask(self, mask: int) -> list[str]:
        """Return the card texts of a bit mask of ids, by card id."""
        return [text for card, text in enumerate(self.texts) if int(mask) >> card & 1]

    def mask(self, cards: Iterable[int]) -> int:
        """Return the bit mask of card ids."""
        return sum(1 << card for card in set(cards))
