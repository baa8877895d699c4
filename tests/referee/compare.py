"""One game played by the engine and by the referee in step, everything compared at every decision."""

from __future__ import annotations

import functools
import operator
from collections import Counter
from typing import Any, NoReturn

import numpy as np

from bezique_env.engine.bezique.state import view_dtype
from bezique_env.game import Game
from bezique_env.rules.bezique.shape import Shape
from tests.referee.fildinski import Fildinski
from tests.referee.mini import KQJ4, QJ2, QJ3
from tests.referee.multi_pack import Chinese, EightPack, MultiPack, Rubicon
from tests.referee.two_pack import Card, Match, Referee

REFEREES: dict[str, type[Referee]] = {
    "two_pack": Referee,
    "rubicon": Rubicon,
    "chinese": Chinese,
    "eight_pack": EightPack,
    "fildinski": Fildinski,
}
SIZES: dict[str, type[Referee]] = {"qj3": QJ3, "qj2": QJ2, "kqj4": KQJ4}
"""Small packs, by preset."""

CARDS = [rank + suit for suit in "SHDC" for rank in "789JQKTA"]
TEXTS = (
    [f"play {card}" for card in CARDS]
    + [f"play {card} table" for card in CARDS]
    + [f"marriage {suit}" for suit in "SHDC"]
    + [f"sequence {suit}" for suit in "SHDC"]
    + [f"bezique {level}" for level in range(1, 6)]
    + [f"{prefix} {rank}" for prefix in ("four", "four trump", "five trump") for rank in "ATKQJ"]
    + ["seven", "exchange", "carte blanche", "pass"]
)
"""DESIGN section 4, written down once more."""
IDS = {text: number for number, text in enumerate(TEXTS)} | {
    text.replace("play", "use"): number for number, text in enumerate(TEXTS[:64])
}
PHASES = (
    "lead", "follow", "declare", "select", "endgame_lead", "endgame_follow", "over", "between_deals", "carte_blanche"
)  # fmt: skip
USES = {
    "marriage": 1,
    "sequence": 2,
    "bezique": 4,
    "bezique 2": 8,
    "four": 16,
    "seven": 32,
    "bezique 3": 256,
    "bezique 4": 512,
    "bezique 5": 1024,
    "four trump": 2048,
    "five trump": 4096,
}
OF_TRICK = 64
WINDOW_BITS = 128 | 8192 | 16384
"""Bits of ``table_uses`` that the engine keeps for itself while a window is open."""
MELDS = ("marriage", "sequence", "bezique", "four", "four trump", "five trump")
COMPARED = (
    "scores", "match_scores", "brisques", "table_uses", "table_melds", "table_served", "carte", "cut", "hand", "known",
    "table_count", "won", "unseen",
    "table_card", "table_n", "concealed_n", "sevens_scored", "trick_card", "seat", "dealer", "leader",
    "to_act", "phase", "trump", "turn_up", "turn_up_scored", "stock_left", "last_trump", "first_over",
    "bezique_q", "bezique_j", "deal_no", "winner", "double",
)  # fmt: skip
"""View fields that the referee knows too; the rest helps to resample and has tests of its own."""


# --------------------------------------------------------------------------------------- what a seat sees


