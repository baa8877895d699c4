"""Every variant as a game of OpenSpiel, over the same kernels (extra ``openspiel``).

Importing this module registers a Python game for each variant, ``bezique_env_two_pack`` and so on; importing
``bezique_env`` alone never loads OpenSpiel::

    import pyspiel
    import bezique_env.envs.openspiel

    game = pyspiel.load_game("bezique_env_two_pack(rules=saari,dealer=-1)")

The deck is revealed lazily: a chance node for each card, at the moment at which it comes into play. A state
holds one immutable node, so that cloning it copies nothing.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import yaml
from numpy.typing import NDArray

try:
    import pyspiel
except ModuleNotFoundError as error:  # pragma: no cover - the message is the test
    raise ModuleNotFoundError(
        "bezique_env.envs.openspiel needs OpenSpiel: pip install 'bezique-env[openspiel]'", name=error.name
    ) from None

from bezique_env.cards import NUM_CARDS
from bezique_env.encoding import layout, observation_size
from bezique_env.encoding.rows import encode_row
from bezique_env.engine import play
from bezique_env.engine.cache import announce_compilation
from bezique_env.engine.common import BETWEEN_DEALS, EPISODE_DEAL, OVER, PUBLIC, copy_records
from bezique_env.engine.engines import engine_of
from bezique_env.engine.rng import STREAM_RESAMPLE, key_of
from bezique_env.faces.face import Line, Mark
from bezique_env.faces.faces import face_of
from bezique_env.game import DRAWS, REWARDS, Game, choice
from bezique_env.rules import get_rules, variants

PREFIX = "bezique_env_"
"""What the short name of a variant begins with."""
DEALS = ("cards", "hands")
"""How cards are dealt: as they lie in the deck, or each hand dealt at once in ascending order."""
RANDOM_DEALER = -1
MOST_REDEALS = 50
"""How often a hand may be dealt again at most: history and tensor grow with it."""
PARAMETERS: dict[str, Any] = {
    "rules": "",
    "overrides": "",
    "reward": "score_difference",
    "draws": "shared",
    "dealer": 1,
    "deal": "cards",
    "redeals": False,
}
"""Parameters of every game with their defaults; docs/openspiel.md says what each means."""
_DEALER, _LIFTED, _GUESSED, _CARDS = range(4)
"""What a chance node decides."""
_AHEAD = 2.0**53


class Table:
    """What all states of one game share: rules, kernels, scratch. Made once for given parameters.

    Args:
        variant: id of the variant.
        parameters: values of :data:`PARAMETERS`; those left out have their defaults.

    Raises:
        ValueError: a parameter is not allowed; the message names the allowed values and the nearest.
    """

    def __init__(self, variant: str, parameters: Mapping[str, Any]) -> None:
        """Resolve the rules and allocate; see the class."""
        given = {**PARAMETERS, **parameters}
        self.variant = variant
        self.parameters = {name: given[name] for name in PARAMETERS}
        self.rules = get_rules(variant, given["rules"] or None, read_overrides(given["overrides"]))
        self.engine, self.face = engine_of(variant), face_of(variant)
        self.vector = self.rules.vector.copy()
        self.mode = choice("reward", given["reward"], REWARDS)
        self.draws = choice("draws", given["draws"], DRAWS)
        self.by_hand = choice("deal", given["deal"], DEALS) == 1
        if given["dealer"] not in (RANDOM_DEALER, 0, 1):
            raise ValueError(
                f"dealer: {given['dealer']!r} is not allowed: 0, 1 or -1 (drawn by a chance node)"
            )
        self.dealer = int(given["dealer"])
        self.limits = self.rules.family.limits(self.vector)
        self.most_redeals = self._most_redeals(bool(given["redeals"]))
        announce_compilation()
        self.pack = self.rules.pack.copy()
        self.counts = np.bincount(self.pack, minlength=NUM_CARDS)
        self.cut = list(self.face.cut_numbers()) if self.face.scores_cut(self.rules) else []
        self.num_actions = self.engine.actions.size
        self.tmp = np.zeros(self.engine.scratch, np.uint8)
        self.mask = np.zeros(self.num_actions, np.int8)
        self.views = np.zeros(1, self.engine.view_dtype(self.rules.shape))
        self._places = np.zeros(self.rules.shape.deck, np.int16)
        self._owners = np.zeros(self.rules.shape.deck, np.uint8)
        self.header = Game(variant, rules=self.rules, draws=given["draws"]).information_text(0).split("\n")[0]
        self.observation_size = observation_size(variant)
        self.mark_size = 2 + self.num_actions + NUM_CARDS + self.face.numbers
        # A seat sees each action, the cards dealt to it, and of each card once at most that it is shown.
        seen = self.limits.decisions + 2 * len(self.pack) + 8
        self.most_marks = seen + self.most_redeals * (self.limits.annulled + len(self.pack))
        self.root = Node(self)

    def _most_redeals(self, redeals: bool) -> int:
        """Return how often an annulled hand may be dealt again."""
        if not redeals:
            return 0
        if not self.engine.redeals:
            raise ValueError(f"redeals: in {self.variant} no hand is annulled: it must be false")
        most = int(self.rules.max_redeals)
        if most > MOST_REDEALS:
            raise ValueError(
                f"redeals: the rules deal an annulled hand again up to {most} times; at most {MOST_REDEALS} here: "
                f"add overrides=max_redeals:{MOST_REDEALS} or fewer"
            )
        return most

    # ------------------------------------------------------------------------------------------- records

    def start(self, deck: bytes, dealer: int, cut: tuple[int, int] | None) -> NDArray[Any]:
        """Return a record in which a deck is dealt."""
        games = np.zeros(1, self.engine.state_dtype(self.rules.shape))
        games[0]["deck"][: len(deck)] = np.frombuffer(deck, np.uint8)
        if cut is not None:
            games[0]["cut"] = cut
        play.start_row(games, 0, self.vector, np.uint64(0), dealer, EPISODE_DEAL, self.draws, 1)
        if self.engine.redeals:
            games[0]["given"] = int(self.most_redeals == 0)
        return games

    def dealt(self, games: NDArray[Any]) -> dict[int, int]:
        """Return the owner of every place of the deck that has come into play."""
        n = play.dealt_row(games, 0, self.vector, self._places, self._owners)
        return dict(zip(self._places[:n].tolist(), self._owners[:n].tolist(), strict=True))

    @functools.cached_property
    def openings(self) -> tuple[dict[int, int], dict[int, int]]:
        """For each dealer the places that are dealt at the beginning, and whose they are."""
        first, second = (
            self.dealt(self.start(self.pack.tobytes(), dealer, (self.cut[0],) * 2 if self.cut else None))
            for dealer in (0, 1)
        )
        return first, second

    def order(self, places: Mapping[int, int], dealer: int) -> tuple[tuple[int, int], ...]:
        """Return (place, owner) of what is to be dealt in the order of the chance nodes."""
        if not self.by_hand:
            return tuple(sorted(places.items()))
        rank = {1 - dealer: 0, dealer: 1, PUBLIC: 2}
        return tuple(sorted(places.items(), key=lambda item: (rank[item[1]], item[0])))

    def deck(self, state: Any) -> bytes:
        """Return the cards of the pack in the order of a state's deck, as ids."""
        return self.face.deck(state)[: len(self.pack)]

    def put(
        self, deck: bytearray, dealt: Mapping[int, int], cards: Mapping[int, int]
    ) -> list[tuple[int, int]]:
        """Put cards into a deck, swapping the placeholders, and return the changes (place, card)."""
        changes: dict[int, int] = {}
        for place, card in cards.items():
            if deck[place] == card:
                continue
            other = next(
                k
                for k in range(len(self.pack) - 1, -1, -1)
                if deck[k] == card and k not in dealt and (k not in cards or deck[k] != cards[k])
            )
            deck[other], deck[place] = deck[place], deck[other]
            changes[other], changes[place] = deck[other], deck[place]
        return list(changes.items())

    def project(self, games: NDArray[Any], seat: int) -> NDArray[Any]:
        """Return the view record of a seat (overwritten by the next call)."""
        play.project_row(games, 0, self.vector, seat, self.views, 0)
        return self.views


