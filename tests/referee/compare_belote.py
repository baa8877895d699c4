"""One game of Belote played by the engine and by the referee in step, everything compared at every decision."""

from __future__ import annotations

import functools
import math
import struct
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np

from bezique_env.engine.belote.state import view_dtype
from bezique_env.game import Game
from bezique_env.rules.belote.shape import Shape
from tests.referee.belote import (
    CARDS,
    MINIS,
    NUMBER,
    SUITS,
    WHOLE,
    Contest,
    Match,
    Referee,
    reply_wins,
    texts_of,
)
from tests.referee.compare import Difference

TEXTS = (
    [f"play {card}" for card in CARDS]
    + ["accept", "pass", "propose", "agree", "refuse"]
    + [f"name {suit}" for suit in SUITS]
    + ["exchange", "announce", "belote"]
)
"""The table of actions, written down once more."""
IDS = {text: number for number, text in enumerate(TEXTS)}
PHASES = {
    name: number
    for number, name in enumerate(("bid", "answer", "exchange", "announce", "lead", "follow", "over"))
}
SHIFTS = {"points": 20, "four": 16, "length": 8, "top": 4, "trump": 0}
"""Where a part of what elder says of his best declaration stands in the field ``said``."""
STAGES = {name: number for number, name in enumerate(SHIFTS, 1)}
NONE = 255
COMPARED = (
    "scores", "match_scores", "held", "deal_no", "known", "absent", "played", "won", "said", "shown", "declared",
    "stage", "outcome", "redeals", "tricks", "pair_said", "pair_paid", "trick_card", "bids", "bids_n", "round",
    "naming", "saying", "late_exchange", "exchanged", "taker", "bottom", "dealer", "leader", "to_act", "trump",
    "turn_up", "winner",
    "hand", "unseen", "concealed_n", "deck", "phase", "seat",
)  # fmt: skip
"""Fields of a view that the referee knows too."""


OF_POSITION = (
    "seat", "to_act", "phase", "dealer", "leader", "taker", "trump", "turn_up", "bottom", "bids", "naming", "hand",
    "known", "concealed", "absent", "trick", "played", "won", "tricks", "unseen", "exchanged", "pair_said",
    "saying", "scores", "held",
)  # fmt: skip
"""What the readable view of a position says like that of the game it was taken from."""
OF_SEAT = ("hand", "unseen", "deck", "seat")
"""Those of them that differ by the eyes; the rest everybody knows."""
NOTHING = (0, 0, 0, 0, 0)


def _u32(value: int) -> bytes:
    return value.to_bytes(4, "little")


def _or_none(value: int | None) -> int:
    return NONE if value is None else value


