"""TensorFlow and Keras themselves, imported quietly and bound as `Any`; and how they are set.

They need not be installed where the types are checked. ImportError where TensorFlow is missing,
or where Keras was told to use another framework.
"""

import os
import sys
from importlib import import_module
from typing import Any

from benchproof.model.keys import Device, Precision

# Without this, TensorFlow writes a page to stderr while it is imported and at its first kernel.
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
# Keras would else read the backend from a file in the user's home.
os.environ.setdefault("KERAS_BACKEND", "tensorflow")

tf: Any = import_module("tensorflow")
keras: Any = import_module("keras")

DTYPES = {
    Precision.FP32: "float32",
    Precision.TF32: "float32",
    Precision.BF16: "bfloat16",
    Precision.FP16: "float16",
}


def require_backend(name: str) -> None:
    """Refuse a Keras that computes with another framework: ImportError."""
    if name != "tensorflow":
        raise ImportError(
            f"Keras uses {name} here; unset KERAS_BACKEND or set it to tensorflow, "
            "and import Keras nowhere before"
        )


require_backend(keras.config.backend())
if os.environ["TF_CPP_MIN_LOG_LEVEL"] == "3":
    tf.get_logger().setLevel("ERROR")  # its Python part does not read the variable


def prepare() -> None:
    """Make TensorFlow fail where it would quietly do something else than it was asked to.

    An operation without a kernel on its device is an error, not a move to the CPU; and a CPU
    operation has been computed when it returns.
    """
    tf.config.set_soft_device_placement(False)
    tf.config.experimental.set_synchronous_execution(True)


def gpu_kind() -> Device | None:
    """What TensorFlow's "GPU" is here; None where it has none."""
    if not tf.config.list_physical_devices("GPU"):
        return None
    if tf.test.is_built_with_cuda():
        return Device.CUDA
    return Device.MPS if sys.platform == "darwin" else None


def device_name(device: Device) -> str:
    """TensorFlow's own name of a device that `TensorFlowAdapter.devices` names."""
    return "/device:CPU:0" if device is Device.CPU else "/device:GPU:0"


def placed_kind(text: str) -> Device | None:
    """Which device a tensor's own text names, such as `/job:localhost/…/device:CPU:0`."""
    kind = text.rpartition("device:")[2].partition(":")[0]
    if kind == "CPU":
        return Device.CPU
    return gpu_kind() if kind == "GPU" else None
