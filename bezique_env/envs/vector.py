"""Many learners' games as one `gymnasium.vector.VectorEnv`, stepped in this process by the compiled batch.

Row i is what `GameSingle` with the seed of the row would be, game by game; keys, types and masks of the infos are
those of gymnasium's `SyncVectorEnv` over it. See ``docs/envs.md``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from bezique_env.engine.engines import engine_of
from bezique_env.envs.games import deal_game, draw_table
from bezique_env.envs.learner import LearnerGames
from bezique_env.envs.opponents import Opponent
from bezique_env.envs.spaces import check_choice, masked_observation, observation_box
from bezique_env.game import REWARDS, check_seed
from bezique_env.rules import Rules
from bezique_env.rules.registry import nearest

Infos = dict[str, Any]
SETUP = ("deck", "dealer", "cut")
"""Options of a reset that set up a deal."""


def autoreset(mode: Any) -> AutoresetMode:
    """Return an autoreset mode given as such or by its name (`"NextStep"`, `"SameStep"`, `"Disabled"`).

    Raises:
        ValueError: there is no such mode.
    """
    if isinstance(mode, AutoresetMode):
        return mode
    known = [one.value for one in AutoresetMode]
    if mode not in known:
        raise ValueError(
            f"autoreset_mode: {mode!r} is not allowed: one of {', '.join(known)}{nearest(mode, known)}"
        )
    return AutoresetMode(mode)


class GameVectorEnv(VectorEnv[Any, NDArray[np.int64], NDArray[Any]]):
    """N games with one learner each; the other seats are played inside `step`.

    `reset(seed=s)` gives row i the seed `s + i`, a list gives each row its own (None: the row's next game).

    Args:
        variant: id of the game.
        num_envs: N.
        opponent: an agent's name (`"greedy"`, `"policy(PATH)"`), an object with `act(views, masks, keys)`, or a
            mapping of them to weights, from which each game draws one.
        seat: the learner's seat: a number, `"random"`, or `"alternate"`: it changes with every game of a row,
            and a seeded reset starts at seat `seed % seats`.
        illegal: what an illegal action does: `"replace"` plays a legal one, drawn by a key of the game, and sets
            `infos["illegal_action"]`; `"raise"` raises `IllegalAction` and changes nothing.
        observation: `"flat"` (the rows alone) or `"dict"` (`{"observation", "action_mask"}`).
        autoreset_mode: gymnasium's enum, or `"NextStep"`, `"SameStep"`, `"Disabled"`.
        rules: a preset of the variant (None takes its first), or resolved rules.
        overrides: options of the preset to change.
        episode: `"deal"`, or `"match"` to the target (where the game has none, a match is one deal).
        reward: `"score_difference"`, `"dense"`, `"settlement"` or `"win"`.
        render_mode: None, or `"ansi"`: `render()` returns the table of each row as its learner sees it.
        draws: `"shared"` or `"queues"`.
        dealer: who deals first: a seat, or `"random"`.
        threads: threads that step the rows.
        copy: False returns the buffers of observations and masks themselves, which the next step overwrites.

    Raises:
        ValueError: an argument is not allowed; the message names the nearest spelling.
    """

    def __init__(
        self,
        variant: str = "two_pack",
        num_envs: int = 1,
        *,
        opponent: str | Opponent | Mapping[Any, float] = "random",
        seat: str | int = "alternate",
        illegal: Literal["replace", "raise"] = "replace",
        observation: Literal["flat", "dict"] = "flat",
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        rules: str | Rules | None = None,
        overrides: Mapping[str, Any] | None = None,
        episode: Literal["deal", "match"] = "deal",
        reward: Literal["score_difference", "dense", "settlement", "win"] = "score_difference",
        render_mode: Literal["ansi"] | None = None,
        draws: Literal["shared", "queues"] = "shared",
        dealer: str | int = "random",
        threads: int = 1,
        copy: bool = True,
    ) -> None:
        """Make the games; see the class."""
        check_choice("observation", observation, ("flat", "dict"))
        check_choice("reward", reward, REWARDS)
        check_choice("render_mode", render_mode, (None, "ansi"))
        check_choice("copy", copy, (True, False))
        self.autoreset_mode = autoreset(autoreset_mode)
        self.metadata = {"render_modes": ["ansi"], "render_fps": 1, "autoreset_mode": self.autoreset_mode}
        self.render_mode = render_mode
        self.copy = copy
        self.core = LearnerGames(
            variant,
            num_envs,
            None,
            rules=rules,
            overrides=overrides,
            opponents=opponent,
            episode=episode,
            draws=draws,
            reward=reward,
            dealer=dealer,
            seat=seat,
            illegal=illegal,
            threads=threads,
        )
        self.num_envs = num_envs = self.core.num_envs
        self._rules = self.core.batch.rules
        self._options: dict[str, Any] = {"episode": episode, "draws": draws, "dealer": dealer}
        self._dict = observation == "dict"
        self.single_action_space = spaces.Discrete(engine_of(variant).actions.size)
        self.single_observation_space = (
            masked_observation(variant) if self._dict else observation_box(variant)
        )
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._unseeded = np.ones(num_envs, np.bool_)
        self._ended = np.ones(num_envs, np.bool_)  # until the first reset
        self._every = np.ones(num_envs, np.bool_)

    @property
    def opponents(self) -> list[Opponent]:
        """The agents that `infos["opponent"]` counts."""
        return self.core.mixture.agents

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the legal actions of every learner, bool [N, A]; none where the game is over."""
        return self.core.batch.mask.astype(np.bool_)

    # ----------------------------------------------------------------------------------------- reset

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, Infos]:
        """Deal new games and let the opponents play up to the learners' first decisions.

        Args:
            seed: s gives row i the game of the seed s + i; a list a seed for each row. Rows without a seed go on
                to the next game of the sequence that the row's last seed started.
            options: `reset_mask`, bool [N]: only these rows are dealt anew. `deck`, `dealer`, `cut` (where the rules
                score it) and `seat` set up the games of all rows that are; others are ignored.

        Raises:
            TypeError: the reset mask is no array of bools.
            ValueError: a seed, a mask or an option is not allowed. Nothing has changed.
        """
        given = dict(options or {})
        chosen = self._every
        if "reset_mask" in given:
            chosen = self._check_mask(given["reset_mask"])
        seeds = self._seeds(seed)
        core, seat = self.core, given.get("seat")
        if "seat" in given:
            check_choice("options['seat']", seat, tuple(range(core.batch.seats)))
        deal = None
        if any(name in given for name in SETUP):
            deal = partial(deal_game, self._rules, options=self._options, given=given)
            deal(0)  # refuses wrong options before anything changes
        if seed is None or isinstance(seed, (int, np.integer)):
            super().reset(seed=None if seed is None else int(seed))
        fresh = np.flatnonzero(chosen & self._unseeded)
        for row in fresh[[seeds[row] is None for row in fresh]] if len(fresh) else ():
            seeds[row] = int(self.np_random.integers(2**63))
        rows = np.flatnonzero(chosen)
        seeded = np.array([seeds[row] is not None for row in rows], np.bool_)
        values = np.array([seeds[row] for row in rows[seeded]], np.uint64)
        core.begin_rows(rows[seeded], values, deal, seat)
        core.begin_rows(rows[~seeded], None, deal, seat)
        self._unseeded[rows] = False
        self._ended[rows] = False
        return self._observe(), self._infos(chosen)

    def _check_mask(self, mask: Any) -> NDArray[np.bool_]:
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            raise TypeError(f"options['reset_mask'] must be an array of bools, not {mask!r}")
        if mask.shape != (self.num_envs,):
            raise ValueError(f"options['reset_mask'] has the shape {mask.shape}, not ({self.num_envs},)")
        if not mask.any():
            raise ValueError("options['reset_mask'] picks no row")
        return mask.copy()

    def _seeds(self, seed: Any) -> list[int | None]:
        """Return the seed of each row, None where it has none."""
        n = self.num_envs
        if seed is None:
            return [None] * n
        if isinstance(seed, (str, bytes)) or not isinstance(seed, (Sequence, np.ndarray)):
            first = check_seed(seed)
            check_seed(first + n - 1)
            return list(range(first, first + n))
        if len(seed) != n:
            raise ValueError(f"seed: {len(seed)} seeds for {n} rows")
        return [None if one is None else check_seed(one) for one in seed]

    # ------------------------------------------------------------------------------------------ step

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Infos]:
        """Play the learners' actions, then the opponents' until the learners are to decide again.

        Args:
            actions: int [N]. With `NEXT_STEP`, rows that ended in the last step ignore theirs and are dealt anew.

        Raises:
            TypeError: the actions are no whole numbers.
            ValueError: the shape is another, an action is outside the action space, illegal (with
                `illegal="raise"`), or of a row that is over and has to be reset. Nothing has changed.
        """
        core, batch, mode = self.core, self.core.batch, self.autoreset_mode
        if mode == AutoresetMode.NEXT_STEP and self._ended.any() and not self._unseeded.any():
            core.step(actions, np.flatnonzero(~self._ended), np.flatnonzero(self._ended))
        elif self._unseeded.any():
            raise ValueError("reset() comes before the first step()")
        else:
            core.step(actions)
        rewards, terminated = core.rewards.copy(), batch.done.copy()
        self._ended[:] = terminated
        infos: Infos = {}
        if mode == AutoresetMode.SAME_STEP and terminated.any():
            ended = np.flatnonzero(terminated)
            infos = self._final(ended, terminated)
            core.begin_rows(ended)
            self._ended[:] = False
        infos.update(self._infos(self._every))
        return self._observe(), rewards, terminated, np.zeros(self.num_envs, np.bool_), infos

    def _final(self, ended: NDArray[np.int64], mask: NDArray[np.bool_]) -> Infos:
        """Return the last observations and infos of rows that are about to be dealt anew."""
        final = np.full(self.num_envs, None, object)
        batch = self.core.batch
        for row, last in zip(ended.tolist(), batch.observation[ended], strict=True):
            final[row] = (
                last if not self._dict else {"action_mask": batch.mask[row].copy(), "observation": last}
            )
        return {
            "final_obs": final,
            "_final_obs": mask.copy(),
            "final_info": self._infos(mask),
            "_final_info": mask.copy(),
        }

    def _observe(self) -> Any:
        batch = self.core.batch
        if not self._dict:
            return batch.observation.copy() if self.copy else batch.observation
        parts: dict[str, NDArray[Any]] = {"action_mask": batch.mask, "observation": batch.observation}
        return {name: part.copy() for name, part in parts.items()} if self.copy else parts

    def _infos(self, chosen: NDArray[np.bool_]) -> Infos:
        """Return what gymnasium tells of the chosen rows: zeros and a False mask for the others."""
        core, batch = self.core, self.core.batch
        parts: dict[str, NDArray[Any]] = {
            "action_mask": batch.mask,
            "illegal_action": core.replaced,
            "seat": batch.watched,
            "opponent": core.opponent,
        }
        infos: Infos = {}
        every = chosen is self._every
        for name, part in parts.items():
            if every:
                infos[name] = part.copy() if self.copy else part
            else:
                infos[name] = np.zeros_like(part)
                infos[name][chosen] = part[chosen]
            infos[f"_{name}"] = chosen.copy()
        over = chosen & batch.done
        if over.any():
            infos["scores"] = np.zeros((self.num_envs, batch.seats), np.int64)
            infos["scores"][over] = self._scores(np.flatnonzero(over))
            infos["_scores"] = over
        return infos

    def _scores(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the points of rows, int64 [k, seats], the learner's first."""
        batch = self.core.batch
        totals = (batch.games["match_scores"][rows] + batch.games["scores"][rows]).astype(np.int64)
        order = (batch.watched[rows][:, None] + np.arange(batch.seats)) % batch.seats
        return np.take_along_axis(totals, order, axis=1)

    def render(self) -> tuple[Any, ...] | None:
        """Return the table of every row as text, as its learner sees it; None without `render_mode`."""
        if self.render_mode is None:
            return None
        batch = self.core.batch
        return tuple(
            draw_table(batch.game(row), int(batch.watched[row]), self.render_mode)
            for row in range(self.num_envs)
        )

    def close_extras(self, **kwargs: Any) -> None:
        """Let the threads go."""
        self.core.batch.close()
