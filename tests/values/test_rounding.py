"""How values are printed: rounded once, half to even, from the double's exact value."""

import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchproof.errors import UnitError
from benchproof.values.expression import Constant
from benchproof.values.rounding import WORDS, Form, Style, printings, show
from benchproof.values.units import Unit
from benchproof.values.value import Value, percent_of


def a(number: float, unit: Unit = Unit.COUNT) -> Value:
    return Value(Constant(float(number)), unit, "x")


def text(number: float, base: Unit = Unit.COUNT, **style: object) -> str:
    return show(a(number, base), Style(**style)).text  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("number", "places", "expected"),
    [
        (7.498, 0, "7"),
        (2.675, 2, "2.67"),
        (0.5, 0, "0"),
        (1.5, 0, "2"),
        (2.5, 0, "2"),
        (-2.5, 0, "-2"),
        (1.005, 2, "1.00"),
        (0.125, 2, "0.12"),
        (0.375, 2, "0.38"),
        (1234567.0, 0, "1,234,567"),
        (999.5, 0, "1,000"),
        (1234.5678, 1, "1,234.6"),
        (-0.0, 1, "0.0"),
        (-0.04, 1, "0.0"),
        (-0.06, 1, "-0.1"),
        (1234567.0, -3, "1,235,000"),
    ],
)
def test_fixed_places_round_half_to_even_once(number: float, places: int, expected: str) -> None:
    assert text(number, places=places) == expected


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (999.96e-6, "1.00 ms"),
        (999.4e-6, "999 µs"),
        (0.0048091, "4.81 ms"),
        (59.994, "60.0 s"),
        (1.0, "1.00 s"),
        (123.456, "123 s"),
        (4567.8, "4,570 s"),
        (11e-9, "11.0 ns"),
        (0.2e-9, "0.200 ns"),
        (0.0, "0.00 s"),
        (-0.0048091, "-4.81 ms"),
    ],
)
def test_times_choose_their_unit_after_rounding(seconds: float, expected: str) -> None:
    assert text(seconds, Unit.SECOND) == expected


@pytest.mark.parametrize(
    ("number", "unit", "expected"),
    [
        (3.6e12, Unit.FLOP_PER_S, "3.60 TFLOP/s"),
        (259.4e9, Unit.FLOP_PER_S, "259 GFLOP/s"),
        (999.6e9, Unit.FLOP_PER_S, "1.00 TFLOP/s"),
        (1e11, Unit.BYTE_PER_S, "100 GB/s"),
        (7_593_984, Unit.FLOP, "7.59 MFLOP"),
        (5, Unit.FLOP, "5.00 FLOP"),
        (1_053_736, Unit.BYTE, "1.00 MiB"),
        (529_408, Unit.BYTE, "517 KiB"),
        (1_020, Unit.BYTE, "1,020 bytes"),
        (1_023, Unit.BYTE, "1,023 bytes"),
        (512, Unit.BYTE, "512 bytes"),
        (1024, Unit.BYTE, "1.00 KiB"),
        (3 * 2**30, Unit.BYTE, "3.00 GiB"),
        (36.0, Unit.FLOP_PER_BYTE, "36.0 FLOP/byte"),
        (12372.33, Unit.SAMPLE_PER_S, "12,400 samples/s"),
        (3.498094, Unit.RATIO, "3.50×"),
        (21.0785, Unit.PERCENT, "21.1 %"),
        (21.0785, Unit.POINT, "21.1 percentage points"),
        (1234, Unit.COUNT, "1,234"),
    ],
)
def test_each_unit_has_its_form(number: float, unit: Unit, expected: str) -> None:
    assert text(number, unit) == expected


def test_bytes_are_never_printed_with_decimal_prefixes() -> None:
    with pytest.raises(UnitError) as caught:
        text(1_053_736, Unit.BYTE, unit="MB")
    assert str(caught.value) == ("x: B cannot be printed as 'MB'; choose from GiB, MiB, KiB, bytes")


def test_a_unit_of_another_kind_is_refused() -> None:
    with pytest.raises(UnitError) as caught:
        text(3, Unit.COUNT, unit="ms")
    assert str(caught.value) == "x: a count cannot be printed as 'ms'; it has no unit"
    with pytest.raises(UnitError, match=r"x: % cannot be printed as 'percentage points'"):
        text(3, Unit.PERCENT, unit="percentage points")


@pytest.mark.parametrize("unit", [Unit.SECOND, Unit.BYTE])
def test_places_without_a_unit_are_refused_where_units_vary(unit: Unit) -> None:
    with pytest.raises(UnitError, match=r"^x: fixed places need a unit; say which$"):
        text(3, unit, places=2)
    assert text(0.003, Unit.SECOND, places=2, unit="ms") == "3.00 ms"


def test_style_can_sign_and_leave_the_unit_to_the_column() -> None:
    assert text(10.664, Unit.PERCENT, signed=True) == "+10.7 %"
    assert text(-20.557, Unit.PERCENT, signed=True) == "-20.6 %"
    assert text(0.0, Unit.PERCENT, signed=True) == "0.0 %"
    assert text(0.0048091, Unit.SECOND, unit="ms", show_unit=False) == "4.81"


