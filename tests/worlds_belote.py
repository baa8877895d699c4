"""Every hidden deal of a Belote hand that explains what one seat saw, by brute force, and decks worth playing.

A story is a game on a given deck and the actions that were played. The cards that the seat was not dealt or
shown are dealt anew in every way; what the seat saw done is done again on each deck; a deck is kept when the
seat would have seen the same before every action and sees the same now. Nothing here reads how the engine
remembers or infers: only ordinary play (apply, project) is used, and what is seen is compared as a whole.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bezique_env.cards import SUITS
from bezique_env.engine import play
from bezique_env.engine.rng import STREAM_RESAMPLE, key_of
from bezique_env.game import Game
from bezique_env.rules import Rules, get_rules
from bezique_env.rules.belote.cards import CARD_TEXTS, CARDS

RANKS = "789TJQKA"
TURN_UP, BOTTOM = 12, 31
Hidden = tuple[int, bool]
"""Hand of the other seat, as a mask of cards, and whether it was dealt the seven of trumps among its first six."""


def places(elder: bool) -> list[int]:
    """Return the places of the deck from which a seat is dealt: six cards, then three (section 2.2, 2.3)."""
    return [0, 1, 2, 6, 7, 8, 13, 14, 15] if elder else [3, 4, 5, 9, 10, 11, 16, 17, 18]


class Told(NamedTuple):
    """An action that the seat saw, with what it saw before it; phase and step say what was asked."""

    actor: int
    action: int
    asked: tuple[int, int]
    before: bytes


class Replay:
    """One game of given rules, played again and again from a deck with the engine's own kernels."""

    def __init__(self, rules: Rules, dealer: int) -> None:
        self.game = Game(rules.variant, rules=rules, dealer=dealer)
        self.games = self.game._games
        self.vector, self.tmp, self.views = self.game._vector, self.game._tmp, self.game._views
        self.dealer = dealer
        self.played = self.game._engine.actions.id("pass")
        self.announced = self.game._engine.actions.id("announce")
        self.mask = np.zeros(self.game.num_actions, np.int8)

    def start(self, deck: NDArray[np.uint8]) -> None:
        self.games[0]["deck"] = deck
        play.start_row(self.games, 0, self.vector, np.uint64(0), self.dealer, 0, 0, 1)

    def legal(self, action: int) -> bool:
        play.mask_row(self.games, 0, self.vector, self.mask, self.tmp)
        return bool(self.mask[action])

    def apply(self, action: int) -> None:
        play.apply_row(self.games, 0, self.vector, action, self.tmp)

    def seen(self, seat: int) -> bytes:
        play.project_row(self.games, 0, self.vector, seat, self.views, 0)
        return self.views.tobytes()

    def asked(self) -> tuple[int, int]:
        return int(self.games[0]["phase"]), int(self.games[0]["step"])

    def waits(self, other: int) -> bool:
        """Whether the other seat is asked for an exchange or an announcement, which it may pass unseen."""
        return self.game.phase in ("exchange", "announce") and self.game.seat_to_act == other


def told(replay: Replay, deck: NDArray[np.uint8], actions: Sequence[int], seat: int) -> list[Told]:
    """Play the truth; return what the seat saw of it.

    Of what the other seat answers when it is asked to exchange or to announce, that is unseen after which the
    seat sees the same as if it had passed.
    """
    replay.start(deck)
    found = []
    for action in actions:
        actor, unseen = replay.game.seat_to_act, False
        item = Told(actor, action, replay.asked(), replay.seen(seat))
        if replay.waits(1 - seat):
            before = replay.games.copy()
            replay.apply(replay.played)
            passed = replay.seen(seat)
            replay.games[:] = before
            replay.apply(action)
            unseen = replay.seen(seat) == passed
        else:
            replay.apply(action)
        if not unseen:
            found.append(item)
    return found


