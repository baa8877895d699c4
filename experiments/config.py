"""Configurations: YAML files checked against strict models before anything starts.

A file may begin with ``extends: other.yaml`` (or a list of files), whose keys it then changes. On the command
line ``algorithm.learning_rate=1e-4`` changes one key more. Numbers and booleans are read as in YAML 1.2
(``1e-4`` is a number, ``no`` is a text). Everything that is wrong is told at once, each with file, line and
column, what was found, what is allowed, and the nearest spelling.
"""

from __future__ import annotations

import difflib
import importlib.resources
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import yaml
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    ValidationError,
    model_validator,
)

from bezique_env.rules import Rules, RulesError, fields, get_rules, variants
from bezique_env.rules.registry import option_names


class ConfigError(ValueError):
    """A configuration that cannot be used; the message has one line for each mistake."""


# ------------------------------------------------------------------------------------------------- models


def as_tuple(value: Any) -> Any:
    """Let a list stand where a model keeps a tuple."""
    return tuple(value) if isinstance(value, list) else value


class Model(BaseModel):
    """What every model of a config is: frozen, without unknown keys, and strict about types."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


M = TypeVar("M", bound=Model)


class RulesConfig(Model):
    """Which rules are played."""

    preset: str | None = Field(
        None, description="name of a preset of the variant; the variant's first by default"
    )
    overrides: dict[str, Any] = Field(default_factory=dict, description="options that differ from the preset")


Sizes = Annotated[tuple[int, ...], BeforeValidator(as_tuple)]


class LearnerConfig(Model):
    """How the policy learns: what every learner has."""

    type: str = Field(
        "maskable_ppo", description="maskable_ppo: sb3-contrib; ppo, dmc: the native learners of both seats"
    )
    total_steps: int = Field(gt=0, description="decisions of the learner, rounded up to whole rollouts")
    num_envs: int = Field(256, gt=0, description="games played side by side")
    batch_size: int = Field(4096, gt=0, description="decisions in a gradient step")
    learning_rate: float = Field(5e-4, gt=0, description="of Adam, at the start")
    learning_rate_schedule: Literal["linear", "constant"] = Field(
        "linear", description="linear: falls to zero"
    )
    max_grad_norm: float = Field(0.5, gt=0, description="gradients are clipped to this norm")
    net_arch: Sizes = Field((256, 256), description="hidden layers, the same for policy and value")
    activation: Literal["relu", "tanh"] = Field("relu", description="between the layers")
    reward_scale: float = Field(0.01, gt=0, description="rewards are multiplied by this before learning")


class ProximalConfig(LearnerConfig):
    """What PPO has, whoever wrote it."""

    n_epochs: int = Field(3, gt=0, description="passes over a rollout")
    ent_coef: float = Field(0.02, ge=0, description="weight of the entropy bonus")
    vf_coef: float = Field(0.5, ge=0, description="weight of the value loss")
    gamma: float = Field(1.0, gt=0, le=1, description="discount a decision")
    gae_lambda: float = Field(0.95, ge=0, le=1, description="of the generalised advantage estimate")
    clip_range: float = Field(0.2, gt=0, description="of the policy ratio")
    imitate: str | None = Field(
        None, description="an agent whose decisions the network learns first, or none"
    )
    imitate_steps: int = Field(0, ge=0, description="of total_steps: decisions of that agent to learn from")
    imitate_learning_rate: float = Field(1e-3, gt=0, description="of Adam then; falls to a tenth of it")


class NativeConfig(LearnerConfig):
    """What the native learners have in common: whole games, both seats, networks of ours."""

    torso: Literal["mlp", "residual"] = Field(
        "mlp",
        description="residual: blocks of two layers that add to what goes in, one for each size but the first",
    )
    card_embedding: int = Field(
        0,
        ge=0,
        description="numbers that stand for the cards of a suit, by weights that all suits share; 0: none",
    )
    endgame: Literal["own", "exact"] = Field(
        "own",
        description="exact: endings are played by the solver, on both sides, and only their value is learned",
    )
    device: str = Field(
        "auto", description="of torch: auto (a GPU where there is one), cpu, cuda, cuda:1, ..."
    )
    mixed_precision: bool = Field(False, description="gradients from bfloat16 products")


class MaskablePPOConfig(ProximalConfig):
    """How the policy learns: sb3-contrib's PPO with action masks, one seat of each game learns."""

    type: Literal["maskable_ppo"] = "maskable_ppo"
    num_envs: int = Field(512, gt=0, description="games played side by side")
    n_steps: int = Field(32, gt=0, description="decisions of each game in a rollout")


