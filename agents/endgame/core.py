"""Alpha-beta over hands that both seats know: one kernel for every game with tricks of two cards.

**Position.** Every card of both hands has a place, a bit of an int64: suit by suit (trumps first), in each suit from
the highest to the lowest, of equal cards those of seat 0 first. A position is the set of the cards that are left and
the seat to lead; whose a card is never changes.

**Rows.** What is to be known of one suit (which of its cards are worth telling apart, which are sure to win, a hash
of the suit with ranks that nobody holds left out and neighbours of one seat merged) depends only on its cards that
are left. It is computed once for each set that turns up and kept in ``rows``; a position looks four rows up.

**Key.** Of the table: the sum of the four hashes, seen from the leader, so that plain suits may change places.
Nothing in it depends on the places of the cards, so entries serve other deals too; what the rules pay is part of it.

**Values.** What the leader still wins less what the follower still wins. Every search asks only whether the value
reaches a bound (*zero window*) and answers with a bound of the value that is as sharp as it could be found.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.endgame.bits import highest, lowest, size_of
from bezique_env.engine.cache import kernel

SEATS = 2
SUITS = 4
RANKS = 8
CARDS = SUITS * RANKS
PLACES = 32
"""Most cards of both hands."""
DEPTH = PLACES // 2 + 2
BITS = 11
"""Suits with more cards than that share rows between several sets."""
ROWS = 1 << BITS
GIVEN = 32
NO_VALUE = -(1 << 40)
"""Stands where an action is illegal or a position cannot be solved."""
FAR = 1 << 22
"""More than any value; :func:`prepare` refuses points that could come near."""

# Numbers of a search, places of Solver.nums.
(
    LAST,  # points of the last trick
    TRUMPS,  # 1: the suit of the first places is trump
    HEAD_TRUMP,  # 1: who follows in trumps must win if he can
    HEAD_PLAIN,  # likewise in a plain suit
    RUFF,  # 1: who cannot follow must trump if he can
    FIRST_0,  # points of seat 0 for its first trick, while it has none
    FIRST_1,
    PAYING,  # points of a trump seven that pays its trick's winner, beside those of its rank
    CARDS_N,
    HELD_0,  # set of the cards of seat 0
    HELD_1,
    WITH_POINTS,  # set of the cards with points
    PAYS,  # set of the sevens that pay
    SALT,
    DEAL,  # counts the calls of prepare, so that rows of earlier ones are not taken for this one's
    NODES,
    ALL_POINTS,
    LEADER,  # of the trick
    LED,  # place of the card led, -1 where none is
    FIRST,  # bit s: seat s has won no trick and gets points for its first
    NUMS,
) = range(21)

# Columns of a row.
TAG, CODE_0, CODE_1, MOVES_0, MOVES_1, TOPS_0, TOPS_1, QUICK_0, QUICK_1, SURE_0, SURE_1, ROW = range(12)

# Columns of a level of the stack.
(
    L_LEFT,
    L_LEADER,
    L_BETA,
    L_REST,
    L_BEST,
    L_MOVE,
    L_LEADS,
    L_CASH,
    L_LEAD,
    L_REPLIES,
    L_WORST,
    L_SIGN,
    L_POINTS,
    L_KEY,
    L_AT,
    L_LOW,
    L_HIGH,
    L_FIRST,
    L_MOVES,  # those of the other seat, for each suit
    LEVEL,
) = (*range(19), 22)

_A = np.int64(0x1E3779B97F4A7C15)
_B = np.int64(0x42B2AE3D27D4EB4F)
_TRUMP = np.int64(0x165667B19E3779F9)
_PLAIN = np.int64(0x27D4EB2F165667C5)
_POINTS_BITS = np.int64(24)
_POINTS = np.int64((1 << 24) - 1)


class Solver(NamedTuple):
    """Table and scratch of the solver; made by :func:`make_solver`."""

    keys: NDArray[np.int64]
    """[slots] of the table."""
    bounds: NDArray[np.int64]
    """[slots], least and greatest value and best lead, packed."""
    rows: NDArray[np.int64]
    """[suits * rows, columns]."""
    stack: NDArray[np.int64]
    """[levels * columns]."""
    hands: NDArray[np.int64]
    """[seats, cards] of the deal, in the order of :func:`prepare`."""
    paying: NDArray[np.int64]
    """[seats], sevens that pay."""
    rank_points: NDArray[np.int64]
    """[cards], points of a card."""
    place_points: NDArray[np.int64]
    """[places]."""
    place_suit: NDArray[np.int64]
    """[places]."""
    place_card: NDArray[np.int64]
    """[places], card of the order of ``hands``."""
    higher: NDArray[np.int64]
    """[places], the places in its suit that beat it."""
    suit_first: NDArray[np.int64]
    """[suits], first place."""
    suit_set: NDArray[np.int64]
    """[suits], all places."""
    card_set: NDArray[np.int64]
    """[cards], all places."""
    nums: NDArray[np.int64]
    """[NUMS], see the names above."""
    given: NDArray[np.int64]
    """[GIVEN], what a family reads of a record; its names are the family's."""
    cards: NDArray[np.int64]
    """[seats, cards], copies in each hand by the family's ids of cards."""
    actions: NDArray[np.int64]
    """[cards], the id of each card of the order of ``hands``."""
    found: NDArray[np.int64]
    """[cards], what each card is worth to the seat to act, by the order of ``hands``; NO_VALUE: illegal."""
    spare: NDArray[np.int64]
    """[96], room for the values of all actions where a caller asks only for the best."""


