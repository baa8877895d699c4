"""Tournaments on duplicate deals: from a config to a run directory, or from names on the command line to a table.

A run directory holds ``config.yaml`` (resolved), ``decks.json``, ``versions.json``, ``scores.jsonl`` (every finished
block of pairs: what a stopped tournament goes on from), ``deals.csv`` (one row a deal), ``result.json`` (the same in
every equal tournament), ``timing.json``, ``report.html`` and, where asked for, ``best_response/``.
"""

from __future__ import annotations

import csv
import itertools
import json
import math
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from agents.registry import make_agent
from bezique_env.engine.version import ENGINE_VERSION
from bezique_env.rules import get_rules
from experiments.config import ConfigError, agent_problem, dump_config, find_config
from experiments.evaluation import Decks, PairResults, decks_from_seed, read_decks, recipe_of
from experiments.files import read_json, write_json
from experiments.leaderboard import append_results, interval
from experiments.matches import Cost, Journal, Pairing, Score, play_matches, result_of
from experiments.ratings import Match, Ratings, connected, rate
from experiments.run import console_of, make_run_dir, versions
from experiments.statistics import SequentialTest, estimate, worth_of_pairs
from experiments.stopping import Interrupted, stop_request
from experiments.tournament_config import TournamentConfig, decks_of, find_decks, load_tournament

RESULT_FORMAT = "bezique-tournament/1"
DEAL_COLUMNS = [
    "first",
    "second",
    "pair",
    "deck",
    "game",
    "dealer",
    "first_seat",
    "first_points",
    "second_points",
    "difference",
]


# ----------------------------------------------------------------------------------------------- figures


def match_figures(
    result: PairResults, score: Score, test: SequentialTest | None, confidence: float, resamples: int
) -> dict[str, Any]:
    """Return what is told of a match, for JSON."""
    worth = worth_of_pairs((result.scores[:, :, 0] - result.scores[:, :, 1]).astype(float))
    told: dict[str, Any] = {
        "first": result.first,
        **result.summary(confidence, resamples).to_dict(),
        "pairs_worth": worth if math.isfinite(worth) else None,
    }
    verdict = score.verdict(test)
    if verdict is not None and test is not None:
        told["sequential"] = {
            "low": test.low,
            "high": test.high,
            "accepted": verdict.accepted,
            "pairs": verdict.pairs,
            "log_ratio": verdict.log_ratio if math.isfinite(verdict.log_ratio) else None,
        }
    return told


def ratings_of(
    names: Sequence[str],
    cheats: Sequence[str],
    results: Sequence[PairResults],
    anchor: str,
    confidence: float,
    resamples: int,
) -> tuple[list[str], Ratings | None]:
    """Return the agents that are rated and their ratings; None where the matches leave them unconnected.

    Args:
        names: the field.
        cheats: those that see all cards; they are measured, but not rated.
        results: of all matches.
        anchor: the agent that the others are compared with.
        confidence: of the intervals.
        resamples: of the joint bootstrap.
    """
    rated = [name for name in names if name not in cheats]
    matches = [
        Match(rated.index(r.first), rated.index(r.second), r.points, r.wins)
        for r in results
        if r.first in rated and r.second in rated
    ]
    if anchor not in rated or not connected(len(rated), matches):
        return rated, None
    return rated, rate(
        len(rated), matches, anchor=rated.index(anchor), confidence=confidence, resamples=resamples
    )


def thinking(pairings: Sequence[Pairing], scores: Sequence[Score]) -> dict[str, dict[str, float | None]]:
    """Return what each agent's thinking costs, over all its matches."""
    costs: dict[str, Cost] = {}
    deals: dict[str, int] = {}
    for pairing, score in zip(pairings, scores, strict=True):
        for name, cost in zip((pairing.first, pairing.second), score.costs, strict=True):
            costs[name] = costs.get(name, Cost()) + cost
            deals[name] = deals.get(name, 0) + 2 * int(score.known.sum())
    found: dict[str, dict[str, float | None]] = {}
    for name, cost in costs.items():
        decisions, each = cost.decisions / max(1, deals[name]), cost.per_decision
        found[name] = {
            "decisions_per_deal": decisions,
            "seconds_per_decision": each,
            "seconds_per_deal": None if each is None else each * decisions,
        }
    return found