class Expected:
    """Writes what the referee lets a seat see into the bytes of a view record.

    Args:
        shape: Of the variant's records.
    """

    def __init__(self, shape: Shape) -> None:
        self.dtype = view_dtype(shape)
        assert self.dtype.fields is not None
        self.at: dict[str, int] = {name: place[1] for name, place in self.dtype.fields.items()}
        mask = np.zeros(1, self.dtype)
        for name in COMPARED:
            mask[name] = np.iinfo(self.dtype[name].base).max
            if np.iinfo(self.dtype[name].base).min < 0:
                mask[name] = -1
        self.mask = int.from_bytes(mask.tobytes(), "little")
        self.public_names = sorted(set(COMPARED) - set(OF_SEAT), key=self.at.__getitem__)
        layout, end = "<", 0
        for name in self.public_names:
            field = self.dtype[name]
            layout += f"{self.at[name] - end}x{math.prod(field.shape)}{field.base.char}"
            end = self.at[name] + field.itemsize
        self.public_layout = struct.Struct(layout + f"{self.dtype.itemsize - end}x")

    def public(self, match: Match) -> bytearray:
        """Return the part of the expected record that both seats see (what is not compared stays zero)."""
        deal = match.deal
        cards = [NONE, NONE]
        for s, card in deal.trick:
            cards[s] = card
        bids = [IDS[text] for text in deal.bids]
        said, shown, declared, stage, outcome = zip(*self._contests(deal), strict=True)
        values: dict[str, Sequence[int]] = {
            "scores": deal.scores,
            "match_scores": match.totals,
            "known": deal.known,
            "absent": deal.denied,
            "played": deal.played,
            "won": deal.won,
            "tricks": deal.tricks,
            "trick_card": cards,
            "pair_said": deal.words,
            "pair_paid": (deal.pair_points[0] > 0, deal.pair_points[1] > 0),
            "concealed_n": (deal.hands[0].bit_count(), deal.hands[1].bit_count()),
            "bids": bids + [NONE] * (8 - len(bids)),
            "said": said,
            "shown": shown,
            "declared": declared,
            "stage": stage,
            "outcome": outcome,
            "held": (deal.held,),
            "deal_no": (match.hands_dealt - 1,),
            "redeals": (match.redeals,),
            "bids_n": (len(bids),),
            "round": (deal.round,),
            "naming": (deal.must_name and deal.taker is None,),
            "saying": (deal.saying,),
            "late_exchange": (deal.late_exchange,),
            "exchanged": (_or_none(deal.exchanged),),
            "taker": (_or_none(deal.taker),),
            "bottom": (_or_none(deal.bottom),),
            "dealer": (deal.dealer,),
            "leader": (deal.leader,),
            "turn_up": (deal.turn_up,),
            "winner": (_or_none(match.winner),),
            "phase": (PHASES[deal.phase],),
            "to_act": (deal.seat_to_act % 256,),
            "trump": (4 if deal.trump is None else deal.trump,),
        }
        flat: list[int] = []
        for name in self.public_names:
            flat += values[name]
        return bytearray(self.public_layout.pack(*flat))

    def _contests(self, deal: Referee) -> list[tuple[int, ...]]:
        """What is known of both contests: said, shown, declared, stage, outcome."""
        if not deal.contests:
            return [NOTHING, NOTHING]
        rows = [self._contest(contest, deal.elder) for contest in deal.contests]
        return [*rows, NOTHING][:2]

    def _contest(self, contest: Contest, elder: int) -> tuple[int, ...]:
        key = sum(value << SHIFTS[step] for step, value in zip(contest.steps, contest.said, strict=False))
        if contest.what == "fours" and len(contest.said) > 1:
            key |= 1 << SHIFTS["four"]  # nobody had to say it
        if key >> SHIFTS["four"] & 1:
            key &= ~(15 << SHIFTS["length"])  # likewise that four cards are four
        stage = STAGES[contest.steps[len(contest.said) - 1]] if contest.said else 0
        outcome = 0
        if contest.compared:
            outcome = 3 if contest.winner is None else 1 if contest.winner == elder else 2
        return key, contest.shown, contest.points, stage, outcome

    def of_seat(self, public: bytearray, match: Match, seat: int) -> bytearray:
        """Complete the record of one seat, in place."""
        deal, at = match.deal, self.at
        public[at["seat"]] = seat
        public[at["hand"] : at["hand"] + 4] = _u32(deal.hands[seat])
        public[at["unseen"] : at["unseen"] + 4] = _u32(deal.unseen(seat))
        deck_at = at["deck"]
        size = self.dtype["deck"].itemsize
        public[deck_at : deck_at + size] = deal.deck_seen(seat).ljust(size, b"\xff")
        return public


@functools.cache
def expected(shape: Shape) -> Expected:
    """The writer for one form of record."""
    return Expected(shape)


