"""The native learners: same bytes again, also when stopped; opponents, endings, networks as the config says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from agents.endgame.strict import in_strict_phase
from agents.registry import make_agent
from bezique_env.encoding import observation_size
from experiments.checkpoint import checkpoints_in, file_hash, pack_array, read_checkpoint, unpack_array
from experiments.config import ExperimentConfig, load_config
from experiments.learn.learner import PastSelf, checkpoint_agent
from experiments.learn.networks import ActionNetwork, CardEmbedding
from experiments.learn.ppo import PPO
from experiments.learn.selfplay import Asked, SelfPlay
from experiments.learning_times import learning_times
from experiments.stopping import Interrupted
from experiments.train import train

TINY = [
    "algorithm.total_steps=1500",
    "algorithm.num_envs=8",
    "algorithm.batch_size=256",
    "algorithm.net_arch=[16, 16]",
    "checkpoint_every=500",
    "evaluation.deal_pairs=5",
    "evaluation.records=1",
    "evaluation.resamples=99",
]
ALGORITHMS = ("ppo", "dmc")


def tiny(algorithm: str, *more: str) -> ExperimentConfig:
    name = {"ppo": "smoke/two_pack_selfplay", "dmc": "smoke/two_pack_dmc"}[algorithm]
    return load_config(name, [*TINY, *more])


def run(folder: Path, config: ExperimentConfig) -> tuple[str, str]:
    """Return the hash of the last checkpoint and the metrics."""
    folder.mkdir(exist_ok=True)
    result = train(config, folder, resume=True)
    return file_hash(result.checkpoint), (folder / "metrics.jsonl").read_text()


@pytest.mark.parametrize(
    ("algorithm", "more"),
    [
        ("ppo", []),
        (
            "ppo",
            ["opponents={self: 2, past: 1, greedy: 1}", "algorithm.critic=open", "algorithm.magnet_coef=0.1"],
        ),
        ("ppo", ["algorithm.imitate=greedy", "algorithm.imitate_steps=600", "algorithm.endgame=exact"]),
        ("dmc", ["opponents={self: 1, past: 1, random: 1}", "algorithm.critic=open"]),
        ("dmc", ["algorithm.torso=residual", "algorithm.card_embedding=3"]),
    ],
)
def test_equal_runs_give_equal_bytes_also_when_stopped_twice(
    tmp_path: Path, algorithm: str, more: list[str]
) -> None:
    config = tiny(algorithm, *more)
    torch.manual_seed(99)  # neither torch's global generator nor what ran before matters
    once = run(tmp_path / "once", config)
    (tmp_path / "again").mkdir()
    for stop in (1, 700):
        with pytest.raises(Interrupted):
            train(config, tmp_path / "again", resume=True, stop_after=stop)
    assert run(tmp_path / "again", config) == once
    assert run(tmp_path / "other", config.model_copy(update={"seed": 2}))[0] != once[0]


def test_a_checkpoint_that_was_taken_because_the_run_stopped_is_nobodys_opponent(tmp_path: Path) -> None:
    config = tiny("dmc", "opponents={past: 1}", "algorithm.num_envs=4")
    with pytest.raises(Interrupted):
        train(config, tmp_path, stop_after=1)
    first, stopped = checkpoints_in(tmp_path / "checkpoints")
    assert read_checkpoint(first)["league"] == [0] == read_checkpoint(stopped)["league"]
    train(config, tmp_path, resume=True)
    *_, last = checkpoints_in(tmp_path / "checkpoints")
    league, regular = read_checkpoint(last)["league"], [500, 1000, 1500]
    assert league[0] == 0 and read_checkpoint(stopped)["steps"] not in league
    for number, steps in zip(regular, league[1:], strict=True):
        assert number <= steps < number + 500


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_past_plays_where_endings_are_exact_too(tmp_path: Path, algorithm: str) -> None:
    """A policy that was trained with exact endings has to be told the rules before it plays them."""
    train(tiny(algorithm, "opponents={past: 1}", "algorithm.endgame=exact"), tmp_path)
    assert "rollout/return_mean_against/past" in (tmp_path / "metrics.jsonl").read_text()


def test_the_past_keeps_its_last_checkpoints(tmp_path: Path) -> None:
    past = PastSelf(2)
    for steps in (0, 10, 20):
        past.add(tmp_path / f"step_{steps:012d}.pt")
    assert past.steps == [10, 20]


@pytest.mark.parametrize("opponents", ["{self: 1}", "{greedy: 1}", "{self: 1, random: 2}"])
def test_rewards_sum_to_what_a_seat_earned_since_its_first_decision(opponents: str) -> None:
    """By another way: rewards of a seat's chain of decisions against the score lines of the same games."""
    games = SelfPlay(tiny("ppo", f"opponents={opponents}"), PastSelf(1))
    batch, seats_of, rows_of, scores_at = games.batch, [], [], []

    def decide(asked: Asked) -> np.ndarray:
        seat = batch.seat[asked.rows].copy()
        points = batch.scores[asked.rows].astype(np.int64)
        rows_of.append(asked.rows)
        seats_of.append(seat)
        scores_at.append(points[np.arange(len(seat)), seat] - points[np.arange(len(seat)), 1 - seat])
        return make_agent("random").act(
            batch.views(asked.rows), batch.mask[asked.rows], batch.keys(0, asked.rows)
        )

    rollout = games.play(decide, np.random.default_rng(4))
    rows, seats, lead = (np.concatenate(parts) for parts in (rows_of, seats_of, scores_at))
    final = batch.scores.astype(np.int64)
    end = final[rows, seats] - final[rows, 1 - seats]
    np.testing.assert_array_equal(rollout.returns(), end - lead)
    after = rollout.next
    goes_on = np.flatnonzero(after >= 0)
    assert np.array_equal(rows[after[goes_on]], rows[goes_on]) and np.array_equal(
        seats[after[goes_on]], seats[goes_on]
    )
    np.testing.assert_array_equal(rollout.reward[goes_on], lead[after[goes_on]] - lead[goes_on])
    both = {row: set(seats[rows == row].tolist()) for row in range(batch.num_games)}
    if opponents == "{self: 1}":
        assert all(seen == {0, 1} for seen in both.values())
    if opponents == "{greedy: 1}":
        assert all(len(seen) == 1 for seen in both.values())
        assert {next(iter(seen)) for seen in both.values()} == {0, 1}