def make_solver(slots: int = 1 << 14) -> Solver:
    """Return an empty table of ``slots`` entries (a power of two) with scratch."""

    def zeros(*shape: int) -> NDArray[Any]:
        return np.zeros(shape, np.int64)

    return Solver(
        zeros(slots),
        zeros(slots),
        zeros(SUITS * ROWS, ROW),
        zeros(DEPTH * LEVEL),
        zeros(SEATS, CARDS),
        zeros(SEATS),
        zeros(CARDS),
        zeros(PLACES),
        zeros(PLACES),
        zeros(PLACES),
        zeros(PLACES),
        zeros(SUITS),
        zeros(SUITS),
        zeros(CARDS),
        zeros(NUMS),
        zeros(GIVEN),
        zeros(SEATS, CARDS),
        zeros(CARDS),
        zeros(CARDS),
        zeros(96),
    )


@kernel(inline_always=True)
def stir(x):
    """Return a number that looks random, another one for every other ``x``."""
    x = (x ^ (x >> 29)) * _A
    x = (x ^ (x >> 32)) * _B
    return x ^ (x >> 31)


@kernel
def prepare(s):
    """Give every card of ``s.hands`` its place; numbers LAST to PAYING must be set.

    Returns whether the deal can be searched.
    """
    nums = s.nums
    n = np.int64(0)
    one = np.int64(1)
    held_0 = held_1 = with_points = pays = total = np.int64(0)
    for suit in range(SUITS):
        first = n
        s.suit_first[suit] = first
        for rank in range(RANKS - 1, -1, -1):
            card = suit * RANKS + rank
            begin = n
            number = s.hands[0, card] + s.hands[1, card]
            if n + number > PLACES:
                return False
            for seat in range(SEATS):
                paying = s.paying[seat] if nums[TRUMPS] == 1 and card == 0 else 0
                for k in range(s.hands[seat, card]):
                    points = s.rank_points[card]
                    if k < paying:
                        points += nums[PAYING]
                        pays |= one << n
                    s.place_points[n] = points
                    s.place_suit[n] = suit
                    s.place_card[n] = card
                    s.higher[n] = ((one << begin) - 1) & ~((one << first) - 1)
                    if seat == 0:
                        held_0 |= one << n
                    else:
                        held_1 |= one << n
                    if points > 0:
                        with_points |= one << n
                    total += points
                    n += 1
            s.card_set[card] = ((one << n) - 1) & ~((one << begin) - 1)
        s.suit_set[suit] = ((one << n) - 1) & ~((one << first) - 1)
    if size_of(held_0) != size_of(held_1):
        return False
    if total + nums[LAST] + nums[FIRST_0] + nums[FIRST_1] >= FAR:
        return False
    nums[CARDS_N] = n
    nums[HELD_0] = held_0
    nums[HELD_1] = held_1
    nums[WITH_POINTS] = with_points
    nums[PAYS] = pays
    nums[ALL_POINTS] = total
    nums[DEAL] += 1
    nums[NODES] = 0
    salt = np.int64(1)
    for k in range(RUFF + 1):
        salt = stir(salt + nums[k])
    salt = stir(salt + nums[PAYING])
    nums[SALT] = salt
    return True


