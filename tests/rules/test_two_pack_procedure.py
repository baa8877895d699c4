"""Section 12 of rules/bezique.md ("Procedure, decided") clause by clause, and the decisions that fill its gaps.

Tests are named after the clause or the option; expected values are worked out by hand from the page.
"""

from __future__ import annotations

from typing import Any

import pytest

from bezique_env.cards import SUITS
from bezique_env.game import Game
from bezique_env.rules import RulesError, get_rules, settle
from bezique_env.rules.bezique.cards import CARD_TEXTS, RANKS
from tests.rules.setup import MELDS_ONLY, legal, setup, told, uses, win

PACK = list(CARD_TEXTS)
SEQUENTIAL = PACK * 2
"""A deck in the order of the card ids, twice: place p holds card p mod 32."""
UNFIXED: dict[str, Any] = {"dix_score": "none", "dealer_seven": 0}


def plain(game: Game) -> str:
    """A seven, eight or nine of the hand of seat 0: a card to lead that belongs to no meld."""
    return next(c for c in game.hand(0) if c[0] in "789" and c[1] != game.trump)


def next_window(game: Game) -> None:
    """Close the window if it is still open, then win a trick."""
    if game.phase == "declare":
        game.apply("pass")
    win(game, plain(game))


# ------------------------------------------------------------------------------------------- setting out


@pytest.mark.parametrize("dealer", [0, 1])
def test_setting_out_non_dealer_leads(dealer: int) -> None:
    game = Game(dealer=dealer, seed=3)
    assert (game.dealer, game.seat_to_act, game.phase) == (dealer, 1 - dealer, "lead")


def test_setting_out_random_dealer_comes_from_the_seed() -> None:
    dealers = [Game(seed=seed).dealer for seed in range(40)]
    assert dealers == [Game(seed=seed).dealer for seed in range(40)]
    assert 8 <= sum(dealers) <= 32, "both seats deal"


@pytest.mark.parametrize(
    ("packets", "non_dealer"),
    [
        ("3-2-3", [0, 1, 2, 6, 7, 10, 11, 12]),
        ("threes", [0, 1, 2, 6, 7, 8, 12, 13]),
        ("singles", [0, 2, 4, 6, 8, 10, 12, 14]),
    ],
)
@pytest.mark.parametrize("dealer", [0, 1])
def test_setting_out_packets(packets: str, non_dealer: list[int], dealer: int) -> None:
    """D20: 3 3 2 2 3 3; 3 3 3 3 2 2; one at a time; always the non-dealer first, then the turn-up."""
    game = Game(deck=SEQUENTIAL, dealer=dealer, overrides={"deal_packets": packets})
    first = sorted(PACK.index(c) for c in game.hand(1 - dealer))
    second = sorted(PACK.index(c) for c in game.hand(dealer))
    assert first == non_dealer
    assert second == [p for p in range(16) if p not in non_dealer]
    assert game.turn_up == PACK[16]
    assert game.trump == PACK[16][1]


def test_setting_out_without_turn_up_the_stock_begins_at_the_seventeenth_card() -> None:
    game = Game(rules="no_ready_trump", deck=SEQUENTIAL, dealer=1)
    assert game.turn_up is None
    assert game.trump is None
    assert game.view(0).stock_left == 48
    game.apply("play 7S")
    game.apply("play KS")  # seat 1 was dealt JS QS KS 7H 8H KH TH AH and wins
    if game.phase == "declare":
        game.apply("pass")
    assert PACK[16] in game.hand(1), "the winner draws first"
    assert PACK[17] in game.hand(0)


def test_setting_out_the_deal_passes_in_a_match() -> None:
    game = Game(seed=5, episode="match", dealer=1, overrides={"target": 100_000})
    dealers = []
    while len(dealers) < 4:
        dealers.append(game.dealer)
        done = len(game.deals)
        while len(game.deals) == done:
            game.apply(game.legal_actions()[0])
    assert dealers == [1, 0, 1, 0]
    assert [deal["dealer"] for deal in game.deals[:4]] == dealers
    decks = [tuple(deal["deck"]) for deal in game.deals]
    assert len(set(decks)) == len(decks), "every deal has a deck of its own"


def test_setting_out_winner_draws_first_then_the_other() -> None:
    game = setup("9H", "TH", size=3, phase="lead", draw="QD KD AD", turn_up="8C", overrides=MELDS_ONLY)
    game.apply("play 9H")
    game.apply("play TH")
    assert "QD" in game.hand(1)
    assert "KD" in game.hand(0)


# ------------------------------------------------------------------------------------------ tricks (section 4)


@pytest.mark.parametrize(
    ("lead", "reply", "winner"),
    [
        ("9H", "TH", 1),  # the ten beats all but the ace
        ("KH", "TH", 1),
        ("TH", "AH", 1),
        ("QH", "JH", 0),
        ("AH", "7C", 1),  # the lowest trump beats the highest plain card
        ("7C", "8C", 1),
        ("AH", "AD", 0),  # another plain suit never wins
        ("AC", "AC", 0),  # of equals the first
    ],
)
def test_trick_comparison(lead: str, reply: str, winner: int) -> None:
    game = setup(
        f"{lead} 8D",
        f"{reply} 9D",
        phase="lead",
        turn_up="8C",
        overrides={**MELDS_ONLY, "dix_score": "on_play"},
    )
    game.apply(f"play {lead}")
    game.apply(f"play {reply}")
    assert game.seat_to_act == winner


def test_stock_phase_has_no_duties() -> None:
    """All three primary documents: any card may be played while cards are drawn."""
    game = setup("AH", "TH 7C 9D KC", size=4, phase="lead", turn_up="8C")
    game.apply("play AH")
    assert legal(game) == ["play TH", "play 9D", "play 7C", "play KC"]


# --------------------------------------------------------------------------------------- automatic points


def test_trump_seven_scores_once_per_copy() -> None:
    game = setup("7C 7C", size=5, turn_up="8C", draw="9D 9S 9H 8S 8D 8H 8S", overrides=MELDS_ONLY)
    assert told(game.apply("seven")) == [(0, "seven", 10)]
    assert told(game.apply("seven")) == [(0, "seven", 10)], (
        "each copy once, and without using the declaration"
    )
    if game.phase == "declare":
        assert "seven" not in legal(game)
        game.apply("pass")
    assert win(game, "7C table") == [], "a copy that was shown scores nothing when played"
    assert game.scores == (20, 0)


def test_trump_seven_on_show_scores_when_played() -> None:
    game = setup("7C", size=4, phase="lead", turn_up="8C", overrides=MELDS_ONLY)
    assert told(game.apply("play 7C")) == [(0, "trump seven", 10)]


@pytest.mark.parametrize(
    ("option", "points"), [("on_show", 10), ("on_play", 10), ("as_meld", 0), ("none", 0)]
)
def test_playing_a_trump_seven_in_the_stock_phase(option: str, points: int) -> None:
    game = setup(
        "7C", "9C", size=3, phase="lead", turn_up="8C", overrides={**MELDS_ONLY, "dix_score": option}
    )
    game.apply("play 7C")
    assert game.scores == (points, 0)
    game.apply("play 9C")
    assert game.scores == (points, 0)


@pytest.mark.parametrize(
    ("option", "endgame", "points"),
    [
        ("on_show", "yes", 10),
        ("on_show", "no", 0),
        ("on_play", "yes", 0),
        ("as_meld", "yes", 0),
        ("none", "yes", 0),
    ],
)
def test_playing_a_trump_seven_in_the_endgame(option: str, endgame: str, points: int) -> None:
    game = setup(
        "7C 9H",
        "8D 8H",
        phase="endgame",
        trump="C",
        turn_up=None,
        overrides={**MELDS_ONLY, "dix_score": option, "dix_endgame": endgame},
    )
    events = told(game.apply("play 7C"))
    assert events == ([(0, "trump seven", 10)] if points else [])


