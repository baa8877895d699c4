"""Rare turns of the rules, set up on purpose and played through engine and referee with expectations by hand.

Every case is a deck (or a position) and a script. ``trick`` plays one trick with low cards which seat 0 wins
(``trick 1``: seat 1) and leaves its window open; ``?x`` demands that x is legal, ``!x`` that it is not; every
other word is an action. Expected are all score changes as (seat, what, points).
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.referee.compare import CARDS, Pair, check_dict
from tests.referee.two_pack import RANKS

Events = list[tuple[int, str, int]]


@dataclass(frozen=True)
class Case:
    """One rare turn.

    Attributes:
        name: What happens.
        script: What is played, words joined by ``; ``.
        expected: All score changes.
        options: Overrides of ``standard``.
        first: Cards of the non-dealer's hand, seat 0; filled with low cards.
        second: Cards of the dealer's hand.
        turn_up: The turned card (without one, where the options have none, just the next card).
        draws0: What seat 0 draws as long as it wins the tricks.
        draws1: What seat 1 draws.
        position: A set-up position instead of a deck.
    """

    name: str
    script: str
    expected: Events
    options: dict[str, Any] = field(default_factory=dict)
    first: str = ""
    second: str = ""
    turn_up: str = "8C"
    draws0: str = ""
    draws1: str = ""
    position: dict[str, Any] | None = None


def make_deck(case: Case) -> list[str]:
    """The deck of a case: named cards where they are wanted, low cards around them, the rest below."""
    left = Counter(CARDS * 2)
    named = [part.split() for part in (case.first, case.second, case.turn_up, case.draws0, case.draws1)]
    for card in [card for part in named for card in part]:
        left[card] -= 1
        assert left[card] >= 0, f"{card} is named too often"
    trump = case.turn_up[1]
    low = [rank + suit for rank in "987" for suit in "SHDC" for _ in range(2)]
    order = [card for card in low if card[1] != trump] + [card for card in low if card[1] == trump]
    order += [card for card in CARDS for _ in range(2) if card not in low]
    fill = iter([card for card, more in left.items() for _ in range(more)])
    rest = sorted(fill, key=order.index)
    first, second = named[0], named[1]
    while len(first) < 8 or len(second) < 8:
        for hand in (first, second):
            if len(hand) < 8:
                hand.append(rest.pop(0))
    stock: list[str] = []
    for place in range(max(len(named[3]), len(named[4]))):
        for part in (named[3], named[4]):
            stock.append(part[place] if place < len(part) else rest.pop(0))
    deck = first[:3] + second[:3] + first[3:5] + second[3:5] + first[5:] + second[5:]
    return [*deck, case.turn_up, *stock, *rest]


def low_trick(pair: Pair, winner: int) -> None:
    """Play one trick that a seat wins, with cards as low as can be and no trump seven."""
    deal = pair.match.deal
    if deal.phase == "declare":
        pair.apply("pass")
    leader = deal.seat_to_act

    def price(card: Any) -> tuple[bool, bool, int]:
        return (card.rank == "7" and card.suit == deal.trump, card.suit == deal.trump, RANKS.index(card.rank))

    best = None
    for lead in deal.hands[leader]:
        for reply in deal.hands[1 - leader]:
            if reply.suit == lead.suit:
                second = RANKS.index(reply.rank) > RANKS.index(lead.rank)
            else:
                second = reply.suit == deal.trump
            if (leader if not second else 1 - leader) == winner:
                cost = (sorted([price(lead), price(reply)], reverse=True), lead.kind, reply.kind)
                if best is None or cost < best[0]:
                    best = (cost, lead.text, reply.text)
    assert best is not None, "no such trick"
    pair.apply("play " + best[1])
    pair.apply("play " + best[2])
    assert deal.leader == winner


def cheap_reply(pair: Pair) -> None:
    """The follower plays its lowest card that loses to the lead."""
    deal = pair.match.deal
    lead = deal.trick[0][1]
    losing = [
        card
        for card in deal.hands[deal.seat_to_act]
        if (card.suit != lead.suit and card.suit != deal.trump)
        or (card.suit == lead.suit and RANKS.index(card.rank) <= RANKS.index(lead.rank))
    ]
    pair.apply("play " + min(losing, key=lambda card: (RANKS.index(card.rank), card.kind)).text)


def run(case: Case, counters: Counter[str]) -> Pair:
    """Play a case through both implementations and compare with what is expected."""
    if case.position is None:
        pair = Pair(case.options, deck=make_deck(case), dealer=1, counters=counters)
    else:
        pair = Pair({}, position=case.position, counters=counters)
    assert follow(pair, case.script) == case.expected
    return pair


def follow(pair: Pair, script: str) -> Events:
    """Play a script in a pair of games; returns all score changes, those of the deal's setting out included."""
    events: Events = [event[1:] for event in pair.match.deal.events]
    for word in script.split("; "):
        deal = pair.match.deal
        before = len(deal.events)
        if word.startswith("trick"):
            low_trick(pair, int(word[5:] or 0))
        elif word.startswith("?"):
            assert word[1:] in pair.legal(), f"{word} {pair.legal()}"
            assert pair.game.why_illegal(word[1:]) is None
        elif word.startswith("!"):
            assert word[1:] not in pair.legal(), word
            assert pair.game.why_illegal(word[1:])
        elif word.startswith("lead "):
            if deal.phase == "declare":
                pair.apply("pass")
            pair.apply("play " + word[5:])
            cheap_reply(pair)
        elif word.startswith("table"):
            assert pair.game.table(int(word[5])) == word[7:].split(), word
        elif word.startswith("known"):
            assert sorted(pair.game.view(0).known[int(word[5])]) == sorted(word[7:].split()), word
        elif word.startswith("pays "):
            assert pair.game.returns("settlement")[0] == int(word[5:])
        elif word.startswith("next deal "):
            assert pair.match.deal.dealer == int(word[10:]) == pair.game.dealer
            assert len(pair.game.deals) == 1
        elif word.startswith("phase "):
            assert pair.match.deal.phase == word[6:]
        else:
            pair.apply(word)
        events += [event[1:] for event in deal.events[before:]]
        check_dict(pair)
    return events


