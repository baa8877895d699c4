"""The auction of two-handed Belote: sections 2.2 and 3.1, D44 and D45, clause by clause.

All complete auctions are enumerated through :class:`Game`. Seat 0 is elder, seat 1 deals, and 8H is turned up
(so the suits to name are S, D and C).
"""

from __future__ import annotations

from typing import Any

import pytest

from bezique_env.engine.version import ENGINE_VERSION
from bezique_env.game import Game, IllegalAction
from tests.rules.belote_setup import auctions, contract, deal, deck, legal, looks_alike, play_out, run, taken

NAMED = {"r2_elder_actions": "named"}
RESPONDER = {"schmeiss_refused_makes": "responder"}
DEALER_PROPOSES = {"r2_dealer_may_propose": True}
FORCED = {"all_pass": "dealer_forced"}
NO_SCHMEISS = {"schmeiss": "off", **NAMED}
HOYLE = {**NAMED, **DEALER_PROPOSES, **RESPONDER}

# How an auction ends: who takes it with which trump, or who deals again.
ELDER_DEALS, DEALER_DEALS = "elder deals again", "dealer deals again"

LITERAL: dict[str, Any] = {
    "accept": (0, "H"),
    "propose agree": DEALER_DEALS,
    "propose refuse": (0, "H"),
    "pass accept": (1, "H"),
    "pass propose agree": DEALER_DEALS,
    "pass propose refuse": (1, "H"),
    "pass pass propose agree": DEALER_DEALS,
    "pass pass propose refuse name S": (0, "S"),
    "pass pass propose refuse name D": (0, "D"),
    "pass pass propose refuse name C": (0, "C"),
    "pass pass pass name S": (1, "S"),
    "pass pass pass name D": (1, "D"),
    "pass pass pass name C": (1, "C"),
    "pass pass pass pass": ELDER_DEALS,
}
"""The table of section 2.2, path by path."""
ELDER_NAMES: dict[str, Any] = {f"pass pass name {s}": (0, s) for s in "SDC"}
DEALER_PROPOSED: dict[str, Any] = {
    "pass pass pass propose agree": DEALER_DEALS,
    **{f"pass pass pass propose refuse name {s}": (1, s) for s in "SDC"},
}


def outcomes(**keys: Any) -> dict[str, Any]:
    """All complete auctions of a deal from the seed, and how each ends."""
    found = {}
    # A deck that was set would not be dealt again; this seed turns up a heart.
    game = Game("belote", seed=2, dealer=1, **keys)
    assert game.turn_up is not None
    assert game.turn_up[1] == "H"
    for path, after in auctions(game):
        view = after.view(0)
        if after.deals:
            assert view.bids == [], "the new hand begins with an auction of its own"
            found[" ".join(path)] = ELDER_DEALS if after.dealer == 0 else DEALER_DEALS
        else:
            assert view.bids == list(path)
            found[" ".join(path)] = (view.taker, after.trump)
    return found


def without(table: dict[str, Any], *words: str) -> dict[str, Any]:
    """The auctions in which no action of this name is taken."""
    return {path: end for path, end in table.items() if not set(path.split()) & set(words)}


# ----------------------------------------------------------------------------------------- all the auctions


def test_fourteen_auctions_by_the_letter() -> None:
    """1 accept; 2 after propose; 1 + 2 for the dealer; 1 + 3 after elder's proposal; 3 + 1 for the dealer."""
    assert len(LITERAL) == 14
    assert outcomes() == LITERAL


def test_seventeen_auctions_where_elder_names() -> None:
    found = outcomes(overrides=NAMED)
    assert len(found) == 17
    assert found == LITERAL | ELDER_NAMES


def test_twenty_one_where_the_dealer_proposes_too() -> None:
    """1 agree and 3 names after a refusal more: 17 + 4 with named, 14 + 4 without."""
    found = outcomes(overrides={**NAMED, **DEALER_PROPOSES})
    assert len(found) == 21
    assert found == LITERAL | ELDER_NAMES | DEALER_PROPOSED
    assert len(outcomes(overrides=DEALER_PROPOSES)) == 18


def test_hoyle_makes_the_one_who_refused_the_taker_in_round_1() -> None:
    """A5: UMICH. A refused proposal of round 2 still makes its proposer name (D44)."""
    found = outcomes(rules="hoyle")
    changed = {"propose refuse": (1, "H"), "pass propose refuse": (0, "H")}
    assert found == LITERAL | ELDER_NAMES | DEALER_PROPOSED | changed
    assert outcomes(overrides=HOYLE) == found == outcomes(rules="bicycle")


