"""The readable side of the throw-away family: views, sentences, positions."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from bezique_env.engine import play
from bezique_env.engine.common import NONE
from bezique_env.faces.face import Face, Line, Mark
from bezique_env.position import (
    PositionError,
    cards_per_seat,
    check_keys,
    number_per_seat,
    one_of,
    read_seat,
    read_seed,
    read_trick,
)
from tests.throwaway import engine as en
from tests.throwaway.rules import CARDS

_SENTENCES = {
    en.WHY_OVER: "the game is over.",
    en.WHY_CONCEDE: "to concede is for the lead, under concede 'on'.",
    en.WHY_NOT_IN_HAND: "the card is not in the hand.",
    en.WHY_FOLLOW: "the hand holds the suit led and must follow it.",
}
_KEYS = (
    *("variant", "rules", "to_act", "dealer", "hands", "played", "trick"),
    *("scores", "match_scores", "episode", "draws", "seed"),
)


@dataclass(frozen=True)
class DuelView:
    """What one seat may know of a game."""

    seat: int
    to_act: int
    phase: str
    dealer: int
    hand: list[str]
    played: list[list[str]]
    trick: list[tuple[int, str]]
    scores: tuple[int, ...]
    match_scores: tuple[int, ...]
    record: Any

    def to_dict(self) -> dict[str, Any]:
        """Return everything as values that JSON can hold."""
        return json.loads(json.dumps({key: value for key, value in vars(self).items() if key != "record"}))


@dataclass(frozen=True)
class DuelPosition:
    """A checked position."""

    source: dict[str, Any]
    rules: Any
    seed: int
    episode: str
    draws: str


class DuelFace(Face):
    """See :class:`bezique_env.faces.face.Face`; whatever is seen by everyone needs no more than this."""

    family = "duels"

    def view(self, record):
        seats = range(en.SEATS)
        cards = record["trick_card"]
        to_act = int(record["to_act"])
        return DuelView(
            seat=int(record["seat"]),
            to_act=-1 if to_act == NONE else to_act,
            phase=en.PHASES[int(record["phase"])],
            dealer=int(record["dealer"]),
            hand=CARDS.of_mask(record["hand"]),
            played=[CARDS.of_mask(mask) for mask in record["played"]],
            trick=[(s, CARDS.text(int(cards[s]))) for s in seats if cards[s] != NONE],
            scores=tuple(record["scores"].tolist()),
            match_scores=tuple(record["match_scores"].tolist()),
            record=record,
        )

    def hand(self, state, seat):
        return CARDS.of_mask(state["hand"][seat])

    def deck(self, state):
        return state["deck"].tobytes()

    def sentence(self, game, code, action):
        return _SENTENCES[code]

    def opening(self, view, state):
        marks = [Mark(card=CARDS.id(card)) for card in view.hand]
        return Line("deal " + json.dumps(view.to_dict()), tuple(marks))

    def told(self, before, after, seat, actor, action, chosen):
        return [Line(f"{actor} {en.ACTIONS.text(action)}", (Mark(actor, action),))], chosen

    def read_position(self, data, rules):
        check_keys(data, _KEYS)
        read_seat("to_act", data["to_act"])
        read_seat("dealer", data.get("dealer", 0))
        trick = read_trick(CARDS, data.get("trick"))
        if data["to_act"] in trick:
            raise PositionError(f"trick: seat {data['to_act']} is to act and has played to it")
        hands, played = cards_per_seat(CARDS, data, "hands"), cards_per_seat(CARDS, data, "played")
        for s in range(en.SEATS):
            if len(hands[s]) + len(played[s]) + (s in trick) != en.HAND:
                raise PositionError(f"hands: seat {s} must hold or have played {en.HAND} cards")
        named = [*hands[0], *hands[1], *played[0], *played[1], *trick.values()]
        if len(set(named)) < len(named):
            raise PositionError("the pack holds every card once")
        if sum(number_per_seat(data, "scores")) != len(played[0]) or len(played[0]) != len(played[1]):
            raise PositionError("scores: there must be a point for each trick, to which both have played")
        number_per_seat(data, "match_scores")
        return DuelPosition(
            data,
            rules,
            read_seed(data),
            one_of("episode", data.get("episode", "deal"), ("deal", "match")),
            one_of("draws", data.get("draws", "shared"), ("shared", "queues")),
        )

    def position_state(self, spec, games, vector, tmp):
        data, g = spec.source, games[0]
        dealer = data.get("dealer", 0)
        hands, played = cards_per_seat(CARDS, data, "hands"), cards_per_seat(CARDS, data, "played")
        for s, card in read_trick(CARDS, data.get("trick")).items():
            played[s].append(card)
        dealt = [hands[s] + played[s] for s in range(en.SEATS)]
        rest = [card for card in range(en.DECK) if card not in dealt[0] and card not in dealt[1]]
        g["deck"][: en.SEATS * en.HAND : 2], g["deck"][1 : en.SEATS * en.HAND : 2] = (
            dealt[1 - dealer],
            dealt[dealer],
        )
        g["deck"][en.SEATS * en.HAND :] = np.random.default_rng(spec.seed).permutation(rest)
        play.start_row(games, 0, vector, np.uint64(spec.seed), dealer, int(spec.episode == "match"), 0, 1)
        g["manual"] = 0
        for s in range(en.SEATS):
            g["hand"][s], g["played"][s] = CARDS.mask(hands[s]), CARDS.mask(played[s])
        g["scores"], g["match_scores"] = data.get("scores", [0, 0]), data.get("match_scores", [0, 0])
        g["to_act"] = g["leader"] = data["to_act"]
        for s, card in read_trick(CARDS, data.get("trick")).items():
            g["trick_card"][s], g["leader"], g["phase"] = card, s, en.FOLLOW


FACE = DuelFace()
