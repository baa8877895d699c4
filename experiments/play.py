"""Play against an agent in the terminal: the human seat's table, its legal moves, a narrated opponent.

Everything shown is made from the human seat's :class:`~bezique_env.faces.face.View` and from the public events
of the score, so the terminal never shows what a player at the table could not see. Input is one line a move
and may come from a pipe.
"""

from __future__ import annotations

import difflib
import json
import os
import secrets
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from bezique_env.render.ansi import WIDTH, paint, visible_length
from experiments.talk.talk import CARD, canonical_text
from experiments.talk.talks import talk_of

if TYPE_CHECKING:
    from agents.protocol import Agent
    from bezique_env.game import Game

HELP = """\
Type the number of an action, or its text as the list shows it with letters for suits (S H D C):
{actions}
Other words:
  why ACTION     why an action is not legal now
  table          show the table and the legal actions again
  rules          the rules in force
  help           this page
  quit           stop; what was played is saved as an unfinished record if a record file was named
The end of the input (Ctrl-D, or the end of a pipe) counts as quit."""

_WORDS = ("why", "table", "rules", "help", "quit")


class Stop(Exception):
    """The human wants to stop, or the input has ended."""


class PlaySession:
    """One game between a human at the terminal and an agent.

    Args:
        game: the game, at its start or in the middle.
        agent: who plays the other seats.
        seat: the human's seat.
        read: returns the next line for a prompt; raises EOFError at the end of the input.
        write: shows a text.
        color: use ANSI colour codes.
    """

    def __init__(
        self,
        game: Game,
        agent: Agent,
        seat: int,
        read: Callable[[str], str] = input,
        write: Callable[[str], None] = print,
        color: bool = False,
    ) -> None:
        self.game = game
        self.agent = agent
        self.seat = seat
        self.read = read
        self.write = write
        self.color = color
        self.talk = talk_of(game.variant)(game, seat, write, color)

    # -- what is shown -------------------------------------------------------------------------------------

    def show(self) -> list[str]:
        """Show the table and the legal actions; return their texts in the order of their numbers."""
        game, renderer = self.game, self.talk.renderer
        ids = {game.action_text(action): action for action in game.legal_actions()}
        self.write("")
        self.write(renderer.render(game.view(self.seat), self.color))
        listed = self.talk.in_order(list(ids), game.trump)
        cells = []
        for number, text in enumerate(listed, 1):
            points = 0 if text.startswith(("play ", "use ")) or text == "pass" else self.talk.gain(ids[text])
            gain = f" (+{points})" if points else ""
            label = paint(str(number).rjust(3), "title", self.color)
            cells.append(f"{label} {renderer.pretty_action(text, self.color)}{gain}")
        self.write("")
        self.write(_columns(cells))
        return listed

    def show_rules(self) -> None:
        """Show the rules in force, option by option."""
        from bezique_env.rules import fields

        rules = self.game.rules
        self.write(
            f"Variant {rules.variant}, preset {rules.preset}, overrides {dict(rules.overrides or {}) or 'none'}"
        )
        for field in fields(rules.variant):
            value = getattr(rules, field.name)
            line = f"  {field.name:<20} {value!s:<22} "
            meaning = textwrap.wrap(str(field.meaning), WIDTH - 8)
            changed = " (changed)" if field.name in dict(rules.overrides or {}) else ""
            self.write(paint(line.rstrip() + changed, "bold", self.color))
            for part in meaning:
                self.write("      " + part)

    def why(self, typed: str) -> None:
        """Say why an action is not legal now."""
        if not typed:
            self.write(f"Say which action: why {self.talk.example}")
            return
        try:
            action = self.game.action_id(canonical_text(typed, self.game.phase == "select"))
        except ValueError as error:
            self.write(str(error).capitalize() + ".")
            return
        reason = self.game.why_illegal(action)
        name = self.game.action_text(action)
        self.write(f"{name}: legal now." if reason is None else f"{name}: {reason}")

    # -- the loop ------------------------------------------------------------------------------------------

    def ask(self) -> int:
        """Ask the human for an action until a legal one is given."""
        listed = self.show()
        while True:
            try:
                line = self.read("your move> ").strip()
            except EOFError:
                raise Stop("The input has ended.") from None
            except KeyboardInterrupt:
                raise Stop("Interrupted.") from None
            word, _, rest = line.partition(" ")
            word = word.lower()
            if not line:
                continue
            if word in ("quit", "q", "exit") and not rest:
                raise Stop("You stopped the game.")
            if word in ("help", "h", "?") and not rest:
                self.write(HELP.format(actions=self.talk.actions_help))
            elif word == "rules" and not rest:
                self.show_rules()
            elif word in ("table", "t", "list") and not rest:
                listed = self.show()
            elif word == "why":
                self.why(rest)
            else:
                action = self._parse(line, listed)
                if action is not None:
                    return action

    def _parse(self, line: str, listed: Sequence[str]) -> int | None:
        game = self.game
        if line.isdigit():
            if 1 <= int(line) <= len(listed):
                return game.action_id(listed[int(line) - 1])
            self.write(f"There is no action {line}: the numbers go from 1 to {len(listed)}.")
            return None
        text = canonical_text(line, game.phase == "select")
        if text not in listed and f"{text} table" in listed and CARD.match(canonical_text(line).split()[-1]):
            text = f"{text} table"  # the only copy that can be played lies on the table
        if text in listed:
            return game.action_id(text)
        try:
            action = game.action_id(text)
        except ValueError as error:
            near = difflib.get_close_matches(text, [*listed, *_WORDS], 1, 0.6)
            hint = f" Legal and near: {near[0]}." if near else " Type help for the words known here."
            self.write(str(error).capitalize() + "." + hint)
            return None
        self.write(f"Not legal: {game.why_illegal(action)}")
        return None

    def apply(self, action: int) -> None:
        """Play one action of either seat and tell what was to be seen of it."""
        game = self.game
        actor = game.seat_to_act
        text = game.action_text(action)
        before, deals = game.view(self.seat), len(game.deals)
        events = game.apply(action)
        new_deal = len(game.deals) > deals
        after = game.view(self.seat)
        self.talk.narrate(actor, text, before, after, events, new_deal and not game.is_over)
        if new_deal:
            self.talk.deal_end()
            if not game.is_over:
                self.tell_deal_start()

    def tell_deal_start(self) -> None:
        """Tell how a deal begins."""
        self.write("")
        self.talk.deal_start()

    def run(self) -> bool:
        """Play to the end. Returns whether the game was finished."""
        from bezique_env.envs.single_agent import agent_action

        game = self.game
        self.tell_deal_start()
        try:
            while not game.is_over:
                if game.seat_to_act == self.seat:
                    self.apply(self.ask())
                else:
                    self.apply(agent_action(game, self.agent))
        except Stop as stop:
            self.write("")
            self.write(f"{stop} The game is unfinished.")
            return False
        self._tell_result()
        return True

    def _tell_result(self) -> None:
        game = self.game
        mine, theirs = game.match_scores[self.seat], game.match_scores[1 - self.seat]
        self.write("")
        paid = game.returns("settlement")[self.seat]
        word = "You win" if paid > 0 else "You lose" if paid < 0 else "A tie"
        self.write(paint(f"{word}: {mine} to {theirs}{self.talk.paid(paid)}.", "title", self.color))