class Expected:
    """Writes what the referee lets a seat see into the bytes of a view record.

    Args:
        shape: Of the variant's records.
    """

    def __init__(self, shape: Shape) -> None:
        self.dtype = view_dtype(shape)
        assert self.dtype.fields is not None
        self.at: dict[str, int] = {name: place[1] for name, place in self.dtype.fields.items()}
        self.slots = shape.slots
        self.mask = np.zeros(1, self.dtype)
        for name in COMPARED:
            self.mask[name] = np.ones_like(self.mask[name]) * (~np.zeros(1, self.dtype[name].base)[0])
        self.mask["table_uses"] &= ~np.uint16(WINDOW_BITS)
        self.mask_int = int.from_bytes(self.mask.tobytes(), "little")
        self.mask["table_uses"] &= ~np.uint16(OF_TRICK)
        self.mask_over = int.from_bytes(self.mask.tobytes(), "little")

    def rows(self, match: Match) -> list[bytearray]:
        """Return the expected record of each seat (fields that are not compared stay zero)."""
        deal = match.deal
        common = bytearray(self.dtype.itemsize)
        left = bytearray(32)  # cards that nobody has shown
        for card in deal.cards:
            left[card.kind] += 1
        self._write_common(match, common, left)
        phase = deal.phase
        hand, unseen = self.at["hand"], self.at["unseen"]
        rows = []
        for seat in (0, 1):
            row = bytearray(common)
            row[unseen : unseen + 32] = left
            for card in deal.hands[seat]:
                row[hand + card.kind] += 1
                if not card.known:
                    row[unseen + card.kind] -= 1
            row[self.at["seat"]] = seat
            hidden = phase == "select" and seat != deal.seat_to_act
            row[self.at["phase"]] = PHASES.index("declare" if hidden else phase)
            rows.append(row)
        return rows

    def _write_common(self, match: Match, row: bytearray, left: bytearray) -> None:
        """Write what both seats see; take the cards that are seen from those left."""
        deal, at = match.deal, self.at
        totals = deal.totals()
        row[at["scores"] : at["scores"] + 8] = _i32(deal.scores[0]) + _i32(deal.scores[1])
        row[at["match_scores"] : at["match_scores"] + 8] = _i32(totals[0]) + _i32(totals[1])
        row[at["trick_card"]] = row[at["trick_card"] + 1] = 255
        for s in (0, 1):
            row[at["brisques"] + s] = deal.brisques[s]
            row[at["carte"] + s] = deal.carte[s]
            row[at["cut"] + s] = deal.cut[s]
            known, won = at["known"] + 32 * s, at["won"] + 32 * s
            for card in deal.hands[s]:
                if card.known:
                    left[card.kind] -= 1
                    row[known + card.kind] += 1
                if card.uses and _scored_seven(deal, card):
                    row[at["sevens_scored"] + s] += 1
            self._table(deal, s, row, left)
            row[won : won + 32] = bytes(deal.won_kinds[s])
            left[:] = bytes(map(operator.sub, left, deal.won_kinds[s]))
            row[at["table_n"] + s] = len(deal.tables[s])
            row[at["concealed_n"] + s] = len(deal.hands[s])
        for s, card in deal.trick:
            row[at["trick_card"] + s] = card.kind
            left[card.kind] -= 1
        row[at["turn_up"]] = 255
        if deal.turn_up is not None:
            row[at["turn_up"]] = deal.turn_up.kind
            left[deal.turn_up.kind] -= 1
            row[at["turn_up_scored"]] = deal.turn_up.seven_scored
        row[at["dealer"]] = deal.dealer
        row[at["leader"]] = deal.leader
        row[at["to_act"]] = deal.seat_to_act % 256
        row[at["trump"]] = 4 if deal.trump is None else "SHDC".index(deal.trump)
        row[at["last_trump"]] = 4 if deal.last_trump is None else "SHDC".index(deal.last_trump)
        row[at["stock_left"]] = deal.stock_left()
        row[at["first_over"]] = 255 if deal.first_over is None else deal.first_over
        pairs = deal.bezique_pairs()
        queen, jack = next(iter(pairs.items())) if len(pairs) == 1 else (None, None)
        row[at["bezique_q"]] = 255 if queen is None else CARDS.index(queen)
        row[at["bezique_j"]] = 255 if jack is None else CARDS.index(jack)
        row[at["deal_no"] : at["deal_no"] + 4] = _i32(len(match.finished))
        row[at["winner"]] = 255 if match.winner is None else match.winner
        row[at["double"]] = match.double

    def _table(self, deal: Referee, s: int, row: bytearray, left: bytearray) -> None:
        at, table = self.at, deal.tables[s]
        count, card_at = at["table_count"] + 32 * s, at["table_card"] + self.slots * s
        uses_at, served_at = at["table_uses"] + 2 * self.slots * s, at["table_served"] + self.slots * s
        row[card_at : card_at + self.slots] = b"\xff" * self.slots
        if not table:
            return
        of_trick = deal.of_trick if isinstance(deal, Fildinski) and not deal.is_over else ()
        for place, card in enumerate(table):
            row[count + card.kind] += 1
            left[card.kind] -= 1
            row[card_at + place] = card.kind
            row[served_at + place] = card.served
            uses = 0
            for use in card.uses:
                uses |= USES[use]
            if of_trick and card in of_trick:
                uses |= OF_TRICK
            row[uses_at + 2 * place : uses_at + 2 * place + 2] = uses.to_bytes(2, "little")
        if isinstance(deal, MultiPack) and deal.options["reform"] == "replace":
            first = at["table_melds"] + 2 * len(MELDS) * self.slots * s
            for place, intact in enumerate(deal.intact_places(s)):
                for kind, places in intact.items():
                    here = first + 2 * (len(MELDS) * place + MELDS.index(kind))
                    row[here : here + 2] = sum(1 << other for other in places).to_bytes(2, "little")


