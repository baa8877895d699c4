"""Write the tables of this folder from the code: ``python docs/generate.py`` (``--check`` only compares)."""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from agents.scripted.expert.weights import Groups, weight_names
from agents.scripted.policies import PLACES as RULE_BASED
from agents.scripted.policies import expert_weights, weight_groups
from bezique_env.encoding import layout_hash, observation_fields, observation_size
from bezique_env.engine.belote.kernels import (
    PLAIN_POINTS,
    PLAIN_STRENGTH,
    TRUMP_POINTS,
    TRUMP_STRENGTH,
)
from bezique_env.engine.engines import ENGINES
from bezique_env.rules import get_rules, variants
from bezique_env.rules.belote.cards import RANKS
from bezique_env.rules.families import FAMILIES, family_of
from bezique_env.rules.family import Table
from bezique_env.rules.tables import (
    fixed_rows,
    options_rows,
    packs_rows,
    presets_rows,
    scores_rows,
    settlement_rows,
    sources_rows,
    variants_rows,
)
from experiments import leaderboard
from experiments.peers import tables
from experiments.publish import results_markdown

FOLDER = Path(__file__).resolve().parent
LEADERBOARDS = FOLDER.parent / "leaderboard"
RESULTS = FOLDER.parent / "results"
WEIGHTS = """Tuned by `bezique tune` (see [expert](expert.md)); every group stands in the file of a variant in
`agents/scripted/expert/weights/`. Windows, chances and points as explained there; points unless said otherwise."""
NOTE = "<!-- Written by docs/generate.py: edit the code it reads, then run it again. -->"


@dataclass(frozen=True)
class Words:
    """What the pages of a family say beside their tables.

    Attributes:
        actions: file of its page of actions.
        meanings: what a range of action ids means.
        note: a sentence under the title of the page of actions.
        observation: explains the fields of a variant's observation.
        cards: rows of a table of the cards, for families whose rules page has one.
    """

    actions: str
    meanings: tuple[tuple[int, int, str], ...]
    note: str
    observation: Callable[[str], str]
    cards: Callable[[], Table] | None = None


_USES = (
    "`uses`, for each copy: marriage 8 (Q then K, by suit S H D C), sequence 5 (J Q K T A; it is always in trump), "
    "bezique 8 (J then Q, by suit; a third for a single, two thirds for a double, 1 for both), four 20 (J Q K T A, "
    "each by suit)"
)
_COPIES = "Copies of equal cards are numbered in the order laid."
_TWO_PACKS = {
    "two_pack": f"{_COPIES} {_USES}, seven 1.",
    "fildinski": f"{_COPIES} {_USES}. The tables are the open cards.",
    "mini_bezique": f"{_COPIES} {_USES}, seven 1. The row is that of two packs; cards that are not dealt stay 0.",
}
_PLACES = (
    "Tables go place by place, in the order laid, each place with all the numbers of a field. `melds` tells the "
    "exact members of the melds that are still intact: for a marriage the partners of the card, for the other "
    "kinds all members; place t counts 2**t."
)
_TALK = (
    "A contest is a comparison of declarations: `sequences` is the one of everything that is declared, but where "
    "`four_of_a_kind` is `bicycle`, fours are compared for themselves. `stage` is how far the talk went; the "
    "`said` fields are elder's best declaration up to there, 0 beyond. A dealer whose declaration was lower "
    "appears nowhere. `late_exchange` is an exchange of which the announcements knew nothing. The actions of an "
    "auction alternate."
)


def _belote_cards() -> Table:
    """Return the cards of Belote from the strongest to the weakest, with their points."""
    rows = []
    for name, strength, points in (
        ("trumps", TRUMP_STRENGTH, TRUMP_POINTS),
        ("other suits", PLAIN_STRENGTH, PLAIN_POINTS),
    ):
        order = sorted(range(len(RANKS)), key=lambda rank: -strength[rank])
        rows.append([name, ", ".join(f"{RANKS[rank]} {points[rank]}" for rank in order)])
    rows.append(["in sequences", ", ".join(RANKS[::-1])])
    return ["cards", "from high to low, with their points"], rows


