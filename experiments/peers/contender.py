"""What takes part: a contender plays for some seconds and says how much it did."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

KNOWN, RANDOM, SEEN = "known actions", "random roll-out", "mask + observation"
LEVELS = (KNOWN, RANDOM, SEEN)
"""What is done for each decision.

``known actions``: recorded actions are applied again, nothing is asked. ``random roll-out``: a legal action is
found and applied, nothing is observed. ``mask + observation``: what a learner needs is made for the seat to act.
"""
ONE, BATCH, LOOP = "one game, from Python", "batch, from Python", "compiled loop"
MODES = (ONE, BATCH, LOOP)
"""Who drives: Python one decision at a time, Python one step of many games at a time, or compiled code."""

_DRAWN = 1 << 14


class Play(Protocol):
    """Plays random games for about some seconds."""

    def __call__(self, seconds: float) -> tuple[int, int]:
        """Play, and return (decisions of players, finished games)."""
        ...


@dataclass(frozen=True)
class Contender:
    """One way of playing one game.

    Attributes:
        game: which game.
        level: one of `LEVELS`.
        mode: one of `MODES`.
        how: what exactly is called.
        observation: what an observation is there; empty below that level.
        make: builds it; everything that can go wrong goes wrong here or in the play.
    """

    game: str
    level: str
    mode: str
    how: str
    make: Callable[[], Play]
    observation: str = ""


@dataclass(frozen=True)
class Family:
    """The contenders that one package brings.

    Attributes:
        name: as it is called.
        module: import name that has to be there.
        distribution: name under which its version is known.
        install: the command that brings it.
        contenders: lists them; called only where the module is found.
        starts: what is timed in fresh processes, by name; see `Start`.
        absent: games that were wanted and that this release does not have, with the reason.
        environment: environment variables of its process.
    """

    name: str
    module: str
    distribution: str
    install: str
    contenders: Callable[[], list[Contender]]
    starts: tuple[Start, ...] = ()
    absent: Callable[[], dict[str, str]] = dict
    environment: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Start:
    """Code of a fresh process, in three timed parts: imports, to the first observation, to the second.

    Attributes:
        game: which game.
        how: what it is.
        imports: code.
        reset: code; ends with mask and observation of the first decision.
        step: code; ends with those of the next one.
    """

    game: str
    how: str
    imports: str
    reset: str
    step: str


def dice(seed: int = 0) -> Iterator[float]:
    """Return an endless stream of numbers in [0, 1), drawn beforehand: choosing must cost as little as it can."""
    return itertools.cycle(np.random.default_rng(seed).random(_DRAWN).tolist())


def repeated(chunk: Callable[[], tuple[int, int]]) -> Play:
    """Return a play that repeats a chunk (decisions, games) until the time is over."""

    def play(seconds: float) -> tuple[int, int]:
        end = time.perf_counter() + seconds
        decisions = games = 0
        while True:
            more = chunk()
            decisions += more[0]
            games += more[1]
            if time.perf_counter() >= end:
                return decisions, games

    return play
