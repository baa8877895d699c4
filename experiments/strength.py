"""Measuring a policy on the decks of its experiment, also while it is still learning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agents.learned.policy import PolicyAgent
from agents.registry import make_agent
from bezique_env.rules import get_rules
from experiments.config import PAST, SELF, ConfigError, ExperimentConfig
from experiments.evaluation import Decks, decks_from_seed, play_pairs, read_decks


def evaluation_decks(config: ExperimentConfig) -> Decks:
    """Return the decks of a config's evaluation, from its seed or its file.

    Raises:
        ConfigError: the file has fewer decks than deal pairs are wanted.
    """
    chosen = config.evaluation
    rules = get_rules(config.variant, config.rules.preset, config.rules.overrides)
    if chosen.decks is None:
        assert chosen.seed is not None
        return decks_from_seed(chosen.seed, chosen.deal_pairs, rules)
    decks = read_decks(chosen.decks, rules)
    if len(decks) < chosen.deal_pairs:
        raise ConfigError(
            f"evaluation.deal_pairs: found {chosen.deal_pairs}; {chosen.decks} holds {len(decks)} decks"
        )
    return Decks(decks.cards[: chosen.deal_pairs], decks.source)


def trained_against(config: ExperimentConfig) -> tuple[str, ...]:
    """Return the agents that a policy learns from playing or imitating, by the names that results have for them.

    Strength against one of them says little about strength against others, so tables mark it. ``self`` and
    ``past`` are the policy itself and no agents.
    """
    found = [name for name, weight in config.opponents.items() if weight > 0 and name not in (SELF, PAST)]
    teacher = getattr(config.algorithm, "imitate", None)
    if teacher:
        found.append(teacher)
    return tuple(dict.fromkeys(make_agent(name).name for name in found))


def checkpoint_strength(config: ExperimentConfig, content: Mapping[str, Any]) -> dict[str, float]:
    """Return the points a deal of a checkpoint on the first ``curve_pairs`` decks, by opponent.

    Args:
        config: of the experiment.
        content: of the checkpoint; it need not be in a file yet.

    Returns:
        ``strength/OPPONENT``: mean over pairs; empty where ``curve_pairs`` is 0.
    """
    chosen = config.evaluation
    if not chosen.curve_pairs:
        return {}
    decks = evaluation_decks(config)
    first = Decks(decks.cards[: chosen.curve_pairs], decks.source)
    rules = get_rules(config.variant, config.rules.preset, config.rules.overrides)
    policy = PolicyAgent("policy", dict(content), chosen.action)
    found = {}
    for name in chosen.opponents:
        result = play_pairs(policy, make_agent(name), first, variant=config.variant, rules=rules)
        found[f"strength/{name}"] = float(result.points.mean())
    return found
