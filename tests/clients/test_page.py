"""docs/clients.md says what the tests of this folder do (tests/test_docs.py runs its examples)."""

from __future__ import annotations

import importlib.metadata
import re
from pathlib import Path

from tests.clients.test_pettingzoo import UPSTREAM

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "clients.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```", PAGE, re.S | re.M)


def _rows(title):
    """Return the cells of the rows of the first table under a title."""
    part = PAGE.split(f"\n## {title}\n")[1] if title else PAGE
    table = re.search(r"(?:^\|.*\|\n)+", part, re.M)[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table]


def test_every_client_has_a_short_example():
    words = (
        "gymnasium.make_vec",
        "MaskablePPO",
        "ppo_vector",
        "PettingZooWrapper",
        "GymEnv",
        "PettingZooEnv",
        "ray.rllib",
    )
    for word in words:
        assert any(word in code for code in EXAMPLES), word
    for code in EXAMPLES:
        lines = [line for line in code.splitlines() if line]
        assert len(lines) <= (21 if "rllib" in code else 14), code


def test_the_table_of_pettingzoos_functions_is_whole():
    told = {name: row[1] for row in _rows("PettingZoo's tests") for name in re.findall(r"`(\w+)`", row[0])}
    assert set(told) == set(UPSTREAM)
    for name, text in told.items():
        assert text.startswith("cannot run") == UPSTREAM[name].startswith("cannot run"), name


def test_the_versions_are_those_of_the_constraints():
    pins = dict(re.findall(r"^([\w-]+)==([\w.]+)$", (ROOT / "constraints-py311.txt").read_text(), re.M))
    packages = {
        "PettingZoo": "pettingzoo",
        "Gymnasium": "gymnasium",
        "Stable-Baselines3": "stable-baselines3",
        "sb3-contrib": "sb3-contrib",
        "TorchRL": "torchrl",
        "Tianshou": "tianshou",
    }
    told = {row[0].split(" ")[0]: row[1] for row in _rows("")}
    for client, package in packages.items():
        assert told[client] == pins[package], client
        try:
            installed = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
        assert installed.split(".")[0] == pins[package].split(".")[0], (
            "a new major version: look at the page again"
        )
