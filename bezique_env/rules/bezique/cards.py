"""The cards of the Bezique family: ranks by strength."""

from __future__ import annotations

from bezique_env.cards import CardSet
from bezique_env.rules.bezique import index as ix
from bezique_env.rules.family import Pack

CARDS = CardSet("789JQKTA")
RANKS = CARDS.ranks
SEVEN, EIGHT, NINE, JACK, QUEEN, KING, TEN, ACE = range(8)

CARD_TEXTS = CARDS.texts
card_text = CARDS.text
card_id = CARDS.id


def pack_numbers(cards: CardSet, pack: Pack) -> dict[int, int]:
    """Return what the vector says of a pack, by place.

    Aces and tens are the brisques; in a pack without both, the cards of its highest rank are.
    """
    kinds = pack.kinds(cards)
    highest = max(card & 7 for card in kinds)
    return {
        ix.HAND_SIZE: pack.hand,
        ix.KINDS: cards.mask(kinds),
        ix.KIND_COUNT: len(kinds),
        ix.BRISQUES_FROM: min(TEN, highest),
    }
