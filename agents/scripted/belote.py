"""Greedy play of the Belote family: bids by the worth of its hand, takes points cheaply, throws low cards.

A card is chosen by looking at one trick: the points that it is likely to bring or to lose, less what the card
would be worth later. What the other hand may hold is counted from the view: the cards unseen, those that its
plays have ruled out, those that are known. The numbers below are judgement, tuned in play against itself.
"""

from __future__ import annotations

import numpy as np

from agents.protocol import Actions, Masks, Views
from bezique_env.engine.belote.actions import (
    ACCEPT,
    AGREE,
    ANNOUNCE,
    BELOTE,
    EXCHANGE,
    NAME,
    PASS,
    PROPOSE,
    REFUSE,
)
from bezique_env.engine.belote.kernels import PAIR, STRONGER_TRUMPS, beats, card_points
from bezique_env.engine.belote.state import ANSWER, BID, DECK, FOLLOW
from bezique_env.engine.belote.views import count
from bezique_env.engine.cache import kernel

# The worth of a hand of six cards with a suit as trump. Ranks stand in the order 7 8 9 T J Q K A.
NINE, TEN, JACK, ACE = 2, 3, 4, 7
TRUMP_WORTH = np.array([6, 6, 14, 6, 20, 6, 6, 6], np.int64)
"""Of a trump, by its rank."""
LONE_NINE_WORTH = 6
"""Of the nine without the jack or two more trumps."""
PAIR_WORTH = 20
ACE_WORTH, ACE_TEN_WORTH, BARE_TEN_WORTH = 9, 14, 2
"""Of a plain suit with the ace, with ace and ten, with the ten alone."""
VOID_WORTH = 8
"""Of a plain suit without a card, beside three trumps or more."""
NEEDED = np.array([0, 34, 32], np.int64)
"""Worth from which a suit is undertaken, by the round of the auction."""
NEEDED_TO_PLAY_ON = np.array([0, 20, 54], np.int64)
"""Worth from which a proposal of a new deal is refused, by the round: in the second the other side names trump."""

# What a card that is not played now will bring, in points.
KEEP_TRUMP = np.array([4, 5, 20, 12, 27, 6, 8, 9], np.float64)
KEEP_PLAIN = np.array([0, 0, 0.5, 3.5, 0.5, 1, 2, 2], np.float64)
"""Little even for an ace: plain aces and tens are brought home early, before they are trumped."""
BARE_TEN_RISK = 3.0
"""Taken from that of a plain ten without a smaller card of its suit."""
CAUGHT = 3.0
"""Points that the other card of a trick brings on the mean to the seat that leads and wins."""
DRAW = 6.0
"""Added to a trump that nothing beats, when the taker leads it while the other side may hold trumps."""


@kernel(inner=True)
def worth(hand, trump):
    """Return the worth of a hand with a suit as trump."""
    value = np.int64(0)
    trumps = (hand >> (8 * trump)) & 255
    length = count(trumps)
    for rank in range(8):
        if (trumps >> rank) & 1:
            lone_nine = rank == NINE and length < 3 and not (trumps >> JACK) & 1
            value += LONE_NINE_WORTH if lone_nine else TRUMP_WORTH[rank]
    if trumps & PAIR == PAIR:
        value += PAIR_WORTH
    for suit in range(4):
        if suit == trump:
            continue
        cards = (hand >> (8 * suit)) & 255
        if cards == 0:
            if length >= 3:
                value += VOID_WORTH
        elif (cards >> ACE) & 1:
            value += ACE_TEN_WORTH if (cards >> TEN) & 1 else ACE_WORTH
        elif cards == 1 << TEN:
            value += BARE_TEN_WORTH
    return value


@kernel(inner=True)
def choose_bid(v, mask):
    """Choose in the auction.

    A proposal of round 2 is made with a suit worth naming, where elder may not name it at once.
    """
    hand = np.int64(v.hand)
    turned = np.int64(v.turn_up) >> 3
    suit = turned
    best = worth(hand, turned)
    if v.round == 2:
        suit = np.int64(-1)
        best = np.int64(0)
        pack = hand | np.int64(v.unseen)
        for s in range(4):
            if s == turned or (pack >> (8 * s)) & 255 == 0:
                continue
            value = worth(hand, s)
            if suit < 0 or value > best:
                suit = np.int64(s)
                best = value
    if mask[AGREE]:
        return np.int64(REFUSE if best >= NEEDED_TO_PLAY_ON[v.round] else AGREE)
    strong = best >= NEEDED[v.round]
    take = np.int64(ACCEPT) if v.round == 1 else NAME + suit
    if mask[take] and (strong or not (mask[PASS] or mask[PROPOSE])):
        return take
    if mask[PROPOSE] and (not mask[PASS] or (strong and v.round == 2)):
        return np.int64(PROPOSE)
    return np.int64(PASS if mask[PASS] else -1)


