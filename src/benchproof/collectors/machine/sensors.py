"""Clock, temperature, energy and heat counters of a Linux machine's processor."""

import re
from collections.abc import Iterable, Set
from dataclasses import dataclass
from math import fsum
from pathlib import Path

from benchproof.collectors.machine.cgroups import ROOT
from benchproof.collectors.machine.told import file_number, file_text, one_line

_DRIVERS = {"coretemp", "k10temp", "zenpower", "cpu_thermal", "cpu-thermal"}
_ZONES = re.compile(r"x86_pkg_temp|cpu[-_]?\d*[-_]?thermal|soc[-_]?thermal", re.IGNORECASE)
_ASKED = 8  # processors whose clock is read: some kernels wait 10 ms for each


@dataclass(frozen=True)
class Sensors:
    """Files that tell of the usable processors; found once, since looking takes longer."""

    clocks: tuple[Path, ...]
    governors: tuple[Path, ...]
    temperatures: tuple[Path, ...]
    energies: tuple[Path, ...]
    throttles: tuple[Path, ...]
    cpuinfo: Path | None


def find_sensors(cpus: Set[int], root: Path = ROOT) -> Sensors:
    """Sensors of the usable processors."""
    folders = [root / f"sys/devices/system/cpu/cpu{cpu}" for cpu in sorted(cpus)]
    cpuinfo = root / "proc/cpuinfo"
    return Sensors(
        clocks=_present(f / "cpufreq/scaling_cur_freq" for f in folders[:_ASKED]),
        governors=_present(f / "cpufreq/scaling_governor" for f in folders[:_ASKED]),
        temperatures=_temperatures(root),
        energies=tuple(sorted((root / "sys/class/powercap").glob("intel-rapl:[0-9]/energy_uj"))),
        throttles=tuple(
            path for f in folders for path in sorted(f.glob("thermal_throttle/*_throttle_count"))
        ),
        # Without these counters the kernel tells a nominal clock, which says nothing of now.
        cpuinfo=cpuinfo if re.search(r"\baperfmperf\b", file_text(cpuinfo) or "") else None,
    )


def clock_hz(sensors: Sensors) -> float | None:
    """Mean clock of the processors asked; None where only a nominal one is told."""
    told = _numbers(sensors.clocks)
    if told:
        return fsum(told) / len(told) * 1e3
    text = file_text(sensors.cpuinfo) if sensors.cpuinfo else None
    rates = [float(n) for n in re.findall(r"^cpu MHz\s*:\s*([\d.]+)", text or "", re.MULTILINE)]
    return fsum(rates) / len(rates) * 1e6 if rates and all(rates) else None


def temperature_c(sensors: Sensors) -> float | None:
    """Highest temperature that the processor's sensors tell, in degrees Celsius."""
    told = [n / 1e3 for n in _numbers(sensors.temperatures)]
    return max(told, default=None)


def energies_j(sensors: Sensors) -> tuple[float, ...] | None:
    """Joules that each processor package took so far; only root may read it on most systems."""
    told = _numbers(sensors.energies)
    return tuple(n / 1e6 for n in told) if told and len(told) == len(sensors.energies) else None


def times_hot(sensors: Sensors) -> int | None:
    """How often heat slowed the processors down so far; None where it is not counted."""
    told = _numbers(sensors.throttles)
    return sum(told) if told else None


def governor(sensors: Sensors) -> str | None:
    """The rule by which clocks are chosen, such as performance; several where cores differ."""
    told = {text for path in sensors.governors if (text := file_text(path))}
    return one_line(", ".join(sorted(told)))


def _temperatures(root: Path) -> tuple[Path, ...]:
    chips = [
        path
        for chip in sorted((root / "sys/class/hwmon").glob("hwmon*"))
        if file_text(chip / "name") in _DRIVERS
        for path in sorted(chip.glob("temp*_input"))
    ]
    zones = [
        zone / "temp"
        for zone in sorted((root / "sys/class/thermal").glob("thermal_zone*"))
        if _ZONES.search(file_text(zone / "type") or "")
    ]
    return tuple(chips or zones)


def _present(paths: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(path for path in paths if path.exists())


def _numbers(paths: tuple[Path, ...]) -> list[int]:
    told = (file_number(path) for path in paths)
    return [n for n in told if n is not None]
