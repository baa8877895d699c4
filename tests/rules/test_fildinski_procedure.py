"""Fildinski clause by clause (rules/bezique.md sections 5.4 and 12, decisions D39 to D42).

Tests are named after the clause or the option they prove; expected values are worked out by hand from the page.
Clubs are trump (a turned nine) unless a test says otherwise.
"""

from __future__ import annotations

from typing import Any

import pytest

from bezique_env.game import Game
from bezique_env.rules import RulesError, get_rules
from tests.rules.setup import (
    MELDS_ONLY,
    dealt,
    entry,
    legal,
    play_out,
    refused,
    scored,
    seen,
    setup,
    told,
    uses,
    win,
)

BY_CLASS = {"fildinski_reuse": "by_class"}
UNFIXED = {"trump": "first_marriage", "dix_score": "none", "dealer_seven": 0}


def fildinski(mine: str = "", theirs: str = "", **keys: Any) -> Game:
    """A position of the Polish game, trump clubs, in which aces and tens score nothing by themselves."""
    keys["overrides"] = {**MELDS_ONLY, **keys.get("overrides", {})}
    return setup(mine, theirs, **{"variant": "fildinski", "turn_up": "9C", **keys})


def trick(
    lead: str, reply: str, open_cards: str = "", *, hand: str = "", other: str = "", **keys: Any
) -> Game:
    """Seat 0 leads a card to a reply; ``open_cards`` lie before it, it holds ``hand`` besides."""
    keys.setdefault("table", [open_cards, ""])
    game = fildinski(f"{lead} {hand}", f"{reply} {other}", phase="lead", **keys)
    game.apply(f"play {lead}")
    game.apply(f"play {reply}")
    return game


# ------------------------------------------------------------------------------------------------- open cards


def test_counts() -> None:
    """Section 4: two packs, eight cards, 24 tricks while cards are drawn and eight after; all cards are won."""
    game = Game("fildinski", seed=2)
    assert len(game.hand(0)) == len(game.hand(1)) == 8
    assert game.view(0).stock_left == 48
    made = play_out(game)
    assert made["lead"] == made["follow"] == 24
    assert made["endgame_lead"] == made["endgame_follow"] == 8
    view = game.view(0)
    assert sum(len(view.won[s]) + len(view.tables[s]) for s in (0, 1)) == 64


@pytest.mark.parametrize("hand", ["KH QH", "QS JD", "KS KH KD KC"])
def test_no_meld_from_the_hand(hand: str) -> None:
    """SAARI, WKN-F, EB11: melds come only from won cards."""
    game = trick("AD", "9D", hand=hand)
    assert game.phase == "lead"
    for text in ("marriage H", "bezique 1", "four K"):
        assert game.why_illegal(text) is not None


def test_no_meld_of_an_open_card_and_one_of_the_hand() -> None:
    game = trick("KH", "9H", hand="QH")
    assert game.phase == "lead"
    assert game.table(0) == ["KH"]


def test_no_meld_with_open_cards_of_the_other_seat() -> None:
    game = trick("KH", "9H", table=["", "QH"])
    assert game.phase == "lead"
    assert game.table(1) == ["QH"]


@pytest.mark.parametrize(
    ("reply", "opens"),
    [("KH", True), ("QH", True), ("JH", True), ("TH", False), ("9H", False), ("8H", False), ("7H", False)],
)
def test_which_cards_lie_open(reply: str, opens: bool) -> None:
    """EB11, section 12: A K Q J and trump tens lie open, the others are turned down."""
    game = trick("AH", reply)
    assert game.table(0) == ["AH", reply] if opens else ["AH"]
    assert game.view(1).won[0] == ([] if opens else [reply])


def test_trump_ten_lies_open() -> None:
    game = trick("AC", "TC")
    assert game.table(0) == ["AC", "TC"]


def test_all_tens_lie_open_where_four_tens_score() -> None:
    game = trick("AH", "TH", "TS TD TC", overrides={"four_tens": 90})
    assert game.table(0) == ["TS", "TD", "TC", "AH", "TH"]
    assert told(game.apply("four T")) == [(0, "four T", 90)]


