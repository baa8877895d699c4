"""The engine against the referee in the multi-pack games and in Fildinski.

As in :mod:`tests.test_differential`: the same random games through both, everything compared at every
decision. The referees are ``tests/referee/multi_pack.py`` and ``tests/referee/fildinski.py``.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from bezique_env.rules import fields, get_rules, settle, variants
from tests.referee.compare import REFEREES, Difference, Pair, check_dict
from tests.referee.fildinski import COUNTERS as FILDINSKI_COUNTERS
from tests.referee.multi_pack import MultiPack, Scored
from tests.referee.settling import SETTLEMENT_COUNTERS, settlement
from tests.referee.two_pack import WHOLE_PACK, packets
from tests.test_differential import WITHOUT_TURN_UP, Tally, choose
from tests.test_differential_rare import a_turned_seven_ends_it
from tests.test_differential_rare_multi import RARE, end, run, variant_of

VARIANTS = ("rubicon", "chinese", "eight_pack", "fildinski")
DECISIONS = 100_000
"""Decisions of each game in the slow test."""

# ------------------------------------------------------------------------------------- how games are played


def places(variant: str, options: dict[str, Any], seat: int) -> list[int]:
    """Places in the deck of one hand; seat 0 is the non-dealer here."""
    kind = REFEREES[variant]
    found: list[int] = []
    at = owner = 0
    for size in packets(options.get("deal_packets", kind.DEFAULTS["deal_packets"]), kind.HAND):
        found += range(at, at + size) if owner == seat else []
        at, owner = at + size, 1 - owner
    return found


def rich_deck(rng: random.Random, variant: str, options: dict[str, Any]) -> list[str]:
    """A deck in which the cards of few melds, or no courts at all, come early, so that rare things happen."""
    kind = REFEREES[variant]
    deck = WHOLE_PACK * kind.PACKS
    rng.shuffle(deck)
    suit = rng.choice("SHDC")
    rank = rng.choice("ATKQJ")
    both = rng.choice(["KQ", "QJ", "AT", "KA"])
    wanted = rng.choice(
        [
            {"QS", "JD"},
            {"QS", "JD", "KS"},
            {"QC", "JH", "QS", "JD"},
            {"Q" + suit, "J" + {"S": "D", "H": "C", "D": "S", "C": "H"}[suit], "K" + suit},
            {r + suit for r in "ATKQJ"},
            {r + suit for r in both},
            {rank + suit},
            {rank + suit, "K" + suit, "Q" + suit},
            {rank + s for s in "SHDC"},
            {r + s for r in "KQ" for s in "SHDC"},
            {r + s for r in "789T" for s in "SHDC"},
            {r + s for r in "789TA" for s in "SHDC"},
        ]
    )
    cards = 2 * kind.HAND
    first = [
        places(variant, options, 0),
        places(variant, options, 1),
        list(range(cards)),
        list(range(cards * 2)),
        list(range(cards * 4)),
    ]
    at = rng.choice(first)
    front = [card for card in deck if card in wanted][: len(at)]
    rest = deck.copy()
    for card in front:
        rest.remove(card)
    chosen = dict(zip(rng.sample(at, len(front)), front, strict=True))
    left = iter(rest)
    return [chosen.get(place) or next(left) for place in range(len(deck))]


def play(
    variant: str,
    options: dict[str, Any],
    seed: int,
    tally: Tally,
    counters: Counter[str],
    referee: dict[str, Any] | None = None,
) -> None:
    """Play one random game through both implementations.

    Args:
        variant: Which game.
        options: Option values that differ from the first preset.
        seed: Of the choices and the decks.
        tally: Where games and decisions are counted.
        counters: Where branches are counted.
        referee: Other options for the referee.
    """
    rng = random.Random(seed)
    episode = "match" if options.get("trump_repeat") == "forbidden" or rng.random() < 0.3 else "deal"
    deck = rich_deck(rng, variant, options) if rng.random() < 0.7 else None
    cut = None
    if options.get("cut_bonus") == "on" and rng.random() < 0.5:
        cut = (rng.randrange(23, 26), rng.randrange(23, 26))
    pair = Pair(
        options,
        seed,
        episode,
        rng.choice(["shared", "queues"]),
        deck,
        rng.randrange(2),
        counters,
        referee,
        variant=variant,
        cut=cut,
    )
    hoard = rng.random() < 0.7
    tally.games += 1
    look = rng.randrange(200)
    while not pair.is_over:
        legal = pair.legal()
        pair.apply(choose(rng, legal, hoard))
        tally.decisions += 1
        if tally.decisions % 200 == look:
            check_dict(pair)
            pair.match.deal.check()


def companions(variant: str, options: dict[str, Any]) -> dict[str, Any]:
    """The options with those changed that the others do not allow."""
    options = dict(options)
    defaults = REFEREES[variant].DEFAULTS

    def value(name: str) -> Any:
        return options.get(name, defaults.get(name))

    if value("trump") == "first_marriage_sequence_or_bezique":
        options["bezique_pair"] = "trump_queen"
    if variant == "fildinski":
        if value("trump") != "turn_up":
            options |= WITHOUT_TURN_UP
        elif value("trump_repeat") == "forbidden":
            options |= WITHOUT_TURN_UP | {"trump": "first_marriage"}
        if value("meld_groups") == "three":
            options["seq_then_marriage"] = "both_fresh"
        return options
    if value("seq_then_marriage") == "fresh_partner":
        options["reform"] = "none"
    if value("tie") == "brisques_then_draw" and value("brisques") == "none":
        if "tie" in options:
            options["brisques"] = "tiebreak"
        else:
            options["tie"] = "draw"
    return options


def single_options(variant: str) -> Iterator[dict[str, Any]]:
    """Every value of every option on the first preset, with companions where the value needs them."""
    numbers = {"target": [100, 300, 1000], "double_win_under": [0, 100, 2000]}
    for info in fields(variant):
        for value in info.allowed or numbers[info.name]:
            yield companions(variant, {info.name: value})


def random_options(rng: random.Random, variant: str) -> dict[str, Any]:
    """A random combination of options that is possible."""
    options: dict[str, Any] = {}
    for info in fields(variant):
        if info.name == "target":
            options[info.name] = rng.choice([100, 200, 500, 1000])
        elif info.name == "double_win_under":
            options[info.name] = rng.choice([0, 100, 500])
        else:
            assert info.allowed is not None
            options[info.name] = rng.choice(info.allowed)
    if variant == "fildinski" and rng.random() < 0.5:
        options |= {"trump": "turn_up", "trump_repeat": "allowed"}
    if rng.random() < 0.7 and "reform" in options:
        options |= {"reform": "replace", "seq_then_marriage": "both_fresh"}
    return companions(variant, options)


def all_settings(variant: str, seed: int, combinations: int) -> Iterator[dict[str, Any]]:
    """Presets, single option values, and random combinations."""
    rng = random.Random(seed)
    yield from REFEREES[variant].PRESETS.values()
    yield from single_options(variant)
    for _ in range(combinations):
        yield random_options(rng, variant)


def branches(variant: str) -> set[str]:
    """The branches of the rules that must be reached."""
    kind = REFEREES[variant]
    return set(kind.branches() if issubclass(kind, MultiPack) else FILDINSKI_COUNTERS)


def a_forbidden_sequence(counters: Counter[str]) -> None:
    """Play Fildinski deals after one with hearts as trump, without marriages, until a sequence is refused (D9)."""
    options = WITHOUT_TURN_UP | {"trump": "first_marriage_or_sequence", "trump_repeat": "forbidden"}
    for seed in range(60):
        position = end("fildinski", (0, 0), options, episode="match", seed=seed) | {"trump": "H"}
        pair = Pair({}, position=position, counters=counters)
        rng = random.Random(seed)
        while len(pair.match.finished) < 2 and not pair.is_over and pair.match.deal.trump in (None, "H"):
            legal = [text for text in pair.legal() if not text.startswith(("marriage", "sequence"))]
            pair.apply(rng.choice(legal))
            if counters["sequence of forbidden suit refused"]:
                return
    raise AssertionError("no sequence was refused")


# ------------------------------------------------------------------------------------------------ the tests


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_presets_are_those_of_the_rules_page(variant: str) -> None:
    """The referee has its own table of presets; it says the same as the engine's."""
    kind = REFEREES[variant]
    found = variants()[variant].presets
    assert list(found) == list(kind.PRESETS)
    assert {info.name for info in fields(variant)} == set(kind.DEFAULTS)
    for name, values in kind.PRESETS.items():
        rules = get_rules(variant, name)
        expected = {**kind.DEFAULTS, **values}
        assert {option: getattr(rules, option) for option in expected} == expected


