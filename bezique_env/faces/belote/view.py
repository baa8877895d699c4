"""A readable face of a view record: what one seat may know, as Python values."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from bezique_env.cards import NO_CARD, NO_SUIT, SUITS
from bezique_env.engine.belote.actions import ACTION_TEXTS
from bezique_env.engine.belote.state import (
    CONTESTS,
    FOUR_SHIFT,
    LENGTH_SHIFT,
    PHASE_NAMES,
    SAID_FOUR,
    SAID_LENGTH,
    SAID_NOTHING,
    SAID_TOP,
    SAID_TRUMP,
    TO_ELDER,
    TO_NOBODY,
    TOP_SHIFT,
    UNDECIDED,
    VALUE_SHIFT,
)
from bezique_env.rules.belote.cards import CARDS, RANKS

CONTEST_NAMES = ("sequences", "fours")


@dataclass(frozen=True)
class Announcement:
    """What became known of one contest of announcements.

    Attributes:
        contest: ``sequences`` (all declarations, where fours are compared with runs) or ``fours``.
        value: points of elder's best declaration as he said it, None when he said nothing.
        four: whether he said that it is a four of a kind (False where runs alone are compared), None when the
            dialogue did not come to it.
        length: its length as he said it, None when the dialogue did not come to it or length breaks no tie.
        top: its top rank as he said it, None when the dialogue did not come to it.
        trump: whether it is a run of trumps, None when the dialogue did not come to it.
        decided_by: ``value``, ``four``, ``length``, ``top`` or ``trump``: how far the dialogue went, None when
            it was not needed.
        winner: seat that scores its declarations, -1 when nobody does or it is not decided.
        decided: whether the contest is over.
        points: what the winner's declarations are worth.
        shown: cards of the declarations that the winner showed.
    """

    contest: str
    value: int | None
    four: bool | None
    length: int | None
    top: str | None
    trump: bool | None
    decided_by: str | None
    winner: int
    decided: bool
    points: int
    shown: list[str]


_STAGES = (None, "value", "four", "length", "top", "trump")


@dataclass(frozen=True)
class BeloteView:
    """What one seat may know of a game.

    Attributes:
        seat: seat that sees this.
        to_act: seat to act, -1 when none.
        phase: name of the phase.
        dealer: seat that dealt; the other is elder.
        leader: seat that leads this trick (or won the last one).
        trump: suit letter, None while none is fixed.
        taker: seat that undertook to score more, -1 while none has.
        turn_up: card text (after an exchange the seven).
        bottom: bottom card of the pack, None until it is shown.
        bids: actions of the auction, elder first.
        auction_round: 1 or 2.
        naming: whether the seat to act must name a suit.
        hand: own concealed cards.
        known: per seat the concealed cards that everyone knows.
        concealed: per seat the number of concealed cards.
        absent: per seat the cards that its plays have shown not to be in its hand.
        trick: (seat, card) of the cards in the trick, led card first.
        played: per seat the cards it has played.
        won: per seat the cards in tricks won.
        tricks: per seat the number of tricks won.
        unseen: cards that may be in the other hand or out of play.
        announcements: what became known of the announcements, by contest.
        exchanged: seat that exchanged the seven, -1 when none has.
        pair_said: per seat the words said of the pair.
        saying: whether the pair was just said, so that one of its cards must be played.
        scores: points of this deal.
        match_scores: points of the match, this deal included.
        held: points of earlier, tied deals that this deal decides.
        winner: seat that won, -1 while undecided or tied.
        deal_number: hands dealt in the match before this one.
        redeals: how often this deal was dealt again.
    """

    seat: int
    to_act: int
    phase: str
    dealer: int
    leader: int
    trump: str | None
    taker: int
    turn_up: str
    bottom: str | None
    bids: list[str]
    auction_round: int
    naming: bool
    hand: list[str]
    known: list[list[str]]
    concealed: list[int]
    absent: list[list[str]]
    trick: list[tuple[int, str]]
    played: list[list[str]]
    won: list[list[str]]
    tricks: list[int]
    unseen: list[str]
    announcements: list[Announcement]
    exchanged: int
    pair_said: list[int]
    saying: bool
    scores: tuple[int, int]
    match_scores: tuple[int, int]
    held: int
    winner: int
    deal_number: int
    redeals: int
    record: Any = field(repr=False, compare=False, default=None)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as values that JSON can hold."""
        values = {name: value for name, value in vars(self).items() if name != "record"}
        values["announcements"] = [asdict(item) for item in self.announcements]
        values["trick"] = [[seat, card] for seat, card in self.trick]
        values["scores"] = list(self.scores)
        values["match_scores"] = list(self.match_scores)
        return values


