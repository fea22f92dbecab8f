"""What a raw telemetry file (`benchproof/raw@1`) holds.

`None` always means "not measured" or "not told by the source". Times are nanoseconds: samples
are the integers that the clock gave, summaries of imports may be fractions of one.
"""

from typing import Annotated, Literal

import msgspec

from benchproof.model.keys import (
    CeilingKind,
    CeilingQuantity,
    CompileCache,
    Device,
    Framework,
    Precision,
    Status,
    Task,
    VariantKind,
)

SCHEMA = "benchproof/raw@1"

LARGEST = 2**63 - 1  # what SQL's BIGINT holds: a number and its query have to read the same

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
Text = Annotated[str, msgspec.Meta(max_length=10_000)]
Count = Annotated[int, msgspec.Meta(ge=0, le=LARGEST)]
Batch = Annotated[int, msgspec.Meta(ge=1, le=LARGEST)]
Bytes = Annotated[int, msgspec.Meta(ge=1, le=LARGEST)]
Nanoseconds = Annotated[int, msgspec.Meta(ge=1, le=LARGEST)]
Positive = Annotated[float, msgspec.Meta(gt=0)]
NotNegative = Annotated[float, msgspec.Meta(ge=0)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Sha256 = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
Scalar = bool | int | float | Text | None


class Part(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True
):
    """Base of every piece of a raw file: frozen, and closed against misspelt fields."""


class Source(Part, frozen=True):
    """Where imported telemetry was taken from, so that anybody can fetch it again."""

    name: Name
    version: Name | None
    file: Name
    sha256: Sha256
    licence: Name
    url: Text | None = None


class Run(Part, frozen=True):
    """One process launch that sampled the file's cells; times are RFC 3339 text.

    `ended` is missing while cells are left to measure; `resumed` are the starts of later launches
    that went on where an earlier one was killed.
    """

    id: Name
    round: Batch
    benchproof: Name
    command: Text | None = None
    started: Name | None = None
    ended: Name | None = None
    resumed: tuple[Name, ...] = ()
    git_commit: Name | None = None
    git_dirty: bool | None = None


class Ceiling(Part, frozen=True):
    """An upper limit of the device: FLOP/s for one precision, or bytes/s."""

    quantity: CeilingQuantity
    value: Positive
    kind: CeilingKind
    source: Text
    precision: Precision | None = None


class Machine(Part, frozen=True):
    """The machine and the device that the file's cells ran on; `cache_bytes` is its last cache."""

    chip: Name
    cores: Batch | None = None
    memory_bytes: Bytes | None = None
    cache_bytes: Bytes | None = None
    os: Name | None = None
    driver: Name | None = None
    ceilings: tuple[Ceiling, ...] = ()


class FrameworkInfo(Part, frozen=True):
    """Framework and its version; `packages` are the versions of all packages it is made of."""

    name: Framework
    version: Name | None = None
    packages: dict[Name, Name] = {}


class Workload(Part, frozen=True):
    """A model, its task and its shapes; `scale` is the source's word for a size of the model.

    `fingerprint` is a digest of the layers: equal work has equal ones.
    """

    model: Name
    task: Task
    scale: Name | None = None
    input_shape: tuple[Batch, ...] | None = None
    fingerprint: Name | None = None


class Protocol(Part, frozen=True):
    """How samples were taken, as far as the source tells.

    `samples` and `warmup` are the least of each; sampling goes on until the median's interval is
    within `interval_percent`, or for `budget_s` seconds a cell. A cell that gives no answer for
    `time_limit_s` seconds has failed. `variants` are those that were asked for, where not all were.
    """

    warmup: Count | None = None
    samples: Count | None = None
    sampling_rule: Text | None = None
    clock: Text | None = None
    synchronisation: Text | None = None
    threads: Batch | None = None
    seed: Count | None = None
    interval_percent: Positive | None = None
    budget_s: Positive | None = None
    time_limit_s: Positive | None = None
    variants: tuple[Name, ...] = ()


class Summary(Part, frozen=True):
    """Statistics of one cell where its samples were not kept; times in nanoseconds."""

    median_ns: Positive
    samples: Batch | None = None
    mean_ns: Positive | None = None
    stddev_ns: NotNegative | None = None
    p95_ns: Positive | None = None
    min_ns: Positive | None = None
    max_ns: Positive | None = None


class Conditions(Part, frozen=True):
    """State of the machine right before or after a cell, where the platform tells."""

    clock_hz: Positive | None = None
    load: NotNegative | None = None
    temperature_c: float | None = None
    power_w: NotNegative | None = None
    throttled: bool | None = None
    throttle_reasons: tuple[Text, ...] = ()
    governor: Name | None = None


class Cell(Part, frozen=True):
    """One variant at one batch size and precision: its work, its state, its evidence.

    `device_text` is the device as the output or the source named it; `reported` keeps what the
    source computed itself, as evidence that is never used in a derivation. A sample is the mean
    of `calls_per_sample` calls, by the host's clock; `device_samples_ns` are single calls by the
    device's own. `parameter_count` leaves `redundant_parameters` out: those a framework has
    twice. `output_error` is the output's largest deviation from the reference, in the
    reference's standard deviations. A cell that was disturbed is sampled again, `retries` times;
    `discarded_ns` is how long the samples took that were not kept.
    """

    variant: Name
    kind: VariantKind
    batch: Batch
    precision: Precision
    status: Status
    actual_device: Device | None = None
    device_text: Text | None = None
    reason: Text | None = None
    parameter_count: Count | None = None
    parameter_bytes: Count | None = None
    flops_per_call: Count | None = None
    bytes_per_call: Bytes | None = None
    redundant_parameters: Count | None = None
    counted_flops_per_call: Count | None = None
    unfused_bytes_per_call: Bytes | None = None
    compiled_graphs: Count | None = None
    compiled_flops_share: Share | None = None
    compile_cache: CompileCache | None = None
    first_call_ns: Nanoseconds | None = None
    warmup_ns: tuple[Nanoseconds, ...] = ()
    calls_per_sample: Batch | None = None
    samples_ns: tuple[Nanoseconds, ...] = ()
    device_samples_ns: tuple[Nanoseconds, ...] = ()
    summary: Summary | None = None
    peak_memory_bytes: Count | None = None
    before: Conditions | None = None
    after: Conditions | None = None
    output_digest: Name | None = None
    output_error: NotNegative | None = None
    retries: Count | None = None
    discarded_ns: Nanoseconds | None = None
    source_pointer: Name | None = None
    reported: dict[str, Scalar] = {}


class RawFile(Part, frozen=True):
    """One raw file: a (study, device, framework, workload, round) and its cells.

    `controls` are A/A controls: cells of the same key as one of `cells`, measured once more among
    the others, so that a difference between the two is known to be none.
    """

    schema: Literal["benchproof/raw@1"]
    study: Name
    device: Device
    framework: FrameworkInfo
    workload: Workload
    run: Run
    machine: Machine
    protocol: Protocol
    cells: tuple[Cell, ...]
    controls: tuple[Cell, ...] = ()
    source: Source | None = None
