"""Announcements of two-handed Belote: sections 2.4, 3.2 and 11, A8 to A14, A18, A26 and D48 to D50.

Seat 0 is elder, seat 1 deals, hearts are trumps unless a test says otherwise. What the dialogue gives away is
proved with pairs of deals: a seat cannot tell two deals apart (its information text, view, observation are the
same) exactly where the dialogue says the same of both.
"""

from __future__ import annotations

from typing import Any

import pytest

from bezique_env.game import Game
from tests.rules.belote_setup import in_order, legal, looks_alike, play_out, run, taken, told

ELDER, DEALER = 0, 1
SEQUENCES, FOURS = 0, 1
LONGER = {"seq_length_breaks_tie": True}
HIDDEN = {"show_winning_sequences": False}
FRENCH = {"four_of_a_kind": "french", "run_values": "20/50/100"}
SWISS = {"four_of_a_kind": "swiss", "run_values": "20/50/100"}
BICYCLE = {"four_of_a_kind": "bicycle"}


def announced(
    elder: str, other: str, by_elder: str = "announce", by_dealer: str = "announce", **keys: Any
) -> Game:
    """A deal after its announcements: each seat does as told when it is asked."""
    keys.setdefault("bottom", "")
    game = taken(elder, other, **keys)
    while game.phase == "announce":
        run(game, by_elder if game.seat_to_act == ELDER else by_dealer)
    assert game.phase == "lead"
    return game


def scored(game: Game) -> list[tuple[int, str, int]]:
    return told(game.events)


def told_of(game: Game, contest: int = SEQUENCES) -> tuple[Any, ...]:
    """What became known of a contest: value, four, length, top, trump, and how far the talk went.

    Past the value it is always known whether it is a four of a kind (False where only runs are compared).
    """
    seen = [game.view(seat).announcements[contest] for seat in (0, 1)]
    assert seen[0] == seen[1], "what is said is heard by both"
    one = seen[0]
    return one.value, one.four, one.length, one.top, one.trump, one.decided_by


def winner(game: Game, contest: int = SEQUENCES) -> tuple[int, int, list[str]]:
    """Who won a contest, with what points and which cards shown."""
    one = game.view(0).announcements[contest]
    return one.winner, one.points, one.shown


# ------------------------------------------------------------------------------------------- who is asked


def test_elder_is_asked_first_then_the_dealer() -> None:
    game = taken("TJQC", "JQKD")
    assert (game.phase, game.seat_to_act, legal(game)) == ("announce", ELDER, ["pass", "announce"])
    run(game, "announce")
    assert (game.phase, game.seat_to_act, legal(game)) == ("announce", DEALER, ["pass", "announce"])
    run(game, "announce")
    assert (game.phase, game.seat_to_act) == ("lead", ELDER)


def test_only_who_holds_a_sequence_is_asked() -> None:
    assert taken("TJQC", "").seat_to_act == ELDER
    game = taken("", "TJQC")
    assert (game.phase, game.seat_to_act) == ("announce", DEALER)
    assert taken("TJC QKD", "79S").phase == "lead", "two cards are no sequence"


def test_the_dealer_is_asked_whatever_elder_said() -> None:
    """Section 11: always where he holds one, though 20 cannot beat 50."""
    game = taken("789TC", "789D")
    run(game, "announce")
    assert (game.phase, game.seat_to_act) == ("announce", DEALER)


def test_the_order_is_the_natural_one() -> None:
    """Section 1: the ten stands between nine and jack, in the trump suit as well; sequences do not go round."""
    for suit in "SH":
        assert scored(announced(f"9TJ{suit}", "")) == [(0, "sequences", 20)]
        assert taken(f"TQK{suit} AJC", "").phase == "lead", "ten, queen, king is none"
        assert taken(f"9J{suit} 9JD", "", turn_up="8H").phase == "lead"
    assert taken("AK7C", "").phase == "lead"


# ------------------------------------------------------------------------------------------ what runs are worth


