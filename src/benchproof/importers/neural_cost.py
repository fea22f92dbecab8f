"""Which raw files the telemetry of neural-cost (any release so far) becomes.

Source: `benchmarks/results/benchmark_data.json` and `benchmark_gpu_data.json` of its sdist. The
files hold summaries in milliseconds; samples were not kept. A record of the CPU sweep names no
device, so its actual device stays unknown; the device of a GPU record is what it says.
"""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from benchproof.errors import ImportFormatError
from benchproof.importers.neural_cost_source import (
    CONVERTED,
    SourceFile,
    SourceHardware,
    SourceRecord,
    device_of,
    read_source,
    requested_device,
)
from benchproof.model.keys import (
    CeilingKind,
    CeilingQuantity,
    Device,
    Framework,
    Precision,
    Status,
    Task,
    VariantKind,
)
from benchproof.model.raw import (
    Ceiling,
    Cell,
    FrameworkInfo,
    Machine,
    Protocol,
    RawFile,
    Run,
    Scalar,
    Source,
    Summary,
    Workload,
)

# SHA-256 of each distinct file, and the first release whose sdist carries it.
RELEASES = {
    "e6e84c0ea535727a7e4774cb23e5e2a13f7e46b143e05565f2e63ca11fa03828": "0.2.0",
    "dd16f2d6f9e85c5fc4b6b5b2d4cc677540cab970fbf4a70feffc354040bb0bdf": "0.2.0",
    "f7baae762b7a5432e7adebaf3924d1de44b6b9fdb770b37e59da107fd84d573f": "0.6.0",
    "02beb9a95f94ba339a62a52f7da3d265fc7dcd3e257ef153b4cd65d2ee161c2b": "0.6.0",
    "3e311779399a00008dd0a55d6e373f30037c1b8ceea9c8f87f10251f0e49aaae": "0.7.0",
    "2064b090638946bda85cc2048674b3c4db31f00288a32e7a83273e24bfe068f7": "0.7.0",
}
CONVERSION = "0.1.0"  # the benchproof version that last changed the bytes an import gives
LICENCE = "MIT"
URL = "https://github.com/davidgraymi/neural-cost"

VARIANTS: dict[tuple[Framework, str], tuple[str, VariantKind]] = {
    (Framework.PYTORCH, "compiled"): ("torch.compile", VariantKind.COMPILED),
    (Framework.JAX, "jit"): ("jax.jit", VariantKind.COMPILED),
    (Framework.TENSORFLOW, "tf.function"): ("tf.function", VariantKind.COMPILED),
    (Framework.TENSORFLOW, "tf.function+XLA"): ("tf.function+XLA", VariantKind.COMPILED),
    (Framework.MLX, "compiled"): ("mx.compile", VariantKind.COMPILED),
    **{(framework, "baseline"): ("eager", VariantKind.EAGER) for framework in Framework},
    **{(framework, "eager"): ("eager", VariantKind.EAGER) for framework in Framework},
}
TASKS = {
    "inference": Task.INFERENCE,
    "train_step": Task.TRAIN_STEP,
    "backward_only": Task.BACKWARD,
}


def convert(
    paths: Iterable[Path],
    study: str,
    *,
    version: str | None = None,
    requested: Device | None = None,
) -> dict[str, RawFile]:
    """Raw files by file name, one per device, framework and workload.

    `version` is the release the files come from, looked up by SHA-256 where it is not given;
    `requested` overrides the device that the files themselves tell.
    """
    converted: dict[str, RawFile] = {}
    seen: dict[tuple[object, ...], str] = {}
    for source in map(read_source, paths):
        device = requested or requested_device(source)
        for positions in _by_workload(source):
            _refuse_repeats(source, device, positions, seen)
            raw = _raw_file(
                source, positions, study, device, version or RELEASES.get(source.sha256)
            )
            converted[_free_name(raw, converted)] = raw
    return converted


def _by_workload(source: SourceFile) -> list[list[int]]:
    groups: dict[tuple[object, ...], list[int]] = {}
    for position, record in enumerate(source.records):
        key = (record.framework, record.architecture, record.mode, record.scale)
        groups.setdefault(key, []).append(position)
    return list(groups.values())


def _refuse_repeats(
    source: SourceFile,
    device: Device,
    positions: Sequence[int],
    seen: dict[tuple[object, ...], str],
) -> None:
    """Two summaries of one cell cannot be pooled, and choosing one would be silent."""
    for position in positions:
        r = source.records[position]
        key = (
            device,
            r.framework,
            r.architecture,
            r.mode,
            r.scale,
            r.variant,
            r.batch,
            r.precision,
        )
        where = f"{source.shown}#/records/{position}"
        if key in seen:
            raise ImportFormatError(
                where,
                f"the same cell stands at {seen[key]}",
                "import the two into separate studies",
            )
        seen[key] = where


