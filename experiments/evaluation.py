"""Measuring strength on duplicate deals: the same deck twice, seats swapped, draws from queues."""

from __future__ import annotations

import csv
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.protocol import Agent
from bezique_env.envs.batch import make_batch
from bezique_env.envs.opponents import with_rules
from bezique_env.game import Game, resolve_rules
from bezique_env.rules import Rules, get_rules
from experiments.statistics import Estimate, estimate

CHUNK = 2048
"""Deal pairs played side by side; it does not change any result."""


class DecksError(ValueError):
    """A file of decks that cannot be used."""


@dataclass(frozen=True)
class Decks:
    """Decks for duplicate deals, with a name that tells where they come from."""

    cards: NDArray[np.uint8]
    source: str

    def __len__(self) -> int:
        """Return the number of decks."""
        return len(self.cards)

    @property
    def dealers(self) -> NDArray[np.int64]:
        """The dealing seat of each deck, alternating."""
        return np.arange(len(self.cards), dtype=np.int64) % 2

    @property
    def ids(self) -> list[str]:
        """A short name of each deck, made from its cards: joins the results of different runs."""
        return [digest.hex()[:12] for digest in self._digests()]

    @property
    def seeds(self) -> NDArray[np.uint64]:
        """A seed for the agents on each deck, made from its cards; both games of a pair have the same."""
        return np.array([int.from_bytes(digest[8:16], "big") for digest in self._digests()], np.uint64)

    def _digests(self) -> list[bytes]:
        """Return a hash of each deck, other ones where a deck comes again (few cards have few orders)."""
        before: Counter[bytes] = Counter()
        digests = []
        for row in self.cards:
            cards = row.tobytes()
            again = f" {before[cards]}".encode() if before[cards] else b""
            before[cards] += 1
            digests.append(hashlib.sha256(cards + again).digest())
        return digests

    @property
    def hash(self) -> str:
        """Return a hash over all decks in their order."""
        return hashlib.sha256(self.cards.tobytes()).hexdigest()[:16]


