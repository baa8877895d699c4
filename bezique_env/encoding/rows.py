"""From a view to its observation row: one entry, :func:`encode`, for the records of every variant.

Numba compiles the kernel of the layout that belongs to the type of the record.
"""

from __future__ import annotations

from typing import Any

from numba.extending import overload

from bezique_env.encoding.encoders import ENCODERS
from bezique_env.engine.cache import kernel
from bezique_env.engine.engines import engine_of_fields


def _kernel_of(fields: Any, lengths: Any) -> Any:
    """Return the kernel for records with these fields; ``lengths`` gives the shape of a field of theirs."""
    return ENCODERS[engine_of_fields(fields).family].kernel_for(lengths)


def encode(v: Any, row: Any) -> None:
    """Write the observation of a view record into ``row`` (float32, as long as its layout)."""
    fields = v.dtype.fields
    _kernel_of(fields, lambda name: fields[name][0].shape)(v, row)


@overload(encode, jit_options={"nogil": True, "no_cpython_wrapper": True})
def _encode_of_type(v, row):
    """Choose the kernel when the type of the record is known, which is while compiling."""
    encode_layout = _kernel_of(v.fields, lambda name: getattr(v.fields[name].type, "shape", ()))

    def implementation(v, row):
        encode_layout(v, row)

    return implementation


@kernel
def encode_row(views, i, row):
    """Encode view i into one row."""
    encode(views[i], row)


@kernel
def encode_rows(views, rows):
    """Encode every view into its own row."""
    for i in range(views.shape[0]):
        encode(views[i], rows[i])
