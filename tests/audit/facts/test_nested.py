"""What JSON of any shape says."""

from pathlib import Path
from typing import Any

import pytest
from audit.facts.written import read, read_json, refusal, rows, write


def test_a_list_of_objects_is_rows_with_pointers(tmp_path: Path) -> None:
    told = read_json(tmp_path, {"rows": [{"tokens": 1, "latency": "3.127 ms"}]})
    assert rows(told) == [({"tokens": 1}, {"latency": 0.003127})]
    assert told.facts[0].place == "runs.json#/rows/0"


def test_outer_fields_are_keys_of_inner_rows(tmp_path: Path) -> None:
    document = {
        "device": "cuda",
        "models": [
            {"model": "CNN", "runs": [{"batch": 1, "x_ms": 2.0}, {"batch": 8, "x_ms": 3.0}]},
            {"model": "RNN", "runs": [{"batch": 1, "x_ms": 4.0}]},
        ],
    }
    told = read_json(tmp_path, document)
    assert [keys for keys, _ in rows(told)] == [
        {"device": "cuda", "model": "CNN", "batch": 1},
        {"device": "cuda", "model": "CNN", "batch": 8},
        {"device": "cuda", "model": "RNN", "batch": 1},
    ]
    assert told.facts[1].place == "runs.json#/models/0/runs/1"


def test_an_outer_name_stays_beside_an_inner_one(tmp_path: Path) -> None:
    inner = [{"name": "eager", "x_ms": 1.5}]
    told = read_json(tmp_path, {"models": [{"name": "CNN", "variants": inner}]})
    assert rows(told) == [({"models name": "CNN", "name": "eager"}, {"x_ms": 0.0015})]


def test_objects_in_a_row_are_part_of_it(tmp_path: Path) -> None:
    row = {"config": {"batch": 4}, "latency_ms": {"mean": 2.5, "p95": 3.5}}
    told = read_json(tmp_path, [row])
    assert rows(told)[0] == ({"batch": 4}, {"latency_ms_mean": 0.0025, "latency_ms_p95": 0.0035})
    assert told.measures["latency_ms_p95"].statistic == "p95"


def test_samples_in_a_row_are_runs(tmp_path: Path) -> None:
    told = read_json(tmp_path, [{"model": "CNN", "times_ms": [1.5, 2.5]}])
    assert rows(told) == [
        ({"model": "CNN", "sample": 0}, {"times_ms": 0.0015}),
        ({"model": "CNN", "sample": 1}, {"times_ms": 0.0025}),
    ]
    assert told.repeats == {"sample"}
    assert told.facts[1].place == "runs.json#/0/times_ms/1"


def test_integer_samples_are_runs_and_a_shape_is_not(tmp_path: Path) -> None:
    told = read_json(tmp_path, [{"model": "CNN", "shape": [1, 3, 224], "samples_ns": [100, 250]}])
    assert [values for _, values in rows(told)] == [{"samples_ns": 1e-7}, {"samples_ns": 2.5e-7}]


def test_columns_of_equal_length_are_rows(tmp_path: Path) -> None:
    told = read_json(tmp_path, {"batch": [1, 2], "x_ms": [1.5, 2.5]})
    assert [(keys["batch"], values["x_ms"]) for keys, values in rows(told)] == [
        (1, 0.0015),
        (2, 0.0025),
    ]


def test_objects_by_name_are_rows(tmp_path: Path) -> None:
    told = read_json(tmp_path, {"PyTorch": {"latency_ms": 2.0}, "JAX": {"latency_ms": 3.0}})
    assert rows(told) == [
        ({"framework": "PyTorch"}, {"latency_ms": 0.002}),
        ({"framework": "JAX"}, {"latency_ms": 0.003}),
    ]


def test_objects_by_name_may_lie_in_a_group(tmp_path: Path) -> None:
    document = {
        "config": {"device": "cuda"},
        "results": {"32": {"x_ms": 2.0}, "256": {"x_ms": 3.0}},
    }
    told = read_json(tmp_path, document)
    assert rows(told) == [
        ({"device": "cuda", "level 1": 32}, {"x_ms": 0.002}),
        ({"device": "cuda", "level 1": 256}, {"x_ms": 0.003}),
    ]
    assert told.facts[1].place == "runs.json#/results/256"


