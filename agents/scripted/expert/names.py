"""The names of the weights of the Bezique family's expert, what they mean, and their places in the array."""

from __future__ import annotations

RANKS = ("seven", "eight", "nine", "jack", "queen", "king", "ten", "ace")
MELDS: dict[str, dict[str, str]] = {
    "plain": {r: f"points of each {r} outside trumps that stays, for what it may win, early" for r in RANKS},
    "plain_late": {r: f"the same of each {r}, at the end of the stock" for r in RANKS},
    "trump": {r: f"points of each {r} of trumps that stays, early" for r in RANKS},
    "trump_late": {r: f"the same of each {r} of trumps, at the end of the stock" for r in RANKS},
    "marriage": {
        "plain": "part of a marriage's points that its one card is worth, times the chance of the other",
        "royal": "the same in trumps, or while no trump is fixed",
    },
    "sequence": {
        **{
            f"missing_{k}": f"part of the points that a sequence is worth that lacks {k} cards, times their chance"
            for k in range(1, 5)
        },
        **{
            f"plain_missing_{k}": f"the same outside trumps, where it scores: {k} cards are missing"
            for k in range(1, 5)
        },
    },
    "bezique": {
        "single": "part of the points that a bezique is worth of which a card is missing, times its chance",
        "double": "the same of a double bezique",
        "triple": "the same of a triple bezique",
        "quadruple": "the same of a quadruple bezique",
        "quintuple": "the same of a quintuple bezique",
        "missing_1": "factor of that where one card is missing",
        "missing_2": "where two are missing",
        "missing_3": "where more are missing",
    },
    "quartet": {
        **{
            f"missing_{k}": f"part of the points that four of a rank are worth that lack {k} cards, times their chance"
            for k in range(1, 5)
        },
        **{
            f"trump_missing_{k}": f"the same of four or five of a kind in trumps: {k} cards are missing"
            for k in range(1, 5)
        },
    },
    "again": {
        "quartet": "part of the points of four of a rank that score again once a card of them is played",
        "trump_quartet": "the same of four or five of a kind in trumps",
        "sequence": "the same of a sequence with a spare card",
        "sequence_waiting": "the same of a sequence that still needs a spare card, times its chance",
        "bezique": "the same of a bezique",
    },
    "later": {
        "best": "windows after this one at which the best declaration that is ready keeps half its points",
        "second": "the same of the second best",
        "rest": "the same of the others",
        "stage": "windows after this one at which a card's worth lies half-way between early and late",
    },
    "tempo": {
        f"at_{k}": f"points of winning a trick in itself, {k} windows before the last"
        for k in (0, 1, 2, 4, 8, 20, 50)
    },
    "danger": {
        "early": "part of what the other side is expected to hold ready that winning a trick denies, early",
        "late": "the same at the end of the stock",
    },
    "trick": {
        "brisque": "points of an ace or ten won, for and against",
        "takes_brisque": "how likely the other side takes a brisque that is led, where it can",
        "takes_plain": "the same of a lower card outside trumps",
        "takes_trump": "the same of a trump",
        "led_suit": "points lost for each ace or ten unseen of the suit of a low card that is led",
        "exposed": "points added for playing a card from the table and not one of the hand, which nobody has seen",
        "turn_up": "part of the turn-up's worth that losing the last trick of the stock brings",
        "exchange": "points added for taking the turn-up for the seven of trumps",
    },
    "naming": {
        "length": "points of a card of the suit that a declaration makes trump",
        "sequence": "points of a rank of the sequence held in it",
    },
}
"""Games whose melds come from the hand."""

