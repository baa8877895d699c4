"""Small packs whole: every deck that explains what a seat saw, and every history with what each seat knew in it.

Of the engine only ordinary play is used (apply, project); nothing here reads how it remembers or infers.
"""

from __future__ import annotations

import hashlib
import itertools
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bezique_env.engine import play
from bezique_env.engine.bezique.state import CARD_BITS, OWNER_NONE, OWNER_SHIFT
from bezique_env.engine.rng import STREAM_RESAMPLE, key_of
from bezique_env.game import Game
from bezique_env.rules import Rules, get_rules, variants
from tests.worlds_belote import Replay, explains, told

SIZES = {preset: name for name in ("mini_bezique", "mini_belote") for preset in variants()[name].presets}
"""Variant by preset."""
WINDOWS = ("declare", "exchange", "announce")
"""Phases in which the other seat may pass unseen."""
Hidden = tuple[bytes, tuple[int, ...]]
"""The other hand, and the cards that are still to come or stay out, in their order."""


def rules_of(preset: str, options: dict[str, Any] | None = None) -> Rules:
    return get_rules(SIZES[preset], preset, options)


def is_bezique(rules: Rules) -> bool:
    return rules.family.name == "bezique"


def initial_places(rules: Rules, elder: bool) -> list[int]:
    """The places of the deck that a seat is dealt before anything is done: one card in turn."""
    more = 0 if is_bezique(rules) else 1
    return list(range(0 if elder else 1, 2 * (rules.hand_size - more), 2))


class Small(Replay):
    """One game of a size, played again and again from a deck."""

    def __init__(self, rules: Rules, dealer: int, draws: str = "shared") -> None:
        self.game = Game(rules.variant, rules=rules, dealer=dealer, draws=draws)
        self.rules, self.dealer, self.draws = rules, dealer, int(draws == "queues")
        self.games, self.views = self.game._games, self.game._views
        self.vector, self.tmp = self.game._vector, self.game._tmp
        self.played = self.game.action_id("pass")
        self.mask = np.zeros(self.game.num_actions, np.int8)
        self.has_step = "step" in (self.games.dtype.names or ())

    def start(self, deck: NDArray[np.uint8]) -> None:
        self.games[0]["deck"] = 0
        self.games[0]["deck"][: len(deck)] = deck
        play.start_row(self.games, 0, self.vector, np.uint64(0), self.dealer, 0, self.draws, 1)

    def asked(self) -> tuple[int, int]:
        state = self.games[0]
        return int(state["phase"]), int(state["step"]) if self.has_step else 0

    def waits(self, other: int) -> bool:
        return self.game.phase in WINDOWS and self.game.seat_to_act == other

    def legal_actions(self) -> list[int]:
        play.mask_row(self.games, 0, self.vector, self.mask, self.tmp)
        return [int(action) for action in np.flatnonzero(self.mask)]


def hidden_of(rules: Rules, state: Any, seat: int) -> Hidden:
    """What a seat cannot see of a state."""
    deck = state["deck"][: len(rules.pack)]
    if is_bezique(rules):
        left = deck[deck >> OWNER_SHIFT == OWNER_NONE] & CARD_BITS
    else:
        first = 2 * (rules.hand_size - 1)
        left = deck[first + 3 : -1] if state["taker"] != 255 else deck[first + 1 :]
    return state["hand"][1 - seat].tobytes(), tuple(left.tolist())


def deck_of(rules: Rules, state: Any) -> bytes:
    """The cards of a state's deck, in dealing order."""
    deck = state["deck"][: len(rules.pack)]
    return bytes((deck & CARD_BITS if is_bezique(rules) else deck).tobytes())


