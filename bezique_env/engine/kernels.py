"""The rules of the Bezique family as compiled kernels over one record per game.

Each branch is named after its rule in ``shared rules, bezique.md``. Habits: no allocation, no Python
objects, no exceptions, no recursion, integer scores, no random numbers except from a key passed in.
``g`` is one STATE record, ``rules`` the rules vector, ``tmp`` 64 bytes of scratch.

A *code* names one copy that a seat holds: 0..7 is a place on its table, ``64 + card`` a copy in its hand.
"""

from __future__ import annotations

import numpy as np

from bezique_env.engine import actions as act
from bezique_env.engine.cache import kernel
from bezique_env.engine.rng import STREAM_DEAL, STREAM_DEALER, bounded, next_u64, stream_key
from bezique_env.engine.state import (
    BETWEEN_DEALS,
    DECK,
    DECLARE,
    DRAWS_QUEUES,
    ENDGAME_FOLLOW,
    ENDGAME_LEAD,
    EPISODE_DEAL,
    FOLLOW,
    LEAD,
    MAX_CLUES,
    MAX_EVENTS,
    OVER,
    OWNER_PUBLIC,
    SEATS,
    SELECT,
    SLOTS,
    USED_BEZIQUE,
    USED_DOUBLE,
    USED_FOUR,
    USED_MARRIAGE,
    USED_NOW,
    USED_SEQUENCE,
    USED_SEVEN,
)
from bezique_env.rules import index as ix

NONE = 255
NO_TRUMP = 4
HAND_CODE = 64
FORCED = 48
TURN_UP_PLACE = 16
QUEEN, JACK, KING = 4, 3, 5
QS, JD, QC, JH = 4, 19, 28, 11
PLAY_TABLE, MARRIAGE, SEQUENCE, BEZIQUE, FOUR = (
    act.PLAY_TABLE,
    act.MARRIAGE,
    act.SEQUENCE,
    act.BEZIQUE,
    act.FOUR,
)
FOUR_TRUMP, SEVEN_SCORE, EXCHANGE, PASS = act.FOUR_TRUMP, act.SEVEN_SCORE, act.EXCHANGE, act.PASS
NUM_ACTIONS = act.NUM_ACTIONS
EV_TRUMP_SEVEN, EV_BRISQUES, EV_LAST_TRICK = act.EVENT_TRUMP_SEVEN, act.EVENT_BRISQUES, act.EVENT_LAST_TRICK
EV_TURNED_SEVEN, EV_WITHDRAWN = act.EVENT_TURNED_SEVEN, act.EVENT_WITHDRAWN
SEQUENCE_RANKS = np.array([7, 6, 5, 4, 3], np.int64)
FOUR_RANKS = np.array([7, 6, 5, 4, 3], np.int64)
PACKETS = np.array(
    [
        [0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 1],
        [0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1],
        [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1],
    ],
    np.int64,
)
"""Who receives each dealt card (0 the non-dealer), by ``deal_packets``."""
USE_COUNT = np.array([bin(value & 63).count("1") for value in range(256)], np.int64)


# --------------------------------------------------------------------------------------------- credits


@kernel(inner=True)
def credit(g, rules, seat, what, points):
    """Write points down for a seat; ``game_end: immediate`` ends the game at this very credit."""
    if points == 0 or g.phase == OVER:
        return
    g.scores[seat] += points
    n = g.ev_n
    if n < MAX_EVENTS:
        g.ev_seat[n] = seat
        g.ev_what[n] = what
        g.ev_points[n] = points
        g.ev_n = n + 1
    if g.match_scores[seat] + g.scores[seat] >= rules[ix.TARGET] and g.first_over == NONE:
        g.first_over = seat
        if rules[ix.GAME_END] == ix.IMMEDIATE:
            finish(g, rules, np.int64(seat))


@kernel(inner=True)
def finish(g, rules, winner):
    """End the game; ``winner`` 255 is a tie. The double win needs target and rubicon (A16)."""
    g.phase = OVER
    g.to_act = NONE
    g.winner = winner
    g.double = 0
    if winner != NONE:
        own = g.match_scores[winner] + g.scores[winner]
        other = g.match_scores[1 - winner] + g.scores[1 - winner]
        if own >= rules[ix.TARGET] and other < rules[ix.DOUBLE_WIN_UNDER]:
            g.double = 1


# ---------------------------------------------------------------------------------------------- dealing


@kernel(inner=True)
def shuffle_deck(g, packs):
    """Fill the deck in an order that depends on (seed, number of the deal) alone."""
    key = stream_key(g.seed, STREAM_DEAL, g.deal_no)
    for k in range(32 * packs):
        g.deck[k] = k & 31
    for k in range(32 * packs - 1, 0, -1):
        key, other = bounded(key, k + 1)
        card = g.deck[k]
        g.deck[k] = g.deck[other]
        g.deck[other] = card


@kernel(inner=True)
def deal_out(g, rules):
    """Deal the deck that lies in the record: packets, turn-up, stock; clears the former deal."""
    for s in range(SEATS):
        for c in range(32):
            g.hand[s, c] = 0
            g.known[s, c] = 0
            g.table_count[s, c] = 0
            g.won[s, c] = 0
            g.absent[s, c] = 0
            g.shown_card[s, c] = NONE
            g.shown_from[s, c] = 0
            g.shown_to[s, c] = 0
        for t in range(SLOTS):
            g.table_card[s, t] = NONE
            g.table_uses[s, t] = 0
        for k in range(MAX_CLUES):
            g.clue_cards[s, k] = 0
            g.clue_places[s, k] = 0
            g.clue_shown[s, k] = 0
        g.clue_n[s] = 0
        g.table_n[s] = 0
        g.places[s] = 0
        g.shown_n[s] = 0
        g.sevens_scored[s] = 0
        g.brisques[s] = 0
        g.taken[s] = 0
        g.trick_card[s] = NONE
        g.scores[s] = 0
    clear_selection(g)
    for k in range(DECK):
        g.owner[k] = NONE
    g.trump = NO_TRUMP
    g.turn_up = NONE
    g.turn_up_scored = 0
    g.declared = 0
    g.exchanged = 0
    elder = 1 - g.dealer
    dealt = 2 * rules[ix.HAND_SIZE]
    for k in range(dealt):
        seat = elder if PACKETS[rules[ix.DEAL_PACKETS], k] == 0 else 1 - elder
        receive(g, seat, k)
    g.stock_next = dealt
    g.stock_left = 32 * rules[ix.PACKS] - dealt
    g.leader = elder
    g.to_act = elder
    g.phase = LEAD
    if rules[ix.TRUMP] == ix.TRUMP_TURN_UP:
        card = g.deck[TURN_UP_PLACE]
        g.owner[TURN_UP_PLACE] = OWNER_PUBLIC
        g.stock_next = dealt + 1
        g.turn_up = card
        g.trump = card >> 3
        if card & 7 == 0 and rules[ix.DEALER_SEVEN] > 0:
            g.turn_up_scored = 1
            credit(g, rules, np.int64(g.dealer), np.int64(EV_TURNED_SEVEN), rules[ix.DEALER_SEVEN])


@kernel(inner=True)
def start_game(g, rules, seed, dealer, episode, draws, manual):
    """Begin a game; ``dealer`` 255 is drawn from the seed. With ``manual`` the deck must be set first."""
    g.seed = seed
    g.match_scores[0] = 0
    g.match_scores[1] = 0
    g.ev_n = 0
    for k in range(MAX_EVENTS):
        g.ev_points[k] = 0
        g.ev_seat[k] = 0
        g.ev_what[k] = 0
    g.steps = 0
    g.deal_no = 0
    g.episode = episode
    g.draws = draws
    g.manual = manual
    if dealer == NONE:
        dealer = np.int64(stream_key(seed, STREAM_DEALER, 0) & np.uint64(1))
    g.dealer = dealer
    g.last_trump = NO_TRUMP
    g.first_over = NONE
    g.winner = NONE
    g.double = 0
    g.phase = LEAD
    if manual == 0:
        shuffle_deck(g, rules[ix.PACKS])
    deal_out(g, rules)