@functools.lru_cache(maxsize=32)
def _table(variant: str, parameters: tuple[tuple[str, Any], ...]) -> Table:
    return Table(variant, dict(parameters))


def table_of(variant: str, parameters: Mapping[str, Any]) -> Table:
    """Return the table of a game; the same one for the same parameters."""
    return _table(variant, tuple(sorted(parameters.items())))


def read_overrides(text: str) -> dict[str, Any]:
    """Return the options that a text such as ``selection:explicit;target:1500`` sets.

    Raises:
        ValueError: a part of it is no ``option:value``.
    """
    found: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in text.split(";"))):
        name, colon, value = part.partition(":")
        if not colon:
            raise ValueError(f"overrides: {part!r} is no 'option:value'; several are joined by ';'")
        found[name.strip()] = yaml.safe_load(value)
    return found


@dataclass
class Chance:
    """What a chance node decides.

    Attributes:
        stage: the dealer, the two numbers of the cut, or a card.
        order: (place, owner) of the cards that come into play together.
        drawn: those of them that are known.
        dealer: who deals (-1 while not known).
        cut: numbers of the cut so far.
        base: the record that the cards are put into; None before the first deal.
        dealt: places of the deck of ``base`` in play.
    """

    stage: int
    order: tuple[tuple[int, int], ...] = ()
    drawn: tuple[int, ...] = ()
    dealer: int = RANDOM_DEALER
    cut: tuple[int, ...] = ()
    base: NDArray[Any] | None = None
    dealt: Mapping[int, int] = field(default_factory=dict)


