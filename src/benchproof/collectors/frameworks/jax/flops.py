"""How many FLOPs XLA counts in a function, before it optimises anything."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from benchproof.collectors.frameworks.jax.devices import find
from benchproof.model.keys import Device

jax: Any = import_module("jax")


def counted(function: Callable[..., Any], *arguments: Any) -> int | None:
    """FLOPs of one call by XLA's cost analysis; None where the function has a loop.

    It counts every arithmetic operation, elementwise ones too, but not the taps of a convolution
    that fall on padding, and the body of a loop only once. The module is lowered for the CPU,
    whatever it runs on: GPU plugins have no analysis of unoptimised modules.
    """
    host = find(Device.CPU)
    if host is None:
        return None
    lowered = jax.jit(function).lower(*_shapes(arguments, host))
    analysis = lowered.cost_analysis()
    if analysis is None or "stablehlo.while" in lowered.as_text():
        return None
    return round(float(analysis["flops"]))


def _shapes(arguments: Any, host: Any) -> Any:
    place = jax.sharding.SingleDeviceSharding(host)
    return jax.tree.map(
        lambda array: jax.ShapeDtypeStruct(array.shape, array.dtype, sharding=place), arguments
    )
