"""How a module is called: as it is, or by replaying a CUDA graph of it."""

from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol

from benchproof.collectors.frameworks.base import Compilation
from benchproof.collectors.frameworks.pytorch.runtimes import Cuda

torch: Any = import_module("torch")


class Runner(Protocol):
    """A way to call a module; `later` may be read after the first call alone."""

    later: Callable[[Any], Any]

    def first(self, inputs: Any) -> Any:
        """Output of the first call, which compiles or captures."""

    def compilation(self) -> Compilation | None:
        """What was compiled; None where nothing is."""

    def growth_bytes(self, call: Callable[[], Any]) -> int | None:
        """Most memory that a call needs besides what the program holds."""


class Eager:
    """The module itself."""

    def __init__(self, module: Any, measure: Callable[[Callable[[], Any]], int | None]) -> None:
        self._module = module
        self._measure = measure
        self.later: Callable[[Any], Any] = self.first

    def first(self, inputs: Any) -> Any:
        """The module's output."""
        with torch.inference_mode():
            return self._module(inputs)

    def compilation(self) -> None:
        """None: nothing is compiled."""

    def growth_bytes(self, call: Callable[[], Any]) -> int | None:
        """Measured on one more call."""
        return self._measure(call)


class Replay:
    """A CUDA graph of the module, captured on the first call; replays write one output."""

    def __init__(self, module: Any, cuda: Cuda) -> None:
        self._module = module
        self._cuda = cuda
        self._growth_bytes: int | None = None
        self.later: Callable[[Any], Any] = self.first

    def first(self, inputs: Any) -> Any:
        """Warm up, capture, and replay once: capturing computes nothing."""
        captured: list[Any] = []

        def call() -> Any:
            with torch.inference_mode():
                return self._module(inputs)

        self._cuda.warm_up(call)
        self._growth_bytes = self._cuda.growth_bytes(
            lambda: captured.extend(self._cuda.capture(call))
        )
        graph, output = captured

        def replay(_: Any) -> Any:
            graph.replay()
            return output

        self.later = replay
        return replay(inputs)

    def compilation(self) -> None:
        """None: kernels are replayed, not compiled."""

    def growth_bytes(self, call: Callable[[], Any]) -> int | None:  # noqa: ARG002
        """Measured while capturing: a replay's memory is not counted as allocated."""
        return self._growth_bytes
