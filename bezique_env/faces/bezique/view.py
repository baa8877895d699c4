"""A readable face of a VIEW record: what one seat may know, as Python values."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bezique_env.cards import NO_CARD, NO_SUIT, SUITS
from bezique_env.engine.bezique.actions import ACTION_TEXTS
from bezique_env.engine.bezique.state import (
    IN_MARRIAGE,
    MELD_NAMES,
    PHASE_NAMES,
    SEATS,
    USE_NAMES,
    USED_BEZIQUE_NOW,
    USED_LINE_NOW,
    USED_NOW,
    USED_TRICK,
    view_dtype,
)
from bezique_env.rules.bezique.cards import CARD_TEXTS, CARDS
from bezique_env.rules.bezique.variants import VARIANTS

_SERVED_NOW = USED_NOW | USED_LINE_NOW | USED_BEZIQUE_NOW
_MOST_PLAYABLE = 15
"""A seat that may play from its table never has more cards on it; with more places they are open cards."""


@dataclass(frozen=True)
class BeziqueView:
    """What one seat may know of a game.

    Attributes:
        packs: copies of every card.
        open_cards: the cards of the tables were won and are never played (Fildinski).
        seat: the seat that sees this.
        to_act: seat to act, -1 when none.
        phase: name of the phase.
        dealer: seat that dealt.
        leader: seat that leads this trick (or won the last one).
        trump: suit letter, None while none is fixed.
        turn_up: card text, None when gone.
        stock_left: cards left to draw, the turn-up included.
        hand: own concealed cards.
        tables: per seat (card, names of the scored melds in which it served), in the order laid; in
            Fildinski the open cards.
        served: per seat, for each place of the table, the number of scored melds in which the card served.
        melds: per seat the scored melds that are still intact: (kind, places of the table); only where melds
            may be scored again (``reform``). A bezique of level n has 2 n places.
        carte_blanche: per seat whether it showed carte blanche and goes on showing what it draws.
        known: per seat the concealed cards that everyone knows.
        concealed: per seat the number of concealed cards.
        trick: (seat, card) of the cards in the trick, led card first.
        won: per seat the cards in tricks won; in Fildinski those turned down.
        unseen: cards in another hand (not known) or in the stock.
        scores: points of this deal.
        match_scores: points of the match, this deal included.
        brisques: aces and tens won.
        sevens_scored: per seat the scored trump sevens among the concealed cards.
        turn_up_scored: whether the seven that lies as the turn-up has scored.
        served_now: per seat the places of the table that served in the open window.
        won_now: per seat the places of the open cards of the trick whose window is open (Fildinski).
        seven_won: whether that trick holds a trump seven (Fildinski).
        led_scored: whether the led card is a trump seven that has scored (Fildinski).
        declared: whether the open window's declaration was used.
        exchanged: whether the open window's exchange was made.
        bezique_pair: queen and jack that now make a bezique, None while none is fixed.
        selection: own selection under way: (action text, codes chosen), else None.
        winner: seat that won, -1 while undecided or tied.
        double: whether the win counts double.
        deal_number: deals of the match before this one.
        last_trump: trump of the previous deal of the match.
        first_over: seat that reached the target first, -1 when none has.
        cut: cards that the dealer lifted and the number that the other seat guessed, None without cut bonus.
    """

    packs: int
    open_cards: bool
    seat: int
    to_act: int
    phase: str
    dealer: int
    leader: int
    trump: str | None
    turn_up: str | None
    stock_left: int
    hand: list[str]
    tables: list[list[tuple[str, list[str]]]]
    served: list[list[int]]
    melds: list[list[tuple[str, list[int]]]]
    carte_blanche: list[bool]
    known: list[list[str]]
    concealed: list[int]
    trick: list[tuple[int, str]]
    won: list[list[str]]
    unseen: list[str]
    scores: tuple[int, int]
    match_scores: tuple[int, int]
    brisques: tuple[int, int]
    sevens_scored: tuple[int, int]
    turn_up_scored: bool
    served_now: list[list[int]]
    won_now: list[list[int]]
    seven_won: bool
    led_scored: bool
    declared: bool
    exchanged: bool
    bezique_pair: tuple[str, str] | None
    selection: tuple[str, list[int]] | None
    winner: int
    double: bool
    deal_number: int
    last_trump: str | None
    first_over: int
    cut: tuple[int, int] | None
    record: Any = field(repr=False, compare=False, default=None)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as values that JSON can hold."""
        return {
            "packs": self.packs,
            "open_cards": self.open_cards,
            "seat": self.seat,
            "to_act": self.to_act,
            "phase": self.phase,
            "dealer": self.dealer,
            "leader": self.leader,
            "trump": self.trump,
            "turn_up": self.turn_up,
            "stock_left": self.stock_left,
            "hand": self.hand,
            "tables": [[[card, uses] for card, uses in table] for table in self.tables],
            "served": self.served,
            "melds": [[[kind, places] for kind, places in melds] for melds in self.melds],
            "carte_blanche": self.carte_blanche,
            "known": self.known,
            "concealed": self.concealed,
            "trick": [[seat, card] for seat, card in self.trick],
            "won": self.won,
            "unseen": self.unseen,
            "scores": list(self.scores),
            "match_scores": list(self.match_scores),
            "brisques": list(self.brisques),
            "sevens_scored": list(self.sevens_scored),
            "turn_up_scored": self.turn_up_scored,
            "served_now": self.served_now,
            "won_now": self.won_now,
            "seven_won": self.seven_won,
            "led_scored": self.led_scored,
            "declared": self.declared,
            "exchanged": self.exchanged,
            "bezique_pair": list(self.bezique_pair) if self.bezique_pair else None,
            "selection": [self.selection[0], self.selection[1]] if self.selection else None,
            "winner": self.winner,
            "double": self.double,
            "deal_number": self.deal_number,
            "last_trump": self.last_trump,
            "first_over": self.first_over,
            "cut": list(self.cut) if self.cut else None,
        }