def test_all_tens_lie_open_while_no_trump_is_fixed() -> None:
    game = trick("AH", "TH", turn_up=None, overrides=UNFIXED)
    assert game.table(0) == ["AH", "TH"]
    game = trick("AH", "TH", turn_up=None, trump="C", overrides=UNFIXED)
    assert game.table(0) == ["AH"], "clubs have become trump: a ten of hearts cannot serve any more"


def test_open_cards_lie_in_the_order_led_card_reply() -> None:
    game = trick("KH", "AH")
    assert game.seat_to_act == 1
    assert game.table(1) == ["KH", "AH"]
    assert game.table(0) == []


def test_open_cards_are_never_played() -> None:
    game = trick("AH", "KH", "QS", hand="9D 8D")
    assert game.phase == "lead"
    assert not [text for text in legal(game) if text.endswith("table")]
    sentence = game.why_illegal("play AH table")
    assert sentence is not None
    assert sentence.endswith(".")


def test_open_cards_stay_in_the_endgame() -> None:
    """EB11: until the hand ends, last eight tricks included; they never return to the hand."""
    game = fildinski("AH 9D", "KH 8D", phase="lead", table=["QS", "JS"], draw="8S")
    win(game, "AH", "KH")
    assert game.phase == "endgame_lead"
    assert game.table(0) == ["QS", "AH", "KH"]
    assert game.table(1) == ["JS"]
    assert "QS" not in game.hand(0)
    assert "JS" not in game.hand(1)
    assert not [text for text in legal(game) if text.endswith("table")]
    play_out(game)
    assert game.table(0)[:3] == ["QS", "AH", "KH"]


def test_everyone_sees_the_open_cards() -> None:
    game = trick("AH", "KH", "QS", hand="9D")
    for seat in (0, 1):
        assert [card for card, _ in game.view(seat).tables[0]] == ["QS", "AH", "KH"]


# ---------------------------------------------------------------------------------------------------- the window


def test_window_opens_for_the_winner() -> None:
    game = trick("KH", "AH", table=["QH", "QH"])
    assert (game.phase, game.seat_to_act) == ("declare", 1)
    assert legal(game) == ["marriage H", "pass"]
    assert told(game.apply("marriage H")) == [(1, "marriage H", 20)]
    assert (game.phase, game.seat_to_act) == ("lead", 1)


def test_each_declaration_uses_a_card_of_this_trick() -> None:
    game = trick("AS", "9S", "KH QH JD QS")
    assert game.phase == "lead", "what lay open before counts only with a card just won"
    game = trick("AS", "JD", "KH QH QS")
    assert legal(game) == ["bezique 1", "pass"]
    refused(game, "marriage H")


def test_what_was_not_declared_needs_a_new_card_later() -> None:
    game = trick("KH", "9H", "QH", hand="AS AD", other="8S QH", draw="8D 9D 8D 9D 8H")
    assert legal(game) == ["marriage H", "pass"]
    game.apply("pass")
    win(game, "AS", "8S")
    assert game.phase == "lead"
    win(game, "AD", "QH")
    assert legal(game) == ["marriage H", "pass"], "the second queen is of this trick"
    game.apply("marriage H")
    assert uses(game, 0) == [
        ("QH", []),
        ("KH", ["marriage"]),
        ("AS", []),
        ("AD", []),
        ("QH", ["marriage"]),
    ]


def test_window_closes_by_itself_when_nothing_is_left() -> None:
    game = trick("KH", "JD", "QH QS")
    game.apply("marriage H")
    assert legal(game) == ["bezique 1", "pass"]
    game.apply("bezique 1")
    assert game.phase == "lead"


def test_pass_closes_the_window() -> None:
    game = trick("KH", "JD", "QH QS")
    game.apply("marriage H")
    assert game.apply("pass") == []
    assert game.phase == "lead"
    assert game.why_illegal("bezique 1") is not None


def test_window_before_the_last_draw() -> None:
    """Section 12: also after the last stock trick, before the last cards are drawn."""
    game = trick("KH", "9H", "QH", draw="8D")
    assert game.phase == "declare"
    game.apply("marriage H")
    assert game.phase == "endgame_lead"


