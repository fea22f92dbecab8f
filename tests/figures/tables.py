"""Small tables for the tests of figures: one factory a table, and how they are written."""

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Cells = dict[str, Any]
WORK = {"model": "MLP", "task": "inference", "scale": "", "precision": "fp32"}
CELL = {"device": "cpu", "framework": "PyTorch", "variant": "eager", "batch": 32}

COLUMNS = {
    "results": "model task scale precision device ran_on framework variant batch status note "
    "latency_s latency_low_s latency_high_s mean_s stddev_s p95_s throughput_per_s",
    "compile_speedup": "model task scale precision device ran_on framework batch variant note "
    "speedup speedup_low speedup_high",
    "cpu_gpu": "model task scale precision basis framework batch rule gpu note speedup "
    "speedup_low speedup_high",
    "best_throughput": "model task scale precision device framework variant batch throughput_per_s",
    "roofline": "model task scale precision device framework variant batch note "
    "ceilings intensity_flop_per_byte achieved_flops_per_s efficiency_percent peak_flops_per_s "
    "peak_bytes_per_s",
}


def result(latency_s: float | None = 0.002, **changes: Any) -> Cells:
    """A row of results.csv; without a latency it was not measured."""
    row = {**WORK, **CELL, "status": "ok", **changes}
    if latency_s is None:
        return {**row, "status": changes.get("status", "not measured")}
    spread = {"mean_s": latency_s * 1.1, "stddev_s": latency_s / 10, "p95_s": latency_s * 1.4}
    return {
        **row, **spread, "latency_s": latency_s, "throughput_per_s": row["batch"] / latency_s
    }  # fmt: skip


def speedup(value: float | None = 1.5, **changes: Any) -> Cells:
    """A row of compile_speedup.csv."""
    return {**WORK, **CELL, "ran_on": "cpu", "variant": "torch.compile", "speedup": value} | changes


def device_ratio(value: float | None = 2.0, **changes: Any) -> Cells:
    """A row of cpu_gpu.csv."""
    row = {**WORK, **CELL, "basis": "same framework", "rule": "any variant", "gpu": "mps"}
    return {**row, "speedup": value} | changes


def roof(percent: float | None = 12.0, **changes: Any) -> Cells:
    """A row of roofline.csv."""
    known: Cells = {
        "intensity_flop_per_byte": 20.0, "achieved_flops_per_s": 2e11,
        "efficiency_percent": percent, "peak_flops_per_s": 3.6e12, "peak_bytes_per_s": 1e11,
    }  # fmt: skip
    return {**WORK, **CELL, **(known if percent is not None else {})} | changes


def best(value: float = 16000.0, **changes: Any) -> Cells:
    """A row of best_throughput.csv."""
    return {**WORK, **CELL, "throughput_per_s": value} | changes


def write_tables(folder: Path, **tables: Iterable[Cells]) -> Path:
    """Write every table, the ones that are not given without rows."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, columns in COLUMNS.items():
        with (folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, columns.split(), extrasaction="ignore")
            writer.writeheader()
            writer.writerows(tables.get(name, ()))
    return folder


def small_study(folder: Path, **changes: Iterable[Cells]) -> Path:
    """Tables of two frameworks on a CPU and a GPU, at two batches."""
    places = [("cpu", 8), ("cpu", 32), ("mps", 32)]
    runs = [("PyTorch", "eager"), ("PyTorch", "torch.compile"), ("JAX", "eager")]
    cells = [
        {"device": device, "batch": batch, "framework": framework, "variant": variant}
        for device, batch in places
        for framework, variant in runs
    ]
    tables: dict[str, Iterable[Cells]] = {
        "results": [result(0.001 + 0.001 * n, **cell) for n, cell in enumerate(cells)],
        "compile_speedup": [speedup(), speedup(0.8, device="mps", ran_on="mps")],
        "cpu_gpu": [device_ratio(), device_ratio(0.5, framework="JAX")],
        "best_throughput": [best()],
        "roofline": [roof(**cell) for cell in cells],
    }
    return write_tables(folder, **(tables | changes))
