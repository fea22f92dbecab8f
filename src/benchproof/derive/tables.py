"""All tables of a study, and how they are written as Parquet and CSV."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

import msgspec

from benchproof.derive.comparisons import device_rows, repeat_rows, speedup_rows, winner_rows
from benchproof.derive.results import (
    best_throughput_rows,
    result_rows,
    stability_rows,
    throughput_rows,
)
from benchproof.derive.roofline import roofline_rows, scaling_rows
from benchproof.derive.rows import (
    BestThroughputRow,
    DeviceRow,
    FindingRow,
    RepeatRow,
    ResultRow,
    RooflineRow,
    ScalingRow,
    SpeedupRow,
    StabilityRow,
    ThroughputRow,
    WinnerRow,
)
from benchproof.files import write_atomically
from benchproof.records.gates import SelectionRule
from benchproof.records.study import Study
from benchproof.values.value import Value

if TYPE_CHECKING:
    import polars


class Tables(msgspec.Struct, frozen=True):
    """Rows of every table; the field's name is the table's name."""

    results: list[ResultRow]
    compile_speedup: list[SpeedupRow]
    winners: list[WinnerRow]
    cpu_gpu: list[DeviceRow]
    throughput: list[ThroughputRow]
    best_throughput: list[BestThroughputRow]
    roofline: list[RooflineRow]
    batch_scaling: list[ScalingRow]
    stability: list[StabilityRow]
    repeats: list[RepeatRow]
    findings: list[FindingRow]


def derive(study: Study, models: tuple[str, ...], rule: SelectionRule) -> Tables:
    """All tables of a gated study; `rule` selects the fastest, `models` orders the rows."""
    return Tables(
        results=result_rows(study, models),
        compile_speedup=speedup_rows(study, models),
        winners=winner_rows(study, models, rule),
        cpu_gpu=device_rows(study, models, rule),
        throughput=throughput_rows(study),
        best_throughput=best_throughput_rows(study, models),
        roofline=roofline_rows(study),
        batch_scaling=scaling_rows(study, models),
        stability=stability_rows(study),
        repeats=repeat_rows(study, models),
        findings=[
            FindingRow(
                rule=finding.rule,
                level=finding.level.value,
                message=finding.message,
                records=" ".join(finding.records),
            )
            for finding in study.findings
        ],
    )


def table_types() -> dict[str, type[msgspec.Struct]]:
    """Row type of each table, by the table's name."""
    return {name: get_args(hint)[0] for name, hint in get_type_hints(Tables).items()}


def write_tables(tables: Tables, folder: Path) -> list[Path]:
    """Write every table as `NAME.parquet` and `NAME.csv`; an empty table keeps its columns."""
    written = []
    for name, row_type in table_types().items():
        frame = _frame(getattr(tables, name), row_type)
        for suffix, content in (("parquet", _parquet(frame)), ("csv", frame.write_csv().encode())):
            path = folder / f"{name}.{suffix}"
            write_atomically(path, content)
            written.append(path)
    return written


def _frame(rows: Sequence[msgspec.Struct], row_type: type[msgspec.Struct]) -> "polars.DataFrame":
    import polars  # costs a third of a second: only the step that writes tables pays it

    kinds = {
        "str": polars.String, "int": polars.Int64, "Value": polars.Float64,
    }  # fmt: skip
    schema = {name: kinds[_kind(hint)] for name, hint in get_type_hints(row_type).items()}
    columns = {name: [_plain(getattr(row, name)) for row in rows] for name in schema}
    return polars.DataFrame(columns, schema=schema)


def _kind(hint: Any) -> str:
    options: Iterable[Any] = get_args(hint) or (hint,)
    return next(option.__name__ for option in options if option is not type(None))


def _plain(cell: str | int | Value | None) -> str | int | float | None:
    return cell.number if isinstance(cell, Value) else cell


def _parquet(frame: "polars.DataFrame") -> bytes:
    from io import BytesIO

    buffer = BytesIO()
    frame.write_parquet(buffer, compression="zstd", statistics=True)
    return buffer.getvalue()