@functools.cache
def _packs() -> dict[np.dtype[Any], int]:
    """Return the copies of every card, by the type of a view."""
    return {view_dtype(variant.shape): variant.shape.packs for variant in VARIANTS.values()}


def _seat(value: Any) -> int:
    return -1 if int(value) == NO_CARD else int(value)


def _card(value: Any) -> str | None:
    return None if int(value) == NO_CARD else CARD_TEXTS[int(value)]


def _suit(value: Any) -> str | None:
    return None if int(value) == NO_SUIT else SUITS[int(value)]


def _pair(values: Any) -> tuple[int, int]:
    return int(values[0]), int(values[1])


def _places(mask: int) -> list[int]:
    return [place for place in range(mask.bit_length()) if mask >> place & 1]


def _intact(masks: Any, count: int) -> list[tuple[str, list[int]]]:
    """Return the intact melds of a table from its masks ``[place, kind]``, by kind, each once."""
    found: list[tuple[str, list[int]]] = []
    for kind, name in enumerate(MELD_NAMES):
        for place in range(min(count, len(masks))):
            members = _places(int(masks[place][kind]))
            if kind == IN_MARRIAGE:
                found += [(name, [place, partner]) for partner in members if partner > place]
            elif members and (name, members) not in found:
                found.append((name, members))
    return found


def make_view(record: Any) -> BeziqueView:
    """Make the readable view of a view record of any variant."""
    tables, served_now, won_now = [], [], []
    for s in range(SEATS):
        count = int(record["table_n"][s])
        marks = [int(x) for x in record["table_uses"][s][:count]]
        cards = [CARD_TEXTS[int(c)] for c in record["table_card"][s][:count]]
        tables.append(
            [
                (card, [name for bit, name in USE_NAMES.items() if mark & bit])
                for card, mark in zip(cards, marks, strict=True)
            ]
        )
        served_now.append([place for place, mark in enumerate(marks) if mark & _SERVED_NOW])
        won_now.append([place for place, mark in enumerate(marks) if mark & USED_TRICK])
    counts = [int(n) for n in record["table_n"]]
    leader = int(record["leader"])
    order = (leader, 1 - leader)
    trick = [
        (s, CARD_TEXTS[int(record["trick_card"][s])]) for s in order if record["trick_card"][s] != NO_CARD
    ]
    queen, jack = _card(record["bezique_q"]), _card(record["bezique_j"])
    action = int(record["sel_action"])
    chosen = [int(code) for code in record["sel_code"][: int(record["sel_n"])]]
    cut = _pair(record["cut"])
    return BeziqueView(
        packs=_packs()[record.dtype],
        open_cards=len(record["table_card"][0]) > _MOST_PLAYABLE,
        seat=int(record["seat"]),
        to_act=_seat(record["to_act"]),
        phase=PHASE_NAMES[int(record["phase"])],
        dealer=int(record["dealer"]),
        leader=leader,
        trump=_suit(record["trump"]),
        turn_up=_card(record["turn_up"]),
        stock_left=int(record["stock_left"]),
        hand=CARDS.listed(record["hand"]),
        tables=tables,
        served=[[int(x) for x in record["table_served"][s][: counts[s]]] for s in range(SEATS)],
        melds=[_intact(record["table_melds"][s], counts[s]) for s in range(SEATS)],
        carte_blanche=[bool(x) for x in record["carte"]],
        known=[CARDS.listed(record["known"][s]) for s in range(SEATS)],
        concealed=[int(x) for x in record["concealed_n"]],
        trick=trick,
        won=[CARDS.listed(record["won"][s]) for s in range(SEATS)],
        unseen=CARDS.listed(record["unseen"]),
        scores=_pair(record["scores"]),
        match_scores=_pair(record["match_scores"]),
        brisques=_pair(record["brisques"]),
        sevens_scored=_pair(record["sevens_scored"]),
        turn_up_scored=bool(record["turn_up_scored"]),
        served_now=served_now,
        won_now=won_now,
        seven_won=bool(record["seven_won"]),
        led_scored=bool(record["led_scored"]),
        declared=bool(record["declared"]),
        exchanged=bool(record["exchanged"]),
        bezique_pair=(queen, jack) if queen and jack else None,
        selection=(ACTION_TEXTS[action], chosen) if action != NO_CARD else None,
        winner=_seat(record["winner"]),
        double=bool(record["double"]),
        deal_number=int(record["deal_no"]),
        last_trump=_suit(record["last_trump"]),
        first_over=_seat(record["first_over"]),
        cut=cut if any(cut) else None,
        record=record,
    )
