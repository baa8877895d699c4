"""The table of the Belote family as text: what one seat sees, at 80 columns, with or without colour.

Everything is taken from a :class:`~bezique_env.faces.belote.view.BeloteView`, which holds what its seat may
know and nothing more, so this text cannot give a card away.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from bezique_env.faces.belote.view import Announcement, BeloteView
from bezique_env.render.ansi import (
    SUITS,
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
from bezique_env.rules.belote.cards import RANKS

TRUMP_RANKS, PLAIN_RANKS = "J9ATKQ87", "ATKQJ987"
"""Ranks from the strongest to the weakest, as a hand is sorted."""
_RANK_NAMES = {
    "7": "seven", "8": "eight", "9": "nine", "T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace",
}  # fmt: skip
_PLAY = re.compile(r"^play ([789TJQKA][SHDC])$")
_BIDS = {
    "accept": ("accept", "accepts"),
    "pass": ("pass", "passes"),
    "propose": ("propose a new deal", "proposes a new deal"),
    "agree": ("agree", "agrees"),
    "refuse": ("refuse", "refuses"),
    "name": ("name", "names"),
}
"""An action of the auction as it is told of you, and of another seat."""


def hand_order(card: str, trump: str | None = None) -> tuple[int, int]:
    """Return the sorting key of a card: trumps first, then S H D C, the stronger card first."""
    ranks = TRUMP_RANKS if card[1] == trump else PLAIN_RANKS
    return suit_place(card[1], trump), ranks.index(card[0])


def _sorted(cards: Iterable[str], trump: str | None) -> list[str]:
    return sorted(cards, key=lambda card: hand_order(card, trump))


def _who(view: BeloteView, seat: int) -> str:
    return "you" if seat == view.seat else "opponent"


def _verb(view: BeloteView, seat: int, verb: str) -> str:
    return f"{_who(view, seat)} {verb}{'' if seat == view.seat else 's'}"


def _header(view: BeloteView, color: bool) -> str:
    left = [trump_label(view.trump, color)]
    if view.taker >= 0:
        left.append(f"taker: {_who(view, view.taker)}")
    left.append(f"turn-up {card_picture(view.turn_up, color)}")
    if view.bottom is not None:
        left.append(f"bottom {card_picture(view.bottom, color)}")
    elif view.redeals:
        left.append("dealt again" + (f" {view.redeals} times" if view.redeals > 1 else ""))
    return spread(" " + "  ".join(left), f"dealer: {_who(view, view.dealer)} ")


def _seat_title(view: BeloteView, seat: int, color: bool) -> str:
    notes = ["exchanged"] if view.exchanged == seat else []
    notes += ["belote"] if view.pair_said[seat] == 1 else []
    notes += ["belote, rebelote"] if view.pair_said[seat] == 2 else []
    numbers = [f"tricks {view.tricks[seat]}"]
    if view.match_scores != view.scores:
        numbers.append(f"match {view.match_scores[seat]}")
    return seat_title(seat, seat == view.seat, notes, numbers, view.scores[seat], color)


def _shown_by_plays(view: BeloteView, seat: int, color: bool) -> list[str]:
    """Show the cards that a seat has played, and which of the others its plays have shown not to be in its hand."""
    trump = view.trump
    gone = {*view.played[0], *view.played[1]}
    lines = []
    if view.played[seat]:
        lines += wrap("played", hand_line(_sorted(view.played[seat], trump), trump, color), "   ")
    pieces = []
    for suit in sorted(SUITS, key=lambda s: suit_place(s, trump)):
        lacking = [card for card in view.absent[seat] if card[1] == suit]
        if len(lacking) == len(RANKS):
            pieces.append(suit_picture(suit, color) + " " + paint("all", "dim", color))
        else:
            pieces += hand_line(_sorted(set(lacking) - gone, trump), trump, color)
    return [*lines, *(wrap("lacks", pieces, "   ") if pieces else [])]


def _auction(view: BeloteView, color: bool) -> list[str]:
    """Tell the auction; its actions alternate, elder's first."""
    pieces = []
    for number, text in enumerate(view.bids):
        actor = 1 - view.dealer if number % 2 == 0 else view.dealer
        word, *suit = text.split()
        told = f"{_who(view, actor)} {_BIDS[word][actor != view.seat]}"
        pieces.append(told + "".join(f" {suit_picture(letter, color)}" for letter in suit))
    if not pieces:
        return wrap("auction", [paint(f"{_verb(view, 1 - view.dealer, 'begin')}", "dim", color)])
    return wrap("auction", [*(f"{piece}," for piece in pieces[:-1]), pieces[-1]], " ")


def _words_of(claim: Announcement) -> list[str]:
    """Return what elder said of his best declaration beside its value, which the dealer found equal."""
    if claim.four:
        return ["four of a kind"] if claim.top is None else [f"four {_RANK_NAMES[claim.top]}s"]
    words = ["no four of a kind"] if claim.decided_by == "four" else []
    if claim.length:
        words.append(f"{claim.length} cards")
    if claim.top is not None:
        words.append(f"up to the {_RANK_NAMES[claim.top]}")
    if claim.trump is not None:
        words.append("in trumps" if claim.trump else "not in trumps")
    return words


