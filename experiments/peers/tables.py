"""Sets ours beside theirs: ratios, tables, the page of docs that holds them."""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.peers.contender import BATCH, KNOWN, LOOP, MODES, RANDOM, SEEN

Row = dict[str, Any]

LEAD, ENGINE_RATE = 10.0, 10e6
"""What is aimed at: ten times the peers with mask and observation; decisions a second of the engine alone."""
BEGIN, END = "<!-- peers: begin -->", "<!-- peers: end -->"
_BLOCK = re.compile(f"{re.escape(BEGIN)}.*{re.escape(END)}", re.S)


@dataclass(frozen=True)
class Table:
    """One table: title, a sentence, headers, rows of texts."""

    title: str
    note: str
    headers: list[str]
    rows: list[list[str]]


# ------------------------------------------------------------------------------------------------- figures


def rates(row: Row) -> list[float]:
    """Return the decisions for each second of the processor, by round."""
    return [one["decisions"] / one["cpu"] for one in row["rounds"] if one["cpu"] > 0]


def rate(row: Row) -> float:
    """Return the median of :func:`rates`, 0 where nothing was played."""
    return statistics.median(rates(row) or [0.0])


def spread(row: Row) -> float:
    """Return half the distance of the slowest from the fastest round, as a share of the median."""
    found = rates(row)
    return (max(found) - min(found)) / (2 * rate(row)) if found and rate(row) else 0.0


def decisions_a_game(row: Row) -> float | None:
    """Return the mean decisions of a game, None where no game was finished."""
    games = sum(one["games"] for one in row["rounds"])
    return sum(one["decisions"] for one in row["rounds"]) / games if games else None


def ratio(mine: Row, theirs: Row, games: bool = False) -> float | None:
    """Return how many times as many decisions (or games) ours does, the median over the rounds of both.

    None where one of them played nothing.
    """
    found = [a / b for a, b in zip(rates(mine), rates(theirs), strict=False) if b]
    if not found:
        return None
    median = statistics.median(found)
    if not games:
        return median
    own, other = decisions_a_game(mine), decisions_a_game(theirs)
    return median * other / own if own and other else None


class Report:
    """A report of :func:`experiments.peers.measure.measure` with its rows at hand."""

    def __init__(self, report: Row) -> None:
        """Keep the rows that played."""
        self.data = report
        played = [row for row in report["contenders"] if row["error"] is None and rates(row)]
        self.ours = [row for row in played if row["family"] in report["ours"]]
        self.theirs = [row for row in played if row["family"] not in report["ours"]]
        self.games = list(dict.fromkeys(row["game"] for row in self.ours))

    def best(self, game: str, level: str, mode: str, how: str = "") -> Row | None:
        """Return the fastest of ours at a level in a mode; one that is called the same as the peer, if there is one."""
        rows = [row for row in self.ours if (row["game"], row["level"], row["mode"]) == (game, level, mode)]
        same = [row for row in rows if row["how"] == how]
        return max(same or rows, key=rate, default=None)

    def ratios(self, peer: Row, mode: str, games: bool = False) -> dict[str, float | None]:
        """Return ours over a peer for each of our games, at the peer's level in a mode of ours."""
        found = {}
        for game in self.games:
            mine = self.best(game, peer["level"], mode, peer["how"])
            found[game] = None if mine is None else ratio(mine, peer, games)
        return found

    def all_ratios(self) -> list[Row]:
        """Return every ratio, for programs: peer, game, level, mode and how, ours by mode and game."""
        return [
            {
                **{key: peer[key] for key in ("family", "game", "level", "mode", "how")},
                "decisions": {mode: self.ratios(peer, mode) for mode in MODES},
                "games": {mode: self.ratios(peer, mode, games=True) for mode in MODES},
            }
            for peer in self.theirs
        ]


# --------------------------------------------------------------------------------------------------- texts


def _times(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f}" if value >= 20 else f"{value:.1f}" if value >= 1 else f"{value:.2g}"


def _pair(values: dict[str, float | None]) -> str:
    return " / ".join(_times(value) for value in values.values())


def _count(value: float | None) -> str:
    if value is None:
        return "-"
    for size, unit in ((1e6, " M"), (1e3, " k")):
        if value >= size:
            return f"{value / size:.3g}{unit}"
    return f"{value:.3g}"


