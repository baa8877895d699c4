"""The rule-based player of the Bezique family: weights that are data, and what it does where that is plain."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from agents.registry import make_agent
from agents.scripted.duel import duel
from agents.scripted.expert.weights import WeightsError, read_weights, weight_names, weights_text
from agents.scripted.policies import expert_weights, weight_groups
from bezique_env.game import Game
from bezique_env.rules import get_rules
from bezique_env.rules.bezique.variants import VARIANTS
from experiments.evaluation import decks_from_seed, play_pairs
from tests.agents.test_greedy import position


def choice(game: Game, weights: str = "") -> str:
    seat = game.seat_to_act
    agent = make_agent(f"expert(weights={weights})" if weights else "expert")
    action = int(agent.act(game.view_record(seat), game.legal_mask(seat)[None], np.zeros(1, np.uint64))[0])
    return game.action_text(action)


# ----------------------------------------------------------------------------------------------- weights


@pytest.mark.parametrize("variant", VARIANTS)
def test_shipped_weights_are_whole_and_written_as_they_are_read(variant: str, tmp_path: Path) -> None:
    groups = weight_groups(variant)
    values = expert_weights(variant).values
    assert len(values) == len(weight_names(groups)) and np.isfinite(values).all()
    path = tmp_path / "weights.yaml"
    path.write_text(weights_text(groups, values, "a head\nof two lines"), encoding="utf-8")
    assert np.allclose(read_weights(path, groups), values, rtol=1e-3)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("  nine:", "  nein:"), ["plain", "unknown weight 'nein'", "did you mean 'nine'?"]),
        (("tempo:", "temp:"), ["unknown group 'temp'", "did you mean 'tempo'?"]),
        (("  single:", "  # single:"), ["bezique", "'single' is missing"]),
        (("  royal:", "  royal: yes #"), ["marriage", "royal", "is no finite number"]),
        (("  royal:", "  royal: .inf #"), ["marriage", "royal", "is no finite number"]),
        (("plain:", "plain: ["), ["no file of weights"]),
    ],
)
def test_a_file_of_weights_that_is_wrong_is_refused(
    change: tuple[str, str], words: list[str], tmp_path: Path
) -> None:
    groups = weight_groups("two_pack")
    path = tmp_path / "weights.yaml"
    text = weights_text(groups, expert_weights("two_pack").values)
    assert change[0] in text
    path.write_text(text.replace(*change, 1), encoding="utf-8")
    with pytest.raises(WeightsError) as refused:
        read_weights(path, groups)
    for word in (str(path), *words):
        assert word in str(refused.value)


def test_a_file_of_weights_is_what_the_agent_plays_by(tmp_path: Path) -> None:
    groups = weight_groups("two_pack")
    names = weight_names(groups)
    values = expert_weights("two_pack").values.copy()
    game = position("lead", ["QS 7C 8C 9C 7D 8D 9D 9S", "7S 8S JD JC JS KC KD QD"])
    assert choice(game) != "play QS"
    values[names.index("bezique.single")] = -50.0  # a queen that waits for the jack is a burden now
    path = tmp_path / "odd.yaml"
    path.write_text(weights_text(groups, values), encoding="utf-8")
    assert choice(game, str(path)) == "play QS"
    with pytest.raises(WeightsError, match="no file of weights"):
        make_agent("expert(weights=nowhere.yaml)").act(
            game.view_record(0), game.legal_mask(0)[None], np.zeros(1, np.uint64)
        )


# ------------------------------------------------------------------------------------------------- matches


def test_the_compiled_match_gives_the_results_of_pairs_played_one_decision_at_a_time() -> None:
    decks = decks_from_seed(3, 12)
    own = expert_weights("two_pack")
    for name in ("greedy", "expert"):
        second = None if name == "greedy" else own
        scores = duel(get_rules("two_pack"), decks.cards, decks.dealers, decks.seeds, own, second)
        assert np.array_equal(scores, play_pairs(make_agent("expert"), make_agent(name), decks).scores)
        assert name == "greedy" or np.array_equal(scores[:, 0], scores[:, 1, ::-1])


@pytest.mark.parametrize(("variant", "pairs", "points"), [("two_pack", 200, 25), ("rubicon", 40, 100)])
def test_beats_greedy(variant: str, pairs: int, points: int) -> None:
    decks = decks_from_seed(8, pairs, get_rules(variant))
    played = play_pairs(make_agent("expert"), make_agent("greedy"), decks, variant=variant)
    assert played.points.mean() > points


# --------------------------------------------------------------------------------------- single decisions


def test_a_bezique_card_is_kept_while_its_partner_may_come() -> None:
    game = position("lead", ["QS 7C 8C 9C 7D 8D 9D 9S", "7S 8S JD JC JS KC KD QD"])
    assert choice(game) != "play QS"


def test_small_before_large_with_windows_left() -> None:
    """H5: marriage before sequence, single before double bezique, while much of the stock is left."""
    other = "7C 8C 9D 7D JC JS 9H"
    assert choice(position("declare", ["KH QH AH TH JH 7S 8S", other])) == "marriage H"
    assert choice(position("declare", ["QS QS JD JD 7S 8S 9S", other])) == "bezique 1"


def test_a_brisque_that_is_led_is_captured_with_a_card_of_no_other_use() -> None:
    """H3: 20 points change hands."""
    game = position("follow", ["AC 7D 8D 9D 7S 8S 9S 8D", "7H 8H JD JC JS KC KD"], trick=[[1, "TC"]])
    assert choice(game) == "play AC"


def test_records_that_are_no_views_are_refused() -> None:
    wrong = np.zeros(1, np.dtype([("seat", "u1")]))
    with pytest.raises(ValueError, match="views of no variant"):
        make_agent("expert").act(wrong, np.ones((1, 4), np.int8), np.zeros(1, np.uint64))