LAY = {"declare": "lay_many_score_one"}
FIRST = {"dix_score": "none", "dealer_seven": 0}
BY_MARRIAGE = FIRST | {"trump": "first_marriage"}
BY_SEQUENCE = FIRST | {"trump": "first_marriage_or_sequence"}
BY_BEZIQUE = FIRST | {"trump": "first_marriage_sequence_or_bezique", "bezique_pair": "trump_queen"}
QUIET = {"brisques": "none"}

CASES = [
    # ------------------------------------------------------------------------------- double bezique
    Case(
        "double bezique at one go, then no single and no second double from its cards (X11, X15)",
        "trick; ?bezique 1; bezique 2; trick; ?marriage H; !bezique 1; !bezique 2",
        [(0, "bezique 2", 500)],
        first="QS QS JD JD KH QH",
    ),
    Case(
        "single, then the double with the second pair (X12)",
        "trick; bezique 1; trick; bezique 2",
        [(0, "bezique 1", 40), (0, "bezique 2", 500)],
        first="QS QS JD JD",
    ),
    Case(
        "the same where the single gives its 40 back",
        "trick; bezique 1; trick; bezique 2",
        [(0, "bezique 1", 40), (0, "bezique withdrawn", -40), (0, "bezique 2", 500)],
        {"double_credit": "replace_single"},
        first="QS QS JD JD",
    ),
    Case(
        "one_go: a single bars the double, the second pair is a second single (X13)",
        "trick; bezique 1; trick; !bezique 2; bezique 1; trick; !bezique 2; !bezique 1",
        [(0, "bezique 1", 40), (0, "bezique 1", 40)],
        {"double_bezique": "one_go"},
        first="QS QS JD JD KH QH",
    ),
    Case(
        "extend_one: two scored singles never make a double",
        "trick; bezique 1; trick; bezique 1; trick; ?marriage H; !bezique 2",
        [(0, "bezique 1", 40), (0, "bezique 1", 40)],
        first="QS QS JD JD KH QH",
    ),
    Case(
        "build_any: two scored singles make a double (X52)",
        "trick; bezique 1; trick; bezique 1; trick; bezique 2; trick; !bezique 1",
        [(0, "bezique 1", 40), (0, "bezique 1", 40), (0, "bezique 2", 500)],
        {"double_bezique": "build_any"},
        first="QS QS JD JD",
    ),
    Case(
        "build_any, and both singles give their 40 back",
        "trick; bezique 1; trick; bezique 1; trick; bezique 2",
        [(0, "bezique 1", 40), (0, "bezique 1", 40), (0, "bezique withdrawn", -80), (0, "bezique 2", 500)],
        {"double_bezique": "build_any", "double_credit": "replace_single"},
        first="QS QS JD JD",
    ),
    Case(
        "two beziques of one window under many_disjoint are two singles; the double shares their copies",
        "trick; bezique 1; !bezique 2; bezique 1; trick; bezique 2",
        [(0, "bezique 1", 40), (0, "bezique 1", 40), (0, "bezique 2", 500)],
        {"declare": "many_disjoint", "double_bezique": "build_any"},
        first="QS QS JD JD",
    ),
    Case(
        "shifting, trump spades: QC JH is the pair and QS JD is nothing (X35)",
        "trick; !bezique 1; trick",
        [],
        {"bezique_pair": "shifting"},
        turn_up="8S",
        first="QS QS JD JD",
    ),
    Case(
        "shifting, trump diamonds: a double of QC JH (X35)",
        "trick; bezique 1; trick; bezique 2",
        [(0, "bezique 1", 40), (0, "bezique 2", 500)],
        {"bezique_pair": "shifting"},
        turn_up="8D",
        first="QC QC JH JH",
    ),
    Case(
        "shifting, trump hearts: QS JD (X36)",
        "trick; bezique 1",
        [(0, "bezique 1", 40)],
        {"bezique_pair": "shifting"},
        turn_up="8H",
        first="QS JD QC JH",
    ),
    Case(
        "trump queen: hearts QH JC (X76)",
        "trick; bezique 1; trick; ?marriage D; !bezique 1",
        [(0, "bezique 1", 40)],
        {"bezique_pair": "trump_queen"},
        turn_up="8H",
        first="QS JD QH JC KD QD",
    ),
    Case(
        "a bezique fixes trump; before that no double, after it one may be built (D8)",
        "trick; ?bezique 1; !bezique 2; bezique 1; trick; bezique 2; trick; marriage S",
        [(0, "bezique 1", 40), (0, "bezique 2", 500), (0, "marriage S", 40)],
        BY_BEZIQUE,
        first="QS QS JD JD KS",
    ),
    Case(
        "of several pairs the first queen in card order makes the bezique: QH JC fixes hearts",
        "trick; bezique 1; trick; !bezique 1; marriage H",
        [(0, "bezique 1", 40), (0, "marriage H", 40)],
        BY_BEZIQUE,
        first="QD JS QC JH QH JC KH",
    ),
    # ------------------------------------------------------------------------ sequences and marriages
    Case(
        "trump marriage, then the sequence from it, then no marriage any more (X03, X04)",
        "trick; marriage H; trick; sequence H; trick; ?marriage S; !marriage H; !sequence H",
        [(0, "marriage H", 40), (0, "sequence H", 250)],
        turn_up="8H",
        first="KH QH AH TH JH KS QS",
    ),
    Case(
        "both_fresh: the king of a sequence never marries, not even a new queen",
        "trick; sequence H; trick; !marriage H; trick; !marriage H",
        [(0, "sequence H", 250)],
        turn_up="8H",
        first="KH QH AH TH JH",
        draws0="9S QH",
    ),
    Case(
        "fresh_partner: the king of a sequence marries a new queen once, the old pair never (D1)",
        "trick; sequence H; trick; !marriage H; trick; marriage H; trick; !marriage H",
        [(0, "sequence H", 250), (0, "marriage H", 40)],
        {"seq_then_marriage": "fresh_partner"},
        turn_up="8H",
        first="KH QH AH TH JH",
        draws0="9S QH",
    ),
    Case(
        "a second sequence of fresh cards",
        "trick; sequence H; lead JH table; lead AH table; lead TH table; sequence H",
        [(0, "sequence H", 250), (0, "brisques", 10), (0, "brisques", 10), (0, "sequence H", 250)],
        turn_up="8H",
        first="AH TH KH QH JH AH TH",
        draws0="KH QH JH",
    ),
    Case(
        "one king marries once: a second queen needs a second king",
        "trick; marriage S; trick; ?marriage H; !marriage S; trick; marriage S",
        [(0, "marriage S", 20), (0, "marriage S", 20)],
        first="KS QS QS KH QH",
        draws0="9S KS",
    ),
    Case(
        "no trump: the first marriage fixes trump and scores 40, the second 20 (X33, X34)",
        "trick; !sequence S; marriage H; trick; marriage C; trick; !sequence S",
        [(0, "marriage H", 40), (0, "marriage C", 20)],
        BY_MARRIAGE,
        first="KH QH KC QC",
    ),
    Case(
        "no trump: a whole sequence in hand fixes nothing where only a marriage may",
        "trick; !sequence S; ?marriage S; marriage D; trick; !sequence S; marriage S",
        [(0, "marriage D", 40), (0, "marriage S", 20)],
        BY_MARRIAGE,
        first="AS TS KS QS JS KD QD",
    ),
    Case(
        "no trump: the first sequence fixes trump",
        "trick; sequence S; trick; marriage D; trick; !marriage S",
        [(0, "sequence S", 250), (0, "marriage D", 20)],
        BY_SEQUENCE,
        first="AS TS KS QS JS KD QD",
    ),
    Case(
        "need_trump: bezique and quartet wait for the trump (D11)",
        "trick; !bezique 1; !four K; marriage H; trick; bezique 1; trick; four K",
        [(0, "marriage H", 40), (0, "bezique 1", 40), (0, "four K", 80)],
        BY_MARRIAGE | {"premature_melds": "need_trump"},
        first="KH QH KS KD KC QS JD",
    ),
    Case(
        "allowed: bezique and quartet before any trump",
        "trick; bezique 1; trick; four K; trick; marriage H",
        [(0, "bezique 1", 40), (0, "four K", 80), (0, "marriage H", 40)],
        BY_MARRIAGE,
        first="KH QH KS KD KC QS JD",
    ),
    # ------------------------------------------------------------------------------------- quartets
    Case(
        "four kings, then marriages from them (X10)",
        "trick; four K; trick; marriage S; trick; marriage H; trick; marriage D; trick; !marriage S; !four K",
        [(0, "four K", 80), (0, "marriage S", 20), (0, "marriage H", 20), (0, "marriage D", 20)],
        first="KS KH KD KC QS QH QD",
    ),
    Case(
        "one queen in three groups (X08)",
        "trick; marriage S; trick; bezique 1; trick; four Q",
        [(0, "marriage S", 40), (0, "bezique 1", 40), (0, "four Q", 60)],
        turn_up="8S",
        first="KS QS JD QH QD QC",
    ),
    Case(
        "eight kings are two quartets; the first takes the lowest card ids",
        "trick; four K; table0 KS KS KH KH; lead KS table; four K; table0 KS KH KH KD KD KC KC",
        [(0, "four K", 80), (0, "four K", 80)],
        first="KS KH KD KC KS KH KD",
        draws0="KC",
    ),
    Case(
        "x2 prefers four suits (X84)",
        "trick; four K; table0 KS KH KD KC",
        [(0, "four K", 160)],
        {"quartet_suits_bonus": "x2"},
        first="KS KS KH KD KC",
    ),
    Case(
        "x2 with three suits",
        "trick; four K; table0 KS KS KH KD",
        [(0, "four K", 80)],
        {"quartet_suits_bonus": "x2"},
        first="KS KS KH KD",
    ),
    Case(
        "laying a quartet does not look for four suits, scoring it later does (D27)",
        "trick; marriage D; four K; table0 KD QD KS KS KH; trick; four K; table0 KD QD KS KS KH KC",
        [(0, "marriage D", 20), (0, "four K", 160)],
        LAY | {"quartet_suits_bonus": "x2"},
        first="KS KS KH KD KC QD",
    ),
    Case("four tens", "trick; four T", [(0, "four T", 90)], {"four_tens": 90}, first="TS TH TD TC"),
    Case("four tens are nothing", "trick; !four T", [], first="TS TH TD TC KH QH"),
    Case("four aces", "trick; four A", [(0, "four A", 100)], first="AS AH AD AC"),
    Case("four jacks", "trick; four J", [(0, "four J", 40)], first="JS JH JD JC"),
    # --------------------------------------------------------------------------- laying without score
    Case(
        "a double laid, then scored from the table",
        "trick; marriage H; bezique 2; !bezique 2; !bezique 1; trick; bezique 2; table0 KH QH QS QS JD JD",
        [(0, "marriage H", 20), (0, "bezique 2", 500)],
        LAY,
        first="KH QH QS QS JD JD",
    ),
    Case(
        "a sequence laid, then scored, and no marriage in it",
        "trick; marriage H; sequence C; trick; sequence C; trick; !marriage C",
        [(0, "marriage H", 20), (0, "sequence C", 250)],
        LAY,
        first="AC TC KC QC JC KH QH",
    ),
    Case(
        "a laid marriage fixes no trump and uses nothing (D5)",
        "trick; bezique 1; marriage H; ?marriage S; marriage S; trick; marriage S; trick; marriage H",
        [(0, "bezique 1", 40), (0, "marriage S", 40), (0, "marriage H", 20)],
        BY_MARRIAGE | LAY,
        first="KH QH KS QS JD",
    ),
    Case(
        "a seven as a meld laid unscored, then scored from the table (D3)",
        "trick; marriage H; seven; !seven; table0 KH QH 7C; trick; seven; trick; !seven",
        [(0, "marriage H", 20), (0, "seven", 10)],
        LAY | {"dix_score": "as_meld"},
        first="KH QH 7C",
    ),
    Case(
        "after an exchange melds may still be laid (D4)",
        "trick; exchange; marriage H; !marriage H; trick; marriage H",
        [(0, "exchange", 10), (0, "marriage H", 20)],
        LAY,
        first="KH QH 7C",
    ),
    # --------------------------------------------------------------------------------------- sevens
    Case(
        "both sevens shown, then one exchanged from the table for nothing",
        "trick; seven; seven; table0 7C 7C; exchange; table0 7C; !exchange; !seven",
        [(0, "seven", 10), (0, "seven", 10)],
        first="7C 7C",
    ),
    Case(
        "showing a seven costs no declaration, exchanging does",
        "trick; seven; ?marriage H; marriage H; !exchange",
        [(0, "seven", 10), (0, "marriage H", 20)],
        first="7C KH QH",
    ),
    Case(
        "the other seven shows for 10 but has nothing to exchange (X19)",
        "trick; exchange; trick 1; ?seven; !exchange; seven",
        [(0, "exchange", 10), (1, "seven", 10)],
        first="7C",
        second="7C",
    ),
    Case(
        "a turned seven scores for the dealer and cannot be exchanged (X18)",
        "trick; !exchange; seven",
        [(1, "turned seven", 10), (0, "seven", 10)],
        turn_up="7C",
        first="7C",
    ),
    Case(
        "dealer_seven 0: a turned seven is silent and cannot be exchanged",
        "trick; !exchange; seven",
        [(0, "seven", 10)],
        {"dealer_seven": 0},
        turn_up="7C",
        first="7C",
    ),
    Case(
        "many_disjoint: an exchange takes the place of all declarations (D4)",
        "trick; ?marriage H; exchange; !marriage H; trick; marriage H",
        [(0, "exchange", 10), (0, "marriage H", 20)],
        {"declare": "many_disjoint"},
        first="7C KH QH",
    ),
    Case(
        "many_disjoint: after a declaration no exchange (D4)",
        "trick; marriage H; ?marriage S; !exchange; marriage S; !exchange",
        [(0, "marriage H", 20), (0, "marriage S", 20)],
        {"declare": "many_disjoint"},
        first="7C KH QH KS QS",
    ),
    Case(
        "many_disjoint: bezique and marriage share a queen, so one waits (X05, X06)",
        "trick; ?marriage S; bezique 1; !marriage S; trick; marriage S",
        [(0, "bezique 1", 40), (0, "marriage S", 20)],
        {"declare": "many_disjoint"},
        first="KS QS JD",
    ),
    Case(
        "many_disjoint: marriage of other cards and bezique together (X07)",
        "trick; marriage H; bezique 1",
        [(0, "marriage H", 20), (0, "bezique 1", 40)],
        {"declare": "many_disjoint"},
        first="KH QH QS JD",
    ),
    Case(
        "a free exchange after a declaration",
        "trick; marriage H; exchange",
        [(0, "marriage H", 20), (0, "exchange", 10)],
        {"dix_exchange": "free"},
        first="7C KH QH",
    ),
    Case(
        "an exchange instead of the score costs nothing and gives nothing",
        "trick; exchange; marriage H",
        [(0, "marriage H", 20)],
        {"dix_exchange": "instead_of_score"},
        first="7C KH QH",
    ),
    Case(
        "on_play: the seven scores in a lost trick and is never declared (X20)",
        "trick; !seven; pass; play 7C; play 9C",
        [(0, "trump seven", 10)],
        {"dix_score": "on_play"},
        first="7C",
        second="9C",
    ),
    Case(
        "on_show: a seven played unshown scores, one played from the table not again",
        "trick; seven; lead 7C table; lead 7C",
        [(0, "seven", 10), (0, "trump seven", 10)],
        first="7C 7C",
    ),
    Case(
        "as_meld: a seven takes the declaration and scores nothing by being played",
        "trick; seven; !marriage H; lead 7C",
        [(0, "seven", 10)],
        {"dix_score": "as_meld"},
        first="7C 7C KH QH",
    ),
    # ---------------------------------------------------------------------------- explicit selection
    Case(
        "explicit: a marriage is chosen card by card, kings first",
        "trick; marriage H; phase select; !use QH; use KH; use QH; trick; marriage H; !use KH table; use KH; use QH",
        [(0, "marriage H", 20), (0, "marriage H", 20)],
        {"selection": "explicit"},
        first="KH KH QH QH",
    ),
    Case(
        "explicit: the queen on the table or the one in the hand",
        "trick; marriage S; use KS; use QS; trick; bezique 1; ?use QS; use QS table; use JD; trick; bezique 1;"
        " !use QS table; use QS; use JD",
        [(0, "marriage S", 20), (0, "bezique 1", 40), (0, "bezique 1", 40)],
        {"selection": "explicit"},
        first="KS QS QS JD JD",
    ),
    Case(
        "explicit: a quartet in any order, doubled for the suits that were chosen",
        "trick; four K; use KC; use KD; use KH; use KS; table0 KC KD KH KS",
        [(0, "four K", 160)],
        {"selection": "explicit", "quartet_suits_bonus": "x2"},
        first="KS KS KH KD KC",
    ),
    Case(
        "explicit: three suits chosen, nothing doubled",
        "trick; four K; use KS; use KS; use KH; use KD",
        [(0, "four K", 80)],
        {"selection": "explicit", "quartet_suits_bonus": "x2"},
        first="KS KS KH KD KC",
    ),
    Case(
        "explicit: what is laid must bring a card from the hand",
        "trick; marriage H; use KH; use QH; marriage S; use KS; use QS; marriage S; use KS table; !use QS table;"
        " use QS; !marriage S",
        [(0, "marriage H", 20)],
        LAY | {"selection": "explicit"},
        first="KH QH KS QS QS",
    ),
    Case(
        "explicit: a double with one scored single inside",
        "trick; bezique 1; use QS; use JD; trick; bezique 2; use QS; use QS table; !use QS; use JD; use JD table",
        [(0, "bezique 1", 40), (0, "bezique 2", 500)],
        {"selection": "explicit"},
        first="QS QS JD JD",
    ),
]


