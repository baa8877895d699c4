"""What greedy does in positions of the Belote family where it is plain what it should do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agents.registry import make_agent
from agents.scripted.greedy import PLAYERS
from bezique_env.game import Game
from bezique_env.rules.families import FAMILIES
from tests.rules.belote_setup import cards, deal

KEYS = np.zeros(1, np.uint64)
STRONG, WEAK = "J9AH AS 78C", "78S 9QD 7KC"


def choice(game: Game) -> str:
    seat = game.seat_to_act
    action = int(make_agent("greedy").act(game.view_record(seat), game.legal_mask(seat)[None], KEYS)[0])
    return game.action_text(action)


def follow(hand: str, led: str, trump: str = "H", **parts: Any) -> Game:
    """The answer of seat 0 to a lead, with so many cards as it is given."""
    held = cards(hand)
    other = [c for c in cards("789TQKS 789TQKD 789TQKC 789TQKH") if c not in [*held, led]]
    position = {
        "variant": "belote",
        "phase": "follow",
        "to_act": 0,
        "dealer": 1,
        "trump": trump,
        "taker": 0,
        "turn_up": f"A{trump}" if f"A{trump}" not in held else f"J{trump}",
        "hands": [held, other[: len(held) - 1]],
        "trick": [[1, led]],
        "rest": 1,
        "seed": 1,
    }
    return Game.from_position({**position, **parts})


def lead(hand: str, **parts: Any) -> Game:
    held = cards(hand)
    other = [c for c in cards("789TQKS 789TQKD 789TQKC") if c not in held]
    position = {
        "variant": "belote",
        "phase": "lead",
        "to_act": 0,
        "dealer": 1,
        "trump": "H",
        "taker": 0,
        "turn_up": "8H",
        "hands": [held, other[: len(held)]],
        "rest": 1,
        "seed": 1,
    }
    return Game.from_position({**position, **parts})


def test_every_family_has_its_greedy_play() -> None:
    assert set(PLAYERS) == {family.name for family in FAMILIES}


@pytest.mark.parametrize(("hand", "expected"), [(STRONG, "accept"), (WEAK, "pass")])
def test_takes_the_turned_suit_with_a_strong_hand_only(hand: str, expected: str) -> None:
    assert choice(deal(hand)) == expected


def test_names_its_best_suit_in_round_two() -> None:
    game = deal("J9AS AD 78C", turn_up="8H", overrides={"r2_elder_actions": "named"})
    for _ in range(2):
        game.apply("pass")
    assert choice(game) == "name S"
    game = deal(WEAK, turn_up="8H", overrides={"r2_elder_actions": "named"})
    for _ in range(2):
        game.apply("pass")
    assert choice(game) == "pass"


def test_proposes_in_round_two_what_it_may_not_name() -> None:
    game = deal("J9AS AD 78C", turn_up="8H")
    for _ in range(2):
        game.apply("pass")
    assert choice(game) == "propose"
    for action in ("propose", "refuse"):
        game.apply(action)
    assert choice(game) == "name S", "its proposer must name"


@pytest.mark.parametrize(("hand", "expected"), [(STRONG, "refuse"), (WEAK, "agree")])
def test_answers_a_proposal_by_its_own_hand(hand: str, expected: str) -> None:
    game = deal("", hand)
    game.apply("propose")
    assert choice(game) == expected


def test_exchanges_announces_and_says_the_pair() -> None:
    game = deal("7KQH JTS AD AKQC", turn_up="8H")
    done = []
    while not game.is_over and len(done) < 30:
        text = choice(game)
        done.append((game.seat_to_act, text))
        game.apply(text)
    own = [text for seat, text in done if seat == 0]
    assert own.index("exchange") < own.index("announce") < own.index("belote")
    assert own[own.index("belote") + 1] in ("play KH", "play QH")


@pytest.mark.parametrize(
    ("hand", "led", "expected"),
    [
        ("T87S 7D", "KS", "play TS"),  # the ten comes home
        ("TQ8S 7D", "AS", "play 8S"),  # nothing is given to a trick that is lost
        ("78H AD KC", "TS", "play 7H"),  # trumped with the least trump
        ("J9H 7D 8C", "TH", "play 9H"),  # beaten with the lower of the two
        ("TD 78C", "KS", "play 7C"),  # neither suit nor trump: the least card
    ],
)
def test_takes_points_cheaply_and_throws_low(hand: str, led: str, expected: str) -> None:
    assert choice(follow(hand, led)) == expected


def test_the_taker_draws_trumps_with_those_that_nothing_beats() -> None:
    assert choice(lead("J98H 9S 7D 8C", turn_up="KH")) in ("play JH", "play 9H")
    assert choice(lead("J98H 9S 7D 8C", turn_up="KH", taker=1)) not in ("play JH", "play 9H")


def test_leads_an_ace_that_nothing_beats() -> None:
    assert choice(lead("AS 7D 8D 7C", taker=1)) == "play AS"
