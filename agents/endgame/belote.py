"""Endings of the Belote family: what the solver reads of a record, and what its values mean.

The search counts points of tricks. What is written in the end follows from them alone: the points of both seats have
a constant sum, but where one of them wins no trick, and that only the least or the greatest difference does. What a
deal pays a seat never falls when its points rise at the cost of the other's, so the best play for points is the best
for what is written, and a value is the settlement of its points. A pair that may still be announced is announced
where that pays: a taker who fails keeps silent where the pair would go to the other seat.
"""

from __future__ import annotations

import numpy as np

from agents.endgame.bits import lowest
from agents.endgame.core import (
    ALL_POINTS,
    CARDS,
    FIRST,
    FIRST_0,
    HEAD_PLAIN,
    HEAD_TRUMP,
    HELD_0,
    LAST,
    LEADER,
    LED,
    NO_VALUE,
    PAYING,
    RANKS,
    RUFF,
    SEATS,
    SUITS,
    TRUMPS,
    card_values,
    position_value,
    prepare,
)
from agents.exact.belote import knows_all
from bezique_env.engine.belote import actions as act
from bezique_env.engine.belote.kernels import (
    PAIR,
    PLAIN_POINTS,
    PLAIN_STRENGTH,
    TRUMP_POINTS,
    TRUMP_STRENGTH,
    settle_deal,
)
from bezique_env.engine.belote.state import CONTESTS, FOLLOW, LEAD, TO_ELDER
from bezique_env.engine.belote.views import count
from bezique_env.engine.cache import kernel
from bezique_env.engine.common import NONE
from bezique_env.rules.belote import index as ix

STRICT_PHASES: tuple[int, ...] = ()
"""From the first lead on the solver counts with cards that stay out of play, unseen by both."""

(TO_ACT, TRUMP, TRICK, SCORES, TRICKS, UNPAID, PAIR_PAID, PAIR_SEAT, WORDS, PAIR_HELD, SAYING, TAKER, WAITING) = (
    0, 1, 2, 3, 5, 7, 9, 11, 12, 13, 14, 15, 16,
)  # fmt: skip
"""Places of ``given``; SCORES to PAIR_PAID have one for each seat.

UNPAID: points of declarations that wait for a first trick. WORDS: said of the pair by the seat that was dealt it,
PAIR_HELD: its cards that this seat still holds. WAITING: points of earlier, tied deals.
"""
CLOSED, OPEN, SURE = 0, 1, 2
"""Whether the pair may still bring its points: no (or it has), if its seat likes, in any case."""


@kernel(inner=True)
def read_common(g, s, first, second):
    """Read what a state and a view have in common; ``first`` and ``second`` are the hands."""
    given = s.given
    given[TO_ACT] = g.to_act
    given[TRUMP] = g.trump
    given[TRICK] = g.trick_card[1 - g.to_act] if g.phase == FOLLOW else NONE
    given[SAYING] = g.saying
    given[TAKER] = g.taker
    given[WAITING] = g.held
    elder = 1 - np.int64(g.dealer)
    pair = np.int64(PAIR) << (8 * np.int64(g.trump))
    given[PAIR_SEAT] = NONE
    given[WORDS] = 0
    given[PAIR_HELD] = 0
    for seat in range(SEATS):
        hand = first if seat == 0 else second
        given[SCORES + seat] = g.scores[seat]
        given[TRICKS + seat] = g.tricks[seat]
        given[PAIR_PAID + seat] = g.pair_paid[seat]
        given[UNPAID + seat] = 0
        for c in range(CONTESTS):
            if g.declared[c] > 0 and g.paid[c] == 0 and (seat == elder) == (g.outcome[c] == TO_ELDER):
                given[UNPAID + seat] += g.declared[c]
        if (hand | np.int64(g.played[seat])) & pair == pair:
            given[PAIR_SEAT] = seat
            given[WORDS] = g.pair_said[seat]
            given[PAIR_HELD] = count(hand & pair)
        for card in range(CARDS):
            s.cards[seat, card] = (hand >> card) & 1


@kernel(inner=True)
def read_state(g, s):
    """Read a state record; returns False before play has begun and after it."""
    if g.phase != LEAD and g.phase != FOLLOW:
        return False
    read_common(g, s, np.int64(g.hand[0]), np.int64(g.hand[1]))
    return True