@pytest.mark.parametrize(("dealer_seven", "later"), [(10, 0), (0, 10)])
def test_turned_seven_that_paid_the_dealer_has_scored(dealer_seven: int, later: int) -> None:
    """D2: a copy scores at most once; the turned seven scored only when the dealer was paid."""
    game = setup(
        "KH 9H",
        "9H 8H",
        phase="lead",
        turn_up="7C",
        draw="8D",
        overrides={**MELDS_ONLY, "dealer_seven": dealer_seven},
    )
    win(game, "KH", "9H")
    assert "7C" in game.hand(1), "the loser of the last stock trick draws the turned seven"
    game.apply("play 9H")
    game.apply("play 8H")
    game.apply("play 8D")
    events = told(game.apply("play 7C"))
    assert [e for e in events if e[1] == "trump seven"] == ([(1, "trump seven", 10)] if later else [])


def test_exchanged_seven_keeps_its_score_until_the_end() -> None:
    """The 10 was scored at the exchange; whoever draws that copy from the turn-up plays it for nothing."""
    game = setup("7C KH", "9H 8H", size=3, turn_up="8C", draw="8D", overrides=MELDS_ONLY)
    assert told(game.apply("exchange")) == [(0, "exchange", 10)]
    # that was the window of the last stock trick: seat 0 takes 8D, seat 1 the 7C
    assert "7C" in game.hand(1)
    game.apply("play 8C")
    events = told(game.apply("play 7C"))  # must follow suit, and has only this trump
    assert [e for e in events if e[1] == "trump seven"] == []


def test_seven_exchanged_unscored_scores_for_who_plays_it() -> None:
    """instead_of_score: the copy has not scored, so on_show still pays it in the endgame."""
    game = setup(
        "7C KH",
        "9H 8H",
        size=3,
        turn_up="8C",
        draw="8D",
        overrides={**MELDS_ONLY, "dix_exchange": "instead_of_score"},
    )
    assert game.apply("exchange") == []
    game.apply("play 8C")
    events = told(game.apply("play 7C"))
    assert (1, "trump seven", 10) in events


# ---------------------------------------------------------------------------------- the declaring window


def test_window_is_skipped_when_only_pass_would_be_legal() -> None:
    game = setup("TH", "9H", size=3, phase="lead", turn_up="8C", overrides=MELDS_ONLY)
    win(game, "TH", "9H")
    assert game.phase == "lead"


def test_window_belongs_to_the_winner_only() -> None:
    game = setup("9H KC QC", "TH KD QD", size=4, phase="lead", turn_up="8S", overrides=MELDS_ONLY)
    game.apply("play 9H")
    game.apply("play TH")
    assert (game.seat_to_act, game.phase) == (1, "declare")
    assert legal(game) == ["marriage D", "pass"]
    assert not game.legal_mask(0).any()
    game.apply("pass")
    assert (game.seat_to_act, game.phase) == (1, "lead")


def test_window_opens_before_the_draw() -> None:
    """QH would be drawn next: a marriage with it must wait for the next trick won."""
    game = setup("KH KC QC", size=4, turn_up="8S", draw="QH 9C 8C", overrides=MELDS_ONLY)
    assert legal(game) == ["marriage C", "pass"]
    game.apply("pass")
    assert "QH" in game.hand(0)
    win(game, plain(game))
    assert legal(game) == ["marriage H", "marriage C", "pass"]


def test_window_after_the_last_stock_trick() -> None:
    """SAARI: the winner of the last stock trick may still declare, and exchange (D26)."""
    game = setup("KC QC 7S", "9H 8H", size=4, turn_up="8S", draw="9C", overrides=MELDS_ONLY)
    assert legal(game) == ["marriage C", "seven", "exchange", "pass"]
    game.apply("exchange")
    assert game.phase == "endgame_lead"
    assert "7S" in game.hand(1), "the loser draws the seven that was put down"
    assert "8S" in game.hand(0)


def test_no_declaration_in_the_endgame() -> None:
    game = setup("AC KC QC", "8D 8H 9H", phase="endgame", trump="C", turn_up=None, overrides=MELDS_ONLY)
    game.apply("play AC")
    game.apply("play 8D")
    assert game.phase == "endgame_lead"
    assert game.why_illegal("marriage C") is not None


@pytest.mark.parametrize("declare", ["one", "lay_many_score_one"])
def test_window_one_scoring_declaration(declare: str) -> None:
    game = setup("KC QC KD QD", size=6, turn_up="8S", overrides={**MELDS_ONLY, "declare": declare})
    game.apply("marriage C")
    if game.phase == "declare":
        game.apply("marriage D")
    assert game.scores == (20, 0)


def test_window_of_one_stays_open_for_the_seven() -> None:
    """D17: after the declaration only what does not need it keeps the window open."""
    game = setup("KC QC KD QD 7S", size=6, turn_up="8S", overrides=MELDS_ONLY)
    game.apply("marriage C")
    assert legal(game) == ["seven", "pass"]
    assert told(game.apply("seven")) == [(0, "seven", 10)]
    assert game.phase == "lead"


def test_seven_on_show_comes_before_or_after_the_declaration() -> None:
    game = setup("KC QC 7S", size=6, turn_up="8S", overrides=MELDS_ONLY)
    game.apply("seven")
    assert legal(game) == ["marriage C", "exchange", "pass"]
    game.apply("marriage C")
    assert game.scores == (30, 0)


def test_many_disjoint_any_number_of_melds_without_a_common_card() -> None:
    game = setup(
        "KC QC KD QD QS JD KS", size=7, turn_up="8H", overrides={**MELDS_ONLY, "declare": "many_disjoint"}
    )
    for meld, points in (("marriage C", 20), ("bezique 1", 40), ("marriage D", 20)):
        assert told(game.apply(meld)) == [(0, meld, points)]
    # QS serves in the bezique of this window, so KS QS must wait; nothing is left and the window is closed.
    assert game.phase == "lead"
    assert game.scores == (80, 0)


def test_many_disjoint_is_per_window() -> None:
    """A26's reading note: the clause on cards used twice is taken per turn."""
    game = setup(
        "KS QS JD",
        size=5,
        turn_up="8H",
        draw="9D 9C 8D",
        overrides={**MELDS_ONLY, "declare": "many_disjoint"},
    )
    game.apply("bezique 1")
    assert game.phase == "lead"
    next_window(game)
    assert "marriage S" in legal(game)


def test_sequence_does_not_score_its_marriage_in_the_same_window() -> None:
    override = {**MELDS_ONLY, "declare": "many_disjoint"}
    hand = "AS TS KS QS JS KD QD"
    game = setup(hand, size=7, turn_up="8S", draw="9D 9C 8D", overrides=override)
    game.apply("sequence S")
    assert "marriage S" not in legal(game)
    game = setup(hand, size=7, turn_up="8S", draw="9D 9C 8D", overrides=override)
    assert told(game.apply("marriage S")) == [(0, "marriage S", 40)]
    assert "sequence S" not in legal(game), "they share cards"
    game.apply("pass")
    game.apply("play KD")
    game.apply(next(t for t in legal(game) if t.startswith("play") and t[-1] != "S"))
    assert told(game.apply("sequence S")) == [(0, "sequence S", 250)]


def test_many_disjoint_serves_two_copies_of_a_pair() -> None:
    game = setup("KC QC KC QC", size=5, turn_up="8S", overrides={**MELDS_ONLY, "declare": "many_disjoint"})
    game.apply("marriage C")
    assert told(game.apply("marriage C")) == [(0, "marriage C", 20)]
    assert game.phase == "lead"


