"""Fitting what hidden cards the other side's play tells of, for the worlds of ``pimc`` and ``ismcts``.

The rule-based player plays itself. At some decisions the true world stands beside worlds drawn from those that
agree with the view; the weights are those under which the true one is most likely among them (conditional
logit, with a penalty on squares), by L-BFGS. Printed is how much better than a blind guess that is on decks that were
not fitted, in nats a decision::

    python -m experiments.fit_beliefs two_pack --decisions 60000 --seed 1 --output two_pack.json

``--presets`` mixes the games of several presets, of each as many, as a variant has one file of weights.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agents.search.belief.rows import world_rows
from agents.search.belief.weights import belief_text, no_belief, parts
from agents.search.tools import make_tools
from bezique_env.engine.engines import engine_of
from bezique_env.engine.version import ENGINE_VERSION
from bezique_env.rules import Rules, get_rules, variants
from experiments.evaluation import decks_from_seed

EVERY = 8
"""One decision in so many is used: those of one deal are much alike."""
LEAST_DECISIONS = 2
"""Decisions a deal that are used at least; fewer decks would not do."""


def gather(
    rules: Rules, decisions: int, worlds: int, seed: int
) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """Return features [n, worlds, features] of worlds, the true one first, and their places [n, 3]."""
    engine = engine_of(rules.variant)
    decks = decks_from_seed(seed, decisions // LEAST_DECISIONS, rules)
    rows = np.zeros((decisions, worlds, len(parts(rules)[1])), np.float32)
    places = np.zeros((decisions, 3))
    found = world_rows(
        np.zeros(1, engine.state_dtype(rules.shape)),
        np.zeros(1, engine.view_dtype(rules.shape)),
        decks.cards,
        decks.dealers,
        decks.seeds,
        EVERY,
        make_tools(rules, no_belief(rules)),
        rows,
        places,
    )
    return rows[:found], places[:found]


def gather_all(
    games: list[Rules], decisions: int, worlds: int, seed: int
) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """Return what :func:`gather` returns, of several presets of a variant in equal parts."""
    found = [gather(rules, decisions // len(games), worlds, seed) for rules in games]
    return np.concatenate([rows for rows, _ in found]), np.concatenate([places for _, places in found])


def _mixed(weights: NDArray[np.float64], places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weights [n, features] of each decision, mixed of its two blocks."""
    first, second, part = _blocks(places)
    mixed: NDArray[np.float64] = (1 - part) * weights[first] + part * weights[second]
    return mixed


def _blocks(places: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return first block, next block and part [n, 1] of each decision."""
    return places[:, 0].astype(np.int64), places[:, 1].astype(np.int64), places[:, 2:3]


def fit(
    rows: NDArray[np.float32], places: NDArray[np.float64], blocks: int, penalty: float
) -> NDArray[np.float64]:
    """Return the weights [blocks, features] under which the true worlds are most likely."""
    from scipy.optimize import minimize

    n, _, features = rows.shape
    first, second, part = _blocks(places)

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        weights = flat.reshape(blocks, features)
        own = _mixed(weights, places).astype(np.float32)
        logits = np.einsum("nwf,nf->nw", rows, own, optimize=True).astype(np.float64)
        logits -= logits.max(axis=1, keepdims=True)
        chances = np.exp(logits)
        chances /= chances.sum(axis=1, keepdims=True)
        off = chances.copy()
        off[:, 0] -= 1
        slopes = np.einsum("nwf,nw->nf", rows, off.astype(np.float32), optimize=True).astype(np.float64) / n
        gradient = np.zeros((blocks, features))
        np.add.at(gradient, first, (1 - part) * slopes)
        np.add.at(gradient, second, part * slopes)
        value = -np.log(chances[:, 0]).mean() + penalty * (flat**2).sum()
        return float(value), (gradient + 2 * penalty * weights).ravel()

    found = minimize(loss, np.zeros(blocks * features), jac=True, method="L-BFGS-B", options={"maxiter": 300})
    result: NDArray[np.float64] = found.x.reshape(blocks, features)
    return result


def gain(weights: NDArray[np.float64], rows: NDArray[np.float32], places: NDArray[np.float64]) -> float:
    """Return by how much the true world is likelier than by a blind guess: the mean of logarithms, in nats."""
    logits = np.einsum("nwf,nf->nw", rows, _mixed(weights, places), optimize=True)
    logits -= logits.max(axis=1, keepdims=True)
    return float((logits[:, 0] - np.log(np.exp(logits).mean(axis=1))).mean())


def main() -> None:
    """Fit and write the weights of one variant."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("variant", choices=list(variants()))
    parser.add_argument("--presets", nargs="+", default=[None])
    parser.add_argument("--decisions", type=int, default=60000)
    parser.add_argument("--worlds", type=int, default=16)
    parser.add_argument("--penalty", type=float, default=1e-4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, required=True)
    told = parser.parse_args()
    games = [get_rules(told.variant, preset) for preset in told.presets]
    rules = games[0]
    rows, places = gather_all(games, told.decisions, told.worlds, told.seed)
    blocks = len(parts(rules)[0])
    weights = fit(rows, places, blocks, told.penalty)
    fresh = gather_all(games, max(2000, told.decisions // 5), told.worlds, told.seed + 1)
    better = gain(weights, *fresh)
    how = {
        "engine_version": ENGINE_VERSION,
        "rules_hash": " ".join(game.hash for game in games),
        "decisions": len(rows),
        "worlds": told.worlds,
        "penalty": told.penalty,
        "seed": told.seed,
        "gain": round(better, 4),
    }
    told.output.parent.mkdir(parents=True, exist_ok=True)
    told.output.write_text(belief_text(rules, weights, how), encoding="utf-8")
    print(
        f"{rules.variant}: {len(rows)} decisions; {better:.3f} nats a decision better than a blind guess "
        f"among {told.worlds} worlds ({np.log(told.worlds):.3f} would be certain) on fresh decks: {told.output}"
    )


if __name__ == "__main__":
    main()
