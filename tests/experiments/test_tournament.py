"""Tournaments: what a config asks for is played, however it is split, and told with everything it came from."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from typer.testing import CliRunner

import agents.registry
from agents.scripted.random_agent import RandomAgent
from bezique_env.rules import get_rules
from experiments.cli import app
from experiments.config import ConfigError, keys_table, shipped_configs
from experiments.evaluation import decks_from_seed, play_pairs, recipe_of
from experiments.files import read_json
from experiments.leaderboard import (
    append_results,
    duration,
    latest,
    markdown,
    read_leaderboard,
    rows_of,
    turned,
)
from experiments.matches import Journal, Pairing, Played, Score, blocks_of, play_matches, result_of
from experiments.statistics import SequentialTest
from experiments.stopping import Interrupted
from experiments.tournament import resume_tournament, run_tournament
from experiments.tournament_config import TournamentConfig, load_tournament

ROOT = Path(__file__).resolve().parents[2]
runner = CliRunner()
quiet = Console(quiet=True)

GOOD = """\
name: small
agents:
- random
- greedy
- agent: third(side=left)
  deal_pairs: 12
deal_pairs: 40
seed: 3
endgame_regret: 8
resamples: 99
rating_resamples: 99
"""


class Third(RandomAgent):
    """A third agent of tests: random play under another name."""

    def __init__(self, side: str = "left") -> None:
        self.name = f"third(side={side})"


class Peeps(RandomAgent):
    """Random play that claims to see all cards."""

    name = "peeps"
    cheats = True

    def act_states(self, games: Any, rules: Any, masks: Any, keys: Any) -> Any:
        assert "deck" in games.dtype.names
        return self.act(games, masks, keys)


@pytest.fixture(autouse=True, scope="module")
def more_agents() -> Iterator[None]:
    """Register the agents of this file, for this file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(agents.registry._FACTORIES, "third", Third)
        patch.setitem(agents.registry._FACTORIES, "peeps", Peeps)
        yield


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], Path]:
    def writer(text: str) -> Path:
        path = tmp_path / "small.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return writer


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory, more_agents: None) -> Path:
    """One tournament, played once."""
    root = tmp_path_factory.mktemp("tournament")
    path = root / "small.yaml"
    path.write_text(GOOD.replace("- greedy\n", "- greedy\n- peeps\n") + f"leaderboard: {root / 'board'}\n")
    return run_tournament(path, [f"output_dir={root / 'runs'}", "anchor=greedy"], console=quiet)


# ------------------------------------------------------------------------------------------------- configs


def refused(path: Path, *overrides: str) -> str:
    with pytest.raises(ConfigError) as caught:
        load_tournament(path, overrides)
    return str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "place", "words"),
    [
        ("- greedy", "- gredy", "4:3: agents.1: ", ["known are", "did you mean 'greedy'?"]),
        ("- greedy", "- random", "4:3: agents.1: ", ["second time"]),
        ("third(side", "third(sid", "5:3: agents.2.agent: ", ["did you mean 'side'?"]),
        ("  deal_pairs: 12", "  deals: 12", "6:3: agents.2.deals: ", ["did you mean 'deal_pairs'?"]),
        ("deal_pairs: 40", "deal_pairs: 1", "7:1: deal_pairs: ", ["greater than 1"]),
        ("seed: 3\n", "", ": ", ["neither"]),
        ("seed: 3", "seed: 3\ndecks: x.json", "both", ["x.json"]),
        ("seed: 3", "decks: x.json", "8:1: decks: ", ["no file of decks"]),
        ("seed: 3", "seed: 3\nanchor: gredy", "9:1: anchor: ", ["random, greedy", "did you mean 'greedy'?"]),
        ("seed: 3", "seed: 3\nformat: robin", "9:1: format: ", ["round_robin, gauntlet, listed"]),
        ("seed: 3", "seed: 3\nformat: gauntlet", "9:1: format: ", ["needs `against`"]),
        ("seed: 3", "seed: 3\nformat: listed", "9:1: format: ", ["needs `matches`"]),
        ("seed: 3", "seed: 3\nagainst: [greedy]", "9:1: against: ", ["only `format: gauntlet`"]),
        (
            "seed: 3",
            "seed: 3\nformat: gauntlet\nagainst: [random, gredy]",
            "10:19: against.1: ",
            ["found 'gredy'", "did you mean 'greedy'?"],
        ),
        (
            "seed: 3",
            "seed: 3\nmatches:\n- between: [greedy, random]\n- between: [random, greedy]",
            "11:3: matches.1.between: ",
            ["second time"],
        ),
        ("seed: 3", "seed: 3\nmatches: [{between: [greedy, greedy]}]", "9:12", ["against itself"]),
        ("seed: 3", "seed: 3\nmatches: [{between: [greedy, rand]}]", "9:30", ["did you mean 'random'?"]),
        (
            "seed: 3",
            "seed: 3\nsequential: {low: 5, high: 2}",
            "9:22: sequential.high: ",
            ["above low, 5"],
        ),
        (
            "seed: 3",
            "seed: 3\nbest_response: {agents: [peeps], algorithm: {total_steps: 64}}",
            "best_response.agents.0: ",
            ["one of the agents", "sees all cards: only a tournament"],
        ),
        (
            "seed: 3",
            "seed: 3\nbest_response: {agents: [greedy], algorithm: {total_step: 64}}",
            "best_response.algorithm.total_step: ",
            ["did you mean 'total_steps'?"],
        ),
        (
            "seed: 3",
            "seed: 3\nbest_response: {agents: [greedy], algorithm: {total_steps: 64, batch_size: 5}}",
            "best_response.algorithm.batch_size: ",
            ["must divide"],
        ),
    ],
)
def test_a_mistake_names_file_place_key_and_what_is_allowed(write, old, new, place, words) -> None:
    path = write(GOOD.replace(old, new))
    message = refused(path)
    assert str(path) in message and place in message
    for word in words:
        assert word in message