@kernel(inline_always=True)
def _join(code, token):
    x = (code ^ token) * _A
    return x ^ (x >> 29)


@kernel(inner=True)
def quick_points(s, own, other, tops, sub):
    """Pack what a leader can take from one suit by leading its highest cards.

    From the lowest bit: points while the other seat must follow, points when it has no trumps, 24 bits each;
    tricks likewise, 6 bits each; 1 where it takes all that the other seat has of the suit.
    """
    mine, theirs = sub & own, sub & other
    own_n, other_n, tops_n = size_of(mine), size_of(theirs), size_of(tops)
    safe_n = min(tops_n, other_n)
    all_in = tops_n >= other_n
    full_n = own_n if all_in else tops_n
    safe = full = np.int64(0)
    rest = mine
    for k in range(full_n):
        bit = rest & -rest
        points = s.place_points[lowest(bit)]
        rest ^= bit
        if k < safe_n:
            safe += points
        full += points
    forced = np.int64(0)
    if safe_n == other_n or theirs & s.nums[PAYS] == 0:
        rest = theirs
        for _ in range(safe_n):
            place = highest(rest)
            forced += s.place_points[place]
            rest ^= np.int64(1) << place
    return (
        (safe + forced)
        | (full + forced) << 24
        | safe_n << 48
        | full_n << 54
        | (np.int64(1) if all_in else 0) << 60
    )


@kernel(inner=True)
def fill_row(s, row, suit, sub):
    """Write the row of the cards ``sub`` that are left of a suit."""
    nums = s.nums
    own = (nums[HELD_0], nums[HELD_1])
    code_0 = code_1 = np.int64(1)
    moves_0 = moves_1 = np.int64(0)
    block_seat, block_points, block_n = np.int64(-1), np.int64(0), np.int64(0)
    for k in range(RANKS):
        card = suit * RANKS + RANKS - 1 - k
        here = sub & s.card_set[card]
        if here == 0:
            continue
        mine, theirs = here & own[0], here & own[1]
        a, b = size_of(mine), size_of(theirs)
        paying_a, paying_b = size_of(mine & nums[PAYS]), size_of(theirs & nums[PAYS])
        points = s.rank_points[card]
        if (a > 0 and b > 0) or paying_a + paying_b > 0:
            if block_n > 0:
                token = block_n << 8 | block_points << 16
                code_0 = _join(code_0, token | (1 + block_seat))
                code_1 = _join(code_1, token | (2 - block_seat))
                block_n = np.int64(0)
                block_seat = np.int64(-1)
            token = np.int64(3) | points << 32
            code_0 = _join(code_0, token | a << 8 | b << 14 | paying_a << 20 | paying_b << 26)
            code_1 = _join(code_1, token | b << 8 | a << 14 | paying_b << 20 | paying_a << 26)
            moves_0 |= mine & -mine
            moves_1 |= theirs & -theirs
            continue
        seat = np.int64(0 if a > 0 else 1)
        if seat == block_seat and points == block_points:
            block_n += a + b
            continue
        if block_n > 0:
            token = block_n << 8 | block_points << 16
            code_0 = _join(code_0, token | (1 + block_seat))
            code_1 = _join(code_1, token | (2 - block_seat))
        block_seat, block_points, block_n = seat, points, a + b
        if seat == 0:
            moves_0 |= mine & -mine
        else:
            moves_1 |= theirs & -theirs
    if block_n > 0:
        token = block_n << 8 | block_points << 16
        code_0 = _join(code_0, token | (1 + block_seat))
        code_1 = _join(code_1, token | (2 - block_seat))
    salt = _TRUMP if suit == 0 and nums[TRUMPS] == 1 else _PLAIN
    mine, theirs = sub & own[0], sub & own[1]
    tops_0, tops_1, sure_0, sure_1 = mine, theirs, mine, theirs
    if theirs != 0:
        best = lowest(theirs)
        sure_0 = mine & s.higher[best]
        tops_0 = mine & (s.higher[best] | s.card_set[s.place_card[best]])
    if mine != 0:
        best = lowest(mine)
        sure_1 = theirs & s.higher[best]
        tops_1 = theirs & (s.higher[best] | s.card_set[s.place_card[best]])
    rows = s.rows
    rows[row, TAG] = sub | nums[DEAL] << 32
    rows[row, CODE_0] = stir(code_0 + salt)
    rows[row, CODE_1] = stir(code_1 + salt)
    rows[row, MOVES_0] = moves_0
    rows[row, MOVES_1] = moves_1
    rows[row, TOPS_0] = tops_0
    rows[row, TOPS_1] = tops_1
    rows[row, QUICK_0] = quick_points(s, own[0], own[1], tops_0, sub)
    rows[row, QUICK_1] = quick_points(s, own[1], own[0], tops_1, sub)
    for seat in range(SEATS):
        total = np.int64(0)
        rest = sure_0 if seat == 0 else sure_1
        while rest:
            total += s.place_points[lowest(rest)]
            rest &= rest - 1
        rows[row, SURE_0 + seat] = total


