"""How well the samples so far fix their median: an interval without any assumed distribution."""

from collections.abc import Sequence
from math import comb, sqrt
from statistics import median

SMALL = 50  # up to here the binomial is summed; beyond, the normal law is within a rank of it


def median_interval(samples: Sequence[int]) -> tuple[int, int] | None:
    """Two order statistics that hold the median with at least 95 %; None below six samples.

    The number of samples below the median is binomial(n, 1/2), whatever the distribution is.
    """
    ordered = sorted(samples)
    rank = _rank(len(ordered))
    return None if rank < 1 else (ordered[rank - 1], ordered[-rank])


def half_width_percent(samples: Sequence[int]) -> float | None:
    """How far the median's interval reaches from the median, in percent of it."""
    interval = median_interval(samples)
    if interval is None:
        return None
    middle = median(samples)
    return 100 * max(middle - interval[0], interval[1] - middle) / middle


def _rank(count: int) -> int:
    """Largest r for which the r-th smallest and r-th largest sample hold the median with 95 %."""
    if count > SMALL:
        return int((count - 1.96 * sqrt(count)) / 2)
    below, rank = 0.0, 0
    while rank < count:
        below += comb(count, rank) / 2**count
        if below > 0.025:
            break
        rank += 1
    return rank