def _columns(cells: Sequence[str]) -> str:
    """Lay cells out in columns, as many as fit the width, row by row."""
    if not cells:
        return ""
    wide = max(visible_length(c) for c in cells) + 2
    per_row = max(1, WIDTH // wide)
    rows = [cells[i : i + per_row] for i in range(0, len(cells), per_row)]
    return "\n".join("".join(c + " " * (wide - visible_length(c)) for c in row).rstrip() for row in rows)


def save_record(game: Game, path: Path) -> None:
    """Append the game's record to a .jsonl file, one JSON object a line."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(game.to_record(), ensure_ascii=False) + "\n")


def _check_writable(path: Path) -> None:
    """Find out before the game, not after it, that a record cannot be saved."""
    path.parent.mkdir(parents=True, exist_ok=True)
    existed = path.exists()
    with path.open("a", encoding="utf-8"):
        pass
    if not existed:
        path.unlink()


def play_command(
    variant: str = "two_pack",
    rules: str | None = None,
    overrides: Mapping[str, Any] | None = None,
    opponent: str | Agent = "greedy",
    seat: int | Literal["random"] = 0,
    seed: int | None = None,
    episode: Literal["deal", "match"] = "deal",
    record_path: str | Path | None = None,
    draws: Literal["shared", "queues"] = "shared",
    *,
    color: bool | None = None,
    read: Callable[[str], str] | None = None,
    write: Callable[[str], None] = print,
) -> int:
    """Play one game in the terminal.

    Args:
        variant: the game.
        rules: a preset of the variant; its first by default.
        overrides: single options of the preset changed.
        opponent: an agent's name (`"greedy"`), or an agent.
        seat: the human's seat, or `"random"`.
        seed: the deal; a fresh one is drawn (and told) without it.
        episode: `"deal"` or `"match"`.
        record_path: a .jsonl file that gets the record of the game as one more line.
        draws: the order of the draws, `"shared"` or `"queues"`.
        color: use colours; by default when the output is a terminal and NO_COLOR is not set.
        read: reads a line for a prompt (default: `input`).
        write: shows a text (default: `print`).

    Returns:
        0, also when the game was stopped before its end.

    Raises:
        ValueError: an argument is not understood; nothing has been played.
        OSError: the record cannot be written; nothing has been played.
    """
    from bezique_env.envs.opponents import resolve_opponent, with_rules
    from bezique_env.game import Game

    chosen = secrets.randbelow(2**32) if seed is None else seed
    if seat == "random":
        seat = secrets.randbelow(2)
    if seat not in (0, 1):
        raise ValueError(f"seat {seat!r}: allowed are 0, 1 and 'random'")
    path = Path(record_path) if record_path is not None else None
    if path is not None:
        _check_writable(path)
    game = Game(variant, rules=rules, overrides=overrides, seed=chosen, episode=episode, draws=draws)
    agent = with_rules(resolve_opponent(opponent), game.rules)
    if color is None:
        color = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    if read is None:
        read = _line_reader(write)
    name = getattr(agent, "name", str(opponent))
    write(
        paint(
            f"{game.rules.family.title} ({variant}, rules {game.rules.preset}) against {name}.",
            "title",
            color,
        )
    )
    write(f"Seed {chosen}: the same seed deals the same cards. Type help for the words known here.")
    session = PlaySession(game, agent, int(seat), read, write, color)
    finished = session.run()
    if path is not None:
        save_record(game, path)
        state = "finished" if finished else "unfinished; it replays up to this point"
        write(f"Record saved to {path} ({state}).")
    elif not finished:
        write("No record was saved: no record file was named.")
    return 0


def _line_reader(write: Callable[[str], None]) -> Callable[[str], str]:
    """Return a reader of lines that shows piped input too, so that a transcript reads like a session."""
    if sys.stdin is not None and sys.stdin.isatty():
        return input

    def read(prompt: str) -> str:
        line = sys.stdin.readline() if sys.stdin is not None else ""
        if not line:
            raise EOFError
        write(prompt + line.rstrip("\n"))
        return line

    return read