class Node:
    """One history: immutable once made; what is asked of it is computed when it is asked first.

    Args:
        table: what all histories share.
        previous: the history one move before; None for the empty one.
        move: the move that was made there.
    """

    __slots__ = (
        "_legal",
        "_lines",
        "_outcomes",
        "_texts",
        "actor",
        "chance",
        "choosing",
        "deals",
        "games",
        "move",
        "origin",
        "previous",
        "table",
    )

    def __init__(self, table: Table, previous: Node | None = None, move: int = -1) -> None:
        """Make the move; see the class."""
        self.table, self.previous, self.move = table, previous, move
        self.games: NDArray[Any] | None = None  # the record; None at chance nodes
        self.chance: Chance | None = None
        self.origin: Node | None = None  # the last decision before this
        self.actor = -1
        self.deals: tuple[bytes, ...] = ()  # decks of annulled hands
        self._legal: list[int] | None = None
        self._outcomes: list[tuple[int, float]] | None = None
        self._lines: list[list[Line] | None] = [None, None]
        self.choosing: list[tuple[int, ...]] = [(), ()]
        self._texts: list[str | None] = [None, None]
        if previous is None:
            self._begin()
        elif previous.chance is not None:
            self._reveal(previous, previous.chance)
        else:
            self._act(previous)

    def __deepcopy__(self, memo: Any) -> Node:
        """Return the node itself: it never changes."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as the parameters and the moves."""
        return _restore, (self.table.variant, self.table.parameters, self.path())

    def path(self) -> tuple[int, ...]:
        """Return the moves that led here, those of chance included."""
        moves = []
        node: Node | None = self
        while node is not None and node.previous is not None:
            moves.append(node.move)
            node = node.previous
        return tuple(reversed(moves))

    def child(self, move: int) -> Node:
        """Return the history after one move more."""
        return Node(self.table, self, move)

    # -------------------------------------------------------------------------------------------- moving

    def _begin(self) -> None:
        table = self.table
        if table.dealer == RANDOM_DEALER:
            self.chance = Chance(_DEALER)
        else:
            self._first_deal(table.dealer, ())

    def _first_deal(self, dealer: int, cut: tuple[int, ...]) -> None:
        table = self.table
        if table.cut and len(cut) < 2:
            self.chance = Chance(_LIFTED + len(cut), dealer=dealer, cut=cut)
            return
        self.chance = Chance(_CARDS, table.order(table.openings[dealer], dealer), dealer=dealer, cut=cut)

    def _reveal(self, previous: Node, chance: Chance) -> None:
        """Take what chance has decided; with the last card of a draw the action (or the deal) takes place."""
        table = self.table
        self.origin, self.actor, self.deals = previous.origin, previous.actor, previous.deals
        if chance.stage == _DEALER:
            self._first_deal(self.move, ())
            return
        if chance.stage != _CARDS:
            self._first_deal(chance.dealer, (*chance.cut, self.move))
            return
        drawn = (*chance.drawn, self.move)
        if len(drawn) < len(chance.order):
            self.chance = Chance(
                _CARDS, chance.order, drawn, chance.dealer, chance.cut, chance.base, chance.dealt
            )
            return
        cards = {place: card for (place, _), card in zip(chance.order, drawn, strict=True)}
        if chance.base is None or chance.base[0]["phase"] == BETWEEN_DEALS:
            deck = bytearray(table.pack.tobytes())
            table.put(deck, {}, cards)
            if chance.base is None:
                cut = (chance.cut[0], chance.cut[1]) if chance.cut else None
                self.games = table.start(bytes(deck), chance.dealer, cut)
            else:
                self.games = copy_records(chance.base)
                self.games[0]["deck"][: len(deck)] = np.frombuffer(deck, np.uint8)
                play.next_deal_row(self.games, 0, table.vector)
            return
        self.games = copy_records(chance.base)
        for place, card in table.put(bytearray(table.deck(chance.base[0])), chance.dealt, cards):
            play.put_card_row(self.games, 0, table.vector, place, card)
        assert self.origin is not None
        play.apply_row(self.games, 0, table.vector, self.last_action, table.tmp)

    def _act(self, previous: Node) -> None:
        """Apply an action; where it draws cards, chance decides first which they are."""
        table = self.table
        assert previous.games is not None
        self.origin, self.actor, self.deals = previous, previous.to_act, previous.deals
        games = copy_records(previous.games)
        play.apply_row(games, 0, table.vector, self.move, table.tmp)
        if games[0]["phase"] == BETWEEN_DEALS:
            dealer = int(games[0]["dealer"])
            self.deals = (*previous.deals, table.deck(previous.games[0]))
            order = table.order(table.openings[dealer], dealer)
            self.chance = Chance(_CARDS, order, dealer=dealer, base=games)
            return
        before, after = table.dealt(previous.games), table.dealt(games)
        if len(after) == len(before):
            self.games = games
            return
        new = {place: owner for place, owner in after.items() if place not in before}
        order = table.order(new, int(games[0]["dealer"]))
        self.chance = Chance(_CARDS, order, base=previous.games, dealt=before)

    @property
    def last_action(self) -> int:
        """The action of the last decision before this."""
        node = self
        while node.previous is not self.origin:
            assert node.previous is not None
            node = node.previous
        return node.move

    # ------------------------------------------------------------------------------------------- reading

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.games is not None and int(self.games[0]["phase"]) == OVER

    @property
    def to_act(self) -> int:
        """Seat to act (nobody's number at chance nodes and when the game is over)."""
        return int(self.games[0]["to_act"]) if self.games is not None else -1

    @property
    def record(self) -> NDArray[Any] | None:
        """The record of the last decision (or the end); None before the first."""
        if self.games is not None:
            return self.games
        return self.origin.games if self.origin is not None else None

    def legal(self) -> list[int]:
        """Return the legal actions of the seat to act, ascending."""
        if self._legal is None:
            assert self.games is not None
            table = self.table
            play.mask_row(self.games, 0, table.vector, table.mask, table.tmp)
            self._legal = [int(action) for action in np.flatnonzero(table.mask)]
        return self._legal

    def outcomes(self) -> list[tuple[int, float]]:
        """Return what chance may decide, ascending, and how likely it is."""
        if self._outcomes is None:
            self._outcomes = self._find_outcomes()
        return self._outcomes

    def _find_outcomes(self) -> list[tuple[int, float]]:
        chance, table = self.chance, self.table
        assert chance is not None
        if chance.stage == _DEALER:
            return [(0, 0.5), (1, 0.5)]
        if chance.stage != _CARDS:
            return [(number, 1 / len(table.cut)) for number in table.cut]
        left = table.counts.copy()
        if chance.dealt:
            assert chance.base is not None
            deck = table.deck(chance.base[0])
            for place in chance.dealt:
                left[deck[place]] -= 1
        for card in chance.drawn:
            left[card] -= 1
        counts = {card: int(left[card]) for card in range(NUM_CARDS) if left[card]}
        if table.by_hand:
            return _ascending(counts, self._hand_under_way(chance))
        total = sum(counts.values())
        return [(card, count / total) for card, count in counts.items()]

    @staticmethod
    def _hand_under_way(chance: Chance) -> tuple[int, int, int]:
        """Return (lowest card possible, copies of it drawn for this hand, cards to be drawn) of the hand dealt now."""
        owner = chance.order[len(chance.drawn)][1]
        own = [k for k, (_, whose) in enumerate(chance.order) if whose == owner]
        drawn = [chance.drawn[k] for k in own if k < len(chance.drawn)]
        if owner == PUBLIC or not drawn:
            return 0, 0, 1 if owner == PUBLIC else len(own)
        return drawn[-1], drawn.count(drawn[-1]), len(own) - len(drawn)

    def running(self) -> tuple[float, float]:
        """Return the points of each seat ahead of the other so far."""
        record = self.record
        if record is None:
            return 0.0, 0.0
        first, second = record[0]["scores"].tolist()
        return float(first - second), float(second - first)

    def result(self) -> tuple[float, float]:
        """Return the result of each seat; zeros while the game goes on."""
        if not self.is_over:
            return 0.0, 0.0
        assert self.games is not None
        first = float(play.return_row(self.games, 0, self.table.vector, self.table.mode))
        return first, -first

    # ------------------------------------------------------------------------------------- what is known

    def lines(self, seat: int) -> list[Line]:
        """Return the story of a seat up to the last decision, without its first line and the present."""
        found = self._lines[seat]
        if found is not None:
            return found
        path: list[Node] = []
        node: Node | None = self if self.games is not None else self.origin
        while node is not None and node._lines[seat] is None:
            path.append(node)
            node = node.origin
        while path:
            path.pop()._extend(seat)
        found = self._lines[seat]
        if found is None:
            found = self.origin.lines(seat) if self.origin is not None else []
        return found

    def _extend(self, seat: int) -> None:
        """Write the lines of a decision node whose origin has its own."""
        table, origin = self.table, self.origin
        assert self.games is not None
        if origin is None or len(origin.deals) != len(self.deals):
            lines = self._annulled(seat)
            view = table.face.view(copy_records(table.project(self.games, seat))[0])
            self._lines[seat] = [*lines, table.face.opening(view, self.games[0])]
            return
        assert origin.games is not None
        new, self.choosing[seat] = table.face.told(
            origin.games[0], self.games[0], seat, self.actor, self.last_action, origin.choosing[seat]
        )
        earlier = origin._lines[seat]
        assert earlier is not None
        self._lines[seat] = earlier + new

    def _annulled(self, seat: int) -> list[Line]:
        """Return the story of the hands that were annulled and dealt again, as `Game` tells it."""
        if not self.deals:
            return []
        assert self.origin is not None
        texts = self.game().information_text(seat).split("\n")[1:]
        ends = [k for k, text in enumerate(texts) if text.startswith("deal ends ")]
        # Marks are those that the lines had while the hand was played; its last action and end are told anew.
        marks: dict[int, tuple[Mark, ...]] = {}
        lines = self.origin._lines[seat]
        assert lines is not None
        for k, line in enumerate(lines):
            marks[k] = line.marks
        told = [Line(text, marks.get(k, ())) for k, text in enumerate(texts[: ends[-1] + 1])]
        told[-2] = Line(told[-2].text, (Mark(self.actor, self.last_action),))
        told[-1] = Line(told[-1].text, ())
        return told

    def information_text(self, seat: int) -> str:
        """Return the information set of a seat as text: that of :meth:`bezique_env.game.Game.information_text`.

        At a chance node it is that of the decision before, with the action just taken where it is the seat's own.
        """
        found = self._texts[seat]
        if found is None:
            table = self.table
            parts = [f"{table.header.replace(' seat 0 ', f' seat {seat} ')}"]
            parts += [line.text for line in self.lines(seat)]
            if self.games is not None:
                record = table.project(self.games, seat)[0]
                phase, to_act = int(record["phase"]), int(record["to_act"])
                parts.append(f"now {table.engine.phases[phase]} {-1 if to_act > 1 else to_act}")
            else:
                if self.actor == seat:
                    parts.append(f"{seat} {table.engine.actions.text(self.last_action)}")
                parts.append("now chance")
            found = self._texts[seat] = "\n".join(parts)
        return found

    def marks(self, seat: int) -> list[Mark]:
        """Return the marks of the story of a seat, in order."""
        found = [mark for line in self.lines(seat) for mark in line.marks]
        if self.games is None and self.actor == seat:
            found.append(Mark(seat, self.last_action))
        return found

    def observation(self, seat: int, row: NDArray[np.float32]) -> None:
        """Write the observation of a seat at the last decision; zeros before the first."""
        record = self.record
        if record is None:
            row.fill(0)
        else:
            encode_row(self.table.project(record, seat), 0, row)

    def observation_text(self, seat: int) -> str:
        """Return what a seat sees at the last decision as JSON."""
        record = self.record
        if record is None:
            return f"seat {seat}: nothing is dealt"
        view = self.table.face.view(copy_records(self.table.project(record, seat))[0])
        return json.dumps(view.to_dict(), separators=(",", ":"))

    # ----------------------------------------------------------------------------------------- as a Game

    def decks(self) -> list[bytes]:
        """Return the decks of all deals so far, with placeholders where cards have not come into play."""
        assert self.record is not None
        return [*self.deals, self.table.deck(self.record[0])]

    def actions(self) -> list[tuple[int, int]]:
        """Return (seat, action) of every decision."""
        found = []
        node: Node | None = self
        while node is not None and node.origin is not None:
            found.append((node.actor, node.last_action))
            node = node.origin
        return list(reversed(found))

    def game(self) -> Game:
        """Return the game of the last decision as a :class:`bezique_env.game.Game` with its history.

        Raises:
            ValueError: nothing is dealt yet.
        """
        node = self if self.games is not None else self.origin
        if node is None:
            raise ValueError("no card is dealt yet")
        table, games = node.table, node.games
        assert games is not None
        first: Node = node
        while first.origin is not None:
            first = first.origin
        assert first.games is not None
        game = Game.__new__(Game)
        game._setup(table.rules, 0, EPISODE_DEAL, table.draws)
        cut = table.face.cut(games[0])
        game._start(tuple(node.decks()), int(first.games[0]["dealer"]), manual=True, cut=cut)
        if table.engine.redeals:
            game._games[0]["given"] = int(table.most_redeals == 0)
        for _, action in node.actions():
            game.play_on(action)
        return game

    def twin(self, seat: int, seed: int) -> list[int]:
        """Return the moves of a history drawn uniformly from those that look the same to a seat.

        Raises:
            ValueError: at a chance node; nothing is asked of anyone there.
        """
        if self.games is None:
            raise ValueError(
                "a history can be drawn for the information set of a seat at decisions and at the end only"
            )
        game = self.game()
        twin = game.resample(seat, key_of(np.uint64(seed), STREAM_RESAMPLE, 1))
        twin._rebuild()
        assert twin._actions is not None
        size = self.table.num_actions
        new = [action % size for _, action in twin._actions]
        actions = [action for _, action in self.actions()]
        kept = len(actions) - sum(1 for _ in game._actions or ())
        decks = [*self.deals, self.table.deck(twin.state)]
        node, first = self.table.root, self._chosen_dealer()
        coming = iter([*actions[:kept], *new])
        while True:
            if node.chance is not None:
                node = node.child(node.next_outcome(decks, first, self.table.face.cut(twin.state)))
                continue
            action = next(coming, None)
            if action is None:
                return list(node.path())
            node = node.child(action)

    def _chosen_dealer(self) -> int:
        node: Node = self
        while node.previous is not None and node.previous.previous is not None:
            node = node.previous
        return node.move if self.table.dealer == RANDOM_DEALER else self.table.dealer

    def next_outcome(self, decks: list[bytes], dealer: int, cut: tuple[int, int] | None) -> int:
        """Return what chance decides here so that the given decks are dealt."""
        chance = self.chance
        assert chance is not None
        if chance.stage == _DEALER:
            return dealer
        if chance.stage != _CARDS:
            assert cut is not None
            return cut[chance.stage - _LIFTED]
        deck = decks[len(self.deals)]
        place, owner = chance.order[len(chance.drawn)]
        if not self.table.by_hand or owner == PUBLIC:
            return deck[place]
        own = [k for k, (_, whose) in enumerate(chance.order) if whose == owner]
        hand = sorted(deck[chance.order[k][0]] for k in own)
        return hand[own.index(len(chance.drawn))]

    def __str__(self) -> str:
        """Return the whole history, hidden cards included, as text."""
        table, words = self.table, []
        node: Node = self
        while node.previous is not None:
            words.append(node.previous.move_text(node.move))
            node = node.previous
        end = f"result {self.result()[0]:g}" if self.is_over else ""
        return f"{table.variant} {table.rules.hash}: " + ", ".join([*reversed(words), *filter(None, [end])])

    def move_text(self, move: int) -> str:
        """Return the text of a move that can be made here."""
        chance, table = self.chance, self.table
        if chance is None:
            assert self.games is not None
            phase = table.engine.phases[int(self.games[0]["phase"])]
            return table.engine.actions.text(move, phase == "select")
        if chance.stage == _CARDS:
            return f"deal {table.rules.family.cards.texts[move]}"
        return f"{('dealer', 'lift', 'guess')[chance.stage]} {move}"


