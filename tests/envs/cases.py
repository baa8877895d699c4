"""The variants as the tests of the adapters go through them."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from bezique_env.envs.registration import SINGLE_AGENT_IDS
from bezique_env.rules import variants

MODULES: dict[str, ModuleType] = {
    variant: importlib.import_module(f"bezique_env.{variant}_v0") for variant in SINGLE_AGENT_IDS.values()
}
ENV_IDS = {variant: env_id for env_id, variant in SINGLE_AGENT_IDS.items()}
PRESETS = {variant: list(info.presets) for variant, info in variants().items()}
REWARDS = ("score_difference", "dense", "settlement", "win")
EPISODES = ("deal", "match")
OVERRIDES: dict[str, list[dict[str, Any]]] = {
    "two_pack": [{"selection": "explicit"}, {"declare": "lay_many_score_one"}, {"dealer_seven": 10}],
    "rubicon": [{"selection": "explicit"}, {"reform": "none", "settlement": "saari_table"}],
    "chinese": [{"cut_bonus": "on"}, {"reform": "none", "four_tens": 90}],
    "eight_pack": [{"selection": "explicit"}, {"reform": "none", "trump": "first_marriage"}],
    "fildinski": [
        {"selection": "explicit", "fildinski_endgame": "on"},
        {"fildinski_dix": "from_hand", "four_tens": 90},
    ],
    "belote": [
        {
            "r2_elder_actions": "named",
            "exchange_window": "until_first_lead",
            "belote_call_deadline": "both_words",
        },
        {"four_of_a_kind": "bicycle", "announce_needs_trick": True, "two_hand_tie": "hold_over"},
    ],
    "mini_bezique": [{"selection": "explicit"}, {"trump": "first_marriage"}],
    "mini_belote": [{"belote_call_deadline": "both_words", "announce_needs_trick": True}],
}
"""Options that change what a game consists of, for each variant."""

every_variant = pytest.mark.parametrize("variant", MODULES)
every_preset = pytest.mark.parametrize(
    ("variant", "preset"), [(variant, preset) for variant in MODULES for preset in PRESETS[variant]]
)
every_override = pytest.mark.parametrize(
    ("variant", "options"),
    [
        pytest.param(variant, options, id=f"{variant}-{'-'.join(map(str, options.values()))}")
        for variant in MODULES
        for options in OVERRIDES[variant]
    ],
)


def start_of(variant: str, preset: str) -> np.random.Generator:
    """Return the generator of a test of one preset."""
    return np.random.default_rng([list(MODULES).index(variant), PRESETS[variant].index(preset)])
