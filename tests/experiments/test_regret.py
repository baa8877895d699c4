"""What moves lose in endings adds up exactly to what the deal lacks of its value."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.endgame.core import NO_VALUE, make_solver
from agents.endgame.kernels import value_rows, view_rows
from agents.registry import make_agent
from bezique_env.envs.batch import make_batch
from experiments.evaluation import decks_from_seed, play_block
from experiments.regret import Judge


class PlaysEndings:
    """Plays at random, and the best move as soon as nothing is hidden."""

    name = "plays_endings"

    def __init__(self, rules: Any) -> None:
        self.rules, self.solver, self.random = rules, make_solver(), make_agent("random")

    def act(self, views: Any, masks: Any, keys: Any) -> Any:
        chosen = self.random.act(views, masks, keys)
        values, best = np.zeros(masks.shape, np.int64), np.zeros(len(views), np.int64)
        view_rows(views, self.rules.vector.copy(), self.solver, values, best)
        return np.where(best == NO_VALUE, chosen, values.argmax(axis=1))


def test_points_lost_are_what_the_deal_lacks_of_its_value() -> None:
    batch = make_batch("two_pack", num_games=30, seed=5)
    judge, random, solver = Judge(batch.rules), make_agent("random"), make_solver()
    value = np.full(30, NO_VALUE)
    lost = np.zeros((30, 2))
    while not batch.done.all():
        rows = np.flatnonzero(~batch.done)
        seats, views = batch.seat[rows], batch.views(rows)
        values, best = np.zeros((len(rows), batch.mask.shape[1]), np.int64), np.zeros(len(rows), np.int64)
        view_rows(views, batch.rules.vector.copy(), solver, values, best)
        begins = (best != NO_VALUE) & (value[rows] == NO_VALUE)
        found = np.zeros(len(rows), np.int64)
        value_rows(batch.games[rows], batch.rules.vector.copy(), solver, found)
        value[rows[begins]] = found[begins]
        chosen = random.act(views, batch.mask[rows], batch.keys(0, rows))
        told = judge.lost(views, chosen)
        assert (told >= 0).all() and (told[value[rows] == NO_VALUE] == 0).all()
        lost[rows, seats] += told
        batch.step_rows(rows, chosen)
    ended = value != NO_VALUE
    assert ended.all()
    scores = batch.games["scores"].astype(np.int64)
    difference = scores[:, 0] - scores[:, 1]
    assert np.array_equal(difference[ended], (value - lost[:, 0] + lost[:, 1])[ended])
    assert lost[ended].sum() > 0


def test_whoever_plays_endings_exactly_loses_nothing_in_them() -> None:
    decks = decks_from_seed(6, 12)
    rules = make_batch("two_pack", num_games=1).rules
    exact, random = PlaysEndings(rules), make_agent("random")
    played = play_block(exact, random, decks, np.arange(2, 12), rules, judge=Judge(rules), judged=7)
    assert (played.lost[:7, 0] == 0).all()
    assert played.lost[:7, 1].sum() > 0
    assert np.isnan(played.lost[7:]).all()
