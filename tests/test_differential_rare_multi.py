"""Rare turns of the multi-pack games and of Fildinski, set up on purpose and played through both programs.

As in :mod:`tests.test_differential_rare`: a position (or a deck), a script, and all score changes expected by
hand. X numbers are the worked examples of section 11 of the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.referee.compare import REFEREES, Pair
from tests.referee.two_pack import RANKS, WHOLE_PACK
from tests.test_differential_rare import Events, follow

Melds = Sequence[tuple[int, str, str]]


@dataclass(frozen=True)
class Rare:
    """One rare turn.

    Attributes:
        name: What happens.
        script: What is played; see ``tests.test_differential_rare``.
        expected: All score changes.
        position: Where it begins, unless a ``deck`` is given.
        deck: All cards in dealing order, one at a time, seat 1 dealing.
        variant: Which game.
        options: Overrides, with a deck.
        draws: ``shared`` or ``queues``, with a deck.
        cut: Cards lifted and number guessed.
    """

    name: str
    script: str
    expected: Events
    position: dict[str, Any] = field(default_factory=dict)
    deck: tuple[str, ...] = ()
    variant: str = "rubicon"
    options: dict[str, Any] = field(default_factory=dict)
    draws: str = "shared"
    cut: tuple[int, int] | None = None


def run(case: Rare, counters: Counter[str]) -> Pair:
    """Play a case through both implementations and compare with what is expected."""
    if case.deck:
        pair = Pair(
            case.options,
            deck=list(case.deck),
            dealer=1,
            draws=case.draws,
            counters=counters,
            variant=case.variant,
            cut=case.cut,
        )
    else:
        pair = Pair({}, position=case.position, counters=counters)
    assert follow(pair, case.script) == case.expected
    return pair


# ------------------------------------------------------------------------------------ setting positions up


def low_cards(ranks: str, trump: str | None, packs: int) -> list[str]:
    """Low cards of the plain suits, all copies of a rank before the next rank; then low trumps, then tens."""
    suits = [suit for suit in "SHDC" if suit != trump]
    plain = [rank + suit for rank in ranks for _ in range(packs) for suit in suits]
    return plain + [f"{rank}{trump}" for rank in "89" for _ in range(packs) if trump] + ["TD", "TH"] * packs


def spot(
    hand0: str = "",
    table0: str = "",
    scored: Melds = (),
    overrides: dict[str, Any] | None = None,
    *,
    variant: str = "rubicon",
    preset: str | None = None,
    trump: str | None = "C",
    turn_up: str | None = None,
    hand1: str = "",
    table1: str = "",
    draws: str = "",
    stock: int = 8,
    **more: Any,
) -> dict[str, Any]:
    """A position of the stock phase, seat 0 to lead and seat 1 the dealer.

    Hands are filled with low plain cards, nines for seat 0 and sevens for seat 1, so that seat 0 wins; seat 0
    draws what ``draws`` names as long as it wins. What is not named lies won before seat 0.
    """
    kind = REFEREES[variant]
    left = Counter(WHOLE_PACK * kind.PACKS)
    for words in (hand0, table0, hand1, table1, draws, turn_up or ""):
        left.subtract(words.split())
    for text in more.pop("known_won", "").split():
        left[text] -= 1
    assert min(left.values()) >= 0

    def take(ranks: str, count: int) -> list[str]:
        taken: list[str] = []
        for text in low_cards(ranks, trump, kind.PACKS):
            if len(taken) < count and left[text] > 0:
                left[text] -= 1
                taken.append(text)
        assert len(taken) == count
        return taken

    in_hand = [hand0.split(), hand1.split()]
    tables = [table0.split(), table1.split()]
    for seat in (0, 1):
        on_table = 0 if variant == "fildinski" else len(tables[seat])
        in_hand[seat] += take("98" if seat == 0 else "78", kind.HAND - on_table - len(in_hand[seat]))
    pile: list[str] = []
    for text in draws.split():
        pile += [text, *take("879", 1)]
    pile += take("897", max(0, stock - len(pile)))
    if turn_up:
        pile.pop()
    return {
        "variant": variant,
        "rules": {"preset": preset or next(iter(kind.PRESETS)), "overrides": overrides or {}},
        "phase": "lead",
        "to_act": 0,
        "dealer": 1,
        "trump": trump,
        "hands": in_hand,
        "table": tables,
        "scored": [{"seat": seat, "meld": meld, "cards": cards.split()} for seat, meld, cards in scored],
        "stock": pile,
        "rest": 0,
        **({"turn_up": turn_up} if turn_up else {}),
        **more,
    }


def shown(position: dict[str, Any]) -> dict[str, Any]:
    """The position with both hands known."""
    return position | {"known": [list(hand) for hand in position["hands"]]}


def before_the_draw(position: dict[str, Any]) -> dict[str, Any]:
    """The position after a trick, each hand one card short."""
    return position | {"hands": [hand[:-1] for hand in position["hands"]]}


def end(
    variant: str,
    scores: Sequence[int],
    overrides: dict[str, Any] | None = None,
    *,
    preset: str | None = None,
    won1: str = "",
    hand0: str = "9S",
    hand1: str = "8S",
    **more: Any,
) -> dict[str, Any]:
    """The last trick, clubs trump, seat 0 to lead and (unless told otherwise) to win it; seat 1 won ``won1``."""
    return {
        "variant": variant,
        "rules": {"preset": preset or next(iter(REFEREES[variant].PRESETS)), "overrides": overrides or {}},
        "phase": "endgame",
        "to_act": 0,
        "dealer": 1,
        "trump": "C",
        "hands": [hand0.split(), hand1.split()],
        "won": [[], won1.split()],
        "rest": 0,
        "scores": list(scores),
        **more,
    }


def deal_of(
    variant: str, first: str = "", second: str = "", draws0: str = "", draws1: str = ""
) -> tuple[str, ...]:
    """A deck to be dealt singly by seat 1; seat 0 draws ``draws0`` as long as it wins the tricks.

    Hands are filled as in :func:`spot`; the stock ends with what is left, courts last.
    """
    kind = REFEREES[variant]
    hands, drawn = [first.split(), second.split()], [draws0.split(), draws1.split()]
    left = Counter(WHOLE_PACK * kind.PACKS)
    for words in (*hands, *drawn):
        left.subtract(words)
    assert min(left.values()) >= 0
    order = {seat: low_cards(ranks, None, kind.PACKS) for seat, ranks in ((0, "98"), (1, "78"))}
    for seat in (0, 1):
        for text in order[seat]:
            if len(hands[seat]) < kind.HAND and left[text] > 0:
                left[text] -= 1
                hands[seat].append(text)
    rest = sorted(left.elements(), key=lambda text: (RANKS.index(text[0]) // 3, text[1], text[0]))
    stock: list[str] = []
    for place in range(max(len(drawn[0]), len(drawn[1]))):
        for seat in (0, 1):
            stock.append(drawn[seat][place] if place < len(drawn[seat]) else rest.pop(0))
    mixed = [card for pair in zip(hands[0], hands[1], strict=True) for card in pair]
    return (*mixed, *stock, *rest)


SINGLES = {"deal_packets": "singles"}
NONE = {"reform": "none"}
ON_PLAY = {"marriage_rematch": "on_play"}
BY_MARRIAGE = {"trump": "first_marriage"}
TRUMP_QUEEN = {"bezique_pair": "trump_queen", "trump": "first_marriage_sequence_or_bezique"}
SPARE = "KH QH"
"""A marriage of hearts, whose window shows that something else is refused."""


def declared(*melds: tuple[str, int]) -> Events:
    """Score changes of seat 0."""
    return [(0, what, points) for what, points in melds]


# -------------------------------------------------------------------------------------------- re-forming

REFORMING = [
    Rare(
        "four queens: a fifth gives nothing until one of the four is played, then 60 again (X42, X43)",
        "trick; !four Q; ?marriage H; lead QS table; four Q; trick; !four Q; ?marriage H",
        declared(("four Q", 60)),
        spot("QS KH", "QS QH QD QC", [(0, "four Q", "QS QH QD QC")]),
    ),
    Rare(
        "eight kings: a second quartet of free copies",
        "trick; four K; trick; four K; trick; !four K",
        declared(("four K", 80), ("four K", 80)),
        spot("KS KS KH KH KD KD KC KC"),
    ),
    Rare(
        "a quartet broken before the position began",
        "trick; four A",
        declared(("four A", 100)),
        spot("AS", "AS AH AD", [(0, "four A", "AS AH AD")]),
    ),
    Rare(
        "a sequence whose ace was played scores again with another ace (X55)",
        "trick; !sequence S; ?marriage H; lead AS table; sequence S",
        declared(("sequence S", 250)),
        spot(f"AS {SPARE}", "AS TS KS QS JS", [(0, "sequence S", "AS TS KS QS JS")], trump="S"),
    ),
    Rare(
        "plain sequence 150, then again for a new jack",
        "trick; sequence S; lead JS table; sequence S",
        declared(("sequence S", 150), ("sequence S", 150)),
        spot("AS TS KS QS JS JS"),
    ),
    Rare(
        "a sequence broken before the position began renews; its king and queen never marry (X54)",
        "trick; !marriage S; sequence S; trick; !marriage S; ?marriage H",
        declared(("sequence S", 150)),
        spot(f"AS JS {SPARE}", "TS KS QS", [(0, "sequence S", "TS KS QS")]),
    ),
    Rare(
        "a scored sequence: its king with a new queen refused, new king and new queen allowed (X54)",
        "trick; marriage S; trick; !marriage S",
        declared(("marriage S", 20)),
        spot("KS QS", "AS TS KS QS JS", [(0, "sequence S", "AS TS KS QS JS")]),
    ),
    Rare(
        "a scored sequence and a new queen alone: refused",
        "trick; !marriage S; ?marriage H",
        [],
        spot(f"QS {SPARE}", "AS TS KS QS JS", [(0, "sequence S", "AS TS KS QS JS")]),
    ),
    Rare(
        "marriage first, sequence from it later; then no marriage any more (X47)",
        "trick; marriage S; trick; sequence S; trick; !marriage S; ?marriage H",
        declared(("marriage S", 40), ("sequence S", 250)),
        spot(f"AS TS KS QS JS {SPARE}", trump="S"),
    ),
    Rare(
        "a widowed king marries a fresh queen",
        "trick; !marriage S; ?marriage H; lead QS table; marriage S; trick; !marriage S; ?marriage H",
        declared(("marriage S", 20)),
        spot(f"QS {SPARE}", "KS QS", [(0, "marriage S", "KS QS")]),
    ),
    Rare(
        "on_play allows the widowed too",
        "lead KS table; marriage S",
        declared(("marriage S", 20)),
        spot("KS", "KS QS", [(0, "marriage S", "KS QS")], ON_PLAY),
    ),
    Rare(
        "two widowed cards marry; the pair never again",
        "trick; marriage S; trick; !marriage S; ?marriage H",
        declared(("marriage S", 20)),
        spot(SPARE, "KS QS", [(0, "marriage S", "KS"), (0, "marriage S", "QS")]),
    ),
    Rare(
        "a widowed king and a queen that is married to another",
        "trick; marriage S; trick; !marriage S; ?marriage H",
        declared(("marriage S", 20)),
        spot(SPARE, "KS KS QS", [(0, "marriage S", "KS#1"), (0, "marriage S", "KS#2 QS")]),
    ),
    Rare(
        "a fresh king and a married queen: refused",
        "trick; !marriage S; ?marriage H; pass",
        [],
        spot(f"KS {SPARE}", "KS QS", [(0, "marriage S", "KS QS")]),
    ),
    Rare(
        "crossed pairs: two more marriages, four in all (X44)",
        "trick; marriage S; trick; marriage S; trick; !marriage S; ?marriage H",
        declared(("marriage S", 20), ("marriage S", 20)),
        spot(SPARE, "KS QS KS QS", [(0, "marriage S", "KS#1 QS#1"), (0, "marriage S", "KS#2 QS#2")]),
    ),
    Rare(
        "on_play: no crossed pairs",
        "trick; !marriage S; ?marriage H; lead KS table; ?marriage S; marriage S; trick; !marriage S",
        declared(("marriage S", 20)),
        spot(SPARE, "KS QS KS QS", [(0, "marriage S", "KS#1 QS#1"), (0, "marriage S", "KS#2 QS#2")], ON_PLAY),
    ),
    Rare(
        "of two kings the one that served more is played: the other marriage stays intact",
        "lead KS table; marriage S; trick; !marriage S; ?marriage H",
        declared(("marriage S", 20)),
        spot(
            SPARE,
            "KS KS QS QS KH KD KC",
            [
                (0, "marriage S", "KS#1 QS#1"),
                (0, "marriage S", "KS#2 QS#2"),
                (0, "four K", "KS#2 KH KD KC"),
            ],
            ON_PLAY,
        ),
    ),
    Rare(
        "one substituted king restores marriage and quartet, a trick each",
        "lead KS table; marriage S; trick; four K",
        declared(("marriage S", 20), ("four K", 80)),
        spot("KS", "KS QS KH KD KC", [(0, "marriage S", "KS QS"), (0, "four K", "KS KH KD KC")]),
    ),
    Rare(
        "one lost card of two melds: what is left restores either",
        "trick; marriage S",
        declared(("marriage S", 20)),
        spot(
            "",
            "KS QS QH QD QC",
            [(0, "marriage S", "KS"), (0, "four Q", "QS QH QD"), (0, "marriage S", "QS")],
        ),
    ),
    Rare(
        "single, double, triple, quadruple in steps: 6,540 (X50)",
        "trick; ?bezique 4; bezique 1; trick; bezique 2; trick; bezique 3; trick; bezique 4; trick; !bezique 4",
        declared(("bezique 1", 40), ("bezique 2", 500), ("bezique 3", 1500), ("bezique 4", 4500)),
        spot("QS QS QS QS JD JD JD JD", stock=12),
    ),
    Rare(
        "quadruple at once, and nothing after it (X51)",
        "trick; bezique 4; trick; !bezique 1; !bezique 2; !bezique 3; !bezique 4",
        declared(("bezique 4", 4500)),
        spot("QS QS QS QS JD JD JD JD"),
    ),
    Rare(
        "triple at once",
        "trick; bezique 3; trick; !bezique 1; !bezique 2; !bezique 3; ?marriage H",
        declared(("bezique 3", 1500)),
        spot(f"QS QS QS JD JD JD {SPARE}"),
    ),
    Rare(
        "two singles, then united (X52)",
        "trick; bezique 1; trick; bezique 1; trick; !bezique 1; bezique 2",
        declared(("bezique 1", 40), ("bezique 1", 40), ("bezique 2", 500)),
        spot("QS QS JD JD"),
    ),
    Rare(
        "the double scored first: the single is lost (X48)",
        "trick; bezique 2; trick; !bezique 1; !bezique 2; ?marriage H",
        declared(("bezique 2", 500)),
        spot(f"QS QS JD JD {SPARE}"),
    ),
    Rare(
        "a single with another jack only after a play",
        "trick; bezique 1; trick; !bezique 1; ?marriage H; lead JD table; bezique 1",
        declared(("bezique 1", 40), ("bezique 1", 40)),
        spot(f"QS JD JD {SPARE}"),
    ),
    Rare(
        "a double whose queen was played, with another queen: 500 again; never a single of its cards",
        "trick; !bezique 1; lead QS table; ?bezique 2; bezique 2",
        declared(("bezique 2", 500)),
        spot("QS", "QS QS JD JD", [(0, "bezique 2", "QS#1 QS#2 JD#1 JD#2")]),
    ),
    Rare(
        "a broken double gives no single, only a fresh pair does",
        "trick; !bezique 1; ?marriage H",
        [],
        spot(SPARE, "QS JD", [(0, "bezique 2", "QS JD")]),
    ),
    Rare(
        "a triple re-formed",
        "trick; !bezique 3; lead JD table; bezique 3",
        declared(("bezique 3", 1500)),
        spot("JD", "QS QS QS JD JD JD", [(0, "bezique 3", "QS#1 QS#2 QS#3 JD#1 JD#2 JD#3")]),
    ),
    Rare(
        "explicit: a triple of one card of a double; what is left of the double makes no other while it is intact",
        "trick; bezique 3; use QS table; use QS; use QS; use JD table; use JD; use JD; trick; !bezique 2; ?bezique 1;"
        " lead QS table; bezique 2; use QS table; use QS; use JD table; use JD",
        declared(("bezique 3", 1500), ("bezique 2", 500)),
        spot(
            "QS QS QS JD JD JD",
            "QS QS JD JD",
            [(0, "bezique 2", "QS#1 QS#2 JD#1 JD#2")],
            {"selection": "explicit"},
            variant="chinese",
        ),
    ),
    Rare(
        "four aces of another use: the bezique queen marries (X46)",
        "trick; bezique 1; trick; marriage S",
        declared(("bezique 1", 40), ("marriage S", 40)),
        spot("QS JD", "KS KH KD KC", [(0, "four K", "KS KH KD KC")], trump="S"),
    ),
    Rare(
        "four tens", "trick; four T", declared(("four T", 90)), spot("TS TH TD TC", "", (), {"four_tens": 90})
    ),
    Rare("no four tens", "trick; !four T; ?marriage H", [], spot(f"TS TH TD TC {SPARE}")),
    Rare("four jacks", "trick; four J", declared(("four J", 40)), spot("JS JH JC JC")),
    Rare(
        "four suits are preferred and doubled (X84)",
        "trick; four K; table0 KS KH KD KC",
        declared(("four K", 160)),
        spot("KS KS KH KD KC", "", (), {"quartet_suits_bonus": "x2"}),
    ),
    Rare(
        "three suits are not doubled",
        "trick; four K",
        declared(("four K", 80)),
        spot("KS KS KH KD", "", (), {"quartet_suits_bonus": "x2"}),
    ),
    Rare(
        "four suits, though a copy used more comes first: the broken quartet's king",
        "trick; four K; table0 KS KH KH KD KC",
        declared(("four K", 160)),
        spot(
            "KD KC",
            "KS KH KH",
            [(0, "four K", "KS KH#2"), (0, "marriage H", "KH#1")],
            {"quartet_suits_bonus": "x2"},
        ),
    ),
    Rare(
        "literal Saari: a quartet never renews",
        "lead KS table; !four K; ?marriage H",
        [],
        spot(f"KS {SPARE}", "KS KH KD KC", [(0, "four K", "KS KH KD KC")], NONE),
    ),
    Rare(
        "literal Saari: a sequence never renews and a married card never marries again",
        "lead AS table; !sequence S; !marriage S; ?marriage H",
        [],
        spot(f"AS QS {SPARE}", "AS TS KS QS JS", [(0, "sequence S", "AS TS KS QS JS")], NONE),
    ),
    Rare(
        "literal Saari: widowed cards do not marry",
        "lead QS table; !marriage S; ?marriage H",
        [],
        spot(f"QS {SPARE}", "KS QS", [(0, "marriage S", "KS QS")], NONE),
    ),
    Rare(
        "literal Saari with fresh_partner: the sequence's king marries a new queen",
        "trick; marriage S; trick; !marriage S; ?marriage H",
        declared(("marriage S", 20)),
        spot(
            f"QS {SPARE}",
            "AS TS KS QS JS",
            [(0, "sequence S", "AS TS KS QS JS")],
            NONE | {"seq_then_marriage": "fresh_partner"},
        ),
    ),
    Rare(
        "literal Saari: a bezique ladder without re-forming",
        "trick; bezique 1; trick; bezique 2; trick; !bezique 1; ?marriage H; lead QS table; !bezique 2; ?marriage H",
        declared(("bezique 1", 40), ("bezique 2", 500)),
        spot(f"QS QS JD JD {SPARE}", "", (), NONE),
    ),
    Rare(
        "explicit: a crossed pair is chosen, the old ones are not offered",
        "trick; marriage S; use KS table; use QS table; trick; marriage S; use KS table; !use QS; use QS table",
        declared(("marriage S", 20), ("marriage S", 20)),
        spot(
            "QS",
            "KS QS KS QS",
            [(0, "marriage S", "KS#1 QS#1"), (0, "marriage S", "KS#2 QS#2")],
            {"selection": "explicit"},
        ),
    ),
    Rare(
        "explicit: a triple from a double, queens then jacks",
        "trick; bezique 3; use QS; use QS table; !use JD; use QS table; !use QS; use JD table; use JD; use JD table",
        declared(("bezique 3", 1500)),
        spot("QS JD", "QS QS JD JD", [(0, "bezique 2", "QS#1 QS#2 JD#1 JD#2")], {"selection": "explicit"}),
    ),
    Rare(
        "explicit: the fifth queen replaces the played one",
        "trick; !four Q; lead QS table; four Q; use QC table; use QS; use QH table; use QD table",
        declared(("four Q", 60)),
        spot("QS", "QS QH QD QC", [(0, "four Q", "QS QH QD QC")], {"selection": "explicit"}),
    ),
]

TRUMP = [
    Rare(
        "the first marriage fixes trump at 40, the next one is plain",
        "trick; marriage H; trick; marriage S",
        declared(("marriage H", 40), ("marriage S", 20)),
        spot("KH QH KS QS", trump=None),
    ),
    Rare(
        "the first sequence fixes trump at 250",
        "trick; sequence S; trick; marriage H",
        declared(("sequence S", 250), ("marriage H", 20)),
        spot("AS TS KS QS JS KH QH", trump=None),
    ),
    Rare(
        "first_marriage: a sequence before scores 150 and fixes nothing (D32)",
        "trick; sequence S; trick; marriage H",
        declared(("sequence S", 150), ("marriage H", 40)),
        spot("AS TS KS QS JS KH QH", "", (), BY_MARRIAGE, trump=None),
    ),
    Rare(
        "need_trump bars quartets and beziques, not sequences and marriages",
        "trick; !four K; !bezique 1; !bezique 2; marriage H; trick; bezique 2; trick; four K",
        declared(("marriage H", 40), ("bezique 2", 500), ("four K", 80)),
        spot(
            "KH QH KS KD KC QS QS JD JD",
            "",
            (),
            {"premature_melds": "need_trump"},
            variant="chinese",
            trump=None,
        ),
    ),
    Rare(
        "allowed: a double before trump",
        "trick; bezique 2; trick; four K; trick; marriage H",
        declared(("bezique 2", 500), ("four K", 80), ("marriage H", 40)),
        spot("KH QH KS KD KC QS QS JD JD", variant="chinese", trump=None),
    ),
    Rare(
        "a bezique fixes trump by its queen; no double before (D31), one after",
        "trick; ?bezique 1; !bezique 2; bezique 1; trick; bezique 2; trick; marriage D",
        declared(("bezique 1", 40), ("bezique 2", 500), ("marriage D", 40)),
        spot("QD QD JS JS KD", "", (), TRUMP_QUEEN, trump=None),
    ),
    Rare(
        "four of the trump queen's beziques need four of one suit",
        "trick; bezique 1; trick; !bezique 2; ?marriage H",
        declared(("bezique 1", 40)),
        spot("QD JS QC JH KH QH", "", (), TRUMP_QUEEN, trump=None),
    ),
    Rare(
        "shifting, spades trump: QC JH (X35)",
        "trick; bezique 2; trick; !bezique 1",
        declared(("bezique 2", 500)),
        spot("QC QC JH JH QS JD", "", (), {"bezique_pair": "shifting"}, trump="S"),
    ),
    Rare(
        "shifting without trump: QS JD; after spades are trump the pair is another and its copies are fresh",
        "trick; bezique 1; trick; marriage S; trick; bezique 1; trick; !bezique 2",
        declared(("bezique 1", 40), ("marriage S", 40), ("bezique 1", 40)),
        spot("QS JD KS QC JH", "", (), {"bezique_pair": "shifting"}, trump=None),
    ),
    Rare(
        "no trump all deal: follow and head, else free",
        "play 9S; ?play JH; play 9C; play 8H; play JH",
        [(1, "last trick", 50)],
        end("rubicon", (0, 0), hand0="9S 8H", hand1="9C JH", trump=None),
    ),
]

# ------------------------------------------------------------------------------------------ six and eight

SIX: dict[str, Any] = {"variant": "chinese", "trump": "S"}
EIGHT: dict[str, Any] = {"variant": "eight_pack", "trump": "S"}

LADDERS = [
    *(
        Rare(
            f"four trump {rank} / four {rank} of other suits (X75)",
            f"trick; four trump {rank}" + ("; trick; !four T" if rank == "T" else f"; trick; four {rank}"),
            declared((f"four trump {rank}", points), *([(f"four {rank}", low)] if low else [])),
            spot(" ".join([f"{rank}S"] * 4 + [f"{rank}{suit}" for suit in "HHDC"]), **SIX),
        )
        for rank, points, low in (
            ("A", 1000, 100),
            ("T", 900, 0),
            ("K", 800, 80),
            ("Q", 600, 60),
            ("J", 400, 40),
        )
    ),
    Rare(
        "the very four of an intact four are no four trump",
        "trick; four A; trick; !four trump A; ?marriage H",
        declared(("four A", 100)),
        spot(f"AS AS AS AS {SPARE}", **SIX),
    ),
    Rare(
        "three of an intact four and one more are",
        "trick; four A; trick; four trump A; trick; !four A; !four trump A; ?marriage H",
        declared(("four A", 100), ("four trump A", 1000)),
        spot(f"AS AS AS AS AS {SPARE}", **SIX),
    ),
    Rare(
        "a card of the four trump is substituted: 1,000 again",
        "trick; !four trump A; ?marriage H; lead AS table; four trump A",
        declared(("four trump A", 1000)),
        spot(f"AS {SPARE}", "AS AS AS AS", [(0, "four trump A", "AS#1 AS#2 AS#3 AS#4")], **SIX),
    ),
    Rare(
        "a four trump that lost its card, refilled to the very four of the intact four, is refused",
        "trick; !four trump A; ?marriage H",
        [],
        spot(
            SPARE,
            "AS AS AS AS",
            [(0, "four A", "AS#1 AS#2 AS#3 AS#4"), (0, "four trump A", "AS#1 AS#2 AS#3")],
            **SIX,
        ),
    ),
    Rare(
        "after a four trump, intact or broken, its cards make no four",
        "trick; four trump A; trick; !four A; ?marriage H; lead AS table; !four A; ?marriage H",
        declared(("four trump A", 1000)),
        spot(f"AS AS AS AS AH {SPARE}", **SIX),
    ),
    Rare(
        "literal Saari: all rungs are one group",
        "trick; four A; trick; !four trump A; ?marriage H",
        declared(("four A", 100)),
        spot(f"AS AS AS AS AS {SPARE}", "", (), NONE, **SIX),
    ),
    Rare(
        "four trump needs a trump",
        "trick; !four trump A; four A",
        declared(("four A", 100)),
        spot("AS AS AS AS", **(SIX | {"trump": None})),
    ),
    Rare(
        "quadruple re-formed in six packs; five pairs are no quintuple",
        "trick; !bezique 4; !bezique 5; ?bezique 1; lead QS table; bezique 4; trick; !bezique 5; !bezique 4",
        declared(("bezique 4", 4500)),
        spot(
            "QS JD",
            "QS QS QS QS JD JD JD JD",
            [(0, "bezique 4", "QS#1 QS#2 QS#3 QS#4 JD#1 JD#2 JD#3 JD#4")],
            **SIX,
        ),
    ),
    Rare(
        "all jacks of the double are free for a triple with two queens more",
        "trick; bezique 3; trick; bezique 4",
        declared(("bezique 3", 1500), ("bezique 4", 4500)),
        spot("QS QS JD JD", "QS QS JD JD", [(0, "bezique 2", "QS#1 QS#2 JD#1 JD#2")], **SIX),
    ),
    *(
        Rare(
            f"five trump {rank} at once, and nothing lower of its cards (X78)",
            f"trick; ?four trump {rank}; five trump {rank}; trick; !four trump {rank}; !five trump {rank}; !four {rank}"
            "; ?marriage H",
            declared((f"five trump {rank}", points)),
            spot(" ".join([f"{rank}S"] * 5) + f" {SPARE}", **EIGHT),
        )
        for rank, points in (("A", 2000), ("T", 1800), ("K", 1600), ("Q", 1200), ("J", 800))
    ),
    Rare(
        "four, four trump, five trump: each with one card more",
        "trick; four A; trick; !five trump A; ?marriage H; lead 9H; four trump A",
        declared(("four A", 100), ("four trump A", 1000)),
        spot(f"AS AS AS AS {SPARE}", draws="8S AS", **EIGHT),
    ),
    Rare(
        "the intact four trump and one more make the five",
        "trick; five trump A; trick; !five trump A; !four trump A; ?marriage H",
        declared(("five trump A", 2000)),
        spot(f"AS {SPARE}", "AS AS AS AS", [(0, "four trump A", "AS#1 AS#2 AS#3 AS#4")], **EIGHT),
    ),
    Rare(
        "five trump re-formed",
        "trick; !five trump A; ?marriage H; lead AS table; five trump A",
        declared(("five trump A", 2000)),
        spot(f"AS {SPARE}", "AS AS AS AS AS", [(0, "five trump A", "AS#1 AS#2 AS#3 AS#4 AS#5")], **EIGHT),
    ),
    Rare(
        "eight trump aces: two four trumps, then five of both",
        "trick; four trump A; trick; four trump A; trick; !four trump A; five trump A; trick; !four A; !four trump A",
        declared(("four trump A", 1000), ("four trump A", 1000), ("five trump A", 2000)),
        spot("AS AS AS AS AS AS AS AS", **EIGHT),
    ),
    Rare(
        "literal Saari: no five of a scored four trump",
        "trick; four trump A; trick; !five trump A; ?marriage H",
        declared(("four trump A", 1000)),
        spot(f"AS AS AS AS AS {SPARE}", "", (), NONE, **EIGHT),
    ),
    Rare(
        "quintuple in steps",
        "trick; bezique 1; trick; bezique 2; trick; bezique 3; trick; bezique 4; trick; bezique 5; trick; !bezique 5",
        declared(
            ("bezique 1", 40),
            ("bezique 2", 500),
            ("bezique 3", 1500),
            ("bezique 4", 4500),
            ("bezique 5", 9000),
        ),
        spot("QS QS QS QS QS JD JD JD JD JD", stock=14, **EIGHT),
    ),
    Rare(
        "quintuple at once (X78)",
        "trick; bezique 5; trick; !bezique 1; !bezique 4",
        declared(("bezique 5", 9000)),
        spot("QS QS QS QS QS JD JD JD JD JD", **EIGHT),
    ),
    Rare(
        "quadruple at once, extended, the quintuple re-formed",
        "trick; bezique 4; trick; bezique 5; lead QS table; !bezique 4; bezique 5",
        declared(("bezique 4", 4500), ("bezique 5", 9000), ("bezique 5", 9000)),
        spot("QS QS QS QS QS QS JD JD JD JD JD", **EIGHT),
    ),
    Rare(
        "quadruple re-formed in eight packs",
        "trick; !bezique 4; lead JD table; bezique 4",
        declared(("bezique 4", 4500)),
        spot(
            "JD",
            "QS QS QS QS JD JD JD JD",
            [(0, "bezique 4", "QS#1 QS#2 QS#3 QS#4 JD#1 JD#2 JD#3 JD#4")],
            **EIGHT,
        ),
    ),
    *(
        Rare(
            f"{number} re-formed in {variant}",
            f"trick; !bezique {number}; lead JD table; bezique {number}",
            declared((f"bezique {number}", points)),
            spot(
                "JD",
                " ".join(["QS"] * number + ["JD"] * number),
                [
                    (
                        0,
                        f"bezique {number}",
                        " ".join(f"{c}#{n + 1}" for c in ("QS", "JD") for n in range(number)),
                    )
                ],
                variant=variant,
                trump="S",
            ),
        )
        for variant in ("chinese", "eight_pack")
        for number, points in ((1, 40), (2, 500), (3, 1500))
    ),
    *(
        Rare(
            f"bezique {number} at once in {variant}",
            f"trick; bezique {number}",
            declared((f"bezique {number}", points)),
            spot(" ".join(["QS"] * number + ["JD"] * number), variant=variant),
        )
        for variant in ("chinese", "eight_pack")
        for number, points in ((3, 1500), (4, 4500))
    ),
    Rare(
        "steps in six packs",
        "trick; bezique 1; trick; bezique 2; trick; bezique 3; trick; bezique 4",
        declared(("bezique 1", 40), ("bezique 2", 500), ("bezique 3", 1500), ("bezique 4", 4500)),
        spot("QS QS QS QS JD JD JD JD", **SIX),
    ),
    *(
        Rare(
            f"two widowed in {variant}",
            "trick; marriage D; trick; !marriage D; ?marriage H",
            declared(("marriage D", 20)),
            spot(SPARE, "KD QD", [(0, "marriage D", "KD"), (0, "marriage D", "QD")], variant=variant),
        )
        for variant in ("chinese", "eight_pack")
    ),
    *(
        Rare(
            f"five pairs are no quintuple in {variant}",
            "trick; ?bezique 4; !bezique 5; pass",
            [],
            spot("QS QS QS QS QS JD JD JD JD JD", variant=variant),
        )
        for variant in ("chinese",)
    ),
    Rare(
        "no trump all deal in six packs",
        "play 9S; ?play JH; play 9C; play 8H; play JH",
        [(1, "last trick", 250)],
        end("chinese", (0, 0), hand0="9S 8H", hand1="9C JH", trump=None),
    ),
    Rare(
        "no trump all deal in eight packs",
        "play 9S; ?play JH; play 9C; play 8H; play JH",
        [(1, "last trick", 250)],
        end("eight_pack", (0, 0), hand0="9S 8H", hand1="9C JH", trump=None),
    ),
]

# ----------------------------------------------------------------------------------------- carte blanche

KQJ = {"carte_blanche_courts": "KQJ"}

CARTES = [
    Rare(
        "KQJ: drawn 8, ace, king: three times 50 (X57)",
        "phase carte_blanche; carte blanche; trick; carte blanche; trick; carte blanche; trick; phase lead",
        declared(("carte blanche", 50), ("carte blanche", 50), ("carte blanche", 50)),
        deck=deal_of("rubicon", "", "KS", "8S AS KS"),
        options=SINGLES | KQJ,
    ),
    Rare(
        "AKQJ: drawn 8, ace: twice 50 (X57)",
        "carte blanche; trick; carte blanche; trick; phase lead",
        declared(("carte blanche", 50), ("carte blanche", 50)),
        deck=deal_of("rubicon", "", "KS", "8S AS KS"),
        options=SINGLES,
    ),
    Rare(
        "both hands are asked, the non-dealer first; one declines and is not asked again",
        "pass; carte blanche; trick; carte blanche; trick; pass; trick; phase lead",
        [(1, "carte blanche", 50), (1, "carte blanche", 50)],
        deck=deal_of("rubicon", "", "", "8S 8H 8D", "8S 8H 8D"),
        options=SINGLES,
    ),
    Rare(
        "both show; after the draw the winner is asked first, here the dealer",
        "carte blanche; carte blanche; play 8H; play 9H; pass; carte blanche; phase lead",
        [(0, "carte blanche", 50), (1, "carte blanche", 50), (0, "carte blanche", 50)],
        deck=deal_of("rubicon", "8H", "9H", "8S 8H 8D", "8S 8H 8D"),
        options=SINGLES,
    ),
    Rare(
        "four aces shown, then scored (X56)",
        "carte blanche; trick; four A; phase lead",
        declared(("carte blanche", 50), ("four A", 100)),
        deck=deal_of("rubicon", "AS AH AD AC", "KS", "KS"),
        options=SINGLES | KQJ,
    ),
    Rare(
        "an ace is a court",
        "phase lead",
        [],
        deck=deal_of("rubicon", "AS", "AS", "KS"),
        options=SINGLES,
    ),
    Rare(
        "the hand shown is known, and of two equal cards the shown one is played first",
        "carte blanche; known0 7S 9S 9H 9D 9C 9S 9H 9D 9C; play 9S; play 7S; pass; known0 7S 9S 9H 9D 9C 9H 9D 9C;"
        " play 9S; play 7H; known0 7S 9H 9D 9C 9H 9D 9C",
        declared(("carte blanche", 50)),
        deck=deal_of("rubicon", "7S", "KS 7S 7H", "9S 8S"),
        options=SINGLES,
    ),
    Rare(
        "six packs: 250 each",
        "carte blanche; trick; carte blanche; trick; phase lead",
        declared(("carte blanche", 250), ("carte blanche", 250)),
        deck=deal_of("chinese", "", "KS", "8S AS"),
        options=SINGLES,
        variant="chinese",
    ),
    Rare(
        "six packs, both hands, KQJ with an ace, passes",
        "carte blanche; carte blanche; trick; carte blanche; pass; trick; pass; trick; phase lead",
        [(0, "carte blanche", 250), (1, "carte blanche", 250), (0, "carte blanche", 250)],
        deck=deal_of("chinese", "AS", "AH", "AS 8S 8H", "AH 8D 8S"),
        options=SINGLES | KQJ,
        variant="chinese",
    ),
    Rare(
        "six packs: a carte blanche declined",
        "pass; trick; phase lead",
        [],
        deck=deal_of("chinese", "", "KS", "8S"),
        options=SINGLES,
        variant="chinese",
    ),
    *(
        Rare(
            f"both are asked after the last draw, and then the endgame begins ({variant})",
            "play 9S; play 7S; phase carte_blanche; carte blanche; pass; phase endgame_lead",
            declared(("carte blanche", points)),
            shown(spot("", "", (), variant=variant, stock=2, draws="8H", carte=[1, 1])),
        )
        for variant, points in (("rubicon", 50), ("chinese", 250))
    ),
    Rare(
        "asked in a position",
        "phase carte_blanche; carte blanche; phase lead",
        declared(("carte blanche", 50)),
        spot("", "", (), hand1="KS", phase="carte_blanche"),
    ),
    Rare(
        "cut of 24 and the right guess (X77)",
        "phase lead",
        [(1, "cut", 250), (0, "cut guess", 150)],
        deck=deal_of("chinese", "KS", "KS"),
        options=SINGLES | {"cut_bonus": "on"},
        variant="chinese",
        cut=(24, 24),
    ),
    Rare(
        "cut of 24 only",
        "phase lead",
        [(1, "cut", 250)],
        deck=deal_of("chinese", "KS", "KS"),
        options=SINGLES | {"cut_bonus": "on"},
        variant="chinese",
        cut=(24, 20),
    ),
    Rare(
        "guess only, before a carte blanche",
        "carte blanche; pass",
        [(0, "cut guess", 150), (0, "carte blanche", 250)],
        deck=deal_of("chinese", "", ""),
        options=SINGLES | {"cut_bonus": "on"},
        variant="chinese",
        cut=(17, 17),
    ),
    Rare(
        "cut for nothing",
        "phase lead",
        [],
        deck=deal_of("chinese", "KS", "KS"),
        options=SINGLES | {"cut_bonus": "on"},
        variant="chinese",
        cut=(23, 25),
    ),
]

# -------------------------------------------------------------------------------------------- settlement

ACES = "AS AH AD AC TS TH TD TC"


def paid(
    name: str,
    pays: int,
    variant: str,
    scores: tuple[int, int],
    overrides: dict[str, Any] | None = None,
    preset: str | None = None,
    won1: int = 0,
) -> Rare:
    """A last trick which seat 0 wins; ``scores`` are those after it, ``won1`` brisques were won by seat 1."""
    last = 50 if variant == "rubicon" else 250
    brisques = " ".join((ACES.split() * 8)[:won1])
    position = end(variant, (scores[0] - last, scores[1]), overrides, preset=preset, won1=brisques)
    return Rare(name, f"play 9S; play 8S; phase over; pays {pays}", [(0, "last trick", last)], position)


TABLE = {"settlement": "saari_table"}
SETTLEMENTS = [
    paid("X60", 1300, "rubicon", (1700, 900)),
    paid("X61", 700, "rubicon", (1700, 1000)),
    paid("X60 by the table (X62)", 1800, "rubicon", (1700, 900), TABLE),
    paid("X61 by the table (X62)", 1200, "rubicon", (1700, 1000), TABLE),
    paid("the loser of the last trick wins", -1300, "rubicon", (900, 1700)),
    paid("X63", 800, "rubicon", (1510, 1240), preset="portland"),
    paid("X64", 600, "rubicon", (1550, 1520), preset="portland"),
    paid("X65", 3200, "rubicon", (1320, 620), preset="portland"),
    paid("X65 with a loser under 100", 2700, "rubicon", (1320, 90), preset="portland"),
    paid("X67", 1200, "rubicon", (1510, 940), preset="portland", won1=8),
    paid(
        "saved, and the loser is ahead with the brisques",
        600,
        "rubicon",
        (1010, 940),
        preset="portland",
        won1=30,
    ),
    paid(
        "X67 where brisques do not save",
        1500 + 900 + 1300,
        "rubicon",
        (1510, 940),
        {"brisques": "tiebreak"},
        preset="portland",
        won1=8,
    ),
    paid("a rubicon with both under it", 900 + 500 + 1300, "rubicon", (980, 560), preset="portland"),
    paid("equal, brisques 20 to 12 (X69)", 600, "rubicon", (1300, 1300), preset="portland", won1=12),
    paid("equal, brisques 12 to 20", -600, "rubicon", (1300, 1300), preset="portland", won1=20),
    paid("equal, and brisques too: void (X69)", 0, "rubicon", (1300, 1300), preset="portland", won1=16),
    paid("equal and rubiconed", 2300, "rubicon", (500, 500), preset="portland", won1=12),
    paid("equal, saved by brisques", 600, "rubicon", (900, 900), preset="portland", won1=12),
    paid("equal, tie draw", 0, "rubicon", (500, 500), {"tie": "draw"}, preset="portland", won1=12),
    paid("equal, example, rubicon bonus by brisques", 500, "rubicon", (500, 500), won1=12),
    paid("equal, example, crossed", 0, "rubicon", (1500, 1500), won1=12),
    paid("X71", 3220, "rubicon", (1320, 620), preset="bicycle"),
    paid("bicycle, crossed", 800, "rubicon", (1510, 1240), preset="bicycle"),
    paid("X72 example", 5400, "chinese", (5430, 2970)),
    paid("X72 table", 6400, "chinese", (5430, 2970), TABLE),
    paid("X72 sum", 9300, "chinese", (5430, 2970), preset="sum"),
    paid("six packs crossed", 1500, "chinese", (5430, 3970)),
    paid("six packs crossed, table", 2500, "chinese", (5430, 3970), TABLE),
    paid("six packs crossed, sum", 2500, "chinese", (5430, 3970), preset="sum"),
    paid("six packs equal", 0, "chinese", (2500, 2500), won1=12),
    paid(
        "six packs equal, by brisques",
        2500,
        "chinese",
        (2500, 2500),
        {"brisques": "tiebreak", "tie": "brisques_then_draw"},
        won1=12,
    ),
    paid(
        "six packs equal, and brisques too",
        0,
        "chinese",
        (2500, 2500),
        {"brisques": "tiebreak", "tie": "brisques_then_draw"},
        won1=24,
    ),
    paid("X74", 7200, "eight_pack", (7200, 4900)),
    paid("X74 table", 8200, "eight_pack", (7200, 4900), TABLE),
    paid("eight packs, sum", 7200 + 4900 + 1000, "eight_pack", (7200, 4900), preset="sum"),
    paid("eight packs crossed", 2200, "eight_pack", (7200, 5000)),
    paid("eight packs crossed, table", 3200, "eight_pack", (7200, 5000), TABLE),
    paid("eight packs crossed, sum", 3200, "eight_pack", (7200, 5000), preset="sum"),
    paid("eight packs equal", 0, "eight_pack", (500, 500)),
    paid(
        "eight packs equal, by brisques",
        500,
        "eight_pack",
        (500, 500),
        {"brisques": "tiebreak", "tie": "brisques_then_draw"},
        won1=12,
    ),
    paid(
        "eight packs equal, and brisques too",
        0,
        "eight_pack",
        (500, 500),
        {"brisques": "tiebreak", "tie": "brisques_then_draw"},
        won1=32,
    ),
    Rare(
        "the last trick of the stock pays where the option says so",
        "trick; phase endgame_lead",
        declared(("last trick", 50)),
        spot("", "", (), {"last_trick": "last_stock"}, stock=2),
    ),
    Rare(
        "table cards return and stay known",
        "trick; phase endgame_lead; known0 KS QS; !play KS table; ?play KS",
        [],
        spot("", "KS QS", [(0, "marriage S", "KS QS")], stock=2),
    ),
]

# --------------------------------------------------------------------------------------------- Fildinski

POLISH: dict[str, Any] = {"variant": "fildinski", "turn_up": "8C"}
BY_CLASS = {"fildinski_reuse": "by_class"}
FROM_HAND = {"fildinski_dix": "from_hand"}
WINDOWS = {"fildinski_endgame": "on"}
FREE = {"dix_exchange": "free"}
QUIET = {"brisques": "none"}


def polish_end(
    hand0: str, hand1: str, overrides: dict[str, Any] | None = None, **more: Any
) -> dict[str, Any]:
    """The last tricks, clubs trump, seat 0 to lead; what is not named lies turned down before seat 0."""
    return end("fildinski", (0, 0), overrides, hand0=hand0, hand1=hand1, **more)


FILDINSKI = [
    Rare(
        "open KS KD KC and a trick with KH: four kings (X37)",
        "play KH; play 7S; four K",
        declared(("four K", 80)),
        spot("KH", "KS KD KC", hand1="7S", **POLISH),
    ),
    Rare(
        "marriage and bezique in one turn (X39); nothing from the hand",
        "play KH; play JD; !marriage D; marriage H; bezique 1; phase lead; table0 QH QS KH JD",
        declared(("marriage H", 20), ("bezique 1", 40)),
        spot("KH KD QD", "QH QS", hand1="JD", **POLISH),
    ),
    Rare(
        "brisques at once (X41); the plain ten is turned down, the trump ten opens",
        "play AC; play TD; table0 AC; play TC; play 7H; table0 AC TC; !play AC",
        declared(("brisques", 20), ("brisques", 10)),
        spot("AC TC", hand1="TD 7H", **POLISH),
    ),
    Rare(
        "tens lie open while trump is unfixed, and where four tens count",
        "play TD; play 7H; table0 TD; play TH; play 7S; table0 TD TH",
        [],
        spot(
            "TD TH",
            "",
            (),
            {"trump": "first_marriage", "dix_score": "none", "dealer_seven": 0} | QUIET,
            hand1="7H 7S",
            variant="fildinski",
            trump=None,
        ),
    ),
    Rare(
        "four tens",
        "play TD; play 7H; four T",
        declared(("four T", 90)),
        spot("TD", "TS TH TC", (), {"four_tens": 90} | QUIET, hand1="7H", **POLISH),
    ),
    Rare(
        "a meld without a card of the trick waits",
        "play KS; play 7H; !marriage H; ?marriage S",
        [],
        spot("KS", "KH QH QS", hand1="7H", **POLISH),
    ),
    Rare(
        "the copies are the first in the order that bring a card of the trick: the older king is passed over",
        "play KH; play 7S; marriage H; play KS; play 7D; table0 KH QH KH KS; !marriage H; phase lead",
        declared(("marriage H", 20)),
        spot("KH KS", "KH QH", hand1="7S 7D", **POLISH),
    ),
    Rare(
        "the king that was passed over marries a new queen",
        "play KH; play 7S; marriage H; play QH; play 7D; marriage H",
        declared(("marriage H", 20), ("marriage H", 20)),
        spot("KH QH", "KH QH", hand1="7S 7D", **POLISH),
    ),
    Rare(
        "per_turn: the king serves in one of two melds; the other is lost until another card comes",
        "play KH; play JD; ?four K; marriage H; !four K; bezique 1; phase lead",
        declared(("marriage H", 20), ("bezique 1", 40)),
        spot("KH", "KS KD KC QH QS", hand1="JD", **POLISH),
    ),
    Rare(
        "by_class: the king serves in both",
        "play KH; play 7S; four K; marriage H",
        declared(("four K", 80), ("marriage H", 20)),
        spot("KH", "KS KD KC QH", (), BY_CLASS, hand1="7S", **POLISH),
    ),
    Rare(
        "by_class, one card in three classes",
        "play QS; play 7S; four Q; marriage S; bezique 1",
        declared(("four Q", 60), ("marriage S", 20), ("bezique 1", 40)),
        spot("QS", "KS JD QH QD QC", (), BY_CLASS, hand1="7S", **POLISH),
    ),
    Rare(
        "by_class: marriage and sequence of the same cards are one class in a window",
        "play KC; play JD; marriage C; !sequence C; bezique 1; play JC; play 7S; sequence C",
        declared(("marriage C", 40), ("bezique 1", 40), ("sequence C", 250)),
        spot("KC JC", "AC TC QC JC QS", (), BY_CLASS, hand1="JD 7S", **POLISH),
    ),
    Rare(
        "by_class: the sequence first, then no marriage",
        "play KC; play JD; sequence C; !marriage C; bezique 1",
        declared(("sequence C", 250), ("bezique 1", 40)),
        spot("KC", "AC TC QC JC QS", (), BY_CLASS, hand1="JD", **POLISH),
    ),
    Rare(
        "by_class and fresh_partner: the king of a sequence marries a new queen, but not in the same window",
        "play KC; play JD; sequence C; !marriage C; bezique 1; play KS; play 7S; marriage S",
        declared(("sequence C", 250), ("bezique 1", 40), ("marriage S", 20)),
        spot(
            "KC KS",
            "AC TC QC QC JC QS",
            (),
            BY_CLASS | {"seq_then_marriage": "fresh_partner"},
            hand1="JD 7S",
            **POLISH,
        ),
    ),
    Rare(
        "by_class, three groups: the same",
        "play KC; play JD; marriage C; !sequence C; bezique 1; play JC; play 7S; sequence C",
        declared(("marriage C", 40), ("bezique 1", 40), ("sequence C", 250)),
        spot("KC JC", "AC TC QC JC QS", (), BY_CLASS | {"meld_groups": "three"}, hand1="JD 7S", **POLISH),
    ),
    Rare(
        "by_class: a single and the double of it are one class",
        "play JD; play 7S; bezique 1; !bezique 2",
        declared(("bezique 1", 40)),
        spot("JD", "QS QS JD", (), BY_CLASS, hand1="7S", **POLISH),
    ),
    Rare(
        "a double at once; a double from a single of an earlier trick",
        "play JD; play 7S; bezique 1; play QS; play 7H; !bezique 2; bezique 1; phase lead",
        declared(("bezique 1", 40), ("bezique 1", 40)),
        spot("JD QS", "QS JD", [], {"double_bezique": "one_go"}, hand1="7S 7H", **POLISH),
    ),
    Rare(
        "a double at once",
        "play JD; play 7S; ?bezique 1; bezique 2",
        declared(("bezique 2", 500)),
        spot("JD", "QS QS JD", hand1="7S", **POLISH),
    ),
    Rare(
        "one_go: a scored single bars the double",
        "play JD; play 7S; !bezique 2; bezique 1",
        declared(("bezique 1", 40)),
        spot(
            "JD",
            "QS QS JD",
            [(0, "bezique 1", "QS#1 JD")],
            {"double_bezique": "one_go"},
            hand1="7S",
            **POLISH,
        ),
    ),
    Rare(
        "the single gives its 40 back",
        "play JD; play 7S; bezique 2",
        declared(("bezique withdrawn", -40), ("bezique 2", 500)),
        spot(
            "JD",
            "QS QS JD",
            [(0, "bezique 1", "QS#1 JD")],
            {"double_credit": "replace_single"},
            hand1="7S",
            **POLISH,
        ),
    ),
    Rare(
        "a fifth king renews nothing; four fresh ones do",
        "play KD; play 7S; !four K; ?marriage D",
        [],
        spot("KD", "KS KH KD KC QD", [(0, "four K", "KS KH KD KC")], hand1="7S", **POLISH),
    ),
    Rare(
        "fresh_partner: the king of a sequence marries a new queen",
        "play QC; play 7S; marriage C",
        declared(("marriage C", 40)),
        spot(
            "QC",
            "AC TC KC QC JC",
            [(0, "sequence C", "AC TC KC QC JC")],
            {"seq_then_marriage": "fresh_partner"},
            hand1="7S",
            **POLISH,
        ),
    ),
    Rare(
        "the trick's winner scores the seven, whoever played it",
        "play 8C; play 7C; ?exchange; pass; play 9S; play 7C; ?exchange",
        [(0, "trump seven", 10), (1, "trump seven", 10)],
        spot("8C 9S", hand1="7C 7C", variant="fildinski", turn_up="KC"),
    ),
    Rare(
        "a seven led and lost",
        "play 7C; play 8C; exchange; phase lead",
        [(1, "trump seven", 10)],
        spot("7C", hand1="8C", variant="fildinski", turn_up="KC"),
    ),
    Rare(
        "both sevens in one trick: twice 10, and the brisques after them; the turned-down eight makes no open card",
        "play 7C; play 7C; exchange; !exchange; phase lead; table0 ",
        declared(("trump seven", 10), ("trump seven", 10)),
        spot("7C", hand1="7C", **POLISH),
    ),
    Rare(
        "the exchange turns a king into an open card, which is no card of the trick",
        "play QC; play 7C; exchange; table0 QC KC; phase lead",
        [(0, "trump seven", 10)],
        spot("QC", hand1="7C", variant="fildinski", turn_up="KC"),
    ),
    Rare(
        "a free exchange: the king meets the queen of the trick",
        "play QC; play 7C; exchange; marriage C",
        [(0, "trump seven", 10), (0, "marriage C", 40)],
        spot("QC", "", (), FREE, hand1="7C", variant="fildinski", turn_up="KC"),
    ),
    Rare(
        "a free exchange, and no card of the trick in the meld: refused",
        "play 8C; play 7C; exchange; phase lead",
        [(0, "trump seven", 10)],
        spot("8C", "QC", (), FREE, hand1="7C", variant="fildinski", turn_up="KC"),
    ),
    Rare(
        "after a declaration no exchange",
        "play QC; play 7C; ?exchange; marriage C; phase lead",
        [(0, "trump seven", 10), (0, "marriage C", 40)],
        spot("QC", "KC", (), hand1="7C", variant="fildinski", turn_up="JC"),
    ),
    Rare(
        "free: after a declaration the exchange; the ace brings no brisque points",
        "play QC; play 7C; marriage C; exchange; table0 KC QC AC",
        [(0, "trump seven", 10), (0, "marriage C", 40)],
        spot("QC", "KC", (), FREE, hand1="7C", variant="fildinski", turn_up="AC"),
    ),
    Rare(
        "the turn-up is a seven: nothing to exchange",
        "play QC; play 7C; phase lead",
        [(0, "trump seven", 10)],
        spot("QC", hand1="7C", variant="fildinski", turn_up="7C"),
    ),
    Rare(
        "no exchange when the trick holds no seven, though one was won before",
        "play QC; play 7C; pass; play QS; play 7S; phase lead",
        [(0, "trump seven", 10)],
        spot("QC QS", hand1="7C 7S", variant="fildinski", turn_up="KC"),
    ),
    Rare(
        "exchange at the last draw: the seven is drawn, known, and scores no more",
        "play QC; play 7C; exchange; phase endgame_lead; known1 7C; play 9S; play 7S; play 9S; play 7S; play 9H;"
        " play 7H; play 9H; play 7H; play 9D; play 7D; play 9D; play 7D; play 8S; play 8S; play 8H; play 7C",
        [(0, "trump seven", 10), (1, "last trick", 10)],
        spot("QC", hand1="7C", variant="fildinski", turn_up="KC", stock=2, draws="8H"),
    ),
    Rare(
        "dix none: no points, the exchange stays",
        "play QC; play 7C; exchange; table0 QC KC",
        [],
        spot("QC", "", (), {"dix_score": "none"}, hand1="7C", variant="fildinski", turn_up="KC"),
    ),
    Rare(
        "from the hand: a seven shown stays there, known",
        "play KH; play 7S; seven; known0 7C; phase declare; exchange; known0 9C; phase lead",
        declared(("seven", 10)),
        spot("KH 7C", "", (), FROM_HAND, hand1="7S", variant="fildinski", turn_up="9C"),
    ),
    Rare(
        "from the hand: the exchange scores",
        "play KH; play 7S; exchange; known0 9C; phase lead",
        declared(("exchange", 10)),
        spot("KH 7C", "", (), FROM_HAND, hand1="7S", variant="fildinski", turn_up="9C"),
    ),
    Rare(
        "from the hand: a seven scores for its player, not for the trick's winner",
        "play 8C; play 7C; phase lead",
        [(1, "trump seven", 10)],
        spot("8C", "", (), FROM_HAND, hand1="7C", **POLISH),
    ),
    Rare(
        "from the hand: two sevens, one shown; the other is played first and scores",
        "play KH; play 7S; seven; pass; play 7C; play 7H; known0 7C; ?exchange",
        declared(("seven", 10), ("trump seven", 10)),
        spot("KH 7C 7C", "", (), FROM_HAND, hand1="7S 7H", **POLISH),
    ),
    Rare(
        "an exchange instead of the score: nothing; the seven may still score when it is drawn and played",
        "play KH; play 7S; exchange; phase endgame_lead; play 9S; play 7S; play 9S; play 8S; play 9H; play 7H;"
        " play 9H; play 7H; play 9D; play 7D; play 9D; play 7D; play 9C; play 7C; play 8H; play 8H",
        [(1, "trump seven", 10), (0, "last trick", 10)],
        spot(
            "KH 7C",
            "",
            (),
            FROM_HAND | {"dix_exchange": "instead_of_score"},
            hand1="7S",
            variant="fildinski",
            turn_up="9C",
            stock=2,
            draws="8H",
        ),
    ),
    Rare(
        "no windows after the stock is gone",
        "play KH; play 7H; phase over",
        declared(("last trick", 10)),
        polish_end("KH", "7H", table=[["QH"], []]),
    ),
    Rare(
        "windows in the endgame, also after the last trick and after its points",
        "play KH; play 7H; marriage H; play KS; play 7S; marriage S; phase over",
        declared(("marriage H", 20), ("last trick", 10), ("marriage S", 20)),
        polish_end("KH KS", "7H 7S", WINDOWS, table=[["QH", "QS"], []]),
    ),
    Rare(
        "the last window comes before the brisques at hand end",
        "play AH; play TH; four A; phase over",
        declared(("last trick", 10), ("four A", 100), ("brisques", 160)),
        polish_end("AH", "TH", WINDOWS | {"brisques": "at_hand_end"}, table=[["AS", "AD", "AC"], []]),
    ),
    Rare(
        "a seven in the endgame scores for the winner",
        "play 8C; play 7C; phase over",
        declared(("trump seven", 10), ("last trick", 10)),
        polish_end("8C", "7C"),
    ),
    Rare(
        "not where dix_endgame says no",
        "play 8C; play 7C; phase over",
        declared(("last trick", 10)),
        polish_end("8C", "7C", {"dix_endgame": "no"}),
    ),
    Rare(
        "from the hand: shown in a window of the endgame",
        "play KH; play 7H; seven; play 7C; play 7S; phase over",
        declared(("seven", 10), ("last trick", 10)),
        polish_end("KH 7C", "7H 7S", WINDOWS | FROM_HAND),
    ),
    Rare(
        "from the hand: of two unscored sevens the known one is shown first, then the other",
        "play KH; play 7H; seven; known0 7C; seven; known0 7C 7C; phase endgame_lead",
        declared(("seven", 10), ("seven", 10)),
        polish_end("7C KH 7C 8H", "7H 7S 7D 7H", WINDOWS | FROM_HAND, known=[["7C"], []]),
    ),
    Rare(
        "from the hand: neither shown nor scored in the endgame",
        "play KH; play 7H; phase endgame_lead; play 7C; play 7S; phase over",
        declared(("last trick", 10)),
        polish_end("KH 7C", "7H 7S", WINDOWS | FROM_HAND | {"dix_endgame": "no"}),
    ),
    Rare(
        "a window in a position: the king of the trick is named",
        "!marriage S; ?marriage H; marriage H; phase lead",
        declared(("marriage H", 20)),
        before_the_draw(spot("", "KS QS QH KH", phase="declare", latest=["KH", "TS"], **POLISH)),
    ),
    Rare(
        "explicit: a card of the trick is kept possible",
        "play KH; play 7S; marriage H; !use QH; use KH table; use QH table",
        declared(("marriage H", 20)),
        spot("KH", "KH QH", (), {"selection": "explicit"}, hand1="7S", **POLISH),
    ),
    Rare(
        "equal totals over the target: another deal",
        "play 9S; play 8S; next deal 1",
        declared(("last trick", 10)),
        end("fildinski", (1000, 1010), dealer=0, episode="match"),
    ),
]

RARE = [*REFORMING, *TRUMP, *LADDERS, *CARTES, *SETTLEMENTS, *FILDINSKI]


def variant_of(case: Rare) -> str:
    """The game of a case."""
    return str(case.position.get("variant", case.variant))


@pytest.mark.parametrize("case", RARE, ids=lambda case: f"{variant_of(case)}: {case.name}")
def test_rare(case: Rare) -> None:
    run(case, Counter())
