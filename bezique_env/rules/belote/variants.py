"""The members of the Belote family as data: seats, points, options and presets.

A variant is one :class:`Variant` in :data:`VARIANTS`; a preset is one entry of its ``presets``. The engine
reads the numbers that :mod:`bezique_env.rules.registry` makes of them and knows no variant by name.
"""

from __future__ import annotations

from typing import Any

from bezique_env.rules.belote.options import SCORES
from bezique_env.rules.belote.shape import Shape
from bezique_env.rules.family import Pack, Variant

_HOYLE: dict[str, Any] = {
    "r2_elder_actions": "named",
    "r2_dealer_may_propose": True,
    "schmeiss_refused_makes": "responder",
}
_IRREGULARITIES = (
    "faced cards, hands of a wrong length and bids out of turn, which cannot happen; a revoke only in settle"
)

_ONE_HAND: dict[str, Any] = {
    "accepted_redeal_dealer": "same",
    "max_redeals": 0,
    "schmeiss": "off",
    "schmeiss_refused_makes": "proposer",
    "r2_elder_actions": "named",
    "r2_dealer_may_propose": False,
    "all_pass": "dealer_forced",
}
"""An auction after which the hand is always played."""
_NO_SEVENS: dict[str, Any] = {
    "four_of_a_kind": "off",
    "exchange_seven": "off",
    "exchange_window": "after_3_cards_before_announce",
    "exchange_seven_from": "any9",
    "exchange_requires_turned_suit_trump": True,
}
"""What a pack without sevens and four suits does not ask."""

VARIANTS: dict[str, Variant] = {
    "belote": Variant(
        title="Two-handed Belote (Klaberjass)",
        pack=Pack(9),
        shape=Shape(2),
        scores=SCORES,
        example='rules="hoyle", overrides={"target": 1000}',
        presets={
            "two_handed": {
                "title": "as the Finnish page on the two-handed game has it",
                "sources": ("PRIMARY",),
                "values": {},
                "not_modelled": (_IRREGULARITIES,),
            },
            "hoyle": {
                "title": "the American line: elder names a suit in round 2, and who refuses a new deal plays",
                "sources": ("UMICH", "POKW", "PARLETT"),
                "values": _HOYLE,
            },
            "bicycle": {
                "title": "hoyle with sequences of 20, 40 and 50, four of a kind, and no sum after a failure",
                "sources": ("BICYCLE", "UMICH"),
                "values": {
                    **_HOYLE,
                    "run_values": "20/40/50",
                    "four_of_a_kind": "bicycle",
                    "two_hand_fail": "taker_loses_only",
                },
            },
            "swiss": {
                "title": "Cinq Cents; values of declarations from Swiss Jass at large, the pages of the game have none",
                "sources": ("SWISS500", "WEIS"),
                "values": {
                    "schmeiss": "off",
                    "r2_elder_actions": "named",
                    "run_values": "20/50/100",
                    "four_of_a_kind": "swiss",
                    "exchange_seven": "off",
                    "two_hand_tie": "fall",
                    "all_tricks_bonus": 100,
                },
            },
        },
    ),
    "mini_belote": Variant(
        title="Mini Belote (small packs, for exact solution)",
        pack=Pack(2, "JQK", "SH"),
        shape=Shape(2, kinds=12),
        scores=SCORES,
        example='rules="jqka3", overrides={"belote_auto": True}',
        defaults={"target": 100},
        fixed={**_ONE_HAND, **_NO_SEVENS},
        presets={
            "jqk2": {
                "title": "6 cards, J Q K of S H, hands of 2",
                "sources": ("DESIGN",),
                "values": {},
                "pack": Pack(2, "JQK", "SH"),
            },
            "jqka2": {
                "title": "8 cards, J Q K A of S H, hands of 2, two cards out of play that nobody sees",
                "sources": ("DESIGN",),
                "values": {},
                "pack": Pack(2, "JQKA", "SH"),
            },
            "jqka3": {
                "title": "8 cards, J Q K A of S H, hands of 3, so that sequences are announced",
                "sources": ("DESIGN",),
                "values": {},
                "pack": Pack(3, "JQKA", "SH"),
            },
        },
    ),
}
"""Every variant by id: the list that a new member of the family extends."""
