"""colver: Belote contrée (four players, a Rust engine with Python bindings)."""

from __future__ import annotations

import importlib
from typing import Any

from experiments.peers.contender import (
    LOOP,
    ONE,
    RANDOM,
    SEEN,
    Contender,
    Family,
    Play,
    Start,
    dice,
    repeated,
)

GAME = "belote contrée"
ROLL_OUTS = 1000
CARDS = 32
SAMPLES = 2000
_SPADES_80 = (0, 80, 0, 0)
"""A contract: trump, value, team, not doubled."""


def _env() -> Any:
    return importlib.import_module("colver").Env()


def _step(env: Any, draws: Any) -> tuple[int, int]:
    _, legal = env.reset()
    decisions, over = 0, False
    while not over:
        _, _, over, legal = env.step(legal[int(next(draws) * len(legal))])
        decisions += 1
    return decisions, 1


def _roll_out_cards() -> Play:
    """From a dealt hand whose auction is over: exactly 32 cards a roll-out."""
    env = _env()
    env.reset()
    env.set_contract(*_SPADES_80)
    env.set_phase_playing()

    def chunk() -> tuple[int, int]:
        env.rollout(ROLL_OUTS)
        return ROLL_OUTS * CARDS, ROLL_OUTS

    return repeated(chunk)


def _roll_out_hand() -> Play:
    """From a dealt hand before its auction: the decisions are those of random players, on the mean."""
    env, draws = _env(), dice()
    mean = sum(_step(env, draws)[0] for _ in range(SAMPLES)) / SAMPLES
    env.reset()

    def chunk() -> tuple[int, int]:
        env.rollout(ROLL_OUTS)
        return round(ROLL_OUTS * mean), ROLL_OUTS

    return repeated(chunk)


def _seen() -> Play:
    env, draws = _env(), dice()
    return repeated(lambda: _step(env, draws))


def contenders() -> list[Contender]:
    """List what can be driven; its step always makes the observation, so there is no lighter way from Python."""
    size = len(_env().reset()[0])
    told = f"{size} numbers and the legal actions, as Python lists"
    return [
        Contender(GAME, RANDOM, LOOP, "Env.rollout of the 32 cards, one dealt hand", _roll_out_cards),
        Contender(GAME, RANDOM, LOOP, "Env.rollout with the auction, one dealt hand", _roll_out_hand),
        Contender(GAME, SEEN, ONE, "Env.step", _seen, told),
    ]


_STARTS = (
    Start(GAME, "Env", "import colver", "e = colver.Env(); o, l = e.reset()", "o, r, d, l = e.step(l[0])"),
)

FAMILY = Family("colver", "colver", "colver", "pip install colver", contenders, _STARTS)
