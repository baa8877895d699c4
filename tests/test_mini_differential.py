"""The small packs: engine and referee play random games in step, and walk every history of whole deals.

The walks compare seat, phase, legal actions, both views, events and results at every decision that there is.
"""

from __future__ import annotations

import copy
import itertools
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from bezique_env.rules import fields, get_rules, variants
from tests.referee import belote, compare, compare_belote, mini, two_pack
from tests.referee.compare import Difference

BEZIQUE, BELOTE = list(compare.SIZES), list(belote.MINIS)
NUMBERS: dict[str, list[int]] = {"target": [100, 150, 300], "double_win_under": [0, 30]}


def variant_of(preset: str) -> str:
    return "mini_bezique" if preset in compare.SIZES else "mini_belote"


def new_pair(preset: str, options: dict[str, Any], seed: int = 0, **others: Any) -> Any:
    """Begin a game of a size in both implementations."""
    module = compare if preset in compare.SIZES else compare_belote
    return module.Pair(options, seed, variant=variant_of(preset), preset=preset, **others)


def check_dict(pair: Any) -> None:
    (compare if isinstance(pair, compare.Pair) else compare_belote).check_dict(pair)


def companions(options: dict[str, Any]) -> dict[str, Any]:
    """Change what does not go together."""
    trump = options.get("trump", "turn_up")
    if trump == "turn_up":
        options.pop("trump_repeat", None)
    if trump == "first_marriage_sequence_or_bezique":
        options["bezique_pair"] = "trump_queen"
    if options.get("meld_groups") == "three":
        options.pop("seq_then_marriage", None)
    if options.get("belote_auto") and options.get("belote_call_deadline") == "both_words":
        del options["belote_auto"]
    return options


def all_options(variant: str, seed: int, combinations: int) -> Iterator[dict[str, Any]]:
    """No option, every value of every option, and random combinations."""
    asked = fields(variant)
    values = {info.name: info.allowed or NUMBERS[info.name] for info in asked}
    yield {}
    for name, allowed in values.items():
        for value in allowed:
            options = {name: value}
            if (name, value) == ("trump_repeat", "forbidden"):
                options["trump"] = "first_marriage"
            yield companions(options)
    rng = random.Random(seed)
    for _ in range(combinations):
        yield companions({name: rng.choice(allowed) for name, allowed in values.items()})


def rich_deck(preset: str, rng: random.Random) -> list[str]:
    """A deck that gives one seat the cards of melds, or both seats king and queen and, of three cards, a run."""
    rules = get_rules(variant_of(preset), preset)
    deck = rng.sample([rules.family.cards.texts[c] for c in rules.pack], len(rules.pack))
    if preset in BEZIQUE:
        places, wanted = range(rng.randrange(2), len(deck), 2), ["QS", "JD", "QS", "JD", "KS"]
    else:
        places = [0, 2, 5, 1, 3, 6] if rules.hand_size == 3 else [0, 3, 1, 4]
        third = [rng.choice([rank for rank in "JA" if rank + "S" in deck]) for _ in (0, 1)]
        wanted = [
            rank + suit
            for suit, last in zip(rng.sample("SH", 2), third, strict=True)
            for rank in ("K", "Q", last)[: rules.hand_size]
        ]
    for place, card in zip(places, wanted, strict=False):
        other = max(k for k, held in enumerate(deck) if held == card)
        deck[place], deck[other] = deck[other], deck[place]
    return deck


def play(
    preset: str,
    options: dict[str, Any],
    seed: int,
    counters: Counter[str],
    referee: dict[str, Any] | None = None,
) -> int:
    """Play one random game in both; return its decisions."""
    rng = random.Random(seed)
    episode = "match" if options.get("trump_repeat") == "forbidden" or rng.random() < 0.3 else "deal"
    pair = new_pair(
        preset,
        options,
        seed,
        episode=episode,
        deck=rich_deck(preset, rng) if rng.random() < 0.5 else None,
        dealer=rng.randrange(2),
        counters=counters,
        referee=referee,
        draws=rng.choice(["shared", "queues"]),
    )
    decisions, look = 0, rng.randrange(10)
    while not pair.is_over:
        legal = sorted(pair.legal())
        said = [text for text in legal if not text.startswith(("play", "use", "pass"))]
        pair.apply(rng.choice(said if said and rng.random() < 0.6 else legal))
        decisions += 1
        if decisions % 10 == look:
            check_dict(pair)
    return decisions


# ---------------------------------------------------------------------------------------- random games