class PPOConfig(ProximalConfig, NativeConfig):
    """How the policy learns: PPO by self-play; with a magnet, magnetic mirror descent."""

    type: Literal["ppo"] = "ppo"
    critic: Literal["own", "open"] = Field(
        "own", description="open: while learning, values are told from what both seats see"
    )
    magnet_coef: float = Field(
        0.0, ge=0, description="weight of the KL divergence from the magnet (magnetic mirror descent); 0: PPO"
    )
    magnet_rate: float = Field(
        0.02, ge=0, le=1, description="how far the magnet follows the policy with each rollout; 0: it stays"
    )


class DMCConfig(NativeConfig):
    """How the policy learns: deep Monte-Carlo, action values from the returns of whole games."""

    type: Literal["dmc"] = "dmc"
    epsilon: float = Field(0.15, ge=0, le=1, description="share of random actions at the start")
    epsilon_end: float = Field(0.02, ge=0, le=1, description="and from half of total_steps on")
    replay: int = Field(8, gt=0, description="rollouts that are kept to learn from")
    updates: int = Field(16, gt=0, description="gradient steps after each rollout")
    critic: Literal["none", "own", "open"] = Field(
        "none",
        description="own, open: what the state is worth, by what one seat or both see, is learned apart, and actions "
        "by what they bring beyond it",
    )


def _algorithm_type(value: Any) -> str:
    kind = value.get("type", "maskable_ppo") if isinstance(value, dict) else getattr(value, "type", None)
    return kind if isinstance(kind, str) and kind in ALGORITHMS else "maskable_ppo"


def _knows_algorithm(data: Mapping[str, Any]) -> bool:
    """Return whether `algorithm.type` is one of ours: else nothing can be said of the keys beside it."""
    algorithm = data.get("algorithm")
    return not isinstance(algorithm, dict) or algorithm.get("type", "maskable_ppo") in ALGORITHMS


Algorithm = Annotated[
    Annotated[MaskablePPOConfig, Tag("maskable_ppo")]
    | Annotated[PPOConfig, Tag("ppo")]
    | Annotated[DMCConfig, Tag("dmc")],
    Discriminator(_algorithm_type),
]
ALGORITHMS: dict[str, type[Model]] = {"maskable_ppo": MaskablePPOConfig, "ppo": PPOConfig, "dmc": DMCConfig}
"""`algorithm.type` -> the keys that go with it."""
SELF, PAST = "self", "past"
"""Names in `opponents`: the policy itself, both seats of the game learn; one of its checkpoints of this run."""


class EvaluationConfig(Model):
    """How the trained policy is measured: duplicate deals, seats swapped, draws from queues."""

    opponents: Annotated[tuple[str, ...], BeforeValidator(as_tuple)] = Field(
        ("random", "greedy"), min_length=1, description="agents to play against"
    )
    deal_pairs: int = Field(2000, gt=1, description="decks; each is played twice with the seats swapped")
    curve_pairs: int = Field(
        0, ge=0, description="decks on which each regular checkpoint is measured while training; 0: none"
    )
    seed: int | None = Field(None, ge=0, lt=2**63, description="the decks come from it, or from `decks`")
    decks: str | None = Field(None, description="a .json file: a list of decks, each a list of card texts")
    confidence: float = Field(0.95, gt=0.5, lt=1, description="of the bootstrap intervals")
    resamples: int = Field(9999, ge=99, description="of the bootstrap")
    action: Literal["argmax", "sample"] = Field("argmax", description="the likeliest action, or one drawn")
    records: int = Field(10, ge=0, description="deal pairs an opponent whose games are recorded")


class GameConfig(Model):
    """What every config of something that plays a game begins with."""

    name: str = Field(pattern=r"^[A-Za-z0-9_.-]+$", description="begins the name of the run directory")
    variant: str = Field("two_pack", description="the game")
    rules: RulesConfig = RulesConfig(preset=None)


