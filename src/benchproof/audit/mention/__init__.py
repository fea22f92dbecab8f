"""Numbers found in texts."""
