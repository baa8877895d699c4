"""OpenSpiel's card games: C++ states, driven from Python one game at a time or by its own compiled players."""

from __future__ import annotations

import importlib
from functools import partial
from typing import Any

from experiments.peers.contender import (
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

GAMES = ("skat", "euchre", "hearts", "gin_rummy")
DEALT = 8
"""Dealt hands from which the compiled roll-outs begin."""
SAMPLES = 50
"""Random games played from each of them to know how many decisions a roll-out takes on the mean."""
ROLL_OUTS = 64
RECORDED = 64
"""Games that are played again with known actions."""


def _spiel() -> Any:
    return importlib.import_module("pyspiel")


def _dealt(game: Any, draws: Any) -> Any:
    """Return a new state after its chance nodes; cards are drawn as chance says, each equally likely."""
    state = game.new_initial_state()
    while state.is_chance_node():
        legal = state.legal_actions()
        state.apply_action(legal[int(next(draws) * len(legal))])
    return state


def _finish(state: Any, draws: Any) -> int:
    """Play a state to its end at random and return the decisions of its players; chance nodes do not count."""
    decisions = 0
    while not state.is_terminal():
        legal = state.legal_actions()
        decisions += not state.is_chance_node()
        state.apply_action(legal[int(next(draws) * len(legal))])
    return decisions


def _known(name: str) -> Play:
    game, draws = _spiel().load_game(name), dice()
    recorded = []
    for _ in range(RECORDED):
        state = game.new_initial_state()
        decisions = _finish(state, draws)
        recorded.append((decisions, [int(action) for action in state.history()]))
    place = 0

    def chunk() -> tuple[int, int]:
        nonlocal place
        decisions, actions = recorded[place % len(recorded)]
        place += 1
        state = game.new_initial_state()
        for action in actions:
            state.apply_action(action)
        return decisions, 1

    return repeated(chunk)


def _random(name: str) -> Play:
    game, draws = _spiel().load_game(name), dice()
    return repeated(lambda: (_finish(game.new_initial_state(), draws), 1))


def _mean_decisions(states: list[Any], draws: Any) -> float:
    return sum(_finish(state.clone(), draws) for state in states for _ in range(SAMPLES)) / (
        len(states) * SAMPLES
    )


def _evaluator(name: str) -> Play:
    """The evaluator cannot be called from Python: a search of one simulation calls it once, at its root."""
    spiel, draws = _spiel(), dice()
    game = spiel.load_game(name)
    states = [_dealt(game, draws) for _ in range(DEALT)]
    mean = _mean_decisions(states, draws)
    evaluator = spiel.RandomRolloutEvaluator(n_rollouts=ROLL_OUTS, seed=1)
    bot = spiel.MCTSBot(game, evaluator, 1.0, 1, 1, False, 1, False)
    place = 0

    def chunk() -> tuple[int, int]:
        nonlocal place
        place += 1
        bot.mcts_search(states[place % DEALT])
        return round(ROLL_OUTS * mean), ROLL_OUTS

    return repeated(chunk)


def _bots(name: str) -> Play:
    spiel, draws = _spiel(), dice()
    game = spiel.load_game(name)
    mean = _mean_decisions([_dealt(game, draws) for _ in range(DEALT)], draws)
    bots = [spiel.make_uniform_random_bot(seat, 7 + seat) for seat in range(game.num_players())]
    first = game.new_initial_state()
    number, owed = 0, 0.0

    def chunk() -> tuple[int, int]:
        nonlocal number, owed
        spiel.evaluate_bots(first.clone(), bots, number)
        number = (number + 1) & 0x7FFFFFFF
        owed += mean
        decisions = int(owed)
        owed -= decisions
        return decisions, 1

    return repeated(chunk)


def _observer(game: Any) -> Any:
    """Return OpenSpiel's observer that writes into a NumPy buffer: its fastest way."""
    make = importlib.import_module("open_spiel.python.observation").make_observation
    if game.get_type().provides_observation_tensor:
        return make(game)
    return make(game, _spiel().IIGObservationType(perfect_recall=True))


def _seen(name: str) -> Play:
    game, draws = _spiel().load_game(name), dice()
    observer = _observer(game)

    def chunk() -> tuple[int, int]:
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            legal = state.legal_actions()
            if not state.is_chance_node():
                observer.set_from(state, state.current_player())
                decisions += 1
            state.apply_action(legal[int(next(draws) * len(legal))])
        return decisions, 1

    return repeated(chunk)


def _environment(name: str) -> Play:
    """OpenSpiel's own interface for learners."""
    module = importlib.import_module("open_spiel.python.rl_environment")
    env, draws = module.Environment(name), dice()
    env.seed(0)

    def chunk() -> tuple[int, int]:
        told = env.reset()
        decisions = 0
        while not told.last():
            legal = told.observations["legal_actions"][told.observations["current_player"]]
            told = env.step([legal[int(next(draws) * len(legal))]])
            decisions += 1
        return decisions, 1

    return repeated(chunk)


def _observation(game: Any) -> str:
    if game.get_type().provides_observation_tensor:
        kind, shape = "observation", game.observation_tensor_shape()
    else:
        kind, shape = "information state", game.information_state_tensor_shape()
    return f"{'x'.join(map(str, shape))} float32 ({kind})"


def contenders() -> list[Contender]:
    """List the games that this release has."""
    spiel = _spiel()
    found = []
    for name in (name for name in GAMES if name in spiel.registered_names()):
        game = spiel.load_game(name)
        seen = f"{_observation(game)} in a buffer; legal actions as a list"
        lists = f"{_observation(game)} and legal actions as lists, of every player"
        found += [
            Contender(name, KNOWN, ONE, "apply_action", partial(_known, name)),
            Contender(name, RANDOM, ONE, "legal_actions, apply_action", partial(_random, name)),
            Contender(name, RANDOM, LOOP, "RandomRolloutEvaluator, dealt hands", partial(_evaluator, name)),
            Contender(name, RANDOM, LOOP, "evaluate_bots, deal included", partial(_bots, name)),
            Contender(name, SEEN, ONE, "observer, legal_actions, apply_action", partial(_seen, name), seen),
            Contender(name, SEEN, ONE, "rl_environment.Environment.step", partial(_environment, name), lists),
        ]
    return found


def _absent() -> dict[str, str]:
    known = _spiel().registered_names()
    return {name: "not registered in this release" for name in GAMES if name not in known}


_TELL = "l = s.legal_actions(s.current_player()); o.set_from(s, s.current_player())"
_STARTS = tuple(
    Start(
        name,
        "observer",
        "import pyspiel; from open_spiel.python.observation import make_observation",
        f"g = pyspiel.load_game({name!r}); s = g.new_initial_state()\n"
        "while s.is_chance_node(): s.apply_action(s.legal_actions()[0])\n"
        "k = pyspiel.IIGObservationType(perfect_recall=True)\n"
        f"o = make_observation(g) if g.get_type().provides_observation_tensor else make_observation(g, k); {_TELL}",
        f"s.apply_action(l[0])\nwhile s.is_chance_node(): s.apply_action(s.legal_actions()[0])\n{_TELL}",
    )
    for name in ("skat",)
)

FAMILY = Family("OpenSpiel", "pyspiel", "open_spiel", "pip install open_spiel", contenders, _STARTS, _absent)
