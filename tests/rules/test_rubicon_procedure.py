"""Rubicon, Chinese and eight-pack Bezique clause by clause (rules/bezique.md sections 4, 7B, 9 and 12).

Tests are named after the clause or the option they prove; expected values are worked out by hand from the page.
Positions with four packs have trump C unless they say otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bezique_env.cards import SUITS
from bezique_env.game import Game, IllegalAction
from bezique_env.rules import RulesError, get_rules
from bezique_env.rules.bezique.cards import CARD_TEXTS
from tests.rules.setup import (
    HANDS,
    PACKS,
    chinese,
    dealt,
    eight,
    entry,
    legal,
    many_packs,
    next_window,
    play_out,
    refused,
    rubicon,
    seen,
    told,
    uses,
    win,
)

VARIANTS = ["rubicon", "chinese", "eight_pack"]
CARTE = ["rubicon", "chinese"]
KEEP = "KH QH"
"""A marriage of hearts that keeps a window open, so that the refusal of something else can be asked for."""

# --------------------------------------------------------------------------------- setting out (sections 4, 5.5-5.7)


@pytest.mark.parametrize(
    ("variant", "hand", "stock", "stock_tricks", "endgame_tricks"),
    [("rubicon", 9, 110, 55, 9), ("chinese", 12, 168, 84, 12), ("eight_pack", 15, 226, 113, 15)],
)
def test_counts(variant: str, hand: int, stock: int, stock_tricks: int, endgame_tricks: int) -> None:
    """Section 4: hands, stock, tricks while cards are drawn and after."""
    game = Game(variant, seed=5)
    assert len(game.hand(0)) == len(game.hand(1)) == hand
    assert game.view(0).stock_left == stock
    assert (game.turn_up, game.trump) == (None, None)
    made = play_out(game)
    assert made["lead"] == made["follow"] == stock_tricks
    assert made["endgame_lead"] == made["endgame_follow"] == endgame_tricks
    won = [len(game.view(0).won[seat]) for seat in (0, 1)]
    assert sum(won) == 32 * PACKS[variant]


def test_counts_of_brisques_with_four_packs() -> None:
    game = Game("rubicon", seed=8)
    play_out(game)
    assert sum(game.view(0).brisques) == 32


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("dealer", [0, 1])
def test_setting_out_non_dealer_leads(variant: str, dealer: int) -> None:
    game = Game(variant, dealer=dealer, deck=dealt(variant, "KH", "KD"))
    assert (game.seat_to_act, game.phase) == (1 - dealer, "lead")


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("packets", ["threes", "singles", None])
@pytest.mark.parametrize("dealer", [0, 1])
def test_setting_out_packets(variant: str, packets: str | None, dealer: int) -> None:
    """POR 10 threes, PKW singles; Rubicon deals threes by default, the larger games singles; non-dealer first."""
    size = HANDS[variant]
    threes = packets == "threes" or (packets is None and variant == "rubicon")
    places = [6 * (k // 3) + k % 3 for k in range(size)] if threes else [2 * k for k in range(size)]
    deck = list(CARD_TEXTS) * PACKS[variant]
    overrides = {} if packets is None else {"deal_packets": packets}
    game = Game(variant, deck=deck, dealer=dealer, overrides=overrides)
    assert sorted(game.hand(1 - dealer)) == sorted(deck[p] for p in places)
    assert sorted(game.hand(dealer)) == sorted(deck[p] for p in range(2 * size) if p not in places)


@pytest.mark.parametrize("variant", VARIANTS)
def test_setting_out_the_stock_follows_the_hands_winner_draws_first(variant: str) -> None:
    game = Game(variant, deck=dealt(variant, "AH", "JH 7H", stock="QC QD"), dealer=1)
    win(game, "AH", "7H")
    assert "QC" in game.hand(0)
    assert "QD" in game.hand(1)


@pytest.mark.parametrize(("draws", "first"), [("shared", 1), ("queues", 0)])
def test_setting_out_draws(draws: str, first: int) -> None:
    """D20: shared: the winner takes the next card; queues: the non-dealer takes the first, whoever wins."""
    deck = dealt("rubicon", "KD 7H", "KC 8H", stock="QS QD")
    game = Game("rubicon", deck=deck, dealer=1, draws=draws)
    game.apply("play 7H")
    game.apply("play 8H")
    assert game.seat_to_act == 1
    assert "QS" in game.hand(first)
    assert "QD" in game.hand(1 - first)


@pytest.mark.parametrize("variant", VARIANTS)
def test_last_draw_is_as_any_other(variant: str) -> None:
    """Section 4: no turn-up waits, so the winner takes the last card but one, the loser the last."""
    game = many_packs(variant, "AH", phase="lead", draw="QS QD")
    win(game, "AH")
    assert game.phase == "endgame_lead"
    assert "QS" in game.hand(0)
    assert "QD" in game.hand(1)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    ("trump", "lead", "reply", "winner"),
    [
        (None, "7H", "AS", 0),  # no trump fixed yet: only the led suit counts
        (None, "9H", "TH", 1),
        ("C", "AH", "7C", 1),
        ("C", "AC", "AC", 0),  # of identical cards the first
        ("C", "QH", "KD", 0),
    ],
)
def test_trick_comparison(variant: str, trump: str | None, lead: str, reply: str, winner: int) -> None:
    game = many_packs(variant, f"{lead} KH", f"{reply} KS", phase="lead", trump=trump)
    game.apply(f"play {lead}")
    game.apply(f"play {reply}")
    assert game.seat_to_act == winner
    assert game.scores == (0, 0), "aces, tens and trump sevens score nothing here"


@pytest.mark.parametrize("variant", VARIANTS)
def test_random_dealer_comes_from_the_seed(variant: str) -> None:
    dealers = [Game(variant, seed=seed).dealer for seed in range(24)]
    assert dealers == [Game(variant, seed=seed).dealer for seed in range(24)]
    assert set(dealers) == {0, 1}


# ------------------------------------------------------------------------------------------ carte blanche (D30)


@pytest.mark.parametrize(("variant", "points"), [("rubicon", 50), ("chinese", 250)])
@pytest.mark.parametrize("dealer", [0, 1])
def test_carte_blanche_asks_the_non_dealer_first(variant: str, points: int, dealer: int) -> None:
    game = Game(variant, deck=dealt(variant), dealer=dealer)
    assert (game.phase, game.seat_to_act) == ("carte_blanche", 1 - dealer)
    assert legal(game) == ["carte blanche", "pass"]
    assert not game.legal_mask(dealer).any()
    assert told(game.apply("carte blanche")) == [(1 - dealer, "carte blanche", points)]
    assert (game.phase, game.seat_to_act) == ("carte_blanche", dealer)
    assert told(game.apply("carte blanche")) == [(dealer, "carte blanche", points)]
    assert (game.phase, game.seat_to_act) == ("lead", 1 - dealer)
    assert game.scores == (points, points)
    assert [tuple(e) for e in game.events] == [
        (0, 1 - dealer, "carte blanche", points),
        (1, dealer, "carte blanche", points),
    ]


@pytest.mark.parametrize("variant", CARTE)
def test_carte_blanche_asks_only_where_the_hand_qualifies(variant: str) -> None:
    game = Game(variant, deck=dealt(variant, "KH", ""), dealer=1)
    assert (game.phase, game.seat_to_act) == ("carte_blanche", 1)
    game.apply("pass")
    assert (game.phase, game.seat_to_act) == ("lead", 0)
    game = Game(variant, deck=dealt(variant, "", "KH"), dealer=1)
    assert game.seat_to_act == 0
    game.apply("carte blanche")
    assert (game.phase, game.seat_to_act) == ("lead", 0)
    game = Game(variant, deck=dealt(variant, "KH", "JD"), dealer=1)
    assert game.phase == "lead"
    assert game.why_illegal("carte blanche") is not None


@pytest.mark.parametrize(
    ("variant", "preset", "overrides", "courts"),
    [
        ("rubicon", "saari", {}, "AKQJ"),
        ("rubicon", "portland", {}, "KQJ"),
        ("rubicon", "bicycle", {}, "KQJ"),
        ("rubicon", "saari", {"carte_blanche_courts": "KQJ"}, "KQJ"),
        ("rubicon", "portland", {"carte_blanche_courts": "AKQJ"}, "AKQJ"),
        ("chinese", "saari", {}, "AKQJ"),
        ("chinese", "saari", {"carte_blanche_courts": "KQJ"}, "KQJ"),
    ],
)
@pytest.mark.parametrize("rank", list("ATKQJ9"))
def test_carte_blanche_courts(
    variant: str, preset: str, overrides: dict[str, Any], courts: str, rank: str
) -> None:
    """A10: SAARI counts aces as courts, POR 15, 16 and 43 K Q J only; a ten is none."""
    deck = dealt(variant, f"{rank}H", "JD")
    game = Game(variant, rules=preset, overrides=overrides, deck=deck, dealer=1)
    assert game.phase == ("lead" if rank in courts else "carte_blanche")


def test_carte_blanche_does_not_exist_with_eight_packs() -> None:
    game = Game("eight_pack", deck=dealt("eight_pack"), dealer=1)
    assert game.phase == "lead"
    sentence = game.why_illegal("carte blanche")
    assert sentence is not None
    assert sentence.endswith(".")


@pytest.mark.parametrize("variant", CARTE)
def test_carte_blanche_offers_nothing_else(variant: str) -> None:
    game = Game(variant, deck=dealt(variant, "7H", ""), dealer=1)
    for text in ("play 7H", "marriage S"):
        sentence = game.why_illegal(text)
        assert sentence is not None
        assert sentence.endswith(".")
        with pytest.raises(IllegalAction):
            game.apply(text)
    assert game.phase == "carte_blanche"


def test_carte_blanche_hand_is_known_to_all_minus_what_is_played() -> None:
    hand = "TH 9H 9H 8H 7D 7D 8D 9D 9C"
    game = Game("rubicon", deck=dealt("rubicon", hand, "JH 7H 7D", stock="8C KS KC KS"), dealer=1)
    assert game.view(1).known[0] == []
    game.apply("carte blanche")
    for seat in (0, 1):
        assert game.view(seat).known[0] == game.hand(0)
    assert game.view(1).known[1] == []
    win(game, "9H", "7H")
    assert game.phase == "carte_blanche"
    assert sorted(game.view(1).known[0]) == sorted(["TH", "9H", "8H", "7D", "7D", "8D", "9D", "9C"]), (
        "8C is not shown yet"
    )
    game.apply("carte blanche")
    assert game.view(1).known[0] == game.hand(0)
    assert "8C" in game.view(1).known[0]
    win(game, "9D", "7D")
    assert game.phase == "lead"
    assert "KC" in game.hand(0)
    assert sorted(game.view(1).known[0]) == sorted(["TH", "9H", "8H", "7D", "7D", "8D", "9C", "8C"]), (
        "a court is not shown"
    )


def test_carte_blanche_declined_shows_nothing_and_is_not_asked_again() -> None:
    deck = dealt("rubicon", "9H 9D", "JH 7H 7D", stock="8C KS 8C KS")
    game = Game("rubicon", deck=deck, dealer=1)
    assert game.apply("pass") == []
    assert game.view(1).known[0] == []
    for lead, reply in (("9H", "7H"), ("9D", "7D")):
        win(game, lead, reply)
        assert game.phase == "lead", "an eight was drawn, but the seat had not shown"
    assert game.scores == (0, 0)


def test_carte_blanche_a_pass_ends_it() -> None:
    deck = dealt("rubicon", "9H 9D 9C", "JH 7H 7D 7C", stock="8C KS 8D KS 8H KS")
    game = Game("rubicon", deck=deck, dealer=1)
    game.apply("carte blanche")
    win(game, "9H", "7H")
    assert (game.phase, game.seat_to_act) == ("carte_blanche", 0)
    assert game.apply("pass") == []
    assert "8C" not in game.view(1).known[0], "what was not shown is not known"
    win(game, "9D", "7D")
    assert game.phase == "lead"
    win(game, "9C", "7C")
    assert game.phase == "lead"
    assert game.scores == (50, 0)


def test_carte_blanche_a_court_ends_it() -> None:
    deck = dealt("rubicon", "9H 9D", "JH 7H 7D", stock="QC KS 8D KS")
    game = Game("rubicon", deck=deck, dealer=1)
    game.apply("carte blanche")
    win(game, "9H", "7H")
    assert game.phase == "lead"
    win(game, "9D", "7D")
    assert game.phase == "lead"
    assert game.scores == (50, 0)


def test_carte_blanche_goes_on_for_the_loser_of_the_trick() -> None:
    """Asked after each own draw, before anyone leads."""
    game = Game("rubicon", deck=dealt("rubicon", "AH", "7H", stock="9C 8C"), dealer=1)
    assert game.seat_to_act == 1
    game.apply("carte blanche")
    game.apply("play AH")
    game.apply("play 7H")
    assert "8C" in game.hand(1)
    assert (game.phase, game.seat_to_act) == ("carte_blanche", 1)
    assert told(game.apply("carte blanche")) == [(1, "carte blanche", 50)]
    assert (game.phase, game.seat_to_act) == ("lead", 0), "the winner of the trick leads"


@pytest.mark.parametrize("winner", [0, 1])
def test_carte_blanche_both_draw_before_the_asking_winner_first(winner: int) -> None:
    game = Game("rubicon", deck=dealt("rubicon", "8H", "7H 9H", stock="9C 8C"), dealer=1)
    game.apply("carte blanche")
    game.apply("carte blanche")
    game.apply("play 8H")
    game.apply("play 9H" if winner else "play 7H")
    assert (game.phase, game.seat_to_act) == ("carte_blanche", winner)
    assert len(game.hand(0)) == len(game.hand(1)) == 9
    game.apply("carte blanche")
    assert (game.phase, game.seat_to_act) == ("carte_blanche", 1 - winner)
    game.apply("pass")
    assert (game.phase, game.seat_to_act) == ("lead", winner)
    assert game.scores == ((100, 100 - 50) if winner == 0 else (50, 100))


def test_carte_blanche_after_the_last_draw_before_the_endgame() -> None:
    mine = "9H 9D 8D 8C 7C 7C 7D 7D 8S"
    game = rubicon(mine, phase="lead", carte=[1, 0], known=[mine.split(), []], draw="8H KS")
    win(game, "9H")
    assert (game.phase, game.seat_to_act) == ("carte_blanche", 0)
    assert told(game.apply("carte blanche")) == [(0, "carte blanche", 50)]
    assert (game.phase, game.seat_to_act) == ("endgame_lead", 0)
    assert game.view(1).known[0] == game.hand(0)
    assert "carte_blanche" not in play_out(game), "nothing is drawn any more"


def test_carte_blanche_position() -> None:
    """A set-up position may stand where the question is asked."""
    game = rubicon(phase="carte_blanche", trump=None)
    assert (game.phase, game.seat_to_act) == ("carte_blanche", 0)
    assert legal(game) == ["carte blanche", "pass"]
    assert told(game.apply("carte blanche")) == [(0, "carte blanche", 50)]


def test_carte_blanche_comes_after_the_declaring_window_and_the_draw() -> None:
    """Section 4: 4. the winner's window, 5. the draw, 6. the carte blanche, 7. the winner leads."""
    deck = dealt("rubicon", "AS AH AD AC 9H", "JH 7H", stock="8S")
    game = Game("rubicon", rules="portland", deck=deck, dealer=1)
    game.apply("carte blanche")
    win(game, "9H", "7H")
    assert game.phase == "declare"
    game.apply("four A")
    assert (game.phase, game.seat_to_act) == ("carte_blanche", 0)
    assert "8S" in game.hand(0)
    game.apply("carte blanche")
    assert game.scores == (50 + 100 + 50, 0)


