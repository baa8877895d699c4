"""Whole matches of rule-based players in one compiled loop: what tuning measures thousands of times.

Every deck is played twice with the seats swapped, each seat drawing from its own queue, as
:func:`experiments.evaluation.play_pairs` does, whose results it gives.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.scripted.expert.weights import ExpertWeights
from agents.scripted.policies import choose_expert, choose_greedy, policy_scratch
from bezique_env.engine import play
from bezique_env.engine.cache import kernel
from bezique_env.engine.common import DRAWS_QUEUES, EPISODE_DEAL, OVER
from bezique_env.engine.engines import engine_of
from bezique_env.rules import Rules


@kernel
def duel_rows(games, views, rules, decks, dealers, seeds, first, second, greedy, scratch, mask, tmp, scores):
    """Play every deck twice; ``scores`` [pairs, 2, 2] as in :class:`experiments.evaluation.PairResults`.

    Args:
        games: state records, one is used.
        views: view records, one is used.
        rules: the rules vector.
        decks: uint8 [pairs, cards].
        dealers: int64 [pairs].
        seeds: uint64 [pairs], from which hands are dealt again that are annulled.
        first: weights of the player whose seat is 0 in the first game of a pair and 1 in the second.
        second: weights of the other.
        greedy: whether the other is ``greedy``, which has no weights.
        scratch: of :func:`agents.scripted.policies.policy_scratch`.
        mask: int8 [actions].
        tmp: uint8 scratch of the engine.
        scores: int64 [pairs, 2, 2], written.

    Returns the number of decisions.
    """
    g = games[0]
    v = views[0]
    decisions = 0
    for i in range(decks.shape[0]):
        for seat in range(2):
            for k in range(decks.shape[1]):
                g.deck[k] = decks[i, k]
            play.clear_setup(g)
            play.start_game(
                g,
                rules,
                seeds[i],
                dealers[i],
                np.int64(EPISODE_DEAL),
                np.int64(DRAWS_QUEUES),
                np.int64(1),
            )
            g.manual = 0  # whatever is dealt after this deck comes from the seed
            while g.phase != OVER:
                acting = np.int64(g.to_act)
                play.write_mask(g, rules, mask, tmp)
                play.project_board(g, rules, acting, v)
                if acting == seat:
                    action = choose_expert(v, mask, first, scratch)
                elif greedy:
                    action = choose_greedy(v, mask, second, scratch)
                else:
                    action = choose_expert(v, mask, second, scratch)
                decisions += 1
                play.apply(g, rules, action, tmp)
            for k in range(2):
                player = k if seat == 0 else 1 - k
                scores[i, seat, k] = g.scores[player] + g.match_scores[player]
    return decisions


def duel(
    rules: Rules,
    decks: NDArray[np.uint8],
    dealers: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    first: ExpertWeights,
    second: ExpertWeights | None,
) -> NDArray[np.int64]:
    """Play a match of duplicate deals and return the scores, int64 [pairs, 2 games, 2 players].

    Args:
        rules: of the game.
        decks: uint8 [pairs, cards].
        dealers: int64 [pairs], who deals.
        seeds: uint64 [pairs], from which hands are dealt again that are annulled.
        first: what the first player plays by.
        second: the same of the second; None is ``greedy``.

    Raises:
        ValueError: the decks are not whole packs of the game.
    """
    if decks.ndim != 2 or decks.shape[1] != len(rules.pack):
        raise ValueError(f"decks have the shape {decks.shape}; {len(rules.pack)} cards a deck are needed")
    engine = engine_of(rules.variant)
    scores = np.zeros((len(decks), 2, 2), np.int64)
    duel_rows(
        np.zeros(1, engine.state_dtype(rules.shape)),
        np.zeros(1, engine.view_dtype(rules.shape)),
        rules.vector,
        np.ascontiguousarray(decks, np.uint8),
        np.ascontiguousarray(dealers, np.int64),
        np.ascontiguousarray(seeds, np.uint64),
        first,
        first if second is None else second,
        second is None,
        policy_scratch(),
        np.zeros(engine.actions.size, np.int8),
        np.zeros(engine.scratch, np.uint8),
        scores,
    )
    return scores
