"""Learners: what turns a config into a policy, each readable from top to bottom."""
