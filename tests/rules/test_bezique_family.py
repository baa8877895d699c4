"""The Bezique family in particular: its points, shapes and conflicts (the rest stands in test_family)."""

from __future__ import annotations

from typing import Any

import pytest

from bezique_env.rules import RulesError, get_rules
from bezique_env.rules.bezique import index as ix
from bezique_env.rules.bezique.options import BeziqueOptions
from bezique_env.rules.bezique.shape import Shape
from bezique_env.rules.bezique.tables import value_text
from bezique_env.rules.bezique.variants import NEVER, VARIANTS
from bezique_env.rules.tables import fixed_rows, scores_rows, settlement_rows

ONE_DEAL = ("rubicon", "chinese", "eight_pack")


def test_the_shapes() -> None:
    assert {name: get_rules(name).shape for name in VARIANTS} == {
        "two_pack": Shape(2, 8, False),
        "rubicon": Shape(4, 9, True),
        "chinese": Shape(6, 12, True),
        "eight_pack": Shape(8, 15, True),
        "fildinski": Shape(2, 40, False),
        "mini_bezique": Shape(2, 6, False, kinds=8),
    }
    assert get_rules("rubicon", None, {"reform": "none"}).shape == get_rules("rubicon").shape


@pytest.mark.parametrize("variant", ONE_DEAL)
def test_the_points_of_the_table(variant: str) -> None:
    """Section 6.2 of the rules text, cell by cell."""
    v = get_rules(variant).vector
    column = ONE_DEAL.index(variant)
    assert v[ix.VALUE_CARTE_BLANCHE] == (50, 250, 0)[column]
    assert (v[ix.VALUE_SEQUENCE], v[ix.VALUE_PLAIN_SEQUENCE]) == (250, 150)
    assert (v[ix.VALUE_ROYAL_MARRIAGE], v[ix.VALUE_MARRIAGE]) == (40, 20)
    assert v[ix.VALUE_BEZIQUE : ix.VALUE_BEZIQUE + 5].tolist() == [
        *(40, 500, 1500, 4500),
        (0, 0, 9000)[column],
    ]
    assert v[ix.VALUE_FOUR : ix.VALUE_FOUR + 5].tolist() == [100, 0, 80, 60, 40]
    trump = [1000, 900, 800, 600, 400] if column else [0] * 5
    assert v[ix.VALUE_FOUR_TRUMP : ix.VALUE_FOUR_TRUMP + 5].tolist() == trump
    five = [2000, 1800, 1600, 1200, 800] if column == 2 else [0] * 5
    assert v[ix.VALUE_FIVE_TRUMP : ix.VALUE_FIVE_TRUMP + 5].tolist() == five
    assert v[ix.VALUE_LAST_TRICK] == (50, 250, 250)[column]
    assert v[ix.GAME_BONUS] == (500, 1000, 1000)[column]
    assert v[ix.RUBICON] == (1000, 3000, 5000)[column]
    assert v[ix.RUBICON_BONUS] == (500, 0, 0)[column]
    assert v[ix.VALUE_SEVEN] == v[ix.VALUE_BRISQUE] == 0
    assert (v[ix.VALUE_CUT], v[ix.VALUE_CUT_GUESS]) == ((250, 150) if column == 1 else (0, 0))


def test_four_tens_are_an_option_wherever_there_are_tens() -> None:
    for variant in VARIANTS:
        if 6 not in {int(card) & 7 for card in get_rules(variant).pack}:
            continue
        assert get_rules(variant).vector[ix.VALUE_FOUR + 1] == 0
        assert get_rules(variant, None, {"four_tens": 90}).vector[ix.VALUE_FOUR + 1] == 90


@pytest.mark.parametrize("variant", ONE_DEAL)
def test_one_deal_has_no_target(variant: str) -> None:
    rules = get_rules(variant)
    assert rules.target == NEVER == rules.vector[ix.TARGET] == 2**31 - 1
    assert (rules.game_end, rules.declare, rules.double_bezique) == ("deal_end", "one", "build_any")
    assert (rules.dix_score, rules.dealer_seven, rules.melds_from) == ("none", 0, "hand")


@pytest.mark.parametrize("variant", VARIANTS)
def test_fixed_values_are_values_of_their_options(variant: str) -> None:
    for name, value in VARIANTS[variant].fixed.items():
        if (name, value) != ("target", NEVER):
            BeziqueOptions(**{name: value})


def test_fildinski_is_standard_with_melds_from_the_cards_won() -> None:
    fildinski, standard = get_rules("fildinski").options, get_rules("two_pack").options
    found = {k: v for k, v in fildinski.model_dump().items() if v != getattr(standard, k)}
    assert found == {"declare": "many_disjoint", "melds_from": "won"}


# ------------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("variant", "option", "words"),
    [
        ("rubicon", "reforms", ["unknown option 'reforms' of rubicon", "did you mean 'reform'?", "tie"]),
        ("chinese", "cut_bonos", ["did you mean 'cut_bonus'?"]),
        ("eight_pack", "carte_blanche", ["unknown option 'carte_blanche' of eight_pack"]),
        ("fildinski", "fildinski_reus", ["did you mean 'fildinski_reuse'?"]),
        ("rubicon", "Trump", ["did you mean 'trump'?"]),
        ("rubicon", "", ["unknown option ''"]),
    ],
)
def test_an_unknown_option_is_named_with_the_nearest(variant: str, option: str, words: list[str]) -> None:
    with pytest.raises(RulesError) as error:
        get_rules(variant, None, {option: "none"})
    for word in words:
        assert word in str(error.value)


def test_a_hint_never_names_an_option_without_meaning() -> None:
    with pytest.raises(RulesError) as error:
        get_rules("rubicon", None, {"targets": 2000})
    assert "'target'" not in str(error.value)


