"""Reports of runs: tables and plots in one HTML file that needs nothing else."""

from __future__ import annotations

import base64
import csv
import html
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from experiments.config import ConfigError
from experiments.evaluation import marked
from experiments.files import write_text
from experiments.leaderboard import interval
from experiments.seeds import (
    SEED_HEADERS,
    STRENGTH,
    FinishedRun,
    read_finished,
    seed_rows,
    setting_curve,
    settings,
)
from experiments.statistics import SEEDS_FOR_A_CLAIM
from experiments.sweep import runs_in

CURVES = (
    ("rollout/return_mean", "reward a game (mean of a rollout)"),
    ("rollout/win_rate", "win rate in training"),
    ("train/entropy", "entropy of the policy"),
    ("train/explained_variance", "variance explained by the value"),
)


def _curves(groups: dict[str, list[FinishedRun]], clock: bool) -> Figure:
    """Draw the curves of each setting: the interquartile mean over its runs, and its interval as a band."""
    measured = [key for runs in groups.values() for run in runs for key in run.measured]
    panels = [(key, f"points a deal against {key.removeprefix(STRENGTH)}") for key in dict.fromkeys(measured)]
    panels += CURVES
    lines = -(-len(panels) // 2)
    figure = Figure(figsize=(10, 3 * lines), layout="constrained")
    for axes, (key, title) in zip(figure.subplots(lines, 2).ravel(), panels, strict=False):
        for label, runs in groups.items():
            found = setting_curve(runs, key, clock)
            if found is not None:
                places, (middle, low, high) = found
                axes.plot(places, middle, label=label)
                if len(runs) > 1:
                    axes.fill_between(places, low, high, alpha=0.2)
        axes.set_title(title, fontsize=10)
        axes.set_xlabel("seconds of training" if clock else "steps")
        axes.grid(alpha=0.3)
        if len(groups) > 1 and axes.lines:
            axes.legend(fontsize=7)
    return figure


def _pairs(path: Path) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    if path.is_file():
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                found.setdefault(row["opponent"], []).append(float(row["points_per_deal"]))
    return found


def _histograms(pairs: dict[str, list[float]]) -> Figure:
    figure = Figure(figsize=(10, 3.2), layout="constrained")
    for axes, (name, values) in zip(
        np.atleast_1d(figure.subplots(1, len(pairs))), pairs.items(), strict=True
    ):
        axes.hist(values, bins=50)
        axes.axvline(float(np.mean(values)), color="black")
        axes.set_title(f"against {name}", fontsize=10)
        axes.set_xlabel("points a deal, mean of a pair")
    return figure


def picture(figure: Figure, path: Path) -> str:
    """Save a figure as PNG and return it as an HTML image."""
    buffer = io.BytesIO()
    FigureCanvasAgg(figure)  # draws without a display
    figure.savefig(buffer, format="png", dpi=110)
    path.write_bytes(buffer.getvalue())
    return (
        f'<img alt="{path.stem}" src="data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}">'
    )


def table_html(headers: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return a table as HTML."""
    head = "".join(f"<th>{html.escape(h)}</th>" for h in headers)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(str(c))}</td>" for c in row) + "</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"


STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse;margin:1rem 0}td,th{border:1px solid #bbb;padding:.25rem .6rem;text-align:left}"
    "img{max-width:100%}pre{background:#f4f4f4;padding:1rem;overflow:auto}"
)


def write_page(file: Path, title: str, parts: Sequence[str]) -> Path:
    """Write a page of HTML and return its path."""
    page = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{html.escape(title)}</title>'
    page += f"<style>{STYLE}</style><h1>{html.escape(title)}</h1>"
    write_text(file, page + "\n".join(parts) + "</html>\n")
    return file


def write_report(run_dirs: Sequence[str | Path], out: str | Path | None = None) -> Path:
    """Write a report of one run, of several side by side, of a sweep, of a tournament, or of leaderboards.

    Args:
        run_dirs: finished runs or sweeps; or one tournament; or leaderboard files (``.jsonl``).
        out: the file; by default ``report.html`` in the directory of the one run or sweep, or in the working
            directory for several; ``leaderboard.html`` for leaderboards. For leaderboards it may be a ``.md`` file.

    Raises:
        ConfigError: a directory is no finished run or sweep, or kinds are mixed.
    """
    paths = [Path(path) for path in run_dirs]
    if not paths:
        raise ConfigError("report: name at least one run directory")
    boards = [path for path in paths if path.suffix == ".jsonl"]
    if boards:
        return _write_leaderboards(paths, boards, out)
    if any((path / "scores.jsonl").is_file() for path in paths):
        return _write_tournament(paths, out)
    file = Path(out) if out is not None else (paths[0] if len(paths) == 1 else Path()) / "report.html"
    runs = [read_finished(run_dir) for path in paths for run_dir in runs_in(path)]
    groups = settings(runs)
    rows = []
    for run in runs:
        for match in run.result["matches"]:
            rows.append(
                [
                    run.path.name,
                    marked(match["opponent"], run.trained_against),
                    interval(match["points_per_deal"]),
                    interval(match["win_rate"], 3, False),
                    match["deal_pairs"],
                    f"{run.result['steps']:,}",
                ]
            )
    confidence = runs[0].result["matches"][0]["points_per_deal"]["confidence"]
    headers = [
        "run",
        "opponent",
        f"points a deal [{confidence:.0%}]",
        f"win rate [{confidence:.0%}]",
        "deal pairs",
        "steps",
    ]
    parts = [
        "<p>Each deck is played twice with the seats swapped, draws from queues; the intervals are bootstrap "
        "intervals over deal pairs, for this one trained policy.</p>",
        table_html(headers, rows),
    ]
    if len(runs) > 1:
        parts += [
            "<h2>Over training seeds</h2>",
            f"<p>IQM is the interquartile mean over training seeds; intervals [{confidence:.0%}] are over seeds. "
            f"With fewer than {SEEDS_FOR_A_CLAIM} seeds they say little.</p>",
            table_html(SEED_HEADERS, seed_rows(groups)),
        ]
    parts += ["<h2>Learning</h2>"]
    if any(len(group) > 1 for group in groups.values()):
        parts.append("<p>Interquartile means over training seeds with pointwise 95% intervals.</p>")
    parts.append(picture(_curves(groups, clock=False), file.with_name("learning.png")))
    if len(runs) > 1:
        parts += [
            "<h2>Learning by the clock</h2>",
            picture(_curves(groups, clock=True), file.with_name("learning_clock.png")),
        ]
        return write_page(file, f"{runs[0].result['name']}: {len(runs)} runs", parts)
    path = runs[0].path
    pairs = _pairs(path / "pairs.csv")
    if pairs:
        parts += ["<h2>Deal pairs</h2>", picture(_histograms(pairs), file.with_name("pairs.png"))]
    for title, name in (("Config", "config.yaml"), ("Versions", "versions.json")):
        parts.append(f"<h2>{title}</h2><pre>{html.escape((path / name).read_text(encoding='utf-8'))}</pre>")
    parts.append(f"<p>Policy {html.escape(runs[0].result['policy_hash'])}</p>")
    return write_page(file, runs[0].result["name"], parts)


def _write_leaderboards(paths: Sequence[Path], boards: Sequence[Path], out: str | Path | None) -> Path:
    from experiments.leaderboard import markdown
    from experiments.tournament_report import write_leaderboard_report

    if len(boards) < len(paths):
        raise ConfigError("report: leaderboards (.jsonl) and run directories have reports of their own")
    if out is not None and Path(out).suffix == ".md":
        Path(out).write_text(f"# Leaderboard\n\n{markdown(boards)}\n", encoding="utf-8")
        return Path(out)
    return write_leaderboard_report(boards, out)


def _write_tournament(paths: Sequence[Path], out: str | Path | None) -> Path:
    from experiments.tournament_report import write_tournament_report

    if len(paths) > 1:
        raise ConfigError("report: a tournament has a report of its own: name it alone")
    if not (paths[0] / "result.json").is_file():
        raise ConfigError(
            f"{paths[0]}: this tournament is not finished (go on: bezique tournament --resume {paths[0]})"
        )
    return write_tournament_report(paths[0], out)
