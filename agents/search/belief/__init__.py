"""What the other side's play tells about its hidden cards: weights of worlds, fitted to games of the rule-based player."""
