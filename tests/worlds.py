"""Every hidden deal that explains what one seat saw, by brute force: the oracle that `resample` is held against.

A story is a fully named position and the actions that were played from it. The other seat's concealed cards
and the face-down stock of the position are dealt anew in every distinct way; the public actions are replayed
on each; a deal is kept when the seat would have seen the same at every decision. Nothing here reads how the
engine remembers or infers; only ordinary play (`Game.apply`, `Game.view`) is used.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from bezique_env.engine.bezique.state import CARD_BITS, OWNER_NONE, OWNER_SHIFT
from bezique_env.game import Game
from bezique_env.position import PositionError
from bezique_env.rules import Rules
from bezique_env.rules.bezique import index as ix
from bezique_env.rules.bezique.cards import CARD_TEXTS

Action = tuple[int, str]
Hidden = tuple[tuple[str, ...], tuple[str, ...]]
"""Concealed cards of the other seat (sorted) and the face-down stock in drawing order."""


def face_down(game: Game) -> tuple[str, ...]:
    """The face-down stock in drawing order (the one thing that no view tells)."""
    state = game._games[0]
    owner = state["deck"] >> OWNER_SHIFT
    return tuple(CARD_TEXTS[int(c)] for c in state["deck"][owner == OWNER_NONE] & CARD_BITS)


def hidden(game: Game, seat: int, order: bool = True) -> Hidden:
    """What a seat cannot see of a game; with ``order`` False the stock as a set (the order is left open)."""
    stock = face_down(game)
    return tuple(sorted(game.hand(1 - seat))), stock if order else tuple(sorted(stock))


def public(actions: Sequence[Action], seat: int) -> list[Action]:
    """The actions that a seat sees: its own, and the other's except passes."""
    return [(s, text) for s, text in actions if s == seat or text != "pass"]


Open = tuple[str, int]
"""Phase and seat to act of the present, as a seat sees them."""


def _silent(game: Game, seat: int) -> bool:
    return game.phase in ("declare", "carte_blanche") and game.seat_to_act == 1 - seat


def _answers(phase: str, text: str) -> bool:
    """Whether a public action answers what is asked in a phase in which a seat may pass unseen."""
    if text.startswith("play"):
        return False
    return (text == "carte blanche") == (phase == "carte_blanche")


def story_of(game: Game, actions: Sequence[Action], seat: int, now: Open) -> list[Any] | None:
    """Replay what a seat saw; return the views before every public action and at the end, None if impossible."""
    seen: list[Any] = []
    for actor, text in actions:
        while _silent(game, seat) and (actor == seat or not _answers(game.phase, text)):
            game.apply("pass")
        if game.seat_to_act != actor or game.why_illegal(text) is not None:
            return None
        seen.append(game.view(seat).to_dict())
        seen.append([tuple(event)[1:] for event in game.apply(text)])
    while _silent(game, seat) and (game.phase, game.seat_to_act) != now:
        game.apply("pass")
    seen.append(game.view(seat).to_dict())
    return seen


def orders(cards: Sequence[str]) -> int:
    """In how many orders cards can lie, equal ones not told apart."""
    count = math.factorial(len(cards))
    for n in Counter(cards).values():
        count //= math.factorial(n)
    return count


def deals(
    pool: Sequence[str], size: int, held: Sequence[str], drawn: int
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...], int]]:
    """Every hand of ``size`` and order of the rest, with the number of arrangements it stands for.

    ``held`` are cards that everyone saw leave that hand before it received another. Only the first ``drawn``
    cards of the rest are put into every order; the others stay sorted.
    """
    counts = Counter(pool)
    free = list((counts - Counter(held)).elements())
    for hand in sorted({tuple(sorted([*held, *c])) for c in itertools.combinations(free, size - len(held))}):
        rest = counts - Counter(hand)
        for first in sorted(set(itertools.permutations(rest.elements(), drawn))):
            last = sorted((rest - Counter(first)).elements())
            yield hand, (*first, *last), orders(hand) * orders(last)