@kernel(inline_always=True)
def row_of(s, suit, sub):
    """Return the row of the cards ``sub`` that are left of a suit."""
    low = sub >> s.suit_first[suit]
    row = suit * ROWS + ((low ^ (low >> BITS) * 5) & (ROWS - 1))
    if s.rows[row, TAG] != (sub | s.nums[DEAL] << 32):
        fill_row(s, row, suit, sub)
    return row


@kernel
def search(s, left, leader, first, beta, leads, replies):
    """Return a bound of the value to the leader: at least ``beta``, then the least; below it, then the greatest.

    Args:
        s: after :func:`prepare`.
        left: the cards that are left, of both seats equally many.
        leader: seat to lead.
        first: bit s: seat s has won no trick.
        beta: the bound that is asked.
        leads: the leads to try at the root; 0 all.
        replies: the replies to try at the root to its only lead; 0 all that are legal.
    """
    stack, rows, nums = s.stack, s.rows, s.nums
    keys, bounds = s.keys, s.bounds
    last, trumps, with_points = nums[LAST], nums[TRUMPS], nums[WITH_POINTS]
    head_trump, head_plain, ruff = nums[HEAD_TRUMP], nums[HEAD_PLAIN], nums[RUFF]
    one = np.int64(1)
    slots = keys.shape[0] - 1
    level = 0
    whole = leads == 0
    rest = np.int64(0)
    m = left
    while m:
        rest += s.place_points[lowest(m)]
        m &= m - 1
    stack[L_LEFT] = left
    stack[L_LEADER] = leader
    stack[L_FIRST] = first
    stack[L_BETA] = beta
    stack[L_REST] = rest
    enter = True
    value = np.int64(0)
    nodes = np.int64(0)
    while True:
        up = False
        st = level * LEVEL
        if enter:
            enter = False
            nodes += 1
            left = stack[st + L_LEFT]
            leader = stack[st + L_LEADER]
            beta = stack[st + L_BETA]
            rest = stack[st + L_REST]
            first = stack[st + L_FIRST]
            own_held = nums[HELD_0 + leader]
            own, other = left & own_held, left & ~own_held
            high = rest + last
            low = -high
            if first:
                if (first >> leader) & 1:
                    high += nums[FIRST_0 + leader]
                if (first >> (1 - leader)) & 1:
                    low -= nums[FIRST_1 - leader]
            if level > 0 or whole:
                if high < beta:
                    value = high
                    up = True
                elif low >= beta:
                    value = low
                    up = True
            if not up:
                r0 = row_of(s, 0, left & s.suit_set[0])
                r1 = row_of(s, 1, left & s.suit_set[1])
                r2 = row_of(s, 2, left & s.suit_set[2])
                r3 = row_of(s, 3, left & s.suit_set[3])
                # What the leader takes at once, and what the other's highest trumps are sure to take.
                quick = rows[r1, QUICK_0 + leader] + rows[r2, QUICK_0 + leader] + rows[r3, QUICK_0 + leader]
                trump_quick = rows[r0, QUICK_0 + leader]
                if trumps == 0:
                    quick += trump_quick
                    points = (quick >> 24) & _POINTS
                    tricks = (quick >> 54) & 63
                    sure = np.int64(0)
                    free = True
                else:
                    free = (trump_quick >> 60) == 1
                    points = (trump_quick >> 24) & _POINTS
                    tricks = (trump_quick >> 54) & 63
                    sure = rows[r0, SURE_1 - leader]
                    if free:
                        points += (quick >> 24) & _POINTS
                        tricks += (quick >> 54) & 63
                    else:
                        points += quick & _POINTS
                        tricks += (quick >> 48) & 63
                if level > 0 or whole:
                    if tricks >= size_of(own):
                        value = high
                        up = True
                    else:
                        high -= 2 * sure
                        low += 2 * points
                        if first and tricks > 0 and (first >> leader) & 1:
                            low += nums[FIRST_0 + leader]
                        if high < beta:
                            value = high
                            up = True
                        elif low >= beta:
                            value = low
                            up = True
            if not up:
                key = (
                    nums[SALT]
                    + rows[r0, CODE_0 + leader]
                    + rows[r1, CODE_0 + leader]
                    + rows[r2, CODE_0 + leader]
                    + rows[r3, CODE_0 + leader]
                )
                if first:
                    key += stir(
                        (nums[FIRST_0 + leader] << 1 | ((first >> leader) & 1)) << 24
                        | nums[FIRST_1 - leader] << 1
                        | ((first >> (1 - leader)) & 1)
                    )
                at = (key ^ (key >> 32)) & slots
                hint = np.int64(63)
                if keys[at] == key:
                    packed = bounds[at]
                    hint = packed >> 48
                    if level > 0 or whole:
                        low = max(low, ((packed >> 24) & _POINTS) - FAR)
                        high = min(high, (packed & _POINTS) - FAR)
                        if low >= beta:
                            value = low
                            up = True
                        elif high < beta:
                            value = high
                            up = True
                stack[st + L_KEY] = key
                stack[st + L_AT] = at
                stack[st + L_LOW] = low
                stack[st + L_HIGH] = high
            if not up:
                moves = (
                    rows[r0, MOVES_0 + leader]
                    | rows[r1, MOVES_0 + leader]
                    | rows[r2, MOVES_0 + leader]
                    | rows[r3, MOVES_0 + leader]
                )
                tops = np.int64(0)
                if trumps == 0:
                    tops = rows[r0, TOPS_0 + leader]
                no_trumps = trumps == 0 or other & s.suit_set[0] == 0
                if no_trumps or other & s.suit_set[1]:
                    tops |= rows[r1, TOPS_0 + leader]
                if no_trumps or other & s.suit_set[2]:
                    tops |= rows[r2, TOPS_0 + leader]
                if no_trumps or other & s.suit_set[3]:
                    tops |= rows[r3, TOPS_0 + leader]
                stack[st + L_MOVES] = rows[r0, MOVES_1 - leader]
                stack[st + L_MOVES + 1] = rows[r1, MOVES_1 - leader]
                stack[st + L_MOVES + 2] = rows[r2, MOVES_1 - leader]
                stack[st + L_MOVES + 3] = rows[r3, MOVES_1 - leader]
                if level == 0 and not whole:
                    moves = leads
                stack[st + L_BEST] = -FAR
                stack[st + L_MOVE] = 63
                stack[st + L_LEADS] = moves
                stack[st + L_CASH] = tops & with_points
                stack[st + L_LEAD] = -1
                stack[st + L_REPLIES] = 0
                if hint < 63 and (moves >> hint) & 1:
                    stack[st + L_MOVE] = hint | 64
        if not up:
            left = stack[st + L_LEFT]
            leader = stack[st + L_LEADER]
            other = left & ~nums[HELD_0 + leader]
            if stack[st + L_REPLIES] == 0:
                if stack[st + L_LEAD] >= 0 and stack[st + L_WORST] > stack[st + L_BEST]:
                    stack[st + L_BEST] = stack[st + L_WORST]
                    stack[st + L_MOVE] = stack[st + L_LEAD]
                if stack[st + L_BEST] >= stack[st + L_BETA] or stack[st + L_LEADS] == 0:
                    value = stack[st + L_BEST]
                    up = True
                    if level > 0 or whole:
                        low, high = stack[st + L_LOW], stack[st + L_HIGH]
                        if value >= stack[st + L_BETA]:
                            low = max(low, value)
                        else:
                            high = min(high, value)
                        keys[stack[st + L_AT]] = stack[st + L_KEY]
                        bounds[stack[st + L_AT]] = (
                            (high + FAR) | (low + FAR) << 24 | (stack[st + L_MOVE] & 63) << 48
                        )
                else:
                    moves = stack[st + L_LEADS]
                    if stack[st + L_LEAD] < 0 and stack[st + L_MOVE] >= 64:
                        lead = stack[st + L_MOVE] & 63
                        stack[st + L_MOVE] = 63
                    else:
                        # First points that are safe, then low cards; other winners are in the bounds already.
                        cash = moves & stack[st + L_CASH]
                        poor = moves & ~with_points
                        lead = highest(cash if cash else (poor if poor else moves))
                    stack[st + L_LEADS] = moves & ~(one << lead)
                    stack[st + L_LEAD] = lead
                    stack[st + L_WORST] = FAR
                    suit = s.place_suit[lead]
                    if level == 0 and replies:
                        stack[st + L_REPLIES] = replies
                    elif other & s.suit_set[suit]:
                        moves = stack[st + L_MOVES + suit]
                        heads = moves & s.higher[lead]
                        if heads and (head_trump if suit == 0 and trumps == 1 else head_plain):
                            moves = heads
                        stack[st + L_REPLIES] = moves
                    elif trumps == 1 and ruff == 1 and other & s.suit_set[0]:
                        stack[st + L_REPLIES] = stack[st + L_MOVES]
                    else:
                        stack[st + L_REPLIES] = (
                            stack[st + L_MOVES]
                            | stack[st + L_MOVES + 1]
                            | stack[st + L_MOVES + 2]
                            | stack[st + L_MOVES + 3]
                        )
            if not up:
                lead = stack[st + L_LEAD]
                suit = s.place_suit[lead]
                moves = stack[st + L_REPLIES]
                # The cheapest card that takes the trick, else the cheapest at all.
                takers = moves & s.higher[lead]
                if takers == 0 and trumps == 1 and suit != 0:
                    takers = moves & s.suit_set[0]
                if takers:
                    moves = takers
                poor = moves & ~with_points
                reply = highest(poor if poor else moves)
                moves = stack[st + L_REPLIES]
                stack[st + L_REPLIES] = moves & ~(one << reply)
                taken = (s.higher[lead] >> reply) & 1 == 1 or (
                    trumps == 1 and suit != 0 and s.place_suit[reply] == 0
                )
                gained = s.place_points[lead] + s.place_points[reply]
                child = st + LEVEL
                rest = stack[st + L_REST] - gained
                left = left & ~(one << lead | one << reply)
                winner = 1 - leader if taken else leader
                first = stack[st + L_FIRST]
                if (first >> winner) & 1:
                    gained += nums[FIRST_0 + winner]
                    first &= ~(one << winner)
                stack[st + L_SIGN] = 1 if taken else 0
                if left == 0:
                    gained += last
                    worst = -gained if taken else gained
                    if worst < stack[st + L_WORST]:
                        stack[st + L_WORST] = worst
                        if worst < stack[st + L_BETA]:
                            stack[st + L_REPLIES] = 0
                    continue
                stack[st + L_POINTS] = gained
                stack[child + L_LEFT] = left
                stack[child + L_LEADER] = winner
                stack[child + L_REST] = rest
                stack[child + L_FIRST] = first
                stack[child + L_BETA] = (
                    1 - gained - stack[st + L_BETA] if taken else stack[st + L_BETA] - gained
                )
                level += 1
                enter = True
                continue
        if level == 0:
            nums[NODES] += nodes
            return value
        level -= 1
        st = level * LEVEL
        value = -stack[st + L_POINTS] - value if stack[st + L_SIGN] else stack[st + L_POINTS] + value
        if value < stack[st + L_WORST]:
            stack[st + L_WORST] = value
            if value < stack[st + L_BETA]:
                stack[st + L_REPLIES] = 0