@kernel(inline_always=True)
def receive(g, seat, place):
    """Give the card at a place of the deck to a seat, unseen by the others."""
    g.hand[seat, g.deck[place]] += 1
    g.owner[place] = seat
    g.places[seat] += 1


@kernel(inner=True)
def clear_selection(g):
    """Forget a selection."""
    for k in range(8):
        g.sel_code[k] = NONE
    g.sel_n = 0
    g.sel_action = NONE


# ---------------------------------------------------------------------------------- holdings and copies


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
        n = g.shown_n[seat]
        g.shown_card[seat, n] = card
        g.shown_from[seat, n] = g.absent[seat, card]
        g.shown_to[seat, n] = g.places[seat]
        g.shown_n[seat] = n + 1


@kernel(inline_always=True)
def lay(g, seat, card):
    """Move a copy from the hand to the next place on the table; returns the place."""
    leave_hand(g, seat, card)
    place = g.table_n[seat]
    g.table_card[seat, place] = card
    g.table_uses[seat, place] = 0
    g.table_count[seat, card] += 1
    g.table_n[seat] = place + 1
    return place


@kernel(inline_always=True)
def take_from_table(g, seat, place):
    """Remove the copy at a place of the table; the later ones move up."""
    card = g.table_card[seat, place]
    last = np.int64(g.table_n[seat]) - 1
    for t in range(place, last):
        g.table_card[seat, t] = g.table_card[seat, t + 1]
        g.table_uses[seat, t] = g.table_uses[seat, t + 1]
    g.table_card[seat, last] = NONE
    g.table_uses[seat, last] = 0
    g.table_n[seat] = last
    g.table_count[seat, card] -= 1
    return card


@kernel(inner=True)
def add_copies(g, seat, rank, suits, tmp, base, n):
    """Append the codes of a seat's copies of a rank, suits by bit mask, in the order of choice.

    Copies on the table first (most used, then laid earliest), then the hand by card id. Codes stand from
    ``tmp[base]``; returns the new count.
    """
    first = n
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
                used = USE_COUNT[g.table_uses[seat, t] & 63]
                k = n
                while k > first and USE_COUNT[g.table_uses[seat, tmp[base + k - 1]] & 63] < used:
                    tmp[base + k] = tmp[base + k - 1]
                    k -= 1
                tmp[base + k] = t
                n += 1
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


# ------------------------------------------------------------------------------------------ declarations


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
    barred = trump == NO_TRUMP and rules[ix.PREMATURE_MELDS] == ix.NEED_TRUMP
    if action < SEQUENCE:
        suit = action - MARRIAGE
        if suit == trump or may_become_trump(g, rules, suit, ix.TRUMP_MARRIAGE):
            return rules[ix.VALUE_ROYAL_MARRIAGE]
        return rules[ix.VALUE_MARRIAGE]
    if action < BEZIQUE:
        suit = action - SEQUENCE
        if suit == trump or may_become_trump(g, rules, suit, ix.TRUMP_MARRIAGE_SEQUENCE):
            return rules[ix.VALUE_SEQUENCE]
        return np.int64(0)
    if action < BEZIQUE + 2:
        queen, _ = bezique_pair(rules, trump)
        if queen == NONE:
            fixes = rules[ix.TRUMP] == ix.TRUMP_MARRIAGE_SEQUENCE_BEZIQUE and action == BEZIQUE
            return rules[ix.VALUE_BEZIQUE] if fixes else np.int64(0)
        return np.int64(0) if barred else rules[ix.VALUE_BEZIQUE + action - BEZIQUE]
    if action >= FOUR and action < FOUR_TRUMP:
        return np.int64(0) if barred else rules[ix.VALUE_FOUR + action - FOUR]
    return np.int64(0)


@kernel(inner=True)
def choose_quartet(g, rules, seat, rank, laying, nf, tmp):
    """Choose four copies of a rank into tmp[0:4]; see :func:`choose`."""
    n = 0
    found = add_copies(g, seat, rank, np.int64(15), tmp, np.int64(16), np.int64(0))
    for k in range(found):
        if uses_of(g, seat, tmp[16 + k]) & (USED_FOUR | USED_NOW) == 0:
            tmp[16 + n] = tmp[16 + k]
            n += 1
    if n < 4:
        return 0
    want_suits = rules[ix.QUARTET_SUITS_BONUS] == 1 and not laying
    for attempt in range(2):
        if attempt == 0 and not want_suits:
            continue
        for a in range(n - 3):
            for b in range(a + 1, n - 2):
                for c in range(b + 1, n - 1):
                    for d in range(c + 1, n):
                        tmp[0] = tmp[16 + a]
                        tmp[1] = tmp[16 + b]
                        tmp[2] = tmp[16 + c]
                        tmp[3] = tmp[16 + d]
                        if (
                            laying
                            and tmp[0] < HAND_CODE
                            and tmp[1] < HAND_CODE
                            and tmp[2] < HAND_CODE
                            and tmp[3] < HAND_CODE
                        ):
                            continue
                        if attempt == 0 and not four_suits(g, seat, tmp):
                            continue
                        if contains(tmp, np.int64(4), nf):
                            return 4
    return 0


@kernel(inline_always=True)
def four_suits(g, seat, codes):
    """Whether the four copies show four suits (option ``quartet_suits_bonus``)."""
    suits = 0
    for k in range(4):
        suits |= 1 << (card_of(g, seat, codes[k]) >> 3)
    return suits == 15


@kernel(inner=True)
def contains(tmp, n, nf):
    """Whether the codes chosen so far, with their multiplicity, are among ``tmp[0:n]``."""
    for w in range(nf):
        need = 0
        have = 0
        for k in range(nf):
            if tmp[FORCED + k] == tmp[FORCED + w]:
                need += 1
        for k in range(n):
            if tmp[k] == tmp[FORCED + w]:
                have += 1
        if have < need:
            return False
    return True


