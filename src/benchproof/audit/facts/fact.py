"""What telemetry of any origin says: facts, each with keys, measures and its place in a file."""

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec

from benchproof.records.findings import DataFinding

if TYPE_CHECKING:  # most data is foreign: it needs nothing of benchproof's own records
    from benchproof.model.record import Record


class Dimension(StrEnum):
    """What a measure measures; two numbers can agree only within one dimension."""

    TIME = "time"  # s
    BYTES = "bytes"  # B
    FLOPS = "flops"  # FLOP
    FLOPS_RATE = "flops-rate"  # FLOP/s
    BYTES_RATE = "bytes-rate"  # B/s
    INTENSITY = "intensity"  # FLOP/byte
    RATE = "rate"  # items/s
    PERCENT = "percent"  # %
    POINT = "points"  # percentage points
    RATIO = "ratio"  # 1
    COUNT = "count"  # 1
    POWER = "power"  # W
    ENERGY = "energy"  # J
    FREQUENCY = "frequency"  # Hz
    TEMPERATURE = "temperature"  # degrees Celsius
    UNKNOWN = "unknown"  # a number whose unit nothing tells


class Measure(msgspec.Struct, frozen=True):
    """A named quantity of the data; `factor` leads from its own unit to the dimension's base."""

    name: str
    dimension: Dimension
    unit: str = ""
    factor: float = 1.0
    statistic: str = ""  # median, mean, min, max, stddev, p95 ..., "" where nothing tells

    @property
    def smaller_is_better(self) -> bool:
        """Whether the best of several is the least: of times and of bytes."""
        return self.dimension in (Dimension.TIME, Dimension.BYTES)


class Fact(msgspec.Struct, frozen=True, eq=False):
    """One row of telemetry: keys say what was measured, `values` how much, in base units.

    `record` is there where the row is one of benchproof's own, which pass the gates.
    """

    place: str  # file#/pointer
    keys: Mapping[str, str | int | float]
    values: Mapping[str, float]
    record: "Record | None" = None


class Telemetry(msgspec.Struct, frozen=True):
    """All facts of an audit, with the measures that their values are of.

    `repeats` are keys that tell one run of the same thing from another (run, seed, repetition):
    texts speak of the mean or the median over them. `findings` are about the data alone.
    """

    facts: tuple[Fact, ...]
    measures: Mapping[str, Measure]
    files: tuple[tuple[str, str], ...]  # path and SHA-256
    repeats: frozenset[str] = frozenset()
    findings: tuple[DataFinding, ...] = ()
