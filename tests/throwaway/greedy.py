"""Greedy play of the throw-away family: leads high, takes cheaply, throws low; never gives up."""

from __future__ import annotations

import numpy as np

from tests.throwaway.engine import CONCEDE


def choose(views, masks):
    """Return one legal action for every row, -1 where there is none."""
    actions = np.full(len(masks), -1, np.int64)
    for row, (view, mask) in enumerate(zip(views, masks, strict=True)):
        legal = np.flatnonzero(mask[:CONCEDE])
        led = int(view["trick_card"][1 - view["seat"]])
        takes = [card for card in legal if card >> 3 == led >> 3 and card > led]
        if len(legal):
            actions[row] = min(takes or legal, key=lambda card: (card if led < CONCEDE else -card) & 7)
    return actions
