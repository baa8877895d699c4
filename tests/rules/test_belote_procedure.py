"""Exchange, pair, play, settlement and matches of two-handed Belote: sections 2.5 to 2.8 and 11, D47 and D51 to D55.

Seat 0 is elder, seat 1 deals, hearts are trumps unless a test says otherwise. Expected numbers are worked out by
hand from the tables of section 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bezique_env.engine.belote import kernels as kn
from bezique_env.game import Game, IllegalAction
from tests.rules.belote_setup import (
    beside_tricks,
    deal,
    in_order,
    legal,
    looks_alike,
    play_out,
    playable,
    position,
    run,
    taken,
    told,
)

ELDER, DEALER = 0, 1
NAMED = {"r2_elder_actions": "named"}
UNTIL_LEAD = {"exchange_window": "until_first_lead"}
FIRST_SIX = {"exchange_seven_from": "first6"}
FIRST_CARD = {"belote_call_deadline": "first_card"}
BOTH_WORDS = {"belote_call_deadline": "both_words"}
AUTO = {"belote_auto": True}


def placed(elder: str = "", other: str = "", options: dict[str, Any] | None = None, **keys: Any) -> Game:
    """A position under options that replace those of ``two_handed``."""
    return position(elder, other, rules={"overrides": options or {}}, **keys)


# ------------------------------------------------------------------------------------------- the exchange


def test_exchange_the_seven_for_the_turn_up() -> None:
    """2.5, section 11: the seven becomes the turn-up, the turned card is in the hand, and both know it."""
    game = taken("7H 9S", "", turn_up="JH")
    assert (game.phase, game.seat_to_act, legal(game)) == ("exchange", ELDER, ["pass", "exchange"])
    assert told(run(game, "exchange")) == [], "it scores nothing"
    assert game.turn_up == "7H"
    assert "JH" in game.hand(ELDER)
    assert "7H" not in game.hand(ELDER)
    for seat in (0, 1):
        view = game.view(seat)
        assert (view.turn_up, view.exchanged, view.known) == ("7H", ELDER, [["JH"], []])
        assert "JH" not in view.unseen
        assert "7H" not in view.unseen
    assert game.phase == "lead"


def test_exchange_is_optional() -> None:
    game = taken("7H 9S", "", turn_up="JH")
    run(game, "pass")
    assert (game.phase, game.turn_up) == ("lead", "JH")
    assert "7H" in game.hand(ELDER)
    assert game.view(1).known == [[], []]


@pytest.mark.parametrize("taker", [0, 1])
@pytest.mark.parametrize("holder", [0, 1])
def test_exchange_is_open_to_either_seat(taker: int, holder: int) -> None:
    """A15: taker or defender; only a seat that may exchange is asked."""
    game = taken(*(("7H", "") if holder == ELDER else ("", "7H")), turn_up="JH", taker=taker)
    assert (game.phase, game.seat_to_act) == ("exchange", holder)
    run(game, "exchange")
    assert (game.phase, game.seat_to_act) == ("lead", ELDER)


def test_exchange_nobody_is_asked_without_the_seven() -> None:
    assert taken("", "", turn_up="JH").phase == "lead"


def test_exchange_needs_the_turned_suit_as_trumps() -> None:
    """A16: with trump named in round 2 there is no turned trump card, whichever seven one holds."""
    for trump in "SDC":
        game = taken("7H 7S", "7D 7C", turn_up="JH", trump=trump)
        assert game.phase == "lead"


def test_exchange_is_impossible_where_the_seven_is_turned() -> None:
    """A17."""
    assert taken("8H", "", turn_up="7H").phase == "lead"


def test_exchange_may_be_off() -> None:
    assert taken("7H", "", turn_up="JH", overrides={"exchange_seven": "off"}).phase == "lead"
    assert taken("7H", "", turn_up="JH", rules="swiss").phase == "lead"


def test_exchange_from_any_card_or_from_the_first_six() -> None:
    """A15: the seven as the first card of the hand, and as one of the three after the auction."""
    early, late = "7H 9S 9C 8D 8C 7D QS AD KC", "9S 9C 8D 8C 7D QS 7H AD KC"
    for options, hand, asked in (
        ({}, early, True),
        ({}, late, True),
        (FIRST_SIX, early, True),
        (FIRST_SIX, late, False),
    ):
        game = taken(hand, "", turn_up="JH", overrides=options)
        assert (game.phase == "exchange") == asked
        game = taken("", hand, turn_up="JH", overrides=options)
        assert (game.phase == "exchange") == asked


def test_exchange_the_new_card_counts_for_sequences() -> None:
    """A15: the window comes before the announcements."""
    game = taken("7TQH", "", turn_up="JH")
    run(game, "exchange")
    assert (game.phase, game.seat_to_act) == ("announce", ELDER)
    assert told(run(game, "announce")) == [(0, "sequences", 20)]
    assert game.view(1).known[0] == in_order("TJQH")
    game = taken("7TQH", "", turn_up="JH")
    run(game, "pass")
    assert game.phase == "lead", "without it there is none"


def test_exchange_may_break_a_sequence_of_the_seven() -> None:
    game = taken("789H", "", turn_up="KH")
    run(game, "exchange")
    assert game.phase == "lead"
    game = taken("789H", "", turn_up="KH")
    run(game, "pass")
    assert game.phase == "announce"


def test_exchange_may_complete_the_pair() -> None:
    """2.6: K and Q of trumps in one hand after the exchange."""
    game = taken("7QH", "", turn_up="KH")
    run(game, "exchange")
    assert "belote" in legal(game)
    game = taken("7QH", "", turn_up="KH")
    run(game, "pass")
    assert "belote" not in legal(game)


def test_exchange_until_the_first_lead_is_asked_twice() -> None:
    """until_first_lead: again after the announcements, for who still can; the card comes too late for them."""
    game = taken("7TQH 789C", "", turn_up="JH", overrides=UNTIL_LEAD)
    run(game, "pass")
    assert game.phase == "announce"
    assert told(run(game, "announce")) == [(0, "sequences", 20)]
    assert (game.phase, legal(game)) == ("exchange", ["pass", "exchange"])
    run(game, "exchange")
    assert game.phase == "lead"
    assert game.scores == (20, 0), "T J Q came too late"
    view = game.view(1)
    assert view.known[0] == in_order("789C JH")
    assert view.turn_up == "7H"


def test_exchange_of_a_shown_seven() -> None:
    """Shown in 7 8 9, then exchanged: all know that it lies face up and no more in the hand."""
    game = taken("789H", "", turn_up="JH", overrides=UNTIL_LEAD)
    run(game, "pass", "announce", "exchange")
    assert game.view(1).known[0] == in_order("89JH")
    assert game.view(0).announcements[0].shown == in_order("789H")


def test_exchange_once() -> None:
    """Nobody is asked in the second window after the first was used; both windows may be passed."""
    game = taken("7H", "", turn_up="JH", overrides=UNTIL_LEAD)
    run(game, "exchange")
    assert game.phase == "lead"
    game = taken("", "7H", turn_up="JH", overrides=UNTIL_LEAD)
    run(game, "pass")
    assert (game.phase, game.seat_to_act) == ("exchange", DEALER)
    run(game, "pass")
    assert (game.phase, game.seat_to_act) == ("lead", ELDER)
    assert "exchange" not in legal(game)


def test_exchange_a_pass_looks_like_having_no_seven() -> None:
    """Section 11: silence says nothing."""
    elder = "9TJS 8JQC 9D KD AH"
    holds, has_none = "7H 7S 8S 7D 8D 9C QH KC AC", "9H 7S 8S 7D 8D 9C QH KC AC"
    games = []
    for hand in (holds, has_none):
        game = taken(elder, hand, turn_up="JH", bottom="AD")
        while game.phase != "lead":
            run(game, "announce" if game.phase == "announce" else "pass")
        games.append(game)
    assert looks_alike(*games, ELDER)


# ------------------------------------------------------------------------------------------------- the pair


def test_pair_twenty_points_at_once() -> None:
    """2.6, section 11: said on its turn, before its card, which must then be one of the two."""
    game = position("KQH 8S", "9JAC")
    assert legal(game) == ["play 8S", "play QH", "play KH", "belote"]
    assert told(run(game, "belote")) == [(0, "pair", 20)]
    assert game.scores == (20, 0)
    assert (game.seat_to_act, game.phase) == (ELDER, "lead")
    assert legal(game) == ["play QH", "play KH"]
    for seat in (0, 1):
        assert game.view(seat).known == [in_order("QKH"), []]
        assert game.view(seat).saying
    run(game, "KH")
    assert game.view(1).known == [["QH"], []], "the other card is known"
    assert game.view(1).pair_said == [1, 0]
    run(game, "9C")
    assert "belote" not in legal(game), "once"


def test_pair_with_the_second_card() -> None:
    """A12 second_card (the default): while the second of the two is in the hand, and never after it."""
    for first, second in (("KH", "QH"), ("QH", "KH")):
        game = position("KQH 8S", "9JAC")
        run(game, first, "9C")
        assert legal(game) == ["play 8S", f"play {second}", "belote"]
        late = game.clone()
        assert told(run(game, "belote")) == [(0, "pair", 20)]
        assert legal(game) == [f"play {second}"]
        assert game.view(1).known == [[second], []]
        run(game, second)
        assert game.view(1).known == [[], []]
        run(late, second, "JC")
        assert legal(late) == ["play 8S"]
        play_out(late)
        assert not [event for event in beside_tricks(late) if event[1] == "pair"]


def test_pair_with_the_first_card_only() -> None:
    game = placed("KQH 8S", "9JAC", FIRST_CARD)
    assert "belote" in legal(game)
    run(game, "KH", "9C")
    assert legal(game) == ["play 8S", "play QH"]
    game = placed("KQH 8S", "9JAC", FIRST_CARD)
    assert told(run(game, "belote", "QH")) == [(0, "pair", 20)]
    assert game.view(1).known == [["KH"], []]


def test_pair_with_both_words() -> None:
    """FFB: a word with each of the two; the points come with the second."""
    game = placed("KQH 8S", "9JAC", BOTH_WORDS)
    assert run(game, "belote") == []
    assert game.scores == (0, 0)
    assert legal(game) == ["play QH", "play KH"]
    assert game.view(1).known == [in_order("QKH"), []]
    run(game, "KH", "9C")
    assert legal(game) == ["play 8S", "play QH", "belote"]
    assert told(run(game, "belote")) == [(0, "pair", 20)]
    assert game.view(1).pair_said == [2, 0]
    assert legal(game) == ["play QH"]


def test_pair_with_one_word_of_two_scores_nothing() -> None:
    """Who leaves out the first word has no second, who leaves out the second no points."""
    game = placed("KQH 8S", "9JAC", BOTH_WORDS)
    run(game, "QH", "9C")
    assert "belote" not in legal(game)
    game = placed("KQH 8S", "9JAC", BOTH_WORDS)
    run(game, "belote", "QH", "9C", "KH", "JC")
    assert beside_tricks(game) == []
    assert "belote" not in legal(game)


@pytest.mark.parametrize("options", [AUTO, AUTO | FIRST_CARD])
def test_pair_that_announces_itself(options: dict[str, Any]) -> None:
    """belote_auto: with the first of the two cards, without an action."""
    for first, second in (("KH", "QH"), ("QH", "KH")):
        game = placed("KQH 8S", "9JAC", options)
        assert "belote" not in legal(game)
        assert told(run(game, first)) == [(0, "pair", 20)]
        assert game.view(1).known == [[second], []]
        assert [e for e in beside_tricks(game) if e[1] == "pair"] == [(0, "pair", 20)]
        run(game, "9C", second, "JC")
        assert game.scores[0] == 20 + 4 + 3 + 2, "king, queen and jack, and no second 20"


def test_pair_of_the_seat_that_follows() -> None:
    """It says it before its reply, and scores whoever wins the cards."""
    game = position("AJH 9C", "KQH 8C")
    run(game, "AH")
    assert legal(game) == ["play QH", "play KH", "belote"]
    assert told(run(game, "belote")) == [(1, "pair", 20)]
    assert told(run(game, "KH")) == [(0, "trick", 15)]
    assert game.scores == (15, 20)


def test_pair_only_where_king_or_queen_may_be_played() -> None:
    """Section 11: offered only where one of them is a legal play."""
    game = position("8S", "KQH 9S", trick=[[0, "7S"]], phase="follow", to_act=1)
    assert legal(game) == ["play 9S"], "it must follow"
    game = position("8S", "KQJH", trick=[[0, "AH"]], phase="follow", to_act=1)
    assert legal(game) == ["play JH"], "it must beat the ace"
    game = position("8S", "KQH 9C", trick=[[0, "7S"]], phase="follow", to_act=1)
    assert legal(game) == ["play QH", "play KH", "belote"], "void, it must trump"
    game = position("8S", "KQ9H", trick=[[0, "JH"]], phase="follow", to_act=1)
    assert legal(game) == ["play 9H", "play QH", "play KH", "belote"], "nothing beats the jack"


def test_pair_both_or_none_may_reply_to_a_trump() -> None:
    """King and queen stand side by side in the order of trumps: both beat the card led, or neither does."""
    for led in ("7H", "8H", "TH", "AH", "9H", "JH"):
        game = position("", "KQH 7S", trick=[[0, led]], phase="follow", to_act=1)
        assert playable(game) == in_order("KQH")
        run(game, "belote")
        assert playable(game) == in_order("KQH")


def test_pair_of_trumps_in_one_hand_alone() -> None:
    assert "belote" not in legal(position("KQS 8C", "9H"))
    assert "belote" not in legal(position("KH 8C", "QH 9C"))
    # one of the two was played by the other seat: the seat was not dealt both
    game = position("KH 8C", "7C 9C", won=[["7H", "QH"], []])
    assert "belote" not in legal(game)
    # its own queen has been played: the second card is still to come
    game = position("KH 8C", "7C 9C", won=[["QH", "7H"], []])
    assert "belote" in legal(game)


@pytest.mark.parametrize("word", ["KH", "QH"])
def test_pair_not_said_looks_like_none(word: str) -> None:
    """Section 11: a seat that passes its pair looks like one that had none."""
    other = "QH" if word == "KH" else "KH"
    games = []
    for hand in (f"{word} {other} 7S 8S 7D 8D 9C TC AC", f"{word} TS 7S 8S 7D 8D 9C TC AC"):
        game = taken("AH JS QS KD JD QC JC TD AD", hand, turn_up="8H", bottom="KC")
        run(game, "AH", word)
        games.append(game)
    assert looks_alike(*games, ELDER)
    assert not looks_alike(*games, DEALER)


# ------------------------------------------------------------------------------------------------- the play


def replies(led: str, hand: str) -> list[str]:
    return playable(position("", hand, trick=[[0, led]], phase="follow", to_act=1))


def test_play_any_card_is_led() -> None:
    assert playable(position("7S JH AD 8C")) == in_order("7S JH AD 8C")


def test_play_suit_is_followed() -> None:
    assert replies("9S", "7AS JH 8C") == in_order("7AS")


def test_play_a_plain_suit_need_not_be_headed() -> None:
    """2.7: beating is compulsory only when trump is led."""
    assert replies("KS", "7ATS 9H") == in_order("7TAS")


def test_play_without_the_suit_a_trump_must_be_played() -> None:
    assert replies("AS", "78H AC TD") == in_order("78H")
    assert replies("AS", "7C AC TD") == in_order("7C AC TD"), "without trumps any card"


@pytest.mark.parametrize(
    ("led", "hand", "allowed"),
    [
        ("TH", "K9JH", "9JH"),
        ("AH", "9TJH", "9JH"),
        ("9H", "AJTH", "JH"),
        ("JH", "9ATH", "9ATH"),
        ("7H", "8KH 9S", "8KH"),
        ("8H", "7QH", "QH"),
        ("KH", "QTH", "TH"),
        ("TH", "KQ78H", "78QKH"),
        ("9H", "AS 7C", "7C AS"),
    ],
)
def test_play_a_trump_led_must_be_beaten(led: str, hand: str, allowed: str) -> None:
    """By the order J 9 A T K Q 8 7; who cannot plays any trump, who has none any card."""
    assert replies(led, hand) == in_order(allowed)


def test_play_legal_cards_as_the_page_writes_them() -> None:
    """The procedure of section 2.7, word for word, over hands dealt at random."""
    suits = "SHDC"
    strength = {rank: place for place, rank in enumerate("78QKTA9J")}

    def by_the_page(hand: list[str], lead: str, trump: str) -> list[str]:
        same = [c for c in hand if c[1] == lead[1]]
        if same:
            if lead[1] == trump:
                over = [c for c in same if strength[c[0]] > strength[lead[0]]]
                return over or same
            return same
        return [c for c in hand if c[1] == trump] or hand

    pack = [rank + suit for suit in suits for rank in "789TJQKA"]
    rng = np.random.default_rng(3)
    for _ in range(250):
        lead, turn_up, *hand = (pack[k] for k in rng.permutation(32)[: 2 + rng.integers(1, 9)])
        trump = suits[rng.integers(4)]
        keys = {"trick": [[0, lead]], "phase": "follow", "to_act": 1, "turn_up": turn_up}
        assert playable(position("", " ".join(hand), trump=trump, **keys)) == in_order(
            by_the_page(hand, lead, trump)
        )


def test_play_the_winner_leads() -> None:
    game = position("7S 9C", "8S TC")
    run(game, "7S", "8S")
    assert game.seat_to_act == DEALER
    run(game, "TC", "9C")
    assert game.is_over


def test_play_what_a_reply_denies_is_public() -> None:
    """D55: void in the suit led, no trump, no trump above the one led."""
    hearts = in_order("7H 8H 9H TH JH QH KH AH")
    game = position("7S 8C", "9D TC")
    run(game, "7S", "9D")
    assert game.view(0).absent[1] == in_order("7S 8S 9S TS JS QS KS AS") + hearts
    game = position("7S 8C", "9H TC")
    run(game, "7S", "9H")
    assert game.view(0).absent[1] == in_order("7S 8S 9S TS JS QS KS AS")
    game = position("TH 8C", "KH TC")
    run(game, "TH", "KH")
    assert game.view(0).absent[1] == in_order("9AJH")
    game = position("TH 8C", "9H TC")
    run(game, "TH", "9H")
    assert game.view(0).absent == [[], []]


def test_last_trick_ten_points_to_its_winner() -> None:
    """2.8: and they are in the total that is settled."""
    game = position("8C", "9C", taker=DEALER)
    assert told(run(game, "8C", "9C")) == [(1, "last trick", 10)]
    assert game.scores == (0, 10)


SWEEP = ("J9ATKQ87H AS", "789C 789D JQKS")
"""Eight trumps and the ace of spades against nothing: 62 + 11 + (2 + 3 + 4) = 82 and 10."""


@pytest.mark.parametrize("bonus", [0, 90, 100])
def test_all_tricks(bonus: int) -> None:
    """A25: nothing by default, 90 (HR23) or 100 (SWISS500) by option."""
    game = taken(*SWEEP, turn_up="9S", overrides={**NAMED, "all_tricks_bonus": bonus})
    assert told(run(game, "announce")) == []
    assert told(run(game, "pass")) == [(0, "sequences", 50)], "one run of eight"
    play_out(game)
    events = beside_tricks(game)
    assert events == [(0, "sequences", 50)] + ([(0, "all tricks", bonus)] if bonus else [])
    assert game.scores == (50 + 82 + 10 + bonus, 0)
    assert game.view(1).tricks == [9, 0]


def test_all_tricks_needs_every_trick() -> None:
    game = placed("8C", "7C", {"all_tricks_bonus": 100}, won=[["9S", "7S"], ["8S", "TS"]], rest=0)
    play_out(game)
    assert not [e for e in beside_tricks(game) if e[1] == "all tricks"]
    game = placed("8C", "7C", {"all_tricks_bonus": 100}, rest=0)
    assert (0, "all tricks", 100) in told(play_out(game))


def test_a_whole_deal_by_hand() -> None:
    """Every card and every point of a deal in order; elder takes it with hearts.

    He makes 92 on tricks and the last trick, the dealer 3 and a run of diamonds: 95 points of cards in play,
    of elder's hand 77 (20 + 11 + 4 and 11 + 10 twice), of the dealer's 18 (3 + 4 + 9 + 2).
    """
    game = taken("JAKH ATS ATC 7D 8C", "QH 9JKS JQKD 79C", bottom="AD")
    assert (game.phase, game.seat_to_act) == ("announce", DEALER)
    assert told(run(game, "announce")) == [(1, "sequences", 20)]
    tricks = [
        ("JH", "QH", 0, 23),
        ("AS", "KS", 0, 15),
        ("TS", "9S", 0, 10),
        ("AC", "7C", 0, 11),
        ("TC", "9C", 0, 10),
        ("AH", "JD", 0, 13),
        ("7D", "QD", 1, 3),
        ("KD", "KH", 0, 8),
        ("8C", "JS", 0, 2),
    ]
    points = [0, 20]
    for led, reply, winner, worth in tricks:
        events = told(run(game, led, reply))
        assert [e for e in events if e[1] == "trick"] == ([(winner, "trick", worth)] if worth else [])
        points[winner] += worth
    assert points == [92, 23]
    assert game.scores == (102, 23)


# ----------------------------------------------------------------------------------------------- settlement


def ended(
    points: tuple[int, int], options: dict[str, Any] | None = None, taker: int = ELDER, **keys: Any
) -> Game:
    """A deal in which the seats made these points; the last trick, 10 points of elder's, was played just now."""
    game = placed("8C", "7C", options, taker=taker, scores=[points[0] - 10, points[1]], **keys)
    run(game, "8C", "7C")
    return game


