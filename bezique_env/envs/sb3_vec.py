"""Many learners' games as one Stable-Baselines3 ``VecEnv``, stepped in this process by the compiled batch.

In each game one seat learns and an agent plays the other inside :meth:`GameVecEnv.step`. An observation is
always a decision of the learner; its reward is all that its seat has earned (and the other has not) between
that decision and the next one or the end. Importing this module imports Stable-Baselines3; nothing else of
the library does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env.base_vec_env import VecEnv

from bezique_env.encoding.rows import encode_row
from bezique_env.engine.engines import engine_of
from bezique_env.envs.batch import make_batch
from bezique_env.envs.single_agent import Opponent, resolve_opponent
from bezique_env.envs.spaces import check_choice, observation_box
from bezique_env.rules import Rules

OPPONENT_STREAM = 1_000
"""Stream of a game's key that decides which opponent plays it."""


class GameVecEnv(VecEnv):
    """N games with one learner each.

    The learner's seat alternates: game ``e`` of row ``i`` gives it seat ``(i + e) % 2``. Every game draws its
    opponent from the mixture by a number of its own, so a row's games depend on (seed, row) and on what the
    learner plays in them, never on N or on the other rows.

    Args:
        variant: id of the variant.
        num_envs: N.
        seed: seed of the batch.
        rules: preset name or resolved rules.
        overrides: option values that replace the preset's.
        opponents: an agent (name or object), or a mapping of agents' names to weights.
        episode: ``deal`` or ``match``.
        draws: ``shared`` or ``queues``.
        reward: ``dense``, ``score_difference``, ``settlement`` or ``win``.
        reward_scale: the rewards that a learner gets are multiplied by it (``info["episode"]["r"]`` is not).

    Raises:
        ValueError: an argument is not allowed; the message names the nearest spelling.
    """

    def __init__(
        self,
        variant: str = "two_pack",
        num_envs: int = 64,
        seed: int = 0,
        *,
        rules: str | Rules | None = None,
        overrides: Mapping[str, Any] | None = None,
        opponents: str | Opponent | Mapping[str, float] = "greedy",
        episode: str = "deal",
        draws: str = "shared",
        reward: str = "dense",
        reward_scale: float = 1.0,
    ) -> None:
        """Make the batch and deal every game; see the class."""
        check_choice("reward", reward, ("dense", "score_difference", "settlement", "win"))
        mixture: Mapping[Any, float] = opponents if isinstance(opponents, Mapping) else {opponents: 1.0}
        weights = np.array([float(w) for w in mixture.values()])
        if not len(weights) or weights.min() < 0 or not np.isfinite(weights).all() or weights.sum() <= 0:
            raise ValueError(
                f"opponents: the weights {list(mixture.values())} must be 0 or more, one of them above 0"
            )
        self.opponents = [resolve_opponent(agent) for agent in mixture]
        self._bounds = np.cumsum(weights) / weights.sum()
        self._dense = reward == "dense"
        self.reward_scale = float(reward_scale)
        self.batch = make_batch(
            variant,
            num_games=num_envs,
            seed=seed,
            rules=rules,
            overrides=overrides,
            episode=episode,
            draws=draws,
            reward=reward,
        )
        self._table = engine_of(variant).actions
        super().__init__(num_envs, observation_box(variant), spaces.Discrete(self._table.size))
        self._rows = np.arange(num_envs)
        self.learner = np.zeros(num_envs, np.int64)
        self._game_number = np.zeros(num_envs, np.int64)
        self._opponent = np.zeros(num_envs, np.int64)
        self._delivered = np.zeros(num_envs, np.float64)  # of the game's return so far
        self._length = np.zeros(num_envs, np.int64)
        self._fresh = True
        self._actions = np.zeros(num_envs, np.int64)
        self._empty: dict[str, Any] = {}
        self._start(self._rows)

    # --------------------------------------------------------------------------------------- playing

    def _start(self, rows: NDArray[np.int64]) -> None:
        """Seat the learner and choose the opponent in rows that have just been dealt, and play up to it."""
        batch = self.batch
        self.learner[rows] = (rows + self._game_number[rows]) % 2
        draw = (batch.keys(OPPONENT_STREAM, rows) >> np.uint64(11)) * 2.0**-53
        self._opponent[rows] = np.minimum(
            np.searchsorted(self._bounds, draw, "right"), len(self.opponents) - 1
        )
        self._delivered[rows] = 0.0
        self._length[rows] = 0
        self._play_opponents(rows)

    def _play_opponents(self, rows: NDArray[np.int64]) -> None:
        """Let the opponents play in some rows until the learner is to decide or the game is over."""
        batch = self.batch
        while True:
            seats = batch.seat[rows]
            rows = rows[(seats >= 0) & (seats != self.learner[rows])]
            if not len(rows):
                return
            if len(self.opponents) == 1:
                self._let_play(self.opponents[0], rows)
            else:
                which = self._opponent[rows]
                for number in np.unique(which):
                    self._let_play(self.opponents[number], rows[which == number])

    def ask(self, agent: Opponent, rows: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """Return what an agent would do in some rows (all by default); nothing is played."""
        batch = self.batch
        which = self._rows if rows is None else rows
        keys = np.where(batch.seat[which] == 0, batch.keys(0, which), batch.keys(1, which))
        return agent.act(batch.views(which), batch.mask[which], keys)

    def _let_play(self, agent: Opponent, rows: NDArray[np.int64]) -> None:
        actions = self.ask(agent, rows)
        self.batch.step_rows(rows, actions)
        self._check(rows, actions, agent.name)

    def _check(self, rows: NDArray[np.int64], actions: NDArray[np.int64], who: str) -> None:
        wrong = np.flatnonzero(self.batch.illegal[rows])
        if len(wrong):
            row, action = int(rows[wrong[0]]), int(actions[wrong[0]])
            size = self._table.size
            text = self._table.text(action) if 0 <= action < size else f"outside 0..{size - 1}"
            legal = ", ".join(self._table.text(int(a)) for a in np.flatnonzero(self.batch.mask[row]))
            raise ValueError(f"row {row}, {who}: action {action} ({text}) is illegal; legal: {legal}")

    def reset(self) -> NDArray[np.float32]:
        """Deal new games and return the learners' first observations.

        The first reset keeps the games that the environment was made with; later ones go on to each row's
        next game, or begin anew from the number given to :meth:`seed`.
        """
        seed = self._seeds[0]
        if seed is not None:
            self.batch.reset(seed)
            self._game_number[:] = 0
            self._start(self._rows)
        elif not self._fresh:
            self.batch.reset()
            self._game_number += 1
            self._start(self._rows)
        self._fresh = False
        self._reset_seeds()
        self._reset_options()
        return self.batch.observation.copy()

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Take the learners' actions, int [N]."""
        self._actions = np.asarray(actions, np.int64)

    def step_wait(
        self,
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Play the actions, then the opponents; finished games are followed by new ones.

        Raises:
            ValueError: an action is not legal.
        """
        batch = self.batch
        self._fresh = False
        batch.step(self._actions)
        self._check(self._rows, self._actions, "learner")
        self._length += 1
        self._play_opponents(self._rows)
        worth = self._worth()
        earned = worth - self._delivered
        self._delivered = worth
        dones = batch.done.copy()
        infos = [self._empty] * self.num_envs
        ended = np.flatnonzero(dones)
        if len(ended):
            self._tell_ends(ended, infos)
        rewards = (earned * self.reward_scale).astype(np.float32)
        if len(ended):
            self._game_number[ended] += 1
            batch.restart_rows(ended)
            self._start(ended)
        return batch.observation.copy(), rewards, dones, infos

    def _worth(self) -> NDArray[np.float64]:
        """Return what each learner's game is worth to it by now: the sum of all its rewards so far."""
        if (
            self._dense
        ):  # read off the score, so that points nobody's decision earned (a turned seven) count too
            totals = self.batch.games["match_scores"] + self.batch.games["scores"]
            first = (totals[:, 0] - totals[:, 1]).astype(np.float64)
        else:
            first = np.zeros(self.num_envs, np.float64)
            ended = np.flatnonzero(self.batch.done)
            first[ended] = self.batch.returns(ended)[:, 0]
        worth: NDArray[np.float64] = np.where(self.learner == 0, first, -first)
        return worth

    def _tell_ends(self, ended: NDArray[np.int64], infos: list[dict[str, Any]]) -> None:
        views = self.batch.views(ended, self.learner[ended])
        last = np.zeros((len(ended), self.batch.observation.shape[1]), np.float32)
        for k, i in enumerate(ended):
            encode_row(views, k, last[k])
            infos[i] = {
                "terminal_observation": last[k],
                "TimeLimit.truncated": False,
                "episode": {"r": float(self._delivered[i]), "l": int(self._length[i]), "t": 0.0},
                "seat": int(self.learner[i]),
                "opponent": self.opponents[self._opponent[i]].name,
            }

    # ---------------------------------------------------------------------------- what SB3 asks a VecEnv

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the legal actions of every learner, bool [N, A]."""
        return self.batch.mask.astype(np.bool_)

    def _picked(self, indices: Any) -> list[int]:
        return [int(i) for i in self._get_indices(indices)]

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> Any:
        """Answer ``action_masks`` (one row for each game) and ``render``.

        Raises:
            AttributeError: the games have no other method.
        """
        if method_name == "action_masks":
            masks = self.action_masks()
            return masks if indices is None else masks[self._picked(indices)]
        if method_name == "render":
            return [None for _ in self._picked(indices)]
        raise AttributeError(f"the games of {type(self).__name__} have no method {method_name!r}")

    def has_attr(self, attr_name: str) -> bool:
        """Return whether the games have an attribute."""
        return attr_name in ("action_masks", "render_mode") or hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute, the same for every game.

        Raises:
            AttributeError: there is none.
        """
        if attr_name == "render_mode":
            return [None for _ in self._picked(indices)]
        value = getattr(self, attr_name)
        return [value for _ in self._picked(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refuse: the games have no attributes of their own to set.

        Raises:
            AttributeError: always.
        """
        raise AttributeError(f"{attr_name!r} cannot be set: make another {type(self).__name__}")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Return False for every game."""
        return [False for _ in self._picked(indices)]

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """Return no pictures."""
        return [None] * self.num_envs

    def close(self) -> None:
        """Nothing to close."""

    # --------------------------------------------------------------------------------- saving a run

    def get_state(self) -> dict[str, NDArray[Any]]:
        """Return everything that decides how the games go on, as arrays (copies)."""
        own = {name: value for name, value in vars(self).items() if isinstance(value, np.ndarray)}
        games = {f"batch.{name}": v for name, v in vars(self.batch).items() if isinstance(v, np.ndarray)}
        return {name: np.array(value) for name, value in {**own, **games}.items()}

    def set_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what :meth:`get_state` returned.

        Raises:
            ValueError: the state is of other games (number, layout, rules or opponents differ).
        """
        now = self.get_state()
        fits = now.keys() == state.keys() and all(
            now[name].shape == np.shape(state[name]) and now[name].dtype == state[name].dtype for name in now
        )
        if not fits or any(
            not np.array_equal(now[name], state[name]) for name in ("batch._vector", "_bounds")
        ):
            raise ValueError("this state is of other games: their number, layout, rules or opponents differ")
        for name, value in state.items():
            owner, _, attribute = name.rpartition(".")
            target = getattr(self.batch if owner else self, attribute)
            if target.flags.writeable:
                target[...] = value
        self._fresh = False
        self._reset_seeds()
