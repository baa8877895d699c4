"""Lets contenders take turns, each family in a process of its own, and gathers what they did."""

from __future__ import annotations

import json
import os
import platform
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import numba
import numpy as np

from bezique_env.rules.registry import nearest
from experiments.peers.contender import Family, Start
from experiments.peers.worker import environment

OURS = "experiments.peers.ours:FAMILY"
PEERS = tuple(
    f"experiments.peers.{name}:FAMILY" for name in ("openspiel", "colver", "pgx", "rlcard", "pettingzoo")
)
ROUNDS = 5
BUILD_LIMIT, PLAY_LIMIT = 600.0, 120.0
"""Seconds after which a contender that does not answer has failed."""

_SERVE = """
import json, sys
sys.path[:] = json.loads(sys.argv.pop(1))
from experiments.peers.worker import serve
serve()
"""
_START = """
import json, os, sys
sys.path[:] = json.loads(sys.argv.pop(1))
from experiments.peers.worker import pin
pin(int(sys.argv[1]))
names, marks = {}, [sum(os.times()[:4])]
for part in sys.argv[2:]:
    exec(part, names)
    marks.append(sum(os.times()[:4]))
print("\\n" + json.dumps([round(after - before, 2) for before, after in zip(marks, marks[1:])]))
"""


class Crashed(Exception):
    """The process of a family ended, or did not answer in time."""


