"""What a seat may know in Belote: passes of the auction, but no silence after it; honest samples of the rest."""

from __future__ import annotations

import functools
import itertools
import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bezique_env.game import Game
from bezique_env.rules.belote.cards import CARDS
from tests.test_information import checked_twin, differing, seen
from tests.worlds import chi_square
from tests.worlds_belote import LOOKS, new_game, pick, sample, samples, worlds

Setting = tuple[str, dict[str, Any]]
SETTINGS: list[Setting] = [
    ("two_handed", {}),
    ("hoyle", {"seq_length_breaks_tie": True, "run_values": "20/40/50"}),
    ("bicycle", {}),
    ("bicycle", {"show_winning_sequences": False, "exchange_window": "until_first_lead"}),
    ("swiss", {}),
    ("swiss", {"show_winning_sequences": False, "seq_length_breaks_tie": True, "run_tie": "elder_wins"}),
    ("two_handed", {"four_of_a_kind": "french", "run_tie": "elder_wins", "announce_needs_trick": True}),
    ("two_handed", {"exchange_window": "until_first_lead", "exchange_seven_from": "first6"}),
    ("two_handed", {"belote_auto": True, "exchange_seven_from": "first6", "run_tie": "elder_wins"}),
    ("hoyle", {"belote_call_deadline": "first_card", "show_winning_sequences": False}),
    ("two_handed", {"belote_call_deadline": "both_words", "all_pass": "dealer_forced"}),
]
NUMBERS = range(len(SETTINGS))


def states(setting: Setting, seed: int, share: float, look: str = "none") -> Iterator[Game]:
    """Random states of one deal, always with its last one and with those in which something may stay unsaid."""
    rng = np.random.default_rng(seed)
    game = new_game(*setting, seed, look)
    while not game.is_over:
        if rng.random() < share or game.phase in ("exchange", "announce"):
            yield game
        game.apply(pick(game, rng))
    yield game


def hidden(game: Game, seat: int) -> tuple[list[str], bytes]:
    """What a seat cannot see of a game."""
    return game.hand(1 - seat), game.state["deck"].tobytes()


# ------------------------------------------------------------------------------------- no leak, nothing lost


def check_twin(game: Game, seat: int, seed: int) -> bool:
    """Whether a game that looks the same to a seat hides something else from it."""
    return hidden(game, seat) != hidden(checked_twin(game, seat, seed), seat)


@pytest.mark.parametrize("number", NUMBERS)
def test_two_worlds_that_a_seat_cannot_tell_apart_look_the_same(number: int) -> None:
    changed = 0
    for k, look in enumerate(LOOKS):
        for count, game in enumerate(states(SETTINGS[number], 10 * number + k, 0.2, look)):
            for seat in (0, 1):
                changed += check_twin(game, seat, count)
    assert changed > 20, "the worlds must differ for this test to say anything"


@pytest.mark.slow
@pytest.mark.parametrize("number", NUMBERS)
def test_two_worlds_over_many_states(number: int) -> None:
    for seed in range(100, 140):
        for count, game in enumerate(states(SETTINGS[number], seed, 0.3, LOOKS[seed % len(LOOKS)])):
            for seat in (0, 1):
                check_twin(game, seat, count)


def test_two_worlds_in_a_match_with_hands_dealt_again() -> None:
    """Earlier hands of the match, annulled ones too, are remembered; the hidden part of them is not seen."""
    redealt = 0
    for seed in range(3):
        rng = np.random.default_rng(seed)
        game = Game("belote", rules="hoyle", overrides={"target": 150}, seed=seed, episode="match")
        while not game.is_over:
            if rng.random() < 0.03:
                for seat in (0, 1):
                    check_twin(game, seat, seed)
            bidding = game.phase in ("bid", "answer")
            game.apply(int(rng.choice(game.legal_actions())) if bidding else pick(game, rng))
        redealt += sum(deal["actions"][-1][1] in ("agree", "pass") for deal in game.deals)
    assert redealt > 0


