"""What state the machine is in before and after a cell, and whether that disturbed the cell.

A reading tells the state now (clock, temperature, governor) and what happened since the reading
before it (load, power, throttling). So the reading after a cell tells of the time that it took.
"""

import platform
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from benchproof.collectors.machine import cgroups, linux, macos, sensors
from benchproof.collectors.machine.cgroups import ROOT
from benchproof.collectors.machine.cpu_time import (
    SHORTEST_S,
    CpuTime,
    linux_cpu_time,
    others_load,
    stolen_share,
)
from benchproof.collectors.machine.nvidia import Gpu, GpuReading, find_gpu
from benchproof.collectors.machine.throttle import Throttle
from benchproof.model.keys import Device

# A hypervisor takes a little all the time, for its own work.
STOLEN_LIMIT = 0.05
# Shares of the usable cores that other processes may keep busy. A GPU's host only starts the work.
CPU_LOAD_LIMIT = 0.10
GPU_LOAD_LIMIT = 0.50


@dataclass(frozen=True)
class HostReading:
    """The host's state now, and its counters so far.

    `times_hot` and `times_throttled` count slowdowns by heat and stops by a CPU quota; `limited`
    tells whether the system holds the processor back now.
    """

    clock_hz: float | None = None
    temperature_c: float | None = None
    governor: str | None = None
    energies_j: tuple[float, ...] | None = None
    times_hot: int | None = None
    times_throttled: int | None = None
    limited: bool | None = None
    cpu_time: CpuTime | None = None


class Watch:
    """Reads a device's conditions again and again; make one a process, before the first cell."""

    def __init__(
        self,
        device: Device,
        host: Callable[[], HostReading] | None = None,
        gpu: Gpu | None = None,
    ) -> None:
        self._device = device
        self._host = host or host_reader()
        self._gpu = gpu or (find_gpu() if device is Device.CUDA else None)
        self._last: tuple[HostReading, GpuReading | None] | None = None

    def read(self) -> dict[str, Any]:
        """The conditions now, as raw telemetry's `Conditions`; what is not told is left out.

        The first reading knows nothing of the time before it: no load, no power of a CPU.
        """
        now = self._host(), self._gpu.reading() if self._gpu else None
        before, self._last = self._last, now
        return told(self._device, before, now)


def conditions(device: Device) -> dict[str, Any]:
    """One reading by itself: what can be told without one before it."""
    return Watch(device).read()


def host_reader() -> Callable[[], HostReading]:
    """What reads the host on this platform."""
    match platform.system():
        case "Linux":
            return linux_reader()
        case "Darwin":
            return _read_mac
    return HostReading


def linux_reader(root: Any = ROOT) -> Callable[[], HostReading]:
    """What reads a Linux host; its sensors are looked for here, once."""
    cpus = linux.usable_cpus()
    found = sensors.find_sensors(cpus, root)
    groups = cgroups.group_folders("cpu", root)

    def read() -> HostReading:
        return HostReading(
            clock_hz=sensors.clock_hz(found),
            temperature_c=sensors.temperature_c(found),
            governor=sensors.governor(found),
            energies_j=sensors.energies_j(found),
            times_hot=sensors.times_hot(found),
            times_throttled=cgroups.times_throttled(groups),
            cpu_time=linux_cpu_time(cpus, root),
        )

    return read


def told(
    device: Device,
    before: tuple[HostReading, GpuReading | None] | None,
    now: tuple[HostReading, GpuReading | None],
) -> dict[str, Any]:
    """Conditions from a reading and the one before it, as raw telemetry has them."""
    host, gpu = now
    last_host, last_gpu = before or (HostReading(), None)
    state = gpu or GpuReading() if device is Device.CUDA else host
    watched = {
        "clock_hz": state.clock_hz,
        "load": _load(last_host, host),
        "temperature_c": state.temperature_c,
        "power_w": (
            _gpu_power_w(last_gpu, gpu, _seconds(last_host, host))
            if device is Device.CUDA
            else _package_power_w(last_host, host)
        ),
        "governor": host.governor,
        **_throttling(dict([*_host_reasons(last_host, host), *_gpu_reasons(last_gpu, gpu)])),
    }
    return {name: value for name, value in watched.items() if value is not None}


