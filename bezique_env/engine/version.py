"""Version of the behaviour of the engine."""

ENGINE_VERSION = 1
"""Moves whenever the behaviour of the engine moves; stands in every record, saved game and result."""