@kernel(inner=True)
def choose(g, rules, seat, action, laying, nf, tmp):
    """Choose the copies of a meld: the first combination that the rules allow (section 7A, ``reform: none``).

    Codes go to ``tmp[0:]`` in the order in which the declaration names its cards; returns their number, 0
    where no combination is allowed. ``laying``: at least one copy must come from the hand. The first
    ``nf`` codes of an explicit selection, at ``tmp[48:]``, were chosen already. This function is the only
    judge of declarations: the legal mask and the application both ask it.
    """
    if meld_value(g, rules, action) == 0:
        return 0
    if action < SEQUENCE:
        suit = action - MARRIAGE
        nk = add_copies(g, seat, np.int64(KING), 1 << suit, tmp, np.int64(16), np.int64(0))
        nq = add_copies(g, seat, np.int64(QUEEN), 1 << suit, tmp, np.int64(16), nk)
        for a in range(nk):
            king = tmp[16 + a]
            if nf > 0 and king != tmp[FORCED + 0]:
                continue
            ku = uses_of(g, seat, king)
            if ku & (USED_MARRIAGE | USED_NOW):
                continue
            for b in range(nk, nq):
                queen = tmp[16 + b]
                if nf > 1 and queen != tmp[FORCED + 1]:
                    continue
                qu = uses_of(g, seat, queen)
                if qu & (USED_MARRIAGE | USED_NOW):
                    continue
                if rules[ix.SEQ_THEN_MARRIAGE] == ix.BOTH_FRESH:
                    if (ku | qu) & USED_SEQUENCE:
                        continue
                elif ku & qu & USED_SEQUENCE:
                    continue
                if laying and king < HAND_CODE and queen < HAND_CODE:
                    continue
                tmp[0] = king
                tmp[1] = queen
                return 2
        return 0
    if action < BEZIQUE:
        suit = action - SEQUENCE
        from_hand = False
        for kind in range(5):
            n = add_copies(g, seat, SEQUENCE_RANKS[kind], 1 << suit, tmp, np.int64(16), np.int64(0))
            ok = False
            for k in range(n):
                code = tmp[16 + k]
                if nf > kind and code != tmp[FORCED + kind]:
                    continue
                if uses_of(g, seat, code) & (USED_SEQUENCE | USED_NOW):
                    continue
                tmp[kind] = code
                ok = True
                break
            if not ok:
                return 0
            if tmp[kind] >= HAND_CODE:
                from_hand = True
        if laying and not from_hand:
            # The first later combination with a copy from the hand: the last kind runs fastest.
            for kind in range(4, -1, -1):
                card = 8 * suit + SEQUENCE_RANKS[kind]
                if nf <= kind and g.hand[seat, card] > 0:
                    tmp[kind] = HAND_CODE + card
                    return 5
            return 0
        return 5
    if action == BEZIQUE:
        return choose_single(g, rules, seat, laying, nf, tmp)
    if action == BEZIQUE + 1:
        queen, jack = bezique_pair(rules, np.int64(g.trump))
        nq = add_copies(g, seat, np.int64(QUEEN), 1 << (queen >> 3), tmp, np.int64(0), np.int64(0))
        nj = add_copies(g, seat, np.int64(JACK), 1 << (jack >> 3), tmp, np.int64(0), nq)
        if nq != 2 or nj != 4:
            return 0
        singles = 0
        from_hand = False
        for k in range(4):
            marks = uses_of(g, seat, tmp[k])
            if marks & (USED_DOUBLE | USED_NOW):
                return 0
            if k < 2 and marks & USED_BEZIQUE:
                singles += 1
            if tmp[k] >= HAND_CODE:
                from_hand = True
        if laying and not from_hand:
            return 0
        if rules[ix.DOUBLE_BEZIQUE] == ix.ONE_GO and singles > 0:
            return 0
        if rules[ix.DOUBLE_BEZIQUE] == ix.EXTEND_ONE and singles > 1:
            return 0
        if nf > 0:
            for k in range(nf):
                if card_of(g, seat, tmp[FORCED + k]) != (queen if k < 2 else jack):
                    return 0
            if not contains(tmp, np.int64(4), nf):
                return 0
        return 4
    return choose_quartet(g, rules, seat, FOUR_RANKS[action - FOUR], laying, nf, tmp)


@kernel(inner=True)
def choose_single(g, rules, seat, laying, nf, tmp):
    """Choose the queen and the jack of a single bezique into tmp[0:2]; see :func:`choose`."""
    queen, jack = bezique_pair(rules, np.int64(g.trump))
    queens = 0
    if queen != NONE:
        queens = 1 << (queen >> 3)
    else:
        for suit in range(4):
            if may_become_trump(g, rules, suit, ix.TRUMP_MARRIAGE_SEQUENCE_BEZIQUE):
                queens |= 1 << suit
    if queens == 0:
        return 0
    nq = add_copies(g, seat, np.int64(QUEEN), queens, tmp, np.int64(16), np.int64(0))
    for a in range(nq):
        first = tmp[16 + a]
        if nf > 0 and first != tmp[FORCED + 0]:
            continue
        if uses_of(g, seat, first) & (USED_BEZIQUE | USED_DOUBLE | USED_NOW):
            continue
        partner = jack >> 3 if queen != NONE else (card_of(g, seat, first) >> 3) ^ 2
        nj = add_copies(g, seat, np.int64(JACK), 1 << partner, tmp, np.int64(32), np.int64(0))
        for b in range(nj):
            second = tmp[32 + b]
            if nf > 1 and second != tmp[FORCED + 1]:
                continue
            if uses_of(g, seat, second) & (USED_BEZIQUE | USED_DOUBLE | USED_NOW):
                continue
            if laying and first < HAND_CODE and second < HAND_CODE:
                continue
            tmp[0] = first
            tmp[1] = second
            return 2
    return 0


@kernel(inline_always=True)
def may_score(g, rules):
    """Whether the open window still has its scoring declaration (section 12, the declaring window)."""
    if g.exchanged and rules[ix.DIX_EXCHANGE] == ix.EXCHANGE_USES_DECLARATION:
        return False
    return g.declared == 0 or rules[ix.DECLARE] == ix.DECLARE_MANY_DISJOINT


@kernel(inner=True)
def may_exchange(g, rules, seat):
    """Whether the seat may exchange a trump seven for the turn-up now."""
    if g.turn_up == NONE or g.turn_up & 7 == 0 or g.exchanged:
        return False
    if g.declared and rules[ix.DIX_EXCHANGE] == ix.EXCHANGE_USES_DECLARATION:
        return False
    seven = 8 * np.int64(g.trump)
    return g.hand[seat, seven] + g.table_count[seat, seven] > 0


@kernel(inner=True)
def seven_code(g, rules, seat, scoring, laying):
    """Return the code of the trump seven that ``seven`` would show, 255 where it is not legal."""
    if g.trump == NO_TRUMP or rules[ix.DIX_SCORE] > ix.DIX_AS_MELD:
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
    """Return a bit per action 64..81 whose cards the seat holds at all (marks not yet looked at)."""
    bits = np.int64(0)
    for suit in range(4):
        base = 8 * suit
        if (
            g.hand[seat, base + QUEEN] + g.table_count[seat, base + QUEEN] > 0
            and g.hand[seat, base + KING] + g.table_count[seat, base + KING] > 0
        ):
            bits |= 1 << suit
            if (
                (suit == g.trump or g.trump == NO_TRUMP)
                and g.hand[seat, base + 7] + g.table_count[seat, base + 7] > 0
                and g.hand[seat, base + 6] + g.table_count[seat, base + 6] > 0
                and g.hand[seat, base + JACK] + g.table_count[seat, base + JACK] > 0
            ):
                bits |= 1 << (SEQUENCE - MARRIAGE + suit)
    queen, jack = bezique_pair(rules, np.int64(g.trump))
    if queen == NONE:
        bits |= 1 << (BEZIQUE - MARRIAGE)
    else:
        nq = g.hand[seat, queen] + g.table_count[seat, queen]
        nj = g.hand[seat, jack] + g.table_count[seat, jack]
        if nq > 0 and nj > 0:
            bits |= 1 << (BEZIQUE - MARRIAGE)
            if nq > 1 and nj > 1:
                bits |= 1 << (BEZIQUE + 1 - MARRIAGE)
    for k in range(5):
        rank = FOUR_RANKS[k]
        if rules[ix.VALUE_FOUR + k] > 0:
            held = 0
            for suit in range(4):
                held += g.hand[seat, 8 * suit + rank] + g.table_count[seat, 8 * suit + rank]
            if held >= 4:
                bits |= 1 << (FOUR - MARRIAGE + k)
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
        for k in range(FOUR_TRUMP - MARRIAGE):
            if (bits >> k) & 1 and choose(g, rules, seat, MARRIAGE + k, laying, np.int64(0), tmp) > 0:
                legal |= 1 << k
                if first_only == 1:
                    return legal
    return legal


