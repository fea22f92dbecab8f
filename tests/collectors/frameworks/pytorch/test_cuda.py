"""CUDA's paths: on any machine through a stand-in for `torch.cuda`, on a card as it is."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

import numpy as np
import pytest

from benchproof.collectors.frameworks.base import UnsupportedError, Variant
from benchproof.collectors.workloads.catalogue import SMALL, WORKLOADS
from benchproof.collectors.workloads.workload import Workload
from benchproof.model.keys import Device, Precision

pytest.importorskip("torch")

import torch

from benchproof.collectors.frameworks.pytorch import models
from benchproof.collectors.frameworks.pytorch.adapter import CUDA_GRAPH, EAGER, PyTorch
from benchproof.collectors.frameworks.pytorch.arithmetic import Tf32Switch
from benchproof.collectors.frameworks.pytorch.compilation import compiled
from benchproof.collectors.frameworks.pytorch.program import Loaded, PyTorchProgram
from benchproof.collectors.frameworks.pytorch.runtimes import Cuda, Host

needs_cuda = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")


class FakeEvent:
    def __init__(self, cuda: "FakeCuda") -> None:
        self._cuda = cuda
        self.at_ms: int | None = None

    def record(self) -> None:
        self._cuda.log.append("event")
        self.at_ms = next(self._cuda.clock)

    def elapsed_time(self, later: "FakeEvent") -> float:
        assert self._cuda.log[-1] == "synchronize", "read before the events had happened"
        assert self.at_ms is not None
        assert later.at_ms is not None
        return float(later.at_ms - self.at_ms)


class FakeStream:
    def __init__(self, cuda: "FakeCuda", name: str) -> None:
        self._cuda = cuda
        self.name = name

    def wait_stream(self, other: "FakeStream") -> None:
        self._cuda.log.append(f"{self.name} waits for {other.name}")


class FakeGraph:
    def __init__(self, cuda: "FakeCuda") -> None:
        self._cuda = cuda

    def replay(self) -> None:
        self._cuda.log.append("replay")


class FakeCuda:
    """The calls of `torch.cuda` that the adapter makes, noted in `log`; memory is scripted."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self.clock = count()
        self.allocated = 1000
        self.peak = 0

    def Event(self, enable_timing: bool) -> FakeEvent:  # noqa: N802
        assert enable_timing
        return FakeEvent(self)

    def Stream(self) -> FakeStream:  # noqa: N802
        self.log.append("new stream")
        return FakeStream(self, "side")

    def CUDAGraph(self) -> FakeGraph:  # noqa: N802
        return FakeGraph(self)

    def current_stream(self) -> FakeStream:
        return FakeStream(self, "main")

    @contextmanager
    def stream(self, stream: FakeStream) -> Iterator[None]:
        self.log.append(f"enter {stream.name}")
        yield
        self.log.append(f"leave {stream.name}")

    @contextmanager
    def graph(self, graph: FakeGraph, stream: FakeStream) -> Iterator[None]:
        self.log.append(f"begin capture in {stream.name}")
        yield
        self.log.append("end capture")

    def synchronize(self) -> None:
        self.log.append("synchronize")

    def memory_allocated(self) -> int:
        return self.allocated

    def reset_peak_memory_stats(self) -> None:
        self.peak = self.allocated

    def max_memory_allocated(self) -> int:
        return self.peak

    def empty_cache(self) -> None:
        self.log.append("empty cache")

    def work(self, scratch_bytes: int) -> None:
        """What a kernel does: it is noted, and needs memory while it runs."""
        self.log.append("work")
        self.peak = max(self.peak, self.allocated + scratch_bytes)


def make(cuda: FakeCuda, variant: Variant) -> PyTorchProgram:
    """FF DNN on the stand-in; each call of the module needs 500 bytes for a while."""
    workload = WORKLOADS["ff-dnn"]
    module = models.build(workload)
    models.load(module, workload, workload.weights())
    module.register_forward_hook(lambda *_: cuda.work(500))
    on = Cuda(cuda, torch_device="cpu")
    return PyTorch().ready(workload, module, workload.inputs(2), variant, on, Precision.FP32)


