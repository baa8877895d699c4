"""What a seat may know: no leak, nothing lost, and honest samples of what it cannot know."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from bezique_env.game import Game
from bezique_env.render.renderers import renderer_of
from bezique_env.rules import variants
from tests.worlds import Action, chi_square, face_down, hidden, sample, worlds

PRESETS = list(variants()["two_pack"].presets)
SETTINGS: list[tuple[str, dict[str, Any]]] = [
    *((preset, {}) for preset in PRESETS),
    ("standard", {"selection": "explicit"}),
    ("saari", {"selection": "explicit", "quartet_suits_bonus": "x2"}),
    ("finnish", {"target": 300, "double_bezique": "build_any"}),
    ("standard", {"seq_then_marriage": "fresh_partner", "dix_exchange": "free", "quartet_suits_bonus": "x2"}),
    (
        "no_ready_trump",
        {
            "trump": "first_marriage_sequence_or_bezique",
            "bezique_pair": "trump_queen",
            "declare": "lay_many_score_one",
        },
    ),
]


def choose(game: Game, rng: np.random.Generator) -> int:
    """A random legal action that prefers declarations, so that melds happen."""
    legal = game.legal_actions()
    melds = [a for a in legal if 64 <= a < 95]
    return int(rng.choice(melds if melds and rng.random() < 0.7 else legal))


def states(
    rules: str,
    overrides: dict[str, Any],
    seed: int,
    share: float = 0.12,
    draws: str = "shared",
    episode: str = "deal",
    limit: int = 400,
) -> Iterator[Game]:
    """Random states of one game, always with its last one."""
    rng = np.random.default_rng(seed)
    game = Game(rules=rules, overrides=overrides, seed=seed, draws=draws, episode=episode)
    for _ in range(limit):
        if game.is_over:
            break
        if rng.random() < share:
            yield game
        game.apply(choose(game, rng))
    yield game


def seen(game: Game, seat: int) -> dict[str, Any]:
    """Everything that leaves the engine for one seat."""
    outputs: dict[str, Any] = {
        "view": json.dumps(game.view(seat).to_dict()),
        "record": game.view(seat).record.tobytes(),
        "observation": game.observation(seat).tobytes(),
        "mask": game.legal_mask(seat).tobytes(),
        "information": game.information_text(seat),
    }
    outputs["ansi"] = renderer_of(game.variant).render(game.view(seat))
    return outputs


def differing(first: dict[str, Any], second: dict[str, Any]) -> list[str]:
    return [name for name in first if first[name] != second[name]]


def checked_twin(game: Game, seat: int, seed: int) -> Game:
    """A game that looks the same to a seat does so in every output, and is a real game with a record."""
    twin = game.resample(seat, seed)
    assert differing(seen(game, seat), seen(twin, seat)) == []
    again = Game.replay(json.dumps(twin.to_record()))
    assert again.view(seat).record.tobytes() == game.view(seat).record.tobytes(), (
        "played from the start on its own deck, all that is remembered comes out the same"
    )
    assert again.information_text(seat) == game.information_text(seat)
    return twin


# ------------------------------------------------------------------------------------------------ no leak


@pytest.mark.parametrize("draws", ["shared", "queues"])
@pytest.mark.parametrize(("rules", "overrides"), SETTINGS)
def test_two_worlds_that_a_seat_cannot_tell_apart_look_the_same(
    rules: str, overrides: dict[str, Any], draws: str
) -> None:
    changed = 0
    for seed in range(2):
        for number, game in enumerate(states(rules, overrides, 10 * seed + 1, draws=draws)):
            for seat in (0, 1):
                twin = game.resample(seat, number)
                assert differing(seen(game, seat), seen(twin, seat)) == []
                changed += hidden(game, seat) != hidden(twin, seat)
    assert changed > 10, "the worlds must differ for this test to say anything"


def test_two_worlds_in_a_match() -> None:
    for number, game in enumerate(states("saari", {"target": 900}, 4, share=0.05, episode="match")):
        for seat in (0, 1):
            assert differing(seen(game, seat), seen(game.resample(seat, number), seat)) == []


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "overrides"), SETTINGS)
def test_two_worlds_over_many_states(rules: str, overrides: dict[str, Any]) -> None:
    for seed in range(100, 116):
        for number, game in enumerate(
            states(rules, overrides, seed, share=0.3, draws=("shared", "queues")[seed % 2])
        ):
            for seat in (0, 1):
                assert differing(seen(game, seat), seen(game.resample(seat, number), seat)) == []


def test_swapping_two_hidden_cards_changes_nothing() -> None:
    """A hidden card of the other hand against one of the stock, by hand and without `resample`."""
    position = random_position(np.random.default_rng(5))
    game = Game.from_position(position)
    for card in range(len(position["stock"])):
        swapped = json.loads(json.dumps(position))
        swapped["hands"][1][0], swapped["stock"][card] = swapped["stock"][card], swapped["hands"][1][0]
        other = Game.from_position(swapped)
        first, second = seen(game, 0), seen(other, 0)
        # The text begins with the position's own first view, which must be the same too.
        assert differing(first, second) == []


# ---------------------------------------------------------------------------------------- nothing is lost


def test_views_that_differ_have_different_observations() -> None:
    """Over many random states of many rules: one observation never stands for two different views."""
    for rules, overrides in SETTINGS[:3] + SETTINGS[6:8]:
        by_row: dict[bytes, str] = {}
        for seed in range(6):
            for game in states(rules, overrides, seed, share=1.0):
                for seat in (0, 1):
                    view = json.dumps(own_side(game, seat))
                    row = game.observation(seat).tobytes()
                    assert by_row.setdefault(row, view) == view
        assert len(by_row) > 500


def own_side(game: Game, seat: int) -> dict[str, Any]:
    """The view with seats renamed as seen from the seat (0 is me), as the observation has it."""
    data = game.view(seat).to_dict()
    if seat == 0:
        return data
    for name in (
        "tables",
        "known",
        "concealed",
        "won",
        "scores",
        "match_scores",
        "brisques",
        "sevens_scored",
        "served",
        "melds",
        "carte_blanche",
        "served_now",
        "won_now",
    ):
        data[name] = data[name][::-1]
    for name in ("to_act", "dealer", "leader", "winner", "first_over"):
        if data[name] in (0, 1):
            data[name] = 1 - data[name]
    data["trick"] = [[1 - s, card] for s, card in data["trick"]]
    data["seat"] = 0
    return data


BASE: dict[str, Any] = {
    "variant": "two_pack",
    "rules": {"preset": "finnish", "overrides": {"target": 1000}},
    "phase": "declare",
    "to_act": 0,
    "dealer": 1,
    "turn_up": "8C",
    "hands": [["KH", "QD", "7C"], ["AS", "TS", "9D"]],
    "table": [["QH", "KD", "QH"], ["KS", "QS", "JS"]],
    "known": [["KH"], ["AS"]],
    "scored": [{"seat": 0, "meld": "four Q", "cards": ["QH"]}],
    "stock": ["8D", "9H", "7H", "7H", "8H"],
    "rest": 1,
    "scores": [100, 200],
    "match_scores": [300, 400],
    "episode": "match",
    "seed": 1,
}


def mutations() -> list[tuple[str, dict[str, Any]]]:
    """Positions that differ from BASE in one thing that seat 0 sees."""
    changes: list[tuple[str, dict[str, Any]]] = [
        ("own score", {"scores": [110, 200]}),
        ("other's score", {"scores": [100, 210]}),
        ("own match score", {"match_scores": [310, 400]}),
        ("other's match score", {"match_scores": [300, 410]}),
        ("dealer", {"dealer": 0}),
        ("turn-up", {"turn_up": "9C"}),
        ("own hand", {"hands": [["KH", "JD", "7C"], ["AS", "TS", "9D"]]}),
        ("own card known", {"known": [["QD"], ["AS"]]}),
        ("own card unknown", {"known": [[], ["AS"]]}),
        ("other's card known", {"known": [["KH"], ["TS"]]}),
        ("no card known", {"known": [["KH"], []]}),
        ("other's table", {"table": [["QH", "KD", "QH"], ["KS", "QS", "JH"]]}),
        ("order of the own table", {"table": [["QH", "QH", "KD"], ["KS", "QS", "JS"]]}),
        ("no use", {"scored": []}),
        ("another use", {"scored": [{"seat": 0, "meld": "marriage H", "cards": ["QH"]}]}),
        ("a second use", {"scored": [*BASE["scored"], {"seat": 0, "meld": "marriage H", "cards": ["QH"]}]}),
        (
            "a use of the other",
            {"scored": [*BASE["scored"], {"seat": 1, "meld": "sequence S", "cards": ["KS"]}]},
        ),
        ("who won the rest", {"rest": 0}),
        ("who won one card", {"won": [["9S"], []]}),
        ("stock left", {"stock": ["8D", "9H", "7H"]}),
        ("declaration used", {"declared": True}),
        ("exchange made", {"exchanged": True}),
        ("phase", {"phase": "lead"}),
    ]
    for name in ("bezique 1", "bezique 2", "four Q", "sequence H", "marriage H"):
        changes.append(
            (
                f"use {name}",
                {"scored": [*BASE["scored"], {"seat": 0, "meld": name, "cards": ["QH", "QH"][:1]}]},
            )
        )
    return [(name, change) for name, change in changes if name not in ("use four Q", "use marriage H")]


def test_every_visible_change_changes_view_and_observation() -> None:
    rows: dict[bytes, str] = {}
    dicts: dict[str, str] = {}
    for name, change in [("base", {}), *mutations()]:
        game = Game.from_position({**BASE, **change})
        row, data = game.observation(0).tobytes(), json.dumps(game.view(0).to_dict())
        assert dicts.setdefault(data, name) == name, f"the views of {dicts[data]!r} and {name!r} are the same"
        assert rows.setdefault(row, name) == name, (
            f"the observations of {rows[row]!r} and {name!r} are the same"
        )
    assert len(rows) == len(mutations()) + 1


@pytest.mark.parametrize("phase", ["follow", "lead"])
def test_the_trick_is_seen(phase: str) -> None:
    base = {**BASE, "phase": "follow", "hands": [["KH", "QD", "7C"], ["AS", "TS"]], "known": [[], []]}
    first = Game.from_position({**base, "trick": [[1, "9D"]]})
    second = Game.from_position({**base, "trick": [[1, "9S"]]})
    assert first.view(0).trick == [(1, "9D")]
    assert first.observation(0).tobytes() != second.observation(0).tobytes()


def test_both_seats_see_who_is_to_act() -> None:
    first = Game.from_position(BASE)
    assert first.view(1).to_act == 0
    assert not first.legal_mask(1).any()
    assert first.legal_mask(0).any()


# ----------------------------------------------------------------------------------------------- resample


def test_resample_varies_with_the_seed_and_repeats() -> None:
    for game in states("standard", {}, 3, share=0.2):
        if game.view(0).stock_left < 10:
            continue
        worlds_seen = {hidden(game.resample(0, seed), 0) for seed in range(20)}
        assert len(worlds_seen) == 20, "so large a stock never comes twice in twenty samples"
        assert hidden(game.resample(0, 5), 0) == hidden(game.resample(0, 5), 0)


@pytest.mark.parametrize(("rules", "overrides"), SETTINGS)
def test_resample_keeps_the_view_and_never_reads_the_truth(rules: str, overrides: dict[str, Any]) -> None:
    """Called on two games that look alike to the seat, the same seed gives the same game, byte for byte."""
    for number, game in enumerate(states(rules, overrides, 21, share=0.15)):
        for seat in (0, 1):
            first, second = game.resample(seat, 2 * number), game.resample(seat, 2 * number + 1)
            for seed in (0, 7, 2**63):
                a, b, c = (g.resample(seat, seed) for g in (game, first, second))
                assert hidden(a, seat) == hidden(b, seat) == hidden(c, seat)
                assert a._games.tobytes() == b._games.tobytes() == c._games.tobytes()
                assert a.view(seat).record.tobytes() == game.view(seat).record.tobytes()


def test_resample_never_returns_the_truth_by_rule() -> None:
    """LESSONS 38: a resampler that hands out the true hand; the true hand must be no more likely than others."""
    game = Game(seed=9)
    rng = np.random.default_rng(0)
    for _ in range(12):
        game.apply(choose(game, rng))
    hits = sum(game.resample(0, seed).hand(1) == game.hand(1) for seed in range(400))
    assert hits <= 2


def test_resample_can_be_played_on() -> None:
    rng = np.random.default_rng(1)
    for number, game in enumerate(states("finnish", {}, 8, share=0.1)):
        for seat in (0, 1):
            twin = game.resample(seat, number)
            while not twin.is_over:
                twin.apply(choose(twin, rng))
            record = twin.to_record()
            assert Game.replay(record).scores == twin.scores, "its record is that of a real game"


def test_in_the_endgame_nothing_is_hidden() -> None:
    """All cards are out, so the other hand is known card by card."""
    for game in states("standard", {}, 2, share=1.0):
        if game.phase.startswith("endgame"):
            assert {hidden(game.resample(0, s), 0) for s in range(5)} == {hidden(game, 0)}


# ------------------------------------------------------------------------------- exact frequencies


def play(position: dict[str, Any], texts: list[str]) -> tuple[Game, list[Action]]:
    """Play a story from a position."""
    game = Game.from_position(position)
    actions = []
    for text in texts:
        actions.append((game.seat_to_act, text))
        game.apply(text)
    return game, actions


SMALL: dict[str, Any] = {"variant": "two_pack", "rules": "standard", "dealer": 0, "rest": 1, "turn_up": "8C"}


@pytest.mark.parametrize("draws", ["shared", "queues"])
def test_frequencies_at_rest(draws: str) -> None:
    """Nothing was shown: every physical deal of the unseen cards is equally likely, duplicates counted."""
    position = {
        **SMALL,
        "draws": draws,
        "phase": "lead",
        "to_act": 0,
        "hands": [["KH", "QD", "7S"], ["AS", "AS", "9D"]],
        "stock": ["KS", "TS", "8H"],
    }
    game, actions = play(position, [])
    expected = worlds(position, actions, 0)
    assert len(expected) == 4 * 6 + 6 * 6 + 4 * 3, (
        "hands of three with two, one and no AS, by orders of what is left"
    )
    assert chi_square(expected, sample(game, 0, 20_000)) > 1e-4


def test_frequencies_after_a_quartet_that_reveals_absence() -> None:
    """Declared KH KD KC KC by the fixed order: no KS was in the hand then, though one may have been drawn since."""
    position = {
        **SMALL,
        "phase": "declare",
        "to_act": 1,
        "hands": [["9H", "9S", "8D", "7D", "7H"], ["KH", "KD", "KC", "KC", "8S"]],
        "stock": ["KS", "9S", "KS", "8H", "7S"],
    }
    game, actions = play(position, ["four K"])
    assert sorted(game.table(1)) == ["KC", "KC", "KD", "KH"]
    expected = worlds(position, actions, 0, held=["KH", "KD", "KC", "KC"])
    got = sample(game, 0, 20_000)
    assert chi_square(expected, got) > 1e-4
    # By hand: seat 0 has drawn 9S; unseen are 8S KS KS 8H 7S. The card kept is one of the three that are no KS,
    # the card drawn one of the four others, two of them KS: a half (7/10 if the absence were forgotten).
    with_king = sum(n for (hand, _), n in got.items() if "KS" in hand)
    assert with_king / 20_000 == pytest.approx(1 / 2, abs=0.02)
    assert all(hand.count("KS") < 2 for hand, _ in got), "one was drawn at most, none was held"


def test_frequencies_after_absence_and_further_play() -> None:
    """The same, a trick later: what is drawn afterwards is independent of what was absent."""
    position = {
        **SMALL,
        "phase": "declare",
        "to_act": 1,
        "hands": [["9H", "9S", "8D", "7D", "7H"], ["KH", "KD", "KC", "KC", "8S"]],
        "stock": ["KS", "9S", "8H", "8D", "KS"],
    }
    game, actions = play(position, ["four K", "play KD table", "play 8D"])
    assert (game.phase, game.seat_to_act) == ("lead", 1)
    expected = worlds(position, actions, 0, held=["KH", "KD", "KC", "KC"])
    assert max(hand.count("KS") for hand, _ in expected) == 2, "two drawn cards may both be KS"
    assert chi_square(expected, sample(game, 0, 20_000)) > 1e-4


def test_frequencies_after_an_exchange_from_the_table() -> None:
    """The hand seven goes before the table seven: exchanged from the table, so the hand held none."""
    position = {
        **SMALL,
        "phase": "declare",
        "to_act": 1,
        "hands": [["9H", "9S", "8D", "7D"], ["AS", "TD", "JD"]],
        "table": [[], ["7C"]],
        "scored": [{"seat": 1, "meld": "seven", "cards": ["7C"]}],
        "turn_up": "QC",
        "stock": ["7C", "JD", "8H"],
    }
    game, actions = play(position, ["exchange"])
    assert game.table(1) == []
    expected = worlds(position, actions, 0)
    got = sample(game, 0, 20_000)
    assert chi_square(expected, got) > 1e-4
    # By hand: seat 0 has drawn JD; unseen are AS TD JD 7C 8H. Three of the four that are no 7C were held, the card
    # drawn is one of the two others: a half (4/5 if the order of choice were forgotten).
    with_seven = sum(n for (hand, _), n in got.items() if "7C" in hand)
    assert with_seven / 20_000 == pytest.approx(1 / 2, abs=0.02)


def test_frequencies_with_the_other_seat_in_its_window() -> None:
    """While the other seat's window is open it must hold something to declare."""
    position = {
        **SMALL,
        "phase": "declare",
        "to_act": 1,
        "hands": [["9H", "9S", "8D"], ["KH", "QH", "JD"]],
        "stock": ["KD", "QS", "8H"],
    }
    game, actions = play(position, [])
    expected = worlds(position, actions, 0)
    # KH QH, or QS JD: of the 20 hands of three among six cards, 4 + 4 hold one (none holds both).
    hands = {hand for hand, _ in expected}
    assert len(hands) == 8
    assert chi_square(expected, sample(game, 0, 20_000)) > 1e-4


