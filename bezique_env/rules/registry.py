"""Finding rules: variants, presets, overrides, and the refusal of whatever does not fit."""

from __future__ import annotations

import difflib
import functools
import hashlib
import json
import types
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, get_args, get_origin

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ValidationError

from bezique_env.cards import SUITS
from bezique_env.rules.families import FAMILIES, all_variants, family_of
from bezique_env.rules.family import Family, Pack, Variant


class RulesError(ValueError):
    """An unknown variant, preset or option, or values that cannot stand together."""


@dataclass(frozen=True)
class PresetInfo:
    """One preset: its title, the values of all options of the variant, its sources and what is not modelled."""

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
class Rules:
    """Resolved rules of one game: immutable, comparable, with the numbers for the kernels.

    Attributes:
        variant: id of the variant.
        preset: name of the preset the options start from.
        overrides: options that differ from the preset, by name.
        options: every option, validated.
        vector: read-only ``int64`` array for the kernels; its places are named in the family's ``index``.
        hash: twelve hex digits that change whenever a rule changes.
    """

    variant: str
    preset: str
    overrides: Mapping[str, Any]
    options: Any
    vector: NDArray[np.int64] = field(repr=False, compare=False)
    hash: str = field(compare=False)

    @property
    def family(self) -> Family:
        """The family of the variant."""
        return family_of(self.variant)

    @property
    def shape(self) -> Any:
        """The lengths of the records of a game (:class:`bezique_env.rules.family.Lengths`)."""
        return self.family.variants[self.variant].shape

    @property
    def hand_size(self) -> int:
        """Cards dealt to a seat."""
        return _pack(self.family.variants[self.variant], self.preset).hand

    @property
    def pack(self) -> NDArray[np.uint8]:
        """All cards that are dealt from, copies included: uint8 ids, ascending."""
        kinds = _pack(self.family.variants[self.variant], self.preset).kinds(self.family.cards)
        return np.repeat(np.array(kinds, np.uint8), self.shape.packs)

    def __getattr__(self, name: str) -> Any:
        """Options read as attributes: ``rules.target``."""
        if name.startswith("__") or name == "options":
            raise AttributeError(name)
        try:
            return getattr(self.options, name)
        except AttributeError:
            known = option_names(self.variant)
            raise AttributeError(f"rules have no option {name!r}{nearest(name, known)}") from None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by name, so that a loaded game cannot carry other numbers than the installed rules."""
        return get_rules, (self.variant, self.preset, dict(self.overrides))

    def __deepcopy__(self, memo: Any) -> Rules:
        """Immutable, so a copy is the same object."""
        return self

    def to_dict(self) -> dict[str, Any]:
        """Return ``{"preset": ..., "overrides": {...}}`` as it stands in records."""
        return {"preset": self.preset, "overrides": dict(self.overrides)}


def nearest(name: Any, known: Iterable[str]) -> str:
    """Return ``; did you mean 'x'?`` for the nearest known name, or an empty text."""
    found = difflib.get_close_matches(str(name), list(known), 1, 0.5)
    return f"; did you mean {found[0]!r}?" if found else ""


def option_names(variant: str | None = None) -> list[str]:
    """Return the names of all options of a variant's family; of every family without a variant."""
    families = FAMILIES if variant is None else [family_of(variant)]
    return list(dict.fromkeys(name for family in families for name in family.options.model_fields))


def variants() -> dict[str, VariantInfo]:
    """Return every variant by id."""
    result = {}
    for name, variant in all_variants().items():
        infos = {}
        for preset, data in variant.presets.items():
            options = _preset(family_of(name), variant, preset)
            values = {option: getattr(options, option) for option in _asked(family_of(name), variant)}
            infos[preset] = PresetInfo(
                preset,
                data["title"],
                values,
                tuple(data["sources"]),
                not_modelled=tuple(data.get("not_modelled", ())),
            )
        result[name] = VariantInfo(name, variant.title, variant.seats, infos, next(iter(variant.presets)))
    return result


def _asked(family: Family, variant: Variant) -> list[str]:
    """Return the names of the options that mean something in a variant."""
    return [name for name in family.options.model_fields if name not in variant.fixed]


def _pack(variant: Variant, preset: str) -> Pack:
    """Return what a preset is played with."""
    found: Pack = variant.presets[preset].get("pack", variant.pack)
    return found


def _check_pack(family: Family, variant: Variant, pack: Pack, where: str) -> None:
    """Refuse a pack that the records of a variant have no room for: the kernels would write behind them."""
    strange = [c for c in pack.ranks if c not in family.cards.ranks]
    strange += [c for c in pack.suits if c not in SUITS]
    if strange:
        raise RulesError(
            f"pack of {where}: {strange[0]!r} is no rank of {family.cards.ranks} and no suit of {SUITS}"
        )
    shape, cards = variant.shape, len(pack.kinds(family.cards)) * variant.shape.packs
    if cards > shape.deck or not 0 < pack.hand <= shape.hand or variant.seats * pack.hand > cards:
        raise RulesError(
            f"pack of {where}: {cards} cards and hands of {pack.hand} do not fit: at most {shape.deck} cards and "
            f"hands of {shape.hand} for {variant.seats} seats"
        )


def _preset(family: Family, variant: Variant, preset: str) -> BaseModel:
    """Return the options of a preset, those included that mean nothing in the variant."""
    values = {**variant.defaults, **variant.presets[preset]["values"]}
    return family.options(**values).model_copy(update=dict(variant.fixed))


