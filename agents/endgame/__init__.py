"""The exact solver of endings in which nothing is hidden."""
