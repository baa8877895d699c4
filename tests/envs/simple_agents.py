"""Two tiny opponents, so that the environments are tested without the package `agents`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


class FirstLegal:
    """Plays the legal action with the smallest id."""

    name = "first"

    def act(
        self, views: NDArray[Any], masks: NDArray[np.int8], keys: NDArray[np.uint64]
    ) -> NDArray[np.int64]:
        return masks.argmax(axis=1).astype(np.int64)


class ByKey:
    """Plays a legal action chosen by the decision's key; remembers what it was given."""

    name = "by key"

    def __init__(self) -> None:
        self.keys: list[int] = []
        self.seats: list[int] = []

    def act(
        self, views: NDArray[Any], masks: NDArray[np.int8], keys: NDArray[np.uint64]
    ) -> NDArray[np.int64]:
        assert (
            views.ndim == 1 and masks.ndim == 2 and len(masks) == len(views) and keys.shape == (len(views),)
        )
        assert masks.dtype == np.int8 and keys.dtype == np.uint64
        self.keys += keys.tolist()
        self.seats += views["seat"].tolist()
        assert (views["seat"] == views["to_act"]).all()
        legal = [np.flatnonzero(mask) for mask in masks]
        return np.array([a[int(k) % len(a)] for a, k in zip(legal, keys, strict=True)], np.int64)
