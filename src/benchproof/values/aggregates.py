"""Expressions over many rows of the raw files: extremes and counts of a selection."""

from collections.abc import Callable

import msgspec

from benchproof.model.record import Record
from benchproof.records import sampling
from benchproof.values import sql
from benchproof.values.expression import Composite, Expression, Known, Sum, of_a_row


class Aggregate(Composite, frozen=True):
    """The smallest or largest value that one derivation takes over the rows of a selection.

    `items` are the derivation of each selected record; `condition` selects their rows, and
    `named` are the columns that it reads. `beside` are records that only the query has to read,
    to leave them out.
    """

    which: str
    items: tuple[Expression, ...]
    condition: str
    named: frozenset[str]
    beside: tuple[Record, ...] = ()

    @property
    def parts(self) -> tuple[Expression, ...]:
        return self.items

    @property
    def records(self) -> tuple[Record, ...]:
        found = (*(record for item in self.items for record in item.records), *self.beside)
        return tuple({id(record): record for record in found}.values())

    @property
    def number(self) -> float:
        pick = min if self.which == "min" else max
        return pick(item.number for item in self.items)

    @property
    def fields(self) -> frozenset[str]:
        return self.named | self.items[0].fields

    def sql(self, *, inline: bool = False) -> str:
        del inline  # a subquery of its own either way
        inner = self.items[0].sql(inline=True)
        return f"(SELECT {self.which}({inner}) FROM record WHERE {self.condition})"


class Counted(msgspec.Struct, frozen=True):
    """How many records meet a condition, or how many values of one key those have.

    `read` are the records whose files the query reads, `matching` those that meet the condition;
    `named` are the columns that the condition reads.
    """

    read: tuple[Record, ...]
    matching: tuple[Record, ...]
    condition: str
    named: frozenset[str]
    key: str | None = None

    @property
    def number(self) -> float:
        if self.key is None:
            return float(len(self.matching))
        named = {key_of(record, self.key) for record in self.matching}
        return float(len(named - {""}))  # what has no scale takes no value, here as in SQL

    @property
    def records(self) -> tuple[Record, ...]:
        return self.read

    @property
    def fields(self) -> frozenset[str]:
        return self.named | ({self.key} if self.key else frozenset())

    def sql(self, *, inline: bool = False) -> str:
        del inline  # a subquery of its own either way
        what = "*" if self.key is None else f"DISTINCT {self.key}"
        return f"(SELECT count({what}) FROM record WHERE {self.condition})"


class Measured(Composite, frozen=True):
    """How many of some expressions the raw files give a number for: all of them."""

    items: tuple[Expression, ...]

    @property
    def number(self) -> float:
        return Sum(tuple(map(Known, self.items))).number

    def sql(self, *, inline: bool = False) -> str:
        inner = of_a_row(self.items)
        if inner is None or len(self.records) < len(self.items):
            return Sum(tuple(map(Known, self.items))).sql(inline=inline)
        return f"(SELECT count({inner}) FROM record WHERE {sql.among(self.records)})"


class OfMeans(msgspec.Struct, frozen=True):
    """What the means of some records say about their number of samples (gate 7)."""

    matching: tuple[Record, ...]

    @property
    def records(self) -> tuple[Record, ...]:
        return self.matching

    @property
    def fields(self) -> frozenset[str]:
        return frozenset({"mean_ns"})


class SampleCount(OfMeans, frozen=True):
    """The smallest n for which every mean times n is a whole number of nanoseconds."""

    samples: int

    @property
    def number(self) -> float:
        return float(self.samples)

    def sql(self, *, inline: bool = False) -> str:
        del inline  # a subquery of its own either way
        error = _mean_error("n")
        whole = f"abs(mean_ns * n - round(mean_ns * n)) <= {error}"
        fits = (
            f"(SELECT bool_and({whole}) FROM record WHERE {error} <= {sampling.LARGEST_RESOLVED})"
        )
        return f"(SELECT min(n) FROM range(2, {sampling.MAX_SAMPLES + 1}) AS t(n) WHERE {fits})"


def _mean_error(samples: str) -> str:
    return f"2 * {sampling.RELATIVE_ERROR:g} * mean_ns * {samples} + 1e-6"


class FittingMeans(OfMeans, frozen=True):
    """How many means, times a given n, are a whole number of nanoseconds."""

    samples: int
    fitting: int

    @property
    def number(self) -> float:
        return float(self.fitting)

    def sql(self, *, inline: bool = False) -> str:
        del inline  # a subquery of its own either way
        product = f"mean_ns * {self.samples}"
        error = _mean_error(str(self.samples))
        resolved = f"{error} <= {sampling.LARGEST_RESOLVED}"
        whole = f"abs({product} - round({product})) <= {error}"
        return f"(SELECT count(*) FROM record WHERE {resolved} AND {whole})"


_KEYS: dict[str, Callable[[Record], str | int]] = {
    "device": lambda r: r.requested.value,
    "framework": lambda r: r.framework.value,
    "model": lambda r: r.workload.model,
    "variant": lambda r: r.cells[0].variant,
    "kind": lambda r: r.cells[0].kind.value,
    "batch": lambda r: r.cells[0].batch,
    "precision": lambda r: r.cells[0].precision.value,
    "task": lambda r: r.workload.task.value,
    "scale": lambda r: r.workload.scale or "",
    "status": lambda r: r.status.value,
}


def key_of(record: Record, key: str) -> str | int:
    """A record's value of one key, as the `record` table of a query names it."""
    return _KEYS[key](record)
