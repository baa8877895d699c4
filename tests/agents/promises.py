"""What every agent promises in play, proved over many games: legal actions, and the same games in any batch.

CI plays few games; many are played by a command::

    python -m tests.agents.promises "pimc(worlds=8)" --games 10000
    python -m tests.agents.promises expert --games 10000 --variant belote

It plays the agent against itself under every preset (and options that no preset uses), stops at the first illegal
action with the game and the legal ones, and plays a sample of the games again in batches of other sizes.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from agents.play import play_games
from agents.registry import make_agent
from bezique_env.envs.batch import make_batch
from bezique_env.rules import get_rules, variants
from tests.agents.duels import RULE_SETS, rules_id

CHUNK = 512
"""Games side by side."""


def play_legal(text: str, games: int, rule_set: dict[str, Any], seed: int = 100) -> int:
    """Play games of an agent against itself and return its decisions; an illegal action raises AgentMistake."""
    decisions = 0
    for start in range(0, games, CHUNK):
        batch = make_batch(num_games=min(CHUNK, games - start), seed=seed + start, **rule_set)
        played = play_games(batch, [make_agent(text), make_agent(text)])
        assert batch.done.all()
        decisions += sum(played.decisions)
    cards = len(get_rules(rule_set["variant"], rule_set.get("rules")).pack)
    assert decisions > 15 * games * min(1, cards / 32), "the games were not played to their end"
    return decisions


def same_in_any_batch(
    pair: Sequence[str],
    rule_set: dict[str, Any],
    games: int = 64,
    sizes: Sequence[int] = (7, 1),
    times: int = 5,
) -> None:
    """Play games in one batch and some of them again in smaller ones: their courses are the same."""
    agents = [make_agent(text) for text in pair]
    whole = make_batch(num_games=games, seed=9, **rule_set)
    seeds = whole.games["seed"].copy()
    expected = play_games(whole, agents)
    rng = np.random.default_rng(1)
    for size in sizes:
        for rows in (np.sort(rng.choice(games, size, replace=False)) for _ in range(times)):
            part = make_batch(num_games=size, seed=0, **rule_set)
            part.reset_rows(np.arange(size), seeds[rows])
            played = play_games(part, [make_agent(text) for text in pair])
            assert np.array_equal(played.returns, expected.returns[rows]), (pair, rule_set, rows)
            assert np.array_equal(part.games, whole.games[rows]), (pair, rule_set, rows)


def _sets(variant: str | None) -> Iterator[dict[str, Any]]:
    yield from (one for one in RULE_SETS if variant in (None, one["variant"]))


def main() -> None:
    """Prove the promises of one agent over many games."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("agent", help="text of the agent, for example 'pimc(worlds=8)'")
    parser.add_argument("--games", type=int, default=10_000, help="in all, shared out among the presets")
    parser.add_argument("--variant", choices=sorted(variants()), help="one variant only")
    given = parser.parse_args()
    sets = list(_sets(given.variant))
    share = -(-given.games // len(sets))
    played = decisions = 0
    begun = time.perf_counter()
    for number, rule_set in enumerate(sets):
        decisions += play_legal(given.agent, share, rule_set, seed=1000 * number)
        same_in_any_batch([given.agent, given.agent], rule_set, games=16, sizes=(5, 1), times=1)
        played += share
        print(f"{time.perf_counter() - begun:7.0f} s  {played:6} games  {rules_id(rule_set)}", flush=True)
    print(
        f"{given.agent}: {played} games, {decisions} decisions, none illegal; the same games in other batches"
    )


if __name__ == "__main__":
    main()
