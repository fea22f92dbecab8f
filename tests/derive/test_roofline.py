"""Each record against its roof, and growth with the batch."""

from collections import Counter
from pathlib import Path

import pytest
from factory import CEILINGS, committed_tables, make_cell, make_raw, make_record, make_study

from benchproof.derive import quantities as q
from benchproof.derive.roofline import roofline_rows, scaling_rows
from benchproof.derive.rows import RooflineRow

ROOF = (
    "intensity_flop_per_byte", "ridge_flop_per_byte", "attainable_flops_per_s",
    "achieved_flops_per_s", "efficiency_percent", "peak_flops_per_s", "peak_bytes_per_s",
)  # fmt: skip


def gpu_row(model: str, kind: str, batch: int = 256) -> RooflineRow:
    (row,) = [
        row
        for row in committed_tables().roofline
        if (row.device, row.model, row.kind, row.batch) == ("mps", model, kind, batch)
    ]
    return row


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("CNN", 21.078593673618474),
        ("RNN", 7.062201128063837),
        ("LSTM", 24.774842623827247),
        ("Transformer", 20.880845671459223),
    ],
)
def test_efficiency_of_compiled_pytorch_on_the_gpu(model: str, expected: float) -> None:
    row = gpu_row(model, "compiled")
    assert row.efficiency_percent is not None
    assert row.efficiency_percent.number == pytest.approx(expected, rel=1e-12)


def test_intensity_and_ridge_of_the_lstm() -> None:
    row = gpu_row("LSTM", "eager")
    assert row.intensity_flop_per_byte is not None
    assert row.ridge_flop_per_byte is not None
    assert row.intensity_flop_per_byte.number == pytest.approx(50.48857221948079, rel=1e-12)
    assert row.ridge_flop_per_byte.number == 36.0
    assert row.bound == "compute"


def test_at_batch_1_everything_on_the_cpu_is_memory_bound() -> None:
    rows = [row for row in committed_tables().roofline if row.device == "cpu"]
    bound = Counter(row.batch for row in rows if row.bound == "compute")
    assert {batch: bound[batch] for batch in (1, 8, 32, 128)} == {1: 0, 8: 8, 32: 10, 128: 10}
    assert len(rows) == 120


def test_a_compute_bound_record_is_held_against_the_arithmetic() -> None:
    record = make_record(samples_ns=(4_000_000,), flops_per_call=10**9, bytes_per_call=10**7)
    assert q.intensity(record).number == 100.0
    assert q.ridge(record).number == 10.0
    assert q.is_compute_bound(record)
    assert q.lower_bound(record).number == 1e-3
    assert q.attainable(record).number == pytest.approx(1e12)
    assert q.efficiency(record).number == pytest.approx(25.0)


def test_a_memory_bound_record_is_held_against_the_traffic() -> None:
    record = make_record(samples_ns=(4_000_000,), flops_per_call=10**8, bytes_per_call=10**8)
    assert not q.is_compute_bound(record)
    assert q.lower_bound(record).number == 1e-3
    assert q.attainable(record).number == pytest.approx(1e11)
    assert q.efficiency(record).number == pytest.approx(25.0)
    assert q.achieved_bytes(record).number == pytest.approx(2.5e10)


def test_a_record_on_the_ridge_is_not_compute_bound() -> None:
    record = make_record(flops_per_call=10**8, bytes_per_call=10**7)
    assert q.intensity(record).number == q.ridge(record).number
    assert not q.is_compute_bound(record)


def test_half_precision_has_its_own_ridge() -> None:
    assert q.ridge(make_record(precision="fp16")).number == 20.0


@pytest.mark.parametrize(
    "change",
    [
        {"flops_per_call": None},
        {"bytes_per_call": None},
        {"precision": "bf16"},
    ],
)
def test_without_work_or_ceiling_the_roof_is_missing(
    tmp_path: Path, change: dict[str, object]
) -> None:
    study = make_study(tmp_path, [make_raw(cells=[make_cell(**change)])])
    (row,) = roofline_rows(study)
    assert [getattr(row, name) for name in ROOF] == [None] * len(ROOF)
    precision = change.get("precision", "fp32")
    assert (row.bound, row.note) == (None, f"no {precision} ceiling, or work not told")


def test_a_measured_ceiling_is_no_roof(tmp_path: Path) -> None:
    study = make_study(tmp_path, [make_raw(ceilings=(CEILINGS[0], CEILINGS[3]))])
    (row,) = roofline_rows(study)
    assert row.efficiency_percent is None


def test_no_work_at_all_still_has_traffic(tmp_path: Path) -> None:
    study = make_study(tmp_path, [make_raw(cells=[make_cell(flops_per_call=0)])])
    (row,) = roofline_rows(study)
    assert row.bound == "memory"
    assert row.intensity_flop_per_byte is not None
    assert row.intensity_flop_per_byte.number == 0.0


def test_growth_goes_from_batch_to_batch_and_from_end_to_end(tmp_path: Path) -> None:
    samples = {1: 1_000_000, 8: 2_000_000, 32: 16_000_000}
    cells = [
        make_cell(batch=batch, samples_ns=(ns,), flops_per_call=batch)
        for batch, ns in samples.items()
    ]
    rows = scaling_rows(make_study(tmp_path, [make_raw(cells=cells)]), ())
    assert [
        (r.small_batch, r.large_batch, r.batch_growth.number, r.latency_growth.number,
         r.throughput_growth.number)
        for r in rows
    ] == [(1, 8, 8.0, 2.0, 4.0), (8, 32, 4.0, 8.0, 0.5), (1, 32, 32.0, 16.0, 2.0)]  # fmt: skip


def test_two_batches_have_one_growth_and_one_batch_none(tmp_path: Path) -> None:
    cells = [make_cell(batch=1), make_cell(batch=2), make_cell(batch=4, precision="fp16")]
    rows = scaling_rows(make_study(tmp_path, [make_raw(cells=cells)]), ())
    assert [(row.small_batch, row.large_batch) for row in rows] == [(1, 2)]


def test_growth_needs_no_totals_within_one_framework(tmp_path: Path) -> None:
    silent = {"flops_per_call": None, "parameter_bytes": None, "parameter_count": None}
    cells = [make_cell(batch=batch, **silent) for batch in (1, 2)]
    (row,) = scaling_rows(make_study(tmp_path, [make_raw(cells=cells)]), ())
    assert row.latency_growth.number == 1.0


def test_growth_of_the_committed_study_is_throughput_times_latency() -> None:
    rows = committed_tables().batch_scaling
    assert len(rows) == 30 * 4 + 10
    for row in rows:
        assert row.latency_growth.number * row.throughput_growth.number == pytest.approx(
            row.batch_growth.number
        )
