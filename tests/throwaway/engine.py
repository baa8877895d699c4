"""The engine of the throw-away family: records, kernels, and what a seat may know.

Sets of cards are bit masks (bit ``8 * suit + rank``), 255 stands for "no card", "nobody" or "hidden".
"""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path

import numpy as np

from bezique_env.engine.actions import ActionTable
from bezique_env.engine.cache import kernel
from bezique_env.engine.common import BETWEEN_DEALS, DENSE, EPISODE_DEAL, NO_TRUMP, NONE, OVER, SETTLEMENT
from bezique_env.engine.engine import Engine
from bezique_env.engine.rng import STREAM_DEAL, STREAM_DEALER, bounded, next_u64, stream_key
from tests.throwaway import rules as ix

SEATS, DECK, HAND = 2, 32, 8
LEAD, FOLLOW = 0, 1
PHASES = ("lead", "follow", "", "", "", "", "over", "between_deals")
CONCEDE = 32
EVENT_TRICK, EVENT_CONCEDED = 0, 1
MAX_EVENTS = 1
ACTIONS = ActionTable((*(f"play {card}" for card in ix.CARDS.texts), "concede"))

_SOURCES = sorted(Path(__file__).parent.glob("*.py"))
MARK = "duel_" + hashlib.sha256(b"".join(path.read_bytes() for path in _SOURCES)).hexdigest()[:8]
"""The field that only these records have. Compiled code is kept on disk by the type of the record and would not
see that sources outside the library change, so their hash is part of the name; a family of the house needs none."""

_PUBLIC = [
    ("scores", "i4", (SEATS,)),
    ("deal_no", "u4"),
    ("played", "u4", (SEATS,)),
    (MARK, "u1"),
    ("voids", "u4", (SEATS,)),  # cards of the suits that the seat could not follow
    ("trick_card", "u1", (SEATS,)),
    *((name, "u1") for name in ("episode", "draws", "dealer", "leader", "to_act", "trump", "turn_up")),
    ("winner", "u1"),
    ("phase", "u1"),
]


@functools.cache
def state_dtype(shape):
    """Return the record of one game, hidden cards included."""
    events = [(f"ev_{name}", kind, (MAX_EVENTS,)) for name, kind in (("seat", "u1"), ("what", "u1"))]
    return np.dtype(
        [
            ("seed", "u8"),
            ("match_scores", "i4", (SEATS,)),  # earlier deals of the match
            ("steps", "u4"),
            ("ev_points", "i4", (MAX_EVENTS,)),
            *events,
            ("ev_n", "u1"),
            ("manual", "u1"),
            ("hand", "u4", (SEATS,)),
            ("deck", "u1", (DECK,)),
            *_PUBLIC,
        ]
    )


@functools.cache
def view_dtype(shape):
    """Return the record of what one seat may know of one game."""
    return np.dtype(
        [
            ("match_scores", "i4", (SEATS,)),  # this deal included
            ("hand", "u4"),
            ("unseen", "u4"),
            ("concealed_n", "u1", (SEATS,)),
            ("deck", "u1", (DECK,)),
            ("seat", "u1"),
            *_PUBLIC,
        ]
    )


@kernel(inline_always=True)
def bit(card):
    """Return the mask of one card."""
    return np.int64(1) << np.int64(card)


@kernel(inline_always=True)
def suit_of(card):
    """Return the mask of the suit of a card."""
    return np.int64(255) << (np.int64(card) & 24)


@kernel(inline_always=True)
def seat_of(g, k):
    """Return who is dealt the k-th card: elder first, then in turn; 255 stays in the pack."""
    return (1 - g.dealer + k) & 1 if k < SEATS * HAND else NONE


@kernel(inner=True)
def deal(g):
    """Deal the deck as it lies."""
    for s in range(SEATS):
        g.scores[s] = 0
        g.hand[s] = 0
        g.played[s] = 0
        g.voids[s] = 0
        g.trick_card[s] = NONE
    for k in range(SEATS * HAND):
        g.hand[seat_of(g, k)] |= bit(g.deck[k])
    g.phase = LEAD
    g.leader = 1 - g.dealer
    g.to_act = g.leader


@kernel(inner=True)
def shuffle(g):
    """Shuffle by the seed and the number of the deal, and deal."""
    key = stream_key(g.seed, STREAM_DEAL, g.deal_no)
    for k in range(DECK):
        g.deck[k] = k
    for k in range(DECK - 1, 0, -1):
        key, j = bounded(key, k + 1)
        g.deck[k], g.deck[j] = g.deck[j], g.deck[k]
    deal(g)


