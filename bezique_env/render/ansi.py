"""The table as text: what one seat sees, at 80 columns, with or without colour.

Everything is taken from a :class:`~bezique_env.view.View`, which holds what its seat may know and nothing
more, so this text cannot give a card away. Nothing here touches a graphics library.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from bezique_env.rules.bezique import index as ix
from bezique_env.rules.bezique.cards import CARD_TEXTS
from bezique_env.rules.bezique.variants import VARIANTS

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
_RUBICONS = {
    variant.shape.packs: variant.scores[ix.RUBICON][0]
    for variant in VARIANTS.values()
    if ix.RUBICON in variant.scores
}
"""The rubicon of the games that have one, by packs."""
_RUNGS = ("four", "four trump", "five trump")
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


def _paint_words(text: str, style: str, color: bool) -> str:
    """Paint word by word, so that a line may end after any of them."""
    return " ".join(paint(word, style, color) for word in text.split())


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


def _of_rank(name: str, card: str) -> str:
    """Return the name of a meld, with the rank where it is a quartet: ``four`` becomes ``four aces``."""
    return f"{name} {_RANK_NAMES[card[0]]}" if name in _RUNGS and card[0] in _RANK_NAMES else name


def table_groups(cards: Sequence[tuple[str, Sequence[str]]]) -> list[tuple[list[str], tuple[str, ...]]]:
    """Group the cards of a table by what they have been used for, in the order laid."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for card, uses in cards:
        groups.setdefault(tuple(_of_rank(use, card) for use in uses), []).append(card)
    return [(held, uses) for uses, held in groups.items()]


def _faces(cards: Iterable[str], trump: str | None, color: bool) -> str:
    return " ".join(card_picture(c, color) for c in sorted(cards, key=lambda c: hand_order(c, trump)))


def _table_pieces(cards: Sequence[tuple[str, Sequence[str]]], trump: str | None, color: bool) -> list[str]:
    pieces = []
    for held, uses in table_groups(cards):
        text = "(" + (" + ".join(uses) or "not used yet") + ")"
        pieces.append(_faces(held, trump, color) + " " + _paint_words(text, "dim", color))
    return pieces


def _short(uses: Sequence[str]) -> list[str]:
    """Write the levels of a bezique together: ``bezique``, ``bezique 3`` become ``bezique 1+3``."""
    levels = [use[8:] or "1" for use in uses if use.startswith("bezique")]
    if len(levels) < 2:
        return list(uses)
    rest = [use for use in uses if not use.startswith("bezique")]
    return [*rest, "bezique " + "+".join(levels)]


def _table(view: View, seat: int, color: bool) -> list[str]:
    """Show the table of a seat: what its cards served in, which melds are intact, how far the ladders go."""
    cards = []
    for place, (card, uses) in enumerate(view.tables[seat]):
        marks = _short(uses)
        if view.open_cards:
            marks += ["won now"] if place in view.won_now[seat] else []
            marks += ["served now"] if place in view.served_now[seat] else []
        cards.append((card, marks))
    label = "open" if view.open_cards else "table"
    lines = _wrap(label, _table_pieces(cards, view.trump, color), "   ", paint("-", "dim", color))
    melds = Counter[str]()
    for kind, places in view.melds[seat]:
        held = [view.tables[seat][place][0] for place in places]
        name = f"bezique {len(places) // 2}" if kind == "bezique" else _of_rank(kind, held[0])
        melds[_paint_words(f"{name}:", "dim", color) + " " + _faces(held, view.trump, color)] += 1
    if melds:
        pieces = [text + (f" ×{count}" if count > 1 else "") for text, count in melds.items()]
        lines += _wrap("intact", pieces, "   ")
    ladders = _ladders(view, seat)
    if ladders:
        lines += _wrap("ladders", [_paint_words(text, "dim", color) for text in ladders], "   ")
    return lines


def _ladders(view: View, seat: int) -> list[str]:
    """Return the ladders that the seat's table stands on: a full dot for each rung scored with a card of it."""
    if view.packs == 2:
        return []
    found: dict[str, set[int]] = {}
    for card, uses in view.tables[seat]:
        for use in uses:
            if use.startswith("bezique"):
                found.setdefault("bezique", set()).add(int(use[8:] or 1) - 1)
            elif use in _RUNGS and view.packs > 4:
                found.setdefault(_RANK_NAMES[card[0]], set()).add(_RUNGS.index(use))
    levels = 5 if view.packs == 8 else 4
    lines = []
    for name, rungs in found.items():
        count = levels if name == "bezique" else view.packs // 2 - 1
        lines.append(f"{name} " + "".join("●" if rung in rungs else "○" for rung in range(count)))
    return lines


def _rubicon(view: View, color: bool) -> list[str]:
    """Say how far each seat is from the rubicon of the game."""
    rubicon = _RUBICONS.get(view.packs)
    if rubicon is None:
        return []
    pieces = []
    for seat in (view.seat, 1 - view.seat):
        left = rubicon - view.scores[seat]
        pieces.append(f"{_who(view, seat)} " + (f"{left} to go" if left > 0 else "crossed it"))
    return [paint(f"   rubicon {rubicon}: " + ", ".join(pieces), "dim", color)]


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
    if view.cut is not None:
        stock += "   " + paint(f"cut {view.cut[0]}, guess {view.cut[1]}", "dim", color)
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
    if view.carte_blanche[seat]:
        left += "   " + paint("carte blanche", "title", color)
    won = len(view.won[seat]) + (len(view.tables[seat]) if view.open_cards else 0)
    tricks = won // 2
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
    "carte_blanche": "show that you hold no court card (carte blanche), or pass",
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
    doing = "is to play"
    if view.phase in ("declare", "select"):
        doing = "is at the declaring window"
    elif view.phase == "carte_blanche":
        doing = "is asked for carte blanche"
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
        lines += _table(view, seat, color)
    lines += ["", _trick(view, color), "", _seat_title(view, me, color)]
    lines += _table(view, me, color)
    lines += _wrap("hand", hand_line(view.hand, view.trump, color), "   ", paint("no cards", "dim", color))
    seen = sorted(view.known[me], key=lambda c: hand_order(c, view.trump))
    if seen:
        lines += _wrap(
            "", [paint("your opponent knows of", "dim", color), *(card_picture(c, color) for c in seen)], " "
        )
    lines += [*_rubicon(view, color), _rule(color), _turn(view, color)]
    lines += _selection(view, color)
    lines += _may_declare(legal, color)
    return "\n".join(lines)
