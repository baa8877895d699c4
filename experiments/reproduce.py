"""Reproducing a run: run it again from what its directory holds, and say where the two differ first."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from rich.console import Console

from experiments.checkpoint import CheckpointError, checkpoints_in, file_hash, read_checkpoint
from experiments.config import ConfigError, load_config
from experiments.files import read_json, read_rows, write_text
from experiments.run import console_of, make_run_dir, run_in, versions
from experiments.strength import evaluation_decks
from experiments.sweep import is_sweep, runs_in

TOLERANCE = 1e-4
ABSOLUTE = 1e-6
"""Figures that are nearer than this are equal whatever the relative difference: many figures should be 0."""
MISSING = "nothing"
HASHES = ("policy_hash",)
"""Texts of result.json that differ as soon as one bit of the policy does."""


@dataclass(frozen=True)
class Difference:
    """One place where two runs differ.

    Attributes:
        file: in the run directory.
        place: the step, row or line, and the key.
        first: what the first run has there.
        second: what the second has.
        within: whether both are equal within the tolerance.
    """

    file: str
    place: str
    first: str
    second: str
    within: bool = False

    def __str__(self) -> str:
        return f"{self.file}: {self.place}: {self.first} in the first run, {self.second} in the second"


@dataclass(frozen=True)
class Comparison:
    """What comparing two runs found.

    Attributes:
        verdict: ``identical``: the same bytes and figures; ``equal``: all differences are within the tolerance.
        differences: of each file the first one that is beyond the tolerance, else the first within it.
        notes: what is no difference, but worth saying.
        second: directory of the second run.
    """

    verdict: Literal["identical", "equal", "different"]
    differences: tuple[Difference, ...]
    notes: tuple[str, ...]
    second: Path


# ---------------------------------------------------------------------------------------------- comparing


def differences_of(
    first: Any, second: Any, tolerance: float, path: str = ""
) -> Iterator[tuple[str, Any, Any, bool]]:
    """Yield where two values differ: the dotted key, both values, and whether they are equal within a tolerance.

    Only floats and tensors of floats have a tolerance; whole numbers and texts are equal or not.

    Args:
        first: of mappings, sequences, tensors, numbers and texts.
        second: the same.
        tolerance: relative; figures within :data:`ABSOLUTE` of each other are equal too.
        path: the key that leads here.
    """
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        for key in dict.fromkeys((*first, *second)):
            inner = f"{path}.{key}" if path else str(key)
            yield from differences_of(first.get(key, MISSING), second.get(key, MISSING), tolerance, inner)
    elif isinstance(first, torch.Tensor) and isinstance(second, torch.Tensor):
        yield from _tensor_difference(first, second, tolerance, path)
    elif isinstance(first, list | tuple) and isinstance(second, list | tuple):
        if len(first) != len(second):
            yield path, f"{len(first)} items", f"{len(second)} items", False
        for i, (one, other) in enumerate(zip(first, second, strict=False)):
            yield from differences_of(one, other, tolerance, f"{path}[{i}]")
    elif isinstance(first, float) and isinstance(second, float):
        if first != second and not (math.isnan(first) and math.isnan(second)):
            yield path, first, second, math.isclose(first, second, rel_tol=tolerance, abs_tol=ABSOLUTE)
    elif isinstance(first, torch.Tensor) or isinstance(second, torch.Tensor) or first != second:
        yield path, first, second, False


def _tensor_difference(
    first: torch.Tensor, second: torch.Tensor, tolerance: float, path: str
) -> Iterator[tuple[str, Any, Any, bool]]:
    if first.shape != second.shape or first.dtype != second.dtype:
        yield path, f"{first.dtype} {list(first.shape)}", f"{second.dtype} {list(second.shape)}", False
        return
    if torch.equal(first, second):
        return
    one, other = first.numpy().ravel(), second.numpy().ravel()
    near = np.zeros(one.shape, np.bool_)
    if first.is_floating_point():
        size = np.maximum(np.abs(one), np.abs(other))
        near = np.abs(one - other) <= np.maximum(tolerance * size, ABSOLUTE)
    same = (one == other) | ((one != one) & (other != other))
    beyond = np.flatnonzero(~(near | same))
    place = beyond if len(beyond) else np.flatnonzero(~same)
    if len(place):
        at = int(place[0])
        index = list(map(int, np.unravel_index(at, tuple(first.shape))))
        yield f"{path}{index}", one[at].item(), other[at].item(), not len(beyond)


def _first(file: str, found: Iterator[Difference]) -> list[Difference]:
    """Return the first difference beyond the tolerance, else the first one, as a list of one or none."""
    kept: list[Difference] = []
    for difference in found:
        if not difference.within:
            return [difference]
        kept = kept or [difference]
    return kept


def _rows(
    file: str, first: Sequence[Any], second: Sequence[Any], tolerance: float, places: Sequence[str]
) -> Iterator[Difference]:
    """Yield the differences of two tables, row by row; both must have as many rows."""
    for place, one, other in zip(places, first, second, strict=False):
        for key, a, b, within in differences_of(one, other, tolerance):
            yield Difference(file, f"{place}, {key}" if key else place, repr(a), repr(b), within)
    if len(first) != len(second):
        yield Difference(file, "rows", str(len(first)), str(len(second)))


def _metrics(first: Path, second: Path, tolerance: float) -> Iterator[Difference]:
    name = "metrics.jsonl"
    one, other = read_rows(first / name), read_rows(second / name)
    return _rows(name, one, other, tolerance, [f"step {row['step']}" for row in one])


def _checkpoint(name: str, first: Path, second: Path, tolerance: float) -> Iterator[Difference]:
    """Yield the differences of two checkpoint files; of files with other bytes their contents are compared."""
    one, other = first / "checkpoints" / name, second / "checkpoints" / name
    file = f"checkpoints/{name}"
    hashes = [file_hash(path) if path.is_file() else MISSING for path in (one, other)]
    if hashes[0] == hashes[1]:
        return
    if MISSING in hashes:
        yield Difference(file, "the file", hashes[0], hashes[1])
        return
    contents = []
    for path in (one, other):
        try:
            contents.append(read_checkpoint(path))
        except CheckpointError as error:
            yield Difference(file, f"SHA-256 ({error})", hashes[0], hashes[1])
            return
    found = False
    for key, a, b, within in differences_of(contents[0], contents[1], tolerance):
        found = True
        yield Difference(file, key, _short(a), _short(b), within)
    if not found:
        yield Difference(file, "SHA-256 (equal contents)", hashes[0], hashes[1], within=True)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _lines(name: str, first: Path, second: Path) -> Iterator[Difference]:
    """Yield the differences of two files of lines, which have no tolerance."""
    one, other = ((path / name).read_text(encoding="utf-8") for path in (first, second))
    if one == other:
        return
    rows: list[list[Any]]
    if name.endswith(".csv"):
        rows = [list(csv.DictReader(text.splitlines())) for text in (one, other)]
    else:
        rows = [[json.loads(line) for line in text.splitlines()] for text in (one, other)]
    found = False
    for difference in _rows(name, rows[0], rows[1], 0.0, [f"row {i + 1}" for i in range(len(rows[0]))]):
        found = True
        yield Difference(name, difference.place, difference.first, difference.second)
    if not found:
        yield Difference(name, "bytes (equal rows)", f"{len(one)} characters", f"{len(other)} characters")


def _result(first: Path, second: Path, tolerance: float) -> Iterator[Difference]:
    name = "result.json"
    one, other = read_json(first / name), read_json(second / name)
    for key, a, b, within in differences_of(one, other, tolerance):
        yield Difference(name, key, repr(a), repr(b), within or key in HASHES)


def compare_runs(first: Path, second: Path, tolerance: float = TOLERANCE) -> Comparison:
    """Compare two finished runs.

    ``metrics.jsonl`` row by row, the checkpoints that both have by their bytes (where these differ, by their
    contents), ``pairs.csv`` and ``games.jsonl`` line by line, ``result.json`` with the hash of the policy. Floats in
    metrics, checkpoints and results may differ by the tolerance; games and points may not. The last checkpoint
    must be in both; others that only one has come from stopping it and are told as a note.

    Args:
        first: a run directory.
        second: another.
        tolerance: relative, see :func:`differences_of`.

    Raises:
        ConfigError: a file of a run is missing or damaged.
    """
    steps = [{path.name for path in checkpoints_in(run / "checkpoints")} for run in (first, second)]
    last = {Path(read_json(run / "result.json")["checkpoint"]).name for run in (first, second)}
    compared = sorted(steps[0] & steps[1] | last)
    found = _first("metrics.jsonl", _metrics(first, second, tolerance))
    for name in compared:
        found += _first(name, _checkpoint(name, first, second, tolerance))
    try:
        for name in ("pairs.csv", "games.jsonl"):
            found += _first(name, _lines(name, first, second))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{error}: no finished run, or a damaged one") from None
    found += _first("result.json", _result(first, second, tolerance))
    notes = [
        f"only the {which} run has checkpoints/{name}: it was stopped there"
        for which, extra in (("first", steps[0] - steps[1]), ("second", steps[1] - steps[0]))
        for name in sorted(extra - last)
    ]
    if any(not difference.within for difference in found):
        return Comparison("different", tuple(found), tuple(notes), second)
    return Comparison("equal" if found else "identical", tuple(found), tuple(notes), second)


# -------------------------------------------------------------------------------------------- running again


def changed_versions(began: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Return which versions and hashes differ, one text each."""
    return [f"{key}: {a} then, {b} now" for key, a, b, _ in differences_of(began, now, 0.0)]


