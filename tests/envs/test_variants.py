"""What the library offers for each variant: a module, a Gymnasium id, and rules, under names that agree."""

from __future__ import annotations

import inspect
import pickle
import subprocess
import sys
from pathlib import Path

import gymnasium

import bezique_env
from bezique_env.envs.aec import GameAEC
from bezique_env.envs.registration import SINGLE_AGENT_IDS
from bezique_env.rules import variants
from tests.envs.cases import ENV_IDS, MODULES, OVERRIDES, every_variant


def test_modules_ids_and_rules_agree():
    files = {path.stem for path in Path(bezique_env.__file__).parent.glob("*_v0.py")}
    public = {name for name in bezique_env.__all__ if name.endswith("_v0")}
    assert files == public == {f"{variant}_v0" for variant in variants()}
    assert list(SINGLE_AGENT_IDS.values()) == list(variants())
    registered = {name for name in gymnasium.registry if name.startswith("bezique_env/")}
    assert registered == set(SINGLE_AGENT_IDS)
    assert set(OVERRIDES) == set(variants()), "the tests of the adapters leave no variant out"


@every_variant
def test_an_id_is_the_variant_in_capitals(variant):
    words = "".join(word.capitalize() for word in variant.split("_"))
    assert ENV_IDS[variant] == f"bezique_env/{words}-v0"
    assert gymnasium.spec(ENV_IDS[variant]).kwargs == {"variant": variant}


@every_variant
def test_modules_offer_env_and_raw_env(variant):
    module = getattr(bezique_env, f"{variant}_v0")
    assert module is MODULES[variant]
    assert module.__all__ == ["env", "raw_env"]
    wanted = list(inspect.signature(GameAEC).parameters.values())[1:]
    for name in module.__all__:
        function = getattr(module, name)
        assert list(inspect.signature(function).parameters.values()) == wanted
        assert f"a preset of `{variant}`" in inspect.getdoc(function)
        assert pickle.loads(pickle.dumps(function)) is function
    raw = module.raw_env()
    assert isinstance(raw, GameAEC) and raw.game.variant == variant
    assert module.env().unwrapped.game.variant == variant


def test_the_first_argument_may_be_the_preset():
    for variant, info in variants().items():
        for preset in info.presets:
            assert MODULES[variant].raw_env(preset).game.rules.preset == preset
    env = MODULES["two_pack"].raw_env("finnish", {"target": 1500}, "match", "win", None, "queues", 1)
    assert (env.game.rules.target, env.game.episode, env.game.draws, env.game.dealer) == (
        1500,
        "match",
        "queues",
        1,
    )


def test_resolved_rules_are_taken_as_they_are():
    rules = MODULES["rubicon"].raw_env("portland").game.rules
    assert MODULES["rubicon"].raw_env(rules).game.rules is rules


def test_importing_the_package_loads_no_rules_and_compiles_nothing():
    code = (
        "import sys, bezique_env\n"
        "heavy = ('numba', 'pydantic', 'pettingzoo', 'bezique_env.rules', 'bezique_env.game')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
