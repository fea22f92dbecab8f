"""How a function is called on one device: eager, as a graph, or compiled by XLA."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any

from benchproof.collectors.frameworks.base import Compilation
from benchproof.collectors.frameworks.tensorflow.runtime import device_name, gpu_kind, tf
from benchproof.model.keys import Device, Precision

EAGER, GRAPH, XLA = "eager", "tf.function", "tf.function(jit_compile=True)"

_PYTHON = {"PyFunc", "PyFuncStateless", "EagerPyFunc"}


class Execution:
    """A function of tensors, wrapped as a variant says and bound to a device."""

    def __init__(
        self, function: Callable[..., Any], variant: str, device: Device, precision: Precision
    ) -> None:
        self._variant = variant
        self._scope = _scope(device)
        self._run: Any = function
        if variant != EAGER:
            # `None` would leave the choice of XLA to a flag of the environment.
            self._run = tf.function(function, jit_compile=variant == XLA)
        self._set_tf32: Callable[[], None] | None = None
        if device is Device.CUDA:
            set_tf32 = tf.config.experimental.enable_tensor_float_32_execution
            self._set_tf32 = partial(set_tf32, precision is Precision.TF32)

    def __call__(self, *tensors: Any) -> Any:
        """Start the function; on a CPU it has been computed when this returns."""
        if self._set_tf32 is not None:
            # The switch is the process's, and on by default: programs of both kinds may alternate.
            self._set_tf32()
        with self._scope:
            return self._run(*tensors)

    def compilation(self, *tensors: Any) -> Compilation | None:
        """Graphs traced so far; none where TensorFlow was told to run functions eagerly."""
        if self._variant == EAGER:
            return None
        traced = self._run.experimental_get_tracing_count()
        if traced == 0:
            return Compilation(0, 0.0, "tf.function was told to run eagerly, or never ran")
        with self._scope:
            graph = self._run.get_concrete_function(*tensors)
        if self._variant == XLA and not graph.function_def.attr["_XlaMustCompile"].b:
            return Compilation(0, 0.0, "a graph, but not one that XLA has to compile")
        if outside := _PYTHON & operations(graph.graph):
            return Compilation(traced, None, f"calls back into Python: {', '.join(outside)}")
        return Compilation(traced, 1.0)


def wait(device: Device) -> None:
    """Return when all that was started on the device has been computed."""
    if device is not Device.CPU:
        tf.test.experimental.sync_devices()


def operations(graph: Any) -> set[str]:
    """Kinds of operation in a graph and in the functions that it calls."""
    told = graph.as_graph_def()
    inner = (node for function in told.library.function for node in function.node_def)
    return {node.op for node in (*told.node, *inner)}


def _scope(device: Device) -> AbstractContextManager[Any]:
    # With one device there is nothing to choose, and entering a scope takes microseconds.
    scope: AbstractContextManager[Any] = tf.device(device_name(device))
    return nullcontext() if gpu_kind() is None else scope