def endgame_regret(
    name: str,
    pairings: Sequence[Pairing],
    scores: Sequence[Score],
    test: SequentialTest | None,
    confidence: float,
    resamples: int,
) -> dict[str, float] | None:
    """Return the points a deal that an agent lost once nothing was hidden from it, None where nobody judged.

    The unit is the deck: the mean over the matches that played it.
    """
    columns = []
    for pairing, score in zip(pairings, scores, strict=True):
        for side, player in enumerate((pairing.first, pairing.second)):
            if player == name:
                columns.append(score.lost[: score.played(test), side])
    most = max((len(column) for column in columns), default=0)
    table = np.full((len(columns), most), np.nan)
    for row, column in enumerate(columns):
        table[row, : len(column)] = column
    judged = table[:, ~np.isnan(table).all(axis=0)]
    if judged.shape[1] < 2:
        return None
    return estimate(np.nanmean(judged, axis=0), confidence, resamples).to_dict()


def write_deals(path: Path, results: Sequence[PairResults]) -> None:
    """Write a table with one row for each deal."""
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(DEAL_COLUMNS)
        for result in results:
            ids, dealers = result.decks.ids, result.decks.dealers
            for pair in range(len(result.decks)):
                for game in (0, 1):
                    one, two = (int(points) for points in result.scores[pair, game])
                    deal = [pair, ids[pair], game, int(dealers[pair]), game, one, two, one - two]
                    table.writerow([result.first, result.second, *deal])


# ---------------------------------------------------------------------------------------------- progress


def _bars(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=console,
        refresh_per_second=2,
    )


class Board:
    """Shows how far the matches are: a bar for the matches, one for each that runs, a line for each that ends.

    Args:
        console: where to show it.
        pairings: the matches.
    """

    def __init__(self, console: Console, pairings: Sequence[Pairing]) -> None:
        self.console, self.pairings = console, pairings
        self.bars = _bars(console)
        self._whole = self.bars.add_task("matches", total=len(pairings))
        self._tasks: dict[int, Any] = {}
        self._ended: set[int] = set()

    def tell(self, match: int, done: int) -> None:
        """Show that some pairs of a match are over."""
        pairing = self.pairings[match]
        if match in self._ended or not 0 < done < pairing.pairs:
            return
        if match not in self._tasks:
            self._tasks[match] = self.bars.add_task(
                f"{pairing.first} v {pairing.second}", total=pairing.pairs
            )
        self.bars.update(self._tasks[match], completed=done)

    def end(self, match: int, score: Score | None = None, pairs: int = 0) -> None:
        """Take a match off the board; with its scores, say how it went in its first pairs."""
        if match not in self._ended:
            self._ended.add(match)
            if score is not None and pairs > 1:
                pairing, part = self.pairings[match], score.scores[:pairs]
                points = (part[:, :, 0] - part[:, :, 1]).mean(axis=1)
                half = 1.96 * points.std(ddof=1) / math.sqrt(pairs)
                self.console.print(
                    f"{pairing.first} v {pairing.second}: {points.mean():+.1f} ±{half:.1f}, {pairs} pairs",
                    markup=False,
                    highlight=False,
                )
            if match in self._tasks:
                self.bars.remove_task(self._tasks[match])
            self.bars.update(self._whole, completed=len(self._ended))


# ------------------------------------------------------------------------------------------------ by config


