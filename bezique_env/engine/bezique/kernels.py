"""The play of the Bezique family as compiled kernels over one record per game.

Each branch is named after its rule in ``shared rules, bezique.md``. Habits: no allocation, no Python
objects, no exceptions, no recursion, integer scores, no random numbers except from a key passed in.
``g`` is one state record, ``rules`` the rules vector, ``tmp`` scratch of ``SCRATCH`` bytes. Declarations
are judged in :mod:`bezique_env.engine.bezique.melds`, what a seat may know in :mod:`bezique_env.engine.bezique.views`.
"""

from __future__ import annotations

import numpy as np

from bezique_env.engine.bezique import actions as act
from bezique_env.engine.bezique.actions import (
    BEZIQUE,
    EXCHANGE,
    FOUR,
    FOUR_TRUMP,
    MARRIAGE,
    NUM_ACTIONS,
    PASS,
    PLAY_TABLE,
    SEQUENCE,
    SEVEN_SCORE,
)
from bezique_env.engine.bezique.melds import (
    FORCED,
    HAND_CODE,
    LAID,
    LIST,
    MELD_KIND,
    MELD_MARKS,
    add_copies,
    card_of,
    choose,
    four_suits,
    lay,
    leave_hand,
    may_become_trump,
    may_score,
    meld_candidates,
    meld_value,
    note_choice,
    note_quartet,
    put_on_table,
    selection_code,
    seven_code,
    take_from_table,
    uses_of,
    window_actions,
    won_sevens,
)
from bezique_env.engine.bezique.state import (
    CARD_BITS,
    CARTE_BLANCHE,
    DECLARE,
    ENDGAME_FOLLOW,
    ENDGAME_LEAD,
    FOLLOW,
    IN_MARRIAGE,
    LEAD,
    MAX_EVENTS,
    MAX_SELECTED,
    MELD_KINDS,
    OWNER_NONE,
    OWNER_PUBLIC,
    OWNER_SHIFT,
    SEATS,
    SELECT,
    USED_BEZIQUE,
    USED_BEZIQUE_NOW,
    USED_LINE_NOW,
    USED_NOW,
    USED_SEVEN,
    USED_TRICK,
    USED_WINDOW,
)
from bezique_env.engine.bezique.told import tell_absent, tell_shown
from bezique_env.engine.cache import kernel
from bezique_env.engine.common import (
    BETWEEN_DEALS,
    DENSE,
    DRAWS_QUEUES,
    EPISODE_DEAL,
    NO_TRUMP,
    NONE,
    OVER,
    SETTLEMENT,
)
from bezique_env.engine.rng import STREAM_CUT, STREAM_DEAL, STREAM_DEALER, bounded, shuffle, stream_key
from bezique_env.rules.bezique import index as ix
from bezique_env.rules.bezique import settlement

SHOW_CARTE = act.CARTE_BLANCHE
EV_TRUMP_SEVEN, EV_BRISQUES, EV_LAST_TRICK = act.EVENT_TRUMP_SEVEN, act.EVENT_BRISQUES, act.EVENT_LAST_TRICK
EV_TURNED_SEVEN, EV_WITHDRAWN = act.EVENT_TURNED_SEVEN, act.EVENT_WITHDRAWN
EV_CUT, EV_CUT_GUESS = act.EVENT_CUT, act.EVENT_CUT_GUESS
IN_STOCK = OWNER_NONE << OWNER_SHIFT
decide = kernel(inner=True)(settlement.decide)
settle_points = kernel(inner=True)(settlement.settle_points)


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
def shuffle_deck(g, rules):
    """Fill the deck in an order that depends on (seed, number of the deal) alone."""
    key = stream_key(g.seed, STREAM_DEAL, g.deal_no)
    kinds = rules[ix.KINDS]
    n = 0
    for _ in range(rules[ix.PACKS]):
        for c in range(32):
            if (kinds >> c) & 1:
                g.deck[n] = c
                n += 1
    for k in range(n, g.deck.shape[0]):
        g.deck[k] = 0
    shuffle(g.deck, np.int64(n), key)


@kernel(inline_always=True)
def deck_size(rules):
    """Return the number of cards of all packs; places of ``deck`` from there on are not used."""
    return rules[ix.PACKS] * rules[ix.KIND_COUNT]


