"""What the searching players promise: no peeking, budgets, common worlds, the same answer in any batch."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from agents.endgame.kernels import view_rows
from agents.play import play_games
from agents.protocol import Agent, NeedsRules
from agents.registry import AgentError, make_agent, names
from agents.search import agents as searching
from agents.search.agents import IsmctsAgent, OracleAgent, PimcAgent
from agents.search.halving import drop_rows, plan
from agents.search.kernels import rule_rows, search_rows
from agents.search.tools import make_tools
from agents.search.tree import PRIOR_VISITS, ROOT, make_tree
from bezique_env.envs.batch import Batch, make_batch
from bezique_env.envs.opponents import resolve_opponent, with_rules
from bezique_env.rules import Rules, get_rules
from tests.agents.duels import random_states

VARIANTS = ("two_pack", "belote")
AGENTS = ("pimc(worlds=8)", "ismcts(iterations=24)")


def bound(text: str, variant: str) -> Any:
    return with_rules(make_agent(text), get_rules(variant))


def somewhere(variant: str, rows: int = 12, steps: int = 9, seed: int = 4) -> Batch:
    """Return games of random play that stand at different decisions."""
    batch = make_batch(variant, num_games=rows, seed=seed)
    walker = make_agent("random")
    for step in range(steps):
        part = np.arange(step, rows)
        batch.step_rows(part, walker.act(batch.views(part), batch.mask[part], batch.keys(0, part)))
    return batch


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("text", AGENTS)
def test_a_resampled_twin_gets_the_same_action(text: str, variant: str) -> None:
    """Worlds come from the view: whatever the hidden cards are, the same key gives the same action."""
    agent = bound(text, variant)
    rng = np.random.default_rng(2)
    differs = 0
    rule_set = {"variant": variant, "rules": get_rules(variant).preset}
    for game in random_states(rule_set, 6, 6, 3):
        seat = game.seat_to_act
        twin = game.resample(seat, int(rng.integers(2**32)))
        keys = rng.integers(2**64, size=1, dtype=np.uint64)
        mine = agent.act(game.view_record(seat), game.legal_mask(seat)[None], keys)
        other = agent.act(twin.view_record(seat), twin.legal_mask(seat)[None], keys)
        assert mine[0] == other[0], game.to_record()
        differs += game.hand(1 - seat) != twin.hand(1 - seat)
    assert differs > 10


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("text", AGENTS)
def test_the_answer_of_a_row_does_not_depend_on_the_others(
    text: str, variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = somewhere(variant)
    views, masks, keys = batch.views(), batch.mask.copy(), batch.keys(0)
    before = views.tobytes(), masks.tobytes(), keys.tobytes()
    actions = bound(text, variant).act(views, masks, keys)
    assert before == (views.tobytes(), masks.tobytes(), keys.tobytes())
    assert masks[np.arange(len(masks)), actions].all()
    agent = bound(text, variant)
    order = np.random.default_rng(1).permutation(len(masks))
    assert np.array_equal(agent.act(views[order], masks[order], keys[order]), actions[order])
    monkeypatch.setattr(searching, "BLOCK", 5)
    assert np.array_equal(agent.act(views, masks, keys), actions)
    one = [agent.act(views[[i]], masks[[i]], keys[[i]])[0] for i in range(4)]
    assert one == actions[:4].tolist()


@pytest.mark.parametrize("text", AGENTS)
def test_no_rows_and_rows_without_a_legal_action(text: str) -> None:
    agent = bound(text, "two_pack")
    for count in (0, 3):
        none = agent.act(
            np.zeros(count, agent._tools.seen.dtype),
            np.zeros((count, 96), np.int8),
            np.zeros(count, np.uint64),
        )
        assert none.dtype == np.int64
        assert none.tolist() == [-1] * count


def look(agent: Any, batch: Batch, alive: Any, first: int, last: int, worlds: int) -> tuple[Any, int]:
    """Return what the moves bring in some worlds, and how many roll-outs that took."""
    t = agent._tools
    values = np.full((len(alive), alive.shape[1], worlds), 9999, np.int32)
    count = search_rows(
        batch.views(),
        t.world[:0],
        batch.keys(0),
        first,
        last,
        alive,
        np.zeros(alive.shape),
        np.full(alive.shape, np.nan),
        values,
        make_tree(1),
        t.world[:0],
        t,
        np.zeros(len(alive), np.int64),
    )
    return values, count


@pytest.mark.parametrize("variant", VARIANTS)
def test_all_moves_are_compared_in_the_same_worlds(variant: str) -> None:
    """A world depends on key and number alone: not on what else is looked at, nor in which portions."""
    agent = bound("pimc(worlds=8)", variant)
    batch = somewhere(variant, 6)
    whole, count = look(agent, batch, batch.mask.copy(), 0, 8, 8)
    several = batch.mask.sum(axis=1) > 1
    assert count == 8 * batch.mask[several].sum()
    few = batch.mask.copy()
    for row in np.flatnonzero(batch.mask.sum(axis=1) > 2):
        few[row, np.flatnonzero(few[row])[0]] = 0
    part, _ = look(agent, batch, few, 3, 8, 8)
    seen = (few[several] != 0) & (few[several].sum(axis=1) > 1)[:, None]
    assert seen.sum() > 10
    assert np.array_equal(part[several][seen][:, 3:], whole[several][seen][:, 3:])
    assert (part[:, :, :3] == 9999).all()


def test_a_plan_looks_at_the_last_two_moves_in_all_worlds() -> None:
    for worlds in (1, 2, 7, 8, 40, 200, 1000):
        steps = plan(worlds)
        assert steps[-1].tolist() == [worlds, 3]
        assert (np.diff(steps[:, 0]) > 0).all()
        assert (np.diff(steps[:, 1]) >= 0).all()
    assert [50, 1] in plan(200).tolist()
    assert [100, 2] in plan(200).tolist()


def dropped(
    values: Any,
    worlds: int,
    halvings: int,
    prior: dict[int, float] | None = None,
    worths: Any = None,
) -> tuple[list[int], int]:
    """Return (moves left, best move) after some worlds; values: [moves, worlds]."""
    alive = np.ones((1, len(values)), np.int8)
    chances = np.zeros((1, len(values)))
    for move, chance in (prior or {}).items():
        chances[0, move] = chance
    best = np.full(1, -1, np.int64)
    table = np.array(values, np.int32)[None]
    told = np.full(chances.shape, np.nan) if worths is None else np.array([worths], np.float64)
    drop_rows(table, alive, chances, told, worlds, halvings, np.array([len(values)]), best)
    return np.flatnonzero(alive[0]).tolist(), int(best[0])


def test_moves_are_dropped_when_they_are_surely_behind_or_halving_says_so() -> None:
    rng = np.random.default_rng(3)
    noise = rng.normal(0, 200, 64)
    same_luck = [noise + gap for gap in (0, -30, 5, -10)]  # the luck of a world is common to all moves
    assert dropped(same_luck, 64, 0) == ([2], 2)
    own_luck = [rng.normal(gap, 200, 64) for gap in (0, -30, 5, -10)]
    left, best = dropped(own_luck, 64, 0)
    assert len(left) == 4
    assert best in left
    left, best = dropped(own_luck, 64, 1)
    assert len(left) == 2
    assert best in left
    means = np.mean(own_luck, axis=1)
    assert left == sorted(np.argsort(means)[-2:].tolist())


def test_a_move_has_to_beat_the_choice_of_the_prior_by_more_than_noise() -> None:
    rng = np.random.default_rng(5)
    steady = rng.normal(0, 100, 32)
    other = steady + rng.normal(0, 100, 32)
    other += 10 - (other - steady).mean()  # 10 points ahead, where the prior asks for about 16
    assert dropped([steady, other], 32, 0)[1] == 1
    assert dropped([steady, other], 32, 0, {0: 1.0})[1] == 0
    assert dropped([steady, other], 32, 0, {0: 0.5, 1: 0.5})[1] == 1
    assert dropped([steady, other + 20], 32, 0, {0: 1.0})[1] == 1


def test_values_are_shrunk_towards_what_the_rules_hold_moves_to_be_worth() -> None:
    """The worths count for 50 worlds: after as many the mean and they weigh the same."""
    rng = np.random.default_rng(6)
    steady = rng.normal(0, 100, 50)
    other = steady + rng.normal(0, 100, 50)
    other += 10 - (other - steady).mean()
    prior = {0: 1.0}
    assert dropped([steady, other], 50, 0, prior, [0, -9])[1] == 1
    assert dropped([steady, other], 50, 0, prior, [0, -11])[1] == 0
    assert dropped([steady, other], 50, 0, prior, [30, 21])[1] == 1, "only differences count"
    assert dropped([steady, other], 50, 0, prior, [0, -500]) == ([0], 0), "surely behind"


class Clock:
    """A clock that is read once a look and goes on by one millisecond each time."""

    def __init__(self) -> None:
        self.reads = itertools.count()

    def perf_counter(self) -> float:
        return next(self.reads) / 1000


@pytest.mark.parametrize("text", ["pimc(ms=20)", "ismcts(ms=20)"])
def test_a_budget_of_time_ends_a_decision(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    agent = bound(text, "two_pack")
    batch = somewhere("two_pack", 3, 1)
    clock = Clock()
    monkeypatch.setattr(searching, "time", clock)
    actions = agent.act(batch.views(), batch.mask, batch.keys(0))
    assert batch.mask[np.arange(3), actions].all()
    several = int((batch.mask.sum(axis=1) > 1).sum())
    assert several * 2 <= next(clock.reads) <= several * 22


def test_both_budgets_at_once_the_smaller_one_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = somewhere("two_pack", 4, 1)
    calls: list[tuple[int, int]] = []

    def spy(*arguments: Any) -> int:
        calls.append((arguments[3], arguments[4]))
        return search_rows(*arguments)

    monkeypatch.setattr(searching, "search_rows", spy)
    bound("pimc(worlds=8, ms=100000)", "two_pack").act(batch.views(), batch.mask, batch.keys(0))
    assert max(last for _, last in calls) == 8
    calls.clear()
    bound("ismcts(iterations=24, ms=100000)", "two_pack").act(batch.views(), batch.mask, batch.keys(0))
    assert max(last for _, last in calls) == 24


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_tree_counts_every_iteration(variant: str) -> None:
    agent = bound("ismcts(iterations=200)", variant)
    batch = somewhere(variant, 1, 0)
    action = int(agent.act(batch.views(), batch.mask, batch.keys(0))[0])
    tree = agent._tree
    children = []
    child = tree.child[ROOT]
    while child:
        children.append(child)
        child = tree.sibling[child]
    assert sorted(tree.action[children].tolist()) == np.flatnonzero(batch.mask[0]).tolist()
    assert tree.visits[children].sum() == 200
    assert (tree.legal[children] <= 200).all()
    worths = np.full(batch.mask.shape, np.nan)
    rule_rows(batch.views(), batch.mask, agent._tools, np.zeros(batch.mask.shape), worths)
    own = worths[0, tree.action[children]]
    assert np.isnan(own).all() == (variant == "belote")
    if variant == "belote":  # the rules do not say what moves are worth
        assert tree.visits[children].max() == tree.visits[[k for k in children if tree.action[k] == action]]
    else:
        held = (tree.total[children] + PRIOR_VISITS * (tree.total[ROOT] / 200 + own - own.max())) / (
            tree.visits[children] + PRIOR_VISITS
        )
        assert action == tree.action[children[int(held.argmax())]]
    used = int(tree.sums[0])
    assert len(children) < used <= 201
    deep = np.setdiff1d(np.arange(1, used), children)
    assert len(deep) > 0
    assert (tree.visits[deep] >= 1).all()
    assert (tree.visits[deep] <= tree.legal[deep]).all()


@pytest.mark.parametrize("text", AGENTS)
def test_where_nothing_is_hidden_the_solver_decides(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = make_batch("two_pack", num_games=12, seed=3)
    walker = make_agent("random")
    while (batch.games["stock_left"] > 0).any():
        rows = np.flatnonzero(batch.games["stock_left"] > 0)
        batch.step_rows(rows, walker.act(batch.views(rows), batch.mask[rows], batch.keys(0, rows)))
    agent = bound(text, "two_pack")
    monkeypatch.setattr(searching, "search_rows", None)  # no roll-out is needed
    t = agent._tools
    for _ in range(4):
        actions = agent.act(batch.views(), batch.mask, batch.keys(0))
        worth = np.zeros(batch.mask.shape, np.int64)
        best = np.zeros(12, np.int64)
        view_rows(batch.views(), t.rules, t.scratch.solver, worth, best)
        assert np.array_equal(worth[np.arange(12), actions], best)
        batch.step(actions)


class Rule:
    """The rule-based player of the roll-outs, as an agent."""

    name = "rule"

    def __init__(self, rules: Rules | None = None) -> None:
        self.tools = make_tools(rules or get_rules("two_pack"))

    def act(self, views: Any, masks: Any, keys: Any) -> Any:
        told = np.zeros(np.shape(masks))
        rule_rows(views, np.ascontiguousarray(masks), self.tools, told, np.zeros(told.shape))
        return told.argmax(axis=1)


@pytest.mark.parametrize("text", ["pimc(worlds=12)", "ismcts(iterations=40)"])
def test_an_agent_as_policy_plays_as_the_compiled_rules_do(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Through Python, batched, roll-outs and priors of the same player give the same answers."""
    batch = somewhere("two_pack", 6, 5)
    asked = batch.views(), batch.mask, batch.keys(0)

    def without_worths(*arguments: Any) -> None:
        rule_rows(*arguments)
        arguments[-1][:] = np.nan  # an agent says what it takes, not what moves are worth

    monkeypatch.setattr(searching, "rule_rows", without_worths)
    expected = bound(text, "two_pack").act(*asked)
    monkeypatch.setattr(searching, "LEAVES", 1)  # more at once grow another tree
    monkeypatch.setattr("agents.search.hooks.make_agent", lambda text: Rule())
    hooked = bound(f"{text[:-1]}, rollout=rule, prior=rule)", "two_pack")
    assert np.array_equal(hooked.act(*asked), expected)


