"""Eight-pack Bezique as a PettingZoo environment: ``eight_pack_v0.env(rules="sum")``."""

from __future__ import annotations

from bezique_env.envs.aec import GameAEC
from bezique_env.envs.modules import env_functions

__all__ = ["env", "raw_env"]

env, raw_env = env_functions(GameAEC, "eight_pack")