# ------------------------------------------------------------------------------------------ the declaring window


@pytest.mark.parametrize("variant", VARIANTS)
def test_window_belongs_to_the_winner_only(variant: str) -> None:
    game = many_packs(variant, "9H KC QC", "TH KD QD", phase="lead", trump="S")
    game.apply("play 9H")
    game.apply("play TH")
    assert (game.seat_to_act, game.phase) == (1, "declare")
    assert legal(game) == ["marriage D", "pass"]
    game.apply("pass")
    assert (game.seat_to_act, game.phase) == (1, "lead")


@pytest.mark.parametrize("variant", VARIANTS)
def test_window_is_skipped_when_only_pass_would_be_legal(variant: str) -> None:
    game = many_packs(variant, "TH", phase="lead")
    win(game, "TH")
    assert game.phase == "lead"


@pytest.mark.parametrize("variant", VARIANTS)
def test_window_opens_before_the_draw_and_once_more_before_the_last(variant: str) -> None:
    game = many_packs(variant, "KD QH", phase="lead", draw="QD KS KH QS")
    win(game, next(c for c in game.hand(0) if c[0] in "789"))
    assert game.phase == "lead", "QD was drawn after the trick"
    win(game, next(c for c in game.hand(0) if c[0] in "789"))
    assert legal(game) == ["marriage D", "pass"], "KH will be drawn: too late for a marriage of hearts"
    game.apply("marriage D")
    assert game.phase == "endgame_lead"
    assert game.why_illegal("marriage H") is not None, "no melds in the endgame"
    assert game.table(0) == []
    assert game.view(1).known[0] == ["QD", "KD"], "table cards are back in the hand and stay known"


@pytest.mark.parametrize("variant", VARIANTS)
def test_window_one_scoring_declaration(variant: str) -> None:
    game = many_packs(variant, "KS QS KD QD", phase="declare")
    game.apply("marriage S")
    assert game.phase == "lead"
    with pytest.raises(IllegalAction):
        game.apply("marriage D")


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_dix(variant: str) -> None:
    """Section 5.5: no turn-up and no value for the trump seven."""
    game = many_packs(variant, f"7C {KEEP}", phase="declare")
    refused(game, "seven", "exchange")
    game.apply("pass")
    assert win(game, "7C") == []


# ------------------------------------------------------------------------------------------------- endgame


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    ("rule", "trump", "theirs", "allowed"),
    [
        ("follow_trump_head", "C", "KH 9H 8C AD", "KH"),
        ("follow_trump", "C", "KH 9H 8C AD", "KH 9H"),
        ("follow_only", "C", "KH 9H 8C AD", "KH 9H"),
        ("follow_trump_head", "C", "QH 9H 8C AD", "QH 9H"),
        ("follow_trump_head", "C", "9C 8C AD KD", "9C 8C"),
        ("follow_only", "C", "9C 8C AD KD", "9C 8C AD KD"),
        ("follow_trump_head", None, "KH 9H 8C AD", "KH"),
        ("follow_trump_head", None, "9C 8C AD KD", "9C 8C AD KD"),
    ],
)
def test_endgame_duties(variant: str, rule: str, trump: str | None, theirs: str, allowed: str) -> None:
    """POR 55, A12: follow and win if able, trump when void; without a trump follow and head only."""
    game = many_packs(
        variant, "QH 9D 8D 7S", theirs, phase="endgame", trump=trump, overrides={"endgame": rule}
    )
    game.apply("play QH")
    assert set(legal(game)) == {f"play {c}" for c in allowed.split()}


# ------------------------------------------------------------------------------------------- end of a deal


def last_trick(variant: str, scores: list[int], **keys: Any) -> Game:
    """The final trick, won by seat 0, of a deal with these scores before it."""
    game = many_packs(variant, "KC", "8C", phase="endgame", scores=scores, **keys)
    game.apply("play KC")
    game.apply("play 8C")
    return game


def brisques(first: int) -> list[list[str]]:
    """The 32 aces and tens of four packs, so many of them in the tricks of seat 0, the rest in those of seat 1."""
    all_of_them = [r + s for r in "AT" for s in SUITS] * 4
    return [all_of_them[:first], all_of_them[first:]]


@pytest.mark.parametrize(("variant", "points"), [("rubicon", 50), ("chinese", 250), ("eight_pack", 250)])
def test_last_trick_points(variant: str, points: int) -> None:
    game = last_trick(variant, [0, 0])
    assert told(game.events) == [(0, "last trick", points)], "and no brisques"
    assert game.scores == (points, 0)
    assert game.is_over


@pytest.mark.parametrize(("variant", "points"), [("rubicon", 50), ("chinese", 250), ("eight_pack", 250)])
def test_last_trick_on_the_last_stock_trick(variant: str, points: int) -> None:
    """D15: paid at the last trick before the stock is gone; the final trick then pays none."""
    game = many_packs(variant, "AH", phase="lead", draw="7S 7S", overrides={"last_trick": "last_stock"})
    assert told(win(game, "AH")) == [(0, "last trick", points)]
    play_out(game)
    assert game.scores == (points, 0)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("episode", ["deal", "match"])
