"""Fitting the weights of the Belote expert to deals that are played out (H30): least squares, round by round.

At decisions of its own games every legal action is tried on the same deal and played out by the present weights. In
the auction the points that came of an action are fitted by the worth of the hand and by leanings; in the play the
difference between the cards of one decision, which all met the same deal, by the features of the cards. The new
weights play the next round. ``bezique tune`` goes on from there, in matches::

    python -m experiments.fit_belote tune/belote_fit
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BeforeValidator, Field

from agents.scripted.belote_rows import (
    ACTION,
    BEST,
    BID_FEATURES,
    CARD_FEATURES,
    ELDER,
    FIXED,
    GROUP,
    OTHERS,
    PLAYS,
    ROLE,
    ROUND,
    ROWS_A_DECK,
    TURNED,
    WORTHS,
    auction_rows,
    play_rows,
)
from agents.scripted.duel import duel
from agents.scripted.expert import belote_weights as at
from agents.scripted.expert.weights import read_weights, weights_text
from agents.scripted.policies import expert_weights, policy_scratch
from bezique_env.engine.belote.actions import ACCEPT, NAME, PASS, PROPOSE, REFUSE
from bezique_env.engine.engines import engine_of
from bezique_env.rules import Rules, get_rules
from bezique_env.rules.belote import index as ix
from experiments.config import Model, as_tuple, load_model
from experiments.evaluation import decks_from_seed


class FitConfig(Model):
    """One run of fitting."""

    variant: str = Field("belote", description="a game of the Belote family")
    presets: Annotated[tuple[str, ...], BeforeValidator(as_tuple)] = Field(
        description="presets whose deals are fitted together"
    )
    start: str | None = Field(None, description="file of weights to start from; those shipped by default")
    output: str = Field(description="file of weights to write")
    rounds: Annotated[tuple[Literal["auction", "play"], ...], BeforeValidator(as_tuple)] = Field(
        ("auction", "play", "auction"), description="what is fitted, in turn"
    )
    decks: int = Field(8000, gt=0, description="of each preset in a round")
    step: float = Field(0.6, gt=0, le=1, description="how far the weights of the play move in a round")
    ridge: float = Field(30.0, gt=0, description="weight of the present values beside the data")
    seed: int = Field(0, ge=0, lt=2**31, description="of the decks")
    confirm_pairs: int = Field(4096, gt=1, description="fresh duplicate pairs of each preset against greedy")


def _rows(
    which: Any, rules: Rules, values: NDArray[np.float64], decks: int, seed: int, width: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the rows of deals of one preset, and the points that came of them."""
    engine = engine_of(rules.variant)
    units = np.zeros((WORTHS if which is auction_rows else PLAYS + 1, at.SIZE))
    if which is auction_rows:
        np.fill_diagonal(units[:, at.WORTH :], 1.0)
    rows, points = np.zeros((ROWS_A_DECK * decks, width)), np.zeros(ROWS_A_DECK * decks)
    found = which(
        np.zeros(2, engine.state_dtype(rules.shape)),
        np.zeros(2, engine.view_dtype(rules.shape)),
        np.zeros((2, engine.actions.size), np.int8),
        rules.vector,
        np.zeros(engine.scratch, np.uint8),
        expert_weights(rules, values),
        policy_scratch(),
        decks_from_seed(seed, decks, rules).cards,
        units,
        rows,
        points,
        np.uint64(seed),
    )
    return rows[:found], points[:found]


def _solve(
    table: NDArray[np.float64], points: NDArray[np.float64], prior: NDArray[np.float64], ridge: float
) -> NDArray[np.float64]:
    """Return the least-squares weights, drawn towards prior ones."""
    pull = ridge * np.eye(table.shape[1])
    found = np.linalg.solve(table.T @ table + pull, table.T @ points + ridge * prior)
    return np.asarray(found, np.float64)


