"""The PettingZoo environment: our battery, rewards, seeds, copies, illegal actions (tests of others: tests/clients)."""

from __future__ import annotations

import copy
import itertools
import pickle
import subprocess
import sys

import numpy as np
import pytest
from pettingzoo.utils.env_logger import EnvLogger

from bezique_env import two_pack_v0
from bezique_env.game import IllegalAction
from bezique_env.rules.families import family_of
from tests.envs.battery import fast_game, play_and_check
from tests.envs.cases import (
    EPISODES,
    MODULES,
    REWARDS,
    every_override,
    every_preset,
    every_variant,
    start_of,
)


@pytest.fixture(autouse=True)
def quiet_logger():
    EnvLogger.suppress_output()
    yield
    EnvLogger.unsuppress_output()


@every_preset
@pytest.mark.parametrize("episode", EPISODES)
def test_battery(variant, preset, episode):
    rng = start_of(variant, preset)
    small = variant == "two_pack"
    for reward in REWARDS:
        env = MODULES[variant].env(rules=preset, episode=episode, reward=reward)
        for seed in range(3 if small and episode == "deal" else 1):
            play_and_check(env, seed, rng, reward, every=(1 if small else 3) if episode == "deal" else 7)


@every_override
def test_battery_with_overrides(variant, options):
    rng = np.random.default_rng(8)
    for draws, dealer in itertools.product(("shared", "queues"), (0, 1)):
        env = MODULES[variant].raw_env(overrides=options, reward="dense", draws=draws, dealer=dealer)
        for seed in range(4 if variant == "two_pack" else 1):
            play_and_check(env, seed, rng, "dense", every=3)
            assert env.game.dealer == dealer
            assert env.game.draws == draws


def _delivered_equals_return(variant, reward, games, episode="deal", **overrides):
    """Compare in so many games; return in how many the deal itself scored."""
    env = MODULES[variant].raw_env(reward=reward, episode=episode, overrides=overrides)
    rng = np.random.default_rng(1)
    scored_by_the_deal = 0
    for game in range(games):
        delivered = fast_game(env, None if game else 0, rng)
        assert delivered == tuple(map(float, env.game.returns(reward)))
        scored_by_the_deal += any(event.action_index == -1 for event in env.game.events)
    return scored_by_the_deal


@pytest.mark.parametrize("reward", REWARDS)
def test_delivered_rewards_sum_to_the_return(reward):
    assert _delivered_equals_return("two_pack", reward, 120, dealer_seven=10) > 3
    _delivered_equals_return("two_pack", reward, 4, "match", dealer_seven=10)
    _delivered_equals_return("rubicon", reward, 8)
    assert _delivered_equals_return("chinese", reward, 25, cut_bonus="on") > 0
    _delivered_equals_return("eight_pack", reward, 4)
    _delivered_equals_return("fildinski", reward, 20)
    _delivered_equals_return("fildinski", reward, 2, "match")
    _delivered_equals_return("belote", reward, 40)
    _delivered_equals_return("belote", reward, 4, "match", two_hand_tie="hold_over")


@pytest.mark.slow
@every_variant
@pytest.mark.parametrize("reward", REWARDS)
def test_delivered_rewards_sum_to_the_return_over_many_games(variant, reward):
    options = {"two_pack": {"dealer_seven": 10}, "chinese": {"cut_bonus": "on"}}.get(variant, {})
    games = 4_000 if variant == "two_pack" else 1_000
    found = _delivered_equals_return(variant, reward, games, **options)
    assert found > games // 12 or not options
    _delivered_equals_return(variant, reward, 100 if variant == "two_pack" else 30, "match", **options)


def test_the_cut_is_set_by_reset_and_delivered_with_the_first_step():
    env = MODULES["chinese"].raw_env(overrides={"cut_bonus": "on"}, reward="dense", dealer=1)
    for cut, (first, second) in (
        ((24, 24), (150, 250)),
        ((24, 20), (0, 250)),
        ((17, 17), (150, 0)),
        ((17, 18), (0, 0)),
    ):
        env.reset(seed=3, options={"cut": cut})
        assert env.game.scores == (first, second)
        assert not any(env.rewards.values()) and env.last()[1] == 0
        env.step(int(np.flatnonzero(env.last()[4]["action_mask"])[0]))
        own, other = env.game.scores
        assert tuple(env.rewards.values()) == (own - other, other - own)
    env = MODULES["chinese"].raw_env()
    env.reset(seed=3, options={"cut": (24, 24)})
    assert env.game.scores == (0, 0), "without the cut bonus this is an option like any unknown one"


def test_dense_points_arrive_at_the_next_own_decision():
    """What a seat's own action scores is delivered at that seat's next decision, and so is what it lost meanwhile."""
    env = two_pack_v0.raw_env(reward="dense")
    rng = np.random.default_rng(3)
    for seed in range(30):
        env.reset(seed=seed)
        told = dict.fromkeys(env.agents, 0.0)
        turned = env.game.scores[0] - env.game.scores[1]
        first = True
        while env.agents:
            agent = env.agent_selection
            seat = env.possible_agents.index(agent)
            _, got, terminated, _, info = env.last()
            told[agent] += got
            difference = env.game.scores[seat] - env.game.scores[1 - seat]
            # From the first step on, at a decision (or the end) a seat has been told all that has happened.
            assert told[agent] == (0.0 if first else difference)
            first = False
            env.step(None if terminated else int(rng.choice(np.flatnonzero(info["action_mask"]))))
        assert abs(turned) in (0, 10)


