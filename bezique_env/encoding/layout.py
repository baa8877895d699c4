"""The layout of an observation: which named field stands where in the float32 row of a variant.

The row of a seat holds what the seat may know, itself first (``own``), the other seat second (``opp``).
Fields that mean the same have the same name in every layout. Tables in docs/ are generated from here.
"""

from __future__ import annotations

import hashlib
from collections import namedtuple
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

SUITS = 4

Spec = Sequence[tuple[str, int, str, float, float, str]]
"""Fields in the order of the row: name, size, unit, low, high, meaning."""
Suited = Mapping[str, tuple[Sequence[int], int]]
"""What of a field stands there once for every suit: the places about spades, from its start, and the step to the
next suit. A field that is not named, and what a named one has besides, tells nothing suit by suit."""
BY_CARD = (tuple(range(8)), 8)
"""A number for every card id."""
ONE_CARD = ((8,), 1)
"""One-hot rank, then suit."""
ONE_SUIT = ((0,), 1)
"""One-hot suit."""


@dataclass(frozen=True)
class Field:
    """One named piece of the observation: ``row[start:stop]``, its unit, range and meaning."""

    name: str
    start: int
    stop: int
    unit: str
    low: float
    high: float
    meaning: str


@dataclass(frozen=True)
class Layout:
    """The fields of a variant's observation.

    Attributes:
        shape: the lengths of the records that the row is made from.
        fields: every field in the order of the row.
        size: numbers in the row.
        hash: changes whenever the layout changes; checkpoints carry it.
        score_scale: points that stand for 1.0.
        at: named tuple of the start of every field, for the kernels.
        suit_columns: int64 [4, D], the numbers about each suit, which mean the same in the same order.
        other_columns: int64 [size - 4 * D], the other numbers, ascending.
    """

    shape: Any
    fields: tuple[Field, ...]
    size: int
    hash: str
    score_scale: int
    at: Any = field(repr=False, compare=False)
    suit_columns: NDArray[np.int64] = field(repr=False, compare=False)
    other_columns: NDArray[np.int64] = field(repr=False, compare=False)


def make_layout(
    name: str, shape: Any, spec: Spec, score_scale: int, suited: Suited = MappingProxyType({})
) -> Layout:
    """Return the layout of a list of fields.

    Args:
        name: tells its named tuple from the others.
        shape: the lengths of the records that the row is made from.
        spec: the fields.
        score_scale: points that stand for 1.0.
        suited: what of the fields stands there once for every suit; names that are no fields are passed over.
    """
    fields, start = [], 0
    for title, size, unit, low, high, meaning in spec:
        fields.append(Field(title, start, start + size, unit, low, high, meaning))
        start += size
    kind = namedtuple(name, [f.name for f in fields])  # type: ignore[misc]
    digest = hashlib.sha256(repr(spec).encode()).hexdigest()[:12]
    spades = [
        (f.start + place, step)
        for f in fields
        for places, step in [suited.get(f.name, ((), 0))]
        for place in places
    ]
    columns = np.array([[place + step * suit for place, step in spades] for suit in range(SUITS)], np.int64)
    others = np.setdiff1d(np.arange(start), columns)
    for array in (columns, others):
        array.flags.writeable = False  # every caller has the same ones
    starts = kind(*(f.start for f in fields))
    return Layout(shape, tuple(fields), start, digest, score_scale, starts, columns, others)
