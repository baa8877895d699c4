"""What hidden cards of the Belote family tell: what was bid and declared, what was led, which cards are kept.

Worlds hold a whole deck, so each says with which cards the other side bid. A player of rules bids, exchanges and
declares by its hand alone: worlds in which it would have done otherwise are unlikely.
"""

from __future__ import annotations

import numpy as np

from agents.scripted.expert.belote import choose_facts
from agents.scripted.expert.belote_bids import worths
from agents.scripted.expert.belote_facts import COUNT, STRONGER_PLAIN, facts_of
from agents.scripted.knots import between
from bezique_env.engine import play
from bezique_env.engine.belote.declarations import declarations
from bezique_env.engine.belote.kernels import PAIR, bid, bit, first_packets
from bezique_env.engine.belote.state import (
    BID,
    CONTESTS,
    DECK,
    FOLLOW,
    LEAD,
    SAID_NOTHING,
    SAID_VALUE,
    TO_DEALER,
    TO_ELDER,
    VALUE_SHIFT,
)
from bezique_env.engine.belote.views import place_of
from bezique_env.engine.cache import kernel
from bezique_env.engine.common import NO_TRUMP, NONE
from bezique_env.rules.belote import index as ix

_RANKS = ("seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
_TEN, _JACK, _ACE, _NINE = 3, 4, 7, 2
_MOST_TRUMPS = 8
_LONG = 6
FEATURES = (
    *(f"trump {r}" for r in _RANKS),
    *(f"plain {r}" for r in _RANKS),
    *(f"{r} of the turned suit, not trump" for r in _RANKS),
    *(f"trump {r} of which it has played another" for r in _RANKS),
    *(f"plain {r} of a suit that it has played" for r in _RANKS),
    *(f"plain {r} of a suit that the seat has played" for r in _RANKS),
    *(f"{n} trumps" for n in range(_MOST_TRUMPS + 1)),
    *(f"plain suits of {n} cards" for n in range(_LONG + 1)),
    "jack and nine of trumps",
    "king and queen of trumps",
    "plain suits without a card beside a trump",
    "tens behind their ace",
    "guarded tens",
    "bare tens",
    "aces without another card",
    "plain cards that nothing beats",
    "king or queen of trumps whose pair it has not said",
    "seven of trumps that it could have exchanged",
    "declarations that it did not make",
    "bids otherwise",
    "worth of the first cards, turned suit",
    "worth of the first cards, best other suit",
    "leads otherwise",
)
"""What a world is described by; where nothing is trump yet, the turned suit counts as trump."""
_TRUMP, _PLAIN, _TURNED, _TRUMP_AGAIN, _AGAIN, _MET, _LENGTH = 0, 8, 16, 24, 32, 40, 48
_SUITS = _LENGTH + _MOST_TRUMPS + 1
(
    _JACK_NINE,
    _PAIR,
    _RUFFS,
    _TEN_ACE,
    _TEN_GUARDED,
    _TEN_BARE,
    _ACE_BARE,
    _MASTERS,
    _UNSAID,
    _SEVEN,
    _SILENT,
    _BIDS,
    _WORTH_TURNED,
    _WORTH_OTHER,
    _LEADS,
) = range(_SUITS + _LONG + 1, _SUITS + _LONG + 16)
_WORTH_UNIT = 20.0
"""Points of worth that count as 1, so that the penalty on weights is alike for all features."""
_KNOTS = np.array([2, 4, 6, 9], np.int64)
BLOCKS = (
    "round 1",
    "round 2",
    *(
        f"{taker} takes, {cards} cards, {led}"
        for taker in ("the seat", "the other")
        for led in ("nothing led", "the other has led")
        for cards in _KNOTS.tolist()
    ),
)
"""Situations that have weights of their own; between two numbers of hidden cards they are interpolated."""


@kernel(inner=True)
def tells(v):
    """Whether the play so far is read: wherever cards are hidden."""
    f = facts_of(v)
    return f.phase <= FOLLOW and f.size > f.hidden


@kernel(inner=True)
def place(v):
    """Return (block, next block, part): the weights are those of the block, and by that part those of the next."""
    f = facts_of(v)
    if v.trump == NO_TRUMP:
        block = np.int64(0 if f.round == 1 else 1)
        return block, block, 0.0
    first = np.int64(2 if f.taker == f.seat else 2 + 2 * len(_KNOTS))
    if f.phase == FOLLOW:
        first += len(_KNOTS)
    k, part = between(_KNOTS, f.cards)
    return first + k, first + k + 1, part


@kernel(inner=True)
def first_cards(g, rules, seat):
    """Return the cards with which a seat bids, as a set."""
    cards = np.int64(0)
    for k in range(first_packets(rules)):
        if place_of(rules, np.int64(g.dealer), np.int64(k)) == seat:
            cards |= bit(g.deck[k])
    return cards


@kernel(inner=True)
def describe_auction(v, g, t, out):
    """Write how often the rules would have bid otherwise with the other side's first cards, and their worth."""
    other = 1 - np.int64(v.seat)
    t.game[0] = g
    before = t.game[0]
    before.phase = BID
    before.round = 1
    before.naming = 0
    before.step = 0
    before.taker = NONE
    before.trump = NO_TRUMP
    before.bottom = NONE
    before.bids_n = 0
    before.to_act = 1 - np.int64(g.dealer)
    before.trick_card[0] = NONE
    before.trick_card[1] = NONE
    before.turn_up = g.deck[first_packets(t.rules)]  # an exchange puts the seven there
    before.hand[other] = first_cards(g, t.rules, other)
    if v.bids_n == 0:
        return
    for k in range(np.int64(v.bids_n)):
        mover = np.int64(before.to_act)
        action = np.int64(v.bids[k])
        if mover == other:
            play.write_mask(before, t.rules, t.mask, t.tmp)
            play.project_board(before, t.rules, other, t.seen[0])
            if choose_facts(facts_of(t.seen[0]), t.mask, t.weights, t.scratch) != action:
                out[_BIDS] += 1.0
        if k + 1 < v.bids_n:
            bid(before, t.rules, mover, action)
    play.project_board(before, t.rules, other, t.seen[0])
    turned, best, _, _ = worths(facts_of(t.seen[0]), t.weights.values, t.rules)
    out[_WORTH_TURNED] = turned / _WORTH_UNIT
    out[_WORTH_OTHER] = best / _WORTH_UNIT


@kernel(inner=True)
def leads_otherwise(v, g, t):
    """Whether the rules would have led another card from this hand than the one that was led."""
    other = 1 - np.int64(v.seat)
    led = np.int64(v.trick_card[other])
    t.game[0] = g
    before = t.game[0]
    before.phase = LEAD
    before.to_act = other
    before.leader = other
    before.saying = 0
    before.trick_card[other] = NONE
    before.hand[other] |= bit(led)
    before.played[other] &= ~bit(led)
    play.write_mask(before, t.rules, t.mask, t.tmp)
    for a in range(DECK, t.mask.shape[0]):
        t.mask[a] = 0  # the words of the pair, which come before the card
    play.project_board(before, t.rules, other, t.seen[0])
    return choose_facts(facts_of(t.seen[0]), t.mask, t.weights, t.scratch) != led


@kernel(inner=True)
def unmade_declarations(v, g, rules):
    """Return in how many contests a player that declares what it can would have been heard to say more.

    :func:`bezique_env.engine.belote.views.resample` takes silence for nothing, as a seat need not declare.
    """
    other = 1 - np.int64(v.seat)
    is_elder = other != v.dealer
    hand = np.int64(g.hand[other]) | np.int64(v.played[other])
    if v.late_exchange and v.exchanged == other:
        hand ^= bit(8 * np.int64(v.trump)) | bit(g.deck[first_packets(rules)])
    total = 0
    for c in range(CONTESTS):
        if v.outcome[c] == (TO_ELDER if is_elder else TO_DEALER):
            continue
        own, _, _ = declarations(hand, rules, np.int64(v.trump), c)
        mine = own >> VALUE_SHIFT
        said = np.int64(v.said[c]) >> VALUE_SHIFT
        if v.stage[c] == SAID_NOTHING:
            total += 1 if own > 0 else 0
        elif not is_elder and v.stage[c] == SAID_VALUE:
            total += 1 if mine >= said else 0
    return total


@kernel(inner=True)
def describe_cards(f, hand, hidden, trump, out):
    """Write the counts and the shape of a hand of the other side.

    Args:
        f: facts of the seat that decides.
        hand: cards of the other hand, as a set.
        hidden: those that nobody has shown.
        trump: suit that is trump or may become it.
        out: float64 [features], written.
    """
    trumps = (hand >> (8 * trump)) & 255
    for card in range(DECK):
        if (hidden >> card) & 1 == 0:
            continue
        suit = card >> 3
        rank = card & 7
        again = (f.other_played >> (8 * suit)) & 255 != 0
        if suit == trump:
            out[_TRUMP + rank] += 1.0
            if again:
                out[_TRUMP_AGAIN + rank] += 1.0
            continue
        out[_PLAIN + rank] += 1.0
        if suit == f.turn_up >> 3:
            out[_TURNED + rank] += 1.0
        if again:
            out[_AGAIN + rank] += 1.0
        if (f.own_played >> (8 * suit)) & 255:
            out[_MET + rank] += 1.0
    out[_LENGTH + min(COUNT[trumps], _MOST_TRUMPS)] = 1.0
    both = (1 << _JACK) | (1 << _NINE)
    if trumps & both == both:
        out[_JACK_NINE] = 1.0
    if trumps & PAIR == PAIR:
        out[_PAIR] = 1.0
    for suit in range(4):
        if suit == trump:
            continue
        ranks = (hand >> (8 * suit)) & 255
        outside = (f.hand >> (8 * suit)) & 255
        out[_SUITS + min(COUNT[ranks], _LONG)] += 1.0
        if ranks == 0:
            out[_RUFFS] += 1.0 if trumps else 0.0
        if (ranks >> _TEN) & 1:
            if (ranks >> _ACE) & 1:
                out[_TEN_ACE] += 1.0
            elif outside & STRONGER_PLAIN[_TEN]:
                out[_TEN_BARE if ranks == 1 << _TEN else _TEN_GUARDED] += 1.0
        if ranks == 1 << _ACE:
            out[_ACE_BARE] += 1.0
        for rank in range(8):
            if (ranks >> rank) & 1 and outside & STRONGER_PLAIN[rank] == 0:
                out[_MASTERS] += 1.0


@kernel(inner=True)
def describe(v, g, t, out):
    """Write the features of a world that agrees with a view: float64 [FEATURES]."""
    for k in range(out.shape[0]):
        out[k] = 0.0
    f = facts_of(v)
    other = 1 - f.seat
    hand = np.int64(g.hand[other])
    plays = v.trump != NO_TRUMP
    trump = f.trump if plays else f.turn_up >> 3
    describe_cards(f, hand, hand & ~f.known, trump, out)
    describe_auction(v, g, t, out)
    if f.phase != LEAD and f.phase != FOLLOW:
        return
    trumps = (hand >> (8 * trump)) & 255
    if f.other_said == 0 and (f.other_played >> (8 * trump)) & PAIR and trumps & PAIR:
        out[_UNSAID] = 1.0
    turned = f.turn_up >> 3 == trump and t.rules[ix.EXCHANGE_SEVEN] != ix.EXCHANGE_OFF
    if turned and trumps & 1 and v.exchanged == NONE:
        out[_SEVEN] = 1.0
    out[_SILENT] = unmade_declarations(v, g, t.rules)
    if f.phase == FOLLOW and leads_otherwise(v, g, t):
        out[_LEADS] = 1.0
