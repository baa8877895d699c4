"""RLCard's card games: plain Python, one game at a time."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from experiments.peers.contender import ONE, RANDOM, SEEN, Contender, Family, Play, Start, dice, repeated

LEGAL: dict[str, Callable[[Any], Any]] = {
    "gin-rummy": lambda game: game.judge.get_legal_actions(),
    "bridge": lambda game: game.judger.get_legal_actions(),
    "doudizhu": lambda game: game.state["actions"],
    "leduc-holdem": lambda game: game.get_legal_actions(),
}
"""How the game beneath an environment lists its legal actions, as its own `step` takes them."""


def _make(name: str) -> Any:
    return importlib.import_module("rlcard").make(name, {"seed": 0})


def _random(name: str) -> Play:
    game, draws, legal_of = _make(name).game, dice(), LEGAL[name]

    def chunk() -> tuple[int, int]:
        game.init_game()
        decisions = 0
        while not game.is_over():
            legal = legal_of(game)
            game.step(legal[int(next(draws) * len(legal))])
            decisions += 1
        return decisions, 1

    return repeated(chunk)


def _seen(name: str) -> Play:
    env, draws = _make(name), dice()

    def chunk() -> tuple[int, int]:
        state, _ = env.reset()
        decisions = 0
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(next(draws) * len(legal))])
            decisions += 1
        return decisions, 1

    return repeated(chunk)


def contenders() -> list[Contender]:
    """List the games."""
    found = []
    for name in LEGAL:
        shape = "x".join(map(str, np.shape(_make(name).reset()[0]["obs"])))
        seen = f"{shape} array, legal actions as a dictionary"
        found += [
            Contender(name, RANDOM, ONE, "the game beneath the environment", partial(_random, name)),
            Contender(name, SEEN, ONE, "Env.step", partial(_seen, name), seen),
        ]
    return found


_STARTS = tuple(
    Start(
        name,
        "rlcard.make",
        "import rlcard",
        f"e = rlcard.make({name!r}); s, p = e.reset()",
        "s, p = e.step(next(iter(s['legal_actions'])))",
    )
    for name in ("gin-rummy",)
)

FAMILY = Family("RLCard", "rlcard", "rlcard", "pip install rlcard", contenders, _STARTS)
