"""Rare turns of Belote, set up on purpose and played through engine and referee with expectations by hand.

Every case is two hands and a script. Seat 0 is elder, seat 1 deals. ``?x`` demands that x is legal, ``!x``
that it is not; ``rest`` plays the hand out with the lowest cards (and takes what is turned up); ``known 0 HJ``
names all cards that everybody knows to be in a hand; ``dealer 1``, ``phase x``, ``to 0`` and ``over`` say how
things stand; every other word is an action, ``HJ`` plays that card. Expected are the changes of the scores as
(seat, what, points), without those of tricks.
"""

from __future__ import annotations

import copy
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest

from bezique_env.game import Game
from tests.referee.belote import CARDS, SUITS, Referee
from tests.referee.compare_belote import Pair, check_resampled, go_on_from, position_of

Events = list[tuple[int, str, int]]


@dataclass(frozen=True)
class Case:
    """One rare turn.

    Attributes:
        name: What happens.
        script: What is done, words joined by ``; ``.
        expected: Changes of scores, without tricks.
        options: Overrides of ``two_handed``.
        elder: The nine cards of seat 0, the last three after the auction: ``SAKQ H9`` is AS KS QS 9H.
        dealer: Those of seat 1; without hands the engine deals.
        turn_up: The turned card.
        episode: ``deal`` or ``match``.
        said: What elder said in each contest.
        answers: What the dealer answered.
        scores: At the end of the script, if they matter.
    """

    name: str
    script: str
    expected: Events = field(default_factory=list)
    options: dict[str, Any] = field(default_factory=dict)
    elder: str = ""
    dealer: str = ""
    turn_up: str = "H8"
    episode: str = "deal"
    said: list[list[int]] | None = None
    answers: list[list[str]] | None = None
    scores: tuple[int, int] | None = None


def cards(text: str) -> list[str]:
    """``SAKQ H9`` as card texts."""
    return [rank + part[0] for part in text.split() for rank in part[1:]]


def make_deck(elder: list[str], dealer: list[str], turn_up: str) -> list[str]:
    """The deck that gives these hands."""
    assert len(elder) == len(dealer) == 9
    rest = [card for card in CARDS if card not in [*elder, *dealer, turn_up]]
    assert len(rest) == 13, "a card is named twice"
    first = [*elder[:3], *dealer[:3], *elder[3:6], *dealer[3:6], turn_up]
    return [*first, *elder[6:], *dealer[6:], *rest]


RUN_S = {"elder": "SAKQ H9T D79 C8T", "dealer": "HAKQ S79J D8T C7"}
RUN_H = {"elder": "HAKQ S79J D8T C7", "dealer": "SAKQ H9T D79 C8T"}
TIED = {"elder": "SAKQ H9T D79 C8T", "dealer": "DAKQ HJK S79 C79"}
FOUR_SHORT = {"elder": "HAKQJ S79J D9J", "dealer": "C789TJ SA8 DTK", "turn_up": "D8"}
FIVE_FIRST = {"elder": "C789TJ SA8 DTK", "dealer": "HAKQJ S79J D9J", "turn_up": "D8"}
POOR = "SAKJ H9K D79T CQ"
ACES = "SA9J HA9 DA8 CA8"
FIVE = "C9TJQK HTQ S7 D9"
JACKS = "SJ78 HJT DJ8 CJ8"
NINES = "S9Q H9A D9K C9A7"
SEVEN_FIRST = {"elder": "H7TQ S79 D8T CK9", "dealer": "SAKJ H9 D79K C8T", "turn_up": "HJ"}
SEVEN_LAST = {"elder": "S79 D8T CK9 H7TQ", "dealer": "SAKJ H9 D79K C8T", "turn_up": "HJ"}
SEVEN_DEALER = {"elder": "SAKJ H9 D79K C8T", "dealer": "H7TQ S79 D8T CK9", "turn_up": "HJ"}
KING_UP = {"elder": "H7TQ S79 D8T CK9", "dealer": "SAKJ H9 D79K C8T", "turn_up": "HK"}
PAIR = {"elder": "HKQ8 S79 D8T CK9", "dealer": "SAKJ H9J D79K CT", "turn_up": "HT"}
BEATEN = {"elder": "HT9 S79 D8T CK9A", "dealer": "HAKQ SAKJ D79 CT", "turn_up": "HJ"}
TO_SPADES = "HK; H9; SA; S7; SK; S9; SJ"
"""From PAIR: the king goes, then three spades, the last of which elder must trump."""
SWEEP = {"elder": "HJ9ATKQ87 SA", "dealer": "S8K D79J C79JK", "turn_up": "S7"}
BEAR = {"elder": "HKQ S79 D79 C79J", "dealer": "HJ9AT87 SA DA CA", "turn_up": "S8"}
NAMED = {"r2_elder_actions": "named"}
LOST = "pass; pass; name H; pass; belote; HK; H9; SA; S7; HJ; HQ; rest"
"""From BEAR: elder makes hearts trump and gets nothing but the pair; the dealer makes 97 and the last trick."""
BICYCLE = {"four_of_a_kind": "bicycle"}
FRENCH = {"four_of_a_kind": "french", "run_values": "20/50/100"}
ALLOW_ALL = {"r2_elder_actions": "named", "r2_dealer_may_propose": True}

