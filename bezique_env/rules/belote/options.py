"""The options of the Belote family, as data with their sources.

Every option says what it means and where it comes from; the keys of the sources (PRIMARY, UMICH, ...) are
listed in :data:`SOURCES`, and A1 to A29 are the points on which the primary document is silent. Which
variant has which options, and the presets, stand in :mod:`bezique_env.rules.belote.variants`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from bezique_env.rules.belote import index as ix

SOURCES: dict[str, str] = {
    "PRIMARY": "Finnish web page on two-handed Belote, author unnamed",
    "UMICH": "www-personal.umich.edu/~bpl, Klaberjass (the American Hoyle line; seen in part)",
    "POKW": "pokerwiner.com, Klaberjass (the American Hoyle line; seen in part)",
    "WKC": "whiteknucklecards.com, Klaberjass (seen in part)",
    "PARLETT": "David Parlett, The Penguin Book of Card Games, Klaberjass",
    "KASINO": "kasinobesuchen.de, Klaberjass in the manner of Britannica (seen in part)",
    "GOODSOFT": "goodsoft.biz, rules of a shareware Klaberjass (seen in part)",
    "TRUMPLAB": "Japanese open-source card lab, specification of Klaberjass",
    "DENEXA": "denexa.com, Klaberjass (seen in part)",
    "WP-KLA": "Wikipedia, Klaberjass (seen in part)",
    "BICYCLE": "bicyclecards.com, Belotte for two (seen in part)",
    "MCNEELY": "McNeely's rules of Klaberjass",
    "SWISS500": "jasswiki.ch and jassverzeichnis.ch, Cinq Cents (Swiss, two-handed)",
    "WEIS": "jassonkel.ch and German Wikipedia, what is announced in Swiss Jass at large",
    "HR23": "a public document on Croatian bela for two and three",
    "RDJ": "regledujeu.fr, Belote (values of declarations; seen in part)",
    "FFB16": "Federation Francaise de Belote, rules of 2016, as quoted in a survey",
    "PAGAT": "pagat.com, Klaberjass and Belote (seen in part)",
    "DESIGN": "this project's own interface decisions",
}


def _off(value: Any) -> Any:
    """YAML writers mean off by false."""
    return "off" if value is False else value


def _off_on(value: Any) -> Any:
    """YAML writers mean off and on by false and true."""
    return {True: "on", False: "off"}.get(value, value) if isinstance(value, bool) else value


def _off_is_zero(value: Any) -> Any:
    return 0 if value == "off" or value is False else value


def _option(default: Any, source: str, meaning: str, allowed: str = "") -> Any:
    extra: dict[str, Any] = {"source": source, "allowed": allowed} if allowed else {"source": source}
    return Field(default=default, description=meaning, json_schema_extra=extra)


class BeloteOptions(BaseModel):
    """All options of the family; the defaults are the preset ``two_handed`` of ``belote``.

    An option's number in the rules vector is its place among the values allowed here.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    target: Annotated[int, Field(ge=50, le=100_000)] = _option(
        500,
        "PRIMARY, PARLETT, UMICH 500; DENEXA, HR23 501",
        "points that end a match",
        "a whole number in 50..100000",
    )
    accepted_redeal_dealer: Literal["same", "next"] = _option(
        "same",
        "A3: WKC, and PRIMARY where it moves the deal only after passes, the same; PARLETT the next",
        "who deals after an agreed proposal of a new deal",
    )
    max_redeals: Annotated[int, Field(ge=0, le=100_000)] = _option(
        1000,
        "A28: no rule limits them; DESIGN",
        "how often one deal may be dealt again; the one after that ends 0 : 0 and a match with it",
        "a whole number in 0..100000",
    )
    schmeiss: Annotated[Literal["on", "off"], BeforeValidator(_off_on)] = _option(
        "on",
        "PRIMARY, UMICH, POKW, WKC on; KASINO, GOODSOFT, SWISS500, HR23 off",
        "whether a seat may propose a new deal instead of accepting",
    )
    schmeiss_refused_makes: Literal["proposer", "responder"] = _option(
        "proposer",
        "A5: PRIMARY, POKW the proposer; UMICH the one who refuses",
        "who must take the turned suit after a refused proposal of round 1",
    )
    r2_elder_actions: Literal["propose_or_pass", "named"] = _option(
        "propose_or_pass",
        "A6: PRIMARY propose or pass; UMICH, POKW, PARLETT, GOODSOFT and all others named",
        "whether elder may name a suit in round 2 without proposing first",
    )
    r2_dealer_may_propose: Literal[False, True] = _option(
        False,
        "A7: PRIMARY no; UMICH, PARLETT yes",
        "whether the dealer may propose a new deal in round 2 too",
    )
    all_pass: Literal["next_dealer", "dealer_forced"] = _option(
        "next_dealer",
        "PRIMARY, GOODSOFT, SWISS500 the next dealer deals; HR23 the dealer is forced",
        "what happens when both seats pass in both rounds",
    )
    run_values: Literal["20/50", "20/40/50", "20/50/100"] = _option(
        "20/50",
        "PRIMARY, UMICH, KASINO, GOODSOFT, TRUMPLAB 20/50; BICYCLE 20/40/50; WEIS, HR23, RDJ 20/50/100",
        "points of a sequence of three cards, of four, and of five or more (four or more under 20/50)",
    )
    seq_length_breaks_tie: Literal[False, True] = _option(
        False,
        "A9: PRIMARY no, by its letter; WEIS yes",
        "whether of two sequences of the same value the longer is better, before their top cards are compared",
    )
    maximal_runs_only: Literal[True] = _option(
        True,
        "A10: PRIMARY silent; played everywhere",
        "a sequence is never split nor shortened: it is as long as the hand makes it",
    )
    run_tie: Literal["nobody", "elder_wins"] = _option(
        "nobody",
        "PRIMARY, GOODSOFT, SWISS500 nobody; TRUMPLAB in its variant elder",
        "who scores when the best declarations are equal in everything",
    )
    four_of_a_kind: Annotated[Literal["off", "bicycle", "french", "swiss"], BeforeValidator(_off)] = _option(
        "off",
        "PRIMARY off; BICYCLE; RDJ, FFB16 french; SWISS500, WEIS swiss",
        "what four of a kind score: bicycle jacks 200, nines, tens, queens, kings and aces 100, in a "
        "comparison of their own; french jacks 200, nines 150, tens, queens, kings and aces 100, in one "
        "comparison with the sequences; swiss as french, but no nines and no tens",
    )
    announce_needs_trick: Literal[False, True] = _option(
        False,
        "A26: PRIMARY no; HR23 yes",
        "whether declarations score only with the first trick that their seat wins",
    )
    show_winning_sequences: Literal[False, True] = _option(
        True,
        "A13: PRIMARY silent; PAGAT shown",
        "whether the winner of the comparison shows all that he scores",
    )
    exchange_seven: Annotated[Literal["optional", "off"], BeforeValidator(_off)] = _option(
        "optional",
        "A15: PRIMARY, UMICH, GOODSOFT optional; SWISS500 has none",
        "whether the seven of trumps may be exchanged for the turned card",
    )
    exchange_window: Literal["after_3_cards_before_announce", "until_first_lead"] = _option(
        "after_3_cards_before_announce",
        "A15: PRIMARY only before play begins",
        "when it may be exchanged: before the announcements, or also after them",
    )
    exchange_seven_from: Literal["any9", "first6"] = _option(
        "any9",
        "A15: PRIMARY any; HR23 the first six",
        "among which cards the seven must have been dealt",
    )
    exchange_requires_turned_suit_trump: Literal[True] = _option(
        True,
        "A16: PRIMARY, UMICH, GOODSOFT",
        "no exchange when another suit than the turned one is trump",
    )
    belote_call_deadline: Literal["second_card", "first_card", "both_words"] = _option(
        "second_card",
        "A12: PRIMARY ambiguous; TRUMPLAB, PAGAT the second card; FFB16 a word with each",
        "with which of king and queen of trumps the pair must be announced",
    )
    belote_auto: Literal[False, True] = _option(
        False,
        "PRIMARY voluntary; DESIGN",
        "whether the pair announces itself when its first card is played",
    )
    belote_prenable: Literal[False, True] = _option(
        True,
        "PRIMARY adds up everything; FFB16 the pair always stays",
        "whether the pair of a taker who fails goes to the opponent with his other points",
    )
    two_hand_tie: Literal["taker_zero", "hold_over", "fall"] = _option(
        "taker_zero",
        "A24: PRIMARY the taker writes nothing; MCNEELY his points wait for the winner of the next deal; "
        "SWISS500, HR23 as less",
        "what a taker with exactly as many points as the opponent writes",
    )
    two_hand_fail: Literal["opponent_sum", "taker_loses_only"] = _option(
        "opponent_sum",
        "PRIMARY, SWISS500 the opponent writes both; BICYCLE only his own",
        "where the points of a taker with less than the opponent go",
    )
    all_tricks_bonus: Annotated[Literal[0, 90, 100], BeforeValidator(_off_is_zero)] = _option(
        0,
        "A25: PRIMARY none; HR23 90; SWISS500 100",
        "points for winning all nine tricks (0: none)",
    )
    rounding: Literal["none", "up5", "down5"] = _option(
        "none",
        "PRIMARY none; FFB16 to the nearest ten",
        "how the points written for a deal are rounded to tens: a five goes up or down",
    )
    revoke_penalty: Literal["offender_minus_50", "opponent_plus_50", "none"] = _option(
        "offender_minus_50",
        "A21: PRIMARY 50 points, without saying whose",
        "what a revoke costs in settle; the engine lets none happen",
    )
    tie_at_target: Literal["play_another"] = _option(
        "play_another",
        "A19: PRIMARY silent",
        "what follows when both are at the target with equal totals: another deal",
    )
    win_check: Literal["end_of_hand"] = _option(
        "end_of_hand",
        "A20: PRIMARY; WP-KLA",
        "when the totals are compared with the target",
    )


