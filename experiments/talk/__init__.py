"""What the terminal says of a game: one narrator for each family."""
