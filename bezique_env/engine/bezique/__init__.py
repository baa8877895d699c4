"""The Bezique family."""
