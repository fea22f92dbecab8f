"""What the figures show, and that they show nothing that was not measured."""

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from figures.tables import (
    best,
    device_ratio,
    result,
    roof,
    small_study,
    speedup,
    write_tables,
)

from benchproof.errors import InputError
from benchproof.figures.cpu_gpu import draw_cpu_gpu
from benchproof.figures.draw import FIGURES, draw_all
from benchproof.figures.efficiency import draw_efficiency
from benchproof.figures.evidence import Evidence, select_evidence
from benchproof.figures.growth import draw_batch_scaling, draw_throughput_scaling
from benchproof.figures.latency import draw_latency
from benchproof.figures.page import Drawing
from benchproof.figures.palette import DARK, Colour, darken
from benchproof.figures.reading import read_tables
from benchproof.figures.roofline import draw_roofline
from benchproof.figures.speedups import draw_speedups
from benchproof.figures.throughput import draw_throughput

SVG = "{http://www.w3.org/2000/svg}"


def texts(drawing: Drawing) -> str:
    """All text of a figure, one line an element; fails where the SVG is not XML."""
    root = ET.fromstring(drawing.svg)
    return "\n".join("".join(element.itertext()) for element in root.iter(f"{SVG}text"))


def evidence(folder: Path) -> Evidence:
    return select_evidence(read_tables(folder))


def colours(svg: str) -> set[str]:
    return set(re.findall(r'(?:fill|stroke)(?:: |=")(#[0-9a-f]{6})', svg))


def hatches(drawing: Drawing) -> int:
    return drawing.svg.count("fill: url(#h")


def test_every_figure_is_written_in_both_themes_and_named_in_the_manifest(tmp_path: Path) -> None:
    written = draw_all(small_study(tmp_path / "tables"), tmp_path / "figures")
    manifest = msgspec.json.decode((tmp_path / "figures" / "figures.json").read_bytes())
    assert manifest["schema"] == "benchproof/figures@1"
    assert list(manifest["figures"]) == sorted(kind.name for kind in FIGURES)
    assert {path.name for path in written} == {
        "figures.json",
        *(f"{kind.name}-{theme}.{suffix}" for kind in FIGURES for theme in ("light", "dark")
          for suffix in ("svg", "png")),
    }  # fmt: skip
    roofline = manifest["figures"]["roofline"]
    assert roofline["width"] == 800
    assert roofline["table"] == "roofline.csv"
    assert set(roofline["sha256"]) == {
        f"roofline-{theme}.{suffix}" for theme in ("light", "dark") for suffix in ("svg", "png")
    }
    for path in written:
        assert path.suffix != ".png" or path.read_bytes().startswith(b"\x89PNG")


