"""Where tests get their inputs: records, raw files and small studies, each with what it needs."""

import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from benchproof.config import StudyConfig, raw_paths, read_config
from benchproof.derive.tables import Tables, derive
from benchproof.importers.write import encode
from benchproof.model.raw import SCHEMA, Cell, RawFile
from benchproof.model.record import Record
from benchproof.records.gates import SelectionRule
from benchproof.records.load import pool_rounds
from benchproof.records.study import Study, load_study

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "tests" / "data"
STUDY_FILE = ROOT / "config" / "studies" / "apple-m3.yaml"
MODELS = ("FF DNN", "CNN", "RNN", "LSTM", "Transformer")

# A device that peaks at 1 TFLOP/s (fp32), 2 TFLOP/s (fp16) and 100 GB/s.
CEILINGS = (
    {"quantity": "flops_per_s", "value": 1e12, "kind": "datasheet", "source": "sheet",
     "precision": "fp32"},
    {"quantity": "flops_per_s", "value": 2e12, "kind": "datasheet", "source": "sheet",
     "precision": "fp16"},
    {"quantity": "bytes_per_s", "value": 1e11, "kind": "datasheet", "source": "sheet"},
    {"quantity": "bytes_per_s", "value": 5e10, "kind": "measured", "source": "triad"},
)  # fmt: skip
SOURCE = {
    "name": "somebody", "version": "1", "file": "data.json", "sha256": "0" * 64, "licence": "MIT",
}  # fmt: skip
SAMPLES = (5_000_000, 4_000_000, 6_500_000)


def make_cell(**changes: Any) -> dict[str, Any]:
    """A cell as JSON has it: fp32, batch 32, 1 GFLOP in 10 MB; three samples unless a summary."""
    cell: dict[str, Any] = {
        "variant": "eager",
        "kind": "eager",
        "batch": 32,
        "precision": "fp32",
        "status": "ok",
        "flops_per_call": 1_000_000_000,
        "bytes_per_call": 10_000_000,
        "parameter_bytes": 4_000,
        "parameter_count": 1_000,
    }
    if "summary" not in changes and changes.get("status", "ok") == "ok":
        cell["samples_ns"] = SAMPLES
    return _without_none(cell | changes)


def make_raw(**changes: Any) -> RawFile:
    """A raw file; `model`, `task`, `scale`, `framework`, `round` and `chip` lie where they belong.

    `cells` are dicts of `make_cell`; `imported=True` adds a source.
    """
    raw: dict[str, Any] = {
        "schema": SCHEMA,
        "study": changes.get("study", "tiny"),
        "device": changes.get("device", "cpu"),
        "framework": {"name": changes.get("framework", "PyTorch")},
        "workload": {
            "model": changes.get("model", "CNN"),
            "task": changes.get("task", "inference"),
            "scale": changes.get("scale"),
            "input_shape": changes.get("input_shape"),
            "fingerprint": changes.get("fingerprint"),
        },
        "run": {"id": "run", "round": changes.get("round", 1), "benchproof": "0.1.0"},
        "machine": {
            "chip": changes.get("chip", "Chip"),
            "cache_bytes": changes.get("cache_bytes"),
            "ceilings": changes.get("ceilings", CEILINGS),
        },
        "protocol": {"samples": changes.get("declared_samples")},
        "source": SOURCE if changes.get("imported") else None,
        "cells": changes.get("cells", [make_cell()]),
        "controls": changes.get("controls", ()),
    }  # fmt: skip
    return msgspec.convert(raw, RawFile)


def make_record(**changes: Any) -> Record:
    """A record of one round; fields of a cell go to its cell, all others as in `make_raw`."""
    cell = {name: changes.pop(name) for name in Cell.__struct_fields__ if name in changes}
    raw = make_raw(**changes, cells=[make_cell(**cell)])
    return pool_rounds([("results/raw/tiny/a.json", raw, "0" * 64)])[0]


