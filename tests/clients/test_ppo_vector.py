"""PPO in one file over the vector environment: its advantages, its reset steps, its checkpoint, and that it learns."""

from __future__ import annotations

import dataclasses
import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

pytest.importorskip("torch")
pytest.importorskip("agents.registry")

import torch

from agents.registry import make_agent
from bezique_env.encoding import observation_size
from bezique_env.engine.engines import engine_of
from bezique_env.rules import get_rules
from experiments import ppo_vector
from experiments.checkpoint import read_checkpoint, tensors_hash
from experiments.evaluation import decks_from_seed, play_pairs
from experiments.ppo_vector import NEVER, Config, Network, advantages, train
from tests.envs.cases import ENV_IDS

TINY = Config(variant="mini_bezique", num_envs=16, num_steps=8, total_steps=256, width=16, minibatch=64)


def test_advantages_of_a_game_of_three_steps():
    rewards = torch.tensor([[0.0], [0.0], [1.0]])
    values = torch.tensor([[0.5], [0.25], [0.75]])
    ended = torch.tensor([[False], [False], [True]])
    last = torch.tensor([9.0])  # of another game
    # lambda 1: the return minus the value; lambda 0: one step.
    assert advantages(rewards, values, ended, last, 1.0, 1.0).T.tolist() == [[0.5, 0.75, 0.25]]
    assert advantages(rewards, values, ended, last, 1.0, 0.0).T.tolist() == [[-0.25, 0.5, 0.25]]
    # Cut off in the middle of a game, the rest is worth what the value says.
    open_end = torch.zeros_like(ended)
    assert advantages(rewards, values, open_end, last, 1.0, 1.0)[2].item() == 1.0 + 9.0 - 0.75
    assert advantages(rewards, values, open_end, last, 0.5, 1.0)[2].item() == 1.0 + 4.5 - 0.75


def test_what_a_reset_step_holds_reaches_no_decision():
    """Steps: a decision, the end, the reset, a decision of the next game."""
    rewards, values = torch.tensor([[0.0], [2.0], [0.0], [1.0]]), torch.tensor([[1.0], [1.0], [3.0], [4.0]])
    ended = torch.tensor([[False], [True], [False], [False]])
    one = advantages(rewards, values, ended, torch.tensor([5.0]), 1.0, 0.95)
    rewards[2], values[2] = 1e6, -1e6
    two = advantages(rewards, values, ended, torch.tensor([5.0]), 1.0, 0.95)
    assert torch.equal(one[[0, 1, 3]], two[[0, 1, 3]]) and one[2] != two[2]


def test_an_ended_row_is_followed_by_a_reset_step():
    """What the program relies on: one step without a decision after each end, with reward 0 and no legal action."""
    env = gymnasium.make_vec(ENV_IDS["mini_bezique"], 8, opponent="random", reward="dense", illegal="raise")
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    _, infos = env.reset(seed=0)
    over, resets = np.zeros(8, bool), 0
    for _ in range(60):
        mask = infos["action_mask"]
        assert not mask[over].any() and mask[~over].any(axis=1).all()
        _, rewards, ended, truncated, infos = env.step(mask.argmax(axis=1))
        assert not rewards[over].any() and not ended[over].any() and not truncated.any()
        resets += over.sum()
        over = ended
    assert resets > 20


def test_the_network_never_chooses_what_is_illegal_and_stands_rows_without_choice():
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        network = Network(5, 7, 8)
    generator = torch.Generator().manual_seed(0)
    mask = torch.rand(2000, 7, generator=generator) < 0.3
    mask[:10] = False
    log_probs, value = network(torch.randn(2000, 5, generator=generator), mask)
    assert torch.isfinite(log_probs).all() and value.shape == (2000,)
    drawn = torch.multinomial(log_probs.exp(), 1, generator=generator)
    some = mask.any(dim=1)
    assert mask[some].gather(1, drawn[some]).all()
    assert (log_probs[some][~mask[some]] <= NEVER / 2).all()
    assert torch.allclose(log_probs[:10].exp(), torch.full((10, 7), 1 / 7))


