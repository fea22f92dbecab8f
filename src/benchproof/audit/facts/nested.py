"""Rows of a JSON document of any shape: its lists of objects, with what the objects around say."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from benchproof.audit.facts.fact import Dimension
from benchproof.audit.facts.field_names import meaning_of, names_key, names_measure
from benchproof.audit.facts.file_keys import NUMBER_NAMES, VOCABULARY
from benchproof.audit.facts.numbers import quantities
from benchproof.audit.facts.sheet import Cell, NoRecordsError, Sheet
from benchproof.records.strict_json import escape

SAMPLE = "sample"  # the key that numbers the values of a list inside a row
# Objects inside a row that only group its fields: their names say nothing about these.
_SIZED = re.compile(r"([a-z]+(?:[-_ ][a-z]+)*?)[-_ ]?(\d{1,9})")
_LEVEL = "level "  # begins the name of a key whose values are names of objects
_PLAIN_GROUPS = frozenset((
    "config", "configuration", "params", "parameters", "settings", "setup", "options", "args",
    "metrics", "results", "result", "stats", "statistics", "timing", "timings", "measurements",
    "measurement", "values", "data", "key", "keys", "info", "meta", "metadata", "summary",
    "benchmark",
))  # fmt: skip


_NESTED, _PLAIN = (dict, list), (str, int, float)


class _Flat(NamedTuple):
    """An object's own fields, its lists of objects, and its lists of plain values."""

    cells: dict[str, Cell]
    tables: list[tuple[str, str, list[Any]]]  # name, pointer, list
    series: dict[str, list[Cell]]


class _Row(NamedTuple):
    pointer: str
    cells: Mapping[str, Cell]
    is_sample: bool = False


def read_nested(document: Any, file: str, *, lines: bool = False) -> Sheet:
    """The rows of a document, in its order; NoRecordsError where it holds none."""
    rows = list(_rows(document))
    if not rows:
        raise NoRecordsError(
            file, "data without records: no list of objects", "give a list of objects, or a CSV"
        )
    fields: dict[str, None] = {}
    for row in rows:
        if not row.cells.keys() <= fields.keys():
            fields |= dict.fromkeys(row.cells)
    columns = {field: [row.cells.get(field) for row in rows] for field in fields}
    places = [f"{file}#{_line(row.pointer) if lines else row.pointer}" for row in rows]
    sampled = any(row.is_sample for row in rows)
    return Sheet(
        file,
        columns,
        places,
        repeats=frozenset([SAMPLE]) if sampled else frozenset(),
        settings=frozenset(field for field in fields if field.startswith(_LEVEL)),
    )


def _line(pointer: str) -> str:
    """The pointer of a JSON Lines file, which has a document a line: `/line/3/latency`."""
    first, _, rest = pointer[1:].partition("/")
    return f"/line/{int(first) + 1}" + (f"/{rest}" if rest else "")


def _rows(document: Any) -> Iterator[_Row]:
    if isinstance(document, list):
        yield from _of_list(document, "", {}, "")
    elif isinstance(document, dict):
        flat = _flattened(document, "")
        if flat.tables:
            for name, pointer, table in flat.tables:
                yield from _of_list(table, pointer, flat.cells, name)
        elif named := list(_of_named(document, "", {})):
            yield from named
        elif _is_record(flat):
            yield from _sampled("", flat)


def _is_record(flat: _Flat) -> bool:
    """Whether a lone object states a measurement, or columns of equal length."""
    lengths = {len(values) for values in flat.series.values()}
    if len(flat.series) > 1 and len(lengths) == 1:
        return True
    return any(_states_measure(name, cell) for name, cell in flat.cells.items())


def _states_measure(name: str, cell: Cell) -> bool:
    if isinstance(cell, str):
        return bool(quantities(cell))
    return cell is not None and meaning_of(name).dimension is not Dimension.UNKNOWN


def _of_named(node: Mapping[str, Any], pointer: str, above: Mapping[str, Cell]) -> Iterator[_Row]:
    """Rows of objects that lie in an object by name: `{"jax": {"cpu": {"latency_ms": 3}}}`."""
    inner = {name: child for name, child in node.items() if isinstance(child, dict)}
    told = {**above, **{name: _cell(one) for name, one in node.items() if _is_cell(one)}}
    if len(inner) < 2 or len(set(map(frozenset, inner.values()))) > 1 or _PLAIN_GROUPS & set(inner):
        yield from _of_groups(inner, pointer, told)
        return
    numbered = _numbered(inner)
    level = _level(inner, above) if numbered is None or numbered[0] in above else numbered[0]
    values = numbered[1] if numbered is not None and level == numbered[0] else {}
    for name, child in inner.items():
        below = f"{pointer}/{escape(name)}"
        held = {**told, level: values.get(name, name)}
        deeper = list(_of_named(child, below, held))
        flat = _flattened(child, below)
        cells = {**held, **flat.cells}
        yield from deeper or _sampled(below, _Flat(cells, [], flat.series))


def _of_groups(
    inner: Mapping[str, Mapping[str, Any]], pointer: str, told: Mapping[str, Cell]
) -> Iterator[_Row]:
    """Rows of the groups that hold objects by name; what the other groups say holds for all."""
    holding = {
        name: child
        for name, child in inner.items()
        if any(isinstance(one, dict) for one in child.values())
    }
    beside = {name: child for name, child in inner.items() if name not in holding}
    told = {**_flattened(beside, pointer).cells, **told}
    for name, child in holding.items():
        yield from _of_named(child, f"{pointer}/{escape(name)}", told)


