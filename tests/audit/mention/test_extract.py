"""Numbers in texts: what they say, in which unit, and what stands beside them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchproof.audit.facts.fact import Dimension
from benchproof.audit.mention.extract import mentions_of
from benchproof.audit.mention.mention import Mention, Role


def one(text: str, **options: bool) -> Mention:
    found = mentions_of(text, **options)
    assert len(found) == 1, [each.text for each in found]
    return found[0]


@pytest.mark.parametrize(
    ("text", "value", "dimension"),
    [
        ("It takes 4.81 ms.", 4.81e-3, Dimension.TIME),
        ("It takes 85 µs.", 85e-6, Dimension.TIME),
        ("It takes 1.2s in all.", 1.2, Dimension.TIME),
        ("about 53,000 samples/s", 53_000, Dimension.RATE),
        ("12k tokens/s", 12_000, Dimension.RATE),
        ("4.3 images per second", 4.3, Dimension.RATE),
        ("927 GFLOP/s", 927e9, Dimension.FLOPS_RATE),
        ("3.6 TFLOPS", 3.6e12, Dimension.FLOPS_RATE),
        ("7.59 MFLOPs", 7.59e6, Dimension.FLOPS),
        ("50.5 FLOP/byte", 50.5, Dimension.INTENSITY),
        ("100 GB/s", 100e9, Dimension.BYTES_RATE),
        ("2.5 GiB", 2.5 * 2**30, Dimension.BYTES),
        ("1.79× faster", 1.79, Dimension.RATIO),
        ("1.79x faster", 1.79, Dimension.RATIO),
        ("2.1 times", 2.1, Dimension.RATIO),
        ("3-fold", 3, Dimension.RATIO),
        ("24.8% of it", 24.8, Dimension.PERCENT),
        ("24.8 percent", 24.8, Dimension.PERCENT),
        ("12.1 percentage points", 12.1, Dimension.POINT),
        ("~1.1M parameters", 1.1e6, Dimension.UNKNOWN),
        ("1.1 million parameters", 1.1e6, Dimension.UNKNOWN),
        ("350 W", 350, Dimension.POWER),
        ("-20.6 %", -20.6, Dimension.PERCENT),
        ("−20.6 %", -20.6, Dimension.PERCENT),
        ("1.5e-3 s", 1.5e-3, Dimension.TIME),
        ("2.5 × 10^9 FLOP", 2.5e9, Dimension.FLOPS),
        ("twice as fast", 2, Dimension.RATIO),
        ("half the time", 0.5, Dimension.RATIO),
        ("three times", 3, Dimension.RATIO),
    ],
)
def test_a_number_is_read_with_its_unit(text: str, value: float, dimension: Dimension) -> None:
    found = one(text)
    assert found.value == pytest.approx(value)
    assert found.dimension is dimension


@pytest.mark.parametrize(
    "text",
    [
        "neural-cost v0.2.0", "ResNet-50", "the M3", "fp32", "PyTorch 2.13.0", "conv2d",
        "as section 5 says", "Figure 2 shows", "October 19, 2026", "19 October", "at 12:45",
        "a 3D model", "the 5th run", "32x32x3 images", "CUDA 12", "1. Where models land", "x86_64",
        "issue #12", "in 2026", "https://a.b/c/42",
    ],
)  # fmt: skip
def test_what_only_names_or_counts_is_no_number(text: str) -> None:
    assert [each.text for each in mentions_of(text)] == []


@pytest.mark.parametrize(
    ("text", "roles", "values"),
    [
        ("1.05–1.79×", (Role.LOW, Role.HIGH), (1.05, 1.79)),
        ("1.05-1.79x", (Role.LOW, Role.HIGH), (1.05, 1.79)),
        ("2–8%", (Role.LOW, Role.HIGH), (2, 8)),
        ("between 3 ms and 5 ms", (Role.LOW, Role.HIGH), (3e-3, 5e-3)),
        ("1.2× to 6.6×", (Role.LOW, Role.HIGH), (1.2, 6.6)),
        ("reduces it from 18.2 ms to 10.2 ms", (Role.FROM, Role.TO), (18.2e-3, 10.2e-3)),
        ("goes from 4.15 to 4.81 ms", (Role.FROM, Role.TO), (4.15e-3, 4.81e-3)),
        ("(14.4 → 115 ms)", (Role.FROM, Role.TO), (14.4e-3, 115e-3)),
        ("runs from 3 % to 25 %", (Role.LOW, Role.HIGH), (3, 25)),
        ("4 of 5", (Role.COUNT, Role.TOTAL), (4, 5)),
        ("four of five", (Role.COUNT, Role.TOTAL), (4, 5)),
        ("6 of the 10 cells", (Role.COUNT, Role.TOTAL), (6, 10)),
        ("one out of five", (Role.COUNT, Role.TOTAL), (1, 5)),
    ],
)
def test_two_numbers_that_belong_together_know_each_other(
    text: str, roles: tuple[Role, Role], values: tuple[float, float]
) -> None:
    first, second = mentions_of(text)
    assert (first.role, second.role) == roles
    assert (first.value, second.value) == pytest.approx(values)
    assert (first.partner, second.partner) == (second.start, first.start)


def test_a_change_may_lead_from_one_range_to_another() -> None:
    found = mentions_of("climb from 2–8% to 7–25%")
    assert [each.role for each in found] == [Role.LOW, Role.HIGH, Role.LOW, Role.HIGH]
    assert [each.side for each in found] == [Role.FROM, Role.FROM, Role.TO, Role.TO]


def test_the_last_unit_of_a_list_is_that_of_all() -> None:
    assert {each.dimension for each in mentions_of("(0.062 vs. 0.076 ms)")} == {Dimension.TIME}
    assert [each.value for each in mentions_of("4.1, 4.8 and 5.0 ms")] == pytest.approx(
        [4.1e-3, 4.8e-3, 5e-3]
    )


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("4.81 ms", (4.805e-3, 4.815e-3), (4.804e-3, 4.816e-3)),
        ("53,000 samples/s", (52_500, 53_500), (52_400, 53_600)),
        ("about 14,300 samples/s", (14_200, 14_400), (14_199, 14_401)),
        ("927 GFLOP/s", (926.5e9, 927.5e9), (926.4e9, 927.6e9)),
        ("32 %", (31.5, 32.5), (31.4, 32.6)),
    ],
)
def test_a_number_stands_for_what_rounds_to_it(
    text: str, inside: tuple[float, float], outside: tuple[float, float]
) -> None:
    found = one(text)
    assert all(found.admits(value) for value in inside)
    assert not any(found.admits(value) for value in outside)


def test_a_limit_admits_what_lies_within_it() -> None:
    assert one("less than 5 ms").admits(3e-3)
    assert not one("less than 5 ms").admits(6e-3)
    assert one("more than 2×").admits(2.4)
    assert one("<±11%").admits(10.2)


def test_truncation_is_told_from_rounding() -> None:
    found = one("812.6 ms")
    assert found.truncates(0.81266)
    assert not found.admits(0.81266)
    assert not found.truncates(0.8127)


def test_a_text_may_write_its_decimals_with_a_comma() -> None:
    assert one("4,81 ms", comma_decimals=True).value == pytest.approx(4.81e-3)
    assert one("14,300 ms").value == pytest.approx(14.3)


@given(st.floats(min_value=0.001, max_value=9e6), st.integers(min_value=0, max_value=4))
def test_what_is_printed_admits_what_it_was_printed_from(value: float, places: int) -> None:
    text = f"{value:,.{places}f} ms"
    assert one(text).admits(value / 1e3)


@given(st.text(max_size=200))
def test_no_text_breaks_the_reading(text: str) -> None:
    for found in mentions_of(text):
        assert text[found.start : found.end] == found.text
        assert found.low <= found.value <= found.high