def _by(row: Row) -> str:
    return f"{row['family']} {row['version']}"


def _ordered(report: Report, levels: Sequence[str]) -> list[tuple[Row, bool]]:
    found = []
    for level in levels:
        for rows, own in ((report.ours, True), (report.theirs, False)):
            chosen = sorted((row for row in rows if row["level"] == level), key=lambda row: -rate(row))
            found += [(row, own) for row in chosen]
    return found


def _figures(row: Row) -> list[str]:
    length = decisions_a_game(row)
    return [_count(rate(row)), f"{spread(row):.0%}", "-" if length is None else f"{length:.1f}"]


def _engine_table(report: Report) -> Table:
    rows = []
    for row, own in _ordered(report, (KNOWN, RANDOM)):
        told = [row["game"], _by(row), row["level"], row["mode"], row["how"], *_figures(row)]
        mine = ["", ""] if own else [_pair(report.ratios(row, mode)) for mode in (row["mode"], LOOP)]
        rows.append([*told, *mine])
    return Table(
        "(a) The engine alone",
        "Decisions of players for each second of one core; cards dealt one by one as chance (OpenSpiel) cost time "
        "but count as none. The last two columns are ours over theirs.",
        [
            "game",
            "by",
            "what",
            "driven by",
            "how",
            "decisions/s",
            "±",
            "decisions a game",
            "ours, same mode",
            "ours, compiled loop",
        ],
        rows,
    )


def _seen_table(report: Report) -> Table:
    rows = []
    for row, own in _ordered(report, (SEEN,)):
        told = [row["game"], _by(row), row["mode"], row["how"], row["observation"], *_figures(row)]
        modes = (row["mode"], BATCH, LOOP)
        rows.append([*told, *(["", "", ""] if own else [_pair(report.ratios(row, mode)) for mode in modes])])
    return Table(
        "(b) Mask and observation for each decision",
        "The last three columns are ours over theirs. In the same mode the fastest of ours stands in, or the one that "
        "is called the same (`PettingZoo raw_env`, `PettingZoo env`).",
        [
            "game",
            "by",
            "driven by",
            "how",
            "observation",
            "decisions/s",
            "±",
            "decisions a game",
            "ours, same mode",
            "ours, batch",
            "ours, compiled loop",
        ],
        rows,
    )


def _games_table(report: Report) -> Table:
    rows = []
    for own, found in ((True, report.ours), (False, report.theirs)):
        keys = dict.fromkeys(
            (row["family"], row["game"], row["mode"]) for row in found if row["level"] == SEEN
        )
        for key in keys:
            same = [
                row
                for row in found
                if (row["family"], row["game"], row["mode"]) == key and row["level"] == SEEN
            ]
            row = max(same, key=rate)
            length = decisions_a_game(row)
            told = [row["game"], _by(row), row["mode"], "-" if length is None else f"{length:.1f}"]
            told.append(_count(rate(row) / length if length else None))
            modes = (row["mode"], BATCH, LOOP)
            mine = ["", "", ""] if own else [_pair(report.ratios(row, mode, games=True)) for mode in modes]
            rows.append([*told, *mine])
    return Table(
        "(c) Games a second, with mask and observation",
        "The fastest row of each game in each mode. Games differ in length and in rules: (b) compares what a learner "
        "pays for a decision, this table what it pays for a result.",
        [
            "game",
            "by",
            "driven by",
            "decisions a game",
            "games/s",
            "ours, same mode",
            "ours, batch",
            "ours, compiled loop",
        ],
        rows,
    )


def _start_medians(row: Row) -> dict[str, float]:
    return {key: statistics.median(run[key] for run in row["runs"]) for key in ("import", "first", "second")}


