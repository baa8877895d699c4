"""Every Python example of docs/envs.md runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "envs.md"
EXAMPLES = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.S | re.M)


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_example_runs(number):
    code = EXAMPLES[number]
    for package in ("sb3_contrib", "agents"):
        if package in code or (package == "agents" and "opponent=" in code):
            pytest.importorskip(package)
    assert len(code.strip().splitlines()) <= 14
    exec(compile(code, f"docs/envs.md example {number}", "exec"), {})


def test_every_adapter_has_an_example():
    text = "\n".join(EXAMPLES)
    for word in ("two_pack_v0.env", "gymnasium.make", "make_batch", "MaskablePPO"):
        assert word in text
