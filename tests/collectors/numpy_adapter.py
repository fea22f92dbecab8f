"""A framework made of the workloads' own NumPy references, and a worker that misbehaves on purpose.

It is a real adapter: it computes, and is slow. Faults are asked for by the environment variable
FAULTS, such as `crash:cnn:32`: what happens, in which workload, at which batch. Run as a program
it is the supervisor's worker with this framework under PyTorch's name.
"""

import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from benchproof.collectors.frameworks import base
from benchproof.collectors.frameworks.base import Compilation, Placed, UnsupportedError, Variant
from benchproof.collectors.workloads.layers import apply
from benchproof.collectors.workloads.workload import Float32, Workload
from benchproof.model.keys import CompileCache, Device, Framework, Precision, VariantKind

EAGER = Variant("eager", VariantKind.EAGER)
COMPILED = Variant("compiled", VariantKind.COMPILED)
HOLLOW = Variant("hollow", VariantKind.COMPILED)


class NumpyProgram:
    """A workload's reference as a program; `fault` is what it does wrong, if anything."""

    def __init__(
        self, workload: Workload, weights: Mapping[str, Float32], inputs: Float32,
        variant: Variant, fault: str,
    ) -> None:  # fmt: skip
        self.workload = workload
        self.variant = variant
        self.fault = fault
        self.weights = {name: array.astype(np.float64) for name, array in weights.items()}
        self.inputs = inputs.astype(np.float64)
        self.parameter_count = workload.parameter_count - (fault == "lighter")
        self.redundant_parameters = 0
        self.parameter_bytes = 4 * workload.parameter_count
        self.calls = 0

    def call(self) -> Any:
        self.calls += 1
        if self.fault == "late" and self.calls > 5:
            raise RuntimeError("out of memory: tried to allocate 2 GiB")
        if self.fault == "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        if self.fault == "hang":
            time.sleep(600)
        if self.fault == "memory":
            raise MemoryError("cannot allocate 8 TiB")
        output = apply(self.workload.layers, self.inputs, self.weights)
        return {"wrong": output + 1, "nan": output * np.nan}.get(self.fault, output)

    def wait(self, output: Any) -> None:
        pass

    def fetch(self, output: Any) -> Any:
        return output[:1, :3] if self.fault == "shape" else output

    def placed(self, output: Any) -> Placed:
        return (
            Placed(Device.MPS, "mps:0") if self.fault == "elsewhere" else Placed(Device.CPU, "cpu")
        )

    def compilation(self) -> Compilation | None:
        if self.variant is EAGER:
            return None
        return Compilation(graphs=0 if self.variant is HOLLOW else 1, flops_share=None)

    def counted_flops(self) -> int | None:
        return None

    def device_timer(self) -> Callable[[int], list[int]] | None:
        return (lambda n: [1000] * n) if self.fault == "timer" else None

    def peak_memory_bytes(self) -> int | None:
        return None

    def close(self) -> None:
        if self.fault == "close":
            os.kill(os.getpid(), signal.SIGKILL)


class NumpyAdapter:
    """NumPy under PyTorch's name."""

    framework = Framework.PYTORCH

    def versions(self) -> dict[str, str]:
        threads = os.environ.get("OMP_NUM_THREADS", "not set")
        return {"numpy": np.__version__, "OMP_NUM_THREADS": threads}

    def devices(self) -> dict[Device, str]:
        return {Device.CPU: "cpu"}

    def driver(self, device: Device) -> str | None:
        return None

    def threads(self) -> int | None:
        return 1

    def limit_threads(self, threads: int) -> None:
        pass

    def variants(self, device: Device) -> tuple[Variant, ...]:
        return (EAGER, COMPILED, HOLLOW)

    def precisions(self, device: Device) -> tuple[Precision, ...]:
        return (Precision.FP32,)

    def synchronisation(self, device: Device) -> str:
        return "none: NumPy returns when it is done"

    def compile_cache(self, variant: Variant) -> CompileCache | None:
        return None if variant is EAGER else CompileCache.OFF

    def matrix_product(
        self, size: int, device: Device, precision: Precision
    ) -> tuple[Callable[[], Any], Callable[[Any], None]]:
        a = np.ones((size, size), dtype=np.float32)
        return (lambda: a @ a), (lambda output: None)

    def triad(
        self, elements: int, device: Device
    ) -> tuple[Callable[[], Any], Callable[[Any], None]]:
        a, b, c = (np.ones(elements, dtype=np.float32) for _ in range(3))
        return (lambda: np.add(b, 3 * c, out=a)), (lambda output: None)

    def program(
        self, workload: Workload, weights: Mapping[str, Float32], inputs: Float32,
        variant: Variant, device: Device, precision: Precision,
    ) -> NumpyProgram:  # fmt: skip
        fault = fault_of(workload.slug, len(inputs), variant)
        if fault == "unsupported":
            raise UnsupportedError(f"no {workload.name} here")
        return NumpyProgram(workload, weights, inputs, variant, fault)


def fault_of(slug: str, batch: int, variant: Variant) -> str:
    """The fault that FAULTS asks for: `KIND:WORKLOAD:BATCH[:VARIANT]`, several with commas."""
    for each in filter(lambda told: ":" in told, os.environ.get("FAULTS", "").split(",")):
        kind, workload, size, *only = each.split(":")
        if workload == slug and int(size) == batch and only in ([], [variant.name]):
            return kind
    return ""


if __name__ == "__main__":
    from benchproof.collectors import worker

    if os.environ.get("FAULTS") == "die":
        sys.exit(3)
    missing = os.environ.get("FAULTS") == "missing"

    def load(framework: Framework) -> Any:
        if missing:
            raise base.MissingFrameworkError(f"{framework} cannot be imported: No module")
        return NumpyAdapter()

    worker.load = load  # type: ignore[assignment]
    worker.main()
