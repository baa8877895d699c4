"""What the exact solver asks about the games of each family; the choice falls while compiling, by the record.

A new family adds its module to :data:`PLACES`, with the functions ``hears``, ``knows_all``, ``forget`` and
``deal_again``.
"""

from __future__ import annotations

from typing import Any

from numba.extending import overload

from agents.exact import belote, bezique
from bezique_env.engine.engines import engine_of_fields

PLACES: dict[str, Any] = {"bezique": bezique, "belote": belote}
"""The module of each family of :data:`bezique_env.rules.families.FAMILIES`, by its id."""
_OPTIONS = {"nogil": True, "no_cpython_wrapper": True}


def _own(name: str, record: Any) -> Any:
    fields = record.fields if hasattr(record, "fields") else record.dtype.fields
    return getattr(PLACES[engine_of_fields(fields).family], name)


def hears(g, action):
    """Whether the seat that is not to act notices an action of a state as such."""
    return _own("hears", g)(g, action)


@overload(hears, jit_options=_OPTIONS)
def _hears(g, action):
    own = _own("hears", g)

    def chosen(g, action):
        return own(g, action)

    return chosen


def knows_all(v):
    """Whether a view determines the other hand, and with it everything that is still to come."""
    return _own("knows_all", v)(v)


@overload(knows_all, jit_options=_OPTIONS)
def _knows_all(v):
    own = _own("knows_all", v)

    def chosen(v):
        return own(v)

    return chosen


def forget(g, rules):
    """Clear what has no influence on the rest of a game in which nothing is hidden; return the points set aside."""
    return _own("forget", g)(g, rules)


@overload(forget, jit_options=_OPTIONS)
def _forget(g, rules):
    own = _own("forget", g)

    def chosen(g, rules):
        return own(g, rules)

    return chosen


def deal_again(g):
    """Let a hand that is annulled be dealt again, although the deck of the first one was set from outside."""
    _own("deal_again", g)(g)


@overload(deal_again, jit_options=_OPTIONS)
def _deal_again(g):
    own = _own("deal_again", g)

    def chosen(g):
        own(g)

    return chosen
