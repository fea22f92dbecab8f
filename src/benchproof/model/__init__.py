"""The types everything else stands on: raw telemetry, keys and records."""
