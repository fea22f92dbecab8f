"""Speedups, winners, devices and repeats: like for like, or left out with the reason."""

from pathlib import Path
from typing import Any

import pytest
from factory import (
    MODELS,
    committed,
    committed_study,
    committed_tables,
    make_cell,
    make_raw,
    make_record,
    make_study,
)

from benchproof.derive import quantities as q
from benchproof.derive.comparisons import repeat_rows, speedup_rows
from benchproof.derive.contests import winner_rows
from benchproof.derive.devices import EQUAL_WORK, SAME_FRAMEWORK, device_rows
from benchproof.derive.results import equal_work_groups
from benchproof.derive.rows import DeviceRow, SpeedupRow, WinnerRow
from benchproof.errors import BatchError, DeviceTruthError, UnequalWorkError
from benchproof.model.raw import RawFile
from benchproof.records.gates import SelectionRule

ANY, COMPILED, EAGER = SelectionRule
COMPILED_CELL = {"variant": "torch.compile", "kind": "compiled"}
MS = 1_000_000


def devices(tmp_path: Path, *raws: RawFile, rule: SelectionRule = ANY) -> list[DeviceRow]:
    return device_rows(make_study(tmp_path, raws), (), rule)


def speedups(tmp_path: Path, *raws: RawFile) -> list[SpeedupRow]:
    return speedup_rows(make_study(tmp_path, raws), ())


def winners(tmp_path: Path, *raws: RawFile, rule: SelectionRule = ANY) -> list[WinnerRow]:
    return winner_rows(make_study(tmp_path, raws), (), rule)


def on(device: str, *cells: dict[str, Any], **changes: Any) -> RawFile:
    return make_raw(device=device, cells=list(cells) or [make_cell()], **changes)


# --- compiled against eager ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("FF DNN", 0.30513304721030043),
        ("CNN", 1.0830401920315416),
        ("RNN", 0.9546652861338619),
        ("LSTM", 0.9898827775059362),
        ("Transformer", 0.8283380561718874),
    ],
)
def test_pytorch_compile_speedups_on_the_cpu_at_batch_32(model: str, expected: float) -> None:
    (row,) = [
        row
        for row in committed_tables().compile_speedup
        if (row.device, row.framework, row.batch, row.model) == ("cpu", "PyTorch", 32, model)
    ]
    assert row.speedup is not None
    assert row.speedup.number == pytest.approx(expected, rel=1e-12)
    eager, compiled = (
        committed(device="cpu", framework="PyTorch", model=model, batch=32, kind=kind)
        for kind in ("eager", "compiled")
    )
    assert row.speedup.number == eager.median_s / compiled.median_s  # type: ignore[operator]


def test_every_compiled_cell_of_the_study_has_its_speedup() -> None:
    rows = committed_tables().compile_speedup
    assert len(rows) == 80
    assert all(row.speedup is not None for row in rows)
    elsewhere = [row for row in rows if row.note]
    assert {(r.framework, r.device, r.ran_on, r.note) for r in elsewhere} == {
        ("JAX", "mps", "cpu", "ran on cpu, not on mps")
    }
    assert len(elsewhere) == 10


def test_a_speedup_is_eager_time_over_compiled_time() -> None:
    slow, fast = make_record(samples_ns=(6 * MS,)), make_record(samples_ns=(2 * MS,))
    assert q.speedup(slow, fast).number == 3.0
    assert q.speedup(fast, slow).number == pytest.approx(1 / 3)


def test_a_speedup_needs_one_batch_one_place_and_one_work() -> None:
    base = make_record(device="mps")
    with pytest.raises(BatchError):
        q.speedup(base, make_record(device="mps", batch=64))
    with pytest.raises(UnequalWorkError):
        q.speedup(base, make_record(device="mps", model="RNN"))
    with pytest.raises(DeviceTruthError) as caught:
        q.speedup(base, make_record(device="mps", actual_device="cpu"))
    assert str(caught.value) == (
        "PyTorch eager CNN on mps, batch 32, fp32 against PyTorch eager CNN on mps, batch 32, "
        "fp32: ran on mps and cpu; compare devices with a device comparison"
    )


