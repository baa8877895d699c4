"""Two-handed Belote as a PettingZoo environment: ``belote_v0.env(rules="hoyle")``."""

from __future__ import annotations

from bezique_env.envs.aec import GameAEC
from bezique_env.envs.modules import env_functions

__all__ = ["env", "raw_env"]

env, raw_env = env_functions(GameAEC, "belote")
