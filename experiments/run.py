"""One experiment from its config to its report: train, measure on duplicate deals, write the run directory.

A run directory holds ``config.yaml`` (resolved), ``versions.json``, ``metrics.jsonl``, ``timing.jsonl``,
``tensorboard/``, ``checkpoints/``, ``pairs.csv``, ``games.jsonl``, ``result.json`` and ``report.html``.
"""

from __future__ import annotations

import hashlib
import platform
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table

import bezique_env
from agents.registry import make_agent
from bezique_env.encoding import layout_hash
from bezique_env.engine import cache
from bezique_env.engine.version import ENGINE_VERSION
from bezique_env.record import write_records
from bezique_env.rules import get_rules
from experiments.config import ConfigError, ExperimentConfig, GameConfig, dump_config, load_config
from experiments.evaluation import MatchSummary, marked, play_pairs, write_pairs
from experiments.files import append_row, read_json, write_json, write_text
from experiments.strength import evaluation_decks, trained_against

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

PACKAGES = ("numpy", "numba", "torch", "stable-baselines3", "sb3-contrib", "gymnasium", "scipy", "pydantic")


def console_of(given: Console | None) -> Console:
    """Return where to print: what was given, or the terminal; where there is none, lines are wide."""
    console = given or Console()
    if given is None and not console.is_terminal:
        console.width = 200
    return console


def make_run_dir(root: str | Path, name: str) -> Path:
    """Make a new directory in a folder: the name and the next number that is free."""
    number = 1
    while True:
        path = Path(root) / f"{name}-{number:03d}"
        try:
            path.mkdir(parents=True)
            return path
        except FileExistsError:
            number += 1