@pytest.mark.parametrize(
    ("taker", "points", "scores", "moved"),
    [
        (0, (81, 79), (81, 79), []),
        (0, (79, 81), (0, 160), [(0, -79), (1, 79)]),
        (0, (80, 80), (0, 80), [(0, -80)]),
        (1, (79, 81), (79, 81), []),
        (1, (81, 79), (160, 0), [(1, -79), (0, 79)]),
        (1, (80, 80), (80, 0), [(1, -80)]),
    ],
)
def test_settlement(
    taker: int, points: tuple[int, int], scores: tuple[int, int], moved: list[tuple[int, int]]
) -> None:
    """2.8: more, less, equal; the taker's change comes first (D52)."""
    game = ended(points, taker=taker)
    assert game.scores == scores
    assert [(s, n) for s, what, n in told(game.events) if what == "settlement"] == moved
    assert game.returns() == game.returns("settlement") == (scores[0] - scores[1], scores[1] - scores[0])
    sign = 1 if scores[0] > scores[1] else -1
    assert game.returns("win") == (sign, -sign)
    assert game.view(0).winner == (0 if sign > 0 else 1)


@pytest.mark.parametrize(
    ("options", "tie", "fail"),
    [
        ({"two_hand_tie": "fall"}, (0, 160), (0, 160)),
        ({"two_hand_fail": "taker_loses_only"}, (0, 80), (0, 81)),
        ({"two_hand_tie": "fall", "two_hand_fail": "taker_loses_only"}, (0, 80), (0, 81)),
        ({"two_hand_tie": "hold_over"}, (0, 80), (0, 160)),
        ({"rounding": "up5"}, (0, 80), (0, 160)),
    ],
)
def test_settlement_by_option(options: dict[str, Any], tie: tuple[int, int], fail: tuple[int, int]) -> None:
    assert ended((80, 80), options).scores == tie
    assert ended((79, 81), options).scores == fail


