"""What the text tables of every family share: colours, cards for the eye, lines of 80 columns.

Nothing here knows a game, and nothing touches a graphics library.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

WIDTH = 80
SUITS = "SHDC"
SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
SUIT_NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
_CODES = {
    "bold": "1",
    "dim": "2",
    "S": "1",
    "H": "1;31",
    "D": "1;33",
    "C": "1;32",
    "trump": "1;30;46",
    "title": "1;36",
    "you": "1;32",
    "them": "1;35",
}
_ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def paint(text: str, style: str, color: bool = True) -> str:
    """Return `text` in one of the styles of this module, or unchanged without colour."""
    return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if color and text else text


def paint_words(text: str, style: str, color: bool) -> str:
    """Paint word by word, so that a line may end after any of them."""
    return " ".join(paint(word, style, color) for word in text.split())


def visible_length(text: str) -> int:
    """Return how many columns a text takes, colour codes left out."""
    return len(_ESCAPES.sub("", text))


def card_picture(card: str, color: bool = True) -> str:
    """Return a card for the eye: ``"KS"`` becomes ``K♠`` in the colour of its suit."""
    return paint(card[0] + SYMBOLS[card[1]], card[1], color)


def suit_picture(suit: str, color: bool = True) -> str:
    """Return a suit for the eye: ``"S"`` becomes ``♠``."""
    return paint(SYMBOLS[suit], suit, color)


def faces(cards: Iterable[str], color: bool = True) -> str:
    """Return cards for the eye, in the order given."""
    return " ".join(card_picture(card, color) for card in cards)


def suit_place(suit: str, trump: str | None) -> int:
    """Return the place of a suit in a hand: trump first, then S H D C."""
    return -1 if suit == trump else SUITS.index(suit)


def hand_line(cards: Iterable[str], trump: str | None, color: bool = True) -> list[str]:
    """Return one piece of text per suit held: the suit, then its ranks; cards come sorted."""
    pieces = []
    groups: dict[str, list[str]] = {}
    for card in cards:
        groups.setdefault(card[1], []).append(card)
    for suit, held in groups.items():
        mark = f"{SYMBOLS[suit]}*" if suit == trump else SYMBOLS[suit]
        head = paint(mark, "trump" if suit == trump else suit, color)
        pieces.append(head + " " + paint(" ".join(card[0] for card in held), suit, color))
    return pieces


def wrap(label: str, pieces: Sequence[str], gap: str = "  ", empty: str = "") -> list[str]:
    """Lay pieces behind a label, over as many lines as they need; a long piece breaks between words."""
    indent = " " * 11
    lines: list[str] = []
    line = f"   {label:<8}"
    used = False
    for piece in pieces or ([empty] if empty else []):
        long = visible_length(piece) > WIDTH - len(indent)
        for number, part in enumerate(piece.split(" ") if long else [piece]):
            between = (" " if number else gap) if used else ""
            if used and visible_length(line) + len(between) + visible_length(part) > WIDTH:
                lines.append(line.rstrip())
                line, between = indent, ""
            line += between + part
            used = True
    return [*lines, line.rstrip()]


def rule(color: bool, char: str = "─") -> str:
    """Return a line across the table."""
    return paint(char * WIDTH, "dim", color)


def spread(left: str, right: str) -> str:
    """Return a line with a text at each end."""
    room = WIDTH - visible_length(left) - visible_length(right)
    return left + " " * max(2, room) + right


def trump_label(trump: str | None, color: bool) -> str:
    """Return the trump suit for the head of a table."""
    if trump is None:
        return paint("no trump yet", "dim", color)
    return "trump " + paint(f" {SYMBOLS[trump]}* {SUIT_NAMES[trump]} ", "trump", color)


def seat_title(
    seat: int, own: bool, notes: Sequence[str], numbers: Sequence[str], score: int, color: bool
) -> str:
    """Return the line above the cards of a seat: its name, notes, numbers and score."""
    left = " " + paint("YOU" if own else "OPPONENT", "you" if own else "them", color)
    left += paint(f" seat {seat}", "dim", color)
    left += "".join("   " + paint(note, "title", color) for note in notes)
    points = "score " + paint(f"{score:>4}", "bold", color)
    return spread(left, "   ".join([*numbers, points]) + " ")


def concealed_line(hidden: int, known: Sequence[str], color: bool) -> list[str]:
    """Return the hand of another seat: so many cards unknown, and those that are known."""
    pieces = []
    if hidden:
        pieces.append(paint(" ".join(["▒▒"] * hidden), "dim", color) + f" {hidden} hidden")
    if known:
        pieces.append("known: " + faces(known, color))
    return wrap("hand", pieces, gap="   ", empty=paint("no cards", "dim", color))


def known_of_you(known: Sequence[str], color: bool) -> list[str]:
    """Return the line that names the own concealed cards that the other seat knows, none without any."""
    if not known:
        return []
    label = paint("your opponent knows of", "dim", color)
    return wrap("", [label, *(card_picture(card, color) for card in known)], " ")
