"""What a family's engine is: the class that each family makes one of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from bezique_env.engine.actions import ActionTable


@dataclass(frozen=True)
class Engine:
    """What plays the games of a family.

    Attributes:
        family: id of the family.
        mark: a field that only the records of this family have; by it compiled code tells them apart.
        actions: its table of actions.
        phases: names of the phases, by number.
        events: what a change of a score was for, by number.
        state_dtype: the record of a game of given lengths (``rules.shape``).
        view_dtype: the record of what a seat may know of it.
        scratch: bytes of scratch that its kernels need.
        work: shape of the uint8 scratch of ``resample``.
        redeals: whether a hand may be annulled and dealt again (then records have the field ``given``).
        kernels: the functions that :mod:`bezique_env.engine.play` calls, by name.
    """

    family: str
    mark: str
    actions: ActionTable
    phases: tuple[str, ...]
    events: Mapping[int, str]
    state_dtype: Callable[[Any], np.dtype[np.void]]
    view_dtype: Callable[[Any], np.dtype[np.void]]
    scratch: int
    work: tuple[int, int]
    kernels: Mapping[str, Any]
    redeals: bool = False