def laid(elder: str, dealer: str, turn_up: str, bottom: str) -> list[str]:
    """A deck from the nine cards of each seat as they are dealt; seat 0 is elder."""
    first, second = elder.split(), dealer.split()
    named = [*first, *second, turn_up, bottom]
    rest = [rank + suit for suit in "SHDC" for rank in "789TJQKA" if rank + suit not in named]
    assert len({*named, *rest}) == 32
    return [
        *first[:3],
        *second[:3],
        *first[3:6],
        *second[3:6],
        turn_up,
        *first[6:],
        *second[6:],
        *rest,
        bottom,
    ]


def played(deck: list[str], *texts: str, preset: str = "two_handed", **overrides: Any) -> Game:
    """A game of seat 1's deal after some actions."""
    game = Game("belote", rules=preset, overrides=overrides, deck=deck, dealer=1)
    for text in texts:
        game.apply(text)
    return game


# Hearts are turned; elder is seat 0. The hands differ in one card of elder's, which then lies in the pack.
DEALER = "8C 9D TC JH QC KD 8D JD QS"
WITH_SEVEN = laid("7H TS AD 9C AS TD 8S KC QH", DEALER, "9H", "7S")
NO_SEVEN = laid("8H TS AD 9C AS TD 8S KC QH", DEALER, "9H", "7S")
WITH_RUN = laid("7D TS AD 9C AS TD 9S 8S QH", DEALER, "AH", "7S")
NO_RUN = laid("7D TS AD 9C AS TD 9S KC QH", DEALER, "AH", "7S")
WITH_PAIR = laid("KH TS AD 9C AS TD 9S KC QH", DEALER, "AH", "7S")
NO_PAIR = laid("TH TS AD 9C AS TD 9S KC QH", DEALER, "AH", "7S")


def test_not_exchanging_looks_like_holding_no_seven() -> None:
    could, could_not = played(WITH_SEVEN, "accept"), played(NO_SEVEN, "accept")
    assert (could.phase, could.seat_to_act, could_not.phase) == ("exchange", 0, "lead")
    could.apply("pass")
    assert differing(seen(could, 1), seen(could_not, 1)) == []
    for game in (could, could_not):
        for text in ("play QH", "play JH", "play 8D", "play TD"):
            game.apply(text)
    assert differing(seen(could, 1), seen(could_not, 1)) == []
    assert "0 pass" in could.information_text(0)


def test_not_announcing_looks_like_holding_nothing() -> None:
    could, could_not = played(WITH_RUN, "accept"), played(NO_RUN, "accept")
    assert (could.phase, could.seat_to_act, could_not.phase) == ("announce", 0, "lead")
    could.apply("pass")
    assert differing(seen(could, 1), seen(could_not, 1)) == []


def test_a_dealer_who_says_good_says_no_more() -> None:
    """Nothing held, passed, or announced and lower: elder hears the same (section 2.4)."""
    elder = "7S 8S 9S TS 7D TD 9H AD 7C"
    runs = "8C TC JH QC KD QH 9D JC AS"  # 10 J Q of clubs, 20 points against elder's 50
    nothing = "8C TC JH QC KD QH 9D KC AS"
    games = [played(laid(elder, hand, "AH", "8D"), "accept", "announce") for hand in (runs, runs, nothing)]
    announced, passed, none = games
    assert [game.phase for game in games] == ["announce", "announce", "lead"]
    announced.apply("announce")
    passed.apply("pass")
    assert announced.scores == (50, 0)
    assert differing(seen(announced, 0), seen(none, 0)) == []
    assert differing(seen(passed, 0), seen(none, 0)) == []
    assert differing(seen(announced, 1), seen(passed, 1)) == ["information"], "the dealer knows what he did"


def test_not_saying_the_pair_looks_like_not_holding_it() -> None:
    games = [played(deck, "accept") for deck in (WITH_PAIR, NO_PAIR)]
    says = [[game.action_text(action) for action in game.legal_actions()] for game in games]
    assert ["belote" in texts for texts in says] == [True, False]
    for text in ("", "play QH", "play JH"):
        for game in games if text else ():
            game.apply(text)
        assert differing(seen(games[0], 1), seen(games[1], 1)) == []


