"""Ids of the library: strings only, so that `import bezique_env` stays cheap."""

from __future__ import annotations

from gymnasium.envs.registration import register, registry

SINGLE_AGENT_IDS: dict[str, str] = {
    "bezique_env/TwoPack-v0": "two_pack",
    "bezique_env/Rubicon-v0": "rubicon",
    "bezique_env/Chinese-v0": "chinese",
    "bezique_env/EightPack-v0": "eight_pack",
    "bezique_env/Fildinski-v0": "fildinski",
    "bezique_env/MiniBezique-v0": "mini_bezique",
    "bezique_env/Belote-v0": "belote",
    "bezique_env/MiniBelote-v0": "mini_belote",
}
"""Gymnasium id -> variant; every variant also has a PettingZoo module `bezique_env.<variant>_v0`."""


def register_envs() -> None:
    """Register every id with Gymnasium; doing it again changes nothing."""
    for env_id, variant in SINGLE_AGENT_IDS.items():
        if env_id not in registry:
            register(
                id=env_id,
                entry_point="bezique_env.envs.single_agent:GameSingle",
                vector_entry_point="bezique_env.envs.vector:GameVectorEnv",
                kwargs={"variant": variant},
                order_enforce=True,
            )