@pytest.mark.parametrize(
    ("variant", "overrides", "words"),
    [
        ("two_pack", {"brisques": "tiebreak"}, ["at_trick | at_hand_end | none"]),
        ("rubicon", {"brisques": "at_trick"}, ["none | tiebreak | tiebreak_and_rubicon"]),
        ("rubicon", {"trump": "turn_up"}, ["first_marriage | first_marriage_or_sequence"]),
        ("chinese", {"deal_packets": "3-2-3"}, ["threes | singles"]),
        ("rubicon", {"settlement": "sum"}, ["portland"]),
        ("rubicon", {"settlement": "games"}, ["saari_example | saari_table | portland | bicycle"]),
        ("chinese", {"settlement": "portland"}, ["saari_example | saari_table | sum"]),
        ("eight_pack", {"settlement": "bicycle"}, ["saari_example | saari_table | sum"]),
        ("rubicon", {"settlement": "portlan"}, ["did you mean 'portland'?"]),
        ("rubicon", {"marriage_rematch": "cross_pair"}, ["did you mean 'cross_pairs'?"]),
        ("rubicon", {"carte_blanche_courts": "KQ"}, ["AKQJ | KQJ"]),
        ("fildinski", {"dix_score": "as_meld"}, ["on_show | none"]),
        ("fildinski", {"fildinski_dix": "hand"}, ["trick_winner | from_hand"]),
        ("chinese", {"cut_bonus": 250}, ["off | on"]),
        ("rubicon", {"reform": True}, ["none | replace"]),
        ("rubicon", {"four_tens": 100}, ["0 | 90"]),
    ],
)
def test_a_value_that_is_not_allowed_is_named(
    variant: str, overrides: dict[str, Any], words: list[str]
) -> None:
    with pytest.raises(RulesError) as error:
        get_rules(variant, None, overrides)
    ((option, value),) = overrides.items()
    for word in (f"{option}: {value!r} is not allowed: it must be", *words):
        assert word in str(error.value)


@pytest.mark.parametrize(
    ("variant", "preset", "overrides", "words"),
    [
        ("rubicon", "saari", {"brisques": "none"}, ["tie", "brisques_then_draw", "'none'"]),
        ("chinese", "saari", {"tie": "brisques_then_draw"}, ["tie", "brisques 'tiebreak'"]),
        (
            "rubicon",
            "saari",
            {"seq_then_marriage": "fresh_partner"},
            ["seq_then_marriage", "reform 'replace'"],
        ),
        (
            "rubicon",
            "saari",
            {"trump": "first_marriage_sequence_or_bezique"},
            ["bezique_pair", "trump_queen", "qs_jd"],
        ),
        ("chinese", "trump_queen", {"bezique_pair": "shifting"}, ["bezique_pair", "trump_queen"]),
        (
            "fildinski",
            "standard",
            {"meld_groups": "three", "seq_then_marriage": "fresh_partner"},
            ["meld_groups"],
        ),
        ("fildinski", "standard", {"trump": "first_marriage"}, ["dix_score"]),
        ("fildinski", "standard", {"trump": "first_marriage", "dix_score": "none"}, ["dealer_seven"]),
        ("fildinski", "standard", {"trump_repeat": "forbidden"}, ["trump_repeat"]),
    ],
)
def test_what_cannot_stand_together_is_refused(
    variant: str, preset: str, overrides: dict[str, Any], words: list[str]
) -> None:
    with pytest.raises(RulesError) as error:
        get_rules(variant, preset, overrides)
    for word in words:
        assert word in str(error.value)


@pytest.mark.parametrize(
    ("variant", "overrides"),
    [
        ("rubicon", {"brisques": "none", "tie": "draw"}),
        ("chinese", {"brisques": "tiebreak", "tie": "brisques_then_draw"}),
        ("rubicon", {"reform": "none", "seq_then_marriage": "fresh_partner"}),
        ("eight_pack", {"bezique_pair": "trump_queen", "trump": "first_marriage_sequence_or_bezique"}),
        ("fildinski", {"trump": "first_marriage", "dix_score": "none", "dealer_seven": 0}),
    ],
)
def test_the_same_with_what_it_needs_is_allowed(variant: str, overrides: dict[str, Any]) -> None:
    assert dict(get_rules(variant, None, overrides).overrides) == overrides


def test_yaml_words_are_understood() -> None:
    """YAML reads off, on, yes and no as false and true."""
    assert get_rules("chinese", None, {"cut_bonus": True}).cut_bonus == "on"
    assert get_rules("chinese", "saari", {"cut_bonus": False}).overrides == {}
    assert get_rules("fildinski", None, {"fildinski_endgame": True}).fildinski_endgame == "on"
    assert get_rules("fildinski", None, {"dix_endgame": False}).dix_endgame == "no"
    assert get_rules("rubicon", None, {"quartet_suits_bonus": False, "four_tens": False}).overrides == {}


def test_attributes_that_are_no_options() -> None:
    with pytest.raises(AttributeError, match="did you mean 'reform'"):
        _ = get_rules("rubicon").reforms


# -------------------------------------------------------------------------------------------------- tables


def test_tables_say_what_the_numbers_mean() -> None:
    assert [
        "the loser's points",
        "the loser has not crossed the rubicon (settlements saari_example, saari_table)",
    ] in (scores_rows("chinese")[1])
    assert ["target", "none: one deal"] in fixed_rows("eight_pack")[1]
    assert value_text("double_win_under", 0) == "off"
    names = [row[0] for row in settlement_rows("rubicon")[1]]
    assert names == ["saari_example", "saari_table", "portland", "bicycle"]