WORDS: dict[str, Words] = {
    "bezique": Words(
        actions="actions.md",
        meanings=(
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
        ),
        note="The third column holds under `selection: explicit`, in phase `select`.",
        observation=lambda variant: _TWO_PACKS.get(variant, _PLACES),
    ),
    "belote": Words(
        actions="actions_belote.md",
        meanings=(
            (0, 32, "play this card"),
            (32, 33, "take the turned suit as trump (round 1 of the auction)"),
            (33, 34, "decline, whatever is asked: to bid, to exchange, to announce"),
            (34, 35, "propose a new deal instead of bidding"),
            (35, 36, "answer a proposal: deal again"),
            (36, 37, "answer a proposal: play on"),
            (37, 41, "name this suit as trump (round 2 of the auction, or after a refused proposal)"),
            (41, 42, "exchange the seven of trumps for the turn-up"),
            (42, 43, "announce all declarations held; the engine answers for what they are"),
            (43, 44, "say the pair, before its king or queen of trumps is played"),
        ),
        note="After `belote` the same seat is to act again: it plays king or queen of trumps.",
        observation=lambda variant: _TALK,
        cards=_belote_cards,
    ),
}
"""By family; of a family that has none the pages are the tables alone."""


def words_of(family: str) -> Words:
    """Return what the pages of a family say beside their tables."""
    return WORDS.get(family) or Words(f"actions_{family}.md", (), "", lambda variant: "")


