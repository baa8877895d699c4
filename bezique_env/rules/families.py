"""The families of games: the list that a new family extends."""

from __future__ import annotations

from bezique_env.rules.belote.family import BELOTE
from bezique_env.rules.bezique.family import BEZIQUE
from bezique_env.rules.family import Family, Variant

FAMILIES: list[Family] = [BEZIQUE, BELOTE]
"""Every family; variants are found in this order."""


def all_variants() -> dict[str, Variant]:
    """Return every variant of every family by id."""
    return {name: variant for family in FAMILIES for name, variant in family.variants.items()}


def family_of(variant: str) -> Family:
    """Return the family of a variant.

    Raises:
        KeyError: no family has a variant of this id.
    """
    for family in FAMILIES:
        if variant in family.variants:
            return family
    raise KeyError(variant)