def test_the_referee_has_the_same_sizes_and_options() -> None:
    """It has its own tables of packs, hands and defaults; they say the same as the engine's."""
    assert list(variants()["mini_bezique"].presets) == BEZIQUE
    assert list(variants()["mini_belote"].presets) == BELOTE
    for preset, kind in compare.SIZES.items():
        rules = get_rules("mini_bezique", preset)
        assert sorted(rules.family.cards.texts[c] for c in rules.pack) == sorted(kind.PACK * kind.PACKS)
        assert (rules.hand_size, list(kind.PRESETS)) == (kind.HAND, [preset])
        assert {name: getattr(rules, name) for name in kind.DEFAULTS} == kind.DEFAULTS
        assert {info.name for info in fields("mini_bezique")} == set(mini.DEFAULTS)
    for preset, pack in belote.MINIS.items():
        rules = get_rules("mini_belote", preset)
        assert sorted(rules.family.cards.texts[c] for c in rules.pack) == sorted(pack.cards)
        assert rules.hand_size == pack.hand
        wanted = {**belote.TWO_HANDED, **pack.options}
        for info in fields("mini_belote"):
            assert getattr(rules, info.name) == wanted[info.name], info.name


@pytest.mark.parametrize("preset", [*BEZIQUE, *BELOTE])
def test_engine_and_referee_agree(preset: str) -> None:
    """Every option value, and combinations."""
    counters, decisions = Counter[str](), 0
    for number, options in enumerate(all_options(variant_of(preset), 1, 40)):
        for extra in range(2):
            decisions += play(preset, options, 10 * number + extra, counters)
    for seed in range(30):
        decisions += play(preset, {}, seed, counters)
    assert decisions > 800
    known = belote.COUNTERS if preset in BELOTE else two_pack.COUNTERS
    assert set(counters) <= set(known)


REACHED = {
    "mini_bezique": {
        "marriage plain", "marriage trump", "marriage fixes trump", "bezique single",
        "bezique fixes trump",

        "marriage refused married", "bezique refused used", "bezique needs trump", "bezique trump queen",
        "laid marriage", "laid bezique 1", "disjoint copy refused",
        "select from table", "select forced", "select laid", "play from table",
        "table returns", "endgame must head", "endgame cannot head", "endgame must trump",
        "endgame may discard", "endgame follow free", "endgame follow only void", "endgame no trump void",
        "brisques at trick", "brisques at hand end", "brisques none", "last trick final", "last trick of stock",
        "last draw with turn-up", "last draw without turn-up", "draw queues", "draw shared", "no trump all deal",
        "match goes on", "match both over higher", "match both over count_order", "match immediate",
        "repeat forbidden in force", "meld all from table",
    },
    "mini_belote": {
        "elder accepts", "elder passes", "dealer accepts", "dealer passes", "elder names in round 2",
        "elder passes in round 2", "dealer forced in round 2", "elder announces", "elder keeps silent",
        "dealer announces", "dealer keeps silent", "unopposed elder", "unopposed dealer", "nobody holds a declaration",
        "run of 3", "top of elder", "top of dealer", "trump of elder", "trump of dealer", "shown", "not shown",
        "declarations wait for a trick", "declarations paid by the first trick", "declarations never paid",
        "pair with the first card", "pair with the second card", "pair by itself", "pair never said", "pair too late",
        "first word", "second word", "second word omitted", "first word too late", "pair chooses K or Q",
        "follow suit", "must beat trump", "cannot beat trump", "must trump", "may discard", "trump beats plain",
        "all tricks bonus", "all tricks without bonus", "taker made it", "taker failed, opponent sum",
        "taker failed, loses only", "tie, taker zero", "tie, held over", "tie, fall", "pair kept", "pair taken",
        "rounded up", "rounded down", "rounded at five up", "rounded at five down", "deal drawn", "match won",
        "match goes on",
    },
}  # fmt: skip
"""Branches of the rules that small packs reach; a double bezique needs four cards after one was played."""


@pytest.mark.slow
@pytest.mark.parametrize("variant", list(REACHED))
def test_many_games_reach_every_branch(variant: str) -> None:
    counters, decisions = Counter[str](), 0
    for seed in itertools.count():
        for options in all_options(variant, seed, 150):
            for preset in variants()[variant].presets:
                decisions += play(preset, options, 1_000_000 * seed + decisions, counters)
        if decisions > 40_000:
            break
    assert [name for name in REACHED[variant] if not counters[name]] == []
    never = [name for name in counters if "four" in name or "quartet" in name or name.startswith("double ")]
    assert not (
        variant == "mini_bezique" and {name for name in never if "refused" not in name} - {"double win off"}
    )


