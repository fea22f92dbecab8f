"""How JAX is told each precision: the arrays' type, and that of products inside operations.

Every product names its precision itself, so that programs of several can live in one process: JAX's
default on a GPU is tf32 for fp32 arrays, and its setting is one for the whole process.
"""

from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from benchproof.collectors.frameworks.base import UnsupportedError
from benchproof.collectors.frameworks.jax.devices import need
from benchproof.model.keys import Device, Precision

jax: Any = import_module("jax")
jnp: Any = import_module("jax.numpy")
lax: Any = import_module("jax.lax")


@dataclass(frozen=True)
class Numbers:
    """The arrays' type, and `jax.lax.Precision` of matrix products and convolutions."""

    dtype: Any
    products: Any


NUMBERS = {
    Precision.FP32: Numbers(jnp.float32, lax.Precision.HIGHEST),
    Precision.TF32: Numbers(jnp.float32, lax.Precision.DEFAULT),
    Precision.BF16: Numbers(jnp.bfloat16, lax.Precision.DEFAULT),
    Precision.FP16: Numbers(jnp.float16, lax.Precision.DEFAULT),
}


def numbers(precision: Precision, device: Device) -> Numbers:
    """How JAX is told a precision; UnsupportedError where the device has no such arithmetic."""
    found = NUMBERS.get(precision)
    if found is None or (precision is Precision.TF32 and not _has_tf32(device)):
        raise UnsupportedError(f"JAX has no {precision} arithmetic on {device} here")
    return found


def working(device: Device) -> tuple[Precision, ...]:
    """Precisions in which a small product and a small convolution come out right on the device.

    On a CPU, XLA computes bf16 and fp16 convolutions in fp32 and rounds what they give.
    """
    return tuple(precision for precision in NUMBERS if _works(precision, device))


def _works(precision: Precision, device: Device) -> bool:
    try:
        told = numbers(precision, device)
        ones = jax.device_put(np.ones((1, 4, 4, 4), told.dtype), need(device))
        product, filtered = jax.jit(partial(_products, told.products))(ones)
        return bool((np.asarray(product) == 4).all() and (np.asarray(filtered) == 16).all())
    except (UnsupportedError, RuntimeError):
        return False


def _products(precision: Any, ones: Any) -> tuple[Any, Any]:
    product = jnp.matmul(ones, ones, precision=precision)
    filtered = lax.conv_general_dilated(
        ones, ones, (1, 1), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC"),
        precision=precision,
    )  # fmt: skip
    return product, filtered


def _has_tf32(device: Device) -> bool:
    """Whether the GPU's matrix units take tf32: those of NVIDIA do since Ampere (8.0)."""
    if device is not Device.CUDA:
        return False
    return float(getattr(need(device), "compute_capability", 0)) >= 8
