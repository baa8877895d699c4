"""Observations: named fields of a view in one flat float32 row, one layout for each variant."""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray

from bezique_env.encoding.encoders import ENCODERS
from bezique_env.encoding.layout import Field, Layout
from bezique_env.rules import get_rules

__all__ = [
    "Field",
    "Layout",
    "layout",
    "layout_hash",
    "observation_fields",
    "observation_size",
    "other_columns",
    "suit_columns",
]


@functools.cache
def layout(variant: str) -> Layout:
    """Return the layout of a variant's observation.

    Raises:
        RulesError: the variant is unknown (a ``ValueError``).
    """
    rules = get_rules(variant)
    return ENCODERS[rules.family.name].layout_of(rules.shape)


def observation_fields(variant: str) -> list[Field]:
    """Return the named fields of a variant's observation, in the order of the row."""
    return list(layout(variant).fields)


def observation_size(variant: str) -> int:
    """Return the number of floats in an observation of a variant."""
    return layout(variant).size


def layout_hash(variant: str) -> str:
    """Return twelve hex digits that change whenever the layout of a variant changes."""
    return layout(variant).hash


def suit_columns(variant: str) -> NDArray[np.int64]:
    """Return which numbers of an observation tell of each suit, int64 [4, D], read-only.

    Suits stand in the order S H D C. A column of the result holds four places of the row with the same meaning, one
    for each suit: give the cards other suits, and the numbers change places within the columns. What tells of suits
    in another form (the codes of cards in ``slots`` and ``selection``) is not among them.

    Raises:
        RulesError: the variant is unknown (a ``ValueError``).
    """
    return layout(variant).suit_columns


def other_columns(variant: str) -> NDArray[np.int64]:
    """Return the numbers of an observation that :func:`suit_columns` leaves out, int64 [size - 4 * D], ascending.

    Raises:
        RulesError: the variant is unknown (a ``ValueError``).
    """
    return layout(variant).other_columns