def _seat(value: Any) -> int:
    return -1 if int(value) == NO_CARD else int(value)


def _pair(values: Any) -> tuple[int, int]:
    return int(values[0]), int(values[1])


def _announcement(record: Any, contest: int) -> Announcement:
    """Return what became known of a contest."""
    stage, outcome = int(record["stage"][contest]), int(record["outcome"][contest])
    said = int(record["said"][contest])
    elder = 1 - int(record["dealer"])
    decided = outcome != UNDECIDED
    winner = -1
    if decided and outcome != TO_NOBODY:
        winner = elder if outcome == TO_ELDER else 1 - elder
    return Announcement(
        contest=CONTEST_NAMES[contest],
        value=said >> VALUE_SHIFT if stage > SAID_NOTHING else None,
        four=bool(said >> FOUR_SHIFT & 1) if stage >= SAID_FOUR else None,
        length=(said >> LENGTH_SHIFT & 15) or None if stage >= SAID_LENGTH else None,
        top=RANKS[said >> TOP_SHIFT & 15] if stage >= SAID_TOP else None,
        trump=bool(said & 1) if stage >= SAID_TRUMP else None,
        decided_by=_STAGES[stage],
        winner=winner,
        decided=decided,
        points=int(record["declared"][contest]),
        shown=CARDS.of_mask(record["shown"][contest]),
    )


def make_view(record: Any) -> BeloteView:
    """Make the readable view of a view record."""
    leader = int(record["leader"])
    cards = record["trick_card"]
    trump, bottom = int(record["trump"]), int(record["bottom"])
    return BeloteView(
        seat=int(record["seat"]),
        to_act=_seat(record["to_act"]),
        phase=PHASE_NAMES[int(record["phase"])],
        dealer=int(record["dealer"]),
        leader=leader,
        trump=None if trump == NO_SUIT else SUITS[trump],
        taker=_seat(record["taker"]),
        turn_up=CARDS.text(int(record["turn_up"])),
        bottom=None if bottom == NO_CARD else CARDS.text(bottom),
        bids=[ACTION_TEXTS[int(action)] for action in record["bids"][: int(record["bids_n"])]],
        auction_round=int(record["round"]),
        naming=bool(record["naming"]),
        hand=CARDS.of_mask(record["hand"]),
        known=[CARDS.of_mask(mask) for mask in record["known"]],
        concealed=[int(number) for number in record["concealed_n"]],
        absent=[CARDS.of_mask(mask) for mask in record["absent"]],
        trick=[(s, CARDS.text(int(cards[s]))) for s in (leader, 1 - leader) if cards[s] != NO_CARD],
        played=[CARDS.of_mask(mask) for mask in record["played"]],
        won=[CARDS.of_mask(mask) for mask in record["won"]],
        tricks=[int(number) for number in record["tricks"]],
        unseen=CARDS.of_mask(record["unseen"]),
        announcements=[_announcement(record, contest) for contest in range(CONTESTS)],
        exchanged=_seat(record["exchanged"]),
        pair_said=[int(words) for words in record["pair_said"]],
        saying=bool(record["saying"]),
        scores=_pair(record["scores"]),
        match_scores=_pair(record["match_scores"]),
        held=int(record["held"]),
        winner=_seat(record["winner"]),
        deal_number=int(record["deal_no"]),
        redeals=int(record["redeals"]),
        record=record,
    )
