"""Telemetry of a made-up sweep, of any size, and a true post about it."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path

Record = dict[str, str | int | float]
Key = tuple[str | int | float, ...]

KEYS = ("model", "device", "framework", "variant", "batch")
MODELS = ("CNN", "LSTM", "RNN", "Transformer", "FF DNN")
DEVICES = ("cpu", "gpu")
FRAMEWORKS = ("PyTorch", "JAX", "TensorFlow", "MLX")
VARIANTS = ("eager", "compiled")
BATCHES = (1, 8, 32, 128)
RECORDS_A_MODEL = len(DEVICES) * len(FRAMEWORKS) * len(VARIANTS) * len(BATCHES)


def models(count: int) -> tuple[str, ...]:
    """Names of so many models, the well-known ones first."""
    return (*MODELS, *(f"net-{number}" for number in range(len(MODELS), count)))[:count]


def records(count: int) -> list[Record]:
    """So many records, each with five keys and seven measurements; more begin with the same."""
    numbers = random.Random(0)
    named = models(-(-count // RECORDS_A_MODEL))
    return [
        _record(numbers, *key) for key in product(named, DEVICES, FRAMEWORKS, VARIANTS, BATCHES)
    ][:count]


def _record(
    numbers: random.Random, model: str, device: str, framework: str, variant: str, batch: int
) -> Record:
    median_ms = round(numbers.uniform(0.1, 90.0), 5)
    return {
        "model": model, "device": device, "framework": framework, "variant": variant,
        "batch": batch, "latency_median_ms": median_ms,
        "latency_mean_ms": round(median_ms * numbers.uniform(1.0, 1.1), 5),
        "latency_stddev_ms": round(median_ms * numbers.uniform(0.01, 0.1), 6),
        "latency_p95_ms": round(median_ms * numbers.uniform(1.1, 1.3), 5),
        "throughput_samples_per_s": round(1000 * batch / median_ms, 3),
        "achieved_gflops": round(numbers.uniform(1.0, 900.0), 4),
        "peak_memory_mb": round(numbers.uniform(50.0, 4000.0), 2),
    }  # fmt: skip


def write_json(told: Sequence[Record], path: Path) -> Path:
    """A file that lists the records."""
    path.write_text(json.dumps(told, indent=1), encoding="utf-8")
    return path


def write_csv(told: Sequence[Record], path: Path) -> Path:
    """A file with a row for each record."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, told[0])
        writer.writeheader()
        writer.writerows(told)
    return path


def post(told: Iterable[Record], about: Sequence[str]) -> str:
    """A true post in Markdown: 40 numbers for each model in `about` and each device."""
    wanted = frozenset(about)
    known: dict[Key, float] = {
        tuple(one[key] for key in KEYS): float(one["latency_median_ms"])
        for one in told
        if one["model"] in wanted
    }
    lines = ["# How long a call takes", ""]
    for model, device in product(about, DEVICES):
        lines += _section(known, model, device)
    return "\n".join(lines) + "\n"


def _section(known: Mapping[Key, float], model: str, device: str) -> Iterator[str]:
    where = f"{model} on the {device.upper()}"
    yield from (f"## {where}", "", f"Median latency in ms of the {where}, by batch size.", "")
    yield f"| Framework | Variant | {' | '.join(f'Batch {batch}' for batch in BATCHES)} |"
    yield "|---|---|" + "---:|" * len(BATCHES)
    for framework, variant in product(FRAMEWORKS, VARIANTS):
        cells = (f"{known[model, device, framework, variant, batch]:.2f}" for batch in BATCHES)
        yield f"| {framework} | {variant} | {' | '.join(cells)} |"
    yield ""
    for framework in FRAMEWORKS:
        eager, compiled = (known[model, device, framework, one, 32] for one in VARIANTS)
        yield (
            f"At batch 32, {framework} eager takes {eager:.2f} ms; "
            f"{framework} compiled takes {compiled:.2f} ms."
        )
    yield ""
