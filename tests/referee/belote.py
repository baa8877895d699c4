"""Two-handed Belote once more, in plain Python, written from the rules and never from the compiled engine.

A zone of cards is a set written as one number (bit ``8 * suit + rank``), a deal is a plan of steps that is
worked off. Nothing here imports ``bezique_env``: the two implementations share the page of rules
(``rules/belote.md``, sections 1, 2, 3, 8 and 11) and the rulings on it, and nothing else.

Every branch of the rules counts itself in ``Referee.counters``; ``COUNTERS`` lists all names that may occur,
so that a test can demand that each of them was reached.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

SUITS = "SHDC"
RANKS = "789TJQKA"  # the natural order, of runs and of the cut
CARDS = [rank + suit for suit in SUITS for rank in RANKS]
NUMBER = {text: number for number, text in enumerate(CARDS)}
IN_SUIT = [0xFF << 8 * suit for suit in range(4)]

TRUMP_ORDER = "78QKTA9J"
PLAIN_ORDER = "789JQKTA"
TRUMP_POINTS = {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3, "8": 0, "7": 0}
PLAIN_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
LAST_TRICK = 10
PAIR = 20

RUN_VALUES = {
    "20/50": {3: 20, 4: 50, 5: 50},
    "20/40/50": {3: 20, 4: 40, 5: 50},
    "20/50/100": {3: 20, 4: 50, 5: 100},
}
"""Points of a run by its length; 5 stands for five or more."""
FOUR_VALUES: dict[str, dict[str, int]] = {
    "off": {},
    "bicycle": {"J": 200, "9": 100, "T": 100, "A": 100, "K": 100, "Q": 100},
    "french": {"J": 200, "9": 150, "A": 100, "T": 100, "K": 100, "Q": 100},
    "swiss": {"J": 200, "A": 100, "K": 100, "Q": 100},
}

TWO_HANDED: dict[str, Any] = {
    "target": 500,
    "accepted_redeal_dealer": "same",
    "max_redeals": 1000,
    "schmeiss": "on",
    "schmeiss_refused_makes": "proposer",
    "r2_elder_actions": "propose_or_pass",
    "r2_dealer_may_propose": False,
    "all_pass": "next_dealer",
    "run_values": "20/50",
    "seq_length_breaks_tie": False,
    "maximal_runs_only": True,
    "run_tie": "nobody",
    "four_of_a_kind": "off",
    "announce_needs_trick": False,
    "show_winning_sequences": True,
    "exchange_seven": "optional",
    "exchange_window": "after_3_cards_before_announce",
    "exchange_seven_from": "any9",
    "exchange_requires_turned_suit_trump": True,
    "belote_call_deadline": "second_card",
    "belote_auto": False,
    "belote_prenable": True,
    "two_hand_tie": "taker_zero",
    "two_hand_fail": "opponent_sum",
    "all_tricks_bonus": 0,
    "rounding": "none",
    "revoke_penalty": "offender_minus_50",
    "tie_at_target": "play_another",
    "win_check": "end_of_hand",
}

HOYLE = {
    "r2_elder_actions": "named",
    "r2_dealer_may_propose": True,
    "schmeiss_refused_makes": "responder",
}
PRESETS: dict[str, dict[str, Any]] = {
    "two_handed": {},
    "hoyle": HOYLE,
    "bicycle": {
        **HOYLE,
        "run_values": "20/40/50",
        "four_of_a_kind": "bicycle",
        "two_hand_fail": "taker_loses_only",
    },
    "swiss": {
        "schmeiss": "off",
        "r2_elder_actions": "named",
        "four_of_a_kind": "swiss",
        "run_values": "20/50/100",
        "exchange_seven": "off",
        "all_tricks_bonus": 100,
        "two_hand_tie": "fall",
    },
}


@dataclass(frozen=True)
class Pack:
    """What is dealt.

    Attributes:
        cards: The texts of all cards.
        hand: Cards of a seat in the end.
        packet: Cards of a packet, and cards that each seat gets after the auction.
        options: What there is nothing to choose about, or what differs from the usual.
    """

    cards: tuple[str, ...]
    hand: int
    packet: int
    options: dict[str, Any] = field(default_factory=dict, compare=False)

    @property
    def first(self) -> int:
        """The cards dealt before the turn-up."""
        return 2 * (self.hand - self.packet)

    def packets(self, first: int) -> Iterator[int]:
        """The first places of the packets of one seat, up to the turn-up and behind it; ``first`` 0: elder."""
        yield from range(first * self.packet, self.first, 2 * self.packet)
        yield self.first + 1 + first * self.packet


WHOLE = Pack(tuple(CARDS), 9, 3)
_ONE_HAND = {
    "max_redeals": 0,
    "schmeiss": "off",
    "r2_elder_actions": "named",
    "all_pass": "dealer_forced",
    "exchange_seven": "off",
    "target": 100,
}
"""No new deal and no seven: an auction after which the hand is always played."""
MINIS = {
    "jqk2": Pack(("JS", "QS", "KS", "JH", "QH", "KH"), 2, 1, _ONE_HAND),
    "jqka2": Pack(("JS", "QS", "KS", "AS", "JH", "QH", "KH", "AH"), 2, 1, _ONE_HAND),
    "jqka3": Pack(("JS", "QS", "KS", "AS", "JH", "QH", "KH", "AH"), 3, 1, _ONE_HAND),
}
"""Small packs, by preset."""

COUNTERS: tuple[str, ...] = (
    # the auction
    "elder accepts",
    "elder passes",
    "elder proposes",
    "dealer accepts",
    "dealer passes",
    "dealer proposes",
    "elder proposes in round 2",
    "elder names in round 2",
    "elder passes in round 2",
    "dealer proposes in round 2",
    "dealer names in round 2",
    "dealer forced in round 2",
    "refused in round 1, proposer plays",
    "refused in round 1, responder plays",
    "refused in round 2, proposer names",
    "schmeiss off",
    # redeals
    "agreed, same dealer",
    "agreed, next dealer",
    "all passed, next dealer",
    "redealt again",
    "given deck ends the deal",
    "given deck goes on with the match",
    "redeals used up",
    "redeals used up ends the match",
    # the exchange
    "exchange asked",
    "exchange made by elder",
    "exchange made by dealer",
    "exchange passed",
    "exchange in the second window",
    "exchange passed twice",
    "exchange completes a run",
    "exchange completes the pair",
    "exchange off",
    "exchange refused, other suit",
    "exchange refused, seven turned up",
    "exchange refused, not of the first six",
    # announcing
    "nobody holds a declaration",
    "elder announces",
    "elder keeps silent",
    "dealer announces",
    "dealer keeps silent",
    "unopposed elder",
    "unopposed dealer",
    "value higher of elder",
    "value higher of dealer",
    "four before run",
    "run after four",
    "length of elder",
    "length of dealer",
    "top of elder",
    "top of dealer",
    "trump of elder",
    "trump of dealer",
    "nobody scores",
    "equal runs, elder wins",
    "run of 3",
    "run of 4",
    "run of 5",
    "run of 6",
    "run of 7",
    "run of 8",
    "several runs of one hand",
    "lower declaration scores with the best",
    "two contests",
    "two contests split",
    "joint contest with a four",
    "four of J",
    "four of 9",
    "four of another rank",
    "four that does not count",
    "shown",
    "not shown",
    "declarations wait for a trick",
    "declarations paid by the first trick",
    "declarations never paid",
    # the pair
    "pair with the first card",
    "pair with the second card",
    "pair by itself",
    "pair never said",
    "pair too late",
    "first word",
    "second word",
    "second word omitted",
    "first word too late",
    "pair unplayable",
    "pair chooses K or Q",
    # the play
    "lead",
    "follow suit",
    "must beat trump",
    "cannot beat trump",
    "must trump",
    "may discard",
    "trump beats plain",
    "higher of suit wins",
    "lower of suit loses",
    "discard loses",
    "trick without points",
    "last trick",
    "all tricks bonus",
    "all tricks without bonus",
    # settlement
    "taker made it",
    "taker failed, opponent sum",
    "taker failed, loses only",
    "tie, taker zero",
    "tie, held over",
    "tie, fall",
    "held over twice",
    "held points to the taker",
    "held points to the opponent",
    "pair kept",
    "pair taken",
    "rounded up",
    "rounded down",
    "rounded at five up",
    "rounded at five down",
    # results
    "deal won",
    "deal drawn",
    "match won",
    "match goes on",
    "match both over",
    "match equal another deal",
)


def cards_of(mask: int) -> Iterator[int]:
    """The numbers of the cards in a zone, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def texts_of(mask: int) -> list[str]:
    """The texts of the cards in a zone, ascending by number."""
    return [CARDS[card] for card in cards_of(mask)]


