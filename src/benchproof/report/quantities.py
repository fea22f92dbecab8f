"""Which quantities of a record a template may name."""

from collections.abc import Callable

from benchproof.derive import quantities as q
from benchproof.errors import SelectionError
from benchproof.model.record import Record
from benchproof.values.value import Value

QUANTITIES: dict[str, Callable[[Record], Value]] = {
    "latency": q.latency,
    "mean": q.mean_latency,
    "p95": q.p95_latency,
    "deviation": q.latency_deviation,
    "cv": q.variation,
    "tail": q.tail,
    "first_call": q.first_call,
    "device_latency": q.device_latency,
    "dispatch": q.dispatch,
    "rounds": q.round_count,
    "sample_count": q.sample_count,
    "between_rounds": q.between_rounds,
    "throughput": q.throughput,
    "flops": q.work,
    "bytes": q.traffic,
    "parameter_bytes": q.parameter_bytes,
    "achieved_flops": q.achieved_flops,
    "achieved_bytes": q.achieved_bytes,
    "intensity": q.intensity,
    "efficiency": q.efficiency,
    "ridge": q.ridge,
    "attainable": q.attainable,
    "peak_flops": q.peak_flops,
    "peak_bandwidth": q.peak_bandwidth,
    "measured_bandwidth": q.measured_bandwidth,
    "cores": q.core_count,
    "memory_bytes": q.machine_memory,
    "threads": q.thread_count,
    "least_warmup": q.least_warmup,
    "least_samples": q.least_samples,
}


def derivation(quantity: str) -> Callable[[Record], Value]:
    """The derivation of a quantity by its name; SelectionError where there is none."""
    if quantity not in QUANTITIES:
        raise SelectionError(f"no quantity {quantity!r}; quantities are {', '.join(QUANTITIES)}")
    return QUANTITIES[quantity]
