"""Observations: named fields of a view in one flat float32 row, one layout for each variant."""

from __future__ import annotations

import functools

from bezique_env.encoding.encoders import ENCODERS
from bezique_env.encoding.layout import Field, Layout
from bezique_env.rules import get_rules

__all__ = ["Field", "Layout", "layout", "layout_hash", "observation_fields", "observation_size"]


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