def test_a_missing_side_shows_as_missing(tmp_path: Path) -> None:
    cells = [make_cell(), make_cell(**COMPILED_CELL), make_cell(batch=1),
             make_cell(batch=2, **COMPILED_CELL)]  # fmt: skip
    rows = {row.batch: row for row in speedups(tmp_path, on("cpu", *cells))}
    assert rows[32].speedup is not None
    assert (rows[1].speedup, rows[1].note) == (None, "torch.compile was not measured")
    assert (rows[1].compiled_s, rows[2].eager_s) == (None, None)
    assert (rows[2].speedup, rows[2].note) == (None, "eager was not measured")


def test_a_compiled_run_that_fell_back_to_the_cpu_has_no_speedup(tmp_path: Path) -> None:
    cells = [
        make_cell(actual_device="mps"),
        make_cell(**COMPILED_CELL, actual_device="cpu"),
    ]
    (row,) = speedups(tmp_path, on("mps", *cells))
    assert row.speedup is None
    assert row.note.endswith("ran on mps and cpu; compare devices with a device comparison")
    assert row.eager_s is not None


def test_a_compiled_run_of_other_work_has_no_speedup(tmp_path: Path) -> None:
    cells = [make_cell(), make_cell(**COMPILED_CELL, flops_per_call=7)]
    (row,) = speedups(tmp_path, on("cpu", *cells))
    assert row.speedup is None
    assert "not the same work: FLOPs 1,000,000,000 against 7" in row.note


# --- winners -------------------------------------------------------------------------------


def test_winners_meet_only_records_of_equal_work() -> None:
    rows = committed_tables().winners
    contested = [row for row in rows if row.winner]
    assert {row.device for row in contested} == {"cpu"}
    assert {row.model for row in contested} == {"FF DNN", "CNN", "LSTM"}
    lstm = {row.contest for row in contested if row.model == "LSTM"}
    assert lstm == {"PyTorch, TensorFlow"}
    assert {row.rule for row in rows} == {"any variant"}


def test_without_a_contest_there_is_no_winner() -> None:
    alone = [row for row in committed_tables().winners if not row.winner]
    assert {row.note for row in alone} == {"no other framework did the same work"}
    assert {(row.margin, row.runner_up, row.runner_up_variant) for row in alone} == {
        (None, None, None)
    }
    assert len([row for row in alone if row.device == "mps"]) == 10


def test_the_rule_decides_who_wins(tmp_path: Path) -> None:
    raws = [
        on("cpu", make_cell(samples_ns=(2 * MS,)),
           make_cell(**COMPILED_CELL, samples_ns=(5 * MS,))),
        on("cpu", make_cell(samples_ns=(3 * MS,)),
           make_cell(variant="jax.jit", kind="compiled", samples_ns=(1 * MS,)), framework="JAX"),
    ]  # fmt: skip
    study = make_study(tmp_path, raws)
    found = {rule: winner_rows(study, (), rule)[0] for rule in SelectionRule}
    assert {rule: row.winner for rule, row in found.items()} == {
        ANY: "JAX", COMPILED: "JAX", EAGER: "PyTorch",
    }  # fmt: skip
    margins = {rule: row.margin.number for rule, row in found.items()}  # type: ignore[union-attr]
    assert margins == {ANY: 2.0, COMPILED: 5.0, EAGER: 1.5}
    assert found[EAGER].runner_up_variant == "eager"


def test_the_median_decides_and_not_the_mean(tmp_path: Path) -> None:
    raws = [
        on("cpu", make_cell(samples_ns=(2 * MS, 2 * MS, 90 * MS))),
        on("cpu", make_cell(samples_ns=(3 * MS, 3 * MS, 3 * MS)), framework="JAX"),
    ]
    (row,) = winners(tmp_path, *raws)
    assert row.runner_up == "JAX"
    assert row.latency_s is not None
    assert row.latency_s.number == 2e-3


