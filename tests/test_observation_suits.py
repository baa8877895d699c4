"""Other names for the suits move the numbers about suits within their columns, and no others."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

from bezique_env import Game
from bezique_env.encoding import (
    observation_fields,
    observation_size,
    other_columns,
    suit_columns,
)
from bezique_env.encoding.rows import encode_row
from bezique_env.rules import RulesError, get_rules, variants

PRESETS = {"mini_bezique": "kqj4"}
"""Those in whose games tables turn up; elsewhere the first."""
GAMES: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in variants()),
    ("two_pack", {"selection": "explicit"}),
    ("rubicon", {"selection": "explicit"}),
    ("fildinski", {"fildinski_reuse": "by_class"}),
]
CARDS_BY_NUMBER = ("hand", "known", "unseen", "won")
ONE_CARD = ("table_card", "trick_card", "turn_up", "bottom", "bezique_q", "bezique_j")
ONE_SUIT = ("trump", "last_trump")
MASKS = ("hand", "known", "unseen", "absent", "played", "won", "shown")
CODES = ("slots_own", "slots_opp")
"""Fields that tell cards by a code."""


def renamed(view: Any, suits: np.ndarray[Any, Any], family: str) -> Any:
    """The view if suit s were called ``suits[s]``."""
    cards = np.array([8 * suits[c >> 3] + (c & 7) for c in range(32)])
    other = view.copy()
    fields = set(view.dtype.names)
    for name in fields & set(ONE_CARD):
        old = view[name]
        other[name] = np.where(old < 32, cards[np.minimum(old, 31)], old)
    for name in fields & set(ONE_SUIT):
        old = view[name]
        other[name] = np.where(old < 4, suits[np.minimum(old, 3)], old)
    if family == "belote":
        for name in MASKS:
            old = view[name].astype(np.int64)
            other[name] = sum(((old >> (8 * s)) & 255) << (8 * int(suits[s])) for s in range(4))
        named = (view["bids"] >= 37) & (view["bids"] < 41)  # name S to C
        other["bids"] = np.where(
            named, 37 + suits[np.clip(view["bids"].astype(int) - 37, 0, 3)], view["bids"]
        )
        return other
    for name in CARDS_BY_NUMBER:
        other[name][..., cards] = view[name]
    for first in (64, 68):  # marriage, sequence
        if first <= view["sel_action"][0] < first + 4:
            other["sel_action"] = first + suits[view["sel_action"] - first]
    return other


def views_of(variant: str, overrides: dict[str, Any]) -> list[Any]:
    """Views of both seats along games that keep cards for declarations, make them, and name suits."""
    found = []
    for seed in range(30 if variant.startswith(("mini", "fildinski")) else 6):
        rng = np.random.default_rng(seed)
        game = Game(variant, rules=PRESETS.get(variant), overrides=overrides, seed=seed)
        bezique = game.rules.family.name == "bezique"
        while not game.is_over:
            if game.phase in ("select", "declare", "bid") or rng.random() < 0.3:
                found += [game.view_record(0), game.view_record(1)]
            legal = game.legal_actions()
            wanted = [a for a in legal if (64 <= a < 95 if bezique else 37 <= a < 41)]
            low = [a for a in legal if bezique and a < 32 and a & 7 < 3]
            game.apply(int(rng.choice(wanted if wanted and rng.random() < 0.9 else low or legal)))
        found += [game.view_record(0), game.view_record(1)]
    return found


@functools.cache
def kept_fields(variant: str) -> np.ndarray[Any, Any]:
    """The other columns that tell no card."""
    coded = [k for f in observation_fields(variant) if f.name in CODES for k in range(f.start, f.stop)]
    return np.setdiff1d(other_columns(variant), coded)


@pytest.mark.parametrize(("variant", "overrides"), GAMES)
def test_other_names_of_suits_move_their_numbers(variant: str, overrides: dict[str, Any]) -> None:
    family = get_rules(variant).family.name
    columns, others = suit_columns(variant), kept_fields(variant)
    rng = np.random.default_rng(3)
    row, moved = np.zeros((2, observation_size(variant)), np.float32)
    seen = np.zeros(observation_size(variant), np.bool_)
    for view in views_of(variant, overrides):
        suits = rng.permutation(4)
        encode_row(view, 0, row)
        encode_row(renamed(view, suits, family), 0, moved)
        assert np.array_equal(moved[columns[suits]], row[columns])
        assert np.array_equal(moved[others], row[others])
        seen |= row != 0
    fields = {
        f.name for f in observation_fields(variant) if np.isin(columns, np.arange(f.start, f.stop)).any()
    }
    told = {
        f.name
        for f in observation_fields(variant)
        if seen[columns[(columns >= f.start) & (columns < f.stop)]].any()
    }
    rare = {"hand_four", "last_trump", "bottom", "shown"}
    if "selection" not in overrides:
        rare |= {"selection"}
    if variant.startswith("mini"):
        rare |= {"known_own", "known_opp"}
    by_class = "fildinski_reuse" in overrides
    reuse = {"served_now"} if by_class else {"line_now", "bezique_now"}
    rare |= (
        {f"{name}_{seat}" for name in reuse for seat in ("own", "opp")} if variant == "fildinski" else set()
    )
    assert fields - told <= rare, "the games of the test must show every field"


@pytest.mark.parametrize("variant", list(variants()))
def test_every_number_is_of_suits_or_of_the_rest(variant: str) -> None:
    columns, others = suit_columns(variant), other_columns(variant)
    assert columns.dtype == others.dtype == np.int64
    assert columns.shape[0] == 4
    both = np.concatenate([columns.ravel(), others])
    assert np.array_equal(np.sort(both), np.arange(observation_size(variant)))
    assert not columns.flags.writeable and not others.flags.writeable
    for field in observation_fields(variant):  # a place about spades has its three others in the same field
        inside = (columns >= field.start) & (columns < field.stop)
        assert np.all(inside.all(axis=0) == inside.any(axis=0))


def test_an_unknown_variant_has_no_columns() -> None:
    for function in (suit_columns, other_columns):
        with pytest.raises(RulesError, match="whist"):
            function("whist")
