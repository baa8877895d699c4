"""Many games at once over the same kernels, with buffers that the batch owns and writes in place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bezique_env.encoding import observation_size
from bezique_env.encoding.rows import encode
from bezique_env.engine import play
from bezique_env.engine.cache import announce_compilation, kernel
from bezique_env.engine.common import DENSE, NONE, OVER
from bezique_env.engine.engines import engine_of
from bezique_env.engine.rng import STREAM_AGENT, STREAM_BATCH, bounded, key_of, stream_key
from bezique_env.game import DRAWS, EPISODES, REWARDS, Game, check_seed, choice, resolve_rules
from bezique_env.rules import Rules

BLOCK = 8
"""Actions counted at a time when one is chosen."""


@kernel
def _write_row(games, i, rules, views, observation, mask, seat, done, tmp, level):
    """Write what the seat to act of row i sees: mask (level 1), observation too (level 2)."""
    g = games[i]
    if g.phase == OVER:
        done[i] = True
        seat[i] = -1
    else:
        done[i] = False
        seat[i] = g.to_act
    if level > 0:
        play.write_mask(games[i], rules, mask[i], tmp)
    if level > 1:
        who = np.int64(0) if g.phase == OVER else np.int64(g.to_act)
        play.project_board(g, rules, who, views[0])  # one view for all rows: it stays in the cache
        encode(views[0], observation[i])


@kernel
def _step_rows(
    games,
    rules,
    rows,
    actions,
    views,
    observation,
    mask,
    seat,
    reward,
    done,
    illegal,
    episodes,
    first,
    mode,
    again,
    tmp,
):
    """Step rows in place; finished rows are left alone, illegal actions are marked and left."""
    for k in range(rows.shape[0]):
        i = rows[k]
        illegal[i] = False
        reward[i, 0] = 0.0
        reward[i, 1] = 0.0
        if done[i] and not again:
            continue
        a = actions[k]
        if a < 0 or a >= mask.shape[1] or mask[i, a] == 0:
            illegal[i] = True
            continue
        g = games[i]
        gained = 0.0
        if mode == DENSE and g.steps == 0:
            # What the deal itself scored (a turned seven, the cut) is paid with the first step.
            for e in range(g.ev_n):
                gained += g.ev_points[e] if g.ev_seat[e] == 0 else -g.ev_points[e]
        play.apply(games[i], rules, a, tmp)
        if mode == DENSE:
            for e in range(g.ev_n):
                gained += g.ev_points[e] if g.ev_seat[e] == 0 else -g.ev_points[e]
            reward[i, 0] = gained
            reward[i, 1] = -gained
        elif g.phase == OVER:
            result = np.float64(play.final_return(g, rules, mode))
            reward[i, 0] = result
            reward[i, 1] = -result
        if again and g.phase == OVER:
            episodes[i] += 1
            new_seed = stream_key(first[i], STREAM_BATCH, episodes[i])
            play.start_game(
                g, rules, new_seed, np.int64(NONE), np.int64(g.episode), np.int64(g.draws), np.int64(0)
            )
            _write_row(games, i, rules, views, observation, mask, seat, done, tmp, np.int64(2))
            done[i] = True
        else:
            _write_row(games, i, rules, views, observation, mask, seat, done, tmp, np.int64(2))


@kernel
def _reset_rows(
    games, rules, rows, seeds, dealers, decks, episode, draws, views, observation, mask, seat, done, tmp
):
    """Start new games in rows; with ``decks`` (at least one row) the decks are given."""
    for k in range(rows.shape[0]):
        i = rows[k]
        given = decks.shape[0] > 0
        if given:
            for c in range(decks.shape[1]):
                games[i].deck[c] = decks[k, c]
            play.clear_setup(games[i])
        play.start_game(games[i], rules, seeds[k], dealers[k], episode, draws, np.int64(1 if given else 0))
        games[i].manual = 0
        _write_row(games, i, rules, views, observation, mask, seat, done, tmp, np.int64(2))


@kernel
def _project_rows(games, rules, rows, seats, views):
    """Project rows for given seats into consecutive views."""
    for k in range(rows.shape[0]):
        play.project(games[rows[k]], rules, seats[k], views[k])


@kernel
def _keys(games, rows, stream, keys):
    """Write a random key per row that depends on the game's seed, the stream and the decisions so far."""
    for k in range(rows.shape[0]):
        g = games[rows[k]]
        keys[k] = stream_key(g.seed, STREAM_AGENT + stream, g.steps)


@kernel
def _row_seeds(seed, rows, first):
    """Write the seed of each row: it depends on (seed, row) alone."""
    for k in range(rows.shape[0]):
        first[rows[k]] = stream_key(seed, STREAM_BATCH, rows[k])


