"""The exact solver of endings against plain search over the play kernels, and what its values promise."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from agents.endgame.core import (
    CARDS,
    FIRST,
    FIRST_0,
    FIRST_1,
    HEAD_PLAIN,
    HEAD_TRUMP,
    LAST,
    LEADER,
    LED,
    NO_VALUE,
    NODES,
    PAYING,
    RANKS,
    RUFF,
    SUITS,
    TRUMPS,
    make_solver,
    position_value,
    prepare,
)
from agents.endgame.solve import EndgameError, regrets, solve, solve_batch
from bezique_env import Game
from bezique_env.engine.cache import kernel
from bezique_env.engine.common import SETTLEMENT
from bezique_env.rules import get_rules
from bezique_env.rules.bezique import index as ix
from bezique_env.rules.bezique.settlement import settle_points
from experiments.cli import app
from tests.endgame.prove import RULES
from tests.endgame.worlds import Plain, belote_endings, bezique_endings, disagreements

HERE = [(variant, changes) for variant, changes in RULES if variant != "rubicon"]
"""Rules that two sizes of records play; another size would compile the game once more."""


@pytest.fixture(scope="module")
def solver() -> Any:
    """One table for all: entries of one game must never answer for another."""
    return make_solver(1 << 10)


@pytest.mark.parametrize(("variant", "changes"), HERE)
def test_every_value_is_that_of_plain_search(variant: str, changes: dict[str, Any], solver: Any) -> None:
    """Leads and replies, every action, the whole, from the state and from the view."""
    rules = get_rules(variant, None, changes)
    rng = np.random.default_rng(len(changes))
    make = belote_endings if variant == "belote" else bezique_endings
    states = np.concatenate([make(rules, 60, 4, rng), make(rules, 8, 6, rng)])
    wrong, unsolved, seen = disagreements(rules, states, solver)
    assert wrong == []
    assert seen > 20, "too few views leave nothing open to test anything"
    assert unsolved == 0 or rules.variant == "belote" or rules.game_end == "immediate"


def test_windows_between_tricks_are_refused() -> None:
    """Melds in the strict phase of Fildinski are not in the search: it must say so."""
    rules = get_rules("fildinski", None, {"fildinski_endgame": "on"})
    states = bezique_endings(rules, 5, 4, np.random.default_rng(0))
    values, best = solve_batch(states, rules)
    assert (best == NO_VALUE).all() and (values == NO_VALUE).all()
    assert (regrets(states, np.zeros(5, np.int64), rules) == -1).all()


def test_the_best_line_for_points_is_the_best_for_games() -> None:
    """Two packs pay games: every action that is best for points is best for what is paid."""
    rules = get_rules("two_pack", None, {"target": 400, "double_win_under": 200})
    states = bezique_endings(rules, 150, 4, np.random.default_rng(7))
    near = np.random.default_rng(8).integers(0, 6, (150, 2)) * 10
    states["scores"][:75] = 350 + near[:75]  # who wins is open
    states["scores"][75:] = np.array([400, 160]) + near[75:]  # whether twice is
    plain = Plain(rules)
    values, best = solve_batch(states, rules)
    told = 0
    for state, row, most in zip(states, values, best, strict=True):
        paid = plain.values(state, SETTLEMENT)
        legal = paid != NO_VALUE
        assert (paid[(row == most) & legal] == paid[legal].max()).all()
        told += len(set(paid[legal])) > 1
    assert told >= 5, "too few deals are decided in the ending to test anything"


@pytest.mark.parametrize(
    ("variant", "preset", "may_part"),
    [
        ("rubicon", "saari", False),
        ("chinese", "saari", False),
        ("eight_pack", "saari", False),
        ("rubicon", "portland", True),
        ("rubicon", "bicycle", True),
        ("chinese", "sum", True),
        ("eight_pack", "sum", True),
    ],
)
def test_whether_the_last_trick_always_pays(variant: str, preset: str, may_part: bool) -> None:
    """In the ending of these games the last trick alone has points; docs/endgame.md tells where it may cost.

    Where a loser under the rubicon pays his own points too, he is better off without it.
    """
    rules = get_rules(variant, preset)
    vector, last = rules.vector, int(rules.vector[ix.VALUE_LAST_TRICK])
    costs = [
        (own, other)
        for own in range(10, 6000, 90)
        for other in range(0, 6000, 90)
        if settle_points(vector, own + last, other, 0, 0) < settle_points(vector, own, other + last, 0, 0)
    ]
    assert bool(costs) == may_part


def _rank_points(brisque: int) -> np.ndarray:
    points = np.zeros(CARDS, np.int64)
    points[np.arange(CARDS) % RANKS >= RANKS - 2] = brisque
    return points


@kernel
def deal_value(s: Any, hands: Any, points: Any, trumps: int) -> int:
    """Return the value to seat 0, which leads, of a deal in the solver's own order of cards."""
    nums = s.nums
    for seat in range(2):
        s.paying[seat] = 0
        for card in range(hands.shape[1]):
            s.hands[seat, card] = hands[seat, card]
    for card in range(hands.shape[1]):
        s.rank_points[card] = points[card]
    nums[TRUMPS] = trumps
    for k in (HEAD_TRUMP, HEAD_PLAIN, RUFF):
        nums[k] = 1
    nums[LAST] = 10
    for k in (FIRST_0, FIRST_1, PAYING, LEADER, FIRST):
        nums[k] = 0
    nums[LED] = -1
    if not prepare(s):
        return NO_VALUE
    return position_value(s)


