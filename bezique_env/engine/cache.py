"""Compiling kernels, with a disk cache that notices every edit of a kernel source.

Numba keys its cache by the file of the compiled function alone and so keeps serving an old rule when a
function in another file changed. Here the cache lies in a folder named by a hash of all the sources of
the package that compiles, of the card and rules facts, and of the versions that compile.

Numba also keeps an index beside the compiled code of a function and numbers the files that hold it. Two
processes that compile one function at once for different records both take the first number, and the one's
code is then found under the other's records. Here every compiled function is a file of its own, named by
what it was compiled from and for, written under another name and then put in its place, with a hash of its
bytes in front: there is no index to disagree with, and what was half written or spoiled is compiled anew.
A folder that cannot be written is read; without any, kernels are compiled in memory in each process.

Numba also names compiled functions by a number that it gives a record type when the process first meets it.
Two processes may give the same number to the records of two variants; a third that loads what both cached
would then run the one variant's code on the other's records. Here the name is made from the type itself.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import pickle
import re
import shutil
import sys
import time
import types as python_types
import uuid
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba import config, njit, types
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_PACKAGE = Path(__file__).resolve().parent.parent
_ROOTS = (_PACKAGE, _PACKAGE.parent / "agents")
_KEPT_FOLDERS = 4
_KEPT_SECONDS = 86400
_MARKER = "bezique-env-kernels.txt"
_SUFFIX = ".kernel"
READABLE_ROOMS = ("faces", "render")
"""Rooms of the package in which nothing is compiled: editing them keeps what is compiled."""
_FLAGS = ("BOUNDSCHECK", "DEBUGINFO_DEFAULT", "LOOP_VECTORIZE", "OPT", "SLP_VECTORIZE")
"""Settings of Numba that change compiled code and that it does not key its own cache by."""
_CONSTANTS = (bool, int, float, complex, str, bytes, type(None), np.generic, np.dtype, types.Type)
_SAID: list[bool] = []
_HELD: list[int] = []


def _record_symbol(record: Any) -> tuple[str, tuple[str]]:
    """Return what names a record type in compiled code: the same in every process."""
    return "Record", (hashlib.sha256(record.name.encode()).hexdigest()[:16],)


types.Record.mangling_args = property(_record_symbol)


def fingerprint() -> str:
    """Return a short hash of everything that compiled kernels depend on, but the processor.

    The processor's name and features are part of the name of each compiled file, so that the machines of a
    cluster may share a folder.
    """
    digest = hashlib.sha256()
    for root in _ROOTS:
        if root.is_dir():
            for path in sorted(root.rglob("*.py")):
                if path.relative_to(root).parts[0] in READABLE_ROOMS:
                    continue
                digest.update(path.relative_to(root.parent).as_posix().encode())
                digest.update(path.read_bytes())
    versions = (numba.__version__, llvmlite.__version__, np.__version__, sys.version_info[:3])
    flags = [(name, getattr(config, name, None)) for name in _FLAGS]
    digest.update(f"{versions} {sys.implementation.cache_tag} {flags}".encode())
    return digest.hexdigest()[:16]


def _base() -> Path | None:
    """Return the folder in which the folder of this version lies; None where no home folder is known."""
    given = os.environ.get("BEZIQUE_CACHE_DIR")
    if given:
        return Path(given).expanduser().absolute()
    if config.CACHE_DIR:  # NUMBA_CACHE_DIR, or Numba's file of settings
        return Path(config.CACHE_DIR).expanduser().absolute() / "bezique-env"
    try:
        return Path.home() / ".cache" / "bezique-env"
    except RuntimeError:  # a user without a name or a home, as in some containers
        return None


def _folder() -> Path | None:
    base = _base()
    return None if base is None else base / fingerprint()


CACHE_FOLDER: Path | None = _folder()
"""Where compiled kernels are looked for and put, whether it exists or not."""


def _prune(current: Path) -> None:
    """Remove the folders longest unused, so that edits do not fill the disk.

    Only folders that this module made are touched, and none that was used during the last day, that is
    among the last few, or that a living process holds.
    """
    others = []
    for path in current.parent.iterdir():
        with contextlib.suppress(OSError):
            if path != current and re.fullmatch("[0-9a-f]{16}", path.name):
                others.append(((path / _MARKER).stat().st_mtime, path))
    others.sort(reverse=True)
    day_ago = time.time() - _KEPT_SECONDS
    for used, old in others[_KEPT_FOLDERS:]:
        if used < day_ago:
            with contextlib.suppress(OSError), _locked_out(old / _MARKER):
                # Under another name first: who begins to use the folder now begins a new one.
                gone = old.with_name(f"{old.name}.{uuid.uuid4().hex[:8]}.removed")
                old.rename(gone)
                shutil.rmtree(gone, ignore_errors=True)


@contextlib.contextmanager
def _locked_out(marker: Path) -> Iterator[None]:
    """Hold a folder's marker alone; OSError where another process holds it."""
    handle = os.open(marker, os.O_RDONLY)
    try:
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)