def reproduce(
    run_dir: str | Path,
    out: str | Path | None = None,
    *,
    tolerance: float = TOLERANCE,
    console: Console | None = None,
) -> Comparison:
    """Run a finished run again in a new directory, and compare the two.

    Args:
        run_dir: the finished run.
        out: directory of the second run; by default one beside the first. Where a run of the same config lies
            there it goes on, or is compared if it is finished.
        tolerance: relative difference of figures that counts as equal.
        console: where to tell what differs.

    Raises:
        ConfigError: the directory is no finished run, its decks are other ones now, ``out`` holds something else,
            or the tolerance is no number from 0 to 1; nothing has been started.
        Interrupted: the second run was stopped; the same call with ``out`` goes on.
    """
    first, tell = Path(run_dir), console_of(console)
    if not 0 <= tolerance < 1:
        raise ConfigError(f"--tolerance {tolerance}: it must be at least 0 and below 1")
    _check_finished(first)
    config = load_config(first / "config.yaml")
    wanted, decks = read_json(first / "result.json")["decks"], evaluation_decks(config)
    if decks.hash != wanted["hash"]:
        raise ConfigError(
            f"{first}: its decks ({wanted['source']}) had the hash {wanted['hash']!r}, now they have {decks.hash!r}: "
            "the file was changed, or this version of NumPy shuffles otherwise"
        )
    text = (first / "config.yaml").read_text(encoding="utf-8")
    if out is None:
        second = make_run_dir(first.parent, f"{first.name}-again")
    else:
        second = Path(out)
        _check_out(first, second, text)
        second.mkdir(parents=True, exist_ok=True)
    for line in changed_versions(read_json(first / "versions.json"), versions(config)):
        tell.print(f"Versions differ: {line}", markup=False, soft_wrap=True)
    write_text(second / "config.yaml", text)
    if (second / "result.json").is_file():
        tell.print(f"{second} is finished: it is only compared", markup=False, soft_wrap=True)
    else:
        run_in(config, second, tell)
    found = compare_runs(first, second, tolerance)
    for line in verdict_lines(found, tolerance):
        tell.print(line, markup=False, soft_wrap=True)
    return found


