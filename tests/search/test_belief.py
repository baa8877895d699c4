"""What the other side's play tells of its hidden cards: worlds are drawn by it, from the view alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.registry import make_agent
from agents.search.belief.kernels import STREAM_WORLD, draw_world, log_odds, tells
from agents.search.belief.weights import (
    FOLDER,
    BeliefError,
    belief_text,
    no_belief,
    parts,
    read_belief,
    shipped_belief,
)
from agents.search.tools import Tools, make_tools
from bezique_env.engine import play
from bezique_env.engine.bezique.state import DECLARE
from bezique_env.engine.cache import kernel
from bezique_env.engine.rng import stream_key
from bezique_env.envs.batch import Batch, make_batch
from bezique_env.envs.opponents import with_rules
from bezique_env.rules import get_rules, variants
from experiments.fit_beliefs import fit, gain, gather

FITTED = sorted(path.stem for path in FOLDER.glob("*.json"))
MODELS = ("two_pack", "belote")
"""A game of each family; all others are compiled from the same source."""


@kernel
def world_rows(views, keys, number, t, states):
    """Draw a world for every row."""
    for i in range(views.shape[0]):
        draw_world(views[i], t, keys[i], np.int64(number))
        states[i] = t.world[0]


@kernel
def odds_rows(views, states, t, odds, told):
    """Write the log odds of given worlds, and whether the play tells anything."""
    for i in range(views.shape[0]):
        told[i] = tells(views[i])
        odds[i] = log_odds(views[i], states[i], t)


@kernel
def resample_rows(views, keys, number, t, states):
    """Draw for every row the world that is equally likely as any other."""
    for i in range(views.shape[0]):
        key = stream_key(keys[i], STREAM_WORLD, np.int64(number))
        play.resample(views[i], states[i], t.rules, key, t.work, t.tmp)


@kernel
def project_rows(states, views, t, seen):
    """Write what the seats to act of ``views`` see of states."""
    for i in range(states.shape[0]):
        play.project(states[i], t.rules, np.int64(views[i].seat), seen[i])


def draws(batch: Batch, t: Tools, number: int) -> Any:
    """Return the world of a number for every row."""
    states = np.zeros(len(batch.games), t.world.dtype)
    world_rows(batch.views(), batch.keys(0), number, t, states)
    return states


def odds_of(batch: Batch, states: Any, t: Tools) -> tuple[Any, Any]:
    """Return the log odds of worlds, and the rows where the play tells anything."""
    odds, told = np.zeros(len(states)), np.zeros(len(states), np.bool_)
    odds_rows(batch.views(), states, t, odds, told)
    return odds, told


def late(variant: str, rows: int = 40) -> Batch:
    """Return games that the rules have played up to different decisions."""
    batch = make_batch(variant, num_games=rows, seed=8)
    player = with_rules(make_agent("expert"), batch.rules)
    for step in range(rows):
        part = np.arange(step, rows)
        batch.step_rows(part, player.act(batch.views(part), batch.mask[part], batch.keys(0, part)))
    return batch


def test_some_games_have_fitted_weights() -> None:
    assert {"two_pack", "rubicon", "chinese"} <= set(FITTED)
    assert set(FITTED) <= set(variants())
    for variant in FITTED:
        assert shipped_belief(get_rules(variant)).any()


@pytest.mark.parametrize("variant", MODELS)
def test_worlds_drawn_by_belief_agree_with_the_view(variant: str) -> None:
    rules = get_rules(variant)
    t = make_tools(rules)
    batch = late(variant)
    states = draws(batch, t, 3)
    views = batch.views()
    seen = np.zeros_like(views)
    project_rows(states, views, t, seen)
    assert seen.tobytes() == views.tobytes()
    assert draws(batch, t, 3).tobytes() == states.tobytes()


@pytest.mark.parametrize("variant", MODELS)
def test_without_weights_every_world_is_equally_likely(variant: str) -> None:
    rules = get_rules(variant)
    t = make_tools(rules, no_belief(rules))
    batch = late(variant, 12)
    plain = np.zeros(len(batch.games), t.world.dtype)
    resample_rows(batch.views(), batch.keys(0), 5, t, plain)
    assert draws(batch, t, 5).tobytes() == plain.tobytes()


@pytest.mark.parametrize("variant", MODELS)
def test_worlds_drawn_by_belief_are_likelier(variant: str) -> None:
    """Of candidates with equal odds the choice is blind; with the fitted odds the likely ones come up."""
    rules = get_rules(variant)
    batch = late(variant)
    t = make_tools(rules)
    flat = make_tools(rules, np.zeros_like(t.belief))
    blind, by_belief = [], []
    for number in range(24):
        odds, told = odds_of(batch, draws(batch, flat, number), t)
        blind.append(odds[told].mean())
        by_belief.append(odds_of(batch, draws(batch, t, number), t)[0][told].mean())
    assert np.mean(by_belief) > np.mean(blind) + 0.3


@pytest.mark.parametrize("variant", MODELS)
def test_the_true_world_is_likelier_than_drawn_ones_on_fresh_decks(variant: str) -> None:
    rules = get_rules(variant)
    found = gather(rules, 600, 8, seed=77)
    assert gain(shipped_belief(rules), *found) > 0.1
    assert gain(np.zeros_like(shipped_belief(rules)), *found) == pytest.approx(0, abs=1e-12)


def test_the_fit_finds_the_weights_that_worlds_were_drawn_by() -> None:
    rng = np.random.default_rng(4)
    n, worlds, true = 6000, 8, np.array([[1.0, -0.5, 0.0], [0.0, 2.0, 0.7]])
    rows = rng.integers(0, 3, (n, worlds, 3)).astype(np.float32)
    part = rng.random(n)
    own = (1 - part)[:, None] * true[0] + part[:, None] * true[1]
    odds = np.einsum("nwf,nf->nw", rows, own) + rng.gumbel(size=(n, worlds))
    right = odds.argmax(axis=1)
    rows[np.arange(n), right], rows[:, 0] = rows[:, 0].copy(), rows[np.arange(n), right].copy()
    places = np.stack([np.zeros(n), np.ones(n), part], axis=1)
    found = fit(rows, places, 2, 1e-6)
    assert found == pytest.approx(true, abs=0.15)
    assert gain(found, rows, places) > gain(np.zeros((2, 3)), rows, places) + 0.3


def test_a_file_of_weights_is_read_as_it_was_written(tmp_path: Path) -> None:
    rules = get_rules("two_pack")
    blocks, features = parts(rules)
    values = np.random.default_rng(1).normal(size=(len(blocks), len(features)))
    path = tmp_path / "two_pack.json"
    path.write_text(belief_text(rules, values, {"seed": 1}), encoding="utf-8")
    assert read_belief(path, rules) == pytest.approx(values, rel=0.01)
    assert json.loads(path.read_text())["seed"] == 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: data.update(format="other"), "bezique-beliefs/1"),
        (lambda data: data.update(variant="rubicon"), "for 'rubicon', not for 'two_pack'"),
        (lambda data: data["features"].pop(), "fit them again"),
        (lambda data: data["weights"].popitem(), "fit them again"),
        (lambda data: next(iter(data["weights"].values())).pop(), "finite numbers"),
        (lambda data: next(iter(data["weights"].values())).__setitem__(0, float("nan")), "finite numbers"),
    ],
)
def test_a_file_that_is_wrong_is_refused(change: Any, words: str, tmp_path: Path) -> None:
    rules = get_rules("two_pack")
    data = json.loads((FOLDER / "two_pack.json").read_text(encoding="utf-8"))
    change(data)
    path = tmp_path / "own.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(BeliefError, match=words):
        read_belief(path, rules)
    with pytest.raises(BeliefError, match="no file"):
        read_belief(tmp_path / "none.json", rules)


def test_what_is_told_is_read_in_the_stock_phase_alone() -> None:
    batch = late("two_pack", 64)
    t = make_tools(batch.rules)
    _, told = odds_of(batch, draws(batch, t, 1), t)
    stock = batch.games["stock_left"] > 0
    assert stock.sum() > 40
    assert (~stock).sum() > 5
    assert np.array_equal(told, stock & (batch.games["phase"] <= DECLARE))
