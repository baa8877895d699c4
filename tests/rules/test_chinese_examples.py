"""The worked examples of rules/bezique.md section 11 that concern Chinese Bezique (six packs).

Every test bears the id of its example; the docstring names the source and the expected numbers, which are
worked out by hand from the page. Trump stands in brackets. Nothing is copied from the output of the engine.
"""

from __future__ import annotations

import pytest

from bezique_env.game import Game
from tests.rules.setup import chinese, dealt, entry, legal, next_window, refused, told, win


@pytest.mark.parametrize("preset", ["saari", "sum", "trump_queen"])
def test_x33_first_marriage_fixes_trump(preset: str) -> None:
    """HOF note 10, FOS: first marriage of the deal, hearts: trump H, 40."""
    game = chinese("KH QH", trump=None, rules=preset)
    assert told(game.apply("marriage H")) == [(0, "marriage H", 40)]
    assert game.trump == "H"


def test_x34_second_marriage_is_plain() -> None:
    """SAARI: second marriage, clubs: 20; trump stays hearts."""
    game = chinese("KH QH KC QC", trump=None)
    game.apply("marriage H")
    next_window(game)
    assert told(game.apply("marriage C")) == [(0, "marriage C", 20)]
    assert game.trump == "H"


def test_x42_x43_queens_form_again_only_after_a_play() -> None:
    """HOF: a fifth queen beside four scored ones gives nothing; after one is played 60 again."""
    game = chinese("QD KH", table=["QS QH QD QC", ""], scored=[entry("four Q", "QS QH QD QC")])
    refused(game, "four Q")
    next_window(game, "QC table")
    assert told(game.apply("four Q")) == [(0, "four Q", 60)]


def test_x44_cross_pairs_of_two_marriages() -> None:
    """HOF: two marriages of one suit on the table give two more, four in all: [S] 4 x 40."""
    game = chinese("KS QS KS QS", trump="S")
    for _ in range(4):
        assert told(game.apply("marriage S")) == [(0, "marriage S", 40)]
        next_window(game)
    assert game.scores == (160, 0)
    assert game.phase == "lead"


def test_x50_bezique_step_by_step() -> None:
    """POR 38: 40 + 500 + 1,500 + 4,500 = 6,540; section 5.6: five pairs have no score with six packs."""
    game = chinese("QS QS QS QS QS JD JD JD JD JD")
    for level, points in ((1, 40), (2, 500), (3, 1500), (4, 4500)):
        assert told(game.apply(f"bezique {level}")) == [(0, f"bezique {level}", points)]
        next_window(game)
    assert game.scores == (6540, 0)
    assert "four J" in legal(game)
    refused(game, "bezique 5")


def test_x56_carte_blanche_costs_no_declaration() -> None:
    """POR 43, SAARI: [six packs] carte blanche 250, then four tens by option on the first trick won: 250 + 90."""
    game = Game(
        "chinese",
        overrides={"four_tens": 90},
        deck=dealt("chinese", "TS TH TD TC 9H", "JH 7H", stock="8S"),
        dealer=1,
    )
    assert told(game.apply("carte blanche")) == [(0, "carte blanche", 250)]
    win(game, "9H", "7H")
    assert told(game.apply("four T")) == [(0, "four T", 90)]
    assert game.scores == (340, 0)


def test_x57_carte_blanche_while_no_court_is_drawn() -> None:
    """SAARI: draws 8, A, K where aces are courts: 250 + 250, then stop."""
    low = "7S 8S 9S 7H 8H 9H 9D 9D 9C 8C 8D 7D"
    deck = dealt("chinese", low, "JH 7H 7D 7D 7C", stock="8D 7S AD 8S KD 9S 8C 7S")
    game = Game("chinese", deck=deck, dealer=1)
    game.apply("carte blanche")
    win(game, "9H", "7H")
    assert told(game.apply("carte blanche")) == [(0, "carte blanche", 250)]
    win(game, "9D", "7D")
    assert game.phase == "lead", "an ace has been drawn"
    win(game, "9D", "7D")
    win(game, "9C", "7C")
    assert game.phase == "lead"
    assert game.scores == (500, 0)


