"""Facts of foreign sheets: their fields as keys and measures, with what only file names tell."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar, cast

import msgspec

from benchproof.audit.facts.fact import Fact, Measure
from benchproof.audit.facts.field_names import REPEAT_NAMES, plain_name
from benchproof.audit.facts.fields import Field, KeyColumn, KeyValue, MeasureColumn, interpret
from benchproof.audit.facts.file_keys import (
    FILE,
    VOCABULARY,
    FileKeys,
    proposed_file_keys,
    spelled,
)
from benchproof.audit.facts.mapping import DataMapping, mapped_file_keys
from benchproof.audit.facts.numbers import number_of
from benchproof.audit.facts.sheet import Sheet
from benchproof.errors import ConfigError, InputError
from benchproof.records.findings import DataFinding

Told = TypeVar("Told")


class Reading(NamedTuple):
    """What foreign sheets say; `runs` are the files whose rows are runs of one thing."""

    facts: tuple[Fact, ...]
    measures: Mapping[str, Measure]
    repeats: frozenset[str]
    findings: tuple[DataFinding, ...]
    runs: frozenset[str]


class Table(NamedTuple):
    """A sheet with its fields told apart."""

    sheet: Sheet
    fields: Sequence[Field]

    @property
    def keys(self) -> list[KeyColumn]:
        """Its keys, repeats among them."""
        columns = (one for field in self.fields for one in field.columns)
        return [one for one in columns if isinstance(one, KeyColumn)]

    @property
    def measures(self) -> list[MeasureColumn]:
        """Its measures."""
        columns = (one for field in self.fields for one in field.columns)
        return [one for one in columns if isinstance(one, MeasureColumn)]


def assemble(sheets: Sequence[Sheet], mapping: DataMapping) -> Reading:
    """The facts of all sheets, in their order; measures of one name and dimension are one.

    NoRecordsError where a sheet has no number, ConfigError where the mapping does not fit.
    """
    _check_fields(sheets, mapping)
    tables = [Table(sheet, interpret(sheet, mapping)) for sheet in sheets]
    for table in tables:
        _check_numbers(table)
    file_keys = file_keys_of(tables, mapping)
    measures: dict[str, Measure] = {}
    facts: list[Fact] = []
    for table in tables:
        facts += _facts(table, file_keys[table.sheet.file], measures)
    told = [key for table in tables for key in table.keys]
    named = {key for keys in file_keys.values() for key in keys if _is_repeat(key, mapping)}
    return Reading(
        tuple(facts),
        measures,
        frozenset(key.name for key in told if key.is_repeat) | named,
        tuple(finding for table in tables for field in table.fields for finding in field.findings),
        frozenset(table.sheet.file for table in tables if _rows_are_runs(table)),
    )


def _check_fields(sheets: Sequence[Sheet], mapping: DataMapping) -> None:
    known = dict.fromkeys(field for sheet in sheets for field in sheet.columns)
    for field in mapping.fields:
        if field not in known:
            raise ConfigError(
                f"fields/{field}", "no such field in the data", f"fields are {', '.join(known)}"
            )


def _check_numbers(table: Table) -> None:
    if not table.measures:
        raise InputError(
            table.sheet.file,
            "data without numbers: no field is a measure",
            "give measurements, or name the measures in a mapping",
        )


def _is_repeat(key: str, mapping: DataMapping) -> bool:
    if mapping.repeats is not None:
        return key in mapping.repeats
    return plain_name(key) in REPEAT_NAMES


def _rows_are_runs(table: Table) -> bool:
    """Whether a file's rows are runs of one thing: nothing in them is a key but their number."""
    return not [key for key in table.keys if not key.is_repeat]


def file_keys_of(tables: Sequence[Table], mapping: DataMapping) -> Mapping[str, FileKeys]:
    """The keys that each file's name tells: by the mapping, or what only the name tells."""
    files = [table.sheet.file for table in tables]
    if mapping.patterns:
        told = mapped_file_keys(mapping, files)
        return {file: dict(_typed(keys)) for file, keys in told.items()}
    alike: dict[frozenset[str], list[str]] = {}
    for table in tables:
        alike.setdefault(frozenset(table.sheet.columns), []).append(table.sheet.file)
    proposed = proposed_file_keys(files, alike.values())
    by_file = any(FILE in keys for keys in proposed.values())
    overlapping = _overlapping(tables) if by_file else frozenset()
    return {
        table.sheet.file: dict(_needed(proposed[table.sheet.file], table, overlapping))
        for table in tables
    }


def _typed(keys: Mapping[str, str]) -> Iterator[tuple[str, str | int]]:
    for key, text in keys.items():
        number = number_of(text)
        yield key, number if isinstance(number, int) else spelled(key, text)


def _needed(
    proposed: FileKeys, table: Table, overlapping: frozenset[str]
) -> Iterator[tuple[str, str | int]]:
    """Of the proposed keys those that no column tells; `file` only where rows would coincide."""
    own = {key.name for key in table.keys}
    for key, value in proposed.items():
        if key == FILE:
            if table.sheet.file in overlapping:
                yield key, value
        elif key not in own and not _is_told(key, table):
            yield key, value


def _is_told(key: str, table: Table) -> bool:
    """Whether a column by another name holds what the vocabulary of a key knows."""
    known = VOCABULARY.get(key, frozenset())
    for column in table.keys:
        told = {value.lower() for value in column.values if isinstance(value, str)}
        if told & known:
            return True
    return False


def _overlapping(tables: Sequence[Table]) -> frozenset[str]:
    """Files with the keys of a row that another file with the same fields has too."""
    seen: dict[tuple[object, ...], str] = {}
    found: set[str] = set()
    for table in tables:
        keys = table.keys
        fields = frozenset(table.sheet.columns)
        for row in range(len(table.sheet.places)):
            told = (fields, *(key.values[row] for key in keys))
            other = seen.setdefault(told, table.sheet.file)
            if other != table.sheet.file:
                found |= {other, table.sheet.file}
    return frozenset(found)


def _facts(table: Table, file_keys: FileKeys, measures: dict[str, Measure]) -> Iterator[Fact]:
    """A fact for each row; `measures` takes up what the sheet has."""
    names = [key.name for key in table.keys]
    columns = [(_merged(one.measure, measures), one.values) for one in table.measures]
    rows: Iterator[tuple[KeyValue | None, ...]] = zip(
        *(key.values for key in table.keys), strict=True
    )
    if not names:
        rows = iter([()] * len(table.sheet.places))
    measured = zip(*(values for _, values in columns), strict=True)
    told = [name for name, _ in columns]
    for place, keys, values in zip(table.sheet.places, rows, measured, strict=True):
        own: dict[str, KeyValue] = _told(names, keys)
        yield Fact(place, {**file_keys, **own} if file_keys else own, _told(told, values))


def _told(names: Sequence[str], values: Sequence[Told | None]) -> dict[str, Told]:
    """The values of a row by their names, without those that are missing."""
    if None in values:
        return {n: v for n, v in zip(names, values, strict=True) if v is not None}
    return dict(zip(names, cast("Sequence[Told]", values), strict=True))


def _merged(measure: Measure, measures: dict[str, Measure]) -> str:
    """The name under which a measure's values go: its own, unless that measures something else."""
    known = measures.setdefault(measure.name, measure)
    if known.dimension is measure.dimension:
        return measure.name
    name = f"{measure.name} ({measure.unit or measure.dimension.value})"
    return _merged(msgspec.structs.replace(measure, name=name), measures)
