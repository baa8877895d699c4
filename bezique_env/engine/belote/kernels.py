"""The play of the Belote family as compiled kernels over one record per game.

Each branch is named after its rule in ``shared rules, belote.md`` (A1..A29) and in ``docs/rulings.md``. Habits:
no allocation, no Python objects, no exceptions, no recursion, integer scores, no random numbers except from a
key passed in. ``g`` is one state record, ``rules`` the rules vector, ``tmp`` scratch that this family leaves
alone. What a seat may know is in :mod:`bezique_env.engine.belote.views`.
"""

from __future__ import annotations

import numpy as np

from bezique_env.engine.belote import actions as act
from bezique_env.engine.belote.declarations import declarations
from bezique_env.engine.belote.state import (
    ANNOUNCE,
    ANSWER,
    BID,
    CONTESTS,
    DECK,
    EXCHANGE,
    FOLLOW,
    FOURS,
    KEY_SHIFTS,
    LEAD,
    MAX_BIDS,
    MAX_EVENTS,
    SAID_NOTHING,
    SAID_TRUMP,
    SAID_VALUE,
    SEATS,
    STEP_ANNOUNCE,
    STEP_EXCHANGE_AGAIN,
    STEP_PLAY,
    TO_DEALER,
    TO_ELDER,
    TO_NOBODY,
    UNDECIDED,
    VALUE_SHIFT,
)
from bezique_env.engine.cache import kernel
from bezique_env.engine.common import (
    BETWEEN_DEALS,
    DENSE,
    EPISODE_DEAL,
    NO_TRUMP,
    NONE,
    OVER,
    SETTLEMENT,
)
from bezique_env.engine.rng import STREAM_DEAL, STREAM_DEALER, shuffle, stream_key
from bezique_env.rules.belote import index as ix
from bezique_env.rules.belote import settlement

SEVEN, KING = 0, 6
PAIR = 0b01100000
"""Queen and king of a suit, as ranks."""
TRUMP_STRENGTH = np.array([0, 1, 6, 4, 7, 2, 3, 5], np.int64)
"""Of the ranks 7 8 9 T J Q K A in the trump suit; cards are never compared by their points."""
PLAIN_STRENGTH = np.array([0, 1, 2, 6, 3, 4, 5, 7], np.int64)
TRUMP_POINTS = np.array([0, 0, 14, 10, 20, 3, 4, 11], np.int64)
PLAIN_POINTS = np.array([0, 0, 0, 10, 2, 3, 4, 11], np.int64)
STRONGER_TRUMPS = np.array(
    [sum(1 << b for b in range(8) if TRUMP_STRENGTH[b] > TRUMP_STRENGTH[a]) for a in range(8)], np.int64
)
"""For each rank the trump ranks that beat it, as a mask."""
settle_deal = kernel(inner=True)(settlement.settle_deal)


# --------------------------------------------------------------------------------------------- credits


@kernel(inner=True)
def credit(g, seat, what, points):
    """Write points down for a seat."""
    if points == 0:
        return
    g.scores[seat] += points
    n = g.ev_n
    if n < MAX_EVENTS:
        g.ev_seat[n] = seat
        g.ev_what[n] = what
        g.ev_points[n] = points
        g.ev_n = n + 1


@kernel(inner=True)
def finish(g, winner):
    """End the game; ``winner`` 255 is a tie."""
    g.phase = OVER
    g.to_act = NONE
    g.winner = winner


# ---------------------------------------------------------------------------------------------- dealing


@kernel(inner=True)
def shuffle_deck(g, rules):
    """Fill the deck in an order that depends on (seed, number of the hand) alone."""
    key = stream_key(g.seed, STREAM_DEAL, g.deal_no)
    n = 0
    for c in range(DECK):
        if (rules[ix.KINDS] >> c) & 1:
            g.deck[n] = c
            n += 1
    for k in range(n, g.deck.shape[0]):
        g.deck[k] = 0  # places behind the pack are not used
    shuffle(g.deck, np.int64(n), key)