def explains(
    replay: Replay,
    deck: NDArray[np.uint8],
    story: Sequence[Told],
    seat: int,
    now: tuple[tuple[int, int], bytes],
) -> bool:
    """Whether a deck explains what was seen; the game of the deck is then at the present."""
    replay.start(deck)
    other = 1 - seat
    for item in story:
        while replay.waits(other) and (item.actor == seat or replay.asked() != item.asked):
            replay.apply(replay.played)
        if replay.seen(seat) != item.before or not replay.legal(item.action):
            return False
        replay.apply(item.action)
    while replay.waits(other) and replay.asked() != now[0]:
        replay.apply(replay.played)
    return replay.seen(seat) == now[1]


def worlds(
    rules: Rules, deck: Sequence[str], dealer: int, actions: Sequence[int], seat: int, held: str = ""
) -> dict[Hidden, float]:
    """Exact probabilities of the hidden state after a story, all decks being equally likely.

    ``held`` only saves time: cards that the other seat showed, or said that it held.
    """
    truth = np.array([CARDS.id(card) for card in deck], np.uint8)
    replay = Replay(rules, dealer)
    story = told(replay, truth, actions, seat)
    state = replay.games[0].copy()
    now = (replay.asked(), replay.seen(seat))
    bought = state["taker"] != 255
    mine, theirs = places(seat != dealer), places(seat == dealer)
    if not bought:
        mine, theirs = mine[:6], theirs[:6]
    seven = 8 * int(state["trump"])
    fixed = [action for (actor, action, *_) in story if actor != seat and action < 32]
    if state["exchanged"] == 1 - seat:
        fixed = [seven, *(card for card in fixed if card != truth[TURN_UP])]
    fixed += [card for card in (CARDS.id(text) for text in held.split()) if card not in fixed]
    known = {int(truth[k]) for k in (*mine, TURN_UP, *([BOTTOM] if bought else []))}
    pool = [card for card in range(32) if card not in known and card not in fixed]
    open_places = [k for k in range(32) if k not in (*mine, TURN_UP, *([BOTTOM] if bought else []), *theirs)]
    found: dict[Hidden, float] = {}
    trial = truth.copy()
    for drawn in itertools.combinations(pool, len(theirs) - len(fixed)):
        dealt = [*fixed, *drawn]
        trial[open_places] = [card for card in pool if card not in drawn]
        for first, weight in arrangements(dealt, seven):
            trial[theirs] = first
            if explains(replay, trial, story, seat, now):
                hidden = hidden_of(replay.games[0], seat)
                found[hidden] = found.get(hidden, 0.0) + weight
    assert hidden_of(state, seat) in found, "the story itself must be one of the worlds"
    total = sum(found.values())
    return {world: weight / total for world, weight in found.items()}


def arrangements(dealt: list[int], seven: int) -> Iterator[tuple[list[int], float]]:
    """Orders of the cards dealt to a seat that may look different, with their share of all orders.

    Only the place of the seven of trumps can matter: among the first six cards or not.
    """
    if seven not in dealt or len(dealt) <= 6:
        yield dealt, 1.0
        return
    rest = [card for card in dealt if card != seven]
    yield [seven, *rest], 6 / 9
    yield [*rest, seven], 3 / 9


def hidden_of(state: Any, seat: int) -> Hidden:
    """Return what the seat cannot see of a state."""
    first = [int(state["deck"][k]) for k in places(seat == int(state["dealer"]))[:6]]
    return int(state["hand"][1 - seat]), 8 * int(state["trump"]) in first


def sample(game: Game, seat: int, count: int) -> Counter[Hidden]:
    """Hidden states of ``count`` resampled games."""
    return Counter(hidden_of(state, seat) for state in samples(game, seat, count))


def samples(game: Game, seat: int, count: int) -> Iterator[Any]:
    """States as :meth:`bezique_env.game.Game.resample` draws them for the seeds 0, 1, ..., without a history."""
    views, twin = game.view_record(seat), game._games.copy()
    work = np.zeros(game._engine.work, np.uint8)
    for seed in range(count):
        key = np.uint64(key_of(np.uint64(seed), STREAM_RESAMPLE, 0))
        play.resample_row(views, 0, twin, 0, game._vector, key, work, game._tmp)
        yield twin[0]


