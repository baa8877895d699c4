"""The deck revealed card by card: which places have come into play and whose they are, and cards put there late.

The kernels ``dealt`` and ``put_card`` are what OpenSpiel's chance nodes and the exact solver stand on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from bezique_env.engine import play
from bezique_env.engine.common import (
    BETWEEN_DEALS,
    DRAWS_QUEUES,
    EPISODE_MATCH,
    NONE,
    OVER,
    PUBLIC,
    copy_records,
)
from bezique_env.engine.engine import Engine
from bezique_env.engine.engines import engine_of
from bezique_env.rules import Rules, get_rules, variants
from tests import throwaway
from tests.worlds import LOOKS, rich_deck


class Table:
    """One row of a variant, played through the kernels alone."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.engine = rules, engine_of(rules.variant)
        self.vector = rules.vector.copy()
        self.games = np.zeros(1, self.engine.state_dtype(rules.shape))
        self.views = np.zeros(1, self.engine.view_dtype(rules.shape))
        self.tmp = np.zeros(self.engine.scratch, np.uint8)
        self.places = np.zeros(rules.shape.deck, np.int16)
        self.owners = np.zeros(rules.shape.deck, np.uint8)

    @property
    def g(self) -> Any:
        return self.games[0]

    def start(self, deck: np.ndarray, dealer: int, episode: int, draws: int) -> None:
        self.g["deck"][: len(deck)] = deck
        play.start_row(self.games, 0, self.vector, np.uint64(7), dealer, episode, draws, 1)
        if self.engine.redeals:
            self.g["given"] = 0

    def begin(self, deck: np.ndarray) -> None:
        """Deal the next deal of a match."""
        self.g["deck"][: len(deck)] = deck
        play.next_deal_row(self.games, 0, self.vector)

    def dealt(self) -> dict[int, int]:
        n = play.dealt_row(self.games, 0, self.vector, self.places, self.owners)
        places = self.places[:n].tolist()
        assert places == sorted(set(places))
        return dict(zip(places, self.owners[:n].tolist(), strict=True))

    def put(self, place: int, card: int) -> None:
        play.put_card_row(self.games, 0, self.vector, place, card)

    def act(self, action: int) -> None:
        play.apply_row(self.games, 0, self.vector, action, self.tmp)

    def legal(self) -> np.ndarray:
        mask = np.zeros(self.engine.actions.size, np.int8)
        play.mask_row(self.games, 0, self.vector, mask, self.tmp)
        return np.flatnonzero(mask)


def card_bits(engine: Engine) -> int:
    return 31 if engine.family == "bezique" else 255


def cards_of(table: Table) -> np.ndarray:
    return np.asarray(table.g["deck"]) & card_bits(table.engine)


def visible_places(table: Table, seat: int) -> set[int]:
    """The places of the deck whose card the view of a seat shows."""
    play.project_row(table.games, 0, table.vector, seat, table.views, 0)
    deck = np.asarray(table.views[0]["deck"])
    hidden = deck & 128 > 0 if table.engine.family == "bezique" else deck == NONE
    return set(np.flatnonzero(~hidden).tolist())


def in_play(table: Table) -> Counter[int]:
    """Every card that lies anywhere but in the undealt deck, from the fields of the record that hold cards."""
    g, found = table.g, Counter()
    trick = [int(c) for c in g["trick_card"] if c != NONE]
    if table.engine.family == "bezique":
        for name in ("hand", "table_count", "won"):
            for s in range(2):
                found.update({c: int(n) for c, n in enumerate(g[name][s]) if n})
        found.update(trick)
        found.update([int(g["turn_up"])] if g["turn_up"] != NONE else [])
        return found
    held = int(g["hand"][0]) | int(g["hand"][1]) | int(g["played"][0]) | int(g["played"][1])
    if table.engine.family == "belote":
        for name in ("turn_up", "bottom"):
            held |= 1 << int(g[name]) if g[name] != NONE else 0
    found.update(c for c in range(32) if held >> c & 1)
    return found


def check_dealt(table: Table) -> None:
    """What ``dealt`` says is what the views of both seats and the cards in play say."""
    dealt, deck = table.dealt(), cards_of(table)
    for seat in range(2):
        assert visible_places(table, seat) == {p for p, owner in dealt.items() if owner in (seat, PUBLIC)}
    assert Counter(int(deck[p]) for p in dealt) == in_play(table)