def run_tournament(
    name: str | Path,
    overrides: Sequence[str] = (),
    *,
    workers: int | None = None,
    console: Console | None = None,
) -> Path:
    """Check a config, make a run directory, play, and write results, report and leaderboard.

    Args:
        name: the config.
        overrides: changes to it, ``key=value``.
        workers: processes, instead of what the config says.
        console: where to print.

    Returns:
        The run directory.

    Raises:
        ConfigError: something in the config is wrong; nothing has been started.
        Interrupted: it was stopped; it can go on.
    """
    config = load_tournament(name, overrides)
    folder = find_config(name).parent
    decks_of(config, folder)
    run_dir = make_run_dir(config.output_dir, config.name)
    if config.decks is not None:
        (run_dir / "decks.json").write_bytes(find_decks(config.decks, folder).read_bytes())
        config = config.model_copy(update={"decks": "decks.json"})
    else:
        assert config.seed is not None
        wanted = max(pairing.pairs for pairing in config.pairings())
        write_json(run_dir / "decks.json", recipe_of(config.resolved_rules(), config.seed, wanted))
    (run_dir / "config.yaml").write_text(dump_config(config), encoding="utf-8")
    command = " ".join(["bezique tournament", str(name), *overrides])
    write_json(run_dir / "versions.json", {**versions(config), "command": command})
    return _go(config, run_dir, workers or config.workers, console_of(console))


def resume_tournament(
    run_dir: str | Path, *, workers: int | None = None, console: Console | None = None
) -> Path:
    """Go on with a stopped tournament, or write the results of a finished one again.

    Raises:
        ConfigError: the directory is no tournament, or what plays has changed since it began.
        Interrupted: it was stopped again.
    """
    path = Path(run_dir)
    if not (path / "config.yaml").is_file() or not (path / "decks.json").is_file():
        raise ConfigError(f"{path}: this is no tournament: it has no config.yaml and decks.json")
    config = load_tournament(path / "config.yaml")
    began, now = read_json(path / "versions.json"), versions(config)
    for key in ("engine_version", "rules_hash", "engine_sources"):
        if began.get(key) != now[key]:
            raise ConfigError(
                f"{path}: began with {key} {began.get(key)!r}, here it is {now[key]!r}: rules or agents are "
                "not what they were, so that its matches would not belong together; begin it anew"
            )
    return _go(config, path, workers or config.workers, console_of(console))


def _go(config: TournamentConfig, run_dir: Path, workers: int, console: Console) -> Path:
    from experiments.tournament_report import write_tournament_report

    began = time.perf_counter()
    console.print(f"Run directory: {run_dir}")
    rules, decks, test = config.resolved_rules(), decks_of(config, run_dir), config.test
    pairings = config.pairings()
    journal = Journal(run_dir / "scores.jsonl", pairings)
    board = Board(console, pairings)
    with stop_request() as asked, board.bars:

        def tell(match: int, done: int) -> None:
            board.tell(match, done)
            score = journal.scores[match]
            if not score.missing(test).size:
                board.end(match, score, score.played(test))

        play_matches(
            pairings,
            decks,
            rules,
            workers=workers,
            journal=journal,
            test=test,
            judged=config.endgame_regret,
            progress=tell,
            stop=lambda: bool(asked),
        )
    if any(score.missing(test).size for score in journal.scores):
        raise Interrupted(str(run_dir))
    results = [
        result_of(pairing, score, decks, test)
        for pairing, score in zip(pairings, journal.scores, strict=True)
    ]
    write_deals(run_dir / "deals.csv", results)
    bounds = _lower_bounds(config, decks, run_dir, console)
    result = _results(config, decks, results, journal.scores, bounds)
    write_json(run_dir / "result.json", result)
    seconds = round(time.perf_counter() - began, 1)
    costs = thinking(pairings, journal.scores)
    write_json(run_dir / "timing.json", {"agents": costs, "last_seconds": seconds, "workers": workers})
    console.print(cross_table(result))
    if result["anchor"] is not None:
        console.print(ratings_table(result))
    console.print(f"Report: {write_tournament_report(run_dir)}  ({seconds:.0f} s)")
    if config.leaderboard is not None:
        console.print(f"Leaderboard: {append_results(run_dir, Path(config.leaderboard))}")
    return run_dir