def test_nine_without_proposals() -> None:
    """Accept, or the dealer's accept; elder names one of 3; the dealer names one of 3 or passes."""
    found = outcomes(overrides=NO_SCHMEISS)
    assert len(found) == 9
    assert found == without(LITERAL | ELDER_NAMES, "propose")
    assert outcomes(rules="swiss") == found


@pytest.mark.parametrize(
    ("options", "number"), [({}, 13), (NAMED, 16), ({**NAMED, **DEALER_PROPOSES}, 20), (NO_SCHMEISS, 8)]
)
def test_one_auction_less_where_the_dealer_is_forced(options: dict[str, Any], number: int) -> None:
    """HR23: only the last pass is gone; with a proposal allowed he may still propose."""
    free, forced = outcomes(overrides=options), outcomes(overrides={**options, **FORCED})
    assert len(forced) == number
    assert free.pop("pass pass pass pass") == ELDER_DEALS
    assert forced == free


def test_agreed_proposals_move_the_deal_by_option() -> None:
    """A3: PARLETT. All passed always moves it."""
    ends = outcomes(overrides={**NAMED, **DEALER_PROPOSES, "accepted_redeal_dealer": "next"})
    assert {ends[path] for path in ends if path.endswith("agree")} == {ELDER_DEALS}
    assert ends["pass pass pass pass"] == ELDER_DEALS
    assert sum(path.endswith("agree") for path in ends) == 4


@pytest.mark.parametrize("turn_up", ["8S", "JH", "AD", "7C"])
def test_the_turned_suit_is_never_named(turn_up: str) -> None:
    """2.2: name(suit other than T), whatever T is; accepting makes it trump."""
    found = {path: after.trump for path, after in auctions(deal(turn_up=turn_up, overrides=NAMED))}
    suits = [s for s in "SHDC" if s != turn_up[1]]
    assert [path[-1] for path in found if path[:-1] == ("pass", "pass")] == [f"name {s}" for s in suits]
    assert all(trump == path[-1][-1] for path, trump in found.items() if path[-1].startswith("name"))
    assert found["accept",] == turn_up[1]


# ----------------------------------------------------------------------------------- who bids, and how


@pytest.mark.parametrize("dealer", [0, 1])
def test_elder_bids_first_and_seats_take_turns(dealer: int) -> None:
    game = deal(dealer=dealer)
    seats = []
    for action in ("pass", "pass", "propose", "refuse", "name C"):
        seats.append(game.seat_to_act)
        game.apply(action)
    elder = 1 - dealer
    assert seats == [elder, dealer, elder, dealer, elder]
    assert game.view(0).taker == elder


def test_what_each_seat_is_asked() -> None:
    """The states of section 2.2 with their actions."""
    game = deal()
    assert (game.phase, legal(game)) == ("bid", ["accept", "pass", "propose"])
    answering = game.clone()
    answering.apply("propose")
    assert (answering.phase, answering.seat_to_act) == ("answer", 1)
    assert legal(answering) == ["agree", "refuse"]
    game.apply("pass")
    assert (game.seat_to_act, legal(game)) == (1, ["accept", "pass", "propose"])
    game.apply("pass")
    assert (game.seat_to_act, legal(game)) == (0, ["pass", "propose"])
    assert game.view(0).auction_round == 2
    naming = game.clone()
    run(naming, "propose", "refuse")
    assert (naming.phase, naming.seat_to_act, naming.view(1).naming) == ("bid", 0, True)
    assert legal(naming) == ["name S", "name D", "name C"]
    game.apply("pass")
    assert (game.seat_to_act, legal(game)) == (1, ["pass", "name S", "name D", "name C"])


def test_the_auction_is_public() -> None:
    """Section 11: passes of the auction are seen by both, here as bids and in the information texts."""
    for bids in (["pass", "pass", "propose"], ["propose"], ["pass"]):
        game = deal()
        run(game, *bids)
        for seat in (0, 1):
            assert game.view(seat).bids == bids
            lines = game.information_text(seat).splitlines()
            assert lines[2:-1] == [f"{k % 2} {bid}" for k, bid in enumerate(bids)]


def test_six_cards_before_and_nine_after() -> None:
    """2.1, 2.3, D46: packets of three, elder first; the turn-up is card 13; three more each, elder first."""
    order = deck()
    game = Game("belote", deck=order, dealer=1)
    assert [sorted(game.hand(s)) for s in (0, 1)] == [
        sorted(order[0:3] + order[6:9]),
        sorted(order[3:6] + order[9:12]),
    ]
    assert game.turn_up == order[12]
    assert game.view(0).bottom is None
    game.apply("accept")
    assert [sorted(game.hand(s)) for s in (0, 1)] == [
        sorted(order[0:3] + order[6:9] + order[13:16]),
        sorted(order[3:6] + order[9:12] + order[16:19]),
    ]
    assert [game.view(s).bottom for s in (0, 1)] == [order[31], order[31]], "shown to both (A29)"
    assert game.turn_up == order[12], "it stays out of play beside the pack"


