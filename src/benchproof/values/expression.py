"""Expressions over records: each gives its number, its SQL, and what it stands on.

The number is computed here from the record types; the SQL computes it again from the raw JSON.
Neither is made from the other, so that a test can hold them against each other.
"""

import operator
from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec

from benchproof.errors import SelectionError
from benchproof.model.keys import CeilingKind, CeilingQuantity
from benchproof.model.record import Record
from benchproof.values import sql


class Expression(Protocol):
    """Anything that gives a number and the SQL expression for it."""

    @property
    def number(self) -> float:
        """The number in its base unit."""

    @property
    def records(self) -> tuple[Record, ...]:
        """Records it stands on."""

    @property
    def fields(self) -> frozenset[str]:
        """Columns of `record` that its SQL names."""

    def sql(self) -> str:
        """A scalar SQL expression over the `record` table of `sql.query`."""

    def inline(self) -> str:
        """The same in terms of one row's columns, for aggregates over rows of `record`."""


_GETTERS: dict[str, Callable[[Record], float | None]] = {
    "median_s": lambda r: r.median_s,
    "mean_s": lambda r: r.mean_s,
    "stddev_s": lambda r: r.stddev_s,
    "p95_s": lambda r: r.p95_s,
    "flops": lambda r: r.cell.flops_per_call,
    "bytes": lambda r: r.cell.bytes_per_call,
    "parameter_bytes": lambda r: r.cell.parameter_bytes,
    "parameters": lambda r: r.cell.parameter_count,
    "peak_memory_bytes": lambda r: r.cell.peak_memory_bytes,
    "batch": lambda r: r.batch,
    "peak_flops_per_s": lambda r: _limit(r, CeilingQuantity.FLOPS_PER_S, CeilingKind.DATASHEET),
    "peak_bytes_per_s": lambda r: _limit(r, CeilingQuantity.BYTES_PER_S, CeilingKind.DATASHEET),
    "measured_flops_per_s": lambda r: _limit(r, CeilingQuantity.FLOPS_PER_S, CeilingKind.MEASURED),
    "measured_bytes_per_s": lambda r: _limit(r, CeilingQuantity.BYTES_PER_S, CeilingKind.MEASURED),
}


def _limit(record: Record, quantity: CeilingQuantity, kind: CeilingKind) -> float | None:
    ceiling = record.ceiling(quantity, kind)
    return None if ceiling is None else ceiling.value


def has_field(record: Record, field: str) -> bool:
    """Whether the record holds the field at all."""
    return _GETTERS[field](record) is not None


class Field(msgspec.Struct, frozen=True):
    """One field of one record, in its base unit; SelectionError where it was not measured."""

    record: Record
    name: str

    @property
    def number(self) -> float:
        number = _GETTERS[self.name](self.record)
        if number is None:
            raise SelectionError(f"{self.record.places[0]}: {self.record.name}: no {self.name}")
        return float(number)

    @property
    def records(self) -> tuple[Record, ...]:
        return (self.record,)

    @property
    def fields(self) -> frozenset[str]:
        return frozenset({self.name})

    def sql(self) -> str:
        return sql.scalar(self.record, self.name)

    def inline(self) -> str:
        return self.name


_OPERATIONS: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}


class Arithmetic(msgspec.Struct, frozen=True):
    """Two expressions joined by `+`, `-`, `*` or `/`."""

    left: Expression
    symbol: str
    right: Expression

    @property
    def number(self) -> float:
        return _OPERATIONS[self.symbol](self.left.number, self.right.number)

    @property
    def records(self) -> tuple[Record, ...]:
        return union((self.left, self.right))

    @property
    def fields(self) -> frozenset[str]:
        return self.left.fields | self.right.fields

    def sql(self) -> str:
        return f"({self.left.sql()} {self.symbol} {self.right.sql()})"

    def inline(self) -> str:
        return f"({self.left.inline()} {self.symbol} {self.right.inline()})"


class Constant(msgspec.Struct, frozen=True):
    """A number that belongs to a definition, such as the 100 of a percentage."""

    number: float

    @property
    def records(self) -> tuple[Record, ...]:
        return ()

    @property
    def fields(self) -> frozenset[str]:
        return frozenset()

    def sql(self) -> str:
        return sql.number(self.number)

    def inline(self) -> str:
        return self.sql()


class Extreme(msgspec.Struct, frozen=True):
    """The `least` or the `greatest` of several expressions, by their SQL names."""

    which: str
    items: tuple[Expression, ...]

    @property
    def number(self) -> float:
        pick = min if self.which == "least" else max
        return pick(item.number for item in self.items)

    @property
    def records(self) -> tuple[Record, ...]:
        return union(self.items)

    @property
    def fields(self) -> frozenset[str]:
        return frozenset().union(*(item.fields for item in self.items))

    def sql(self) -> str:
        return f"{self.which}({', '.join(item.sql() for item in self.items)})"

    def inline(self) -> str:
        return f"{self.which}({', '.join(item.inline() for item in self.items)})"


_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "<>": operator.ne,
}


class Comparison(msgspec.Struct, frozen=True):
    """Whether two expressions stand in an order; its number is 1 or 0."""

    left: Expression
    symbol: str
    right: Expression

    @property
    def holds(self) -> bool:
        """Whether the comparison is true."""
        return _COMPARISONS[self.symbol](self.left.number, self.right.number)

    @property
    def number(self) -> float:
        return float(self.holds)

    @property
    def records(self) -> tuple[Record, ...]:
        return union((self.left, self.right))

    @property
    def fields(self) -> frozenset[str]:
        return self.left.fields | self.right.fields

    def sql(self) -> str:
        return f"({self.left.sql()} {self.symbol} {self.right.sql()})::INT"

    def inline(self) -> str:
        return f"({self.left.inline()} {self.symbol} {self.right.inline()})::INT"


class Sum(msgspec.Struct, frozen=True):
    """The sum of several expressions; of comparisons, how many of them hold."""

    items: tuple[Expression, ...]

    @property
    def number(self) -> float:
        return float(sum(item.number for item in self.items))

    @property
    def records(self) -> tuple[Record, ...]:
        return union(self.items)

    @property
    def fields(self) -> frozenset[str]:
        return frozenset().union(*(item.fields for item in self.items))

    def sql(self) -> str:
        return " + ".join(item.sql() for item in self.items) or "0"

    def inline(self) -> str:
        return " + ".join(item.inline() for item in self.items) or "0"


def union(items: Sequence[Expression]) -> tuple[Record, ...]:
    """Records of several expressions, each once, in their order."""
    seen: dict[int, Record] = {}
    for item in items:
        for record in item.records:
            seen.setdefault(id(record), record)
    return tuple(seen.values())