# ------------------------------------------------------------------------------------------------- decks

LOOKS = ("none", "runs", "equal", "fours", "mixed", "trumps")
"""Kinds of decks: any; runs in both hands; runs of one length and top; four of a kind in a hand or in both; a run
of five against four of a kind; king, queen and seven of one suit."""


def rich_deck(seed: int, look: str, dealer: int) -> list[str]:
    """A shuffled deck with the cards that a look asks for among the nine of each seat."""
    rng = np.random.default_rng([seed, LOOKS.index(look)])
    deck = [CARD_TEXTS[int(card)] for card in rng.permutation(32)]
    wanted: list[list[str]] = [[], []]
    suits = [str(suit) for suit in rng.permutation(list(SUITS))]
    if look in ("runs", "equal"):
        lengths = [int(rng.integers(3, 6)) for _ in wanted]
        tops = [int(rng.integers(length - 1, 8)) for length in lengths]
        if look == "equal":
            lengths = [lengths[0]] * 2
            tops = [
                tops[0],
                min(7, max(lengths[0] - 1, tops[0] + int(rng.integers(-1, 2)) * int(rng.random() < 0.5))),
            ]
        for s in (0, 1):
            wanted[s] = [RANKS[tops[s] - k] + suits[s] for k in range(lengths[s])]
    elif look == "fours":
        ranks = [str(rank) for rank in rng.permutation(list("9TJQKA"))]
        for s in (0, 1) if rng.random() < 0.7 else (int(rng.integers(2)),):
            wanted[s] = [ranks[s] + suit for suit in SUITS]
        if rng.random() < 0.6:
            s, top = int(rng.integers(2)), int(rng.integers(2, 8))
            run = [RANKS[top - k] + suits[0] for k in range(3)]
            wanted[s] += [card for card in run if card not in wanted[0] + wanted[1]]
    elif look == "mixed":
        s = int(rng.integers(2))
        top, rank = (6, "A") if rng.random() < 0.5 else (5, str(rng.choice(["K", "A"])))
        wanted[s] = [RANKS[top - k] + suits[0] for k in range(5)]
        wanted[1 - s] = [rank + suit for suit in SUITS]
    elif look == "trumps":
        wanted[int(rng.integers(2))] += [rank + suits[0] for rank in "KQ"]
        wanted[int(rng.integers(2))] += ["7" + suits[0]]
    own = [places(s != dealer) for s in (0, 1)]
    for s in (0, 1):
        free = [int(k) for k in rng.permutation(own[s])]
        for card in wanted[s]:
            a, b = free.pop(), deck.index(card)
            deck[a], deck[b] = deck[b], deck[a]
    if look == "trumps" and rng.random() < 0.8:
        turned = next(k for k, card in enumerate(deck) if card[1] == suits[0] and card[0] in "89TJA")
        if not any(turned in row for row in own):
            deck[TURN_UP], deck[turned] = deck[turned], deck[TURN_UP]
    return deck


def new_game(preset: str | None, overrides: dict[str, Any], seed: int, look: str) -> Game:
    """A game of one deal on a rich deck; the dealer and the deck follow from the seed."""
    dealer = seed % 2
    rules = get_rules("belote", preset, overrides)
    return Game("belote", rules=rules, seed=seed, deck=rich_deck(seed, look, dealer), dealer=dealer)


def pick(game: Game, rng: np.random.Generator) -> int:
    """A random legal action that mostly exchanges, announces and says the pair, and seldom ends the deal."""
    texts = {game.action_text(action): action for action in game.legal_actions()}
    for text in ("exchange", "announce", "belote"):
        if text in texts and rng.random() < 0.75:
            return texts[text]
    if "agree" in texts:
        return texts["agree" if rng.random() < 0.2 else "refuse"]
    if game.phase == "bid" and len(game.state["bids"]) and rng.random() < 0.5:
        bids = [action for text, action in texts.items() if text.split()[0] in ("accept", "name")]
        if bids:
            return int(rng.choice(bids))
    return int(rng.choice(list(texts.values())))