def test_quarantined_records_win_nothing(tmp_path: Path) -> None:
    raws = [
        on("mps", make_cell(actual_device="mps", samples_ns=(5 * MS,))),
        on("mps", make_cell(actual_device="cpu", samples_ns=(1 * MS,)), framework="JAX"),
    ]
    (row,) = winners(tmp_path, *raws)
    assert row.winner is None
    assert row.contest == "PyTorch"


def test_groups_of_equal_work_agree_with_every_member() -> None:
    flops = (1_000_000, 1_015_000, 1_030_000, 2_000_000)
    records = [make_record(imported=True, flops_per_call=n) for n in flops]
    groups = [[r.cell.flops_per_call for r in group] for group in equal_work_groups(records)]
    assert groups == [[1_000_000, 1_015_000], [1_030_000], [2_000_000]]


# --- CPU against GPU -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "expected", "faster"),
    [
        ("FF DNN", 0.11911728099569172, "cpu"),
        ("CNN", 3.498094464902095, "mps"),
        ("RNN", 0.42963864902803184, "cpu"),
        ("LSTM", 3.463541849639121, "mps"),
        ("Transformer", 1.5685153897188404, "mps"),
    ],
)
def test_pytorch_gpu_against_cpu_at_batch_32(model: str, expected: float, faster: str) -> None:
    (row,) = [
        row
        for row in committed_tables().cpu_gpu
        if (row.basis, row.framework, row.batch) == (SAME_FRAMEWORK, "PyTorch", 32)
        and row.model == model
    ]  # fmt: skip
    assert row.speedup is not None
    assert row.speedup.number == pytest.approx(expected, rel=1e-12)
    assert (row.faster, row.note) == (faster, "")
    assert row.speedup.number == row.cpu_s.number / row.gpu_s.number  # type: ignore[union-attr]


def test_batch_32_is_the_only_one_that_both_devices_share() -> None:
    compared = [row for row in committed_tables().cpu_gpu if row.speedup is not None]
    assert {row.batch for row in compared} == {32}
    assert {row.framework for row in compared} == {"PyTorch"}
    for row in compared:
        assert {record.batch for record in row.speedup.records} == {32}  # type: ignore[union-attr]


def test_what_is_left_out_says_why() -> None:
    left_out = {
        (row.framework, row.batch, row.note)
        for row in committed_tables().cpu_gpu
        if row.speedup is None and row.basis == SAME_FRAMEWORK
    }
    absent = "not measured on mps at this batch"
    fell_back = "asked for mps, ran on cpu:0 (cpu)"
    assert left_out == {
        *(("PyTorch", batch, absent) for batch in (1, 8, 128)),
        ("PyTorch", 256, "not measured on the CPU at this batch"),
        *(("JAX", batch, absent) for batch in (1, 8, 128)),
        *(("JAX", batch, fell_back) for batch in (32, 256)),
        *(("TensorFlow", batch, "not measured on mps at all") for batch in (1, 8, 32, 128)),
    }


def test_every_row_compares_or_says_why_not() -> None:
    for row in committed_tables().cpu_gpu:
        assert (row.speedup is None) == bool(row.note)
        assert (row.faster is None) == (row.speedup is None)


def test_the_rival_on_the_cpu_did_equal_work() -> None:
    rows = [row for row in committed_tables().cpu_gpu if row.basis == EQUAL_WORK and row.speedup]
    assert {(row.model, row.cpu_framework) for row in rows} >= {
        ("CNN", "TensorFlow"), ("LSTM", "TensorFlow"), ("RNN", "PyTorch"),
    }  # fmt: skip
    for row in rows:
        cpu, gpu = row.speedup.records  # type: ignore[union-attr]
        assert cpu.cell.parameter_bytes == pytest.approx(gpu.cell.parameter_bytes, rel=0.02)


def test_a_gpu_run_that_failed_says_so(tmp_path: Path) -> None:
    failed = make_cell(status="failed", reason="out of memory")
    (row,) = devices(tmp_path, on("cpu"), on("cuda", failed))
    assert (row.speedup, row.gpu_s) == (None, None)
    assert row.note == "failed on cuda: out of memory"


