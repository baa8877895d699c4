"""The worked examples of rules/bezique.md section 11 that concern the two-pack game.

Every test bears the id of its example; the docstring names the source and the expected numbers, which are
worked out by hand from the page. Trump stands in brackets. Where an example needs a game, both seats' cards
are named; nothing is copied from the output of the engine.
"""

from __future__ import annotations

import pytest

from bezique_env.game import Game, IllegalAction
from bezique_env.rules.bezique.cards import CARD_TEXTS
from tests.rules.setup import MELDS_ONLY, legal, scored, setup, told, uses, win

PRIMARY = ["saari", "finnish", "dutch"]


@pytest.mark.parametrize("preset", ["standard", *PRIMARY])
def test_x01_the_first_of_two_identical_cards_wins(preset: str) -> None:
    """HOF: lead 9D, reply 9D: the leader wins."""
    game = setup("9D KC", "9D KH", phase="lead", turn_up="8S", rules=preset)
    game.apply("play 9D")
    game.apply("play 9D")
    assert game.view(0).won[0] == ["9D", "9D"]
    assert (game.seat_to_act, game.phase) == (0, "lead"), "the leader leads again"


def test_x02_second_player_wins_and_marries_in_trump() -> None:
    """ULT: [H] lead 7D, reply JD, declare KH QH: the second player wins, +40."""
    game = setup("7D AC", "JD KH QH 9C", phase="lead", turn_up="8H", size=4)
    game.apply("play 7D")
    game.apply("play JD")
    assert (game.seat_to_act, game.phase) == (1, "declare")
    assert told(game.apply("marriage H")) == [(1, "marriage H", 40)]
    assert game.scores == (0, 40)


def test_x03_the_marriage_grows_into_a_sequence() -> None:
    """ULT, DUTCH: later AH TH JH are added: +250, 290 in all."""
    game = setup("KH QH AH TH", phase="declare", turn_up="8H", draw="JH 8C 9C 9S 7S", size=6)
    game.apply("marriage H")
    assert game.table(0) == ["KH", "QH"]
    assert game.phase == "lead", "JH has just been drawn; no window before the next trick is won"
    win(game, game.hand(0)[-1])
    assert told(game.apply("sequence H")) == [(0, "sequence H", 250)]
    assert game.scores == (290, 0)
    assert set(game.table(0)) == {"KH", "QH", "AH", "TH", "JH"}


@pytest.mark.parametrize("preset", ["standard", *PRIMARY])
def test_x04_no_marriage_out_of_a_scored_sequence(preset: str) -> None:
    """SAARI, FINN, DUTCH, HOF: sequence scored, then KH QH of it as a marriage: refused."""
    game = setup("AH TH KH QH JH", turn_up="8H", draw="8C 9C 9S", size=7, rules=preset)
    game.apply("sequence H")
    if game.phase == "declare":
        assert "marriage H" not in legal(game), "neither in the same window"
        game.apply("pass")
    win(game, game.hand(0)[0])
    assert game.why_illegal("marriage H") is not None
    assert game.scores[0] == 250


def test_x04_the_king_of_a_sequence_takes_no_new_queen() -> None:
    """FINN, FOS, POR 37 (section 5.1): king of a sequence with a new queen: refused by default."""
    scored_sequence = [{"seat": 0, "meld": "sequence H", "cards": ["AH", "TH", "KH", "QH", "JH"]}]
    position = {"table": ["AH TH KH QH JH", ""], "scored": scored_sequence, "turn_up": "8H", "size": 7}
    # 7H is there so that the window opens at all.
    game = setup("QH 7H", **position)
    assert game.phase == "declare"
    assert "marriage H" not in legal(game)
    game = setup("QH 7H", overrides={"seq_then_marriage": "fresh_partner"}, **position)
    assert told(game.apply("marriage H")) == [(0, "marriage H", 40)]


