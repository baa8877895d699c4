"""What the other side's play tells of its hidden cards: weights of worlds, fitted to games of the rule-based player."""
