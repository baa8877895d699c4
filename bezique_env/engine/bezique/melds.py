"""Declarations: which copies a meld may take, and what the choice tells.

A *code* names one copy that a seat holds: 0..39 is a place on its table, ``64 + card`` a copy in its hand.
``g`` is one state record, ``rules`` the rules vector, ``tmp`` scratch of ``SCRATCH`` bytes:
``tmp[CHOSEN:]`` are the codes of the meld chosen, ``tmp[LAID:]`` the places where they lie afterwards,
``tmp[LIST:]`` and ``tmp[SECOND:]`` lists of candidates, ``tmp[FORCED:]`` the codes of an explicit selection.
"""

from __future__ import annotations

import numpy as np

from bezique_env.engine.bezique.actions import (
    BEZIQUE,
    EXCHANGE,
    FIVE_TRUMP,
    FOUR,
    FOUR_TRUMP,
    MARRIAGE,
    PLAY_TABLE,
    SEQUENCE,
    SEVEN_SCORE,
)
from bezique_env.engine.bezique.state import (
    IN_BEZIQUE,
    IN_FIVE_TRUMP,
    IN_FOUR,
    IN_FOUR_TRUMP,
    IN_MARRIAGE,
    IN_SEQUENCE,
    MELD_KINDS,
    USED_BEZIQUE,
    USED_BEZIQUE_NOW,
    USED_DOUBLE,
    USED_FIVE_TRUMP,
    USED_FOUR,
    USED_FOUR_TRUMP,
    USED_LINE_NOW,
    USED_MARRIAGE,
    USED_NOW,
    USED_QUADRUPLE,
    USED_QUINTUPLE,
    USED_SEQUENCE,
    USED_SEVEN,
    USED_TRICK,
    USED_TRIPLE,
)
from bezique_env.engine.bezique.told import tell_absent, tell_below, tell_clue, tell_shown
from bezique_env.engine.cache import kernel
from bezique_env.engine.common import NONE
from bezique_env.rules.bezique import index as ix

NO_TRUMP = 4
HAND_CODE = 64
CHOSEN, LAID, LIST, SECOND, SELECTING, FORCED = 0, 16, 32, 64, 96, 144
KING, QUEEN, JACK = 5, 4, 3
QS, JD, QC, JH = 4, 19, 28, 11
SEQUENCE_RANKS = np.array([7, 6, 5, 4, 3], np.int64)
FOUR_RANKS = np.array([7, 6, 5, 4, 3], np.int64)
LEVEL_MARK = np.array([USED_BEZIQUE, USED_DOUBLE, USED_TRIPLE, USED_QUADRUPLE, USED_QUINTUPLE], np.int64)
RUNG_MARK = np.array([USED_FOUR, USED_FOUR_TRUMP, USED_FIVE_TRUMP], np.int64)
ANY_FOUR = int(RUNG_MARK.sum())
MELD_MARKS = np.concatenate(
    [[USED_MARRIAGE] * 4, [USED_SEQUENCE] * 4, LEVEL_MARK, np.repeat(RUNG_MARK, 5)]
).astype(np.int64)
"""The mark that each declaration leaves on its cards, by action from ``marriage S`` on."""
MELD_KIND = np.repeat(
    [IN_MARRIAGE, IN_SEQUENCE, IN_BEZIQUE, IN_FOUR, IN_FOUR_TRUMP, IN_FIVE_TRUMP], [4, 4, 5, 5, 5, 5]
)
"""The kind of intact meld that each declaration makes, by action likewise."""
HIGHER_LEVEL = np.array([LEVEL_MARK[k + 1 :].sum() for k in range(5)], np.int64)
HIGHER_RUNG = np.array([RUNG_MARK[k + 1 :].sum() for k in range(3)], np.int64)
NEED_NOTHING, NEED_HAND, NEED_TRICK = 0, 1, 2
"""What a meld must take: nothing special, a copy from the hand (laying), a card of the trick (Fildinski)."""


# ------------------------------------------------------------------------------------------------ copies


@kernel(inline_always=True)
def leave_hand(g, seat, card):
    """A copy leaves the concealed hand in sight of all: a known one first, else a hidden one is shown.

    A scored trump seven is known; while it stays, an unscored one that leaves is a hidden one.
    """
    g.hand[seat, card] -= 1
    stays = g.sevens_scored[seat] if g.trump != NO_TRUMP and card == 8 * np.int64(g.trump) else 0
    if g.known[seat, card] > stays:
        g.known[seat, card] -= 1
    else:
        tell_shown(g, seat, card)


