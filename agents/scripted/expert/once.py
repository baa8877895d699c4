"""What declarations are worth where a copy serves once in each kind of meld (two packs).

How many copies may still serve in each kind is counted in ``scratch.whole``; a card that leaves is taken off.
"""

from __future__ import annotations

import numpy as np

from agents.scripted.expert import names as at
from agents.scripted.expert.slots import (
    COME,
    FOUR_PLACE,
    SLOT_BEZIQUE,
    SLOT_BEZIQUE_2,
    SLOT_FOUR,
    SLOT_MARRIAGE,
    SLOT_MARRIAGE_2,
    SLOT_SEQUENCE,
    TAIL,
    TAIL_PAIR,
    lies_in_trumps,
    note,
)
from bezique_env.cards import NO_CARD
from bezique_env.engine.bezique.actions import BEZIQUE, EXCHANGE, FOUR, FOUR_TRUMP, MARRIAGE, SEQUENCE
from bezique_env.engine.bezique.state import (
    USED_BEZIQUE,
    USED_DOUBLE,
    USED_FOUR,
    USED_MARRIAGE,
    USED_SEQUENCE,
)
from bezique_env.engine.cache import kernel
from bezique_env.rules.bezique.cards import JACK, KING, QUEEN

# Places of scratch.whole: copies by card for marriages and sequences; queens and jacks for a single bezique,
# the same for a double; copies by rank for quartets.
MARRY, LINE, PAIR, RANK = 32, 64, 96, 104


@kernel(inner=True)
def add_copies(f, s, card, uses, n):
    """Count n copies more that have served as the marks say."""
    if uses & (USED_MARRIAGE | USED_SEQUENCE) == 0:
        s[MARRY + card] += n
    if uses & USED_SEQUENCE == 0:
        s[LINE + card] += n
    if uses & USED_FOUR == 0:
        s[RANK + (card & 7)] += n
    if (card == f.bezique_q or card == f.bezique_j) and uses & USED_DOUBLE == 0:
        place = PAIR if card == f.bezique_q else PAIR + 1
        s[place + 2] += n
        if uses & USED_BEZIQUE == 0:
            s[place] += n


@kernel(inner=True)
def count_copies(f, seat, concealed, s):
    """Count the copies of a seat: the concealed ones given and those on its table."""
    for k in range(MARRY, RANK + 8):
        s[k] = 0
    for card in range(32):
        n = np.int64(concealed[card])
        if n > 0:
            add_copies(f, s, card, np.int64(0), n)
    for t in range(np.int64(f.table_n[seat])):
        add_copies(f, s, np.int64(f.table_card[seat, t]), np.int64(f.table_uses[seat, t]), np.int64(1))


@kernel(inner=True)
def marriage(f, points, w, suit, s, x):
    """King and queen of a suit (H13, H15): what the pair scores, or the one card and the chance of the other.

    Kings and queens are kept before aces, as more combinations score with them (*Hoyle's Games Modernized*).
    """
    royal = lies_in_trumps(f, suit)
    v = np.float64(points[1 if royal else 0, MARRIAGE + suit])
    kings = s[MARRY + 8 * suit + KING]
    queens = s[MARRY + 8 * suit + QUEEN]
    pairs = min(kings, queens)
    chance = 0.0
    if kings > pairs:
        chance = x[COME + 8 * suit + QUEEN]
    elif queens > pairs:
        chance = x[COME + 8 * suit + KING]
    later = v * chance * w[at.MARRIAGE_ROYAL if royal else at.MARRIAGE_PLAIN]
    note(x, SLOT_MARRIAGE + suit, v if pairs > 0 else 0.0, later, v if pairs > 0 else v * chance)
    note(x, SLOT_MARRIAGE_2 + suit, v if pairs > 1 else 0.0, 0.0, 0.0)


@kernel(inner=True)
def sequence(f, points, w, suit, s, x):
    """The sequence (H11): what it scores, or its worth times the chance of every card that is missing.

    Dead where a missing card cannot come any more (*Hoyle's Games Modernized*).
    """
    royal = lies_in_trumps(f, suit)
    v = np.float64(points[1 if royal else 0, SEQUENCE + suit])
    if v == 0.0:
        note(x, SLOT_SEQUENCE + suit, 0.0, 0.0, 0.0)
        return
    chance = 1.0
    missing = 0
    for r in range(JACK, 8):
        if s[LINE + 8 * suit + r] == 0:
            chance *= x[COME + 8 * suit + r]
            missing += 1
    later = 0.0
    if 0 < missing < 5:
        later = v * chance * w[(at.SEQUENCE if royal else at.SEQUENCE_PLAIN) + missing - 1]
    note(x, SLOT_SEQUENCE + suit, v if missing == 0 else 0.0, later, v * chance)


