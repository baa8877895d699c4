"""The card games of PettingZoo's classic set, turn by turn."""

from __future__ import annotations

import importlib
from functools import partial
from importlib.util import find_spec
from typing import Any

from experiments.peers.contender import ONE, SEEN, Contender, Family, Play, Start, dice, repeated

GAMES = {
    "gin_rummy": "gin_rummy_v4",
    "leduc_holdem": "leduc_holdem_v4",
    "texas_holdem_no_limit": "texas_holdem_no_limit_v6",
    "hanabi": "hanabi_v5",
}
_QUIET = (("PYGAME_HIDE_SUPPORT_PROMPT", "1"), ("SDL_VIDEODRIVER", "dummy"))


def aec_game(env: Any) -> Play:
    """Return a play of a PettingZoo AEC environment, ours or another's."""
    draws, begun = dice(), False

    def chunk() -> tuple[int, int]:
        nonlocal begun
        if begun:
            env.reset()
        else:
            env.reset(seed=1)  # once: with a seed the peers build the game anew, which is slow
        begun = True
        decisions = 0
        for _ in env.agent_iter():
            observation, _, ended, cut, _ = env.last()
            if ended or cut:
                env.step(None)
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(int(legal[int(next(draws) * len(legal))]))
            decisions += 1
        return decisions, 1

    return repeated(chunk)


def _make(module: str, name: str) -> Any:
    return getattr(importlib.import_module(f"pettingzoo.classic.{module}"), name)()


def _seen(module: str, name: str) -> Play:
    return aec_game(_make(module, name))


def _here(module: str) -> bool:
    return find_spec(f"pettingzoo.classic.{module}") is not None


def _observation(module: str) -> str:
    try:
        env = _make(module, "raw_env")
        env.reset(seed=0)
        shape = env.last()[0]["observation"].shape
    except Exception:  # told when it is built
        return ""
    return f"{'x'.join(map(str, shape))} array and mask, new ones each time"


def contenders() -> list[Contender]:
    """List the games that this release has."""
    return [
        Contender(game, SEEN, ONE, f"PettingZoo {name}", partial(_seen, module, name), told)
        for game, module in GAMES.items()
        if _here(module)
        for told in [_observation(module)]
        for name in ("raw_env", "env")
    ]


def _absent() -> dict[str, str]:
    return {
        game: f"pettingzoo.classic.{module} is not in this release"
        for game, module in GAMES.items()
        if not _here(module)
    }


_STARTS = (
    Start(
        "leduc_holdem",
        "PettingZoo raw_env",
        "from pettingzoo.classic import leduc_holdem_v4 as m",
        "e = m.raw_env(); e.reset(seed=1); o = e.last()[0]",
        "e.step(int(o['action_mask'].argmax())); e.last()",
    ),
)

FAMILY = Family(
    "PettingZoo classic",
    "pettingzoo.classic",
    "pettingzoo",
    "pip install 'pettingzoo[classic]'",
    contenders,
    _STARTS,
    _absent,
    _QUIET,
)
