"""A config with a mistake is refused before anything starts, with all that is needed to mend it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bezique_env.rules import variants
from bezique_env.rules.bezique.cards import CARD_TEXTS
from experiments.config import (
    PAST,
    SELF,
    ConfigError,
    ExperimentConfig,
    config_rows,
    dump_config,
    find_config,
    keys_table,
    load_config,
    shipped_configs,
    split_key,
)

GOOD = """\
name: small
algorithm:
  total_steps: 1_000
  num_envs: 4
  n_steps: 8
  batch_size: 16
  learning_rate: 3e-4
opponents:
  greedy: 1
  random: 0.5
evaluation:
  deal_pairs: 10
  seed: 7
"""


@pytest.fixture
def write(tmp_path: Path):
    def writer(text: str, name: str = "small.yaml") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return writer


def refused(path: str | Path, *overrides: str) -> str:
    with pytest.raises(ConfigError) as caught:
        load_config(path, overrides)
    return str(caught.value)


def test_a_good_config_is_read_with_numbers_of_yaml_1_2(write) -> None:
    config = load_config(write(GOOD))
    assert config.algorithm.learning_rate == 3e-4
    assert config.algorithm.total_steps == 1000
    assert config.opponents == {"greedy": 1.0, "random": 0.5}
    assert config.threads == 1


def test_models_are_frozen(write) -> None:
    config = load_config(write(GOOD))
    with pytest.raises(ValueError, match="frozen"):
        config.seed = 3  # type: ignore[misc]


@pytest.mark.parametrize(
    ("old", "new", "line", "key", "words"),
    [
        (
            "learning_rate",
            "learnin_rate",
            "7:3",
            "algorithm.learnin_rate",
            ["'learning_rate'", "known: type"],
        ),
        ("name: small", "nam: small", "1:1", "nam", ["did you mean 'name'?"]),
        ("total_steps: 1_000", "total_steps: many", "3:3", "algorithm.total_steps", ["'many'", "integer"]),
        ("3e-4", "-1.0", "7:3", "algorithm.learning_rate", ["-1.0", "greater than 0"]),
        ("3e-4", "no", "7:3", "algorithm.learning_rate", ["'no'", "number"]),
        (
            "greedy: 1",
            "gredy: 1",
            "9:3",
            "opponents.gredy",
            ["known are", "random", "did you mean 'greedy'?"],
        ),
        ("greedy: 1", "greedy: -1", "9:3", "opponents.greedy", ["-1", "greater than or equal to 0"]),
        ("seed: 7", "sed: 7", "13:3", "evaluation.sed", ["did you mean 'seed'?"]),
        ("batch_size: 16", "batch_size: 15", "6:3", "algorithm.batch_size", ["found 15", "32"]),
        (
            "name: small",
            "name: small\nvariant: two_pak",
            "2:1",
            "variant",
            ["two_pack", "did you mean 'two_pack'?"],
        ),
        (
            "name: small",
            "name: small\nrules:\n  preset: sari",
            "3:3",
            "rules.preset",
            ["standard, saari", "did you mean 'saari'?"],
        ),
        ("name: small", "name: small\nrules: dutsch", "2:1", "rules.preset", ["did you mean 'dutch'?"]),
        (
            "name: small",
            "name: small\nvariant: rubicon\nrules:\n  overrides:\n    target: 2000",
            "5:5",
            "rules.overrides.target",
            ["no meaning in rubicon", "known: selection"],
        ),
        (
            "name: small",
            "name: small\nvariant: chinese\nrules:\n  overrides:\n    settlement: portland",
            "5:5",
            "rules.overrides.settlement",
            ["found 'portland'", "saari_example | saari_table | sum"],
        ),
        (
            "name: small",
            "name: small\nrules:\n  overrides:\n    endgam: follow_only",
            "4:5",
            "rules.overrides.endgam",
            ["did you mean 'endgame'?"],
        ),
        (
            "name: small",
            "name: small\nrules:\n  overrides:\n    declare: on",
            "4:5",
            "rules.overrides.declare",
            ["'on'", "one | lay_many_score_one"],
        ),
        (
            "name: small",
            "name: small\nrules:\n  overrides:\n    trump: first_marriage",
            "3:3",
            "rules.overrides",
            ["cannot stand together", "dix_score"],
        ),
        (
            "name: small",
            "name: small\nepisode: deals",
            "2:1",
            "episode",
            ["deal, match", "did you mean 'deal'?"],
        ),
        ("name: small", "name: small\nseed: true", "2:1", "seed", ["True", "integer"]),
        ("seed: 7", "decks: nowhere.json", "13:3", "evaluation.decks", ["nowhere.json"]),
        ("  seed: 7\n", "", "11:1", "evaluation", ["neither"]),
        ("seed: 7", "seed: 7\n  decks: d.json", "11:1", "evaluation", ["both"]),
    ],
)
def test_a_mistake_names_file_place_key_and_what_is_allowed(write, old, new, line, key, words) -> None:
    path = write(GOOD.replace(old, new))
    message = refused(path)
    assert f"{path}:{line}: {key}: " in message
    for word in words:
        assert word in message


def test_all_mistakes_are_told_at_once_in_the_order_of_the_file(write) -> None:
    path = write(
        GOOD.replace("learning_rate", "learnin_rate").replace("random: 0.5", "rando: 1").replace("16", "15")
    )
    lines = refused(path).splitlines()
    assert [line.split(": ")[1] for line in lines] == [
        "algorithm.batch_size",
        "algorithm.learnin_rate",
        "opponents.rando",
    ]


def test_a_missing_key_is_named(write) -> None:
    assert "algorithm.total_steps: this key is missing" in refused(
        write(GOOD.replace("  total_steps: 1_000\n", ""))
    )


def test_a_missing_file_names_the_nearest_config() -> None:
    message = refused("smoke/two_pack_pp")
    assert "no such file" in message
    assert "did you mean 'smoke/two_pack_ppo'?" in message


def test_a_file_that_is_no_yaml_is_refused_with_its_place(write) -> None:
    assert ":2:" in refused(write("name: [1\nalgorithm: {"))
    assert "must hold keys" in refused(write("- 1\n"))
    assert "stands here twice" in refused(write("name: a\nname: b\n"))


def test_overrides_change_keys_and_are_checked_like_the_file(write) -> None:
    path = write(GOOD)
    config = load_config(
        path, ["algorithm.learning_rate=1e-5", "opponents={random: 1}", "rules.overrides.target=2000"]
    )
    assert config.algorithm.learning_rate == 1e-5
    assert config.opponents == {"random": 1.0}
    assert config.rules.overrides == {"target": 2000}
    message = refused(path, "algorithm.n_step=4")
    assert "override 'algorithm.n_step=4': algorithm.n_step: unknown key; did you mean 'n_steps'?" in message
    assert "key=value" in refused(path, "algorithm.n_steps")
    assert "holds no keys" in refused(path, "name.first=1")


def test_dots_in_an_agents_name_are_no_keys() -> None:
    assert split_key("opponents.policy(runs/a.pt)") == ("opponents", "policy(runs/a.pt)")
    assert split_key("a.b.c") == ("a", "b", "c")


def test_extends_takes_the_keys_of_another_file(write) -> None:
    write(GOOD, "base.yaml")
    child = write("extends: base.yaml\nseed: 5\nalgorithm:\n  total_steps: 64\n", "child.yaml")
    config = load_config(child)
    assert (config.seed, config.algorithm.total_steps, config.algorithm.n_steps) == (5, 64, 8)
    wrong = write("extends: base.yaml\nalgorithm:\n  total_step: 64\n", "wrong.yaml")
    assert f"{wrong}:3:3: algorithm.total_step" in refused(wrong)
    lost = write("extends: bas.yaml\n", "lost.yaml")
    assert f"{lost}:1:1: extends" in refused(lost)
    assert "did you mean 'base.yaml'?" in refused(lost)
    circle = write("extends: circle.yaml\n", "circle.yaml")
    assert "a circle" in refused(circle)


def test_a_resolved_config_reads_back_the_same(write) -> None:
    config = load_config(write(GOOD), ["rules.overrides.dix_endgame=no", "rules.preset=saari"])
    assert load_config(write(dump_config(config), "again.yaml")) == config


def test_short_names_find_the_shipped_configs_from_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("smoke/two_pack_ppo", "smoke/two_pack_ppo.yaml", "configs/smoke/two_pack_ppo.yaml"):
        assert find_config(name).is_file()


def test_a_config_of_the_working_directory_goes_before_a_shipped_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write
) -> None:
    monkeypatch.chdir(tmp_path)
    mine = write(GOOD, "configs/smoke/two_pack_ppo.yaml")
    assert find_config("smoke/two_pack_ppo").resolve() == mine


@pytest.mark.parametrize(
    "name", sorted(name for name in shipped_configs() if not name.startswith(("tournament/", "tune/")))
)
def test_every_shipped_config_is_good(name: str) -> None:
    assert isinstance(load_config(name), ExperimentConfig)


@pytest.mark.parametrize("variant", variants())
def test_every_variant_has_a_smoke_config_and_a_serious_one(variant: str) -> None:
    for name in (f"smoke/{variant}_ppo", f"{variant}/ppo_vs_greedy"):
        config = load_config(name)
        assert config.variant == variant
        assert config.evaluation.opponents == ("random", "greedy")
    for preset in variants()[variant].presets:
        assert load_config(name, [f"rules.preset={preset}"]).rules.preset == preset


@pytest.mark.parametrize("variant", variants())
@pytest.mark.parametrize(
    ("name", "algorithm"), [("ppo_selfplay", "ppo"), ("dmc", "dmc"), ("maskable_ppo", "maskable_ppo")]
)
def test_every_variant_has_a_config_of_each_learner(variant: str, name: str, algorithm: str) -> None:
    config = load_config(f"{variant}/{name}")
    assert config.variant == variant and config.algorithm.type == algorithm
    assert config.name == f"{variant}_{name}"
    itself = {name for name, weight in config.opponents.items() if weight} & {SELF, PAST}
    assert itself == ({PAST} if algorithm == "maskable_ppo" else {SELF})


@pytest.mark.parametrize(
    ("override", "words"),
    [
        ("algorithm.type=pppo", ["algorithm.type", "maskable_ppo, ppo, dmc", "did you mean 'ppo'?"]),
        ("algorithm.clip_rang=3", ["algorithm.clip_rang", "did you mean 'clip_range'?"]),
        ("algorithm.epsilon=0.1", ["algorithm.epsilon: unknown key"]),
        ("algorithm.torso=resnet", ["algorithm.torso", "mlp, residual"]),
        ("algorithm.device=toaster", ["algorithm.device", "'toaster'", "auto"]),
        ("opponents.pst=1", ["opponents.pst", "did you mean 'past'?"]),
        ("opponents.greedy=-0.5", ["opponents.greedy", "greater than or equal to 0"]),
        ("evaluation.curve_pairs=9999", ["evaluation.curve_pairs", "at most deal_pairs, 2000"]),
        ("variant=belote", ["algorithm.endgame", "cards stay hidden to the end"]),
    ],
)
def test_mistakes_of_native_learners_are_told(override: str, words: list[str]) -> None:
    text = refused("two_pack/ppo_selfplay", override)
    assert len(text.splitlines()) == 1
    for word in words:
        assert word in text


def test_a_residual_torso_has_one_size() -> None:
    text = refused("two_pack/dmc", "algorithm.torso=residual", "algorithm.net_arch=[64, 32]")
    assert "algorithm.net_arch: found [64, 32]; a residual torso has one size or more, all the same" in text


def test_with_maskable_ppo_nobody_plays_itself_on_both_seats() -> None:
    assert "play against `past`" in refused("two_pack/maskable_ppo", "opponents.self=1")


def test_native_learners_play_themselves_unless_told_otherwise(write) -> None:
    text = GOOD.replace("  n_steps: 8\n", "  type: dmc\n").replace(
        "opponents:\n  greedy: 1\n  random: 0.5\n", ""
    )
    assert load_config(write(text)).opponents == {SELF: 1.0}
    text = GOOD.replace("opponents:\n  greedy: 1\n  random: 0.5\n", "")
    assert load_config(write(text)).opponents == {"greedy": 1.0}


def test_decks_of_a_file_must_have_the_packs_of_the_variant(write, tmp_path: Path) -> None:
    decks = tmp_path / "decks.json"
    decks.write_text(json.dumps([CARD_TEXTS * 2]))
    path = write(GOOD.replace("seed: 7", f"decks: {decks}"))
    assert load_config(path, ["evaluation.deal_pairs=2"]).variant == "two_pack"
    assert "64 cards, which are not 4 whole packs" in refused(path, "variant=rubicon")


def test_every_key_has_a_meaning() -> None:
    rows = list(config_rows())
    assert len(rows) > 30
    assert all(meaning for key, _, _, meaning in rows)


def test_the_table_of_keys_in_the_docs_is_fresh() -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "experiments.md"
    assert keys_table() in page.read_text(encoding="utf-8")