@kernel(inner=True)
def selection_code(g, rules, seat, choice, tmp):
    """Return the code that ``use ...`` (ids 0..63) would choose in a selection, 255 where not legal.

    The codes chosen so far and the tried one stand at ``tmp[48:]``, where :func:`choose` expects them.
    """
    n = np.int64(g.sel_n)
    laying = not may_score(g, rules)
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
        return (
            HAND_CODE + choice
            if choose(g, rules, seat, np.int64(g.sel_action), laying, n + 1, tmp) > 0
            else NONE
        )
    card = choice - PLAY_TABLE
    if g.table_count[seat, card] == 0:
        return NONE
    found = add_copies(g, seat, card & 7, 1 << (card >> 3), tmp, np.int64(40), np.int64(0))
    for k in range(found):
        code = tmp[40 + k]
        if code >= HAND_CODE:
            break
        fresh = True
        for m in range(n):
            if tmp[FORCED + m] == code:
                fresh = False
        tmp[FORCED + n] = code
        if fresh and choose(g, rules, seat, np.int64(g.sel_action), laying, n + 1, tmp) > 0:
            return code
    return NONE


@kernel(inner=True)
def note_quartet(g, rules, seat, rank, bonus, tmp):
    """Note what the fixed order of choice tells everyone about the rest of the hand (after the cards lie).

    ``tmp[0:4]`` are the chosen codes as they were; hand copies are taken by card id, so no hidden copy
    of a lower card remains. Under the four-suits preference a quartet of fewer suits also tells that not
    all the missing suits were there.
    """
    if bonus:
        return
    highest = -1
    for k in range(4):
        if tmp[k] >= HAND_CODE:
            highest = max(highest, np.int64(tmp[k]) - HAND_CODE)
    for suit in range(4):
        card = 8 * suit + rank
        if card < highest:
            g.absent[seat, card] = g.places[seat]
    if rules[ix.QUARTET_SUITS_BONUS] == 1 and may_score(g, rules):
        missing = np.int64(0)
        for suit in range(4):
            card = 8 * suit + rank
            seen = g.known[seat, card] > 0
            for t in range(g.table_n[seat]):
                if g.table_card[seat, t] == card and g.table_uses[seat, t] & (USED_FOUR | USED_NOW) == 0:
                    seen = True
            if not seen:
                missing |= 1 << card
        add_clue(g, seat, missing)


@kernel(inline_always=True)
def add_clue(g, seat, cards):
    """Note that not all of these cards (bit mask) have a hidden copy in the seat's hand now."""
    n = g.clue_n[seat]
    if n < MAX_CLUES:
        g.clue_cards[seat, n] = cards
        g.clue_places[seat, n] = g.places[seat]
        g.clue_shown[seat, n] = g.shown_n[seat]
        g.clue_n[seat] = n + 1


@kernel(inner=True)
def note_first_bezique(g, rules, seat, tmp):
    """Note what the choice of a bezique that fixes trump tells: earlier queens had no matching jack.

    Called before the cards move; ``tmp[0:2]`` are the chosen codes.
    """
    first = tmp[0]
    for suit in range(4):
        if not may_become_trump(g, rules, suit, ix.TRUMP_MARRIAGE_SEQUENCE_BEZIQUE):
            continue
        queen = 8 * suit + QUEEN
        jack = 8 * (suit ^ 2) + JACK
        jack_seen = g.known[seat, jack] > 0
        for t in range(g.table_n[seat]):
            if (
                g.table_card[seat, t] == jack
                and g.table_uses[seat, t] & (USED_BEZIQUE | USED_DOUBLE | USED_NOW) == 0
            ):
                jack_seen = True
        earlier_on_table = False
        for t in range(g.table_n[seat]):
            if (
                g.table_card[seat, t] == queen
                and g.table_uses[seat, t] & (USED_BEZIQUE | USED_DOUBLE | USED_NOW) == 0
            ):
                if first >= HAND_CODE or comes_before(g, seat, t, first):
                    earlier_on_table = True
        earlier_in_hand = first >= HAND_CODE and HAND_CODE + queen < first
        if earlier_on_table:
            g.absent[seat, jack] = g.places[seat]
        elif earlier_in_hand:
            if jack_seen:
                g.absent[seat, queen] = g.places[seat]
            elif g.known[seat, queen] > 0:
                g.absent[seat, jack] = g.places[seat]
            else:
                add_clue(g, seat, (np.int64(1) << queen) | (np.int64(1) << jack))


@kernel(inner=True)
def note_earlier(g, seat, chosen, spent, partner):
    """Note that no hidden copy of the partner was there: an earlier copy of the chosen card would have taken it.

    ``spent`` are the marks that keep a table copy from pairing with a copy of the hand. It matters where
    the chosen pair is not simply the first of each kind (``fresh_partner``, laying without scoring).
    """
    card = card_of(g, seat, chosen)
    for t in range(g.table_n[seat]):
        if g.table_card[seat, t] == card and g.table_uses[seat, t] & spent == 0:
            if chosen >= HAND_CODE or comes_before(g, seat, t, chosen):
                g.absent[seat, partner] = g.places[seat]
                return


@kernel(inner=True)
def note_laid_sequence(g, seat, tmp):
    """Note what laying a sequence tells.

    A kind taken from the hand although a table copy would have served means that none of the kinds after it,
    which are tried first, was hidden in the hand.
    """
    told = False
    for kind in range(5):
        card = card_of(g, seat, tmp[kind])
        if told:
            g.absent[seat, card] = g.places[seat]
        elif tmp[kind] >= HAND_CODE:
            for t in range(g.table_n[seat]):
                if g.table_card[seat, t] == card and g.table_uses[seat, t] & (USED_SEQUENCE | USED_NOW) == 0:
                    told = True


@kernel(inline_always=True)
def comes_before(g, seat, place, other):
    """Whether the copy at a table place precedes another table copy in the order of choice."""
    a = USE_COUNT[g.table_uses[seat, place] & 63]
    b = USE_COUNT[g.table_uses[seat, other] & 63]
    return a > b or (a == b and place < other)


@kernel(inner=True)
def perform_meld(g, rules, seat, action, n, tmp):
    """Lay the chosen copies ``tmp[0:n]`` down and, where the window still may score, score them."""
    scoring = may_score(g, rules)
    automatic = rules[ix.SELECTION] == ix.SELECTION_AUTO
    value = meld_value(g, rules, action)
    bonus = False
    if action >= FOUR and scoring and rules[ix.QUARTET_SUITS_BONUS] == 1:
        bonus = four_suits(g, seat, tmp)
    suit = card_of(g, seat, tmp[0]) >> 3
    singles = 0
    if action == BEZIQUE + 1:
        for k in range(2):
            if uses_of(g, seat, tmp[k]) & USED_BEZIQUE:
                singles += 1
    if (
        automatic
        and action == BEZIQUE
        and g.trump == NO_TRUMP
        and rules[ix.BEZIQUE_PAIR] == ix.PAIR_TRUMP_QUEEN
    ):
        note_first_bezique(g, rules, seat, tmp)
    elif automatic and action == BEZIQUE:
        note_earlier(
            g,
            seat,
            np.int64(tmp[0]),
            np.int64(USED_BEZIQUE | USED_DOUBLE | USED_NOW),
            card_of(g, seat, tmp[1]),
        )
    elif automatic and action < SEQUENCE:
        spent = USED_MARRIAGE | USED_NOW
        if rules[ix.SEQ_THEN_MARRIAGE] == ix.BOTH_FRESH:
            spent |= USED_SEQUENCE
        note_earlier(g, seat, np.int64(tmp[0]), np.int64(spent), card_of(g, seat, tmp[1]))
    elif automatic and action < BEZIQUE and not scoring:
        note_laid_sequence(g, seat, tmp)
    if action < SEQUENCE:
        mark = USED_MARRIAGE
    elif action < BEZIQUE:
        mark = USED_SEQUENCE
    elif action == BEZIQUE:
        mark = USED_BEZIQUE
    elif action == BEZIQUE + 1:
        mark = USED_DOUBLE
    else:
        mark = USED_FOUR
    if rules[ix.DECLARE] == ix.DECLARE_MANY_DISJOINT:
        mark |= USED_NOW
    for k in range(n):
        tmp[8 + k] = tmp[k] if tmp[k] < HAND_CODE else lay(g, seat, np.int64(tmp[k]) - HAND_CODE)
    if automatic and action >= FOUR:
        note_quartet(g, rules, seat, FOUR_RANKS[action - FOUR], bonus, tmp)
    if not scoring:
        return
    for k in range(n):
        g.table_uses[seat, tmp[8 + k]] |= mark
    g.declared = 1
    if g.trump == NO_TRUMP:
        if action < SEQUENCE:
            kind = ix.TRUMP_MARRIAGE
        elif action < BEZIQUE:
            kind = ix.TRUMP_MARRIAGE_SEQUENCE
        elif action == BEZIQUE and rules[ix.BEZIQUE_PAIR] == ix.PAIR_TRUMP_QUEEN:
            kind = ix.TRUMP_MARRIAGE_SEQUENCE_BEZIQUE
        else:
            kind = NONE
        if kind != NONE and may_become_trump(g, rules, suit, kind):
            g.trump = suit
    if singles > 0 and rules[ix.DOUBLE_CREDIT] == ix.REPLACE_SINGLE:
        credit(g, rules, seat, np.int64(EV_WITHDRAWN), -singles * rules[ix.VALUE_BEZIQUE])
    credit(g, rules, seat, action, value * 2 if bonus else value)


