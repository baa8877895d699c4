"""Compiling kernels, with a disk cache that notices every edit of a kernel source.

Numba keys its cache by the file of the compiled function alone and so keeps serving an old rule when a
function in another file changed. Here the cache lies in a folder named by a hash of all the sources of
the package that compiles, of the card and rules facts, and of the versions of Numba and Python.

Numba also names compiled functions by a number that it gives a record type when the process first meets it.
Two processes may give the same number to the records of two variants; a third that loads what both cached
would then run the one variant's code on the other's records. Here the name is made from the type itself.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba import config, njit, types

_PACKAGE = Path(__file__).resolve().parent.parent
_KEPT_FOLDERS = 4
READABLE_ROOMS = ("faces", "render")
"""Rooms of the package in which nothing is compiled: editing them keeps what is compiled."""
_SAID: list[bool] = []


def _record_symbol(record: Any) -> tuple[str, tuple[str]]:
    """Return what names a record type in compiled code: the same in every process."""
    return "Record", (hashlib.sha256(record.name.encode()).hexdigest()[:16],)


types.Record.mangling_args = property(_record_symbol)


def fingerprint() -> str:
    """Return a short hash of everything that compiled kernels depend on."""
    digest = hashlib.sha256()
    agents = _PACKAGE.parent / "agents"
    for root in (_PACKAGE, agents):
        if root.is_dir():
            for path in sorted(root.rglob("*.py")):
                if path.relative_to(root).parts[0] in READABLE_ROOMS:
                    continue
                digest.update(path.relative_to(root.parent).as_posix().encode())
                digest.update(path.read_bytes())
    digest.update(f"{numba.__version__} {sys.version_info[:3]}".encode())
    return digest.hexdigest()[:16]


def _base() -> Path:
    given = os.environ.get("BEZIQUE_CACHE_DIR") or os.environ.get("NUMBA_CACHE_DIR")
    return Path(given) if given else Path.home() / ".cache" / "bezique-env"


def _prepare() -> Path | None:
    """Make the cache folder; None where nothing is writable (kernels then compile anew each time)."""
    folder = _base() / fingerprint()
    try:
        fresh = not folder.is_dir()
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
        if fresh:
            _prune(folder)
    except OSError:
        return None
    return folder


def _prune(current: Path) -> None:
    """Remove the oldest folders of earlier versions, so that edits do not fill the disk."""
    others = [p for p in current.parent.iterdir() if p != current and p.is_dir() and len(p.name) == 16]
    others.sort(key=lambda p: p.stat().st_mtime)
    day_ago = time.time() - 86400
    for old in others[: max(0, len(others) - _KEPT_FOLDERS)]:
        if old.stat().st_mtime < day_ago:
            shutil.rmtree(old, ignore_errors=True)


CACHE_FOLDER: Path | None = _prepare()


def announce_compilation() -> None:
    """Say once, on standard error, that a first compilation is about to begin (nothing when cached)."""
    if _SAID or config.DISABLE_JIT:
        return
    _SAID.append(True)
    if CACHE_FOLDER is None or not any(CACHE_FOLDER.rglob("*.nbi")):
        print("bezique_env: compiling the rules (once, some seconds) ...", file=sys.stderr, flush=True)


def kernel(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Compile a function in no-Python mode without the GIL, cached in the folder above.

    Options go to :func:`numba.njit`. ``inner=True`` marks a kernel that only kernels call: it gets no
    wrapper for Python, which shortens compiling. ``inline_always=True`` marks a small inner helper for
    forced inlining (it is not cached by itself).
    """
    inner = options.pop("inner", False)
    inline = options.pop("inline_always", False)
    settings = {"nogil": True, "no_cfunc_wrapper": True, "no_cpython_wrapper": inner or inline, **options}

    def decorate(plain: Callable[..., Any]) -> Any:
        if inline:
            return njit(forceinline=True, **settings)(plain)
        if CACHE_FOLDER is None:
            return njit(**settings)(plain)
        before = config.CACHE_DIR
        config.CACHE_DIR = str(CACHE_FOLDER)
        try:
            return njit(cache=True, **settings)(plain)
        finally:
            config.CACHE_DIR = before

    return decorate if function is None else decorate(function)