def test_settlement_presets() -> None:
    """bicycle: the taker alone loses; swiss: a tie is a failure."""
    for preset, tie, fail in (
        ("two_handed", (0, 80), (0, 160)),
        ("hoyle", (0, 80), (0, 160)),
        ("bicycle", (0, 80), (0, 81)),
        ("swiss", (0, 160), (0, 160)),
    ):
        for points, expected in (((80, 80), tie), ((79, 81), fail)):
            game = position("8C", "7C", rules=preset, scores=[points[0] - 10, points[1]])
            run(game, "8C", "7C")
            assert game.scores == expected, preset


def test_settlement_of_the_takers_pair() -> None:
    """D52: with the rest by default; the taker's to keep by option, in a tie and in a failure."""
    said = {"pair_said": [1, 0], "won": [["KH", "7H"], ["QH", "AH"]]}
    stays = {"belote_prenable": False}
    assert ended((79, 81), **said).scores == (0, 160)
    assert ended((79, 81), stays, **said).scores == (20, 140)
    assert ended((80, 80), **said).scores == (0, 80)
    assert ended((80, 80), stays, **said).scores == (20, 80)
    assert ended((81, 79), stays, **said).scores == (81, 79)
    assert ended((79, 81), stays).scores == (0, 160), "no pair was said"
    one_word = {**said, "pair_said": [1, 0]}
    assert ended((79, 81), stays | BOTH_WORDS, **one_word).scores == (0, 160), (
        "one word of two scored nothing"
    )