def test_elder_leads_whoever_took_it() -> None:
    """2.7."""
    for taker in (0, 1):
        for trump in "HS":
            game = taken("", "", trump=trump, taker=taker)
            assert (game.phase, game.seat_to_act) == ("lead", 0)


# ---------------------------------------------------------------------------------------------- new deals


def new_deal(**keys: Any) -> Game:
    return Game("belote", seed=2, dealer=1, **keys)


AGREED = ("propose", "agree")
PASSED = ("pass", "pass", "pass", "pass")


def test_a_new_deal_is_part_of_the_same_episode() -> None:
    """Section 11: not an episode of its own; the deal starts again from the same random stream."""
    game = new_deal()
    first = game.deals
    run(game, *AGREED)
    assert first == []
    assert not game.is_over
    assert (game.episode, game.phase, game.seat_to_act) == ("deal", "bid", 0)
    view = game.view(0)
    assert (view.redeals, view.deal_number) == (1, 1)
    assert view.scores == (0, 0)
    run(game, *PASSED)
    assert (game.dealer, game.seat_to_act) == (0, 1), "two rounds of passes move the deal"
    assert game.view(0).redeals == 2
    run(game, "accept")
    play_out(game)
    assert game.is_over
    record = game.to_record()
    assert [entry["scores"] for entry in record["deals"][:2]] == [[0, 0], [0, 0]]
    assert [entry["dealer"] for entry in record["deals"]] == [1, 1, 0]
    assert [len(entry["actions"]) for entry in record["deals"][:2]] == [2, 4]
    assert record["engine_version"] == ENGINE_VERSION
    assert Game.replay(record).to_record() == record


def test_every_hand_has_a_deck_of_its_own() -> None:
    game = new_deal(episode="match")
    for _ in range(12):
        run(game, *AGREED)
    decks = {tuple(entry["deck"]) for entry in game.deals}
    assert len(decks) == 12
    for cards in decks:
        assert len(set(cards)) == 32


def test_the_same_seed_gives_the_same_bytes() -> None:
    """Through new deals of both kinds, and from there on; another seed does not."""
    script = (*AGREED, *PASSED, "pass", *AGREED, "accept")

    def played(seed: int) -> bytes:
        game = Game("belote", seed=seed, dealer=1, episode="match")
        run(game, *script)
        assert game.view(0).redeals == 3
        play_out(game, 2)
        state: bytes = game.state.tobytes()
        return state

    assert played(2) == played(2)
    assert played(2) != played(4)


def test_the_third_hand_is_the_same_whatever_annulled_the_two_before() -> None:
    """D45: the deck comes from the seed and the number of the hand alone, not from what was bid."""
    one, other = new_deal(), new_deal()
    run(one, *AGREED, *AGREED)
    run(other, *PASSED, *PASSED)
    assert one.state["deck"].tobytes() == other.state["deck"].tobytes()


def test_hands_that_were_thrown_in_stay_hidden() -> None:
    """What the other seat held in an annulled hand is never told: two such games look alike to elder."""
    order = deck("AKS 9H", "AKC 9D")
    changed = list(order)
    changed[3], changed[16] = changed[16], changed[3]  # a card of the dealer's six, one never dealt then
    games = [Game("belote", deck=cards, dealer=1, seed=5, episode="match") for cards in (order, changed)]
    for game in games:
        run(game, *AGREED)
    assert looks_alike(*games, 0)
    assert not looks_alike(*games, 1)


@pytest.mark.parametrize("script", [AGREED, PASSED])
@pytest.mark.parametrize("episode", ["deal", "match"])
def test_no_deal_is_dealt_again_more_often_than_max_redeals(script: tuple[str, ...], episode: str) -> None:
    """A28: after that it ends 0 : 0, and a match with it."""
    game = new_deal(episode=episode, overrides={"max_redeals": 2})
    for number in range(2):
        run(game, *script)
        assert not game.is_over
        assert game.view(0).redeals == number + 1
    run(game, *script)
    assert game.is_over
    assert (game.scores, game.match_scores, game.returns(), game.returns("win")) == ((0, 0),) * 4
    assert game.view(0).winner == -1
    assert game.seat_to_act == -1
    record = game.to_record()
    assert len(record["deals"]) == 3
    assert Game.replay(record).to_record() == record


