"""``bezique bench --peers``."""

from __future__ import annotations

import json as json_module
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from experiments.peers.measure import measure
from experiments.peers.tables import Report, check_page, show, write


def peers_command(
    seconds: float = 0.5, only: Sequence[str] = (), json: bool = False, path: Path | None = None
) -> dict[str, Any]:
    """Measure, print tables or JSON, write the page if there is one to write, and return the report.

    Raises:
        ValueError: something asked for is not allowed; see :func:`experiments.peers.measure.measure` and
            :func:`experiments.peers.tables.write`.
    """
    if path is not None:
        check_page(path)  # before the long run
    report = measure(seconds, only=only, tell=lambda text: print(text, file=sys.stderr, flush=True))
    if path is not None:
        write(path, report)
    if json:
        print(json_module.dumps({**report, "ratios": Report(report).all_ratios()}, indent=2))
    else:
        show(report)
    return report
