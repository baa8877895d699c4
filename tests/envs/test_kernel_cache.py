"""Kernels that several processes compiled for different variants work side by side when loaded from disk."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from bezique_env.engine.cache import READABLE_ROOMS

ROOT = Path(__file__).resolve().parents[2]
KERNELS = '''
import sys

import numpy as np

from bezique_env.engine.cache import kernel
from bezique_env.engine.bezique.state import state_dtype
from bezique_env.rules import get_rules


@kernel(inner=True)
def spread(g, times):
    """Long enough to stay a function of its own."""
    total = 0
    for k in range(times):
        for c in range(g.deck.shape[0]):
            g.deck[c] = (g.deck[c] * 7 + k) % 251
            total += g.deck[c] if c % 3 else k
        for s in range(2):
            for t in range(g.table_card.shape[1]):
                total += g.table_card[s, t] * k
                g.table_card[s, t] += 1
    return total * 1000 + g.deck.shape[0]


@kernel
def first(games, i):
    return spread(games[i], 2) + spread(games[i], 3) + spread(games[i], i)


@kernel
def second(games, i):
    return spread(games[i], 4) - 5 * spread(games[i], i + 1)


for variant in sys.argv[1:]:
    games = np.ones(1, state_dtype(get_rules(variant).shape))
    print(variant, first(games, 0), second(games, 0), games.tobytes().hex())
'''


def test_variants_compiled_in_processes_apart_play_in_one(tmp_path):
    """Numba's own names of record types are numbers of the process: two variants would share one symbol."""
    script = tmp_path / "kernels.py"
    script.write_text(KERNELS, encoding="utf-8")
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "BEZIQUE_CACHE_DIR": str(tmp_path / "cache"),
    }

    def run(*variants: str) -> list[str]:
        done = subprocess.run(
            [sys.executable, script, *variants],
            env=environment,
            capture_output=True,
            text=True,
            timeout=200,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    alone = {variant: run(variant) for variant in ("two_pack", "rubicon")}
    assert run("two_pack", "rubicon") == alone["two_pack"] + alone["rubicon"]
    assert run("rubicon", "two_pack") == alone["rubicon"] + alone["two_pack"]


def test_nothing_is_compiled_in_the_rooms_whose_edits_keep_the_cache() -> None:
    for room in READABLE_ROOMS:
        modules = sorted((ROOT / "bezique_env" / room).rglob("*.py"))
        assert modules
        for path in modules:
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"numba|import kernel\b", text), path
