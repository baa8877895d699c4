"""Rubicon Bezique (four packs) as a PettingZoo environment: ``rubicon_v0.env(rules="portland")``."""

from __future__ import annotations

from bezique_env.envs.aec import GameAEC
from bezique_env.envs.modules import env_functions

__all__ = ["env", "raw_env"]

env, raw_env = env_functions(GameAEC, "rubicon")
