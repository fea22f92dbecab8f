"""Tables: typed rows of values derived from gated records."""
