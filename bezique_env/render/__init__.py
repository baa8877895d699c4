"""Renderers, all made from a view."""
