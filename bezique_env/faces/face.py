"""What :class:`bezique_env.game.Game` asks of a family to make one of its games readable."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from numpy.typing import NDArray

from bezique_env.engine.common import copy_records
from bezique_env.position import PositionSpec
from bezique_env.rules import Rules

if TYPE_CHECKING:
    from bezique_env.game import Game


class View(Protocol):
    """What one seat may know of a game, as readable values; each family has a class of its own."""

    @property
    def seat(self) -> int:
        """Seat that sees this."""

    @property
    def to_act(self) -> int:
        """Seat to act, -1 when none."""

    @property
    def phase(self) -> str:
        """Name of the phase."""

    @property
    def scores(self) -> tuple[int, int]:
        """Points of this deal."""

    @property
    def match_scores(self) -> tuple[int, int]:
        """Points of the match, this deal included."""

    @property
    def hand(self) -> list[str]:
        """Own concealed cards."""

    @property
    def record(self) -> Any:
        """The view record that it was made from."""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as values that JSON can hold."""


class Mark(NamedTuple):
    """A part of what a seat saw, as numbers; a line of its story is told by its marks alone.

    Attributes:
        seat: who did something, -1 for what was dealt or turned up.
        action: id of the action, -1 when the mark is about a card.
        card: id of the card, -1 for none.
        numbers: what else was heard, as many as ``Face.numbers`` says; empty for none.
    """

    seat: int = -1
    action: int = -1
    card: int = -1
    numbers: tuple[float, ...] = ()


class Line(NamedTuple):
    """A line of the story of a seat: its text and its marks. Lines of one text have the same marks."""

    text: str
    marks: tuple[Mark, ...]


class Face(ABC):
    """The readable side of a family: what has no body here, each family says; the rest fits most.

    Attributes:
        family: id of the family.
        deal_events: names of the events that the deal itself causes, before its first action.
        carried: fields of the state that the earlier deals of a match bring into a deal.
        numbers: numbers of a mark (:class:`Mark`) beside action and card.
    """

    family: str
    deal_events: frozenset[str] = frozenset()
    carried: tuple[str, ...] = ("match_scores", "deal_no")
    numbers: int = 0

    @abstractmethod
    def view(self, record: Any) -> View:
        """Return the readable view of a view record."""

    @abstractmethod
    def hand(self, state: Any, seat: int) -> list[str]:
        """Return the concealed cards of a seat."""

    @abstractmethod
    def deck(self, state: Any) -> bytes:
        """Return the cards of the deck in dealing order, as ids."""

    @abstractmethod
    def sentence(self, game: Game, code: int, action: int) -> str:
        """Return why an action is refused, as one sentence with the rule."""

    @abstractmethod
    def opening(self, view: Any, state: Any) -> Line:
        """Return the first line of a deal, before its first action.

        Args:
            view: what the seat sees (its readable view).
            state: the state record.
        """

    @abstractmethod
    def told(
        self, before: Any, after: Any, seat: int, actor: int, action: int, chosen: tuple[int, ...]
    ) -> tuple[list[Line], tuple[int, ...]]:
        """Return what a seat saw of an action, and what is still to be told of a choice under way.

        Args:
            before: the state record before the action.
            after: the state record after it.
            seat: who sees.
            actor: who acted.
            action: id of the action.
            chosen: what this method returned of the choice under way at the action before; at first ``()``.
        """

    def narrate(self, game: Game, seat: int, actions: Sequence[tuple[int, int]]) -> list[str]:
        """Play actions on a game and return what a seat saw, a line each."""
        lines = [self.opening(game.view(seat), game.state)]
        chosen: tuple[int, ...] = ()
        for actor, action in actions:
            before = copy_records(game._games)[0]
            game.play_on(action)
            new, chosen = self.told(before, game.state, seat, actor, action, chosen)
            lines += new
        return [line.text for line in lines]

    @abstractmethod
    def read_position(self, data: dict[str, Any], rules: Rules) -> PositionSpec:
        """Check a position under its rules.

        Raises:
            PositionError: it is not understood or impossible.
        """

    @abstractmethod
    def position_state(self, spec: Any, games: NDArray[Any], vector: NDArray[Any], tmp: NDArray[Any]) -> None:
        """Write a checked position into row 0 of ``games``."""

    def table(self, state: Any, seat: int) -> list[str]:
        """Return the cards on the table of a seat, in the order laid; none where nothing is laid."""
        return []

    def scores_cut(self, rules: Rules) -> bool:
        """Return whether the rules score the cut of the pack, so that a game takes the numbers of one."""
        return False

    def check_cut(self, cut: Sequence[int] | None, rules: Rules) -> tuple[int, int] | None:
        """Return a cut of the pack that the rules score, None when it is left to the seed.

        Raises:
            ValueError: the rules score no cut, or it is not possible.
        """
        if cut is not None:
            raise ValueError(f"cut: {rules.variant} scores no cut of the pack")
        return None

    def cut_numbers(self) -> range:
        """Return the numbers of cards that can be lifted, and guessed, where the rules score the cut."""
        return range(0)

    def cut(self, state: Any) -> tuple[int, int] | None:
        """Return the cut of a deal, None where the rules score none."""
        return None

    def seen(self, state: Any, seat: int, actions: Sequence[tuple[int, int]]) -> list[bool]:
        """Return which actions of a deal a seat has seen (its own it always has).

        Args:
            state: the state after them.
            seat: who may have seen them.
            actions: (actor, action id) of the deal so far.
        """
        return [True] * len(actions)

    def waits_unseen(self, state: Any) -> bool:
        """Return whether a seat is asked something that it may decline (``pass``) without being seen to."""
        return False

    def answers(self, state: Any, final: Any, action: int) -> bool:
        """Return whether what is asked in a state is what an action seen later answers.

        Args:
            state: the state in which something is asked.
            final: the state at the end of the actions seen.
            action: id of the next action seen of the seat that is asked.
        """
        return False

    def same_spot(self, state: Any, final: Any) -> bool:
        """Return whether two states of one deal ask the same seat the same."""
        return bool(state["phase"] == final["phase"] and state["to_act"] == final["to_act"])
