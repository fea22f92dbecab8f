"""What a framework's module gives to the measuring engine.

`load(framework)` imports one framework and gives its `Adapter`; nothing else imports it.
"""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from benchproof.collectors.workloads.workload import Float32, Workload
from benchproof.model.keys import CompileCache, Device, Framework, Precision, VariantKind


class UnsupportedError(Exception):
    """The framework cannot do what was asked, told in one line; the cell is skipped."""


class MissingFrameworkError(Exception):
    """The framework is not installed, or cannot be imported; its cells are skipped."""


@dataclass(frozen=True)
class Variant:
    """One way to run a workload: its name as records keep it, and its kind.

    `options` tell the framework's module what the name means, such as backend and mode.
    """

    name: str
    kind: VariantKind
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Placed:
    """Where an output lives: the kind of device, None where it is none we know, and its text."""

    device: Device | None
    text: str


@dataclass(frozen=True)
class Compilation:
    """What a compiled variant really compiled, read after the first call.

    `graphs` and `flops_share` (0 to 1, share of the model's FLOPs inside compiled graphs) are
    None where the framework does not tell; `note` says in one line what was left out.
    """

    graphs: int | None = None
    flops_share: float | None = None
    note: str | None = None


class Program(Protocol):
    """A workload ready to run: weights loaded, inputs of one batch on the device."""

    parameter_count: int
    redundant_parameters: int
    parameter_bytes: int

    def call(self) -> Any:
        """Start one call and give its output; it may still be running when this returns.

        The first call compiles, where the variant compiles.
        """

    def wait(self, output: Any) -> None:
        """Return when the output has been computed."""

    def fetch(self, output: Any) -> NDArray[np.float64]:
        """The output as NumPy has it, in double precision, `(batch, *output_shape)`."""

    def placed(self, output: Any) -> Placed:
        """Where the output lives, read from the output itself."""

    def compilation(self) -> Compilation | None:
        """What the variant compiled; None for a variant that does not compile."""

    def counted_flops(self) -> int | None:
        """FLOPs of one call as the framework counts them; None where it cannot."""

    def device_timer(self) -> Callable[[int], list[int]] | None:
        """A function that runs n calls and gives the device's time of each in nanoseconds.

        None where the device has no clock of its own, as on a CPU.
        """

    def peak_memory_bytes(self) -> int | None:
        """Peak of the device's memory since the program was made; None where it is not told."""

    def close(self) -> None:
        """Free what the program holds, compiled code included."""


class Adapter(Protocol):
    """A framework that is installed."""

    framework: Framework

    def versions(self) -> dict[str, str]:
        """Versions of the framework's packages; its own first."""

    def devices(self) -> dict[Device, str]:
        """Devices that it can run on here, with the framework's own name of each."""

    def driver(self, device: Device) -> str | None:
        """Driver or runtime of the device, as the framework tells it."""

    def threads(self) -> int | None:
        """Threads that its CPU operations use; None where it does not tell."""

    def limit_threads(self, threads: int) -> None:
        """Use this many CPU threads; called before the first program is made."""

    def variants(self, device: Device) -> tuple[Variant, ...]:
        """Ways to run a workload on the device, eager first."""

    def precisions(self, device: Device) -> tuple[Precision, ...]:
        """Precisions that it can run on the device."""

    def synchronisation(self, device: Device) -> str:
        """The call by which `Program.wait` waits, in words."""

    def compile_cache(self, variant: Variant) -> CompileCache | None:
        """State of the compile cache on disk now; None for a variant that does not compile."""

    def matrix_product(
        self, size: int, device: Device, precision: Precision
    ) -> tuple[Callable[[], Any], Callable[[Any], None]]:
        """A square matrix product of `size`: the call that starts one, and the wait for it."""

    def triad(
        self, elements: int, device: Device
    ) -> tuple[Callable[[], Any], Callable[[Any], None]]:
        """STREAM's triad `a = b + s * c` over fp32 arrays: the call, and the wait for it."""

    def program(
        self,
        workload: Workload,
        weights: Mapping[str, Float32],
        inputs: Float32,
        variant: Variant,
        device: Device,
        precision: Precision,
    ) -> Program:
        """The workload, ready to run; UnsupportedError where it cannot be had."""


_MODULES = {
    Framework.PYTORCH: "pytorch",
    Framework.JAX: "jax",
    Framework.TENSORFLOW: "tensorflow",
    Framework.MLX: "mlx",
}


def load(framework: Framework) -> Adapter:
    """The adapter of a framework; MissingFrameworkError says why there is none."""
    module = f"benchproof.collectors.frameworks.{_MODULES[framework]}.adapter"
    try:
        adapter: Adapter = importlib.import_module(module).adapter()
    except ImportError as bad:
        raise MissingFrameworkError(f"{framework} cannot be imported: {bad}") from None
    return adapter
