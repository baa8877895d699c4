"""The rules as tables of text: what ``bezique variants``, ``bezique rules`` and the docs print.

Each function returns ``(headers, rows)``; nothing here knows how a table is drawn.
"""

from __future__ import annotations

from bezique_env.rules.families import family_of
from bezique_env.rules.family import Table
from bezique_env.rules.registry import RulesError, fields, get_rules, nearest, option_names, variants


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
    text = rules.family.value_text
    rows = []
    for field in fields(variant):
        value = getattr(rules, field.name)
        rows.append(
            [
                field.name,
                text(field.name, value),
                "" if value == field.default else text(field.name, field.default),
                field.type_text,
                field.meaning,
                field.source,
            ]
        )
    return ["option", "value", "default, where it differs", "allowed", "meaning", "source"], rows


def options_rows(variant: str = "two_pack") -> Table:
    """Return one row for every option with its default and source.

    Raises:
        RulesError: the variant is unknown.
    """
    text = get_rules(variant).family.value_text
    rows = [
        [field.name, text(field.name, field.default), field.type_text, field.meaning, field.source]
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
    text = family_of(variant).value_text
    rows = []
    for field in fields(variant):
        values = (preset.values[field.name] for preset in presets.values())
        rows.append([field.name, *(text(field.name, value) for value in values)])
    return ["option", *presets], rows


def fixed_rows(variant: str = "two_pack") -> Table:
    """Return one row for every option that means nothing in a variant, with the value that holds there.

    Raises:
        RulesError: the variant is unknown.
    """
    rules = get_rules(variant)
    fixed = rules.family.variants[variant].fixed
    text = rules.family.value_text
    rows = [[name, text(name, getattr(rules, name))] for name in option_names(variant) if name in fixed]
    return ["option", "value"], rows


def scores_rows(variant: str = "two_pack") -> Table:
    """Return what everything scores in a variant.

    Raises:
        RulesError: the variant is unknown.
    """
    family = get_rules(variant).family
    scores = sorted(family.variants[variant].scores.items())
    rows = [[family.score_text(place, points), name] for place, (points, name) in scores]
    return ["points", "for"], rows


def packs_rows(variant: str = "two_pack") -> Table:
    """Return what each preset is played with: cards of a hand, cards of all packs, and which.

    Raises:
        RulesError: the variant is unknown.
    """
    rows = []
    for preset in variants()[get_rules(variant).variant].presets:
        rules = get_rules(variant, preset)
        kinds = " ".join(rules.family.cards.texts[card] for card in dict.fromkeys(rules.pack.tolist()))
        rows.append([preset, str(rules.hand_size), str(len(rules.pack)), kinds])
    return ["preset", "hand", "cards", "which"], rows


def settlement_rows(variant: str = "two_pack") -> Table:
    """Return what games of a variant pay.

    Raises:
        RulesError: the variant is unknown.
    """
    rules = get_rules(variant)
    return rules.family.settlement_rows(rules)


def sources_rows(variant: str = "two_pack") -> Table:
    """Return the key and the title of every source of a variant's family.

    Raises:
        RulesError: the variant is unknown.
    """
    sources = get_rules(variant).family.sources
    return ["key", "source"], [[key, title] for key, title in sources.items()]
