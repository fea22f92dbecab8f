"""Ceilings are the best of calls that were waited for, at the size that gives the most."""

import re
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
import pytest

from benchproof.collectors.frameworks.base import UnsupportedError
from benchproof.collectors.machine import ceilings, pace
from benchproof.collectors.machine.ceilings import array_bytes, measure_ceilings
from benchproof.model.keys import Device, Framework, Precision
from benchproof.model.raw import Ceiling

GIB = 1 << 30
Pair = tuple[Callable[[], Any], Callable[[Any], None]]


class FakeFramework:
    """A framework on a machine whose clock is ours: calls take time, and so do waits."""

    framework = Framework.PYTORCH

    def __init__(
        self,
        flops_per_s: Callable[[int, int], float] = lambda size, call: 1e12,
        precisions: tuple[Precision, ...] = (Precision.FP32,),
        bytes_per_s: float = 1e11,
        wait_s: float = 0.0,
        ready_s: float = 0.0,
    ) -> None:
        self.now_ns = 0
        self.sizes: list[int] = []
        self.asked: list[Precision] = []
        self.elements = 0
        self._flops_per_s = flops_per_s
        self._precisions = precisions
        self._bytes_per_s = bytes_per_s
        self._wait_s = wait_s
        self._ready_s = ready_s

    def clock(self) -> int:
        return self.now_ns

    def versions(self) -> dict[str, str]:
        return {"torch": "9.9"}

    def precisions(self, device: Device) -> tuple[Precision, ...]:
        return self._precisions

    def matrix_product(self, size: int, device: Device, precision: Precision) -> Pair:
        self.sizes.append(size)
        self.asked.append(precision)
        if precision is Precision.BF16:
            raise UnsupportedError("no bf16 here")
        calls = iter(range(10**6))
        self.now_ns += round(self._ready_s * 1e9)
        return self._timed(lambda: 2 * size**3 / self._flops_per_s(size, next(calls)))

    def triad(self, elements: int, device: Device) -> Pair:
        self.elements = elements
        return self._timed(lambda: 12 * elements / self._bytes_per_s)

    def _timed(self, seconds: Callable[[], float]) -> Pair:
        def call() -> None:
            self.now_ns += round(seconds() * 1e9)

        def wait(output: Any) -> None:
            self.now_ns += round(self._wait_s * 1e9)

        return call, wait


@pytest.fixture(autouse=True)
def machine_of_8_gib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ceilings, "host_memory_bytes", lambda: 8 * GIB)
    monkeypatch.setattr(ceilings, "last_level_cache_bytes", lambda: 32 << 20)
    monkeypatch.setattr(ceilings, "find_gpu", lambda: None)


def measure(
    fake: FakeFramework, budget_s: float = 3.0, device: Device = Device.CPU
) -> list[Ceiling]:
    told = measure_ceilings(fake, device, budget_s, fake.clock)  # type: ignore[arg-type]
    return [msgspec.convert(ceiling, Ceiling) for ceiling in told]


def test_flops_come_from_the_size_that_gives_most() -> None:
    fake = FakeFramework(lambda size, call: {2048: 9e11}.get(size, 5e11))
    product, _ = measure(fake)
    assert product.value == pytest.approx(9e11)
    assert product.precision is Precision.FP32
    assert product.source.startswith("PyTorch 9.9 matrix product 2048 x 2048, best of ")


def test_a_rate_that_no_longer_rises_ends_the_search() -> None:
    fake = FakeFramework(lambda size, call: 5e13)
    measure(fake)
    assert fake.sizes == [256, 512, 1024, 2048]


def test_the_best_call_counts_and_the_first_never() -> None:
    def rate(size: int, call: int) -> float:
        return 9e12 if call == 0 else 8e11 if call == 9 and size == 512 else 5e11

    product, _ = measure(FakeFramework(rate))
    assert product.value == pytest.approx(8e11, rel=1e-4)


def test_a_slow_machine_is_asked_no_more_than_the_budget_allows() -> None:
    fake = FakeFramework(lambda size, call: 1e9, bytes_per_s=1e11)
    product, _ = measure(fake, budget_s=3.0)
    assert product.value == pytest.approx(1e9)
    assert fake.sizes == [256, 512]
    assert fake.now_ns < 4.5e9