@kernel(inner=True)
def read_view(v, s):
    """Read a view record; returns False where it leaves anything open."""
    if (v.phase != LEAD and v.phase != FOLLOW) or not knows_all(v):
        return False
    other = 1 - v.seat
    own = np.int64(v.hand)
    others = np.int64(v.known[other]) | (np.int64(v.unseen) & ~np.int64(v.absent[other]))
    if v.seat == 0:
        read_common(v, s, own, others)
    else:
        read_common(v, s, others, own)
    return True


@kernel(inner=True)
def lay_out(s, rules):
    """Make the position of what was read; returns False where its points do not tell the best play.

    That is where the taker has declarations that wait for a trick, may win none, and would then lose less than
    with one (``announce_needs_trick`` with ``two_hand_fail: opponent_sum``).
    """
    given, nums = s.given, s.nums
    trump = given[TRUMP]
    leader = given[TO_ACT]
    if given[TRICK] != NONE:
        leader = 1 - leader
        s.cards[leader, given[TRICK]] = 1
    for k in range(SUITS):
        suit = trump if k == 0 else np.int64(k - 1 if k <= trump else k)
        for rank in range(RANKS):
            card = suit * RANKS + rank
            own = k * RANKS + (TRUMP_STRENGTH[rank] if k == 0 else PLAIN_STRENGTH[rank])
            s.actions[own] = card
            s.rank_points[own] = TRUMP_POINTS[rank] if k == 0 else PLAIN_POINTS[rank]
            for seat in range(SEATS):
                s.hands[seat, own] = s.cards[seat, card]
    nums[TRUMPS] = 1
    nums[HEAD_TRUMP] = 1
    nums[HEAD_PLAIN] = 0
    nums[RUFF] = 1
    nums[PAYING] = 0
    nums[LAST] = rules[ix.VALUE_LAST_TRICK]
    nums[FIRST] = 0
    for seat in range(SEATS):
        s.paying[seat] = 0
        nums[FIRST_0 + seat] = 0
        if given[TRICKS + seat] == 0:
            nums[FIRST_0 + seat] = given[UNPAID + seat] + rules[ix.ALL_TRICKS_BONUS]
            if nums[FIRST_0 + seat] > 0:
                nums[FIRST] |= np.int64(1) << seat
    if not prepare(s):
        return False
    nums[LEADER] = leader
    nums[LED] = -1
    if given[TRICK] != NONE:
        for own in range(CARDS):
            if s.actions[own] == given[TRICK]:
                nums[LED] = lowest(s.card_set[own] & nums[HELD_0 + leader])
    return points_tell(s, rules)


@kernel(inner=True)
def least(s, seat):
    """Return the value to seat 0 of the line in which ``seat`` wins no trick."""
    nums = s.nums
    value = nums[ALL_POINTS] + nums[LAST]
    if (nums[FIRST] >> (1 - seat)) & 1:
        value += nums[FIRST_0 + 1 - seat]
    return -value if seat == 0 else value


@kernel(inner=True)
def points_tell(s, rules):
    """Whether a seat that gets points for its first trick is never better off without one."""
    nums = s.nums
    for k in range(SEATS):
        seat = np.int64(k)
        if (nums[FIRST] >> seat) & 1:
            side = np.int64(1 if seat == 0 else -1)
            without = least(s, seat)
            for pair in (CLOSED, SURE):
                poorer = side * written(s, rules, without, np.int64(pair))
                if poorer > side * written(s, rules, without + side * nums[FIRST_0 + seat], np.int64(pair)):
                    return False
    return True


@kernel(inner=True)
def settled(s, rules, first, second, with_pair):
    """Return what the deal writes for final points, seat 0 less seat 1; ``with_pair``: the pair is added first."""
    given = s.given
    taker = given[TAKER]
    paid = given[PAIR_PAID + taker]
    if with_pair:
        if given[PAIR_SEAT] == 0:
            first += rules[ix.VALUE_PAIR]
        else:
            second += rules[ix.VALUE_PAIR]
        if given[PAIR_SEAT] == taker:
            paid = np.int64(1)
    own, other = (first, second) if taker == 0 else (second, first)
    pair = rules[ix.VALUE_PAIR] if paid else np.int64(0)
    taker_gets, other_gets, _ = settle_deal(rules, own, other, pair, given[WAITING])
    return taker_gets - other_gets if taker == 0 else other_gets - taker_gets