def _start_table(report: Report) -> Table:
    ready = [row for row in report.data["starts"] if row["error"] is None and row["runs"]]
    own = [row for row in ready if row["family"] in report.data["ours"]]
    base = None
    if own:
        first = _start_medians(own[0])
        base = first["import"] + first["first"]
    rows = []
    for row in ready:
        told = _start_medians(row)
        whole = told["import"] + told["first"]
        times = "" if base is None or row is own[0] else _times(whole / base)
        rows.append(
            [
                row["game"],
                row["family"],
                row["how"],
                *(f"{value:.2f}" for value in told.values()),
                f"{whole:.2f}",
                times,
            ]
        )
    what = f"`{own[0]['game']}` as {own[0]['how']}" if own else "ours"
    return Table(
        "(d) Import and first reset",
        "Seconds of one core in fresh processes (medians): import, from there to mask and observation of the first "
        f"decision, of the next; the last column is import and first together over {what}.",
        ["game", "by", "how", "import", "first", "next", "import + first", "over ours"],
        rows,
    )


def tables(report: Report) -> list[Table]:
    """Return the tables that have rows."""
    made = (_engine_table(report), _seen_table(report), _games_table(report), _start_table(report))
    return [table for table in made if table.rows]


def _behind(report: Report, levels: Sequence[str], mode: str | None, least: float) -> str:
    """Name the peers that ours does not lead by `least` times, with the ratios; no mode means their own."""
    rows = [row for row in report.theirs if row["level"] in levels]
    names = [f"{row['family']} {row['game']}" for row in rows]
    found = []
    for row, name in zip(rows, names, strict=True):
        values = report.ratios(row, mode or row["mode"])
        if any(value is not None and value < least for value in values.values()):
            how = f", {row['how']}" if names.count(name) > 1 else ""
            found.append(f"{name}{how} ({_pair(values)})")
    return "; ".join(found)


def findings(report: Report) -> list[str]:
    """Return what the run says of the aims, one sentence each."""
    names = " / ".join(f"`{game}`" for game in report.games)
    found = [f"Where two figures stand, they are of {names}."] if len(report.games) > 1 else []
    for level in (KNOWN, RANDOM):
        best = [(game, report.best(game, level, LOOP)) for game in report.games]
        told = [(game, rate(row)) for game, row in best if row is not None]
        if told:
            reached = [f"`{game}`" for game, value in told if value >= ENGINE_RATE]
            words = ", ".join(f"`{game}` {_count(value)}" for game, value in told)
            verdict = f"reached by {' and '.join(reached)}" if reached else "not reached"
            aim = f"{ENGINE_RATE / 1e6:g} M"
            found.append(f"(a) {level}, compiled loop: {words} decisions a second; {aim} are {verdict}.")
    ahead = _behind(report, (KNOWN, RANDOM), None, 1.0)
    if ahead:
        found.append(f"(a) Faster than ours in the same mode: {ahead}.")
    if any(row["level"] == SEEN for row in report.theirs):
        for mode, words in ((BATCH, "Our batch, stepped from Python,"), (LOOP, "Our compiled loop")):
            if any(row["level"] == SEEN and row["mode"] == mode for row in report.ours):
                behind = _behind(report, (SEEN,), mode, LEAD)
                rest = f", but for {behind}" if behind else ""
                found.append(f"(b) {words} leads every peer by {LEAD:g} times or more{rest}.")
        behind = _behind(report, (SEEN,), None, LEAD)
        if behind:
            found.append(f"(b) In the same mode ours lead by less than {LEAD:g} times: {behind}.")
        slower = _behind(report, (SEEN,), None, 1.0)
        if slower:
            found.append(f"(b) Faster than ours in the same mode: {slower}.")
    return [*found, *_shares(report)]


def _shares(report: Report) -> list[str]:
    """Return where the time of a decision in our compiled loop goes, a sentence for each game of ours."""
    found = []
    for game in report.games:
        rows = [report.best(game, level, LOOP) for level in (KNOWN, RANDOM, SEEN)]
        played = [rate(row) for row in rows if row is not None]
        if len(played) == len(rows) and min(played) > 0:
            engine, legal, seen = (1 / value for value in played)
            parts = {
                "applying it": engine,
                "finding and choosing a legal action": legal - engine,
                "the observation": seen - legal,
            }
            words = ", ".join(f"{what} {value / seen:.0%}" for what, value in parts.items())
            found.append(f"Time of a decision of `{game}` in the compiled loop with observation: {words}.")
    return found


def absences(report: Report) -> list[str]:
    """Return what was not measured and why, one sentence each."""
    found = []
    for one in report.data["missing"]:
        what = f"{one['family']} {one['game']}".strip()
        found.append(f"{what}: {one['reason']}" + ("" if one["game"] else f"; install it: {one['install']}"))
    for row in [*report.data["contenders"], *report.data["starts"]]:
        if row["error"] is not None:
            found.append(f"{row['family']} {row['game']}, {row['how']}: failed: {row['error']}")
    return found


