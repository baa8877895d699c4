"""Set-up positions of the Belote family: YAML or JSON texts of a game in the middle, for tests, puzzles, analysis.

Keys (all but ``hands`` and ``to_act`` may be left out):

``variant``; ``rules`` (preset name, or ``{preset, overrides}``); ``phase`` (``bid``, ``answer``, ``exchange``,
``announce``, ``lead``, ``follow``; ``lead`` by default, ``follow`` when a card is led); ``to_act``; ``dealer``;
``bids`` (texts of the auction so far, elder first); ``trump`` and ``taker`` (once the auction is over, by default
those of the bids); ``turn_up`` (as it lies now: after an exchange the seven); ``bottom``; ``hands`` (per seat the
concealed cards, six before the auction is over, nine afterwards less those played); ``known`` (per seat the
concealed cards that everyone knows); ``won`` (per seat the cards of the tricks it won, in pairs: the card of seat
0, then that of seat 1); ``trick`` (list of ``[seat, card]``); ``absent`` (per seat cards that its plays have shown
not to be in its hand); ``announced`` (per seat whether it announced); ``exchanged`` (the seat that exchanged the
seven, whose former turn-up is ``turned``); ``pair_said`` (per seat the words said of the pair, their points are
part of ``scores``); ``saying`` (the pair was just said); ``rest`` (``pack``, the default: cards not named are out
of play; or a seat: it won as many of them as complete the tricks, drawn by ``seed``); ``scores`` of this deal;
``match_scores`` of earlier deals; ``held``; ``episode``, ``draws``, ``seed``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bezique_env.cards import NO_CARD, NO_SUIT, NUM_CARDS, SUITS
from bezique_env.engine import play
from bezique_env.engine.belote import kernels as kn
from bezique_env.engine.belote import state as st
from bezique_env.engine.belote.actions import ACCEPT, EXCHANGE, NAME, REFUSE, action_id
from bezique_env.engine.belote.views import MORE_CARDS
from bezique_env.position import (
    SEATS,
    PositionError,
    cards_per_seat,
    check_keys,
    number_per_seat,
    one_of,
    position_rules,
    read_cards,
    read_seat,
    read_seed,
    read_trick,
)
from bezique_env.rules import Rules
from bezique_env.rules.belote import index as ix
from bezique_env.rules.belote.cards import CARD_TEXTS, CARDS

_KEYS = (
    "variant",
    "rules",
    "phase",
    "to_act",
    "dealer",
    "bids",
    "trump",
    "taker",
    "turn_up",
    "turned",
    "bottom",
    "hands",
    "known",
    "absent",
    "announced",
    "exchanged",
    "pair_said",
    "saying",
    "won",
    "trick",
    "rest",
    "scores",
    "match_scores",
    "held",
    "episode",
    "draws",
    "seed",
)
PHASES = st.PHASE_NAMES[: st.FOLLOW + 1]
FIRST_HAND, HAND = st.FIRST_PACKETS // SEATS, st.FIRST_PACKETS // SEATS + MORE_CARDS
"""Cards of a hand during the auction, and after it."""


@dataclass(frozen=True)
class PositionSpec:
    """A checked position; cards are ids."""

    source: dict[str, Any]
    rules: Rules
    phase: str
    to_act: int
    dealer: int
    bids: list[int]
    trump: int
    taker: int
    turn_up: int
    turned: int
    bottom: int
    hands: list[list[int]]
    known: list[list[int]]
    absent: list[list[int]]
    won: list[list[int]]
    trick: dict[int, int]
    pack: list[int]  # cards out of play, the bottom card last
    announced: tuple[int, int]
    exchanged: int
    pair_said: tuple[int, int]
    saying: bool
    scores: tuple[int, int]
    match_scores: tuple[int, int]
    held: int
    episode: str
    draws: str
    seed: int


def _optional_card(data: Mapping[str, Any], key: str) -> int:
    return read_cards(CARDS, key, [data[key]])[0] if data.get(key) else NO_CARD


def _optional_seat(data: Mapping[str, Any], key: str) -> int:
    return read_seat(key, data[key]) if data.get(key) is not None else NO_CARD


def read_position(data: dict[str, Any]) -> PositionSpec:
    """Check a position of the Belote family.

    Raises:
        PositionError: an unknown key, a value that is not allowed, or an impossible position.
    """
    check_keys(data, _KEYS)
    rules = position_rules(data)
    to_act = read_seat("to_act", data["to_act"])
    dealer = read_seat("dealer", data.get("dealer", 0))
    seed = read_seed(data)
    trick = read_trick(CARDS, data.get("trick"))
    phase = one_of("phase", data.get("phase", "follow" if trick else "lead"), PHASES)
    in_auction = phase in ("bid", "answer")
    bids = _bids(data.get("bids"))
    turn_up = _optional_card(data, "turn_up")
    trump, taker = _contract(data, bids, dealer, turn_up, rules, in_auction)
    hands, known, absent, won = (
        cards_per_seat(CARDS, data, key) for key in ("hands", "known", "absent", "won")
    )
    if (phase == "follow") != bool(trick):
        raise PositionError("phase: 'follow' needs a led card in trick, the other phases none")
    if trick and to_act in trick:
        raise PositionError(f"trick: seat {to_act} is to act and has played to it")
    announced = number_per_seat(data, "announced")
    exchanged, turned = _optional_seat(data, "exchanged"), _optional_card(data, "turned")
    named = [*hands[0], *hands[1], *won[0], *won[1], *trick.values()]
    named += [card for card in (turn_up, _optional_card(data, "bottom")) if card != NO_CARD]
    twice = [CARD_TEXTS[card] for card in sorted(set(named)) if named.count(card) > 1]
    if twice:
        raise PositionError(f"the pack holds every card once, but {', '.join(twice)} is named twice")
    unnamed = [card for card in range(NUM_CARDS) if card not in named]
    unnamed = [unnamed[k] for k in np.random.default_rng(seed).permutation(len(unnamed))]
    if turn_up == NO_CARD:
        turn_up = unnamed.pop()
    _complete(data.get("rest", "pack"), won, unnamed, hands, trick, in_auction)
    _check_hands(hands, trick, won, known, in_auction, to_act)
    if exchanged != NO_CARD:
        _check_exchange(
            exchanged, turned, turn_up, trump, rules, [*hands[exchanged], *trick.values(), *won[0], *won[1]]
        )
    bottom = _optional_card(data, "bottom")
    if bottom == NO_CARD:
        bottom = unnamed.pop()
    held = data.get("held", 0)
    if isinstance(held, bool) or not isinstance(held, int) or held < 0:
        raise PositionError(f"held: {held!r} must be a whole number of 0 or more")
    return PositionSpec(
        data,
        rules,
        phase,
        to_act,
        dealer,
        bids,
        trump,
        taker,
        turn_up,
        turned,
        bottom,
        hands,
        known,
        absent,
        won,
        trick,
        [*unnamed, bottom],
        announced,
        exchanged,
        number_per_seat(data, "pair_said"),
        bool(data.get("saying", False)),
        number_per_seat(data, "scores"),
        number_per_seat(data, "match_scores"),
        held,
        one_of("episode", data.get("episode", "deal"), ("deal", "match")),
        one_of("draws", data.get("draws", "shared"), ("shared", "queues")),
        seed,
    )


def _bids(value: Any) -> list[int]:
    """Return the actions of an auction."""
    words = [] if value is None else value
    if not isinstance(words, list) or len(words) > st.MAX_BIDS:
        raise PositionError(f"bids: {value!r} must be a list of at most {st.MAX_BIDS} actions of the auction")
    try:
        actions = [action_id(word) for word in words]
    except ValueError as error:
        raise PositionError(f"bids: {error}") from None
    wrong = [word for word, action in zip(words, actions, strict=True) if not ACCEPT <= action < EXCHANGE]
    if wrong:
        raise PositionError(f"bids: {wrong[0]!r} is no action of the auction")
    return actions


def _contract(
    data: Mapping[str, Any], bids: list[int], dealer: int, turn_up: int, rules: Rules, in_auction: bool
) -> tuple[int, int]:
    """Return trump and taker, by default those that the bids say."""
    if in_auction:
        for key in ("trump", "taker"):
            if data.get(key) is not None:
                raise PositionError(f"{key}: there is none before the auction is over")
        if turn_up == NO_CARD:
            raise PositionError("turn_up: in the auction it lies there and must be named")
        return NO_SUIT, NO_CARD
    trump, taker = NO_SUIT, NO_CARD
    if bids:
        actor = (1 - dealer + len(bids) - 1) & 1
        last = bids[-1]
        if last in (ACCEPT, REFUSE) and turn_up != NO_CARD:
            trump = turn_up >> 3
        elif NAME <= last < EXCHANGE:
            trump = last - NAME
        proposer = last == REFUSE and rules.vector[ix.SCHMEISS_REFUSED_MAKES] == ix.MAKES_PROPOSER
        taker = 1 - actor if proposer else actor
    given = data.get("trump")
    if given is not None:
        trump = SUITS.index(one_of("trump", given, tuple(SUITS)))
    if data.get("taker") is not None:
        taker = read_seat("taker", data["taker"])
    if trump == NO_SUIT or taker == NO_CARD:
        raise PositionError("trump, taker: after the auction both must be named (or bids that say them)")
    return trump, taker


def _complete(
    rest: Any,
    won: list[list[int]],
    unnamed: list[int],
    hands: list[list[int]],
    trick: dict[int, int],
    in_auction: bool,
) -> None:
    """Give a seat the tricks that are missing, from the cards that are not named."""
    if rest == "pack":
        return
    seat = read_seat("rest ('pack' or a seat)", rest)
    if in_auction:
        raise PositionError("rest: in the auction no trick is won, so it must be 'pack'")
    missing = 2 * HAND - len(won[0]) - len(won[1]) - len(hands[0]) - len(hands[1]) - len(trick)
    if missing > len(unnamed) - 1:
        raise PositionError(f"rest: {missing} cards are missing in the tricks, {len(unnamed) - 1} are left")
    for _ in range(max(0, missing)):
        won[seat].append(unnamed.pop())


def _check_hands(
    hands: list[list[int]],
    trick: dict[int, int],
    won: list[list[int]],
    known: list[list[int]],
    in_auction: bool,
    to_act: int,
) -> None:
    """Check that both seats hold what they must hold."""
    for s in range(SEATS):
        if len(won[s]) % 2:
            raise PositionError(f"won of seat {s}: {len(won[s])} cards are no whole tricks of two")
        for card in known[s]:
            if card not in hands[s]:
                raise PositionError(f"known of seat {s}: {CARD_TEXTS[card]} is not among its concealed cards")
        tricks = (len(won[0]) + len(won[1])) // 2
        wanted = FIRST_HAND if in_auction else HAND - tricks - (1 if s in trick else 0)
        if len(hands[s]) != wanted:
            raise PositionError(
                f"hands: seat {s} holds {len(hands[s])} cards, not {wanted} "
                f"({'before the auction is over' if in_auction else f'after {tricks} tricks'}; name the cards "
                "won, or set rest: 0 or 1)"
            )
    if in_auction and (won[0] or won[1]):
        raise PositionError("won: in the auction no trick is won")
    if not hands[to_act]:
        raise PositionError("hands: the deal is over, no card is left")


def _check_exchange(seat: int, turned: int, turn_up: int, trump: int, rules: Rules, cards: list[int]) -> None:
    """Check that the seven was exchanged as the rules allow."""
    if rules.vector[ix.EXCHANGE_SEVEN] == ix.EXCHANGE_OFF:
        raise PositionError("exchanged: the rules know no exchange (exchange_seven: off)")
    if turn_up != 8 * trump:
        raise PositionError(f"turn_up: after an exchange it is {CARD_TEXTS[8 * trump]}")
    if turned == NO_CARD or turned >> 3 != trump or turned not in cards:
        raise PositionError(
            f"turned: the card that seat {seat} got for the seven must be named; it is a trump in its hand or "
            "in the tricks"
        )


def position_state(
    spec: PositionSpec, games: NDArray[Any], vector: NDArray[np.int64], tmp: NDArray[np.uint8]
) -> None:
    """Write a checked position into row 0 of ``games``; the deck is made up so that it fits."""
    g = games[0]
    elder = 1 - spec.dealer
    played: list[list[int]] = [[], []]
    for s in range(SEATS):
        for pair in (spec.won[0], spec.won[1]):
            played[s] += pair[s::2]
    for s, card in spec.trick.items():
        played[s].append(card)
    g["deck"] = _deck(spec, played, elder)
    play.start_row(
        games, 0, vector, np.uint64(spec.seed), spec.dealer, ("deal", "match").index(spec.episode), 0, 1
    )
    g["manual"] = 0
    g["draws"] = ("shared", "queues").index(spec.draws)
    g["bids"][: len(spec.bids)] = spec.bids
    g["bids_n"] = len(spec.bids)
    g["round"] = 2 if len(spec.bids) >= 2 and spec.bids[0] == spec.bids[1] == action_id("pass") else 1
    g["trump"], g["taker"], g["turn_up"] = spec.trump, spec.taker, spec.turn_up
    g["held"] = spec.held
    g["exchanged"] = spec.exchanged
    in_auction = spec.phase in ("bid", "answer")
    g["bottom"] = NO_CARD if in_auction else spec.bottom
    for s in range(SEATS):
        g["hand"][s] = CARDS.mask(spec.hands[s])
        g["played"][s] = CARDS.mask(played[s])
        g["won"][s] = CARDS.mask(spec.won[s])
        g["tricks"][s] = len(spec.won[s]) // 2
        g["absent"][s] = CARDS.mask(spec.absent[s])
        g["scores"][s] = spec.scores[s]
        g["match_scores"][s] = spec.match_scores[s]
        g["pair_said"][s] = spec.pair_said[s]
        g["trick_card"][s] = spec.trick.get(s, NO_CARD)
    g["phase"] = st.PHASE_NAMES.index(spec.phase)
    g["naming"] = int(spec.phase == "bid" and bool(spec.bids) and spec.bids[-1] == action_id("refuse"))
    if not in_auction:
        kn.set_up_row(games, 0, vector, np.array(spec.announced, np.int64))
    for s in range(SEATS):
        g["known"][s] = (int(g["known"][s]) & int(g["hand"][s])) | CARDS.mask(spec.known[s])
    g["saying"] = int(spec.saying)
    g["to_act"] = spec.to_act
    g["leader"] = 1 - spec.to_act if spec.trick else spec.to_act
    if in_auction or spec.phase in ("exchange", "announce"):
        g["leader"] = elder
        g["step"] = _step(spec, elder)


def _step(spec: PositionSpec, elder: int) -> int:
    """Return the step between the auction and the first lead that a phase stands for."""
    if spec.phase not in ("exchange", "announce"):
        return 0
    start = st.STEP_EXCHANGE if spec.phase == "exchange" else st.STEP_ANNOUNCE
    return start + (spec.to_act != elder)


def _deck(spec: PositionSpec, played: list[list[int]], elder: int) -> NDArray[np.uint8]:
    """Return a deck under which the position may have come about."""
    dealt: list[list[int]] = []
    for s in range(SEATS):
        cards = [*spec.hands[s], *played[s]]
        if s == spec.exchanged:
            cards[cards.index(spec.turned)] = 8 * spec.trump  # the seven came with the first six
            cards.sort(key=lambda card: card != 8 * spec.trump)
        dealt.append(cards)
    first, second = dealt[elder], dealt[1 - elder]
    pack = list(spec.pack)
    if spec.phase in ("bid", "answer"):
        more = [pack.pop(0) for _ in range(6)]
        first, second = [*first, *more[:3]], [*second, *more[3:]]
    turned = spec.turned if spec.exchanged != NO_CARD else spec.turn_up
    order = [*first[:3], *second[:3], *first[3:6], *second[3:6], turned, *first[6:], *second[6:], *pack]
    return np.array(order, np.uint8)
