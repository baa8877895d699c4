"""The agent that plays checkpoints: every kind of network, exact endings, shipped policies, what it refuses."""

from __future__ import annotations

import functools
import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.registry import AgentError, make_agent, split_agents
from bezique_env.encoding import layout_hash, observation_size, other_columns, suit_columns
from bezique_env.engine.engines import engine_of
from bezique_env.engine.version import ENGINE_VERSION
from bezique_env.envs.batch import Batch, make_batch
from bezique_env.envs.opponents import Mixture, with_rules
from bezique_env.rules import get_rules
from experiments.cli import _is_config
from experiments.config import load_config
from experiments.regret import Judge

torch = pytest.importorskip("torch")
policy = pytest.importorskip("agents.learned.policy")

HIDDEN = "mlp_extractor.policy_net"
EMBEDDING = "mlp_extractor.policy_embedding.weight"
KINDS: dict[str, dict[str, Any]] = {
    "mlp": {"net_arch": [24, 16], "activation": "relu"},
    "one layer": {"net_arch": [], "activation": "relu"},
    "tanh": {"net_arch": [16], "activation": "tanh", "torso": "mlp"},
    "residual": {"net_arch": [20, 20, 20], "activation": "relu", "torso": "residual"},
    "embedding": {"net_arch": [24, 16], "activation": "relu", "card_embedding": 5},
    "all": {"net_arch": [16, 16], "activation": "tanh", "torso": "residual", "card_embedding": 3},
}


def tensors_of(variant: str, network: dict[str, Any], seed: int = 1) -> dict[str, Any]:
    """Random tensors of a network, made layer by layer as its description says."""
    generator = torch.Generator().manual_seed(seed)
    made = {}

    def linear(name: str, inputs: int, outputs: int) -> None:
        made[f"{name}.weight"] = torch.randn(outputs, inputs, generator=generator) / inputs**0.5
        made[f"{name}.bias"] = 0.5 * torch.randn(outputs, generator=generator)

    widths, embedding = network["net_arch"], network.get("card_embedding", 0)
    inputs = observation_size(variant)
    if embedding:
        depth = suit_columns(variant).shape[1]
        made[EMBEDDING] = torch.randn(embedding, depth, generator=generator) / depth**0.5
        inputs = 4 * embedding + len(other_columns(variant))
    for i, (a, b) in enumerate(itertools.pairwise([inputs, *widths])):
        if i and network.get("torso") == "residual":
            linear(f"{HIDDEN}.{2 * i}.inner", a, b)
            linear(f"{HIDDEN}.{2 * i}.outer", a, b)
        else:
            linear(f"{HIDDEN}.{2 * i}", a, b)
    linear("action_net", [inputs, *widths][-1], engine_of(variant).actions.size)
    return made


def plain_forward(content: dict[str, Any], observations: Any) -> Any:
    """The network in torch as its description reads, float64 [k, actions]."""
    network, tensors = content["network"], {k: t.double() for k, t in content["policy"].items()}
    activation = {"relu": torch.relu, "tanh": torch.tanh}[network["activation"]]

    def linear(name: str, x: Any) -> Any:
        return torch.nn.functional.linear(x, tensors[f"{name}.weight"], tensors[f"{name}.bias"])

    h = torch.from_numpy(observations).double()
    if network.get("card_embedding", 0):
        suits = [h[:, columns.copy()] @ tensors[EMBEDDING].T for columns in suit_columns(content["variant"])]
        h = torch.cat([*suits, h[:, other_columns(content["variant"]).copy()]], dim=1)
    for i in range(len(network["net_arch"])):
        if i and network.get("torso") == "residual":
            inner = activation(linear(f"{HIDDEN}.{2 * i}.inner", h))
            h = activation(h + linear(f"{HIDDEN}.{2 * i}.outer", inner))
        else:
            h = activation(linear(f"{HIDDEN}.{2 * i}", h))
    return linear("action_net", h).numpy()