@pytest.mark.parametrize(
    ("values", "points"),
    [
        ("20/50", [20, 50, 50, 50, 50, 50]),
        ("20/40/50", [20, 40, 50, 50, 50, 50]),
        ("20/50/100", [20, 50, 100, 100, 100, 100]),
    ],
)
def test_run_values(values: str, points: list[int]) -> None:
    """Runs of three to eight cards: 2.4, BICYCLE, FFB; a longer run is one run (A10), neither 4 + 3 nor 4 + 4."""
    for length, expected in enumerate(points, start=3):
        game = announced("789TJQKA"[:length] + "C", "", overrides={"run_values": values})
        assert scored(game) == [(0, "sequences", expected)], length
        assert winner(game) == (0, expected, in_order("789TJQKA"[:length] + "C"))
        game = announced("", "789TJQKA"[8 - length :] + "C", overrides={"run_values": values})
        assert scored(game) == [(1, "sequences", expected)], length


def test_the_most_that_a_hand_makes_is_one_hundred() -> None:
    """Section 1: four and five, or four and four."""
    assert scored(announced("789TC 789TJD", "")) == [(0, "sequences", 100)]
    assert scored(announced("789TC 789TD AS", "")) == [(0, "sequences", 100)]
    assert scored(announced("789C 789D 789S", "")) == [(0, "sequences", 60)]


def test_two_runs_of_one_suit() -> None:
    """7-8-9 and J-Q-K of one suit, with the ten missing between them."""
    game = announced("789C JQKC", "")
    assert scored(game) == [(0, "sequences", 40)]
    assert winner(game) == (0, 40, in_order("789C JQKC"))


# ------------------------------------------------------------------------------------------- the comparison

ELDER_20_Q = "TJQC KAS 9AH KAD"
"""20 with the queen on top, clubs."""
ELDER_50_Q = "9TJQC KAS AH KAD"
"""50 with the queen on top, clubs."""
HANDS = {
    "none": "79JQS TQH 8JD 9C",
    "nine": "789D 79JS TQH 9C",
    "ten": "89TS 7JQD TQH 9C",
    "queen": "TJQS 79JD TKH 9C",
    "queen of trumps": "TJQH 79JD 79S 9C",
    "king of trumps": "JQKH 79JD 79S 9C",
    "fifty": "789TS 9QD JKH 9C",
    "fifty too": "789TD 9QS JKH 9C",
}
"""Hands of the dealer, by the best that they hold."""
HANDS_50 = {name: hand.replace("9C", "7C") for name, hand in HANDS.items()}
"""The same beside ELDER_50_Q, which has the nine of clubs."""


def against(name: str, by_dealer: str = "announce", **keys: Any) -> Game:
    """Elder's 20 up to the queen against a hand of the dealer."""
    return announced(ELDER_20_Q, HANDS[name], by_dealer=by_dealer, bottom="8C", **keys)


def against_fifty(name: str, by_dealer: str = "announce", **keys: Any) -> Game:
    return announced(ELDER_50_Q, HANDS_50[name], by_dealer=by_dealer, bottom="8C", **keys)


@pytest.mark.parametrize(
    ("name", "scorer", "points", "known"),
    [
        ("none", 0, 20, (20, None, None, None, None, "value")),
        ("nine", 0, 20, (20, False, None, "Q", None, "top")),
        ("ten", 0, 20, (20, False, None, "Q", None, "top")),
        ("queen", None, 0, (20, False, None, "Q", False, "trump")),
        ("queen of trumps", 1, 20, (20, False, None, "Q", False, "trump")),
        ("king of trumps", 1, 20, (20, False, None, "Q", None, "top")),
        ("fifty", 1, 50, (20, None, None, None, None, "value")),
    ],
)
def test_value_then_top_card_then_trump_then_nobody(
    name: str, scorer: int | None, points: int, known: tuple[Any, ...]
) -> None:
    """2.4: good, not good, or same; after same elder states the rank, then whether it is trump (A18)."""
    game = against(name)
    assert scored(game) == ([] if scorer is None else [(scorer, "sequences", points)])
    assert told_of(game) == known
    assert winner(game)[0] == (-1 if scorer is None else scorer)
    assert game.view(0).announcements[SEQUENCES].decided


