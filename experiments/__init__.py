"""What is run: configurations, training, evaluation, reports, and the command `bezique`."""