@pytest.mark.parametrize(
    ("variant", "combinations"), [("rubicon", 20), ("chinese", 10), ("eight_pack", 5), ("fildinski", 30)]
)
def test_engine_and_referee_agree(variant: str, combinations: int) -> None:
    """All presets, all option values and a sample of combinations, one to three games each."""
    tally, counters = Tally(), Counter[str]()
    for number, options in enumerate(all_settings(variant, 1, combinations)):
        play(variant, options, 1000 + number, tally, counters)
    assert tally.decisions > 4_000
    assert set(+counters) <= branches(variant)


@pytest.mark.parametrize(
    ("variant", "options", "wrong"),
    [
        ("rubicon", {}, {"reform": "none"}),
        ("rubicon", {}, {"marriage_rematch": "on_play"}),
        ("rubicon", {"carte_blanche_courts": "KQJ"}, {"carte_blanche_courts": "AKQJ"}),
        ("rubicon", {}, {"settlement": "saari_table"}),
        ("chinese", {}, {"quartet_suits_bonus": "x2"}),
        ("eight_pack", {}, {"settlement": "sum"}),
        ("fildinski", {}, {"fildinski_reuse": "by_class"}),
        ("fildinski", {}, {"fildinski_dix": "from_hand"}),
        ("fildinski", {}, {"fildinski_endgame": "on"}),
    ],
)
def test_a_wrong_rule_is_seen(variant: str, options: dict[str, Any], wrong: dict[str, Any]) -> None:
    """The comparison can fail: a referee that plays one rule wrongly is caught."""
    with pytest.raises(Difference):
        for seed in range(400):
            play(variant, options, seed, Tally(), Counter(), referee={**options, **wrong})