def disturbance(
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    cores: int,
    device: Device = Device.CPU,
) -> str | None:
    """One line on why a cell between two readings should be measured again; None when clean.

    Disturbed is a cell that was throttled while it ran, that began on a machine which heat held
    back, or beside which other processes kept more of the `cores` busy than the limit: 10 % for
    a CPU, 50 % for a GPU.
    """
    reasons = [r for r in _reasons(after) if r.passes]
    reasons += [r for r in _reasons(before) if r.lasts and r not in reasons]
    if reasons:
        return f"throttled: {', '.join(sorted(reasons))}"
    limit = GPU_LOAD_LIMIT if device.is_gpu else CPU_LOAD_LIMIT
    load = after.get("load")
    if load is not None and load > limit * cores:
        return (
            f"overloaded: other processes kept {load:.2f} of {cores} cores busy while it ran, "
            f"more than {limit:.0%}"
        )
    return None


def _read_mac() -> HostReading:
    return HostReading(
        governor=macos.power_mode(macos.pmset()),
        limited=macos.limited(macos.pmset("therm")),
        cpu_time=macos.cpu_time(),
    )


def _reasons(reading: Mapping[str, Any]) -> list[Throttle]:
    known = set(Throttle)
    return [Throttle(r) for r in reading.get("throttle_reasons", ()) if r in known]


def _throttling(happened: Mapping[Throttle, bool]) -> dict[str, Any]:
    """The two fields on throttling; neither where no source tells."""
    reasons = sorted(reason for reason, so in happened.items() if so)
    if not happened:
        return {}
    return {"throttled": bool(reasons)} | ({"throttle_reasons": reasons} if reasons else {})


def _host_reasons(last: HostReading, now: HostReading) -> Iterator[tuple[Throttle, bool]]:
    counts = {
        Throttle.THERMAL: (last.times_hot, now.times_hot),
        Throttle.QUOTA: (last.times_throttled, now.times_throttled),
    }
    for reason, (old, new) in counts.items():
        if old is not None and new is not None:
            yield reason, new > old
    if now.limited is not None:
        yield Throttle.SPEED_LIMIT, now.limited
    if last.cpu_time and now.cpu_time:
        share = stolen_share(last.cpu_time, now.cpu_time)
        if share is not None:
            yield Throttle.STOLEN, share > STOLEN_LIMIT


def _gpu_reasons(
    last: GpuReading | None, now: GpuReading | None
) -> Iterator[tuple[Throttle, bool]]:
    if now is None or (now.reasons is None and not now.slowed_ns):
        return
    old = last.slowed_ns if last else {}
    counted = {r for r, ns in now.slowed_ns.items() if r in old and ns > old[r]}
    for reason in (Throttle.POWER_CAP, Throttle.HARDWARE, Throttle.THERMAL, Throttle.POWER_BRAKE):
        yield reason, reason in counted or reason in (now.reasons or ())


def _load(last: HostReading, now: HostReading) -> float | None:
    if last.cpu_time is None or now.cpu_time is None:
        return None
    return others_load(last.cpu_time, now.cpu_time)


def _seconds(last: HostReading, now: HostReading) -> float | None:
    """Seconds between two readings; None where they are too few for a mean."""
    if last.cpu_time is None or now.cpu_time is None:
        return None
    seconds = now.cpu_time.at_s - last.cpu_time.at_s
    return seconds if seconds >= SHORTEST_S else None


def _package_power_w(last: HostReading, now: HostReading) -> float | None:
    """Mean watts of all processor packages since the reading before."""
    seconds = _seconds(last, now)
    if seconds is None or last.energies_j is None or now.energies_j is None:
        return None
    spent = [new - old for old, new in zip(last.energies_j, now.energies_j, strict=True)]
    # A counter that ran over starts again at 0.
    return sum(spent) / seconds if min(spent) >= 0 else None


def _gpu_power_w(
    last: GpuReading | None, now: GpuReading | None, seconds: float | None
) -> float | None:
    """Mean watts since the reading before; the draw of now where no energy is counted."""
    if now is None:
        return None
    if last is None or seconds is None or last.energy_j is None or now.energy_j is None:
        return now.power_w
    spent = now.energy_j - last.energy_j
    return spent / seconds if spent >= 0 else now.power_w
