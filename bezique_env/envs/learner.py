"""What the adapters for learners share: N games in each of which one seat learns and agents play the others.

A decision of the learner is one :meth:`LearnerGames.step`: its action is played, then the agents play, all rows
together, until the learner is to decide again or the game is over. What is random in a row comes from the row's
own game, so its games depend on their seeds, the agents and the learner's actions alone: never on N, on the
order of rows, on threads, or on the adapter. `GameSingle` draws from the same keys.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bezique_env.engine.engines import engine_of
from bezique_env.envs import rows as kernels
from bezique_env.envs.batch import Batch
from bezique_env.envs.opponents import Mixture, Opponent
from bezique_env.envs.spaces import check_choice, check_count, whole_numbers
from bezique_env.game import Game, IllegalAction
from bezique_env.rules import Rules

OPPONENT_STREAM, SEAT_STREAM, ILLEGAL_STREAM = 1_000, 1_001, 1_002
"""Streams of a game's key: who plays against the learner, where it sits, what replaces its illegal action."""

SEATINGS = ("alternate", "random")
ILLEGAL = ("replace", "raise")


def check_seating(seat: Any, seats: int) -> None:
    """Refuse what does not say where a learner sits.

    Raises:
        ValueError: it is neither one of `SEATINGS` nor a seat.
    """
    check_choice("seat", seat, (*SEATINGS, *range(seats)))