def test_a_match_is_one_deal(variant: str, episode: str) -> None:
    game = last_trick(variant, [100, 20], episode=episode)
    assert game.is_over
    assert game.phase == "over"
    assert game.seat_to_act == -1
    assert game.match_scores == game.scores
    assert game.returns("win") == (1, -1)
    record = game.to_record()
    assert len(record["deals"]) == 1


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_whole_match_is_one_deal(variant: str) -> None:
    game = Game(variant, seed=3, episode="match")
    play_out(game)
    assert game.is_over
    assert game.deals == [] or len(game.deals) == 1
    assert sum(len(game.view(0).won[seat]) for seat in (0, 1)) == 32 * PACKS[variant]


@pytest.mark.parametrize(
    ("variant", "preset", "overrides", "scores", "pays"),
    [
        ("rubicon", "saari", {}, (1700, 900), 1300),
        ("rubicon", "saari", {}, (1700, 1000), 700),
        ("rubicon", "saari", {}, (900, 1700), -1300),
        ("rubicon", "saari", {"settlement": "saari_table"}, (1700, 900), 1800),
        ("rubicon", "portland", {}, (1510, 1240), 800),
        ("rubicon", "bicycle", {}, (1320, 620), 3220),
        ("chinese", "saari", {}, (5430, 2970), 5400),
        ("chinese", "saari", {"settlement": "saari_table"}, (5430, 2970), 6400),
        ("chinese", "sum", {}, (5430, 2970), 9300),
        ("eight_pack", "saari", {}, (7200, 4900), 7200),
    ],
)
def test_returns_under_settlement(
    variant: str, preset: str, overrides: dict[str, Any], scores: tuple[int, int], pays: int
) -> None:
    """Section 12: the winner's settlement, negative for the loser (X60, X61, X62, X63, X71, X72, X74)."""
    last = 50 if variant == "rubicon" else 250
    game = last_trick(variant, [scores[0] - last, scores[1]], rules=preset, overrides=overrides)
    assert game.scores == scores
    assert game.returns("settlement") == (pays, -pays)
    sign = 1 if scores[0] > scores[1] else -1
    assert game.returns("win") == (sign, -sign), "no double wins in these games"
    assert game.returns("score_difference") == (scores[0] - scores[1], scores[1] - scores[0])


def test_returns_brisques_save_the_rubicon() -> None:
    """X67, POR 60: 1,510 v 940 with brisques 24 / 8: 1,750 v 1,020, so 700 + 500 = 1,200; the raw points stay."""
    game = last_trick("rubicon", [1460, 940], rules="portland", won=brisques(24))
    assert game.scores == (1510, 940)
    assert game.returns("settlement") == (1200, -1200)
    assert game.returns("score_difference") == (570, -570)


@pytest.mark.parametrize("preset", ["saari", "bicycle"])
def test_returns_brisques_do_not_save_the_rubicon_elsewhere(preset: str) -> None:
    """1,510 v 940: saari 600 + 500; bicycle 1,500 + 900 + 1,000 + 320."""
    game = last_trick("rubicon", [1460, 940], rules=preset, won=brisques(24))
    pays = {"saari": 1100, "bicycle": 3720}[preset]
    assert game.returns("settlement") == (pays, -pays)


@pytest.mark.parametrize(("first", "sign"), [(20, 1), (12, -1), (17, 1), (15, -1), (16, 0)])
@pytest.mark.parametrize("preset", ["saari", "portland"])
def test_tie_is_broken_by_brisques(first: int, sign: int, preset: str) -> None:
    """SAARI 32, POR 61 (X69): equal raw scores: the majority of the 32 brisques, and if they are equal nobody.

    Portland, 1,500 each: 20 / 12 gives 1,700 v 1,620, so 100 + 500; 17 / 15 gives 1,670 v 1,650: 100 + 500.
    """
    game = last_trick("rubicon", [1450, 1500], rules=preset, won=brisques(first))
    assert game.scores == (1500, 1500)
    assert game.returns("win") == (sign, -sign)
    assert game.returns("score_difference") == (0, 0)
    pays = 600 * sign if preset == "portland" else 0
    assert game.returns("settlement") == (pays, -pays)


@pytest.mark.parametrize("variant", VARIANTS)
def test_tie_is_a_draw(variant: str) -> None:
    last = 50 if variant == "rubicon" else 250
    keys: dict[str, Any] = {"overrides": {"tie": "draw"}, "won": brisques(20)} if variant == "rubicon" else {}
    game = last_trick(variant, [5750 - last, 5750], **keys)
    for reward in ("win", "settlement", "score_difference"):
        assert game.returns(reward) == (0, 0)


# ----------------------------------------------------------------------------------- trump by the first meld


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("suit", list(SUITS))
def test_first_sequence_fixes_trump(variant: str, suit: str) -> None:
    """SAARI 27, POR 41: the first sequence, if earlier, fixes trump and scores at trump value."""
    hand = " ".join(rank + suit for rank in "ATKQJ")
    game = many_packs(variant, hand, trump=None)
    assert told(game.apply(f"sequence {suit}")) == [(0, f"sequence {suit}", 250)]
    assert game.trump == suit


@pytest.mark.parametrize("variant", VARIANTS)
def test_first_marriage_only_a_sequence_before_trump_is_plain(variant: str) -> None:
    """D32: under `first_marriage` a sequence before trump scores 150 and fixes nothing."""
    game = many_packs(variant, f"AS TS KS QS JS {KEEP}", trump=None, overrides={"trump": "first_marriage"})
    assert told(game.apply("sequence S")) == [(0, "sequence S", 150)]
    assert game.trump is None
    next_window(game)
    refused(game, "marriage S")
    assert told(game.apply("marriage H")) == [(0, "marriage H", 40)]
    assert game.trump == "H"


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("fixes", ["marriage", "sequence"])
def test_trump_stays_fixed_for_the_rest_of_the_deal(variant: str, fixes: str) -> None:
    hand = {"marriage": "KH QH", "sequence": "AH TH KH QH JH"}[fixes]
    game = many_packs(variant, hand, trump=None, draw="KS 7D QS 7D 7C 7C")
    game.apply(f"{fixes} H")
    next_window(game)
    if game.phase == "declare":
        game.apply("pass")
    next_window(game)
    assert told(game.apply("marriage S")) == [(0, "marriage S", 20)]
    assert game.trump == "H"


@pytest.mark.parametrize("variant", VARIANTS)
def test_premature_quartets_and_beziques(variant: str) -> None:
    """A19 allowed: both score while no trump is fixed, and fix none."""
    for meld, hand, points in (
        ("bezique 1", "QS JD", 40),
        ("bezique 2", "QS QS JD JD", 500),
        ("four A", "AS AH AD AC", 100),
        ("four A", "AS AS AS AS", 100),
    ):
        game = many_packs(variant, hand, trump=None)
        assert told(game.apply(meld)) == [(0, meld, points)]
        assert game.trump is None


@pytest.mark.parametrize("variant", VARIANTS)
def test_need_trump_bars_quartets_and_beziques(variant: str) -> None:
    """A19 need_trump; D32: it bars neither sequences nor marriages."""
    game = many_packs(
        variant, "QS JD AS AH AD AC KH QH", trump=None, overrides={"premature_melds": "need_trump"}
    )
    refused(game, "bezique 1", "four A")
    assert legal(game) == ["marriage H", "pass"]
    game.apply("marriage H")
    next_window(game, plain_of(game))
    assert legal(game) == ["bezique 1", "four A", "pass"]
    overrides = {"premature_melds": "need_trump", "trump": "first_marriage"}
    game = many_packs(variant, "AS TS KS QS JS JD", trump=None, overrides=overrides)
    assert legal(game) == ["marriage S", "sequence S", "pass"]
    assert told(game.apply("sequence S")) == [(0, "sequence S", 150)]


def plain_of(game: Game) -> str:
    """A filler of seat 0, or the jack or an ace when there is none."""
    return next((c for c in game.hand(0) if c[0] in "789" and c[1] != game.trump), game.hand(0)[0])


@pytest.mark.parametrize("variant", VARIANTS)
def test_trump_quartets_need_a_fixed_trump(variant: str) -> None:
    """D33."""
    game = many_packs(variant, f"AS AS AS AS {KEEP}", trump=None)
    refused(game, "four trump A", "five trump A")
    assert "four A" in legal(game)


TRUMP_QUEEN = {"bezique_pair": "trump_queen", "trump": "first_marriage_sequence_or_bezique"}


@pytest.mark.parametrize("variant", VARIANTS)
def test_bezique_fixes_trump_only_once(variant: str) -> None:
    """SAARI 29: the first bezique fixes trump; then only the trump queen and her jack are a bezique."""
    game = many_packs(variant, "QH JC QS JD", trump=None, overrides=TRUMP_QUEEN)
    # table before hand, then by card id: the queen of spades is the first queen
    assert told(game.apply("bezique 1")) == [(0, "bezique 1", 40)]
    assert game.trump == "S"
    assert sorted(game.table(0)) == ["JD", "QS"]
    next_window(game)
    assert game.phase == "lead", "QH JC is no bezique now"


@pytest.mark.parametrize("variant", VARIANTS)
def test_higher_beziques_need_a_fixed_trump(variant: str) -> None:
    """D31: under trump_queen no double or higher while trump is unfixed."""
    game = many_packs(variant, "QH QH QH JC JC JC", trump=None, overrides=TRUMP_QUEEN)
    refused(game, "bezique 2", "bezique 3")
    game.apply("bezique 1")
    assert game.trump == "H"
    next_window(game)
    assert told(game.apply("bezique 3")) == [(0, "bezique 3", 1500)]


@pytest.mark.parametrize("variant", VARIANTS)
def test_trump_queen_pair_without_a_trump_is_no_bezique(variant: str) -> None:
    """D8: where a bezique fixes nothing there is no trump queen before trump."""
    game = many_packs(variant, "QS JD QH JC KC QC", trump=None, overrides={"bezique_pair": "trump_queen"})
    refused(game, "bezique 1")


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_bezique_that_fixes_trump_is_not_premature(variant: str) -> None:
    """D11: need_trump leaves the bezique that fixes it."""
    game = many_packs(
        variant, "QH JC AS AH AD AC", trump=None, overrides={**TRUMP_QUEEN, "premature_melds": "need_trump"}
    )
    assert legal(game) == ["bezique 1", "pass"]


