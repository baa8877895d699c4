"""What the exact solver asks about the games of each family; the choice falls while compiling, by the record.

A new family adds its module to :data:`PLACES`, with the functions ``hears``, ``knows_all``, ``forget`` and
``deal_again``.
"""

from __future__ import annotations

from typing import Any

from agents.exact import belote, bezique
from bezique_env.engine.dispatch import by_family
from bezique_env.engine.engine import Engine

PLACES: dict[str, Any] = {"bezique": bezique, "belote": belote}
"""The module of each family of :data:`bezique_env.rules.families.FAMILIES`, by its id."""


def _own(engine: Engine, name: str) -> Any:
    return getattr(PLACES[engine.family], name)


_by_family = by_family(_own)


@_by_family
def hears(g, action):
    """Whether the seat that is not to act notices an action of a state as such."""


@_by_family
def knows_all(v):
    """Whether a view determines the other hand, and with it everything that is still to come."""


@_by_family
def forget(g, rules):
    """Clear what has no influence on the rest of a game in which nothing is hidden; return the points set aside."""


@_by_family
def deal_again(g):
    """Let a hand that is annulled be dealt again, although the deck of the first one was set from outside."""
