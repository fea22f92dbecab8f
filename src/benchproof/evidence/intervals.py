"""The 95 % interval of a median latency and of a ratio of two, and the verdict on a difference."""

import math
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from benchproof.evidence.levels import Level, Spread
from benchproof.evidence.student import two_sided_quantile, upper_tail

CONFIDENCE = 0.95
LARGEST_P = 1 - CONFIDENCE
THRESHOLD_PERCENT = 2.0  # a difference that no reader would act on; a study may name another
METHOD = "median-rounds-bootstrap-t@1"


class Verdict(StrEnum):
    """What the evidence says of a second record against a first."""

    FASTER = "faster"
    SLOWER = "slower"
    INCONCLUSIVE = "inconclusive"


class Bounds(NamedTuple):
    """The two ends of an interval."""

    low: float
    high: float


class Estimate(NamedTuple):
    """The log of a latency in seconds, or of a ratio, with each level of its spread.

    `tested` are the levels as a test takes them: far out in the tails, where p-values of many
    comparisons are judged, it needs more care than an interval. So a verdict of `faster` has its
    whole interval above 1 + threshold, but not every such interval has a verdict.
    """

    log: float
    levels: tuple[Level, ...]
    tested: tuple[Level, ...]

    @property
    def value(self) -> float:
        """The latency in seconds, or the ratio."""
        return math.exp(self.log)

    @property
    def bounds(self) -> Bounds:
        """95 % interval: never narrower than what the samples alone allow."""
        reach = max(two_sided_quantile(CONFIDENCE, one.df) * one.error for one in self.levels)
        return Bounds(_kept(math.exp(self.log - reach)), _kept(math.exp(self.log + reach)))

    def p_above(self, threshold_percent: float) -> float:
        """Two-sided p-value that the true ratio does not lie above 1 + threshold; 1 below it."""
        excess = self.log - math.log1p(threshold_percent / 100)
        if excess <= 0:
            return 1.0
        return _kept(max(2 * upper_tail(excess / one.error, one.df) for one in self.tested))

    @property
    def reversed(self) -> "Estimate":
        """The estimate of the inverse ratio."""
        return Estimate(-self.log, self.levels, self.tested)


def estimate_of(spread: Spread) -> Estimate:
    """The estimate of one median, in seconds."""
    levels = tuple(one for one in (spread.between, spread.within) if one)
    return Estimate(math.log(spread.median_s), levels, levels)


def estimate_ratio(above: Spread, below: Spread) -> Estimate:
    """The estimate of the ratio of two medians, each with its own spread.

    The two are taken as independent. Rounds that share what disturbs both would allow a narrower
    interval; nothing in a raw file says that they do. Where one record has a single round, its
    samples stand for it.
    """
    between = [one.between or one.within for one in (above, below)]
    within = [above.within, below.within]
    return Estimate(
        math.log(above.median_s / below.median_s),
        (_of_few(between), _of_few(within)),
        (_welch(between, 0.0), _welch(within, 0.0)),
    )


def _of_few(levels: Sequence[Level]) -> Level:
    """The level of a difference for an interval, in Welch's form for few degrees of freedom.

    It adds two to those in the sum, and takes two from the outcome. The usual form gives three
    rounds intervals that cover 97 to 98 %. One degree of freedom is too few for either.
    """
    least = min(one.df for one in levels)
    found = _welch(levels, 2.0 if least >= 2 else 0.0)
    return Level(found.error, max(found.df, least))


def _welch(levels: Sequence[Level], few: float) -> Level:
    """The level of a difference, degrees of freedom after Welch and Satterthwaite."""
    variances = [one.error**2 for one in levels]
    total = sum(variances)
    parts = zip(variances, levels, strict=True)
    shares = sum((variance / total) ** 2 / (one.df + few) for variance, one in parts)
    return Level(math.sqrt(total), 1 / shares - few)


def judge(ratio: float, p: float) -> Verdict:
    """The verdict on a ratio of a first latency over a second, by its (adjusted) p-value."""
    if p > LARGEST_P:
        return Verdict.INCONCLUSIVE
    return Verdict.FASTER if ratio > 1 else Verdict.SLOWER


def adjusted(p_values: Sequence[float]) -> list[float]:
    """P-values adjusted for their number (Benjamini and Hochberg 1995), in their order.

    Of the verdicts that a family gives at 5 %, at most 5 % are expected to be wrong; where no
    true difference exists, that is the chance of any verdict at all. Holm's method would bound
    the chance of a single wrong one instead: with the two to four degrees of freedom of three
    rounds, and the hundred comparisons of a table, no real difference would pass it.
    """
    total = len(p_values)
    ranked = sorted(range(total), key=lambda index: p_values[index], reverse=True)
    least, result = 1.0, [1.0] * total
    for position, index in enumerate(ranked):
        least = min(least, p_values[index] * total / (total - position))
        result[index] = least
    return result


def _kept(number: float) -> float:
    """The number to twelve digits: the last ones differ between machines' mathematics."""
    return float(f"{number:.12g}")
