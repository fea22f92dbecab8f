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
    latency_low_s: Value | None = None
    latency_high_s: Value | None = None
    rounds: Value | None = None
    samples: Value | None = None
    mean_s: Value | None = None
    stddev_s: Value | None = None
    p95_s: Value | None = None
    throughput_per_s: Value | None = None
    flops: Value | None = None
    bytes: Value | None = None
    parameter_bytes: Value | None = None


class SpeedupRow(Row, frozen=True):
    """Compiled against eager: one framework, device and batch.

    `verdict` is about the compiled side: `faster`, `slower` or `inconclusive`; empty without an
    interval. `between_rounds` says whether variation between rounds was measured. `first_call_s`
    is the compiled side's; `break_even_calls` are the calls after it until compiling has paid.
    """

    device: str
    ran_on: str | None
    framework: str
    batch: int
    variant: str
    note: str
    verdict: str = ""
    between_rounds: str = ""
    eager_s: Value | None = None
    compiled_s: Value | None = None
    speedup: Value | None = None
    first_call_s: Value | None = None
    break_even_calls: Value | None = None
    speedup_low: Value | None = None
    speedup_high: Value | None = None
    adjusted_p: Value | None = None


class WinnerRow(Row, frozen=True):
    """The fastest of records that did the same work, under a named rule.

    `contest` names the frameworks that met; with one framework there is no contest and no
    winner. `margin` is the runner-up's latency over the fastest record's.

    Where there are intervals, `verdict` is `wins` or `tie`. In a tie nobody is `winner`: `tied`
    names the frameworks that are not told apart from the fastest, which stands first.
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
    verdict: str = ""
    tied: str = ""
    between_rounds: str = ""
    latency_s: Value | None = None
    latency_low_s: Value | None = None
    latency_high_s: Value | None = None
    margin: Value | None = None
    margin_low: Value | None = None
    margin_high: Value | None = None
    adjusted_p: Value | None = None


class DeviceRow(Row, frozen=True):
    """CPU against GPU at one shared batch; `speedup` is CPU latency over GPU latency.

    `basis` says what the two sides share: the framework, or only the work. Where there is an
    interval, `verdict` is about the GPU, and an inconclusive one leaves `faster` empty.
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
    verdict: str = ""
    between_rounds: str = ""
    cpu_s: Value | None = None
    gpu_s: Value | None = None
    speedup: Value | None = None
    speedup_low: Value | None = None
    speedup_high: Value | None = None
    adjusted_p: Value | None = None


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
    """One cell against the roof of its device.

    `ceilings` says where both limits of the roof come from: `datasheet`, or `measured`.
    """

    device: str
    framework: str
    variant: str
    kind: str
    batch: int
    bound: str | None
    note: str
    ceilings: str = ""
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
    """Spread of one cell within its run, and of the medians of its rounds."""

    device: str
    framework: str
    variant: str
    batch: int
    note: str
    latency_s: Value
    cv_percent: Value | None = None
    p95_s: Value | None = None
    p95_over_median: Value | None = None
    rounds: Value | None = None
    between_rounds_percent: Value | None = None


class RepeatRow(Row, frozen=True):
    """One cell that was measured twice on one kind of device."""

    ran_on: str
    framework: str
    variant: str
    batch: int
    first_s: Value
    second_s: Value
    change_percent: Value


class ControlRow(Row, frozen=True):
    """An A/A control: one cell that was measured twice in the same job.

    `ratio` is the second latency over the first; `verdict` is `same`, or `differs` where it is
    conclusively more than the threshold from 1.
    """

    device: str
    framework: str
    variant: str
    batch: int
    verdict: str
    between_rounds: str
    note: str
    first_s: Value
    second_s: Value
    ratio: Value
    low: Value
    high: Value
    adjusted_p: Value


class FindingRow(msgspec.Struct, frozen=True, kw_only=True):
    """One finding about the telemetry."""

    rule: str
    level: str
    message: str
    records: str
