"""What is known of how far a median may lie off: a standard error for each level of sampling."""

from typing import NamedTuple

RESAMPLES = 2000


class Level(NamedTuple):
    """A standard error of the log median, and the degrees of freedom that it is known with."""

    error: float
    df: float


class Spread(NamedTuple):
    """Median in seconds, with its spread between rounds (None: one round only) and within them."""

    median_s: float
    between: Level | None
    within: Level
