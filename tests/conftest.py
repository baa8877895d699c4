"""Settings that hold for every test."""

from __future__ import annotations

import os

# One thread a process: two busy cores are slower with more, and the bits of float sums stay the same.
for _name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
os.environ.setdefault("MPLBACKEND", "Agg")

import pytest  # noqa: E402  (after the thread settings)
from hypothesis import HealthCheck, settings  # noqa: E402

settings.register_profile(
    "repeatable", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("search", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the slow tests, so that the workers end together; name the groups."""
    items.sort(key=lambda item: "slow" not in item.keywords and item.path.suffix != ".ipynb")
    for item in items:
        mark = item.get_closest_marker("xdist_group")
        if mark is None or not getattr(item.config.option, "loadgroup", False) or not hasattr(item, "_id"):
            continue
        # pytest 9.2 does not read the name that pytest-xdist 3.8 writes, and groups are split without a word
        # (pytest-dev/pytest-xdist#1386): every worker would build what a group is to build once.
        named = f"{item.nodeid.removesuffix(f'@{mark.args[0]}')}@{mark.args[0]}"
        item._id = type(item._id).parse(named)
