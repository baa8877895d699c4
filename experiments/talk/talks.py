"""The narrators of the families: the list that a new family extends."""

from __future__ import annotations

from bezique_env.rules.families import family_of
from experiments.talk.belote import BeloteTalk
from experiments.talk.bezique import BeziqueTalk
from experiments.talk.talk import Talk

TALKS: dict[str, type[Talk]] = {"bezique": BeziqueTalk, "belote": BeloteTalk}
"""The narrator of each family of :data:`bezique_env.rules.families.FAMILIES`, by its id."""


def talk_of(variant: str) -> type[Talk]:
    """Return the narrator of a variant.

    Raises:
        KeyError: no family has a variant of this id.
        LookupError: its family has none.
    """
    name = family_of(variant).name
    if name not in TALKS:
        raise LookupError(f"the family {name!r} has no narrator: add it to experiments.talk.talks.TALKS")
    return TALKS[name]
