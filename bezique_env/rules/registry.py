"""Finding rules: variants, presets, overrides, and the refusal of whatever does not fit."""

from __future__ import annotations

import difflib
import hashlib
import json
import operator
import types
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, get_args, get_origin

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from bezique_env.rules import index as ix
from bezique_env.rules import settlement
from bezique_env.rules.bezique import NUMBERS, OPTION_PLACES, BeziqueOptions, conflict
from bezique_env.rules.family import VARIANTS, Variant
from bezique_env.rules.shape import Shape


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

    @property
    def shape(self) -> Shape:
        """The lengths of the records of a game: packs, places on the table, whether melds may score again."""
        return VARIANTS[self.variant].shape

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
    for name, variant in VARIANTS.items():
        infos = {}
        for preset, data in variant.presets.items():
            options = _preset(variant, preset)
            values = {option: getattr(options, option) for option in _asked(variant)}
            infos[preset] = PresetInfo(
                preset,
                data["title"],
                values,
                tuple(data["sources"]),
                not_modelled=tuple(data.get("not_modelled", ())),
            )
        result[name] = VariantInfo(name, variant.title, variant.seats, infos, next(iter(variant.presets)))
    return result


def _asked(variant: Variant) -> list[str]:
    """Return the names of the options that mean something in a variant."""
    return [name for name in option_names() if name not in variant.fixed]


def _preset(variant: Variant, preset: str) -> BeziqueOptions:
    """Return the options of a preset, those included that mean nothing in the variant."""
    values = {**variant.defaults, **variant.presets[preset]["values"]}
    return BeziqueOptions(**values).model_copy(update=dict(variant.fixed))


def _literal(annotation: Any) -> tuple[Any, ...] | None:
    if get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    return get_args(annotation) if get_origin(annotation) is Literal else None


def fields(variant: str) -> list[FieldInfo]:
    """Return every option of a variant with allowed values, default, source and meaning.

    Raises:
        RulesError: the variant is unknown.
    """
    data = _variant(variant)
    result = []
    for name in _asked(data):
        info = BeziqueOptions.model_fields[name]
        allowed = data.narrowed.get(name, _literal(info.annotation))
        extra = info.json_schema_extra
        source = str(extra["source"]) if isinstance(extra, dict) else ""
        if allowed is not None:
            text = " | ".join(str(value) for value in allowed)
        elif name == "target":
            text = "a multiple of 10 in 100..100000"
        else:
            text = "0 (off) to 100000"
        default = data.defaults.get(name, info.default)
        result.append(FieldInfo(name, text, allowed, default, source, info.description or ""))
    return result


def _variant(variant: str) -> Variant:
    if variant not in VARIANTS:
        raise RulesError(
            f"unknown variant {variant!r}: known are {', '.join(VARIANTS)}{nearest(variant, VARIANTS)}"
        )
    return VARIANTS[variant]


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
    data = _variant(variant)
    presets = data.presets
    name = next(iter(presets)) if preset is None else preset
    if name not in presets:
        raise RulesError(
            f"unknown preset {name!r} of {variant}: known are {', '.join(presets)}{nearest(name, presets)}"
        )
    given = dict(overrides or {})
    infos = {info.name: info for info in fields(variant)}
    for option in given:
        if option in data.fixed:
            raise RulesError(f"option {option!r} has no meaning in {variant} (known: {', '.join(infos)})")
        if option not in infos:
            raise RulesError(
                f"unknown option {option!r} of {variant}{nearest(option, infos)} (known: {', '.join(infos)})"
            )
    base = _preset(data, name)
    try:
        options = BeziqueOptions(**{**{option: getattr(base, option) for option in infos}, **given})
    except ValidationError as error:
        raise _not_allowed(infos[str(error.errors()[0]["loc"][0])], given) from None
    options = options.model_copy(update=dict(data.fixed))
    for option, values in data.narrowed.items():
        if getattr(options, option) not in values:
            raise _not_allowed(infos[option], given)
    problem = conflict(options)
    if problem is not None:
        raise RulesError(problem)
    changed = {k: v for k, v in options.model_dump().items() if v != getattr(base, k)}
    vector = _vector(data, options)
    digest = hashlib.sha256(json.dumps([variant, vector.tolist()]).encode()).hexdigest()[:12]
    return BeziqueRules(variant, name, types.MappingProxyType(changed), options, vector, digest)


