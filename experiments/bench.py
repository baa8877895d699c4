"""How fast the environment is, next to yardsticks that run in the same process on the same machine.

``bezique bench`` sets every variant beside two packs and prints the full table of two packs; ``--variant`` does
the same for one. Figures depend on the machine and on what else it does: the ratios are what to compare.
"""

from __future__ import annotations

import contextlib
import importlib
import json as json_module
import os
import platform
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import gymnasium
import numba
import numpy as np
from numpy.typing import NDArray

from agents.scripted.random_agent import RandomAgent
from bezique_env import make_batch
from bezique_env.encoding import observation_size
from bezique_env.engine import play
from bezique_env.engine.cache import kernel
from bezique_env.engine.engines import engine_of
from bezique_env.envs.learner import LearnerGames
from bezique_env.envs.vector import GameVectorEnv
from bezique_env.rules import RulesError, get_rules, variants
from bezique_env.rules.registry import nearest

BATCH_SIZES = (1, 16, 256, 1024, 4096, 16384)
LEARNERS = 1024
"""Rows of the vectors of learners."""
REPEATS = 3
ROUNDS = 5
"""Times that two runs are measured one right after the other; the median ratio counts."""
BASE = "two_pack"
"""The variant that the others are set beside."""
YARDSTICK = "a Python function call"
ENGINE, MASK, OBSERVATION = 0, 1, 2
LEVELS = {ENGINE: "engine", MASK: "engine + mask", OBSERVATION: "engine + mask + observation"}
_SHARED, _DEAL, _RANDOM_DEALER = 0, 0, 255


@dataclass(frozen=True)
class Rate:
    """One measured speed."""

    what: str
    per_second: float
    unit: str
    threads: int = 1


# ------------------------------------------------------------------------------------------- compiled loops


@kernel
def replay_actions(
    games: Any, rules: Any, seeds: Any, actions: Any, lengths: Any, deals: int, tmp: Any
) -> int:
    """Play recorded deals again, one after the other, without masks; returns the decisions taken."""
    decisions = 0
    for deal in range(deals):
        place = deal % seeds.shape[0]
        play.start_row(games, np.int64(0), rules, seeds[place], _RANDOM_DEALER, _DEAL, _SHARED, 0)
        for n in range(lengths[place]):
            play.apply_row(games, np.int64(0), rules, np.int64(actions[place, n]), tmp)
        decisions += lengths[place]
    return decisions


