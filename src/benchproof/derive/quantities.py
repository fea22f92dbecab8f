"""Named derivations of one record or of a pair of them; pairs pass the gates first."""

from benchproof.errors import DeviceTruthError
from benchproof.model.keys import CeilingKind
from benchproof.model.record import Record
from benchproof.records.gates import require_same_batch, require_same_work
from benchproof.values.expression import Arithmetic, Extreme, Field, RoundedUp, has_field
from benchproof.values.units import Unit
from benchproof.values.value import Value, percent_change, percent_of, ratio_of


def field(record: Record, name: str, unit: Unit, derivation: str) -> Value:
    """One measured or declared quantity of a record."""
    return Value(Field(record, name), unit, derivation)


def latency(record: Record) -> Value:
    """Median latency in seconds, samples of all rounds pooled."""
    return field(record, "median_s", Unit.SECOND, "median latency")


def mean_latency(record: Record) -> Value:
    """Mean latency in seconds."""
    return field(record, "mean_s", Unit.SECOND, "mean latency")


def p95_latency(record: Record) -> Value:
    """95th percentile of the latency in seconds; with fewer than 20 samples it is the maximum."""
    return field(record, "p95_s", Unit.SECOND, "95th percentile of latency")


def latency_deviation(record: Record) -> Value:
    """Sample standard deviation of the latency in seconds."""
    return field(record, "stddev_s", Unit.SECOND, "standard deviation of latency")


def variation(record: Record) -> Value:
    """Coefficient of variation in percent: standard deviation over mean, within one run."""
    spread = latency_deviation(record) / mean_latency(record)
    return percent_of(spread, "coefficient of variation")


def first_call(record: Record) -> Value:
    """Longest first call of any round in seconds: compilation is in it, where there is one."""
    return field(record, "first_call_s", Unit.SECOND, "longest first call")


def device_latency(record: Record) -> Value:
    """Median time of a call by the device's own clock, in seconds."""
    return field(record, "device_median_s", Unit.SECOND, "median device time")


def dispatch(record: Record) -> Value:
    """What a call takes beyond the device's own time, in seconds: starting it, waiting for it."""
    return (latency(record) - device_latency(record)).named("latency beyond device time")


def break_even(eager: Record, compiled: Record) -> Value | None:
    """Calls after the first one until compiling has paid, a whole number.

    What the first call took longer than eager's first call, over what each later call saves. None
    where nothing is saved, where the first call is no longer than eager's, or was not timed.
    """
    told = [has_field(record, "first_call_s") for record in (eager, compiled)]
    if not all(told) or speedup(eager, compiled).number <= 1:
        return None
    extra = first_call(compiled) - first_call(eager)
    if extra.number <= 0:
        return None
    saved = latency(eager) - latency(compiled)
    calls = RoundedUp(Arithmetic(extra.expression, "/", saved.expression))
    return Value(calls, Unit.COUNT, "calls until compiling has paid")


def round_count(record: Record) -> Value:
    """How many rounds hold samples."""
    return field(record, "rounds", Unit.COUNT, "rounds")


def sample_count(record: Record) -> Value:
    """How many timed samples the rounds hold together."""
    return field(record, "samples", Unit.COUNT, "timed samples")


def between_rounds(record: Record) -> Value:
    """Standard deviation of the rounds' medians over their mean, in percent."""
    spread = field(record, "between_rounds", Unit.RATIO, "spread of the rounds' medians")
    return percent_of(spread, "spread between rounds")


def core_count(record: Record) -> Value:
    """Processors of the host that the measuring process could keep busy."""
    return field(record, "cores", Unit.COUNT, "processors")


def machine_memory(record: Record) -> Value:
    """Memory of the device that the record ran on, in bytes."""
    return field(record, "memory_bytes", Unit.BYTE, "memory")


def thread_count(record: Record) -> Value:
    """Threads that the framework's operations on the CPU used."""
    return field(record, "threads", Unit.COUNT, "threads")


def least_warmup(record: Record) -> Value:
    """Calls that a cell was warmed up with at least."""
    return field(record, "least_warmup", Unit.COUNT, "least number of warm-up calls")


def least_samples(record: Record) -> Value:
    """Timed samples that a cell had at least, by the protocol."""
    return field(record, "least_samples", Unit.COUNT, "least number of timed samples")


def tail(record: Record) -> Value:
    """95th percentile over median."""
    return ratio_of(p95_latency(record), latency(record), "95th percentile over median")


def work(record: Record) -> Value:
    """FLOPs of one call."""
    return field(record, "flops", Unit.FLOP, "FLOPs per call")


def traffic(record: Record) -> Value:
    """Bytes that one call moves, by the source's or the workload's own model."""
    return field(record, "bytes", Unit.BYTE, "bytes per call")


def parameter_bytes(record: Record) -> Value:
    """Bytes of the model's parameters and buffers."""
    return field(record, "parameter_bytes", Unit.BYTE, "parameter bytes")


def batch_size(record: Record) -> Value:
    """Batch size as a count."""
    return field(record, "batch", Unit.COUNT, "batch size")


def throughput(record: Record) -> Value:
    """Samples per second: batch over median latency."""
    return ratio_of(batch_size(record), latency(record), "throughput")


