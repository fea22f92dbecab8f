"""Expressions over records: each gives its number, its SQL, and what it stands on.

The number is computed here from the record types; the SQL computes it again from the raw JSON.
Neither is made from the other, so that a test can hold them against each other.
"""

import math
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

    def sql(self, *, inline: bool = False) -> str:
        """A scalar SQL expression over the `record` table of `sql.query`.

        Inline it names the columns of one row, for aggregates over many rows.
        """


class Composite(msgspec.Struct, frozen=True):
    """An expression made of others: it stands on their records and reads their columns."""

    @property
    def parts(self) -> tuple[Expression, ...]:
        """The expressions among the fields, in their order."""
        fields = (getattr(self, name) for name in self.__struct_fields__)
        each = (part for f in fields for part in (f if isinstance(f, tuple) else (f,)))
        return tuple(part for part in each if not isinstance(part, str))

    @property
    def records(self) -> tuple[Record, ...]:
        """Records of all parts, each once, in their order."""
        found = {id(record): record for part in self.parts for record in part.records}
        return tuple(found.values())

    @property
    def fields(self) -> frozenset[str]:
        """Columns of all parts."""
        return frozenset().union(*(part.fields for part in self.parts))


_GETTERS: dict[str, Callable[[Record], float | None]] = {
    "median_s": lambda r: r.median_s,
    "mean_s": lambda r: r.mean_s,
    "stddev_s": lambda r: r.stddev_s,
    "p95_s": lambda r: r.p95_s,
    "first_call_s": lambda r: r.first_call_s,
    "device_median_s": lambda r: r.device_median_s,
    "flops": lambda r: r.cell.flops_per_call,
    "bytes": lambda r: r.cell.bytes_per_call,
    "parameter_bytes": lambda r: r.cell.parameter_bytes,
    "parameters": lambda r: r.cell.parameter_count,
    "peak_memory_bytes": lambda r: r.cell.peak_memory_bytes,
    "batch": lambda r: r.batch,
    "rounds": lambda r: sum(map(bool, r.rounds_ns)) or None,
    "samples": lambda r: len(r.samples_ns) or None,
    "between_rounds": lambda r: r.between_rounds,
    "peak_flops_per_s": lambda r: _limit(r, CeilingQuantity.FLOPS_PER_S, CeilingKind.DATASHEET),
    "peak_bytes_per_s": lambda r: _limit(r, CeilingQuantity.BYTES_PER_S, CeilingKind.DATASHEET),
    "measured_flops_per_s": lambda r: _limit(r, CeilingQuantity.FLOPS_PER_S, CeilingKind.MEASURED),
    "measured_bytes_per_s": lambda r: _limit(r, CeilingQuantity.BYTES_PER_S, CeilingKind.MEASURED),
    "cores": lambda r: r.machine.cores,
    "memory_bytes": lambda r: r.machine.memory_bytes,
    "threads": lambda r: r.protocol.threads,
    "least_warmup": lambda r: r.protocol.warmup,
    "least_samples": lambda r: r.protocol.samples,
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
            told, why = self.record, "; ".join(self.record.reasons)
            ended = "" if told.is_timed else f"; {told.status}: {why}"
            raise SelectionError(f"{told.places[0]}: {told.name}: no {self.name}{ended}")
        return float(number)

    @property
    def records(self) -> tuple[Record, ...]:
        return (self.record,)

    @property
    def fields(self) -> frozenset[str]:
        return frozenset({self.name})

    def sql(self, *, inline: bool = False) -> str:
        return self.name if inline else sql.scalar(self.record, self.name)


_OPERATIONS: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}


class Arithmetic(Composite, frozen=True):
    """Two expressions joined by `+`, `-`, `*` or `/`."""

    left: Expression
    symbol: str
    right: Expression

    @property
    def number(self) -> float:
        return _OPERATIONS[self.symbol](self.left.number, self.right.number)

    def sql(self, *, inline: bool = False) -> str:
        return f"({self.left.sql(inline=inline)} {self.symbol} {self.right.sql(inline=inline)})"


class Constant(msgspec.Struct, frozen=True):
    """A number that belongs to a definition, such as the 100 of a percentage."""

    number: float

    @property
    def records(self) -> tuple[Record, ...]:
        return ()

    @property
    def fields(self) -> frozenset[str]:
        return frozenset()

    def sql(self, *, inline: bool = False) -> str:
        del inline
        return sql.number(self.number)


class RoundedUp(Composite, frozen=True):
    """The smallest whole number that is not below an expression: a number of calls, of rounds."""

    of: Expression

    @property
    def number(self) -> float:
        return float(math.ceil(self.of.number))

    def sql(self, *, inline: bool = False) -> str:
        return f"ceil({self.of.sql(inline=inline)})"


class Extreme(Composite, frozen=True):
    """The `least` or the `greatest` of several expressions, by their SQL names."""

    which: str
    items: tuple[Expression, ...]

    @property
    def number(self) -> float:
        pick = min if self.which == "least" else max
        return pick(item.number for item in self.items)

    def sql(self, *, inline: bool = False) -> str:
        inner = of_a_row(self.items) if len(self.items) > MANY else None
        if inner is not None:
            pick = "min" if self.which == "least" else "max"
            return f"(SELECT {pick}({inner}) FROM record WHERE {sql.among(self.records)})"
        return f"{self.which}({', '.join(item.sql(inline=inline) for item in self.items)})"


# More subqueries than this, one for each number that is read, take a database seconds to plan.
MANY = 32


def of_a_row(items: Sequence[Expression]) -> str | None:
    """The SQL that gives each item from the row of its own record, where one does for all.

    None where items are derived in different ways, or where one stands on several records.
    """
    alone = all(len(item.records) == 1 for item in items)
    derived = {item.sql(inline=True) for item in items} if alone else set()
    return derived.pop() if len(derived) == 1 else None


_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "<>": operator.ne,
}


class Comparison(Composite, frozen=True):
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

    def sql(self, *, inline: bool = False) -> str:
        return (
            f"({self.left.sql(inline=inline)} {self.symbol} {self.right.sql(inline=inline)})::INT"
        )


class Known(Composite, frozen=True):
    """Whether the raw files hold what an expression stands on; its number is 1."""

    of: Expression

    @property
    def number(self) -> float:
        return float(math.isfinite(self.of.number))

    def sql(self, *, inline: bool = False) -> str:
        return f"({self.of.sql(inline=inline)} IS NOT NULL)::INT"


_DEEPEST = 200  # terms of a sum nest, and DuckDB refuses what nests a thousand deep


class Sum(Composite, frozen=True):
    """The sum of several expressions; of comparisons, how many of them hold."""

    items: tuple[Expression, ...]

    @property
    def number(self) -> float:
        return float(sum(item.number for item in self.items))

    def sql(self, *, inline: bool = False) -> str:
        parts = [item.sql(inline=inline) for item in self.items]
        if len(parts) > _DEEPEST:
            return f"list_sum([{', '.join(parts)}])"
        return " + ".join(parts) or "0"
