"""The readable sides of the families: the list that a new family extends."""

from __future__ import annotations

from bezique_env.faces.belote.face import BeloteFace
from bezique_env.faces.bezique.face import BeziqueFace
from bezique_env.faces.face import Face
from bezique_env.rules.families import family_of

FACES: list[Face] = [BeziqueFace(), BeloteFace()]
"""Every face, one for each family of :data:`bezique_env.rules.families.FAMILIES`."""


def face_of(variant: str) -> Face:
    """Return the readable side of a variant's family.

    Raises:
        KeyError: no family has a variant of this id.
        LookupError: its family has none.
    """
    name = family_of(variant).name
    for face in FACES:
        if face.family == name:
            return face
    raise LookupError(f"the family {name!r} has no face: add it to bezique_env.faces.faces.FACES")
