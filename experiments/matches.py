"""Playing the matches of a tournament: block by block, in one process or several, and going on after a stop.

A block is a few deal pairs of one match. What becomes of a pair depends on its deck and its two agents alone, so
neither the size of a block, nor the number of processes, nor a stop between two blocks changes a result. (An
agent with a budget in milliseconds is the exception: it plays as far as it gets.)
"""

from __future__ import annotations

import functools
import json
import multiprocessing
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.protocol import Agent
from agents.registry import make_agent
from bezique_env.envs.opponents import with_rules
from bezique_env.rules import Rules, get_rules
from experiments.evaluation import CHUNK, Clock, Decks, Judges, PairResults, play_block
from experiments.files import append_row, read_rows
from experiments.statistics import SequentialTest, Verdict

PARTS = 16
"""Blocks of a match, so that something is kept early and processes end together."""
SMALLEST = 4
"""Pairs of a block at least."""


@dataclass(frozen=True)
class Pairing:
    """A match that is to be played: two agents by their texts, on the first ``pairs`` decks."""

    first: str
    second: str
    pairs: int


@dataclass(frozen=True)
class Cost:
    """What an agent's thinking costs: CPU seconds, the decisions in them, and all its decisions.

    Its first block in a process is not timed: it may compile.
    """

    seconds: float = 0.0
    counted: int = 0
    decisions: int = 0

    def __add__(self, other: Cost) -> Cost:
        """Return both together."""
        return Cost(
            self.seconds + other.seconds, self.counted + other.counted, self.decisions + other.decisions
        )

    @property
    def per_decision(self) -> float | None:
        """CPU seconds a decision, None where none was timed."""
        return self.seconds / self.counted if self.counted else None


@dataclass(frozen=True)
class Played:
    """What came of a block: scores, points lost once nothing was hidden, and costs, as in :class:`Score`."""

    scores: NDArray[np.int64]
    lost: NDArray[np.float64]
    costs: tuple[Cost, Cost]

    def to_row(self, block: Block) -> dict[str, Any]:
        """Return it as a line of a journal."""
        return {
            "match": block.match,
            "start": block.start,
            "scores": self.scores.tolist(),
            "lost": None if np.isnan(self.lost).all() else self.lost.tolist(),
            "costs": [[cost.seconds, cost.counted, cost.decisions] for cost in self.costs],
        }

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Played:
        """Return what a line of a journal tells."""
        first, second = (Cost(*cost) for cost in row["costs"])
        scores = np.array(row["scores"], np.int64).reshape(-1, 2, 2)
        lost = np.full((len(scores), 2), np.nan) if row["lost"] is None else np.array(row["lost"], np.float64)
        return cls(scores, lost, (first, second))


@dataclass(frozen=True)
class Block:
    """Some pairs of a match: its number, the first pair, and how many."""

    match: int
    start: int
    pairs: int


class Score:
    """The scores of one match as far as they are known.

    Attributes:
        scores: int64 [pairs, 2 games, 2 agents], as in :class:`experiments.evaluation.PairResults`.
        known: bool [pairs], which of them have been played.
        lost: float [pairs, 2 agents], as in :class:`experiments.evaluation.PlayedPairs`.
        costs: what both agents' thinking cost.
    """

    def __init__(self, pairs: int) -> None:
        self.scores = np.zeros((pairs, 2, 2), np.int64)
        self.known = np.zeros(pairs, np.bool_)
        self.lost = np.full((pairs, 2), np.nan)
        self.costs = (Cost(), Cost())

    def add(self, start: int, played: Played) -> None:
        """Enter a block."""
        pairs = slice(start, start + len(played.scores))
        self.scores[pairs], self.lost[pairs], self.known[pairs] = played.scores, played.lost, True
        self.costs = (self.costs[0] + played.costs[0], self.costs[1] + played.costs[1])

    @property
    def prefix(self) -> int:
        """The number of pairs that are known without a gap, from the first on."""
        return int(self.known.argmin()) if not self.known.all() else len(self.known)

    def verdict(self, test: SequentialTest | None) -> Verdict | None:
        """Return what the sequential test says of the pairs known without a gap, None without a test."""
        if test is None:
            return None
        part = self.scores[: self.prefix]
        return test.verdict((part[:, :, 0] - part[:, :, 1]).mean(axis=1))

    def played(self, test: SequentialTest | None) -> int:
        """Return the number of pairs that count: all, or those up to where the test ended."""
        verdict = self.verdict(test)
        return verdict.pairs if verdict is not None and verdict.accepted != "none" else len(self.known)

    def missing(self, test: SequentialTest | None) -> NDArray[np.int64]:
        """Return the pairs that are still to be played, int64."""
        return np.flatnonzero(~self.known[: self.played(test)])


class Journal:
    """Keeps every finished block in a file, one a line, so that a stop loses only what was under way.

    Args:
        path: the file; None keeps nothing.
        pairings: the matches.
    """

    def __init__(self, path: Path | None, pairings: Sequence[Pairing]) -> None:
        """Read what the file has; a last line that a kill cut short is removed."""
        self.path = path
        self.scores = [Score(pairing.pairs) for pairing in pairings]
        if path is None:
            return
        rows = read_rows(path)
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        for row in rows:
            self.scores[row["match"]].add(row["start"], Played.from_row(row))

    def add(self, block: Block, played: Played) -> None:
        """Keep a block."""
        self.scores[block.match].add(block.start, played)
        if self.path is not None:
            append_row(self.path, played.to_row(block))