CASES = [
    # ------------------------------------------------------------------------------ comparing sequences
    Case(
        "equal runs, elder's of trumps",
        "accept; announce; announce; known 0 HAKQ; known 1",
        [(0, "sequences", 20)],
        said=[[20, 7, 1]],
        answers=[["same", "same", "lower"]],
        **RUN_H,
    ),
    Case(
        "equal runs, the dealer's of trumps",
        "accept; announce; announce; known 0; known 1 HAKQ",
        [(1, "sequences", 20)],
        said=[[20, 7, 0]],
        answers=[["same", "same", "higher"]],
        **RUN_S,
    ),
    Case(
        "nobody scores",
        "accept; announce; announce; known 0; known 1; phase lead",
        said=[[20, 7, 0]],
        answers=[["same", "same", "same"]],
        **TIED,
    ),
    Case(
        "equal runs, elder wins by option",
        "accept; announce; announce; known 0 SAKQ; known 1",
        [(0, "sequences", 20)],
        {"run_tie": "elder_wins"},
        **TIED,
    ),
    Case(
        "N04: four beat three, and all of the dealer's score",
        "accept; announce; announce; known 0; known 1 D789T S89T",
        [(1, "sequences", 70)],
        elder="C9TJ HAT S7Q DQK",
        dealer="D789T S89T HJ9",
        said=[[20]],
        answers=[["higher"]],
    ),
    Case(
        "the dealer's lower run is good: he tells nothing",
        "accept; announce; announce; known 0 D789T; known 1",
        [(0, "sequences", 50)],
        elder="D789T SAK HJ9 CA",
        dealer="C9TJ HAT S7Q DQK",
        said=[[50]],
        answers=[[]],
    ),
    Case(
        "N01: a run of five is one run",
        "accept; announce; to 0; phase lead",
        [(0, "sequences", 50)],
        elder="C789TJ HAT S7Q",
        dealer=POOR,
    ),
    Case(
        "a run of six",
        "accept; announce; known 0 C789TJQ",
        [(0, "sequences", 50)],
        elder="C789TJQ HA S7Q",
        dealer="SAKJ H9K D79T CA",
    ),
    Case(
        "a run of seven is not four and three",
        "accept; announce; known 0 C789TJQK",
        [(0, "sequences", 50)],
        elder="C789TJQK HA S7",
        dealer="SAKJ H9K D79T CA",
    ),
    Case(
        "a run of eight is not twice four",
        "accept; announce; known 0 C789TJQKA",
        [(0, "sequences", 50)],
        elder="C789TJQKA HT",
        dealer="SAKJ7 H9K D79T",
    ),
    Case(
        "a run of eight at 100",
        "accept; announce",
        [(0, "sequences", 100)],
        {"run_values": "20/50/100"},
        elder="C789TJQKA HT",
        dealer="SAKJ7 H9K D79T",
    ),
    Case(
        "a run of four at 40",
        "accept; announce; announce",
        [(1, "sequences", 50)],
        {"run_values": "20/40/50"},
        **FOUR_SHORT,
    ),
    Case(
        "N06: the length does not count, the top does",
        "accept; announce; announce; known 0 HAKQJ; known 1",
        [(0, "sequences", 50)],
        said=[[50, 7]],
        answers=[["same", "lower"]],
        **FOUR_SHORT,
    ),
    Case(
        "the length counts by option",
        "accept; announce; announce; known 0; known 1 C789TJ",
        [(1, "sequences", 50)],
        {"seq_length_breaks_tie": True},
        said=[[50, 4]],
        answers=[["same", "higher"]],
        **FOUR_SHORT,
    ),
    Case(
        "the length counts for elder too",
        "accept; announce; announce; known 0 C789TJ; known 1",
        [(0, "sequences", 50)],
        {"seq_length_breaks_tie": True},
        said=[[50, 5]],
        answers=[["same", "lower"]],
        **FIVE_FIRST,
    ),
    Case(
        "equal lengths, then the top",
        "accept; announce; announce",
        [(0, "sequences", 50)],
        {"seq_length_breaks_tie": True},
        elder="HAKQJ S79J D9J",
        dealer="C789T SAQ8 DTK",
        turn_up="D8",
        said=[[50, 4, 7]],
        answers=[["same", "same", "lower"]],
    ),
    Case(
        "the dealer's top is higher",
        "accept; announce; announce",
        [(1, "sequences", 20)],
        elder="S789 H9A DAK C8T",
        dealer="DTJQ HTJ SJK CJK",
        said=[[20, 2]],
        answers=[["same", "higher"]],
    ),
    Case("elder keeps silent", "accept; pass; announce; known 0", [(1, "sequences", 20)], **RUN_H),
    Case("the dealer keeps silent", "accept; announce; pass; known 1", [(0, "sequences", 20)], **RUN_S),
    Case("both keep silent", "accept; pass; pass; phase lead; known 0; known 1", **RUN_S),
    Case(
        "only the dealer holds one",
        "accept; to 1; announce; known 1 C789TJ",
        [(1, "sequences", 50)],
        elder=POOR,
        dealer="C789TJ HAT S7Q",
        said=[[]],
        answers=[[]],
    ),
    Case("nobody holds one", "accept; to 0; phase lead", elder=POOR, dealer="C79TA HAT S7Q D8"),
    Case(
        "a hand is spoken for by its trump run",
        "accept; announce; announce; known 0 HQJT SQJT",
        [(0, "sequences", 40)],
        elder="HQJT SQJT D7 C79",
        dealer="DQJT H9A SAK CAT",
        said=[[20, 5, 1]],
    ),
    Case(
        "what wins may stay hidden",
        "accept; announce; announce; known 0; known 1",
        [(1, "sequences", 20)],
        {"show_winning_sequences": False},
        **RUN_S,
    ),
    # ----------------------------------------------------------------------------------- four of a kind
    Case(
        "runs and fours are two contests",
        "accept; announce; announce; known 0 SJ HJ DJ CJ; known 1 SAKQ",
        [(1, "sequences", 20), (0, "fours", 200)],
        BICYCLE,
        elder="SJ7 HJA DJ8 CJ9A",
        dealer="SAKQ HK9 D79 CT8",
    ),
    Case(
        "the higher of two fours at 100",
        "accept; announce; announce; known 0; known 1 SA HA DA CA",
        [(1, "fours", 100)],
        BICYCLE,
        elder="ST79 HT9 DT8 CT8",
        dealer="SAQ HAJ DA9 CA9J",
    ),
    Case(
        "a four of a kind before a run of the same value",
        "accept; announce; announce; known 0 SA HA DA CA; known 1",
        [(0, "sequences", 100)],
        FRENCH,
        elder=ACES,
        dealer=FIVE,
        said=[[100, 1]],
        answers=[["same", "lower"]],
    ),
    Case(
        "a run after a four of a kind of the same value",
        "accept; announce; announce; known 0; known 1 SA HA DA CA",
        [(1, "sequences", 100)],
        FRENCH,
        elder=FIVE,
        dealer=ACES,
        said=[[100, 0]],
        answers=[["same", "higher"]],
    ),
    Case(
        "four jacks before four nines",
        "accept; announce; announce; known 1 SJ HJ DJ CJ",
        [(1, "sequences", 200)],
        FRENCH,
        elder=NINES,
        dealer=JACKS,
        turn_up="HQ",
    ),
    Case(
        "four nines at 150",
        "accept; announce; to 0; phase lead",
        [(0, "sequences", 150)],
        FRENCH,
        elder=NINES,
        dealer="SAJ7 HTJ D8T C8Q",
    ),
    Case(
        "four nines do not count in the Swiss game",
        "accept; to 0; phase lead",
        [],
        {"four_of_a_kind": "swiss"},
        elder=NINES,
        dealer="SAJ7 HTJ D8T C8Q",
    ),
    Case(
        "points of sequences wait for a trick",
        "pass; pass; name H; announce; SA; S8",
        [(0, "sequences", 50)],
        NAMED | {"announce_needs_trick": True},
        **SWEEP,
    ),
    Case(
        "who gets no trick is never paid",
        "pass; pass; name H; pass; announce; known 1 C9TJ; rest",
        [],
        NAMED | {"announce_needs_trick": True},
        elder="HJ9ATKQ87 SA",
        dealer="S8K D79J C9TJK",
        turn_up="S7",
        scores=(105, 0),
    ),
    # ------------------------------------------------------------------------------------- the exchange
    Case(
        "elder exchanges and completes a run",
        "accept; to 0; ?exchange; exchange; known 0 HJ; announce; known 0 HTJQ; phase lead",
        [(0, "sequences", 20)],
        **SEVEN_FIRST,
    ),
    Case(
        "the dealer exchanges though elder took it",
        "accept; to 1; exchange; known 1 HJ; to 1; announce; known 1 HTJQ",
        [(1, "sequences", 20)],
        **SEVEN_DEALER,
    ),
    Case("the exchange may be passed", "accept; pass; to 0; phase lead; known 0", **SEVEN_FIRST),
    Case(
        "the seven came among the last three",
        "accept; to 0; phase lead",
        [],
        {"exchange_seven_from": "first6"},
        **SEVEN_LAST,
    ),
    Case("any seven will do by default", "accept; ?exchange; exchange; known 0 HJ", **SEVEN_LAST),
    Case(
        "the seven was among the first six",
        "accept; ?exchange; exchange; known 0 HJ",
        [],
        {"exchange_seven_from": "first6"},
        **SEVEN_FIRST,
    ),
    Case("another suit was named", "pass; pass; pass; name S; to 0; phase lead", **SEVEN_FIRST),
    Case(
        "a refused proposal in round 2 names another suit",
        "pass; pass; propose; refuse; to 0; phase bid; !name H; !pass; name S; phase lead",
        **SEVEN_FIRST,
    ),
    Case(
        "the seven is turned up",
        "accept; to 0; phase lead",
        elder="H8TQ S79 D8T CK9",
        dealer="SAKJ H9 D79K C8T",
        turn_up="H7",
    ),
    Case("no exchange by option", "accept; phase lead", [], {"exchange_seven": "off"}, **SEVEN_FIRST),
    Case(
        "a card of the second window makes no sequence",
        "accept; pass; to 0; phase exchange; exchange; phase lead; known 0 HJ",
        [],
        {"exchange_window": "until_first_lead"},
        **SEVEN_FIRST,
    ),
    Case(
        "a shown seven is exchanged",
        "accept; pass; announce; known 0 H789; phase exchange; exchange; known 0 H89J; phase lead",
        [(0, "sequences", 20)],
        {"exchange_window": "until_first_lead"},
        elder="H789 SAK DJT C8Q",
        dealer="SJT7 HTA D78 C9T",
        turn_up="HJ",
    ),
    Case(
        "both windows are passed",
        "accept; pass; phase exchange; pass; phase lead",
        [],
        {"exchange_window": "until_first_lead"},
        **SEVEN_FIRST,
    ),
    Case(
        "the first window is used, the second not asked",
        "accept; exchange; phase announce; announce; phase lead",
        [(0, "sequences", 20)],
        {"exchange_window": "until_first_lead"},
        **SEVEN_FIRST,
    ),
    Case(
        "the dealer in the second window",
        "accept; to 1; pass; to 1; phase exchange; exchange; to 0; phase lead; known 1 HJ",
        [],
        {"exchange_window": "until_first_lead"},
        **SEVEN_DEALER,
    ),
    Case(
        "the turned king completes the pair",
        "accept; exchange; ?belote; belote; known 0 HKQ; !play 9C; ?play KH; ?play QH; HQ; known 0 HK",
        [(0, "pair", 20)],
        **KING_UP,
    ),
    # ----------------------------------------------------------------------------------------- the pair
    Case(
        "said with the first card",
        "accept; belote; !belote; !play 8H; known 0 HKQ; HK; known 0 HQ",
        [(0, "pair", 20)],
        **PAIR,
    ),
    Case(
        "said with the second card",
        f"accept; {TO_SPADES}; ?belote; belote; known 0 HQ; !play 8H; HQ; known 0",
        [(0, "pair", 20)],
        **PAIR,
    ),
    Case("not asked again", f"accept; belote; {TO_SPADES}; !belote; HQ", [(0, "pair", 20)], **PAIR),
    Case("never said", f"accept; {TO_SPADES}; HQ", **PAIR),
    Case(
        "too late with the second card",
        f"accept; {TO_SPADES}; !belote; HQ",
        [],
        {"belote_call_deadline": "first_card"},
        **PAIR,
    ),
    Case(
        "in time with the first card",
        "accept; belote; HQ; known 0 HK",
        [(0, "pair", 20)],
        {"belote_call_deadline": "first_card"},
        **PAIR,
    ),
    Case(
        "both words",
        f"accept; belote; known 0 HKQ; {TO_SPADES}; ?belote; belote; !play 8H; HQ",
        [(0, "pair", 20)],
        {"belote_call_deadline": "both_words"},
        **PAIR,
    ),
    Case(
        "the second word omitted",
        f"accept; belote; {TO_SPADES}; ?belote; HQ",
        [],
        {"belote_call_deadline": "both_words"},
        **PAIR,
    ),
    Case(
        "the first word too late",
        f"accept; {TO_SPADES}; !belote; HQ",
        [],
        {"belote_call_deadline": "both_words"},
        **PAIR,
    ),
    Case(
        "the pair counts by itself",
        "accept; !belote; HK; known 0 HQ",
        [(0, "pair", 20)],
        {"belote_auto": True},
        **PAIR,
    ),
    Case(
        "no word where king and queen may not be played",
        "accept; pass; HT; !belote; ?play AH; !play KH; HA",
        **BEATEN,
    ),
    Case(
        "said by who follows",
        "accept; pass; H9; ?belote; belote; ?play KH; ?play QH; !play AH; HQ; known 1 HK",
        [(1, "pair", 20)],
        **BEATEN,
    ),
    # --------------------------------------------------------------------------------------- settlement
    Case(
        "the opponent takes the sum, pair and all",
        LOST,
        [(0, "pair", 20), (0, "settlement", -20), (1, "settlement", 20)],
        NAMED,
        scores=(0, 127),
        **BEAR,
    ),
    Case(
        "the pair stays with the taker",
        LOST,
        [(0, "pair", 20)],
        NAMED | {"belote_prenable": False},
        scores=(20, 107),
        **BEAR,
    ),
    Case(
        "the taker only loses his own",
        LOST,
        [(0, "pair", 20), (0, "settlement", -20)],
        NAMED | {"two_hand_fail": "taker_loses_only"},
        scores=(0, 107),
        **BEAR,
    ),
    Case(
        "settled points are rounded",
        LOST,
        [(0, "pair", 20), (0, "settlement", -20), (1, "settlement", 23)],
        NAMED | {"rounding": "up5"},
        scores=(0, 130),
        **BEAR,
    ),
    Case(
        "all tricks, no bonus",
        "pass; pass; name H; pass; rest",
        [],
        NAMED,
        scores=(95, 0),
        **SWEEP,
    ),
    Case(
        "five is rounded up",
        "pass; pass; name H; pass; rest",
        [(0, "settlement", 5)],
        NAMED | {"rounding": "up5"},
        scores=(100, 0),
        **SWEEP,
    ),
    Case(
        "five is rounded down",
        "pass; pass; name H; pass; rest",
        [(0, "settlement", -5)],
        NAMED | {"rounding": "down5"},
        scores=(90, 0),
        **SWEEP,
    ),
    Case(
        "all tricks, 100 more",
        "pass; pass; name H; pass; rest; over",
        [(0, "all tricks", 100)],
        NAMED | {"all_tricks_bonus": 100},
        scores=(195, 0),
        **SWEEP,
    ),
    Case(
        "all tricks against the taker, 90 more",
        "pass; pass; pass; name H; announce; rest; over",
        [(0, "sequences", 50), (0, "all tricks", 90)],
        {"all_tricks_bonus": 90},
        scores=(235, 0),
        **SWEEP,
    ),
    # --------------------------------------------------------------------------- the auction and redeals
    Case("refused: the proposer plays", "propose; to 1; refuse; taker 0", **TIED),
    Case(
        "refused: who refused plays",
        "propose; refuse; taker 1",
        [],
        {"schmeiss_refused_makes": "responder"},
        **TIED,
    ),
    Case("the dealer accepts", "pass; accept; taker 1", **TIED),
    Case("the dealer proposes, refused", "pass; propose; to 0; refuse; taker 1", **TIED),
    Case(
        "the dealer proposes, elder plays",
        "pass; propose; refuse; taker 0",
        [],
        {"schmeiss_refused_makes": "responder"},
        **TIED,
    ),
    Case(
        "elder names in round 2",
        "pass; pass; !name H; ?name S; ?propose; name C; taker 0",
        [],
        NAMED,
        **TIED,
    ),
    Case(
        "the dealer proposes in round 2 and names",
        "pass; pass; pass; propose; to 0; refuse; to 1; !pass; !name H; name D; taker 1",
        [],
        ALLOW_ALL | {"schmeiss_refused_makes": "responder"},
        **TIED,
    ),
    Case(
        "the dealer must name in round 2",
        "pass; pass; pass; !pass; name D; taker 1",
        [],
        {"all_pass": "dealer_forced"},
        **TIED,
    ),
    Case(
        "nobody may propose",
        "!propose; pass; !propose; pass; !propose; pass; !propose; ?pass; name S; taker 1",
        [],
        NAMED | {"schmeiss": "off"},
        **TIED,
    ),
    Case("a given deck is not dealt again", "propose; agree; over", scores=(0, 0), **TIED),
    Case("a given deck passed by all", "pass; pass; pass; pass; over", scores=(0, 0), **TIED),
    Case(
        "a given deck in a match",
        "propose; agree; dealer 1; phase bid; to 0; propose; agree; dealer 1",
        episode="match",
        scores=(0, 0),
        **TIED,
    ),
    Case(
        "a given deck passed by all in a match",
        "pass; pass; pass; pass; dealer 0; phase bid; to 1",
        episode="match",
        scores=(0, 0),
        **TIED,
    ),
    Case("agreed: the same dealer", "propose; agree; dealer 1; pass; propose; agree; dealer 1; phase bid"),
    Case(
        "agreed: the next dealer",
        "propose; agree; dealer 0; propose; agree; dealer 1",
        [],
        {"accepted_redeal_dealer": "next"},
    ),
    Case(
        "all pass: the next dealer",
        "pass; pass; pass; pass; dealer 0; to 1; pass; pass; pass; pass; dealer 1",
    ),
    Case(
        "one redeal and no more",
        "propose; agree; phase bid; propose; agree; over",
        [],
        {"max_redeals": 1},
        scores=(0, 0),
    ),
    Case("no redeal at all", "pass; pass; pass; pass; over", [], {"max_redeals": 0}, scores=(0, 0)),
    Case(
        "redeals used up end a match for the higher total",
        "pass; pass; name H; announce; rest; dealer 0; propose; agree; over; winner 0",
        [(0, "sequences", 50)],
        NAMED | {"max_redeals": 0},
        episode="match",
        **SWEEP,
    ),
    Case(
        "redeals used up end a match without points for nobody",
        "propose; agree; over; winner -1",
        [],
        {"max_redeals": 0},
        episode="match",
    ),
    Case(
        "the target is reached",
        "pass; pass; name H; pass; rest; over; winner 0",
        [],
        NAMED | {"target": 95},
        episode="match",
        scores=(95, 0),
        **SWEEP,
    ),
]


