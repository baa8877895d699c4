"""Rule-based players whose numbers are data: published advice, each piece a function, weighed by tuned weights."""
