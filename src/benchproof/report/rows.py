"""Rows of the derived tables as templates see them, and how many of them there are."""

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from benchproof.derive import quantities as q
from benchproof.derive.contests import TIE
from benchproof.derive.controls import SAME
from benchproof.derive.judgement import is_conclusive, not_conclusive
from benchproof.derive.rows import ControlRow, DeviceRow, SpeedupRow, WinnerRow
from benchproof.errors import SelectionError
from benchproof.evidence.intervals import Verdict
from benchproof.report.text import DataText
from benchproof.values.aggregates import Measured
from benchproof.values.expression import Expression, Extreme, Sum
from benchproof.values.units import Unit
from benchproof.values.value import Truth, Value

Judged = SpeedupRow | DeviceRow | WinnerRow | ControlRow


class Shown:
    """A table row for templates: its text is data, its values print bound.

    Batches are whole numbers, to narrow by; `batch_value`, `small_batch_value` and
    `large_batch_value` are the same to print. `batches` are those of the study's records.
    """

    def __init__(self, row: msgspec.Struct, batches: Mapping[int, Value] | None = None) -> None:
        self._row = row
        self._batches = batches or {}

    def __getattr__(self, name: str) -> DataText | Value | int | None:
        if name in ("batch_value", "small_batch_value", "large_batch_value"):
            return self._batch(getattr(self._row, name.removesuffix("_value")))
        found: str | int | Value | None = getattr(self._row, name)
        return DataText(found) if isinstance(found, str) else found

    def _batch(self, batch: int) -> Value:
        """A batch bound to a record of the row; to any of that batch where the row has none."""
        own = (record for value in values_of(self) for record in value.records)
        found = next((record for record in own if record.batch == batch), None)
        return self._batches[batch] if found is None else q.batch_size(found)


def values_of(row: Shown) -> Iterator[Value]:
    """The values of a row, in the order of its columns."""
    columns = (getattr(row._row, name) for name in row._row.__struct_fields__)
    return (value for value in columns if isinstance(value, Value))


def rows_counted(rows: Iterable[object], name: str) -> Value:
    """How many rows of a table there are; its query counts those that hold what their row says.

    That is the row's verdict, and where it has none, that its value was measured. SelectionError
    for no rows at all, for a row that stands twice, and for what is no row with a value.
    """
    counted = [_row(row, name) for row in rows]
    if not counted:
        raise SelectionError(f"{name}: there are no rows to count; say so in words")
    if len(set(map(id, counted))) < len(counted):
        raise SelectionError(f"{name}: a row stands twice; count each once")
    said = [(_verdict(row), row) for row in counted]
    measured = tuple(_telling(row).expression for verdict, row in said if verdict is None)
    parts = [verdict for verdict, _ in said if verdict is not None]
    found = Value(Sum((*parts, *([Measured(measured)] if measured else []))), Unit.COUNT, name)
    if found.number != len(counted):
        raise SelectionError(f"{name}: a row's numbers do not say what its verdict does")
    return found


def _row(row: object, name: str) -> Shown:
    if not isinstance(row, Shown) or next(values_of(row), None) is None:
        raise SelectionError(f"{name}: only rows of tables that hold a value can be counted")
    return row


def _verdict(row: Shown) -> Expression | None:
    """What a row says of a difference, as an expression that gives 1; None without a verdict."""
    told = row._row
    if not isinstance(told, Judged) or told.adjusted_p is None:
        return None
    if told.verdict in (Verdict.INCONCLUSIVE, TIE, SAME):
        return not_conclusive(told.adjusted_p).expression
    truths = [is_conclusive(told.adjusted_p), *_side(told)]
    return Extreme("least", tuple(truth.expression for truth in truths))


def _side(told: Judged) -> list[Truth]:
    """That the interval lies on the side of the verdict, where that has one."""
    if not isinstance(told, SpeedupRow | DeviceRow):
        return []
    if told.verdict == Verdict.FASTER and told.speedup_low is not None:
        return [told.speedup_low > 1.0]
    return [] if told.speedup_high is None else [told.speedup_high < 1.0]


def _telling(row: Shown) -> Value:
    """The value that says most of a row without a verdict: its ratio, or else its first value."""
    values = list(values_of(row))
    return next((value for value in values if value.unit is Unit.RATIO), values[0])
