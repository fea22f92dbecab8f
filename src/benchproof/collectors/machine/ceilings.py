"""What the device can do at most, measured: a matrix product per precision, and STREAM's triad.

Each is the best of repeated runs that were waited for one by one: the highest rate that the
framework reaches here, in a quiet moment. Nothing in a cell should be faster.
"""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from benchproof.collectors.frameworks.base import Adapter, UnsupportedError
from benchproof.collectors.machine.identity import host_memory_bytes, last_level_cache_bytes
from benchproof.collectors.machine.nvidia import find_gpu
from benchproof.collectors.machine.pace import PACES, Pace, Timer
from benchproof.model.keys import CeilingKind, CeilingQuantity, Device, Precision

Pair = tuple[Callable[[], Any], Callable[[Any], None]]

_FLOAT_BYTES = 4
_ARRAYS = 3
_MEMORY_SHARE = 1 / 8  # of the device's memory, for one array
_TRIAD_SHARE = 0.25  # of the time; the rest is for matrix products
_SEARCH_SHARE = 0.6  # of a product's time; the rest repeats the best size
_GAIN = 1.01  # a size that is not faster by 1 % has not risen
_FALLS = 3  # sizes without a gain that end the search: one may have met a busy moment
_FEWEST, _MOST = 3, 60  # runs
_LEAST_ARRAY_BYTES = 64 << 20
_MOST_ARRAY_BYTES = 2 << 30
_GPU_ARRAY_BYTES = {Device.CUDA: 1 << 30, Device.MPS: 512 << 20}  # far beyond any cache


@dataclass(frozen=True)
class Fastest:
    """The fastest run of some: mean nanoseconds of its calls, and what makes one.

    `ready_ns` is what came before them: making the arrays, and a first call, which may compile.
    """

    ns: float
    runs: int
    calls: int
    size: int
    pair: Pair
    ready_ns: int

    def rate(self, work: float) -> float:
        """Work per second of the fastest run, where one call does so much work."""
        return work * 1e9 / self.ns

    @property
    def text(self) -> str:
        """How it was found."""
        return f"best of {self.runs} " + (
            f"runs of {self.calls} calls" if self.calls > 1 else "calls"
        )


def measure_ceilings(
    adapter: Adapter,
    device: Device,
    budget_s: float = 3.0,
    clock: Callable[[], int] = time.perf_counter_ns,
) -> list[dict[str, Any]]:
    """Measured ceilings, as raw telemetry has them: FLOP/s by precision, and bytes/s.

    Takes about `budget_s` seconds, longer where one call does, or where a GPU's compiler takes
    seconds to get ready. What the framework does not support is left out, as is what does not fit.
    """
    memory = _device_memory_bytes(device)
    name = f"{adapter.framework} {next(iter(adapter.versions().values()), '')}".strip()
    precisions = adapter.precisions(device)
    seconds = budget_s * (1 - _TRIAD_SHARE) / max(1, sum(map(_weight, precisions)))
    products = [
        _product(adapter, device, each, memory, Timer.of(clock, seconds * _weight(each)), name)
        for each in precisions
    ]
    triad = _triad(adapter, device, memory, Timer.of(clock, budget_s * _TRIAD_SHARE), name)
    return [ceiling for ceiling in (*products, triad) if ceiling is not None]


def array_bytes(device: Device, memory_bytes: int | None, cache_bytes: int | None) -> int:
    """Bytes of one array for the triad: four times the last-level cache, an eighth of memory."""
    wanted = _GPU_ARRAY_BYTES.get(device)
    if wanted is None:
        wanted = min(max(_LEAST_ARRAY_BYTES, 4 * (cache_bytes or 0)), _MOST_ARRAY_BYTES)
    return wanted if memory_bytes is None else min(wanted, int(memory_bytes * _MEMORY_SHARE))


def _weight(precision: Precision) -> int:
    """Its part of the time; every device has fp32, and it is the one that most posts tell."""
    return 2 if precision is Precision.FP32 else 1


def _product(
    adapter: Adapter, device: Device, precision: Precision, memory: int | None, timer: Timer,
    name: str,
) -> dict[str, Any] | None:  # fmt: skip
    def make(size: int) -> Pair:
        return adapter.matrix_product(size, device, precision)

    pace = PACES[device]
    best = _best_size(make, pace, _fitting(pace.sizes, memory), timer)
    if best is None:
        return None
    return {
        **_measured(CeilingQuantity.FLOPS_PER_S, best.rate(_flops(best.size))),
        "precision": str(precision),
        "source": f"{name} matrix product {best.size} x {best.size}, {best.text}",
    }