def test_frequencies_after_silence() -> None:
    """A seat that passed tells nothing: it may or may not have held a meld."""
    position = {
        **SMALL,
        "phase": "declare",
        "to_act": 1,
        "hands": [["9H", "9S", "8D"], ["KH", "QH", "JD"]],
        "stock": ["KD", "QS", "8H"],
    }
    game, actions = play(position, ["pass"])
    expected = worlds(position, actions, 0)
    # By hand: seat 0 has drawn QS; seat 1 has four of KH QH JD KD 8H, all five choices being equally likely;
    # two of them lack KH or QH.
    lone = sum(p for (hand, _), p in expected.items() if not ("KH" in hand and "QH" in hand))
    assert lone == pytest.approx(2 / 5), "hands without a meld stay possible"
    assert chi_square(expected, sample(game, 0, 20_000)) > 1e-4


def test_frequencies_after_a_marriage_of_a_widowed_sequence_card() -> None:
    """fresh_partner: the table king of a sequence would go first with a queen of the hand; laying the hand
    king beside the table queen tells that no second queen was held."""
    sequence = ["AS", "TS", "KS", "QS", "JS"]
    position = {
        **SMALL,
        "rules": {"preset": "standard", "overrides": {"seq_then_marriage": "fresh_partner"}},
        "turn_up": "8S",
        "phase": "declare",
        "to_act": 1,
        "hands": [["9H", "9S", "8D", "7D", "7H", "7H", "9H"], ["KS", "8H"]],
        "table": [[], sequence],
        "scored": [{"seat": 1, "meld": "sequence S", "cards": sequence}],
        "stock": ["QS", "8H", "7D"],
    }
    game, actions = play(position, ["marriage S"])
    assert game.table(1).count("KS") == 2 and game.table(1).count("QS") == 1
    expected = worlds(position, actions, 0)
    got = sample(game, 0, 20_000)
    assert chi_square(expected, got) > 1e-4


