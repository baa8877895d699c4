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

from bezique_env.engine.engines import engine_of
from bezique_env.envs.batch import Batch
from bezique_env.envs.learner import LearnerGames
from bezique_env.envs.opponents import Opponent
from bezique_env.envs.spaces import observation_box
from bezique_env.rules import Rules


class GameVecEnv(VecEnv):
    """N games with one learner each.

    Every game draws its opponent from the mixture by a key of its own, so a row's games depend on (seed, row) and
    on what the learner plays in them, never on N or on the other rows.

    Args:
        variant: id of the variant.
        num_envs: N.
        seed: seed of the batch.
        rules: preset name or resolved rules.
        overrides: option values that replace the preset's.
        opponents: an agent (a name such as ``greedy`` or ``policy(PATH)``, or an object with
            ``act(views, masks, keys)``), or a mapping of agents to weights.
        episode: ``deal`` or ``match``.
        draws: ``shared`` or ``queues``.
        reward: ``dense``, ``score_difference``, ``settlement`` or ``win``.
        reward_scale: the rewards that a learner gets are multiplied by it (``info["episode"]["r"]`` is not).
        seat: the learner's: a number, ``random``, or ``alternate``: game ``e`` of row ``i`` gives it the seat
            ``(i + e) % seats``.
        illegal: what an illegal action does: ``raise`` (an `IllegalAction`; nothing has changed), or ``replace``
            by a legal one, drawn by a key of the game (``info["illegal_action"]`` of the row).
        dealer: who deals first: a seat, or ``random``.
        threads: threads that step the rows.

    Attributes:
        core: the games, their learners and opponents.

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
        opponents: str | Opponent | Mapping[Any, float] = "greedy",
        episode: str = "deal",
        draws: str = "shared",
        reward: str = "dense",
        reward_scale: float = 1.0,
        seat: str | int = "alternate",
        illegal: str = "raise",
        dealer: str | int = "random",
        threads: int = 1,
    ) -> None:
        """Make the batch and deal every game; see the class."""
        if not np.isfinite(reward_scale):
            raise ValueError(f"reward_scale: {reward_scale!r} must be a finite number")
        self.reward_scale = float(reward_scale)
        self.core = LearnerGames(
            variant,
            num_envs,
            seed,
            rules=rules,
            overrides=overrides,
            opponents=opponents,
            episode=episode,
            draws=draws,
            reward=reward,
            dealer=dealer,
            seat=seat,
            illegal=illegal,
            threads=threads,
        )
        super().__init__(
            self.core.num_envs, observation_box(variant), spaces.Discrete(engine_of(variant).actions.size)
        )
        self._fresh = True
        self._actions: Any = None
        self._empty: dict[str, Any] = {}

    @property
    def batch(self) -> Batch:
        """The games."""
        return self.core.batch

    @property
    def learner(self) -> NDArray[np.int64]:
        """The seat of each learner, int64 [N]."""
        return self.core.batch.watched

    @property
    def opponents(self) -> list[Opponent]:
        """The agents of the mixture."""
        return self.core.mixture.agents

    # --------------------------------------------------------------------------------------- playing

    def ask(self, agent: Opponent) -> NDArray[np.int64]:
        """Return what an agent would do as the learner of every row, int64 [N]; nothing is played."""
        return self.core.ask(agent)

    def reset(self) -> NDArray[np.float32]:
        """Deal new games and return the learners' first observations.

        The first reset keeps the games that the environment was made with; later ones go on to each row's
        next game, or begin anew from the number given to :meth:`seed`.
        """
        seed = self._seeds[0]
        if seed is not None:
            self.core.begin(seed)
        elif not self._fresh:
            self.core.begin_rows(np.arange(self.num_envs))
        self._fresh = False
        self._reset_seeds()
        self._reset_options()
        return self.batch.observation.copy()

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Take the learners' actions, int [N]."""
        self._actions = actions

    def step_wait(
        self,
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Play the actions, then the opponents; finished games are followed by new ones.

        Raises:
            TypeError: the actions are no whole numbers.
            ValueError: the shape is not [N], an action is outside the action space, or it is illegal (with
                ``illegal="raise"``, an `IllegalAction`). Nothing has changed.
        """
        core = self.core
        core.step(self._actions)
        self._fresh = False
        dones = core.batch.done.copy()
        rewards = (core.rewards * self.reward_scale).astype(np.float32)
        infos = [self._empty] * self.num_envs
        if core.replaced.any():
            for row in np.flatnonzero(core.replaced).tolist():
                infos[row] = {"illegal_action": True}
        ended = np.flatnonzero(dones)
        if len(ended):
            self._tell_ends(ended, infos)
            core.begin_rows(ended)
        return core.batch.observation.copy(), rewards, dones, infos

    def _tell_ends(self, ended: NDArray[np.int64], infos: list[dict[str, Any]]) -> None:
        core, names = self.core, self.core.mixture.names
        told = zip(
            ended.tolist(),
            core.batch.observation[ended],
            core.returns[ended].tolist(),
            core.length[ended].tolist(),
            core.batch.watched[ended].tolist(),
            core.opponent[ended].tolist(),
            strict=True,
        )
        for row, last, gained, length, seat, opponent in told:
            infos[row] = {
                **infos[row],
                "terminal_observation": last,
                "TimeLimit.truncated": False,
                "episode": {"r": gained, "l": length, "t": 0.0},
                "seat": seat,
                "opponent": names[opponent],
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
        """Let the threads go."""
        self.batch.close()

    # --------------------------------------------------------------------------------- saving a run

    def get_state(self) -> dict[str, NDArray[Any]]:
        """Return everything that decides how the games go on, as arrays (copies)."""
        return self.core.get_state()

    def set_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what :meth:`get_state` returned.

        Raises:
            ValueError: the state is of other games (number, layout, rules or opponents differ).
        """
        self.core.set_state(state)
        self._fresh = False
        self._reset_seeds()
