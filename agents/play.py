"""Play many games between agents on one batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agents.protocol import Agent
from bezique_env.envs.batch import Batch
from bezique_env.envs.opponents import with_rules


class AgentMistake(RuntimeError):
    """An agent returned an action that is not legal, or not one a row."""


@dataclass(frozen=True)
class Played:
    """What came of the games of a batch.

    Attributes:
        returns: int64 [N, seats], in the reward mode of the batch.
        scores: int64 [N, seats], points of the (last) deal.
        decisions: decisions taken by each agent.
    """

    returns: NDArray[np.int64]
    scores: NDArray[np.int64]
    decisions: tuple[int, ...]


def play_games(
    batch: Batch,
    agents: Sequence[Agent],
    seating: NDArray[np.int64] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Played:
    """Play every game of a batch to its end.

    An agent's random keys come from the game and the agent's place in ``agents``, so a game's course depends
    on the game and its players alone, never on the batch around it.

    Args:
        batch: the games, without ``autoreset``; those that are over stay as they are.
        agents: the players.
        seating: int [N, seats], which agent sits where in each game; None seats agent s at seat s everywhere.
        progress: called after each round of decisions with the number of games that are over.

    Raises:
        AgentMistake: an agent returned an illegal action; the message names agent, game and action.
        ValueError: the batch restarts games by itself, or the seating does not fit.
    """
    if batch.autoreset:
        raise ValueError("play_games needs a batch without autoreset: each game is played once")
    seats = batch.reward.shape[1]
    if seating is None:
        if len(agents) != seats:
            raise ValueError(f"{len(agents)} agents for {seats} seats: give one for each seat, or a seating")
        seating = np.tile(np.arange(seats), (batch.num_games, 1))
    seating = np.ascontiguousarray(seating, np.int64)
    if seating.shape != (batch.num_games, seats):
        raise ValueError(f"seating has the shape {seating.shape}, not {(batch.num_games, seats)}")
    if seating.min() < 0 or seating.max() >= len(agents):
        raise ValueError(f"seating names agents outside 0..{len(agents) - 1}")
    decisions = [0] * len(agents)
    agents = [with_rules(agent, batch.rules) for agent in agents]
    while True:
        active = np.flatnonzero(~batch.done)
        if len(active) == 0:
            break
        who = seating[active, batch.seat[active]]
        for number, agent in enumerate(agents):
            rows = active[who == number]
            if len(rows) == 0:
                continue
            actions = agent.act(batch.views(rows), batch.mask[rows], batch.keys(number, rows))
            if np.shape(actions) != (len(rows),):
                raise AgentMistake(
                    f"agent {agent.name!r} returned {np.shape(actions)} actions for {len(rows)} rows"
                )
            batch.step_rows(rows, actions)
            decisions[number] += len(rows)
            wrong = np.flatnonzero(batch.illegal[rows])
            if len(wrong):
                row = int(rows[wrong[0]])
                legal = np.flatnonzero(batch.mask[row]).tolist()
                raise AgentMistake(
                    f"agent {agent.name!r} chose the illegal action {int(actions[wrong[0]])} in game {row} "
                    f"(seat {int(batch.seat[row])}; legal: {legal})"
                )
        if progress is not None:
            progress(int(batch.done.sum()))
    return Played(batch.returns(), batch.scores.astype(np.int64), tuple(decisions))