def test_position_names_the_cards_of_the_latest_trick() -> None:
    game = fildinski(phase="declare", size=3, table=["KH QH KH", ""], latest=["KH"])
    assert legal(game) == ["marriage H", "pass"]
    game.apply("marriage H")
    assert uses(game, 0) == [("KH", []), ("QH", ["marriage"]), ("KH", ["marriage"])]
    game = fildinski(phase="declare", size=3, table=["KH QH", ""])
    assert game.phase == "lead"


# ------------------------------------------------------------------------------------------------- re-use (A26)


THREE_KINDS = ("marriage H", "bezique 1", "four K")


@pytest.mark.parametrize(
    ("first", "then"),
    [("marriage H", ["bezique 1"]), ("bezique 1", ["marriage H", "four K"]), ("four K", ["bezique 1"])],
)
def test_per_turn_no_copy_in_two_melds_of_this_window(first: str, then: list[str]) -> None:
    """SAARI 24: KH of this trick serves in the marriage or in the four kings, JD of this trick in the bezique."""
    game = trick("KH", "JD", "QH QS KS KD KC")
    assert legal(game) == [*THREE_KINDS, "pass"]
    game.apply(first)
    assert legal(game) == [*then, "pass"]
    refused(game, *(text for text in THREE_KINDS if text not in then))


@pytest.mark.parametrize("groups", ["four", "three"])
def test_by_class_a_copy_may_serve_once_in_each_class(groups: str) -> None:
    """EB11: a new card counts at once in several melds of different classes."""
    game = trick("KH", "JD", "QH QS KS KD KC", overrides={**BY_CLASS, "meld_groups": groups})
    for meld, points in (("marriage H", 20), ("bezique 1", 40), ("four K", 80)):
        assert told(game.apply(meld)) == [(0, meld, points)]
    assert game.scores == (140, 0)
    assert game.phase == "lead"


def test_the_preset_by_class() -> None:
    game = trick("KH", "JD", "QH QS KS KD KC", rules="by_class")
    for meld in THREE_KINDS:
        game.apply(meld)
    assert game.scores == (140, 0)


def test_old_cards_may_serve_again_in_another_window() -> None:
    """Reading note in section 9: the clause is taken per turn; across turns the ordinary group rule applies."""
    game = trick("AS", "JD", "KS QS", scored=[entry("marriage S", "KS QS")])
    assert told(game.apply("bezique 1")) == [(0, "bezique 1", 40)]
    assert uses(game, 0)[1] == ("QS", ["bezique", "marriage"])


@pytest.mark.parametrize("reuse", ["per_turn", "by_class"])
@pytest.mark.parametrize("groups", ["four", "three"])
@pytest.mark.parametrize(("first", "second"), [("marriage C", "sequence C"), ("sequence C", "marriage C")])
def test_a_sequence_does_not_score_its_marriage_in_the_same_window(
    first: str, second: str, groups: str, reuse: str
) -> None:
    """Section 12; within a window marriage and sequence are one class (D39). Four kings keep the window open."""
    game = trick(
        "KC",
        "KD",
        "AC TC QC JC KS KS KH",
        overrides={"fildinski_reuse": reuse, "meld_groups": groups},
    )
    assert {"marriage C", "sequence C", "four K"} <= set(legal(game))
    assert told(game.apply(first)) == [(0, first, 40 if first == "marriage C" else 250)]
    refused(game, second)
    assert told(game.apply("four K")) == [(0, "four K", 80)]


def test_by_class_fresh_copies_make_a_marriage_and_a_sequence() -> None:
    """KC and JC of this trick: the marriage takes KC2 QC1, the sequence KC1 QC2 and the new jack."""
    game = trick("KC", "JC", "AC TC QC QC KC", overrides=BY_CLASS)
    assert told(game.apply("marriage C")) == [(0, "marriage C", 40)]
    assert told(game.apply("sequence C")) == [(0, "sequence C", 250)]
    assert uses(game, 0) == [
        ("AC", ["sequence"]),
        ("TC", ["sequence"]),
        ("QC", ["marriage"]),
        ("QC", ["sequence"]),
        ("KC", ["sequence"]),
        ("KC", ["marriage"]),
        ("JC", ["sequence"]),
    ]


