"""Each number again, from the raw JSON and DuckDB alone."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from factory import (
    ROOT,
    SAMPLES,
    committed_study,
    committed_tables,
    make_cell,
    make_raw,
    make_record,
    make_study,
    mixed_raws,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from values.queries import answer

from benchproof.derive import quantities as q
from benchproof.derive.tables import Tables, derive
from benchproof.model.record import Record
from benchproof.records.gates import SelectionRule, ran_elsewhere
from benchproof.records.sampling import fit_samples, mean_fits
from benchproof.records.study import Study
from benchproof.values import sql
from benchproof.values.aggregates import Aggregate, Counted, FittingMeans, SampleCount
from benchproof.values.expression import Field, Sum
from benchproof.values.recomputed import Recomputed, recomputed_in
from benchproof.values.units import Unit
from benchproof.values.value import Value, count_true, extreme


def values_of(tables: Tables) -> Iterator[tuple[str, Value]]:
    for table in tables.__struct_fields__:
        for position, row in enumerate(getattr(tables, table)):
            for name in row.__struct_fields__:
                cell = getattr(row, name)
                if isinstance(cell, Value):
                    yield f"{table}[{position}].{name}", cell


def disagreements(
    connection: duckdb.DuckDBPyConnection, tables: Tables, root: Path
) -> tuple[int, list[str]]:
    """How many different queries there are, and those whose answer is not the value."""
    asked: dict[str, tuple[float, str, tuple[Recomputed, ...]]] = {}
    for where, value in values_of(tables):
        number = value.number
        told = recomputed_in(value.expression)
        known, first, _ = asked.setdefault(value.query(), (number, where, told))
        assert known == number, f"one query stands for {known} ({first}) and {number} ({where})"
    wrong = [
        f"{where}: {number!r} but {found!r}"
        for query, (number, where, told) in asked.items()
        if not math.isclose(found := answer(connection, query, root, told), number, rel_tol=1e-9)
    ]
    return len(asked), wrong


@pytest.mark.slow
def test_every_value_of_the_committed_study_is_its_query(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    queries, wrong = disagreements(connection, committed_tables(), ROOT)
    assert wrong == []
    assert queries > 1500


def test_every_value_of_the_mixed_study_is_its_query(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    study = make_study(tmp_path, mixed_raws())
    tables = derive(study, (), SelectionRule.ANY_VARIANT)
    queries, wrong = disagreements(connection, tables, tmp_path)
    assert wrong == []
    assert queries > 120
    seen = {value.derivation for _, value in values_of(tables)}
    assert seen >= {"median latency", "mean latency", "standard deviation of latency",
                    "95th percentile of latency", "speedup", "roofline efficiency",
                    "low end of latency", "high end of latency ratio", "spread between rounds",
                    "adjusted p-value of a difference", "rounds", "timed samples",
                    "median latency of the control", "estimate of control over cell"}  # fmt: skip


def test_a_query_of_samples_beside_summaries_reads_both(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    study = make_study(tmp_path, mixed_raws())
    sampled = next(r for r in study.records if len(r.samples_ns) == 22)
    summarised = next(r for r in study.records if r.summary is not None)
    for pick in ("median_s", "mean_s", "stddev_s", "p95_s"):
        values = [Value(Field(r, pick), Unit.SECOND, pick) for r in (sampled, summarised)]
        ratio = values[0] / values[1]
        assert answer(connection, ratio.query(), tmp_path) == pytest.approx(ratio.number, rel=1e-12)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(st.integers(1, 10**12), min_size=1, max_size=30), min_size=1, max_size=3))
def test_statistics_of_pooled_rounds_are_those_of_duckdb(
    tmp_path_factory: pytest.TempPathFactory, rounds: list[list[int]]
) -> None:
    root = tmp_path_factory.mktemp("rounds")
    raws = [
        make_raw(round=n, cells=[make_cell(samples_ns=samples, flops_per_call=None,
                                           bytes_per_call=None)])
        for n, samples in enumerate(rounds, start=1)
    ]  # fmt: skip
    (record,) = make_study(root, raws).everything
    with duckdb.connect() as connection:
        for name in ("median_s", "mean_s", "stddev_s", "p95_s"):
            value = Value(Field(record, name), Unit.SECOND, name)
            found = answer(connection, value.query(), root)
            if name == "stddev_s" and len(record.samples_ns) == 1:
                assert found is None
            else:
                assert found == pytest.approx(value.number, rel=1e-9, abs=1e-15)


def test_p95_is_duckdbs_for_every_number_of_samples(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    for n in range(1, 200):
        found = answer(
            connection, f"SELECT quantile_disc(s, 0.95) FROM range(1, {n + 1}) t(s)", ROOT
        )
        assert make_record(samples_ns=tuple(range(1, n + 1))).p95_s == found / 1e9


# --- keys ----------------------------------------------------------------------------------


def one_of_each(tmp_path: Path, *works: dict[str, Any]) -> list[Record]:
    raws = [
        make_raw(**work, cells=[make_cell(samples_ns=(1_000_000 * (n + 1),))])
        for n, work in enumerate(works)
    ]
    return list(make_study(tmp_path, raws).records)


@pytest.mark.parametrize(
    "works",
    [
        ({"model": "A/B"}, {"model": "A", "scale": "B"}),
        ({"model": "A/inference"}, {"model": "A"}),
        ({"model": "A~1B"}, {"model": "A/B"}),
        ({"model": "it's"}, {"model": 'it"s'}),
        ({"model": "A"}, {"model": "A", "task": "train-step"}),
        ({"model": "A"}, {"model": "A", "scale": "large"}),
        ({"model": "'; DROP TABLE record; --"}, {"model": "%"}),
        ({"framework": "JAX"}, {"framework": "MLX"}),
    ],
)
def test_records_with_similar_names_are_never_taken_for_each_other(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, works: tuple[dict[str, Any], ...]
) -> None:
    first, second = one_of_each(tmp_path, *works)
    ratio = q.latency(second) / q.latency(first)
    assert ratio.number == 2.0
    assert answer(connection, ratio.query(), tmp_path) == 2.0


def test_a_key_reads_as_a_reader_says_it() -> None:
    record = make_record(scale="large", task="train-step", variant="torch.compile")
    assert sql.key(record) == "cpu/PyTorch/CNN/large/train-step/torch.compile/32/fp32"


def test_only_the_studys_own_cells_are_read(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    study = make_study(tmp_path, [make_raw()])
    assert "WHERE f->>'$.study' IN ('tiny')" in q.latency(study.records[0]).query()


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
def test_text_literals_come_back(value: str) -> None:
    assert duckdb.sql(f"SELECT {sql.text(value)}").fetchall() == [(value,)]


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_number_literals_come_back(value: float) -> None:
    (found,) = duckdb.sql(f"SELECT ({sql.number(value)})::DOUBLE").fetchall()
    assert found == (value,)


# --- factors, thresholds and aggregates ----------------------------------------------------


@pytest.mark.parametrize("factor", [1.0, 1e3, 1e-9, 1 / 1024, 1 / 2**20, 1 / 2**30])
def test_a_printed_unit_is_the_querys_unit(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, factor: float
) -> None:
    cell = make_cell(parameter_bytes=1_053_736)
    (record,) = make_study(tmp_path, [make_raw(cells=[cell])]).records
    value = q.parameter_bytes(record)
    found = answer(connection, value.query(factor), tmp_path)
    assert found == pytest.approx(1_053_736 * factor, rel=1e-12)


@pytest.mark.parametrize(("threshold", "holds"), [(1_053_735.5, True), (1_053_736, False)])
def test_a_threshold_keeps_all_its_digits(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, threshold: float, holds: bool
) -> None:
    cell = make_cell(parameter_bytes=1_053_736)
    (record,) = make_study(tmp_path, [make_raw(cells=[cell])]).records
    truth = q.parameter_bytes(record) > threshold
    assert bool(truth) is holds
    assert answer(connection, truth.query, tmp_path) == int(holds)


def mixed(tmp_path: Path) -> Study:
    return make_study(tmp_path, mixed_raws())


def test_extremes_and_counts_are_their_queries(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    records = [r for r in mixed(tmp_path).records if r.framework == "PyTorch"]
    latencies = [q.latency(record) for record in records]
    items = tuple(value.expression for value in latencies)
    condition, named = "framework = 'PyTorch' AND device = 'cpu'", {"framework", "device"}
    on_cpu = tuple(q.latency(r).expression for r in records if r.requested == "cpu")
    matching = tuple(r for r in records if r.requested == "cpu")
    expressions = [
        extreme(latencies, "least", "least").expression,
        extreme(latencies, "greatest", "greatest").expression,
        count_true([value > 4e-3 for value in latencies], "slow").expression,
        Aggregate("min", on_cpu, f"{condition} AND median_s > 0", frozenset(named)),
        Aggregate("max", on_cpu, condition, frozenset(named)),
        Counted(tuple(records), matching, f"{condition} AND median_s IS NOT NULL",
                frozenset({*named, "median_s"})),
        Counted(tuple(records), matching, f"{condition} AND median_s IS NOT NULL",
                frozenset({*named, "median_s"}), "precision"),
    ]  # fmt: skip
    assert len(items) > 5
    for expression in expressions:
        value = Value(expression, Unit.COUNT, "x")
        found = answer(connection, value.query(), tmp_path)
        assert found == pytest.approx(value.number, rel=1e-12), expression


def test_a_sum_of_nothing_is_nothing(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    assert Sum(()).number == 0.0
    assert Sum(()).sql() == "0"
    truth = count_true([], "x") == 0
    assert truth.query == "SELECT (0 = 0)::INT"  # it reads no file, as there is none
    assert answer(connection, truth.query, tmp_path) == 1


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.none() | st.integers(1, 10**13), st.lists(st.integers(1, 10**12))),
             min_size=1, max_size=4),
    st.permutations(("ok", "unstable", "ok", "ok")),
)  # fmt: skip
def test_calls_of_pooled_rounds_are_those_of_duckdb(
    tmp_path_factory: pytest.TempPathFactory,
    rounds: list[tuple[int | None, list[int]]],
    statuses: list[str],
) -> None:
    root = tmp_path_factory.mktemp("calls")
    raws = [
        make_raw(round=n, cells=[make_cell(first_call_ns=first, device_samples_ns=samples,
                                           status=status, samples_ns=SAMPLES)])
        for n, ((first, samples), status) in enumerate(zip(rounds, statuses, strict=False), start=1)
    ]  # fmt: skip
    (record,) = make_study(root, raws).everything
    counted = Counted((record,), (record,), f"status = '{record.status}'", frozenset({"status"}))
    with duckdb.connect() as connection:
        assert answer(connection, Value(counted, Unit.COUNT, "x").query(), root) == 1
        for name in ("first_call_s", "device_median_s"):
            found = answer(connection, Value(Field(record, name), Unit.SECOND, name).query(), root)
            known = getattr(record, name)
            assert found == (known if known is None else pytest.approx(known, rel=1e-12))


def test_rounds_on_two_devices_are_one_quarantined_record_in_sql_too(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    raws = [
        make_raw(device="cuda", round=n, cells=[make_cell(actual_device=device)])
        for n, device in ((1, "cuda"), (2, "cpu"), (3, None))
    ]
    records = make_study(tmp_path, raws).everything
    assert [ran_elsewhere(r) for r in records] == [True]
    counted = Counted(records, records, "actual <> device", frozenset({"actual", "device"}))
    assert answer(connection, Value(counted, Unit.COUNT, "x").query(), tmp_path) == 1


def test_the_quarantined_records_are_counted_from_the_raw_files(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    study = committed_study()
    counted = Counted(
        study.everything, study.quarantined, "actual <> device", frozenset({"actual", "device"})
    )
    value = Value(counted, Unit.COUNT, "quarantined")
    assert value.number == answer(connection, value.query(), ROOT) == 20


@pytest.mark.parametrize(("file", "samples", "fitting_40"), [
    ("benchmark_data.json", 25, 14), ("benchmark_gpu_data.json", 15, 19),
])  # fmt: skip
def test_the_sample_arithmetic_is_done_again_in_sql(
    connection: duckdb.DuckDBPyConnection, file: str, samples: int, fitting_40: int
) -> None:
    records = tuple(r for r in committed_study().everything if r.source and r.source.file == file)
    found = Value(SampleCount(records, samples), Unit.COUNT, "n")
    assert answer(connection, found.query(), ROOT) == samples
    fitting = Value(FittingMeans(records, 40, fitting_40), Unit.COUNT, "fit")
    assert answer(connection, fitting.query(), ROOT) == fitting_40


def test_means_too_long_to_resolve_vote_in_neither(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    cells = [
        make_cell(batch=n, summary={"median_ns": 1.0, "mean_ns": mean})
        for n, mean in ((1, 2e12), (2, 100.5), (3, 7.25))
    ]
    records = make_study(tmp_path, [make_raw(imported=True, cells=cells)]).records
    fitting = sum(mean_fits(r, 4) is True for r in records)
    assert fitting == 2
    value = Value(FittingMeans(records, 4, fitting), Unit.COUNT, "fit")
    assert answer(connection, value.query(), tmp_path) == 2
    fit = fit_samples("data.json", records)
    assert fit.samples == 4
    value = Value(SampleCount(records, 4), Unit.COUNT, "n")
    assert answer(connection, value.query(), tmp_path) == 4


def test_ceilings_of_another_precision_do_not_leak(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    cells = [make_cell(), make_cell(precision="fp16")]
    records = make_study(tmp_path, [make_raw(cells=cells)]).records
    found = [answer(connection, q.peak_flops(r).query(), tmp_path) for r in records]
    assert found == [1e12, 2e12] == [q.peak_flops(r).number for r in records]
    assert answer(connection, q.measured_bandwidth(records[0]).query(), tmp_path) == 5e10


def test_a_query_stays_readable(tmp_path: Path) -> None:
    (record,) = make_study(tmp_path, [make_raw()]).records
    assert q.latency(record).query(1e3).splitlines() == [
        "WITH cell AS (",
        "  SELECT f, unnest(json_extract(f, '$.cells[*]')) AS c",
        "  FROM (SELECT content::JSON AS f FROM read_text(['results/raw/tiny/000.json']))",
        "), record AS (",
        "  SELECT concat_ws('/', f->>'$.device', f->>'$.framework.name', f->>'$.workload.model', "
        "f->>'$.workload.scale', f->>'$.workload.task', c->>'$.variant', "
        "(c->>'$.batch')::BIGINT, c->>'$.precision') AS key",
        "  , list_aggregate(flatten(list((c->'$.samples_ns')::BIGINT[])), 'median') / 1e9 "
        "AS median_s",
        "  FROM cell WHERE f->>'$.study' IN ('tiny')",
        "  GROUP BY ALL",
        ")",
        "SELECT 1000 * (SELECT median_s FROM record "
        "WHERE key = 'cpu/PyTorch/CNN/inference/eager/32/fp32')",
    ]


def test_values_hold_their_records_once() -> None:
    record = make_record()
    assert q.efficiency(record).records == (record,)
    assert q.throughput(record).number == 32 / (SAMPLES[0] / 1e9)
