"""Fildinski (Polish Bezique) in plain Python: two packs, melds from the cards won.

Written from ``rules/bezique.md`` sections 5.4, 9 (A26) and 12, and from D39 to D42. Open cards are the
``tables`` of :class:`Referee`; cards won that can never serve lie in ``won``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from tests.referee.two_pack import COUNTERS as TWO_PACK_COUNTERS
from tests.referee.two_pack import DECLARATIONS, STANDARD, Card, Meld, Referee, RefereeError, split

COUNTERS: tuple[str, ...] = (
    *(
        name
        for name in TWO_PACK_COUNTERS
        if not name.startswith(("laid ", "play ", "seven ", "table ", "select laid"))
        and name
        not in (
            "lay refused all on table",
            "select from hand",
            "disjoint copy refused",
            "exchange from table",
            "double built from two",  # the second single takes the last card of the trick that could be in it
            "double withdraws two",
        )
    ),
    # open cards
    "won card open",
    "won card turned down",
    "ten open for trump",
    "ten open without trump",
    "ten open for four tens",
    "ten turned down",
    "open cards stay for the endgame",
    "won open in the endgame",
    # the window
    "no card of the trick",
    "chosen past the first for the trick",
    "per_turn copy refused",
    "by_class copy in two classes",
    "by_class three classes",
    "by_class single then double refused",
    "by_class sequence refused after marriage",
    "by_class marriage refused after sequence",
    "endgame window",
    "endgame window after the last trick",
    "endgame without window",
    "last window ends the deal",
    # sevens and the exchange
    "seven by winner of the led card",
    "seven by winner of the reply",
    "seven by winner twice",
    "seven by winner in endgame",
    "seven by winner in endgame silent",
    "seven by winner already scored",
    "seven by winner dix none",
    "exchange by trick winner",
    "exchange by trick winner turns an open card",
    "exchange by trick winner turns down",
    "turn-up meets a card of the trick",
    "seven shown from hand",
    "seven shown in an endgame window",
    "seven not shown in an endgame window",
    "seven played already scored",
    "seven played in endgame silent",
    "seven played dix none",
    "seven scored by play in stock",
    "seven scored by play in endgame",
    "play from hand",
)
"""All branches of this variant."""
assert len(COUNTERS) == len(set(COUNTERS))


class Fildinski(Referee):
    """One deal of Fildinski."""

    FIXED: ClassVar[dict[str, Any]] = {"declare": "many_disjoint"}
    DEFAULTS: ClassVar[dict[str, Any]] = {
        **{name: value for name, value in STANDARD.items() if name != "declare"},
        "fildinski_reuse": "per_turn",
        "fildinski_endgame": "off",
        "fildinski_dix": "trick_winner",
    }
    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {
        "standard": {},
        "by_class": {"fildinski_reuse": "by_class"},
    }
    DECLARATIONS = DECLARATIONS

    def _prepare(self, *arguments: Any, **keywords: Any) -> None:
        super()._prepare(*arguments, **keywords)

    def _reset_window(self) -> None:
        super()._reset_window()
        self.of_trick: list[Card] = []  # open cards won in the trick whose window it is
        self.sevens_of_trick: list[Card] = []
        self.turned: Card | None = None  # the old turn-up, opened by an exchange
        self.classes: dict[int, set[str]] = {}  # by_class: classes in which a copy served in this window

    @property
    def _by_winner(self) -> bool:
        return bool(self.options["fildinski_dix"] == "trick_winner")

    def _note_latest(self, texts: list[str]) -> None:
        for text in texts:
            pile = [*self.won[self.seat_to_act], *self.tables[self.seat_to_act]]
            taken = [*self.of_trick, *self.sevens_of_trick]
            card = next(card for card in reversed(pile) if card.text == text and card not in taken)
            if card in self.tables[self.seat_to_act]:
                self.of_trick.append(card)
            elif self._is_trump_seven(card):
                self.sevens_of_trick.append(card)
                if self.options["dix_score"] != "none" and self._by_winner:
                    card.serve("seven")

    # ------------------------------------------------------------------ open cards

    def _can_serve(self, card: Card) -> bool:
        if card.rank in "AKQJ":
            return True
        if card.rank != "T":
            return False
        if card.suit == self.trump:
            self.counters["ten open for trump"] += 1
        elif self.trump is None:
            self.counters["ten open without trump"] += 1
        elif self.options["four_tens"]:
            self.counters["ten open for four tens"] += 1
        else:
            self.counters["ten turned down"] += 1
            return False
        return True

    def _gather(self, winner: int, card: Card) -> None:
        if self._can_serve(card):
            self.counters["won card open"] += 1
            self.counters["won open in the endgame"] += self.in_endgame
            self._open(winner, card)
            self.of_trick.append(card)
        else:
            self.counters["won card turned down"] += 1
            super()._gather(winner, card)

    def _open(self, seat: int, card: Card) -> None:
        self._laid_order += 1
        card.laid = self._laid_order
        card.known = False
        self.tables[seat].append(card)

    def _captured(self, seat: int) -> list[Card]:
        return self.won[seat] + self.tables[seat]

    def _return_tables(self) -> None:
        self.counters["open cards stay for the endgame"] += bool(self.tables[0] or self.tables[1])

    # ------------------------------------------------------------------ what is legal

    def _legal_now(self) -> set[str]:
        if self.phase in ("lead", "follow", "endgame_lead"):
            return {"play " + card.text for card in self.hands[self.seat_to_act]}
        return super()._legal_now()

    def _arrange(self, seat: int) -> dict[str, list[Card]]:
        hand, self.hands[seat] = self.hands[seat], []
        groups = super()._arrange(seat)
        self.hands[seat] = hand
        return groups

    def _combinations(self, name: str, groups: dict[str, list[Card]]) -> Iterator[tuple[Card, ...]]:
        group = self._class(name)
        passed = False
        for cards in super()._combinations(name, groups):
            if not any(card in cards for card in self.of_trick):
                self.counters["no card of the trick"] += 1
                passed = True
                continue
            if any(group in self.classes.get(id(card), ()) for card in cards):
                kind = split(name)[0]
                self.counters["by_class single then double refused"] += name == "bezique 2"
                self.counters["by_class sequence refused after marriage"] += kind == "sequence"
                self.counters["by_class marriage refused after sequence"] += kind == "marriage"
                continue
            self.counters["chosen past the first for the trick"] += passed
            yield cards

    def _class(self, name: str) -> str:
        """D39: within a window marriage and sequence are one class, whatever ``meld_groups``."""
        kind = split(name)[0]
        return "line" if kind in ("marriage", "sequence") else kind

    def _count_disjoint(self, seat: int, actions: set[str]) -> None:
        before = Counter(self.counters)
        used, self.window_used = self.window_used, set()
        groups = self._arrange(seat)
        self.window_used = used
        refused = 0
        for name in self.DECLARATIONS:
            if name not in actions and next(self._combinations(name, groups), None) is not None:
                refused += 1
        self.counters.clear()
        self.counters.update(before)
        self.counters["per_turn copy refused"] += refused

    def _note_declared(self, cards: Iterable[Card]) -> None:
        cards = list(cards)
        if self.options["fildinski_reuse"] == "per_turn":
            super()._note_declared(cards)
            return
        super()._note_declared(())

    def _meld(self, seat: int, name: str, cards: tuple[Card, ...], lay: bool) -> None:
        self.counters["turn-up meets a card of the trick"] += self.turned in cards
        if self.options["fildinski_reuse"] == "by_class":
            group = self._class(name)
            for card in cards:
                classes = self.classes.setdefault(id(card), set())
                classes.add(group)
                self.counters["by_class copy in two classes"] += len(classes) == 2
                self.counters["by_class three classes"] += len(classes) == 3
        super()._meld(seat, name, cards, lay)

    # ------------------------------------------------------------------ sevens

    def _seven_to_declare(self, seat: int) -> Card | None:
        if self._by_winner or self.options["dix_score"] == "none":
            return None
        in_hand = [c for c in self.hands[seat] if self._is_trump_seven(c) and not c.seven_scored]
        if in_hand and self.in_endgame and self.options["dix_endgame"] == "no":
            self.counters["seven not shown in an endgame window"] += 1
            return None
        return min(in_hand, key=lambda card: not card.known) if in_hand else None

    def _seven_to_exchange(self, seat: int) -> Card | None:
        if not self._by_winner:
            return super()._seven_to_exchange(seat)
        if self.turn_up is None or not self.sevens_of_trick:
            return None
        if self.turn_up.rank == "7":
            self.counters["exchange refused turn-up seven"] += 1
            return None
        if self.options["dix_exchange"] == "uses_declaration" and (self.declared or self.blocked):
            self.counters["exchange refused after declaration"] += 1
            return None
        return self.sevens_of_trick[0]

    def _declare_seven(self, seat: int) -> None:
        """D40: the seven is shown and stays in the hand."""
        seven = self._seven_to_declare(seat)
        assert seven is not None
        self.counters["seven shown in an endgame window" if self.in_endgame else "seven shown from hand"] += 1
        seven.known = True
        seven.serve("seven")
        self._count_seven()
        self.melds.append(Meld(seat, "seven", (seven,), 10, True))
        self._credit(seat, "seven", 10)

    def _seven_played(self, seat: int, card: Card) -> None:
        if not self._by_winner:
            super()._seven_played(seat, card)

    def _count_sevens_won(self, winner: int, cards: list[Card]) -> None:
        if not self._by_winner:
            return
        self.sevens_of_trick = [card for card in cards if self._is_trump_seven(card)]
        self.counters["seven by winner twice"] += len(self.sevens_of_trick) == 2
        for card in self.sevens_of_trick:
            if self.options["dix_score"] == "none":
                self.counters["seven by winner dix none"] += 1
            elif card.seven_scored:
                self.counters["seven by winner already scored"] += 1
            elif self.in_endgame and self.options["dix_endgame"] == "no":
                self.counters["seven by winner in endgame silent"] += 1
            else:
                self.counters["seven by winner of the " + ("led card" if card is cards[0] else "reply")] += 1
                self.counters["seven by winner in endgame"] += self.in_endgame
                card.serve("seven")
                self._count_seven()
                self._credit(winner, "trump seven", 10)

    def _exchange(self, seat: int) -> None:
        if not self._by_winner:
            super()._exchange(seat)
            return
        seven, old = self.sevens_of_trick.pop(0), self.turn_up
        assert old is not None
        self.counters["exchange by trick winner"] += 1
        self.counters["exchange at last draw"] += self.stock_left() == 2
        self.won[seat].remove(seven)
        self.won_kinds[seat][seven.kind] -= 1
        self.turn_up = seven
        if self._can_serve(old):
            self.counters["exchange by trick winner turns an open card"] += 1
            self._open(seat, old)
            self.turned = old
        else:
            self.counters["exchange by trick winner turns down"] += 1
            self.won[seat].append(old)
            self.won_kinds[seat][old.kind] += 1
        if self.options["dix_exchange"] == "uses_declaration":
            self.blocked = True

    # ------------------------------------------------------------------ windows of the endgame

    def _window_in_endgame(self) -> bool:
        if self.options["fildinski_endgame"] == "off":
            self.counters["endgame without window"] += 1
            return False
        self.counters["endgame window after the last trick" if not self.hands[0] else "endgame window"] += 1
        return True

    def _next_endgame_trick(self) -> None:
        self._reset_window()
        super()._next_endgame_trick()

    def _close_window(self) -> None:
        if not self.in_endgame:
            super()._close_window()
            return
        self.counters["last window ends the deal"] += not self.hands[0]
        self._next_endgame_trick()

    def check(self) -> None:
        """As in :meth:`Referee.check`; and only cards that may serve lie open."""
        super().check()
        for seat in (0, 1):
            if any(card.rank in "987" for card in self.tables[seat]):
                raise RefereeError("a useless card lies open")