@functools.cache
def _values(options: type[BaseModel]) -> dict[str, tuple[Any, ...] | None]:
    """Return the values that each option of a family may take, in the order of their numbers; None: a range."""
    found = {}
    for name, info in options.model_fields.items():
        annotation = info.annotation
        if get_origin(annotation) is Annotated:
            annotation = get_args(annotation)[0]
        found[name] = get_args(annotation) if get_origin(annotation) is Literal else None
    return found


def fields(variant: str) -> list[FieldInfo]:
    """Return every option of a variant with allowed values, default, source and meaning.

    Raises:
        RulesError: the variant is unknown.
    """
    data = _variant(variant)
    family = family_of(variant)
    result = []
    for name in _asked(family, data):
        info = family.options.model_fields[name]
        allowed = data.narrowed.get(name, _values(family.options)[name])
        extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
        source = str(extra.get("source", ""))
        if allowed is not None:
            text = " | ".join(family.value_text(name, value) for value in allowed)
        else:
            text = str(extra["allowed"])
        default = data.defaults.get(name, info.default)
        result.append(FieldInfo(name, text, allowed, default, source, info.description or ""))
    return result


def _variant(variant: str) -> Variant:
    known = all_variants()
    if variant not in known:
        raise RulesError(
            f"unknown variant {variant!r}: known are {', '.join(known)}{nearest(variant, known)}"
        )
    return known[variant]


def get_rules(
    variant: str = "two_pack", preset: str | None = None, overrides: Mapping[str, Any] | None = None
) -> Rules:
    """Return the rules of a preset with some options changed.

    Args:
        variant: id of the variant.
        preset: name of the preset; None takes the variant's first.
        overrides: option values that replace the preset's.

    Raises:
        RulesError: unknown variant, preset or option, a value that is not allowed, or options that cannot
            stand together; the message names the option, the allowed values and the nearest spelling.
    """
    data = _variant(variant)
    family = family_of(variant)
    presets = data.presets
    name = next(iter(presets)) if preset is None else preset
    if name not in presets:
        raise RulesError(
            f"unknown preset {name!r} of {variant}: known are {', '.join(presets)}{nearest(name, presets)}"
        )
    given = dict(overrides or {})
    asked = _asked(family, data)
    for option in given:
        if option in data.fixed:
            raise RulesError(f"option {option!r} has no meaning in {variant} (known: {', '.join(asked)})")
        if option not in asked:
            raise RulesError(
                f"unknown option {option!r} of {variant}{nearest(option, asked)} (known: {', '.join(asked)})"
            )
    base = _preset(family, data, name)
    try:
        options = family.options(**{**{option: getattr(base, option) for option in asked}, **given})
    except ValidationError as error:
        raise _not_allowed(variant, str(error.errors()[0]["loc"][0]), given) from None
    options = options.model_copy(update=dict(data.fixed))
    for option, values in data.narrowed.items():
        if getattr(options, option) not in values:
            raise _not_allowed(variant, option, given)
    problem = family.conflict(options)
    if problem is not None:
        raise RulesError(problem)
    changed = {k: v for k, v in options.model_dump().items() if v != getattr(base, k)}
    pack = _pack(data, name)
    _check_pack(family, data, pack, f"{variant} {name}")
    vector = _vector(family, data, options, pack)
    digest = _hash(family, variant, pack, vector)
    return Rules(variant, name, types.MappingProxyType(changed), options, vector, digest)


def _hash(family: Family, variant: str, pack: Pack, vector: NDArray[np.int64]) -> str:
    """Return the hash of rules; that no card is left out adds nothing to it."""
    numbers = vector.tolist()[: family.hashed if pack.is_whole else None]
    return hashlib.sha256(json.dumps([variant, numbers]).encode()).hexdigest()[:12]


def _not_allowed(variant: str, option: str, given: Mapping[str, Any]) -> RulesError:
    """Return the refusal of the value given for an option."""
    info = next(info for info in fields(variant) if info.name == option)
    text, found = family_of(variant).value_text, given.get(option)
    hint = nearest(found, [text(option, value) for value in info.allowed]) if info.allowed else ""
    return RulesError(f"{option}: {found!r} is not allowed: it must be {info.type_text}{hint}")


def _vector(family: Family, variant: Variant, options: BaseModel, pack: Pack) -> NDArray[np.int64]:
    vector = np.zeros(family.size, np.int64)
    vector[family.packs_place] = variant.shape.packs
    for place, number in family.pack_numbers(family.cards, pack).items():
        vector[place] = number
    for place, (points, _) in variant.scores.items():
        vector[place] = points
    values = _values(family.options)
    for option, place in family.places.items():
        value = getattr(options, option)
        if option not in family.numbers:
            allowed = values[option]
            assert allowed is not None
            value = allowed.index(value)
        vector[place] = value
    vector.flags.writeable = False
    return vector


def settle(rules: Rules, scores: Sequence[int], **details: Any) -> tuple[int, int]:
    """Return what a game, or a deal, pays each seat for final scores.

    Args:
        rules: the rules of the game.
        scores: final points of both seats.
        details: what else decides. Bezique: ``brisques`` and ``long_hand``, see
            :func:`bezique_env.rules.bezique.settlement.settle`. Belote: ``taker`` and more, see
            :func:`bezique_env.rules.belote.settlement.settle`.

    Raises:
        ValueError: the scores or details cannot be; the message names what is wrong.
        TypeError: a detail that the family does not know.
    """
    return rules.family.settle(rules, scores, **details)