def test_frequencies_when_both_copies_may_have_been_held() -> None:
    """A deck counts once, however many of its cards might have been the one that was shown.

    Seat 1 married KD QD, keeping x, drew y and played QH. Unseen are KD KH (and QH until then) for x, y and the
    stock z. Of the 5! physical deals of KD KD QD QH KH: x = KD, y = QH in 6; x = QH in 12 with y = KD and 12 with
    y = KH; x = KH, y = QH in 12. So KD is left in 18 and KH in 24 of 42.
    """
    position = {
        **SMALL,
        "phase": "declare",
        "to_act": 1,
        "hands": [["9H", "9S", "8D", "7D", "7H"], ["KD", "QD", "QH"]],
        "table": [[], ["KC", "KC"]],
        "stock": ["KD", "7C", "KH"],
    }
    game, actions = play(position, ["marriage D", "play QH"])
    expected = worlds(position, actions, 0)
    assert expected == pytest.approx({(("KD",), ("KH",)): 18 / 42, (("KH",), ("KD",)): 24 / 42})
    assert chi_square(expected, sample(game, 0, 20_000)) > 1e-4


RICH = ["KS", "KH", "KD", "KC", "QS", "QC", "QD", "JD", "JD", "QS", "7C", "7C", "KC", "QC", "JH", "KD"]


