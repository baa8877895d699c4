"""What a deal of the multi-pack games pays, written from section 8 of the rules page."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

SETTLEMENT_COUNTERS: tuple[str, ...] = (
    "settled higher score",
    "settled equal by brisques",
    "settled equal drawn",
    "settled equal brisques too",
    "saari_example crossed",
    "saari_example rubicon 500",
    "saari_example rubicon loser's points",
    "saari_table crossed",
    "saari_table rubicon 500",
    "saari_table rubicon loser's points",
    "portland crossed",
    "portland crossed, at least 100",
    "portland rubicon",
    "portland rubicon below 100",
    "portland saved by brisques",
    "portland saved, at least 100",
    "portland rubicon in spite of brisques",
    "portland brisques do not save",
    "portland equal with brisques",
    "portland equal rubicon",
    "portland rubicon with the winner below it",
    "bicycle crossed",
    "bicycle rubicon",
    "sum crossed",
    "sum rubicon",
)


@dataclass(frozen=True)
class Stakes:
    """The figures of one form of the game."""

    rubicon: int
    game_bonus: int
    rubicon_bonus: int | None  # None: the loser's points


STAKES = {4: Stakes(1000, 500, 500), 6: Stakes(3000, 1000, None), 8: Stakes(5000, 1000, None)}


def hundreds(points: int) -> int:
    """Points rounded down to the hundred."""
    return points // 100 * 100


def decide(
    tie: str, scores: tuple[int, int], brisques: tuple[int, int], counters: Counter[str] | None = None
) -> int | None:
    """The seat that wins, or None.

    Args:
        tie: The option ``tie``.
        scores: Raw scores.
        brisques: Brisques captured, counted not scored.
        counters: Where branches count themselves.
    """
    counters = Counter() if counters is None else counters
    if scores[0] != scores[1]:
        counters["settled higher score"] += 1
        return 0 if scores[0] > scores[1] else 1
    if tie == "draw":
        counters["settled equal drawn"] += 1
        return None
    if brisques[0] == brisques[1]:
        counters["settled equal brisques too"] += 1
        return None
    counters["settled equal by brisques"] += 1
    return 0 if brisques[0] > brisques[1] else 1


def settlement(
    packs: int,
    rule: str,
    tie: str,
    brisques_rule: str,
    scores: tuple[int, int],
    brisques: tuple[int, int],
    counters: Counter[str] | None = None,
    long_hand: int | None = None,
) -> tuple[int, int]:
    """What each seat receives.

    Args:
        packs: 4, 6 or 8.
        rule: The option ``settlement``.
        tie: The option ``tie``.
        brisques_rule: The option ``brisques``.
        scores: Raw scores.
        brisques: Brisques captured.
        counters: Where branches count themselves.
        long_hand: A seat that played with too many cards (law 17).
    """
    counters = Counter() if counters is None else counters
    winner = decide(tie, scores, brisques, counters) if long_hand is None else 1 - long_hand
    if winner is None:
        return (0, 0)
    high, low = scores[winner], scores[1 - winner]
    if rule == "portland":
        count_brisques = brisques_rule == "tiebreak_and_rubicon"
        own, other = brisques[winner], brisques[1 - winner]
        points = _portland(high, low, own, other, count_brisques, long_hand is not None, counters)
    else:
        points = _others(packs, rule, high, low, counters)
    return (points, -points) if winner == 0 else (-points, points)


def _others(packs: int, rule: str, high: int, low: int, counters: Counter[str]) -> int:
    stakes = STAKES[packs]
    failed = low < stakes.rubicon
    won, lost = hundreds(high), hundreds(low)
    if rule == "sum":
        counters["sum rubicon" if failed else "sum crossed"] += 1
        return (won + lost if failed else won - lost) + 1000
    if rule == "bicycle":
        counters["bicycle rubicon" if failed else "bicycle crossed"] += 1
        return won + lost + 1000 + 320 if failed else won - lost + 500
    points = won - lost
    if rule == "saari_table":
        points += stakes.game_bonus
    if not failed:
        counters[f"{rule} crossed"] += 1
        return points
    if stakes.rubicon_bonus is None:
        counters[f"{rule} rubicon loser's points"] += 1
        return points + lost
    counters[f"{rule} rubicon {stakes.rubicon_bonus}"] += 1
    return points + stakes.rubicon_bonus


def _portland(
    high: int, low: int, own: int, other: int, law_60: bool, long_hand: bool, counters: Counter[str]
) -> int:
    """Laws 17 and 57 to 61.

    Args:
        high: The winner's raw score.
        low: The loser's.
        own: The winner's brisques.
        other: The loser's.
        law_60: Whether brisques may save the rubicon.
        long_hand: Whether the loser had too many cards.
        counters: Where branches count themselves.
    """
    below_100 = 100 if low < 100 else 0
    if long_hand:
        return hundreds(high) + min(900, hundreds(low)) + 1300 + below_100
    saved = law_60 and low < 1000 <= low + 10 * other
    if low < 1000 and not saved:
        counters["portland rubicon"] += 1
        counters["portland rubicon below 100"] += below_100 > 0
        counters["portland equal rubicon"] += high == low
        counters["portland rubicon with the winner below it"] += high < 1000
        counters["portland rubicon in spite of brisques"] += law_60
        counters["portland brisques do not save"] += not law_60 and low + 10 * other >= 1000
        return hundreds(high) + hundreds(low) + 1300 + below_100
    if saved or high == low:
        counters["portland saved by brisques" if saved else "portland equal with brisques"] += 1
        difference = hundreds(high + 10 * own) - hundreds(low + 10 * other)
        counters["portland saved, at least 100"] += saved and difference < 100
    else:
        counters["portland crossed"] += 1
        difference = hundreds(high) - hundreds(low)
        counters["portland crossed, at least 100"] += difference < 100
    return max(100, difference) + 500
