"""The worked examples of rules/bezique.md section 11 that concern Rubicon (four packs, melds form again).

Every test bears the id of its example; the docstring names the source and the expected numbers, which are
worked out by hand from the page. Trump stands in brackets. Nothing is copied from the output of the engine.
"""

from __future__ import annotations

from typing import Any

import pytest

from bezique_env.game import Game
from tests.rules.setup import dealt, entry, legal, next_window, refused, rubicon, setup, told, uses, win

KH_QH = "KH QH"
"""A marriage of hearts that keeps a window open, so that a refusal of something else can be asked for."""


@pytest.mark.parametrize("variant", ["rubicon", "chinese", "eight_pack", "fildinski"])
def test_x01_the_first_of_two_identical_cards_wins(variant: str) -> None:
    """HOF: lead 9D, reply 9D: the leader wins."""
    keys: dict[str, Any] = {"turn_up": "8S"} if variant == "fildinski" else {"trump": "S"}
    game = setup("9D KC", "9D KH", variant=variant, phase="lead", **keys)
    game.apply("play 9D")
    game.apply("play 9D")
    assert game.view(0).won[0] == ["9D", "9D"]
    assert (game.seat_to_act, game.phase) == (0, "lead")


def test_x33_first_marriage_fixes_trump() -> None:
    """HOF note 10, FOS: first marriage of the deal, hearts: trump H, 40."""
    game = rubicon("KH QH", trump=None)
    assert game.trump is None
    assert told(game.apply("marriage H")) == [(0, "marriage H", 40)]
    assert game.trump == "H"


def test_x34_second_marriage_is_plain() -> None:
    """SAARI: second marriage, clubs: 20; trump stays hearts for the rest of the deal."""
    game = rubicon("KH QH KC QC", trump=None)
    game.apply("marriage H")
    next_window(game)
    assert told(game.apply("marriage C")) == [(0, "marriage C", 20)]
    assert game.trump == "H"


@pytest.mark.parametrize("trump", ["S", "D"])
def test_x35_shifting_pair_under_spades_and_diamonds(trump: str) -> None:
    """PKW, SAARI: [S] or [D], shifting: QC JH scores 40; QS JD nothing."""
    shifting = {"bezique_pair": "shifting"}
    game = rubicon("QC JH QS JD", trump=trump, overrides=shifting)
    assert told(game.apply("bezique 1")) == [(0, "bezique 1", 40)]
    assert sorted(game.table(0)) == ["JH", "QC"]
    game = rubicon(f"QS JD {KH_QH}", trump=trump, overrides=shifting)
    refused(game, "bezique 1")


@pytest.mark.parametrize("trump", ["C", "H"])
def test_x36_shifting_pair_under_clubs_and_hearts(trump: str) -> None:
    """NIE: [C] or [H], shifting: QS JD scores 40; QC JH nothing."""
    shifting = {"bezique_pair": "shifting"}
    game = rubicon("QC JH QS JD", trump=trump, overrides=shifting)
    assert told(game.apply("bezique 1")) == [(0, "bezique 1", 40)]
    assert sorted(game.table(0)) == ["JD", "QS"]
    game = rubicon("QC JH KD QD", trump=trump, overrides=shifting)
    refused(game, "bezique 1")


def test_x42_four_queens_again_with_a_fifth() -> None:
    """HOF, WKN-R: four queens scored, one played, a fifth added, next trick won: 60 again."""
    game = rubicon("QS QH QD QC QS")
    assert told(game.apply("four Q")) == [(0, "four Q", 60)]
    # by card id the two QS go down with QH and QD
    assert game.table(0) == ["QS", "QS", "QH", "QD"]
    assert "QC" in game.hand(0)
    next_window(game, "QH table")
    assert told(game.apply("four Q")) == [(0, "four Q", 60)]
    assert sorted(game.table(0)) == ["QC", "QD", "QS", "QS"]
    assert game.scores == (120, 0)


def test_x43_five_queens_on_the_table_score_no_second_quartet() -> None:
    """HOF: five queens on the table, none played since scoring: no second 60."""
    game = rubicon(
        "KD",
        table=["QS QH QD QC QS JD", ""],
        scored=[entry("four Q", "QS#1 QH QD QC"), entry("bezique 1", "QS#2 JD")],
    )
    refused(game, "four Q")
    assert "marriage D" in legal(game)


def test_x44_cross_pairs_of_two_marriages() -> None:
    """HOF: KS1 QS1 and KS2 QS2 both scored and on the table: two more marriages (cross pairs), four in all."""
    game = rubicon("KS QS KS QS", trump="H")
    for _ in range(4):
        assert told(game.apply("marriage S")) == [(0, "marriage S", 20)]
        next_window(game)
    assert game.scores == (80, 0)
    assert game.phase == "lead", "a fifth pair does not exist"
    assert game.table(0) == ["KS", "QS", "KS", "QS"]


