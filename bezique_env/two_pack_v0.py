"""Two-pack Bezique as a PettingZoo environment: ``two_pack_v0.env(rules="finnish")``."""

from __future__ import annotations

from bezique_env.envs.aec import GameAEC
from bezique_env.envs.modules import env_functions

__all__ = ["env", "raw_env"]

env, raw_env = env_functions(GameAEC, "two_pack")
