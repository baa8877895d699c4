"""The lengths that tell the records of variants apart."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Shape:
    """The lengths that tell the records of variants apart.

    Attributes:
        packs: copies of every card.
        slots: places on a seat's table.
        reform: whether melds may be scored again after a card of theirs was played; only then is kept which
            scored melds are intact.
        kinds: the most cards of one pack.
    """

    packs: int
    slots: int
    reform: bool
    kinds: int = 32

    @property
    def deck(self) -> int:
        """The most cards that all packs together have."""
        return self.kinds * self.packs

    @property
    def share(self) -> int:
        """The most places of the deck that one seat can receive."""
        return self.deck // 2

    @property
    def hand(self) -> int:
        """The most cards that a seat has at once, those included that it may play from its table."""
        return self.slots if self.reform else min(self.slots, 8)

    @property
    def told(self) -> int:
        """Length of the log of what was seen of one seat's cards: a byte a card, and room for the rest."""
        return 24 * self.packs + (48 if self.packs == 2 else 16)