class Pair:
    """One game played by both implementations in step.

    Args:
        options: Option values that differ from ``two_handed``.
        seed: Of the game's decks.
        episode: ``deal`` or ``match``.
        deck: Of the first hand dealt; shuffled by the engine from the seed if not given.
        dealer: Of the first deal.
        counters: Where the referee counts the branches of the rules.
        referee: The options that the referee plays by, if others (to prove that a difference is seen).
        draws: Means nothing in a game without a stock.
        variant: Which game.
        preset: Of a small pack.
    """

    def __init__(
        self,
        options: dict[str, Any],
        seed: int = 0,
        episode: str = "deal",
        deck: list[str] | None = None,
        dealer: int = 0,
        counters: Counter[str] | None = None,
        referee: dict[str, Any] | None = None,
        draws: str = "shared",
        variant: str = "belote",
        preset: str | None = None,
    ) -> None:
        self.what = f"{preset or variant} {options} seed {seed} {episode} dealer {dealer} deck {deck}"
        self.game = Game(
            variant,
            rules=preset,
            overrides=options,
            seed=seed,
            episode=episode,
            deck=deck,
            dealer=dealer,
            draws=draws,
        )
        self.match = Match(
            options if referee is None else referee,
            self._next_deck,
            dealer,
            counters,
            single=episode == "deal",
            given=deck is not None,
            pack=WHOLE if preset is None else MINIS[preset],
        )
        self.options = options
        self.expected = expected(self.game.rules.shape)
        self.actions: list[str] = []
        self.check([], [])

    def _next_deck(self, number: int) -> list[str]:
        deals = self.game.to_record()["deals"]
        if number >= len(deals):
            self.fail("hands dealt", number + 1, len(deals))
        return list(deals[number]["deck"])

    @property
    def is_over(self) -> bool:
        """Whether the episode has ended."""
        return self.match.is_over

    def legal(self) -> list[str]:
        """Legal texts."""
        return self.match.legal()

    def apply(self, text: str) -> list[tuple[int, str, int]]:
        """Make one action in both and compare everything.

        Args:
            text: The action.

        Returns:
            The events: seat, what, points.
        """
        self.actions.append(text)
        theirs = self.game.apply(IDS[text])
        mine = self.match.apply(text)
        self.check(mine, theirs)
        return [event[1:] for event in mine]

    def fail(self, what: str, mine: object, theirs: object) -> NoReturn:
        """Raise with all that is needed to reproduce the difference."""
        raise Difference(
            f"{what}: referee {mine!r}, engine {theirs!r}\n{self.what}\nlast deck {self._next_deck(-1)}\n"
            f"dealer {self.match.deal.dealer}\nactions {self.actions}"
        )

    def check(self, mine: list[tuple[int, int, str, int]], theirs: list[Any]) -> None:
        """Compare all at the present decision."""
        match, game = self.match, self.game
        if mine != theirs:
            self.fail("events", mine, theirs)
        deal = match.deal
        if deal.seat_to_act != game.seat_to_act:
            self.fail("seat to act", deal.seat_to_act, game.seat_to_act)
        if deal.phase != game.phase:
            self.fail("phase", deal.phase, game.phase)
        legal = sorted([IDS[text] for text in match.legal()])
        if legal != game.legal_actions():
            self.fail("legal", sorted(match.legal()), [game.action_text(a) for a in game.legal_actions()])
        row = self.expected.public(match)
        for s in (0, 1):
            self.expected.of_seat(row, match, s)
            seen = game.view_record(s).tobytes()
            if int.from_bytes(seen, "little") & self.expected.mask != int.from_bytes(row, "little"):
                self._name_the_field(s, row, seen)
        if match.is_over != game.is_over:
            self.fail("over", match.is_over, game.is_over)
        if match.is_over:
            self.check_end()

    def _name_the_field(self, s: int, row: bytearray, seen: bytes) -> None:
        dtype = self.expected.dtype
        mine, theirs = np.frombuffer(bytes(row), dtype)[0], np.frombuffer(seen, dtype)[0]
        for name in COMPARED:
            if np.any(mine[name] != theirs[name]):
                self.fail(f"view of seat {s}, {name}", mine[name].tolist(), theirs[name].tolist())

    def check_end(self) -> None:
        """Compare results."""
        match, game = self.match, self.game
        totals = match.totals
        difference = (totals[0] - totals[1], totals[1] - totals[0])
        for reward, mine in (
            ("score_difference", difference),
            ("dense", difference),
            ("settlement", match.settlement()),
            ("win", match.win()),
        ):
            if game.returns(reward) != mine:
                self.fail(reward, mine, game.returns(reward))


def check_dict(pair: Pair) -> None:
    """The readable views agree as well, key by key of the referee."""
    match = pair.match
    for seat in (0, 1):
        mine = match.deal.visible(seat) | {
            "match_scores": list(match.totals),
            "winner": -1 if match.winner is None else match.winner,
            "deal_number": match.hands_dealt - 1,
            "redeals": match.redeals,
        }
        theirs = pair.game.view(seat).to_dict()
        for key, value in mine.items():
            found = theirs[key]
            if key == "announcements":
                found = [{name: one[name] for name in value[0]} for one in found]
            if found != value:
                pair.fail(f"view of seat {seat}, {key}", value, found)
    mask = pair.game.legal_mask(1 - match.deal.seat_to_act) if not pair.is_over else np.zeros(1)
    if mask.any():
        pair.fail("mask of the seat that waits", 0, mask.tolist())


def check_record(pair: Pair) -> None:
    """The record tells every hand as the referee played it."""
    match, deals = pair.match, pair.game.to_record()["deals"]
    hands = [*match.finished, match.deal]
    if len(deals) != len(hands):
        pair.fail("hands in the record", len(hands), len(deals))
    for number, (hand, deal) in enumerate(zip(hands, deals, strict=True)):
        mine = {
            "dealer": hand.dealer,
            "deck": [CARDS[card] for card in hand.deck],
            "actions": [list(action) for action in hand.actions],
            "events": [list(event) for event in hand.events],
            "scores": hand.scores,
        }
        for key, value in mine.items():
            if deal[key] != value:
                pair.fail(f"record of hand {number}, {key}", value, deal[key])


