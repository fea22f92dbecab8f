import random
from statistics import median

import pytest

from benchproof.collectors.interval import half_width_percent, median_interval


def test_too_few_samples_have_no_interval() -> None:
    assert median_interval([1, 2, 3, 4, 5]) is None
    assert half_width_percent([7] * 5) is None


def test_six_samples_are_their_own_interval() -> None:
    # 2 / 2**6 is the chance that all six lie on one side of the median: 3.1 %.
    assert median_interval([6, 5, 4, 3, 2, 1]) == (1, 6)


def test_ranks_are_those_of_the_binomial_tables() -> None:
    # Conover, Practical Nonparametric Statistics, table of the sign test's 95 % intervals.
    assert median_interval(range(1, 11)) == (2, 9)
    assert median_interval(range(1, 21)) == (6, 15)
    assert median_interval(range(1, 41)) == (14, 27)


def test_the_summed_and_the_normal_law_agree_where_they_meet() -> None:
    low, high = median_interval(range(1, 51)) or (0, 0)
    next_low, next_high = median_interval(range(1, 52)) or (0, 0)
    assert low <= next_low <= low + 1
    assert high <= next_high <= high + 1


def test_equal_samples_fix_their_median() -> None:
    assert half_width_percent([1_000] * 40) == 0


@pytest.mark.parametrize("count", [10, 40, 51, 200])
def test_at_least_95_percent_of_intervals_hold_the_median(count: int) -> None:
    generator = random.Random(count)
    held = 0
    for _ in range(1_000):
        samples = [round(1e6 * generator.lognormvariate(0, 0.3)) for _ in range(count)]
        low, high = median_interval(samples) or (0, 0)
        held += low <= 1e6 <= high
    assert 930 <= held <= 990


def test_the_width_is_the_farther_end_in_percent() -> None:
    samples = [100] * 20 + [90] * 10 + [130] * 10
    low, high = median_interval(samples) or (0, 0)
    expected = 100 * max(median(samples) - low, high - median(samples)) / median(samples)
    assert half_width_percent(samples) == expected
