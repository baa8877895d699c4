"""Small games as nested nodes, played by ``Game`` and keyed by its information texts: slow, and independent."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from agents.protocol import Agent
from bezique_env.engine import play
from bezique_env.game import Game
from bezique_env.rules import Rules
from tests.exact.plain import Chance, Decision, Leaf, Node

Fold = Callable[[Game], bool]


def never(game: Game) -> bool:
    return False


def stock_gone(game: Game) -> bool:
    """Bezique: with the stock in the hands everyone can tell where all cards are."""
    return game.phase.startswith("endgame")


def playing(game: Game) -> bool:
    """Belote without cards out of play: when play begins, everyone can tell where all cards are."""
    return game.phase in ("lead", "follow")


def _dealt(game: Game) -> dict[int, int]:
    deck = len(game.state["deck"])
    places, owners = np.zeros(deck, np.int16), np.zeros(deck, np.uint8)
    n = play.dealt_row(game._games, 0, game._vector, places, owners)
    return dict(zip(places[:n].tolist(), owners[:n].tolist(), strict=True))


def _draws(places: dict[int, int], left: Counter[int]) -> Iterator[tuple[float, dict[int, int]]]:
    """(probability, place -> card) of everything that can come to the places, each owner's cards ascending."""
    groups = [[place for place, owner in sorted(places.items()) if owner == seat] for seat in (0, 1)] + [
        [place] for place, owner in sorted(places.items()) if owner == 2
    ]

    def choose(k: int, rest: Counter[int]) -> Iterator[tuple[float, dict[int, int]]]:
        if k == len(groups):
            yield 1.0, {}
            return
        group, total = groups[k], sum(rest.values())
        hands = sorted(set(itertools.combinations(sorted(rest.elements()), len(group))))
        for hand in hands:
            ways = math.prod(math.comb(rest[card], n) for card, n in Counter(hand).items())
            share = ways / math.comb(total, len(group))
            for p, cards in choose(k + 1, rest - Counter(hand)):
                yield share * p, {**dict(zip(group, hand, strict=True)), **cards}

    yield from choose(0, left)


def _deck(rules: Rules, cards: dict[int, int], kept: dict[int, int]) -> list[int]:
    """A whole pack with these cards at their places."""
    fixed = {**kept, **cards}
    rest = iter(sorted((Counter(rules.pack.tolist()) - Counter(fixed.values())).elements()))
    return [fixed[k] if k in fixed else next(rest) for k in range(len(rules.pack))]


def _put(game: Game, rules: Rules, cards: dict[int, int]) -> None:
    deck = game._face.deck(game.state)
    kept = {place: deck[place] for place in _dealt(game)}
    for place, card in enumerate(_deck(rules, cards, kept)):
        if place not in kept:
            play.put_card_row(game._games, 0, game._vector, place, card)


def _minimax(game: Game, known: dict[Any, int]) -> int:
    """Value of an ending; ``known`` keeps what was found, by all that was dealt, played and scored."""
    if game.is_over:
        return game.returns()[0]
    state = game.state
    key = tuple(np.asarray(state[name]).tobytes() for name in ENDING_FIELDS if name in state.dtype.names)
    if key not in known:
        values = []
        for action in game.legal_actions():
            child = game.clone()
            child.play_on(action)
            values.append(_minimax(child, known))
        known[key] = max(values) if game.seat_to_act == 0 else min(values)
    return known[key]


ENDING_FIELDS = (
    *("hand", "phase", "to_act", "trick_card", "trump", "scores", "brisques", "tricks", "taker", "leader"),
    *("pair_seat", "pair_said", "pair_paid", "saying", "declared", "paid", "outcome", "dealer"),
)
"""Fields of either family that decide, with the rules, what can still come of an ending."""


class Walker:
    """Walks through a game; ``views`` and ``masks`` keep what was seen at each information set."""

    def __init__(self, rules: Rules, fold: Fold = never, dealer: int = 1) -> None:
        self.rules, self.fold, self.dealer = rules, fold, dealer
        self.views: dict[str, Any] = {}
        self.masks: dict[str, Any] = {}
        self.endings: dict[Any, int] = {}

    def game(self, deck: list[int]) -> Game:
        texts = [self.rules.family.cards.texts[card] for card in deck]
        game = Game(self.rules.variant, rules=self.rules, deck=texts, dealer=self.dealer)
        if "given" in game.state.dtype.names:
            game.state["given"] = 0  # as in play, where decks are not given
        return game

    def root(self) -> Node:
        pack = self.rules.pack.tolist()
        draws = _draws(_dealt(self.game(pack)), Counter(pack))
        return Chance(tuple((p, self.node(self.game(_deck(self.rules, cards, {})))) for p, cards in draws))

    def node(self, game: Game) -> Node:
        if game.is_over:
            return Leaf(game.returns()[0])
        if self.fold(game):
            return Leaf(_minimax(game, self.endings))
        seat = game.seat_to_act
        text = game.information_text(seat)
        view, mask = game.view_record(seat), game.legal_mask(seat)
        if text in self.views:
            assert view.tobytes() == self.views[text].tobytes(), "one text, two views"
        self.views[text], self.masks[text] = view, mask
        return Decision(seat, text, tuple((a, self.after(game, a)) for a in np.flatnonzero(mask).tolist()))

    def after(self, game: Game, action: int) -> Node:
        child = game.clone()
        child.play_on(action)
        before = _dealt(game)
        new = {place: owner for place, owner in _dealt(child).items() if place not in before}
        if not new:
            return self.node(child)
        deck = game._face.deck(game.state)
        left = Counter(self.rules.pack.tolist()) - Counter(deck[place] for place in before)
        draws = []
        for p, cards in _draws(new, left):
            child = game.clone()
            _put(child, self.rules, cards)
            child.play_on(action)
            draws.append((p, self.node(child)))
        return Chance(tuple(draws))

    def policy(self, agent: Agent) -> dict[Any, dict[int, float]]:
        """What an agent that never looks at its keys does at every information set."""
        found = {}
        for text, view in self.views.items():
            mask = self.masks[text]
            action = int(agent.act(view, mask[None], np.zeros(1, np.uint64))[0])
            found[text] = {int(a): float(a == action) for a in np.flatnonzero(mask)}
        return found