def test_each_call_is_timed_between_its_own_events() -> None:
    cuda = FakeCuda()
    timer = make(cuda, EAGER).device_timer()
    assert timer is not None
    cuda.log.clear()
    assert timer(3) == [1_000_000] * 3
    assert cuda.log == ["event", "work", "event"] * 3 + ["synchronize"]


def test_wait_synchronises_the_device() -> None:
    cuda = FakeCuda()
    program = make(cuda, EAGER)
    output = program.call()
    assert cuda.log[-1] == "work"
    program.wait(output)
    assert cuda.log[-1] == "synchronize"


def test_a_graph_is_captured_once_after_a_warm_up_in_its_own_stream() -> None:
    cuda = FakeCuda()
    program = make(cuda, CUDA_GRAPH)
    cuda.log.clear()
    program.call()
    capture = [
        "new stream", "side waits for main", "enter side", "work", "work", "work", "leave side",
        "main waits for side", "begin capture in side", "work", "end capture",
    ]  # fmt: skip
    assert [each for each in cuda.log if each != "synchronize"] == [*capture, "replay"]
    assert cuda.log[-1] == "replay"


def test_later_calls_replay_into_one_output() -> None:
    cuda = FakeCuda()
    program = make(cuda, CUDA_GRAPH)
    first = program.call()
    cuda.log.clear()
    assert program.call() is first
    assert program.call() is first
    assert cuda.log == ["replay", "replay"]
    assert program.compilation() is None
    reference = WORKLOADS["ff-dnn"].reference(2)
    assert np.abs(program.fetch(first) - reference).max() / reference.std() < 1e-4


def test_peak_memory_is_the_programs_own() -> None:
    cuda = FakeCuda()
    program = make(cuda, EAGER)
    cuda.peak = 10**9  # somebody else's
    assert program.peak_memory_bytes() == 500


def test_peak_memory_of_a_graph_is_that_of_its_capture() -> None:
    cuda = FakeCuda()
    program = make(cuda, CUDA_GRAPH)
    assert program.peak_memory_bytes() is None
    program.call()
    cuda.log.clear()
    assert program.peak_memory_bytes() == 500
    assert cuda.log == []


def test_peak_memory_hidden_in_the_pool_of_graphs_is_not_told() -> None:
    program = make(FakeCuda(), compiled(mode="reduce-overhead"))
    assert program.peak_memory_bytes() is None


def test_closing_empties_the_cache() -> None:
    cuda = FakeCuda()
    program = make(cuda, CUDA_GRAPH)
    program.call()
    program.close()
    assert cuda.log[-1] == "empty cache"


class Tf32Reader:
    """A runner whose output is whether TF32 was allowed while it ran."""

    def __init__(self) -> None:
        self.later: Callable[[Any], Any] = self.first

    def first(self, inputs: Any) -> tuple[bool, bool]:
        return torch.backends.cuda.matmul.allow_tf32, torch.backends.cudnn.allow_tf32

    def compilation(self) -> None:
        return None

    def growth_bytes(self, call: Callable[[], Any]) -> None:
        return None


def test_alternating_precisions_each_run_under_their_own_tf32_setting() -> None:
    workload, switch = WORKLOADS["ff-dnn"], Tf32Switch()
    module = models.build(workload)
    off, on = (
        PyTorchProgram(
            workload=workload,
            size=models.measure(module),
            loaded=Loaded(module, torch.zeros(1), None),
            runner=Tf32Reader(),
            runtime=Host(),
            switch=switch,
            tf32=tf32,
        )
        for tf32 in (False, True)
    )
    try:
        assert [program.call() for program in (off, on, on, off, on)] == [
            (False, False), (True, True), (True, True), (False, False), (True, True),
        ]  # fmt: skip
    finally:
        switch.turn(False)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device")
def test_cuda_without_a_card_is_unsupported() -> None:
    workload = WORKLOADS["ff-dnn"]
    with pytest.raises(UnsupportedError, match="sees no cuda here"):
        PyTorch().program(
            workload, workload.weights(), workload.inputs(1), EAGER, Device.CUDA, Precision.FP32
        )


