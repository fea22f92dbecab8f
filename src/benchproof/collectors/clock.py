"""Timing calls of a program by the host's clock, waiting for each call's output."""

import time
from collections.abc import Callable
from math import ceil

from benchproof.collectors.frameworks.base import Program

MOST_CALLS = 1_000_000


def resolution_ns() -> int:
    """Shortest step that the clock was seen to make, in nanoseconds."""
    steps = []
    for _ in range(100):
        start = end = time.perf_counter_ns()
        while end == start:
            end = time.perf_counter_ns()
        steps.append(end - start)
    return max(1, min(steps))


def timed(action: Callable[[], object]) -> tuple[object, int]:
    """What an action gives, and how long it took in nanoseconds (at least one)."""
    start = time.perf_counter_ns()
    given = action()
    return given, max(1, time.perf_counter_ns() - start)


def sample_ns(program: Program, calls: int) -> int:
    """Mean time of `calls` calls in nanoseconds, each waited for before the next one starts.

    Waiting once after all of them would time how fast calls can be queued, not how long one takes.
    """
    call, wait = program.call, program.wait
    start = time.perf_counter_ns()
    for _ in range(calls):
        wait(call())
    elapsed = time.perf_counter_ns() - start
    return max(1, round(elapsed / calls))


def calls_per_sample(call_ns: float, minimum_ns: int) -> int:
    """Calls that make a sample last at least `minimum_ns`."""
    return min(MOST_CALLS, max(1, ceil(minimum_ns / max(1.0, call_ns))))
