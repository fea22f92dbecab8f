"""What an NVIDIA GPU is and what state it is in: through NVML, or nvidia-smi where that is missing.

The GPU is the first of CUDA_VISIBLE_DEVICES. Its indices are NVML's only with
CUDA_DEVICE_ORDER=PCI_BUS_ID; on a machine with different GPUs nothing is told without it.
"""

import importlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from benchproof.collectors.machine.throttle import Throttle
from benchproof.collectors.machine.told import command_text, one_line, whole_number

# Bits of NVML's clocks event reasons; the others (idle, chosen clocks) slow no work down.
_REASONS = {
    0x04: Throttle.POWER_CAP,
    0x08: Throttle.HARDWARE,
    0x20: Throttle.THERMAL,
    0x40: Throttle.THERMAL,
    0x80: Throttle.POWER_BRAKE,
}
_IDENTITY = ("name", "memory.total", "driver_version", "mig.mode.current")
_STATE = ("clocks.sm", "temperature.gpu", "power.draw", "clocks_throttle_reasons.active")
_SMI_TIMEOUT_S = 10.0  # without the persistence daemon it loads the driver first


@dataclass(frozen=True)
class GpuIdentity:
    """Name, memory in bytes and driver version of a GPU, or of the part of it that is used."""

    name: str | None = None
    memory_bytes: int | None = None
    driver: str | None = None


@dataclass(frozen=True)
class GpuReading:
    """State of a GPU now, and counters that tell what happened between two readings.

    `energy_j` and `slowed_ns` (time that each reason has slowed the clocks) count since the
    driver was loaded.
    """

    clock_hz: float | None = None
    temperature_c: float | None = None
    power_w: float | None = None
    reasons: frozenset[Throttle] | None = None
    energy_j: float | None = None
    slowed_ns: Mapping[Throttle, int] = field(default_factory=dict)


class Gpu(Protocol):
    """The GPU that a framework uses."""

    def identity(self) -> GpuIdentity:
        """What it is."""

    def reading(self) -> GpuReading:
        """What state it is in."""


def find_gpu(environment: Mapping[str, str] = os.environ) -> Gpu | None:
    """The GPU that CUDA shows first; None where there is none or none that can be told apart."""
    return NvmlGpu.find(environment) or SmiGpu.find(environment)


def first_visible(environment: Mapping[str, str]) -> str | None:
    """Index or UUID of the GPU that CUDA shows first; None where it is to show none."""
    first = environment.get("CUDA_VISIBLE_DEVICES", "0").split(",")[0].strip()
    return first if first.isdigit() or first.startswith(("GPU-", "MIG-")) else None


def throttle_reasons(bits: int) -> frozenset[Throttle]:
    """What NVML's bits of reasons say."""
    return frozenset(reason for bit, reason in _REASONS.items() if bits & bit)


class NvmlGpu:
    """A GPU as NVIDIA's management library tells of it."""

    def __init__(self, nvml: Any, card: Any, part: Any) -> None:
        self._nvml = nvml
        self._card = card
        self._part = part  # the card itself, or its instance where it is divided

    @classmethod
    def find(cls, environment: Mapping[str, str], nvml: Any = None) -> "NvmlGpu | None":
        """The first visible GPU; None without NVML or without such a GPU."""
        first = first_visible(environment)
        try:
            nvml = nvml or importlib.import_module("pynvml")
        except ImportError:
            return None
        try:
            nvml.nvmlInit()
            found = None if first is None else _nvml_handles(nvml, first, environment)
        except nvml.NVMLError:
            return None
        return None if found is None else cls(nvml, *found)

    def identity(self) -> GpuIdentity:
        """What it is."""
        memory = self._ask("nvmlDeviceGetMemoryInfo", self._part)
        return GpuIdentity(
            name=one_line(_text(self._ask("nvmlDeviceGetName", self._part))),
            memory_bytes=None if memory is None else int(memory.total) or None,
            driver=one_line(_text(self._ask("nvmlSystemGetDriverVersion"))),
        )

    def reading(self) -> GpuReading:
        """What state it is in."""
        card, nvml = self._card, self._nvml
        clock = self._ask("nvmlDeviceGetClockInfo", card, nvml.NVML_CLOCK_SM)
        degrees = self._ask("nvmlDeviceGetTemperature", card, nvml.NVML_TEMPERATURE_GPU)
        power = self._ask("nvmlDeviceGetPowerUsage", card)
        energy = self._ask("nvmlDeviceGetTotalEnergyConsumption", card)
        bits = self._ask("nvmlDeviceGetCurrentClocksEventReasons", card)
        if bits is None:
            bits = self._ask("nvmlDeviceGetCurrentClocksThrottleReasons", card)
        return GpuReading(
            clock_hz=clock * 1e6 if clock else None,
            temperature_c=None if degrees is None else float(degrees),
            power_w=None if power is None else power / 1e3,
            reasons=None if bits is None else throttle_reasons(int(bits)),
            energy_j=None if energy is None else energy / 1e3,
            slowed_ns=self._slowed_ns(),
        )

    def _slowed_ns(self) -> dict[Throttle, int]:
        policies = {
            Throttle.POWER_CAP: getattr(self._nvml, "NVML_PERF_POLICY_POWER", None),
            Throttle.THERMAL: getattr(self._nvml, "NVML_PERF_POLICY_THERMAL", None),
        }
        told = {
            reason: self._ask("nvmlDeviceGetViolationStatus", self._card, policy)
            for reason, policy in policies.items()
            if policy is not None
        }
        return {reason: int(t.violationTime) for reason, t in told.items() if t is not None}

    def _ask(self, name: str, *arguments: Any) -> Any:
        """What NVML answers; None where the card, the driver or the library does not know it."""
        function = getattr(self._nvml, name, None)
        if function is None:
            return None
        try:
            return function(*arguments)
        except self._nvml.NVMLError:
            return None


