"""Finding rules: variants, presets, overrides, and the refusal of whatever does not fit."""

from __future__ import annotations

import difflib
import hashlib
import json
import types
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, get_args, get_origin

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from bezique_env.rules import index as ix
from bezique_env.rules.bezique import (
    NUMBERS,
    OPTION_PLACES,
    PRESETS,
    SCORES,
    BeziqueOptions,
    conflict,
)


class RulesError(ValueError):
    """An unknown variant, preset or option, or values that cannot stand together."""


@dataclass(frozen=True)
class PresetInfo:
    """One preset: its title, its option values (all of them), its sources and what is not modelled."""

    name: str
    title: str
    values: dict[str, Any]
    sources: tuple[str, ...]
    status: str = "complete"
    not_modelled: tuple[str, ...] = ()


@dataclass(frozen=True)
class VariantInfo:
    """One variant: id, title, number of seats, presets by name and the first of them."""

    id: str
    title: str
    seats: int
    presets: dict[str, PresetInfo]
    default_preset: str


@dataclass(frozen=True)
class FieldInfo:
    """One option: name, allowed values as text and as a tuple (None for a range), default, source, meaning."""

    name: str
    type_text: str
    allowed: tuple[Any, ...] | None
    default: Any
    source: str
    meaning: str


@dataclass(frozen=True)
class BeziqueRules:
    """Resolved rules of one game: immutable, comparable, with the numbers for the kernels.

    Attributes:
        variant: id of the variant.
        preset: name of the preset the options start from.
        overrides: options that differ from the preset, by name.
        options: every option, validated.
        vector: read-only ``int64`` array for the kernels, see :mod:`bezique_env.rules.index`.
        hash: twelve hex digits that change whenever a rule changes.
    """

    variant: str
    preset: str
    overrides: Mapping[str, Any]
    options: BeziqueOptions
    vector: NDArray[np.int64] = field(repr=False, compare=False)
    hash: str = field(compare=False)

    def __getattr__(self, name: str) -> Any:
        """Options read as attributes: ``rules.target``."""
        if name.startswith("__") or name == "options":
            raise AttributeError(name)
        try:
            return getattr(self.options, name)
        except AttributeError:
            raise AttributeError(f"rules have no option {name!r}{nearest(name, option_names())}") from None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by name, so that a loaded game cannot carry other numbers than the installed rules."""
        return get_rules, (self.variant, self.preset, dict(self.overrides))

    def __deepcopy__(self, memo: Any) -> BeziqueRules:
        """Immutable, so a copy is the same object."""
        return self

    def to_dict(self) -> dict[str, Any]:
        """Return ``{"preset": ..., "overrides": {...}}`` as it stands in records."""
        return {"preset": self.preset, "overrides": dict(self.overrides)}


_VARIANT_DATA: dict[str, tuple[str, int, dict[str, dict[str, Any]]]] = {
    "two_pack": ("Two-pack Bezique", 2, PRESETS),
}
"""Variants: id -> (title, seats, presets). The list that a new member of the family extends."""


def nearest(name: Any, known: Iterable[str]) -> str:
    """Return ``; did you mean 'x'?`` for the nearest known name, or an empty text."""
    found = difflib.get_close_matches(str(name), list(known), 1, 0.5)
    return f"; did you mean {found[0]!r}?" if found else ""


def option_names() -> list[str]:
    """Return the names of all options."""
    return list(BeziqueOptions.model_fields)


def variants() -> dict[str, VariantInfo]:
    """Return every variant by id."""
    result = {}
    for name, (title, seats, presets) in _VARIANT_DATA.items():
        infos = {}
        for preset, data in presets.items():
            values = BeziqueOptions(**data["values"]).model_dump()
            infos[preset] = PresetInfo(preset, data["title"], values, tuple(data["sources"]))
        result[name] = VariantInfo(name, title, seats, infos, next(iter(presets)))
    return result


def _literal(annotation: Any) -> tuple[Any, ...] | None:
    if get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    return get_args(annotation) if get_origin(annotation) is Literal else None


def fields(variant: str) -> list[FieldInfo]:
    """Return every option of a variant with allowed values, default, source and meaning.

    Raises:
        RulesError: the variant is unknown.
    """
    _variant(variant)
    result = []
    for name, info in BeziqueOptions.model_fields.items():
        allowed = _literal(info.annotation)
        extra = info.json_schema_extra
        source = str(extra["source"]) if isinstance(extra, dict) else ""
        if allowed is not None:
            text = " | ".join(str(value) for value in allowed)
        elif name == "target":
            text = "a multiple of 10 in 100..100000"
        else:
            text = "0 (off) to 100000"
        result.append(FieldInfo(name, text, allowed, info.default, source, info.description or ""))
    return result


def _variant(variant: str) -> tuple[str, int, dict[str, dict[str, Any]]]:
    if variant not in _VARIANT_DATA:
        raise RulesError(
            f"unknown variant {variant!r}: known are {', '.join(_VARIANT_DATA)}{nearest(variant, _VARIANT_DATA)}"
        )
    return _VARIANT_DATA[variant]


def get_rules(
    variant: str = "two_pack", preset: str | None = None, overrides: Mapping[str, Any] | None = None
) -> BeziqueRules:
    """Return the rules of a preset with some options changed.

    Args:
        variant: id of the variant.
        preset: name of the preset; None takes the variant's first.
        overrides: option values that replace the preset's.

    Raises:
        RulesError: unknown variant, preset or option, a value that is not allowed, or options that cannot
            stand together; the message names the option, the allowed values and the nearest spelling.
    """
    _, _, presets = _variant(variant)
    name = next(iter(presets)) if preset is None else preset
    if name not in presets:
        raise RulesError(
            f"unknown preset {name!r} of {variant}: known are {', '.join(presets)}{nearest(name, presets)}"
        )
    given = dict(overrides or {})
    infos = {info.name: info for info in fields(variant)}
    for option in given:
        if option not in infos:
            raise RulesError(
                f"unknown option {option!r} of {variant}{nearest(option, infos)} (known: {', '.join(infos)})"
            )
    base = BeziqueOptions(**presets[name]["values"])
    try:
        options = BeziqueOptions(**{**base.model_dump(), **given})
    except ValidationError as error:
        first = error.errors()[0]
        option = str(first["loc"][0])
        found = given.get(option)
        allowed = infos[option].allowed
        hint = nearest(found, [str(value) for value in allowed]) if allowed else ""
        raise RulesError(
            f"{option}: {found!r} is not allowed: it must be {infos[option].type_text}{hint}"
        ) from None
    problem = conflict(options)
    if problem is not None:
        raise RulesError(problem)
    changed = {k: v for k, v in options.model_dump().items() if v != getattr(base, k)}
    vector = _vector(options)
    digest = hashlib.sha256(json.dumps([variant, vector.tolist(), options.meld_groups]).encode()).hexdigest()[
        :12
    ]
    return BeziqueRules(variant, name, types.MappingProxyType(changed), options, vector, digest)


def _vector(options: BeziqueOptions) -> NDArray[np.int64]:
    vector = np.zeros(ix.SIZE, np.int64)
    vector[ix.PACKS] = 2
    vector[ix.HAND_SIZE] = 8
    for place, (points, _) in SCORES.items():
        vector[place] = points
    for option, place in OPTION_PLACES.items():
        value = getattr(options, option)
        if option not in NUMBERS:
            allowed = _literal(BeziqueOptions.model_fields[option].annotation)
            assert allowed is not None
            value = allowed.index(value)
        vector[place] = value
    vector.flags.writeable = False
    return vector


def settle(
    rules: BeziqueRules, scores: tuple[int, int], brisques: tuple[int, int] | None = None
) -> tuple[int, int]:
    """Return what the game pays each seat for final scores.

    Two-pack Bezique pays one game, two where the winner reached the target and the loser stayed under
    ``double_win_under`` (SAARI 20, FINN 16); equal scores pay nothing.

    Args:
        rules: the rules of the game.
        scores: final points of both seats.
        brisques: aces and tens won; two-pack games do not need them.
    """
    first, second = scores
    if first == second:
        return 0, 0
    high, low = max(first, second), min(first, second)
    pays = 2 if high >= rules.target and low < rules.double_win_under else 1
    return (pays, -pays) if first > second else (-pays, pays)