@kernel(inner=True)
def none_of(cards, pool, hidden):
    """Return how likely a hand of ``hidden`` cards drawn from a pool of cards holds none of some of them."""
    wanted = count(cards & pool)
    size = count(pool)
    chance = 1.0
    for k in range(hidden):
        if size - k <= 0:
            break
        chance *= max(0.0, np.float64(size - wanted - k) / np.float64(size - k))
    return chance


@kernel(inner=True)
def chance_unbeaten(v, card):
    """Return how likely the other seat cannot beat a led card."""
    other = 1 - np.int64(v.seat)
    trump = np.int64(v.trump)
    known = np.int64(v.known[other])
    pool = np.int64(v.unseen) & ~np.int64(v.absent[other])
    hidden = np.int64(v.concealed_n[other]) - count(known)
    suit = card >> 3
    same = np.int64(255) << (8 * suit)
    if suit == trump:
        higher = STRONGER_TRUMPS[card & 7] << (8 * suit)
        return 0.0 if known & higher else none_of(higher, pool, hidden)
    higher = np.int64(0)
    for rank in range(8):
        if beats(trump, card, 8 * suit + rank):
            higher |= np.int64(1) << (8 * suit + rank)
    if known & higher:
        return 0.0
    chance = none_of(higher, pool, hidden)
    trumps = np.int64(255) << (8 * trump)
    if known & same == 0:  # it may be void and hold a trump
        void = none_of(same, pool, hidden)
        chance -= void
        if known & trumps == 0:
            chance += none_of(same | trumps, pool, hidden)
    return chance


@kernel(inner=True)
def keep_value(v, card):
    """Return what a card is worth when it is not played now."""
    rank = card & 7
    suit = card >> 3
    if suit == v.trump:
        return KEEP_TRUMP[rank]
    smaller = (np.int64(v.hand) >> (8 * suit)) & ~np.int64(1 << TEN | 1 << ACE) & 255
    return KEEP_PLAIN[rank] - (BARE_TEN_RISK if rank == TEN and smaller == 0 else 0.0)


@kernel(inner=True)
def draws_trumps(v, card):
    """Whether a lead is the taker's best trump, and the other side may still hold one."""
    seat = np.int64(v.seat)
    trump = np.int64(v.trump)
    if seat != v.taker or card >> 3 != trump:
        return False
    others = np.int64(v.unseen) & ~np.int64(v.absent[1 - seat]) | np.int64(v.known[1 - seat])
    others = (others >> (8 * trump)) & 255
    return others != 0 and others & STRONGER_TRUMPS[card & 7] == 0


@kernel(inner=True)
def choose_card(v, mask):
    """Choose a card."""
    seat = np.int64(v.seat)
    trump = np.int64(v.trump)
    last = v.concealed_n[seat] == 1
    best = np.int64(-1)
    most = 0.0
    for a in range(DECK):
        if mask[a] == 0:
            continue
        card = np.int64(a)
        own = np.float64(card_points(trump, card))
        value = 0.0 if last else -keep_value(v, card)
        if v.phase == FOLLOW:
            led = np.int64(v.trick_card[1 - seat])
            points = own + card_points(trump, led)
            value += points if beats(trump, led, card) else -points
        else:
            chance = chance_unbeaten(v, card)
            value += chance * (own + CAUGHT) - (1.0 - chance) * own
            if draws_trumps(v, card):
                value += DRAW
        if best < 0 or value > most:
            most = value
            best = card
    return best


@kernel(inner=True)
def choose_row(v, mask):
    """Return the choice of one view; -1 where no action is legal."""
    if v.phase == BID or v.phase == ANSWER:
        return choose_bid(v, mask)
    if mask[EXCHANGE]:
        return np.int64(EXCHANGE)
    if mask[ANNOUNCE]:
        return np.int64(ANNOUNCE)
    if mask[BELOTE]:
        return np.int64(BELOTE)
    return choose_card(v, mask)


@kernel
def belote_rows(views, masks, actions):
    """Write the choice of every row; -1 where no action is legal."""
    for i in range(views.shape[0]):
        actions[i] = choose_row(views[i], masks[i])


def choose(views: Views, masks: Masks) -> Actions:
    """Return one legal action for every row, -1 where there is none."""
    actions = np.empty(len(masks), np.int64)
    belote_rows(views, masks, actions)
    return actions
