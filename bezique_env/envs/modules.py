"""The two functions that every PettingZoo module of the library offers, made from one class and a variant."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Concatenate, ParamSpec

from pettingzoo import AECEnv

from bezique_env.envs.aec import GameAEC, Observation, wrap

P = ParamSpec("P")

_ARGUMENTS = """

Args:
    rules: a preset of `{variant}` (None takes its first), or resolved rules.
    overrides: options of the preset to change, for example ``{{"selection": "explicit"}}``.
    episode: `"deal"`, or `"match"` (to the target, the dealer alternating, where the game has one).
    reward: `"score_difference"`, `"dense"`, `"settlement"` or `"win"`.
    render_mode: None, `"ansi"` or `"human"`.
    draws: `"shared"` or `"queues"`.
    dealer: 0, 1 or `"random"`.
    render_seat: the seat whose view is drawn; None draws for the seat to act.
"""


def env_functions(
    make: Callable[Concatenate[str, P], GameAEC], variant: str
) -> tuple[Callable[P, AECEnv[str, Observation, int]], Callable[P, GameAEC]]:
    """Return `env` and `raw_env` of the module `{variant}_v0`.

    Both take what `make` takes after the variant, and say so to type checkers, editors and `help()`.

    Args:
        make: the class of the raw environment; its first argument is the variant.
        variant: id of the game.
    """

    def env(*args: P.args, **kwargs: P.kwargs) -> AECEnv[str, Observation, int]:
        return wrap(make(variant, *args, **kwargs))

    def raw_env(*args: P.args, **kwargs: P.kwargs) -> GameAEC:
        return make(variant, *args, **kwargs)

    env.__doc__ = "Return the environment in PettingZoo's wrappers: an illegal action ends the episode."
    raw_env.__doc__ = "Return the environment without wrappers: an illegal action raises `IllegalAction`."
    parameters = list(inspect.signature(make).parameters.values())[1:]
    for function in (env, raw_env):
        function.__doc__ = f"{function.__doc__}{_ARGUMENTS.format(variant=variant)}"
        function.__module__, function.__qualname__ = f"bezique_env.{variant}_v0", function.__name__
        returned = function.__annotations__["return"]
        function.__dict__["__signature__"] = inspect.Signature(parameters, return_annotation=returned)
    return env, raw_env