@kernel(inner=True)
def written(s, rules, value, pair):
    """Return the final difference, seat 0 less seat 1, for a value of the search to seat 0.

    ``pair``: CLOSED, OPEN or SURE.
    """
    given, nums = s.given, s.nums
    points = nums[ALL_POINTS] + nums[LAST]
    first, second = given[SCORES], given[SCORES + 1]
    pending_0, pending_1 = nums[FIRST] & 1, nums[FIRST] >> 1
    if pending_0 and value == least(s, np.int64(0)):
        second += points + (given[UNPAID + 1] if pending_1 else 0) + rules[ix.ALL_TRICKS_BONUS]
    elif pending_1 and value == least(s, np.int64(1)):
        first += points + (given[UNPAID] if pending_0 else 0) + rules[ix.ALL_TRICKS_BONUS]
    else:
        if pending_0:
            value -= nums[FIRST_0]
            first += given[UNPAID]
        if pending_1:
            value += nums[FIRST_0 + 1]
            second += given[UNPAID + 1]
        first += (points + value) >> 1
        second += (points - value) >> 1
    if pair == CLOSED:
        return settled(s, rules, first, second, False)
    said = settled(s, rules, first, second, True)
    if pair == SURE:
        return said
    silent = settled(s, rules, first, second, False)
    return max(said, silent) if given[PAIR_SEAT] == 0 else min(said, silent)


@kernel(inner=True)
def pair_after(s, rules, words, held):
    """Return CLOSED, OPEN or SURE for ``words`` said of the pair and ``held`` of its cards in the hand."""
    seat = s.given[PAIR_SEAT]
    if seat == NONE or s.given[PAIR_PAID + seat]:
        return CLOSED
    if rules[ix.BELOTE_AUTO] == ix.YES:
        return SURE if words == 0 and held > 0 else CLOSED
    if rules[ix.BELOTE_CALL_DEADLINE] == ix.DEADLINE_BOTH:
        if words == 2:
            return SURE
        return OPEN if (words == 0 and held == 2) or (words == 1 and held > 0) else CLOSED
    if words > 0:
        return SURE
    return (
        OPEN if held == 2 or (held == 1 and rules[ix.BELOTE_CALL_DEADLINE] == ix.DEADLINE_SECOND) else CLOSED
    )


@kernel(inner=True)
def final_value(s, rules):
    """Return the final difference of the deal, seat 0 less seat 1."""
    given = s.given
    if given[SAYING]:
        best = final_values(s, rules, s.spare)
        return best if given[TO_ACT] == 0 else -best
    value = position_value(s)
    return written(
        s,
        rules,
        value if s.nums[LEADER] == 0 else -value,
        pair_after(s, rules, given[WORDS], given[PAIR_HELD]),
    )


@kernel(inner=True)
def final_values(s, rules, out):
    """Write the final difference of every action, for the seat to act; return the best."""
    given = s.given
    card_values(s)
    seat = given[TO_ACT]
    side = np.int64(1 if seat == 0 else -1)
    words, held = given[WORDS], given[PAIR_HELD]
    own_pair = given[PAIR_SEAT] == seat
    may_say = own_pair and given[SAYING] == 0 and rules[ix.BELOTE_AUTO] == ix.NO
    may_say = may_say and pair_after(s, rules, words, held) == OPEN
    best = np.int64(NO_VALUE)
    for own in range(CARDS):
        if s.found[own] == NO_VALUE:
            continue
        card = s.actions[own]
        of_pair = own < RANKS and (PAIR >> (card & 7)) & 1 == 1
        if given[SAYING] and not of_pair:
            continue
        left = held - 1 if own_pair and of_pair else held
        said = words
        if rules[ix.BELOTE_AUTO] == ix.YES and left < held:
            left = held  # it announces itself now
        value = side * written(s, rules, side * s.found[own], pair_after(s, rules, said, left))
        out[act.PLAY + card] = value
        best = max(best, value)
        if may_say and of_pair:
            value = side * written(s, rules, side * s.found[own], pair_after(s, rules, words + 1, left))
            out[act.BELOTE] = max(out[act.BELOTE], value)
            best = max(best, value)
    return best


@kernel(inner=True)
def load_state(g, rules, s):
    """Make the position of a state record; returns whether it can be solved."""
    return read_state(g, s) and lay_out(s, rules)


@kernel(inner=True)
def load_view(v, rules, s):
    """Make the position that a view record determines; returns whether it can be solved."""
    return read_view(v, s) and lay_out(s, rules)


@kernel(inner=True)
def loaded_value(g, rules, s):
    """Do :func:`final_value` for the position that was made of ``g``."""
    return final_value(s, rules)


@kernel(inner=True)
def loaded_values(g, rules, s, out):
    """Do :func:`final_values` for the position that was made of ``g``."""
    return final_values(s, rules, out)
