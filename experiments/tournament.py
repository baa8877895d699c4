"""Every agent against every other on the same duplicate decks."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from agents.registry import make_agent
from bezique_env.engine.version import ENGINE_VERSION
from bezique_env.envs.opponents import with_rules
from bezique_env.rules import get_rules
from experiments.evaluation import decks_from_seed, play_pairs, read_decks


def tournament(
    names: Sequence[str],
    *,
    variant: str = "two_pack",
    preset: str | None = None,
    deal_pairs: int = 1000,
    seed: int | None = None,
    decks_file: str | Path | None = None,
    confidence: float = 0.95,
    out: str | Path | None = None,
    console: Console | None = None,
) -> dict[str, Any]:
    """Play every pairing, print a table of each agent's points a deal, and return the results.

    Args:
        names: agents, at least two.
        variant: the game.
        preset: of the rules.
        deal_pairs: decks from the seed, each played twice with the seats swapped.
        seed: of the decks; or name a file.
        decks_file: a .json file of decks; all of them are played.
        confidence: of the intervals.
        out: a .json file for the results.
        console: where to print.

    Raises:
        ValueError: fewer than two agents, an unknown one, or decks from neither or both of seed and file.
    """
    if len(names) < 2:
        raise ValueError(
            "tournament: name at least two agents, for example: bezique tournament random greedy"
        )
    if (seed is None) == (decks_file is None):
        raise ValueError("tournament: the decks come from --seed or from --decks: exactly one of them")
    if deal_pairs < 2:
        raise ValueError(f"tournament: --pairs {deal_pairs} must be at least 2")
    rules = get_rules(variant, preset)
    players = [with_rules(make_agent(name), rules) for name in names]
    if seed is not None:
        decks = decks_from_seed(seed, deal_pairs, rules)
    else:
        decks = read_decks(str(decks_file), rules)
    cells: dict[tuple[int, int], str] = {}
    matches = []
    for i, j in itertools.combinations(range(len(players)), 2):
        summary = play_pairs(players[i], players[j], decks, variant=variant, rules=rules).summary(
            confidence, 9999
        )
        matches.append({"first": names[i], **summary.to_dict(), "opponent": names[j]})
        points = summary.points
        half = max(points.high - points.mean, points.mean - points.low)
        cells[i, j], cells[j, i] = f"{points.mean:+.1f} ±{half:.1f}", f"{-points.mean:+.1f} ±{half:.1f}"
    result = {
        "variant": variant,
        "engine_version": ENGINE_VERSION,
        "rules_hash": rules.hash,
        "decks": {"source": decks.source, "hash": decks.hash, "pairs": len(decks)},
        "matches": matches,
    }
    table = Table(
        title=f"{variant}: points a deal of the row against the column, {len(decks)} deal pairs, "
        f"{confidence:.0%} intervals"
    )
    for header in ("", *names):
        table.add_column(Text(header))
    for i, name in enumerate(names):
        table.add_row(Text(name), *(cells.get((i, j), "") for j in range(len(names))))
    (console or Console()).print(table)
    if out is not None:
        Path(out).write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    return result
