"""A whole family of games outside of the library, as docs/add_a_variant.md describes one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from agents.scripted.greedy import PLAYERS
from bezique_env.encoding.encoders import ENCODERS
from bezique_env.engine.engines import ENGINES
from bezique_env.faces.faces import FACES
from bezique_env.render.renderers import RENDERERS
from bezique_env.rules.families import FAMILIES
from experiments.talk.talks import TALKS


@contextmanager
def installed() -> Iterator[None]:
    """Add the family to the lists that name every family, and take it out again."""
    from tests.throwaway import encoding, engine, face, greedy, render, rules, talk

    name = rules.FAMILY.name
    FAMILIES.append(rules.FAMILY)
    ENGINES.append(engine.ENGINE)
    ENCODERS[name] = encoding.ENCODER
    FACES.append(face.FACE)
    RENDERERS[name] = render.RENDERER
    PLAYERS[name] = greedy.choose
    TALKS[name] = talk.DuelTalk
    try:
        yield
    finally:
        FAMILIES.remove(rules.FAMILY)
        ENGINES.remove(engine.ENGINE)
        FACES.remove(face.FACE)
        for entries in (ENCODERS, RENDERERS, PLAYERS, TALKS):
            del entries[name]
