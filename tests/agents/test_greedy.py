"""What greedy does in positions where it is plain what it should do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agents.registry import make_agent
from agents.scripted.values import DECLARATION_POINTS
from bezique_env.engine.actions import NUM_ACTIONS, action_id
from bezique_env.game import Game
from bezique_env.rules import get_rules
from bezique_env.rules import index as ix
from tests.agents.duels import RULE_SETS, random_states, rules_id


def choice(game: Game) -> str:
    seat = game.seat_to_act
    keys = np.zeros(1, np.uint64)
    action = int(make_agent("greedy").act(game.view_record(seat), game.legal_mask(seat)[None], keys)[0])
    return game.action_text(action)


def position(phase: str, hands: list[str], **parts: Any) -> Game:
    data: dict[str, Any] = {
        "variant": "two_pack",
        "rules": {"preset": "standard"},
        "phase": phase,
        "to_act": 0,
        "dealer": 1,
        "trump": "H",
        "turn_up": "9H",
        "hands": [hand.split() for hand in hands],
        "won": [["9C", "9C"], []] if phase == "declare" else [[], []],
        "seed": 1,
    }
    return Game.from_position({**data, **parts})


def test_the_points_of_declarations_are_the_rules_points() -> None:
    vector = get_rules("two_pack", "standard", {"four_tens": 90}).vector
    for text, place in {
        "marriage S": ix.VALUE_MARRIAGE,
        "sequence H": ix.VALUE_SEQUENCE,
        "bezique 1": ix.VALUE_BEZIQUE,
        "bezique 2": ix.VALUE_DOUBLE_BEZIQUE,
        "four A": ix.VALUE_FOUR,
        "four T": ix.VALUE_FOUR + 1,
        "four K": ix.VALUE_FOUR + 2,
        "four Q": ix.VALUE_FOUR + 3,
        "four J": ix.VALUE_FOUR + 4,
        "seven": ix.VALUE_SEVEN,
    }.items():
        assert DECLARATION_POINTS[action_id(text)] == vector[place], text
    assert DECLARATION_POINTS.shape == (NUM_ACTIONS,)


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("KH QH AH TH JH 7S 8S", "sequence H"),
        ("KS QS JD KD KC KH 7S", "four K"),
        ("KH QH KD QD 7S 8S 9S", "marriage H"),
        ("KD QD QS JD 7S 8S 9S", "bezique 1"),
        ("QS QS JD JD 7S 8S 9S", "bezique 2"),
        ("7H KD 7S 8S 9S 8D 8C", "exchange"),
    ],
)
def test_declares_what_scores_most(hand: str, expected: str) -> None:
    game = position("declare", [hand, "7C 8C 9D 7D JC JS 9H"])
    assert choice(game) == expected


def test_exchanges_for_a_trump_ace_before_a_plain_marriage() -> None:
    hands = ["7H KD QD 8S 9S 8D 8C", "7C 8C 9D 7D JC JS 9H"]
    assert choice(position("declare", hands, turn_up="AH")) == "exchange"
    assert choice(position("declare", hands, turn_up="8H")) == "marriage D"


@pytest.mark.parametrize(
    ("led", "hand", "expected"),
    [
        ("AD", "8H QH AH KS 7S 8S 9S 9C", "play 8H"),  # a led ace is caught by the cheapest trump
        ("TD", "AD 8H KS 7S 8S 9S 9C 9C", "play AD"),  # by an ace of the suit, which comes home
        ("8D", "TD 8H KS 7S 8S 9S 9C 9C", "play TD"),  # a ten wins safely
        ("8D", "AD 8H KS 7S 8S 9S 9C 9C", "play AD"),
        ("8D", "7S KD QD AH TH KH QH JH", "play 7S"),  # nothing to win: the least useful card
        ("AD", "7S KD QS JD AS TS KS QS", "play 7S"),  # cannot win: nothing is given on top
    ],
)
def test_follows_with_cheap_captures(led: str, hand: str, expected: str) -> None:
    other = [card for card in ["7C", "8C", "9D", "7D", "JC", "JS", "9H", "8H"] if card != led][:7]
    game = position("follow", [hand, " ".join(other)], trick=[[1, led]])
    assert choice(game) == expected


def test_leads_its_least_useful_card() -> None:
    game = position("lead", ["QS JD KH QH AS TS 8C KD", "7C 8C 9D 7D JC JS 9H 8H"])
    assert choice(game) == "play 8C"


@pytest.mark.parametrize("rule_set", RULE_SETS, ids=rules_id)
def test_never_passes_by_a_score(rule_set: dict[str, Any]) -> None:
    """Where it passes, nothing that is legal would have scored."""
    passes = 0
    for game in random_states(rule_set, 30, 40, seed=17):
        if game.phase != "declare" or choice(game) != "pass":
            continue
        passes += 1
        for action in game.legal_actions():
            twin = game.clone()
            events = twin.apply(action)
            while twin.phase == "select":
                events += twin.apply(twin.legal_actions()[0])
            assert action == 95 or not events, game.action_text(action)
    assert passes >= (rule_set["rules"] == "saari")