def fitting_meld(card: str, overrides: dict[str, Any], rng: np.random.Generator) -> str | None:
    """A meld in which a table card may have served, None for a seven."""
    if card[0] == "7":
        return None
    melds = [f"four {card[0]}"]
    if overrides.get("seq_then_marriage") == "fresh_partner":
        melds.append(f"sequence {card[1]}")
    elif card[0] in "QJ":
        melds.append("bezique 1")
    return melds[int(rng.integers(len(melds)))]


def random_position(
    rng: np.random.Generator, size: int = 4, overrides: dict[str, Any] | None = None
) -> dict[str, Any]:
    """A small window of seat 1 with cards that make melds, everything named."""
    overrides = overrides or {}
    cards = [RICH[int(k)] for k in rng.permutation(len(RICH))]
    spare = ["9H", "9S", "8D", "7D", "7H", "8H", "8S", "9D"]
    table = cards[: int(rng.integers(0, 3))]
    hand = cards[len(table) : size]
    used = [(card, fitting_meld(card, overrides, rng)) for card in table if rng.random() < 0.4]
    position = {
        **SMALL,
        "rules": {"preset": "standard", "overrides": overrides},
        "phase": "declare",
        "to_act": 1,
        "hands": [spare[:size], hand],
        "table": [[], table],
        "scored": [{"seat": 1, "meld": meld, "cards": [card]} for card, meld in used if meld],
        "stock": cards[size : size + 3],
    }
    if "trump" in overrides:
        del position["turn_up"]
        position["stock"] = [*position["stock"], cards[size + 3]]
    return position