def checkpoint(variant: str, network: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    rules = get_rules(variant)
    network = KINDS["mlp"] if network is None else network
    return {
        "format": policy.CHECKPOINT_FORMAT,
        "engine_version": ENGINE_VERSION,
        "variant": variant,
        "rules": rules.to_dict(),
        "rules_hash": rules.hash,
        "layout_hash": layout_hash(variant),
        "network": network,
        "policy": tensors_of(variant, network),
        "steps": 0,
    } | more


def written(folder: Path, content: dict[str, Any]) -> Path:
    path = folder / f"{content['variant']}.pt"
    torch.save(content, path)
    return path


@functools.cache
def decisions(variant: str, rows: int = 120) -> tuple[Any, Any, Any, Any]:
    """Views, masks, keys and observations of random games, each stopped after a number of steps of its own."""
    batch = make_batch(variant, num_games=rows, seed=4)
    rng = np.random.default_rng(0)
    lengths = rng.integers(0, 30, rows)
    for step in range(30):
        going = np.flatnonzero((lengths > step) & ~batch.done)
        counts = np.cumsum(batch.mask[going], axis=1)
        batch.step_rows(going, np.argmax(counts > (rng.random(len(going)) * counts[:, -1])[:, None], axis=1))
    kept = np.flatnonzero(~batch.done)
    return (
        batch.views(kept),
        batch.mask[kept].copy(),
        batch.keys(0, kept),
        batch.observation[kept].copy(),
    )


def random_batch_of(variant: str, preset: str | None, games: int) -> Batch:
    return make_batch(variant, rules=preset, num_games=games, seed=8)


# ------------------------------------------------------------------------------------------------ networks


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("variant", ["two_pack", "mini_bezique", "belote"])
def test_the_agent_computes_what_torch_does(variant: str, kind: str) -> None:
    content = checkpoint(variant, KINDS[kind])
    agent = policy.PolicyAgent("policy(test)", content, "argmax")
    views, masks, keys, observations = decisions(variant)
    wanted = plain_forward(content, observations)
    assert np.ptp(wanted, axis=0).min() > 0.01, "the rows of the test must differ"
    assert np.abs(agent.numbers(views) - wanted).max() < 1e-4
    best = np.where(masks > 0, wanted, -np.inf).argmax(axis=1)
    assert np.array_equal(agent.act(views, masks, keys), best)
    assert len(set(best.tolist())) > 3


@pytest.mark.parametrize("kind", ["mlp", "residual"])
def test_sums_run_in_a_fixed_order_row_by_row(kind: str) -> None:
    """The bits are those of a plain loop in float32: the bias, then the inputs one after another, zeros left out."""
    content = checkpoint("mini_bezique", KINDS[kind])
    tensors = {name: tensor.numpy() for name, tensor in content["policy"].items()}

    def linear(name: str, x: Any) -> Any:
        below = tensors[f"{name}.bias"].copy()
        for value, line in zip(x, tensors[f"{name}.weight"].T, strict=True):
            if value != 0:
                below += value * line
        return below

    views, _, _, observations = decisions("mini_bezique")
    numbers = policy.PolicyAgent("policy(test)", content, "argmax").numbers(views)
    for row, found in zip(observations[:10], numbers, strict=False):
        h = np.maximum(linear(f"{HIDDEN}.0", row), 0)
        if kind == "mlp":
            h = np.maximum(linear(f"{HIDDEN}.2", h), 0)
        else:
            for i in (2, 4):
                inner = np.maximum(linear(f"{HIDDEN}.{i}.inner", h), 0)
                h = np.maximum(linear(f"{HIDDEN}.{i}.outer", inner) + h, 0)
        assert linear("action_net", h).tobytes() == found.tobytes()


def test_what_a_network_does_not_say_is_that_of_older_checkpoints() -> None:
    said = KINDS["mlp"] | {"torso": "mlp", "card_embedding": 0, "output": "logits"}
    views = decisions("mini_bezique")[0]
    numbers = [
        policy.PolicyAgent("policy(test)", checkpoint("mini_bezique", network), "argmax").numbers(views)
        for network in (KINDS["mlp"], said)
    ]
    assert numbers[0].tobytes() == numbers[1].tobytes()


def test_values_are_no_logits(tmp_path: Path) -> None:
    path = written(tmp_path, checkpoint("mini_bezique", KINDS["mlp"] | {"output": "values"}))
    with pytest.raises(AgentError, match=r"action=sample is not allowed.*worth.*action=argmax"):
        make_agent(f"policy({path}, action=sample)")
    views, masks, keys, _ = decisions("mini_bezique")
    agent = make_agent(f"policy({path})")
    table = agent.probabilities(views, masks)  # type: ignore[attr-defined]
    assert np.array_equal(table.argmax(axis=1), agent.act(views, masks, keys))
    assert set(np.unique(table)) == {0.0, 1.0} and np.all(table.sum(axis=1) == 1)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"torso": "residul"}, ["torso 'residul'", "mlp, residual", "did you mean 'residual'?"]),
        ({"activation": "gelu"}, ["activation 'gelu'", "relu, tanh"]),
        ({"output": "q"}, ["output 'q'", "logits, values"]),
        ({"net_arch": [24, 0]}, ["net_arch [24, 0]"]),
        ({"net_arch": "wide"}, ["net_arch 'wide'"]),
        ({"torso": "residual"}, ["[24, 16]", "all of them equal"]),
        ({"torso": "residual", "net_arch": []}, ["at least one width"]),
        ({"card_embedding": -1}, ["card_embedding -1"]),
        ({"card_embedding": 5}, [f"'{HIDDEN}.0.weight'", "[24, 623], not [24, 147]"]),
        ({"net_arch": [24]}, ["'action_net.weight'", "[96, 16], not [96, 24]"]),
        (
            {"net_arch": [24, 16, 16]},
            [f"lacks the tensor '{HIDDEN}.4.weight' [16, 16]", "left are action_net"],
        ),
    ],
)
def test_networks_that_are_not_as_they_say_are_refused(
    change: dict[str, Any], words: list[str], tmp_path: Path
) -> None:
    content = checkpoint("mini_bezique")
    path = written(tmp_path, content | {"network": KINDS["mlp"] | change})
    with pytest.raises(AgentError) as caught:
        make_agent(f"policy({path})")
    for word in [*words, str(path)]:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("name", "tensor", "words"),
    [
        ("action_net.bias", None, "lacks the tensor 'action_net.bias'"),
        ("action_net.bias", torch.zeros(95), r"'action_net.bias' has the shape \[95\], not \[96\]"),
        (
            "action_net.bias",
            torch.full((96,), torch.nan),
            "'action_net.bias' holds numbers that are not finite",
        ),
        (f"{HIDDEN}.1.weight", torch.ones(24), f"'{HIDDEN}.1.weight', which belongs to no layer"),
        (EMBEDDING, torch.ones(2, 124), f"'{EMBEDDING}', which belongs to no layer"),
    ],
)
def test_tensors_that_do_not_fit_are_named(name: str, tensor: Any, words: str) -> None:
    content = checkpoint("mini_bezique")
    content["policy"] = {k: t for k, t in content["policy"].items() if k != name}
    if tensor is not None:
        content["policy"][name] = tensor
    with pytest.raises(AgentError, match=words):
        policy.PolicyAgent("policy(test)", content, "argmax")


