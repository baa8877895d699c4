"""Bezique and Belote as environments for reinforcement learning.

``from bezique_env import Game, make_batch, two_pack_v0`` loads what is named and nothing else: importing
the package itself registers the Gymnasium ids and compiles nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from bezique_env.engine.version import ENGINE_VERSION
from bezique_env.envs.registration import SINGLE_AGENT_IDS, register_envs

if TYPE_CHECKING:
    from bezique_env import (
        belote_v0,
        chinese_v0,
        eight_pack_v0,
        fildinski_v0,
        mini_belote_v0,
        mini_bezique_v0,
        rubicon_v0,
        two_pack_v0,
    )
    from bezique_env.envs.batch import Batch, make_batch
    from bezique_env.faces.face import View
    from bezique_env.game import Event, Game, IllegalAction
    from bezique_env.position import PositionError
    from bezique_env.record import RecordError

__all__ = [
    "ENGINE_VERSION",
    "Batch",
    "Event",
    "Game",
    "IllegalAction",
    "PositionError",
    "RecordError",
    "View",
    "belote_v0",
    "chinese_v0",
    "eight_pack_v0",
    "fildinski_v0",
    "make_batch",
    "mini_belote_v0",
    "mini_bezique_v0",
    "rubicon_v0",
    "two_pack_v0",
]
__version__ = "0.7.0"

_HOMES = {
    "Batch": "bezique_env.envs.batch",
    "Event": "bezique_env.game",
    "Game": "bezique_env.game",
    "IllegalAction": "bezique_env.game",
    "PositionError": "bezique_env.position",
    "RecordError": "bezique_env.record",
    "View": "bezique_env.faces.face",
    "make_batch": "bezique_env.envs.batch",
}
_MODULES = {f"{variant}_v0" for variant in SINGLE_AGENT_IDS.values()}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    if name in _MODULES:
        return importlib.import_module(f"bezique_env.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)


register_envs()
