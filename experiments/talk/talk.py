"""What every narrator has: words for the seats, what is typed as an action text, the order of a list of actions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from bezique_env.render.ansi import SUIT_NAMES, SYMBOLS, card_picture, paint
from bezique_env.render.renderers import renderer_of

if TYPE_CHECKING:
    from bezique_env.game import Event, Game

CARD = re.compile(r"^(?:10|[789JQKTA])[SHDC]$")
_LETTERS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C", "♤": "S", "♡": "H", "♢": "D", "♧": "C"}


def canonical_text(typed: str, selecting: bool = False) -> str:
    """Return what was typed as an action text: suits and ranks in capitals, a bare card as a play.

    >>> canonical_text("ks"), canonical_text("Play 10♥ table"), canonical_text("four q"), canonical_text("name ♥")
    ('play KS', 'play TH table', 'four Q', 'name H')
    """
    words = "".join(_LETTERS.get(letter, letter) for letter in typed).split()
    out = []
    for word in words:
        upper = word.upper()
        if CARD.match(upper):
            out.append(upper.replace("10", "T"))
        elif out and len(word) == 1:
            out.append(upper)
        else:
            out.append(word.lower())
    if out and CARD.match(out[0]):
        out.insert(0, "use" if selecting else "play")
    return " ".join(out)


def points_text(points: int) -> str:
    """Return ``for 20``, or nothing where nothing is scored."""
    return f" for {points}" if points else ""


def suit_text(suit: str) -> str:
    """Return a suit in words: ``♠ spades``."""
    return f"{SYMBOLS[suit]} {SUIT_NAMES[suit]}"


class Talk:
    """Tells one seat of a game what it may know. Each family has a class of its own.

    Args:
        game: the game; only its public side and the views of the seat are read.
        seat: the seat that is told.
        write: shows a text.
        color: use ANSI colour codes.
    """

    actions_help: str
    """What may be typed, in the help."""
    example: str
    """An action text."""

    def __init__(self, game: Game, seat: int, write: Callable[[str], None], color: bool) -> None:
        self.game = game
        self.seat = seat
        self.write = write
        self.color = color
        self.renderer = renderer_of(game.variant)

    # -- for every family ----------------------------------------------------------------------------------

    def who(self, seat: int) -> str:
        """Return how a seat is called."""
        return "You" if seat == self.seat else "The opponent"

    def verb(self, seat: int, word: str, third: str = "") -> str:
        """Return a seat with what it does: ``You take``, ``The opponent takes``."""
        return f"{self.who(seat)} {word if seat == self.seat else third or word + 's'}"

    def say(self, text: str, style: str = "") -> None:
        """Write one line."""
        self.write("  " + (paint(text, style, self.color) if style else text))

    def cards(self, cards: Iterable[str], trump: str | None = None) -> str:
        """Return cards for the eye, sorted as in a hand."""
        ordered = sorted(cards, key=lambda card: self.renderer.hand_order(card, trump))
        return " ".join(card_picture(card, self.color) for card in ordered)

    def say_events(self, events: Iterable[Event], style: str = "dim") -> None:
        """Tell points that no action names, a line each."""
        for event in events:
            self.say(f"{event.what}: {event.points:+d} for {self.who(event.seat).lower()}.", style)

    def in_order(self, texts: Sequence[str], trump: str | None) -> list[str]:
        """Return the legal actions as they are listed: what is no play first, cards as in a hand, pass last."""
        plays = [text for text in texts if text.startswith(("play ", "use "))]
        plays.sort(
            key=lambda text: (text.endswith(" table"), self.renderer.hand_order(text.split()[1], trump))
        )
        others = [text for text in texts if text != "pass" and not text.startswith(("play ", "use "))]
        return [*others, *plays, *(["pass"] if "pass" in texts else [])]

    def deal_end(self) -> None:
        """Tell how the last finished deal ended."""
        scores = self.game.deals[-1]["scores"]
        mine, theirs = scores[self.seat], scores[1 - self.seat]
        number = sum(bool(deal["events"]) for deal in self.game.deals)  # hands annulled are not counted
        self.say(f"Deal {number} ends: you {mine}, opponent {theirs}.", "title")

    # -- of a family ---------------------------------------------------------------------------------------

    def gain(self, action: int) -> int:
        """Return the points that an action is certain to score at once, as far as the seat can know."""
        return 0

    def deal_start(self) -> None:
        """Tell who deals and what lies open."""
        raise NotImplementedError

    def narrate(
        self, actor: int, text: str, before: Any, after: Any, events: Sequence[Event], new_deal: bool
    ) -> None:
        """Tell what one action did, as far as the seat may see it.

        Args:
            actor: who acted.
            text: the action.
            before: the seat's view before it.
            after: the seat's view after it.
            events: the points that it brought.
            new_deal: ``after`` is of the next deal.
        """
        raise NotImplementedError

    def paid(self, points: int) -> str:
        """Return what is added to the result of a game that pays so many points to the seat."""
        return ""