def test_a_checkpoint_without_a_network_is_refused(tmp_path: Path) -> None:
    content = checkpoint("mini_bezique")
    for key, words in (("network", "`network` must hold"), ("policy", "lacks the tensor")):
        path = written(tmp_path, {k: value for k, value in content.items() if k != key})
        with pytest.raises(AgentError, match=words):
            make_agent(f"policy({path})")


# ------------------------------------------------------------------------------------------------- endings


def lost_by(agent: Any, variant: str, preset: str | None, games: int = 40) -> tuple[float, int]:
    """Play an agent against itself; the points that its moves lost with nothing hidden, and how many those were."""
    batch = random_batch_of(variant, preset, games)
    judge = Judge(batch.rules)
    lost, known = 0.0, 0
    while not batch.done.all():
        rows = np.flatnonzero(~batch.done)
        views = batch.views(rows)
        actions = agent.act(views, batch.mask[rows], batch.keys(0, rows))
        lost += judge.lost(views, actions).sum()
        known += int((views["stock_left"] == 0).sum())
        batch.step_rows(rows, actions)
        assert not batch.illegal[rows].any()
    return lost, known


@pytest.mark.parametrize("action", ["argmax", "sample"])
@pytest.mark.parametrize(
    ("variant", "preset"), [("two_pack", None), ("two_pack", "dutch"), ("mini_bezique", None)]
)
def test_exact_endings_lose_nothing(variant: str, preset: str | None, action: str, tmp_path: Path) -> None:
    path = written(tmp_path, checkpoint(variant, KINDS["residual"]))
    rules = get_rules(variant, preset)
    for endgame in ("own", "exact"):
        agent = with_rules(make_agent(f"policy({path}, action={action}, endgame={endgame})"), rules)
        lost, known = lost_by(agent, variant, preset)
        assert known > 200
        assert lost == 0 if endgame == "exact" else lost > 100