def lowest(pair: Pair) -> str:
    """What ``rest`` does: the lowest card, otherwise the first thing that can be done."""
    return pair.legal()[0]


def look(pair: Pair, word: str) -> bool:
    """Check a word of a script that is no action; False if it is one."""
    deal = pair.match.deal
    verb, _, what = word.partition(" ")
    if word[0] in "?!":
        assert (word[1:] in pair.legal()) == (word[0] == "?"), f"{word}: {pair.legal()}"
    elif verb == "known":
        mine = sorted(cards(what[2:]), key=CARDS.index)
        assert deal.visible(0)["known"][int(what[0])] == mine, (word, deal.visible(0)["known"])
    elif verb == "phase":
        assert deal.phase == what, (word, deal.phase)
    elif verb == "over":
        assert pair.is_over
    elif verb in ("dealer", "taker", "to", "winner"):
        found = {
            "dealer": deal.dealer,
            "taker": deal.taker,
            "to": deal.seat_to_act,
            "winner": -1 if pair.match.winner is None else pair.match.winner,
        }[verb]
        assert found == int(what), (word, found)
    else:
        return False
    return True


def run(case: Case, counters: Counter[str]) -> Pair:
    """Play a case through both implementations and compare with what is expected."""
    deck = None
    if case.elder:
        turn_up = case.turn_up[1] + case.turn_up[0]
        deck = make_deck(cards(case.elder), cards(case.dealer), turn_up)
    pair = Pair(case.options, 7, case.episode, deck, 1, counters)
    events: Events = []
    for word in case.script.split("; "):
        if word == "rest":
            hand = pair.match.hands_dealt
            while not pair.is_over and pair.match.hands_dealt == hand:
                events += pair.apply(lowest(pair))
        elif not look(pair, word):
            text = f"play {word[1]}{word[0]}" if word[0] in SUITS else word
            events += pair.apply(text)
    shown = [event for event in events if event[1] not in ("trick", "last trick")]
    assert shown == case.expected, (case.name, shown)
    contests = pair.match.deal.contests
    if case.said is not None:
        assert [contest.said for contest in contests] == case.said
    if case.answers is not None:
        assert [contest.answers for contest in contests] == case.answers
    if case.scores is not None:
        assert pair.match.totals == case.scores
    return pair