def write_raw_file(path: Path, raw: RawFile | None = None, **changes: Any) -> Path:
    """A raw file on disk, as the importer would write it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encode(raw or make_raw(**changes)))
    return path


def make_study(root: Path, raws: Iterable[RawFile], name: str = "tiny") -> Study:
    """Raw files in a project's folder, loaded and gated."""
    paths = [
        write_raw_file(root / "results" / "raw" / name / f"{position:03}.json", raw)
        for position, raw in enumerate(raws)
    ]
    return load_study(name, paths, root)


ODD_MODEL = 'O\'Brien "x"'


def mixed_raws() -> list[RawFile]:
    """Samples in two rounds beside summaries; precisions, a scale, training, names with quotes.

    One cell has a control.
    """
    compiled = {"variant": "torch.compile", "kind": "compiled"}
    half = {"precision": "fp16", "samples_ns": (2_000_001, 2_000_004)}
    summary = {
        "median_ns": 7_654_321.0, "mean_ns": 7_700_000.04, "stddev_ns": 123_456.7, "p95_ns": 8e6,
    }  # fmt: skip
    step = make_cell(samples_ns=(9_000_000, 9_000_100), flops_per_call=300_000_000)
    odd_step = {"model": ODD_MODEL, "task": "train-step", "scale": "it's big"}
    imported = [
        make_cell(batch=batch, summary=summary | {"median_ns": 1e6 * batch}, **variant)
        for batch in (1, 32)
        for variant in ({}, {"variant": "jax.jit", "kind": "compiled"})
    ]
    return [
        make_raw(
            round=number,
            cells=[
                make_cell(samples_ns=tuple(5_000_000 + 1_001 * number * i for i in range(1, 12))),
                make_cell(batch=64, samples_ns=(8_000_000 + number, 8_000_050, 8_000_100)),
                make_cell(**compiled, samples_ns=tuple(3_000_000 + number + i for i in range(3))),
                make_cell(**half),
                make_cell(batch=64, **half),
                make_cell(batch=64, **compiled, status="failed", reason="out of memory"),
            ],
            controls=[make_cell(batch=64, samples_ns=(8_000_010 + number, 8_000_020, 8_000_200))],
        )
        for number in (1, 2)
    ] + [
        make_raw(device="cuda", cells=[
            make_cell(actual_device="cuda", samples_ns=(1_000_000, 1_000_003, 1_000_010)),
            make_cell(**compiled, actual_device="cpu", device_text="cpu", samples_ns=(6_000_000,)),
        ]),
        make_raw(**odd_step, cells=[step]),
        make_raw(**odd_step, device="cuda", cells=[step | {"samples_ns": (500_000, 500_001)}]),
        make_raw(framework="JAX", imported=True, cells=imported),
    ]  # fmt: skip


def shared() -> Path:
    """The folder of public telemetry beside the project; skips the test where it is absent."""
    folder = Path(os.environ.get("BENCHPROOF_SHARED") or ROOT.parent / "shared")
    if not (folder / "data").is_dir():
        pytest.skip(f"no public telemetry in {folder}; set BENCHPROOF_SHARED to where it is")
    return folder


def committed_paths() -> list[Path]:
    """The raw files of the study in the repository."""
    return raw_paths(read_config(STUDY_FILE, StudyConfig), ROOT)


@cache
def committed_study() -> Study:
    """The study in the repository: 120 records of a CPU sweep and 40 of a GPU sweep."""
    return load_study("apple-m3", committed_paths(), ROOT)


@cache
def committed_tables() -> Tables:
    """Its tables."""
    return derive(committed_study(), MODELS, SelectionRule.ANY_VARIANT)


def committed(**key: Any) -> Record:
    """The one record of the committed study that matches: device, framework, model, batch, kind."""
    read = {
        "device": lambda r: r.requested, "framework": lambda r: r.framework,
        "model": lambda r: r.model, "batch": lambda r: r.batch, "kind": lambda r: r.kind,
    }  # fmt: skip
    found = [
        record
        for record in committed_study().everything
        if all(read[name](record) == value for name, value in key.items())
    ]
    assert len(found) == 1, (key, [record.name for record in found])
    return found[0]


def _without_none(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
