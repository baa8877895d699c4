"""Adapters without rules or state of their own: AEC, Gymnasium, batch, Stable-Baselines3."""