@kernel(inner=True)
def show_seven(g, rules, seat):
    """Perform ``seven``: show (or, under ``as_meld``, declare) a trump seven."""
    scoring = may_score(g, rules)
    code = seven_code(g, rules, seat, scoring, not scoring)
    place = np.int64(code) if code < HAND_CODE else lay(g, seat, np.int64(code) - HAND_CODE)
    if rules[ix.DIX_SCORE] == ix.DIX_AS_MELD:
        if not scoring:
            return
        g.declared = 1
        if rules[ix.DECLARE] == ix.DECLARE_MANY_DISJOINT:
            g.table_uses[seat, place] |= USED_NOW
    g.table_uses[seat, place] |= USED_SEVEN
    credit(g, rules, seat, np.int64(SEVEN_SCORE), rules[ix.VALUE_SEVEN])


@kernel(inner=True)
def exchange(g, rules, seat, tmp):
    """Perform ``exchange``: the trump seven (hand first, unscored first) becomes the turn-up."""
    seven = 8 * np.int64(g.trump)
    scored = False
    if g.hand[seat, seven] > 0:
        if g.hand[seat, seven] <= g.sevens_scored[seat]:
            scored = True
            g.sevens_scored[seat] -= 1
        leave_hand(g, seat, seven)
    else:
        g.absent[seat, seven] = g.places[seat]
        add_copies(g, seat, np.int64(0), 1 << np.int64(g.trump), tmp, np.int64(16), np.int64(0))
        place = np.int64(tmp[16])
        scored = g.table_uses[seat, place] & USED_SEVEN != 0
        take_from_table(g, seat, place)
    taken = g.turn_up
    g.hand[seat, taken] += 1
    g.known[seat, taken] += 1
    g.turn_up = seven
    g.exchanged = 1
    dix = rules[ix.DIX_SCORE]
    pays = (dix == ix.DIX_ON_SHOW or dix == ix.DIX_AS_MELD) and rules[
        ix.DIX_EXCHANGE
    ] != ix.EXCHANGE_INSTEAD_OF_SCORE
    g.turn_up_scored = 1 if scored or pays else 0
    if pays and not scored:
        credit(g, rules, seat, np.int64(EXCHANGE), rules[ix.VALUE_SEVEN])


# ------------------------------------------------------------------------------------------------ tricks


@kernel(inline_always=True)
def beats(trump, first, second):
    """Whether the second card takes a trick led with the first (an equal card does not)."""
    if second >> 3 == first >> 3:
        return (second & 7) > (first & 7)
    return second >> 3 == trump


@kernel(inner=True)
def endgame_plays(g, rules, seat, mask):
    """Write the legal cards of the follower in the endgame (A12)."""
    led = np.int64(g.trick_card[1 - seat])
    suit = led >> 3
    trump = np.int64(g.trump)
    duty = rules[ix.ENDGAME]
    must = NO_TRUMP
    held = 0
    for c in range(8 * suit, 8 * suit + 8):
        held += g.hand[seat, c]
    if held > 0:
        must = suit
    elif duty != ix.FOLLOW_ONLY and trump != NO_TRUMP:
        for c in range(8 * trump, 8 * trump + 8):
            held += g.hand[seat, c]
        if held > 0:
            must = trump
    if must == NO_TRUMP:
        for c in range(32):
            mask[c] = 1 if g.hand[seat, c] > 0 else 0
        return
    low = 8 * must
    if must == suit and duty == ix.FOLLOW_TRUMP_HEAD:
        for c in range(led + 1, low + 8):
            if g.hand[seat, c] > 0:
                low = led + 1
                break
    for c in range(low, 8 * must + 8):
        mask[c] = 1 if g.hand[seat, c] > 0 else 0


@kernel
def write_mask(games, i, rules, mask, tmp):
    """Write the legal actions of the seat to act in row i into 96 bytes; all zero when the game is over."""
    g = games[i]
    for a in range(NUM_ACTIONS):
        mask[a] = 0
    phase = g.phase
    if phase >= OVER:
        return
    seat = np.int64(g.to_act)
    if phase == LEAD or phase == FOLLOW:
        for c in range(32):
            mask[c] = 1 if g.hand[seat, c] > 0 else 0
        for c in range(32):
            mask[PLAY_TABLE + c] = 1 if g.table_count[seat, c] > 0 else 0
    elif phase == DECLARE:
        legal = window_actions(g, rules, seat, np.int64(0), tmp)
        for k in range(PASS - MARRIAGE):
            mask[MARRIAGE + k] = (legal >> k) & 1
        mask[PASS] = 1
    elif phase == ENDGAME_LEAD:
        for c in range(32):
            mask[c] = 1 if g.hand[seat, c] > 0 else 0
    elif phase == ENDGAME_FOLLOW:
        endgame_plays(g, rules, seat, mask)
    else:
        for a in range(2 * PLAY_TABLE):
            if g.hand[seat, a & 31] + g.table_count[seat, a & 31] > 0:
                mask[a] = 1 if selection_code(g, rules, seat, a, tmp) != NONE else 0