@kernel(inline_always=True)
def put_on_table(g, seat, card, uses):
    """Put a card on the next place of the table; returns the place."""
    place = np.int64(g.table_n[seat])
    g.table_card[seat, place] = card
    g.table_uses[seat, place] = uses
    g.table_served[seat, place] = 0
    g.table_count[seat, card] += 1
    g.table_n[seat] = place + 1
    return place


@kernel(inline_always=True)
def lay(g, seat, card):
    """Move a copy from the hand to the next place on the table; returns the place."""
    leave_hand(g, seat, card)
    return put_on_table(g, seat, card, np.int64(0))


@kernel(inner=True)
def take_from_table(g, rules, seat, place):
    """Remove the copy at a place of the table: its scored melds are broken, the later copies move up."""
    card = np.int64(g.table_card[seat, place])
    last = np.int64(g.table_n[seat]) - 1
    if rules[ix.REFORM] == ix.REFORM_REPLACE:
        low = (np.int64(1) << place) - 1
        for t in range(last + 1):
            for kind in range(MELD_KINDS):
                mask = np.int64(g.table_melds[seat, t, kind])
                if (mask >> place) & 1:
                    mask = mask & ~(np.int64(1) << place) if kind == IN_MARRIAGE else np.int64(0)
                g.table_melds[seat, t, kind] = (mask & low) | ((mask >> 1) & ~low)
        for t in range(place, last):
            for kind in range(MELD_KINDS):
                g.table_melds[seat, t, kind] = g.table_melds[seat, t + 1, kind]
        for kind in range(MELD_KINDS):
            g.table_melds[seat, last, kind] = 0
    for t in range(place, last):
        g.table_card[seat, t] = g.table_card[seat, t + 1]
        g.table_uses[seat, t] = g.table_uses[seat, t + 1]
        g.table_served[seat, t] = g.table_served[seat, t + 1]
    g.table_card[seat, last] = NONE
    g.table_uses[seat, last] = 0
    g.table_served[seat, last] = 0
    g.table_n[seat] = last
    g.table_count[seat, card] -= 1
    return card


@kernel(inner=True)
def add_copies(g, rules, seat, rank, suits, tmp, base):
    """List the codes of a seat's copies of a rank, suits by bit mask, from ``tmp[base]`` in the order of choice.

    Copies on the table first (most used, then laid earliest), then the hand by card id (never in Fildinski,
    where melds come from won cards). Returns their number.
    """
    n = 0
    if suits & (suits - 1) == 0:
        # One suit only: the count tells at once whether the table has any.
        suit = 0
        while suits >> suit != 1:
            suit += 1
        on_table = g.table_count[seat, 8 * suit + rank] > 0
    else:
        on_table = g.table_n[seat] > 0
    if on_table:
        for t in range(g.table_n[seat]):
            card = g.table_card[seat, t]
            if card & 7 == rank and (suits >> (card >> 3)) & 1:
                used = g.table_served[seat, t]
                k = n
                while k > 0 and g.table_served[seat, tmp[base + k - 1]] < used:
                    tmp[base + k] = tmp[base + k - 1]
                    k -= 1
                tmp[base + k] = t
                n += 1
    if rules[ix.MELDS_FROM] == ix.MELDS_FROM_WON:
        return n
    for suit in range(4):
        if (suits >> suit) & 1:
            card = 8 * suit + rank
            for _ in range(g.hand[seat, card]):
                tmp[base + n] = HAND_CODE + card
                n += 1
    return n


@kernel(inline_always=True)
def uses_of(g, seat, code):
    """Return the marks of a copy (a copy in the hand has none)."""
    return np.int64(0) if code >= HAND_CODE else np.int64(g.table_uses[seat, code])


@kernel(inline_always=True)
def card_of(g, seat, code):
    """Return the card id of a copy."""
    return np.int64(code) - HAND_CODE if code >= HAND_CODE else np.int64(g.table_card[seat, code])


@kernel(inline_always=True)
def holds(g, rules, seat, card):
    """Return how many copies of a card could serve in a meld."""
    on_table = np.int64(g.table_count[seat, card])
    if rules[ix.MELDS_FROM] == ix.MELDS_FROM_WON:
        return on_table
    return on_table + np.int64(g.hand[seat, card])


@kernel(inner=True)
def bezique_pair(rules, trump):
    """Return (queen, jack) of the bezique, (255, 255) while the rules fix none (A20)."""
    pair = rules[ix.BEZIQUE_PAIR]
    if pair == ix.PAIR_TRUMP_QUEEN:
        if trump == NO_TRUMP:
            return NONE, NONE
        return 8 * trump + QUEEN, 8 * (trump ^ 2) + JACK
    if pair == ix.PAIR_SHIFTING and (trump == 0 or trump == 2):
        return QC, JH
    return QS, JD


# ------------------------------------------------------------------------- what a meld scores, who may serve


