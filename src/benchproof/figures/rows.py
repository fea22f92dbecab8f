"""The columns of the CSV tables that figures read. An empty cell is None: not measured."""

from typing import Annotated

import msgspec

LARGEST = 1e300
Positive = Annotated[float, msgspec.Meta(gt=0, le=LARGEST)]
NotNegative = Annotated[float, msgspec.Meta(ge=0, le=LARGEST)]
Batch = Annotated[int, msgspec.Meta(ge=1)]
Name = Annotated[str, msgspec.Meta(min_length=1)]
Interval = tuple[float, float]


def ends(low: float | None, high: float | None) -> Interval | None:
    """Both ends of an interval; None where either is missing."""
    return None if low is None or high is None else (low, high)


class Scope(msgspec.Struct, frozen=True):
    """Task, scale and precision: one figure shows one of these."""

    task: str
    scale: str
    precision: str


class WorkRow(msgspec.Struct, frozen=True, kw_only=True):
    """What every row tells of its work."""

    model: Name
    task: Name
    scale: str = ""
    precision: Name

    @property
    def scope(self) -> Scope:
        """Task, scale and precision of this row."""
        return Scope(self.task, self.scale, self.precision)


class CellRow(WorkRow, frozen=True, kw_only=True):
    """A row of `results.csv`: one cell of the grid."""

    device: Name
    ran_on: str = ""
    framework: Name
    variant: Name
    batch: Batch
    status: Name
    note: str = ""
    latency_s: Positive | None = None
    latency_low_s: Positive | None = None
    latency_high_s: Positive | None = None
    mean_s: Positive | None = None
    stddev_s: NotNegative | None = None
    p95_s: Positive | None = None
    throughput_per_s: Positive | None = None

    @property
    def quarantined(self) -> bool:
        """Whether the record ran on another device than the one it was asked for."""
        return self.status == "quarantined"

    @property
    def counts(self) -> bool:
        """Whether the record is evidence for its device."""
        return self.latency_s is not None and not self.quarantined


class SpeedupRow(WorkRow, frozen=True, kw_only=True):
    """A row of `compile_speedup.csv`."""

    device: Name
    ran_on: str = ""
    framework: Name
    batch: Batch
    variant: Name
    note: str = ""
    speedup: Positive | None = None
    speedup_low: Positive | None = None
    speedup_high: Positive | None = None

    @property
    def interval(self) -> Interval | None:
        """Ends of the speedup's 95 % interval; None where samples do not allow one."""
        return ends(self.speedup_low, self.speedup_high)


class DeviceRow(WorkRow, frozen=True, kw_only=True):
    """A row of `cpu_gpu.csv`; `speedup` is CPU latency over GPU latency."""

    basis: Name
    framework: Name
    batch: Batch
    rule: str = ""
    gpu: str = ""
    note: str = ""
    speedup: Positive | None = None
    speedup_low: Positive | None = None
    speedup_high: Positive | None = None

    @property
    def interval(self) -> Interval | None:
        """Ends of the speedup's 95 % interval; None where samples do not allow one."""
        return ends(self.speedup_low, self.speedup_high)


class BestRow(WorkRow, frozen=True, kw_only=True):
    """A row of `best_throughput.csv`."""

    device: Name
    framework: Name
    variant: Name
    batch: Batch
    throughput_per_s: Positive


class RoofRow(WorkRow, frozen=True, kw_only=True):
    """A row of `roofline.csv`."""

    device: Name
    framework: Name
    variant: Name
    batch: Batch
    note: str = ""
    ceilings: str = ""
    intensity_flop_per_byte: NotNegative | None = None
    achieved_flops_per_s: NotNegative | None = None
    efficiency_percent: Positive | None = None
    peak_flops_per_s: Positive | None = None
    peak_bytes_per_s: Positive | None = None
