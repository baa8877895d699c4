"""Agents by name: what is understood, and what is refused with which words."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

from agents import registry
from agents.protocol import Agent
from agents.registry import AgentError, make_agent, names, register

ROOT = Path(__file__).resolve().parents[2]


class Probe:
    """An agent with one parameter of each kind."""

    def __init__(
        self,
        path: str,
        worlds: int = 32,
        c: float = 1.5,
        exact: bool = False,
        mode: Literal["fast", "deep"] = "fast",
    ) -> None:
        self.given = (path, worlds, c, exact, mode)
        self.name = "probe"

    def act(self, views: Any, masks: Any, keys: Any) -> Any:
        return np.argmax(masks, axis=1)


@pytest.fixture(autouse=True)
def probe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_FACTORIES", dict(registry._FACTORIES))
    register("probe", Probe)


def test_every_bare_name_makes_an_agent_of_that_name() -> None:
    ready = names(without_parameters=True)
    assert {"random", "greedy"} <= set(ready)
    assert "policy" in names()
    for name in ready:
        agent = make_agent(name)
        assert isinstance(agent, Agent)
        assert agent.name == name


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("probe(a/b.pt)", ("a/b.pt", 32, 1.5, False, "fast")),
        (" probe( runs/x-1/last.pt , worlds = 8 ) ", ("runs/x-1/last.pt", 8, 1.5, False, "fast")),
        ("probe(path='a, b(1)=c', exact=true, mode=deep)", ("a, b(1)=c", 32, 1.5, True, "deep")),
        ("probe(greedy(x=1), 4, 2)", ("greedy(x=1)", 4, 2.0, False, "fast")),
        ("probe(runs/lr=3/last.pt, c=0.25)", ("runs/lr=3/last.pt", 32, 0.25, False, "fast")),
    ],
)
def test_parameters_in_the_text(text: str, given: tuple[Any, ...]) -> None:
    agent = make_agent(text)
    assert isinstance(agent, Probe)
    assert agent.given == given


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("greddy", ["unknown agent 'greddy'", "greedy", "random", "did you mean 'greedy'?"]),
        ("", ["unknown agent ''", "greedy"]),
        ("Greedy", ["did you mean 'greedy'?"]),
        ("greedy(depth=2)", ["unknown parameter 'depth'", "greedy takes no parameters"]),
        ("random(3)", ["random takes no parameters"]),
        (
            "probe(a, wrlds=3)",
            ["unknown parameter 'wrlds'", "did you mean 'worlds'?", "probe takes path, worlds"],
        ),
        ("probe", ["path must be given", "probe takes path"]),
        ("probe(a, worlds=many)", ["worlds=many is not allowed", "an integer"]),
        ("probe(a, exact=maybe)", ["exact=maybe", "true or false"]),
        ("probe(a, mode=dep)", ["mode=dep", "one of fast, deep", "did you mean 'deep'?"]),
        ("probe(a, path=b)", ["path is given twice"]),
        ("probe(a, c=1, c=2)", ["c is given twice"]),
        ("probe(worlds=3, a)", ["'a' stands after a named parameter"]),
        ("probe(a,, b)", ["empty parameter"]),
        ("probe(a", ["closing bracket is missing"]),
        ("probe('a)", ["a quote without its partner"]),
        ("probe((a)", ["a bracket without its partner"]),
        ("probe(1, 2, 3, 4, 5, 6)", ["6 values"]),
    ],
)
def test_refusals_name_what_is_allowed(text: str, words: list[str]) -> None:
    with pytest.raises(AgentError) as caught:
        make_agent(text)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize("value", [None, 3, Probe])
def test_only_texts_name_agents(value: Any) -> None:
    with pytest.raises(AgentError, match="named by a text"):
        make_agent(value)


def test_a_name_is_registered_once() -> None:
    register("probe", Probe)
    with pytest.raises(AgentError, match="taken"):
        register("probe", lambda: Probe("x"))
    for wrong in ("Two", "a b", "1a", ""):
        with pytest.raises(AgentError, match="lower-case"):
            register(wrong, Probe)


def _python(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=240, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_torch_is_not_loaded_for_scripted_agents() -> None:
    out = _python(
        "import sys\nfrom agents.registry import make_agent, names\n"
        "make_agent('random'), make_agent('greedy'), names()\n"
        "print([n for n in ('torch', 'stable_baselines3', 'agents.learned', 'experiments') if n in sys.modules])"
    )
    assert out == "[]"


def test_a_policy_without_its_packages_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(module: str) -> None:
        assert module == "agents.learned.policy"
        raise ModuleNotFoundError("No module named 'torch'", name="torch")

    monkeypatch.setattr(registry, "_FACTORIES", {"greedy": registry._FACTORIES["greedy"]})
    monkeypatch.setattr(registry.importlib, "import_module", missing)
    with pytest.raises(ImportError, match=r"'policy' needs torch, .*bezique-env\[train\]"):
        make_agent("policy(x.pt)")


def test_a_lazy_module_registers_its_name_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def imported(module: str) -> None:
        register("policy", Probe)

    monkeypatch.setattr(registry, "_FACTORIES", {"greedy": registry._FACTORIES["greedy"]})
    monkeypatch.setattr(registry.importlib, "import_module", imported)
    assert isinstance(make_agent("policy(x.pt)"), Probe)
    monkeypatch.setattr(registry, "_FACTORIES", {})
    monkeypatch.setattr(registry.importlib, "import_module", lambda module: None)
    with pytest.raises(AgentError, match="did not register"):
        make_agent("policy(x.pt)")