def _ascending(left: Mapping[int, int], hand: tuple[int, int, int]) -> list[tuple[int, float]]:
    """Return how likely each card is the next one of a hand that is dealt at once and told in ascending order.

    Args:
        left: copies left of each card, those drawn for the hand so far not counted.
        hand: the last card drawn for it, how many copies of it, cards still to be drawn.
    """
    last, had, wanted = hand

    def above(card: int) -> int:
        return sum(count for other, count in left.items() if other > card)

    def ways(card: int, copies: int, cards: int) -> int:
        """Count the hands of so many further cards, from ``card`` up, with at least so many copies of it."""
        stock = left.get(card, 0) + (had if card == last else 0)
        rest = above(card)
        return sum(
            math.comb(stock, k) * math.comb(rest, cards - k) for k in range(copies, min(stock, cards) + 1)
        )

    total = ways(last, had, wanted + had) if had else math.comb(sum(left.values()), wanted)
    found = []
    for card in sorted(left):
        if had and card == last:
            found.append((card, ways(card, had + 1, wanted + had) / total))
        elif card > last or not had:
            # The hand has exactly `had` copies of the last card and goes on with this one.
            before = math.comb(left.get(last, 0) + had, had) if had else 1
            found.append((card, before * ways(card, 1, wanted) / total))
    return [(card, chance) for card, chance in found if chance > 0]


