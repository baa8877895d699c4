"""Many games at once over the same kernels, with buffers that the batch owns and writes in place."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bezique_env.encoding import observation_size
from bezique_env.engine import play
from bezique_env.engine.cache import announce_compilation
from bezique_env.engine.common import NONE, OVER
from bezique_env.engine.engines import engine_of
from bezique_env.envs import rows as kernels
from bezique_env.envs.spaces import check_choice, check_count, whole_numbers
from bezique_env.game import DRAWS, EPISODES, REWARDS, Game, check_seed, choice, resolve_rules
from bezique_env.rules import Rules

ROWS_A_THREAD = 64
"""Fewer rows than this are not worth handing to another thread."""
IN_PLACE = 4 * 2**20
"""Bytes of observations up to which they are written in place: a cache that is near holds them."""

Scratch: TypeAlias = tuple[NDArray[Any], NDArray[np.float32], NDArray[np.uint8]]


class Batch:
    """N games of one variant, stepped together over buffers that each step overwrites.

    The game of a row depends on (rules, seed, row) alone: not on N, nor on the order of rows or on threads.

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
        dealer: who deals first: a seat, or ``random`` (by the seed).
        threads: threads that step the rows; each has a run of neighbouring rows to itself.

    Attributes:
        num_games: N.
        seats: seats of a game.
        observation: float32 [N, F], of the seat to act (of seat 0 when the game is over).
        mask: int8 [N, A], legal actions of the seat to act; all zero when the game is over.
        seat: int64 [N], seat to act, -1 when over.
        reward: float64 [N, seats], points since the last step, zero-sum.
        done: bool [N], the game is over (with ``autoreset``: it ended in this step and a new one began).
        illegal: bool [N], the last action of the row was illegal and changed nothing.
        watched: int64 [N], a seat whose observations alone are written, when it is to act or the game is over;
            -1 (all, until somebody writes to it) writes those of the seat to act.
        earned: float64 [N], what the watched seat has earned since the game began or somebody cleared it.

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
        dealer: str | int = "random",
        threads: int = 1,
    ) -> None:
        """Make the buffers and start every game; see the class."""
        n = self.num_games = check_count("num_games", num_games)
        self.threads = check_count("threads", threads)
        check_choice("autoreset", autoreset, (False, True))
        self.autoreset = autoreset
        announce_compilation()
        self.rules = resolve_rules(variant, rules, overrides)
        self._vector = self.rules.vector.copy()
        self._episode = choice("episode", episode, EPISODES)
        self._draws = choice("draws", draws, DRAWS)
        self._mode = choice("reward", reward, REWARDS)
        first_seed = check_seed(seed)
        engine = engine_of(variant)
        self.games = np.zeros(n, engine.state_dtype(self.rules.shape))
        self.seats = self.games["scores"].shape[1]
        check_choice("dealer", dealer, ("random", *range(self.seats)))
        self._dealer = NONE if dealer == "random" else int(dealer)
        self._view_dtype = engine.view_dtype(self.rules.shape)
        self.observation = np.zeros((n, observation_size(variant)), np.float32)
        in_place = n == 1 or self.observation.nbytes <= IN_PLACE
        # What a thread writes to while it works on its rows: a view, observations, bytes.
        self._scratch: list[Scratch] = [
            (
                np.zeros(1, self._view_dtype),
                self.observation if in_place else np.zeros_like(self.observation[:1]),
                np.zeros(engine.scratch, np.uint8),
            )
            for _ in range(self.threads)
        ]
        self._pool: ThreadPoolExecutor | None = None
        self.mask = np.zeros((n, engine.actions.size), np.int8)
        self.seat = np.zeros(n, np.int64)
        self.reward = np.zeros((n, self.seats), np.float64)
        self.earned = np.zeros(n, np.float64)
        self.done = np.zeros(n, np.bool_)
        self.illegal = np.zeros(n, np.bool_)
        self.watched = np.full(n, -1, np.int64)
        self._all = np.arange(n)
        self._marks = np.zeros(n, np.uint8)
        self._first = np.zeros(n, np.uint64)
        self._episodes = np.zeros(n, np.int64)
        self._seeds = np.zeros(n, np.uint64)
        self._dealers = np.full(n, self._dealer, np.int64)
        self._pack = self.rules.pack
        self._no_decks = np.zeros((0, len(self._pack)), np.uint8)
        self.reset(first_seed)

    def __getstate__(self) -> dict[str, Any]:
        """Return everything but the threads, which a copy starts anew."""
        return {**vars(self), "_pool": None}

    def _over_rows(self, work: Callable[..., None], *columns: NDArray[Any]) -> None:
        """Do some work on rows, the first column: in runs of neighbours, a thread and its scratch for each."""
        count = len(columns[0])
        parts = min(self.threads, count // ROWS_A_THREAD)
        if parts < 2:
            work(*columns, self._scratch[0])
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads - 1, "bezique-batch")
        bounds = [count * part // parts for part in range(parts + 1)]
        runs = [[column[slice(*ends)] for column in columns] for ends in itertools.pairwise(bounds)]
        others = [
            self._pool.submit(work, *run, own) for run, own in zip(runs[1:], self._scratch[1:], strict=False)
        ]
        work(*runs[0], self._scratch[0])
        for other in others:
            other.result()

    def _check_rows(self, rows: Any) -> NDArray[np.int64]:
        """Return rows as int64 [k], contiguous.

        Raises:
            TypeError: they are no whole numbers.
            ValueError: they have no shape [k], or a row is outside of the batch or stands twice.
        """
        which = whole_numbers("rows", rows, None)
        wrong = int(kernels.find_wrong_row(which, self._marks))
        if wrong >= 0:
            row = int(which[wrong])
            told = "stands twice" if 0 <= row < self.num_games else f"is outside 0..{self.num_games - 1}"
            raise ValueError(f"rows: row {row} {told}")
        return which

    def _some(self, rows: Any) -> NDArray[np.int64]:
        """Return rows that are only looked at: all, or int [k], where a row may stand twice."""
        if rows is None:
            return self._all
        which = whole_numbers("rows", rows, None)
        if len(which) and not (which.min() >= 0 and which.max() < self.num_games):
            raise ValueError(f"rows must be in 0..{self.num_games - 1}")
        return which

    def reset(self, seed: int | None = None) -> None:
        """Start every game anew; without a seed each row goes on to its next game."""
        if seed is None:
            self._restart(self._all)
            return
        kernels.first_seeds(np.uint64(check_seed(seed)), self._all, self._first)
        self._episodes[:] = 0
        self._begin(self._all, self._first, self._dealers, self._no_decks)

    def reseed_rows(self, rows: NDArray[np.int64], seeds: NDArray[np.uint64]) -> None:
        """Start new games in some rows, each the first of the row's sequence from then on.

        Args:
            rows: int [k], no row twice.
            seeds: uint64 [k], the seeds of these games.

        Raises:
            ValueError: a row is none of the batch, or stands twice, or the seeds do not fit.
        """
        which = self._check_rows(rows)
        given = self._check_seeds(seeds, len(which))
        self._first[which] = given
        self._episodes[which] = 0
        self._begin(which, given, self._dealers, self._no_decks)

    def restart_rows(self, rows: NDArray[np.int64]) -> None:
        """Start the next game of some rows (the row's own sequence of seeds), int [k].

        Raises:
            ValueError: a row is none of the batch, or stands twice.
        """
        self._restart(self._check_rows(rows))

    def _restart(self, rows: NDArray[np.int64]) -> None:
        seeds = self._seeds[: len(rows)]
        kernels.next_seeds(rows, self._first, self._episodes, seeds)
        self._begin(rows, seeds, self._dealers, self._no_decks)

    def _check_seeds(self, seeds: Any, count: int) -> NDArray[np.uint64]:
        given = np.ascontiguousarray(seeds)
        if given.dtype.kind not in "iu" or (given.dtype.kind == "i" and given.size and given.min() < 0):
            raise ValueError(f"seeds must be integers in 0..2**64-1, not {given.dtype}")
        if given.shape != (count,):
            raise ValueError(f"seeds have the shape {given.shape}, not ({count},)")
        return given.astype(np.uint64)

    def reset_rows(
        self,
        rows: NDArray[np.int64],
        seeds: NDArray[np.uint64],
        dealers: NDArray[np.int64] | None = None,
        decks: NDArray[np.uint8] | None = None,
    ) -> None:
        """Start new games in some rows.

        Args:
            rows: int [k], no row twice.
            seeds: uint64 [k].
            dealers: int [k], seats; None takes the batch's dealer.
            decks: uint8 [k, cards of the pack] ids in dealing order; None shuffles by the seeds.

        Raises:
            ValueError: a row, a seat or a shape does not fit, or a deck does not hold every card once for each pack.
        """
        which = self._check_rows(rows)
        given = self._check_seeds(seeds, len(which))
        who = self._dealers if dealers is None else whole_numbers("dealers", dealers, (len(which),))
        if dealers is not None and len(who) and not (who.min() >= 0 and who.max() < self.seats):
            raise ValueError(f"dealers must be seats 0..{self.seats - 1}, not {who.tolist()}")
        cards = self._no_decks if decks is None else np.ascontiguousarray(decks, np.uint8)
        if decks is not None:
            packs, wanted = self.rules.shape.packs, (len(which), len(self._pack))
            if cards.shape != wanted:
                raise ValueError(f"decks have the shape {cards.shape}, not {wanted}")
            if np.any(np.sort(cards, axis=1) != self._pack):
                raise ValueError(f"every deck must hold every card of the pack {packs} times")
        self._begin(which, given, who, cards)

    def _begin(
        self,
        rows: NDArray[np.int64],
        seeds: NDArray[np.uint64],
        dealers: NDArray[np.int64],
        decks: NDArray[np.uint8],
    ) -> None:
        """Start games in rows that have been checked; ``dealers`` may be longer than they are."""
        self._over_rows(self._begin_run, rows, seeds, dealers, decks)

    def _begin_run(
        self,
        rows: NDArray[np.int64],
        seeds: NDArray[np.uint64],
        dealers: NDArray[np.int64],
        decks: NDArray[np.uint8],
        scratch: Scratch,
    ) -> None:
        views, lines, tmp = scratch
        kernels.begin_rows(
            self.games,
            self._vector,
            rows,
            seeds,
            dealers,
            decks,
            self._episode,
            self._draws,
            views,
            lines,
            self.observation,
            self.mask,
            self.seat,
            self.reward,
            self.earned,
            self.done,
            self.illegal,
            self.watched,
            tmp,
        )

    def show_rows(self, rows: NDArray[np.int64]) -> None:
        """Write observation, mask, seat and done of some rows, int [k], anew.

        Needed only after games or ``watched`` were written to from outside.

        Raises:
            ValueError: a row is none of the batch, or stands twice.
        """
        self._show(self._check_rows(rows))

    def _show(self, rows: NDArray[np.int64]) -> None:
        views, lines, tmp = self._scratch[0]
        kernels.show_rows(
            self.games,
            self._vector,
            rows,
            views,
            lines,
            self.observation,
            self.mask,
            self.seat,
            self.done,
            self.watched,
            tmp,
        )

    def set_decks(self, decks: NDArray[np.uint8], dealers: NDArray[np.int64] | Sequence[int]) -> None:
        """Start every row on a given deck (uint8 [N, cards of the pack]) and dealer ([N])."""
        self.reset_rows(self._all, self._first, np.asarray(dealers), decks)

    def step(self, actions: NDArray[np.int64]) -> None:
        """Apply one action per row, int [N]; rows that are over are left alone, illegal ones marked and left.

        Raises:
            TypeError: the actions are no whole numbers.
            ValueError: the shape is not [N].
        """
        self._step(self._all, whole_numbers("actions", actions, (self.num_games,)))

    def step_rows(self, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Apply one action to each of some rows, int [k] both.

        Raises:
            TypeError: rows or actions are no whole numbers.
            ValueError: a row is none of the batch, or stands twice, or the shapes differ.
        """
        which = self._check_rows(rows)
        self._step(which, whole_numbers("actions", actions, (len(which),)))

    def _step(self, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Step rows that have been checked."""
        self._over_rows(self._step_run, rows, actions)

    def _step_run(self, rows: NDArray[np.int64], actions: NDArray[np.int64], scratch: Scratch) -> None:
        views, lines, tmp = scratch
        kernels.step_rows(
            self.games,
            self._vector,
            rows,
            actions,
            views,
            lines,
            self.observation,
            self.mask,
            self.seat,
            self.reward,
            self.earned,
            self.done,
            self.illegal,
            self.watched,
            self._first,
            self._episodes,
            self._mode,
            self.autoreset,
            self._dealer,
            tmp,
        )

    def run_random(self, decisions: int, key: int, level: int = 2) -> int:
        """Play uniformly random actions over all rows in one compiled loop; games that end are followed by new ones.

        Args:
            decisions: how many.
            key: a random key, 0..2**64-1.
            level: 0 plays alone, 1 keeps the masks of the rows, 2 their observations too.

        Returns:
            The decisions taken.
        """
        views, lines, tmp = self._scratch[0]
        return int(
            kernels.run_random(
                self.games,
                self._vector,
                decisions,
                np.uint64(key),
                views,
                lines,
                self.observation,
                self.mask,
                self.seat,
                self.done,
                self.watched,
                tmp,
                level,
            )
        )

    def views(
        self, rows: NDArray[np.int64] | None = None, seats: NDArray[np.int64] | None = None
    ) -> NDArray[Any]:
        """Return view records [k] of some rows (all by default) for the seat to act or for given seats."""
        which = self._some(rows)
        who = np.maximum(self.seat[which], 0)
        if seats is not None:
            who = whole_numbers("seats", seats, (len(which),))
            if len(who) and not (who.min() >= 0 and who.max() < self.seats):
                raise ValueError(f"seats must be in 0..{self.seats - 1}, not {who.tolist()}")
        views = np.zeros(len(which), self._view_dtype)
        kernels.project_rows(self.games, self._vector, which, who, views)
        return views

    def keys(
        self, stream: int | NDArray[np.int64], rows: NDArray[np.int64] | None = None
    ) -> NDArray[np.uint64]:
        """Return random keys uint64 [k] for the decisions of some rows: of the game, never of the batch.

        Args:
            stream: separates consumers (the seat of an agent, a search): one for all, or int [k].
            rows: int [k]; None takes all rows.

        Raises:
            TypeError: the streams are no whole numbers.
            ValueError: they are not one for each row.
        """
        which = self._some(rows)
        streams = (
            np.array((stream,)) if np.ndim(stream) == 0 else whole_numbers("stream", stream, (len(which),))
        )
        keys = np.zeros(len(which), np.uint64)
        kernels.write_keys(self.games, which, streams, keys)
        return keys

    @property
    def scores(self) -> NDArray[np.int32]:
        """Points of the current deal, int32 [N, 2] (a copy)."""
        return np.array(self.games["scores"])

    def returns(self, rows: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """Return the results of finished games, int64 [k, 2] in the batch's reward mode; 0 while they go on."""
        which = self._some(rows)
        result = np.zeros((len(which), self.seats), np.int64)
        for k, i in enumerate(which):
            if self.games[i]["phase"] == OVER:
                first = int(play.return_row(self.games, i, self._vector, self._mode))
                result[k] = first, -first
        return result

    def close(self) -> None:
        """Let the threads go; the batch can still be stepped, and starts them anew."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def game(self, row: int) -> Game:
        """Return a row as a Game of its own, without the history of its actions."""
        return Game.from_state(self.rules, self.games[row : row + 1], self._episode, self._draws)


make_batch = Batch
"""The name by which a batch is asked for."""