@kernel
def exact(s, left, leader, first, leads, replies, guess):
    """Return the exact value to the leader, by searches whose bounds close in on it; arguments as of `search`."""
    low, high = -np.int64(FAR), np.int64(FAR)
    value = guess
    while low < high:
        beta = value + 1 if value == low else value
        value = search(s, left, leader, first, beta, leads, replies)
        if value < beta:
            high = value
        else:
            low = value
    return value


@kernel(inner=True)
def position_value(s):
    """Return the exact value of the prepared position, to the leader of the trick."""
    nums = s.nums
    everything = (np.int64(1) << nums[CARDS_N]) - 1
    lead = np.int64(0) if nums[LED] < 0 else np.int64(1) << nums[LED]
    return exact(s, everything, nums[LEADER], nums[FIRST], lead, np.int64(0), np.int64(0))


@kernel(inner=True)
def card_values(s):
    """Write into ``s.found`` what every card that may be played is worth to the seat to act."""
    nums = s.nums
    one = np.int64(1)
    leader = nums[LEADER]
    first = nums[FIRST]
    everything = (one << nums[CARDS_N]) - 1
    for card in range(CARDS):
        s.found[card] = NO_VALUE
    led = nums[LED]
    seat = leader if led < 0 else 1 - leader
    held = nums[HELD_0 + seat]
    distinct = np.int64(0)
    for suit in range(SUITS):
        distinct |= s.rows[row_of(s, np.int64(suit), s.suit_set[suit]), MOVES_0 + seat]
    moves = distinct
    sign = np.int64(1)
    guess = np.int64(0)
    if led < 0:
        guess = exact(s, everything, leader, first, np.int64(0), np.int64(0), guess)
    else:
        sign = np.int64(-1)
        suit = s.place_suit[led]
        trumps = nums[TRUMPS] == 1
        if held & s.suit_set[suit]:
            moves &= s.suit_set[suit]
            heads = moves & s.higher[led]
            if heads and (nums[HEAD_TRUMP] if suit == 0 and trumps else nums[HEAD_PLAIN]):
                moves = heads
        elif trumps and nums[RUFF] == 1 and held & s.suit_set[0]:
            moves &= s.suit_set[0]
    value = np.int64(NO_VALUE)
    for place in range(nums[CARDS_N]):
        if (held >> place) & 1 == 0:
            continue
        if (distinct >> place) & 1:  # the cards that follow up to the next distinct one are worth the same
            value = np.int64(NO_VALUE)
        card = s.place_card[place]
        if (moves >> place) & 1:
            if led < 0:
                guess = exact(s, everything, leader, first, one << place, np.int64(0), guess)
            else:
                guess = exact(s, everything, leader, first, one << led, one << place, guess)
            value = sign * guess
        if s.found[card] == NO_VALUE:
            s.found[card] = value
