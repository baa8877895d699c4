"""The weights of worlds as files: ``fitted/<variant>.json``, written by ``experiments.fit_beliefs``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.search.belief.kernels import PLACES
from bezique_env.rules import Rules

FOLDER = Path(__file__).parent / "fitted"
FORMAT = "bezique-beliefs/1"


class BeliefError(ValueError):
    """A file of weights that cannot be used; the message says what is wrong."""


def parts(rules: Rules) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the blocks and of the features of a game's worlds."""
    module = PLACES[rules.family.name]
    return module.BLOCKS, module.FEATURES


def no_belief(rules: Rules) -> NDArray[np.float64]:
    """Return weights of no blocks, by which all worlds are equally likely."""
    return np.zeros((0, len(parts(rules)[1])))


def shipped_belief(rules: Rules) -> NDArray[np.float64]:
    """Return the weights of a game, float64 [blocks, features]; :func:`no_belief` where it has no file."""
    path = FOLDER / f"{rules.variant}.json"
    return read_belief(path, rules) if path.is_file() else no_belief(rules)


def read_belief(path: str | Path, rules: Rules) -> NDArray[np.float64]:
    """Return the weights of a file, float64 [blocks, features].

    Raises:
        BeliefError: the file cannot be read, is another game's, or its names or numbers are not those expected.
    """
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BeliefError(f"{path}: no file of weights of worlds: {error}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise BeliefError(f"{path}: the format {FORMAT!r} is expected")
    if data.get("variant") != rules.variant:
        raise BeliefError(f"{path}: these weights are for {data.get('variant')!r}, not for {rules.variant!r}")
    blocks, features = parts(rules)
    given = data.get("weights")
    if not isinstance(given, dict) or tuple(given) != blocks or tuple(data.get("features", ())) != features:
        raise BeliefError(f"{path}: blocks or features are not those of this version; fit them again")
    try:
        values = np.array([given[block] for block in blocks], np.float64)
    except (TypeError, ValueError):
        values = np.zeros(0)
    if values.shape != (len(blocks), len(features)) or not np.isfinite(values).all():
        raise BeliefError(f"{path}: each block needs {len(features)} finite numbers")
    return values


def belief_text(rules: Rules, values: NDArray[np.float64], told: dict[str, Any]) -> str:
    """Return weights as :func:`read_belief` reads them from a file, with what is told of how they were made."""
    blocks, features = parts(rules)
    head = {"format": FORMAT, "variant": rules.variant, **told, "features": list(features)}
    rows = {
        block: [float(f"{value:.3g}") + 0.0 for value in row]
        for block, row in zip(blocks, values, strict=True)
    }
    lines = [f" {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    own = ",\n".join(f"  {json.dumps(block)}: {json.dumps(row)}" for block, row in rows.items())
    return "{\n" + "\n".join(lines) + '\n "weights": {\n' + own + "\n }\n}\n"
