"""Several runs side by side: which settings they have, and what each setting is worth over its training seeds."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from numpy.typing import NDArray

from experiments.config import ConfigError
from experiments.evaluation import marked
from experiments.files import read_json, read_rows
from experiments.statistics import SEEDS_FOR_A_CLAIM, common_grid, estimate, estimate_iqm, iqm_curve

SEED_HEADERS = (
    "setting",
    "opponent",
    "IQM of points a deal",
    "mean of points a deal",
    "seeds",
    "for a claim",
)
STRENGTH = "strength/"
"""Begins the names of the figures of ``metrics.jsonl`` that tell points a deal against an opponent."""
Curve = tuple[NDArray[np.float64], NDArray[np.float64]]


@dataclass(frozen=True)
class FinishedRun:
    """A finished run, as reports read it.

    Attributes:
        path: its directory.
        result: its ``result.json``.
        config: its ``config.yaml``.
    """

    path: Path
    result: dict[str, Any]
    config: dict[str, Any]

    @property
    def trained_against(self) -> list[str]:
        """The agents that it learned from playing or imitating."""
        found: list[str] = self.result.get("trained_against", [])  # runs before version 0.7 do not say it
        return found

    @functools.cached_property
    def metrics(self) -> list[dict[str, Any]]:
        """The rows of ``metrics.jsonl``."""
        return read_rows(self.path / "metrics.jsonl")

    @functools.cached_property
    def seconds(self) -> dict[int, float]:
        """The seconds of training until each step, by ``timing.jsonl``."""
        found, total = {}, 0.0
        for row in read_rows(self.path / "timing.jsonl"):
            spent = [value for name, value in row.items() if name.endswith("_seconds")]
            if spent:
                total += sum(spent)
                found[row["step"]] = total
        return found

    @property
    def measured(self) -> list[str]:
        """The figures of ``metrics.jsonl`` that tell how strong its checkpoints were."""
        return list(dict.fromkeys(key for row in self.metrics for key in row if key.startswith(STRENGTH)))

    def curve(self, key: str, clock: bool) -> Curve | None:
        """Return a figure of ``metrics.jsonl`` over its steps, or over the seconds of ``timing.jsonl``.

        Returns:
            The places and the values, float [n] each; None where the run has no such figure.
        """
        rows = {row["step"]: row[key] for row in self.metrics if key in row}
        places = self.seconds if clock else {step: step for step in rows}
        found = [(places[step], rows[step]) for step in rows if step in places and np.isfinite(rows[step])]
        if not found:
            return None
        x, y = np.array(found, np.float64).T
        return x, y if key.startswith(STRENGTH) else smooth(y)


def smooth(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return running means, float [n], each over the last fiftieth of a curve."""
    width = max(1, len(values) // 50)
    padded = np.concatenate([np.full(width - 1, values[0]), values])
    result: NDArray[np.float64] = np.convolve(padded, np.ones(width) / width, "valid")
    return result


def read_finished(path: Path) -> FinishedRun:
    """Read a finished run.

    Raises:
        ConfigError: it is no finished run; the message says how to go on.
    """
    if not (path / "result.json").is_file():
        raise ConfigError(
            f"{path}: no finished run: it has no result.json (go on: bezique run --resume {path})"
        )
    config = yaml.safe_load((path / "config.yaml").read_text(encoding="utf-8"))
    return FinishedRun(path, read_json(path / "result.json"), config)


def settings(runs: Sequence[FinishedRun]) -> dict[str, list[FinishedRun]]:
    """Return the runs of each setting, in order: those whose configs differ in nothing but the seed.

    A setting is called by the name of its experiment, or where settings share one by the keys in which they differ.
    Of two runs with one setting and one seed the last one counts, since they are no two independent runs.
    """
    flat = [_flat(run.config) for run in runs]
    names = [str(run.config["name"]) for run in runs]
    found: dict[str, dict[int, FinishedRun]] = {}
    for run, name, own in zip(runs, names, flat, strict=True):
        namesakes = [other for other, its in zip(flat, names, strict=True) if its == name]
        keys = [key for key in own if any(other.get(key) != own[key] for other in namesakes)]
        parts = [f"{key}={own[key]}" for key in keys]
        if not parts or len(set(names)) > 1:
            parts.insert(0, name)
        found.setdefault(", ".join(parts), {})[run.result["seed"]] = run
    return {label: list(group.values()) for label, group in found.items()}


def _flat(config: dict[str, Any]) -> dict[str, str]:
    """Return what makes a setting: dotted keys and their values as texts."""
    found = {}
    for key, value in config.items():
        if key in ("name", "seed", "output_dir"):
            continue
        inner = value if isinstance(value, dict) and key != "opponents" else None
        if inner is None:
            found[key] = json.dumps(value)
        else:
            found |= {f"{key}.{name}": json.dumps(part) for name, part in inner.items()}
    return found


def seed_rows(groups: dict[str, list[FinishedRun]]) -> list[list[str]]:
    """Return the table of :data:`SEED_HEADERS`: a row for each setting and opponent."""
    rows = []
    for label, runs in groups.items():
        points: dict[str, list[float]] = {}
        for run in runs:
            for match in run.result["matches"]:
                points.setdefault(match["opponent"], []).append(match["points_per_deal"]["mean"])
        confidence = runs[0].result["matches"][0]["points_per_deal"]["confidence"]
        for opponent, values in points.items():
            n = len(values)
            told = [f"{values[0]:+.1f} (one seed)"] * 2
            if n > 1:
                scores = np.array(values)
                told = [estimate_iqm(scores, confidence).text(), estimate(scores, confidence).text()]
            enough = "enough" if n >= SEEDS_FOR_A_CLAIM else f"no: fewer than {SEEDS_FOR_A_CLAIM}"
            against = {name for run in runs for name in run.trained_against}
            rows.append([label, marked(opponent, sorted(against)), *told, str(n), enough])
    return rows


def setting_curve(
    runs: Sequence[FinishedRun], key: str, clock: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """Return a figure of training over the runs of a setting.

    Args:
        runs: of one setting.
        key: of ``metrics.jsonl``.
        clock: over seconds of training instead of steps.

    Returns:
        The places, float [n], and interquartile mean, lower and upper end there, float [3, n]; None where no run
        has the figure, or the runs have no places in common.
    """
    curves = [curve for run in runs if (curve := run.curve(key, clock)) is not None]
    if not curves:
        return None
    places, values = common_grid(curves)
    return (places, iqm_curve(values)) if len(places) else None