def finish_deck(table: Table, true: np.ndarray) -> np.ndarray:
    """A copy of the row with the true cards in the places that have not come into play."""
    whole = Table(table.rules)
    whole.games = copy_records(table.games)
    dealt = table.dealt()
    for place in range(len(true)):
        if place not in dealt:
            whole.put(place, int(true[place]))
    return whole.games


def reveal(table: Table, true: np.ndarray, advance: Any) -> None:
    """Let ``advance(table)`` happen once its draws are the true cards, found one by one as plan and docs say."""
    before = set(table.dealt())
    trial = Table(table.rules)
    trial.games = copy_records(table.games)
    advance(trial)
    for place in sorted(set(trial.dealt()) - before):
        deck = cards_of(table)[: len(true)]
        (holder, *_) = [p for p in range(len(deck)) if p not in before and deck[p] == true[place]]
        swapped = int(deck[place])
        table.put(holder, swapped)
        table.put(place, int(true[place]))
        before.add(place)
        assert Counter(cards_of(table)[: len(true)].tolist()) == Counter(true.tolist())
    advance(table)
    assert set(table.dealt()) == before or table.g["phase"] == BETWEEN_DEALS


def play_both(rules: Rules, rng: np.random.Generator, episode: int, draws: int) -> int:
    """Play a game on known decks and the same with late cards; return the deals played."""
    known, late = Table(rules), Table(rules)
    pack = rules.pack
    true = rng.permutation(pack)
    if (
        rules.family.name == "bezique" and len(pack) >= 64
    ):  # hands without courts and of nothing else, for carte blanche and melds
        look = str(rng.choice(sorted(LOOKS)))
        true = np.array(
            [rules.family.cards.id(text) for text in rich_deck(rules, int(rng.integers(99)), look)]
        )
    dealer, deals = int(rng.integers(2)), 1
    known.start(true, dealer, episode, draws)
    late.start(rng.permutation(pack), dealer, episode, draws)
    # The first deal: whoever draws it puts the cards in before the game is begun.
    deck = cards_of(late)[: len(true)]
    opening = late.dealt()
    assert opening == known.dealt()
    rest = Counter(true.tolist())
    for place in opening:
        deck[place] = true[place]
        rest[int(true[place])] -= 1
    others = [p for p in range(len(deck)) if p not in opening]
    deck[others] = rng.permutation(np.array(sorted(rest.elements()), np.uint8))
    late.start(deck, dealer, episode, draws)
    while True:
        check_dealt(known)
        check_dealt(late)
        assert finish_deck(late, true).tobytes() == known.games.tobytes()
        if known.g["phase"] == OVER or deals > 3:
            return deals
        action = int(rng.choice(known.legal()))
        known.act(action)
        reveal(late, true, lambda table, a=action: table.act(a))
        if known.g["phase"] == BETWEEN_DEALS:
            assert late.dealt() == {}
            deals += 1
            true = rng.permutation(pack)
            known.begin(true)
            reveal(late, true, lambda table: table.begin(cards_of(table)))


CASES: list[tuple[str, str, dict[str, Any]]] = [
    *((name, preset, {}) for name, info in variants().items() for preset in info.presets),
    ("two_pack", "standard", {"selection": "explicit"}),
    ("rubicon", "saari", {"selection": "explicit"}),
]


@pytest.mark.parametrize(("variant", "preset", "options"), CASES)
@pytest.mark.parametrize("draws", ["shared", "queues"])
def test_a_deck_revealed_late_makes_the_same_states(
    variant: str, preset: str, options: dict[str, Any], draws: str
) -> None:
    rules = get_rules(variant, preset, options)
    if rules.family.name == "bezique" and rules.options.cut_bonus == "on":
        pytest.skip("the cut comes from the seed")
    rng = np.random.default_rng([len(variant), len(preset), draws == "queues"])
    for _ in range(3):
        play_both(rules, rng, 0, DRAWS_QUEUES if draws == "queues" else 0)


@pytest.mark.parametrize("variant", ["two_pack", "belote"])
def test_later_deals_of_a_match_are_revealed_late_too(variant: str) -> None:
    rng = np.random.default_rng(5)
    assert max(play_both(get_rules(variant), rng, EPISODE_MATCH, 0) for _ in range(3)) > 1


@pytest.fixture
def duel() -> Iterator[str]:
    with throwaway.installed():
        yield "duel"


def test_a_family_that_was_added_reveals_its_deck(duel: str) -> None:
    rng = np.random.default_rng(6)
    for _ in range(3):
        play_both(get_rules(duel), rng, 0, 0)
