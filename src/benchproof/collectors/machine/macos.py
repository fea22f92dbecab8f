"""What a Mac is, and what it tells about its state without asking for a password.

Clock, temperature and power can be read as root only, so that they are never told here.
"""

import ctypes
import os
import platform
import re

from benchproof.collectors.machine.cpu_time import CpuTime, own_seconds
from benchproof.collectors.machine.told import command_text, one_line, whole_number

# Apple tells no size of the cache that CPU and GPU share; no chip so far has more than this.
_SYSTEM_LEVEL_CACHE_BYTES = 96 << 20
_HOST_CPU_LOAD_INFO = 3
_STATES = 4  # user, system, idle, nice


def setting(name: str) -> str | None:
    """A value that sysctl knows."""
    return one_line(command_text("/usr/sbin/sysctl", "-n", name))


def processor() -> str | None:
    """The chip's name, such as Apple M3 Max."""
    return setting("machdep.cpu.brand_string")


def usable_cores() -> int:
    """Logical processors; macOS has no affinity and no quota."""
    return os.cpu_count() or 1


def memory_bytes() -> int | None:
    """Bytes of memory, which CPU and GPU share on Apple silicon."""
    return whole_number(setting("hw.memsize"))


def system() -> str:
    """Version and architecture."""
    return f"macOS {platform.mac_ver()[0]} {platform.machine()}"


def last_level_cache_bytes() -> int:
    """Bytes of the last-level cache, at least the largest that Apple silicon has."""
    told = [whole_number(setting(n)) for n in ("hw.l3cachesize", "hw.perflevel0.l2cachesize")]
    return max(_SYSTEM_LEVEL_CACHE_BYTES, *(n or 0 for n in told))


def limited(report: str | None) -> bool | None:
    """Whether `pmset -g therm` tells of a limit that heat or power sets; None where it is mute."""
    if report is None:
        return None
    speeds = re.findall(r"CPU_Speed_Limit\s*=\s*(\d+)", report)
    levels = re.findall(r"(?:thermal|performance) warning level\s*[=:]\s*(\d+)", report, re.I)
    if speeds or levels:
        return any(int(n) < 100 for n in speeds) or any(int(n) > 0 for n in levels)
    return False if re.search(r"No thermal warning level", report, re.IGNORECASE) else None


def power_mode(report: str | None) -> str | None:
    """The power mode that `pmset -g` tells."""
    found = re.search(r"^\s*(?:lowpowermode|powermode)\s+(\d)", report or "", re.MULTILINE)
    names = {"0": "automatic", "1": "low power mode", "2": "high power mode"}
    return names.get(found[1]) if found else None


def pmset(*what: str) -> str | None:
    """What pmset tells."""
    return command_text("/usr/bin/pmset", "-g", *what)


def cpu_time() -> CpuTime | None:
    """CPU time of all processes and of this one; None where the kernel does not answer."""
    try:
        system_library = ctypes.CDLL("/usr/lib/libSystem.dylib")
        ticks, count = (ctypes.c_uint * _STATES)(), ctypes.c_uint(_STATES)
        system_library.mach_host_self.restype = ctypes.c_uint
        failed = system_library.host_statistics(
            ctypes.c_uint(system_library.mach_host_self()), ctypes.c_int(_HOST_CPU_LOAD_INFO),
            ctypes.byref(ticks), ctypes.byref(count),
        )  # fmt: skip
    except (OSError, AttributeError):
        return None
    if failed:
        return None
    user, kernel, idle, nice = (tick / os.sysconf("SC_CLK_TCK") for tick in ticks)
    busy = user + kernel + nice
    return CpuTime.now(busy_s=busy, stolen_s=0.0, total_s=busy + idle, own_s=own_seconds())
