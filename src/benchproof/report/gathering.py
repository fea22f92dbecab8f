"""What a template can say of several records at once: how many, the extremes, the order."""

import math
from collections.abc import Callable
from typing import Self

from benchproof.derive import quantities as q
from benchproof.derive.contests import best_of
from benchproof.errors import SelectionError
from benchproof.model.keys import CeilingKind
from benchproof.model.record import Record
from benchproof.records.gates import SelectionRule
from benchproof.report.narrowing import Narrowed, known_key
from benchproof.report.quantities import derivation
from benchproof.values.aggregates import Aggregate, Counted
from benchproof.values.units import Unit
from benchproof.values.value import Value


class Gathered(Narrowed):
    """A selection as a whole: what a query gives of all its rows, and its records in order."""

    @property
    def count(self) -> Value:
        """How many records are selected."""
        return Value(self._counted(None), Unit.COUNT, f"records in {self}")

    def count_of(self, key: str) -> Value:
        """How many values one key takes among the selected records."""
        return Value(self._counted(known_key(key)), Unit.COUNT, f"values of {key} in {self}")

    def _counted(self, key: str | None) -> Counted:
        rows = self._rows()
        read = self._records + rows.beside
        return Counted(read, self._records, rows.condition, rows.named, key)

    @property
    def compute_bound(self) -> Value:
        """How many selected records lie right of the ridge."""
        rows = self._rows()
        matching = tuple(r for r in self._records if q.has_roof(r) and q.is_compute_bound(r))
        ridge = "peak_flops_per_s / peak_bytes_per_s"
        roof = {"flops", "bytes", "peak_flops_per_s", "peak_bytes_per_s"}
        if any(q.ceilings_kind(r) is CeilingKind.MEASURED for r in self._records):
            ridge = f"coalesce({ridge}, measured_flops_per_s / measured_bytes_per_s)"
            roof |= {"measured_flops_per_s", "measured_bytes_per_s"}
        right = f"{rows.condition} AND flops / bytes > {ridge}"
        counted = Counted(self._records + rows.beside, matching, right, rows.named | roof)
        return Value(counted, Unit.COUNT, f"compute-bound records in {self}")

    def lowest(self, quantity: str) -> Value:
        """The smallest value of a quantity among the selected records."""
        return self._extreme(quantity, "min", "lowest")

    def highest(self, quantity: str) -> Value:
        """The largest value of a quantity among the selected records."""
        return self._extreme(quantity, "max", "highest")

    def _extreme(self, quantity: str, which: str, word: str) -> Value:
        values = self.values(quantity)
        rows = self._rows()
        items = tuple(value.expression for value in values)
        if len({item.sql(inline=True) for item in items}) > 1:
            raise SelectionError(f"{self}: {quantity} is of several sources; narrow the selection")
        aggregate = Aggregate(which, items, rows.condition, rows.named, rows.beside)
        return Value(aggregate, values[0].unit, f"{word} {quantity} in {self}")

    def values(self, quantity: str) -> list[Value]:
        """A quantity of every selected record, of one at least."""
        derive = derivation(quantity)
        return [derive(record) for record in self._some]

    def having(self, quantity: str) -> list[Self]:
        """Records that a quantity was measured of, one by one."""
        derive = derivation(quantity)
        return [self._only(record) for record in self._records if _is_known(derive, record)]

    def ranked(self, quantity: str) -> list[Self]:
        """The selected records one by one, from the largest value of a quantity to the smallest."""
        derive = derivation(quantity)
        order = sorted(self._some, key=lambda record: -derive(record).number)
        return [self._only(record) for record in order]

    def at_highest(self, quantity: str) -> Self:
        """The record with the largest value of a quantity."""
        return self.ranked(quantity)[0]

    def at_lowest(self, quantity: str) -> Self:
        """The record with the smallest value of a quantity."""
        return self.ranked(quantity)[-1]

    def fastest(self, rule: str = "any variant") -> Self:
        """The record with the shortest median latency under a named selection rule."""
        selected = selection_rule(rule)
        admitted = [record for record in self._records if selected.admits(record)]
        if not admitted:
            raise SelectionError(f"{self}: no record under the rule {rule!r}")
        return self._only(best_of(admitted))


def selection_rule(name: str) -> SelectionRule:
    """A selection rule by its printed name."""
    try:
        return SelectionRule(name)
    except ValueError:
        raise SelectionError(
            f"no selection rule {name!r}; rules are {', '.join(SelectionRule)}"
        ) from None


def _is_known(derive: Callable[[Record], Value], record: Record) -> bool:
    """Whether what a quantity is derived from was measured."""
    try:
        return math.isfinite(derive(record).number)
    except SelectionError:
        return False