@kernel(inner=True)
def play_card(g, rules, seat, action, tmp):
    """Play a card; the second card of a trick resolves it."""
    card = action & 31
    seven = g.trump != NO_TRUMP and card == 8 * np.int64(g.trump)
    scored = True
    if action < PLAY_TABLE:
        if seven:
            scored = g.hand[seat, card] <= g.sevens_scored[seat]
            if scored:
                g.sevens_scored[seat] -= 1
        leave_hand(g, seat, card)
    else:
        add_copies(g, seat, card & 7, 1 << (card >> 3), tmp, np.int64(16), np.int64(0))
        place = np.int64(tmp[16])
        if seven:
            scored = g.table_uses[seat, place] & USED_SEVEN != 0
        take_from_table(g, seat, place)
    g.trick_card[seat] = card
    endgame = g.phase >= ENDGAME_LEAD
    if seven and not scored:
        dix = rules[ix.DIX_SCORE]
        if (dix == ix.DIX_ON_SHOW and (not endgame or rules[ix.DIX_ENDGAME] == 0)) or (
            dix == ix.DIX_ON_PLAY and not endgame
        ):
            credit(g, rules, seat, np.int64(EV_TRUMP_SEVEN), rules[ix.VALUE_SEVEN])
    if g.phase == OVER:
        return
    if g.phase == LEAD or g.phase == ENDGAME_LEAD:
        g.phase += 1
        g.to_act = 1 - seat
        return
    led = np.int64(g.trick_card[1 - seat])
    winner = seat if beats(np.int64(g.trump), led, card) else 1 - seat
    caught = (1 if led & 7 >= 6 else 0) + (1 if card & 7 >= 6 else 0)
    g.won[winner, led] += 1
    g.won[winner, card] += 1
    g.brisques[winner] += caught
    g.trick_card[0] = NONE
    g.trick_card[1] = NONE
    g.leader = winner
    if rules[ix.BRISQUES] == ix.BRISQUES_AT_TRICK:
        credit(g, rules, winner, np.int64(EV_BRISQUES), caught * rules[ix.VALUE_BRISQUE])
    if not endgame:
        if rules[ix.LAST_TRICK] == ix.LAST_TRICK_STOCK and g.stock_left == SEATS:
            credit(g, rules, winner, np.int64(EV_LAST_TRICK), rules[ix.VALUE_LAST_TRICK])
        if g.phase != OVER:
            open_window(g, rules, winner, tmp)
        return
    g.phase = ENDGAME_LEAD if g.phase != OVER else OVER
    if g.phase == OVER:
        return
    g.to_act = winner
    for c in range(32):
        if g.hand[winner, c] > 0:
            return
    if rules[ix.LAST_TRICK] == ix.LAST_TRICK_FINAL:
        credit(g, rules, winner, np.int64(EV_LAST_TRICK), rules[ix.VALUE_LAST_TRICK])
    if rules[ix.BRISQUES] == ix.BRISQUES_AT_HAND_END:
        for k in range(SEATS):
            counted = np.int64(1 - g.dealer) if k == 0 else np.int64(g.dealer)
            credit(
                g,
                rules,
                counted,
                np.int64(EV_BRISQUES),
                np.int64(g.brisques[counted]) * rules[ix.VALUE_BRISQUE],
            )
    if g.phase != OVER:
        end_deal(g, rules)


@kernel(inner=True)
def open_window(g, rules, seat, tmp):
    """Open the declaring window of the trick's winner; skipped when only ``pass`` would be legal."""
    g.declared = 0
    g.exchanged = 0
    g.phase = DECLARE
    g.to_act = seat
    if window_actions(g, rules, seat, np.int64(1), tmp) == 0:
        close_window(g, rules, seat)


@kernel(inner=True)
def close_window(g, rules, seat):
    """Close the window: both draw, the winner first; with the stock gone the table goes back to the hands."""
    g.declared = 0
    g.exchanged = 0
    if rules[ix.DECLARE] == ix.DECLARE_MANY_DISJOINT:
        for t in range(g.table_n[seat]):
            g.table_uses[seat, t] &= 63
    draw(g, rules, seat)
    draw(g, rules, 1 - seat)
    g.to_act = seat
    g.phase = LEAD
    if g.stock_left > 0:
        return
    g.phase = ENDGAME_LEAD
    for s in range(SEATS):
        for t in range(g.table_n[s]):
            card = g.table_card[s, t]
            g.hand[s, card] += 1
            g.known[s, card] += 1
            g.table_count[s, card] -= 1
            if g.table_uses[s, t] & USED_SEVEN:
                g.sevens_scored[s] += 1
            g.table_card[s, t] = NONE
            g.table_uses[s, t] = 0
        g.table_n[s] = 0


@kernel(inner=True)
def draw(g, rules, seat):
    """Draw a card of the stock; the turn-up is the last of all (C14), in queues too."""
    if g.stock_left == 1 and g.turn_up != NONE:
        card = g.turn_up
        g.hand[seat, card] += 1
        g.known[seat, card] += 1
        if card & 7 == 0 and g.turn_up_scored:
            g.sevens_scored[seat] += 1
        g.turn_up = NONE
        g.turn_up_scored = 0
        g.stock_left = 0
        return
    place = np.int64(g.stock_next)
    if g.draws == DRAWS_QUEUES and not (g.stock_left == SEATS and g.turn_up != NONE):
        first = 2 * rules[ix.HAND_SIZE] + (1 if g.turn_up != NONE else 0)
        place = first + SEATS * np.int64(g.taken[seat]) + (0 if seat != g.dealer else 1)
        g.taken[seat] += 1
    else:
        if g.draws == DRAWS_QUEUES:
            place = 32 * rules[ix.PACKS] - 1
    g.stock_next += 1
    g.stock_left -= 1
    receive(g, seat, place)


@kernel(inner=True)
def end_deal(g, rules):
    """Decide the deal: the end of the episode, the end of the match, or another deal (section 12)."""
    first = g.match_scores[0] + g.scores[0]
    second = g.match_scores[1] + g.scores[1]
    target = rules[ix.TARGET]
    winner = NONE
    if (
        g.episode != EPISODE_DEAL
        and first >= target
        and second >= target
        and rules[ix.BOTH_OVER] == ix.COUNT_ORDER
    ):
        winner = np.int64(g.first_over)
    elif first != second:
        winner = 0 if first > second else 1
    if g.episode == EPISODE_DEAL or (winner != NONE and (first >= target or second >= target)):
        finish(g, rules, winner)
        return
    for s in range(SEATS):
        g.match_scores[s] += g.scores[s]
        g.scores[s] = 0
    g.last_trump = g.trump
    g.dealer = 1 - g.dealer
    g.deal_no += 1
    if g.manual:
        g.phase = BETWEEN_DEALS
        g.to_act = NONE
        return
    shuffle_deck(g, rules[ix.PACKS])
    deal_out(g, rules)


@kernel(inner=True)
def next_deal(g, rules):
    """Deal the deck that was set from outside, after BETWEEN_DEALS."""
    deal_out(g, rules)


@kernel
def apply(games, i, rules, action, tmp):
    """Apply a legal action to row i and move on to the next decision that is asked."""
    g = games[i]
    seat = np.int64(g.to_act)
    g.ev_n = 0
    g.steps += 1
    phase = g.phase
    if phase == DECLARE or phase == SELECT:
        if phase == SELECT:
            code = selection_code(g, rules, seat, action, tmp)
            g.sel_code[g.sel_n] = code
            g.sel_n += 1
            laying = not may_score(g, rules)
            chosen = np.int64(g.sel_n)
            for k in range(chosen):
                tmp[FORCED + k] = g.sel_code[k]
            n = choose(g, rules, seat, np.int64(g.sel_action), laying, chosen, tmp)
            if n > chosen:
                return
            for k in range(n):
                tmp[k] = g.sel_code[k]
            declared = np.int64(g.sel_action)
            clear_selection(g)
            g.phase = DECLARE
            perform_meld(g, rules, seat, declared, n, tmp)
        elif action == PASS:
            close_window(g, rules, seat)
            return
        elif action == EXCHANGE:
            exchange(g, rules, seat, tmp)
        elif action == SEVEN_SCORE:
            show_seven(g, rules, seat)
        elif rules[ix.SELECTION] == ix.SELECTION_EXPLICIT:
            g.sel_action = action
            g.phase = SELECT
            return
        else:
            laying = not may_score(g, rules)
            n = choose(g, rules, seat, action, laying, np.int64(0), tmp)
            perform_meld(g, rules, seat, action, n, tmp)
        if g.phase != OVER and window_actions(g, rules, seat, np.int64(1), tmp) == 0:
            close_window(g, rules, seat)
        return
    play_card(g, rules, seat, action, tmp)


# ------------------------------------------------------------------------------------------------- views