def achieved_flops(record: Record) -> Value:
    """Achieved FLOP/s: FLOPs of one call over median latency."""
    return ratio_of(work(record), latency(record), "achieved FLOP/s")


def achieved_bytes(record: Record) -> Value:
    """Achieved bytes/s: bytes of one call over median latency."""
    return ratio_of(traffic(record), latency(record), "achieved bytes/s")


def intensity(record: Record) -> Value:
    """Arithmetic intensity in FLOP/byte."""
    return ratio_of(work(record), traffic(record), "arithmetic intensity")


def ceilings_kind(record: Record) -> CeilingKind | None:
    """Where both ceilings of the record's roof come from; None where neither source tells both.

    The datasheet goes before measurement, and the two are never mixed: a measured bandwidth under
    a datasheet's arithmetic would be the roof of no machine.
    """
    return next(
        (
            kind
            for kind, fields in _CEILINGS.items()
            if all(has_field(record, field) for field in fields)
        ),
        None,
    )


_CEILINGS = {
    CeilingKind.DATASHEET: ("peak_flops_per_s", "peak_bytes_per_s"),
    CeilingKind.MEASURED: ("measured_flops_per_s", "measured_bytes_per_s"),
}


def _ceilings(record: Record) -> tuple[CeilingKind, tuple[str, str]]:
    """Source and fields of the record's ceilings; the datasheet's where no source tells both."""
    kind = ceilings_kind(record) or CeilingKind.DATASHEET
    return kind, _CEILINGS[kind]


def peak_flops(record: Record) -> Value:
    """Ceiling of the device for the record's precision, in FLOP/s: datasheet, else measured."""
    kind, (name, _) = _ceilings(record)
    return field(record, name, Unit.FLOP_PER_S, f"{kind} FLOP/s ceiling")


def peak_bandwidth(record: Record) -> Value:
    """Ceiling of the memory, in bytes/s, of the same source as the FLOP/s ceiling."""
    kind, (_, name) = _ceilings(record)
    return field(record, name, Unit.BYTE_PER_S, f"{kind} bandwidth ceiling")


def measured_bandwidth(record: Record) -> Value:
    """Bandwidth that the source measured, in bytes/s."""
    return field(record, "measured_bytes_per_s", Unit.BYTE_PER_S, "measured bandwidth")


def ridge(record: Record) -> Value:
    """Intensity at which the two ceilings meet, in FLOP/byte."""
    return ratio_of(peak_flops(record), peak_bandwidth(record), "ridge point")


def lower_bound(record: Record) -> Value:
    """Shortest time that the ceilings allow, in seconds (roofline)."""
    bounds = (work(record) / peak_flops(record), traffic(record) / peak_bandwidth(record))
    return Value(
        Extreme("greatest", tuple(bound.expression for bound in bounds)),
        Unit.SECOND,
        "roofline lower bound",
    )


def attainable(record: Record) -> Value:
    """FLOP/s that the roof allows at the record's intensity."""
    return ratio_of(work(record), lower_bound(record), "attainable FLOP/s")


def efficiency(record: Record) -> Value:
    """Roofline efficiency in percent: lower bound over median latency."""
    return percent_of(lower_bound(record) / latency(record), "roofline efficiency")


def is_compute_bound(record: Record) -> bool:
    """Whether the roofline's lower bound is the arithmetic rather than the traffic."""
    return bool(intensity(record) > ridge(record))


def has_roof(record: Record) -> bool:
    """Whether work, traffic and both ceilings are known, so that a roofline exists."""
    told = has_field(record, "flops") and has_field(record, "bytes")
    return told and ceilings_kind(record) is not None


def speedup(base: Record, other: Record) -> Value:
    """How many times faster `other` is than `base`, on one device: same batch, same work."""
    require_same_place(base, other)
    return ratio(base, other, "speedup")


def require_same_place(left: Record, right: Record) -> None:
    """Raise DeviceTruthError when the two did not run on one kind of device."""
    places = [record.actual or record.requested for record in (left, right)]
    if places[0] is not places[1]:
        raise DeviceTruthError(
            f"{left.name} against {right.name}: ran on {places[0]} and {places[1]}; "
            "compare devices with a device comparison"
        )


def ratio(base: Record, other: Record, derivation: str) -> Value:
    """Latency of `base` over latency of `other`; same batch and same work required."""
    require_same_batch(base, other)
    require_same_work(base, other)
    return ratio_of(latency(base), latency(other), derivation)


def latency_growth(small: Record, large: Record) -> Value:
    """Latency at the larger batch over latency at the smaller one."""
    require_same_work(small, large, same_batch=False)
    return ratio_of(latency(large), latency(small), "latency growth")


def throughput_growth(small: Record, large: Record) -> Value:
    """Throughput at the larger batch over throughput at the smaller one."""
    require_same_work(small, large, same_batch=False)
    return ratio_of(throughput(large), throughput(small), "throughput growth")


def batch_growth(small: Record, large: Record) -> Value:
    """Larger batch over smaller batch."""
    return ratio_of(batch_size(large), batch_size(small), "batch growth")


def change(first: Record, second: Record) -> Value:
    """Change of the latency from one run of a cell to another, in percent of the first."""
    require_same_place(first, second)
    require_same_batch(first, second)
    require_same_work(first, second)
    return percent_change(latency(first), latency(second), "change of latency between two runs")
