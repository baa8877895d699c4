"""The rules of the throw-away family: eight cards each, follow suit, the higher card of the led suit takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from bezique_env.cards import CardSet
from bezique_env.rules.family import Family, Limits, Pack, Table, Variant, score_pair

CARDS = CardSet("789TJQKA")

# The places of the vector of rules, and what stands for the values of an option.
PACKS, HAND_SIZE, TARGET, CONCEDE, VALUE_TRICK, SIZE = range(6)
CONCEDE_OFF, CONCEDE_ON = 0, 1


@dataclass(frozen=True)
class Shape:
    """The lengths of the records: the same for every member."""

    packs: int = 1
    deck: int = 32
    hand: int = 8


def _off_on(value: Any) -> Any:
    """YAML writers mean off and on by false and true."""
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else value


class DuelOptions(BaseModel):
    """All options of the family."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    target: Annotated[int, Field(ge=1, le=10_000)] = Field(
        20,
        description="points that end a match",
        json_schema_extra={"source": "TEST", "allowed": "a whole number in 1..10000"},
    )
    concede: Annotated[Literal["off", "on"], BeforeValidator(_off_on)] = Field(
        "off",
        description="whether the seat to lead may give up the tricks that are left",
        json_schema_extra={"source": "TEST"},
    )


def settle(rules: Any, scores: Any) -> tuple[int, int]:
    """Return what a deal pays: its points."""
    return score_pair("scores", scores)


def settlement_rows(rules: Any) -> Table:
    """Return what a deal pays, as a table."""
    return ["result", "pays"], [["any", "a point for each trick"]]


VARIANTS = {
    "duel": Variant(
        title="Duel",
        pack=Pack(8),
        shape=Shape(),
        scores={VALUE_TRICK: (1, "trick")},
        example='rules="short", overrides={"target": 30}',
        presets={
            "plain": {"title": "every trick is played", "sources": ("TEST",), "values": {}},
            "short": {"title": "giving up is allowed", "sources": ("TEST",), "values": {"concede": "on"}},
        },
    )
}

FAMILY = Family(
    name="duels",
    title="Duels",
    cards=CARDS,
    options=DuelOptions,
    sources={"TEST": "made up for the tests"},
    size=SIZE,
    packs_place=PACKS,
    pack_numbers=lambda cards, pack: {HAND_SIZE: pack.hand},
    places={"target": TARGET, "concede": CONCEDE},
    numbers=frozenset({"target"}),
    variants=VARIANTS,
    settle=settle,
    settlement_rows=settlement_rows,
    settlement_note=lambda rules: f"A match goes to {rules.target}; equal totals play on.",
    limits=lambda vector: Limits(16, 0, 8 * int(vector[VALUE_TRICK]), 8 * int(vector[VALUE_TRICK]), 1),
)