def test_under_belote_auto_a_pair_that_is_not_said_is_not_held() -> None:
    """The announcement makes itself, so its absence is seen: king or queen alone has no partner in the hand."""
    game = played(NO_PAIR, "accept", "play QH", belote_auto=True)
    assert not any("KH" in hand for hand in hands(game, 1, 300))
    manual = played(NO_PAIR, "accept", "play QH")
    assert any("KH" in hand for hand in hands(manual, 1, 300)), (
        "where it is said by choice, silence tells nothing"
    )


def hands(game: Game, seat: int, count: int) -> list[list[str]]:
    """Hands of the other seat in resampled games."""
    return [game.resample(seat, seed).hand(1 - seat) for seed in range(count)]


@pytest.mark.parametrize(
    ("texts", "preset"),
    [(["pass"], "two_handed"), (["propose"], "two_handed"), (["pass", "pass", "pass"], "hoyle")],
)
def test_the_auction_is_heard(texts: list[str], preset: str) -> None:
    before, after = played(WITH_RUN, preset=preset), played(WITH_RUN, *texts, preset=preset)
    for seat in (0, 1):
        assert after.view(seat).to_dict()["bids"] == texts
        assert set(differing(seen(before, seat), seen(after, seat))) >= {
            "view",
            "record",
            "observation",
            "ansi",
        }
        for k, text in enumerate(texts):
            assert f"{k % 2} {text}" in after.information_text(seat), "a pass of the auction is public"


VISIBLE: list[tuple[str, list[str], list[str], dict[str, Any]]] = [
    # seat 1 sees: elder exchanges, announces, says the pair, or does not
    ("exchange", ["accept", "exchange"], ["accept", "pass"], {}),
    ("card", ["accept", "pass", "play TS"], ["accept", "pass", "play AD"], {}),
    ("trump", ["pass", "pass", "pass", "name S"], ["pass", "pass", "pass", "name D"], {}),
]


@pytest.mark.parametrize(("name", "one", "two", "overrides"), VISIBLE)
def test_what_is_done_openly_is_seen(
    name: str, one: list[str], two: list[str], overrides: dict[str, Any]
) -> None:
    first, second = (played(WITH_SEVEN, *texts, **overrides) for texts in (one, two))
    for seat in (0, 1):
        assert set(differing(seen(first, seat), seen(second, seat))) >= {
            "view",
            "record",
            "observation",
            "information",
            "ansi",
        }, name


def test_an_announcement_and_the_pair_are_heard() -> None:
    for deck, word, before in ((WITH_RUN, "announce", ["accept"]), (WITH_PAIR, "belote", ["accept"])):
        said = played(deck, *before, word)
        silent = played(deck, *before, *(["pass"] if word == "announce" else []))
        for game in (said, silent):
            game.apply("play QH")
        assert len(differing(seen(said, 1), seen(silent, 1))) >= 5


def test_what_was_said_of_equal_sequences_is_heard() -> None:
    """Elder has 8 9 10 J for 50; each answer of the dealer sounds different, and "good" tells nothing."""
    elder = "8S 9S TS JS 7D KD 7H AD AC"
    answers = {
        "higher value": "8C 9C TC JC QC 8H QS QD 9D",
        "higher top": "TC JC QC KC 9D JH 8H QS QD",
        "same top": "8C 9C TC JC KC 9D 8H QS QD",
        "same top, of trumps": "8H 9H TH JH 9D KC KS QS QD",
        "lower top": "7C 8C 9C TC KC 9D JH QS QD",
        "good": "8C 9C TC KC 9D JH 8H QS QD",
    }
    shown = {}
    for name, hand in answers.items():
        game = played(
            laid(elder, hand, "AH", "8D"), "accept", "announce", run_values="20/50/100", exchange_seven="off"
        )
        while game.phase == "announce":
            game.apply("announce")
        shown[name] = seen(game, 0)
    for first, second in itertools.combinations(shown, 2):
        assert len(differing(shown[first], shown[second])) >= 5, (first, second)