def position_of(pair: Pair) -> dict[str, Any]:
    """The present decision of a hand as a set-up position (DESIGN section 6), all cards named."""
    match, deal = pair.match, pair.match.deal
    won: list[list[str]] = [[], []]
    trick: dict[int, str] = {}
    for seat, text in deal.actions:
        if not text.startswith("play"):
            continue
        trick[seat] = text[5:]
        if len(trick) == 2:
            lead, reply = (NUMBER[trick[s]] for s in (1 - seat, seat))
            assert deal.trump is not None
            won[seat if reply_wins(lead, reply, deal.trump) else 1 - seat] += [trick[0], trick[1]]
            trick = {}
    position: dict[str, Any] = {
        "variant": "belote",
        "rules": {"preset": "two_handed", "overrides": pair.options},
        "phase": deal.phase,
        "to_act": deal.seat_to_act,
        "dealer": deal.dealer,
        "bids": list(deal.bids),
        "turn_up": CARDS[deal.turn_up],
        "hands": [[CARDS[card] for card in deal.deck if hand >> card & 1] for hand in deal.hands],
        "known": [texts_of(known) for known in deal.known],
        "absent": [texts_of(denied) for denied in deal.denied],
        "announced": [int(announced) for announced in deal.announced],
        "won": won,
        "trick": [[seat, card] for seat, card in trick.items()],
        "pair_said": list(deal.words),
        "saying": deal.saying,
        "scores": list(deal.scores),
        "match_scores": list(match.base),
        "held": deal.held,
        "episode": "deal",
    }
    if deal.bottom is not None:
        position["bottom"] = CARDS[deal.bottom]
    if deal.exchanged is not None:
        position |= {"exchanged": deal.exchanged, "turned": CARDS[deal.turned]}
    return position


def go_on_from(pair: Pair, game: Game, choose: Callable[[list[str]], str]) -> int:
    """Play the referee's hand (or its auction) to the end together with a game that a position set up.

    Args:
        pair: The game up to the position; only its referee goes on, as no card to come is part of a position.
        game: The game of the position.
        choose: Chooses among the legal texts.

    Returns:
        The number of decisions.
    """
    match, deal, decisions = pair.match, pair.match.deal, 0
    bidding = deal.taker is None
    while match.deal is deal and not match.is_over and (deal.taker is None) == bidding:
        for what, mine, theirs in (
            ("seat to act", deal.seat_to_act, game.seat_to_act),
            ("phase", deal.phase, game.phase),
            ("legal", sorted(IDS[text] for text in match.legal()), game.legal_actions()),
        ):
            if mine != theirs:
                pair.fail(f"after a position, {what}", mine, theirs)
        for seat in (0, 1):
            expects, sees = deal.visible(seat), game.view(seat).to_dict()
            for key in OF_POSITION:
                if expects[key] != sees[key]:
                    pair.fail(f"after a position, view of seat {seat}, {key}", expects[key], sees[key])
        text = choose(match.legal())
        pair.actions.append(text)
        made = [tuple(event)[1:] for event in game.apply(IDS[text])]
        events = [event[1:] for event in match.apply(text)]
        decisions += 1
        if made != events:
            pair.fail("after a position, events", events, made)
    return decisions


def check_resampled(pair: Pair, seat: int, seed: int) -> None:
    """A world that a seat cannot tell from the true one: the referee plays its record to the same sight.

    Args:
        pair: The game.
        seat: Whose eyes.
        seed: Of the world.
    """
    deal = pair.match.deal
    world = pair.game.resample(seat, seed).to_record()["deals"][-1]
    twin = Referee(pair.match.options, world["deck"], deal.dealer, Counter(), pair.match.held)
    for actor, text in world["actions"]:
        if actor != twin.seat_to_act or text not in twin.legal():
            pair.fail(f"world {seed} of seat {seat}: {world['deck']}", twin.legal(), [actor, text])
        twin.apply(text)
    mine, theirs = deal.visible(seat), twin.visible(seat)
    for key, value in mine.items():
        if theirs[key] != value:
            pair.fail(f"world {seed} of seat {seat}: {world['deck']}, {key}", value, theirs[key])
    if deal.seat_to_act == seat and deal.legal() != twin.legal():
        pair.fail(f"world {seed} of seat {seat}, legal", deal.legal(), twin.legal())
