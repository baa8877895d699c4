"""The worked examples of rules/belote.md sections 9.1 to 9.4, as far as two seats can play them.

Every test bears the id of its example; expected values are those of the page. Trump stands in brackets.

Four-card tricks are played two by two. Whoever is winning keeps winning until a card beats his, and what beats
him does not depend on who leads: each further card replies to the best one so far (a plain best card is always
of the suit led, a trump is beaten by higher trumps alone). So the winner of a chain of two-card tricks is the
winner of the long trick, and its points are those of the tricks that its cards fill two by two.

Some examples need partners or a third hand: L15, L17 and L19 (a partner who is master, a duty to go over
another's ruff), L10 and L11 (their hand is that of an example which the page no longer has), N08 and N09 (three
seats), S06 to S09 (three seats). Where they have a core that two seats share, it is proved and named so.
"""

from __future__ import annotations

import pytest

from bezique_env.game import Game
from tests.rules.belote_setup import (
    beside_tricks,
    cards,
    deck,
    in_order,
    play_out,
    playable,
    position,
    run,
    taken,
    told,
)


def trick(trump: str, led: str, reply: str) -> tuple[str, int]:
    """The card that wins a trick of two, and the points of both."""
    game = position(led, reply, trump=trump)
    points = sum(n for _, what, n in told(run(game, led, reply)) if what == "trick")
    return (led if led in game.view(0).won[0] else reply), points


def long_trick(trump: str, text: str) -> tuple[str, int]:
    """The winner and the points of a trick of four, by two-card tricks (see above)."""
    first, *others = played = cards(text)
    best = first
    for card in others:
        best, _ = trick(trump, best, card)
    return best, trick(trump, *played[:2])[1] + trick(trump, *played[2:])[1]


# ----------------------------------------------------------------------------- 9.1 winner and points of tricks


@pytest.mark.parametrize(
    ("example", "trump", "played", "winner", "points"),
    [
        ("T01", "C", "AH TH 7H JH", "AH", 23),
        ("T02", "H", "AH TH 7H JH", "JH", 41),
        ("T03", "C", "AH TH 9C QH", "9C", 38),
        ("T04", "C", "AH TH 7C QH", "7C", 24),
        ("T05", "C", "7H TS KD 8D", "7H", 14),
        ("T07", "C", "7S TH 8S 9S", "9S", 10),
        ("T08", "S", "AH TS 7S JH", "TS", 23),
        ("T09", "H", "AC TC KC QC", "AC", 28),
        ("T10", "H", "JH 9H AH TH", "JH", 55),
        ("T14", "C", "AH KH KD TC", "TC", 29),
    ],
)
def test_t_tricks_of_four(example: str, trump: str, played: str, winner: str, points: int) -> None:
    """T07, T08 and T14 name no points: 10; 11 + 10 + 0 + 2; 11 + 4 + 4 + 10 by the table of section 1."""
    assert long_trick(trump, played) == (winner, points)


def test_t12_two_seats_a_plain_suit_that_is_not_led_never_wins() -> None:
    """T12 is without trumps, which this game never is; [C] 7H led, AS: 7H wins."""
    assert trick("C", "7H", "AS") == ("7H", 11)


def test_t13_any_trump_beats_an_ace() -> None:
    assert trick("S", "AH", "7S") == ("7S", 11)


def test_t14_two_seats_only_who_has_neither_suit_nor_trump_may_discard() -> None:
    """The third player threw KD off for want of hearts and clubs; with a club he would have to trump here."""
    assert playable(replying("AH", "KD QS 8D", "C")) == ["QS", "8D", "KD"]
    assert playable(replying("AH", "KD QS TC", "C")) == ["TC"]


# --------------------------------------------------------------------------------------------- 9.2 legal cards


def replying(led: str, hand: str, trump: str) -> Game:
    """Seat 0 replies to a card that seat 1 led."""
    return position(hand, trump=trump, trick=[[1, led]], phase="follow")


@pytest.mark.parametrize(
    ("example", "led", "hand", "allowed"),
    [
        ("L01", "8H", "AC TH 8D QS QH", "TH QH"),
        ("L02", "8S", "AC TH 8D QC QH", "AC QC"),
        ("L03", "8S", "AH TH QH 8D QD", "AH TH QH 8D QD"),
        ("L07", "7C", "8C TC AC 8D QH", "8C TC AC"),
        ("L08: AC, the second card, is the one to beat", "AC", "QC KC 7C 8D QH", "QC KC 7C"),
        (
            "L04 for two: void, all trumps, since no third hand can have ruffed",
            "8S",
            "AC KC 7C 8D QH",
            "AC KC 7C",
        ),
        ("L06 for two: QC, the best of the first two, is led", "QC", "AC KC 7C 8D QH", "AC KC"),
    ],
    ids=lambda value: value[:3] if isinstance(value, str) and value[0] == "L" else None,
)
def test_l_clubs_are_trumps(example: str, led: str, hand: str, allowed: str) -> None:
    assert playable(replying(led, hand, "C")) == in_order(allowed), example