def verdict_lines(found: Comparison, tolerance: float) -> list[str]:
    """Return what is said of a comparison, the verdict last."""
    lines = [f"Note: {note}" for note in found.notes]
    beyond = [difference for difference in found.differences if not difference.within]
    if found.verdict == "identical":
        return [*lines, f"identical: {found.second}"]
    if found.verdict == "equal":
        lines += [f"within the tolerance: {difference}" for difference in found.differences]
        said = f"relative {tolerance:g}, or absolute {ABSOLUTE:g}"
        return [*lines, f"equal within stated tolerance ({said}): {found.second}"]
    lines += [f"differs: {difference}" for difference in beyond[1:]]
    return [*lines, f"different: first at {beyond[0]}"]


def _check_finished(run_dir: Path) -> None:
    if is_sweep(run_dir):
        names = ", ".join(path.name for path in runs_in(run_dir))
        raise ConfigError(f"{run_dir}: this is a sweep: name one of its runs: {names}")
    if not (run_dir / "config.yaml").is_file():
        raise ConfigError(f"{run_dir}: this is no run directory: it has no config.yaml")
    if not (run_dir / "result.json").is_file():
        raise ConfigError(
            f"{run_dir}: this run is not finished: it has no result.json; finish it first: "
            f"bezique run --resume {run_dir}"
        )


def _check_out(first: Path, second: Path, text: str) -> None:
    """Refuse a directory for the second run that is the first one or holds anything but the same run."""
    if second.resolve() == first.resolve():
        raise ConfigError(f"--out {second}: this is the run itself; name another directory")
    if second.is_dir() and any(second.iterdir()):
        config = second / "config.yaml"
        if not config.is_file() or config.read_text(encoding="utf-8") != text:
            raise ConfigError(f"--out {second}: this directory holds something else; name a new one")
    elif second.exists() and not second.is_dir():
        raise ConfigError(f"--out {second}: this is a file; name a new directory")