class SmiGpu:
    """A GPU as nvidia-smi tells of it: no counters, and some tenths of a second for a reading."""

    def __init__(self, which: str) -> None:
        self._which = which

    @classmethod
    def find(cls, environment: Mapping[str, str]) -> "SmiGpu | None":
        """The first visible GPU; None without nvidia-smi or without such a GPU."""
        first = first_visible(environment)
        if first is None or first.startswith("MIG-"):
            return None
        names = _smi_lines("name")
        if not names or (first.isdigit() and not _ordered(environment, names)):
            return None
        return cls(first) if _smi_lines("name", which=first) else None

    def identity(self) -> GpuIdentity:
        """What it is."""
        name, memory, driver, mig = self._ask(_IDENTITY)
        mebibytes = whole_number(memory)
        divided = mig == "Enabled"
        return GpuIdentity(
            name=f"{name} MIG" if name and divided else name,
            memory_bytes=None if mebibytes is None or divided else mebibytes << 20,
            driver=driver,
        )

    def reading(self) -> GpuReading:
        """What state it is in."""
        clock, degrees, power, bits = self._ask(_STATE)
        megahertz = _number(clock)
        return GpuReading(
            clock_hz=megahertz * 1e6 if megahertz else None,
            temperature_c=_number(degrees),
            power_w=_number(power),
            reasons=_smi_reasons(bits),
        )

    def _ask(self, fields: tuple[str, ...]) -> list[str | None]:
        lines = _smi_lines(*fields, which=self._which)
        words = [word.strip() for word in lines[0].split(",")] if lines else []
        known = [None if word.startswith("[") else one_line(word) for word in words]
        return known if len(known) == len(fields) else [None] * len(fields)


def _nvml_handles(nvml: Any, first: str, environment: Mapping[str, str]) -> tuple[Any, Any] | None:
    """The card, and the part of it that is used."""
    if first.startswith("MIG-"):
        part = nvml.nvmlDeviceGetHandleByUUID(first)
        return nvml.nvmlDeviceGetDeviceHandleFromMigDeviceHandle(part), part
    cards = [nvml.nvmlDeviceGetHandleByIndex(i) for i in range(nvml.nvmlDeviceGetCount())]
    if first.isdigit():
        names = [_text(nvml.nvmlDeviceGetName(card)) or "" for card in cards]
        if int(first) >= len(cards) or not _ordered(environment, names):
            return None
        card = cards[int(first)]
    else:
        # CUDA takes the beginning of a UUID as well.
        named = [c for c in cards if (_text(nvml.nvmlDeviceGetUUID(c)) or "").startswith(first)]
        if len(named) != 1:
            return None
        card = named[0]
    return card, _instance(nvml, card)


def _instance(nvml: Any, card: Any) -> Any:
    """The first instance of a divided card, which is what CUDA shows; else the card itself."""
    try:
        divided, _ = nvml.nvmlDeviceGetMigMode(card)
        return nvml.nvmlDeviceGetMigDeviceHandleByIndex(card, 0) if divided else card
    except nvml.NVMLError:
        return card


def _ordered(environment: Mapping[str, str], names: list[str]) -> bool:
    """Whether CUDA's first index is surely the management library's, or at least its like."""
    return environment.get("CUDA_DEVICE_ORDER") == "PCI_BUS_ID" or len(set(names)) == 1


def _smi_lines(*fields: str, which: str | None = None) -> list[str]:
    text = command_text(
        "nvidia-smi", f"--query-gpu={','.join(fields)}", "--format=csv,noheader,nounits",
        *(() if which is None else ("-i", which)), timeout_s=_SMI_TIMEOUT_S,
    )  # fmt: skip
    return (text or "").splitlines()


def _smi_reasons(bits: str | None) -> frozenset[Throttle] | None:
    try:
        return None if bits is None else throttle_reasons(int(bits, 16))
    except ValueError:
        return None


def _number(text: str | None) -> float | None:
    try:
        return None if text is None else float(text)
    except ValueError:
        return None


def _text(told: Any) -> str | None:
    """NVML's text, which older bindings give as bytes."""
    return told.decode("utf-8", "replace") if isinstance(told, bytes) else told