def _restore(variant: str, parameters: Mapping[str, Any], path: tuple[int, ...]) -> Node:
    """Return the node that was pickled."""
    node = table_of(variant, parameters).root
    for move in path:
        node = node.child(move)
    return node


class GameState(pyspiel.State):  # type: ignore[misc]
    """A state of OpenSpiel: one history of a game.

    Attributes:
        node: the history. States are made by :meth:`SpielGame.new_initial_state` only.
    """

    def __init__(self, game: SpielGame) -> None:
        """Begin at the empty history."""
        super().__init__(game)
        self.node = game.table.root

    def current_player(self) -> int:
        """Return the seat to act, or OpenSpiel's number for chance or the end."""
        if self.node.chance is not None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.node.is_over else self.node.to_act

    def _legal_actions(self, player: int) -> list[int]:
        """Return the legal actions of the seat to act, ascending."""
        return self.node.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return (outcome, probability), ascending: card ids, a seat as dealer, numbers of a cut."""
        return self.node.outcomes()

    def _apply_action(self, action: int) -> None:
        """Go on to the next history."""
        self.node = self.node.child(int(action))

    def _action_to_string(self, player: int, action: int) -> str:
        """Return the text of an action; of chance, what is dealt."""
        node = self.node
        if (player == pyspiel.PlayerId.CHANCE) == (node.chance is not None) and not node.is_over:
            return node.move_text(action)
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {node.table.rules.family.cards.texts[action]}"
        return node.table.engine.actions.text(action)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.node.is_over

    def returns(self) -> list[float]:
        """Return the result of each seat (``reward=dense``: points ahead so far); zeros before the end."""
        if REWARDS[self.node.table.mode] == "dense":
            return list(self.node.running())
        return list(self.node.result())

    def rewards(self) -> list[float]:
        """Return what each seat got since the decision before; at chance nodes zeros."""
        node = self.node
        if REWARDS[node.table.mode] != "dense":
            return list(node.result())
        if node.games is None:
            return [0.0, 0.0]
        now, before = node.running()[0], node.origin.running()[0] if node.origin is not None else 0.0
        return [now - before, before - now]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> GameState:
        """Return a state drawn from those that look the same to a seat.

        The deck is drawn uniformly from the decks of distinct physical cards that agree with what the seat has
        seen, as :meth:`bezique_env.game.Game.resample` does; what the other seat did unseen is filled in.

        Args:
            player: the seat.
            sampler: returns a number in [0, 1); all that is random comes from it.
        """
        state = self.get_game().new_initial_state()
        for move in self.node.twin(int(player), int(sampler() * _AHEAD)):
            state.apply_action(move)
        return state  # type: ignore[no-any-return]

    def __str__(self) -> str:
        """Return the history as text, hidden cards included."""
        return str(self.node)


class SpielObserver:
    """What a seat sees, as OpenSpiel's observers tell it.

    Without perfect recall: the named fields of the observation of the library. With it: these, and the history as
    the seat saw it, one row for each action and card in the order of the information text.

    Attributes:
        tensor: all pieces in one flat float32 array.
        dict: the pieces by name.
    """

    def __init__(self, table: Table, observed: Any) -> None:
        """Allocate the pieces of a kind of observation."""
        self._recall = bool(observed.perfect_recall)
        self._public = bool(observed.public_info)
        self._fields = layout(table.variant).fields
        pieces: list[tuple[str, tuple[int, ...]]] = [("player", (2,))]
        if self._public:
            pieces += [(name.name, (name.stop - name.start,)) for name in self._fields]
            if self._recall:
                pieces.append(("history", (table.most_marks, table.mark_size)))
        else:
            pieces.append(("hand", (NUM_CARDS,)))
        self.tensor = np.zeros(sum(math.prod(shape) for _, shape in pieces), np.float32)
        self.dict: dict[str, NDArray[np.float32]] = {}
        start = 0
        for name, shape in pieces:
            stop = start + math.prod(shape)
            self.dict[name] = self.tensor[start:stop].reshape(shape)
            start = stop
        self._row = self.tensor[2 : 2 + table.observation_size]

    def set_from(self, state: GameState, player: int) -> None:
        """Write what a seat sees of a state."""
        node = state.node
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        if not self._public:
            for card in self._hand(node, player):
                self.dict["hand"][card] += 1 / node.table.rules.shape.packs
            return
        node.observation(player, self._row)
        if self._recall:
            rows, actions = self.dict["history"], node.table.num_actions
            numbers = 2 + actions + NUM_CARDS
            marks = node.marks(player)
            assert len(marks) <= len(rows), "a longer story than the limits of the rules allow"
            for row, mark in zip(rows, marks, strict=False):
                if mark.seat >= 0:
                    row[0 if mark.seat == player else 1] = 1
                if mark.action >= 0:
                    row[2 + mark.action] = 1
                if mark.card >= 0:
                    row[2 + actions + mark.card] = 1
                if mark.numbers:
                    row[numbers : numbers + len(mark.numbers)] = mark.numbers

    def string_from(self, state: GameState, player: int) -> str:
        """Return what a seat sees of a state as text."""
        node = state.node
        if not self._public:
            texts = node.table.rules.family.cards.texts
            return " ".join([f"seat {player} hand", *(texts[card] for card in self._hand(node, player))])
        return node.information_text(player) if self._recall else node.observation_text(player)

    @staticmethod
    def _hand(node: Node, player: int) -> list[int]:
        record = node.record
        if record is None:
            return []
        cards = node.table.rules.family.cards
        return [cards.id(text) for text in node.table.face.hand(record[0], player)]


def make_game_type(variant: str, reward: str = "score_difference") -> pyspiel.GameType:
    """Return what OpenSpiel is told of a variant."""
    model = pyspiel.GameType.RewardModel
    return pyspiel.GameType(
        short_name=PREFIX + variant,
        long_name=variants()[variant].title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=model.REWARDS if reward == "dense" else model.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=dict(PARAMETERS),
    )


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A variant under given parameters as a game of OpenSpiel; ``pyspiel.load_game`` makes it.

    Args:
        params: values of :data:`PARAMETERS`.

    Attributes:
        variant: id of the variant; each has a class of its own, made by :func:`register_games`.

    Raises:
        ValueError: a parameter is not allowed.
    """

    variant: str

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        """Resolve the parameters and find the bounds of the game."""
        self.table = table = table_of(self.variant, dict(params or {}))
        limits, cards = table.limits, len(table.pack)
        most = {"settlement": limits.payment, "win": limits.wins}.get(REWARDS[table.mode], limits.points)
        self._most_chances = cards * (1 + table.most_redeals) + int(table.dealer == RANDOM_DEALER)
        self._most_chances += 2 if table.cut else 0
        info = pyspiel.GameInfo(
            num_distinct_actions=table.num_actions,
            max_chance_outcomes=max(NUM_CARDS, table.cut[-1] + 1 if table.cut else 0),
            num_players=2,
            min_utility=-float(most),
            max_utility=float(most),
            utility_sum=0.0,
            max_game_length=limits.decisions + table.most_redeals * limits.annulled,
        )
        super().__init__(make_game_type(self.variant, REWARDS[table.mode]), info, dict(params or {}))

    def new_initial_state(self, *unsupported: Any) -> GameState:
        """Return the empty history."""
        if unsupported:
            raise ValueError("a state is begun at the empty history only: apply moves to it")
        return GameState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return the most chance nodes of a history: every card, dealer and cut."""
        return self._most_chances

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver | None:
        """Return an observer; None for what nobody sees: a table without the cards of a seat.

        Raises:
            ValueError: observers take no parameters.
        """
        if params:
            raise ValueError(f"observers take no parameters, but {sorted(params)} were given")
        observed = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if observed.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        if not observed.public_info and observed.perfect_recall:
            return None
        return SpielObserver(self.table, observed)


def register_games() -> list[str]:
    """Register every variant that is not registered yet; return the short names of all."""
    known = set(pyspiel.registered_names())
    names = []
    for variant in variants():
        name = PREFIX + variant
        if name not in known:
            # A class, as it outlives the interpreter: OpenSpiel lets go of it when the process has ended.
            made = type(SpielGame.__name__, (SpielGame,), {"variant": variant, "__doc__": SpielGame.__doc__})
            pyspiel.register_game(make_game_type(variant), made)
        names.append(name)
    return names


GAMES = register_games()
"""Short names of the registered games."""
