"""Small positions for rule tests: only the cards a rule is about, harmless ones around them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from bezique_env.cards import RANKS, SUITS, card_id
from bezique_env.game import Event, Game

MELDS_ONLY = {"brisques": "none"}
"""Overrides that keep aces and tens out of the scores of tests about something else."""


def cards(text: str | Iterable[str]) -> list[str]:
    """Card texts from ``"KS QS"`` or from a list."""
    return text.split() if isinstance(text, str) else list(text)


def setup(
    mine: str | Sequence[str] = "",
    theirs: str | Sequence[str] = "",
    *,
    size: int | None = None,
    draw: str | Sequence[str] = (),
    rules: str = "standard",
    overrides: dict[str, Any] | None = None,
    turn_up: str | None = "9D",
    trump: str | None = None,
    phase: str = "declare",
    table: Sequence[str | Sequence[str]] = ("", ""),
    **keys: Any,
) -> Game:
    """A position in which seat 0 is to act.

    Hands are filled up to ``size`` cards with sevens, eights and nines of plain suits; the face-down stock is
    ``draw`` (in drawing order) and such cards as are needed (two draws each by default); all cards named
    nowhere lie in the tricks of seat 1 (``rest``), so that nothing is left to chance.
    """
    suit = trump or (turn_up[1] if turn_up else None)
    laid = [cards(t) for t in table]
    hands = [cards(mine), cards(theirs)]
    trick = keys.get("trick", [])
    named = [*hands[0], *hands[1], *laid[0], *laid[1], *cards(draw), *([turn_up] if turn_up else [])]
    named += [card for _, card in trick]
    for won in keys.get("won", []):
        named += won
    fillers = [r + s for r in "987" for s in SUITS for _ in range(2) if s != suit]
    for card in named:
        if card in fillers:
            fillers.remove(card)
    held = [len(hands[s]) + len(laid[s]) + sum(seat == s for seat, _ in trick) for s in (0, 1)]
    for s in (0, 1):
        for _ in range((size or max(held)) - held[s]):
            hands[s].append(fillers.pop(0))
    position: dict[str, Any] = {
        "variant": "two_pack",
        "rules": {"preset": rules, "overrides": overrides or {}},
        "phase": phase,
        "to_act": 0,
        "dealer": 1,
        "hands": hands,
        "table": laid,
        "rest": 1,
        **keys,
    }
    if trump:
        position["trump"] = trump
    if phase != "endgame":
        stock = cards(draw)
        least = 2 if stock else 4
        while len(stock) + bool(turn_up) < least or (len(stock) + bool(turn_up)) % 2:
            stock.append(fillers.pop(0))
        position["stock"] = stock
        if turn_up:
            position["turn_up"] = turn_up
    return Game.from_position(position)


def harmless_reply(game: Game) -> str:
    """A legal reply that loses the trick, declares nothing and scores nothing."""
    view = game.view(game.seat_to_act)
    led = view.trick[0][1]
    texts = [game.action_text(a) for a in game.legal_actions()]
    plays = [t for t in texts if t.startswith("play")]
    for text in sorted(plays, key=lambda t: RANKS.index(t.split()[1][0])):
        card = text.split()[1]
        same = card[1] == led[1]
        if (same and card_id(card) <= card_id(led)) or (not same and card[1] != view.trump):
            return text
    raise AssertionError(f"no losing reply to {led} among {plays}")


def win(game: Game, lead: str, reply: str | None = None) -> list[Event]:
    """Lead a card (``"KS"`` or ``"KS table"``) and let the other seat lose to it; return the events."""
    seat = game.seat_to_act
    assert game.phase == "lead", game.phase
    events = game.apply(f"play {lead}")
    events += game.apply(f"play {reply}" if reply else harmless_reply(game))
    assert game.seat_to_act == seat, "the trick was meant to be won by its leader"
    return events


def legal(game: Game) -> list[str]:
    """Texts of the legal actions."""
    return [game.action_text(a) for a in game.legal_actions()]


def told(events: Iterable[Event]) -> list[tuple[int, str, int]]:
    """Events without the index of their action."""
    return [(e.seat, e.what, e.points) for e in events]


def scored(game: Game) -> list[tuple[int, str, int]]:
    """All events of the deal so far, without their indices."""
    return told(game.events)


def uses(game: Game, seat: int) -> list[tuple[str, list[str]]]:
    """The table of a seat with the melds in which its cards served."""
    return [(card, sorted(names)) for card, names in game.view(seat).tables[seat]]