def test_trump_queen_preset_takes_marriages_and_sequences_too() -> None:
    game = chinese("AS TS KS QS JS", trump=None, rules="trump_queen")
    assert told(game.apply("sequence S")) == [(0, "sequence S", 250)]
    assert game.trump == "S"


@pytest.mark.parametrize("variant", VARIANTS)
def test_shifting_pair_moves_with_the_trump(variant: str) -> None:
    """Section 5.3: no trump QS JD; after spades have become trump QC JH."""
    game = many_packs(variant, "QS JD KS QC JH", trump=None, overrides={"bezique_pair": "shifting"})
    assert told(game.apply("bezique 1")) == [(0, "bezique 1", 40)]
    assert set(game.table(0)) == {"QS", "JD"}
    next_window(game)
    assert told(game.apply("marriage S")) == [(0, "marriage S", 40)]
    next_window(game)
    assert told(game.apply("bezique 1")) == [(0, "bezique 1", 40)]
    assert set(game.table(0)) == {"QS", "JD", "KS", "QC", "JH"}


# ---------------------------------------------------------------------------------------- values (section 6.2)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("suit", list(SUITS))
def test_values_of_marriages_and_sequences(variant: str, suit: str) -> None:
    hand = " ".join(rank + suit for rank in "ATKQJ")
    for meld, trump_value, plain_value in (("marriage", 40, 20), ("sequence", 250, 150)):
        game = many_packs(variant, hand, trump="D")
        points = trump_value if suit == "D" else plain_value
        assert told(game.apply(f"{meld} {suit}")) == [(0, f"{meld} {suit}", points)]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("level", "points"), [(1, 40), (2, 500), (3, 1500), (4, 4500)])
def test_values_of_beziques(variant: str, level: int, points: int) -> None:
    game = many_packs(variant, "QS " * level + "JD " * level)
    assert told(game.apply(f"bezique {level}")) == [(0, f"bezique {level}", points)]


@pytest.mark.parametrize("variant", ["rubicon", "chinese"])
def test_quintuple_bezique_has_no_score_below_eight_packs(variant: str) -> None:
    table = ["QS QS QS QS JD", ""] if variant == "rubicon" else ["QS QS QS QS QS JD JD JD JD JD", ""]
    mine = "JD JD JD" if variant == "rubicon" else ""
    game = many_packs(variant, mine, table=table)
    assert "bezique 4" in legal(game)
    refused(game, "bezique 5")


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("rank", "points"), [("A", 100), ("K", 80), ("Q", 60), ("J", 40)])
def test_values_of_any_four(variant: str, rank: str, points: int) -> None:
    game = many_packs(variant, f"{rank}S {rank}S {rank}H {rank}C")
    assert told(game.apply(f"four {rank}")) == [(0, f"four {rank}", points)]


@pytest.mark.parametrize("variant", VARIANTS)
def test_four_tens_by_option(variant: str) -> None:
    hand = f"TS TH TD TC {KEEP}"
    refused(many_packs(variant, hand), "four T")
    game = many_packs(variant, hand, overrides={"four_tens": 90})
    assert told(game.apply("four T")) == [(0, "four T", 90)]


FOUR_TRUMP = {"A": 1000, "T": 900, "K": 800, "Q": 600, "J": 400}
FIVE_TRUMP = {"A": 2000, "T": 1800, "K": 1600, "Q": 1200, "J": 800}


@pytest.mark.parametrize("position", [chinese, eight])
@pytest.mark.parametrize("rank", list(FOUR_TRUMP))
@pytest.mark.parametrize("suit", list(SUITS))
def test_values_of_four_trump(position: Callable[..., Game], rank: str, suit: str) -> None:
    """SAARI; four trump tens need no option (D33)."""
    game = position(f"{rank}{suit} " * 4, trump=suit)
    meld = f"four trump {rank}"
    lower = [] if rank == "T" else [f"four {rank}"]
    assert legal(game) == [*lower, meld, "pass"]
    assert told(game.apply(meld)) == [(0, meld, FOUR_TRUMP[rank])]


@pytest.mark.parametrize("rank", list(FIVE_TRUMP))
def test_values_of_five_trump(rank: str) -> None:
    game = eight(f"{rank}H " * 5, trump="H")
    meld = f"five trump {rank}"
    lower = [] if rank == "T" else [f"four {rank}"]
    assert legal(game) == [*lower, f"four trump {rank}", meld, "pass"]
    assert told(game.apply(meld)) == [(0, meld, FIVE_TRUMP[rank])]


def test_trump_quartets_do_not_exist_with_four_packs() -> None:
    game = rubicon("AS AS AS AS KS KS KS KS", trump="S")
    refused(game, *(f"{four} trump {rank}" for four in ("four", "five") for rank in "ATKQJ"))


def test_five_trump_does_not_exist_with_six_packs() -> None:
    game = chinese("AS AS AS AS AS AS", trump="S")
    refused(game, "five trump A")


@pytest.mark.parametrize("position", [chinese, eight])
def test_four_trump_are_of_the_trump_suit(position: Callable[..., Game]) -> None:
    game = position("AS AS AS AS", trump="H")
    refused(game, "four trump A", "five trump A")
    game = position("AS AS AS AH", trump="S")
    refused(game, "four trump A")


def test_five_trump_are_of_the_trump_suit() -> None:
    game = eight("AS AS AS AS AH", trump="S")
    refused(game, "five trump A")


# ------------------------------------------------------------------------- quartets formed again (section 7B)


@pytest.mark.parametrize("position", [rubicon, chinese, eight])
@pytest.mark.parametrize("rank", list("AKQJ"))
@pytest.mark.parametrize("played", list("SHDC"))
def test_quartet_again_after_a_play(position: Callable[..., Game], rank: str, played: str) -> None:
    """HOF: play one, add another, score again in full: whichever card it was."""
    four = " ".join(rank + suit for suit in SUITS)
    game = position(
        f"{rank}{played} {KEEP}",
        table=[four, ""],
        scored=[entry(f"four {rank}", four)],
    )
    refused(game, f"four {rank}")
    next_window(game, f"{rank}{played} table")
    points = {"A": 100, "K": 80, "Q": 60, "J": 40}[rank]
    assert told(game.apply(f"four {rank}")) == [(0, f"four {rank}", points)]


def test_quartet_again_with_a_card_already_on_the_table() -> None:
    """Section 7B: the other card comes from the hand or already lies on the table."""
    game = rubicon(
        "KD",
        table=["QS QH QD QC QS JD", ""],
        scored=[entry("four Q", "QS#1 QH QD QC"), entry("bezique 1", "QS#2 JD")],
    )
    refused(game, "four Q")
    next_window(game, "QH table")
    assert told(game.apply("four Q")) == [(0, "four Q", 60)]
    assert len(game.table(0)) == 5, "no card came down"


def test_second_quartet_of_fresh_copies() -> None:
    """Eight aces give two quartets, the first of them still intact."""
    four = "AS AH AD AC"
    game = rubicon(four, table=[four, ""], scored=[entry("four A", four)])
    assert told(game.apply("four A")) == [(0, "four A", 100)]
    assert [served for _, served in uses(game, 0)] == [["four"]] * 8


def test_a_copy_is_free_only_when_all_its_quartets_are_broken() -> None:
    """A queen of two quartets stays bound while one of them is intact."""
    # first quartet: QS QH QD and a QC that was played; second, intact: QH QD QC QC without QS
    game = rubicon(
        f"QS {KEEP}",
        table=["QS QH QD QC QC", ""],
        scored=[entry("four Q", "QS QH#1 QD#1"), entry("four Q", "QH#1 QD#1 QC#1 QC#2")],
    )
    # free: the QS on the table and the QS in the hand
    refused(game, "four Q")


def test_quartet_broken_long_ago_needs_a_new_card_only_for_the_number() -> None:
    """Three left of a broken quartet and any fresh queen."""
    game = rubicon("QS", table=["QS QH QD", ""], scored=[entry("four Q", "QS QH QD")])
    assert told(game.apply("four Q")) == [(0, "four Q", 60)]


# ------------------------------------------------------------------------------------------- the quartet ladder


def served(game: Game, card: str) -> list[list[str]]:
    """In which melds the copies of a card on the table of seat 0 have served, in the order laid."""
    return [names for text, names in uses(game, 0) if text == card]


@pytest.mark.parametrize("position", [chinese, eight])
@pytest.mark.parametrize("rank", list("AKQJ"))
def test_four_trump_is_not_exactly_an_intact_four(position: Callable[..., Game], rank: str) -> None:
    four = f"{rank}S " * 4
    game = position(KEEP, table=[four, ""], scored=[entry(f"four {rank}", four)], trump="S")
    refused(game, f"four trump {rank}", f"four {rank}")


@pytest.mark.parametrize("position", [chinese, eight])
@pytest.mark.parametrize("rank", list("AKQJ"))
def test_four_trump_takes_three_of_an_intact_four_and_one_more(
    position: Callable[..., Game], rank: str
) -> None:
    card, four = f"{rank}S", f"{rank}S " * 4
    game = position(card, table=[four, ""], scored=[entry(f"four {rank}", four)], trump="S")
    assert f"four {rank}" not in legal(game)
    meld = f"four trump {rank}"
    assert told(game.apply(meld)) == [(0, meld, FOUR_TRUMP[rank])]
    # of table cards used equally those laid first; the whole old four is barred, so the fourth is the new one
    both, old, new = ["four", "four trump"], ["four"], ["four trump"]
    assert served(game, card) == [both, both, both, old, new]


@pytest.mark.parametrize("position", [chinese, eight])
def test_four_trump_of_a_broken_four_and_one_more(position: Callable[..., Game]) -> None:
    game = position("AS", table=["AS AS AS", ""], scored=[entry("four A", "AS AS AS")], trump="S")
    assert legal(game) == ["four A", "four trump A", "pass"]
    assert told(game.apply("four trump A")) == [(0, "four trump A", 1000)]
    assert served(game, "AS") == [["four", "four trump"]] * 3 + [["four trump"]]