def record_deals(variant: str, deals: int, seed: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return (seeds, actions [deals, longest], lengths) of deals that random players played."""
    batch = make_batch(variant, num_games=deals, seed=seed)
    seeds = np.array([batch.game(row).seed for row in range(deals)], np.uint64)
    player = RandomAgent()
    columns, lengths = [], np.zeros(deals, np.int64)
    while not batch.done.all():
        chosen = player.act(batch.views(), batch.mask, batch.keys(0))
        lengths += ~batch.done
        columns.append(np.maximum(chosen, 0).astype(np.uint8))
        batch.step(chosen)
    return seeds, np.ascontiguousarray(np.array(columns).T), lengths


class Loop:
    """The buffers of one thread that plays deals in compiled loops."""

    def __init__(self, variant: str, seed: int, rows: int = 64) -> None:
        """Record some deals and make the buffers of as many games."""
        engine, shape = engine_of(variant), get_rules(variant).shape
        self._recorded = record_deals(variant, rows, seed)
        self._rules = get_rules(variant).vector.copy()
        self._batch = make_batch(variant, num_games=rows, seed=seed)
        self._one = np.zeros(1, engine.state_dtype(shape))
        self._tmp = np.zeros(engine.scratch, np.uint8)

    @property
    def decisions_a_deal(self) -> float:
        """Decisions of a deal between random players, on the mean of the recorded ones."""
        return float(np.mean(self._recorded[2]))

    def play(self, size: int, level: int) -> int:
        """Take about ``64 * size`` decisions at a level and return how many they were."""
        if level == ENGINE:
            deals = max(1, round(64 * size / self.decisions_a_deal))
            return int(replay_actions(self._one, self._rules, *self._recorded, deals, self._tmp))
        return self._batch.run_random(64 * size, size, level)

    def roll_out(self, size: int) -> int:
        """Take ``64 * size`` random legal decisions; masks are made to choose from, nothing is observed."""
        return self._batch.run_random(64 * size, size, ENGINE)


# ------------------------------------------------------------------------------------------------- timing


def best_rate(run: Callable[[int], int], seconds: float) -> float:
    """Return the best of some repeats of ``run(size)``, which returns how much it did, per second."""
    run(1)  # compiles
    size, best = 1, 0.0
    share = seconds / REPEATS
    while True:
        begin = time.perf_counter()
        run(size)
        spent = time.perf_counter() - begin
        if spent > share / 4 or size >= 2**40:
            break
        size *= 2 if spent > share / 16 else 4
    size = max(1, int(size * share / max(spent, 1e-9)))
    for _ in range(REPEATS):
        begin = time.perf_counter()
        done = run(size)
        best = max(best, done / (time.perf_counter() - begin))
    return best


def paired_ratio(run: Callable[[int], int], beside: Callable[[int], int], seconds: float) -> float:
    """Return how many times as much ``run`` does in a second as ``beside``, measured in turns."""
    runs = (run, beside)
    sizes = []
    for one in runs:
        one(1)  # compiles
        size = 1
        while True:
            begin = time.perf_counter()
            one(size)
            spent = time.perf_counter() - begin
            if spent > seconds / (4 * ROUNDS):
                break
            size *= 2
        sizes.append(max(1, int(size * seconds / (2 * ROUNDS * spent))))
    ratios = []
    for _ in range(ROUNDS):
        speeds = []
        for one, size in zip(runs, sizes, strict=True):
            begin = time.perf_counter()
            done = one(size)
            speeds.append(done / (time.perf_counter() - begin))
        ratios.append(speeds[0] / speeds[1])
    return float(np.median(ratios))


def _threaded(runs: Sequence[Callable[[int], int]]) -> Callable[[int], int]:
    """Return one run that gives each of the runs a thread of its own."""

    def run(size: int) -> int:
        counts = [0] * len(runs)

        def work(place: int) -> None:
            counts[place] = runs[place](size)

        threads = [threading.Thread(target=work, args=(place,)) for place in range(len(runs))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return sum(counts)

    return run


def loop_rates(variant: str, seconds: float) -> list[Rate]:
    """Measure the compiled loops: the engine alone, with the mask, with mask and observation."""
    rates = []
    for threads in (1, 2):
        loops = [Loop(variant, seed) for seed in range(threads)]
        for level, name in LEVELS.items():
            runs = [partial(one.play, level=level) for one in loops]
            run = runs[0] if threads == 1 else _threaded(runs)
            rates.append(Rate(f"compiled loop: {name}", best_rate(run, seconds), "decisions", threads))
    return rates


def _batch_run(variant: str, num_games: int, seed: int) -> Callable[[int], int]:
    batch = make_batch(variant, num_games=num_games, seed=seed, autoreset=True)
    player = RandomAgent()
    nobody = np.zeros(
        0, engine_of(variant).view_dtype(batch.rules.shape)
    )  # random players look at the mask only

    def run(size: int) -> int:
        for _ in range(size):
            batch.step(player.act(nobody, batch.mask, batch.keys(0)))
        return size * num_games

    return run


def batch_rates(variant: str, seconds: float, sizes: tuple[int, ...] = BATCH_SIZES) -> list[Rate]:
    """Measure ``make_batch`` stepped from Python by random players; the players' own time is included."""
    rates = []
    for threads in (1, 2):
        for num_games in sizes:
            runs = [_batch_run(variant, num_games, seed) for seed in range(threads)]
            run = runs[0] if threads == 1 else _threaded(runs)
            what = f"batch of {num_games}, stepped from Python"
            rates.append(Rate(what, best_rate(run, seconds), "decisions", threads))
    return rates


def _learner_run(env: Any, core: LearnerGames) -> Callable[[int], int]:
    """Return a run of steps of a vector of learners that play at random (in rows that are over: any action)."""
    player = RandomAgent()
    nobody = np.zeros(0, engine_of(core.batch.rules.variant).view_dtype(core.batch.rules.shape))

    def run(size: int) -> int:
        for _ in range(size):
            env.step(np.maximum(player.act(nobody, core.batch.mask, core.batch.keys(0)), 0))
        return size * core.num_envs

    return run


def learner_rates(variant: str, seconds: float, num_envs: int = LEARNERS) -> list[Rate]:
    """Measure the vectors of learners, of Gymnasium and (where it is installed) of Stable-Baselines3.

    A step is one decision of a learner and all of its opponent up to the next one; the learner's own time, which
    chooses at random, is included.
    """
    rates = []
    for opponent in ("random", "greedy"):
        vector = GameVectorEnv(variant, num_envs, opponent=opponent)
        vector.reset(seed=0)
        made: dict[str, tuple[Any, LearnerGames]] = {"GameVectorEnv": (vector, vector.core)}
        with contextlib.suppress(ImportError):
            from bezique_env.envs.sb3_vec import GameVecEnv

            other = GameVecEnv(variant, num_envs, opponents=opponent)
            other.reset()
            made["GameVecEnv (SB3)"] = other, other.core
        for name, (env, core) in made.items():
            what = f"{name}, {num_envs} learners against {opponent}"
            rates.append(Rate(what, best_rate(_learner_run(env, core), seconds), "steps"))
    return rates


def aec_rates(variant: str, seconds: float) -> list[Rate]:
    """Measure the PettingZoo environment, bare and with its usual wrappers."""
    module = importlib.import_module(f"bezique_env.{variant}_v0")
    rates = []
    for name, make in (("raw_env", module.raw_env), ("env", module.env)):
        env: Any = make()
        generator = np.random.default_rng(0)

        def run(size: int, env: Any = env, generator: np.random.Generator = generator) -> int:
            done = 0
            for seed in range(size):
                env.reset(seed=seed)
                for _ in env.agent_iter():
                    observation, _, ended, cut, _ = env.last()
                    if ended or cut:
                        env.step(None)
                        continue
                    legal = np.flatnonzero(observation["action_mask"])
                    env.step(int(legal[generator.integers(len(legal))]))
                    done += 1
            return done

        rates.append(Rate(f"PettingZoo AEC, {name}", best_rate(run, seconds), "steps"))
    return rates


# --------------------------------------------------------------------------------------------- yardsticks


def _nothing(value: int) -> int:
    return value


def _run_calls(size: int) -> int:
    for number in range(size):
        _nothing(number)
    return size


def _run_numpy(size: int) -> int:
    generator = np.random.default_rng(0)
    mask = np.zeros(engine_of(BASE).actions.size, np.int8)
    mask[::9] = 1
    row = np.zeros(512, np.float32)
    for _ in range(size):
        legal = np.flatnonzero(mask)
        legal[generator.integers(len(legal))]
        row.copy()
    return size


def _run_gymnasium(name: str, size: int) -> int:
    env = gymnasium.make(name)
    env.reset(seed=0)
    for number in range(size):
        _, _, ended, cut, _ = env.step(number & 1)
        if ended or cut:
            env.reset()
    env.close()
    return size


def _classic() -> Callable[[int], int] | None:
    """Return a run of a PettingZoo classic game, None where its own extras are missing."""
    try:
        from pettingzoo.classic import tictactoe_v3
    except ImportError:
        return None
    env: Any = tictactoe_v3.env()
    generator = np.random.default_rng(0)

    def run(size: int) -> int:
        done = 0
        for seed in range(size):
            env.reset(seed=seed)
            for _ in env.agent_iter():
                observation, _, ended, cut, _ = env.last()
                if ended or cut:
                    env.step(None)
                    continue
                legal = np.flatnonzero(observation["action_mask"])
                env.step(int(legal[generator.integers(len(legal))]))
                done += 1
        return done

    return run


def yardstick_rates(seconds: float) -> list[Rate]:
    """Measure what the speeds above are compared with."""
    rates = [
        Rate(YARDSTICK, best_rate(_run_calls, seconds), "calls"),
        Rate("NumPy: choose from a mask, copy a row", best_rate(_run_numpy, seconds), "times"),
        Rate("Gymnasium CartPole-v1", best_rate(partial(_run_gymnasium, "CartPole-v1"), seconds), "steps"),
        Rate("Gymnasium Blackjack-v1", best_rate(partial(_run_gymnasium, "Blackjack-v1"), seconds), "steps"),
    ]
    classic = _classic()
    if classic is not None:
        rates.append(Rate("PettingZoo tictactoe_v3", best_rate(classic, seconds), "steps"))
    return rates


# ------------------------------------------------------------------------------- start-up, sizes, report

_START = """
import json, sys, time
begin = time.perf_counter()
import bezique_env
imported = time.perf_counter()
game = bezique_env.Game(sys.argv[1], seed=1)
while not game.is_over:
    game.observation(game.seat_to_act)
    game.apply(game.legal_actions()[0])
played = time.perf_counter()
batch = bezique_env.make_batch(sys.argv[1], num_games=2, seed=1)
batch.step(batch.mask.argmax(axis=1))
print(json.dumps([imported - begin, played - imported, time.perf_counter() - played]))
"""


def start_up(variant: str) -> dict[str, float]:
    """Measure fresh processes: import, first game and first batch, with an empty and with a full cache."""
    result = {}
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "BEZIQUE_CACHE_DIR": folder}
        for state in ("cold", "cached"):
            command = [sys.executable, "-c", _START, variant]
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
            imported, game, batch = json_module.loads(done.stdout.strip().splitlines()[-1])
            result[f"import, {state} (s)"] = imported
            result[f"first game, {state} (s)"] = game
            result[f"first batch, {state} (s)"] = batch
    return result


