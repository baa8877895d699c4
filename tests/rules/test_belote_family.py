"""The Belote family in particular: its options, presets and conflicts (the rest stands in test_family)."""

from __future__ import annotations

from typing import Any

import pytest

from bezique_env.rules import RulesError, fields, get_rules, variants
from bezique_env.rules.belote import index as ix
from bezique_env.rules.belote.cards import CARDS
from bezique_env.rules.belote.options import BeloteOptions
from bezique_env.rules.belote.shape import Shape
from bezique_env.rules.tables import presets_rows, rules_rows, scores_rows, settlement_rows

FAMILY = get_rules("belote").family

SECTION_8: dict[str, tuple[Any, ...]] = {
    "target": (500,),
    "accepted_redeal_dealer": ("same", "next"),
    "max_redeals": (1000,),
    "schmeiss": ("on", "off"),
    "schmeiss_refused_makes": ("proposer", "responder"),
    "r2_elder_actions": ("propose_or_pass", "named"),
    "r2_dealer_may_propose": (False, True),
    "all_pass": ("next_dealer", "dealer_forced"),
    "run_values": ("20/50", "20/40/50", "20/50/100"),
    "seq_length_breaks_tie": (False, True),
    "maximal_runs_only": (True,),
    "run_tie": ("nobody", "elder_wins"),
    "four_of_a_kind": ("off", "bicycle", "french", "swiss"),
    "announce_needs_trick": (False, True),
    "show_winning_sequences": (True, False),
    "exchange_seven": ("optional", "off"),
    "exchange_window": ("after_3_cards_before_announce", "until_first_lead"),
    "exchange_seven_from": ("any9", "first6"),
    "exchange_requires_turned_suit_trump": (True,),
    "belote_call_deadline": ("second_card", "first_card", "both_words"),
    "belote_auto": (False, True),
    "belote_prenable": (True, False),
    "two_hand_tie": ("taker_zero", "hold_over", "fall"),
    "two_hand_fail": ("opponent_sum", "taker_loses_only"),
    "all_tricks_bonus": (0, 90, 100),
    "rounding": ("none", "up5", "down5"),
    "revoke_penalty": ("offender_minus_50", "opponent_plus_50", "none"),
    "tie_at_target": ("play_another",),
    "win_check": ("end_of_hand",),
}
"""Sections 2.10 and 8 of the rules text, what concerns two seats: the values, the default first."""


def differences(preset: str) -> dict[str, Any]:
    """What differs from the primary document."""
    values, base = get_rules("belote", preset).options, get_rules("belote").options
    return {name: v for name, v in values.model_dump().items() if v != getattr(base, name)}


# ------------------------------------------------------------------------------------------ the data is whole


def test_the_options_and_defaults_are_those_of_section_8() -> None:
    found = {field.name: field for field in fields("belote")}
    assert list(found) == list(SECTION_8)
    for name, values in SECTION_8.items():
        assert found[name].default == values[0]
        assert type(found[name].default) is type(values[0])
        if found[name].allowed is not None:
            assert set(found[name].allowed) == set(values)
    assert [name for name in found if found[name].allowed is None] == ["target", "max_redeals"]


@pytest.mark.parametrize(
    ("option", "point"),
    [
        ("accepted_redeal_dealer", "A3"),
        ("schmeiss_refused_makes", "A5"),
        ("r2_elder_actions", "A6"),
        ("r2_dealer_may_propose", "A7"),
        ("seq_length_breaks_tie", "A9"),
        ("maximal_runs_only", "A10"),
        ("belote_call_deadline", "A12"),
        ("show_winning_sequences", "A13"),
        ("exchange_seven", "A15"),
        ("exchange_window", "A15"),
        ("exchange_seven_from", "A15"),
        ("exchange_requires_turned_suit_trump", "A16"),
        ("tie_at_target", "A19"),
        ("win_check", "A20"),
        ("revoke_penalty", "A21"),
        ("two_hand_tie", "A24"),
        ("all_tricks_bonus", "A25"),
        ("announce_needs_trick", "A26"),
        ("max_redeals", "A28"),
    ],
)
def test_a_point_of_section_2_10_is_named_by_its_option(option: str, point: str) -> None:
    source = {field.name: field.source for field in fields("belote")}[option]
    assert source.startswith(f"{point}: ")


def test_the_presets_are_those_of_section_3_3() -> None:
    hoyle = {
        "r2_elder_actions": "named",
        "r2_dealer_may_propose": True,
        "schmeiss_refused_makes": "responder",
    }
    assert differences("two_handed") == {}
    assert differences("hoyle") == hoyle
    assert differences("bicycle") == {
        **hoyle,
        "run_values": "20/40/50",
        "four_of_a_kind": "bicycle",
        "two_hand_fail": "taker_loses_only",
    }
    assert differences("swiss") == {
        "schmeiss": "off",
        "r2_elder_actions": "named",
        "run_values": "20/50/100",
        "four_of_a_kind": "swiss",
        "exchange_seven": "off",
        "two_hand_tie": "fall",
        "all_tricks_bonus": 100,
    }