@kernel(inner=True)
def start_game(g, rules, seed, dealer, episode, draws, manual):
    """Begin a game; ``dealer`` 255 is drawn from the seed. With ``manual`` the deck must be set first."""
    g.seed = seed
    g.match_scores[:] = 0
    g.ev_n = 0
    g.ev_seat[0] = 0  # a record that is used again keeps nothing
    g.ev_what[0] = 0
    g.ev_points[0] = 0
    g.steps = 0
    g.deal_no = 0
    g.episode = episode
    g.draws = draws
    g.manual = manual
    g.trump = NO_TRUMP
    g.turn_up = NONE
    g.winner = NONE
    g.dealer = stream_key(seed, STREAM_DEALER, 0) & np.uint64(1) if dealer == NONE else dealer
    if manual:
        deal(g)
    else:
        shuffle(g)


@kernel(inner=True)
def clear_setup(g):
    """Forget nothing: only decks are set from outside."""


@kernel(inner=True)
def next_deal(g, rules):
    """Deal the deck that was set from outside, after BETWEEN_DEALS."""
    g.ev_n = 0
    deal(g)


@kernel(inner=True)
def legal_cards(g, seat):
    """Return the cards that a seat may play, as a mask."""
    hand = np.int64(g.hand[seat])
    if g.phase == FOLLOW and hand & suit_of(g.trick_card[1 - seat]):
        return hand & suit_of(g.trick_card[1 - seat])
    return hand


@kernel(inner=True)
def write_mask(g, rules, mask, tmp):
    """Write the legal actions of the seat to act; all zero when the game is over."""
    playing = g.phase == LEAD or g.phase == FOLLOW
    cards = legal_cards(g, np.int64(g.to_act)) if playing else np.int64(0)
    for c in range(DECK):
        mask[c] = (cards >> c) & 1
    mask[CONCEDE] = 1 if g.phase == LEAD and rules[ix.CONCEDE] == ix.CONCEDE_ON else 0


WHY_OVER, WHY_CONCEDE, WHY_NOT_IN_HAND, WHY_FOLLOW = range(1, 5)


@kernel(inner=True)
def reason(g, rules, action, mask):
    """Return the code of why an action that is not in the legal ``mask`` is illegal."""
    if g.phase >= OVER:
        return WHY_OVER
    if action == CONCEDE:
        return WHY_CONCEDE
    return WHY_FOLLOW if np.int64(g.hand[g.to_act]) & bit(action) else WHY_NOT_IN_HAND


@kernel(inner=True)
def credit(g, seat, what, points):
    """Write points down for a seat."""
    g.scores[seat] += points
    g.ev_seat[0] = seat
    g.ev_what[0] = what
    g.ev_points[0] = points
    g.ev_n = 1


@kernel(inner=True)
def apply(g, rules, action, tmp):
    """Apply a legal action and move on to the next decision."""
    seat = np.int64(g.to_act)
    g.ev_n = 0
    g.steps += 1
    if action == CONCEDE:
        left = HAND - g.scores[0] - g.scores[1]
        credit(g, 1 - seat, EVENT_CONCEDED, left * rules[ix.VALUE_TRICK])
        end_deal(g, rules)
        return
    g.hand[seat] &= ~bit(action)
    g.played[seat] |= bit(action)
    if g.phase == LEAD:
        g.trick_card[seat] = action
        g.phase = FOLLOW
        g.to_act = 1 - seat
        return
    led = np.int64(g.trick_card[1 - seat])
    follows = suit_of(led) == suit_of(action)
    if not follows:
        g.voids[seat] |= suit_of(led)
    g.leader = seat if follows and action > led else 1 - seat
    g.trick_card[1 - seat] = NONE
    g.to_act = g.leader
    g.phase = LEAD
    credit(g, g.leader, EVENT_TRICK, rules[ix.VALUE_TRICK])
    if g.hand[seat] == 0:
        end_deal(g, rules)


@kernel(inner=True)
def end_deal(g, rules):
    """End the episode or the match, or deal again with the other dealer."""
    first = g.match_scores[0] + g.scores[0]
    second = g.match_scores[1] + g.scores[1]
    if g.episode == EPISODE_DEAL or (first != second and max(first, second) >= rules[ix.TARGET]):
        g.phase = OVER
        g.to_act = NONE
        g.winner = NONE if first == second else (0 if first > second else 1)
        return
    g.match_scores[0] = first
    g.match_scores[1] = second
    g.dealer = 1 - g.dealer
    g.deal_no += 1
    if g.manual:
        g.scores[:] = 0
        g.phase = BETWEEN_DEALS
        g.to_act = NONE
    else:
        shuffle(g)