def test_x05_one_scored_per_trick_the_other_on_the_next() -> None:
    """HOF: [not S] KS QS JD shown; two tricks won, cards unplayed: 40 now, 20 on the next (60)."""
    game = setup("KS QS JD", turn_up="8C", draw="8H 9H 9D", size=5)
    assert told(game.apply("bezique 1")) == [(0, "bezique 1", 40)]
    assert game.phase == "lead", "the one declaration of the window is made"
    win(game, game.hand(0)[-1])
    assert told(game.apply("marriage S")) == [(0, "marriage S", 20)]
    assert game.scores == (60, 0)


@pytest.mark.parametrize(
    ("first", "points", "other"), [("bezique 1", 40, "marriage S"), ("marriage S", 20, "bezique 1")]
)
def test_x06_finnish_melds_of_one_trick_share_no_card(first: str, points: int, other: str) -> None:
    """FINN: as X05 on one trick: only one of the two, the other must wait."""
    # KH QH keep the window open after the first declaration.
    game = setup("KS QS JD KH QH", turn_up="8C", draw="9D 9S 8S", size=6, rules="finnish")
    assert told(game.apply(first)) == [(0, first, points)]
    assert game.phase == "declare"
    assert game.why_illegal(other) is not None
    game.apply("pass")
    win(game, "9D" if "9D" in game.hand(0) else game.hand(0)[0])
    assert other in legal(game)


def test_x07_two_separate_melds_on_one_trick() -> None:
    """FINN, SAARI, DUTCH: [C] KH QH and QS JD: finnish 60; saari one scores, the rest next trick; dutch one meld."""
    hand = {"mine": "KH QH QS JD", "turn_up": "8C", "draw": "9D 9S 8S", "size": 6}
    finnish = setup(rules="finnish", **hand)
    finnish.apply("marriage H")
    finnish.apply("bezique 1")
    assert finnish.scores == (60, 0)

    for first, second, points in (("marriage H", "bezique 1", 20), ("bezique 1", "marriage H", 40)):
        saari = setup(rules="saari", **hand)
        saari.apply(first)
        assert saari.scores == (points, 0)
        assert second in legal(saari), "it may be laid now"
        assert saari.apply(second) == []
        assert saari.scores == (points, 0)
        assert set(saari.table(0)) == {"KH", "QH", "QS", "JD"}
        if saari.phase == "declare":
            saari.apply("pass")
        win(saari, saari.hand(0)[0])
        assert told(saari.apply(second)) == [(0, second, 60 - points)]

        dutch = setup(rules="dutch", **hand)
        dutch.apply(first)
        assert dutch.phase == "lead", "exactly one meld"
        assert dutch.scores == (points, 0)
        assert len(dutch.table(0)) == 2


@pytest.mark.parametrize("preset", ["standard", *PRIMARY])
@pytest.mark.parametrize(("turn_up", "marriage"), [("8C", 20), ("8S", 40)])
def test_x08_one_queen_in_three_kinds_of_meld(turn_up: str, marriage: int, preset: str) -> None:
    """FINN: QS in marriage, bezique and four queens in turn: 20 + 40 + 60 all legal ([S]: 40)."""
    game = setup(
        "KS QS JD QH QD QC",
        turn_up=turn_up,
        draw="8H 9H 9D 7H 7D 8D 9H",
        size=7,
        rules=preset,
        overrides=MELDS_ONLY,
    )
    total = 0
    for meld, points in (("marriage S", marriage), ("bezique 1", 40), ("four Q", 60)):
        assert told(game.apply(meld)) == [(0, meld, points)]
        total += points
        if game.phase == "declare":
            game.apply("pass")
        if meld != "four Q":
            # 8 cards: the three kinds need KS QS JD QH QD QC, so two cards may be led.
            win(game, next(c for c in game.hand(0) if c[0] in "789"))
    assert game.scores == (total, 0)
    assert dict(uses(game, 0))["QS"] == ["bezique", "four", "marriage"]


