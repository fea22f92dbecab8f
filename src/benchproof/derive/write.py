"""How tables are written: CSV and Parquet, the same bytes for the same rows."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args, get_type_hints

import duckdb
import msgspec

from benchproof.derive.tables import Tables
from benchproof.files import write_atomically
from benchproof.values.sql import text
from benchproof.values.units import Unit
from benchproof.values.value import Value


def table_types() -> dict[str, type[msgspec.Struct]]:
    """Row type of each table, by the table's name."""
    return {name: get_args(hint)[0] for name, hint in get_type_hints(Tables).items()}


def write_tables(tables: Tables, folder: Path) -> list[Path]:
    """Write every table as `NAME.csv` and `NAME.parquet`; an empty table keeps its columns.

    A missing value is an empty cell, and a null; floats keep all their digits.
    """
    written = []
    with duckdb.connect(config={"threads": 1}) as connection:
        for name, row_type in table_types().items():
            csv_path, parquet_path = folder / f"{name}.csv", folder / f"{name}.parquet"
            write_atomically(csv_path, _csv(getattr(tables, name), row_type))
            write_atomically(parquet_path, _parquet(connection, csv_path, row_type))
            written += [csv_path, parquet_path]
    return written


def _csv(rows: Sequence[msgspec.Struct], row_type: type[msgspec.Struct]) -> str:
    names = row_type.__struct_fields__
    lines = [names, *([_cell(getattr(row, name)) for name in names] for row in rows)]
    return "".join(f"{','.join(line)}\n" for line in lines)


def _cell(cell: str | int | Value | None) -> str:
    """A cell as RFC 4180 has it; the csv module of Python 3.11 leaves a lone CR unquoted."""
    shown = "" if cell is None else str(_number(cell) if isinstance(cell, Value) else cell)
    if any(mark in shown for mark in ',"\r\n'):
        return '"' + shown.replace('"', '""') + '"'
    return shown


def _number(value: Value) -> float | int:
    """The number in its base unit; a count as a whole number."""
    number = value.number
    return int(number) if value.unit is Unit.COUNT and number.is_integer() else number


_LINE_BYTES = 2 * 1024 * 1024  # DuckDB's own limit
_SQL_TYPES = {"str": "VARCHAR", "int": "BIGINT", "Value": "DOUBLE"}


def _parquet(
    connection: duckdb.DuckDBPyConnection, path: Path, row_type: type[msgspec.Struct]
) -> bytes:
    """The table of a CSV file as Parquet."""
    hints = get_type_hints(row_type)
    kinds = {name: _SQL_TYPES[_kind(hints[name])] for name in row_type.__struct_fields__}
    schema = ", ".join(f"{text(name)}: {text(kind)}" for name, kind in kinds.items())
    # Nothing is guessed from the text: a name may hold quotes, or open like a comment.
    form = """auto_detect = false, header = true, delim = ',', quote = '"', escape = '"'"""
    lines = f"max_line_size = {max(_LINE_BYTES, path.stat().st_size)}"
    source = f"read_csv({text(str(path))}, {form}, {lines}, columns = {{{schema}}})"
    with tempfile.TemporaryDirectory() as scratch:
        target = Path(scratch, "table.parquet")
        copied = f"COPY (SELECT * FROM {source}) TO {text(str(target))}"
        connection.execute(f"{copied} (FORMAT parquet, COMPRESSION zstd)")
        return target.read_bytes()


def _kind(hint: Any) -> str:
    """Name of a field's type, None left aside."""
    options: tuple[type, ...] = get_args(hint) or (hint,)
    return next(option.__name__ for option in options if option is not type(None))
