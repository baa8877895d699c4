"""What greedy does in positions of the Bezique family where it is plain what it should do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agents.registry import make_agent
from agents.scripted.values import values_of
from bezique_env.engine.bezique.actions import NUM_ACTIONS, action_id
from bezique_env.game import Game
from bezique_env.rules import get_rules
from bezique_env.rules.bezique import index as ix
from bezique_env.rules.bezique.variants import VARIANTS
from tests.agents.duels import RULE_SETS, random_states, rules_id
from tests.rules.setup import entry, many_packs, setup


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


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_points_of_declarations_are_the_rules_points(variant: str) -> None:
    tens = {} if "four_tens" in VARIANTS[variant].fixed else {"four_tens": 90}
    vector = get_rules(variant, None, tens).vector
    points = values_of(variant).points
    for text, plain, trump in (
        ("marriage S", ix.VALUE_MARRIAGE, ix.VALUE_ROYAL_MARRIAGE),
        ("sequence H", ix.VALUE_PLAIN_SEQUENCE, ix.VALUE_SEQUENCE),
        *((f"bezique {level}", *[ix.VALUE_BEZIQUE + level - 1] * 2) for level in range(1, 6)),
        *((f"four {rank}", *[ix.VALUE_FOUR + place] * 2) for place, rank in enumerate("ATKQJ")),
        *((f"four trump {rank}", *[ix.VALUE_FOUR_TRUMP + place] * 2) for place, rank in enumerate("ATKQJ")),
        *((f"five trump {rank}", *[ix.VALUE_FIVE_TRUMP + place] * 2) for place, rank in enumerate("ATKQJ")),
        ("seven", ix.VALUE_SEVEN, ix.VALUE_SEVEN),
        ("carte blanche", ix.VALUE_CARTE_BLANCHE, ix.VALUE_CARTE_BLANCHE),
    ):
        assert points[:, action_id(text)].tolist() == [vector[plain], vector[trump]], text
    assert points.shape == (2, NUM_ACTIONS)


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


@pytest.mark.parametrize("rule_set", [one for one in RULE_SETS if one["variant"] in VARIANTS], ids=rules_id)
def test_never_passes_by_a_score(rule_set: dict[str, Any]) -> None:
    """Where it passes, nothing that is legal would have scored."""
    passes = 0
    games = 30 if rule_set["variant"] == "two_pack" else 5
    for game in random_states(rule_set, games, 40, seed=17):
        if game.phase != "declare" or choice(game) != "pass":
            continue
        passes += 1
        for action in game.legal_actions():
            twin = game.clone()
            events = twin.apply(action)
            while twin.phase == "select":
                events += twin.apply(twin.legal_actions()[0])
            scored = [event for event in events if event.points]
            assert action == 95 or not scored, game.action_text(action)
    assert passes >= (rule_set["variant"] == "two_pack" and rule_set["rules"] == "saari")


# ----------------------------------------------------------------------------------- more packs, open cards


@pytest.mark.parametrize(
    ("variant", "hand", "rounds", "expected"),
    [
        ("rubicon", "QS QS JD JD KH QH", 6, "bezique 2"),
        ("rubicon", "AH TH KH QH JH AS AD", 6, "sequence H"),  # 150 in a plain suit before 100
        ("chinese", "AC AC AC AC", 6, "four trump A"),
        ("eight_pack", "AC AC AC AC AC", 6, "five trump A"),
        ("eight_pack", "AC AC AC AC AC", 17, "four trump A"),  # time for both rungs of the ladder
        ("eight_pack", "QS QS QS JD JD JD", 17, "bezique 2"),
    ],
)
def test_declares_by_the_table_of_the_variant(variant: str, hand: str, rounds: int, expected: str) -> None:
    assert choice(many_packs(variant, hand, rounds=rounds)) == expected


def test_the_first_marriage_is_made_where_the_sequence_is_nearest() -> None:
    assert choice(many_packs("rubicon", "KH QH KD QD AD TD", trump=None)) == "marriage D"
    assert choice(many_packs("rubicon", "KH QH AH TH KD QD", trump=None)) == "marriage H"


def test_plays_a_card_of_a_scored_quartet_that_a_spare_one_replaces() -> None:
    game = many_packs(
        "rubicon",
        "AH JS JH 9S 8S",
        phase="lead",
        table=["AS AH AD AC", ""],
        scored=[entry("four A", "AS AH AD AC")],
        rounds=8,
    )
    assert choice(game) in ("play AS table", "play AD table", "play AH table", "play AC table")


def test_keeps_the_cards_of_a_great_bezique() -> None:
    hand = "QS QS QS JD JD KH KD KS 8H"
    assert choice(many_packs("rubicon", hand, phase="follow", trick=[[1, "AC"]], rounds=8)) == "play 8H"


def test_takes_a_trick_where_something_waits_to_be_declared() -> None:
    hand = "QS QS JD JD 9H KH 7S 7D 8S"
    game = many_packs("rubicon", hand, phase="follow", trick=[[1, "8H"]], rounds=8)
    assert choice(game) == "play 9H"  # with the cheapest card that takes it


def test_shows_carte_blanche() -> None:
    for seed in range(4000):
        game = Game("rubicon", rules="portland", seed=seed)
        if game.phase == "carte_blanche":
            assert choice(game) == "carte blanche"
            return
    pytest.fail("no hand without a court card")


@pytest.mark.parametrize(
    ("led", "hand", "table", "expected"),
    [
        ("KH", "AH JS 7S 8S", "QH", "play AH"),  # the king marries the open queen
        ("JD", "AD QD 7S 8S", "QS", "play AD"),  # the jack makes a bezique, and the ace brings itself home
        ("AC", "AD KS 7S 8S", "", "play 7S"),  # it cannot be taken: nothing is given on top
    ],
)
def test_takes_what_the_open_cards_need(led: str, hand: str, table: str, expected: str) -> None:
    game = setup(
        hand, variant="fildinski", phase="follow", trick=[[1, led]], table=[table, ""], turn_up="9C", rounds=2
    )
    assert choice(game) == expected
