"""Facts by their keys: which of them a set of constraints leaves, runs of one thing together."""

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from statistics import fmean, median

from benchproof.audit.facts.fact import Dimension, Fact, Telemetry
from benchproof.records.gates import ran_elsewhere

Value = str | int | float
Limits = Mapping[str, frozenset[Value]]


class Group:
    """Facts of one key, repeats apart: one row, or the runs of one thing."""

    __slots__ = ("facts", "keys")

    def __init__(self, keys: Mapping[str, Value], facts: Sequence[Fact]) -> None:
        self.keys = keys
        self.facts = facts

    @property
    def places(self) -> tuple[str, ...]:
        """Where its facts lie."""
        return tuple(fact.place for fact in self.facts)

    @property
    def ran_elsewhere(self) -> bool:
        """Whether a record of it ran on another device than the one it was asked for."""
        return any(fact.record is not None and ran_elsewhere(fact.record) for fact in self.facts)

    def value(self, measure: str, statistic: str = "") -> float | None:
        """The value of a measure in base units; of several runs their statistic, else the mean."""
        told = [fact.values[measure] for fact in self.facts if measure in fact.values]
        if not told:
            return None
        if len(told) == 1:
            return told[0]
        return _over_runs(told, statistic)

    def measures(self) -> Iterable[str]:
        """The measures that any of its facts has."""
        return dict.fromkeys(name for fact in self.facts for name in fact.values)


def _over_runs(values: Sequence[float], statistic: str) -> float:
    if statistic == "median":
        return median(values)
    if statistic in ("min", "max"):
        return min(values) if statistic == "min" else max(values)
    return fmean(values)


class Cube:
    """All groups of an audit, found by what their keys have to be."""

    def __init__(self, telemetry: Telemetry) -> None:
        self.telemetry = telemetry
        by_key: dict[tuple[tuple[str, Value], ...], list[Fact]] = {}
        for fact in telemetry.facts:
            keys = tuple((k, v) for k, v in fact.keys.items() if k not in telemetry.repeats)
            by_key.setdefault(keys, []).append(fact)
        self.groups = [Group(dict(keys), facts) for keys, facts in by_key.items()]

    @cached_property
    def keys(self) -> dict[str, list[Value]]:
        """Every key with its values, both in the order of the data."""
        told: dict[str, dict[Value, None]] = {}
        for group in self.groups:
            for key, value in group.keys.items():
                told.setdefault(key, {})[value] = None
        return {key: list(values) for key, values in told.items()}

    @cached_property
    def decades(self) -> dict[Dimension, float]:
        """How many powers of ten the values of each dimension span."""
        ends: dict[Dimension, tuple[float, float]] = {}
        for fact in self.telemetry.facts:
            for name, value in fact.values.items():
                measure = self.telemetry.measures.get(name)
                if measure is None or value <= 0:
                    continue
                low, high = ends.get(measure.dimension, (value, value))
                ends[measure.dimension] = (min(low, value), max(high, value))
        return {one: math.log10(high / low) for one, (low, high) in ends.items()}

    @cached_property
    def _index(self) -> dict[tuple[str, Value], set[int]]:
        found: dict[tuple[str, Value], set[int]] = {}
        for at, group in enumerate(self.groups):
            for each in group.keys.items():
                found.setdefault(each, set()).add(at)
        return found

    def select(self, limits: Limits) -> list[Group]:
        """Groups whose keys lie within the limits, in the order of the data."""
        sets = [
            set().union(*(self._index.get((key, value), set()) for value in values))
            for key, values in limits.items()
            if key in self.keys
        ]
        if not sets:
            return self.groups
        sets.sort(key=len)
        left = sets[0].intersection(*sets[1:])
        return [self.groups[at] for at in sorted(left)]
