"""PettingZoo AEC environment: one :class:`~bezique_env.game.Game` behind PettingZoo's interface.

The adapter keeps no rules and no game state of its own: whose turn it is, what is legal, what a seat sees and
what it has scored all come from the game. See ``docs/envs.md`` for the keys and for when rewards arrive.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, BaseWrapper, OrderEnforcingWrapper

from bezique_env.envs.games import RENDER_MODES, deal_game, draw_table
from bezique_env.envs.spaces import check_choice, masked_observation
from bezique_env.game import REWARDS, Game, IllegalAction, resolve_rules
from bezique_env.rules import Rules

Observation = dict[str, NDArray[Any]]

ILLEGAL_REWARD = -1.0
"""What PettingZoo's convention gives the seat that made an illegal move (the other seat gets 0)."""


class GameAEC(AECEnv[str, Observation, int]):  # type: ignore[misc]
    """The raw environment: an illegal action raises `IllegalAction` and changes nothing.

    Args:
        variant: id of the game.
        rules: a preset of the variant (None takes its first), or resolved rules.
        overrides: options of the preset to change.
        episode: `"deal"`, or `"match"` to the target (where the game has none, a match is one deal).
        reward: `"score_difference"`, `"dense"`, `"settlement"` or `"win"`.
        render_mode: None, `"ansi"` (`render()` returns the table as text) or `"human"` (prints it after every step).
        draws: `"shared"` stock or a `"queues"` of its own for each seat.
        dealer: who deals first: 0, 1, or `"random"` (by the seed).
        render_seat: whose view is drawn; None draws the view of the seat that is to act.
    """

    metadata: dict[str, Any]

    def __init__(
        self,
        variant: str = "two_pack",
        rules: str | Rules | None = None,
        overrides: Mapping[str, Any] | None = None,
        episode: Literal["deal", "match"] = "deal",
        reward: Literal["score_difference", "dense", "settlement", "win"] = "score_difference",
        render_mode: Literal["ansi", "human"] | None = None,
        draws: Literal["shared", "queues"] = "shared",
        dealer: Literal["random", 0, 1] = "random",
        render_seat: int | None = None,
    ) -> None:
        super().__init__()
        check_choice("reward", reward, REWARDS)
        check_choice("render_mode", render_mode, RENDER_MODES)
        check_choice("render_seat", render_seat, (None, 0, 1))
        self.metadata = {
            "name": f"{variant}_v0",
            "render_modes": ["human", "ansi"],
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.render_mode = render_mode
        self.render_seat = render_seat
        self._rules = resolve_rules(variant, rules, overrides)
        self._reward = reward
        self._options: dict[str, Any] = {"episode": episode, "draws": draws, "dealer": dealer}
        self._game = deal_game(
            self._rules, 0, self._options, {}
        )  # refuses wrong options now; reset deals anew
        self._rng: np.random.Generator | None = None
        self.possible_agents = [f"player_{seat}" for seat in range(self._game.num_seats)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: masked_observation(variant) for agent in self.possible_agents}
        self.action_spaces = {
            agent: spaces.Discrete(self._game.num_actions) for agent in self.possible_agents
        }
        row = self.observation_space(self.possible_agents[0])["observation"]
        assert isinstance(row, spaces.Box)
        self.state_space = spaces.Box(np.tile(row.low, 2), np.tile(row.high, 2), dtype=np.float32)
        self.agents: list[str] = []

    @property
    def game(self) -> Game:
        """The game itself (what it shows is not limited to one seat)."""
        return self._game

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the observation space of a seat, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the action space of a seat, always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal a new game.

        Args:
            seed: the game's seed, 0 included. Without one it is drawn from the environment's own generator,
                which the last given seed started.
            options: `deck` (the texts of all cards in dealing order), `dealer` (0, 1 or `"random"`) and, with the
                cut bonus, `cut` (the number lifted, the number guessed); others are ignored.
        """
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        elif self._rng is None:
            self._rng = np.random.default_rng()
        assert self._rng is not None
        game_seed = int(self._rng.integers(2**63)) if seed is None else operator.index(seed)
        self._game = deal_game(self._rules, game_seed, self._options, options or {})
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self.agents[self._game.seat_to_act]
        self._skip_agent_selection = None
        # A turned seven and the cut may score before the first decision; the first step delivers it.
        self._delivered = 0
        self._write_infos()
        if self.render_mode == "human":
            self.render()

    def _write_infos(self) -> None:
        game = self._game
        self.infos: dict[str, dict[str, Any]]
        self.infos = {agent: {"action_mask": game.legal_mask(seat)} for agent, seat in self._seats.items()}

    def observe(self, agent: str) -> Observation:
        """Return what a seat sees now: fresh arrays, valid at any time, nothing changed."""
        seat = self._seats[agent]
        # After an illegal move has ended the game nobody is to act, whatever the game itself says.
        ended = self.terminations.get(agent, True)
        mask = np.zeros(self._game.num_actions, np.int8) if ended else self._game.legal_mask(seat)
        return {"observation": self._game.observation(seat), "action_mask": mask}

    def state(self) -> NDArray[np.float32]:
        """Return what both seats know together, float32 [2F]: the observation of each seat, player_0 first.

        It is for critics that may look at both hands while they train; a player must never see it. The cards
        that nobody has seen yet are not in it.
        """
        return np.concatenate([self._game.observation(seat) for seat in self._seats.values()])

    def step(self, action: int | None) -> None:
        """Play the action of the seat to act (None for a seat whose game is over).

        Raises:
            IllegalAction: the action is not legal now; nothing has changed.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is to act: None is only the step of a seat whose game is over")
        game = self._game
        game.apply(operator.index(action))
        over = game.is_over
        gained = 0.0  # by player_0; player_1 gains the opposite
        if self._reward == "dense":
            own, other = game.match_scores
            gained = float(own - other - self._delivered)
            self._delivered = own - other
        elif over:
            gained = float(game.returns(self._reward)[0])
        if over:
            self.terminations = dict.fromkeys(self.agents, True)
        self._cumulative_rewards[agent] = 0.0
        for name, points in zip(self.agents, (gained, -gained), strict=True):
            self.rewards[name] = points
            self._cumulative_rewards[name] += points
        if not over:
            self.agent_selection = self.agents[game.seat_to_act]
        self._write_infos()
        if self.render_mode == "human":
            self.render()

    def end_by_illegal_action(self, refused: IllegalAction, penalty: float = ILLEGAL_REWARD) -> None:
        """End the episode as PettingZoo's convention wants it after an illegal action.

        The offender is delivered `penalty` and nothing else, the other seat what it was still owed; both seats
        are terminated and truncated. The game keeps the position in which the action was refused.
        """
        offender = self.agent_selection
        self._cumulative_rewards[offender] = penalty
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.rewards[offender] = penalty
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        nothing = np.zeros(self._game.num_actions, np.int8)
        self.infos = {agent: {"action_mask": nothing.copy()} for agent in self.agents}
        self.infos[offender]["illegal_action"] = str(refused)

    def render(self) -> str | None:
        """Return the table as text (`"ansi"`) or print it (`"human"`), as one seat sees it."""
        if self.render_mode is None:
            EnvLogger.get_logger().warning(
                "render() needs env(render_mode='ansi') or env(render_mode='human')"
            )
            return None
        seat = self._seats[self.agent_selection] if self.render_seat is None else self.render_seat
        return draw_table(self._game, seat, self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""


class IllegalActionWrapper(BaseWrapper[str, Observation, int]):  # type: ignore[misc]
    """PettingZoo's convention for illegal actions, without state of its own.

    As with PettingZoo's `TerminateIllegalWrapper`, an illegal action ends the episode for all seats; the offender
    gets -1 and the other seat 0. So such an episode is NOT zero-sum, and in points -1 is next to nothing: mask
    the actions. `infos[offender]["illegal_action"]` says what was refused and why. (`GameAEC` without this
    wrapper raises instead; that is the better choice for finding the mistake.)
    """

    def step(self, action: int | None) -> None:
        """Play an action; an illegal one ends the episode."""
        try:
            super().step(action)
        except IllegalAction as refused:
            EnvLogger.warn_on_illegal_move()
            raw = self.unwrapped
            assert isinstance(raw, GameAEC)
            raw.end_by_illegal_action(refused)

    def __str__(self) -> str:
        return str(self.env)


def wrap(raw: GameAEC) -> AECEnv[str, Observation, int]:
    """Put PettingZoo's usual wrappers around the raw environment."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(IllegalActionWrapper(raw)))
