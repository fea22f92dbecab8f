"""Logarithmic axes: from a quantity to a place in points, and which ticks are readable."""

from collections.abc import Iterable
from math import ceil, floor, log10
from typing import NamedTuple

MARGIN = 0.05
LONE_VALUE_FACTOR = 3.0
EMPTY_RANGE = (0.1, 10.0)
# Tick mantissas in the order of their readability, and how few ticks are too few to read by.
TICK_PATTERNS: tuple[tuple[tuple[float, ...], int], ...] = (
    ((1,), 4),
    ((1, 2, 5), 3),
    ((1, 3), 3),
    ((1, 1.5, 2, 3, 5, 7), 3),
    ((1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 4, 5, 6, 7, 8, 9), 2),
    ((1, 2, 5), 1),
    ((1,), 1),
)


class LogScale(NamedTuple):
    """A logarithmic axis from `start_pt` (value `low`) to `end_pt` (value `high`)."""

    low: float
    high: float
    start_pt: float
    end_pt: float

    def place(self, value: float) -> float:
        """Where a value lies, in points."""
        share = (log10(value) - log10(self.low)) / (log10(self.high) - log10(self.low))
        return self.start_pt + share * (self.end_pt - self.start_pt)

    def clamped(self, value: float) -> float:
        """Where a value lies, moved to the axis' end where it is beyond it."""
        return self.place(min(max(value, self.low), self.high))

    def ticks(self, most: int = 7) -> list[float]:
        """At most so many round values inside the axis, ascending."""
        return _round_values(self.low, self.high, most)


def log_scale(values: Iterable[float], start_pt: float, end_pt: float) -> LogScale:
    """The axis that holds all values with a margin; without values it spans 0.1 to 10."""
    known = [value for value in values if value > 0]
    low, high = (min(known), max(known)) if known else EMPTY_RANGE
    if high / low < 1.5:
        low, high = low / LONE_VALUE_FACTOR, high * LONE_VALUE_FACTOR
    margin = (log10(high) - log10(low)) * MARGIN
    return LogScale(low / 10**margin, high * 10**margin, start_pt, end_pt)


def _round_values(low: float, high: float, most: int) -> list[float]:
    for mantissas, fewest in TICK_PATTERNS:
        ticks = _with_mantissas(low, high, mantissas)
        if fewest <= len(ticks) <= most:
            return ticks
    step = 1
    while len(ticks := _with_mantissas(low, high, (1,), step)) > most:
        step += 1
    return ticks


def _with_mantissas(
    low: float, high: float, mantissas: tuple[float, ...], step: int = 1
) -> list[float]:
    powers = [p for p in range(floor(log10(low)), ceil(log10(high)) + 1) if p % step == 0]
    values = [float(f"{mantissa}e{power}") for power in powers for mantissa in mantissas]
    return [value for value in values if low <= value <= high]