@kernel(inline_always=True)
def may_become_trump(g, rules, suit, kind):
    """Whether a scored meld of this kind (a value of the option ``trump``) would make the suit trump."""
    if g.trump != NO_TRUMP or rules[ix.TRUMP] < kind:
        return False
    return not (rules[ix.TRUMP_REPEAT] == ix.REPEAT_FORBIDDEN and suit == g.last_trump)


@kernel(inline_always=True)
def meld_value(g, rules, action):
    """Return what a meld of this action scores now, before the quartet bonus; 0 where the rules have none."""
    trump = np.int64(g.trump)
    barred_now = trump == NO_TRUMP and rules[ix.PREMATURE_MELDS] == ix.NEED_TRUMP
    if action < SEQUENCE:
        suit = action - MARRIAGE
        if suit == trump or may_become_trump(g, rules, suit, ix.TRUMP_MARRIAGE):
            return rules[ix.VALUE_ROYAL_MARRIAGE]
        return rules[ix.VALUE_MARRIAGE]
    if action < BEZIQUE:
        suit = action - SEQUENCE
        if suit == trump or may_become_trump(g, rules, suit, ix.TRUMP_MARRIAGE_SEQUENCE):
            return rules[ix.VALUE_SEQUENCE]
        return rules[ix.VALUE_PLAIN_SEQUENCE]
    if action < FOUR:
        queen, _ = bezique_pair(rules, trump)
        if queen == NONE:
            fixes = rules[ix.TRUMP] == ix.TRUMP_MARRIAGE_SEQUENCE_BEZIQUE and action == BEZIQUE
            return rules[ix.VALUE_BEZIQUE] if fixes else np.int64(0)
        return np.int64(0) if barred_now else rules[ix.VALUE_BEZIQUE + action - BEZIQUE]
    if action < FOUR_TRUMP:
        return np.int64(0) if barred_now else rules[ix.VALUE_FOUR + action - FOUR]
    if action < SEVEN_SCORE and trump != NO_TRUMP:
        return rules[ix.VALUE_FOUR_TRUMP + action - FOUR_TRUMP]
    return np.int64(0)


@kernel(inner=True)
def spent(g, rules, seat, code, action):
    """Whether a copy may not serve in a meld of this action, whatever the other copies are (section 7).

    Under ``reform: replace`` a copy of an intact meld of the same kind is spent, and for good one that served
    in a higher bezique or quartet, or, for a marriage, in a sequence. Under ``none`` each copy serves once.
    """
    if code >= HAND_CODE:
        return False
    uses = np.int64(g.table_uses[seat, code])
    if uses & USED_NOW:
        return True
    replace = rules[ix.REFORM] == ix.REFORM_REPLACE
    if action < SEQUENCE:
        if replace:
            return uses & USED_SEQUENCE != 0
        if uses & (USED_MARRIAGE | USED_LINE_NOW):
            return True
        return rules[ix.SEQ_THEN_MARRIAGE] == ix.BOTH_FRESH and uses & USED_SEQUENCE != 0
    if action < BEZIQUE:
        if replace:
            return g.table_melds[seat, code, IN_SEQUENCE] != 0
        return uses & (USED_SEQUENCE | USED_LINE_NOW) != 0
    if action < FOUR:
        level = action - BEZIQUE
        if uses & (HIGHER_LEVEL[level] | USED_BEZIQUE_NOW):
            return True
        if uses & LEVEL_MARK[level] == 0:
            return False
        return not replace or g.table_melds[seat, code, IN_BEZIQUE] != 0
    if replace:
        rung = (action - FOUR) // 5
        return uses & HIGHER_RUNG[rung] != 0 or g.table_melds[seat, code, IN_FOUR + rung] != 0
    return uses & ANY_FOUR != 0


@kernel(inline_always=True)
def serves(g, seat, code, need):
    """Whether a copy is what the meld needs (see ``NEED_HAND``, ``NEED_TRICK``)."""
    if need == NEED_NOTHING:
        return True
    if need == NEED_HAND:
        return code >= HAND_CODE
    return code < HAND_CODE and g.table_uses[seat, code] & USED_TRICK != 0


@kernel(inner=True)
def list_free(g, rules, seat, rank, suits, action, tmp, base):
    """List the copies of a rank that may serve in a meld of this action; returns their number."""
    found = add_copies(g, rules, seat, rank, suits, tmp, base)
    n = 0
    for k in range(found):
        code = np.int64(tmp[base + k])
        if not spent(g, rules, seat, code, action):
            tmp[base + n] = code
            n += 1
    return n


