"""What TensorFlow can do here: devices, variants, precisions; and programs for them."""

import os
from collections.abc import Callable, Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from benchproof.collectors.frameworks.base import UnsupportedError, Variant
from benchproof.collectors.frameworks.tensorflow import ceilings, model
from benchproof.collectors.frameworks.tensorflow.execution import EAGER, GRAPH, XLA
from benchproof.collectors.frameworks.tensorflow.program import TensorFlowProgram
from benchproof.collectors.frameworks.tensorflow.runtime import (
    DTYPES,
    device_name,
    gpu_kind,
    keras,
    prepare,
    tf,
)
from benchproof.collectors.workloads.workload import Float32, Workload
from benchproof.model.keys import CompileCache, Device, Framework, Precision, VariantKind

_VARIANTS = (
    Variant(EAGER, VariantKind.EAGER),
    Variant(GRAPH, VariantKind.COMPILED),
    Variant(XLA, VariantKind.COMPILED),
)


class TensorFlowAdapter:
    """TensorFlow as it is installed; programs of any devices and precisions may live together."""

    framework = Framework.TENSORFLOW

    def __init__(self) -> None:
        prepare()

    def versions(self) -> dict[str, str]:
        """TensorFlow's version, Keras's, and that of Apple's plugin where it is installed."""
        found = {"tensorflow": str(tf.__version__), "keras": str(keras.__version__)}
        try:
            return {**found, "tensorflow-metal": version("tensorflow-metal")}
        except PackageNotFoundError:
            return found

    def devices(self) -> dict[Device, str]:
        """The CPU, and the first GPU where TensorFlow sees one."""
        found = {Device.CPU: tf.config.list_physical_devices("CPU")[0].name}
        gpu = gpu_kind()
        if gpu is not None:
            first = tf.config.list_physical_devices("GPU")[0]
            told = tf.config.experimental.get_device_details(first)
            found[gpu] = f"{first.name}, {told.get('device_name', 'no name told')}"
        return found

    def driver(self, device: Device) -> str | None:
        """Versions of CUDA and cuDNN that TensorFlow was built for; None elsewhere."""
        if device is not Device.CUDA:
            return None
        built = tf.sysconfig.get_build_info()
        return f"built for CUDA {built.get('cuda_version')}, cuDNN {built.get('cudnn_version')}"

    def threads(self) -> int | None:
        """Threads within one operation; None where TensorFlow was left to choose."""
        return int(tf.config.threading.get_intra_op_parallelism_threads()) or None

    def limit_threads(self, threads: int) -> None:
        """Let one operation use `threads` threads, and run one operation at a time.

        UnsupportedError once TensorFlow has started, when the number cannot be changed.
        """
        if threads == self.threads():
            return
        try:
            tf.config.threading.set_intra_op_parallelism_threads(threads)
            tf.config.threading.set_inter_op_parallelism_threads(1)
        except RuntimeError as bad:
            raise UnsupportedError(f"TensorFlow cannot change its threads now: {bad}") from None

    def variants(self, device: Device) -> tuple[Variant, ...]:
        """Eager, as a graph, and compiled by XLA, which tensorflow-metal lacks."""
        return _VARIANTS[:2] if device is Device.MPS else _VARIANTS

    def precisions(self, device: Device) -> tuple[Precision, ...]:
        """All that the device's kernels have: tensorflow-metal no bf16, only CUDA tf32."""
        lacking = {
            Device.CPU: {Precision.TF32},
            Device.CUDA: set(),
            Device.MPS: {Precision.TF32, Precision.BF16},
        }
        return tuple(kind for kind in DTYPES if kind not in lacking[device])

    def synchronisation(self, device: Device) -> str:
        """The call by which a program waits."""
        if device is Device.CPU:
            return "none: synchronous execution, operations return when computed"
        return "tf.test.experimental.sync_devices()"

    def compile_cache(self, variant: Variant) -> CompileCache | None:
        """OFF, as TensorFlow keeps no compiled code on disk; unless XLA is told to.

        None where a flag makes XLA keep it: TensorFlow does not tell what it finds there.
        """
        kept = "--tf_xla_persistent_cache_directory" in os.environ.get("TF_XLA_FLAGS", "")
        if variant.kind is VariantKind.EAGER or (variant.name == XLA and kept):
            return None
        return CompileCache.OFF

    def matrix_product(
        self, size: int, device: Device, precision: Precision
    ) -> tuple[Callable[[], Any], Callable[[Any], None]]:
        """A square matrix product of `size`, and the wait for it."""
        self._require(device, precision)
        return ceilings.matrix_product(size, device, precision)

    def triad(
        self, elements: int, device: Device
    ) -> tuple[Callable[[], Any], Callable[[Any], None]]:
        """STREAM's triad over fp32 arrays, and the wait for it."""
        self._require(device, Precision.FP32)
        return ceilings.triad(elements, device)

    def program(
        self,
        workload: Workload,
        weights: Mapping[str, Float32],
        inputs: Float32,
        variant: Variant,
        device: Device,
        precision: Precision,
    ) -> TensorFlowProgram:
        """The workload, ready to run; UnsupportedError where TensorFlow cannot."""
        self._require(device, precision)
        if variant not in self.variants(device):
            raise UnsupportedError(f"TensorFlow has no {variant.name} on {device}")
        # XLA cannot compile cuDNN's LSTM, and TensorFlow need not have it for bfloat16.
        cudnn = device is Device.CUDA and variant.name != XLA and precision is not Precision.BF16
        with tf.device(device_name(device)):
            built = model.build(workload, weights, DTYPES[precision], cudnn)
        return TensorFlowProgram(built, inputs, variant.name, device, precision)

    def _require(self, device: Device, precision: Precision) -> None:
        if device not in self.devices():
            raise UnsupportedError(f"TensorFlow finds no {device} here")
        if precision not in self.precisions(device):
            raise UnsupportedError(f"TensorFlow has no {precision} on {device} here")


def adapter() -> TensorFlowAdapter:
    """The adapter of the framework that is installed; ImportError where there is none."""
    return TensorFlowAdapter()