def zone(cards: Iterator[str] | list[str]) -> int:
    """The zone of some cards."""
    return sum(1 << NUMBER[card] for card in cards)


def _higher(order: str) -> list[int]:
    """For each card the cards of its suit above it in an order of ranks."""
    return [sum(1 << NUMBER[rank + text[1]] for rank in order[order.index(text[0]) + 1 :]) for text in CARDS]


HIGHER_TRUMP = _higher(TRUMP_ORDER)
HIGHER_PLAIN = _higher(PLAIN_ORDER)
PLAY = [f"play {text}" for text in CARDS]


def _maximal_runs(ranks: int) -> list[tuple[int, int]]:
    """Lengths and top ranks of the runs of three or more in one suit, given as eight bits."""
    found, length = [], 0
    for rank in range(9):
        if ranks >> rank & 1:
            length += 1
            continue
        if length >= 3:
            found.append((length, rank - 1))
        length = 0
    return found


RUNS = [_maximal_runs(ranks) for ranks in range(256)]
FOURS = {rank: zone([rank + suit for suit in SUITS]) for rank in RANKS}


def playable(hand: int, lead: int | None, trump: int) -> int:
    """The cards that may be played.

    Args:
        hand: The zone of the hand.
        lead: The card led, or None.
        trump: The suit.
    """
    if lead is None:
        return hand
    suit = lead // 8
    same = hand & IN_SUIT[suit]
    if same:
        if suit == trump:
            return same & HIGHER_TRUMP[lead] or same
        return same
    return hand & IN_SUIT[trump] or hand


def reply_wins(lead: int, reply: int, trump: int) -> bool:
    """Whether the second card of a trick takes it."""
    if reply // 8 == lead // 8:
        higher = HIGHER_TRUMP if lead // 8 == trump else HIGHER_PLAIN
        return bool(higher[lead] >> reply & 1)
    return reply // 8 == trump