# -------------------------------------------------------------------------------------- laying unscored


LAY = {**MELDS_ONLY, "declare": "lay_many_score_one"}


def test_laying_is_offered_only_after_the_scoring_declaration() -> None:
    game = setup("KC QC KD QD", size=6, turn_up="8S", overrides=LAY)
    assert told(game.apply("marriage D")) == [(0, "marriage D", 20)], "the first declaration scores"
    assert legal(game) == ["marriage C", "pass"]
    assert game.apply("marriage C") == []
    assert uses(game, 0) == [("KD", ["marriage"]), ("QD", ["marriage"]), ("KC", []), ("QC", [])]
    assert game.phase == "lead"


def test_laid_cards_do_not_count_as_used() -> None:
    """Laying without scoring never changes what may be scored later."""
    game = setup("KC QC KD QD", size=6, turn_up="8S", draw="9D 9H 8D 8H 9C", overrides=LAY)
    game.apply("marriage D")
    game.apply("marriage C")
    next_window(game)
    assert told(game.apply("marriage C")) == [(0, "marriage C", 20)]
    assert uses(game, 0)[2:] == [("KC", ["marriage"]), ("QC", ["marriage"])]


def test_laying_must_move_a_card_to_the_table() -> None:
    """KC QC already lie there: after the scoring of KD QD nothing can be laid, the window closes."""
    game = setup("KD QD", size=6, table=["KC QC", ""], turn_up="8S", overrides=LAY)
    game.apply("marriage D")
    assert game.phase == "lead"


def test_laying_takes_the_first_combination_with_a_hand_card() -> None:
    """D5: KC QC on the table are scorable, but QC in the hand makes a combination that moves a card."""
    game = setup("KD QD QC", size=6, table=["KC QC", ""], turn_up="8S", overrides=LAY)
    game.apply("marriage D")
    assert legal(game) == ["marriage C", "pass"]
    game.apply("marriage C")
    assert [c for c, _ in uses(game, 0)] == ["KC", "QC", "KD", "QD", "QC"]


def test_laying_offers_only_what_could_score() -> None:
    game = setup(
        "QC KD QD",
        size=6,
        table=["KC QC", ""],
        scored=[{"seat": 0, "meld": "marriage C", "cards": ["KC", "QC"]}],
        turn_up="8S",
        overrides=LAY,
    )
    assert legal(game) == ["marriage D", "pass"], "the king of clubs is married"
    game.apply("marriage D")
    assert game.phase == "lead"


def test_laying_after_an_exchange() -> None:
    """D4: the exchange takes the place of the scoring declaration; melds may then be laid unscored."""
    game = setup("KC QC 7S", size=6, turn_up="8S", overrides=LAY)
    game.apply("exchange")
    assert legal(game) == ["marriage C", "pass"]
    assert game.apply("marriage C") == []
    assert game.scores == (10, 0)
    assert game.table(0) == ["KC", "QC"]


def test_laying_a_seven_as_meld_and_scoring_it_later() -> None:
    """D3: under as_meld the seven may be laid unscored from the hand, and later be scored from the table."""
    game = setup("KC QC 7S", size=5, turn_up="8S", draw="9D 9H 8D", overrides={**LAY, "dix_score": "as_meld"})
    game.apply("marriage C")
    assert "seven" in legal(game)
    assert game.apply("seven") == []
    assert "seven" not in legal(game)
    assert "7S" in game.table(0)
    next_window(game)
    assert told(game.apply("seven")) == [(0, "seven", 10)]


def test_laying_ignores_the_wish_for_four_suits() -> None:
    """D27: nothing scores, so the combination is the first in the order: KS KS on the table, then KH, KD."""
    game = setup(
        "KH KD KC QD QC",
        size=7,
        table=["KS KS", ""],
        turn_up="8S",
        overrides={**LAY, "quartet_suits_bonus": "x2"},
    )
    game.apply("marriage C")
    game.apply("four K")
    assert game.scores == (20, 0)
    # order: table copies KS KS KC (KC used most, so first), then hand by id: KH
    assert [c for c, _ in uses(game, 0)] == ["KS", "KS", "KC", "QC", "KH"]


# --------------------------------------------------------------------------------------------- exchange


def test_exchange_takes_the_hand_seven_before_the_table_seven() -> None:
    """D12 and section 12: hand first, else table."""
    game = setup(
        "7C",
        size=4,
        table=["7C", ""],
        scored=[{"seat": 0, "meld": "seven", "cards": ["7C"]}],
        turn_up="8C",
        overrides=MELDS_ONLY,
    )
    assert told(game.apply("exchange")) == [(0, "exchange", 10)], "the hand copy has not scored"
    assert game.turn_up == "7C"
    assert game.table(0) == ["7C"]


def test_exchange_with_a_scored_table_seven_pays_nothing() -> None:
    game = setup(
        "KH",
        size=4,
        table=["7C", ""],
        scored=[{"seat": 0, "meld": "seven", "cards": ["7C"]}],
        turn_up="JC",
        overrides=MELDS_ONLY,
    )
    assert game.apply("exchange") == []
    assert game.table(0) == []
    assert game.turn_up == "7C"
    assert "JC" in game.hand(0)
    assert "JC" in game.view(1).known[0], "everyone saw the turn-up go to the hand"


@pytest.mark.parametrize(
    ("score", "how", "points"),
    [
        ("on_show", "uses_declaration", 10),
        ("on_show", "free", 10),
        ("on_show", "instead_of_score", 0),
        ("as_meld", "free", 10),
        ("as_meld", "instead_of_score", 0),
        ("on_play", "free", 0),
        ("on_play", "instead_of_score", 0),
        ("none", "free", 0),
    ],
)
def test_exchange_scores_by_option(score: str, how: str, points: int) -> None:
    game = setup(
        "7C", size=4, turn_up="8C", overrides={**MELDS_ONLY, "dix_score": score, "dix_exchange": how}
    )
    game.apply("exchange")
    assert game.scores == (points, 0)


@pytest.mark.parametrize("how", ["free", "instead_of_score"])
@pytest.mark.parametrize("order", [("exchange", "marriage H"), ("marriage H", "exchange")])
def test_exchange_independent_of_declarations(how: str, order: tuple[str, str]) -> None:
    game = setup("7C KH QH", size=5, turn_up="8C", overrides={**MELDS_ONLY, "dix_exchange": how})
    game.apply(order[0])
    assert order[1] in legal(game)
    game.apply(order[1])
    assert game.scores[0] == (20 if how == "instead_of_score" else 30)


@pytest.mark.parametrize("declare", ["one", "lay_many_score_one", "many_disjoint"])
def test_exchange_in_place_of_the_declaration_under_every_mode(declare: str) -> None:
    """D4: after a declaration no exchange, after an exchange no scoring declaration."""
    override = {**MELDS_ONLY, "declare": declare, "dix_exchange": "uses_declaration"}
    game = setup("7C KH QH KD QD", size=6, turn_up="8C", overrides=override)
    game.apply("marriage H")
    assert game.why_illegal("exchange") is not None
    game = setup("7C KH QH KD QD", size=6, turn_up="8C", overrides=override)
    game.apply("exchange")
    if game.phase == "declare" and "marriage H" in legal(game):
        game.apply("marriage H")
    assert game.scores == (10, 0), "a marriage after the exchange scores nothing"


def test_exchange_once_in_a_window() -> None:
    game = setup("7C 7C KH QH", size=5, turn_up="8C", overrides={**MELDS_ONLY, "dix_exchange": "free"})
    game.apply("exchange")
    assert game.why_illegal("exchange") is not None
    assert "marriage H" in legal(game)


