"""The record of a played game: one JSON object a line, checked before it is believed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bezique_env.engine.version import ENGINE_VERSION
from bezique_env.rules.registry import nearest

RECORD_FORMAT = "bezique-record/1"
_KEYS = {
    "format": str,
    "engine_version": int,
    "variant": str,
    "rules": dict,
    "rules_hash": str,
    "seed": int,
    "episode": str,
    "deals": list,
    "returns": (list, type(None)),
    "settlement": (dict, type(None)),
}
_DEAL_KEYS = {"dealer": int, "draws": str, "actions": list, "events": list, "scores": list}

_MORE_DEAL_KEYS = {"cut": list, "given": bool}
"""Keys that a deal has where its rules score a cut, and where its deck was set from outside (with redeals)."""


class RecordError(ValueError):
    """A record or a saved game that cannot be believed; the message names what is wrong."""


def check_record(record: Mapping[str, Any] | str) -> dict[str, Any]:
    """Return a record as a dictionary after checking its form.

    Raises:
        RecordError: no JSON, an unknown or missing key, a wrong type, another format or engine version.
    """
    if isinstance(record, str):
        try:
            data = json.loads(record)
        except ValueError as error:
            raise RecordError(f"no JSON object (truncated?): {error}") from None
    else:
        data = dict(record)
    if not isinstance(data, dict):
        raise RecordError("a record is one JSON object")
    _keys("record", data, _KEYS)
    if data["format"] != RECORD_FORMAT:
        raise RecordError(f"format {data['format']!r} is not {RECORD_FORMAT!r}")
    if data["engine_version"] != ENGINE_VERSION:
        raise RecordError(f"made by engine version {data['engine_version']}, this is {ENGINE_VERSION}")
    if set(data["rules"]) != {"preset", "overrides"}:
        raise RecordError("rules must have the keys preset and overrides")
    if not data["deals"]:
        raise RecordError("the record has no deal")
    for number, deal in enumerate(data["deals"]):
        if not isinstance(deal, dict):
            raise RecordError(f"deal {number} is no JSON object")
        start = "position" if "position" in deal else "deck"
        more = {key: kind for key, kind in _MORE_DEAL_KEYS.items() if key in deal}
        _keys(f"deal {number}", deal, {**_DEAL_KEYS, **more, start: (dict, list)})
        for index, item in enumerate(deal["actions"]):
            if not isinstance(item, list | tuple) or len(item) != 2:
                raise RecordError(f"deal {number}, action {index}: {item!r} is no pair [seat, text]")
    return data


def _keys(where: str, data: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    for key in data:
        if key not in wanted:
            raise RecordError(f"{where}: unknown key {key!r}{nearest(key, wanted)}")
    for key, kind in wanted.items():
        if key not in data:
            raise RecordError(f"{where}: the key {key!r} is missing (truncated?)")
        if not isinstance(data[key], kind):
            raise RecordError(f"{where}: {key} is {data[key]!r}, of the wrong type")


def write_records(path: str | os.PathLike[str], records: list[dict[str, Any]], append: bool = False) -> None:
    """Write records to a ``.jsonl`` file, one a line."""
    with open(path, "a" if append else "w", encoding="utf-8") as file:
        for record in records:
            file.write(json.dumps(record, separators=(",", ":")) + "\n")


def read_records(path: str | os.PathLike[str]) -> Iterator[dict[str, Any]]:
    """Yield the checked records of a ``.jsonl`` file.

    Raises:
        RecordError: a line is damaged; file and line are named.
    """
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
        if line.strip():
            try:
                yield check_record(line)
            except RecordError as error:
                raise RecordError(f"{os.fspath(path)}:{number}: {error}") from None