def compare_story(seed: int, overrides: dict[str, Any], size: int, count: int) -> tuple[int, float]:
    """A random story; returns the number of worlds and the p-value."""
    rng = np.random.default_rng(seed)
    position = random_position(rng, size, overrides)
    game = Game.from_position(position)
    actions: list[Action] = []
    for _ in range(int(rng.integers(1, 6))):
        if game.phase.startswith("endgame") or game.is_over or game.phase == "select":
            break
        action = choose(game, rng)
        text = game.action_text(action)
        if game.phase == "declare" and action != 95 and "explicit" in overrides.values():
            break
        actions.append((game.seat_to_act, text))
        game.apply(action)
    expected = worlds(position, actions, 0)
    assert hidden(game, 0) in expected
    return len(expected), chi_square(expected, sample(game, 0, count))


MEMORY: list[dict[str, Any]] = [
    {},
    {"declare": "lay_many_score_one"},
    {"declare": "many_disjoint", "dix_score": "as_meld", "dix_exchange": "free"},
    {"quartet_suits_bonus": "x2"},
    {"quartet_suits_bonus": "x2", "declare": "lay_many_score_one", "dix_exchange": "free"},
    {"double_bezique": "build_any", "declare": "many_disjoint"},
    {"seq_then_marriage": "fresh_partner", "declare": "lay_many_score_one"},
    {
        "trump": "first_marriage_sequence_or_bezique",
        "bezique_pair": "trump_queen",
        "dix_score": "none",
        "dealer_seven": 0,
        "declare": "lay_many_score_one",
    },
]