def test_seeds():
    deals = {}
    for seed in (0, 1, 2, 2**63, 2**64 - 1):
        env = two_pack_v0.env()
        env.reset(seed=seed)
        deals[seed] = env.unwrapped.game.to_record()["deals"][0]["deck"]
        assert env.unwrapped.game.seed == seed
        env.reset()
        after = env.unwrapped.game.seed
        env.reset(seed=seed)
        assert env.unwrapped.game.to_record()["deals"][0]["deck"] == deals[seed]
        env.reset()
        assert env.unwrapped.game.seed == after, "what follows a seeded reset is determined by the seed"
    assert len({tuple(deck) for deck in deals.values()}) == len(deals)
    for wrong in (-1, 2**64):
        with pytest.raises(ValueError):
            two_pack_v0.env().reset(seed=wrong)


def test_resets_without_a_seed_differ():
    first, second = two_pack_v0.env(), two_pack_v0.env()
    seeds = set()
    for _ in range(20):
        for env in (first, second):
            env.reset()
            seeds.add(env.unwrapped.game.seed)
    assert len(seeds) == 40


def test_two_envs_in_turn_equal_two_envs_alone():
    def transcript(env, rng, steps):
        for _ in range(steps):
            observation, *_, info = env.last()
            yield observation["observation"].tobytes()
            env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))

    alone = []
    for seed in (4, 5):
        env = two_pack_v0.env()
        env.reset(seed=seed)
        alone.append(list(transcript(env, np.random.default_rng(seed), 40)))
    pair = [two_pack_v0.env(), two_pack_v0.env()]
    for env, seed in zip(pair, (4, 5), strict=True):
        env.reset(seed=seed)
    runs = [transcript(env, np.random.default_rng(seed), 40) for env, seed in zip(pair, (4, 5), strict=True)]
    together = list(zip(*runs, strict=True))
    assert [list(run) for run in zip(*together, strict=True)] == alone


@every_variant
def test_reset_options(variant):
    env = MODULES[variant].env(dealer=0)
    env.reset(seed=1)
    deck = env.unwrapped.game.to_record()["deals"][0]["deck"]
    rules = env.unwrapped.game.rules
    env.reset(seed=2, options={"deck": deck[::-1], "dealer": 1, "options": 1, "unknown": None})
    assert env.unwrapped.game.to_record()["deals"][0]["deck"] == deck[::-1]
    assert env.unwrapped.game.dealer == 1
    assert env.agent_selection == "player_0"
    env.reset(seed=2)
    assert env.unwrapped.game.dealer == 0, "options hold for one reset"
    assert env.unwrapped.game.to_record()["deals"][0]["deck"] != deck[::-1]
    assert env.unwrapped.game.rules == rules and env.unwrapped.game.rules.hash == rules.hash
    with pytest.raises(ValueError, match="deck"):
        env.reset(options={"deck": deck[:-1]})


def test_reset_keeps_options():
    env = two_pack_v0.env(
        rules="finnish", overrides={"target": 1500}, episode="match", reward="win", draws="queues"
    )
    for _ in range(3):
        env.reset()
        game = env.unwrapped.game
        assert (game.rules.preset, game.rules.target, game.episode, game.draws) == (
            "finnish",
            1500,
            "match",
            "queues",
        )


@every_variant
@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("name", ["env", "raw_env"])
@pytest.mark.parametrize("episode", EPISODES)
def test_copies_keep_the_game(variant, duplicate, name, episode):
    env = getattr(MODULES[variant], name)(episode=episode, reward="dense")
    env.reset(seed=11)
    rng = np.random.default_rng(0)

    def advance(one, actions):
        seen = []
        for draw in actions:
            if not one.agents:
                break
            observation, got, terminated, _, info = one.last()
            legal = np.flatnonzero(info["action_mask"])
            action = None if terminated else int(legal[int(draw * len(legal))])
            seen.append((one.agent_selection, action, got, observation["observation"].tobytes()))
            one.step(action)
        return seen, dict(one.rewards)

    advance(env, rng.random(25))
    twin = duplicate(env)
    rest = rng.random(3000)
    ours = advance(env, rest)
    assert ours == advance(twin, rest), "the copy goes on as the original did"
    assert not env.agents and not twin.agents
    if episode == "deal":
        assert env.unwrapped.game.to_record() == twin.unwrapped.game.to_record()
    env.reset()
    twin.reset()
    assert env.unwrapped.game.seed == twin.unwrapped.game.seed


def test_a_finished_env_can_be_copied():
    env = two_pack_v0.env()
    fast_game(env, 3, np.random.default_rng(0))
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert twin.unwrapped.game.is_over and twin.agents == []
    fresh = pickle.loads(pickle.dumps(two_pack_v0.env()))
    fresh.reset(seed=1)
    assert fresh.agents