@pytest.mark.parametrize("variant", ["mini_bezique", "mini_belote", "belote"])
def test_a_seed_gives_the_same_policy_and_leaves_torch_alone(variant, tmp_path):
    config = dataclasses.replace(TINY, variant=variant, seed=3)
    before, threads, told = torch.get_rng_state(), torch.get_num_threads(), []
    paths = [train(dataclasses.replace(config, out=tmp_path / name), told.append) for name in "ab"]
    assert torch.equal(before, torch.get_rng_state()) and threads == torch.get_num_threads()
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert told[:2] == told[2:] and "return against random" in told[0]
    other = train(dataclasses.replace(config, out=tmp_path / "c", seed=4), told.append)
    hashes = [tensors_hash(read_checkpoint(path)["policy"]) for path in (paths[0], other)]
    assert hashes[0] != hashes[1]


def test_the_checkpoint_plays(tmp_path):
    train(dataclasses.replace(TINY, out=tmp_path), lambda line: None)
    agent = make_agent(f"policy({tmp_path})")  # the folder, as `bezique tournament` is given it
    decks = decks_from_seed(0, 20, get_rules("mini_bezique"))
    assert play_pairs(agent, make_agent("random"), decks, variant="mini_bezique").scores.shape == (20, 2, 2)
    # The compiled policy is the network: equal choices on equal observations.
    network = Network(observation_size("mini_bezique"), engine_of("mini_bezique").actions.size, 16)
    network.load_state_dict(read_checkpoint(next(tmp_path.glob("checkpoints/*.pt")))["policy"])
    env = gymnasium.make_vec(ENV_IDS["mini_bezique"], 64, opponent="random")
    rows, infos = env.reset(seed=1)
    batch = env.unwrapped.core.batch
    ours = agent.act(batch.views(np.arange(64)), infos["action_mask"], np.zeros(64, np.uint64))
    with torch.no_grad():
        log_probs, _ = network(torch.from_numpy(rows), torch.from_numpy(infos["action_mask"]).bool())
    assert (log_probs.argmax(dim=1).numpy() == ours).mean() > 0.98  # sums in another order may tie otherwise


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"variant": "two_packs"}, "two_pack"),
        ({"rules": "qj4"}, "did you mean"),
        ({"opponent": "greddy"}, "greedy"),
    ],
)
def test_mistakes_are_named(change, words, tmp_path):
    with pytest.raises(ValueError, match=words):
        train(dataclasses.replace(TINY, out=tmp_path, **change))
    assert not list(tmp_path.iterdir())


def test_the_command_line_has_every_field(tmp_path):
    def run(*arguments):
        command = [sys.executable, "-m", ppo_vector.__name__, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    text = run("--help")
    for field in dataclasses.fields(Config):
        assert f"--{field.name.replace('_', '-')}" in text
    small = ("--num-envs", "8", "--num-steps", "4", "--total-steps", "32", "--width", "8")
    text = run("--variant", "mini_belote", *small, "--out", str(tmp_path))
    assert "return against random" in text and "bezique tournament" in text
    assert list(tmp_path.glob("checkpoints/step_000000000032.pt"))


@pytest.mark.slow
def test_it_learns_to_beat_random(tmp_path):
    config = Config(variant="two_pack", total_steps=150_000, num_envs=256, num_steps=32, seed=1, out=tmp_path)
    lines = []
    checkpoint = train(config, lines.append)
    decks = decks_from_seed(7, 400, get_rules("two_pack"))
    pairs = play_pairs(make_agent(f"policy({checkpoint})"), make_agent("random"), decks)
    points = pairs.summary(0.99, 999).points
    assert points.low > 0, (points, lines)
