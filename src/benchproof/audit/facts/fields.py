"""Which fields of a sheet are keys, which measures: by their values, their names, or a mapping."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from benchproof.audit.facts.fact import Dimension, Measure
from benchproof.audit.facts.field_names import (
    IGNORED,
    REPEAT_NAMES,
    key_name,
    meaning_of,
    names_key,
    names_measure,
    plain_name,
)
from benchproof.audit.facts.foreign_json import too_large
from benchproof.audit.facts.mapping import DataMapping, FieldRule
from benchproof.audit.facts.numbers import (
    Quantity,
    TooLargeError,
    in_base_unit,
    is_blank,
    is_missing,
    number_of,
    quantities,
    without_decimal_commas,
)
from benchproof.audit.facts.sheet import Cell, Sheet
from benchproof.audit.mention.units import UNITS
from benchproof.records.findings import DataFinding, Level

KeyValue = str | int | float
MOST_GRID_VALUES = 32  # a column of integers with more different ones is measured, not set


class KeyColumn(msgspec.Struct, frozen=True):
    """A key with its value in each row; `is_repeat` where it only numbers runs of one thing."""

    name: str
    values: Sequence[KeyValue | None]
    is_repeat: bool = False


class MeasureColumn(msgspec.Struct, frozen=True):
    """A measure with its value in each row, in the base unit of its dimension."""

    measure: Measure
    values: Sequence[float | None]


class Field(msgspec.Struct, frozen=True):
    """What a field of a sheet became; nothing where it is ignored or says nothing."""

    name: str
    columns: tuple[KeyColumn | MeasureColumn, ...] = ()
    findings: tuple[DataFinding, ...] = ()


def interpret(sheet: Sheet, mapping: DataMapping) -> list[Field]:
    """All fields of a sheet, in its order."""
    fields = [_field(sheet, name, mapping) for name in sheet.columns]
    return _with_axis(_with_own_names(fields))


def _field(sheet: Sheet, name: str, mapping: DataMapping) -> Field:
    rule = mapping.fields.get(name)
    cells = sheet.columns[name]
    if sheet.decimal_comma:
        cells = without_decimal_commas(cells)
    if rule == "ignore" or (rule is None and _says_nothing(name, cells, mapping)):
        return Field(name)
    as_key = rule.key if rule is not None else name if name in sheet.settings else None
    if as_key is not None:
        return Field(name, (_key(as_key, cells, mapping, sheet),))
    numbers, odd = _numbers(sheet, cells)
    if odd and rule is None and len(odd) * 2 > len(odd) + _known(numbers):
        return _texts(sheet, name, cells, mapping)
    if not _known(numbers):
        return Field(name) if not odd else _texts(sheet, name, cells, mapping, rule)
    findings = (_odd_finding(sheet, name, cells, odd),) if odd else ()
    if rule is None and (_is_repeat(sheet, name, numbers, mapping) or _is_setting(name, numbers)):
        return Field(name, (_key(key_name(name), numbers, mapping, sheet),), findings)
    return Field(name, (_measured(name, numbers, rule),), findings)


def _says_nothing(name: str, cells: Sequence[Cell], mapping: DataMapping) -> bool:
    is_wanted = name in (mapping.repeats or ())
    return all(map(is_blank, cells)) or (plain_name(name) in IGNORED and not is_wanted)


def _known(values: Sequence[object]) -> int:
    return sum(value is not None for value in values)


def _numbers(sheet: Sheet, cells: Sequence[Cell]) -> tuple[list[int | float | None], list[int]]:
    """The number of each cell, and the rows whose cell is neither a number nor missing."""
    distinct: dict[Cell, int | float | None] = dict.fromkeys(cells)
    for cell in distinct:
        try:
            distinct[cell] = number_of(cell)
        except TooLargeError as bad:
            raise too_large(str(bad), sheet.places[cells.index(cell)]) from None
    wrong = {cell for cell, one in distinct.items() if one is None and not is_missing(cell)}
    odd = [row for row, cell in enumerate(cells) if cell in wrong] if wrong else []
    return [distinct[cell] for cell in cells], odd


def _odd_finding(sheet: Sheet, name: str, cells: Sequence[Cell], odd: Sequence[int]) -> DataFinding:
    return DataFinding(
        "not-a-number",
        Level.WARNING,
        tuple(sheet.places[row] for row in odd),
        f"{sheet.file}: {name} is a number in most rows, but {cells[odd[0]]!r} in "
        f"{len(odd)}; these count as not measured",
    )


def _is_repeat(
    sheet: Sheet, name: str, numbers: Sequence[int | float | None], mapping: DataMapping
) -> bool:
    """Whether a column numbers runs: by the mapping, else by its name and its integers."""
    if name in sheet.repeats:
        return True
    if mapping.repeats is not None:
        return name in mapping.repeats
    whole = all(isinstance(number, int) for number in numbers if number is not None)
    return whole and plain_name(name) in REPEAT_NAMES


def _is_setting(name: str, numbers: Sequence[int | float | None]) -> bool:
    """Whether a column of numbers is a setting: by its name, or integers that form a grid."""
    if names_key(name):
        return True
    if names_measure(name):
        return False
    counts = Counter(numbers)
    if len(counts) > MOST_GRID_VALUES or not all(isinstance(one, int) for one in counts):
        return False
    return min(counts.values()) > 1 and max(counts.values()) <= 2 * min(counts.values())


def _key(name: str, cells: Sequence[Cell], mapping: DataMapping, sheet: Sheet) -> KeyColumn:
    told = {cell: None if is_blank(cell) else _key_value(cell) for cell in dict.fromkeys(cells)}
    values = [told[cell] for cell in cells]
    return KeyColumn(name, values, _is_repeat_key(name, mapping, sheet))


def _is_repeat_key(name: str, mapping: DataMapping, sheet: Sheet) -> bool:
    if name in sheet.repeats or mapping.repeats is None:
        return name in sheet.repeats or plain_name(name) in REPEAT_NAMES
    return name in mapping.repeats


def _key_value(cell: Cell) -> KeyValue | None:
    """A key as it is compared: 32.0 and "32" are 32."""
    number = number_of(cell) if isinstance(cell, str) else cell
    if number is None:
        return cell.strip() if isinstance(cell, str) else None
    return int(number) if isinstance(number, float) and number.is_integer() else number


def _measured(
    name: str, numbers: Sequence[int | float | None], rule: FieldRule | None
) -> MeasureColumn:
    meaning = meaning_of(name)
    measure = Measure(
        name.strip(), meaning.dimension, meaning.unit, meaning.factor, meaning.statistic
    )
    if rule is not None and rule.measure is not None:
        measure = _ruled(measure, rule, rule.measure)
    factor = measure.factor
    if factor == 1.0:
        return MeasureColumn(measure, [None if one is None else float(one) for one in numbers])
    values = [None if one is None else in_base_unit(float(one), factor) for one in numbers]
    return MeasureColumn(measure, values)


def _ruled(measure: Measure, rule: FieldRule, name: str) -> Measure:
    """A measure as the mapping has it; what that leaves open is what the field's name tells."""
    unit = UNITS.get(rule.unit)
    changed = msgspec.structs.replace(
        measure, name=name, statistic=rule.statistic or measure.statistic
    )
    if unit is None:
        return changed
    return msgspec.structs.replace(
        changed, dimension=unit.dimension, unit=unit.name, factor=unit.factor
    )