def test_x10_kings_queens_and_four_marriages() -> None:
    """SAARI: [S] four kings of all suits, four queens, four marriages: 80 + 60 + 40 + 3 x 20 = 240, six tricks.

    Eight cards are held and one wins the trick, so the spade marriage comes before the queens: its king then
    wins the trick of the queens.
    """
    game = setup(
        "KS KH KD KC QS QH QD 7H",
        "9H 9D 9C 9H 9D 9C 8H 8D",
        phase="lead",
        turn_up="8S",
        draw="7C 8H QC 8D 7D 8C 7H 8C 7D 9S 7C",
        overrides=MELDS_ONLY,
    )
    for lead, reply, meld, points in [
        ("7H", "9D", "four K", 80),
        ("7C", "9D", "marriage S", 40),
        ("KS table", "9H", "four Q", 60),
        ("7D", "9H", "marriage H", 20),
        ("7H", "8D", "marriage D", 20),
        ("7D", "9C", "marriage C", 20),
    ]:
        win(game, lead, reply)
        assert told(game.apply(meld)) == [(0, meld, points)]
    assert game.scores == (240, 0)


@pytest.mark.parametrize("preset", ["standard", *PRIMARY])
def test_x11_double_bezique_at_once(preset: str) -> None:
    """All three primary documents: QS QS JD JD at once: 500."""
    game = setup("QS QS JD JD", turn_up="8C", size=5, rules=preset)
    assert told(game.apply("bezique 2")) == [(0, "bezique 2", 500)]
    assert game.scores == (500, 0)


@pytest.mark.parametrize("preset", ["standard", "saari", "dutch"])
def test_x12_second_pair_added_to_a_single(preset: str) -> None:
    """JDC, SAARI, DUTCH: single 40, second pair added on a later trick: +500, total 540."""
    game = setup("QS JD QS", turn_up="8C", draw="JD 8H 9H", size=5, rules=preset)
    game.apply("bezique 1")
    if game.phase == "declare":
        game.apply("pass")
    win(game, next(c for c in game.hand(0) if c[0] in "789"))
    assert "bezique 1" in legal(game), "the fresh pair might also be a single"
    assert told(game.apply("bezique 2")) == [(0, "bezique 2", 500)]
    assert game.scores == (540, 0)


@pytest.mark.parametrize(
    ("preset", "overrides"), [("finnish", {}), ("standard", {"double_bezique": "one_go"})]
)
def test_x13_under_one_go_the_second_pair_is_a_single(preset: str, overrides: dict[str, str]) -> None:
    """BeziqueCore rules file: same under one_go: second pair only 40, total 80."""
    game = setup("QS JD QS", turn_up="8C", draw="JD 8H 9H", size=5, rules=preset, overrides=overrides)
    game.apply("bezique 1")
    win(game, next(c for c in game.hand(0) if c[0] in "789"))
    assert game.why_illegal("bezique 2") is not None
    assert told(game.apply("bezique 1")) == [(0, "bezique 1", 40)]
    assert game.scores == (80, 0)


@pytest.mark.parametrize("preset", ["standard", *PRIMARY])
def test_x15_no_single_from_a_scored_double(preset: str) -> None:
    """DUTCH: double scored, then a single from its cards: refused."""
    game = setup("QS QS JD JD KS", turn_up="8C", draw="8H 9H 9D", size=6, rules=preset)
    game.apply("bezique 2")
    if game.phase == "declare":
        game.apply("pass")
    win(game, next(c for c in game.hand(0) if c[0] in "789"))
    assert game.phase == "declare", "the marriage keeps the window open"
    assert legal(game) == ["marriage S", "pass"]
    assert game.why_illegal("bezique 1") is not None
    assert game.why_illegal("bezique 2") is not None


def test_x16_brisques_at_the_trick() -> None:
    """Primary documents: win a trick holding AH and TH: at_trick +20 now."""
    game = setup("AH 8C", "TH 9C", phase="lead", turn_up="8S")
    assert told(win(game, "AH", "TH")) == [(0, "brisques", 20)]
    assert game.scores == (20, 0)