def end(
    hand0: str,
    hand1: str,
    overrides: dict[str, Any] | None = None,
    won1: str = "",
    **more: Any,
) -> dict[str, Any]:
    """A position of the endgame, clubs trump, seat 0 to lead; what is not named lies won before seat 0."""
    position = {
        "rules": {"preset": "standard", "overrides": overrides or {}},
        "phase": "endgame",
        "to_act": 0,
        "dealer": 1,
        "trump": "C",
        "hands": [hand0.split(), hand1.split()],
        "won": [[], won1.split()],
        "rest": 0,
    }
    return position | more


def last_round(
    hand0: str, hand1: str, overrides: dict[str, Any] | None = None, **more: Any
) -> dict[str, Any]:
    """The last trick of the stock: one face-down card and the turned 8C are left."""
    return end(hand0, hand1, overrides, phase="lead", stock=["JS"], turn_up="8C") | more


LOW0 = "9S 9H 9D 8S 8H 8D 7S"
LOW1 = "7D 7H 8S 8H 8D 9S 9H 9D"

POSITIONS = [
    Case(
        "exchange at the last draw: the loser draws the seven, which is known and scores no more",
        "play 9S; play 7D; ?exchange; exchange; phase endgame_lead; known1 7C; play JS; play 9S; play 9H; play 9H;"
        " play 9D; play 9D; play 8D; play 8D; play 8H; play 8H; play 8S; play 8S; play 7S; !play 7H; play 7C",
        [(0, "exchange", 10)],
        position=last_round("7C " + LOW0, LOW1, QUIET),
    ),
    Case(
        "instead of the score: the copy exchanged scores when it is played in the endgame",
        "play 9S; play 7D; exchange; known1 7C; play JS; play 9S; play 8S; !play TH; ?play 8C; play 7C",
        [(1, "trump seven", 10)],
        position=last_round(
            "7C " + LOW0, "7D 7H 8C 9H 8D 9S TH 9D", QUIET | {"dix_exchange": "instead_of_score"}
        )
        | {"turn_up": "9C"},
    ),
    Case(
        "table cards return to the hand before the endgame and stay known",
        "play 9S; play 7D; phase endgame_lead; known0 QH KH; !play KH table; ?play KH",
        [],
        position=last_round("9S 9H 9D 8S 8H 8D", LOW1, table=[["KH", "QH"], []])
        | {"scored": [{"seat": 0, "meld": "marriage H", "cards": ["KH", "QH"]}]},
    ),
    Case(
        "the last trick of the stock pays where the option says so",
        "play 9S; play 7D; phase endgame_lead",
        [(0, "last trick", 10)],
        position=last_round("7H " + LOW0, LOW1, {"last_trick": "last_stock"}) | {"turn_up": "8C"},
    ),
    # ------------------------------------------------------------------------------- endgame duties
    Case("must head", "play 9S; !play 8S; ?play JS", [], position=end("9S 8H", "JS 8S")),
    Case("cannot head", "play KS; ?play 8S; ?play JS", [], position=end("KS 8H", "JS 8S")),
    Case("an equal card does not head", "play JS; ?play 8S; ?play JS", [], position=end("JS 8H", "JS 8S")),
    Case("must trump", "play 9S; !play 8H; ?play 9C", [], position=end("9S 8H", "9C 8H")),
    Case("void of both", "play 9S; ?play 8H; ?play 9D", [], position=end("9S 8H", "9D 8H")),
    Case(
        "follow_trump: no duty to head",
        "play 9S; ?play 8S; ?play JS; !play 9C",
        [],
        position=end("9S 8H 8D", "JS 8S 9C", {"endgame": "follow_trump"}),
    ),
    Case(
        "follow_trump: void must trump",
        "play 9S; !play 8H; ?play 9C",
        [],
        position=end("9S 8H", "9C 8H", {"endgame": "follow_trump"}),
    ),
    Case(
        "follow_only: void is free",
        "play 9S; ?play 8H; ?play 9C",
        [],
        position=end("9S 8H", "9C 8H", {"endgame": "follow_only"}),
    ),
    Case(
        "no trump all deal: follow and head, else free; nothing trumps",
        "play 9S; ?play JH; play 9C; play 8H; play JH",
        [(1, "last trick", 10)],
        position=end("9S 8H", "9C JH", BY_MARRIAGE | QUIET, trump=None),
    ),
    Case(
        "a seven played in the endgame scores, before the last trick",
        "play 9S; play 7C",
        [(1, "trump seven", 10), (1, "last trick", 10)],
        position=end("9S", "7C"),
    ),
    Case(
        "not where dix_endgame says no",
        "play 9S; play 7C",
        [(1, "last trick", 10)],
        position=end("9S", "7C", {"dix_endgame": "no"}),
    ),
    Case(
        "order of the credits of the final trick",
        "play AS; play TS",
        [(0, "brisques", 20), (0, "last trick", 10)],
        position=end("AS", "TS"),
    ),
    # ----------------------------------------------------------------------------- ends and matches
    Case(
        "deal end: double win at 1,040 v. 480 (X25)",
        "play AS; play TS; phase over; pays 2",
        [(0, "brisques", 20), (0, "last trick", 10)],
        position=end("AS", "TS", scores=[1010, 480], episode="match"),
    ),
    Case(
        "deal end: single win at 1,040 v. 500 (X25)",
        "play AS; play TS; phase over; pays 1",
        [(0, "brisques", 20), (0, "last trick", 10)],
        position=end("AS", "TS", scores=[1010, 500], episode="match"),
    ),
    Case(
        "off: never double",
        "play AS; play TS; phase over; pays 1",
        [(0, "brisques", 20), (0, "last trick", 10)],
        position=end("AS", "TS", {"double_win_under": 0}, scores=[1010, 0], episode="match"),
    ),
    Case(
        "immediate: the brisques end it, the last trick is not credited",
        "play AS; play TS; phase over; pays 2",
        [(0, "brisques", 20)],
        position=end("AS", "TS", {"game_end": "immediate"}, scores=[980, 490], episode="match"),
    ),
    Case(
        "both cross in the final count: the higher total wins",
        "play 9S; play 8S; phase over; pays 1",
        [(0, "last trick", 10), (0, "brisques", 100), (1, "brisques", 60)],
        position=end(
            "9S", "8S", {"brisques": "at_hand_end"}, "AS AS TS TS AH AH", scores=[910, 950], episode="match"
        ),
    ),
    Case(
        "both cross in the final count: counted in order, the non-dealer wins with the lower total",
        "play 9S; play 8S; phase over; pays -1",
        [(0, "last trick", 10), (1, "brisques", 60), (0, "brisques", 100)],
        position=end(
            "9S",
            "8S",
            {"brisques": "at_hand_end", "both_over": "count_order"},
            "AS AS TS TS AH AH",
            scores=[910, 950],
            dealer=0,
            episode="match",
        ),
    ),
    Case(
        "immediate: the non-dealer's brisques end it, the dealer's are not counted",
        "play 9S; play 8S; phase over; pays -1",
        [(0, "last trick", 10), (1, "brisques", 60)],
        position=end(
            "9S",
            "8S",
            {"brisques": "at_hand_end", "game_end": "immediate"},
            "AS AS TS TS AH AH",
            scores=[910, 950],
            dealer=0,
            episode="match",
        ),
    ),
    Case(
        "equal totals over the target: another deal",
        "play 9S; play 8S; next deal 1",
        [(0, "last trick", 10)],
        position=end("9S", "8S", scores=[1000, 1010], dealer=0, episode="match"),
    ),
    Case(
        "equal totals, counted in order: the first to cross has won, here seat 1 at 1,010 before the last trick",
        "play 9S; play 8S; phase over; pays -1",
        [(0, "last trick", 10)],
        position=end("9S", "8S", {"both_over": "count_order"}, scores=[990, 1000], dealer=0, episode="match"),
    ),
    Case(
        "nobody has reached it: another deal",
        "play 9S; play 8S; next deal 1",
        [(0, "last trick", 10)],
        position=end("9S", "8S", scores=[900, 500], dealer=0, episode="match"),
    ),
    Case(
        "totals of earlier deals count",
        "play 9S; play 8S; phase over; pays 2",
        [(0, "last trick", 10)],
        position=end("9S", "8S", scores=[100, 60], match_scores=[890, 400], episode="match"),
    ),
    Case(
        "a single deal goes to the higher score, in whatever order the seats crossed (D16)",
        "play 9S; play 8S; phase over; pays 1",
        [(0, "last trick", 10), (1, "brisques", 60), (0, "brisques", 100)],
        position=end(
            "9S",
            "8S",
            {"brisques": "at_hand_end", "both_over": "count_order"},
            "AS AS TS TS AH AH",
            scores=[910, 950],
            dealer=0,
        ),
    ),
    Case(
        "a single deal drawn",
        "play 9S; play 8S; phase over; pays 0",
        [(0, "last trick", 10)],
        position=end("9S", "8S", scores=[40, 50]),
    ),
    Case(
        "a single deal won without reaching the target is a single win",
        "play 9S; play 8S; phase over; pays 1",
        [(0, "last trick", 10)],
        position=end("9S", "8S", scores=[300, 50]),
    ),
    Case(
        "a single deal over the target doubles like a match",
        "play 9S; play 8S; phase over; pays 2",
        [(0, "last trick", 10)],
        position=end("9S", "8S", scores=[1000, 50]),
    ),
]


