"""One line of the benchmark's table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Outcome:
    """What was measured, what it came to beside what, and whether it may: None, not measured."""

    what: str
    ours: str
    theirs: str
    measured: str
    limit: str
    holds: bool | None


class BenchError(Exception):
    """The benchmark could not run, or did not measure what it should."""
