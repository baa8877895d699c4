"""Checkpoints: one file with everything a run needs to go on, and a policy needs to play.

The file is a torch archive of tensors, numbers and texts only, read with ``weights_only=True``. Equal contents
give equal bytes, so that two runs can be compared by the hash of their files.
"""

from __future__ import annotations

import hashlib
import io
import os
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

CHECKPOINT_FORMAT = "bezique-checkpoint/1"


class CheckpointError(ValueError):
    """A file that is no checkpoint, or one that cannot be used here."""


def array_tensor(array: NDArray[Any]) -> dict[str, Any]:
    """Return an array as bytes with its type and shape, which any torch version can store."""
    raw = np.frombuffer(np.ascontiguousarray(array).tobytes(), np.uint8).copy()
    kind = "structured" if array.dtype.names else array.dtype.str
    return {"dtype": kind, "shape": list(array.shape), "bytes": torch.from_numpy(raw)}


def tensor_array(stored: Mapping[str, Any], like: NDArray[Any]) -> NDArray[Any]:
    """Return an array stored by :func:`array_tensor`; records take the type of ``like``.

    Raises:
        CheckpointError: it does not fit ``like``.
    """
    dtype = like.dtype if stored["dtype"] == "structured" else np.dtype(stored["dtype"])
    raw = stored["bytes"].numpy().tobytes()
    if dtype != like.dtype or tuple(stored["shape"]) != like.shape or len(raw) != like.nbytes:
        raise CheckpointError("the saved games do not fit this engine: their layout or their number differs")
    return np.frombuffer(raw, dtype).reshape(like.shape)


def pack_array(array: NDArray[Any]) -> dict[str, Any]:
    """Return an array of numbers as compressed bytes with its type and shape: observations are mostly zero."""
    raw = np.frombuffer(zlib.compress(np.ascontiguousarray(array).tobytes(), 1), np.uint8).copy()
    return {"dtype": array.dtype.str, "shape": list(array.shape), "zlib": torch.from_numpy(raw)}


def unpack_array(stored: Mapping[str, Any]) -> NDArray[Any]:
    """Return an array stored by :func:`pack_array`."""
    raw = zlib.decompress(stored["zlib"].numpy().tobytes())
    return np.frombuffer(raw, np.dtype(stored["dtype"])).reshape(stored["shape"])


def tensors_hash(state: Mapping[str, torch.Tensor]) -> str:
    """Return a SHA-256 over names, types, shapes and bytes of tensors."""
    digest = hashlib.sha256()
    for name in sorted(state):
        array = state[name].detach().cpu().contiguous().numpy()
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


def write_checkpoint(path: Path, content: Mapping[str, Any]) -> None:
    """Write a checkpoint so that a crash leaves the old file or the new one, never half of one."""
    buffer = io.BytesIO()  # the archive's inner name would otherwise follow the file's
    torch.save(dict(content), buffer)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".tmp")
    with temporary.open("wb") as file:
        file.write(buffer.getvalue())
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def read_checkpoint(path: Path) -> dict[str, Any]:
    """Read a checkpoint without running any code from it.

    Raises:
        CheckpointError: the file is missing or no checkpoint of this format.
    """
    if not path.is_file():
        raise CheckpointError(f"{path}: there is no such file")
    try:
        content = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # torch raises many kinds
        raise CheckpointError(f"{path}: this is no checkpoint ({type(error).__name__})") from None
    if not isinstance(content, dict) or content.get("format") != CHECKPOINT_FORMAT:
        raise CheckpointError(f"{path}: this is no checkpoint of the format {CHECKPOINT_FORMAT!r}")
    return content


def checkpoints_in(folder: Path) -> list[Path]:
    """Return the checkpoints of a folder, the earliest first."""
    return sorted(folder.glob("step_*.pt"))


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
