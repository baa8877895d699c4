"""Measuring strength on duplicate deals: the same deck twice, seats swapped, draws from queues."""

from __future__ import annotations

import csv
import hashlib
import json
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from agents.protocol import Agent
from bezique_env.envs.batch import make_batch
from bezique_env.envs.opponents import with_rules
from bezique_env.game import Game, resolve_rules
from bezique_env.rules import Rules, get_rules, variants
from experiments.config import nearest
from experiments.statistics import Estimate, estimate

CHUNK = 2048
"""Deal pairs played side by side; it does not change any result."""
RECIPE_FORMAT = "bezique-decks/1"


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


def recipe_of(rules: Rules, seed: int, count: int) -> dict[str, Any]:
    """Return what a file of decks holds that are made from a seed when they are needed.

    Args:
        rules: of the games; their whole pack is a deck.
        seed: of the decks.
        count: how many.
    """
    return {
        "format": RECIPE_FORMAT,
        "variant": rules.variant,
        "preset": rules.preset,
        "seed": seed,
        "count": count,
        "hash": decks_from_seed(seed, count, rules).hash,
    }


def read_decks(path: str | Path, rules: Rules | None = None) -> Decks:
    """Read a ``.json`` file of decks.

    The file is a list of decks, each a list of card texts in dealing order, or a recipe (see :func:`recipe_of`):
    variant, preset, seed and number of decks, with a hash that the decks made from it must have, so that a
    file of a few lines names the same decks for good.

    Args:
        path: the file.
        rules: of the games that are played with them (``two_pack`` by default): their whole pack is a deck.

    Raises:
        DecksError: the file is missing, something in it is no deck (the message names which), or a recipe is
            for another game or gives other decks than it says.
    """
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DecksError(f"{path}: no file of decks: {error}") from None
    rules = rules or get_rules("two_pack")
    source = f"file {Path(path).name}"
    if isinstance(data, dict):
        return Decks(_follow_recipe(path, data, rules), source)
    if not isinstance(data, list) or not data:
        raise DecksError(f"{path}: no list of decks")
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
    return Decks(rows, source)


def _follow_recipe(path: str | Path, data: dict[str, Any], rules: Rules) -> NDArray[np.uint8]:
    """Return the decks of a recipe, after checking everything it says."""
    kinds = {"format": str, "variant": str, "preset": str, "seed": int, "count": int, "hash": str}
    for key in data:
        if key not in kinds:
            raise DecksError(f"{path}: {key}: unknown key{nearest(key, kinds)} (known: {', '.join(kinds)})")
    for key, kind in kinds.items():
        if key not in data:
            raise DecksError(f"{path}: {key}: this key of a recipe for decks is missing")
        if type(data[key]) is not kind:
            must = "a text" if kind is str else "a whole number"
            raise DecksError(f"{path}: {key}: found {data[key]!r}; it must be {must}")
    if data["format"] != RECIPE_FORMAT:
        raise DecksError(f"{path}: format: found {data['format']!r}; allowed: {RECIPE_FORMAT}")
    variant, preset, seed, count = (data[key] for key in ("variant", "preset", "seed", "count"))
    if variant not in variants():
        raise DecksError(
            f"{path}: variant: found {variant!r}; allowed: {', '.join(variants())}{nearest(variant, variants())}"
        )
    if variant != rules.variant:
        raise DecksError(f"{path}: variant: these decks are for {variant}, not for {rules.variant}")
    presets = variants()[variant].presets
    if preset not in presets:
        raise DecksError(
            f"{path}: preset: found {preset!r}; allowed: {', '.join(presets)}{nearest(preset, presets)}"
        )
    if not np.array_equal(get_rules(variant, preset).pack, rules.pack):
        raise DecksError(f"{path}: preset: {preset} has other cards than the rules that are played")
    if seed < 0 or count < 1:
        raise DecksError(f"{path}: seed {seed} must be at least 0, count {count} at least 1")
    decks = decks_from_seed(seed, count, rules)
    if decks.hash != data["hash"]:
        raise DecksError(
            f"{path}: hash: found {data['hash']!r}, but seed {seed} gives {count} decks with the hash "
            f"{decks.hash!r}: the file was changed, or this version of NumPy shuffles otherwise"
        )
    return decks.cards


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


def marked(opponent: str, trained_against: Sequence[str]) -> str:
    """Return an opponent's name for a table, marked where the policy learned from playing it."""
    return f"{opponent} (trained against it)" if opponent in trained_against else opponent


@dataclass
class Clock:
    """How long an agent thinks, in CPU time of its process.

    Attributes:
        seconds: CPU time of the calls that are counted.
        counted: decisions in them.
        decisions: all decisions.
        warm: whether calls are counted; they should not be as long as they may compile.
    """

    seconds: float = 0.0
    counted: int = 0
    decisions: int = 0
    warm: bool = True

    def add(self, seconds: float, decisions: int) -> None:
        """Note a call."""
        self.decisions += decisions
        if self.warm:
            self.seconds += seconds
            self.counted += decisions


