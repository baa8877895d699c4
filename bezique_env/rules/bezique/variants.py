"""The members of the Bezique family as data: packs, points, options and presets.

A variant is one :class:`Variant` in :data:`VARIANTS`; a preset is one entry of its ``presets``. The engine
reads the numbers that :mod:`bezique_env.rules.registry` makes of them and knows no variant by name.
"""

from __future__ import annotations

from typing import Any

from bezique_env.rules.bezique.options import (
    EIGHT_PACK_SCORES,
    FOUR_PACK_SCORES,
    MINI_SCORES,
    SCORES,
    SIX_PACK_SCORES,
)
from bezique_env.rules.bezique.shape import Shape
from bezique_env.rules.family import Pack, Variant

NEVER = 2**31 - 1
"""The target of a game that ends with its one deal."""


_NO_FILDINSKI: dict[str, Any] = {
    "melds_from": "hand",
    "fildinski_reuse": "per_turn",
    "fildinski_endgame": "off",
    "fildinski_dix": "trick_winner",
}
_FOR_MORE_PACKS: dict[str, Any] = {
    "reform": "none",
    "marriage_rematch": "cross_pairs",
    "carte_blanche_courts": "AKQJ",
    "settlement": "games",
    "tie": "draw",
    "cut_bonus": "off",
}
_TWO_PACK_BRISQUES = ("at_trick", "at_hand_end", "none")

_NO_SEVENS: dict[str, Any] = {
    "dix_score": "none",
    "dix_endgame": "no",
    "dix_exchange": "uses_declaration",
    "dealer_seven": 0,
    "four_tens": 0,
    "quartet_suits_bonus": "off",
}
"""What a pack without sevens, tens and four suits does not ask."""

_ONE_DEAL: dict[str, Any] = {
    "declare": "one",
    "meld_groups": "four",
    "double_bezique": "build_any",
    "double_credit": "additive",
    "dix_score": "none",
    "dix_endgame": "no",
    "dix_exchange": "uses_declaration",
    "dealer_seven": 0,
    "target": NEVER,
    "game_end": "deal_end",
    "both_over": "higher",
    "double_win_under": 0,
    "trump_repeat": "allowed",
    **_NO_FILDINSKI,
}
"""What the games of one deal without a turn-up do not ask (four packs and more)."""
_ONE_DEAL_VALUES: dict[str, tuple[Any, ...]] = {
    "brisques": ("none", "tiebreak", "tiebreak_and_rubicon"),
    "trump": ("first_marriage", "first_marriage_or_sequence", "first_marriage_sequence_or_bezique"),
    "deal_packets": ("threes", "singles"),
}
_MORE_PACKS_VALUES: dict[str, tuple[Any, ...]] = {
    **_ONE_DEAL_VALUES,
    "settlement": ("saari_example", "saari_table", "sum"),
}
_MORE_PACKS_DEFAULTS: dict[str, Any] = {
    "brisques": "none",
    "trump": "first_marriage_or_sequence",
    "deal_packets": "singles",
    "reform": "replace",
    "settlement": "saari_example",
}
_LAWS_OF_IRREGULARITY = (
    "misdeals, faced cards, wrong draws, wrong marking and revokes (POR 12-14, 18-31, 50-55), which cannot "
    "happen; an over-long hand (POR 17) only in settle"
)

