"""Audit any post against its telemetry: bind each number by its context first, compare second."""