def card_points(card: int, trump: int) -> int:
    """What a card counts in a trick."""
    return (TRUMP_POINTS if card // 8 == trump else PLAIN_POINTS)[RANKS[card % 8]]


class RefereeError(ValueError):
    """An action that the rules do not allow."""


@dataclass(frozen=True)
class Declaration:
    """A run or a four of a kind in a hand.

    Attributes:
        points: What it scores.
        four: Whether it is a four of a kind.
        length: Number of cards.
        top: Natural rank of its highest card.
        trump: Whether it is a run of trumps.
        cards: Its cards.
    """

    points: int
    four: bool
    length: int
    top: int
    trump: bool
    cards: int


@dataclass
class Contest:
    """One comparison of declarations, and what was said in it.

    Attributes:
        what: ``sequences`` or ``fours``.
        steps: What is compared, in order: ``points``, ``four``, ``length``, ``top``, ``trump``.
        said: What elder said of his best declaration, step by step as far as it went.
        answers: What the dealer answered: ``higher``, ``lower``, ``same``; nothing at all for lower points.
        compared: Whether somebody took part and it is over.
        winner: The seat that scores, or None.
        points: What he scores.
        shown: The cards that he shows.
    """

    what: str
    steps: tuple[str, ...]
    said: list[int] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    compared: bool = False
    winner: int | None = None
    points: int = 0
    shown: int = 0

    def in_words(self) -> dict[str, Any]:
        """What everybody knows of it."""
        said = dict(zip(self.steps, self.said, strict=False))
        last = self.steps[len(self.said) - 1] if self.said else None
        return {
            "contest": self.what,
            "value": said.get("points"),
            "top": RANKS[said["top"]] if "top" in said else None,
            "trump": bool(said["trump"]) if "trump" in said else None,
            "decided_by": "value" if last == "points" else last,
            "winner": -1 if self.winner is None else self.winner,
            "decided": self.compared,
            "points": self.points,
            "shown": texts_of(self.shown),
        }


class Referee:
    """One hand dealt: from the auction to the settlement, or to its annulment.

    Args:
        options: All option values.
        deck: All cards in dealing order.
        dealer: The seat that deals.
        counters: Where branches of the rules count themselves.
        held: Points that wait for the winner of this deal.
        pack: What is dealt.
    """

    def __init__(
        self,
        options: dict[str, Any],
        deck: list[str],
        dealer: int,
        counters: Counter[str],
        held: int = 0,
        pack: Pack = WHOLE,
    ) -> None:
        self.pack = pack
        self.options = options
        self.counters = counters
        self.dealer = dealer
        self.elder = 1 - dealer
        self.deck = [NUMBER[text] for text in deck]
        if sorted(deck) != sorted(pack.cards):
            raise RefereeError(f"a deck has each of {len(pack.cards)} cards once")
        self.hands = [0, 0]
        for seat in (0, 1):
            *first, _ = pack.packets(int(seat == dealer))
            for place in first:
                self._deal(place, seat)
        self.first_six = list(self.hands)
        self.turned = self.turn_up = self.deck[pack.first]
        self._decks_seen: dict[int, bytes] = {}
        self.bottom: int | None = None  # not shown yet
        self.known = [0, 0]  # of each hand, what everybody knows to be there
        self.denied = [0, 0]  # what the plays of a seat have shown not to be in its hand
        self.played = [0, 0]
        self.won = [0, 0]
        self.tricks = [0, 0]
        self.trick: list[tuple[int, int]] = []
        self.leader = self.elder
        self.trump: int | None = None
        self.taker: int | None = None
        self.scores = [0, 0]
        self.held = held
        self.held_after = held
        self.index = -1  # of the last action
        self.actions: list[tuple[int, str]] = []
        self.events: list[tuple[int, int, str, int]] = []
        self.outcome: str | None = None  # agreed, passed or played
        # the auction
        self.round = 1
        self.proposer: int | None = None
        self.must_name = False
        self.bids: list[str] = []
        # the exchange
        self.exchanged: int | None = None
        self.late_exchange = False
        # announcing
        self.plan: list[tuple[str, int]] = []
        self.announced = [False, False]
        self.contests: list[Contest] = []
        self.owed: list[list[tuple[str, int]]] = [[], []]  # what waits for a first trick
        # the pair
        self.pair_cards = 0
        self.pair = [False, False]
        self.words = [0, 0]
        self.saying = False
        self.pair_points = [0, 0]
        self.phase = "bid"
        self.seat_to_act = self.elder
        self._legal: list[str] | None = None  # found once for every decision
        if options["schmeiss"] == "off":
            counters["schmeiss off"] += 1

    def _deal(self, place: int, seat: int) -> None:
        for card in self.deck[place : place + self.pack.packet]:
            self.hands[seat] |= 1 << card

    @property
    def is_over(self) -> bool:
        """Whether this hand has come to an end."""
        return self.outcome is not None

    # ------------------------------------------------------------------------------------------- actions

    def legal(self) -> list[str]:
        """The texts of the legal actions of the seat to act."""
        if self._legal is None:
            self._legal = self._find_legal()
        return self._legal

    def _find_legal(self) -> list[str]:
        phase = self.phase
        if phase == "lead" or phase == "follow":
            may = self._playable()
            texts = [PLAY[card] for card in cards_of(may)]
            if self._may_say(may):
                texts.append("belote")
            return texts
        if phase == "bid":
            return self._bids()
        if phase == "answer":
            return ["agree", "refuse"]
        return [] if phase == "over" else [phase, "pass"]

    def apply(self, text: str) -> list[tuple[int, int, str, int]]:
        """Make one action of the seat to act.

        Args:
            text: The action.

        Returns:
            The changes of the scores: index of the action, seat, what, points.
        """
        if text not in self.legal():
            raise RefereeError(f"{text!r} is not legal in phase {self.phase}")
        self._legal = None
        self.actions.append((self.seat_to_act, text))
        before = len(self.events)
        self.index += 1
        if self.phase in ("lead", "follow"):
            if text == "belote":
                self._say()
            else:
                self._play(NUMBER[text[5:]])
        elif self.phase == "bid":
            self._bid(text)
        elif self.phase == "answer":
            self._answer(text)
        elif self.phase == "exchange":
            self._exchange(text)
        else:
            self._announce(text)
        return self.events[before:]

    def _score(self, seat: int, what: str, points: int) -> None:
        if points:
            self.scores[seat] += points
            self.events.append((self.index, seat, what, points))

    # --------------------------------------------------------------------------------------- the auction

    def _bids(self) -> list[str]:
        options, elder = self.options, self.seat_to_act == self.elder
        suits = [suit for suit in SUITS if any(card[1] == suit for card in self.pack.cards)]
        names = [f"name {suit}" for suit in suits if suit != SUITS[self.turned // 8]]
        if self.must_name:
            return names
        proposes = options["schmeiss"] == "on"
        if self.round == 1:
            return ["accept", "pass", "propose"] if proposes else ["accept", "pass"]
        if elder:
            bids = [] if options["r2_elder_actions"] == "propose_or_pass" else names
            return [*bids, "pass", "propose"] if proposes else [*bids, "pass"]
        bids = [*names, "propose"] if proposes and options["r2_dealer_may_propose"] else names
        return bids if options["all_pass"] == "dealer_forced" else [*bids, "pass"]

    def _bid(self, text: str) -> None:
        seat = self.seat_to_act
        who = "elder" if seat == self.elder else "dealer"
        verb, _, suit = text.partition(" ")
        self.bids.append(text)
        if self.must_name:
            self._take(seat, SUITS.index(suit))
            return
        when = " in round 2" if self.round == 2 else ""
        if verb == "accept":
            self.counters[f"{who} accepts"] += 1
            self._take(seat, self.turned // 8)
        elif verb == "name":
            self.counters[f"{who} names in round 2"] += 1
            if who == "dealer" and self.options["all_pass"] == "dealer_forced":
                self.counters["dealer forced in round 2"] += 1
            self._take(seat, SUITS.index(suit))
        elif verb == "propose":
            self.counters[f"{who} proposes{when}"] += 1
            self.proposer = seat
            self.phase, self.seat_to_act = "answer", 1 - seat
        elif who == "elder":
            self.counters[f"elder passes{when}"] += 1
            self.seat_to_act = self.dealer
        elif self.round == 1:
            self.counters["dealer passes"] += 1
            self.round, self.seat_to_act = 2, self.elder
        else:
            self._end("passed")

    def _answer(self, text: str) -> None:
        assert self.proposer is not None
        self.bids.append(text)
        if text == "agree":
            self._end("agreed")
        elif self.round == 2:
            self.counters["refused in round 2, proposer names"] += 1
            self.must_name = True
            self.phase, self.seat_to_act = "bid", self.proposer
        else:
            makes = self.options["schmeiss_refused_makes"]
            self.counters[f"refused in round 1, {makes} plays"] += 1
            taker = self.proposer if makes == "proposer" else self.seat_to_act
            self._take(taker, self.turned // 8)

    def _end(self, outcome: str) -> None:
        self.outcome, self.phase, self.seat_to_act = outcome, "over", -1

    def _take(self, seat: int, trump: int) -> None:
        """The auction is over: three more cards each, the bottom card is shown."""
        self.taker, self.trump = seat, trump
        for s in (0, 1):
            *_, last = self.pack.packets(int(s == self.dealer))
            self._deal(last, s)
        self.bottom = self.deck[-1]
        self.pair_cards = 1 << 8 * trump + RANKS.index("K") | 1 << 8 * trump + RANKS.index("Q")
        window = [("exchange", self.elder), ("exchange", self.dealer)]
        self.plan = [*window, ("announce", self.elder), ("announce", self.dealer), ("compare", -1)]
        if self.options["exchange_window"] == "until_first_lead":
            self.plan += window
        self._count_exchange()
        self._go_on()

    def _go_on(self) -> None:
        """Work the plan off until a seat must be asked; then the play begins."""
        while self.plan:
            step, seat = self.plan.pop(0)
            if step == "compare":
                self._compare()
            elif self._may_exchange(seat) if step == "exchange" else self.declarations(seat):
                self.phase, self.seat_to_act = step, seat
                self.counters["exchange asked"] += step == "exchange"
                return
        self._begin_play()

    # -------------------------------------------------------------------------------------- the exchange

    def _may_exchange(self, seat: int) -> bool:
        assert self.trump is not None
        if (
            self.options["exchange_seven"] == "off"
            or self.turn_up // 8 != self.trump
            or self.turn_up % 8 == 0
        ):
            return False
        first_six = self.options["exchange_seven_from"] == "first6"
        cards = self.first_six[seat] if first_six else self.hands[seat]
        return bool(cards >> 8 * self.trump & 1)

    def _count_exchange(self) -> None:
        assert self.trump is not None
        seven = 1 << 8 * self.trump
        if self.options["exchange_seven"] == "off":
            self.counters["exchange off"] += 1
        elif self.turned == 8 * self.trump:
            self.counters["exchange refused, seven turned up"] += 1
        elif (self.hands[0] | self.hands[1]) & seven:
            if self.turned // 8 != self.trump:
                self.counters["exchange refused, other suit"] += 1
            elif not (self._may_exchange(0) or self._may_exchange(1)):
                self.counters["exchange refused, not of the first six"] += 1

    def _exchange(self, text: str) -> None:
        assert self.trump is not None
        seat = self.seat_to_act
        second = not any(step == "compare" for step, _ in self.plan)
        if text == "pass":
            self.counters["exchange passed twice" if second else "exchange passed"] += 1
            self._go_on()
            return
        runs = len(self.declarations(seat))
        taken, seven = 1 << self.turn_up, 1 << 8 * self.trump
        self.hands[seat] ^= taken | seven
        self.known[seat] = self.known[seat] & ~seven | taken
        self.turn_up = 8 * self.trump
        self.exchanged, self.late_exchange = seat, second
        self.counters["exchange made by elder" if seat == self.elder else "exchange made by dealer"] += 1
        self.counters["exchange in the second window"] += second
        self.counters["exchange completes a run"] += not second and len(self.declarations(seat)) > runs
        pair = self.pair_cards
        self.counters["exchange completes the pair"] += taken & pair > 0 and self.hands[seat] & pair == pair
        self._go_on()

    # ---------------------------------------------------------------------------------------- announcing

    def declarations(self, seat: int) -> list[Declaration]:
        """All runs and fours of a hand that score."""
        hand, found = self.hands[seat], []
        values = RUN_VALUES[self.options["run_values"]]
        for suit in range(4):
            for length, top in RUNS[hand >> 8 * suit & 0xFF]:
                cards = ((1 << length) - 1) << 8 * suit + top - length + 1
                points = values[min(length, 5)]
                found.append(Declaration(points, False, length, top, suit == self.trump, cards))
        for rank, points in FOUR_VALUES[self.options["four_of_a_kind"]].items():
            if hand & FOURS[rank] == FOURS[rank]:
                found.append(Declaration(points, True, 4, RANKS.index(rank), False, FOURS[rank]))
        return found

    def _announce(self, text: str) -> None:
        seat = self.seat_to_act
        who = "elder" if seat == self.elder else "dealer"
        self.announced[seat] = text == "announce"
        self.counters[f"{who} announces" if text == "announce" else f"{who} keeps silent"] += 1
        if seat == self.elder and self.announced[seat]:
            self._set_out_contests()
        self._go_on()

    def _set_out_contests(self) -> None:
        """The contests of this deal; elder says what his best declarations are worth."""
        length = ("length",) if self.options["seq_length_breaks_tie"] else ()
        kinds = self.options["four_of_a_kind"]
        if kinds in ("french", "swiss"):
            self.contests = [Contest("sequences", ("points", "four", *length, "top", "trump"))]
        else:
            self.contests = [Contest("sequences", ("points", *length, "top", "trump"))]
            if kinds == "bicycle":
                self.contests.append(Contest("fours", ("points", "top")))
        if not self.announced[self.elder]:
            return
        for contest in self.contests:
            best = self._best(self.elder, contest)
            if best is not None:
                contest.said.append(best.points)

    def _taking_part(self, seat: int, contest: Contest) -> list[Declaration]:
        mine = self.declarations(seat) if self.announced[seat] else []
        if self.options["four_of_a_kind"] == "bicycle":
            return [one for one in mine if one.four == (contest.what == "fours")]
        return mine

    def _best(self, seat: int, contest: Contest) -> Declaration | None:
        return max(
            self._taking_part(seat, contest),
            key=lambda one: [int(getattr(one, step)) for step in contest.steps],
            default=None,
        )

    def _compare(self) -> None:
        """Decide every contest, score and show the winner's declarations."""
        if not self.contests:
            self._set_out_contests()
        self._count_declarations()
        for contest in self.contests:
            contest.winner = self._decide(contest)
        for contest in self.contests:
            seat = contest.winner
            if seat is None:
                continue
            mine = self._taking_part(seat, contest)
            contest.points = points = sum(one.points for one in mine)
            if self.options["show_winning_sequences"]:
                self.counters["shown"] += 1
                for one in mine:
                    contest.shown |= one.cards
                self.known[seat] |= contest.shown
            else:
                self.counters["not shown"] += 1
            self.counters["lower declaration scores with the best"] += len({one.points for one in mine}) > 1
            if self.options["announce_needs_trick"]:
                self.counters["declarations wait for a trick"] += 1
                self.owed[seat].append((contest.what, points))
            else:
                self._score(seat, contest.what, points)
        if len(self.contests) == 2 and {contest.winner for contest in self.contests} == {0, 1}:
            self.counters["two contests split"] += 1

    def _decide(self, contest: Contest) -> int | None:
        elder, dealer = (self._best(seat, contest) for seat in (self.elder, self.dealer))
        if elder is None or dealer is None:
            if elder is None and dealer is None:
                return None
            contest.compared = True
            self.counters["unopposed elder" if elder else "unopposed dealer"] += 1
            return self.elder if elder else self.dealer
        contest.compared = True
        for step in contest.steps:
            mine, theirs = int(getattr(elder, step)), int(getattr(dealer, step))
            if step != "points":
                contest.said.append(mine)
            if mine == theirs:
                contest.answers.append("same")
                continue
            winner = self.elder if mine > theirs else self.dealer
            if step != "points" or theirs > mine:
                contest.answers.append("higher" if theirs > mine else "lower")
            who = "elder" if winner == self.elder else "dealer"
            if step == "four":
                self.counters["four before run" if winner == self.elder else "run after four"] += 1
            else:
                self.counters[f"value higher of {who}" if step == "points" else f"{step} of {who}"] += 1
            return winner
        if self.options["run_tie"] == "elder_wins":
            self.counters["equal runs, elder wins"] += 1
            return self.elder
        self.counters["nobody scores"] += 1
        return None

    def _count_declarations(self) -> None:
        both = [self.declarations(seat) for seat in (0, 1)]
        self.counters["nobody holds a declaration"] += not (both[0] or both[1])
        for mine in both:
            for one in mine:
                if not one.four:
                    self.counters[f"run of {one.length}"] += 1
                else:
                    rank = RANKS[one.top]
                    self.counters["four of " + (rank if rank in "J9" else "another rank")] += 1
            self.counters["several runs of one hand"] += sum(not one.four for one in mine) > 1
        scoring = FOUR_VALUES[self.options["four_of_a_kind"]]
        for rank, cards in FOURS.items():
            if rank not in scoring and any(hand & cards == cards for hand in self.hands):
                self.counters["four that does not count"] += 1
        fours = any(one.four for mine in both for one in mine)
        self.counters["joint contest with a four"] += fours and len(self.contests) == 1
        self.counters["two contests"] += len(self.contests) == 2 and all(
            any(one.four == four for mine in both for one in mine) for four in (False, True)
        )

    # ---------------------------------------------------------------------------------------------- play

    def _begin_play(self) -> None:
        for seat in (0, 1):
            self.pair[seat] = self.hands[seat] & self.pair_cards == self.pair_cards
        self.phase, self.seat_to_act = "lead", self.elder

    def _playable(self) -> int:
        assert self.trump is not None
        lead = self.trick[0][1] if self.trick else None
        may = playable(self.hands[self.seat_to_act], lead, self.trump)
        return may & self.pair_cards if self.saying else may

    def _may_say(self, may: int) -> bool:
        """Whether the pair may be said with one of the cards that may be played."""
        seat = self.seat_to_act
        if self.saying or not self.pair[seat] or self.options["belote_auto"]:
            return False
        held = self.hands[seat] & self.pair_cards
        if not held & may:
            return False
        both = held == self.pair_cards
        deadline, words = self.options["belote_call_deadline"], self.words[seat]
        if deadline == "both_words":
            return words == (0 if both else 1)
        return words == 0 and (both or deadline == "second_card")

    def _say(self) -> None:
        seat = self.seat_to_act
        held = self.hands[seat] & self.pair_cards
        both = held == self.pair_cards
        self.words[seat] += 1
        self.saying = True
        self.known[seat] |= held
        if self.trick:
            self._deny_by_word(seat, self.trick[0][1])
        if both:
            self.counters["pair chooses K or Q"] += self._playable() == held
        if self.options["belote_call_deadline"] == "both_words":
            self.counters["first word" if both else "second word"] += 1
            if both:
                return
        else:
            self.counters["pair with the first card" if both else "pair with the second card"] += 1
        self._score_pair(seat)

    def _deny_by_word(self, seat: int, lead: int) -> None:
        """Who says the pair may play its king or queen: it has none of the suit led, or cannot beat the trump led."""
        suit = lead // 8
        if suit != self.trump:
            self.denied[seat] |= IN_SUIT[suit]
        elif not self.pair_cards & HIGHER_TRUMP[lead]:
            self.denied[seat] |= HIGHER_TRUMP[lead]

    def _score_pair(self, seat: int) -> None:
        self.pair_points[seat] = PAIR
        self._score(seat, "pair", PAIR)

    def _play(self, card: int) -> None:
        assert self.trump is not None
        seat = self.seat_to_act
        hand = self.hands[seat]
        self._count_play(seat, card, hand)
        if self.options["belote_auto"] and self.pair[seat] and hand & self.pair_cards == self.pair_cards:
            self._pair_by_itself(seat, card)
        if self.options["belote_auto"] and 1 << card & self.pair_cards and not self.words[seat]:
            self.denied[seat] |= self.pair_cards & ~(1 << card)
        self.saying = False
        self.hands[seat] &= ~(1 << card)
        self.known[seat] &= ~(1 << card)
        self.played[seat] |= 1 << card
        self.trick.append((seat, card))
        if len(self.trick) == 1:
            self.phase, self.seat_to_act = "follow", 1 - seat
        else:
            self._deny(seat, self.trick[0][1], card)
            self._end_trick()

    def _deny(self, seat: int, lead: int, reply: int) -> None:
        """A reply that the duties of play force tells what the hand does not hold."""
        assert self.trump is not None
        suit = lead // 8
        if reply // 8 != suit:
            self.denied[seat] |= IN_SUIT[suit]
            if reply // 8 != self.trump:
                self.denied[seat] |= IN_SUIT[self.trump]
        elif suit == self.trump and HIGHER_TRUMP[reply] >> lead & 1:
            self.denied[seat] |= HIGHER_TRUMP[lead]

    def _pair_by_itself(self, seat: int, card: int) -> None:
        if 1 << card & self.pair_cards:
            self.counters["pair by itself"] += 1
            self.words[seat] = 1
            self.known[seat] |= self.pair_cards
            self._score_pair(seat)

    def _count_play(self, seat: int, card: int, hand: int) -> None:
        counters = self.counters
        if not self.trick:
            counters["lead"] += 1
        else:
            lead = self.trick[0][1]
            if hand & IN_SUIT[lead // 8]:
                if lead // 8 != self.trump:
                    counters["follow suit"] += 1
                else:
                    beats = hand & HIGHER_TRUMP[lead]
                    counters["must beat trump" if beats else "cannot beat trump"] += 1
            else:
                counters["must trump" if card // 8 == self.trump else "may discard"] += 1
        if self.pair[seat] and not self.options["belote_auto"]:
            self._count_silence(seat, card, hand)

    def _count_silence(self, seat: int, card: int, hand: int) -> None:
        """What a seat with the pair leaves unsaid."""
        counters, held = self.counters, hand & self.pair_cards
        if not held or self.saying:
            return
        deadline, words = self.options["belote_call_deadline"], self.words[seat]
        if not 1 << card & held:
            counters["pair unplayable"] += words == 0 and not held & self._playable()
        elif held == self.pair_cards:
            return
        elif deadline == "both_words":
            counters["second word omitted" if words else "first word too late"] += 1
        elif words == 0:
            counters["pair never said" if deadline == "second_card" else "pair too late"] += 1

    def _end_trick(self) -> None:
        assert self.trump is not None
        (first, lead), (second, reply) = self.trick
        wins = reply_wins(lead, reply, self.trump)
        if reply // 8 == lead // 8:
            self.counters["higher of suit wins" if wins else "lower of suit loses"] += 1
        else:
            self.counters["trump beats plain" if wins else "discard loses"] += 1
        winner = second if wins else first
        points = card_points(lead, self.trump) + card_points(reply, self.trump)
        self.counters["trick without points"] += points == 0
        self._score(winner, "trick", points)
        self.won[winner] |= 1 << lead | 1 << reply
        self.tricks[winner] += 1
        self.trick = []
        self.leader = self.seat_to_act = winner
        self.phase = "lead"
        for what, waiting in self.owed[winner]:
            self.counters["declarations paid by the first trick"] += 1
            self._score(winner, what, waiting)
        self.owed[winner] = []
        if not self.hands[0] | self.hands[1]:
            self._last_trick(winner)

    def _last_trick(self, winner: int) -> None:
        self.counters["last trick"] += 1
        self._score(winner, "last trick", LAST_TRICK)
        if self.tricks[winner] == self.pack.hand:
            bonus = self.options["all_tricks_bonus"]
            self.counters["all tricks bonus" if bonus else "all tricks without bonus"] += 1
            self._score(winner, "all tricks", bonus)
        self.counters["declarations never paid"] += bool(self.owed[1 - winner])
        self._settle()
        self._end("played")

    # ---------------------------------------------------------------------------------------- settlement

    def _settle(self) -> None:
        """Move the points as section 2.8 and the options say."""
        assert self.taker is not None
        taker, other = self.taker, 1 - self.taker
        winner = taker if self.scores[taker] > self.scores[other] else other
        gets, self.held_after = settled(
            self.options,
            (self.scores[taker], self.scores[other]),
            self.pair_points[taker],
            self.held,
            self.counters,
        )
        paid = 0 if self.held_after else self.held
        for seat, points in zip((taker, other), gets, strict=True):
            own = points - paid if seat == winner else points
            self._score(seat, "settlement", own - self.scores[seat])
        self._score(winner, "held", paid)

    # --------------------------------------------------------------------------- what a seat may know

    def unseen(self, seat: int) -> int:
        """The cards of which a seat does not know where they are."""
        seen = self.hands[seat] | self.known[1 - seat] | self.won[0] | self.won[1] | 1 << self.turn_up
        for _, card in self.trick:
            seen |= 1 << card
        if self.bottom is not None:
            seen |= 1 << self.bottom
        return zone(list(self.pack.cards)) & ~seen

    def deck_seen(self, seat: int) -> bytes:
        """The deck as a seat knows it: 255 at the places whose card it was not dealt or shown."""
        key = 2 * seat + (self.taker is not None)
        if key not in self._decks_seen:
            packets = list(self.pack.packets(int(seat == self.dealer)))
            bought = self.taker is not None
            starts = packets if bought else packets[:-1]
            places = {k for start in starts for k in range(start, start + self.pack.packet)}
            places |= {self.pack.first, len(self.deck) - 1} if bought else {self.pack.first}
            self._decks_seen[key] = bytes(
                card if place in places else 255 for place, card in enumerate(self.deck)
            )
        return self._decks_seen[key]

    def visible(self, seat: int) -> dict[str, Any]:
        """All that one seat may know, in words.

        Args:
            seat: Whose eyes.
        """
        return {
            "seat": seat,
            "to_act": self.seat_to_act,
            "phase": self.phase,
            "dealer": self.dealer,
            "leader": self.leader,
            "taker": -1 if self.taker is None else self.taker,
            "trump": None if self.trump is None else SUITS[self.trump],
            "turn_up": CARDS[self.turn_up],
            "bottom": None if self.bottom is None else CARDS[self.bottom],
            "bids": list(self.bids),
            "auction_round": self.round,
            "naming": self.must_name and self.taker is None,
            "hand": texts_of(self.hands[seat]),
            "known": [texts_of(known) for known in self.known],
            "concealed": [hand.bit_count() for hand in self.hands],
            "absent": [texts_of(denied) for denied in self.denied],
            "trick": [[s, CARDS[card]] for s, card in self.trick],
            "played": [texts_of(played) for played in self.played],
            "won": [texts_of(won) for won in self.won],
            "tricks": list(self.tricks),
            "unseen": texts_of(self.unseen(seat)),
            "announcements": self._said(),
            "exchanged": -1 if self.exchanged is None else self.exchanged,
            "pair_said": list(self.words),
            "saying": self.saying,
            "scores": list(self.scores),
            "held": self.held,
        }

    def _said(self) -> list[dict[str, Any]]:
        """What became known of the announcements, contest by contest."""
        found = {contest.what: contest for contest in self.contests}
        return [found.get(what, Contest(what, ())).in_words() for what in ("sequences", "fours")]

    def check(self) -> None:
        """Raise unless every card is where it can be and the scores are the sum of the events."""
        dealt = self.pack.hand - self.pack.packet * (self.bottom is None)
        trick = sum(1 << card for _, card in self.trick)
        zones = [*self.hands, *self.won, trick, 1 << self.turn_up]
        total = 0
        for mask in zones:
            if total & mask:
                raise RefereeError("a card is in two places")
            total |= mask
        if total.bit_count() != 2 * dealt + 1 or any(self.known[s] & ~self.hands[s] for s in (0, 1)):
            raise RefereeError("cards were lost, or one is known where it is not")
        for seat in (0, 1):
            if self.scores[seat] != sum(points for _, s, _, points in self.events if s == seat):
                raise RefereeError("the scores are not the sum of the events")


def settled(
    options: dict[str, Any],
    totals: tuple[int, int],
    pair: int = 0,
    held: int = 0,
    counters: Counter[str] | None = None,
) -> tuple[tuple[int, int], int]:
    """What taker and opponent write down, and what is held afterwards.

    Args:
        options: All option values.
        totals: Points made by the taker and by the opponent.
        pair: Points of the pair among the taker's.
        held: Points that wait for a winner.
        counters: Where branches count themselves.
    """
    counters = Counter() if counters is None else counters
    taker, other = totals
    kept = 0 if options["belote_prenable"] else pair
    tied = taker == other and options["two_hand_tie"] != "fall"
    if taker > other:
        counters["taker made it"] += 1
        counters["held points to the taker"] += held > 0
        gets = (_rounded(options, taker, counters) + held, _rounded(options, other, counters))
        return gets, 0
    counters["tie, fall"] += taker == other and not tied
    if pair:
        counters["pair kept" if kept else "pair taken"] += 1
    if tied and options["two_hand_tie"] == "hold_over":
        counters["tie, held over"] += 1
        counters["held over twice"] += held > 0
        gets = (_rounded(options, kept, counters), _rounded(options, other, counters))
        return gets, held + taker - kept
    if tied:
        counters["tie, taker zero"] += 1
    elif options["two_hand_fail"] == "opponent_sum":
        counters["taker failed, opponent sum"] += 1
        other += taker - kept
    else:
        counters["taker failed, loses only"] += 1
    counters["held points to the opponent"] += held > 0
    return (_rounded(options, kept, counters), _rounded(options, other, counters) + held), 0


def _rounded(options: dict[str, Any], points: int, counters: Counter[str]) -> int:
    """To the nearest ten, fives up or down."""
    rule, ones = options["rounding"], points % 10
    if rule == "none":
        return points
    up = ones > 5 or (ones == 5 and rule == "up5")
    if ones == 5:
        counters["rounded at five up" if up else "rounded at five down"] += 1
    elif ones:
        counters["rounded up" if up else "rounded down"] += 1
    return points - ones + (10 if up else 0)


class Match:
    """An episode: one deal with its redeals, or deals until somebody reaches the target.

    Args:
        options: Option values that differ from ``two_handed``.
        next_deck: Called for the deck of every hand dealt, with its number from 0.
        dealer: Who deals first.
        counters: Where branches count themselves.
        single: One deal only.
        given: Whether the first deck is a given one, which cannot be dealt again.
        pack: What is dealt.
    """

    def __init__(
        self,
        options: dict[str, Any],
        next_deck: Callable[[int], list[str]],
        dealer: int,
        counters: Counter[str] | None = None,
        single: bool = False,
        given: bool = False,
        pack: Pack = WHOLE,
    ) -> None:
        unknown = set(options) - set(TWO_HANDED)
        if unknown:
            raise RefereeError(f"unknown options: {sorted(unknown)}")
        self.options = {**TWO_HANDED, **pack.options, **options}
        self.pack = pack
        self.next_deck = next_deck
        self.counters: Counter[str] = Counter() if counters is None else counters
        self.single = single
        self.given = given
        self.hands_dealt = 0
        self.finished: list[Referee] = []  # hands before this one
        self.redeals = 0  # of the deal under way
        self.base = [0, 0]  # totals before this deal
        self.held = 0
        self.is_over = False
        self.winner: int | None = None
        self.deal = self._dealt(dealer)

    def _dealt(self, dealer: int) -> Referee:
        deck = self.next_deck(self.hands_dealt)
        self.hands_dealt += 1
        return Referee(self.options, deck, dealer, self.counters, self.held, self.pack)

    def _new_hand(self, dealer: int) -> None:
        self.finished.append(self.deal)
        self.deal = self._dealt(dealer)

    @property
    def totals(self) -> tuple[int, int]:
        """Totals including the deal under way."""
        return self.base[0] + self.deal.scores[0], self.base[1] + self.deal.scores[1]

    def legal(self) -> list[str]:
        """Legal action texts."""
        return [] if self.is_over else self.deal.legal()

    def apply(self, text: str) -> list[tuple[int, int, str, int]]:
        """Make one action; what follows a deal follows by itself.

        Args:
            text: The action text.

        Returns:
            The changes of the scores.
        """
        events = self.deal.apply(text)
        if self.deal.outcome == "played":
            self._after_play()
        elif self.deal.outcome is not None:
            self._after_annulment()
        return events

    def _after_annulment(self) -> None:
        agreed, dealer = self.deal.outcome == "agreed", self.deal.dealer
        if agreed:
            stays = self.options["accepted_redeal_dealer"] == "same"
            self.counters["agreed, same dealer" if stays else "agreed, next dealer"] += 1
        else:
            stays = False
            self.counters["all passed, next dealer"] += 1
        following = dealer if stays else 1 - dealer
        if self.given and self.hands_dealt == 1 and self.single:
            self.counters["given deck ends the deal"] += 1
            self._finish()
        elif self.redeals == self.options["max_redeals"]:
            self.counters["redeals used up" if self.single else "redeals used up ends the match"] += 1
            self._finish()
        elif self.given and self.hands_dealt == 1:
            self.counters["given deck goes on with the match"] += 1
            self._new_hand(following)
        else:
            self.counters["redealt again"] += self.redeals > 0
            self.redeals += 1
            self._new_hand(following)

    def _after_play(self) -> None:
        totals = self.totals
        over = max(totals) >= self.options["target"]
        if self.single or (over and totals[0] != totals[1]):
            if not self.single:
                self.counters["match won"] += 1
                self.counters["match both over"] += min(totals) >= self.options["target"]
            self._finish()
            return
        self.counters["match equal another deal" if over else "match goes on"] += 1
        self.base = list(totals)
        self.held = self.deal.held_after
        self.redeals = 0
        self._new_hand(1 - self.deal.dealer)

    def _finish(self) -> None:
        """The episode is over; more points win it."""
        totals = self.totals
        self.is_over = True
        if totals[0] != totals[1]:
            self.winner = 0 if totals[0] > totals[1] else 1
        if self.single and self.deal.outcome == "played":
            self.counters["deal drawn" if self.winner is None else "deal won"] += 1

    def win(self) -> tuple[int, int]:
        """1 and -1, or nothing for either."""
        if self.winner is None:
            return 0, 0
        return (1, -1) if self.winner == 0 else (-1, 1)

    def settlement(self) -> tuple[int, int]:
        """What the episode pays: the points of one deal, one game for a match."""
        if not self.single:
            return self.win()
        return self.totals[0] - self.totals[1], self.totals[1] - self.totals[0]