@kernel(inline_always=True)
def packet(rules, k):
    """Return who receives the k-th card dealt: 0 the non-dealer, 1 the dealer (option ``deal_packets``)."""
    if rules[ix.DEAL_PACKETS] == ix.PACKETS_SINGLES:
        return k & 1
    if rules[ix.DEAL_PACKETS] == ix.PACKETS_323:
        if k < 6:
            return k // 3
        return (k - 6) // 2 if k < 10 else (k - 10) // 3
    rest = rules[ix.HAND_SIZE] % 3
    full = 2 * (rules[ix.HAND_SIZE] - rest)
    return (k // 3) & 1 if k < full else (k - full) // rest


@kernel(inner=True)
def deal_out(g, rules):
    """Deal the deck that lies in the record: packets, turn-up, stock; clears the former deal."""
    slots = g.table_card.shape[1]
    for s in range(SEATS):
        for c in range(32):
            g.hand[s, c] = 0
            g.known[s, c] = 0
            g.table_count[s, c] = 0
            g.won[s, c] = 0
        for t in range(slots):
            g.table_card[s, t] = NONE
            g.table_uses[s, t] = 0
            g.table_served[s, t] = 0
        for k in range(g.told.shape[1]):
            g.told[s, k] = 0
        g.told_n[s] = 0
        g.told_places[s] = 0
        g.shown_n[s] = 0
        g.table_n[s] = 0
        g.places[s] = 0
        g.sevens_scored[s] = 0
        g.brisques[s] = 0
        g.taken[s] = 0
        g.carte[s] = 0
        g.trick_card[s] = NONE
        g.scores[s] = 0
        clear_melds(g, s)
    clear_selection(g)
    for k in range(g.deck.shape[0]):
        g.deck[k] = (g.deck[k] & CARD_BITS) | IN_STOCK
    g.trump = NO_TRUMP
    g.turn_up = NONE
    g.turn_up_scored = 0
    g.led_scored = 0
    g.seven_won = 0
    g.declared = 0
    g.exchanged = 0
    elder = 1 - g.dealer
    dealt = 2 * rules[ix.HAND_SIZE]
    for k in range(dealt):
        receive(g, elder if packet(rules, k) == 0 else 1 - elder, k)
    g.stock_next = dealt
    g.stock_left = deck_size(rules) - dealt
    g.leader = elder
    g.to_act = elder
    g.phase = LEAD
    if rules[ix.TRUMP] == ix.TRUMP_TURN_UP:
        card = g.deck[dealt] & CARD_BITS
        g.deck[dealt] = card | (OWNER_PUBLIC << OWNER_SHIFT)
        g.stock_next = dealt + 1
        g.turn_up = card
        g.trump = card >> 3
        if card & 7 == 0 and rules[ix.DEALER_SEVEN] > 0:
            g.turn_up_scored = 1
            credit(g, rules, np.int64(g.dealer), np.int64(EV_TURNED_SEVEN), rules[ix.DEALER_SEVEN])
    if rules[ix.CUT_BONUS] == ix.CUT_ON:
        cut_bonus(g, rules)
    if rules[ix.VALUE_CARTE_BLANCHE] > 0:
        ask_carte_blanche(g, rules, np.int64(NONE))


@kernel(inner=True)
def clear_melds(g, seat):
    """Forget which scored melds are intact."""
    for t in range(g.table_melds.shape[1]):
        for kind in range(MELD_KINDS):
            g.table_melds[seat, t, kind] = 0


@kernel(inner=True)
def cut_bonus(g, rules):
    """Credit the cut (A25): the dealer for lifting exactly 24 cards, the other seat for guessing the number.

    Both numbers come from the seed unless they were set from outside.
    """
    if g.cut[0] == 0:
        key = stream_key(g.seed, STREAM_CUT, g.deal_no)
        key, lifted = bounded(key, ix.CUT_MOST - ix.CUT_LEAST + 1)
        key, guessed = bounded(key, ix.CUT_MOST - ix.CUT_LEAST + 1)
        g.cut[0] = ix.CUT_LEAST + lifted
        g.cut[1] = ix.CUT_LEAST + guessed
    if g.cut[0] == ix.CUT_AIM:
        credit(g, rules, np.int64(g.dealer), np.int64(EV_CUT), rules[ix.VALUE_CUT])
    if g.cut[0] == g.cut[1]:
        credit(g, rules, 1 - np.int64(g.dealer), np.int64(EV_CUT_GUESS), rules[ix.VALUE_CUT_GUESS])


@kernel(inner=True)
def start_game(g, rules, seed, dealer, episode, draws, manual):
    """Begin a game; ``dealer`` 255 is drawn from the seed. With ``manual`` deck (and cut) must be set first."""
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
        g.cut[0] = 0
        g.cut[1] = 0
        shuffle_deck(g, rules)
    deal_out(g, rules)


@kernel(inline_always=True)
def receive(g, seat, place):
    """Give the card at a place of the deck to a seat, unseen by the others."""
    card = g.deck[place] & CARD_BITS
    g.hand[seat, card] += 1
    g.deck[place] = card | (np.int64(seat) << OWNER_SHIFT)
    g.places[seat] += 1


@kernel(inner=True)
def clear_selection(g):
    """Forget a selection."""
    for k in range(MAX_SELECTED):
        g.sel_code[k] = NONE
    g.sel_n = 0
    g.sel_action = NONE


# ----------------------------------------------------------------------------------------- carte blanche


@kernel(inline_always=True)
def is_court(rules, card):
    """Whether a card is a court card for carte blanche (A10: SAARI counts aces, POR 15 does not)."""
    rank = card & 7
    if rank == 7:
        return rules[ix.CARTE_BLANCHE_COURTS] == ix.COURTS_AKQJ
    return rank >= 3 and rank <= 5


@kernel(inner=True)
def has_carte_blanche(g, rules, seat):
    """Whether the seat may show carte blanche now: a hand dealt without court, or another card drawn so."""
    if g.carte[seat] == 0:
        if g.stock_next != 2 * rules[ix.HAND_SIZE]:
            return False
        for c in range(32):
            if g.hand[seat, c] > 0 and is_court(rules, c):
                return False
        return True
    place = g.deck.shape[0] - 1
    while g.deck[place] >> OWNER_SHIFT != seat:
        place -= 1
    if is_court(rules, g.deck[place] & CARD_BITS):
        g.carte[seat] = 0
        return False
    return True


@kernel(inner=True)
def ask_carte_blanche(g, rules, answered):
    """Ask the next seat in the order of play that may show; the leader leads when none is left.

    ``answered`` is the seat that has just answered, 255 at the beginning.
    """
    for k in range(SEATS):
        seat = np.int64(g.leader) if k == 0 else 1 - np.int64(g.leader)
        if k == 0 and answered != NONE:
            continue
        if answered == seat:
            continue
        if has_carte_blanche(g, rules, seat):
            g.phase = CARTE_BLANCHE
            g.to_act = seat
            return
    g.to_act = g.leader
    g.phase = LEAD if g.stock_left > 0 else ENDGAME_LEAD


@kernel(inner=True)
def answer_carte_blanche(g, rules, seat, action):
    """Show carte blanche (all that is hidden of the hand becomes known) or decline it."""
    g.carte[seat] = 0
    if action == SHOW_CARTE:
        g.carte[seat] = 1
        for c in range(32):
            while g.known[seat, c] < g.hand[seat, c]:
                tell_shown(g, seat, c)
                g.known[seat, c] += 1
        credit(g, rules, seat, np.int64(SHOW_CARTE), rules[ix.VALUE_CARTE_BLANCHE])
    ask_carte_blanche(g, rules, seat)


# -------------------------------------------------------------------------------------- the window's acts


@kernel(inner=True)
def perform_meld(g, rules, seat, action, n, tmp):
    """Lay the chosen copies ``tmp[0:n]`` down and, where the window still may score, score them."""
    scoring = may_score(g, rules)
    value = meld_value(g, rules, action)
    bonus = False
    if action >= FOUR and action < FOUR_TRUMP and scoring and rules[ix.QUARTET_SUITS_BONUS] == 1:
        bonus = four_suits(g, seat, tmp)
    suit = card_of(g, seat, tmp[0]) >> 3
    singles = 0
    if action == BEZIQUE + 1:
        for k in range(2):
            if uses_of(g, seat, tmp[k]) & USED_BEZIQUE:
                singles += 1
    tells = rules[ix.SELECTION] == ix.SELECTION_AUTO and rules[ix.MELDS_FROM] == ix.MELDS_FROM_HAND
    if tells:
        note_choice(g, rules, seat, action, scoring, tmp)
    for k in range(n):
        tmp[LAID + k] = tmp[k] if tmp[k] < HAND_CODE else lay(g, seat, np.int64(tmp[k]) - HAND_CODE)
    if tells and action >= FOUR and action < FOUR_TRUMP:
        note_quartet(g, rules, seat, action, scoring, bonus, tmp)
    if not scoring:
        return
    mark_meld(g, rules, seat, action, n, tmp)
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
def mark_meld(g, rules, seat, action, n, tmp):
    """Mark the copies at the places ``tmp[LAID:]`` as having served in a scored meld."""
    mark = MELD_MARKS[action - MARRIAGE]
    if rules[ix.MELDS_FROM] == ix.MELDS_FROM_WON and rules[ix.FILDINSKI_REUSE] == ix.REUSE_BY_CLASS:
        if action < BEZIQUE:
            mark |= USED_LINE_NOW
        elif action < FOUR:
            mark |= USED_BEZIQUE_NOW
    elif rules[ix.DECLARE] == ix.DECLARE_MANY_DISJOINT:
        mark |= USED_NOW
    members = np.int64(0)
    for k in range(n):
        place = np.int64(tmp[LAID + k])
        members |= np.int64(1) << place
        g.table_uses[seat, place] |= mark
        g.table_served[seat, place] += 1
    if rules[ix.REFORM] == ix.REFORM_NONE:
        return
    if action < SEQUENCE:
        king = np.int64(tmp[LAID])
        queen = np.int64(tmp[LAID + 1])
        g.table_melds[seat, king, IN_MARRIAGE] |= np.int64(1) << queen
        g.table_melds[seat, queen, IN_MARRIAGE] |= np.int64(1) << king
        return
    kind = MELD_KIND[action - MARRIAGE]
    for k in range(n):
        g.table_melds[seat, tmp[LAID + k], kind] = members


@kernel(inner=True)
def show_seven(g, rules, seat):
    """Perform ``seven``: show (or, under ``as_meld``, declare) a trump seven.

    In Fildinski nothing goes from the hand to the table: the seven shown stays in the hand, known.
    """
    scoring = may_score(g, rules)
    code = seven_code(g, rules, seat, scoring, not scoring)
    if rules[ix.MELDS_FROM] == ix.MELDS_FROM_WON:
        seven = np.int64(code) - HAND_CODE
        if g.known[seat, seven] == g.sevens_scored[seat]:  # else a known one is shown
            tell_shown(g, seat, seven)
            g.known[seat, seven] += 1
        g.sevens_scored[seat] += 1
        credit(g, rules, seat, np.int64(SEVEN_SCORE), rules[ix.VALUE_SEVEN])
        return
    place = np.int64(code) if code < HAND_CODE else lay(g, seat, np.int64(code) - HAND_CODE)
    if rules[ix.DIX_SCORE] == ix.DIX_AS_MELD:
        if not scoring:
            return
        g.declared = 1
        if rules[ix.DECLARE] == ix.DECLARE_MANY_DISJOINT:
            g.table_uses[seat, place] |= USED_NOW
    g.table_uses[seat, place] |= USED_SEVEN
    g.table_served[seat, place] += 1
    credit(g, rules, seat, np.int64(SEVEN_SCORE), rules[ix.VALUE_SEVEN])


@kernel(inner=True)
def exchange(g, rules, seat, tmp):
    """Perform ``exchange``: the trump seven (hand first, unscored first) becomes the turn-up."""
    seven = 8 * np.int64(g.trump)
    taken = np.int64(g.turn_up)
    dix = rules[ix.DIX_SCORE]
    g.exchanged = 1
    g.turn_up = seven
    if won_sevens(rules):
        # The seven won in the trick; it has scored there.
        g.won[seat, seven] -= 1
        win_card(g, rules, seat, taken, np.int64(0))
        g.seven_won = 0
        g.turn_up_scored = 1 if dix == ix.DIX_ON_SHOW else 0
        return
    scored = False
    if g.hand[seat, seven] > 0:
        if g.hand[seat, seven] <= g.sevens_scored[seat]:
            scored = True
            g.sevens_scored[seat] -= 1
            tell_absent(g, seat, seven)  # an unscored one would have gone first
        leave_hand(g, seat, seven)
    else:
        tell_absent(g, seat, seven)
        add_copies(g, rules, seat, np.int64(0), np.int64(1) << np.int64(g.trump), tmp, np.int64(LIST))
        place = np.int64(tmp[LIST])
        scored = g.table_uses[seat, place] & USED_SEVEN != 0
        take_from_table(g, rules, seat, place)
    g.hand[seat, taken] += 1
    g.known[seat, taken] += 1
    pays = (dix == ix.DIX_ON_SHOW or dix == ix.DIX_AS_MELD) and rules[
        ix.DIX_EXCHANGE
    ] != ix.EXCHANGE_INSTEAD_OF_SCORE
    g.turn_up_scored = 1 if scored or pays else 0
    if pays and not scored:
        credit(g, rules, seat, np.int64(EXCHANGE), rules[ix.VALUE_SEVEN])


@kernel(inner=True)
def win_card(g, rules, seat, card, uses):
    """Put a won card face up before its winner where it can ever serve in a meld (Fildinski), else aside."""
    rank = card & 7
    useful = rank >= 3
    if rank == 6:
        useful = card >> 3 == g.trump or g.trump == NO_TRUMP or rules[ix.VALUE_FOUR + 1] > 0
    if useful and rules[ix.MELDS_FROM] == ix.MELDS_FROM_WON:
        put_on_table(g, seat, card, uses)
    else:
        g.won[seat, card] += 1


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


@kernel(inner=True)
def write_mask(g, rules, mask, tmp):
    """Write the legal actions of the seat to act into 96 bytes; all zero when the game is over."""
    for a in range(NUM_ACTIONS):
        mask[a] = 0
    phase = g.phase
    if phase == OVER or phase == BETWEEN_DEALS:
        return
    seat = np.int64(g.to_act)
    if phase == LEAD or phase == FOLLOW:
        for c in range(32):
            mask[c] = 1 if g.hand[seat, c] > 0 else 0
        if rules[ix.MELDS_FROM] == ix.MELDS_FROM_HAND:  # the open cards of Fildinski are never played
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
    elif phase == CARTE_BLANCHE:
        mask[SHOW_CARTE] = 1
        mask[PASS] = 1
    else:
        for a in range(2 * PLAY_TABLE):
            if g.hand[seat, a & 31] + g.table_count[seat, a & 31] > 0:
                mask[a] = 1 if selection_code(g, rules, seat, a, tmp) != NONE else 0


@kernel(inline_always=True)
def seven_scores(rules, endgame):
    """Whether an unscored trump seven scores by being played now (section 12, playing a trump seven)."""
    dix = rules[ix.DIX_SCORE]
    return (dix == ix.DIX_ON_SHOW and (not endgame or rules[ix.DIX_ENDGAME] == 0)) or (
        dix == ix.DIX_ON_PLAY and not endgame
    )


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
                if g.stock_left > 0:
                    tell_absent(g, seat, card)  # an unscored one would have gone first
        leave_hand(g, seat, card)
    else:
        add_copies(g, rules, seat, card & 7, np.int64(1) << (card >> 3), tmp, np.int64(LIST))
        place = np.int64(tmp[LIST])
        if seven:
            scored = g.table_uses[seat, place] & USED_SEVEN != 0
        take_from_table(g, rules, seat, place)
    g.trick_card[seat] = card
    endgame = g.phase >= ENDGAME_LEAD
    if seven and not scored and seven_scores(rules, endgame) and not won_sevens(rules):
        credit(g, rules, seat, np.int64(EV_TRUMP_SEVEN), rules[ix.VALUE_SEVEN])
    if g.phase == OVER:
        return
    if g.phase == LEAD or g.phase == ENDGAME_LEAD:
        g.phase += 1
        g.to_act = 1 - seat
        g.led_scored = 1 if seven and scored and won_sevens(rules) else 0
        return
    led = np.int64(g.trick_card[1 - seat])
    winner = seat if beats(np.int64(g.trump), led, card) else 1 - seat
    brisque = rules[ix.BRISQUES_FROM]
    caught = (1 if led & 7 >= brisque else 0) + (1 if card & 7 >= brisque else 0)
    latest = np.int64(
        0 if endgame and rules[ix.FILDINSKI_ENDGAME] == ix.FILDINSKI_ENDGAME_OFF else USED_TRICK
    )
    win_card(g, rules, winner, led, latest)
    win_card(g, rules, winner, card, latest)
    g.brisques[winner] += caught
    g.trick_card[0] = NONE
    g.trick_card[1] = NONE
    g.leader = winner
    if won_sevens(rules):
        win_sevens(g, rules, winner, led, card, scored, endgame)
    if rules[ix.BRISQUES] == ix.BRISQUES_AT_TRICK:
        credit(g, rules, winner, np.int64(EV_BRISQUES), caught * rules[ix.VALUE_BRISQUE])
    if not endgame:
        if rules[ix.LAST_TRICK] == ix.LAST_TRICK_STOCK and g.stock_left == SEATS:
            credit(g, rules, winner, np.int64(EV_LAST_TRICK), rules[ix.VALUE_LAST_TRICK])
        if g.phase != OVER:
            open_window(g, rules, winner, tmp)
        return
    if rules[ix.LAST_TRICK] == ix.LAST_TRICK_FINAL and hand_is_empty(g, winner):
        credit(g, rules, winner, np.int64(EV_LAST_TRICK), rules[ix.VALUE_LAST_TRICK])
    if g.phase == OVER:
        return
    if rules[ix.FILDINSKI_ENDGAME] == ix.FILDINSKI_ENDGAME_ON:
        open_window(g, rules, winner, tmp)
    else:
        next_endgame_trick(g, rules, winner)


@kernel(inner=True)
def win_sevens(g, rules, winner, led, reply, reply_scored, endgame):
    """Credit the trump sevens in a trick to its winner (Fildinski, ``fildinski_dix: trick_winner``)."""
    if g.trump == NO_TRUMP:
        return
    seven = 8 * np.int64(g.trump)
    if led == seven or reply == seven:
        g.seven_won = 1
    pays = seven_scores(rules, endgame)
    if led == seven and pays and not g.led_scored:
        credit(g, rules, winner, np.int64(EV_TRUMP_SEVEN), rules[ix.VALUE_SEVEN])
    if reply == seven and pays and not reply_scored:
        credit(g, rules, winner, np.int64(EV_TRUMP_SEVEN), rules[ix.VALUE_SEVEN])
    g.led_scored = 0


@kernel(inner=True)
def hand_is_empty(g, seat):
    """Whether a seat has no card left to play."""
    for c in range(32):
        if g.hand[seat, c] > 0:
            return False
    return True


@kernel(inner=True)
def next_endgame_trick(g, rules, winner):
    """Let the winner lead again; after the last trick the brisques are counted and the deal decided."""
    g.phase = ENDGAME_LEAD
    g.to_act = winner
    if not hand_is_empty(g, winner):
        return
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
    """Close the window: both draw, the winner first; with the stock gone the table goes back to the hands.

    The open cards of Fildinski stay where they are.
    """
    g.declared = 0
    g.exchanged = 0
    g.seven_won = 0
    from_hand = rules[ix.MELDS_FROM] == ix.MELDS_FROM_HAND
    if rules[ix.DECLARE] == ix.DECLARE_MANY_DISJOINT:
        for t in range(g.table_n[seat]):
            g.table_uses[seat, t] &= 65535 - USED_WINDOW
    if g.stock_left == 0:
        next_endgame_trick(g, rules, seat)
        return
    draw(g, rules, seat)
    draw(g, rules, 1 - seat)
    g.to_act = seat
    g.phase = LEAD if g.stock_left > 0 else ENDGAME_LEAD
    if g.stock_left == 0 and from_hand:
        take_up_tables(g)
    if g.carte[0] or g.carte[1]:
        ask_carte_blanche(g, rules, np.int64(NONE))


@kernel(inner=True)
def take_up_tables(g):
    """Return the table cards to the hands, where they stay known."""
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
            g.table_served[s, t] = 0
        g.table_n[s] = 0
        clear_melds(g, s)


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
            place = deck_size(rules) - 1
    g.stock_next += 1
    g.stock_left -= 1
    receive(g, seat, place)


@kernel(inner=True)
def end_deal(g, rules):
    """Decide the deal: the end of the episode, the end of the match, or another deal (section 12).

    The multi-pack games are over after one deal; equal scores there go to the brisques by option ``tie``.
    """
    if rules[ix.SETTLEMENT] != ix.SETTLE_GAMES:
        finish(
            g,
            rules,
            decide(
                rules,
                np.int64(g.scores[0]),
                np.int64(g.scores[1]),
                np.int64(g.brisques[0]),
                np.int64(g.brisques[1]),
            ),
        )
        return
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
    shuffle_deck(g, rules)
    deal_out(g, rules)


@kernel(inner=True)
def apply(g, rules, action, tmp):
    """Apply a legal action and move on to the next decision that is asked."""
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
    if phase == CARTE_BLANCHE:
        answer_carte_blanche(g, rules, seat, action)
        return
    play_card(g, rules, seat, action, tmp)


@kernel(inner=True)
def clear_setup(g):
    """Forget the cut of an earlier game, so that it comes from the seed."""
    g.cut[0] = 0
    g.cut[1] = 0


@kernel(inner=True)
def next_deal(g, rules):
    """Deal the deck that was set from outside, after BETWEEN_DEALS."""
    g.ev_n = 0
    deal_out(g, rules)


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
    WHY_CARTE_BLANCHE,
    WHY_NOT_ASKED,
    WHY_OPEN_CARD,
    WHY_LATEST_TRICK,
) = range(1, 24)


