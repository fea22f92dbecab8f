"""How well do the collectors measure? Next to PyTorch's own timer, and by what they spend time on.

Three limits: a median lies within 3 % of what `torch.utils.benchmark.Timer` gives for the same
call; at most 15 % of a job by the standard profile is neither warm-up, sample nor first call; the
quick profile, most of which is imports and first calls, takes at most four minutes.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from outcome import BenchError, Outcome

from benchproof.collectors.clock import calls_per_sample, sample_ns
from benchproof.collectors.frameworks.base import Program, load
from benchproof.collectors.presence import installed_frameworks
from benchproof.collectors.profiles import Protocol
from benchproof.collectors.workloads.catalogue import WORKLOADS
from benchproof.garbage import without_collection
from benchproof.model.keys import Device, Framework, Precision, VariantKind

RATIO_LIMITS = (0.97, 1.03)
IDLE_LIMIT_PERCENT = 15.0
QUICK_LIMIT_S = 240.0
TURNS = 60
TURN_S = 0.05  # short: whatever slows the machine for longer slows both of a turn
# Of the standard profile's six batches; imports weigh less in a whole sweep.
STANDARD_OPTIONS = (
    "--profile", "standard", "--rounds", "1", "--batch", "1", "--batch", "32", "--batch", "256",
)  # fmt: skip
CELLS = (("ff-dnn", 1), ("ff-dnn", 32), ("lstm", 1), ("transformer", 32), ("cnn", 8))


def timer_outcomes() -> list[Outcome]:
    """Our median over Timer's for some cells, measured in turn in one process."""
    if find_spec("torch") is None:
        return []
    adapter = load(Framework.PYTORCH)
    variants = [v for v in adapter.variants(Device.CPU) if v.kind is VariantKind.EAGER]
    outcomes = []
    for slug, batch in CELLS:
        workload = WORKLOADS[slug]
        program = adapter.program(
            workload, workload.weights(), workload.inputs(batch),
            variants[0], Device.CPU, Precision.FP32,
        )  # fmt: skip
        outcomes.append(_against_timer(f"median of {workload.name}, batch {batch}", program))
        program.close()
    return outcomes


def _against_timer(what: str, program: Program) -> Outcome:
    import torch
    from torch.utils.benchmark import Timer

    protocol = Protocol()
    with without_collection():
        warm = [sample_ns(program, 1) for _ in range(protocol.warmup + 50)]
    calls = calls_per_sample(statistics.median(warm), protocol.minimum_sample_ns)
    # Timer would take a single thread of its own accord.
    timer = Timer(
        "wait(call())",
        globals={"call": program.call, "wait": program.wait},
        num_threads=torch.get_num_threads(),
    )
    ours, theirs = [], []
    for turn in range(TURNS):
        if turn % 2:  # neither of the two always runs on what the other left in the caches
            ours.append(_our_median_s(program, calls))
        theirs.append(timer.blocked_autorange(min_run_time=TURN_S).median)
        if not turn % 2:
            ours.append(_our_median_s(program, calls))
    # Both are slowed by the same neighbours: the ratio of each turn, then their median.
    ratio = statistics.median(mine / timers for mine, timers in zip(ours, theirs, strict=True))
    return Outcome(
        f"{what} / torch.utils.benchmark.Timer",
        f"{1e6 * statistics.median(ours):.4g} µs",
        f"{1e6 * statistics.median(theirs):.4g} µs",
        f"{ratio:.3f}",
        f"{RATIO_LIMITS[0]} to {RATIO_LIMITS[1]}",
        RATIO_LIMITS[0] <= ratio <= RATIO_LIMITS[1],
    )


def _our_median_s(program: Program, calls: int) -> float:
    samples, end = [], time.perf_counter() + TURN_S
    with without_collection():
        while time.perf_counter() < end:
            samples.append(sample_ns(program, calls))
    return statistics.median(samples) / 1e9


def collection_outcomes() -> list[Outcome]:
    """Time of the quick profile with all that is installed, and what the standard one spends."""
    frameworks = installed_frameworks()
    if not frameworks:
        return []
    quick_s, _, cells = _collect(frameworks)
    part = Framework.PYTORCH if Framework.PYTORCH in frameworks else frameworks[0]
    idle_percent, some = _idle_percent(part)
    return [
        Outcome(
            f"quick profile: {', '.join(frameworks)}; {cells} cells", f"{quick_s:.0f} s", "", "",
            f"{QUICK_LIMIT_S:.0f} s", quick_s <= QUICK_LIMIT_S,
        ),
        Outcome(
            f"neither warm-up, sample nor first call: {some} cells of the standard profile, "
            f"{part}",
            f"{idle_percent:.1f} %", "", "", f"{IDLE_LIMIT_PERCENT:.0f} %",
            idle_percent <= IDLE_LIMIT_PERCENT,
        ),
    ]  # fmt: skip


def _idle_percent(framework: Framework) -> tuple[float, int]:
    """Percent of a job by the standard profile in which no cell ran, and its cells.

    The device's ceilings are measured before: they are measurements of their own.
    """
    with tempfile.TemporaryDirectory(prefix="benchproof-bench-") as name:
        kept = ("--ceilings", str(Path(name, "ceilings.json")))
        _collect([framework], *STANDARD_OPTIONS, *kept, "--ceilings-only")
        _, idle_percent, cells = _collect([framework], *STANDARD_OPTIONS, *kept)
    return idle_percent, cells


def _collect(frameworks: Sequence[Framework], *options: str) -> tuple[float, float, int]:
    """Wall seconds of a collection, percent of them in which no cell ran, and its cells."""
    with tempfile.TemporaryDirectory(prefix="benchproof-bench-") as name:
        chosen = [word for each in frameworks for word in ("--framework", each.value.lower())]
        command = [sys.executable, "-m", "benchproof.collectors", "--output", name]
        started = time.perf_counter()
        ran = subprocess.run(
            [*command, *chosen, *options], capture_output=True, text=True, check=False
        )
        took_s = time.perf_counter() - started
        if ran.returncode:
            raise BenchError(f"{' '.join(command)} ended with {ran.returncode}:\n{ran.stderr}")
        cells = list(_cells(Path(name)))
    return took_s, 100 * (1 - sum(map(_measuring_s, cells)) / took_s), len(cells)


def _cells(folder: Path) -> Iterator[dict[str, Any]]:
    for path in sorted(folder.rglob("*.json")):
        told = json.loads(path.read_text(encoding="utf-8"))
        yield from told["cells"]
        yield from told.get("controls", ())


def _measuring_s(cell: dict[str, Any]) -> float:
    """Seconds of a cell's calls: the first, those of warm-up, and those of all its samples."""
    samples_ns: int = sum(cell.get("samples_ns", ())) * cell.get("calls_per_sample", 1)
    samples_ns += cell.get("discarded_ns", 0)
    warmup_ns: int = cell.get("first_call_ns", 0) + sum(cell.get("warmup_ns", ()))
    return (warmup_ns + samples_ns) / 1e9