def test_pairings_follow_the_format_and_slow_agents_play_fewer_decks(write) -> None:
    path = write(GOOD)
    third = "third(side=left)"
    assert load_tournament(path).pairings() == [
        Pairing("random", "greedy", 40),
        Pairing("random", third, 12),
        Pairing("greedy", third, 12),
    ]
    gauntlet = load_tournament(path, ["format=gauntlet", "against=[greedy]"])
    assert gauntlet.pairings() == [Pairing("random", "greedy", 40), Pairing("greedy", third, 12)]
    listed = load_tournament(
        path,
        ["format=listed", "matches=[{between: [third(side=left), random], deal_pairs: 20}]"],
    )
    assert listed.pairings() == [Pairing(third, "random", 20)]
    other = load_tournament(path, ["matches=[{between: [greedy, random], deal_pairs: 7}]"])
    assert [pairing.pairs for pairing in other.pairings()] == [7, 12, 12]


def test_a_file_of_decks_lies_beside_the_config_and_must_have_enough(write, tmp_path: Path) -> None:
    path = write(GOOD.replace("seed: 3", "decks: d.json"))
    rules = get_rules("two_pack")
    (tmp_path / "d.json").write_text(json.dumps(recipe_of(rules, 3, 39)))
    with pytest.raises(ValueError, match="holds 39 decks, but a match wants 40"):
        run_tournament(path, [f"output_dir={tmp_path / 'runs'}"], console=quiet)
    assert not (tmp_path / "runs").exists()


TOURNAMENTS = sorted(name for name in shipped_configs() if name.startswith("tournament/"))


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_every_shipped_tournament_is_good(name: str) -> None:
    assert isinstance(load_tournament(name), TournamentConfig)


def test_the_table_of_keys_in_the_docs_is_fresh() -> None:
    page = (ROOT / "docs" / "measurement.md").read_text(encoding="utf-8")
    shown = [
        line for line in keys_table(TournamentConfig).splitlines() if "best_response.algorithm." not in line
    ]
    assert "\n".join(shown) in page


# ------------------------------------------------------------------------------------------------ playing


def test_blocks_cover_what_is_missing_and_nothing_else() -> None:
    missing = np.array([0, 1, 2, 3, 7, 8, 20])
    found = list(blocks_of(missing, 5, 3))
    assert [(b.match, b.start, b.pairs) for b in found] == [(5, 0, 3), (5, 3, 1), (5, 7, 2), (5, 20, 1)]


def test_matches_are_those_of_play_pairs_with_any_number_of_processes() -> None:
    rules = get_rules("two_pack")
    decks = decks_from_seed(11, 70, rules)
    pairings = [Pairing("greedy", "random", 70), Pairing("random", "greedy", 9)]
    agent = agents.registry.make_agent
    whole = play_pairs(agent("greedy"), agent("random"), decks)
    for workers in (1, 2):
        journal = play_matches(pairings, decks, rules, workers=workers)
        assert np.array_equal(journal.scores[0].scores, whole.scores)
        assert np.array_equal(journal.scores[1].scores, whole.scores[:9, ::-1, ::-1])
        costs = journal.scores[0].costs
        assert all(
            0 < cost.counted < cost.decisions for cost in costs
        )  # a process's first block is not timed
        assert sum(cost.decisions for cost in costs) > 70 * 2 * 40


