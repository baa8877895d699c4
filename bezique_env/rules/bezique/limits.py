"""What a game of the Bezique family cannot exceed: decisions and points, derived from the numbers of its rules."""

from __future__ import annotations

from bezique_env.rules.bezique import index as ix
from bezique_env.rules.bezique.cards import KING, QUEEN
from bezique_env.rules.bezique.settlement import (
    BICYCLE_RUBICON,
    BRISQUE,
    HUNDRED,
    PORTLAND_RUBICON,
    PORTLAND_UNDER_HUNDRED,
)
from bezique_env.rules.family import Limits, Vector

_CARDS_OF_A_MELD = 10
"""The most cards that one declaration names (a quintuple bezique)."""
_LEVELS = 5


def limits(vector: Vector) -> Limits:
    """Return what a deal cannot exceed.

    Decisions: every card is played once; in a window there are so many scoring declarations, an exchange, a
    pass; a card is laid without scoring once, a trump seven shown once; carte blanche is asked at the deal and
    after each draw. Points: the best melds that so many declarations can score, see :func:`_melds`, all
    brisques and all that is paid once.
    """
    packs, hand = int(vector[ix.PACKS]), int(vector[ix.HAND_SIZE])
    deck = packs * int(vector[ix.KIND_COUNT])
    stock_tricks = (deck - 2 * hand) // 2
    windows = stock_tricks + (hand if vector[ix.FILDINSKI_ENDGAME] == ix.FILDINSKI_ENDGAME_ON else 0)
    scoring = 1
    if vector[ix.MELDS_FROM] == ix.MELDS_FROM_WON:  # each needs a card of the trick, once (in each class)
        scoring = 6 if vector[ix.FILDINSKI_REUSE] == ix.REUSE_BY_CLASS else 2
    elif vector[ix.DECLARE] == ix.DECLARE_MANY_DISJOINT:
        scoring = max(1, hand // 2)
    laid = deck if vector[ix.DECLARE] == ix.DECLARE_LAY_MANY else 0
    choices = _CARDS_OF_A_MELD if vector[ix.SELECTION] == ix.SELECTION_EXPLICIT else 0
    sevens = packs if vector[ix.DIX_SCORE] != ix.DIX_NONE else 0
    turned = vector[ix.TRUMP] == ix.TRUMP_TURN_UP
    asked = 2 + 2 * stock_tricks if vector[ix.VALUE_CARTE_BLANCHE] > 0 else 0
    decisions = (
        deck
        + windows * (scoring * (1 + choices) + 1 + int(turned))
        + laid * (1 + choices)
        + (sevens if vector[ix.DECLARE] != ix.DECLARE_MANY_DISJOINT else windows * sevens)
        + asked
    )

    points = sum(sorted(_melds(vector), reverse=True)[: windows * scoring])
    points += 2 * sevens * int(vector[ix.VALUE_SEVEN]) + int(vector[ix.DEALER_SEVEN])
    points += int(vector[ix.VALUE_LAST_TRICK])
    if vector[ix.BRISQUES] in (ix.BRISQUES_AT_TRICK, ix.BRISQUES_AT_HAND_END):
        points += packs * _brisques(vector) * int(vector[ix.VALUE_BRISQUE])
    if vector[ix.CUT_BONUS] == ix.CUT_ON:
        points += int(vector[ix.VALUE_CUT]) + int(vector[ix.VALUE_CUT_GUESS])
    points += (1 + stock_tricks) * int(vector[ix.VALUE_CARTE_BLANCHE])

    wins = 2 if vector[ix.SETTLEMENT] == ix.SETTLE_GAMES and vector[ix.DOUBLE_WIN_UNDER] > 0 else 1
    return Limits(decisions, 0, points, _payment(vector, points, packs * _brisques(vector)), wins)


def _brisques(vector: Vector) -> int:
    """Return how many cards of one pack are brisques."""
    return sum(
        1
        for card in range(32)
        if int(vector[ix.KINDS]) >> card & 1 and card & 7 >= int(vector[ix.BRISQUES_FROM])
    )


def _melds(vector: Vector) -> list[int]:
    """Return the values of all melds that can be scored in one deal, or of more.

    Without re-forming a copy serves once in each kind of meld, so that ``copies // size`` of a kind score. With
    it a meld scores again only after one of its copies was played, and standing melds of a kind share no copy:
    of c copies, s to a meld, no more than (c - s) + c // s score. A king and a queen marry each other once.
    """
    packs = int(vector[ix.PACKS])
    ranks = [
        [suit for suit in range(4) if int(vector[ix.KINDS]) >> (8 * suit + rank) & 1] for rank in range(8)
    ]
    again = vector[ix.REFORM] == ix.REFORM_REPLACE

    def times(copies: int, size: int) -> int:
        if copies < size:
            return 0
        return copies - size + copies // size if again else copies // size

    found: list[int] = []
    marriages = [suit for suit in ranks[KING] if suit in ranks[QUEEN]]
    for number in range(len(marriages)):
        value = ix.VALUE_ROYAL_MARRIAGE if number == 0 else ix.VALUE_MARRIAGE
        found += (packs * packs if again else packs) * [int(vector[value])]
        whole = all(marriages[number] in ranks[rank] for rank in range(3, 8))
        value = ix.VALUE_SEQUENCE if number == 0 else ix.VALUE_PLAIN_SEQUENCE
        found += (times(5 * packs, 5) if whole else 0) * [int(vector[value])]
    pairs = 1 if vector[ix.BEZIQUE_PAIR] == ix.PAIR_QS_JD else 2  # the pair may change once, with the trump
    for level in range(1, _LEVELS + 1):
        if packs >= level:
            found += pairs * times(2 * packs, 2 * level) * [int(vector[ix.VALUE_BEZIQUE + level - 1])]
    double = 2 if vector[ix.QUARTET_SUITS_BONUS] else 1
    for place, rank in enumerate((7, 6, 5, 4, 3)):
        copies = packs * len(ranks[rank])
        found += times(copies, 4) * [double * int(vector[ix.VALUE_FOUR + place])]
        if ranks[rank]:
            found += times(packs, 4) * [int(vector[ix.VALUE_FOUR_TRUMP + place])]
            found += times(packs, 5) * [int(vector[ix.VALUE_FIVE_TRUMP + place])]
    return found


def _payment(vector: Vector, points: int, brisques: int) -> int:
    """Return the most that the settlement pays, one seat having made all the points, or little under the rubicon."""
    kind = vector[ix.SETTLEMENT]
    if kind == ix.SETTLE_GAMES:
        return 2
    rubicon = int(vector[ix.RUBICON])
    most = points + BRISQUE * brisques
    if kind == ix.SETTLE_PORTLAND:
        bonus = max(PORTLAND_RUBICON + PORTLAND_UNDER_HUNDRED, int(vector[ix.GAME_BONUS]) + HUNDRED)
    elif kind == ix.SETTLE_BICYCLE:
        bonus = max(BICYCLE_RUBICON, int(vector[ix.GAME_BONUS]))
    else:
        bonus = int(vector[ix.GAME_BONUS]) + int(vector[ix.RUBICON_BONUS])
    return most + rubicon + bonus