def _texts(
    sheet: Sheet,
    name: str,
    cells: Sequence[Cell],
    mapping: DataMapping,
    rule: FieldRule | None = None,
) -> Field:
    """A column of texts: quantities with their units, else names of a key."""
    told = _quantities(sheet, cells)
    stated = sum(bool(one) for one in told)
    present = sum(n for cell, n in Counter(cells).items() if not is_missing(cell))
    if stated * 2 <= present:
        return Field(name, (_key(key_name(name), [_word(cell) for cell in cells], mapping, sheet),))
    odd = [row for row, cell in enumerate(cells) if not told[row] and not is_missing(cell)]
    findings = (_odd_finding(sheet, name, cells, odd),) if odd else ()
    return Field(name, tuple(_stated(name.strip(), told, rule)), findings)


def _word(cell: Cell) -> Cell:
    return cell if cell is None or isinstance(cell, str) else str(cell)


def _quantities(sheet: Sheet, cells: Sequence[Cell]) -> list[tuple[Quantity, ...]]:
    """What each cell states; equal cells are looked at once, as columns of names are long."""
    known: dict[Cell, tuple[Quantity, ...]] = {}
    for row, cell in enumerate(cells):
        if cell not in known:
            try:
                known[cell] = quantities(cell) if isinstance(cell, str) else ()
            except TooLargeError as bad:
                raise too_large(str(bad), sheet.places[row]) from None
    return [known[cell] for cell in cells]


