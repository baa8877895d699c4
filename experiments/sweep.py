"""Sweeps: one experiment with several training seeds and several values of its keys, one run directory each.

The sweep directory holds ``sweep.json`` (what is run, in order), a run directory for each run, and at the end
``report.html`` over all of them.
"""

from __future__ import annotations

import itertools
import json
import multiprocessing
import os
import re
import signal
import sys
import threading
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from experiments.config import ConfigError, ExperimentConfig, dump_config, load_config, parse_overrides
from experiments.files import read_json, write_json, write_text
from experiments.seeds import SEED_HEADERS, read_finished, seed_rows, settings
from experiments.stopping import Interrupted, stop_request

SWEEP_FILE = "sweep.json"
SWEEP_FORMAT = "bezique-sweep/1"
NOT_SWEPT = {"seed": "use --seeds", "name": "it names the sweep", "output_dir": "it holds the sweep"}
"""Keys that no sweep can go over, and why."""
STOPPED = 130
"""What a worker leaves with when it was stopped."""


@dataclass(frozen=True)
class PlannedRun:
    """One run of a sweep.

    Attributes:
        directory: name of its run directory in the sweep directory.
        values: what it sets of the swept keys.
        config: all of it.
    """

    directory: str
    values: dict[str, Any]
    config: ExperimentConfig


# ---------------------------------------------------------------------------------------------- planning


def parse_seeds(text: str, first: int) -> list[int]:
    """Return the training seeds of ``--seeds``: a number of them, or a list such as ``1,2,7``.

    Args:
        text: of the option. A single number is how many, counted from ``first``; ``7,`` is the seed 7 alone.
        first: seed of the config.

    Raises:
        ConfigError: it is neither, or a seed stands there twice.
    """
    parts = [part.strip() for part in text.removesuffix(",").split(",")]
    if not all(part.isascii() and part.isdigit() for part in parts):
        raise ConfigError(
            f"--seeds {text!r}: it must be a number of seeds such as 5, or a list of seeds such as 1,2,7"
        )
    numbers = [int(part) for part in parts]
    if "," in text:
        twice = [seed for seed in numbers if numbers.count(seed) > 1]
        if twice:
            raise ConfigError(f"--seeds {text!r}: the seed {twice[0]} stands there twice")
        return numbers
    if numbers[0] < 1:
        raise ConfigError(f"--seeds {text!r}: it must be at least 1")
    return list(range(first, first + numbers[0]))


def parse_sweep(texts: Sequence[str]) -> dict[str, list[Any]]:
    """Return the values of each swept key from texts ``key=value,value``.

    The values are the items of a YAML list: brackets and quotes keep commas together, as in
    ``algorithm.net_arch=[64, 64],[256, 256]``.

    Raises:
        ConfigError: a text is no ``key=value,value``, a key cannot be swept over, or something stands there twice.
    """
    found: dict[str, list[Any]] = {}
    for text in texts:
        key, equals, values = (part.strip() for part in text.partition("="))
        if not (key and equals and values):
            raise ConfigError(
                f"--sweep {text!r}: it must read key=value,value, for example algorithm.learning_rate=1e-3,3e-4"
            )
        if key in NOT_SWEPT:
            raise ConfigError(f"--sweep {text!r}: {key} cannot be swept over: {NOT_SWEPT[key]}")
        if key in found:
            raise ConfigError(f"--sweep {text!r}: {key} is swept over twice; name all its values at once")
        try:
            listed: list[Any] = parse_overrides([f"{key}=[{values}]"])[key]
        except ConfigError:
            raise ConfigError(
                f"--sweep {text!r}: the values must be items of a YAML list, a,b or [a, b],[c, d]"
            ) from None
        twice = [value for i, value in enumerate(listed) if value in listed[:i]]
        if twice:
            raise ConfigError(f"--sweep {text!r}: the value {twice[0]!r} stands there twice")
        found[key] = listed
    return found


def plan(
    name: str | Path, overrides: Sequence[str], seeds: str | None, sweep: Sequence[str]
) -> list[PlannedRun]:
    """Return the runs of a sweep, every value with every seed, after checking all their configs.

    Args:
        name: a config, as in :func:`experiments.config.load_config`.
        overrides: ``key=value`` texts for all runs.
        seeds: of ``--seeds``; only the seed of the config without it.
        sweep: texts of ``--sweep``.

    Raises:
        ConfigError: something of one or several runs is wrong; each mistake is told once.
    """
    from experiments.strength import evaluation_decks

    swept = parse_sweep(sweep)
    for text in overrides:
        key = text.partition("=")[0].strip()
        if key in swept:
            raise ConfigError(f"override {text!r}: {key} is swept over; give its values there")
    mistakes: dict[str, None] = {}
    runs: list[PlannedRun] = []
    for chosen in itertools.product(*swept.values()):
        values = dict(zip(swept, chosen, strict=True))
        own = [*overrides, *(f"{key}={json.dumps(value)}" for key, value in values.items())]
        try:
            config = load_config(name, own)
            evaluation_decks(config)
            for seed in [config.seed] if seeds is None else parse_seeds(seeds, config.seed):
                config = load_config(name, [*own, f"seed={seed}"])
                runs.append(PlannedRun(_directory(len(runs) + 1, values, seed), values, config))
        except ConfigError as error:
            mistakes.update(dict.fromkeys(str(error).splitlines()))
    if mistakes:
        raise ConfigError("\n".join(mistakes))
    return runs


def _directory(number: int, values: Mapping[str, Any], seed: int) -> str:
    """Return the name of a run directory; the number makes it unique however long or odd the values are."""
    parts = [f"{key.rpartition('.')[2]}={value}" for key, value in values.items()]
    label = re.sub(r"[^A-Za-z0-9_.=+-]+", "_", "-".join(parts))[:60]
    return "-".join(part for part in (f"{number:03d}", label, f"seed{seed}") if part)


