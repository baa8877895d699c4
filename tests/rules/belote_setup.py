"""Deals and positions of two-handed Belote for rule tests: only the cards that a rule is about are named.

Seat 0 is elder and seat 1 deals unless a test says otherwise. Cards of one suit may be written together:
``AKQS 9H`` is AS KS QS 9H.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from bezique_env.cards import SUITS
from bezique_env.game import Event, Game
from bezique_env.rules.belote.cards import CARD_TEXTS, RANKS

ELDER, DEALER = 0, 1
HAND = 9
Told = list[tuple[int, str, int]]


def cards(text: str | Iterable[str]) -> list[str]:
    """Card texts from ``"AKQS 9H"`` or from a list."""
    words = text.split() if isinstance(text, str) else list(text)
    return [rank + word[-1] for word in words for rank in word[:-1]]


def in_order(text: str | Iterable[str]) -> list[str]:
    """Card texts in the order of the card ids, as the engine lists them."""
    return sorted(cards(text), key=CARD_TEXTS.index)


def _filler(hand: list[str], free: list[str]) -> str:
    """A free card that makes no run of three in a hand, no third card of its rank there, no king beside a queen."""
    for card in free:
        rank, suit = RANKS.index(card[0]), card[1]
        ranks = {RANKS.index(c[0]) for c in hand if c[1] == suit} | {rank}
        run = any({low, low + 1, low + 2} <= ranks for low in range(6))
        pair = {RANKS.index("Q"), RANKS.index("K")} <= ranks and card[0] in "QK"
        if not run and not pair and sum(c[0] == card[0] for c in hand) < 2:
            return card
    raise AssertionError(f"no harmless card for {hand} among {free}")


def filled(
    first: str, second: str, taken: Iterable[str], size: int = HAND, trump: str | None = None
) -> tuple[list[str], list[str]]:
    """Two hands filled up with cards that declare nothing (the lowest first) and are not the seven of trumps."""
    hands = cards(first), cards(second)
    named = [*hands[0], *hands[1], *taken]
    assert len(set(named)) == len(named), f"a card is named twice: {named}"
    free = [rank + suit for rank in RANKS for suit in SUITS if rank + suit not in [*named, f"7{trump}"]]
    for hand in hands:
        while len(hand) < size:
            card = _filler(hand, free)
            free.remove(card)
            hand.append(card)
    return hands


def deck(elder: str = "", other: str = "", turn_up: str = "8H", bottom: str = "") -> list[str]:
    """A deck that gives these hands: the first six cards of each before the auction, the last three after it."""
    first, second = filled(elder, other, [turn_up, *cards(bottom)], trump=turn_up[1])
    dealt = [*first[:3], *second[:3], *first[3:6], *second[3:6], turn_up, *first[6:], *second[6:]]
    rest = [card for card in CARD_TEXTS if card not in dealt and card != bottom]
    return [*dealt, *rest, *cards(bottom)]


def deal(elder: str = "", other: str = "", *, turn_up: str = "8H", bottom: str = "", **keys: Any) -> Game:
    """A deal of these hands before its auction; seat 1 deals."""
    return Game("belote", deck=deck(elder, other, turn_up, bottom), **{"dealer": DEALER, **keys})


def run(game: Game, *actions: str) -> list[Event]:
    """Apply actions (``"JS"`` plays that card) and return all that they scored."""
    events: list[Event] = []
    for action in actions:
        events += game.apply(f"play {action}" if action in CARD_TEXTS else action)
    return events


def contract(game: Game, trump: str, taker: int) -> Game:
    """Go through the auction so that a seat has taken a trump suit."""
    assert game.turn_up is not None
    elder = 1 - game.dealer
    if game.turn_up[1] == trump:
        run(game, *([] if taker == elder else ["pass"]), "accept")
    elif taker != elder:
        run(game, "pass", "pass", "pass", f"name {trump}")
    elif game.rules.options.r2_elder_actions == "named":
        run(game, "pass", "pass", f"name {trump}")
    else:
        run(game, "pass", "pass", "propose", "refuse", f"name {trump}")
    assert (game.trump, game.view(0).taker) == (trump, taker)
    return game


def taken(
    elder: str = "",
    other: str = "",
    *,
    trump: str = "H",
    taker: int = ELDER,
    turn_up: str = "8H",
    **keys: Any,
) -> Game:
    """A deal of these hands after the auction, at the first question or the first lead."""
    return contract(deal(elder, other, turn_up=turn_up, **keys), trump, taker)


def position(elder: str = "", other: str = "", *, trump: str = "H", taker: int = ELDER, **keys: Any) -> Game:
    """A position in the play of a deal that seat 1 dealt, seat 0 to act; the other cards are nobody's concern.

    Hands are filled up to the longer one; the tricks before are seat 1's, of cards that are not named.
    """
    trick = keys.get("trick", [])
    named = [card for _, card in trick]
    for won in keys.get("won", []):
        named += cards(won)
    named += [keys[name] for name in ("turn_up", "bottom") if name in keys]
    led = [sum(seat == s for seat, _ in trick) for s in (0, 1)]
    size = max(len(cards(hand)) + led[s] for s, hand in enumerate((elder, other)))
    first, second = filled(elder, other, named, size)
    position = {
        "variant": "belote",
        "dealer": DEALER,
        "to_act": ELDER,
        "hands": [first[: size - led[0]], second[: size - led[1]]],
        "trump": trump,
        "taker": taker,
        "rest": 1,
        **keys,
    }
    return Game.from_position(position)


def legal(game: Game) -> list[str]:
    """Texts of the legal actions."""
    return [game.action_text(a) for a in game.legal_actions()]


def playable(game: Game) -> list[str]:
    """The cards that may be played."""
    return [text.split()[1] for text in legal(game) if text.startswith("play")]


def told(events: Iterable[Event]) -> Told:
    """Events as (seat, what, points)."""
    return [(e.seat, e.what, e.points) for e in events]


def beside_tricks(game: Game) -> Told:
    """What the deal has scored so far, without the points of tricks."""
    return [event for event in told(game.events) if event[1] not in ("trick", "last trick")]


def play_out(game: Game, deals: int = 1) -> list[Event]:
    """Play to the end of a deal with the first legal action; nothing more is exchanged, announced, or said."""
    events: list[Event] = []
    done = len(game.deals)
    while not game.is_over and len(game.deals) < done + deals:
        texts = [text for text in legal(game) if text not in ("exchange", "announce", "belote")]
        events += game.apply("pass" if texts == ["pass"] else texts[0])
    return events


def seen(game: Game, seat: int) -> dict[str, Any]:
    """Everything that leaves the engine for one seat."""
    view = game.view(seat)
    return {
        "view": json.dumps(view.to_dict()),
        "record": view.record.tobytes(),
        "observation": game.observation(seat).tobytes(),
        "mask": game.legal_mask(seat).tobytes(),
        "information": game.information_text(seat),
    }


def looks_alike(first: Game, second: Game, seat: int) -> bool:
    """Whether a seat cannot tell two games apart; it must be so for all that it sees, or differ in the text."""
    one, other = seen(first, seat), seen(second, seat)
    alike = one["information"] == other["information"]
    if alike:
        assert one == other, f"the text is the same, but not {[k for k in one if one[k] != other[k]]}"
    return alike


def auctions(game: Game, done: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Game]]:
    """All complete auctions from here, each with the game after it."""
    for text in legal(game):
        after = game.clone()
        after.apply(text)
        if after.is_over or after.deals or after.view(0).taker >= 0:
            yield (*done, text), after
        else:
            yield from auctions(after, (*done, text))