def _numbered(names: Iterable[str]) -> tuple[str, dict[str, int]] | None:
    """The key and the sizes that names tell which are one word with numbers: `level-1`, `bs32`."""
    told = {name: _SIZED.fullmatch(name.lower()) for name in names}
    words = {match[1] if match else "" for match in told.values()}
    if len(words) != 1:
        return None
    (word,) = words
    key = NUMBER_NAMES.get(word) or word
    if not names_key(key):
        return None
    return key, {name: int(match[2]) for name, match in told.items() if match}


def _level(names: Iterable[str], above: Mapping[str, Cell]) -> str:
    """The key that the names of objects are values of: a known one, else `level 1` and so on."""
    told = {name.lower() for name in names}
    known = (key for key, values in VOCABULARY.items() if told <= values and key not in above)
    depth = 1 + sum(name.startswith(_LEVEL) for name in above)
    return next(known, f"{_LEVEL}{depth}")


def _of_list(
    table: Sequence[Any], pointer: str, above: Mapping[str, Cell], name: str
) -> Iterator[_Row]:
    for position, node in enumerate(table):
        here = f"{pointer}/{position}"
        if isinstance(node, list):
            yield from _of_list(node, here, above, name)
        elif isinstance(node, dict):
            flat = _flattened(node, here)
            cells = {**above, **flat.cells} if above else flat.cells
            if not flat.tables:
                yield from _sampled(here, _Flat(cells, [], flat.series))
            for inner_name, inner_pointer, inner in flat.tables:
                kept = _apart(cells, inner, name)
                yield from _of_list(inner, inner_pointer, kept, inner_name)


def _apart(cells: Mapping[str, Cell], inner: Sequence[Any], name: str) -> dict[str, Cell]:
    """The outer fields; one that the inner objects have too is named after the outer list."""
    used = {field for node in inner if isinstance(node, dict) for field in node}
    return {f"{name or 'outer'} {key}" if key in used else key: c for key, c in cells.items()}


def _flattened(node: Mapping[str, Any], pointer: str, prefix: str = "") -> _Flat:
    if not any(isinstance(child, _NESTED) for child in node.values()):
        return _Flat({f"{prefix}{name}": _cell(child) for name, child in node.items()}, [], {})
    flat = _Flat({}, [], {})
    for name, child in node.items():
        field = f"{prefix}{name}"
        here = f"{pointer}/{escape(name)}"
        if isinstance(child, dict):
            _add(flat, _flattened(child, here, prefix if name in _PLAIN_GROUPS else f"{field}_"))
        elif isinstance(child, list) and any(isinstance(one, dict | list) for one in child):
            flat.tables.append((name, here, child))
        elif isinstance(child, list):
            flat.series[field] = [_cell(one) for one in child]
        else:
            flat.cells[field] = _cell(child)
    return _Flat(flat.cells, [one for one in flat.tables if _holds_objects(one[2])], flat.series)


def _add(flat: _Flat, inner: _Flat) -> None:
    """Take over what an inner object says; what stands outside of it goes first."""
    for field, cell in inner.cells.items():
        flat.cells.setdefault(field, cell)
    for field, values in inner.series.items():
        flat.series.setdefault(field, values)
    flat.tables.extend(inner.tables)


def _holds_objects(table: Sequence[Any]) -> bool:
    return any(
        isinstance(one, dict) or (isinstance(one, list) and _holds_objects(one)) for one in table
    )


def _is_cell(node: Any) -> bool:
    return not isinstance(node, _NESTED)


def _cell(node: Any) -> Cell:
    """A plain value; true and false are words, so that they can be keys."""
    if isinstance(node, bool):
        return "true" if node else "false"
    return node if isinstance(node, _PLAIN) else None


def _sampled(pointer: str, flat: _Flat) -> Iterator[_Row]:
    """A row, or one for each of its samples where it has lists of them, all of one length."""
    if not flat.series:
        if flat.cells:
            yield _Row(pointer, flat.cells)
        return
    series = {name: told for name, told in flat.series.items() if _are_samples(name, told)}
    if len(flat.series) > 1 and len({len(told) for told in flat.series.values()}) == 1 and series:
        series = flat.series
    length = max(map(len, series.values()), default=0)
    series = {name: told for name, told in series.items() if len(told) == length}
    if not length:
        if flat.cells:
            yield _Row(pointer, flat.cells)
        return
    first = next(iter(series))
    base = {**flat.cells, **dict.fromkeys(series)}
    for position in range(length):
        told = {name: values[position] for name, values in series.items()}
        place = f"{pointer}/{escape(first)}/{position}"
        yield _Row(place, {**base, **told, SAMPLE: position}, is_sample=True)


def _are_samples(name: str, values: Sequence[Cell]) -> bool:
    """Whether a list holds samples: numbers, and not the few integers of a shape."""
    numbers = [one for one in values if isinstance(one, int | float)]
    is_measured = names_measure(name) or any(isinstance(one, float) for one in numbers)
    return len(numbers) > 1 and is_measured