@pytest.mark.parametrize(
    ("example", "led", "hand", "allowed"),
    [
        (
            "L13: the jack cannot be beaten (the page repeats 7S, so the reply has nine and eight)",
            "JS",
            "8S 9S",
            "8S 9S",
        ),
        ("L14: AS, the best of the first two, is led", "AS", "JS 9S 8S", "JS 9S"),
        ("L15 for two: there is no partner to be master", "AH", "JS AD 7C", "JS"),
        ("L16: an opponent is master", "AH", "JS AD 7C", "JS"),
        ("L17 for two: ruffs are any trumps", "AH", "9S 8S 7D", "9S 8S"),
    ],
    ids=lambda value: value[:3] if isinstance(value, str) and value[0] == "L" else None,
)
def test_l_spades_are_trumps(example: str, led: str, hand: str, allowed: str) -> None:
    assert playable(replying(led, hand, "S")) == in_order(allowed), example


# ------------------------------------------------------------------------------------------- 9.3 announcements


def test_n01_a_run_of_five_is_one_run_of_fifty() -> None:
    game = taken("789TJC", "AKS")
    assert told(run(game, "announce")) == [(0, "sequences", 50)]


@pytest.mark.parametrize(
    ("elder", "dealer", "scorer"), [("9TJC", "9TJD", 1), ("9TJD", "9TJC", 0)], ids=["dealer", "elder"]
)
def test_n03_of_equal_runs_that_of_trumps_scores(elder: str, dealer: str, scorer: int) -> None:
    """PRIMARY: "same" as the example before it, which ends with nobody; [D] the holder of diamonds scores."""
    game = taken(elder, dealer, trump="D", turn_up="QD")
    assert told(run(game, "announce", "announce")) == [(scorer, "sequences", 20)]
    game = taken(elder, dealer, trump="S", turn_up="QS")
    assert run(game, "announce", "announce") == [], "neither is of trumps: nobody scores"


def test_n04_a_higher_value_scores_all_its_runs() -> None:
    game = taken("9TJC", "789TD", trump="H")
    assert told(run(game, "announce", "announce")) == [(1, "sequences", 50)]
    game = taken("9TJC", "789TD 789S", trump="H")
    assert told(run(game, "announce", "announce")) == [(1, "sequences", 70)]


def test_n06_the_top_card_decides_and_not_the_length() -> None:
    game = taken("AKQJH", "JT987C", trump="S", turn_up="9S")
    assert told(run(game, "announce", "announce")) == [(0, "sequences", 50)]


@pytest.mark.parametrize("fours_by_elder", [True, False])
def test_n10_two_seats_a_four_of_a_kind_before_a_run_of_the_same_value(fours_by_elder: bool) -> None:
    """FFB: both 100. Every run of five holds the ten of its suit, so the four cannot be of tens: here of aces."""
    french = {"four_of_a_kind": "french", "run_values": "20/50/100"}
    hands = ("AS AH AD AC", "789TJC") if fours_by_elder else ("789TJC", "AS AH AD AC")
    game = taken(*hands, overrides=french)
    assert told(run(game, "announce", "announce")) == [(0 if fours_by_elder else 1, "sequences", 100)]


def test_n11_a_pack_has_one_four_of_a_kind_of_each_rank() -> None:
    """A test that uses two of the same rank describes no pack: such a deck is refused."""
    impossible = deck("AS AH AD AC", "KS KH")
    impossible[impossible.index("KS")] = "AS"
    with pytest.raises(ValueError, match="AS 2 times"):
        Game("belote", deck=impossible)


# --------------------------------------------------------------------------------------------- 9.4 settlement


def last_trick(scores: list[int], **keys: object) -> Game:
    """One trick is left, which elder, the taker, wins with 8C over 7C: 10 points."""
    return position("8C", "7C", scores=scores, **keys)


def test_s01_the_taker_has_more() -> None:
    game = last_trick([45, 50])
    play_out(game)
    assert game.scores == (55, 50)
    assert game.returns() == (5, -5)


def test_s03_a_tie_gives_the_taker_nothing() -> None:
    game = last_trick([50, 60])
    assert told(play_out(game)) == [(0, "last trick", 10), (0, "settlement", -60)]
    assert game.scores == (0, 60)


@pytest.mark.parametrize("next_winner", [0, 1])
def test_s04_held_points_go_to_the_winner_of_the_next_deal(next_winner: int) -> None:
    game = last_trick([50, 60], rules={"overrides": {"two_hand_tie": "hold_over"}}, episode="match")
    play_out(game)
    assert (game.match_scores, game.view(0).held) == ((0, 60), 60), "60 for the opponent now, 60 wait"
    scores = [45, 50] if next_winner == 0 else [35, 50]
    rules = {"overrides": {"two_hand_tie": "hold_over"}}
    game = last_trick(scores, rules=rules, episode="match", held=60, match_scores=[0, 60])
    play_out(game)
    own = (55 + 60, 50) if next_winner == 0 else (0, 50 + 45 + 60)
    assert game.match_scores == (own[0], 60 + own[1])
    assert game.view(0).held == 0


def test_the_examples_leave_no_other_points_lying_about() -> None:
    """What the hands of this file are filled up with declares nothing."""
    game = taken("", "")
    assert game.phase == "lead", "neither seat was asked"
    play_out(game)
    assert {what for _, what, _ in beside_tricks(game)} <= {"settlement"}
