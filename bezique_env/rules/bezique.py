"""The options of the Bezique family and the presets of its variants, as data with their sources.

Every option says what it means and where it comes from; the keys of the sources (SAARI, FINN, ...) are
listed in :data:`SOURCES`. A new preset is a new entry of :data:`PRESETS` and nothing else.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from bezique_env.rules import index as ix

SOURCES: dict[str, str] = {
    "SAARI": "Mikko Saari, 150 korttipelia, pp. 229-235 (Finnish)",
    "FINN": "Finnish web page on two-hand bezique, author unnamed",
    "DUTCH": "Dutch article on bezique, following Britannica",
    "HOF": "Hoyle's Games Modernized, ed. Prof. Hoffmann, rev. 1909, pp. 12-31",
    "POR": "Laws of Rubicon Bezique, Portland Club committee, 1887, printed in HOF pp. 22-31",
    "EB11": "Encyclopaedia Britannica, 11th ed., vol. 3",
    "FOS": "R. F. Foster, Foster's Complete Hoyle",
    "PKW": "pokerwiner.com, games of playing cards, bezique",
    "NIE": "New International Encyclopedia, Bezique",
    "ENQ": "Enquire Within Upon Everything, sections 122-129",
    "ULT": "Ultimate Book of Card Games, p. 34",
    "DESIGN": "this project's own interface decisions",
}


def _yes_no(value: Any) -> Any:
    """YAML writers mean yes and no by true and false."""
    return {True: "yes", False: "no"}.get(value, value) if isinstance(value, bool) else value


def _off_is_zero(value: Any) -> Any:
    return 0 if value == "off" or value is False else value


def _off(value: Any) -> Any:
    return "off" if value is False else value


def _option(default: Any, source: str, meaning: str) -> Any:
    return Field(default=default, description=meaning, json_schema_extra={"source": source})


class BeziqueOptions(BaseModel):
    """All options of a two-pack game with the values of the preset ``standard`` as defaults."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    selection: Literal["auto", "explicit"] = _option(
        "auto",
        "DESIGN section 4",
        "who chooses the copies of a declaration: the engine by a fixed order, or the seat",
    )
    brisques: Literal["at_trick", "at_hand_end", "none"] = _option(
        "at_trick",
        "A1: SAARI, HOF at the trick; FINN, DUTCH at the end of the hand",
        "when aces and tens won score 10",
    )
    declare: Literal["one", "lay_many_score_one", "many_disjoint"] = _option(
        "one",
        "A2: ENQ, FOS, ULT one; SAARI lay many, score one; FINN many that share no card",
        "declarations in a window",
    )
    meld_groups: Literal["four", "three"] = _option(
        "four",
        "A3: SAARI four groups; FINN, HOF, FOS three (sequence and marriage together)",
        "groups within which a copy serves once",
    )
    seq_then_marriage: Literal["both_fresh", "fresh_partner"] = _option(
        "both_fresh",
        "A4: POR 37, FOS, FINN; open reading of SAARI",
        "whether a card of a scored sequence may marry a fresh partner",
    )
    double_bezique: Literal["extend_one", "one_go", "build_any"] = _option(
        "extend_one",
        "A5: SAARI, DUTCH extend one single; FINN at one go; POR 38 from any singles",
        "how a double bezique may be built",
    )
    double_credit: Literal["additive", "replace_single"] = _option(
        "additive",
        "A6: HOF additional; DUTCH the single's 40 disappears",
        "whether the 40 of a single stays when the double scores",
    )
    dix_score: Literal["on_show", "as_meld", "on_play", "none"] = _option(
        "on_show",
        "A7: SAARI shown any time; FINN a meld; DUTCH when played",
        "how a trump seven scores its 10 (once a copy)",
    )
    dix_endgame: Annotated[Literal["yes", "no"], BeforeValidator(_yes_no)] = _option(
        "yes",
        "A7: SAARI any time; ENQ not in the last eight tricks",
        "whether a trump seven played in the endgame scores",
    )
    dix_exchange: Literal["uses_declaration", "free", "instead_of_score"] = _option(
        "uses_declaration",
        "A8: SAARI, ULT instead of melding; ENQ, FINN free; DUTCH instead of the 10",
        "what exchanging for the turn-up costs",
    )
    dealer_seven: Literal[10, 0] = _option(
        10, "A9: FINN, DUTCH, HOF 10; SAARI silent", "points of the dealer for turning a seven"
    )
    endgame: Literal["follow_trump_head", "follow_trump", "follow_only"] = _option(
        "follow_trump_head",
        "A12: SAARI, FINN; DUTCH no duty to head; HOF follow only",
        "duties in the last tricks",
    )
    last_trick: Literal["final", "last_stock"] = _option(
        "final",
        "A13: SAARI, FINN, DUTCH; PKW pays it on the last stock trick",
        "which trick earns the 10 of the last trick",
    )
    target: Annotated[int, Field(ge=100, le=100_000, multiple_of=10)] = _option(
        1000, "A14: SAARI, FINN 1,000; DUTCH 1,000 or 1,500; PKW 2,000", "points that end a match"
    )
    game_end: Literal["deal_end", "immediate"] = _option(
        "deal_end",
        "A14: SAARI after the deal; FINN first to reach",
        "when reaching the target ends the match",
    )
    both_over: Literal["higher", "count_order"] = _option(
        "higher", "A15: SAARI silent; ENQ count in order", "who wins when both reach the target in one deal"
    )
    double_win_under: Annotated[int, Field(ge=0, le=100_000), BeforeValidator(_off_is_zero)] = _option(
        500, "A16: SAARI, FINN", "a loser below this total loses double (0: never)"
    )
    trump: Literal[
        "turn_up", "first_marriage", "first_marriage_or_sequence", "first_marriage_sequence_or_bezique"
    ] = _option(
        "turn_up",
        "A17: all; SAARI 22 no ready trump; EB11 marriage or sequence; SAARI 29 bezique too",
        "what fixes trump",
    )
    trump_repeat: Literal["allowed", "forbidden"] = _option(
        "allowed",
        "A18: SAARI allowed; a ban is recalled from American books",
        "whether the last deal's trump may be trump again",
    )
    premature_melds: Literal["allowed", "need_trump"] = _option(
        "allowed",
        "A19: no primary document bars them",
        "whether quartets and beziques score before trump is fixed",
    )
    bezique_pair: Literal["qs_jd", "shifting", "trump_queen"] = _option(
        "qs_jd",
        "A20: all; SAARI 23, PKW, NIE shifting; SAARI 29 trump queen",
        "which queen and jack make a bezique",
    )
    four_tens: Annotated[Literal[0, 90], BeforeValidator(_off_is_zero)] = _option(
        0, "A22: SAARI optional", "points of four tens (0: no meld)"
    )
    quartet_suits_bonus: Annotated[Literal["off", "x2"], BeforeValidator(_off)] = _option(
        "off", "A22: SAARI optional", "whether a quartet of four different suits scores double"
    )
    deal_packets: Literal["3-2-3", "threes", "singles"] = _option(
        "3-2-3", "A30: SAARI, FINN, DUTCH; POR 10 threes; PKW singles", "how the cards are dealt"
    )