_TOWARDS = ("one", "two", "three", "four")
OPEN: dict[str, dict[str, str]] = {
    "plain": {
        r: f"points of each {r} outside trumps that stays in the hand, to win tricks with" for r in RANKS
    },
    "trump": {r: f"points of each {r} of trumps that stays in the hand" for r in RANKS},
    "sequence": {
        f"with_{k}": f"part of the points that a card won towards a sequence is worth beside {k} of its others"
        for k in range(4)
    },
    "quartet": {f"with_{k}": f"the same towards four of a rank, beside {k} others" for k in range(3)},
    "pair": {"marriage": "the same towards a marriage", "bezique": "the same towards a bezique"},
    "double": {f"with_{k}": f"the same towards a double bezique, beside {k} others" for k in range(3)},
    "later": {
        "part": "factor of what is not complete, while many tricks remain",
        "half": "tricks of the stock at which that factor is halved",
        "other": "weight of what the other side gains against one's own gain",
    },
    "tempo": {
        "early": "points of winning a trick in itself, while many tricks remain",
        "late": "the same at the end of the stock",
        "takes": "how likely the other side takes a card that is led, where it can",
        "brisque": "factor of the points of an ace or ten",
    },
}
"""Games whose melds come from the cards won (Fildinski)."""


def places(groups: dict[str, dict[str, str]]) -> dict[str, int]:
    """Return the place of each weight, by ``group.name``."""
    names = [f"{group}.{name}" for group, own in groups.items() for name in own]
    return {name: place for place, name in enumerate(names)}


_M = places(MELDS)
PLAIN, PLAIN_LATE = _M["plain.seven"], _M["plain_late.seven"]
TRUMP, TRUMP_LATE = _M["trump.seven"], _M["trump_late.seven"]
MARRIAGE_PLAIN, MARRIAGE_ROYAL = _M["marriage.plain"], _M["marriage.royal"]
SEQUENCE, SEQUENCE_PLAIN = _M["sequence.missing_1"], _M["sequence.plain_missing_1"]
BEZIQUE, BEZIQUE_MISSING = _M["bezique.single"], _M["bezique.missing_1"]
QUARTET, TRUMP_QUARTET = _M["quartet.missing_1"], _M["quartet.trump_missing_1"]
AGAIN_QUARTET, AGAIN_TRUMPS = _M["again.quartet"], _M["again.trump_quartet"]
AGAIN_SEQUENCE, AGAIN_WAITING = _M["again.sequence"], _M["again.sequence_waiting"]
AGAIN_BEZIQUE = _M["again.bezique"]
BEST, SECOND, REST, STAGE = _M["later.best"], _M["later.second"], _M["later.rest"], _M["later.stage"]
TEMPO = _M["tempo.at_0"]
DANGER_EARLY, DANGER_LATE = _M["danger.early"], _M["danger.late"]
BRISQUE, LED_SUIT = _M["trick.brisque"], _M["trick.led_suit"]
TAKES_BRISQUE, TAKES_PLAIN, TAKES_TRUMP = (
    _M["trick.takes_brisque"],
    _M["trick.takes_plain"],
    _M["trick.takes_trump"],
)
TURN_UP, EXCHANGE_GAIN, EXPOSED = _M["trick.turn_up"], _M["trick.exchange"], _M["trick.exposed"]
LENGTH, SEQUENCE_HELD = _M["naming.length"], _M["naming.sequence"]

_O = places(OPEN)
OPEN_PLAIN, OPEN_TRUMP = _O["plain.seven"], _O["trump.seven"]
OPEN_SEQUENCE, OPEN_QUARTET, OPEN_DOUBLE = _O["sequence.with_0"], _O["quartet.with_0"], _O["double.with_0"]
OPEN_MARRIAGE, OPEN_BEZIQUE = _O["pair.marriage"], _O["pair.bezique"]
OPEN_LATER, OPEN_HALF, OPEN_OTHER = _O["later.part"], _O["later.half"], _O["later.other"]
OPEN_EARLY, OPEN_LATE, OPEN_TAKES, OPEN_BRISQUE = (
    _O["tempo.early"],
    _O["tempo.late"],
    _O["tempo.takes"],
    _O["tempo.brisque"],
)