class ExperimentConfig(GameConfig):
    """One experiment: train a policy, then measure it."""

    episode: Literal["deal", "match"] = Field("deal", description="what a training episode is")
    reward: Literal["dense", "score_difference", "settlement", "win"] = Field(
        "dense", description="training reward"
    )
    draws: Literal["shared", "queues"] = Field("shared", description="order of the draws in training")
    seed: int = Field(0, ge=0, lt=2**63, description="everything random in training comes from it")
    output_dir: str = Field("runs", min_length=1, description="where the run directory is made")
    threads: int = Field(1, gt=0, le=256, description="threads of torch; part of what decides the bits")
    algorithm: Algorithm
    opponents: dict[str, Annotated[float, Field(ge=0)]] = Field(
        default_factory=lambda: {"greedy": 1.0},
        description="agent -> weight; drawn anew for each game. `self`: both seats learn (native learners, their "
        "default); `past`: one of the run's own checkpoints, drawn for each rollout",
    )
    past_checkpoints: int = Field(10, gt=0, description="`past` is one of the last so many checkpoints")
    checkpoint_every: int = Field(1_000_000, gt=0, description="steps, rounded up to whole rollouts")
    evaluation: EvaluationConfig

    @model_validator(mode="before")
    @classmethod
    def _play_itself(cls, data: Any) -> Any:
        """Let the native learners play themselves where nothing else is said."""
        said = not isinstance(data, dict) or "opponents" in data
        if said or _algorithm_type(data.get("algorithm")) == "maskable_ppo":
            return data
        return {**data, "opponents": {SELF: 1.0}}


# -------------------------------------------------------------------------------------------- reading YAML

Path_ = tuple[Any, ...]
Mark = tuple[str, int, int]
"""File (or override), line and column; line 0 where there is none."""


