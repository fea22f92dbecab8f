"""A selection that does not name one record says what is left open; gates hold in templates."""

from pathlib import Path

import msgspec
import pytest
from factory import make_cell, make_raw, make_study
from report.support import CNN, LSTM, refusal, rendered, verified

from benchproof.errors import RuleConflictError
from benchproof.model.raw import Protocol, RawFile

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
    ("cells.version", ["version is left open (None)"]),
    ('cells(status="failed").count', ["status is one of ok"]),
    ('cells.names("statuses")', ["no key 'statuses'", "task, scale, status"]),
    ('cells.having("speed")', ["no quantity 'speed'"]),
    ("untimed.count", ["'records in untimed' stands on no record"]),
    ("untimed.record", ["untimed matches no record"]),
    ("untimed.latency", ["untimed matches no record"]),
    ("untimed.status", ["untimed matches no record"]),
    ("untimed.batch", ["untimed matches no record"]),
    ("untimed.version", ["untimed matches no record"]),
    ("untimed.chip", ["untimed matches no record"]),
    ('untimed(status="failed").count', ["untimed holds no record"]),
    ('untimed.highest("flops")', ["untimed matches no record"]),
    ('untimed.at_lowest("flops").count', ["untimed matches no record"]),
    ('told(cells, "mood")', ["nothing tells 'mood'", "chip, os, driver, version"]),
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


COMPILED = {"variant": "torch.compile", "kind": "compiled"}
OOM, NOISY = "out of memory", "load: too *much*"


def told_raws() -> list[RawFile]:
    """Two rounds: a cell with all that can be told, one with a round that failed, one unstable."""
    raws = [
        make_raw(device="cuda", round=number, chip="H200", cells=[
            make_cell(actual_device="cuda", first_call_ns=first_ns, samples_ns=samples,
                      device_samples_ns=(900_000 + number, 1_000_003, 1_200_000)),
            make_cell(**COMPILED, first_call_ns=7 * first_ns, device_samples_ns=(1, 2))
            if number == 10 else make_cell(**COMPILED, status="failed", reason=OOM),
            make_cell(batch=64, status="unstable", reason=NOISY, samples_ns=(8_000_000, 9_000_000),
                      bytes_per_call=None),
        ])
        for number, first_ns, samples in (
            (10, 90_000_001, (2_000_000, 2_000_001)), (9, 20_000_000, (2_100_000, 2_500_000)),
        )
    ]  # fmt: skip
    protocol = Protocol(warmup=3, samples=2, threads=4, clock="perf_counter_ns")
    first = msgspec.structs.replace(
        raws[1],
        framework=msgspec.structs.replace(raws[1].framework, version="2.11.0"),
        machine=msgspec.structs.replace(raws[1].machine, cores=8, memory_bytes=2**37, os="Linux"),
        protocol=protocol,
    )
    return [raws[0], first]


ONE = 'cells(kind="eager", batch=32)'
TOLD = {
    f"{ONE}.first_call": "90.0 ms",
    f"{ONE}.device_latency": "1.00 ms",
    f"{ONE}.dispatch": "1.05 ms",
    'cells(batch=32).highest("first_call")': "90.0 ms",
    'cells(batch=32).lowest("dispatch")': "1.05 ms",
    f"{ONE}.cores": "8",
    f"{ONE}.threads": "4",
    f"{ONE}.memory_bytes": "128 GiB",
    f"{ONE}.least_warmup": "3",
    f"{ONE}.least_samples": "2",
    "untimed.first_call": "630 ms",
    "untimed.flops": "1.00 GFLOP",
    'cells.having("dispatch")[0].dispatch': "1.05 ms",
    f"speedup({ONE}, {ONE})": "1.00×",
}


@pytest.mark.parametrize("expression", TOLD)
def test_what_is_told_of_a_record_is_what_its_query_gives(tmp_path: Path, expression: str) -> None:
    study = make_study(tmp_path, told_raws())
    (number,) = verified(tmp_path, f"{{{{ {expression} }}}}", study).numbers.numbers
    assert number.text == TOLD[expression]


NO_TIME = {
    "untimed.latency": "no median_s; failed: out of memory",
    "untimed.device_latency": "no device_median_s; failed: out of memory",
    "untimed.throughput": "no median_s; failed",
    "untimed.rounds": "no rounds; failed",
    "untimed.interval.low": "no interval without two timed samples",
    f"speedup({ONE}, untimed)": "no median_s; failed",
    f"verdict({ONE}, untimed)": "no interval without two timed samples",
}


@pytest.mark.parametrize("expression", NO_TIME)
def test_a_round_that_failed_leaves_no_time_of_the_others(tmp_path: Path, expression: str) -> None:
    study = make_study(tmp_path, told_raws())
    assert NO_TIME[expression] in refusal(tmp_path, f"{{{{ {expression} }}}}", study).what


def test_texts_of_a_selection_are_those_that_its_records_share(tmp_path: Path) -> None:
    study = make_study(tmp_path, told_raws())
    template = (
        "{{ cells.version }}, {{ cells.chip }}, {{ cells(batch=64).status }}, {{ untimed.status }}"
        "{% for one in unmeasured %}; {{ one }}{% endfor %}"
    )
    assert rendered(tmp_path, template, study).qmd == (
        "2.11.0, H200, unstable, failed; JAX; TensorFlow; MLX"
    )
    two = make_study(tmp_path, [make_raw(), make_raw(device="cuda", chip="H200")], name="tiny")
    assert "chip is left open (Chip, H200)" in refusal(tmp_path, "{{ cells.chip }}", two).what


def test_reasons_are_those_of_the_rounds_that_decide(tmp_path: Path) -> None:
    noisy = {"status": "unstable", "reason": NOISY, "samples_ns": (8_000_000, 9_000_000)}
    third = make_raw(device="cuda", round=11, chip="H200", cells=[
        make_cell(batch=64, bytes_per_call=None, **noisy), make_cell(**COMPILED, **noisy)
    ])  # fmt: skip
    study = make_study(tmp_path, [*told_raws(), third])
    template = (
        "{% for part in [untimed, cells] %}{% for reason in part.reasons %}{{ reason }}"
        "{% for one in part.because(reason) %} ({{ one.variant }}){% endfor %}; {% endfor %}"
        "{% endfor %}{% if not untimed.because('never heard') %}no more{% endif %}"
    )
    shown = rendered(tmp_path, template, study).qmd
    assert shown == "out of memory (torch.compile); load: too \\*much\\* (eager); no more"


def test_only_records_with_a_quantity_have_it(tmp_path: Path) -> None:
    study = make_study(tmp_path, told_raws())
    for quantity, count in (
        ("latency", 2), ("dispatch", 1), ("first_call", 1), ("between_rounds", 2), ("cores", 2),
        ("intensity", 1), ("measured_bandwidth", 2),
    ):  # fmt: skip
        template = f"{{% for one in cells.having('{quantity}') %}}x{{% endfor %}}"
        assert rendered(tmp_path, template, study).qmd == "x" * count, quantity
    assert rendered(tmp_path, "{% if not untimed.having('latency') %}none{% endif %}", study).qmd
