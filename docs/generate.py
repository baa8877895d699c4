"""Write the tables of this folder from the code: ``python docs/generate.py`` (``--check`` only compares)."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from pathlib import Path

from bezique_env.encoding import layout_hash, observation_fields, observation_size
from bezique_env.engine.bezique.actions import ACTION_TEXTS, SELECT_TEXTS
from bezique_env.rules import get_rules, variants
from bezique_env.rules.bezique import index as ix
from bezique_env.rules.tables import (
    Table,
    fixed_rows,
    options_rows,
    presets_rows,
    scores_rows,
    settlement_rows,
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


_USES = (
    "`uses`, for each copy: marriage 8 (Q then K, by suit S H D C), sequence 5 (J Q K T A; it is always in trump), "
    "bezique 8 (J then Q, by suit; a third for a single, two thirds for a double, 1 for both), four 20 (J Q K T A, "
    "each by suit)"
)
_COPIES = "Copies of equal cards are numbered in the order laid."
OBSERVATION_NOTES = {
    "two_pack": f"{_COPIES} {_USES}, seven 1.",
    "fildinski": f"{_COPIES} {_USES}. The tables are the open cards.",
}
PLACES_NOTE = (
    "Tables go place by place, in the order laid, each place with all the numbers of a field. `melds` tells the "
    "exact members of the melds that are still intact: for a marriage the partners of the card, for the other "
    "kinds all members; place t counts 2**t."
)


def observation(variant: str) -> str:
    """Return the page of the observation of a variant."""
    rows = [
        [
            f"`{f.name}`",
            f"{f.start}:{f.stop}",
            str(f.stop - f.start),
            f.unit,
            f"{f.low:g} .. {f.high:g}",
            f.meaning,
        ]
        for f in observation_fields(variant)
    ]
    return f"""# Observation of `{variant}`

One row of {observation_size(variant)} float32 numbers, made from the view of a seat: what it is entitled to know,
itself first (`own`), the other seat second (`opp`). Card id = 8 * suit + rank, suits S H D C, ranks 7 8 9 J Q K T A.
Layout hash `{layout_hash(variant)}`; it changes with the layout, and checkpoints carry it.

{OBSERVATION_NOTES.get(variant, PLACES_NOTE)}

{markdown((["field", "slice", "size", "unit", "range", "meaning"], rows))}
"""


EXAMPLES = {
    "two_pack": 'rules="finnish", overrides={"target": 1500}',
    "rubicon": 'rules="portland", overrides={"carte_blanche_courts": "AKQJ"}',
    "chinese": 'rules="trump_queen", overrides={"cut_bonus": "on"}',
    "eight_pack": 'rules="sum", overrides={"four_tens": 90}',
    "fildinski": 'rules="by_class", overrides={"fildinski_endgame": "on"}',
}
"""Arguments that change an option of each variant."""


def rules_page(variant: str) -> str:
    """Return the page of the options, presets and points of a variant."""
    found = get_rules(variant)
    after = (
        "W and L: the scores of winner and loser, rounded down to the hundred; the winner is found before the "
        "rounding."
        if found.vector[ix.RUBICON]
        else "A match goes over several deals, by `target` and `game_end`."
    )
    return f"""# Rules of `{variant}`: options and presets

{variants()[variant].title}: {found.shape.packs} packs, {found.vector[ix.HAND_SIZE]} cards a hand.

Any option can be overridden: `{variant}_v0.env({EXAMPLES[variant]})`.
A combination that cannot be played is refused when it is built.

## Options

{markdown(options_rows(variant))}

## Presets

{markdown(presets_rows(variant))}

## Fixed

Options of the family that mean nothing here and are refused as overrides, with what holds instead.

{markdown(fixed_rows(variant))}

## Points

{markdown(scores_rows(variant))}

## Settlement

{after} `bezique_env.rules.settle` computes it for any scores.

{markdown(settlement_rows(variant))}

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
    **{f"observation_{variant}.md": functools.partial(observation, variant) for variant in variants()},
    **{f"rules_{variant}.md": functools.partial(rules_page, variant) for variant in variants()},
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
