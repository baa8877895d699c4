"""The rule-based player of the Belote family: what it does where that is plain, its last tricks, its fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agents.registry import make_agent
from agents.scripted.duel import duel
from agents.scripted.expert import belote_weights as at
from agents.scripted.policies import expert_weights
from bezique_env.game import Game
from bezique_env.rules import get_rules
from experiments.config import load_model
from experiments.evaluation import decks_from_seed
from experiments.fit_belote import FitConfig, fit_auction, within_decisions
from tests.agents.test_greedy_belote import STRONG, WEAK, follow, lead
from tests.rules.belote_setup import deal


def choice(game: Game) -> str:
    seat = game.seat_to_act
    agent = make_agent("expert").with_rules(game.rules)
    action = int(agent.act(game.view_record(seat), game.legal_mask(seat)[None], np.zeros(1, np.uint64))[0])
    return game.action_text(action)


# -------------------------------------------------------------------------------------------- the auction


def test_takes_with_a_strong_hand_and_not_with_a_weak_one() -> None:
    """H30."""
    assert choice(deal(STRONG, turn_up="8H")) == "accept"
    assert choice(deal(WEAK, turn_up="8H")) != "accept"


def test_names_its_best_suit_when_it_has_to() -> None:
    game = deal("789C TS 7S QH", "J9ATD 7H AS", turn_up="8H", rules="hoyle")
    game.apply("pass")
    game.apply("pass")
    game.apply("pass")
    assert game.seat_to_act == game.dealer
    assert choice(game) == "name D"


# ------------------------------------------------------------------------------------------------ the play


@pytest.mark.parametrize(
    ("hand", "led", "expected"),
    [
        ("T87S 7D", "KS", "play TS"),  # the ten comes home
        ("TQ8S 7D", "AS", "play 8S"),  # nothing is given to a trick that is lost
        ("7AH AD KC TC", "TS", "play 7H"),  # trumped with the least trump
    ],
)
def test_takes_points_cheaply_and_throws_low(hand: str, led: str, expected: str) -> None:
    assert choice(follow(hand, led)) == expected


def test_the_taker_draws_trumps_and_a_defender_brings_his_aces_home() -> None:
    """H31."""
    assert choice(lead("J97H 9S 7D 8C", taker=0)) in ("play JH", "play 9H")
    assert choice(lead("J97H 9S 7D 8C", taker=1)) not in ("play JH", "play 9H")
    assert choice(lead("AS KS 7D 8C", taker=1)) == "play AS"


def test_the_seven_is_exchanged_but_not_out_of_a_sequence() -> None:
    for hand, expected in (("7JH AS TS KD 8C", "exchange"), ("789H AS TD KC", "pass")):
        game = deal(hand, "78S 9QD", turn_up="AH")
        game.apply("accept")
        assert "exchange" in [game.action_text(a) for a in game.legal_actions()]
        assert choice(game) == expected


# ------------------------------------------------------------------------------------------- the last tricks


def last_values(game: Game) -> dict[str, float]:
    """Mean settled difference of every card over all hands of the other seat, by the play of the engine alone."""
    seat = game.seat_to_act
    view = game.view_record(seat)[0]
    other = 1 - seat

    def best(node: Game) -> int:
        if node.is_over:
            scores = node.scores
            return int(scores[seat] - scores[other])
        values = []
        for action in node.legal_actions():
            child = node.clone()
            child.apply(action)
            values.append(best(child))
        return max(values) if node.seat_to_act == seat else min(values)

    twins: dict[tuple[Any, ...], Game] = {}
    size = bin(int(view["unseen"]) & ~int(view["absent"][other])).count("1")
    for seed in range(60 * size):
        twin = game.resample(seat, seed)
        twins.setdefault(tuple(sorted(twin.hand(other))), twin)
    means = {}
    for action in game.legal_actions():
        total = 0
        for twin in twins.values():
            child = twin.clone()
            child.apply(action)
            total += best(child)
        means[game.action_text(action)] = total / len(twins)
    return means


def played_to_the_end(number: int, rules: str, left: int) -> Game | None:
    """A game of greedy play with so many cards left in the hand to act, where it has a choice of cards."""
    game = Game("belote", rules=rules, seed=number)
    greedy = make_agent("greedy")
    while not game.is_over:
        seat = game.seat_to_act
        legal = game.legal_actions()
        if len(game.hand(seat)) == left and game.phase in ("lead", "follow") and len(legal) > 1:
            return game if max(legal) < 32 else None
        keys = np.zeros(1, np.uint64)
        game.apply(int(greedy.act(game.view_record(seat), game.legal_mask(seat)[None], keys)[0]))
    return None


@pytest.mark.parametrize("rules", ["two_handed", "swiss"])
def test_the_last_two_tricks_are_played_as_all_hands_of_the_other_seat_say(rules: str) -> None:
    """H32: the card with the best mean, found again by walking the games of the engine."""
    found = 0
    for number in range(40):
        game = played_to_the_end(number, rules, 2)
        if game is None or game.view_record(game.seat_to_act)["outcome"].any():
            continue  # what was announced tells more of the other hand
        values = last_values(game)
        assert values[choice(game)] == pytest.approx(max(values.values())), game.to_record()
        found += 1
        if found == 4:
            break
    assert found == 4


# ----------------------------------------------------------------------------------------------- strength


@pytest.mark.parametrize("preset", ["two_handed", "swiss"])
def test_beats_greedy(preset: str) -> None:
    rules = get_rules("belote", preset)
    decks = decks_from_seed(5, 1500, rules)
    scores = duel(rules, decks.cards, decks.dealers, decks.seeds, expert_weights(rules), None)
    points = (scores[:, :, 0] - scores[:, :, 1]).mean(axis=1)
    assert points.mean() - 1.96 * points.std() / np.sqrt(len(points)) > 1


# ------------------------------------------------------------------------------------------------ the fit


def test_a_fit_finds_that_jacks_of_trumps_are_worth_most() -> None:
    rules = get_rules("belote", "hoyle")
    start = expert_weights(rules).values.copy()
    start[at.WORTH : at.TAKER] = 0.0
    config = FitConfig(presets=("hoyle",), output="unused", decks=300, ridge=1.0)
    fitted = fit_auction(start, [rules], config, seed=3)
    assert fitted[at.WORTH : at.WORTH + 8].argmax() == 4
    assert np.array_equal(fitted[at.TAKER :], start[at.TAKER :])


def test_rows_are_compared_within_their_decision() -> None:
    rows = np.array([[1.0, 5.0], [3.0, 5.0], [10.0, 0.0]])
    assert within_decisions(rows, np.array([4.0, 4.0, 7.0])).tolist() == [[-1, 0], [1, 0], [0, 0]]


def test_the_shipped_configs_of_the_fit_are_good() -> None:
    for name in ("tune/belote_fit", "tune/mini_belote_fit"):
        config = load_model(name, [], FitConfig, lambda problems: None)
        assert [get_rules(config.variant, preset).preset for preset in config.presets] == list(config.presets)
