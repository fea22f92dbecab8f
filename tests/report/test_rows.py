"""Rows of tables in a post: how many there are by what they say, and their batches as values."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from factory import make_cell, make_raw, make_study
from report.support import refusal, rendered, verified

from benchproof.derive import quantities as q
from benchproof.derive.comparisons import speedup_rows
from benchproof.errors import SelectionError
from benchproof.records.study import Study
from benchproof.report.rows import Shown, rows_counted
from benchproof.values.aggregates import Measured

MS = 1_000_000
COMPILED = {"variant": "torch.compile", "kind": "compiled"}
JIT = {"variant": "jax.jit", "kind": "compiled"}


def cell(ms: float, **changes: Any) -> dict[str, Any]:
    samples = tuple(int(ms * MS) + 3 * ((7 * step) % 11) for step in range(12))
    return make_cell(samples_ns=samples, **changes)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Study]:
    """Two frameworks on a CPU and a GPU at two batches.

    Of JAX's compiled variants one is slower and one the same; all of PyTorch's are faster. At
    batch 1 of the GPU the two frameworks tie. One cell has a control that differs.
    """
    root = tmp_path_factory.mktemp("project")
    raws = [
        make_raw(device="cpu", cells=[
            cell(8, batch=1), cell(10), cell(4, **COMPILED, batch=1), cell(6, **COMPILED)],
            controls=[cell(10)]),
        make_raw(device="cpu", framework="JAX", cells=[
            cell(7, batch=1), cell(9), cell(9, **JIT, batch=1), cell(9, **JIT)],
            controls=[cell(9.5)]),
        make_raw(device="cuda", cells=[
            cell(1, batch=1, actual_device="cuda"), cell(2, actual_device="cuda")]),
        make_raw(device="cuda", framework="JAX", cells=[
            cell(1, batch=1, actual_device="cuda"), cell(30, actual_device="cuda")]),
    ]  # fmt: skip
    return root, make_study(root, raws)


ROWS = {
    "tables.compile_speedup": 8,  # four of them of eager alone, on the GPU
    "tables.compile_speedup | rejectattr('speedup', 'none')": 4,
    "tables.compile_speedup | selectattr('verdict', 'equalto', 'faster')": 2,
    "tables.compile_speedup | selectattr('verdict', 'equalto', 'slower')": 1,
    "tables.compile_speedup | selectattr('verdict', 'equalto', 'inconclusive')": 1,
    "tables.winners": 4,
    "tables.winners | selectattr('verdict', 'equalto', 'wins')": 3,
    "tables.winners | selectattr('verdict', 'equalto', 'tie')": 1,
    "tables.cpu_gpu | selectattr('basis', 'equalto', 'same framework')": 4,
    "tables.cpu_gpu | selectattr('verdict', 'equalto', 'slower')": 2,
    "tables.controls": 2,
    "tables.controls | selectattr('verdict', 'equalto', 'differs')": 1,
    "tables.controls | selectattr('verdict', 'equalto', 'same')": 1,
    "tables.roofline": 12,
    "tables.throughput": 12,
    "tables.batch_scaling": 6,
    "tables.stability | list": 12,
    "tables.results | selectattr('status', 'equalto', 'ok')": 12,
}


@pytest.mark.parametrize("rows", ROWS)
def test_rows_are_counted_by_what_they_say(project: tuple[Path, Study], rows: str) -> None:
    template = f'{{{{ rows_counted({rows}, "rows") }}}}'
    (number,) = verified(project[0], template, project[1]).numbers.numbers
    assert number.value == ROWS[rows]


@pytest.mark.parametrize("rows", ["winners", "compile_speedup", "cpu_gpu", "results"])
def test_rows_without_a_verdict_are_counted_by_their_values(tmp_path: Path, rows: str) -> None:
    summary = {"median_ns": 5e6}
    raws = [
        make_raw(framework=framework, device=device, imported=True, cells=[
            make_cell(summary=summary, actual_device=device),
            make_cell(summary={"median_ns": 4e6}, actual_device=device, **COMPILED),
        ])
        for framework in ("PyTorch", "JAX") for device in ("cpu", "cuda")
    ]  # fmt: skip
    study = make_study(tmp_path, raws)
    template = f'{{{{ rows_counted(tables.{rows}, "rows") }}}}'
    (number,) = verified(tmp_path, template, study).numbers.numbers
    assert number.value == {"results": 8, "winners": 2, "compile_speedup": 4, "cpu_gpu": 4}[rows]


def without_samples(root: Path, place: str) -> None:
    """Take the samples out of the first cell of one raw file, as somebody might who tidies up."""
    path = root / place
    raw = msgspec.json.decode(path.read_bytes())
    raw["cells"][0]["samples_ns"] = []
    path.write_bytes(msgspec.json.encode(raw))


def test_a_row_that_the_files_no_longer_hold_is_not_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = make_study(tmp_path, [make_raw(), make_raw(model="RNN")])
    template = '{{ rows_counted(tables.stability, "rows") }}'
    document = verified(tmp_path, template, study)
    without_samples(tmp_path, document.numbers.numbers[0].records[0].file)
    with pytest.raises(AssertionError):
        verified(tmp_path, template, study)
    assert "'2' stands for 2.0, its query gives 1" in capsys.readouterr().out


@pytest.mark.parametrize("verdict", ["faster", "slower", "inconclusive"])
def test_a_verdict_holds_only_on_its_own_side(project: tuple[Path, Study], verdict: str) -> None:
    row = next(one for one in speedup_rows(project[1], ()) if one.verdict == verdict)
    assert rows_counted([Shown(row)], "x").number == 1
    for wrong in {"faster", "slower", "inconclusive"} - {verdict}:
        told = Shown(msgspec.structs.replace(row, verdict=wrong))
        with pytest.raises(
            SelectionError, match=r"^x: a row's numbers do not say what its verdict"
        ):
            rows_counted([told], "x")


COUNTLESS = {
    'rows_counted([], "x")': "x: there are no rows to count; say so in words",
    'rows_counted(tables.winners | selectattr("verdict", "equalto", "none"), "x")': "no rows to",
    'rows_counted(tables.winners + tables.winners, "x")': "x: a row stands twice; count each once",
    'rows_counted(tables.findings, "x")': "x: only rows of tables that hold a value",
    'rows_counted([machine], "x")': "x: only rows of tables that hold a value",
    'rows_counted(["text"], "x")': "x: only rows of tables that hold a value",
    'rows_counted([namespace(fields=["a"], a=cells.count)], "x")': "x: only rows of tables",
    'rows_counted([namespace(adjusted_p=cells.count, verdict="tie")], "x")': "x: only rows of",
    'rows_counted([cells], "x")': "x: only rows of tables that hold a value",
    "tables.winners[0].fields": "has no attribute 'fields'",
    "tables.winners[0]._row": "access to attribute '_row'",
    "tables.winners[0].small_batch_value": "has no attribute 'small_batch_value'",
}


@pytest.mark.parametrize("expression", COUNTLESS)
def test_what_cannot_be_counted_or_told_is_an_error(tmp_path: Path, expression: str) -> None:
    assert COUNTLESS[expression] in refusal(tmp_path, f"{{{{ {expression} }}}}").what


def test_a_row_of_what_was_not_measured_cannot_be_counted(tmp_path: Path) -> None:
    raws = [make_raw(), make_raw(framework="JAX", cells=[make_cell(batch=8)])]
    study = make_study(tmp_path, raws)
    rows = "tables.results | selectattr('status', 'equalto', 'not measured')"
    told = refusal(tmp_path, f'{{{{ rows_counted({rows}, "gaps") }}}}', study).what
    assert "gaps: only rows of tables that hold a value can be counted" in told


def test_many_rows_of_a_record_each_are_counted_by_one_look(project: tuple[Path, Study]) -> None:
    template = '{{ rows_counted(tables.roofline, "rows") }}'
    (number,) = rendered(project[0], template, project[1]).numbers.numbers
    assert number.query.count("FROM record") == 1
    assert "(SELECT count((flops / bytes)) FROM record WHERE key IN ('cpu/PyTo" in number.query


def test_a_record_in_two_rows_counts_twice(project: tuple[Path, Study]) -> None:
    (record, *_) = project[1].records
    twice = Measured((q.latency(record).expression, q.latency(record).expression))
    assert twice.number == 2
    assert twice.sql().count("IS NOT NULL)::INT") == 2


def test_batches_of_a_row_are_those_of_its_own_records(project: tuple[Path, Study]) -> None:
    template = (
        "{% for row in tables.batch_scaling if row.framework == 'JAX' and row.device == 'cuda' %}"
        "{{ row.small_batch_value }} to {{ row.large_batch_value }}{% endfor %}"
        "{% for row in tables.winners if row.device == 'cuda' %} {{ row.batch_value }}{% endfor %}"
    )
    document = verified(project[0], template, project[1])
    small, large, *rest = document.numbers.numbers
    assert (small.value, large.value) == (1, 32)
    assert [one.name.split(",")[0] for one in (*small.records, *large.records)] == [
        "JAX eager CNN on cuda", "JAX eager CNN on cuda"
    ]  # fmt: skip
    assert [one.value for one in rest] == [1, 32]
    assert all("cuda" in one.records[0].name for one in rest)


def test_a_batch_that_was_not_measured_is_bound_to_another_record_of_it(tmp_path: Path) -> None:
    raws = [make_raw(), make_raw(framework="JAX", cells=[make_cell(batch=8)])]
    study = make_study(tmp_path, raws)
    template = (
        "{% for row in tables.results if row.status == 'not measured' %}"
        "{{ row.framework }} {{ row.batch_value }};{% endfor %}"
    )
    told = re.sub(r"\[|\]\{.*?\}", "", verified(tmp_path, template, study).qmd)
    assert told == "PyTorch 8;JAX 32;"
