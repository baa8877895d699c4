"""Engine and referee play random games of Belote in step: every decision, view, event and result agrees.

Each game plays a preset, one option value, or a random combination; half of the decks are set so that runs,
fours, pairs and sevens meet in both hands. The quick form runs always, the long one is marked slow and also
proves that every branch of the rules was reached.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from bezique_env.game import Game
from bezique_env.rules import fields, get_rules, settle, variants
from tests.referee import belote
from tests.referee.belote import CARDS, COUNTERS, PRESETS, RANKS, SUITS, TWO_HANDED, settled
from tests.referee.compare import Difference
from tests.referee.compare_belote import (
    Pair,
    check_dict,
    check_record,
    check_resampled,
    go_on_from,
    position_of,
)
from tests.test_differential_rare_belote import CASES, run, ties_in_a_row

# ------------------------------------------------------------------------------------- how games are played

ELDER = [0, 1, 2, 6, 7, 8, 13, 14, 15]
"""Places of elder's hand in the deck."""
DEALER = [3, 4, 5, 9, 10, 11, 16, 17, 18]
WORDS = {"announce": 0.85, "exchange": 0.7, "belote": 0.6, "refuse": 0.6}
"""How often a word is said where it can be; otherwise any action is as likely as another."""


def choose(rng: random.Random, legal: list[str], bid: str) -> str:
    """A biased choice, so that most declarations are made.

    Args:
        rng: Of the choices.
        legal: What may be done.
        bid: ``accept`` or ``pass``, said at half of the bids.
    """
    if len(legal) > 1:
        for word, often in WORDS.items():
            if word in legal and rng.random() < often:
                return word
        if bid in legal and "announce" not in legal and "exchange" not in legal and rng.random() < 0.5:
            return bid
    return rng.choice(legal)


def run_of(rng: random.Random, suit: str) -> list[str]:
    """A run of three to eight cards."""
    length = rng.choice([3, 3, 3, 4, 4, 5, 5, 6, 7, 8])
    first = rng.randrange(9 - length)
    return [rank + suit for rank in RANKS[first : first + length]]


def wanted(rng: random.Random) -> tuple[list[str], list[str], str | None]:
    """Cards for elder, cards for the dealer, and the turn-up where it matters."""
    one, two = rng.sample(SUITS, 2)
    kind = rng.randrange(7)
    if kind == 0:
        return run_of(rng, one), run_of(rng, two), None
    if kind == 1:  # the same run in two suits, of which one may be trumps
        ranks = [card[0] for card in run_of(rng, one)]
        third = next(suit for suit in SUITS if suit not in (one, two))
        turned = rng.choice(
            [rank + suit for rank in RANKS for suit in (one, third) if rank not in ranks] or [None]
        )
        return [rank + one for rank in ranks], [rank + two for rank in ranks], turned
    if kind == 2:
        first, second = rng.sample("9TJQKA", 2)
        return [first + suit for suit in SUITS], [second + suit for suit in SUITS], None
    if kind == 3:
        suit, rank = two, rng.choice("9TJQKA")
        theirs = [card for card in run_of(rng, suit) if card[0] != rank]
        return [rank + suit for suit in SUITS], theirs, None
    if kind == 4:  # a turned court card of trumps, which the seven may fetch
        return ["7" + one, rng.choice(["Q", "T"]) + one], [], rng.choice("KJ") + one
    if kind == 5:
        return ["K" + one, "Q" + one], run_of(rng, two), rng.choice("789TJA") + one
    trumps = [rank + one for rank in "J9ATKQ8"]
    return [*trumps, "A" + two], [], "7" + one


