"""Which values a number may state, inside its binding only."""