def test_time_is_shared_by_the_precisions() -> None:
    fake = FakeFramework(
        lambda size, call: 1e11 * size, (Precision.FP32, Precision.FP16), bytes_per_s=1e11
    )
    found = measure(fake, budget_s=3.0)
    assert [ceiling.precision for ceiling in found] == [Precision.FP32, Precision.FP16, None]
    assert fake.now_ns < 3.3e9


def test_what_the_framework_does_not_support_is_left_out() -> None:
    found = measure(FakeFramework(precisions=(Precision.BF16, Precision.FP32)))
    assert [ceiling.precision for ceiling in found] == [Precision.FP32, None]


def test_a_gpu_s_calls_share_the_time_of_a_start_and_a_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rests: list[float] = []
    monkeypatch.setattr(pace.time, "sleep", rests.append)
    fake = FakeFramework(lambda size, call: 7e14, bytes_per_s=4e12, wait_s=2e-4)
    product, triad = measure(fake, device=Device.CUDA)
    assert product.value == pytest.approx(7e14, rel=0.03)
    assert triad.value == pytest.approx(4e12, rel=0.03)
    assert " calls" in product.source
    assert len(rests) > len(fake.sizes)


def test_what_a_gpu_s_compiler_takes_is_spared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace.time, "sleep", lambda seconds: None)
    slow = FakeFramework(lambda size, call: 5e13, ready_s=1.0)
    product, _ = measure(slow, device=Device.CUDA)
    assert slow.sizes == [4096, 8192, 12288]
    found = re.search(r"best of (\d+) runs", product.source)
    assert found
    assert int(found[1]) > 20  # the time for repeating the best size is still there
    hopeless = FakeFramework(lambda size, call: 5e13, ready_s=20.0)
    product, _ = measure(hopeless, device=Device.CUDA)
    assert hopeless.sizes == [4096]
    assert product.value == pytest.approx(5e13, rel=0.01)


def test_a_cpu_never_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace.time, "sleep", lambda seconds: pytest.fail("rested"))
    product, _ = measure(FakeFramework())
    assert product.value == pytest.approx(1e12, rel=1e-4)


def test_the_triad_counts_three_arrays_beyond_the_cache() -> None:
    fake = FakeFramework(bytes_per_s=2e10)
    *_, triad = measure(fake)
    assert triad.value == pytest.approx(2e10)
    assert fake.elements * 4 == 4 * (32 << 20)
    assert "3 arrays of 128 MiB" in triad.source
    assert "no write-allocate counted" in triad.source


@pytest.mark.parametrize(
    ("device", "memory", "cache", "size"),
    [
        (Device.CPU, 8 * GIB, None, 64 << 20),
        (Device.CPU, 8 * GIB, 256 << 20, GIB),
        (Device.CPU, 4 * GIB, 256 << 20, GIB // 2),
        (Device.CPU, 512 * GIB, 1200 << 20, 2 * GIB),
        (Device.CUDA, 141 * GIB, None, GIB),
        (Device.CUDA, 4 * GIB, None, GIB // 2),
        (Device.MPS, 8 * GIB, None, GIB // 2),
    ],
)
def test_an_array_is_far_larger_than_a_cache_and_far_smaller_than_memory(
    device: Device, memory: int, cache: int | None, size: int
) -> None:
    assert array_bytes(device, memory, cache) == size


def test_matrices_fit_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ceilings, "host_memory_bytes", lambda: 64 << 20)
    fake = FakeFramework(lambda size, call: 1e12 * size)
    measure(fake)
    assert max(fake.sizes) == 1024


class NumpyFramework(FakeFramework):
    """NumPy in a framework's place, by the real clock."""

    def matrix_product(self, size: int, device: Device, precision: Precision) -> Pair:
        left, right = np.random.default_rng(0).standard_normal((2, size, size), dtype=np.float32)
        return lambda: left @ right, lambda output: None

    def triad(self, elements: int, device: Device) -> Pair:
        a, b, c = np.full((3, elements), 1, dtype=np.float32)
        return lambda: np.add(b, np.multiply(c, 3.0, out=a), out=a), lambda output: None


def test_a_real_machine_gives_plausible_rates() -> None:
    product, triad = [
        msgspec.convert(c, Ceiling)
        for c in measure_ceilings(NumpyFramework(), Device.CPU, 0.5)  # type: ignore[arg-type]
    ]
    assert 1e8 < product.value < 1e14
    assert 1e7 < triad.value < 1e13