@dataclass(frozen=True)
class PlayedPairs:
    """Some pairs of a match, from the first agent's side.

    Attributes:
        scores: int64 [pairs, 2 games, 2 agents], as in :class:`PairResults`.
        records: game records of the first pairs.
        lost: float64 [pairs, 2 agents], the points a deal that each agent's moves lost once nothing was hidden from
            it, a mean for each pair; not a number where nobody judged.
    """

    scores: NDArray[np.int64]
    records: list[dict[str, Any]]
    lost: NDArray[np.float64]


class Judges(Protocol):
    """What tells the points that moves lost, such as :class:`experiments.regret.Judge`."""

    def lost(self, views: Any, chosen: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the points that each move lost, float [k]."""


def play_block(
    first: Agent,
    second: Agent,
    decks: Decks,
    pairs: NDArray[np.int64],
    rules: Rules,
    *,
    records: int = 0,
    clocks: tuple[Clock, Clock] | None = None,
    judge: Judges | None = None,
    judged: int = 0,
    progress: Callable[[int], None] | None = None,
) -> PlayedPairs:
    """Play some of the decks, each twice, all side by side.

    Agents that see all cards (``cheats``) are asked by ``act_states(games, rules, masks, keys)``.

    Args:
        first: the agent whose side is told; told the rules already.
        second: its opponent.
        decks: all decks of the match.
        pairs: which of them are played, int64 [k]; what becomes of a pair does not depend on the others.
        rules: of the games.
        records: pairs, from the first of these on, whose games are recorded.
        clocks: get the thinking times of the two agents.
        judge: tells what the moves of the first of these pairs lost, except those of agents that see all cards.
        judged: how many of them.
        progress: called with the number of pairs that are over.
    """
    dealers, seeds = decks.dealers, decks.seeds
    twice = np.repeat(pairs, 2)
    batch = make_batch(rules.variant, num_games=len(twice), seed=0, rules=rules, draws="queues")
    rows = np.arange(len(twice))
    batch.reset_rows(rows, seeds[twice], dealers[twice], decks.cards[twice])
    first_seat = rows % 2
    kept = 2 * int(np.clip(records, 0, len(pairs)))
    actions: list[list[int]] = [[] for _ in range(kept)]
    times = clocks or (Clock(), Clock())
    lost = np.zeros((len(twice), 2))
    watched = 2 * int(np.clip(judged, 0, len(pairs))) if judge is not None else 0
    over = 0
    while True:
        active = rows[~batch.done]
        if progress is not None and len(rows) - len(active) != over:
            over = len(rows) - len(active)
            progress(over // 2)
        if not len(active):
            break
        to_first = batch.seat[active] == first_seat[active]
        for side, (agent, which) in enumerate(((first, active[to_first]), (second, active[~to_first]))):
            if not len(which):
                continue
            seen = which[which < watched]
            views = batch.views(seen) if len(seen) and not getattr(agent, "cheats", False) else None
            chosen = _play(batch, agent, times[side], which, actions)
            if judge is not None and views is not None:
                lost[seen, side] += judge.lost(views, chosen[which < watched])
    result = batch.games["scores"].astype(np.int64) + batch.games["match_scores"]
    scores = np.zeros((len(pairs), 2, 2), np.int64)
    for game in (0, 1):
        scores[:, game, 0] = result[game::2, game]
        scores[:, game, 1] = result[game::2, 1 - game]
    told = []
    for row in range(kept):
        pair = int(twice[row])
        told.append(_record(rules, decks.cards[pair], int(dealers[pair]), int(seeds[pair]), actions[row]))
    lost = lost.reshape(len(pairs), 2, 2).mean(axis=1)
    lost[watched // 2 :] = np.nan
    for side, agent in enumerate((first, second)):
        if getattr(agent, "cheats", False):
            lost[:, side] = np.nan
    return PlayedPairs(scores, told, lost)


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
    for start in range(0, total, chunk):
        pairs = np.arange(start, min(start + chunk, total))
        tell = None
        if progress is not None:
            tell = lambda over, start=start: progress(start + over, total)  # noqa: E731
        block = play_block(first, second, decks, pairs, resolved, records=records - start, progress=tell)
        scores[pairs] = block.scores
        told += block.records
    return PairResults(first.name, second.name, decks, scores, told)


def _play(
    batch: Any, agent: Any, clock: Clock, rows: NDArray[np.int64], actions: list[list[int]]
) -> NDArray[np.int64]:
    """Ask an agent for its actions and play them; return them."""
    seats = batch.seat[rows]
    keys = batch.keys(seats, rows)
    if getattr(agent, "cheats", False):
        games = batch.games[rows]
        began = time.process_time()
        chosen = agent.act_states(games, batch.rules, batch.mask[rows], keys)
    else:
        views = batch.views(rows)
        began = time.process_time()
        chosen = agent.act(views, batch.mask[rows], keys)
    clock.add(time.process_time() - began, len(rows))
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
    result: NDArray[np.int64] = chosen
    return result


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
