"""Numbers over many records, and of whole calls: each again from the raw JSON and DuckDB."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import msgspec
import pytest
from factory import make_cell, make_raw, make_record, make_study
from hypothesis import given, settings
from hypothesis import strategies as st
from values.queries import answer

from benchproof.derive import quantities as q
from benchproof.model.raw import Protocol
from benchproof.model.record import Record
from benchproof.values.aggregates import Measured
from benchproof.values.expression import (
    MANY,
    Constant,
    Extreme,
    Field,
    Known,
    RoundedUp,
    Sum,
    of_a_row,
)
from benchproof.values.recomputed import (
    Adjusted,
    Recomputation,
    Recomputed,
    Sampled,
    What,
    family_of,
)
from benchproof.values.units import Unit
from benchproof.values.value import Value, count_true, extreme
from benchproof.verbs.verify import _reader


def many(tmp_path: Path, count: int) -> list[Record]:
    cells = [
        make_cell(batch=n, samples_ns=(1_000_000 + (7919 * n) % 5000,)) for n in range(1, count + 1)
    ]
    return list(make_study(tmp_path, [make_raw(cells=cells, model="it's/A~1")]).records)


@pytest.mark.parametrize("which", ["least", "greatest"])
@pytest.mark.parametrize("quantity", [q.latency, q.efficiency, q.throughput])
def test_an_extreme_of_many_is_found_by_one_look(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, which: str, quantity: Any
) -> None:
    records = many(tmp_path, MANY + 1)
    few = extreme([quantity(record) for record in records[:-1]], which, which)
    assert few.query().count("(SELECT ") > MANY
    value = extreme([quantity(record) for record in records], which, which)
    assert value.query().count("FROM record") == 1
    for one in (few, value):
        assert answer(connection, one.query(), tmp_path) == pytest.approx(one.number, rel=1e-12)


def test_an_extreme_leaves_out_the_rows_of_others(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    records = many(tmp_path, MANY + 3)
    order = sorted(records, key=lambda record: q.latency(record).number)
    for which, kept in (("least", order[1:]), ("greatest", order[:-1])):
        value = extreme([q.latency(record) for record in kept], which, which)
        assert "key IN (" in value.query()
        assert answer(connection, value.query(), tmp_path) == value.number


def test_what_stands_on_several_records_has_no_row_of_its_own(tmp_path: Path) -> None:
    first, second, *_ = records = many(tmp_path, MANY + 1)
    ratio = q.ratio(first, first, "x").expression
    assert of_a_row([Field(r, "median_s") for r in records]) == "median_s"
    assert of_a_row([ratio]) == "(median_s / median_s)"
    assert of_a_row([(q.latency(first) / q.latency(second)).expression]) is None
    assert of_a_row([Field(first, "median_s"), Field(second, "mean_s")]) is None
    assert of_a_row([Constant(1.0)]) is None
    ratios = [(q.latency(first) / q.latency(one)).expression for one in records]
    assert Extreme("least", tuple(ratios)).sql().startswith("least(")


@pytest.mark.parametrize("count", [3, 1500])
def test_a_sum_of_any_length_is_its_query(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, count: int
) -> None:
    truths = (q.latency(many(tmp_path, 1)[0]) > 0).expression
    short = Sum((truths,) * 3)
    assert answer(connection, Value(short, Unit.COUNT, "x").query(), tmp_path) == 3
    long = Sum((Constant(1.0),) * count)
    assert answer(connection, Value(long, Unit.COUNT, "x").query(), tmp_path) == count


def test_what_was_measured_is_counted_and_what_was_not_is_missed(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    records = many(tmp_path, 4)
    alike = Measured(tuple(q.latency(record).expression for record in records))
    unlike = Measured((*alike.items, (q.latency(records[0]) / q.latency(records[1])).expression))
    for expression, query_parts in ((alike, 1), (unlike, 6)):
        value = Value(expression, Unit.COUNT, "x")
        assert value.query().count("FROM record") == query_parts
        assert answer(connection, value.query(), tmp_path) == value.number == len(expression.items)
        missed = value.query().replace("/3/fp32'", "/99/fp32'")
        assert answer(connection, missed, tmp_path) == value.number - 1
    assert Known(Field(records[0], "median_s")).number == 1


@pytest.mark.parametrize(("numerator", "whole"), [(6_000_000, 3), (6_000_001, 4), (1, 1)])
def test_rounding_up_is_that_of_duckdb(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, numerator: int, whole: int
) -> None:
    cells = [make_cell(samples_ns=(numerator,)), make_cell(batch=2, samples_ns=(2_000_000,))]
    first, second = make_study(tmp_path, [make_raw(cells=cells)]).records
    value = Value(
        RoundedUp((q.latency(first) / q.latency(second)).expression), Unit.COUNT, "calls"
    )  # fmt: skip
    assert value.number == whole == answer(connection, value.query(), tmp_path)


def test_what_rounds_differ_in_is_told_by_the_first_of_them(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    raws = []
    for position, number in enumerate((10, 2, 9)):  # the order of files is not that of rounds
        raw = make_raw(round=number)
        machine = msgspec.structs.replace(raw.machine, cores=number, memory_bytes=1000 * number)
        protocol = Protocol(threads=number, warmup=number + 1, samples=20 - position)
        raws.append(msgspec.structs.replace(raw, machine=machine, protocol=protocol))
    (record,) = make_study(tmp_path, raws).records
    expected = {"cores": 2, "memory_bytes": 2000, "threads": 2, "least_warmup": 3,
                "least_samples": 19}  # fmt: skip
    for name, number in expected.items():
        value = Value(Field(record, name), Unit.COUNT, name)
        assert value.number == number == answer(connection, value.query(), tmp_path)


def test_verify_plans_a_query_of_many_subqueries_in_no_time(tmp_path: Path) -> None:
    records = many(tmp_path, 100)
    value = extreme([q.latency(r) / q.latency(records[0]) for r in records], "least", "x")
    with duckdb.connect(config={"threads": 1}) as plain:
        slow_s, slow = timed_answer(plain, value.query(), tmp_path)
    with _reader(tmp_path) as reader:
        quick_s, quick = timed_answer(reader, value.query(), tmp_path)
    assert quick == slow == value.number
    assert quick_s < slow_s / 2


def timed_answer(
    connection: duckdb.DuckDBPyConnection, query: str, root: Path
) -> tuple[float, float]:
    """CPU time of a query in seconds, and its answer."""
    begun = time.process_time()
    found = answer(connection, query, root)
    return time.process_time() - begun, found


def p_values_of(numbers: Sequence[float]) -> list[Recomputed]:
    """P-values that somebody recomputed, each of another seed."""
    record = make_record()
    return [
        Recomputed(
            Recomputation(
                method="m",
                gives=What.P,
                confidence=0.95,
                resamples=1,
                of=(Sampled(seed, record.places),),
            ),
            (record,),
            number,
        )
        for seed, number in enumerate(numbers)
    ]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from((0.001, 0.02, 0.05, 1.0)) | st.floats(1e-300, 1), min_size=1))
def test_adjusted_p_values_are_those_of_duckdb(p_values: list[float]) -> None:
    parts = p_values_of(p_values)
    family = family_of(parts)
    given_numbers = {part.told.name: part.number for part in parts}
    with duckdb.connect() as connection:
        for index, number in enumerate(family.numbers):
            value = Value(Adjusted(family, index), Unit.PROBABILITY, "adjusted")
            ((found,),) = connection.execute(value.query(), given_numbers).fetchall()
            assert found == pytest.approx(number, rel=1e-12, abs=0)


def test_a_family_stands_once_in_a_query_that_asks_for_all_of_it() -> None:
    parts = p_values_of([0.01] * 50)
    one, other = family_of(parts), family_of(parts[:10])
    truths = [Value(Adjusted(family, index), Unit.PROBABILITY, "adjusted") <= 0.05
              for family in (one, other) for index in range(10)]  # fmt: skip
    query = count_true(truths, "x").query()
    assert query.count("FROM (VALUES") == 2
    assert query.count(f"{one.name}[") == query.count(f"{other.name}[") == 10
    given_numbers = {part.told.name: part.number for part in parts}
    assert duckdb.execute(query, given_numbers).fetchall() == [(20,)]