def test_exchanged_card_serves_at_once() -> None:
    """The old turn-up goes to the hand; with a free exchange it may serve in a meld of the same window."""
    game = setup("7C KC JH", size=5, turn_up="QC", overrides={**MELDS_ONLY, "dix_exchange": "free"})
    game.apply("exchange")
    assert told(game.apply("marriage C")) == [(0, "marriage C", 40)]


# ------------------------------------------------------------------------------------------------- seven


def test_seven_lies_on_the_table_after_being_shown() -> None:
    game = setup("7C", size=4, turn_up="8C", overrides=MELDS_ONLY)
    game.apply("seven")
    assert uses(game, 0) == [("7C", ["seven"])]
    assert "7C" not in game.hand(0)
    assert legal(game) == ["exchange", "pass"], "the seven on the table may still be exchanged"


def test_seven_as_meld_is_a_declaration_of_its_own() -> None:
    override = {**MELDS_ONLY, "dix_score": "as_meld"}
    game = setup("7C KH QH", size=5, turn_up="9C", overrides=override)
    assert told(game.apply("seven")) == [(0, "seven", 10)]
    assert game.phase == "lead", "under `one` that was the declaration, and the exchange would need it too"
    game = setup("7C KH QH", size=5, turn_up="9C", overrides=override)
    game.apply("marriage H")
    assert game.phase == "lead"


def test_seven_as_meld_under_many_disjoint() -> None:
    game = setup("7C 7C KH QH", size=5, turn_up="9C", rules="finnish")
    for action in ("seven", "marriage H", "seven"):
        game.apply(action)
    assert game.scores == (40, 0)


def test_seven_as_meld_takes_the_table_copy_first() -> None:
    game = setup(
        "7C KH", size=5, table=["7C", ""], turn_up="9C", overrides={**MELDS_ONLY, "dix_score": "as_meld"}
    )
    game.apply("seven")
    assert uses(game, 0) == [("7C", ["seven"])]
    assert "7C" in game.hand(0)


@pytest.mark.parametrize("option", ["on_play", "none"])
def test_seven_is_not_offered(option: str) -> None:
    game = setup("7C KH QH", size=5, turn_up="8C", overrides={**MELDS_ONLY, "dix_score": option})
    assert "seven" not in legal(game)


def test_seven_on_show_only_from_the_hand() -> None:
    game = setup("KH QH", size=5, table=["7C", ""], turn_up="8C", overrides=MELDS_ONLY)
    assert "seven" not in legal(game)


# ----------------------------------------------------------------------------------- trump by first meld


def unfixed(hand: str, **keys: Any) -> Game:
    """A window of a game without a turn-up in which no trump is fixed."""
    overrides = {**UNFIXED, **MELDS_ONLY, **keys.pop("overrides", {})}
    return setup(hand, turn_up=None, overrides=overrides, **keys)


def test_no_trump_tricks_go_to_the_led_suit() -> None:
    game = unfixed("7H", phase="lead", size=3, theirs="AS", overrides={"trump": "first_marriage"})
    game.apply("play 7H")
    game.apply("play AS")
    assert game.seat_to_act == 0


def test_no_trump_quartets_and_beziques_may_score() -> None:
    for meld, hand, points in (
        ("bezique 1", "QS JD", 40),
        ("four A", "AS AH AD AC", 100),
        ("bezique 2", "QS QS JD JD", 500),
    ):
        game = unfixed(hand, size=5, overrides={"trump": "first_marriage"})
        assert told(game.apply(meld)) == [(0, meld, points)]
        assert game.trump is None


def test_need_trump_bars_premature_melds() -> None:
    """D11: no quartet and no bezique while trump is unfixed; a marriage fixes it."""
    game = unfixed(
        "QS JD QH QD QC KC",
        size=7,
        draw="9D 9H 8D 8H",
        overrides={"trump": "first_marriage", "premature_melds": "need_trump"},
    )
    assert legal(game) == ["marriage C", "pass"]
    game.apply("marriage C")
    next_window(game)
    assert legal(game) == ["bezique 1", "four Q", "pass"]


def test_sequence_waits_until_a_marriage_fixes_trump() -> None:
    game = unfixed("AS TS KS QS JS", size=6, draw="9D 9H 8D 8H", overrides={"trump": "first_marriage"})
    assert legal(game) == ["marriage S", "pass"]
    game.apply("marriage S")
    next_window(game)
    assert told(game.apply("sequence S")) == [(0, "sequence S", 250)]


def test_first_sequence_fixes_trump_by_option() -> None:
    game = unfixed(
        "AS TS KS QS JS KD QD", size=7, draw="9D 9H 8D 8H", overrides={"trump": "first_marriage_or_sequence"}
    )
    assert told(game.apply("sequence S")) == [(0, "sequence S", 250)]
    assert game.trump == "S"
    game.apply("play KD")
    game.apply(next(t for t in legal(game) if t[5:7] not in ("AD", "TD", "KD") and t[6] != "S"))
    assert game.why_illegal("marriage S") is not None


def test_no_plain_sequences() -> None:
    """D10: two packs know the sequence in trump only."""
    game = setup("AS TS KS QS JS", size=6, turn_up="8H", overrides=MELDS_ONLY)
    assert legal(game) == ["marriage S", "pass"]


def test_laid_meld_fixes_nothing() -> None:
    """Section 12: only a meld that scores fixes trump."""
    game = unfixed(
        "KS KH KD KC QH QC",
        size=7,
        draw="9D 9S 8D 8S",
        overrides={"trump": "first_marriage", "declare": "lay_many_score_one"},
    )
    game.apply("four K")
    assert game.apply("marriage H") == []
    assert game.trump is None
    next_window(game)
    assert told(game.apply("marriage C")) == [(0, "marriage C", 40)]
    assert game.trump == "C"


@pytest.mark.parametrize(("queen", "jack"), [("QH", "JC"), ("QD", "JS"), ("QC", "JH"), ("QS", "JD")])
def test_trump_queen_bezique_may_fix_trump(queen: str, jack: str) -> None:
    """D8: under first_marriage_sequence_or_bezique any of the four pairs scores 40 and fixes its queen's suit."""
    option = {"trump": "first_marriage_sequence_or_bezique", "bezique_pair": "trump_queen"}
    game = unfixed(f"{queen} {jack}", size=4, overrides=option)
    assert legal(game) == ["bezique 1", "pass"]
    assert told(game.apply("bezique 1")) == [(0, "bezique 1", 40)]
    assert game.trump == queen[1]
    assert sorted(game.table(0)) == sorted([queen, jack])


def test_trump_queen_double_needs_a_fixed_trump() -> None:
    """D8: bezique 2 is not legal while trump is unfixed; the single fixes it first, then it grows."""
    option = {"trump": "first_marriage_sequence_or_bezique", "bezique_pair": "trump_queen"}
    game = unfixed("QH QH JC JC", size=5, draw="9D 9S 8D 8S", overrides=option)
    assert legal(game) == ["bezique 1", "pass"]
    game.apply("bezique 1")
    next_window(game)
    assert told(game.apply("bezique 2")) == [(0, "bezique 2", 500)]


def test_trump_queen_without_a_trump_there_is_no_bezique() -> None:
    """D8: with trump_queen and only marriages fixing trump."""
    game = unfixed(
        "QS JD QH JC KC QC", size=7, overrides={"trump": "first_marriage", "bezique_pair": "trump_queen"}
    )
    assert legal(game) == ["marriage C", "pass"]


