"""Functions of which every family has its own: the choice falls while compiling, by the type of the first argument."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from numba.extending import overload

from bezique_env.engine.engine import Engine
from bezique_env.engine.engines import engine_of_fields

# No forced inlining: Numba hands it on to all that is called, which makes compiling ten times longer.
_OPTIONS = {"nogil": True, "_nrt": False, "no_cpython_wrapper": True}


def by_family(find: Callable[[Engine, str], Any]) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator for a function whose body each family has for itself.

    The function's first argument is a record, a state or a view; what is decorated gives name, arguments and
    docstring, its body is never run. Kernels call it at no cost, Python calls it on one record.

    Args:
        find: returns the kernel of a family's engine by the name of the function.
    """

    def decorate(told: Callable[..., Any]) -> Any:
        name = told.__name__

        @functools.wraps(told)
        def function(record: Any, *rest: Any) -> Any:
            return find(engine_of_fields(record.dtype.fields), name)(record, *rest)

        @overload(function, strict=False, jit_options=_OPTIONS)
        def typed(record: Any, *rest: Any) -> Any:
            own = find(engine_of_fields(record.fields), name)

            def chosen(record, *rest):
                return own(record, *rest)

            return chosen

        return function

    return decorate
