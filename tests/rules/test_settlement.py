"""What a game pays: the worked examples X60-X74 of the rules text, and every branch of every settlement."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numba
import numpy as np
import pytest

from bezique_env.rules import Rules, RulesError, get_rules, settle
from bezique_env.rules.bezique import index as ix
from bezique_env.rules.bezique import settlement as st
from bezique_env.rules.bezique.variants import VARIANTS
from tests.referee.settling import SETTLEMENT_COUNTERS
from tests.referee.settling import settlement as referee_settlement

SAARI = get_rules("rubicon")
TABLE = get_rules("rubicon", None, {"settlement": "saari_table"})
PORTLAND = get_rules("rubicon", "portland")
BICYCLE = get_rules("rubicon", "bicycle")
SIX = get_rules("chinese")
SIX_TABLE = get_rules("chinese", None, {"settlement": "saari_table"})
SIX_SUM = get_rules("chinese", "sum")
EIGHT = get_rules("eight_pack")
EIGHT_TABLE = get_rules("eight_pack", None, {"settlement": "saari_table"})
EIGHT_SUM = get_rules("eight_pack", "sum")

ALL = [
    get_rules("two_pack"),
    get_rules("fildinski"),
    *(SAARI, TABLE, PORTLAND, BICYCLE),
    get_rules("rubicon", "portland", {"brisques": "tiebreak"}),
    get_rules("rubicon", "portland", {"tie": "draw"}),
    get_rules("rubicon", "bicycle", {"brisques": "none", "tie": "draw"}),
    *(SIX, SIX_TABLE, SIX_SUM, EIGHT, EIGHT_TABLE, EIGHT_SUM),
    get_rules("chinese", "sum", {"brisques": "tiebreak", "tie": "brisques_then_draw"}),
]


def pays(
    rules: Rules,
    scores: tuple[int, int],
    brisques: tuple[int, int] | None = None,
    long_hand: int | None = None,
) -> int:
    """Return what seat 0 gets, after looking at the same game from the other side."""
    result = settle(rules, scores, brisques=brisques, long_hand=long_hand)
    turned = settle(
        rules,
        scores[::-1],
        brisques=None if brisques is None else brisques[::-1],
        long_hand=None if long_hand is None else 1 - long_hand,
    )
    assert result == turned[::-1]
    assert result[0] == -result[1]
    assert all(type(points) is int for points in result)
    return result[0]


# ------------------------------------------------------------------------------------ the worked examples


def test_x60_the_example_of_the_book() -> None:
    assert pays(SAARI, (1700, 900)) == 1300


def test_x61_a_thousand_has_crossed_the_rubicon() -> None:
    assert pays(SAARI, (1700, 1000)) == 700


def test_x62_the_same_two_with_the_bonus_of_the_table() -> None:
    assert pays(TABLE, (1700, 900)) == 1800
    assert pays(TABLE, (1700, 1000)) == 1200


def test_x63_the_fractions_of_a_hundred_fall_away() -> None:
    assert pays(PORTLAND, (1510, 1240)) == 800


def test_x64_less_than_a_hundred_counts_as_a_hundred() -> None:
    assert pays(PORTLAND, (1550, 1520)) == 600


def test_x65_the_sum_and_1300_for_a_rubicon() -> None:
    assert pays(PORTLAND, (1320, 620)) == 3200


def test_x67_brisques_save_the_rubicon() -> None:
    assert pays(PORTLAND, (1510, 940), (24, 8)) == 1200


def test_x69_brisques_decide_equal_scores() -> None:
    assert pays(PORTLAND, (1400, 1400), (20, 12)) > 0
    assert pays(PORTLAND, (1400, 1400), (16, 16)) == 0


def test_x70_an_over_long_hand_adds_at_most_nine_hundred() -> None:
    assert pays(PORTLAND, (2000, 1250), long_hand=1) == 4200


def test_x71_bicycle_adds_1000_and_320() -> None:
    assert pays(BICYCLE, (1320, 620)) == 3220


def test_x72_six_packs_in_three_settlements() -> None:
    assert pays(SIX, (5430, 2970)) == 5400
    assert pays(SIX_TABLE, (5430, 2970)) == 6400
    assert pays(SIX_SUM, (5430, 2970)) == 9300


def test_x74_eight_packs_the_winner_keeps_what_he_has() -> None:
    assert pays(EIGHT, (7200, 4900)) == 7200


# ------------------------------------------------------------------------------------------- the branches


@pytest.mark.parametrize(
    ("rules", "scores", "points"),
    [
        # rounding: each score down to the hundred, after the comparison
        (SAARI, (1790, 1700), 0),
        (SAARI, (1800, 1790), 100),
        (SAARI, (1700, 1690), 100),
        (SAARI, (1690, 1600), 0),
        (SAARI, (990, 10), 1400),  # both under the rubicon: the loser pays the bonus
        # the rubicon: one point short, reached exactly
        (SAARI, (1500, 990), 600 + 500),
        (SAARI, (1500, 1000), 500),
        (SAARI, (1010, 1000), 0),
        (SAARI, (600, 0), 600 + 500),
        (TABLE, (1500, 990), 600 + 500 + 500),
        (TABLE, (1500, 1000), 500 + 500),
        (TABLE, (1790, 1700), 500),
        (SIX, (5000, 2990), 5000),
        (SIX, (5000, 3000), 2000),
        (SIX, (5090, 0), 5000),
        (SIX_TABLE, (5000, 3000), 3000),
        (SIX_TABLE, (5000, 2990), 6000),
        (SIX_SUM, (5000, 2990), 5000 + 2900 + 1000),
        (SIX_SUM, (5000, 3000), 2000 + 1000),
        (SIX_SUM, (3090, 3000), 1000),
        (EIGHT, (9090, 4990), 9000),
        (EIGHT, (9000, 5000), 4000),
        (EIGHT_TABLE, (9000, 5000), 5000),
        (EIGHT_TABLE, (9000, 4990), 10_000),
        (EIGHT_SUM, (9000, 4990), 9000 + 4900 + 1000),
        (EIGHT_SUM, (9000, 5000), 4000 + 1000),
        (BICYCLE, (1550, 1520), 500),  # no hundred as in Portland
        (BICYCLE, (1500, 1000), 500 + 500),
        (BICYCLE, (1500, 990), 1500 + 900 + 1320),
        (BICYCLE, (1500, 90), 1500 + 1320),  # nothing more under a hundred
        (BICYCLE, (800, 700), 800 + 700 + 1320),
    ],
)
def test_rounding_and_the_rubicon(rules: Rules, scores: tuple[int, int], points: int) -> None:
    assert pays(rules, scores) == points


@pytest.mark.parametrize(
    ("scores", "points"),
    [
        ((1700, 1100), 600 + 500),  # law 57
        ((1590, 1400), 100 + 500),  # rounds to exactly a hundred
        ((1490, 1400), 100 + 500),  # rounds to nothing: counts as a hundred
        ((1200, 1000), 200 + 500),  # a thousand is no rubicon
        ((900, 600), 900 + 600 + 1300),  # law 58: even if the winner has not a thousand
        ((1500, 100), 1500 + 100 + 1300),  # a hundred is not under a hundred
        ((1500, 90), 1500 + 0 + 1300 + 100),  # law 59
        ((500, 0), 500 + 0 + 1300 + 100),
    ],
)
def test_portland_laws_57_to_59(scores: tuple[int, int], points: int) -> None:
    assert pays(PORTLAND, scores) == points


@pytest.mark.parametrize(
    ("scores", "brisques", "points"),
    [
        ((1500, 920), (24, 8), 1700 - 1000 + 500),  # the rubicon reached exactly: both add
        ((1500, 910), (24, 8), 1500 + 900 + 1300),  # ten short: nobody adds
        ((1500, 690), (1, 31), 1500 - 1000 + 500),  # 1,510 and 1,000
        ((1500, 680), (1, 31), 1500 + 600 + 1300),
        ((960, 950), (4, 28), 100 + 500),  # 1,000 and 1,230: the winner stays the winner
        ((1100, 990), (0, 32), 100 + 500),
        ((1000, 990), (16, 16), 100 + 500),
    ],
)
def test_portland_law_60(scores: tuple[int, int], brisques: tuple[int, int], points: int) -> None:
    assert pays(PORTLAND, scores, brisques) == points


def test_law_60_needs_its_option() -> None:
    """Under brisques: tiebreak they break ties and save nothing."""
    rules = get_rules("rubicon", "portland", {"brisques": "tiebreak"})
    assert pays(rules, (1510, 940), (24, 8)) == 1500 + 900 + 1300
    assert pays(rules, (1510, 940)) == 1500 + 900 + 1300


@pytest.mark.parametrize("settlement", ["saari_example", "saari_table", "bicycle"])
def test_no_other_settlement_saves_the_rubicon(settlement: str) -> None:
    rules = get_rules("rubicon", "portland", {"settlement": settlement})
    assert pays(rules, (1510, 940), (0, 32)) == pays(rules, (1510, 940))


@pytest.mark.parametrize(
    ("score", "brisques", "points"),
    [
        (1400, (20, 12), 1600 - 1500 + 500),  # 1,600 and 1,520
        (1400, (17, 15), 100 + 500),  # 1,570 and 1,550: rounds to nothing
        (1000, (32, 0), 1300 - 1000 + 500),
        (900, (20, 12), 1100 - 1000 + 500),  # law 60 saves the loser (1,020): both add
        (900, (22, 10), 1100 - 1000 + 500),  # exactly a thousand
        (900, (23, 9), 900 + 900 + 1300),  # 990: rubiconed, brisques are not added
        (50, (20, 12), 0 + 0 + 1300 + 100),
        (1400, (16, 16), 0),  # void
        (500, (16, 16), 0),
    ],
)
def test_portland_law_61(score: int, brisques: tuple[int, int], points: int) -> None:
    assert pays(PORTLAND, (score, score), brisques) == points


def test_law_61_without_law_60() -> None:
    """Under brisques: tiebreak the loser of a tie is rubiconed by its score alone."""
    rules = get_rules("rubicon", "portland", {"brisques": "tiebreak"})
    assert pays(rules, (900, 900), (20, 12)) == 900 + 900 + 1300
    assert pays(rules, (1400, 1400), (20, 12)) == 100 + 500


@pytest.mark.parametrize(
    ("scores", "points"),
    [
        ((2000, 1250), 2000 + 900 + 1300),  # X70
        ((2000, 900), 2000 + 900 + 1300),
        ((2000, 890), 2000 + 800 + 1300),
        ((2000, 90), 2000 + 0 + 1300 + 100),
        ((300, 2000), 300 + 900 + 1300),  # whoever has more points: the over-long hand loses
        ((2000, 2000), 2000 + 900 + 1300),
        ((0, 0), 1300 + 100),
    ],
)
def test_portland_law_17(scores: tuple[int, int], points: int) -> None:
    assert pays(PORTLAND, scores, long_hand=1) == points
    assert pays(PORTLAND, scores, (0, 32), long_hand=1) == points  # no brisque helps
    assert settle(PORTLAND, scores[::-1], long_hand=0) == (-points, points)


@pytest.mark.parametrize(
    ("rules", "score", "points"),
    [(SAARI, 1500, 0), (SAARI, 900, 500), (TABLE, 1500, 500), (TABLE, 900, 1000), (BICYCLE, 1500, 500)],
)
def test_brisques_break_ties_in_four_packs(rules: Rules, score: int, points: int) -> None:
    """The winner by brisques is paid as ever; no brisque joins the scores outside Portland."""
    assert pays(rules, (score, score), (20, 12)) == points
    assert pays(rules, (score, score), (16, 16)) == 0
    assert st.decide(rules.vector, score, score, 12, 20) == 1


def test_ties_are_draws_where_nothing_breaks_them() -> None:
    for rules in (SIX, SIX_SUM, EIGHT, EIGHT_TABLE, get_rules("rubicon", "portland", {"tie": "draw"})):
        assert pays(rules, (2500, 2500)) == 0
        assert pays(rules, (2500, 2500), (20, 12)) == 0
        assert st.decide(rules.vector, 2500, 2500, 20, 12) == st.NOBODY


def test_ties_in_six_packs_by_option() -> None:
    rules = get_rules("chinese", "sum", {"brisques": "tiebreak", "tie": "brisques_then_draw"})
    assert pays(rules, (2500, 2500), (25, 23)) == 2500 + 2500 + 1000
    assert pays(rules, (3500, 3500), (25, 23)) == 1000
    assert pays(rules, (3500, 3500), (24, 24)) == 0


@pytest.mark.parametrize("variant", ["two_pack", "fildinski"])
@pytest.mark.parametrize(
    ("scores", "games"),
    [
        ((1040, 480), 2),
        ((1040, 500), 1),
        ((1000, 490), 2),
        ((990, 100), 1),
        ((700, 700), 0),
        ((1200, 1200), 0),
    ],
)
def test_games_of_matches_pay_one_or_two(variant: str, scores: tuple[int, int], games: int) -> None:
    assert pays(get_rules(variant), scores) == games
    assert pays(get_rules(variant), scores, (9, 7)) == games


def test_games_follow_their_options() -> None:
    assert pays(get_rules("two_pack", "dutch"), (1040, 0)) == 1
    assert pays(get_rules("two_pack", None, {"target": 2000}), (1990, 480)) == 1
    assert pays(get_rules("fildinski", None, {"target": 2000, "double_win_under": 1000}), (2000, 990)) == 2


# -------------------------------------------------------------------------------------------- in general


SCORES = (0, 50, 90, 100, 680, 690, 900, 940, 990, 1000, 1010, 1090, 1100, 1550, 2990, 3000, 5000, 7200)
BRISQUES = ((0, 0), (16, 16), (20, 12), (12, 20), (31, 1), (1, 31))
PAIRS = list(itertools.product(SCORES, SCORES))


def _name(rules: Rules) -> str:
    return f"{rules.variant}-{rules.preset}-{rules.settlement}-{rules.brisques}-{rules.tie}"


def _won(rules: Rules) -> list[tuple[int, int]]:
    return [pair for pair in BRISQUES if sum(pair) <= st.all_brisques(rules.vector)]


@pytest.mark.parametrize("rules", ALL, ids=_name)
def test_the_winner_is_paid_and_the_seats_are_alike(rules: Rules) -> None:
    for scores in PAIRS:
        for won in _won(rules):
            points = pays(rules, scores, won)
            winner = st.decide(rules.vector, *scores, *won)
            if winner == st.NOBODY:
                assert points == 0
                assert scores[0] == scores[1]
            else:
                assert points >= 0 if winner == 0 else points <= 0
                assert scores[winner] >= scores[1 - winner]


@pytest.mark.parametrize("rules", ALL, ids=_name)
def test_brisques_may_be_left_out_only_where_they_change_nothing(rules: Rules) -> None:
    most = st.all_brisques(rules.vector)
    for scores in PAIRS:
        results = {settle(rules, scores, brisques=(own, most - own)) for own in range(most + 1)}
        if st.brisques_matter(rules.vector, *scores):
            with pytest.raises(ValueError, match="brisques"):
                settle(rules, scores)
        else:
            assert results == {settle(rules, scores)}


@pytest.mark.parametrize(
    "rules", [r for r in ALL if r.settlement not in ("games", "saari_example")], ids=_name
)
def test_a_higher_score_earns_at_least_the_game_bonus(rules: Rules) -> None:
    for scores in PAIRS:
        if scores[0] > scores[1]:
            assert settle(rules, scores, brisques=(0, 0))[0] >= rules.vector[ix.GAME_BONUS]


def test_the_kernels_can_compile_the_settlement_as_it_stands() -> None:
    points, decide = numba.njit(st.settle_points), numba.njit(st.decide)
    rng = np.random.default_rng(60)
    for rules in ALL:
        for scores in PAIRS[:: 1 + int(rng.integers(7))]:
            for won in BRISQUES:
                assert points(rules.vector, *scores, *won) == st.settle_points(rules.vector, *scores, *won)
                assert decide(rules.vector, *scores, *won) == st.decide(rules.vector, *scores, *won)


def test_the_referee_pays_the_same() -> None:
    """Two implementations agree on every settlement, and each branch of the second was taken."""
    counters: Counter[str] = Counter()
    for rules in ALL:
        if rules.settlement == "games":
            continue
        choices = rules.shape.packs, rules.settlement, rules.tie, rules.brisques
        for scores in PAIRS:
            for won in _won(rules):
                assert settle(rules, scores, brisques=won) == referee_settlement(
                    *choices, scores, won, counters
                )
            if rules.settlement == "portland":
                for seat in (0, 1):
                    expected = referee_settlement(*choices, scores, (16, 16), counters, long_hand=seat)
                    assert settle(rules, scores, long_hand=seat) == expected
    assert not [name for name in SETTLEMENT_COUNTERS if not counters[name]]


# ---------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize("scores", [(), (1000,), (1000, 900, 800), 1000, None, (1000.0, 900), ("1000", 900)])
def test_scores_must_be_two_whole_numbers(scores: Any) -> None:
    with pytest.raises(ValueError, match=r"scores: .*two whole numbers"):
        settle(SAARI, scores)


def test_negative_scores_are_refused() -> None:
    with pytest.raises(ValueError, match="scores: "):
        settle(SAARI, (1000, -10))


@pytest.mark.parametrize("brisques", [(20,), (20, 12, 0), (-1, 3), 32, (20.0, 12)])
def test_brisques_must_be_two_whole_numbers(brisques: Any) -> None:
    with pytest.raises(ValueError, match=r"brisques: .*two whole numbers"):
        settle(SAARI, (1500, 1500), brisques=brisques)


@pytest.mark.parametrize(("variant", "most"), [("two_pack", 16), ("rubicon", 32), ("chinese", 48)])
def test_more_brisques_than_the_pack_holds(variant: str, most: int) -> None:
    rules = get_rules(variant)
    settle(rules, (1500, 1400), brisques=(most, 0))
    with pytest.raises(ValueError, match=f"brisques: .*more than the {most}"):
        settle(rules, (1500, 1400), brisques=(most, 1))


def test_missing_brisques_are_refused_where_they_decide() -> None:
    with pytest.raises(ValueError, match=r"brisques: the scores 1500 and 1500 .*break the tie"):
        settle(SAARI, (1500, 1500))
    with pytest.raises(ValueError, match=r"brisques: the scores 1500 and 680 .*POR 60"):
        settle(PORTLAND, (1500, 680))
    assert settle(PORTLAND, (1500, 670)) == (3400, -3400)
    assert settle(PORTLAND, (1500, 1000)) == (1000, -1000)


def test_a_long_hand_belongs_to_portland() -> None:
    for variant, data in VARIANTS.items():
        for preset in data.presets:
            rules = get_rules(variant, preset)
            if rules.settlement != "portland":
                with pytest.raises(ValueError, match=f"long_hand: law 17 .*{variant}"):
                    settle(rules, (2000, 1250), long_hand=1)


@pytest.mark.parametrize("seat", [2, -1, True, "1"])
def test_a_long_hand_is_a_seat(seat: Any) -> None:
    with pytest.raises(ValueError, match=r"long_hand: .*0 or 1"):
        settle(PORTLAND, (2000, 1250), long_hand=seat)


def test_numpy_numbers_are_numbers() -> None:
    assert settle(SAARI, tuple(np.array([1700, 900]))) == (1300, -1300)
    assert settle(PORTLAND, (1510, np.int32(940)), brisques=tuple(np.array([24, 8], np.uint8))) == (
        1200,
        -1200,
    )


def test_settlements_of_other_packs_are_refused() -> None:
    for variant, settlement in (("chinese", "portland"), ("eight_pack", "bicycle"), ("rubicon", "sum")):
        with pytest.raises(RulesError, match=f"settlement: '{settlement}' is not allowed: it must be"):
            get_rules(variant, None, {"settlement": settlement})
