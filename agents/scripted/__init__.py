"""Players whose rules are written by hand: compiled, without learning or search."""
