"""Leaderboards: one file for each variant, one JSON line for each agent of each tournament, only ever added to.

A line says who played (agent, version of the package, of the engine and of the sources), what was played (variant,
rules with their hash, decks with theirs), by which command, and what came of it: ratings, points against each
opponent with intervals, cost, and what else the tournament measured. Lines of one tournament have the same ``run``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from experiments.config import ConfigError
from experiments.files import append_row, read_json

ROW_FORMAT = "bezique-leaderboard/1"
Row = dict[str, Any]


def _run_id(run_dir: Path) -> str:
    """Return a name of what was played and found; the same tournament played again has the same."""
    text = (run_dir / "result.json").read_text(encoding="utf-8")
    sources = read_json(run_dir / "versions.json")["engine_sources"]
    return hashlib.sha256(f"{sources} {text}".encode()).hexdigest()[:12]


def rows_of(run_dir: Path, finished: str) -> list[Row]:
    """Return the lines of a finished tournament, one for each agent.

    Args:
        run_dir: of the tournament.
        finished: when, as text.
    """
    result, made = read_json(run_dir / "result.json"), read_json(run_dir / "versions.json")
    costs = read_json(run_dir / "timing.json")["agents"]
    run = _run_id(run_dir)
    rows = []
    for agent in result["agents"]:
        name = agent["agent"]
        against: dict[str, Any] = {}
        for match in result["matches"]:
            if name not in (match["first"], match["opponent"]):
                continue
            own = name == match["first"]
            points, wins = match["points_per_deal"], match["win_rate"]
            against[match["opponent"] if own else match["first"]] = {
                "deal_pairs": match["deal_pairs"],
                "points_per_deal": points if own else turned(points, 0.0),
                "win_rate": wins if own else turned(wins, 1.0),
                "pairs_worth": match["pairs_worth"],
                "sequential": match.get("sequential"),
            }
        rows.append(
            {
                "format": ROW_FORMAT,
                "run": run,
                "tournament": result["name"],
                "finished": finished,
                "agent": name,
                "cheats": agent["cheats"],
                "trained_against": agent.get("trained_against", []),
                "version": made["bezique_env"],
                "engine_version": result["engine_version"],
                "engine_sources": made["engine_sources"],
                "variant": result["variant"],
                "preset": result["preset"],
                "overrides": result["overrides"],
                "rules_hash": result["rules_hash"],
                "decks": result["decks"],
                "command": made["command"],
                "confidence": result["confidence"],
                "anchor": result["anchor"],
                "misfit": result["misfit"],
                "rating": agent["rating"],
                "points": agent["points"],
                "deal_pairs": agent["deal_pairs"],
                "against": against,
                "endgame_regret": agent["endgame_regret"],
                "best_response": agent["best_response"],
                "cost": costs.get(name),
            }
        )
    return rows


def turned(estimate: dict[str, float], whole: float) -> dict[str, float]:
    """Return an estimate from the other side: the mean m becomes ``whole`` - m."""
    turn = {key: whole - estimate[key] for key in ("mean", "low", "high")}
    return {**estimate, "mean": turn["mean"], "low": turn["high"], "high": turn["low"]}


def append_results(run_dir: Path, folder: Path, finished: str | None = None) -> Path:
    """Add the lines of a finished tournament to the file of its variant, unless they are there.

    Args:
        run_dir: of the tournament.
        folder: of the leaderboards; made if need be.
        finished: when, as text; now by default.

    Returns:
        The file.
    """
    now = finished or datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    rows = rows_of(run_dir, now)
    path = folder / f"{rows[0]['variant']}.jsonl"
    folder.mkdir(parents=True, exist_ok=True)
    known = {row["run"] for row in read_leaderboard(path)} if path.is_file() else set()
    if rows[0]["run"] not in known:
        for row in rows:
            append_row(path, row)
    return path


def read_leaderboard(path: Path) -> list[Row]:
    """Read a leaderboard.

    Raises:
        ConfigError: the file is missing, or a line of it is none of a leaderboard; the message names the line.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from None
    rows: list[Row] = []
    for number, line in enumerate(lines, 1):
        try:
            row = json.loads(line)
        except ValueError as error:
            raise ConfigError(f"{path}:{number}: this is no JSON: {error}") from None
        found = row.get("format") if isinstance(row, dict) else None
        if found != ROW_FORMAT:
            raise ConfigError(f"{path}:{number}: format: found {found!r}; allowed: {ROW_FORMAT}")
        rows.append(row)
    return rows