def decks_from_seed(seed: int, count: int, rules: Rules | None = None) -> Decks:
    """Return shuffled decks; the first ones are the same for every ``count``.

    Args:
        seed: of the decks.
        count: how many.
        rules: of the games that are played with them (``two_pack`` by default).
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    deck = (rules or get_rules("two_pack")).pack
    return Decks(np.stack([rng.permutation(deck) for _ in range(count)]), f"seed {seed}")


def read_decks(path: str | Path, rules: Rules | None = None) -> Decks:
    """Read a ``.json`` file with a list of decks, each a list of card texts in dealing order.

    Args:
        path: the file.
        rules: of the games that are played with them (``two_pack`` by default): their whole pack is a deck.

    Raises:
        DecksError: the file is missing or something in it is no deck; the message names the deck.
    """
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DecksError(f"{path}: no file of decks: {error}") from None
    if not isinstance(data, list) or not data:
        raise DecksError(f"{path}: no list of decks")
    rules = rules or get_rules("two_pack")
    cards, packs, pack = rules.family.cards, rules.shape.packs, rules.pack
    rows = np.zeros((len(data), len(pack)), np.uint8)
    for number, deck in enumerate(data):
        try:
            ids = [cards.id(text) for text in deck]
        except (TypeError, ValueError) as error:
            raise DecksError(f"{path}: deck {number}: {error}") from None
        if sorted(ids) != pack.tolist():
            whole = "one whole pack" if packs == 1 else f"{packs} whole packs"
            raise DecksError(f"{path}: deck {number}: {len(ids)} cards, which are not {whole}")
        rows[number] = ids
    return Decks(rows, f"file {Path(path).name}")


@dataclass(frozen=True)
class PairResults:
    """Duplicate deals between two agents, from the first agent's side.

    Attributes:
        first: name of the first agent.
        second: name of the second agent.
        decks: what was played.
        scores: int64 [pairs, 2 games, 2 agents]; the first agent has seat 0 in game 0 and seat 1 in game 1.
        records: game records of the first pairs.
    """

    first: str
    second: str
    decks: Decks
    scores: NDArray[np.int64]
    records: list[dict[str, Any]]

    @property
    def points(self) -> NDArray[np.float64]:
        """The first agent's points above the second's a deal, one mean for each pair."""
        differences = self.scores[:, :, 0] - self.scores[:, :, 1]
        result: NDArray[np.float64] = differences.mean(axis=1)
        return result

    @property
    def wins(self) -> NDArray[np.float64]:
        """The part of the deals the first agent won (a tie counts half), one mean for each pair."""
        signs = np.sign(self.scores[:, :, 0] - self.scores[:, :, 1])
        result: NDArray[np.float64] = (signs + 1).mean(axis=1) / 2
        return result

    def summary(self, confidence: float, resamples: int) -> MatchSummary:
        """Return the means with their bootstrap intervals over the pairs."""
        return MatchSummary(
            self.second,
            len(self.decks),
            estimate(self.points, confidence, resamples),
            estimate(self.wins, confidence, resamples),
            float(self.scores[:, :, 0].mean()),
            float(self.scores[:, :, 1].mean()),
        )


@dataclass(frozen=True)
class MatchSummary:
    """What is told of a match."""

    opponent: str
    deal_pairs: int
    points: Estimate
    win_rate: Estimate
    own_points: float
    other_points: float

    def to_dict(self) -> dict[str, Any]:
        """Return it for JSON."""
        return {
            "opponent": self.opponent,
            "deal_pairs": self.deal_pairs,
            "points_per_deal": self.points.to_dict(),
            "win_rate": self.win_rate.to_dict(),
            "own_points_per_deal": self.own_points,
            "opponent_points_per_deal": self.other_points,
        }


def play_pairs(
    first: Agent,
    second: Agent,
    decks: Decks,
    *,
    variant: str = "two_pack",
    rules: str | Rules | None = None,
    overrides: Mapping[str, Any] | None = None,
    records: int = 0,
    chunk: int = CHUNK,
    progress: Callable[[int, int], None] | None = None,
) -> PairResults:
    """Play every deck twice, the agents swapping seats.

    The random keys of an agent depend on the deck, its seat and the number of the decision alone, and both
    games of a pair have the same ones: an agent that meets itself scores exactly 0 in every pair.

    Args:
        first: the agent whose points are told.
        second: its opponent.
        decks: what is dealt; each seat draws from its own queue (DESIGN section 6).
        variant: the game.
        rules: preset or resolved rules.
        overrides: options that differ from the preset.
        records: pairs, from the first on, whose games are recorded.
        chunk: pairs played side by side.
        progress: called with the pairs done and their number.
    """
    resolved = resolve_rules(variant, rules, overrides)
    first, second = with_rules(first, resolved), with_rules(second, resolved)
    total = len(decks)
    scores = np.zeros((total, 2, 2), np.int64)
    told: list[dict[str, Any]] = []
    dealers, seeds = decks.dealers, decks.seeds
    for start in range(0, total, chunk):
        pairs = np.arange(start, min(start + chunk, total))
        twice = np.repeat(pairs, 2)
        batch = make_batch(variant, num_games=len(twice), seed=0, rules=resolved, draws="queues")
        rows = np.arange(len(twice))
        batch.reset_rows(rows, seeds[twice], dealers[twice], decks.cards[twice])
        first_seat = rows % 2
        kept = 2 * int(np.clip(records - start, 0, len(pairs)))
        actions: list[list[int]] = [[] for _ in range(kept)]
        over = 0
        while True:
            active = rows[~batch.done]
            if progress is not None and total and len(rows) - len(active) != over:
                over = len(rows) - len(active)
                progress(start + over // 2, total)
            if not len(active):
                break
            to_first = batch.seat[active] == first_seat[active]
            for agent, which in ((first, active[to_first]), (second, active[~to_first])):
                if len(which):
                    _play(batch, agent, which, actions)
        result = batch.games["scores"].astype(np.int64) + batch.games["match_scores"]
        for game in (0, 1):
            scores[pairs, game, 0] = result[game::2, game]
            scores[pairs, game, 1] = result[game::2, 1 - game]
        for row in range(kept):
            pair = int(twice[row])
            told.append(
                _record(resolved, decks.cards[pair], int(dealers[pair]), int(seeds[pair]), actions[row])
            )
    return PairResults(first.name, second.name, decks, scores, told)


def _play(batch: Any, agent: Agent, rows: NDArray[np.int64], actions: list[list[int]]) -> None:
    seats = batch.seat[rows]
    keys = np.where(seats == 0, batch.keys(0, rows), batch.keys(1, rows))
    chosen = agent.act(batch.views(rows), batch.mask[rows], keys)
    batch.step_rows(rows, chosen)
    wrong = np.flatnonzero(batch.illegal[rows])
    if len(wrong):
        row = int(rows[wrong[0]])
        raise RuntimeError(
            f"agent {agent.name!r} chose the illegal action {int(chosen[wrong[0]])} in game {row}; "
            f"legal: {np.flatnonzero(batch.mask[row]).tolist()}"
        )
    for row, action in zip(rows.tolist(), chosen.tolist(), strict=True):
        if row >= len(actions):
            break
        actions[row].append(action)


def _record(
    rules: Rules, deck: NDArray[np.uint8], dealer: int, seed: int, actions: Sequence[int]
) -> dict[str, Any]:
    """Return the record of one game of a pair."""
    cards = [rules.family.cards.texts[card] for card in deck]
    game = Game(rules.variant, rules=rules, seed=seed, deck=cards, dealer=dealer, draws="queues")
    for action in actions:
        game.apply(action)
    return game.to_record()


PAIR_COLUMNS = [
    "opponent",
    "pair",
    "deck",
    "dealer",
    "own_0",
    "other_0",
    "own_1",
    "other_1",
    "points_per_deal",
]


def write_pairs(path: Path, results: Sequence[PairResults]) -> None:
    """Write a table with one row for each deal pair; game 0 has the first agent at seat 0, game 1 at seat 1."""
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(PAIR_COLUMNS)
        for result in results:
            ids, dealers, points = result.decks.ids, result.decks.dealers, result.points
            for pair in range(len(result.decks)):
                four = result.scores[pair].ravel().tolist()
                table.writerow(
                    [result.second, pair, ids[pair], int(dealers[pair]), *four, float(points[pair])]
                )
