"""The lengths that tell the records of variants apart."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Shape:
    """The lengths that tell the records of variants apart.

    Attributes:
        seats: number of seats.
    """

    seats: int

    @property
    def packs(self) -> int:
        """Copies of every card."""
        return 1

    @property
    def deck(self) -> int:
        """Cards of the whole pack."""
        return 32