class IllegalInRow(IllegalAction):
    """An illegal action in one of many games.

    Attributes:
        row: of the game.
        who: the learner, or the name of an agent.
        number: id of the action.
    """

    def __init__(self, row: int, who: str, number: int, *parts: Any) -> None:
        """Keep the parts (those of `IllegalAction` last) and make the message from them."""
        super().__init__(*parts)
        self.row, self.who, self.number = row, who, number
        legal = ", ".join(self.legal) or "nothing"
        self.args = (
            f"row {row}, {who}: action {number} ({self.action}) is illegal; legal: {legal}. {self.reason}",
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by parts."""
        _, parts = super().__reduce__()
        return type(self), (self.row, self.who, self.number, *parts)


class LearnerGames:
    """N games with one learner each.

    Args:
        variant: id of the variant.
        num_envs: N.
        seed: of the batch; row i has a seed of its own made from it. None leaves the games to `begin_rows`.
        rules: preset name or resolved rules.
        overrides: option values that replace the preset's.
        opponents: see :class:`~bezique_env.envs.opponents.Mixture`.
        episode: `"deal"` or `"match"`.
        draws: `"shared"` or `"queues"`.
        reward: `"score_difference"`, `"dense"`, `"settlement"` or `"win"`.
        dealer: who deals first: a seat, or `"random"`.
        seat: the learner's: a seat, `"random"`, or `"alternate"`: from one game of a row to the next.
        illegal: what an illegal action of a learner does: `"replace"` plays a legal one, drawn by a key of the
            row's game; `"raise"` raises and changes nothing.
        threads: of the batch.

    Attributes:
        batch: the games; its `observation` and `mask` are the learners', its `watched` their seats.
        mixture: the agents.
        opponent: int64 [N], the place in the mixture of the agent that plays the row's game.
        rewards: float64 [N], what the last step earned for the learner.
        returns: float64 [N], the sum of the rewards of the row's game.
        length: int64 [N], the learner's decisions in the row's game.
        replaced: bool [N], the last action was illegal and another was played.

    Raises:
        ValueError: an argument is not allowed; the message names the nearest spelling.
    """

    def __init__(
        self,
        variant: str,
        num_envs: int,
        seed: int | None = 0,
        *,
        rules: str | Rules | None = None,
        overrides: Mapping[str, Any] | None = None,
        opponents: Any = "random",
        episode: str = "deal",
        draws: str = "shared",
        reward: str = "score_difference",
        dealer: str | int = "random",
        seat: str | int = "alternate",
        illegal: str = "replace",
        threads: int = 1,
    ) -> None:
        """Make the batch and deal every game; see the class."""
        check_choice("illegal", illegal, ILLEGAL)
        n = check_count("num_envs", num_envs)
        if isinstance(seat, str):
            check_choice("seat", seat, SEATINGS)
        self.batch = batch = Batch(
            variant,
            n,
            0 if seed is None else seed,
            rules=rules,
            overrides=overrides,
            episode=episode,
            draws=draws,
            reward=reward,
            dealer=dealer,
            threads=threads,
        )
        self.mixture = Mixture(batch.rules, opponents)
        check_seating(seat, batch.seats)
        self.num_envs = n
        self._seating = seat
        self._raises = illegal == "raise"
        self._table = engine_of(variant).actions
        self.opponent = np.zeros(n, np.int64)
        self.rewards = np.zeros(n, np.float64)
        self.returns = np.zeros(n, np.float64)
        self.length = np.zeros(n, np.int64)
        self.replaced = np.zeros(n, np.bool_)
        self._game_number = np.zeros(n, np.int64)
        self._first_seat = np.arange(n) % batch.seats
        self._all = np.arange(n)
        self._actions = np.zeros(n, np.int64)
        # What the agents are asked with: rows, views, masks, keys and seats of the decisions of one round.
        self._waiting = np.zeros(n, np.int64)
        self._views = np.zeros(n, batch.views(self._all[:1]).dtype)
        self._masks = np.zeros(batch.mask.shape, np.int8)
        self._keys = np.zeros(n, np.uint64)
        self._seats = np.zeros(n, np.int64)
        if seed is not None:
            self._settle(self._all)
            self._play_agents(self._all)

    # ------------------------------------------------------------------------------------- new games

    def begin(self, seed: int) -> None:
        """Deal every row anew from the seed of a batch; row i has the seat i first, where seats alternate."""
        self.batch.reset(seed)
        self._first_seat[:] = self._all % self.batch.seats
        self._game_number[:] = 0
        self._settle(self._all)
        self._play_agents(self._all)

    def begin_rows(
        self,
        rows: NDArray[np.int64],
        seeds: NDArray[np.uint64] | None = None,
        deal: Callable[[int], Game] | None = None,
        seats: int | None = None,
    ) -> None:
        """Deal some rows anew.

        Args:
            rows: int [k], no row twice.
            seeds: uint64 [k], a seed for each: the deal of `Game(seed=...)`, followed by the games of a sequence
                that this seed starts. Where seats alternate, the row begins with the seat `seed % seats`. None
                goes on to the next game of each row.
            deal: makes the game of a seed, by the rules of these, where it is not just dealt.
            seats: the learner's seat in these games, where it is not to follow from the rule.
        """
        if not len(rows):
            return
        batch = self.batch
        if seeds is None:
            batch.restart_rows(rows)
            self._game_number[rows] += 1
        else:
            batch.reseed_rows(rows, seeds)
            self._first_seat[rows] = (seeds % np.uint64(batch.seats)).astype(np.int64)
            self._game_number[rows] = 0
        if deal is not None:
            for row, seed in zip(rows.tolist(), batch.games["seed"][rows].tolist(), strict=True):
                batch.games[row] = deal(seed).state
        self._settle(rows, seats)
        self._play_agents(rows)

    def _settle(self, rows: NDArray[np.int64], seats: int | None = None) -> None:
        """Seat the learner and choose the agent in rows that have just been dealt."""
        batch = self.batch
        if seats is not None:
            batch.watched[rows] = seats
        elif self._seating == "alternate":
            batch.watched[rows] = (self._first_seat[rows] + self._game_number[rows]) % batch.seats
        elif self._seating == "random":
            batch.watched[rows] = seats_by_key(batch.keys(SEAT_STREAM, rows), batch.seats)
        else:
            batch.watched[rows] = self._seating
        self.opponent[rows] = self.mixture.draw(batch.keys(OPPONENT_STREAM, rows))
        self.returns[rows] = 0.0
        self.length[rows] = 0
        self.replaced[rows] = False
        self.rewards[rows] = 0.0
        batch.earned[rows] = 0.0
        batch.show_rows(rows)

    # --------------------------------------------------------------------------------------- playing

    def check_actions(self, actions: Any) -> NDArray[np.int64]:
        """Return the actions of N learners as int64 [N].

        Raises:
            TypeError: they are no whole numbers.
            ValueError: the shape is another.
        """
        return whole_numbers("actions", actions, (self.num_envs,))

    def step(
        self,
        actions: Any,
        rows: NDArray[np.int64] | None = None,
        renewed: NDArray[np.int64] | None = None,
    ) -> None:
        """Play the learners' actions and then the agents', in all rows or in some.

        Args:
            actions: int [N]; those of other rows are not looked at.
            rows: int [k] in ascending order; None takes all.
            renewed: int [k], other rows, which go on to their next games instead (and earn nothing yet).

        Raises:
            TypeError: the actions are no whole numbers.
            ValueError: the shape is another, a game is over, or an action is none of the game; or it is illegal
                and `illegal="raise"` (then an `IllegalAction`). Nothing has changed.
        """
        batch, which = self.batch, self._all if rows is None else rows
        given = self.check_actions(actions)
        if batch.done[which].any():
            over = which[batch.done[which]].tolist()
            raise ValueError(f"the episodes of rows {over} are over: reset them first")
        wrong = int(kernels.find_illegal(which, given, batch.mask, self._waiting))
        if wrong < 0:
            row = -1 - wrong
            raise ValueError(
                f"row {row}: action {given[row]} is outside the action space 0..{self._table.size - 1}"
            )
        if wrong and self._raises:
            row = int(self._waiting[0])
            raise self._refusal(row, "learner", int(given[row]))
        self.replaced[which] = False
        if wrong:
            bad = self._waiting[:wrong]
            self._actions[:] = given
            given = self._actions
            kernels.choose_legal(bad, batch.mask, batch.keys(ILLEGAL_STREAM, bad), given)
            self.replaced[bad] = True
        batch._step(which, given if rows is None else given[rows])
        self.length[which] += 1
        if renewed is not None and len(renewed):
            batch.restart_rows(renewed)
            self._game_number[renewed] += 1
            self._settle(renewed)
            self._play_agents(self._all)
        else:
            self._play_agents(which)
        if rows is None:
            self.rewards[:] = batch.earned
            batch.earned[:] = 0.0
            self.returns += self.rewards
        else:
            self.rewards[:] = 0.0
            self.rewards[which] = batch.earned[which]
            batch.earned[which] = 0.0
            self.returns[which] += self.rewards[which]

    def _play_agents(self, rows: NDArray[np.int64]) -> None:
        """Let the agents play in some rows until the learner is to decide or the game is over."""
        batch = self.batch
        while True:
            found = int(kernels.find_waiting(rows, batch.seat, batch.watched, self._waiting))
            if not found:
                return
            rows = self._waiting[:found].copy()
            if len(self.mixture.agents) == 1:
                self._let_play(self.mixture.agents[0], rows)
                continue
            which = self.opponent[rows]
            for number, agent in enumerate(self.mixture.agents):
                own = rows[which == number]
                if len(own):
                    self._let_play(agent, own)

    def ask(self, agent: Opponent, rows: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """Return what an agent would do in some rows (all by default), int64 [k]; nothing is played.

        Raises:
            TypeError: the agent's answer is no whole numbers.
            ValueError: it is not one for each row.
        """
        batch, which = self.batch, self._all if rows is None else rows
        k = len(which)
        seats, keys, views = self._seats[:k], self._keys[:k], self._views[:k]
        np.take(batch.seat, which, out=seats, mode="clip")
        np.take(batch.mask, which, axis=0, out=self._masks[:k], mode="clip")  # "raise" would buffer
        kernels.write_keys(batch.games, which, seats, keys)
        kernels.project_rows(batch.games, batch._vector, which, seats, views)
        return whole_numbers(f"the actions of {agent.name!r}", agent.act(views, self._masks[:k], keys), (k,))

    def _let_play(self, agent: Opponent, rows: NDArray[np.int64]) -> None:
        batch = self.batch
        actions = self.ask(agent, rows)
        batch._step(rows, actions)
        wrong = np.flatnonzero(batch.illegal[rows])
        if len(wrong):
            raise self._refusal(int(rows[wrong[0]]), agent.name, int(actions[wrong[0]]))

    def _refusal(self, row: int, who: str, action: int) -> ValueError:
        """Return the error of an action that is not legal in a row."""
        if not 0 <= action < self._table.size:
            return ValueError(f"row {row}, {who}: action {action} is outside 0..{self._table.size - 1}")
        try:
            self.batch.game(row).apply(action)
        except IllegalAction as refused:
            parts = (refused.seat, refused.phase, refused.action, refused.reason, refused.legal)
            return IllegalInRow(row, who, action, *parts)
        raise AssertionError(f"row {row}: action {action} is legal for the game")

    # ---------------------------------------------------------------------------------- saving a run

    def _arrays(self) -> dict[str, NDArray[Any]]:
        """Return what decides how the games go on, and what they show: the arrays themselves."""
        own = {
            name: vars(self)[name]
            for name in (
                "opponent",
                "rewards",
                "returns",
                "length",
                "replaced",
                "_game_number",
                "_first_seat",
            )
        }
        batch = self.batch
        games = {
            f"batch.{name}": vars(batch)[name]
            for name in ("games", "observation", "mask", "seat", "reward", "earned", "done", "illegal")
        }
        seeds = {f"batch.{name}": vars(batch)[name] for name in ("watched", "_first", "_episodes")}
        return {**own, **games, **seeds}

    def _facts(self) -> dict[str, NDArray[Any]]:
        """Return what games must have in common for one to go on from the other's state."""
        return {"batch._vector": self.batch._vector, "mixture.weights": self.mixture.weights}

    def get_state(self) -> dict[str, NDArray[Any]]:
        """Return everything that decides how the games go on, as arrays (copies)."""
        return {name: np.array(value) for name, value in {**self._arrays(), **self._facts()}.items()}

    def set_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what :meth:`get_state` returned.

        Raises:
            ValueError: the state is of other games (number, layout, rules or opponents differ); nothing has changed.
        """
        arrays, facts = self._arrays(), self._facts()
        now = {**arrays, **facts}
        fits = now.keys() == state.keys() and all(
            value.shape == np.shape(state[name]) and value.dtype == state[name].dtype
            for name, value in now.items()
        )
        if not fits or any(not np.array_equal(value, state[name]) for name, value in facts.items()):
            raise ValueError("this state is of other games: their number, layout, rules or opponents differ")
        for name, value in arrays.items():
            value[...] = state[name]


def seats_by_key(keys: NDArray[np.uint64], seats: int) -> NDArray[np.int64]:
    """Return a seat for each random key, uint64 [k], all equally likely."""
    return ((keys >> np.uint64(32)) * np.uint64(seats) >> np.uint64(32)).astype(np.int64)