def way_to_a_tie(deal: Referee, tricks: int = 3) -> list[str] | None:
    """The plays that bring both seats to the same points in a deal that is nearly played, if there are any."""
    if deal.is_over or deal.phase not in ("lead", "follow"):
        return None
    if deal.hands[0].bit_count() > tricks:
        return None
    for text in deal.legal():
        twin = copy.copy(deal)
        for name, value in vars(deal).items():
            if isinstance(value, list):
                setattr(twin, name, copy.copy(value))
        twin.counters = Counter()
        made = twin.apply(text)
        if twin.is_over:
            before = [twin.scores[seat] for seat in (0, 1)]
            for _, seat, what, points in made:
                before[seat] -= points * (what == "settlement")
            if before[0] == before[1]:
                return [text]
            continue
        further = way_to_a_tie(twin, tricks)
        if further is not None:
            return [text, *further]
    return None


def ties_in_a_row(
    counters: Counter[str], options: dict[str, Any], wanted: int, first: int = 0
) -> list[Events]:
    """Play matches towards ties until so many deals in a row were tied; the settlement of each.

    Args:
        counters: Where branches count themselves.
        options: Option values that differ from ``two_handed``.
        wanted: Number of deals.
        first: The seed to begin with, near one that is known to lead there.
    """
    for seed in range(first, first + 400):
        pair = Pair(options | {"target": 100_000}, seed, "match", dealer=seed % 2, counters=counters)
        settlements: list[Events] = []
        while len(settlements) < wanted:
            hand, events = pair.match.hands_dealt, Events()
            plan: list[str] = []
            while pair.match.hands_dealt == hand:
                plan = plan or way_to_a_tie(pair.match.deal) or [lowest(pair)]
                events += pair.apply(plan.pop(0))
            made = [0, 0]
            for seat, what, points in events:
                made[seat] += points * (what != "settlement")
            if made[0] != made[1]:
                break
            settlements.append([event for event in events if event[1] == "settlement"])
            taker = settlements[-1][0][0]
            assert settlements[-1][0] == (taker, "settlement", -made[0])
        else:
            return settlements
    raise AssertionError("no such ties")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_rare_turn(case: Case) -> None:
    run(case, Counter())


