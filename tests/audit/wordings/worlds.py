"""Three worlds: committed runs of an Apple M3, and invented ones of a CUDA machine and of LLMs."""

import csv
import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from audit.wordings.world import Quantity, World
from factory import ROOT

from benchproof.audit.facts.cube import Cube
from benchproof.audit.facts.fact import Telemetry
from benchproof.audit.facts.measures import BY_NAME
from benchproof.audit.facts.read import read_telemetry
from benchproof.audit.facts.records import fact_of
from benchproof.records.load import load_records

Row = dict[str, Any]


class Network(NamedTuple):
    parameters: int
    gflop: float


NETWORKS = {
    "ResNet-50": Network(25_557_032, 4.1),
    "BERT-base": Network(109_482_240, 22.4),
    "ViT-B/16": Network(86_567_656, 17.6),
    "Llama-7B": Network(6_738_415_616, 1350.0),
}
FRAMEWORKS = {"PyTorch": 1.0, "TensorFlow": 1.23, "ONNX Runtime": 0.81}  # relative time
CPU_TIME = 14.0
PRECISIONS = {  # relative time
    "cpu": {"fp32": 1.0, "bf16": 0.83},
    "cuda": {"fp32": 1.0, "fp16": 0.56, "bf16": 0.61},
}
BATCHES = (1, 8, 64, 256)
LARGE = "Llama-7B"  # only on the GPU, with the batches that fit
LARGE_BATCHES = (1, 8)

CHIPS = {"M1": 1.0, "M2 Pro": 2.6, "M3 Max": 5.1}  # relative speed
RUNNERS = {"MLX": 1.0, "llama.cpp": 0.93}
LANGUAGE_MODELS = {"Llama-7B": 6.74e9, "Mistral-7B": 7.24e9, "Phi-2": 2.78e9}  # parameters
QUANTIZATIONS = {"fp16": 1.0, "q8": 1.8, "q4": 3.1}

NAMES = ("apple", "cuda", "llm")


@cache
def world(name: str) -> World:
    return {"apple": _apple, "cuda": _cuda, "llm": _llm}[name]()


def _apple() -> World:
    """Records: two devices, three frameworks with their variants, five models."""
    paths = sorted((ROOT / "results/raw/apple-m3").rglob("*.json"))
    telemetry = Telemetry(tuple(map(fact_of, load_records(paths, ROOT))), BY_NAME, ())
    return World(
        name="apple",
        cube=Cube(telemetry),
        time=Quantity("latency", 1e3, "ms"),
        rate=Quantity("throughput", 1.0, "samples/s"),
        memory=None,
        way="variant",
        plain="eager",
        place="device",
        efficiency=Quantity("roofline efficiency", 1.0, "%"),
    )


def _cuda() -> World:
    """A table: networks in several precisions, with their memory and their parameters."""
    rows, _ = _invented()
    with TemporaryDirectory() as folder:
        path = Path(folder, "runs.csv")
        with path.open("w", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, rows[0])
            table.writeheader()
            table.writerows(rows)
        telemetry = read_telemetry([path.name], None, path.parent)
    return World(
        name="cuda",
        cube=Cube(telemetry),
        time=Quantity("latency_ms", 1e3, "ms"),
        rate=Quantity("throughput", 1.0, "samples/s"),
        memory=Quantity("peak_memory_mb", 1e-6, "MB"),
        way="precision",
        plain="fp32",
        place="device",
        parameters={name: network.parameters for name, network in NETWORKS.items()},
    )


def _llm() -> World:
    """A list of objects: tokens per second, with no batches and no latency."""
    _, rows = _invented()
    with TemporaryDirectory() as folder:
        path = Path(folder, "llm.json")
        path.write_text(json.dumps(rows), encoding="utf-8")
        telemetry = read_telemetry([path.name], None, path.parent)
    return World(
        name="llm",
        cube=Cube(telemetry),
        time=None,
        rate=Quantity("generation_tps", 1.0, "tokens/s"),
        memory=Quantity("memory_gb", 1e-9, "GB"),
        way="quantization",
        plain="fp16",
        place="chip",
        batch=None,
    )


@cache
def _invented() -> tuple[list[Row], list[Row]]:
    chance = random.Random(11)
    return list(_network_rows(chance)), list(_language_rows(chance))


def _network_rows(chance: random.Random) -> Iterator[Row]:
    for device, precisions in PRECISIONS.items():
        for framework in FRAMEWORKS:
            for model in NETWORKS:
                for precision in precisions:
                    for batch in BATCHES:
                        if model != LARGE or (device == "cuda" and batch in LARGE_BATCHES):
                            yield _network_row(chance, device, framework, model, precision, batch)


def _network_row(
    chance: random.Random, device: str, framework: str, model: str, precision: str, batch: int
) -> Row:
    network = NETWORKS[model]
    slow = FRAMEWORKS[framework] * PRECISIONS[device][precision]
    slow *= CPU_TIME if device == "cpu" else 1
    size = 4 if precision == "fp32" else 2
    time = 0.9 * (network.gflop / 4) ** 0.8 * batch**0.93 * slow * chance.uniform(0.8, 1.25)
    weights = network.parameters * size / 1e6 * chance.uniform(1.15, 1.5)
    return {
        "device": device,
        "framework": framework,
        "model": model,
        "precision": precision,
        "batch_size": batch,
        "latency_ms": round(time, 4),
        "throughput": round(batch / time * 1e3, 2),
        "peak_memory_mb": round(weights + batch * network.gflop * 0.7, 1),
        "params": network.parameters,
    }


def _language_rows(chance: random.Random) -> Iterator[Row]:
    for chip, speed in CHIPS.items():
        for framework, share in RUNNERS.items():
            for model, parameters in LANGUAGE_MODELS.items():
                for quantization, gain in QUANTIZATIONS.items():
                    pace = speed * share * 7e9 / parameters
                    yield {
                        "chip": chip,
                        "framework": framework,
                        "model": model,
                        "quantization": quantization,
                        "prompt_tps": round(58 * pace * chance.uniform(0.8, 1.2), 1),
                        "generation_tps": round(5.1 * pace * gain * chance.uniform(0.85, 1.15), 2),
                        "memory_gb": round(
                            parameters * 2 / gain / 1e9 * 1.1 * chance.uniform(0.98, 1.1), 2
                        ),
                    }
