"""Two compiled functions by which a device's ceilings are measured."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from benchproof.collectors.frameworks.jax.numbers import Numbers

jax: Any = import_module("jax")
jnp: Any = import_module("jax.numpy")

Call = Callable[[], Any]
Wait = Callable[[Any], None]
SCALE = 3.0


def matrix_product(size: int, told: Numbers, device: Any) -> tuple[Call, Wait]:
    """A square matrix product of random numbers: the call, and the wait for it."""
    # Zeros would draw less power, so that a GPU would clock higher than with a model's numbers.
    with jax.default_device(device):
        keys = jax.random.split(jax.random.key(0))
        left, right = (jax.random.normal(key, (size, size)).astype(told.dtype) for key in keys)
    run = jax.jit(lambda left, right: jnp.matmul(left, right, precision=told.products))
    return lambda: run(left, right), _wait


def triad(elements: int, device: Any) -> tuple[Call, Wait]:
    """STREAM's triad: the call, and the wait for it; a call takes the last one's output away."""
    return _Triad(elements, device), _wait


class _Triad:
    """`a = b + s * c`, into the same memory in every call, so that none is allocated."""

    def __init__(self, elements: int, device: Any) -> None:
        self._sum, self._b, self._c = (
            jax.device_put(np.full(elements, value, np.float32), device) for value in (0, 1, 2)
        )
        # JAX drops arguments that are not read, unless it is told to keep them.
        self._run = jax.jit(
            lambda a, b, c: b + SCALE * c,  # noqa: ARG005 - the output takes the memory of `a`
            donate_argnums=0,
            keep_unused=True,
        )

    def __call__(self) -> Any:
        self._sum = self._run(self._sum, self._b, self._c)
        return self._sum


def _wait(output: Any) -> None:
    output.block_until_ready()