def test_significant_digits_count_from_the_first_one() -> None:
    assert text(0.0048091, Unit.SECOND, significant=2) == "4.8 ms"
    assert text(9.996, significant=3) == "10.0"
    assert text(123456, significant=2) == "120,000"
    assert text(0.0, Unit.RATIO, significant=3) == "0.00×"


@pytest.mark.parametrize(("number", "word"), list(enumerate(WORDS)))
def test_small_counts_have_words(number: int, word: str) -> None:
    assert text(number, form=Form.WORD) == word
    assert text(number, form=Form.CAPITAL) == word.capitalize()


def test_there_are_words_up_to_twenty() -> None:
    assert (WORDS[0], WORDS[4], WORDS[12], WORDS[20]) == ("zero", "four", "twelve", "twenty")
    assert len(WORDS) == 21


@pytest.mark.parametrize(
    ("number", "unit", "message"),
    [
        (21, Unit.COUNT, "x: 21 cannot be printed as a number word"),
        (-1, Unit.COUNT, "x: -1 cannot be printed as a number word"),
        (2.5, Unit.COUNT, "x: 2.5 cannot be printed as a number word"),
        (2, Unit.PERCENT, "x: 2 % cannot be printed as a number word"),
        (2, Unit.RATIO, "x: 2× cannot be printed as a number word"),
    ],
)
def test_other_numbers_have_no_word(number: float, unit: Unit, message: str) -> None:
    with pytest.raises(UnitError) as caught:
        text(number, unit, form=Form.WORD)
    assert str(caught.value) == message


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_not_printed(number: float) -> None:
    with pytest.raises(UnitError, match=r"^x: -?(nan|inf) cannot be printed$"):
        show(a(number))


def test_what_is_printed_comes_with_its_full_value() -> None:
    printed = show(a(0.0048091, Unit.SECOND))
    assert (printed.text, printed.unit, printed.digits) == ("4.81 ms", "ms", 2)
    assert printed.value == 0.0048091 * printed.factor
    assert printed.value == pytest.approx(4.8091)
    rounded = show(a(123456.0), Style(significant=2))
    assert (rounded.text, rounded.digits, rounded.value) == ("120,000", -4, 123456.0)


FACTORS = {
    "s": 1.0, "ms": 1e3, "µs": 1e6, "ns": 1e9, "GiB": 2**-30, "MiB": 2**-20, "KiB": 2**-10,
    "bytes": 1.0, "×": 1.0, "%": 1.0, "": 1.0,
    **{f"{p}FLOP/s": 10.0**-e for p, e in (("T", 12), ("G", 9), ("M", 6), ("k", 3), ("", 0))},
}  # fmt: skip

NUMBERS = st.floats(-1e15, 1e15, allow_nan=False) | st.integers(-(10**6), 10**6).map(
    lambda n: n / 2000
)


def assert_reads_back(value: Value, style: Style) -> None:
    printed = show(value, style)
    shown = printed.text.replace(",", "").removeprefix("+")
    number = shown.removesuffix(printed.unit).strip()
    exact = Decimal(value.number) * Decimal(FACTORS[printed.unit])
    half = Decimal(1).scaleb(-printed.digits) / 2
    slack = abs(exact) * Decimal("1e-15")
    assert abs(Decimal(number) - exact) <= half + slack
    assert not number.startswith("-0") or float(number) != 0
    assert "e" not in number.lower()
    assert printed.text in printings(printed.value, printed.unit, printed.digits)


@given(NUMBERS, st.sampled_from([Unit.SECOND, Unit.FLOP_PER_S, Unit.BYTE, Unit.RATIO,
                                 Unit.PERCENT, Unit.COUNT]), st.booleans())  # fmt: skip
def test_printed_text_reads_back_within_half_a_unit(
    number: float, unit: Unit, signed: bool
) -> None:
    assert_reads_back(a(number, unit), Style(signed=signed))


@given(NUMBERS, st.integers(1, 6))
def test_significant_digits_read_back_within_half_a_unit(number: float, digits: int) -> None:
    assert_reads_back(a(number, Unit.SECOND), Style(significant=digits))


@given(NUMBERS, st.integers(0, 6))
def test_places_read_back_within_half_a_unit(number: float, places: int) -> None:
    assert_reads_back(a(number, Unit.RATIO), Style(places=places))


@given(st.floats(1e-12, 1e9, allow_nan=False))
def test_three_significant_digits_never_print_as_a_thousand(seconds: float) -> None:
    shown, unit = text(seconds, Unit.SECOND).split(" ")
    if unit != "s":
        assert float(shown) < 1000


@given(st.integers(-(10**9), 10**9))
def test_counts_print_whole(count: int) -> None:
    assert text(count) == f"{count:,}"


def test_other_texts_do_not_pass_for_a_number() -> None:
    assert "4.81 ms" in printings(4.8091, "ms", 2)
    assert {"4.81", "+4.81 ms"} <= printings(4.8091, "ms", 2)
    assert not {"4.80 ms", "4.82 ms", "4.8 ms", "4.81 s", "-4.81 ms"} & printings(4.8091, "ms", 2)
    assert {"four", "Four", "4"} <= printings(4.0, "", 0)
    assert "four" not in printings(4.0, "%", 1)
    assert "four" not in printings(4.2, "", 0)


def test_percent_is_a_hundred_times_its_ratio() -> None:
    value = percent_of(a(0.25, Unit.RATIO), "share")
    assert show(value).text == "25.0 %"
