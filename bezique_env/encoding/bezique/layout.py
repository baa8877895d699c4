"""The layouts of the observations of the Bezique family."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from bezique_env.cards import NUM_CARDS
from bezique_env.encoding.layout import BY_CARD, ONE_CARD, ONE_SUIT, Layout, Suited, make_layout
from bezique_env.engine.bezique.state import MAX_SELECTED
from bezique_env.rules.bezique.shape import Shape

FIVE_RANKS = 5
"""Ranks that can serve in a meld: J Q K T A."""
PLACE_CARD = FIVE_RANKS + 4
"""Numbers of the card of a table place (multi-pack): rank, then suit."""
PLACE_USES = 10
"""Numbers of what the card of a table place has served in (multi-pack)."""
OPEN_CELLS = 2 * FIVE_RANKS * 4
"""Numbers that tell the open cards of a seat apart (Fildinski): copy, rank, suit."""
SCORE_SCALE = {2: 1000, 4: 1000, 6: 3000, 8: 5000}
"""Points that stand for 1.0, by packs: the target of two packs, the rubicon of more."""
MINI_SCALE = 100
"""Points that stand for 1.0 where cards are left out of the pack."""
LEAST_HAND = 2
"""Cards of the smallest hand where cards are left out of the pack."""

_Spec = list[tuple[str, int, str, float, float, str]]


_CARD = "one-hot rank 7 8 9 J Q K T A, then suit S H D C"
_TRICK: _Spec = [
    ("trick_own", 12, _CARD, 0, 1, "own card in the trick"),
    ("trick_opp", 12, _CARD, 0, 1, "the other seat's card in the trick"),
]


def score_scale(shape: Shape) -> int:
    """Return the points that stand for 1.0."""
    return SCORE_SCALE[shape.packs] if shape.kinds == NUM_CARDS else MINI_SCALE


def stock_start(shape: Shape) -> int:
    """Return the most cards that a stock begins with, the turn-up included."""
    return shape.deck - 2 * (shape.hand if shape.kinds == NUM_CARDS else LEAST_HAND)


def _two_pack(shape: Shape) -> _Spec:
    """Return the fields of the games with two packs whose melds are made from the hand."""
    slots, hand, scale = shape.slots, shape.hand, score_scale(shape)
    return [
        ("hand_one", 32, "0/1 per card id", 0, 1, "own concealed cards: at least one copy"),
        ("hand_two", 32, "0/1 per card id", 0, 1, "own concealed cards: two copies"),
        ("known_own", 32, "copies / 2 per card id", 0, 1, "own concealed cards that the other seat knows"),
        (
            "known_opp",
            32,
            "copies / 2 per card id",
            0,
            1,
            "cards that the other seat is known to hold concealed",
        ),
        (
            "unseen",
            32,
            "copies / 2 per card id",
            0,
            1,
            "copies in the other hand (not known) or in the stock",
        ),
        ("won_own", 32, "copies / 2 per card id", 0, 1, "cards in the tricks won by this seat"),
        ("won_opp", 32, "copies / 2 per card id", 0, 1, "cards in the tricks won by the other seat"),
        (
            "table_own",
            48,
            "0/1; copy 1 then copy 2; rank 7 J Q K T A by suit S H D C",
            0,
            1,
            "own cards on the table",
        ),
        (
            "table_opp",
            48,
            "0/1; copy 1 then copy 2; rank 7 J Q K T A by suit S H D C",
            0,
            1,
            "the other seat's table",
        ),
        (
            "uses_own",
            84,
            "0/1, bezique in thirds; see docs",
            0,
            1,
            "scored melds in which own table cards have served",
        ),
        ("uses_opp", 84, "0/1, bezique in thirds; see docs", 0, 1, "the same of the other seat's table"),
        ("slots_own", slots, "(card id + 1) / 32, 0 empty", 0, 1, "own table in the order laid"),
        ("slots_opp", slots, "(card id + 1) / 32, 0 empty", 0, 1, "the other seat's table in the order laid"),
        ("served_now_own", slots, "0/1 per place", 0, 1, "own table cards that served in the open window"),
        (
            "served_now_opp",
            slots,
            "0/1 per place",
            0,
            1,
            "the other seat's cards that served in the open window",
        ),
        *_TRICK,
        ("trump", 5, "one-hot S H D C none", 0, 1, "trump suit"),
        ("last_trump", 5, "one-hot S H D C none", 0, 1, "trump of the previous deal of the match"),
        ("turn_up", 13, f"{_CARD}, then scored", 0, 1, "the turn-up while it lies there"),
        ("bezique_pair", 4, "one-hot suit of the queen S H D C", 0, 1, "queen that now makes a bezique"),
        (
            "phase",
            8,
            "one-hot lead follow declare select endgame_lead endgame_follow over between_deals",
            0,
            1,
            "phase",
        ),
        ("to_act", 2, "0/1 own, opp", 0, 1, "whose decision it is"),
        ("dealer", 1, "0/1", 0, 1, "whether this seat dealt"),
        ("leader", 1, "0/1", 0, 1, "whether this seat leads the trick or has won the last one"),
        (
            "stock",
            3,
            f"left / {stock_start(shape)}, min(1, left / 12), min(1, left / 4)",
            0,
            1,
            "cards left in the stock, turn-up included",
        ),
        ("scores", 3, f"points / {scale}: own, opp, difference", -100, 100, "points of this deal"),
        (
            "totals",
            2,
            f"points / {scale}: own, opp",
            -100,
            200_000 // scale,
            "points of the match, this deal included",
        ),
        ("brisques", 2, "count / 16: own, opp", 0, 1, "aces and tens won"),
        ("concealed", 2, f"cards / {hand}: own, opp", 0, 1, "concealed cards"),
        ("sevens_scored", 2, "copies / 2: own, opp", 0, 1, "scored trump sevens among the concealed cards"),
        ("window", 2, "0/1 declared, exchanged", 0, 1, "what was done in the open window"),
        ("first_over", 2, "0/1 own, opp", 0, 1, "who reached the target first"),
        ("result", 3, "0/1 own win, opp win, double", 0, 1, "result when the game is over"),
        ("deal_number", 1, "deals before this one / 16", 0, 256, "number of the deal in the match"),
        (
            "selection",
            26,
            "one-hot action 64..81, then chosen copies (code + 1) / 128",
            0,
            1,
            "own selection under way",
        ),
    ]


def _fildinski(shape: Shape) -> _Spec:
    """Return the fields of Fildinski: those of the two-pack game, with open cards for the tables."""
    cells = "0/1; copy 1 then copy 2; rank J Q K T A by suit S H D C"
    uses = "0/1, bezique in thirds; copy 1 then copy 2; see docs"
    slots, shared = shape.slots, _two_pack(shape)
    row = {entry[0]: entry for entry in shared}
    row["won_own"] = ("won_own", *shared[5][1:5], "cards won by this seat and turned down")
    row["won_opp"] = ("won_opp", *shared[6][1:5], "cards won by the other seat and turned down")
    spec = [row[name] for name in list(row)[:7]]
    for seat, whose in (("own", "own open cards"), ("opp", "the other seat's open cards")):
        spec.append((f"table_{seat}", OPEN_CELLS, cells, 0, 1, f"{whose}: won, and able to serve"))
    for seat, whose in (("own", "own open cards"), ("opp", "the other seat's open cards")):
        spec.append((f"uses_{seat}", 2 * 41, uses, 0, 1, f"scored melds in which {whose} have served"))
    for seat, whose in (("own", "own open cards"), ("opp", "the other seat's open cards")):
        spec.append((f"slots_{seat}", slots, "(card id + 1) / 32, 0 empty", 0, 1, f"{whose} in order"))
    for name, meaning in (
        ("won_now", "won in the trick whose window is open"),
        ("served_now", "served in a meld of the open window"),
        ("line_now", "served in the open window in a marriage or sequence (classes)"),
        ("bezique_now", "served in the open window in a bezique (classes)"),
    ):
        for seat, whose in (("own", "own open cards"), ("opp", "the other seat's open cards")):
            spec.append((f"{name}_{seat}", OPEN_CELLS, cells, 0, 1, f"{whose} that {meaning}"))
    spec.append(("seven_won", 1, "0/1", 0, 1, "the trick whose window is open holds a trump seven"))
    spec.append(("led_scored", 1, "0/1", 0, 1, "the card led is a trump seven that has scored"))
    done = {entry[0] for entry in spec}
    return spec + [entry for name, entry in row.items() if name not in done]


def _multi_pack(shape: Shape) -> _Spec:
    """Return the fields of the games with four, six and eight packs."""
    packs, slots = shape.packs, shape.slots
    copies = f"copies / {packs} per card id"
    start, scale = stock_start(shape), score_scale(shape)
    numbers = ("one copy", "two copies", "three copies", "four copies")
    names = ("hand_one", "hand_two", "hand_three", "hand_four")
    spec: _Spec = [
        (name, 32, "0/1 per card id", 0, 1, f"own concealed cards: at least {number}")
        for name, number in zip(names, numbers, strict=True)
    ]
    spec += [
        ("hand_count", 32, copies, 0, 1, "own concealed cards"),
        ("known_own", 32, copies, 0, 1, "own concealed cards that the other seat knows"),
        ("known_opp", 32, copies, 0, 1, "cards that the other seat is known to hold concealed"),
        ("unseen", 32, copies, 0, 1, "copies in the other hand (not known) or in the stock"),
        ("won_own", 32, copies, 0, 1, "cards in the tricks won by this seat"),
        ("won_opp", 32, copies, 0, 1, "cards in the tricks won by the other seat"),
    ]
    uses = "marriage sequence bezique double four triple quadruple quintuple four_trump five_trump"
    kinds = "marriage sequence bezique four four_trump five_trump"
    for name, width, unit, high, meaning in (
        ("table", PLACE_CARD, "one-hot rank J Q K T A, then suit S H D C", 1, "cards in the order laid"),
        ("uses", PLACE_USES, f"0/1 {uses}", 1, "scored melds in which the card has ever served"),
        ("intact", 6, f"0/1 {kinds}", 1, "scored melds of the card that are still intact"),
        ("melds", 6, f"mask / 2**{slots}: {kinds}", 1, "places of the members of those melds, a bit each"),
        ("served", 1, "melds / 16", 16, "how many scored melds the card has served in"),
    ):
        for seat, whose in (("own", "own table"), ("opp", "the other seat's table")):
            spec.append(
                (f"{name}_{seat}", slots * width, f"per place {unit}", 0, high, f"{whose}: {meaning}")
            )
    return [
        *spec,
        *_TRICK,
        ("trump", 5, "one-hot S H D C none", 0, 1, "trump suit"),
        ("bezique_pair", 4, "one-hot suit of the queen S H D C", 0, 1, "queen that now makes a bezique"),
        (
            "phase",
            9,
            "one-hot lead follow declare select endgame_lead endgame_follow over between_deals carte_blanche",
            0,
            1,
            "phase",
        ),
        ("to_act", 2, "0/1 own, opp", 0, 1, "whose decision it is"),
        ("dealer", 1, "0/1", 0, 1, "whether this seat dealt"),
        ("leader", 1, "0/1", 0, 1, "whether this seat leads the trick or has won the last one"),
        ("stock", 3, f"left / {start}, min(1, left / 12), min(1, left / 4)", 0, 1, "cards left in the stock"),
        ("scores", 3, f"points / {scale}: own, opp, difference", -100, 100, "points of the deal"),
        ("brisques", 2, f"count / {8 * packs}: own, opp", 0, 1, "aces and tens won"),
        ("concealed", 2, f"cards / {slots}: own, opp", 0, 1, "concealed cards"),
        ("carte", 2, "0/1 own, opp", 0, 1, "who showed carte blanche and goes on showing"),
        ("cut", 2, "number / 32, 0 none", 0, 1, "cards lifted by the dealer, number guessed (cut bonus)"),
        ("window", 1, "0/1", 0, 1, "whether the open window's declaration was used"),
        ("result", 2, "0/1 own win, opp win", 0, 1, "result when the game is over"),
        (
            "selection",
            28 + MAX_SELECTED,
            "one-hot action 64..91, then chosen copies (code + 1) / 128",
            0,
            1,
            "own selection under way",
        ),
    ]


def _spec(shape: Shape) -> _Spec:
    if shape.reform:
        return _multi_pack(shape)
    return _fildinski(shape) if shape.slots > shape.hand else _two_pack(shape)


_HELD = (
    *("hand_one", "hand_two", "hand_three", "hand_four", "hand_count"),
    *("known_own", "known_opp", "unseen", "won_own", "won_opp"),
)
_NOW = ("won_now", "served_now", "line_now", "bezique_now")
# Of a copy's 41 or 42 numbers of ``uses``: marriage, bezique, four. Sequence and seven are of trumps alone.
_USES = (0, 4, 13, 17, 21, 25, 29, 33, 37)


def _suited(shape: Shape) -> Suited:
    """Return what stands in the fields once for every suit; the names of other layouts' fields do no harm."""
    suited: dict[str, tuple[Sequence[int], int]] = dict.fromkeys(_HELD, BY_CARD)
    suited |= dict.fromkeys(("trick_own", "trick_opp", "turn_up"), ONE_CARD)
    suited |= dict.fromkeys(("trump", "last_trump", "bezique_pair"), ONE_SUIT)
    suited["selection"] = ((0, 4), 1)  # marriage, sequence
    for seat in ("own", "opp"):
        if shape.reform:
            suited[f"table_{seat}"] = (range(FIVE_RANKS, shape.slots * PLACE_CARD, PLACE_CARD), 1)
            continue
        won = shape.slots > shape.hand
        cells, copy = (OPEN_CELLS, 41) if won else (48, 42)
        suited[f"table_{seat}"] = (range(0, cells, 4), 1)
        suited[f"uses_{seat}"] = ([k + place for k in (0, copy) for place in _USES], 1)
        if won:
            suited |= dict.fromkeys((f"{name}_{seat}" for name in _NOW), (range(0, OPEN_CELLS, 4), 1))
    return suited


@functools.cache
def layout_of(shape: Shape) -> Layout:
    """Return the layout of the rows that are made from view records of a shape."""
    name = f"Starts{shape.packs}x{shape.slots}"
    return make_layout(name, shape, _spec(shape), score_scale(shape), _suited(shape))
