"""The table as text: what one seat sees, at 80 columns, with or without colour.

Everything is taken from a :class:`~bezique_env.view.View`, which holds what its seat may know and nothing
more, so this text cannot give a card away. Nothing here touches a graphics library.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from bezique_env.cards import CARD_TEXTS

if TYPE_CHECKING:
    from bezique_env.view import View

WIDTH = 80
_HAND_CODE = 64
"""In a selection, codes from here on are cards of the hand, smaller ones places on the table."""
SUITS = "SHDC"
RANKS = "ATKQJ987"
"""Ranks from the highest to the lowest, as a hand is sorted."""
SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
SUIT_NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
_RANK_NAMES = {"A": "aces", "T": "tens", "K": "kings", "Q": "queens", "J": "jacks"}
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
_ACTION_CARD = re.compile(r"^(play|use) ([789JQKTA])([SHDC])( table)?$")


def paint(text: str, style: str, color: bool = True) -> str:
    """Return `text` in one of the styles of this module, or unchanged without colour."""
    return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if color and text else text


def visible_length(text: str) -> int:
    """Return how many columns a text takes, colour codes left out."""
    return len(_ESCAPES.sub("", text))


def card_picture(card: str, color: bool = True) -> str:
    """Return a card for the eye: ``"KS"`` becomes ``K♠`` in the colour of its suit."""
    return paint(card[0] + SYMBOLS[card[1]], card[1], color)


def hand_order(card: str, trump: str | None = None) -> tuple[int, int]:
    """Return the sorting key of a card: trumps first, then S H D C, high ranks first."""
    return (-1 if card[1] == trump else SUITS.index(card[1]), RANKS.index(card[0]))


def _wrap(label: str, pieces: Sequence[str], gap: str = "  ", empty: str = "") -> list[str]:
    """Lay pieces behind a label, over as many lines as they need."""
    indent = " " * 11
    lines: list[str] = []
    line = f"   {label:<8}"
    used = False
    for piece in pieces or ([empty] if empty else []):
        if used and visible_length(line) + len(gap) + visible_length(piece) > WIDTH:
            lines.append(line)
            line, used = indent, False
        line += (gap if used else "") + piece
        used = True
    return [*lines, line.rstrip()]


def hand_line(cards: Iterable[str], trump: str | None, color: bool = True) -> list[str]:
    """Return one piece of text per suit held: the suit, then its ranks from high to low."""
    pieces = []
    groups: dict[str, list[str]] = {}
    for card in sorted(cards, key=lambda c: hand_order(c, trump)):
        groups.setdefault(card[1], []).append(card)
    for suit, held in groups.items():
        mark = f"{SYMBOLS[suit]}*" if suit == trump else SYMBOLS[suit]
        head = paint(mark, "trump" if suit == trump else suit, color)
        pieces.append(head + " " + paint(" ".join(card[0] for card in held), suit, color))
    return pieces


def table_groups(cards: Sequence[tuple[str, Sequence[str]]]) -> list[tuple[list[str], tuple[str, ...]]]:
    """Group the cards of a table by what they have been used for, in the order laid."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for card, uses in cards:
        names = []
        for use in uses:
            names.append(
                f"four {_RANK_NAMES[card[0]]}" if use == "four" and card[0] in _RANK_NAMES else str(use)
            )
        groups.setdefault(tuple(names), []).append(card)
    return [(held, uses) for uses, held in groups.items()]


def _table_pieces(cards: Sequence[tuple[str, Sequence[str]]], trump: str | None, color: bool) -> list[str]:
    pieces = []
    for held, uses in table_groups(cards):
        faces = " ".join(card_picture(c, color) for c in sorted(held, key=lambda c: hand_order(c, trump)))
        pieces.append(faces + " " + paint("(" + (" + ".join(uses) or "not used yet") + ")", "dim", color))
    return pieces


def _rule(color: bool, char: str = "─") -> str:
    return paint(char * WIDTH, "dim", color)


def _spread(left: str, right: str) -> str:
    room = WIDTH - visible_length(left) - visible_length(right)
    return left + " " * max(2, room) + right


def _header(view: View, color: bool) -> str:
    if view.trump is None:
        trump = paint("no trump yet", "dim", color)
    else:
        mark = f" {SYMBOLS[view.trump]}* {SUIT_NAMES[view.trump]} "
        trump = "trump " + paint(mark, "trump", color)
    if view.stock_left:
        stock = f"stock {view.stock_left}"
        if view.turn_up is not None:
            stock += f"   turn-up {card_picture(view.turn_up, color)}"
    else:
        stock = paint("stock empty: endgame", "bold", color)
    return _spread(" " + trump + "   " + stock, f"dealer: {_who(view, view.dealer)} ")


def _who(view: View, seat: int) -> str:
    if seat == view.seat:
        return "you"
    return "opponent" if len(view.scores) == 2 else f"seat {seat}"


def _seat_title(view: View, seat: int, color: bool) -> str:
    name = "YOU" if seat == view.seat else "OPPONENT"
    left = (
        " "
        + paint(name, "you" if seat == view.seat else "them", color)
        + paint(f" seat {seat}", "dim", color)
    )
    tricks = len(view.won[seat]) // 2
    numbers = [f"tricks {tricks:>2}", f"brisques {view.brisques[seat]:>2}"]
    if tuple(view.match_scores) != tuple(view.scores):
        numbers.append(f"match {view.match_scores[seat]}")
    score = "score " + paint(f"{view.scores[seat]:>4}", "bold", color)
    return _spread(left, "   ".join([*numbers, score]) + " ")