def rich_deck(rng: random.Random) -> list[str]:
    """A deck that gives both hands something to declare."""
    elder, dealer, turn_up = wanted(rng)
    places = [ELDER, DEALER] if rng.random() < 0.5 else [DEALER, ELDER]
    deck: list[str | None] = [None] * 32
    if turn_up is not None:
        deck[12] = turn_up
    for hand, free in zip((elder, dealer), places, strict=True):
        for place, card in zip(rng.sample(free, len(hand)), hand, strict=True):
            deck[place] = card
    rest = [card for card in CARDS if card not in deck]
    rng.shuffle(rest)
    return [card or rest.pop() for card in deck]


@dataclass
class Tally:
    """What was played."""

    games: int = 0
    decisions: int = 0


def play(
    options: dict[str, Any],
    seed: int,
    tally: Tally,
    counters: Counter[str],
    referee: dict[str, Any] | None = None,
    readable: int = 200,
) -> None:
    """Play one random game through both implementations.

    Args:
        options: Option values that differ from ``two_handed``.
        seed: Of the choices and the decks.
        tally: Where games and decisions are counted.
        counters: Where branches are counted.
        referee: Other options for the referee.
        readable: The readable views are compared and a world is resampled at one decision of so many; the
            record is compared for one game of so many.
    """
    rng = random.Random(seed)
    episode = "match" if rng.random() < 0.3 else "deal"
    deck = rich_deck(rng) if rng.random() < 0.6 else None
    draws = rng.choice(["shared", "queues"])
    pair = Pair(options, seed, episode, deck, rng.randrange(2), counters, referee, draws)
    bid = rng.choice(["accept", "pass"])
    tally.games += 1
    look_at = rng.randrange(readable)
    while not pair.is_over:
        pair.apply(choose(rng, pair.legal(), bid))
        tally.decisions += 1
        if tally.decisions % readable == look_at:
            check_dict(pair)
            check_resampled(pair, tally.games % 2, tally.decisions)
    if tally.games % readable == look_at:
        check_record(pair)


def companions(options: dict[str, Any]) -> dict[str, Any]:
    """Change what does not go together."""
    if options.get("schmeiss") == "off":
        options |= {"r2_elder_actions": "named", "r2_dealer_may_propose": False}
    if options.get("belote_auto") and options.get("belote_call_deadline") == "both_words":
        options |= {"belote_auto": False}
    return options


NUMBERS = {"target": [50, 100, 200, 500], "max_redeals": [0, 1, 2, 1000]}
VALUES = {info.name: info.allowed or NUMBERS[info.name] for info in fields("belote")}


def single_options() -> Iterator[dict[str, Any]]:
    """Every value of every option on ``two_handed``."""
    for name, values in VALUES.items():
        for value in values:
            yield companions({name: value})


def random_options(rng: random.Random) -> dict[str, Any]:
    """A random combination of options that is possible."""
    return companions(
        {info.name: rng.choice(info.allowed or NUMBERS[info.name]) for info in fields("belote")}
    )


def all_settings(seed: int, combinations: int) -> Iterator[dict[str, Any]]:
    """Presets, single option values, and random combinations."""
    rng = random.Random(seed)
    yield from PRESETS.values()
    yield from single_options()
    for _ in range(combinations):
        yield random_options(rng)


# ------------------------------------------------------------------------------------------------ the tests


def test_the_presets_are_those_of_the_rules_page() -> None:
    """The referee has its own table of presets; it says the same as the engine's."""
    found = variants()["belote"].presets
    assert list(found) == list(PRESETS)
    assert {info.name for info in fields("belote")} == set(TWO_HANDED)
    for name, values in PRESETS.items():
        rules = get_rules("belote", name)
        assert {option: getattr(rules, option) for option in TWO_HANDED} == {**TWO_HANDED, **values}