@kernel(inline_always=True)
def choose_uniformly(row, key):
    """Return (a legal action of a mask row, each equally likely; new key)."""
    legal = 0
    for a in range(row.shape[0]):
        legal += row[a]
    key, pick = bounded(key, legal)
    block = 0
    while block + BLOCK <= row.shape[0]:
        count = 0
        for a in range(block, block + BLOCK):
            count += row[a]
        if pick < count:
            break
        pick -= count
        block += BLOCK
    action = block
    while row[action] == 0 or pick > 0:
        pick -= row[action]
        action += 1
    return action, key


@kernel
def run_random(games, rules, decisions, key, views, observation, mask, seat, done, tmp, level):
    """Play uniformly random actions over all rows inside one compiled loop; finished games start again.

    ``level`` 0 writes the mask of the moving row only as scratch for choosing, 1 keeps it per row, 2 also
    writes the observation. Returns the number of decisions taken.
    """
    n = games.shape[0]
    taken = 0
    i = 0
    for k in range(n):
        _write_row(games, k, rules, views, observation, mask, seat, done, tmp, np.int64(1))
    while taken < decisions:
        g = games[i]
        row = mask[i]
        if level == 0:
            play.write_mask(games[i], rules, row, tmp)
        action, key = choose_uniformly(row, key)
        play.apply(games[i], rules, action, tmp)
        taken += 1
        if g.phase == OVER:
            again = stream_key(g.seed, STREAM_BATCH, 1)
            play.start_game(
                g, rules, again, np.int64(NONE), np.int64(g.episode), np.int64(g.draws), np.int64(0)
            )
        _write_row(games, i, rules, views, observation, mask, seat, done, tmp, level)
        i += 1
        if i == n:
            i = 0
    return taken


