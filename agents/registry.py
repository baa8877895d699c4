"""Agents by name: ``make_agent("random")``, ``make_agent("policy(runs/a/last.pt)")``.

A text is a registered name, for some with a variant behind a colon (``policy:two_pack``: what is made for that variant
comes with the package), with parameters in brackets where there are any: ``key=value`` pairs, or values in
the order of the factory's parameters. Values are read as what the factory's annotations say (int, float,
bool, str); quotes are only needed around a text with commas, brackets or an equals sign.
"""

from __future__ import annotations

import difflib
import functools
import importlib
import inspect
import typing
from collections.abc import Callable, Iterable
from typing import Any

from agents.protocol import Agent

Factory = Callable[..., Agent]

_FACTORIES: dict[str, Factory] = {}
_OF_VARIANT: dict[str, Factory] = {}
"""Factories of the names that may be followed by a colon and a variant, which they take first."""
_LAZY = {
    "policy": "agents.learned.policy",
    "pimc": "agents.search.agents",
    "ismcts": "agents.search.agents",
    "oracle": "agents.search.agents",
}
"""Names whose module is imported, and registers them, only when they are asked for."""
_NOT_BARE: set[str] = set()
"""Names that need one of several parameters, though none of them is required by itself."""
_TYPES: dict[type, str] = {int: "an integer", float: "a number", bool: "true or false", str: "a text"}


class AgentError(ValueError):
    """A text names no agent, or its parameters are wrong; the message says what is allowed."""


def _nearest(name: str, known: Iterable[str]) -> str:
    found = difflib.get_close_matches(name, list(known), 1, 0.5)
    return f"; did you mean {found[0]!r}?" if found else ""


def register(name: str, factory: Factory, bare: bool = True, of_variant: Factory | None = None) -> None:
    """Register a factory under a name. Its parameters become the parameters of the agent's text.

    Registering the same factory again is harmless.

    Args:
        name: lower-case letters, digits and underscores, beginning with a letter.
        factory: called with the parameters of the text; its annotations say how they are read.
        bare: False where the factory refuses to be called without parameters, though each has a default.
        of_variant: called for ``name:variant`` with the variant, then the parameters of the text.

    Raises:
        AgentError: the name is malformed or taken.
    """
    if not (name.isidentifier() and name == name.lower()):
        raise AgentError(f"agent name {name!r} must be lower-case letters, digits and underscores")
    if _FACTORIES.get(name, factory) is not factory:
        raise AgentError(f"agent name {name!r} is taken")
    _FACTORIES[name] = factory
    if not bare:
        _NOT_BARE.add(name)
    if of_variant is not None:
        _OF_VARIANT[name] = of_variant


def names(without_parameters: bool = False) -> list[str]:
    """Return the registered names in alphabetical order.

    Args:
        without_parameters: only those that the bare name makes; names that load their module only when
            asked (``policy``) are left out.
    """
    if not without_parameters:
        return sorted({*_FACTORIES, *_LAZY})
    ready = (name for name, factory in _FACTORIES.items() if not _required(factory))
    return sorted(name for name in ready if name not in _NOT_BARE)


def _required(factory: Factory) -> list[str]:
    return [p.name for p in inspect.signature(factory).parameters.values() if p.default is p.empty]


def _factory(text: str) -> Factory:
    name, colon, variant = (part.strip() for part in text.partition(":"))
    if name not in _FACTORIES and name in _LAZY:
        module = _LAZY[name]
        try:
            importlib.import_module(module)
        except ModuleNotFoundError as error:
            missing = str(error.name)
            if missing.split(".")[0] in ("agents", "bezique_env", "experiments"):
                raise
            raise ImportError(
                f"agent {name!r} needs {missing}, which is not installed: pip install 'bezique-env[train]'"
            ) from error
        if name not in _FACTORIES:
            raise AgentError(f"importing {module} did not register the agent {name!r}")
    if name not in _FACTORIES:
        raise AgentError(f"unknown agent {name!r}: known are {', '.join(names())}{_nearest(name, names())}")
    if not colon:
        return _FACTORIES[name]
    if name not in _OF_VARIANT:
        raise AgentError(f"agent {text!r}: {name} takes no variant behind a colon; {name!r} is the agent")
    return functools.partial(_OF_VARIANT[name], variant)