def _hold(folder: Path) -> None:
    """Say that this process uses a folder, until it ends (nothing where that cannot be said)."""
    if _HELD:
        return
    with contextlib.suppress(OSError):
        handle = os.open(folder / _MARKER, os.O_RDONLY)
        _HELD.append(handle)
        if fcntl is not None:
            with contextlib.suppress(OSError):  # some network file systems have no locks
                fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        os.utime(handle)


if CACHE_FOLDER is not None:
    _hold(CACHE_FOLDER)


def _put(path: Path, data: bytes) -> None:
    """Write a file that is never seen in part: under another name first, then in its place."""
    draft = path.with_name(f"{path.name}.{uuid.uuid4().hex[:16]}.draft")
    try:
        with draft.open("xb") as file:
            file.write(data)
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def _make(folder: Path) -> None:
    """Make the folder of this version if it is not there; OSError where nothing can be written."""
    marker = folder / _MARKER
    if not marker.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _put(marker, b"Compiled rules of bezique-env. The folder may be deleted: they are compiled anew.\n")
        _prune(folder)
    _hold(folder)


@functools.cache
def _within(path: str) -> bool:
    """Whether a source is part of what the folder is named by."""
    return any(root in Path(path).resolve().parents for root in _ROOTS)


def _codes(code: python_types.CodeType) -> Iterator[python_types.CodeType]:
    """Yield a function's code and that of the functions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, python_types.CodeType):
            yield from _codes(constant)


def _sources(plain: Callable[..., Any]) -> str:
    """Hash what a function is compiled from, where the name of the folder does not say it.

    That is what it closes over and, of a function outside the package, its file and, through the names in it,
    the files of the functions that it calls and the values of the constants that it reads, wherever they stand.
    """
    digest = hashlib.sha256()
    waiting: list[Any] = [plain]
    seen = set()
    while waiting:
        function = waiting.pop()
        if function in seen:
            continue
        seen.add(function)
        code = function.__code__
        cells = zip(code.co_freevars, function.__closure__ or (), strict=True)
        named = {name: cell.cell_contents for name, cell in cells}
        looked_up = sorted({name for inner in _codes(code) for name in inner.co_names})
        if not _within(code.co_filename):
            try:
                digest.update(Path(code.co_filename).read_bytes())
            except OSError:  # typed into a notebook or at a prompt
                for inner in _codes(code):
                    plain_constants = [x for x in inner.co_consts if not isinstance(x, python_types.CodeType)]
                    digest.update(inner.co_code + repr((inner.co_names, plain_constants)).encode())
            named |= {name: function.__globals__[name] for name in looked_up if name in function.__globals__}
        values = list(named.values())
        for value in values:  # grows on the way
            value = getattr(value, "py_func", value)
            if isinstance(value, python_types.FunctionType):
                waiting.append(value)
            elif isinstance(value, python_types.ModuleType):
                values += [getattr(value, name) for name in looked_up if hasattr(value, name)]
            elif isinstance(value, tuple):
                values += value
            elif isinstance(value, np.ndarray):
                digest.update(repr((value.dtype, value.shape)).encode() + value.tobytes())
            elif isinstance(value, _CONSTANTS):
                digest.update(repr(value).encode())
    return digest.hexdigest()


class KernelCache:
    """What a compiled function asks for its compiled forms: Numba's own interface of a cache.

    Args:
        plain: The Python function.
        folder: Where its compiled forms lie; need not exist.
        settings: The options it is compiled with.
    """

    def __init__(self, plain: Callable[..., Any], folder: Path, settings: dict[str, Any]) -> None:
        self._plain = plain
        self._folder = folder
        self._settings = repr(sorted(settings.items()))
        self._on = True

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(self._folder)

    def enable(self) -> None:
        """Read and write from now on."""
        self._on = True

    def disable(self) -> None:
        """Neither read nor write from now on."""
        self._on = False

    def flush(self) -> None:
        """Forget what is compiled of this function, for every type."""
        for path in self._folder.glob(f"{self._stem()}-*{_SUFFIX}"):
            with contextlib.suppress(OSError):
                path.unlink()

    def _stem(self) -> str:
        """Return how the files of this function begin."""
        name = re.sub(r"[^\w.]", "", f"{self._plain.__module__}.{self._plain.__qualname__}")
        return f"{name[-120:]}-{self._plain.__code__.co_firstlineno}"

    def _path(self, signature: Any, machine: Any) -> Path:
        """Return the file of the form for a signature on a machine (processor, its features)."""
        code = self._plain.__code__
        made_from = (code.co_code, _sources(self._plain), self._settings)
        made_for = (signature, machine)
        digest = hashlib.sha256(repr((self._plain.__module__, made_from, made_for)).encode()).hexdigest()[:32]
        return self._folder / f"{self._stem()}-{digest}{_SUFFIX}"

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Return the form compiled for a signature; None where there is none that is whole."""
        target_context.refresh()
        if not self._on:
            return None
        try:
            data = self._path(signature, target_context.codegen().magic_tuple()).read_bytes()
        except OSError:
            return None
        if hashlib.sha256(data[32:]).digest() != data[:32]:
            return None
        return CompileResult._rebuild(target_context, *pickle.loads(data[32:]))

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep the form compiled for a signature; without a word where nothing can be written."""
        if not self._on:
            return
        if any(not lifted.can_cache for lifted in result.lifted) or result.library.has_dynamic_globals:
            warnings.warn(
                f"{self._plain.__qualname__} is compiled anew in every process: it uses objects that cannot "
                "be kept (large arrays among its globals, or addresses)",
                stacklevel=2,
            )
            return
        data = dumps(result._reduce())
        with contextlib.suppress(OSError):
            _make(self._folder)
            _put(self._path(signature, result.codegen.magic_tuple()), hashlib.sha256(data).digest() + data)


def announce_compilation() -> None:
    """Say once, on standard error, that a first compilation is about to begin (nothing when cached)."""
    if _SAID or config.DISABLE_JIT:
        return
    _SAID.append(True)
    if CACHE_FOLDER is None or not any(CACHE_FOLDER.glob(f"*{_SUFFIX}")):
        print(f"bezique_env: compiling the rules ({_how_often()}) ...", file=sys.stderr, flush=True)


def _how_often() -> str:
    """Return for how long what is compiled now will serve."""
    if CACHE_FOLDER is None:
        return "in every process: no home folder is known; set BEZIQUE_CACHE_DIR to keep them"
    there = next(path for path in (CACHE_FOLDER, *CACHE_FOLDER.parents) if path.exists())
    if there.is_dir() and os.access(there, os.W_OK | os.X_OK):
        return "once, some seconds"
    return f"in every process: {there} cannot be written; set BEZIQUE_CACHE_DIR to keep them"


def kernel(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Compile a function in no-Python mode without the GIL, cached in the folder above.

    Options go to :func:`numba.njit`. ``inner=True`` marks a kernel that only kernels call: it gets no
    wrapper for Python, which shortens compiling. ``inline_always=True`` marks a small inner helper for
    forced inlining (it is not cached by itself). ``allocates=True`` marks a kernel that makes arrays: all others are
    compiled without the counting of references that arrays need, which costs more than their work where they read
    many.
    """
    inner = options.pop("inner", False)
    inline = options.pop("inline_always", False)
    settings = {
        "nogil": True,
        "_nrt": options.pop("allocates", False),
        "no_cfunc_wrapper": True,
        "no_cpython_wrapper": inner or inline,
        **options,
    }

    def decorate(plain: Callable[..., Any]) -> Any:
        if inline:
            return njit(forceinline=True, **settings)(plain)
        compiled: Any = njit(**settings)(plain)
        if CACHE_FOLDER is not None and not config.DISABLE_JIT:  # which leaves the plain function
            compiled._cache = KernelCache(plain, CACHE_FOLDER, settings)
        return compiled

    return decorate if function is None else decorate(function)