@pytest.mark.parametrize(("trump", "pair"), [("H", "QH JC"), ("D", "QD JS"), ("C", "QC JH"), ("S", "QS JD")])
def test_trump_queen_pairs(trump: str, pair: str) -> None:
    """X76 in the two-pack game: [H] QH JC, [D] QD JS, [C] QC JH, [S] QS JD, and no other."""
    hand = "QS JD QH JC QD JS"
    game = setup(pair, size=4, turn_up=f"8{trump}", overrides={**MELDS_ONLY, "bezique_pair": "trump_queen"})
    assert told(game.apply("bezique 1")) == [(0, "bezique 1", 40)]
    others = [c for c in hand.split() if c not in pair.split()]
    game = setup(
        [*others, "7" + trump],
        size=7,
        turn_up=f"8{trump}",
        overrides={**MELDS_ONLY, "bezique_pair": "trump_queen"},
    )
    if trump != "C":
        assert "bezique 1" not in legal(game)


def test_shifting_without_trump_is_the_usual_pair() -> None:
    """D8 and section 5.3: with no trump fixed use QS + JD."""
    game = unfixed("QS JD QC JH", size=5, overrides={"trump": "first_marriage", "bezique_pair": "shifting"})
    game.apply("bezique 1")
    assert sorted(game.table(0)) == ["JD", "QS"]


def test_trump_repeat_forbidden() -> None:
    """D9: last deal's trump: its marriage scores 20 and fixes nothing; the next deal knows which suit that is."""
    options = {
        **UNFIXED,
        **MELDS_ONLY,
        "trump": "first_marriage_or_sequence",
        "trump_repeat": "forbidden",
        "target": 100_000,
    }
    places = [0, 1, 2, 6, 7, 10, 11, 12]  # of the non-dealer

    def deck(hand: list[str]) -> list[str]:
        rest = PACK * 2
        for card in hand:
            rest.remove(card)
        filled = sorted(rest, key=lambda c: RANKS.index(c[0]))
        result = [""] * 64
        for place, card in zip(places, hand, strict=True):
            result[place] = card
        low = iter(filled)
        return [card or next(low) for card in result]

    hand = ["AS", "KS", "QS", "TS", "JS", "AD", "KC", "QC"]
    game = Game(rules="no_ready_trump", overrides=options, deck=deck(hand), dealer=1, episode="match")
    win(game, "AD")
    game.apply("marriage S")
    assert (game.trump, game.scores) == ("S", (40, 0))
    while not game.deals:
        game.apply(legal(game)[-1] if game.phase == "declare" else game.legal_actions()[0])
    assert game.trump is None
    assert game.view(0).last_trump == "S"
    # The same rules in a position would not know the last deal, so the second deal is dealt from a record.
    record = game.to_record()
    record["deals"][1]["deck"] = deck(hand)
    record["deals"][1]["dealer"] = 0
    record["deals"][1]["actions"] = []
    record["deals"][1]["events"] = []
    again = Game.replay(record)
    assert (again.dealer, again.seat_to_act) == (0, 1)
    win(again, "AD")
    assert "sequence S" not in legal(again), "offered only where it may fix trump"
    assert told(again.apply("marriage S")) == [(1, "marriage S", 20)]
    assert again.trump is None
    win(again, "AS")
    assert told(again.apply("marriage C")) == [(1, "marriage C", 40)]
    assert again.trump == "C"


# -------------------------------------------------------------------------------- re-use of cards (section 7A)


def scored_marriage(suit: str) -> list[dict[str, Any]]:
    return [{"seat": 0, "meld": f"marriage {suit}", "cards": [f"K{suit}", f"Q{suit}"]}]


def test_marriage_partners_may_not_marry_again() -> None:
    """SAARI 11: a QS already married may not marry a second king."""
    game = setup(
        "KC 7S", size=5, table=["KC QC", ""], scored=scored_marriage("C"), turn_up="8S", overrides=MELDS_ONLY
    )
    assert game.why_illegal("marriage C") is not None
    game = setup(
        "KC QC", size=5, table=["KC QC", ""], scored=scored_marriage("C"), turn_up="8S", overrides=MELDS_ONLY
    )
    assert told(game.apply("marriage C")) == [(0, "marriage C", 20)], "a fresh pair marries"
    assert len(game.table(0)) == 4


def test_broken_meld_is_not_renewed() -> None:
    """Section 5.1: a meld scored and broken cannot be scored again by replacing the played card."""
    game = setup("KS KH KD KC KS", size=6, turn_up="8C", draw="9D 9H 8D 8H", overrides=MELDS_ONLY)
    game.apply("four K")
    win(game, "KH table")
    assert game.phase == "lead", "KS in the hand is fresh, but KS KD KC have served"
    assert game.why_illegal("four K") is not None


def test_second_quartet_of_fresh_copies() -> None:
    """Eight aces give two quartets of fresh copies."""
    game = setup(
        "AS AH AD",
        size=7,
        table=["AS AH AD AC", ""],
        scored=[{"seat": 0, "meld": "four A", "cards": ["AS", "AH", "AD", "AC"]}],
        turn_up="8C",
        draw="AC 9H 8D 8H 9D",
        overrides=MELDS_ONLY,
    )
    assert game.phase == "lead", "three fresh aces are not enough"
    game.apply("play AC table")
    game.apply(next(t for t in legal(game) if t[6] != "C"))
    assert sorted(game.hand(0)) == ["AC", "AD", "AH", "AS"]
    assert told(game.apply("four A")) == [(0, "four A", 100)]


def test_sequence_twice_with_fresh_copies() -> None:
    game = setup(
        "AS TS KS QS JS",
        size=7,
        table=["KS QS", ""],
        scored=scored_marriage("S"),
        turn_up="8S",
        draw="9D 9H 8D 8H 9C",
        overrides=MELDS_ONLY,
    )
    game.apply("sequence S")
    # table copies first: the married KS QS serve in the sequence, the fresh pair stays in the hand
    assert sorted(c for c in game.hand(0) if c in ("KS", "QS")) == ["KS", "QS"]
    win(game, plain(game))
    assert told(game.apply("marriage S")) == [(0, "marriage S", 40)]
    assert [c for c, u in uses(game, 0) if "marriage" in u].count("KS") == 2


def test_wholly_from_the_table() -> None:
    """SAARI 12: a new meld wholly from cards already on the table, every card new to its type."""
    game = setup(
        "8H",
        size=6,
        table=["KS QS JD QH QD", ""],
        turn_up="8C",
        overrides=MELDS_ONLY,
    )
    assert legal(game) == ["marriage S", "bezique 1", "pass"]
    game.apply("bezique 1")
    assert uses(game, 0)[1:3] == [("QS", ["bezique"]), ("JD", ["bezique"])]


def test_three_groups_behave_as_both_fresh() -> None:
    """meld_groups three puts sequence and marriage together, so it needs seq_then_marriage both_fresh."""
    with pytest.raises(RulesError, match="seq_then_marriage"):
        get_rules("two_pack", "finnish", {"seq_then_marriage": "fresh_partner"})


def test_fresh_partner_needs_one_card_outside_sequences() -> None:
    """D1: both from sequences: refused; neither copy may have been married."""
    override = {**MELDS_ONLY, "seq_then_marriage": "fresh_partner"}
    cards = ["AS", "TS", "KS", "QS", "JS"]
    both = setup(
        "7S",
        size=6,
        table=[cards, ""],
        scored=[{"seat": 0, "meld": "sequence S", "cards": cards}],
        turn_up="8S",
        overrides=override,
    )
    assert both.why_illegal("marriage S") is not None
    one = setup(
        "QS",
        size=6,
        table=[cards, ""],
        scored=[{"seat": 0, "meld": "sequence S", "cards": cards}],
        turn_up="8S",
        overrides=override,
    )
    assert told(one.apply("marriage S")) == [(0, "marriage S", 40)]
    assert one.table(0).count("QS") == 2


