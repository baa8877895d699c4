"""What is told of the games of the Bezique family."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bezique_env.render.ansi import card_picture
from experiments.talk.talk import Talk, points_text, suit_text

if TYPE_CHECKING:
    from bezique_env.game import Event

_SILENT = ("brisques", "last trick", "trump seven", "turned seven", "bezique withdrawn", "cut", "cut guess")
"""Points that no action names."""


def _table(view: Any, seat: int) -> Counter[str]:
    return Counter(card for card, _ in view.tables[seat])


def _taken(view: Any, seat: int) -> int:
    """Return how many won cards of a seat lie turned down or open."""
    return len(view.won[seat]) + (len(view.tables[seat]) if view.open_cards else 0)


class BeziqueTalk(Talk):
    """See :class:`experiments.talk.talk.Talk`."""

    actions_help = """\
  play KS        play a king of spades from the hand; "KS" or "ks" alone does the same
  play KS table  play the copy that lies on the table
  marriage S, sequence S, bezique 1, four Q, four trump A, seven, exchange,
  carte blanche, pass   (when listed)"""
    example = "marriage S"

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self._chosen: dict[int, str] = {}
        """The declaration for which each seat is choosing cards."""

    def gain(self, action: int) -> int:
        """Return what a declaration scores now (0 if it is not settled by this one action)."""
        twin = self.game.clone()
        text = twin.action_text(action)
        return sum(e.points for e in twin.apply(action) if e.seat == self.seat and e.what == text)

    def deal_start(self) -> None:
        """Tell who deals and what was turned."""
        game = self.game
        view: Any = game.view(self.seat)
        dealer = "You deal" if game.dealer == self.seat else "The opponent deals"
        leader = "the opponent leads" if game.dealer == self.seat else "you lead"
        turned = f" Turned for trump: {card_picture(view.turn_up, self.color)}." if view.turn_up else ""
        no_trump = " No trump yet." if view.trump is None else ""
        self.say(f"{dealer}, {leader}.{turned}{no_trump}", "title")
        if view.cut is not None:
            self.say(f"The dealer lifts {view.cut[0]} cards; the guess was {view.cut[1]}.")
        self.say_events(game.events)

    def narrate(
        self, actor: int, text: str, before: Any, after: Any, events: Sequence[Event], new_deal: bool
    ) -> None:
        """Tell what one action did, as far as the seat may see it."""
        if after.phase == "select" and not text.startswith("use "):
            self._chosen[actor] = text
            if actor == self.seat:
                name = self.renderer.pretty_action(text, self.color)
                self.say(f"Now choose the cards of {name}, one at a time.")
            return
        scored = {event.what: event.points for event in events if event.seat == actor}
        shown: list[str] = []
        if not new_deal:
            shown = list((_table(after, actor) - _table(before, actor)).elements())
        if text.startswith("play "):
            self._tell_play(actor, text, before, after, new_deal)
        elif text == "exchange":
            turned = f" for {card_picture(before.turn_up, self.color)}" if before.turn_up else ""
            did = self.verb(actor, "exchange")
            self.say(f"{did} the trump seven{turned}{points_text(scored.get('exchange', 0))}.")
        elif text == "carte blanche":
            faces = self.cards(after.hand if actor == self.seat else after.known[actor], after.trump)
            did = self.verb(actor, "show")
            self.say(f"{did} carte blanche{points_text(scored.get(text, 0))}: {faces}.", "bold")
        elif text.startswith("use "):
            if after.phase != "select" and (shown or scored):
                started = self._chosen.pop(actor, "a declaration")
                self._tell_declaration(actor, started, shown, scored, after.trump)
        elif text != "pass":
            self._tell_declaration(actor, text, shown, scored, after.trump)
        self.say_events(event for event in events if event.what in _SILENT)
        if new_deal:
            return
        if before.trump is None and after.trump is not None:
            self.say(f"Trump is now {suit_text(after.trump)}.", "bold")
        self._tell_draw(actor, text, before, after)

    def _tell_play(self, actor: int, text: str, before: Any, after: Any, new_deal: bool) -> None:
        card = text.split()[1]
        place = " from the table" if text.endswith(" table") else ""
        did = f"{self.verb(actor, 'answer')} with" if before.trick else self.verb(actor, "lead")
        self.say(f"{did} {card_picture(card, self.color)}{place}.")
        if before.trick and not new_deal:
            winners = [s for s in range(len(after.won)) if _taken(after, s) > _taken(before, s)]
            if winners:
                played = [c for _, c in before.trick] + [card]
                trick = " ".join(card_picture(c, self.color) for c in played)
                self.say(f"{self.verb(winners[0], 'take')} the trick {trick}.", "bold")

    def _tell_declaration(
        self, actor: int, text: str, shown: Sequence[str], scored: Mapping[str, int], trump: str | None
    ) -> None:
        points = points_text(scored.get(text, 0))
        cards = f", showing {self.cards(shown, trump)}" if shown else ""
        name = self.renderer.pretty_action(text, self.color)
        if text == "seven":
            self.say(f"{self.verb(actor, 'show')} the trump seven{points}.", "bold")
        elif points:
            self.say(f"{self.verb(actor, 'declare')} {name}{points}{cards or ' from the table'}.", "bold")
        else:
            self.say(f"{self.verb(actor, 'lay')} {name} without scoring{cards}.")

    def _tell_draw(self, actor: int, text: str, before: Any, after: Any) -> None:
        mine_before, mine_after = Counter(before.hand), Counter(after.hand)
        if not after.open_cards:  # open cards were won, not drawn
            mine_before += _table(before, self.seat)
            mine_after += _table(after, self.seat)
        if actor == self.seat and text.startswith("play "):
            mine_before -= Counter([text.split()[1]])  # the same card may come back from the stock
        drawn = mine_after - mine_before
        if text == "exchange" and actor == self.seat and before.turn_up:
            drawn -= Counter([before.turn_up])
        for card in drawn.elements():
            self.say(f"You draw {card_picture(card, self.color)}.")
        if before.stock_left and not after.stock_left:
            stay = "open cards stay" if after.open_cards else "table cards go back to the hands"
            self.say(f"The stock is empty: the {stay}. Now suits must be followed.", "bold")

    def paid(self, points: int) -> str:
        """Return what the game pays."""
        if getattr(self.game.rules, "settlement") == "games":  # noqa: B009
            return ", a double game" if abs(points) == 2 else ""
        return f"; settled {points:+,}" if points else "; nothing is paid"
