"""The cache of compiled kernels: never an old rule, never another record's code, never half a file.

Most tests run a small package of the same name, whose ``engine/cache.py`` is ours and whose kernels compile in
a moment. What would go wrong is made to happen: writes are delayed into each other, cut off by the kernel of
the operating system, spoiled afterwards.
"""

from __future__ import annotations

import ctypes
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bezique_env.engine import cache
from bezique_env.engine.cache import READABLE_ROOMS

ROOT = Path(__file__).resolve().parents[2]

PACKAGE = {
    "__init__.py": "",
    "engine/__init__.py": "",
    "rules/__init__.py": "",
    "rules/table.py": "BONUS = 7\n",
    "engine/rule.py": """
        from bezique_env.engine.cache import kernel
        from bezique_env.rules.table import BONUS

        @kernel(inner=True)
        def points(tricks):
            total = tricks * 0
            for k in range(10):
                total += tricks * 10 + k * 0
            return total + BONUS
        """,
    "engine/caller.py": """
        from bezique_env.engine.cache import kernel
        from bezique_env.engine.rule import points

        @kernel
        def score(tricks):
            return points(tricks)
        """,
    "faces/__init__.py": "",
    "faces/talk.py": "GREETING = 'hello'\n",
}
PLAY = """
    import json, sys
    {before}
    from bezique_env.engine import caller
    {between}
    values = [score for score in map(caller.score, {arguments})]
    stats = caller.score.stats
    print(json.dumps([values, sum(stats.cache_hits.values()), sum(stats.cache_misses.values())]))
    """