class Process:
    """The process of one family; it is started again after a crash.

    Args:
        family: ``module:attribute``.
        variables: environment variables beside those of this process.
        core: the core it keeps to; -1 for any.
    """

    def __init__(self, family: str, variables: tuple[tuple[str, str], ...], core: int) -> None:
        """Remember how to start it; the first request does."""
        self._family, self._variables, self._core = family, variables, core
        self._process: subprocess.Popen[str] | None = None
        self._answers: queue.Queue[str | None] = queue.Queue()
        self._said = tempfile.TemporaryFile()  # noqa: SIM115

    def _begin(self) -> subprocess.Popen[str]:
        arguments = [json.dumps(sys.path), *self._family.split(":"), str(self._core)]
        process = subprocess.Popen(
            [sys.executable, "-c", _SERVE, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            text=True,
            env=environment(self._variables),
        )
        answers: queue.Queue[str | None] = queue.Queue()

        def read() -> None:
            assert process.stdout is not None
            for line in process.stdout:
                answers.put(line)
            answers.put(None)

        threading.Thread(target=read, daemon=True).start()
        self._process, self._answers = process, answers
        return process

    @property
    def fresh(self) -> bool:
        """Whether the next request meets a new process, which has built nothing yet."""
        return self._process is None

    def ask(self, limit: float, method: str, *arguments: Any) -> dict[str, Any]:
        """Send a request and return the answer.

        Raises:
            Crashed: the process ended or did not answer in ``limit`` seconds; it is then gone.
        """
        process = self._process or self._begin()
        assert process.stdin is not None
        told = os.fstat(self._said.fileno()).st_size
        try:
            process.stdin.write(json.dumps([method, *arguments]) + "\n")
            process.stdin.flush()
            line = self._answers.get(timeout=limit)
        except queue.Empty:
            self.close()
            raise Crashed(f"no answer in {limit:g} s") from None
        except OSError:
            line = None
        if line is None:
            code = process.wait()
            self.close()
            size = os.fstat(self._said.fileno()).st_size - told
            words = os.pread(self._said.fileno(), size, told).decode(errors="replace")
            last = [text for text in words.splitlines() if text.strip()][-1:]
            raise Crashed(": ".join([f"the process ended with code {code}", *last])[:300])
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


class Side:
    """One family in a run: its process, what it brings, and what became of it."""

    def __init__(self, path: str, core: int, only: Sequence[str]) -> None:
        """Ask a family what it has; `only` keeps contenders whose family or game is named."""
        module, attribute = path.split(":")
        self.family: Family = getattr(import_module(module), attribute)
        self.process = Process(path, self.family.environment, core)
        self.missing: list[dict[str, str]] = []
        self.rows: dict[int, dict[str, Any]] = {}
        self.names = [self.family.name]
        self._built: set[int] = set()
        try:
            found = self.process.ask(BUILD_LIMIT, "list")
        except Crashed as error:
            found = {"error": str(error)}
        reason = found.get("missing") or found.get("error")
        if reason:
            if self._asked(only):
                self._miss("", str(reason))
            return
        self.names += dict.fromkeys([*found["absent"], *(told["game"] for told in found["contenders"])])
        for game, why in found["absent"].items():
            if self._asked(only, game):
                self._miss(game, why)
        for place, told in enumerate(found["contenders"]):
            if self._asked(only, told["game"]):
                self.rows[place] = {
                    "family": self.family.name,
                    "version": found["version"],
                    **told,
                    "build_seconds": None,
                    "error": None,
                    "rounds": [],
                }

    def _asked(self, only: Sequence[str], game: str = "") -> bool:
        return not only or _fold(self.family.name) in only or _fold(game) in only

    def _miss(self, game: str, reason: str) -> None:
        self.missing.append(
            {"family": self.family.name, "game": game, "reason": reason, "install": self.family.install}
        )

    def build(self, place: int) -> bool:
        """Build a contender where the process has not built it yet; return whether it can play."""
        row = self.rows[place]
        if row["error"] is None and self.process.fresh:
            self._built.clear()
            self._ask(row, BUILD_LIMIT, "list")
        if row["error"] is None and place not in self._built:
            answer = self._ask(row, BUILD_LIMIT, "build", place)
            if answer is not None:
                self._built.add(place)
                row["build_seconds"] = row["build_seconds"] or answer["seconds"]
        return row["error"] is None

    def play(self, place: int, seconds: float) -> None:
        """Let a contender play; whoever lost what it had built with a crash of the process builds it again."""
        if self.build(place):
            answer = self._ask(self.rows[place], seconds + PLAY_LIMIT, "play", place, seconds)
            if answer is not None:
                self.rows[place]["rounds"].append(answer)

    def _ask(self, row: dict[str, Any], limit: float, *request: Any) -> dict[str, Any] | None:
        try:
            answer = self.process.ask(limit, *request)
        except Crashed as error:
            row["error"] = str(error)
            return None
        if "error" in answer:
            row["error"] = answer["error"]
            return None
        return answer


def _fold(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


def quiet_core() -> int:
    """Return the core that measured processes keep to, -1 where they cannot be kept to one."""
    return max(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else -1


def turns(count: int, rounds: int) -> list[list[int]]:
    """Return the order of each round: everyone once, and each round begins further on."""
    return [[(k + r * count // rounds) % count for k in range(count)] for r in range(rounds)]


def start_up(start: Start, core: int, variables: tuple[tuple[str, str], ...]) -> dict[str, float]:
    """Time a fresh process: its ``import``, to the ``first`` observation, to the ``second``.

    Seconds of the processor, of children too; hundredths are what the system counts.

    Raises:
        Crashed: it failed.
    """
    arguments = [json.dumps(sys.path), str(core), start.imports, start.reset, start.step]
    done = subprocess.run(
        [sys.executable, "-c", _START, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=environment(variables),
    )
    if done.returncode:
        raise Crashed((done.stderr.strip().splitlines() or [f"code {done.returncode}"])[-1][:300])
    return dict(zip(("import", "first", "second"), json.loads(done.stdout.splitlines()[-1]), strict=True))


def _start_rows(
    sides: Sequence[Side], core: int, repeats: int, tell: Callable[[str], None]
) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    jobs = []
    for side in sides:
        games = {row["game"] for row in side.rows.values()}
        for start in side.family.starts:
            if start.game in games:
                row: dict[str, Any] = {
                    "family": side.family.name,
                    "game": start.game,
                    "how": start.how,
                    "error": None,
                    "runs": [],
                }
                rows.append(row)
                jobs.append((row, start, side.family.environment))
    for number in range(repeats):
        tell(f"fresh processes, round {number + 1} of {repeats}")
        for row, start, variables in jobs:
            if row["error"] is None:
                try:
                    row["runs"].append(start_up(start, core, variables))
                except Crashed as error:
                    row["error"] = str(error)
    return rows


def _cold_rows(sides: Sequence[Side], core: int, tell: Callable[[str], None]) -> list[dict[str, Any]]:
    """Time our first start of all, which compiles the kernels, once for each game."""
    rows = []
    for side in sides:
        games = {row["game"] for row in side.rows.values()}
        for start in side.family.starts:
            if start.how != "Game" or start.game not in games:
                continue
            tell(f"{start.game}: first start of all, with an empty cache")
            row: dict[str, Any] = {
                "family": side.family.name,
                "game": start.game,
                "how": "Game, empty cache",
                "error": None,
            }
            with tempfile.TemporaryDirectory() as folder:
                try:
                    runs = [start_up(start, core, (("BEZIQUE_CACHE_DIR", folder),))]
                except Crashed as error:
                    runs, row["error"] = [], str(error)
            rows.append({**row, "runs": runs})
    return rows


def measure(
    seconds: float = 0.5,
    *,
    only: Sequence[str] = (),
    rounds: int = ROUNDS,
    starts: int = 3,
    cold: bool = True,
    ours: Sequence[str] = (OURS,),
    peers: Sequence[str] = PEERS,
    tell: Callable[[str], None] = lambda text: None,
) -> dict[str, Any]:
    """Measure ours and what is installed of the peers, in turns.

    Args:
        seconds: length of a slice.
        only: families or games to take of the peers, as they are called in the tables; everything without it.
        rounds: slices of each contender.
        starts: fresh processes of each kind; 0 leaves them out.
        cold: also start once with an empty cache of kernels.
        ours: our families, ``module:attribute``.
        peers: theirs.
        tell: gets a line on what is going on.

    Returns:
        A JSON-able report: ``machine``, ``seconds``, ``ours`` (names of families), ``contenders`` (each with its
        ``rounds``: decisions, games, seconds ``cpu`` and ``wall``; or with its ``error``), ``missing``, ``starts``.

    Raises:
        ValueError: seconds is not positive, or a name in `only` is not known.
    """
    if not seconds > 0:
        raise ValueError(f"seconds: {seconds!r} is not allowed: a positive number")
    core = quiet_core()
    wanted = [_fold(name) for name in only]
    mine, theirs = [], []
    try:
        for path in ours:
            mine.append(Side(path, core, ()))
        for path in peers:
            tell(f"looking at {path.split(':')[0].rsplit('.', 1)[1]}")
            theirs.append(Side(path, core, wanted))
        sides = [*mine, *theirs]
        _check_names(only, theirs)
        jobs = [(side, place) for side in sides for place in side.rows]
        for number, (side, place) in enumerate(jobs, 1):
            row = side.rows[place]
            tell(f"building {number} of {len(jobs)}: {row['family']} {row['game']}, {row['how']}")
            side.build(place)
        for number, order in enumerate(turns(len(jobs), rounds), 1):
            tell(f"round {number} of {rounds}: {len(jobs)} contenders, {seconds:g} s each")
            for k in order:
                jobs[k][0].play(jobs[k][1], seconds)
    finally:
        for side in [*mine, *theirs]:
            side.process.close()
    return {
        "machine": {
            "python": platform.python_version(),
            "numpy": np.__version__,
            "numba": numba.__version__,
            "processor": platform.machine(),
            "cores": os.cpu_count(),
            "pinned": core >= 0,
        },
        "seconds": seconds,
        "ours": [side.family.name for side in mine],
        "contenders": [row for side in sides for row in side.rows.values()],
        "missing": [one for side in sides for one in side.missing],
        "starts": [
            *(_start_rows(sides, core, starts, tell) if starts else []),
            *(_cold_rows(mine, core, tell) if starts and cold else []),
        ],
    }


def _check_names(only: Sequence[str], theirs: Sequence[Side]) -> None:
    known = [name for side in theirs for name in side.names]
    folded = {_fold(name) for name in known}
    unseen = [side.family.name for side in theirs if len(side.names) == 1]
    for name in only:
        if _fold(name) not in folded:
            more = f"; the games of {', '.join(unseen)} are known where it is installed" if unseen else ""
            raise ValueError(
                f"unknown peer {name!r}: known are {', '.join(known)}{nearest(name, known)}{more}"
            )
