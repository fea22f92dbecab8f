"""What a telemetry file of neural-cost holds: its fields, its faults, its device strings."""

import hashlib
import re
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from benchproof.errors import ImportFormatError
from benchproof.model.keys import Device, Framework, Precision
from benchproof.model.raw import Batch, Bytes, Count, Name, NotNegative, Positive, Text
from benchproof.records.strict_json import read_json

# A word that opens a device string, before any index, name or reason behind it.
DEVICES = {
    "cpu": Device.CPU,
    "mps": Device.MPS,
    "metal": Device.MPS,
    "cuda": Device.CUDA,
    "nvidia": Device.CUDA,
}


class SourceHardware(msgspec.Struct, frozen=True):
    """The source's `hardware`: rates in FLOP/s and bytes/s, the measured one in GB/s."""

    name: Name
    peak_flops: Positive | None = None
    memory_bandwidth: Positive | None = None
    source: Text = ""
    measured_bw_gb_s: Positive | None = None
    torch_device: Name | None = None


class SourceRecord(msgspec.Struct, frozen=True):
    """One of the source's `records`: fields that become a cell; the rest is kept as reported."""

    framework: Framework
    variant: Name
    architecture: Name
    batch: Batch
    latency_median_ms: Positive
    latency_mean_ms: Positive | None = None
    latency_stddev_ms: NotNegative | None = None
    latency_p95_ms: Positive | None = None
    flops: Count | None = None
    param_bytes: Count | None = None
    total_bytes: Bytes | None = None
    device: Name | None = None
    scale: Name | None = None
    precision: Precision = Precision.FP32
    mode: Name = "inference"
    peak_allocated_bytes: Count | None = None


Piece = TypeVar("Piece", SourceHardware, SourceRecord)
CONVERTED = frozenset(SourceRecord.__struct_fields__)


class SourceFile(msgspec.Struct, frozen=True):
    """A whole source file, with the name that errors show and what identifies its bytes."""

    shown: str
    name: str
    sha256: str
    hardware: SourceHardware
    records: tuple[SourceRecord, ...]
    originals: tuple[dict[str, Any], ...]


def read_source(path: Path) -> SourceFile:
    """A source file, checked; ImportFormatError gives file, JSON pointer, fault and remedy."""
    shown = str(path)
    document, content = read_json(path, shown, ImportFormatError)
    if not isinstance(document, dict) or not isinstance(document.get("records"), list):
        raise ImportFormatError(
            shown, "no `records` list", "give a benchmark_data.json or benchmark_gpu_data.json"
        )
    hardware = _convert(document.get("hardware"), SourceHardware, f"{shown}#/hardware")
    records = tuple(
        _convert(record, SourceRecord, f"{shown}#/records/{position}")
        for position, record in enumerate(document["records"])
    )
    if not records:
        raise ImportFormatError(f"{shown}#/records", "no record", "give a file with measurements")
    return SourceFile(
        shown=shown,
        name=path.name,
        sha256=hashlib.sha256(content).hexdigest(),
        hardware=hardware,
        records=records,
        originals=tuple(document["records"]),
    )


def _convert(node: Any, kind: type[Piece], where: str) -> Piece:
    try:
        return msgspec.convert(node, kind)
    except msgspec.ValidationError as bad:
        what, _, path = str(bad).partition(" - at ")
        field = re.sub(r"[^\w]+", "/", path.strip("`").removeprefix("$")).rstrip("/")
        raise ImportFormatError(
            f"{where}{field}", what[0].lower() + what[1:], "correct the value at its source"
        ) from None


def device_of(text: str, accelerator: Device | None, where: str) -> Device:
    """The device that a string such as `mps:0 (gpu)` or `cpu-fallback (no TF GPU)` names.

    A bare `gpu` is the machine's accelerator, where one is known.
    """
    name = _device_word(text)
    if name == "gpu" and accelerator is not None:
        return accelerator
    if name == "gpu":
        raise ImportFormatError(
            where, f"device {text!r} does not say which GPU", "name it with --requested"
        )
    if name not in DEVICES:
        raise ImportFormatError(
            where,
            f"device {text!r} is not known",
            f"expected one that starts with {', '.join(DEVICES)}",
        )
    return DEVICES[name]


def _device_word(text: str) -> str:
    word = re.match(r"[/\s]*(?:device:)?([a-z]+)", text.lower())
    return word.group(1) if word else ""


def requested_device(source: SourceFile) -> Device:
    """Device that the sweep asked for: the file's own accelerator, else what its records name."""
    where = f"{source.shown}#/hardware"
    if source.hardware.torch_device is not None:
        return device_of(source.hardware.torch_device, None, f"{where}/torch_device")
    named = {
        device_of(record.device, None, f"{source.shown}#/records/{position}/device")
        for position, record in enumerate(source.records)
        if record.device is not None and _device_word(record.device) != "gpu"
    }
    accelerators = sorted(named - {Device.CPU})
    return accelerators[0] if len(accelerators) == 1 else Device.CPU
