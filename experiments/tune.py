"""Tuning the weights of the rule-based players: evolution (CMA-ES) on duplicate deals.

Every candidate of a generation plays the same decks, fresh ones in each generation, against a mixture of
opponents: ``greedy``, the start, files of weights, and earlier means of the same run, so that it does not learn
to beat one opponent alone. Weights are searched in units of their scales. At the end the mean is measured on
fresh decks against the start and every opponent, and written as a file of weights that the package reads.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BeforeValidator, Field
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from agents.scripted.duel import duel
from agents.scripted.expert.weights import (
    Groups,
    WeightsError,
    read_weights,
    weight_names,
    weights_text,
)
from agents.scripted.policies import expert_weights, weight_groups
from bezique_env.engine.version import ENGINE_VERSION
from bezique_env.rules import Rules, get_rules
from experiments.config import (
    Model,
    Problems,
    RulesConfig,
    as_tuple,
    check_rules,
    load_model,
    nearest,
)
from experiments.evaluation import Decks, decks_from_seed
from experiments.statistics import Estimate, estimate
from experiments.stopping import stop_request

START, EARLIER, GREEDY = "start", "earlier", "greedy"
RELATIVE_SCALE, LEAST_SCALE = 0.2, 0.05
"""Unit of a weight by its start where the config gives none; that of the logarithm of a factor."""


class TuneConfig(Model):
    """One run of tuning."""

    variant: str = Field("two_pack", description="the game")
    rules: RulesConfig = RulesConfig(preset=None)
    start: str | None = Field(None, description="file of weights to start from; those shipped by default")
    output: str = Field(description="file of weights to write; figures go beside it, with the ending .json")
    tune: Annotated[tuple[str, ...], BeforeValidator(as_tuple)] = Field(
        (),
        description="weights to tune one by one: groups or group.name; all by default, if no `factors` are",
    )
    factors: Annotated[tuple[str, ...], BeforeValidator(as_tuple)] = Field(
        (),
        description="groups or group.name whose weights are also multiplied by one number that is searched",
    )
    scales: dict[str, Annotated[float, Field(gt=0)]] = Field(
        default_factory=dict,
        description="unit in which a weight is searched, by group or group.name (a fifth of its start by default)",
    )
    method: Literal["sep_cma", "cma"] = Field("sep_cma", description="separable or full CMA-ES")
    sigma: float = Field(1.0, gt=0, description="first step, in units of the scales")
    population: int = Field(16, gt=3, description="candidates of a generation")
    generations: int = Field(100, gt=0, description="of the run")
    deal_pairs: int = Field(512, gt=1, description="duplicate pairs that a candidate plays in a generation")
    opponents: dict[str, Annotated[float, Field(gt=0)]] = Field(
        default_factory=lambda: {GREEDY: 0.3, EARLIER: 0.7},
        description="share of the pairs by opponent: greedy, start, earlier (means of this run), or a file of weights",
    )
    keep_every: int = Field(20, gt=0, description="generations after which the mean becomes an earlier one")
    seed: int = Field(0, ge=0, lt=2**63, description="of the search and of its decks")
    confirm_pairs: int = Field(4096, gt=1, description="fresh duplicate pairs that measure the result")
    confirm_seed: int = Field(1_000_000, ge=0, lt=2**63, description="of those decks")


def chosen_places(groups: Groups, texts: Sequence[str]) -> list[int]:
    """Return the places of the weights that texts name: whole groups, or group.name; all where none is given.

    Raises:
        WeightsError: a text names no weight.
    """
    names = weight_names(groups)
    if not texts:
        return list(range(len(names)))
    places = set()
    for text in texts:
        found = [k for k, name in enumerate(names) if name == text or name.startswith(f"{text}.")]
        if not found:
            raise WeightsError(f"no weight is called {text!r}{nearest(text, [*groups, *names])}")
        places.update(found)
    return sorted(places)


def _check(problems: Problems) -> None:
    rules = check_rules(problems)
    if rules is None:
        return
    groups = weight_groups(rules.variant)
    for key in ("tune", "factors"):
        given = problems.at(key)
        for k, text in enumerate(given if isinstance(given, list) else []):
            _note(problems, (key, k), lambda text=text: chosen_places(groups, [text]))
    scales = problems.at("scales")
    for text in scales if isinstance(scales, dict) else {}:
        _note(problems, ("scales", text), lambda text=text: chosen_places(groups, [text]))
    start = problems.at("start")
    if isinstance(start, str):
        _note(problems, ("start",), lambda: read_weights(start, groups))
    opponents = problems.at("opponents")
    for name in opponents if isinstance(opponents, dict) else {}:
        if name not in (GREEDY, START, EARLIER):
            _note(problems, ("opponents", name), lambda name=name: read_weights(name, groups))


def _note(problems: Problems, place: tuple[Any, ...], read: Any) -> None:
    try:
        read()
    except WeightsError as error:
        problems.add(place, str(error))


def load_tune_config(name: str | Path, overrides: Sequence[str] = ()) -> TuneConfig:
    """Read and check a config of tuning.

    Raises:
        ConfigError: with one line for each mistake.
    """
    return load_model(name, overrides, TuneConfig, _check)


@dataclass(frozen=True)
class Tuned:
    """What a run found.

    Attributes:
        values: float64 [n], the weights.
        confirmed: points a deal on fresh decks against the start and the opponents that do not change.
        history: a row for each generation: number, mean and best of the candidates' points a deal.
    """

    values: NDArray[np.float64]
    confirmed: dict[str, Estimate]
    history: list[dict[str, float]]


class Bench:
    """Plays candidates of one game.

    Args:
        rules: of the game.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def points(
        self, values: NDArray[np.float64], other: NDArray[np.float64] | None, decks: Decks
    ) -> NDArray[np.float64]:
        """Return the points a deal of weights above other ones, or above greedy, for each pair of games."""
        scores = duel(
            self.rules,
            decks.cards,
            decks.dealers,
            decks.seeds,
            expert_weights(self.rules, values),
            None if other is None else expert_weights(self.rules, other),
        )
        means: NDArray[np.float64] = (scores[:, :, 0] - scores[:, :, 1]).mean(axis=1)
        return means


