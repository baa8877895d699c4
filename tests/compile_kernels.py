"""Compile what the tests need into the kernel cache, each variant in a process of its own, as many as cores.

Two workers of pytest that need the same kernel at the same time compile it twice, which is what they would
spend their first minutes with on an empty cache. Run as ``python -m tests.compile_kernels``; without it the
tests pass as well, only later.
"""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from agents.endgame.core import make_solver
from agents.endgame.lastdraw import average_last_draw, solve_last_draw
from agents.exact.cfr import Solver
from agents.exact.tree import build_tree
from agents.play import play_games
from agents.registry import make_agent
from bezique_env.engine import play
from bezique_env.envs.batch import make_batch
from bezique_env.envs.vector import GameVectorEnv
from bezique_env.game import Game
from bezique_env.rules import get_rules, variants
from experiments.bench import LEVELS, Loop
from experiments.solve_mini import small_games, small_rules
from tests.endgame.worlds import belote_endings, bezique_endings, disagreements

SEARCH = ("two_pack", "belote")
"""Games that the tests let the searching players play."""
ENDINGS = ("two_pack", "fildinski", "belote")
"""Games whose endings they hold against plain search."""
LAST_TRICK = ("mini_bezique",)
"""Games whose last stock trick they solve."""


def compile_variant(variant: str) -> None:
    """Use whatever is compiled for the records of a variant."""
    game = Game(variant, seed=1)
    while not game.is_over:
        game.why_illegal(0)
        seat = game.seat_to_act
        game.view(seat)
        game.observation(seat)
        game.apply(game.legal_actions()[0])
    game.returns()
    Game(variant, seed=1).resample(0, 1).information_text(0)
    places = len(game.state["deck"])
    play.dealt_row(game._games, 0, game._vector, np.zeros(places, np.int16), np.zeros(places, np.uint8))
    play.put_card_row(game._games, 0, game._vector, 0, 0)
    for agent in ("random", "greedy", "expert"):
        play_games(make_batch(variant, num_games=2), [make_agent(agent), make_agent("random")])
    learners = GameVectorEnv(variant, 2, opponent="random")
    learners.reset(seed=1)
    learners.step(learners.action_masks().argmax(axis=1))
    loop = Loop(variant, seed=1, rows=2)
    for level in LEVELS:
        loop.play(1, level)
    if any(game.startswith(f"{variant}/") for game in small_games()):
        Solver(build_tree(small_rules(variant))).run()
    if variant in SEARCH:
        for text in ("pimc(worlds=2)", "ismcts(iterations=2)"):
            play_games(make_batch(variant, num_games=1), [make_agent(text), make_agent("random")])
    if variant in ENDINGS:
        rules, rng = get_rules(variant), np.random.default_rng(0)
        make = belote_endings if variant == "belote" else bezique_endings
        disagreements(rules, make(rules, 2, 2, rng), make_solver(1 << 10))
    if variant in LAST_TRICK:
        game = Game(variant, rules="qj3", seed=1)  # its first lead is that of the last stock trick
        solve_last_draw(game)
        average_last_draw(game)


def in_order() -> list[str]:
    """Return the variants: a game of each family first, then those with most to compile.

    Games of one family share kernels. Two of them from the start on would compile these twice; when the first one
    of the other family is done, those of the larger one are there.
    """
    families: dict[str, list[str]] = {}
    for variant in variants():
        families.setdefault(get_rules(variant).family.name, []).append(variant)
    rest = [variant for family in families.values() for variant in family[1:]]
    rest.sort(key=lambda variant: variant not in ENDINGS + LAST_TRICK)
    return [*(family[0] for family in families.values()), *rest]


def in_a_process(variant: str) -> int:
    """Compile a variant in a process of its own; return its exit code."""
    return subprocess.run([sys.executable, "-m", "tests.compile_kernels", variant], check=False).returncode


def main() -> int:
    """Compile every variant, as many at once as there are cores; return 0 when all went well."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return max(pool.map(in_a_process, in_order()))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        compile_variant(sys.argv[1])
    else:
        sys.exit(main())
