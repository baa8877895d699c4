"""Set-up positions: YAML or JSON texts of a game in the middle, for tests, puzzles and analysis.

Keys (all but ``hands`` and ``to_act`` may be left out):

``variant``; ``rules`` (preset name, or ``{preset, overrides}``); ``phase`` (``carte_blanche``, ``lead``,
``follow``, ``declare``, ``endgame``); ``to_act``; ``dealer``; ``trump`` (suit letter; by default that of the
turn-up); ``turn_up``; ``hands`` and ``table`` (per seat the concealed cards, and those on the table in the
order laid; in Fildinski the open cards); ``known`` (per seat the concealed cards that everyone knows);
``scored`` (list of ``{seat, meld, cards}``: in which scored meld cards on that table have served; ``KS#2`` is
the second king of spades on it, a card without number the first that has not yet served in a meld of this
kind; an entry with fewer cards than the meld has was broken: the others were played); ``trick`` (list of
``[seat, card]``); ``latest`` (Fildinski, phase ``declare``: the cards of the trick just won, among the open
cards those laid last); ``stock`` (in drawing order, without the turn-up); ``won`` (per seat; Fildinski:
turned down); ``rest`` (``stock``, the default: cards not named go under the named stock, shuffled from
``seed``; or a seat, which has won them); ``brisques`` (per seat the aces and tens won, by default those in
``won`` and, in Fildinski, among the open cards); ``scores`` of this deal; ``match_scores`` of earlier deals;
``carte`` (per seat 1 when it showed carte blanche and goes on); ``cut`` (cards lifted, number guessed);
``declared`` and ``exchanged`` (what was done in the open window); ``episode``, ``draws``, ``seed``.

Both seats hold equally many cards, hand and table together, at most a whole hand; fewer make a small game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bezique_env.cards import NO_CARD, NO_SUIT, NUM_CARDS, SUITS
from bezique_env.engine import play
from bezique_env.engine.bezique import kernels as kn
from bezique_env.engine.bezique import state as st
from bezique_env.engine.bezique.actions import (
    BEZIQUE,
    FIVE_TRUMP,
    FOUR,
    FOUR_TRUMP,
    MARRIAGE,
    SEQUENCE,
    SEVEN_SCORE,
    action_id,
)
from bezique_env.engine.bezique.melds import FOUR_RANKS, MELD_KIND, MELD_MARKS, SEQUENCE_RANKS
from bezique_env.position import (
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
from bezique_env.rules.bezique import index as ix
from bezique_env.rules.bezique.cards import CARD_TEXTS, CARDS

_KEYS = (
    "variant",
    "rules",
    "phase",
    "to_act",
    "dealer",
    "trump",
    "turn_up",
    "hands",
    "table",
    "known",
    "scored",
    "trick",
    "stock",
    "won",
    "latest",
    "rest",
    "brisques",
    "scores",
    "match_scores",
    "carte",
    "cut",
    "declared",
    "exchanged",
    "episode",
    "draws",
    "seed",
)
PHASES = ("carte_blanche", "lead", "follow", "declare", "endgame")


@dataclass(frozen=True)
class PositionSpec:
    """A checked position; cards are ids."""

    source: dict[str, Any]
    rules: Rules
    phase: str
    to_act: int
    dealer: int
    trump: int
    turn_up: int
    hands: list[list[int]]
    table: list[list[int]]
    known: list[list[int]]
    melds: list[tuple[int, int, list[int]]]  # seat, action, places of the cards on the table
    latest: list[int]  # table places
    seven_won: bool
    trick: dict[int, int]
    stock: list[int]
    won: list[list[int]]
    brisques: tuple[int, int] | None
    carte: tuple[int, int]
    cut: tuple[int, int]
    scores: tuple[int, int]
    match_scores: tuple[int, int]
    declared: bool
    exchanged: bool
    episode: str
    draws: str
    seed: int
    leader: int = field(default=0)


def read_position(data: dict[str, Any], rules: Rules) -> PositionSpec:
    """Check a position of the Bezique family.

    Raises:
        PositionError: an unknown key, a value that is not allowed, or an impossible position.
    """
    check_keys(data, _KEYS)
    phase = one_of("phase", data.get("phase", "lead"), PHASES)
    to_act = read_seat("to_act", data["to_act"])
    dealer = read_seat("dealer", data.get("dealer", 0))
    seed = read_seed(data)
    hands, table, won = (cards_per_seat(CARDS, data, key) for key in ("hands", "table", "won"))
    known = cards_per_seat(CARDS, data, "known")
    stock = read_cards(CARDS, "stock", data.get("stock"))
    turn_up = read_cards(CARDS, "turn_up", [data["turn_up"]])[0] if data.get("turn_up") else NO_CARD
    trick = read_trick(CARDS, data.get("trick"))
    rest = data.get("rest", "stock")
    if rest != "stock":
        rest = read_seat("rest ('stock' or a seat)", rest)
    unnamed = _unnamed(rules, hands, table, won, stock, turn_up, trick)
    if rest == "stock":
        order = np.random.default_rng(seed).permutation(len(unnamed))
        if phase == "endgame" and unnamed:
            raise PositionError(
                f"in the endgame no stock is left, but {len(unnamed)} cards are not named "
                f"({', '.join(CARD_TEXTS[c] for c in unnamed[:8])} ...): name who won them, or set rest: 0 or 1"
            )
        stock = stock + [unnamed[k] for k in order]
    else:
        won[rest] += unnamed
    trump = _trump(data, rules, turn_up)
    carte = number_per_seat(data, "carte")
    goes_on = bool(carte[to_act])
    _check_counts(rules, phase, to_act, hands, table, known, trick, stock, turn_up, goes_on)
    dealt = sum(len(cards) for cards in (*hands, *table, *won)) + len(trick)
    hand_size = int(rules.vector[ix.HAND_SIZE])
    if dealt < 2 * hand_size:
        raise PositionError(
            f"won: only {dealt} cards are held, won or in the trick, but {2 * hand_size} were dealt"
            + (" (a declaring window needs a trick won)" if phase == "declare" else "")
        )
    for s in range(st.SEATS):
        for card in set(known[s]):
            if known[s].count(card) > hands[s].count(card):
                raise PositionError(
                    f"known of seat {s}: {CARD_TEXTS[card]} is not among its concealed cards so often"
                )
    episode = one_of("episode", data.get("episode", "deal"), ("deal", "match"))
    draws = one_of("draws", data.get("draws", "shared"), ("shared", "queues"))
    leader = 1 - to_act if trick else to_act
    return PositionSpec(
        data,
        rules,
        phase,
        to_act,
        dealer,
        trump,
        turn_up,
        hands,
        table,
        known,
        _melds(data.get("scored"), table, trump, rules.options.reform == "replace"),
        *_latest(data.get("latest"), rules, phase, trump, table[to_act], won[to_act]),
        trick,
        stock,
        won,
        number_per_seat(data, "brisques") if "brisques" in data else None,
        carte,
        _cut(data.get("cut"), rules),
        number_per_seat(data, "scores"),
        number_per_seat(data, "match_scores"),
        bool(data.get("declared", False)),
        bool(data.get("exchanged", False)),
        episode,
        draws,
        seed,
        leader,
    )


def _latest(
    value: Any, rules: Rules, phase: str, trump: int, table: list[int], won: list[int]
) -> tuple[list[int], bool]:
    """Return the table places of the cards of the trick just won, and whether a trump seven was in it."""
    if value is None:
        return [], False
    if rules.options.melds_from != "won" or phase != "declare":
        raise PositionError("latest: it is for Fildinski in the phase 'declare'")
    cards = read_cards(CARDS, "latest", value)
    if len(cards) > st.SEATS:
        raise PositionError(f"latest: a trick has {st.SEATS} cards, not {len(cards)}")
    places: list[int] = []
    for card in cards:
        here = [k for k, c in enumerate(table) if c == card and k not in places]
        if here:
            places.append(here[-1])
        elif card not in won:
            raise PositionError(f"latest: {CARD_TEXTS[card]} was not won by the seat to act")
    return places, trump != NO_SUIT and 8 * trump in cards


def check_cut(cut: Sequence[int] | None, rules: Rules) -> tuple[int, int] | None:
    """Return a cut (cards lifted, number guessed), None when it is left to the seed.

    Raises:
        ValueError: the rules have no cut bonus, or it is no pair of numbers in range.
    """
    if cut is None:
        return None
    if rules.options.cut_bonus != "on":
        raise ValueError(f"cut: {rules.variant} with these options has no cut bonus (cut_bonus: on)")
    numbers = list(cut) if isinstance(cut, Iterable) else []
    if len(numbers) != 2 or not all(
        isinstance(x, (int, np.integer)) and ix.CUT_LEAST <= x <= ix.CUT_MOST for x in numbers
    ):
        raise ValueError(
            f"cut: {cut!r} must be two numbers, cards lifted and number guessed, in {ix.CUT_LEAST}..{ix.CUT_MOST}"
        )
    return int(numbers[0]), int(numbers[1])


def _cut(value: Any, rules: Rules) -> tuple[int, int]:
    try:
        given = check_cut(value, rules)
    except (TypeError, ValueError) as error:
        raise PositionError(str(error)) from None
    if given is not None:
        return given
    return (0, 0) if rules.options.cut_bonus == "off" else (ix.CUT_LEAST, ix.CUT_MOST)


def _unnamed(
    rules: Rules,
    hands: list[list[int]],
    table: list[list[int]],
    won: list[list[int]],
    stock: list[int],
    turn_up: int,
    trick: dict[int, int],
) -> list[int]:
    counts = np.zeros(NUM_CARDS, np.int64)
    for cards in (*hands, *table, *won, stock, list(trick.values()), [] if turn_up == NO_CARD else [turn_up]):
        for card in cards:
            counts[card] += 1
    whole = np.bincount(rules.pack, minlength=NUM_CARDS)
    many = [f"{CARD_TEXTS[c]} {counts[c]} times" for c in range(NUM_CARDS) if counts[c] > whole[c]]
    if many:
        kinds = "" if whole.all() else f" of {' '.join(CARD_TEXTS[c] for c in np.flatnonzero(whole))}"
        raise PositionError(
            f"each card{kinds} exists {rules.shape.packs} times, but the position has {', '.join(many)}"
        )
    return [c for c in range(NUM_CARDS) for _ in range(whole[c] - int(counts[c]))]


def _trump(data: Mapping[str, Any], rules: Rules, turn_up: int) -> int:
    given = data.get("trump")
    if given is not None and given not in tuple(SUITS):
        raise PositionError(f"trump: {given!r} is no suit (S, H, D or C)")
    if rules.trump == "turn_up":
        if turn_up != NO_CARD:
            if given is not None and SUITS.index(given) != turn_up >> 3:
                raise PositionError(f"trump: {given!r} is not the suit of the turn-up {CARD_TEXTS[turn_up]}")
            return turn_up >> 3
        if given is None:
            raise PositionError("trump: needed where no turn-up lies (the rules have a turned trump)")
    elif turn_up != NO_CARD:
        raise PositionError(f"turn_up: these rules have none (trump: {rules.trump!r})")
    return NO_SUIT if given is None else SUITS.index(given)


def _check_counts(
    rules: Rules,
    phase: str,
    to_act: int,
    hands: list[list[int]],
    table: list[list[int]],
    known: list[list[int]],
    trick: dict[int, int],
    stock: list[int],
    turn_up: int,
    goes_on: bool,
) -> None:
    won = rules.options.melds_from == "won"
    held = [len(hands[s]) + (0 if won else len(table[s])) for s in range(st.SEATS)]
    whole = [held[s] + (s in trick) for s in range(st.SEATS)]
    limit = int(rules.vector[ix.HAND_SIZE]) - (phase == "declare")
    for s in range(st.SEATS):
        if whole[s] > limit:
            raise PositionError(
                f"hands: seat {s} has {whole[s]} cards, at most {limit} are possible (hand and table)"
            )
    if whole[0] != whole[1] or (whole[0] == 0 and phase != "declare"):
        raise PositionError(f"hands: the seats have {whole[0]} and {whole[1]} cards; both need equally many")
    follows = bool(trick)
    if phase == "follow" and not follows:
        raise PositionError("trick: the phase 'follow' needs the card that was led")
    if phase in ("lead", "declare", "carte_blanche") and follows:
        raise PositionError(f"trick: in the phase {phase!r} no card lies there")
    if follows and to_act in trick:
        raise PositionError(f"trick: seat {to_act} is to act but has played to the trick")
    if phase == "carte_blanche":
        if not rules.vector[ix.VALUE_CARTE_BLANCHE]:
            raise PositionError(f"phase: {rules.variant} has no carte blanche")
        _check_carte_blanche(rules, to_act, hands[to_act], known[to_act], goes_on)
        return
    left = len(stock) + (turn_up != NO_CARD)
    after_stock = phase == "declare" and rules.options.fildinski_endgame == "on" and not left
    if phase == "endgame" or after_stock:
        if left:
            raise PositionError("stock: in the endgame neither stock nor turn-up is left")
        if (table[0] or table[1]) and not won:
            raise PositionError(
                "table: in the endgame the table cards are back in the hands (name them under known)"
            )
        return
    if left < 2 or left % 2:
        raise PositionError(
            f"stock: {left} cards are left (turn-up included); both draw, so an even number is needed"
        )
    if rules.trump == "turn_up" and turn_up == NO_CARD:
        raise PositionError("turn_up: with a stock left the turn-up still lies there")


def _check_carte_blanche(rules: Rules, seat: int, hand: list[int], known: list[int], goes_on: bool) -> None:
    """Refuse a question for carte blanche that a court card forbids, or without the one card just drawn."""
    hidden = list(hand)
    for card in known:
        if card in hidden:
            hidden.remove(card)
    is_court = kn.is_court.py_func
    courts = [CARD_TEXTS[c] for c in (hidden if goes_on else hand) if is_court(rules.vector, c)]
    if courts:
        raise PositionError(
            f"hands: seat {seat} is asked for carte blanche ({rules.options.carte_blanche_courts} are courts) "
            f"but holds {', '.join(courts)}"
        )
    if goes_on and len(hidden) != 1:
        raise PositionError(
            f"known: seat {seat} goes on showing carte blanche, so all its cards but the one just drawn are "
            f"known, not all but {len(hidden)}"
        )


def _meld(meld: Any, trump: int) -> tuple[int, list[int]]:
    """Return the action of a scored meld and the cards that it names."""
    try:
        action = action_id(meld)
    except ValueError as error:
        raise PositionError(f"scored: {error}") from None
    if action == SEVEN_SCORE:
        return action, [] if trump == NO_SUIT else [8 * trump]
    if not MARRIAGE <= action < SEVEN_SCORE:
        raise PositionError(f"scored: {meld!r} is no meld")
    if action < SEQUENCE:
        return action, [8 * (action - MARRIAGE) + rank for rank in (5, 4)]
    if action < BEZIQUE:
        return action, [8 * (action - SEQUENCE) + rank for rank in SEQUENCE_RANKS.tolist()]
    if action < FOUR:
        return action, [8 * suit + rank for suit in range(4) for rank in (4, 3)]
    rank = int(FOUR_RANKS[(action - FOUR) % 5])
    return action, [8 * suit + rank for suit in range(4) if action < FOUR_TRUMP or suit == trump]


def meld_size(action: int) -> int:
    """Return the number of cards of a declaration."""
    if action < SEQUENCE:
        return 2
    if action < BEZIQUE:
        return 5
    if action < FOUR:
        return 2 * (action - BEZIQUE + 1)
    if action == SEVEN_SCORE:
        return 1
    return 5 if action >= FIVE_TRUMP else 4


def _melds(scored: Any, table: list[list[int]], trump: int, again: bool) -> list[tuple[int, int, list[int]]]:
    """Return the scored melds; ``again``: a copy may have served several times (re-forming)."""
    result: list[tuple[int, int, list[int]]] = []
    served: set[tuple[int, int, int]] = set()  # seat, kind of meld, place
    for item in scored or []:
        if not isinstance(item, dict) or set(item) != {"seat", "meld", "cards"}:
            raise PositionError(f"scored: {item!r} must have the keys seat, meld, cards")
        seat = read_seat("scored: seat", item["seat"])
        action, suitable = _meld(item["meld"], trump)
        words = item["cards"].split() if isinstance(item["cards"], str) else item["cards"]
        places: list[int] = []
        for word in words:
            text, _, number = str(word).partition("#")
            card = read_cards(CARDS, f"scored: {item['meld']}", [text])[0]
            if card not in suitable:
                raise PositionError(f"scored: {text} is no card of {item['meld']!r}")
            copies = [k for k, c in enumerate(table[seat]) if c == card]
            if number:
                if not number.isdigit() or not 1 <= int(number) <= len(copies):
                    raise PositionError(
                        f"scored: {word!r}: {len(copies)} such cards lie on the table of seat {seat}"
                    )
                copies = [copies[int(number) - 1]]
            else:
                fresh = [k for k in copies if (seat, _mark_of(action), k) not in served]
                copies = fresh or (copies if again else [])
            copies = [k for k in copies if k not in places]
            if not copies:
                raise PositionError(
                    f"scored: {item['meld']!r} names {text}, which does not lie (unused for it) "
                    f"on the table of seat {seat}"
                )
            places.append(copies[0])
            served.add((seat, _mark_of(action), copies[0]))
        if len(places) > meld_size(action):
            raise PositionError(f"scored: {item['meld']!r} has {meld_size(action)} cards, not {len(places)}")
        result.append((seat, action, places))
    return result


def _mark_of(action: int) -> int:
    """Return the mark that a scored meld leaves; it is the same for the melds of one kind in all suits and ranks."""
    return st.USED_SEVEN if action == SEVEN_SCORE else int(MELD_MARKS[action - MARRIAGE])


def position_state(
    spec: PositionSpec, games: NDArray[Any], vector: NDArray[np.int64], tmp: NDArray[np.uint8]
) -> None:
    """Write a checked position into row 0 of ``games``.

    The dealt part of the deck is made up: concealed cards keep places of their seat, everything that
    anyone can see lies at public places, the stock at the end.
    """
    g = games[0]
    g["deck"] = 0
    g["deck"][: len(spec.rules.pack)] = spec.rules.pack
    g["cut"] = spec.cut
    play.start_row(
        games, 0, vector, np.uint64(spec.seed), spec.dealer, ("deal", "match").index(spec.episode), 0, 1
    )
    g["manual"] = 0
    g["draws"] = ("shared", "queues").index(spec.draws)
    for name in ("hand", "known", "table_count", "won", "places", "scores", "ev_n"):
        g[name] = 0
    public: list[int] = []
    hidden: list[tuple[int, int]] = []
    for s in range(st.SEATS):
        for card in spec.known[s]:
            g["known"][s, card] += 1
        left = list(spec.known[s])
        for card in spec.hands[s]:
            g["hand"][s, card] += 1
            if card in left:
                left.remove(card)
                public.append(card)
            else:
                hidden.append((s, card))
        for place, card in enumerate(spec.table[s]):
            g["table_card"][s, place] = card
            g["table_count"][s, card] += 1
        g["table_n"][s] = len(spec.table[s])
        for card in spec.won[s]:
            g["won"][s, card] += 1
        caught = spec.won[s] + (spec.table[s] if spec.rules.options.melds_from == "won" else [])
        g["brisques"][s] = (
            sum(card & 7 >= vector[ix.BRISQUES_FROM] for card in caught)
            if spec.brisques is None
            else spec.brisques[s]
        )
        public += spec.table[s] + spec.won[s]
        g["scores"][s] = spec.scores[s]
        g["match_scores"][s] = spec.match_scores[s]
    for seat, action, places in spec.melds:
        _mark(g, seat, action, places, bool(vector[ix.REFORM] == ix.REFORM_REPLACE))
    for place in spec.latest:
        g["table_uses"][spec.to_act, place] |= st.USED_TRICK
    g["seven_won"] = int(spec.seven_won)
    for s, card in spec.trick.items():
        g["trick_card"][s] = card
        public.append(card)
    g["trump"] = spec.trump
    g["turn_up"] = spec.turn_up
    deck = g["deck"][: len(spec.rules.pack)]
    _lay_deck(g, deck, public, hidden, spec.stock, 2 * int(vector[ix.HAND_SIZE]))
    g["turn_up_scored"] = int(
        spec.turn_up != NO_CARD and spec.turn_up & 7 == 0 and int(vector[ix.DEALER_SEVEN]) > 0
    )
    g["stock_left"] = len(spec.stock) + (spec.turn_up != NO_CARD)
    dealt = len(spec.rules.pack) - len(spec.stock)
    g["stock_next"] = dealt
    g["taken"] = (dealt - 2 * int(vector[ix.HAND_SIZE]) - (spec.turn_up != NO_CARD)) // 2
    g["carte"] = spec.carte
    g["leader"] = spec.leader
    g["to_act"] = spec.to_act
    target = int(vector[ix.TARGET])
    over = [s for s in range(st.SEATS) if spec.scores[s] + spec.match_scores[s] >= target]
    g["first_over"] = over[0] if len(over) == 1 else NO_CARD
    phases = {
        "carte_blanche": st.CARTE_BLANCHE,
        "lead": st.LEAD,
        "follow": st.FOLLOW,
        "declare": st.DECLARE,
    }
    g["phase"] = phases.get(spec.phase, st.ENDGAME_FOLLOW if spec.trick else st.ENDGAME_LEAD)
    g["declared"] = int(spec.declared)
    g["exchanged"] = int(spec.exchanged)
    if spec.phase == "declare" and not kn.open_window_row(games, 0, vector, tmp):
        kn.close_window_row(games, 0, vector)


def _mark(g: Any, seat: int, action: int, places: list[int], reform: bool) -> None:
    """Mark the cards at some places of a table as having served in a scored meld."""
    for place in places:
        g["table_uses"][seat, place] |= _mark_of(action)
        g["table_served"][seat, place] += 1
    if not reform or action == SEVEN_SCORE or len(places) < meld_size(action):
        return
    members = sum(1 << place for place in places)
    if action < SEQUENCE:
        for place in places:
            g["table_melds"][seat, place, st.IN_MARRIAGE] |= members & ~(1 << place)
        return
    kind = MELD_KIND[action - MARRIAGE]
    for place in places:
        g["table_melds"][seat, place, kind] = members


def _lay_deck(
    g: Any,
    deck: NDArray[np.uint8],
    public: list[int],
    hidden: list[tuple[int, int]],
    stock: list[int],
    turn_up_place: int,
) -> None:
    """Put the cards into the deck, which is changed in place, with their owners."""
    end = len(deck) - len(stock)
    places = list(range(end))
    if g["turn_up"] != NO_CARD:
        places.remove(turn_up_place)
        deck[turn_up_place] = g["turn_up"] | st.OWNER_PUBLIC << st.OWNER_SHIFT
    owned = [(st.OWNER_PUBLIC, card) for card in public] + hidden
    for place, (owner, card) in zip(places, owned, strict=True):
        deck[place] = card | owner << st.OWNER_SHIFT
        if owner < st.SEATS:
            g["places"][owner] += 1
    deck[end:] = np.array(stock, np.uint8) | st.OWNER_NONE << st.OWNER_SHIFT
