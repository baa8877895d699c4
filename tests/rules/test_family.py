"""The data of every family is whole: presets, options, sources, points; and what does not fit is refused."""

from __future__ import annotations

import ast
import copy
import importlib
import pickle
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from bezique_env.rules import RulesError, fields, get_rules, variants
from bezique_env.rules.families import FAMILIES, all_variants, family_of
from bezique_env.rules.registry import option_names
from bezique_env.rules.tables import (
    fixed_rows,
    options_rows,
    presets_rows,
    rules_rows,
    scores_rows,
    settlement_rows,
    sources_rows,
    variants_rows,
)

VARIANTS = all_variants()
PRESETS = [(name, preset) for name, info in variants().items() for preset in info.presets]
OPTIONS = [(name, field.name) for name in VARIANTS for field in fields(name)]

EXPECTED = {
    "two_pack": ["standard", "saari", "finnish", "dutch", "no_ready_trump", "shifting"],
    "rubicon": ["saari", "portland", "bicycle"],
    "chinese": ["saari", "sum", "trump_queen"],
    "eight_pack": ["saari", "sum"],
    "fildinski": ["standard", "by_class"],
    "mini_bezique": ["qj3", "qj2", "kqj4"],
    "belote": ["two_handed", "hoyle", "bicycle", "swiss"],
    "mini_belote": ["jqk2", "jqka2", "jqka3"],
}

KERNEL_NAMES: dict[str, dict[str, tuple[str, ...]]] = {
    "bezique": {
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
    },
    "belote": {
        "accepted_redeal_dealer": ("DEALER_SAME", "DEALER_NEXT"),
        "schmeiss": ("SCHMEISS_ON", "SCHMEISS_OFF"),
        "schmeiss_refused_makes": ("MAKES_PROPOSER", "MAKES_RESPONDER"),
        "r2_elder_actions": ("ELDER_PROPOSES", "ELDER_NAMES"),
        "r2_dealer_may_propose": ("NO", "YES"),
        "all_pass": ("PASS_NEXT_DEALER", "PASS_DEALER_FORCED"),
        "run_values": ("RUNS_20_50", "RUNS_20_40_50", "RUNS_20_50_100"),
        "seq_length_breaks_tie": ("NO", "YES"),
        "run_tie": ("RUN_TIE_NOBODY", "RUN_TIE_ELDER"),
        "four_of_a_kind": ("FOURS_OFF", "FOURS_BICYCLE", "FOURS_FRENCH", "FOURS_SWISS"),
        "announce_needs_trick": ("NO", "YES"),
        "show_winning_sequences": ("NO", "YES"),
        "exchange_seven": ("EXCHANGE_OPTIONAL", "EXCHANGE_OFF"),
        "exchange_window": ("WINDOW_BEFORE_ANNOUNCE", "WINDOW_UNTIL_LEAD"),
        "exchange_seven_from": ("FROM_ANY", "FROM_FIRST_SIX"),
        "belote_call_deadline": ("DEADLINE_SECOND", "DEADLINE_FIRST", "DEADLINE_BOTH"),
        "belote_auto": ("NO", "YES"),
        "belote_prenable": ("NO", "YES"),
        "two_hand_tie": ("TIE_TAKER_ZERO", "TIE_HOLD_OVER", "TIE_FALL"),
        "two_hand_fail": ("FAIL_OPPONENT_SUM", "FAIL_TAKER_LOSES"),
        "rounding": ("ROUNDING_NONE", "ROUNDING_UP", "ROUNDING_DOWN"),
    },
}
"""By family and option: the names that the kernels use for its values, in the order of the numbers."""

NUMBERS = {"target": 1230, "double_win_under": 300, "max_redeals": 7}
"""A value of each option that has a range, other than any default."""

WITHOUT_TURN_UP = {"dix_score": "none", "dealer_seven": 0}
COMPANIONS: dict[str, dict[Any, dict[str, Any]]] = {
    "trump": {
        "first_marriage": WITHOUT_TURN_UP,
        "first_marriage_or_sequence": WITHOUT_TURN_UP,
        "first_marriage_sequence_or_bezique": {**WITHOUT_TURN_UP, "bezique_pair": "trump_queen"},
    },
    "trump_repeat": {"forbidden": {**WITHOUT_TURN_UP, "trump": "first_marriage"}},
    "seq_then_marriage": {"fresh_partner": {"reform": "none"}},
    "brisques": {"none": {"tie": "draw"}},
    "tie": {"brisques_then_draw": {"brisques": "tiebreak"}},
    "schmeiss": {"off": {"r2_elder_actions": "named"}},
}
"""What a value of an option needs of others."""


def all_values(variant: str, option: str) -> tuple[Any, ...]:
    """Every value of an option of the family, in the order of their numbers."""
    schema = family_of(variant).options.model_json_schema()["properties"][option]
    return tuple(schema.get("enum", [schema.get("const")]))


