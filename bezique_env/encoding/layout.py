"""The layout of an observation: which named field stands where in the float32 row of a variant.

The row of a seat holds what the seat may know, itself first (``own``), the other seat second (``opp``).
Fields that mean the same have the same name in every layout. Tables in docs/ are generated from here.
"""

from __future__ import annotations

import hashlib
from collections import namedtuple
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

Spec = Sequence[tuple[str, int, str, float, float, str]]
"""Fields in the order of the row: name, size, unit, low, high, meaning."""


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
    """

    shape: Any
    fields: tuple[Field, ...]
    size: int
    hash: str
    score_scale: int
    at: Any = field(repr=False, compare=False)


def make_layout(name: str, shape: Any, spec: Spec, score_scale: int) -> Layout:
    """Return the layout of a list of fields; ``name`` tells its named tuple from the others."""
    fields, start = [], 0
    for title, size, unit, low, high, meaning in spec:
        fields.append(Field(title, start, start + size, unit, low, high, meaning))
        start += size
    kind = namedtuple(name, [f.name for f in fields])  # type: ignore[misc]
    digest = hashlib.sha256(repr(spec).encode()).hexdigest()[:12]
    return Layout(shape, tuple(fields), start, digest, score_scale, kind(*(f.start for f in fields)))