class Small:
    """A copy of the small package and a folder for its kernels."""

    def __init__(self, folder: Path) -> None:
        self.site, self.cache = folder / "site", folder / "cache"
        for name, text in PACKAGE.items():
            self.write(name, text)
        shutil.copy(cache.__file__, self.site / "bezique_env" / "engine" / "cache.py")

    def write(self, name: str, text: str) -> Path:
        path = self.site / "bezique_env" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    def start(
        self,
        arguments: str = "(3,)",
        before: str = "",
        between: str = "",
        code: str = "",
        closed: bool = False,
        **environment: str,
    ) -> subprocess.Popen[str]:
        parts = {"before": before, "between": between}
        parts = {name: textwrap.dedent(text).replace("\n", "\n    ") for name, text in parts.items()}
        code = textwrap.dedent(code or PLAY.format(arguments=arguments, **parts))
        settings = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.site / "no home"),
            "PYTHONPATH": str(self.site),
            "PYTHONDONTWRITEBYTECODE": "1",
            "BEZIQUE_CACHE_DIR": str(self.cache),
        }
        return subprocess.Popen(
            [sys.executable, "-c", code],
            cwd=self.site,
            env={**settings, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=_obey_permissions if closed else None,
        )

    def play(self, arguments: str = "(3,)", **options: Any) -> tuple[list[float], int, int]:
        """Return the values, and how many forms were loaded and how many compiled."""
        return _answer(self.start(arguments, **options))

    def kernels(self) -> list[Path]:
        return sorted(self.cache.rglob("*.kernel"))

    def folders(self) -> set[str]:
        return {path.name for path in self.cache.iterdir()}


def _answer(process: subprocess.Popen[str]) -> tuple[list[float], int, int]:
    out, err = process.communicate(timeout=100)
    assert process.returncode == 0, err
    values, loaded, compiled = json.loads(out.splitlines()[-1])
    return values, loaded, compiled


def _obey_permissions() -> None:
    """Give up what lets the root user write what is closed."""
    if os.geteuid() == 0:
        for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
            if ctypes.CDLL(None).prctl(24, capability, 0, 0, 0):  # PR_CAPBSET_DROP
                raise OSError("cannot give up the rights of root")


def _close(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        path.chmod(path.stat().st_mode & ~0o222)


def _open(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        path.chmod(path.stat().st_mode | 0o200)


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Small]:
    yield Small(tmp_path)
    _open(tmp_path)


# ----------------------------------------------------------------------------------------- edited sources


def test_an_edited_rule_is_played_and_an_edit_undone_compiles_nothing(small: Small) -> None:
    """The edited kernel, then the edited constant, stand in other files than the cached caller."""
    assert small.play() == ([307], 0, 1)
    assert small.play() == ([307], 1, 0)
    before = small.folders()
    rule = PACKAGE["engine/rule.py"]
    small.write("engine/rule.py", rule.replace("tricks * 10", "tricks * 20"))
    assert small.play() == ([607], 0, 1)
    assert len(small.folders()) == 2
    small.write("engine/rule.py", rule)
    small.write("rules/table.py", "BONUS = 8\n")
    assert small.play() == ([308], 0, 1)
    path = small.write("rules/table.py", PACKAGE["rules/table.py"])
    os.utime(path, (1, 1))
    assert small.play() == ([307], 1, 0)
    assert len(small.folders()) == 3 and before < small.folders()


def test_an_edit_of_what_people_read_compiles_nothing(small: Small) -> None:
    small.play()
    small.write("faces/talk.py", "GREETING = 'good evening'\n")
    assert small.play() == ([307], 1, 0)


def test_an_edit_of_an_agent_is_noticed(small: Small) -> None:
    """Kernels of agents call each other over files just as the engine's do."""
    agents = {"__init__.py": "", "own.py": "WEIGHT = 2\n"}
    for name, text in agents.items():
        small.write(f"../agents/{name}", text)
    small.play()
    small.write("../agents/own.py", "WEIGHT = 3\n")
    assert small.play()[1:] == (0, 1)


def test_kernels_outside_the_package_notice_edits_of_what_they_call_and_read(
    small: Small, tmp_path: Path
) -> None:
    helper, facts = tmp_path / "site" / "helper.py", tmp_path / "site" / "facts.py"
    helper.write_text(
        "from bezique_env.engine.cache import kernel\n"
        "@kernel(inner=True)\ndef twice(x):\n    y = x\n    for _ in range(9):\n        y += 0\n    return y + x\n"
    )
    facts.write_text("FACT = (1, (2, 3))\n")
    code = """
        import json, helper
        from facts import FACT
        from bezique_env.engine.cache import kernel
        @kernel
        def own(x):
            return helper.twice(x) + FACT[1][0]
        value = own(4)
        print(json.dumps([value, sum(own.stats.cache_hits.values()), sum(own.stats.cache_misses.values())]))
        """
    script = tmp_path / "site" / "script.py"
    script.write_text(textwrap.dedent(code))
    run = f"import runpy; runpy.run_path({str(script)!r})"
    assert small.play(code=run) == (10, 0, 1)
    assert small.play(code=run) == (10, 1, 0)
    helper.write_text(helper.read_text().replace("y + x", "y + 2 * x"))
    assert small.play(code=run) == (14, 0, 1)
    facts.write_text("FACT = (1, (5, 3))\n")
    assert small.play(code=run) == (17, 0, 1)
    facts.write_text("FACT = (1, (5, 3))\nOTHER = 1\n")
    assert small.play(code=run) == (17, 1, 0)


def test_kernels_of_one_factory_are_kept_apart(small: Small) -> None:
    code = """
        import json
        from bezique_env.engine.cache import kernel
        def make(unit, times):
            @kernel(inner=True)
            def inside(x):
                y = x
                for _ in range(9):
                    y += 0
                return y * times
            @kernel
            def outside(x):
                return inside(x) + unit
            return outside
        kernels = [make(1, 1), make(2, 1), make(1, 3)]
        values = [kernel(5) for kernel in kernels]
        stats = [kernel.stats for kernel in kernels]
        print(json.dumps([values, sum(sum(s.cache_hits.values()) for s in stats),
                          sum(sum(s.cache_misses.values()) for s in stats)]))
        """
    factory = small.write("engine/factory.py", code)
    run = f"import runpy; runpy.run_path({str(factory)!r})"
    assert small.play(code=run) == ([6, 7, 16], 0, 3)
    assert small.play(code=run) == ([6, 7, 16], 3, 0)


@pytest.mark.parametrize(
    ("where", "what", "value"),
    [
        ("numba", "__version__", "0.0.1"),
        ("np", "__version__", "0.0.1"),
        ("llvmlite", "__version__", "0.0.1"),
        ("sys", "version_info", (3, 99, 0)),
        ("config", "BOUNDSCHECK", 2),
        ("config", "OPT", 0),
    ],
)
def test_other_versions_and_flags_have_other_folders(
    monkeypatch: pytest.MonkeyPatch, where: str, what: str, value: object
) -> None:
    before = cache.fingerprint()
    monkeypatch.setattr(getattr(cache, where), what, value)
    assert cache.fingerprint() != before


def test_another_processor_compiles_its_own(small: Small) -> None:
    """The machines of a cluster share a folder."""
    small.play()
    assert small.play(NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="") == ([307], 0, 1)
    assert small.play(NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="") == ([307], 1, 0)
    assert small.play() == ([307], 1, 0)
    assert len(small.folders()) == 1


# ------------------------------------------------------------------------------------ several processes


def test_two_processes_that_compile_one_function_for_different_types(small: Small) -> None:
    """With an index beside numbered files the first's code would now lie under the second's types.

    The writes are held back so that they fall as follows: the first file of A, both of B, the second of A.
    """
    delayed = """
        import os, time
        put, waits = os.replace, {waits}
        def replace(source, target, **options):
            if ".nbi" in str(target) or ".nbc" in str(target) or ".kernel" in str(target):
                time.sleep(waits.pop(0) if waits else 0)
            put(source, target, **options)
        os.replace = replace
        """
    start = f"while not os.path.exists({str(small.site / 'go')!r}): time.sleep(0.01)"
    running = [
        # The inner kernel is compiled before what calls it, and each has two writes where there is an index.
        small.start(arguments, delayed.format(waits=waits), start)
        for arguments, waits in (("(3,)", [0, 1.2, 0, 1.2]), ("(3.5,)", [0.6, 0, 0.6, 0]))
    ]
    time.sleep(1.5)
    (small.site / "go").touch()
    assert [_answer(process) for process in running] == [([307], 0, 1), ([357.0], 0, 1)]
    assert small.play("(3, 3.5)") == ([307, 357.0], 2, 0)
    assert small.play("(3.5, 3)") == ([357.0, 307], 2, 0)


def test_four_processes_begin_at_once_with_an_empty_folder(small: Small) -> None:
    start = f"import os, time\nwhile not os.path.exists({str(small.site / 'go')!r}): time.sleep(0.001)"
    running = [small.start("(3, 2.5)", between=start) for _ in range(4)]
    time.sleep(2.5)
    (small.site / "go").touch()
    for process in running:
        values, _, _ = _answer(process)
        assert values == [307, 257.0]
    assert len(small.kernels()) == 4
    assert not list(small.cache.rglob("*.draft"))
    assert small.play("(3, 2.5)") == ([307, 257.0], 2, 0)


LIMIT = "import resource, signal\nresource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))\n"


@pytest.mark.skipif(sys.platform == "win32", reason="limits of a process are Unix's")
def test_a_process_killed_while_writing_leaves_nothing_that_is_loaded(small: Small) -> None:
    process = small.start(before=LIMIT + "signal.signal(signal.SIGXFSZ, signal.SIG_DFL)")
    process.communicate(timeout=100)
    assert process.returncode == -signal.SIGXFSZ, "the system ended it after 3,000 bytes of a file"
    left = [path for path in small.cache.rglob("*") if path.is_file()]
    assert 3000 in [path.stat().st_size for path in left]
    assert small.play() == ([307], 0, 1)
    assert small.play() == ([307], 1, 0)


@pytest.mark.skipif(sys.platform == "win32", reason="limits of a process are Unix's")
def test_a_full_disk_is_no_reason_to_stop(small: Small) -> None:
    assert small.play(before=LIMIT) == ([307], 0, 1)
    assert not small.kernels() and not list(small.cache.rglob("*.draft"))


def test_spoiled_files_are_compiled_anew(small: Small) -> None:
    small.play()
    good = {path: path.read_bytes() for path in small.kernels()}
    assert len(good) == 2

    def flipped(data: bytes) -> bytes:
        return data[:-200] + bytes([data[-200] ^ 1]) + data[-199:]

    for spoil in (lambda data: b"", lambda data: data[: len(data) // 2], flipped, lambda data: b"x" * 40):
        for path, data in good.items():
            path.write_bytes(spoil(data))
        assert small.play() == ([307], 0, 1)
    assert small.play() == ([307], 1, 0)


def test_a_folder_removed_under_a_process_is_made_again(small: Small) -> None:
    small.play()
    gone = "import shutil, os\ncaller.score(1)\nshutil.rmtree(os.environ['BEZIQUE_CACHE_DIR'])\n"
    assert small.play("(3, 2.5)", between=gone) == ([307, 257.0], 1, 1)
    assert small.play("(2.5,)") == ([257.0], 1, 0)


# -------------------------------------------------------------------------------------- where it can lie


def test_a_filled_folder_that_cannot_be_written_is_read(small: Small) -> None:
    """As in a container's image: compiled when it was built, read by whoever runs it."""
    small.play()
    before = small.kernels()
    _close(small.site)
    _close(small.cache)
    assert small.play(closed=True) == ([307], 1, 0)
    assert small.play("(3, 2.5)", closed=True) == ([307, 257.0], 1, 1), "the other form in memory"
    assert small.kernels() == before


NO_HOME = """
    import pathlib
    def home():
        raise RuntimeError("Could not determine home directory.")
    pathlib.Path.home = home
    """


@pytest.mark.parametrize("case", ["closed folder", "a file", "closed home", "no home"])
def test_where_nothing_can_be_written_kernels_compile_in_memory(small: Small, case: str) -> None:
    """Nor can the package be, as in a system's site-packages."""
    folder = small.site / "closed"
    folder.mkdir()
    (small.site / "file").touch()
    _close(small.site)
    places = {
        "closed folder": {"BEZIQUE_CACHE_DIR": str(folder / "cache")},
        "a file": {"BEZIQUE_CACHE_DIR": str(small.site / "file")},
        "closed home": {"BEZIQUE_CACHE_DIR": "", "HOME": str(folder)},
        "no home": {"BEZIQUE_CACHE_DIR": ""},
    }
    say = "from bezique_env.engine.cache import announce_compilation\nannounce_compilation()"
    process = small.start(
        before=NO_HOME if case == "no home" else "", between=say, closed=True, **places[case]
    )
    out, err = process.communicate(timeout=100)
    assert process.returncode == 0, err
    assert json.loads(out) == [[307], 0, 1]
    said = {"no home": "no home folder is known", "a file": "file cannot be written"}
    assert said.get(case, "closed cannot be written") in err and "BEZIQUE_CACHE_DIR" in err
    assert not list(small.site.rglob("*.kernel")) and not small.cache.exists()


def test_variables_say_where(small: Small, tmp_path: Path) -> None:
    own, numba_s, home = tmp_path / "own", tmp_path / "numba", tmp_path / "home"
    home.mkdir()
    say = "from bezique_env.engine.cache import announce_compilation\nannounce_compilation()"
    everything = {"BEZIQUE_CACHE_DIR": str(own), "NUMBA_CACHE_DIR": str(numba_s), "HOME": str(home)}
    process = small.start(between=say, **everything)
    _, err = process.communicate(timeout=100)
    assert err == "bezique_env: compiling the rules (once, some seconds) ...\n"
    assert list(own.glob("*/*.kernel")) and not numba_s.exists()
    small.play(**{**everything, "BEZIQUE_CACHE_DIR": ""})
    assert list(numba_s.glob("bezique-env/*/*.kernel")) and not list(home.iterdir())
    small.play(**{**everything, "BEZIQUE_CACHE_DIR": "", "NUMBA_CACHE_DIR": ""})
    assert list(home.glob(".cache/bezique-env/*/*.kernel"))
    (process,) = [small.start(between=say, **everything)]
    assert process.communicate(timeout=100)[1] == "", "nothing is said when it is compiled"


def test_functions_of_other_packages_are_cached_as_without_ours(small: Small, tmp_path: Path) -> None:
    other = tmp_path / "site" / "other.py"
    other.write_text("from numba import njit\n@njit(cache=True)\ndef f(x):\n    return x + 1\n")
    code = """
        import json
        from numba import config
        {ours}
        before = repr(config.CACHE_DIR)
        import other
        value = other.f(1)
        print(json.dumps([[other.f.stats.cache_path, repr(config.CACHE_DIR), value],
                          sum(other.f.stats.cache_hits.values()), 0]))
        """
    for place in ("", str(tmp_path / "numba")):
        alone = small.play(code=code.format(ours=""), NUMBA_CACHE_DIR=place)
        beside = small.play(
            code=code.format(ours="from bezique_env.engine import caller; caller.score(2)"),
            NUMBA_CACHE_DIR=place,
        )
        assert alone[0] == beside[0] and (alone[1], beside[1]) == (0, 1), (
            "what was kept alone is loaded beside"
        )


def test_nothing_is_kept_without_the_compiler(small: Small) -> None:
    code = "from bezique_env.engine import caller; print([[caller.score(3)], 0, 0])"
    assert small.play(code=code, NUMBA_DISABLE_JIT="1") == ([307], 0, 0)
    assert not small.cache.exists()


# --------------------------------------------------------------------------------------- old folders


def test_only_own_folders_long_unused_are_removed(small: Small) -> None:
    names = [f"{k:016x}" for k in range(1, 11)]
    small.cache.mkdir()
    for k, name in enumerate(names):
        (small.cache / name).mkdir()
        (small.cache / name / "some.kernel").touch()
        marker = small.cache / name / cache._MARKER
        marker.touch()
        days = 100 - k
        os.utime(marker, (time.time() - 86400 * days,) * 2)
    foreign = ["f" * 16, "sixteen letters!", "tmp", names[1] + ".bak"]
    for name in foreign:
        (small.cache / name).mkdir()
        (small.cache / name / "thesis.txt").write_text("four years of work")
    (small.cache / ("e" * 16)).write_text("a file")
    os.utime(small.cache / names[2] / cache._MARKER)  # used just now
    held = subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(small.cache / names[3])],
        stdout=subprocess.PIPE,
        stdin=subprocess.PIPE,
    )
    assert held.stdout is not None and held.stdout.readline() == b"held\n"
    os.utime(small.cache / names[3] / cache._MARKER, (1, 1))
    small.play()
    left = small.folders()
    assert {*foreign, "e" * 16} <= left
    new = left - {*names, *foreign, "e" * 16}
    assert len(new) == 1 and re.fullmatch("[0-9a-f]{16}", new.pop())
    # Used just now; held; the four last used, of which names[2] is one.
    assert left & set(names) == {names[2], names[3], *names[-3:]}
    held.communicate(b"\n")
    (small.site / "bezique_env" / "rules" / "table.py").write_text("BONUS = 9\n")
    assert small.play()[0] == [309]
    assert names[3] not in small.folders(), "nobody holds it any more"


_HOLD = f"""
import importlib.util, sys
from pathlib import Path
spec = importlib.util.spec_from_file_location("cache_of_ours", {cache.__file__!r})
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
module._HELD.clear()
module._hold(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.readline()
"""


# --------------------------------------------------------------------------------------- the real game

KERNELS = '''
import sys

import numpy as np

from bezique_env.engine.cache import kernel
from bezique_env.engine.bezique.state import state_dtype
from bezique_env.rules import get_rules


@kernel(inner=True)
def spread(g, times):
    """Long enough to stay a function of its own."""
    total = 0
    for k in range(times):
        for c in range(g.deck.shape[0]):
            g.deck[c] = (g.deck[c] * 7 + k) % 251
            total += g.deck[c] if c % 3 else k
        for s in range(2):
            for t in range(g.table_card.shape[1]):
                total += g.table_card[s, t] * k
                g.table_card[s, t] += 1
    return total * 1000 + g.deck.shape[0]


@kernel
def first(games, i):
    return spread(games[i], 2) + spread(games[i], 3) + spread(games[i], i)


@kernel
def second(games, i):
    return spread(games[i], 4) - 5 * spread(games[i], i + 1)


for variant in sys.argv[1:]:
    games = np.ones(1, state_dtype(get_rules(variant).shape))
    print(variant, first(games, 0), second(games, 0), games.tobytes().hex())
'''


def test_variants_compiled_in_processes_apart_play_in_one(tmp_path: Path) -> None:
    """Numba's own names of record types are numbers of the process: two variants would share one symbol."""
    script = tmp_path / "kernels.py"
    script.write_text(KERNELS, encoding="utf-8")
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "BEZIQUE_CACHE_DIR": str(tmp_path / "cache"),
    }

    def run(*variants: str) -> list[str]:
        done = subprocess.run(
            [sys.executable, script, *variants],
            env=environment,
            capture_output=True,
            text=True,
            timeout=200,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    alone = {variant: run(variant) for variant in ("two_pack", "rubicon")}
    assert run("two_pack", "rubicon") == alone["two_pack"] + alone["rubicon"]
    assert run("rubicon", "two_pack") == alone["rubicon"] + alone["two_pack"]


GAME = """
import hashlib, sys
from bezique_env import Game
digest = hashlib.sha256()
for seed in range(20):
    game = Game("belote", seed=seed)
    while not game.is_over:
        legal = game.legal_actions()
        game.apply(legal[(seed + len(legal)) % len(legal)])
    digest.update(repr((game.scores, game.to_record())).encode())
print(digest.hexdigest())
"""


@pytest.mark.slow
def test_two_processes_compile_a_real_game_at_once(tmp_path: Path) -> None:
    """Both play what a process plays that loads what they kept; so does one whose kernels lie elsewhere."""

    def start(folder: Path | None) -> subprocess.Popen[str]:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        if folder is not None:
            environment["BEZIQUE_CACHE_DIR"] = str(folder)
        return subprocess.Popen(
            [sys.executable, "-c", GAME],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def ends(process: subprocess.Popen[str]) -> tuple[str, str]:
        out, err = process.communicate(timeout=280)
        assert process.returncode == 0, err
        return out, err

    running = [start(tmp_path / "cache") for _ in range(2)]
    results = [ends(process) for process in running]
    assert all("compiling the rules (once" in err for _, err in results)
    results.append(ends(start(tmp_path / "cache")))
    assert results[-1][1] == "", "nothing is compiled any more"
    results.append(ends(start(None)))
    assert len({out for out, _ in results}) == 1


def test_nothing_is_compiled_in_the_rooms_whose_edits_keep_the_cache() -> None:
    for room in READABLE_ROOMS:
        modules = sorted((ROOT / "bezique_env" / room).rglob("*.py"))
        assert modules
        for path in modules:
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"numba|import kernel\b", text), path
