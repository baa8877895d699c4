"""The agents of the ladder: legal actions only, and the same games in any batch (few games; many by a command)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agents.play import AgentMistake
from agents.registry import _FACTORIES
from tests.agents.promises import play_legal, same_in_any_batch

SEARCH = ("pimc(worlds=2)", "ismcts(iterations=4)")
GAMES = {"variant": "two_pack"}, {"variant": "belote", "rules": "hoyle"}


@pytest.mark.parametrize("rule_set", GAMES, ids=["two_pack", "belote"])
@pytest.mark.parametrize(
    ("pair", "games"),
    [
        (("random", "greedy"), 64),
        (("greedy", "greedy"), 64),
        (("random", "random"), 64),
        (("expert", "greedy"), 64),
        *((("expert", text), 12) for text in SEARCH),
    ],
    ids=str,
)
def test_the_same_games_in_any_batch(pair: tuple[str, str], games: int, rule_set: dict[str, Any]) -> None:
    same_in_any_batch(pair, rule_set, games, times=5 if games == 64 else 1)


@pytest.mark.parametrize("rule_set", GAMES, ids=["two_pack", "belote"])
@pytest.mark.parametrize("text", SEARCH)
def test_searching_players_take_legal_actions(text: str, rule_set: dict[str, Any]) -> None:
    assert play_legal(text, 10, rule_set) > 150


class Peeks:
    """Chooses by where a row stands in its batch, which no agent may."""

    name = "peeks"

    def act(self, views: Any, masks: Any, keys: Any) -> Any:
        ranks = np.arange(len(masks)) % masks.sum(axis=1)
        return np.array([np.flatnonzero(mask)[k] for mask, k in zip(masks, ranks, strict=True)])


class Wrong:
    """Takes an action that is hardly ever legal."""

    name = "wrong"

    def act(self, views: Any, masks: Any, keys: Any) -> Any:
        return np.zeros(len(masks), np.int64)


def test_the_proofs_find_what_they_look_for(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in (Peeks, Wrong):
        monkeypatch.setitem(_FACTORIES, kind.name, kind)
    with pytest.raises(AssertionError):
        same_in_any_batch(("peeks", "peeks"), GAMES[1])
    with pytest.raises(AgentMistake, match="'wrong' chose the illegal action 0"):
        play_legal("wrong", 3, GAMES[1])
