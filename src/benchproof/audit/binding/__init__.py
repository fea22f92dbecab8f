"""What the context of a number fixes."""
