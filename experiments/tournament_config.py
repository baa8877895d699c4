"""Configs of tournaments: who plays whom, on which decks, how long, and what else is measured."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from bezique_env.rules import Rules, get_rules
from experiments.config import (
    Algorithm,
    GameConfig,
    Model,
    Problems,
    agent_problem,
    as_tuple,
    check_algorithm,
    check_rules,
    check_seed_or_decks,
    find_config,
    load_model,
    nearest,
)
from experiments.evaluation import Decks, DecksError, decks_from_seed, read_decks
from experiments.matches import Pairing
from experiments.statistics import SequentialTest


def _entry(value: Any) -> Any:
    return {"agent": value} if isinstance(value, str) else value


class EntryConfig(Model):
    """An agent of the field; its text alone does where it plays every deal."""

    agent: str = Field(description="the agent, by its text")
    deal_pairs: int | None = Field(
        None, gt=1, description="at most so many decks in each of its matches (slow agents); all by default"
    )


class MatchConfig(Model):
    """One match that is named by itself."""

    between: Annotated[tuple[str, str], BeforeValidator(as_tuple)] = Field(
        description="two agents of the field"
    )
    deal_pairs: int | None = Field(
        None, gt=1, description="of this match, whatever its agents say; they decide by default"
    )


class SequentialConfig(Model):
    """Stops a match as soon as it has decided between two differences (GSPRT on pair means)."""

    low: float = Field(description="points a deal of the first agent above the second")
    high: float = Field(description="points a deal, above `low`")
    alpha: float = Field(0.05, gt=0, lt=0.5, description="chance of accepting `high` where `low` is true")
    beta: float = Field(0.05, gt=0, lt=0.5, description="chance of accepting `low` where `high` is true")
    min_pairs: int = Field(200, gt=1, description="pairs before the first look")
    every: int = Field(100, gt=0, description="pairs from one look to the next")


class BestResponseConfig(Model):
    """Trains a policy against each of these agents, to tell a lower bound on what they can lose."""

    agents: Annotated[tuple[str, ...], BeforeValidator(as_tuple)] = Field(
        min_length=1, description="agents of the field, each trained against alone"
    )
    algorithm: Algorithm = Field(description="as in an experiment")
    warm_start_steps: int = Field(
        0, ge=0, description="of total_steps: the learner first imitates the agent it is to beat"
    )
    reward: Literal["dense", "score_difference", "settlement", "win"] = Field(
        "score_difference", description="training reward"
    )
    deal_pairs: int = Field(1000, gt=1, description="first decks of the tournament, to measure the policy on")
    seed: int = Field(0, ge=0, lt=2**63, description="of the training")
    checkpoint_every: int = Field(1_000_000, gt=0, description="steps, rounded up to whole rollouts")


class TournamentConfig(GameConfig):
    """A tournament on duplicate deals: each deck is played twice, seats swapped, draws from queues."""

    agents: Annotated[
        tuple[Annotated[EntryConfig, BeforeValidator(_entry)], ...], BeforeValidator(as_tuple)
    ] = Field(
        min_length=2, description="the field: texts, or {agent: TEXT, deal_pairs: N} for those that are slow"
    )
    format: Literal["round_robin", "gauntlet", "listed"] = Field(
        "round_robin",
        description="all against all; all others against each of `against`; or the `matches` alone",
    )
    against: Annotated[tuple[str, ...], BeforeValidator(as_tuple)] = Field(
        (), description="gauntlet: the agents of the field that the others meet"
    )
    matches: Annotated[tuple[MatchConfig, ...], BeforeValidator(as_tuple)] = Field(
        (), description="{between: [A, B], deal_pairs: N}: their number of decks, or all that is played"
    )
    deal_pairs: int = Field(1000, gt=1, description="decks of a match; each is played twice")
    seed: int | None = Field(None, ge=0, lt=2**63, description="the decks come from it, or from `decks`")
    decks: str | None = Field(
        None, description="a .json file of decks or a recipe for them, beside the config or from here"
    )
    sequential: SequentialConfig | None = None
    anchor: str | None = Field(None, description="the agent that ratings compare with; the first by default")
    confidence: float = Field(0.95, gt=0.5, lt=1, description="of the intervals")
    resamples: int = Field(9999, ge=99, description="of the bootstrap of a match")
    rating_resamples: int = Field(999, ge=99, description="of the joint bootstrap of the ratings")
    endgame_regret: int = Field(
        0,
        ge=0,
        description="first decks of every match, whose endings the exact solver judges; none by default",
    )
    best_response: BestResponseConfig | None = None
    workers: int = Field(1, ge=1, le=256, description="processes; they change no result")
    output_dir: str = Field("runs", min_length=1, description="where the run directory is made")
    leaderboard: str | None = Field(
        None, description="folder whose VARIANT.jsonl gets a line for each agent; none by default"
    )

    @property
    def names(self) -> list[str]:
        """The texts of the agents."""
        return [entry.agent for entry in self.agents]

    @property
    def test(self) -> SequentialTest | None:
        """The sequential test, if there is one."""
        chosen = self.sequential
        return None if chosen is None else SequentialTest(**chosen.model_dump())

    def resolved_rules(self) -> Rules:
        """Return the rules that are played."""
        return get_rules(self.variant, self.rules.preset, self.rules.overrides)

    def pairings(self) -> list[Pairing]:
        """Return the matches in the order of the field."""
        most = {
            entry.agent: min(self.deal_pairs, entry.deal_pairs or self.deal_pairs) for entry in self.agents
        }
        named = {frozenset(match.between): match.deal_pairs for match in self.matches}
        wanted = list(itertools.combinations(self.names, 2))
        if self.format == "gauntlet":
            wanted = [pair for pair in wanted if (pair[0] in self.against) != (pair[1] in self.against)]
        elif self.format == "listed":
            wanted = [match.between for match in self.matches]
        found = []
        for first, second in wanted:
            pairs = named.get(frozenset((first, second))) or min(most[first], most[second])
            found.append(Pairing(first, second, pairs))
        return found


def find_decks(name: str, folder: Path) -> Path:
    """Return the file of decks of a config: beside the config, or else from the working directory."""
    beside = folder / name
    return beside if beside.is_file() else Path(name)


def decks_of(config: TournamentConfig, folder: Path) -> Decks:
    """Return as many decks as the longest match of a config wants.

    Args:
        config: with a seed or a file of decks.
        folder: where the config lies.

    Raises:
        DecksError: the file cannot be used, or has too few decks.
    """
    rules = config.resolved_rules()
    wanted = max(pairing.pairs for pairing in config.pairings())
    if config.decks is None:
        assert config.seed is not None
        return decks_from_seed(config.seed, wanted, rules)
    path = find_decks(config.decks, folder)
    decks = read_decks(path, rules)
    if len(decks) < wanted:
        raise DecksError(f"{path}: holds {len(decks)} decks, but a match wants {wanted}")
    return Decks(decks.cards[:wanted], decks.source)


def _check_field(problems: Problems, rules: Rules | None) -> list[str]:
    """Check the agents, and that what names one of them names one; return their texts."""
    field: list[str] = []
    entries = problems.at("agents")
    for i, entry in enumerate(entries if isinstance(entries, list) else []):
        place: tuple[Any, ...] = ("agents", i)
        if isinstance(entry, dict):
            place, entry = (*place, "agent"), entry.get("agent")
        if not isinstance(entry, str):
            continue
        reason = None if rules is None else agent_problem(entry, rules, may_cheat=True)
        if reason:
            problems.add(place, reason)
        if entry in field:
            problems.add(place, f"found {entry!r} for the second time")
        field.append(entry)
    return field


def _check_members(problems: Problems, field: Sequence[str]) -> None:
    """Check every key that names agents of the field."""
    places: list[tuple[tuple[Any, ...], Any]] = [(("anchor",), problems.at("anchor"))]
    against, matches = problems.at("against"), problems.at("matches")
    for place, names in (
        (("against",), against),
        (("best_response", "agents"), problems.at("best_response", "agents")),
    ):
        places += [((*place, i), name) for i, name in enumerate(names if isinstance(names, list) else [])]
    met: set[frozenset[str]] = set()
    for i in range(len(matches) if isinstance(matches, list) else 0):
        between = problems.at("matches", i, "between")
        if not isinstance(between, list) or not all(isinstance(name, str) for name in between):
            continue
        places += [(("matches", i, "between", j), name) for j, name in enumerate(between)]
        if len(between) == 2:
            if between[0] == between[1]:
                problems.add(("matches", i, "between"), f"{between[0]!r} cannot play against itself")
            if frozenset(between) in met:
                problems.add(("matches", i, "between"), f"found {between} for the second time")
            met.add(frozenset(between))
    for place, name in places:
        if isinstance(name, str) and name not in field:
            problems.add(
                place,
                f"found {name!r}; it must be one of the agents: {', '.join(field)}{nearest(name, field)}",
            )


def _check(problems: Problems, folder: Path) -> None:
    """Check what the models of a tournament cannot: names, files, and keys that go together."""
    rules = check_rules(problems)
    field = _check_field(problems, rules)
    _check_members(problems, field)
    form = problems.at("format") or "round_robin"
    against, matches = problems.at("against"), problems.at("matches")
    if form == "gauntlet" and not against:
        problems.add(("format",), "a gauntlet needs `against`: the agents that the others meet")
    if form != "gauntlet" and against:
        problems.add(("against",), "only `format: gauntlet` takes it")
    if form == "gauntlet" and isinstance(against, list) and field and set(field) <= set(against):
        problems.add(("against",), "nobody is left to meet them")
    if form == "listed" and not matches:
        problems.add(("format",), "`listed` needs `matches`")
    check_seed_or_decks(problems)
    decks = problems.at("decks")
    if isinstance(decks, str) and rules is not None:
        try:
            read_decks(find_decks(decks, folder), rules)
        except DecksError as error:
            problems.add(("decks",), str(error))
    low, high = problems.at("sequential", "low"), problems.at("sequential", "high")
    if isinstance(low, (int, float)) and isinstance(high, (int, float)) and not low < high:
        problems.add(("sequential", "high"), f"found {high}; it must be above low, {low}")
    _check_best_response(problems, rules)


def _check_best_response(problems: Problems, rules: Rules | None) -> None:
    chosen = problems.at("best_response")
    if not isinstance(chosen, dict):
        return
    check_algorithm(problems, "best_response", "algorithm")
    imitate = problems.at("best_response", "algorithm", "imitate")
    if chosen.get("warm_start_steps") and problems.at("best_response", "algorithm", "type") == "dmc":
        problems.add(("best_response", "warm_start_steps"), "dmc imitates nobody: take ppo or maskable_ppo")
    if imitate is not None and chosen.get("warm_start_steps"):
        problems.add(
            ("best_response", "warm_start_steps"),
            "the learner imitates either the agent that it is to beat or `algorithm.imitate`",
        )
    trained = chosen.get("agents")
    names: list[tuple[tuple[Any, ...], Any]] = [(("best_response", "algorithm", "imitate"), imitate)]
    for i, name in enumerate(trained if isinstance(trained, list) else []):
        names.append((("best_response", "agents", i), name))
    for place, name in names:
        if isinstance(name, str) and rules is not None and (reason := agent_problem(name, rules)):
            problems.add(place, reason)


def load_tournament(name: str | Path, overrides: Sequence[str] = ()) -> TournamentConfig:
    """Read and check the config of a tournament.

    Args:
        name: a file, or the short name of one, see :func:`experiments.config.find_config`.
        overrides: ``dotted.key=value`` texts.

    Raises:
        ConfigError: the file is missing, or something in it or in the overrides is wrong.
    """
    path = find_config(name)
    return load_model(path, overrides, TournamentConfig, lambda problems: _check(problems, path.parent))