def test_what_a_preset_rests_on_is_said() -> None:
    presets = variants()["belote"].presets
    assert presets["two_handed"].sources == ("PRIMARY",)
    assert (
        "the pages of the game have none" in presets["swiss"].title
    )  # values of declarations: Jass at large


def test_cards_shape_and_points() -> None:
    rules = get_rules("belote")
    assert rules.family.cards is CARDS
    assert rules.shape == Shape(2)
    assert (rules.shape.packs, rules.shape.deck, rules.vector[ix.HAND_SIZE]) == (1, 32, 9)
    assert (rules.vector[ix.VALUE_LAST_TRICK], rules.vector[ix.VALUE_PAIR]) == (10, 20)
    assert [row[0] for row in scores_rows("belote")[1]] == ["10", "20"]


@pytest.mark.parametrize(
    ("option", "place"),
    [
        ("maximal_runs_only", ix.MAXIMAL_RUNS_ONLY),
        ("exchange_requires_turned_suit_trump", ix.EXCHANGE_REQUIRES_TURNED_SUIT_TRUMP),
        ("tie_at_target", ix.TIE_AT_TARGET),
        ("win_check", ix.WIN_CHECK),
    ],
)
def test_an_option_of_one_value_may_be_given_but_not_changed(option: str, place: int) -> None:
    (value,) = SECTION_8[option]
    rules = get_rules("belote", None, {option: value})
    assert rules.overrides == {}
    assert rules.vector[place] == 0
    wrong = (not value) if isinstance(value, bool) else "next_deal"
    with pytest.raises(RulesError, match=rf"^{option}: {wrong!r} is not allowed: it must be "):
        get_rules("belote", None, {option: wrong})


def test_a_preset_given_by_its_values_has_its_numbers_but_its_own_name() -> None:
    hoyle = get_rules("belote", "hoyle")
    same = get_rules("belote", None, differences("hoyle"))
    assert same.hash == hoyle.hash
    assert same != hoyle
    assert dict(same.overrides) == differences("hoyle")


# ------------------------------------------------------------------------------------- what cannot stand together


@pytest.mark.parametrize(
    ("preset", "overrides", "words"),
    [
        (
            None,
            {"schmeiss": "off"},
            ["r2_elder_actions", "schmeiss: 'off'", "'named', not 'propose_or_pass'"],
        ),
        ("swiss", {"r2_elder_actions": "propose_or_pass"}, ["r2_elder_actions", "must be 'named'"]),
        (
            "hoyle",
            {"schmeiss": "off"},
            ["r2_dealer_may_propose", "schmeiss: 'off'", "must be false, not true"],
        ),
        ("swiss", {"r2_dealer_may_propose": True}, ["r2_dealer_may_propose", "must be false, not true"]),
        (
            None,
            {"belote_auto": True, "belote_call_deadline": "both_words"},
            ["belote_call_deadline", "belote_auto: true", "'second_card' or 'first_card', not 'both_words'"],
        ),
    ],
)
def test_what_cannot_stand_together_is_refused(
    preset: str | None, overrides: dict[str, Any], words: list[str]
) -> None:
    with pytest.raises(RulesError) as error:
        get_rules("belote", preset, overrides)
    assert str(error.value).startswith(f"{words[0]}: ")
    for word in words:
        assert word in str(error.value)


@pytest.mark.parametrize(
    ("preset", "overrides"),
    [
        ("two_handed", {"schmeiss": "off", "r2_elder_actions": "named"}),
        ("hoyle", {"schmeiss": "off", "r2_dealer_may_propose": False}),
        ("two_handed", {"belote_auto": True, "belote_call_deadline": "first_card"}),
        ("two_handed", {"exchange_seven": "off", "exchange_window": "until_first_lead"}),
        ("two_handed", {"all_pass": "dealer_forced"}),
        ("swiss", {"all_pass": "dealer_forced", "exchange_seven": "optional"}),
    ],
)
def test_the_same_with_what_it_needs_is_allowed(preset: str, overrides: dict[str, Any]) -> None:
    assert dict(get_rules("belote", preset, overrides).overrides) == overrides


def test_every_other_combination_of_presets_and_single_options_builds() -> None:
    refused = []
    for preset in variants()["belote"].presets:
        for option, values in SECTION_8.items():
            for value in values:
                try:
                    get_rules("belote", preset, {option: value})
                except RulesError:
                    refused.append((preset, option, value))
    assert refused == [
        ("two_handed", "schmeiss", "off"),
        ("hoyle", "schmeiss", "off"),
        ("bicycle", "schmeiss", "off"),
        ("swiss", "r2_elder_actions", "propose_or_pass"),
        ("swiss", "r2_dealer_may_propose", True),
    ]


# ------------------------------------------------------------------------------------------ words and refusals


