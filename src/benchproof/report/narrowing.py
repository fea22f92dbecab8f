"""How a template comes to the records that it means: narrowed by key until one record is left."""

from collections.abc import Iterator, Sequence
from typing import Self

from benchproof.errors import SelectionError
from benchproof.model.record import Record
from benchproof.report.condition import Narrowing, Root, Rows, rows_of
from benchproof.report.text import DataText
from benchproof.values.aggregates import key_of
from benchproof.values.value import Value

KEYS = (
    "device", "framework", "model", "variant", "kind", "batch", "precision", "task", "scale",
)  # fmt: skip
NARROWING = (*KEYS, "status")  # a status is no part of a cell's key


class Narrowed:
    """Records that match what has been named so far; narrowing gives a new selection."""

    def __init__(
        self,
        records: Sequence[Record],
        narrowing: Narrowing = (),
        root: Root | None = None,
    ) -> None:
        self._records = tuple(records)
        self._narrowing = narrowing
        self._root = root or Root("cells")

    def __call__(self, **named: str | int) -> Self:  # noqa: D102 - the class says it
        return self._narrowed({known_key(key): _plain(value) for key, value in named.items()})

    def _narrowed(self, wanted: dict[str, str | int]) -> Self:
        kept = [r for r in self._records if all(key_of(r, k) == v for k, v in wanted.items())]
        if not kept:
            raise SelectionError(self._no_match(wanted))
        return type(self)(kept, (*self._narrowing, *wanted.items()), self._root)

    def __iter__(self) -> Iterator[Self]:
        return map(self._only, self._records)

    def __len__(self) -> int:
        return len(self._records)

    def __str__(self) -> str:
        named = ", ".join(f"{key}={value!r}" for key, value in self._narrowing)
        return f"{self._root.name}({named})" if named else self._root.name

    def has(self, **named: str | int) -> bool:
        """Whether any record matches further keys."""
        wanted = {known_key(key): _plain(value) for key, value in named.items()}
        return any(all(key_of(r, k) == v for k, v in wanted.items()) for r in self._records)

    def _no_match(self, wanted: dict[str, str | int]) -> str:
        if not self._records:
            return f"{self} holds no record"
        hints, kept = [], self._records
        for key, value in wanted.items():
            present = _values(kept, key)
            matching = tuple(record for record in kept if key_of(record, key) == value)
            if not matching:
                hints.append(f"{key} is one of {listed(present)}")
            kept = matching or kept
        told = "; ".join(hints)
        named = ", ".join(f"{key}={value!r}" for key, value in wanted.items())
        return f"{self} with {named} matches no record; {told}"

    @property
    def record(self) -> Record:
        """The one record that is left; SelectionError names what is still open."""
        if len(self._some) == 1:
            return self._records[0]
        open_keys = [
            f"{key} ({listed(values)})"
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

    @property
    def _some(self) -> tuple[Record, ...]:
        """The selected records; SelectionError where there are none, as in a study without any."""
        if not self._records:
            raise SelectionError(f"{self} matches no record")
        return self._records

    def each(self, key: str) -> list[tuple[DataText, Self]]:
        """The selection split by one key, in the order of the records."""
        values = _values(self._records, known_key(key))
        return [(DataText(value), self._narrowed({key: value})) for value in values]

    def names(self, key: str) -> list[DataText]:
        """Values of one key, in the order of the records."""
        return [DataText(value) for value in _values(self._records, known_key(key))]

    def _only(self, record: Record) -> Self:
        told = dict(self._narrowing) | {key: key_of(record, key) for key in KEYS}
        return type(self)([record], tuple(told.items()), self._root)

    def _common(self, key: str) -> str:
        values = _values(self._some, key)
        if len(values) != 1:
            raise SelectionError(f"{self}: {key} is left open ({listed(values)})")
        return str(values[0])

    def _rows(self) -> Rows:
        """The selection as rows of the raw files."""
        return rows_of(self._records, self._narrowing, self._root)


def known_key(key: str) -> str:
    """A key that selections are narrowed by; SelectionError where there is none of that name."""
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


def listed(values: Sequence[object], most: int = 8) -> str:
    """Some values as a list in an error: the first, and how many more there are."""
    shown = [str(value) for value in values[:most]]
    more = f" and {len(values) - most} more" if len(values) > most else ""
    return ", ".join(shown) + more
