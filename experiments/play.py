"""Play against an agent in the terminal: the human seat's table, its legal moves, a narrated opponent.

Everything shown is made from the human seat's :class:`~bezique_env.view.View` and from the public events of
the score, so the terminal never shows what a player at the table could not see. Input is one line a move
and may come from a pipe.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import secrets
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from bezique_env.render.ansi import (
    WIDTH,
    card_picture,
    hand_order,
    paint,
    pretty_action,
    render,
    visible_length,
)

if TYPE_CHECKING:
    from agents.protocol import Agent
    from bezique_env.game import Event, Game
    from bezique_env.view import View

HELP = """\
Type the number of an action, or its text as the list shows it with letters for suits (S H D C):
  play KS        play a king of spades from the hand; "KS" or "ks" alone does the same
  play KS table  play the copy that lies on the table
  marriage S, sequence S, bezique 1, four Q, four trump A, seven, exchange,
  carte blanche, pass   (when listed)
Other words:
  why ACTION     why an action is not legal now
  table          show the table and the legal actions again
  rules          the rules in force
  help           this page
  quit           stop; what was played is saved as an unfinished record if a record file was named
The end of the input (Ctrl-D, or the end of a pipe) counts as quit."""

_SILENT = ("brisques", "last trick", "trump seven", "turned seven", "bezique withdrawn", "cut", "cut guess")
"""Points that no action names."""
_CARD = re.compile(r"^(?:10|[789JQKTA])[SHDC]$")
_LETTERS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C", "♤": "S", "♡": "H", "♢": "D", "♧": "C"}
_WORDS = ("why", "table", "rules", "help", "quit")


class Stop(Exception):
    """The human wants to stop, or the input has ended."""


def canonical_text(typed: str, selecting: bool = False) -> str:
    """Return what was typed as an action text: suits and ranks in capitals, a bare card as a play.

    >>> canonical_text("ks"), canonical_text("Play 10♥ table"), canonical_text("four q")
    ('play KS', 'play TH table', 'four Q')
    """
    words = "".join(_LETTERS.get(letter, letter) for letter in typed).split()
    out = []
    for word in words:
        upper = word.upper()
        if _CARD.match(upper):
            out.append(upper.replace("10", "T"))
        elif out and len(word) == 1:
            out.append(upper)
        else:
            out.append(word.lower())
    if out and _CARD.match(out[0]):
        out.insert(0, "use" if selecting else "play")
    return " ".join(out)


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
        self._chosen: dict[int, str] = {}

    # -- words ---------------------------------------------------------------------------------------------

    def who(self, seat: int) -> str:
        """Return how a seat is called in the narration."""
        if seat == self.seat:
            return "You"
        return "The opponent" if self.game.num_seats == 2 else f"Seat {seat}"

    def say(self, text: str, style: str = "") -> None:
        """Write one narrated line."""
        self.write("  " + (paint(text, style, self.color) if style else text))

    def _cards(self, cards: Iterable[str], trump: str | None = None) -> str:
        return " ".join(
            card_picture(c, self.color) for c in sorted(cards, key=lambda c: hand_order(c, trump))
        )

    def narrate(
        self, actor: int, text: str, before: View, after: View, events: Sequence[Event], new_deal: bool
    ) -> None:
        """Tell what one action did, as far as the human's seat may see it."""
        verb = "" if actor == self.seat else "s"
        who = self.who(actor)
        scored = {event.what: event.points for event in events if event.seat == actor}
        shown: list[str] = []
        if not new_deal:
            shown = list((_table(after, actor) - _table(before, actor)).elements())
        if text.startswith("play "):
            card = text.split()[1]
            place = " from the table" if text.endswith(" table") else ""
            what = f"lead{verb}" if not before.trick else f"answer{verb} with"
            self.say(f"{who} {what} {card_picture(card, self.color)}{place}.")
            if before.trick and not new_deal:
                winners = [s for s in range(len(after.won)) if _taken(after, s) > _taken(before, s)]
                if winners:
                    took = "take" if winners[0] == self.seat else "takes"
                    played = [c for _, c in before.trick] + [card]
                    trick = " ".join(card_picture(c, self.color) for c in played)
                    self.say(f"{self.who(winners[0])} {took} the trick {trick}.", "bold")
        elif text == "exchange":
            turned = f" for {card_picture(before.turn_up, self.color)}" if before.turn_up else ""
            self.say(f"{who} exchange{verb} the trump seven{turned}{_points(scored.get('exchange', 0))}.")
        elif text == "carte blanche":
            faces = self._cards(after.hand if actor == self.seat else after.known[actor], after.trump)
            self.say(f"{who} show{verb} carte blanche{_points(scored.get(text, 0))}: {faces}.", "bold")
        elif text != "pass" and not text.startswith("use ") and after.phase != "select":
            self._tell_declaration(who, verb, text, shown, scored, after.trump)
        elif actor == self.seat and after.phase == "select" and not text.startswith("use "):
            self.say(f"Now choose the cards of {pretty_action(text, self.color)}, one at a time.")
        if text.startswith("use ") and after.phase != "select" and (shown or scored):
            started = self._chosen.pop(actor, "a declaration")
            self._tell_declaration(who, verb, started, shown, scored, after.trump)
        for event in events:
            if event.what in _SILENT:
                self.say(f"{event.what}: {_signed(event.points)} for {self.who(event.seat).lower()}.", "dim")
        if new_deal:
            return
        if before.trump is None and after.trump is not None:
            self.say(f"Trump is now {_suit(after.trump)}.", "bold")
        self._tell_draw(actor, text, before, after)

    def _tell_declaration(
        self,
        who: str,
        verb: str,
        text: str,
        shown: Sequence[str],
        scored: Mapping[str, int],
        trump: str | None,
    ) -> None:
        points = scored.get(text, 0)
        cards = f", showing {self._cards(shown, trump)}" if shown else ""
        name = pretty_action(text, self.color)
        if text == "seven":
            self.say(f"{who} show{verb} the trump seven{_points(points)}.", "bold")
        elif points:
            self.say(f"{who} declare{verb} {name}{_points(points)}{cards or ' from the table'}.", "bold")
        else:
            self.say(f"{who} lay{verb} {name} without scoring{cards}.")

    def _tell_draw(self, actor: int, text: str, before: View, after: View) -> None:
        mine_before, mine_after = Counter(before.hand), Counter(after.hand)
        if not after.open_cards:  # open cards were won, not drawn
            mine_before += _table(before, self.seat)
            mine_after += _table(after, self.seat)
        if actor == self.seat and text.startswith("play "):
            mine_before -= Counter([text.split()[1]])  # the same card may come back from the stock
        drawn = mine_after - mine_before
        if text == "exchange" and actor == self.seat and before.turn_up:
            drawn -= Counter([before.turn_up])
        for card in drawn.elements():
            self.say(f"You draw {card_picture(card, self.color)}.")
        if before.stock_left and not after.stock_left:
            stay = "open cards stay" if after.open_cards else "table cards go back to the hands"
            self.say(f"The stock is empty: the {stay}. Now suits must be followed.", "bold")

    # -- what is shown -------------------------------------------------------------------------------------

    def declaration_points(self, action: int) -> int:
        """Return what a legal declaration would score now (0 if it is not settled by this one action)."""
        twin = self.game.clone()
        text = twin.action_text(action)
        return sum(e.points for e in twin.apply(action) if e.seat == self.seat and e.what == text)

    def show(self) -> list[str]:
        """Show the table and the legal actions; return their texts in the order of their numbers."""
        game = self.game
        legal = [(a, game.action_text(a)) for a in game.legal_actions()]
        self.write("")
        self.write(render(game.view(self.seat), self.color))
        trump = game.trump
        order = {
            card: hand_order(card, trump)
            for _, text in legal
            for card in text.split()[1:2]
            if _CARD.match(card)
        }
        melds = [(a, t) for a, t in legal if not t.startswith(("play ", "use ")) and t != "pass"]
        plays = [(a, t) for a, t in legal if t.startswith(("play ", "use "))]
        plays.sort(key=lambda pair: (pair[1].endswith(" table"), order[pair[1].split()[1]]))
        listed = [t for _, t in (*melds, *plays)] + (["pass"] if any(t == "pass" for _, t in legal) else [])
        points = {t: self.declaration_points(a) for a, t in melds}
        cells = []
        for number, text in enumerate(listed, 1):
            gain = f" (+{points[text]})" if points.get(text) else ""
            cells.append(
                f"{paint(str(number).rjust(3), 'title', self.color)} {pretty_action(text, self.color)}{gain}"
            )
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
            self.write("Say which action: why marriage S")
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
                self.write(HELP)
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
        if text not in listed and f"{text} table" in listed and _CARD.match(canonical_text(line).split()[-1]):
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
        if game.seat_to_act == actor and game.phase == "select" and not text.startswith("use "):
            self._chosen[actor] = text
            if actor != self.seat:
                return
        self.narrate(actor, text, before, after, events, new_deal and not game.is_over)
        if new_deal:
            self._tell_deal_end()

    def _tell_deal_end(self) -> None:
        game = self.game
        ours = game.deals[-1]
        scores = ours["scores"] if isinstance(ours, Mapping) else ours.scores
        mine = scores[self.seat]
        theirs = [int(s) for seat, s in enumerate(scores) if seat != self.seat]
        self.say(
            f"Deal {len(game.deals)} ends: you {int(mine)}, opponent {', '.join(map(str, theirs))}.", "title"
        )
        if not game.is_over:
            self.tell_deal_start()

    def tell_deal_start(self) -> None:
        """Tell who deals and what was turned."""
        game = self.game
        view = game.view(self.seat)
        self.write("")
        dealer = "You deal" if game.dealer == self.seat else "The opponent deals"
        leader = "the opponent leads" if game.dealer == self.seat else "you lead"
        turned = f" Turned for trump: {card_picture(view.turn_up, self.color)}." if view.turn_up else ""
        no_trump = " No trump yet." if view.trump is None else ""
        self.say(f"{dealer}, {leader}.{turned}{no_trump}", "title")
        if view.cut is not None:
            self.say(f"The dealer lifts {view.cut[0]} cards; the guess was {view.cut[1]}.")
        for event in game.events:
            self.say(f"{event.what}: {_signed(event.points)} for {self.who(event.seat).lower()}.", "dim")

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
        if game.rules.settlement == "games":
            settled = ", a double game" if abs(paid) == 2 else ""
        else:
            settled = f"; settled {paid:+,}" if paid else "; nothing is paid"
        self.write(paint(f"{word}: {mine} to {theirs}{settled}.", "title", self.color))