def test_elders_run_of_trumps_beats_an_equal_one() -> None:
    game = announced("TJQH 79S 79D 9C KC", "TJQS KAD 9KH 7C AC")
    assert scored(game) == [(0, "sequences", 20)]
    assert told_of(game) == (20, False, None, "Q", True, "trump")


def test_the_trump_breaks_ties_only() -> None:
    """A plain run with a higher top card beats one of trumps."""
    game = announced("TJQH 79S 79D 9C KC", "JQKS KAD 9KH 7C AC")
    assert scored(game) == [(1, "sequences", 20)]


def test_the_winner_scores_all_his_runs_and_the_other_none() -> None:
    """One higher run is enough against three: the dealer's two lower ones do not count."""
    game = announced("JQKC 789S", "TJQD 9TJH TJQS")
    assert scored(game) == [(0, "sequences", 40)]
    assert winner(game) == (0, 40, in_order("JQKC 789S"))
    game = announced("TJQD 89TC TJQS", "JQKC 789D")
    assert scored(game) == [(1, "sequences", 40)]


def test_a_hand_is_represented_by_its_best_run() -> None:
    """A11: by value, top card, and trump: of two equal runs that of trumps speaks for the hand."""
    game = announced("TJQS TJQH", "TJQD")
    assert scored(game) == [(0, "sequences", 40)]
    assert told_of(game) == (20, False, None, "Q", True, "trump")
    game = announced("TJQD", "TJQS TJQH")
    assert scored(game) == [(1, "sequences", 40)]
    game = announced("TJQS 789TD", "JQKH")
    assert told_of(game)[0] == 50, "the value of the best, whatever its top"
    assert scored(game) == [(0, "sequences", 70)]


@pytest.mark.parametrize(
    ("options", "scorer", "known"),
    [
        ({}, 0, (50, False, None, "A", None, "top")),
        (LONGER, 1, (50, False, 4, None, None, "length")),
    ],
)
def test_a9_length(options: dict[str, Any], scorer: int, known: tuple[Any, ...]) -> None:
    """Four up to the ace against five up to the jack, both 50: top card, or by option length first."""
    game = announced("JQKAC", "789TJD", overrides=options)
    assert scored(game) == [(scorer, "sequences", 50)]
    assert told_of(game) == known


def test_a9_equal_lengths_go_on_to_the_top_card_and_trump() -> None:
    game = announced("JQKAC", "TJQKD", overrides=LONGER)
    assert scored(game) == [(0, "sequences", 50)]
    assert told_of(game) == (50, False, 4, "A", None, "top")
    game = announced("JQKAC", "JQKAH", overrides=LONGER)
    assert scored(game) == [(1, "sequences", 50)]
    assert told_of(game) == (50, False, 4, "A", False, "trump")
    game = announced("JQKAC", "JQKAD", overrides=LONGER)
    assert scored(game) == []


def test_a9_a_longer_run_of_less_value_is_not_better() -> None:
    """Length is compared after the value; under 20/50/100 five beat four by value."""
    game = announced("TJQC", "JQKAD", overrides=LONGER)
    assert told_of(game) == (20, None, None, None, None, "value")
    game = announced("JQKAC", "789TJD", overrides=LONGER | {"run_values": "20/50/100"})
    assert scored(game) == [(1, "sequences", 100)]
    assert told_of(game) == (50, None, None, None, None, "value")
    game = announced("789TJC", "TJQKAD", overrides=LONGER | {"run_values": "20/50/100"})
    assert told_of(game) == (100, False, 5, "J", None, "top")
    game = announced("789TJQC", "TJQKAD", overrides=LONGER | {"run_values": "20/50/100"})
    assert scored(game) == [(0, "sequences", 100)]
    assert told_of(game) == (100, False, 6, None, None, "length")


