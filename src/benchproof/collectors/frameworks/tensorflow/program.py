"""One workload on TensorFlow: how a call starts, what it waits for, what was compiled."""

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchproof.collectors.frameworks.base import Compilation, Placed
from benchproof.collectors.frameworks.tensorflow import execution, flops
from benchproof.collectors.frameworks.tensorflow.execution import Execution
from benchproof.collectors.frameworks.tensorflow.runtime import device_name, placed_kind, tf
from benchproof.collectors.workloads.workload import Float32
from benchproof.model.keys import Device, Precision


class TensorFlowProgram:
    """A Keras model and inputs of one batch; the peak of memory is counted from here on."""

    redundant_parameters = 0

    def __init__(
        self, model: Any, inputs: Float32, variant: str, device: Device, precision: Precision
    ) -> None:
        self._model = model
        self._device = device
        with tf.device(device_name(device)):
            self._inputs = tf.cast(tf.constant(inputs), model.inputs[0].dtype)
        self._execution = Execution(self._forward, variant, device, precision)
        self.parameter_count = sum(prod(found.shape) for found in model.trainable_weights)
        self.parameter_bytes = sum(map(_nbytes, model.weights))
        if device is not Device.CPU:
            tf.config.experimental.reset_memory_stats("GPU:0")

    def _forward(self, x: Any) -> Any:
        return self._model(x, training=False)

    def call(self) -> Any:
        """The output's tensor."""
        return self._execution(self._inputs)

    def wait(self, output: Any) -> None:
        """Return when the output has been computed: on a CPU it has been already."""
        del output
        execution.wait(self._device)

    def fetch(self, output: Any) -> NDArray[np.float64]:
        """The output as NumPy has it, in double precision."""
        return np.asarray(output.numpy(), dtype=np.float64)

    def placed(self, output: Any) -> Placed:
        """The device whose memory holds the output, by the tensor itself."""
        text = str(output.backing_device)
        return Placed(placed_kind(text), text)

    def compilation(self) -> Compilation | None:
        """Graphs that `tf.function` traced for this program; None where it runs eagerly."""
        return self._execution.compilation(self._inputs)

    def counted_flops(self) -> int | None:
        """FLOPs by TensorFlow's profiler; None for models that it counts in part only."""
        return flops.counted(self._forward, self._inputs)

    def device_timer(self) -> Callable[[int], list[int]] | None:
        """None: TensorFlow gives Python no events of its device."""
        return None

    def peak_memory_bytes(self) -> int | None:
        """Peak of what TensorFlow allocated on the GPU, other living programs' included."""
        if self._device is Device.CPU:
            return None
        return int(tf.config.experimental.get_memory_info("GPU:0")["peak"])

    def close(self) -> None:
        """Let go of model, inputs and graphs; nothing else refers to them."""
        del self._model, self._inputs, self._execution


def _nbytes(variable: Any) -> int:
    return int(prod(variable.shape)) * int(tf.as_dtype(variable.dtype).size)