@pytest.mark.parametrize("reuse", ["per_turn", "by_class"])
def test_a_single_does_not_grow_in_the_same_window(reuse: str) -> None:
    """A copy serves once in the class of beziques."""
    game = trick("KH", "JD", "QS QS JD QH", overrides={"fildinski_reuse": reuse})
    assert {"bezique 1", "bezique 2"} <= set(legal(game))
    game.apply("bezique 1")
    refused(game, "bezique 2", "bezique 1")
    assert "marriage H" in legal(game)


# ------------------------------------------------------------------------------------- group rules across windows


@pytest.mark.parametrize("preset", ["standard", "by_class"])
def test_a_copy_marries_once(preset: str) -> None:
    game = trick("KH", "JD", "KH QH QS", scored=[entry("marriage H", "KH QH")], rules=preset)
    assert legal(game) == ["bezique 1", "pass"]
    refused(game, "marriage H")


@pytest.mark.parametrize("preset", ["standard", "by_class"])
def test_a_fifth_king_does_not_renew_a_quartet(preset: str) -> None:
    """Section 5.4: fresh copies needed each time."""
    four = "KS KH KD KC"
    game = trick("KS", "JD", f"{four} QS", scored=[entry("four K", four)], rules=preset)
    assert "bezique 1" in legal(game)
    refused(game, "four K")


def test_a_second_quartet_of_fresh_copies() -> None:
    four = "KS KH KD KC"
    game = trick("AC", "KC", f"{four} KS KH KD", scored=[entry("four K", four)])
    assert told(game.apply("four K")) == [(0, "four K", 80)]


def test_a_single_grows_in_a_later_window() -> None:
    """`extend_one`, as in the standard game."""
    game = trick("QS", "JD", "QS JD", scored=[entry("bezique 1", "QS JD")])
    assert legal(game) == ["bezique 1", "bezique 2", "pass"]
    assert told(game.apply("bezique 2")) == [(0, "bezique 2", 500)]


def test_a_double_takes_one_card_of_this_trick_at_least() -> None:
    game = trick("AS", "JD", "QS QS JD")
    assert told(game.apply("bezique 2")) == [(0, "bezique 2", 500)]


def test_marriage_first_and_sequence_in_a_later_window() -> None:
    game = trick("AC", "JD", "TC KC QC JC QS", scored=[entry("marriage C", "KC QC")])
    assert told(game.apply("sequence C")) == [(0, "sequence C", 250)]


@pytest.mark.parametrize(("option", "allowed"), [("both_fresh", False), ("fresh_partner", True)])
def test_seq_then_marriage(option: str, allowed: bool) -> None:
    """A4: the king of a scored sequence and a queen of this trick."""
    sequence = "AC TC KC QC JC"
    game = trick(
        "QC", "JD", f"{sequence} QS", scored=[entry("sequence C", sequence)], overrides={"seq_then_marriage": option}
    )  # fmt: skip
    assert ("marriage C" in legal(game)) == allowed


# --------------------------------------------------------------------------------------------------- selection


def test_auto_takes_the_first_combination_with_a_card_of_this_trick() -> None:
    game = trick("QH", "9H", "KH QH")
    game.apply("marriage H")
    assert uses(game, 0) == [("KH", ["marriage"]), ("QH", []), ("QH", ["marriage"])]


def test_auto_takes_the_most_used_copy_first() -> None:
    game = trick("QH", "9H", "KH KH", scored=[entry("four K", "KH#2")])
    game.apply("marriage H")
    assert uses(game, 0)[:2] == [("KH", []), ("KH", ["four", "marriage"])]


def test_explicit_copies_end_in_a_card_of_this_trick() -> None:
    game = trick("QH", "9H", "KH QH", overrides={"selection": "explicit"})
    game.apply("marriage H")
    assert legal(game) == ["use KH table"]
    game.apply("use KH table")
    assert legal(game) == ["use QH table"]
    assert told(game.apply("use QH table")) == [(0, "marriage H", 20)]
    assert uses(game, 0) == [("KH", ["marriage"]), ("QH", []), ("QH", ["marriage"])]