def test_before_the_ending_the_network_plays(tmp_path: Path) -> None:
    path = written(tmp_path, checkpoint("mini_bezique"))
    rules = get_rules("mini_bezique")
    own = make_agent(f"policy({path}, action=sample)")
    exact = with_rules(make_agent(f"policy({path}, action=sample, endgame=exact)"), rules)
    assert exact.name == f"policy({path}, action=sample, endgame=exact)"
    views, masks, keys, _ = decisions("mini_bezique")
    chosen, table = exact.act(views, masks, keys), exact.probabilities(views, masks)
    strict = views["stock_left"] == 0
    hidden = ~strict
    assert strict.sum() > 5 and hidden.sum() > 5
    assert np.array_equal(chosen[hidden], own.act(views, masks, keys)[hidden])
    assert np.array_equal(table[hidden], own.probabilities(views, masks)[hidden])  # type: ignore[attr-defined]
    playing = np.flatnonzero(strict & np.isin(views["phase"], [4, 5]))  # endgame_lead, endgame_follow
    assert len(playing) > 5
    assert np.all(table[playing, chosen[playing]] == 1)
    one_by_one = [
        exact.act(views[i : i + 1], masks[i : i + 1], keys[i : i + 1])[0] for i in range(len(views))
    ]
    assert chosen.tolist() == one_by_one
    none = exact.act(views[playing], np.zeros_like(masks[playing]), keys[playing])
    assert np.all(none == -1)


@pytest.mark.parametrize("variant", ["belote", "mini_belote"])
def test_belote_has_no_exact_endings(variant: str, tmp_path: Path) -> None:
    path = written(tmp_path, checkpoint(variant))
    with pytest.raises(
        AgentError, match=rf"endgame=exact is not allowed in {variant}: cards stay out of play"
    ):
        make_agent(f"policy({path}, endgame=exact)")


def test_endings_need_rules_that_the_solver_knows(tmp_path: Path) -> None:
    path = written(tmp_path, checkpoint("fildinski"))
    agent = make_agent(f"policy({path}, endgame=exact)")
    with pytest.raises(AgentError, match=r"fildinski_endgame 'on'.*not solved"):
        with_rules(agent, get_rules("fildinski", overrides={"fildinski_endgame": "on"}))
    assert with_rules(agent, get_rules("fildinski")).name == agent.name
    with pytest.raises(AgentError, match="was trained for fildinski, not for two_pack"):
        agent.with_rules(get_rules("two_pack"))  # type: ignore[attr-defined]
    path = written(tmp_path, checkpoint("mini_bezique"))
    views, masks, keys, _ = decisions("mini_bezique")
    with pytest.raises(AgentError, match="has not been told the rules, which endgame=exact needs"):
        make_agent(f"policy({path}, endgame=exact)").act(views, masks, keys)


# ------------------------------------------------------------------------------------------------- shipped


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "shipped"
    folder.mkdir()
    monkeypatch.setattr(policy, "SHIPPED", folder)
    return folder