def tune(config: TuneConfig, console: Console | None = None) -> Tuned:
    """Run the search of a config and write its files; SIGINT ends it after the generation, with what was found.

    Raises:
        ImportError: the package ``cmaes`` is not installed.
        WeightsError: a file of weights cannot be used.
    """
    try:
        from cmaes import CMA, SepCMA
    except ModuleNotFoundError as error:
        raise ImportError(
            "tuning needs cmaes, which is not installed: pip install 'bezique-env[train]'"
        ) from error
    rules = get_rules(config.variant, config.rules.preset, config.rules.overrides)
    groups = weight_groups(config.variant)
    if not weight_names(groups):
        raise WeightsError(f"the rule-based player of {config.variant} has no weights")
    start = read_weights(config.start, groups) if config.start else expert_weights(rules).values
    weights_at = _searched(config, groups, start)
    fixed = {name: _opponent(name, start, groups) for name in config.opponents if name != EARLIER}
    bench = Bench(rules)
    search = (CMA if config.method == "cma" else SepCMA)(
        mean=np.zeros(_dimensions(config, groups)),
        sigma=config.sigma,
        population_size=config.population,
        seed=config.seed,
    )

    earlier = [start]
    history: list[dict[str, float]] = []
    total = sum(config.opponents.values())
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed}/{task.total}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with stop_request() as asked, Progress(*columns, console=console) as progress:
        task = progress.add_task(f"tuning {config.variant}", total=config.generations)
        for generation in range(config.generations):
            decks = decks_from_seed(_mix(config.seed, generation), config.deal_pairs, rules)
            parts = _split(decks, [share / total for share in config.opponents.values()])
            told = []
            for _ in range(config.population):
                point = search.ask()
                values = weights_at(point)
                points = [
                    bench.points(
                        values, earlier[generation % len(earlier)] if name == EARLIER else fixed[name], part
                    )
                    for name, part in zip(config.opponents, parts, strict=True)
                    if len(part)
                ]
                told.append((point, -float(np.concatenate(points).mean())))
            search.tell(told)
            losses = np.array([loss for _, loss in told])
            history.append(
                {"generation": generation + 1, "mean": -float(losses.mean()), "best": -float(losses.min())}
            )
            if (generation + 1) % config.keep_every == 0:
                earlier = [*earlier[-3:], weights_at(search.mean)]
            progress.update(
                task, advance=1, description=f"tuning {config.variant}: {history[-1]['mean']:+.1f} points"
            )
            if asked:
                break
    values = weights_at(search.mean)
    decks = decks_from_seed(config.confirm_seed, config.confirm_pairs, rules)
    against = {START: start, **{name: other for name, other in fixed.items() if name != START}}
    confirmed = {
        name: estimate(bench.points(values, other, decks), 0.95, 9999) for name, other in against.items()
    }
    result = Tuned(values, confirmed, history)
    _write(config, groups, rules, result)
    return result


