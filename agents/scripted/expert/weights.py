"""What a rule-based player plays by: the points of the rules, and its weights, which are data.

Weights have names in groups. A family says which (:func:`agents.scripted.policies.weight_groups`); the shipped
numbers lie in ``weights/<variant>.yaml``: a mapping for each group, from names to numbers.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import yaml
from numpy.typing import NDArray

Groups = Mapping[str, Mapping[str, str]]
"""Names of weights and what they mean, by group, in the order of the array."""
FOLDER = Path(__file__).parent / "weights"
"""Where the shipped weights lie, a file for each variant."""


class ExpertWeights(NamedTuple):
    """Arrays whose types are the same for every variant and family, so that kernels are compiled once.

    Attributes:
        points: int64 [2, actions], points by action id, in a plain suit and in trump; the family says what else.
        rules: int64 [n], what a player has to know of the rules beside that; the family names the places.
        values: float64 [n], the weights; the family names the places.
    """

    points: NDArray[np.int64]
    rules: NDArray[np.int64]
    values: NDArray[np.float64]


class WeightsError(ValueError):
    """A file of weights that cannot be used; the message says what is wrong and what is allowed."""


def weight_names(groups: Groups) -> list[str]:
    """Return the names of the places of the array: ``group.name``."""
    return [f"{group}.{name}" for group, names in groups.items() for name in names]


def _nearest(name: Any, known: Iterable[str]) -> str:
    found = difflib.get_close_matches(str(name), list(known), 1, 0.5)
    return f"; did you mean {found[0]!r}?" if found else ""


def read_weights(path: str | Path, groups: Groups) -> NDArray[np.float64]:
    """Return the weights of a YAML file in the order of the groups.

    Raises:
        WeightsError: the file cannot be read, or a group or name is missing, unknown or no finite number.
    """
    try:
        data = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise WeightsError(f"{path}: no file of weights: {error}") from None
    if not isinstance(data, Mapping):
        raise WeightsError(f"{path}: it must hold the groups {', '.join(groups)}")
    for group in data:
        if group not in groups:
            raise WeightsError(
                f"{path}: unknown group {group!r}: known are {', '.join(groups)}{_nearest(group, groups)}"
            )
    values = [value for group in groups for value in _numbers(path, group, groups[group], data.get(group))]
    return np.array(values, np.float64)


def shipped_weights(variant: str, model: str, groups: Groups) -> NDArray[np.float64]:
    """Return the shipped weights of a variant; one without a file of its own has those of its model."""
    own = FOLDER / f"{variant}.yaml"
    return read_weights(own if own.is_file() else FOLDER / f"{model}.yaml", groups)


def _numbers(path: str | Path, group: str, names: Mapping[str, str], given: Any) -> list[float]:
    if not isinstance(given, Mapping):
        raise WeightsError(f"{path}: {group}: a mapping from names to numbers is missing")
    for name in given:
        if name not in names:
            raise WeightsError(
                f"{path}: {group}: unknown weight {name!r}: known are {', '.join(names)}{_nearest(name, names)}"
            )
    for name in names:
        value = given.get(name)
        if name not in given:
            raise WeightsError(f"{path}: {group}: the weight {name!r} is missing")
        if isinstance(value, bool) or not isinstance(value, int | float) or not np.isfinite(value):
            raise WeightsError(f"{path}: {group}: {name}: {value!r} is no finite number")
    return [float(given[name]) for name in names]


def weights_text(groups: Groups, values: NDArray[np.float64], head: str = "") -> str:
    """Return weights as :func:`read_weights` reads them from a file, below a comment."""
    lines = [f"# {line}".rstrip() for line in head.splitlines()]
    place = 0
    for group, names in groups.items():
        lines.append(f"{group}:")
        for name in names:
            lines.append(f"  {name}: {float(f'{values[place]:.4g}'):g}")
            place += 1
    return "\n".join(lines) + "\n"
