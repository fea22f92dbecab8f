"""How much CPU time other processes took between two readings, and how much nobody got."""

import os
import time
from collections.abc import Set
from dataclasses import dataclass
from pathlib import Path

from benchproof.collectors.machine.cgroups import ROOT
from benchproof.collectors.machine.told import file_text

# Kernels count in ticks of 10 ms: over a shorter time the counts tell nothing.
SHORTEST_S = 0.2
_BUSY = (0, 1, 2, 5, 6)  # user, nice, system, irq, softirq; a guest's time is in user's
_STOLEN = 7
_KINDS = 8  # what follows is in user's time already


@dataclass(frozen=True)
class CpuTime:
    """CPU seconds so far: of all processes on the usable processors, and of this one's family."""

    at_s: float
    busy_s: float
    stolen_s: float
    total_s: float
    own_s: float

    @classmethod
    def now(cls, busy_s: float, stolen_s: float, total_s: float, own_s: float) -> "CpuTime":
        """A reading taken at this moment."""
        return cls(time.monotonic(), busy_s, stolen_s, total_s, own_s)


def others_load(before: CpuTime, after: CpuTime) -> float | None:
    """Cores that other processes kept busy between two readings; None where it cannot be told."""
    seconds = _seconds(before, after)
    if seconds is None:
        return None
    others = (after.busy_s - before.busy_s) - (after.own_s - before.own_s)
    return max(0.0, others / seconds)


def stolen_share(before: CpuTime, after: CpuTime) -> float | None:
    """Share (0 to 1) of the usable processors' time that a hypervisor gave to other machines."""
    if _seconds(before, after) is None:
        return None
    return max(0.0, after.stolen_s - before.stolen_s) / (after.total_s - before.total_s)


def linux_cpu_time(cpus: Set[int], root: Path = ROOT) -> CpuTime | None:
    """CPU time from /proc/stat, on the usable processors only; None where it is not told."""
    text = file_text(root / "proc/stat") or ""
    words = [line.split() for line in text.splitlines() if line.startswith("cpu")]
    counts = {w[0]: [int(n) for n in w[1:]] for w in words if len(w) > _KINDS}
    usable = [f"cpu{cpu}" for cpu in cpus]
    # A container's own /proc/stat numbers its processors anew: then the sum of all is right.
    lines = [counts[n] for n in usable] if all(n in counts for n in usable) else []
    lines = lines or [counts[n] for n in ("cpu",) if n in counts]
    if not lines:
        return None
    tick = os.sysconf("SC_CLK_TCK")
    return CpuTime.now(
        busy_s=sum(line[kind] for line in lines for kind in _BUSY) / tick,
        stolen_s=sum(line[_STOLEN] for line in lines) / tick,
        total_s=sum(n for line in lines for n in line[:_KINDS]) / tick,
        own_s=own_seconds() + _living_children_seconds(root),
    )


def own_seconds() -> float:
    """CPU seconds of this process and of its children that have ended."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def _living_children_seconds(root: Path) -> float:
    """CPU seconds of the processes below this one, such as a framework's compiler workers."""
    ticks, waiting, seen = 0, [os.getpid()], set[int]()
    while waiting:
        pid = waiting.pop()
        if pid in seen:
            continue
        seen.add(pid)
        if pid != os.getpid():
            ticks += _process_ticks(root, pid)
        waiting += _children(root, pid)
    return ticks / os.sysconf("SC_CLK_TCK")


def _children(root: Path, pid: int) -> list[int]:
    lists = (root / f"proc/{pid}/task").glob("*/children")
    return [int(child) for path in lists for child in (file_text(path) or "").split()]


def _process_ticks(root: Path, pid: int) -> int:
    """Its own ticks and those of its children that have ended; 0 once it is gone itself."""
    # The name may hold spaces and brackets, so that fields count from the last bracket.
    fields = (file_text(root / f"proc/{pid}/stat") or "").rpartition(")")[2].split()
    return sum(int(n) for n in fields[11:15])


def _seconds(before: CpuTime, after: CpuTime) -> float | None:
    """Seconds between two readings; None where too few, or where the counts stood still."""
    seconds = after.at_s - before.at_s
    # Sandboxes show a /proc/stat that never moves: no load is told, rather than none.
    counted = after.total_s - before.total_s
    return seconds if seconds >= SHORTEST_S and counted > 0.5 * seconds else None
