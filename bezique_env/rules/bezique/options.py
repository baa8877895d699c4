"""The options of the Bezique family and its tables of points, as data with their sources.

Every option says what it means and where it comes from; the keys of the sources (SAARI, FINN, ...) are
listed in :data:`SOURCES`. Which variant has which options, and the presets, stand in
:mod:`bezique_env.rules.bezique.variants`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from bezique_env.rules.bezique import index as ix

SOURCES: dict[str, str] = {
    "SAARI": "Mikko Saari, 150 korttipelia, pp. 229-235 (Finnish)",
    "FINN": "Finnish web page on two-hand bezique, author unnamed",
    "DUTCH": "Dutch article on bezique, following Britannica",
    "HOF": "Hoyle's Games Modernized, ed. Prof. Hoffmann, rev. 1909, pp. 12-31",
    "POR": "Laws of Rubicon Bezique, Portland Club committee, 1887, printed in HOF pp. 22-31",
    "EB11": "Encyclopaedia Britannica, 11th ed., vol. 3",
    "FOS": "R. F. Foster, Foster's Complete Hoyle",
    "PEN": "David Parlett, The Penguin Book of Card Games",
    "PKW": "pokerwiner.com, games of playing cards, bezique",
    "BIC-R": "bicyclecards.com, Rubicon Bezique",
    "CMC-R": "crazymonkeycasino.com, Rubicon Bezique",
    "CMC-6": "crazymonkeycasino.com, six-deck Bezique",
    "HER": "Chris and Jennifer Herring, Rules for 6-pack Bezique, 2000",
    "WKN-R": "whiteknucklecards.com, Rubicon Bezique",
    "WKN-F": "whiteknucklecards.com, Fildinski",
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


def _off_on(value: Any) -> Any:
    """YAML writers mean off and on by false and true."""
    return {True: "on", False: "off"}.get(value, value) if isinstance(value, bool) else value


def _option(default: Any, source: str, meaning: str, allowed: str = "") -> Any:
    extra: dict[str, Any] = {"source": source, "allowed": allowed} if allowed else {"source": source}
    return Field(default=default, description=meaning, json_schema_extra=extra)


class BeziqueOptions(BaseModel):
    """All options of the family; the defaults are the preset ``standard`` of ``two_pack``.

    A variant lists the options that mean something in it, and may allow fewer values. An option's number in
    the rules vector is its place among the values allowed here.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    selection: Literal["auto", "explicit"] = _option(
        "auto",
        "DESIGN section 4",
        "who chooses the copies of a declaration: the engine by a fixed order, or the seat",
    )
    brisques: Literal["at_trick", "at_hand_end", "none", "tiebreak", "tiebreak_and_rubicon"] = _option(
        "at_trick",
        "A1: SAARI, HOF at the trick; FINN, DUTCH at the end of the hand; SAARI 32 only in ties; POR 60 and "
        "the rubicon; CMC-6 none",
        "when aces and tens won score 10, or what else they count for: ties, and (settlement portland) saving "
        "the rubicon",
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
        "which trick earns the points of the last trick",
    )
    target: Annotated[int, Field(ge=100, le=100_000, multiple_of=10)] = _option(
        1000,
        "A14: SAARI, FINN 1,000; DUTCH 1,000 or 1,500; PKW 2,000",
        "points that end a match",
        "a multiple of 10 in 100..100000",
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
        500,
        "A16: SAARI, FINN",
        "a loser below this total loses double (0: never)",
        "0 (off) to 100000",
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
        "A19: SAARI, FINN and DUTCH bar none; the Haitian programs do",
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
    reform: Literal["none", "replace"] = _option(
        "none",
        "A21: HOF, POR 34-38, BIC-R, WKN-R, CMC-6 replace; SAARI, read literally, none",
        "whether a meld may score again with a new card after one of its cards was played",
    )
    marriage_rematch: Literal["cross_pairs", "on_play"] = _option(
        "cross_pairs",
        "A21: HOF cross pairs; POR 34, 35 only after a partner was played",
        "whether two standing marriages may also score crosswise (under reform: replace)",
    )
    carte_blanche_courts: Literal["AKQJ", "KQJ"] = _option(
        "AKQJ", "A10: SAARI 26 aces too; POR 15, 16, 43 K Q J only", "the courts that a carte blanche lacks"
    )
    settlement: Literal["games", "saari_example", "saari_table", "portland", "bicycle", "sum"] = _option(
        "games",
        "A23: SAARI 20 games; SAARI 33, 34 (without and with the table's game bonus); POR 57-61; BIC-R; CMC-6 sum",
        "what a game pays",
    )
    tie: Literal["draw", "brisques_then_draw"] = _option(
        "draw", "A24: SAARI 32, POR 61 brisques; nothing in six and eight packs", "what breaks a tie"
    )
    cut_bonus: Annotated[Literal["off", "on"], BeforeValidator(_off_on)] = _option(
        "off",
        "A25: PKW, HER",
        "whether lifting exactly 24 cards, and guessing the number lifted, scores before the deal",
    )
    melds_from: Literal["hand", "won"] = _option(
        "hand", "SAARI 6; SAARI 24, EB11, WKN-F from the cards won", "where the cards of melds come from"
    )
    fildinski_reuse: Literal["per_turn", "by_class"] = _option(
        "per_turn",
        "A26: SAARI 24 no card twice in a turn; EB11 once in each class",
        "how often an open card may serve in one window",
    )
    fildinski_endgame: Annotated[Literal["off", "on"], BeforeValidator(_off_on)] = _option(
        "off", "A26: SAARI as usual off; EB11 on", "whether melds are declared in the last eight tricks too"
    )
    fildinski_dix: Literal["trick_winner", "from_hand"] = _option(
        "trick_winner",
        "A26: EB11 the winner of the trick; SAARI as usual",
        "who scores and exchanges a trump seven",
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

MINI_SCORES: dict[int, tuple[int, str]] = {
    place: SCORES[place]
    for place in (
        ix.VALUE_MARRIAGE,
        ix.VALUE_ROYAL_MARRIAGE,
        ix.VALUE_BEZIQUE,
        ix.VALUE_DOUBLE_BEZIQUE,
        ix.VALUE_LAST_TRICK,
    )
} | {ix.VALUE_BRISQUE: (SCORES[ix.VALUE_BRISQUE][0], "brisque (highest rank of the pack won)")}
"""Points of the games with small packs: those of two packs, for what two suits and court cards can make."""

FOUR_PACK_SCORES: dict[int, tuple[int, str]] = {
    ix.VALUE_MARRIAGE: (20, "marriage"),
    ix.VALUE_ROYAL_MARRIAGE: (40, "marriage in trump"),
    ix.VALUE_SEQUENCE: (250, "sequence in trump"),
    ix.VALUE_PLAIN_SEQUENCE: (150, "sequence in another suit"),
    ix.VALUE_BEZIQUE: (40, "bezique"),
    ix.VALUE_DOUBLE_BEZIQUE: (500, "double bezique"),
    ix.VALUE_DOUBLE_BEZIQUE + 1: (1500, "triple bezique"),
    ix.VALUE_DOUBLE_BEZIQUE + 2: (4500, "quadruple bezique"),
    ix.VALUE_FOUR: (100, "four aces"),
    ix.VALUE_FOUR + 2: (80, "four kings"),
    ix.VALUE_FOUR + 3: (60, "four queens"),
    ix.VALUE_FOUR + 4: (40, "four jacks"),
    ix.VALUE_LAST_TRICK: (50, "last trick"),
    ix.VALUE_CARTE_BLANCHE: (50, "carte blanche, each time it is shown"),
    ix.GAME_BONUS: (500, "winning the game (not under settlement saari_example)"),
    ix.RUBICON: (1000, "the rubicon: a loser with less has not crossed it"),
    ix.RUBICON_BONUS: (500, "the loser has not crossed the rubicon (settlements saari_example, saari_table)"),
}
"""Points of the game with four packs (SAARI's table; POR; PEN)."""

SIX_PACK_SCORES: dict[int, tuple[int, str]] = {
    **FOUR_PACK_SCORES,
    ix.VALUE_FOUR_TRUMP: (1000, "four aces of trump"),
    ix.VALUE_FOUR_TRUMP + 1: (900, "four tens of trump"),
    ix.VALUE_FOUR_TRUMP + 2: (800, "four kings of trump"),
    ix.VALUE_FOUR_TRUMP + 3: (600, "four queens of trump"),
    ix.VALUE_FOUR_TRUMP + 4: (400, "four jacks of trump"),
    ix.VALUE_LAST_TRICK: (250, "last trick"),
    ix.VALUE_CARTE_BLANCHE: (250, "carte blanche, each time it is shown"),
    ix.GAME_BONUS: (1000, "winning the game (not under settlement saari_example)"),
    ix.RUBICON: (3000, "the rubicon: a loser with less has not crossed it"),
    ix.RUBICON_BONUS: (0, "the loser has not crossed the rubicon (settlements saari_example, saari_table)"),
    ix.VALUE_CUT: (250, "the dealer lifts exactly 24 cards (option cut_bonus)"),
    ix.VALUE_CUT_GUESS: (150, "the other seat guesses the number lifted (option cut_bonus)"),
}
"""Points of the game with six packs (SAARI's table; PEN; CMC-6; PKW, HER for the cut)."""

EIGHT_PACK_SCORES: dict[int, tuple[int, str]] = {
    **{
        place: entry
        for place, entry in SIX_PACK_SCORES.items()
        if place not in (ix.VALUE_CARTE_BLANCHE, ix.VALUE_CUT, ix.VALUE_CUT_GUESS)
    },
    ix.VALUE_DOUBLE_BEZIQUE + 3: (9000, "quintuple bezique"),
    ix.VALUE_FIVE_TRUMP: (2000, "five aces of trump"),
    ix.VALUE_FIVE_TRUMP + 1: (1800, "five tens of trump"),
    ix.VALUE_FIVE_TRUMP + 2: (1600, "five kings of trump"),
    ix.VALUE_FIVE_TRUMP + 3: (1200, "five queens of trump"),
    ix.VALUE_FIVE_TRUMP + 4: (800, "five jacks of trump"),
    ix.RUBICON: (5000, "the rubicon: a loser with less has not crossed it"),
}
"""Points of the game with eight packs (SAARI's table; PEN)."""

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
    "meld_groups": ix.MELD_GROUPS,
    "reform": ix.REFORM,
    "marriage_rematch": ix.MARRIAGE_REMATCH,
    "carte_blanche_courts": ix.CARTE_BLANCHE_COURTS,
    "settlement": ix.SETTLEMENT,
    "tie": ix.TIE,
    "cut_bonus": ix.CUT_BONUS,
    "melds_from": ix.MELDS_FROM,
    "fildinski_reuse": ix.FILDINSKI_REUSE,
    "fildinski_endgame": ix.FILDINSKI_ENDGAME,
    "fildinski_dix": ix.FILDINSKI_DIX,
}
"""Where each option stands in the vector."""

NUMBERS = {"dealer_seven", "target", "double_win_under", "four_tens"}
"""Options that stand in the vector as themselves."""


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
    if options.reform == "replace" and options.seq_then_marriage == "fresh_partner":
        return (
            "seq_then_marriage: under reform 'replace' no card of a sequence marries (POR 37), so it must be "
            "'both_fresh', not 'fresh_partner'"
        )
    if options.tie == "brisques_then_draw" and options.brisques == "none":
        return "tie: 'brisques_then_draw' needs brisques 'tiebreak' or 'tiebreak_and_rubicon', not 'none'"
    return None
