"""What the records and kernels of every family have in common.

Every state record has the fields ``seed``, ``steps``, ``deal_no``, ``scores``, ``match_scores``, ``ev_n``,
``ev_seat``, ``ev_what``, ``ev_points``, ``episode``, ``draws``, ``dealer``, ``leader``, ``to_act``, ``phase``,
``trump``, ``turn_up``, ``winner``, ``deck`` and ``manual``; what else it has belongs to its family. 255 stands
for "no card", "nobody" or "hidden".
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

NONE = 255
NO_TRUMP = 4

OVER, BETWEEN_DEALS = 6, 7
"""The phases that every family has."""

EPISODE_DEAL, EPISODE_MATCH = 0, 1
DRAWS_SHARED, DRAWS_QUEUES = 0, 1

PUBLIC = 2
"""Who got a card of the deck that everyone saw; smaller numbers are seats."""

SCORE_DIFFERENCE, DENSE, SETTLEMENT, WIN = 0, 1, 2, 3
"""Reward modes."""


def copy_records(records: NDArray[Any]) -> NDArray[Any]:
    """Return a writable copy; ``ndarray.copy`` goes field by field and takes fifty times as long."""
    return np.frombuffer(bytearray(records.tobytes()), records.dtype).reshape(records.shape)
