"""Plain operations that measure what TensorFlow's devices can do at most."""

from collections.abc import Callable
from functools import partial
from typing import Any

from benchproof.collectors.frameworks.tensorflow import execution
from benchproof.collectors.frameworks.tensorflow.execution import GRAPH, XLA, Execution
from benchproof.collectors.frameworks.tensorflow.runtime import DTYPES, device_name, tf
from benchproof.model.keys import Device, Precision

Ceiling = tuple[Callable[[], Any], Callable[[Any], None]]


def matrix_product(size: int, device: Device, precision: Precision) -> Ceiling:
    """A product of two square matrices of `size`, in a graph."""
    with tf.device(device_name(device)):
        left, right = (tf.cast(tf.random.normal((size, size)), DTYPES[precision]) for _ in range(2))
    product = Execution(tf.matmul, GRAPH, device, precision)
    return partial(product, left, right), partial(_wait, device)


def triad(elements: int, device: Device) -> Ceiling:
    """`b + s * c` in one kernel of XLA, so that no product goes through memory.

    On mps, which has no XLA, the two operations run one after the other.
    """
    with tf.device(device_name(device)):
        addend, factor = (tf.fill((elements,), value) for value in (1.0, 2.0))
        scale = tf.constant(3.0)
    variant = GRAPH if device is Device.MPS else XLA
    total = Execution(lambda b, s, c: b + s * c, variant, device, Precision.FP32)
    return partial(total, addend, scale, factor), partial(_wait, device)


def _wait(device: Device, output: Any) -> None:
    del output
    execution.wait(device)
