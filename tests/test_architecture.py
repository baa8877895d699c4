"""The arrows of the house: nothing lower imports anything higher, and importing the core stays light."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("bezique_env", "agents", "experiments")

# From the lowest to the highest. A module belongs to the longest prefix that fits it.
GAMES = ("two_pack", "rubicon", "chinese", "eight_pack", "fildinski", "belote", "mini_bezique", "mini_belote")
FAMILIES = ("bezique", "belote")
ROOMS_OF_FAMILIES = ("rules", "engine", "encoding", "faces", "render")
LISTS = (
    "bezique_env.rules.families",
    "bezique_env.engine.engines",
    "bezique_env.encoding.encoders",
    "bezique_env.faces.faces",
    "bezique_env.render.renderers",
)
"""The modules that name every family: what a new family extends."""
LAYERS: tuple[tuple[str, ...], ...] = (
    ("bezique_env.cards",),
    ("bezique_env.rules",),
    ("bezique_env.engine",),
    ("bezique_env.encoding",),
    ("bezique_env.position", "bezique_env.record"),
    ("bezique_env.faces", "bezique_env.game"),  # a face speaks of games, by type only; a game has a face
    ("bezique_env.render",),
    ("bezique_env.envs", *(f"bezique_env.{game}_v0" for game in GAMES)),
    ("bezique_env",),  # the facade: only __init__ itself
    ("agents",),
    ("experiments",),
)
RANK = {prefix: rank for rank, prefixes in enumerate(LAYERS) for prefix in prefixes}

# An environment that plays opponents looks their names up when it is asked for one, by importlib.
LAZY_HOOKS = {
    ("bezique_env.envs.opponents", "agents.registry"),
    ("bezique_env.envs.registration", "agents.registry"),
}


def _module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


SOURCES = {_module_name(p): p for package in PACKAGES for p in sorted((ROOT / package).rglob("*.py"))}


def _rank(module: str) -> int | None:
    parts = module.split(".")
    for end in range(len(parts), 0, -1):
        prefix = ".".join(parts[:end])
        if prefix in RANK:
            if prefix == "bezique_env" and module != "bezique_env":
                return None  # a module of the library that no layer names
            return RANK[prefix]
    return None


def _from_base(module: str, is_package: bool, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    parts = module.split(".") if is_package else module.split(".")[:-1]
    parts = parts[: len(parts) - (node.level - 1)]
    return ".".join([*parts, *([node.module] if node.module else [])])


def imports_of(module: str, path: Path) -> list[tuple[str, int, bool]]:
    """Every module imported anywhere in a source: (name, line, by importlib)."""
    found: list[tuple[str, int, bool]] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(alias.name, node.lineno, False) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = _from_base(module, path.name == "__init__.py", node)
            for alias in node.names:
                full = f"{base}.{alias.name}"
                found.append((full if full in SOURCES else base, node.lineno, False))
        elif isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in ("import_module", "__import__", "find_spec") and node.args:
                first = node.args[0]
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    found.append((first.value, node.lineno, True))
    return found


def test_every_module_of_the_library_has_a_layer() -> None:
    assert SOURCES
    homeless = [name for name in SOURCES if _rank(name) is None]
    assert not homeless, f"add these modules to LAYERS of this test: {homeless}"


@pytest.mark.parametrize("module", sorted(SOURCES))
def test_nothing_lower_imports_anything_higher(module: str) -> None:
    own = _rank(module)
    assert own is not None
    wrong = []
    for target, line, by_importlib in imports_of(module, SOURCES[module]):
        if target.split(".")[0] not in PACKAGES or (by_importlib and (module, target) in LAZY_HOOKS):
            continue
        rank = _rank(target)
        if rank is not None and rank > own:
            wrong.append(f"{SOURCES[module].relative_to(ROOT)}:{line} imports {target}")
    assert not wrong, "\n".join(wrong)


# Within a package, from the lowest to the highest; a module imports only from lines above its own. ``*`` stands
# for every family, and a module of a family that its others lack has its line in the same order.
INNER: dict[str, tuple[tuple[str, ...], ...]] = {
    "bezique_env.rules": (
        ("*", "*.index", "*.shape", "family"),
        ("*.cards",),
        ("*.options", "*.settlement"),
        ("*.limits",),
        ("*.variants",),
        ("*.tables",),
        ("*.family",),
        ("families",),
        ("registry",),
        ("tables",),
    ),
    "bezique_env.engine": (
        ("*", "actions", "cache", "common", "version"),
        ("rng", "*.actions", "*.state", "engine"),
        ("bezique.told", "belote.declarations"),
        ("bezique.melds",),
        ("*.kernels",),
        ("*.views",),
        ("*.engine",),
        ("engines",),
        ("dispatch",),
        ("play",),
    ),
    "bezique_env.encoding": (("*", "layout"), ("*.layout",), ("*.rows",), ("encoders",), ("rows",)),
    "bezique_env.render": (("ansi",), ("*",), ("renderers",)),
    "bezique_env.faces": (("*", "face"), ("*.position", "*.view"), ("*.face",), ("faces",)),
}


@pytest.mark.parametrize("package", sorted(INNER))
def test_modules_of_a_package_keep_their_order(package: str) -> None:
    rank = {
        f"{package}.{name.replace('*', family)}": k
        for k, names in enumerate(INNER[package])
        for name in names
        for family in FAMILIES
    }
    inside = {name for name in SOURCES if name.startswith(package + ".")}
    assert inside == set(rank), "every module has its line in INNER of this test"
    wrong = [
        f"{module} imports {target}"
        for module in sorted(inside)
        for target, _, _ in imports_of(module, SOURCES[module])
        if target in rank and rank[target] >= rank[module]
    ]
    assert not wrong


def _family(module: str) -> str | None:
    """The family whose place in a room a module is, None when it is nobody's."""
    parts = module.split(".")
    if len(parts) > 2 and parts[0] == "bezique_env" and parts[1] in ROOMS_OF_FAMILIES:
        return parts[2] if parts[2] in FAMILIES else None
    return None