def test_settlement_the_opponents_pair_is_his() -> None:
    said = {"pair_said": [0, 1], "won": [["7H", "KH"], ["AH", "QH"]]}
    for stays in (True, False):
        assert ended((79, 81), {"belote_prenable": stays}, **said).scores == (0, 160)
        assert ended((81, 79), {"belote_prenable": stays}, **said).scores == (81, 79)


@pytest.mark.parametrize(
    ("rounding", "points", "scores"),
    [
        ("up5", (86, 75), (90, 80)),
        ("up5", (84, 74), (80, 70)),
        ("down5", (86, 75), (90, 70)),
        ("down5", (85, 76), (80, 80)),
        ("up5", (62, 61), (60, 60)),
        ("up5", (61, 64), (0, 130)),
        ("none", (86, 75), (86, 75)),
    ],
)
def test_settlement_rounding(rounding: str, points: tuple[int, int], scores: tuple[int, int]) -> None:
    """To the nearest ten, a five up or down; who has more is found before, a sum is rounded once."""
    assert ended(points, {"rounding": rounding}).scores == scores


HOLD = {"two_hand_tie": "hold_over"}


def test_hold_over_waits_through_ties_for_the_next_winner() -> None:
    """A24, S04: 60 wait, in a second tie 45 more, and the next winner gets 105, in an event of its own."""
    keys = {"episode": "match", "seed": 3}
    game = ended((60, 60), HOLD, **keys)
    assert (game.match_scores, game.view(1).held) == ((0, 60), 60)
    game = ended((45, 45), HOLD, held=60, match_scores=[0, 60], **keys)
    assert (game.match_scores, game.view(1).held) == ((0, 105), 105)
    won = ended((81, 79), HOLD, held=105, match_scores=[0, 105], **keys)
    assert won.match_scores == (81 + 105, 105 + 79)
    assert won.view(0).held == 0
    lost = ended((79, 81), HOLD, held=105, match_scores=[0, 105], **keys)
    assert lost.match_scores == (0, 105 + 160 + 105)
    events = [tuple(event[1:]) for event in lost.deals[0]["events"][-3:]]
    assert events == [(0, "settlement", -79), (1, "settlement", 79), (1, "held", 105)]


