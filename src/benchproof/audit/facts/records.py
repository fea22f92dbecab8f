"""Facts from records: what each cell says, in base units, under the keys that records have."""

from collections.abc import Callable, Iterator

from benchproof.audit.facts.fact import Fact
from benchproof.derive import quantities as q
from benchproof.errors import BenchproofError
from benchproof.model.raw import Summary
from benchproof.model.record import Record
from benchproof.values.value import Value

_QUANTITIES = {
    "latency": q.latency,
    "mean latency": q.mean_latency,
    "95th percentile of the latency": q.p95_latency,
    "standard deviation of the latency": q.latency_deviation,
    "first call": q.first_call,
    "coefficient of variation": q.variation,
    "throughput": q.throughput,
    "achieved FLOP/s": q.achieved_flops,
    "achieved bytes/s": q.achieved_bytes,
    "arithmetic intensity": q.intensity,
    "roofline efficiency": q.efficiency,
    "ridge point": q.ridge,
    "peak FLOP/s": q.peak_flops,
    "peak bytes/s": q.peak_bandwidth,
    "measured bytes/s": q.measured_bandwidth,
    "FLOPs per call": q.work,
    "bytes per call": q.traffic,
    "parameter bytes": q.parameter_bytes,
}


def fact_of(record: Record) -> Fact:
    """A record as a fact; its place is that of its first round."""
    keys = {
        "device": record.requested.value,
        "framework": record.framework.value,
        "model": record.model,
        "variant": record.variant,
        "batch": record.batch,
        "precision": record.precision.value,
        "task": record.workload.task.value,
    } | ({"scale": record.workload.scale} if record.workload.scale else {})
    return Fact(str(record.places[0]), keys, dict(_values(record)), record)


def _values(record: Record) -> Iterator[tuple[str, float]]:
    for name, quantity in _QUANTITIES.items():
        if record.is_timed and (number := _number(quantity, record)) is not None:
            yield name, number
    if record.cell.parameter_count is not None:
        yield "parameters", float(record.cell.parameter_count)
    if record.samples_ns:
        yield "samples", float(len(record.samples_ns))
        yield "shortest sample", min(record.samples_ns) / 1e9
        yield "longest sample", max(record.samples_ns) / 1e9
    elif record.summary is not None:
        yield from _summarised(record.summary)


def _summarised(told: Summary) -> Iterator[tuple[str, float]]:
    if told.samples is not None:
        yield "samples", float(told.samples)
    if told.min_ns is not None:
        yield "shortest sample", told.min_ns / 1e9
    if told.max_ns is not None:
        yield "longest sample", told.max_ns / 1e9


def _number(quantity: Callable[[Record], Value], record: Record) -> float | None:
    """A quantity's number; None where the record does not tell what it needs."""
    try:
        return quantity(record).number
    except (BenchproofError, AssertionError):
        return None