@kernel(inner=True)
def project_board(g, rules, seat, v):
    """Write the part of a view that shows the game as it stands: all that an observation is made of."""
    for s in range(SEATS):
        v.scores[s] = g.scores[s]
        v.match_scores[s] = g.match_scores[s] + g.scores[s]
        v.brisques[s] = g.brisques[s]
        v.table_n[s] = g.table_n[s]
        v.sevens_scored[s] = g.sevens_scored[s]
        v.trick_card[s] = g.trick_card[s]
        total = 0
        for c in range(32):
            total += g.hand[s, c]
        v.concealed_n[s] = total
        for t in range(SLOTS):
            v.table_card[s, t] = g.table_card[s, t]
            v.table_uses[s, t] = g.table_uses[s, t]
        for c in range(32):
            v.known[s, c] = g.known[s, c]
            v.table_count[s, c] = g.table_count[s, c]
            v.won[s, c] = g.won[s, c]
    packs = rules[ix.PACKS]
    other = 1 - seat
    for c in range(32):
        v.hand[c] = g.hand[seat, c]
        v.unseen[c] = packs - (
            g.hand[seat, c]
            + g.known[other, c]
            + g.table_count[0, c]
            + g.table_count[1, c]
            + g.won[0, c]
            + g.won[1, c]
        )
    for s in range(SEATS):
        if g.trick_card[s] != NONE:
            v.unseen[g.trick_card[s]] -= 1
    if g.turn_up != NONE:
        v.unseen[g.turn_up] -= 1
    acting = g.to_act == seat
    for k in range(8):
        v.sel_code[k] = g.sel_code[k] if acting else NONE
    v.sel_n = g.sel_n if acting else 0
    v.sel_action = g.sel_action if acting else NONE
    v.phase = DECLARE if g.phase == SELECT and not acting else g.phase
    v.seat = seat
    v.episode = g.episode
    v.draws = g.draws
    v.dealer = g.dealer
    v.leader = g.leader
    v.to_act = g.to_act
    v.trump = g.trump
    v.last_trump = g.last_trump
    v.turn_up = g.turn_up
    v.turn_up_scored = g.turn_up_scored
    v.stock_next = g.stock_next
    v.stock_left = g.stock_left
    v.declared = g.declared
    v.exchanged = g.exchanged
    v.first_over = g.first_over
    v.winner = g.winner
    v.double = g.double
    v.deal_no = g.deal_no
    queen, jack = bezique_pair(rules, np.int64(g.trump))
    v.bezique_q = queen
    v.bezique_j = jack


@kernel(inner=True)
def project(g, rules, seat, v):
    """Write what a seat may know into a VIEW record. The only way from a state to anything seen."""
    project_board(g, rules, seat, v)
    project_history(g, seat, v)


@kernel(inner=True)
def project_history(g, seat, v):
    """Write the part of a view that only resampling needs: places of the deck, and how cards came to be shown."""
    for s in range(SEATS):
        v.places[s] = g.places[s]
        v.shown_n[s] = g.shown_n[s]
        v.taken[s] = g.taken[s]
        v.clue_n[s] = g.clue_n[s]
        for c in range(32):
            v.absent[s, c] = g.absent[s, c]
            v.shown_card[s, c] = g.shown_card[s, c]
            v.shown_from[s, c] = g.shown_from[s, c]
            v.shown_to[s, c] = g.shown_to[s, c]
        for k in range(MAX_CLUES):
            v.clue_cards[s, k] = g.clue_cards[s, k]
            v.clue_places[s, k] = g.clue_places[s, k]
            v.clue_shown[s, k] = g.clue_shown[s, k]
    for k in range(DECK):
        owner = g.owner[k]
        v.owner[k] = owner
        v.deck[k] = g.deck[k] if owner == seat or owner == OWNER_PUBLIC else NONE


@kernel(inner=True)
def restore_public(v, g):
    """Write everything public of a view into a state record (the hidden parts are filled in later)."""
    for s in range(SEATS):
        g.scores[s] = v.scores[s]
        g.match_scores[s] = v.match_scores[s] - v.scores[s]
        g.brisques[s] = v.brisques[s]
        g.table_n[s] = v.table_n[s]
        g.places[s] = v.places[s]
        g.shown_n[s] = v.shown_n[s]
        g.sevens_scored[s] = v.sevens_scored[s]
        g.taken[s] = v.taken[s]
        g.trick_card[s] = v.trick_card[s]
        g.clue_n[s] = v.clue_n[s]
        for t in range(SLOTS):
            g.table_card[s, t] = v.table_card[s, t]
            g.table_uses[s, t] = v.table_uses[s, t]
        for c in range(32):
            g.hand[s, c] = v.hand[c] if s == v.seat else v.known[s, c]
            g.known[s, c] = v.known[s, c]
            g.table_count[s, c] = v.table_count[s, c]
            g.won[s, c] = v.won[s, c]
            g.absent[s, c] = v.absent[s, c]
            g.shown_card[s, c] = v.shown_card[s, c]
            g.shown_from[s, c] = v.shown_from[s, c]
            g.shown_to[s, c] = v.shown_to[s, c]
        for k in range(MAX_CLUES):
            g.clue_cards[s, k] = v.clue_cards[s, k]
            g.clue_places[s, k] = v.clue_places[s, k]
            g.clue_shown[s, k] = v.clue_shown[s, k]
    for k in range(DECK):
        g.owner[k] = v.owner[k]
        g.deck[k] = v.deck[k]
    for k in range(8):
        g.sel_code[k] = v.sel_code[k]
    for k in range(MAX_EVENTS):
        g.ev_seat[k] = 0
        g.ev_what[k] = 0
        g.ev_points[k] = 0
    g.ev_n = 0
    g.steps = 0
    g.sel_n = v.sel_n
    g.sel_action = v.sel_action
    g.episode = v.episode
    g.draws = v.draws
    g.manual = 0
    g.dealer = v.dealer
    g.leader = v.leader
    g.to_act = v.to_act
    g.phase = v.phase
    g.trump = v.trump
    g.last_trump = v.last_trump
    g.turn_up = v.turn_up
    g.turn_up_scored = v.turn_up_scored
    g.stock_next = v.stock_next
    g.stock_left = v.stock_left
    g.declared = v.declared
    g.exchanged = v.exchanged
    g.first_over = v.first_over
    g.winner = v.winner
    g.double = v.double
    g.deal_no = v.deal_no


@kernel(inner=True)
def clues_hold(g, seat, placed, n_shown):
    """Whether a proposed placing of a seat's cards satisfies its clues.

    ``placed[k]`` is the place number of the k-th shown card, ``placed[32 + p]`` the hidden card at place
    number p (255 where the place held a shown card).
    """
    for q in range(g.clue_n[seat]):
        places = np.int64(g.clue_places[seat, q])
        found = np.int64(0)
        for k in range(np.int64(g.clue_shown[seat, q]), n_shown):
            if placed[k] < places:
                found |= 1 << np.int64(g.shown_card[seat, k])
        for p in range(places):
            if placed[32 + p] != NONE:
                found |= 1 << np.int64(placed[32 + p])
        cards = np.int64(g.clue_cards[seat, q])
        if found & cards == cards:
            return False
    return True


@kernel(inner=True)
def canonical(v, seat, placed, n_shown):
    """Whether each shown card came from the lowest place that explains it.

    Where a seat held both copies of a card, two places explain the copy that it showed first. Counting one
    of them makes the proposal uniform over decks; ``placed`` is as in :func:`clues_hold`.
    """
    for k in range(n_shown):
        card = v.shown_card[seat, k]
        for later in range(k + 1, n_shown):
            if v.shown_card[seat, later] == card and placed[later] < placed[k]:
                return False
        for p in range(placed[k]):
            if placed[32 + p] == card:
                return False
    return True