@pytest.mark.parametrize("overrides", MEMORY)
def test_frequencies_of_random_stories(overrides: dict[str, Any]) -> None:
    """Random play from small positions under rules whose orders of choice reveal different things."""
    sizes = []
    for seed in range(5):
        number, p = compare_story(seed, overrides, 4, 1_000)
        assert p > 1e-5, f"seed {seed}"
        sizes.append(number)
    assert max(sizes) > 5


@pytest.mark.slow
@pytest.mark.parametrize("overrides", MEMORY)
def test_frequencies_of_many_random_stories(overrides: dict[str, Any]) -> None:
    low = 0
    for seed in range(100, 115):
        _, p = compare_story(seed, overrides, 5, 4_000)
        assert p > 1e-7, f"seed {seed}"
        low += p < 0.01
    assert low <= 2, "about one in a hundred is expected"


# ----------------------------------------------------------------------------------------------- silence


def silent_pair(theirs: list[str], stock: list[str]) -> dict[str, Any]:
    return {
        **SMALL,
        "phase": "lead",
        "to_act": 0,
        "hands": [["9H", "9S", "8D", "7D"], theirs],
        "stock": stock,
    }


def test_silence_passing_looks_like_having_nothing() -> None:
    could = Game.from_position(silent_pair(["TH", "KD", "QD", "8S"], ["7H", "8H", "7S", "9D", "QS"]))
    could_not = Game.from_position(silent_pair(["TH", "KD", "QS", "8S"], ["7H", "8H", "7S", "9D", "QD"]))
    for game in (could, could_not):
        game.apply("play 9H")
        game.apply("play TH")
    assert (could.phase, could_not.phase) == ("declare", "lead")
    could.apply("pass")
    assert differing(seen(could, 0), seen(could_not, 0)) == []
    for game in (could, could_not):
        game.apply("play 8S")
        game.apply("play 9S")
    assert "pass" in [text for _, text in could.actions]
    assert differing(seen(could, 0), seen(could_not, 0)) == []
    assert "pass" not in could.information_text(0)
    assert "pass" in could.information_text(1), "the seat itself knows what it did"