def fit_auction(
    values: NDArray[np.float64], games: Sequence[Rules], config: FitConfig, seed: int
) -> NDArray[np.float64]:
    """Return the weights with those of the auction fitted: first the worth of hands that play, then the leanings."""
    new = values.copy()
    for part in range(2):  # the leanings are measured in the new worths
        data = [
            _rows(auction_rows, rules, new, config.decks, seed + 10 * k + part, BID_FEATURES + WORTHS)
            for k, rules in enumerate(games)
        ]
        rows = np.concatenate([found for found, _ in data])
        points = np.concatenate([brought for _, brought in data])
        makes = np.repeat(
            [rules.vector[ix.SCHMEISS_REFUSED_MAKES] == ix.MAKES_RESPONDER for rules in games],
            [len(found) for found, _ in data],
        )
        action, first, elder = rows[:, ACTION], rows[:, ROUND] == 1, rows[:, ELDER] == 1
        if part == 0:
            takes = {
                at.NEED_ACCEPT_ELDER: (action == ACCEPT) & elder,
                at.NEED_ACCEPT_DEALER: (action == ACCEPT) & ~elder,
                at.NEED_REFUSE: (action == REFUSE) & first & makes,
                at.NEED_NAME_ELDER: (action == NAME) & elder,
                at.NEED_NAME_DEALER: (action == NAME) & ~elder,
            }
            chosen = np.any(list(takes.values()), axis=0)
            table = np.column_stack(
                [rows[:, BID_FEATURES:], *(-mask.astype(float) for mask in takes.values())]
            )
            places = [*range(at.WORTH, at.WORTH + WORTHS), *takes]
            new[places] = _solve(table[chosen], points[chosen], values[places], config.ridge)
            continue
        leanings = {
            at.PASS_ELDER_1: ((action == PASS) & first & elder, TURNED),
            at.PASS_DEALER_1: ((action == PASS) & first & ~elder, TURNED),
            at.PASS_ELDER_2: ((action == PASS) & ~first & elder, BEST),
            at.PROPOSE_ELDER_1: ((action == PROPOSE) & first & elder, TURNED),
            at.PROPOSE_DEALER_1: ((action == PROPOSE) & first & ~elder, TURNED),
            at.PROPOSE_ELDER_2: ((action == PROPOSE) & ~first & elder, BEST),
            at.PROPOSE_DEALER_2: ((action == PROPOSE) & ~first & ~elder, BEST),
            at.REFUSE_1: ((action == REFUSE) & first & ~makes, TURNED),
            at.REFUSE_2: ((action == REFUSE) & ~first, TURNED),
        }
        for place, (chosen, column) in leanings.items():
            if chosen.any():
                table = np.column_stack([np.ones(chosen.sum()), rows[chosen][:, [column, OTHERS]]])
                prior = new[place : place + 3]
                new[place : place + 3] = _solve(table, points[chosen], prior, config.ridge)
    return new


def within_decisions(rows: NDArray[np.float64], groups: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return columns less their mean over the rows of the same decision."""
    _, place, size = np.unique(groups, return_inverse=True, return_counts=True)
    means = np.stack([np.bincount(place, column) / size for column in rows.T], axis=1)
    result: NDArray[np.float64] = rows - means[place]
    return result


def fit_play(
    values: NDArray[np.float64], games: Sequence[Rules], config: FitConfig, seed: int
) -> NDArray[np.float64]:
    """Return the weights with those of the play moved towards the fit, for taker and defender.

    The points of the trick have no weight: they are fitted too, and all is divided by what they are found to bring.
    """
    new = values.copy()
    data = [
        _rows(play_rows, rules, values, config.decks, seed + 10 * k, CARD_FEATURES + PLAYS)
        for k, rules in enumerate(games)
    ]
    for base in (at.TAKER, at.DEFENDER):
        parts = []
        for rows, points in data:
            own = rows[:, ROLE] == base
            table = np.column_stack([points, rows[:, FIXED], rows[:, CARD_FEATURES:]])[own]
            parts.append(within_decisions(table, rows[own, GROUP]))
        whole = np.concatenate(parts)
        present = values[base : base + PLAYS]
        found = _solve(whole[:, 1:], whole[:, 0], np.concatenate([[1.0], present]), config.ridge)
        fitted = found[1:] / found[0]
        fitted[at.OTHER_TRUMPS] = present[at.OTHER_TRUMPS]
        new[base : base + PLAYS] = (1 - config.step) * present + config.step * fitted
    return new


def over_greedy(values: NDArray[np.float64], rules: Rules, pairs: int, seed: int) -> float:
    """Return the points a deal of weights above greedy on duplicate deals."""
    decks = decks_from_seed(seed, pairs, rules)
    scores = duel(rules, decks.cards, decks.dealers, decks.seeds, expert_weights(rules, values), None)
    return float((scores[:, :, 0] - scores[:, :, 1]).mean())


def fit(config: FitConfig) -> NDArray[np.float64]:
    """Run the rounds of a config, write its file and return the weights."""
    games = [get_rules(config.variant, preset) for preset in config.presets]
    values = read_weights(config.start, at.GROUPS) if config.start else expert_weights(games[0]).values.copy()
    fits = {"auction": fit_auction, "play": fit_play}
    for number, what in enumerate(config.rounds):
        values = fits[what](values, games, config, config.seed + 1000 * number)
        told = [over_greedy(values, rules, config.confirm_pairs, config.seed + 999) for rules in games]
        print(f"round {number + 1}, {what}: " + ", ".join(f"{x:+.1f}" for x in told), flush=True)
    path = Path(config.output)
    path.parent.mkdir(parents=True, exist_ok=True)
    head = f"Weights of the rule-based player of {config.variant}: see docs/expert.md."
    path.write_text(weights_text(at.GROUPS, values, head), encoding="utf-8")
    return values


def main() -> None:
    """Fit the weights of the Belote expert as a config says."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("config", help="file, or name below configs/")
    parser.add_argument("changes", nargs="*", help="key=value")
    given = parser.parse_args()
    config = load_model(given.config, given.changes, FitConfig, lambda problems: None)
    fit(config)


if __name__ == "__main__":
    main()
