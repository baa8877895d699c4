"""The play of the expert of the Belote family: what a trick brings, and what the cards that stay are worth."""

from __future__ import annotations

import numpy as np

from agents.scripted.expert import belote_weights as at
from agents.scripted.expert.belote_facts import COUNT, NONE_OF, STRONGER_PLAIN
from bezique_env.engine.belote.kernels import STRONGER_TRUMPS, beats, card_points
from bezique_env.engine.belote.state import DECK, FOLLOW
from bezique_env.engine.cache import kernel

TEN, JACK, KING, ACE = 3, 4, 6, 7
ROYAL = 0b00110000
"""Jack and queen, as ranks."""


@kernel(inline_always=True)
def of_suit(cards, suit):
    """Return the ranks of a suit in a set of cards."""
    return (cards >> (8 * suit)) & 255


@kernel(inner=True)
def chance_of_none(f, wanted, known):
    """Return how likely the other hand holds none of a number of cards of the pool, nor any of those known."""
    return 0.0 if known else NONE_OF[f.size, wanted, f.hidden]


@kernel(inner=True)
def chance_of_trump(f, w, base):
    """Return how likely the other hand holds a trump; more than by the count where it is the taker's."""
    ranks = of_suit(f.pool, f.trump)
    if of_suit(f.known, f.trump):
        return 1.0
    chance = chance_of_none(f, COUNT[ranks], np.int64(0))
    return 1.0 - chance ** w[base + at.OTHER_TRUMPS] if 0.0 < chance < 1.0 else 1.0 - chance


@kernel(inner=True)
def expected_trumps(f):
    """Return how many trumps the other hand is expected to hold."""
    sure = np.float64(COUNT[of_suit(f.known, f.trump)])
    if f.size == 0:
        return sure
    return sure + np.float64(COUNT[of_suit(f.pool, f.trump)] * f.hidden) / f.size


@kernel(inner=True)
def chance_of_ruff(f, suit, trump_chance):
    """Return how likely the other hand trumps a lead of a suit: no card of it, and a trump."""
    none = chance_of_none(f, COUNT[of_suit(f.pool, suit)], of_suit(f.known, suit))
    return none * trump_chance


@kernel(inline_always=True)
def played_part(f):
    """Return the part of the deal's tricks that is played."""
    tricks = f.own_tricks + f.other_tricks
    return np.float64(tricks) / (tricks + f.cards)


@kernel(inner=True)
def kept_trumps(f, w, base, ranks, outside, expected):
    """Return what trumps that stay in the hand are worth (H31).

    Each has its own worth; a master draws the others and wins the last trick, one that may be beaten wants a lower
    one beside it, and length is what remains when the trumps are drawn.
    """
    value = 0.0
    master = False
    for rank in range(8):
        if (ranks >> rank) & 1 == 0:
            continue
        value += w[base + at.TRUMP + rank]
        stronger = STRONGER_TRUMPS[rank]
        if outside & stronger == 0:
            value += w[base + at.TRUMP_MASTER]
            master = True
        elif ranks & ~stronger & ~(1 << rank) == 0:
            value += w[base + at.TRUMP_EXPOSED] * card_points(f.trump, 8 * f.trump + rank)
    length = np.float64(COUNT[ranks])
    if ranks:
        value += w[base + at.TRUMP_LONG] * (length - expected)
    value += w[base + at.TRUMP_LATE] * length * played_part(f)
    if master:
        value += w[base + at.LAST_TRICK] / f.cards
    return value


@kernel(inner=True)
def kept_side(f, w, base, suit, ranks, trumps, trump_chance):
    """Return what the cards of a suit outside trumps that stay in the hand are worth (H31).

    Masters are brought home unless they are trumped, a ten wants a guard until its ace is gone, and a suit without
    a card is a chance to trump.
    """
    if ranks == 0:
        return w[base + at.VOID_KEPT] if trumps else 0.0
    outside = of_suit(f.pool | f.known, suit)
    value = 0.0
    master_points = np.int64(0)
    masters = np.int64(0)
    for rank in range(8):
        if (ranks >> rank) & 1 == 0:
            continue
        stronger = STRONGER_PLAIN[rank]
        if outside & stronger == 0:
            masters += 1
            master_points += card_points(f.trump, 8 * suit + rank)
            if rank == ACE:
                value += w[base + at.ACE_KEPT]
            elif rank == TEN:
                value += w[base + at.TEN_MASTER]
            elif rank == KING:
                value += w[base + at.KING_MASTER]
            else:
                value += w[base + at.LOW_MASTER]
        elif rank == TEN:
            value += w[base + (at.TEN_GUARDED if ranks & ~stronger & ~(1 << TEN) else at.TEN_BARE)]
        elif rank == KING:
            value += w[base + at.KING_KEPT]
        elif (ROYAL >> rank) & 1:
            value += w[base + at.QUEEN_JACK]
        else:
            value += w[base + at.LOW]
    if masters:
        value += w[base + at.RUFFED] * master_points * chance_of_ruff(f, suit, trump_chance)
        value += w[base + at.SAFE_MASTER] * masters * (1.0 - trump_chance)
    return value


