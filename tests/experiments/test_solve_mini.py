"""``bezique solve-mini``."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from agents.exact.cfr import exploitability
from agents.exact.files import load_strategies, save_strategies
from agents.exact.tree import build_tree
from bezique_env.rules import get_rules
from experiments.cli import app
from experiments.solve_mini import small_games, small_rules

RUN = CliRunner()


def run(*arguments: str, code: int = 0) -> str:
    done = RUN.invoke(app, ["solve-mini", *arguments])
    assert done.exit_code == code, done.output
    return done.output


def test_the_tables(tmp_path: Path) -> None:
    file = tmp_path / "qj3.npz"
    text = run("mini_bezique/qj3", "--out", str(file))
    assert "598 decision nodes, 242 information sets (76 + 166), 930 leaves" in text
    assert "scores differ by -90 to +90, a range of 180" in text
    assert "played perfectly" in text
    lines = [line for line in text.splitlines() if line.startswith("iteration")]
    shares = [float(line.split("points =")[1].split("%")[0]) for line in lines]
    assert all(later < earlier for earlier, later in itertools.pairwise(shares))
    assert shares[-1] <= 0.1 < shares[-2]
    for agent in ("uniform play", "random", "greedy", "average of cfr+"):
        assert agent in text
    tree, rules = build_tree(get_rules("mini_bezique", "qj3")), get_rules("mini_bezique", "qj3")
    pair = load_strategies(file, rules, tree)
    assert 100 * exploitability(tree, pair).points / tree.score_range == pytest.approx(shares[-1], abs=1e-5)


def test_the_figures_as_json() -> None:
    result = json.loads(
        RUN.invoke(
            app,
            ["solve-mini", "mini_belote", "--iterations", "30", "--method", "dcfr", "--no-fold", "--json"],
        ).stdout
    )
    assert (result["variant"], result["preset"], result["method"]) == ("mini_belote", "jqk2", "dcfr")
    assert result["endings_folded"] is False and sum(result["information_sets"]) == 15_384
    assert result["history"][-1]["iteration"] == 30
    low, high = result["value_bounds"]
    assert low <= result["value"] <= high
    by_name = {row["agent"]: row for row in result["agents"]}
    assert by_name["random"]["exploitability"] == by_name["uniform play"]["exploitability"]
    assert by_name["random"]["percent_of_uniform"] == 100
    assert by_name["average of dcfr"]["exploitability"] < 0.01 * by_name["random"]["exploitability"]
    assert by_name["greedy"]["best_response_values"][0] > result["value"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["mini_bezque"], "there is no small game 'mini_bezque'"),
        (["mini_bezique/qj9"], "did you mean 'mini_bezique/qj"),
        (["two_pack"], "'two_pack' has too many cards for an exact tree"),
        (["mini_bezique", "--method", "cfr++"], "--method 'cfr++' is not allowed: one of cfr+, dcfr, cfr"),
        (["mini_bezique", "--target", "0"], "--target 0.0 must be above 0"),
        (["mini_bezique", "--iterations", "0"], "--iterations 0 must be at least 1"),
        (["mini_bezique", "--agents", "gready"], "did you mean 'greedy'"),
        (["mini_bezique", "--out", "a.txt"], "must end in .npz"),
    ],
)
def test_mistakes_are_named(arguments: list[str], words: str) -> None:
    assert words in run(*arguments, code=2)


def test_the_names_of_the_small_games() -> None:
    games = small_games()
    assert [g for g in games if g.startswith("mini_bezique")] == [
        f"mini_bezique/{preset}" for preset in ("qj3", "qj2", "kqj4")
    ]
    assert sum(game.startswith("mini_belote") for game in games) >= 3
    assert small_rules("mini_bezique") == get_rules("mini_bezique")
    assert small_rules("mini_bezique/kqj4").preset == "kqj4"


def test_strategies_of_another_game_are_refused(tmp_path: Path) -> None:
    rules, other = get_rules("mini_bezique", "qj3"), get_rules("mini_bezique", "qj2")
    tree, other_tree = build_tree(rules), build_tree(other)
    pair = tuple(np.append(1.0, np.repeat(1 / np.diff(s.first), np.diff(s.first))) for s in tree.sides)
    file = tmp_path / "a.npz"
    save_strategies(file, rules, tree, (pair[0], pair[1]))
    assert all(np.array_equal(a, b) for a, b in zip(load_strategies(file, rules, tree), pair, strict=True))
    with pytest.raises(ValueError, match="was written with rules_hash"):
        load_strategies(file, other, other_tree)
    with pytest.raises(ValueError, match="was written with folded True, here it is False"):
        load_strategies(file, rules, build_tree(rules, fold_endings=False))
    with pytest.raises(ValueError, match=r"must end in \.npz"):
        save_strategies(tmp_path / "a.txt", rules, tree, (pair[0], pair[1]))
    wrong = tmp_path / "b.npz"
    np.savez(wrong, a=np.zeros(1))
    with pytest.raises(ValueError, match="is no file of strategies"):
        load_strategies(wrong, rules, tree)