@pytest.mark.parametrize(
    ("options", "script"),
    [
        ({}, "propose; refuse; pass; SA"),
        ({"schmeiss_refused_makes": "responder"}, "propose; refuse; pass; SA"),
        ({}, "pass; propose; refuse; pass; SA"),
        ({}, "accept; exchange; announce; HJ"),
        ({}, "accept; exchange; announce; HJ; H9; HT"),
        ({"belote_call_deadline": "both_words"}, "accept; exchange; belote"),
    ],
)
def test_positions_of_rare_turns(options: dict[str, Any], script: str) -> None:
    """Who plays after a refusal, and where the turned card went, can be written down."""
    elder, dealer = cards(SEVEN_FIRST["elder"]), cards(SEVEN_FIRST["dealer"])
    if "SA" in script:
        elder, dealer = dealer, elder
    deck = make_deck(elder, dealer, "KH" if "belote" in script else "JH")
    pair = Pair(options, 7, "deal", deck, 1)
    for word in script.split("; "):
        pair.apply(f"play {word[1]}{word[0]}" if word[0] in SUITS else word)
    game = Game.from_position(position_of(pair))
    assert go_on_from(pair, game, lambda legal: legal[0]) > 10


@pytest.mark.parametrize(("tie", "others"), [("taker_zero", False), ("hold_over", False), ("fall", True)])
def test_tied_deals(tie: str, others: bool) -> None:
    """The taker loses what he made; only in a fall the opponent gets it."""
    (settlement,) = ties_in_a_row(Counter(), {"two_hand_tie": tie}, 1)
    assert [points > 0 for _, _, points in settlement] == [False] + [True] * others


def test_points_are_held_over_two_ties() -> None:
    """Two tied deals in a row: the points of both takers wait."""
    counters = Counter[str]()
    ties_in_a_row(counters, {"two_hand_tie": "hold_over"}, 2, first=200)
    assert counters["held over twice"] == 1


def test_a_match_that_ends_with_held_points() -> None:
    """Its last deal is dealt again in a resampled world with the points that waited for it."""
    paid = 0
    for seed in range(80):
        pair = Pair({"two_hand_tie": "hold_over", "target": 100}, seed, "match", dealer=seed % 2)
        events: Events = []
        while not pair.is_over and pair.match.hands_dealt < 4:
            plan = way_to_a_tie(pair.match.deal) if pair.match.hands_dealt == 1 else None
            for text in plan or [lowest(pair)]:
                events += pair.apply(text)
        if pair.is_over and any(what == "held" for _, what, _ in events):
            check_resampled(pair, seed % 2, seed)
            paid += 1
    assert paid > 3