@kernel(inner=True)
def lead_worth(f, w, base, hand, trump_chance):
    """Return what it is worth to be on lead with a hand: its best master outside trumps comes home, if it holds."""
    best = 0.0
    for suit in range(4):
        ranks = of_suit(hand, suit)
        if suit == f.trump or ranks == 0:
            continue
        outside = of_suit(f.pool | f.known, suit)
        for rank in range(ACE, -1, -1):
            if (ranks >> rank) & 1 and outside & STRONGER_PLAIN[rank] == 0:
                points = card_points(f.trump, 8 * suit + rank) * (1.0 - chance_of_ruff(f, suit, trump_chance))
                best = max(best, points)
    value = w[base + at.LEAD_KEPT] + w[base + at.LEAD_LATE] * played_part(f)
    return value + w[base + at.LEAD_MASTERS] * best


@kernel(inner=True)
def hand_worth(f, w, base, hand, trump_chance, expected):
    """Return what the cards that stay in the hand will bring."""
    trumps = of_suit(hand, f.trump)
    outside = of_suit(f.pool | f.known, f.trump)
    value = kept_trumps(f, w, base, trumps, outside, expected)
    for suit in range(4):
        if suit != f.trump:
            value += kept_side(f, w, base, suit, of_suit(hand, suit), trumps, trump_chance)
    return value


@kernel(inner=True)
def reply_worth(f, w, base, card, hand, trump_chance):
    """Return what a reply brings at once: the points of the trick, won or lost, and the lead."""
    points = np.float64(card_points(f.trump, card) + card_points(f.trump, f.led))
    if beats(f.trump, f.led, card):
        return points + lead_worth(f, w, base, hand, trump_chance)
    return -points


@kernel(inner=True)
def led_worth(w, base, points, holds, caught, lost, after):
    """Return what a lead brings at once: its points and what it catches, if it holds, or what it loses."""
    won = holds * ((1.0 + w[base + at.LED_WON]) * points + caught + after)
    return won - (1.0 - holds) * ((1.0 + w[base + at.LED_LOST]) * points + lost)


@kernel(inner=True)
def trump_lead_worth(f, w, base, card, hand, trump_chance, expected):
    """Return what a lead of trumps brings at once; a master draws the other hand's trumps (H31)."""
    stronger = STRONGER_TRUMPS[card & 7]
    pool = of_suit(f.pool, f.trump) & stronger
    known = of_suit(f.known, f.trump) & stronger
    holds = chance_of_none(f, COUNT[pool], known)
    if 0.0 < holds < 1.0:
        holds = holds ** w[base + at.OTHER_TRUMPS]
    points = np.float64(card_points(f.trump, card))
    caught = w[base + at.CAUGHT_TRUMP] * trump_chance
    after = lead_worth(f, w, base, hand, trump_chance)
    value = led_worth(w, base, points, holds, caught, w[base + at.LOST_TRUMP], after)
    if pool == 0 and known == 0:
        value += w[base + at.DRAW] * expected
    return value


@kernel(inner=True)
def side_lead_worth(f, w, base, card, hand, trump_chance):
    """Return what a lead outside trumps brings at once (H31): aces early, length that the other hand must trump."""
    suit = card >> 3
    rank = card & 7
    stronger = STRONGER_PLAIN[rank]
    ranks = of_suit(f.pool, suit)
    known = of_suit(f.known, suit)
    ruff = chance_of_ruff(f, suit, trump_chance)
    holds = max(0.0, chance_of_none(f, COUNT[ranks & stronger], known & stronger) - ruff)
    points = np.float64(card_points(f.trump, card))
    after = lead_worth(f, w, base, hand, trump_chance)
    value = led_worth(w, base, points, holds, w[base + at.CAUGHT_PLAIN], w[base + at.LOST_PLAIN], after)
    kept = of_suit(hand, suit)
    value += w[base + at.FORCE] * ruff + w[base + at.REPEAT] * COUNT[of_suit(f.out, suit)]
    value += w[base + at.LONG] * COUNT[kept]
    if rank < TEN and (kept >> TEN) & 1 and (ranks | known) >> ACE:
        value += w[base + at.UNDER]
    return value


@kernel(inner=True)
def value_of_card(f, w, base, card, trump_chance, expected):
    """Return what a card brings at once, with what the cards that stay in the hand will bring.

    Linear in the weights but for ``other_trumps``, so that they can be fitted to games played out.
    """
    hand = f.hand & ~(np.int64(1) << card)
    value = hand_worth(f, w, base, hand, trump_chance, expected)
    if f.phase == FOLLOW:
        return value + reply_worth(f, w, base, card, hand, trump_chance)
    if card >> 3 == f.trump:
        return value + trump_lead_worth(f, w, base, card, hand, trump_chance, expected)
    return value + side_lead_worth(f, w, base, card, hand, trump_chance)


@kernel(inner=True)
def choose_card(f, mask, w):
    """Choose a card: what the trick brings and what stays in the hand, by the weights of taker or defender."""
    base = np.int64(at.TAKER if f.taker == f.seat else at.DEFENDER)
    trump_chance = chance_of_trump(f, w, base)
    expected = expected_trumps(f)
    best = np.int64(-1)
    most = 0.0
    for card in range(DECK):
        if mask[card] == 0:
            continue
        value = value_of_card(f, w, base, card, trump_chance, expected)
        if best < 0 or value > most:
            best = np.int64(card)
            most = value
    return best
