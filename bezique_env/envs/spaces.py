"""Spaces of the adapters, made from the named observation fields."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from bezique_env.encoding import observation_fields, observation_size
from bezique_env.engine.engines import engine_of
from bezique_env.rules.registry import nearest


def observation_box(variant: str) -> spaces.Box:
    """Return the box of a variant's flat observation row, with the range of each field."""
    size = observation_size(variant)
    low, high = np.zeros(size, np.float32), np.ones(size, np.float32)
    for field in observation_fields(variant):
        low[field.start : field.stop] = field.low
        high[field.start : field.stop] = field.high
    return spaces.Box(low, high, (size,), np.float32)


def masked_observation(variant: str) -> spaces.Dict:
    """Return the space of a row beside the legal actions."""
    mask = spaces.Box(0, 1, (engine_of(variant).actions.size,), np.int8)
    return spaces.Dict({"observation": observation_box(variant), "action_mask": mask})


def check_choice(name: str, value: Any, allowed: tuple[Any, ...]) -> None:
    """Refuse a value that is none of the allowed ones, naming the nearest spelling.

    Raises:
        ValueError: the value is not allowed.
    """
    if not any(value is known or (value == known and type(value) is type(known)) for known in allowed):
        hint = nearest(value, [str(known) for known in allowed if isinstance(known, str)])
        raise ValueError(
            f"{name}: {value!r} is not allowed: it must be one of {', '.join(map(repr, allowed))}{hint}"
        )


def check_count(name: str, value: Any) -> int:
    """Return a number of things, at least 1, as an int.

    Raises:
        ValueError: it is none.
    """
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise ValueError(f"{name} {value!r} must be a whole number of at least 1")
    return int(value)


def whole_numbers(name: str, values: Any, shape: tuple[int, ...] | None) -> NDArray[np.int64]:
    """Return values as a contiguous int64 array; ``shape`` None allows any number of them in one row.

    Raises:
        TypeError: they are no whole numbers (floats are refused, also those without a fraction).
        ValueError: their shape is another.
    """
    array = np.asarray(values)
    if array.dtype.char == "l" and array.shape == shape and array.flags.c_contiguous:
        return array  # nearly always
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"{name} must be whole numbers, not {array.dtype}")
    if array.shape != shape and (shape is not None or array.ndim != 1):
        raise ValueError(f"{name} have the shape {array.shape}, not {'(k,)' if shape is None else shape}")
    return np.ascontiguousarray(array, np.int64)