def test_a_cpu_run_that_failed_says_so(tmp_path: Path) -> None:
    failed = make_cell(status="failed", reason="killed")
    row, rival = devices(tmp_path, on("cpu", failed), on("cuda"))
    assert row.note == "failed on cpu: killed"
    assert rival.note == "no CPU run of equal work at this batch"


def test_a_side_that_the_rule_leaves_out_says_so(tmp_path: Path) -> None:
    (row,) = devices(tmp_path, on("cpu", make_cell(**COMPILED_CELL)), on("cuda"), rule=COMPILED)
    assert row.note == "eager on cuda is not compiled only"


def test_a_fallback_without_words_names_its_device(tmp_path: Path) -> None:
    (row,) = devices(tmp_path, on("cpu"), on("cuda", make_cell(actual_device="cpu")))
    assert row.note == "asked for cuda, ran on cpu"


def test_unequal_work_on_the_two_devices_is_not_compared(tmp_path: Path) -> None:
    row, rival = devices(tmp_path, on("cpu"), on("cuda", make_cell(flops_per_call=7)))
    assert row.speedup is None
    assert row.note == "FLOPs 1,000,000,000 against 7"
    assert rival.speedup is None


def test_precisions_are_never_mixed(tmp_path: Path) -> None:
    rows = devices(tmp_path, on("cpu"), on("cuda", make_cell(precision="fp16")))
    assert [row.speedup for row in rows] == [None, None, None]


def test_each_gpu_is_compared_by_itself(tmp_path: Path) -> None:
    raws = (
        on("cpu"),
        on("mps", make_cell(samples_ns=(1 * MS,))),
        on("cuda", make_cell(samples_ns=(10 * MS,))),
    )
    rows = [r for r in devices(tmp_path, *raws) if r.basis == SAME_FRAMEWORK]
    assert [(r.gpu, r.speedup.number, r.faster) for r in rows] == [  # type: ignore[union-attr]
        ("mps", 5.0, "mps"),
        ("cuda", 0.5, "cpu"),
    ]


# --- repeats -------------------------------------------------------------------------------


def test_the_jax_programs_that_ran_twice_differ_by_a_fifth_and_a_tenth() -> None:
    rows = committed_tables().repeats
    changes = sorted(row.change_percent.number for row in rows)
    assert len(rows) == 10
    assert changes[0] == pytest.approx(-20.556938, abs=5e-7)
    assert changes[-1] == pytest.approx(10.664082, abs=5e-7)
    assert {(row.framework, row.ran_on, row.batch) for row in rows} == {("JAX", "cpu", 32)}
    assert [row.model for row in rows] == [model for model in MODELS for _ in range(2)]


def test_a_change_is_in_percent_of_the_first_run(tmp_path: Path) -> None:
    raws = [
        on("cpu", make_cell(samples_ns=(4 * MS,))),
        on("cuda", make_cell(samples_ns=(5 * MS,), actual_device="cpu")),
    ]
    (row,) = repeat_rows(make_study(tmp_path, raws), ())
    assert row.change_percent.number == pytest.approx(25.0)
    assert (row.first_s.number, row.second_s.number) == (4e-3, 5e-3)


def test_fallbacks_of_other_work_are_no_repeats(tmp_path: Path) -> None:
    raws = [on("cpu"), on("cuda", make_cell(actual_device="cpu", flops_per_call=7))]
    assert repeat_rows(make_study(tmp_path, raws), ()) == []
    assert repeat_rows(committed_study(), MODELS) != []


def test_an_eager_variant_of_another_name_is_the_base(tmp_path: Path) -> None:
    cells = [make_cell(variant="eager-no-grad", kind="eager"), make_cell(**COMPILED_CELL)]
    (row,) = speedups(tmp_path, on("cpu", *cells))
    assert row.speedup is not None
    assert row.speedup.number == 1.0


def test_a_compiled_run_that_failed_says_why(tmp_path: Path) -> None:
    failed = make_cell(**COMPILED_CELL, status="failed", reason="graph breaks")
    (row,) = speedups(tmp_path, on("cpu", make_cell(), failed))
    assert row.speedup is None
    assert row.note == "graph breaks"
