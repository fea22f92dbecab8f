"""The largest rates that PyTorch itself reaches: a square product and STREAM's triad."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from benchproof.collectors.frameworks.pytorch.arithmetic import DTYPES, Tf32Switch
from benchproof.collectors.frameworks.pytorch.runtimes import Runtime
from benchproof.model.keys import Precision

torch: Any = import_module("torch")

Timed = tuple[Callable[[], Any], Callable[[Any], None]]


def matrix_product(size: int, runtime: Runtime, precision: Precision, switch: Tf32Switch) -> Timed:
    """A product of two matrices of `size`, written into a third, and the wait for it."""
    make = {"device": runtime.torch_device, "dtype": DTYPES[precision]}
    # Numbers that are not all alike: a GPU draws less power, and runs faster, on zeros.
    left, right = (torch.randn(size, size, **make) for _ in range(2))
    product = torch.empty(size, size, **make)

    def call() -> Any:
        switch.turn(precision is Precision.TF32)
        return torch.mm(left, right, out=product)

    return call, lambda _: runtime.synchronise()


def triad(elements: int, runtime: Runtime) -> Timed:
    """`a = b + 3 c` over fp32 arrays, written into `a`, and the wait for it."""
    make = {"device": runtime.torch_device, "dtype": torch.float32}
    b, c = (torch.randn(elements, **make) for _ in range(2))
    a = torch.empty(elements, **make)
    return lambda: torch.add(b, c, alpha=3.0, out=a), lambda _: runtime.synchronise()
