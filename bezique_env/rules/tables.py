"""The rules as tables of text: what ``bezique variants``, ``bezique rules`` and the docs print.

Each function returns ``(headers, rows)``; nothing here knows how a table is drawn.
"""

from __future__ import annotations

from typing import Any

from bezique_env.rules import index as ix
from bezique_env.rules import settlement as st
from bezique_env.rules.bezique import SOURCES
from bezique_env.rules.family import NEVER, VARIANTS
from bezique_env.rules.registry import RulesError, fields, get_rules, nearest, option_names, variants

Table = tuple[list[str], list[list[str]]]
"""Headers and rows, all text."""


def value_text(option: str, value: Any) -> str:
    """Return an option value as it is written in YAML."""
    if option == "target" and value == NEVER:
        return "none: one deal"
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


def fixed_rows(variant: str = "two_pack") -> Table:
    """Return one row for every option that means nothing in a variant, with the value that holds there.

    Raises:
        RulesError: the variant is unknown.
    """
    rules = get_rules(variant)
    asked = {field.name for field in fields(variant)}
    rows = [[name, value_text(name, getattr(rules, name))] for name in option_names() if name not in asked]
    return ["option", "value"], rows


def scores_rows(variant: str = "two_pack") -> Table:
    """Return what everything scores in a variant.

    Raises:
        RulesError: the variant is unknown.
    """
    get_rules(variant)
    rows = []
    for place, (points, name) in sorted(VARIANTS[variant].scores.items()):
        text = "the loser's points" if place == ix.RUBICON_BONUS and not points else f"{points}"
        rows.append([text, name])
    return ["points", "for"], rows


_SETTLEMENTS = {
    "games": (
        "one game",
        "two games, where the winner reached `target` and the loser has less than `double_win_under`",
        "SAARI 20, FINN 16",
    ),
    "saari_example": ("W - L", "W - L + {bonus}", "SAARI 33, 34"),
    "saari_table": ("W - L + {game}", "W - L + {bonus} + {game}", "SAARI's table"),
    "portland": (
        f"W - L, at least {st.HUNDRED}, + {{game}}; brisques are added to both first where they save the "
        "rubicon or break a tie",
        f"W + L + {st.PORTLAND_RUBICON}; {st.PORTLAND_UNDER_HUNDRED} more where the loser has less than "
        f"{st.HUNDRED}",
        "POR 57-61",
    ),
    "bicycle": ("W - L + {game}", f"W + L + {st.BICYCLE_RUBICON}", "BIC-R"),
    "sum": ("W - L + {game}", "W + L + {game}", "CMC-6"),
}
"""What the settlements pay: the loser has crossed the rubicon, has not, and the source."""


def settlement_rows(variant: str = "two_pack") -> Table:
    """Return what the settlements of a variant pay; W and L are the scores rounded down to the hundred.

    Raises:
        RulesError: the variant is unknown.
    """
    rules = get_rules(variant)
    allowed = {field.name: field.allowed for field in fields(variant)}.get("settlement")
    words = {
        "game": int(rules.vector[ix.GAME_BONUS]),
        "bonus": int(rules.vector[ix.RUBICON_BONUS]) or "L",
    }
    rows = []
    for name in allowed or (rules.settlement,):
        crossed, missed, source = _SETTLEMENTS[name]
        rows.append([name, crossed.format(**words), missed.format(**words), source])
    rubicon = int(rules.vector[ix.RUBICON])
    if rubicon:
        return [
            "settlement",
            f"loser with {rubicon} or more",
            f"loser with less than {rubicon}",
            "source",
        ], rows
    return ["settlement", "the winner gets", "or", "source"], rows


def sources_rows() -> Table:
    """Return the key and the title of every source."""
    return ["key", "source"], [[key, title] for key, title in SOURCES.items()]
