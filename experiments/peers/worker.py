"""The process of one family: it builds its contenders and plays when it is told to.

Requests and answers are lines of JSON on standard input and output; what a peer prints goes to standard error.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


def environment(extra: tuple[tuple[str, str], ...] = ()) -> dict[str, str]:
    """Return the environment of a measured process: one thread wherever a library asks."""
    return {**os.environ, **dict.fromkeys(THREADS, "1"), **dict(extra)}


def pin(core: int) -> None:
    """Stay on one core, where the system can be told so."""
    if core >= 0 and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})


class Worker:
    """Answers requests; see :func:`serve`."""

    def __init__(self, name: str, attribute: str) -> None:
        """Take the family from a module."""
        self.family = getattr(importlib.import_module(name), attribute)
        self._contenders: list[Any] = []
        self._plays: dict[int, Any] = {}

    def list(self) -> dict[str, Any]:
        """Return what there is: ``missing`` with a reason, or version, contenders and what is absent."""
        family = self.family
        if find_spec(family.module) is None:
            return {"missing": f"{family.module} is not installed"}
        try:
            number = version(family.distribution)
        except PackageNotFoundError:
            number = "unknown"
        self._contenders = family.contenders()
        return {
            "version": number,
            "absent": family.absent(),
            "contenders": [
                {key: getattr(one, key) for key in ("game", "level", "mode", "how", "observation")}
                for one in self._contenders
            ],
        }

    def build(self, place: int) -> dict[str, Any]:
        """Build a contender and let it play for a moment; the answer tells how long that took (compiling)."""
        begin = time.perf_counter()
        self._plays[place] = self._contenders[place].make()
        self._plays[place](0.0)
        return {"seconds": round(time.perf_counter() - begin, 3)}

    def play(self, place: int, seconds: float) -> dict[str, Any]:
        """Let a contender play; the answer tells decisions, games, wall seconds and seconds of the processor."""
        wall, processor = time.perf_counter(), time.process_time()
        decisions, games = self._plays[place](seconds)
        return {
            "decisions": int(decisions),
            "games": int(games),
            "cpu": round(time.process_time() - processor, 6),
            "wall": round(time.perf_counter() - wall, 6),
        }


def serve() -> None:
    """Serve requests ``[method, *arguments]`` until the input ends; arguments: module, attribute, core."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what peers print must not be taken for an answer
    pin(int(sys.argv[3]))
    worker: Worker | None = None
    for line in sys.stdin:
        method, *arguments = json.loads(line)
        try:
            if worker is None:
                worker = Worker(sys.argv[1], sys.argv[2])
            answer = getattr(worker, method)(*arguments)
        except (Exception, SystemExit) as error:  # whatever a peer raises is its result
            answer = {"error": f"{type(error).__name__}: {error}".split("\n")[0][:300]}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
