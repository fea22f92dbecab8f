"""Facts by their keys: which of them a set of constraints leaves, runs of one thing together."""

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from benchproof.audit.facts.fact import Dimension, Fact, Telemetry

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
        records = [fact.record for fact in self.facts if fact.record is not None]
        if not records:
            return False
        from benchproof.records.gates import ran_elsewhere

        return any(map(ran_elsewhere, records))

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
    from statistics import fmean, median

    if statistic == "median":
        return median(values)
    if statistic in ("min", "max"):
        return min(values) if statistic == "min" else max(values)
    return fmean(values)


class Cube:
    """All groups of an audit, found by what their keys have to be."""

    def __init__(self, telemetry: Telemetry) -> None:
        self.telemetry = telemetry
        by_key: dict[tuple[object, ...], list[Fact]] = {}
        for fact in telemetry.facts:
            keys = _without(fact.keys, telemetry.repeats)
            by_key.setdefault((*keys, *keys.values()), []).append(fact)
        self.groups = [
            Group(_without(facts[0].keys, telemetry.repeats), facts) for facts in by_key.values()
        ]

    @cached_property
    def keys(self) -> dict[str, list[Value]]:
        """Every key with its values, both in the order of the data."""
        told: dict[str, list[Value]] = {}
        for key, value in self._index:
            told.setdefault(key, []).append(value)
        return told

    @cached_property
    def decades(self) -> dict[Dimension, float]:
        """How many powers of ten the values of each dimension span."""
        lows: dict[str, float] = {}
        highs: dict[str, float] = {}
        for fact in self.telemetry.facts:
            for name, value in fact.values.items():
                if value > highs.get(name, 0.0):
                    highs[name] = value
                if 0.0 < value < lows.get(name, math.inf):
                    lows[name] = value
        ends: dict[Dimension, tuple[float, float]] = {}
        for name, high in highs.items():
            measure = self.telemetry.measures.get(name)
            if measure is not None:
                least, most = ends.get(measure.dimension, (math.inf, 0.0))
                ends[measure.dimension] = (min(least, lows[name]), max(most, high))
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
        sets = [self._having(key, values) for key, values in limits.items() if key in self.keys]
        if not sets:
            return self.groups
        sets.sort(key=len)
        left = sets[0].intersection(*sets[1:])
        return [self.groups[at] for at in sorted(left)]

    def _having(self, key: str, values: frozenset[Value]) -> set[int]:
        """Which groups have one of the values; not copied for a single one, as it may be long."""
        found = [self._index[key, value] for value in values if (key, value) in self._index]
        return found[0] if len(found) == 1 else set().union(*found)


def _without(keys: Mapping[str, Value], repeats: frozenset[str]) -> Mapping[str, Value]:
    """The keys without those that only number runs of one thing."""
    if repeats.isdisjoint(keys):
        return keys
    return {key: value for key, value in keys.items() if key not in repeats}