# ------------------------------------------------------------------------------------------ double bezique


TWO_SINGLES = [
    {"seat": 0, "meld": "bezique 1", "cards": ["QS", "JD"]},
    {"seat": 0, "meld": "bezique 1", "cards": ["QS", "JD"]},
]


@pytest.mark.parametrize(
    ("option", "allowed"), [("extend_one", False), ("one_go", False), ("build_any", True)]
)
def test_double_from_two_scored_singles(option: str, allowed: bool) -> None:
    """SAARI 14: not after two singles (extend_one); POR 38 allows it (build_any)."""
    game = setup(
        "KH QH",
        size=7,
        table=["QS JD QS JD", ""],
        scored=TWO_SINGLES,
        turn_up="8C",
        overrides={**MELDS_ONLY, "double_bezique": option},
    )
    assert ("bezique 2" in legal(game)) == allowed


@pytest.mark.parametrize(("singles", "points"), [(1, 40), (2, 80)])
def test_replace_single_withdraws_the_forties(singles: int, points: int) -> None:
    """D6, D7, DUTCH 8: once the 500 is scored the single 40s disappear."""
    override = {**MELDS_ONLY, "double_bezique": "build_any", "double_credit": "replace_single"}
    game = setup(
        "KH QH",
        size=7,
        table=["QS JD QS JD", ""],
        scored=TWO_SINGLES[:singles],
        scores=[points, 0],
        turn_up="8C",
        overrides=override,
    )
    assert told(game.apply("bezique 2")) == [(0, "bezique withdrawn", -points), (0, "bezique 2", 500)]
    assert game.scores == (500, 0)


def test_replace_single_at_once_withdraws_nothing() -> None:
    override = {**MELDS_ONLY, "double_credit": "replace_single"}
    game = setup("QS QS JD JD", size=5, turn_up="8C", overrides=override)
    assert told(game.apply("bezique 2")) == [(0, "bezique 2", 500)]


def test_double_needs_all_four_unplayed() -> None:
    game = setup(
        "JD KH QH",
        size=7,
        table=["QS JD", ""],
        scored=TWO_SINGLES[:1],
        turn_up="8C",
        overrides=MELDS_ONLY,
    )
    assert "bezique 2" not in legal(game)
    assert "bezique 1" not in legal(game), "the queen has made her bezique"


# ------------------------------------------------------------------------------------------------ quartets


@pytest.mark.parametrize(("rank", "points"), [("A", 100), ("K", 80), ("Q", 60), ("J", 40)])
def test_quartet_values_of_any_suits(rank: str, points: int) -> None:
    game = setup(f"{rank}S {rank}S {rank}H {rank}H", size=5, turn_up="8C", overrides=MELDS_ONLY)
    assert told(game.apply(f"four {rank}")) == [(0, f"four {rank}", points)]


def test_four_tens_by_option() -> None:
    game = setup("TS TH TD TC KH QH", size=7, turn_up="8C", overrides=MELDS_ONLY)
    assert "four T" not in legal(game)
    game = setup("TS TH TD TC KH QH", size=7, turn_up="8C", overrides={**MELDS_ONLY, "four_tens": 90})
    assert told(game.apply("four T")) == [(0, "four T", 90)]


def test_trump_quartets_do_not_exist_with_two_packs() -> None:
    game = setup("KC KC KH KH", size=5, turn_up="8C", overrides=MELDS_ONLY)
    for rank in "ATKQJ":
        assert game.why_illegal(f"four trump {rank}") is not None
        assert game.why_illegal(f"five trump {rank}") is not None
    assert game.why_illegal("carte blanche") is not None


def test_auto_prefers_four_suits_under_the_bonus() -> None:
    """D19: KS KS on the table come first, yet the combination of four suits is preferred."""
    position: dict[str, Any] = {"size": 7, "table": ["KS KS", ""], "turn_up": "8C"}
    plain_rules = setup("KH KD KC", **position, overrides=MELDS_ONLY)
    plain_rules.apply("four K")
    assert plain_rules.table(0) == ["KS", "KS", "KH", "KD"]
    bonus = setup("KH KD KC", **position, overrides={**MELDS_ONLY, "quartet_suits_bonus": "x2"})
    assert told(bonus.apply("four K")) == [(0, "four K", 160)]
    assert sorted(bonus.table(0)) == ["KC", "KD", "KH", "KS", "KS"]


# ------------------------------------------------------------------------------------------ order of choice


def test_auto_table_copies_before_hand_copies() -> None:
    game = setup("KH QH", size=5, table=["KH", ""], turn_up="8C", overrides=MELDS_ONLY)
    game.apply("marriage H")
    assert game.table(0) == ["KH", "QH"]
    assert "KH" in game.hand(0)


def test_auto_most_used_table_copy_first() -> None:
    game = setup(
        "QH",
        size=5,
        table=["KH KH", ""],
        scored=[{"seat": 0, "meld": "four K", "cards": ["KH"]}],
        turn_up="8C",
        overrides=MELDS_ONLY,
    )
    # `scored` marks the first copy that lies there: it is used most and goes first
    game.apply("marriage H")
    assert uses(game, 0) == [("KH", ["four", "marriage"]), ("KH", []), ("QH", ["marriage"])]


def test_auto_quartet_by_card_id_in_the_hand() -> None:
    game = setup("KS KS KH KD KC", size=6, turn_up="8C", overrides=MELDS_ONLY)
    game.apply("four K")
    assert sorted(game.table(0)) == ["KD", "KH", "KS", "KS"]
    assert "KC" in game.hand(0)


def test_auto_takes_the_first_combination_the_rules_allow() -> None:
    """The married KH lies first, but may not marry again; the fresh one in the hand does."""
    game = setup(
        "KH QH", size=5, table=["KH QH", ""], scored=scored_marriage("H"), turn_up="8C", overrides=MELDS_ONLY
    )
    game.apply("marriage H")
    assert len(game.table(0)) == 4


def test_playing_from_the_table_takes_the_most_used_copy() -> None:
    """D23: then the earliest laid."""
    game = setup(
        "9H",
        size=4,
        phase="lead",
        table=["KD KH KH", ""],
        scored=[{"seat": 0, "meld": "marriage H", "cards": ["KH"]}],
        turn_up="8C",
        overrides=MELDS_ONLY,
    )
    win(game, "KH table")
    assert uses(game, 0) == [("KD", []), ("KH", [])]


def test_hand_and_table_copies_are_different_plays() -> None:
    game = setup("KH", size=3, phase="lead", table=["KH", ""], turn_up="8C", overrides=MELDS_ONLY)
    assert {"play KH", "play KH table"} <= set(legal(game))
    win(game, "KH")
    assert game.table(0) == ["KH"]


def test_of_two_sevens_in_hand_the_unscored_is_played_first() -> None:
    """Section 12, end: of several trump sevens in one hand, one that has not scored is played first."""
    game = setup(
        "7C 9H", "8H 8D", size=3, table=["7C", ""], turn_up="9C", draw="8S", phase="lead",
        scored=[{"seat": 0, "meld": "seven", "cards": ["7C"]}], overrides=MELDS_ONLY,
    )  # fmt: skip
    win(game, "9H", "8H")
    game.apply("pass")  # the seven could be shown or exchanged
    assert game.phase == "endgame_lead"
    assert game.hand(0).count("7C") == 2
    assert told(game.apply("play 7C")) == [(0, "trump seven", 10)]
    game.apply(legal(game)[0])
    if game.seat_to_act == 0:
        assert [e for e in told(game.apply("play 7C")) if e[1] == "trump seven"] == []


# -------------------------------------------------------------------------------------------- explicit selection


