"""The cards of the Bezique family: ranks by strength."""

from __future__ import annotations

from bezique_env.cards import CardSet

CARDS = CardSet("789JQKTA")
RANKS = CARDS.ranks
SEVEN, EIGHT, NINE, JACK, QUEEN, KING, TEN, ACE = range(8)

CARD_TEXTS = CARDS.texts
card_text = CARDS.text
card_id = CARDS.id
