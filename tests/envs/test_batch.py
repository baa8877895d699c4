"""The batch: each of its rows is a game, in every variant."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from bezique_env import Game, make_batch
from bezique_env.encoding import observation_size
from bezique_env.envs import batch as batch_module
from bezique_env.envs.batch import Batch
from tests.envs.cases import REWARDS, every_override, every_preset, every_variant


def choose(masks, rng):
    """Return one legal action a row, uniformly (0 where there is none)."""
    counts = np.cumsum(masks, axis=1)
    return np.argmax(counts > (rng.random(len(masks)) * counts[:, -1])[:, None], axis=1)


def random_decks(batch, rng):
    pack = batch.rules.pack
    return np.array([rng.permutation(pack) for _ in range(batch.num_games)])


@every_override
def test_rows_are_games(variant, options):
    """Scores, masks, seats, observations, views and keys of a row are those of the game with its seed."""
    rng = np.random.default_rng(5)
    batch = make_batch(variant, num_games=3, seed=1, overrides=options, reward="dense")
    seeds = batch.games["seed"].tolist()
    games = [Game(variant, overrides=options, seed=seed) for seed in seeds]
    returns = np.zeros((3, 2))
    while not batch.done.all():
        actions = choose(batch.mask, rng)
        for row, game in enumerate(games):
            assert batch.done[row] == game.is_over
            if not game.is_over:
                seat = game.seat_to_act
                assert batch.seat[row] == seat
                np.testing.assert_array_equal(batch.mask[row], game.legal_mask(seat))
                np.testing.assert_array_equal(batch.observation[row], game.observation(seat))
                assert batch.views(np.array([row])).tobytes() == game.view_record(seat).tobytes()
                assert batch.keys(seat, np.array([row])) == game.decision_key(seat)
                game.apply(int(actions[row]))
        batch.step(actions)
        returns += batch.reward
        assert not batch.illegal[~batch.done].any()
        np.testing.assert_array_equal(batch.scores, [game.scores for game in games])
    np.testing.assert_array_equal(returns, batch.returns())
    np.testing.assert_array_equal(returns, [game.returns("dense") for game in games])
    assert not batch.mask.any() and (batch.seat == -1).all()


@every_preset
def test_rewards_are_zero_sum_and_add_up_to_the_return(variant, preset):
    rng = np.random.default_rng(2)
    for reward in REWARDS:
        batch = make_batch(variant, num_games=8, seed=3, rules=preset, reward=reward)
        returns = np.zeros((8, 2))
        while not batch.done.all():
            batch.step(choose(batch.mask, rng))
            assert not batch.reward.sum(axis=1).any()
            returns += batch.reward
        np.testing.assert_array_equal(returns, batch.returns())
        np.testing.assert_array_equal(returns, [batch.game(row).returns(reward) for row in range(8)])


@every_variant
def test_a_row_depends_on_seed_and_row_alone(variant):
    whole, part = make_batch(variant, num_games=5, seed=9), make_batch(variant, num_games=2, seed=9)
    assert whole.games[:2].tobytes() == part.games.tobytes()
    assert make_batch(variant, num_games=2, seed=8).games.tobytes() != part.games.tobytes()
    rng = np.random.default_rng(0)
    for _ in range(60):
        actions = choose(whole.mask, rng)
        whole.step_rows(np.array([4, 2, 3, 1, 0]), actions[[4, 2, 3, 1, 0]])
        part.step(actions[:2])
        assert whole.games[:2].tobytes() == part.games.tobytes()
    assert len({row.tobytes() for row in whole.games}) == 5
    assert whole.observation.shape == (5, observation_size(variant))


@every_override
def test_decks_are_set(variant, options):
    rng = np.random.default_rng(4)
    batch = make_batch(variant, num_games=4, seed=0, draws="queues", overrides=options)
    decks = random_decks(batch, rng)
    dealers = np.array([0, 1, 1, 0])
    batch.set_decks(decks, dealers)
    np.testing.assert_array_equal(batch.games["deck"][:, : decks.shape[1]] & 31, decks)
    np.testing.assert_array_equal(batch.games["dealer"], dealers)
    start = batch.games.copy()
    for _ in range(50):
        batch.step(choose(batch.mask, rng))
    np.testing.assert_array_equal(batch.games["deck"][:, : decks.shape[1]] & 31, decks)
    batch.set_decks(decks, dealers)
    assert batch.games.tobytes() == start.tobytes(), "nothing of the earlier games stays"
    again = make_batch(variant, num_games=4, seed=0, draws="queues", overrides=options)
    again.reset()
    again.set_decks(decks, dealers)
    assert again.games.tobytes() == start.tobytes(), "a game follows from seed, deck and dealer"
    game = batch.game(2)
    assert (game.dealer, game.draws, game.variant) == (1, "queues", variant)
    with pytest.raises(ValueError, match="shape"):
        batch.set_decks(decks[:, :-1], dealers)
    decks[1, 0] = (decks[1, 0] + 1) % 32
    with pytest.raises(ValueError, match="every card"):
        batch.set_decks(decks, dealers)


@every_variant
def test_finished_rows_rest_and_autoreset_goes_on(variant):
    rng = np.random.default_rng(6)
    batch = make_batch(variant, num_games=2, seed=4)
    again = make_batch(variant, num_games=2, seed=4, autoreset=True, reward="dense")
    earned = np.zeros((2, 2))
    while not batch.done.all():
        rows = np.flatnonzero(~batch.done)
        actions = choose(batch.mask[rows], rng)
        batch.step_rows(rows, actions)
        again.step_rows(rows, actions)
        earned[rows] += again.reward[rows]
        np.testing.assert_array_equal(batch.done[rows], again.done[rows])
    last = batch.games.copy()
    batch.step(np.zeros(2, np.int64))
    assert batch.games.tobytes() == last.tobytes() and not batch.illegal.any() and not batch.reward.any()
    totals = last["match_scores"] + last["scores"]
    np.testing.assert_array_equal(earned, totals - totals[:, ::-1])
    assert (again.seat >= 0).all() and again.mask.any(axis=1).all()
    batch.reset()
    assert batch.games.tobytes() == again.games.tobytes(), "both go on to the same next games"


@every_variant
def test_illegal_actions_are_marked_and_change_nothing(variant):
    batch = make_batch(variant, num_games=3, seed=2)
    before = batch.games.copy()
    wrong = np.array([batch.mask[0].argmin(), -1, 96])
    batch.step(wrong)
    assert batch.illegal.all() and batch.games.tobytes() == before.tobytes()
    batch.step(batch.mask.argmax(axis=1))
    assert not batch.illegal.any()
    with pytest.raises(ValueError, match="shape"):
        batch.step(np.zeros(2, np.int64))


def test_the_cut_is_paid_with_the_first_step():
    batch = make_batch("chinese", num_games=300, seed=0, overrides={"cut_bonus": "on"}, reward="dense")
    scores = batch.scores
    assert {250, 150} <= set(np.unique(scores)) <= {0, 150, 250}
    batch.step(batch.mask.argmax(axis=1))
    np.testing.assert_array_equal(batch.reward[:, 0], batch.scores[:, 0] - batch.scores[:, 1])


@pytest.mark.parametrize("variant", ["rubicon", "chinese", "eight_pack"])
def test_a_match_is_one_deal(variant):
    rng = np.random.default_rng(1)
    batch = make_batch(variant, num_games=2, seed=5, episode="match")
    while not batch.done.all():
        batch.step(choose(batch.mask, rng))
    assert (batch.games["deal_no"] == 0).all() and not batch.games["match_scores"].any()


def test_the_maker_is_the_class():
    assert make_batch is Batch


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"variant": "rubicn"}, "rubicon"),
        ({"variant": "rubicon", "rules": "standrd"}, "saari"),
        ({"num_games": 0}, "num_games"),
        ({"num_games": True}, "num_games"),
        ({"seed": -1}, "seed"),
        ({"reward": "wins"}, "win"),
        ({"draws": "queue"}, "queues"),
        ({"episode": "day"}, "deal"),
        ({"threads": 0}, "threads"),
        ({"threads": 1.0}, "threads"),
        ({"dealer": 2}, "dealer"),
        ({"dealer": "elder"}, "random"),
        ({"autoreset": "yes"}, "autoreset"),
    ],
)
def test_mistakes_are_refused(arguments, words):
    with pytest.raises(ValueError, match=words):
        make_batch(**arguments)


# ---------------------------------------------------------------------- N, order, threads; buffers; mistakes


def course(variant, num_games, threads, order, steps=300):
    """Return what every row shows after each step of a course of play that depends on the rows' games alone.

    The first half is stepped in the given order, the second in halves of it, one after the other.
    """
    batch = make_batch(variant, num_games=num_games, seed=9, autoreset=True, reward="dense", threads=threads)
    shown = []
    for step in range(steps):
        keys = batch.keys(50)
        actions = np.array(
            [
                np.flatnonzero(mask)[int(key) % int(mask.sum())]
                for mask, key in zip(batch.mask, keys, strict=True)
            ]
        )
        rows = np.arange(num_games) if order is None else order.permutation(num_games)
        for some in (rows,) if step < steps // 2 else (rows[: num_games // 2], rows[num_games // 2 :]):
            batch.step_rows(some, actions[some])
        parts = (batch.games, batch.observation, batch.mask, batch.seat, batch.reward, batch.done)
        shown.append([b"".join(part[row].tobytes() for part in parts) for row in range(min(num_games, 7))])
        if step == steps // 3:
            batch.restart_rows(np.arange(num_games)[::-1])
    assert batch._episodes.max() > 1
    batch.close()
    return shown


@pytest.mark.parametrize("variant", ["two_pack", "belote", "rubicon"])
def test_n_order_and_threads_change_nothing_in_a_game(variant, monkeypatch):
    monkeypatch.setattr(batch_module, "ROWS_A_THREAD", 1)
    whole = course(variant, 64, 1, None)
    assert course(variant, 64, 2, np.random.default_rng(0)) == whole
    assert course(variant, 7, 2, None) == whole
    assert course(variant, 7, 1, np.random.default_rng(1)) == whole
    assert [step[:1] for step in whole] == course(variant, 1, 2, None)
    monkeypatch.setattr(batch_module, "IN_PLACE", 0)
    assert course(variant, 7, 2, None) == whole, "observations put together beside the row and copied"


def test_threads_get_rows_where_there_are_enough():
    batch = make_batch("belote", num_games=2 * batch_module.ROWS_A_THREAD, threads=3)
    assert batch._pool is not None
    again = make_batch("belote", num_games=2 * batch_module.ROWS_A_THREAD - 1, threads=3)
    assert again._pool is None
    twin = copy.deepcopy(batch)
    for one in (batch, twin):
        one.step(one.mask.argmax(axis=1))
    assert batch.games.tobytes() == twin.games.tobytes()
    batch.close()
    batch.step(batch.mask.argmax(axis=1))
    assert batch._pool is not None, "threads come back"


@pytest.mark.parametrize("autoreset", [False, True])
def test_buffers_are_owned_once(autoreset):
    batch = make_batch("belote", num_games=9, seed=1, autoreset=autoreset)

    def places():
        return {
            name: value.__array_interface__["data"][0]
            for name, value in vars(batch).items()
            if isinstance(value, np.ndarray)
        }

    before, rng = places(), np.random.default_rng(0)
    for _ in range(30):
        batch.step(choose(batch.mask, rng))
        batch.step_rows(np.array([3, 1]), choose(batch.mask[[3, 1]], rng))
    batch.restart_rows(np.flatnonzero(batch.done))
    batch.reset_rows(np.array([4]), np.array([7], np.uint64))
    batch.reseed_rows(np.array([5]), np.array([7], np.uint64))
    batch.set_decks(random_decks(batch, rng), np.zeros(9, np.int64))
    batch.reset()
    batch.reset(5)
    assert places() == before


def test_rows_go_on_by_their_own_sequences():
    batch, twin = make_batch("belote", num_games=6, seed=1), make_batch("belote", num_games=6, seed=1)
    batch.restart_rows(np.array([4, 2]))
    for _ in range(2):
        twin.restart_rows(np.arange(6))
    batch.restart_rows(np.array([0, 1, 3, 5]))
    batch.restart_rows(np.arange(6))
    np.testing.assert_array_equal(batch.games["seed"], twin.games["seed"])
    batch.reseed_rows(np.array([3]), np.array([11], np.uint64))
    assert batch.games["seed"][3] == 11
    twin.reseed_rows(np.arange(6), np.full(6, 11, np.uint64))
    batch.restart_rows(np.array([3]))
    twin.restart_rows(np.arange(6))
    assert (twin.games["seed"] == batch.games["seed"][3]).all()


@pytest.mark.parametrize("dealer", [0, 1])
def test_the_dealer_can_be_fixed(dealer):
    batch = make_batch("two_pack", num_games=20, dealer=dealer, autoreset=True)
    rng = np.random.default_rng(0)
    for _ in range(150):
        assert (batch.games["dealer"] == dealer).all()
        batch.step(choose(batch.mask, rng))
    batch.reset()
    assert (batch.games["dealer"] == dealer).all() and batch._episodes.min() > 1
    assert len(set(make_batch("two_pack", num_games=20).games["dealer"])) == 2


def test_a_watched_seat_sees_its_own_decisions_and_its_end():
    batch = make_batch("belote", num_games=5, seed=3, reward="dense")
    batch.watched[:] = [0, 1, 0, 1, 1]
    batch.show_rows(np.arange(5))
    rng, ended = np.random.default_rng(0), np.zeros(5, bool)
    kept = batch.observation.copy()
    while not ended.all():
        batch.step(choose(batch.mask, rng))
        for row in range(5):
            game, seat = batch.game(row), int(batch.watched[row])
            if batch.done[row] or batch.seat[row] == seat:
                kept[row] = game.observation(seat)
            assert batch.done[row] == game.is_over
        np.testing.assert_array_equal(batch.observation, kept)
        ended |= batch.done
    results = batch.returns()
    np.testing.assert_array_equal(batch.earned, results[np.arange(5), batch.watched])


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda b: b.step(np.zeros(4)), TypeError, "whole numbers"),
        (lambda b: b.step(np.zeros(4, bool)), TypeError, "whole numbers"),
        (lambda b: b.step(np.zeros((4, 1), int)), ValueError, "shape"),
        (lambda b: b.step_rows([0, 1], [0]), ValueError, "shape"),
        (lambda b: b.step_rows([0, 4], [0, 0]), ValueError, "row 4 is outside 0..3"),
        (lambda b: b.step_rows([-1], [0]), ValueError, "row -1 is outside"),
        (lambda b: b.step_rows([2, 1, 2], [0, 0, 0]), ValueError, "row 2 stands twice"),
        (lambda b: b.step_rows([0.0], [0]), TypeError, "rows"),
        (lambda b: b.restart_rows([4]), ValueError, "outside"),
        (lambda b: b.restart_rows([1, 1]), ValueError, "twice"),
        (lambda b: b.reset_rows([0], [1, 2]), ValueError, "seeds"),
        (lambda b: b.reset_rows([0], [-1]), ValueError, "seeds"),
        (lambda b: b.reset_rows([0], [1.0]), ValueError, "seeds"),
        (lambda b: b.reset_rows([0], [1], dealers=[2]), ValueError, "dealers"),
        (lambda b: b.reseed_rows([0, 0], [1, 2]), ValueError, "twice"),
        (lambda b: b.views([9]), ValueError, "rows"),
        (lambda b: b.views([0], [2]), ValueError, "seats"),
        (lambda b: b.keys(0, [-2]), ValueError, "rows"),
        (lambda b: b.returns([7]), ValueError, "rows"),
        (lambda b: b.reset(-1), ValueError, "seed"),
    ],
)
def test_wrong_calls_are_refused_and_change_nothing(call, error, words):
    batch = make_batch("belote", num_games=4, seed=1)
    arrays = {name: value for name, value in vars(batch).items() if isinstance(value, np.ndarray)}
    before = {name: value.tobytes() for name, value in arrays.items()}
    with pytest.raises(error, match=words):
        call(batch)
    assert {name: value.tobytes() for name, value in arrays.items()} == before
