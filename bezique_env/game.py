"""Game: the readable face of one state.

It adds to the kernels what people need: texts, reasons, records, positions, saved games, and the history
that an information set is made of. It knows no rules of its own.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bezique_env.cards import NO_CARD, NO_SUIT, NUM_CARDS, SUITS, CardSet
from bezique_env.encoding import observation_size
from bezique_env.encoding.rows import encode_row
from bezique_env.engine import play
from bezique_env.engine.cache import announce_compilation
from bezique_env.engine.common import BETWEEN_DEALS, OVER, copy_records
from bezique_env.engine.engines import engine_of
from bezique_env.engine.rng import STREAM_AGENT, STREAM_RESAMPLE, key_of
from bezique_env.engine.version import ENGINE_VERSION
from bezique_env.faces.face import View
from bezique_env.faces.faces import face_of
from bezique_env.position import load_position, position_rules
from bezique_env.record import RECORD_FORMAT, RecordError, check_record
from bezique_env.rules import Rules, RulesError, get_rules
from bezique_env.rules.registry import nearest

SAVE_FORMAT = "bezique-save/1"
EPISODES = ("deal", "match")
DRAWS = ("shared", "queues")
REWARDS = ("score_difference", "dense", "settlement", "win")


class Event(NamedTuple):
    """A change of a score: index of the action in the deal (-1 the deal itself), seat, what for, points."""

    action_index: int
    seat: int
    what: str
    points: int


class IllegalAction(ValueError):
    """An action that is not legal; the state is unchanged.

    Attributes:
        seat: seat to act (-1 when the game is over).
        phase: name of the phase.
        action: text of the refused action.
        reason: one sentence with the rule.
        legal: texts of the legal actions.
    """

    def __init__(self, seat: int, phase: str, action: str, reason: str, legal: list[str]) -> None:
        """Keep the parts and make the message from them."""
        self.seat, self.phase, self.action, self.reason, self.legal = seat, phase, action, reason, legal
        super().__init__(
            f"seat {seat}, phase {phase}: {action!r} is illegal: {reason} Legal: {', '.join(legal) or 'nothing'}."
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by parts."""
        return type(self), (self.seat, self.phase, self.action, self.reason, self.legal)


def choice(name: str, value: Any, allowed: Sequence[str]) -> int:
    """Return the place of a value among the allowed ones.

    Raises:
        ValueError: it is none of them; the message names them and the nearest.
    """
    if value not in allowed:
        raise ValueError(
            f"{name}: {value!r} is not allowed: one of {', '.join(allowed)}{nearest(value, allowed)}"
        )
    return list(allowed).index(value)


def check_seed(seed: Any) -> int:
    """Return a seed as an int in 0..2**64-1.

    Raises:
        ValueError: it is no integer or out of range.
    """
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= int(seed) < 2**64:
        raise ValueError(f"seed {seed!r} must be an integer in 0..2**64-1")
    return int(seed)


def check_deck(deck: Sequence[str], rules: Rules) -> NDArray[np.uint8]:
    """Return a deck of card texts as ids.

    Raises:
        ValueError: a text is no card, or the cards are not the whole packs of the rules; the message names them.
    """
    cards, packs = rules.family.cards, rules.shape.packs
    ids = np.array([cards.id(text) for text in deck], np.uint8)
    whole = np.bincount(rules.pack, minlength=NUM_CARDS)
    counts = np.bincount(ids, minlength=NUM_CARDS)
    wrong = [f"{cards.texts[c]} {counts[c]} times" for c in range(NUM_CARDS) if counts[c] != whole[c]]
    if wrong:
        often = "once" if packs == 1 else f"{packs} times"
        every = (
            "every card"
            if whole.all()
            else f"each of {' '.join(cards.texts[c] for c in np.flatnonzero(whole))}"
        )
        raise ValueError(f"deck of {len(deck)} cards must hold {every} {often}, but has {', '.join(wrong)}")
    return ids


