"""What the machine is that a file's cells run on, as raw telemetry's `Machine` has it."""

import os
import platform
from typing import Any

from benchproof.collectors.machine import linux, macos
from benchproof.collectors.machine.nvidia import Gpu, GpuIdentity, find_gpu
from benchproof.collectors.machine.told import one_line
from benchproof.model.keys import Device


def machine(device: Device, adapter_driver: str | None, gpu: Gpu | None = None) -> dict[str, Any]:
    """Chip, cores, memory, cache, system and driver; what is not told is left out.

    `cores` are the host's logical processors that this process can keep busy: its affinity and
    its container's CPU quota. `memory_bytes` are the device's: a GPU's own, else the host's or
    its container's if less. `driver` is NVIDIA's, with what the framework tells beside it.
    """
    card = GpuIdentity()
    if device is Device.CUDA:
        found = gpu or find_gpu()
        card = found.identity() if found else card
    told = {
        "chip": one_line(_chip(device, card)),
        "cores": _cores(),
        "memory_bytes": card.memory_bytes if device is Device.CUDA else host_memory_bytes(),
        "cache_bytes": last_level_cache_bytes() if device is Device.CPU else None,
        "os": one_line(_system()),
        "driver": one_line(_driver(card, adapter_driver)),
    }
    return {name: value for name, value in told.items() if value is not None}


def host_memory_bytes() -> int | None:
    """Bytes of the host's memory that this process may use; None where it is not told."""
    match platform.system():
        case "Linux":
            return linux.memory_bytes()
        case "Darwin":
            return macos.memory_bytes()
    return None


def last_level_cache_bytes() -> int | None:
    """Bytes of the last-level caches of the usable processors; None where it is not told."""
    match platform.system():
        case "Linux":
            return linux.last_level_cache_bytes()
        case "Darwin":
            return macos.last_level_cache_bytes()
    return None


def _chip(device: Device, card: GpuIdentity) -> str:
    if device is Device.CUDA:
        return card.name or "NVIDIA GPU, its name is not told"
    names = {"Linux": linux.processor, "Darwin": macos.processor}
    name = names.get(platform.system(), platform.processor)()
    return name or f"{platform.machine()} processor, its name is not told"


def _cores() -> int:
    match platform.system():
        case "Linux":
            return linux.usable_cores()
        case "Darwin":
            return macos.usable_cores()
    return os.cpu_count() or 1


def _system() -> str:
    match platform.system():
        case "Linux":
            return linux.system()
        case "Darwin":
            return macos.system()
    return platform.platform()


def _driver(card: GpuIdentity, adapter_driver: str | None) -> str | None:
    if card.driver is None or (adapter_driver and card.driver in adapter_driver):
        return adapter_driver
    own = f"NVIDIA driver {card.driver}"
    return f"{own}, {adapter_driver}" if adapter_driver else own