# ------------------------------------------------------------------------------------------- the endgame (D41)


@pytest.mark.parametrize("option", ["off", "on"])
def test_fildinski_endgame(option: str) -> None:
    """A26: off: no melds in the last eight tricks; on: a window after each of them."""
    game = fildinski(
        "KH AC",
        "JD 8C",
        phase="endgame",
        trump="C",
        turn_up=None,
        table=["QH QS", ""],
        overrides={"fildinski_endgame": option},
    )
    game.apply("play AC")
    game.apply("play 8C")
    assert game.phase == "endgame_lead"
    game.apply("play KH")
    assert told(game.apply("play JD")) == [(0, "last trick", 10)]
    if option == "off":
        assert game.is_over
        return
    assert (game.phase, game.seat_to_act) == ("declare", 0)
    assert legal(game) == ["marriage H", "bezique 1", "pass"]
    assert told(game.apply("marriage H")) == [(0, "marriage H", 20)]
    assert told(game.apply("bezique 1")) == [(0, "bezique 1", 40)]
    assert game.is_over
    assert game.scores == (70, 0)


def test_fildinski_endgame_window_of_the_second_player() -> None:
    game = fildinski(
        "QH 9D",
        "KH 8D",
        phase="endgame",
        trump="C",
        turn_up=None,
        table=["", "QS"],
        overrides={"fildinski_endgame": "on"},
    )
    game.apply("play QH")
    game.apply("play KH")
    assert (game.phase, game.seat_to_act) == ("declare", 1)
    assert told(game.apply("marriage H")) == [(1, "marriage H", 20)]
    assert (game.phase, game.seat_to_act) == ("endgame_lead", 1)


def test_fildinski_endgame_last_trick_then_the_window_then_brisques() -> None:
    """D41; brisques at the hand end count open cards and those turned down alike, non-dealer first."""
    game = fildinski(
        "KH",
        "JD",
        phase="endgame",
        trump="C",
        turn_up=None,
        table=["QH QS AS AH", "AD"],
        won=[["TH"], []],
        overrides={"fildinski_endgame": "on", "brisques": "at_hand_end"},
    )
    game.apply("play KH")
    game.apply("play JD")
    game.apply("marriage H")
    game.apply("bezique 1")
    assert scored(game) == [
        (0, "last trick", 10),
        (0, "marriage H", 20),
        (0, "bezique 1", 40),
        (0, "brisques", 30),
        (1, "brisques", 130),
    ]
    assert game.is_over


def test_fildinski_endgame_pass_ends_the_deal() -> None:
    game = fildinski(
        "KH",
        "JD",
        phase="endgame",
        trump="C",
        turn_up=None,
        table=["QH", ""],
        overrides={"fildinski_endgame": "on", "brisques": "at_hand_end"},
    )
    game.apply("play KH")
    game.apply("play JD")
    assert not game.is_over
    assert told(game.apply("pass")) == [(1, "brisques", 160)]
    assert game.is_over


def test_fildinski_endgame_has_no_exchange() -> None:
    """D41: there is no turn-up any more."""
    game = fildinski(
        "AC 9D",
        "7C 8D",
        phase="endgame",
        trump="C",
        turn_up=None,
        overrides={"fildinski_endgame": "on"},
    )
    game.apply("play AC")
    assert told(game.apply("play 7C")) == [(0, "trump seven", 10)]
    assert game.phase == "endgame_lead"


# ----------------------------------------------------------------------------------- the trump seven: trick_winner


@pytest.mark.parametrize(
    ("lead", "reply", "winner"),
    [("7C", "KD", 0), ("AC", "7C", 0), ("7C", "AC", 1), ("KD", "7C", 1)],
)
def test_trick_winner_scores_the_trump_seven(lead: str, reply: str, winner: int) -> None:
    """EB11: scored by who wins the trick that holds it, whoever played it."""
    game = trick(lead, reply, turn_up="8C")
    assert scored(game) == [(winner, "trump seven", 10)]


