"""What MLX can do here: devices, variants, precisions; and programs for them."""

import platform
from collections.abc import Callable, Mapping
from importlib.metadata import distributions
from typing import Any

from benchproof.collectors.frameworks.base import UnsupportedError, Variant
from benchproof.collectors.frameworks.mlx import ceilings, compiler, model
from benchproof.collectors.frameworks.mlx.program import MlxProgram
from benchproof.collectors.frameworks.mlx.runtime import DTYPES, gpu_kind, mlx_device, mx
from benchproof.collectors.workloads.workload import Float32, Workload
from benchproof.model.keys import CompileCache, Device, Framework, Precision, VariantKind


class MlxAdapter:
    """MLX as it is installed; programs of any devices and precisions may live side by side."""

    framework = Framework.MLX

    def versions(self) -> dict[str, str]:
        """MLX's version, then those of its packages with the kernels (`mlx-metal`, `mlx-cpu`)."""
        named = {found.metadata["Name"]: found.version for found in distributions()}
        kernels = {name: named[name] for name in sorted(named) if name.startswith("mlx-")}
        return {"mlx": mx.__version__, **kernels}

    def devices(self) -> dict[Device, str]:
        """The CPU, and the GPU by Metal or CUDA where there is one."""
        gpu = gpu_kind()
        kinds = (Device.CPU,) if gpu is None else (Device.CPU, gpu)
        return {kind: _description(mlx_device(kind)) for kind in kinds}

    def driver(self, device: Device) -> str | None:
        """Metal and its system, as MLX does not tell more; None elsewhere."""
        if device is Device.MPS:
            return f"Metal of macOS {platform.mac_ver()[0]}"
        return None

    def threads(self) -> int | None:
        """None: MLX does not tell; its BLAS decides."""
        return None

    def limit_threads(self, threads: int) -> None:
        """UnsupportedError: MLX has no setting for it."""
        raise UnsupportedError(
            f"MLX cannot be limited to {threads} CPU threads; limit the process's CPUs instead"
        )

    def variants(self, device: Device) -> tuple[Variant, ...]:
        """Lazy graphs as they are (MLX's "eager"), and compiled ones.

        `mlx.nn` compiles its activation functions by itself, in the eager variant as well.
        """
        return (
            Variant("eager", VariantKind.EAGER, {"device": device.value}),
            Variant("mx.compile", VariantKind.COMPILED, {"device": device.value}),
        )

    def precisions(self, device: Device) -> tuple[Precision, ...]:
        """All of MLX's work on every device; MLX has no tf32 to switch."""
        del device
        return tuple(DTYPES)

    def synchronisation(self, device: Device) -> str:
        """The call by which a program waits."""
        del device
        return "mx.async_eval(output) starts, mx.eval(output) waits"

    def compile_cache(self, variant: Variant) -> CompileCache | None:
        """State of the folder where MLX keeps built CPU kernels."""
        if variant.kind is VariantKind.EAGER:
            return None
        return compiler.cache_state(Device(variant.options["device"]))

    def matrix_product(
        self, size: int, device: Device, precision: Precision
    ) -> tuple[Callable[[], Any], Callable[[Any], None]]:
        """A square matrix product of `size`, and the wait for it."""
        return ceilings.matrix_product(size, mlx_device(device), _dtype(precision))

    def triad(
        self, elements: int, device: Device
    ) -> tuple[Callable[[], Any], Callable[[Any], None]]:
        """STREAM's triad over fp32 arrays, and the wait for it."""
        return ceilings.triad(elements, mlx_device(device))

    def program(
        self,
        workload: Workload,
        weights: Mapping[str, Float32],
        inputs: Float32,
        variant: Variant,
        device: Device,
        precision: Precision,
    ) -> MlxProgram:
        """The workload, ready to run; UnsupportedError where MLX cannot."""
        if device not in self.devices():
            raise UnsupportedError(f"MLX finds no {device} here")
        compiled = variant.kind is VariantKind.COMPILED
        missing = compiler.missing_compiler(device) if compiled else None
        if missing is not None:
            raise UnsupportedError(missing)
        dtype, on = _dtype(precision), mlx_device(device)
        with mx.stream(on):
            built = model.build(workload, weights, dtype)
        return MlxProgram(built, inputs, dtype, on, compiled)


def _dtype(precision: Precision) -> Any:
    if precision not in DTYPES:
        raise UnsupportedError(f"MLX has no {precision} arithmetic here")
    return DTYPES[precision]


def _description(on: Any) -> str:
    told = mx.device_info(on).get("device_name") if hasattr(mx, "device_info") else None
    return f"{on}, {told}" if told else str(on)


def adapter() -> MlxAdapter:
    """The adapter of the framework that is installed; ImportError where there is none."""
    return MlxAdapter()