def test_x16_brisques_at_the_hand_end() -> None:
    """Primary documents: the same at_hand_end: 0 now, +20 when the deal ends."""
    # All other aces and tens lie in the tricks of seat 1: 14 of the 16, 140 points.
    game = setup(
        "AH 8C", "TH 9C", phase="lead", turn_up="9S", draw="7C", overrides={"brisques": "at_hand_end"}
    )
    assert win(game, "AH", "TH") == []
    assert game.scores == (0, 0)
    game.apply("play 7C")
    game.apply("play 9C")
    game.apply("play 9S")
    events = game.apply("play 8C")
    # dealer 1: the non-dealer's brisques are counted first
    assert told(events) == [(1, "last trick", 10), (0, "brisques", 20), (1, "brisques", 140)]
    assert game.scores == (20, 150)


def test_x17_capturing_an_ace_swings_twenty() -> None:
    """HOF: capture the opponent's ace: relative swing 20."""

    def margin(reply: str) -> int:
        game = setup("AH 8C", "8S 9C", phase="lead", turn_up="9S")
        game.apply("play AH")
        game.apply(f"play {reply}")
        return game.scores[0] - game.scores[1]

    assert margin("9C") == 10
    assert margin("8S") == -10
    assert margin("9C") - margin("8S") == 20


@pytest.mark.parametrize(
    ("preset", "points"), [("standard", 10), ("finnish", 10), ("dutch", 10), ("saari", 0)]
)
@pytest.mark.parametrize("dealer", [0, 1])
def test_x18_dealer_turns_a_seven(preset: str, points: int, dealer: int) -> None:
    """FINN, DUTCH, HOF: dealer turns 7C: dealer +10 (silent, so 0, in SAARI)."""
    deck = list(CARD_TEXTS) * 2
    deck.remove("7C")
    deck.insert(16, "7C")
    game = Game(rules=preset, deck=deck, dealer=dealer)
    assert game.turn_up == "7C"
    assert game.scores[dealer] == points
    assert game.scores[1 - dealer] == 0
    expected = [(-1, dealer, "turned seven", 10)] if points else []
    assert [tuple(e) for e in game.events] == expected


def test_x19_the_other_seven_scores_but_exchanges_nothing() -> None:
    """HOF: the second holder declares the other trump 7: 10, no exchange benefit."""
    game = setup("7C KD", turn_up="7C", size=4)
    assert game.why_illegal("exchange") is not None
    assert told(game.apply("seven")) == [(0, "seven", 10)]
    assert game.turn_up == "7C"


@pytest.mark.parametrize("preset", ["dutch", "standard"])
def test_x20_trump_seven_played_to_a_lost_trick(preset: str) -> None:
    """DUTCH, BRI, ENQ: trump 7 played to a lost trick in the stock phase: +10."""
    game = setup("7C KD", "9C 8D", phase="lead", turn_up="8C", rules=preset)
    assert told(game.apply("play 7C")) == [(0, "trump seven", 10)]
    game.apply("play 9C")
    assert game.seat_to_act == 1, "the trick is lost"
    assert game.scores == (10, 0)


@pytest.mark.parametrize("preset", ["standard", "saari"])
def test_x21_exchange_takes_the_place_of_the_declaration(preset: str) -> None:
    """SAARI, ULT: exchanging 7 and melding on the same trick is not allowed, either way round."""
    hand = {"mine": "7C KH QH KD QD", "turn_up": "8C", "size": 6, "rules": preset}
    game = setup(**hand)
    assert told(game.apply("exchange")) == [(0, "exchange", 10)]
    if preset == "saari":  # laid melds score nothing
        assert game.apply("marriage H") == []
    assert game.scores == (10, 0)
    game = setup(**hand)
    game.apply("marriage H")
    assert game.why_illegal("exchange") is not None


@pytest.mark.parametrize("order", [("exchange", "marriage H"), ("marriage H", "exchange")])
def test_x21_free_exchange_beside_a_meld(order: tuple[str, str]) -> None:
    """ENQ: exchanging and melding other cards on the same trick is allowed (dix_exchange free)."""
    game = setup("7C KH QH", turn_up="8C", size=5, overrides={"dix_exchange": "free"})
    for action in order:
        game.apply(action)
    assert game.scores == (30, 0)
    assert game.turn_up is None or game.turn_up == "7C"
    assert "8C" in game.hand(0)


