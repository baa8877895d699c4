"""Compiled code of several variants in one process: names of record types do not depend on the process."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import numba
from bezique_env.engine import cache
from bezique_env.engine.state import state_dtype
from bezique_env.rules import get_rules
for k in range({met}):
    numba.types.UniTuple(numba.int64, k + 2)  # a type that the process meets before the records
for variant in {variants}:
    record = numba.from_dtype(state_dtype(get_rules(variant).shape))
    print(variant, record.mangling_args)
"""


def symbols(met: int, variants: list[str]) -> set[str]:
    """Return variant and symbol, from a fresh process that met other types first."""
    program = PROGRAM.format(met=met, variants=variants)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines())


def test_record_types_have_one_symbol_in_every_process() -> None:
    """Numba numbers them in the order it meets them, so cached code of two variants could take one name."""
    variants = ["two_pack", "fildinski", "rubicon", "chinese", "eight_pack"]
    first = symbols(0, variants)
    assert first == symbols(7, variants[::-1])
    assert len({line.split(" ", 1)[1] for line in first}) == len(variants)
