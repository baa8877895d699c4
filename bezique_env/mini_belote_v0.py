"""Belote with a small pack as a PettingZoo environment: ``mini_belote_v0.env(rules="jqka3")``."""

from __future__ import annotations

from bezique_env.envs.aec import GameAEC
from bezique_env.envs.modules import env_functions

__all__ = ["env", "raw_env"]

env, raw_env = env_functions(GameAEC, "mini_belote")