def test_x22_a_wrong_declaration_scores_nothing() -> None:
    """ENQ: wrong card put down in a declaration: the engine validates (A28): refused, nothing changes."""
    game = setup("KH QD KD 7C", turn_up="8C", size=5)
    before, save = game.legal_actions(), game.save()
    with pytest.raises(IllegalAction) as refusal:
        game.apply("marriage H")
    assert (refusal.value.seat, refusal.value.phase, refusal.value.action) == (0, "declare", "marriage H")
    assert game.scores == (0, 0)
    assert game.legal_actions() == before
    assert game.save() == save
    assert told(game.apply("marriage D")) == [(0, "marriage D", 20)], "the right cards still may be declared"


@pytest.mark.parametrize("winner", [0, 1])
def test_x24_last_two_stock_cards(winner: int) -> None:
    """DUTCH, BRI: winner takes the face-down card, loser the turn-up."""
    game = setup(
        "9H 8D", "8H TH" if winner else "8H 7H", phase="lead", turn_up="JC", draw="JD", overrides=MELDS_ONLY
    )
    game.apply("play 9H")
    game.apply("play TH" if winner else "play 8H")
    assert (game.phase, game.seat_to_act) == ("endgame_lead", winner)
    assert "JD" in game.hand(winner)
    assert "JC" in game.hand(1 - winner)
    assert game.turn_up is None


@pytest.mark.parametrize("episode", ["deal", "match"])
@pytest.mark.parametrize(("loser", "pays"), [(480, 2), (500, 1), (490, 2), (510, 1)])
def test_x25_double_and_single_win(loser: int, pays: int, episode: str) -> None:
    """SAARI: deal ends 1,040 v 480: double win; 1,040 v 500: single win (exactly 500 is safe)."""
    game = setup(
        "AC",
        "8C",
        phase="endgame",
        trump="C",
        turn_up=None,
        scores=[1030, loser],
        episode=episode,
        overrides=MELDS_ONLY,
    )
    game.apply("play AC")
    assert told(game.apply("play 8C")) == [(0, "last trick", 10)]
    assert game.is_over
    assert game.match_scores == (1040, loser)
    assert game.returns("settlement") == (pays, -pays)
    assert game.returns("win") == (pays, -pays)


PKW = {"brisques": "at_hand_end", "last_trick": "last_stock", "target": 2000}
"""The played deal of PKW: clubs trump, brisques at the hand end, the 10 for the last trick on trick 24."""


def test_x26_trick_12_of_the_played_deal() -> None:
    """PKW: South on 110 wins with JH over 8H and marries a king of diamonds: South 130."""
    game = setup(
        "JH KD QD", phase="follow", trick=[[1, "8H"]], turn_up="7C", size=4, scores=[110, 0], overrides=PKW
    )
    game.apply("play JH")
    assert told(game.apply("marriage D")) == [(0, "marriage D", 20)]
    assert game.scores[0] == 130


def test_x28_trick_17_of_the_played_deal() -> None:
    """PKW: South (130) trumps AH with TC and declares double bezique in one go: South 630."""
    game = setup(
        "TC QS QS JD JD",
        phase="follow",
        trick=[[1, "AH"]],
        turn_up="7C",
        size=6,
        scores=[130, 0],
        overrides=PKW,
    )
    assert game.apply("play TC") == [], "brisques are counted at the hand end"
    game.apply("bezique 2")
    assert game.scores[0] == 630


def test_x29_trick_22_of_the_played_deal() -> None:
    """PKW: North (500) declares a heart marriage, reaching 520."""
    game = setup("KH QH", turn_up="7C", size=4, scores=[500, 630], overrides=PKW)
    game.apply("marriage H")
    assert game.scores == (520, 630)


