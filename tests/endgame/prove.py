"""The long proof: thousands of random endings of up to six cards a hand against plain search.

``python -m tests.endgame.prove [ENDINGS_OF_EACH]`` prints what it compared and leaves with 1 when anything differs.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from agents.endgame.core import make_solver
from bezique_env.rules import get_rules
from tests.endgame.worlds import belote_endings, bezique_endings, disagreements

RULES: list[tuple[str, dict[str, Any]]] = [
    ("two_pack", {}),
    ("two_pack", {"brisques": "at_hand_end", "dix_endgame": "no"}),
    ("two_pack", {"endgame": "follow_trump"}),
    ("two_pack", {"endgame": "follow_only", "last_trick": "last_stock"}),
    ("two_pack", {"game_end": "immediate", "target": 500}),
    ("fildinski", {}),
    ("fildinski", {"fildinski_dix": "from_hand"}),
    ("rubicon", {}),
    ("belote", {}),
    ("belote", {"belote_call_deadline": "both_words", "rounding": "up5", "all_tricks_bonus": 90}),
    (
        "belote",
        {
            "belote_call_deadline": "first_card",
            "two_hand_fail": "taker_loses_only",
            "announce_needs_trick": True,
        },
    ),
    ("belote", {"announce_needs_trick": True, "four_of_a_kind": "french", "two_hand_tie": "fall"}),
    (
        "belote",
        {
            "belote_auto": True,
            "belote_prenable": False,
            "two_hand_tie": "hold_over",
            "all_tricks_bonus": 100,
        },
    ),
    ("belote", {"rounding": "down5", "two_hand_fail": "taker_loses_only", "run_values": "20/50/100"}),
]
"""Variants and what differs from their first preset."""


def main(count: int, cards: int = 6) -> int:
    """Compare ``count`` endings of each rules; returns how many differ."""
    solver = make_solver(1 << 14)
    total = 0
    for k, (variant, overrides) in enumerate(RULES):
        rules = get_rules(variant, None, overrides)
        endings = belote_endings if rules.family.name == "belote" else bezique_endings
        states = endings(rules, count, cards, np.random.default_rng(1000 + k))
        wrong, unsolved, seen = disagreements(rules, states, solver)
        total += len(wrong)
        print(
            f"{variant} {overrides}: {count} endings of up to {cards} cards a hand, {len(wrong)} differ, "
            f"{unsolved} not solved, {seen} views that leave nothing open",
            flush=True,
        )
    return total


if __name__ == "__main__":
    sys.exit(1 if main(int(sys.argv[1]) if len(sys.argv) > 1 else 500) else 0)
