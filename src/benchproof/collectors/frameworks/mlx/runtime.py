"""MLX itself, bound as `Any`: it need not be installed where the types are checked."""

from importlib import import_module
from typing import Any

from benchproof.model.keys import Device, Precision

mx: Any = import_module("mlx.core")
nn: Any = import_module("mlx.nn")
tree_flatten: Any = import_module("mlx.utils").tree_flatten

DTYPES = {Precision.FP32: mx.float32, Precision.BF16: mx.bfloat16, Precision.FP16: mx.float16}


def has_cuda() -> bool:
    """Whether this MLX is built for CUDA and finds a GPU; older ones have no such module."""
    return bool(hasattr(mx, "cuda") and mx.cuda.is_available())


def gpu_kind() -> Device | None:
    """What `mx.gpu` is here; None where there is no GPU."""
    if mx.metal.is_available():
        return Device.MPS
    return Device.CUDA if has_cuda() else None


def mlx_device(device: Device) -> Any:
    """MLX's own object for a device that `MlxAdapter.devices` names."""
    return mx.Device(mx.cpu if device is Device.CPU else mx.gpu, 0)