def test_trick_winner_both_sevens_and_the_order_of_credits() -> None:
    game = trick("7C", "7C")
    assert scored(game) == [(0, "trump seven", 10), (0, "trump seven", 10)]
    game = trick("AC", "7C", overrides={"brisques": "at_trick"})
    assert scored(game) == [(0, "trump seven", 10), (0, "brisques", 10)]


def test_trick_winner_scores_nothing_where_sevens_have_no_score() -> None:
    game = trick("AC", "7C", overrides={"dix_score": "none"})
    assert scored(game) == []


@pytest.mark.parametrize(("option", "points"), [("yes", 10), ("no", 0)])
def test_trick_winner_in_the_endgame(option: str, points: int) -> None:
    game = fildinski(
        "AC 9D", "7C 8D", phase="endgame", trump="C", turn_up=None, overrides={"dix_endgame": option}
    )
    game.apply("play AC")
    assert told(game.apply("play 7C")) == ([(0, "trump seven", 10)] if points else [])


def test_trick_winner_never_shows_a_seven() -> None:
    game = trick("KH", "JD", "QH QS", hand="7C")
    refused(game, "seven", "exchange")


@pytest.mark.parametrize(("dealer_seven", "later"), [(10, []), (0, [(1, "trump seven", 10)])])
def test_trick_winner_a_turned_seven_that_paid_the_dealer_has_scored(
    dealer_seven: int, later: list[tuple[int, str, int]]
) -> None:
    game = fildinski(
        "KH 9H", "9H 8H", phase="lead", turn_up="7C", draw="8D", overrides={"dealer_seven": dealer_seven}
    )
    win(game, "KH", "9H")
    assert "7C" in game.hand(1)
    game.apply("play 9H")
    game.apply("play 8H")
    game.apply("play 8D")
    events = told(game.apply("play 7C"))
    assert [e for e in events if e[1] == "trump seven"] == later


# ------------------------------------------------------------------------------------------------- the exchange


@pytest.mark.parametrize("reply", ["7C", "KH"])
def test_exchange_when_this_trick_held_a_trump_seven(reply: str) -> None:
    """D40: whoever played it; the old turn-up becomes an open card; the exchange itself scores nothing."""
    lead = "AC" if reply == "7C" else "7C"
    game = trick(lead, reply, turn_up="KC", hand="9D")
    assert legal(game) == ["exchange", "pass"]
    assert game.apply("exchange") == []
    assert game.turn_up == "7C"
    assert game.table(0) == [*(c for c in (lead, reply) if c != "7C"), "KC"]
    assert "7C" not in game.view(0).won[0]
    assert "KC" not in game.hand(0)
    assert game.scores == (10, 0)
    assert game.phase == "lead"


def test_exchange_of_a_turn_up_that_cannot_serve() -> None:
    game = trick("AC", "7C", turn_up="9C")
    game.apply("exchange")
    assert game.table(0) == ["AC"]
    assert game.view(1).won[0] == ["9C"]


def test_exchange_gives_no_brisque() -> None:
    game = trick("KC", "7C", turn_up="TC", overrides={"brisques": "at_trick"})
    assert game.apply("exchange") == []
    assert game.table(0) == ["KC", "TC"]
    assert game.scores == (10, 0)


def test_exchange_needs_the_seven_in_this_trick() -> None:
    game = trick("AC", "8C", turn_up="KC", won=[["7C"], []], hand="7C")
    assert game.phase == "lead", "a seven won earlier, or in the hand, exchanges nothing"


def test_exchange_needs_a_turn_up_that_is_no_seven() -> None:
    game = trick("AC", "7C", turn_up="7C")
    assert game.phase == "lead"


def test_exchange_brings_no_card_of_this_trick() -> None:
    """D40: the old turn-up lies open, but a declaration needs a card of the trick."""
    free = {"dix_exchange": "free"}
    game = trick("8C", "7C", "KC", turn_up="QC", hand="AC", overrides=free, draw="8D 9D 8D")
    game.apply("exchange")
    assert game.phase == "lead", "KC QC are no marriage yet"
    assert game.table(0) == ["KC", "QC"]
    game = trick("KC", "7C", turn_up="QC", overrides=free)
    game.apply("exchange")
    assert told(game.apply("marriage C")) == [(0, "marriage C", 40)], "with the king of this trick it is"


