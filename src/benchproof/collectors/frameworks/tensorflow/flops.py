"""FLOPs of a function as TensorFlow's own profiler counts them."""

from typing import Any

from benchproof.collectors.frameworks.tensorflow.execution import operations
from benchproof.collectors.frameworks.tensorflow.runtime import tf

# The profiler knows no FLOPs of these, and it counts the body of a loop once.
_UNCOUNTED = {"Einsum", "XlaEinsum", "CudnnRNNV3", "While", "StatelessWhile"}


def counted(function: Any, *tensors: Any) -> int | None:
    """FLOPs of one call, elementwise work included; None where the profiler leaves work out."""
    graph = tf.function(function, jit_compile=False).get_concrete_function(*tensors).graph
    if _UNCOUNTED & operations(graph):
        return None
    options = tf.compat.v1.profiler.ProfileOptionBuilder
    told = tf.compat.v1.profiler.profile(
        graph, options=options(options.float_operation()).with_empty_output().build()
    )
    return None if told is None else int(told.total_float_ops)
