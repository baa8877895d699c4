"""Tuning: configs that are refused, and a short run that writes weights that the player reads."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from agents.scripted.expert.weights import read_weights, weight_names
from agents.scripted.policies import expert_weights, weight_groups
from experiments.cli import app
from experiments.config import ConfigError, keys_table, shipped_configs
from experiments.tune import TuneConfig, load_tune_config, tune

pytest.importorskip("cmaes")

SMALL = """
variant: two_pack
output: {output}
tune: [tempo, trick.brisque]
factors: [danger]
scales: {{tempo: 3.0}}
population: 4
generations: 2
deal_pairs: 6
opponents: {{greedy: 1, start: 1, earlier: 1}}
keep_every: 1
confirm_pairs: 4
"""


def test_a_short_run_changes_what_it_may_and_repeats_itself(tmp_path: Path) -> None:
    config = tmp_path / "small.yaml"
    out = tmp_path / "out" / "weights.yaml"
    config.write_text(SMALL.format(output=out), encoding="utf-8")
    shown = CliRunner().invoke(app, ["tune", str(config)])
    assert shown.exit_code == 0, shown.output
    assert "greedy" in shown.output and "start" in shown.output
    groups = weight_groups("two_pack")
    names = weight_names(groups)
    start, found = expert_weights("two_pack").values, read_weights(out, groups)
    changed = {names[k].split(".")[0] for k in np.flatnonzero(~np.isclose(start, found, rtol=1e-3))}
    assert changed == {"tempo", "trick", "danger"}
    told = json.loads(out.with_suffix(".json").read_text(encoding="utf-8"))
    assert len(told["history"]) == 2 and set(told["confirmed"]) == {"greedy", "start"}
    early, late = (names.index(f"danger.{name}") for name in ("early", "late"))
    assert found[early] / start[early] == pytest.approx(found[late] / start[late], rel=2e-3)
    again = tune(load_tune_config(config, [f"output={tmp_path / 'again.yaml'}"]))
    assert read_weights(tmp_path / "again.yaml", groups).tolist() == found.tolist()
    assert again.history == told["history"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("tune=[temp]", ["tune.0", "no weight is called 'temp'", "did you mean 'tempo'?"]),
        ("factors=[trick.brisk]", ["factors.0", "trick.brisk", "did you mean 'trick.brisque'?"]),
        ("scales.tempo=0", ["scales.tempo", "greater than 0"]),
        ("scales.tmpo=1", ["scales.tmpo", "no weight is called 'tmpo'"]),
        ("opponents.nobody=1", ["opponents.nobody", "no file of weights"]),
        ("start=nowhere.yaml", ["start", "no file of weights"]),
        ("variant=two_packs", ["variant", "did you mean 'two_pack'?"]),
        ("population=2", ["population", "greater than 3"]),
    ],
)
def test_a_config_that_is_wrong_is_refused_with_its_place(
    change: str, words: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(SMALL.format(output=tmp_path / "w.yaml"), encoding="utf-8")
    with pytest.raises(ConfigError) as refused:
        load_tune_config(path, [change])
    for word in words:
        assert word in str(refused.value)


def test_every_shipped_config_is_good_and_every_key_is_explained() -> None:
    found = [name for name in shipped_configs() if re.fullmatch("tune/.*_expert", name)]
    assert len(found) >= 6
    for name in found:
        load_tune_config(name)
    page = Path(__file__).parents[2] / "docs" / "expert.md"
    assert keys_table(TuneConfig) in page.read_text(encoding="utf-8")