def test_hold_over_in_the_deals_of_a_match() -> None:
    """Whoever has more in the deal after the tie gets the 60, taker or not, beside what that deal gives."""
    gainers = set()
    for seed in range(12):
        game = ended((60, 60), HOLD, episode="match", seed=seed)
        assert game.view(0).held == 60
        run(game, "accept" if seed % 2 else "pass", *([] if seed % 2 else ["accept"]))
        taker = game.view(0).taker
        play_out(game)
        events = [(s, what, n) for _, s, what, n in game.deals[-1]["events"]]
        made = [
            sum(n for s, what, n in events if s == side and what not in ("settlement", "held"))
            for side in (0, 1)
        ]
        gainer = 0 if made[0] > made[1] else 1
        assert made[0] != made[1]
        assert events[-1] == (gainer, "held", 60)
        assert game.view(0).held == 0
        gainers.add((gainer == taker, gainer))
        own = made if gainer == taker else [sum(made) if s == gainer else 0 for s in (0, 1)]
        assert game.match_scores == tuple(
            own[s] + (60 if s == 1 else 0) + (60 if s == gainer else 0) for s in (0, 1)
        )
    assert len(gainers) == 4, "takers who made it and who failed, at both seats"


def test_hold_over_is_not_rounded_and_does_not_decide() -> None:
    game = ended((80, 82), HOLD | {"rounding": "up5"}, held=63, episode="match")
    assert game.match_scores == (0, 160 + 63), "80 + 82 are 162, so 160"