@pytest.mark.parametrize("number", NUMBERS)
def test_views_that_differ_have_different_observations(number: int) -> None:
    by_row: dict[bytes, str] = {}
    for seed in range(20):
        for game in states(SETTINGS[number], seed, 1.0, LOOKS[seed % len(LOOKS)]):
            for seat in (0, 1):
                view = json.dumps(own_side(game, seat))
                row = game.observation(seat).tobytes()
                assert by_row.setdefault(row, view) == view
    assert len(by_row) > 500


def own_side(game: Game, seat: int) -> dict[str, Any]:
    """The view with seats renamed as seen from the seat (0 is me), as the observation has it."""
    data = game.view(seat).to_dict()
    if seat == 0:
        return data
    for name in (
        "known",
        "concealed",
        "absent",
        "played",
        "won",
        "tricks",
        "pair_said",
        "scores",
        "match_scores",
    ):
        data[name] = data[name][::-1]
    for name in ("to_act", "dealer", "leader", "taker", "exchanged", "winner"):
        if data[name] in (0, 1):
            data[name] = 1 - data[name]
    for item in data["announcements"]:
        if item["winner"] in (0, 1):
            item["winner"] = 1 - item["winner"]
    data["trick"] = [[1 - s, card] for s, card in data["trick"]]
    data["seat"] = 0
    return data


@pytest.mark.parametrize("number", NUMBERS)
def test_perfect_recall(number: int) -> None:
    """What a seat has seen it never forgets: each information text continues the earlier ones."""
    for seed in (number, number + 50):
        before = [[""], [""]]
        for game in states(SETTINGS[number], seed, 0.6, LOOKS[seed % len(LOOKS)]):
            for seat in (0, 1):
                lines = game.information_text(seat).splitlines()
                assert [*lines[: len(before[seat]) - 1], before[seat][-1]] == before[seat] or (
                    lines[: len(before[seat]) - 1] == before[seat][:-1]
                )
                before[seat] = lines


# ------------------------------------------------------------------------------------------------- resample


@pytest.mark.parametrize("number", NUMBERS)
def test_resample_never_reads_the_truth_and_repeats(number: int) -> None:
    """Called on games that look alike to the seat, the same seed gives the same game, byte for byte."""
    for k, look in enumerate(LOOKS):
        for count, game in enumerate(states(SETTINGS[number], 20 * number + k, 0.2, look)):
            for seat in (0, 1):
                first, second = game.resample(seat, 2 * count), game.resample(seat, 2 * count + 1)
                for seed in (0, 7, 2**63):
                    a, b, c = (g.resample(seat, seed) for g in (game, first, second))
                    assert a._games.tobytes() == b._games.tobytes() == c._games.tobytes()
                    assert a.view(seat).record.tobytes() == game.view(seat).record.tobytes()


def test_resample_varies_and_is_no_likelier_to_give_the_truth() -> None:
    game = new_game("two_handed", {}, 9, "none")
    twins = [hidden(game.resample(0, seed), 0) for seed in range(200)]
    assert len({deck for _, deck in twins}) == 200, "so many cards never lie alike twice in 200 samples"
    assert len({tuple(hand) for hand, _ in twins}) > 195
    assert hidden(game, 0) not in twins


@pytest.mark.parametrize("number", NUMBERS)
def test_resample_can_be_played_on(number: int) -> None:
    """A twin is a whole game: it is played to its end, and its record gives the same state again."""
    rng = np.random.default_rng(number)
    for k, look in enumerate(LOOKS):
        for count, game in enumerate(states(SETTINGS[number], 30 * number + k, 0.1, look)):
            for seat in (0, 1):
                twin = game.resample(seat, count)
                while not twin.is_over:
                    twin.apply(pick(twin, rng))
                again = Game.replay(json.dumps(twin.to_record()))
                for name in twin._games.dtype.names or ():
                    # A twin knows neither the number of decisions, nor what is of no more use for its play.
                    if name not in ("steps", "announced", "seed") and not name.startswith("ev_"):
                        assert again._games[name].tobytes() == twin._games[name].tobytes(), name


