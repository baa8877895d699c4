"""The encoders of the families: the list that a new family extends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bezique_env.encoding.belote import layout as belote_layout
from bezique_env.encoding.belote import rows as belote_rows
from bezique_env.encoding.bezique import layout as bezique_layout
from bezique_env.encoding.bezique import rows as bezique_rows
from bezique_env.encoding.layout import Layout


@dataclass(frozen=True)
class Encoder:
    """What makes the observations of a family.

    Attributes:
        layout_of: the layout for records of given lengths (``rules.shape``).
        kernel_for: the kernel for a view record; its argument gives the shape of a field of the record.
    """

    layout_of: Callable[[Any], Layout]
    kernel_for: Callable[[Callable[[str], tuple[int, ...]]], Any]


ENCODERS: dict[str, Encoder] = {
    "bezique": Encoder(bezique_layout.layout_of, bezique_rows.kernel_for),
    "belote": Encoder(belote_layout.layout_of, belote_rows.kernel_for),
}
"""The encoder of each family of :data:`bezique_env.rules.families.FAMILIES`, by its id."""
