"""The worked examples of rules/bezique.md section 11 that concern the game with eight packs.

Every test bears the id of its example; the docstring names the source and the expected numbers, which are
worked out by hand from the page. Trump stands in brackets. Nothing is copied from the output of the engine.
"""

from __future__ import annotations

import pytest

from tests.rules.setup import eight, entry, legal, next_window, refused, told


@pytest.mark.parametrize("preset", ["saari", "sum"])
def test_x33_first_marriage_fixes_trump(preset: str) -> None:
    """HOF note 10, FOS: first marriage of the deal, hearts: trump H, 40."""
    game = eight("KH QH", trump=None, rules=preset)
    assert told(game.apply("marriage H")) == [(0, "marriage H", 40)]
    assert game.trump == "H"


def test_x44_cross_pairs_of_two_marriages() -> None:
    """HOF: two marriages of one suit on the table give two more, four in all."""
    game = eight("KS QS KS QS")
    for _ in range(4):
        assert told(game.apply("marriage S")) == [(0, "marriage S", 20)]
        next_window(game)
    assert game.scores == (80, 0)
    assert game.phase == "lead"


def test_x50_bezique_step_by_step() -> None:
    """POR 38, SAARI: 40 + 500 + 1,500 + 4,500 + 9,000 = 15,540."""
    game = eight("QS QS QS QS QS JD JD JD JD JD")
    for level, points in ((1, 40), (2, 500), (3, 1500), (4, 4500), (5, 9000)):
        assert told(game.apply(f"bezique {level}")) == [(0, f"bezique {level}", points)]
        assert len(game.table(0)) == 2 * level
        next_window(game)
    assert game.scores == (15540, 0)


@pytest.mark.parametrize("preset", ["saari", "sum"])
def test_x75_four_trump_aces_and_mixed_aces(preset: str) -> None:
    """SAARI, PEN: [S] four trump aces 1,000; mixed aces 100, as with six packs."""
    game = eight("AS AS AS AS", trump="S", rules=preset)
    assert told(game.apply("four trump A")) == [(0, "four trump A", 1000)]
    game = eight("AS AS AS AH", trump="S", rules=preset)
    assert told(game.apply("four A")) == [(0, "four A", 100)]


@pytest.mark.parametrize("preset", ["saari", "sum"])
def test_x78_five_trump_aces_and_quintuple_bezique(preset: str) -> None:
    """SAARI: [S] five trump aces 2,000, quintuple bezique 9,000."""
    game = eight("AS AS AS AS AS", trump="S", rules=preset)
    assert told(game.apply("five trump A")) == [(0, "five trump A", 2000)]
    game = eight("QS QS QS QS QS JD JD JD JD JD", trump="C", rules=preset)
    assert told(game.apply("bezique 5")) == [(0, "bezique 5", 9000)]


def test_x78_a_sixth_pair_scores_nothing() -> None:
    """Section 5.7: sextuple and higher: no score."""
    pairs = "QS QS QS QS QS JD JD JD JD JD"
    game = eight("QS JD KH QH", table=[pairs, ""], scored=[entry("bezique 5", pairs)])
    # the sixth pair is a fresh single; nothing higher can be made of it
    assert "bezique 1" in legal(game)
    refused(game, "bezique 2", "bezique 3", "bezique 4", "bezique 5")


@pytest.mark.parametrize(("kings", "points"), [("KS KH KD KC", 160), ("KS KS KD KC", 80)])
def test_x84_quartets_of_four_suits_count_double(kings: str, points: int) -> None:
    """SAARI option: KS KH KD KC / KS KS KD KC: 160 / 80."""
    game = eight(kings, overrides={"quartet_suits_bonus": "x2"})
    assert told(game.apply("four K")) == [(0, "four K", points)]