@pytest.mark.parametrize("module", sorted(SOURCES))
def test_a_family_is_named_by_its_own_modules_and_by_the_lists_only(module: str) -> None:
    """What serves every family finds its own by the variant; an agent or an experiment may be about one family."""
    targets = imports_of(module, SOURCES[module])
    named = {(family, line) for target, line, _ in targets if (family := _family(target)) is not None}
    if module in LISTS:
        return
    own = _family(module)
    if module.startswith(("agents.", "experiments.")) and len({family for family, _ in named}) == 1:
        own = next(iter(named))[0]
    wrong = [f"{SOURCES[module].relative_to(ROOT)}:{line} names {family}" for family, line in named]
    assert {family for family, _ in named} <= {own}, "\n".join(sorted(wrong))


def test_only_the_module_of_views_makes_views() -> None:
    """What is seen is made in one place: no other module of the engine names a function that projects."""
    for family in FAMILIES:
        views = f"bezique_env.engine.{family}.views"
        assert "def project" in SOURCES[views].read_text(encoding="utf-8")
        for module in (name for name in SOURCES if name.startswith(f"bezique_env.engine.{family}.")):
            if module not in (views, f"bezique_env.engine.{family}.engine"):
                targets = [target for target, _, _ in imports_of(module, SOURCES[module])]
                assert views not in targets
                assert "def project" not in SOURCES[module].read_text(encoding="utf-8")


def test_the_engine_knows_no_variant_by_name() -> None:
    """A new member of the family is data: no branch of the engine or the encoding asks for a name."""
    for module, path in SOURCES.items():
        if not module.startswith(("bezique_env.engine", "bezique_env.encoding")):
            continue
        literals = [
            node.value
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        ]
        assert not (set(GAMES) - set(FAMILIES)) & set(literals), module


def test_the_checker_sees_imports_inside_functions(tmp_path: Path) -> None:
    source = tmp_path / "late.py"
    source.write_text("def f():\n    from agents import registry\n    import experiments.cli\n")
    names = {name for name, _, _ in imports_of("bezique_env.engine.late", source)}
    assert any(name.startswith("agents") for name in names)
    assert "experiments.cli" in names


@pytest.mark.parametrize("module", sorted(SOURCES))
def test_nothing_outside_tests_imports_the_referee(module: str) -> None:
    names = [name for name, _, _ in imports_of(module, SOURCES[module])]
    assert not [name for name in names if name == "tests" or name.startswith("tests.")]


def test_the_referee_does_not_lean_on_the_library() -> None:
    folder = ROOT / "tests" / "referee"
    assert folder.is_dir()
    for path in sorted(folder.rglob("*.py")):
        if path.stem.startswith("compare"):  # plays both and compares
            continue
        names = [name for name, _, _ in imports_of("tests.referee." + path.stem, path)]
        assert not [name for name in names if name.split(".")[0] in PACKAGES], path


def _python(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=240, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_importing_the_library_stays_light() -> None:
    heavy = _python(
        "import sys, bezique_env\n"
        "heavy = ('torch', 'stable_baselines3', 'sb3_contrib', 'ray', 'pygame', 'matplotlib', 'scipy', 'pandas',\n"
        "         'tensorboard', 'pyspiel', 'open_spiel', 'agents', 'experiments')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    assert heavy == "[]"


BLOCKED = """
import sys

class Block:
    def find_spec(self, name, path=None, target=None):
        if name.split('.')[0] in ('agents', 'experiments', 'pyspiel', 'torch', 'stable_baselines3', 'tests'):
            raise ModuleNotFoundError(f'{name} is blocked', name=name)
        return None

sys.meta_path.insert(0, Block())
"""


def test_one_adapter_alone_imports_openspiel() -> None:
    users = {
        module
        for module, path in SOURCES.items()
        if any(name.split(".")[0] in ("pyspiel", "open_spiel") for name, _, _ in imports_of(module, path))
    }
    assert {module for module in users if module.startswith("bezique_env")} == {"bezique_env.envs.openspiel"}
    importers = [
        module
        for module, path in SOURCES.items()
        if module.startswith("bezique_env")
        and "bezique_env.envs.openspiel" in {n for n, _, _ in imports_of(module, path)}
    ]
    assert not importers, "importing the library must not load OpenSpiel"


def test_the_library_works_without_agents_and_experiments() -> None:
    out = _python(
        BLOCKED
        + """
from bezique_env import Game, make_batch, two_pack_v0

game = Game('two_pack', seed=3)
while not game.is_over:
    game.apply(game.legal_actions()[0])
batch = make_batch('two_pack', num_games=3, seed=1)
while not batch.done.all():
    batch.step(batch.mask.argmax(axis=1))
env = two_pack_v0.env()
env.reset(seed=5)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    env.step(None if terminated or truncated else int(observation['action_mask'].argmax()))
print('played')
"""
    )
    assert out == "played"