EXPLICIT = {**MELDS_ONLY, "selection": "explicit"}


def test_explicit_copies_are_chosen_one_at_a_time() -> None:
    """D18: K then Q; the declaration scores when it is complete; no way back."""
    game = setup("KH QH", size=5, table=["KH", ""], turn_up="8C", overrides=EXPLICIT)
    assert game.apply("marriage H") == []
    assert game.phase == "select"
    assert legal(game) == ["use KH", "use KH table"]
    assert game.apply("use KH") == []
    assert legal(game) == ["use QH"]
    assert told(game.apply("use QH")) == [(0, "marriage H", 40 if game.trump == "H" else 20)]
    assert game.table(0) == ["KH", "KH", "QH"]


def test_explicit_quartet_in_any_order() -> None:
    game = setup("KS KS KH KD KC", size=6, turn_up="8C", overrides=EXPLICIT)
    game.apply("four K")
    for text in ("use KC", "use KS", "use KH"):
        assert text in legal(game)
        game.apply(text)
    assert legal(game) == ["use KS", "use KD"]
    assert told(game.apply("use KS")) == [(0, "four K", 80)]
    assert "KD" in game.hand(0)


def test_explicit_offers_only_what_can_be_completed() -> None:
    game = setup(
        "KH QH", size=5, table=["KH QH", ""], scored=scored_marriage("H"), turn_up="8C", overrides=EXPLICIT
    )
    game.apply("marriage H")
    assert legal(game) == ["use KH"], "the king on the table is married"
    assert game.why_illegal("use KH table") is not None
    assert game.why_illegal("pass") is not None


def test_explicit_sequence_order_is_named_order() -> None:
    game = setup("AC TC KC QC JC", size=6, turn_up="8C", overrides=EXPLICIT)
    game.apply("sequence C")
    for rank in "ATKQJ":
        assert legal(game) == [f"use {rank}C"]
        game.apply(f"use {rank}C")
    assert game.scores == (250, 0)


def test_explicit_double_chooses_queens_then_jacks() -> None:
    game = setup("QS QS JD JD", size=5, turn_up="8C", overrides=EXPLICIT)
    game.apply("bezique 2")
    for text in ("use QS", "use QS", "use JD", "use JD"):
        assert legal(game) == [text]
        events = game.apply(text)
    assert told(events) == [(0, "bezique 2", 500)]


def test_explicit_sevens_and_exchange_ask_for_no_copies() -> None:
    game = setup("7C KH QH", size=5, turn_up="8C", overrides=EXPLICIT)
    game.apply("seven")
    assert game.phase == "declare"
    assert game.scores == (10, 0)


def test_explicit_laying_must_contain_a_hand_card() -> None:
    """D18: while laying unscored, the choice must stay completable with a hand card."""
    game = setup(
        "KD QD QC",
        size=6,
        table=["KC QC", ""],
        turn_up="8S",
        overrides={**EXPLICIT, "declare": "lay_many_score_one"},
    )
    for text in ("marriage D", "use KD", "use QD"):
        game.apply(text)
    game.apply("marriage C")
    assert legal(game) == ["use KC table"]
    game.apply("use KC table")
    assert legal(game) == ["use QC"], "QC of the table would move nothing"
    assert game.apply("use QC") == []
    assert game.scores == (20, 0)


# ------------------------------------------------------------------------------------------------- endgame


def test_endgame_table_cards_return_to_the_hands_and_stay_known() -> None:
    game = setup(
        "9H", "8H", size=4, phase="lead", table=["KD", "KS"], turn_up="8C", draw="9D", overrides=MELDS_ONLY
    )
    win(game, "9H", "8H")
    assert game.phase == "endgame_lead"
    assert game.table(0) == game.table(1) == []
    assert "KD" in game.hand(0)
    assert game.view(1).known[0] == ["KD"]
    assert game.view(0).known[1] == ["KS", "8C"] or sorted(game.view(0).known[1]) == ["8C", "KS"]


@pytest.mark.parametrize(
    ("rule", "theirs", "allowed"),
    [
        # led QH; trump C
        ("follow_trump_head", "KH 9H 8C AD", "KH"),
        ("follow_trump", "KH 9H 8C AD", "KH 9H"),
        ("follow_only", "KH 9H 8C AD", "KH 9H"),
        # an equal card does not beat (D22)
        ("follow_trump_head", "QH 9H 8C AD", "QH 9H"),
        # cannot head: any card of the suit
        ("follow_trump_head", "JH 9H 8C AD", "JH 9H"),
        # void: trump
        ("follow_trump_head", "9C 8C AD KD", "9C 8C"),
        ("follow_trump", "9C 8C AD KD", "9C 8C"),
        ("follow_only", "9C 8C AD KD", "9C 8C AD KD"),
        # void, no trump: free
        ("follow_trump_head", "AS 8S AD KD", "AS 8S AD KD"),
    ],
)
def test_endgame_duties_on_a_plain_lead(rule: str, theirs: str, allowed: str) -> None:
    game = setup(
        "QH 9D 8D 7S",
        theirs,
        phase="endgame",
        trump="C",
        turn_up=None,
        overrides={**MELDS_ONLY, "endgame": rule},
    )
    game.apply("play QH")
    assert set(legal(game)) == {f"play {c}" for c in allowed.split()}


@pytest.mark.parametrize(
    ("rule", "allowed"), [("follow_trump_head", "KC"), ("follow_trump", "KC 8C"), ("follow_only", "KC 8C")]
)
def test_endgame_duties_on_a_trump_lead(rule: str, allowed: str) -> None:
    game = setup(
        "QC 9D 8D 7S",
        "KC 8C AD AH",
        phase="endgame",
        trump="C",
        turn_up=None,
        overrides={**MELDS_ONLY, "endgame": rule},
    )
    game.apply("play QC")
    assert set(legal(game)) == {f"play {c}" for c in allowed.split()}


@pytest.mark.parametrize(("theirs", "allowed"), [("KH 9H 8C AD", "KH"), ("9C 8C AD KD", "9C 8C AD KD")])
def test_endgame_without_trump_follow_and_head_only(theirs: str, allowed: str) -> None:
    game = setup(
        "QH 9D 8D 7S",
        theirs,
        phase="endgame",
        turn_up=None,
        overrides={**MELDS_ONLY, **UNFIXED, "trump": "first_marriage"},
    )
    game.apply("play QH")
    assert set(legal(game)) == {f"play {c}" for c in allowed.split()}


def test_endgame_winner_of_the_last_stock_trick_leads() -> None:
    game = setup("9H 8D", "TH 7D", phase="lead", turn_up="8C", draw="9D", overrides=MELDS_ONLY)
    game.apply("play 9H")
    game.apply("play TH")
    assert (game.phase, game.seat_to_act) == ("endgame_lead", 1)


# ------------------------------------------------------------------------------------------- end of a deal


def brisque_hands() -> tuple[list[str], list[str]]:
    brisques = [r + s for s in SUITS for r in "AT"] * 2
    return brisques[:9], brisques[9:]


@pytest.mark.parametrize("dealer", [0, 1])
def test_final_credits_last_trick_then_brisques_non_dealer_first(dealer: int) -> None:
    first, second = brisque_hands()
    game = setup(
        "9C", "8C", phase="endgame", trump="C", turn_up=None, won=[first, second], dealer=dealer,
        overrides={"brisques": "at_hand_end"},
    )  # fmt: skip
    game.apply("play 9C")
    points = {0: (0, "brisques", 90), 1: (1, "brisques", 70)}
    assert told(game.apply("play 8C")) == [(0, "last trick", 10), points[1 - dealer], points[dealer]]


