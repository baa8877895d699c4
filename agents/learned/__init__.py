"""Agents that were trained. Their module is imported only when one of them is asked for."""
