"""The typed rows of every table. Fields are in base units, which their names carry.

A `Value | None` field is None where the quantity was not measured or may not be derived; the
row's `note` then says why. `records` names the raw cells behind a row.
"""

import msgspec

from benchproof.values.value import Value


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """What every row tells of its work."""

    model: str
    task: str
    scale: str | None
    precision: str
    records: str


class ResultRow(Row, frozen=True):
    """One cell of the grid: measured, quarantined, untimed or missing."""

    device: str
    ran_on: str | None
    framework: str
    variant: str
    kind: str
    batch: int
    status: str
    note: str
    latency_s: Value | None = None
    mean_s: Value | None = None
    stddev_s: Value | None = None
    p95_s: Value | None = None
    throughput_per_s: Value | None = None
    flops: Value | None = None
    bytes: Value | None = None
    parameter_bytes: Value | None = None


class SpeedupRow(Row, frozen=True):
    """Compiled against eager: one framework, device and batch."""

    device: str
    ran_on: str | None
    framework: str
    batch: int
    variant: str
    note: str
    eager_s: Value | None = None
    compiled_s: Value | None = None
    speedup: Value | None = None


class WinnerRow(Row, frozen=True):
    """The fastest of records that did the same work, under a named rule.

    `contest` names the frameworks that met; with one framework there is no contest and no
    winner. `margin` is the runner-up's latency over the winner's.
    """

    device: str
    batch: int
    rule: str
    contest: str
    winner: str | None
    variant: str
    runner_up: str | None
    runner_up_variant: str | None
    note: str
    latency_s: Value | None = None
    margin: Value | None = None


class DeviceRow(Row, frozen=True):
    """CPU against GPU at one shared batch; `speedup` is CPU latency over GPU latency.

    `basis` says what the two sides share: the framework, or only the work.
    """

    basis: str
    framework: str
    batch: int
    rule: str
    gpu: str | None
    cpu_framework: str | None
    cpu_variant: str | None
    gpu_variant: str | None
    faster: str | None
    note: str
    cpu_s: Value | None = None
    gpu_s: Value | None = None
    speedup: Value | None = None


class ThroughputRow(Row, frozen=True):
    """Samples per second of one cell."""

    device: str
    framework: str
    variant: str
    batch: int
    throughput_per_s: Value
    achieved_flops_per_s: Value | None = None


class BestThroughputRow(Row, frozen=True):
    """The highest throughput of one device for one work, over variants and batches.

    `contest` names the frameworks that did the same work per item.
    """

    device: str
    framework: str
    variant: str
    batch: int
    contest: str
    throughput_per_s: Value


class RooflineRow(Row, frozen=True):
    """One cell against the datasheet roof of its device."""

    device: str
    framework: str
    variant: str
    kind: str
    batch: int
    bound: str | None
    note: str
    intensity_flop_per_byte: Value | None = None
    ridge_flop_per_byte: Value | None = None
    attainable_flops_per_s: Value | None = None
    achieved_flops_per_s: Value | None = None
    efficiency_percent: Value | None = None
    peak_flops_per_s: Value | None = None
    peak_bytes_per_s: Value | None = None


class ScalingRow(Row, frozen=True):
    """Growth from one batch to a larger one."""

    device: str
    framework: str
    variant: str
    kind: str
    small_batch: int
    large_batch: int
    batch_growth: Value
    latency_growth: Value
    throughput_growth: Value


class StabilityRow(Row, frozen=True):
    """Spread of one cell within its run."""

    device: str
    framework: str
    variant: str
    batch: int
    note: str
    latency_s: Value
    cv_percent: Value | None = None
    p95_s: Value | None = None
    p95_over_median: Value | None = None


class RepeatRow(Row, frozen=True):
    """One cell that was measured twice on one kind of device."""

    ran_on: str
    framework: str
    variant: str
    batch: int
    first_s: Value
    second_s: Value
    change_percent: Value


class FindingRow(msgspec.Struct, frozen=True, kw_only=True):
    """One finding about the telemetry."""

    rule: str
    level: str
    message: str
    records: str