def markdown(table: Table) -> str:
    """Return a table in Markdown."""
    headers, rows = table

    def line(cells: list[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    return "\n".join([line(headers), "|" + " --- |" * len(headers), *(line(row) for row in rows)])


def actions(family: str) -> str:
    """Return the page of the action table of a family."""
    table = next(engine.actions for engine in ENGINES if engine.family == family)
    title = next(f.title for f in FAMILIES if f.name == family)
    words = words_of(family)
    meanings = [text for start, stop, text in words.meanings for _ in range(start, stop)]
    if len(meanings) not in (0, table.size):
        raise ValueError(f"the meanings of {family} explain {len(meanings)} of {table.size} actions")
    columns = [
        ("id", [str(action) for action in range(table.size)]),
        ("text", [f"`{text}`" for text in table.texts]),
    ]
    if table.select_texts:
        rest = [""] * (table.size - len(table.select_texts))
        selected = [*(f"`{text}`" for text in table.select_texts), *rest]
        columns.append(("text while the cards of a declaration are chosen", selected))
    if meanings:
        columns.append(("meaning", meanings))
    headers = [name for name, _ in columns]
    rows = [list(row) for row in zip(*(cells for _, cells in columns), strict=True)]
    heading = "Actions" if words.actions == "actions.md" else f"Actions of {title}"
    return f"""# {heading}

{table.size} ids, the same meaning in every member of the {title} family; what a variant lacks is never legal.
{" ".join(["An id never changes its meaning.", words.note]).strip()}

{markdown((headers, rows))}
"""


def observation(variant: str) -> str:
    """Return the page of the observation of a variant."""
    family = family_of(variant)
    ranks = " ".join(family.cards.ranks)
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
itself first (`own`), the other seat second (`opp`). Card id = 8 * suit + rank, suits S H D C, ranks {ranks}.
Layout hash `{layout_hash(variant)}`; it changes with the layout, and checkpoints carry it.

{words_of(family.name).observation(variant)}

{markdown((["field", "slice", "size", "unit", "range", "meaning"], rows))}
"""


def rules_page(variant: str) -> str:
    """Return the page of the options, presets and points of a variant."""
    found = get_rules(variant)
    family = found.family
    member = family.variants[variant]
    packs = f"{found.shape.packs} packs" if found.shape.packs > 1 else "1 pack"
    small = not member.pack.is_whole
    size = f"{found.shape.packs} of every card" if small else f"{packs}, {found.hand_size} cards a hand"
    fixed = fixed_rows(variant)
    cards = words_of(family.name).cards
    parts = [
        ("Options", "", options_rows(variant)),
        ("Presets", "", presets_rows(variant)),
        (
            "Fixed",
            "Options of the family that mean nothing here and are refused as overrides, with what holds instead.",
            fixed,
        ),
        ("Packs", "Which cards are dealt is the preset's.", packs_rows(variant) if small else None),
        ("Cards", "", cards() if cards else None),
        ("Points", "", scores_rows(variant)),
        (
            "Settlement",
            f"{family.settlement_note(found)} `bezique_env.rules.settle` computes it for any scores.",
            settlement_rows(variant),
        ),
        ("Sources", "", sources_rows(variant)),
    ]
    sections = [
        "\n\n".join([f"## {title}", *([text] if text else []), markdown(table)])
        for title, text, table in parts
        if table is not None and table[1]
    ]
    return (
        f"""# Rules of `{variant}`: options and presets

{variants()[variant].title}: {size}.

Any option can be overridden: `{variant}_v0.env({member.example})`.
A combination that cannot be played is refused when it is built.

"""
        + "\n\n".join(sections)
        + "\n"
    )


def status() -> str:
    """Return the page of the status of every preset."""
    names = ", ".join(f"`{name}`" for name in variants())
    return f"""# Variants

Ready: {names}. The last column says what a preset leaves out of its sources.

{markdown(variants_rows())}
"""


def weights_page() -> str:
    """Return the page of the weights of the rule-based players: what each means, and what is shipped."""
    kinds: list[tuple[Groups, list[str]]] = []
    for variant in variants():
        if family_of(variant).name not in RULE_BASED:
            continue
        groups = weight_groups(variant)
        if weight_names(groups):
            for known, members in kinds:
                if known == groups:
                    members.append(variant)
                    break
            else:
                kinds.append((groups, [variant]))
    parts = ["# Weights of the rule-based player", WEIGHTS]
    for groups, members in kinds:
        values = [expert_weights(variant).values for variant in members]
        meanings = [meaning for own in groups.values() for meaning in own.values()]
        rows = [
            [f"`{name}`", *(f"{float(own[place]):.3g}" for own in values), meanings[place]]
            for place, name in enumerate(weight_names(groups))
        ]
        parts.append("## " + ", ".join(f"`{variant}`" for variant in members))
        parts.append(markdown((["weight", *members, "meaning"], rows)))
    return "\n\n".join(parts) + "\n"


PAGES: dict[str, Callable[[], str]] = {
    **{words_of(family.name).actions: functools.partial(actions, family.name) for family in FAMILIES},
    **{f"observation_{variant}.md": functools.partial(observation, variant) for variant in variants()},
    **{f"rules_{variant}.md": functools.partial(rules_page, variant) for variant in variants()},
    "variants.md": status,
    "expert_weights.md": weights_page,
}


def render() -> dict[str, str]:
    """Return every generated page by file name."""
    pages = {}
    for name, make in PAGES.items():
        title, rest = make().split("\n", 1)
        pages[name] = f"{title}\n\n{NOTE}\n{rest}"
    pages["peers.md"] = peers_page()
    boards = sorted(LEADERBOARDS.glob("*.jsonl"))
    if boards:
        pages["ladder.md"] = ladder_page(boards)
    found = sorted(RESULTS.glob("*.json"))
    if found:
        pages["results.md"] = results_page(found)
    return pages


def ladder_page(boards: list[Path]) -> str:
    """Return the page of the published ladders, made from the files that the tournaments wrote."""
    return f"""# The ladder

<!-- Written by docs/generate.py from leaderboard/*.jsonl: play the tournaments again, then run it again. -->

Every agent against every other on the same duplicate decks, the last run of each tournament. A ladder goes from the
weakest agent to the strongest, each with its step: the points a deal that it wins above the one below, in their own
match. [Measurement](measurement.md) tells what the columns mean. The commands write a run directory with a table of
every deal and add to `leaderboard/`; the decks come from the recipes in `configs/tournament/decks/`.

{leaderboard.markdown(boards)}
"""


def results_page(files: list[Path]) -> str:
    """Return the page of what learned policies came to, made from the files that `experiments.publish` wrote."""
    sections = [results_markdown(json.loads(file.read_text(encoding="utf-8"))) for file in files]
    return f"""# What was learned

<!-- Written by docs/generate.py from results/*.json: publish runs again, then run it again. -->

Policies measured on duplicate deals. The unit is the training seed: IQM is the interquartile mean over seeds, with its
bootstrap interval. An opponent that a policy met in training, or learned from, is marked: strength against it says
little about strength against others. [Learning](learning.md) tells how they learn; the
[goals](learning.md#goals) how far they came.

{chr(10).join(section + chr(10) for section in sections)}"""


def peers_page() -> str:
    """Return the page of the peers with its block made from ``peers.json``, which ``bezique bench`` wrote."""
    report = json.loads((FOLDER / "peers.json").read_text(encoding="utf-8"))
    return tables.page((FOLDER / "peers.md").read_text(encoding="utf-8"), report)


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
