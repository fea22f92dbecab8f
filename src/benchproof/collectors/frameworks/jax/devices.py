"""Which devices JAX has here, and where an array lives."""

from importlib import import_module
from typing import Any

from benchproof.collectors.frameworks.base import Placed, UnsupportedError
from benchproof.model.keys import Device

jax: Any = import_module("jax")

# Names that JAX's plugins give their platform; jax-metal says METAL, jax-mps says mps.
PLATFORMS = {Device.CPU: ("cpu",), Device.CUDA: ("cuda",), Device.MPS: ("mps", "METAL")}
_KINDS = {"cpu": Device.CPU, "cuda": Device.CUDA, "mps": Device.MPS, "metal": Device.MPS}


def find(device: Device) -> Any | None:
    """JAX's first device of a kind; None where it has none."""
    for platform in PLATFORMS[device]:
        try:
            return jax.devices(platform)[0]
        except RuntimeError:  # no such plugin, no such hardware, or JAX_PLATFORMS leaves it out
            continue
    return None


def need(device: Device) -> Any:
    """JAX's first device of a kind; UnsupportedError where it has none."""
    found = find(device)
    if found is None:
        seen = ", ".join(describe(other) for other in map(find, Device) if other)
        raise UnsupportedError(f"JAX has no {device} here, only {seen}")
    return found


def kind(platform: str, version: str) -> Device | None:
    """What kind a platform is; its version tells AMD's GPUs, which are called "gpu" as well."""
    if platform.lower() == "gpu":
        return Device.CUDA if "cuda" in version.lower() else None
    return _KINDS.get(platform.lower())


def describe(found: Any) -> str:
    """A device as JAX names it, with its model where that says more."""
    return f"{found} ({found.device_kind})"


def placed(output: Any) -> Placed:
    """Where an array lives, by the array itself; no kind where it is spread over several."""
    held = sorted(output.devices(), key=lambda found: int(found.id))
    kinds = {kind(found.platform, found.client.platform_version) for found in held}
    text = ", ".join(map(describe, held))
    return Placed(kinds.pop() if len(held) == 1 else None, text)


def driver(device: Device) -> str | None:
    """Version of the device's runtime, as its plugin tells; None where that is just its name."""
    found = find(device)
    if found is None:
        return None
    version = "; ".join(str(found.client.platform_version).split("\n"))
    return None if version == found.platform else version


def peak_memory_bytes(found: Any) -> int | None:
    """Peak of the device's memory since the process began; None where JAX does not count it."""
    stats = found.memory_stats()
    peak = (stats or {}).get("peak_bytes_in_use")
    return None if peak is None else int(peak)