SCORES: dict[int, tuple[int, str]] = {
    ix.VALUE_LAST_TRICK: (10, "last trick"),
    ix.VALUE_PAIR: (20, "pair of king and queen of trumps, announced"),
}
"""Points beside cards and declarations (PRIMARY): place in the vector -> (points, name)."""

OPTION_PLACES: dict[str, int] = {
    "target": ix.TARGET,
    "accepted_redeal_dealer": ix.ACCEPTED_REDEAL_DEALER,
    "max_redeals": ix.MAX_REDEALS,
    "schmeiss": ix.SCHMEISS,
    "schmeiss_refused_makes": ix.SCHMEISS_REFUSED_MAKES,
    "r2_elder_actions": ix.R2_ELDER_ACTIONS,
    "r2_dealer_may_propose": ix.R2_DEALER_MAY_PROPOSE,
    "all_pass": ix.ALL_PASS,
    "run_values": ix.RUN_VALUES,
    "seq_length_breaks_tie": ix.SEQ_LENGTH_BREAKS_TIE,
    "maximal_runs_only": ix.MAXIMAL_RUNS_ONLY,
    "run_tie": ix.RUN_TIE,
    "four_of_a_kind": ix.FOUR_OF_A_KIND,
    "announce_needs_trick": ix.ANNOUNCE_NEEDS_TRICK,
    "show_winning_sequences": ix.SHOW_WINNING_SEQUENCES,
    "exchange_seven": ix.EXCHANGE_SEVEN,
    "exchange_window": ix.EXCHANGE_WINDOW,
    "exchange_seven_from": ix.EXCHANGE_SEVEN_FROM,
    "exchange_requires_turned_suit_trump": ix.EXCHANGE_REQUIRES_TURNED_SUIT_TRUMP,
    "belote_call_deadline": ix.BELOTE_CALL_DEADLINE,
    "belote_auto": ix.BELOTE_AUTO,
    "belote_prenable": ix.BELOTE_PRENABLE,
    "two_hand_tie": ix.TWO_HAND_TIE,
    "two_hand_fail": ix.TWO_HAND_FAIL,
    "all_tricks_bonus": ix.ALL_TRICKS_BONUS,
    "rounding": ix.ROUNDING,
    "revoke_penalty": ix.REVOKE_PENALTY,
    "tie_at_target": ix.TIE_AT_TARGET,
    "win_check": ix.WIN_CHECK,
}
"""Where each option stands in the vector."""

NUMBERS = {"target", "max_redeals", "all_tricks_bonus"}
"""Options that stand in the vector as themselves."""


def conflict(options: BeloteOptions) -> str | None:
    """Return what makes a combination of options impossible, None when it is possible."""
    if options.schmeiss == "off" and options.r2_elder_actions != "named":
        return (
            f"r2_elder_actions: without proposals (schmeiss: 'off') it must be 'named', not "
            f"{options.r2_elder_actions!r}"
        )
    if options.schmeiss == "off" and options.r2_dealer_may_propose:
        return "r2_dealer_may_propose: without proposals (schmeiss: 'off') it must be false, not true"
    if options.belote_auto and options.belote_call_deadline == "both_words":
        return (
            "belote_call_deadline: a pair that announces itself (belote_auto: true) has no words to say, so "
            "it must be 'second_card' or 'first_card', not 'both_words'"
        )
    return None
