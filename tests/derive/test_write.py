"""Tables on disk: CSV and Parquet hold the same, and what is missing is missing in both."""

import csv
import math
from pathlib import Path
from typing import Any

import duckdb
import pytest
from factory import (
    MODELS,
    ROOT,
    committed_study,
    committed_tables,
    make_cell,
    make_raw,
    make_study,
    mixed_raws,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchproof.derive.rows import FindingRow
from benchproof.derive.tables import Tables, derive
from benchproof.derive.write import table_types, write_tables
from benchproof.records.gates import SelectionRule
from benchproof.values.value import Value

RULE = SelectionRule.ANY_VARIANT


def csv_rows(folder: Path, table: str) -> list[dict[str, str]]:
    with (folder / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def parquet_rows(folder: Path, table: str) -> list[dict[str, Any]]:
    path = folder / f"{table}.parquet"
    found = duckdb.sql(f"SELECT * FROM read_parquet('{path}')")
    return [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("tables")
    write_tables(committed_tables(), target)
    return target


def plain(cell: Any) -> Any:
    return cell.number if isinstance(cell, Value) else cell


@pytest.mark.parametrize("table", Tables.__struct_fields__)
def test_csv_and_parquet_hold_the_rows_with_all_digits(folder: Path, table: str) -> None:
    rows = getattr(committed_tables(), table)
    names = table_types()[table].__struct_fields__
    expected = [{name: plain(getattr(row, name)) for name in names} for row in rows]
    texts = csv_rows(folder, table)
    typed = parquet_rows(folder, table)
    assert len(texts) == len(typed) == len(expected)
    assert bool(expected) == (table != "controls")  # an import has none
    for wanted, text, parquet in zip(expected, texts, typed, strict=True):
        assert tuple(text) == names == tuple(parquet)
        for name in names:
            assert text[name] == ("" if wanted[name] is None else str(wanted[name]))
            assert parquet[name] == (wanted[name] if wanted[name] != "" else None)


def test_missing_is_an_empty_cell_and_a_null_and_never_a_number(folder: Path) -> None:
    texts, typed = csv_rows(folder, "results"), parquet_rows(folder, "results")
    missing = [i for i, row in enumerate(texts) if row["status"] == "not measured"]
    assert len(missing) == 140
    measured_fields = [name for name in texts[0] if name.endswith(("_s", "flops", "bytes"))]
    assert len(measured_fields) == 10
    for i in missing:
        assert {texts[i][name] for name in measured_fields} == {""}
        assert {typed[i][name] for name in measured_fields} == {None}


def test_no_table_holds_nan_or_infinity(folder: Path) -> None:
    for table in Tables.__struct_fields__:
        for row in parquet_rows(folder, table):
            assert all(math.isfinite(cell) for cell in row.values() if isinstance(cell, float))


def test_columns_have_the_types_of_the_rows(folder: Path) -> None:
    described = duckdb.sql(
        f"DESCRIBE SELECT latency_s, batch, model FROM '{folder}/results.parquet'"
    ).fetchall()
    assert [row[1] for row in described] == ["DOUBLE", "BIGINT", "VARCHAR"]


def test_the_same_study_gives_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    again = derive(committed_study(), MODELS, RULE)
    for path in write_tables(again, tmp_path):
        assert path.read_bytes() == (folder / path.name).read_bytes(), path.name


def test_an_empty_table_keeps_its_columns(tmp_path: Path) -> None:
    study = make_study(tmp_path, [make_raw()])
    write_tables(derive(study, (), RULE), tmp_path / "tables")
    assert csv_rows(tmp_path / "tables", "repeats") == []
    header = (tmp_path / "tables" / "repeats.csv").read_text()
    assert header.count("\n") == 1
    found = duckdb.sql(f"SELECT * FROM '{tmp_path}/tables/repeats.parquet'")
    assert found.columns == header.strip().split(",")
    assert found.fetchall() == []


HOSTILE = [
    "O'Brien \"x\"", "# a comment", "a,b;c\td|e", '"', '""', "'", "line\nbreak", "return\r\nfeed",
    "lone\rreturn", "'quoted'",
    "NULL", "null", "1.5", " padded ", "\\", "\\N", "µ×—🚀", "=1+1", "-", "2024-01-01", "NaN",
]  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_any_name_comes_back_from_both_formats(tmp_path: Path, name: str) -> None:
    assert_name_survives(tmp_path, name)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.text(
        st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=30
    )
)
def test_any_text_comes_back_from_both_formats(tmp_path: Path, name: str) -> None:
    assert_name_survives(tmp_path, name)


def assert_name_survives(tmp_path: Path, name: str) -> None:
    study = make_study(tmp_path, [make_raw(model=name, cells=[make_cell(variant=name)])])
    tables = derive(study, (), RULE)
    small = Tables(**{
        table: getattr(tables, table) if table == "throughput" else []
        for table in Tables.__struct_fields__
    })  # fmt: skip
    write_tables(small, tmp_path / "tables")
    for rows in (
        csv_rows(tmp_path / "tables", "throughput"),
        parquet_rows(tmp_path / "tables", "throughput"),
    ):
        assert [(row["model"], row["variant"]) for row in rows] == [(name, name)]


def test_a_line_longer_than_duckdbs_limit_is_written(tmp_path: Path) -> None:
    long = FindingRow(rule="r", level="error", message="m", records="x" * 3_000_000)
    tables = Tables(
        **{name: [long] if name == "findings" else [] for name in Tables.__struct_fields__}
    )
    write_tables(tables, tmp_path)
    (row,) = parquet_rows(tmp_path, "findings")
    assert row["records"] == long.records


def test_the_mixed_study_is_written_with_its_gaps(tmp_path: Path) -> None:
    tables = derive(make_study(tmp_path, mixed_raws()), (), RULE)
    write_tables(tables, tmp_path / "tables")
    rows = {
        (r["device"], r["framework"], r["variant"], r["precision"], r["batch"]): r
        for r in parquet_rows(tmp_path / "tables", "results")
        if r["model"] == "CNN" and r["task"] == "inference"
    }
    failed = rows["cpu", "PyTorch", "torch.compile", "fp32", 64]
    assert (failed["status"], failed["latency_s"]) == ("failed", None)
    assert rows["cuda", "PyTorch", "torch.compile", "fp32", 32]["status"] == "quarantined"
    assert rows["cuda", "PyTorch", "eager", "fp16", 32]["status"] == "not measured"


def test_committed_tables_are_not_part_of_the_evidence() -> None:
    assert not (ROOT / "results" / "raw" / "apple-m3" / "results.csv").exists()
