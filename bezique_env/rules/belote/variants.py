"""The members of the Belote family as data: seats, points, options and presets.

A variant is one :class:`Variant` in :data:`VARIANTS`; a preset is one entry of its ``presets``. The engine
reads the numbers that :mod:`bezique_env.rules.registry` makes of them and knows no variant by name.
"""

from __future__ import annotations

from typing import Any

from bezique_env.rules.belote.options import SCORES
from bezique_env.rules.belote.shape import Shape
from bezique_env.rules.family import Variant

_HOYLE: dict[str, Any] = {
    "r2_elder_actions": "named",
    "r2_dealer_may_propose": True,
    "schmeiss_refused_makes": "responder",
}
_IRREGULARITIES = (
    "faced cards, hands of a wrong length and bids out of turn, which cannot happen; a revoke only in settle"
)

VARIANTS: dict[str, Variant] = {
    "belote": Variant(
        title="Two-handed Belote (Klaberjass)",
        hand_size=9,
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
}
"""Every variant by id: the list that a new member of the family extends."""
