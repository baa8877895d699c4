"""Players that think ahead: they deal the hidden cards anew, play on with rules, and take what did best."""