def test_last_trick_on_the_last_stock_trick() -> None:
    """D15: paid at trick 24; the final trick then pays none."""
    game = setup(
        "9H 8D",
        "8H 7D",
        phase="lead",
        turn_up="8C",
        draw="9D",
        overrides={**MELDS_ONLY, "last_trick": "last_stock"},
    )
    game.apply("play 9H")
    assert told(game.apply("play 8H")) == [(0, "last trick", 10)]
    while not game.is_over:
        assert game.apply(game.legal_actions()[0]) == []
    assert game.scores == (10, 0)


def end_of_match(scores: list[int], **overrides: Any) -> Game:
    """Last trick (10 to seat 0), then 9 brisques of seat 0 and 7 of seat 1, dealer 0."""
    first, second = brisque_hands()
    game = setup(
        "9C", "8C", phase="endgame", trump="C", turn_up=None, won=[first, second], dealer=0, scores=scores,
        episode="match", overrides={"brisques": "at_hand_end", **overrides},
    )  # fmt: skip
    game.apply("play 9C")
    game.apply("play 8C")
    return game


def test_match_higher_total_wins_when_both_are_over() -> None:
    """Seat 0: 920 + 10 + 90 = 1,020; seat 1: 940 + 70 = 1,010, counted first (dealer 0)."""
    game = end_of_match([920, 940])
    assert game.is_over
    assert game.match_scores == (1020, 1010)
    assert game.returns("win") == (1, -1)


def test_match_count_order_lets_the_first_over_win() -> None:
    game = end_of_match([920, 940], both_over="count_order")
    assert game.match_scores == (1020, 1010)
    assert game.returns("win") == (-1, 1), "the non-dealer counted out first"


def test_match_immediate_stops_at_the_very_credit() -> None:
    game = end_of_match([920, 940], game_end="immediate")
    assert game.is_over
    assert game.match_scores == (930, 1010), "seat 0's brisques are no longer counted"
    assert game.returns("win") == (-1, 1)


def test_match_immediate_stops_in_the_middle_of_a_deal() -> None:
    game = setup(
        "KH QH",
        "8S 9S",
        size=5,
        turn_up="8C",
        scores=[980, 300],
        overrides={**MELDS_ONLY, "game_end": "immediate"},
    )
    game.apply("marriage H")
    assert game.is_over
    assert game.phase == "over"
    assert game.seat_to_act == -1
    assert game.legal_actions() == []
    assert game.returns("win") == (2, -2), "300 is below 500: a double win"


def test_match_deal_end_plays_the_deal_out() -> None:
    game = setup("KH QH", "8S 9S", size=5, turn_up="8C", scores=[980, 300], overrides=MELDS_ONLY)
    game.apply("marriage H")
    assert not game.is_over


def test_match_equal_totals_play_another_deal() -> None:
    """Both over and equal: 910 + 10 + 90 and 940 + 70 are 1,010 each, so another deal."""
    game = end_of_match([910, 940])
    assert not game.is_over
    assert len(game.deals) == 1
    turned = [e for e in game.events if e.what == "turned seven"]
    assert sum(game.match_scores) == 1010 + 1010 + sum(e.points for e in turned)
    assert game.dealer == 1


@pytest.mark.parametrize(("dealer", "winner"), [(0, 1), (1, 0)])
def test_match_equal_totals_by_count_order(dealer: int, winner: int) -> None:
    """1,010 each, but the non-dealer's brisques are counted first and reach the target."""
    first, second = brisque_hands()
    game = setup(
        "9C", "8C", phase="endgame", trump="C", turn_up=None, won=[first, second], dealer=dealer, scores=[910, 940],
        episode="match", overrides={"brisques": "at_hand_end", "both_over": "count_order"},
    )  # fmt: skip
    game.apply("play 9C")
    game.apply("play 8C")
    assert game.match_scores == (1010, 1010)
    assert game.returns("win")[winner] == 1


def test_match_record_of_a_deal_begun_from_a_position_keeps_its_scores() -> None:
    """The scores of the finished deal are those of the deal, the points set up included."""
    game = end_of_match([910, 940])
    assert game.deals[0]["scores"] == [1010, 1010]


def test_match_below_the_target_goes_on() -> None:
    game = end_of_match([100, 200])
    assert not game.is_over
    assert len(game.deals) == 1
    turned = sum(e.points for e in game.events)
    assert sum(game.match_scores) == 100 + 200 + 10 + 160 + turned


@pytest.mark.parametrize(("under", "pays"), [(500, 2), (0, 1), (480, 1), (490, 2)])
def test_double_win_limit(under: int, pays: int) -> None:
    """A16: a loser below the limit pays double; 0 switches it off; exactly the limit is safe."""
    game = setup(
        "9C", "8C", phase="endgame", trump="C", turn_up=None, scores=[1000, 480],
        overrides={**MELDS_ONLY, "double_win_under": under},
    )  # fmt: skip
    game.apply("play 9C")
    game.apply("play 8C")
    assert game.returns("win") == (pays, -pays)


def test_deal_below_the_target_is_a_single_win() -> None:
    game = setup("9C", "8C", phase="endgame", trump="C", turn_up=None, scores=[300, 20], overrides=MELDS_ONLY)
    game.apply("play 9C")
    game.apply("play 8C")
    assert game.returns("win") == (1, -1)
    assert game.returns("score_difference") == (290, -290)


def test_equal_deal_is_a_tie() -> None:
    game = setup(
        "9C", "8C", phase="endgame", trump="C", turn_up=None, scores=[300, 310], overrides=MELDS_ONLY
    )
    game.apply("play 9C")
    game.apply("play 8C")
    assert game.scores == (310, 310)
    assert game.returns("win") == (0, 0)


@pytest.mark.parametrize(
    ("scores", "pays"),
    [((1040, 480), 2), ((1040, 500), 1), ((480, 1040), -2), ((990, 100), 1), ((700, 700), 0)],
)
def test_settle_pays_games(scores: tuple[int, int], pays: int) -> None:
    assert settle(get_rules("two_pack"), scores) == (pays, -pays)


# --------------------------------------------------------------------------------------------- events


def test_events_order_within_a_trick() -> None:
    """D14: the trump seven just played, then the brisques of the trick, then the last trick."""
    game = setup(
        "AH 8D", "7C 9D", phase="lead", turn_up="8C", draw="9H", overrides={"last_trick": "last_stock"}
    )
    game.apply("play AH")
    events = game.apply("play 7C")
    assert told(events) == [(1, "trump seven", 10), (1, "brisques", 10), (1, "last trick", 10)]
    assert {e.action_index for e in events} == {1}


def test_events_carry_the_index_of_their_action() -> None:
    game = setup("7C KH QH", "8D 9D", size=5, turn_up="8C", overrides=MELDS_ONLY)
    game.apply("seven")
    game.apply("marriage H")
    assert [tuple(e) for e in game.events] == [(0, 0, "seven", 10), (1, 0, "marriage H", 20)]


def test_view_scores_of_the_deal_and_the_match() -> None:
    """D28."""
    game = setup(
        "KH QH",
        size=5,
        turn_up="8C",
        scores=[10, 20],
        match_scores=[300, 400],
        episode="match",
        overrides=MELDS_ONLY,
    )
    game.apply("marriage H")
    assert game.view(1).scores == (30, 20)
    assert game.view(1).match_scores == (330, 420)


@pytest.mark.parametrize("suit", list(SUITS))
@pytest.mark.parametrize("trump", list(SUITS))
def test_marriage_values(suit: str, trump: str) -> None:
    game = setup(f"K{suit} Q{suit}", size=4, turn_up=f"8{trump}", overrides=MELDS_ONLY)
    game.apply(f"marriage {suit}")
    assert game.scores == ((40 if suit == trump else 20), 0)