def test_any_agent_can_be_the_policy() -> None:
    batch = somewhere("belote", 3, 2)
    for text in ("pimc(worlds=4, rollout=random, prior=greedy)", "ismcts(40, rollout=greedy, prior=none)"):
        agent = bound(text, "belote")
        actions = agent.act(batch.views(), batch.mask, batch.keys(0))
        assert batch.mask[np.arange(3), actions].all()
        assert np.array_equal(bound(text, "belote").act(batch.views(), batch.mask, batch.keys(0)), actions)


def test_names_make_the_same_agent_again() -> None:
    for text in (
        "pimc(worlds=200)",
        "pimc(worlds=20, ms=50, rollout=greedy)",
        "pimc(ms=50, prior=policy(runs/a, action=sample))",
        "ismcts(iterations=1000, prior=none)",
        "oracle(worlds=5)",
    ):
        assert make_agent(text).name == text
    assert make_agent("pimc(200)").name == "pimc(worlds=200)"
    assert {"pimc", "ismcts", "oracle"} <= set(names())
    assert not {"pimc", "ismcts", "oracle"} & set(names(without_parameters=True))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("pimc", ("worlds=200", "ms=50")),
        ("ismcts", ("iterations=", "ms=50")),
        ("pimc(worlds=-1)", ("worlds=-1", "1 or more")),
        ("ismcts(ms=-5)", ("ms=-5", "1 or more")),
        ("pimc(world=5)", ("world", "worlds")),
    ],
)
def test_a_wrong_text_says_what_is_allowed(text: str, words: tuple[str, ...]) -> None:
    with pytest.raises(AgentError) as caught:
        make_agent(text)
    for word in words:
        assert word in str(caught.value)


