"""The rules as tables of text: what ``bezique variants``, ``bezique rules`` and the docs print.

Each function returns ``(headers, rows)``; nothing here knows how a table is drawn.
"""

from __future__ import annotations

from typing import Any

from bezique_env.rules.bezique import SCORES, SOURCES
from bezique_env.rules.registry import RulesError, fields, get_rules, nearest, variants

Table = tuple[list[str], list[list[str]]]
"""Headers and rows, all text."""


def value_text(option: str, value: Any) -> str:
    """Return an option value as it is written in YAML."""
    return "off" if option == "double_win_under" and value == 0 else str(value)


def variants_rows() -> Table:
    """Return one row for every preset of every variant, with its status and what it leaves out."""
    rows = []
    for info in variants().values():
        for preset in info.presets.values():
            rows.append(
                [
                    info.id,
                    preset.name + (" (default)" if preset.name == info.default_preset else ""),
                    str(info.seats),
                    preset.title,
                    ", ".join(preset.sources),
                    preset.status,
                    "; ".join(preset.not_modelled) or "nothing",
                ]
            )
    return ["variant", "preset", "seats", "what it is", "sources", "status", "not modelled"], rows


def rules_rows(variant: str = "two_pack", preset: str | None = None) -> Table:
    """Return one row for every option: its value in a preset, the default, what is allowed, and why.

    Args:
        variant: id of the variant.
        preset: name of the preset; None takes the variant's first.

    Raises:
        RulesError: the variant or the preset is unknown.
    """
    rules = get_rules(variant, preset)
    rows = []
    for field in fields(variant):
        value = getattr(rules, field.name)
        rows.append(
            [
                field.name,
                value_text(field.name, value),
                "" if value == field.default else value_text(field.name, field.default),
                field.type_text,
                field.meaning,
                field.source,
            ]
        )
    return ["option", "value", "default, where it differs", "allowed", "meaning", "source"], rows


def options_rows(variant: str = "two_pack") -> Table:
    """Return one row for every option with its default and source."""
    rows = [
        [field.name, value_text(field.name, field.default), field.type_text, field.meaning, field.source]
        for field in fields(variant)
    ]
    return ["option", "default", "allowed", "meaning", "source"], rows


def presets_rows(variant: str = "two_pack") -> Table:
    """Return one row for every option with a column for every preset.

    Raises:
        RulesError: the variant is unknown.
    """
    known = variants()
    if variant not in known:
        raise RulesError(f"unknown variant {variant!r}{nearest(variant, known)}")
    presets = known[variant].presets
    rows = []
    for field in fields(variant):
        values = (preset.values[field.name] for preset in presets.values())
        rows.append([field.name, *(value_text(field.name, value) for value in values)])
    return ["option", *presets], rows


def scores_rows() -> Table:
    """Return what everything scores in the two-pack game."""
    return ["points", "for"], [[str(points), name] for points, name in SCORES.values()]


def sources_rows() -> Table:
    """Return the key and the title of every source."""
    return ["key", "source"], [[key, title] for key, title in SOURCES.items()]
