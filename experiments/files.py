"""The small files of a run directory: JSON objects, and tables with one JSON object a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from experiments.config import ConfigError


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object.

    Raises:
        ConfigError: the file is missing or damaged.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from None
    if not isinstance(found, dict):
        raise ConfigError(f"{path}: holds no JSON object")
    return found


def write_text(path: Path, text: str) -> None:
    """Write a text so that a kill leaves the old file or the new one, never half of one."""
    temporary = path.with_name(path.name + ".tmp")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


def write_json(path: Path, content: Any) -> None:
    """Write JSON that people can read, whole or not at all."""
    write_text(path, json.dumps(content, indent=2) + "\n")


def append_row(path: Path, row: dict[str, Any]) -> None:
    """Add a line to a table."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Read a table; a last line that a kill cut short is left out."""
    rows: list[dict[str, Any]] = []
    if path.is_file():
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                rows.append(json.loads(line))
            except json.JSONDecodeError:
                break
    return rows
