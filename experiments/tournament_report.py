"""Reports of tournaments and leaderboards: tables and plots in one HTML file that needs nothing else."""

from __future__ import annotations

import csv
import html
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from experiments.files import read_json
from experiments.leaderboard import Cells, Row, by_strength, latest, note, read_leaderboard, rows_of, sections
from experiments.report import picture, table_html, write_page


def _cross_plot(rows: Sequence[Row]) -> Figure:
    names = [row["agent"] for row in [*by_strength(rows), *(row for row in rows if row["points"] is None)]]
    found = {row["agent"]: row for row in rows}
    grid = np.full((len(names), len(names)), np.nan)
    for i, name in enumerate(names):
        for j, other in enumerate(names):
            match = found[name]["against"].get(other)
            if match is not None:
                grid[i, j] = match["points_per_deal"]["mean"]
    figure = Figure(figsize=(2 + 1.1 * len(names), 1.4 + 0.6 * len(names)), layout="constrained")
    axes = figure.subplots()
    limit = max(1.0, float(np.nanmax(np.abs(grid))))
    shown = axes.imshow(grid, cmap="RdBu", vmin=-limit, vmax=limit, aspect="auto")
    for (i, j), value in np.ndenumerate(grid):
        if np.isfinite(value):
            shade = "white" if abs(value) > 0.6 * limit else "black"
            axes.text(j, i, f"{value:+.1f}", ha="center", va="center", color=shade, fontsize=8)
    axes.set_xticks(range(len(names)), names, rotation=30, ha="right", fontsize=8)
    axes.set_yticks(range(len(names)), names, fontsize=8)
    axes.set_title("points a deal of the row against the column", fontsize=10)
    figure.colorbar(shown, ax=axes, shrink=0.8)
    return figure


def _ratings_plot(rows: Sequence[Row]) -> Figure:
    rungs = by_strength(rows)
    figure = Figure(figsize=(10, 1.2 + 0.4 * len(rungs)), layout="constrained")
    for axes, key, title in zip(
        figure.subplots(1, 2, sharey=True),
        ("rating", "points"),
        ("Bradley-Terry rating", f"points a deal beside {rows[0]['anchor']}"),
        strict=True,
    ):
        means = [row[key]["mean"] for row in rungs]
        sides = [[row[key]["mean"] - row[key]["low"] for row in rungs]]
        sides += [[row[key]["high"] - row[key]["mean"] for row in rungs]]
        axes.errorbar(means, range(len(rungs)), xerr=sides, fmt="o", capsize=4)
        axes.set_yticks(range(len(rungs)), [row["agent"] for row in rungs], fontsize=8)
        axes.set_title(title, fontsize=10)
        axes.grid(alpha=0.3)
    return figure


def _pairs_plot(path: Path) -> Figure:
    """Return the distribution of the pair means of every match, from the table of deals."""
    found: dict[str, dict[str, list[float]]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            pairs = found.setdefault(f"{row['first']} v {row['second']}", {})
            pairs.setdefault(row["pair"], []).append(float(row["difference"]))
    figure = Figure(figsize=(10, 1 + 0.45 * len(found)), layout="constrained")
    axes = figure.subplots()
    values = [[float(np.mean(games)) for games in pairs.values()] for pairs in found.values()]
    axes.boxplot(values[::-1], orientation="horizontal", whis=(2.5, 97.5), showfliers=False)
    axes.set_yticks(range(1, len(found) + 1), list(found)[::-1], fontsize=8)
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set_xlabel("points a deal of the first, mean of a pair: quartiles, and 2.5% to 97.5%")
    axes.grid(alpha=0.3)
    return figure


def _tables(rows: Sequence[Row]) -> list[str]:
    parts = [
        f"<p>{html.escape(note(rows)).replace('`', '')}</p>",
        f"<pre>{html.escape(rows[0]['command'])}</pre>",
    ]
    for title, cells in sections(rows):
        parts += [f"<h2>{html.escape(title)}</h2>", table_html(*_plain(cells))]
    return parts


def _plain(cells: Cells) -> Cells:
    headers, body = cells
    return [cell.replace("`", "") for cell in headers], [
        [cell.replace("`", "") for cell in row] for row in body
    ]


def write_tournament_report(run_dir: str | Path, out: str | Path | None = None) -> Path:
    """Write the report of a finished tournament.

    Args:
        run_dir: of the tournament.
        out: the file; by default ``report.html`` in the run directory.
    """
    path = Path(run_dir)
    file = Path(out) if out is not None else path / "report.html"
    result: dict[str, Any] = read_json(path / "result.json")
    rows = rows_of(path, "")
    parts = [
        "<p>Each deck is played twice with the seats swapped, draws from queues; the intervals are bootstrap "
        "intervals over deal pairs, those of ratings over decks for all matches at once.</p>",
        *_tables(rows),
    ]
    if result["anchor"] is not None:
        parts.append(picture(_ratings_plot(rows), file.with_name("ratings.png")))
    parts.append(picture(_cross_plot(rows), file.with_name("cross.png")))
    parts += ["<h2>Deal pairs</h2>", picture(_pairs_plot(path / "deals.csv"), file.with_name("pairs.png"))]
    for title, name in (("Config", "config.yaml"), ("Versions", "versions.json")):
        text = (path / name).read_text(encoding="utf-8")
        parts.append(f"<h2>{title}</h2><pre>{html.escape(text)}</pre>")
    return write_page(file, result["name"], parts)


def write_leaderboard_report(paths: Sequence[Path], out: str | Path | None = None) -> Path:
    """Write the report of leaderboards, the last run of each tournament.

    Args:
        paths: leaderboard files.
        out: the file; by default ``leaderboard.html`` in the working directory.

    Raises:
        ConfigError: a file is no leaderboard.
    """
    file = Path(out) if out is not None else Path("leaderboard.html")
    parts = []
    for path in paths:
        for number, (name, rows) in enumerate(latest(read_leaderboard(path)).items()):
            parts += [f"<h1>{html.escape(name)}</h1>", *_tables(rows)]
            stem = f"{file.stem}-{path.stem}-{number}"
            if rows[0]["anchor"] is not None:
                parts.append(picture(_ratings_plot(rows), file.with_name(f"{stem}-ratings.png")))
            parts.append(picture(_cross_plot(rows), file.with_name(f"{stem}-cross.png")))
    return write_page(file, "Leaderboard", parts)
