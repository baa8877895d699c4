"""The smoke configs run from beginning to end and leave a policy that plays better than random."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rich.console import Console

from bezique_env.game import Game
from bezique_env.record import read_records
from bezique_env.rules import variants
from experiments.run import run_experiment


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("variant", variants())
def test_a_smoke_run_learns_to_beat_random(tmp_path: Path, variant: str) -> None:
    run_dir = run_experiment(f"smoke/{variant}_ppo", [f"output_dir={tmp_path}"], Console(quiet=True))
    result = json.loads((run_dir / "result.json").read_text())
    assert result["variant"] == variant
    against = {match["opponent"]: match for match in result["matches"]}
    assert against["random"]["points_per_deal"]["low"] > 0
    assert against["random"]["win_rate"]["low"] > 0.5
    assert (run_dir / "report.html").is_file()
    for record in list(read_records(run_dir / "games.jsonl"))[:4]:
        assert Game.replay(record).is_over
