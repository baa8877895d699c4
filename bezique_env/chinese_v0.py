"""Chinese Bezique (six packs) as a PettingZoo environment: ``chinese_v0.env(rules="trump_queen")``."""

from __future__ import annotations

from bezique_env.envs.aec import GameAEC
from bezique_env.envs.modules import env_functions

__all__ = ["env", "raw_env"]

env, raw_env = env_functions(GameAEC, "chinese")