class Table:
    """Where blocks are played: the agents, made once a process, and the decks.

    Args:
        decks: of the tournament.
        variant: the game.
        preset: of the rules.
        overrides: of the rules.
        judged: the first pairs of every match, whose endings are judged.
    """

    def __init__(
        self, decks: Decks, variant: str, preset: str, overrides: Mapping[str, Any], judged: int
    ) -> None:
        self.decks, self._judged = decks, judged
        self.rules = get_rules(variant, preset, overrides)
        self._agents: dict[str, Agent] = {}
        self._called: set[str] = set()
        self._judge: Judges | None = None
        if judged:
            from experiments.regret import Judge

            self._judge = Judge(self.rules)

    def agent(self, name: str) -> Agent:
        """Return the agent of a text."""
        if name not in self._agents:
            self._agents[name] = with_rules(make_agent(name), self.rules)
        return self._agents[name]

    def play(self, pairing: Pairing, block: Block, progress: Callable[[int], None] | None = None) -> Played:
        """Play a block."""
        names = (pairing.first, pairing.second)
        clocks = (Clock(warm=names[0] in self._called), Clock(warm=names[1] in self._called))
        pairs = np.arange(block.start, block.start + block.pairs)
        first, second = (self.agent(name) for name in names)
        played = play_block(
            first,
            second,
            self.decks,
            pairs,
            self.rules,
            clocks=clocks,
            judge=self._judge,
            judged=self._judged - block.start,
            progress=progress,
        )
        self._called |= set(names)
        one, two = (Cost(clock.seconds, clock.counted, clock.decisions) for clock in clocks)
        return Played(played.scores, played.lost, (one, two))


_tables: list[Table] = []
"""The table of a worker process; nobody else has one."""


def _begin_worker(*table: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which lets blocks end
    _tables.append(Table(*table))


def _work(pairing: Pairing, block: Block) -> Played:
    return _tables[0].play(pairing, block)


def blocks_of(missing: NDArray[np.int64], match: int, size: int) -> Iterator[Block]:
    """Yield blocks of at most ``size`` neighbouring pairs that cover what is missing, in order."""
    for run in np.split(missing, np.flatnonzero(np.diff(missing) != 1) + 1):
        for start in range(0, len(run), size):
            yield Block(match, int(run[start]), len(run[start : start + size]))


def _plan(pairings: Sequence[Pairing], journal: Journal, test: SequentialTest | None) -> Iterator[Block]:
    """Yield what is to be played, asking the sequential test anew before each block."""
    for number, (pairing, score) in enumerate(zip(pairings, journal.scores, strict=True)):
        size = max(SMALLEST, min(CHUNK, -(-pairing.pairs // PARTS)))
        for block in list(blocks_of(score.missing(test), number, size)):
            if block.start < score.played(test):
                yield block


def play_matches(
    pairings: Sequence[Pairing],
    decks: Decks,
    rules: Rules,
    *,
    workers: int = 1,
    journal: Journal | None = None,
    test: SequentialTest | None = None,
    judged: int = 0,
    progress: Callable[[int, int], None] | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Journal:
    """Play matches as far as the journal does not have them yet.

    Args:
        pairings: the matches; each plays the first decks.
        decks: at least as many as the longest match wants.
        rules: of the games.
        workers: processes; 1 plays in this one.
        journal: what has been played, and gets the rest.
        test: ends a match as soon as it has decided.
        judged: the first pairs of every match, whose endings are judged (:mod:`experiments.regret`).
        progress: called with the number of a match and the pairs of it that are over.
        stop: asked between blocks; once it says yes no block is begun any more, and those that run are ended.

    Returns:
        The journal; after a stop it has gaps.

    Raises:
        ChildProcessError: a worker process was killed from outside.
    """
    journal = journal or Journal(None, pairings)
    given = (decks, rules.variant, rules.preset, dict(rules.overrides), judged)
    done = [int(score.known.sum()) for score in journal.scores]

    def tell(match: int, more: int = 0) -> None:
        if progress is not None:
            progress(match, done[match] + more)

    def keep(block: Block, played: Played) -> None:
        journal.add(block, played)
        done[block.match] += block.pairs
        tell(block.match)

    for number in range(len(pairings)):
        tell(number)
    plan = _plan(pairings, journal, test)
    if workers == 1:
        table = Table(*given)
        for block in plan:
            if stop():
                break
            shown = functools.partial(tell, block.match)
            keep(block, table.play(pairings[block.match], block, shown))
        return journal
    context = multiprocessing.get_context("spawn")  # a fork would copy threads of torch and Numba half alive
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(workers, context, _begin_worker, given)
    running: dict[Future[Any], Block] = {}
    try:
        while True:
            while len(running) < workers and not stop() and (ahead := next(plan, None)) is not None:
                running[pool.submit(_work, pairings[ahead.match], ahead)] = ahead
            if not running:
                return journal
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                keep(running.pop(future), future.result())
    except BrokenProcessPool:
        raise ChildProcessError(
            "a worker process was ended from outside, perhaps for want of memory; what was finished is kept"
        ) from None
    except BaseException:
        for child in set(multiprocessing.active_children()) - others:
            child.terminate()  # a second Ctrl-C does not wait for blocks
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def result_of(pairing: Pairing, score: Score, decks: Decks, test: SequentialTest | None) -> PairResults:
    """Return the pairs of a match that count."""
    pairs = score.played(test)
    part = Decks(decks.cards[:pairs], decks.source)
    return PairResults(pairing.first, pairing.second, part, score.scores[:pairs], [])
