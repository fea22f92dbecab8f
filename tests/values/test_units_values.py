"""Which values may be combined, and what their combination is called."""

import pytest
from factory import make_record

from benchproof.derive import quantities as q
from benchproof.errors import SelectionError, UnitError
from benchproof.values.expression import Arithmetic, Constant, Field, has_field
from benchproof.values.units import Unit, difference, quotient
from benchproof.values.value import (
    Value,
    count_true,
    extreme,
    percent_change,
    percent_of,
    ratio_of,
)


def a(number: float, unit: Unit = Unit.SECOND, name: str = "x") -> Value:
    return Value(Constant(number), unit, name)


@pytest.mark.parametrize(
    ("above", "below", "unit"),
    [
        (Unit.SECOND, Unit.SECOND, Unit.RATIO),
        (Unit.FLOP, Unit.SECOND, Unit.FLOP_PER_S),
        (Unit.BYTE, Unit.SECOND, Unit.BYTE_PER_S),
        (Unit.FLOP, Unit.BYTE, Unit.FLOP_PER_BYTE),
        (Unit.FLOP_PER_S, Unit.BYTE_PER_S, Unit.FLOP_PER_BYTE),
        (Unit.COUNT, Unit.SECOND, Unit.SAMPLE_PER_S),
        (Unit.FLOP, Unit.FLOP_PER_S, Unit.SECOND),
        (Unit.BYTE, Unit.BYTE_PER_S, Unit.SECOND),
        (Unit.SECOND, Unit.FLOP, None),
        (Unit.PERCENT, Unit.POINT, None),
        (Unit.BYTE, Unit.COUNT, None),
    ],
)
def test_a_quotient_has_the_unit_of_its_sides(above: Unit, below: Unit, unit: Unit | None) -> None:
    assert quotient(above, below) is unit


def test_percent_less_percent_is_percentage_points() -> None:
    assert difference(Unit.PERCENT, Unit.PERCENT) is Unit.POINT
    assert difference(Unit.POINT, Unit.POINT) is Unit.POINT
    assert difference(Unit.SECOND, Unit.SECOND) is Unit.SECOND
    assert difference(Unit.PERCENT, Unit.POINT) is None
    gap = a(25.0, Unit.PERCENT) - a(20.0, Unit.PERCENT)
    assert (gap.number, gap.unit, gap.derivation) == (5.0, Unit.POINT, "x - x")


def test_senseless_combinations_are_refused_by_name() -> None:
    seconds, flops = a(1.0, Unit.SECOND, "time"), a(1.0, Unit.FLOP, "work")
    with pytest.raises(UnitError, match=r"^time / work: s over FLOP$"):
        seconds / flops
    with pytest.raises(UnitError, match=r"^time - work: s less FLOP$"):
        seconds - flops
    with pytest.raises(UnitError, match=r"^time < work: s against FLOP$"):
        assert seconds < flops
    with pytest.raises(UnitError, match=r"^time against 'fast': not a value$"):
        assert seconds == "fast"
    with pytest.raises(UnitError, match=r"^time against True: not a value$"):
        assert seconds == True  # noqa: E712
    with pytest.raises(UnitError, match=r"^time against None: not a value$"):
        assert seconds != None  # noqa: E711


def test_comparisons_hold_as_numbers_do() -> None:
    small, large = a(1.0), a(2.0)
    truths = [small < large, small <= large, large > small, large >= small, small != large,
              small <= small, small >= small, small == small, small < 1.5]  # fmt: skip
    assert all(truths)
    falses = [large < small, large <= small, small > large, small >= large, small == large,
              small != small, small < small, small > 1]  # fmt: skip
    assert not any(falses)
    assert (small < large).symbol == "<"
    assert (small < large).left is small


def test_true_comparisons_are_counted() -> None:
    counted = count_true([a(n) > 2.5 for n in range(6)], "many")
    assert (counted.number, counted.unit, counted.derivation) == (3.0, Unit.COUNT, "many")
    assert count_true([], "none").number == 0.0


def test_extremes_choose_among_values_of_one_unit() -> None:
    values = [a(n) for n in (2.0, 1.0, 3.0)]
    assert extreme(values, "least", "x").number == 1.0
    assert extreme(values, "greatest", "x").number == 3.0
    with pytest.raises(SelectionError, match=r"^best: no value to choose from$"):
        extreme([], "least", "best")
    with pytest.raises(UnitError, match=r"^best: values of different units$"):
        extreme([a(1.0), a(1.0, Unit.FLOP)], "least", "best")


def test_ratios_percents_and_changes_keep_their_names() -> None:
    ratio = ratio_of(a(3.0), a(2.0), "speedup")
    assert (ratio.number, ratio.unit, ratio.derivation) == (1.5, Unit.RATIO, "speedup")
    share = percent_of(ratio, "share")
    assert (share.number, share.unit) == (150.0, Unit.PERCENT)
    change = percent_change(a(4.0), a(5.0), "change")
    assert (change.number, change.unit) == (25.0, Unit.PERCENT)
    assert percent_change(a(5.0), a(4.0), "change").number == pytest.approx(-20.0)
    with pytest.raises(UnitError):
        percent_change(a(1.0), a(1.0, Unit.FLOP), "change")


@pytest.mark.parametrize(("symbol", "expected"), [("+", 5.0), ("-", 1.0), ("*", 6.0), ("/", 1.5)])
def test_arithmetic_is_written_with_its_brackets(symbol: str, expected: float) -> None:
    expression = Arithmetic(Constant(3.0), symbol, Constant(2.0))
    assert expression.number == expected
    assert expression.sql() == f"(3 {symbol} 2)" == expression.sql(inline=True)


def test_a_field_that_was_not_measured_is_an_error_and_never_a_zero() -> None:
    record = make_record(flops_per_call=None)
    assert not has_field(record, "flops")
    assert has_field(record, "bytes")
    with pytest.raises(SelectionError) as caught:
        _ = q.work(record).number
    assert str(caught.value) == (
        "results/raw/tiny/a.json#/cells/0: PyTorch eager CNN on cpu, batch 32, fp32: no flops"
    )


def test_fields_are_in_base_units() -> None:
    record = make_record(samples_ns=(4_000_000,), peak_memory_bytes=99)
    fields = {
        name: Field(record, name).number
        for name in ("median_s", "flops", "bytes", "parameters", "batch", "peak_memory_bytes",
                     "peak_flops_per_s", "peak_bytes_per_s", "measured_bytes_per_s")
    }  # fmt: skip
    assert fields == {
        "median_s": 4e-3, "flops": 1e9, "bytes": 1e7, "parameters": 1000.0, "batch": 32.0,
        "peak_memory_bytes": 99.0, "peak_flops_per_s": 1e12, "peak_bytes_per_s": 1e11,
        "measured_bytes_per_s": 5e10,
    }  # fmt: skip


def test_large_counts_are_exact_up_to_what_sql_holds() -> None:
    record = make_record(flops_per_call=2**63 - 1)
    assert q.work(record).number == float(2**63 - 1)