def test_bare_nan_and_infinity_are_not_measured(tmp_path: Path) -> None:
    told = read_json(tmp_path, '[{"m": "a", "x_ms": NaN}, {"m": "b", "x_ms": -Infinity}, '
                               '{"m": "c", "x_ms": 1.5}]')  # fmt: skip
    assert [values for _, values in rows(told)] == [{}, {}, {"x_ms": 0.0015}]


def test_json_lines_are_rows_whatever_the_name_says(tmp_path: Path) -> None:
    text = '{"model": "CNN", "x_ms": 1.5}\n\n{"model": "RNN", "x_ms": 2.5}\n'
    for name in ("runs.jsonl", "runs.json"):
        (tmp_path / name).write_text(text)
        told = read(tmp_path, name)
        assert [keys["model"] for keys, _ in rows(told)] == ["CNN", "RNN"]
    assert told.facts[1].place == "runs.json#/line/3"


def deep(levels: int) -> Any:
    document: Any = [{"x_ms": 1}]
    for _ in range(levels):
        document = [document]
    return document


REFUSALS = {
    '{"hello": "world"}': "runs.json: data without records: no list of objects; "
    "give a list of objects, or a CSV",
    "[1, 2, 3]": "runs.json: data without records: no list of objects; "
    "give a list of objects, or a CSV",
    '[{"x_ms": 1}': "runs.json: JSON ends early, in line 1; restore the whole file",
    "{nope}": "runs.json: not JSON at line 1 column 2 (Expecting property name enclosed in "
    "double quotes); restore the whole file",
    '[{"x_ms": 1, "x_ms": 2}]': "runs.json: key 'x_ms' stands twice in one object; "
    "keep one of them",
    '[{"x_ms": 1e999}]': "runs.json: 1e999 is too large for a number; correct it at its source",
    '[{"x_ms": "1e999 ms"}]': "runs.json#/0: 1e999 is too large for a number; "
    "correct it at its source",
    '{"schema": "benchproof/numbers@1", "numbers": [{"x_ms": 1}]}': "runs.json#/schema: data "
    "without records: benchproof/numbers@1 is no telemetry; "
    "give the raw files that it was made from",
    '[{"m": "\\ud800", "x_ms": 1}]': "runs.json: a text holds half of a surrogate pair, which is "
    "no character; write it whole",
    "[" * 100_000: "runs.json: nested deeper than 64 levels; "
    "give the records as a list of objects",
}  # fmt: skip


@pytest.mark.parametrize("text", REFUSALS, ids=lambda text: text[:30])
def test_what_holds_no_records_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    assert refusal(write(tmp_path, runs_DOT_json=text), "runs.json") == REFUSALS[text]


def test_nesting_is_bounded(tmp_path: Path) -> None:
    assert len(read_json(tmp_path, deep(50)).facts) == 1
    assert "nested deeper" in refusal(write(tmp_path, runs_DOT_json=deep(80)), "runs.json")


def test_names_that_are_one_word_with_numbers_are_sizes(tmp_path: Path) -> None:
    document = {
        codec: {"level-1": {"latency_ms": 2.0}, "level-9": {"latency_ms": 9.0}}
        for codec in ("zstd", "lz4")
    }
    told = read_json(tmp_path, document)
    assert [keys["level"] for keys, _ in rows(told)] == [1, 9, 1, 9]
    assert {keys["level 1"] for keys, _ in rows(told)} == {"zstd", "lz4"}


def test_names_with_numbers_that_no_setting_is_called_stay_names(tmp_path: Path) -> None:
    told = read_json(tmp_path, {"node1": {"latency_ms": 2.0}, "node2": {"latency_ms": 9.0}})
    assert [keys for keys, _ in rows(told)] == [{"level 1": "node1"}, {"level 1": "node2"}]
