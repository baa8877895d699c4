"""Helpers of the agent tests: duplicate matches on one batch, and random states of every preset."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.play import Played, play_games
from agents.registry import make_agent
from bezique_env.envs.batch import Batch, make_batch
from bezique_env.game import Game
from bezique_env.rules import get_rules, variants

PRESETS: list[dict[str, Any]] = [
    {"variant": name, "rules": preset, "overrides": {}}
    for name, info in variants().items()
    for preset in info.presets
]
"""Every preset of every variant."""
TWO_PACK_SETS: list[dict[str, Any]] = [
    *(one for one in PRESETS if one["variant"] == "two_pack"),
    {"variant": "two_pack", "rules": "standard", "overrides": {"selection": "explicit"}},
    {
        "variant": "two_pack",
        "rules": "finnish",
        "overrides": {"selection": "explicit", "four_tens": 90, "quartet_suits_bonus": "x2"},
    },
    {
        "variant": "two_pack",
        "rules": "no_ready_trump",
        "overrides": {"trump": "first_marriage_sequence_or_bezique", "bezique_pair": "trump_queen"},
    },
    {
        "variant": "two_pack",
        "rules": "saari",
        "overrides": {"dix_score": "as_meld", "dix_exchange": "free", "endgame": "follow_only"},
    },
]
"""Every preset of the two-pack game, and options that no preset uses."""
RULE_SETS: list[dict[str, Any]] = [
    *TWO_PACK_SETS,
    *(one for one in PRESETS if one["variant"] != "two_pack"),
    {"variant": "rubicon", "rules": "portland", "overrides": {"selection": "explicit", "reform": "none"}},
    {
        "variant": "chinese",
        "rules": "trump_queen",
        "overrides": {"cut_bonus": "on", "four_tens": 90, "quartet_suits_bonus": "x2"},
    },
    {"variant": "eight_pack", "rules": "sum", "overrides": {"selection": "explicit", "four_tens": 90}},
    {
        "variant": "fildinski",
        "rules": "by_class",
        "overrides": {"fildinski_endgame": "on", "fildinski_dix": "from_hand", "selection": "explicit"},
    },
    {
        "variant": "belote",
        "rules": "hoyle",
        "overrides": {
            "four_of_a_kind": "french",
            "exchange_window": "until_first_lead",
            "belote_call_deadline": "both_words",
            "all_pass": "dealer_forced",
        },
    },
]
"""Every preset, and options that no preset uses."""


def rules_id(rule_set: dict[str, Any]) -> str:
    return "-".join([rule_set["variant"], rule_set["rules"], *rule_set["overrides"]])


def duplicate_batch(
    num_decks: int,
    seed: int,
    rules: str | None = None,
    overrides: dict[str, Any] | None = None,
    variant: str = "two_pack",
) -> tuple[Batch, NDArray[np.int64]]:
    """Return a batch that plays every deck twice, and the seating that swaps two agents between them."""
    rng = np.random.default_rng(seed)
    deck = get_rules(variant, rules).pack
    decks = np.array([rng.permutation(deck) for _ in range(num_decks)])
    dealers = rng.integers(0, 2, num_decks)
    batch = make_batch(
        variant, num_games=2 * num_decks, seed=seed, rules=rules, overrides=overrides, draws="queues"
    )
    batch.set_decks(np.concatenate([decks, decks]), np.concatenate([dealers, dealers]))
    seating = np.repeat(np.array([[0, 1], [1, 0]]), num_decks, axis=0)
    return batch, seating


def duel(
    first: str, second: str, num_decks: int, seed: int, rules: str | None = None, variant: str = "two_pack"
) -> tuple[float, float, Played]:
    """Return (points a deal of the first agent, half width of its 95% interval over deck pairs, games)."""
    batch, seating = duplicate_batch(num_decks, seed, rules, variant=variant)
    played = play_games(batch, [make_agent(first), make_agent(second)], seating)
    pairs = (played.returns[:num_decks, 0] + played.returns[num_decks:, 1]) / 2
    return float(pairs.mean()), float(1.96 * pairs.std(ddof=1) / np.sqrt(num_decks)), played


def random_states(
    rule_set: dict[str, Any], games: int, states_each: int, seed: int, episode: str = "deal"
) -> Iterator[Game]:
    """Yield games at random decisions, reached half by random play and half by greedy play."""
    rng = np.random.default_rng(seed)
    greedy = make_agent("greedy")
    rules = get_rules(rule_set["variant"], rule_set.get("rules"))
    longest = max(states_each, len(rules.pack) * (45 if rules.shape.packs > 1 else 20) // 32)
    for number in range(games):
        game = Game(seed=int(rng.integers(2**63)), episode=episode, **rule_set)
        stops = set(rng.choice(longest, states_each, replace=False).tolist())
        for step in range(longest):
            if game.is_over:
                break
            if step in stops:
                yield game
            if number % 2:
                seat = game.seat_to_act
                keys = np.zeros(1, np.uint64)
                action = int(greedy.act(game.view_record(seat), game.legal_mask(seat)[None], keys)[0])
            else:
                action = int(rng.choice(game.legal_actions()))
            game.apply(action)
