"""The data of the variants is whole: presets, options, sources, points; and what does not fit is refused."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from bezique_env.rules import RulesError, fields, get_rules, variants
from bezique_env.rules import index as ix
from bezique_env.rules.bezique import NUMBERS, OPTION_PLACES, SOURCES, BeziqueOptions
from bezique_env.rules.family import NEVER, VARIANTS
from bezique_env.rules.shape import Shape
from bezique_env.rules.tables import (
    fixed_rows,
    options_rows,
    presets_rows,
    rules_rows,
    scores_rows,
    settlement_rows,
    value_text,
    variants_rows,
)

PRESETS = [(name, preset) for name, info in variants().items() for preset in info.presets]
ONE_DEAL = ("rubicon", "chinese", "eight_pack")

EXPECTED = {
    "two_pack": ["standard", "saari", "finnish", "dutch", "no_ready_trump", "shifting"],
    "rubicon": ["saari", "portland", "bicycle"],
    "chinese": ["saari", "sum", "trump_queen"],
    "eight_pack": ["saari", "sum"],
    "fildinski": ["standard", "by_class"],
}


def test_the_variants_and_presets_are_those_of_the_design() -> None:
    assert {name: list(info.presets) for name, info in variants().items()} == EXPECTED
    for info in variants().values():
        assert info.default_preset == next(iter(info.presets))
        assert info.title
        assert info.seats == 2


# ------------------------------------------------------------------------------------------ the data is whole


@pytest.mark.parametrize(("variant", "preset"), PRESETS)
def test_every_preset_has_valid_values_and_known_sources(variant: str, preset: str) -> None:
    info = variants()[variant].presets[preset]
    infos = {field.name: field for field in fields(variant)}
    assert list(info.values) == list(infos)
    for name, value in info.values.items():
        allowed = infos[name].allowed
        assert allowed is None or value in allowed
    assert info.title
    assert info.sources
    assert set(info.sources) <= set(SOURCES)
    assert info.status == "complete"
    rules = get_rules(variant, preset)
    assert rules.overrides == {}
    assert {name: getattr(rules, name) for name in infos} == info.values
    assert get_rules(variant, preset, info.values) == rules  # every value may be given


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_preset_names_only_what_differs(variant: str) -> None:
    data = VARIANTS[variant]
    first = next(iter(data.presets))
    assert data.presets[first]["values"] == {}
    defaults = variants()[variant].presets[first].values
    assert {field.name: field.default for field in fields(variant)} == defaults
    for preset in data.presets.values():
        for name, value in preset["values"].items():
            assert value != defaults[name]


@pytest.mark.parametrize("variant", VARIANTS)
def test_an_option_is_either_asked_or_fixed(variant: str) -> None:
    data = VARIANTS[variant]
    assert {field.name for field in fields(variant)} | set(data.fixed) == set(BeziqueOptions.model_fields)
    for name, value in data.fixed.items():
        if (name, value) != ("target", NEVER):
            BeziqueOptions(**{name: value})
        assert name not in data.defaults
        assert name not in data.narrowed
    for name, values in data.narrowed.items():
        for value in values:
            BeziqueOptions(**{name: value})
        assert len(set(values)) > 1


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_option_has_a_source_and_a_meaning(variant: str) -> None:
    for field in fields(variant):
        assert field.meaning
        assert field.source == "DESIGN section 4" or any(key in field.source for key in SOURCES), field.name


def test_every_option_has_its_own_place_in_the_vector() -> None:
    assert set(OPTION_PLACES) == set(BeziqueOptions.model_fields)
    places = {name: value for name, value in vars(ix).items() if name == "PACKS" or name == "HAND_SIZE"}
    assert len({*OPTION_PLACES.values(), *places.values()}) == len(OPTION_PLACES) + 2
    for data in VARIANTS.values():
        assert not set(data.scores) & set(OPTION_PLACES.values())
        assert all(ix.VALUE_MARRIAGE <= place < ix.SIZE for place in data.scores)


NAMES_IN_INDEX = {
    "selection": ("SELECTION_AUTO", "SELECTION_EXPLICIT"),
    "brisques": (
        "BRISQUES_AT_TRICK",
        "BRISQUES_AT_HAND_END",
        "BRISQUES_NONE",
        "BRISQUES_TIEBREAK",
        "BRISQUES_TIEBREAK_RUBICON",
    ),
    "declare": ("DECLARE_ONE", "DECLARE_LAY_MANY", "DECLARE_MANY_DISJOINT"),
    "meld_groups": ("GROUPS_FOUR", "GROUPS_THREE"),
    "seq_then_marriage": ("BOTH_FRESH", "FRESH_PARTNER"),
    "double_bezique": ("EXTEND_ONE", "ONE_GO", "BUILD_ANY"),
    "double_credit": ("ADDITIVE", "REPLACE_SINGLE"),
    "dix_score": ("DIX_ON_SHOW", "DIX_AS_MELD", "DIX_ON_PLAY", "DIX_NONE"),
    "dix_exchange": ("EXCHANGE_USES_DECLARATION", "EXCHANGE_FREE", "EXCHANGE_INSTEAD_OF_SCORE"),
    "endgame": ("FOLLOW_TRUMP_HEAD", "FOLLOW_TRUMP", "FOLLOW_ONLY"),
    "last_trick": ("LAST_TRICK_FINAL", "LAST_TRICK_STOCK"),
    "game_end": ("DEAL_END", "IMMEDIATE"),
    "both_over": ("HIGHER", "COUNT_ORDER"),
    "trump": (
        "TRUMP_TURN_UP",
        "TRUMP_MARRIAGE",
        "TRUMP_MARRIAGE_SEQUENCE",
        "TRUMP_MARRIAGE_SEQUENCE_BEZIQUE",
    ),
    "trump_repeat": ("REPEAT_ALLOWED", "REPEAT_FORBIDDEN"),
    "premature_melds": ("PREMATURE_ALLOWED", "NEED_TRUMP"),
    "bezique_pair": ("PAIR_QS_JD", "PAIR_SHIFTING", "PAIR_TRUMP_QUEEN"),
    "deal_packets": ("PACKETS_323", "PACKETS_THREES", "PACKETS_SINGLES"),
    "reform": ("REFORM_NONE", "REFORM_REPLACE"),
    "marriage_rematch": ("REMATCH_CROSS_PAIRS", "REMATCH_ON_PLAY"),
    "carte_blanche_courts": ("COURTS_AKQJ", "COURTS_KQJ"),
    "settlement": (
        "SETTLE_GAMES",
        "SETTLE_SAARI_EXAMPLE",
        "SETTLE_SAARI_TABLE",
        "SETTLE_PORTLAND",
        "SETTLE_BICYCLE",
        "SETTLE_SUM",
    ),
    "tie": ("TIE_DRAW", "TIE_BRISQUES"),
    "cut_bonus": ("CUT_OFF", "CUT_ON"),
    "melds_from": ("MELDS_FROM_HAND", "MELDS_FROM_WON"),
    "fildinski_reuse": ("REUSE_PER_TURN", "REUSE_BY_CLASS"),
    "fildinski_endgame": ("FILDINSKI_ENDGAME_OFF", "FILDINSKI_ENDGAME_ON"),
    "fildinski_dix": ("FILDINSKI_TRICK_WINNER", "FILDINSKI_FROM_HAND"),
}
"""Names that the kernels use for the values of an option, in the order of the numbers."""


@pytest.mark.parametrize("option", NAMES_IN_INDEX)
def test_the_kernels_names_stand_for_the_values_in_order(option: str) -> None:
    names = NAMES_IN_INDEX[option]
    assert [getattr(ix, name) for name in names] == list(range(len(names)))
    place, seen = OPTION_PLACES[option], 0
    for variant in VARIANTS:
        for preset in EXPECTED[variant]:
            vector = get_rules(variant, preset).vector
            seen |= 1 << int(vector[place])
            assert 0 <= vector[place] < len(names)
        allowed = {field.name: field.allowed for field in fields(variant)}.get(option)
        seen |= sum(1 << list(_all_values(option)).index(value) for value in allowed or ())
    assert seen == (1 << len(names)) - 1  # every value is allowed or fixed somewhere


def _all_values(option: str) -> tuple[Any, ...]:
    schema = BeziqueOptions.model_json_schema()["properties"][option]
    return tuple(schema["enum"])


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_vector_holds_points_and_options(variant: str) -> None:
    data = VARIANTS[variant]
    rules = get_rules(variant)
    assert rules.vector.dtype == np.int64
    assert rules.vector.shape == (ix.SIZE,)
    assert not rules.vector.flags.writeable
    assert rules.vector[ix.PACKS] == rules.shape.packs
    assert rules.vector[ix.HAND_SIZE] == data.hand_size
    asked = set(OPTION_PLACES.values()) | {ix.PACKS, ix.HAND_SIZE}
    for place in range(ix.SIZE):
        if place not in asked:
            assert rules.vector[place] == data.scores.get(place, (0, ""))[0]
    for option in NUMBERS:
        assert rules.vector[OPTION_PLACES[option]] == getattr(rules, option)


def test_the_shapes() -> None:
    assert {name: get_rules(name).shape for name in VARIANTS} == {
        "two_pack": Shape(2, 8, False),
        "rubicon": Shape(4, 9, True),
        "chinese": Shape(6, 12, True),
        "eight_pack": Shape(8, 15, True),
        "fildinski": Shape(2, 40, False),
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


def test_four_tens_are_an_option_everywhere() -> None:
    for variant in VARIANTS:
        assert get_rules(variant).vector[ix.VALUE_FOUR + 1] == 0
        assert get_rules(variant, None, {"four_tens": 90}).vector[ix.VALUE_FOUR + 1] == 90


@pytest.mark.parametrize("variant", ONE_DEAL)
def test_one_deal_has_no_target(variant: str) -> None:
    rules = get_rules(variant)
    assert rules.target == NEVER == rules.vector[ix.TARGET] == 2**31 - 1
    assert (rules.game_end, rules.declare, rules.double_bezique) == ("deal_end", "one", "build_any")
    assert (rules.dix_score, rules.dealer_seven, rules.melds_from) == ("none", 0, "hand")


def test_fildinski_is_standard_with_melds_from_the_cards_won() -> None:
    fildinski, standard = get_rules("fildinski").options, get_rules("two_pack").options
    found = {k: v for k, v in fildinski.model_dump().items() if v != getattr(standard, k)}
    assert found == {"declare": "many_disjoint", "melds_from": "won"}


def test_hashes_tell_all_presets_apart() -> None:
    hashes = {get_rules(variant, preset).hash for variant, preset in PRESETS}
    assert len(hashes) == len(PRESETS)
    assert get_rules("chinese").hash != get_rules("chinese", None, {"cut_bonus": "on"}).hash


@pytest.mark.parametrize(("variant", "preset"), PRESETS)
def test_rules_survive_pickling_and_copying(variant: str, preset: str) -> None:
    rules = get_rules(variant, preset, {"selection": "explicit"})
    again = pickle.loads(pickle.dumps(rules))
    assert again == rules
    assert again.hash == rules.hash
    assert np.array_equal(again.vector, rules.vector)
    assert copy.deepcopy(rules) is rules
    assert get_rules(variant, **rules.to_dict()) == rules
    assert rules.to_dict() == {"preset": preset, "overrides": {"selection": "explicit"}}


# ------------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("variant", "option"), [(name, option) for name, data in VARIANTS.items() for option in data.fixed]
)
def test_an_option_without_meaning_is_refused_whatever_its_value(variant: str, option: str) -> None:
    for value in (VARIANTS[variant].fixed[option], "x", 0, None):
        with pytest.raises(RulesError, match=rf"^option '{option}' has no meaning in {variant} \(known: "):
            get_rules(variant, None, {option: value})


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


@pytest.mark.parametrize(("variant", "nearest"), [("rubicn", "rubicon"), ("eight_packs", "eight_pack")])
def test_unknown_variants_and_presets(variant: str, nearest: str) -> None:
    for call in (get_rules, fields, rules_rows, options_rows, presets_rows, fixed_rows, scores_rows):
        with pytest.raises(RulesError, match=f"'{variant}'.*did you mean '{nearest}'"):
            call(variant)
    with pytest.raises(RulesError, match=r"unknown preset 'portlnd' of rubicon: known are saari, portland"):
        get_rules("rubicon", "portlnd")


def test_attributes_that_are_no_options() -> None:
    with pytest.raises(AttributeError, match="did you mean 'reform'"):
        _ = get_rules("rubicon").reforms


# -------------------------------------------------------------------------------------------------- tables


@pytest.mark.parametrize("variant", VARIANTS)
def test_tables_are_whole(variant: str) -> None:
    for make in (rules_rows, options_rows, presets_rows, fixed_rows, scores_rows, settlement_rows):
        headers, rows = make(variant)
        assert rows
        for row in rows:
            assert len(row) == len(headers)
            assert all(isinstance(cell, str) for cell in row)
    assert [row[0] for row in rules_rows(variant)[1]] == [field.name for field in fields(variant)]
    named = {row[0] for row in fixed_rows(variant)[1]}
    assert named == set(VARIANTS[variant].fixed)
    assert len(scores_rows(variant)[1]) == len(VARIANTS[variant].scores)


def test_tables_say_what_the_numbers_mean() -> None:
    assert [
        "the loser's points",
        "the loser has not crossed the rubicon (settlements saari_example, saari_table)",
    ] in (scores_rows("chinese")[1])
    assert ["target", "none: one deal"] in fixed_rows("eight_pack")[1]
    assert value_text("double_win_under", 0) == "off"
    assert len(variants_rows()[1]) == len(PRESETS)
    names = [row[0] for row in settlement_rows("rubicon")[1]]
    assert names == ["saari_example", "saari_table", "portland", "bicycle"]
