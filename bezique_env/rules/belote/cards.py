"""The cards of the Belote family: ranks in their natural order, as runs and the cut go; strength depends on trump."""

from __future__ import annotations

from bezique_env.cards import CardSet
from bezique_env.rules.belote import index as ix
from bezique_env.rules.family import Pack

CARDS = CardSet("789TJQKA")
RANKS = CARDS.ranks
SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE = range(8)

CARD_TEXTS = CARDS.texts
card_text = CARDS.text
card_id = CARDS.id


def pack_numbers(cards: CardSet, pack: Pack) -> dict[int, int]:
    """Return what the vector says of a pack, by place: a third of a hand, at least a card, follows the auction."""
    kinds = pack.kinds(cards)
    return {
        ix.HAND_SIZE: pack.hand,
        ix.MORE_CARDS: max(1, pack.hand // 3),
        ix.KINDS: cards.mask(kinds),
        ix.KIND_COUNT: len(kinds),
    }
