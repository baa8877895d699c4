"""What a deal of Belote pays: the worked examples of sections 9.4 and 9.5, and every branch of the settlement."""

from __future__ import annotations

import itertools
from typing import Any

import numba
import numpy as np
import pytest

from bezique_env.rules import Rules, get_rules, settle
from bezique_env.rules.belote.settlement import settle_deal


def belote(preset: str | None = None, **overrides: Any) -> Rules:
    return get_rules("belote", preset, overrides)


TWO_HANDED = belote()
HOLD = belote(two_hand_tie="hold_over")
FALL = belote(two_hand_tie="fall")
BICYCLE = belote("bicycle")
SWISS = belote("swiss")
PAIR_STAYS = belote(belote_prenable=False)


def pays(rules: Rules, scores: tuple[int, int], **details: Any) -> tuple[int, int]:
    """What taker and opponent write, after looking at the same deal with the seats changed."""
    result = settle(rules, scores, taker=0, **details)
    if "pairs" in details:
        details["pairs"] = details["pairs"][::-1]
    assert settle(rules, scores[::-1], taker=1, **details) == result[::-1]
    assert all(type(points) is int for points in result)
    return result


# ------------------------------------------------------------------------------------ the worked examples


def test_s01_both_write_their_own_when_the_taker_has_more() -> None:
    assert pays(TWO_HANDED, (55, 50)) == (55, 50)


def test_s03_a_tie_leaves_the_taker_nothing() -> None:
    assert pays(TWO_HANDED, (60, 60)) == (0, 60)


def test_s04_a_tie_is_held_over_for_the_winner_of_the_next_deal() -> None:
    assert settle_deal(HOLD.vector, 60, 60, 0, 0) == (0, 60, 60)
    assert pays(HOLD, (60, 60)) == (0, 60)
    assert pays(HOLD, (80, 40), held=60) == (140, 40)  # the taker has more
    assert pays(HOLD, (40, 80), held=60) == (0, 180)  # the opponent has: 80, the taker's 40 and what waited


@pytest.mark.parametrize(("scores", "written"), [((61, 60), (61, 60)), ((59, 60), (0, 119))])
def test_one_point_decides(scores: tuple[int, int], written: tuple[int, int]) -> None:
    """Section 2.8: more than the other side, and less."""
    assert pays(TWO_HANDED, scores) == written


@pytest.mark.parametrize(
    ("points", "up"),
    [
        *((65, 70), (81, 80), (162, 160), (4, 0), (6, 10)),  # C19
        *((5, 10), (15, 20), (54, 50), (55, 60), (105, 110), (152, 150)),  # C20
    ],
)
def test_c19_c20_rounding_with_a_five_up(points: int, up: int) -> None:
    assert pays(belote(rounding="up5"), (200, points)) == (200, up)
    assert pays(belote(rounding="up5"), (points, 0)) == (up, 0)


@pytest.mark.parametrize(
    ("points", "down"), [(65, 60), (66, 70), (5, 0), (15, 10), (54, 50), (105, 100), (162, 160)]
)
def test_rounding_with_a_five_down(points: int, down: int) -> None:
    assert pays(belote(rounding="down5"), (200, points)) == (200, down)


def test_what_is_written_is_rounded_not_its_parts() -> None:
    """34 and 44 are 78, so 80; rounded by themselves they would be 30 and 40."""
    assert pays(belote(rounding="up5"), (34, 44)) == (0, 80)
    assert pays(belote(rounding="up5"), (31, 34)) == (0, 70)
    assert pays(belote("bicycle", rounding="up5"), (31, 34)) == (0, 30)


def test_the_winner_is_found_before_the_rounding() -> None:
    assert pays(belote(rounding="up5"), (62, 61)) == (60, 60)
    assert pays(belote(rounding="up5"), (61, 62)) == (0, 120)


# ------------------------------------------------------------------------------- ties, failures, held points


@pytest.mark.parametrize(
    ("rules", "equal", "less"),
    [
        (TWO_HANDED, (0, 70), (0, 130)),
        (belote("hoyle"), (0, 70), (0, 130)),
        (HOLD, (0, 70), (0, 130)),
        (FALL, (0, 140), (0, 130)),
        (SWISS, (0, 140), (0, 130)),
        (BICYCLE, (0, 70), (0, 70)),
        (belote("bicycle", two_hand_tie="fall"), (0, 70), (0, 70)),
        (belote("bicycle", two_hand_tie="hold_over"), (0, 70), (0, 70)),
    ],
    ids=lambda value: f"{value.preset}-{value.two_hand_tie}" if isinstance(value, Rules) else None,
)
def test_a_taker_without_more(rules: Rules, equal: tuple[int, int], less: tuple[int, int]) -> None:
    assert pays(rules, (70, 70)) == equal
    assert pays(rules, (60, 70)) == less
    assert pays(rules, (71, 70)) == (71, 70)


