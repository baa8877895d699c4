"""No deal goes beyond the limits that a family states for its rules: decisions, points, payments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bezique_env.game import Game
from bezique_env.rules import get_rules, variants
from tests.test_properties import BELOTE, MORE_OPTIONS, OPTIONS
from tests.worlds import LOOKS, eager, rich_deck

CASES: list[tuple[str, str, dict[str, Any]]] = [
    *((name, preset, {}) for name, info in variants().items() for preset in info.presets),
    *(("two_pack", "standard", options) for options in OPTIONS),
    *((name, variants()[name].default_preset, o) for name, many in MORE_OPTIONS.items() for o in many),
    *BELOTE[-4:],
]


def _decks(rules: Any, rng: np.random.Generator) -> list[str] | None:
    if rules.family.name != "bezique" or len(rules.pack) < 64 or rng.random() < 0.3:
        return None
    return rich_deck(rules, int(rng.integers(2**31)), str(rng.choice(sorted(LOOKS))))


def _choose(game: Game, rng: np.random.Generator) -> int:
    """Prefers declarations, and passes seldom, so that deals are long and scores high."""
    legal, lively = game.legal_actions(), eager(game)
    return int(rng.choice(lively if lively and rng.random() < 0.9 else legal))


@pytest.mark.parametrize(("variant", "preset", "options"), CASES)
def test_no_deal_exceeds_the_limits(variant: str, preset: str, options: dict[str, Any]) -> None:
    rules = get_rules(variant, preset, options)
    limits = rules.family.limits(rules.vector)
    rng = np.random.default_rng([len(variant), len(preset), len(options)])
    for _ in range(4 if rules.shape.packs > 2 else 15):
        game = Game(variant, rules=rules, seed=int(rng.integers(2**32)), deck=_decks(rules, rng))
        decisions, annulled = 0, 0
        while not game.is_over:
            deals = len(game.deals)
            game.apply(_choose(game, rng))
            decisions += 1
            if len(game.deals) > deals:
                assert decisions <= limits.annulled, game.deals[-1]
                annulled, decisions = annulled + 1, 0
        assert decisions <= limits.decisions
        assert annulled == 0 or limits.annulled > 0
        for reward, most in (
            ("score_difference", limits.points),
            ("dense", limits.points),
            ("settlement", limits.payment),
            ("win", limits.wins),
        ):
            assert abs(game.returns(reward)[0]) <= most, reward


def test_limits_are_exact_where_they_can_be_counted() -> None:
    """One window for each trick from the stock; every bezique and marriage that eight cards allow."""
    rules = get_rules("mini_bezique", "qj3")
    limits = rules.family.limits(rules.vector)
    tricks = (len(rules.pack) - 2 * 3) // 2
    assert limits.decisions == len(rules.pack) + tricks * 3
    assert (limits.annulled, limits.wins) == (0, 1)