def test_without_redeals_the_first_annulled_hand_ends_it() -> None:
    game = new_deal(overrides={"max_redeals": 0})
    run(game, *AGREED)
    assert game.is_over
    assert game.deals == []


def test_the_limit_counts_each_deal_by_itself() -> None:
    """Two new deals, a deal that is played, and again two: nothing ends before the third in a row."""
    game = new_deal(episode="match", overrides={"max_redeals": 2, "target": 100_000})
    for _ in range(2):
        run(game, *AGREED, *AGREED, "accept")
        assert game.view(0).redeals == 2
        play_out(game)
        assert not game.is_over
        assert game.view(0).redeals == 0, "counted anew"
    run(game, *AGREED, *AGREED, *AGREED)
    assert game.is_over


def test_a_match_that_the_limit_ends_is_won_by_the_higher_total() -> None:
    for scores, winner in (([120, 80], 0), ([80, 120], 1), ([90, 90], -1)):
        game = Game.from_position(
            {
                "variant": "belote",
                "rules": {"overrides": {"max_redeals": 0}},
                "phase": "bid",
                "to_act": 0,
                "dealer": 1,
                "turn_up": "8H",
                "hands": [["7S", "9S", "JS", "7D", "9D", "JD"], ["8S", "TS", "QS", "8D", "TD", "QD"]],
                "match_scores": scores,
                "episode": "match",
            }
        )
        run(game, *AGREED)
        assert game.is_over
        assert game.view(0).winner == winner
        assert game.match_scores == tuple(scores)
        difference = scores[0] - scores[1]
        assert game.returns() == (difference, -difference)
        sign = (difference > 0) - (difference < 0)
        assert game.returns("settlement") == game.returns("win") == (sign, -sign)


@pytest.mark.parametrize("script", [AGREED, PASSED])
def test_a_given_deck_is_not_dealt_again(script: tuple[str, ...]) -> None:
    """Section 11: with an injected deck the deal ends with 0 : 0, and so does its episode."""
    game = deal()
    run(game, *script)
    assert game.is_over
    assert (game.scores, game.returns(), game.returns("settlement"), game.returns("win")) == ((0, 0),) * 4
    record = game.to_record()
    assert record["deals"][0]["given"] is True
    assert Game.replay(record).to_record() == record


@pytest.mark.parametrize(
    ("script", "options", "dealer"),
    [(AGREED, {}, 1), (AGREED, {"accepted_redeal_dealer": "next"}, 0), (PASSED, {}, 0)],
)
def test_a_given_deck_in_a_match(script: tuple[str, ...], options: dict[str, Any], dealer: int) -> None:
    """The deal ends 0 : 0 and the next follows, with a deck from the seed and the dealer that the rule says."""
    game = deal(episode="match", seed=9, overrides=options)
    run(game, *script)
    assert not game.is_over
    assert game.dealer == dealer
    assert (game.phase, game.seat_to_act) == ("bid", 1 - dealer)
    assert [(entry["scores"], entry.get("given")) for entry in game.deals] == [([0, 0], True)]
    assert (game.view(0).redeals, game.view(0).deal_number) == (0, 1)
    fresh = Game("belote", seed=9, dealer=1)
    run(fresh, *AGREED)
    assert game.state["deck"].tobytes() == fresh.state["deck"].tobytes(), "the second deck of this seed"
    run(game, *AGREED)
    assert game.view(0).redeals == 1, "the deck from the seed is dealt again as ever"
    record = game.to_record()
    assert [entry.get("given") for entry in record["deals"]] == [True, None, None]
    assert Game.replay(record).to_record() == record


def test_a_played_deal_moves_the_dealer_whoever_dealt_last() -> None:
    """2.1: the deal alternates; an agreed new deal stays with its dealer, then the other one deals."""
    game = new_deal(episode="match", overrides={"target": 100_000})
    run(game, *AGREED, "accept")
    assert game.dealer == 1
    play_out(game)
    assert game.dealer == 0
    run(game, *PASSED, "accept")
    assert game.dealer == 1
    play_out(game)
    assert game.dealer == 0


def test_what_is_no_action_of_the_auction_is_refused() -> None:
    game = deal()
    for text in ("agree", "refuse", "name S", "exchange", "announce", "belote", "play 7S"):
        with pytest.raises(IllegalAction):
            game.apply(text)
    contract(game, "H", 0)
    for text in ("accept", "propose", "agree", "refuse", "name S", "pass"):
        with pytest.raises(IllegalAction):
            game.apply(text)