@pytest.mark.parametrize("case", [*CASES, *POSITIONS], ids=lambda case: case.name)
def test_rare(case: Case) -> None:
    run(case, Counter())


def a_turned_seven_ends_it(counters: Counter[str], variant: str = "two_pack") -> None:
    """Play the last trick of a deal after which the new dealer has 90 of 100, until that one turns a seven."""
    for seed in range(200):
        overrides = {"game_end": "immediate", "target": 100}
        position = end(
            "9S", "8S", overrides, scores=[0, 90], dealer=0, episode="match", seed=seed, variant=variant
        )
        pair = Pair({}, position=position, counters=counters)
        pair.apply("play 9S")
        assert pair.apply("play 8S") == [(0, "last trick", 10)]
        if pair.match.deal.turn_up is not None and pair.match.deal.turn_up.rank == "7":
            assert pair.is_over
            assert pair.game.is_over
            assert pair.game.match_scores == (10, 100)
            assert pair.game.returns("win") == (-2, 2)
            return
        assert not pair.game.is_over
    raise AssertionError("no seven was turned")


def test_a_turned_seven_may_end_the_match() -> None:
    a_turned_seven_ends_it(Counter())


def test_forbidden_trump_repeats() -> None:
    """After a deal with hearts as trump a heart marriage fixes nothing and scores 20 (D9)."""
    forbidden = BY_SEQUENCE | {"trump_repeat": "forbidden"}
    seen = 0
    for seed in range(400):
        position = end("9S", "8S", forbidden, trump="H", seed=seed, episode="match", scores=[0, 0])
        pair = Pair({}, position=position, counters=Counter())
        pair.apply("play 9S")
        pair.apply("play 8S")
        rng = random.Random(seed)
        deal = pair.match.deal
        assert deal.last_trump == "H"
        while pair.match.deal is deal and not pair.is_over:
            legal = pair.legal()
            if deal.trump is None and "marriage H" in legal:
                assert pair.apply("marriage H") == [(deal.leader, "marriage H", 20)]
                assert deal.trump is None
                assert pair.game.trump is None
                seen += 1
                break
            assert deal.trump is not None or "sequence H" not in legal
            pair.apply(rng.choice([text for text in legal if not text.startswith("marriage")]))
        if seen == 3:
            break
    assert seen == 3


def test_a_new_deal_passes_the_deal_on() -> None:
    """Equal totals over the target: the next deal is dealt by the other seat and decides."""
    pair = Pair({}, position=end("9S", "8S", scores=[1000, 1010], dealer=0, episode="match"))
    pair.apply("play 9S")
    pair.apply("play 8S")
    assert pair.game.dealer == 1
    assert pair.game.view(0).deal_number == 1
    assert pair.match.deal.base == (1010, 1010)
    rng = random.Random(5)
    while not pair.is_over:
        pair.apply(rng.choice(pair.legal()))
    assert len(pair.match.finished) == 1
    assert pair.game.returns("settlement") in ((1, -1), (-1, 1))
