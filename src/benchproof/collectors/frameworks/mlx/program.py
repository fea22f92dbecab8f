"""One workload on MLX: how a call starts, what it waits for, what was compiled.

MLX is lazy: a call builds a graph of arrays that are not computed yet. `call` therefore also
starts the graph with `mx.async_eval`, and `wait` ends with it. Every call builds a new graph on
the same parameters and inputs, so nothing that was computed before is used again.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchproof.collectors.frameworks.base import Compilation, Placed
from benchproof.collectors.frameworks.mlx.runtime import gpu_kind, mx, tree_flatten
from benchproof.collectors.workloads.workload import Float32
from benchproof.model.keys import Device


class MlxProgram:
    """A model and inputs of one batch; the peak of memory is counted from here on."""

    redundant_parameters = 0

    def __init__(self, model: Any, inputs: Float32, dtype: Any, on: Any, compiled: bool) -> None:
        self._on = on
        with mx.stream(on):
            self._inputs = mx.array(inputs).astype(dtype)
            mx.eval(self._inputs)
        self._model = model
        self._traces = 0
        self._compiled = compiled
        self._run = mx.compile(self._traced) if compiled else model
        trained = tree_flatten(model.trainable_parameters())
        held = tree_flatten(model.parameters())
        self.parameter_count = sum(array.size for _name, array in trained)
        self.parameter_bytes = sum(array.nbytes for _name, array in held)
        self._ran_on: Any = None
        mx.reset_peak_memory()

    def _traced(self, x: Any) -> Any:
        # Runs once for each graph that `mx.compile` makes; at each call where it compiles nothing.
        self._traces += 1
        return self._model(x)

    def call(self) -> Any:
        """The output of a new graph that has been started on the program's device."""
        with mx.stream(self._on):
            output = self._run(self._inputs)
            self._ran_on = mx.default_stream(mx.default_device())
            mx.async_eval(output)
        return output

    def wait(self, output: Any) -> None:
        """Return when the output has been computed."""
        mx.eval(output)

    def fetch(self, output: Any) -> NDArray[np.float64]:
        """The output as NumPy has it, in double precision."""
        # NumPy knows no bfloat16; float32 holds every value of it.
        with mx.stream(mx.cpu):
            return np.asarray(output.astype(mx.float32), dtype=np.float64)

    def placed(self, output: Any) -> Placed:
        """Device of the stream that the last call's graph was built on.

        An array of MLX lies in memory that all devices share and does not tell which computed
        it. The stream is what MLX chose when the graph was built, not what was asked for; and
        MLX never moves an operation to another device: one that has no kernel there fails.
        """
        del output
        if self._ran_on is None:
            return Placed(None, "nothing has run")
        device = Device.CPU if self._ran_on.device.type == mx.cpu else gpu_kind()
        return Placed(device, f"{self._ran_on} (stream of the graph; arrays do not tell)")

    def compilation(self) -> Compilation | None:
        """Graphs that `mx.compile` made; none where MLX_DISABLE_COMPILE or the like ignores it.

        One graph holds the whole model; in it, MLX fuses elementwise operations only.
        """
        if not self._compiled:
            return None
        before = self._traces
        self.wait(self.call())
        if self._traces > before:
            return Compilation(0, 0.0, "mx.compile is switched off: the model's code ran again")
        return Compilation(before, 1.0)

    def counted_flops(self) -> int | None:
        """None: MLX counts no FLOPs."""
        return None

    def device_timer(self) -> Callable[[int], list[int]] | None:
        """None: MLX gives no clock of its device."""
        return None

    def peak_memory_bytes(self) -> int | None:
        """Peak of what MLX allocated, other living programs' arrays included."""
        return int(mx.get_peak_memory())

    def close(self) -> None:
        """Let go of parameters, inputs and compiled code, and of MLX's pool of free memory."""
        self._model = self._run = self._inputs = None
        mx.clear_cache()
