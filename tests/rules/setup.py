"""Small positions for rule tests: only the cards a rule is about, harmless ones around them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from bezique_env.cards import SUITS
from bezique_env.game import Event, Game
from bezique_env.render.bezique import render
from bezique_env.rules.bezique.cards import CARD_TEXTS, RANKS, card_id

PACKS = {"two_pack": 2, "fildinski": 2, "rubicon": 4, "chinese": 6, "eight_pack": 8}
"""Packs of each variant (rules section 4)."""
HANDS = {"two_pack": 8, "fildinski": 8, "rubicon": 9, "chinese": 12, "eight_pack": 15}
"""Cards dealt to each seat."""
PACKETS = {
    "two_pack": "3-2-3",
    "fildinski": "3-2-3",
    "rubicon": "threes",
    "chinese": "singles",
    "eight_pack": "singles",
}
"""How the presets deal."""
_FIRST_PRESET = {"two_pack": "standard", "fildinski": "standard"}
_TURNED = ("two_pack", "fildinski")

MELDS_ONLY = {"brisques": "none"}
"""Overrides that keep aces and tens out of the scores of tests about something else."""


def cards(text: str | Iterable[str]) -> list[str]:
    """Card texts from ``"KS QS"`` or from a list."""
    return text.split() if isinstance(text, str) else list(text)


def setup(
    mine: str | Sequence[str] = "",
    theirs: str | Sequence[str] = "",
    *,
    variant: str = "two_pack",
    size: int | None = None,
    draw: str | Sequence[str] = (),
    rounds: int | None = None,
    rules: str | None = None,
    overrides: dict[str, Any] | None = None,
    turn_up: str | None = "",
    trump: str | None = None,
    phase: str = "declare",
    table: Sequence[str | Sequence[str]] = ("", ""),
    **keys: Any,
) -> Game:
    """A position in which seat 0 is to act.

    Hands are filled up to ``size`` cards with sevens, eights and nines of plain suits; the face-down stock is
    ``draw`` (in drawing order) and such cards as are needed for ``rounds`` draws of each seat (as many as
    ``draw`` holds, or two); all cards named nowhere lie in the tricks of seat 1 (``rest``), so that nothing is
    left to chance. Where the variant has a turn-up it is 9D by default.
    """
    if turn_up == "":
        turn_up = "9D" if variant in _TURNED else None
    suit = trump or (turn_up[1] if turn_up else None)
    laid = [cards(t) for t in table]
    hands = [cards(mine), cards(theirs)]
    trick = keys.get("trick", [])
    named = [*hands[0], *hands[1], *laid[0], *laid[1], *cards(draw), *([turn_up] if turn_up else [])]
    named += [card for _, card in trick]
    for won in keys.get("won", []):
        named += won
    fillers = [r + s for r in "987" for s in SUITS for _ in range(PACKS[variant]) if s != suit]
    for card in named:
        if card in fillers:
            fillers.remove(card)
    on_table = [0 if variant == "fildinski" else len(laid[s]) for s in (0, 1)]
    held = [len(hands[s]) + on_table[s] + sum(seat == s for seat, _ in trick) for s in (0, 1)]
    for s in (0, 1):
        for _ in range((size or max(held)) - held[s]):
            hands[s].append(fillers.pop(0))
    position: dict[str, Any] = {
        "variant": variant,
        "rules": {"preset": rules or _FIRST_PRESET.get(variant, "saari"), "overrides": overrides or {}},
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
        least = 2 * rounds if rounds else 2 if stock else 4
        while len(stock) + bool(turn_up) < least or (len(stock) + bool(turn_up)) % 2:
            stock.append(fillers.pop(0))
        position["stock"] = stock
        if turn_up:
            position["turn_up"] = turn_up
    return Game.from_position(position)


def many_packs(variant: str, mine: str = "", theirs: str = "", trump: str | None = "C", **keys: Any) -> Game:
    """A position of a game with more than two packs: whole hands (in a window a card less), six draws each."""
    phase = keys.get("phase", "declare")
    if "draw" not in keys:
        keys.setdefault("rounds", 6)
    size = None if phase == "endgame" else HANDS[variant] - (phase == "declare")
    return setup(mine, theirs, **{"variant": variant, "trump": trump, "size": size, **keys})


def rubicon(mine: str = "", theirs: str = "", *, trump: str | None = "C", **keys: Any) -> Game:
    """A position with four packs in which seat 0 is to act."""
    return many_packs("rubicon", mine, theirs, trump, **keys)


def chinese(mine: str = "", theirs: str = "", *, trump: str | None = "C", **keys: Any) -> Game:
    """A position with six packs in which seat 0 is to act."""
    return many_packs("chinese", mine, theirs, trump, **keys)


def eight(mine: str = "", theirs: str = "", *, trump: str | None = "C", **keys: Any) -> Game:
    """A position with eight packs in which seat 0 is to act."""
    return many_packs("eight_pack", mine, theirs, trump, **keys)


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


def refused(game: Game, *texts: str) -> None:
    """Each of these declarations is illegal in the open window, for a reason given as a sentence."""
    assert game.phase == "declare", "a refusal is only worth something while the window is open"
    for text in texts:
        assert text not in legal(game), f"{text!r} is legal"
        sentence = game.why_illegal(text)
        assert sentence is not None
        assert sentence.endswith("."), sentence
        assert len(sentence.split()) > 3, sentence


def entry(meld: str, text: str, seat: int = 0) -> dict[str, Any]:
    """One entry of ``scored``: a meld and its cards, or, where cards of it were played, those left."""
    return {"seat": seat, "meld": meld, "cards": text.split()}


def plain(game: Game) -> str:
    """A seven, eight or nine of the hand of the seat to act: a card to lead that belongs to no meld."""
    return next(c for c in game.hand(game.seat_to_act) if c[0] in "789" and c[1] != game.trump)


def next_window(game: Game, lead: str | None = None) -> None:
    """Close the window if it is still open, then win a trick (by leading a harmless card, or the named one)."""
    if game.phase == "declare":
        game.apply("pass")
    win(game, lead or plain(game))


def dealt(
    variant: str,
    non_dealer: str | Sequence[str] = "",
    dealer: str | Sequence[str] = "",
    stock: str | Sequence[str] = "",
    *,
    packets: str | None = None,
    turn_up: str | None = None,
    bottom: str | Sequence[str] = "",
) -> list[str]:
    """A whole deck in dealing order: hands filled up with sevens, eights and nines, then the stock.

    ``bottom`` names the last cards of the stock, in drawing order. Variants without a turn-up only take packets
    of threes or singles.
    """
    hands = [cards(non_dealer), cards(dealer)]
    top, last = cards(stock), cards(bottom)
    rest = list(CARD_TEXTS) * PACKS[variant]
    for card in [*hands[0], *hands[1], *top, *last, *([turn_up] if turn_up else [])]:
        rest.remove(card)
    fillers = [r + s for s in SUITS for r in "789" for _ in range(rest.count(r + s))]
    for hand in hands:
        while len(hand) < HANDS[variant]:
            card = fillers.pop(0)
            rest.remove(card)
            hand.append(card)
    sizes = {"3-2-3": [3, 2, 3], "threes": [3] * 5, "singles": [1] * 15}[packets or PACKETS[variant]]
    deck: list[str] = []
    at = 0
    for count in sizes:
        for hand in hands:
            deck += hand[at : at + count]
        at += count
    return [*deck, *([turn_up] if turn_up else []), *top, *rest, *last]


def seen(game: Game, seat: int) -> dict[str, Any]:
    """Everything that leaves the engine for one seat."""
    return {
        "view": json.dumps(game.view(seat).to_dict()),
        "record": game.view(seat).record.tobytes(),
        "observation": game.observation(seat).tobytes(),
        "mask": game.legal_mask(seat).tobytes(),
        "information": game.information_text(seat),
        "ansi": render(game.view(seat)),
    }


def play_out(game: Game) -> dict[str, int]:
    """Play a deal to its end (the lowest legal play, no declarations); return the plays made in each phase."""
    made: dict[str, int] = {}
    while not game.is_over:
        texts = legal(game)
        made[game.phase] = made.get(game.phase, 0) + 1
        game.apply("pass" if "pass" in texts else texts[0])
    return made