def test_with_exact_endings_the_learner_is_never_asked_in_the_strict_phase() -> None:
    def ever_asked(endgame: str) -> bool:
        games, seen = SelfPlay(tiny("ppo", f"algorithm.endgame={endgame}"), PastSelf(1)), []

        def decide(asked: Asked) -> np.ndarray:
            seen.append(in_strict_phase(games.batch.games["phase"][asked.rows], "two_pack").any())
            return asked.mask.argmax(1)

        games.play(decide, np.random.default_rng(1))
        return any(seen)

    assert ever_asked("own") and not ever_asked("exact")


def test_an_open_critic_sees_what_the_other_seat_sees() -> None:
    games = SelfPlay(tiny("ppo", "algorithm.critic=open"), PastSelf(1), both_views=True)
    size = observation_size("two_pack")
    checked = []

    def decide(asked: Asked) -> np.ndarray:
        row = int(asked.rows[0])
        game = games.batch.game(row)
        np.testing.assert_array_equal(asked.observation[0], game.observation(game.seat_to_act))
        np.testing.assert_array_equal(asked.other[0], game.observation(1 - game.seat_to_act))
        assert asked.other.shape == (len(asked.rows), size)
        checked.append(row)
        return asked.mask.argmax(1)

    games.play(decide, np.random.default_rng(1))
    assert len(checked) > 40


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize(
    "more",
    [[], ["algorithm.torso=residual", "algorithm.net_arch=[16, 16, 16]"], ["algorithm.card_embedding=4"]],
)
def test_what_was_learned_plays_as_the_network_says(tmp_path: Path, algorithm: str, more: list[str]) -> None:
    config = tiny(algorithm, *more)
    path = train(config, tmp_path).checkpoint
    network = ActionNetwork(config.variant, config.algorithm, 1.0)
    network.load_state_dict(read_checkpoint(path)["policy"])
    agent = make_agent(f'policy("{path}")')
    agrees = []

    games = SelfPlay(config, PastSelf(1))

    def decide(asked: Asked) -> np.ndarray:
        with torch.no_grad():
            numbers = network(torch.from_numpy(asked.observation)).numpy()
        best = np.where(asked.mask, numbers, -np.inf).argmax(1)
        batch = games.batch
        agrees.append(
            agent.act(batch.views(asked.rows), batch.mask[asked.rows], batch.keys(0, asked.rows)) == best
        )
        return best

    games.play(decide, np.random.default_rng(1))
    assert np.concatenate(agrees).mean() > 0.999  # two sums of the same numbers may differ in the last bit


def test_action_values_are_no_probabilities_so_the_past_plays_the_best_of_them(tmp_path: Path) -> None:
    path = train(tiny("dmc"), tmp_path).checkpoint
    assert checkpoint_agent(path).name == f"policy({path})" or "sample" not in checkpoint_agent(path).name


def test_an_embedding_shares_its_weights_among_suits() -> None:
    embedding = CardEmbedding("two_pack", 3)
    suits, others = embedding.get_buffer("suits"), embedding.get_buffer("others")
    size = observation_size("two_pack")
    assert sorted([*suits.flatten().tolist(), *others.tolist()]) == list(range(size))
    row = torch.zeros(1, size)
    row[0, suits[0]] = torch.arange(suits.shape[1], dtype=torch.float32)
    swapped = torch.zeros(1, size)
    swapped[0, suits[2]] = torch.arange(suits.shape[1], dtype=torch.float32)
    out, out_swapped = embedding(row)[0], embedding(swapped)[0]
    torch.testing.assert_close(out[0:3], out_swapped[6:9])
    assert embedding.outputs == 12 + len(others) == len(out)


def test_a_magnet_that_stays_holds_the_policy_near_its_beginning() -> None:
    def distance(coefficient: float) -> float:
        config = tiny(
            "ppo", f"algorithm.magnet_coef={coefficient}", "algorithm.magnet_rate=0", "algorithm.ent_coef=0"
        )
        with torch.random.fork_rng():
            learner = PPO(config, PastSelf(1))
            return [learner.iterate().figures["train/magnet_kl"] for _ in range(6)][-1]

    assert distance(5.0) < 0.5 * distance(1e-9)


def test_packed_arrays_come_back(tmp_path: Path) -> None:
    for array in (np.zeros((3, 5), np.float32), np.arange(7), np.zeros((0, 4), np.float32)):
        again = unpack_array(pack_array(array))
        assert again.dtype == array.dtype and np.array_equal(again, array)


def test_times_are_told_beside_the_bare_network() -> None:
    rows = learning_times(rounds=1, overrides=tuple(TINY[1:4]))
    assert [row.what for row in rows] == [
        "native PPO, both seats",
        "bare network beside native PPO, both seats",
        "MaskablePPO, one seat",
        "bare network beside MaskablePPO, one seat",
    ]
    assert all(row.microseconds > 0 for row in rows)
    assert rows[0].times_bare > 1 < rows[2].times_bare
