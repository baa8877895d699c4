"""The Belote referee alone: the number of auctions and facts that do not need the engine."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.referee.belote import CARDS, PRESETS, TWO_HANDED, Match, card_points, settled

DECK = CARDS[:12] + CARDS[20:] + CARDS[12:20]


def auctions(options: dict[str, Any]) -> list[tuple[str, ...]]:
    """All complete auctions of a hand, in the order of its actions."""
    found = []
    open_ones: list[tuple[str, ...]] = [()]
    while open_ones:
        said = open_ones.pop()
        match = Match(options, lambda number: DECK, 0, single=True, given=True)
        for text in said:
            match.apply(text)
        if match.is_over or match.deal.taker is not None:
            found.append(said)
            continue
        open_ones += [(*said, text) for text in match.legal()]
    return found


@pytest.mark.parametrize(
    ("options", "number"),
    [
        ({}, 14),
        ({"r2_elder_actions": "named"}, 17),
        ({"r2_elder_actions": "named", "r2_dealer_may_propose": True}, 21),
        ({"all_pass": "dealer_forced"}, 13),
        ({"schmeiss": "off", "r2_elder_actions": "named"}, 9),
        ({"schmeiss": "off", "r2_elder_actions": "named", "all_pass": "dealer_forced"}, 8),
    ],
)
def test_complete_auctions(options: dict[str, Any], number: int) -> None:
    """14 by the letter, 17 where elder may name in round 2 (section 2.2); the others by hand from there."""
    assert len(set(auctions(options))) == number


def test_the_pack_counts_152() -> None:
    """62 in trumps and 30 in each plain suit."""
    for trump in range(4):
        assert sum(card_points(card, trump) for card in range(32)) == 152


def test_settlement_of_failed_deals() -> None:
    """The forms of section 2.8 and its options, by hand: taker 70 with his pair, opponent 92."""
    for options, gets, held in [
        ({}, (0, 162), 0),
        ({"two_hand_fail": "taker_loses_only"}, (0, 92), 0),
        ({"belote_prenable": False}, (20, 142), 0),
        ({"belote_prenable": False, "two_hand_fail": "taker_loses_only"}, (20, 92), 0),
        ({"rounding": "up5"}, (0, 160), 0),
    ]:
        assert settled({**TWO_HANDED, **options}, (70, 92), pair=20) == (gets, held)
    for options, gets, held in [
        ({}, (0, 81), 0),
        ({"two_hand_tie": "hold_over"}, (0, 81), 81),
        ({"two_hand_tie": "hold_over", "belote_prenable": False}, (20, 81), 61),
        ({"two_hand_tie": "fall"}, (0, 162), 0),
        ({"two_hand_tie": "fall", "two_hand_fail": "taker_loses_only"}, (0, 81), 0),
    ]:
        assert settled({**TWO_HANDED, **options}, (81, 81), pair=20) == (gets, held)
    assert settled({**TWO_HANDED, "rounding": "up5"}, (85, 65), held=33) == ((123, 70), 0)
    assert settled({**TWO_HANDED, "rounding": "down5"}, (85, 65), held=33) == ((113, 60), 0)


@pytest.mark.parametrize("preset", PRESETS)
def test_no_card_and_no_point_is_lost(preset: str) -> None:
    """At every decision every card is in one place and the scores are the sum of the events."""
    rng = random.Random(5)
    for dealer in [0, 1] * 20:
        match = Match(PRESETS[preset], lambda number: rng.sample(CARDS, 32), dealer, single=True)
        while not match.is_over:
            match.apply(rng.choice(match.legal()))
            match.deal.check()
            assert match.is_over or match.legal()


def test_presets_are_options() -> None:
    """Every preset overrides options that there are."""
    assert all(set(values) <= set(TWO_HANDED) for values in PRESETS.values())
