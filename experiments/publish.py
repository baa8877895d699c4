"""Small files that stay: what runs came to, and the policy that ships.

``python -m experiments.publish results SWEEP_DIR`` writes ``results/NAME.json``: config, command, versions, and for
each seed its matches and its curve of strength. ``docs/generate.py`` makes docs/results.md from them.
``python -m experiments.publish policy RUN_DIR`` writes ``agents/learned/shipped/VARIANT.pt``: the network and what says
where it may be played, without what only goes on with a training; it is then ``policy:VARIANT``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from agents.learned.policy import SHIPPED
from experiments.checkpoint import file_hash, read_checkpoint, write_checkpoint
from experiments.config import ConfigError
from experiments.evaluation import marked
from experiments.files import read_json, write_json
from experiments.leaderboard import markdown_table
from experiments.seeds import STRENGTH, FinishedRun, read_finished, settings
from experiments.statistics import SEEDS_FOR_A_CLAIM, estimate_iqm
from experiments.sweep import SWEEP_FILE, is_sweep, runs_in

RESULTS_FORMAT = "bezique-results/1"
POLICY_KEYS = (
    "format",
    "engine_version",
    "variant",
    "rules",
    "rules_hash",
    "layout_hash",
    "episode",
    "endgame",
    "network",
    "policy",
    "steps",
    "trained_against",
)
"""What of a checkpoint a policy needs to be played."""
SHIPPED_BYTES = 5_000_000
"""A policy that ships is smaller."""

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, help=__doc__)


# ------------------------------------------------------------------------------------------------ results


def _curve(run: FinishedRun) -> list[dict[str, Any]]:
    """Return where a run stood at each checkpoint: decisions, seconds of training, points a deal by opponent."""
    curve = []
    for row in run.metrics:
        points = {key.removeprefix(STRENGTH): round(row[key], 2) for key in row if key.startswith(STRENGTH)}
        if points:
            step = row["step"]
            curve.append({"step": step, "seconds": round(run.seconds[step]), "points": points})
    return curve


def results_of(folder: Path) -> dict[str, Any]:
    """Return what finished runs of one setting came to.

    Args:
        folder: a sweep over seeds, or the directory of one run.

    Raises:
        ConfigError: a run is not finished, or the sweep has several settings.
    """
    runs = [read_finished(path) for path in runs_in(folder)]
    if len(settings(runs)) > 1:
        raise ConfigError(
            f"{folder}: has several settings ({', '.join(settings(runs))}); publish one at a time"
        )
    config = {key: value for key, value in runs[0].config.items() if key not in ("seed", "output_dir")}
    given = read_json(folder / SWEEP_FILE) if is_sweep(folder) else {}
    name = given.get("config", f"{runs[0].config['variant']}/...")
    seeds = [run.result["seed"] for run in runs]
    command = " ".join(
        ["bezique run", name, *given.get("overrides", []), f"--seeds {','.join(map(str, seeds))},"]
    )
    return {
        "format": RESULTS_FORMAT,
        "name": runs[0].result["name"],
        "variant": runs[0].result["variant"],
        "command": command,
        "rules_hash": runs[0].result["rules_hash"],
        "engine_version": runs[0].result["engine_version"],
        "layout_hash": runs[0].result["layout_hash"],
        "versions": read_json(runs[0].path / "versions.json"),
        "trained_against": runs[0].trained_against,
        "decks": runs[0].result["decks"],
        "config": config,
        "runs": [
            {
                "seed": run.result["seed"],
                "steps": run.result["steps"],
                "policy_hash": run.result["policy_hash"],
                "matches": run.result["matches"],
                "curve": _curve(run),
            }
            for run in runs
        ],
    }


def _over_seeds(values: Sequence[float]) -> str:
    if len(values) == 1:
        return f"{values[0]:+.1f}"
    return estimate_iqm(np.array(values)).text()


def results_markdown(content: dict[str, Any]) -> str:
    """Return a section of docs/results.md from what :func:`results_of` returned."""
    runs, against = content["runs"], content["trained_against"]
    enough = "" if len(runs) >= SEEDS_FOR_A_CLAIM else f" (fewer than {SEEDS_FOR_A_CLAIM}: no claim)"
    opponents = [match["opponent"] for match in runs[0]["matches"]]
    found = {o: [next(m for m in run["matches"] if m["opponent"] == o) for run in runs] for o in opponents}
    rows = [
        [
            marked(opponent, against),
            _over_seeds([match["points_per_deal"]["mean"] for match in matches]),
            ", ".join(f"{match['points_per_deal']['mean']:+.1f}" for match in matches),
            f"{np.mean([match['win_rate']['mean'] for match in matches]):.3f}",
            str(matches[0]["deal_pairs"]),
        ]
        for opponent, matches in found.items()
    ]
    parts = [
        f"## {content['name']}",
        f"```bash\n{content['command']}\n```",
        f"`{content['variant']}`, rules {content['rules_hash']}, engine {content['engine_version']}, version "
        f"{content['versions']['bezique_env']}; {len(runs)} training seed{'s' * (len(runs) > 1)}{enough}; decks: "
        f"{content['decks']['source']} ({content['decks']['hash'][:16]}); in training it met: "
        f"{', '.join(against) or 'itself alone'}.",
        markdown_table(
            (["opponent", "points a deal, IQM over seeds [95%]", "by seed", "win rate", "deal pairs"], rows)
        ),
    ]
    steps = [point["step"] for point in runs[0]["curve"]]
    if steps:
        chosen = sorted({round(place) for place in np.linspace(0, len(steps) - 1, 8)})
        shown = list(runs[0]["curve"][0]["points"])
        lines = []
        for place in chosen:
            points = [run["curve"][place] for run in runs if place < len(run["curve"])]
            lines.append(
                [
                    f"{np.mean([point['step'] for point in points]) / 1e6:.1f}",
                    f"{np.mean([point['seconds'] for point in points]) / 60:.0f}",
                    *(_over_seeds([point["points"][name] for point in points]) for name in shown),
                ]
            )
        pairs = content["config"]["evaluation"]["curve_pairs"]
        parts.append(f"On the way, points a deal on the first {pairs} decks, IQM over seeds:")
        parts.append(
            markdown_table(
                (["million decisions", "minutes of training", *(marked(n, against) for n in shown)], lines)
            )
        )
    return "\n\n".join(parts)


@app.command()
def results(
    folder: Annotated[Path, typer.Argument(help="a finished sweep over seeds, or one finished run")],
    out: Annotated[Path, typer.Option(help="folder that gets NAME.json")] = Path("results"),
) -> None:
    """Write what a sweep over seeds came to as one small file."""
    content = results_of(folder)
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"{content['name']}.json"
    write_json(path, content)
    typer.echo(f"{path}; now: python docs/generate.py")


# ----------------------------------------------------------------------------------------- the policy that ships


def ship(run_dir: Path, folder: Path = SHIPPED) -> Path:
    """Write the policy of a finished run where ``policy:<variant>`` looks for it.

    Raises:
        ConfigError: the run is not finished, its last checkpoint is not the one that was measured, or the file
            would be too large.
    """
    run = read_finished(run_dir)
    content = read_checkpoint(run_dir / run.result["checkpoint"])
    slim = {key: content[key] for key in POLICY_KEYS if key in content}
    path = folder / f"{content['variant']}.pt"
    write_checkpoint(path, slim)
    if path.stat().st_size > SHIPPED_BYTES:
        size = path.stat().st_size
        path.unlink()
        raise ConfigError(
            f"{run_dir}: the policy has {size:,} bytes; one that ships has at most {SHIPPED_BYTES:,}"
        )
    return path


@app.command()
def policy(run_dir: Annotated[Path, typer.Argument(help="a finished run")]) -> None:
    """Ship the policy of a run as policy:<variant>."""
    path = ship(run_dir)
    typer.echo(f"{path} ({path.stat().st_size:,} bytes, {file_hash(path)[:16]})")


def main() -> None:
    """Run the command line; say what is wrong in one line."""
    try:
        app()
    except ConfigError as error:
        typer.echo(f"publish: {error}", err=True)
        raise SystemExit(2) from None


if __name__ == "__main__":
    main()
