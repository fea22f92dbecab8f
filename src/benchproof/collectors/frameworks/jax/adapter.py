"""What JAX can do here: devices, variants, precisions; and programs for them."""

import os
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.metadata import distributions
from typing import Any

from benchproof.collectors.frameworks.base import UnsupportedError, Variant
from benchproof.collectors.frameworks.jax import ceilings, compile_cache, cpu_threads, devices
from benchproof.collectors.frameworks.jax.numbers import numbers, working
from benchproof.collectors.frameworks.jax.program import JaxProgram
from benchproof.collectors.workloads.workload import Float32, Workload
from benchproof.model.keys import CompileCache, Device, Framework, Precision, VariantKind

jax: Any = import_module("jax")

EAGER = Variant("eager", VariantKind.EAGER)
JIT = Variant("jax.jit", VariantKind.COMPILED)


class JaxAdapter:
    """JAX as it is installed; programs of any devices and precisions may live side by side.

    Operations that run one by one are compiled too, each for its shapes, and JAX keeps them for
    the process. They are dropped when no program is open, so that the next eager one's first call
    does not profit from the last one's.
    """

    framework = Framework.JAX

    def __init__(self) -> None:
        self._open: list[JaxProgram] = []

    def versions(self) -> dict[str, str]:
        """Versions of jax and jaxlib, then those of its plugins for devices."""
        named = {str(found.metadata["Name"]).lower(): found.version for found in distributions()}
        plugins = {name: named[name] for name in sorted(named) if name.startswith("jax-")}
        return {"jax": jax.__version__, "jaxlib": import_module("jaxlib").__version__, **plugins}

    def devices(self) -> dict[Device, str]:
        """Devices of every plugin that is installed, the first of each kind."""
        found = {device: devices.find(device) for device in Device}
        return {device: devices.describe(each) for device, each in found.items() if each}

    def driver(self, device: Device) -> str | None:
        """Version of the device's runtime, as its plugin tells it; None on a CPU."""
        return devices.driver(device)

    def threads(self) -> int | None:
        """Threads of XLA's pool for CPU operations; None but on Linux."""
        return cpu_threads.count()

    def limit_threads(self, threads: int) -> None:
        """Start XLA anew with this many threads; UnsupportedError where it cannot be confirmed."""
        cpu_threads.limit(threads)

    def variants(self, device: Device) -> tuple[Variant, ...]:
        """Op by op, and as one function; JAX computes no gradient unless asked to.

        Op by op, `lax.scan` still compiles its body: that is what a user of JAX gets.
        """
        del device
        return (EAGER, JIT)

    def precisions(self, device: Device) -> tuple[Precision, ...]:
        """Precisions that a small product and a small convolution come out right in."""
        return working(device)

    def synchronisation(self, device: Device) -> str:
        """The call by which a program waits."""
        del device
        return "jax.Array.block_until_ready()"

    def compile_cache(self, variant: Variant) -> CompileCache | None:
        """State of the compilation cache on disk; None for the eager variant."""
        return compile_cache.state() if variant.kind is VariantKind.COMPILED else None

    def matrix_product(
        self, size: int, device: Device, precision: Precision
    ) -> tuple[Callable[[], Any], Callable[[Any], None]]:
        """A square matrix product of `size`, and the wait for it."""
        return ceilings.matrix_product(size, numbers(precision, device), devices.need(device))

    def triad(
        self, elements: int, device: Device
    ) -> tuple[Callable[[], Any], Callable[[Any], None]]:
        """STREAM's triad over fp32 arrays, and the wait for it."""
        return ceilings.triad(elements, devices.need(device))

    def program(
        self,
        workload: Workload,
        weights: Mapping[str, Float32],
        inputs: Float32,
        variant: Variant,
        device: Device,
        precision: Precision,
    ) -> JaxProgram:
        """The workload, ready to run; UnsupportedError where JAX cannot."""
        if variant not in (EAGER, JIT):
            raise UnsupportedError(f"JAX has no variant {variant.name} here")
        found = devices.need(device)
        told = numbers(precision, device)
        compiled = variant.kind is VariantKind.COMPILED
        made = JaxProgram(workload, (weights, inputs), told, found, compiled, self._forget)
        self._open.append(made)
        return made

    def _forget(self, program: JaxProgram) -> None:
        if program in self._open:
            self._open.remove(program)
        if not self._open:
            jax.clear_caches()


def adapter() -> JaxAdapter:
    """The adapter of the framework that is installed; ImportError where there is none."""
    # By default JAX takes three quarters of the GPU's memory at its first call, which would be
    # counted as the model's and starve what else runs there. It is read when a backend starts.
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    return JaxAdapter()