SCORES: dict[int, tuple[int, str]] = {
    ix.VALUE_MARRIAGE: (20, "marriage"),
    ix.VALUE_ROYAL_MARRIAGE: (40, "marriage in trump"),
    ix.VALUE_SEQUENCE: (250, "sequence in trump"),
    ix.VALUE_BEZIQUE: (40, "bezique"),
    ix.VALUE_DOUBLE_BEZIQUE: (500, "double bezique"),
    ix.VALUE_FOUR: (100, "four aces"),
    ix.VALUE_FOUR + 2: (80, "four kings"),
    ix.VALUE_FOUR + 3: (60, "four queens"),
    ix.VALUE_FOUR + 4: (40, "four jacks"),
    ix.VALUE_SEVEN: (10, "trump seven"),
    ix.VALUE_BRISQUE: (10, "brisque (ace or ten won)"),
    ix.VALUE_LAST_TRICK: (10, "last trick"),
}
"""Points of the two-pack game (SAARI 2-3, 19; FINN 5-6; DUTCH 3, 6, 11): place in the vector -> (points, name)."""

OPTION_PLACES: dict[str, int] = {
    "selection": ix.SELECTION,
    "brisques": ix.BRISQUES,
    "declare": ix.DECLARE,
    "seq_then_marriage": ix.SEQ_THEN_MARRIAGE,
    "double_bezique": ix.DOUBLE_BEZIQUE,
    "double_credit": ix.DOUBLE_CREDIT,
    "dix_score": ix.DIX_SCORE,
    "dix_endgame": ix.DIX_ENDGAME,
    "dix_exchange": ix.DIX_EXCHANGE,
    "dealer_seven": ix.DEALER_SEVEN,
    "endgame": ix.ENDGAME,
    "last_trick": ix.LAST_TRICK,
    "target": ix.TARGET,
    "game_end": ix.GAME_END,
    "both_over": ix.BOTH_OVER,
    "double_win_under": ix.DOUBLE_WIN_UNDER,
    "trump": ix.TRUMP,
    "trump_repeat": ix.TRUMP_REPEAT,
    "premature_melds": ix.PREMATURE_MELDS,
    "bezique_pair": ix.BEZIQUE_PAIR,
    "quartet_suits_bonus": ix.QUARTET_SUITS_BONUS,
    "deal_packets": ix.DEAL_PACKETS,
    "four_tens": ix.VALUE_FOUR + 1,
}
"""Where each option stands in the vector (``meld_groups`` only restricts ``seq_then_marriage``)."""

NUMBERS = {"dealer_seven", "target", "double_win_under", "four_tens"}
"""Options that stand in the vector as themselves."""

PRESETS: dict[str, dict[str, Any]] = {
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
}
"""The presets of ``two_pack``: title, sources, and what differs from the defaults above."""


def conflict(options: BeziqueOptions) -> str | None:
    """Return what makes a combination of options impossible, None when it is possible."""
    if options.meld_groups == "three" and options.seq_then_marriage == "fresh_partner":
        return (
            "meld_groups: 'three' puts sequence and marriage into one group, so seq_then_marriage must be "
            "'both_fresh', not 'fresh_partner'"
        )
    if options.trump != "turn_up" and options.dix_score != "none":
        return f"dix_score: without a turn-up (trump: {options.trump!r}) it must be 'none', not {options.dix_score!r}"
    if options.trump != "turn_up" and options.dealer_seven:
        return f"dealer_seven: without a turn-up (trump: {options.trump!r}) it must be 0, not {options.dealer_seven}"
    if options.trump == "first_marriage_sequence_or_bezique" and options.bezique_pair != "trump_queen":
        return f"bezique_pair: trump {options.trump!r} needs 'trump_queen', not {options.bezique_pair!r}"
    if options.trump == "turn_up" and options.trump_repeat == "forbidden":
        return "trump_repeat: 'forbidden' needs a trump fixed by a meld, not trump 'turn_up'"
    return None