def test_the_same_tables_give_the_same_bytes_in_another_process(tmp_path: Path) -> None:
    tables = small_study(tmp_path / "tables")
    here = draw_all(tables, tmp_path / "here")
    command = "import sys; from pathlib import Path; from benchproof.figures.draw import draw_all; "
    command += "draw_all(Path(sys.argv[1]), Path(sys.argv[2]))"
    environment = {**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": os.pathsep.join(sys.path)}
    arguments = [sys.executable, "-c", command, str(tables), str(tmp_path / "there")]
    subprocess.run(arguments, check=True, env=environment)
    for path in here:
        assert path.read_bytes() == (tmp_path / "there" / path.name).read_bytes(), path.name


def test_each_colour_is_unique_and_has_a_dark_counterpart() -> None:
    assert set(DARK) == set(Colour)
    assert len({colour.value for colour in Colour}) == len(Colour)
    assert not {colour.value for colour in Colour} & set(DARK.values())


@pytest.mark.parametrize("kind", FIGURES, ids=lambda kind: kind.name)
def test_no_light_colour_is_left_in_a_dark_figure(tmp_path: Path, kind: object) -> None:
    draw: Callable[[Evidence], Drawing] = kind.draw  # type: ignore[attr-defined]
    drawing = draw(evidence(small_study(tmp_path)))
    assert colours(drawing.svg) <= {colour.value for colour in Colour}
    assert colours(darken(drawing.svg)) <= set(DARK.values())
    assert len(colours(darken(drawing.svg))) == len(colours(drawing.svg))


def test_a_colour_outside_the_palette_is_refused() -> None:
    with pytest.raises(ValueError, match="#123456"):
        darken('<path style="fill: #123456"/>')


def test_text_stays_text_with_a_font_that_readers_have(tmp_path: Path) -> None:
    svg = draw_latency(evidence(small_study(tmp_path))).svg
    assert "<title>Latency by model, with its spread</title>" in svg
    assert "'DejaVu Sans', Verdana, 'Noto Sans', Arial, sans-serif" in svg


def test_names_with_markup_are_escaped(tmp_path: Path) -> None:
    name = "<script>alert('x')</script> & \"$x_1$\""
    rows = [result(model=name, **cell) for cell in ({"device": "cpu"}, {"device": "mps"})]
    found = evidence(
        write_tables(
            tmp_path, results=rows, cpu_gpu=[device_ratio(model=name)],
            compile_speedup=[speedup(model=name)], roofline=[roof(model=name)],
        )
    )  # fmt: skip
    for kind in FIGURES:
        drawing = kind.draw(found)
        assert "<script" not in drawing.svg
        assert "<script>" in texts(drawing), kind.name


def test_a_missing_cell_is_a_hatched_gap_that_says_so(tmp_path: Path) -> None:
    rows = [result(), result(None, model="CNN"), result(0.004, model="CNN", framework="JAX")]
    drawing = draw_latency(evidence(write_tables(tmp_path, results=rows)))
    assert hatches(drawing) >= 2  # the cell and the legend
    assert "not measured" in texts(drawing)


def test_without_gaps_the_legend_does_not_speak_of_them(tmp_path: Path) -> None:
    drawing = draw_latency(evidence(write_tables(tmp_path, results=[result()])))
    assert "not measured" not in texts(drawing)


def test_a_bar_that_is_cut_is_said_to_be(tmp_path: Path) -> None:
    row = result() | {"stddev_s": 0.5}
    told = texts(draw_latency(evidence(write_tables(tmp_path, results=[row]))))
    assert "A bar that would reach below half of the median ends there." in told


def test_a_failed_cell_says_that_it_failed(tmp_path: Path) -> None:
    rows = [result(), result(None, variant="torch.compile", status="failed")]
    found = evidence(write_tables(tmp_path, results=rows, roofline=[roof()]))
    assert "PyTorch torch.compile: failed." in texts(draw_latency(found))
    assert "failed" in texts(draw_efficiency(found))


def test_a_quarantined_record_is_no_evidence_for_its_device(tmp_path: Path) -> None:
    note = "asked for mps, ran on cpu:0 (cpu)"
    quarantined = result(
        framework="JAX", device="mps", ran_on="cpu", status="quarantined", note=note
    )
    rows = [result(), result(device="mps"), quarantined]
    elsewhere = speedup(
        framework="JAX", device="mps", ran_on="cpu", variant="jax.jit", note="ran on cpu"
    )
    tables = write_tables(
        tmp_path, results=rows, roofline=[roof(), roof(device="mps")], compile_speedup=[elsewhere]
    )
    found = evidence(tables)
    assert f"JAX: {note}." in texts(draw_latency(found))
    assert "ran on CPU" in texts(draw_efficiency(found))
    assert Colour.BLUE.value not in draw_batch_scaling(found).svg.split("batch</text>")[0]
    told = texts(draw_speedups(found))
    assert "Asked for GPU (mps), ran on the CPU, batch 32" in told
    assert "no evidence about the GPU (mps)" in told


def test_without_a_gpu_the_figure_says_why_it_compares_nothing(tmp_path: Path) -> None:
    drawing = draw_cpu_gpu(evidence(write_tables(tmp_path, results=[result()])))
    assert "Nothing could be compared: no GPU was measured, only CPU." in texts(drawing)


def test_what_cpu_against_gpu_leaves_out_is_named_with_its_reason(tmp_path: Path) -> None:
    missing = [
        device_ratio(None, batch=batch, note=f"batch {batch} was not measured on mps")
        for batch in (1, 8)
    ]
    other = device_ratio(None, framework="JAX", note="asked for mps, ran on cpu:0 (cpu)")
    rows = [result(), result(framework="JAX")]
    ratios = [device_ratio(3.4981), *missing, other]
    told = texts(draw_cpu_gpu(evidence(write_tables(tmp_path, results=rows, cpu_gpu=ratios))))
    assert "3.50×" in told
    assert "Left out, PyTorch: batches 1, 8 not measured on mps." in told
    assert "Left out, JAX: asked for mps, ran on cpu:0 (cpu)." in told
    assert "GPU is faster" in told


def test_another_basis_than_the_same_framework_is_not_compared(tmp_path: Path) -> None:
    ratios = [device_ratio(basis="any framework, equal work")]
    drawing = draw_cpu_gpu(evidence(write_tables(tmp_path, results=[result()], cpu_gpu=ratios)))
    assert "Nothing could be compared" in texts(drawing)


def test_one_batch_shows_no_growth(tmp_path: Path) -> None:
    drawing = draw_batch_scaling(evidence(write_tables(tmp_path, results=[result()])))
    assert "Only batch 32 was measured: growth is not known." in texts(drawing)
    assert "proportional" not in texts(drawing)


def test_a_line_over_a_batch_that_was_not_measured_is_pale(tmp_path: Path) -> None:
    jumping = [result(batch=batch) for batch in (1, 32)]
    dense = [result(batch=batch, framework="JAX") for batch in (1, 8, 32)]
    svg = draw_batch_scaling(evidence(write_tables(tmp_path, results=[*jumping, *dense]))).svg
    assert Colour.VERMILLION_TINT.value in svg
    assert Colour.BLUE_TINT.value not in svg


def test_a_model_without_any_measurement_has_an_empty_panel(tmp_path: Path) -> None:
    rows = [result(), result(None, model="CNN")]
    drawing = draw_throughput_scaling(evidence(write_tables(tmp_path, results=rows)))
    assert hatches(drawing) == 1
    assert "not measured" in texts(drawing)


def test_without_ceilings_roofline_and_efficiency_say_so(tmp_path: Path) -> None:
    found = evidence(write_tables(tmp_path, results=[result()], roofline=[roof(None)]))
    for draw in (draw_roofline, draw_efficiency):
        assert "No ceiling of these devices is known" in texts(draw(found))


def test_the_best_of_a_device_names_its_batch_where_it_is_another(tmp_path: Path) -> None:
    rows = [result(), result(batch=8)]
    told = texts(
        draw_throughput(
            evidence(write_tables(tmp_path, results=rows, best_throughput=[best(44000.0, batch=8)]))
        )
    )
    assert "44.0k at batch 8" in told


def test_only_the_most_frequent_scope_is_shown_and_the_other_is_named(tmp_path: Path) -> None:
    training = result(9.0, task="train-step", precision="bf16")
    rows = [result(), result(batch=8), training]
    told = texts(draw_latency(evidence(write_tables(tmp_path, results=rows)))).replace("\n", " ")
    assert "Shown: inference, fp32." in told
    assert "Measured too, but not shown: train-step, bf16." in told


def test_twelve_models_with_long_names_and_a_huge_range_fit(tmp_path: Path) -> None:
    models = [f"A model with a rather long name, size {n}, distilled" for n in range(12)]
    rows = [
        result(10.0 ** (n - 7), model=model, framework=framework, device=device, batch=batch)
        for n, model in enumerate(models)
        for framework in ("PyTorch", "JAX", "an unknown one")
        for device in ("cpu", "cuda")
        for batch in (1, 512)
    ]
    roofs = [roof(0.0004 * 10**n, model=model) for n, model in enumerate(models[:6])]
    found = evidence(write_tables(tmp_path, results=rows, roofline=roofs))
    for kind in FIGURES:
        drawing = kind.draw(found)
        assert not re.search(r"\b(nan|inf)\b", drawing.svg), kind.name
        places = re.findall(r'<text [^>]* x="([-\d.]+)" y="([-\d.]+)"', drawing.svg)
        assert places
        for x, y in places:
            assert 0 <= float(x) <= 600
            assert 0 <= float(y) <= drawing.height_pt


def test_a_missing_table_is_named(tmp_path: Path) -> None:
    (write_tables(tmp_path) / "cpu_gpu.csv").unlink()
    with pytest.raises(InputError, match=r"cpu_gpu\.csv: the table is missing; run the derive"):
        read_tables(tmp_path)


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    write_tables(tmp_path)
    (tmp_path / "best_throughput.csv").write_text("model,task\n", "utf-8")
    with pytest.raises(InputError, match="lacks the column scale, precision, device"):
        read_tables(tmp_path)


@pytest.mark.parametrize("bad", ["fast", "nan", "inf", "-1", "0"])
def test_a_latency_that_is_no_positive_number_is_refused(tmp_path: Path, bad: str) -> None:
    write_tables(tmp_path, results=[result(), result() | {"latency_s": bad}])
    with pytest.raises(InputError, match=r"results\.csv#/rows/2: .*latency_s"):
        read_tables(tmp_path)


def test_a_ragged_row_is_refused(tmp_path: Path) -> None:
    path = write_tables(tmp_path) / "cpu_gpu.csv"
    path.write_text(path.read_text("utf-8") + "MLP,inference\n", "utf-8")
    with pytest.raises(InputError, match=r"cpu_gpu\.csv#/rows/1: has 2 cells for 13 columns"):
        read_tables(tmp_path)


def test_a_table_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (write_tables(tmp_path) / "results.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="cannot be read as text"):
        read_tables(tmp_path)


def test_a_study_without_rows_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"results\.csv: has no rows"):
        evidence(write_tables(tmp_path))
