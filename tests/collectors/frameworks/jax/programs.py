"""JAX programs for tests, and how often XLA compiled meanwhile."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import jax
import numpy as np
from numpy.typing import NDArray

from benchproof.collectors.frameworks.base import Program, Variant, load
from benchproof.collectors.workloads.catalogue import WORKLOADS
from benchproof.collectors.workloads.workload import Workload
from benchproof.model.keys import Device, Framework, Precision

ADAPTER = load(Framework.JAX)
EAGER, JIT = ADAPTER.variants(Device.CPU)


def make_program(
    workload: Workload | str,
    variant: Variant = JIT,
    batch: int = 4,
    precision: Precision = Precision.FP32,
    device: Device = Device.CPU,
) -> Program:
    known = WORKLOADS[workload] if isinstance(workload, str) else workload
    return ADAPTER.program(known, known.weights(), known.inputs(batch), variant, device, precision)


@contextmanager
def program(workload: Workload | str, *how: Any, **more: Any) -> Iterator[Program]:
    """A program that is closed afterwards."""
    made = make_program(workload, *how, **more)
    try:
        yield made
    finally:
        made.close()


def run(made: Program) -> NDArray[np.float64]:
    output = made.call()
    made.wait(output)
    return made.fetch(output)


def error(made: Program, workload: Workload, items: int = 2) -> float:
    """Largest deviation of the first items from the reference, in its standard deviations."""
    reference = workload.reference(items)
    return float(np.abs(run(made)[:items] - reference).max() / reference.std())


@contextmanager
def compilations() -> Iterator[list[str]]:
    """What XLA compiles inside the block: one entry each."""
    seen: list[str] = []

    def hear(event: str, _: float, **more: Any) -> None:
        if event.endswith("backend_compile_duration"):
            seen.append(event)

    jax.monitoring.register_event_duration_secs_listener(hear)
    try:
        yield seen
    finally:
        jax.monitoring.unregister_event_duration_listener(hear)
