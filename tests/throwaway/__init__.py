"""A whole family of games outside of the library, as docs/add_a_variant.md describes one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from bezique_env.encoding.encoders import ENCODERS
from bezique_env.engine.engines import ENGINES
from bezique_env.faces.faces import FACES
from bezique_env.render.renderers import RENDERERS
from bezique_env.rules.families import FAMILIES


@contextmanager
def installed() -> Iterator[None]:
    """Add the family to the lists that name every family, and take it out again."""
    from tests.throwaway.encoding import ENCODER
    from tests.throwaway.engine import ENGINE
    from tests.throwaway.face import FACE
    from tests.throwaway.render import RENDERER
    from tests.throwaway.rules import FAMILY

    FAMILIES.append(FAMILY)
    ENGINES.append(ENGINE)
    ENCODERS[FAMILY.name] = ENCODER
    FACES.append(FACE)
    RENDERERS[FAMILY.name] = RENDERER
    try:
        yield
    finally:
        FAMILIES.remove(FAMILY)
        ENGINES.remove(ENGINE)
        del ENCODERS[FAMILY.name]
        FACES.remove(FACE)
        del RENDERERS[FAMILY.name]