def test_hold_over_is_lost_at_the_end_of_an_episode_of_one_deal() -> None:
    game = ended((60, 60), HOLD)
    assert game.is_over
    assert game.scores == (0, 60)
    assert game.returns() == (-60, 60)


# ------------------------------------------------------------------------------------------------- the match


def match(
    before: tuple[int, int], points: tuple[int, int], options: dict[str, Any] | None = None, **keys: Any
) -> Game:
    return ended(points, options, episode="match", match_scores=list(before), **keys)


@pytest.mark.parametrize(
    ("before", "points", "winner"),
    [
        ((420, 300), (80, 70), 0),
        ((419, 300), (80, 70), None),
        ((300, 430), (80, 70), 1),
        ((300, 340), (79, 81), 1),
        ((440, 450), (81, 79), 1),
        ((450, 440), (81, 79), 0),
        ((500 - 81, 500 - 79), (81, 79), None),
        ((449, 451), (81, 79), None),
        ((490, 0), (79, 81), None),
    ],
    ids=[
        "exactly 500",
        "499 is not enough",
        "the opponent gets there",
        "with the taker's points: 340 + 160",
        "both over: the higher total",
        "both over: the higher total, elder",
        "equal at 500: another deal",
        "equal above 500: another deal",
        "the end of the deal counts: 490 + 79 were 569, but he failed",
    ],
)
def test_match_to_500(before: tuple[int, int], points: tuple[int, int], winner: int | None) -> None:
    """2.8, A19, A20: looked at after the settlement of a deal."""
    game = match(before, points)
    assert game.is_over == (winner is not None)
    if winner is None:
        assert (game.phase, game.dealer, game.scores) == ("bid", ELDER, (0, 0)), "the other seat deals"
        assert game.returns("win") == (0, 0)
        return
    sign = 1 if winner == 0 else -1
    assert game.view(0).winner == winner
    assert game.returns("settlement") == game.returns("win") == (sign, -sign), "one game"
    difference = game.match_scores[0] - game.match_scores[1]
    assert game.returns() == (difference, -difference)


