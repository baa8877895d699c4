"""The docs say what the code says: generated tables are fresh, examples run, commands and paths exist."""

from __future__ import annotations

import ast
import functools
import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
OPTIONAL = {"pyspiel", "ray", "tianshou", "torchrl"}
"""Packages that need not be installed where the tests run."""
FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.S | re.M)


def _blocks(language: str) -> list[tuple[str, str]]:
    found = []
    for page in PAGES:
        for number, match in enumerate(FENCE.finditer(page.read_text(encoding="utf-8"))):
            if match[1] == language:
                found.append((f"{page.relative_to(ROOT)}-{number}", match[2]))
    return found


def _absent(code: str) -> list[str]:
    """Return the packages that an example imports, that stand in no extra of the test command, and are not there."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.split(".")[0])
    return sorted(name for name in names & OPTIONAL if importlib.util.find_spec(name) is None)


PYTHON = _blocks("python")
BASH = _blocks("bash")


def test_generated_pages_are_fresh() -> None:
    done = subprocess.run(
        [sys.executable, "docs/generate.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


RUN_ALL = """
import json, sys
for name, code in json.load(sys.stdin):
    print(f"running {name}", file=sys.stderr, flush=True)
    exec(compile(code, name, "exec"), {"__name__": "__main__"})
"""
"""Runs examples one after another in one process: what they import and compile is loaded once."""


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("page", sorted({name.rpartition("-")[0] for name, _ in PYTHON}))
def test_python_examples_run(page: str, tmp_path: Path) -> None:
    examples = [(name, code) for name, code in PYTHON if name.rpartition("-")[0] == page]
    here = [(name, code) for name, code in examples if not _absent(code)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "RAY_AUTH_MODE": "disabled"}
    done = subprocess.run(
        [sys.executable, "-c", RUN_ALL],
        input=json.dumps(here),
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    if len(here) < len(examples):
        absent = sorted({name for _, code in examples for name in _absent(code)})
        pytest.skip(f"not installed: {', '.join(absent)}; ran {len(here)} of {len(examples)} examples")


@functools.cache  # many pages name the same commands, and every look at one is a process
def _help_of(word: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "experiments.cli", word, "--help"], cwd=ROOT, capture_output=True, check=False
    )


@pytest.mark.parametrize(("name", "code"), BASH, ids=[name for name, _ in BASH])
def test_commands_name_things_that_exist(name: str, code: str) -> None:
    for path in re.findall(r"(?<![\w/.])((?:configs|docs|tests|notebooks)/[\w./-]+)", code):
        assert (ROOT / path).exists(), f"{name} names {path}"
    for line in code.splitlines():
        for word in re.findall(r"(?:^|&& |bin/)bezique ([\w-]+)", line):
            known = _help_of(word)
            assert known.returncode == 0, f"{name}: bezique {word}\n{known.stderr.decode()}"


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_links_between_pages_hold(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_ci_runs_the_test_command_of_the_readme() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for name, ending in (
        ("tests", ".venv/bin/pytest"),
        ("run", ".venv/bin/bezique run configs/smoke/two_pack_ppo.yaml"),
    ):
        found = re.search(rf"<!-- ci:{name} -->\s*```bash\n(.*?)\n```", text, re.S)
        assert found is not None
        assert "\n" not in found[1]
        assert found[1].split(" && ")[-1].startswith(ending)


def test_every_public_name_has_a_docstring_in_the_engine_facade() -> None:
    import bezique_env

    for name in bezique_env.__all__:
        thing = getattr(bezique_env, name)
        if callable(thing):
            assert thing.__doc__, name