def test_a_stopped_match_goes_on_after_the_last_whole_block(tmp_path: Path) -> None:
    rules = get_rules("two_pack")
    decks = decks_from_seed(12, 64, rules)
    pairings = [Pairing("greedy", "random", 64)]
    whole = play_matches(pairings, decks, rules).scores[0].scores
    path = tmp_path / "scores.jsonl"
    asked = iter([False] * 5 + [True] * 99)
    journal = play_matches(pairings, decks, rules, journal=Journal(path, pairings), stop=lambda: next(asked))
    assert int(journal.scores[0].known.sum()) == 5 * 4
    with path.open("a") as file:
        file.write('{"match": 0, "start": 20, "scor')  # a kill in the middle of a line
    told: list[int] = []
    again = play_matches(
        pairings, decks, rules, journal=Journal(path, pairings), progress=lambda _, done: told.append(done)
    )
    assert told[0] == 20 and told[-1] == 64
    assert np.array_equal(again.scores[0].scores, whole)
    assert np.array_equal(Journal(path, pairings).scores[0].scores, whole)


def test_a_sequential_test_ends_a_match_and_its_end_does_not_depend_on_the_blocks() -> None:
    rules = get_rules("two_pack")
    decks = decks_from_seed(13, 400, rules)
    test = SequentialTest(0.0, 20.0, min_pairs=10, every=5)
    pairings = [Pairing("greedy", "random", 400)]
    journal = play_matches(pairings, decks, rules, test=test)
    score = journal.scores[0]
    verdict = score.verdict(test)
    assert verdict is not None and verdict.accepted == "high"
    assert score.known.sum() < 400 and score.missing(test).size == 0
    result = result_of(pairings[0], score, decks, test)
    assert len(result.points) == verdict.pairs == score.played(test)
    late = Score(400)  # a block after the end came first, as with several processes
    late.add(25, Played(score.scores[25:50], score.lost[25:50], score.costs))
    assert late.verdict(test).pairs == 0 and late.missing(test).size == 375
    late.add(0, Played(score.scores[:25], score.lost[:25], score.costs))
    assert late.verdict(test) == verdict


# ------------------------------------------------------------------------------------------- run directories


def test_a_run_directory_tells_everything(played: Path) -> None:
    for name in ("config.yaml", "decks.json", "versions.json", "scores.jsonl", "deals.csv", "result.json"):
        assert (played / name).stat().st_size > 0, name
    result = read_json(played / "result.json")
    assert [row["agent"] for row in result["agents"]] == ["random", "greedy", "peeps", "third(side=left)"]
    assert [(m["first"], m["opponent"], m["deal_pairs"]) for m in result["matches"]] == [
        ("random", "greedy", 40),
        ("random", "peeps", 40),
        ("random", "third(side=left)", 12),
        ("greedy", "peeps", 40),
        ("greedy", "third(side=left)", 12),
        ("peeps", "third(side=left)", 12),
    ]
    agents_told = {row["agent"]: row for row in result["agents"]}
    assert agents_told["peeps"]["cheats"] and agents_told["peeps"]["rating"] is None
    assert agents_told["greedy"]["rating"]["mean"] == 1000 and agents_told["greedy"]["points"]["mean"] == 0
    assert agents_told["random"]["points"]["high"] < -100
    assert agents_told["peeps"]["endgame_regret"] is None
    lost = {name: agents_told[name]["endgame_regret"] for name in ("random", "greedy")}
    assert all(found["n"] == 8 for found in lost.values())
    assert 0 < lost["greedy"]["mean"] < lost["random"]["mean"] < 100
    assert read_json(played / "timing.json")["agents"]["greedy"]["seconds_per_deal"] > 0
    page = (played / "report.html").read_text()
    assert "data:image/png" in page and "peeps (sees all cards)" in page and "anchor: greedy" in page


