"""Set-up positions: what the readers of every family share.

A position is a mapping of keys, or a YAML or JSON file of one. ``variant`` says the family, whose reader knows
the keys: :mod:`bezique_env.faces.bezique.position`, :mod:`bezique_env.faces.belote.position`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import yaml

from bezique_env.cards import CardSet
from bezique_env.rules import Rules, RulesError, get_rules
from bezique_env.rules.registry import nearest

SEATS = 2


class PositionError(ValueError):
    """A position that is impossible or not understood; the message names what is wrong."""


class PositionSpec(Protocol):
    """A checked position; each family adds what it needs."""

    @property
    def source(self) -> dict[str, Any]:
        """The position as it was given."""

    @property
    def rules(self) -> Rules:
        """Its rules."""

    @property
    def seed(self) -> int:
        """What is not named comes from it."""

    @property
    def episode(self) -> str:
        """``deal`` or ``match``."""

    @property
    def draws(self) -> str:
        """``shared`` or ``queues``."""


def load_position(position: str | os.PathLike[str] | Mapping[str, Any]) -> dict[str, Any]:
    """Return a position as a mapping of JSON values.

    Args:
        position: a mapping, or the path of a YAML or JSON file.

    Raises:
        PositionError: the file cannot be read, or what it holds is no mapping.
    """
    if isinstance(position, Mapping):
        data = json.loads(json.dumps(dict(position)))
    else:
        try:
            data = yaml.safe_load(Path(position).read_text())
        except OSError as error:
            raise PositionError(
                f"cannot read the position {os.fspath(position)!r}: {error.strerror}"
            ) from None
        except yaml.YAMLError as error:
            raise PositionError(f"{os.fspath(position)!r} is neither YAML nor JSON: {error}") from None
    if not isinstance(data, dict):
        raise PositionError("a position is a mapping of keys such as hands, table, stock")
    return data


def check_keys(data: Mapping[str, Any], known: Sequence[str]) -> None:
    """Refuse unknown keys, and a position without hands or the seat to act.

    Raises:
        PositionError: naming the key and the nearest known one.
    """
    for key in data:
        if key not in known:
            raise PositionError(
                f"unknown key {key!r} in the position{nearest(key, known)} (known: {', '.join(known)})"
            )
    for key in ("hands", "to_act"):
        if key not in data:
            raise PositionError(f"the position lacks the key {key!r}")


def position_rules(data: Mapping[str, Any]) -> Rules:
    """Return the rules of a position.

    Raises:
        PositionError: unknown or impossible rules.
    """
    given = data.get("rules")
    try:
        if isinstance(given, dict):
            return get_rules(data.get("variant", "two_pack"), given.get("preset"), given.get("overrides"))
        return get_rules(data.get("variant", "two_pack"), given)
    except RulesError as error:
        raise PositionError(str(error)) from None


def read_cards(cards: CardSet, where: str, value: Any) -> list[int]:
    """Return the ids of a list of cards, or of a text of them.

    Raises:
        PositionError: it is no list, or a card is unknown.
    """
    if value is None:
        return []
    words = value.split() if isinstance(value, str) else value
    if not isinstance(words, list):
        raise PositionError(f"{where}: {value!r} is no list of cards")
    try:
        return [cards.id(word) for word in words]
    except ValueError as error:
        raise PositionError(f"{where}: {error}") from None


def cards_per_seat(cards: CardSet, data: Mapping[str, Any], key: str) -> list[list[int]]:
    """Return the ids of the cards that a key gives each seat.

    Raises:
        PositionError: not one list of known cards per seat.
    """
    value = data.get(key)
    if value is None:
        return [[], []]
    if isinstance(value, dict):
        unknown = [k for k in value if str(k) not in ("0", "1")]
        if unknown:
            raise PositionError(f"{key}: {unknown[0]!r} is no seat (0 or 1)")
        value = [value.get(s, value.get(str(s))) for s in range(SEATS)]
    if not isinstance(value, list) or len(value) != SEATS:
        raise PositionError(f"{key}: one list of cards per seat is needed, got {value!r}")
    return [read_cards(cards, f"{key} of seat {s}", found) for s, found in enumerate(value)]


def read_seat(key: str, value: Any) -> int:
    """Return a seat.

    Raises:
        PositionError: it is none.
    """
    if isinstance(value, bool) or value not in (0, 1):
        raise PositionError(f"{key}: {value!r} is no seat (0 or 1)")
    return int(value)


def number_per_seat(data: Mapping[str, Any], key: str) -> tuple[int, int]:
    """Return the whole numbers that a key gives both seats, 0 where it is left out.

    Raises:
        PositionError: not one whole number per seat.
    """
    value = data.get(key, [0, 0])
    if isinstance(value, dict):
        value = [value.get(s, value.get(str(s), 0)) for s in range(SEATS)]
    if not isinstance(value, list) or len(value) != SEATS or not all(isinstance(x, int) for x in value):
        raise PositionError(f"{key}: one whole number per seat is needed, got {value!r}")
    return value[0], value[1]


def one_of(key: str, value: Any, allowed: Sequence[str]) -> str:
    """Return a value that is one of the allowed ones.

    Raises:
        PositionError: it is none of them; the message names the nearest.
    """
    if value not in allowed:
        raise PositionError(
            f"{key}: {value!r} is not allowed: one of {', '.join(allowed)}{nearest(value, allowed)}"
        )
    return str(value)


def read_seed(data: Mapping[str, Any]) -> int:
    """Return the seed of a position.

    Raises:
        PositionError: it is no integer in range.
    """
    seed = data.get("seed", 0)
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**64:
        raise PositionError(f"seed: {seed!r} must be an integer in 0..2**64-1")
    return seed


def read_trick(cards: CardSet, value: Any) -> dict[int, int]:
    """Return the card of each seat in the trick.

    Raises:
        PositionError: a pair that is none, or a trick that is over.
    """
    if not value:
        return {}
    items = list(value.items()) if isinstance(value, dict) else value
    result = {}
    for item in items:
        if not isinstance(item, (list, tuple)) or len(item) != 2:
            raise PositionError(f"trick: {item!r} is no pair [seat, card]")
        seat = int(item[0]) if str(item[0]) in ("0", "1") else item[0]
        result[read_seat("trick", seat)] = read_cards(cards, "trick", [item[1]])[0]
    if len(result) > 1:
        raise PositionError("trick: a trick of two cards is over; at most the led card lies there")
    return result
