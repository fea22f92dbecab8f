"""Files that hold more than a selection: its queries leave out what the gates left out."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from factory import make_cell, make_raw, make_study
from report.support import rendered, verified

from benchproof.model.raw import RawFile
from benchproof.records.study import Study

MS = 1_000_000
OOM, NO_BACKEND, NOISY = "out of memory", "no backend", "the machine did something else"
COMPILED = {"variant": "torch.compile", "kind": "compiled"}
GRAPH = {"variant": "cuda-graph", "kind": "graph-replay"}


def timed(ms: float, **changes: Any) -> dict[str, Any]:
    samples = (int(ms * MS), int(ms * MS) + 1000)
    return make_cell(actual_device="cuda", samples_ns=samples, **changes)


def failed(reason: str = OOM, **changes: Any) -> dict[str, Any]:
    return make_cell(status="failed", reason=reason, **changes)


def on_gpu(round_: int, cells: Sequence[dict[str, Any]], **changes: Any) -> RawFile:
    return make_raw(device="cuda", round=round_, cells=cells, **changes)


def mixed_raws() -> list[RawFile]:
    """Two rounds whose files hold everything at once, a third that did not get far, and a CPU's.

    Of CUDA's ten records four may be compared, one ran elsewhere, and five have no time: one of
    them failed only in the round that holds nothing else, one only after it was timed, and one
    failed on another device than it was asked for.
    """
    fp16 = {"precision": "fp16", "batch": 8}
    return [
        on_gpu(1, [
            timed(4),
            timed(9, batch=64, status="unstable", reason=NOISY),
            timed(1, **COMPILED),
            make_cell(**COMPILED, batch=64, status="skipped", reason=NO_BACKEND),
            timed(2, **GRAPH) | {"actual_device": "cpu"},
            failed(**GRAPH, batch=64, actual_device="cpu"),
            timed(20, **fp16, **COMPILED),
            timed(3, **fp16),
            failed(batch=128),
            timed(5, batch=16),
        ]),
        on_gpu(2, [
            timed(4.5),
            timed(8, batch=64),
            failed(NO_BACKEND, **COMPILED),
            timed(30, **fp16, **COMPILED),
        ]),
        on_gpu(3, [failed(**fp16, **COMPILED)]),
        make_raw(cells=[make_cell(samples_ns=(50 * MS, 51 * MS)), failed(**COMPILED)]),
    ]  # fmt: skip


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Study]:
    root = tmp_path_factory.mktemp("project")
    return root, make_study(root, mixed_raws())


COUNTS = {
    "cells.count": 5,
    "cells(device='cuda').count": 4,
    "cells(device='cuda', precision='fp16').count": 1,
    "cells(batch=8).count": 1,
    "cells(batch=64).count": 1,
    "cells(status='unstable').count": 1,
    "cells(device='cuda', status='ok').count": 3,
    "cells(kind='eager').count": 5,
    "cells.count_of('batch')": 4,
    "cells.count_of('status')": 2,
    "cells.count_of('model')": 1,
    "cells.compute_bound": 5,
    "cells(device='cuda').compute_bound": 4,
    "asked.count": 6,
    "asked(device='cuda').count": 5,
    "asked.count_of('kind')": 2,
    "quarantined.count": 1,
    "quarantined(status='ok').count": 1,
    "untimed.count": 6,
    "untimed(device='cuda').count": 5,
    "untimed(status='failed').count": 5,
    "untimed(status='skipped').count": 1,
    "untimed(precision='fp16').count": 1,
    "untimed.count_of('status')": 2,
}
EXTREMES = {
    "cells.highest('latency')": "50.5 ms",
    "cells(device='cuda').highest('latency')": "8.50 ms",
    "cells(device='cuda').lowest('latency')": "3.00 ms",
    "cells(status='unstable').lowest('latency')": "8.50 ms",
    "asked(device='cuda').lowest('latency')": "2.00 ms",
    "asked(device='cuda').highest('latency')": "8.50 ms",
    "quarantined.highest('latency')": "2.00 ms",
    "cells(device='cuda').highest('rounds')": "2",
}


@pytest.mark.parametrize("expression", COUNTS)
def test_a_count_is_what_its_query_counts(project: tuple[Path, Study], expression: str) -> None:
    (number,) = verified(project[0], f"{{{{ {expression} }}}}", project[1]).numbers.numbers
    assert number.value == COUNTS[expression]


@pytest.mark.parametrize("expression", EXTREMES)
def test_an_extreme_is_what_its_query_finds(project: tuple[Path, Study], expression: str) -> None:
    (number,) = verified(project[0], f"{{{{ {expression} }}}}", project[1]).numbers.numbers
    assert number.text == EXTREMES[expression]


def test_what_a_query_does_not_read_needs_no_condition(tmp_path: Path) -> None:
    raws = [
        on_gpu(1, [timed(4)]),
        on_gpu(1, [timed(4) | {"actual_device": "cpu"}], model="RNN"),
        on_gpu(1, [failed()], model="LSTM"),
    ]
    study = make_study(tmp_path, raws)
    (number,) = verified(tmp_path, "{{ cells.count }}", study).numbers.numbers
    assert number.query.endswith("SELECT (SELECT count(*) FROM record WHERE true)")
    (number,) = verified(tmp_path, "{{ untimed.count }}", study).numbers.numbers
    assert number.query.endswith("WHERE status IN ('failed', 'skipped'))")


def test_a_query_reads_rounds_beyond_its_records_only_to_leave_one_out(
    project: tuple[Path, Study],
) -> None:
    root, study = project
    (number,) = rendered(root, "{{ cells(device='cuda').count }}", study).numbers.numbers
    cited = {place.file.rsplit("/")[-1] for place in number.records}
    assert cited == {"000.json", "001.json", "002.json"}
    (number,) = rendered(root, "{{ cells(batch=64).count }}", study).numbers.numbers
    assert {place.file.rsplit("/")[-1] for place in number.records} == {"000.json", "001.json"}


def test_a_round_read_to_leave_one_out_may_call_for_another(tmp_path: Path) -> None:
    fails_second, fails_third = {**COMPILED, "batch": 1}, {**COMPILED, "batch": 2}
    raws = [
        on_gpu(1, [timed(4), timed(1, **fails_second)]),
        on_gpu(2, [failed(**fails_second), timed(1, **fails_third)]),
        on_gpu(3, [failed(**fails_third)]),
    ]
    study = make_study(tmp_path, raws)
    (number,) = verified(tmp_path, "{{ cells.count }}", study).numbers.numbers
    assert number.value == 1


def test_work_of_a_name_with_a_scale_is_not_the_one_without(tmp_path: Path) -> None:
    study = make_study(tmp_path, [make_raw(), make_raw(scale="large")])
    template = (
        "{% for scale, part in cells.each('scale') %}{{ part.count }} {% endfor %}"
        "{{ cells.count_of('scale') }} {{ cells(scale='large').count }}"
    )
    shown = verified(tmp_path, template, study).numbers.numbers
    assert [number.value for number in shown] == [1, 1, 1]
    assert "scale IS NULL" in shown[0].query
    assert "scale = 'large'" in shown[2].query or "scale = 'large'" in shown[1].query


@pytest.mark.parametrize("order", [(1, 2, 3), (3, 1, 2), (2, 3, 1)])
@pytest.mark.parametrize(("statuses", "expected"), [
    (("ok", "ok", "ok"), "ok"), (("ok", "unstable", "ok"), "unstable"),
    (("unstable", "skipped", "ok"), "skipped"), (("skipped", "failed", "unstable"), "failed"),
])  # fmt: skip
def test_the_worst_round_is_the_status(
    tmp_path: Path, statuses: tuple[str, ...], expected: str, order: tuple[int, ...]
) -> None:
    raws = [
        on_gpu(number, [timed(4, status=status, reason="so") if status in ("ok", "unstable")
                        else make_cell(status=status, reason="so")])
        for number, status in zip(order, statuses, strict=True)
    ]  # fmt: skip
    study = make_study(tmp_path, raws)
    root = "cells" if expected in ("ok", "unstable") else "untimed"
    template = f"{{{{ {root}(status='{expected}').count }}}} {{{{ {root}.status }}}}"
    assert verified(tmp_path, template, study).qmd.endswith(f" {expected}")