def _claim(view: BeloteView, claim: Announcement, color: bool) -> str:
    """Tell what was said in a contest, who scores, and what was shown."""
    parts = []
    if claim.value is not None:
        words = _words_of(claim)
        said = f"{_verb(view, 1 - view.dealer, 'say')} {claim.value}"
        parts.append(said + (f" ({', '.join(words)})" if words else ""))
    if claim.winner >= 0:
        parts.append(f"{_verb(view, claim.winner, 'score')} {claim.points}")
    elif claim.decided:
        parts.append("nobody scores")
    text = paint_words(", ".join(parts), "dim", color)
    if claim.shown:
        text += paint(":", "dim", color) + " " + faces(claim.shown, color)
    return text


def _claims(view: BeloteView, color: bool) -> list[str]:
    pieces = []
    for claim in view.announcements:
        if claim.value is not None or claim.decided:
            label = paint("fours:", "dim", color) + " " if claim.contest == "fours" else ""
            pieces.append(label + _claim(view, claim, color))
    return wrap("claims", pieces, "   ") if pieces else []


def _trick(view: BeloteView, color: bool) -> list[str]:
    label = f"   {'trick':<8}"
    if view.trick:
        cards = (f"{_who(view, seat)} {card_picture(card, color)}" for seat, card in view.trick)
        return [label + "   ".join(cards)]
    if view.trump is None:
        return []
    if not any(view.tricks):
        return [label + paint(f"{_verb(view, 1 - view.dealer, 'lead')} the first one", "dim", color)]
    text = f"{_who(view, view.leader)} took the last one"
    if view.phase == "lead":
        text += " and lead" if view.leader == view.seat else " and leads"
    return [label + paint(text, "dim", color)]


def _prompt(view: BeloteView, color: bool) -> str:
    """Say what is asked of the seat."""
    turned = suit_picture(view.turn_up[1], color)
    if view.phase == "bid":
        if view.naming:
            return f"your proposal was refused: name another suit than {turned}"
        if view.auction_round == 1:
            return f"round 1 of the auction: is {turned} to be trump?"
        return f"round 2 of the auction: another suit than {turned}?"
    if view.phase == "follow" and not view.saying:
        led = view.trick[0][1][1]
        duty = "beat it if you can" if led == view.trump else "without the suit, trump"
        return f"answer the lead: follow suit; {duty}"
    return {
        "answer": "your opponent proposes a new deal: agree, or refuse",
        "exchange": f"exchange the seven of trumps for {card_picture(view.turn_up, color)}, or pass",
        "announce": "announce your sequences (and fours of a kind), or pass",
    }.get(view.phase, "play the king or the queen of trumps" if view.saying else "lead a card")


def _turn(view: BeloteView, color: bool) -> str:
    if view.phase == "over":
        if view.winner < 0:
            return " " + paint("The game is over: a tie.", "title", color)
        won = "you win" if view.winner == view.seat else "opponent wins"
        return " " + paint(f"The game is over: {won}.", "title", color)
    if view.to_act == view.seat:
        return " " + paint("YOUR MOVE", "you", color) + "  " + _prompt(view, color)
    doing = {"bid": "is to bid", "answer": "is to answer", "between_deals": "waits for the next deal"}
    # Whether a seat is asked to exchange or to announce tells of its hand, so no more is said than that it acts.
    return " " + paint(f"The opponent {doing.get(view.phase, 'is to play')}.", "dim", color)


def pretty_action(text: str, color: bool = True) -> str:
    """Return an action text for the eye: ``play KS`` becomes ``play K♠``."""
    found = _PLAY.match(text)
    if found:
        return f"play {card_picture(found[1], color)}"
    words = text.split()
    if len(words) == 2 and words[0] == "name" and words[1] in SYMBOLS:
        return f"name {suit_picture(words[1], color)}"
    return "propose a new deal" if text == "propose" else text


def _may_say(legal: Iterable[str], color: bool) -> list[str]:
    words = sorted((text for text in legal if not _PLAY.match(text)), key=lambda text: text == "pass")
    pieces = [pretty_action(text, color) for text in words]
    return wrap("may", pieces, gap=", ") if pieces else []


def render(view: BeloteView, color: bool = True, legal: Iterable[str] = ()) -> str:
    """Draw the table as the seat of the view sees it.

    Args:
        view: what the seat knows.
        color: use ANSI colour codes. Trump is also marked with a star, so nothing depends on colour.
        legal: texts of the legal actions; those that are no play are listed.

    Returns:
        Lines of at most 80 columns, without a newline at the end.
    """
    me, other, trump = view.seat, 1 - view.seat, view.trump
    known = _sorted(view.known[other], trump)
    lines = [rule(color), _header(view, color), rule(color), _seat_title(view, other, color)]
    lines += concealed_line(view.concealed[other] - len(known), known, color)
    lines += _shown_by_plays(view, other, color)
    lines += ["", *_auction(view, color), *_claims(view, color), *_trick(view, color), ""]
    lines += [_seat_title(view, me, color), *_shown_by_plays(view, me, color)]
    empty = paint("no cards", "dim", color)
    lines += wrap("hand", hand_line(_sorted(view.hand, trump), trump, color), "   ", empty)
    lines += known_of_you(_sorted(view.known[me], trump), color)
    if view.held:
        text = f"   {view.held} points of a tied deal wait for the next deal that is not tied"
        lines.append(paint(text, "dim", color))
    lines += [rule(color), _turn(view, color), *_may_say(legal, color)]
    return "\n".join(lines)