def test_exchange_uses_the_declaration() -> None:
    """D4 and the default: no declaration after the exchange, no exchange after a declaration."""
    game = trick("KC", "7C", "QC", turn_up="8C")
    assert legal(game) == ["marriage C", "exchange", "pass"]
    game.apply("exchange")
    assert game.phase == "lead"
    game = trick("KC", "7C", "QC KS KH KD", turn_up="8C")
    game.apply("marriage C")
    assert game.phase == "lead"
    assert game.turn_up == "8C"


@pytest.mark.parametrize("how", ["free", "instead_of_score"])
@pytest.mark.parametrize("order", [("exchange", "marriage C"), ("marriage C", "exchange")])
def test_exchange_independent_of_declarations(how: str, order: tuple[str, str]) -> None:
    game = trick("KC", "7C", "QC", turn_up="8C", overrides={"dix_exchange": how})
    for text in order:
        assert text in legal(game)
        game.apply(text)
    assert game.turn_up == "7C"
    assert game.scores[0] >= 40


def test_exchange_once_in_a_window() -> None:
    game = trick("7C", "7C", "KH QH", turn_up="8C", overrides={"dix_exchange": "free"})
    game.apply("exchange")
    assert game.phase == "lead", "the second seven cannot be exchanged for the first"


def test_exchange_before_the_last_draw_the_loser_draws_the_seven() -> None:
    """D26; the copy has scored when it was won, so it scores no more."""
    game = trick("AC", "7C", turn_up="KC", hand="9D", other="8D", draw="9S")
    game.apply("exchange")
    assert game.phase == "endgame_lead"
    assert "7C" in game.hand(1)
    assert game.view(0).known[1] == ["7C"]
    game.apply("play 9S")
    events = told(game.apply("play 7C"))
    assert events == []
    assert game.seat_to_act == 1


# ------------------------------------------------------------------------------------- the trump seven: from_hand


FROM_HAND = {"fildinski_dix": "from_hand"}


@pytest.mark.parametrize(("lead", "reply", "player"), [("7C", "AC", 0), ("AC", "7C", 1), ("7C", "KD", 0)])
def test_from_hand_a_played_seven_scores_for_its_player(lead: str, reply: str, player: int) -> None:
    """SAARI, otherwise as usual: whoever wins the trick."""
    game = trick(lead, reply, turn_up="8C", overrides=FROM_HAND)
    assert scored(game) == [(player, "trump seven", 10)]


def test_from_hand_a_shown_seven_stays_in_the_hand_known_and_scored() -> None:
    game = trick("AH", "9H", hand="7C 9D", turn_up="8C", overrides=FROM_HAND)
    assert legal(game) == ["seven", "exchange", "pass"]
    assert told(game.apply("seven")) == [(0, "seven", 10)]
    assert "7C" in game.hand(0)
    assert game.table(0) == ["AH"]
    assert game.view(1).known[0] == ["7C"]
    assert game.view(1).sevens_scored == (1, 0)
    assert "seven" not in legal(game)
    game.apply("pass")
    assert game.apply("play 7C") == [], "the copy has scored"


def test_from_hand_exchange_takes_the_turn_up_into_the_hand() -> None:
    game = trick("AH", "9H", hand="7C 9D", turn_up="KC", overrides=FROM_HAND)
    assert told(game.apply("exchange")) == [(0, "exchange", 10)]
    assert game.turn_up == "7C"
    assert "KC" in game.hand(0)
    assert game.table(0) == ["AH"]
    assert game.view(1).known[0] == ["KC"]


def test_from_hand_exchange_of_a_scored_seven_pays_nothing() -> None:
    game = trick("AH", "9H", hand="7C 9D", turn_up="KC", overrides=FROM_HAND)
    game.apply("seven")
    assert game.apply("exchange") == []
    assert game.scores == (10, 0)


def test_from_hand_a_seven_in_the_trick_exchanges_nothing() -> None:
    game = trick("AC", "7C", turn_up="KC", overrides=FROM_HAND)
    assert game.phase == "lead"


# ---------------------------------------------------------------------------------------------- brisques, the rest