@pytest.mark.parametrize(("elder", "other"), [("TJQC", "TJQD"), ("JQKAC", "JQKAD")])
def test_equal_in_everything(elder: str, other: str) -> None:
    """2.4 nobody scores; by option (TRUMPLAB) elder does, all his runs."""
    assert scored(announced(f"{elder} 789S", f"{other}")) == []
    game = announced(f"{elder} 789S", f"{other}", overrides={"run_tie": "elder_wins"})
    points = (20 if len(elder) == 4 else 50) + 20
    assert scored(game) == [(0, "sequences", points)]
    assert winner(game) == (0, points, in_order(f"{elder} 789S"))


def test_elder_wins_ties_only() -> None:
    options = {"run_tie": "elder_wins"}
    assert scored(against("queen of trumps", overrides=options)) == [(1, "sequences", 20)]
    assert scored(against("king of trumps", overrides=options)) == [(1, "sequences", 20)]


# ----------------------------------------------------------------------------------------------- voluntary


def test_a14_announcing_is_voluntary() -> None:
    """Who passes scores none of his, and the other scores unopposed whatever his are worth."""
    assert scored(against_fifty("nine", by_dealer="pass")) == [(0, "sequences", 50)]
    game = announced(ELDER_50_Q, HANDS_50["nine"], by_elder="pass", bottom="8C")
    assert scored(game) == [(1, "sequences", 20)]
    assert told_of(game) == (None,) * 6, "elder said nothing"
    assert winner(game) == (1, 20, in_order("789D"))
    assert (
        scored(announced(ELDER_50_Q, HANDS_50["nine"], by_elder="pass", by_dealer="pass", bottom="8C")) == []
    )


def test_a8_the_dealer_scores_unopposed_where_elder_has_none() -> None:
    game = announced("", "TJQC")
    assert scored(game) == [(1, "sequences", 20)]
    assert winner(game) == (1, 20, in_order("TJQC"))


def test_nothing_is_announced_later() -> None:
    """2.4: before the first trick is played."""
    game = announced("TJQC", "", by_elder="pass")
    for _ in range(4):
        assert "announce" not in legal(game)
        run(game, legal(game)[0])


# ------------------------------------------------------------------------------------- what elder gets to know


def test_a_passing_dealer_looks_like_one_with_nothing() -> None:
    """Section 11: silence says nothing."""
    assert looks_alike(against("none"), against("nine", by_dealer="pass"), ELDER)
    assert looks_alike(against("none"), against("fifty", by_dealer="pass"), ELDER)


def test_a_dealer_who_is_lower_by_value_is_as_silent() -> None:
    """D49: he says good, as he does with nothing, whatever and whether he announced."""
    games = [
        against_fifty("none"),
        against_fifty("nine"),
        against_fifty("nine", by_dealer="pass"),
        against_fifty("king of trumps"),
    ]
    for game in games[1:]:
        assert scored(game) == [(0, "sequences", 50)]
        assert looks_alike(games[0], game, ELDER)
    assert told_of(games[1]) == (50, None, None, None, None, "value")


def test_a_dealer_who_is_lower_by_the_top_card_tells_that_and_no_more() -> None:
    """He said same and then lower: neither the rank nor the suit becomes known, but that he has 20."""
    nine, ten = against("nine"), against("ten")
    assert looks_alike(nine, ten, ELDER)
    assert not looks_alike(nine, against("none"), ELDER)
    assert nine.view(0).known == [in_order("TJQC"), []], "elder alone has shown"


def test_equal_runs_that_nobody_scores_stay_hidden() -> None:
    game = against("queen")
    assert game.view(0).known == game.view(1).known == [[], []]
    other = announced(ELDER_20_Q, "TJQD 79JS TKH 9C", bottom="8C")
    assert looks_alike(game, other, ELDER), "spades or diamonds: only that it is not trump"


def test_a_dealer_who_wins_shows_all_that_he_scores() -> None:
    """A13; the loser has told his value and what the talk came to."""
    game = against("king of trumps")
    assert game.view(0).known == game.view(1).known == [[], in_order("JQKH")]
    assert game.view(0).announcements[SEQUENCES].shown == in_order("JQKH")
    fifty, too = against("fifty"), against("fifty too")
    assert not looks_alike(fifty, too, ELDER)
    assert fifty.view(0).known[1] == in_order("789TS")