def worlds(
    position: dict[str, Any],
    actions: Sequence[Action],
    seat: int,
    held: Sequence[str] = (),
    order: bool = True,
) -> dict[Hidden, float]:
    """Exact probabilities of the hidden state after a story, all physical deals being equally likely.

    ``held`` only saves time: cards that the other seat showed from its hand before its first draw. So does
    ``order`` False, which leaves the order of the stock open; every order of it is as likely as any other.
    """
    other = 1 - seat
    known = list((position.get("known") or [[], []])[other])
    concealed = list(position["hands"][other])
    for card in known:
        concealed.remove(card)
    told = public(actions, seat)
    truth = Game.from_position(position)
    for _, text in actions:
        truth.apply(text)
    now = (truth.phase, truth.seat_to_act)
    wanted = story_of(Game.from_position(position), told, seat, now)
    assert wanted is not None, "the story itself must be one of the worlds"
    found: Counter[Hidden] = Counter()
    stock = list(position["stock"])
    owners = truth._games[0]["deck"][-len(stock) :] >> OWNER_SHIFT
    own = [k for k in range(len(stock)) if owners[k] == seat]  # the seat knows what it drew
    places = sorted((k for k in range(len(stock)) if k not in own), key=lambda k: owners[k] != other)
    drawn = len(places) if order else int(sum(owners == other))
    pool = concealed + [stock[k] for k in places]
    for hand, rest, weight in deals(pool, len(concealed), held, drawn):
        hands = list(position["hands"])
        hands[other] = [*known, *hand]
        for place, card in zip(places, rest, strict=True):
            stock[place] = card
        try:
            game = Game.from_position({**position, "hands": hands, "stock": stock})
        except PositionError:  # a court card, where carte blanche is asked
            continue
        if story_of(game, told, seat, now) == wanted:
            found[hidden(game, seat, order)] += weight
    total = sum(found.values())
    return {world: weight / total for world, weight in found.items()}


def sample(game: Game, seat: int, count: int, first_seed: int = 0, order: bool = True) -> Counter[Hidden]:
    """Hidden states of ``count`` resampled games."""
    return Counter(hidden(game.resample(seat, first_seed + k), seat, order) for k in range(count))


def chi_square(expected: dict[Hidden, float], got: Counter[Hidden]) -> float:
    """p-value of counts against exact probabilities; rare cells are pooled."""
    from scipy.stats import chisquare

    assert set(got) <= set(expected), f"impossible hidden states: {list(set(got) - set(expected))[:3]}"
    total = sum(got.values())
    cells = sorted(((got[w], p * total) for w, p in expected.items()), key=lambda cell: cell[1])
    observed, wanted = [0.0], [0.0]
    for n, e in cells:
        if wanted[-1] >= 8:
            observed.append(0.0)
            wanted.append(0.0)
        observed[-1] += n
        wanted[-1] += e
    if len(wanted) > 1 and wanted[-1] < 8:
        few, expected_few = observed.pop(), wanted.pop()
        observed[-1] += few
        wanted[-1] += expected_few
    if len(wanted) == 1:
        return 1.0
    return float(chisquare(np.array(observed), np.array(wanted)).pvalue)


def eager(game: Game) -> list[int]:
    """The legal actions that declare, announce or exchange something, all legal ones where there are none."""
    legal = game.legal_actions()
    plain = ("play", "use", "pass", "agree", "propose")
    return [a for a in legal if game.action_text(a).split()[0] not in plain] or legal


LOOKS: dict[str, tuple[str, str]] = {
    "none": ("", ""),
    "low": ("789T", "SHDC"),
    "royal": ("AKQJ", "SHDC"),
    "kings": ("KQ", "SHDC"),
    "spades": ("789TJQKA", "S"),
}
"""Ranks and suits."""


def rich_deck(rules: Rules, seed: int, look: str = "none") -> list[str]:
    """A shuffled deck whose first two hands, and some cards after them, are of one kind as far as they go.

    ``low`` has no courts (carte blanche), ``royal`` nothing else.
    """
    packs = rules.shape.packs
    deck = [str(card) for card in np.random.default_rng(seed).permutation(list(CARD_TEXTS) * packs)]
    ranks, suits = LOOKS[look]
    first = [card for card in deck if card[0] in ranks and card[1] in suits]
    size = 2 * int(rules.vector[ix.HAND_SIZE]) + 10
    front = first[:size]
    rest = list(deck)
    for card in front:
        rest.remove(card)
    return front + rest