class _Loader(yaml.SafeLoader):
    """YAML with the numbers and booleans of version 1.2, and no dates."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in found if tag.rpartition(":")[2] in ("null", "merge")]
    for first, found in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:bool", re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF")
)
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:int", re.compile(r"^[-+]?(?:0|[1-9][0-9_]*)$"), list("-+0123456789")
)
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(
        r"^[-+]?(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9]+|[0-9][0-9_]*(?=[eE]))(?:[eE][-+]?[0-9]+)?$|^[-+]?\.(?:inf|Inf|INF)$|^\.(?:nan|NaN|NAN)$"
    ),
    list("-+0123456789."),
)


def _place(mark: Any, source: str) -> Mark:
    return source, mark.line + 1, mark.column + 1


def _build(node: yaml.Node, path: Path_, source: str, marks: dict[Path_, Mark], loader: _Loader) -> Any:
    """Turn a YAML node into values, noting where each key stands."""
    marks.setdefault(path, _place(node.start_mark, source))
    if isinstance(node, yaml.MappingNode):
        found: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            key = loader.construct_object(key_node, deep=True)
            where = _place(key_node.start_mark, source)
            if not isinstance(key, str):
                raise ConfigError(f"{_where(where)}: the key {key!r} must be a text")
            if key in found:
                raise ConfigError(f"{_where(where)}: the key {key!r} stands here twice")
            marks[(*path, key)] = where
            found[key] = _build(value_node, (*path, key), source, marks, loader)
        return found
    if isinstance(node, yaml.SequenceNode):
        return [_build(item, (*path, i), source, marks, loader) for i, item in enumerate(node.value)]
    return loader.construct_object(node, deep=True)


def _parse(text: str, source: str, marks: dict[Path_, Mark], path: Path_ = ()) -> Any:
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
        return None if node is None else _build(node, path, source, marks, loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f"{source}:{mark.line + 1}:{mark.column + 1}" if mark is not None else source
        raise ConfigError(f"{where}: this is no YAML: {error.problem}") from None
    except yaml.YAMLError as error:
        raise ConfigError(f"{source}: this is no YAML: {error}") from None
    finally:
        loader.dispose()


def _merge(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    result = dict(below)
    for key, value in above.items():
        old = result.get(key)
        result[key] = _merge(old, value) if isinstance(value, dict) and isinstance(old, dict) else value
    return result


def _read(path: Path, marks: dict[Path_, Mark], above: tuple[Path, ...] = ()) -> dict[str, Any]:
    """Read a file and the files it extends."""
    if path.resolve() in [p.resolve() for p in above]:
        raise ConfigError(f"{above[-1]}: extends: a circle: " + " -> ".join(map(str, (*above, path))))
    own: dict[Path_, Mark] = {}
    try:
        data = _parse(path.read_text(encoding="utf-8"), str(path), own)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from None
    data = {} if data is None else data
    if not isinstance(data, dict):
        raise ConfigError(f"{path}:1:1: the file must hold keys and values, not {data!r}")
    bases = data.pop("extends", [])
    where = _where(own.get(("extends",), (str(path), 0, 0)))
    base: dict[str, Any] = {}
    for name in [bases] if isinstance(bases, str) else bases:
        if not isinstance(name, str):
            raise ConfigError(f"{where}: extends: found {name!r}; it must be the name of a file")
        found = path.parent / name
        if not found.is_file():
            near = nearest(name, [p.name for p in path.parent.glob("*.yaml")])
            raise ConfigError(f"{where}: extends: there is no file {found}{near}")
        base = _merge(base, _read(found, marks, (*above, path)))
    marks.update(own)
    return _merge(base, data)


def nearest(name: Any, known: Iterable[str]) -> str:
    """Return ``; did you mean 'x'?`` for the nearest known spelling, or nothing."""
    found = difflib.get_close_matches(str(name), list(known), 1, 0.5)
    return f"; did you mean {found[0]!r}?" if found else ""


def _where(mark: Mark) -> str:
    source, line, column = mark
    return f"{source}:{line}:{column}" if line else source


def split_key(text: str) -> tuple[str, ...]:
    """Split a dotted key; dots inside parentheses belong to the name of an agent.

    >>> split_key("opponents.policy(runs/a.pt)")
    ('opponents', 'policy(runs/a.pt)')
    """
    return tuple(re.split(r"\.(?![^()]*\))", text))


def _override(data: dict[str, Any], text: str, marks: dict[Path_, Mark]) -> None:
    # An equals sign inside parentheses belongs to the name of an agent, as a dot does.
    parts = re.match(r"((?:[^=()]|\([^()]*\))+)=(.*)", text, re.DOTALL)
    key, value = parts.groups() if parts else ("", "")
    if not key.strip():
        raise ConfigError(
            f"override {text!r}: it must read key=value, for example algorithm.learning_rate=1e-4"
        )
    source = f"override {text!r}"
    path = split_key(key.strip())
    current = data
    for i, part in enumerate(path[:-1]):
        inner = current.setdefault(part, {})
        if part == "rules" and isinstance(inner, str):
            inner = current[part] = {"preset": inner}
        if not isinstance(inner, dict):
            raise ConfigError(f"{source}: {'.'.join(path[: i + 1])} holds no keys, it is {inner!r}")
        current = inner
    for old in [p for p in marks if p[: len(path)] == path]:
        del marks[old]
    marks[path] = (source, 0, 0)
    inside: dict[Path_, Mark] = {}
    current[path[-1]] = _parse(value, source, inside)


# ------------------------------------------------------------------------------------------ finding files


def shipped_configs() -> dict[str, Path]:
    """Return the configs that came with the package: short name -> file."""
    try:
        root = Path(str(importlib.resources.files("configs")))
    except ModuleNotFoundError:
        return {}
    return _configs_in(root)


def _configs_in(root: Path) -> dict[str, Path]:
    if not root.is_dir():
        return {}
    return {p.relative_to(root).with_suffix("").as_posix(): p for p in sorted(root.rglob("*.yaml"))}


def find_config(name: str | Path) -> Path:
    """Return the file of a config: a path, or a short name such as ``smoke/two_pack_ppo``.

    Short names are looked up in ``configs/`` of the working directory, then in the configs of the package.

    Raises:
        ConfigError: there is no such file; the message names the nearest.
    """
    path = Path(name)
    if path.is_file():
        return path
    known = {**shipped_configs(), **_configs_in(Path("configs"))}
    short = path.with_suffix("").as_posix() if path.suffix in (".yaml", ".yml") else path.as_posix()
    for candidate in (short, short.removeprefix("./"), short.removeprefix("./").removeprefix("configs/")):
        if candidate in known:
            return known[candidate]
    raise ConfigError(
        f"{name}: there is no such file, and no config has this short name"
        f"{nearest(short.removeprefix('configs/'), known)} (known: {', '.join(known) or 'none'})"
    )


# ------------------------------------------------------------------------------------------------ checking


def _annotation(model: Any, loc: Sequence[Any]) -> Any:
    """Return the type that stands at a place of a model, None where it cannot be followed."""
    current: Any = model
    for part in loc:
        if isinstance(current, type) and issubclass(current, BaseModel):
            field = current.model_fields.get(part)
            current = None if field is None else field.annotation
        elif part in ALGORITHMS and len(inner_models(current)) > 1:
            current = ALGORITHMS[part]
        else:
            arguments = [a for a in get_args(current) if a is not Ellipsis]
            current = arguments[-1] if arguments else None
        while get_origin(current) is Annotated:
            current = get_args(current)[0]
        if len(inner_models(current)) == 1:
            current = inner_models(current)[0]
    return current


def inner_models(kind: Any) -> list[type[BaseModel]]:
    """Return the models that a key may hold, one of them or nothing; empty where it holds none."""
    while get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    parts = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    options = [get_args(part)[0] if get_origin(part) is Annotated else part for part in parts]
    return [option for option in options if isinstance(option, type) and issubclass(option, BaseModel)]


def _texts(annotation: Any) -> list[str]:
    return [str(value) for value in get_args(annotation)] if get_origin(annotation) is Literal else []


_MODEL_NAMES = {"dict_type": "keys and values", "model_type": "keys and values", "tuple_type": "a list"}


def _sentence(error: Any, model: type[BaseModel]) -> str:
    """Say one mistake of pydantic in our words."""
    loc, kind, found = error["loc"], error["type"], error["input"]
    if kind == "extra_forbidden":
        parent = _annotation(model, loc[:-1])
        known = (
            list(parent.model_fields) if isinstance(parent, type) and issubclass(parent, BaseModel) else []
        )
        return f"unknown key{nearest(loc[-1], known)} (known: {', '.join(known)})"
    if kind == "missing":
        return "this key is missing and has no default"
    allowed = _texts(_annotation(model, loc))
    if loc[-1] == "type" and set(allowed) <= ALGORITHMS.keys():
        allowed = list(ALGORITHMS)
    if allowed:
        return f"found {found!r}; allowed: {', '.join(allowed)}{nearest(found, allowed)}"
    must = _MODEL_NAMES.get(kind) or error["msg"].removeprefix("Input should be ").removeprefix("a valid ")
    return f"found {found!r}; it must be {must}"


class Problems:
    """Collects mistakes with their places.

    Args:
        data: what the files and overrides hold, before any model has read it.
        marks: where each key stands.
        source: the file that is named where nothing else is known.
    """

    def __init__(self, data: Any, marks: Mapping[Path_, Mark], source: str) -> None:
        self.data, self.marks, self.source = data, marks, source
        self.found: list[tuple[Mark, str]] = []

    def add(self, loc: Sequence[Any], sentence: str) -> None:
        """Note a mistake at the longest part of a place that the files have."""
        mark: Mark = (self.source, 0, 0)
        for end in range(len(loc) + 1):
            mark = self.marks.get(tuple(loc[:end]), mark)
        item = (mark, f"{_where(mark)}: {'.'.join(map(str, loc))}: {sentence}")
        if item not in self.found:
            self.found.append(item)

    def at(self, *loc: Any) -> Any:
        """Return the value at a place, None where there is none."""
        current = self.data
        for part in loc:
            if isinstance(current, dict):
                current = current.get(part)
            elif isinstance(current, list) and isinstance(part, int) and part < len(current):
                current = current[part]
            else:
                return None
        return current


def check_rules(problems: Problems) -> Rules | None:
    """Check `variant`, `rules.preset` and `rules.overrides`, which any config of a game has.

    Returns:
        The rules, without overrides that are wrong and with the first preset instead of an unknown one, so
        that what depends on them can be checked too; None when the variant is unknown.
    """
    variant = problems.at("variant") or "two_pack"
    known = variants()
    if not isinstance(variant, str) or variant not in known:
        problems.add(("variant",), f"found {variant!r}; allowed: {', '.join(known)}{nearest(variant, known)}")
        return None
    preset = problems.at("rules", "preset")
    presets = known[variant].presets
    if preset is not None and preset not in presets:
        problems.add(
            ("rules", "preset"), f"found {preset!r}; allowed: {', '.join(presets)}{nearest(preset, presets)}"
        )
        preset = None
    overrides = problems.at("rules", "overrides")
    good = {}
    if isinstance(overrides, dict):
        options = {info.name: info for info in fields(variant)}
        for name, value in overrides.items():
            at = ("rules", "overrides", name)
            if name not in options:
                words = f"unknown option{nearest(name, options)}"
                if name in option_names():
                    words = f"this option has no meaning in {variant}"
                problems.add(at, f"{words} (known: {', '.join(options)})")
                continue
            try:
                get_rules(variant, preset, {name: value})
            except RulesError as error:
                alone = str(error)
                if alone.startswith(f"{name}: {value!r} is not allowed"):
                    allowed = [str(a) for a in options[name].allowed or ()]
                    problems.add(
                        at, f"found {value!r}; allowed: {options[name].type_text}{nearest(value, allowed)}"
                    )
                    continue
            good[name] = value
    try:
        return get_rules(variant, preset, good)
    except RulesError as error:
        problems.add(("rules", "overrides"), f"these cannot stand together: {error}")
        return get_rules(variant, preset)


def check_agents(
    problems: Problems, places: Iterable[tuple[Path_, Any]], rules: Rules, may_cheat: bool = False
) -> None:
    """Check that the agents named at some places can play under the rules.

    Args:
        problems: gets the mistakes.
        places: where each agent is named, and how.
        rules: of the games.
        may_cheat: agents that look at hidden cards are allowed: they can be measured, never learned from.
    """
    for place, name in places:
        if isinstance(name, str):
            reason = agent_problem(name, rules, may_cheat)
            if reason:
                problems.add(place, reason)


def check_decks(problems: Problems, place: Path_, rules: Rules) -> None:
    """Check that the file named at a place holds decks of the game."""
    decks = problems.at(*place)
    if isinstance(decks, str):
        from experiments.evaluation import DecksError, read_decks

        try:
            read_decks(decks, rules)
        except DecksError as error:
            problems.add(place, str(error))


def check_seed_or_decks(problems: Problems, *place: Any) -> None:
    """Check that the decks come from `seed` or from the file `decks`, never from neither or both."""
    holder = problems.at(*place)
    if isinstance(holder, dict):
        seed, decks = holder.get("seed"), holder.get("decks")
        if (seed is None) == (decks is None):
            problems.add(
                place,
                f"the decks come from `seed` or from a file `decks`: exactly one of them, found "
                f"{'neither' if seed is None else 'both'}",
            )


def agent_problem(name: str, rules: Rules, may_cheat: bool = False) -> str | None:
    """Return why an agent cannot play under the rules, None when it can."""
    from agents.registry import make_agent
    from bezique_env.envs.opponents import with_rules

    try:
        agent = with_rules(make_agent(name), rules)
    except (ValueError, OSError) as error:
        return str(error)
    if getattr(agent, "cheats", False) and not may_cheat:
        return f"agent {name!r} sees all cards: only a tournament may measure it"
    return None


def check_algorithm(problems: Problems, *place: Any) -> None:
    """Check what the keys of an algorithm must be to each other."""
    algorithm = problems.at(*place)
    algorithm = algorithm if isinstance(algorithm, dict) else {}
    kind = _algorithm_type(algorithm)

    def value(key: str) -> Any:
        return algorithm.get(key, ALGORITHMS[kind].model_fields[key].default)

    if kind == "maskable_ppo":
        sizes = {key: value(key) for key in ("num_envs", "n_steps", "batch_size")}
        if all(isinstance(v, int) and v > 0 for v in sizes.values()):
            rollout = sizes["num_envs"] * sizes["n_steps"]
            if rollout % sizes["batch_size"]:
                problems.add(
                    (*place, "batch_size"),
                    f"found {sizes['batch_size']}; it must divide num_envs * n_steps = {rollout}",
                )
    if bool(algorithm.get("imitate")) != bool(algorithm.get("imitate_steps")):
        problems.add((*place, "imitate"), "`imitate` and `imitate_steps` go together: both or neither")
    layers = algorithm.get("net_arch")
    if isinstance(layers, list):
        for i, size in enumerate(layers):
            if isinstance(size, int) and size < 1:
                problems.add((*place, "net_arch", i), f"found {size}; it must be at least 1")
        if algorithm.get("torso") == "residual" and (not layers or len(set(map(str, layers))) > 1):
            problems.add(
                (*place, "net_arch"), f"found {layers}; a residual torso has one size or more, all the same"
            )
    if isinstance(algorithm.get("device"), str):
        problem = device_problem(algorithm["device"])
        if problem:
            problems.add((*place, "device"), problem)


def device_problem(name: str) -> str | None:
    """Return why torch cannot compute on a device, None when it can (``auto`` always can)."""
    if name == "auto":
        return None
    import torch

    try:
        torch.zeros(1, device=name)
    except (RuntimeError, AssertionError) as error:
        return (
            f"found {name!r}; it must be auto, or a device that torch has here: {str(error).splitlines()[0]}"
        )
    return None


def check_opponents(problems: Problems, rules: Rules | None) -> None:
    """Check the mixture of an experiment: `self` and `past` stand for the policy, other names for agents."""
    mixture = problems.at("opponents")
    if not isinstance(mixture, dict):
        return
    numbers = [w for w in mixture.values() if isinstance(w, (int, float))]
    if len(numbers) == len(mixture) and not sum(numbers) > 0:
        problems.add(("opponents",), "at least one weight must be above 0")
    algorithm = problems.at("algorithm")
    one_seat = _knows_algorithm(problems.data) and _algorithm_type(algorithm) == "maskable_ppo"
    if mixture.get(SELF) and one_seat:
        problems.add(
            ("opponents", SELF),
            "with maskable_ppo one seat of a game learns: play against `past`, or take algorithm.type=ppo",
        )
    if rules is not None:
        for name in mixture:
            reason = None if name in (SELF, PAST) else agent_problem(name, rules)
            if reason:
                problems.add(("opponents", name), reason + nearest(name, (SELF, PAST)))


def check_curve(problems: Problems) -> None:
    """Check that checkpoints are measured on decks that there are."""
    pairs, curve = problems.at("evaluation", "deal_pairs"), problems.at("evaluation", "curve_pairs")
    if isinstance(curve, int) and isinstance(pairs, int) and curve > pairs:
        problems.add(("evaluation", "curve_pairs"), f"found {curve}; it must be at most deal_pairs, {pairs}")


def check_endgame(problems: Problems, rules: Rules) -> None:
    """Check that the endings of a game have an exact solver where `endgame: exact` asks for it."""
    if problems.at("algorithm", "endgame") == "exact":
        from agents.endgame.strict import endings_problem

        problem = endings_problem(rules)
        if problem:
            problems.add(("algorithm", "endgame"), f"found 'exact'; not allowed {problem}")


def _check_experiment(problems: Problems) -> None:
    """Check what the models of an experiment cannot: names, files, and keys that go together."""
    rules = check_rules(problems)
    places: list[tuple[Path_, Any]] = []
    if problems.at("algorithm", "imitate") is not None:
        places.append((("algorithm", "imitate"), problems.at("algorithm", "imitate")))
    measured = problems.at("evaluation", "opponents")
    if isinstance(measured, list):
        places += [(("evaluation", "opponents", i), name) for i, name in enumerate(measured)]
    if rules is not None:
        check_agents(problems, places, rules)
        check_decks(problems, ("evaluation", "decks"), rules)
        check_endgame(problems, rules)
    check_opponents(problems, rules)
    check_algorithm(problems, "algorithm")
    check_curve(problems)
    check_seed_or_decks(problems, "evaluation")


def check_model(
    data: dict[str, Any],
    marks: Mapping[Path_, Mark],
    source: str,
    model: type[M],
    check: Callable[[Problems], None],
) -> M:
    """Check values against a model, then by a function that adds what only the registries know.

    Raises:
        ConfigError: something is wrong; one line for each mistake, in the order of the files.
    """
    if isinstance(data.get("rules"), str):
        data = {**data, "rules": {"preset": data["rules"]}}
    problems = Problems(data, marks, source)
    config: M | None = None
    try:
        config = model.model_validate(data)
    except ValidationError as error:
        for item in error.errors():
            place = [
                part
                for i, part in enumerate(item["loc"])
                if part != "[key]" and not (part in ALGORITHMS and item["loc"][i - 1] == "algorithm")
            ]  # a place as the file has it: without the name of the model that was chosen
            if place[:1] != ["algorithm"] or place[1:] == ["type"] or _knows_algorithm(data):
                problems.add(place, _sentence(item, model))
    check(problems)
    if problems.found or config is None:
        lines = [line for _, line in sorted(problems.found, key=lambda item: item[0])]
        raise ConfigError("\n".join(lines))
    return config


def load_model(
    name: str | Path, overrides: Sequence[str], model: type[M], check: Callable[[Problems], None]
) -> M:
    """Read and check a config of any kind.

    Args:
        name: a file, or the short name of one, see :func:`find_config`.
        overrides: ``dotted.key=value`` texts.
        model: what the file must be.
        check: adds the mistakes that a model cannot see.

    Raises:
        ConfigError: the file is missing, or something in it or in the overrides is wrong.
    """
    path = find_config(name)
    marks: dict[Path_, Mark] = {}
    data = _read(path, marks)
    for text in overrides:
        _override(data, text, marks)
    return check_model(data, marks, str(path), model, check)


def load_config(name: str | Path, overrides: Sequence[str] = ()) -> ExperimentConfig:
    """Read and check the config of an experiment.

    Args:
        name: a file, or the short name of one, see :func:`find_config`.
        overrides: ``dotted.key=value`` texts.

    Raises:
        ConfigError: the file is missing, or something in it or in the overrides is wrong.
    """
    return load_model(name, overrides, ExperimentConfig, _check_experiment)


def dump_config(config: Model) -> str:
    """Return a config as YAML that reads back to the same config."""
    plain = config.model_dump(mode="json")
    text: str = yaml.safe_dump(plain, sort_keys=False, allow_unicode=True, width=100)
    return text


def config_rows(model: type[Model] = ExperimentConfig) -> Iterator[tuple[str, str, str, str]]:
    """Yield every key of a kind of config with its type, default and meaning (for the docs)."""

    def row(name: str, field: Any, meaning: str) -> tuple[str, str, str, str]:
        kind = field.annotation
        text = " | ".join(_texts(kind)) or str(getattr(kind, "__name__", kind))
        default = "required" if field.is_required() else repr(field.get_default(call_default_factory=True))
        return name, text.replace("typing.", ""), default, meaning

    def walk(model: type[BaseModel], prefix: str) -> Iterator[tuple[str, str, str, str]]:
        for name, field in model.model_fields.items():
            inner = inner_models(field.annotation)
            if len(inner) > 1:
                yield from choices(f"{prefix}{name}.")
            elif inner:
                yield from walk(inner[0], f"{prefix}{name}.")
            else:
                yield row(prefix + name, field, field.description or "")

    def choices(prefix: str) -> Iterator[tuple[str, str, str, str]]:
        """Yield the keys of every algorithm; those that mean the same stand in one row."""
        rows: dict[tuple[str, str, str, str], list[str]] = {}
        for kind, model in ALGORITHMS.items():
            for name, field in model.model_fields.items():
                if name != "type":
                    rows.setdefault(row(prefix + name, field, field.description or ""), []).append(kind)
        kinds = LearnerConfig.model_fields["type"]
        yield prefix + "type", " | ".join(ALGORITHMS), repr(kinds.default), kinds.description or ""
        for (key, kind, default, meaning), has in sorted(rows.items(), key=lambda item: item[0][0]):
            told = "" if len(has) == len(ALGORITHMS) else ", ".join(f"`{name}`" for name in has) + ": "
            yield key, kind, default, told + meaning

    yield from walk(model, "")


def keys_table(model: type[Model] = ExperimentConfig) -> str:
    """Return every key as a Markdown table (stands in the docs)."""
    lines = ["| key | type | default | meaning |", "| --- | --- | --- | --- |"]
    for key, kind, default, meaning in config_rows(model):
        lines.append(
            f"| `{key}` | {kind.replace('|', '&#124;')} | {default.replace('|', '&#124;')} | {meaning} |"
        )
    return "\n".join(lines)


def parse_overrides(texts: Sequence[str]) -> dict[str, Any]:
    """Return rule options given as ``option=value`` on the command line.

    Raises:
        ConfigError: a text is no ``option=value``.
    """
    found: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise ConfigError(f"override {text!r}: it must read option=value")
        found[name.strip()] = _parse(value, f"override {text!r}", {})
    return found
