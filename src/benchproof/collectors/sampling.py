"""Sampling cells of a group: warm-up, then blocks in random order until each median is known."""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from benchproof.collectors.clock import calls_per_sample, sample_ns
from benchproof.collectors.frameworks.base import Program
from benchproof.collectors.interval import half_width_percent
from benchproof.collectors.profiles import Protocol
from benchproof.garbage import without_collection

WARM_S = 0.05  # warm-up lasts at least so long: clocks and caches take time, not calls
MOST_WARM = 500
BLOCK_SHARE = 1 / 20  # of the budget


@dataclass
class Series:
    """What has been sampled of one cell so far; it grows while its group is sampled."""

    program: Program
    protocol: Protocol
    warmup_ns: list[int] = field(default_factory=list)
    samples_ns: list[int] = field(default_factory=list)
    calls: int = 1
    blocks: int = 0
    spent_s: float = 0.0
    is_broken: bool = False

    def warm_up(self) -> None:
        """Call until the least number and the least time of warm-up are over, and calibrate."""
        with without_collection():
            while len(self.warmup_ns) < self.protocol.warmup or (
                sum(self.warmup_ns) < WARM_S * 1e9 and len(self.warmup_ns) < MOST_WARM
            ):
                self.warmup_ns.append(sample_ns(self.program, 1))
        settled = self.warmup_ns[len(self.warmup_ns) // 2 :]
        # By the shortest: a warm-up in a busy moment would leave too few calls for a quiet one.
        self.calls = calls_per_sample(min(settled), self.protocol.minimum_sample_ns)

    def sample_block(self) -> None:
        """Take one block of samples: its share of the least number, and its share of the time."""
        least = -(-self.protocol.samples // self.protocol.blocks)
        end = time.perf_counter() + BLOCK_SHARE * self.protocol.budget_s
        start = time.perf_counter()
        with without_collection():
            taken = 0
            while taken < least or time.perf_counter() < end:
                self.samples_ns.append(sample_ns(self.program, self.calls))
                taken += 1
        self.blocks += 1
        self.spent_s += time.perf_counter() - start

    @property
    def half_width_percent(self) -> float | None:
        """How far the interval of the median reaches, in percent of the median."""
        return half_width_percent(self.samples_ns)

    @property
    def is_settled(self) -> bool:
        """Whether there are samples enough, and they fix the median as closely as asked."""
        enough = len(self.samples_ns) >= self.protocol.samples
        width = self.half_width_percent
        return enough and width is not None and width <= self.protocol.interval_percent

    @property
    def is_over(self) -> bool:
        """Whether sampling ends: settled, out of time with the least number, or broken."""
        if self.is_broken:
            return True
        if self.blocks < self.protocol.blocks:
            return False
        return self.is_settled or self.spent_s >= self.protocol.budget_s

    @property
    def instability(self) -> str | None:
        """Why the median is not known as closely as asked; None where it is."""
        if self.is_settled:
            return None
        width = self.half_width_percent
        told = "unknown" if width is None else f"{width:.1f} %"
        return (
            f"the interval of the median reaches {told} after {self.spent_s:.1f} s and "
            f"{len(self.samples_ns)} samples, {self.protocol.interval_percent:g} % was asked"
        )


def interleave(
    series: Sequence[Series],
    order: random.Random,
    take_block: Callable[[int], None],
    after_cycle: Callable[[list[int]], None],
) -> None:
    """Sample all series in turn: each cycle takes a block of every unfinished one, shuffled.

    `take_block` takes one of the series at a position, `after_cycle` hears which of them took
    part in the cycle that is over. A drift of the machine so meets all cells alike.
    """
    while unfinished := [at for at, each in enumerate(series) if not each.is_over]:
        order.shuffle(unfinished)
        for at in unfinished:
            take_block(at)
        after_cycle(unfinished)
