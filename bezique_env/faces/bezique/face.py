"""The readable side of the Bezique family."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bezique_env.cards import NO_CARD
from bezique_env.engine.bezique import kernels as kn
from bezique_env.engine.bezique import state as st
from bezique_env.engine.bezique.actions import ACTIONS, CARTE_BLANCHE, MARRIAGE, PASS, PLAY_TABLE
from bezique_env.faces.bezique.position import PositionSpec, check_cut, position_state, read_position
from bezique_env.faces.bezique.view import BeziqueView, make_view
from bezique_env.faces.face import Face, Line, Mark
from bezique_env.rules import Rules
from bezique_env.rules.bezique.cards import CARD_TEXTS, CARDS
from bezique_env.rules.bezique.index import CUT_LEAST, CUT_MOST

if TYPE_CHECKING:
    from bezique_env.game import Game


class BeziqueFace(Face):
    """See :class:`bezique_env.faces.face.Face`."""

    family = "bezique"
    deal_events = frozenset({"turned seven", "cut", "cut guess"})
    carried = ("match_scores", "last_trump", "deal_no")
    numbers = 2  # the cut

    def view(self, record: Any) -> BeziqueView:
        """Return the readable view of a view record."""
        return make_view(record)

    def hand(self, state: Any, seat: int) -> list[str]:
        """Return the concealed cards of a seat."""
        return CARDS.listed(state["hand"][seat])

    def table(self, state: Any, seat: int) -> list[str]:
        """Return the cards on the table of a seat, in the order laid."""
        count = int(state["table_n"][seat])
        return [CARD_TEXTS[int(card)] for card in state["table_card"][seat][:count]]

    def deck(self, state: Any) -> bytes:
        """Return the cards of the deck in dealing order, as ids."""
        cards: bytes = (state["deck"] & st.CARD_BITS).tobytes()
        return cards

    def scores_cut(self, rules: Rules) -> bool:
        """Return whether the rules have the cut bonus."""
        return bool(rules.options.cut_bonus == "on")

    def check_cut(self, cut: Sequence[int] | None, rules: Rules) -> tuple[int, int] | None:
        """Return a cut (cards lifted, number guessed), None when it is left to the seed."""
        return check_cut(cut, rules)

    def cut_numbers(self) -> range:
        """Return the numbers of cards that can be lifted, and guessed."""
        return range(CUT_LEAST, CUT_MOST + 1)

    def cut(self, state: Any) -> tuple[int, int] | None:
        """Return the cut of a deal, None without cut bonus."""
        lifted, guess = state["cut"].tolist()
        return (lifted, guess) if lifted else None

    def sentence(self, game: Game, code: int, action: int) -> str:
        """Return why an action is refused, as one sentence with the rule."""
        state = game.state
        card = CARD_TEXTS[action & 31]
        seat = game.seat_to_act
        other = 1 - seat
        led = int(state["trick_card"][other]) if seat >= 0 else NO_CARD
        led_text = CARD_TEXTS[led] if led != NO_CARD else ""
        meld = game.action_text(action)
        on_table = seat >= 0 and bool(state["table_count"][seat][action & 31])
        laid = " (one lies on the table: name it with 'table')" if on_table else ""
        options: Any = game.rules.options
        melds = (
            f"section 7, reform {options.reform!r}, {options.double_bezique!r}, {options.seq_then_marriage!r}"
        )
        sentences = {
            kn.WHY_OVER: "the game is over.",
            kn.WHY_WINDOW_OPEN: "the declaring window is open: declare, exchange or pass before a card is led.",
            kn.WHY_NO_WINDOW: "it is for the winner of a stock-phase trick, before the draw (rules section 4).",
            kn.WHY_NOT_IN_HAND: f"there is no {card} in the hand{laid}.",
            kn.WHY_NOT_ON_TABLE: f"there is no {card} on the seat's table.",
            kn.WHY_FOLLOW: f"the hand holds the suit of {led_text} and must follow it in the endgame (A12).",
            kn.WHY_HEAD: f"the hand holds a card of the suit that beats {led_text} and must play one (endgame, A12).",
            kn.WHY_TRUMP: f"void in the suit of {led_text}, the hand holds trumps and must trump in the endgame (A12).",
            kn.WHY_NO_SUCH_MELD: f"{meld!r} scores nothing in these rules now (sections 6 and 9, A17, A19, A20).",
            kn.WHY_DECLARED: "the declaration of this window has been used (A2, A8).",
            kn.WHY_MISSING: f"the seat does not hold the cards of {meld!r}, hand and table together (section 4).",
            kn.WHY_SERVED: f"the copies held have already served in such a meld ({melds}).",
            kn.WHY_NO_SEVEN: "the seat has no trump seven that may be used for it (A7, A8).",
            kn.WHY_NO_TURN_UP: "there is no turn-up to exchange for.",
            kn.WHY_TURN_UP_SEVEN: "the turn-up is a seven itself.",
            kn.WHY_EXCHANGED: "one exchange in a window.",
            kn.WHY_SEVEN_RULE: f"under dix_score {options.dix_score!r} a trump seven is not shown here (A7, A26).",
            kn.WHY_SELECTING: "the cards of a declaration are being chosen: continue with 'use ...'.",
            kn.WHY_CANNOT_COMPLETE: "with this copy the declaration cannot be completed (section 7).",
            kn.WHY_CARTE_BLANCHE: "carte blanche is asked: show it with 'carte blanche' or 'pass' (A10).",
            kn.WHY_NOT_ASKED: "carte blanche is shown before the first lead, or after a draw, when it is asked (A10).",
            kn.WHY_OPEN_CARD: "open cards are won and are never played again (section 5.4).",
            kn.WHY_LATEST_TRICK: f"no allowed combination has a card of this trick ({melds}; section 12, Fildinski).",
        }
        return sentences[code]

    def seen(self, state: Any, seat: int, actions: Sequence[tuple[int, int]]) -> list[bool]:
        """Return which actions a seat has seen: passes of the other seat are not seen."""
        return [actor == seat or action != PASS for actor, action in actions]

    def waits_unseen(self, state: Any) -> bool:
        """Return whether a declaring window or carte blanche is open: it may be passed unseen."""
        return int(state["phase"]) in (st.DECLARE, st.CARTE_BLANCHE)

    def answers(self, state: Any, final: Any, action: int) -> bool:
        """Return whether an action seen later was done in what is asked now."""
        shows = int(state["phase"]) == st.CARTE_BLANCHE
        return MARRIAGE <= action < PASS and (action == CARTE_BLANCHE) == shows

    def opening(self, view: BeziqueView, state: Any) -> Line:
        """Return the first line of a deal: all that the seat sees before the first action."""
        start = view.to_dict()
        if start["phase"] == "carte_blanche":
            start.update(phase="lead", to_act=start["leader"])  # whether the other seat was asked is not seen
        cut = tuple(float(number) / CUT_MOST for number in view.cut) if view.cut is not None else ()
        marks = [Mark(card=CARDS.id(card)) for card in view.hand]
        if view.turn_up is not None:
            marks.append(Mark(card=CARDS.id(view.turn_up)))
        if cut:
            marks.append(Mark(numbers=cut))
        return Line("deal " + json.dumps(start, separators=(",", ":")), tuple(marks))

    def told(
        self, before: Any, after: Any, seat: int, actor: int, action: int, chosen: tuple[int, ...]
    ) -> tuple[list[Line], tuple[int, ...]]:
        """Return what a seat saw of an action: what was shown by it, and the seat's own draw."""
        lines: list[Line] = []
        selecting = int(before["phase"]) == st.SELECT
        goes_on = int(after["phase"]) == st.SELECT
        if actor == seat or not (selecting or goes_on or action == PASS):
            tokens = after["told"][actor][int(before["told_n"][actor]) : int(after["told_n"][actor])]
            shown = [int(token) & st.CARD_BITS for token in tokens if token < st.TOLD_ABSENT]
            if action < MARRIAGE:
                shown = []
            text = f"{actor} {ACTIONS.text(action, selecting)}"
            text += f" shows {' '.join(CARD_TEXTS[card] for card in shown)}" if shown else ""
            marks = (Mark(actor, action), *(Mark(actor, card=card) for card in shown))
            lines.append(Line(text, marks))
        elif action != PASS:
            # The other seat's selection is seen when it is complete: what came down in order, the rest as a set.
            chosen = (*chosen, action)
            if goes_on:
                return lines, chosen
            meld, *uses = chosen
            laid = [use for use in uses if use < PLAY_TABLE]
            rest = sorted((use for use in uses if use >= PLAY_TABLE), key=lambda use: ACTIONS.text(use, True))
            words = ", ".join(ACTIONS.text(use, True) for use in laid + rest)
            marks = tuple(Mark(actor, step) for step in (meld, *laid, *rest))
            lines.append(Line(f"{actor} {ACTIONS.text(meld)}: {words}", marks))
            chosen = ()
        places = np.flatnonzero(after["deck"] >> st.OWNER_SHIFT == seat)
        owned = int(np.count_nonzero(before["deck"] >> st.OWNER_SHIFT == seat))
        if len(places) != owned:
            drawn = [int(card) for card in after["deck"][places[owned:]] & st.CARD_BITS]
            marks = tuple(Mark(card=card) for card in drawn)
            lines.append(Line("draw " + " ".join(CARD_TEXTS[card] for card in drawn), marks))
        return lines, chosen

    def read_position(self, data: dict[str, Any], rules: Rules) -> PositionSpec:
        """Check a position."""
        return read_position(data, rules)

    def position_state(
        self, spec: PositionSpec, games: NDArray[Any], vector: NDArray[Any], tmp: NDArray[Any]
    ) -> None:
        """Write a checked position into row 0 of ``games``."""
        position_state(spec, games, vector, tmp)
