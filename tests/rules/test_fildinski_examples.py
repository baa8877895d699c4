"""The worked examples of rules/bezique.md section 11 that concern Fildinski (melds from the cards won).

Every test bears the id of its example; the docstring names the source and the expected numbers, which are
worked out by hand from the page. Trump stands in brackets. Nothing is copied from the output of the engine.
"""

from __future__ import annotations

import pytest

from tests.rules.setup import MELDS_ONLY, entry, legal, refused, setup, told, uses


@pytest.mark.parametrize("preset", ["standard", "by_class"])
def test_x37_four_kings_with_the_king_just_won(preset: str) -> None:
    """EB11 rule: open KS KD KC, trick won contains KH: four kings 80."""
    game = setup(
        "AH",
        "KH",
        variant="fildinski",
        rules=preset,
        phase="lead",
        table=["KS KD KC", ""],
        turn_up="9C",
        overrides=MELDS_ONLY,
    )
    game.apply("play AH")
    game.apply("play KH")
    assert game.table(0) == ["KS", "KD", "KC", "AH", "KH"], "led card, then reply, both open"
    assert legal(game) == ["four K", "pass"]
    assert told(game.apply("four K")) == [(0, "four K", 80)]


@pytest.mark.parametrize("preset", ["standard", "by_class"])
def test_x39_a_marriage_and_a_bezique_in_one_turn(preset: str) -> None:
    """SAARI: [C] open QH QS, trick won = KH + JD: marriage 20 and bezique 40 in one turn."""
    game = setup(
        "KH",
        "JD",
        variant="fildinski",
        rules=preset,
        phase="lead",
        table=["QH QS", ""],
        turn_up="9C",
        overrides=MELDS_ONLY,
    )
    game.apply("play KH")
    game.apply("play JD")
    assert legal(game) == ["marriage H", "bezique 1", "pass"]
    assert told(game.apply("marriage H")) == [(0, "marriage H", 20)]
    assert told(game.apply("bezique 1")) == [(0, "bezique 1", 40)]
    assert game.scores == (60, 0)
    assert game.phase == "lead", "nothing is left to declare"
    assert uses(game, 0) == [
        ("QH", ["marriage"]),
        ("QS", ["bezique"]),
        ("KH", ["marriage"]),
        ("JD", ["bezique"]),
    ]


@pytest.mark.parametrize("preset", ["standard", "by_class"])
def test_x41_brisques_at_once(preset: str) -> None:
    """WKN-F: trick won contains AC + TD: +20 at once."""
    game = setup("AC", "TD", variant="fildinski", rules=preset, phase="lead", turn_up="9S")
    game.apply("play AC")
    assert told(game.apply("play TD")) == [(0, "brisques", 20)]
    assert game.scores == (20, 0)
    assert game.table(0) == ["AC"], "a plain ten can never serve: it is turned down"
    assert game.view(0).won[0] == ["TD"]


def test_x33_first_marriage_fixes_trump() -> None:
    """HOF note 10, FOS, with the option of no ready trump: first marriage, hearts: trump H, 40."""
    game = setup(
        "KH",
        "QH",
        variant="fildinski",
        phase="lead",
        turn_up=None,
        overrides={**MELDS_ONLY, "trump": "first_marriage", "dix_score": "none", "dealer_seven": 0},
    )
    game.apply("play KH")
    game.apply("play QH")
    assert told(game.apply("marriage H")) == [(0, "marriage H", 40)]
    assert game.trump == "H"


@pytest.mark.parametrize("turn_up", ["8S", "8D"])
def test_x35_shifting_pair(turn_up: str) -> None:
    """PKW, SAARI: [S] or [D], shifting: QC JH scores 40; QS JD nothing."""
    position = {
        "variant": "fildinski",
        "phase": "lead",
        "turn_up": turn_up,
        "overrides": {**MELDS_ONLY, "bezique_pair": "shifting"},
    }
    game = setup("AC", "QC", table=["JH", ""], **position)
    game.apply("play AC")
    game.apply("play QC")
    assert told(game.apply("bezique 1")) == [(0, "bezique 1", 40)]
    other = ("AS", "QS", "JD") if turn_up == "8D" else ("AD", "JD", "QS")
    game = setup(other[0], other[1], table=[f"{other[2]} AH AC AS AD", ""], **position)
    game.apply(f"play {other[0]}")
    game.apply(f"play {other[1]}")
    # the ace just won keeps the window open with four aces
    refused(game, "bezique 1")


@pytest.mark.parametrize(("king", "points"), [("KH", 160), ("KS", 80)])
def test_x84_quartets_of_four_suits_count_double(king: str, points: int) -> None:
    """SAARI option: KS KH KD KC / KS KS KD KC: 160 / 80."""
    game = setup(
        "A" + king[1],
        king,
        variant="fildinski",
        phase="lead",
        table=["KS KD KC", ""],
        turn_up="9C",
        overrides={**MELDS_ONLY, "quartet_suits_bonus": "x2"},
    )
    game.apply(f"play A{king[1]}")
    game.apply(f"play {king}")
    assert told(game.apply("four K")) == [(0, "four K", points)]


def test_x04_no_marriage_out_of_a_scored_sequence() -> None:
    """SAARI, FINN, DUTCH, HOF: across windows the group rules hold: a sequence's king takes no new queen."""
    sequence = "AS TS KS QS JS"
    game = setup(
        "AS",
        "QS",
        variant="fildinski",
        phase="lead",
        table=[f"{sequence} JD", ""],
        scored=[entry("sequence S", sequence)],
        turn_up="8S",
        overrides=MELDS_ONLY,
    )
    game.apply("play AS")
    game.apply("play QS")
    assert legal(game) == ["bezique 1", "pass"]
    refused(game, "marriage S", "sequence S")
