"""Gymnasium environment for one learner: the other seat is played inside `step` by an agent.

An observation is always the learner's own decision; `step` plays the learner's action and then lets the
opponent play until the learner has to decide again or the game is over. What the learner's seat has earned in
between is the reward. See ``docs/envs.md``.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from bezique_env.engine.rng import STREAM_BATCH, key_of
from bezique_env.envs.games import RENDER_MODES, deal_game, draw_table
from bezique_env.envs.learner import (
    ILLEGAL,
    ILLEGAL_STREAM,
    OPPONENT_STREAM,
    SEAT_STREAM,
    check_seating,
    seats_by_key,
)
from bezique_env.envs.opponents import Mixture, Opponent
from bezique_env.envs.rows import choose_legal
from bezique_env.envs.spaces import check_choice, masked_observation, observation_box
from bezique_env.game import REWARDS, Game, resolve_rules
from bezique_env.rules import Rules


def agent_action(game: Game, agent: Opponent) -> int:
    """Ask an agent for the action of the seat to act, from that seat's view alone."""
    seat = game.seat_to_act
    actions = agent.act(game.view_record(seat), game.legal_mask(seat)[None], game.decision_key(seat))
    return int(actions[0])


class RenderModeError(ValueError, TypeError):
    """There is no such render mode.

    It is a `TypeError` too, because Stable-Baselines3's `make_vec_env(id)` asks every environment for pictures
    first (`"rgb_array"`) and goes without after a `TypeError`.
    """


