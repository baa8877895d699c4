"""The wheel, installed into an empty environment with the core dependencies only, does what the README says."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from bezique_env.rules import variants

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = ("bezique_env", "agents", "experiments", "configs")
pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200), pytest.mark.xdist_group("packaging")]


def _run(command: list[str | Path], cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**clean, "COLUMNS": "200", "NO_COLOR": "1", **environment},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )


def _ok(command: list[str | Path], cwd: Path, **environment: str) -> str:
    done = _run(command, cwd, **environment)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from a copy of what a checkout holds, so that nothing is left in the tree."""
    source = tmp_path_factory.mktemp("source") / "tree"
    names = [*SHIPPED, "pyproject.toml", "README.md", "LICENSE"]
    source.mkdir()
    for name in names:
        path = ROOT / name
        if path.is_dir():
            shutil.copytree(path, source / name, ignore=shutil.ignore_patterns("__pycache__", "*.nb?"))
        else:
            shutil.copy(path, source / name)
    out = tmp_path_factory.mktemp("wheel")
    _ok([sys.executable, "-m", "build", "--wheel", "--outdir", out, source], out)
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment that holds the wheel and its core dependencies; returns its folder of programs."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True)
    constraints = ["-c", ROOT / "constraints-py311.txt"] if sys.version_info[:2] == (3, 11) else []
    _ok([folder / "bin" / "python", "-m", "pip", "install", "-q", *constraints, wheel], folder)
    return folder / "bin"


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("elsewhere")


def test_one_worker_builds_all_this(request: pytest.FixtureRequest) -> None:
    """A group that pytest-xdist does not see is split without a word; see tests/conftest.py."""
    if getattr(request.config.option, "loadgroup", False):
        assert request.node.nodeid.endswith("@packaging")


def test_the_wheel_ships_the_packages_and_the_data(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names if ".dist-info/" not in name}
    assert tops == set(SHIPPED)
    wanted = [
        *(f"{package}/py.typed" for package in ("bezique_env", "agents", "experiments")),
        *(f"configs/smoke/{variant}_ppo.yaml" for variant in variants()),
        *(str(path.relative_to(ROOT)) for path in ROOT.glob("agents/learned/shipped/*.pt")),
    ]
    assert [name for name in wanted if name not in names] == []
    assert not [name for name in names if name.endswith((".pyc", ".kernel"))]
    metadata = zipfile.ZipFile(wheel).read(next(n for n in names if n.endswith("METADATA"))).decode()
    assert "License-Expression: MIT" in metadata
    assert "Provides-Extra: train" in metadata


def test_the_core_needs_no_torch(installed: Path, elsewhere: Path) -> None:
    code = "import importlib.util as u; print([n for n in ('torch', 'stable_baselines3', 'pygame') if u.find_spec(n)])"
    assert _ok([installed / "python", "-c", code], elsewhere).strip() == "[]"


def test_the_command_shows_variants_and_rules(installed: Path, elsewhere: Path) -> None:
    text = _ok([installed / "bezique", "variants"], elsewhere)
    assert "two_pack" in text and "finnish" in text and "not modelled" in text
    text = _ok([installed / "bezique", "rules", "two_pack", "--preset", "saari"], elsewhere)
    assert "lay_many_score_one" in text


def test_a_game_is_played(installed: Path, elsewhere: Path) -> None:
    code = (
        "import bezique_env, pathlib\n"
        "from bezique_env import Game\n"
        "game = Game('two_pack', seed=1)\n"
        "while not game.is_over: game.apply(game.legal_actions()[0])\n"
        "assert sum(game.scores) > 0 and 'elsewhere' not in bezique_env.__file__\n"
        "print(Game.replay(game.to_record()).scores == game.scores)"
    )
    assert _ok([installed / "python", "-c", code], elsewhere).strip() == "True"


def test_a_config_is_found_by_its_short_name_and_the_missing_extra_is_named(
    installed: Path, elsewhere: Path
) -> None:
    done = _run([installed / "bezique", "run", "smoke/two_pack_ppo", "algorithm.total_stps=1"], elsewhere)
    assert done.returncode != 0
    assert "total_steps" in done.stdout + done.stderr
    done = _run([installed / "bezique", "run", "smoke/two_pack_ppo"], elsewhere)
    text = " ".join((done.stdout + done.stderr).split())
    assert done.returncode != 0
    assert "bezique-env[train]" in text
    assert "Traceback" not in text


def test_opponents_of_the_wheel_play(installed: Path, elsewhere: Path) -> None:
    code = (
        "import gymnasium, bezique_env\n"
        "env = gymnasium.make('bezique_env/Belote-v0', opponent='greedy')\n"
        "observation, info = env.reset(seed=1)\n"
        "done = False\n"
        "while not done:\n"
        "    _, reward, done, _, info = env.step(int(info['action_mask'].argmax()))\n"
        "print(isinstance(float(reward), float))"
    )
    assert _ok([installed / "python", "-c", code], elsewhere).strip() == "True"


def test_nothing_writable_is_needed(installed: Path, elsewhere: Path) -> None:
    """Neither the package nor the cache folder can be written: kernels compile in memory.

    Belote compiles fastest, and how it is done is the same for every game.
    """
    site = next((installed.parent / "lib").glob("python*/site-packages"))
    before = sorted(path.name for path in (site / "bezique_env").rglob("*.kernel"))
    closed = elsewhere / "closed"
    closed.write_text("a file, so that no folder can be made in it, by root either")
    code = (
        "import sys\n"
        "sys.dont_write_bytecode = True\n"
        "from bezique_env import Game\n"
        "from bezique_env.engine.cache import CACHE_FOLDER\n"
        "game = Game('belote', seed=1)\n"
        "game.apply(game.legal_actions()[0])\n"
        "print(CACHE_FOLDER.exists())"
    )
    (site / "bezique_env").chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        out = _ok(
            [installed / "python", "-c", code],
            elsewhere,
            BEZIQUE_CACHE_DIR=str(closed / "cache"),
            HOME=str(closed),
        )
    finally:
        (site / "bezique_env").chmod(stat.S_IRWXU)
    assert out.strip() == "False"
    assert sorted(path.name for path in (site / "bezique_env").rglob("*.kernel")) == before