def test_x46_kings_then_bezique_then_the_marriage_between_them() -> None:
    """HOF: [S] four kings with KS down, then bezique with QS: 40 scored, and 40 marriage to score."""
    game = rubicon("KS KH KD KC QS JD", trump="S")
    assert told(game.apply("four K")) == [(0, "four K", 80)]
    next_window(game)
    assert told(game.apply("bezique 1")) == [(0, "bezique 1", 40)]
    next_window(game)
    assert told(game.apply("marriage S")) == [(0, "marriage S", 40)]


@pytest.mark.parametrize("trump", ["S", "C"])
def test_x47_a_sequence_absorbs_the_pending_marriage(trump: str) -> None:
    """POR 47: marriage pending, A T J added, sequence scored: marriage lost."""
    game = rubicon(
        "AS TS JS KD",
        trump=trump,
        table=["KS QS JD QD", ""],
        scored=[entry("bezique 1", "QS JD")],
    )
    assert "marriage S" in legal(game), "it was pending"
    game.apply("sequence S")
    assert game.scores == ((250 if trump == "S" else 150), 0)
    next_window(game)
    assert "marriage D" in legal(game)
    refused(game, "marriage S")


def test_x48_a_double_absorbs_the_pending_single() -> None:
    """POR 48: single bezique pending, pair added, double scored: single lost."""
    game = rubicon(
        "QS JD KH QH",
        table=["KS QS JD", ""],
        scored=[entry("marriage S", "KS QS")],
    )
    assert "bezique 1" in legal(game), "it was pending"
    assert told(game.apply("bezique 2")) == [(0, "bezique 2", 500)]
    next_window(game)
    assert "marriage H" in legal(game)
    refused(game, "bezique 1", "bezique 2")


@pytest.mark.parametrize("card", ["KS", "QS"])
def test_x49_a_pending_meld_lapses_when_a_card_is_played(card: str) -> None:
    """POR 46: pending meld, one card played first: lost."""
    game = rubicon(
        KH_QH,
        table=["KS KH KD KC QS JD", ""],
        scored=[entry("four K", "KS KH KD KC"), entry("bezique 1", "QS JD")],
    )
    assert "marriage S" in legal(game)
    game.apply("pass")
    win(game, f"{card} table")
    refused(game, "marriage S")


def test_x50_bezique_step_by_step() -> None:
    """POR 38: single, double, triple, quadruple in steps: 40 + 500 + 1,500 + 4,500 = 6,540."""
    game = rubicon("QS QS QS QS JD JD JD JD")
    for level, points in ((1, 40), (2, 500), (3, 1500), (4, 4500)):
        assert f"bezique {level}" in legal(game)
        assert told(game.apply(f"bezique {level}")) == [(0, f"bezique {level}", points)]
        assert len(game.table(0)) == 2 * level
        win(game, next(c for c in game.hand(0) if c[0] in "789"))
    assert game.scores == (6540, 0)
    assert legal(game) == ["four Q", "four J", "pass"]


def test_x51_quadruple_at_once() -> None:
    """POR 38, 40: quadruple at once: 4,500."""
    game = rubicon("QS QS QS QS JD JD JD JD")
    assert legal(game) == ["bezique 1", "bezique 2", "bezique 3", "bezique 4", "four Q", "four J", "pass"]
    assert told(game.apply("bezique 4")) == [(0, "bezique 4", 4500)]
    assert game.scores == (4500, 0)


def test_x52_two_singles_united() -> None:
    """POR 38: two singles scored, then united: 500 (allowed, unlike the two-pack game)."""
    game = rubicon("QS JD QS JD")
    for meld, points in (("bezique 1", 40), ("bezique 1", 40), ("bezique 2", 500)):
        assert told(game.apply(meld)) == [(0, meld, points)]
        next_window(game)
    assert game.scores == (580, 0)
    assert len(game.table(0)) == 4


@pytest.mark.parametrize(("trump", "points"), [("S", 40), ("C", 20)])
def test_x54_marriages_after_a_sequence(trump: str, points: int) -> None:
    """FOS, POR 37: sequence scored; K of it + new Q: refused; new K + new Q: 20 or 40."""
    sequence = {
        "table": ["AS TS KS QS JS", ""],
        "scored": [entry("sequence S", "AS TS KS QS JS")],
        "trump": trump,
    }
    game = rubicon("QS JD", **sequence)
    refused(game, "marriage S")
    game = rubicon("KS QS JD", **sequence)
    assert told(game.apply("marriage S")) == [(0, "marriage S", points)]
    assert [card for card, served in uses(game, 0) if served == ["marriage"]] == ["KS", "QS"]