class Batch:
    """N games of one variant, stepped together over buffers that each step overwrites.

    The game of a row depends on (rules, seed, row) alone: not on N, nor on the order of rows or threads.

    Args:
        variant: id of the variant.
        num_games: N.
        seed: seed of the batch; row i has a seed of its own made from it.
        rules: preset name or resolved rules; None takes the variant's first preset.
        overrides: option values that replace the preset's.
        episode: ``deal`` or ``match``.
        draws: ``shared`` or ``queues``.
        reward: ``score_difference``, ``dense``, ``settlement`` or ``win``.
        autoreset: a row whose game ends begins its next game in the same step.

    Attributes:
        num_games: N.
        observation: float32 [N, F], of the seat to act (of seat 0 when the game is over).
        mask: int8 [N, A], legal actions of the seat to act; all zero when the game is over.
        seat: int64 [N], seat to act, -1 when over.
        reward: float64 [N, 2], points since the last step, zero-sum.
        done: bool [N], the game is over (with ``autoreset``: it ended in this step and a new one began).
        illegal: bool [N], the last action of the row was illegal and changed nothing.

    Raises:
        ValueError: an argument is not allowed.
    """

    def __init__(
        self,
        variant: str = "two_pack",
        num_games: int = 1,
        seed: int = 0,
        *,
        rules: str | Rules | None = None,
        overrides: Mapping[str, Any] | None = None,
        episode: str = "deal",
        draws: str = "shared",
        reward: str = "score_difference",
        autoreset: bool = False,
    ) -> None:
        """Make the buffers and start every game; see the class."""
        if isinstance(num_games, bool) or not isinstance(num_games, (int, np.integer)) or num_games < 1:
            raise ValueError(f"num_games {num_games!r} must be a whole number of at least 1")
        announce_compilation()
        self.rules = resolve_rules(variant, rules, overrides)
        self._vector = self.rules.vector.copy()
        self._episode = choice("episode", episode, EPISODES)
        self._draws = choice("draws", draws, DRAWS)
        self._mode = choice("reward", reward, REWARDS)
        self.autoreset = bool(autoreset)
        n = self.num_games = int(num_games)
        engine = engine_of(variant)
        self.games = np.zeros(n, engine.state_dtype(self.rules.shape))
        self._views = np.zeros(1, engine.view_dtype(self.rules.shape))
        self._tmp = np.zeros(engine.scratch, np.uint8)
        self.observation = np.zeros((n, observation_size(variant)), np.float32)
        self.mask = np.zeros((n, engine.actions.size), np.int8)
        self.seat = np.zeros(n, np.int64)
        self.reward = np.zeros((n, self.games["scores"].shape[1]), np.float64)
        self.done = np.zeros(n, np.bool_)
        self.illegal = np.zeros(n, np.bool_)
        self._all = np.arange(n)
        self._first = np.zeros(n, np.uint64)
        self._episodes = np.zeros(n, np.int64)
        self._pack = self.rules.pack
        self._no_decks = np.zeros((0, len(self._pack)), np.uint8)
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Start every game anew; without a seed each row goes on to its next game."""
        if seed is not None:
            _row_seeds(np.uint64(check_seed(seed)), self._all, self._first)
            self._episodes[:] = 0
            self.reset_rows(self._all, self._first)
            return
        self.restart_rows(self._all)

    def restart_rows(self, rows: NDArray[np.int64]) -> None:
        """Start the next game of some rows (the row's own sequence of seeds)."""
        rows = np.ascontiguousarray(rows, np.int64)
        self._episodes[rows] += 1
        seeds = np.array(
            [key_of(self._first[i], STREAM_BATCH, int(self._episodes[i])) for i in rows], np.uint64
        )
        self.reset_rows(rows, seeds)

    def reset_rows(
        self,
        rows: NDArray[np.int64],
        seeds: NDArray[np.uint64],
        dealers: NDArray[np.int64] | None = None,
        decks: NDArray[np.uint8] | None = None,
    ) -> None:
        """Start new games in some rows.

        Args:
            rows: int [k].
            seeds: uint64 [k].
            dealers: int [k], seats; None draws them from the seeds.
            decks: uint8 [k, 32 * packs] card ids in dealing order; None shuffles by the seeds.

        Raises:
            ValueError: a deck does not hold every card once for each pack.
        """
        rows = np.ascontiguousarray(rows, np.int64)
        who = (
            np.full(len(rows), NONE, np.int64) if dealers is None else np.ascontiguousarray(dealers, np.int64)
        )
        cards = self._no_decks if decks is None else np.ascontiguousarray(decks, np.uint8)
        if decks is not None:
            packs, wanted = self.rules.shape.packs, (len(rows), len(self._pack))
            if cards.shape != wanted:
                raise ValueError(f"decks have the shape {cards.shape}, not {wanted}")
            if np.any(np.sort(cards, axis=1) != self._pack):
                raise ValueError(f"every deck must hold every card of the pack {packs} times")
        self.reward[rows] = 0.0
        self.illegal[rows] = False
        _reset_rows(
            self.games,
            self._vector,
            rows,
            np.ascontiguousarray(seeds, np.uint64),
            who,
            cards,
            self._episode,
            self._draws,
            self._views,
            self.observation,
            self.mask,
            self.seat,
            self.done,
            self._tmp,
        )

    def set_decks(self, decks: NDArray[np.uint8], dealers: NDArray[np.int64] | Sequence[int]) -> None:
        """Start every row on a given deck (uint8 [N, 32 * packs]) and dealer ([N])."""
        self.reset_rows(self._all, self._first, np.asarray(dealers, np.int64), decks)

    def step(self, actions: NDArray[np.int64]) -> None:
        """Apply one action per row, int [N]; rows that are over are left alone, illegal ones marked and left.

        Raises:
            ValueError: the shape is not [N].
        """
        if np.shape(actions) != (self.num_games,):
            raise ValueError(f"actions have the shape {np.shape(actions)}, not ({self.num_games},)")
        self.step_rows(self._all, actions)

    def step_rows(self, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Apply one action to each of some rows, int [k] both."""
        _step_rows(
            self.games,
            self._vector,
            np.ascontiguousarray(rows, np.int64),
            np.ascontiguousarray(actions, np.int64),
            self._views,
            self.observation,
            self.mask,
            self.seat,
            self.reward,
            self.done,
            self.illegal,
            self._episodes,
            self._first,
            self._mode,
            self.autoreset,
            self._tmp,
        )

    def views(
        self, rows: NDArray[np.int64] | None = None, seats: NDArray[np.int64] | None = None
    ) -> NDArray[Any]:
        """Return view records [k] of some rows (all by default) for the seat to act or for given seats."""
        which = self._all if rows is None else np.ascontiguousarray(rows, np.int64)
        who = np.maximum(self.seat[which], 0) if seats is None else np.ascontiguousarray(seats, np.int64)
        views = np.zeros(len(which), self._views.dtype)
        _project_rows(self.games, self._vector, which, who, views)
        return views

    def keys(self, stream: int, rows: NDArray[np.int64] | None = None) -> NDArray[np.uint64]:
        """Return random keys uint64 [k] for the decisions of some rows: of the game, never of the batch.

        Args:
            stream: separates consumers (the seat of an agent, a search).
            rows: int [k]; None takes all rows.
        """
        which = self._all if rows is None else np.ascontiguousarray(rows, np.int64)
        keys = np.zeros(len(which), np.uint64)
        _keys(self.games, which, stream, keys)
        return keys

    @property
    def scores(self) -> NDArray[np.int32]:
        """Points of the current deal, int32 [N, 2] (a copy)."""
        return np.array(self.games["scores"])

    def returns(self, rows: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """Return the results of finished games, int64 [k, 2] in the batch's reward mode; 0 while they go on."""
        which = self._all if rows is None else np.ascontiguousarray(rows, np.int64)
        result = np.zeros((len(which), self.reward.shape[1]), np.int64)
        for k, i in enumerate(which):
            if self.games[i]["phase"] == OVER:
                first = int(play.return_row(self.games, i, self._vector, self._mode))
                result[k] = first, -first
        return result

    def game(self, row: int) -> Game:
        """Return a row as a Game of its own, without the history of its actions."""
        return Game.from_state(self.rules, self.games[row : row + 1], self._episode, self._draws)


make_batch = Batch
"""The name by which a batch is asked for."""