def latest(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """Return the lines of the last run of each tournament, by its name, in the order of the file."""
    last: dict[str, list[Row]] = {}
    for row in rows:
        found = last.setdefault(row["tournament"], [])
        if found and found[0]["run"] != row["run"]:
            last[row["tournament"]] = found = []
        found.append(row)
    return last


def by_strength(rows: Sequence[Row]) -> list[Row]:
    """Return the agents that are rated, the weakest first."""
    return sorted((row for row in rows if row["points"] is not None), key=lambda row: row["points"]["mean"])


# ------------------------------------------------------------------------------------------------ rendering


def interval(estimate: dict[str, float] | None, digits: int = 1, sign: bool = True) -> str:
    """Return ``+12.3 [+10.1, +14.6]``, nothing where there is no estimate."""
    if estimate is None:
        return ""
    form = f"{{:{'+' if sign else ''}.{digits}f}}"
    return (
        f"{form.format(estimate['mean'])} [{form.format(estimate['low'])}, {form.format(estimate['high'])}]"
    )


def duration(seconds: float | None) -> str:
    """Return a time in the unit that suits it."""
    if seconds is None:
        return ""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.2g} {unit}"
    return f"{seconds / 1e-6:.2g} µs"


Cells = tuple[list[str], list[list[str]]]
"""Headers and rows of a table."""


TRAINED = " †"
"""Marks a figure between two agents of which one learned from playing or imitating the other."""


def trained(row: Row, other: Row) -> str:
    """Return the mark where one of two agents trained against the other, nothing elsewhere."""
    met = other["agent"] in row.get("trained_against", []) or row["agent"] in other.get("trained_against", [])
    return TRAINED if met else ""


def ladder_cells(rows: Sequence[Row]) -> Cells:
    """Return the ladder: agents from the weakest to the strongest, each with its step over the one below.

    Agents that see all cards stand at the end: they are a ceiling, not rungs.
    """
    rungs = by_strength(rows)
    body = []
    for below, row in zip([None, *rungs[:-1]], rungs, strict=True):
        step = row["against"].get(below["agent"]) if below is not None else None
        body.append(
            [
                f"`{row['agent']}`",
                interval(row["rating"], 0, False),
                interval(row["points"]),
                _step(step) + trained(row, below) if below is not None else "",
                interval(step["win_rate"], 3, False) if step else "",
                str(step["deal_pairs"]) if step else "",
                interval(row["endgame_regret"], 2, False),
                duration((row["cost"] or {}).get("seconds_per_deal")),
            ]
        )
    for row in rows:
        if row["cheats"]:
            best = row["against"].get(rungs[-1]["agent"]) if rungs else None
            body.append(
                [
                    f"`{row['agent']}` (sees all cards)",
                    "",
                    "",
                    f"{_step(best)}{trained(row, rungs[-1])} over `{rungs[-1]['agent']}`" if best else "",
                    interval(best["win_rate"], 3, False) if best else "",
                    str(best["deal_pairs"]) if best else "",
                    "",
                    duration((row["cost"] or {}).get("seconds_per_deal")),
                ]
            )
    anchor = rows[0]["anchor"]
    headers = [
        "agent",
        "rating",
        f"points a deal beside `{anchor}`",
        "step: points a deal over the one below",
        "win rate there",
        "deal pairs there",
        "points a deal lost in endings",
        "CPU time a deal",
    ]
    unused = [k for k in range(1, len(headers)) if not any(row[k] for row in body)]
    return without_columns(headers, body, unused)


def without_columns(headers: list[str], body: list[list[str]], unused: Sequence[int]) -> Cells:
    """Return a table without some of its columns."""
    kept = [k for k in range(len(headers)) if k not in unused]
    return [headers[k] for k in kept], [[row[k] for k in kept] for row in body]


def _step(match: dict[str, Any] | None) -> str:
    if match is None:
        return "not played"
    stopped = match["sequential"] is not None and match["sequential"]["accepted"] != "none"
    return interval(match["points_per_deal"]) + (" (stopped early: biased)" if stopped else "")


