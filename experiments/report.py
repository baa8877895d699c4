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
from experiments.files import read_json, read_rows, write_text

CURVES = (
    ("rollout/return_mean", "reward a game (mean of a rollout)"),
    ("rollout/win_rate", "win rate in training"),
    ("train/entropy_loss", "minus the entropy of the policy"),
    ("train/explained_variance", "variance explained by the value"),
)


def _smooth(values: Sequence[float]) -> Any:
    width = max(1, len(values) // 50)
    if width == 1:
        return np.asarray(values)
    padded = np.concatenate([np.full(width - 1, values[0]), values])
    return np.convolve(padded, np.ones(width) / width, "valid")


def _curves(runs: dict[str, list[dict[str, Any]]]) -> Figure:
    figure = Figure(figsize=(10, 6), layout="constrained")
    for axes, (key, title) in zip(figure.subplots(2, 2).ravel(), CURVES, strict=True):
        for name, rows in runs.items():
            found = [(row["step"], row[key]) for row in rows if key in row]
            if found:
                steps, values = zip(*found, strict=True)
                axes.plot(steps, _smooth(values), label=name)
        axes.set_title(title, fontsize=10)
        axes.set_xlabel("steps")
        axes.grid(alpha=0.3)
        if len(runs) > 1:
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


def _interval(estimate: dict[str, float], digits: int, sign: bool) -> str:
    form = f"{{:{'+' if sign else ''}.{digits}f}}"
    return (
        f"{form.format(estimate['mean'])} [{form.format(estimate['low'])}, {form.format(estimate['high'])}]"
    )


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
    """Write a report of one run, of several side by side, of a tournament, or of leaderboards.

    Args:
        run_dirs: finished runs; or one tournament; or leaderboard files (``.jsonl``).
        out: the file; by default ``report.html`` in the run directory, or in the working directory for several
            runs; ``leaderboard.html`` for leaderboards. For leaderboards it may be a ``.md`` file.

    Raises:
        ConfigError: a directory is no finished run, or kinds are mixed.
    """
    paths = [Path(path) for path in run_dirs]
    if not paths:
        raise ConfigError("report: name at least one run directory")
    boards = [path for path in paths if path.suffix == ".jsonl"]
    if boards:
        return _write_leaderboards(paths, boards, out)
    if any((path / "scores.jsonl").is_file() for path in paths):
        return _write_tournament(paths, out)
    results = []
    for path in paths:
        if not (path / "result.json").is_file():
            raise ConfigError(
                f"{path}: no finished run: it has no result.json (go on: bezique run --resume {path})"
            )
        results.append(read_json(path / "result.json"))
    file = Path(out) if out is not None else (paths[0] if len(paths) == 1 else Path()) / "report.html"
    curves = {path.name: read_rows(path / "metrics.jsonl") for path in paths}
    title = results[0]["name"] if len(paths) == 1 else f"{len(paths)} runs"
    rows = []
    for path, result in zip(paths, results, strict=True):
        for match in result["matches"]:
            rows.append(
                [
                    path.name,
                    match["opponent"],
                    _interval(match["points_per_deal"], 1, True),
                    _interval(match["win_rate"], 3, False),
                    match["deal_pairs"],
                    f"{result['steps']:,}",
                ]
            )
    confidence = results[0]["matches"][0]["points_per_deal"]["confidence"] if rows else 0.95
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
        _seeds(results),
        "<h2>Learning</h2>",
        picture(_curves(curves), file.with_name("learning.png")),
    ]
    if len(paths) == 1:
        pairs = _pairs(paths[0] / "pairs.csv")
        if pairs:
            parts += ["<h2>Deal pairs</h2>", picture(_histograms(pairs), file.with_name("pairs.png"))]
        config = (paths[0] / "config.yaml").read_text(encoding="utf-8")
        versions = (paths[0] / "versions.json").read_text(encoding="utf-8")
        parts += [
            f"<h2>Config</h2><pre>{html.escape(config)}</pre>",
            f"<h2>Versions</h2><pre>{html.escape(versions)}</pre>",
        ]
        parts.append(f"<p>Policy {html.escape(results[0]['policy_hash'])}</p>")
    return write_page(file, title, parts)


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


def _seeds(results: Sequence[dict[str, Any]]) -> str:
    """Return a table over training seeds where one experiment was run with several."""
    from experiments.statistics import estimate

    groups: dict[tuple[str, str], dict[int, float]] = {}
    for result in results:
        for match in result["matches"]:
            key = (result["name"], match["opponent"])
            groups.setdefault(key, {})[result["seed"]] = match["points_per_deal"]["mean"]
    rows = []
    for (name, opponent), means in groups.items():
        if len(means) > 1:
            over = estimate(np.array(list(means.values())))
            rows.append(
                [name, opponent, over.text(), len(means), "yes" if len(means) >= 5 else "no: fewer than 5"]
            )
    if not rows:
        return ""
    headers = ["experiment", "opponent", "points a deal, interval over seeds", "seeds", "enough for a claim"]
    return "<h2>Over training seeds</h2>" + table_html(headers, rows)
