"""The lengths that tell the records of variants apart."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Shape:
    """The lengths that tell the records of variants apart.

    Attributes:
        seats: number of seats.
        kinds: the most cards of the pack.
    """

    seats: int
    kinds: int = 32

    @property
    def packs(self) -> int:
        """Copies of every card."""
        return 1

    @property
    def deck(self) -> int:
        """The most cards of the pack."""
        return self.kinds

    @property
    def hand(self) -> int:
        """The most cards that are dealt to a seat."""
        return 9