def conditions(report: Report) -> str:
    """Return how it was measured, in a sentence."""
    machine = report.data["machine"]
    rows = [*report.ours, *report.theirs]
    rounds = max((len(row["rounds"]) for row in rows), default=0)
    shares = [one["cpu"] / one["wall"] for row in rows for one in row["rounds"] if one["wall"] > 0]
    busy = f"; of a slice {statistics.median(shares):.0%} was spent on the processor" if shares else ""
    compiling: dict[str, float] = {}
    for row in report.theirs:
        if (row["build_seconds"] or 0) > 5:
            compiling[row["family"]] = compiling.get(row["family"], 0) + row["build_seconds"]
    counted = "".join(
        f" Compiling took {name} {value:.0f} s, not counted." for name, value in compiling.items()
    )
    pinned = "all on one and the same core" if machine["pinned"] else "not kept to one core"
    return (
        f"Python {machine['python']}, NumPy {machine['numpy']}, Numba {machine['numba']}, {machine['processor']}, "
        f"{machine['cores']} cores; one thread each, {pinned}; {rounds} rounds in turns, {report.data['seconds']:g} s "
        f"a slice, medians, ± half the distance from slowest to fastest{busy}.{counted}"
    )


# ------------------------------------------------------------------------------------------------- outputs


def markdown(data: Row) -> str:
    """Return a report in Markdown: how, what it says, the tables, what is lacking."""
    report = Report(data)
    parts = [conditions(report), "\n".join(f"- {text}" for text in findings(report))]
    for table in tables(report):
        lines = [table.headers, ["---"] * len(table.headers), *table.rows]
        drawn = "\n".join(
            "| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines
        )
        parts.append(f"## {table.title}\n\n{table.note}\n\n{drawn}")
    lacking = absences(report)
    if lacking:
        parts.append("## Not measured\n\n" + "\n".join(f"- {text}" for text in lacking))
    return "\n\n".join(part for part in parts if part)


def check_page(path: Path) -> str:
    """Return the text of a page that a report can be written into.

    Raises:
        ValueError: the page is not there or has no marks.
    """
    if not path.is_file():
        raise ValueError(f"{path}: there is no such page")
    text = path.read_text(encoding="utf-8")
    if not _BLOCK.search(text):
        raise ValueError(f"{path} has no place for the report: add the lines {BEGIN} and {END}")
    return text


def page(text: str, data: Row) -> str:
    """Return the text of a page with the report between its marks."""
    block = f"{BEGIN}\n\n{markdown(data)}\n\n{END}"
    return _BLOCK.sub(lambda match: block, text)


def _lines(data: Row) -> str:
    """Return a report as JSON with a line for each row of its lists."""
    parts = []
    for key, value in data.items():
        text = json.dumps(value, ensure_ascii=False)
        if isinstance(value, list) and value:
            text = "[\n" + ",\n".join(json.dumps(one, ensure_ascii=False) for one in value) + "\n]"
        parts.append(f"{json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def write(path: Path, data: Row) -> None:
    """Write the report into a page, and as JSON beside it (``docs/peers.md``, ``docs/peers.json``).

    Raises:
        ValueError: the page is not there or has no marks.
    """
    text = page(check_page(path), data)
    path.with_suffix(".json").write_text(_lines(data), encoding="utf-8")
    path.write_text(text, encoding="utf-8")


def show(data: Row) -> None:
    """Print a report as tables."""
    from rich.console import Console
    from rich.table import Table as Drawn
    from rich.text import Text

    report = Report(data)
    console = Console()
    if not console.is_terminal:
        console.width = 240
    console.print(Text(conditions(report)))
    for table in tables(report):
        drawn = Drawn(title=table.title, title_justify="left", caption=table.note, caption_justify="left")
        for header in table.headers:
            drawn.add_column(header, overflow="fold")
        for row in table.rows:
            drawn.add_row(*(Text(cell) for cell in row))
        console.print(drawn)
    for text in [*findings(report), *absences(report)]:
        console.print(Text(text))
