"""A value: a number with its unit, the derivation that made it, and the records behind it."""

from collections.abc import Sequence

import msgspec

from benchproof.errors import SelectionError, UnitError
from benchproof.model.record import Record
from benchproof.values import units
from benchproof.values.expression import (
    Arithmetic,
    Comparison,
    Constant,
    Expression,
    Extreme,
    Sum,
)
from benchproof.values.recomputed import query_of
from benchproof.values.units import Unit


class Truth(msgspec.Struct, frozen=True):
    """Whether a comparison of values holds, with the sides that decide it."""

    expression: Comparison
    left: "Value"
    right: "Value"

    def __bool__(self) -> bool:
        return self.expression.holds

    @property
    def symbol(self) -> str:
        """The comparison's SQL operator."""
        return self.expression.symbol

    @property
    def query(self) -> str:
        """DuckDB query that gives 1 where the comparison holds and 0 where not."""
        return query_of(self.expression)


class Value(msgspec.Struct, frozen=True, eq=False):
    """A number in its base unit, with the expression over records that gives it."""

    expression: Expression
    unit: Unit
    derivation: str

    @property
    def number(self) -> float:
        """The number in its base unit."""
        return self.expression.number

    @property
    def records(self) -> tuple[Record, ...]:
        """Records the value stands on."""
        return self.expression.records

    def query(self, factor: float = 1.0) -> str:
        """DuckDB query that gives the number times `factor` from the raw JSON."""
        return query_of(self.expression, factor)

    def named(self, derivation: str) -> "Value":
        """The same value under the name of what it means."""
        return Value(self.expression, self.unit, derivation)

    def __truediv__(self, other: "Value") -> "Value":
        unit = units.quotient(self.unit, other.unit)
        if unit is None:
            raise UnitError(
                f"{self.derivation} / {other.derivation}: {self.unit} over {other.unit}"
            )
        return Value(
            Arithmetic(self.expression, "/", other.expression),
            unit,
            f"{self.derivation} / {other.derivation}",
        )

    def __sub__(self, other: "Value") -> "Value":
        unit = units.difference(self.unit, other.unit)
        if unit is None:
            raise UnitError(
                f"{self.derivation} - {other.derivation}: {self.unit} less {other.unit}"
            )
        return Value(
            Arithmetic(self.expression, "-", other.expression),
            unit,
            f"{self.derivation} - {other.derivation}",
        )

    def __lt__(self, other: "Value | float") -> Truth:
        return self._compare("<", other)

    def __le__(self, other: "Value | float") -> Truth:
        return self._compare("<=", other)

    def __gt__(self, other: "Value | float") -> Truth:
        return self._compare(">", other)

    def __ge__(self, other: "Value | float") -> Truth:
        return self._compare(">=", other)

    def __eq__(self, other: object) -> Truth:  # type: ignore[override]
        return self._compare("=", other)

    def __ne__(self, other: object) -> Truth:  # type: ignore[override]
        return self._compare("<>", other)

    def _compare(self, symbol: str, other: object) -> Truth:
        right = self._like(other)
        if right.unit is not self.unit:
            raise UnitError(
                f"{self.derivation} {symbol} {right.derivation}: {self.unit} against {right.unit}"
            )
        return Truth(Comparison(self.expression, symbol, right.expression), self, right)

    def _like(self, other: object) -> "Value":
        """Another value, or a bare number as a threshold in this value's unit."""
        if isinstance(other, Value):
            return other
        if isinstance(other, int | float) and not isinstance(other, bool):
            return Value(Constant(float(other)), self.unit, f"{other:g}")
        raise UnitError(f"{self.derivation} against {other!r}: not a value")


def ratio_of(above: Value, below: Value, derivation: str) -> Value:
    """A quotient under its own name."""
    return (above / below).named(derivation)


def percent_of(ratio: Value, derivation: str) -> Value:
    """A ratio as percent."""
    return Value(Arithmetic(ratio.expression, "*", Constant(100.0)), Unit.PERCENT, derivation)


def percent_change(old: Value, new: Value, derivation: str) -> Value:
    """How much `new` lies above `old`, in percent of `old`; both of one unit."""
    relative = (new - old).expression
    return percent_of(Value(Arithmetic(relative, "/", old.expression), Unit.RATIO, ""), derivation)


def extreme(values: Sequence[Value], which: str, derivation: str) -> Value:
    """The `least` or `greatest` of values of one unit."""
    if not values:
        raise SelectionError(f"{derivation}: no value to choose from")
    if len({value.unit for value in values}) > 1:
        raise UnitError(f"{derivation}: values of different units")
    chosen = Extreme(which, tuple(value.expression for value in values))
    return Value(chosen, values[0].unit, derivation)


def count_true(truths: Sequence[Truth], derivation: str) -> Value:
    """How many of the comparisons hold."""
    return Value(Sum(tuple(truth.expression for truth in truths)), Unit.COUNT, derivation)
