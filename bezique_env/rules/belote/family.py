"""The Belote family."""

from __future__ import annotations

from bezique_env.rules.belote import index as ix
from bezique_env.rules.belote.cards import CARDS, pack_numbers
from bezique_env.rules.belote.limits import limits
from bezique_env.rules.belote.options import NUMBERS, OPTION_PLACES, SOURCES, BeloteOptions, conflict
from bezique_env.rules.belote.settlement import settle
from bezique_env.rules.belote.tables import settlement_note, settlement_rows, value_text
from bezique_env.rules.belote.variants import VARIANTS
from bezique_env.rules.family import Family

BELOTE = Family(
    name="belote",
    title="Belote",
    cards=CARDS,
    options=BeloteOptions,
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
)
