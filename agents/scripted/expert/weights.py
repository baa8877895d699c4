"""What a rule-based player plays by: the points of the rules, and its weights."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class ExpertWeights(NamedTuple):
    """Arrays whose types are the same for every variant and family, so that kernels are compiled once.

    Attributes:
        points: int64 [2, actions], points by action id, in a plain suit and in trump; the family says what else.
        rules: int64 [8], what a player has to know of the rules beside that; the family names the places.
        values: float64 [n], the weights; the family names the places.
    """

    points: NDArray[np.int64]
    rules: NDArray[np.int64]
    values: NDArray[np.float64]
