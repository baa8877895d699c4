"""Families that are no games, for the tests of the bench of peers; each runs in a process of its own."""

from __future__ import annotations

import os
import time
from functools import partial
from pathlib import Path

from experiments.peers.contender import LOOP, ONE, SEEN, Contender, Family, Play, Start

LOG = "STUB_PEERS_LOG"


def _steady(name: str, decisions: int) -> Play:
    """Plays nothing, says it took some decisions in two games, and writes down that it was asked."""

    def play(seconds: float) -> tuple[int, int]:
        end = time.process_time() + 0.01  # some time of the processor, so that there is a rate
        while time.process_time() < end:
            pass
        if seconds > 0:
            with Path(os.environ[LOG]).open("a", encoding="utf-8") as log:
                log.write(f"{name}\n")
        return decisions, 2

    return play


def _refuses() -> Play:
    raise RuntimeError("this one cannot be built\nsecond line")


def _raises() -> Play:
    def play(seconds: float) -> tuple[int, int]:
        if seconds > 0:
            raise KeyError("lost a card")
        return 1, 1

    return play


def _ends() -> Play:
    def play(seconds: float) -> tuple[int, int]:
        if seconds > 0:
            os._exit(7)
        return 1, 1

    return play


def _leaves() -> Play:
    raise SystemExit("wants to leave")


def _prints() -> Play:
    print("what peers print is no answer")
    return _steady("loud", 10)


def _one(game: str, make: object, mode: str = ONE) -> Contender:
    return Contender(game, SEEN, mode, f"how {game}", make, f"observation of {game}")  # type: ignore[arg-type]


STARTS = (
    Start("good", "start", "import json", "first = json.dumps([])", "second = first"),
    Start("fast", "broken start", "import no_such_module_of_peers", "pass", "pass"),
)
OURS = Family(
    "ours",
    "json",
    "numpy",
    "pip install ours",
    lambda: [
        _one("mine", partial(_steady, "mine", 1000)),
        _one("mine", partial(_steady, "mine loop", 9000), LOOP),
    ],
)
GOOD = Family(
    "Good Games",
    "json",
    "no-such-distribution",
    "pip install good",
    lambda: [_one("good", partial(_steady, "good", 100)), _one("fast", partial(_steady, "fast", 5000))],
    STARTS,
    lambda: {"old game": "not in this release"},
)
MISSING = Family("Absent", "no_such_module_of_peers", "absent", "pip install absent", list)
BAD = Family(
    "Bad",
    "json",
    "numpy",
    "pip install bad",
    lambda: [
        _one("steady", partial(_steady, "steady", 10)),
        _one("refuses", _refuses),
        _one("raises", _raises),
        _one("ends", _ends),
        _one("leaves", _leaves),
        _one("loud", _prints),
    ],
)
BROKEN = Family("Broken", "json", "numpy", "pip install broken", lambda: [1 / 0])  # type: ignore[list-item]
