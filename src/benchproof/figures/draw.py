"""The figures step: from a folder of tables to SVG and PNG files and their manifest."""

import hashlib
import json
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from benchproof.figures.cpu_gpu import draw_cpu_gpu
from benchproof.figures.efficiency import draw_efficiency
from benchproof.figures.evidence import Evidence, select_evidence
from benchproof.figures.growth import draw_batch_scaling, draw_throughput_scaling
from benchproof.figures.latency import draw_latency
from benchproof.figures.page import Drawing
from benchproof.figures.palette import darken
from benchproof.figures.raster import Rasteriser
from benchproof.figures.reading import read_tables
from benchproof.figures.roofline import draw_roofline
from benchproof.figures.sheet import WIDTH_PT
from benchproof.figures.speedups import draw_speedups
from benchproof.figures.throughput import draw_throughput
from benchproof.files import write_atomically

SCHEMA = "benchproof/figures@1"
CSS_PIXELS_PER_PT = 96 / 72
MANIFEST = "figures.json"
RENDERERS = 2


class FigureKind(NamedTuple):
    """A figure's name, the table that it shows, and how it is drawn."""

    name: str
    table: str
    draw: Callable[[Evidence], Drawing]


FIGURES = (
    FigureKind("roofline", "roofline.csv", draw_roofline),
    FigureKind("latency", "results.csv", draw_latency),
    FigureKind("efficiency", "roofline.csv", draw_efficiency),
    FigureKind("batch-scaling", "results.csv", draw_batch_scaling),
    FigureKind("speedups", "compile_speedup.csv", draw_speedups),
    FigureKind("throughput", "results.csv", draw_throughput),
    FigureKind("throughput-scaling", "results.csv", draw_throughput_scaling),
    FigureKind("cpu-gpu", "cpu_gpu.csv", draw_cpu_gpu),
)


class Rendered(NamedTuple):
    """One figure's files, by their names."""

    kind: FigureKind
    drawing: Drawing
    files: dict[str, bytes]


def draw_all(tables: Path, target: Path) -> list[Path]:
    """Draw every figure from `tables`/*.csv into `target`; the files written, manifest last.

    InputError where a table is missing or is not what the derive step writes.
    """
    evidence = select_evidence(read_tables(tables))
    # Typst works in native code: figures are drawn while it renders the ones before them.
    with Rasteriser() as rasteriser, ThreadPoolExecutor(max_workers=RENDERERS) as beside:
        pending = [(kind, _start(kind, evidence, rasteriser, beside)) for kind in FIGURES]
        rendered = [Rendered(kind, *future.result()) for kind, future in pending]
    return _write(rendered, tables, target)


def _start(
    kind: FigureKind, evidence: Evidence, rasteriser: Rasteriser, beside: ThreadPoolExecutor
) -> Future[tuple[Drawing, dict[str, bytes]]]:
    return beside.submit(_files, kind.name, kind.draw(evidence), rasteriser)


def _files(name: str, drawing: Drawing, rasteriser: Rasteriser) -> tuple[Drawing, dict[str, bytes]]:
    svgs = (drawing.svg, darken(drawing.svg))
    images = rasteriser.png(name, svgs, WIDTH_PT, drawing.height_pt)
    files = {}
    for theme, svg, image in zip(("light", "dark"), svgs, images, strict=True):
        files[f"{name}-{theme}.svg"] = svg.encode()
        files[f"{name}-{theme}.png"] = image
    return drawing, files


def _write(rendered: list[Rendered], tables: Path, target: Path) -> list[Path]:
    """Write the figures, then the manifest that names them."""
    contents = {name: content for one in rendered for name, content in one.files.items()}
    contents[MANIFEST] = _manifest(rendered, tables)
    for name, content in contents.items():
        write_atomically(target / name, content)
    return [target / name for name in contents]


def _manifest(rendered: list[Rendered], tables: Path) -> bytes:
    figures = {one.kind.name: _entry(one, tables) for one in rendered}
    manifest = {"schema": SCHEMA, "figures": figures}
    return (json.dumps(manifest, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()


def _entry(rendered: Rendered, tables: Path) -> dict[str, Any]:
    name, table = rendered.kind.name, rendered.kind.table
    return {
        "title": rendered.drawing.title,
        "table": table,
        "table_sha256": _sha256((tables / table).read_bytes()),
        "light": f"{name}-light.svg",
        "dark": f"{name}-dark.svg",
        "sha256": {file: _sha256(content) for file, content in rendered.files.items()},
        "width": round(WIDTH_PT * CSS_PIXELS_PER_PT),
        "height": round(rendered.drawing.height_pt * CSS_PIXELS_PER_PT),
    }


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