# --------------------------------------------------------------------------------- frequencies, by enumeration


def check_frequencies(game: Game, seat: int, count: int) -> dict[Any, float]:
    """Hold resampling against every world that explains the game so far."""
    deal = game.to_record()["deals"][0]
    actions = [game.action_id(text) for _, text in deal["actions"]]
    expected = worlds(game.rules, deal["deck"], deal["dealer"], actions, seat)
    assert chi_square(expected, sample(game, seat, count)) > 1e-5
    return expected


def late(setting: Setting, seed: int, look: str, rng: np.random.Generator) -> Game | None:
    """A game somewhere after five tricks, None when it ended before; in some the pair is kept until then."""
    game = new_game(*setting, seed, look)
    keep = rng.random() < 0.4
    while not game.is_over:
        if sum(game.state["tricks"]) >= 5 and rng.random() < 0.35:
            return game
        pair = [f"play {rank}{game.trump}" for rank in "KQ"] + ["belote"]
        others = [action for action in game.legal_actions() if game.action_text(action) not in pair]
        early = keep and game.phase in ("lead", "follow") and sum(game.state["tricks"]) < 5
        game.apply(int(rng.choice(others)) if early and others else pick(game, rng))
    return None


@pytest.mark.parametrize("number", NUMBERS)
def test_frequencies_late_in_random_deals(number: int) -> None:
    sizes = []
    for seed in range(6):
        game = late(SETTINGS[number], 100 * number + seed, LOOKS[seed], np.random.default_rng([number, seed]))
        if game is not None:
            for seat in (0, 1):
                sizes.append(len(check_frequencies(game, seat, 2_000)))
    assert max(sizes) > 20


ROLES = ("elder", "dealer")
STEPS = {"sequences": ("value", "four", "length", "top", "trump"), "fours": ("value", "top")}
WANTED = {
    *(
        f"{other}: {contest} to {winner} by {step}{show}"
        for other in ROLES
        for contest, steps in STEPS.items()
        for winner in ROLES
        for step in (*steps, *(["silence"] if winner == "dealer" else []))
        for show in ([" shown", " not shown"] if winner == other else [""])
    ),
    *(f"{other}: sequences to nobody by trump" for other in ROLES),
    *(f"{other}: {what}" for other in ROLES for what in ("exchanged", "exchanged late", "exchanged of six")),
    *(f"{other}: {what}" for other in ROLES for what in ("void", "no trump", "no higher trump")),
    *(f"{other}: {what}" for other in ROLES for what in ("half a pair", "saying")),
}
"""What there is to know of the other seat: each is held against the enumeration at least once."""


def known_of_the_other(game: Game, seat: int) -> set[str]:
    """Which of WANTED a seat knows of the other at this time."""
    view, other, state = game.view(seat).to_dict(), 1 - seat, game.state
    roles = {view["dealer"]: "dealer", 1 - view["dealer"]: "elder", -1: "nobody"}
    found = set()
    for item in view["announcements"]:
        if item["decided"]:
            show = " shown" if game.rules.show_winning_sequences else " not shown"
            step = item["decided_by"] or "silence"
            found.add(
                f"{item['contest']} to {roles[item['winner']]} by {step}{show if item['winner'] == other else ''}"
            )
    if view["exchanged"] == other:
        found.add("exchanged")
        found.add("exchanged late" if state["late_exchange"] else "exchanged")
        found.add("exchanged of six" if game.rules.exchange_seven_from == "first6" else "exchanged")
    for suit in "SHDC":
        number = sum(card[1] == suit for card in view["absent"][other])
        if number and number < 8:
            found.add("no higher trump")
        elif number:
            found.add("no trump" if suit == view["trump"] else "void")
    if view["pair_said"][other] and any(card[0] in "KQ" for card in view["known"][other]):
        found.add("half a pair")
    if view["saying"] and view["to_act"] == other:
        found.add("saying")
    return {f"{roles[other]}: {what}" for what in found}


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_frequencies_whatever_is_known_of_the_other_seat() -> None:
    missing, seed = set(WANTED), 0
    while missing and seed < 6_000:
        setting, look = SETTINGS[seed % len(SETTINGS)], LOOKS[seed % len(LOOKS)]
        game = late(setting, seed, look, np.random.default_rng(seed))
        for seat in (0, 1) if game is not None else ():
            assert game is not None
            new = known_of_the_other(game, seat) & missing
            if new:
                check_frequencies(game, seat, 4_000)
                missing -= new
        seed += 1
    assert missing == set()