def _single(config: TuneConfig, groups: Groups) -> list[int]:
    """Return the places of the weights that are searched one by one."""
    return [] if config.factors and not config.tune else chosen_places(groups, config.tune)


def _dimensions(config: TuneConfig, groups: Groups) -> int:
    return len(_single(config, groups)) + len(config.factors)


def _searched(
    config: TuneConfig, groups: Groups, start: NDArray[np.float64]
) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    """Return what makes weights of a point of the search: first the single weights, then the factors."""
    places = np.array(_single(config, groups), np.int64)
    factors = [chosen_places(groups, [text]) for text in config.factors]
    scales = np.maximum(LEAST_SCALE, RELATIVE_SCALE * np.abs(start))
    for text, scale in config.scales.items():
        scales[chosen_places(groups, [text])] = scale

    def weights_at(point: NDArray[np.float64]) -> NDArray[np.float64]:
        values = start.copy()
        values[places] += scales[places] * point[: len(places)]
        for own, power in zip(factors, point[len(places) :], strict=True):
            values[own] *= np.exp(RELATIVE_SCALE * power)
        return values

    return weights_at


def _opponent(name: str, start: NDArray[np.float64], groups: Groups) -> NDArray[np.float64] | None:
    if name == GREEDY:
        return None
    return start if name == START else read_weights(name, groups)


def _mix(seed: int, generation: int) -> int:
    """Return the seed of the decks of a generation."""
    return int(np.random.SeedSequence([seed, generation]).generate_state(1, np.uint64)[0] >> np.uint64(1))


def _split(decks: Decks, shares: Sequence[float]) -> list[Decks]:
    """Return the decks in parts of given shares, in their order."""
    ends = np.round(np.cumsum([0.0, *shares]) * len(decks)).astype(int)
    return [Decks(decks.cards[first:last], decks.source) for first, last in itertools.pairwise(ends)]


def _write(config: TuneConfig, groups: Groups, rules: Rules, result: Tuned) -> None:
    path = Path(config.output)
    path.parent.mkdir(parents=True, exist_ok=True)
    head = f"Weights of the rule-based player of {config.variant}, written by `bezique tune`: see docs/expert.md."
    path.write_text(weights_text(groups, result.values, head), encoding="utf-8")
    told = {
        "config": config.model_dump(mode="json"),
        "engine_version": ENGINE_VERSION,
        "rules_hash": rules.hash,
        "confirmed": {name: found.to_dict() for name, found in result.confirmed.items()},
        "history": result.history,
    }
    path.with_suffix(".json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