def test_a_dealer_who_wins_may_keep_them_hidden_by_option() -> None:
    """His points are public, and so how the talk went; which suit it was is not."""
    fifty, too = against("fifty", overrides=HIDDEN), against("fifty too", overrides=HIDDEN)
    assert scored(fifty) == [(1, "sequences", 50)]
    assert fifty.view(0).known == [[], []]
    assert winner(fifty) == (1, 50, [])
    assert looks_alike(fifty, too, ELDER)
    assert not looks_alike(fifty, against("king of trumps", overrides=HIDDEN), ELDER)


# ----------------------------------------------------------------------------------- what the dealer gets to know

THE_DEALER = "JQKH 79JD 7S 9C AC"
CLUBS_OR_SPADES = ("TJQC KAS 9AH KAD", "TJQS 9AH KAD 7KC")
UP_TO_JACK = "9TJS 9AH KAD 7KC"
FIFTY_DEALER = "789TD 9S QS JKH AC"


def test_of_a_losing_elder_only_what_he_said_is_known() -> None:
    """Value and top rank where the talk came to it, never the suit."""
    clubs, spades = (announced(hand, THE_DEALER, bottom="8C") for hand in CLUBS_OR_SPADES)
    assert scored(clubs) == scored(spades) == [(1, "sequences", 20)]
    assert looks_alike(clubs, spades, 1)
    assert not looks_alike(clubs, announced(UP_TO_JACK, THE_DEALER, bottom="8C"), 1), "he said queen, or jack"


def test_of_an_elder_who_loses_by_value_the_value_alone() -> None:
    one = announced("TJQC KAS 9AH KAD", FIFTY_DEALER, bottom="8C")
    two = announced("9TJC KAS 9AH KAD", FIFTY_DEALER, bottom="8C")
    assert told_of(one) == told_of(two) == (20, None, None, None, None, "value")
    assert looks_alike(one, two, 1)


def test_a_passing_elder_looks_like_one_with_nothing() -> None:
    nothing = "TQC KAS 9AH KAD 7S"
    for other in ("JQKH 79JD 8S 9C AC", "79JD TKH 8S 9C AC JS"):
        silent = announced("TJQC KAS 9AH KAD", other, by_elder="pass", bottom="8C")
        assert looks_alike(silent, announced(nothing, other, bottom="8C"), 1)


def test_elder_who_wins_shows_his_runs_and_so_that_there_are_no_more() -> None:
    game = against("none")
    assert game.view(1).known == [in_order("TJQC"), []]
    two = announced("789TJC 789D", HANDS["none"].replace("9C", "KC").replace("8J", "J"), bottom="8S")
    assert two.view(1).known[0] == in_order("789TJC 789D")


def test_elders_words_are_heard_before_the_dealer_answers() -> None:
    game = taken(ELDER_20_Q, HANDS["nine"], bottom="8C")
    run(game, "announce")
    assert told_of(game) == (20, None, None, None, None, "value")
    assert not game.view(1).announcements[SEQUENCES].decided
    assert game.view(1).known == [[], []]
    assert told(game.events) == []


# ------------------------------------------------------------------------------------------- four of a kind


@pytest.mark.parametrize(
    ("setting", "points"),
    [
        ("off", {}),
        ("bicycle", {"9": 100, "T": 100, "J": 200, "Q": 100, "K": 100, "A": 100}),
        ("french", {"9": 150, "T": 100, "J": 200, "Q": 100, "K": 100, "A": 100}),
        ("swiss", {"J": 200, "Q": 100, "K": 100, "A": 100}),
    ],
)
def test_four_of_a_kind(setting: str, points: dict[str, int]) -> None:
    """2.4 has none; BICYCLE; RDJ, FFB; SWISS500 has neither nines nor tens. Sevens and eights never count."""
    what = "fours" if setting == "bicycle" else "sequences"
    for rank in "789TJQKA":
        turn_up = "QH" if rank == "8" else "8H"
        hand = f"{rank}S {rank}H {rank}D {rank}C"
        game = taken(
            hand, "", turn_up=turn_up, overrides={"four_of_a_kind": setting, "exchange_seven": "off"}
        )
        if rank not in points:
            assert game.phase == "lead", "not even asked"
            continue
        assert told(run(game, "announce")) == [(0, what, points[rank])]
        contest = FOURS if setting == "bicycle" else SEQUENCES
        assert winner(game, contest) == (0, points[rank], in_order(hand))
        assert game.view(1).known[0] == in_order(hand)


