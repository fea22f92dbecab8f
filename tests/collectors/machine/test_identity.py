"""What a machine is called and how much of it is usable, without any word made up."""

import os
import platform
from pathlib import Path

import msgspec
import pytest

from benchproof.collectors.machine import linux, macos
from benchproof.collectors.machine.cgroups import memory_limit_bytes
from benchproof.collectors.machine.identity import machine
from benchproof.collectors.machine.nvidia import NvmlGpu, find_gpu, throttle_reasons
from benchproof.collectors.machine.throttle import Throttle
from benchproof.collectors.machine.told import command_text, one_line
from benchproof.model.keys import Device
from benchproof.model.raw import Machine

from .machines import FakeNvml, make_root

V2 = {"sys/fs/cgroup/cgroup.controllers": "cpu memory", "proc/self/cgroup": "0::/box/own"}


def test_this_machine_is_what_raw_telemetry_takes() -> None:
    told = msgspec.convert(machine(Device.CPU, None), Machine)
    assert told.chip.strip()
    assert told.os is not None
    assert 1 <= (told.cores or 0) <= (os.cpu_count() or 1)


def test_text_is_one_line_of_at_most_200_characters() -> None:
    assert one_line("  AMD\x1b[31m EPYC\n\t7763\ud800 ") == "AMD [31m EPYC 7763"
    assert len(one_line("x" * 500) or "") == 200
    assert one_line(" \n\x00") is None


@pytest.mark.parametrize(
    ("cpuinfo", "name"),
    [
        ("processor\t: 0\nmodel name\t: AMD EPYC\n\nprocessor: 1\n", "AMD EPYC"),
        ("vendor_id: AuthenticAMD\ncpu family: 25\nmodel: 1\nmodel name: unknown\n",
         "AuthenticAMD family 25 model 1"),
        ("processor: 0\nCPU implementer: 0x41\n", None),
    ],
)  # fmt: skip
def test_a_processor_is_named_as_the_kernel_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cpuinfo: str, name: str | None
) -> None:
    monkeypatch.setattr(linux, "command_text", lambda *command: None)
    assert linux.processor(make_root(tmp_path, {"proc/cpuinfo": cpuinfo})) == name


def test_an_arm_processor_is_named_by_lscpu(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linux, "command_text", lambda *command: "Model name:   Neoverse-V2\n")
    assert linux.processor(make_root(tmp_path, {"proc/cpuinfo": "processor: 0"})) == "Neoverse-V2"


def test_a_chip_is_named_even_where_nothing_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linux, "processor", lambda: None)
    monkeypatch.setattr(platform, "system", lambda: "Linux")
    assert "processor, its name is not told" in machine(Device.CPU, None)["chip"]


