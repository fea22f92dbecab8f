"""Studies that lack what most have: every figure is drawn, or says what was not measured."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from factory import CEILINGS, make_cell, make_raw, make_study

from benchproof.derive.tables import derive
from benchproof.derive.write import write_tables
from benchproof.figures.draw import FIGURES
from benchproof.figures.evidence import Evidence, select_evidence
from benchproof.figures.lettering import width_pt
from benchproof.figures.page import Drawing
from benchproof.figures.reading import read_tables
from benchproof.model.raw import RawFile
from benchproof.records.gates import SelectionRule

COMPILED: dict[str, Any] = {"variant": "torch.compile", "kind": "compiled"}
FAILED: dict[str, Any] = {"status": "failed", "reason": "out of memory"}
STATEMENTS = re.compile(
    "Nothing was measured|No latency was measured|No throughput was measured|No ceiling of these|"
    "No model was measured both|Nothing could be compared"
)


def samples(number: int, noise: int = 10_000) -> tuple[int, ...]:
    return tuple(1_000_000 * number + noise * step for step in range(12))


def cells(batches: Sequence[int] = (1, 32), **changes: Any) -> list[dict[str, Any]]:
    timed = {} if "status" in changes else {"samples_ns": samples(changes.pop("ms", 5))}
    return [make_cell(batch=batch, **timed, **changes) for batch in batches]


def runs(*raws: dict[str, Any]) -> list[RawFile]:
    """Each raw file in two rounds."""
    return [make_raw(round=number, **raw) for raw in raws for number in (1, 2)]


def several(**changes: Any) -> list[RawFile]:
    """Two models of two frameworks on a CPU and a GPU, eager and compiled."""
    return runs(*(
        {"device": device, "framework": framework, "model": model, **changes,
         "cells": changes.get("cells", [*cells(ms=ms), *cells(ms=ms + 1, **COMPILED)])}
        for ms, device in ((5, "cpu"), (2, "cuda"))
        for framework in ("PyTorch", "JAX") for model in ("CNN", "RNN")
    ))  # fmt: skip


STUDIES: dict[str, Callable[[], list[RawFile]]] = {
    "whole": several,
    "one cell": lambda: runs({"cells": cells([1])}),
    "one framework": lambda: [raw for raw in several() if raw.framework.name == "PyTorch"],
    "one batch": lambda: several(cells=[*cells([8]), *cells([8], **COMPILED)]),
    "one model": lambda: [raw for raw in several() if raw.workload.model == "CNN"],
    "no GPU": lambda: [raw for raw in several() if raw.device == "cpu"],
    "a GPU alone": lambda: [raw for raw in several() if raw.device == "cuda"],
    "nothing compiled": lambda: several(cells=cells()),
    "nothing eager": lambda: several(cells=cells(**COMPILED)),
    "no ceilings": lambda: several(ceilings=()),
    "measured ceilings": lambda: several(
        ceilings=tuple({**ceiling, "kind": "measured"} for ceiling in CEILINGS[:3])
    ),
    "no work told": lambda: several(cells=cells(flops_per_call=None, bytes_per_call=None)),
    "no FLOPs": lambda: several(cells=cells(flops_per_call=0)),
    "all failed": lambda: several(cells=cells(**FAILED)),
    "all skipped": lambda: several(cells=cells(status="skipped", reason="budget")),
    "all but one failed": lambda: [*several(cells=cells(**FAILED)),
                                   *runs({"model": "MLP", "cells": cells([1])})],
    "all elsewhere": lambda: runs({"device": "cuda", "cells": cells(actual_device="cpu")}),
    "all tied": lambda: several(cells=[*cells(), *cells(**COMPILED)]),
    "unstable": lambda: several(cells=[
        {**cell, "status": "unstable", "reason": "throttled"} for cell in cells()
    ]),
    "one sample": lambda: [make_raw(cells=[make_cell(samples_ns=(5,)),
                                           make_cell(**COMPILED, samples_ns=(7,))])],
    "wild samples": lambda: several(cells=[make_cell(samples_ns=(1, 10**6, 10**12)),
                                           make_cell(**COMPILED, samples_ns=(2, 3, 10**15))]),
    "training": lambda: several(task="train-step", scale="large"),
}  # fmt: skip


def drawn(folder: Path, raws: Sequence[RawFile]) -> dict[str, Drawing]:
    return {kind.name: kind.draw(evidence(folder, raws)) for kind in FIGURES}


def evidence(folder: Path, raws: Sequence[RawFile]) -> Evidence:
    tables = derive(make_study(folder, raws), (), SelectionRule.ANY_VARIANT)
    write_tables(tables, folder / "tables")
    return select_evidence(read_tables(folder / "tables"))


def texts(drawing: Drawing) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", drawing.svg)


@pytest.mark.parametrize("name", STUDIES)
def test_every_figure_of_an_odd_study_is_drawn_or_says_why_not(tmp_path: Path, name: str) -> None:
    for figure, drawing in drawn(tmp_path, STUDIES[name]()).items():
        assert not re.search(r"\b(nan|inf)\b", drawing.svg), figure
        shows = drawing.svg.count("<use ") > 0 or "%]" in drawing.svg
        says = STATEMENTS.search(" ".join(texts(drawing))) is not None
        assert shows or says, figure
        for attributes, text in re.findall(r"<text ([^>]*)>([^<]*)</text>", drawing.svg):
            _is_inside(attributes, text, drawing, figure)


def _is_inside(attributes: str, text: str, drawing: Drawing, figure: str) -> None:
    """A line of text starts and ends on the sheet, as far as its width is known."""
    if "rotate(-90" in attributes:
        return
    size, x, y = (
        float(re.findall(pattern, attributes)[0])
        for pattern in (r"font-size: ([\d.]+)px", r' x="([-\d.]+)"', r' y="([-\d.]+)"')
    )
    width = 0.8 * width_pt(text.replace("&lt;", "<").replace("&gt;", ">"), size)
    start = x - {"end": width, "middle": width / 2}.get(_anchor(attributes), 0.0)
    assert start >= 0, (figure, text)
    assert start + width <= 600, (figure, text)
    assert 0 <= y <= drawing.height_pt, (figure, text)


def _anchor(attributes: str) -> str:
    found = re.search(r"text-anchor: (\w+)", attributes)
    return found.group(1) if found else "start"


def test_figures_without_anything_say_so(tmp_path: Path) -> None:
    told = {
        name: " ".join(texts(one)) for name, one in drawn(tmp_path, STUDIES["all failed"]()).items()
    }
    assert all(STATEMENTS.search(text) for text in told.values()), told


def test_intervals_have_whiskers_and_a_key(tmp_path: Path) -> None:
    shown = drawn(tmp_path, several())
    for name in ("latency", "speedups", "cpu-gpu"):
        assert "95 % interval" in texts(shown[name]), name


def test_without_intervals_the_legend_does_not_speak_of_them(tmp_path: Path) -> None:
    shown = drawn(tmp_path, STUDIES["one sample"]())
    assert not any("95 % interval" in texts(one) for one in shown.values())


def test_a_measured_roof_is_called_so(tmp_path: Path) -> None:
    shown = drawn(tmp_path, STUDIES["measured ceilings"]())
    for name in ("roofline", "efficiency"):
        told = " ".join(texts(shown[name]))
        assert "the measured roof" in told
        assert "datasheet" not in told