def test_points_wait_through_further_ties_and_are_not_rounded() -> None:
    rules = belote(two_hand_tie="hold_over", rounding="up5")
    taker, other, held = settle_deal(rules.vector, 63, 63, 0, 0)
    assert (taker, other, held) == (0, 60, 63)
    taker, other, held = settle_deal(rules.vector, 44, 44, 0, held)
    assert (taker, other, held) == (0, 40, 107)
    assert settle_deal(rules.vector, 81, 79, 0, held) == (187, 80, 0)
    assert settle_deal(rules.vector, 40, 58, 0, held) == (0, 207, 0)  # 98 is 100, and 107


def test_nothing_waits_without_the_option() -> None:
    for rules in (TWO_HANDED, FALL, BICYCLE, SWISS):
        assert settle_deal(rules.vector, 60, 60, 0, 0)[2] == 0


# --------------------------------------------------------------------------------------------------- the pair


def test_the_pair_of_a_taker_who_fails_goes_with_the_rest() -> None:
    """Section 2.8 adds up everything; belote_prenable false leaves the taker his 20."""
    assert pays(TWO_HANDED, (70, 90), pairs=(20, 0)) == (0, 160)
    assert pays(PAIR_STAYS, (70, 90), pairs=(20, 0)) == (20, 140)
    assert pays(belote("bicycle", belote_prenable=False), (70, 90), pairs=(20, 0)) == (20, 90)


def test_the_pair_of_a_taker_who_ties() -> None:
    assert pays(TWO_HANDED, (80, 80), pairs=(20, 0)) == (0, 80)
    assert pays(PAIR_STAYS, (80, 80), pairs=(20, 0)) == (20, 80)
    assert pays(belote(two_hand_tie="fall", belote_prenable=False), (80, 80), pairs=(20, 0)) == (20, 140)
    waiting = belote(two_hand_tie="hold_over", belote_prenable=False)
    assert settle_deal(waiting.vector, 80, 80, 20, 0) == (20, 80, 60)


def test_the_pair_counts_for_having_more_and_the_opponents_stays_his() -> None:
    for rules in (TWO_HANDED, PAIR_STAYS):
        assert pays(rules, (90, 80), pairs=(20, 0)) == (90, 80)  # A27
        assert pays(rules, (70, 90), pairs=(0, 20)) == (0, 160)
        assert pays(rules, (90, 70), pairs=(0, 20)) == (90, 70)


def test_a_pair_that_stays_is_rounded_by_itself() -> None:
    rules = belote(belote_prenable=False, rounding="up5")
    assert pays(rules, (66, 99), pairs=(20, 0)) == (20, 150)  # 99 and 46 are 145


# --------------------------------------------------------------------------------------------------- revokes


@pytest.mark.parametrize(
    ("penalty", "taker", "opponent", "both"),
    [
        ("offender_minus_50", (5, 50), (55, 0), (5, 0)),
        ("opponent_plus_50", (55, 100), (105, 50), (105, 100)),
        ("none", (55, 50), (55, 50), (55, 50)),
    ],
)
def test_a21_a_revoke_costs_fifty_after_the_settlement(
    penalty: str, taker: tuple[int, int], opponent: tuple[int, int], both: tuple[int, int]
) -> None:
    rules = belote(revoke_penalty=penalty)
    assert settle(rules, (55, 50), taker=0, revokes=[0]) == taker
    assert settle(rules, (55, 50), taker=0, revokes=(1,)) == opponent
    assert settle(rules, (55, 50), taker=0, revokes=[0, 1]) == both


def test_a21_no_floor_and_a_revoke_each_time() -> None:
    assert settle(TWO_HANDED, (60, 70), taker=0, revokes=[0]) == (-50, 130)
    assert settle(TWO_HANDED, (60, 70), taker=0, revokes=[0, 0]) == (-100, 130)


# ---------------------------------------------------------------------------------------------- every result


CHOICES = list(
    itertools.product(
        ("taker_zero", "hold_over", "fall"),
        ("opponent_sum", "taker_loses_only"),
        (True, False),
    )
)


