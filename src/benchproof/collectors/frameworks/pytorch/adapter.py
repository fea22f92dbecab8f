"""PyTorch as the measuring engine sees it."""

import os
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from benchproof.collectors.frameworks.base import Program, UnsupportedError, Variant
from benchproof.collectors.frameworks.pytorch import ceilings, compilation, models
from benchproof.collectors.frameworks.pytorch.arithmetic import DTYPES, Tf32Switch
from benchproof.collectors.frameworks.pytorch.program import Loaded, PyTorchProgram
from benchproof.collectors.frameworks.pytorch.runners import Eager, Replay, Runner
from benchproof.collectors.frameworks.pytorch.runtimes import Cuda, Runtime, runtime
from benchproof.collectors.workloads.workload import Float32, Workload
from benchproof.model.keys import CompileCache, Device, Framework, Precision, VariantKind

torch: Any = import_module("torch")

EAGER = Variant("eager", VariantKind.EAGER)
CUDA_GRAPH = Variant("CUDA graph", VariantKind.GRAPH)
_FALLBACK = "PYTORCH_ENABLE_MPS_FALLBACK"
_AMPERE = (8, 0)


class PyTorch:
    """PyTorch as it is installed; TF32 is off wherever another precision was asked for."""

    framework = Framework.PYTORCH

    def __init__(self) -> None:
        self._switch = Tf32Switch()
        self._runtimes = {device: runtime(device) for device in Device}

    def versions(self) -> dict[str, str]:
        """Versions of PyTorch and, where it is there, of Triton, which compiles for CUDA."""
        found = {"torch": str(torch.__version__)}
        with suppress(PackageNotFoundError):
            found["triton"] = version("triton")
        return found

    def devices(self) -> dict[Device, str]:
        """Devices that PyTorch sees here, with its names of them."""
        found = {Device.CPU: "cpu"}
        if torch.cuda.is_available():
            index = torch.cuda.current_device()
            found[Device.CUDA] = f"cuda:{index} ({torch.cuda.get_device_name(index)})"
        if torch.backends.mps.is_available():
            found[Device.MPS] = "mps:0"
        return found

    def driver(self, device: Device) -> str | None:
        """CUDA's and cuDNN's versions; PyTorch doesn't tell the kernel's driver."""
        if device is not Device.CUDA:
            return None
        return f"CUDA {torch.version.cuda}, cuDNN {torch.backends.cudnn.version()}"

    def threads(self) -> int:
        """Threads within an operation."""
        return int(torch.get_num_threads())

    def limit_threads(self, threads: int) -> None:
        """Use this many threads within an operation; Inductor compiles the number in."""
        torch.set_num_threads(threads)

    def variants(self, device: Device) -> tuple[Variant, ...]:
        """Eager, compiled by Inductor, and on CUDA the replay of a graph."""
        graphs = (CUDA_GRAPH,) if device is Device.CUDA else ()
        return (EAGER, compilation.compiled(), *graphs)

    def precisions(self, device: Device) -> tuple[Precision, ...]:
        """fp32, bf16 and fp16 where the device has them, and TF32 on an Ampere GPU or newer."""
        if device is Device.MPS:
            newer = torch.backends.mps.is_macos_or_newer(14, 0)
            return (Precision.FP32, *((Precision.BF16,) if newer else ()), Precision.FP16)
        if device is Device.CUDA and torch.cuda.get_device_capability() >= _AMPERE:
            return (Precision.FP32, Precision.TF32, Precision.BF16, Precision.FP16)
        if device is Device.CUDA:
            return (Precision.FP32, Precision.FP16)
        return (Precision.FP32, Precision.BF16, Precision.FP16)

    def synchronisation(self, device: Device) -> str:
        """The call that `wait` makes."""
        return self._runtimes[device].synchronisation

    def compile_cache(self, variant: Variant) -> CompileCache | None:
        """Whether Inductor's cache on disk holds anything now; None for other kinds."""
        compiles = variant.kind is VariantKind.COMPILED
        return compilation.cache_state(variant) if compiles else None

    def matrix_product(self, size: int, device: Device, precision: Precision) -> ceilings.Timed:
        """A square product into memory that was allocated before."""
        self._require(device, precision)
        return ceilings.matrix_product(size, self._runtimes[device], precision, self._switch)

    def triad(self, elements: int, device: Device) -> ceilings.Timed:
        """STREAM's triad into memory that was allocated before."""
        self._require(device, Precision.FP32)
        return ceilings.triad(elements, self._runtimes[device])

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
        self._require(device, precision)
        if variant.kind is VariantKind.COMPILED:
            compilation.require_compiler(variant, device)
        if variant.kind is VariantKind.GRAPH and device is not Device.CUDA:
            raise UnsupportedError(f"{variant.name}: PyTorch replays graphs on cuda alone")
        module = models.build(workload)
        models.load(module, workload, weights)
        return self.ready(workload, module, inputs, variant, self._runtimes[device], precision)

    def ready(
        self,
        workload: Workload,
        module: Any,
        inputs: Float32,
        variant: Variant,
        on: Runtime,
        precision: Precision,
    ) -> PyTorchProgram:
        """A program of a module that has its weights."""
        loaded = _place(module, inputs, on, precision)
        return PyTorchProgram(
            workload=workload,
            size=models.measure(loaded.module),
            loaded=loaded,
            runner=_runner(loaded.module, variant, on, workload.flops(len(inputs))),
            runtime=on,
            switch=self._switch,
            tf32=precision is Precision.TF32,
        )

    def _require(self, device: Device, precision: Precision) -> None:
        if device not in self.devices():
            raise UnsupportedError(f"PyTorch {torch.__version__} sees no {device} here")
        if precision not in self.precisions(device):
            raise UnsupportedError(f"PyTorch has no {precision} on this {device}")
        if device is Device.MPS and os.environ.get(_FALLBACK, "0") != "0":
            raise UnsupportedError(
                f"{_FALLBACK} is set: operations would run on the CPU unseen; unset it"
            )


def _place(module: Any, inputs: Float32, on: Runtime, precision: Precision) -> Loaded:
    dtype = DTYPES[precision]
    before = on.allocated_bytes()
    module = module.to(on.torch_device, dtype)
    batch = models.arranged(torch.tensor(inputs)).to(on.torch_device, dtype)
    on.synchronise()
    after = on.allocated_bytes()
    held = None if before is None or after is None else after - before
    return Loaded(module, batch, held)


def _runner(module: Any, variant: Variant, on: Runtime, model_flops: int) -> Runner:
    if variant.kind is VariantKind.COMPILED:
        return compilation.Compiled(module, variant, model_flops, on.growth_bytes)
    if variant.kind is VariantKind.GRAPH and isinstance(on, Cuda):
        return Replay(module, on)
    return Eager(module, on.growth_bytes)


def adapter() -> PyTorch:
    """The adapter of the framework that is installed; ImportError where there is none."""
    return PyTorch()