def _deal(rng: Any, cards: int, packs: int) -> np.ndarray:
    drawn = rng.permutation(np.repeat(np.arange(CARDS), packs))[: 2 * cards]
    hands = np.zeros((2, CARDS), np.int64)
    for seat in range(2):
        np.add.at(hands[seat], drawn[seat::2], 1)
    return hands


def test_plain_suits_may_change_places(solver: Any) -> None:
    """No value depends on which plain suit is which, nor on what the table held before."""
    rng = np.random.default_rng(11)
    points = _rank_points(10)
    for _ in range(60):
        hands = _deal(rng, 9, 4)
        value = deal_value(solver, hands, points, 1)
        suits = hands.reshape(2, SUITS, RANKS)
        other = suits[:, [0, *(1 + rng.permutation(3))]].reshape(2, CARDS)
        assert deal_value(solver, other, points, 1) == value
        assert deal_value(make_solver(1 << 6), hands, points, 1) == value, "a tiny table answers otherwise"


def test_a_higher_trump_never_hurts(solver: Any) -> None:
    """A trump without points that becomes the next higher one without points leaves the value or raises it."""
    rng = np.random.default_rng(12)
    points = _rank_points(10)
    raised = 0
    for _ in range(150):
        hands = _deal(rng, 7, 2)
        trumps = [rank for rank in range(5) if hands[0, rank]]
        if not trumps:
            continue
        better = hands.copy()
        better[0, trumps[-1]] -= 1
        better[0, trumps[-1] + 1] += 1
        before, after = deal_value(solver, hands, points, 1), deal_value(solver, better, points, 1)
        assert after >= before
        raised += after > before
    assert raised


def test_the_search_visits_no_more_positions_than_it_did() -> None:
    """Figures of docs/endgame.md; a change of the search that costs nodes shows here, whatever the machine."""
    rng = np.random.default_rng(20261130)
    points = _rank_points(10)
    nodes = []
    for cards, packs, deals in ((8, 2, 200), (12, 6, 40)):
        total = 0
        for _ in range(deals):
            one = make_solver(1 << 14)
            deal_value(one, _deal(rng, cards, packs), points, 1)
            total += int(one.nums[NODES])
        nodes.append(total / deals)
    assert nodes == pytest.approx([247.95, 6832.65], rel=0.05)


def test_larger_hands_than_the_solver_has_room_for_are_refused(solver: Any) -> None:
    """17 cards a hand."""
    assert deal_value(solver, _deal(np.random.default_rng(0), 17, 8), _rank_points(10), 1) == NO_VALUE


POSITION: dict[str, Any] = {
    "variant": "two_pack",
    "phase": "endgame",
    "to_act": 0,
    "trump": "H",
    "hands": ["TH 7C 9D AD", "TH 7D KS 9C"],
    "scores": [430, 520],
    "rest": 1,
}


def test_the_best_line_ends_as_the_value_says() -> None:
    """Played move by move, the line ends the deal with the value; every move of it loses nothing."""
    for seed in range(8):
        game = Game(seed=seed)
        rng = np.random.default_rng(seed)
        while game.phase not in ("endgame_lead", "endgame_follow"):
            game.apply(int(rng.choice(game.legal_actions())))
        before = game.save()
        found = solve(game)
        assert game.save() == before
        assert list(found.values) == game.legal_actions()
        for seat, action in found.line:
            assert game.seat_to_act == seat
            assert solve(game).regret(action) == 0
            game.apply(action)
        assert game.is_over
        assert game.scores[0] - game.scores[1] == found.value


def test_what_moves_lose() -> None:
    """Of two moves the regret is the difference of their values; an illegal one is named."""
    game = Game.from_position(POSITION)
    found = solve(game)
    state = np.asarray(game.state).reshape(1)
    for action in found.values:
        assert regrets(state, np.array([action]), game.rules)[0] == found.regret(action)
    states = bezique_endings(game.rules, 30, 4, np.random.default_rng(3))
    values, best = solve_batch(states, game.rules)
    worst = np.where(values == NO_VALUE, NO_VALUE * -1, values).argmin(1)
    lost = regrets(states, worst, game.rules)
    assert (lost == best - values[np.arange(30), worst]).all() and lost.max() > 0
    with pytest.raises(ValueError, match=r"action.* of row 0 is not legal"):
        regrets(state, np.array([95]), game.rules)


def test_the_command_tells_what_moves_are_worth(tmp_path: Path) -> None:
    """``bezique solve`` as JSON and as a table, held against plain search; a refusal is one line."""
    position = tmp_path / "position.json"
    position.write_text(json.dumps(POSITION))
    run = CliRunner().invoke
    told = json.loads(run(app, ["solve", str(position), "--json"]).stdout)
    assert told["value"] == -50
    game = Game.from_position(POSITION)
    plain = Plain(game.rules).values(game.state)
    values = {game.action_text(action): int(plain[action]) for action in game.legal_actions()}
    assert {move["action"]: move["value"] for move in told["moves"]} == values
    assert [move["loses"] for move in told["moves"]] == [0, 20, 20, 40]
    assert len(told["line"]) == 8
    assert "-50" in run(app, ["solve", str(position)]).stdout
    position.write_text(json.dumps({**POSITION, "phase": "lead", "stock": "7S 8S 9S", "turn_up": "QH"}))
    refused = run(app, ["solve", str(position)])
    assert refused.exit_code == 2
    assert "strict phase" in refused.stderr


def test_positions_that_hide_cards_are_refused_with_the_reason() -> None:
    """The message says which positions are solved."""
    with pytest.raises(EndgameError, match=r"'lead'.*strict phase"):
        solve(Game(seed=1))
    with pytest.raises(EndgameError, match=r"'bid'.*play of tricks"):
        solve(Game("belote", seed=1))
