"""When compiling has paid: the first call's extra time over what each later call saves."""

from pathlib import Path
from typing import Any

import pytest
from factory import make_cell, make_raw, make_record, make_study
from report.support import verified

from benchproof.derive import quantities as q
from benchproof.derive.comparisons import speedup_rows
from benchproof.derive.results import result_rows
from benchproof.derive.rows import SpeedupRow
from benchproof.errors import BatchError, DeviceTruthError, UnequalWorkError
from benchproof.model.record import Record

MS = 1_000_000
COMPILED: dict[str, Any] = {"variant": "torch.compile", "kind": "compiled"}


def timed(ms: float, first_ms: float | None = None, **changes: Any) -> dict[str, Any]:
    """A cell whose samples lie close to a median, with its first call."""
    samples = tuple(int(ms * MS) + 5 * ((3 * step) % 7) - 15 for step in range(7))
    first_ns = None if first_ms is None else int(first_ms * MS)
    return make_cell(samples_ns=samples, first_call_ns=first_ns, **changes)


def records(eager: dict[str, Any], compiled: dict[str, Any]) -> tuple[Record, Record]:
    return make_record(**eager), make_record(**{**COMPILED, **compiled})


def row_of(tmp_path: Path, *rounds: list[dict[str, Any]]) -> SpeedupRow:
    raws = [make_raw(round=number, cells=cells) for number, cells in enumerate(rounds, start=1)]
    (row,) = speedup_rows(make_study(tmp_path, raws), ())
    return row


@pytest.mark.parametrize(("eager", "compiled", "calls"), [
    ((5, 5), (4, 105), 100),  # 100 ms more, 1 ms less a call
    ((5, 5), (4, 105.5), 101),  # the hundredth call does not yet pay
    ((5, 80), (4, 105), 25),  # eager's first call takes its time as well
    ((5, 5), (4.999, 5.0001), 1),
])  # fmt: skip
def test_break_even_is_the_whole_number_of_later_calls_that_pay(
    eager: tuple[float, float], compiled: tuple[float, float], calls: int
) -> None:
    found = q.break_even(*records(timed(*eager), timed(*compiled)))
    assert found is not None
    assert found.number == calls


def test_break_even_is_its_query(tmp_path: Path) -> None:
    raw = make_raw(cells=[timed(5, 5), timed(4, 105.5, **COMPILED)])
    template = "{{ tables.compile_speedup[0].break_even_calls }}"
    (number,) = verified(tmp_path, template, make_study(tmp_path, [raw])).numbers.numbers
    assert (number.text, number.value) == ("101", 101)


@pytest.mark.parametrize(("eager", "compiled"), [
    ((5, 5), (5, 105)), ((5, 5), (6, 105)),  # nothing saved
    ((5, 5), (4, 5)), ((5, 9), (4, 8)),  # nothing to pay
    ((5, None), (4, 105)), ((5, 5), (4, None)),  # not timed
])  # fmt: skip
def test_without_a_price_or_a_saving_there_is_no_break_even(
    eager: tuple[float, float | None], compiled: tuple[float, float | None]
) -> None:
    assert q.break_even(*records(timed(*eager), timed(*compiled))) is None


def test_break_even_needs_one_place_one_batch_and_one_work() -> None:
    eager = make_record(**timed(5, 5))
    for other, error in (
        ({"batch": 64}, BatchError), ({"flops_per_call": 7}, UnequalWorkError),
        ({"actual_device": "cuda"}, DeviceTruthError),
    ):  # fmt: skip
        with pytest.raises(error):
            q.break_even(eager, make_record(**timed(4, 105, **COMPILED) | other))


def test_the_longest_first_call_of_the_rounds_is_the_one_that_counts(tmp_path: Path) -> None:
    row = row_of(
        tmp_path,
        [timed(5, 5), timed(4, 15, **COMPILED)],
        [timed(5, 6), timed(4, 106, **COMPILED)],
        [timed(5, 5), timed(4, None, **COMPILED)],
    )
    assert row.first_call_s is not None
    assert row.first_call_s.number == 0.106
    assert row.break_even_calls is not None
    assert row.break_even_calls.number == 100


def test_a_difference_that_is_not_conclusive_pays_nothing(tmp_path: Path) -> None:
    row = row_of(tmp_path, [timed(5, 5), timed(4.95, 105, **COMPILED)])
    assert row.verdict == "inconclusive"
    assert row.first_call_s is not None
    assert row.break_even_calls is None


def test_without_an_interval_the_medians_tell_when_compiling_pays(tmp_path: Path) -> None:
    summaries = [{"median_ns": 5e6}, {"median_ns": 4e6}]
    cells = [make_cell(summary=summaries[0], first_call_ns=5 * MS),
             make_cell(summary=summaries[1], first_call_ns=10 * MS, **COMPILED)]  # fmt: skip
    row = row_of(tmp_path, cells)
    assert row.verdict == ""
    assert row.break_even_calls is not None
    assert row.break_even_calls.number == 5


def test_a_missing_side_has_no_break_even(tmp_path: Path) -> None:
    assert row_of(tmp_path, [timed(4, 105, **COMPILED)]).break_even_calls is None
    first = row_of(tmp_path, [timed(4, 105, **COMPILED)]).first_call_s
    assert first is not None
    assert first.number == 0.105
    alone = row_of(tmp_path, [timed(5, 5), make_cell(**COMPILED, status="failed", reason="no")])
    assert (alone.first_call_s, alone.break_even_calls, alone.note) == (None, None, "no")


def test_a_round_that_failed_is_why_a_side_is_missing(tmp_path: Path) -> None:
    failed = make_cell(**COMPILED, status="failed", reason="out of memory")
    row = row_of(
        tmp_path,
        [timed(5), timed(4, 7, **COMPILED) | {"status": "unstable", "reason": "noisy"}],
        [timed(5), failed],
    )
    assert (row.speedup, row.compiled_s, row.note) == (None, None, "out of memory")


def test_a_failed_result_shows_no_time_of_its_other_rounds(tmp_path: Path) -> None:
    noisy = timed(4, 7) | {"status": "unstable", "reason": "noisy"}
    failed = make_cell(status="failed", reason="out of memory")
    raws = [make_raw(round=n, cells=[cell]) for n, cell in ((1, noisy), (2, failed))]
    (row,) = result_rows(make_study(tmp_path, raws), ())
    assert (row.status, row.note) == ("failed", "out of memory")
    assert {row.latency_s, row.latency_low_s, row.mean_s, row.stddev_s, row.p95_s, row.samples,
            row.rounds, row.throughput_per_s} == {None}  # fmt: skip
