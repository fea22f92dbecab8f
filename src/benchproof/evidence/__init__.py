"""Enough evidence (gate 6): how sure a latency, or a ratio of two, is, and the verdict on it."""
