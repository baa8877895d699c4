"""Our games, every way they can be played: compiled loop, batch, and one game at a time."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import bezique_env
from agents.scripted.random_agent import RandomAgent
from bezique_env.encoding import observation_size
from bezique_env.engine.engines import engine_of
from bezique_env.envs.single_agent import GameSingle
from bezique_env.rules import get_rules
from experiments.bench import ENGINE, OBSERVATION, Loop, record_deals
from experiments.peers.contender import (
    BATCH,
    KNOWN,
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
from experiments.peers.pettingzoo import aec_game

GAMES = ("two_pack", "belote")
BATCH_SIZES = (256, 1024)
GAMES_IN_TURN = 256
"""Games of a loop of random players; the mean length of as many deals turns its decisions into games."""
RECORDED = 2048
"""Deals that are played again: so many that the processor does not learn their course."""


def _loop(variant: str, how: Callable[[Loop], int], deals: int = GAMES_IN_TURN) -> Play:
    loop = Loop(variant, 0, deals)
    begun = 0.0

    def chunk() -> tuple[int, int]:
        nonlocal begun
        decisions = how(loop)
        begun += decisions / loop.decisions_a_deal
        games = int(begun)
        begun -= games
        return decisions, games

    return repeated(chunk)


def _batch(variant: str, num_games: int) -> Play:
    batch = bezique_env.make_batch(variant, num_games=num_games, seed=0, autoreset=True)
    player = RandomAgent()
    nobody = np.zeros(
        0, engine_of(variant).view_dtype(batch.rules.shape)
    )  # random players look at the mask only

    def chunk() -> tuple[int, int]:
        batch.step(player.act(nobody, batch.mask, batch.keys(0)))
        return num_games, int(np.count_nonzero(batch.done))

    return repeated(chunk)


def _batch_of_one(variant: str) -> Play:
    batch = bezique_env.make_batch(variant, num_games=1, seed=0, autoreset=True)
    draws, mask, done, action = dice(), batch.mask[0], batch.done, np.zeros(1, np.int64)

    def chunk() -> tuple[int, int]:
        legal = mask.nonzero()[0]
        action[0] = legal[int(next(draws) * len(legal))]
        batch.step(action)
        return 1, int(done[0])

    return repeated(chunk)


def _game_known(variant: str) -> Play:
    seeds, actions, lengths = record_deals(variant, 256, 0)
    recorded = [
        (int(seed), [int(action) for action in row[:length]])
        for seed, row, length in zip(seeds, actions, lengths, strict=True)
    ]
    place = 0

    def chunk() -> tuple[int, int]:
        nonlocal place
        seed, chosen = recorded[place % len(recorded)]
        place += 1
        game = bezique_env.Game(variant, seed=seed)
        for action in chosen:
            game.apply(action)
        return len(chosen), 1

    return repeated(chunk)


def _game(variant: str, observed: bool) -> Play:
    draws, seed = dice(), 0

    def chunk() -> tuple[int, int]:
        nonlocal seed
        seed += 1
        game = bezique_env.Game(variant, seed=seed)
        decisions = 0
        while not game.is_over:
            if observed:
                game.observation(game.seat_to_act)
            legal = game.legal_actions()
            game.apply(legal[int(next(draws) * len(legal))])
            decisions += 1
        return decisions, 1

    return repeated(chunk)


def _single(variant: str) -> Play:
    env = GameSingle(variant, opponent="random")
    draws = dice()
    mask = env.reset(seed=0)[1]["action_mask"]

    def chunk() -> tuple[int, int]:
        nonlocal mask
        legal = mask.nonzero()[0]
        _, _, ended, cut, info = env.step(int(legal[int(next(draws) * len(legal))]))
        over = bool(ended or cut)
        mask = env.reset()[1]["action_mask"] if over else info["action_mask"]
        return 1, int(over)

    return repeated(chunk)


def _aec(variant: str, name: str) -> Play:
    return aec_game(getattr(importlib.import_module(f"bezique_env.{variant}_v0"), name)())


def contenders() -> list[Contender]:
    """List our contenders."""
    found = []
    for variant in GAMES:
        seen = f"{observation_size(variant)} float32, written in place, of the seat to act"
        copied = f"{observation_size(variant)} float32, a new row each time"

        def add(
            level: str, mode: str, how: str, make: Any, observation: str = "", variant: str = variant
        ) -> None:
            found.append(Contender(variant, level, mode, how, partial(make, variant), observation))

        again = partial(_loop, how=lambda loop: loop.play(RECORDED, ENGINE), deals=RECORDED)
        add(KNOWN, LOOP, f"{RECORDED:,} recorded deals again", again)
        add(KNOWN, ONE, "Game.apply", _game_known)
        add(
            RANDOM,
            LOOP,
            "a legal action found and applied",
            partial(_loop, how=lambda loop: loop.roll_out(64)),
        )
        add(RANDOM, ONE, "Game.legal_actions, apply", partial(_game, observed=False))
        watched = partial(_loop, how=lambda loop: loop.play(64, OBSERVATION))
        add(SEEN, LOOP, f"random players over {GAMES_IN_TURN} games", watched, seen)
        for size in BATCH_SIZES:
            how = f"make_batch, {size:,} games, random players included"
            add(SEEN, BATCH, how, partial(_batch, num_games=size), seen)
        add(SEEN, ONE, "make_batch, 1 game", _batch_of_one, seen)
        add(SEEN, ONE, "Game.observation, legal_actions, apply", partial(_game, observed=True), copied)
        add(SEEN, ONE, "PettingZoo raw_env", partial(_aec, name="raw_env"), copied)
        add(SEEN, ONE, "PettingZoo env", partial(_aec, name="env"), copied)
        add(SEEN, ONE, "GameSingle (Gymnasium) against random; steps of the learner", _single, copied)
    return found


def _starts() -> tuple[Start, ...]:
    found = []
    for variant in GAMES:
        get_rules(variant)  # a wrong name is told here, not in a fresh process
        found += [
            Start(
                variant,
                "Game",
                "import bezique_env",
                f"g = bezique_env.Game({variant!r}, seed=1); g.observation(g.seat_to_act); a = g.legal_actions()[0]",
                "g.apply(a); g.observation(g.seat_to_act); g.legal_actions()",
            ),
            Start(
                variant,
                "PettingZoo raw_env",
                f"from bezique_env import {variant}_v0 as m",
                "e = m.raw_env(); e.reset(seed=1); o = e.last()[0]",
                "e.step(int(o['action_mask'].argmax())); e.last()",
            ),
            Start(
                variant,
                "make_batch, 1,024 games",
                "import bezique_env",
                f"b = bezique_env.make_batch({variant!r}, num_games=1024, seed=1)",
                "b.step(b.mask.argmax(axis=1))",
            ),
        ]
    return tuple(found)


FAMILY = Family("bezique-env", "bezique_env", "bezique-env", "pip install bezique-env", contenders, _starts())