FOUR_JACKS, FOUR_ACES, FOUR_QUEENS, FOUR_NINES, FOUR_TENS = (
    " ".join(f"{r}{s}" for s in "SHDC") for r in "JAQ9T"
)


def test_bicycle_compares_fours_and_sequences_apart() -> None:
    """D48: two contests; each has its own winner, one event each."""
    game = announced(FOUR_ACES, "789TC", overrides=BICYCLE)
    assert sorted(scored(game)) == [(0, "fours", 100), (1, "sequences", 50)]
    assert winner(game, FOURS) == (0, 100, in_order(FOUR_ACES))
    assert winner(game, SEQUENCES) == (1, 50, in_order("789TC"))
    assert told_of(game, FOURS)[0] == 100
    assert told_of(game, SEQUENCES)[0] is None, "elder announced no sequence"
    both = announced(f"{FOUR_ACES} 789D", "789TC", overrides=BICYCLE)
    assert sorted(scored(both)) == [(0, "fours", 100), (1, "sequences", 50)]
    assert told_of(both, SEQUENCES)[0] == 20
    all_his = announced(f"{FOUR_ACES} 789TD", "789C", overrides=BICYCLE)
    assert sorted(scored(all_his)) == [(0, "fours", 100), (0, "sequences", 50)]


def test_bicycle_a_dealer_who_is_lower_in_both_contests_is_silent() -> None:
    """Elder's four jacks and his run up to the jack against four queens and a run, or against nothing."""
    elder = f"{FOUR_JACKS} 789TC AS"
    worlds = [f"{FOUR_QUEENS} 789AD AH", "QH QD KC KS 79AD AH 8S"]
    games = [announced(elder, other, overrides=BICYCLE, bottom="KD") for other in worlds]
    games.append(announced(elder, worlds[0], by_dealer="pass", overrides=BICYCLE, bottom="KD"))
    for game in games:
        assert sorted(scored(game)) == [(0, "fours", 200), (0, "sequences", 50)]
        assert looks_alike(games[0], game, ELDER)
    # Beside four tens, which are 100 too, the queens are heard, and his run of 20 still is not.
    heard = announced(f"{FOUR_TENS} 789C A7S", worlds[0], overrides=BICYCLE, bottom="KD")
    assert sorted(scored(heard)) == [(0, "sequences", 50), (1, "fours", 100)]
    assert told_of(heard, FOURS) == (100, True, None, "T", None, "top")
    assert told_of(heard, SEQUENCES) == (50, None, None, None, None, "value")
    no_run = announced(f"{FOUR_TENS} 789C A7S", f"{FOUR_QUEENS} 79AD AH 8S", overrides=BICYCLE, bottom="KD")
    assert looks_alike(heard, no_run, ELDER)


def test_fours_of_equal_value_compare_by_rank() -> None:
    for options, what in ((BICYCLE, "fours"), (FRENCH, "sequences"), (SWISS, "sequences")):
        contest = FOURS if what == "fours" else SEQUENCES
        game = announced(FOUR_QUEENS, FOUR_ACES, overrides=options)
        assert scored(game) == [(1, what, 100)], options
        assert told_of(game, contest)[:1] == (100,)
        assert told_of(game, contest)[3] == "Q"
        assert scored(announced(FOUR_JACKS, FOUR_ACES, overrides=options)) == [(0, what, 200)]