@pytest.mark.parametrize("position", [chinese, eight])
def test_four_trump_of_the_four_after_a_play_and_a_new_card(position: Callable[..., Game]) -> None:
    """The same by play: four aces of trump as `four A`, one played, another drawn."""
    game = position("AS AS AS AS", trump="S", draw="AS 7D 7D 7D")
    game.apply("four A")
    next_window(game, "AS table")
    assert told(game.apply("four trump A")) == [(0, "four trump A", 1000)]
    assert game.scores == (1100, 0)


@pytest.mark.parametrize("position", [chinese, eight])
def test_no_copy_of_a_four_trump_goes_into_a_four(position: Callable[..., Game]) -> None:
    four = "AS AS AS AS"
    position_keys: dict[str, Any] = {"scored": [entry("four trump A", four)], "trump": "S"}
    game = position(f"AH AD AC {KEEP}", table=[four, ""], **position_keys)
    refused(game, "four A")
    game = position("AH AD AC AC", table=[four, ""], **position_keys)
    assert legal(game) == ["four A", "pass"], "four others may"
    assert told(game.apply("four A")) == [(0, "four A", 100)]
    assert served(game, "AS") == [["four trump"]] * 4


@pytest.mark.parametrize("position", [chinese, eight])
def test_no_copy_of_a_broken_four_trump_goes_into_a_four(position: Callable[..., Game]) -> None:
    """Ever: also when the higher one has been broken by play."""
    game = position(
        f"AH {KEEP}", table=["AS AS AS", ""], scored=[entry("four trump A", "AS AS AS")], trump="S"
    )
    refused(game, "four A", "four trump A")


@pytest.mark.parametrize("position", [chinese, eight])
@pytest.mark.parametrize("rank", list("ATKQJ"))
def test_four_trump_again_after_a_play(position: Callable[..., Game], rank: str) -> None:
    four = f"{rank}S " * 4
    meld = f"four trump {rank}"
    game = position(f"{rank}S {KEEP}", table=[four, ""], scored=[entry(meld, four)], trump="S")
    refused(game, meld)
    next_window(game, f"{rank}S table")
    assert told(game.apply(meld)) == [(0, meld, FOUR_TRUMP[rank])]
    assert served(game, f"{rank}S") == [["four trump"]] * 4


def test_second_four_trump_of_fresh_copies() -> None:
    """Eight aces of spades: two `four trump`; the second bars nothing of the first."""
    game = eight(
        "AS AS AS AS", table=["AS AS AS AS", ""], scored=[entry("four trump A", "AS AS AS AS")], trump="S"
    )
    assert legal(game) == ["four A", "four trump A", "five trump A", "pass"]
    assert told(game.apply("four trump A")) == [(0, "four trump A", 1000)]
    assert served(game, "AS") == [["four trump"]] * 8


@pytest.mark.parametrize("rank", list("ATKQJ"))
def test_five_trump_takes_an_intact_four_trump_and_one_more(rank: str) -> None:
    four = f"{rank}S " * 4
    game = eight(f"{rank}S", table=[four, ""], scored=[entry(f"four trump {rank}", four)], trump="S")
    meld = f"five trump {rank}"
    assert legal(game) == [meld, "pass"]
    assert told(game.apply(meld)) == [(0, meld, FIVE_TRUMP[rank])]
    assert served(game, f"{rank}S") == [["five trump", "four trump"]] * 4 + [["five trump"]]


def test_five_trump_takes_an_intact_four_and_one_more() -> None:
    game = eight("AS", table=["AS AS AS AS", ""], scored=[entry("four A", "AS AS AS AS")], trump="S")
    assert legal(game) == ["four trump A", "five trump A", "pass"]
    assert told(game.apply("five trump A")) == [(0, "five trump A", 2000)]


def test_quartet_ladder_step_by_step() -> None:
    """Four 100, four trump with one more 1,000, five trump of all five 2,000."""
    game = eight("AS AS AS AS AS", trump="S")
    for meld, points in (("four A", 100), ("four trump A", 1000), ("five trump A", 2000)):
        assert told(game.apply(meld)) == [(0, meld, points)]
        next_window(game)
    assert game.scores == (3100, 0)
    assert game.phase == "lead"


@pytest.mark.parametrize("rank", list("ATKQJ"))
def test_five_trump_again_after_a_play(rank: str) -> None:
    five = f"{rank}S " * 5
    meld = f"five trump {rank}"
    game = eight(f"{rank}S {KEEP}", table=[five, ""], scored=[entry(meld, five)], trump="S")
    refused(game, meld, f"four trump {rank}", f"four {rank}")
    next_window(game, f"{rank}S table")
    refused(game, f"four trump {rank}", f"four {rank}")
    assert told(game.apply(meld)) == [(0, meld, FIVE_TRUMP[rank])]


def test_no_copy_of_a_five_trump_goes_lower() -> None:
    """Nor when it is broken: three fresh aces and five used ones make no four and no four trump."""
    game = eight(
        f"AS AS AH {KEEP}",
        table=["AS AS AS AS", ""],
        scored=[entry("five trump A", "AS AS AS AS")],
        trump="S",
    )
    # fresh: AS AS AH; used in the broken five: four AS
    refused(game, "four A", "four trump A")
    assert "five trump A" in legal(game)


@pytest.mark.parametrize(("rank", "points"), [("A", 200), ("K", 160), ("Q", 120), ("J", 80)])
@pytest.mark.parametrize("variant", VARIANTS)
def test_doubled_quartets(variant: str, rank: str, points: int) -> None:
    """A22: four different suits score double, each time they score."""
    four = " ".join(rank + suit for suit in SUITS)
    game = many_packs(variant, four, overrides={"quartet_suits_bonus": "x2"})
    assert told(game.apply(f"four {rank}")) == [(0, f"four {rank}", points)]


def test_doubled_quartets_with_tens() -> None:
    game = rubicon("TS TH TD TC", overrides={"quartet_suits_bonus": "x2", "four_tens": 90})
    assert told(game.apply("four T")) == [(0, "four T", 180)]


@pytest.mark.parametrize("position", [chinese, eight])
def test_doubled_quartets_leave_trump_quartets_alone(position: Callable[..., Game]) -> None:
    game = position("AS AS AS AS", trump="S", overrides={"quartet_suits_bonus": "x2"})
    game.apply("four trump A")
    assert game.scores == (1000, 0)


def test_doubled_quartets_choose_four_suits_where_the_rules_allow_it() -> None:
    """Section 12: auto prefers a combination of four suits, but only among those that may score."""
    bonus = {"quartet_suits_bonus": "x2"}
    game = rubicon("KH KD KC", table=["KS KS", ""], overrides=bonus)
    assert told(game.apply("four K")) == [(0, "four K", 160)]
    assert sorted(game.table(0)) == ["KC", "KD", "KH", "KS", "KS"]
    four = "KS KH KD KC"
    game = rubicon("KS KS KH KD", table=[four, ""], scored=[entry("four K", four)], overrides=bonus)
    assert told(game.apply("four K")) == [(0, "four K", 80)], "the king of clubs is bound"


# --------------------------------------------------------------------------------------- sequences formed again


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("rank", list("ATKQJ"))
@pytest.mark.parametrize(("trump", "points"), [("S", 250), ("C", 150)])
def test_sequence_again_after_a_play(variant: str, rank: str, trump: str, points: int) -> None:
    """Section 7B: whichever card was played and replaced; full value again."""
    sequence = "AS TS KS QS JS"
    game = many_packs(
        variant, f"{rank}S {KEEP}", table=[sequence, ""], scored=[entry("sequence S", sequence)], trump=trump
    )
    refused(game, "sequence S")
    next_window(game, f"{rank}S table")
    assert told(game.apply("sequence S")) == [(0, "sequence S", points)]
    assert len(game.table(0)) == 5


@pytest.mark.parametrize("position", [chinese, eight])
def test_second_sequence_of_fresh_copies(position: Callable[..., Game]) -> None:
    sequence = "AS TS KS QS JS"
    scored = [entry("sequence S", sequence)]
    game = position(sequence, table=[sequence, ""], scored=scored)
    assert told(game.apply("sequence S")) == [(0, "sequence S", 150)]
    assert [names for _, names in uses(game, 0)] == [["sequence"]] * 10
    game = position(f"AS TS KS QS {KEEP}", table=[sequence, ""], scored=scored)
    refused(game, "sequence S")


@pytest.mark.parametrize("variant", VARIANTS)
def test_sequence_of_scored_marriages(variant: str) -> None:
    """POR 36: marriage first and sequence later is fine."""
    game = many_packs(
        variant, "AS TS JS", table=["KS QS", ""], scored=[entry("marriage S", "KS QS")], trump="S"
    )
    assert told(game.apply("sequence S")) == [(0, "sequence S", 250)]
    assert served(game, "KS") == [["marriage", "sequence"]]


def test_one_substituted_card_restores_several_melds_each_at_its_own_trick() -> None:
    """POR 34 and 43: QS played, another QS: four queens and the marriage score again, on two tricks."""
    game = rubicon(
        "QS",
        table=["QS QH QD QC KS", ""],
        scored=[entry("four Q", "QS QH QD QC"), entry("marriage S", "KS QS")],
        phase="lead",
    )
    win(game, "QS table")
    assert legal(game) == ["marriage S", "four Q", "pass"]
    assert told(game.apply("four Q")) == [(0, "four Q", 60)]
    next_window(game)
    assert told(game.apply("marriage S")) == [(0, "marriage S", 20)]


# ------------------------------------------------------------------------------ marriages formed again (section 7B)


REMATCH = ["cross_pairs", "on_play"]
ONE_COUPLE = {"table": ["KS QS", ""], "scored": [entry("marriage S", "KS QS")]}
TWO_COUPLES = {
    "table": ["KS QS KS QS", ""],
    "scored": [entry("marriage S", "KS#1 QS#1"), entry("marriage S", "KS#2 QS#2")],
}


@pytest.mark.parametrize("rematch", REMATCH)
@pytest.mark.parametrize("single", ["KS", "QS"])
def test_married_does_not_marry_a_never_married(single: str, rematch: str) -> None:
    """SAARI 11, section 7B: while the marriage is intact neither of it takes a fresh partner."""
    game = rubicon(f"{single} {KEEP}", overrides={"marriage_rematch": rematch}, **ONE_COUPLE)
    refused(game, "marriage S")


@pytest.mark.parametrize("rematch", REMATCH)
def test_a_pair_scores_once(rematch: str) -> None:
    game = rubicon(KEEP, overrides={"marriage_rematch": rematch}, **ONE_COUPLE)
    refused(game, "marriage S")