# Positions before the first lead: nine hidden cards of 21, too many to play each. Which hands explain what is
# known is said once more here, in the words of the rules, over all 293,930 of them.
UNSEEN = 21


def all_hands(game: Game, seat: int) -> NDArray[np.int64]:
    """Every hand of nine that the other seat may hold by the cards alone, as masks."""
    view = game.view(seat).to_dict()
    cards = [CARDS.id(card) for card in view["unseen"]]
    assert len(cards) == UNSEEN
    chosen = itertools.chain.from_iterable(itertools.combinations(cards, 9))
    return (1 << np.fromiter(chosen, np.int64).reshape(-1, 9)).sum(axis=1)


def has_run(hands: NDArray[np.int64], length: int) -> NDArray[np.bool_]:
    """Which hands hold so many cards of a suit in a row."""
    found = np.zeros(len(hands), bool)
    for suit in range(4):
        ranks = hands >> (8 * suit) & 255
        found |= functools.reduce(np.bitwise_and, [ranks >> k for k in range(length)]) != 0
    return found


def check_pairs(possible: NDArray[np.int64], game: Game, seat: int, count: int) -> None:
    """Every sample is possible, and each two cards come together as often as they should (five sigma)."""
    got = np.array([int(state["hand"][1 - seat]) for state in samples(game, seat, count)], np.int64)
    assert np.isin(got, possible).all()
    assert len(np.unique(got)) > 0.9 * count * (1 - count / len(possible))
    for first, second in itertools.combinations_with_replacement(range(32), 2):
        both = np.int64(1 << first | 1 << second)
        share = float(np.mean(possible & both == both))
        deviation = np.sqrt(count * share * (1 - share))
        assert abs(np.sum(got & both == both) - count * share) <= 5 * deviation + 1e-9, (first, second)


def test_frequencies_while_elder_is_asked_to_announce() -> None:
    game = played(WITH_RUN, "accept")
    assert (game.phase, game.seat_to_act) == ("announce", 0)
    hands = all_hands(game, 1)
    check_pairs(hands[has_run(hands, 3)], game, 1, 20_000)
    game.apply("pass")
    check_pairs(hands, game, 1, 20_000)  # a pass tells nothing, not even that there was something to announce


def test_frequencies_while_the_dealer_is_asked_to_announce() -> None:
    """The dealer is asked whatever elder said; what he answers to a higher value tells nothing."""
    game = played(
        laid("7S 8S 9S TS 7D TD 9H AD 7C", "8C TC JH QC KD QH 9D JC AS", "AH", "8D"), "accept", "announce"
    )
    assert (game.phase, game.seat_to_act) == ("announce", 1)
    hands = all_hands(game, 0)
    check_pairs(hands[has_run(hands, 3)], game, 0, 20_000)
    game.apply("announce")
    assert game.scores == (50, 0)
    check_pairs(hands, game, 0, 20_000)


