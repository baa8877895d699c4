"""The invariants of section 1 of rules/belote.md: card points, trick points of a deal, how often runs meet.

The frequencies run through the kernels of the engine itself, compiled, over 200,000 shuffled decks; each must
lie within four standard deviations of what the page publishes, so that a comparison that is wrong in one branch
is seen although its turn is rare.
"""

from __future__ import annotations

import functools
import itertools
import math

import numpy as np
import pytest
from numpy.typing import NDArray

from bezique_env.engine.belote import kernels as kn
from bezique_env.engine.belote import state as st
from bezique_env.engine.cache import kernel
from bezique_env.engine.common import NONE
from bezique_env.game import Game
from bezique_env.rules import get_rules
from bezique_env.rules.belote.cards import CARD_TEXTS, RANKS
from bezique_env.rules.belote.shape import Shape
from tests.rules.belote_setup import contract, deck, position, run, told

DEALS = 200_000
PLAYED = 300
SEQUENCES = st.SEQUENCES
TRUMP_POINTS = {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3, "8": 0, "7": 0}
PLAIN_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
"""The table of section 1."""


# ------------------------------------------------------------------------------------------ points of cards


def test_the_points_of_the_cards_are_those_of_the_table() -> None:
    for rank, points in TRUMP_POINTS.items():
        assert kn.TRUMP_POINTS[RANKS.index(rank)] == points
    for rank, points in PLAIN_POINTS.items():
        assert kn.PLAIN_POINTS[RANKS.index(rank)] == points
    assert (sum(TRUMP_POINTS.values()), sum(PLAIN_POINTS.values())) == (62, 30)


def test_the_pack_has_152_points_and_162_with_the_last_trick() -> None:
    """62 + 3 x 30, each card won once in a trick whatever is trump; 10 for the last trick."""
    for trump in "SHDC":
        total = 0
        for low, high in zip(CARD_TEXTS[::2], CARD_TEXTS[1::2], strict=True):
            game = position(low, high, trump=trump)
            events = told(run(game, low, high))
            total += sum(points for _, what, points in events if what == "trick")
            assert [points for _, what, points in events if what == "last trick"] == [10]
        assert total == 152
    assert total + 10 == 162


@pytest.mark.parametrize("trump", "SHDC")
def test_every_order_of_the_trick_is_the_one_of_the_table(trump: str) -> None:
    """Section 1: never compare by points: the eight beats the seven and the nine the eight, though all are 0."""
    orders = {suit: "A T K Q J 9 8 7" if suit != trump else "J 9 A T K Q 8 7" for suit in "SHDC"}
    suits = [trump, "SHDC"[("SHDC".index(trump) + 1) % 4]]
    for suit in suits:
        ranks = orders[suit].split()
        for higher, lower in itertools.pairwise(ranks):
            for led, reply in ((higher, lower), (lower, higher)):
                game = position(f"{led}{suit}", f"{reply}{suit}", trump=trump)
                run(game, f"{led}{suit}", f"{reply}{suit}")
                assert game.view(0).tricks[0] == (1 if led == higher else 0), (suit, led, reply)


# ------------------------------------------------------------------------------- trick points of eighteen cards


def trick_points(elder: str, dealer: str, turn_up: str, trump: str, seed: int = 0) -> int:
    """Points of the tricks of a whole deal, both seats together, with the last trick."""
    game = Game(
        "belote", deck=deck(elder, dealer, turn_up), dealer=1, overrides={"r2_elder_actions": "named"}
    )
    contract(game, trump, seed % 2)
    rng = np.random.default_rng(seed)
    while not game.is_over:
        game.play_on(int(rng.choice(game.legal_actions())))
    return sum(points for _, what, points in told(game.events) if what in ("trick", "last trick"))


@pytest.mark.parametrize("seed", range(3))
def test_the_least_points_that_a_deal_can_have(seed: int) -> None:
    """Out of play the aces, tens and kings, jack and nine of trumps: 134 of 152; 18 and the last trick are 28.

    In play are the queens (12), the three plain jacks (6), three plain nines, the eights and sevens.
    """
    # trump S; T, K, A of every suit and J, 9 of spades lie in the pack, one of them turned up
    assert trick_points("Q87S QJ98H 9D 7C", "QJ87D QJ98C 7H", "KH", "S", seed) == 28


@pytest.mark.parametrize("seed", range(3))
def test_the_most_points_that_a_deal_can_have(seed: int) -> None:
    """Out of play all 0s (sevens, eights, the plain nines: 11 cards) and the three plain jacks: 146 and 10."""
    assert trick_points("J9AS ATKH ATKD", "TKQS QH QD ATKQC", "7H", "S", seed) == 156


