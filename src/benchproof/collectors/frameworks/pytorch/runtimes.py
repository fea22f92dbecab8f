"""What a kind of device gives: how to wait for it, its own clock, its memory.

Each class takes the framework's module that it uses, so that a stand-in can take its place.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol

from benchproof.model.keys import Device

torch: Any = import_module("torch")

Call = Callable[[], Any]


class Runtime(Protocol):
    """A device as programs use it; `torch_device` is what tensors are made on."""

    torch_device: Any
    synchronisation: str

    def synchronise(self) -> None:
        """Return when everything that was started has been computed."""

    def timed(self, call: Call, calls: int) -> list[int] | None:
        """Nanoseconds of each call by the device's own clock; None where it has none."""

    def allocated_bytes(self) -> int | None:
        """Memory that tensors hold on the device now."""

    def growth_bytes(self, call: Call) -> int | None:
        """Most memory that a call needs besides what is held before it."""

    def free(self) -> None:
        """Give memory back that nothing holds any more."""


class Host:
    """The CPU: a call returns when it has been computed, and nothing tells its memory."""

    torch_device = "cpu"
    synchronisation = "none: an operation on the CPU returns when it has been computed"

    def synchronise(self) -> None:
        """Nothing: there is nothing left to wait for."""

    def timed(self, call: Call, calls: int) -> None:
        """None: the host's clock is the only one."""

    def allocated_bytes(self) -> None:
        """None: PyTorch keeps no count on the CPU."""

    def growth_bytes(self, call: Call) -> None:
        """None: PyTorch keeps no count on the CPU."""

    def free(self) -> None:
        """Nothing: memory goes back by itself."""


class Metal:
    """Apple's GPU.

    `torch.mps.Event` is no clock of the device: it notes the host's time when a notification
    arrives on a thread of the host. The driver tells what is held, not its peak.
    """

    torch_device = "mps"
    synchronisation = "torch.mps.synchronize()"

    def __init__(self, mps: Any) -> None:
        self._mps = mps

    def synchronise(self) -> None:
        """Wait for all command buffers."""
        self._mps.synchronize()

    def timed(self, call: Call, calls: int) -> None:
        """None: see the class."""

    def allocated_bytes(self) -> int:
        """Memory that tensors hold on the device now."""
        return int(self._mps.current_allocated_memory())

    def growth_bytes(self, call: Call) -> None:
        """None: no peak is told."""

    def free(self) -> None:
        """Empty the allocator's cache."""
        self._mps.empty_cache()


class Cuda:
    """An NVIDIA GPU, the current one."""

    synchronisation = "torch.cuda.synchronize()"

    def __init__(self, cuda: Any, torch_device: str = "cuda") -> None:
        self._cuda = cuda
        self.torch_device = torch_device
        self._stream: Any = None

    def synchronise(self) -> None:
        """Wait for all streams."""
        self._cuda.synchronize()

    def timed(self, call: Call, calls: int) -> list[int]:
        """Nanoseconds of each call, between two events of its stream.

        Where the host launches slower than the device computes, the gaps count as well.
        """
        pairs = [(self._event(), self._event()) for _ in range(calls)]
        for before, after in pairs:
            before.record()
            call()
            after.record()
        self._cuda.synchronize()
        return [round(before.elapsed_time(after) * 1e6) for before, after in pairs]

    def allocated_bytes(self) -> int:
        """Memory that tensors hold on the device now."""
        return int(self._cuda.memory_allocated())

    def growth_bytes(self, call: Call) -> int:
        """Most memory that a call needs besides what is held before it."""
        self._cuda.synchronize()
        before = self._cuda.memory_allocated()
        self._cuda.reset_peak_memory_stats()
        call()
        self._cuda.synchronize()
        return int(self._cuda.max_memory_allocated() - before)

    def free(self) -> None:
        """Empty the allocator's cache."""
        self._cuda.empty_cache()

    def warm_up(self, call: Call, calls: int = 3) -> None:
        """Calls in the stream of captures: what libraries set up lazily can't be captured."""
        stream = self._side_stream()
        stream.wait_stream(self._cuda.current_stream())
        with self._cuda.stream(stream):
            for _ in range(calls):
                call()
        self._cuda.current_stream().wait_stream(stream)

    def capture(self, call: Call) -> tuple[Any, Any]:
        """A CUDA graph of one call, and the output that each replay writes."""
        graph = self._cuda.CUDAGraph()
        with self._cuda.graph(graph, stream=self._side_stream()):
            output = call()
        return graph, output

    def _side_stream(self) -> Any:
        # One for all: cuBLAS keeps a workspace of tens of MiB for every stream that it ran in.
        if self._stream is None:
            self._stream = self._cuda.Stream()
        return self._stream

    def _event(self) -> Any:
        return self._cuda.Event(enable_timing=True)


def runtime(device: Device) -> Runtime:
    """The device of this machine."""
    if device is Device.CUDA:
        return Cuda(torch.cuda)
    return Metal(torch.mps) if device is Device.MPS else Host()