def test_silence_in_a_window_that_stays_open_after_a_declaration() -> None:
    """After KD QD a seven could be shown, or not: both look the same once the window is closed."""
    could = Game.from_position(silent_pair(["TH", "KD", "QD", "7C"], ["7H", "8H", "7S", "9D", "JS"]))
    could_not = Game.from_position(silent_pair(["TH", "KD", "QD", "JS"], ["7H", "8H", "7S", "9D", "7C"]))
    for game in (could, could_not):
        for text in ("play 9H", "play TH", "marriage D"):
            game.apply(text)
    assert (could.phase, could_not.phase) == ("declare", "lead")
    could.apply("pass")
    assert differing(seen(could, 0), seen(could_not, 0)) == []


def test_silence_in_the_last_window() -> None:
    """The window of the last stock trick: closing it returns the table cards, which a skipped window does too."""
    games = []
    for held, face_down_card in (("QD", "QS"), ("QS", "QD")):
        position = {**silent_pair(["TH", "KD", held], [face_down_card]), "table": [[], ["KH"]]}
        game = Game.from_position(position)
        game.apply("play 9H")
        game.apply("play TH")
        games.append(game)
    could, could_not = games
    assert (could.phase, could_not.phase) == ("declare", "endgame_lead")
    could.apply("pass")
    assert sorted(could.hand(1)) == sorted(could_not.hand(1)) == ["KD", "KH", "QD", "QS"]
    assert differing(seen(could, 0), seen(could_not, 0)) == []


def test_silence_a_selection_under_way_is_not_shown() -> None:
    """D29: the other seat sees a declaration only when its copies are complete."""
    position = {
        **SMALL,
        "rules": {"preset": "standard", "overrides": {"selection": "explicit"}},
        "phase": "declare",
        "to_act": 1,
        "hands": [["9H", "9S", "8D", "7D", "7H"], ["KD", "QD", "QD", "8S"]],
        "table": [[], ["KD"]],
        "stock": ["7H", "QS", "7S", "8H", "9D"],
    }
    before = Game.from_position(position)
    for path in (["marriage D"], ["marriage D", "use KD"], ["marriage D", "use KD table"]):
        game, _ = play(position, path)
        assert game.phase == "select"
        assert game.view(0).phase == "declare"
        assert game.view(0).selection is None
        assert game.view(1).selection is not None
        assert differing(seen(before, 0), seen(game, 0)) == []
    first, second = (play(position, ["marriage D", use])[0] for use in ("use KD", "use KD table"))
    assert first.observation(1).tobytes() != second.observation(1).tobytes(), "the seat sees its own choice"


def test_information_text_tells_different_histories_apart() -> None:
    """The same view reached in two ways (which card was led first) is two information sets."""
    position = silent_pair(["8S", "8H", "9D", "9D"], ["7H", "JS", "7S", "8H", "7C"])
    first, _ = play(position, ["play 9H", "play 8H", "play 9S", "play 8S"])
    second, _ = play(position, ["play 9S", "play 8S", "play 9H", "play 8H"])
    assert sorted(first.view(0).won[0]) == sorted(second.view(0).won[0])
    assert first.information_text(0) != second.information_text(0)


def test_information_text_of_the_two_seats_differs() -> None:
    game = Game(seed=4)
    assert game.information_text(0) != game.information_text(1)
    assert game.hand(0) != game.hand(1)
    assert len(face_down(game)) == 47
