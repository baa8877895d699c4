"""What an agent loses at least: a policy is trained against it alone and then measured.

Whatever beats an agent shows a weakness that is there; what a training does not find may still be there. So
the figure is a *lower bound* on what the best opponent gains. It is never called exploitability, which takes
an exact best response (``bezique solve-mini`` has them for small games).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from agents.registry import make_agent
from experiments.config import EvaluationConfig, ExperimentConfig, dump_config
from experiments.evaluation import Decks, play_pairs
from experiments.files import read_json, write_json
from experiments.tournament_config import TournamentConfig

MEASURED = "measured.json"


def experiment_against(config: TournamentConfig, agent: str) -> ExperimentConfig:
    """Return the training of a best response to an agent."""
    chosen = config.best_response
    assert chosen is not None
    algorithm = chosen.algorithm
    if chosen.warm_start_steps:
        algorithm = algorithm.model_copy(update={"imitate": agent, "imitate_steps": chosen.warm_start_steps})
    return ExperimentConfig(
        name=f"{config.name}-best_response",
        variant=config.variant,
        rules=config.rules,
        reward=chosen.reward,
        seed=chosen.seed,
        algorithm=algorithm,
        opponents={agent: 1.0},
        checkpoint_every=chosen.checkpoint_every,
        evaluation=EvaluationConfig(opponents=(agent,), deal_pairs=chosen.deal_pairs, seed=0),
    )


def lower_bound(
    config: TournamentConfig,
    agent: str,
    decks: Decks,
    folder: Path,
    progress: Callable[[str, int, int], None] | None = None,
) -> dict[str, Any]:
    """Train against an agent, measure the policy on the first decks of the tournament, and return what it gained.

    Args:
        config: with ``best_response``.
        agent: one of its agents.
        decks: of the tournament.
        folder: of this training; what is there already is taken up again.
        progress: called with what is done (``training`` or ``measuring``), how far it is, and the whole.

    Returns:
        ``lower_bound`` (points a deal with its interval over pairs), ``win_rate`` of the policy, ``deal_pairs``,
        ``steps``, ``policy_hash``.

    Raises:
        Interrupted: the training was stopped; it goes on when this is called again.
    """
    from experiments.train import train

    if (folder / MEASURED).is_file():
        return read_json(folder / MEASURED)
    assert config.best_response is not None
    folder.mkdir(parents=True, exist_ok=True)
    experiment = experiment_against(config, agent)
    (folder / "config.yaml").write_text(dump_config(experiment), encoding="utf-8")

    def tell(kind: str) -> Callable[[int, int], None]:
        return lambda done, total: progress(kind, done, total) if progress is not None else None

    shown = tell("training")
    trained = train(experiment, folder, resume=True, progress=lambda done, total, _: shown(done, total))
    pairs = min(config.best_response.deal_pairs, len(decks))
    result = play_pairs(
        make_agent(f'policy("{trained.checkpoint}")'),
        make_agent(agent),
        Decks(decks.cards[:pairs], decks.source),
        variant=config.variant,
        rules=config.resolved_rules(),
        progress=tell("measuring"),
    )
    summary = result.summary(config.confidence, config.resamples)
    found = {
        "agent": agent,
        "lower_bound": summary.points.to_dict(),
        "win_rate": summary.win_rate.to_dict(),
        "deal_pairs": pairs,
        "steps": trained.steps,
        "policy_hash": trained.policy_hash,
    }
    write_json(folder / MEASURED, found)
    return found
