"""Positions of two-handed Belote: what they set up, how games go on from them, and every refusal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bezique_env.game import Game
from bezique_env.position import PositionError
from bezique_env.rules.belote.cards import CARD_TEXTS
from tests.rules.belote_setup import beside_tricks, cards, in_order, legal, play_out, run, seen, told

AUCTION: dict[str, Any] = {
    "variant": "belote",
    "phase": "bid",
    "to_act": 0,
    "dealer": 1,
    "turn_up": "8H",
    "hands": [cards("TJQC KAS 9H"), cards("79JS TQH 8D")],
}
"""Before the first bid."""
FIRST_LEAD: dict[str, Any] = {
    "variant": "belote",
    "to_act": 0,
    "dealer": 1,
    "turn_up": "8H",
    "trump": "H",
    "taker": 0,
    "hands": [cards("TJQC KAS 9AH KAD"), cards("79JS TQH 8JD 9C 7D")],
}
"""Nine cards each; elder, who took it, is to lead."""
LATE: dict[str, Any] = {
    "variant": "belote",
    "to_act": 1,
    "dealer": 1,
    "turn_up": "8H",
    "bottom": "7C",
    "bids": ["pass", "accept"],
    "hands": [["QC", "KD"], ["KH", "9C", "8D"]],
    "won": [["TC", "9S", "AS", "JS", "AH", "TH"], ["9H", "JH", "KS", "7S", "AD", "7D"]],
    "trick": [[0, "JC"]],
    "scores": [42, 64],
    "rest": "pack",
}
"""After six tricks: elder has led JC, the dealer, who took hearts, has K of trumps and a club."""
EXCHANGED: dict[str, Any] = {
    **FIRST_LEAD,
    "turn_up": "7H",
    "exchanged": 1,
    "turned": "8H",
    "hands": [cards("TJQC KAS 9AH KAD"), cards("79JS T8H 8JD 9C 7D")],
}
PAIR: dict[str, Any] = {
    "variant": "belote",
    "to_act": 0,
    "dealer": 1,
    "trump": "H",
    "taker": 0,
    "turn_up": "8H",
    "hands": [["KH", "QH", "7S"], ["9S", "8C", "JC"]],
    "rest": 1,
}


def at(base: dict[str, Any], **keys: Any) -> Game:
    return Game.from_position({**base, **keys})


# ------------------------------------------------------------------------------------------- what they set up


def test_an_auction_begins() -> None:
    game = at(AUCTION)
    assert (game.phase, game.seat_to_act, game.trump, game.turn_up) == ("bid", 0, None, "8H")
    assert legal(game) == ["accept", "pass", "propose"]
    assert [game.hand(s) for s in (0, 1)] == [in_order(hand) for hand in AUCTION["hands"]]
    view = game.view(0)
    assert (view.bids, view.taker, view.bottom) == ([], -1, None)
    run(game, "accept")
    assert [len(game.hand(s)) for s in (0, 1)] == [9, 9]
    assert set(AUCTION["hands"][0]) < set(game.hand(0))


@pytest.mark.parametrize(
    ("bids", "phase", "to_act", "allowed"),
    [
        (["pass"], "bid", 1, ["accept", "pass", "propose"]),
        (["propose"], "answer", 1, ["agree", "refuse"]),
        (["pass", "propose"], "answer", 0, ["agree", "refuse"]),
        (["pass", "pass"], "bid", 0, ["pass", "propose"]),
        (["pass", "pass", "propose", "refuse"], "bid", 0, ["name S", "name D", "name C"]),
        (["pass", "pass", "pass"], "bid", 1, ["pass", "name S", "name D", "name C"]),
    ],
)
def test_an_auction_goes_on(bids: list[str], phase: str, to_act: int, allowed: list[str]) -> None:
    game = at(AUCTION, bids=bids, phase=phase, to_act=to_act)
    assert (game.phase, game.seat_to_act, legal(game)) == (phase, to_act, allowed)
    assert game.view(0).bids == bids
    # the same auction, bid from its beginning
    begun = at(AUCTION)
    run(begun, *bids)
    for seat in (0, 1):
        assert game.view(seat) == begun.view(seat)


def test_an_auction_that_ends_in_nothing_is_dealt_again_or_not() -> None:
    """The deck of a position is given: its deal ends 0 : 0, its match goes on."""
    game = at(AUCTION)
    run(game, "propose", "agree")
    assert game.is_over
    assert game.scores == (0, 0)
    game = at(AUCTION, episode="match", seed=4)
    run(game, "propose", "agree")
    assert (game.phase, game.dealer) == ("bid", 1)


def test_the_first_lead() -> None:
    game = at(FIRST_LEAD)
    assert (game.phase, game.seat_to_act, game.trump) == ("lead", 0, "H")
    view = game.view(1)
    assert (view.taker, view.dealer, view.turn_up, view.tricks) == (0, 1, "8H", [0, 0])
    assert view.bottom is not None
    assert view.bottom not in view.unseen
    assert legal(game) == [f"play {card}" for card in in_order(FIRST_LEAD["hands"][0])]


@pytest.mark.parametrize(
    ("bids", "options", "trump", "taker"),
    [
        (["accept"], {}, "H", 0),
        (["pass", "accept"], {}, "H", 1),
        (["propose", "refuse"], {}, "H", 0),
        (["propose", "refuse"], {"schmeiss_refused_makes": "responder"}, "H", 1),
        (["pass", "propose", "refuse"], {}, "H", 1),
        (["pass", "pass", "propose", "refuse", "name D"], {}, "D", 0),
        (["pass", "pass", "pass", "name C"], {}, "C", 1),
        (["pass", "pass", "name S"], {"r2_elder_actions": "named"}, "S", 0),
    ],
)
def test_the_bids_say_trump_and_taker(
    bids: list[str], options: dict[str, Any], trump: str, taker: int
) -> None:
    position = {key: value for key, value in FIRST_LEAD.items() if key not in ("trump", "taker")}
    game = at(position, bids=bids, rules={"overrides": options})
    assert (game.trump, game.view(0).taker, game.view(1).bids) == (trump, taker, bids)
    at(position, bids=bids, rules={"overrides": options}, trump=trump, taker=taker)  # said twice is no harm


def test_a_trick_under_way() -> None:
    """The dealer must follow with the club he has; the points by hand: jack and nothing, 2 for elder."""
    game = at(LATE)
    assert (game.phase, game.seat_to_act, game.trump) == ("follow", 1, "H")
    assert legal(game) == ["play 9C"]
    view = game.view(0)
    assert view.trick == [(0, "JC")]
    assert (view.tricks, view.scores, view.concealed) == ([3, 3], (42, 64), [2, 3])
    assert view.won == [in_order(won) for won in LATE["won"]]
    assert view.played == [in_order("TC AS AH 9H KS AD JC"), in_order("9S JS TH JH 7S 7D")]
    assert view.bottom == "7C"
    assert told(run(game, "9C")) == [(0, "trick", 2)]
    run(game, "QC", "KH")
    assert game.seat_to_act == 1, "trumped"
    assert told(run(game, "8D", "KD"))[:2] == [(0, "trick", 4), (0, "last trick", 10)]
    assert game.is_over
    # elder 42 + 2 + 14, the taker 64 + 7
    assert game.scores == (58, 71)


def test_what_is_known_and_absent() -> None:
    game = at(LATE, known=[["KD"], []], absent=[["7H"], ["8S"]])
    for seat in (0, 1):
        view = game.view(seat)
        assert (view.known, view.absent) == ([["KD"], []], [["7H"], ["8S"]])


def test_the_deck_of_a_position_is_a_pack_that_fits() -> None:
    for base in (AUCTION, FIRST_LEAD, LATE, EXCHANGED, PAIR):
        game = at(base)
        order = [CARD_TEXTS[card] for card in game.state["deck"]]
        assert sorted(order) == sorted(CARD_TEXTS)
        assert order[12] == base.get("turned", base["turn_up"])
        if "bottom" in base:
            assert order[31] == base["bottom"]
        for seat, places in ((0, (0, 1, 2, 6, 7, 8, 13, 14, 15)), (1, (3, 4, 5, 9, 10, 11, 16, 17, 18))):
            dealt = {order[place] for place in places}
            held = {*game.hand(seat), *game.view(seat).played[seat]}
            if seat == base.get("exchanged"):
                held = (held - {base["turned"]}) | {"7H"}
            assert held <= dealt
            assert held == dealt or base in (AUCTION, PAIR), (
                "before the auction is over three more are to come"
            )


def test_rest_gives_a_seat_the_tricks_that_are_missing() -> None:
    """PAIR names six cards: twelve more were played, in six tricks of seat 1; their cards come from the seed."""
    game = at(PAIR)
    assert game.view(0).tricks == [0, 6]
    assert len(game.view(0).won[1]) == 12
    other = at(PAIR, rest=0)
    assert other.view(0).tricks == [6, 0]
    assert at(PAIR).view(0) == game.view(0)
    assert at(PAIR, seed=1).view(0).won != game.view(0).won


def test_before_the_exchange() -> None:
    """Seats that may exchange are asked; under first6 the seven was dealt among the first six."""
    hands = [cards("TJQC KAS 9AH KAD"), cards("79JS TQH 8JD 9C 7H")]
    for options in ({}, {"exchange_seven_from": "first6"}):
        game = at(FIRST_LEAD, hands=hands, phase="exchange", to_act=1, rules={"overrides": options})
        assert (game.phase, game.seat_to_act, legal(game)) == ("exchange", 1, ["pass", "exchange"])
        run(game, "exchange")
        assert "8H" in game.hand(1)
        assert game.turn_up == "7H"
        assert (game.phase, game.seat_to_act) == ("announce", 0), "then elder, who has T J Q"
        place = [CARD_TEXTS[card] for card in game.state["deck"]].index("7H")
        assert options == {} or place in (3, 4, 5, 9, 10, 11)


def test_before_the_announcements() -> None:
    game = at(FIRST_LEAD, phase="announce")
    assert legal(game) == ["pass", "announce"]
    assert told(run(game, "announce")) == [(0, "sequences", 20)]
    runs = [cards("TJQC KAS 9AH KAD"), cards("789D 79JS TQH 9C")]
    game = at(FIRST_LEAD, hands=runs, phase="announce", to_act=1, announced=[1, 0])
    assert game.view(1).announcements[0].value == 20
    run(game, "announce")
    assert (game.phase, game.scores) == ("lead", (20, 0)), "both 20, queen against nine"
    game = at(FIRST_LEAD, hands=runs, phase="announce", to_act=1)
    assert told(run(game, "announce")) == [(1, "sequences", 20)], "elder has passed"


def test_after_the_announcements() -> None:
    """What was announced is compared again: who won, what is shown; its points stand in scores."""
    runs = [cards("TJQC KAS 9AH KAD"), cards("789D 79JS TQH 9C")]
    game = at(FIRST_LEAD, hands=runs, announced=[True, True], scores=[20, 0])
    view = game.view(1)
    assert view.known == [in_order("TJQC"), []]
    assert (view.announcements[0].winner, view.announcements[0].points) == (0, 20)
    assert view.announcements[0].decided_by == "top"
    assert view.scores == (20, 0)
    assert at(FIRST_LEAD, hands=runs, announced=[0, 1], scores=[0, 20]).view(0).known == [
        [],
        in_order("789D"),
    ]
    assert at(FIRST_LEAD, hands=runs).view(0).known == [[], []]


def test_after_the_announcements_cards_that_were_played_belonged_to_them() -> None:
    """Six tricks ago elder had T J Q of clubs; the queen is still in his hand, known."""
    game = at(LATE, announced=[1, 0], scores=[62, 64])
    view = game.view(1)
    assert view.known == [["QC"], []]
    assert view.announcements[0].shown == in_order("TJQC")


def test_points_that_wait_for_a_trick() -> None:
    """announce_needs_trick: paid if the winner has a trick, else with the first that he wins."""
    runs = [cards("TJQC KAS 9AH KAD"), cards("789D 79JS TQH 9C")]
    rules = {"overrides": {"announce_needs_trick": True}}
    game = at(FIRST_LEAD, hands=runs, announced=[1, 1], rules=rules)
    assert told(run(game, "AS", "7S")) == [(0, "trick", 11), (0, "sequences", 20)]
    game = at(LATE, announced=[1, 0], rules=rules, scores=[62, 64])
    assert told(run(game, "9C")) == [(0, "trick", 2)], "he has won three tricks: it is paid"


def test_after_an_exchange() -> None:
    for base in (EXCHANGED, {**EXCHANGED, "known": [[], ["8H"]]}):
        game = at(base)
        view = game.view(0)
        assert (view.turn_up, view.exchanged) == ("7H", 1)
        assert view.known == [[], ["8H"]], "the turned card is known whether or not the position says it"
    # it has been played: led now, or in a trick long ago
    led = at(
        EXCHANGED,
        to_act=1,
        exchanged=0,
        turned="8H",
        trick=[[0, "8H"]],
        hands=[cards("TJQC KAS 9H KAD"), cards("79JS TQH 8JD 9C 7D")],
    )
    assert legal(led) == ["play TH", "play QH"], "it must be beaten"
    gone = at(
        EXCHANGED,
        hands=[cards("TJQC KAS 9AH KD"), cards("79JS TH 8JD 9C 7D")],
        won=[["AD", "8H"], []],
    )
    assert gone.view(0).known == [[], []]


def test_a_pair_that_was_said() -> None:
    """The seat must play a card of it now, or has played one; the other is known."""
    game = at(PAIR, pair_said=[1, 0], saying=True, scores=[20, 0])
    assert legal(game) == ["play QH", "play KH"]
    assert game.view(1).known == [["QH", "KH"], []]
    assert game.view(1).saying
    run(game, "KH")
    assert game.scores[0] == 20, "its points were part of the scores"
    hands = {"hands": [["QH", "7S"], ["8C", "JC"]], "won": [["KH", "9S"], []]}
    game = at(PAIR, **hands, pair_said=[1, 0], scores=[20, 0])
    assert game.view(1).known == [["QH"], []]
    assert "belote" not in legal(game)
    assert "belote" in legal(at(PAIR, **hands)), "unsaid it may still be said"


@pytest.mark.parametrize(
    ("led", "absent"),
    [("8D", "789TJQKAD"), ("AH", "9JH"), ("8H", "")],
    ids=["plain", "a higher trump", "a lower trump"],
)
def test_a_pair_that_was_said_in_reply_denies_cards(led: str, absent: str) -> None:
    """As in a game: its king or queen is legal, so no card of the suit led is there, nor a trump above an ace led."""
    keys = {"hands": [["7S", "8C"], ["KH", "QH", "9S"]], "trick": [[0, led]], "to_act": 1, "turn_up": "TH"}
    game = at(PAIR, **keys, pair_said=[0, 1], saying=True)
    assert game.view(0).absent == [[], in_order(absent)]
    said = at(PAIR, **keys)
    run(said, "belote")
    assert said.view(0).absent == game.view(0).absent
    for seed in range(20):
        assert legal(game.resample(0, seed)) == ["play QH", "play KH"]


def test_a_pair_of_two_words() -> None:
    rules = {"overrides": {"belote_call_deadline": "both_words"}}
    hands = {"hands": [["QH", "7S"], ["8C", "JC"]], "won": [["KH", "9S"], []], "rules": rules}
    game = at(PAIR, **hands, pair_said=[1, 0])
    assert told(run(game, "belote")) == [(0, "pair", 20)]
    assert "belote" not in legal(at(PAIR, **hands)), "without the first word there is no second"
    game = at(PAIR, **hands, pair_said=[2, 0], saying=True, scores=[20, 0])
    assert legal(game) == ["play QH"]


def test_scores_of_deal_and_match() -> None:
    hold = {"overrides": {"two_hand_tie": "hold_over"}}
    game = at(LATE, match_scores=[200, 300], held=17, rules=hold, episode="match")
    view = game.view(0)
    assert (view.scores, view.match_scores, view.held) == ((42, 64), (242, 364), 17)
    run(game, "9C", "QC", "KH", "8D", "KD")
    assert game.match_scores == (200 + 58, 300 + 71 + 17)


def test_seats_and_cards_may_be_written_in_other_ways() -> None:
    game = at(FIRST_LEAD)
    hands = {"0": " ".join(FIRST_LEAD["hands"][0]), "1": " ".join(FIRST_LEAD["hands"][1])}
    assert at(FIRST_LEAD, hands=hands).view(0) == game.view(0)
    late = at(LATE, trick={"0": "JC"}, scores={"0": 42, "1": 64})
    assert late.view(1) == at(LATE).view(1)


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "late.yaml"
    path.write_text(
        "variant: belote\nto_act: 1\ndealer: 1\nturn_up: 8H\nbottom: 7C\nbids: [pass, accept]\n"
        "hands: [QC KD, KH 9C 8D]\nwon: [TC 9S AS JS AH TH, 9H JH KS 7S AD 7D]\ntrick: [[0, JC]]\nscores: [42, 64]\n"
    )
    assert Game.from_position(path).view(0) == at(LATE).view(0)


# --------------------------------------------------------------------------------------------- going on


@pytest.mark.parametrize(
    "base", [AUCTION, FIRST_LEAD, LATE, EXCHANGED, PAIR], ids=["auction", "lead", "late", "exchanged", "pair"]
)
@pytest.mark.parametrize("episode", ["deal", "match"])
def test_records_of_positions_replay(base: dict[str, Any], episode: str) -> None:
    game = at(base, episode=episode, seed=8)
    rng = np.random.default_rng(2)
    while not game.is_over and len(game.deals) < 2:
        game.apply(int(rng.choice(game.legal_actions())))
    record = game.to_record()
    assert record["deals"][0]["position"]["hands"] == base["hands"]
    again = Game.replay(record)
    assert again.to_record() == record
    assert again.state.tobytes() == game.state.tobytes()


@pytest.mark.parametrize(
    "base", [AUCTION, FIRST_LEAD, LATE, EXCHANGED, PAIR], ids=["auction", "lead", "late", "exchanged", "pair"]
)
def test_worlds_of_positions_look_the_same(base: dict[str, Any]) -> None:
    """What a seat sees of a position it sees of every game resampled from it; the hidden cards differ."""
    game = at(base)
    for seat in (0, 1):
        mine = seen(game, seat)
        hands = set()
        for seed in range(5):
            world = game.resample(seat, seed)
            assert seen(world, seat)["view"] == mine["view"]
            hands.add(tuple(world.hand(1 - seat)))
            play_out(world)
        assert len(hands) > 1


# ------------------------------------------------------------------------------------------------- refusals

HANDS = FIRST_LEAD["hands"]
HOLD = {"overrides": {"two_hand_tie": "hold_over"}}
BOTH = {"overrides": {"belote_call_deadline": "both_words"}}
REFUSED: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    # keys and values
    ("unknown key", FIRST_LEAD, {"stock": []}, "unknown key 'stock'"),
    ("near key", FIRST_LEAD, {"takers": 0}, "did you mean 'taker'"),
    ("phase", FIRST_LEAD, {"phase": "declare"}, "phase: 'declare' is not allowed"),
    ("seat to act", FIRST_LEAD, {"to_act": 2}, "to_act: 2 is no seat"),
    ("dealer", FIRST_LEAD, {"dealer": "random"}, "dealer: 'random' is no seat"),
    ("seed", FIRST_LEAD, {"seed": -1}, "seed: -1 must be"),
    ("episode", FIRST_LEAD, {"episode": "game"}, "episode: 'game' is not allowed"),
    ("draws", FIRST_LEAD, {"draws": "mixed"}, "draws: 'mixed' is not allowed"),
    ("rules", FIRST_LEAD, {"rules": "hoile"}, "'hoyle'"),
    ("trump", FIRST_LEAD, {"trump": "X"}, "trump: 'X' is not allowed"),
    ("taker", FIRST_LEAD, {"taker": 7}, "taker: 7 is no seat"),
    ("scores", FIRST_LEAD, {"scores": [1]}, "scores: one whole number per seat"),
    ("match scores", FIRST_LEAD, {"match_scores": ["a", 1]}, "match_scores: one whole number per seat"),
    ("card", FIRST_LEAD, {"bottom": "10S"}, "bottom: unknown card '10S'"),
    ("card of a hand", FIRST_LEAD, {"hands": [["HQ"], HANDS[1]]}, "hands of seat 0: unknown card 'HQ'"),
    ("hands", FIRST_LEAD, {"hands": [HANDS[0]]}, "hands: one list of cards per seat"),
    ("trick", LATE, {"trick": [["JC"]]}, "trick: ['JC'] is no pair"),
    ("trick of two", LATE, {"trick": [[0, "JC"], [1, "9C"]]}, "a trick of two cards is over"),
    ("who plays twice", LATE, {"trick": [[1, "JC"]]}, "trick: seat 1 is to act and has played to it"),
    ("follow what", FIRST_LEAD, {"phase": "follow"}, "phase: 'follow' needs a led card"),
    ("lead after a lead", LATE, {"phase": "lead"}, "phase: 'follow' needs a led card"),
    ("held", FIRST_LEAD, {"held": -3, "rules": HOLD}, "held: -3 must be a whole number"),
    ("held by no rule", FIRST_LEAD, {"held": 3}, "two_hand_tie 'hold_over'"),
    # cards
    ("twice", FIRST_LEAD, {"bottom": "TC"}, "TC is named twice"),
    ("turned and held", FIRST_LEAD, {"turn_up": "9H"}, "9H is named twice"),
    (
        "few cards",
        FIRST_LEAD,
        {"hands": [HANDS[0][:8], HANDS[1]]},
        "seat 0 holds 8 cards, not 9 (after 0 tricks",
    ),
    (
        "many cards",
        AUCTION,
        {"hands": [[*AUCTION["hands"][0], "AC"], AUCTION["hands"][1]]},
        "7 cards, not 6 (before",
    ),
    ("half a trick", LATE, {"won": [LATE["won"][0][:5], LATE["won"][1]]}, "5 cards are no whole tricks"),
    ("known", FIRST_LEAD, {"known": [["8S"], []]}, "known of seat 0: 8S is not among its concealed cards"),
    ("absent", FIRST_LEAD, {"absent": [["TC"], []]}, "absent of seat 0: TC is in its hand"),
    ("rest", PAIR, {"rest": 2}, "rest ('pack' or a seat): 2 is no seat"),
    ("no card left", LATE, {"hands": [[], []], "trick": [], "to_act": 0, "rest": 0}, "no card is left"),
    # the auction
    ("no turn-up", AUCTION, {"turn_up": None}, "turn_up: with the auction it must be named"),
    ("trump too early", AUCTION, {"trump": "H"}, "trump: there is none before"),
    ("taker too early", AUCTION, {"taker": 0}, "taker: there is none before"),
    ("exchange too early", AUCTION, {"exchanged": 0}, "exchanged: there is none before"),
    ("tricks too early", AUCTION, {"won": [["AC", "7C"], []]}, "won: in the auction no trick is won"),
    ("tricks from the rest", AUCTION, {"rest": 0}, "rest: in the auction no trick is won"),
    ("no list of bids", AUCTION, {"bids": "pass"}, "bids: 'pass' must be a list"),
    ("too many bids", AUCTION, {"bids": ["pass"] * 9}, "at most 8 actions"),
    ("unknown bid", AUCTION, {"bids": ["pas"]}, "did you mean 'pass'"),
    ("no bid", AUCTION, {"bids": ["play 7S"]}, "'play 7S' is no action of the auction"),
    ("illegal bid", AUCTION, {"bids": ["agree"]}, "'agree' is not legal as number 1"),
    ("illegal later", AUCTION, {"bids": ["pass", "pass", "accept"]}, "'accept' is not legal as number 3"),
    ("turned suit", FIRST_LEAD, {"bids": ["pass", "pass", "pass", "name H"]}, "'name H' is not legal"),
    ("bid after the end", FIRST_LEAD, {"bids": ["accept", "pass"]}, "'pass' is not legal as number 2"),
    ("other seat", AUCTION, {"to_act": 1}, "after these bids it is 'bid' of seat 0"),
    ("other question", AUCTION, {"phase": "answer"}, "'answer' of seat 0, but after these bids it is 'bid'"),
    ("over", AUCTION, {"bids": ["accept"], "to_act": 1}, "after these bids the auction is over"),
    ("annulled", AUCTION, {"bids": ["propose", "agree"]}, "after these bids the auction is over"),
    ("not over", FIRST_LEAD, {"bids": ["pass", "pass"]}, "the auction is not over"),
    ("annulled, yet played", FIRST_LEAD, {"bids": ["propose", "agree"]}, "or the deal is annulled"),
    ("another taker", FIRST_LEAD, {"bids": ["pass", "accept"]}, "by the bids seat 1 has taken H"),
    ("another trump", FIRST_LEAD, {"bids": ["accept"], "trump": "S"}, "by the bids seat 0 has taken H"),
    ("no trump", FIRST_LEAD, {"trump": None}, "after the auction both must be named"),
    ("no taker", FIRST_LEAD, {"taker": None}, "after the auction both must be named"),
    # exchange and announcements
    ("no seven", FIRST_LEAD, {"phase": "exchange"}, "seat 0 has no seven of trumps"),
    (
        "another suit",
        FIRST_LEAD,
        {"phase": "exchange", "to_act": 1, "trump": "D"},
        "no seven of trumps that it may",
    ),
    ("exchange is off", {**EXCHANGED, "rules": "swiss"}, {}, "the rules know no exchange"),
    ("the seven lies there", {**EXCHANGED, "turn_up": "KH"}, {}, "turn_up: after an exchange it is 7H"),
    ("which card", EXCHANGED, {"turned": None}, "turned: the card that seat 1 got for the seven"),
    ("a plain card", EXCHANGED, {"turned": "8D"}, "it is a trump in its hand"),
    ("the other seat has it", EXCHANGED, {"exchanged": 0}, "turned: the card that seat 0 got"),
    ("nobody exchanged", FIRST_LEAD, {"turned": "9H"}, "turned: without an exchange"),
    (
        "nothing to announce",
        FIRST_LEAD,
        {"phase": "announce", "to_act": 1},
        "seat 1 was dealt nothing to announce",
    ),
    ("nothing was there", FIRST_LEAD, {"announced": [0, 1]}, "seat 1 was dealt nothing to announce"),
    ("announced what", FIRST_LEAD, {"announced": [2, 0]}, "announced: [2, 0] must say of each seat"),
    ("before the auction", AUCTION, {"announced": [1, 0]}, "seat 0 cannot have announced"),
    (
        "the dealer before elder",
        FIRST_LEAD,
        {"phase": "announce", "announced": [0, 1]},
        "cannot have announced",
    ),
    (
        "tricks before",
        PAIR,
        {"phase": "announce"},
        "before the first lead (phase 'announce') no trick is won",
    ),
    # play
    ("the dealer leads", FIRST_LEAD, {"to_act": 1}, "elder leads to the first trick"),
    ("no pair", FIRST_LEAD, {"pair_said": [1, 0]}, "pair_said: 1 of seat 0 is not possible"),
    ("no card of it played", PAIR, {"pair_said": [1, 0]}, "a word goes with a card of them"),
    ("two words of one", PAIR, {"pair_said": [2, 0], "saying": True}, "at most 1"),
    ("two words at once", PAIR, {"pair_said": [2, 0], "saying": True, "rules": BOTH}, "at most 2"),
    ("less than none", PAIR, {"pair_said": [-1, 0]}, "pair_said: -1"),
    ("nothing was said", PAIR, {"saying": True}, "saying: a card of the pair follows its word"),
    (
        "no card of it may be played",
        PAIR,
        {
            "to_act": 1,
            "hands": [["9S", "8C"], ["KH", "QH", "7S"]],
            "trick": [[0, "8S"]],
            "pair_said": [0, 1],
            "saying": True,
        },
        "no card of the pair of seat 1 may be played",
    ),
]


@pytest.mark.parametrize(
    ("base", "keys", "words"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED]
)
def test_what_cannot_be_is_refused(base: dict[str, Any], keys: dict[str, Any], words: str) -> None:
    with pytest.raises(PositionError) as error:
        at(base, **keys)
    assert words in str(error.value)


@pytest.mark.parametrize("key", ["hands", "to_act"])
def test_what_must_be_there(key: str) -> None:
    with pytest.raises(PositionError, match=f"lacks the key '{key}'"):
        Game.from_position({name: value for name, value in FIRST_LEAD.items() if name != key})


def test_positions_of_this_file_are_possible() -> None:
    """Each refusal above changes one thing of a position that stands."""
    for base in (AUCTION, FIRST_LEAD, LATE, EXCHANGED, PAIR):
        assert beside_tricks(at(base)) == []
