"""Somebody else's telemetry, converted to `benchproof/raw@1` with its provenance."""