def test_match_equal_at_the_target_goes_on_until_one_has_more() -> None:
    game = match((419, 421), (81, 79), seed=1)
    assert game.match_scores == (500, 500)
    run(game, "accept")
    play_out(game)
    assert game.is_over
    first, second = game.match_scores
    assert first != second
    assert game.view(0).winner == (0 if first > second else 1)


def test_match_to_another_target() -> None:
    assert not match((430, 300), (80, 70), {"target": 1000}).is_over
    assert match((930, 300), (80, 70), {"target": 1000}).is_over
    assert match((0, 0), (50, 40), {"target": 50}).is_over


def test_match_records_replay() -> None:
    game = Game("belote", seed=11, episode="match", rules="hoyle", overrides={"target": 300})
    rng = np.random.default_rng(5)
    while not game.is_over:
        game.apply(int(rng.choice(game.legal_actions())))
    record = game.to_record()
    assert len(record["deals"]) > 2
    again = Game.replay(record)
    assert again.to_record() == record
    totals = [sum(entry["scores"][s] for entry in record["deals"]) for s in (0, 1)]
    assert tuple(totals) == game.match_scores


# ------------------------------------------------------------------------------------------ why it is illegal


def forced() -> Game:
    return deal("", "", overrides={**NAMED, "all_pass": "dealer_forced"})


def after(game: Game, *actions: str) -> Game:
    run(game, *actions)
    return game


def over() -> Game:
    return ended((81, 79))


WHY: list[tuple[int, Any, str, str]] = [
    (kn.WHY_OVER, over, "play 7S", "over"),
    (kn.WHY_AUCTION, deal, "play 7S", "auction is not over"),
    (kn.WHY_AUCTION, deal, "exchange", "auction is not over"),
    (kn.WHY_ANSWER, lambda: after(deal(), "propose"), "accept", "agree or refuse"),
    (kn.WHY_ANSWER, lambda: after(deal(), "propose"), "propose", "agree or refuse"),
    (kn.WHY_NOT_AUCTION, lambda: position("8C", "7C"), "accept", "auction is over"),
    (kn.WHY_NOT_AUCTION, lambda: position("8C", "7C"), "pass", "auction is over"),
    (kn.WHY_NO_PROPOSAL, deal, "agree", "no new deal is proposed"),
    (kn.WHY_NO_PROPOSAL, deal, "refuse", "no new deal is proposed"),
    (kn.WHY_ROUND_ONE, deal, "name S", "round 1"),
    (kn.WHY_ROUND_TWO, lambda: after(deal(), "pass", "pass"), "accept", "round 2 the turned suit H"),
    (kn.WHY_TURNED_SUIT, lambda: after(deal(), "pass", "pass", "pass"), "name H", "another suit"),
    (kn.WHY_MAY_NOT_NAME, lambda: after(deal(), "pass", "pass"), "name S", "'propose_or_pass' (A6)"),
    (
        kn.WHY_MUST_NAME,
        lambda: after(deal(), "pass", "pass", "propose", "refuse"),
        "pass",
        "must name a suit",
    ),
    (
        kn.WHY_MUST_NAME,
        lambda: after(deal(), "pass", "pass", "propose", "refuse"),
        "propose",
        "must name a suit",
    ),
    (kn.WHY_NO_PROPOSE, lambda: after(deal(), "pass", "pass", "pass"), "propose", "(A7)"),
    (kn.WHY_NO_PROPOSE, lambda: deal(rules="swiss"), "propose", "schmeiss 'off'"),
    (kn.WHY_FORCED, lambda: after(forced(), "pass", "pass", "pass"), "pass", "dealer_forced"),
    (kn.WHY_WINDOW, lambda: taken("7H", "", turn_up="JH"), "play 7H", "do it or pass"),
    (kn.WHY_WINDOW, lambda: taken("TJQC", ""), "exchange", "do it or pass"),
    (kn.WHY_NOT_ASKED, lambda: position("8C", "7C"), "exchange", "before the first lead"),
    (kn.WHY_NOT_ASKED, lambda: position("8C", "7C"), "announce", "before the first lead"),
    (kn.WHY_NOT_IN_HAND, lambda: position("8C", "7C"), "play 9C", "no 9C in the hand"),
    (kn.WHY_FOLLOW, lambda: after(position("8C 7D", "7C 9S"), "8C"), "play 9S", "suit of 8C"),
    (kn.WHY_BEAT, lambda: after(position("TH 7D", "KAH"), "TH"), "play KH", "beats TH"),
    (kn.WHY_TRUMP, lambda: after(position("8C 7D", "7H 9S"), "8C"), "play 9S", "must trump"),
    (kn.WHY_SAYING, lambda: after(position("KQH 7D", "7S"), "belote"), "play 7D", "king or queen"),
    (kn.WHY_NO_PAIR, lambda: position("KH 7D", "7S"), "belote", "not dealt king and queen"),
    (kn.WHY_PAIR_LATE, lambda: after(position("KQH 7D", "7S"), "belote"), "belote", "'second_card' (A12)"),
    (
        kn.WHY_PAIR_LATE,
        lambda: after(placed("KQH 7D", "7S 8C JC", FIRST_CARD), "KH", "7S"),
        "belote",
        "'first_card' (A12)",
    ),
    (
        kn.WHY_PAIR_LATE,
        lambda: after(position("KQH 7D", "78S 9C"), "KH", "7S", "QH", "8S"),
        "belote",
        "past its time",
    ),
    (
        kn.WHY_PAIR_CARD,
        lambda: after(position("8C 7D 9D", "7C KQH"), "8C"),
        "belote",
        "neither king nor queen",
    ),
    (kn.WHY_PAIR_AUTO, lambda: placed("KQH 7D", "7S", AUTO), "belote", "by itself"),
]


