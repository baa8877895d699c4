"""The engines of the families: the list that a new family extends."""

from __future__ import annotations

from collections.abc import Iterable

from bezique_env.engine.belote.engine import BELOTE
from bezique_env.engine.bezique.engine import BEZIQUE
from bezique_env.engine.engine import Engine
from bezique_env.rules.families import family_of

ENGINES: list[Engine] = [BEZIQUE, BELOTE]
"""Every engine, one for each family of :data:`bezique_env.rules.families.FAMILIES`."""


def engine_of(variant: str) -> Engine:
    """Return the engine that plays a variant.

    Raises:
        KeyError: no family has a variant of this id.
        LookupError: its family has no engine.
    """
    name = family_of(variant).name
    for engine in ENGINES:
        if engine.family == name:
            return engine
    raise LookupError(f"the family {name!r} has no engine: add it to bezique_env.engine.engines.ENGINES")


def engine_of_fields(fields: Iterable[str]) -> Engine:
    """Return the engine whose records, states and views alike, have these fields.

    Raises:
        LookupError: no family's have.
    """
    names = set(fields)
    for engine in ENGINES:
        if engine.mark in names:
            return engine
    raise LookupError(f"no family has records with the fields {', '.join(sorted(names))}")
