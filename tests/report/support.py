"""Rendering small templates against the committed study, or against a hostile one."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import duckdb

from benchproof.config import StudyConfig, raw_paths, read_config
from benchproof.errors import TemplateError
from benchproof.records.study import Study, load_study
from benchproof.report.registry import encode
from benchproof.report.render import Document, render
from benchproof.verbs.verify import verify

ROOT = Path(__file__).parent.parent.parent
TEMPLATE = ROOT / "templates/apple-m3-gpu-vs-cpu.qmd.j2"
RAW = ROOT / "results/raw/apple-m3"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9"/></svg>'
LSTM = 'cells(device="mps", model="LSTM", batch=32, kind="eager")'
CNN = 'cells(device="mps", model="CNN", batch=32, kind="eager")'

Rendering = Callable[..., Document]


@cache
def config() -> StudyConfig:
    return read_config(ROOT / "config/studies/apple-m3.yaml", StudyConfig)


@cache
def study() -> Study:
    return load_study("apple-m3", raw_paths(config(), ROOT), ROOT)


def drawn(folder: Path, *names: str) -> Path:
    """A folder with figures of these names."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        for theme in ("light", "dark"):
            (folder / f"{name}-{theme}.svg").write_text(SVG, encoding="utf-8")
            (folder / f"{name}-{theme}.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    return folder


def rendered(folder: Path, template: str, evidence: Study | None = None, **more: str) -> Document:
    """A template, with partials by name (`part="..."` is part.j2), rendered against a study."""
    figures = drawn(folder / "figures", "latency", "roofline")
    source = folder / "templates"
    source.mkdir(exist_ok=True)
    for name, text in {"post": template, **more}.items():
        (source / f"{name}.j2").write_text(text, encoding="utf-8")
    return render("post", source / "post.j2", evidence or study(), config(), figures)


def refusal(
    folder: Path, template: str, evidence: Study | None = None, **more: str
) -> TemplateError:
    """The error that a template gives; a failure of the test where it gives none."""
    try:
        document = rendered(folder, template, evidence, **more)
    except TemplateError as bad:
        return bad
    raise AssertionError(f"rendered without an error: {document.qmd!r}")


def hostile_study(folder: Path, model: str, device_text: str, chip: str) -> Study:
    """Two raw files of the committed study under the names of somebody who means harm."""
    raw = folder / "raw"
    raw.mkdir()
    for name in ("mps-pytorch-cnn.json", "mps-jax-cnn.json"):
        content: dict[str, Any] = json.loads((RAW / name).read_bytes())
        content["study"] = "hostile"
        content["workload"]["model"] = model
        content["machine"]["chip"] = chip
        content["cells"] = [
            {**cell, "device_text": device_text, "variant": f"{cell['variant']} {model}"}
            for cell in content["cells"]
        ]
        (raw / name).write_text(json.dumps(content), encoding="utf-8")
    return load_study("hostile", sorted(raw.glob("*.json")), folder)


def verified(root: Path, template: str, evidence: Study) -> Document:
    """A template rendered against a study of a project, each of its numbers given by its query."""
    document = rendered(root, template, evidence)
    (root / "numbers.json").write_bytes(encode(document.numbers))
    assert verify(root / "numbers.json", root) == 0
    return document


def answer(connection: duckdb.DuckDBPyConnection, query: str) -> float:
    """The one row and one column that a query gives."""
    ((value,),) = connection.execute(query).fetchall()
    return float(value)
