"""Two-pack Bezique once more, in plain Python, written from the rules and never from the compiled engine.

Cards are objects, zones are lists, melds are records. Nothing here imports ``bezique_env``: the two
implementations share the page of rules and nothing else, so that a slip in one shows as a difference.

The letters D1, D2, ... name decisions on points which the rules text leaves open; the text itself is
``rules/bezique.md`` (sections 4, 5.1 to 5.3, 6.1, 7A, 9, 10, 12) and ``DESIGN.md`` (sections 4 and 6).

Every branch of the rules counts itself in ``Referee.counters``; ``COUNTERS`` lists all names that may occur,
so that a test can demand that each of them was reached.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

SUITS = "SHDC"
RANKS = "789JQKTA"  # from low to high
STRENGTH = {rank: i for i, rank in enumerate(RANKS)}
QUARTET_POINTS = {"A": 100, "T": 90, "K": 80, "Q": 60, "J": 40}
TRUMP_QUEEN_JACK = {"S": "D", "H": "C", "D": "S", "C": "H"}  # suit of the queen -> suit of the jack
WHOLE_PACK = [rank + suit for suit in SUITS for rank in RANKS]


def packets(name: str, hand: int) -> tuple[int, ...]:
    """Sizes of the packets of a deal, the non-dealer's first.

    Args:
        name: Value of the option ``deal_packets``.
        hand: Cards of one hand.
    """
    if name == "3-2-3":
        return (3, 3, 2, 2, 3, 3)
    size = 3 if name == "threes" else 1
    each = [size] * (hand // size) + [hand % size] * (hand % size > 0)
    return tuple(packet for packet in each for _ in (0, 1))


STANDARD: dict[str, Any] = {
    "selection": "auto",
    "brisques": "at_trick",
    "declare": "one",
    "meld_groups": "four",
    "seq_then_marriage": "both_fresh",
    "double_bezique": "extend_one",
    "double_credit": "additive",
    "dix_score": "on_show",
    "dix_endgame": "yes",
    "dix_exchange": "uses_declaration",
    "dealer_seven": 10,
    "endgame": "follow_trump_head",
    "last_trick": "final",
    "target": 1000,
    "game_end": "deal_end",
    "both_over": "higher",
    "double_win_under": 500,
    "trump": "turn_up",
    "trump_repeat": "allowed",
    "premature_melds": "allowed",
    "bezique_pair": "qs_jd",
    "four_tens": 0,
    "quartet_suits_bonus": "off",
    "deal_packets": "3-2-3",
}

PRESETS: dict[str, dict[str, Any]] = {
    "standard": {},
    "saari": {"declare": "lay_many_score_one", "dealer_seven": 0},
    "finnish": {
        "brisques": "at_hand_end",
        "declare": "many_disjoint",
        "meld_groups": "three",
        "double_bezique": "one_go",
        "dix_score": "as_meld",
        "dix_exchange": "free",
        "game_end": "immediate",
    },
    "dutch": {
        "brisques": "at_hand_end",
        "dix_score": "on_play",
        "dix_exchange": "instead_of_score",
        "endgame": "follow_trump",
        "double_win_under": 0,
    },
    "no_ready_trump": {"trump": "first_marriage", "dix_score": "none", "dealer_seven": 0},
    "shifting": {"bezique_pair": "shifting"},
}

COUNTERS: tuple[str, ...] = (
    # setting out and drawing
    "deal 3-2-3",
    "deal threes",
    "deal singles",
    "turned seven scores",
    "turned seven silent",
    "no turn-up",
    "draw shared",
    "draw queues",
    "last draw with turn-up",
    "last draw without turn-up",
    "table returns",
    # plays
    "play from hand",
    "play from table",
    "play most used copy",
    "play earliest of equal use",
    "equal cards first wins",
    "trump beats plain",
    "higher of suit wins",
    "other suit loses",
    "follow without duty",
    # sevens
    "seven shown",
    "seven declared",
    "seven declared from table",
    "seven laid unscored",
    "second trump seven",
    "seven scored by play in stock",
    "seven scored by play in endgame",
    "seven played in endgame silent",
    "seven played already scored",
    "seven played as_meld silent",
    "seven played dix none",
    "unscored seven before scored",
    "exchange scores",
    "exchange silent",
    "exchange from hand",
    "exchange from table",
    "exchange at last draw",
    "exchange uses declaration",
    "exchange free",
    "exchange instead of score",
    "exchange before many_disjoint blocks",
    "exchange refused after declaration",
    "exchange refused turn-up seven",
    # the window
    "window skipped",
    "window asked",
    "window closed by pass",
    "window closed by itself",
    "window stays open",
    "several in one window",
    "disjoint copy refused",
    # melds
    "marriage plain",
    "marriage trump",
    "marriage fixes trump",
    "marriage of forbidden suit",
    "marriage fresh_partner",
    "marriage refused after sequence",
    "marriage refused married",
    "sequence",
    "sequence fixes trump",
    "sequence after marriage",
    "sequence of forbidden suit refused",
    "sequence refused without trump",
    "sequence refused used",
    "second sequence",
    "bezique single",
    "bezique second single",
    "bezique fixes trump",
    "bezique shifted",
    "bezique unshifted",
    "bezique trump queen",
    "bezique without trump",
    "bezique needs trump",
    "bezique of forbidden suit refused",
    "bezique refused used",
    "double one go",
    "double extends one",
    "double built from two",
    "double refused after one",
    "double refused after two",
    "double withdraws one",
    "double withdraws two",
    "double keeps one",
    "double refused before trump",
    "four A",
    "four T",
    "four K",
    "four Q",
    "four J",
    "four tens off",
    "quartet x2",
    "quartet not x2",
    "quartet prefers suits",
    "second quartet of rank",
    "quartet refused used",
    "quartet needs trump",
    "meld all from table",
    "card in three groups",
    "laid marriage",
    "laid sequence",
    "laid bezique 1",
    "laid bezique 2",
    "laid four",
    "laid later scored",
    "laid fixes nothing",
    "lay refused all on table",
    # explicit selection
    "select from hand",
    "select from table",
    "select forced",
    "select choice",
    "select laid",
    # endgame
    "endgame must head",
    "endgame cannot head",
    "endgame follow free",
    "endgame must trump",
    "endgame may discard",
    "endgame follow only void",
    "endgame no trump void",
    # counting
    "brisques at trick",
    "brisques at hand end",
    "brisques none",
    "last trick final",
    "last trick of stock",
    "no trump all deal",
    "ended by credit",
    "ended by turned seven",
    "ended in final count",
    # matches and results
    "deal drawn",
    "deal double win",
    "match by target",
    "match both over higher",
    "match both over count_order",
    "match count_order beats higher",
    "match equal another deal",
    "match goes on",
    "match double win",
    "match single win",
    "match immediate",
    "double win off",
    "repeat forbidden in force",
)


class RefereeError(ValueError):
    """An action that the rules do not allow, or a position that cannot be."""


class Card:
    """One physical card."""

    __slots__ = ("kind", "known", "laid", "melds", "played", "rank", "served", "suit", "text", "uses")

    def __init__(self, text: str) -> None:
        if len(text) != 2 or text[0] not in RANKS or text[1] not in SUITS:
            raise RefereeError(f"no such card: {text!r}")
        self.text = text
        self.rank = text[0]
        self.suit = text[1]
        self.kind = 8 * SUITS.index(text[1]) + STRENGTH[text[0]]
        self.uses: set[str] = set()  # kinds of scored melds which it served in
        self.served = 0  # how many scored melds it served in
        self.melds: list[Any] = []  # these melds, where the variant keeps a log of them
        self.played = False
        self.laid = 0  # order in which it came to the table
        self.known = False  # everybody knows that it is where it is, in a hand

    def __repr__(self) -> str:
        return self.text

    @property
    def seven_scored(self) -> bool:
        return "seven" in self.uses

    def serve(self, use: str) -> None:
        """Note that the card serves in one more scored meld."""
        self.uses.add(use)
        self.served += 1


@dataclass(frozen=True)
class Meld:
    """One declaration as it happened."""

    seat: int
    name: str
    cards: tuple[Card, ...]
    points: int
    scored: bool


@dataclass
class Selection:
    """A declaration whose copies are being chosen one at a time."""

    name: str
    lay: bool
    combinations: list[tuple[Card, ...]]
    chosen: list[Card]


DECLARATIONS: tuple[str, ...] = (
    *[f"marriage {s}" for s in SUITS],
    *[f"sequence {s}" for s in SUITS],
    "bezique 1",
    "bezique 2",
    *[f"four {r}" for r in "ATKQJ"],
)


def split(name: str) -> tuple[str, str]:
    """The kind of a declaration and what follows: ``four trump K`` is (``four trump``, ``K``)."""
    kind, _, what = name.rpartition(" ")
    return kind, what


def auto_key(card: Card) -> tuple[int, int, int]:
    """The order of choice among cards on a table: most used, earliest laid, card id."""
    return (-card.served, card.laid, card.kind)


class Referee:
    """One deal. ``legal`` and ``apply`` are about the seat to act.

    Other variants derive from this class: the first attributes are the facts of the two-pack game.

    Args:
        options: Option values that differ from the preset ``standard``.
        deck: All 64 cards in dealing order.
        dealer: The seat that deals.
        draws: ``shared`` or ``queues``.
        match_scores: Totals of the match before this deal.
        last_trump: The suit that was trump in the previous deal of the match.
        counters: Where branches of the rules count themselves; a new one by default.
        first_over: The seat whose total reached the target first in earlier deals of the match.
        cut: Cards lifted by the dealer and the number guessed by the other seat, where that counts.
    """

    PACKS = 2
    PACK: ClassVar[list[str]] = WHOLE_PACK
    """The cards of one pack."""
    BRISQUES = "AT"
    HAND = 8
    DEFAULTS: ClassVar[dict[str, Any]] = STANDARD
    PRESETS: ClassVar[dict[str, dict[str, Any]]] = PRESETS
    FIXED: ClassVar[dict[str, Any]] = {}
    """Values of options that are none in this variant."""
    DECLARATIONS: tuple[str, ...] = DECLARATIONS
    LAST_TRICK = 10
    ONE_DEAL = False
    """Whether a match is one deal."""

    def __init__(
        self,
        options: dict[str, Any],
        deck: list[str],
        dealer: int,
        draws: str = "shared",
        match_scores: tuple[int, int] = (0, 0),
        last_trump: str | None = None,
        counters: Counter[str] | None = None,
        first_over: int | None = None,
        cut: tuple[int, int] = (0, 0),
    ) -> None:
        self._prepare(options, dealer, draws, match_scores, last_trump, counters, first_over)
        self.cut = cut
        if Counter(deck) != Counter(self.PACK * self.PACKS):
            raise RefereeError(f"a deck has each of {len(self.PACK)} cards {self.PACKS} times")
        self.cards = [Card(text) for text in deck]
        self._deal()

    @classmethod
    def from_position(cls, position: dict[str, Any], counters: Counter[str] | None = None) -> Referee:
        """Set up a position (DESIGN section 6); the stock must be named whole, or ``rest`` name a seat.

        Args:
            position: The position; its rules give overrides of a preset.
            counters: Where branches count themselves.
        """
        deal = cls.__new__(cls)
        rules = position.get("rules") or {}
        if isinstance(rules, str):
            rules = {"preset": rules}
        preset = rules.get("preset") or next(iter(cls.PRESETS))
        options = {**cls.PRESETS[preset], **(rules.get("overrides") or {})}
        base = position.get("match_scores", (0, 0))
        draws = position.get("draws", "shared")
        deal._prepare(options, position.get("dealer", 0), draws, (base[0], base[1]), None, counters)
        deal.cards = []

        def make(texts: str | list[str] | None) -> list[Card]:
            words = texts.split() if isinstance(texts, str) else texts or []
            cards = [Card(text) for text in words]
            deal.cards.extend(cards)
            return cards

        none: list[list[str]] = [[], []]
        for seat in (0, 1):
            deal.hands[seat] = make(position["hands"][seat])
            for text in (position.get("known") or none)[seat]:
                next(card for card in deal.hands[seat] if card.text == text and not card.known).known = True
            for card in make((position.get("table") or none)[seat]):
                deal._laid_order += 1
                card.laid = deal._laid_order
                deal.tables[seat].append(card)
            deal.won[seat] = make((position.get("won") or none)[seat])
        for scored in position.get("scored") or []:
            texts = scored["cards"].split() if isinstance(scored["cards"], str) else scored["cards"]
            deal._note_scored(scored["seat"], scored["meld"], texts)
        for seat, text in position.get("trick") or []:
            deal.trick.append((seat, make([text])[0]))
        stock = make(position.get("stock"))
        if position.get("turn_up"):
            deal.turn_up = make([position["turn_up"]])[0]
            if deal.turn_up.rank == "7" and deal.options["dealer_seven"]:
                deal.turn_up.serve("seven")
        deal.trump = position.get("trump") or (deal.turn_up.suit if deal.turn_up else None)
        left = Counter(cls.PACK * cls.PACKS)
        left.subtract(card.text for card in deal.cards)
        if min(left.values()) < 0:
            raise RefereeError("a card is named too often")
        rest = sorted(left.elements())
        if rest and position.get("rest") not in (0, 1):
            raise RefereeError(f"name where these lie: {rest}")
        if rest:
            deal.won[position["rest"]].extend(make(rest))
        for seat in (0, 1):
            for card in deal.won[seat]:
                deal.won_kinds[seat][card.kind] += 1
            deal.brisques[seat] = sum(card.rank in cls.BRISQUES for card in deal._captured(seat))
        deal.brisques = list(position.get("brisques") or deal.brisques)
        deal.cut = (position.get("cut") or (0, 0))[0], (position.get("cut") or (0, 0))[1]
        if draws == "shared":
            deal.stock = stock
        else:
            deal.queues = [stock[0::2], stock[1::2]] if deal.dealer == 1 else [stock[1::2], stock[0::2]]
        deal.scores = list(position.get("scores", (0, 0)))
        deal.start = (deal.scores[0], deal.scores[1])
        over = [seat for seat in (0, 1) if deal.totals()[seat] >= deal.options["target"]]
        deal.first_over = over[0] if len(over) == 1 else None
        deal.seat_to_act = position["to_act"]
        deal.leader = 1 - position["to_act"] if deal.trick else position["to_act"]
        phase = position.get("phase", "lead")
        deal.phase = phase
        deal.in_endgame = phase == "endgame"
        if phase == "endgame":
            deal.phase = "endgame_follow" if deal.trick else "endgame_lead"
        elif phase == "declare":
            deal._note_latest(position.get("latest") or [])
            if position.get("declared"):
                deal._note_declared(())
            if position.get("exchanged") and deal.options["dix_exchange"] == "uses_declaration":
                deal.slot_used = deal.blocked = True
            deal._look_at_window(fresh=True)
        return deal

    def _note_latest(self, texts: list[str]) -> None:
        """The trick whose window is open, which two packs need not know."""

    def _note_scored(self, seat: int, name: str, texts: list[str]) -> None:
        """A meld that had scored before a set-up position."""
        use = name if name in ("bezique 2", "seven") else name.split()[0]
        cards = []
        for text in texts:
            word, _, number = text.partition("#")
            fitting = [c for c in self.tables[seat] if c.text == word and (number or use not in c.uses)]
            place = int(number or 1) - 1
            if place >= len(fitting):
                raise RefereeError(f"{text} of {name} does not lie on that table")
            fitting[place].serve(use)
            cards.append(fitting[place])
        self.melds.append(Meld(seat, name, tuple(cards), 0, True))

    def _prepare(
        self,
        options: dict[str, Any],
        dealer: int,
        draws: str,
        match_scores: tuple[int, int],
        last_trump: str | None,
        counters: Counter[str] | None,
        first_over: int | None = None,
    ) -> None:
        unknown = set(options) - set(self.DEFAULTS)
        if unknown:
            raise RefereeError(f"unknown options: {sorted(unknown)}")
        self.options = {**self.DEFAULTS, **options, **self.FIXED}
        self.counters: Counter[str] = Counter() if counters is None else counters
        self.dealer = dealer
        self.draws = draws
        self.base = match_scores
        self.last_trump = last_trump
        self.hands: list[list[Card]] = [[], []]
        self.tables: list[list[Card]] = [[], []]
        self.won: list[list[Card]] = [[], []]
        self.won_kinds = [[0] * 32, [0] * 32]
        self.trick: list[tuple[int, Card]] = []
        self.stock: list[Card] = []  # the shared face-down stock
        self.queues: list[list[Card]] = [[], []]  # or one for each seat
        self.turn_up: Card | None = None
        self.trump: str | None = None
        self.scores = [0, 0]
        self.start = (0, 0)  # of a set-up position
        self.brisques = [0, 0]
        self.cut = (0, 0)
        self.carte = [False, False]
        self.in_endgame = False
        self.events: list[tuple[int, int, str, int]] = []
        self.melds: list[Meld] = []
        self.singles = 0
        self.index = -1
        self.is_over = False
        self.first_over = first_over
        self.ended_early = False
        self.phase = "lead"
        self.seat_to_act = 1 - dealer
        self.leader = 1 - dealer
        self.selection: Selection | None = None
        self._laid_order = 0
        self._reset_window()
        self._legal: set[str] | None = None
        self._found: dict[str, tuple[tuple[Card, ...], bool]] = {}

    def _reset_window(self) -> None:
        self.slot_used = False  # the one scoring declaration (or the exchange in its place) is gone
        self.declared = 0  # scoring declarations of this window
        self.blocked = False  # many_disjoint: an exchange took the place of the declarations
        self.window_used: set[int] = set()  # many_disjoint: copies that served in this window

    # ------------------------------------------------------------------ setting out

    def _deal(self) -> None:
        cards = iter(self.cards)
        self.counters["deal " + self.options["deal_packets"]] += 1
        seat = 1 - self.dealer
        for size in packets(self.options["deal_packets"], self.HAND):
            self.hands[seat].extend(itertools.islice(cards, size))
            seat = 1 - seat
        if self.options["trump"] == "turn_up":
            self.turn_up = next(cards)
            self.trump = self.turn_up.suit
        else:
            self.counters["no turn-up"] += 1
        rest = list(cards)
        if self.draws == "shared":
            self.stock = rest
        else:
            self.queues[1 - self.dealer] = rest[0::2]
            self.queues[self.dealer] = rest[1::2]
        if self.options["trump_repeat"] == "forbidden" and self.last_trump:
            self.counters["repeat forbidden in force"] += 1
        if self.turn_up and self.turn_up.rank == "7":
            if self.options["dealer_seven"] == 10:
                self.counters["turned seven scores"] += 1
                self.turn_up.serve("seven")  # D2
                self._credit(self.dealer, "turned seven", 10)
                if self.is_over:
                    self.counters["ended by turned seven"] += 1
            else:
                self.counters["turned seven silent"] += 1

    # ------------------------------------------------------------------ points

    def totals(self) -> tuple[int, int]:
        """Totals of the match including this deal."""
        return (self.base[0] + self.scores[0], self.base[1] + self.scores[1])

    def _credit(self, seat: int, what: str, points: int) -> None:
        if points == 0 or self.is_over:
            return
        self.events.append((self.index, seat, what, points))
        self.scores[seat] += points
        if self.base[seat] + self.scores[seat] >= self.options["target"]:
            if self.first_over is None:
                self.first_over = seat
            if self.options["game_end"] == "immediate":
                self.counters["ended by credit"] += 1
                self.ended_early = True
                self._finish()

    def _finish(self) -> None:
        self.is_over = True
        self.phase = "over"
        self.seat_to_act = -1

    def pays(self, winner: int | None, double: bool) -> tuple[int, int]:
        """What the end of a game or of a match pays."""
        if winner is None:
            return (0, 0)
        pay = 2 if double else 1
        return (pay, -pay) if winner == 0 else (-pay, pay)

    def result(self) -> tuple[int | None, bool]:
        """The winner of this deal taken alone (None: drawn) and whether the win counts double."""
        a, b = self.scores
        if a == b:
            self.counters["deal drawn"] += 1
            return (None, False)
        winner = 0 if a > b else 1
        double = is_double(self.options, self.scores[winner], self.scores[1 - winner])
        if double:
            self.counters["deal double win"] += 1
        return (winner, double)

    # ------------------------------------------------------------------ what is legal

    def stock_left(self) -> int:
        """Cards still to be drawn, the turn-up included."""
        return self.face_down_left() + (self.turn_up is not None)

    def face_down_left(self) -> int:
        """Face-down cards still to be drawn."""
        return len(self.stock) + len(self.queues[0]) + len(self.queues[1])

    def legal(self) -> set[str]:
        """Action texts that the seat to act may choose."""
        if self._legal is None:
            self._legal = self._legal_now()
        return self._legal

    def _legal_now(self) -> set[str]:
        if self.is_over:
            return set()
        seat = self.seat_to_act
        if self.phase == "declare":
            return self._window_actions() | {"pass"}
        if self.phase == "select":
            return self._select_actions()
        if self.phase == "carte_blanche":
            return {"carte blanche", "pass"}
        if self.phase == "endgame_follow":
            return {"play " + card.text for card in self._endgame_choices(seat)}
        actions = {"play " + card.text for card in self.hands[seat]}
        for card in self.tables[seat]:
            actions.add(f"play {card.text} table")
        return actions

    def _endgame_choices(self, seat: int) -> list[Card]:
        hand = self.hands[seat]
        lead = self.trick[0][1]
        duty = self.options["endgame"]
        same = [card for card in hand if card.suit == lead.suit]
        if same:
            if duty != "follow_trump_head":
                self.counters["endgame follow free"] += 1
                return same
            higher = [card for card in same if STRENGTH[card.rank] > STRENGTH[lead.rank]]
            self.counters["endgame must head" if higher else "endgame cannot head"] += 1
            return higher or same
        if duty == "follow_only":
            self.counters["endgame follow only void"] += 1
            return hand
        if self.trump is None:
            self.counters["endgame no trump void"] += 1
            return hand
        trumps = [card for card in hand if card.suit == self.trump]
        self.counters["endgame must trump" if trumps else "endgame may discard"] += 1
        return trumps or hand

    # ---- the declaring window

    def _arrange(self, seat: int) -> dict[str, list[Card]]:
        """Copies by card text and by rank in the order of choice: table first, most used, earliest, id."""
        groups: dict[str, list[Card]] = {}
        table = sorted(self.tables[seat], key=auto_key)
        hand = sorted(self.hands[seat], key=lambda card: (card.kind, not card.known))
        for card in itertools.chain(table, hand):
            if id(card) in self.window_used:
                continue
            groups.setdefault(card.text, []).append(card)
            groups.setdefault(card.rank, []).append(card)
        return groups

    def _may_score(self) -> bool:
        if self.options["declare"] == "many_disjoint":
            return not self.blocked
        return not self.slot_used

    def _may_lay(self) -> bool:
        return self.slot_used and self.options["declare"] == "lay_many_score_one"

    def _window_actions(self) -> set[str]:
        seat = self.seat_to_act
        actions: set[str] = set()
        self._found = {}
        score, lay = self._may_score(), self._may_lay()
        if score or lay:
            groups = self._arrange(seat)
            for name in self.DECLARATIONS:
                combination = self._choose(name, seat, groups, lay=not score)
                if combination is not None:
                    actions.add(name)
                    self._found[name] = (combination, not score)
            if self.window_used:
                self._count_disjoint(seat, actions)
        if self._seven_to_declare(seat) is not None:
            actions.add("seven")
        if self._seven_to_exchange(seat) is not None:
            actions.add("exchange")
        return actions

    def _count_disjoint(self, seat: int, actions: set[str]) -> None:
        """Count melds that fail only because a copy has served in this window already."""
        used, self.window_used = self.window_used, set()
        groups = self._arrange(seat)
        self.window_used = used
        for name in self.DECLARATIONS:
            if name not in actions and next(self._combinations(name, groups), None) is not None:
                self.counters["disjoint copy refused"] += 1

    def _choose(
        self, name: str, seat: int, groups: dict[str, list[Card]], lay: bool
    ) -> tuple[Card, ...] | None:
        first: tuple[Card, ...] | None = None
        for cards in self._combinations(name, groups):
            if lay:
                if any(card.laid == 0 for card in cards):
                    return cards
                self.counters["lay refused all on table"] += 1
                continue
            if name[0] != "f" or self.options["quartet_suits_bonus"] == "off":
                return cards
            if len({card.suit for card in cards}) == 4:
                if first is not None:
                    self.counters["quartet prefers suits"] += 1
                return cards
            first = first or cards
        return first

    def _combinations(self, name: str, groups: dict[str, list[Card]]) -> Iterator[tuple[Card, ...]]:
        """All combinations of copies with which the declaration could score now, in the fixed order."""
        kind, what = split(name)
        if kind == "marriage":
            yield from self._marriages(what, groups)
        elif kind == "sequence":
            yield from self._sequences(what, groups)
        elif kind == "bezique":
            yield from self._beziques(int(what), groups)
        else:
            yield from self._quartets(kind, what, groups)

    def _marriages(self, suit: str, groups: dict[str, list[Card]]) -> Iterator[tuple[Card, ...]]:
        queens = groups.get("Q" + suit)
        if not queens:
            return
        for king in groups.get("K" + suit, ()):
            for queen in queens:
                if "marriage" in king.uses or "marriage" in queen.uses:
                    self.counters["marriage refused married"] += 1
                    continue
                in_sequence = ("sequence" in king.uses) + ("sequence" in queen.uses)
                if in_sequence:
                    # Three groups put sequence and marriage together, which bars the same as both_fresh.
                    fresh_partner = (
                        self.options["seq_then_marriage"] == "fresh_partner"
                        and self.options["meld_groups"] == "four"
                    )
                    if not fresh_partner or in_sequence == 2:  # D1
                        self.counters["marriage refused after sequence"] += 1
                        continue
                yield (king, queen)

    def _fixes_trump(self, kind: str) -> bool:
        """Whether a declaration of this kind fixes trump where none is fixed."""
        if self.trump is not None:
            return False
        return (
            kind
            in {
                "turn_up": (),
                "first_marriage": ("marriage",),
                "first_marriage_or_sequence": ("marriage", "sequence"),
                "first_marriage_sequence_or_bezique": ("marriage", "sequence", "bezique"),
            }[self.options["trump"]]
        )

    def _forbidden(self, suit: str) -> bool:
        return self.options["trump_repeat"] == "forbidden" and suit == self.last_trump

    def _sequences(self, suit: str, groups: dict[str, list[Card]]) -> Iterator[tuple[Card, ...]]:
        if self.trump is not None and suit != self.trump:
            return
        kinds = [groups.get(rank + suit) for rank in "ATKQJ"]
        if not all(kinds):
            return
        if self.trump is None:
            if not self._fixes_trump("sequence"):
                self.counters["sequence refused without trump"] += 1
                return  # D10
            if self._forbidden(suit):
                self.counters["sequence of forbidden suit refused"] += 1
                return  # D9
        fresh = [[card for card in copies if "sequence" not in card.uses] for copies in kinds if copies]
        if not all(fresh):
            self.counters["sequence refused used"] += 1
        yield from itertools.product(*fresh)

    def bezique_pairs(self) -> dict[str, str]:
        """Queen text -> jack text of the pairs that are beziques now."""
        pair = self.options["bezique_pair"]
        if pair == "qs_jd":
            return {"QS": "JD"}
        if pair == "shifting":
            return {"QC": "JH"} if self.trump in ("S", "D") else {"QS": "JD"}  # D8: no trump, no shift
        if self.trump is not None:
            return {"Q" + self.trump: "J" + TRUMP_QUEEN_JACK[self.trump]}
        if self._fixes_trump("bezique"):
            return {"Q" + queen: "J" + jack for queen, jack in TRUMP_QUEEN_JACK.items()}
        return {}

    def _beziques(self, number: int, groups: dict[str, list[Card]]) -> Iterator[tuple[Card, ...]]:
        pairs = self.bezique_pairs()
        queens = [
            queen for queen in groups.get("Q", ()) if queen.text in pairs and pairs[queen.text] in groups
        ]
        if len(queens) < number:
            return
        if self.trump is None:
            if self._fixes_trump("bezique"):
                if number == 2:
                    by_kind = Counter(queen.text for queen in queens)
                    if any(by_kind[q] == 2 and len(groups[pairs[q]]) == 2 for q in by_kind):
                        self.counters["double refused before trump"] += 1
                    return  # D8
                if any(self._forbidden(queen.suit) for queen in queens):
                    self.counters["bezique of forbidden suit refused"] += 1
                    queens = [queen for queen in queens if not self._forbidden(queen.suit)]  # D9
            elif self.options["premature_melds"] == "need_trump":
                self.counters["bezique needs trump"] += 1
                return  # D11
        if number == 1:
            for queen in queens:
                for jack in groups[pairs[queen.text]]:
                    if _in_bezique(queen) or _in_bezique(jack):
                        self.counters["bezique refused used"] += 1
                        continue
                    yield (queen, jack)
            return
        jacks = groups[pairs[queens[0].text]]
        for two in itertools.combinations(queens, 2):
            for two_jacks in itertools.combinations(jacks, 2):
                cards = two + two_jacks
                if any("bezique 2" in card.uses for card in cards):
                    continue
                singles = sum("bezique" in queen.uses for queen in two)  # D7
                limit = {"one_go": 0, "extend_one": 1, "build_any": 2}[self.options["double_bezique"]]
                if singles > limit:
                    self.counters["double refused after " + ("one" if singles == 1 else "two")] += 1
                    continue
                yield cards

    def _quartets(self, kind: str, rank: str, groups: dict[str, list[Card]]) -> Iterator[tuple[Card, ...]]:
        copies = groups.get(rank, ())
        if len(copies) < 4:
            return
        if rank == "T" and self.options["four_tens"] == 0:
            self.counters["four tens off"] += 1
            return
        if self.trump is None and self.options["premature_melds"] == "need_trump":
            self.counters["quartet needs trump"] += 1
            return  # D11
        fresh = [card for card in copies if "four" not in card.uses]
        if len(fresh) < 4:
            self.counters["quartet refused used"] += 1
        yield from itertools.combinations(fresh, 4)

    # ---- sevens

    def _is_trump_seven(self, card: Card) -> bool:
        return card.rank == "7" and card.suit == self.trump

    def _seven_to_declare(self, seat: int) -> Card | None:
        """The copy that ``seven`` would take now."""
        rule = self.options["dix_score"]
        if rule not in ("on_show", "as_meld"):
            return None
        in_hand = [c for c in self.hands[seat] if self._is_trump_seven(c) and not c.seven_scored]
        if rule == "on_show":
            return in_hand[0] if in_hand else None
        if self._may_score():
            on_table = [c for c in self.tables[seat] if self._is_trump_seven(c) and not c.seven_scored]
            found = on_table + in_hand  # D3: the table copy first; tables stand in the order laid
            return found[0] if found else None
        if self._may_lay() and in_hand:
            return in_hand[0]
        return None

    def _seven_to_exchange(self, seat: int) -> Card | None:
        """The copy that ``exchange`` would take now."""
        if self.turn_up is None:
            return None
        in_hand = [card for card in self.hands[seat] if self._is_trump_seven(card)]
        on_table = [card for card in self.tables[seat] if self._is_trump_seven(card)]
        if not in_hand and not on_table:
            return None
        if self.turn_up.rank == "7":
            self.counters["exchange refused turn-up seven"] += 1
            return None
        if self.options["dix_exchange"] == "uses_declaration" and (
            self.slot_used or self.declared or self.blocked
        ):
            self.counters["exchange refused after declaration"] += 1
            return None  # D4
        if in_hand:  # D12
            return min(in_hand, key=lambda card: (card.seven_scored, not card.known))
        return min(on_table, key=auto_key)

    # ---- explicit selection

    def _select_candidates(self) -> list[Card]:
        selection = self.selection
        assert selection is not None
        count = len(selection.chosen)
        kind, what = split(selection.name)
        sizes = {
            "marriage": [1, 1],
            "sequence": [1] * 5,
            "four": [4],
            "four trump": [4],
            "five trump": [5],
            "bezique": [int(what) if kind == "bezique" else 0] * 2,
        }
        start = end = 0
        for size in sizes[kind]:
            start, end = end, end + size
            if end > count:
                break
        chosen = {id(card) for card in selection.chosen}
        found: dict[int, Card] = {}
        for cards in selection.combinations:
            if chosen <= {id(card) for card in cards}:
                for card in cards[start:end]:
                    if id(card) not in chosen:
                        found[id(card)] = card
        return list(found.values())

    def _select_actions(self) -> set[str]:
        return {f"use {card.text}{' table' if card.laid else ''}" for card in self._select_candidates()}

    # ------------------------------------------------------------------ what happens

    def apply(self, text: str) -> list[tuple[int, str, int]]:
        """Make one action of the seat to act.

        Args:
            text: The action text.

        Returns:
            The changes of the scores: seat, what, points.
        """
        if text not in self.legal():
            raise RefereeError(
                f"{text!r} is not legal for seat {self.seat_to_act} in {self.phase}: {sorted(self.legal())}"
            )
        before = len(self.events)
        self.index += 1
        seat = self.seat_to_act
        if text.startswith("play "):
            self._play(seat, text)
        elif text.startswith("use "):
            self._use(seat, text)
        elif self.phase == "carte_blanche":
            self._answer(seat, text == "carte blanche")
        elif text == "pass":
            self.counters["window closed by pass"] += 1
            self._close_window()
        else:
            self._declare(seat, text)
        self._legal = None
        return [(s, what, points) for _, s, what, points in self.events[before:]]

    def _answer(self, seat: int, shown: bool) -> None:
        """An answer to the question for carte blanche, which two packs do not know."""
        raise NotImplementedError

    # ---- playing

    def _take_from_hand(self, seat: int, text: str) -> Card:
        """The copy that leaves the hand: an unscored seven first, else one which everybody knows."""
        copies = [card for card in self.hands[seat] if card.text == text]
        if (
            len(copies) >= 2
            and copies[0].seven_scored != copies[1].seven_scored
            and self._is_trump_seven(copies[0])
        ):
            self.counters["unscored seven before scored"] += 1
        card = min(copies, key=lambda c: (c.seven_scored, not c.known))
        self.hands[seat].remove(card)
        card.known = False
        return card

    def _play(self, seat: int, text: str) -> None:
        name = text[5:7]
        if text.endswith(" table"):
            copies = sorted((card for card in self.tables[seat] if card.text == name), key=auto_key)
            if len(copies) >= 2:
                differ = copies[0].served != copies[1].served
                self.counters["play most used copy" if differ else "play earliest of equal use"] += 1
            card = copies[0]  # D23
            self.tables[seat].remove(card)
            self.counters["play from table"] += 1
        else:
            card = self._take_from_hand(seat, name)
            self.counters["play from hand"] += 1
        card.played = True
        self.trick.append((seat, card))
        if self._is_trump_seven(card):
            self._seven_played(seat, card)
        if self.is_over:
            return
        if len(self.trick) == 1:
            self.phase = "endgame_follow" if self.phase == "endgame_lead" else "follow"
            self.seat_to_act = 1 - seat
        else:
            self._end_trick()

    def _seven_played(self, seat: int, card: Card) -> None:
        rule = self.options["dix_score"]
        endgame = self.phase.startswith("endgame")
        if rule == "none":
            self.counters["seven played dix none"] += 1
        elif rule == "as_meld":
            self.counters["seven played as_meld silent"] += 1
        elif card.seven_scored:
            self.counters["seven played already scored"] += 1
        elif endgame and (rule == "on_play" or self.options["dix_endgame"] == "no"):
            self.counters["seven played in endgame silent"] += 1  # D13
        else:
            self.counters["seven scored by play in " + ("endgame" if endgame else "stock")] += 1
            card.serve("seven")
            self._count_seven()
            self._credit(seat, "trump seven", 10)

    def _count_seven(self) -> None:
        done = sum(
            what in ("seven", "exchange", "trump seven", "turned seven") for _, _, what, _ in self.events
        )
        if done:
            self.counters["second trump seven"] += 1

    def _winner(self) -> int:
        (leader, lead), (follower, reply) = self.trick
        if reply.suit == lead.suit:
            if reply.rank == lead.rank:
                self.counters["equal cards first wins"] += 1
                return leader
            self.counters["higher of suit wins"] += 1
            return follower if STRENGTH[reply.rank] > STRENGTH[lead.rank] else leader
        if reply.suit == self.trump:
            self.counters["trump beats plain"] += 1
            return follower
        self.counters["other suit loses"] += 1
        return leader

    def _end_trick(self) -> None:
        stock_phase = self.phase == "follow"
        if stock_phase and self.trick[1][1].suit != self.trick[0][1].suit:
            self.counters["follow without duty"] += any(
                card.suit == self.trick[0][1].suit for card in self.hands[self.trick[1][0]]
            )
        winner = self._winner()
        cards = [card for _, card in self.trick]
        brisques = sum(card.rank in self.BRISQUES for card in cards)
        self.trick = []
        self.leader = winner
        self.brisques[winner] += brisques
        self._reset_window()
        for card in cards:
            card.known = False
            self._gather(winner, card)
        self._count_sevens_won(winner, cards)
        if brisques:
            if self.options["brisques"] == "at_trick":
                self.counters["brisques at trick"] += 1
                self._credit(winner, "brisques", 10 * brisques)
            elif self.options["brisques"] == "none":
                self.counters["brisques none"] += 1
        if self.options["last_trick"] == "last_stock":
            if stock_phase and self.stock_left() == 2:
                self.counters["last trick of stock"] += 1
                self._credit(winner, "last trick", self.LAST_TRICK)  # D15
        elif not stock_phase and not self.hands[0]:
            self.counters["last trick final"] += 1
            self._credit(winner, "last trick", self.LAST_TRICK)
        if self.is_over:
            return
        if stock_phase or self._window_in_endgame():
            self.phase = "declare"
            self.seat_to_act = winner
            self._look_at_window(fresh=True)
        else:
            self._next_endgame_trick()

    def _next_endgame_trick(self) -> None:
        if self.hands[0]:
            self.phase = "endgame_lead"
            self.seat_to_act = self.leader
        else:
            self._final_count()

    def _gather(self, winner: int, card: Card) -> None:
        """Where a card of a trick goes."""
        self.won[winner].append(card)
        self.won_kinds[winner][card.kind] += 1

    def _captured(self, seat: int) -> list[Card]:
        """All cards of a set-up position that lie before a seat as won."""
        return self.won[seat]

    def _count_sevens_won(self, winner: int, cards: list[Card]) -> None:
        """Trump sevens that score for who wins the trick: none."""

    def _window_in_endgame(self) -> bool:
        return False

    def _final_count(self) -> None:
        if self.trump is None:
            self.counters["no trump all deal"] += 1
        if self.options["brisques"] == "at_hand_end":
            for seat in (1 - self.dealer, self.dealer):
                if self.brisques[seat]:
                    self.counters["brisques at hand end"] += 1
                    self._credit(seat, "brisques", 10 * self.brisques[seat])
                if self.is_over:
                    self.counters["ended in final count"] += 1
                    return
        if not self.is_over:
            self._finish()

    # ---- the window

    def _look_at_window(self, fresh: bool = False) -> None:
        """Close the window if nothing but ``pass`` is left (D17)."""
        self._legal = None
        actions = self._window_actions()
        if not actions:
            self.counters["window skipped" if fresh else "window closed by itself"] += 1
            self._close_window()
            return
        self.counters["window asked" if fresh else "window stays open"] += 1
        self._legal = actions | {"pass"}

    def _close_window(self) -> None:
        winner = self.leader
        self._reset_window()
        drawn = {seat: self._draw(seat) for seat in (winner, 1 - winner)}
        self.seat_to_act = winner
        self.phase = "lead"
        if not self.stock_left():
            self.in_endgame = True
            self.phase = "endgame_lead"
            self._return_tables()
        self._after_draw(drawn)

    def _after_draw(self, drawn: dict[int, Card]) -> None:
        """What happens between the draw and the lead: nothing."""

    def _return_tables(self) -> None:
        for seat in (0, 1):
            for card in self.tables[seat]:
                self.counters["table returns"] += 1
                card.laid = 0
                card.uses &= {"seven"}
                card.served = len(card.uses)
                card.known = True  # D21
                self.hands[seat].append(card)
            self.tables[seat] = []

    def _draw(self, seat: int) -> Card:
        if self.face_down_left() == 0:  # the last seat in drawing order takes the turn-up
            card = self.turn_up
            assert card is not None
            self.turn_up = None
            card.known = True
            self.counters["last draw with turn-up"] += 1
        elif self.draws == "shared":
            card = self.stock.pop(0)
            self.counters["draw shared"] += 1
        else:
            last = self.face_down_left() == 1 and self.turn_up is not None
            queue = self.queues[seat] or self.queues[1 - seat] if last else self.queues[seat]
            card = queue.pop(0)
            self.counters["draw queues"] += 1
        self.hands[seat].append(card)
        if self.stock_left() == 0 and not card.known:
            self.counters["last draw without turn-up"] += 1
        return card

    def _lay(self, seat: int, card: Card) -> bool:
        """Bring one card to the table; whether it came from the hand."""
        if card.laid:
            return False
        self.hands[seat].remove(card)
        self._laid_order += 1
        card.laid = self._laid_order
        card.known = False
        self.tables[seat].append(card)
        return True

    def _declare(self, seat: int, text: str) -> None:
        if text == "exchange":
            self._exchange(seat)
        elif text == "seven":
            self._declare_seven(seat)
        elif self.options["selection"] == "explicit":
            lay = not self._may_score()
            combinations = list(self._combinations(text, self._arrange(seat)))
            if lay:
                combinations = [cards for cards in combinations if any(card.laid == 0 for card in cards)]
            self.selection = Selection(text, lay, combinations, [])
            self.phase = "select"
            self._legal = None
            return
        else:
            cards, lay = self._found[text]
            self._meld(seat, text, cards, lay)
        if not self.is_over:
            self._look_at_window()

    def _use(self, seat: int, text: str) -> None:
        selection = self.selection
        assert selection is not None
        candidates = self._select_candidates()
        self.counters["select forced" if len(self.legal()) == 1 else "select choice"] += 1
        from_table = text.endswith(" table")
        self.counters["select from table" if from_table else "select from hand"] += 1
        fitting = [card for card in candidates if card.text == text[4:6] and bool(card.laid) == from_table]
        card = min(fitting, key=auto_key if from_table else lambda c: not c.known)  # D18
        selection.chosen.append(card)
        if len(selection.chosen) < len(selection.combinations[0]):
            return
        self.selection = None
        self.phase = "declare"
        if selection.lay:
            self.counters["select laid"] += 1
        self._meld(seat, selection.name, tuple(selection.chosen), selection.lay)
        if not self.is_over:
            self._look_at_window()

    def _exchange(self, seat: int) -> None:
        seven = self._seven_to_exchange(seat)
        old = self.turn_up
        assert seven is not None and old is not None
        if seven.laid:
            self.tables[seat].remove(seven)
            self.counters["exchange from table"] += 1
        else:
            self.hands[seat].remove(seven)
            self.counters["exchange from hand"] += 1
        if self.stock_left() == 2:
            self.counters["exchange at last draw"] += 1
        seven.laid = 0
        seven.known = False
        old.known = True
        self.hands[seat].append(old)
        self.turn_up = seven
        rule = self.options["dix_exchange"]
        self.counters[
            {"uses_declaration": "exchange uses declaration", "free": "exchange free"}.get(
                rule, "exchange instead of score"
            )
        ] += 1
        if rule == "uses_declaration":
            if self.options["declare"] == "many_disjoint":
                self.counters["exchange before many_disjoint blocks"] += 1
                self.blocked = True
            else:
                self.slot_used = True
        scores = (
            self.options["dix_score"] in ("on_show", "as_meld")
            and rule != "instead_of_score"
            and not seven.seven_scored
        )
        self.counters["exchange scores" if scores else "exchange silent"] += 1
        if scores:
            seven.serve("seven")
            self._count_seven()
            self._credit(seat, "exchange", 10)

    def _declare_seven(self, seat: int) -> None:
        seven = self._seven_to_declare(seat)
        assert seven is not None
        as_meld = self.options["dix_score"] == "as_meld"
        if as_meld and not self._may_score():
            self.counters["seven laid unscored"] += 1
            self._lay(seat, seven)
            self.melds.append(Meld(seat, "seven", (seven,), 0, False))
            return
        self.counters["seven declared" if as_meld else "seven shown"] += 1
        if not self._lay(seat, seven):
            self.counters["seven declared from table"] += 1
        seven.serve("seven")
        if as_meld:
            self._note_declared((seven,))
        self._count_seven()
        self.melds.append(Meld(seat, "seven", (seven,), 10, True))
        self._credit(seat, "seven", 10)

    def _note_declared(self, cards: Iterable[Card]) -> None:
        self.declared += 1
        if self.declared == 2:
            self.counters["several in one window"] += 1
        if self.options["declare"] == "many_disjoint":
            for card in cards:
                self.window_used.add(id(card))  # D25
        else:
            self.slot_used = True

    def _meld(self, seat: int, name: str, cards: tuple[Card, ...], lay: bool) -> None:
        kind, what = split(name)
        if lay:  # D5
            for card in cards:
                self._lay(seat, card)
            self.counters["laid " + (name if kind == "bezique" else kind)] += 1
            if self._fixes_trump(kind):
                self.counters["laid fixes nothing"] += 1
            self.melds.append(Meld(seat, name, cards, 0, False))
            return
        points, withdrawn = self._score(seat, kind, what, cards)
        if all(card.laid for card in cards):
            self.counters["meld all from table"] += 1
        if any(not meld.scored and meld.name == name and meld.seat == seat for meld in self.melds):
            self.counters["laid later scored"] += 1
        for card in cards:
            self._lay(seat, card)
        use = name if name == "bezique 2" else kind
        for card in cards:
            card.serve(use)
            if len(card.uses) == 3:
                self.counters["card in three groups"] += 1
        self._note_declared(cards)
        self.melds.append(Meld(seat, name, cards, points, True))
        if withdrawn:
            self._credit(seat, "bezique withdrawn", -40 * withdrawn)
        self._credit(seat, name, points)

    def _score(self, seat: int, kind: str, what: str, cards: tuple[Card, ...]) -> tuple[int, int]:
        """Points of a declaration and the number of singles it withdraws; fixes trump where it does."""
        mine = [meld for meld in self.melds if meld.seat == seat and meld.scored]
        if kind == "marriage":
            if any("sequence" in card.uses for card in cards):
                self.counters["marriage fresh_partner"] += 1
            if self._fixes_trump("marriage"):
                if self._forbidden(what):
                    self.counters["marriage of forbidden suit"] += 1  # D9
                else:
                    self.counters["marriage fixes trump"] += 1
                    self.trump = what
            self.counters["marriage trump" if what == self.trump else "marriage plain"] += 1
            return (40 if what == self.trump else 20), 0
        if kind == "sequence":
            if self._fixes_trump("sequence"):
                self.counters["sequence fixes trump"] += 1
                self.trump = what
            self.counters["sequence"] += 1
            if any("marriage" in card.uses for card in cards):
                self.counters["sequence after marriage"] += 1
            if any(meld.name.startswith("sequence") for meld in mine):
                self.counters["second sequence"] += 1
            return 250, 0
        if kind == "four":
            self.counters["four " + what] += 1
            if any(meld.name == "four " + what for meld in mine):
                self.counters["second quartet of rank"] += 1
            points = QUARTET_POINTS[what]
            if self.options["quartet_suits_bonus"] == "x2":
                if len({card.suit for card in cards}) == 4:
                    self.counters["quartet x2"] += 1
                    return 2 * points, 0
                self.counters["quartet not x2"] += 1
            return points, 0
        if what == "1":
            self._count_bezique(mine)
            if self._fixes_trump("bezique"):
                self.counters["bezique fixes trump"] += 1
                self.trump = cards[0].suit
            return 40, 0
        singles = sum("bezique" in card.uses for card in cards if card.rank == "Q")  # D7
        self.counters[("double one go", "double extends one", "double built from two")[singles]] += 1
        if self.options["double_credit"] == "replace_single":
            if singles:
                self.counters["double withdraws " + ("one" if singles == 1 else "two")] += 1
            return 500, singles  # D6
        if singles:
            self.counters["double keeps one"] += 1
        return 500, 0

    def _count_bezique(self, mine: list[Meld]) -> None:
        self.counters["bezique single"] += 1
        if any(meld.name == "bezique 1" for meld in mine):
            self.counters["bezique second single"] += 1
        if self.trump is None:
            self.counters["bezique without trump"] += 1
        pair = self.options["bezique_pair"]
        if pair == "shifting":
            self.counters["bezique shifted" if self.trump in ("S", "D") else "bezique unshifted"] += 1
        elif pair == "trump_queen":
            self.counters["bezique trump queen"] += 1

    # ------------------------------------------------------------------ what a seat may know

    def visible(self, seat: int) -> dict[str, Any]:
        """All that one seat may know, shaped like ``View.to_dict``; every zone without an order is sorted.

        Args:
            seat: Whose eyes.
        """
        phase = self.phase
        if phase == "select" and seat != self.seat_to_act:
            phase = "declare"  # D29

        def texts(cards: Iterable[Card]) -> list[str]:
            return [card.text for card in sorted(cards, key=lambda card: card.kind)]

        return {
            "seat": seat,
            "to_act": self.seat_to_act,
            "phase": phase,
            "dealer": self.dealer,
            "leader": self.leader,
            "trump": self.trump,
            "turn_up": self.turn_up.text if self.turn_up else None,
            "stock_left": self.stock_left(),
            "hand": texts(self.hands[seat]),
            "tables": [[(card.text, sorted(card.uses)) for card in table] for table in self.tables],
            "known": [texts(card for card in hand if card.known) for hand in self.hands],
            "concealed": [len(hand) for hand in self.hands],
            "trick": [(s, card.text) for s, card in self.trick],
            "won": [texts(pile) for pile in self.won],
            "scores": tuple(self.scores),
            "match_scores": self.totals(),
            "brisques": tuple(self.brisques),
        }

    def check(self) -> None:
        """Raise unless all cards are somewhere exactly once and the scores are the sum of the events."""
        zones = [
            *self.hands,
            *self.tables,
            *self.won,
            self.stock,
            *self.queues,
            [card for _, card in self.trick],
        ]
        seen = [id(card) for zone in zones for card in zone] + ([id(self.turn_up)] if self.turn_up else [])
        if sorted(seen) != sorted(id(card) for card in self.cards):
            raise RefereeError("cards were lost or doubled")
        if len({id(card) for card in self.cards}) != len(self.PACK) * self.PACKS:
            raise RefereeError("cards are missing")
        for seat in (0, 1):
            if self.scores[seat] - self.start[seat] != sum(p for _, s, _, p in self.events if s == seat):
                raise RefereeError("the scores are not the sum of the events")
            if any(card.laid == 0 for card in self.tables[seat]) or any(
                card.laid for card in self.hands[seat]
            ):
                raise RefereeError("a card does not know where it lies")
        if not self.is_over and not self.legal():
            raise RefereeError("a decision without a legal action")


def _in_bezique(card: Card) -> bool:
    return "bezique" in card.uses or "bezique 2" in card.uses


def is_double(options: dict[str, Any], winner: int, loser: int) -> bool:
    """Whether a win with these totals counts double."""
    return bool(winner >= options["target"] and loser < options["double_win_under"])


class Match:
    """Deals until somebody reaches the target; the deal passes to the other seat each time.

    Args:
        options: Option values that differ from the preset ``standard``.
        next_deck: Called for the deck of every deal, with its number from 0.
        dealer: Who deals first.
        draws: ``shared`` or ``queues``.
        counters: Where branches count themselves.
        match_scores: Totals before the first deal.
        single: One deal only, which the higher score wins.
        position: Where the first deal begins, instead of a deck.
        kind: The referee of the variant.
        next_cut: Called for the cut of every deal.
    """

    def __init__(
        self,
        options: dict[str, Any],
        next_deck: Callable[[int], list[str]],
        dealer: int,
        draws: str = "shared",
        counters: Counter[str] | None = None,
        match_scores: tuple[int, int] = (0, 0),
        single: bool = False,
        position: dict[str, Any] | None = None,
        kind: type[Referee] = Referee,
        next_cut: Callable[[int], tuple[int, int]] = lambda number: (0, 0),
    ) -> None:
        self.kind = kind
        self.single = single or kind.ONE_DEAL
        self.options = options
        self.next_cut = next_cut
        self.next_deck = next_deck
        self.draws = draws
        self.counters: Counter[str] = Counter() if counters is None else counters
        self.finished: list[Referee] = []
        self.is_over = False
        self.winner: int | None = None
        self.double = False
        if position is None:
            self.deal = self._new_deal(dealer, match_scores, None)
        else:
            self.deal = kind.from_position(position, self.counters)
            self.options = {name: self.deal.options[name] for name in kind.DEFAULTS}
        self._settle()

    def _new_deal(self, dealer: int, totals: tuple[int, int], last_trump: str | None) -> Referee:
        number = len(self.finished)
        deck = self.next_deck(number)
        first_over = self.finished[-1].first_over if self.finished else None
        return self.kind(
            self.options,
            deck,
            dealer,
            self.draws,
            totals,
            last_trump,
            self.counters,
            first_over,
            self.next_cut(number),
        )

    @property
    def totals(self) -> tuple[int, int]:
        """Totals including the deal under way."""
        return self.deal.totals()

    def legal(self) -> set[str]:
        """Legal action texts of the deal under way."""
        return set() if self.is_over else self.deal.legal()

    def apply(self, text: str) -> list[tuple[int, str, int]]:
        """Make one action; goes on to the next deal by itself.

        Args:
            text: The action text.

        Returns:
            The changes of the scores that it caused; those of the setting out of a next deal stand in
            ``deal.events`` with the index -1.
        """
        events = self.deal.apply(text)
        self._settle()
        return events

    def _settle(self) -> None:
        while self.deal.is_over and not self.is_over:
            if self.single:
                self.is_over = True
                self.winner, self.double = self.deal.result()
                return
            if self._decided():
                self.is_over = True
                return
            old = self.deal
            self.finished.append(old)
            self.counters["match goes on"] += 1
            self.deal = self._new_deal(1 - old.dealer, old.totals(), old.trump)

    def _decided(self) -> bool:
        totals = self.deal.totals()
        target = self.deal.options["target"]
        if self.deal.ended_early:
            self.counters["match immediate"] += 1
            assert self.deal.first_over is not None
            self._win(self.deal.first_over)
            return True
        if max(totals) < target:
            return False
        if min(totals) >= target and self.deal.options["both_over"] == "count_order":
            assert self.deal.first_over is not None
            self.counters["match both over count_order"] += 1
            if totals[self.deal.first_over] < totals[1 - self.deal.first_over]:
                self.counters["match count_order beats higher"] += 1
            self._win(self.deal.first_over)
            return True
        if totals[0] == totals[1]:
            self.counters["match equal another deal"] += 1
            return False
        self.counters["match both over higher" if min(totals) >= target else "match by target"] += 1
        self._win(0 if totals[0] > totals[1] else 1)
        return True

    def _win(self, winner: int) -> None:
        totals = self.deal.totals()
        self.winner = winner
        self.double = is_double(self.deal.options, totals[winner], totals[1 - winner])
        self.counters["match double win" if self.double else "match single win"] += 1
        if self.deal.options["double_win_under"] == 0:
            self.counters["double win off"] += 1

    def settlement(self) -> tuple[int, int]:
        """What the match pays."""
        return self.deal.pays(self.winner, self.double)

    def win(self) -> tuple[int, int]:
        """1 for a win, 2 for a double one."""
        return Referee.pays(self.deal, self.winner, self.double)
