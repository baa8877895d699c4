"""The engine against the referee: the same random games through both, everything compared at every decision.

The referee (``tests/referee/two_pack.py``) is a second implementation in plain Python, written from the rules
and not from the kernels. At every decision these must agree: who is to act, the phase, the legal set, the
events of the last action, the scores, and what both seats see.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from bezique_env.rules import fields, get_rules, variants
from tests.referee.compare import CARDS, TEXTS, Difference, Pair, check_dict
from tests.referee.two_pack import COUNTERS, PRESETS, STANDARD, Referee
from tests.test_differential_rare import CASES, POSITIONS, a_turned_seven_ends_it, run

WITHOUT_TURN_UP = {"dix_score": "none", "dealer_seven": 0}

# ------------------------------------------------------------------------------------- how games are played

NON_DEALER = [0, 1, 2, 6, 7, 10, 11, 12]
"""Places of the non-dealer's hand in a deck dealt 3-2-3."""
DEALER = [3, 4, 5, 8, 9, 13, 14, 15]
CHEAP = {f"play {rank}{suit}" for rank in "789" for suit in "SHDC"}
DECLARING = frozenset(TEXTS[64:95])


def choose(rng: random.Random, legal: list[str], hoard: bool) -> str:
    """A biased choice: declares with probability 0.7, and when hoarding gives away the low cards first."""
    declarations = [text for text in legal if text in DECLARING]
    if declarations and rng.random() < 0.7:
        return rng.choice(declarations)
    if hoard and len(legal) > 1:
        cheap = [text for text in legal if text in CHEAP]
        if cheap and rng.random() < 0.85:
            return rng.choice(cheap)
    return rng.choice(legal)


def rich_deck(rng: random.Random) -> list[str]:
    """A deck whose first cards are mostly those of few melds, so that the large melds happen."""
    deck = CARDS * 2
    rng.shuffle(deck)
    trump = rng.choice("SHDC")
    wanted = rng.choice(
        [
            ["QS", "JD"],
            ["QS", "JD", "QC", "JH"],
            [rank + trump for rank in "ATKQJ"],
            [rank + trump for rank in "ATKQJ"] + ["QS", "JD"],
            [rank + suit for rank in "KQ" for suit in "SHDC"],
            [rank + suit for rank in rng.choice(["A", "T", "K", "Q", "J"]) for suit in "SHDC"],
            ["Q" + trump, "J" + {"S": "D", "H": "C", "D": "S", "C": "H"}[trump], "K" + trump],
            ["7" + trump],
        ]
    )
    places = rng.choice([NON_DEALER, DEALER, list(range(16)), list(range(28))])
    front = [card for card in deck if card in wanted][: len(places)]
    rest = deck.copy()
    for card in front:
        rest.remove(card)
    first = dict(zip(rng.sample(places, len(front)), front, strict=True))
    left = iter(rest)
    deck = [first.get(place) or next(left) for place in range(64)]
    for place in range(17, 64):  # the turn-up fixes the trump that the hands were dealt for
        if deck[place][1] == trump and place not in first:
            deck[16], deck[place] = deck[place], deck[16]
            break
    return deck


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
) -> None:
    """Play one random game through both implementations.

    Args:
        options: Option values that differ from ``standard``.
        seed: Of the choices and the decks.
        tally: Where games and decisions are counted.
        counters: Where branches are counted.
        referee: Other options for the referee.
    """
    rng = random.Random(seed)
    episode = "match" if options.get("trump_repeat") == "forbidden" or rng.random() < 0.3 else "deal"
    deck = rich_deck(rng) if rng.random() < 0.5 else None
    pair = Pair(
        options, seed, episode, rng.choice(["shared", "queues"]), deck, rng.randrange(2), counters, referee
    )
    hoard = rng.random() < 0.5
    tally.games += 1
    look = rng.randrange(200)
    while not pair.is_over:
        legal = pair.legal()
        pair.apply(choose(rng, legal, hoard))
        tally.decisions += 1
        if tally.decisions % 200 == look:
            check_dict(pair)