def _lower_bounds(
    config: TournamentConfig, decks: Decks, run_dir: Path, console: Console
) -> dict[str, dict[str, Any]]:
    """Train and measure the best responses that a config asks for; agent -> what was found."""
    if config.best_response is None:
        return {}
    from experiments.best_response import lower_bound

    found = {}
    board = _bars(console)
    with board:
        for number, agent in enumerate(config.best_response.agents):
            tasks: dict[str, Any] = {}

            def tell(
                kind: str, done: int, total: int, agent: str = agent, tasks: dict[str, Any] = tasks
            ) -> None:
                if kind not in tasks:
                    tasks[kind] = board.add_task(f"{kind} a best response to {agent}", total=total)
                board.update(tasks[kind], completed=done)

            folder = run_dir / "best_response" / str(number)
            try:
                found[agent] = lower_bound(config, agent, decks, folder, tell)
            except Interrupted:
                raise Interrupted(str(run_dir)) from None
    return found


def _results(
    config: TournamentConfig,
    decks: Decks,
    results: Sequence[PairResults],
    scores: Sequence[Score],
    bounds: dict[str, dict[str, Any]],
) -> dict[str, Any]:
    """Return everything that was found, for JSON."""
    names, rules = config.names, config.resolved_rules()
    made = {name: make_agent(name) for name in names}
    cheats = [name for name in names if getattr(made[name], "cheats", False)]
    anchor = config.anchor or next((name for name in names if name not in cheats), names[0])
    rated, ratings = ratings_of(names, cheats, results, anchor, config.confidence, config.rating_resamples)
    agents = []
    for name in names:
        row: dict[str, Any] = {"agent": name, "cheats": name in cheats}
        row["trained_against"] = list(getattr(made[name], "trained_against", ()))
        row["deal_pairs"] = sum(len(r.decks) for r in results if name in (r.first, r.second))
        row["rating"] = row["points"] = None
        if ratings is not None and name in rated:
            place = rated.index(name)
            row["rating"] = ratings.bradley_terry[place].to_dict()
            row["points"] = ratings.points[place].to_dict()
        row["endgame_regret"] = endgame_regret(
            name, config.pairings(), scores, config.test, config.confidence, config.resamples
        )
        row["best_response"] = bounds.get(name)
        agents.append(row)
    return {
        "format": RESULT_FORMAT,
        "name": config.name,
        "variant": config.variant,
        "preset": rules.preset,
        "overrides": dict(rules.overrides),
        "rules_hash": rules.hash,
        "engine_version": ENGINE_VERSION,
        "decks": {"source": decks.source, "hash": decks.hash, "decks": len(decks)},
        "confidence": config.confidence,
        "anchor": None if ratings is None else anchor,
        "misfit": None if ratings is None else ratings.misfit,
        "agents": agents,
        "matches": [
            match_figures(result, score, config.test, config.confidence, config.resamples)
            for result, score in zip(results, scores, strict=True)
        ],
    }


# -------------------------------------------------------------------------------------------------- tables


def half_width(estimate: dict[str, float]) -> float:
    """Return the larger side of an interval."""
    return max(estimate["high"] - estimate["mean"], estimate["mean"] - estimate["low"])


def cross_cells(matches: Sequence[dict[str, Any]]) -> dict[tuple[str, str], str]:
    """Return the points a deal of the first against the second agent as texts, both ways round."""
    cells = {}
    for match in matches:
        points = match["points_per_deal"]
        half, mean = half_width(points), points["mean"]
        cells[match["first"], match["opponent"]] = f"{mean:+.1f} ±{half:.1f}"
        cells[match["opponent"], match["first"]] = f"{-mean:+.1f} ±{half:.1f}"
    return cells