@pytest.mark.parametrize("preset", ["saari", "sum", "trump_queen"])
def test_x75_four_trump_aces_and_mixed_aces(preset: str) -> None:
    """SAARI, CMC-6: [S] four trump aces 1,000; mixed aces 100."""
    game = chinese("AS AS AS AS", trump="S", rules=preset)
    assert told(game.apply("four trump A")) == [(0, "four trump A", 1000)]
    game = chinese("AS AS AS AH KD QD", trump="S", rules=preset)
    refused(game, "four trump A")
    assert told(game.apply("four A")) == [(0, "four A", 100)]


PAIRS = {"H": "QH JC", "D": "QD JS", "C": "QC JH", "S": "QS JD"}


@pytest.mark.parametrize("trump", list(PAIRS))
def test_x76_trump_queen_and_her_jack(trump: str) -> None:
    """CMC-6, SAARI: [H] QH JC, [D] QD JS, [C] QC JH, [S] QS JD: 40; no other pair is a bezique."""
    game = chinese(PAIRS[trump], trump=trump, rules="trump_queen")
    assert told(game.apply("bezique 1")) == [(0, "bezique 1", 40)]
    assert sorted(game.table(0)) == sorted(PAIRS[trump].split())
    others = " ".join(pair for suit, pair in PAIRS.items() if suit != trump)
    # a marriage in trump whose queen would complete no pair: her jack is not here
    game = chinese(f"{others} K{trump} Q{trump}", trump=trump, rules="trump_queen")
    assert PAIRS[trump].split()[1] not in game.hand(0)
    refused(game, "bezique 1")


@pytest.mark.parametrize("suit", list(PAIRS))
def test_x76_such_a_bezique_can_fix_trump(suit: str) -> None:
    """SAARI 29: then a bezique can also fix trump."""
    game = chinese(PAIRS[suit], trump=None, rules="trump_queen")
    assert legal(game) == ["bezique 1", "pass"]
    assert told(game.apply("bezique 1")) == [(0, "bezique 1", 40)]
    assert game.trump == suit


@pytest.mark.parametrize("preset", ["saari", "sum"])
def test_x76_is_an_option_of_saari(preset: str) -> None:
    """SAARI: without the option the pair is QS JD whatever is trump, and no bezique fixes trump."""
    game = chinese("QH JC KD QD", trump="H", rules=preset)
    refused(game, "bezique 1")
    game = chinese("QS JD", trump=None, rules=preset)
    game.apply("bezique 1")
    assert game.trump is None


@pytest.mark.parametrize("dealer", [0, 1])
@pytest.mark.parametrize(
    ("cut", "lifted", "guessed"),
    [((24, 20), 250, 0), ((20, 20), 0, 150), ((24, 24), 250, 150), ((23, 24), 0, 0), ((25, 24), 0, 0)],
)
def test_x77_cut_bonus(cut: tuple[int, int], lifted: int, guessed: int, dealer: int) -> None:
    """PKW, HER: dealer lifts exactly 24: 250; the other guesses the number right: 150."""
    game = Game("chinese", overrides={"cut_bonus": "on"}, cut=cut, dealer=dealer, seed=1)
    expected = [(-1, dealer, "cut", lifted), (-1, 1 - dealer, "cut guess", guessed)]
    assert [tuple(e) for e in game.events] == [event for event in expected if event[3]]
    assert game.scores[dealer] == lifted
    assert game.scores[1 - dealer] == guessed


@pytest.mark.parametrize(("kings", "points"), [("KS KH KD KC", 160), ("KS KS KD KC", 80)])
def test_x84_quartets_of_four_suits_count_double(kings: str, points: int) -> None:
    """SAARI option: KS KH KD KC / KS KS KD KC: 160 / 80."""
    game = chinese(kings, overrides={"quartet_suits_bonus": "x2"})
    assert told(game.apply("four K")) == [(0, "four K", points)]