def test_shipped_policies_are_agents_like_others(shipped: Path) -> None:
    content = checkpoint("mini_bezique")
    path = written(shipped, content)
    views, masks, keys, _ = decisions("mini_bezique")
    agent = make_agent("policy:mini_bezique")
    assert agent.name == "policy:mini_bezique"
    assert np.array_equal(
        agent.act(views, masks, keys), make_agent(f"policy({path})").act(views, masks, keys)
    )
    for text in (
        "policy:mini_bezique(action=sample)",
        "policy:mini_bezique(endgame=exact)",
        "policy:mini_bezique(action=sample, endgame=exact)",
    ):
        assert make_agent(text).name == text
    assert make_agent("policy:mini_bezique(sample)").name == "policy:mini_bezique(action=sample)"
    assert make_agent(" policy:mini_bezique( action = argmax ) ").name == "policy:mini_bezique"
    assert split_agents("random,policy:mini_bezique(endgame=exact),policy:two_pack") == [
        "random",
        "policy:mini_bezique(endgame=exact)",
        "policy:two_pack",
    ]
    mixture = Mixture(get_rules("mini_bezique"), {"policy:mini_bezique(endgame=exact)": 1, "random": 1})
    assert mixture.names == ["policy:mini_bezique(endgame=exact)", "random"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("policy:two_pack", ["no policy of two_pack", "only of: mini_bezique", "smoke/two_pack_ppo"]),
        ("policy:two_pak", ["unknown variant 'two_pak'", "did you mean 'two_pack'?"]),
        ("policy:", ["unknown variant ''"]),
        ("policy:mini_bezique(acton=sample)", ["policy:mini_bezique takes action, endgame", "'action'?"]),
        ("policy:mini_bezique(variant=two_pack)", ["unknown parameter 'variant'"]),
        ("policy:mini_bezique(endgame=exakt)", ["one of trained, own, exact", "did you mean 'exact'?"]),
        ("policy:mini_bezique(argmax, own, 3)", ["3 values"]),
        ("greedy:two_pack", ["greedy takes no variant behind a colon"]),
        ("polcy:two_pack", ["unknown agent 'polcy'", "did you mean 'policy'?"]),
        ("policy:rubicon", ["was trained for mini_bezique, not rubicon"]),
    ],
)
def test_refusals_of_shipped_policies(shipped: Path, text: str, words: list[str]) -> None:
    written(shipped, checkpoint("mini_bezique"))
    if text == "policy:rubicon":
        (shipped / "mini_bezique.pt").rename(shipped / "rubicon.pt")
    with pytest.raises(AgentError) as caught:
        make_agent(text)
    for word in words:
        assert word in str(caught.value)


def test_nothing_shipped_is_told_too(shipped: Path) -> None:
    with pytest.raises(AgentError, match=r"only of: none yet.*policy\(RUN_DIR\)"):
        make_agent("policy:two_pack")


def test_configs_name_shipped_policies(shipped: Path) -> None:
    written(shipped, checkpoint("mini_bezique"))
    assert not _is_config("policy:mini_bezique")
    config = load_config(
        "smoke/mini_bezique_ppo",
        [
            "opponents={policy:mini_bezique: 1}",
            "opponents.policy:mini_bezique(action=sample, endgame=exact)=2",
            "evaluation.opponents=[policy:mini_bezique(endgame=exact), random]",
            "algorithm.imitate=policy:mini_bezique",
            "algorithm.imitate_steps=1000",
        ],
    )
    assert config.opponents == {
        "policy:mini_bezique": 1.0,
        "policy:mini_bezique(action=sample, endgame=exact)": 2.0,
    }
    assert config.evaluation.opponents == ("policy:mini_bezique(endgame=exact)", "random")
    assert config.algorithm.imitate == "policy:mini_bezique"


# ----------------------------------------------------------------------------------------- trained against


@pytest.mark.parametrize(
    ("more", "met"),
    [
        ({}, ()),
        ({"trained_against": ["expert", "random"], "training": "{}"}, ("expert", "random")),
        (
            {
                "training": json.dumps(
                    {"opponents": {"greedy": 1, "random": 0}, "algorithm": {"imitate": "expert"}}
                )
            },
            ("greedy", "expert"),
        ),
        (
            {"training": json.dumps({"opponents": {"greedy": 1}, "algorithm": {"imitate": "greedy"}})},
            ("greedy",),
        ),
    ],
)
def test_an_agent_says_whom_it_met_in_training(more: dict[str, Any], met: tuple[str, ...]) -> None:
    agent = policy.PolicyAgent("policy(test)", checkpoint("mini_bezique", **more), "argmax")
    assert agent.trained_against == met