@pytest.mark.parametrize(("trump", "points"), [("S", 250), ("C", 150)])
def test_x55_a_sequence_again_with_another_ace(trump: str, points: int) -> None:
    """POR 34: sequence scored, its ace played, another ace added: sequence again."""
    game = rubicon(
        f"AS {KH_QH}",
        table=["AS TS KS QS JS", ""],
        scored=[entry("sequence S", "AS TS KS QS JS")],
        trump=trump,
    )
    refused(game, "sequence S")
    next_window(game, "AS table")
    assert told(game.apply("sequence S")) == [(0, "sequence S", points)]
    assert game.table(0) == ["TS", "KS", "QS", "JS", "AS"]


def test_x56_carte_blanche_with_four_aces() -> None:
    """POR 43: carte blanche holding four aces, then a trick won: 50, then 100 (aces are no courts)."""
    game = Game(
        "rubicon",
        rules="portland",
        deck=dealt("rubicon", "AS AH AD AC 9H", "JH 7H", stock="8S"),
        dealer=1,
    )
    assert told(game.apply("carte blanche")) == [(0, "carte blanche", 50)]
    win(game, "9H", "7H")
    assert told(game.apply("four A")) == [(0, "four A", 100)]
    assert game.scores == (150, 0)


def test_x57_carte_blanche_while_no_court_is_drawn_kqj() -> None:
    """POR 16: carte blanche, then draws 8, A, K: KQJ: 50 + 50 + 50, then stop."""
    low = "7S 8S 9S 7H 8H 9H 9D 9D 9C"
    # the winner of each trick draws first: seat 0 takes the first, third, fifth ... card
    deck = dealt("rubicon", low, "JH 7H 7D 7D 7C", stock="8D 7S AD 8S KD 9S 8C 7S")
    game = Game("rubicon", rules="portland", deck=deck, dealer=1)
    assert told(game.apply("carte blanche")) == [(0, "carte blanche", 50)]
    win(game, "9H", "7H")
    assert game.phase == "carte_blanche"
    assert told(game.apply("carte blanche")) == [(0, "carte blanche", 50)]
    win(game, "9D", "7D")
    assert told(game.apply("carte blanche")) == [(0, "carte blanche", 50)]
    win(game, "9D", "7D")
    assert game.phase == "lead", "a king has been drawn"
    win(game, "9C", "7C")
    assert game.phase == "lead", "and that was the end of it, although an eight has been drawn now"
    assert game.scores == (150, 0)


@pytest.mark.parametrize("preset", ["saari"])
def test_x57_carte_blanche_while_no_court_is_drawn_akqj(preset: str) -> None:
    """SAARI: the same draws 8, A, K where aces are courts: 50 + 50, then stop."""
    low = "7S 8S 9S 7H 8H 9H 9D 9D 9C"
    deck = dealt("rubicon", low, "JH 7H 7D 7D 7C", stock="8D 7S AD 8S KD 9S 8C 7S")
    game = Game("rubicon", rules=preset, deck=deck, dealer=1)
    assert told(game.apply("carte blanche")) == [(0, "carte blanche", 50)]
    win(game, "9H", "7H")
    assert told(game.apply("carte blanche")) == [(0, "carte blanche", 50)]
    win(game, "9D", "7D")
    assert game.phase == "lead", "an ace has been drawn"
    win(game, "9D", "7D")
    win(game, "9C", "7C")
    assert game.phase == "lead"
    assert game.scores == (100, 0)


@pytest.mark.parametrize("preset", ["saari", "portland", "bicycle"])
def test_x59_only_one_meld_scores_on_a_trick(preset: str) -> None:
    """POR 43: more than one meld available on one trick: only one scored."""
    game = rubicon("KS QS JD KD QD KH QH", rules=preset)
    assert legal(game) == ["marriage S", "marriage H", "marriage D", "bezique 1", "pass"]
    game.apply("bezique 1")
    assert game.phase == "lead"
    assert game.scores == (40, 0)
    next_window(game)
    assert legal(game) == ["marriage S", "marriage H", "marriage D", "pass"], "the others are still to score"


@pytest.mark.parametrize(("kings", "points"), [("KS KH KD KC", 160), ("KS KS KD KC", 80)])
def test_x84_quartets_of_four_suits_count_double(kings: str, points: int) -> None:
    """SAARI option: KS KH KD KC / KS KS KD KC: 160 / 80."""
    game = rubicon(kings, overrides={"quartet_suits_bonus": "x2"})
    assert told(game.apply("four K")) == [(0, "four K", points)]


def test_x84_is_off_by_default() -> None:
    """SAARI option: without it four kings are 80 of whatever suits."""
    game = rubicon("KS KH KD KC")
    assert told(game.apply("four K")) == [(0, "four K", 80)]