def test_engine_and_referee_agree() -> None:
    """All presets, all option values and a sample of combinations."""
    tally, counters = Tally(), Counter[str]()
    for number, options in enumerate(all_settings(1, 60)):
        play(options, 1000 + number, tally, counters, readable=10)
    for number, options in enumerate(PRESETS.values()):
        for extra in range(5):
            play(options, 2000 + 10 * number + extra, tally, counters, readable=10)
    assert tally.decisions > 5_000
    assert set(counters) <= set(COUNTERS)


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        ({}, {"run_tie": "elder_wins"}),
        ({}, {"seq_length_breaks_tie": True}),
        ({}, {"two_hand_fail": "taker_loses_only"}),
        ({}, {"belote_call_deadline": "first_card"}),
        ({}, {"accepted_redeal_dealer": "next"}),
        ({"show_winning_sequences": False}, {"show_winning_sequences": True}),
        ({"exchange_window": "until_first_lead"}, {"exchange_window": "after_3_cards_before_announce"}),
        ({"four_of_a_kind": "french"}, {"four_of_a_kind": "swiss"}),
    ],
)
def test_a_wrong_rule_is_seen(options: dict[str, Any], wrong: dict[str, Any]) -> None:
    """The comparison can fail: a referee that plays one rule wrongly is caught."""
    with pytest.raises(Difference):
        for seed in range(400):
            play(options, seed, Tally(), Counter(), referee={**options, **wrong})


def test_a_mutated_referee_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same with the referee's own code changed: a trump lead need not be beaten."""
    free = dict(enumerate([0xFFFFFFFF] * 32))
    monkeypatch.setattr(belote, "HIGHER_TRUMP", free)
    with pytest.raises(Difference):
        for seed in range(20):
            play({}, seed, Tally(), Counter())


def test_games_go_on_from_positions() -> None:
    """A decision written down as a position plays on like the game that it was taken from."""
    decisions = 0
    for number, options in enumerate(all_settings(2, 40)):
        rng = random.Random(number)
        pair = Pair(options, number, deck=rich_deck(rng), dealer=rng.randrange(2))
        for _ in range(rng.randrange(20)):
            if not pair.is_over:
                pair.apply(choose(rng, pair.legal(), "accept"))
        if not pair.is_over:
            game = Game.from_position(position_of(pair))
            decisions += go_on_from(pair, game, lambda legal, rng=rng: choose(rng, legal, "accept"))
    assert decisions > 1_000


def test_settlements_agree() -> None:
    """Every settlement over all its options, equal, near-equal and small totals included."""
    rng = random.Random(4)
    for tie in VALUES["two_hand_tie"]:
        for fail in VALUES["two_hand_fail"]:
            for kept in (False, True):
                for rounding in VALUES["rounding"]:
                    options = {
                        "two_hand_tie": tie,
                        "two_hand_fail": fail,
                        "belote_prenable": kept,
                        "rounding": rounding,
                    }
                    rules = get_rules("belote", None, options)
                    for _ in range(50):
                        taker = rng.randrange(20, 260)
                        other = rng.choice([taker, taker - 1, taker + 1, rng.randrange(260)])
                        pair = rng.choice([0, 20])
                        held = rng.choice([0, 81]) if tie == "hold_over" else 0
                        (gets, rest), _ = settled({**TWO_HANDED, **options}, (taker, other), pair, held)
                        found = settle(rules, (other, taker), taker=1, pairs=(0, pair), held=held)
                        assert found == (rest, gets), (options, taker, other, pair, held)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_million_decisions_agree() -> None:
    """At least a million decisions; with the rare cases, every branch of the rules is reached."""
    tally, counters = Tally(), Counter[str]()
    seed = 0
    while tally.decisions < 1_000_000:
        for options in all_settings(seed, 400):
            play(options, 10_000 + seed, tally, counters)
            seed += 1
    assert tally.decisions >= 1_000_000
    print(f"{tally.games} games, {tally.decisions} decisions")
    for case in CASES:
        run(case, counters)
    ties_in_a_row(counters, {"two_hand_tie": "hold_over"}, 2, first=200)
    assert [name for name in COUNTERS if not counters[name]] == []
    assert set(counters) <= set(COUNTERS)
