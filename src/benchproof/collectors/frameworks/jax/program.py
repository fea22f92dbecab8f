"""One workload on one device, run op by op or as one compiled function."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchproof.collectors.frameworks.base import Compilation, Placed
from benchproof.collectors.frameworks.jax import devices, flops, models
from benchproof.collectors.frameworks.jax.numbers import Numbers
from benchproof.collectors.workloads.workload import Float32, Workload

jax: Any = import_module("jax")


class JaxProgram:
    """A model's function with its weights and one batch on the device.

    `on_close` hears when the program is closed.
    """

    redundant_parameters = 0

    def __init__(
        self,
        workload: Workload,
        arrays: tuple[Mapping[str, Float32], Float32],
        told: Numbers,
        device: Any,
        compiled: bool,
        on_close: Callable[["JaxProgram"], None],
    ) -> None:
        self._device = device
        self._earlier_peak_bytes = devices.peak_memory_bytes(device)
        weights, inputs = arrays
        self._weights = {name: _put(array, told, device) for name, array in weights.items()}
        self._inputs = _put(inputs, told, device)
        trained = [array for name, array in self._weights.items()
                   if name not in workload.buffer_shapes]  # fmt: skip
        self.parameter_count = sum(array.size for array in trained)
        self.parameter_bytes = sum(array.nbytes for array in self._weights.values())
        self._model = models.build(workload.layers, told.products)
        self._compiled = jax.jit(self._model) if compiled else None
        self._run = self._compiled or self._op_by_op
        self._on_close = on_close

    def call(self) -> Any:
        """Start one call and give its output, which may still be computed."""
        return self._run(self._weights, self._inputs)

    def _op_by_op(self, weights: models.Weights, inputs: Any) -> Any:
        # New arrays, such as a recurrent layer's first state, would else lie on the first GPU.
        with jax.default_device(self._device):
            return self._model(weights, inputs)

    def wait(self, output: Any) -> None:
        """Return when the output has been computed."""
        output.block_until_ready()

    def fetch(self, output: Any) -> NDArray[np.float64]:
        """The output as NumPy has it, in double precision."""
        return np.asarray(output).astype(np.float64)

    def placed(self, output: Any) -> Placed:
        """Where the output lives, read from the output itself."""
        return devices.placed(output)

    def compilation(self) -> Compilation | None:
        """Executables that `jax.jit` holds for the model: one, which is all of it, when it ran."""
        if self._compiled is None:
            return None
        graphs = self._compiled._cache_size()
        note = None if graphs else "jax.jit has compiled nothing (JAX_DISABLE_JIT, or no call yet)"
        return Compilation(graphs, float(graphs > 0), note)

    def counted_flops(self) -> int | None:
        """FLOPs by XLA's cost analysis, elementwise work included; None for a recurrent model."""
        return flops.counted(self._model, self._weights, self._inputs)

    def device_timer(self) -> Callable[[int], list[int]] | None:
        """None: JAX has no public call for the device's clock."""
        return None

    def peak_memory_bytes(self) -> int | None:
        """Peak of the device's memory since the program was made.

        JAX counts it since the process began: None where the peak is an earlier program's.
        """
        peak = devices.peak_memory_bytes(self._device)
        if peak is None or self._earlier_peak_bytes is None or peak <= self._earlier_peak_bytes:
            return None
        return peak

    def close(self) -> None:
        """Free the arrays and the compiled function."""
        for array in (*self._weights.values(), self._inputs):
            array.delete()
        if self._compiled is not None:
            self._compiled.clear_cache()
        self._on_close(self)


def _put(array: Float32, told: Numbers, device: Any) -> Any:
    return jax.device_put(array.astype(told.dtype), device)
