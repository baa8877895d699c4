"""Compiled kernels over one flat record per game."""