def test_whole_deals_make_the_points_of_their_eighteen_cards() -> None:
    """Whoever bids, exchanges and plays what: the cards played and ten, never below 28 nor above 156."""
    rng = np.random.default_rng(7)
    for seed in range(PLAYED):
        game = Game("belote", seed=seed, rules=("two_handed", "hoyle", "bicycle", "swiss")[seed % 4])
        while not game.is_over:
            game.play_on(int(rng.choice(game.legal_actions())))
        view = game.view(0)
        made = sum(points for _, what, points in told(game.events) if what in ("trick", "last trick"))
        tables = {suit: TRUMP_POINTS if suit == view.trump else PLAIN_POINTS for suit in "SHDC"}
        played = [*view.played[0], *view.played[1]]
        assert len(set(played)) == 18
        assert made == sum(tables[card[1]][card[0]] for card in played) + 10
        assert 28 <= made <= 156


def test_no_random_deal_passes_the_bounds() -> None:
    """The points of the eighteen cards dealt and ten, over 200,000 deals."""
    assert 28 <= counted()[LEAST] + 10 <= counted()[MOST] + 10 <= 156


# ---------------------------------------------------------------------------------------- how often runs meet

NEITHER, ONE, BY_VALUE, BY_TOP, BY_TRUMP, NOBODY, PAIR, POINTS, LEAST, MOST, KINDS = range(11)
PUBLISHED = {
    NEITHER: 0.473,
    ONE: 0.417,
    BY_VALUE: 0.0344,
    BY_TOP: 0.0645,
    BY_TRUMP: 0.0056,
    NOBODY: 0.0055,
    PAIR: 0.145,
}
"""Section 1: own count of the page over 400,000 deals, trump fixed before looking, nine cards each."""
NAMES = {
    NEITHER: "neither has a run",
    ONE: "one has",
    BY_VALUE: "both, of different value",
    BY_TOP: "same value, decided by the top card",
    BY_TRUMP: "decided by trump",
    NOBODY: "nobody scores",
    PAIR: "king and queen of trumps in one hand",
}


@kernel
def count_runs(games, rules, trump, seed, counts):  # type: ignore[no-untyped-def]
    """Deal ``DEALS`` hands of nine, let both announce and be compared, and count how it ends."""
    g = games[0]
    for n in range(DEALS):
        kn.start_game(g, rules, np.uint64(seed + n), 1, 0, 0, 0)
        g.trump = trump
        for k in range(3):
            g.hand[0] |= kn.bit(g.deck[13 + k])
            g.hand[1] |= kn.bit(g.deck[16 + k])
        holds = 0
        for s in range(2):
            if kn.holds_declaration(g, rules, s):
                holds += 1
                kn.announce(g, rules, s)
        kn.compare(g, rules)
        if holds == 0:
            counts[NEITHER] += 1
        elif holds == 1:
            counts[ONE] += 1
        elif g.outcome[SEQUENCES] == st.TO_NOBODY:
            counts[NOBODY] += 1
        elif g.stage[SEQUENCES] == st.SAID_VALUE:
            counts[BY_VALUE] += 1
        elif g.stage[SEQUENCES] == st.SAID_TOP:
            counts[BY_TOP] += 1
        elif g.stage[SEQUENCES] == st.SAID_TRUMP:
            counts[BY_TRUMP] += 1
        g.pair_seat = NONE
        kn.begin_play(g)
        if g.pair_seat != NONE:
            counts[PAIR] += 1
        points = 0
        for c in range(32):
            if (np.int64(g.hand[0]) | np.int64(g.hand[1])) & kn.bit(c):
                points += kn.card_points(trump, c)
        counts[POINTS] += points
        counts[LEAST] = min(counts[LEAST], points)
        counts[MOST] = max(counts[MOST], points)


@functools.cache
def counted() -> NDArray[np.int64]:
    """How 200,000 deals ended; diamonds are trumps, which is fixed before looking at any."""
    counts = np.zeros(KINDS, np.int64)
    counts[LEAST] = 152
    games = np.zeros(1, st.state_dtype(Shape(2)))
    count_runs(games, get_rules("belote").vector, 2, 1_000_000, counts)
    return counts


@pytest.mark.parametrize("kind", PUBLISHED, ids=NAMES.get)
def test_frequencies(kind: int) -> None:
    published = PUBLISHED[kind]
    sigma = math.sqrt(published * (1 - published) / DEALS)
    assert abs(counted()[kind] / DEALS - published) < 4 * sigma


def test_the_mean_of_the_trick_points() -> None:
    """Section 1: about 95.5, that is 18 / 32 of 152 and the last trick; within four standard errors."""
    values = [*TRUMP_POINTS.values(), *3 * list(PLAIN_POINTS.values())]
    variance = 18 * np.var(values) * (32 - 18) / 31  # of 18 cards drawn from 32
    mean = counted()[POINTS] / DEALS + 10
    assert abs(mean - 95.5) < 4 * math.sqrt(variance / DEALS)


def test_every_deal_was_one_of_the_six() -> None:
    assert counted()[: NOBODY + 1].sum() == DEALS


def test_the_published_frequencies_fit_together() -> None:
    """They add up to all deals, and the pair is 2 x (9 over 2) / (32 over 2) = 72 / 496."""
    assert sum(PUBLISHED[kind] for kind in range(NOBODY + 1)) == pytest.approx(1.0, abs=0.001)
    assert PUBLISHED[PAIR] == pytest.approx(2 * math.comb(9, 2) / math.comb(32, 2), abs=0.0005)