def test_a_mutated_referee_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same with the referee's own code changed: a meld would stay intact whatever is played."""
    monkeypatch.setattr(Scored, "intact", True)
    with pytest.raises((Difference, KeyError)):
        for seed in range(20):
            play("rubicon", {}, seed, Tally(), Counter())


def test_a_fildinski_turned_seven_may_end_the_match() -> None:
    a_turned_seven_ends_it(Counter(), "fildinski")


def test_a_fildinski_sequence_may_be_forbidden() -> None:
    a_forbidden_sequence(Counter())


@pytest.mark.parametrize(("variant", "packs"), [("rubicon", 4), ("chinese", 6), ("eight_pack", 8)])
def test_settlements_agree(variant: str, packs: int) -> None:
    """Every settlement over all its options, near-equal, equal and small scores included."""
    rng = random.Random(packs)
    counters = Counter[str]()
    allowed = {info.name: info.allowed or () for info in fields(variant)}
    for rule in allowed["settlement"]:
        for brisques_rule in allowed["brisques"]:
            for tie in allowed["tie"]:
                if brisques_rule == "none" and tie != "draw":
                    continue
                rules = get_rules(variant, None, {"settlement": rule, "brisques": brisques_rule, "tie": tie})
                for _ in range(400):
                    most = rng.choice([150, 1200, 3500, 6000, 9000])
                    first = second = rng.randrange(0, most, 10)
                    if rng.random() < 0.7:
                        second = rng.choice([rng.randrange(0, most, 10), max(0, first - 30), first + 120])
                    won = rng.choice([rng.randrange(8 * packs + 1), 4 * packs])
                    long_hand = rng.choice([None, None, 0, 1]) if rule == "portland" else None
                    scores, brisques = (first, second), (won, 8 * packs - won)
                    mine = settlement(packs, rule, tie, brisques_rule, scores, brisques, counters, long_hand)
                    assert settle(rules, scores, brisques=brisques, long_hand=long_hand) == mine, (
                        rule,
                        tie,
                        brisques_rule,
                        scores,
                        brisques,
                    )
    assert set(SETTLEMENT_COUNTERS) & branches(variant) == set(+counters)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("variant", VARIANTS)
def test_many_decisions_agree(variant: str) -> None:
    """At least 100,000 decisions of each game; with the rare cases, every branch of the rules is reached."""
    tally, counters = Tally(), Counter[str]()
    seed = 0
    while tally.decisions < DECISIONS:
        for options in all_settings(variant, seed, 200):
            play(variant, options, 10_000 + seed, tally, counters)
            seed += 1
            if tally.decisions >= DECISIONS and seed >= 100:
                break
    assert tally.decisions >= DECISIONS
    print(f"{variant}: {tally.games} games, {tally.decisions} decisions")
    for case in RARE:
        if variant_of(case) == variant:
            run(case, counters)
    if variant == "fildinski":
        a_turned_seven_ends_it(counters, variant)
        a_forbidden_sequence(counters)
    assert sorted(branches(variant) - set(+counters)) == []
    assert set(+counters) <= branches(variant)
