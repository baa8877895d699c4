"""The cards of the Belote family: ranks in their natural order, as runs and the cut go; strength depends on trump."""

from __future__ import annotations

from bezique_env.cards import CardSet

CARDS = CardSet("789TJQKA")
RANKS = CARDS.ranks
SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE = range(8)

CARD_TEXTS = CARDS.texts
card_text = CARDS.text
card_id = CARDS.id