def test_nines_between_jacks_and_the_others() -> None:
    """french: 150; bicycle: 100, so nines lose to tens by rank."""
    assert scored(announced(FOUR_NINES, FOUR_ACES, overrides=FRENCH)) == [(0, "sequences", 150)]
    assert scored(announced(FOUR_NINES, FOUR_JACKS, overrides=FRENCH)) == [(1, "sequences", 200)]
    assert scored(announced(FOUR_NINES, FOUR_ACES, overrides=BICYCLE)) == [(1, "fours", 100)]


@pytest.mark.parametrize("options", [FRENCH, SWISS])
def test_one_contest_over_everything(options: dict[str, Any]) -> None:
    """french, swiss: by value; of equal values a four of a kind is better (D48); the winner scores all his."""
    game = announced(f"{FOUR_QUEENS} 789D", "789TC", overrides=options)
    assert scored(game) == [(0, "sequences", 120)]
    assert told_of(game)[0] == 100
    game = announced("789TJC AKS", FOUR_QUEENS, overrides=options)
    assert scored(game) == [(1, "sequences", 100)], "the queens before the run of five"
    assert told_of(game) == (100, False, None, None, None, "four")
    game = announced(FOUR_QUEENS, "789TJC AKS", overrides=options)
    assert scored(game) == [(0, "sequences", 100)]
    assert told_of(game) == (100, True, None, None, None, "four")


def test_a_card_counts_in_a_run_and_in_a_four_of_a_kind() -> None:
    """Nothing in the rules forbids it: four queens and J Q K of spades."""
    game = announced(f"{FOUR_QUEENS} JKS", "", overrides=FRENCH)
    assert scored(game) == [(0, "sequences", 120)]
    assert winner(game) == (0, 120, in_order(f"{FOUR_QUEENS} JKS"))


# --------------------------------------------------------------------------------------- needs a trick (A26)

NEEDS = {"announce_needs_trick": True}
STRONG = "J9AH AKTS 7D"
"""Hearts trump: wins the first trick with the jack."""
WEAK = "789C 789S QKH 8D"


def test_a26_points_wait_for_the_first_trick() -> None:
    """HR23: credited with the first trick that the winner of the comparison wins."""
    game = announced(STRONG, WEAK, overrides=NEEDS)
    assert scored(game) == []
    assert winner(game) == (1, 40, in_order("789C 789S")), "decided, shown, not yet paid"
    run(game, "JH")
    run(game, legal(game)[0].removeprefix("play "))
    assert [what for _, what, _ in scored(game)] == ["trick"]
    events = told(run(game, "7D", "8D"))
    assert events == [(1, "sequences", 40)], "the eight beats the seven: no points in it, but a trick"
    assert game.scores[1] == 40


def test_a26_without_a_trick_never() -> None:
    """And the other does not score his in their place; without the option they are paid at once."""
    hands = ("J9ATKQ87H AS", "789C 789D JQKS")  # eight trumps and an ace: every trick is elder's
    named = {"r2_elder_actions": "named"}
    game = taken(*hands, turn_up="9S", overrides=NEEDS | named)
    run(game, "pass", "announce")
    play_out(game)
    assert game.view(0).tricks == [9, 0]
    assert not [event for event in scored(game) if event[1] == "sequences"]
    assert game.scores[1] == 0
    game = taken(*hands, turn_up="9S", overrides=named)
    assert told(run(game, "pass", "announce")) == [(1, "sequences", 60)]


def test_a26_is_off_by_default() -> None:
    assert scored(announced(STRONG, WEAK)) == [(1, "sequences", 40)]


# ---------------------------------------------------------------------------------------------- settlement


def test_a27_sequences_count_for_having_more() -> None:
    """The same cards played alike: with his 50 the taker has more than the other, without them less."""
    hands = ("789TC AKS 9QH AD", "JAH TQS TKD AKC")
    silent, loud = (announced(*hands, by_elder=word) for word in ("pass", "announce"))
    for game in (silent, loud):
        play_out(game)
    own, other = (
        sum(n for seat, what, n in scored(silent) if seat == side and what != "settlement") for side in (0, 1)
    )
    assert own < other < own + 50, "what the test is about"
    assert silent.scores == (0, own + other)
    assert loud.scores == (own + 50, other)