@pytest.mark.parametrize("rematch", REMATCH)
def test_two_fresh_marry_beside_a_couple(rematch: str) -> None:
    game = rubicon("KS QS", overrides={"marriage_rematch": rematch}, **ONE_COUPLE)
    assert told(game.apply("marriage S")) == [(0, "marriage S", 20)]
    assert game.table(0) == ["KS", "QS", "KS", "QS"]


@pytest.mark.parametrize("rematch", REMATCH)
@pytest.mark.parametrize(("left", "new"), [("QS", "KS"), ("KS", "QS")])
@pytest.mark.parametrize(("trump", "points"), [("S", 40), ("C", 20)])
def test_widowed_marries_a_fresh_partner(left: str, new: str, trump: str, points: int, rematch: str) -> None:
    """POR 34, 35: the partner was played, another comes."""
    game = rubicon(f"{new} {KEEP}", overrides={"marriage_rematch": rematch}, trump=trump, **ONE_COUPLE)
    refused(game, "marriage S")
    next_window(game, f"{new} table")
    assert told(game.apply("marriage S")) == [(0, "marriage S", points)]
    assert served(game, left) == [["marriage"]]
    assert served(game, new) == [["marriage"]]


@pytest.mark.parametrize("rematch", REMATCH)
def test_widowed_marries_a_married(rematch: str) -> None:
    """At least one is widowed: that is enough, the other may be in an intact marriage."""
    game = rubicon(
        "",
        table=["QS KS QS", ""],
        scored=[entry("marriage S", "QS#1"), entry("marriage S", "KS QS#2")],
        overrides={"marriage_rematch": rematch},
    )
    assert told(game.apply("marriage S")) == [(0, "marriage S", 20)]
    next_window(game)
    assert game.phase == "lead", "both pairs have scored"


def test_a_marriage_intact_beside_a_broken_one_still_binds() -> None:
    """Married while one of its marriages is intact: the king of a played and a living queen is no widower."""
    game = rubicon(
        f"QS {KEEP}",
        table=["KS QS", ""],
        scored=[entry("marriage S", "KS#1 QS"), entry("marriage S", "KS#1")],
    )
    refused(game, "marriage S")


def test_two_widowed_of_different_marriages_marry() -> None:
    game = rubicon("", table=["KS QS", ""], scored=[entry("marriage S", "KS"), entry("marriage S", "QS")])
    assert told(game.apply("marriage S")) == [(0, "marriage S", 20)]


def test_cross_pairs_by_option() -> None:
    """HOF: two couples cross; POR 34, 35 alone (on_play): only after a play."""
    game = rubicon(KEEP, **TWO_COUPLES)
    assert told(game.apply("marriage S")) == [(0, "marriage S", 20)]
    game = rubicon(KEEP, overrides={"marriage_rematch": "on_play"}, **TWO_COUPLES)
    refused(game, "marriage S")
    # of copies used equally the one laid first is played: QS1, the partner of KS1
    next_window(game, "QS table")
    assert told(game.apply("marriage S")) == [(0, "marriage S", 20)]


def test_cross_pairs_after_a_play() -> None:
    game = rubicon(KEEP, **TWO_COUPLES)
    next_window(game, "KS table")
    # KS1 was played: QS1 is widowed and may take KS2; that is the only pair left
    assert told(game.apply("marriage S")) == [(0, "marriage S", 20)]
    assert [names for _, names in uses(game, 0)] == [["marriage"]] * 3


def test_cross_pairs_need_both_to_be_married() -> None:
    """A couple and a never married king: they do not cross."""
    game = rubicon(f"KS {KEEP}", **ONE_COUPLE)
    refused(game, "marriage S")
    game = rubicon(f"QS {KEEP}", table=["KS QS QS", ""], scored=[entry("marriage S", "KS QS#1")])
    refused(game, "marriage S")


@pytest.mark.parametrize("position", [chinese, eight])
def test_three_couples_make_nine_marriages(position: Callable[..., Game]) -> None:
    couples = [entry("marriage S", f"KS#{k} QS#{k}") for k in (1, 2, 3)]
    game = position("", table=["KS QS KS QS KS QS", ""], scored=couples, rounds=8)
    for _ in range(6):
        assert told(game.apply("marriage S")) == [(0, "marriage S", 20)]
        next_window(game)
    assert game.phase == "lead"
    assert game.scores == (120, 0)


def test_married_and_widowed_by_play() -> None:
    """Three queens and two kings: who is widowed follows the cards that are played. [H], the spades are plain."""
    game = rubicon("KS QS KS QS QS KH QH", trump="H", rounds=9)
    game.apply("marriage S")  # KS1 QS1
    next_window(game)
    game.apply("marriage S")  # KS2 QS2
    next_window(game)
    game.apply("marriage S")  # KS1 QS2
    # QS2 has served in two marriages and so is the one played: KS2 is widowed, KS1 still has QS1
    next_window(game, "QS table")
    game.apply("marriage S")  # KS2 QS1: in the order of choice before the queen in the hand
    assert served(game, "QS") == [["marriage"]]
    assert "QS" in game.hand(0)
    next_window(game)
    refused(game, "marriage S")  # all pairs on the table have scored, and no king is widowed
    next_window(game, "KS table")
    refused(game, "marriage S")  # KS2 and QS1 are still a couple
    next_window(game, "QS table")
    assert told(game.apply("marriage S")) == [(0, "marriage S", 20)]  # KS2, widowed now, and QS3
    assert game.scores == (100, 0)


def test_view_tells_the_intact_melds() -> None:
    game = rubicon(KEEP, **ONE_COUPLE)
    for seat in (0, 1):
        assert game.view(seat).melds[0] == [("marriage", [0, 1])]
    next_window(game, "QS table")
    for seat in (0, 1):
        assert game.view(seat).melds[0] == []
        assert game.view(seat).tables[0] == [("KS", ["marriage"])]


@pytest.mark.parametrize("rematch", REMATCH)
@pytest.mark.parametrize(
    "scored",
    [
        [entry("sequence S", "KS TS")],
        [entry("sequence S", "KS TS"), entry("marriage S", "KS")],
    ],
)
def test_no_card_of_a_sequence_marries(scored: list[dict[str, Any]], rematch: str) -> None:
    """POR 37: ever; nor when the sequence is broken, nor as a widower."""
    game = rubicon(f"QS {KEEP}", table=["KS TS", ""], scored=scored, overrides={"marriage_rematch": rematch})
    refused(game, "marriage S")


@pytest.mark.parametrize("rematch", REMATCH)
def test_the_queen_of_a_sequence_takes_no_new_king(rematch: str) -> None:
    sequence = "AS TS KS QS JS"
    game = rubicon(
        "KS JD",
        table=[sequence, ""],
        scored=[entry("sequence S", sequence)],
        overrides={"marriage_rematch": rematch},
    )
    assert "bezique 1" in legal(game)
    refused(game, "marriage S")


def test_cross_pairs_without_cards_of_a_sequence() -> None:
    game = rubicon(
        KEEP, table=TWO_COUPLES["table"], scored=[*TWO_COUPLES["scored"], entry("sequence S", "KS#1 QS#2")]
    )
    # KS1 and QS2 have been in a (broken) sequence; KS2 and QS1 have not
    assert told(game.apply("marriage S")) == [(0, "marriage S", 20)]
    next_window(game)
    refused(game, "marriage S")


# ---------------------------------------------------------------------------------------------- the bezique ladder


LADDER = [
    (rubicon, 1),
    (rubicon, 2),
    (rubicon, 3),
    (chinese, 1),
    (chinese, 2),
    (chinese, 3),
    (chinese, 4),
    (eight, 1),
    (eight, 2),
    (eight, 3),
    (eight, 4),
    (eight, 5),
]
BEZIQUE = {1: 40, 2: 500, 3: 1500, 4: 4500, 5: 9000}


def pairs(level: int) -> str:
    """So many queens of spades and jacks of diamonds."""
    return "QS " * level + "JD " * level


def beziques(level: int) -> dict[str, Any]:
    """A bezique of this level, scored and intact on the table."""
    return {"table": [pairs(level), ""], "scored": [entry(f"bezique {level}", pairs(level))]}


@pytest.mark.parametrize(("position", "level"), LADDER)
@pytest.mark.parametrize("card", ["QS", "JD"])
def test_bezique_again_after_a_play(position: Callable[..., Game], level: int, card: str) -> None:
    """Section 7B: at an equal level the earlier one must be broken by play; then full value again."""
    game = position(f"{card} KS", **beziques(level))
    lower = [f"bezique {n}" for n in range(1, level)]
    refused(game, f"bezique {level}", *lower)
    next_window(game, f"{card} table")
    refused(game, *lower)
    meld = f"bezique {level}"
    assert told(game.apply(meld)) == [(0, meld, BEZIQUE[level])]
    assert len(game.table(0)) == 2 * level


@pytest.mark.parametrize(
    ("position", "level", "higher"),
    [
        (rubicon, 1, 2),
        (rubicon, 1, 3),
        (rubicon, 1, 4),
        (rubicon, 2, 3),
        (rubicon, 2, 4),
        (rubicon, 3, 4),
        (chinese, 2, 4),
        (chinese, 3, 4),
        (eight, 1, 5),
        (eight, 2, 5),
        (eight, 3, 5),
        (eight, 4, 5),
    ],
)
def test_bezique_extended(position: Callable[..., Game], level: int, higher: int) -> None:
    """POR 38: a higher level takes the cards of an intact lower one and the pairs that are added."""
    game = position(pairs(higher - level), **beziques(level))
    meld = f"bezique {higher}"
    assert told(game.apply(meld)) == [(0, meld, BEZIQUE[higher])]
    assert len(game.table(0)) == 2 * higher


@pytest.mark.parametrize(("position", "level"), LADDER)
def test_no_copy_of_a_higher_bezique_goes_lower(position: Callable[..., Game], level: int) -> None:
    """POR 38: also not after it has been broken by play; a fresh pair alone is a single again."""
    game = position(f"JD {KEEP}" if level < 3 else "JD KS", **beziques(level))
    refused(game, *(f"bezique {n}" for n in range(1, level + 1)))
    if level > 1:
        broken = entry(f"bezique {level}", "QS " * level)
        game = position("JD KS", table=["QS " * level, ""], scored=[broken])
        refused(game, "bezique 1")
    game = position("QS JD", **beziques(level))
    assert told(game.apply("bezique 1")) == [(0, "bezique 1", 40)]
    assert served(game, "QS")[-1] == ["bezique"]