def test_the_table_of_deals_adds_up_to_the_results(played: Path) -> None:
    with (played / "deals.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * (3 * 40 + 3 * 12)
    decks = decks_from_seed(3, 40)
    for match in read_json(played / "result.json")["matches"]:
        own = [r for r in rows if (r["first"], r["second"]) == (match["first"], match["opponent"])]
        differences = [int(r["first_points"]) - int(r["second_points"]) for r in own]
        assert differences == [int(r["difference"]) for r in own]
        assert np.mean(differences) == pytest.approx(match["points_per_deal"]["mean"])
        assert [r["deck"] for r in own[::2]] == decks.ids[: len(own) // 2]
        assert {(r["game"], r["first_seat"]) for r in own} == {("0", "0"), ("1", "1")}


def test_an_interrupted_tournament_goes_on_to_the_same_bytes(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "again"
    shutil.copytree(played, path)
    lines = (path / "scores.jsonl").read_text().splitlines(keepends=True)
    (path / "scores.jsonl").write_text("".join(lines[:7]))
    (path / "result.json").unlink()
    import experiments.tournament as module

    whole = module.play_matches
    monkeypatch.setattr(module, "play_matches", lambda *a, **k: whole(*a, **{**k, "stop": lambda: True}))
    with pytest.raises(Interrupted, match="again"):
        resume_tournament(path, console=quiet)
    done = runner.invoke(app, ["tournament", "--resume", str(path)])
    assert done.exit_code == 130 and f"bezique tournament --resume {path}" in done.output
    monkeypatch.setattr(module, "play_matches", whole)
    assert "is not finished" in runner.invoke(app, ["report", str(path)]).output
    resume_tournament(path, console=quiet)
    for name in ("result.json", "deals.csv"):
        assert (path / name).read_bytes() == (played / name).read_bytes()


def test_a_tournament_of_other_rules_or_agents_is_not_mixed(played: Path, tmp_path: Path) -> None:
    path = tmp_path / "old"
    shutil.copytree(played, path)
    made = read_json(path / "versions.json")
    (path / "versions.json").write_text(json.dumps({**made, "engine_sources": "older"}))
    with pytest.raises(ConfigError, match="engine_sources 'older'"):
        resume_tournament(path, console=quiet)
    with pytest.raises(ConfigError, match="no tournament"):
        resume_tournament(tmp_path, console=quiet)


# --------------------------------------------------------------------------------------------- leaderboards


def test_the_leaderboard_has_a_line_for_each_agent_and_only_once(played: Path, tmp_path: Path) -> None:
    board = read_json(played / "versions.json")
    path = Path(str(played)).parents[1] / "board" / "two_pack.jsonl"
    rows = read_leaderboard(path)
    assert [row["agent"] for row in rows] == ["random", "greedy", "peeps", "third(side=left)"]
    for row in rows:
        assert row["rules_hash"] == get_rules("two_pack").hash
        assert row["engine_sources"] == board["engine_sources"]
        assert row["command"].startswith("bezique tournament ") and "anchor=greedy" in row["command"]
        assert len(row["against"]) == 3
    forth, back = rows[1]["against"]["random"], rows[0]["against"]["greedy"]
    assert forth["points_per_deal"]["low"] == -back["points_per_deal"]["high"]
    assert forth["win_rate"]["mean"] == pytest.approx(1 - back["win_rate"]["mean"])
    before = path.read_text()
    assert append_results(played, path.parent) == path and path.read_text() == before
    assert append_results(played, tmp_path / "new", "now").read_text() != before
    assert rows_of(played, "now")[0]["finished"] == "now"


def test_the_last_run_of_each_tournament_is_rendered(played: Path, tmp_path: Path) -> None:
    rows = rows_of(played, "2026-11-30T20:00:00Z")
    path = tmp_path / "two_pack.jsonl"
    older = [{**row, "run": "older"} for row in rows]
    other = [{**row, "tournament": "second"} for row in rows]
    path.write_text("".join(json.dumps(row) + "\n" for row in [*older, *other, *rows]))
    found = latest(read_leaderboard(path))
    assert list(found) == ["small", "second"]
    assert [row["run"] for row in found["small"]] == [rows[0]["run"]] * 4
    text = markdown([path])
    assert text.count("## small") == text.count("## second") == 1
    ladder = text.split("### Ladder")[1].split("###")[0].strip().splitlines()[2:]
    assert [line.split("`")[1] for line in ladder][-2:] == ["greedy", "peeps"]
    assert "over `greedy`" in ladder[-1]
    done = runner.invoke(app, ["report", str(path), "--out", str(tmp_path / "l.md")])
    assert done.exit_code == 0 and text in (tmp_path / "l.md").read_text()
    done = runner.invoke(app, ["report", str(path), "--out", str(tmp_path / "l.html")])
    assert done.exit_code == 0 and (tmp_path / "l.html").read_text().count("data:image/png") == 4
    path.write_text('{"format": "other"}\n')
    done = runner.invoke(app, ["report", str(path)])
    assert done.exit_code == 2 and f"{path}:1: format: found 'other'" in done.output
    done = runner.invoke(app, ["report", str(path), str(played)])
    assert done.exit_code == 2 and "reports of their own" in done.output


def test_what_was_trained_against_the_other_is_marked_wherever_they_met(played: Path, tmp_path: Path) -> None:
    rows = rows_of(played, "now")
    assert all(row["trained_against"] == [] for row in rows)
    path = tmp_path / "two_pack.jsonl"
    for against in ([], ["greedy"]):
        marked = [{**row, "trained_against": against if row["agent"] == "peeps" else []} for row in rows]
        path.write_text("".join(json.dumps(row) + "\n" for row in marked))
        found = [line for line in markdown([path]).splitlines() if "†" in line]
        if not against:
            assert not found
    assert any("†: one trained against the other" in line for line in found)
    cells = [line for line in found if line.startswith("| ")]
    assert all("`peeps`" in line or line.startswith("| `greedy`") for line in cells) and len(cells) == 4


def test_an_estimate_is_turned_around_with_its_interval() -> None:
    given = {"mean": 3.0, "low": 1.0, "high": 9.0, "confidence": 0.9, "n": 7}
    assert turned(given, 0.0) == {"mean": -3.0, "low": -9.0, "high": -1.0, "confidence": 0.9, "n": 7}
    assert turned({**given, "mean": 0.75}, 1.0)["mean"] == 0.25


def test_times_have_the_unit_that_suits_them() -> None:
    assert [duration(t) for t in (None, 1.53, 0.0123, 4.6e-5)] == ["", "1.5 s", "12 ms", "46 µs"]


# -------------------------------------------------------------------------------------------- best responses


def test_a_best_response_that_is_to_imitate_needs_a_learner_that_can(write) -> None:
    path = write(GOOD)
    given = "best_response={agents: [greedy], warm_start_steps: 64, algorithm: {type: %s, total_steps: 128}}"
    assert load_tournament(path, [given % "ppo"]).best_response is not None
    with pytest.raises(ConfigError, match=r"best_response\.warm_start_steps: dmc imitates nobody"):
        load_tournament(path, [given % "dmc"])


def test_a_best_response_is_trained_measured_and_called_a_lower_bound(write, tmp_path: Path) -> None:
    training = (
        "best_response={agents: [greedy], warm_start_steps: 64, deal_pairs: 10, algorithm: {total_steps: 128,"
        " num_envs: 8, n_steps: 8, batch_size: 32, n_epochs: 1, net_arch: [8]}}"
    )
    path = run_tournament(write(GOOD), [training, f"output_dir={tmp_path}", "deal_pairs=12"], console=quiet)
    found = read_json(path / "result.json")["agents"][1]["best_response"]
    assert found["steps"] == 128 and found["deal_pairs"] == found["lower_bound"]["n"] == 10
    assert found["lower_bound"]["low"] <= found["lower_bound"]["mean"] <= found["lower_bound"]["high"]
    trained = load_yaml_of(path / "best_response" / "0" / "config.yaml")
    assert trained["opponents"] == {"greedy": 1.0} and trained["algorithm"]["imitate"] == "greedy"
    page = (path / "report.html").read_text()
    assert "lower bound" in page and "exploitab" not in page


def load_yaml_of(path: Path) -> Any:
    import yaml

    return yaml.safe_load(path.read_text())


# ---------------------------------------------------------------------------------------------- the command


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tournament"], "name at least two agents"),
        (["tournament", "greedy", "greedy", "--seed", "1"], "named twice"),
        (["tournament", "tournament/two_pack_lader"], "did you mean 'tournament/two_pack_ladder'?"),
        (["tournament", "tournament/two_pack_ladder", "--seed", "1"], "--seed go with agents"),
        (["tournament", "tournament/two_pack_ladder", "deal_pair=3"], "did you mean 'deal_pairs'?"),
        (["tournament", "--resume", "nowhere"], "no tournament"),
        (["tournament", "random", "--resume", "x"], "leave out random"),
        (["decks", "two_pak", "x.json", "--seed", "1", "--count", "2"], "did you mean 'two_pack'?"),
        (["decks", "two_pack", "x.json", "--seed", "-1", "--count", "2"], "at least 0"),
    ],
)
def test_mistakes_get_one_clear_message_and_code_2(arguments: list[str], words: str) -> None:
    done = runner.invoke(app, arguments)
    assert done.exit_code == 2, done.output
    assert words in done.output
    assert "Traceback" not in done.output


def test_decks_are_written_as_a_recipe(tmp_path: Path) -> None:
    path = tmp_path / "decks.json"
    done = runner.invoke(app, ["decks", "belote", str(path), "--seed", "4", "--count", "30"])
    assert done.exit_code == 0, done.output
    assert json.loads(path.read_text()) == recipe_of(get_rules("belote"), 4, 30)