def pack_places(family: Any) -> list[int]:
    """Return the places of the vector that say which cards there are."""
    return list(family.pack_numbers(family.cards, next(iter(family.variants.values())).pack))


def needed(variant: str, option: str, value: Any) -> dict[str, Any]:
    """What a value needs of the other options of a variant."""
    asked = {field.name for field in fields(variant)}
    found = COMPANIONS.get(option, {}).get(value, {})
    return {name: wanted for name, wanted in found.items() if name in asked}


def test_the_variants_and_presets_are_those_of_the_design() -> None:
    assert {name: list(info.presets) for name, info in variants().items()} == EXPECTED
    for info in variants().values():
        assert info.default_preset == next(iter(info.presets))
        assert info.title
        assert info.seats == 2


def test_no_two_families_share_a_name_or_a_variant() -> None:
    assert len({family.name for family in FAMILIES}) == len(FAMILIES)
    assert sum(len(family.variants) for family in FAMILIES) == len(VARIANTS)
    assert option_names() == list(
        dict.fromkeys(name for family in FAMILIES for name in family.options.model_fields)
    )
    with pytest.raises(KeyError, match="whist"):
        family_of("whist")


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
    assert set(info.sources) <= set(family_of(variant).sources)
    assert info.status == "complete"
    rules = get_rules(variant, preset)
    assert rules.overrides == {}
    assert rules.family is family_of(variant)
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
    data, options = VARIANTS[variant], family_of(variant).options
    assert {field.name for field in fields(variant)} | set(data.fixed) == set(options.model_fields)
    for name in data.fixed:
        assert name not in data.defaults
        assert name not in data.narrowed
    for name, values in data.narrowed.items():
        for value in values:
            options(**{name: value})
        assert len(set(values)) > 1


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_option_has_a_source_and_a_meaning(variant: str) -> None:
    sources = family_of(variant).sources
    for field in fields(variant):
        assert field.meaning
        assert field.type_text
        assert any(key in field.source for key in sources), field.name


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_example_builds_and_changes_a_preset_and_an_option(variant: str) -> None:
    call = ast.parse(f"env({VARIANTS[variant].example})", mode="eval").body
    assert isinstance(call, ast.Call)
    given = {key.arg: ast.literal_eval(key.value) for key in call.keywords}
    rules = get_rules(variant, given["rules"], given["overrides"])
    assert rules.preset != variants()[variant].default_preset
    assert dict(rules.overrides) == given["overrides"] != {}


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_every_option_has_its_own_place_in_the_vector(family: Any) -> None:
    assert set(family.places) == set(family.options.model_fields)
    taken = [*family.places.values(), family.packs_place, *pack_places(family)]
    assert len(set(taken)) == len(taken)
    for data in family.variants.values():
        assert not set(data.scores) & set(taken)
        assert set(data.scores) | set(taken) <= set(range(family.size))
    assert set(family.numbers) <= set(family.places)


@pytest.mark.parametrize(("family", "option"), [(f, o) for f, names in KERNEL_NAMES.items() for o in names])
def test_the_kernels_names_stand_for_the_values_in_order(family: str, option: str) -> None:
    names = KERNEL_NAMES[family][option]
    ix = importlib.import_module(f"bezique_env.rules.{family}.index")
    assert [getattr(ix, name) for name in names] == list(range(len(names)))
    found = next(each for each in FAMILIES if each.name == family)
    place, seen = found.places[option], 0
    for variant in found.variants:
        values = all_values(variant, option)
        assert len(values) == len(names)
        for preset in EXPECTED[variant]:
            number = int(get_rules(variant, preset).vector[place])
            seen |= 1 << number
            assert 0 <= number < len(names)
        allowed = {field.name: field.allowed for field in fields(variant)}.get(option)
        seen |= sum(1 << values.index(value) for value in allowed or ())
    assert seen == (1 << len(names)) - 1  # every value is allowed or fixed somewhere


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_vector_holds_points_and_options(variant: str) -> None:
    data, rules = VARIANTS[variant], get_rules(variant)
    family = rules.family
    assert rules.vector.dtype == np.int64
    assert rules.vector.shape == (family.size,)
    assert not rules.vector.flags.writeable
    assert rules.vector[family.packs_place] == rules.shape.packs
    numbers = family.pack_numbers(family.cards, data.pack)
    assert {place: rules.vector[place] for place in numbers} == numbers
    assert rules.hand_size == data.pack.hand
    asked = {*family.places.values(), family.packs_place, *numbers}
    for place in range(family.size):
        if place not in asked:
            assert rules.vector[place] == data.scores.get(place, (0, ""))[0]
    for option in family.numbers:
        assert rules.vector[family.places[option]] == getattr(rules, option)


