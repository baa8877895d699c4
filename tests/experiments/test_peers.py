"""The bench of peers: turns, ratios, what is missing, what fails. No peer has to be installed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from experiments.cli import app
from experiments.peers import tables
from experiments.peers.contender import BATCH, KNOWN, LEVELS, LOOP, MODES, ONE, RANDOM, SEEN
from experiments.peers.measure import PEERS, Crashed, Process, measure, turns
from tests.experiments.stub_peers import LOG

ROOT = Path(__file__).resolve().parent.parent.parent
STUBS = "tests.experiments.stub_peers"


def _stub(*names: str) -> list[str]:
    return [f"{STUBS}:{name}" for name in names]


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "log"
    monkeypatch.setenv(LOG, str(path))
    return path


def _by_game(report: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {row["game"]: row for row in report["contenders"]}


# ---------------------------------------------------------------------------------------------- measuring


def test_contenders_take_turns_and_every_round_begins_further_on(log: Path) -> None:
    report = measure(0.001, rounds=4, starts=0, ours=_stub("OURS"), peers=_stub("GOOD"))
    names = ["mine", "mine loop", "good", "fast"]
    assert log.read_text().split("\n")[:-1] == [names[k] for order in turns(4, 4) for k in order]
    assert turns(4, 4) == [[0, 1, 2, 3], [1, 2, 3, 0], [2, 3, 0, 1], [3, 0, 1, 2]]
    for row in report["contenders"]:
        assert row["error"] is None
        assert len(row["rounds"]) == 4
        assert row["build_seconds"] > 0
        for one in row["rounds"]:
            assert one["games"] == 2
            assert 0.005 < one["cpu"] <= one["wall"] * 1.5
    json.dumps(report)


@pytest.mark.parametrize(("count", "rounds"), [(1, 3), (3, 5), (61, 5)])
def test_a_round_has_everyone_once(count: int, rounds: int) -> None:
    orders = turns(count, rounds)
    assert len(orders) == rounds
    assert all(sorted(order) == list(range(count)) for order in orders)
    if count >= rounds:
        assert len({order[0] for order in orders}) == rounds


def test_a_missing_peer_is_named_with_its_command(log: Path) -> None:
    report = measure(0.001, rounds=1, starts=0, ours=_stub("OURS"), peers=_stub("MISSING", "GOOD"))
    assert {"family": "Absent", "game": "", "reason": "no_such_module_of_peers is not installed"} | {
        "install": "pip install absent"
    } in report["missing"]
    told = "\n".join(tables.absences(tables.Report(report)))
    assert "Absent: no_such_module_of_peers is not installed; install it: pip install absent" in told
    assert "Good Games old game: not in this release" in told
    assert _by_game(report)["good"]["rounds"]


def test_a_failing_peer_tells_its_error_and_stops_nobody(log: Path) -> None:
    report = measure(0.001, rounds=3, starts=0, ours=_stub("OURS"), peers=_stub("BAD", "BROKEN", "GOOD"))
    rows = _by_game(report)
    assert rows["refuses"]["error"] == "RuntimeError: this one cannot be built"
    assert rows["raises"]["error"] == "KeyError: 'lost a card'"
    assert rows["ends"]["error"] == "the process ended with code 7"
    assert rows["leaves"]["error"] == "SystemExit: wants to leave"
    assert "Broken: ZeroDivisionError" in "\n".join(tables.absences(tables.Report(report)))
    for name in ("steady", "loud", "good", "fast", "mine"):
        assert rows[name]["error"] is None
        assert len(rows[name]["rounds"]) == 3, name  # those after the crash too: they were built again
    text = tables.markdown(report)
    assert "Bad ends, how ends: failed: the process ended with code 7" in text
    assert "| steady | Bad" in text


def test_a_peer_that_does_not_answer_has_failed(log: Path) -> None:
    process = Process(_stub("GOOD")[0], (), -1)
    with pytest.raises(Crashed, match=r"no answer in 0\.001 s"):
        process.ask(0.001, "list")
    assert process.fresh
    assert process.ask(60, "list")["version"] == "unknown"
    process.close()


def test_fresh_processes_are_timed_and_may_fail(log: Path) -> None:
    report = measure(0.001, rounds=1, starts=2, ours=_stub("OURS"), peers=_stub("GOOD"))
    good, fast = report["starts"]
    assert [set(run) for run in good["runs"]] == [{"import", "first", "second"}] * 2
    assert fast["error"] == "ModuleNotFoundError: No module named 'no_such_module_of_peers'"
    assert any(table.title.startswith("(d)") for table in tables.tables(tables.Report(report)))


def test_only_takes_families_and_games(log: Path) -> None:
    def games(*only: str) -> list[str]:
        report = measure(
            0.001, rounds=1, starts=0, only=only, ours=_stub("OURS"), peers=_stub("GOOD", "MISSING")
        )
        return [row["game"] for row in report["contenders"] if row["family"] != "ours"]

    assert games("fast") == ["fast"]
    assert games("good games") == ["good", "fast"]
    assert games("absent") == []
    with pytest.raises(
        ValueError, match=r"unknown peer 'fasd': known are Good Games, old game, good, fast.*'fast'"
    ):
        games("fasd")
    with pytest.raises(ValueError, match="seconds: 0 is not allowed"):
        measure(0)


# ------------------------------------------------------------------------------------------------- tables


def _row(family: str, game: str, level: str, mode: str, rates: list[float], **more: Any) -> dict[str, Any]:
    length = more.pop("length", 10)
    rounds = [
        {"decisions": int(rate * 2), "games": int(rate * 2) // length, "cpu": 2.0, "wall": 4.0}
        for rate in rates
    ]
    base = {"family": family, "version": "1", "game": game, "level": level, "mode": mode, "how": mode}
    return {**base, "observation": "numbers", "build_seconds": 1.0, "error": None, "rounds": rounds, **more}


def _report(*rows: dict[str, Any], **more: Any) -> dict[str, Any]:
    machine = {"python": "3", "numpy": "2", "numba": "0", "processor": "p", "cores": 2, "pinned": True}
    found = {
        "machine": machine,
        "seconds": 0.5,
        "ours": ["us"],
        "contenders": list(rows),
        "missing": [],
        "starts": [],
    }
    return {**found, **more}


def test_a_ratio_is_the_median_of_the_rounds_not_the_ratio_of_medians() -> None:
    mine = _row("us", "a", SEEN, ONE, [100, 400, 900])
    theirs = _row("they", "b", SEEN, ONE, [100, 100, 300], length=20)
    assert tables.ratio(mine, theirs) == 3.0
    assert tables.rate(mine) == 400
    assert tables.spread(mine) == 1.0
    assert tables.ratio(mine, theirs, games=True) == 6.0
    assert tables.ratio(mine, _row("they", "b", SEEN, ONE, [])) is None
    assert tables.decisions_a_game(_row("they", "b", SEEN, ONE, [1], length=100)) is None


def test_like_stands_against_like() -> None:
    """Same level always; the same mode in its own column; the wrapper of the same name where both have it."""
    report = tables.Report(
        _report(
            _row("us", "a", SEEN, ONE, [200], how="batch of one"),
            _row("us", "a", SEEN, ONE, [20], how="PettingZoo env"),
            _row("us", "a", SEEN, BATCH, [3000]),
            _row("us", "a", SEEN, LOOP, [5000]),
            _row("us", "a", RANDOM, LOOP, [7000]),
            _row("they", "b", SEEN, ONE, [10], how="PettingZoo env"),
            _row("they", "c", SEEN, ONE, [100], how="step"),
            _row("they", "c", RANDOM, LOOP, [700]),
            _row("they", "d", KNOWN, ONE, [1]),
        )
    )
    b, c, c_loop, d = report.theirs
    assert report.ratios(b, ONE) == {"a": 2.0}
    assert report.ratios(c, ONE) == {"a": 2.0}
    assert report.ratios(c, BATCH) == {"a": 30.0}
    assert report.ratios(c, LOOP) == {"a": 50.0}
    assert report.ratios(c_loop, LOOP) == {"a": 10.0}
    assert report.ratios(d, ONE) == {"a": None}
    assert {one["game"]: one["decisions"][BATCH]["a"] for one in report.all_ratios()}["b"] == 300.0


def test_what_falls_short_is_said() -> None:
    report = _report(
        _row("us", "a", KNOWN, LOOP, [12e6]),
        _row("us", "b", KNOWN, LOOP, [8e6]),
        _row("us", "a", SEEN, BATCH, [3e6]),
        _row("us", "a", SEEN, ONE, [2e5]),
        _row("they", "slow", SEEN, ONE, [1e4], how="s"),
        _row("they", "near", SEEN, ONE, [2.5e5], how="n"),
        _row("they", "known", KNOWN, LOOP, [1e8], how="k"),
    )
    told = tables.findings(tables.Report(report))
    assert (
        "(a) known actions, compiled loop: `a` 12 M, `b` 8 M decisions a second; 10 M are reached by `a`."
        in told
    )
    assert "(a) Faster than ours in the same mode: they known (0.12 / 0.08)." in told
    batch = next(text for text in told if text.startswith("(b) Our batch"))
    assert "but for they near (12.0 / -)" not in batch  # 12 times is enough
    assert batch.endswith("leads every peer by 10 times or more.")
    assert "(b) Faster than ours in the same mode: they near (0.8 / -)." in told
    report["contenders"].append(_row("they", "near", SEEN, LOOP, [1e6], how="l"))
    told = tables.findings(tables.Report(report))
    assert any(
        "they near, n (0.8 / -)" in text for text in told
    )  # two rows of one name tell themselves apart
    report["contenders"].pop()
    report["contenders"][2]["rounds"][0]["decisions"] = int(2e6 * 2)
    told = tables.findings(tables.Report(report))
    assert any(text.endswith("or more, but for they near (8.0 / -).") for text in told)


def test_where_the_time_of_a_decision_goes() -> None:
    rows = [
        _row("us", "a", level, LOOP, [rate]) for level, rate in ((KNOWN, 4000), (RANDOM, 2000), (SEEN, 1000))
    ]
    assert tables.findings(tables.Report(_report(*rows)))[-1] == (
        "Time of a decision of `a` in the compiled loop with observation: applying it 25%, finding and choosing a "
        "legal action 25%, the observation 50%."
    )
    assert not [
        text for text in tables.findings(tables.Report(_report(*rows[1:]))) if text.startswith("Time")
    ]


def test_the_tables_name_level_and_mode_of_every_row() -> None:
    rows = [
        _row(family, game, level, mode, [1000])
        for family, game in (("us", "a"), ("they", "b"))
        for level in LEVELS
        for mode in MODES
    ]
    made = tables.tables(tables.Report(_report(*rows)))
    assert [table.title[:3] for table in made] == ["(a)", "(b)", "(c)"]
    engine, seen, _ = made
    assert len(engine.rows) == 12
    assert len(seen.rows) == 6
    for table in made:
        assert all(len(row) == len(table.headers) for row in table.rows)
        where = table.headers.index("driven by")
        assert {row[where] for row in table.rows} == set(MODES)
        assert all(("1.0" in row[-1]) == (row[0] == "b") for row in table.rows)


# --------------------------------------------------------------------------------------- page and command


def test_the_page_holds_what_the_json_says(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"# Title\n\nBefore.\n\n{tables.BEGIN}\nold\n{tables.END}\n\nAfter.\n")
    report = _report(_row("us", "a", SEEN, ONE, [100]), _row("they", "b", SEEN, ONE, [10]))
    tables.write(page, report)
    text = page.read_text()
    kept = json.loads((tmp_path / "page.json").read_text())
    assert kept == report
    assert "old" not in text
    assert text.startswith("# Title\n\nBefore.\n")
    assert text.endswith("\n\nAfter.\n")
    assert tables.page(text, kept) == text
    kept["contenders"][1]["rounds"][0]["decisions"] += 40
    assert tables.page(text, kept) != text
    bare = tmp_path / "bare.md"
    bare.write_text("# Title\n")
    with pytest.raises(ValueError, match=r"bare\.md has no place for the report: add the lines"):
        tables.write(bare, report)


def test_the_page_of_the_docs_and_its_json_agree() -> None:
    text = (ROOT / "docs" / "peers.md").read_text(encoding="utf-8")
    report = json.loads((ROOT / "docs" / "peers.json").read_text(encoding="utf-8"))
    assert tables.page(text, report) == text, "run python docs/generate.py"
    measured = {row["family"] for row in report["contenders"] if row["error"] is None}
    assert {"OpenSpiel", "colver", "pgx", "RLCard", "PettingZoo classic"} <= measured


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--only", "skat"], "--only and --write need --peers"),
        (["--peers", "--variant", "belote"], "--variant does not go with --peers"),
        (["--peers", "--write", "nowhere.md"], "nowhere.md: there is no such page"),
        (["--peers", "--seconds", "-1"], "seconds: -1.0 is not allowed"),
    ],
)
def test_mistakes_of_the_command(arguments: list[str], told: str) -> None:
    done = CliRunner().invoke(app, ["bench", *arguments])
    assert done.exit_code == 2
    assert told in done.output


def test_the_command_prints_json_and_tables(
    log: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from experiments.peers import command

    def short(seconds: float, **more: Any) -> dict[str, Any]:
        return measure(seconds, rounds=1, starts=0, ours=_stub("OURS"), peers=_stub("GOOD"), **more)

    monkeypatch.setattr(command, "measure", short)
    command.peers_command(0.001, ["good"], json=True)
    report = json.loads(capsys.readouterr().out)
    (one,) = report["ratios"]
    assert one["game"] == "good"
    assert one["decisions"][ONE]["mine"] > 1
    command.peers_command(0.001)
    out = capsys.readouterr().out
    assert "(b) Mask and observation" in out
    assert "Good Games old game: not in this release" in out


def test_no_peer_is_needed_to_import_or_list_them() -> None:
    code = (
        "import sys, importlib\n"
        "from experiments.peers.measure import OURS, PEERS\n"
        "for path in (*PEERS, OURS): importlib.import_module(path.split(':')[0])\n"
        "print([name for name in ('pyspiel', 'rlcard', 'pgx', 'jax', 'colver', 'pygame') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert len(PEERS) == 5


def test_what_a_deal_for_pgx_looks_like() -> None:
    from experiments.peers.pgx import bridge_table

    keys, values = bridge_table()
    owners = (keys[:, :, None] // 4 ** (12 - np.arange(13))) % 4
    assert owners.reshape(len(keys), 52).shape == (1000, 52)
    for owner in range(4):
        assert ((owners == owner).sum(axis=(1, 2)) == 13).all()
    assert (values >= 0).all()


# --------------------------------------------------------------------------------------------- real runs


@pytest.mark.parametrize("game", ["skat", "gin_rummy"])
def test_openspiel_really_plays(game: str, log: Path) -> None:
    pytest.importorskip("pyspiel")
    report = measure(
        0.01,
        rounds=1,
        starts=1,
        only=[game],
        ours=_stub("OURS"),
        peers=["experiments.peers.openspiel:FAMILY"],
    )
    rows = [row for row in report["contenders"] if row["family"] == "OpenSpiel"]
    assert [(row["level"], row["mode"]) for row in rows] == [
        (KNOWN, ONE),
        (RANDOM, ONE),
        (RANDOM, LOOP),
        (RANDOM, LOOP),
        (SEEN, ONE),
        (SEEN, ONE),
    ]
    for row in rows:
        assert row["error"] is None, row
        length = tables.decisions_a_game(row)
        assert length is not None
        assert (20 < length < 35) if game == "skat" else (40 < length < 300)
    assert all(one["error"] is None for one in report["starts"])


@pytest.mark.slow  # compiles the loops of two games
def test_ours_play_every_way() -> None:
    from experiments.peers import ours

    lengths: dict[str, list[float]] = {}
    for contender in ours.contenders():
        play = contender.make()
        decisions = games = 0
        while decisions < (500_000 if contender.mode == BATCH else 5000):
            more = play(0.01)
            decisions, games = decisions + more[0], games + more[1]
        if contender.how.startswith("GameSingle"):
            continue  # the steps of one seat
        lengths.setdefault(contender.game, []).append(decisions / games)
    for game, low, high in (("two_pack", 60, 85), ("belote", 19, 25)):
        assert all(low < length < high for length in lengths[game]), lengths
