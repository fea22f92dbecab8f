"""How a device's ceilings are best found: sizes, runs, rests, and the time that it takes."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from benchproof.model.keys import Device

_MOST_CALLS = 200


@dataclass(frozen=True)
class Timer:
    """A clock in nanoseconds, and when to stop by it."""

    clock: Callable[[], int]
    end_ns: int

    @classmethod
    def of(cls, clock: Callable[[], int], seconds: float) -> "Timer":
        """A timer that ends in so many seconds."""
        return cls(clock, clock() + int(seconds * 1e9))

    @property
    def left_ns(self) -> int:
        """Nanoseconds until the end; negative after it."""
        return self.end_ns - self.clock()

    def later(self, ns: int) -> "Timer":
        """The same, with a later end."""
        return replace(self, end_ns=self.end_ns + ns)

    def earlier(self, ns: int) -> "Timer":
        """The same, with an earlier end."""
        return self.later(-ns)

    def part(self, share: float) -> "Timer":
        """One that ends after a share of the time that is left."""
        return replace(self, end_ns=self.clock() + int(self.left_ns * share))


@dataclass(frozen=True)
class Pace:
    """How matrix products and triads are run on a kind of device.

    A run of calls takes at least `run_ns`; a burst of runs comes after a rest of `rest_s`.
    Getting ready may take `spare_ns` that are not taken from the budget.
    """

    sizes: tuple[int, ...]
    burst: int
    run_ns: int = 0
    rest_s: float = 0.0
    spare_ns: int = 0

    def calls(self, ns: int) -> int:
        """Calls in a run, where one takes so many nanoseconds."""
        return min(_MOST_CALLS, max(1, math.ceil(self.run_ns / ns)))

    def rest(self) -> None:
        """Let the device recover."""
        if self.rest_s > 0:
            time.sleep(self.rest_s)


# A CPU's share of a budget may be as short as the making of arrays far beyond its cache.
# A GPU takes a fifth of a millisecond to be started and waited for by some frameworks: many calls
# share it. One that has just worked hard is held at its power limit for some 0.05 s (an H200 ran
# bf16 at 700 TFLOP/s and, rested, at 795). Its compilers try kernels out, for seconds.
_GPU = Pace((4096, 8192, 12288, 16384), burst=6, run_ns=10_000_000, rest_s=0.1,
            spare_ns=3_000_000_000)  # fmt: skip
PACES = {
    Device.CPU: Pace(
        (256, 512, 1024, 2048, 3072, 4096, 6144, 8192), burst=15, spare_ns=400_000_000
    ),
    Device.MPS: replace(_GPU, sizes=(1024, 2048, 4096, 8192)),
    Device.CUDA: _GPU,
}
