"""Duplicate deals: symmetric by construction, independent of how many are played side by side."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from agents.registry import make_agent
from bezique_env.game import Game
from bezique_env.rules import get_rules, variants
from bezique_env.rules.bezique.cards import CARD_TEXTS
from experiments.evaluation import (
    Decks,
    DecksError,
    decks_from_seed,
    play_pairs,
    read_decks,
    recipe_of,
    write_pairs,
)


def decks_of(variant: str, seed: int, count: int) -> Decks:
    return decks_from_seed(seed, count, get_rules(variant))


@pytest.mark.parametrize("variant", variants())
@pytest.mark.parametrize("name", ["random", "greedy"])
def test_an_agent_against_itself_scores_exactly_nothing(name: str, variant: str) -> None:
    decks = decks_of(variant, 4, 20)
    result = play_pairs(make_agent(name), make_agent(name), decks, variant=variant)
    assert np.all(result.points == 0)
    assert np.all(result.wins == 0.5)
    assert np.any(result.scores[:, 0, 0] != result.scores[:, 0, 1])


@pytest.mark.parametrize("variant", variants())
def test_swapping_the_agents_turns_every_pair_around(variant: str) -> None:
    decks = decks_of(variant, 9, 15)
    one = play_pairs(make_agent("greedy"), make_agent("random"), decks, variant=variant)
    two = play_pairs(make_agent("random"), make_agent("greedy"), decks, variant=variant)
    assert np.array_equal(one.points, -two.points)
    assert np.array_equal(one.scores, two.scores[:, ::-1, ::-1])


def test_results_do_not_depend_on_how_many_are_played_side_by_side() -> None:
    decks = decks_from_seed(1, 21)
    many = play_pairs(make_agent("greedy"), make_agent("random"), decks, records=5)
    few = play_pairs(make_agent("greedy"), make_agent("random"), decks, records=5, chunk=4)
    assert np.array_equal(many.scores, few.scores)
    assert many.records == few.records


def test_greedy_beats_random_clearly() -> None:
    summary = play_pairs(make_agent("greedy"), make_agent("random"), decks_from_seed(2, 200)).summary(
        0.95, 999
    )
    assert summary.points.low > 100
    assert summary.win_rate.low > 0.9
    assert summary.own_points - summary.other_points == pytest.approx(summary.points.mean)


@pytest.mark.parametrize("variant", variants())
def test_decks_of_a_seed_are_whole_differ_and_do_not_depend_on_their_number(variant: str) -> None:
    rules = get_rules(variant)
    decks = decks_from_seed(0, 50, rules)
    assert np.all(np.sort(decks.cards, axis=1) == rules.pack)
    assert len(set(decks.ids)) == 50
    assert len(set(decks.seeds.tolist())) == 50
    assert np.array_equal(decks_from_seed(0, 7, rules).cards, decks.cards[:7])
    assert not np.array_equal(decks_from_seed(1, 7, rules).cards, decks.cards[:7])


@pytest.mark.parametrize("variant", variants())
def test_records_replay_to_the_scores_of_their_pair(variant: str) -> None:
    decks = decks_of(variant, 3, 5)
    overrides = (
        {"cut_bonus": "on"} if variant == "chinese" else None
    )  # the cut, too, is the same in both games
    result = play_pairs(
        make_agent("greedy"), make_agent("random"), decks, variant=variant, overrides=overrides, records=2
    )
    assert len(result.records) == 4
    for number, record in enumerate(result.records):
        game = Game.replay(json.loads(json.dumps(record)))
        pair, swapped = divmod(number, 2)
        own, other = result.scores[pair, swapped]
        assert game.scores == ((own, other) if swapped == 0 else (other, own))
        assert game.draws == "queues"
        assert record["deals"][0]["deck"] == [game.cards.texts[c] for c in decks.cards[pair]]


def test_a_file_of_decks_gives_the_same_games_as_the_seed_that_made_them(tmp_path: Path) -> None:
    decks = decks_from_seed(8, 6)
    path = tmp_path / "decks.json"
    path.write_text(json.dumps([[CARD_TEXTS[c] for c in row] for row in decks.cards]))
    again = read_decks(path)
    with pytest.raises(DecksError, match="deck 0: 64 cards, which are not 4 whole packs"):
        read_decks(path, get_rules("rubicon"))
    with pytest.raises(DecksError, match="deck 0: 64 cards, which are not one whole pack"):
        read_decks(path, get_rules("belote"))
    assert again.ids == decks.ids
    first = play_pairs(make_agent("greedy"), make_agent("random"), decks)
    second = play_pairs(make_agent("greedy"), make_agent("random"), again)
    assert np.array_equal(first.scores, second.scores)


@pytest.mark.parametrize(
    ("content", "words"),
    [("{", "no file of decks"), ("[]", "no list"), ('[["AS"]]', "deck 0: 1 cards"), ('[["ZS"]]', "deck 0")],
)
def test_a_wrong_file_of_decks_is_refused(tmp_path: Path, content: str, words: str) -> None:
    path = tmp_path / "decks.json"
    path.write_text(content)
    with pytest.raises(DecksError, match=words):
        read_decks(path)


def test_the_table_of_pairs_has_one_row_for_each(tmp_path: Path) -> None:
    decks = decks_from_seed(3, 5)
    result = play_pairs(make_agent("greedy"), make_agent("random"), decks)
    write_pairs(tmp_path / "pairs.csv", [result])
    with (tmp_path / "pairs.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["deck"] for row in rows] == decks.ids
    for row, points in zip(rows, result.points, strict=True):
        own, other = int(row["own_0"]) + int(row["own_1"]), int(row["other_0"]) + int(row["other_1"])
        assert (own - other) / 2 == float(row["points_per_deal"]) == points


def test_other_rules_are_played_as_asked() -> None:
    decks = Decks(decks_from_seed(3, 10).cards, "test")
    normal = play_pairs(make_agent("greedy"), make_agent("random"), decks)
    finnish = play_pairs(make_agent("greedy"), make_agent("random"), decks, rules="finnish", records=1)
    assert not np.array_equal(normal.scores, finnish.scores)
    assert finnish.records[0]["rules"]["preset"] == "finnish"


def test_a_recipe_makes_the_decks_of_its_seed_and_tells_when_they_changed(tmp_path: Path) -> None:
    rules = get_rules("belote")
    path = tmp_path / "decks.json"
    recipe = recipe_of(rules, 12, 9)
    path.write_text(json.dumps(recipe))
    assert np.array_equal(read_decks(path, rules).cards, decks_from_seed(12, 9, rules).cards)
    for change, words in (
        ({"hash": "0" * 16}, "hash: found '0000000000000000'"),
        ({"count": 8}, "seed 12 gives 8 decks with the hash"),
        ({"count": "8"}, "count: found '8'; it must be a whole number"),
        ({"variant": "belot"}, "did you mean 'belote'"),
        ({"variant": "two_pack", "preset": "standard"}, "these decks are for two_pack, not for belote"),
        ({"preset": "hoile"}, "did you mean 'hoyle'"),
        ({"format": "decks/0"}, "allowed: bezique-decks/1"),
        ({"sed": 1}, "sed: unknown key; did you mean 'seed'"),
    ):
        path.write_text(json.dumps({**recipe, **change}))
        with pytest.raises(DecksError, match=words) as caught:
            read_decks(path, rules)
        assert str(path) in str(caught.value)
    path.write_text(json.dumps({key: value for key, value in recipe.items() if key != "seed"}))
    with pytest.raises(DecksError, match="seed: this key of a recipe for decks is missing"):
        read_decks(path, rules)


class Peeps:
    """Plays its first legal action, and its last where the other seat's hidden hand holds a king."""

    name = "peeps"
    cheats = True

    def act_states(self, games, rules, masks, keys):  # type: ignore[no-untyped-def]
        assert len(games) == len(masks) == len(keys) and rules.variant == "two_pack"
        other = games["hand"][np.arange(len(games)), 1 - games["to_act"].astype(int)]
        kings = other[:, 5::8].sum(axis=1) > 0
        return np.where(kings, 95 - masks[:, ::-1].argmax(axis=1), masks.argmax(axis=1))


def test_an_agent_that_sees_all_cards_is_asked_with_states() -> None:
    result = play_pairs(Peeps(), make_agent("random"), decks_from_seed(2, 4))  # type: ignore[arg-type]
    assert result.points.shape == (4,)
    assert play_pairs(Peeps(), Peeps(), decks_from_seed(2, 4)).points.tolist() == [0.0] * 4  # type: ignore[arg-type]
