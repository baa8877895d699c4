"""Small packs: wrong decks, hands, presets, options and positions are refused, and right positions go on."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from bezique_env import make_batch
from bezique_env.game import Game, IllegalAction
from bezique_env.position import PositionError
from bezique_env.record import RecordError
from bezique_env.rules import RulesError, get_rules
from bezique_env.rules.families import all_variants
from bezique_env.rules.family import Pack
from tests.referee import compare
from tests.referee.compare_belote import go_on_from, position_of
from tests.test_mini_differential import BELOTE, BEZIQUE, new_pair
from tests.worlds_mini import SIZES

QJ = ["JS", "JS", "QS", "QS", "JD", "JD", "QD", "QD"]
LEAD: dict[str, Any] = {
    "variant": "mini_bezique",
    "rules": "qj2",
    "phase": "lead",
    "to_act": 0,
    "dealer": 1,
    "turn_up": "QD",
    "hands": [["JS", "QS"], ["JD", "QD"]],
    "stock": ["JS", "QS", "JD"],
}
PLAY: dict[str, Any] = {
    "variant": "mini_belote",
    "rules": "jqka3",
    "phase": "lead",
    "to_act": 0,
    "dealer": 1,
    "turn_up": "QH",
    "bottom": "AS",
    "bids": ["accept"],
    "hands": [["JS", "KS", "JH"], ["KH", "AH", "QS"]],
}


@pytest.mark.parametrize(
    ("preset", "deck", "words"),
    [
        ("qj3", [*QJ[:-1], "AS"], "each of JS QS JD QD 2 times, but has AS 1 times, QD 1 times"),
        ("qj3", QJ[:-1], "deck of 7 cards must hold each of JS QS JD QD 2 times, but has QD 1 times"),
        ("qj3", [*QJ, "AS"], "deck of 9 cards"),
        ("kqj4", QJ, "each of JS QS KS JD QD KD 2 times, but has KS 0 times"),
        ("jqk2", QJ[:6], "each of JS QS KS JH QH KH once, but has JS 2 times"),
        ("jqka3", ["JS"] * 8, "each of JS QS KS AS JH QH KH AH once"),
        ("qj3", [*QJ[:-1], "SQ"], "SQ"),
    ],
)
def test_a_wrong_deck_is_refused(preset: str, deck: list[str], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Game(SIZES[preset], rules=preset, deck=deck)


def test_an_unknown_size_is_refused() -> None:
    with pytest.raises(RulesError, match="unknown preset 'qj4' of mini_bezique: known are qj3, qj2, kqj4"):
        Game("mini_bezique", rules="qj4")
    with pytest.raises(RulesError, match=r"unknown variant 'mini_bezque'.*did you mean 'mini_bezique'"):
        get_rules("mini_bezque")
    with pytest.raises(RulesError, match="unknown preset 'qj3' of two_pack"):
        Game("two_pack", rules="qj3")
    with pytest.raises(RulesError, match="unknown preset 'jqk2' of mini_bezique"):
        make_batch("mini_bezique", num_games=1, rules="jqk2")


@pytest.mark.parametrize(
    ("variant", "option", "value", "words"),
    [
        ("mini_bezique", "deck", "QJ", "unknown option 'deck'"),
        ("mini_bezique", "hand", 2, "unknown option 'hand'"),
        ("mini_bezique", "dix_score", "on_show", "'dix_score' has no meaning in mini_bezique"),
        ("mini_bezique", "target", 20, "target: 20 is not allowed"),
        ("mini_belote", "exchange_seven", "optional", "'exchange_seven' has no meaning in mini_belote"),
        ("mini_belote", "schmeiss", "on", "'schmeiss' has no meaning in mini_belote"),
    ],
)
def test_options_that_mean_nothing_are_refused(variant: str, option: str, value: Any, words: str) -> None:
    with pytest.raises(RulesError, match=words):
        get_rules(variant, None, {option: value})


def test_cards_that_are_in_no_pack_are_refused() -> None:
    game = Game("mini_bezique", rules="qj3", deck=QJ, dealer=1)
    before = game.save()
    for action in ("play AS", "play QD", "marriage S", "seven", "four Q"):
        with pytest.raises(IllegalAction) as error:
            game.apply(action)
        assert error.value.legal == ["play JS", "play QS", "play JD"]
    assert game.save() == before


def test_a_record_of_another_size_is_refused() -> None:
    game = Game("mini_bezique", rules="qj3", deck=QJ, dealer=1)
    record = game.to_record()
    assert Game.replay(record).hand(0) == game.hand(0)
    record["rules"]["preset"] = "qj2"
    with pytest.raises(RecordError, match="rules hash"):
        Game.replay(record)
    record["rules_hash"] = get_rules("mini_bezique", "qj2").hash
    record["deals"][0]["deck"] = ["KS", *QJ[1:]]
    with pytest.raises(RecordError, match="each of JS QS JD QD 2 times"):
        Game.replay(record)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"hands": [["JS", "QS"], ["JD", "AD"]]}, "each card of JS QS JD QD exists 2 times, .* AD 1 times"),
        ({"hands": [["JS", "QS"], ["JD", "JD"]]}, "JD 3 times"),
        (
            {"hands": [["JS", "QS", "JS"], ["JD", "QD", "JD"]], "stock": ["QS"]},
            "3 cards, at most 2 are possible",
        ),
        ({"turn_up": "KD"}, "KD 1 times"),
        ({"rules": "qj9"}, "unknown preset 'qj9'"),
        ({"won": [["7S"], []]}, "7S 1 times"),
    ],
)
def test_an_impossible_position_of_bezique_is_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(PositionError, match=words):
        Game.from_position({**LEAD, **changes})


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"hands": [["JS", "KS", "7H"], ["KH", "AH", "QS"]]},
            "7H: not in the pack of these rules, which is JS QS KS",
        ),
        ({"hands": [["JS", "KS", "JH", "KH"], ["AH", "QS"]]}, "seat 0 holds 4 cards, not 3"),
        ({"bottom": "TS"}, "TS: not in the pack"),
        ({"rules": "jqk2"}, "AH, AS: not in the pack of these rules, which is JS QS KS JH QH KH"),
        ({"bids": ["pass", "pass", "name D"]}, "'name D' is not legal"),
    ],
)
def test_an_impossible_position_of_belote_is_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(PositionError, match=words):
        Game.from_position({**PLAY, **changes})


@pytest.mark.parametrize("preset", BEZIQUE)
def test_bezique_goes_on_from_positions(preset: str) -> None:
    """At random leads of the stock phase all is written down as a position, which both implementations play on."""
    decisions = 0
    for seed in range(40):
        rng = random.Random(seed)
        first = new_pair(preset, {}, seed, dealer=seed % 2)
        for _ in range(rng.randrange(7)):
            if not first.is_over:
                first.apply(rng.choice(first.legal()))
        while not first.is_over and first.match.deal.phase not in ("lead", "endgame_lead"):
            first.apply(rng.choice(first.legal()))
        deal = first.match.deal
        if first.is_over or any(
            deal.tables
        ):  # melds on a table have a form of their own, tested with two packs
            continue
        position = {
            "variant": "mini_bezique",
            "rules": {"preset": preset, "overrides": {}},
            "phase": "endgame" if deal.in_endgame else "lead",
            "to_act": deal.seat_to_act,
            "dealer": deal.dealer,
            "trump": deal.trump,
            "turn_up": deal.turn_up.text if deal.turn_up else None,
            "hands": [[card.text for card in hand] for hand in deal.hands],
            "known": [[card.text for card in hand if card.known] for hand in deal.hands],
            "won": [[card.text for card in pile] for pile in deal.won],
            "stock": [card.text for card in deal.stock],
            "scores": list(deal.scores),
        }
        second = compare.Pair(
            {}, position={name: value for name, value in position.items() if value is not None}
        )
        while not second.is_over:
            text = rng.choice(second.legal())
            assert first.legal() == second.legal()
            assert [event[1:] for event in first.apply(text)] == [event[1:] for event in second.apply(text)]
            decisions += 1
        assert first.match.totals == second.match.totals
    assert decisions > 60


@pytest.mark.parametrize("preset", BELOTE)
def test_belote_goes_on_from_positions(preset: str) -> None:
    decisions = 0
    for seed in range(40):
        rng = random.Random(seed)
        pair = new_pair(preset, {}, seed, dealer=seed % 2)
        for _ in range(rng.randrange(7)):
            if not pair.is_over:
                pair.apply(rng.choice(pair.legal()))
        if pair.is_over:
            continue
        position = {
            **position_of(pair),
            "variant": "mini_belote",
            "rules": {"preset": preset, "overrides": {}},
        }
        decisions += go_on_from(
            pair, Game.from_position(position), lambda legal, rng=rng: rng.choice(sorted(legal))
        )
    assert decisions > 60


def test_rows_of_a_batch_take_decks_of_their_size() -> None:
    batch = make_batch("mini_bezique", num_games=2, rules="qj3", seed=1)
    pack = get_rules("mini_bezique", "qj3").pack
    batch.set_decks([pack, pack[::-1]], [1, 1])
    assert batch.game(0).hand(0) == ["JS", "QS", "JD"]
    with pytest.raises(ValueError, match=r"decks have the shape \(2, 16\)"):
        batch.set_decks([[*pack, *pack]] * 2, [1, 1])
    assert Counter(batch.game(1).hand(0) + batch.game(1).hand(1))["QD"] == 2


@pytest.mark.parametrize(
    ("pack", "words"),
    [
        (Pack(3, "AKQJT", "SD"), ["20 cards", "at most 16"]),
        (Pack(7, "AKQJ", "SD"), ["hands of 7", "hands of 6"]),
        (Pack(5, "QJ", "SD"), ["8 cards", "hands of 5", "2 seats"]),
        (Pack(0, "QJ", "SD"), ["hands of 0"]),
        (Pack(3, "QJX", "SD"), ["'X' is no rank"]),
        (Pack(3, "QJ", "SE"), ["'E' is no rank", "no suit"]),
    ],
)
def test_a_pack_that_the_records_cannot_hold_is_refused(
    pack: Pack, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    presets = all_variants()["mini_bezique"].presets
    preset = {"title": "too large", "sources": ("DESIGN",), "values": {}, "pack": pack}
    monkeypatch.setitem(presets, "large", preset)  # type: ignore[arg-type]
    with pytest.raises(RulesError) as refusal:
        get_rules("mini_bezique", "large")
    for word in [*words, "mini_bezique large"]:
        assert word in str(refusal.value)
