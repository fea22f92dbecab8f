"""What a Linux machine is: its processor, usable cores, memory, caches and system."""

import os
import platform
import re
import sys
from collections.abc import Set
from pathlib import Path

from benchproof.collectors.machine.cgroups import ROOT, cpu_quota, memory_limit_bytes
from benchproof.collectors.machine.told import command_text, file_text, one_line, whole_number

_UNTOLD = {"", "unknown", "-"}
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def processor(root: Path = ROOT) -> str | None:
    """The processor's name: what the kernel calls it, else lscpu, else the board's model."""
    told = _cpu_fields(root)
    board = file_text(root / "sys/firmware/devicetree/base/model")
    for name in (told.get("model name"), told.get("Model"), _lscpu(), board, _vendor(told)):
        line = one_line(name)
        if line is not None and line.lower() not in _UNTOLD:
            return line
    return None


def usable_cpus() -> Set[int]:
    """Numbers of the logical processors that this process may run on."""
    if sys.platform == "linux":
        return os.sched_getaffinity(0)
    return set(range(os.cpu_count() or 1))


def usable_cores(root: Path = ROOT) -> int:
    """Logical processors that this process can keep busy: its affinity and its CPU quota."""
    quota = cpu_quota(root)
    cores = len(usable_cpus())
    return cores if quota is None else max(1, min(cores, int(quota)))


def memory_bytes(root: Path = ROOT) -> int | None:
    """Bytes of memory that this process may use: the machine's, or its container's if less."""
    found = re.search(
        r"^MemTotal:\s+(\d+) kB", file_text(root / "proc/meminfo") or "", re.MULTILINE
    )
    told = [int(found[1]) * 1024 if found else None, memory_limit_bytes(root)]
    return min((n for n in told if n), default=None)


def system(root: Path = ROOT) -> str:
    """Distribution, kernel and architecture."""
    text = file_text(root / "etc/os-release") or ""
    found = re.search(r'^PRETTY_NAME="?([^"\n]+)', text, re.MULTILINE)
    kernel = f"Linux {platform.release()} {platform.machine()}"
    return f"{found[1]}, {kernel}" if found else kernel


def last_level_cache_bytes(root: Path = ROOT) -> int | None:
    """Bytes of all last-level caches that the usable processors share out among them."""
    sizes: dict[str, int] = {}
    for cpu in usable_cpus():
        folders = sorted((root / f"sys/devices/system/cpu/cpu{cpu}/cache").glob("index[0-9]"))
        if folders:
            size = _cache_size(file_text(folders[-1] / "size"))
            shared = file_text(folders[-1] / "shared_cpu_list") or str(cpu)
            if size is not None:
                sizes[shared] = size
    return sum(sizes.values()) or None


def _cpu_fields(root: Path) -> dict[str, str]:
    """The first processor's fields in /proc/cpuinfo."""
    first = (file_text(root / "proc/cpuinfo") or "").partition("\n\n")[0]
    pairs = (line.partition(":") for line in first.splitlines())
    return {name.strip(): value.strip() for name, _, value in pairs}


def _lscpu() -> str | None:
    # Arm's /proc/cpuinfo has numbers only; lscpu knows their names.
    found = re.search(r"^Model name:\s*(.+)$", command_text("lscpu") or "", re.MULTILINE)
    return found[1] if found else None


def _vendor(told: dict[str, str]) -> str | None:
    vendor = told.get("vendor_id")
    if vendor is None:
        return None
    return f"{vendor} family {told.get('cpu family', '?')} model {told.get('model', '?')}"


def _cache_size(text: str | None) -> int | None:
    if text is None:
        return None
    number = whole_number(text.rstrip("KMG"))
    return None if number is None else number * _UNITS.get(text[-1], 1)
