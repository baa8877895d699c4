"""The table of the Bezique family as text: what one seat sees, at 80 columns, with or without colour.

Everything is taken from a :class:`~bezique_env.faces.bezique.view.BeziqueView`, which holds what its seat may
know and nothing more, so this text cannot give a card away.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from bezique_env.faces.bezique.view import BeziqueView
from bezique_env.render.ansi import (
    SYMBOLS,
    card_picture,
    concealed_line,
    faces,
    hand_line,
    known_of_you,
    paint,
    paint_words,
    rule,
    seat_title,
    spread,
    suit_picture,
    suit_place,
    trump_label,
    wrap,
)
from bezique_env.rules.bezique import index as ix
from bezique_env.rules.bezique.cards import CARD_TEXTS
from bezique_env.rules.bezique.variants import VARIANTS

_HAND_CODE = 64
"""In a selection, codes from here on are cards of the hand, smaller ones places on the table."""
RANKS = "ATKQJ987"
"""Ranks from the highest to the lowest, as a hand is sorted."""
_RANK_NAMES = {"A": "aces", "T": "tens", "K": "kings", "Q": "queens", "J": "jacks"}
_RUBICONS = {
    variant.shape.packs: variant.scores[ix.RUBICON][0]
    for variant in VARIANTS.values()
    if ix.RUBICON in variant.scores
}
"""The rubicon of the games that have one, by packs."""
_RUNGS = ("four", "four trump", "five trump")
_ACTION_CARD = re.compile(r"^(play|use) ([789JQKTA])([SHDC])( table)?$")


def hand_order(card: str, trump: str | None = None) -> tuple[int, int]:
    """Return the sorting key of a card: trumps first, then S H D C, high ranks first."""
    return suit_place(card[1], trump), RANKS.index(card[0])


def _sorted(cards: Iterable[str], trump: str | None) -> list[str]:
    return sorted(cards, key=lambda card: hand_order(card, trump))


def _of_rank(name: str, card: str) -> str:
    """Return the name of a meld, with the rank where it is a quartet: ``four`` becomes ``four aces``."""
    return f"{name} {_RANK_NAMES[card[0]]}" if name in _RUNGS and card[0] in _RANK_NAMES else name


def table_groups(cards: Sequence[tuple[str, Sequence[str]]]) -> list[tuple[list[str], tuple[str, ...]]]:
    """Group the cards of a table by what they have been used for, in the order laid."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for card, uses in cards:
        groups.setdefault(tuple(_of_rank(use, card) for use in uses), []).append(card)
    return [(held, uses) for uses, held in groups.items()]


def _table_pieces(cards: Sequence[tuple[str, Sequence[str]]], trump: str | None, color: bool) -> list[str]:
    pieces = []
    for held, uses in table_groups(cards):
        text = "(" + (" + ".join(uses) or "not used yet") + ")"
        pieces.append(faces(_sorted(held, trump), color) + " " + paint_words(text, "dim", color))
    return pieces


def _short(uses: Sequence[str]) -> list[str]:
    """Write the levels of a bezique together: ``bezique``, ``bezique 3`` become ``bezique 1+3``."""
    levels = [use[8:] or "1" for use in uses if use.startswith("bezique")]
    if len(levels) < 2:
        return list(uses)
    rest = [use for use in uses if not use.startswith("bezique")]
    return [*rest, "bezique " + "+".join(levels)]


def _table(view: BeziqueView, seat: int, color: bool) -> list[str]:
    """Show the table of a seat: what its cards served in, which melds are intact, how far the ladders go."""
    cards = []
    for place, (card, uses) in enumerate(view.tables[seat]):
        marks = _short(uses)
        if view.open_cards:
            marks += ["won now"] if place in view.won_now[seat] else []
            marks += ["served now"] if place in view.served_now[seat] else []
        cards.append((card, marks))
    label = "open" if view.open_cards else "table"
    lines = wrap(label, _table_pieces(cards, view.trump, color), "   ", paint("-", "dim", color))
    melds = Counter[str]()
    for kind, places in view.melds[seat]:
        held = [view.tables[seat][place][0] for place in places]
        name = f"bezique {len(places) // 2}" if kind == "bezique" else _of_rank(kind, held[0])
        melds[paint_words(f"{name}:", "dim", color) + " " + faces(_sorted(held, view.trump), color)] += 1
    if melds:
        pieces = [text + (f" ×{count}" if count > 1 else "") for text, count in melds.items()]
        lines += wrap("intact", pieces, "   ")
    ladders = _ladders(view, seat)
    if ladders:
        lines += wrap("ladders", [paint_words(text, "dim", color) for text in ladders], "   ")
    return lines