def test_a_search_within_a_search_is_refused() -> None:
    with pytest.raises(AgentError, match="search in every step"):
        bound("pimc(worlds=4, rollout=pimc(worlds=4))", "two_pack")


def test_who_was_not_told_the_rules_or_gets_other_records_says_so() -> None:
    agent = make_agent("pimc(worlds=4)")
    assert isinstance(agent, NeedsRules)
    assert isinstance(agent, Agent)
    batch = make_batch("two_pack", num_games=1, seed=1)
    with pytest.raises(ValueError, match="not been told the rules"):
        agent.act(batch.views(), batch.mask, batch.keys(0))
    with pytest.raises(ValueError, match="plays belote: these are records of another game"):
        bound("pimc(worlds=4)", "belote").act(batch.views(), batch.mask, batch.keys(0))


@pytest.mark.parametrize("variant", VARIANTS)
def test_whole_games_and_matches_are_played_without_an_illegal_move(variant: str) -> None:
    for text, episode in (("pimc(worlds=4)", "deal"), ("ismcts(iterations=12)", "match")):
        batch = make_batch(variant, num_games=2, seed=6, episode=episode)
        played = play_games(batch, [make_agent(text), make_agent("greedy")])  # refuses an illegal action
        assert batch.done.all()
        assert min(played.decisions) > 10