@kernel(inner=True)
def beziques(f, points, w, s, x):
    """Single and double bezique (H9, H10, H12).

    Bezique cards outrank all others; after a single they are kept until the double is impossible, which it is
    once the other side has shown, played or declared a needed copy (*Hoyle's Games Modernized*).
    """
    for k in range(2):
        note(x, SLOT_BEZIQUE + k, 0.0, 0.0, 0.0)
    note(x, SLOT_BEZIQUE_2, 0.0, 0.0, 0.0)
    if f.bezique_q == NO_CARD:
        return
    v = np.float64(points[0, BEZIQUE])
    pairs = min(s[PAIR], s[PAIR + 1])
    chance = 0.0
    if s[PAIR] > pairs:
        chance = x[COME + f.bezique_j]
    elif s[PAIR + 1] > pairs:
        chance = x[COME + f.bezique_q]
    later = v * chance * w[at.BEZIQUE] * w[at.BEZIQUE_MISSING]
    note(x, SLOT_BEZIQUE, v if pairs > 0 else 0.0, later, v if pairs > 0 else v * chance)
    note(x, SLOT_BEZIQUE_2, v if pairs > 1 else 0.0, 0.0, 0.0)
    v = np.float64(points[0, BEZIQUE + 1])
    no_queen = max(0, 2 - s[PAIR + 2])
    no_jack = max(0, 2 - s[PAIR + 3])
    missing = no_queen + no_jack
    if missing == 0:
        note(x, SLOT_BEZIQUE + 1, v, 0.0, v)
    elif missing < 4:
        chance = 1.0
        if no_queen > 0:
            chance *= x[TAIL_PAIR + 8 * (no_queen - 1)]
        if no_jack > 0:
            chance *= x[TAIL_PAIR + 1 + 8 * (no_jack - 1)]
        part = w[at.BEZIQUE + 1] * w[at.BEZIQUE_MISSING + min(3, missing) - 1]
        note(x, SLOT_BEZIQUE + 1, 0.0, v * chance * part, v * chance)


@kernel(inner=True)
def quartet(f, points, w, rank, s, x):
    """Four of a rank (H14): what they score, or the chance of those that are missing."""
    slot = SLOT_FOUR + FOUR_PLACE[rank]
    v = np.float64(points[0, FOUR + FOUR_PLACE[rank]])
    have = s[RANK + rank]
    if have >= 4:
        note(x, slot, v, 0.0, v)
    elif have > 0:
        chance = x[TAIL + 8 * (3 - have) + rank]
        note(x, slot, 0.0, v * chance * w[at.QUARTET + 3 - have], v * chance)
    else:
        note(x, slot, 0.0, 0.0, 0.0)


@kernel(inner=True)
def prospects(f, points, w, s, x):
    """Write every slot from the counted copies."""
    for suit in range(4):
        marriage(f, points, w, suit, s, x)
        sequence(f, points, w, suit, s, x)
    beziques(f, points, w, s, x)
    for rank in range(JACK, 8):
        quartet(f, points, w, rank, s, x)


@kernel(inner=True)
def prospects_of(f, points, w, card, s, x):
    """Write the slots again to which a card can belong."""
    rank = card & 7
    if rank < JACK:
        return
    quartet(f, points, w, rank, s, x)
    sequence(f, points, w, card >> 3, s, x)
    if rank in (KING, QUEEN):
        marriage(f, points, w, card >> 3, s, x)
    if card == f.bezique_q or card == f.bezique_j:
        beziques(f, points, w, s, x)


@kernel(inner=True)
def use_copy(f, s, card, mark, barred):
    """Let the copy that the engine would take serve: that on the table which served most, else one of the hand."""
    uses = np.int64(0)
    most = np.int64(-1)
    for t in range(np.int64(f.table_n[f.seat])):
        marks = np.int64(f.table_uses[f.seat, t])
        served = np.int64(f.table_served[f.seat, t])
        if f.table_card[f.seat, t] == card and marks & barred == 0 and served > most:
            most = served
            uses = marks
    add_copies(f, s, card, uses, np.int64(-1))
    add_copies(f, s, card, uses | mark, np.int64(1))


@kernel(inner=True)
def declare_copies(f, s, action):
    """Change the counted copies to what they are after a declaration."""
    if action < SEQUENCE:
        base = 8 * (action - MARRIAGE)
        use_copy(f, s, base + KING, np.int64(USED_MARRIAGE), USED_MARRIAGE | USED_SEQUENCE)
        use_copy(f, s, base + QUEEN, np.int64(USED_MARRIAGE), USED_MARRIAGE | USED_SEQUENCE)
    elif action < BEZIQUE:
        for r in range(JACK, 8):
            use_copy(f, s, 8 * (action - SEQUENCE) + r, np.int64(USED_SEQUENCE), np.int64(USED_SEQUENCE))
    elif action == BEZIQUE:
        use_copy(f, s, f.bezique_q, np.int64(USED_BEZIQUE), USED_BEZIQUE | USED_DOUBLE)
        use_copy(f, s, f.bezique_j, np.int64(USED_BEZIQUE), USED_BEZIQUE | USED_DOUBLE)
    elif action < FOUR:
        for k in range(4):
            s[PAIR + k] = 0
    elif action < FOUR_TRUMP:
        for rank in range(JACK, 8):
            if FOUR_PLACE[rank] == action - FOUR:
                s[RANK + rank] -= 4
    elif action == EXCHANGE:
        add_copies(f, s, 8 * f.trump, np.int64(0), np.int64(-1))
        add_copies(f, s, f.turn_up, np.int64(0), np.int64(1))