class GameSingle(gymnasium.Env[Any, Any]):
    """One learner against one agent.

    Args:
        variant: id of the game.
        opponent: an agent's name (`"greedy"`), an object with `act(views, masks, keys)`, or a mapping of them to
            weights, from which each game draws one.
        seat: the learner's seat: 0, 1, `"random"`, or `"alternate"`: it changes at every reset, and a seeded
            reset starts at seat `seed % 2`.
        illegal: what an illegal action does: `"replace"` plays a legal one, drawn by a key of the game, and sets
            `info["illegal_action"]`; `"raise"` raises `IllegalAction`.
        observation: `"flat"` (the row alone) or `"dict"` (`{"observation", "action_mask"}`).
        rules: a preset of the variant (None takes its first), or resolved rules.
        overrides: options of the preset to change.
        episode: `"deal"`, or `"match"` to the target (where the game has none, a match is one deal).
        reward: `"score_difference"`, `"dense"`, `"settlement"` or `"win"`.
        render_mode: None, `"ansi"` or `"human"`.
        draws: `"shared"` or `"queues"`.
        dealer: 0, 1 or `"random"`.
    """

    metadata: dict[str, Any] = {"render_modes": ["human", "ansi"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        variant: str = "two_pack",
        *,
        opponent: Any = "random",
        seat: Literal["alternate", "random", 0, 1] = "alternate",
        illegal: Literal["replace", "raise"] = "replace",
        observation: Literal["flat", "dict"] = "flat",
        rules: str | Rules | None = None,
        overrides: Mapping[str, Any] | None = None,
        episode: Literal["deal", "match"] = "deal",
        reward: Literal["score_difference", "dense", "settlement", "win"] = "score_difference",
        render_mode: Literal["ansi", "human"] | None = None,
        draws: Literal["shared", "queues"] = "shared",
        dealer: Literal["random", 0, 1] = "random",
    ) -> None:
        check_choice("illegal", illegal, ILLEGAL)
        check_choice("observation", observation, ("flat", "dict"))
        check_choice("reward", reward, REWARDS)
        try:
            check_choice("render_mode", render_mode, RENDER_MODES)
        except ValueError as error:
            raise RenderModeError(str(error)) from None
        self.render_mode = render_mode
        self._rules = resolve_rules(variant, rules, overrides)
        self.mixture = Mixture(self._rules, opponent)
        self._options: dict[str, Any] = {"episode": episode, "draws": draws, "dealer": dealer}
        self._seat_rule = seat
        self._illegal = illegal
        self._reward = reward
        self._dict = observation == "dict"
        self._game = deal_game(
            self._rules, 0, self._options, {}
        )  # refuses wrong options now; reset deals anew
        check_seating(seat, self._game.num_seats)
        self._seat = 0
        self._opponent = 0
        self._first_seed: int | None = None
        self._episodes = 0
        self._delivered = 0
        self.action_space = spaces.Discrete(self._game.num_actions)
        self.observation_space = masked_observation(variant) if self._dict else observation_box(variant)

    @property
    def game(self) -> Game:
        """The game itself (what it shows is not limited to the learner's seat)."""
        return self._game

    @property
    def seat(self) -> int:
        """The learner's seat in this episode."""
        return self._seat

    @property
    def opponent(self) -> Opponent:
        """The agent that plays this episode."""
        return self.mixture.agents[self._opponent]

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the legal actions of the learner, as sb3-contrib's MaskablePPO asks for them."""
        return self._game.legal_mask(self._seat).astype(np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Deal a new game and let the opponent play up to the learner's first decision.

        Args:
            seed: the game's seed (the same deal as `Game(seed=...)`); without one the game is the next of the
                sequence that the last given seed started (where none was given, one from the system).
            options: `deck`, `dealer`, `cut` (with the cut bonus) and `seat` (0 or 1) for this episode; others are
                ignored.
        """
        super().reset(seed=seed)
        given = options or {}
        first, number = self._first_seed, self._episodes + 1
        if seed is not None or first is None:
            first = int(self.np_random.integers(2**63)) if seed is None else operator.index(seed)
            number = 0
        # The sequence of a row of a batch: this environment is a row of `GameVectorEnv`.
        game_seed = int(key_of(np.uint64(first), STREAM_BATCH, number)) if number else first
        if "seat" in given:
            check_choice("options['seat']", given["seat"], tuple(range(self._game.num_seats)))
        self._game = deal_game(self._rules, game_seed, self._options, given)
        self._first_seed, self._episodes = first, number
        if "seat" in given:
            self._seat = given["seat"]
        elif self._seat_rule == "alternate":
            self._seat = (first + number) % self._game.num_seats
        elif self._seat_rule == "random":
            self._seat = int(seats_by_key(self._game.decision_key(SEAT_STREAM), self._game.num_seats)[0])
        else:
            self._seat = int(self._seat_rule)
        self._opponent = int(self.mixture.draw(self._game.decision_key(OPPONENT_STREAM))[0])
        self._play_opponent()
        # What was scored before the learner's first decision comes with its first step.
        self._delivered = 0
        if self.render_mode == "human":
            self.render()
        return self._observe(), self._info(False)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play the learner's action, then the opponent's until the learner is to decide again.

        Raises:
            IllegalAction: the action is not legal and `illegal="raise"`.
            ValueError: the action is outside the action space, or the episode is over.
        """
        if self._game.is_over:
            raise ValueError("the episode is over: call reset() first")
        game = self._game
        wanted = operator.index(action)
        if not 0 <= wanted < game.num_actions:
            raise ValueError(f"action {wanted} is outside the action space 0..{game.num_actions - 1}")
        replaced = False
        if self._illegal == "replace" and not game.legal_mask(self._seat)[wanted]:
            chosen = np.zeros(1, np.int64)
            mask, key = game.legal_mask(self._seat)[None], game.decision_key(ILLEGAL_STREAM)
            choose_legal(np.zeros(1, np.int64), mask, key, chosen)
            wanted, replaced = int(chosen[0]), True
        game.apply(wanted)
        self._play_opponent()
        over = game.is_over
        reward = 0.0
        if self._reward == "dense":
            difference = game.match_scores[self._seat] - game.match_scores[1 - self._seat]
            reward = float(difference - self._delivered)
            self._delivered = difference
        elif over:
            reward = float(game.returns(self._reward)[self._seat])
        if self.render_mode == "human":
            self.render()
        info = self._info(replaced)
        if over:
            info["scores"] = np.array([game.match_scores[self._seat], game.match_scores[1 - self._seat]])
        return self._observe(), reward, over, False, info

    def _play_opponent(self) -> None:
        game = self._game
        while not game.is_over and game.seat_to_act != self._seat:
            game.apply(agent_action(game, self.opponent))

    def _observe(self) -> Any:
        row = self._game.observation(self._seat)
        return {"observation": row, "action_mask": self._game.legal_mask(self._seat)} if self._dict else row

    def _info(self, replaced: bool) -> dict[str, Any]:
        return {
            "action_mask": self._game.legal_mask(self._seat),
            "illegal_action": replaced,
            "seat": self._seat,
            "opponent": self._opponent,
        }

    def render(self) -> Any:
        """Return the learner's table as text (`"ansi"`) or print it (`"human"`)."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs render_mode='ansi' or 'human' when the environment is made")
            return None
        return draw_table(self._game, self._seat, self.render_mode)
