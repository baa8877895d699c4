"""Whole games for the native learners: both seats learn, or one does against an opponent.

A rollout is N games from their deal to their end, so nothing hangs over from one to the next and no value has to
stand in for what is yet to come. A decision's reward is what its seat has earned (and the other has not) until
its next decision or the end; the rewards of a seat's decisions sum to what it earned since its first one.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from agents.endgame.strict import in_strict_phase
from bezique_env.encoding import observation_size
from bezique_env.encoding.rows import encode_rows
from bezique_env.envs.batch import Batch
from bezique_env.envs.opponents import Opponent, resolve_opponent, with_rules
from experiments.config import PAST, SELF, DMCConfig, ExperimentConfig, PPOConfig
from experiments.learn.learner import PastSelf, return_figures

EXACT_STREAM = 2_000
"""Stream of a game's keys for what plays its endings; the streams of the seats come first."""


@dataclass
class Asked:
    """Decisions that the learner is asked for.

    Attributes:
        rows: int64 [k], rows of the batch.
        observation: float32 [k, F], of the seat to act.
        mask: bool [k, A], legal actions.
        other: float32 [k, F], what the other seat sees (empty unless both were asked for).
    """

    rows: NDArray[np.int64]
    observation: NDArray[np.float32]
    mask: NDArray[np.bool_]
    other: NDArray[np.float32]


Decide = Callable[[Asked], NDArray[np.int64]]
"""Returns the actions, int64 [k]."""


@dataclass
class Rollout:
    """The learner's decisions in N whole games, M in the order in which they were taken.

    Attributes:
        observation: float32 [M, F].
        mask: bool [M, A].
        other: float32 [M, F], what the other seat saw (or [M, 0]).
        action: int64 [M].
        reward: float32 [M], points that the seat earned until its next decision, or the end.
        next: int64 [M], the next decision of the same seat in the same game, -1 where there is none.
        rounds: int64 [R + 1], where each round of decisions begins; a next decision lies in a later round.
        figures: of the games.
    """

    observation: NDArray[np.float32]
    mask: NDArray[np.bool_]
    other: NDArray[np.float32]
    action: NDArray[np.int64]
    reward: NDArray[np.float32]
    next: NDArray[np.int64]
    rounds: NDArray[np.int64]
    figures: dict[str, float]

    def __len__(self) -> int:
        return len(self.action)

    def returns(self, gamma: float = 1.0) -> NDArray[np.float32]:
        """Return what each decision's seat earned from it to the end, in points, float32 [M]."""
        return advantages(self.reward, np.zeros_like(self.reward), self.next, self.rounds, gamma, 1.0)


def advantages(
    reward: NDArray[np.float32],
    value: NDArray[np.float32],
    after: NDArray[np.int64],
    rounds: NDArray[np.int64],
    gamma: float,
    gae_lambda: float,
) -> NDArray[np.float32]:
    """Return generalised advantage estimates of whole games, float32 [M].

    Args:
        reward: float32 [M], earned between a decision and the seat's next one (or the end).
        value: float32 [M], what the critic says at each decision.
        after: int64 [M], the seat's next decision, -1 at its last.
        rounds: int64 [R + 1], where each round of decisions begins.
        gamma: discount a decision.
        gae_lambda: 1 takes what was earned, 0 trusts the critic at the next decision.
    """
    gain = reward - value
    for start, stop in reversed(list(itertools.pairwise(rounds))):
        here = start + np.flatnonzero(after[start:stop] >= 0)
        then = after[here]
        gain[here] += np.float32(gamma) * (value[then] + np.float32(gae_lambda) * gain[then])
    return gain


@dataclass
class _Ledger:
    """Rewards and links of the decisions of a rollout, in arrays that grow."""

    seats: int
    games: int
    reward: NDArray[np.float32] = field(init=False)
    next: NDArray[np.int64] = field(init=False)
    count: int = 0

    def __post_init__(self) -> None:
        self.reward = np.zeros(64 * self.games, np.float32)
        self.next = np.full(64 * self.games, -1, np.int64)
        self.last = np.full((self.games, self.seats), -1, np.int64)
        self.gained = np.zeros((self.games, self.seats))

    def decide(self, rows: NDArray[np.int64], seats: NDArray[np.int64]) -> None:
        """Note a decision of a seat in each of some rows; it closes the seat's decision before."""
        now = self.count + np.arange(len(rows))
        if now[-1] >= len(self.reward):
            self.reward = np.concatenate([self.reward, np.zeros_like(self.reward)])
            self.next = np.concatenate([self.next, np.full_like(self.next, -1)])
        before = self.last[rows, seats]
        had = before >= 0
        self.reward[before[had]] = self.gained[rows, seats][had]
        self.next[before[had]] = now[had]
        self.gained[rows, seats] = 0.0
        self.last[rows, seats] = now
        self.count += len(rows)

    def close(self) -> None:
        """The games are over: what was earned since belongs to each seat's last decision."""
        had = self.last >= 0
        self.reward[self.last[had]] = self.gained[had]