def test_frequencies_of_what_elder_said() -> None:
    """A dealer who is asked knows elder's value: 20 is a run of three and none of four."""
    deck = laid("8S 9S TS 7D TD QH AD 7C KS", "8C TC JH QC KD QS 9D JC 9C", "AH", "8D")
    game = played(deck, "accept", "announce", run_values="20/40/50")
    hands = all_hands(game, 1)
    runs = has_run(hands, 3) & ~has_run(hands, 4)
    if game.phase == "announce":
        check_pairs(hands[runs], game, 1, 20_000)
        game.apply("pass")
    assert game.scores == (20, 0), "elder's three cards are shown now"
    shown = sum(1 << CARDS.id(card) for card in ("8S", "9S", "TS"))
    cards = [CARDS.id(card) for card in game.view(1).to_dict()["unseen"]]
    rest = itertools.chain.from_iterable(itertools.combinations(cards, 6))
    whole = (1 << np.fromiter(rest, np.int64).reshape(-1, 6)).sum(axis=1) | shown
    one = np.array([sum(runs_of(int(hand))) == 3 for hand in whole])
    check_pairs(whole[one], game, 1, 20_000)


def runs_of(hand: int) -> list[int]:
    """Lengths of the runs of three and more in a hand."""
    suits = (f"{hand >> 8 * suit & 255:08b}" for suit in range(4))
    return [len(run) for text in suits for run in text.split("0") if len(run) > 2]


@pytest.mark.parametrize("window", ["after_3_cards_before_announce", "until_first_lead"])
@pytest.mark.parametrize("other", [0, 1])
def test_frequencies_while_the_exchange_is_asked(other: int, window: str) -> None:
    """Whoever is asked holds the seven of trumps; under first6 it came with the first six cards."""
    rest = "TS AD 9C AS TD 8S KC QH"
    hands = [f"7H {rest}", DEALER] if other == 0 else [rest.replace("QH", "TH") + " 8H", f"7H {DEALER[3:]}"]
    game = played(laid(*hands, "9H", "7S"), "accept", exchange_window=window, exchange_seven_from="first6")
    assert (game.phase, game.seat_to_act) == ("exchange", other)
    possible = all_hands(game, 1 - other)
    seven = np.int64(1 << CARDS.id("7H"))
    for k in range(2 if window == "until_first_lead" else 1):
        check_pairs(possible[possible & seven != 0], game, 1 - other, 20_000)
        check_places(game, 1 - other, {"7H": 6}, 12_000)
        game.apply("pass")
        assert game.phase == ("exchange" if window == "until_first_lead" and k == 0 else "lead")
    check_pairs(possible, game, 1 - other, 20_000)
    check_places(game, 1 - other, {"7H": 21}, 12_000)


def check_places(game: Game, seat: int, cards: dict[str, int], count: int) -> None:
    """Each of these cards lies in so many places of the deck, equally often in each (five sigma)."""
    decks = np.array([state["deck"].copy() for state in samples(game, seat, count)])
    for card, places in cards.items():
        found = np.bincount(np.argwhere(decks == CARDS.id(card))[:, 1], minlength=32)
        found = found[found > 0]
        assert len(found) == places, card
        assert abs(found - count / places).max() <= 5 * np.sqrt(count / places), card


def test_the_deck_lies_in_any_order() -> None:
    """Where a hidden card lies among the places that a seat did not see, and in the other's places the dealt."""
    game = played(WITH_RUN, "accept", "pass", "play AD", "play KD")
    unseen = game.view(1).to_dict()["unseen"]
    check_places(game, 1, {"AD": 9, **dict.fromkeys(unseen, 21)}, 20_000)
    auction = played(WITH_RUN, "pass")
    check_places(auction, 1, dict.fromkeys(auction.view(1).to_dict()["unseen"], 25), 20_000)


def test_the_rarest_hands_are_found() -> None:
    """Two fours of a kind that are not shown, and another card played: of 126,000 hands one explains it."""
    deck = laid("JS JH JD JC 9S 9H 9D 9C 7S", "8S TS QS KS AS 8H TH QH KH", "7D", "AC")
    game = played(deck, "accept", "announce", four_of_a_kind="french", show_winning_sequences=False)
    while game.phase != "lead":
        game.apply("pass")
    game.apply("play 7S")
    hands_found = {tuple(hand) for hand in hands(game, 1, 20)}
    assert hands_found == {("9S", "JS", "9H", "JH", "9D", "JD", "9C", "JC")}
