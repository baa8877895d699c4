"""The rule-based players as kernels over one view, for whoever plays out games inside compiled code.

Inside a kernel call ``choose_expert(v, mask, weights, scratch)``; the family is chosen while compiling, by the
type of the view. It reads only what :func:`bezique_env.engine.play.project_board` writes, so a roll-out need
not make the whole view. From Python, :func:`expert_weights` and :func:`policy_scratch` make the last two
arguments, whose types are the same for every variant and family. A new family adds its module to
:data:`PLACES`, with the kernels ``choose_expert`` and ``choose_greedy`` (v, mask, weights, scratch),
``rate_expert`` (the same and out), and the functions ``weights_for(rules, values)`` and
``weight_groups(variant)``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.endgame.core import Solver, make_solver
from agents.scripted.expert import belote, bezique
from agents.scripted.expert.weights import ExpertWeights, Groups
from bezique_env.engine.dispatch import by_family
from bezique_env.engine.engine import Engine
from bezique_env.rules import Rules, get_rules

PLACES: dict[str, Any] = {"bezique": bezique, "belote": belote}
"""The module of each family of :data:`bezique_env.rules.families.FAMILIES`, by its id."""


class PolicyScratch(NamedTuple):
    """Scratch of :func:`choose_expert` for one thread; what it holds before a call does not change the answer.

    Attributes:
        whole: int64 [256].
        real: float64 [512].
        solver: the exact solver, whose table serves one game after another.
    """

    whole: NDArray[np.int64]
    real: NDArray[np.float64]
    solver: Solver


def policy_scratch(slots: int = 1 << 14) -> PolicyScratch:
    """Return scratch for one thread.

    Args:
        slots: entries of the solver's table, a power of two.
    """
    return PolicyScratch(np.zeros(256, np.int64), np.zeros(512, np.float64), make_solver(slots))


def weight_groups(variant: str) -> Groups:
    """Return the names of the weights of a variant's rule-based player, and what they mean, by group."""
    groups: Groups = PLACES[get_rules(variant).family.name].weight_groups(variant)
    return groups


def expert_weights(game: str | Rules, values: NDArray[np.float64] | None = None) -> ExpertWeights:
    """Return what the rule-based player of a game plays by: its weights and the points of the rules.

    Args:
        game: variant, or resolved rules.
        values: float64 [n], the weights in the order of :func:`weight_groups`; those shipped by default.
    """
    rules = get_rules(game) if isinstance(game, str) else game
    weights: ExpertWeights = PLACES[rules.family.name].weights_for(rules, values)
    return weights


def _own(engine: Engine, name: str) -> Any:
    return getattr(PLACES[engine.family], name)


@by_family(_own)
def choose_expert(v, mask, weights, scratch):
    """Return the legal action that the rule-based player takes, int64; -1 where there is none.

    Args:
        v: view record, of which only the board is read.
        mask: int8 [actions], 1 for each legal action.
        weights: of :func:`expert_weights`.
        scratch: of :func:`policy_scratch`.
    """


@by_family(_own)
def rate_expert(v, mask, weights, scratch, out):
    """Write what the rule-based player holds each action to be worth, and return the one that it takes, int64.

    Args:
        v: view record, of which only the board is read.
        mask: int8 [actions], 1 for each legal action.
        weights: of :func:`expert_weights`.
        scratch: of :func:`policy_scratch`.
        out: float64 [actions], points; only differences mean something. Not a number where the action is illegal or
            the player does not say.
    """


@by_family(_own)
def choose_greedy(v, mask, weights, scratch):
    """Return the legal action that ``greedy`` takes, int64; -1 where there is none. Arguments as of the expert's."""