def sizes(variant: str) -> dict[str, int]:
    """Return the bytes that one game, one view, one observation and one mask take."""
    engine, shape = engine_of(variant), get_rules(variant).shape
    return {
        "state of a game (bytes)": engine.state_dtype(shape).itemsize,
        "view of a seat (bytes)": engine.view_dtype(shape).itemsize,
        "observation (bytes)": 4 * observation_size(variant),
        "mask (bytes)": engine.actions.size,
    }


def compare(names: Sequence[str], seconds: float) -> dict[str, dict[str, Any]]:
    """Set variants beside two packs: decisions a second as multiples, and bytes.

    Returns:
        For each variant ``decisions_a_deal`` (of random players), ``speed`` (level -> decisions a second over
        those of two packs, both run in turns) and ``sizes``.
    """
    base = Loop(BASE, 0)
    found = {}
    for name in names:
        loop = base if name == BASE else Loop(name, 0)
        speed = {}
        for level, words in LEVELS.items():
            run, beside = partial(loop.play, level=level), partial(base.play, level=level)
            speed[words] = 1.0 if name == BASE else paired_ratio(run, beside, seconds)
        found[name] = {"decisions_a_deal": loop.decisions_a_deal, "speed": speed, "sizes": sizes(name)}
    return found


def measure(variant: str | None = None, seconds: float = 1.0) -> dict[str, Any]:
    """Measure everything.

    Args:
        variant: id of the variant that gets the full table; None sets all variants beside two packs and gives
            two packs the full table.
        seconds: time for each row of the tables.

    Returns:
        A JSON-able report: ``machine``; ``variant`` with its ``rates`` (with ``ratio`` to a Python function
        call and to CartPole), ``start_up``; ``variants``, see :func:`compare`.

    Raises:
        RulesError: the variant is unknown.
        ValueError: seconds is not positive.
    """
    if variant is not None and variant not in variants():
        raise RulesError(
            f"unknown variant {variant!r}: known are {', '.join(variants())}{nearest(variant, variants())}"
        )
    if not seconds > 0:
        raise ValueError(f"seconds: {seconds!r} is not allowed: a positive number")
    full = variant or BASE
    yardsticks = yardstick_rates(seconds)
    rates = [
        *loop_rates(full, seconds),
        *batch_rates(full, seconds),
        *learner_rates(full, seconds),
        *aec_rates(full, seconds),
    ]
    calls, cart = yardsticks[0].per_second, yardsticks[2].per_second
    rows = []
    for rate in [*rates, *yardsticks]:
        ratios = {"to_python_call": rate.per_second / calls, "to_cartpole": rate.per_second / cart}
        rows.append({**asdict(rate), "ratio": ratios})
    return {
        "variant": full,
        "seconds_per_row": seconds,
        "machine": {
            "python": platform.python_version(),
            "numba": numba.__version__,
            "numpy": np.__version__,
            "processor": platform.machine(),
            "cores": os.cpu_count(),
        },
        "variants": compare(list(variants()) if variant is None else [variant], seconds),
        "rates": rows,
        "start_up": start_up(full),
    }


