"""The text table: legible at 80 columns, complete, and unable to give a card away."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest

from bezique_env import Game, two_pack_v0
from bezique_env.render.ansi import SYMBOLS, WIDTH, card_picture, visible_length
from bezique_env.render.bezique import _short, pretty_action, render, table_groups
from bezique_env.render.renderers import RENDERERS, renderer_of
from bezique_env.rules import variants
from bezique_env.rules.bezique.family import BEZIQUE
from bezique_env.rules.families import FAMILIES
from tests.rules.setup import chinese, eight

PRESETS = [(variant, preset) for variant in BEZIQUE.variants for preset in variants()[variant].presets]
ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def positions(
    preset=None, seeds=range(3), episode="deal", overrides=None, melding=True, variant="two_pack", keep=False
):
    """Every position of some games that declare whatever they can; with ``keep`` only low cards are played."""
    for seed in seeds:
        rng = np.random.default_rng(seed)
        game = Game(variant, rules=preset, seed=seed, episode=episode, overrides=overrides)
        while not game.is_over:
            yield game
            legal = game.legal_actions()
            melds = [a for a in legal if 64 <= a < 95]
            low = [a for a in legal if a < 32 and a & 7 < 3] if keep else []
            game.apply(int(rng.choice(melds if melds and melding else low or legal)))
        yield game


def legal_texts(game):
    return [game.action_text(a) for a in game.legal_actions()]


@pytest.mark.parametrize(("variant", "preset"), PRESETS)
@pytest.mark.parametrize("overrides", [None, {"selection": "explicit"}])
def test_no_line_is_longer_than_80_columns_and_colour_changes_no_letter(variant, preset, overrides):
    seeds = range(3) if variant == "two_pack" else range(1)
    for game in positions(preset, seeds, overrides=overrides, variant=variant):
        for seat in (0, 1):
            legal = legal_texts(game) if seat == game.seat_to_act else []
            plain = render(game.view(seat), color=False, legal=legal)
            assert "\x1b" not in plain
            assert max(len(line) for line in plain.split("\n")) <= WIDTH
            coloured = render(game.view(seat), color=True, legal=legal)
            assert ESCAPES.sub("", coloured) == plain
            assert coloured.count("\x1b[0m") * 2 == len(ESCAPES.findall(coloured)), (
                "every colour is switched off again"
            )


def _cards_of_line(text):
    return Counter(
        rank + suit
        for suit, ranks in re.findall(r"([♠♥♦♣])\*? ([AKQJT987 ]+)", text)
        for rank in ranks.split()
    )


def test_the_own_hand_is_shown_whole_and_trump_is_marked():
    for game in positions():
        view = game.view(0)
        text = render(view, color=False)
        mine = text[text.index(" YOU ") :]
        hand = re.search(r"\n   hand    (.*(?:\n {11}[♠♥♦♣].*)*)", mine)[1]
        wanted = Counter(card[0] + SYMBOLS[card[1]] for card in game.hand(0))
        assert _cards_of_line(hand) == wanted
        assert f"{SYMBOLS[view.trump]}* " in text
        if any(card[1] == view.trump for card in view.hand):
            assert hand.startswith(SYMBOLS[view.trump] + "*"), "trumps come first"


def test_numbers_and_public_cards_are_shown():
    seen = Counter()
    for game in positions(seeds=range(6), episode="match"):
        view = game.view(1)
        text = render(view, color=False, legal=legal_texts(game) if game.seat_to_act == 1 else [])
        theirs, mine = text[: text.index(" YOU ")], text[text.index(" YOU ") :]
        for part, seat in ((theirs, 0), (mine, 1)):
            assert re.search(rf"score +{view.scores[seat]} ", part)
            assert re.search(rf"brisques +{view.brisques[seat]} ", part)
            assert re.search(rf"tricks +{len(view.won[seat]) // 2} ", part)
            for card, uses in view.tables[seat]:
                assert card_picture(card, False) in part
                for use in uses:
                    assert use in part
                    seen[use] += 1
        if view.match_scores != view.scores:
            assert f"match {view.match_scores[0]}" in theirs
        hidden = view.concealed[0] - len(view.known[0])
        assert (f"{hidden} hidden" in theirs) == (hidden > 0)
        for card in view.known[0]:
            seen["known"] += 1
            assert card_picture(card, False) in theirs
        if view.stock_left:
            assert f"stock {view.stock_left}" in text
            assert f"turn-up {card_picture(view.turn_up, False)}" in text
        else:
            assert "endgame" in text
        for seat, card in view.trick:
            assert f"{'you' if seat == 1 else 'opponent'} {card_picture(card, False)}" in text
        for action in legal_texts(game) if game.seat_to_act == 1 else []:
            if not action.startswith(("play", "use", "pass")):
                seen["declaration"] += 1
                assert pretty_action(action, False) in text[text.index("YOUR MOVE") :]
    assert min(seen[name] for name in ("marriage", "four", "seven", "known", "declaration")) > 0


@pytest.mark.parametrize("variant", BEZIQUE.variants)
def test_it_shows_nothing_that_the_seat_may_not_know(variant):
    """A game and its resampled twin look the same to a seat, so its table must be the same text."""
    different = 0
    for number, game in enumerate(positions(seeds=range(2), variant=variant)):
        if variant != "two_pack" and number % 4:
            continue
        for seat in (0, 1):
            twin = game.resample(seat, number)
            different += sorted(twin.hand(1 - seat)) != sorted(game.hand(1 - seat))
            assert render(game.view(seat)) == render(twin.view(seat))
    assert different > (30 if len(game.rules.pack) >= 32 else 0)


def test_ladders_and_intact_melds_are_shown():
    """A quadruple and a quintet before the eyes: dots for the rungs, each intact meld once with its cards."""
    game = eight("QS QS QS QS JD JD JD JD AC", scores=[4990, 5000], table=("AC AC AC", "KH QH"))
    game.apply("bezique 4")
    text = render(game.view(0), color=False)
    assert "A♣ A♣ A♣ (not used yet)   Q♠ Q♠ Q♠ Q♠ J♦ J♦ J♦ J♦ (bezique 4)" in text
    assert "intact  bezique 4: Q♠ Q♠ Q♠ Q♠ J♦ J♦ J♦ J♦\n   ladders bezique ○○○●○\n" in text
    assert "rubicon 5000: you crossed it, opponent crossed it" in text
    game = eight("AC AC", scores=[4990, 120], table=("AC AC AC", "KH QH"))
    game.apply("five trump A")
    text = render(game.view(1), color=False)
    assert "intact  five trump aces: A♣ A♣ A♣ A♣ A♣\n   ladders aces ○○●" in text
    assert "rubicon 5000: you 4880 to go, opponent crossed it" in text


def test_marriages_of_the_same_kind_are_counted_and_levels_of_a_bezique_joined():
    assert _short(["marriage", "bezique", "bezique 3", "four"]) == ["marriage", "four", "bezique 1+3"]
    assert _short(["bezique 2", "four"]) == ["bezique 2", "four"]
    wanted = Counter()
    for game in positions(variant="chinese", seeds=range(2), keep=True):
        view = game.view(0)
        text = render(view, color=False)
        for seat, part in ((1, text[: text.index(" YOU ")]), (0, text[text.index(" YOU ") :])):
            tables = view.tables[seat]
            pairs = Counter(
                tuple(sorted((tables[p][0] for p in places), key=lambda c: "KQ".index(c[0])))
                for kind, places in view.melds[seat]
                if kind == "marriage"
            )
            for (king, queen), count in pairs.items():
                shown = f"marriage: {card_picture(king, False)} {card_picture(queen, False)}"
                assert shown + (f" ×{count}" if count > 1 else "") in part.replace("\n           ", " ")
                wanted[count > 1] += 1
    assert wanted[True] and wanted[False]


def test_carte_blanche_and_the_cut_are_shown():
    numbers = "9S 9S 9H 9H 9D 9D 8C 8C TD TH 7S 7D"
    game = chinese(numbers, trump=None, phase="carte_blanche", overrides={"cut_bonus": "on"}, to_act=0)
    game.apply("carte blanche")
    text = render(game.view(1), color=False)
    theirs = text[: text.index(" YOU ")]
    assert "carte blanche" in theirs and "hidden" not in theirs
    for card in numbers.split():
        assert card_picture(card, False) in theirs


def test_open_cards_are_shown_with_those_of_the_trick():
    seen = Counter()
    for game in positions(variant="fildinski", seeds=range(3)):
        text = render(game.view(0), color=False)
        assert "\n   open    " in text and "\n   table   " not in text and "rubicon" not in text
        won = [len(game.view(0).won[s]) + len(game.view(0).tables[s]) for s in (0, 1)]
        assert re.search(rf"tricks +{won[0] // 2} ", text[text.index(" YOU ") :])
        seen["won now"] += "won now" in text
        seen["served now"] += "served now" in text
        assert ("won now" in text) <= (game.phase == "declare")
    assert min(seen.values()) > 0


def test_who_won_is_told():
    for game in positions(seeds=range(8), melding=False):
        if game.is_over:
            for seat in (0, 1):
                won = game.returns()[seat]
                word = "you win" if won > 0 else "opponent wins" if won < 0 else "a tie"
                assert word in render(game.view(seat), color=False)


def test_a_selection_under_way_is_shown_to_its_seat_only():
    chosen = 0
    for game in positions(overrides={"selection": "explicit"}, seeds=range(10)):
        if game.phase == "select":
            seat = game.seat_to_act
            assert "for     " in render(game.view(seat), color=False)
            assert "for     " not in render(game.view(1 - seat), color=False)
            chosen += 1
    assert chosen > 5


def test_grouping():
    cards = [("KS", ["marriage"]), ("QH", ["four"]), ("QS", ["marriage"]), ("JD", []), ("QD", ["four"])]
    groups = table_groups(cards)
    assert groups == [(["KS", "QS"], ("marriage",)), (["QH", "QD"], ("four queens",)), (["JD"], ())]


def test_pretty_actions():
    assert pretty_action("play KS table", False) == "play K♠ (table)"
    assert pretty_action("use TH", False) == "use T♥"
    assert pretty_action("marriage C", False) == "marriage ♣"
    assert pretty_action("four Q", False) == "four queens"
    assert pretty_action("four trump A", False) == "four trump aces"
    assert pretty_action("bezique 2", False) == "bezique 2"
    assert visible_length(pretty_action("play KS", True)) == 7


def test_env_render_shows_the_seat_to_act_or_a_chosen_one():
    for chosen in (None, 0, 1):
        env = two_pack_v0.env(render_mode="ansi", render_seat=chosen)
        env.reset(seed=1)
        for _ in range(12):
            seat = env.unwrapped.game.seat_to_act if chosen is None else chosen
            assert f" YOU seat {seat} " in env.render()
            env.step(int(np.flatnonzero(env.last()[4]["action_mask"])[0]))
    assert two_pack_v0.raw_env().render() is None


def test_importing_it_touches_no_graphics_library():
    code = (
        "import sys\n"
        "class Block:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in ('pygame', 'matplotlib', 'PIL', 'tkinter', 'cv2'):\n"
        "            raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Block())\n"
        "from bezique_env import Game\nfrom bezique_env.render.renderers import renderer_of\n"
        "for variant in ('two_pack', 'belote'):\n"
        "    text = renderer_of(variant).render(Game(variant, seed=0).view(0), color=False)\n"
        "    print(' '.join(text.splitlines()[1].split()[:2]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["trump", "no"]


def test_every_family_has_a_renderer_and_an_unknown_variant_none():
    assert list(RENDERERS) == [family.name for family in FAMILIES]
    assert all(renderer_of(variant) is RENDERERS[f.name] for f in FAMILIES for variant in f.variants)
    with pytest.raises(KeyError):
        renderer_of("whist")