@pytest.mark.parametrize(("variant", "option"), OPTIONS)
def test_an_option_moves_its_own_place_and_the_hash(variant: str, option: str) -> None:
    family = family_of(variant)
    allowed = {field.name: field.allowed for field in fields(variant)}[option]
    for value in allowed or (NUMBERS[option],):
        companions = needed(variant, option, value)
        before = get_rules(variant, None, companions)
        after = get_rules(variant, None, {**companions, option: value})
        moved = set(np.flatnonzero(before.vector != after.vector).tolist())
        if value == getattr(before, option):
            assert moved == set()
            assert after == before
            assert after.hash == before.hash
        else:
            assert moved == {family.places[option]}
            assert after != before
            assert after.hash != before.hash
        number = value if option in family.numbers else all_values(variant, option).index(value)
        assert after.vector[family.places[option]] == number


def test_hashes_tell_all_presets_apart() -> None:
    hashes = {get_rules(variant, preset).hash for variant, preset in PRESETS}
    assert len(hashes) == len(PRESETS)


@pytest.mark.parametrize(("variant", "preset"), PRESETS)
def test_rules_survive_pickling_and_copying(variant: str, preset: str) -> None:
    overrides: Mapping[str, Any] = {
        field.name: NUMBERS[field.name] for field in fields(variant) if field.name in NUMBERS
    } or {"selection": "explicit"}
    rules = get_rules(variant, preset, overrides)
    again = pickle.loads(pickle.dumps(rules))
    assert again == rules
    assert again.hash == rules.hash
    assert np.array_equal(again.vector, rules.vector)
    assert copy.deepcopy(rules) is rules
    assert get_rules(variant, **rules.to_dict()) == rules
    assert rules.to_dict() == {"preset": preset, "overrides": overrides}


# ------------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("variant", "option"), [(name, option) for name, data in VARIANTS.items() for option in data.fixed]
)
def test_an_option_without_meaning_is_refused_whatever_its_value(variant: str, option: str) -> None:
    for value in (VARIANTS[variant].fixed[option], "x", 0, None):
        with pytest.raises(RulesError, match=rf"^option '{option}' has no meaning in {variant} \(known: "):
            get_rules(variant, None, {option: value})


@pytest.mark.parametrize(("variant", "option"), OPTIONS)
def test_a_value_of_a_wrong_kind_is_refused_with_what_is_allowed(variant: str, option: str) -> None:
    info = next(field for field in fields(variant) if field.name == option)
    for value in ("no such value", -1, 2.5, None, [], {"a": 1}):
        with pytest.raises(RulesError) as error:
            get_rules(variant, None, {option: value})
        assert str(error.value).startswith(f"{option}: {value!r} is not allowed: it must be {info.type_text}")


@pytest.mark.parametrize("variant", VARIANTS)
def test_an_option_of_another_family_is_unknown(variant: str) -> None:
    for family in FAMILIES:
        for option in set(family.options.model_fields) - set(family_of(variant).options.model_fields):
            with pytest.raises(RulesError, match=rf"^unknown option '{option}' of {variant}"):
                get_rules(variant, None, {option: "on"})


@pytest.mark.parametrize(
    ("variant", "nearest"), [("rubicn", "rubicon"), ("eight_packs", "eight_pack"), ("belotte", "belote")]
)
def test_unknown_variants_are_named_with_the_nearest(variant: str, nearest: str) -> None:
    for call in (
        *(get_rules, fields, rules_rows, options_rows, presets_rows),
        *(fixed_rows, scores_rows, settlement_rows, sources_rows),
    ):
        with pytest.raises(RulesError, match=f"'{variant}'.*did you mean '{nearest}'"):
            call(variant)


@pytest.mark.parametrize("variant", VARIANTS)
def test_unknown_presets_are_named_with_those_known(variant: str) -> None:
    with pytest.raises(RulesError) as error:
        get_rules(variant, "whist")
    known = ", ".join(EXPECTED[variant])
    assert str(error.value).startswith(f"unknown preset 'whist' of {variant}: known are {known}")


# -------------------------------------------------------------------------------------------------- tables


@pytest.mark.parametrize("variant", VARIANTS)
def test_tables_are_whole(variant: str) -> None:
    makers = [rules_rows, options_rows, presets_rows, scores_rows, settlement_rows, sources_rows]
    if VARIANTS[variant].fixed:
        makers.append(fixed_rows)
    for make in makers:
        headers, rows = make(variant)
        assert rows
        for row in rows:
            assert len(row) == len(headers)
            assert all(isinstance(cell, str) for cell in row)
    assert [row[0] for row in rules_rows(variant)[1]] == [field.name for field in fields(variant)]
    assert {row[0] for row in fixed_rows(variant)[1]} == set(VARIANTS[variant].fixed)
    assert len(scores_rows(variant)[1]) == len(VARIANTS[variant].scores)
    assert dict(sources_rows(variant)[1]) == dict(family_of(variant).sources)
    assert get_rules(variant).family.settlement_note(get_rules(variant)).endswith(".")


def test_the_table_of_variants_has_a_row_for_every_preset() -> None:
    rows = variants_rows()[1]
    assert [(row[0], row[1].split()[0]) for row in rows] == PRESETS
    assert len([row for row in rows if row[1].endswith("(default)")]) == len(VARIANTS)