def cross_table(result: dict[str, Any]) -> Table:
    """Return the points a deal of every row against every column."""
    names = [row["agent"] for row in result["agents"]]
    pairs = {match["deal_pairs"] for match in result["matches"]}
    many = f"{max(pairs)}" if len(pairs) == 1 else f"{min(pairs)} to {max(pairs)}"
    table = Table(
        title=f"{result['variant']}: points a deal of the row against the column, {many} deal pairs, "
        f"{result['confidence']:.0%} intervals"
    )
    for header in ("", *names):
        table.add_column(Text(header))
    cells = cross_cells(result["matches"])
    for name in names:
        table.add_row(Text(name), *(cells.get((name, other), "") for other in names))
    return table


def ratings_table(result: dict[str, Any]) -> Table:
    """Return the agents in the order of their ratings."""
    table = Table(title=f"Ratings beside {result['anchor']}, {result['confidence']:.0%} intervals")
    for header in ("agent", "Bradley-Terry", "points a deal"):
        table.add_column(header)
    rated = [row for row in result["agents"] if row["rating"] is not None]
    for row in sorted(rated, key=lambda row: -row["points"]["mean"]):
        rating, points = interval(row["rating"], 0, False), interval(row["points"], 1)
        table.add_row(Text(row["agent"]), Text(rating), Text(points))
    return table


# ------------------------------------------------------------------------------------------------- by names


def tournament(
    names: Sequence[str],
    *,
    variant: str = "two_pack",
    preset: str | None = None,
    deal_pairs: int = 1000,
    seed: int | None = None,
    decks_file: str | Path | None = None,
    confidence: float = 0.95,
    workers: int = 1,
    out: str | Path | None = None,
    console: Console | None = None,
) -> dict[str, Any]:
    """Play every pairing, print a table of each agent's points a deal, and return the results.

    Args:
        names: agents, at least two.
        variant: the game.
        preset: of the rules.
        deal_pairs: decks from the seed, each played twice with the seats swapped.
        seed: of the decks; or name a file.
        decks_file: a .json file of decks; all of them are played.
        confidence: of the intervals.
        workers: processes.
        out: a .json file for the results.
        console: where to print.

    Raises:
        ValueError: fewer than two agents, one twice, an unknown one, or decks from neither or both of seed and file.
    """
    if len(names) < 2:
        raise ValueError(
            "tournament: name at least two agents, for example: bezique tournament random greedy; "
            "or a config, for example: bezique tournament tournament/two_pack_ladder"
        )
    if len(set(names)) < len(names):
        raise ValueError(f"tournament: {', '.join(names)}: an agent is named twice")
    if (seed is None) == (decks_file is None):
        raise ValueError("tournament: the decks come from --seed or from --decks: exactly one of them")
    if deal_pairs < 2:
        raise ValueError(f"tournament: --pairs {deal_pairs} must be at least 2")
    rules = get_rules(variant, preset)
    for name in names:
        reason = agent_problem(name, rules, may_cheat=True)
        if reason:
            raise ValueError(reason)
    decks = (
        decks_from_seed(seed, deal_pairs, rules) if seed is not None else read_decks(str(decks_file), rules)
    )
    pairings = [Pairing(first, second, len(decks)) for first, second in itertools.combinations(names, 2)]
    out_console = console_of(console)
    board = Board(out_console, pairings)
    journal = Journal(None, pairings)

    def tell(match: int, done: int) -> None:
        board.tell(match, done)
        if not journal.scores[match].missing(None).size:
            board.end(match)

    with board.bars:
        play_matches(pairings, decks, rules, workers=workers, journal=journal, progress=tell)
    matches = [
        match_figures(result_of(pairing, score, decks, None), score, None, confidence, 9999)
        for pairing, score in zip(pairings, journal.scores, strict=True)
    ]
    result = {
        "variant": variant,
        "engine_version": ENGINE_VERSION,
        "rules_hash": rules.hash,
        "decks": {"source": decks.source, "hash": decks.hash, "pairs": len(decks)},
        "confidence": confidence,
        "agents": [{"agent": name} for name in names],
        "matches": matches,
    }
    out_console.print(cross_table(result))
    if out is not None:
        Path(out).write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    return result
