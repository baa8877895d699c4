"""Sets of cards as the bits of an int64: the lowest, the highest, how many."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

_OPTIONS = {"nogil": True, "no_cpython_wrapper": True}


def lowest(mask):
    """Return the place of the lowest bit of a mask that is not empty."""
    return (int(mask) & -int(mask)).bit_length() - 1


def highest(mask):
    """Return the place of the highest bit of a mask that is not empty."""
    return int(mask).bit_length() - 1


def size_of(mask):
    """Return the number of bits of a mask."""
    return int(mask).bit_count()


@intrinsic
def _trailing(context: Any, mask: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), code


@intrinsic
def _leading(context: Any, mask: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), code


@intrinsic
def _population(context: Any, mask: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), code


@overload(lowest, jit_options=_OPTIONS, inline="always")
def _lowest(mask):
    def chosen(mask):
        return _trailing(mask)

    return chosen


@overload(highest, jit_options=_OPTIONS, inline="always")
def _highest(mask):
    def chosen(mask):
        return 63 - _leading(mask)

    return chosen


@overload(size_of, jit_options=_OPTIONS, inline="always")
def _size_of(mask):
    def chosen(mask):
        return _population(mask)

    return chosen