def _concealed(view: View, seat: int, color: bool) -> list[str]:
    known = sorted(view.known[seat], key=lambda c: hand_order(c, view.trump))
    hidden = int(view.concealed[seat]) - len(known)
    pieces = []
    if hidden:
        pieces.append(paint(" ".join(["▒▒"] * hidden), "dim", color) + f" {hidden} hidden")
    if known:
        pieces.append("known: " + " ".join(card_picture(c, color) for c in known))
    return _wrap("hand", pieces, gap="   ", empty=paint("no cards", "dim", color))


def _trick(view: View, color: bool) -> str:
    label = f"   {'trick':<8}"
    if view.trick:
        return label + "   ".join(
            f"{_who(view, seat)} {card_picture(card, color)}" for seat, card in view.trick
        )
    leader = _who(view, view.leader)
    if view.phase == "over":
        text = f"{leader} took the last one"
    elif not any(view.won):
        text = f"{leader} lead{'' if view.leader == view.seat else 's'} the first one"
    else:
        text = f"{leader} took the last one" + ("" if view.phase in ("declare", "select") else " and lead")
        text += "" if view.leader == view.seat or view.phase in ("declare", "select") else "s"
    return label + paint(text, "dim", color)


_PROMPTS = {
    "lead": "lead a card",
    "follow": "answer the lead: any card",
    "declare": "you took the trick: declare, or pass",
    "select": "choose the cards of the declaration",
    "endgame_lead": "lead a card",
    "endgame_follow": "answer the lead; suit must be followed",
}


def _turn(view: View, color: bool) -> str:
    if view.phase == "over" or view.to_act < 0:
        if view.winner < 0:
            return " " + paint("The game is over: a tie.", "title", color)
        won = "you win" if view.winner == view.seat else f"{_who(view, view.winner)} wins"
        return " " + paint(f"The game is over: {won}{' double' if view.double else ''}.", "title", color)
    if view.to_act == view.seat:
        return " " + paint("YOUR MOVE", "you", color) + "  " + _PROMPTS.get(view.phase, view.phase)
    doing = "is at the declaring window" if view.phase in ("declare", "select") else "is to play"
    return " " + paint(f"The {_who(view, view.to_act)} {doing}.", "dim", color)


def pretty_action(text: str, color: bool = True) -> str:
    """Return an action text for the eye: ``play KS table`` becomes ``play K♠ (table)``."""
    found = _ACTION_CARD.match(text)
    if found:
        verb, rank, suit, table = found.groups()
        return f"{verb} {card_picture(rank + suit, color)}" + (" (table)" if table else "")
    words = text.split()
    if len(words) == 2 and words[0] in ("marriage", "sequence") and words[1] in SYMBOLS:
        return f"{words[0]} {paint(SYMBOLS[words[1]], words[1], color)}"
    if words[0] in ("four", "five") and words[-1] in _RANK_NAMES:
        return " ".join([*words[:-1], _RANK_NAMES[words[-1]]])
    return text


def _may_declare(legal: Iterable[str], color: bool) -> list[str]:
    pieces = [pretty_action(t, color) for t in legal if t != "pass" and not _ACTION_CARD.match(t)]
    return _wrap("declare", pieces, gap=", ") if pieces else []


def _selection(view: View, color: bool) -> list[str]:
    """Show which declaration is being put together and what has been chosen for it."""
    if view.selection is None:
        return []
    action, codes = view.selection
    table = view.tables[view.seat]
    chosen = [CARD_TEXTS[code - _HAND_CODE] if code >= _HAND_CODE else table[code][0] for code in codes]
    faces = " ".join(card_picture(card, color) for card in chosen) or "nothing chosen yet"
    return _wrap("for", [pretty_action(action, color) + ":", faces])


def render(view: View, color: bool = True, legal: Iterable[str] = ()) -> str:
    """Draw the table as the seat of the view sees it.

    Args:
        view: what the seat knows.
        color: use ANSI colour codes. Trump is also marked with a star, so nothing depends on colour.
        legal: texts of the legal actions; the declarations among them are listed.

    Returns:
        Lines of at most 80 columns, without a newline at the end.
    """
    me = view.seat
    others = [seat for seat in range(len(view.scores)) if seat != me]
    lines = [_rule(color), _header(view, color), _rule(color)]
    for seat in others:
        lines.append(_seat_title(view, seat, color))
        lines += _concealed(view, seat, color)
        lines += _wrap(
            "table", _table_pieces(view.tables[seat], view.trump, color), "   ", paint("-", "dim", color)
        )
    lines += ["", _trick(view, color), "", _seat_title(view, me, color)]
    lines += _wrap(
        "table", _table_pieces(view.tables[me], view.trump, color), "   ", paint("-", "dim", color)
    )
    lines += _wrap("hand", hand_line(view.hand, view.trump, color), "   ", paint("no cards", "dim", color))
    seen = sorted(view.known[me], key=lambda c: hand_order(c, view.trump))
    if seen:
        lines += _wrap(
            "", [paint("your opponent knows of", "dim", color), *(card_picture(c, color) for c in seen)], " "
        )
    lines += [_rule(color), _turn(view, color)]
    lines += _selection(view, color)
    lines += _may_declare(legal, color)
    return "\n".join(lines)