@kernel(inner=True)
def within(tmp, first, last, base, n):
    """Whether the forced codes [first, last), with their multiplicity, are among ``tmp[base:base + n]``."""
    for w in range(first, last):
        need = 0
        have = 0
        for k in range(first, last):
            if tmp[FORCED + k] == tmp[FORCED + w]:
                need += 1
        for k in range(n):
            if tmp[base + k] == tmp[FORCED + w]:
                have += 1
        if have < need:
            return False
    return True


@kernel(inner=True)
def any_serves(g, seat, tmp, base, n, need):
    """Whether one of ``tmp[base:base + n]`` is what the meld needs."""
    if need == NEED_NOTHING:
        return True
    for k in range(n):
        if serves(g, seat, tmp[base + k], need):
            return True
    return False


# ------------------------------------------------------------------------------------------------- choice


@kernel(inner=True)
def choose(g, rules, seat, action, laying, nf, tmp):
    """Choose the copies of a meld: the first combination that the rules allow (section 7).

    Codes go to ``tmp[0:]`` in the order in which the declaration names its cards; returns their number, 0
    where no combination is allowed. ``laying``: at least one copy must come from the hand. The first
    ``nf`` codes of an explicit selection, at ``tmp[FORCED:]``, were chosen already. This function is the only
    judge of declarations: the legal mask and the application both ask it.
    """
    if meld_value(g, rules, action) == 0:
        return 0
    need = np.int64(NEED_NOTHING)
    if laying:
        need = np.int64(NEED_HAND)
    elif rules[ix.MELDS_FROM] == ix.MELDS_FROM_WON:
        need = np.int64(NEED_TRICK)
    if action < SEQUENCE:
        return choose_marriage(g, rules, seat, action, need, nf, tmp)
    if action < BEZIQUE:
        return choose_sequence(g, rules, seat, action, need, nf, tmp)
    if action == BEZIQUE:
        return choose_single(g, rules, seat, need, nf, tmp)
    if action < FOUR:
        return choose_multiple(g, rules, seat, action, need, nf, tmp)
    return choose_quartet(g, rules, seat, action, need, nf, tmp)


@kernel(inner=True)
def may_marry(g, rules, seat, king, queen):
    """Whether two copies, neither of them spent, may marry (section 12, words of section 7).

    Under ``replace``: the pair has not scored, and both were never married, or one is widowed, or
    (``cross_pairs``) both are married to others.
    """
    ku = uses_of(g, seat, king)
    qu = uses_of(g, seat, queen)
    if rules[ix.REFORM] == ix.REFORM_NONE:
        return ku & qu & USED_SEQUENCE == 0
    if ku & USED_MARRIAGE == 0 and qu & USED_MARRIAGE == 0:
        return True
    of_king = np.int64(g.table_melds[seat, king, IN_MARRIAGE]) if king < HAND_CODE else np.int64(0)
    of_queen = np.int64(g.table_melds[seat, queen, IN_MARRIAGE]) if queen < HAND_CODE else np.int64(0)
    if queen < HAND_CODE and (of_king >> np.int64(queen)) & 1:
        return False
    if (ku & USED_MARRIAGE and of_king == 0) or (qu & USED_MARRIAGE and of_queen == 0):
        return True
    return of_king != 0 and of_queen != 0 and rules[ix.MARRIAGE_REMATCH] == ix.REMATCH_CROSS_PAIRS


@kernel(inner=True)
def choose_marriage(g, rules, seat, action, need, nf, tmp):
    """Choose king and queen; see :func:`choose`."""
    suits = np.int64(1) << (action - MARRIAGE)
    nk = list_free(g, rules, seat, np.int64(KING), suits, action, tmp, np.int64(LIST))
    if nk == 0:
        return 0
    nq = list_free(g, rules, seat, np.int64(QUEEN), suits, action, tmp, np.int64(SECOND))
    for a in range(nk):
        king = np.int64(tmp[LIST + a])
        if nf > 0 and king != tmp[FORCED]:
            continue
        for b in range(nq):
            queen = np.int64(tmp[SECOND + b])
            if nf > 1 and queen != tmp[FORCED + 1]:
                continue
            if not (serves(g, seat, king, need) or serves(g, seat, queen, need)):
                continue
            if may_marry(g, rules, seat, king, queen):
                tmp[0] = king
                tmp[1] = queen
                return 2
    return 0


@kernel(inner=True)
def choose_sequence(g, rules, seat, action, need, nf, tmp):
    """Choose ace, ten, king, queen and jack; see :func:`choose`."""
    suits = np.int64(1) << (action - SEQUENCE)
    for kind in range(5):
        n = list_free(g, rules, seat, SEQUENCE_RANKS[kind], suits, action, tmp, np.int64(LIST))
        ok = False
        for k in range(n):
            code = tmp[LIST + k]
            if nf <= kind or code == tmp[FORCED + kind]:
                tmp[kind] = code
                ok = True
                break
        if not ok:
            return 0
    if any_serves(g, seat, tmp, np.int64(CHOSEN), np.int64(5), need):
        return 5
    # The first later combination with what it needs: the last kind runs fastest.
    for kind in range(4, nf - 1, -1):
        n = list_free(g, rules, seat, SEQUENCE_RANKS[kind], suits, action, tmp, np.int64(LIST))
        for k in range(n):
            if serves(g, seat, tmp[LIST + k], need):
                tmp[kind] = tmp[LIST + k]
                return 5
    return 0


