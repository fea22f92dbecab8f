"""Plain operations that measure what MLX's devices can do at most."""

from collections.abc import Callable
from typing import Any

from benchproof.collectors.frameworks.mlx.runtime import mx

Ceiling = tuple[Callable[[], Any], Callable[[Any], None]]


def matrix_product(size: int, on: Any, dtype: Any) -> Ceiling:
    """A product of two square matrices of `size`, started by the call."""
    with mx.stream(on):
        left, right = (mx.random.normal((size, size)).astype(dtype) for _ in range(2))
        mx.eval(left, right)
    return _started(lambda: left @ right, on), mx.eval


def triad(elements: int, on: Any) -> Ceiling:
    """`b + s * c` in one kernel by `mx.compile`, so that no product goes through memory."""
    with mx.stream(on):
        addend, factor = (mx.full((elements,), value) for value in (1.0, 2.0))
        scale = mx.array(3.0)
        mx.eval(addend, factor, scale)
    fused = mx.compile(lambda b, s, c: b + s * c)
    return _started(lambda: fused(addend, scale, factor), on), mx.eval


def _started(build: Callable[[], Any], on: Any) -> Callable[[], Any]:
    def call() -> Any:
        with mx.stream(on):
            output = build()
            mx.async_eval(output)
        return output

    return call