def _raw_file(
    source: SourceFile, positions: Sequence[int], study: str, device: Device, version: str | None
) -> RawFile:
    first = source.records[positions[0]]
    if first.mode not in TASKS:
        raise ImportFormatError(
            f"{source.shown}#/records/{positions[0]}/mode",
            f"mode {first.mode!r} is not known",
            f"expected one of {', '.join(TASKS)}",
        )
    return RawFile(
        schema="benchproof/raw@1",
        study=study,
        device=device,
        framework=FrameworkInfo(name=first.framework),
        workload=Workload(model=first.architecture, task=TASKS[first.mode], scale=first.scale),
        run=Run(id=f"neural-cost-{source.sha256[:12]}", round=1, benchproof=CONVERSION),
        machine=_machine(source.hardware),
        protocol=Protocol(),
        source=Source(
            name="neural-cost",
            version=version,
            file=source.name,
            sha256=source.sha256,
            licence=LICENCE,
            url=URL,
        ),
        cells=tuple(_cell(source, position, device) for position in positions),
    )


def _machine(hardware: SourceHardware) -> Machine:
    """The chip and its ceilings; a GPU sweep's `name` is a device, its chip stands in `source`."""
    table = re.search(r"table \(([^)]+)\)", hardware.source)
    declared, _, measured = hardware.source.partition(" + ")
    ceilings = (
        _ceiling(CeilingQuantity.FLOPS_PER_S, hardware.peak_flops, CeilingKind.DATASHEET, declared),
        _ceiling(
            CeilingQuantity.BYTES_PER_S, hardware.memory_bandwidth, CeilingKind.DATASHEET, declared
        ),
        _ceiling(
            CeilingQuantity.BYTES_PER_S,
            _scaled(hardware.measured_bw_gb_s, 9),
            CeilingKind.MEASURED,
            measured or "measured by the source",
        ),
    )
    return Machine(
        chip=table.group(1) if table else hardware.name,
        ceilings=tuple(ceiling for ceiling in ceilings if ceiling is not None),
    )


def _ceiling(
    quantity: CeilingQuantity, value: float | None, kind: CeilingKind, source: str
) -> Ceiling | None:
    if value is None:
        return None
    flops = quantity is CeilingQuantity.FLOPS_PER_S
    return Ceiling(
        quantity=quantity,
        value=value,
        kind=kind,
        source=source or "not told",
        precision=Precision.FP32 if flops else None,  # the source's table lists fp32 peaks
    )


def _cell(source: SourceFile, position: int, requested: Device) -> Cell:
    record = source.records[position]
    where = f"{source.shown}#/records/{position}"
    if (record.framework, record.variant) not in VARIANTS:
        known = sorted(name for framework, name in VARIANTS if framework is record.framework)
        raise ImportFormatError(
            f"{where}/variant",
            f"variant {record.variant!r} of {record.framework} is not known",
            f"expected one of {', '.join(known)}",
        )
    variant, kind = VARIANTS[record.framework, record.variant]
    accelerator = requested if requested.is_gpu else None
    return Cell(
        variant=variant,
        kind=kind,
        batch=record.batch,
        precision=record.precision,
        status=Status.OK,
        actual_device=device_of(record.device, accelerator, f"{where}/device")
        if record.device
        else None,
        device_text=record.device,
        parameter_bytes=record.param_bytes,
        flops_per_call=record.flops,
        bytes_per_call=record.total_bytes,
        peak_memory_bytes=record.peak_allocated_bytes,
        summary=_summary(record),
        source_pointer=f"/records/{position}",
        reported=_reported(source.originals[position], where),
    )


def _summary(record: SourceRecord) -> Summary:
    median = _scaled(record.latency_median_ms, 6)
    assert median is not None
    return Summary(
        median_ns=median,
        mean_ns=_scaled(record.latency_mean_ms, 6),
        stddev_ns=_scaled(record.latency_stddev_ms, 6),
        p95_ns=_scaled(record.latency_p95_ms, 6),
    )


def _scaled(number: float | None, power: int) -> float | None:
    """Number x 10^power, exact in decimal: a binary multiplication would blur the last digit."""
    return None if number is None else float(Decimal(repr(number)).scaleb(power))


def _reported(original: dict[str, Any], where: str) -> dict[str, Scalar]:
    """What the source computed itself, sorted by field."""
    reported = {field: original[field] for field in sorted(original) if field not in CONVERTED}
    for field, value in reported.items():
        if isinstance(value, list | dict):
            raise ImportFormatError(f"{where}/{field}", "not a plain value", "leave the field out")
    return reported


def _free_name(raw: RawFile, taken: dict[str, RawFile]) -> str:
    parts = [raw.device, raw.framework.name, raw.workload.model]
    parts += [raw.workload.scale] if raw.workload.scale else []
    parts += [raw.workload.task] if raw.workload.task is not Task.INFERENCE else []
    stem = "-".join(re.sub(r"[^a-z0-9]+", "-", part.lower()).strip("-") for part in parts)
    names = (
        f"{stem}{suffix}.json" for suffix in ("", *(f"-{n}" for n in range(2, len(taken) + 3)))
    )
    return next(name for name in names if name not in taken)
