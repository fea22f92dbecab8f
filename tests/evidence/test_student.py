"""Student's t against printed tables, from one degree of freedom to a thousand."""

import math

import pytest

from benchproof.evidence.student import two_sided_quantile, upper_tail

TABLE = {1: 12.7062047362, 2: 4.30265272975, 3: 3.18244630528, 4: 2.7764451052, 10: 2.22813885199,
         30: 2.04227245630, 120: 1.97993040505, 1000: 1.96233908082}  # fmt: skip


@pytest.mark.parametrize(("df", "expected"), TABLE.items())
def test_quantiles_are_those_of_the_tables(df: int, expected: float) -> None:
    assert two_sided_quantile(0.95, df) == pytest.approx(expected, rel=1e-10)


def test_other_confidences_and_fractions_of_a_degree_are_known() -> None:
    assert two_sided_quantile(0.99, 2) == pytest.approx(9.92484320092, rel=1e-10)
    assert two_sided_quantile(0.5, 1) == pytest.approx(1.0, rel=1e-12)
    assert 3.18244630528 > two_sided_quantile(0.95, 3.5) > 2.7764451052


@pytest.mark.parametrize("df", [1, 1.7, 2, 3.3, 40, 5000])
def test_the_tail_beyond_a_quantile_is_what_the_quantile_leaves(df: float) -> None:
    for confidence in (0.5, 0.95, 0.999, 1 - 1e-9):
        t = two_sided_quantile(confidence, df)
        assert 2 * upper_tail(t, df) == pytest.approx(1 - confidence, rel=1e-7)


def test_tails_of_one_and_two_degrees_have_closed_forms() -> None:
    for t in (0.001, 0.5, 3.0, 1e4):
        assert upper_tail(t, 1) == pytest.approx(math.atan2(1, t) / math.pi, rel=1e-12)
        closed = 1 / (t * math.sqrt(2 + t * t) + 2 + t * t)
        assert upper_tail(t, 2) == pytest.approx(closed, rel=1e-10)


def test_half_lies_above_the_middle_and_nothing_above_all() -> None:
    assert upper_tail(0.0, 3) == 0.5
    assert upper_tail(1e200, 100) == 0.0
