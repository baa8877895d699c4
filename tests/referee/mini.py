"""Bezique with small packs once more: the same rules of two packs, over fewer cards and what they can make.

Written from the plan of the small games, not from the engine; nothing here imports ``bezique_env``.
"""

from __future__ import annotations

from typing import Any, ClassVar

from tests.referee.two_pack import STANDARD, Referee

FIXED: dict[str, Any] = {
    "dix_score": "none",
    "dix_endgame": "no",
    "dix_exchange": "uses_declaration",
    "dealer_seven": 0,
    "four_tens": 0,
    "quartet_suits_bonus": "off",
    "deal_packets": "singles",
}
"""There are no sevens and no tens, quartets do not count, and cards are dealt one by one."""
DEFAULTS: dict[str, Any] = {
    **{name: value for name, value in STANDARD.items() if name not in FIXED},
    "double_win_under": 0,
    "target": 100,
}


class Mini(Referee):
    """One deal with a small pack; each size says its cards, its hand and, as its brisques, its highest rank."""

    DEFAULTS: ClassVar[dict[str, Any]] = DEFAULTS
    FIXED: ClassVar[dict[str, Any]] = FIXED
    DECLARATIONS: tuple[str, ...] = ("marriage S", "marriage D", "bezique 1", "bezique 2")


class QJ3(Mini):
    """Eight cards, hands of three."""

    PACK: ClassVar[list[str]] = ["QS", "JS", "QD", "JD"]
    BRISQUES = "Q"
    HAND = 3
    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {"qj3": {}}


class QJ2(QJ3):
    """Eight cards, hands of two."""

    HAND = 2
    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {"qj2": {}}


class KQJ4(Mini):
    """Twelve cards, hands of four."""

    PACK: ClassVar[list[str]] = ["KS", "QS", "JS", "KD", "QD", "JD"]
    BRISQUES = "K"
    HAND = 4
    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {"kqj4": {}}
