"""The Bezique family."""

from __future__ import annotations

from bezique_env.rules.bezique import index as ix
from bezique_env.rules.bezique.cards import CARDS, pack_numbers
from bezique_env.rules.bezique.limits import limits
from bezique_env.rules.bezique.options import NUMBERS, OPTION_PLACES, SOURCES, BeziqueOptions, conflict
from bezique_env.rules.bezique.settlement import settle
from bezique_env.rules.bezique.tables import score_text, settlement_note, settlement_rows, value_text
from bezique_env.rules.bezique.variants import VARIANTS
from bezique_env.rules.family import Family

BEZIQUE = Family(
    name="bezique",
    title="Bezique",
    cards=CARDS,
    options=BeziqueOptions,
    sources=SOURCES,
    size=ix.SIZE,
    packs_place=ix.PACKS,
    pack_numbers=pack_numbers,
    hashed=ix.KINDS,
    places=OPTION_PLACES,
    numbers=frozenset(NUMBERS),
    variants=VARIANTS,
    settle=settle,
    settlement_rows=settlement_rows,
    settlement_note=settlement_note,
    limits=limits,
    conflict=conflict,
    value_text=value_text,
    score_text=score_text,
)
