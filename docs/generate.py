"""Write the tables of this folder from the code: ``python docs/generate.py`` (``--check`` only compares)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from bezique_env.encoding import OBSERVATION_FIELDS, OBSERVATION_SIZE, layout_hash
from bezique_env.engine.actions import ACTION_TEXTS, SELECT_TEXTS
from bezique_env.rules import variants
from bezique_env.rules.tables import (
    Table,
    options_rows,
    presets_rows,
    scores_rows,
    sources_rows,
    variants_rows,
)

FOLDER = Path(__file__).resolve().parent
NOTE = "<!-- Written by docs/generate.py: edit the code it reads, then run it again. -->"

MEANINGS = (
    (0, 32, "play this card from the hand"),
    (32, 64, "play a copy of this card that lies on the table"),
    (64, 68, "declare king and queen of the suit"),
    (68, 72, "declare A T K Q J of the suit"),
    (72, 77, "declare that many beziques at once: single, double, ..."),
    (77, 82, "declare any four of the rank"),
    (82, 87, "declare four of the rank in the trump suit (larger variants)"),
    (87, 92, "declare five of the rank in the trump suit (larger variants)"),
    (92, 93, "score a trump seven"),
    (93, 94, "exchange a trump seven for the turn-up"),
    (94, 95, "show and score a hand without court cards (larger variants)"),
    (95, 96, "end the declaring window"),
)


def markdown(table: Table) -> str:
    """Return a table in Markdown."""
    headers, rows = table

    def line(cells: list[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    return "\n".join([line(headers), "|" + " --- |" * len(headers), *(line(row) for row in rows)])


def actions() -> str:
    """Return the page of the action table."""
    rows = []
    for start, stop, meaning in MEANINGS:
        for action in range(start, stop):
            use = f"`{SELECT_TEXTS[action]}`" if action < len(SELECT_TEXTS) else ""
            rows.append([str(action), f"`{ACTION_TEXTS[action]}`", use, meaning])
    headers = ["id", "text", "text while the cards of a declaration are chosen", "meaning"]
    return f"""# Actions

{len(ACTION_TEXTS)} ids, the same meaning in every member of the Bezique family; what a variant lacks is never legal.
An id never changes its meaning. The third column holds under `selection: explicit`, in phase `select`.

{markdown((headers, rows))}
"""


def observation() -> str:
    """Return the page of the observation of the two-pack game."""
    rows = [
        [
            f"`{f.name}`",
            f"{f.start}:{f.stop}",
            str(f.stop - f.start),
            f.unit,
            f"{f.low:g} .. {f.high:g}",
            f.meaning,
        ]
        for f in OBSERVATION_FIELDS
    ]
    return f"""# Observation of `two_pack`

One row of {OBSERVATION_SIZE} float32 numbers, made from the view of a seat: what it is entitled to know, itself first
(`own`), the other seat second (`opp`). Card id = 8 * suit + rank, suits S H D C, ranks 7 8 9 J Q K T A.
Layout hash `{layout_hash}`; it changes with the layout, and checkpoints carry it.

{markdown((["field", "slice", "size", "unit", "range", "meaning"], rows))}
"""


def rules_two_pack() -> str:
    """Return the page of the options and presets of the two-pack game."""
    return f"""# Rules of `two_pack`: options and presets

Any option can be overridden: `two_pack_v0.env(rules="finnish", overrides={{"target": 1500}})`. A combination that
cannot be played is refused when it is built.

## Options

{markdown(options_rows("two_pack"))}

## Presets

{markdown(presets_rows("two_pack"))}

## Points

{markdown(scores_rows())}

## Sources

{markdown(sources_rows())}
"""


def status() -> str:
    """Return the page of the status of every preset."""
    names = ", ".join(f"`{name}`" for name in variants())
    return f"""# Variants

Ready: {names}. The last column says what a preset leaves out of its sources.

{markdown(variants_rows())}
"""


PAGES: dict[str, Callable[[], str]] = {
    "actions.md": actions,
    "observation_two_pack.md": observation,
    "rules_two_pack.md": rules_two_pack,
    "variants.md": status,
}


def render() -> dict[str, str]:
    """Return every generated page by file name."""
    pages = {}
    for name, make in PAGES.items():
        title, rest = make().split("\n", 1)
        pages[name] = f"{title}\n\n{NOTE}\n{rest}"
    return pages


def main(check: bool = False) -> int:
    """Write the pages, or with `check` name the stale ones; return the number of stale pages."""
    stale = 0
    for name, text in render().items():
        path = FOLDER / name
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        stale += 1
        if check:
            print(f"docs/{name} is stale: run python docs/generate.py")
        else:
            path.write_text(text, encoding="utf-8")
            print(f"wrote docs/{name}")
    return stale


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if arguments not in ([], ["--check"]):
        sys.exit("usage: python docs/generate.py [--check]")
    found = main(check=bool(arguments))
    sys.exit(1 if arguments and found else 0)
