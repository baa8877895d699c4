"""Tables of actions: what each id of a family means, as text."""

from __future__ import annotations

import difflib
from collections.abc import Sequence


class ActionTable:
    """The actions of a family: an id never changes its meaning.

    Attributes:
        texts: text of every id.
        select_texts: texts of the first ids while the cards of a declaration are chosen (none in most families).
        size: number of ids.
    """

    def __init__(self, texts: Sequence[str], select_texts: Sequence[str] = ()) -> None:
        """Number the texts."""
        self.texts = tuple(texts)
        self.select_texts = tuple(select_texts)
        self.size = len(self.texts)
        self._ids = {text: number for number, text in enumerate(self.select_texts)}
        self._ids.update((text, number) for number, text in enumerate(self.texts))

    def text(self, action: int, selecting: bool = False) -> str:
        """Return the text of an action id; while selecting, the first ids read otherwise.

        Raises:
            ValueError: the id is outside the table.
        """
        if not 0 <= action < self.size:
            raise ValueError(f"action id {action} is outside 0..{self.size - 1}")
        return (
            self.select_texts[action] if selecting and action < len(self.select_texts) else self.texts[action]
        )

    def id(self, text: str) -> int:
        """Return the id of an action text.

        Raises:
            ValueError: no action has this text; the message names the nearest spelling.
        """
        words = " ".join(str(text).split())
        found = self._ids.get(words)
        if found is None:
            folded = {text.lower(): text for text in (*self.texts, *self.select_texts)}
            near = difflib.get_close_matches(words.lower(), folded, 1, 0.5)
            hint = f"; did you mean {folded[near[0]]!r}?" if near else ""
            raise ValueError(f"unknown action {text!r}{hint}")
        return found