@kernel(inner=True)
def choose_single(g, rules, seat, need, nf, tmp):
    """Choose the queen and the jack of a single bezique; see :func:`choose`."""
    action = np.int64(BEZIQUE)
    queen, jack = bezique_pair(rules, np.int64(g.trump))
    queens = np.int64(0)
    if queen != NONE:
        queens = np.int64(1) << (queen >> 3)
    else:
        for suit in range(4):
            if may_become_trump(g, rules, suit, ix.TRUMP_MARRIAGE_SEQUENCE_BEZIQUE):
                queens |= np.int64(1) << suit
    if queens == 0:
        return 0
    nq = list_free(g, rules, seat, np.int64(QUEEN), queens, action, tmp, np.int64(LIST))
    for a in range(nq):
        first = tmp[LIST + a]
        if nf > 0 and first != tmp[FORCED]:
            continue
        partner = np.int64(jack >> 3) if queen != NONE else (card_of(g, seat, first) >> 3) ^ 2
        nj = list_free(g, rules, seat, np.int64(JACK), np.int64(1) << partner, action, tmp, np.int64(SECOND))
        for b in range(nj):
            second = tmp[SECOND + b]
            if nf > 1 and second != tmp[FORCED + 1]:
                continue
            if serves(g, seat, first, need) or serves(g, seat, second, need):
                tmp[0] = first
                tmp[1] = second
                return 2
    return 0


@kernel(inner=True)
def choose_multiple(g, rules, seat, action, need, nf, tmp):
    """Choose the queens, then the jacks, of a double bezique or higher; see :func:`choose`.

    ``need`` is something only in two packs, where a double takes all four cards there are.
    """
    queen, jack = bezique_pair(rules, np.int64(g.trump))
    size = action - BEZIQUE + 1
    if holds(g, rules, seat, queen) < size or holds(g, rules, seat, jack) < size:
        return 0
    nq = list_free(g, rules, seat, np.int64(QUEEN), np.int64(1) << (queen >> 3), action, tmp, np.int64(LIST))
    nj = list_free(g, rules, seat, np.int64(JACK), np.int64(1) << (jack >> 3), action, tmp, np.int64(SECOND))
    if nq < size or nj < size:
        return 0
    if rules[ix.DOUBLE_BEZIQUE] != ix.BUILD_ANY:
        singles = 0
        for k in range(nq):
            if uses_of(g, seat, tmp[LIST + k]) & USED_BEZIQUE:
                singles += 1
        if singles > (0 if rules[ix.DOUBLE_BEZIQUE] == ix.ONE_GO else 1):
            return 0
    if not within(tmp, np.int64(0), min(nf, size), np.int64(LIST), nq):
        return 0
    if not within(tmp, size, max(nf, size), np.int64(SECOND), nj):
        return 0
    for k in range(size):
        tmp[k] = tmp[LIST + k]
        tmp[size + k] = tmp[SECOND + k]
    return 2 * size if any_serves(g, seat, tmp, np.int64(CHOSEN), 2 * size, need) else 0


@kernel(inline_always=True)
def four_suits(g, seat, codes):
    """Whether the four copies show four suits (option ``quartet_suits_bonus``)."""
    suits = 0
    for k in range(4):
        suits |= 1 << (card_of(g, seat, codes[k]) >> 3)
    return suits == 15


@kernel(inner=True)
def is_intact_four(g, seat, tmp, base, n):
    """Whether ``tmp[base:base + n]`` all belong to one intact ``four`` (with n = 4: are exactly it)."""
    if tmp[base] >= HAND_CODE:
        return False
    mask = np.int64(g.table_melds[seat, tmp[base], IN_FOUR])
    for k in range(n):
        if tmp[base + k] >= HAND_CODE or (mask >> np.int64(tmp[base + k])) & 1 == 0:
            return False
    return True


