"""What is told of the games of the Belote family.

To pass an exchange or an announcement is not noticed, nor is the announcement of a dealer who finds elder's
value good: nothing is said of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bezique_env.render.ansi import card_picture, suit_picture
from experiments.talk.talk import Talk, points_text, suit_text

if TYPE_CHECKING:
    from bezique_env.game import Event

_BIDS = {"pass": "passes", "propose": "proposes", "agree": "agrees", "refuse": "refuses", "name": "names"}
_SILENT = ("last trick", "all tricks", "settlement", "held")
"""Points that no action names."""


class BeloteTalk(Talk):
    """See :class:`experiments.talk.talk.Talk`."""

    actions_help = """\
  play KS        play the king of spades; "KS" or "ks" alone does the same
  accept, pass, propose (a new deal), agree, refuse, name S,
  exchange, announce, belote   (when listed)"""
    example = "name S"

    def gain(self, action: int) -> int:
        """Return what the word for the pair scores; what an announcement scores is not known before."""
        if self.game.action_text(action) != "belote":
            return 0
        return sum(event.points for event in self.game.clone().apply(action) if event.what == "pair")

    def deal_start(self) -> None:
        """Tell who deals and what was turned up."""
        view: Any = self.game.view(self.seat)
        dealer = "You deal" if view.dealer == self.seat else "The opponent deals"
        elder = "the opponent is" if view.dealer == self.seat else "you are"
        turned = card_picture(view.turn_up, self.color)
        self.say(f"{dealer}, {elder} asked first. Turned up: {turned}.", "title")

    def narrate(
        self, actor: int, text: str, before: Any, after: Any, events: Sequence[Event], new_deal: bool
    ) -> None:
        """Tell what one action did, as far as the seat may see it."""
        if before.taker < 0:
            self._tell_bid(actor, text, before, after)
        elif text == "exchange":
            turned = card_picture(before.turn_up, self.color)
            self.say(f"{self.verb(actor, 'exchange')} the seven of trumps for {turned}.")
        elif text == "belote":
            word = "rebelote" if after.pair_said[actor] == 2 else "belote"
            points = sum(event.points for event in events)
            self.say(f"{self.verb(actor, 'say')} {word}{points_text(points)}.", "bold")
        elif text.startswith("play "):
            self._tell_play(actor, text, before, events)
        if not new_deal:
            self._tell_claims(before, after)
        self.say_events(event for event in events if event.what in _SILENT)

    def deal_end(self) -> None:
        """Tell how the last finished deal ended."""
        if self.game.deals[-1]["events"]:
            super().deal_end()
        else:
            self.say("The hand is annulled.", "title")

    def _tell_bid(self, actor: int, text: str, before: Any, after: Any) -> None:
        word, *suit = text.split()
        if word == "accept":
            turned = suit_picture(before.turn_up[1], self.color)
            self.say(f"{self.verb(actor, 'accept')} {turned}.")
        else:
            told = self.verb(actor, word, _BIDS[word])
            told += " a new deal" if word == "propose" else ""
            self.say(told + "".join(f" {suit_picture(letter, self.color)}" for letter in suit) + ".")
        if after.taker >= 0:
            self.say(
                f"{self.verb(after.taker, 'are', 'is')} the taker; trump is {suit_text(after.trump)}.", "bold"
            )
            more = self.cards(set(after.hand) - set(before.hand), after.trump)
            self.say(f"You get {more}; the bottom card is {card_picture(after.bottom, self.color)}.")

    def _tell_play(self, actor: int, text: str, before: Any, events: Sequence[Event]) -> None:
        card = text.split()[1]
        did = f"{self.verb(actor, 'answer')} with" if before.trick else self.verb(actor, "lead")
        self.say(f"{did} {card_picture(card, self.color)}.")
        named = [event for event in events if event.what in ("sequences", "fours", "pair")]
        if before.trick:
            led = before.trick[0]
            trick = f"{card_picture(led[1], self.color)} {card_picture(card, self.color)}"
            points = [event for event in events if event.what == "trick"]
            winner = points[0].seat if points else self._winner(before, actor, card)
            scored = points_text(sum(event.points for event in points))
            self.say(f"{self.verb(winner, 'take')} the trick {trick}{scored}.", "bold")
        self.say_events(named, "bold")

    def _winner(self, before: Any, actor: int, card: str) -> int:
        """Return who takes a trick of two cards without points."""
        led_by, led = before.trick[0]
        order = self.renderer.hand_order
        if card[1] == led[1]:
            return actor if order(card, before.trump) < order(led, before.trump) else int(led_by)
        return actor if card[1] == before.trump else int(led_by)

    def _tell_claims(self, before: Any, after: Any) -> None:
        """Tell what became known of the announcements."""
        elder = 1 - after.dealer
        for old, new in zip(before.announcements, after.announcements, strict=True):
            if old.value is None and new.value is not None:
                self.say(f"{self.verb(elder, 'announce')} {new.value}.")
            if old.decided or not new.decided:
                continue
            if new.winner < 0:
                self.say("The declarations are equal: nobody scores.", "bold")
                continue
            if new.value is not None:
                answer = "good" if new.winner == elder else "not good"
                self.say(f'{self.verb(after.dealer, "find")} it "{answer}".')
            cards = ": " + " ".join(card_picture(card, self.color) for card in new.shown) if new.shown else ""
            self.say(f"{self.verb(new.winner, 'have', 'has')} {new.points} in {new.contest}{cards}.", "bold")
