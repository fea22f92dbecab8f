"""Made-up machines for tests: folders like /proc and /sys, and GPUs that answer like NVML."""

from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any


def make_root(folder: Path, files: Mapping[str, str]) -> Path:
    """A folder that holds these files, as if it were /."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


class NvmlError(Exception):
    """What NVML raises for whatever a card does not support."""


class FakeNvml:
    """As much of NVML as is asked; functions named in `missing` raise."""

    NVMLError = NvmlError
    NVML_CLOCK_SM = 1
    NVML_TEMPERATURE_GPU = 0
    NVML_PERF_POLICY_POWER = 0
    NVML_PERF_POLICY_THERMAL = 1

    def __init__(self, *names: str, missing: tuple[str, ...] = (), **state: Any) -> None:
        self._names = names
        self._missing = missing
        self._state = state

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("nvml") and name in self._missing:
            return self._refuse
        return super().__getattribute__(name)

    def _refuse(self, *arguments: Any) -> Any:
        raise NvmlError

    def nvmlInit(self) -> None:  # noqa: N802
        if not self._names:
            raise NvmlError

    def nvmlDeviceGetCount(self) -> int:  # noqa: N802
        return len(self._names)

    def nvmlDeviceGetHandleByIndex(self, index: int) -> int:  # noqa: N802
        return index

    def nvmlDeviceGetUUID(self, card: int) -> str:  # noqa: N802
        return f"GPU-{card}{card}{card}-abc"

    def nvmlDeviceGetName(self, card: int) -> bytes:  # noqa: N802
        return self._names[card].encode()

    def nvmlSystemGetDriverVersion(self) -> str:  # noqa: N802
        return "580.1"

    def nvmlDeviceGetMemoryInfo(self, card: int) -> Any:  # noqa: N802
        return SimpleNamespace(total=143771 << 20)

    def nvmlDeviceGetMigMode(self, card: int) -> tuple[int, int]:  # noqa: N802
        return self._state.get("mig", 0), 0

    def nvmlDeviceGetMigDeviceHandleByIndex(self, card: int, index: int) -> int:  # noqa: N802
        return card + 1

    def nvmlDeviceGetClockInfo(self, card: int, kind: int) -> int:  # noqa: N802
        return 1980

    def nvmlDeviceGetTemperature(self, card: int, kind: int) -> int:  # noqa: N802
        return 41

    def nvmlDeviceGetPowerUsage(self, card: int) -> int:  # noqa: N802
        return 120_500

    def nvmlDeviceGetTotalEnergyConsumption(self, card: int) -> int:  # noqa: N802
        return 5_000_000

    def nvmlDeviceGetCurrentClocksEventReasons(self, card: int) -> int:  # noqa: N802
        return int(self._state.get("bits", 0))

    def nvmlDeviceGetViolationStatus(self, card: int, policy: int) -> Any:  # noqa: N802
        return SimpleNamespace(violationTime=7 if policy == self.NVML_PERF_POLICY_THERMAL else 0)