def test_a_graph_on_the_cpu_is_unsupported() -> None:
    workload = WORKLOADS["ff-dnn"]
    with pytest.raises(UnsupportedError, match="CUDA graph: PyTorch replays graphs on cuda alone"):
        PyTorch().program(
            workload, workload.weights(), workload.inputs(1), CUDA_GRAPH, Device.CPU, Precision.FP32
        )


def on_card(
    workload: Workload, variant: Variant, precision: Precision, batch: int = 4
) -> PyTorchProgram:
    program = PyTorch().program(
        workload, workload.weights(), workload.inputs(batch), variant, Device.CUDA, precision
    )
    assert isinstance(program, PyTorchProgram)
    return program


TOLERANCE = {Precision.FP32: 1e-4, Precision.TF32: 0.02, Precision.BF16: 0.1, Precision.FP16: 0.03}


@pytest.mark.gpu
@needs_cuda
@pytest.mark.parametrize("precision", TOLERANCE)
@pytest.mark.parametrize("variant", [EAGER, CUDA_GRAPH], ids=lambda each: each.kind)
@pytest.mark.parametrize("workload", SMALL, ids=lambda each: each.slug)
def test_a_card_agrees_with_the_reference(
    workload: Workload, variant: Variant, precision: Precision
) -> None:
    program = on_card(workload, variant, precision)
    for _ in range(3):
        output = program.call()
    program.wait(output)
    reference = workload.reference(2)
    error = np.abs(program.fetch(output)[:2] - reference).max() / reference.std()
    assert error < TOLERANCE[precision]
    if precision is not Precision.FP32:
        assert error > 1e-5
    assert program.placed(output).device is Device.CUDA
    timer = program.device_timer()
    assert timer is not None
    assert all(0 < each < 10**9 for each in timer(5))
    assert (program.peak_memory_bytes() or 0) >= program.parameter_bytes
    program.close()


@pytest.mark.gpu
@needs_cuda
def test_fp32_stays_fp32_while_tf32_programs_run_between() -> None:
    workload = WORKLOADS["cnn"]
    adapter = PyTorch()
    fp32, tf32 = (
        adapter.program(
            workload, workload.weights(), workload.inputs(4), EAGER, Device.CUDA, precision
        )
        for precision in (Precision.FP32, Precision.TF32)
    )
    before = fp32.fetch(fp32.call())
    other = tf32.fetch(tf32.call())
    assert np.array_equal(fp32.fetch(fp32.call()), before)
    assert not np.array_equal(other, before)


@pytest.mark.gpu
@pytest.mark.slow
@needs_cuda
@pytest.mark.parametrize("mode", ["default", "reduce-overhead"])
def test_inductor_on_a_card_compiles_whole_models(mode: str) -> None:
    workload = WORKLOADS["cnn"]
    for precision in (Precision.FP32, Precision.TF32):
        program = on_card(workload, compiled(mode=mode), precision)
        for _ in range(4):
            output = program.call()
        reference = workload.reference(2)
        error = np.abs(program.fetch(output)[:2] - reference).max() / reference.std()
        assert error < TOLERANCE[precision]
        told = program.compilation()
        assert told is not None
        assert (told.graphs, told.flops_share, told.note) == (1, 1.0, None)
        program.close()


@pytest.mark.gpu
@needs_cuda
@pytest.mark.parametrize("variant", [EAGER, CUDA_GRAPH], ids=lambda each: each.kind)
def test_closing_gives_the_cards_memory_back(variant: Variant) -> None:
    on_card(WORKLOADS["cnn"], variant, Precision.FP32).close()
    torch.cuda.synchronize()
    before = torch.cuda.memory_allocated()
    program = on_card(WORKLOADS["transformer"], variant, Precision.FP32, batch=256)
    program.wait(program.call())
    assert torch.cuda.memory_allocated() > before
    program.close()
    workspaces = 128 * 2**20  # cuBLAS keeps one a stream
    assert torch.cuda.memory_allocated() - before <= workspaces
