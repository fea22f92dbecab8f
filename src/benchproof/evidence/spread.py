"""How far the median latency of a record may lie off: between its rounds, and within them.

Both spreads are standard errors of the logarithm of the pooled median, with their degrees of
freedom. The hierarchical bootstrap resamples rounds, then samples within them; each of its two
levels is taken by itself here, because a resample of samples inside resampled rounds counts the
noise within rounds twice: rounds that agree would get intervals that cover 99 % instead of 95 %.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from benchproof.evidence.levels import RESAMPLES, Level, Spread

_Z = 1.959963984540054  # 95 % of a normal distribution lie within so many standard deviations
_MOST_DIGITS = 15  # 16 to the power of 15 is the largest number of that kind in 64 bits
_CLOCK_NS = 1 / math.sqrt(12)  # standard deviation of a rounding to whole nanoseconds

Floats = NDArray[np.float64]
Owners = NDArray[np.int64]


def spread_of_rounds(rounds_ns: Sequence[Sequence[int]], seed: int) -> Spread:
    """Spread of the pooled median of rounds of samples in nanoseconds; at least two samples.

    `seed` fixes the resampling of rounds.
    """
    values = np.concatenate([np.asarray(one, dtype=np.float64) for one in rounds_ns])
    owners = np.repeat(np.arange(len(rounds_ns)), [len(one) for one in rounds_ns])
    order = np.argsort(values, kind="stable")
    pooled, owners = values[order], owners[order]
    median_ns = float(np.median(pooled))
    many = len(rounds_ns) > 1
    clock = _CLOCK_NS / median_ns
    return Spread(
        median_ns / 1e9,
        Level(max(_between(rounds_ns, pooled, owners, seed), clock), len(rounds_ns) - 1)
        if many
        else None,
        Level(max(_within(pooled, owners, median_ns), clock), max(len(pooled) - len(rounds_ns), 1)),
    )


def _between(
    rounds_ns: Sequence[Sequence[int]], pooled: Floats, owners: Owners, seed: int
) -> float:
    """Standard error that the differences between rounds give the log of the pooled median.

    Two estimates of its variance, weighted. The bootstrap over whole rounds, with R / (R - 1) for
    the few rounds that there are, is right where rounds overlap, and half too large for the
    median of rounds that stand apart. The variance of the rounds' own medians is right where they
    overlap as well, but a quarter too small for the median of few. With a third of the first,
    simulated intervals cover 94 to 96 % in both cases, and in all between.
    """
    count = len(rounds_ns)
    medians = np.log([np.median(np.asarray(one)) for one in rounds_ns])
    resampled = float(np.var(_medians_of_resamples(pooled, owners, count, seed)))
    own = float(np.var(medians, ddof=1)) / count
    return math.sqrt((resampled * count / (count - 1) + 2 * own) / 3)


def _medians_of_resamples(pooled: Floats, owners: Owners, rounds: int, seed: int) -> Floats:
    """Log of the pooled median of each resample of whole rounds, by chance with replacement.

    A resample is told by how often it holds each round: few are different, and only those are
    computed. The raw stream of PCG64 is the same in every version of NumPy.
    """
    raw = np.random.PCG64(seed).random_raw(RESAMPLES * rounds).reshape(RESAMPLES, rounds)
    drawn = (((raw >> np.uint64(32)) * np.uint64(rounds)) >> np.uint64(32)).astype(np.int64)
    # How often each round stands in a resample, as the digits of one number: quick to compare.
    fits = rounds <= _MOST_DIGITS
    codes = ((rounds + 1) ** drawn).sum(axis=1) if fits else np.arange(RESAMPLES)
    _, first, which = np.unique(codes, return_index=True, return_inverse=True)
    counts = np.stack([(drawn[first] == one).sum(axis=1) for one in range(rounds)], axis=1)
    return _weighted_log_medians(pooled, counts.astype(np.int32)[:, owners])[which]


def _weighted_log_medians(pooled: Floats, weights: NDArray[np.int32]) -> Floats:
    """Log of the median of the sorted values, each as often as a row of weights says; by row."""
    upto = np.cumsum(weights, axis=1)
    total = upto[:, -1:]
    low = (upto >= (total + 1) // 2).argmax(axis=1)
    high = (upto >= total // 2 + 1).argmax(axis=1)
    return np.asarray(np.log((pooled[low] + pooled[high]) / 2))


def _within(pooled: Floats, owners: Owners, median_ns: float) -> float:
    """Standard error that the samples alone give the log of the pooled median, rounds kept.

    Resampling the samples of each round moves the median's rank by a sum of binomials: what a
    bootstrap draws is known without drawing. Of fewer samples than reach so far, their range.
    """
    sizes = np.bincount(owners)
    below = np.bincount(owners[pooled < median_ns], minlength=len(sizes))
    equal = np.bincount(owners[pooled == median_ns], minlength=len(sizes))
    share = (below + equal / 2) / sizes
    deviation = math.sqrt(float(np.sum(sizes * share * (1 - share))))
    if deviation == 0.0:
        return 0.0
    reach = min(_Z * deviation, (len(pooled) - 1) / 2)
    middle = (len(pooled) - 1) / 2
    low, high = np.interp([middle - reach, middle + reach], np.arange(len(pooled)), np.log(pooled))
    return float(high - low) / 2 * deviation / reach