def single_options() -> Iterator[dict[str, Any]]:
    """Every value of every option on ``standard``, with companions where the value needs them."""
    numbers = {"target": [100, 150, 300, 1000, 2000], "double_win_under": [0, 100, 500, 2000]}
    for info in fields("two_pack"):
        for value in info.allowed or numbers[info.name]:
            options = {info.name: value}
            if info.name == "trump" and value != "turn_up":
                options |= WITHOUT_TURN_UP
                if value == "first_marriage_sequence_or_bezique":
                    options["bezique_pair"] = "trump_queen"
            if info.name == "trump_repeat" and value == "forbidden":
                options |= WITHOUT_TURN_UP | {"trump": "first_marriage"}
            yield options


def random_options(rng: random.Random) -> dict[str, Any]:
    """A random combination of options that is possible."""
    options: dict[str, Any] = {}
    for info in fields("two_pack"):
        if info.name == "target":
            options[info.name] = rng.choice([100, 150, 200, 300, 500, 1000])
        elif info.name == "double_win_under":
            options[info.name] = rng.choice([0, 50, 100, 300, 500])
        else:
            assert info.allowed is not None
            options[info.name] = rng.choice(info.allowed)
    if rng.random() < 0.4:
        options["trump"] = "turn_up"
    if options["trump"] == "turn_up":
        options["trump_repeat"] = "allowed"
    else:
        options |= WITHOUT_TURN_UP
    if options["trump"] == "first_marriage_sequence_or_bezique":
        options["bezique_pair"] = "trump_queen"
    if options["meld_groups"] == "three":
        options["seq_then_marriage"] = "both_fresh"
    return options


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
    found = variants()["two_pack"].presets
    assert list(found) == list(PRESETS)
    for name, values in PRESETS.items():
        assert found[name].values == {**STANDARD, **values}
        rules = get_rules("two_pack", name)
        assert {option: getattr(rules, option) for option in STANDARD} == {**STANDARD, **values}


def test_engine_and_referee_agree() -> None:
    """All presets, all option values and a sample of combinations, one to three games each."""
    tally, counters = Tally(), Counter[str]()
    for number, options in enumerate(all_settings(1, 60)):
        play(options, 1000 + number, tally, counters)
    for number, options in enumerate(PRESETS.values()):
        for extra in range(3):
            play(options, 2000 + 10 * number + extra, tally, counters)
    assert tally.decisions > 8_000
    assert set(counters) <= set(COUNTERS)


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        ({}, {"brisques": "at_hand_end"}),
        ({}, {"double_bezique": "one_go"}),
        ({}, {"endgame": "follow_trump"}),
        ({"declare": "many_disjoint"}, {"declare": "one"}),
        ({"dix_score": "on_play"}, {"dix_score": "on_show"}),
        ({"bezique_pair": "shifting"}, {"bezique_pair": "qs_jd"}),
    ],
)
def test_a_wrong_rule_is_seen(options: dict[str, Any], wrong: dict[str, Any]) -> None:
    """The comparison can fail: a referee that plays one rule wrongly is caught."""
    with pytest.raises(Difference):
        for seed in range(400):
            play(options, seed, Tally(), Counter(), referee={**options, **wrong})


def test_a_mutated_referee_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same with the referee's own code changed: of equal cards the second would win."""
    right = Referee._winner

    def wrong(self: Referee) -> int:
        (_, lead), (follower, reply) = self.trick
        return follower if lead.text == reply.text else right(self)

    monkeypatch.setattr(Referee, "_winner", wrong)
    with pytest.raises(Difference):
        for seed in range(20):
            play({}, seed, Tally(), Counter())


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
    for case in [*CASES, *POSITIONS]:
        run(case, counters)
    a_turned_seven_ends_it(counters)
    assert [name for name in COUNTERS if not counters[name]] == []
    assert set(counters) <= set(COUNTERS)