def eight_to_two(report: dict[str, Any]) -> dict[str, float]:
    """Return the cost of a decision with eight packs over that with two, by level; empty where not measured."""
    found = report["variants"].get("eight_pack")
    return {} if found is None else {words: 1.0 / speed for words, speed in found["speed"].items()}


def print_report(report: dict[str, Any]) -> None:
    """Print a report as tables."""
    from rich.console import Console
    from rich.table import Table

    console = Console()
    machine = report["machine"]
    titles = ["variant", "decisions a deal", *(f"x {words}" for words in LEVELS.values())]
    beside = Table(
        *titles, "state", "view", "observation", title="Beside two packs: decisions a second, bytes"
    )
    for column in beside.columns[1:]:
        column.justify = "right"
    for name, found in report["variants"].items():
        held = found["sizes"]
        beside.add_row(
            name,
            f"{found['decisions_a_deal']:.0f}",
            *(f"{found['speed'][words]:.2f}" for words in LEVELS.values()),
            *(f"{held[key]:,}" for key in list(held)[:3]),
        )
    console.print(beside)
    cost = eight_to_two(report)
    if cost:
        told = ", ".join(f"{words} {value:.2f}" for words, value in cost.items())
        console.print(f"Cost of a decision, eight packs : two packs: {told} (4 at most is wanted).")
    title = f"{report['variant']} on Python {machine['python']}, Numba {machine['numba']}, {machine['cores']} cores"
    table = Table("what", "threads", "per second", "x Python call", "x CartPole", title=title)
    for column in table.columns[1:]:
        column.justify = "right"
    for row in report["rates"]:
        ratio = row["ratio"]
        table.add_row(
            row["what"],
            str(row["threads"]),
            f"{row['per_second']:,.0f} {row['unit']}",
            f"{ratio['to_python_call']:.3g}",
            f"{ratio['to_cartpole']:.3g}",
        )
    console.print(table)
    facts = Table("start", "")
    facts.columns[1].justify = "right"
    for name, value in report["start_up"].items():
        facts.add_row(name, f"{value:.2f}")
    console.print(facts)


def bench_command(variant: str | None = None, json: bool = False, seconds: float = 1.0) -> dict[str, Any]:
    """Measure, print tables or JSON, and return the report."""
    report = measure(variant, seconds)
    if json:
        print(json_module.dumps(report, indent=2))
    else:
        print_report(report)
    return report
