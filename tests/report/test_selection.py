"""A selection that does not name one record says what is left open; gates hold in templates."""

from pathlib import Path

import pytest
from report.support import CNN, LSTM, refusal, rendered

from benchproof.errors import RuleConflictError

CPU = 'cells(device="cpu", batch=32, kind="eager")'
ERRORS = [
    ('cells(model="GRU").count', ["model is one of", "FF DNN", "LSTM", "Transformer"]),
    ('cells(device="mps")(batch=128).count', ["batch is one of 32, 256", "cells(device='mps')"]),
    ('cells(device="mps", framework="JAX").count', ["framework is one of PyTorch"]),
    (
        'cells(device="mps", model="LSTM")(variant="jax.jit", batch=512).count',
        ["variant is one of eager, torch.compile", "batch is one of 32, 256"],
    ),
    (
        'cells(model="GRU", batch=33).count',
        ["model is one of", "batch is one of"],
    ),
    (
        'cells(device="cpu")(framework="JAX", variant="torch.compile").count',
        ["variant is one of eager, jax.jit"],
    ),
    (
        'cells(device="mps", model="LSTM").latency',
        [
            "matches 4 records",
            "variant (eager, torch.compile)",
            "kind (eager, compiled)",
            "batch (32, 256)",
        ],
    ),
    ("cells.latency", ["device (cpu, mps)", "framework (PyTorch, JAX, TensorFlow)", "model (FF"]),
    ('cells(models="LSTM").count', ["no key 'models'", "device, framework, model, variant"]),
    ('cells.each("models")', ["no key 'models'"]),
    ('cells.names("models")', ["no key 'models'"]),
    ('cells.count_of("models")', ["no key 'models'"]),
    ("cells.has(models=4)", ["no key 'models'"]),
    ('cells.highest("speed")', ["no quantity 'speed'", "latency, mean, p95"]),
    ('cells.ranked("speed")', ["no quantity 'speed'"]),
    (f"{LSTM}.speed", ["'speed'"]),
    ('cells.fastest("whatever")', ["no selection rule 'whatever'", "any variant, compiled only"]),
    ("cells.framework", ["framework is left open (PyTorch, JAX, TensorFlow)"]),
    ("cells.batch", ["batch is left open"]),
    ("cells.source_file", ["source file is left open"]),
    ("cells.device_text", ["left open"]),
    ('samples("nothing.json")', ["no source file 'nothing.json'", "benchmark_gpu_data.json"]),
]


@pytest.mark.parametrize(("expression", "told"), ERRORS)
def test_selection_error_names_what_is_open_and_where(
    tmp_path: Path, expression: str, told: list[str]
) -> None:
    bad = refusal(tmp_path, f"Text.\n{{{{ {expression} }}}}\n")
    for part in told:
        assert part in bad.what
    assert bad.where == f"{tmp_path}/templates/post.j2:2"
    assert f"(in: {{{{ {expression} }}}})" in bad.what
    assert "\n" not in str(bad)


GATES = [
    (f"speedup({CPU}(model='CNN', framework='PyTorch'), {CNN})", ["ran on cpu and mps"]),
    (
        "device_ratio(cells(device='cpu', framework='PyTorch', model='RNN', batch=32, "
        "kind='eager'), cells(device='cpu', framework='JAX', model='RNN', batch=32, kind='eager'))",
        ["not the same work", "67,452,928", "parameter bytes"],
    ),
    (
        f"speedup({CNN}, cells(device='mps', model='CNN', batch=256, kind='eager'))",
        ["batch 32 and"],
    ),
    (
        "device_ratio(cells(device='cpu', framework='JAX', model='RNN', batch=32, kind='eager'), "
        "quarantined(model='RNN', batch=32, kind='eager'))",
        ["asked for mps, ran on cpu:0 (cpu)", "mps-jax-rnn.json#/cells/0"],
    ),
    (f"speedup({CNN}, {LSTM})", ["model CNN against LSTM"]),
    (
        "growth(cells(device='cpu', framework='PyTorch', model='LSTM', batch=1, kind='eager'), "
        "cells(device='cpu', framework='JAX', model='LSTM', batch=32, kind='eager'))",
        ["not the same work"],
    ),
    ('wins("MLX", "cuda", 32, "fastest")', ["no selection rule 'fastest'"]),
]


@pytest.mark.parametrize(("expression", "told"), GATES)
def test_comparison_that_the_gates_refuse_fails_the_post(
    tmp_path: Path, expression: str, told: list[str]
) -> None:
    bad = refusal(tmp_path, f"Text.\n\n{{{{ {expression} }}}}\n")
    for part in told:
        assert part in bad.what
    assert bad.where.endswith("post.j2:3")
    assert bad.remedy != ""


def test_quarantined_records_are_not_among_the_cells_of_a_device(tmp_path: Path) -> None:
    template = (
        "{{ cells(device='mps').count }} {{ quarantined.count }} {{ asked(device='mps').count }}"
    )
    qmd = rendered(tmp_path, template).qmd
    assert [part.split("]")[0] for part in qmd.split("[")[1:]] == ["20", "20", "40"]


def test_counts_under_two_rules_fail_the_post(tmp_path: Path) -> None:
    one = '{{ wins("JAX", "cpu", 32, "any variant") }} {{ contested("cpu", 32, "any variant") }}'
    assert rendered(tmp_path, one).numbers.numbers
    with pytest.raises(RuleConflictError, match=r"'any variant' at .*; 'compiled only' at .*;"):
        rendered(tmp_path, one + '{{ wins("JAX", "cpu", 32, "compiled only") }}')


def test_narrowing_by_a_value_or_text_of_the_data_selects_the_same_records(tmp_path: Path) -> None:
    template = (
        "{% set b = cells(batch=256).batch %}{% set m = models | last %}"
        "{{ cells(batch=b, model=m).count }} {{ cells(batch=256, model='Transformer').count }}"
    )
    numbers = rendered(tmp_path, template).numbers.numbers
    assert [(number.text, number.value) for number in numbers] == [("2", 2.0)]
