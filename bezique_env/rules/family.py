"""What a family of games and one member of it are, as data.

A family has one list of options, one vector of numbers for its kernels and one set of cards; its members
(:class:`Variant`) differ by data alone. :mod:`bezique_env.rules.families` lists the families.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from bezique_env.cards import SUITS, CardSet

Table = tuple[list[str], list[list[str]]]
"""Headers and rows, all text."""
Vector = NDArray[np.int64]
"""The numbers of rules."""


@dataclass(frozen=True)
class Limits:
    """What a deal cannot exceed under some rules; the true maxima may be lower.

    Attributes:
        decisions: decisions of a deal that is played.
        annulled: decisions of a hand that is annulled and dealt again; 0 where none is.
        points: how far one seat can be ahead of the other.
        payment: what the settlement pays.
        wins: what a win counts, doubled where the rules double.
    """

    decisions: int
    annulled: int
    points: int
    payment: int
    wins: int


class Lengths(Protocol):
    """The lengths that tell the records of variants apart; families add their own."""

    @property
    def packs(self) -> int:
        """Copies of every card."""

    @property
    def deck(self) -> int:
        """The most cards that all packs together have."""

    @property
    def hand(self) -> int:
        """The most cards that are dealt to a seat."""


@dataclass(frozen=True)
class Pack:
    """The cards that a game is played with, and how many a seat has of them.

    Attributes:
        hand: cards dealt to a seat.
        ranks: letters of the ranks in one pack, in any order; empty: all of the family.
        suits: letters of the suits in one pack; empty: all.
    """

    hand: int
    ranks: str = ""
    suits: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether no rank and no suit is left out."""
        return not self.ranks and not self.suits

    def kinds(self, cards: CardSet) -> tuple[int, ...]:
        """Return the ids of the cards of one pack, ascending."""
        ranks, suits = self.ranks or cards.ranks, self.suits or SUITS
        return tuple(card for card, text in enumerate(cards.texts) if text[0] in ranks and text[1] in suits)


@dataclass(frozen=True)
class Variant:
    """One member of a family.

    Attributes:
        title: its name.
        pack: what it is played with.
        shape: the lengths of its records, of which its kernels are made.
        scores: points, by place in the vector, with the name of what scores them.
        presets: by name, the default first: ``title``, ``sources``, ``values`` (what differs from the
            defaults of the variant) and, where something is left out, ``not_modelled``; ``pack`` where the
            preset is played with fewer cards than the variant's records have room for.
        defaults: defaults of options that differ from those of the family's options.
        narrowed: the values that options may take where these are not all.
        fixed: options that mean nothing here, with the values that the engine reads.
        example: arguments that change an option, as written in a call of ``env``.
        seats: number of seats.
    """

    title: str
    pack: Pack
    shape: Any
    scores: Mapping[int, tuple[int, str]]
    presets: Mapping[str, Mapping[str, Any]]
    defaults: Mapping[str, Any] = field(default_factory=dict)
    narrowed: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)
    example: str = ""
    seats: int = 2


def score_pair(name: str, values: Sequence[int]) -> tuple[int, int]:
    """Return two whole numbers that are not negative."""
    try:
        found = tuple(operator.index(value) for value in values)
    except TypeError:
        found = ()
    if len(found) != 2 or any(value < 0 for value in found):
        raise ValueError(f"{name}: {values!r} must be two whole numbers of 0 or more, one a seat")
    return found[0], found[1]


def _plain_text(option: str, value: Any) -> str:
    """Return a value as it is written in YAML."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _no_conflict(options: Any) -> str | None:
    """Every combination is possible."""
    return None


@dataclass(frozen=True)
class Family:
    """Games that share options, cards, actions and kernels.

    Attributes:
        name: id of the family; the engine, the encodings and the faces of games are looked up by it.
        title: its name.
        cards: its cards, in the order of their ids.
        options: the model of all options; its defaults are those of the family.
        sources: key and title of every source.
        size: length of the rules vector.
        packs_place: place of the packs in the vector.
        pack_numbers: what the vector says of a pack, by place: the hand size, and which cards there are.
        places: where each option stands in the vector.
        numbers: options that stand in the vector as themselves; of the others the place among the values
            allowed stands there.
        variants: the members by id; a new member is one entry more.
        settle: what a game or deal pays for final scores; see :func:`bezique_env.rules.settle`.
        settlement_rows: the table of what is paid under given rules.
        settlement_note: a sentence above that table, for given rules.
        limits: what a deal under given numbers cannot exceed.
        hashed: how many places of the vector, from the first, tell rules apart where no card is left out of
            the pack; None: all.
        conflict: what makes a combination of options impossible, None when it is possible.
        value_text: an option value as text.
        score_text: the points of a place of the vector as text.
    """

    name: str
    title: str
    cards: CardSet
    options: type[BaseModel]
    sources: Mapping[str, str]
    size: int
    packs_place: int
    pack_numbers: Callable[[CardSet, Pack], Mapping[int, int]]
    places: Mapping[str, int]
    numbers: frozenset[str]
    variants: dict[str, Variant]
    settle: Callable[..., tuple[int, int]]
    settlement_rows: Callable[[Any], Table]
    settlement_note: Callable[[Any], str]
    limits: Callable[[Vector], Limits]
    hashed: int | None = None
    conflict: Callable[[Any], str | None] = _no_conflict
    value_text: Callable[[str, Any], str] = _plain_text
    score_text: Callable[[int, int], str] = lambda place, points: str(points)