@kernel(inner=True)
def final_return(g, rules, mode):
    """Return the zero-sum result of seat 0 of a finished game."""
    if mode <= DENSE or (mode == SETTLEMENT and g.episode == EPISODE_DEAL):
        return np.int64(g.match_scores[0] + g.scores[0] - g.match_scores[1] - g.scores[1])
    if g.winner == NONE:
        return np.int64(0)
    return np.int64(1 if g.winner == 0 else -1)


# ------------------------------------------------------------------------------- what a seat may know


@kernel(inner=True)
def copy_public(a, b):
    """Copy the fields that everyone may know, from a state to a view or back."""
    for s in range(SEATS):
        b.scores[s] = a.scores[s]
        b.played[s] = a.played[s]
        b.voids[s] = a.voids[s]
        b.trick_card[s] = a.trick_card[s]
    b.deal_no = a.deal_no
    b.episode = a.episode
    b.draws = a.draws
    b.dealer = a.dealer
    b.leader = a.leader
    b.to_act = a.to_act
    b.trump = a.trump
    b.turn_up = a.turn_up
    b.winner = a.winner
    b.phase = a.phase


@kernel(inner=True)
def count(mask):
    """Return the number of cards of a mask."""
    total = 0
    while mask:
        mask &= mask - 1
        total += 1
    return total


@kernel(inner=True)
def project(g, rules, seat, v):
    """Write what a seat may know into a view record. The only way from a state to anything seen."""
    copy_public(g, v)
    for s in range(SEATS):
        v.match_scores[s] = g.match_scores[s] + g.scores[s]
        v.concealed_n[s] = count(np.int64(g.hand[s]))
    v.seat = seat
    v.hand = g.hand[seat]
    v.unseen = np.int64(0xFFFFFFFF) & ~np.int64(g.hand[seat] | g.played[0] | g.played[1])
    for k in range(DECK):
        v.deck[k] = g.deck[k] if seat_of(g, k) == seat else NONE


@kernel(inner=True)
def resample(v, g, rules, key, work, tmp):
    """Write into ``g`` a state drawn from the deals that agree with a view, each deck equally likely."""
    copy_public(v, g)
    seat = np.int64(v.seat)
    other = 1 - seat
    for s in range(SEATS):
        g.match_scores[s] = v.match_scores[s] - v.scores[s]
    g.ev_n = 0
    g.ev_seat[0] = 0
    g.ev_what[0] = 0
    g.ev_points[0] = 0
    g.steps = 0
    g.manual = 0
    # The other hand is drawn first, from the cards that its plays do not deny.
    possible = np.int64(v.unseen) & ~np.int64(v.voids[other])
    cards = work[0]
    n = 0
    for c in range(DECK):
        if (possible >> c) & 1:
            cards[n] = c
            n += 1
    hand = np.int64(0)
    for k in range(v.concealed_n[other]):
        key, j = bounded(key, n - k)
        cards[k], cards[k + j] = cards[k + j], cards[k]
        hand |= bit(cards[k])
    g.hand[seat] = v.hand
    g.hand[other] = hand
    # Its cards lie at its places of the deck and the rest stays in the pack, both in any order.
    dealt = hand | np.int64(v.played[other])
    rest = np.int64(v.unseen) & ~hand
    for turn in range(2):
        pool = dealt if turn == 0 else rest
        n = 0
        for c in range(DECK):
            if (pool >> c) & 1:
                cards[n] = c
                n += 1
        for k in range(DECK):
            if seat_of(v, k) == (other if turn == 0 else NONE):
                key, j = bounded(key, n)
                g.deck[k] = cards[j]
                n -= 1
                cards[j] = cards[n]
    for k in range(DECK):
        if v.deck[k] != NONE:
            g.deck[k] = v.deck[k]
    key, g.seed = next_u64(key)


@kernel(inner=True)
def dealt(g, rules, places, owners):
    """Write the places of the deck that have been dealt, and to whom."""
    if g.phase == BETWEEN_DEALS:
        return 0
    for k in range(SEATS * HAND):
        places[k] = k
        owners[k] = seat_of(g, k)
    return SEATS * HAND


@kernel(inner=True)
def put_card(g, rules, place, card):
    """Set the card of a place that is not dealt yet."""
    g.deck[place] = card


ENGINE = Engine(
    family="duels",
    mark=MARK,
    actions=ACTIONS,
    phases=PHASES,
    events={EVENT_TRICK: "trick", EVENT_CONCEDED: "conceded"},
    state_dtype=state_dtype,
    view_dtype=view_dtype,
    scratch=1,
    work=(1, DECK),
    kernels={
        "start_game": start_game,
        "clear_setup": clear_setup,
        "next_deal": next_deal,
        "apply": apply,
        "write_mask": write_mask,
        "reason": reason,
        "final_return": final_return,
        "project": project,
        "project_board": project,
        "resample": resample,
        "dealt": dealt,
        "put_card": put_card,
    },
)