@pytest.mark.parametrize(
    ("files", "cores"),
    [
        (V2 | {"sys/fs/cgroup/box/own/cpu.max": "max 100000"}, 8),
        (V2 | {"sys/fs/cgroup/box/own/cpu.max": "350000 100000"}, 3),
        (V2 | {"sys/fs/cgroup/box/own/cpu.max": "max 100000",
               "sys/fs/cgroup/box/cpu.max": "50000 100000"}, 1),
        ({"proc/self/cgroup": "4:cpu,cpuacct:/elsewhere",
          "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "200000",
          "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "100000"}, 2),
        ({"proc/self/cgroup": "4:cpu,cpuacct:/",
          "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "-1",
          "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "100000"}, 8),
        ({}, 8),
    ],
    ids=["none", "whole-cores", "of-a-group-above", "version-1", "version-1-none", "no-groups"],
)  # fmt: skip
def test_a_quota_limits_the_usable_cores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str], cores: int
) -> None:
    monkeypatch.setattr(linux, "usable_cpus", lambda: set(range(8)))
    folder = make_root(tmp_path, files)
    (folder / "sys/fs/cgroup/box/own").mkdir(parents=True, exist_ok=True)
    assert linux.usable_cores(folder) == cores


@pytest.mark.parametrize(
    ("files", "bytes_"),
    [
        ({}, 2048 * 1024),
        (V2 | {"sys/fs/cgroup/memory.max": "1048576"}, 1048576),
        (V2 | {"sys/fs/cgroup/memory.max": "max"}, 2048 * 1024),
    ],
    ids=["no-groups", "limit", "none"],
)  # fmt: skip
def test_memory_is_what_the_container_allows(
    tmp_path: Path, files: dict[str, str], bytes_: int
) -> None:
    meminfo = {"proc/meminfo": "MemTotal:       2048 kB\nMemFree: 1 kB\n"}
    assert linux.memory_bytes(make_root(tmp_path, files | meminfo)) == bytes_


def test_the_largest_number_of_version_1_is_no_limit(tmp_path: Path) -> None:
    files = {"proc/self/cgroup": "3:memory:/",
             "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712"}  # fmt: skip
    assert memory_limit_bytes(make_root(tmp_path, files)) is None


@pytest.mark.parametrize(
    ("bits", "reasons"),
    [
        (0x00, set()),
        (0x01 | 0x02 | 0x10 | 0x100, set()),
        (0x04, {Throttle.POWER_CAP}),
        (0x08 | 0x20, {Throttle.HARDWARE, Throttle.THERMAL}),
        (0x40, {Throttle.THERMAL}),
        (0x80, {Throttle.POWER_BRAKE}),
    ],
)
def test_only_what_slows_work_down_is_a_reason(bits: int, reasons: set[Throttle]) -> None:
    assert throttle_reasons(bits) == reasons


def test_untold_memory_is_none(tmp_path: Path) -> None:
    assert linux.memory_bytes(tmp_path) is None
    assert linux.last_level_cache_bytes(tmp_path) is None


def test_every_last_level_cache_counts_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linux, "usable_cpus", lambda: {0, 1, 2})
    files = {}
    for cpu, shared in enumerate(("0-1", "0-1", "2-3")):
        cache = f"sys/devices/system/cpu/cpu{cpu}/cache"
        files |= {f"{cache}/index2/size": "512K", f"{cache}/index3/size": "32768K",
                  f"{cache}/index3/shared_cpu_list": shared}  # fmt: skip
    assert linux.last_level_cache_bytes(make_root(tmp_path, files)) == 2 * 32 * 2**20


def test_a_gpu_has_its_own_memory_and_driver() -> None:
    gpu = NvmlGpu.find({}, FakeNvml("NVIDIA H200"))
    told = machine(Device.CUDA, "CUDA 13.0", gpu)
    assert told["chip"] == "NVIDIA H200"
    assert told["memory_bytes"] == 143771 << 20
    assert told["driver"] == "NVIDIA driver 580.1, CUDA 13.0"
    assert machine(Device.CUDA, "driver 580.1, CUDA 13.0", gpu)["driver"].count("580.1") == 1


def test_a_gpu_that_nothing_tells_of_gets_no_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchproof.collectors.machine.identity.find_gpu", lambda: None)
    told = machine(Device.CUDA, None)
    assert told["chip"] == "NVIDIA GPU, its name is not told"
    assert "memory_bytes" not in told
    assert "driver" not in told


@pytest.mark.parametrize(
    ("environment", "name"),
    [
        ({}, None),
        ({"CUDA_DEVICE_ORDER": "PCI_BUS_ID"}, "NVIDIA L4"),
        ({"CUDA_DEVICE_ORDER": "PCI_BUS_ID", "CUDA_VISIBLE_DEVICES": "1,0"}, "NVIDIA H200"),
        ({"CUDA_VISIBLE_DEVICES": "GPU-111"}, "NVIDIA H200"),
        ({"CUDA_VISIBLE_DEVICES": "GPU-"}, None),
        ({"CUDA_VISIBLE_DEVICES": "-1"}, None),
        ({"CUDA_VISIBLE_DEVICES": ""}, None),
        ({"CUDA_DEVICE_ORDER": "PCI_BUS_ID", "CUDA_VISIBLE_DEVICES": "7"}, None),
    ],
)
def test_of_different_gpus_the_one_that_cuda_shows_is_told(
    environment: dict[str, str], name: str | None
) -> None:
    gpu = NvmlGpu.find(environment, FakeNvml("NVIDIA L4", "NVIDIA H200"))
    assert (gpu.identity().name if gpu else None) == name


def test_a_part_of_a_divided_gpu_is_told_as_that_part() -> None:
    gpu = NvmlGpu.find({"CUDA_VISIBLE_DEVICES": "GPU-000"},
                       FakeNvml("NVIDIA H200", "NVIDIA H200 MIG 1g.18gb", mig=1))  # fmt: skip
    assert gpu is not None
    assert gpu.identity().name == "NVIDIA H200 MIG 1g.18gb"


def test_nvidia_smi_stands_in_for_nvml(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    smi = tmp_path / "nvidia-smi"
    smi.write_text(
        "#!/bin/sh\n"
        'case "$1" in\n'
        "  *=name) echo 'NVIDIA H200' ;;\n"
        "  *driver*) echo 'NVIDIA H200, 143771, 580.1, Disabled' ;;\n"
        "  *) echo '1980, 41, 120.50, 0x0000000000000024' ;;\n"
        "esac\n"
    )
    smi.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(NvmlGpu, "find", lambda environment: None)
    gpu = find_gpu({})
    assert gpu is not None
    told, now = gpu.identity(), gpu.reading()
    assert (told.name, told.memory_bytes, told.driver) == ("NVIDIA H200", 143771 << 20, "580.1")
    assert (now.clock_hz, now.temperature_c, now.power_w) == (1.98e9, 41.0, 120.5)
    assert now.reasons == {Throttle.POWER_CAP, Throttle.THERMAL}


def test_a_command_that_fails_or_hangs_tells_nothing() -> None:
    assert command_text("benchproof-has-no-such-command") is None
    assert command_text("sh", "-c", "echo wrong; exit 3") is None
    assert command_text("sleep", "5", timeout_s=0.05) is None


def test_a_mac_is_read_through_sysctl(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"machdep.cpu.brand_string": "Apple M3 Max", "hw.memsize": "38654705664",
             "hw.perflevel0.l2cachesize": "16777216"}  # fmt: skip
    monkeypatch.setattr(macos, "command_text", lambda *command: known.get(command[-1]))
    monkeypatch.setattr(platform, "system", lambda: "Darwin")
    monkeypatch.setattr(platform, "machine", lambda: "arm64")
    monkeypatch.setattr(platform, "mac_ver", lambda: ("14.5", ("", "", ""), "arm64"))
    told = machine(Device.MPS, None)
    assert (told["chip"], told["os"]) == ("Apple M3 Max", "macOS 14.5 arm64")
    assert told["memory_bytes"] == 36 * 2**30
    assert macos.last_level_cache_bytes() == 96 * 2**20