def _split(text: str, inner: str) -> list[str]:
    """Split at commas outside of quotes and brackets."""
    parts, start, depth, quote = [], 0, 0, ""
    for place, char in enumerate(inner):
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
            if depth < 0:
                break
        elif char == "," and depth == 0:
            parts.append(inner[start:place].strip())
            start = place + 1
    if quote or depth:
        raise AgentError(f"agent {text!r}: {'a quote' if quote else 'a bracket'} without its partner")
    last = inner[start:].strip()
    return [*parts, last] if last or parts else parts


def split_agents(text: str) -> list[str]:
    """Return the agents of a list such as ``random,greedy,policy(runs/a, action=sample)``.

    Raises:
        AgentError: a quote or a bracket is not closed, or a name is empty.
    """
    parts = _split(text, text)
    if not all(parts):
        raise AgentError(f"agents {text!r}: an empty name between commas")
    return parts


def _parse(text: str) -> tuple[str, list[str], dict[str, str]]:
    """Return (name, values by order, values by key), all as texts."""
    whole = text.strip()
    name, bracket, rest = whole.partition("(")
    name = name.strip()
    if bracket and not rest.endswith(")"):
        raise AgentError(f"agent {text!r}: the closing bracket is missing: name(parameter=value, ...)")
    ordered: list[str] = []
    named: dict[str, str] = {}
    for part in _split(text, rest[:-1]):
        key, equals, value = part.partition("=")
        key, value = key.strip(), value.strip()
        if not part or (equals and not value):
            raise AgentError(f"agent {text!r}: an empty parameter")
        if equals and key.isidentifier():
            if key in named:
                raise AgentError(f"agent {text!r}: {key} is given twice")
            named[key] = value
        elif named:
            raise AgentError(f"agent {text!r}: {part!r} stands after a named parameter and needs a name")
        else:
            ordered.append(part)
    return name, ordered, named


def _read(agent: str, key: str, value: str, kind: Any) -> Any:
    """Read the text of a value as the kind that the factory's annotation names."""
    plain = value[1:-1] if len(value) > 1 and value[0] in "'\"" and value[-1] == value[0] else value
    options = typing.get_args(kind) if typing.get_origin(kind) is typing.Literal else ()
    if options:
        if plain not in options:
            raise AgentError(
                f"agent {agent!r}: {key}={value} is not allowed: one of {', '.join(options)}{_nearest(plain, options)}"
            )
        return plain
    try:
        if kind is bool:
            return {"true": True, "false": False}[plain.lower()]
        if kind is int or kind is float:
            return kind(plain)
    except (KeyError, ValueError):
        raise AgentError(
            f"agent {agent!r}: {key}={value} is not allowed: it must be {_TYPES[kind]}"
        ) from None
    return plain


def make_agent(text: str) -> Agent:
    """Return the agent that a text names.

    Raises:
        AgentError: unknown name or parameter, a value of the wrong kind, or a required parameter left out;
            the message names what is allowed and the nearest spelling.
        ImportError: the agent needs a package that is not installed.
    """
    if not isinstance(text, str):
        raise AgentError(f"an agent is named by a text such as 'greedy', not by {text!r}")
    name, ordered, named = _parse(text)
    factory = _factory(name)
    parameters = inspect.signature(factory, eval_str=True).parameters
    allowed = f"{name} takes {', '.join(parameters)}" if parameters else f"{name} takes no parameters"
    if len(ordered) > len(parameters):
        raise AgentError(f"agent {text!r}: {len(ordered)} values, but {allowed}")
    given = dict(zip(parameters, ordered, strict=False))
    for key, value in named.items():
        if key not in parameters:
            raise AgentError(
                f"agent {text!r}: unknown parameter {key!r}: {allowed}{_nearest(key, parameters)}"
            )
        if key in given:
            raise AgentError(f"agent {text!r}: {key} is given twice")
        given[key] = value
    missing = [key for key in _required(factory) if key not in given]
    if missing:
        raise AgentError(f"agent {text!r}: {', '.join(missing)} must be given: {allowed}")
    return factory(
        **{key: _read(text, key, value, parameters[key].annotation) for key, value in given.items()}
    )


def _register_scripted() -> None:
    from agents.scripted.expert.agent import ExpertAgent
    from agents.scripted.greedy import GreedyAgent
    from agents.scripted.random_agent import RandomAgent

    register("random", RandomAgent)
    register("greedy", GreedyAgent)
    register("expert", ExpertAgent)


_register_scripted()