@kernel(inline_always=True)
def first_packets(rules):
    """Return the number of cards dealt to both seats before the auction; the turn-up has the place behind them."""
    return SEATS * (rules[ix.HAND_SIZE] - rules[ix.MORE_CARDS])


@kernel(inline_always=True)
def bit(card):
    """Return the mask of one card."""
    return np.int64(1) << np.int64(card)


@kernel(inner=True)
def deal_out(g, rules):
    """Deal six cards each, by threes, elder first, and turn the next one up; clears the former hand.

    A smaller pack is dealt alike, by packets of as many cards as follow the auction.
    """
    elder = 1 - np.int64(g.dealer)
    for s in range(SEATS):
        g.hand[s] = 0
        g.known[s] = 0
        g.absent[s] = 0
        g.played[s] = 0
        g.won[s] = 0
        g.tricks[s] = 0
        g.pair_said[s] = 0
        g.pair_paid[s] = 0
        g.announced[s] = 0
        g.trick_card[s] = NONE
        g.scores[s] = 0
    for c in range(CONTESTS):
        g.said[c] = 0
        g.shown[c] = 0
        g.declared[c] = 0
        g.stage[c] = SAID_NOTHING
        g.outcome[c] = UNDECIDED
        g.paid[c] = 0
    for k in range(MAX_BIDS):
        g.bids[k] = NONE
    g.bids_n = 0
    g.round = 1
    g.naming = 0
    g.saying = 0
    g.step = 0
    g.late_exchange = 0
    g.exchanged = NONE
    g.taker = NONE
    g.bottom = NONE
    g.pair_seat = NONE
    g.trump = NO_TRUMP
    first = first_packets(rules)
    for k in range(first):
        seat = elder if (k // rules[ix.MORE_CARDS]) & 1 == 0 else 1 - elder
        g.hand[seat] |= bit(g.deck[k])
    g.turn_up = g.deck[first]
    g.leader = elder
    g.to_act = elder
    g.phase = BID


@kernel(inner=True)
def next_deal(g, rules):
    """Deal the deck that was set from outside, after BETWEEN_DEALS."""
    g.ev_n = 0
    deal_out(g, rules)


@kernel(inner=True)
def clear_setup(g):
    """Forget nothing: only decks are set from outside."""


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
    g.redeals = 0
    g.held = 0
    g.episode = episode
    g.draws = draws
    g.manual = manual
    g.given = manual
    if dealer == NONE:
        dealer = np.int64(stream_key(seed, STREAM_DEALER, 0) & np.uint64(1))
    g.dealer = dealer
    g.winner = NONE
    if manual == 0:
        shuffle_deck(g, rules)
    deal_out(g, rules)


@kernel(inner=True)
def deal_next(g, rules, dealer):
    """Deal the next hand, or wait for its deck where decks are set from outside."""
    g.dealer = dealer
    g.deal_no += 1
    if g.manual:
        g.phase = BETWEEN_DEALS
        g.to_act = NONE
        return
    g.given = 0
    shuffle_deck(g, rules)
    deal_out(g, rules)


@kernel(inner=True)
def annul(g, rules, agreed):
    """Annul the hand: an agreed proposal (A3) or two rounds of passes. It is dealt again where it may be (A28)."""
    dealer = np.int64(g.dealer)
    if not agreed or rules[ix.ACCEPTED_REDEAL_DEALER] == ix.DEALER_NEXT:
        dealer = 1 - dealer
    last = g.redeals >= rules[ix.MAX_REDEALS]
    if last or (g.given and g.episode == EPISODE_DEAL):
        first = np.int64(g.match_scores[0])
        second = np.int64(g.match_scores[1])
        finish(g, np.int64(NONE) if first == second else np.int64(0 if first > second else 1))
        return
    if g.given:
        g.redeals = 0
    else:
        g.redeals += 1
    deal_next(g, rules, dealer)


# ---------------------------------------------------------------------------------------------- auction


@kernel(inner=True)
def take(g, rules, taker, trump):
    """Fix taker and trump, deal three more cards each, show the bottom card to both (section 2.3)."""
    g.taker = taker
    g.trump = trump
    g.naming = 0
    elder = 1 - np.int64(g.dealer)
    behind = first_packets(rules) + 1
    more = rules[ix.MORE_CARDS]
    for k in range(more):
        g.hand[elder] |= bit(g.deck[behind + k])
        g.hand[1 - elder] |= bit(g.deck[behind + more + k])
    g.bottom = g.deck[rules[ix.KIND_COUNT] - 1]
    g.step = 0
    advance(g, rules)


@kernel(inner=True)
def bid(g, rules, seat, action):
    """Perform an action of the auction (section 2.2)."""
    g.bids[g.bids_n] = action
    g.bids_n += 1
    turned = np.int64(g.turn_up) >> 3
    other = 1 - seat
    if g.phase == ANSWER:
        if action == act.AGREE:
            annul(g, rules, True)
        elif g.round == 1:
            proposer = rules[ix.SCHMEISS_REFUSED_MAKES] == ix.MAKES_PROPOSER
            take(g, rules, other if proposer else seat, turned)
        else:
            g.phase = BID
            g.naming = 1
            g.to_act = other
    elif action == act.ACCEPT:
        take(g, rules, seat, turned)
    elif action >= act.NAME:
        take(g, rules, seat, action - act.NAME)
    elif action == act.PROPOSE:
        g.phase = ANSWER
        g.to_act = other
    elif seat != g.dealer:
        g.to_act = other
    elif g.round == 1:
        g.round = 2
        g.to_act = other
    else:
        annul(g, rules, False)


@kernel(inner=True)
def write_bids(g, rules, seat, mask):
    """Write the legal bids of a seat."""
    if g.round == 1:
        mask[act.ACCEPT] = 1
        mask[act.PASS] = 1
        mask[act.PROPOSE] = 1 if rules[ix.SCHMEISS] == ix.SCHMEISS_ON else 0
        return
    dealer = seat == g.dealer
    may_name = g.naming == 1 or dealer or rules[ix.R2_ELDER_ACTIONS] == ix.ELDER_NAMES
    if may_name:
        for suit in range(4):
            in_pack = (rules[ix.KINDS] >> (8 * suit)) & 255 != 0
            mask[act.NAME + suit] = 1 if in_pack and suit != g.turn_up >> 3 else 0
    if g.naming == 1:
        return
    if not dealer or rules[ix.ALL_PASS] == ix.PASS_NEXT_DEALER:
        mask[act.PASS] = 1
    if rules[ix.SCHMEISS] == ix.SCHMEISS_ON and (not dealer or rules[ix.R2_DEALER_MAY_PROPOSE] == ix.YES):
        mask[act.PROPOSE] = 1


# ------------------------------------------------------------------------- between auction and first lead


@kernel(inner=True)
def may_exchange(g, rules, seat):
    """Whether a seat may exchange the seven of trumps for the turn-up (2.5, A15-A17)."""
    if rules[ix.EXCHANGE_SEVEN] == ix.EXCHANGE_OFF or g.turn_up >> 3 != g.trump or g.turn_up & 7 == SEVEN:
        return False
    seven = 8 * np.int64(g.trump)
    if g.hand[seat] & bit(seven) == 0:
        return False
    if rules[ix.EXCHANGE_SEVEN_FROM] == ix.FROM_FIRST_SIX:
        for k in range(first_packets(rules)):
            if g.deck[k] == seven:
                return True
        return False
    return True


@kernel(inner=True)
def holds_declaration(g, rules, seat):
    """Whether a seat has anything to announce."""
    for c in range(CONTESTS):
        key, _, _ = declarations(np.int64(g.hand[seat]), rules, np.int64(g.trump), c)
        if key > 0:
            return True
    return False


@kernel(inner=True)
def advance(g, rules):
    """Go on to the next seat that is asked to exchange or to announce; then elder leads (section 11)."""
    elder = 1 - np.int64(g.dealer)
    while g.step < STEP_PLAY:
        seat = elder if g.step & 1 == 0 else 1 - elder
        g.to_act = seat
        if g.step == STEP_EXCHANGE_AGAIN:
            compare(g, rules)
        if g.step < STEP_ANNOUNCE:
            if may_exchange(g, rules, seat):
                g.phase = EXCHANGE
                return
        elif g.step < STEP_EXCHANGE_AGAIN:
            if holds_declaration(g, rules, seat):
                g.phase = ANNOUNCE
                return
        elif rules[ix.EXCHANGE_WINDOW] == ix.WINDOW_UNTIL_LEAD and may_exchange(g, rules, seat):
            g.phase = EXCHANGE
            return
        g.step += 1
    begin_play(g)


@kernel(inner=True)
def begin_play(g):
    """Let elder lead; note who holds king and queen of trumps."""
    pair = np.int64(PAIR) << (8 * np.int64(g.trump))
    for s in range(SEATS):
        if np.int64(g.hand[s]) & pair == pair:
            g.pair_seat = s
    g.phase = LEAD
    g.leader = 1 - g.dealer
    g.to_act = g.leader


@kernel(inner=True)
def exchange(g, seat):
    """Exchange the seven of trumps for the turn-up; both cards are known to everyone."""
    seven = 8 * np.int64(g.trump)
    g.hand[seat] &= ~bit(seven)
    g.hand[seat] |= bit(g.turn_up)
    g.known[seat] = (np.int64(g.known[seat]) & ~bit(seven)) | bit(g.turn_up)
    g.turn_up = seven
    g.exchanged = seat
    g.late_exchange = 1 if g.step >= STEP_EXCHANGE_AGAIN else 0


@kernel(inner=True)
def announce(g, rules, seat):
    """Announce: elder says the value of his best declaration, the dealer answers when both are compared."""
    g.announced[seat] = 1
    if seat == g.dealer:
        return
    for c in range(CONTESTS):
        key, _, _ = declarations(np.int64(g.hand[seat]), rules, np.int64(g.trump), c)
        if key > 0:
            g.said[c] = (key >> VALUE_SHIFT) << VALUE_SHIFT
            g.stage[c] = SAID_VALUE


@kernel(inner=True)
def compare(g, rules):
    """Compare what was announced: value, then (by option) length, then top card, then trump (section 2.4).

    A dealer who announced less than elder's value says "good", like one who has nothing: ``stage`` stays.
    """
    elder = 1 - np.int64(g.dealer)
    trump = np.int64(g.trump)
    for c in range(CONTESTS):
        first = second = np.int64(0)
        if g.announced[elder]:
            first, _, _ = declarations(np.int64(g.hand[elder]), rules, trump, c)
        if g.announced[1 - elder]:
            second, _, _ = declarations(np.int64(g.hand[1 - elder]), rules, trump, c)
        if first == 0 and second == 0:
            continue
        if first == 0:
            g.outcome[c] = TO_DEALER
        elif first >> VALUE_SHIFT > second >> VALUE_SHIFT:
            g.outcome[c] = TO_ELDER
        else:
            g.outcome[c] = TO_ELDER if rules[ix.RUN_TIE] == ix.RUN_TIE_ELDER else TO_NOBODY
            g.stage[c] = SAID_TRUMP
            for k in range(len(KEY_SHIFTS)):
                shift = KEY_SHIFTS[k]
                if first >> shift != second >> shift:
                    g.outcome[c] = TO_ELDER if first > second else TO_DEALER
                    g.stage[c] = SAID_VALUE + k
                    break
            shift = KEY_SHIFTS[np.int64(g.stage[c]) - SAID_VALUE]
            g.said[c] = (first >> shift) << shift
        if g.outcome[c] != TO_NOBODY:
            declare(g, rules, elder if g.outcome[c] == TO_ELDER else 1 - elder, c)


@kernel(inner=True)
def declare(g, rules, seat, c):
    """Give the winner of a contest the points of all his declarations, and show them where they are shown."""
    _, points, cards = declarations(np.int64(g.hand[seat]), rules, np.int64(g.trump), c)
    g.declared[c] = points
    if rules[ix.SHOW_WINNING_SEQUENCES] == ix.YES:
        g.shown[c] = cards
        g.known[seat] |= cards
    if rules[ix.ANNOUNCE_NEEDS_TRICK] == ix.NO:
        pay_declaration(g, seat, c)


@kernel(inner=True)
def pay_declaration(g, seat, c):
    """Credit the points of a contest to its winner."""
    g.paid[c] = 1
    what = np.int64(act.EVENT_FOURS) if c == FOURS else np.int64(act.EVENT_SEQUENCES)
    credit(g, seat, what, np.int64(g.declared[c]))


# -------------------------------------------------------------------------------------------------- play


@kernel(inner=True)
def legal_cards(g, seat):
    """Return the cards that a seat may play, as a mask (section 2.7)."""
    hand = np.int64(g.hand[seat])
    trump = np.int64(g.trump)
    cards = hand
    if g.phase == FOLLOW:
        led = np.int64(g.trick_card[1 - seat])
        same = hand & (np.int64(255) << (8 * (led >> 3)))
        trumps = hand & (np.int64(255) << (8 * trump))
        if same:
            cards = same
            if led >> 3 == trump:
                over = hand & (STRONGER_TRUMPS[led & 7] << (8 * trump))
                if over:
                    cards = over
        elif trumps:
            cards = trumps
    if g.saying:
        cards &= np.int64(PAIR) << (8 * trump)
    return cards


@kernel(inner=True)
def may_say_pair(g, rules, seat, cards):
    """Whether a seat may say its pair now, before one of the legal ``cards`` (2.6, A12)."""
    if g.pair_seat != seat or g.saying or rules[ix.BELOTE_AUTO] == ix.YES:
        return False
    pair = np.int64(PAIR) << (8 * np.int64(g.trump))
    held = np.int64(g.hand[seat]) & pair
    if cards & pair == 0:
        return False
    words = g.pair_said[seat]
    if rules[ix.BELOTE_CALL_DEADLINE] == ix.DEADLINE_BOTH:
        return words == (0 if held == pair else 1)
    return words == 0 and (held == pair or rules[ix.BELOTE_CALL_DEADLINE] == ix.DEADLINE_SECOND)


@kernel(inner=True)
def say_pair(g, rules, seat):
    """Say the pair: its cards still in the hand become known; 20 points, with both words at the second."""
    trump = np.int64(g.trump)
    pair = np.int64(PAIR) << (8 * trump)
    g.pair_said[seat] += 1
    g.known[seat] |= np.int64(g.hand[seat]) & pair
    led = np.int64(g.trick_card[1 - seat])
    if g.phase == FOLLOW and led >> 3 != trump:  # what its king or queen, to be played now, will show
        g.absent[seat] |= np.int64(255) << (8 * (led >> 3))
    elif g.phase == FOLLOW and TRUMP_STRENGTH[led & 7] > TRUMP_STRENGTH[KING]:
        g.absent[seat] |= STRONGER_TRUMPS[led & 7] << (8 * trump)
    if g.pair_said[seat] == 2 or rules[ix.BELOTE_CALL_DEADLINE] != ix.DEADLINE_BOTH:
        g.pair_paid[seat] = 1
        credit(g, seat, np.int64(act.EVENT_PAIR), rules[ix.VALUE_PAIR])


@kernel(inline_always=True)
def beats(trump, led, card):
    """Whether the second card of a trick takes it."""
    if card >> 3 == led >> 3:
        if led >> 3 == trump:
            return TRUMP_STRENGTH[card & 7] > TRUMP_STRENGTH[led & 7]
        return PLAIN_STRENGTH[card & 7] > PLAIN_STRENGTH[led & 7]
    return card >> 3 == trump


@kernel(inline_always=True)
def card_points(trump, card):
    """Return the points of a card."""
    return TRUMP_POINTS[card & 7] if card >> 3 == trump else PLAIN_POINTS[card & 7]


@kernel(inner=True)
def note_absent(g, seat, led, card):
    """Note what a reply shows to be missing in the hand: it had to follow, to beat a trump, to trump."""
    trump = np.int64(g.trump)
    if card >> 3 == led >> 3:
        if led >> 3 == trump and not beats(trump, led, card):
            g.absent[seat] |= STRONGER_TRUMPS[led & 7] << (8 * trump)
        return
    g.absent[seat] |= np.int64(255) << (8 * (led >> 3))
    if card >> 3 != trump:
        g.absent[seat] |= np.int64(255) << (8 * trump)


@kernel(inner=True)
def play_card(g, rules, seat, card):
    """Play a card; the second card of a trick resolves it."""
    trump = np.int64(g.trump)
    pair = np.int64(PAIR) << (8 * trump)
    if rules[ix.BELOTE_AUTO] == ix.YES and pair & bit(card):
        if g.pair_seat == seat and g.pair_said[seat] == 0:
            say_pair(g, rules, seat)
        if g.pair_paid[seat] == 0:  # it would have been announced
            g.absent[seat] |= pair & ~bit(card)
    g.saying = 0
    g.hand[seat] &= ~bit(card)
    g.known[seat] &= ~bit(card)
    g.played[seat] |= bit(card)
    g.trick_card[seat] = card
    if g.phase == LEAD:
        g.phase = FOLLOW
        g.to_act = 1 - seat
        return
    led = np.int64(g.trick_card[1 - seat])
    note_absent(g, seat, led, card)
    winner = seat if beats(trump, led, card) else 1 - seat
    g.won[winner] |= bit(led) | bit(card)
    g.tricks[winner] += 1
    g.trick_card[0] = NONE
    g.trick_card[1] = NONE
    g.leader = winner
    g.to_act = winner
    g.phase = LEAD
    credit(g, winner, np.int64(act.EVENT_TRICK), card_points(trump, led) + card_points(trump, card))
    elder = 1 - np.int64(g.dealer)
    for c in range(CONTESTS):
        if g.declared[c] > 0 and g.paid[c] == 0:  # A26
            if winner == (elder if g.outcome[c] == TO_ELDER else 1 - elder):
                pay_declaration(g, winner, c)
    if g.hand[winner] == 0:
        credit(g, winner, np.int64(act.EVENT_LAST_TRICK), rules[ix.VALUE_LAST_TRICK])
        if g.tricks[1 - winner] == 0:
            credit(g, winner, np.int64(act.EVENT_ALL_TRICKS), rules[ix.ALL_TRICKS_BONUS])
        settle(g, rules)


@kernel(inner=True)
def settle(g, rules):
    """Settle the deal: what the taker loses goes over (section 2.8)."""
    taker = np.int64(g.taker)
    own = np.int64(g.scores[taker])
    other = np.int64(g.scores[1 - taker])
    pair = rules[ix.VALUE_PAIR] if g.pair_paid[taker] else np.int64(0)
    waiting = np.int64(g.held)
    taker_gets, other_gets, held = settle_deal(rules, own, other, pair, waiting)
    released = waiting if held == 0 else np.int64(0)
    gainer = taker if own > other else 1 - taker
    credit(g, taker, np.int64(act.EVENT_SETTLEMENT), taker_gets - own - (released if gainer == taker else 0))
    credit(
        g,
        1 - taker,
        np.int64(act.EVENT_SETTLEMENT),
        other_gets - other - (released if gainer != taker else 0),
    )
    credit(g, gainer, np.int64(act.EVENT_HELD), released)
    end_deal(g, rules, held)


@kernel(inner=True)
def end_deal(g, rules, held):
    """End the episode, the match (A19, A20), or deal again with the other dealer, who finds ``held`` points."""
    first = np.int64(g.match_scores[0] + g.scores[0])
    second = np.int64(g.match_scores[1] + g.scores[1])
    winner = np.int64(NONE)
    if first != second:
        winner = np.int64(0 if first > second else 1)
    target = rules[ix.TARGET]
    if g.episode == EPISODE_DEAL or (winner != NONE and (first >= target or second >= target)):
        finish(g, winner)
        return
    for s in range(SEATS):
        g.match_scores[s] += g.scores[s]
        g.scores[s] = 0
    g.redeals = 0
    g.held = held
    deal_next(g, rules, 1 - np.int64(g.dealer))


# ------------------------------------------------------------------------------------------- entry points


@kernel(inner=True)
def apply(g, rules, action, tmp):
    """Apply a legal action and move on to the next decision that is asked."""
    seat = np.int64(g.to_act)
    g.ev_n = 0
    g.steps += 1
    phase = g.phase
    if phase == BID or phase == ANSWER:
        bid(g, rules, seat, action)
    elif phase == EXCHANGE or phase == ANNOUNCE:
        if action == act.EXCHANGE:
            exchange(g, seat)
        elif action == act.ANNOUNCE:
            announce(g, rules, seat)
        g.step += 1
        advance(g, rules)
    elif action == act.BELOTE:
        say_pair(g, rules, seat)
        g.saying = 1
    else:
        play_card(g, rules, seat, action)


@kernel(inner=True)
def write_mask(g, rules, mask, tmp):
    """Write the legal actions of the seat to act into a row of bytes; all zero when the game is over."""
    for a in range(act.NUM_ACTIONS):
        mask[a] = 0
    phase = g.phase
    if phase == OVER or phase == BETWEEN_DEALS:
        return
    seat = np.int64(g.to_act)
    if phase == LEAD or phase == FOLLOW:
        cards = legal_cards(g, seat)
        for c in range(DECK):
            mask[c] = (cards >> c) & 1
        if may_say_pair(g, rules, seat, cards):
            mask[act.BELOTE] = 1
    elif phase == BID:
        write_bids(g, rules, seat, mask)
    elif phase == ANSWER:
        mask[act.AGREE] = 1
        mask[act.REFUSE] = 1
    else:
        mask[act.EXCHANGE if phase == EXCHANGE else act.ANNOUNCE] = 1
        mask[act.PASS] = 1


# Why an action is refused; the face of the family turns the code into a sentence.
(
    WHY_OVER,
    WHY_AUCTION,
    WHY_ANSWER,
    WHY_NOT_AUCTION,
    WHY_NO_PROPOSAL,
    WHY_ROUND_ONE,
    WHY_ROUND_TWO,
    WHY_TURNED_SUIT,
    WHY_MAY_NOT_NAME,
    WHY_MUST_NAME,
    WHY_NO_PROPOSE,
    WHY_FORCED,
    WHY_WINDOW,
    WHY_NOT_ASKED,
    WHY_NOT_IN_HAND,
    WHY_FOLLOW,
    WHY_BEAT,
    WHY_TRUMP,
    WHY_SAYING,
    WHY_NO_PAIR,
    WHY_PAIR_LATE,
    WHY_PAIR_CARD,
    WHY_PAIR_AUTO,
) = range(1, 24)


@kernel(inner=True)
def reason(g, rules, action, mask):
    """Return the code of why an action that is not in the legal ``mask`` is illegal."""
    phase = g.phase
    if phase == OVER or phase == BETWEEN_DEALS:
        return WHY_OVER
    seat = np.int64(g.to_act)
    if phase == ANSWER:
        return WHY_ANSWER
    if phase == BID:
        if action == act.AGREE or action == act.REFUSE:
            return WHY_NO_PROPOSAL
        if action < act.ACCEPT or action >= act.EXCHANGE:
            return WHY_AUCTION
        if action == act.PROPOSE and not g.naming:
            return WHY_NO_PROPOSE
        if g.round == 1:
            return WHY_ROUND_ONE
        if action == act.ACCEPT:
            return WHY_ROUND_TWO
        if action >= act.NAME:
            may_name = False
            for suit in range(4):
                may_name |= mask[act.NAME + suit] != 0
            return WHY_TURNED_SUIT if may_name else WHY_MAY_NOT_NAME
        return WHY_MUST_NAME if g.naming else WHY_FORCED
    if phase == EXCHANGE or phase == ANNOUNCE:
        return WHY_WINDOW
    if action >= act.ACCEPT and action < act.EXCHANGE:
        return WHY_NOT_AUCTION
    if action == act.EXCHANGE or action == act.ANNOUNCE:
        return WHY_NOT_ASKED
    if action == act.BELOTE:
        if rules[ix.BELOTE_AUTO] == ix.YES:
            return WHY_PAIR_AUTO
        if g.pair_seat != seat:
            return WHY_NO_PAIR
        pair = np.int64(PAIR) << (8 * np.int64(g.trump))
        if g.saying or np.int64(g.hand[seat]) & pair == 0 or legal_cards(g, seat) & pair:
            return WHY_PAIR_LATE
        return WHY_PAIR_CARD
    if np.int64(g.hand[seat]) & bit(action) == 0:
        return WHY_NOT_IN_HAND
    if g.saying:
        return WHY_SAYING
    led = np.int64(g.trick_card[1 - seat])
    if np.int64(g.hand[seat]) & (np.int64(255) << (8 * (led >> 3))) == 0:
        return WHY_TRUMP
    return WHY_BEAT if action >> 3 == led >> 3 else WHY_FOLLOW


@kernel(inner=True)
def final_return(g, rules, mode):
    """Return the zero-sum result of seat 0 of a finished game: points, what the game pays, or games won."""
    if mode <= DENSE or (mode == SETTLEMENT and g.episode == EPISODE_DEAL):
        return np.int64(g.match_scores[0] + g.scores[0]) - np.int64(g.match_scores[1] + g.scores[1])
    if g.winner == NONE:
        return np.int64(0)
    return np.int64(1) if g.winner == 0 else np.int64(-1)


@kernel
def set_up_row(games, i, rules, announced):
    """Bring a row that was set up after the auction to what was announced, and note who was dealt the pair."""
    g = games[i]
    pair = np.int64(PAIR) << (8 * np.int64(g.trump))
    before = np.int64(g.ev_n)
    first, second = np.int64(g.scores[0]), np.int64(g.scores[1])
    for s in range(SEATS):
        hand = np.int64(g.hand[s])
        g.hand[s] = hand | np.int64(g.played[s])  # what it announced from
        if g.hand[s] & pair == pair and g.phase >= LEAD:
            g.pair_seat = s
            g.pair_paid[s] = 1 if g.pair_said[s] > (rules[ix.BELOTE_CALL_DEADLINE] == ix.DEADLINE_BOTH) else 0
    elder = 1 - np.int64(g.dealer)
    for k in range(SEATS):
        seat = elder if k == 0 else 1 - elder
        if announced[seat]:
            announce(g, rules, seat)
    if g.phase >= LEAD:
        compare(g, rules)
        g.step = STEP_PLAY
    for s in range(SEATS):
        g.hand[s] = np.int64(g.hand[s]) & ~np.int64(g.played[s])
    for c in range(CONTESTS):
        winner = elder if g.outcome[c] == TO_ELDER else 1 - elder
        if g.declared[c] > 0 and g.tricks[winner] > 0:
            g.paid[c] = 1
    g.ev_n = before  # the points that were scored stand in the scores of the position
    g.scores[0] = first
    g.scores[1] = second
