"""The last stock trick: trees against those of plain Python, worlds, values, and what is refused."""

from __future__ import annotations

import itertools
import re
from collections import Counter

import numpy as np
import pytest

from agents.endgame.lastdraw import (
    LastDrawError,
    average_last_draw,
    hidden_of,
    solve_last_draw,
)
from agents.exact.cfr import Solver
from agents.exact.tree import build_tree
from bezique_env.engine.bezique.state import CARD_BITS, OWNER_SHIFT
from bezique_env.game import Game
from bezique_env.rules import get_rules
from tests.exact.games import Walker, stock_gone
from tests.exact.plain import Chance, make_tree


def last_trick(preset: str, seed: int, phase: str = "lead", options: dict[str, object] | None = None) -> Game:
    """A game of random moves up to the last stock trick."""
    rng = np.random.default_rng(seed)
    while True:
        game = Game(
            "mini_bezique", rules=get_rules("mini_bezique", preset, options), seed=int(rng.integers(2**32))
        )
        while not game.is_over:
            if game.state["stock_left"] == 2 and game.phase == phase:
                return game
            legal = game.legal_actions()
            melds = [a for a in legal if game.phase == "declare" and a != game.action_id("pass")]
            game.apply(int(rng.choice(melds or legal)))


def joint_deals(game: Game) -> Counter[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Hidden hands of both seats and in how many orders of the hidden cards they come, by trying every order."""
    state = game.state
    hands = [Counter(np.repeat(np.arange(32), state["hand"][s] - state["known"][s]).tolist()) for s in (0, 1)]
    in_stock = (state["deck"] >> OWNER_SHIFT == 3)[: len(game.rules.pack)]
    pool = [
        *hands[0].elements(),
        *hands[1].elements(),
        *(state["deck"][: len(in_stock)][in_stock] & CARD_BITS).tolist(),
    ]
    first, second = hands[0].total(), hands[0].total() + hands[1].total()
    found: Counter[tuple[tuple[int, ...], tuple[int, ...]]] = Counter()
    for order, ways in Counter(itertools.permutations(pool)).items():
        found[tuple(sorted(order[:first])), tuple(sorted(order[first:second]))] += ways
    return found


def dealt_so(
    game: Game, hidden: tuple[tuple[int, ...], tuple[int, ...]], stock: list[int] | None = None
) -> Game:
    """The game with other hidden cards."""
    other = game.clone()
    state = other.state
    pack = len(game.rules.pack)
    rest = Counter(
        np.concatenate(
            [np.repeat(np.arange(32), game.state["hand"][s] - game.state["known"][s]) for s in (0, 1)]
            + [game.state["deck"][:pack][game.state["deck"][:pack] >> OWNER_SHIFT == 3] & CARD_BITS]
        ).tolist()
    )
    for seat in (0, 1):
        held = game.state["hand"][seat] - game.state["known"][seat]
        left = Counter(np.repeat(np.arange(32), held).tolist())
        places = []
        for place in range(pack):
            card = int(game.state["deck"][place]) & CARD_BITS
            if game.state["deck"][place] >> OWNER_SHIFT == seat and left[card]:
                left[card] -= 1
                places.append(place)
        for place, card in zip(places, hidden[seat], strict=True):
            state["deck"][place] = card | seat << OWNER_SHIFT
        state["hand"][seat] = game.state["known"][seat] + np.bincount(hidden[seat], minlength=32)
        rest -= Counter(hidden[seat])
    places = np.flatnonzero(game.state["deck"][:pack] >> OWNER_SHIFT == 3)
    state["deck"][places] = np.array(stock or sorted(rest.elements()), np.uint8) | 3 << OWNER_SHIFT
    return other


def plain_tree(game: Game) -> Chance:
    """The joint deals and all that follows, by ``Game`` alone."""
    walker = Walker(game.rules, stock_gone)
    worlds = [(ways, dealt_so(game, hidden)) for hidden, ways in joint_deals(game).items()]
    passing = game.action_id("pass")
    if game.phase == "declare":
        worlds = [(ways, world) for ways, world in worlds if world.legal_actions() != [passing]]
    total = sum(ways for ways, _ in worlds)
    return Chance(tuple((ways / total, walker.node(world)) for ways, world in worlds))


def test_over_all_turn_ups_it_is_the_whole_game() -> None:
    """Three cards a hand, one stock trick: each turn-up is a last stock trick, and together they are the game."""
    rules = get_rules("mini_bezique", "qj3")
    whole = Solver(build_tree(rules))
    whole.run(400)
    found = {}
    for order in itertools.permutations(rules.pack[::2].tolist()):
        deck = [*rules.pack[1::2].tolist(), *order]
        deck[6], deck[7] = deck[7], deck[6]
        game = Game("mini_bezique", rules=rules, deck=[rules.family.cards.texts[c] for c in deck], dealer=1)
        if game.turn_up not in found:
            found[game.turn_up] = solve_last_draw(game, target=0.01)
    assert len(found) == 4
    assert sum(one.sets for one in found.values()) == 242
    assert sum(one.leaves for one in found.values()) == 930
    mean = sum(one.game_value for one in found.values()) / 4
    assert abs(mean - whole.game_value()) < 0.01 + whole.exploitability().nash_conv


@pytest.mark.parametrize(
    ("preset", "seed", "phase", "options"),
    [
        ("qj2", 1, "lead", None),
        ("qj2", 2, "follow", None),
        ("kqj4", 2, "declare", None),
        ("qj2", 4, "lead", {"trump": "first_marriage"}),
        ("kqj4", 0, "follow", None),
    ],
)
def test_the_tree_is_that_of_the_games(
    preset: str, seed: int, phase: str, options: dict[str, object] | None
) -> None:
    game = last_trick(preset, seed, phase, options)
    plain, _ = make_tree(plain_tree(game))
    solver = Solver(plain)
    solver.run(600)
    found = solve_last_draw(game, target=0.01)
    assert (found.sets, found.leaves) == (plain.sets, plain.leaves)
    sign = 1 if game.seat_to_act == 0 else -1
    gap = found.gap + solver.exploitability().nash_conv
    assert gap < 0.05
    assert abs(found.game_value - sign * solver.game_value()) <= gap
    assert found.actions.tolist() == game.legal_actions()
    assert abs(found.probabilities.sum() - 1) < 1e-9
    assert np.all(found.values <= found.value + 0.05 * found.deals)


def minimax(game: Game) -> int:
    if game.is_over:
        return game.returns()[0]
    values = []
    for action in game.legal_actions():
        child = game.clone()
        child.play_on(action)
        values.append(minimax(child))
    return max(values) if game.seat_to_act == 0 else min(values)


@pytest.mark.parametrize(
    ("preset", "seed", "phase", "options"),
    [
        ("qj2", 1, "lead", None),
        ("qj3", 5, "declare", None),
        ("qj2", 7, "follow", {"trump": "first_marriage"}),
    ],
)
def test_the_average_is_that_of_plain_minimax(
    preset: str, seed: int, phase: str, options: dict[str, object] | None
) -> None:
    game = last_trick(preset, seed, phase, options)
    seat = game.seat_to_act
    own = tuple(
        sorted(np.repeat(np.arange(32), game.state["hand"][seat] - game.state["known"][seat]).tolist())
    )
    totals, weight = np.zeros(len(game.legal_actions())), 0
    every = hidden_of(game)[0]
    cards = np.repeat(np.arange(32), every.pool - every.own).tolist()
    others = every.sizes[1 - seat]
    for order, ways in Counter(itertools.permutations(cards)).items():
        hidden = (own, order[:others]) if seat == 0 else (order[:others], own)
        world = dealt_so(game, hidden, list(order[others:]))
        if world.legal_actions() != game.legal_actions():
            continue
        weight += ways
        for k, action in enumerate(game.legal_actions()):
            child = world.clone()
            child.play_on(action)
            totals[k] += ways * minimax(child) * (1 if seat == 0 else -1)
    found = average_last_draw(game)
    assert found.actions.tolist() == game.legal_actions()
    assert np.allclose(found.values, totals / weight)


def test_only_what_the_seat_sees_counts() -> None:
    game = last_trick("kqj4", 0)
    seat = game.seat_to_act
    first = solve_last_draw(game, target=1.0)
    for seed in range(3):
        twin = game.resample(seat, seed)
        again = solve_last_draw(twin, target=1.0)
        assert np.array_equal(first.probabilities, again.probabilities)
        assert np.array_equal(first.values, again.values)
        assert np.array_equal(average_last_draw(game).values, average_last_draw(twin).values)
    by_view = solve_last_draw(game.view_record(seat), game.rules, target=1.0)
    assert np.array_equal(first.values, by_view.values)


def test_joint_deals_are_counted_before_they_are_made() -> None:
    for seed in range(5):
        game = last_trick("kqj4", seed)
        hidden = hidden_of(game)[0]
        held, ways = hidden.deals()
        every = joint_deals(game) if seed == 0 else None
        assert hidden.count_deals() == len(held)
        if every is not None:
            assert len(every) == len(held)
            share = {
                (
                    tuple(np.repeat(np.arange(32), h[0]).tolist()),
                    tuple(np.repeat(np.arange(32), h[1]).tolist()),
                ): way
                for h, way in zip(held, ways / ways.sum(), strict=True)
            }
            assert all(abs(share[key] - n / every.total()) < 1e-12 for key, n in every.items())


def test_what_is_refused() -> None:
    early = Game("mini_bezique", rules="qj2", seed=1)
    with pytest.raises(LastDrawError, match="the stock holds 4 cards: with one stock trick left it holds 2"):
        solve_last_draw(early)
    with pytest.raises(LastDrawError, match="belote has no stock"):
        solve_last_draw(Game("belote", seed=1))
    game = last_trick("kqj4", 3)
    number = hidden_of(game)[0].count_deals()
    with pytest.raises(
        LastDrawError, match=re.escape(f"{number:,} joint deals are more than most_deals=10: raise it")
    ):
        solve_last_draw(game, most_deals=10)
    with pytest.raises(TypeError, match="does not tell its rules"):
        solve_last_draw(game.view_record(game.seat_to_act))
    with pytest.raises(LastDrawError, match=f"seat {1 - game.seat_to_act} is not to act"):
        solve_last_draw(game.view_record(1 - game.seat_to_act), game.rules)
    while not game.is_over:
        game.apply(game.legal_actions()[0])
    with pytest.raises(LastDrawError, match="the game is over"):
        average_last_draw(game)
