"""Small packs: what a seat may know, compared over every history that there is, and samples against enumeration."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

import pytest

from bezique_env.game import Game
from tests.test_information import checked_twin
from tests.test_mini_differential import decks_of, sampled_decks
from tests.worlds import chi_square
from tests.worlds_mini import Small, deck_of, hidden_of, histories, random_story, rules_of, samples, worlds

# ----------------------------------------------------------------------------------- information sets


class Seen:
    """What leaves the engine at the decisions that a seat cannot tell apart."""

    def __init__(self) -> None:
        self.by_sight: dict[Any, tuple[bytes, bytes, bytes]] = {}
        self.text_of: dict[Any, str] = {}
        self.by_text: dict[str, Any] = {}
        self.by_row: dict[tuple[int, bytes], str] = {}
        self.worlds: dict[Any, set[bytes]] = defaultdict(set)
        self.asked: dict[Any, str] = {}
        self.decisions = 0

    def note(self, game: Game, seat: int, sight: bytes) -> None:
        """Compare a decision with those that look the same, and with those that look different."""
        view, row = game.view_record(seat).tobytes(), game.observation(seat).tobytes()
        key = (seat, sight, view)
        first = key not in self.by_sight
        found = (view, row, game.legal_mask(seat).tobytes())
        before = self.by_sight.setdefault(key, found)
        names = ("view", "observation", "mask")
        assert [n for n, a, b in zip(names, found, before, strict=True) if a != b] == []
        self.decisions += 1
        if first or self.decisions % 4 == 0:  # texts and readable views take most of the time
            text = game.information_text(seat)
            assert self.text_of.setdefault(key, text) == text
            assert self.by_text.setdefault(text, key) == key, "one text for two information sets"
        if first:
            words = json.dumps(game.view(seat).to_dict())
            assert self.by_row.setdefault((seat, row), words) == words, "one observation for two views"
        self.worlds[key].add(deck_of(game.rules, game.state))
        if game.seat_to_act == seat:
            self.asked[key] = game.phase

    def counts(self) -> tuple[int, int]:
        """The information sets in which the seat decides: before the endgame, and in it."""
        endings = sum(phase.startswith("endgame") for phase in self.asked.values())
        return len(self.asked) - endings, endings


def all_seen(
    preset: str,
    decks: Iterable[list[str]],
    options: dict[str, Any] | None = None,
    endings: bool = True,
    waiting: int = 1,
) -> Seen:
    """Every decision of every history of some decks (seat 1 deals), with or without endgames.

    The seat that waits is looked at as well, at one decision of ``waiting``.
    """
    found = Seen()
    rules = rules_of(preset, options)
    for deck in decks:
        first = Game(rules.variant, rules=rules, deck=deck, dealer=1)
        for number, (game, sights) in enumerate(histories(first, endings=endings)):
            for seat in (0, 1):
                if seat == game.seat_to_act or number % waiting == 0:
                    found.note(game, seat, sights[seat])
    assert max(len(decks) for decks in found.worlds.values()) > 1
    return found


@pytest.mark.parametrize(("preset", "count"), [("qj3", 242), ("qj2", 2196)])
def test_every_information_set_before_the_stock_is_empty(preset: str, count: int) -> None:
    """As many as an enumeration by other means gave (AGENTS 3.8); each looks the same in all of its worlds."""
    assert all_seen(preset, decks_of(preset), endings=False).counts() == (count, 0)


def test_information_sets_of_some_deals_to_the_end() -> None:
    """Decks that share the turn-up and what one seat was dealt first, so that they meet in information sets."""
    hand = ["JD", "JS", "QS"]
    decks = [deck for deck in decks_of("qj3") if deck[0:6:2] == hand and deck[6] == "QD"]
    all_seen("qj3", decks[:2], {"selection": "explicit", "double_bezique": "build_any"})
    decks = [deck for deck in decks_of("qj2") if deck[0:4:2] == hand[1:] and deck[4] == "QD"]
    all_seen("qj2", decks, {"declare": "lay_many_score_one"})
    for options in ({}, {"belote_call_deadline": "both_words"}):
        decks = [deck for deck in decks_of("jqk2") if (deck[0], deck[2]) == ("QS", "JH")]
        assert len(decks) == 24
        all_seen("jqk2", decks, options)
    decks = [deck for deck in sampled_decks("jqka3", 4000, 1) if deck[0:5:2] == ["QS", "KS", "JH"]][:6]
    assert len(decks) == 6
    all_seen("jqka3", decks[:3])
    all_seen("jqka3", decks[3:], {"show_winning_sequences": False, "belote_auto": True})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("preset", "step", "counts"), [("qj3", 1, (242, 17068)), ("qj2", 12, None), ("jqk2", 1, (15384, 0))]
)
def test_every_information_set_to_the_end(preset: str, step: int, counts: tuple[int, int] | None) -> None:
    found = all_seen(preset, itertools.islice(decks_of(preset), 0, None, step), waiting=5)
    assert counts is None or found.counts() == counts


# ------------------------------------------------------------------------------- samples, enumeration

POINTS: list[tuple[str, dict[str, Any], str, int]] = [
    ("qj3", {}, "shared", 25),
    ("qj3", {"trump": "first_marriage_sequence_or_bezique", "bezique_pair": "trump_queen"}, "queues", 20),
    ("qj2", {}, "shared", 25),
    ("qj2", {"declare": "lay_many_score_one", "selection": "explicit"}, "queues", 20),
    ("kqj4", {}, "shared", 12),
    ("kqj4", {"declare": "many_disjoint", "endgame": "follow_only"}, "queues", 8),
    ("jqk2", {}, "shared", 25),
    ("jqka2", {}, "shared", 20),
    ("jqka2", {"belote_call_deadline": "both_words"}, "shared", 15),
    ("jqka3", {}, "shared", 20),
    ("jqka3", {"show_winning_sequences": False, "belote_auto": True}, "shared", 20),
]


def check_points(
    preset: str, options: dict[str, Any], draws: str, points: int, seed: int, drawn: int
) -> list[float]:
    """Compare samples with all decks that explain a story, at random points; return p-values.

    Where a seat knows everything there is none.
    """
    rules = rules_of(preset, options)
    rng = random.Random(f"{preset} {draws} {seed}")
    found: list[float] = []
    for number in range(points):
        small = Small(rules, number % 2, draws)
        length = min(rng.randrange(3 * rules.hand_size) for _ in range(2))  # late, nothing is hidden any more
        deck, actions = random_story(small, rng, length)
        texts = [rules.family.cards.texts[card] for card in deck]
        game = Game(rules.variant, rules=rules, deck=texts, dealer=number % 2, draws=draws)
        for action in actions:
            game.apply(action)
        for seat in (0, 1):
            expected, decks = worlds(small, deck, actions, seat)
            count = min(8000, max(drawn, int(12 / min(expected.values()))))
            got: Counter[Any] = Counter()
            for state in samples(game, seat, count, 10_000 * (2 * number + seat)):
                got[hidden_of(rules, state, seat)] += 1
                assert deck_of(rules, state) in decks, "the deck of a sample explains what was seen"
            assert set(got) <= set(expected)
            assert count < 12 / min(expected.values()) or set(got) == set(expected), "none is left out"
            if len(expected) > 1:
                found.append(chi_square(expected, got))
            twin = checked_twin(game, seat, number)
            assert deck_of(rules, twin.state) in decks
    return found


@pytest.mark.parametrize(("preset", "options", "draws", "points"), POINTS)
def test_samples_are_those_of_enumeration(
    preset: str, options: dict[str, Any], draws: str, points: int
) -> None:
    """The same hidden states, as often as they should be: p-values of fixed seeds, as small as chance makes them."""
    pytest.importorskip("scipy")
    found = check_points(preset, options, draws, points, 1, 400)
    assert min(found) > 0.0005 / len(found), sorted(found)[:3]
    assert sum(p < 0.05 for p in found) <= 3 + 0.1 * len(found), sorted(found)[:9]
    assert len(found) >= 8


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "options", "draws", "points"), POINTS)
def test_samples_at_many_points(preset: str, options: dict[str, Any], draws: str, points: int) -> None:
    pytest.importorskip("scipy")
    found = check_points(preset, options, draws, 3 * points // 2, 2, 1000)
    assert min(found) > 0.0005 / len(found), sorted(found)[:3]
    assert sum(p < 0.05 for p in found) <= 3 + 0.08 * len(found), sorted(found)[:9]


def test_a_wrong_frequency_is_seen() -> None:
    """The comparison can fail: equal cards of two suits, one of them twice as often as it should be."""
    pytest.importorskip("scipy")
    small = Small(rules_of("qj3"), 1)
    deck, actions = random_story(small, random.Random(3), 1)
    expected, _ = worlds(small, deck, actions, 0)
    first, *rest = expected
    assert rest
    wrong = Counter({world: int(1000 * p) for world, p in expected.items()})
    assert chi_square(expected, wrong) > 0.9
    wrong[first] *= 2
    assert chi_square(expected, wrong) < 1e-6
