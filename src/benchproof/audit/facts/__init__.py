"""Telemetry of any origin as facts."""
