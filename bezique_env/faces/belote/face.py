"""The readable side of the Belote family."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from bezique_env.cards import NO_CARD, SUITS
from bezique_env.engine.belote import kernels as kn
from bezique_env.engine.belote.actions import ACCEPT, ACTIONS, ANNOUNCE, EXCHANGE, NAME, PASS, REFUSE
from bezique_env.engine.belote.state import ANNOUNCE as ASKED_TO_ANNOUNCE
from bezique_env.engine.belote.state import EXCHANGE as ASKED_TO_EXCHANGE
from bezique_env.engine.belote.state import (
    KEY_SHIFTS,
    SAID_NOTHING,
    SAID_VALUE,
    STEP_EXCHANGE_AGAIN,
    TO_ELDER,
    UNDECIDED,
    VALUE_SHIFT,
)
from bezique_env.faces.belote.position import PositionSpec, position_state, read_position
from bezique_env.faces.belote.view import BeloteView, make_view
from bezique_env.faces.face import Face, Line, Mark
from bezique_env.rules import Rules
from bezique_env.rules.belote.cards import CARD_TEXTS, CARDS

if TYPE_CHECKING:
    from bezique_env.game import Game

_ENDS_AUCTION = (ACCEPT, REFUSE, *range(NAME, NAME + len(SUITS)))

_SCALES = (200, 15, 8, 7, 1)
"""Of the parts of what was said: value, four of a kind, length, top rank, trump."""


def _cards(mask: int) -> list[int]:
    """Return the ids of the cards of a mask, ascending."""
    return [card for card in range(len(CARD_TEXTS)) if mask >> card & 1]


def _numbers(
    contest: int, stage: int = 0, outcome: int = 0, points: int = 0, said: int = 0
) -> tuple[float, ...]:
    """Return the numbers of a mark about the announcements of a contest; different ones for different facts."""
    parts = []
    for shift, scale in zip(KEY_SHIFTS, _SCALES, strict=True):
        parts.append((said >> shift) / scale)
        said &= (1 << shift) - 1
    return (float(contest == 0), float(contest == 1), stage / 5, outcome / 3, points / 500, *parts)


class BeloteFace(Face):
    """See :class:`bezique_env.faces.face.Face`."""

    family = "belote"
    carried = ("match_scores", "deal_no", "redeals", "held", "given")
    numbers = 5 + len(KEY_SHIFTS)  # of the announcements

    def view(self, record: Any) -> BeloteView:
        """Return the readable view of a view record."""
        return make_view(record)

    def hand(self, state: Any, seat: int) -> list[str]:
        """Return the concealed cards of a seat."""
        return CARDS.of_mask(state["hand"][seat])

    def deck(self, state: Any) -> bytes:
        """Return the cards of the deck in dealing order, as ids."""
        cards: bytes = state["deck"].tobytes()
        return cards

    def sentence(self, game: Game, code: int, action: int) -> str:
        """Return why an action is refused, as one sentence with the rule."""
        state = game.state
        card = CARD_TEXTS[action & 31]
        seat = game.seat_to_act
        led = int(state["trick_card"][1 - seat]) if seat >= 0 else NO_CARD
        led_text = CARD_TEXTS[led] if led != NO_CARD else ""
        options: Any = game.rules.options
        turned = CARD_TEXTS[int(state["turn_up"])][1]
        sentences = {
            kn.WHY_OVER: "the game is over.",
            kn.WHY_AUCTION: "the auction is not over (section 2.2).",
            kn.WHY_ANSWER: "a new deal is proposed: agree or refuse (section 2.2).",
            kn.WHY_NOT_AUCTION: "the auction is over (section 2.2).",
            kn.WHY_NO_PROPOSAL: "no new deal is proposed that could be answered (section 2.2).",
            kn.WHY_ROUND_ONE: "in round 1 the turned suit is accepted or not, no suit is named (section 2.2).",
            kn.WHY_ROUND_TWO: f"in round 2 the turned suit {turned} is accepted no more (section 2.2).",
            kn.WHY_TURNED_SUIT: f"in round 2 another suit than the turned suit {turned} is named (section 2.2).",
            kn.WHY_MAY_NOT_NAME: f"elder may not name a suit under r2_elder_actions "
            f"{options.r2_elder_actions!r} (A6).",
            kn.WHY_MUST_NAME: "the proposal was refused: its proposer must name a suit (section 2.2).",
            kn.WHY_NO_PROPOSE: f"no new deal may be proposed here: schmeiss {options.schmeiss!r}, "
            f"r2_dealer_may_propose {options.r2_dealer_may_propose} (A7).",
            kn.WHY_FORCED: f"under all_pass {options.all_pass!r} the dealer may not pass in round 2.",
            kn.WHY_WINDOW: "exchanging or announcing is asked: do it or pass (section 11).",
            kn.WHY_NOT_ASKED: "it is for the time before the first lead, when it is asked (section 11).",
            kn.WHY_NOT_IN_HAND: f"there is no {card} in the hand.",
            kn.WHY_FOLLOW: f"the hand holds the suit of {led_text} and must follow it (section 2.7).",
            kn.WHY_BEAT: f"trump is led and the hand holds a trump that beats {led_text} (section 2.7).",
            kn.WHY_TRUMP: f"void in the suit of {led_text}, the hand holds trumps and must trump (section 2.7).",
            kn.WHY_SAYING: "the pair was said: its king or queen must be played (section 11).",
            kn.WHY_NO_PAIR: "the seat was not dealt king and queen of trumps (section 2.6).",
            kn.WHY_PAIR_LATE: f"the pair was said or is past its time, belote_call_deadline "
            f"{options.belote_call_deadline!r} (A12).",
            kn.WHY_PAIR_CARD: "neither king nor queen of trumps may be played now (section 11).",
            kn.WHY_PAIR_AUTO: "under belote_auto the pair is announced by itself.",
        }
        return sentences[code]

    def seen(self, state: Any, seat: int, actions: Sequence[tuple[int, int]]) -> list[bool]:
        """Return which actions a seat has seen.

        Passes of the auction are seen; to pass an exchange or an announcement is not, nor is the announcement
        of a dealer who finds elder's value good.
        """
        ends = [k for k, (_, action) in enumerate(actions) if action in _ENDS_AUCTION]
        bids = ends[-1] + 1 if ends else 0
        if not ends and state["taker"] == NO_CARD:
            bids = len(actions)
        return [
            actor == seat or k < bids or not self._is_silent(state, actor, action)
            for k, (actor, action) in enumerate(actions)
        ]

    def _is_silent(self, state: Any, actor: int, action: int) -> bool:
        """Return whether an action after the auction is not noticed: it says no more than "good"."""
        if action != ANNOUNCE or actor != state["dealer"]:
            return action == PASS
        heard = False
        for outcome, stage in zip(state["outcome"].tolist(), state["stage"].tolist(), strict=True):
            heard |= outcome not in (UNDECIDED, TO_ELDER) or stage > SAID_VALUE
        return not heard

    def waits_unseen(self, state: Any) -> bool:
        """Return whether an exchange or an announcement is asked: it may be passed unseen."""
        return int(state["phase"]) in (ASKED_TO_EXCHANGE, ASKED_TO_ANNOUNCE)

    def answers(self, state: Any, final: Any, action: int) -> bool:
        """Return whether an action seen later was done in what is asked now."""
        if int(state["phase"]) == ASKED_TO_ANNOUNCE:
            return action == ANNOUNCE
        late = int(state["step"]) >= STEP_EXCHANGE_AGAIN
        return action == EXCHANGE and late == bool(final["late_exchange"])

    def same_spot(self, state: Any, final: Any) -> bool:
        """Return whether two states of one deal ask the same seat the same."""
        return all(bool(state[name] == final[name]) for name in ("phase", "to_act", "step"))

    def opening(self, view: BeloteView, state: Any) -> Line:
        """Return the first line of a deal: all that the seat sees before the first action."""
        start = view.to_dict()
        if self.waits_unseen(state) and state["to_act"] != view.seat:
            start.update(phase="lead", to_act=start["leader"])  # whether the other seat was asked is not seen
        marks = [Mark(card=CARDS.id(card)) for card in view.hand]
        marks.append(Mark(card=int(state["turn_up"])))
        return Line("deal " + json.dumps(start, separators=(",", ":")), tuple(marks))

    def told(
        self, before: Any, after: Any, seat: int, actor: int, action: int, chosen: tuple[int, ...]
    ) -> tuple[list[Line], tuple[int, ...]]:
        """Return what a seat saw of an action, of the cards dealt after the auction, and of what was said."""
        lines: list[Line] = []
        bidding = before["taker"] == NO_CARD
        if actor == seat or bidding or not self._is_silent(after, actor, action):
            lines.append(Line(f"{actor} {ACTIONS.text(action)}", (Mark(actor, action),)))
        if bidding and after["taker"] != NO_CARD:
            more = _cards(int(after["hand"][seat]) & ~int(before["hand"][seat]))
            bottom = int(after["bottom"])
            text = f"more {' '.join(CARD_TEXTS[card] for card in more)} bottom {CARD_TEXTS[bottom]}"
            lines.append(Line(text, tuple(Mark(card=card) for card in (*more, bottom))))
        if action == ANNOUNCE and actor != after["dealer"]:
            said = list(zip(after["said"].tolist(), after["stage"].tolist(), strict=True))
            values = [key >> VALUE_SHIFT if stage > SAID_NOTHING else None for key, stage in said]
            text = "says " + " ".join("-" if value is None else str(value) for value in values)
            marks = [
                Mark(actor, numbers=_numbers(contest, said=value << VALUE_SHIFT))
                for contest, value in enumerate(values)
                if value is not None
            ]
            lines.append(Line(text, tuple(marks)))
        if after["outcome"].tolist() != before["outcome"].tolist():
            lines.append(self._dialogue(after))
        return lines, chosen

    def _dialogue(self, state: Any) -> Line:
        """Return what is known of the announcements."""
        texts: list[str] = []
        marks: list[Mark] = []
        for contest, (said, stage, outcome, points, shown) in enumerate(
            zip(
                state["said"].tolist(),
                state["stage"].tolist(),
                state["outcome"].tolist(),
                state["declared"].tolist(),
                state["shown"].tolist(),
                strict=True,
            )
        ):
            if stage == SAID_NOTHING and outcome == UNDECIDED:
                continue
            texts.append(f"{said}/{stage} {outcome} {points} {' '.join(CARDS.of_mask(shown))}".strip())
            marks.append(Mark(numbers=_numbers(contest, stage, outcome, points, said)))
            marks += [Mark(card=card) for card in _cards(shown)]
        return Line("announcements " + "; ".join(texts), tuple(marks))

    def read_position(self, data: dict[str, Any], rules: Rules) -> PositionSpec:
        """Check a position."""
        return read_position(data, rules)

    def position_state(
        self, spec: PositionSpec, games: NDArray[Any], vector: NDArray[Any], tmp: NDArray[Any]
    ) -> None:
        """Write a checked position into row 0 of ``games``."""
        position_state(spec, games, vector, tmp)
