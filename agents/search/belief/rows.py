"""What weights of worlds are fitted to: true worlds of games of the rule-based player beside drawn ones."""

from __future__ import annotations

import numpy as np

from agents.scripted.policies import choose_expert
from agents.search.belief.kernels import describe, place, tells
from bezique_env.engine import play
from bezique_env.engine.cache import kernel
from bezique_env.engine.common import DRAWS_QUEUES, EPISODE_DEAL, OVER
from bezique_env.engine.rng import next_u64, stream_key

_STREAM_CHOICE, _STREAM_DRAWN = 1, 2


@kernel
def world_rows(games, view, decks, dealers, seeds, every, t, rows, places):
    """Play decks and write features of worlds at some decisions, the true world first.

    Args:
        games: states, one is used.
        view: views, one is used.
        decks: uint8 [decks, cards].
        dealers: int64 [decks].
        seeds: uint64 [decks].
        every: one decision in so many is written.
        t: :class:`agents.search.tools.Tools`.
        rows: float32 [n, worlds, features], written.
        places: float64 [n, 3], written: what ``place`` returns.

    Returns:
        Rows written.
    """
    n = 0
    g = games[0]
    for i in range(decks.shape[0]):
        for k in range(decks.shape[1]):
            g.deck[k] = decks[i, k]
        play.clear_setup(g)
        play.start_game(
            g, t.rules, seeds[i], dealers[i], np.int64(EPISODE_DEAL), np.int64(DRAWS_QUEUES), np.int64(1)
        )
        g.manual = 0
        choices = stream_key(seeds[i], _STREAM_CHOICE, 0)
        while g.phase != OVER:
            seat = np.int64(g.to_act)
            play.project(g, t.rules, seat, view[0])
            choices, bits = next_u64(choices)
            if bits % np.uint64(every) == 0 and tells(view[0]):
                for w in range(rows.shape[1]):
                    if w == 0:
                        t.world[0] = g
                    else:
                        key = stream_key(seeds[i], _STREAM_DRAWN, np.int64(g.steps) * 256 + w)
                        play.resample(view[0], t.world[0], t.rules, key, t.work, t.tmp)
                    describe(view[0], t.world[0], t, t.features)
                    for k in range(rows.shape[2]):
                        rows[n, w, k] = t.features[k]
                places[n, 0], places[n, 1], places[n, 2] = place(view[0])
                n += 1
                if n == rows.shape[0]:
                    return n
            play.write_mask(g, t.rules, t.mask, t.tmp)
            play.project_board(g, t.rules, seat, t.seen[0])
            play.apply(g, t.rules, choose_expert(t.seen[0], t.mask, t.weights, t.scratch), t.tmp)
    return n