def orders_of(cards: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every order of some cards, equal ones not told apart."""
    yield from sorted(set(itertools.permutations(cards)))


def worlds(
    small: Small, deck: NDArray[np.uint8], actions: Sequence[int], seat: int
) -> tuple[dict[Hidden, float], set[bytes]]:
    """Exact probabilities of the hidden state after a story, all decks being equally likely, and these decks.

    The places of the cards that the seat was dealt first and of the turn-up stand as they are; every order of all
    others is tried.
    """
    rules = small.rules
    story = told(small, deck, actions, seat)
    now = (small.asked(), small.seen(seat))
    truth = hidden_of(rules, small.games[0], seat)
    own = initial_places(rules, elder=seat != small.dealer)
    turned = 2 * (rules.hand_size - (0 if is_bezique(rules) else 1))
    has_turn_up = not is_bezique(rules) or rules.options.trump == "turn_up"
    known = [*own, turned] if has_turn_up else own
    free = [place for place in range(len(deck)) if place not in known]
    found: Counter[Hidden] = Counter()
    decks = set()
    trial = deck.copy()
    for order in orders_of(deck[free].tolist()):
        trial[free] = order
        if explains(small, trial, story, seat, now):
            found[hidden_of(rules, small.games[0], seat)] += 1
            decks.add(trial.tobytes())
    assert truth in found, "the story itself must be one of the worlds"
    return {world: n / len(decks) for world, n in found.items()}, decks


def samples(game: Game, seat: int, count: int, first_seed: int) -> Iterator[Any]:
    """States as :meth:`bezique_env.game.Game.resample` draws them for seeds one after another, without a history."""
    views, twin = game.view_record(seat), game._games.copy()
    work = np.zeros(game._engine.work, np.uint8)
    for seed in range(first_seed, first_seed + count):
        key = np.uint64(key_of(np.uint64(seed), STREAM_RESAMPLE, 0))
        play.resample_row(views, 0, twin, 0, game._vector, key, work, game._tmp)
        yield twin[0]


def random_story(small: Small, rng: random.Random, length: int) -> tuple[NDArray[np.uint8], list[int]]:
    """A deck, and actions from its deal that prefer declarations; they do not end the game."""
    deck = np.array(rng.sample(small.rules.pack.tolist(), len(small.rules.pack)), np.uint8)
    small.start(deck)
    actions: list[int] = []
    while len(actions) < length:
        legal = small.legal_actions()
        said = [a for a in legal if small.game.action_text(a).split()[0] not in ("play", "use", "pass")]
        before = small.games.copy()
        action = rng.choice(said if said and rng.random() < 0.6 else legal)
        small.apply(action)
        if small.game.is_over:
            small.games[:] = before
            break
        actions.append(action)
    return deck, actions


# -------------------------------------------------------------------------------------- every history


def histories(
    game: Game, sights: Sequence[bytes] = (b"", b""), endings: bool = True
) -> Iterator[tuple[Game, Sequence[bytes]]]:
    """Every decision of every history from here, with what both seats saw up to it.

    What a seat saw is its view before each action that it could notice, and that action. It cannot notice what
    the other seat does in a window when it looks afterwards as if that one had passed, nor what changes nothing in
    its view: copies chosen for a meld are seen when all are.
    """
    if game.is_over or (not endings and game.phase.startswith("endgame")):
        return
    yield game, sights
    actor = game.seat_to_act
    before = [game.view_record(seat).tobytes() for seat in (0, 1)]
    passed = None
    legal = game.legal_actions()
    if game.phase in WINDOWS:
        silent = game.clone()
        silent.play_on(game.action_id("pass"))
        passed = silent.view_record(1 - actor).tobytes()
    for action in legal:
        twin = game.clone()
        twin.play_on(action)
        following = list(sights)
        for seat in (0, 1):
            after = twin.view_record(seat).tobytes()
            if seat == actor or after not in (passed, before[seat]):
                told_of = sights[seat] + before[seat] + bytes([actor, action])
                following[seat] = hashlib.blake2b(told_of, digest_size=16).digest()
        yield from histories(twin, following, endings)
