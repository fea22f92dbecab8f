"""What a collection tells while it runs: a line a cell, with the time that is left."""

import sys
import time
from collections.abc import Mapping
from statistics import median
from typing import Any


class Progress:
    """Counts cells and estimates the time left; whole lines, so that a log file can be read.

    `jobs_left` are jobs that have not told their cells yet: each is taken to be as long as those
    that have.
    """

    def __init__(self, jobs_left: int = 1) -> None:
        self.jobs_left = jobs_left
        self.total = 0
        self.done = 0
        self._jobs = 0
        self._began = time.monotonic()
        self._skipped = 0

    def tell(self, line: str) -> None:
        """A line of its own."""
        print(line, file=sys.stderr, flush=True)

    def expect(self, cells: int, done: int) -> None:
        """A job told how many cells it has, and how many of them are on disk already."""
        self.jobs_left = max(0, self.jobs_left - 1)
        self._jobs += 1
        self.total += cells
        self.done += done
        self._skipped += done

    def cell(self, label: str, cell: Mapping[str, Any]) -> None:
        """A cell is on disk."""
        self.done += 1
        more = f", {self.jobs_left} more jobs" if self.jobs_left else ""
        told = f"[{self.done}/{self.total}{more}] {label}: {describe(cell)}"
        left = self._left_s()
        self.tell(told if left is None else f"{told}; {duration(left)} left")

    def _left_s(self) -> float | None:
        measured = self.done - self._skipped
        later = self.jobs_left * self.total / self._jobs if self._jobs else 0
        left = self.total - self.done + later
        if measured < 1 or left <= 0:
            return None
        return (time.monotonic() - self._began) / measured * left


def describe(cell: Mapping[str, Any]) -> str:
    """How a cell's measurement ended, in a few words."""
    samples = cell.get("samples_ns")
    if not samples:
        return f"{cell['status']}: {cell.get('reason', '')}"
    mark = "" if cell["status"] == "ok" else f", {cell['status']}: {cell.get('reason', '')}"
    return f"{latency(median(samples))} (median of {len(samples)}){mark}"


def latency(ns: float) -> str:
    """A time as three digits and a unit."""
    for unit, size in (("s", 1e9), ("ms", 1e6)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns / 1e3:.3g} us"


def duration(seconds: float) -> str:
    """A time left, about as exact as it is known."""
    whole = round(seconds)
    if whole < 90:
        return f"about {whole} s"
    if whole < 5400:
        return f"about {round(whole / 60)} min"
    return f"about {whole / 3600:.1f} h"