def versions(config: GameConfig) -> dict[str, Any]:
    """Return the versions and hashes of what produces a run."""
    rules = get_rules(config.variant, config.rules.preset, config.rules.overrides)
    installed = {}
    for name in PACKAGES:
        try:
            installed[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            installed[name] = "not installed"
    return {
        "bezique_env": bezique_env.__version__,
        "engine_version": ENGINE_VERSION,
        "engine_sources": cache.fingerprint(),
        "rules_hash": rules.hash,
        "layout_hash": layout_hash(config.variant),
        "config_hash": hashlib.sha256(dump_config(config).encode()).hexdigest()[:16],
        "python": platform.python_version(),
        "machine": platform.machine(),
        "system": platform.system(),
        "packages": installed,
    }


def is_finished(run_dir: Path) -> bool:
    """Return whether a run directory holds a result and its report: nothing is left to do."""
    return (run_dir / "result.json").is_file() and (run_dir / "report.html").is_file()


def run_experiment(name: str | Path, overrides: Sequence[str] = (), console: Console | None = None) -> Path:
    """Check a config, make a run directory, train, measure, and write the report.

    Returns:
        The run directory.

    Raises:
        ConfigError: something in the config is wrong; nothing has been started.
        Interrupted: the run was stopped; it can be resumed.
    """
    config = load_config(name, overrides)
    evaluation_decks(config)
    run_dir = make_run_dir(config.output_dir, f"{config.name}-seed{config.seed}")
    write_text(run_dir / "config.yaml", dump_config(config))
    return run_in(config, run_dir, console)


def resume_experiment(run_dir: str | Path, console: Console | None = None) -> Path:
    """Go on with a stopped run from its last checkpoint, or finish what is left of it.

    Raises:
        ConfigError: the directory is no run, another process runs it, or other versions began it.
        Interrupted: the run was stopped again.
    """
    path = Path(run_dir)
    if not (path / "config.yaml").is_file():
        raise ConfigError(
            f"{path}: this is no run directory: it has no config.yaml (if a run was to begin here, begin it anew)"
        )
    config = load_config(path / "config.yaml")
    evaluation_decks(config)
    return run_in(config, path, console)


def run_in(config: ExperimentConfig, run_dir: Path, console: Console | None = None) -> Path:
    """Run a checked config in a directory that holds it as ``config.yaml``, from the last checkpoint there.

    Raises:
        ConfigError: another process runs it, or other versions began it.
        Interrupted: the run was stopped; it can be resumed.
    """
    out = console_of(console)
    with _alone(run_dir):
        file, now = run_dir / "versions.json", versions(config)
        if file.is_file():
            began = read_json(file)
            for key in ("engine_version", "rules_hash", "layout_hash"):
                if began.get(key) != now[key]:
                    raise ConfigError(
                        f"{run_dir}: began with {key} {began.get(key)!r}, here it is {now[key]!r}: cannot go on"
                    )
            differ = [key for key in now if began.get(key) != now[key]]
            if differ:
                out.print(
                    f"Note: {', '.join(differ)} changed since the run began; "
                    "the bytes may differ from an undisturbed run."
                )
        else:
            write_json(file, now)
        return _go(config, run_dir, out)


@contextmanager
def _alone(run_dir: Path) -> Iterator[None]:
    """Hold a run directory for this process, where the system has locks; the lock ends with the process."""
    with (run_dir / ".lock").open("w") as handle:
        if fcntl is not None:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ConfigError(
                    f"{run_dir}: another process is running it; wait for it or end it"
                ) from None
            except OSError:  # some network file systems have no locks
                pass
        yield


def _go(config: ExperimentConfig, run_dir: Path, console: Console) -> Path:
    from experiments.report import write_report
    from experiments.train import train

    began = time.perf_counter()
    console.print(f"Run directory: {run_dir}")
    with _progress(console, "steps") as bar:
        task = bar.add_task("training", total=config.algorithm.total_steps, note="compiling")

        def tell(step: int, total: int, figures: dict[str, float]) -> None:
            mean = figures.get("rollout/return_mean")
            note = "" if mean is None else f"reward {mean:+.0f}"
            bar.update(task, completed=step, total=total, note=note)

        trained = train(config, run_dir, resume=True, progress=tell)
    seconds = {"training": round(trained.seconds, 1)}
    measured = time.perf_counter()
    summaries = evaluate(config, run_dir, trained.checkpoint, console)
    seconds["evaluation"] = round(time.perf_counter() - measured, 1)
    decks, against = evaluation_decks(config), trained_against(config)
    result = {
        "name": config.name,
        "variant": config.variant,
        "seed": config.seed,
        "steps": trained.steps,
        "checkpoint": trained.checkpoint.relative_to(run_dir).as_posix(),
        "policy_hash": trained.policy_hash,
        "engine_version": ENGINE_VERSION,
        "rules_hash": get_rules(config.variant, config.rules.preset, config.rules.overrides).hash,
        "layout_hash": layout_hash(config.variant),
        "decks": {"source": decks.source, "hash": decks.hash, "pairs": len(decks)},
        "action": config.evaluation.action,
        "trained_against": list(against),
        "matches": [summary.to_dict() for summary in summaries],
    }
    write_json(run_dir / "result.json", result)
    report = write_report([run_dir])
    seconds["all"] = round(time.perf_counter() - began, 1)
    append_row(run_dir / "timing.jsonl", {"step": trained.steps, "seconds": seconds})
    console.print(result_table(summaries, config.name, against))
    parts = f"training {seconds['training']:.0f}, evaluation {seconds['evaluation']:.0f}"
    console.print(f"Report: {report}  ({seconds['all']:.0f} s: {parts})")
    return run_dir


def evaluate(
    config: ExperimentConfig, run_dir: Path, checkpoint: Path, console: Console
) -> list[MatchSummary]:
    """Play a checkpoint against every opponent of a config; write ``pairs.csv`` and ``games.jsonl``."""
    chosen = config.evaluation
    action = "" if chosen.action == "argmax" else f", action={chosen.action}"
    learner = make_agent(f'policy("{checkpoint}"{action})')
    rules = get_rules(config.variant, config.rules.preset, config.rules.overrides)
    decks = evaluation_decks(config)
    results = []
    with _progress(console, "pairs") as bar:
        for name in chosen.opponents:
            task = bar.add_task(f"against {name}", total=len(decks), note="")
            results.append(
                play_pairs(
                    learner,
                    make_agent(name),
                    decks,
                    variant=config.variant,
                    rules=rules,
                    records=chosen.records,
                    progress=lambda done, total, task=task: bar.update(task, completed=done, total=total),  # type: ignore[misc]
                )
            )
    write_pairs(run_dir / "pairs.csv", results)
    write_records(run_dir / "games.jsonl", [record for result in results for record in result.records])
    return [result.summary(chosen.confidence, chosen.resamples) for result in results]


def result_table(summaries: Sequence[MatchSummary], title: str, trained_against: Sequence[str]) -> Table:
    """Return the result of an evaluation as a table; opponents that were trained against are marked."""
    percent = f"{summaries[0].points.confidence:.0%}" if summaries else ""
    table = Table(title=title)
    for header in (
        "opponent",
        f"points a deal [{percent}]",
        f"win rate [{percent}]",
        "deal pairs",
    ):
        table.add_column(header.replace("[", "\\["), justify="left" if header == "opponent" else "right")
    for summary in summaries:
        points, wins = summary.points.text(1), summary.win_rate.text(3, sign=False)
        opponent = marked(summary.opponent, trained_against)
        table.add_row(
            opponent.replace("[", "\\["),
            points.replace("[", "\\["),
            wins.replace("[", "\\["),
            str(summary.deal_pairs),
        )
    return table


def _progress(console: Console, unit: str) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(unit),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}"),
        console=console,
        refresh_per_second=2,
    )


class _Rate(TextColumn):
    """Shows how fast a task goes."""

    def __init__(self, unit: str) -> None:
        super().__init__("")
        self.unit = unit

    def render(self, task: Any) -> Any:
        """Return the rate as text."""
        from rich.text import Text

        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{speed:,.0f} {self.unit}/s")