def _stated(
    name: str, told: Sequence[Sequence[Quantity]], rule: FieldRule | None
) -> Iterator[MeasureColumn]:
    """A measure for each label and dimension, and one for the part after ±."""
    first: dict[tuple[str, Dimension], Quantity] = {}
    values: dict[tuple[str, Dimension], list[float | None]] = {}
    spreads: dict[tuple[str, Dimension], list[float | None]] = {}
    for row, several in enumerate(told):
        for one in several:
            part = (one.label, one.unit.dimension)
            if part not in first:
                first[part] = one
                values[part] = [None] * len(told)
            values[part][row] = in_base_unit(one.number, one.unit.factor)
            if one.spread is not None:
                if part not in spreads:
                    spreads[part] = [None] * len(told)
                spreads[part][row] = in_base_unit(one.spread, one.unit.factor)
    for part, column in values.items():
        measure = _stated_measure(name, first[part], rule, is_only=len(values) == 1)
        yield MeasureColumn(measure, column)
        if part in spreads:
            spread_of = msgspec.structs.replace(
                measure, name=f"{measure.name} standard deviation", statistic="stddev"
            )
            yield MeasureColumn(spread_of, spreads[part])


def _stated_measure(
    name: str, quantity: Quantity, rule: FieldRule | None, *, is_only: bool
) -> Measure:
    unit = quantity.unit
    called = quantity.label or (name if is_only else f"{name} ({unit.name})")
    statistic = meaning_of(name).statistic
    if rule is not None and rule.measure is not None:
        called = rule.measure if is_only else f"{rule.measure} {called}"
        statistic = rule.statistic or statistic
    return Measure(called, unit.dimension, unit.name, unit.factor, statistic)


def _with_own_names(fields: Sequence[Field]) -> list[Field]:
    """The fields so that no key has the name of another: the later keeps its own."""
    taken: set[str] = set()
    named = []
    for field in fields:
        keys = [one for one in field.columns if isinstance(one, KeyColumn)]
        if keys and keys[0].name in taken:
            own = msgspec.structs.replace(keys[0], name=field.name)
            field = msgspec.structs.replace(field, columns=(own,))
        taken.update(one.name for one in field.columns if isinstance(one, KeyColumn))
        named.append(field)
    return named


def _with_axis(fields: Sequence[Field]) -> list[Field]:
    """Where nothing is a key, rising integers in front are: the sizes that a sweep goes through."""
    columns = [column for field in fields for column in field.columns]
    front = columns[0] if columns else None
    if not isinstance(front, MeasureColumn) or any(isinstance(one, KeyColumn) for one in columns):
        return list(fields)
    factor = front.measure.factor
    told = [None if value is None else round(value / factor, 9) for value in front.values]
    whole = [int(value) for value in told if value is not None and value.is_integer()]
    rising = all(low < high for low, high in pairwise(whole))
    if len(columns) < 2 or len(whole) < max(2, len(told)) or not rising:
        return list(fields)
    at = next(at for at, field in enumerate(fields) if field.columns)
    axis = Field(fields[at].name, (KeyColumn(key_name(fields[at].name), whole),))
    return [*fields[:at], axis, *fields[at + 1 :]]
