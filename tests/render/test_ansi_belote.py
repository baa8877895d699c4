"""The text table of Belote: legible at 80 columns, complete, and unable to give a card away."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest

from bezique_env import Game, belote_v0
from bezique_env.render.ansi import SYMBOLS, WIDTH, card_picture, visible_length
from bezique_env.render.belote import hand_order, pretty_action, render
from bezique_env.rules import variants
from bezique_env.rules.belote.cards import CARD_TEXTS

PRESETS = list(variants()["belote"].presets)
ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def positions(preset=None, seeds=range(3), episode="deal", **overrides):
    """Every position of some games in which most is exchanged, announced and said, and auctions are long."""
    for seed in seeds:
        rng = np.random.default_rng(seed)
        game = Game("belote", rules=preset, seed=seed, episode=episode, overrides=overrides)
        while not game.is_over:
            yield game
            legal = game.legal_actions()
            rare = [a for a in legal if a > 40 or (a in (33, 34) and game.phase == "bid")]
            game.apply(int(rng.choice(rare if rare and rng.random() < 0.7 else legal)))
        yield game


def dealt(elder, dealer, turn_up, bottom="7C", **options):
    """A game in which seat 0 is elder, with nine cards a seat in the order dealt."""
    elder, dealer = elder.split(), dealer.split()
    rest = [card for card in CARD_TEXTS if card not in (*elder, *dealer, turn_up, bottom)]
    deck = [
        *elder[:3],
        *dealer[:3],
        *elder[3:6],
        *dealer[3:6],
        turn_up,
        *elder[6:],
        *dealer[6:],
        *rest,
        bottom,
    ]
    return Game("belote", deck=deck, dealer=1, **options)


def legal_texts(game):
    return [game.action_text(a) for a in game.legal_actions()]


def table(game, seat):
    return render(game.view(seat), color=False, legal=legal_texts(game) if seat == game.seat_to_act else [])


def halves(text):
    """The part of the other seat and that of the own, without what lies between."""
    return text[: text.index("\n\n")], text[text.index(" YOU ") :]


def shown_cards(text, label):
    """The cards behind a label, by suit as a hand is written; ``all`` stands for the suit."""
    found = re.search(rf"\n   {label:<8}(.*(?:\n {{11}}[♠♥♦♣].*)*)", "\n" + text)
    cards = Counter()
    for suit, ranks in re.findall(r"([♠♥♦♣])\*? (all|[AKQJT987 ]+)", found[1] if found else ""):
        for rank in "789TJQKA" if ranks == "all" else ranks.split():
            cards[rank + suit] += 1
    return cards


def pictured(cards):
    return Counter(card[0] + SYMBOLS[card[1]] for card in cards)


@pytest.mark.parametrize("preset", PRESETS)
def test_no_line_is_longer_than_80_columns_and_colour_changes_no_letter(preset):
    for game in positions(preset, episode="match"):
        for seat in (0, 1):
            legal = legal_texts(game) if seat == game.seat_to_act else []
            plain = render(game.view(seat), color=False, legal=legal)
            assert "\x1b" not in plain
            assert max(len(line) for line in plain.split("\n")) <= WIDTH, plain
            coloured = render(game.view(seat), color=True, legal=legal)
            assert ESCAPES.sub("", coloured) == plain
            assert coloured.count("\x1b[0m") * 2 == len(ESCAPES.findall(coloured))


def test_long_numbers_and_everything_said_still_fit():
    game = dealt(
        "KH QH 7H 8S TS JS QS KS AS", "9H TH AH 8C 9C TC JC QC KC", "JH", episode="match", rules="hoyle"
    )
    for text in ("accept", "exchange", "announce", "announce", "belote"):
        game.apply(text)
    game.state["match_scores"] = 99_999
    game.state["scores"] = 1_300
    for seat in (0, 1):
        assert max(len(line) for line in table(game, seat).split("\n")) <= WIDTH


def test_a_whole_table():
    """A deal by hand: elder proposes, is refused and leads; spades are sorted as trumps, by their strength."""
    game = dealt("7S JS 9S AH KH QH 8D TC 9C", "8S TS QS TH 9H 8H 7D JD QD", "KS", bottom="AC")
    for text in ("propose", "refuse", "exchange", "announce", "pass", "play 9S"):
        game.apply(text)
    line = "─" * 80
    assert table(game, 1).split("\n") == [
        line,
        " trump  ♠* spades   taker: opponent  turn-up 7♠  bottom A♣          dealer: you ",
        line,
        " OPPONENT seat 0   exchanged                              tricks 0   score   20 ",
        "   hand    ▒▒ ▒▒ ▒▒ ▒▒ 4 hidden   known: K♠ A♥ K♥ Q♥",
        "   played  ♠* 9",
        "",
        "   auction opponent proposes a new deal, you refuse",
        "   claims  opponent says 20, opponent scores 20: Q♥ K♥ A♥",
        "   trick   opponent 9♠",
        "",
        " YOU seat 1                                               tricks 0   score    0 ",
        "   hand    ♠* T Q 8   ♥ T 9 8   ♦ Q J 7",
        line,
        " YOUR MOVE  answer the lead: follow suit; beat it if you can",
    ]


def test_the_own_hand_is_shown_whole_and_sorted_by_strength():
    for game in positions(seeds=range(6)):
        text = table(game, 0)
        view = game.view(0)
        assert shown_cards(halves(text)[1], "hand") == pictured(view.hand)
        if view.trump is not None:
            assert f"{SYMBOLS[view.trump]}* " in text.split("\n")[1]
            trumps = re.search(r"\n   hand    .\* ([AKQJT987 ]+)", halves(text)[1])
            assert bool(trumps) == any(card[1] == view.trump for card in view.hand)
            if trumps:
                order = ["J9ATKQ87".index(rank) for rank in trumps[1].split()]
                assert order == sorted(order)
    assert sorted(["9S", "JS", "TS", "AS"], key=lambda card: hand_order(card, "S")) == [
        "JS",
        "9S",
        "AS",
        "TS",
    ]
    assert sorted(["9S", "JS", "TS", "AS"], key=lambda card: hand_order(card, "H")) == [
        "AS",
        "TS",
        "JS",
        "9S",
    ]


def lacking(view, seat):
    """Whole suits that a seat lacks, and of the others the cards that nobody has played."""
    suits = Counter(card[1] for card in view.absent[seat])
    return [c for c in view.absent[seat] if suits[c[1]] == 8 or c not in (*view.played[0], *view.played[1])]


@pytest.mark.parametrize("preset", PRESETS)
def test_numbers_and_public_cards_are_shown(preset):
    seen = Counter()
    for game in positions(preset, seeds=range(8), episode="match"):
        view, text = game.view(1), table(game, 1)
        header = text.split("\n")[1]
        assert f"turn-up {card_picture(view.turn_up, False)}" in header
        assert ("bottom" in header) == (view.bottom is not None)
        assert f"dealer: {'you' if view.dealer == 1 else 'opponent'} " in header
        if view.taker >= 0:
            assert f"taker: {'you' if view.taker == 1 else 'opponent'} " in header
        for part, seat in zip(halves(text), (0, 1), strict=True):
            assert re.search(rf"score +{view.scores[seat]} ", part)
            assert f"tricks {view.tricks[seat]} " in part
            assert ("exchanged" in part.split("\n")[0 if seat else 3]) == (view.exchanged == seat)
            assert ("belote" in part.split("\n")[0 if seat else 3]) == (view.pair_said[seat] > 0)
            if view.match_scores != view.scores:
                assert f"match {view.match_scores[seat]} " in part
            assert shown_cards(part, "played") == pictured(view.played[seat])
            assert shown_cards(part, "lacks") == pictured(lacking(view, seat))
            seen["lacks"] += bool(view.absent[seat])
            seen["lacks trumps"] += 0 < sum(card[1] == view.trump for card in view.absent[seat]) < 8
        hidden = view.concealed[0] - len(view.known[0])
        assert (f"{hidden} hidden" in text) == (hidden > 0)
        for card in view.known[0]:
            assert card_picture(card, False) in halves(text)[0]
        assert ("your opponent knows of" in text) == bool(view.known[1])
        for seat, card in view.trick:
            assert f"{'you' if seat == 1 else 'opponent'} {card_picture(card, False)}" in text
        told = re.search(r"\n   auction (.*?)\n(?:   [a-z]|\n)", text, re.S)[1]
        assert len(told.split(",")) == max(1, len(view.bids))
        for claim in view.announcements:
            if claim.value is not None or claim.decided:
                said = re.sub(r"\s+", " ", re.search(r"\n   claims  (.*?)\n(?:   trick|\n)", text, re.S)[1])
                assert claim.value is None or re.search(rf"says? {claim.value}\b", said)
                assert not claim.decided or f"{claim.points}" in said or "nobody scores" in said
                for card in claim.shown:
                    assert card_picture(card, False) in said
                seen[claim.decided_by] += 1
        for action in legal_texts(game) if game.seat_to_act == 1 else []:
            if not action.startswith("play"):
                assert pretty_action(action, False) in text[text.index("   may ") :]
                seen[action.split()[0]] += 1
        seen["again"] += "dealt again" in header
    wanted = ["lacks", "lacks trumps", "value", "top", None, "pass", "announce", "belote", "name", "accept"]
    wanted += ["propose", "agree", "exchange", "again"] if preset != "swiss" else []
    assert min(seen[name] for name in wanted) > 0, seen


def claims(game, seat=1):
    text = table(game, seat)
    return re.sub(r"\s+", " ", re.search(r"\n   claims  (.*?)\n(?:   trick|\n)", text, re.S)[1])


def test_the_talk_about_equal_declarations():
    elder, dealer = "7S 8S 9S AH KH QH 8D TC 9C", "7H 8H 9H AD KD QD TS JC 8C"
    game = dealt(elder, dealer, "7C", bottom="AC", rules="hoyle")
    for text in ("accept", "announce", "announce"):
        game.apply(text)
    assert claims(game) == "opponent says 20 (up to the ace, not in trumps), nobody scores"
    elder, dealer = "7S 8S 9S JH TH QH 8D TC 9C", "7H 8H 9H AD KD QD TS JC 8C"
    game = dealt(elder, dealer, "7C", bottom="AC", rules="hoyle")
    for text in ("accept", "announce", "announce"):
        game.apply(text)
    assert claims(game) == "opponent says 20 (up to the queen), you score 40: 7♥ 8♥ 9♥ Q♦ K♦ A♦"
    assert claims(game, 0) == "you say 20 (up to the queen), opponent scores 40: 7♥ 8♥ 9♥ Q♦ K♦ A♦"


def test_fours_of_a_kind_have_words_of_their_own():
    elder, dealer = "JS JH JD JC 7S 8S 9S AD AC", "KS KH KD KC 7H 8H 9H TH TD"
    game = dealt(elder, dealer, "7D", rules="bicycle")
    for text in ("accept", "announce", "announce"):
        game.apply(text)
    assert claims(game) == (
        "opponent says 20, you score 40: 7♥ 8♥ 9♥ T♥ fours: opponent says 200, opponent scores 200: J♠ J♥ J♦ J♣"
    )
    elder, dealer = "QS QH QD QC 7S 8S 9S AD AC", "KS KH KD KC 7H 8H 9H TC TD"
    game = dealt(elder, dealer, "7D", overrides={"four_of_a_kind": "french"})
    for text in ("accept", "announce", "announce"):
        game.apply(text)
    assert claims(game).startswith("opponent says 100 (four queens), you score 120:")


@pytest.mark.parametrize("preset", PRESETS)
def test_it_shows_nothing_that_the_seat_may_not_know(preset):
    """A game and its resampled twin look the same to a seat, so its table must be the same text."""
    different = 0
    for number, game in enumerate(positions(preset, seeds=range(4))):
        for seat in (0, 1):
            twin = game.resample(seat, number)
            different += sorted(twin.hand(1 - seat)) != sorted(game.hand(1 - seat))
            assert render(game.view(seat)) == render(twin.view(seat))
    assert different > 30


def test_what_the_opponent_is_asked_before_the_first_lead_is_not_told():
    seen = Counter()
    for game in positions(seeds=range(20)):
        if game.phase in ("exchange", "announce"):
            assert table(game, 1 - game.seat_to_act).endswith(" The opponent is to play.")
            seen[game.phase] += 1
    assert min(seen.values()) > 0 and len(seen) == 2


def test_who_won_is_told():
    words = Counter()
    for game in positions(seeds=range(12)):
        if game.is_over:
            for seat in (0, 1):
                won = game.returns()[seat]
                word = "you win" if won > 0 else "opponent wins" if won < 0 else "a tie"
                assert word in table(game, seat)
                words[word] += 1
    assert words["you win"] == words["opponent wins"] > 5


def test_points_that_wait_are_told():
    waiting = 0
    for game in positions(seeds=range(400), episode="match", two_hand_tie="hold_over", target=300):
        if game.state["held"] and game.phase == "bid":
            assert f"{game.state['held']} points of a tied deal wait" in table(game, game.seat_to_act)
            waiting += 1
            break
    assert waiting


def test_pretty_actions():
    assert pretty_action("play KS", False) == "play K♠"
    assert pretty_action("name H", False) == "name ♥"
    assert pretty_action("propose", False) == "propose a new deal"
    for text in ("accept", "pass", "agree", "refuse", "exchange", "announce", "belote"):
        assert pretty_action(text, True) == text
    assert visible_length(pretty_action("name D", True)) == 6


def test_env_render_shows_the_seat_to_act_or_a_chosen_one():
    for chosen in (None, 0, 1):
        env = belote_v0.env(render_mode="ansi", render_seat=chosen)
        env.reset(seed=1)
        for _ in range(12):
            seat = env.unwrapped.game.seat_to_act if chosen is None else chosen
            assert f" YOU seat {seat} " in env.render()
            env.step(int(np.flatnonzero(env.last()[4]["action_mask"])[0]))
