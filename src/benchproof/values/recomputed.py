"""Expressions that no SQL can give: bounds of intervals and p-values, recomputed from samples.

In a query each stands as a parameter, `$NAME`; numbers.json says how it is computed, and
`benchproof verify` does it from the raw files.
"""

import hashlib
from collections.abc import Sequence
from enum import StrEnum

import msgspec

from benchproof.evidence.intervals import (
    CONFIDENCE,
    METHOD,
    Estimate,
    adjusted,
    estimate_of,
)
from benchproof.evidence.levels import RESAMPLES
from benchproof.evidence.sampled import ratio_estimate, seed_of, spread_of
from benchproof.model.record import Place, Record
from benchproof.values import sql
from benchproof.values.expression import Composite, Expression


class What(StrEnum):
    """Which number of an estimate is meant; p-values are of a difference beyond the threshold."""

    ESTIMATE = "estimate"
    LOW = "low"
    HIGH = "high"
    P = "p"
    P_FASTER = "p-faster"
    P_SLOWER = "p-slower"


class Sampled(msgspec.Struct, frozen=True):
    """One record of a recomputation: where its rounds lie, and the seed of its resamples."""

    seed: int
    rounds: tuple[Place, ...]


class Recomputation(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a number is computed from samples: one record's latency, or the first over the second.

    `gives` names the estimate itself, an end of its interval, or the p-value of a difference
    beyond `threshold_percent`. Latencies are in seconds.
    """

    method: str
    gives: What
    confidence: float
    resamples: int
    of: tuple[Sampled, ...]
    threshold_percent: float | None = None

    @property
    def name(self) -> str:
        """The parameter that stands for the number in queries; equal recomputations share it."""
        digest = hashlib.sha256(msgspec.json.encode(self)).hexdigest()
        return f"{self.gives.value.replace('-', '_')}_{digest[:10]}"

    def __str__(self) -> str:
        """What a reader is told of it, on one line."""
        sides = " over ".join(
            f"[{', '.join(map(str, one.rounds))}; seed {one.seed}]" for one in self.of
        )
        beyond = "" if self.threshold_percent is None else f" beyond {self.threshold_percent:g} %"
        return f"{self.gives}{beyond} by {self.method}, {self.resamples} resamples, of {sides}"


def compute(told: Recomputation, records: Sequence[Record]) -> float:
    """The number that a recomputation asks for, from the samples of its records."""
    if told.gives is What.ESTIMATE:
        medians = [spread_of(record).median_s for record in records]
        return medians[0] if len(medians) == 1 else medians[0] / medians[1]
    one = len(records) == 1
    estimate = estimate_of(spread_of(records[0])) if one else ratio_estimate(*records)
    return _pick(estimate, told.gives, told.threshold_percent or 0.0)


def _pick(estimate: Estimate, what: What, threshold_percent: float) -> float:
    if what in (What.LOW, What.HIGH):
        return getattr(estimate.bounds, what.value)  # type: ignore[no-any-return]
    above = estimate.p_above(threshold_percent)
    below = estimate.reversed.p_above(threshold_percent)
    return {What.P: min(above, below), What.P_FASTER: above, What.P_SLOWER: below}[what]


class Recomputed(msgspec.Struct, frozen=True):
    """A bound or a p-value of one record's latency, or of the ratio of two."""

    told: Recomputation
    of: tuple[Record, ...]
    number: float

    @property
    def records(self) -> tuple[Record, ...]:
        """Records it stands on."""
        return self.of

    @property
    def fields(self) -> frozenset[str]:
        """No column: it is no part of any table."""
        return frozenset()

    def sql(self, *, inline: bool = False) -> str:
        """Its parameter."""
        del inline
        return f"${self.told.name}"


def recomputed(
    what: What, of: tuple[Record, ...], threshold_percent: float | None = None
) -> Recomputed:
    """The expression of one number of an estimate, with its value."""
    told = Recomputation(
        method=METHOD,
        gives=what,
        confidence=CONFIDENCE,
        resamples=RESAMPLES,
        of=tuple(Sampled(seed_of(record), record.places) for record in of),
        threshold_percent=threshold_percent,
    )
    return Recomputed(told, of, compute(told, of))


class Family(msgspec.Struct, frozen=True):
    """P-values that are judged together; `numbers` are their adjusted values, in step."""

    parts: tuple[Recomputed, ...]
    numbers: tuple[float, ...]

    @property
    def name(self) -> str:
        """The column of a query that lists the adjusted p-values; equal families share it."""
        told = "/".join(part.told.name for part in self.parts)
        return f"adjusted_{hashlib.sha256(told.encode()).hexdigest()[:6]}"

    def table(self) -> str:
        """The query's table with that one column and one row: Benjamini and Hochberg's steps."""
        listed = (f"({at}, {part.sql()}::DOUBLE)" for at, part in enumerate(self.parts, start=1))
        ranked = (
            f"SELECT i, p, count(*) OVER (ORDER BY p) AS rank FROM (VALUES {', '.join(listed)})"
        )
        step = f"min({len(self.parts)} * p / rank) OVER (ORDER BY p DESC)"
        steps = f"SELECT i, least(1, {step}) AS q FROM ({ranked} AS t(i, p))"
        return f"(SELECT list(q ORDER BY i) AS {self.name} FROM ({steps}))"


def family_of(parts: Sequence[Recomputed]) -> Family:
    """P-values with their adjusted values, each of which depends on all."""
    return Family(tuple(parts), tuple(adjusted([part.number for part in parts])))


class Adjusted(msgspec.Struct, frozen=True):
    """One p-value of a family, adjusted for the others (Benjamini and Hochberg)."""

    family: Family
    index: int

    @property
    def number(self) -> float:
        """The adjusted p-value."""
        return self.family.numbers[self.index]

    @property
    def records(self) -> tuple[Record, ...]:
        """Records of its own comparison; the others only count."""
        return self.family.parts[self.index].records

    @property
    def fields(self) -> frozenset[str]:
        """No column of `record`."""
        return frozenset()

    def sql(self, *, inline: bool = False) -> str:
        """Its place in the family's list: a query names the family once, however often it asks."""
        del inline
        return f"{self.family.name}[{self.index + 1}]"


def families_in(expression: Expression) -> tuple[Family, ...]:
    """The families of every adjusted p-value in an expression, each once."""
    if isinstance(expression, Adjusted):
        return (expression.family,)
    parts = expression.parts if isinstance(expression, Composite) else ()
    found = {family.name: family for part in parts for family in families_in(part)}
    return tuple(found.values())


def query_of(expression: Expression, factor: float = 1.0) -> str:
    """DuckDB query that gives an expression's number times `factor`."""
    asked = expression.sql()
    scaled = asked if factor == 1.0 else f"{sql.number(factor)} * {asked}"
    tables = [family.table() for family in families_in(expression)]
    return sql.query(scaled, expression.records, expression.fields, tables)


def recomputed_in(expression: Expression) -> tuple[Recomputed, ...]:
    """Every recomputed number that an expression's query names, each once."""
    if isinstance(expression, Recomputed):
        return (expression,)
    if isinstance(expression, Adjusted):
        return tuple(dict.fromkeys(expression.family.parts))
    if isinstance(expression, Composite):
        return tuple(dict.fromkeys(one for part in expression.parts for one in recomputed_in(part)))
    return ()