@kernel(inner=True)
def can_complete(g, seat, size, higher, need, nf, n, tmp):
    """Whether the forced copies can be completed to a quartet from the n free ones at ``tmp[LIST:]``.

    ``higher``: a ``four trump``, which may not be exactly the four cards of an intact ``four``.
    """
    if not within(tmp, np.int64(0), nf, np.int64(LIST), n):
        return False
    if not any_serves(g, seat, tmp, np.int64(FORCED), nf, need) and not (
        nf < size and any_serves(g, seat, tmp, np.int64(LIST), n, need)
    ):
        return False
    if higher and is_intact_four(g, seat, tmp, np.int64(FORCED), nf):
        if nf == size:
            return False
        mask = np.int64(g.table_melds[seat, tmp[FORCED], IN_FOUR])
        for k in range(n):
            if tmp[LIST + k] >= HAND_CODE or (mask >> np.int64(tmp[LIST + k])) & 1 == 0:
                return True
        return False
    return True


@kernel(inner=True)
def choose_quartet(g, rules, seat, action, need, nf, tmp):
    """Choose four copies of a rank, or four or five of the trump suit; see :func:`choose`."""
    rung = (action - FOUR) // 5
    rank = FOUR_RANKS[(action - FOUR) % 5]
    size = 5 if rung == 2 else 4
    suits = np.int64(15) if rung == 0 else np.int64(1) << np.int64(g.trump)
    n = list_free(g, rules, seat, rank, suits, action, tmp, np.int64(LIST))
    if n < size:
        return 0
    higher = rung == 1 and rules[ix.REFORM] == ix.REFORM_REPLACE
    if nf > 0:
        return size if can_complete(g, seat, size, higher, need, nf, n, tmp) else 0
    if rung == 2:
        for k in range(5):
            tmp[k] = tmp[LIST + k]
        return 5
    want_suits = rung == 0 and rules[ix.QUARTET_SUITS_BONUS] == 1 and need != NEED_HAND
    for attempt in range(2):
        if attempt == 0 and not want_suits:
            continue
        for a in range(n - 3):
            for b in range(a + 1, n - 2):
                for c in range(b + 1, n - 1):
                    for d in range(c + 1, n):
                        tmp[0] = tmp[LIST + a]
                        tmp[1] = tmp[LIST + b]
                        tmp[2] = tmp[LIST + c]
                        tmp[3] = tmp[LIST + d]
                        if not any_serves(g, seat, tmp, np.int64(CHOSEN), np.int64(4), need):
                            continue
                        if attempt == 0 and not four_suits(g, seat, tmp):
                            continue
                        if higher and is_intact_four(g, seat, tmp, np.int64(CHOSEN), np.int64(4)):
                            continue
                        return 4
    return 0


# ---------------------------------------------------------------------------------------------- the window


@kernel(inline_always=True)
def may_score(g, rules):
    """Whether the open window still has its scoring declaration (section 12, the declaring window)."""
    if g.exchanged and rules[ix.DIX_EXCHANGE] == ix.EXCHANGE_USES_DECLARATION:
        return False
    return g.declared == 0 or rules[ix.DECLARE] == ix.DECLARE_MANY_DISJOINT


@kernel(inline_always=True)
def won_sevens(rules):
    """Whether the winner of a trick has the trump sevens in it (Fildinski, ``fildinski_dix: trick_winner``)."""
    return rules[ix.MELDS_FROM] == ix.MELDS_FROM_WON and rules[ix.FILDINSKI_DIX] == ix.FILDINSKI_TRICK_WINNER


@kernel(inner=True)
def may_exchange(g, rules, seat):
    """Whether the seat may exchange a trump seven for the turn-up now."""
    if g.turn_up == NONE or g.turn_up & 7 == 0 or g.exchanged:
        return False
    if g.declared and rules[ix.DIX_EXCHANGE] == ix.EXCHANGE_USES_DECLARATION:
        return False
    if won_sevens(rules):
        return g.seven_won != 0
    seven = 8 * np.int64(g.trump)
    return g.hand[seat, seven] + g.table_count[seat, seven] > 0


@kernel(inner=True)
def seven_code(g, rules, seat, scoring, laying):
    """Return the code of the trump seven that ``seven`` would show, 255 where it is not legal."""
    if g.trump == NO_TRUMP or rules[ix.DIX_SCORE] > ix.DIX_AS_MELD or won_sevens(rules):
        return NONE
    if g.stock_left == 0 and rules[ix.DIX_ENDGAME] == 1:
        return NONE
    seven = 8 * np.int64(g.trump)
    in_hand = g.hand[seat, seven] > g.sevens_scored[seat]
    if rules[ix.DIX_SCORE] == ix.DIX_ON_SHOW:
        return HAND_CODE + seven if in_hand else NONE
    if scoring and g.table_count[seat, seven] > 0:
        for t in range(g.table_n[seat]):
            if g.table_card[seat, t] == seven and g.table_uses[seat, t] & (USED_SEVEN | USED_NOW) == 0:
                return t
    return HAND_CODE + seven if in_hand and (scoring or laying) else NONE


