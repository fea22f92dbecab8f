"""A mapping file as the data suggests it, for a user to confirm or correct."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from benchproof.audit.facts.assemble import Table, file_keys_of
from benchproof.audit.facts.fact import Dimension
from benchproof.audit.facts.fields import Field, KeyColumn, MeasureColumn, interpret
from benchproof.audit.facts.file_keys import FileKeys, pattern_for
from benchproof.audit.facts.mapping import DataMapping
from benchproof.audit.facts.read import read_sheets

_HEAD = """\
# What each field of the data is. Correct what is wrong; what is left out is read as proposed.
#   FIELD: {key: NAME}                                     a setting
#   FIELD: {measure: NAME, unit: ms, statistic: median}    what was measured
#   FIELD: ignore
"""
_SHOWN = 4


def propose(paths: Sequence[str], root: Path = Path()) -> str:
    """The text of a mapping file (YAML) for the foreign files that the arguments name."""
    mapping = DataMapping()
    tables = [Table(sheet, interpret(sheet, mapping)) for sheet in read_sheets(paths, root)]
    fields: dict[str, Field] = {}
    for table in tables:
        for field in table.fields:
            if not fields.setdefault(field.name, field).columns:
                fields[field.name] = field
    lines = [_HEAD + "fields:" + ("" if fields else " {}")]
    lines += [line for field in fields.values() for line in _field(field)]
    lines += _repeats(tables)
    lines += _files(file_keys_of(tables, mapping))
    return "\n".join(lines) + "\n"


def _field(field: Field) -> Iterator[str]:
    name = json.dumps(field.name, ensure_ascii=False)
    if not field.columns:
        yield f"  {name}: ignore"
    elif len(field.columns) > 1:
        told = ", ".join(_named(column) for column in field.columns)
        yield f"  # {name} states several measures: {told}"
    elif isinstance(field.columns[0], KeyColumn):
        yield f"  {name}: {{key: {_named(field.columns[0])}}}  # {_some(field.columns[0])}"
    else:
        yield f"  {name}: {_measure(field.columns[0])}"


def _named(column: KeyColumn | MeasureColumn) -> str:
    name = column.name if isinstance(column, KeyColumn) else column.measure.name
    return json.dumps(name, ensure_ascii=False)


def _some(column: KeyColumn) -> str:
    values = list(dict.fromkeys(value for value in column.values if value is not None))
    shown = ", ".join(" ".join(str(value).split())[:40] for value in values[:_SHOWN])
    return shown + (f", ... ({len(values)} values)" if len(values) > _SHOWN else "")


def _measure(column: MeasureColumn) -> str:
    measure = column.measure
    unit = f", unit: {json.dumps(measure.unit, ensure_ascii=False)}" if measure.unit else ""
    statistic = f", statistic: {measure.statistic}" if measure.statistic else ""
    told = [value / measure.factor for value in column.values if value is not None]
    span = f"{min(told):.6g} to {max(told):.6g}"
    doubt = "; its unit is not told" if measure.dimension is Dimension.UNKNOWN else ""
    return f"{{measure: {_named(column)}{unit}{statistic}}}  # {span}{doubt}"


def _repeats(tables: Sequence[Table]) -> Iterator[str]:
    names = dict.fromkeys(key.name for table in tables for key in table.keys if key.is_repeat)
    if names:
        listed = ", ".join(json.dumps(name, ensure_ascii=False) for name in names)
        yield "# Runs of one thing: texts speak of the mean or the median over them."
        yield f"repeats: [{listed}]"


def _files(keys: Mapping[str, FileKeys]) -> Iterator[str]:
    told = {file: named for file, named in keys.items() if named}
    if not told:
        return
    yield "# What only the names of the files tell:"
    for file, named in told.items():
        yield f"#   {json.dumps(file, ensure_ascii=False)}: " + ", ".join(
            f"{key} {json.dumps(value, ensure_ascii=False)}" for key, value in named.items()
        )
    patterns = dict.fromkeys(pattern_for(file, named) for file, named in told.items())
    if None not in patterns:
        listed = ", ".join(json.dumps(pattern, ensure_ascii=False) for pattern in patterns)
        yield f"files: [{listed}]"
