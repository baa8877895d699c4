"""Agents: everything that plays. One protocol (:mod:`agents.protocol`), one registry (:mod:`agents.registry`)."""
