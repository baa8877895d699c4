"""Observations: named fields of a view in one flat float32 row."""

from bezique_env.encoding.bezique import OBSERVATION_FIELDS, OBSERVATION_SIZE, Field, layout_hash

__all__ = ["OBSERVATION_FIELDS", "OBSERVATION_SIZE", "Field", "layout_hash", "observation_size"]


def observation_size(variant: str = "two_pack") -> int:
    """Return the number of floats in an observation of a variant.

    Raises:
        ValueError: the variant is unknown.
    """
    if variant != "two_pack":
        raise ValueError(f"unknown variant {variant!r}: known is 'two_pack'")
    return OBSERVATION_SIZE