VARIANTS: dict[str, Variant] = {
    "two_pack": Variant(
        title="Two-pack Bezique",
        pack=Pack(8),
        shape=Shape(2, 8, False),
        scores=SCORES,
        example='rules="finnish", overrides={"target": 1500}',
        narrowed={"brisques": _TWO_PACK_BRISQUES},
        fixed={**_FOR_MORE_PACKS, **_NO_FILDINSKI},
        presets={
            "standard": {
                "title": "the recommended common ground of the three primary documents",
                "sources": ("SAARI", "FINN", "DUTCH", "HOF"),
                "values": {},
            },
            "saari": {
                "title": "as Saari's book has it",
                "sources": ("SAARI",),
                "values": {"declare": "lay_many_score_one", "dealer_seven": 0},
            },
            "finnish": {
                "title": "as the Finnish web page has it",
                "sources": ("FINN",),
                "values": {
                    "brisques": "at_hand_end",
                    "declare": "many_disjoint",
                    "meld_groups": "three",
                    "double_bezique": "one_go",
                    "dix_score": "as_meld",
                    "dix_exchange": "free",
                    "game_end": "immediate",
                },
            },
            "dutch": {
                "title": "as the Dutch article has it",
                "sources": ("DUTCH",),
                "values": {
                    "brisques": "at_hand_end",
                    "dix_score": "on_play",
                    "dix_exchange": "instead_of_score",
                    "endgame": "follow_trump",
                    "double_win_under": 0,
                },
            },
            "no_ready_trump": {
                "title": "standard, but the first marriage fixes trump",
                "sources": ("SAARI", "HOF", "FOS"),
                "values": {"trump": "first_marriage", "dix_score": "none", "dealer_seven": 0},
            },
            "shifting": {
                "title": "standard, but the bezique pair shifts under trump spades or diamonds",
                "sources": ("SAARI", "PKW", "NIE"),
                "values": {"bezique_pair": "shifting"},
            },
        },
    ),
    "rubicon": Variant(
        title="Rubicon or Japanese Bezique (four packs)",
        pack=Pack(9),
        shape=Shape(4, 9, True),
        scores=FOUR_PACK_SCORES,
        example='rules="portland", overrides={"carte_blanche_courts": "AKQJ"}',
        defaults={
            "brisques": "tiebreak",
            "trump": "first_marriage_or_sequence",
            "deal_packets": "threes",
            "reform": "replace",
            "settlement": "saari_example",
            "tie": "brisques_then_draw",
        },
        narrowed={
            **_ONE_DEAL_VALUES,
            "settlement": ("saari_example", "saari_table", "portland", "bicycle"),
        },
        fixed={**_ONE_DEAL, "cut_bonus": "off"},
        presets={
            "saari": {
                "title": "as Saari's book has it, with the re-forming of all other authorities",
                "sources": ("SAARI", "HOF", "PEN"),
                "values": {},
            },
            "portland": {
                "title": "the laws of the Portland Club, 1887",
                "sources": ("POR", "HOF"),
                "values": {
                    "brisques": "tiebreak_and_rubicon",
                    "carte_blanche_courts": "KQJ",
                    "settlement": "portland",
                },
                "not_modelled": (_LAWS_OF_IRREGULARITY,),
            },
            "bicycle": {
                "title": "as the Bicycle page has it",
                "sources": ("BIC-R",),
                "values": {"carte_blanche_courts": "KQJ", "settlement": "bicycle"},
            },
        },
    ),
    "chinese": Variant(
        title="Chinese Bezique (six packs)",
        pack=Pack(12),
        shape=Shape(6, 12, True),
        scores=SIX_PACK_SCORES,
        example='rules="trump_queen", overrides={"cut_bonus": "on"}',
        defaults=_MORE_PACKS_DEFAULTS,
        narrowed=_MORE_PACKS_VALUES,
        fixed=_ONE_DEAL,
        presets={
            "saari": {
                "title": "as Saari's book has it, with the re-forming of all other authorities",
                "sources": ("SAARI", "CMC-6", "PKW"),
                "values": {},
            },
            "sum": {
                "title": "saari, but the points of a loser under the rubicon are added to the winner's",
                "sources": ("CMC-6",),
                "values": {"settlement": "sum"},
            },
            "trump_queen": {
                "title": "saari, but the trump queen and a jack make the bezique, which also fixes trump",
                "sources": ("SAARI", "CMC-6", "HER"),
                "values": {"bezique_pair": "trump_queen", "trump": "first_marriage_sequence_or_bezique"},
            },
        },
    ),
    "eight_pack": Variant(
        title="Eight-pack Bezique",
        pack=Pack(15),
        shape=Shape(8, 15, True),
        scores=EIGHT_PACK_SCORES,
        example='rules="sum", overrides={"four_tens": 90}',
        defaults=_MORE_PACKS_DEFAULTS,
        narrowed=_MORE_PACKS_VALUES,
        fixed={**_ONE_DEAL, "carte_blanche_courts": "AKQJ", "cut_bonus": "off"},
        presets={
            "saari": {
                "title": "as Saari's book has it, with the re-forming of all other authorities",
                "sources": ("SAARI", "PEN"),
                "values": {},
            },
            "sum": {
                "title": "saari, but the points of a loser under the rubicon are added to the winner's",
                "sources": ("CMC-6",),
                "values": {"settlement": "sum"},
            },
        },
    ),
    "fildinski": Variant(
        title="Fildinski or Polish Bezique (melds from the cards won)",
        pack=Pack(8),
        shape=Shape(2, 40, False),
        scores=SCORES,
        example='rules="by_class", overrides={"fildinski_endgame": "on"}',
        narrowed={"brisques": _TWO_PACK_BRISQUES, "dix_score": ("on_show", "none")},
        fixed={**_FOR_MORE_PACKS, "declare": "many_disjoint", "melds_from": "won"},
        presets={
            "standard": {
                "title": "the two-pack preset standard with melds from the cards won, as Saari's book has it",
                "sources": ("SAARI", "WKN-F", "EB11"),
                "values": {},
            },
            "by_class": {
                "title": "standard, but a card may serve once in each class of melds in a window",
                "sources": ("EB11",),
                "values": {"fildinski_reuse": "by_class"},
            },
        },
    ),
    "mini_bezique": Variant(
        title="Mini Bezique (small packs, for exact solution)",
        pack=Pack(3, "QJ", "SD"),
        shape=Shape(2, 6, False, kinds=8),
        scores=MINI_SCORES,
        example='rules="kqj4", overrides={"endgame": "follow_only"}',
        defaults={"double_win_under": 0, "target": 100},
        narrowed={"brisques": _TWO_PACK_BRISQUES},
        fixed={**_FOR_MORE_PACKS, **_NO_FILDINSKI, **_NO_SEVENS, "deal_packets": "singles"},
        presets={
            "qj3": {
                "title": "8 cards, Q J of S D, hands of 3: one trick from the stock",
                "sources": ("DESIGN",),
                "values": {},
                "pack": Pack(3, "QJ", "SD"),
            },
            "qj2": {
                "title": "8 cards, Q J of S D, hands of 2: two tricks from the stock",
                "sources": ("DESIGN",),
                "values": {},
                "pack": Pack(2, "QJ", "SD"),
            },
            "kqj4": {
                "title": "12 cards, K Q J of S D, hands of 4: two tricks from the stock",
                "sources": ("DESIGN",),
                "values": {},
                "pack": Pack(4, "KQJ", "SD"),
            },
        },
    ),
}
"""Every variant by id: the list that a new member of the family extends."""