@kernel(inner=True)
def resample_state(v, g, rules, key, pool, placed, tmp):
    """Write into ``g`` a state drawn uniformly from the deals that agree with the view.

    Uniform over the decks of distinct physical cards under which the same things would have been seen.
    Works by proposal and rejection: the proposal is uniform over the decks that explain what was shown;
    what the fixed order of choice told (``absent``, clues) rejects the rest. ``pool`` (64), ``placed``
    (64) and ``tmp`` (64) are scratch; the truth is never an input.
    """
    restore_public(v, g)
    other = 1 - np.int64(v.seat)
    n_pool = 0
    for c in range(32):
        for _ in range(v.unseen[c]):
            pool[n_pool] = c
            n_pool += 1
    n_shown = np.int64(v.shown_n[other])
    n_places = np.int64(v.places[other])
    hidden = n_places - n_shown
    while True:
        for k in range(n_pool - 1, 0, -1):
            key, j = bounded(key, k + 1)
            card = pool[k]
            pool[k] = pool[j]
            pool[j] = card
        ok = True
        for p in range(n_places):
            placed[32 + p] = 0
        for k in range(n_shown):
            reach = np.int64(v.shown_to[other, k])
            key, r = bounded(key, reach - k)
            p = 0
            while True:
                if placed[32 + p] == 0:
                    if r == 0:
                        break
                    r -= 1
                p += 1
            placed[32 + p] = NONE
            placed[k] = p
            if p < v.shown_from[other, k]:
                ok = False
        if not ok:
            continue
        n = 0
        for p in range(n_places):
            if placed[32 + p] == 0:
                card = pool[n]
                if p < v.absent[other, card]:
                    ok = False
                    break
                placed[32 + p] = card
                n += 1
        if not ok or not canonical(v, other, placed, n_shown) or not clues_hold(g, other, placed, n_shown):
            continue
        for c in range(32):
            g.hand[other, c] = v.known[other, c]
        for k in range(hidden):
            g.hand[other, pool[k]] += 1
        if (
            g.phase == DECLARE
            and g.to_act == other
            and window_actions(g, rules, other, np.int64(1), tmp) == 0
        ):
            continue  # the window is open, so something can be declared
        break
    # Write the deck: the other seat's places in order, then the stock.
    p = 0
    rest = hidden
    for place in range(DECK):
        if g.owner[place] == other:
            if placed[32 + p] != NONE:
                g.deck[place] = placed[32 + p]
            else:
                for k in range(n_shown):
                    if placed[k] == p:
                        g.deck[place] = v.shown_card[other, k]
            p += 1
        elif g.owner[place] == NONE:
            g.deck[place] = pool[rest]
            rest += 1
    key, g.seed = next_u64(key)


# ------------------------------------------------------------------------------- entry points, by index


@kernel
def start_row(games, i, rules, seed, dealer, episode, draws, manual):
    """Begin the game of a row."""
    start_game(games[i], rules, seed, dealer, episode, draws, manual)


@kernel
def next_deal_row(games, i, rules):
    """Deal the deck set from outside in a row."""
    games[i].ev_n = 0
    next_deal(games[i], rules)


@kernel
def project_row(games, i, rules, seat, views, j):
    """Project row i for a seat into view j."""
    project(games[i], rules, seat, views[j])


@kernel
def resample_row(views, i, games, j, rules, key, pool, placed, tmp):
    """Resample view i into row j."""
    resample_state(views[i], games[j], rules, key, pool, placed, tmp)


@kernel
def open_window_row(games, i, rules, tmp):
    """Whether the open window of a row offers anything but ``pass`` (used for set-up positions)."""
    g = games[i]
    return window_actions(g, rules, np.int64(g.to_act), np.int64(1), tmp) != 0


# Why an action is refused; game.py turns the code into a sentence.
(
    WHY_OVER,
    WHY_WINDOW_OPEN,
    WHY_NO_WINDOW,
    WHY_NOT_IN_HAND,
    WHY_NOT_ON_TABLE,
    WHY_FOLLOW,
    WHY_HEAD,
    WHY_TRUMP,
    WHY_NO_SUCH_MELD,
    WHY_DECLARED,
    WHY_MISSING,
    WHY_SERVED,
    WHY_NO_SEVEN,
    WHY_NO_TURN_UP,
    WHY_TURN_UP_SEVEN,
    WHY_EXCHANGED,
    WHY_SEVEN_RULE,
    WHY_SELECTING,
    WHY_CANNOT_COMPLETE,
) = range(1, 20)


@kernel
def reason_row(games, i, rules, action, mask):
    """Return the code of why an action that is not in the row's legal ``mask`` is illegal."""
    g = games[i]
    phase = g.phase
    if phase >= OVER:
        return WHY_OVER
    seat = np.int64(g.to_act)
    card = action & 31
    if phase == SELECT:
        if action >= MARRIAGE:
            return WHY_SELECTING
        if action < PLAY_TABLE and g.hand[seat, card] == 0:
            return WHY_NOT_IN_HAND
        if PLAY_TABLE <= action and g.table_count[seat, card] == 0:
            return WHY_NOT_ON_TABLE
        return WHY_CANNOT_COMPLETE
    if action < MARRIAGE:
        if phase == DECLARE:
            return WHY_WINDOW_OPEN
        if action >= PLAY_TABLE:
            return WHY_NOT_ON_TABLE
        if g.hand[seat, card] == 0:
            return WHY_NOT_IN_HAND
        led = np.int64(g.trick_card[1 - seat])
        for c in range(32):
            if mask[c]:
                if c >> 3 != led >> 3:
                    return WHY_TRUMP
                return WHY_HEAD if card >> 3 == led >> 3 else WHY_FOLLOW
    if phase != DECLARE:
        return WHY_NO_WINDOW
    used = g.declared or g.exchanged
    if action == EXCHANGE:
        if g.exchanged:
            return WHY_EXCHANGED
        if g.turn_up == NONE:
            return WHY_NO_TURN_UP
        if g.turn_up & 7 == 0:
            return WHY_TURN_UP_SEVEN
        seven = 8 * np.int64(g.trump)
        return WHY_DECLARED if g.hand[seat, seven] + g.table_count[seat, seven] > 0 else WHY_NO_SEVEN
    if action == SEVEN_SCORE:
        if rules[ix.DIX_SCORE] > ix.DIX_AS_MELD:
            return WHY_SEVEN_RULE
        if rules[ix.DIX_SCORE] == ix.DIX_AS_MELD and used and not may_score(g, rules):
            return WHY_DECLARED
        return WHY_NO_SEVEN
    if action >= MARRIAGE and meld_value(g, rules, action) > 0:
        if (meld_candidates(g, rules, seat) >> (action - MARRIAGE)) & 1 == 0:
            return WHY_MISSING
        return WHY_DECLARED if not may_score(g, rules) else WHY_SERVED
    return WHY_NO_SUCH_MELD


# Reward modes.
SCORE_DIFFERENCE, DENSE, SETTLEMENT, WIN = 0, 1, 2, 3


@kernel(inline_always=True)
def final_return(g, mode):
    """Return the zero-sum result of seat 0 of a finished game: points, or games won (doubled by rule)."""
    if mode <= DENSE:
        return np.int64(g.match_scores[0] + g.scores[0]) - np.int64(g.match_scores[1] + g.scores[1])
    if g.winner == NONE:
        return np.int64(0)
    size = 2 if g.double else 1
    return np.int64(size) if g.winner == 0 else np.int64(-size)


@kernel
def return_row(games, i, mode):
    """Return the result of seat 0 of a row."""
    return final_return(games[i], mode)


@kernel
def close_window_row(games, i, rules):
    """Close the open window of a row (a set-up position in which nothing can be declared)."""
    g = games[i]
    close_window(g, rules, np.int64(g.to_act))