def _scored_seven(deal: Referee, card: Card) -> bool:
    return card.rank == "7" and card.suit == deal.trump and card.seven_scored


def _i32(value: int) -> bytes:
    return value.to_bytes(4, "little", signed=True)


@functools.cache
def expected(shape: Shape) -> Expected:
    """The writer for one form of record."""
    return Expected(shape)


class Difference(AssertionError):
    """The two implementations differ; the message holds what reproduces it."""


# ------------------------------------------------------------------------------------ the pair of games


class Pair:
    """One game played by both implementations in step.

    Args:
        options: Option values that differ from ``standard``.
        seed: Of the game's decks.
        episode: ``deal`` or ``match``.
        draws: ``shared`` or ``queues``.
        deck: Of the first deal; shuffled by the engine from the seed if not given.
        dealer: Of the first deal.
        counters: Where the referee counts the branches of the rules.
        referee: The options that the referee plays by, if others (to prove that a difference is seen).
        position: A set-up position (DESIGN section 6), which replaces all before ``counters``.
        variant: Which game; of a position its own.
        cut: Cards lifted and number guessed, where the cut bonus is on.
        preset: Of a small pack; of a position its own.
    """

    def __init__(
        self,
        options: dict[str, Any],
        seed: int = 0,
        episode: str = "deal",
        draws: str = "shared",
        deck: list[str] | None = None,
        dealer: int = 0,
        counters: Counter[str] | None = None,
        referee: dict[str, Any] | None = None,
        position: dict[str, Any] | None = None,
        variant: str = "two_pack",
        cut: tuple[int, int] | None = None,
        preset: str | None = None,
    ) -> None:
        if position is None:
            which = f"{preset or variant} {options} seed {seed} {episode} {draws}"
            self.what = f"{which} dealer {dealer} deck {deck} cut {cut}"
            self.game = Game(
                variant,
                rules=preset,
                overrides=options,
                seed=seed,
                episode=episode,
                draws=draws,
                deck=deck,
                dealer=dealer,
                cut=cut,
            )
        else:
            self.what = f"position {position}"
            variant = position.get("variant", "two_pack")
            self.game = Game.from_position(position)
            episode, draws = self.game.episode, self.game.draws
        self.match = Match(
            options if referee is None else referee,
            self._next_deck,
            dealer,
            draws,
            counters,
            single=episode == "deal",
            position=position,
            kind=REFEREES.get(variant) or SIZES[self.game.rules.preset],
            next_cut=self._next_cut,
        )
        self.expected = expected(self.game.rules.shape)
        self.actions: list[str] = []
        self.deals = -1
        self.check([], [])

    def _next_deck(self, number: int) -> list[str]:
        return list(self.game.to_record()["deals"][number].get("deck", ()))

    def _next_cut(self, number: int) -> tuple[int, int]:
        lifted, guess = self.game.to_record()["deals"][number].get("cut", (0, 0))
        return lifted, guess

    @property
    def is_over(self) -> bool:
        """Whether the episode has ended."""
        return self.match.is_over

    def legal(self) -> list[str]:
        """Legal texts, sorted."""
        return sorted(self.match.legal())

    def apply(self, text: str) -> list[tuple[int, str, int]]:
        """Make one action in both and compare everything.

        Args:
            text: The action.

        Returns:
            The events: seat, what, points.
        """
        self.actions.append(text)
        index = self.match.deal.index + 1
        theirs = self.game.apply(IDS[text])
        mine = [(index, *event) for event in self.match.apply(text)]
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
        if mine != [tuple(event) for event in theirs]:
            self.fail("events", mine, theirs)
        deal = match.deal
        if len(match.finished) != self.deals:
            self.deals = len(match.finished)
            if deal.events != [tuple(event) for event in game.events] and not deal.is_over:
                self.fail("events of the deal", deal.events, game.events)
        seat = deal.seat_to_act
        if seat != game.seat_to_act:
            self.fail("seat to act", seat, game.seat_to_act)
        if deal.phase != game.phase:
            self.fail("phase", deal.phase, game.phase)
        legal = sorted([IDS[text] for text in match.legal()])
        if legal != game.legal_actions():
            self.fail("legal", sorted(match.legal()), [game.action_text(a) for a in game.legal_actions()])
        mask = self.expected.mask_over if match.is_over else self.expected.mask_int
        for s, row in enumerate(self.expected.rows(match)):
            seen = game.view_record(s).tobytes()
            if int.from_bytes(seen, "little") & mask != int.from_bytes(row, "little"):
                dtype = self.expected.dtype
                a, b = np.frombuffer(bytes(row), dtype)[0], np.frombuffer(seen, dtype)[0]
                for name in COMPARED:
                    x, y = a[name], b[name]
                    if name == "table_uses":
                        y = y & ~np.uint16(WINDOW_BITS | (OF_TRICK if match.is_over else 0))
                    if np.any(x != y):
                        self.fail(f"view of seat {s}, {name}", x.tolist(), y.tolist())
        if match.is_over != game.is_over:
            self.fail("over", match.is_over, game.is_over)
        if match.is_over:
            self.check_end()

    def check_end(self) -> None:
        """Compare results."""
        match, game = self.match, self.game
        totals = match.totals
        difference = (totals[0] - totals[1], totals[1] - totals[0])
        if game.returns() != difference:
            self.fail("returns", difference, game.returns())
        for reward, mine in (("settlement", match.settlement()), ("win", match.win())):
            if game.returns(reward) != mine:
                self.fail(reward, mine, game.returns(reward))


def canonical(value: Any) -> Any:
    """Tuples as lists, so that the referee's dictionary can be compared with the JSON-able one."""
    if isinstance(value, dict):
        return {key: canonical(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [canonical(item) for item in value]
    return value


def check_dict(pair: Pair) -> None:
    """The readable views agree as well, key by key of the referee."""
    for seat in (0, 1):
        mine = canonical(pair.match.deal.visible(seat))
        theirs = canonical(pair.game.view(seat).to_dict())
        for key, value in mine.items():
            found = theirs[key]
            if key == "tables":
                found = [[[card, sorted(uses)] for card, uses in table] for table in found]
            if found != value:
                pair.fail(f"view of seat {seat}, {key}", value, found)
    mask = pair.game.legal_mask(1 - pair.game.seat_to_act) if not pair.is_over else np.zeros(96)
    if mask.any():
        pair.fail("mask of the seat that waits", 0, mask.tolist())