def test_a_fresh_pair_beside_an_intact_double_makes_a_single_or_a_triple_but_no_double() -> None:
    game = rubicon("QS JD", **beziques(2))
    # three queens and three jacks, of which two and two are bound in a double
    assert legal(game) == ["bezique 1", "bezique 3", "pass"]
    refused(game, "bezique 2", "bezique 4")


def test_two_doubles_united_in_a_quadruple() -> None:
    game = rubicon(
        "",
        table=["QS QS JD JD QS QS JD JD", ""],
        scored=[entry("bezique 2", "QS#1 QS#2 JD#1 JD#2"), entry("bezique 2", "QS#3 QS#4 JD#3 JD#4")],
    )
    assert "bezique 2" not in legal(game)
    assert told(game.apply("bezique 4")) == [(0, "bezique 4", 4500)]


def test_double_of_a_single_and_a_fresh_pair_or_of_two_fresh_pairs() -> None:
    """Auto takes the cards on the table first."""
    game = rubicon("QS QS JD JD", **beziques(1))
    game.apply("bezique 2")
    assert sorted(game.table(0)) == ["JD", "JD", "QS", "QS"]
    assert served(game, "QS")[0] == ["bezique", "bezique 2"]


def test_multiple_needs_all_its_cards_unplayed() -> None:
    """SAARI 28, EB9: all cards of a multiple lie on the table together."""
    game = rubicon(f"QS JD {KEEP}", **beziques(1))
    assert "bezique 2" in legal(game)
    next_window(game, "QS table")
    refused(game, "bezique 2")
    assert "bezique 1" in legal(game), "the played queen has freed her jack"


def test_a_queen_of_a_broken_single_goes_into_a_double() -> None:
    """The level is above all earlier ones: broken or not, the queen may serve."""
    game = rubicon("QS JD JD", table=["QS", ""], scored=[entry("bezique 1", "QS")])
    assert legal(game) == ["bezique 1", "bezique 2", "pass"]
    game.apply("bezique 2")
    assert served(game, "QS") == [["bezique", "bezique 2"], ["bezique 2"]]


@pytest.mark.parametrize("variant", ["chinese", "rubicon"])
def test_bezique_ladder_with_the_trump_queen(variant: str) -> None:
    """The same ladder for the pair QH JC under trump hearts."""
    game = many_packs(variant, "QH QH QH JC JC JC", trump="H", overrides={"bezique_pair": "trump_queen"})
    for level, points in ((1, 40), (2, 500), (3, 1500)):
        assert told(game.apply(f"bezique {level}")) == [(0, f"bezique {level}", points)]
        next_window(game)


# ------------------------------------------------------------------------------------- reform none, read literally


NONE: dict[str, Any] = {"overrides": {"reform": "none"}}


@pytest.mark.parametrize("position", [rubicon, chinese, eight])
def test_reform_none_a_broken_quartet_is_not_renewed(position: Callable[..., Game]) -> None:
    game = position(f"QC {KEEP}", table=["QS QD QC", ""], scored=[entry("four Q", "QS QD QC")], **NONE)
    refused(game, "four Q")
    four = "AS AH AD AC"
    game = position(four, table=[four, ""], scored=[entry("four A", four)], **NONE)
    assert told(game.apply("four A")) == [(0, "four A", 100)], "eight aces give two quartets"


@pytest.mark.parametrize("position", [rubicon, chinese, eight])
@pytest.mark.parametrize("position_of_couples", ["widowed", "cross"])
def test_reform_none_a_copy_marries_once(position: Callable[..., Game], position_of_couples: str) -> None:
    if position_of_couples == "widowed":
        game = position(f"KS {KEEP}", table=["QS", ""], scored=[entry("marriage S", "QS")], **NONE)
    else:
        game = position(KEEP, **TWO_COUPLES, **NONE)
    refused(game, "marriage S")


def test_reform_none_a_fresh_couple_marries() -> None:
    game = rubicon("KS QS", **ONE_COUPLE, **NONE)
    assert told(game.apply("marriage S")) == [(0, "marriage S", 20)]
    assert game.table(0) == ["KS", "QS", "KS", "QS"]


@pytest.mark.parametrize(("trump", "points"), [("S", 250), ("C", 150)])
def test_reform_none_a_sequence_is_not_renewed(trump: str, points: int) -> None:
    sequence = "AS TS KS QS JS"
    game = rubicon(
        f"AS {KEEP}",
        table=["TS KS QS JS", ""],
        scored=[entry("sequence S", "TS KS QS JS")],
        trump=trump,
        **NONE,
    )
    refused(game, "sequence S")
    game = chinese(
        sequence, table=[sequence, ""], scored=[entry("sequence S", sequence)], trump=trump, **NONE
    )
    assert told(game.apply("sequence S")) == [(0, "sequence S", points)], "of fresh copies it is another"


def test_reform_none_a_single_needs_copies_fresh_of_any_bezique() -> None:
    """D35."""
    game = rubicon(f"JD {KEEP}", table=["QS", ""], scored=[entry("bezique 1", "QS")], **NONE)
    refused(game, "bezique 1")
    game = rubicon("QS JD", **beziques(2), **NONE)
    assert told(game.apply("bezique 1")) == [(0, "bezique 1", 40)]


@pytest.mark.parametrize(
    ("position", "level", "higher"),
    [(rubicon, 1, 2), (rubicon, 2, 3), (rubicon, 2, 4), (rubicon, 3, 4), (eight, 4, 5)],
)
def test_reform_none_a_bezique_grows(position: Callable[..., Game], level: int, higher: int) -> None:
    """D35, build_any: level n takes any copies that were in no bezique of level n or more."""
    game = position(pairs(higher - level), **beziques(level), **NONE)
    meld = f"bezique {higher}"
    assert told(game.apply(meld)) == [(0, meld, BEZIQUE[higher])]


def test_reform_none_two_singles_unite() -> None:
    game = rubicon(
        "", table=["QS JD QS JD", ""], scored=[entry("bezique 1", f"QS#{k} JD#{k}") for k in (1, 2)], **NONE
    )
    assert told(game.apply("bezique 2")) == [(0, "bezique 2", 500)]


@pytest.mark.parametrize(("position", "level"), [(rubicon, 2), (rubicon, 3), (chinese, 4), (eight, 5)])
def test_reform_none_a_broken_bezique_is_not_renewed(position: Callable[..., Game], level: int) -> None:
    left = "QS " * level + "JD " * (level - 1)
    game = position("JD KS", table=[left, ""], scored=[entry(f"bezique {level}", left)], **NONE)
    refused(game, *(f"bezique {n}" for n in range(1, level + 1)))


@pytest.mark.parametrize("position", [chinese, eight])
def test_reform_none_quartets_of_all_rungs_are_one_group(position: Callable[..., Game]) -> None:
    """D35: a copy of any earlier quartet serves in none again."""
    keys: dict[str, Any] = {"trump": "S", **NONE}
    four = "AS AS AS AS"
    game = position(f"AS {KEEP}", table=[four, ""], scored=[entry("four A", four)], **keys)
    refused(game, "four A", "four trump A", "five trump A")
    game = position(f"AS AH {KEEP}", table=[four, ""], scored=[entry("four trump A", four)], **keys)
    refused(game, "four A", "four trump A", "five trump A")


def test_reform_none_fresh_copies_climb_nothing() -> None:
    game = eight(
        "AS AS AS AS",
        table=["AS AS AS AS", ""],
        scored=[entry("four trump A", "AS AS AS AS")],
        trump="S",
        **NONE,
    )
    assert legal(game) == ["four A", "four trump A", "pass"]
    assert told(game.apply("four trump A")) == [(0, "four trump A", 1000)]
    assert served(game, "AS") == [["four trump"]] * 8


@pytest.mark.parametrize(("option", "allowed"), [("both_fresh", False), ("fresh_partner", True)])
@pytest.mark.parametrize("trump", ["S", "C"])
def test_seq_then_marriage_under_reform_none(option: str, allowed: bool, trump: str) -> None:
    """A4: the king of a scored sequence (in trump or plain) and a new queen."""
    sequence = "AS TS KS QS JS"
    overrides = {"reform": "none", "seq_then_marriage": option}
    keys: dict[str, Any] = {
        "table": [sequence, ""],
        "scored": [entry("sequence S", sequence)],
        "overrides": overrides,
        "trump": trump,
    }
    game = rubicon("QS JD", **keys)
    assert ("marriage S" in legal(game)) == allowed
    game = rubicon("KH QH", **keys)
    refused(game, "marriage S")
    game = rubicon("KS QS JD", **keys)
    assert "marriage S" in legal(game), "a fresh couple always"


# ------------------------------------------------------------------------------------- order of choice, selection


def test_auto_takes_the_most_served_copy_first() -> None:
    game = rubicon("JD", table=["QS QS KS", ""], scored=[entry("marriage S", "KS QS#2")])
    game.apply("bezique 1")
    assert served(game, "QS") == [[], ["bezique", "marriage"]]


def test_repeats_count_as_uses() -> None:
    """D34: a queen twice in four queens has served more than one once in a marriage."""
    game = rubicon(
        "",
        table=["QH QH KH", ""],
        scored=[entry("marriage H", "KH QH#1"), entry("four Q", "QH#2"), entry("four Q", "QH#2")],
        phase="lead",
    )
    win(game, "QH table")
    assert served(game, "QH") == [["marriage"]]


def test_of_copies_served_equally_the_one_laid_first_is_played() -> None:
    game = rubicon(
        "",
        table=["QH QH KH", ""],
        scored=[entry("marriage H", "KH QH#1"), entry("four Q", "QH#2")],
        phase="lead",
    )
    win(game, "QH table")
    assert served(game, "QH") == [["four"]]


def test_auto_goes_on_to_the_first_combination_that_the_rules_allow() -> None:
    """The married king lies first, but only the fresh couple in the hand may marry."""
    game = rubicon("KS QS", **ONE_COUPLE)
    game.apply("marriage S")
    assert [names for _, names in uses(game, 0)] == [["marriage"]] * 4


EXPLICIT: dict[str, Any] = {"overrides": {"selection": "explicit"}}


