"""A workload on a device at one batch and precision, ready to be called."""

import gc
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchproof.collectors.frameworks.base import Compilation, Placed
from benchproof.collectors.frameworks.pytorch import flops
from benchproof.collectors.frameworks.pytorch.arithmetic import Tf32Switch
from benchproof.collectors.frameworks.pytorch.models import Size
from benchproof.collectors.frameworks.pytorch.runners import Runner
from benchproof.collectors.frameworks.pytorch.runtimes import Runtime
from benchproof.collectors.workloads.workload import Workload
from benchproof.model.keys import Device


@dataclass(frozen=True)
class Loaded:
    """A module and a batch of inputs on their device, and the memory that both hold there."""

    module: Any
    inputs: Any
    held_bytes: int | None


class PyTorchProgram:
    """A runner with its inputs, called under its precision."""

    def __init__(
        self,
        workload: Workload,
        size: Size,
        loaded: Loaded,
        runner: Runner,
        runtime: Runtime,
        switch: Tf32Switch,
        tf32: bool,
    ) -> None:
        self.parameter_count = size.parameter_count
        self.redundant_parameters = size.redundant_parameters
        self.parameter_bytes = size.parameter_bytes
        self._workload = workload
        self._loaded: Loaded | None = loaded
        self._inputs = loaded.inputs
        self._runner: Runner | None = runner
        self._runtime = runtime
        self._turn = partial(switch.turn, tf32)
        self._start: Callable[[Any], Any] = self._first

    def call(self) -> Any:
        """Start one call and give its output; on a GPU it may still be running then."""
        self._turn()
        return self._start(self._inputs)

    def wait(self, output: Any) -> None:  # noqa: ARG002
        """Return when everything that was started on the device has been computed."""
        self._runtime.synchronise()

    def fetch(self, output: Any) -> NDArray[np.float64]:
        """The output in double precision, `(batch, *output_shape)`."""
        # First to the CPU: Apple's GPUs have no double precision.
        return np.asarray(output.detach().cpu().double().numpy(), np.float64)

    def placed(self, output: Any) -> Placed:
        """Where the output lives, by its own account."""
        kind = output.device.type
        known = Device(kind) if kind in tuple(Device) else None
        return Placed(known, str(output.device))

    def compilation(self) -> Compilation | None:
        """What `torch.compile` made graphs of; None for other variants."""
        return self._open_runner().compilation()

    def counted_flops(self) -> int:
        """FLOPs of one eager call by FlopCounterMode, on shapes alone."""
        return flops.of_model(self._workload, len(self._inputs))

    def device_timer(self) -> Callable[[int], list[int]] | None:
        """Times n calls by the device's own clock, in nanoseconds; None where it has none."""
        if self._runtime.timed(self.call, 0) is None:
            return None

        def timed(calls: int) -> list[int]:
            return self._runtime.timed(self.call, calls) or []

        return timed

    def peak_memory_bytes(self) -> int | None:
        """Most memory that this program holds and needs, whatever else is on the device.

        Weights, inputs, and the peak of a call; it makes one more call where it has to.
        """
        growth = self._open_runner().growth_bytes(self.call)
        held = None if self._loaded is None else self._loaded.held_bytes
        return None if growth is None or held is None else held + growth

    def close(self) -> None:
        """Free module, inputs, graph and compiled code; the program can't be called any more."""
        self._loaded = self._inputs = self._runner = None
        self._start = _closed
        # Modules and their compiled code refer to each other.
        gc.collect()
        self._runtime.free()

    def _first(self, inputs: Any) -> Any:
        runner = self._open_runner()
        output = runner.first(inputs)
        self._start = runner.later
        return output

    def _open_runner(self) -> Runner:
        if self._runner is None:
            raise ValueError("the program is closed")
        return self._runner


def _closed(_: Any) -> Any:
    raise ValueError("the program is closed")