def _ladders(view: BeziqueView, seat: int) -> list[str]:
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


def _rubicon(view: BeziqueView, color: bool) -> list[str]:
    """Say how far each seat is from the rubicon of the game."""
    rubicon = _RUBICONS.get(view.packs)
    if rubicon is None:
        return []
    pieces = []
    for seat in (view.seat, 1 - view.seat):
        left = rubicon - view.scores[seat]
        pieces.append(f"{_who(view, seat)} " + (f"{left} to go" if left > 0 else "crossed it"))
    return [paint(f"   rubicon {rubicon}: " + ", ".join(pieces), "dim", color)]


def _header(view: BeziqueView, color: bool) -> str:
    if view.stock_left:
        stock = f"stock {view.stock_left}"
        if view.turn_up is not None:
            stock += f"   turn-up {card_picture(view.turn_up, color)}"
    else:
        stock = paint("stock empty: endgame", "bold", color)
    if view.cut is not None:
        stock += "   " + paint(f"cut {view.cut[0]}, guess {view.cut[1]}", "dim", color)
    return spread(" " + trump_label(view.trump, color) + "   " + stock, f"dealer: {_who(view, view.dealer)} ")


def _who(view: BeziqueView, seat: int) -> str:
    if seat == view.seat:
        return "you"
    return "opponent" if len(view.scores) == 2 else f"seat {seat}"


def _seat_title(view: BeziqueView, seat: int, color: bool) -> str:
    won = len(view.won[seat]) + (len(view.tables[seat]) if view.open_cards else 0)
    numbers = [f"tricks {won // 2:>2}", f"brisques {view.brisques[seat]:>2}"]
    if tuple(view.match_scores) != tuple(view.scores):
        numbers.append(f"match {view.match_scores[seat]}")
    notes = ["carte blanche"] if view.carte_blanche[seat] else []
    return seat_title(seat, seat == view.seat, notes, numbers, view.scores[seat], color)


def _concealed(view: BeziqueView, seat: int, color: bool) -> list[str]:
    hidden = int(view.concealed[seat]) - len(view.known[seat])
    return concealed_line(hidden, _sorted(view.known[seat], view.trump), color)


def _trick(view: BeziqueView, color: bool) -> str:
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


def _turn(view: BeziqueView, color: bool) -> str:
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
        return f"{words[0]} {suit_picture(words[1], color)}"
    if words[0] in ("four", "five") and words[-1] in _RANK_NAMES:
        return " ".join([*words[:-1], _RANK_NAMES[words[-1]]])
    return text


def _may_declare(legal: Iterable[str], color: bool) -> list[str]:
    pieces = [pretty_action(t, color) for t in legal if t != "pass" and not _ACTION_CARD.match(t)]
    return wrap("declare", pieces, gap=", ") if pieces else []


def _selection(view: BeziqueView, color: bool) -> list[str]:
    """Show which declaration is being put together and what has been chosen for it."""
    if view.selection is None:
        return []
    action, codes = view.selection
    table = view.tables[view.seat]
    chosen = [CARD_TEXTS[code - _HAND_CODE] if code >= _HAND_CODE else table[code][0] for code in codes]
    shown = faces(chosen, color) or "nothing chosen yet"
    return wrap("for", [pretty_action(action, color) + ":", shown])


def render(view: BeziqueView, color: bool = True, legal: Iterable[str] = ()) -> str:
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
    lines = [rule(color), _header(view, color), rule(color)]
    for seat in others:
        lines.append(_seat_title(view, seat, color))
        lines += _concealed(view, seat, color)
        lines += _table(view, seat, color)
    lines += ["", _trick(view, color), "", _seat_title(view, me, color)]
    lines += _table(view, me, color)
    lines += wrap(
        "hand",
        hand_line(_sorted(view.hand, view.trump), view.trump, color),
        "   ",
        paint("no cards", "dim", color),
    )
    lines += known_of_you(_sorted(view.known[me], view.trump), color)
    lines += [*_rubicon(view, color), rule(color), _turn(view, color)]
    lines += _selection(view, color)
    lines += _may_declare(legal, color)
    return "\n".join(lines)