def cross_table_cells(rows: Sequence[Row]) -> Cells:
    """Return the points a deal of every row against every column."""
    names = [row["agent"] for row in [*by_strength(rows), *(row for row in rows if row["points"] is None)]]
    found = {row["agent"]: row for row in rows}
    body = []
    for name in names:
        cells = [f"`{name}`"]
        for other in names:
            match = found[name]["against"].get(other)
            points = match and match["points_per_deal"]
            half = points and max(points["high"] - points["mean"], points["mean"] - points["low"])
            mark = trained(found[name], found[other])
            cells.append(f"{points['mean']:+.1f} ±{half:.1f}{mark}" if points else "")
        body.append(cells)
    return ["", *(f"`{name}`" for name in names)], body


def matches_cells(rows: Sequence[Row]) -> Cells:
    """Return every match once, the stronger agent first, with what its pairs were worth."""
    order = [row["agent"] for row in [*by_strength(rows), *(row for row in rows if row["points"] is None)]]
    found = {row["agent"]: row for row in rows}
    body = []
    for row in sorted(rows, key=lambda row: -order.index(row["agent"])):
        for other, match in row["against"].items():
            if order.index(other) < order.index(row["agent"]):
                worth = match["pairs_worth"]
                deals = "" if worth is None else f"{2 * match['deal_pairs'] * worth:,.0f}"
                body.append(
                    [
                        f"`{row['agent']}`",
                        f"`{other}`",
                        f"{match['deal_pairs']:,}",
                        _step(match) + trained(row, found[other]),
                        interval(match["win_rate"], 3, False),
                        "all alike" if worth is None else f"{worth:.2f}",
                        deals,
                    ]
                )
    headers = [
        "agent",
        "against",
        "deal pairs",
        "points a deal",
        "win rate",
        "a pair is worth so many of independent deals",
        "independent deals that tell as much",
    ]
    return headers, body


def bounds_cells(rows: Sequence[Row]) -> Cells | None:
    """Return what trained best responses gained, None where none was trained."""
    body = []
    for row in rows:
        bound = row["best_response"]
        if bound is not None:
            points = interval(bound["lower_bound"])
            body.append([f"`{row['agent']}`", points, f"{bound['steps']:,}", f"{bound['deal_pairs']:,}"])
    headers = ["agent", "loses at least, points a deal (lower bound)", "steps of training", "deal pairs"]
    return (headers, body) if body else None


def sections(rows: Sequence[Row]) -> list[tuple[str, Cells]]:
    """Return the tables of a tournament with their titles."""
    found = [("Ladder", ladder_cells(rows))] if rows[0]["anchor"] is not None else []
    found += [("Points a deal of the row against the column", cross_table_cells(rows))]
    found += [("Matches", matches_cells(rows))]
    bounds = bounds_cells(rows)
    return [*found, ("Best responses, trained", bounds)] if bounds is not None else found


def note(rows: Sequence[Row]) -> str:
    """Return where the figures of a tournament come from, in a sentence or two."""
    row = rows[0]
    changed = "".join(f", {key}={value}" for key, value in row["overrides"].items())
    misfit = (
        ""
        if row["misfit"] is None
        else (f" The points model misses no match by more than {row['misfit']:.1f} points.")
    )
    marks = "" if not any(trained(a, b) for a in rows for b in rows) else " †: one trained against the other."
    decks = f"{row['decks']['source']} ({row['decks']['hash']})"
    return (
        f"`{row['variant']}`, preset `{row['preset']}`{changed} (rules {row['rules_hash']}); decks: {decks}; "
        f"version {row['version']}, engine {row['engine_version']}, sources {row['engine_sources'][:12]}; "
        f"{row['finished'][:10]}; intervals {row['confidence']:.0%}.{misfit}{marks}"
    )


def markdown_table(cells: Cells) -> str:
    """Return a table as Markdown."""
    headers, rows = cells
    lines = [headers, ["---"] * len(headers), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def markdown(paths: Sequence[Path], level: int = 2) -> str:
    """Return leaderboards as Markdown, the last run of each tournament.

    Args:
        paths: the files.
        level: of the headings.

    Raises:
        ConfigError: a file is no leaderboard.
    """
    parts = []
    for path in paths:
        for name, rows in latest(read_leaderboard(path)).items():
            parts.append(f"{'#' * level} {name}")
            parts.append(f"```bash\n{rows[0]['command']}\n```")
            parts.append(note(rows))
            for title, cells in sections(rows):
                parts += [f"{'#' * (level + 1)} {title}", markdown_table(cells)]
    return "\n\n".join(parts)