def _not_allowed(info: FieldInfo, given: Mapping[str, Any]) -> RulesError:
    """Return the refusal of the value given for an option."""
    found = given.get(info.name)
    hint = nearest(found, [str(value) for value in info.allowed]) if info.allowed else ""
    return RulesError(f"{info.name}: {found!r} is not allowed: it must be {info.type_text}{hint}")


def _vector(variant: Variant, options: BeziqueOptions) -> NDArray[np.int64]:
    vector = np.zeros(ix.SIZE, np.int64)
    vector[ix.PACKS] = variant.shape.packs
    vector[ix.HAND_SIZE] = variant.hand_size
    for place, (points, _) in variant.scores.items():
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
    rules: BeziqueRules,
    scores: Sequence[int],
    brisques: Sequence[int] | None = None,
    long_hand: int | None = None,
) -> tuple[int, int]:
    """Return what the game pays each seat for final scores.

    Two-pack Bezique and Fildinski pay one game, two where the winner reached the target and the loser stayed
    under ``double_win_under`` (SAARI 20, FINN 16); equal scores pay nothing. The games of one deal pay what
    option ``settlement`` says, see :mod:`bezique_env.rules.settlement`.

    Args:
        rules: the rules of the game.
        scores: final points of both seats.
        brisques: aces and tens won by both seats (their number, not their points). They may be left out
            where they cannot change the result.
        long_hand: the seat that played with too many cards (POR 17, settlement ``portland`` only): it loses
            and is rubiconed, whatever the scores.

    Raises:
        ValueError: not two scores or brisques, a negative number, more brisques than the pack holds, no
            brisques although they decide, or a long hand where no law provides for it.
    """
    first, second = _pair("scores", scores)
    vector = rules.vector
    if brisques is not None:
        won = _pair("brisques", brisques)
        most = settlement.all_brisques(vector)
        if sum(won) > most:
            raise ValueError(f"brisques: {won[0]} and {won[1]} are more than the {most} of the pack")
    if long_hand is not None:
        if vector[ix.SETTLEMENT] != ix.SETTLE_PORTLAND:
            raise ValueError(
                f"long_hand: law 17 belongs to settlement 'portland'; {rules.variant} with settlement "
                f"{rules.settlement!r} has no over-long hand"
            )
        if isinstance(long_hand, bool) or long_hand not in (0, 1):
            raise ValueError(f"long_hand: {long_hand!r} is no seat: it must be 0 or 1")
        loser, winner = (first, second) if long_hand == 0 else (second, first)
        points = settlement.long_hand_points(winner, loser)
    elif brisques is None:
        if settlement.brisques_matter(vector, first, second):
            why = "break the tie" if first == second else "may save the rubicon (POR 60)"
            raise ValueError(f"brisques: the scores {first} and {second} need them: they {why}")
        points = int(settlement.settle_points(vector, first, second, 0, 0))
    else:
        points = int(settlement.settle_points(vector, first, second, *won))
    if long_hand is not None:
        return (-points, points) if long_hand == 0 else (points, -points)
    return points, -points


def _pair(name: str, values: Sequence[int]) -> tuple[int, int]:
    """Return two whole numbers that are not negative."""
    try:
        found = tuple(operator.index(value) for value in values)
    except TypeError:
        found = ()
    if len(found) != 2 or any(value < 0 for value in found):
        raise ValueError(f"{name}: {values!r} must be two whole numbers of 0 or more, one a seat")
    return found[0], found[1]
