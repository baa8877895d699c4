"""Rubicon, Chinese and eight-pack Bezique in plain Python, written from the rules and never from the engine.

Where the engine keeps bits for the places of a table, this keeps the game's own history: every physical copy
is an object, every scored meld is a record with its copies, and a meld is intact while none of them has been
played. All rules of re-forming are read off that log.

The letters D30, D31, ... name decisions on points which the rules text leaves open (``docs/rulings.md``); the
text itself is ``rules/bezique.md``, sections 4, 5.5 to 5.7, 6.2, 7, 8, 9, 11 and 12.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from tests.referee.settling import SETTLEMENT_COUNTERS, decide, settlement
from tests.referee.two_pack import (
    DECLARATIONS,
    QUARTET_POINTS,
    Card,
    Referee,
    RefereeError,
    split,
)

RUNGS = {"four": 1, "four trump": 2, "five trump": 3}
"""The quartet ladder, from low to high."""
BEZIQUE_POINTS = {1: 40, 2: 500, 3: 1500, 4: 4500, 5: 9000}
FOUR_TRUMP_POINTS = {"A": 1000, "T": 900, "K": 800, "Q": 600, "J": 400}
FIVE_TRUMP_POINTS = {"A": 2000, "T": 1800, "K": 1600, "Q": 1200, "J": 800}
LIMITS = {"four": 4, "four trump": 4, "five trump": 5}

_COMMON: dict[str, Any] = {
    "selection": "auto",
    "brisques": "none",
    "seq_then_marriage": "both_fresh",
    "endgame": "follow_trump_head",
    "last_trick": "final",
    "trump": "first_marriage_or_sequence",
    "premature_melds": "allowed",
    "bezique_pair": "qs_jd",
    "four_tens": 0,
    "quartet_suits_bonus": "off",
    "deal_packets": "singles",
    "reform": "replace",
    "marriage_rematch": "cross_pairs",
    "settlement": "saari_example",
    "tie": "draw",
}
_TRUMP_QUEEN = {"bezique_pair": "trump_queen", "trump": "first_marriage_sequence_or_bezique"}

COUNTERS: tuple[str, ...] = (
    # setting out and drawing
    "deal threes",
    "deal singles",
    "draw shared",
    "draw queues",
    "cut of 24",
    "cut guessed",
    "cut for nothing",
    # carte blanche
    "carte blanche asked",
    "carte blanche of both hands",
    "carte blanche shown",
    "carte blanche declined",
    "carte blanche asked after a draw",
    "carte blanche shown again",
    "carte blanche ended by a court",
    "carte blanche ended by pass",
    "carte blanche at the last draw",
    "carte blanche of both after a draw",
    "carte blanche holding an ace",
    "carte blanche refused for an ace",
    "carte blanche ended by an ace",
    "carte blanche goes on with an ace",
    # trump
    "trump by marriage",
    "trump by sequence",
    "trump by bezique",
    "no trump all deal",
    "sequence before trump fixes nothing",
    # sequences
    "sequence plain",
    "sequence trump",
    "sequence renewed",
    "sequence of free cards",
    "sequence after marriage",
    "sequence refused intact",
    "sequence refused used",
    # marriages
    "marriage plain",
    "marriage trump",
    "marriage both fresh",
    "marriage widowed with fresh",
    "marriage widowed with married",
    "marriage two widowed",
    "marriage crossed",
    "marriage refused pair scored",
    "marriage refused married with fresh",
    "marriage refused crossed",
    "marriage refused after sequence",
    "marriage refused after broken sequence",
    "marriage refused married",
    "marriage fresh_partner",
    # beziques
    *(f"bezique {n} fresh" for n in range(1, 6)),
    *(f"bezique {n} extended" for n in range(2, 6)),
    *(f"bezique {n} re-formed" for n in range(1, 6)),
    "bezique 2 of two singles",
    "bezique refused higher",
    "bezique refused broken higher",
    "bezique refused intact",
    "bezique refused used",
    "bezique refused without trump",
    "bezique refused before trump",
    "bezique without trump",
    "bezique shifted",
    "bezique unshifted",
    "bezique trump queen",
    "bezique 5 without value",
    # quartets
    *(f"four {rank}" for rank in "ATKQJ"),
    *(f"four trump {rank}" for rank in "ATKQJ"),
    *(f"five trump {rank}" for rank in "ATKQJ"),
    "four fresh",
    "four re-formed",
    "four of free cards",
    "four trump fresh",
    "four trump extended",
    "four trump re-formed",
    "five trump fresh",
    "five trump extended",
    "five trump of an intact four trump",
    "five trump re-formed",
    "quartet refused fifth without play",
    "quartet refused intact",
    "quartet refused higher rung",
    "quartet refused broken higher rung",
    "four trump refused the very four",
    "four trump of three of an intact four",
    "quartet refused used",
    "quartet needs trump",
    "four tens off",
    "four trump tens without option",
    "quartet x2",
    "quartet not x2",
    "quartet prefers suits",
    "meld all from table",
    "several melds restored by one card",
    # windows
    "window skipped",
    "window asked",
    "window closed by pass",
    "window closed by itself",
    "select from hand",
    "select from table",
    "select forced",
    "select choice",
    # plays
    "follow without duty",
    "last draw without turn-up",
    "no turn-up",
    "brisques none",
    "seven played dix none",
    "play from hand",
    "play from table",
    "play most used copy",
    "play earliest of equal use",
    "play shown card first",
    "equal cards first wins",
    "trump beats plain",
    "higher of suit wins",
    "other suit loses",
    "table returns",
    "endgame must head",
    "endgame cannot head",
    "endgame follow free",
    "endgame must trump",
    "endgame may discard",
    "endgame follow only void",
    "endgame no trump void",
    "last trick final",
    "last trick of stock",
    *SETTLEMENT_COUNTERS,
)
"""All branches; which of them exist in a variant is said by its ``ABSENT``."""


@dataclass(frozen=True, eq=False)
class Scored:
    """One meld of the log.

    Attributes:
        seat: Who declared it.
        kind: ``marriage``, ``sequence``, ``bezique``, ``four``, ``four trump`` or ``five trump``.
        level: Of a bezique its number, of a quartet its rung, else 1.
        cards: Its copies.
        missing: Whether copies that are not among ``cards`` have been played (set-up positions).
    """

    seat: int
    kind: str
    level: int
    cards: tuple[Card, ...]
    missing: bool = False

    @property
    def intact(self) -> bool:
        """Whether none of its copies has been played."""
        if self.missing:
            return False
        return not any(card.played for card in self.cards)


def level_of(name: str) -> int:
    """Rung or number of a declaration."""
    kind, what = split(name)
    return int(what) if kind == "bezique" else RUNGS.get(kind, 1)


def cards_of(name: str) -> int:
    """How many cards a declaration has."""
    kind, _ = split(name)
    return {"marriage": 2, "sequence": 5, "bezique": 2 * level_of(name)}.get(kind) or LIMITS[kind]


def served(card: Card, kind: str) -> list[Scored]:
    """Scored melds of one kind in which a copy has served."""
    return [meld for meld in card.melds if meld.kind == kind]


def rungs(card: Card) -> list[Scored]:
    """Scored quartets of all rungs in which a copy has served."""
    return [meld for meld in card.melds if meld.kind in RUNGS]


class MultiPack(Referee):
    """What the three games share; see :class:`Referee`."""

    ONE_DEAL = True
    FIXED: ClassVar[dict[str, Any]] = {
        "declare": "one",
        "dix_score": "none",
        "dix_endgame": "no",
        "dix_exchange": "free",
        "dealer_seven": 0,
        "meld_groups": "four",
        "target": 10**9,
        "game_end": "deal_end",
        "both_over": "higher",
        "double_win_under": 0,
        "trump_repeat": "allowed",
    }
    CARTE_BLANCHE = 0
    HIGHEST_BEZIQUE = 4
    RUNG = "four"
    """The highest rung of quartets that has a value."""
    ABSENT: tuple[str, ...] = ()
    """Branches of ``COUNTERS`` that cannot occur in the variant."""

    # ------------------------------------------------------------------ setting out

    def _deal(self) -> None:
        super()._deal()
        if self.cut != (0, 0):
            lifted, guess = self.cut  # D36
            self.counters["cut of 24"] += lifted == 24
            self.counters["cut guessed"] += lifted == guess
            self.counters["cut for nothing"] += 24 != lifted != guess
            if lifted == 24:
                self._credit(self.dealer, "cut", 250)
            if guess == lifted:
                self._credit(1 - self.dealer, "cut guess", 150)
        if self.CARTE_BLANCHE:
            for seat in (0, 1):
                if all(not self._is_court(card) or card.rank == "A" for card in self.hands[seat]):
                    ace = any(card.rank == "A" for card in self.hands[seat])
                    refused = ace and self.options["carte_blanche_courts"] == "AKQJ"
                    self.counters["carte blanche refused for an ace"] += refused
                    self.counters["carte blanche holding an ace"] += ace and not refused
            ask = [
                seat
                for seat in (1 - self.dealer, self.dealer)
                if not any(map(self._is_court, self.hands[seat]))
            ]
            self.counters["carte blanche of both hands"] += len(ask) == 2
            self._ask(ask)

    def _prepare(self, *arguments: Any, **keywords: Any) -> None:
        super()._prepare(*arguments, **keywords)
        self.log: list[Scored] = []
        self.asked: list[int] = []  # seats still to be asked for carte blanche
        self.drawn: dict[int, Card] = {}  # the cards that the question is about, after a draw

    def _note_scored(self, seat: int, name: str, texts: list[str]) -> None:
        """A meld that had scored before a set-up position; fewer cards than it has: the others were played."""
        cards: list[Card] = []
        for text in texts:
            word, _, number = text.partition("#")
            copies = [card for card in self.tables[seat] if card.text == word]
            if not number:
                copies = [card for card in copies if card not in cards and not served(card, split(name)[0])]
            place = int(number or 1) - 1
            if place >= len(copies):
                raise RefereeError(f"{text} of {name} does not lie on that table")
            cards.append(copies[place])
        self._log(seat, name, tuple(cards), missing=len(cards) < cards_of(name))

    def _log(self, seat: int, name: str, cards: tuple[Card, ...], missing: bool = False) -> None:
        kind, what = split(name)
        meld = Scored(seat, kind, level_of(name), cards, missing)
        self.log.append(meld)
        for card in cards:
            card.melds.append(meld)
            card.serve(name if kind == "bezique" and what != "1" else kind)

    @classmethod
    def from_position(cls, position: dict[str, Any], counters: Counter[str] | None = None) -> Referee:
        """Set up a position; ``carte`` names who shows, and in the phase ``carte_blanche`` who is asked.

        Args:
            position: The position.
            counters: Where branches count themselves.
        """
        phase = position.get("phase", "lead")
        deal = super().from_position(
            {**position, "phase": "lead"} if phase == "carte_blanche" else position, counters
        )
        assert isinstance(deal, cls)
        deal._note_position(position, phase)
        return deal

    def _note_position(self, position: dict[str, Any], phase: str) -> None:
        carte = position.get("carte") or [False, False]
        self.carte = [bool(carte[0]), bool(carte[1])]
        if phase == "carte_blanche":
            self._ask([position["to_act"]])

    # ------------------------------------------------------------------ carte blanche

    def _is_court(self, card: Card) -> bool:
        return card.rank in self.options["carte_blanche_courts"]

    def _ask(self, seats: list[int]) -> None:
        """Ask seats in turn; after a draw each is heard in its turn, so that a court is not seen earlier."""
        self.asked = seats
        self._ask_next()

    def _ask_next(self) -> None:
        self._legal = None
        while self.asked and self._ended_by_court(self.asked[0]):
            self.carte[self.asked.pop(0)] = False
        if self.asked:
            self.phase = "carte_blanche"
            self.seat_to_act = self.asked[0]
            self.counters["carte blanche asked after a draw" if self.drawn else "carte blanche asked"] += 1
            self.counters["carte blanche at the last draw"] += self.in_endgame
        else:
            self.phase = "endgame_lead" if self.in_endgame else "lead"
            self.seat_to_act = self.leader
            self.drawn = {}

    def _ended_by_court(self, seat: int) -> bool:
        card = self.drawn.get(seat)
        if card is None:
            return False
        if not self._is_court(card):
            self.counters["carte blanche goes on with an ace"] += card.rank == "A"
            return False
        self.counters["carte blanche ended by a court"] += 1
        self.counters["carte blanche ended by an ace"] += card.rank == "A"
        return True

    def _answer(self, seat: int, shown: bool) -> None:
        self.asked.remove(seat)
        if not shown:
            self.counters[
                "carte blanche ended by pass" if self.carte[seat] else "carte blanche declined"
            ] += 1
            self.carte[seat] = False
        else:
            self.counters["carte blanche shown again" if self.carte[seat] else "carte blanche shown"] += 1
            self.carte[seat] = True
            for card in [self.drawn[seat]] if seat in self.drawn else self.hands[seat]:
                card.known = True
            self._credit(seat, "carte blanche", self.CARTE_BLANCHE)
        self._ask_next()

    def _after_draw(self, drawn: dict[int, Card]) -> None:
        ask = [seat for seat in drawn if self.carte[seat]]  # in drawing order
        self.counters["carte blanche of both after a draw"] += len(ask) == 2 and self.CARTE_BLANCHE > 0
        if ask:
            self.drawn = drawn
            self._ask(ask)

    # ------------------------------------------------------------------ which copies may serve

    @classmethod
    def branches(cls) -> list[str]:
        """Branches that can occur in the variant."""
        return [name for name in COUNTERS if name not in cls.ABSENT]

    @property
    def _reforms(self) -> bool:
        return bool(self.options["reform"] == "replace")

    def _marriages(self, suit: str, groups: dict[str, list[Card]]) -> Iterator[tuple[Card, ...]]:
        queens = groups.get("Q" + suit)
        if not queens:
            return
        for king in groups.get("K" + suit, ()):
            for queen in queens:
                refusal = self._why_not_married(king, queen)
                if refusal is None:
                    yield (king, queen)
                else:
                    self.counters["marriage refused " + refusal] += 1

    def _why_not_married(self, king: Card, queen: Card) -> str | None:
        in_sequence = [served(card, "sequence") for card in (king, queen)]
        if not self._reforms:
            if served(king, "marriage") or served(queen, "marriage"):
                return "married"
            lenient = self.options["seq_then_marriage"] == "fresh_partner"
            if all(in_sequence) or (any(in_sequence) and not lenient):
                return "after sequence"
            return None
        if any(king in meld.cards and queen in meld.cards for meld in served(king, "marriage")):
            return "pair scored"
        if any(in_sequence):
            intact = any(meld.intact for melds in in_sequence for meld in melds)
            return "after sequence" if intact else "after broken sequence"
        states = (marital(king), marital(queen))
        if "widowed" in states or states == ("fresh", "fresh"):
            return None
        if "fresh" in states:
            return "married with fresh"
        return None if self.options["marriage_rematch"] == "cross_pairs" else "crossed"

    def _sequences(self, suit: str, groups: dict[str, list[Card]]) -> Iterator[tuple[Card, ...]]:
        kinds = [groups.get(rank + suit) for rank in "ATKQJ"]
        if not all(kinds):
            return
        free: list[list[Card]] = []
        for copies in kinds:
            assert copies is not None
            free.append([card for card in copies if self._may_sequence(card)])
            if not free[-1]:
                self.counters["sequence refused intact" if self._reforms else "sequence refused used"] += 1
                return
        yield from itertools.product(*free)

    def _may_sequence(self, card: Card) -> bool:
        melds = served(card, "sequence")
        return not (any(meld.intact for meld in melds) if self._reforms else melds)

    def _beziques(self, number: int, groups: dict[str, list[Card]]) -> Iterator[tuple[Card, ...]]:
        pairs = self.bezique_pairs()
        queens = [
            queen for queen in groups.get("Q", ()) if queen.text in pairs and pairs[queen.text] in groups
        ]
        if len(queens) < number:
            return
        if number > self.HIGHEST_BEZIQUE:
            self.counters["bezique 5 without value"] += len(groups[pairs[queens[0].text]]) >= number
            return
        if self.trump is None:
            if self._fixes_trump("bezique"):
                if number > 1:
                    self.counters["bezique refused before trump"] += 1
                    return  # D31
            elif self.options["premature_melds"] == "need_trump":
                self.counters["bezique refused without trump"] += 1
                return
        queens = [queen for queen in queens if self._may_bezique(queen, number)]
        jacks = {
            text: [jack for jack in groups[text] if self._may_bezique(jack, number)]
            for text in pairs.values()
            if text in groups
        }
        if number == 1:
            for queen in queens:
                for jack in jacks[pairs[queen.text]]:
                    yield (queen, jack)
        else:
            assert len(pairs) == 1
            for some in itertools.combinations(queens, number):
                for others in itertools.combinations(jacks[pairs[some[0].text]], number):
                    yield some + others

    def _may_bezique(self, card: Card, number: int) -> bool:
        melds = served(card, "bezique")
        if not melds:
            return True
        if not self._reforms:  # D35
            fits = number > max(meld.level for meld in melds)
            self.counters["bezique refused used"] += not fits
            return fits
        higher = [meld for meld in melds if meld.level > number]
        if higher:
            intact = any(meld.intact for meld in higher)
            self.counters["bezique refused higher" if intact else "bezique refused broken higher"] += 1
            return False
        if any(meld.level == number and meld.intact for meld in melds):
            self.counters["bezique refused intact"] += 1
            return False
        return True

    def _quartets(self, kind: str, rank: str, groups: dict[str, list[Card]]) -> Iterator[tuple[Card, ...]]:
        size = LIMITS[kind]
        copies = groups.get(rank if kind == "four" else f"{rank}{self.trump}", ())
        if len(copies) < size or RUNGS[kind] > RUNGS[self.RUNG]:
            return
        if kind == "four" and rank == "T" and self.options["four_tens"] == 0:
            self.counters["four tens off"] += 1
            return
        if self.trump is None and self.options["premature_melds"] == "need_trump":
            self.counters["quartet needs trump"] += 1
            return
        free = [card for card in copies if self._may_quartet(card, kind)]
        if len(free) < size:
            if any(meld.intact for card in copies for meld in served(card, kind)) and self._reforms:
                self.counters["quartet refused fifth without play"] += len(free) >= 1
            return
        barred: set[frozenset[Card]] = set()
        if kind == "four trump" and self._reforms:
            intact = [meld for card in free for meld in served(card, "four") if meld.intact]
            barred = {frozenset(meld.cards) for meld in intact}
        for cards in itertools.combinations(free, size):
            if barred and frozenset(cards) in barred:
                self.counters["four trump refused the very four"] += 1
                continue
            yield cards

    def _may_quartet(self, card: Card, kind: str) -> bool:
        melds = rungs(card)
        if not melds:
            return True
        if not self._reforms:  # D35
            self.counters["quartet refused used"] += 1
            return False
        higher = [meld for meld in melds if meld.level > RUNGS[kind]]
        if higher:
            intact = any(meld.intact for meld in higher)
            self.counters[
                "quartet refused higher rung" if intact else "quartet refused broken higher rung"
            ] += 1
            return False
        if any(meld.kind == kind and meld.intact for meld in melds):
            self.counters["quartet refused intact"] += 1
            return False
        return True

    # ------------------------------------------------------------------ scoring

    def _meld(self, seat: int, name: str, cards: tuple[Card, ...], lay: bool) -> None:
        assert not lay
        kind, what = split(name)
        self._count_history(kind, name, cards)
        points = self._points(kind, what, cards)
        self.counters["meld all from table"] += all(card.laid for card in cards)
        for card in cards:
            self._lay(seat, card)
        self._log(seat, name, cards)
        self.slot_used = True
        self._credit(seat, name, points)

    def _points(self, kind: str, what: str, cards: tuple[Card, ...]) -> int:
        """Points of a declaration; fixes trump where it does."""
        if self._fixes_trump(kind):
            self.counters["trump by " + kind] += 1
            self.trump = cards[0].suit
        elif self.trump is None and kind == "sequence":
            self.counters["sequence before trump fixes nothing"] += 1
        if kind == "marriage":
            self.counters["marriage trump" if what == self.trump else "marriage plain"] += 1
            return 40 if what == self.trump else 20
        if kind == "sequence":
            self.counters["sequence trump" if what == self.trump else "sequence plain"] += 1
            return 250 if what == self.trump else 150
        if kind == "bezique":
            return BEZIQUE_POINTS[int(what)]
        self.counters[f"{kind} {what}"] += 1
        if kind == "four trump":
            self.counters["four trump tens without option"] += what == "T" and self.options["four_tens"] == 0
            return FOUR_TRUMP_POINTS[what]
        if kind == "five trump":
            return FIVE_TRUMP_POINTS[what]
        if self.options["quartet_suits_bonus"] == "x2":
            if len({card.suit for card in cards}) == 4:
                self.counters["quartet x2"] += 1
                return 2 * QUARTET_POINTS[what]
            self.counters["quartet not x2"] += 1
        return QUARTET_POINTS[what]

    def _count_history(self, kind: str, name: str, cards: tuple[Card, ...]) -> None:
        """Count what the copies of a declaration had been through."""
        count = self.counters
        earlier = {meld for card in cards for meld in card.melds}
        level = level_of(name)
        if kind == "marriage":
            states = sorted(marital(card) for card in cards)
            count["marriage " + MARITAL_PAIRS[states[0], states[1]]] += 1
            count["marriage fresh_partner"] += any(meld.kind == "sequence" for meld in earlier)
        elif kind == "sequence":
            broken = [meld for meld in earlier if meld.kind == "sequence"]
            count["sequence renewed" if broken else "sequence of free cards"] += 1
            count["sequence after marriage"] += any(meld.kind == "marriage" for meld in earlier)
        elif kind == "bezique":
            self._count_bezique_history(level, earlier)
        else:
            same = [meld for meld in earlier if meld.kind == kind]
            lower = [meld for meld in earlier if meld.kind in RUNGS and meld.level < level]
            count[f"{kind} fresh"] += not same and not lower
            count[f"{kind} re-formed"] += bool(same)
            if kind != "four":
                count[f"{kind} extended"] += bool(lower)
            whole = [meld for meld in lower if meld.intact and len(set(meld.cards) & set(cards)) == 4]
            count["five trump of an intact four trump"] += any(meld.kind == "four trump" for meld in whole)
            three = [meld for meld in lower if meld.intact and len(set(meld.cards) & set(cards)) == 3]
            count["four trump of three of an intact four"] += kind == "four trump" and bool(three)
            count["four of free cards"] += kind == "four" and not same and bool(earlier)
        mine = [meld for meld in self.log if not meld.intact]
        restored = {meld.kind for meld in mine if meld in earlier}
        count["several melds restored by one card"] += len(restored) > 1

    def _count_bezique_history(self, number: int, earlier: set[Scored]) -> None:
        levels = Counter(meld.level for meld in earlier if meld.kind == "bezique")
        if not levels:
            self.counters[f"bezique {number} fresh"] += 1
        if levels[number]:
            self.counters[f"bezique {number} re-formed"] += 1
        if any(level < number for level in levels):
            self.counters[f"bezique {number} extended"] += 1
        self.counters["bezique 2 of two singles"] += number == 2 and levels[1] >= 2
        self.counters["bezique without trump"] += self.trump is None
        pair = self.options["bezique_pair"]
        if pair == "shifting":
            self.counters["bezique shifted" if self.trump in ("S", "D") else "bezique unshifted"] += 1
        self.counters["bezique trump queen"] += pair == "trump_queen"

    # ------------------------------------------------------------------ plays and the end

    def _take_from_hand(self, seat: int, text: str) -> Card:
        copies = {card.known for card in self.hands[seat] if card.text == text}
        self.counters["play shown card first"] += len(copies) == 2
        return super()._take_from_hand(seat, text)

    def result(self) -> tuple[int | None, bool]:
        """The winner (D37); nothing counts double."""
        scores, brisques = (self.scores[0], self.scores[1]), (self.brisques[0], self.brisques[1])
        return decide(self.options["tie"], scores, brisques), False

    def pays(self, winner: int | None, double: bool) -> tuple[int, int]:
        """What the deal pays by the option ``settlement``."""
        return settlement(
            self.PACKS,
            self.options["settlement"],
            self.options["tie"],
            self.options["brisques"],
            (self.scores[0], self.scores[1]),
            (self.brisques[0], self.brisques[1]),
            self.counters,
        )

    # ------------------------------------------------------------------ what may be seen

    def intact_places(self, seat: int) -> list[dict[str, set[int]]]:
        """For each card of a table: by kind of meld the places of the intact meld (of a marriage: the partners)."""
        table = self.tables[seat]
        place = {id(card): number for number, card in enumerate(table)}
        found: list[dict[str, set[int]]] = []
        for card in table:
            seen: dict[str, set[int]] = {}
            highest = max((meld.level for meld in card.melds if meld.kind == "bezique"), default=0)
            for meld in card.melds:
                if not meld.intact or (meld.kind == "bezique" and meld.level < highest):
                    continue
                others = [c for c in meld.cards if meld.kind != "marriage" or c is not card]
                seen.setdefault(meld.kind, set()).update(place[id(c)] for c in others)
            found.append(seen)
        return found

    def check(self) -> None:
        """As in :meth:`Referee.check`; and no copy stands in two intact melds of a kind where it must not."""
        super().check()
        for card in self.cards:
            intact = Counter(f"{m.kind} {m.level}" for m in card.melds if m.intact and m.kind != "marriage")
            if self._reforms and intact and max(intact.values()) > 1:
                raise RefereeError(f"{card} serves in two intact melds of one kind")
            if len({id(m.cards) for m in card.melds}) != len(card.melds):
                raise RefereeError(f"{card} serves twice in one meld")


def marital(card: Card) -> str:
    """``fresh`` without any scored marriage, ``married`` while one of its own is intact, else ``widowed``."""
    marriages = served(card, "marriage")
    if not marriages:
        return "fresh"
    return "married" if any(meld.intact for meld in marriages) else "widowed"


MARITAL_PAIRS = {
    ("fresh", "fresh"): "both fresh",
    ("fresh", "widowed"): "widowed with fresh",
    ("married", "widowed"): "widowed with married",
    ("widowed", "widowed"): "two widowed",
    ("married", "married"): "crossed",
}


def _names(*starts: str) -> list[str]:
    """Branches whose names begin so."""
    return [name for name in COUNTERS if name.startswith(starts)]


_LADDERS = (
    tuple(f"{kind} {rank}" for kind in RUNGS for rank in "ATKQJ"),
    tuple(f"bezique {number}" for number in range(1, 6)),
)


class Rubicon(MultiPack):
    """Four packs, nine cards."""

    PACKS = 4
    HAND = 9
    LAST_TRICK = 50
    CARTE_BLANCHE = 50
    DEFAULTS: ClassVar[dict[str, Any]] = {
        **_COMMON,
        "brisques": "tiebreak",
        "deal_packets": "threes",
        "carte_blanche_courts": "AKQJ",
        "tie": "brisques_then_draw",
    }
    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {
        "saari": {},
        "portland": {
            "brisques": "tiebreak_and_rubicon",
            "carte_blanche_courts": "KQJ",
            "settlement": "portland",
        },
        "bicycle": {"carte_blanche_courts": "KQJ", "settlement": "bicycle"},
    }
    DECLARATIONS = (*DECLARATIONS[:8], *_LADDERS[1], *_LADDERS[0][:5])
    ABSENT = (
        *_names(
            "four trump",
            "five trump",
            "bezique 5",
            "quartet refused higher",
            "quartet refused broken",
            "cut ",
        ),
        "bezique 4 re-formed",  # there are no five queens of spades
        *_names("sum ", "saari_example rubicon loser", "saari_table rubicon loser"),
    )


class Chinese(MultiPack):
    """Six packs, twelve cards."""

    PACKS = 6
    HAND = 12
    LAST_TRICK = 250
    CARTE_BLANCHE = 250
    RUNG = "four trump"
    DEFAULTS: ClassVar[dict[str, Any]] = {**_COMMON, "carte_blanche_courts": "AKQJ", "cut_bonus": "off"}
    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {
        "saari": {},
        "sum": {"settlement": "sum"},
        "trump_queen": _TRUMP_QUEEN,
    }
    DECLARATIONS = (*DECLARATIONS[:8], *_LADDERS[1], *_LADDERS[0][:10])
    ABSENT = (
        *_names(
            "five trump",
            "bezique 5 fresh",
            "bezique 5 extended",
            "bezique 5 re-formed",
            "portland",
            "bicycle",
        ),
        *_names("saari_example rubicon 500", "saari_table rubicon 500"),
    )


class EightPack(MultiPack):
    """Eight packs, fifteen cards."""

    PACKS = 8
    HAND = 15
    LAST_TRICK = 250
    RUNG = "five trump"
    HIGHEST_BEZIQUE = 5
    DEFAULTS: ClassVar[dict[str, Any]] = dict(_COMMON)
    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {"saari": {}, "sum": {"settlement": "sum"}}
    DECLARATIONS = (*DECLARATIONS[:8], *_LADDERS[1], *_LADDERS[0])
    ABSENT = (
        *_names("carte blanche", "cut ", "portland", "bicycle", "bezique 5 without value"),
        *_names("saari_example rubicon 500", "saari_table rubicon 500"),
    )