@pytest.mark.parametrize(
    ("preset", "wrong"),
    [
        ("qj2", {"endgame": "follow_only"}),
        ("qj3", {"brisques": "at_hand_end"}),
        ("kqj4", {"last_trick": "last_stock"}),
        ("jqk2", {"belote_call_deadline": "first_card"}),
        ("jqka2", {"two_hand_fail": "taker_loses_only"}),
        ("jqka3", {"announce_needs_trick": True}),
    ],
)
def test_a_wrong_rule_is_seen(preset: str, wrong: dict[str, Any]) -> None:
    with pytest.raises(Difference):
        for seed in range(1500):
            play(preset, {}, seed, Counter(), referee=wrong)


# ------------------------------------------------------------------------------------------ every history


def branch(pair: Any) -> Any:
    """A copy of a pair that goes its own way."""
    twin = copy.copy(pair)
    twin.game = pair.game.clone()
    twin.match = copy.copy(pair.match)
    counters = pair.match.counters
    twin.match.deal = copy.deepcopy(pair.match.deal, {id(counters): counters})
    twin.match.next_deck = twin._next_deck
    twin.actions = list(pair.actions)
    return twin


def walk(pair: Any) -> int:
    """Play every history from here in both implementations; return the number of decisions."""
    if pair.is_over:
        return 0
    legal = sorted(pair.legal())
    decisions = 1
    for text in legal[1:]:
        twin = branch(pair)
        twin.apply(text)
        decisions += walk(twin)
    pair.apply(legal[0])
    return decisions + walk(pair)


def decks_of(preset: str) -> Iterator[list[str]]:
    """Every deck of a size that is another deal: other hands, another turn-up, another order of what comes."""
    rules = get_rules(variant_of(preset), preset)
    texts = [rules.family.cards.texts[c] for c in rules.pack]
    seen = set()
    if preset in BEZIQUE:
        hand = rules.hand_size
        for deck in sorted(set(itertools.permutations(texts))):
            key = (
                tuple(sorted(deck[0 : 2 * hand : 2])),
                tuple(sorted(deck[1 : 2 * hand : 2])),
                deck[2 * hand :],
            )
            if key not in seen:
                seen.add(key)
                yield list(deck)
        return
    first = 2 * (rules.hand_size - 1)
    for deck in itertools.permutations(texts):
        before = tuple(sorted(deck[0:first:2])), tuple(sorted(deck[1:first:2]))
        key = (*before, *deck[first : first + 3], deck[-1])
        if key not in seen:
            seen.add(key)
            yield list(deck)


def sampled_decks(preset: str, count: int, seed: int) -> Iterator[list[str]]:
    rules = get_rules(variant_of(preset), preset)
    texts = [rules.family.cards.texts[c] for c in rules.pack]
    rng = random.Random(seed)
    for _ in range(count):
        yield rng.sample(texts, len(texts))


@pytest.mark.parametrize(("preset", "deals"), [("qj3", 148), ("jqk2", 720)])
def test_every_history_of_every_deal(preset: str, deals: int) -> None:
    """The smallest size of each family, whole (seat 1 deals)."""
    walked = [walk(new_pair(preset, {}, deck=deck, dealer=1)) for deck in decks_of(preset)]
    assert len(walked) == deals
    print(preset, sum(walked), "decisions")


@pytest.mark.parametrize(
    ("preset", "options", "count"),
    [
        ("qj3", {"trump": "first_marriage_sequence_or_bezique", "bezique_pair": "trump_queen"}, 4),
        ("qj2", {}, 4),
        ("qj2", {"selection": "explicit", "declare": "lay_many_score_one", "double_bezique": "build_any"}, 3),
        ("qj2", {"endgame": "follow_only", "declare": "many_disjoint", "draws": "queues"}, 3),
        ("jqka2", {}, 20),
        ("jqka2", {"belote_call_deadline": "both_words", "belote_prenable": False}, 20),
        ("jqka3", {}, 6),
        ("jqka3", {"show_winning_sequences": False, "announce_needs_trick": True, "belote_auto": True}, 6),
    ],
)
def test_every_history_of_some_deals(preset: str, options: dict[str, Any], count: int) -> None:
    options = dict(options)
    draws = options.pop("draws", "shared")
    for number, deck in enumerate(sampled_decks(preset, count, count)):
        assert walk(new_pair(preset, options, deck=deck, dealer=number % 2, draws=draws))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("preset", "count", "late"), [("qj2", 828, 0), ("jqka2", 150, 0), ("jqka3", 60, 0), ("kqj4", 12, 3)]
)
def test_every_history_of_more_deals(preset: str, count: int, late: int) -> None:
    """``late``: the first actions are random, and every history after them is walked."""
    decks = decks_of(preset) if preset == "qj2" else sampled_decks(preset, count, 1)
    rng = random.Random(2)
    for number, deck in enumerate(decks):
        pair = new_pair(preset, {}, deck=deck, dealer=number % 2)
        for _ in range(late):
            pair.apply(rng.choice(sorted(pair.legal())))
        assert walk(pair)
