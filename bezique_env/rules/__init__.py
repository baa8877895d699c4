"""Rules as data: variants, presets, options with their sources, and the numbers for the kernels."""

from bezique_env.rules.registry import (
    FieldInfo,
    PresetInfo,
    Rules,
    RulesError,
    VariantInfo,
    fields,
    get_rules,
    settle,
    variants,
)

__all__ = [
    "FieldInfo",
    "PresetInfo",
    "Rules",
    "RulesError",
    "VariantInfo",
    "fields",
    "get_rules",
    "settle",
    "variants",
]