# ----------------------------------------------------------------------------------------------- running


def run_sweep(
    name: str | Path,
    overrides: Sequence[str] = (),
    *,
    seeds: str | None = None,
    sweep: Sequence[str] = (),
    workers: int = 1,
    console: Console | None = None,
) -> Path:
    """Check all runs of a sweep, make its directory, run them, and write the report over all.

    Args:
        name: a config, as in :func:`experiments.config.load_config`.
        overrides: ``key=value`` texts for all runs.
        seeds: a number of training seeds, or a list of them; see :func:`parse_seeds`.
        sweep: ``key=value,value`` texts; every combination of values is run with every seed.
        workers: runs side by side, each in a process of its own that writes to ``log.txt`` in its directory.
        console: where to tell what happens.

    Returns:
        The sweep directory.

    Raises:
        ConfigError: something in a config is wrong; nothing has been started.
        Interrupted: the sweep was stopped; it can be resumed.
        ChildProcessError: a worker's run failed.
    """
    from experiments.run import make_run_dir

    runs = plan(name, overrides, seeds, sweep)
    first = runs[0].config
    folder = make_run_dir(first.output_dir, f"{first.name}-sweep")
    for run in runs:
        (folder / run.directory).mkdir()
        write_text(folder / run.directory / "config.yaml", dump_config(run.config))
    content = {
        "format": SWEEP_FORMAT,
        "config": str(name),
        "overrides": list(overrides),
        "runs": [{"directory": run.directory, "seed": run.config.seed, "values": run.values} for run in runs],
    }
    write_json(folder / SWEEP_FILE, content)  # the last, so that a directory that has it is whole
    return resume_sweep(folder, workers=workers, console=console)


def is_sweep(path: Path) -> bool:
    """Return whether a directory is that of a sweep."""
    return (path / SWEEP_FILE).is_file()


def runs_in(path: Path) -> list[Path]:
    """Return the run directories of a sweep in their order, or the directory itself where it is no sweep.

    Raises:
        ConfigError: ``sweep.json`` is damaged or of another format.
    """
    if not is_sweep(path):
        return [path]
    content = read_json(path / SWEEP_FILE)
    if content.get("format") != SWEEP_FORMAT:
        raise ConfigError(
            f"{path / SWEEP_FILE}: format: found {content.get('format')!r}; allowed: {SWEEP_FORMAT}"
        )
    return [path / run["directory"] for run in content["runs"]]


def resume_sweep(folder: str | Path, *, workers: int = 1, console: Console | None = None) -> Path:
    """Go on with a sweep: finished runs are left as they are, a stopped one goes on, the others begin.

    Raises:
        ConfigError: a run cannot go on.
        Interrupted: the sweep was stopped again; the text is its directory.
        ChildProcessError: a worker's run failed.
    """
    from experiments.report import write_report
    from experiments.run import console_of, is_finished, resume_experiment

    path, out = Path(folder), console_of(console)
    runs = runs_in(path)
    left = [run for run in runs if not is_finished(run)]
    out.print(f"Sweep directory: {path}  ({len(runs)} runs, {len(runs) - len(left)} finished)")
    if workers > 1 and len(left) > 1:
        _run_side_by_side(path, left, workers, out)
    else:
        for run in left:
            try:
                resume_experiment(run, out)
            except Interrupted:
                raise Interrupted(str(path)) from None
    report = write_report([path])
    table = Table(title=path.name)
    for header in SEED_HEADERS:
        table.add_column(header, overflow="fold")
    for row in seed_rows(settings([read_finished(run) for run in runs])):
        table.add_row(*map(Text, row))
    out.print(table)
    out.print(f"Report: {report}")
    return path


def _run_side_by_side(folder: Path, left: Sequence[Path], workers: int, out: Console) -> None:
    context = multiprocessing.get_context("spawn")  # a fork would copy threads of torch and Numba half alive
    waiting, stopping = list(left), False
    running: dict[Path, SpawnProcess] = {}
    failed: list[tuple[Path, int]] = []
    with stop_request() as asked:
        while running or (waiting and not asked and not failed):
            while waiting and len(running) < workers and not asked and not failed:
                run = waiting.pop(0)
                running[run] = context.Process(target=_work, args=(str(run),), name=run.name)
                running[run].start()
                out.print(f"begun: {run.name}")
            wait([process.sentinel for process in running.values()], timeout=0.5)
            if asked and not stopping:
                stopping = True
                for process in running.values():
                    process.terminate()  # the training writes a checkpoint and ends
            for run, process in list(running.items()):
                if process.exitcode is not None:
                    process.join()
                    del running[run]
                    out.print(f"{'ended' if process.exitcode else 'finished'}: {run.name}")
                    if process.exitcode and not asked:
                        failed.append((run, process.exitcode))
    if asked or any(code == STOPPED for _, code in failed):
        raise Interrupted(str(folder))
    if failed:
        run, code = failed[0]
        raise ChildProcessError(
            f"{run}: ended with code {code}, see {run / 'log.txt'}; go on with: bezique run --resume {folder}"
        )


def _work(run_dir: str) -> None:
    """Run one run of a sweep in a process of its own."""
    from experiments.run import resume_experiment

    threading.Thread(target=_end_with_parent, daemon=True).start()
    with (Path(run_dir) / "log.txt").open("a", encoding="utf-8") as log:
        try:
            resume_experiment(run_dir, Console(file=log, width=120))
        except Interrupted:
            sys.exit(STOPPED)
        except Exception:
            traceback.print_exc(file=log)
            sys.exit(1)


def _end_with_parent() -> None:
    """Stop the run of this process when the process that began it has ended, however it did."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