def _table(view: View, seat: int) -> Counter[str]:
    return Counter(card for card, _ in view.tables[seat])


def _taken(view: View, seat: int) -> int:
    """Return how many won cards of a seat lie turned down or open."""
    return len(view.won[seat]) + (len(view.tables[seat]) if view.open_cards else 0)


def _points(points: int) -> str:
    return f" for {points}" if points else ""


def _signed(points: int) -> str:
    return f"{points:+d}"


def _suit(suit: str) -> str:
    return {"S": "♠ spades", "H": "♥ hearts", "D": "♦ diamonds", "C": "♣ clubs"}[suit]


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
    from agents.registry import check_plays
    from bezique_env.envs.single_agent import resolve_opponent
    from bezique_env.game import Game

    chosen = secrets.randbelow(2**32) if seed is None else seed
    if seat == "random":
        seat = secrets.randbelow(2)
    if seat not in (0, 1):
        raise ValueError(f"seat {seat!r}: allowed are 0, 1 and 'random'")
    path = Path(record_path) if record_path is not None else None
    if path is not None:
        _check_writable(path)
    agent = resolve_opponent(opponent)
    check_plays(agent, variant)
    game = Game(variant, rules=rules, overrides=overrides, seed=chosen, episode=episode, draws=draws)
    if color is None:
        color = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    if read is None:
        read = _line_reader(write)
    name = getattr(agent, "name", str(opponent))
    write(paint(f"Bezique ({variant}, rules {game.rules.preset}) against {name}.", "title", color))
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