@kernel(inner=True)
def reason(g, rules, action, mask):
    """Return the code of why an action that is not in the legal ``mask`` is illegal."""
    phase = g.phase
    if phase == OVER or phase == BETWEEN_DEALS:
        return WHY_OVER
    if phase == CARTE_BLANCHE:
        return WHY_CARTE_BLANCHE
    if action == SHOW_CARTE:
        return WHY_NOT_ASKED
    won = rules[ix.MELDS_FROM] == ix.MELDS_FROM_WON
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
            return WHY_OPEN_CARD if won else WHY_NOT_ON_TABLE
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
        if won_sevens(rules):
            return WHY_DECLARED if g.seven_won else WHY_NO_SEVEN
        seven = 8 * np.int64(g.trump)
        return WHY_DECLARED if g.hand[seat, seven] + g.table_count[seat, seven] > 0 else WHY_NO_SEVEN
    if action == SEVEN_SCORE:
        if rules[ix.DIX_SCORE] > ix.DIX_AS_MELD or won_sevens(rules):
            return WHY_SEVEN_RULE
        if rules[ix.DIX_SCORE] == ix.DIX_AS_MELD and used and not may_score(g, rules):
            return WHY_DECLARED
        return WHY_NO_SEVEN
    if action >= MARRIAGE and meld_value(g, rules, action) > 0:
        if (meld_candidates(g, rules, seat) >> (action - MARRIAGE)) & 1 == 0:
            return WHY_MISSING
        if not may_score(g, rules):
            return WHY_DECLARED
        return WHY_LATEST_TRICK if won else WHY_SERVED
    return WHY_NO_SUCH_MELD


@kernel(inline_always=True)
def final_return(g, rules, mode):
    """Return the zero-sum result of seat 0 of a finished game: points, what the game pays, or games won."""
    if mode <= DENSE:
        return np.int64(g.match_scores[0] + g.scores[0]) - np.int64(g.match_scores[1] + g.scores[1])
    if mode == SETTLEMENT and rules[ix.SETTLEMENT] != ix.SETTLE_GAMES:
        return settle_points(
            rules,
            np.int64(g.scores[0]),
            np.int64(g.scores[1]),
            np.int64(g.brisques[0]),
            np.int64(g.brisques[1]),
        )
    if g.winner == NONE:
        return np.int64(0)
    size = 2 if g.double else 1
    return np.int64(size) if g.winner == 0 else np.int64(-size)


@kernel
def close_window_row(games, i, rules):
    """Close the open window of a row (a set-up position in which nothing can be declared)."""
    g = games[i]
    close_window(g, rules, np.int64(g.to_act))
