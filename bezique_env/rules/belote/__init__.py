"""The Belote family."""