@pytest.mark.parametrize(
    ("preset", "given", "kept"),
    [
        ("swiss", {"schmeiss": True}, {"schmeiss": "on"}),
        ("swiss", {"schmeiss": False}, {}),
        ("two_handed", {"four_of_a_kind": False, "all_tricks_bonus": False, "rounding": "none"}, {}),
        ("swiss", {"four_of_a_kind": False}, {"four_of_a_kind": "off"}),
        ("swiss", {"all_tricks_bonus": "off"}, {"all_tricks_bonus": 0}),
        ("two_handed", {"exchange_seven": False}, {"exchange_seven": "off"}),
        ("two_handed", {"belote_auto": True, "belote_prenable": False}, None),
        ("two_handed", {"r2_dealer_may_propose": 1}, {"r2_dealer_may_propose": True}),
        ("two_handed", {"show_winning_sequences": False}, None),
    ],
)
def test_yaml_words_are_understood(preset: str, given: dict[str, Any], kept: dict[str, Any] | None) -> None:
    """YAML reads off and on as false and true."""
    found = dict(get_rules("belote", preset, given).overrides)
    expected = given if kept is None else kept
    assert found == expected
    assert all(type(value) is type(expected[name]) for name, value in found.items())


@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        ({"target": 49}, ["a whole number in 50..100000"]),
        ({"target": 100_001}, ["a whole number in 50..100000"]),
        ({"target": True}, ["a whole number in 50..100000"]),
        ({"max_redeals": -1}, ["a whole number in 0..100000"]),
        ({"run_values": "20/50/10"}, ["20/50 | 20/40/50 | 20/50/100", "did you mean '20/50/100'?"]),
        ({"four_of_a_kind": "bicicle"}, ["off | bicycle | french | swiss", "did you mean 'bicycle'?"]),
        ({"four_of_a_kind": True}, ["off | bicycle | french | swiss"]),
        ({"exchange_seven": True}, ["optional | off"]),
        ({"all_tricks_bonus": 50}, ["0 | 90 | 100"]),
        ({"belote_auto": "yes"}, ["false | true"]),
        ({"belote_auto": "true"}, ["false | true", "did you mean 'true'?"]),
        ({"maximal_runs_only": False}, ["it must be true"]),
        ({"two_hand_tie": "falls"}, ["taker_zero | hold_over | fall", "did you mean 'fall'?"]),
    ],
)
def test_a_value_that_is_not_allowed_is_named(overrides: dict[str, Any], words: list[str]) -> None:
    ((option, value),) = overrides.items()
    with pytest.raises(RulesError) as error:
        get_rules("belote", None, overrides)
    for word in (f"{option}: {value!r} is not allowed: it must be", *words):
        assert word in str(error.value)


@pytest.mark.parametrize(
    ("option", "nearest"),
    [("schmeis", "schmeiss"), ("two_hand_ties", "two_hand_tie"), ("belote_autos", "belote_auto")],
)
def test_an_unknown_option_is_named_with_the_nearest(option: str, nearest: str) -> None:
    with pytest.raises(RulesError, match=rf"^unknown option '{option}' of belote; did you mean '{nearest}'"):
        get_rules("belote", None, {option: "on"})
    with pytest.raises(AttributeError, match=f"did you mean '{nearest}'"):
        getattr(get_rules("belote"), option)


def test_the_model_itself_takes_no_unknown_option() -> None:
    with pytest.raises(ValueError, match="extra_forbidden"):
        BeloteOptions(players=2)


# -------------------------------------------------------------------------------------------------- tables


def test_the_table_of_settlements_says_what_holds_here() -> None:
    def holds(rules: Any) -> list[str]:
        return [row[1] for row in FAMILY.settlement_rows(rules)[1] if row[2] == "yes"]

    assert holds(get_rules("belote")) == [
        "always",
        "two_hand_tie: taker_zero",
        "two_hand_fail: opponent_sum",
    ]
    assert holds(get_rules("belote", "bicycle"))[2] == "two_hand_fail: taker_loses_only"
    assert holds(get_rules("belote", "swiss"))[1] == "two_hand_tie: fall"
    assert holds(get_rules("belote", None, {"belote_prenable": False}))[-1] == "belote_prenable: false"
    assert settlement_rows("belote") == FAMILY.settlement_rows(get_rules("belote"))


def test_the_note_above_it_names_the_target() -> None:
    assert "goes to 501" in FAMILY.settlement_note(get_rules("belote", None, {"target": 501}))


def test_tables_write_yes_and_no_as_yaml_does() -> None:
    rows = {row[0]: row for row in rules_rows("belote", "hoyle")[1]}
    assert rows["r2_dealer_may_propose"][1:4] == ["true", "false", "false | true"]
    assert rows["maximal_runs_only"][1:4] == ["true", "", "true"]
    table = {row[0]: row[1:] for row in presets_rows("belote")[1]}
    assert table["r2_dealer_may_propose"] == ["false", "true", "true", "false"]
    assert table["all_tricks_bonus"] == ["0", "0", "0", "100"]
