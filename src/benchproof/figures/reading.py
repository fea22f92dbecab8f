"""The CSV tables as typed rows, and which mistakes in them stop the figures."""

import csv
from io import StringIO
from pathlib import Path
from typing import TypeVar

import msgspec

from benchproof.errors import InputError
from benchproof.figures.rows import BestRow, CellRow, DeviceRow, RoofRow, SpeedupRow, WorkRow

R = TypeVar("R", bound=WorkRow)

REBUILD = "run the derive step again"


class TableRows(msgspec.Struct, frozen=True):
    """Rows of every table that figures read; the field's name is the table's name."""

    results: list[CellRow]
    compile_speedup: list[SpeedupRow]
    cpu_gpu: list[DeviceRow]
    best_throughput: list[BestRow]
    roofline: list[RoofRow]


def read_tables(folder: Path) -> TableRows:
    """All tables of a folder; InputError where one is missing, incomplete or not a table."""
    return TableRows(
        results=read_table(folder / "results.csv", CellRow),
        compile_speedup=read_table(folder / "compile_speedup.csv", SpeedupRow),
        cpu_gpu=read_table(folder / "cpu_gpu.csv", DeviceRow),
        best_throughput=read_table(folder / "best_throughput.csv", BestRow),
        roofline=read_table(folder / "roofline.csv", RoofRow),
    )


def read_table(path: Path, row_type: type[R]) -> list[R]:
    """Rows of one CSV file; InputError names the file, the row and the column at fault."""
    lines = csv.reader(StringIO(_text(path), newline=""), strict=True)
    try:
        head = next(lines, [])
        _require_columns(path, head, row_type)
        return [
            _row(path, number, head, line, row_type)
            for number, line in enumerate(lines, start=1)
            if line
        ]
    except csv.Error as error:
        raise InputError(str(path), f"is not a CSV table: {error}", REBUILD) from error


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except FileNotFoundError as error:
        raise InputError(str(path), "the table is missing", REBUILD) from error
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(str(path), f"cannot be read as text: {error}", REBUILD) from error


def _require_columns(path: Path, head: list[str], row_type: type[R]) -> None:
    missing = [name for name in row_type.__struct_fields__ if name not in head]
    if missing:
        raise InputError(str(path), f"lacks the column {', '.join(missing)}", REBUILD)


def _row(path: Path, number: int, head: list[str], line: list[str], row_type: type[R]) -> R:
    where = f"{path}#/rows/{number}"
    if len(line) != len(head):
        raise InputError(where, f"has {len(line)} cells for {len(head)} columns", REBUILD)
    # An empty cell means "not measured", which is what the field's default says.
    told = {name: cell for name, cell in zip(head, line, strict=True) if cell}
    try:
        return msgspec.convert(told, row_type, strict=False)
    except msgspec.ValidationError as error:
        raise InputError(where, str(error), "correct the cell, or " + REBUILD) from error