def test_the_oracle_sees_hidden_cards_and_is_no_opponent() -> None:
    oracle = make_agent("oracle(worlds=60)")
    assert isinstance(oracle, OracleAgent)
    assert not isinstance(oracle, Agent)
    with pytest.raises(ValueError, match="sees all cards"):
        resolve_opponent("oracle(worlds=60)")
    rules = get_rules("two_pack")
    differs = 0
    for game in random_states({"variant": "two_pack", "rules": rules.preset}, 4, 6, 7):
        seat = game.seat_to_act
        twin = game.resample(seat, 5)
        keys = np.zeros(1, np.uint64)
        mask = game.legal_mask(seat)[None]
        mine = oracle.act_states(game._games, rules, mask, keys)
        assert mask[0, mine[0]] == 1
        differs += mine[0] != oracle.act_states(twin._games, rules, mask, keys)[0]
    assert differs > 0
    other = make_batch("belote", num_games=1, seed=1)
    with pytest.raises(ValueError, match="records of another game"):
        oracle.act_states(other.games, rules, other.mask, other.keys(0))


def test_kinds_of_search_are_told_apart() -> None:
    assert isinstance(make_agent("pimc(5)"), PimcAgent)
    assert isinstance(make_agent("ismcts(5)"), IsmctsAgent)