class Game:
    """One game of a variant, from the deal (or a set-up position) to its end.

    Args:
        variant: id of the variant.
        rules: name of a preset, or resolved rules.
        overrides: option values that replace the preset's.
        seed: everything random comes from it, 0..2**64-1.
        episode: ``deal`` or ``match`` (to the target, the dealer alternating).
        deck: all cards in dealing order as texts (of the first deal); None shuffles by the seed.
        dealer: ``random`` (by the seed) or a seat.
        draws: ``shared`` or ``queues`` (each seat draws from its own part of the stock).
        cut: cards lifted by the dealer and the number guessed, for rules with a cut bonus; None: by the seed.

    Raises:
        ValueError: an argument is not allowed; the message names it, the allowed values and the nearest.
    """

    def __init__(
        self,
        variant: str = "two_pack",
        *,
        rules: str | Rules | None = None,
        overrides: Mapping[str, Any] | None = None,
        seed: int = 0,
        episode: str = "deal",
        deck: Sequence[str] | None = None,
        dealer: str | int = "random",
        draws: str = "shared",
        cut: Sequence[int] | None = None,
    ) -> None:
        """Deal the first hand; see the class."""
        resolved = resolve_rules(variant, rules, overrides)
        decks = () if deck is None else (check_deck(deck, resolved).tobytes(),)
        numbers = face_of(variant).check_cut(cut, resolved)
        if dealer != "random" and dealer not in (0, 1):
            raise ValueError(f"dealer: {dealer!r} is not allowed: 'random', 0 or 1")
        self._setup(
            resolved, check_seed(seed), choice("episode", episode, EPISODES), choice("draws", draws, DRAWS)
        )
        self._start(decks, NO_CARD if dealer == "random" else int(dealer), manual=False, cut=numbers)

    # ------------------------------------------------------------------------------------ construction

    def _setup(self, rules: Rules, seed: int, episode: int, draws: int) -> None:
        announce_compilation()
        self._rules = rules
        self._engine = engine_of(rules.variant)
        self._face = face_of(rules.variant)
        self._vector = rules.vector.copy()
        self._cards = len(rules.pack)
        self._seed = seed
        self._episode = episode
        self._draws = draws
        self._games = np.zeros(1, self._engine.state_dtype(rules.shape))
        self._tmp = np.zeros(self._engine.scratch, np.uint8)
        self._mask = np.zeros(self.num_actions, np.int8)
        self._views = np.zeros(1, self._engine.view_dtype(rules.shape))
        self._actions: list[tuple[int, int]] | None = []
        self._events: list[Event] = []
        self._deals: list[dict[str, Any]] = []
        self._pending: tuple[int, list[tuple[int, int]]] | None = None
        self._position: dict[str, Any] | None = None  # where a game that was set up began
        self._complete = True  # whether the history since the deal is here

    def _start(
        self, decks: tuple[bytes, ...], dealer: int, manual: bool, cut: tuple[int, int] | None = None
    ) -> None:
        state = self._games[0]
        given = bool(decks)
        if given:
            self._lay(decks[0])
        if cut is not None:
            if not given:
                self._start(decks, dealer, manual)
                given = True
            state["cut"] = cut
        play.start_row(
            self._games,
            0,
            self._vector,
            np.uint64(self._seed),
            dealer,
            self._episode,
            self._draws,
            int(given),
        )
        state["manual"] = int(manual)
        self._decks = list(decks[1:])
        self._events = self._new_events(-1)

    def _lay(self, deck: bytes) -> None:
        """Set the cards of the next deal; places behind the pack are not used."""
        self._games[0]["deck"] = 0
        self._games[0]["deck"][: len(deck)] = np.frombuffer(deck, np.uint8)

    def _deck(self, state: Any = None) -> bytes:
        """Return the cards of this deal, or of one that is kept, in dealing order, as ids."""
        return self._face.deck(self._games[0] if state is None else state)[: self._cards]

    @classmethod
    def from_position(cls, position: str | os.PathLike[str] | Mapping[str, Any]) -> Game:
        """Set up a position (DESIGN section 6), from a YAML or JSON file or a mapping.

        Raises:
            PositionError: the position is impossible; the message names the reason.
        """
        data = load_position(position)
        rules = position_rules(data)
        spec = face_of(rules.variant).read_position(data, rules)
        game = cls.__new__(cls)
        game._setup(
            spec.rules,
            spec.seed,
            choice("episode", spec.episode, EPISODES),
            choice("draws", spec.draws, DRAWS),
        )
        game._face.position_state(spec, game._games, game._vector, game._tmp)
        game._decks = []
        game._position = spec.source
        return game

    @classmethod
    def from_state(cls, rules: Rules, state: NDArray[Any], episode: int, draws: int) -> Game:
        """Return a game that goes on from one STATE record (a copy of it), without a history of actions."""
        game = cls.__new__(cls)
        game._setup(rules, int(state[0]["seed"]), episode, draws)
        game._games = copy_records(state)
        game._decks = []
        game._complete = False
        return game

    def clone(self) -> Game:
        """Return an independent copy."""
        twin = Game.__new__(Game)
        twin.__dict__.update(self.__dict__)
        twin._games = copy_records(self._games)
        twin._tmp = np.zeros(self._tmp.shape, np.uint8)
        twin._mask = np.zeros(self.num_actions, np.int8)
        twin._views = np.zeros(1, self._views.dtype)
        twin._actions = None if self._actions is None else list(self._actions)
        twin._events = list(self._events)
        twin._deals = list(self._deals)
        twin._decks = list(self._decks)
        return twin

    def __deepcopy__(self, memo: Any) -> Game:
        """Return a clone."""
        return self.clone()

    # ---------------------------------------------------------------------------------------- reading

    @property
    def variant(self) -> str:
        """Id of the variant."""
        return self._rules.variant

    @property
    def rules(self) -> Rules:
        """The rules of this game."""
        return self._rules

    @property
    def seed(self) -> int:
        """The seed."""
        return self._seed

    @property
    def episode(self) -> str:
        """``deal`` or ``match``."""
        return EPISODES[self._episode]

    @property
    def draws(self) -> str:
        """``shared`` or ``queues``."""
        return DRAWS[self._draws]

    @property
    def num_seats(self) -> int:
        """Number of seats."""
        return len(self._games[0]["scores"])

    @property
    def num_actions(self) -> int:
        """Number of action ids of the family."""
        return self._engine.actions.size

    @property
    def cards(self) -> CardSet:
        """The cards of the family: texts and ids."""
        return self._rules.family.cards

    @property
    def state(self) -> Any:
        """The state record itself, hidden cards included: not to be written to."""
        return self._games[0]

    @property
    def seat_to_act(self) -> int:
        """Seat that decides next, -1 when the game is over."""
        seat = int(self._games[0]["to_act"])
        return -1 if seat == NO_CARD else seat

    @property
    def phase(self) -> str:
        """Name of the phase, one of the family's: ``lead``, ``follow``, ``over``, ..."""
        return self._engine.phases[int(self._games[0]["phase"])]

    @property
    def dealer(self) -> int:
        """Seat that dealt."""
        return int(self._games[0]["dealer"])

    @property
    def trump(self) -> str | None:
        """Trump suit letter, None while none is fixed."""
        suit = int(self._games[0]["trump"])
        return None if suit == NO_SUIT else SUITS[suit]

    @property
    def turn_up(self) -> str | None:
        """Card text of the turn-up, None when there is none."""
        card = int(self._games[0]["turn_up"])
        return None if card == NO_CARD else self.cards.texts[card]

    @property
    def scores(self) -> tuple[int, int]:
        """Points of this deal, by seat."""
        first, second = self._games[0]["scores"].tolist()
        return first, second

    @property
    def match_scores(self) -> tuple[int, int]:
        """Points of the match, this deal included."""
        state = self._games[0]
        first, second = (state["scores"] + state["match_scores"]).tolist()
        return first, second

    @property
    def is_over(self) -> bool:
        """Whether the episode has ended."""
        return int(self._games[0]["phase"]) == OVER

    @property
    def events(self) -> list[Event]:
        """Changes of scores in this deal so far."""
        self._rebuild()
        return list(self._events)

    @property
    def deals(self) -> list[dict[str, Any]]:
        """Finished deals of the match, in the form of records."""
        return list(self._deals)

    @property
    def actions(self) -> list[tuple[int, str]]:
        """(seat, action text) of this deal so far, passes included."""
        self._rebuild()
        return self._action_texts()

    def hand(self, seat: int) -> list[str]:
        """Return the concealed cards of a seat."""
        return self._face.hand(self._games[0], self._seat(seat))

    def table(self, seat: int) -> list[str]:
        """Return the cards on the table of a seat, in the order laid."""
        return self._face.table(self._games[0], self._seat(seat))

    def returns(self, reward: str = "score_difference") -> tuple[int, int]:
        """Return the result of both seats (zero-sum); (0, 0) while the game goes on.

        Args:
            reward: ``score_difference`` or ``dense`` (points), ``settlement`` (what the game pays: games, doubled by
                rule, or points) or ``win`` (+1, 0, -1; doubled by rule).
        """
        mode = choice("reward", reward, REWARDS)
        if not self.is_over:
            return 0, 0
        first = int(play.return_row(self._games, 0, self._vector, mode))
        return first, -first

    def _seat(self, seat: int) -> int:
        if seat not in (0, 1):
            raise ValueError(f"seat {seat!r} must be 0 or 1")
        return int(seat)

    # ---------------------------------------------------------------------------------------- actions

    def _legal(self) -> NDArray[np.int8]:
        play.mask_row(self._games, 0, self._vector, self._mask, self._tmp)
        return self._mask

    def legal_mask(self, seat: int) -> NDArray[np.int8]:
        """Return the legal actions of a seat, int8 [num_actions]; all zero unless it is to act."""
        if self._seat(seat) != self.seat_to_act:
            return np.zeros(self.num_actions, np.int8)
        return self._legal().copy()

    def legal_actions(self) -> list[int]:
        """Return the ids of the legal actions of the seat to act, ascending."""
        return [int(a) for a in np.flatnonzero(self._legal())]

    def action_text(self, action: int) -> str:
        """Return the text of an action id (``use ...`` while cards of a declaration are chosen)."""
        return self._engine.actions.text(int(action), self.phase == "select")

    def action_id(self, text: str) -> int:
        """Return the id of an action text.

        Raises:
            ValueError: no action has this text; the nearest spelling is named.
        """
        return self._engine.actions.id(text)

    def _id(self, action: int | str) -> int:
        if isinstance(action, str):
            return self._engine.actions.id(action)
        if isinstance(action, bool) or not isinstance(action, (int, np.integer)):
            raise ValueError(f"action {action!r} must be an id (0..{self.num_actions - 1}) or a text")
        if not 0 <= int(action) < self.num_actions:
            raise ValueError(f"action id {action} is outside 0..{self.num_actions - 1}")
        return int(action)

    def why_illegal(self, action: int | str) -> str | None:
        """Return None for a legal action, else one sentence with the rule that forbids it.

        Raises:
            ValueError: the action is no id or text of the table.
        """
        found = self._id(action)
        if self._legal()[found]:
            return None
        code = int(play.reason_row(self._games, 0, self._vector, found, self._mask))
        return self._face.sentence(self, code, found)

    def apply(self, action: int | str) -> list[Event]:
        """Apply an action of the seat to act and move on to the next decision that is asked.

        Returns:
            The score changes it caused.

        Raises:
            IllegalAction: it is not legal; the state is unchanged.
            ValueError: it is no id or text of the table.
        """
        found = self._id(action)
        reason = self.why_illegal(found)
        if reason is not None:
            legal = [self.action_text(a) for a in self.legal_actions()] if not self.is_over else []
            raise IllegalAction(self.seat_to_act, self.phase, self.action_text(found), reason, legal)
        return self.play_on(found)

    def play_on(self, action: int) -> list[Event]:
        """Apply an action that is known to be legal; see :meth:`apply`, which checks."""
        if self._pending is not None:
            self._rebuild()
        assert self._actions is not None
        state = self._games[0]
        seat, deal, dealer = int(state["to_act"]), int(state["deal_no"]), int(state["dealer"])
        deck, given = state["deck"].copy(), self._given()  # the last action of a deal deals the next
        before = state["match_scores"].tolist()
        index = len(self._actions)
        selecting = self.phase == "select"
        play.apply_row(self._games, 0, self._vector, action, self._tmp)
        self._actions.append((seat, action + self.num_actions if selecting else action))
        new = self._new_events(index)
        if int(state["deal_no"]) == deal:
            self._events += new
            return new
        dealt = [event._replace(action_index=-1) for event in new if event.what in self._face.deal_events]
        new = [event for event in new if event.what not in self._face.deal_events]
        scores = [
            after - earlier for after, earlier in zip(state["match_scores"].tolist(), before, strict=True)
        ]
        played = self._deck({"deck": deck})
        self._deals.append(self._deal_record(dealer, played, given, self._events + new, scores))
        self._actions = []
        self._events = dealt
        if int(state["phase"]) == BETWEEN_DEALS:
            if not self._decks:
                state["manual"] = 0
                raise RecordError("the match goes on, but the record has no further deal")
            self._lay(self._decks.pop(0))
            play.next_deal_row(self._games, 0, self._vector)
            self._events = self._new_events(-1)
        return new

    def _new_events(self, index: int) -> list[Event]:
        state = self._games[0]
        return [
            Event(
                index,
                int(state["ev_seat"][k]),
                self._engine.events[int(state["ev_what"][k])],
                int(state["ev_points"][k]),
            )
            for k in range(int(state["ev_n"]))
        ]

    def _action_texts(self) -> list[tuple[int, str]]:
        assert self._actions is not None
        size, text = self.num_actions, self._engine.actions.text
        return [(seat, text(a % size, a >= size)) for seat, a in self._actions]

    # ------------------------------------------------------------------------- what a seat may know

    def _project(self, seat: int) -> NDArray[Any]:
        play.project_row(self._games, 0, self._vector, self._seat(seat), self._views, 0)
        return self._views

    def view(self, seat: int) -> View:
        """Return what a seat may know, as readable values."""
        return self._face.view(self.view_record(seat)[0])

    def view_record(self, seat: int) -> NDArray[Any]:
        """Return what a seat may know as an array of one VIEW record (a copy)."""
        return copy_records(self._project(seat))

    def decision_key(self, stream: int) -> NDArray[np.uint64]:
        """Return the random key of this decision, uint64 [1]: the same as ``Batch.keys`` gives for the game.

        Args:
            stream: separates consumers (the seat of an agent, a search).
        """
        state = self._games[0]
        return np.array(
            [key_of(np.uint64(state["seed"]), STREAM_AGENT + stream, int(state["steps"]))], np.uint64
        )

    def observation(self, seat: int) -> NDArray[np.float32]:
        """Return the observation of a seat, float32 [observation_size(variant)]."""
        row = np.zeros(observation_size(self.variant), np.float32)
        encode_row(self._project(seat), 0, row)
        return row

    def information_text(self, seat: int) -> str:
        """Return the information set of a seat as text: everything it has seen, in order.

        Two games have the same text for a seat exactly when the seat cannot tell them apart. Passes of the
        other seat, and the cards it has chosen in a selection under way, are not seen.
        """
        seat = self._seat(seat)
        self._rebuild()
        assert self._actions is not None
        lines = [
            f"{self.variant} {self._rules.hash} seat {seat} {self.episode} {self.draws}",
            *(line for deal in self._deals for line in self._told(seat, deal)),
        ]
        position = self._position if not self._deals else None
        if position is not None:
            game = Game.from_position(position)
        else:
            game = self._deal_again()
        lines += self._face.narrate(game, seat, [(s, a % self.num_actions) for s, a in self._actions])
        view = self.view(seat)
        lines.append(f"now {view.phase} {view.to_act}")
        return "\n".join(lines)

    def _fresh(self, deck: bytes, dealer: int) -> Game:
        """Return a deal of these rules on a deck, before its first action, that never ends a match early."""
        game = Game.__new__(Game)
        game._setup(self._rules, self._seed, self._episode, self._draws)
        game._start((deck,), dealer, manual=True, cut=self._face.cut(self._games[0]))
        return game

    def _deal_again(self) -> Game:
        """Return the current deal before its first action, with what the match brought into it."""
        state = self._games[0]
        game = self._fresh(self._deck(), int(state["dealer"]))
        for name in self._face.carried:
            game._games[0][name] = state[name]
        return game

    def _told(self, seat: int, deal: Mapping[str, Any]) -> list[str]:
        """Return what a seat saw of a finished deal of the match (the last action ends it)."""
        game = self._fresh(check_deck(deal["deck"], self._rules).tobytes(), int(deal["dealer"]))
        acts = [(int(s), self._engine.actions.id(text)) for s, text in deal["actions"]]
        lines = self._face.narrate(game, seat, acts[:-1])
        last_seat, last = deal["actions"][-1]
        return [*lines, f"{last_seat} {last}", f"deal ends {deal['scores']}"]

    def resample(self, seat: int, seed: int) -> Game:
        """Return a game drawn uniformly from those that look the same to a seat.

        It is made from the seat's view alone, so it never depends on the truth. Each deck of distinct
        physical cards under which the seat would have seen the same is equally likely (with more than two
        packs: in the limit of a random walk, see :func:`bezique_env.engine.bezique.views.resample_state`); how the
        other seat chooses its actions is not modelled. Earlier deals of a match stand in it as they were played.
        """
        views = self.view_record(seat)
        twin = self.clone()
        twin._games = np.zeros(1, self._games.dtype)
        key = np.uint64(key_of(np.uint64(check_seed(seed)), STREAM_RESAMPLE, 0))
        work = np.zeros(self._engine.work, np.uint8)
        play.resample_row(views, 0, twin._games, 0, self._vector, key, work, twin._tmp)
        twin._seed = int(twin._games[0]["seed"])
        if not self._complete:
            return twin
        self._rebuild()
        assert self._actions is not None
        size, state = self.num_actions, self._games[0]
        seen = self._face.seen(state, seat, [(s, a % size) for s, a in self._actions])
        public = [item for item, known in zip(self._actions, seen, strict=True) if known]
        if self.phase == "select" and self.seat_to_act != seat:
            while public and public[-1][1] >= size:
                public.pop()
            public.pop()
        twin._pending = (seat, public)
        twin._actions = None
        return twin

    def _rebuild(self) -> None:
        """Give a resampled game its own list of actions, by playing what was seen on its own deck."""
        if not self._complete:
            raise ValueError(
                "this game was taken from a batch: it has no history for a record or an information text"
            )
        if self._pending is None:
            return
        seat, public = self._pending
        self._pending = None
        if self._position is not None and not self._deals:
            # The history of a position begins there; hidden passes of the other seat are not part of it.
            self._actions = list(public)
            return
        game = self._deal_again()
        size = self.num_actions

        def pass_hidden(following: int | None) -> None:
            """Pass for the other seat until it does what was seen of it next, or the present is reached."""
            while self._face.waits_unseen(game.state) and game.seat_to_act != seat:
                if following is None:
                    if self._face.same_spot(game.state, self.state):
                        return
                elif self._face.answers(game.state, self.state, following):
                    return
                game.play_on(self._engine.actions.id("pass"))

        for item in public:
            actor, action = item
            pass_hidden(action % size if actor != seat else -1)
            game.play_on(action % size)
        pass_hidden(None)
        self._actions = game._actions
        self._events = game._events

    # -------------------------------------------------------------------------- records, saved games

    def _given(self) -> bool:
        """Return whether the deck of this deal was set from outside and so is not dealt again when annulled."""
        return self._engine.redeals and bool(self._games[0]["given"])

    def _deal_record(
        self, dealer: int, deck: bytes, given: bool, events: list[Event], scores: list[int]
    ) -> dict[str, Any]:
        record: dict[str, Any] = {"dealer": dealer}
        if self._position is not None and not self._deals:
            record["position"] = self._position
        else:
            record["deck"] = [self.cards.texts[c] for c in deck]
            cut = self._face.cut(self._games[0])
            if cut is not None:
                record["cut"] = list(cut)
        if given:
            record["given"] = True
        record["draws"] = self.draws
        record["actions"] = [[s, text] for s, text in self._action_texts()]
        record["events"] = [list(event) for event in events]
        record["scores"] = scores
        return record

    def to_record(self) -> dict[str, Any]:
        """Return the record of the game so far (DESIGN section 6); a game under way has ``returns`` null."""
        self._rebuild()
        state = self._games[0]
        current = self._deal_record(
            int(state["dealer"]),
            self._deck(),
            self._given(),
            self._events,
            state["scores"].tolist(),
        )
        over = self.is_over
        return {
            "format": RECORD_FORMAT,
            "engine_version": ENGINE_VERSION,
            "variant": self.variant,
            "rules": self._rules.to_dict(),
            "rules_hash": self._rules.hash,
            "seed": self._seed,
            "episode": self.episode,
            "deals": [*self._deals, current],
            "returns": list(self.returns()) if over else None,
            "settlement": {"pays": list(self.returns("settlement"))} if over else None,
        }

    @classmethod
    def replay(cls, record: Mapping[str, Any] | str) -> Game:
        """Play a record again and return the game at its end.

        Raises:
            RecordError: the record is damaged, of another engine version or other rules, or what it says
                differs from what happens; the message names the first action that differs.
        """
        data = check_record(record)
        rules = get_rules(data["variant"], data["rules"]["preset"], data["rules"]["overrides"])
        if rules.hash != data["rules_hash"]:
            raise RecordError(
                f"rules hash {data['rules_hash']!r} of the record is not {rules.hash!r} of these rules"
            )
        deals = data["deals"]
        if "position" in deals[0]:
            game = cls.from_position(deals[0]["position"])
        else:
            game = cls.__new__(cls)
            game._setup(
                rules,
                check_seed(data["seed"]),
                choice("episode", data["episode"], EPISODES),
                choice("draws", deals[0]["draws"], DRAWS),
            )
            try:
                decks = tuple(check_deck(deal["deck"], rules).tobytes() for deal in deals)
                cut = game._face.check_cut(deals[0].get("cut"), rules)
            except ValueError as error:
                raise RecordError(str(error)) from None
            game._start(decks, int(deals[0]["dealer"]), manual=True, cut=cut)
        for number, deal in enumerate(deals):
            game._check_deal(number, deal, last=number == len(deals) - 1)
        game._games[0]["manual"] = 0
        if game.is_over:
            expected = list(game.returns())
            pays = {"pays": list(game.returns("settlement"))}
            if data["settlement"] != pays:
                raise RecordError(f"settlement {data['settlement']} of the record is not {pays}")
            if data["returns"] != expected:
                raise RecordError(f"returns {data['returns']} of the record are not {expected}")
        elif data["returns"] is not None:
            raise RecordError(
                "the record gives returns, but its actions do not end the game: it is truncated"
            )
        return game

    def _check_deal(self, number: int, deal: Mapping[str, Any], last: bool) -> None:
        where = f"deal {number}"
        if self._engine.redeals:
            self._games[0]["given"] = int(bool(deal.get("given")))
        if int(deal["dealer"]) != self.dealer:
            raise RecordError(f"{where}: dealer {deal['dealer']} of the record is not {self.dealer}")
        told = [tuple(event) for event in deal["events"]]
        got: list[tuple[Any, ...]] = [tuple(event) for event in self._events]
        before = [event for event in told if event[:1] == (-1,)]
        if before != got:
            raise RecordError(f"{where}: the events of the deal itself are {got}, the record says {before}")
        stray = [event for event in told if event[:1] not in {(k,) for k in range(-1, len(deal["actions"]))}]
        if stray:
            raise RecordError(f"{where}: the event {stray[0]} belongs to no action of the record")
        for index, item in enumerate(deal["actions"]):
            at = f"{where}, action {index} {item!r}"
            if self.is_over or len(self._deals) > number:
                raise RecordError(f"{at}: the deal is over before it")
            seat, text = item
            if seat != self.seat_to_act:
                raise RecordError(f"{at}: seat {self.seat_to_act} is to act")
            try:
                new = self.apply(text)
            except RecordError:
                raise
            except ValueError as error:
                raise RecordError(f"{at}: {error}") from None
            mine = [tuple(event) for event in new]
            theirs = [event for event in told if event[0] == index]
            if mine != theirs:
                raise RecordError(f"{at}: gives the events {mine}, the record says {theirs}")
        finished = len(self._deals) > number
        scores = self._deals[number]["scores"] if finished else list(self.scores)
        if not last and not finished:
            raise RecordError(f"{where}: its actions end after {len(deal['actions'])}, before the deal does")
        if list(deal["scores"]) != list(scores):
            raise RecordError(f"{where}: scores {deal['scores']} of the record are not {list(scores)}")

    def save(self) -> bytes:
        """Return the whole game, hidden cards included, as bytes for :meth:`load`."""
        self._rebuild()
        body = {
            "format": SAVE_FORMAT,
            "engine_version": ENGINE_VERSION,
            "variant": self.variant,
            "rules": self._rules.to_dict(),
            "rules_hash": self._rules.hash,
            "seed": self._seed,
            "episode": self._episode,
            "draws": self._draws,
            "state": base64.b64encode(self._games.tobytes()).decode(),
            "actions": self._actions,
            "events": [list(event) for event in self._events],
            "deals": self._deals,
            "decks": [base64.b64encode(deck).decode() for deck in self._decks],
            "position": self._position,
        }
        return json.dumps(body, separators=(",", ":")).encode()

    @classmethod
    def load(cls, data: bytes) -> Game:
        """Return the game that :meth:`save` wrote.

        Raises:
            RecordError: no saved game, or one of another engine version or other rules.
        """
        try:
            body = json.loads(data)
        except ValueError:
            raise RecordError("these bytes are no saved game") from None
        if not isinstance(body, dict) or body.get("format") != SAVE_FORMAT:
            raise RecordError(f"these bytes are no saved game of the format {SAVE_FORMAT!r}")
        if body.get("engine_version") != ENGINE_VERSION:
            raise RecordError(
                f"saved by engine version {body.get('engine_version')}, this is {ENGINE_VERSION}"
            )
        try:
            rules = get_rules(body["variant"], body["rules"]["preset"], body["rules"]["overrides"])
            if rules.hash != body["rules_hash"]:
                raise RecordError(f"saved under rules {body['rules_hash']!r}, these are {rules.hash!r}")
            raw = base64.b64decode(body["state"])
            dtype = engine_of(rules.variant).state_dtype(rules.shape)
            if len(raw) != dtype.itemsize:
                raise RecordError(f"the saved state has {len(raw)} bytes, not {dtype.itemsize}")
            game = cls.__new__(cls)
            game._setup(rules, check_seed(body["seed"]), int(body["episode"]), int(body["draws"]))
            game._games = np.frombuffer(raw, dtype).copy()
            game._actions = [(int(s), int(a)) for s, a in body["actions"]]
            game._events = [Event(*event) for event in body["events"]]
            game._deals = list(body["deals"])
            game._decks = [base64.b64decode(deck) for deck in body["decks"]]
            game._position = body["position"]
        except (KeyError, TypeError, RulesError) as error:
            raise RecordError(f"the saved game is damaged: {error}") from None
        return game

    def __getstate__(self) -> bytes:
        """Pickle as saved bytes."""
        return self.save()

    def __setstate__(self, data: bytes) -> None:
        """Load pickled bytes."""
        self.__dict__.update(Game.load(data).__dict__)

    def __repr__(self) -> str:
        """Return a short description."""
        return f"<Game {self.variant} {self._rules.preset} {self.phase} scores {self.scores}>"


def resolve_rules(variant: str, rules: str | Rules | None, overrides: Mapping[str, Any] | None) -> Rules:
    """Return rules from a preset name (or resolved rules) and overrides.

    Raises:
        RulesError: see :func:`bezique_env.rules.get_rules`.
    """
    if isinstance(rules, Rules):
        if not overrides and rules.variant == variant:
            return rules
        if rules.variant != variant:
            raise RulesError(f"rules of {rules.variant!r} given for variant {variant!r}")
        return get_rules(variant, rules.preset, {**rules.overrides, **(overrides or {})})
    return get_rules(variant, rules, overrides)
