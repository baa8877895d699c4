"""What a seat may know in the games of more packs and in Fildinski: as in :mod:`tests.test_information`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from bezique_env.engine import play as kernels
from bezique_env.engine.bezique import views as vw
from bezique_env.engine.bezique.state import SCRATCH
from bezique_env.game import Game
from bezique_env.position import PositionError
from bezique_env.rules import get_rules
from bezique_env.rules.bezique import index as ix
from bezique_env.rules.bezique.cards import CARD_TEXTS
from tests.test_information import checked_twin, choose, differing, own_side, play, seen
from tests.worlds import Action, chi_square, hidden, rich_deck, sample, worlds

Setting = tuple[str, str | None, dict[str, Any]]
TRUMP_QUEEN: dict[str, Any] = {"bezique_pair": "trump_queen", "trump": "first_marriage_sequence_or_bezique"}
NO_TURN_UP: dict[str, Any] = {"trump": "first_marriage_or_sequence", "dix_score": "none", "dealer_seven": 0}
SETTINGS: list[Setting] = [
    ("rubicon", "saari", {}),
    ("rubicon", "portland", {"selection": "explicit"}),
    ("rubicon", "bicycle", {"quartet_suits_bonus": "x2", "four_tens": 90, "marriage_rematch": "on_play"}),
    ("rubicon", "saari", {"reform": "none", "seq_then_marriage": "fresh_partner", **TRUMP_QUEEN}),
    ("chinese", "saari", {"quartet_suits_bonus": "x2"}),
    ("chinese", "trump_queen", {"cut_bonus": "on", "last_trick": "last_stock"}),
    ("chinese", "sum", {"selection": "explicit", "four_tens": 90, "reform": "none"}),
    ("eight_pack", "saari", {}),
    ("eight_pack", "sum", {"quartet_suits_bonus": "x2", "four_tens": 90, **TRUMP_QUEEN}),
    ("fildinski", "standard", {}),
    ("fildinski", "by_class", {"fildinski_endgame": "on", "selection": "explicit"}),
    ("fildinski", "standard", {"fildinski_dix": "from_hand", "dix_exchange": "free", "four_tens": 90}),
    ("fildinski", "standard", {"fildinski_dix": "from_hand", "dix_exchange": "instead_of_score"}),
    (
        "fildinski",
        "by_class",
        {"meld_groups": "three", "brisques": "at_hand_end", "quartet_suits_bonus": "x2"},
    ),
    ("fildinski", "standard", {"fildinski_endgame": "on", **NO_TURN_UP}),
]
LOOKS = ("none", "low", "royal", "spades", "kings")


def new_game(setting: Setting, seed: int, look: str = "none", draws: str = "shared") -> Game:
    """A game on a deck whose first cards are of a kind that makes melds, or carte blanche, likely."""
    variant, preset, overrides = setting
    rules = get_rules(variant, preset, overrides)
    deck = rich_deck(rules, seed, look)
    return Game(variant, rules=rules, seed=seed, deck=deck, dealer=seed % 2, draws=draws)


def pick(game: Game, rng: np.random.Generator) -> int:
    """As ``choose``, but carte blanche is mostly shown."""
    if game.phase == "carte_blanche":
        return game.action_id("carte blanche" if rng.random() < 0.7 else "pass")
    return choose(game, rng)


def states(
    setting: Setting, seed: int, share: float, look: str = "none", draws: str = "shared"
) -> Iterator[Game]:
    """Random states of one game, always with its last one and with those in which carte blanche is asked."""
    rng = np.random.default_rng(seed)
    game = new_game(setting, seed, look, draws)
    while not game.is_over:
        if rng.random() < share or game.phase == "carte_blanche":
            yield game
        game.apply(pick(game, rng))
    yield game


# ------------------------------------------------------------------------------------- no leak, nothing lost


def check_twin(game: Game, seat: int, seed: int) -> bool:
    """Whether a game that looks the same to a seat hides something else from it."""
    return hidden(game, seat) != hidden(checked_twin(game, seat, seed), seat)


@pytest.mark.parametrize("number", range(len(SETTINGS)))
def test_two_worlds_that_a_seat_cannot_tell_apart_look_the_same(number: int) -> None:
    changed = 0
    for k, (draws, look) in enumerate(
        [("shared", "low"), ("queues", LOOKS[2 + number % 3]), ("shared", "none")]
    ):
        for count, game in enumerate(states(SETTINGS[number], 10 * number + k, 0.06, look, draws)):
            for seat in (0, 1):
                changed += check_twin(game, seat, count)
    assert changed > 10, "the worlds must differ for this test to say anything"


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(SETTINGS)))
def test_two_worlds_over_many_states(number: int) -> None:
    for seed in range(100, 105):  # every look once
        look, draws = LOOKS[seed % len(LOOKS)], ("shared", "queues")[seed % 2]
        for count, game in enumerate(states(SETTINGS[number], seed, 0.15, look, draws)):
            for seat in (0, 1):
                check_twin(game, seat, count)


@pytest.mark.parametrize("number", range(len(SETTINGS)))
def test_views_that_differ_have_different_observations(number: int) -> None:
    by_row: dict[bytes, str] = {}
    for seed, look in enumerate(("none", "low", "royal")):
        for game in states(SETTINGS[number], seed, 1.0, look):
            for seat in (0, 1):
                view = json.dumps(own_side(game, seat))
                row = game.observation(seat).tobytes()
                assert by_row.setdefault(row, view) == view
    assert len(by_row) > 200


@pytest.mark.parametrize("number", range(len(SETTINGS)))
def test_perfect_recall(number: int) -> None:
    """What a seat has seen it never forgets: each information text continues the earlier ones."""
    before = [[""], [""]]
    for game in states(SETTINGS[number], 5 + number, 0.3, LOOKS[number % 2]):
        for seat in (0, 1):
            lines = game.information_text(seat).splitlines()
            assert [*lines[: len(before[seat]) - 1], before[seat][-1]] == before[seat]
            before[seat] = lines


# ------------------------------------------------------------------------------------------------- resample


@pytest.mark.parametrize("number", range(len(SETTINGS)))
def test_resample_never_reads_the_truth_and_repeats(number: int) -> None:
    """Called on games that look alike to the seat, the same seed gives the same game, byte for byte."""
    for count, game in enumerate(
        states(SETTINGS[number], 21 + number, 0.08, "low" if number % 2 else "royal")
    ):
        for seat in (0, 1):
            first, second = game.resample(seat, 2 * count), game.resample(seat, 2 * count + 1)
            for seed in (0, 7, 2**63):
                a, b, c = (g.resample(seat, seed) for g in (game, first, second))
                assert a._games.tobytes() == b._games.tobytes() == c._games.tobytes()
                assert a.view(seat).record.tobytes() == game.view(seat).record.tobytes()


@pytest.mark.parametrize("variant", ["rubicon", "chinese", "eight_pack", "fildinski"])
def test_resample_varies_and_is_no_likelier_to_give_the_truth(variant: str) -> None:
    game = new_game((variant, None, {}), 9)
    rng = np.random.default_rng(0)
    for _ in range(20):
        game.apply(choose(game, rng))
    twins = [hidden(game.resample(0, seed), 0) for seed in range(60)]
    assert len(set(twins)) == 60, "so large a stock never comes twice in sixty samples"
    assert len({hand for hand, _ in twins}) > 50
    assert hidden(game, 0) not in twins


@pytest.mark.parametrize("variant", ["rubicon", "chinese", "eight_pack", "fildinski"])
def test_resample_can_be_played_on(variant: str) -> None:
    rng = np.random.default_rng(1)
    for count, game in enumerate(states((variant, None, {}), 8, 0.06, "low")):
        for seat in (0, 1):
            twin = game.resample(seat, count)
            while not twin.is_over:
                twin.apply(pick(twin, rng))
            again = Game.replay(json.dumps(twin.to_record()))
            for name in twin._games.dtype.names or ():
                # A twin does not know how many decisions there were, nor the last event before it was made.
                if name != "steps" and not name.startswith("ev_"):
                    assert again._games[name].tobytes() == twin._games[name].tobytes(), name


@pytest.mark.parametrize("variant", ["rubicon", "chinese", "eight_pack", "fildinski"])
def test_in_the_endonenothing_is_hidden(variant: str) -> None:
    for game in states((variant, None, {}), 2, 1.0):
        if game.phase.startswith("endgame"):
            assert {hidden(game.resample(0, s), 0) for s in range(3)} == {hidden(game, 0)}


def hoard(game: Game, rng: np.random.Generator) -> int:
    """Declare whatever there is, quartets first, and break melds up to score them again."""
    legal = game.legal_actions()
    melds = [a for a in legal if 64 <= a < 95]
    quartets = [a for a in melds if 77 <= a < 92]
    if melds:
        return int(rng.choice(quartets or melds))
    for group in ([a for a in legal if 32 <= a < 64], [a for a in legal if a < 32 and a & 7 < 3]):
        if group and rng.random() < 0.6:
            return int(rng.choice(group))
    return int(rng.choice(legal))


@pytest.mark.parametrize("number", range(len(SETTINGS)))
def test_resample_never_fails_when_all_is_declared(number: int) -> None:
    """Every decision of declare-heavy games, both seats: it ends, and gives back the view."""
    rng = np.random.default_rng(number)
    game = new_game(SETTINGS[number], number, ("royal", "kings", "spades")[number % 3])
    while not game.is_over:
        for seat in (0, 1):
            twin = game.resample(seat, 1)
            assert twin._project(seat).tobytes() == game._project(seat).tobytes()
        game.apply(hoard(game, rng))


# ------------------------------------------------------------------------------------------- carte blanche


def carte_deck(rules: Any, drawn: list[str]) -> list[str]:
    """Both hands without court cards, then the named cards."""
    deck = rich_deck(rules, 3, "low")
    start = 2 * {"rubicon": 9, "chinese": 12}[rules.variant]
    for k, card in enumerate(drawn):
        place = next(p for p in range(start + k, len(deck)) if deck[p] == card)
        deck[start + k], deck[place] = deck[place], deck[start + k]
    return deck


@pytest.mark.parametrize("variant", ["rubicon", "chinese"])
def test_a_declined_carte_blanche_looks_like_none(variant: str) -> None:
    rules = get_rules(variant)
    deck = carte_deck(rules, ["7S", "8S"])
    could = Game(variant, deck=deck, dealer=0)
    other = deck.copy()
    king = next(p for p, card in enumerate(deck) if card[0] == "K")
    # The non-dealer holds the first packet: give it a king there instead of a low card.
    other[0], other[king] = other[king], other[0]
    could_not = Game(variant, deck=other, dealer=0)
    assert (could.phase, could.seat_to_act) == ("carte_blanche", 1)
    assert could_not.seat_to_act == 0, "only the dealer is asked"
    could.apply("pass")
    assert differing(seen(could, 0), seen(could_not, 0)) == []
    for game in (could, could_not):
        game.apply("pass")
    assert differing(seen(could, 0), seen(could_not, 0)) == []
    assert "1 pass" not in could.information_text(0)
    assert "1 pass" in could.information_text(1)


@pytest.mark.parametrize("variant", ["rubicon", "chinese"])
@pytest.mark.parametrize("drawn", ["8S", "KS"])
def test_a_shown_carte_blanche_is_known_from_then_on(variant: str, drawn: str) -> None:
    game = Game(variant, deck=carte_deck(get_rules(variant), [drawn, "9S"]), dealer=0)
    game.apply("carte blanche")
    hand = game.hand(1)
    assert game.view(0).known[1] == hand
    assert game.view(0).carte_blanche == [False, True]
    game.apply("pass")
    for text in (f"play {hand[0]}", game.action_text(game.legal_actions()[0])):
        game.apply(text)
    while game.phase == "declare":
        game.apply("pass")
    fresh = [card for card in game.hand(1) if card not in game.view(0).known[1]]
    if game.phase == "carte_blanche":
        assert game.seat_to_act == 1
        mine = game.clone()
        mine.apply("pass")
        assert len(mine.view(0).known[1]) == len(hand) - 1
        assert mine.view(0).carte_blanche == [False, False]
        game.apply("carte blanche")
        assert game.view(0).known[1] == game.hand(1)
        assert all(card[0] in "789T" for card in game.view(0).known[1])
    else:
        assert game.view(0).carte_blanche == [False, False]
        assert len(game.view(0).known[1]) == len(hand) - 1
        assert fresh and fresh[0][0] in "AKQJ"


def test_a_court_drawn_looks_like_showing_no_more() -> None:
    """After a draw, a seat that declines and a seat that drew a king are the same to the other."""
    games = []
    for card, other in (("7H", "KS"), ("KS", "7H")):
        game = Game("rubicon", deck=carte_deck(get_rules("rubicon"), [card, "9S", other]), dealer=0)
        for text in ("carte blanche", "pass"):
            game.apply(text)
        hand, theirs = game.hand(1), game.hand(0)
        game.apply(f"play {sorted(hand, key='789T'.index)[-1]}" if False else f"play {best(hand)}")
        game.apply(f"play {worst(theirs, best(hand))}")
        while game.phase == "declare":
            game.apply("pass")
        games.append(game)
    declined, drew = games
    assert (declined.phase, drew.phase) == ("carte_blanche", "lead")
    declined.apply("pass")
    assert differing(seen(declined, 0), seen(drew, 0)) == []


def best(hand: list[str]) -> str:
    """The highest card, tens above nines."""
    return max(hand, key=lambda card: "789T".index(card[0]))


def worst(hand: list[str], led: str) -> str:
    """A card that does not take the led one."""
    return next(card for card in hand if card[1] != led[1] or "789T".index(card[0]) <= "789T".index(led[0]))


# ------------------------------------------------------------------------------- frequencies, by enumeration

SMALL: dict[str, Any] = {"variant": "rubicon", "dealer": 0, "rest": 1, "phase": "declare", "to_act": 1}


def check(
    position: dict[str, Any],
    texts: list[str],
    order: bool = True,
) -> dict[Any, float]:
    game, actions = play(position, texts)
    expected = worlds(position, actions, 0, order=order)
    assert hidden(game, 0, order) in expected
    assert chi_square(expected, sample(game, 0, 6_000, order=order)) > 1e-4
    return expected


@pytest.mark.parametrize("draws", ["shared", "queues"])
@pytest.mark.parametrize("variant", ["rubicon", "chinese", "eight_pack"])
def test_frequencies_at_rest(variant: str, draws: str) -> None:
    position = {
        **SMALL,
        "variant": variant,
        "draws": draws,
        "phase": "lead",
        "to_act": 0,
        "hands": [["KH", "QD", "7S"], ["AS", "AS", "AS"]],
        "stock": ["KS", "AS", "8H", "8H"],
    }
    hands = {hand for hand, _ in check(position, [])}
    assert len(hands) == 6, "three of AS AS AS AS KS 8H 8H"


def test_frequencies_after_a_quartet_that_reveals_absence() -> None:
    """KH KD KC KC laid down by the fixed order: no KS was in the hand, though one may have been drawn since."""
    position = {
        **SMALL,
        "hands": [["9H", "9S", "8D", "7D", "7H"], ["KH", "KD", "KC", "KC", "8S"]],
        "stock": ["KS", "9S", "KS", "8H", "7S", "9D"],
    }
    expected = check(position, ["four K"])
    assert {hand.count("KS") for hand, _ in expected} == {0, 1}
    check(position, ["four K", "play KD table", "play 9H"], order=False)


def test_frequencies_after_a_quartet_that_did_not_score_double() -> None:
    """x2: KS KS KH KH score single, so KD and KC were not both there; one of them may have been."""
    position = {
        **SMALL,
        "rules": {"preset": "saari", "overrides": {"quartet_suits_bonus": "x2"}},
        "hands": [["9H", "9S", "8D", "7D", "7H", "7H"], ["KS", "KS", "KH", "KH", "KD", "8S"]],
        "stock": ["KC", "9S", "KD", "KC"],
    }
    expected = check(position, ["four K"])
    kept = {tuple(card for card in hand if card in ("KD", "KC")) for hand, _ in expected}
    assert ("KC", "KD") in kept, "one was kept, the other drawn"
    check(position, ["four K", "play KH table", "play 9H"], order=False)


def test_frequencies_after_the_first_bezique_fixed_trump() -> None:
    """trump_queen: QH JC comes after QS JD in the fixed order, so QS and JD were not both there."""
    position = {
        **SMALL,
        "rules": {"preset": "saari", "overrides": TRUMP_QUEEN},
        "hands": [["9H", "9S", "8D", "7D"], ["QH", "JC", "QS", "8S"]],
        "stock": ["JD", "9S", "QS", "JD"],
    }
    expected = check(position, ["bezique 1"])
    assert any("QS" in hand and "JD" in hand for hand, _ in expected), "one of them may be drawn since"
    assert any(hand.count("JD") == 2 for hand, _ in expected)
    check(position, ["bezique 1", "play 8S", "play 9H"], order=False)


def test_frequencies_when_a_widowed_king_would_have_married_first() -> None:
    """replace: the king on the table, whose queen was played, goes before a king of the hand.

    KH marries from the hand beside the table queen: had a second queen been there, the widowed king would
    have taken it.
    """
    position = {
        **SMALL,
        "trump": "S",
        "hands": [["9H", "9S", "8D", "7D", "7C"], ["KH", "8S", "QH"]],
        "table": [[], ["KH", "QH"]],
        "scored": [
            {"seat": 1, "meld": "marriage H", "cards": ["KH", "QH"]},
        ],
        "stock": ["QH", "9S", "KH", "8H"],
    }
    for story in (["marriage H"], ["marriage H", "play QH table", "play 9H", "marriage H"]):
        check(position, story, order=False)


def test_frequencies_with_several_copies_of_equal_cards() -> None:
    """A deck counts once, however many of its equal cards might have been the one that was shown."""
    position = {
        **SMALL,
        "variant": "chinese",
        "trump": "S",
        "hands": [["9H", "9S", "8D", "7D"], ["KD", "QD", "KD", "KD"]],
        "stock": ["KD", "9S", "QD", "KD"],
    }
    check(position, ["marriage D", "play KD", "play 9H"])


def test_frequencies_with_the_other_seat_in_its_window() -> None:
    position = {
        **SMALL,
        "hands": [["9H", "9S", "8D"], ["KH", "QH", "KH"]],
        "stock": ["KD", "QS", "QH", "JD"],
    }
    expected = check(position, [])
    assert all(("KH" in hand and "QH" in hand) or ("QS" in hand and "JD" in hand) for hand, _ in expected)
    after = check(position, ["pass"])
    assert any(not ("KH" in hand and "QH" in hand) for hand, _ in after), "a pass tells nothing"


ASKED: dict[str, Any] = {
    **SMALL,
    "phase": "carte_blanche",
    "hands": [["9H", "9S", "8D", "7D"], ["9D", "8C", "TS", "8S"]],
    "stock": ["KH", "9D", "AS", "8C"],
}


def test_frequencies_while_carte_blanche_is_asked() -> None:
    """The seat asked holds no court card; once it has passed, or another is asked, nothing is known of it."""
    expected = check(ASKED, [])
    assert all(card[0] in "789T" for hand, _ in expected for card in hand)
    kings = check({**ASKED, "rules": "portland"}, [])
    assert any("AS" in hand for hand, _ in kings), "the Portland laws do not count aces"


def test_frequencies_after_a_carte_blanche_shown() -> None:
    """The hand is known, the card drawn is not: any of the cards left, unless it is asked for, or declined."""
    game, _ = play(ASKED, ["carte blanche"])
    assert hidden(game.resample(0, 1), 0)[0] == hidden(game, 0)[0]
    base = ["carte blanche", "play TS", "play 9S", "pass"]
    position = ASKED
    game = Game.from_position(position)
    for text in base[:3]:
        game.apply(text)
    assert (game.phase, game.seat_to_act) == ("lead", 1), "KH was drawn: nobody is asked"
    check(position, base[:3])
    asked = {**position, "stock": ["9D", "KH", "AS", "8C"]}
    expected = check(asked, base[:3])
    assert {card for hand, _ in expected for card in hand} == {"8C", "8S", "9D"}
    after = check(asked, [*base[:3], "pass"])
    assert any("AS" in hand for hand, _ in after)


FROM_HAND: dict[str, Any] = {"fildinski_dix": "from_hand", "dix_exchange": "free"}


@pytest.mark.parametrize(
    "story", [[], ["pass"], ["seven"], ["exchange"], ["seven", "pass", "play 8S", "play 9H"]]
)
def test_frequencies_in_fildinski_while_a_seven_is_shown_from_the_hand(story: list[str]) -> None:
    """The open cards are seen; a window that nothing else opens tells that a trump seven is in the hand."""
    position = {
        **SMALL,
        "variant": "fildinski",
        "rules": {"preset": "standard", "overrides": FROM_HAND},
        "turn_up": "8C",
        "hands": [["9H", "9S", "8D"], ["7C", "8S", "TD"]],
        "table": [["JD"], ["KH"]],
        "latest": ["KH"],
        "stock": ["7C", "9S", "8H", "7S", "8S"],
    }
    expected = check(position, story, order=False)
    if not story:
        assert all("7C" in hand for hand, _ in expected)
    if story == ["pass"]:
        assert any("7C" not in hand for hand, _ in expected)


def random_fildinski(rng: np.random.Generator, overrides: dict[str, Any]) -> dict[str, Any]:
    """A small window of seat 1, with open cards and sevens, everything named."""
    many = [card for card in (*CARD_TEXTS, *CARD_TEXTS) if card[0] in "AKQJ" or card == "7C"]
    cards = [many[int(k)] for k in rng.permutation(len(many))]
    return {
        **SMALL,
        "variant": "fildinski",
        "rules": {"preset": ("standard", "by_class")[int(rng.integers(2))], "overrides": overrides},
        "turn_up": "8C",
        "hands": [["9H", "9S", "8D", "TD"], ["7C" if rng.random() < 0.5 else cards[0], *cards[1:4]]],
        "table": [cards[4:6], cards[6:11]],
        "latest": cards[9:11],
        "stock": cards[11:16],
    }


@pytest.mark.parametrize("overrides", [{}, FROM_HAND, {"fildinski_endgame": "on", **FROM_HAND}])
def test_frequencies_of_random_stories_in_fildinski(overrides: dict[str, Any]) -> None:
    sizes = []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        try:
            game = Game.from_position(position := random_fildinski(rng, overrides))
        except PositionError:  # three sevens of clubs
            continue
        actions: list[Action] = []
        for _ in range(int(rng.integers(1, 7))):
            if game.phase.startswith("endgame"):
                break
            action = choose(game, rng)
            actions.append((game.seat_to_act, game.action_text(action)))
            game.apply(action)
        expected = worlds(position, actions, 0, order=False)
        assert chi_square(expected, sample(game, 0, 1_500, order=False)) > 1e-5, f"seed {seed}"
        sizes.append(len(expected))
    assert max(sizes) > 10


def two_samples(first: Counter[bytes], second: Counter[bytes]) -> float:
    """p-value of two counts being of one law; rare cells are pooled."""
    from scipy.stats import chi2_contingency

    common = [cell for cell in first | second if first[cell] + second[cell] >= 16]
    table = [[counts[cell] for cell in common] for counts in (first, second)]
    for row, counts in zip(table, (first, second), strict=True):
        row.append(sum(counts.values()) - sum(row))
    if not sum(column[-1] for column in table):
        table = [row[:-1] for row in table]
    return 1.0 if len(table[0]) < 2 else float(chi2_contingency(table).pvalue)


@pytest.mark.parametrize(
    "overrides",
    [
        {},
        {"quartet_suits_bonus": "x2", "declare": "lay_many_score_one"},
        {"declare": "many_disjoint", "double_bezique": "build_any", "dix_exchange": "free"},
    ],
)
def test_the_walk_agrees_with_exact_rejection(overrides: dict[str, Any]) -> None:
    """Late in two-pack games, with all that was seen in them: the walk of the larger packs, and rejection."""
    walking = get_rules("two_pack", None, overrides).vector.copy()
    walking[ix.PACKS] = 4  # no more than which of the two ways is taken
    work, tmp = np.zeros((vw.WORK_ROWS, vw.WORK_COLUMNS), np.uint8), np.zeros(SCRATCH, np.uint8)
    for seed in range(3):
        rng = np.random.default_rng(seed)
        game = Game(overrides=overrides, seed=seed)
        while not (game.phase == "lead" and game.view(0).stock_left <= 4):
            game.apply(hoard(game, rng))
        twin, found = game._games.copy(), []
        for vector in (walking, game.rules.vector.copy()):
            counts: Counter[bytes] = Counter()
            for k in range(4_000):
                kernels.resample_row(
                    game.view_record(0), 0, twin, 0, vector, np.uint64(1000 * k + 17), work, tmp
                )
                counts[twin[0]["hand"][1].tobytes()] += 1
            found.append(counts)
        assert len(found[1]) > 10
        assert two_samples(*found) > 1e-4


# ------------------------------------------------------------------------------------------- random stories

CARDS = [*(card for card in CARD_TEXTS if card[0] in "AKQJ"), *["KS", "QS", "QS", "JD", "JD", "KC", "TS"]]
SPARE = ["9H", "9S", "8D", "7D", "7H", "8H", "8S", "9D"]
MEMORY: list[tuple[str, dict[str, Any]]] = [
    ("rubicon", {}),
    ("rubicon", {"quartet_suits_bonus": "x2"}),
    ("rubicon", TRUMP_QUEEN),
    ("rubicon", {"marriage_rematch": "on_play", "bezique_pair": "shifting"}),
    ("rubicon", {"reform": "none", "seq_then_marriage": "fresh_partner"}),
    ("chinese", {"quartet_suits_bonus": "x2", **TRUMP_QUEEN}),
    ("eight_pack", {"quartet_suits_bonus": "x2", "four_tens": 90}),
]


def random_position(rng: np.random.Generator, variant: str, overrides: dict[str, Any]) -> dict[str, Any]:
    """A small window of seat 1 with cards that make melds, everything named."""
    few = [CARDS[int(k)] for k in rng.choice(len(CARDS), 5, replace=False)]
    cards = [few[int(k)] for k in rng.integers(0, 5, 16)]  # several copies of each
    for card in few:
        while cards.count(card) > 4:
            cards[cards.index(card)] = CARDS[int(rng.integers(len(CARDS)))]
    cards = [card for k, card in enumerate(cards) if cards[:k].count(card) < 4]
    table = cards[: int(rng.integers(0, 4))]
    hand = cards[len(table) : len(table) + 4]
    stock = cards[7 : 7 + (8 if len(cards) >= 15 else 6)]
    position = {
        **SMALL,
        "variant": variant,
        "rules": {"preset": "saari", "overrides": overrides},
        "hands": [SPARE[: 4 + len(table)], hand],
        "table": [[], table],
        "stock": stock,
    }
    if rng.random() < 0.4:
        position["trump"] = "SHDC"[int(rng.integers(4))]
    return position


def compare_story(seed: int, variant: str, overrides: dict[str, Any], count: int) -> tuple[int, float]:
    """A random story; returns the number of worlds and the p-value."""
    rng = np.random.default_rng(seed)
    position = random_position(rng, variant, overrides)
    game = Game.from_position(position)
    actions: list[Action] = []
    for _ in range(int(rng.integers(1, 7))):
        if game.phase.startswith("endgame") or game.is_over:
            break
        action = hoard(game, rng) if rng.random() < 0.7 else choose(game, rng)
        actions.append((game.seat_to_act, game.action_text(action)))
        game.apply(action)
    expected = worlds(position, actions, 0, order=False)
    assert hidden(game, 0, False) in expected
    return len(expected), chi_square(expected, sample(game, 0, count, order=False))


@pytest.mark.parametrize(("variant", "overrides"), MEMORY)
def test_frequencies_of_random_stories(variant: str, overrides: dict[str, Any]) -> None:
    sizes = []
    for seed in range(4):
        number, p = compare_story(seed, variant, overrides, 1_000)
        assert p > 1e-5, f"seed {seed}"
        sizes.append(number)
    assert max(sizes) > 3


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "overrides"), MEMORY)
def test_frequencies_of_many_random_stories(variant: str, overrides: dict[str, Any]) -> None:
    low = 0
    for seed in range(100, 109):
        _, p = compare_story(seed, variant, overrides, 4_000)
        assert p > 1e-7, f"seed {seed}"
        low += p < 0.01
    assert low <= 2, "about one in a hundred is expected"
