"""The readable side of the Belote family."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from bezique_env.cards import NO_CARD, SUITS
from bezique_env.engine.belote import kernels as kn
from bezique_env.engine.belote.actions import ACCEPT, ANNOUNCE, EXCHANGE, NAME, PASS, REFUSE
from bezique_env.engine.belote.state import ANNOUNCE as ASKED_TO_ANNOUNCE
from bezique_env.engine.belote.state import EXCHANGE as ASKED_TO_EXCHANGE
from bezique_env.engine.belote.state import (
    SAID_NOTHING,
    SAID_VALUE,
    STEP_EXCHANGE_AGAIN,
    TO_ELDER,
    UNDECIDED,
    VALUE_SHIFT,
)
from bezique_env.faces.belote.position import PositionSpec, hand_sizes, position_state, read_position
from bezique_env.faces.belote.view import BeloteView, make_view
from bezique_env.faces.face import Face
from bezique_env.rules import Rules
from bezique_env.rules.belote.cards import CARD_TEXTS, CARDS

if TYPE_CHECKING:
    from bezique_env.game import Game

_ENDS_AUCTION = (ACCEPT, REFUSE, *range(NAME, NAME + len(SUITS)))


class BeloteFace(Face):
    """See :class:`bezique_env.faces.face.Face`."""

    family = "belote"
    carried = ("match_scores", "deal_no", "redeals", "held", "given")

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

    def narrate(self, game: Game, seat: int, actions: Sequence[tuple[int, int]]) -> list[str]:
        """Play actions and return what a seat saw, a line each."""
        state = game.state
        start = game.view(seat).to_dict()
        if self.waits_unseen(state) and state["to_act"] != seat:
            start.update(phase="lead", to_act=start["leader"])  # whether the other seat was asked is not seen
        lines = ["deal " + json.dumps(start, separators=(",", ":"))]
        for actor, action in actions:
            bidding = state["taker"] == NO_CARD
            decided = [int(outcome) for outcome in state["outcome"]]
            game.play_on(action)
            text = game.action_text(action)
            if actor == seat or bidding or not self._is_silent(state, actor, action):
                lines.append(f"{actor} {text}")
            if bidding and state["taker"] != NO_CARD:
                more = " ".join(CARD_TEXTS[int(card)] for card in self._later_cards(game, seat))
                lines.append(f"more {more} bottom {CARD_TEXTS[int(state['bottom'])]}")
            if action == ANNOUNCE and actor != state["dealer"]:
                said = zip(state["said"].tolist(), state["stage"].tolist(), strict=True)
                values = [str(key >> VALUE_SHIFT) if stage > SAID_NOTHING else "-" for key, stage in said]
                lines.append("says " + " ".join(values))
            if [int(outcome) for outcome in state["outcome"]] != decided:
                lines.append("announcements " + self._dialogue(state))
        return lines

    def _later_cards(self, game: Game, seat: int) -> list[int]:
        """Return the cards that a seat got after the auction."""
        first, hand = hand_sizes(game.rules)
        more = hand - first
        start = len(game.state["scores"]) * first + 1 + (more if seat == game.dealer else 0)
        cards: list[int] = game.state["deck"][start : start + more].tolist()
        return cards

    def _dialogue(self, state: Any) -> str:
        """Return what is known of the announcements."""
        contests = []
        for said, stage, outcome, points, shown in zip(
            state["said"].tolist(),
            state["stage"].tolist(),
            state["outcome"].tolist(),
            state["declared"].tolist(),
            state["shown"].tolist(),
            strict=True,
        ):
            if stage == SAID_NOTHING and outcome == UNDECIDED:
                continue
            contests.append(f"{said}/{stage} {outcome} {points} {' '.join(CARDS.of_mask(shown))}".strip())
        return "; ".join(contests)

    def read_position(self, data: dict[str, Any], rules: Rules) -> PositionSpec:
        """Check a position."""
        return read_position(data, rules)

    def position_state(
        self, spec: PositionSpec, games: NDArray[Any], vector: NDArray[Any], tmp: NDArray[Any]
    ) -> None:
        """Write a checked position into row 0 of ``games``."""
        position_state(spec, games, vector, tmp)