def _triad(
    adapter: Adapter, device: Device, memory: int | None, timer: Timer, name: str
) -> dict[str, Any] | None:
    cache = last_level_cache_bytes() if device is Device.CPU else None
    elements = array_bytes(device, memory, cache) // _FLOAT_BYTES
    pace = PACES[device]
    found = _try(lambda size: adapter.triad(size, device), elements, pace, timer)
    if found is None:
        return None
    best = _again(found, pace, timer.later(min(found.ready_ns, pace.spare_ns)))
    traffic = _ARRAYS * elements * _FLOAT_BYTES
    return {
        **_measured(CeilingQuantity.BYTES_PER_S, best.rate(traffic)),
        "source": (
            f"{name} triad over 3 arrays of {elements * _FLOAT_BYTES >> 20} MiB, {best.text}; "
            "two arrays read, one written, no write-allocate counted"
        ),
    }


def _measured(quantity: CeilingQuantity, value: float) -> dict[str, Any]:
    return {"quantity": str(quantity), "value": value, "kind": str(CeilingKind.MEASURED)}


def _best_size(
    make: Callable[[int], Pair], pace: Pace, sizes: Iterator[int], timer: Timer
) -> Fastest | None:
    """The fastest of growing sizes; three that do not rise, or too little time, end it."""
    search = timer.earlier(int(timer.left_ns * (1 - _SEARCH_SHARE)))
    best: Fastest | None = None
    tried: list[Fastest] = []
    spare_ns, fallen = pace.spare_ns, 0
    for size in sizes:
        if tried and _expected_ns(tried, size, spare_ns) > search.left_ns:
            break
        found = _try(make, size, pace, search)
        if found is None:
            break
        tried.append(found)
        spared_ns = min(found.ready_ns, spare_ns)
        spare_ns -= spared_ns
        search, timer = search.later(spared_ns), timer.later(spared_ns)
        if best is None or found.rate(_flops(size)) > _GAIN * best.rate(_flops(best.size)):
            best, fallen = found, 0
        else:
            fallen += 1
        if fallen == _FALLS:
            break
    return None if best is None else _again(best, pace, timer)


def _expected_ns(tried: list[Fastest], size: int, spare_ns: int) -> float:
    """Nanoseconds that a larger product will take: getting ready, then the fewest runs.

    Getting ready takes as long for every size, to compile, and by area, to make the matrices.
    """
    last = tried[-1]
    by_area = 0.0
    if len(tried) > 1:
        grown = last.size**2 - tried[-2].size ** 2
        by_area = max(0.0, (last.ready_ns - tried[-2].ready_ns) / grown)
    ready_ns = last.ready_ns + by_area * (size**2 - last.size**2)
    return max(0.0, ready_ns - spare_ns) + _FEWEST * last.ns * (size / last.size) ** 3


def _try(make: Callable[[int], Pair], size: int, pace: Pace, timer: Timer) -> Fastest | None:
    """A size's fastest run; None where the framework cannot, or memory does not hold it."""
    began = timer.clock()
    try:
        pair = make(size)
        _run_ns(pair, 1, timer.clock)
        ready_ns = timer.clock() - began
        ns = _run_ns(pair, 1, timer.clock)
        calls = pace.calls(ns)
        found = Fastest(ns, 1, calls, size, pair, ready_ns)
        return _burst(found, pace, timer.later(min(ready_ns, pace.spare_ns)).part(0.25))
    except (UnsupportedError, MemoryError, RuntimeError):
        return None


def _again(found: Fastest, pace: Pace, timer: Timer) -> Fastest:
    """The same with more runs, until the time is over."""
    while found.runs < _MOST and timer.left_ns > found.calls * found.ns:
        found = _burst(found, pace, timer)
    return found


def _burst(found: Fastest, pace: Pace, timer: Timer) -> Fastest:
    """The same with some runs after a rest; three runs at least in all."""
    pace.rest()
    ns, runs, most = found.ns, found.runs, found.runs + pace.burst
    while runs < _FEWEST or (runs < most and timer.left_ns > found.calls * ns):
        ns = min(ns, _run_ns(found.pair, found.calls, timer.clock) / found.calls)
        runs += 1
    return replace(found, ns=ns, runs=runs)


def _run_ns(pair: Pair, calls: int, clock: Callable[[], int]) -> int:
    """Nanoseconds of calls that a device takes in their order, and of the wait for the last."""
    call, wait = pair
    began = clock()
    output = call()
    for _ in range(calls - 1):
        output = call()
    wait(output)
    return max(1, clock() - began)


def _fitting(sizes: tuple[int, ...], memory: int | None) -> Iterator[int]:
    most = math.inf if memory is None else memory * _MEMORY_SHARE
    return (size for size in sizes if size * size * _FLOAT_BYTES <= most)


def _flops(size: int) -> int:
    return 2 * size**3


def _device_memory_bytes(device: Device) -> int | None:
    if device is not Device.CUDA:
        return host_memory_bytes()
    gpu = find_gpu()
    return gpu.identity().memory_bytes if gpu else None
