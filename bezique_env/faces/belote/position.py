"""Set-up positions of the Belote family: YAML or JSON texts of a game in the middle, for tests, puzzles, analysis.

Keys (all but ``hands`` and ``to_act`` may be left out):

``variant``; ``rules`` (preset name, or ``{preset, overrides}``); ``phase`` (``bid``, ``answer``, ``exchange``,
``announce``, ``lead``, ``follow``; ``lead`` by default, ``follow`` when a card is led); ``to_act``; ``dealer``;
``bids`` (texts of the auction so far, elder first); ``trump`` and ``taker`` (once the auction is over, by default
those of the bids); ``turn_up`` (as it lies now: after an exchange the seven); ``bottom``; ``hands`` (per seat the
concealed cards, six before the auction is over, nine afterwards less those played); ``known`` (per seat the
concealed cards that everyone knows, beside those that were shown, said or exchanged); ``won`` (per seat the cards
of the tricks it won, in pairs: the card of seat 0, then that of seat 1); ``trick`` (list of ``[seat, card]``);
``absent`` (per seat cards that its plays have shown not to be in its hand); ``announced`` (per seat whether it
announced); ``exchanged`` (the seat that exchanged the seven, before the announcements, whose former turn-up is
``turned``); ``pair_said`` (per seat the words said of the pair, their points are part of ``scores``); ``saying``
(the pair was just said); ``rest`` (``pack``, the default: cards not named are out of play; or a seat: it won as
many of them as complete the tricks, drawn by ``seed``); ``scores`` of this deal; ``match_scores`` of earlier
deals; ``held``; ``episode``, ``draws``, ``seed``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bezique_env.cards import NO_CARD, NO_SUIT, SUITS
from bezique_env.engine import play
from bezique_env.engine.belote import kernels as kn
from bezique_env.engine.belote import state as st
from bezique_env.engine.belote.actions import ACCEPT, EXCHANGE, NUM_ACTIONS, action_id, action_text
from bezique_env.engine.belote.declarations import FOUR_VALUES
from bezique_env.position import (
    SEATS,
    PositionError,
    cards_per_seat,
    check_keys,
    number_per_seat,
    one_of,
    read_cards,
    read_seat,
    read_seed,
    read_trick,
)
from bezique_env.rules import Rules
from bezique_env.rules.belote import index as ix
from bezique_env.rules.belote.cards import CARD_TEXTS, CARDS, KING, QUEEN, SEVEN

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


def hand_sizes(rules: Rules) -> tuple[int, int]:
    """Return the cards of a hand during the auction, and after it."""
    return int(rules.vector[ix.HAND_SIZE] - rules.vector[ix.MORE_CARDS]), rules.hand_size


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


def read_position(data: dict[str, Any], rules: Rules) -> PositionSpec:
    """Check a position of the Belote family.

    Raises:
        PositionError: an unknown key, a value that is not allowed, or an impossible position.
    """
    check_keys(data, _KEYS)
    to_act = read_seat("to_act", data["to_act"])
    dealer = read_seat("dealer", data.get("dealer", 0))
    seed = read_seed(data)
    trick = read_trick(CARDS, data.get("trick"))
    phase = one_of("phase", data.get("phase", "follow" if trick else "lead"), PHASES)
    in_auction = phase in ("bid", "answer")
    bids = _bids(data.get("bids"))
    turn_up = _optional_card(data, "turn_up")
    if in_auction:
        _check_auction(data, bids, dealer, turn_up, rules, phase, to_act)
        trump, taker = NO_SUIT, NO_CARD
    else:
        trump, taker = _contract(data, bids, dealer, turn_up, rules)
    hands, known, absent, won = (
        cards_per_seat(CARDS, data, key) for key in ("hands", "known", "absent", "won")
    )
    if (phase == "follow") != bool(trick):
        raise PositionError("phase: 'follow' needs a led card in trick, the other phases none")
    if trick and to_act in trick:
        raise PositionError(f"trick: seat {to_act} is to act and has played to it")
    announced = number_per_seat(data, "announced")
    pair_said, saying = number_per_seat(data, "pair_said"), bool(data.get("saying", False))
    exchanged, turned = _optional_seat(data, "exchanged"), _optional_card(data, "turned")
    named = [*hands[0], *hands[1], *won[0], *won[1], *trick.values()]
    named += [card for card in (turn_up, _optional_card(data, "bottom")) if card != NO_CARD]
    twice = [CARD_TEXTS[card] for card in sorted(set(named)) if named.count(card) > 1]
    if twice:
        raise PositionError(f"the pack holds every card once, but {', '.join(twice)} is named twice")
    strange = [CARD_TEXTS[card] for card in named if card not in rules.pack]
    if strange:
        pack = " ".join(CARD_TEXTS[card] for card in rules.pack)
        raise PositionError(f"{', '.join(strange)}: not in the pack of these rules, which is {pack}")
    unnamed = [card for card in rules.pack.tolist() if card not in named]
    unnamed = [unnamed[k] for k in np.random.default_rng(seed).permutation(len(unnamed))]
    if turn_up == NO_CARD:
        turn_up = unnamed.pop()
    _complete(data.get("rest", "pack"), rules, won, unnamed, hands, trick, in_auction)
    _check_hands(rules, hands, trick, won, known, in_auction, to_act)
    played = _played(won, trick)
    _check_course(phase, to_act, dealer, won, announced)
    _check_asked(phase, to_act, announced, turn_up, trump, rules, hands, played)
    for s in range(SEATS):
        for card in absent[s]:
            if card in hands[s]:
                raise PositionError(f"absent of seat {s}: {CARD_TEXTS[card]} is in its hand")
    if exchanged != NO_CARD:
        _check_exchange(exchanged, turned, turn_up, trump, rules, [*hands[exchanged], *played[exchanged]])
    elif turned != NO_CARD:
        raise PositionError("turned: without an exchange (exchanged) the turn-up has not changed")
    _check_pair(pair_said, saying, to_act, trump, rules, hands, played)
    bottom = _optional_card(data, "bottom")
    if bottom == NO_CARD:
        bottom = unnamed.pop()
    held = data.get("held", 0)
    if isinstance(held, bool) or not isinstance(held, int) or held < 0:
        raise PositionError(f"held: {held!r} must be a whole number of 0 or more")
    if held and rules.vector[ix.TWO_HAND_TIE] != ix.TIE_HOLD_OVER:
        raise PositionError(f"held: {held} points wait only under two_hand_tie 'hold_over'")
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
        pair_said,
        saying,
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


def _auction(bids: list[int], dealer: int, turn_up: int, rules: Rules) -> Any:
    """Return the state of a deal after an auction that is played by the rules."""
    if turn_up == NO_CARD:
        raise PositionError("turn_up: with the auction it must be named")
    games = np.zeros(1, st.state_dtype(rules.shape))
    order = [card for card in rules.pack.tolist() if card != turn_up]
    place = SEATS * hand_sizes(rules)[0]
    games[0]["deck"][: len(rules.pack)] = [*order[:place], turn_up, *order[place:]]
    vector, mask, tmp = rules.vector.copy(), np.zeros(NUM_ACTIONS, np.int8), np.zeros(st.SCRATCH, np.uint8)
    play.start_row(games, 0, vector, np.uint64(0), dealer, 0, 0, 1)
    for number, action in enumerate(bids):
        play.mask_row(games, 0, vector, mask, tmp)
        if games[0]["taker"] != NO_CARD or not mask[action]:
            raise PositionError(f"bids: {action_text(action)!r} is not legal as number {number + 1}")
        play.apply_row(games, 0, vector, action, tmp)
    return games[0]


def _check_auction(
    data: Mapping[str, Any], bids: list[int], dealer: int, turn_up: int, rules: Rules, phase: str, to_act: int
) -> None:
    """Check that an auction goes on with the seat and the question that the position says."""
    for key in ("trump", "taker", "exchanged", "turned"):
        if data.get(key) is not None:
            raise PositionError(f"{key}: there is none before the auction is over")
    state = _auction(bids, dealer, turn_up, rules)
    if state["taker"] != NO_CARD or state["to_act"] == NO_CARD:
        raise PositionError(f"phase: {phase!r}, but after these bids the auction is over")
    expected = st.PHASE_NAMES[int(state["phase"])], int(state["to_act"])
    if (phase, to_act) != expected:
        raise PositionError(
            f"phase, to_act: {phase!r} of seat {to_act}, but after these bids it is {expected[0]!r} of seat "
            f"{expected[1]}"
        )


def _contract(
    data: Mapping[str, Any], bids: list[int], dealer: int, turn_up: int, rules: Rules
) -> tuple[int, int]:
    """Return trump and taker, those that the bids say where they are given."""
    trump, taker = NO_SUIT, NO_CARD
    if bids:
        state = _auction(bids, dealer, turn_up, rules)
        trump, taker = int(state["trump"]), int(state["taker"])
        if taker == NO_CARD:
            raise PositionError("bids: after them the auction is not over, or the deal is annulled")
    given = data.get("trump")
    suit = trump if given is None else SUITS.index(one_of("trump", given, tuple(SUITS)))
    seat = taker if data.get("taker") is None else read_seat("taker", data["taker"])
    if suit == NO_SUIT or seat == NO_CARD:
        raise PositionError("trump, taker: after the auction both must be named (or bids that say them)")
    if bids and (suit, seat) != (trump, taker):
        raise PositionError(f"trump, taker: by the bids seat {taker} has taken {SUITS[trump]}")
    return suit, seat


def _complete(
    rest: Any,
    rules: Rules,
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
    missing = 2 * rules.hand_size - len(won[0]) - len(won[1]) - len(hands[0]) - len(hands[1]) - len(trick)
    if missing > len(unnamed) - 1:
        raise PositionError(f"rest: {missing} cards are missing in the tricks, {len(unnamed) - 1} are left")
    for _ in range(max(0, missing)):
        won[seat].append(unnamed.pop())


def _check_hands(
    rules: Rules,
    hands: list[list[int]],
    trick: dict[int, int],
    won: list[list[int]],
    known: list[list[int]],
    in_auction: bool,
    to_act: int,
) -> None:
    """Check that both seats hold what they must hold."""
    first_hand, hand = hand_sizes(rules)
    for s in range(SEATS):
        if len(won[s]) % 2:
            raise PositionError(f"won of seat {s}: {len(won[s])} cards are no whole tricks of two")
        for card in known[s]:
            if card not in hands[s]:
                raise PositionError(f"known of seat {s}: {CARD_TEXTS[card]} is not among its concealed cards")
        tricks = (len(won[0]) + len(won[1])) // 2
        wanted = first_hand if in_auction else hand - tricks - (1 if s in trick else 0)
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


def _played(won: list[list[int]], trick: dict[int, int]) -> list[list[int]]:
    """Return the cards that each seat has played."""
    return [[*won[0][s::2], *won[1][s::2], *([trick[s]] if s in trick else [])] for s in range(SEATS)]


def _check_course(
    phase: str, to_act: int, dealer: int, won: list[list[int]], announced: tuple[int, int]
) -> None:
    """Check that what has happened can have happened before the phase."""
    elder = 1 - dealer
    if any(value not in (0, 1) for value in announced):
        raise PositionError(f"announced: {list(announced)!r} must say of each seat whether it announced")
    if phase in ("exchange", "announce") and (won[0] or won[1]):
        raise PositionError(f"won: before the first lead (phase {phase!r}) no trick is won")
    may_have = (True, True)
    if phase in ("bid", "answer", "exchange"):
        may_have = (False, False)
    elif phase == "announce":
        may_have = (elder == 0 and to_act == 1, elder == 1 and to_act == 0)
    for s in range(SEATS):
        if announced[s] and not may_have[s]:
            raise PositionError(
                f"announced: in phase {phase!r} of seat {to_act} seat {s} cannot have announced"
            )
    if phase in ("lead", "follow") and not (won[0] or won[1]) and (to_act == elder) != (phase == "lead"):
        raise PositionError("to_act: elder leads to the first trick")


def _check_asked(
    phase: str,
    to_act: int,
    announced: tuple[int, int],
    turn_up: int,
    trump: int,
    rules: Rules,
    hands: list[list[int]],
    played: list[list[int]],
) -> None:
    """Check that a seat asked to exchange or to announce can, and that who has announced could."""
    seven = 8 * trump + SEVEN
    if phase == "exchange" and (
        rules.vector[ix.EXCHANGE_SEVEN] == ix.EXCHANGE_OFF
        or turn_up >> 3 != trump
        or turn_up == seven
        or seven not in hands[to_act]
    ):
        raise PositionError(
            f"phase: seat {to_act} has no seven of trumps that it may exchange for the turn-up"
        )
    for s in range(SEATS):
        asked = phase == "announce" and s == to_act
        if (asked or announced[s]) and not _declares([*hands[s], *played[s]], rules):
            raise PositionError(f"phase, announced: seat {s} was dealt nothing to announce")


def _declares(cards: list[int], rules: Rules) -> bool:
    """Return whether a hand has a run, or a four of a kind that scores."""
    hand = CARDS.mask(cards)
    suits = [hand >> 8 * suit & 255 for suit in range(len(SUITS))]
    values = FOUR_VALUES[rules.vector[ix.FOUR_OF_A_KIND]]
    fours = suits[0] & suits[1] & suits[2] & suits[3]
    return any(ranks & ranks >> 1 & ranks >> 2 for ranks in suits) or any(
        value > 0 and fours >> rank & 1 for rank, value in enumerate(values)
    )


def _check_pair(
    said: tuple[int, int],
    saying: bool,
    to_act: int,
    trump: int,
    rules: Rules,
    hands: list[list[int]],
    played: list[list[int]],
) -> None:
    """Check the words said of the pair: each goes with one of its cards, and the seat was dealt both."""
    most = 2 if rules.vector[ix.BELOTE_CALL_DEADLINE] == ix.DEADLINE_BOTH else 1
    pair = (8 * trump + KING, 8 * trump + QUEEN)
    for s in range(SEATS):
        gone = sum(card in played[s] for card in pair)
        dealt = gone + sum(card in hands[s] for card in pair)
        now = saying and s == to_act
        if not 0 <= said[s] <= min(most, gone + now) or (said[s] and dealt < 2):
            raise PositionError(
                f"pair_said: {said[s]} of seat {s} is not possible: it needs king and queen of trumps, and a "
                f"word goes with a card of them (at most {most} under these rules)"
            )
        if now and (not said[s] or gone == 2):
            raise PositionError("saying: a card of the pair follows its word (pair_said)")


def _check_exchange(seat: int, turned: int, turn_up: int, trump: int, rules: Rules, cards: list[int]) -> None:
    """Check that the seven was exchanged as the rules allow."""
    if rules.vector[ix.EXCHANGE_SEVEN] == ix.EXCHANGE_OFF:
        raise PositionError("exchanged: the rules know no exchange (exchange_seven: off)")
    if turn_up != 8 * trump + SEVEN:
        raise PositionError(f"turn_up: after an exchange it is {CARD_TEXTS[8 * trump + SEVEN]}")
    if turned == NO_CARD or turned >> 3 != trump or turned not in cards:
        raise PositionError(
            f"turned: the card that seat {seat} got for the seven must be named; it is a trump in its hand or "
            "among those it played"
        )


def position_state(
    spec: PositionSpec, games: NDArray[Any], vector: NDArray[np.int64], tmp: NDArray[np.uint8]
) -> None:
    """Write a checked position into row 0 of ``games``; the deck is made up so that it fits."""
    g = games[0]
    elder = 1 - spec.dealer
    played = _played(spec.won, spec.trick)
    g["deck"] = 0
    g["deck"][: len(spec.rules.pack)] = _deck(spec, played, elder)
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
    g["saying"] = int(spec.saying)
    g["to_act"] = spec.to_act
    g["leader"] = 1 - spec.to_act if spec.trick else spec.to_act
    if in_auction or spec.phase in ("exchange", "announce"):
        g["leader"] = elder
        g["step"] = _step(spec, elder)
    if not in_auction:
        kn.set_up_row(games, 0, vector, np.array(spec.announced, np.int64))
    for s in range(SEATS):
        shown = int(g["known"][s])
        if spec.pair_said[s]:
            shown |= kn.PAIR << (8 * spec.trump)
        if s == spec.exchanged:
            shown |= 1 << spec.turned
        g["known"][s] = (shown & int(g["hand"][s])) | CARDS.mask(spec.known[s])
    if spec.saying:
        g["absent"][spec.to_act] |= _denied(spec)
        mask = np.zeros(NUM_ACTIONS, np.int8)
        play.mask_row(games, 0, vector, mask, tmp)
        if not mask.any():
            raise PositionError(f"saying: no card of the pair of seat {spec.to_act} may be played")


def _denied(spec: PositionSpec) -> int:
    """Return what a pair that was just said shows to be missing: its king or queen is a legal reply."""
    for led in spec.trick.values():
        if led >> 3 != spec.trump:
            return 255 << 8 * (led >> 3)
        if kn.TRUMP_STRENGTH[led & 7] > kn.TRUMP_STRENGTH[KING]:
            return int(kn.STRONGER_TRUMPS[led & 7]) << 8 * spec.trump
    return 0


def _step(spec: PositionSpec, elder: int) -> int:
    """Return the step between the auction and the first lead that a phase stands for."""
    if spec.phase not in ("exchange", "announce"):
        return 0
    start = st.STEP_EXCHANGE if spec.phase == "exchange" else st.STEP_ANNOUNCE
    return start + (spec.to_act != elder)


def _deck(spec: PositionSpec, played: list[list[int]], elder: int) -> NDArray[np.uint8]:
    """Return a deck under which the position may have come about."""
    first_hand, hand = hand_sizes(spec.rules)
    behind = hand - first_hand
    dealt: list[list[int]] = []
    for s in range(SEATS):
        cards = [*spec.hands[s], *played[s]]
        if s == spec.exchanged:
            cards[cards.index(spec.turned)] = 8 * spec.trump + SEVEN
        if s == spec.exchanged or spec.phase == "exchange":
            cards.sort(key=lambda card: card != 8 * spec.trump + SEVEN)  # it came with the first six
        dealt.append(cards)
    first, second = dealt[elder], dealt[1 - elder]
    pack = list(spec.pack)
    if spec.phase in ("bid", "answer"):
        more = [pack.pop(0) for _ in range(SEATS * behind)]
        first, second = [*first, *more[:behind]], [*second, *more[behind:]]
    turned = spec.turned if spec.exchanged != NO_CARD else spec.turn_up
    order: list[int] = []
    for k in range(0, first_hand, behind):
        packet = slice(k, min(k + behind, first_hand))
        order += [*first[packet], *second[packet]]
    order += [turned, *first[first_hand:], *second[first_hand:], *pack]
    return np.array(order, np.uint8)