@kernel(inner=True)
def meld_candidates(g, rules, seat):
    """Return a bit per action 64..91 whose cards the seat holds at all (marks not yet looked at)."""
    bits = np.int64(0)
    plain = rules[ix.VALUE_PLAIN_SEQUENCE] > 0
    for suit in range(4):
        base = 8 * suit
        if holds(g, rules, seat, base + QUEEN) > 0 and holds(g, rules, seat, base + KING) > 0:
            bits |= 1 << suit
            if (
                (suit == g.trump or g.trump == NO_TRUMP or plain)
                and holds(g, rules, seat, base + 7) > 0
                and holds(g, rules, seat, base + 6) > 0
                and holds(g, rules, seat, base + JACK) > 0
            ):
                bits |= 1 << (SEQUENCE - MARRIAGE + suit)
    queen, jack = bezique_pair(rules, np.int64(g.trump))
    if queen == NONE:
        bits |= 1 << (BEZIQUE - MARRIAGE)
    else:
        pairs = min(holds(g, rules, seat, queen), holds(g, rules, seat, jack), 5)
        bits |= ((1 << pairs) - 1) << (BEZIQUE - MARRIAGE)
    trumps = rules[ix.VALUE_FOUR_TRUMP] > 0 and g.trump != NO_TRUMP
    for k in range(5):
        rank = FOUR_RANKS[k]
        if rules[ix.VALUE_FOUR + k] > 0:
            held = 0
            for suit in range(4):
                held += holds(g, rules, seat, 8 * suit + rank)
            if held >= 4:
                bits |= 1 << (FOUR - MARRIAGE + k)
        if trumps:
            held = holds(g, rules, seat, 8 * np.int64(g.trump) + rank)
            if held >= 4:
                bits |= 1 << (FOUR_TRUMP - MARRIAGE + k)
                if held >= 5 and rules[ix.VALUE_FIVE_TRUMP] > 0:
                    bits |= 1 << (FIVE_TRUMP - MARRIAGE + k)
    return bits


@kernel(inner=True)
def window_actions(g, rules, seat, first_only, tmp):
    """Return the legal actions of a declaring window other than ``pass``: bit k is action 64 + k.

    With ``first_only`` 1 the search stops at the first legal action.
    """
    legal = np.int64(0)
    scoring = may_score(g, rules)
    laying = not scoring and rules[ix.DECLARE] == ix.DECLARE_LAY_MANY
    if may_exchange(g, rules, seat):
        legal |= 1 << (EXCHANGE - MARRIAGE)
    if seven_code(g, rules, seat, scoring, laying) != NONE:
        legal |= 1 << (SEVEN_SCORE - MARRIAGE)
    if (scoring or laying) and (first_only == 0 or legal == 0):
        bits = meld_candidates(g, rules, seat)
        k = 0
        while bits != 0:
            if bits & 1 and choose(g, rules, seat, MARRIAGE + k, laying, np.int64(0), tmp) > 0:
                legal |= 1 << k
                if first_only == 1:
                    return legal
            bits >>= 1
            k += 1
    return legal


@kernel(inner=True)
def selection_code(g, rules, seat, choice, tmp):
    """Return the code that ``use ...`` (ids 0..63) would choose in a selection, 255 where not legal.

    The codes chosen so far and the tried one stand at ``tmp[FORCED:]``, where :func:`choose` expects them.
    """
    n = np.int64(g.sel_n)
    laying = not may_score(g, rules)
    action = np.int64(g.sel_action)
    for k in range(n):
        tmp[FORCED + k] = g.sel_code[k]
    if choice < PLAY_TABLE:
        taken = 0
        for k in range(n):
            if tmp[FORCED + k] == HAND_CODE + choice:
                taken += 1
        if g.hand[seat, choice] <= taken:
            return NONE
        tmp[FORCED + n] = HAND_CODE + choice
        return HAND_CODE + choice if choose(g, rules, seat, action, laying, n + 1, tmp) > 0 else NONE
    card = choice - PLAY_TABLE
    if g.table_count[seat, card] == 0:
        return NONE
    found = add_copies(g, rules, seat, card & 7, np.int64(1) << (card >> 3), tmp, np.int64(SELECTING))
    for k in range(found):
        code = tmp[SELECTING + k]
        if code >= HAND_CODE:
            break
        fresh = True
        for m in range(n):
            if tmp[FORCED + m] == code:
                fresh = False
        tmp[FORCED + n] = code
        if fresh and choose(g, rules, seat, action, laying, n + 1, tmp) > 0:
            return code
    return NONE


# ------------------------------------------------------------------------- what the order of choice tells


