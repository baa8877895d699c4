"""Every Python example of docs/envs.md runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.envs.cases import ENV_IDS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "envs.md"
EXAMPLES = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.S | re.M)


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_example_runs(number):
    code = EXAMPLES[number]
    for package, words in {"sb3_contrib": ("sb3_contrib", "sb3_vec"), "agents": ("opponent",)}.items():
        if any(word in code for word in words):
            pytest.importorskip(package)
    assert len(code.strip().splitlines()) <= 14
    exec(compile(code, f"docs/envs.md example {number}", "exec"), {})


def test_every_adapter_has_an_example():
    text = "\n".join(EXAMPLES)
    for word in (
        "two_pack_v0.env",
        "gymnasium.make(",
        "gymnasium.make_vec",
        "make_batch",
        "MaskablePPO",
        "GameVecEnv",
    ):
        assert word in text


def test_the_page_names_every_module_and_id():
    page = PAGE.read_text(encoding="utf-8")
    for variant, env_id in ENV_IDS.items():
        assert f"| `{variant}` | `{variant}_v0` | `{env_id}` |" in page