@pytest.mark.parametrize(("position", "level"), [(rubicon, 3), (rubicon, 4), (chinese, 4), (eight, 5)])
def test_explicit_beziques_choose_queens_then_jacks(position: Callable[..., Game], level: int) -> None:
    game = position(pairs(level), **EXPLICIT)
    assert game.apply(f"bezique {level}") == []
    assert game.phase == "select"
    for text in ["use QS"] * level + ["use JD"] * level:
        assert legal(game) == [text]
        events = game.apply(text)
    assert told(events) == [(0, f"bezique {level}", BEZIQUE[level])]


def test_explicit_cross_pairs_complete_only_with_the_other_partner() -> None:
    game = rubicon(KEEP, **TWO_COUPLES, **EXPLICIT)
    game.apply("marriage S")
    assert legal(game) == ["use KS table"]
    game.apply("use KS table")
    assert legal(game) == ["use QS table"]
    assert told(game.apply("use QS table")) == [(0, "marriage S", 20)]


@pytest.mark.parametrize("position", [chinese, eight])
def test_explicit_four_trump_is_not_completed_to_an_intact_four(position: Callable[..., Game]) -> None:
    four = "AS AS AS AS"
    game = position("AS", table=[four, ""], scored=[entry("four A", four)], trump="S", **EXPLICIT)
    game.apply("four trump A")
    for _ in range(3):
        assert legal(game) == ["use AS", "use AS table"]
        game.apply("use AS table")
    assert legal(game) == ["use AS"]
    assert game.why_illegal("use AS table") is not None
    assert told(game.apply("use AS")) == [(0, "four trump A", 1000)]


def test_explicit_leaves_a_copy_free_for_later() -> None:
    """A choice that auto does not make: the fifth queen goes down, one on the table stays out."""
    game = rubicon("QS QS", table=["QH QD QC", ""], scored=[], **EXPLICIT)
    game.apply("four Q")
    for text in ("use QS", "use QH table", "use QS", "use QC table"):
        assert text in legal(game)
        events = game.apply(text)
    assert told(events) == [(0, "four Q", 60)]
    assert served(game, "QD") == [[]]


# ------------------------------------------------------------------------------------------- silence says nothing


def swapped(deck: list[str], card: str, other: int) -> list[str]:
    """The deck with the first copy of a card and the card at another place exchanged."""
    result = list(deck)
    place = result.index(card)
    result[place], result[other] = result[other], result[place]
    return result


@pytest.mark.parametrize("variant", VARIANTS)
def test_silence_a_pass_looks_like_a_skipped_window(variant: str) -> None:
    """The other seat wins a trick and could declare, but passes; or cannot, and is not asked."""
    deck = dealt(variant, "7H KS", "TH KC QC JS", bottom="9D")
    games = [Game(variant, deck=d, dealer=1) for d in (deck, swapped(deck, "QC", -1))]
    for game in games:
        game.apply("play 7H")
        game.apply("play TH")
    assert [game.phase for game in games] == ["declare", "lead"]
    games[0].apply("pass")
    assert [game.seat_to_act for game in games] == [1, 1]
    assert seen(games[0], 0) == seen(games[1], 0)
    assert "pass" not in games[0].information_text(0)
    for game in games:
        game.apply("play JS")
    assert seen(games[0], 0) == seen(games[1], 0)
    assert seen(games[0], 1) != seen(games[1], 1)


@pytest.mark.parametrize("variant", CARTE)
def test_silence_a_declined_carte_blanche_looks_like_none(variant: str) -> None:
    deck = dealt(variant, "KH 9D", "7D 9C", bottom="KS")
    games = [Game(variant, deck=d, dealer=1) for d in (deck, swapped(deck, "9C", -1))]
    assert [game.phase for game in games] == ["carte_blanche", "lead"]
    games[0].apply("pass")
    assert [game.phase for game in games] == ["lead", "lead"]
    assert seen(games[0], 0) == seen(games[1], 0)
    assert "pass" not in games[0].information_text(0)
    for game in games:
        win(game, "9D", "7D")
    assert seen(games[0], 0) == seen(games[1], 0)


@pytest.mark.parametrize("variant", CARTE)
@pytest.mark.parametrize("dealers", ["", "KH"])
def test_silence_the_dealer_does_not_see_whether_the_other_was_asked(variant: str, dealers: str) -> None:
    """The non-dealer declines or has a court; the dealer, asked after it or not, sees the same."""
    deck = dealt(variant, "7D 9C", dealers, bottom="KS")
    games = [Game(variant, deck=d, dealer=1) for d in (deck, swapped(deck, "9C", -1))]
    assert games[0].phase == "carte_blanche"
    assert games[0].seat_to_act == 0
    games[0].apply("pass")
    assert [game.seat_to_act for game in games] == ([0, 0] if dealers else [1, 1])
    assert seen(games[0], 1) == seen(games[1], 1)
    if not dealers:
        for game in games:
            game.apply("carte blanche")
        assert seen(games[0], 1) == seen(games[1], 1)


@pytest.mark.parametrize("variant", CARTE)
def test_silence_a_pass_after_a_draw_looks_like_a_court_drawn(variant: str) -> None:
    """The seat has shown; then it draws an eight and passes, or draws a king and is not asked."""
    deck = dealt(variant, "KH 9D", "7D", stock="9S 8C", bottom="KS")
    place = 2 * HANDS[variant] + 1
    assert deck[place] == "8C"
    other = list(deck)
    other[place], other[-1] = other[-1], other[place]
    games = [Game(variant, deck=d, dealer=1) for d in (deck, other)]
    for game in games:
        game.apply("carte blanche")
        game.apply("play 9D")
        game.apply("play 7D")
    assert [game.phase for game in games] == ["carte_blanche", "lead"]
    games[0].apply("pass")
    assert seen(games[0], 0) == seen(games[1], 0)
    assert [len(game.view(0).known[1]) for game in games] == [HANDS[variant] - 1] * 2


# --------------------------------------------------------------------------------------------- the cut bonus (D36)


def cut_of(game: Game) -> tuple[int, int]:
    """The number lifted and the number guessed, as the record tells them."""
    lifted, guess = game.to_record()["deals"][0]["cut"]
    return int(lifted), int(guess)


def test_cut_bonus_comes_from_the_seed() -> None:
    """Each number uniform on 16..32; credited before the first decision, dealer first."""
    games = [Game("chinese", overrides={"cut_bonus": "on"}, seed=seed) for seed in range(300)]
    cuts = [cut_of(game) for game in games]
    assert cuts == [cut_of(Game("chinese", overrides={"cut_bonus": "on"}, seed=s)) for s in range(300)]
    for place in (0, 1):
        assert {cut[place] for cut in cuts} == set(range(16, 33))
    for game, (lifted, guess) in zip(games, cuts, strict=True):
        expected = [(-1, game.dealer, "cut", 250)] * (lifted == 24)
        expected += [(-1, 1 - game.dealer, "cut guess", 150)] * (guess == lifted)
        assert [tuple(e) for e in game.events] == expected
    assert any(guess == lifted for lifted, guess in cuts)


def test_cut_bonus_is_off_by_default() -> None:
    for seed in range(40):
        game = Game("chinese", seed=seed)
        assert game.events == []
        assert "cut" not in game.to_record()["deals"][0]


def test_cut_bonus_survives_a_record() -> None:
    game = Game("chinese", overrides={"cut_bonus": "on"}, cut=(24, 20), dealer=0, seed=9)
    record = game.to_record()
    assert record["deals"][0]["cut"] == [24, 20]
    assert Game.replay(record).scores == (250, 0)


def test_cut_bonus_leaves_the_deal_as_it_was() -> None:
    with_cut, without = (Game("chinese", overrides={"cut_bonus": on}, seed=4) for on in ("on", "off"))
    assert with_cut.dealer == without.dealer
    assert [with_cut.hand(s) for s in (0, 1)] == [without.hand(s) for s in (0, 1)]


# -------------------------------------------------------------------------------------------------- options


@pytest.mark.parametrize(
    ("variant", "overrides", "name"),
    [
        ("rubicon", {"target": 2000}, "target"),
        ("rubicon", {"cut_bonus": "on"}, "cut_bonus"),
        ("eight_pack", {"cut_bonus": "on"}, "cut_bonus"),
        ("eight_pack", {"carte_blanche_courts": "KQJ"}, "carte_blanche_courts"),
        ("rubicon", {"declare": "many_disjoint"}, "declare"),
        ("rubicon", {"settlement": "sum"}, "settlement"),
        ("chinese", {"settlement": "portland"}, "settlement"),
        ("chinese", {"tie": "brisques_then_draw"}, "tie"),
        ("rubicon", {"seq_then_marriage": "fresh_partner"}, "seq_then_marriage"),
        ("rubicon", {"trump": "first_marriage_sequence_or_bezique"}, "trump"),
        ("rubicon", {"trump": "turn_up"}, "trump"),
        ("rubicon", {"fildinski_dix": "from_hand"}, "fildinski_dix"),
    ],
)
def test_options_that_mean_nothing_here_are_refused(
    variant: str, overrides: dict[str, Any], name: str
) -> None:
    with pytest.raises(RulesError, match=name):
        get_rules(variant, None, overrides)


@pytest.mark.parametrize(
    ("variant", "preset", "values"),
    [
        ("rubicon", "saari", {"carte_blanche_courts": "AKQJ", "settlement": "saari_example", "reform": "replace"}),
        ("rubicon", "portland", {"carte_blanche_courts": "KQJ", "brisques": "tiebreak_and_rubicon"}),
        ("rubicon", "portland", {"settlement": "portland", "reform": "replace", "tie": "brisques_then_draw"}),
        ("rubicon", "bicycle", {"carte_blanche_courts": "KQJ", "settlement": "bicycle", "brisques": "tiebreak"}),
        ("chinese", "saari", {"carte_blanche_courts": "AKQJ", "settlement": "saari_example", "brisques": "none"}),
        ("chinese", "sum", {"settlement": "sum", "tie": "draw"}),
        ("chinese", "trump_queen", {"bezique_pair": "trump_queen"}),
        ("eight_pack", "saari", {"settlement": "saari_example", "tie": "draw"}),
        ("eight_pack", "sum", {"settlement": "sum"}),
    ],
)  # fmt: skip
def test_presets_of_section_10(variant: str, preset: str, values: dict[str, str]) -> None:
    rules = get_rules(variant, preset)
    assert {name: getattr(rules, name) for name in values} == values