def test_x30_trick_24_of_the_played_deal() -> None:
    """PKW: North leads KC, QD played; last-trick 10: North 530; the loser picks up the exposed 7C."""
    game = setup("KC 9D", "QD 8D", phase="lead", turn_up="7C", draw="9H", scores=[520, 630], overrides=PKW)
    game.apply("play KC")
    assert told(game.apply("play QD")) == [(0, "last trick", 10)]
    assert game.scores == (530, 630)
    assert game.phase == "endgame_lead"
    assert "7C" in game.hand(1)
    assert "9H" in game.hand(0)


def test_x32_brisques_of_the_played_deal() -> None:
    """PKW: brisques South 10, North 6 (sum 16): South 730, North 590; margin 140."""
    brisques = [r + s for r in "AT" for s in "SHDC"] * 2
    game = setup(
        "9C",
        "8C",
        phase="endgame",
        trump="C",
        turn_up=None,
        won=[brisques[:10], brisques[10:]],
        scores=[630, 530],
        overrides=PKW,
    )
    game.apply("play 9C")
    events = game.apply("play 8C")
    assert told(events) == [(0, "brisques", 100), (1, "brisques", 60)], (
        "trick 24 has already paid the last trick"
    )
    assert game.scores == (730, 590)
    assert game.returns("score_difference") == (140, -140)


def test_x33_first_marriage_fixes_trump() -> None:
    """HOF note 10, FOS: first marriage of the deal, hearts: trump H, 40."""
    game = setup("KH QH", turn_up=None, size=4, rules="no_ready_trump")
    assert game.trump is None
    assert told(game.apply("marriage H")) == [(0, "marriage H", 40)]
    assert game.trump == "H"


def test_x34_second_marriage_is_plain() -> None:
    """SAARI: second marriage, clubs: 20; trump stays hearts."""
    game = setup("KH QH KC QC", turn_up=None, draw="9D 8D 9S 8S", size=6, rules="no_ready_trump")
    game.apply("marriage H")
    win(game, next(c for c in game.hand(0) if c[0] in "789"))
    assert told(game.apply("marriage C")) == [(0, "marriage C", 20)]
    assert game.trump == "H"


@pytest.mark.parametrize("turn_up", ["8S", "8D"])
def test_x35_shifting_pair_under_spades_and_diamonds(turn_up: str) -> None:
    """PKW, SAARI: [S] or [D], shifting: QC JH scores 40; QS JD nothing."""
    game = setup("QC JH QS JD", turn_up=turn_up, size=6, rules="shifting")
    assert told(game.apply("bezique 1")) == [(0, "bezique 1", 40)]
    assert sorted(game.table(0)) == ["JH", "QC"]
    game = setup("QS JD KH QH", turn_up=turn_up, size=6, rules="shifting")
    assert legal(game) == ["marriage H", "pass"], "QS JD is no bezique"


@pytest.mark.parametrize("turn_up", ["8C", "8H"])
def test_x36_shifting_pair_under_clubs_and_hearts(turn_up: str) -> None:
    """NIE: [C] or [H], shifting: QS JD scores 40; QC JH nothing."""
    game = setup("QC JH QS JD", turn_up=turn_up, size=6, rules="shifting")
    assert told(game.apply("bezique 1")) == [(0, "bezique 1", 40)]
    assert sorted(game.table(0)) == ["JD", "QS"]
    game = setup("QC JH KD QD", turn_up=turn_up, size=6, rules="shifting")
    assert legal(game) == ["marriage D", "pass"]


@pytest.mark.parametrize(("kings", "points"), [("KS KH KD KC", 160), ("KS KS KD KC", 80)])
def test_x84_quartets_of_four_suits_count_double(kings: str, points: int) -> None:
    """SAARI option: KS KH KD KC / KS KS KD KC: 160 / 80."""
    game = setup(kings, turn_up="8C", size=5, overrides={"quartet_suits_bonus": "x2"})
    assert told(game.apply("four K")) == [(0, "four K", points)]


def test_x84_is_off_by_default() -> None:
    """SAARI option: without it four kings are 80 of whatever suits."""
    game = setup("KS KH KD KC", turn_up="8C", size=5)
    game.apply("four K")
    assert scored(game) == [(0, "four K", 80)]
