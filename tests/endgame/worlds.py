"""Random endings, and their values by plain search over the play kernels: every line, no bounds, no table."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.endgame.core import NO_VALUE
from agents.endgame.kernels import solve_rows, value_rows, view_rows
from bezique_env.engine import play
from bezique_env.engine.belote.actions import ANNOUNCE, BELOTE
from bezique_env.engine.belote.state import FOLLOW, LEAD
from bezique_env.engine.bezique.state import ENDGAME_FOLLOW, ENDGAME_LEAD
from bezique_env.engine.cache import kernel
from bezique_env.engine.common import EPISODE_DEAL, NO_TRUMP, OVER, SCORE_DIFFERENCE
from bezique_env.engine.engines import engine_of
from bezique_env.rules import Rules
from bezique_env.rules.bezique import index as ix

FAR = 1 << 40
DEPTH = 64


@kernel
def plain_values(games, masks, tried, best, rules, mode, out, tmp):
    """Write the minimax value of every action of ``games[0]`` for its seat to act, into ``out`` [actions].

    The value is what the game returns in a reward mode. ``games`` [DEPTH], ``masks`` int8 [DEPTH, actions],
    ``tried`` and ``best`` int64 [DEPTH] are scratch. Returns the number of leaves.
    """
    for a in range(out.shape[0]):
        out[a] = -FAR
    level = 0
    leaves = 0
    play.write_mask(games[0], rules, masks[0], tmp)
    tried[0] = 0
    best[0] = -FAR
    while True:
        action = tried[level]
        while action < masks.shape[1] and masks[level, action] == 0:
            action += 1
        if action == masks.shape[1]:
            level -= 1
            if level < 0:
                return leaves
            value = best[level + 1]
            mover = games[level + 1].to_act
        else:
            tried[level] = action + 1
            games[level + 1] = games[level]
            play.apply(games[level + 1], rules, action, tmp)
            if games[level + 1].phase != OVER:
                level += 1
                play.write_mask(games[level], rules, masks[level], tmp)
                tried[level] = 0
                best[level] = -FAR
                continue
            leaves += 1
            value = np.int64(play.final_return(games[level + 1], rules, mode))
            mover = 0
        if mover != games[level].to_act:
            value = -value
        best[level] = max(best[level], value)
        if level == 0:
            out[tried[0] - 1] = value


class Plain:
    """Plain search for the games of some rules."""

    def __init__(self, rules: Rules) -> None:
        engine = engine_of(rules.variant)
        self.rules = rules
        self.actions = engine.actions.size
        self.games = np.zeros(DEPTH, engine.state_dtype(rules.shape))
        self.masks = np.zeros((DEPTH, self.actions), np.int8)
        self.tmp = np.zeros(engine.scratch, np.uint8)

    def values(self, state: NDArray[Any], mode: int = SCORE_DIFFERENCE) -> NDArray[np.int64]:
        """Return the value of every action for the seat to act, NO_VALUE for the illegal ones, int64 [actions].

        Points are those of the deal alone.
        """
        self.games[0] = state
        if mode == SCORE_DIFFERENCE:
            self.games[0]["match_scores"] = 0
        out = np.zeros(self.actions, np.int64)
        tried, best = np.zeros(DEPTH, np.int64), np.zeros(DEPTH, np.int64)
        plain_values(self.games, self.masks, tried, best, self.rules.vector, mode, out, self.tmp)
        out[out == -FAR] = NO_VALUE
        return out


def bezique_endings(rules: Rules, n: int, cards: int, rng: Any) -> NDArray[Any]:
    """Return ``n`` random states of the strict phase with up to ``cards`` cards a hand; half have a card led.

    Every card that no hand holds was won. A third of the deals are made of few kinds of card, so that equal cards
    meet.
    """
    engine = engine_of(rules.variant)
    vector = rules.vector
    states = np.zeros(n, engine.state_dtype(rules.shape))
    tmp = np.zeros(engine.scratch, np.uint8)
    kinds = [c for c in range(32) if (int(vector[ix.KINDS]) >> c) & 1]
    for i in range(n):
        play.start_row(states, i, vector, np.uint64(i), 0, EPISODE_DEAL, 0, 0)
        g = states[i]
        size = int(rng.integers(1, cards + 1))
        pool = kinds
        if rng.random() < 0.35:
            few = -(-2 * size // int(vector[ix.PACKS]))
            pool = list(rng.permutation(kinds)[: few + int(rng.integers(1, 4))])
        deck = rng.permutation(np.repeat(pool, int(vector[ix.PACKS])))
        trump = (
            int(rng.integers(4)) if rng.random() < 0.9 or vector[ix.TRUMP] == ix.TRUMP_TURN_UP else NO_TRUMP
        )
        if trump < 4 and not (int(vector[ix.KINDS]) >> (8 * trump)) & 255:
            trump = kinds[0] >> 3
        g["hand"] = 0
        for seat in range(2):
            np.add.at(g["hand"][seat], deck[seat * size : (seat + 1) * size], 1)
            g["scores"][seat] = rng.integers(0, 50) * 10
            g["brisques"][seat] = rng.integers(0, 8)
            sevens = int(g["hand"][seat, 8 * trump]) if trump < 4 else 0
            g["sevens_scored"][seat] = rng.integers(0, sevens + 1)
            g["known"][seat] = rng.integers(0, g["hand"][seat].astype(int) + 1)
        g["won"][0] = 0
        for card in kinds:
            g["won"][0, card] = int(vector[ix.PACKS]) - int(g["hand"][:, card].sum())
        g["won"][1] = 0
        g["trump"], g["turn_up"], g["stock_left"] = trump, 255, 0
        g["to_act"] = g["leader"] = rng.integers(2)
        g["phase"] = ENDGAME_LEAD
        if rng.random() < 0.5:
            mask = np.zeros(engine.actions.size, np.int8)
            play.mask_row(states, i, vector, mask, tmp)
            play.apply_row(states, i, vector, int(rng.choice(np.flatnonzero(mask))), tmp)
            assert g["phase"] in (ENDGAME_FOLLOW, OVER)
    return states


def belote_endings(rules: Rules, n: int, cards: int, rng: Any) -> NDArray[Any]:
    """Return ``n`` random states of the play of Belote with up to ``cards`` cards a hand.

    The games before them were random; half of them keep silent about pairs until then. All declarations are made.
    """
    engine = engine_of(rules.variant)
    vector = rules.vector
    states = np.zeros(n, engine.state_dtype(rules.shape))
    tmp = np.zeros(engine.scratch, np.uint8)
    mask = np.zeros(engine.actions.size, np.int8)
    i = 0
    while i < n:
        play.start_row(states, i, vector, np.uint64(rng.integers(1 << 60)), 255, EPISODE_DEAL, 0, 0)
        g = states[i]
        g["held"] = rng.choice([0, 0, 60])
        size, follows, silent = int(rng.integers(1, cards + 1)), bool(rng.integers(2)), bool(rng.integers(2))
        while g["phase"] < OVER:
            playing = g["phase"] == LEAD or (g["phase"] == FOLLOW and follows)
            if playing and int(g["hand"][int(g["to_act"])]).bit_count() <= size:
                if rng.random() < 0.5:  # as if plays had shown all that the seats do not hold
                    g["absent"] = ~g["hand"]
                i += 1
                break
            play.mask_row(states, i, vector, mask, tmp)
            if mask[ANNOUNCE]:
                mask[:] = 0
                mask[ANNOUNCE] = 1
            if silent:
                mask[BELOTE] = 0
            play.apply_row(states, i, vector, int(rng.choice(np.flatnonzero(mask))), tmp)
    return states


def disagreements(rules: Rules, states: NDArray[Any], solver: Any) -> tuple[list[int], int, int]:
    """Hold the solver against plain search.

    Returns the rows in which any value differs (of an action, of the whole, or as the seat to act sees it), how many
    are not solved, and how many views leave nothing open.
    """
    engine = engine_of(rules.variant)
    plain = Plain(rules)
    n = len(states)
    before = states.tobytes()
    values, seen = np.zeros((n, plain.actions), np.int64), np.zeros((n, plain.actions), np.int64)
    best, whole, seen_best = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64)
    views = np.zeros(n, engine.view_dtype(rules.shape))
    for i in range(n):
        play.project_row(states, i, rules.vector, int(states[i]["to_act"]), views, i)
    solve_rows(states, rules.vector, solver, values, best)
    value_rows(states, rules.vector, solver, whole)
    view_rows(views, rules.vector, solver, seen, seen_best)
    wrong = []
    for i in range(n):
        if best[i] == NO_VALUE:
            if whole[i] != NO_VALUE or seen_best[i] != NO_VALUE or (values[i] != NO_VALUE).any():
                wrong.append(i)
            continue
        expected = plain.values(states[i])
        most = expected.max()
        ok = (values[i] == expected).all() and best[i] == most
        ok = ok and whole[i] == (most if states[i]["to_act"] == 0 else -most)
        if seen_best[i] != NO_VALUE:
            ok = ok and (seen[i] == expected).all() and seen_best[i] == most
        if not ok:
            wrong.append(i)
    assert states.tobytes() == before, "a state was changed"
    return wrong, int((best == NO_VALUE).sum()), int((seen_best != NO_VALUE).sum())
