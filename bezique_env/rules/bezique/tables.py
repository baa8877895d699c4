"""The settlements and values of the Bezique family as text."""

from __future__ import annotations

from typing import Any

from bezique_env.rules.bezique import index as ix
from bezique_env.rules.bezique import settlement as st
from bezique_env.rules.bezique.variants import NEVER, VARIANTS
from bezique_env.rules.family import Table


def value_text(option: str, value: Any) -> str:
    """Return an option value as it is written in YAML."""
    if option == "target" and value == NEVER:
        return "none: one deal"
    return "off" if option == "double_win_under" and value == 0 else str(value)


def score_text(place: int, points: int) -> str:
    """Return the points of a place of the vector as text."""
    return "the loser's points" if place == ix.RUBICON_BONUS and not points else str(points)


_SETTLEMENTS = {
    "games": (
        "one game",
        "two games, where the winner reached `target` and the loser has less than `double_win_under`",
        "SAARI 20, FINN 16",
    ),
    "saari_example": ("W - L", "W - L + {bonus}", "SAARI 33, 34"),
    "saari_table": ("W - L + {game}", "W - L + {bonus} + {game}", "SAARI's table"),
    "portland": (
        f"W - L, at least {st.HUNDRED}, + {{game}}; brisques are added to both first where they save the "
        "rubicon or break a tie",
        f"W + L + {st.PORTLAND_RUBICON}; {st.PORTLAND_UNDER_HUNDRED} more where the loser has less than "
        f"{st.HUNDRED}",
        "POR 57-61",
    ),
    "bicycle": ("W - L + {game}", f"W + L + {st.BICYCLE_RUBICON}", "BIC-R"),
    "sum": ("W - L + {game}", "W + L + {game}", "CMC-6"),
}
"""What the settlements pay: the loser has crossed the rubicon, has not, and the source."""


def settlement_rows(rules: Any) -> Table:
    """Return what the settlements of a variant pay; W and L are the scores rounded down to the hundred."""
    variant = VARIANTS[rules.variant]
    allowed = None if "settlement" in variant.fixed else variant.narrowed["settlement"]
    words = {
        "game": int(rules.vector[ix.GAME_BONUS]),
        "bonus": int(rules.vector[ix.RUBICON_BONUS]) or "L",
    }
    rows = []
    for name in allowed or (rules.settlement,):
        crossed, missed, source = _SETTLEMENTS[name]
        rows.append([name, crossed.format(**words), missed.format(**words), source])
    rubicon = int(rules.vector[ix.RUBICON])
    if rubicon:
        return [
            "settlement",
            f"loser with {rubicon} or more",
            f"loser with less than {rubicon}",
            "source",
        ], rows
    return ["settlement", "the winner gets", "or", "source"], rows


def settlement_note(rules: Any) -> str:
    """Return the sentence above the table of settlements."""
    if rules.vector[ix.RUBICON]:
        return (
            "W and L: the scores of winner and loser, rounded down to the hundred; the winner is found before the "
            "rounding."
        )
    return "A match goes over several deals, by `target` and `game_end`."