@pytest.mark.parametrize("preset", ["standard", "by_class"])
def test_brisques_at_the_trick_to_its_winner(preset: str) -> None:
    """D42."""
    game = trick("TH", "AH", rules=preset, overrides={"brisques": "at_trick"})
    assert scored(game) == [(1, "brisques", 20)]


def test_brisques_at_the_hand_end_count_open_cards() -> None:
    game = fildinski(
        "9C",
        "8C",
        phase="endgame",
        trump="C",
        turn_up=None,
        table=["AS AH KD", "AD"],
        won=[["TH", "9H"], []],
        overrides={"brisques": "at_hand_end"},
    )
    game.apply("play 9C")
    assert told(game.apply("play 8C")) == [(0, "last trick", 10), (0, "brisques", 30), (1, "brisques", 130)]


def test_first_marriage_of_open_cards_fixes_trump() -> None:
    game = trick("KH", "QH", turn_up=None, overrides=UNFIXED, hand="9D")
    assert told(game.apply("marriage H")) == [(0, "marriage H", 40)]
    assert game.trump == "H"


def test_sequence_of_open_cards_fixes_trump_by_option() -> None:
    overrides = {**UNFIXED, "trump": "first_marriage_or_sequence"}
    game = trick("AH", "KH", "TH QH JH", turn_up=None, overrides=overrides)
    assert legal(game) == ["marriage H", "sequence H", "pass"]
    assert told(game.apply("sequence H")) == [(0, "sequence H", 250)]
    assert game.trump == "H"


def test_last_stock_cards_as_in_standard() -> None:
    """The winner takes the face-down card, the loser the turn-up."""
    game = trick("AH", "9H", hand="9D", turn_up="JC", draw="JD")
    assert game.phase == "endgame_lead"
    assert "JD" in game.hand(0)
    assert "JC" in game.hand(1)


def test_a_match_goes_on_below_the_target() -> None:
    game = fildinski("9C", "8C", phase="endgame", trump="C", turn_up=None, episode="match", dealer=0)
    game.apply("play 9C")
    game.apply("play 8C")
    assert not game.is_over
    assert len(game.deals) == 1
    assert game.dealer == 1
    assert game.table(0) == game.table(1) == []
    assert game.view(0).won == [[], []]


@pytest.mark.parametrize(("loser", "pays"), [(480, 2), (500, 1)])
def test_a_match_ends_as_in_standard(loser: int, pays: int) -> None:
    game = fildinski(
        "9C", "8C", phase="endgame", trump="C", turn_up=None, episode="match", scores=[1030, loser]
    )
    game.apply("play 9C")
    game.apply("play 8C")
    assert game.is_over
    assert game.returns("settlement") == (pays, -pays)


def test_silence_a_pass_looks_like_a_skipped_window() -> None:
    """from_hand: the winner holds a trump seven and passes, or holds none and is not asked."""
    deck = dealt("fildinski", "7H KS", "TH 7C", turn_up="8C", bottom="9D")
    other = list(deck)
    place = other.index("7C")
    other[place], other[-1] = other[-1], other[place]
    games = [
        Game("fildinski", deck=d, dealer=1, overrides={"fildinski_dix": "from_hand"}) for d in (deck, other)
    ]
    for game in games:
        game.apply("play 7H")
        game.apply("play TH")
    assert [game.phase for game in games] == ["declare", "lead"]
    games[0].apply("pass")
    assert seen(games[0], 0) == seen(games[1], 0)
    assert "pass" not in games[0].information_text(0)


@pytest.mark.parametrize(
    ("overrides", "name"),
    [
        ({"reform": "replace"}, "reform"),
        ({"declare": "one"}, "declare"),
        ({"carte_blanche_courts": "KQJ"}, "carte_blanche_courts"),
        ({"dix_score": "as_meld"}, "dix_score"),
        ({"dix_score": "on_play"}, "dix_score"),
        ({"fildinski_reuse": "per_class"}, "fildinski_reuse"),
    ],
)
def test_options_that_mean_nothing_here_are_refused(overrides: dict[str, Any], name: str) -> None:
    with pytest.raises(RulesError, match=name):
        get_rules("fildinski", None, overrides)