@kernel(inner=True)
def note_choice(g, rules, seat, action, scoring, tmp):
    """Note what the fixed order of choice tells about the hand, before the cards of ``tmp[0:]`` move."""
    if action == BEZIQUE and g.trump == NO_TRUMP and rules[ix.BEZIQUE_PAIR] == ix.PAIR_TRUMP_QUEEN:
        note_first_bezique(g, rules, seat, tmp)
    elif action == BEZIQUE or action < SEQUENCE:
        note_earlier(g, rules, seat, action, tmp)
    elif action < BEZIQUE and not scoring:
        note_laid_sequence(g, rules, seat, action, tmp)


@kernel(inner=True)
def note_quartet(g, rules, seat, action, scoring, bonus, tmp):
    """Note what the choice of an ordinary quartet tells about the rest of the hand, after the cards lie.

    ``tmp[0:4]`` are the chosen codes as they were; hand copies are taken by card id, so no hidden copy
    of a lower card remains. Under the four-suits preference a quartet of fewer suits also tells that not
    all the missing suits were there.
    """
    rank = FOUR_RANKS[action - FOUR]
    if bonus:
        return
    highest = -1
    for k in range(4):
        if tmp[k] >= HAND_CODE:
            highest = max(highest, np.int64(tmp[k]) - HAND_CODE)
    if highest >= 0:
        tell_below(g, seat, rank, highest >> 3)
    if rules[ix.QUARTET_SUITS_BONUS] == 1 and scoring:
        missing = np.int64(0)
        for suit in range(4):
            card = 8 * suit + rank
            seen = g.known[seat, card] > 0
            for t in range(g.table_n[seat]):
                if g.table_card[seat, t] == card and not spent(g, rules, seat, t, action):
                    seen = True
            if not seen:
                missing |= 1 << suit
                if card < highest:
                    return  # known to be absent
        tell_clue(g, seat, rank, missing)


@kernel(inner=True)
def note_first_bezique(g, rules, seat, tmp):
    """Note what the choice of a bezique that fixes trump tells: earlier queens had no matching jack."""
    action = np.int64(BEZIQUE)
    first = np.int64(tmp[0])
    for suit in range(4):
        if not may_become_trump(g, rules, suit, ix.TRUMP_MARRIAGE_SEQUENCE_BEZIQUE):
            continue
        queen = 8 * suit + QUEEN
        jack = 8 * (suit ^ 2) + JACK
        jack_seen = g.known[seat, jack] > 0
        earlier_on_table = False
        for t in range(g.table_n[seat]):
            if spent(g, rules, seat, t, action):
                continue
            if g.table_card[seat, t] == jack:
                jack_seen = True
            if g.table_card[seat, t] == queen and comes_before(g, seat, t, first):
                earlier_on_table = True
        if earlier_on_table:
            tell_absent(g, seat, jack)
        elif first >= HAND_CODE and HAND_CODE + queen < first:
            if jack_seen:
                tell_absent(g, seat, queen)
            elif g.known[seat, queen] > 0:
                tell_absent(g, seat, jack)
            else:
                tell_clue(g, seat, np.int64(0), suit)


@kernel(inner=True)
def note_earlier(g, rules, seat, action, tmp):
    """Note that no hidden copy of the partner was there: an earlier copy of the chosen card would have taken it.

    It matters where the chosen pair is not simply the first of each kind (re-forming, ``fresh_partner``,
    laying without scoring).
    """
    chosen = np.int64(tmp[0])
    card = card_of(g, seat, chosen)
    partner = card_of(g, seat, tmp[1])
    fresh = HAND_CODE + partner
    for t in range(g.table_n[seat]):
        if (
            g.table_card[seat, t] == card
            and t != chosen
            and comes_before(g, seat, t, chosen)
            and not spent(g, rules, seat, t, action)
            and (action == BEZIQUE or may_marry(g, rules, seat, t, fresh))
        ):
            tell_absent(g, seat, partner)
            return


@kernel(inner=True)
def note_laid_sequence(g, rules, seat, action, tmp):
    """Note what laying a sequence tells.

    A kind taken from the hand although a table copy would have served means that none of the kinds after it,
    which are tried first, was hidden in the hand.
    """
    told = False
    for kind in range(5):
        card = card_of(g, seat, tmp[kind])
        if told:
            tell_absent(g, seat, card)
        elif tmp[kind] >= HAND_CODE:
            for t in range(g.table_n[seat]):
                if g.table_card[seat, t] == card and not spent(g, rules, seat, t, action):
                    told = True


@kernel(inline_always=True)
def comes_before(g, seat, place, other):
    """Whether the copy at a table place precedes another copy in the order of choice."""
    if other >= HAND_CODE:
        return True
    a = g.table_served[seat, place]
    b = g.table_served[seat, other]
    return a > b or (a == b and place < other)
