"""Fildinski, or Polish Bezique, as a PettingZoo environment: ``fildinski_v0.env(rules="by_class")``."""

from __future__ import annotations

from bezique_env.envs.aec import GameAEC
from bezique_env.envs.modules import env_functions

__all__ = ["env", "raw_env"]

env, raw_env = env_functions(GameAEC, "fildinski")
