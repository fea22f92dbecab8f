"""How a template names records: a selection is narrowed by key until one record is left."""

import math
from collections.abc import Callable, Iterator, Sequence

import msgspec

from benchproof.derive import quantities as q
from benchproof.derive.contests import best_of
from benchproof.derive.judgement import Interval, latency_interval, throughput_interval
from benchproof.errors import SelectionError
from benchproof.evidence.sampled import between_rounds_measured, has_spread
from benchproof.model.keys import CeilingKind
from benchproof.model.record import Record
from benchproof.records.gates import SelectionRule
from benchproof.report.quantities import QUANTITIES, derivation
from benchproof.report.text import DataText
from benchproof.values import sql
from benchproof.values.aggregates import Aggregate, Counted, key_of
from benchproof.values.units import Unit
from benchproof.values.value import Value

KEYS = (
    "device", "framework", "model", "variant", "kind", "batch", "precision", "task", "scale",
)  # fmt: skip


NARROWING = (*KEYS, "status")  # a status is no part of a cell's key


class Root(msgspec.Struct, frozen=True):
    """What a selection starts from: its name in templates, its condition in SQL, its columns."""

    name: str
    condition: str = ""
    named: frozenset[str] = frozenset()


class Cells:
    """Records that match what has been named so far; narrowing gives a new selection.

    `cells(device="mps")(model="LSTM", batch=256, variant="eager").latency` is a value; a
    quantity of a selection that holds no record, or more than one, is a SelectionError.
    """

    def __init__(
        self,
        records: Sequence[Record],
        condition: tuple[tuple[str, str | int], ...] = (),
        root: "Root | None" = None,
    ) -> None:
        self._records = tuple(records)
        self._condition = condition
        self._root = root or Root("cells")

    def __call__(self, **named: str | int) -> "Cells":  # noqa: D102 - the class says it
        wanted = {_known(key): _plain(value) for key, value in named.items()}
        kept = [r for r in self._records if all(key_of(r, k) == v for k, v in wanted.items())]
        selection = Cells(kept, (*self._condition, *wanted.items()), self._root)
        if not kept:
            raise SelectionError(self._no_match(wanted))
        return selection

    def __iter__(self) -> Iterator["Cells"]:
        return map(self._only, self._records)

    def __len__(self) -> int:
        return len(self._records)

    def __str__(self) -> str:
        named = ", ".join(f"{key}={value!r}" for key, value in self._condition)
        return f"{self._root.name}({named})" if named else self._root.name

    def has(self, **named: str | int) -> bool:
        """Whether any record matches further keys."""
        wanted = {_known(key): _plain(value) for key, value in named.items()}
        return any(all(key_of(r, k) == v for k, v in wanted.items()) for r in self._records)

    def _no_match(self, wanted: dict[str, str | int]) -> str:
        hints, kept = [], self._records
        for key, value in wanted.items():
            present = _values(kept, key)
            matching = tuple(record for record in kept if key_of(record, key) == value)
            if not matching:
                hints.append(f"{key} is one of {_listed(present)}")
            kept = matching or kept
        told = "; ".join(hints)
        named = ", ".join(f"{key}={value!r}" for key, value in wanted.items())
        return f"{self} with {named} matches no record; {told}"

    @property
    def record(self) -> Record:
        """The one record that is left; SelectionError names what is still open."""
        if len(self._records) == 1:
            return self._records[0]
        if not self._records:
            raise SelectionError(f"{self} matches no record")
        open_keys = [
            f"{key} ({_listed(values)})"
            for key in KEYS
            if len(values := _values(self._records, key)) > 1
        ]
        raise SelectionError(
            f"{self} matches {len(self._records)} records; left open: {', '.join(open_keys)}"
        )

    @property
    def records(self) -> tuple[Record, ...]:
        """All selected records."""
        return self._records

    def fastest(self, rule: str = "any variant") -> "Cells":
        """The record with the shortest median latency under a named selection rule."""
        selected = selection_rule(rule)
        admitted = [record for record in self._records if selected.admits(record)]
        if not admitted:
            raise SelectionError(f"{self}: no record under the rule {rule!r}")
        return self._only(best_of(admitted))

    def each(self, key: str) -> list[tuple[DataText, "Cells"]]:
        """The selection split by one key, in the order of the records."""
        values = _values(self._records, _known(key))
        return [(DataText(value), self(**{key: value})) for value in values]

    def names(self, key: str) -> list[DataText]:
        """Values of one key, in the order of the records."""
        return [DataText(value) for value in _values(self._records, _known(key))]

    @property
    def count(self) -> Value:
        """How many records are selected."""
        return Value(self._counted(None), Unit.COUNT, f"records in {self}")

    def count_of(self, key: str) -> Value:
        """How many values one key takes among the selected records."""
        return Value(self._counted(_known(key)), Unit.COUNT, f"values of {key} in {self}")

    def _counted(self, key: str | None) -> Counted:
        condition, named = self._where()
        return Counted(self._records, self._records, condition, named, key)

    def _where(self) -> tuple[str, frozenset[str]]:
        """The selection as a condition of SQL, and the columns that it names."""
        told = [(name, value) for name, value in self._condition if value != ""]
        parts = [
            f"{name} = {value if isinstance(value, int) else sql.text(str(value))}"
            for name, value in told
        ]
        base = self._root.condition
        parts += [base] if base else []
        return " AND ".join(parts) or "true", self._root.named | {name for name, _ in told}

    @property
    def compute_bound(self) -> Value:
        """How many selected records lie right of the ridge."""
        condition, named = self._where()
        matching = tuple(r for r in self._records if q.has_roof(r) and q.is_compute_bound(r))
        ridge = "peak_flops_per_s / peak_bytes_per_s"
        roof = {"flops", "bytes", "peak_flops_per_s", "peak_bytes_per_s"}
        if any(q.ceilings_kind(r) is CeilingKind.MEASURED for r in self._records):
            ridge = f"coalesce({ridge}, measured_flops_per_s / measured_bytes_per_s)"
            roof |= {"measured_flops_per_s", "measured_bytes_per_s"}
        right = f"flops / bytes > {ridge}"
        counted = Counted(self._records, matching, f"{condition} AND {right}", named | roof)
        return Value(counted, Unit.COUNT, f"compute-bound records in {self}")

    def lowest(self, quantity: str) -> Value:
        """The smallest value of a quantity among the selected records."""
        return self._extreme(quantity, "min", "lowest")

    def highest(self, quantity: str) -> Value:
        """The largest value of a quantity among the selected records."""
        return self._extreme(quantity, "max", "highest")

    def _extreme(self, quantity: str, which: str, word: str) -> Value:
        values = self.values(quantity)
        condition, named = self._where()
        items = tuple(value.expression for value in values)
        if len({item.sql(inline=True) for item in items}) > 1:
            raise SelectionError(f"{self}: {quantity} is of several sources; narrow the selection")
        aggregate = Aggregate(which, items, condition, named)
        return Value(aggregate, values[0].unit, f"{word} {quantity} in {self}")

    def values(self, quantity: str) -> list[Value]:
        """A quantity of every selected record."""
        derive = derivation(quantity)
        return [derive(record) for record in self._records]

    def ranked(self, quantity: str) -> list["Cells"]:
        """The selected records one by one, from the largest value of a quantity to the smallest."""
        derive = derivation(quantity)
        order = sorted(self._records, key=lambda record: -derive(record).number)
        return [self._only(record) for record in order]

    def at_highest(self, quantity: str) -> "Cells":
        """The record with the largest value of a quantity."""
        return self.ranked(quantity)[0]

    def at_lowest(self, quantity: str) -> "Cells":
        """The record with the smallest value of a quantity."""
        return self.ranked(quantity)[-1]

    def _only(self, record: Record) -> "Cells":
        told = dict(self._condition) | {key: key_of(record, key) for key in KEYS}
        return Cells([record], tuple(told.items()), self._root)

    @property
    def batch_keys(self) -> list[int]:
        """Batch sizes of the selection as keys to narrow by, ascending."""
        return sorted({record.batch for record in self._records})

    @property
    def batches(self) -> list[Value]:
        """Batch sizes of the selection as values to print, ascending."""
        return [self(batch=batch).batch for batch in self.batch_keys]

    @property
    def between_rounds_measured(self) -> bool:
        """Whether every selected record has two rounds at least."""
        return between_rounds_measured(*self._records)

    @property
    def has_interval(self) -> bool:
        """Whether the samples of every selected record allow an interval."""
        return all(map(has_spread, self._records))

    @property
    def interval(self) -> Interval:
        """The 95 % interval of the one record's median latency: `low` and `high`."""
        return self._known_interval(latency_interval(self.record))

    @property
    def throughput_interval(self) -> Interval:
        """The 95 % interval of the one record's throughput: `low` and `high`."""
        return self._known_interval(throughput_interval(self.record))

    def _known_interval(self, found: Interval | None) -> Interval:
        if found is None:
            raise SelectionError(f"{self}: no interval without two timed samples")
        return found

    @property
    def source_file(self) -> DataText:
        """The file that all selected records were imported from."""
        told = {record.source.file for record in self._records if record.source}
        if len(told) != 1:
            raise SelectionError(f"{self}: source file is left open ({_listed(sorted(told))})")
        return DataText(told.pop())

    def __getattr__(self, name: str) -> Value | DataText:
        if name in NARROWING and name != "batch":
            return DataText(self._common(name))
        if name in QUANTITIES:
            return QUANTITIES[name](self.record)
        raise AttributeError(name)

    def _common(self, key: str) -> str:
        values = _values(self._records, key)
        if len(values) != 1:
            raise SelectionError(f"{self}: {key} is left open ({_listed(values)})")
        return str(values[0])

    @property
    def batch(self) -> Value:
        """The batch size that all selected records share."""
        self._common("batch")
        return q.batch_size(self._records[0])

    @property
    def device_text(self) -> DataText:
        """The device as the source named it."""
        told = list(dict.fromkeys(record.device_text for record in self._records))
        if len(told) != 1 or told[0] is None:
            raise SelectionError(f"{self}: device text is left open ({_listed(told)})")
        return DataText(told[0])

    @property
    def version(self) -> DataText:
        """The framework's version, which all selected records share."""
        told = list(dict.fromkeys(record.framework_version for record in self._records))
        if len(told) != 1 or told[0] is None:
            raise SelectionError(f"{self}: version is left open ({_listed(told)})")
        return DataText(told[0])

    @property
    def chip(self) -> DataText:
        """The chip that all selected records ran on."""
        told = list(dict.fromkeys(record.machine.chip for record in self._records))
        if len(told) != 1:
            raise SelectionError(f"{self}: chip is left open ({_listed(told)})")
        return DataText(told[0])

    @property
    def reasons(self) -> list[DataText]:
        """Why the selected records failed, were skipped or are unstable, each reason once."""
        told = (cell.reason for record in self._records for cell in record.cells if cell.reason)
        return [DataText(reason) for reason in dict.fromkeys(told)]

    def because(self, reason: str) -> list["Cells"]:
        """Records that carry a reason, one by one."""
        told = (r for r in self._records if any(cell.reason == reason for cell in r.cells))
        return [self._only(record) for record in told]

    def having(self, quantity: str) -> list["Cells"]:
        """Records that a quantity was measured of, one by one."""
        derive = derivation(quantity)
        return [self._only(record) for record in self._records if _has(record, derive)]

    @property
    def places(self) -> list[DataText]:
        """Where the selected records lie."""
        return [DataText(place) for record in self._records for place in record.places]


def _has(record: Record, derive: Callable[[Record], Value]) -> bool:
    try:
        return math.isfinite(derive(record).number)
    except SelectionError:
        return False


def selection_rule(name: str) -> SelectionRule:
    """A selection rule by its printed name."""
    try:
        return SelectionRule(name)
    except ValueError:
        raise SelectionError(
            f"no selection rule {name!r}; rules are {', '.join(SelectionRule)}"
        ) from None


def _known(key: str) -> str:
    if key not in NARROWING:
        raise SelectionError(f"no key {key!r}; keys are {', '.join(NARROWING)}")
    return key


def _plain(value: object) -> str | int:
    """A key's value: the batch of another selection is a Value, a number, or text."""
    if isinstance(value, Value):
        return int(value.number)
    return value if isinstance(value, int) else str(value)


def _values(records: Sequence[Record], key: str) -> list[str | int]:
    return list(dict.fromkeys(key_of(record, key) for record in records))


def _listed(values: Sequence[object], most: int = 8) -> str:
    shown = [str(value) for value in values[:most]]
    more = f" and {len(values) - most} more" if len(values) > most else ""
    return ", ".join(shown) + more
