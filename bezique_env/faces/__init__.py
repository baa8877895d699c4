"""What makes a game of each family readable: views, sentences, information texts, positions."""