@pytest.mark.parametrize(("code", "start", "action", "words"), WHY)
def test_why_illegal(code: int, start: Any, action: str, words: str) -> None:
    """A sentence with its rule; the state stays as it was."""
    game = start()
    sentence = game.why_illegal(action)
    assert sentence is not None
    assert words in sentence
    assert sentence[-1] == "."
    before = game.state.tobytes()
    with pytest.raises(IllegalAction) as error:
        game.apply(action)
    assert (error.value.seat, error.value.phase, error.value.action) == (game.seat_to_act, game.phase, action)
    assert error.value.reason == sentence
    assert error.value.legal == legal(game)
    assert sentence in str(error.value)
    assert game.state.tobytes() == before


def test_every_reason_is_given_above() -> None:
    codes = {value for name, value in vars(kn).items() if name.startswith("WHY_")}
    assert {code for code, *_ in WHY} == codes


def test_every_action_of_any_decision_is_legal_or_has_its_reason() -> None:
    """No action of the table is left without an answer, and asking changes nothing."""
    rng = np.random.default_rng(1)
    for seed in range(6):
        options = {**NAMED, **UNTIL_LEAD, "r2_dealer_may_propose": True} if seed % 2 else BOTH_WORDS
        game = Game("belote", seed=seed, overrides=options)
        while not game.is_over:
            allowed = game.legal_actions()
            for action in range(game.num_actions):
                sentence = game.why_illegal(action)
                assert (sentence is None) == (action in allowed)
                assert sentence is None or sentence.endswith(".")
            game.play_on(int(rng.choice(allowed)))


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("annonce", "did you mean 'announce'"),
        ("Accept", "did you mean 'accept'"),
        ("name", "did you mean 'name"),
        ("play 10H", "unknown action 'play 10H'"),
        ("play hj", "unknown action 'play hj'"),
        ("bezique 1", "unknown action"),
        ("", "unknown action"),
        (44, "0..43"),
        (-1, "0..43"),
        (True, "must be an id (0..43) or a text"),
        (None, "must be an id (0..43) or a text"),
    ],
)
def test_actions_that_are_none(action: Any, words: str) -> None:
    game = deal()
    for ask in (game.apply, game.why_illegal):
        with pytest.raises(ValueError) as error:
            ask(action)
        assert words in str(error.value)
        assert not isinstance(error.value, IllegalAction)


def test_ids_and_texts_are_the_same_actions() -> None:
    """The table of ids: cards, then auction, then what is asked, then the pair; they never change."""
    game = deal()
    texts = [game.action_text(action) for action in range(game.num_actions)]
    assert [game.action_id(text) for text in texts] == list(range(44))
    assert texts[32:] == [
        *("accept", "pass", "propose", "agree", "refuse"),
        *("name S", "name H", "name D", "name C"),
        *("exchange", "announce", "belote"),
    ]
    assert texts[:9] == [f"play {card}" for card in ["7S", "8S", "9S", "TS", "JS", "QS", "KS", "AS", "7H"]]