@pytest.mark.parametrize(("tie", "fail", "prenable"), CHOICES)
def test_no_points_are_made_or_lost_but_where_an_option_says_so(tie: str, fail: str, prenable: bool) -> None:
    rules = belote(two_hand_tie=tie, two_hand_fail=fail, belote_prenable=prenable)
    for taker, other, pair in itertools.product(range(20, 90, 7), range(0, 90, 5), (0, 20)):
        for held in (0, 33) if tie == "hold_over" else (0,):
            gets, gives, after = settle_deal(rules.vector, taker, other, pair, held)
            if taker > other:
                lost = 0
            elif taker < other:
                lost = taker if fail == "taker_loses_only" else 0
            elif tie == "hold_over":
                lost = 0
            else:
                lost = taker if tie == "taker_zero" or fail == "taker_loses_only" else 0
            if lost and not prenable:
                lost -= pair
            assert gets + gives + after == taker + other + held - lost
            assert gives >= other
            assert after == 0 or taker == other


def test_the_settlement_compiles_as_it_stands() -> None:
    compiled = numba.njit(settle_deal)
    for tie, fail, prenable in CHOICES:
        for rounding in ("none", "up5", "down5"):
            vector = belote(
                two_hand_tie=tie, two_hand_fail=fail, belote_prenable=prenable, rounding=rounding
            ).vector
            for taker, other in itertools.product((45, 62, 65, 70, 103), (45, 62, 65, 70, 103)):
                for pair, held in ((0, 0), (20, 0), (20, 51)):
                    expected = settle_deal(vector, taker, other, pair, held)
                    assert compiled(vector, taker, other, pair, held) == expected


# -------------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize("taker", [None, 2, -1, True, "0"])
def test_a_taker_is_a_seat(taker: Any) -> None:
    with pytest.raises(ValueError, match=rf"^taker: {taker!r} is no seat: it must be 0 or 1"):
        settle(TWO_HANDED, (55, 50), taker=taker)


@pytest.mark.parametrize("scores", [(55,), (55, 50, 1), (55, -1), (55.0, 50), "ab"])
def test_scores_are_two_whole_numbers(scores: Any) -> None:
    with pytest.raises(ValueError, match=r"^scores: .* must be two whole numbers of 0 or more"):
        settle(TWO_HANDED, scores, taker=0)


@pytest.mark.parametrize(
    ("pairs", "words"),
    [
        ((10, 0), "pairs: 10 of seat 0 must be 0 or 20"),
        ((0, 40), "pairs: 40 of seat 1 must be 0 or 20"),
        ((0, 20), "within its score of 10"),
        ((20,), "pairs: .* must be two whole numbers"),
    ],
)
def test_a_pair_is_twenty_of_the_score(pairs: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        settle(TWO_HANDED, (55, 10), taker=0, pairs=pairs)


def test_two_seats_cannot_hold_the_pair() -> None:
    with pytest.raises(ValueError, match=r"^pairs: only one seat can hold king and queen of trumps"):
        settle(TWO_HANDED, (55, 50), taker=0, pairs=(20, 20))


def test_points_wait_only_under_hold_over() -> None:
    for rules in (TWO_HANDED, FALL):
        with pytest.raises(ValueError, match=f"^held: 10 points .*{rules.two_hand_tie!r}.*'hold_over'"):
            settle(rules, (55, 50), taker=0, held=10)
    for held in (-1, 2.5, None):
        with pytest.raises(ValueError, match=rf"^held: {held!r} must be a whole number of 0 or more"):
            settle(HOLD, (55, 50), taker=0, held=held)


@pytest.mark.parametrize("seat", [2, -1, True, "1", None])
def test_a_revoke_is_of_a_seat(seat: Any) -> None:
    with pytest.raises(ValueError, match=rf"^revokes: {seat!r} is no seat"):
        settle(TWO_HANDED, (55, 50), taker=0, revokes=[seat])


def test_details_of_the_other_family_are_unknown() -> None:
    with pytest.raises(TypeError, match="brisques"):
        settle(TWO_HANDED, (55, 50), taker=0, brisques=(3, 4))
    with pytest.raises(TypeError, match="taker"):
        settle(get_rules("rubicon"), (1500, 1200), taker=0)


def test_numpy_numbers_are_numbers() -> None:
    scores = tuple(np.array([55, 50], np.int32))
    assert settle(TWO_HANDED, scores, taker=np.int64(0)) == (55, 50)
    assert settle(HOLD, scores, taker=0, held=np.uint8(9)) == (64, 50)
