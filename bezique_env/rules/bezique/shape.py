"""The lengths that tell the records of variants apart."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Shape:
    """The lengths that tell the records of variants apart.

    Attributes:
        packs: packs of 32 cards.
        slots: places on a seat's table.
        reform: whether melds may be scored again after a card of theirs was played; only then is kept which
            scored melds are intact.
    """

    packs: int
    slots: int
    reform: bool

    @property
    def deck(self) -> int:
        """Cards of the whole pack."""
        return 32 * self.packs

    @property
    def share(self) -> int:
        """The most places of the deck that one seat can receive."""
        return 16 * self.packs

    @property
    def told(self) -> int:
        """Length of the log of what was seen of one seat's cards: a byte a card, and room for the rest."""
        return 24 * self.packs + (48 if self.packs == 2 else 16)