def _illegal(env):
    return int(np.flatnonzero(env.infos[env.agent_selection]["action_mask"] == 0)[0])


@every_variant
def test_illegal_action_raw_raises_and_changes_nothing(variant):
    env = MODULES[variant].raw_env()
    env.reset(seed=1)
    before = env.game.save()
    agent = env.agent_selection
    with pytest.raises(IllegalAction) as refused:
        env.step(_illegal(env))
    assert env.game.save() == before and env.agent_selection == agent
    assert refused.value.legal and refused.value.seat == int(agent[-1])
    with pytest.raises(ValueError):
        env.step(None)
    with pytest.raises(TypeError):
        env.step(3.7)
    with pytest.raises(ValueError):
        env.step(96)


@every_variant
@pytest.mark.parametrize("reward", ["dense", "win"])
def test_illegal_action_follows_the_convention(variant, reward):
    env = MODULES[variant].env(reward=reward)
    env.reset(seed=1)
    for _ in range(7 if len(env.unwrapped.game.rules.pack) >= 32 else 2):
        env.step(int(np.flatnonzero(env.last()[4]["action_mask"])[0]))
    offender = env.agent_selection
    other = next(agent for agent in env.agents if agent != offender)
    owed = env._cumulative_rewards[other]
    env.step(_illegal(env))
    assert all(env.terminations.values()) and all(env.truncations.values())
    assert env.rewards == {offender: -1.0, other: 0.0}
    assert "illegal" in env.infos[offender]["illegal_action"]
    delivered = {}
    while env.agents:
        observation, got, terminated, *_ = env.last()
        assert terminated and not observation["action_mask"].any()
        delivered[env.agent_selection] = got
        env.step(None)
    assert delivered == {offender: -1.0, other: owed}
    env.reset(seed=1)  # and the next game is a whole one
    assert (
        env.agents
        and not any(env.terminations.values())
        and env.agent_selection == f"player_{env.game.seat_to_act}"
    )


def test_order_is_enforced_and_bounds_are_checked():
    env = two_pack_v0.env()
    for call in (lambda: env.step(0), lambda: env.observe("player_0"), env.render, lambda: env.agent_iter()):
        with pytest.raises(AssertionError, match="reset"):
            call()
    with pytest.raises(AttributeError):
        _ = env.agent_selection
    env.reset(seed=0)
    with pytest.raises(AssertionError, match="action space"):
        env.step(96)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"rules": "finish"}, "finnish"),
        ({"overrides": {"targt": 1000}}, "target"),
        ({"overrides": {"target": 1001}}, "target"),
        ({"overrides": {"meld_groups": "three", "seq_then_marriage": "fresh_partner"}}, "meld_groups"),
        ({"episode": "deals"}, "deal"),
        ({"reward": "scoredifference"}, "score_difference"),
        ({"render_mode": "ascii"}, "ansi"),
        ({"draws": "queue"}, "queues"),
        ({"dealer": 2}, "dealer"),
        ({"variant": "rubicon", "rules": "portlnd"}, "portland"),
        ({"variant": "rubicon", "overrides": {"target": 1000}}, "no meaning in rubicon"),
        ({"variant": "eight_pack", "overrides": {"settlement": "portland"}}, "settlement"),
        ({"variant": "belote", "rules": "hoile"}, "hoyle"),
        ({"variant": "belote", "overrides": {"schmeiss": "off"}}, "r2_elder_actions"),
    ],
)
def test_mistakes_are_refused_when_the_env_is_made(arguments, words):
    with pytest.raises(ValueError, match=words):
        MODULES[arguments.pop("variant", "two_pack")].env(**arguments)


@every_variant
def test_metadata_and_spaces(variant):
    env = MODULES[variant].env()
    assert env.metadata["is_parallelizable"] is False
    assert env.metadata["name"] == f"{variant}_v0" == str(env.unwrapped)
    for agent in env.possible_agents:
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)
        assert env.action_space(agent).n == (44 if family_of(variant).name == "belote" else 96)
    first, second = (env.observation_space(agent) for agent in env.possible_agents)
    assert first == second and first is not second


def test_what_one_seat_does_in_a_row_is_one_decision_each():
    """The winner of a trick declares and then leads: the same seat decides twice running."""
    env = two_pack_v0.raw_env()
    rng = np.random.default_rng(5)
    twice = 0
    for seed in range(20):
        env.reset(seed=seed)
        last = None
        while not env.game.is_over:
            twice += env.agent_selection == last
            last = env.agent_selection
            env.step(int(rng.choice(np.flatnonzero(env.infos[last]["action_mask"]))))
    assert twice > 20


def test_making_and_playing_an_env_loads_nothing_heavy():
    code = (
        "import sys\nfrom bezique_env import two_pack_v0\n"
        "env = two_pack_v0.env(render_mode='ansi')\nenv.reset(seed=0)\n"
        "env.render()\nheavy = ('torch', 'stable_baselines3', 'ray', 'pygame', 'matplotlib', 'PIL', 'agents')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
