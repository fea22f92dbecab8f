"""All results, throughput and stability: one row a cell, and missing ones shown as missing."""

from pathlib import Path

import msgspec
import pytest
from factory import (
    MODELS,
    committed_study,
    committed_tables,
    make_cell,
    make_raw,
    make_study,
)

from benchproof.derive.results import (
    best_throughput_rows,
    result_rows,
    stability_rows,
    throughput_rows,
)
from benchproof.derive.rows import ResultRow
from benchproof.values.value import Value

MS = 1_000_000


def values_of(row: msgspec.Struct) -> list[Value | None]:
    names = ("latency_s", "mean_s", "stddev_s", "p95_s", "throughput_per_s", "flops", "bytes",
             "parameter_bytes")  # fmt: skip
    return [getattr(row, name) for name in names]


def test_every_cell_of_the_grid_has_one_row() -> None:
    rows = committed_tables().results
    assert len(rows) == 2 * 3 * 5 * 2 * 5
    keys = {(r.device, r.framework, r.model, r.variant, r.batch) for r in rows}
    assert len(keys) == len(rows)
    status = [row.status for row in rows]
    counts = {name: status.count(name) for name in ("ok", "quarantined", "not measured")}
    assert counts == {"ok": 140, "quarantined": 20, "not measured": 140}


def test_models_stand_in_the_order_of_the_configuration() -> None:
    rows = [r for r in committed_tables().results if (r.device, r.framework) == ("cpu", "JAX")]
    assert tuple(dict.fromkeys(row.model for row in rows)) == MODELS


def test_missing_cells_hold_nothing_at_all() -> None:
    for row in committed_tables().results:
        if row.status == "not measured":
            assert values_of(row) == [None] * 8
            assert (row.ran_on, row.records, row.note) == (None, "", "")
        else:
            assert all(value is not None for value in values_of(row))


def test_quarantined_cells_say_where_they_ran() -> None:
    rows = [row for row in committed_tables().results if row.status == "quarantined"]
    assert {(r.ran_on, r.note) for r in rows} == {("cpu", "asked for mps, ran on cpu:0 (cpu)")}


def rows_of(tmp_path: Path, *cells: dict[str, object], **changes: object) -> list[ResultRow]:
    return result_rows(make_study(tmp_path, [make_raw(cells=list(cells), **changes)]), ())


def test_a_failed_cell_says_why_and_has_no_time(tmp_path: Path) -> None:
    (row,) = rows_of(tmp_path, make_cell(status="failed", reason="out of memory"))
    assert (row.status, row.note) == ("failed", "out of memory")
    assert values_of(row)[:5] == [None] * 5
    assert row.flops is not None


def test_a_round_that_failed_gives_its_reason(tmp_path: Path) -> None:
    raws = [
        make_raw(round=1),
        make_raw(round=2, cells=[make_cell(status="failed", reason="killed")]),
    ]
    (row,) = result_rows(make_study(tmp_path, raws), ())
    assert (row.status, row.note) == ("failed", "killed")


def test_what_a_summary_does_not_tell_is_missing(tmp_path: Path) -> None:
    (row,) = rows_of(tmp_path, make_cell(summary={"median_ns": 2.0 * MS}))
    assert row.latency_s is not None
    assert row.latency_s.number == 2e-3
    assert (row.mean_s, row.stddev_s, row.p95_s) == (None, None, None)


def test_one_sample_has_no_deviation(tmp_path: Path) -> None:
    (row,) = rows_of(tmp_path, make_cell(samples_ns=(MS,)))
    assert row.mean_s is not None
    assert row.stddev_s is None


def test_a_fallback_without_words_names_its_device(tmp_path: Path) -> None:
    (row,) = rows_of(tmp_path, make_cell(actual_device="cpu"), device="cuda")
    assert row.note == "asked for cuda, ran on cpu"


def test_throughput_is_batch_over_median(tmp_path: Path) -> None:
    cells = [make_cell(batch=32, samples_ns=(2 * MS, 4 * MS, 90 * MS), flops_per_call=8)]
    (row,) = throughput_rows(make_study(tmp_path, [make_raw(cells=cells)]))
    assert row.throughput_per_s.number == 8000.0
    assert row.achieved_flops_per_s is not None
    assert row.achieved_flops_per_s.number == 2000.0


def test_throughput_without_flops_has_no_rate_of_work(tmp_path: Path) -> None:
    study = make_study(tmp_path, [make_raw(cells=[make_cell(flops_per_call=None)])])
    (row,) = throughput_rows(study)
    assert row.achieved_flops_per_s is None


def test_the_best_throughput_is_found_among_equal_work_only() -> None:
    rows = committed_tables().best_throughput
    assert {(r.device, r.model, r.contest) for r in rows if r.model == "LSTM"} == {
        ("cpu", "LSTM", "PyTorch, TensorFlow"),
        ("cpu", "LSTM", "JAX"),
        ("mps", "LSTM", "PyTorch"),
    }
    for row in rows:
        rivals = [
            r.batch / r.median_s  # type: ignore[operator]
            for r in committed_study().records
            if (r.requested, r.model) == (row.device, row.model)
            and r.framework.value in row.contest.split(", ")
        ]
        assert row.throughput_per_s.number == pytest.approx(max(rivals))


def test_precisions_have_a_best_of_their_own(tmp_path: Path) -> None:
    cells = [make_cell(), make_cell(precision="fp16", samples_ns=(1,))]
    rows = best_throughput_rows(make_study(tmp_path, [make_raw(cells=cells)]), ())
    assert [row.precision for row in rows] == ["fp32", "fp16"]


def test_stability_marks_means_that_say_nothing() -> None:
    rows = committed_tables().stability
    assert len(rows) == 140
    for row in rows:
        assert row.cv_percent is not None
        assert (row.note == "the mean says nothing") == (row.cv_percent.number > 50)
        assert row.p95_over_median is not None
        assert row.p95_over_median.number == pytest.approx(
            row.p95_s.number / row.latency_s.number  # type: ignore[union-attr]
        )
    assert any(row.note for row in rows)
    assert any(row.note == "" for row in rows)


def test_stability_without_a_spread_is_missing(tmp_path: Path) -> None:
    cells = [make_cell(summary={"median_ns": 5.0})]
    (row,) = stability_rows(make_study(tmp_path, [make_raw(cells=cells)]))
    assert (row.cv_percent, row.p95_s, row.p95_over_median, row.note) == (None, None, None, "")