class SelfPlay:
    """Plays rollouts of whole games.

    Args:
        config: of an experiment with a native algorithm.
        past: plays where a game drew ``past``.
        both_views: the learner is also told what the other seat sees.

    Attributes:
        batch: N games; between two rollouts they are over.
    """

    def __init__(self, config: ExperimentConfig, past: PastSelf, both_views: bool = False) -> None:
        """Make the games and the agents."""
        algorithm = config.algorithm
        assert isinstance(algorithm, (PPOConfig, DMCConfig))
        self.batch = Batch(
            config.variant,
            algorithm.num_envs,
            rules=config.rules.preset,
            overrides=config.rules.overrides,
            episode=config.episode,
            draws=config.draws,
            reward=config.reward,
            threads=config.threads,
        )
        self._variant = config.variant
        self._names = list(config.opponents)
        self._weights = np.array(list(config.opponents.values())) / sum(config.opponents.values())
        self._agents: list[Opponent | None] = [
            None if name == SELF else past if name == PAST else self.agent(name) for name in self._names
        ]
        self._past = past if config.opponents.get(PAST) else None
        self._solver = self.agent("expert") if algorithm.endgame == "exact" else None
        self._both = both_views
        self._size = observation_size(config.variant)

    def agent(self, name: str) -> Opponent:
        """Return the agent of a name as it plays these games."""
        found: Opponent = with_rules(resolve_opponent(name), self.batch.rules)
        return found

    def ask(
        self, agent: Opponent, rows: NDArray[np.int64], stream: NDArray[np.int64] | int
    ) -> NDArray[np.int64]:
        """Return what an agent does in some rows, int64 [k], by the keys of a stream or of one for each row."""
        batch = self.batch
        return np.asarray(agent.act(batch.views(rows), batch.mask[rows], batch.keys(stream, rows)), np.int64)

    def play(self, decide: Decide, generator: np.random.Generator) -> Rollout:
        """Play N new games to their end.

        Args:
            decide: called once for each round of decisions of the learner.
            generator: deals the games, draws opponents and seats.
        """
        batch, n = self.batch, self.batch.num_games
        batch.reseed_rows(np.arange(n), generator.integers(0, 2**64, n, np.uint64))
        opponent = generator.choice(len(self._names), n, p=self._weights)
        seat_of_learner = generator.integers(0, batch.seats, n)
        learns = np.ones((n, batch.seats), np.bool_)
        for number, agent in enumerate(self._agents):
            if agent is not None:
                rows = np.flatnonzero(opponent == number)
                learns[rows] = np.arange(batch.seats) == seat_of_learner[rows, None]
        if self._past is not None:
            self._past.choose(generator)
        ledger = _Ledger(batch.seats, n)
        total = np.zeros((n, batch.seats))
        told: list[Asked] = []
        taken: list[NDArray[np.int64]] = []
        rounds = [0]
        length = np.zeros(n, np.int64)
        while True:
            live = np.flatnonzero(~batch.done)
            if not len(live):
                break
            seat = batch.seat[live]
            own = learns[live, seat]
            others = ~own
            actions = np.empty(len(live), np.int64)
            if self._solver is not None:
                strict = in_strict_phase(batch.games["phase"][live], self._variant)
                own, others = own & ~strict, others & ~strict
                if strict.any():
                    actions[strict] = self.ask(self._solver, live[strict], EXACT_STREAM)
            if own.any():
                rows = live[own]
                asked = Asked(
                    rows,
                    batch.observation[rows],
                    batch.mask[rows].astype(np.bool_),
                    self._other(rows, seat[own]),
                )
                chosen = decide(asked)
                ledger.decide(rows, seat[own])
                length[rows] += 1
                told.append(asked)
                taken.append(chosen)
                rounds.append(ledger.count)
                actions[own] = chosen
            if others.any():
                for number, agent in enumerate(self._agents):
                    these = others & (opponent[live] == number)
                    if agent is not None and these.any():
                        actions[these] = self.ask(agent, live[these], seat[these])
            batch.step_rows(live, actions)
            if batch.illegal[live].any():
                row = int(live[batch.illegal[live]][0])
                raise ValueError(
                    f"row {row}: an action that is not legal was played by {self._names[opponent[row]]}"
                )
            ledger.gained[live] += batch.reward[live]
            total[live] += batch.reward[live]
        ledger.close()
        returns = {
            name: np.where(agent is None, total[:, 0], total[np.arange(n), seat_of_learner])[
                opponent == number
            ]
            for number, (name, agent) in enumerate(zip(self._names, self._agents, strict=True))
        }
        figures = return_figures(returns, length)  # of a game against oneself: what seat 0 gains
        return Rollout(
            np.concatenate([asked.observation for asked in told]),
            np.concatenate([asked.mask for asked in told]),
            np.concatenate([asked.other for asked in told]),
            np.concatenate(taken),
            ledger.reward[: ledger.count],
            ledger.next[: ledger.count],
            np.array(rounds),
            figures,
        )

    def _other(self, rows: NDArray[np.int64], seats: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return what the other seat sees, float32 [k, F] ([k, 0] when nobody asked)."""
        if not self._both:
            return np.zeros((len(rows), 0), np.float32)
        result = np.zeros((len(rows), self._size), np.float32)
        encode_rows(self.batch.views(rows, 1 - seats), result)
        return result

    def close(self) -> None:
        """Let the threads go."""
        self.batch.close()
