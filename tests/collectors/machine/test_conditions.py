"""Conditions tell what the platform tells, what happened between two readings, and nothing else."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from benchproof.collectors.machine import cpu_time, macos
from benchproof.collectors.machine.conditions import (
    HostReading,
    Watch,
    conditions,
    disturbance,
    linux_reader,
    told,
)
from benchproof.collectors.machine.cpu_time import CpuTime, linux_cpu_time, others_load
from benchproof.collectors.machine.nvidia import GpuReading, NvmlGpu
from benchproof.collectors.machine.sensors import clock_hz, find_sensors, governor, temperature_c
from benchproof.collectors.machine.throttle import Throttle
from benchproof.model.keys import Device
from benchproof.model.raw import Conditions

from .machines import FakeNvml, make_root

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="reads Linux's /proc")
CPU = "sys/devices/system/cpu"


def make_time(at_s: float, busy: float = 0, stolen: float = 0, own: float = 0) -> CpuTime:
    """CPU time of a machine with two cores that has been up since 0 s."""
    return CpuTime(at_s, busy_s=busy, stolen_s=stolen, total_s=2 * at_s, own_s=own)


def between(device: Device = Device.CPU, **readings: tuple[object, object]) -> dict[str, object]:
    """Conditions from two readings of a host, 10 s apart, given field by field."""
    clocks = {"cpu_time": (make_time(10), make_time(20))} | readings
    first, second = ({name: pair[i] for name, pair in clocks.items()} for i in (0, 1))
    return told(device, (HostReading(**first), None), (HostReading(**second), None))  # type: ignore[arg-type]


def test_a_reading_of_this_machine_is_what_raw_telemetry_takes() -> None:
    watch = Watch(Device.CPU)
    for _ in range(2):
        msgspec.convert(watch.read(), Conditions)
        time.sleep(cpu_time.SHORTEST_S)
    msgspec.convert(conditions(Device.CPU), Conditions)


@linux_only
def test_reading_takes_no_time_that_a_cell_would_notice() -> None:
    watch = Watch(Device.CPU)
    spent = []
    for _ in range(10):
        began = time.perf_counter()
        watch.read()
        spent.append(time.perf_counter() - began)
    assert min(spent) < 0.02


def test_the_first_reading_knows_nothing_of_the_time_before() -> None:
    now = HostReading(cpu_time=make_time(10, busy=20), energies_j=(5.0,), times_hot=3,
                      times_throttled=4)  # fmt: skip
    assert told(Device.CPU, None, (now, None)) == {}


def test_load_is_what_other_processes_did_since_the_reading_before() -> None:
    seen = between(cpu_time=(make_time(10, busy=4, own=3), make_time(20, busy=19, own=8)))
    assert seen["load"] == pytest.approx(1.0)


def test_load_is_never_negative() -> None:
    assert others_load(make_time(10, own=0), make_time(20, busy=9.9, own=10)) == 0.0


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (make_time(10), make_time(10 + 0.9 * cpu_time.SHORTEST_S)),
        (CpuTime(10, 0, 0, 0, 0), CpuTime(20, 0, 0, 0, 5)),
    ],
    ids=["too-short", "counts-stand-still"],
)
def test_load_that_cannot_be_told_is_none(before: CpuTime, after: CpuTime) -> None:
    assert others_load(before, after) is None
    assert cpu_time.stolen_share(before, after) is None


BURN = "import time\nend = time.process_time() + {}\nwhile time.process_time() < end: pass"


@linux_only
def test_own_work_and_that_of_children_is_no_load() -> None:
    cpus = os.sched_getaffinity(0)
    before = linux_cpu_time(cpus)
    exec(BURN.format(0.3), {})  # noqa: S102 - the same work here as in the child
    subprocess.run([sys.executable, "-c", BURN.format(0.3)], check=True, timeout=60)
    after = linux_cpu_time(cpus)
    assert before is not None
    assert after is not None
    assert after.own_s - before.own_s == pytest.approx(0.65, abs=0.25)


@linux_only
def test_a_living_child_is_own_work_and_a_stranger_is_not() -> None:
    own = [cpu_time.linux_cpu_time(os.sched_getaffinity(0))]
    worker = "import os\nos.read(0, 1)"
    with subprocess.Popen(
        [sys.executable, "-c", f"{BURN.format(0.3)}\nprint(flush=True)\n{worker}"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as child:  # fmt: skip
        assert child.stdout is not None
        child.stdout.readline()
        own.append(cpu_time.linux_cpu_time(os.sched_getaffinity(0)))
        child.communicate(b"x", timeout=60)
    own.append(cpu_time.linux_cpu_time(os.sched_getaffinity(0)))
    start, alive, ended = (t.own_s if t else -1.0 for t in own)
    assert 0.28 <= alive - start < 1.0
    assert ended >= alive - 0.02


def test_only_the_usable_processors_count(tmp_path: Path) -> None:
    stat = (
        "cpu  900 0 0 100 0 0 0 0 0 0\ncpu0 300 0 0 0 0 0 0 9 0 0\ncpu1 600 0 0 100 0 0 0 0 0 0\n"
    )
    root = make_root(tmp_path, {"proc/stat": stat})
    tick = os.sysconf("SC_CLK_TCK")
    one, renumbered = linux_cpu_time({0}, root), linux_cpu_time({6, 7}, root)
    assert one is not None
    assert (one.busy_s, one.stolen_s) == (300 / tick, 9 / tick)
    assert renumbered is not None
    assert renumbered.busy_s == 900 / tick
    assert linux_cpu_time({0}, tmp_path / "none") is None


@pytest.mark.parametrize(
    ("readings", "reasons"),
    [
        ({"times_hot": (3, 4)}, [Throttle.THERMAL]),
        ({"times_throttled": (3, 4)}, [Throttle.QUOTA]),
        ({"limited": (False, True)}, [Throttle.SPEED_LIMIT]),
        ({"cpu_time": (make_time(10), make_time(20, stolen=1.2))}, [Throttle.STOLEN]),
        ({"cpu_time": (make_time(10), make_time(20, stolen=0.8))}, []),
        ({"times_hot": (3, 3), "times_throttled": (0, 0), "limited": (True, False)}, []),
    ],
)
def test_what_slowed_the_host_is_told(
    readings: dict[str, tuple[object, object]], reasons: list[Throttle]
) -> None:
    seen = between(**readings)
    assert seen["throttled"] is bool(reasons)
    assert seen.get("throttle_reasons", []) == reasons


def test_throttling_that_no_source_tells_is_left_out() -> None:
    seen = between(cpu_time=(None, None), times_hot=(None, 4))
    assert "throttled" not in seen


def test_power_is_the_mean_since_the_reading_before() -> None:
    assert between(energies_j=((100.0, 50.0), (400.0, 70.0)))["power_w"] == pytest.approx(32.0)
    assert "power_w" not in between(energies_j=((100.0,), (3.0,)))  # the counter ran over


def test_linux_sensors_are_read(tmp_path: Path) -> None:
    root = make_root(tmp_path, {
        f"{CPU}/cpu0/cpufreq/scaling_cur_freq": "3000000",
        f"{CPU}/cpu1/cpufreq/scaling_cur_freq": "2000000",
        f"{CPU}/cpu2/cpufreq/scaling_cur_freq": "100000",
        f"{CPU}/cpu0/cpufreq/scaling_governor": "performance\n",
        f"{CPU}/cpu1/cpufreq/scaling_governor": "powersave\n",
        "sys/class/hwmon/hwmon0/name": "nvme", "sys/class/hwmon/hwmon0/temp1_input": "90000",
        "sys/class/hwmon/hwmon1/name": "k10temp", "sys/class/hwmon/hwmon1/temp1_input": "61250",
    })  # fmt: skip
    found = find_sensors({0, 1}, root)
    assert clock_hz(found) == pytest.approx(2.5e9)
    assert temperature_c(found) == 61.25
    assert governor(found) == "performance, powersave"


@pytest.mark.parametrize(
    ("flags", "clock"), [("fpu aperfmperf", 2.5e9), ("fpu hypervisor", None)],
)  # fmt: skip
def test_a_nominal_clock_is_not_told_as_the_one_of_now(
    tmp_path: Path, flags: str, clock: float | None
) -> None:
    text = f"cpu MHz : 2400.0\nflags : {flags}\n\ncpu MHz : 2600.0\nflags : {flags}\n"
    found = find_sensors({0, 1}, make_root(tmp_path, {"proc/cpuinfo": text}))
    assert clock_hz(found) == (None if clock is None else pytest.approx(clock))


def test_a_machine_without_sensors_tells_nothing(tmp_path: Path) -> None:
    read = linux_reader(tmp_path)
    assert told(Device.CPU, (read(), None), (read(), None)) == {}


def test_heat_is_counted_on_linux(tmp_path: Path) -> None:
    count = "core_throttle_count"
    cpus = sorted(os.sched_getaffinity(0)) if sys.platform == "linux" else [0]
    path = f"{CPU}/cpu{cpus[0]}/thermal_throttle/{count}"
    read = linux_reader(make_root(tmp_path, {path: "5"}))
    before = read()
    make_root(tmp_path, {path: "6"})
    assert told(Device.CPU, (before, None), (read(), None)) == {
        "throttled": True, "throttle_reasons": ["thermal slowdown"],
    }  # fmt: skip


def host_at(*seconds: float) -> Callable[[], HostReading]:
    """A host that only tells the time."""
    times = iter(seconds)
    return lambda: HostReading(cpu_time=make_time(next(times)))


def test_a_gpu_tells_its_clock_temperature_and_power() -> None:
    watch = Watch(Device.CUDA, host_at(10, 20), NvmlGpu.find({}, FakeNvml("NVIDIA H200", bits=4)))
    first = watch.read()
    assert (first["clock_hz"], first["temperature_c"], first["power_w"]) == (1.98e9, 41.0, 120.5)
    assert first["throttle_reasons"] == [Throttle.POWER_CAP]
    assert watch.read()["power_w"] == 0.0  # its energy stood still for ten seconds
    msgspec.convert(first, Conditions)


def test_a_gpu_tells_what_its_driver_knows_and_no_more() -> None:
    missing = ("nvmlDeviceGetPowerUsage", "nvmlDeviceGetTemperature", "nvmlDeviceGetClockInfo",
               "nvmlDeviceGetTotalEnergyConsumption", "nvmlDeviceGetViolationStatus",
               "nvmlDeviceGetCurrentClocksEventReasons")  # fmt: skip
    gpu = NvmlGpu.find({}, FakeNvml("NVIDIA H200", missing=missing))
    assert Watch(Device.CUDA, host_at(10), gpu).read() == {}


def test_a_slowdown_between_two_readings_is_told_though_it_ended() -> None:
    host = HostReading(cpu_time=make_time(10)), HostReading(cpu_time=make_time(20))
    first = GpuReading(reasons=frozenset(), slowed_ns={Throttle.THERMAL: 100})
    second = GpuReading(reasons=frozenset(), slowed_ns={Throttle.THERMAL: 101})
    seen = told(Device.CUDA, (host[0], first), (host[1], second))
    assert seen["throttle_reasons"] == [Throttle.THERMAL]
    assert told(Device.CUDA, (host[0], first), (host[1], first))["throttled"] is False


@pytest.mark.parametrize(
    ("report", "limited"),
    [
        (" \tCPU_Scheduler_Limit \t= 100\n\tCPU_Speed_Limit \t= 100", False),
        ("Note: No thermal warning level has been recorded\n\tCPU_Speed_Limit \t= 46", True),
        ("Note: No thermal warning level has been recorded\n"
         "Note: No performance warning level has been recorded\n"
         "Note: No CPU power status has been recorded", False),
        ("something else", None),
        (None, None),
    ],
)  # fmt: skip
def test_pmset_tells_a_speed_limit(report: str | None, limited: bool | None) -> None:
    assert macos.limited(report) is limited


def test_pmset_tells_the_power_mode() -> None:
    assert macos.power_mode("System-wide:\n lowpowermode         1\n") == "low power mode"
    assert macos.power_mode(" hibernatemode 3\n") is None


@pytest.mark.parametrize(
    ("before", "after", "device", "why"),
    [
        ({}, {}, Device.CPU, None),
        ({}, {"load": 0.3, "throttled": False}, Device.CPU, None),
        ({}, {"load": 0.5}, Device.CPU,
         "overloaded: other processes kept 0.50 of 4 cores busy while it ran, more than 10%"),
        ({}, {"load": 0.5}, Device.CUDA, None),
        ({"load": 4.0}, {"load": 0.0}, Device.CPU, None),
        ({}, {"load": 2.1}, Device.CUDA,
         "overloaded: other processes kept 2.10 of 4 cores busy while it ran, more than 50%"),
        ({}, {"throttled": True, "throttle_reasons": ["thermal slowdown"]}, Device.CPU,
         "throttled: thermal slowdown"),
        ({}, {"throttle_reasons": [Throttle.STOLEN, Throttle.QUOTA]}, Device.CPU,
         "throttled: CPU quota of the control group, CPU time stolen by the hypervisor"),
        ({"throttle_reasons": [Throttle.STOLEN]}, {}, Device.CPU, None),
        ({"throttle_reasons": [Throttle.THERMAL]}, {}, Device.CUDA, "throttled: thermal slowdown"),
        ({}, {"throttled": True, "throttle_reasons": ["power cap"]}, Device.CUDA, None),
    ],
)  # fmt: skip
def test_a_cell_is_disturbed_by_what_happened_while_it_ran(
    before: dict[str, object], after: dict[str, object], device: Device, why: str | None
) -> None:
    assert disturbance(before, after, 4, device) == why
